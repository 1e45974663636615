"""Every example of the rulebook, as exact turns on maps that the pictures suggest."""

import pytest

from bot.games.dungeon.ground import Deed, Key
from bot.games.dungeon.placement import StrikesTied, check, describe_strikes, read, strike_choices
from bot.games.dungeon.scoring import tally
from bot.games.dungeon.state import Scoring
from tests.games.dungeon.maps import DEN, LEXICON, cavern, hall, placed, refusal, went, words

# Word placement

PATH = cavern(
    "##    ####",
    ">       ##",
    "   ##   ##",
    "  ###     ",
    "########<#",
)
PATH_TURNS = ("HAT A2 down", "HELPER A2 across", "TRAP F1 down", "PLAY F4 across", "ALE C1 down")


def test_hat_helper_trap_play_and_ale_follow_each_other() -> None:
    deeds = went(PATH, *PATH_TURNS)
    assert [placed(deed) for deed in deeds] == ["HAT", "ELPER", "TAP", "LAY", "AE"]
    assert [words(deed) for deed in deeds] == [("HAT",), ("HELPER",), ("TRAP",), ("PLAY",), ("ALE",)]


def test_the_play_of_the_example_fits_only_with_its_p_on_the_p_of_trap() -> None:
    assert refusal(PATH, *PATH_TURNS[:3], "PLAY E4 across") == "PLAY would run into the rock at E4."
    assert "run on into the letters beside it" in refusal(PATH, *PATH_TURNS[:3], "PLAY G4 across")
    assert placed(went(PATH, *PATH_TURNS[:4])[3]) == "LAY"


GARDEN = cavern(
    "      ##",
    ">       ",
    "        ",
    "        ",
    "       <",
)
GARDEN_TURNS = ("PLAY A2 across", "ALE B1 down", "TAMED C1 down")


def test_tamed_forms_at_and_em_as_well() -> None:
    *_, tamed = went(GARDEN, *GARDEN_TURNS)
    assert placed(tamed) == "TMED"
    assert words(tamed) == ("TAMED", "AT", "EM")


def test_same_grows_play_into_plays() -> None:
    *_, same = went(GARDEN, *GARDEN_TURNS, "SAME E2 down")
    assert placed(same) == "SAME"
    assert words(same) == ("SAME", "PLAYS")
    assert "PLAY" not in {run.word for run in same.after.words}
    assert {"PLAY", "PLAYS"} <= same.after.used


def test_play_may_not_be_laid_again_once_it_has_grown() -> None:
    said = refusal(hall(), "PLAY A1 across", "SAME E1 down", "ELAPSE E4 across", "PLAY H4 down")
    assert said == "PLAY has been used already."


# Treasure chests

ATTIC = cavern(
    "##    ##",
    "##     #",
    ">   T  #",
    "##E    #",
    "##     <",
    scoring=Scoring(chest=2),
)
ATTIC_TURNS = ("AT A3 across", "GREEN C1 down", "EGO C4 across", "GIFT C1 across")


def test_green_collects_the_e_and_ego_the_t() -> None:
    at, green, ego, gift = went(ATTIC, *ATTIC_TURNS)
    assert [placed(deed) for deed in (at, green, ego, gift)] == ["AT", "GREN", "GO", "IFT"]
    assert [words(deed) for deed in (at, green, ego, gift)] == [
        ("AT",),
        ("GREEN", "ATE"),
        ("EGO", "TO"),
        ("GIFT",),
    ]
    assert [deed.chests for deed in (at, green, ego, gift)] == [(), ((3, 2),), ((2, 4),), ()]
    assert [tally(ATTIC, deed.after).chests for deed in (at, green, ego, gift)] == [0, 2, 4, 4]


# Gemstones

GALLERY = cavern(
    ">       ",
    "#*##*###",
    "# ## ###",
    "# ##*###",
    "#      <",
    scoring=Scoring(gem=2),
)
GALLERY_TURNS = ("SPOIL A1 across", "LIFT E1 down", "POEMS B1 down")


def test_lift_and_poems_put_three_letters_into_three_gems() -> None:
    spoil, lift, poems = went(GALLERY, *GALLERY_TURNS)
    assert [placed(deed) for deed in (spoil, lift, poems)] == ["SPOIL", "IFT", "OEMS"]
    assert spoil.after.gems == {}
    assert lift.after.gems == {(1, 4): "I", (3, 4): "T"}
    assert poems.after.gems == {(1, 1): "O", (1, 4): "I", (3, 4): "T"}
    assert [tally(GALLERY, deed.after).gems for deed in (spoil, lift, poems)] == [0, 4, 6]


