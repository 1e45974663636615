"""The shipped dungeons, and files that are refused."""

import pytest

from bot.games.dungeon.dungeons import (
    DUNGEONS,
    FOLDER,
    BadDungeon,
    checked,
    line_of,
    parsed,
    verified,
    without_route,
)
from bot.games.dungeon.scoring import medal, medals
from bot.games.dungeon.state import Dungeon
from bot.words.lexicon import Lexicon
from tests.games.dungeon.maps import LEXICON, cavern, hall

GOOD = """\
name = "Cellar"
tier = 1
story = "Somebody left the light on."
teaches = "The exit."
map = '''
>...~
.##..
....<
'''
turns = 4
par = 3
best = [
  "CARTS A1 across",
  "SEA E1 down",
]

[[legend]]
mark = "~"
name = "puddle"

[scoring]
chest = 2

[[rules]]
rule = "barred_on"
mark = "~"

[[rules]]
rule = "letter_limit"
most = 3
"""


def read(text: str) -> Dungeon:
    return parsed("cellar", text.encode())


def test_a_good_file_is_read() -> None:
    dungeon = read(GOOD)
    assert dungeon.rows == (">...~", ".##..", "....<")
    assert dungeon.key == "cellar"
    assert [type(rule).__name__ for rule in dungeon.rules] == ["BarredOn", "LetterLimit"]
    assert verified(dungeon, LEXICON).base == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (".##..", "#####", "cellar.toml:8: no way leads from the start to the exit"),
        (
            'rule = "letter_limit"',
            'rule = "letter_limits"',
            "cellar.toml:29: there is no rule 'letter_limits'",
        ),
        ("most = 3", "mots = 3", "cellar.toml:30: nothing here is called `mots`"),
        ("most = 3", "most = 0", "cellar.toml:28: letter_limit: `most` is 0, and may be 1 to 99"),
        (">...~", ">..?~", "cellar.toml:6: the map holds '?', which no legend explains"),
        (">...~", ">..e~", "cellar.toml:6: the map holds 'e', which no legend explains"),
        (".##..", ".##.", "cellar.toml:7: this row has 4 squares, and the first has 5"),
        (">...~", "....~", "cellar.toml:5: a map has one start >, not 0"),
        ("....<", "...<<", "cellar.toml:5: a map has one exit <, not 2"),
        (".##..", ".##.1", "cellar.toml:7: there is a key and no door"),
        (".##..", ".##.%", "cellar.toml:7: there is a door and no key"),
        (".##..", ".##AB", "cellar.toml:7: the chests at D2 and E2 touch, which would be a word"),
        ("par = 3\\n", "", "cellar.toml:1: Object missing required field `par`"),
        ("par = 3", "par = 0", "cellar.toml:11: `par` is 0, and may be 1 to 999"),
        ("par = 3", 'par = "3"', "cellar.toml:11: Expected `int`, got `str`"),
        ("tier = 1", "tier = 5", "cellar.toml:2: `tier` is 5, and may be 1 to 4"),
        ('name = "Cellar"', 'name = " "', "cellar.toml:1: `name` says nothing"),
        ("turns = 4", "turns = 0", "cellar.toml:10: `turns` is 0, and may be 1 to 40"),
        ("turns = 4", "turns = 4\\nlimit = 4", "cellar.toml:11: nothing here is called `limit`"),
        ("turns = 4", "turns = ", "cellar.toml:10: Invalid value (at line 10, column 9)"),
        ("chest = 2", "chest = -2", "cellar.toml:22: `chest` is -2, and scoring takes nothing away"),
        ("chest = 2", "chests = 2", "cellar.toml:22: nothing here is called `chests`"),
        ('mark = "~"\\nname', 'mark = "."\\nname', "cellar.toml:17: '.' cannot be a mark"),
        ('"SEA E1 down",', '"SEA E1 up",', "cellar.toml:14: 'SEA E1 up' is no turn"),
        ('  "CARTS A1 across",\\n  "SEA E1 down",\\n', "", "cellar.toml:12: `best` holds no route"),
        (
            "[scoring]",
            '[[monsters]]\\nname = "imp"\\ncoin = 2\\n\\n[scoring]',
            "cellar.toml:21: a monster's name is of the letters A to Z, not 'imp'",
        ),
        (
            "[scoring]",
            '[[monsters]]\\nname = "IMP"\\ncoin = 2\\n\\n[[monsters]]\\nname = "IMP"\\ncoin = 1\\n\\n[scoring]',
            "cellar.toml:25: there are two monsters named IMP",
        ),
        (
            "[scoring]",
            '[[monsters]]\\nname = "IMP"\\ncoin = 0\\n\\n[scoring]',
            "cellar.toml:21: the coin of IMP is worth nothing",
        ),
    ],
)
def test_a_bad_file_is_refused_with_file_line_and_reason(old: str, new: str, said: str) -> None:
    old, new = old.replace("\\n", "\n"), new.replace("\\n", "\n")
    assert old in GOOD
    with pytest.raises(BadDungeon) as caught:
        read(GOOD.replace(old, new, 1))
    assert str(caught.value).startswith(said)


def test_a_file_that_is_no_text_is_refused() -> None:
    with pytest.raises(BadDungeon, match=r"cellar\.toml:1: this is no text"):
        parsed("cellar", b"\xff\xfe")


