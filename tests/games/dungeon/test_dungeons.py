"""The shipped dungeons, and files that are refused."""

import pytest

from bot.games.dungeon.bylaws import Lit
from bot.games.dungeon.dungeons import (
    DUNGEONS,
    FOLDER,
    MOST_DOORS,
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


RULE = '[[rules]]\nrule = "letter_limit"\nmost = 3\n'
MARKED = 'rule = "barred_on"\nmark = "~"\n'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            RULE,
            '[[rules]]\nrule = "not_before"\nturn = 30\n',
            "28: not_before: `turn` is 30, and may be 2 to 4",
        ),
        (
            RULE,
            '[[rules]]\nrule = "first_word"\nword = "CRATERS"\n',
            "28: first_word: CRATERS has 7 letters, and there is room for 5 at the start",
        ),
        (
            RULE,
            '[[rules]]\nrule = "first_word"\nword = "QQ"\n',
            "28: first_word: QQ is not in the dictionary",
        ),
        (
            RULE,
            '[[rules]]\nrule = "first_length"\nleast = 6\n',
            "28: first_length: `least` is 6, and may be 3 to 5",
        ),
        (
            MARKED,
            'rule = "collapsing"\nmark = "~"\nlast = 4\n',
            "24: collapsing: `last` is 4, and may be 1 to 3",
        ),
        (RULE, '[[rules]]\nrule = "gems"\nleast = 1\n', "28: gems: there is no gem"),
        (
            RULE,
            '[[rules]]\nrule = "long_words"\nleast = 3\nworth = 100\n',
            "28: long_words: 100 points are more",
        ),
        ('teaches = "The exit."', 'teaches = " "', "4: `teaches` says nothing"),
        ('name = "puddle"', 'name = ""', "17: the legend does not name '~'"),
        (
            'name = "puddle"',
            f'name = "{"p" * 31}"',
            "19: a name in the legend has at most 30 characters, not 31",
        ),
        ('name = "Cellar"', f'name = "{"C" * 3_000}"', "1: `name` has 3000 characters, and may have 40"),
        ("chest = 2", "chest = 100", "22: `chest` is 100, and may be 99 at most"),
        (
            "[scoring]",
            f'[[monsters]]\nname = "{"IMP" * 200}"\ncoin = 2\n\n[scoring]',
            "22: a monster's name has at most 15 letters, not 600",
        ),
        (
            "[scoring]",
            '[[monsters]]\nname = "IMP"\ncoin = 100\n\n[scoring]',
            "23: the coin of IMP is worth more than 99",
        ),
    ],
)
def test_what_nobody_could_win_or_read_is_refused(old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(BadDungeon) as caught:
        read(GOOD.replace(old, new, 1))
    assert str(caught.value).startswith(f"cellar.toml:{said}")


def test_a_byte_order_mark_is_no_matter() -> None:
    assert parsed("cellar", b"\xef\xbb\xbf" + GOOD.encode()) == read(GOOD)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("map = '''\n>...~\n.##..", "map = '''>...~\n.#b..", 6),
        ("map = '''\n>...~\n.##..", "map = '''\n\n\n>...~\n.#b..", 9),
        ("'''\n>...~\n.##..\n....<\n'''", '">...~\\n.#b..\\n....<"', 5),
        ('best = [\n  "CARTS A1 across",\n  "SEA E1 down",\n]', 'best = ["CARTS A1 across", "SEA up"]', 12),
        ('  "CARTS A1 across",\n  "SEA E1 down",', '  "CARTS A1 across", # "one"\n\n  "SEA up",', 15),
    ],
)
def test_the_line_of_a_refusal_is_where_the_mistake_stands(old: str, new: str, line: int) -> None:
    assert old in GOOD
    for ending in ("\n", "\r\n"):
        with pytest.raises(BadDungeon) as caught:
            read(GOOD.replace(old, new, 1).replace("\n", ending))
        assert str(caught.value).startswith(f"cellar.toml:{line}: ")


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


def test_a_mark_walled_in_is_found() -> None:
    with pytest.raises(BadDungeon, match="no way leads to the odd square at A3"):
        checked(cavern(">  <", "####", "!###", rules=(Lit("!"),)))


def test_what_a_rule_wants_can_be_had_with_the_keys_there_are() -> None:
    rows = ("#!.%.>1.<", "#########", "#########", "....%...#")
    both = ("!%.1>..<", "####.###", "####%###", "####&###")
    with pytest.raises(BadDungeon, match="no way leads"):
        checked(cavern(*rows, rules=(Lit("!"),)))
    assert checked(cavern(*both, rules=(Lit("!"),)))
    assert checked(cavern(*both, rules=(Lit("&"),)))
    with pytest.raises(
        BadDungeon, match="lit: there are too few keys on this side of what it wants"
    ) as caught:
        checked(cavern(*both, rules=(Lit("!"), Lit("&"))))
    assert caught.value.path == "$.rules[1]"


@pytest.mark.parametrize("doors", [9, 10, 200])
def test_many_doors_take_no_time(doors: int) -> None:
    """Nine keys and nine doors before an exit in rock took a minute, since every order of opening them was tried."""
    width = 20
    shut = ["%" * width] * (doors // width) + ["%" * (doors % width) + "#" * (width - doors % width)]
    rows = [">" + "1" * 9 + "." * 10, "." * width, *shut, "#" * width, "#" * (width - 1) + "<"]
    with pytest.raises(
        BadDungeon, match="no way leads" if doors <= MOST_DOORS else f"there are {doors} doors"
    ):
        checked(cavern(*rows))


def test_keys_for_all_doors_but_the_one_that_matters_take_no_time() -> None:
    """The way out needs nine doors and there are eight keys, so every choice of doors is looked at."""
    rows = ["<%%%%%%%%%>", "##########.", "########111", "##########1", "#######1111"]
    with pytest.raises(BadDungeon, match="with the keys that can be had before its doors"):
        checked(cavern(*rows))


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