def test_two_gems_with_one_letter_are_both_worth_nothing() -> None:
    *_, last = went(GALLERY, "SPOIL A1 across", "LIFT E1 down", "PINES B1 down")
    assert last.after.gems == {(3, 4): "T"}


# Doors

VAULT = cavern(
    "1#####  ",
    ".#####  ",
    "> .%.. <",
    ".#####  ",
    scoring=Scoring(door=3),
)
VAULT_TURNS = ("SALT A1 down", "LESSON A3 across", "FAST G1 down")


def test_salt_takes_the_key_lesson_opens_the_door_and_grows_into_lessons() -> None:
    salt, lesson, fast = went(VAULT, *VAULT_TURNS)
    assert [placed(deed) for deed in (salt, lesson, fast)] == ["SALT", "ESSON", "FAST"]
    assert salt.keys == (Key((0, 0), "S"),)
    assert salt.after.held == ("S",)
    assert lesson.doors == ((2, 3),)
    assert lesson.after.keys == (Key((0, 0), "S", (2, 3)),)
    assert lesson.after.held == ()
    assert words(fast) == ("FAST", "LESSONS")
    assert [tally(VAULT, deed.after).doors for deed in (salt, lesson, fast)] == [0, 3, 3]


def test_a_key_may_be_used_in_the_turn_that_collects_it() -> None:
    corridor = cavern(">1.%.<", "######", "......")
    (stems,) = went(corridor, "ASKS A1 across")
    assert stems.after.keys == (Key((0, 1), "S", (0, 3)),)


# Monsters

CAVE = hall(monsters=DEN)
CAVE_TURNS = (
    "GOING A1 across | GIANT 2, OGRE 2",
    "GRUNT E1 down | TROLL 2",
    "TAINT E5 across",
    "RENT H3 down",
)


def test_the_monsters_are_struck_and_killed_as_printed() -> None:
    going, grunt, taint, rent = went(CAVE, *CAVE_TURNS)
    assert [placed(deed) for deed in (going, grunt, taint, rent)] == ["GOING", "RUNT", "AINT", "RET"]
    #                                             IMP GIANT OGRE TROLL DRAGON
    assert [deed.struck for deed in (going, grunt, taint, rent)] == [
        (0, 2, 2, 0, 0),
        (0, 0, 0, 2, 0),
        (1, 3, 0, 0, 0),
        (0, 0, 2, 0, 0),
    ]
    assert [deed.killed for deed in (going, grunt, taint, rent)] == [(), (), (1,), (2,)]
    assert [tally(CAVE, deed.after).monsters for deed in (going, grunt, taint, rent)] == [0, 0, 3, 5]


def test_what_the_printed_strikes_chose_among_is_asked() -> None:
    going, grunt, *_ = went(CAVE, *CAVE_TURNS)
    for before, turn, chosen in (
        (going.before, "GOING A1 across", (0, 2, 2, 0, 0)),
        (grunt.before, "GRUNT E1 down", (0, 0, 0, 2, 0)),
    ):
        with pytest.raises(StrikesTied) as tie:
            check(CAVE, before, read(CAVE, turn), LEXICON)
        assert len(tie.value.choices) == 2
        assert chosen in tie.value.choices


def test_the_strikes_of_taint_and_rent_need_no_asking() -> None:
    _, _, taint, rent = went(CAVE, *CAVE_TURNS)
    assert strike_choices(taint.before, "AINT") == ((1, 3, 0, 0, 0),)
    assert strike_choices(rent.before, "RET") == ((0, 0, 2, 0, 0),)
    assert describe_strikes(taint.before, (1, 3, 0, 0, 0)) == "IMP 1, GIANT 3"


@pytest.mark.parametrize("word", ["IMP", "LIMP", "DIMPLE"])
def test_no_monsters_name_may_be_written_or_hidden_in_a_word(word: str) -> None:
    said = refusal(CAVE, f"{word} A1 across")
    assert said.startswith("Nobody may write IMP here")


def test_a_dead_monsters_name_stays_barred() -> None:
    den = hall(monsters=DEN[:1])
    turns = ("MICROCOSM A1 across", "MAPS I1 down")
    *_, last = went(den, *turns)
    assert deeds_struck(went(den, *turns)) == ((2,), (1,))
    assert last.after.dead == (0,)
    assert refusal(den, *turns, "CHIMPS D4 across") == "Nobody may write IMP here, which hides in CHIMPS."


def deeds_struck(deeds: tuple[Deed, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(deed.struck for deed in deeds)
