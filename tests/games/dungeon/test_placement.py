"""What may not be laid, and why."""

import pytest

from bot.games.dungeon.bylaws import AllMonsters
from bot.games.dungeon.ground import Key, Monster, Position
from bot.games.dungeon.placement import (
    _begin_alike,
    check,
    ground_of,
    places,
    position,
    read,
    strike_choices,
    written,
)
from bot.games.dungeon.state import Place, Scoring
from bot.games.game import IllegalMove, Words
from bot.words.inflection import PLURAL
from tests.games.dungeon.maps import DEN, LEXICON, cavern, hall, placed, refusal, went, words

CAVE = cavern(">   #", "  # #", "#   <", "#    ")


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (("CAVES A1 across",), "CAVES would run into the rock at E1."),
        (("CAT A5 across",), "That square is not on this map."),
        (("CARE A1 down",), "CARE would run into the rock at A3."),
        (("CATTLED A1 across",), "No word in this dungeon has more than 5 letters."),
        (("AX A1 across", "AXE A1 down"), "AXE would run into the rock at A3."),
        (("IT B1 across",), "The first word passes through the start at A1."),
        (("CAR A1 across", "AT D3 down"), "AT would share or touch no letter of your words."),
        (("CAR A1 across", "CARD A2 across"), "CARD would run into the rock at C2."),
        (("CAR A1 across", "CAR A1 across"), "CAR places no new letter."),
        (("CAR A1 across", "BAR A1 across"), "A1 holds C; it cannot become B."),
        (("CA A1 across",), "CA is not in the dictionary."),
        (("AT A1 across", "TAR A1 across"), "A1 holds A; it cannot become T."),
        (("C A1 across",), "A word has two letters or more."),
    ],
)
def test_a_word_that_does_not_fit_is_refused_with_the_reason(turns: tuple[str, ...], said: str) -> None:
    assert refusal(CAVE, *turns) == said


def test_a_word_that_would_leave_the_map_is_refused() -> None:
    assert refusal(hall(), "CART A1 down", "TRESSES L4 across") == "TRESSES from L4 would leave the map."
    assert refusal(hall(), "CART A1 down", "TOO A13 across") == "That square is not on this map."


def test_a_word_that_would_run_on_is_refused_with_what_it_would_read() -> None:
    said = refusal(hall(), "CAR A1 across", "DO D1 across")
    assert said == "DO would run on into the letters beside it and read CARDO."


def test_letters_apart_have_no_word_between_them() -> None:
    # A word is typed whole, so letters apart could only be named as one word over what lies between.
    assert refusal(hall(), "CAR A1 down", "OCHRE A2 across") == "A2 holds A; it cannot become O."
    assert (
        refusal(hall(), "CAR A1 down", "AT C2 across") == "AT would share or touch no letter of your words."
    )


def test_all_words_that_a_turn_forms_have_to_be_legal() -> None:
    assert refusal(hall(), "CAR A1 across", "BAN A2 across") == "CB and RN are not in the dictionary."
    assert refusal(hall(), "CAR A1 across", "OX C2 across") == "RO is not in the dictionary."


def test_no_word_is_used_twice_also_as_a_crossing_word() -> None:
    assert refusal(hall(), "AT A1 across", "AT A1 down") == "AT has been used already."
    assert refusal(hall(), "AS A1 across", "SAT B1 down", "SO C2 down") == "AS has been used already."


def test_one_turn_may_not_form_a_word_twice() -> None:
    assert refusal(hall(), "TUT A1 across", "OHO A2 across") == "TO would stand there twice."


def test_no_plural_stands_beside_its_singular() -> None:
    said = refusal(hall(), "CAT A1 across", "TACTIC C1 down", "CATS C3 across")
    assert said == "CATS and CAT are singular and plural, and would both stand."


def test_an_odd_plural_is_known_too() -> None:
    said = refusal(hall(), "MAN A1 across", "NAME C1 down", "MEN C3 across")
    assert said == "MEN and MAN are singular and plural, and would both stand."


