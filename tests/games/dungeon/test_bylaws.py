"""The rules of single dungeons: what each refuses, keeps shut, is worth, and on which map it makes no sense."""

from typing import get_args

import pytest

from bot.games.dungeon.bylaws import (
    RULES,
    AllChests,
    AllDoors,
    AllMonsters,
    Alphabetical,
    BarredLetters,
    BarredOn,
    Bylaw,
    Chain,
    Collapsing,
    EvenLengths,
    FirstLength,
    FirstWord,
    Gems,
    Growing,
    LetterLimit,
    Lit,
    LongWords,
    NewInitials,
    NewLetters,
    NotBefore,
    OneWord,
    OnlyOn,
    Paved,
    RareLetters,
    Rule,
    TakingTurns,
    WordLength,
)
from bot.games.dungeon.dungeons import BadDungeon, checked
from bot.games.dungeon.placement import ground_of, open_conditions
from bot.games.dungeon.scoring import tally
from bot.games.dungeon.state import Dungeon
from tests.games.dungeon.maps import DEN, cavern, hall, refusal, went

MARKED = cavern(">  ~  ", "    ~ ", "     <")
EXAMPLES: dict[str, tuple[Bylaw, Dungeon]] = {
    "first_word": (FirstWord("CAT"), hall()),
    "first_length": (FirstLength(6), hall()),
    "barred_letters": (BarredLetters("EX"), hall()),
    "letter_limit": (LetterLimit(2), hall()),
    "barred_on": (BarredOn("~"), MARKED),
    "only_on": (OnlyOn("~", "ST"), MARKED),
    "new_letters": (NewLetters(2, 4), hall()),
    "word_length": (WordLength(3, 5), hall()),
    "even_lengths": (EvenLengths(), hall()),
    "growing": (Growing(), hall()),
    "new_initials": (NewInitials(), hall()),
    "chain": (Chain(), hall()),
    "alphabetical": (Alphabetical(), hall()),
    "one_word": (OneWord(), hall()),
    "taking_turns": (TakingTurns(), hall()),
    "collapsing": (Collapsing("~", 1), MARKED),
    "lit": (Lit("~"), MARKED),
    "all_monsters": (AllMonsters(), hall(monsters=DEN)),
    "all_doors": (AllDoors(), cavern(">1 %<", "     ", "     ")),
    "all_chests": (AllChests(), cavern(">  A<", "     ", "     ")),
    "gems": (Gems(1), cavern(">  *<", "     ", "     ")),
    "not_before": (NotBefore(3), hall()),
    "long_words": (LongWords(5, 2), hall()),
    "rare_letters": (RareLetters("JQXZ", 2), hall()),
    "paved": (Paved("~", 1), MARKED),
}


def with_rules(dungeon: Dungeon, *rules: Bylaw) -> Dungeon:
    return Dungeon(**{name: getattr(dungeon, name) for name in dungeon.__struct_fields__} | {"rules": rules})


def test_every_rule_has_its_name_and_an_example() -> None:
    assert set(EXAMPLES) == set(RULES)
    assert len(RULES) == len(get_args(Rule)) >= 12
    assert all(type(rule) is RULES[name] for name, (rule, _) in EXAMPLES.items())


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_rule_is_told_in_a_sentence_and_suits_its_map(name: str) -> None:
    rule, dungeon = EXAMPLES[name]
    assert rule.told().endswith(".")
    assert rule.told()[0].isupper()
    assert checked(with_rules(dungeon, rule)).rules == (rule,)


# What is refused, and what the same dungeon allows