def test_a_place_in_a_file_has_a_line() -> None:
    lines = GOOD.split("\n")
    for path, text in (
        ("$.tier", "tier = 1"),
        ("$.map[0]", ">...~"),
        ("$.map[2]", "....<"),
        ("$.best[1]", '  "SEA E1 down",'),
        ("$.legend[0].name", 'name = "puddle"'),
        ("$.rules[1].most", "most = 3"),
        ("$.rules[1]", "[[rules]]"),
        ("$.scoring.chest", "chest = 2"),
        ("$", 'name = "Cellar"'),
    ):
        assert lines[line_of(GOOD, path) - 1] == text, path


# What leads where


def test_doors_count_with_the_keys_that_can_be_had_before_them() -> None:
    assert checked(cavern(">1%<", "####", "####"))
    with pytest.raises(BadDungeon, match="with the keys that can be had before its doors"):
        checked(cavern("> %1<", "#####", "#####"))


def test_one_key_opens_one_of_two_doors() -> None:
    assert checked(cavern(">1%.<", "# # #", "# % #"))
    with pytest.raises(BadDungeon, match="no way leads from the start to the exit"):
        checked(cavern(">1%%<", "#####", "#####"))
    assert checked(cavern(">1%1%<", "######", "######"))


def test_things_walled_in_are_found() -> None:
    with pytest.raises(BadDungeon, match="no way leads to the gem at A3"):
        checked(cavern(">  <", "####", "*###"))
    with pytest.raises(BadDungeon, match="no way leads to the chest at A3"):
        checked(cavern(">  <", "####", "E###"))


def test_a_map_has_a_size() -> None:
    for rows in ((), ("><",), (">" + "." * 30 + "<", "." * 32, "." * 32)):
        with pytest.raises(BadDungeon, match="squares wide and high"):
            checked(Dungeon(key="x", name="X", tier=1, story="X", rows=rows, turns=3, par=3))


# The shipped ones

MAPS = {
    "cellar-steps": (6, 11, ">....## .###.## .#T..E. ...#.#. ##R...S ##.##.. ##....<"),
    "gem-gallery": (9, 15, "##.*.### >......# ##.#.#.# *..*...* .#.#.#.# ...*.... ##.##.#. ##....*<"),
    "locked-vault": (
        11,
        12,
        ">...##### .##..1..# .#.#.##.# ...A....# .#.#.#### 1..N.%..E .#.#.#.#. ...#....% ####.##.<",
    ),
    "monster-den": (7, 13, "###>#### ........ .##.##.. ........ .##.##.# ........ #.##.##. #......<"),
    "dragon-hoard": (
        11,
        21,
        "##>###### #.......# #.#.##.## ..1...*.. .##.#.##. G..*..... .#.##%##. ....*...A ##.#.##.# ##..D...<",
    ),
    "silent-library": (
        9,
        13,
        ">....... ..##.##. .#..O..# ....#... N.#..*.# ...#.... #*...#.* ##.#...<",
    ),
}


@pytest.mark.parametrize("key", sorted(MAPS))
def test_the_six_of_the_rulings_are_shipped_with_full_score_as_par(key: str) -> None:
    turns, par, rows = MAPS[key]
    dungeon = DUNGEONS[key]
    assert dungeon.rows == tuple(rows.split())
    assert (dungeon.turns, dungeon.par) == (turns, par)


@pytest.mark.parametrize("key", sorted(DUNGEONS))
def test_every_stored_route_scores_par(key: str) -> None:
    assert verified(DUNGEONS[key], LEXICON).base == DUNGEONS[key].par


@pytest.mark.parametrize("key", sorted(DUNGEONS))
def test_no_stored_route_offends(key: str) -> None:
    words = [turn.split()[0] for turn in DUNGEONS[key].best]
    assert not any(Lexicon.load().offends(word) for word in words)


def test_every_file_is_a_dungeon_and_no_two_share_a_name() -> None:
    files = {file.stem for file in FOLDER.glob("*.toml")}
    assert files == set(DUNGEONS)
    assert len({dungeon.name for dungeon in DUNGEONS.values()}) == len(DUNGEONS)


@pytest.mark.parametrize(
    ("best", "said"),
    [
        (("CATS A1 across",), "the best route does not leave"),
        (("CARTS A1 across", "SEA E1 down"), "the best route scores 3, not 4"),
        (("XXXX A1 across",), "turn 1, XXXX A1 across: XXXX is not in the dictionary."),
    ],
)
def test_a_route_that_does_not_score_par_is_found(best: tuple[str, ...], said: str) -> None:
    dungeon = cavern(">    ", " ##  ", "    <", par=4, best=best)
    with pytest.raises(BadDungeon) as caught:
        verified(dungeon, LEXICON)
    assert said in str(caught.value)


# Medals


def test_medals_are_half_three_quarters_and_all_of_par_rounded_up() -> None:
    assert medals(hall(par=13)) == {"bronze": 7, "silver": 10, "gold": 13}
    assert [medal(hall(par=13), base) for base in (6, 7, 9, 10, 12, 13, 20)] == [
        None,
        "bronze",
        "bronze",
        "silver",
        "silver",
        "gold",
        "gold",
    ]


def test_a_dungeon_on_a_table_has_no_route() -> None:
    assert without_route(DUNGEONS["cellar-steps"]).best == ()