def test_a_word_may_grow_into_its_plural() -> None:
    *_, grown = went(hall(), "LESSON A1 across", "LESSONS A1 across")
    assert placed(grown) == "S"
    assert [run.word for run in grown.after.words] == ["LESSONS"]


def test_words_touch_sideways_as_well_as_share() -> None:
    *_, deed = went(hall(), "AT A1 across", "HE A2 across")
    assert words(deed) == ("HE", "AH", "TE")
    assert placed(deed) == "HE"


def test_corners_do_not_touch() -> None:
    assert (
        refusal(hall(), "CAT A1 across", "OR D2 down") == "OR would share or touch no letter of your words."
    )


# Chests


def test_an_open_chests_letter_joins_nothing() -> None:
    dungeon = cavern(">    ", "     ", "   E ", "    <")
    assert (
        refusal(dungeon, "CAT A1 across", "ME C3 across")
        == "ME would share or touch no letter of your words."
    )


def test_a_chests_letter_that_was_collected_joins() -> None:
    dungeon = cavern(">    ", "  O  ", "     ", "    <")
    cat, ox = went(dungeon, "CAT A1 across", "OX C2 across")
    assert words(cat) == ("CAT", "TO")
    assert cat.after.chests == {(1, 2)}
    assert placed(ox) == "X"
    assert ox.chests == ()


# Doors

VAULT = cavern(">1 % <", "######", "  1   ")


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (("MODEL A1 across",), "The door at D1 opens to a key’s letter (O), not to E."),
        (("SHEET A1 across",), "The door at D1 opens to a key’s letter (H), not to E."),
    ],
)
def test_a_door_opens_to_the_letter_of_a_key_alone(turns: tuple[str, ...], said: str) -> None:
    assert refusal(VAULT, *turns) == said


def test_a_door_without_a_key_is_locked() -> None:
    dungeon = cavern(">  % <", " #### ", "1     ")
    said = refusal(dungeon, "CARE A1 across")
    assert said == "The door at D1 is locked, and you have no key left for it."


def test_a_key_opens_one_door_only() -> None:
    dungeon = cavern(">1 % %<", "#######", "#######")
    said = refusal(dungeon, "ASKS A1 across", "ASKSAS A1 across")
    assert said == "The door at F1 is locked, and you have no key left for it."


def test_of_two_keys_with_one_letter_the_one_collected_first_is_used() -> None:
    dungeon = cavern(">1  1 ", "#####%", "#####%", "#####<")
    teases, sea = went(dungeon, "TEASES A1 across", "SEE F1 down")
    assert teases.after.keys == (Key((0, 1), "E"), Key((0, 4), "E"))
    assert sea.after.keys == (Key((0, 1), "E", (1, 5)), Key((0, 4), "E", (2, 5)))
    assert sea.doors == ((1, 5), (2, 5))


# Strikes


def test_strikes_worth_most_coins_come_first_then_most_letters() -> None:
    den = (Monster("AB", 1), Monster("AC", 3), Monster("ADD", 9))
    here = Position.first(ground_of(hall(monsters=den)))
    assert strike_choices(here, "ABC") == ((0, 2, 0),)
    assert strike_choices(here, "AABC") == ((2, 2, 0),)
    assert strike_choices(here, "A") == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert strike_choices(here, "XYZ") == ((0, 0, 0),)


def test_the_order_of_the_letters_placed_does_not_matter() -> None:
    here = Position.first(ground_of(hall(monsters=(Monster("GIANT", 3),))))
    assert strike_choices(here, "TNAIG") == ((5,),)
    assert strike_choices(here, "IANT") == ((0,),)