@pytest.mark.parametrize(
    ("rule", "allowed", "refused", "said"),
    [
        (
            FirstWord("CAT"),
            ("CAT A1 across", "AT B1 down"),
            ("DOG A1 across",),
            "In this dungeon the first word is CAT.",
        ),
        (
            FirstLength(5),
            ("GRAPE A1 across", "GO A1 down"),
            ("CAT A1 across",),
            "In this dungeon the first word has at least 5 letters.",
        ),
        (BarredLetters("EX"), ("CAT A1 across",), ("AXE A1 across",), "No E may be placed in this dungeon."),
        (
            LetterLimit(2),
            ("TOTAL A1 across",),
            ("TOTAL A1 across", "AT D1 down"),
            "This would be T number 3, and 2 may be placed in all.",
        ),
        (
            LetterLimit(1, "EX"),
            ("TOTAL A1 across", "TEN A1 down"),
            ("TEN A1 across", "TEA A1 down"),
            "This would be E number 2, and 1 may be placed in all.",
        ),
        (
            NewLetters(2, 4),
            ("CAT A1 across", "TAR C1 down"),
            ("GRAPE A1 across",),
            "In this dungeon a turn places 2 to 4 letters; this one places 5.",
        ),
        (
            NewLetters(3),
            ("CAT A1 across",),
            ("CAT A1 across", "AT B1 down"),
            "In this dungeon a turn places at least 3 letters; this one places 1.",
        ),
        (
            WordLength(3),
            ("CAT A1 across",),
            ("CAT A1 across", "AT B1 down"),
            "AT has 2 letters, and words here have at least 3 letters.",
        ),
        (
            WordLength(3, 4),
            ("CART A1 across",),
            ("GRAPE A1 across",),
            "GRAPE has 5 letters, and words here have 3 to 4 letters.",
        ),
        (
            EvenLengths(),
            ("CART A1 across", "AT B1 down"),
            ("CART A1 across", "ART B1 down"),
            "ART has 3 letters, and words here have an even number.",
        ),
        (
            EvenLengths(odd=True),
            ("CAT A1 across",),
            ("CART A1 across",),
            "CART has 4 letters, and words here have an odd number.",
        ),
        (
            Growing(),
            ("CAT A1 across", "TAR C1 down"),
            ("CAT A1 across", "AT B1 down"),
            "AT is not at least as long as the word before, CAT.",
        ),
        (
            Growing(strictly=True),
            ("CAT A1 across", "TEAR C1 down"),
            ("CAT A1 across", "TAR C1 down"),
            "TAR is not longer than the word before, CAT.",
        ),
        (
            NewInitials(),
            ("CAT A1 across", "TAR C1 down"),
            ("CAT A1 across", "COW A1 down"),
            "CAT and COW both begin with C.",
        ),
        (
            Chain(),
            ("CAT A1 across", "TAR C1 down"),
            ("CAT A1 across", "ART B1 down"),
            "After CAT comes a word that begins with T.",
        ),
        (
            Alphabetical(),
            ("CAT A1 across", "COW A1 down"),
            ("CAT A1 across", "ART B1 down"),
            "ART does not come after CAT in the alphabet.",
        ),
        (
            OneWord(),
            ("CAT A1 across", "TAR C1 down"),
            ("AT A1 across", "HE A2 across"),
            "A turn forms one word here, and this one forms AH as well.",
        ),
        (
            TakingTurns(),
            ("CAT A1 across", "TAR C1 down", "RARE C3 across"),
            ("AT A1 across", "HE A2 across"),
            "The last word went across, so this one goes down.",
        ),
    ],
)
def test_a_rule_refuses_what_it_forbids(
    rule: Bylaw, allowed: tuple[str, ...], refused: tuple[str, ...], said: str
) -> None:
    dungeon = with_rules(hall(), rule)
    assert went(dungeon, *allowed)
    assert refusal(dungeon, *refused) == said


def test_vowels_are_barred_on_marked_squares() -> None:
    dungeon = with_rules(MARKED, BarredOn("~"))
    assert went(dungeon, "CART A1 across")
    assert refusal(dungeon, "CARE A1 across") == "D1 may not hold E."


def test_only_some_letters_go_on_marked_squares() -> None:
    dungeon = with_rules(MARKED, OnlyOn("~", "ST"))
    assert went(dungeon, "CART A1 across", "CARTS A1 across", "AS B1 down")
    assert refusal(dungeon, "CARE A1 across") == "D1 may hold only S or T."