def test_only_letters_placed_this_turn_strike() -> None:
    den = hall(monsters=(Monster("OGRE", 2),))
    first, second = went(den, "GO A1 across", "GRUB A1 down")
    assert first.struck == (2,)
    assert second.struck == (1,)  # its G was there already


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ("GOING A1 across | GIANT 3", "A is struck more often than it was placed this turn."),
        ("GOING A1 across | IMP 1, GIANT 2", "I is struck more often than it was placed this turn."),
        ("GOING A1 across | IMP 4", "The IMP has 3 letters left to strike."),
    ],
)
def test_strikes_that_the_letters_do_not_allow_are_refused(turn: str, said: str) -> None:
    assert refusal(hall(monsters=DEN), turn) == said


def test_strikes_have_a_number_for_each_monster() -> None:
    here = Position.first(ground_of(hall(monsters=DEN)))
    with pytest.raises(IllegalMove, match="one number for each of the 5 monsters"):
        check(hall(monsters=DEN), here, Place("GO", 0, 0, True, (1,)), LEXICON)
    with pytest.raises(IllegalMove, match="no monster here"):
        check(hall(), Position.first(ground_of(hall())), Place("GO", 0, 0, True, (1,)), LEXICON)


def test_strikes_may_be_chosen_that_the_rules_would_not_propose() -> None:
    (deed,) = went(hall(monsters=DEN), "GOING A1 across | IMP 1")
    assert deed.struck == (1, 0, 0, 0, 0)


def test_a_tie_names_its_choices_in_words() -> None:
    said = refusal(hall(monsters=DEN), "GOING A1 across")
    assert said == "GOING can strike in 2 ways: IMP 1, GIANT 1, OGRE 2 or GIANT 2, OGRE 2. Choose one."


# The exit and the limit


def test_the_turn_that_fills_the_exit_leaves() -> None:
    dungeon = cavern(">  ", "## ", "##<")
    *_, deed = went(dungeon, "CAT A1 across", "TOE C1 down")
    assert deed.after.out
    assert refusal(dungeon, "CAT A1 across", "TOE C1 down", "CATS A1 across") == "You have left the dungeon."


def test_the_last_turn_has_to_leave() -> None:
    dungeon = cavern(">  ", "   ", "  <", turns=2)
    assert (
        refusal(dungeon, "CAT A1 across", "AH B1 down")
        == "This is the last of 2 turns, and AH would not leave."
    )
    assert went(dungeon, "CAT A1 across", "TOE C1 down")[-1].after.out


# Places that fit


def test_places_are_all_that_the_rules_allow() -> None:
    dungeon = cavern(">   ", "    ", "    ", "   <")
    here = went(dungeon, "CAT A1 across")[-1].after
    found = places(dungeon, here, "TOE", LEXICON)
    assert Place("TOE", 0, 2, False) in found
    for place in found:
        check(dungeon, here, place, LEXICON)
    every = {
        Place("TOE", row, col, across) for row in range(4) for col in range(4) for across in (True, False)
    }
    for place in every - set(found):
        with pytest.raises(IllegalMove):
            check(dungeon, here, place, LEXICON)


def test_no_place_is_offered_for_what_is_no_word_or_used() -> None:
    dungeon = hall()
    here = went(dungeon, "CAT A1 across")[-1].after
    assert places(dungeon, here, "CAT", LEXICON) == ()
    assert places(dungeon, here, "XQX", LEXICON) == ()
    assert places(dungeon, here, "A B", LEXICON) == ()


def test_a_place_whose_strikes_are_a_choice_fits() -> None:
    dungeon = hall(monsters=DEN)
    assert Place("GOING", 0, 0, True) in places(dungeon, position(dungeon), "GOING", LEXICON)


# Text


@pytest.mark.parametrize("text", ["HELPER D3 across", "GO A10 down", "GOING A1 across | GIANT 2, OGRE 2"])
def test_a_turn_is_read_as_it_is_written(text: str) -> None:
    dungeon = hall(monsters=DEN)
    assert written(dungeon, read(dungeon, text)) == text