def test_marked_squares_fall_in() -> None:
    dungeon = with_rules(MARKED, Collapsing("~", 1))
    assert went(dungeon, "CART A1 across")
    assert refusal(dungeon, "CAR A1 across", "CART A1 across") == "D1 fell in after turn 1."


def test_marked_squares_have_to_hold_letters_before_the_exit_opens() -> None:
    dungeon = with_rules(cavern(">  ~", "~ # ", "###<", turns=9), Lit("~"))
    assert refusal(dungeon, "CART A1 across", "TOE D1 down") == "The exit is shut: A2 has to hold a letter."
    assert went(dungeon, "HURT A1 across", "HA A1 down", "TOE D1 down")[-1].after.out


# What keeps the exit shut


def test_all_monsters_have_to_be_dead() -> None:
    dungeon = with_rules(cavern(">   ", "   #", "###<", monsters=DEN[:1]), AllMonsters())
    shut = open_conditions(dungeon, went(dungeon, "MI A1 across | IMP 2")[-1].after)
    assert shut == ("the IMP has to be dead",)
    assert open_conditions(dungeon, went(dungeon, "PRIM A1 across")[-1].after) == ()


def test_all_doors_have_to_stand_open() -> None:
    dungeon = with_rules(cavern(">1 ~", "% ##", "   <"), AllDoors())
    here = went(dungeon, "CAR A1 across")[-1].after
    assert open_conditions(dungeon, here) == ("the door at A2 has to stand open",)
    assert open_conditions(dungeon, went(dungeon, "CAR A1 across", "CAT A1 down")[-1].after) == ()


def test_all_chests_have_to_be_collected() -> None:
    dungeon = with_rules(cavern(">   ", "    ", "E  <"), AllChests())
    assert open_conditions(dungeon, went(dungeon, "CAR A1 across")[-1].after) == (
        "the chest at A3 has to be collected",
    )
    assert open_conditions(dungeon, went(dungeon, "CUE A1 down")[-1].after) == ()


def test_gems_count_only_with_letters_of_their_own() -> None:
    dungeon = with_rules(cavern(">* *", "    ", "   <"), Gems(2))
    shut = [
        open_conditions(dungeon, went(dungeon, turn)[-1].after)
        for turn in ("CAR A1 across", "HERE A1 across", "DEED A1 across")
    ]
    assert shut == [
        ("1 more gem needs a letter that no other gem has",),
        ("2 more gems need letters that no other gem has",),
        (),
    ]


def test_the_exit_opens_late() -> None:
    dungeon = with_rules(cavern(">  ", "   ", "  <"), NotBefore(3))
    assert refusal(dungeon, "CAT A1 across", "TOE C1 down") == "The exit is shut: it opens in turn 3."
    assert went(dungeon, "CAT A1 across", "AH B1 down", "TEE C1 down")[-1].after.out


def test_several_conditions_are_named_together() -> None:
    dungeon = with_rules(cavern(">  ", "   ", "E <"), NotBefore(3), AllChests())
    said = refusal(dungeon, "CAT A1 across", "TOE C1 down")
    assert said == "The exit is shut: it opens in turn 3 and the chest at A3 has to be collected."


# What is worth points


@pytest.mark.parametrize(
    ("rule", "turns", "points"),
    [
        (LongWords(5, 2), ("GRAPE A1 across", "GRAPES A1 across"), 2),
        (LongWords(3, 1), ("CAT A1 across", "TAR C1 down"), 2),
        (RareLetters("JQXZ", 3), ("JAZZ A1 across",), 6),
        (RareLetters("JQXZ", 3), ("CAT A1 across",), 0),
    ],
)
def test_a_rule_adds_points(rule: Bylaw, turns: tuple[str, ...], points: int) -> None:
    dungeon = with_rules(hall(), rule)
    assert tally(dungeon, went(dungeon, *turns)[-1].after).rules == points


def test_marked_squares_earn_and_cost_points_but_none_leaves_with_less_than_nothing() -> None:
    here = went(MARKED, "CART A1 across")[-1].after
    assert tally(with_rules(MARKED, Paved("~", 2)), here).rules == 2
    assert tally(with_rules(MARKED, Paved("~", -9)), here).rules == -9
    assert tally(with_rules(MARKED, Paved("~", -9)), here).base == 0


# Maps on which a rule makes no sense


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (FirstWord("cat"), "first_word: 'cat' is not made of the letters A to Z"),
        (FirstWord("A"), "first_word: 'A' is not made of the letters A to Z"),
        (FirstLength(40), "first_length: `least` is 40, and may be 3 to 12"),
        (BarredLetters(""), "barred_letters: letters are lacking"),
        (LetterLimit(0), "letter_limit: `most` is 0, and may be 1 to 99"),
        (LetterLimit(1, "e"), "letter_limit: 'e' is not made of the letters A to Z"),
        (BarredOn("~"), "barred_on: the map has no square marked '~'"),
        (OnlyOn("~", "A"), "only_on: the map has no square marked '~'"),
        (NewLetters(4, 2), "new_letters: no number is at least 4 and at most 2"),
        (WordLength(13), "word_length: `least` is 13, and may be 2 to 12"),
        (Collapsing("~", 2), "collapsing: the map has no square marked '~'"),
        (Lit("~"), "lit: the map has no square marked '~'"),
        (AllMonsters(), "all_monsters: there is no monster"),
        (AllDoors(), "all_doors: there is no door"),
        (AllChests(), "all_chests: there is no chest"),
        (Gems(1), "gems: there is no gem"),
        (NotBefore(1), "not_before: `turn` is 1, and may be 2 to 12"),
        (LongWords(5, 0), "long_words: 0 points are none"),
        (RareLetters("1", 2), "rare_letters: '1' is not made of the letters A to Z"),
        (Paved("~", 1), "paved: the map has no square marked '~'"),
    ],
)
def test_a_rule_refuses_a_map_on_which_it_makes_no_sense(rule: Bylaw, reason: str) -> None:
    with pytest.raises(BadDungeon) as caught:
        checked(with_rules(hall(), rule))
    assert caught.value.reason == reason
    assert caught.value.path == "$.rules[0]"


def test_a_dungeon_with_more_doors_than_keys_cannot_ask_for_all() -> None:
    with pytest.raises(BadDungeon, match="more doors than keys"):
        checked(with_rules(cavern(">1 %", "   %", "   <"), AllDoors()))


def test_a_rule_is_not_given_twice() -> None:
    with pytest.raises(BadDungeon, match="given twice"):
        checked(with_rules(hall(), OneWord(), OneWord()))
    assert ground_of(checked(with_rules(hall(), LetterLimit(1, "E"), LetterLimit(2, "A")))).longest == 12


def test_numbers_of_letters_are_told_with_their_least() -> None:
    assert NewLetters(2, 4).told() == "Each turn places 2 to 4 letters."
    assert NewLetters(1, 4).told() == "Each turn places at most 4 letters."
    assert NewLetters(1, 1).told() == "Each turn places exactly 1 letter."
    assert NewLetters(2).told() == "Each turn places at least 2 letters."
    assert WordLength(2, 5).told() == "Every word, crossing words too, has at most 5 letters."
    assert WordLength(3, 5).told() == "Every word, crossing words too, has 3 to 5 letters."


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (LetterLimit(1), "Used up: A, C, T."),
        (LetterLimit(1, "AE"), "Used up: A."),
        (LetterLimit(2), None),
        (NewInitials(), "Words begin with C already."),
        (Growing(), "The next word has at least 3 letters."),
        (Growing(strictly=True), "The next word has at least 4 letters."),
        (Chain(), "The next word begins with T."),
        (Alphabetical(), "The next word comes after CAT in the alphabet."),
        (TakingTurns(), "The next word goes down."),
        (OneWord(), None),
    ],
)
def test_a_rule_with_a_memory_says_what_it_has_come_to(rule: Bylaw, said: str | None) -> None:
    (turn,) = went(with_rules(hall(), rule), "CAT A1 across")
    assert rule.standing(turn.before) is None
    assert rule.standing(turn.after) == said