@pytest.mark.parametrize(
    "text", ["", "HELPER", "HELPER D3", "helper D3 across", "GO A1 across | ORC 1", "GO A1 up"]
)
def test_what_is_no_turn_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"turn|monster"):
        read(hall(monsters=DEN), text)


# Words on record


def test_questions_about_number_are_asked_once_and_recorded() -> None:
    asked = Words(LEXICON)
    here = went(hall(), "CAT A1 across", "TACTIC C1 down")[-1].after
    with pytest.raises(IllegalMove, match="singular and plural"):
        check(hall(), here, Place("CATS", 2, 2, True), asked)
    assert asked.asked["CAT|CATS"] is True
    again = Words(LEXICON, {"CAT|CATS": False})
    assert not again.number_pair("CATS", "CAT")


def test_hardly_a_plural_begins_with_another_letter_than_its_singular() -> None:
    # What asking only for words with one first letter overlooks. If these become many, ask for all.
    forms = LEXICON.families._forms
    lemmas, kinds = forms._columns
    plural = (kinds & PLURAL) > 0
    pairs = [
        (LEXICON.words[int(form)], LEXICON.words[int(lemma)])
        for form, lemma in zip(forms._keys[plural], lemmas[plural], strict=True)
    ]
    assert len(pairs) > 50_000
    assert sum(form[0] != lemma[0] for form, lemma in pairs) <= 12


def test_hardly_a_spelling_begins_otherwise_than_those_that_are_asked_for() -> None:
    apart = [
        (word, other)
        for word in LEXICON.words
        for other in LEXICON.families.spellings(word)
        if not _begin_alike(word, other)
    ]
    assert len(apart) <= 8


def test_a_door_counts_no_points_unless_the_dungeon_says_so() -> None:
    dungeon = cavern(">1.%.<", "######", "######", scoring=Scoring(key=1))
    (deed,) = went(dungeon, "ASKS A1 across")
    assert deed.after.opened == ((0, 3),)


# Spellings


def test_a_word_in_another_spelling_has_been_used() -> None:
    said = "FAVOUR and FAVOR are one word in two spellings, and a word counts once."
    assert refusal(hall(), "FAVOR A1 across", "ROOF E1 down", "FAVOUR E4 across") == said
    assert went(hall(), "FAVOR A1 across", "ROOF E1 down", "FAVORED E4 across")


def test_spellings_that_begin_apart_are_one_word_too() -> None:
    said = "KERB and CURB are one word in two spellings, and a word counts once."
    assert refusal(hall(), "CURB A1 across", "BARK D1 down", "KERB D4 across") == said


def test_what_was_asked_about_spellings_is_on_record() -> None:
    words = Words(LEXICON)
    here = went(hall(), "CURB A1 across", "BARK D1 down")[-1].after
    with pytest.raises(IllegalMove, match="two spellings"):
        check(hall(), here, read(hall(), "KERB D4 across"), words)
    assert words.asked["CURB=KERB"] is True
    again = Words(LEXICON, {**words.asked, "CURB=KERB": False})
    assert check(hall(), here, read(hall(), "KERB D4 across"), again).after.turns == 3


# The last turn, and strikes


def test_a_last_word_that_would_not_leave_is_refused_before_anybody_is_asked_whom_it_strikes() -> None:
    dungeon = hall(turns=1, monsters=(Monster("IMP", 2), Monster("INK", 2)))
    here = Position.first(ground_of(dungeon))
    said = "This is the last of 1 turns, and PIT would not leave."
    assert refusal(dungeon, "PIT A1 across") == said
    assert places(dungeon, here, "PIT", LEXICON) == ()


def test_a_word_that_no_strikes_would_let_out_is_refused_before_anybody_is_asked_whom_it_strikes() -> None:
    dungeon = cavern(
        ">.<", "...", "...", rules=(AllMonsters(),), monsters=(Monster("IMP", 2), Monster("INK", 2))
    )
    assert refusal(dungeon, "PIT A1 across") == "The exit is shut: the IMP has to be dead."
