"""Where letters may be laid, what the words are worth, and what a player is told when they do not fit.

HQ day and East day, joined at HQ's east edge:

      A B C D E F G H I J K L M N O P Q R
    1 . . . . . . . . . . ? # # . . . . .
    2 . . . ? . . . . . . . . . . . . . .
    3 . . # # . # # . . . . # # . # # . .
    4 . . # # . # # . . . . # # . . . . .
    5 . . . . @ . . . . . . . . . . . . .
    6 . . . . . . . . ? . . . . . . . ? .
    7 . . . . . . . . . ? . . . . # # . .
    8 . . . . . . . . . . . . . . . . . .
    9 . ? . . . # # . . . . . . . . . . .
"""

import pytest
from msgspec.structs import replace

from bot.games.crossword import square_name
from bot.games.defenders.placement import (
    after,
    changed_words,
    check,
    collectable,
    complete,
    formed,
    lay,
    overflow,
    reachable,
    warnings,
)
from bot.games.defenders.state import (
    VALUES,
    VILLAIN,
    Collected,
    Concede,
    Formed,
    Goal,
    NoWord,
    Placed,
    Play,
    Poi,
    Public,
    Recasted,
)
from bot.games.game import IllegalMove
from tests.games.defenders.tables import at_word, letters, tiles


def table(commons: str = "", *words: tuple[str, int, int, bool], **changes: object) -> Public:
    return at_word(commons=commons, laid=letters(*words), **changes).public


def refusal(public: Public, play: Play) -> str:
    with pytest.raises(IllegalMove) as caught:
        check(public, play)
    return str(caught.value)


def test_the_board_in_the_docstring_is_the_board() -> None:
    public = at_word().public
    marks = {(poi.row, poi.col): "?" for poi in public.pois} | {public.city.start: "@"}
    drawn = [
        " ".join(marks.get((r, c), mark) for c, mark in enumerate(row))
        for r, row in enumerate(public.city.rows)
    ]
    assert __doc__ is not None
    assert [line.strip().split(" ", 1)[1] for line in __doc__.splitlines()[-9:]] == drawn


# What words are worth


def test_cad_as_the_first_word_is_six_points() -> None:
    public = table("CD", villain="A")
    play = Play("CAD", 4, 3, True, villain=1)
    assert formed(public, play) == (Formed("CAD", 4, 3, True, 6),)
    assert after(public, play).vp == 6


def test_q_is_worth_eleven() -> None:
    assert VALUES["Q"] == 11
    public = table("UIZ", villain="Q")
    assert after(public, Play("QUIZ", 4, 3, True, villain=0)).vp == 11 + 1 + 1 + 10


def test_every_letter_of_an_extended_word_scores_again() -> None:
    public = table("S", ("CAD", 4, 3, True))
    assert formed(public, Play("CADS", 4, 3, True)) == (Formed("CADS", 4, 3, True, 7),)


def test_a_word_beside_another_scores_every_word_that_it_makes() -> None:
    public = table("ON", ("CAD", 4, 3, True))
    words = formed(public, Play("ON", 5, 4, True))
    assert words == (
        Formed("ON", 5, 4, True, 2),
        Formed("AO", 4, 4, False, 2),
        Formed("DN", 4, 5, False, 3),
    )


def test_a_word_across_another_uses_its_letter_without_scoring_the_other() -> None:
    public = table("ET", ("CAD", 4, 3, True))
    assert formed(public, Play("EAT", 3, 4, False)) == (Formed("EAT", 3, 4, False, 3),)


def test_one_letter_may_extend_a_word_both_ways() -> None:
    public = table("S", ("CAD", 4, 3, True), ("DOG", 5, 6, True))
    words = formed(public, Play("CADS", 4, 3, True))
    assert [(word.word, word.vp) for word in words] == [("CADS", 7), ("SD", 3)]


def test_a_wildcard_is_worth_nothing_in_any_word() -> None:
    public = table("CA*")
    assert formed(public, Play("CAD", 4, 3, True, wild=(2,)))[0].vp == 4
    later = replace(after(public, Play("CAD", 4, 3, True, wild=(2,))), contributed=tiles("S"))
    assert formed(later, Play("CADS", 4, 3, True))[0].vp == 5


def test_points_are_added_to_the_track() -> None:
    assert after(table("CAD", vp=10), Play("CAD", 4, 3, True)).vp == 16


# What is laid


def test_laid_letters_remember_their_tile_owner_and_round() -> None:
    public = at_word(contributed=tiles("A", 2), storage=tiles("C", 1), villain="D", round=7).public
    laid = after(public, Play("CAD", 4, 3, True, villain=2)).laid
    assert [(tile.letter, tile.owner, tile.round) for tile in laid] == [
        ("C", 1, 7),
        ("A", 2, 7),
        ("D", VILLAIN, 7),
    ]


def test_what_is_laid_leaves_the_commons_board() -> None:
    public = table("CAADX", villain="S", storage=tiles("D"))
    left = after(public, Play("CADS", 4, 3, True, villain=3))
    assert (left.storage, left.contributed, left.villain) == ((), tiles("ADX"), None)


def test_a_poi_is_collected_by_the_letter_on_it() -> None:
    left, told = lay(table("S", ("CAD", 5, 5, True)), Play("CADS", 5, 5, True))
    assert told[-1] == Collected(5, 8, 0)
    assert left.collected == (0,)
    assert Poi(5, 8, 0) not in left.pois
    assert len(left.pois) == 5


def test_words_may_run_over_two_maps() -> None:
    public = table("EAM", ("STR", 4, 6, True))
    assert formed(public, Play("STREAM", 4, 6, True))[0].word == "STREAM"


def test_several_numbered_poi_under_one_word_are_collected_in_ascending_order() -> None:
    goal = Goal("intermediate", 1, 4, 70)
    pois = (Poi(4, 4, 5), Poi(4, 6, 2), Poi(0, 0, 1))
    public = table("CARES", goal=goal, pois=pois)
    left, told = lay(public, Play("CARES", 4, 3, True))
    assert left.collected == (2, 5)
    assert [event for event in told if isinstance(event, Collected)] == [
        Collected(4, 6, 2),
        Collected(4, 4, 5),
    ]
    assert left.pois == (Poi(0, 0, 1),)


# Numbered POI: the rulebook's example


def test_after_two_and_five_only_six_may_be_collected() -> None:
    goal = Goal("intermediate", 1, 4, 70)
    pois = tuple(Poi(4, 6 + at, number) for at, number in enumerate((1, 3, 4, 6)))
    public = table("S", ("CAD", 4, 3, True), goal=goal, pois=pois, collected=(2, 5))
    assert [poi.number for poi in collectable(public)] == [6]
    assert not reachable(public)
    assert reachable(replace(public, goal=replace(goal, poi=3)))
    for col, number in ((6, 1), (7, 3), (8, 4)):
        closed = replace(public, laid=letters(("CAD", 4, col - 3, True)))
        assert refusal(closed, Play("CADS", 4, col - 3, True)) == (
            f"{square_name((4, col))} is closed: point of interest {number} cannot be collected"
            " after point of interest 5."
        )
    open_ = replace(public, laid=letters(("CAD", 4, 6, True)))
    assert after(open_, Play("CADS", 4, 6, True)).collected == (2, 5, 6)


def test_question_marks_are_collected_in_any_order() -> None:
    public = table("S", ("CAD", 4, 3, True), pois=(Poi(4, 6, 0), Poi(0, 0, 0)), collected=(0, 0))
    assert after(public, Play("CADS", 4, 3, True)).collected == (0, 0, 0)
    assert len(collectable(public)) == 2


# Refusals


@pytest.mark.parametrize(
    ("public", "play", "sentence"),
    [
        (table("CAD"), Play("CÄD", 4, 3, True), "A word is made of the letters A to Z only."),
        (table("CAD"), Play("cad", 4, 3, True), "A word is made of the letters A to Z only."),
        (table("A"), Play("A", 4, 4, True), "A word has two letters or more."),
        (table("A"), Play("", 4, 4, True), "A word has two letters or more."),
        (table("A"), Play("A" * 19, 4, 0, True), "No word on this map has more than 18 letters."),
        (table("CAD"), Play("CAD", 9, 3, True), "That square is not on this map."),
        (table("CAD"), Play("CAD", -1, 3, False), "That square is not on this map."),
        (table("CAD"), Play("CAD", 4, 16, True), "CAD from Q5 would leave the map."),
        (table("CAD"), Play("CAD", 7, 4, False), "CAD from E8 would leave the map."),
        (table("CAD"), Play("CAD", 2, 4, True), "CAD would cover the building at F3."),
        (
            table("O", ("CAD", 4, 3, True)),
            Play("COD", 4, 3, True),
            "E5 already holds A; it cannot become O.",
        ),
        (
            table("R", ("CAD", 4, 3, True)),
            Play("CARD", 4, 3, True),
            "F5 already holds D; it cannot become R.",
        ),
        (
            table("S", ("CAR", 4, 3, True)),
            Play("AS", 4, 6, True),
            "AS would run on into the letters beside it and read CARAS.",
        ),
        (
            table("S", ("CAR", 4, 3, True)),
            Play("SC", 4, 2, True),
            "SC would run on into the letters beside it and read SCAR.",
        ),
        (table("S", ("CAD", 4, 3, True)), Play("CAD", 4, 3, True), "CAD adds no new letter to the map."),
        (table("CAD"), Play("CAD", 5, 3, True), "The first word must cover the start at E5."),
        (
            table("CARAMEL"),
            Play("CARAMEL", 4, 3, True),
            "The first word must lie entirely on Headquarters by day.",
        ),
        (
            table("ON", ("CAD", 4, 3, True)),
            Play("ON", 6, 6, True),
            "ON would not join any letter on the map.",
        ),
        (table("CA"), Play("CAD", 4, 3, True), "The letters on the table lack D."),
        (table("C"), Play("CAD", 4, 3, True), "The letters on the table lack A and D."),
        (table("SN"), Play("SEEN", 4, 3, True), "The letters on the table lack E and E."),
        (table(""), Play("CAD", 4, 3, True), "The letters on the table lack A, C and D."),
        (
            table("CA", villain="D"),
            Play("CAD", 4, 3, True),
            "CAD takes the villain letter; say which D of the word it is.",
        ),
        (table("C", villain="D"), Play("CAD", 4, 3, True), "The letters on the table lack A."),
        (table("SN", villain="E"), Play("SEEN", 4, 3, True), "The letters on the table lack E."),
        (table("SN", villain="E"), Play("SEEN", 4, 3, True, villain=1), "The letters on the table lack E."),
        (
            table("CAD*"),
            Play("CAD", 4, 3, True, wild=(3,)),
            "A wildcard can only be laid as one new letter of the word.",
        ),
        (
            table("CAD**"),
            Play("CAD", 4, 3, True, wild=(1, 1)),
            "A wildcard can only be laid as one new letter of the word.",
        ),
        (
            table("S*", ("CAD", 4, 3, True)),
            Play("CADS", 4, 3, True, wild=(0,)),
            "A wildcard can only be laid as one new letter of the word.",
        ),
        (
            table("CA*", villain="D"),
            Play("CAD", 4, 3, True, wild=(2,), villain=2),
            "A wildcard can only be laid as one new letter of the word.",
        ),
        (
            table("CA"),
            Play("CAD", 4, 3, True, wild=(2,)),
            "There are no wildcards on the table, and CAD would take 1.",
        ),
        (
            table("C*"),
            Play("CAD", 4, 3, True, wild=(1, 2)),
            "There is 1 wildcard on the table, and CAD would take 2.",
        ),
        (table("CAD"), Play("CAD", 4, 3, True, villain=0), "There is no villain letter on the table."),
        (
            table("CAD", villain="Q"),
            Play("CAD", 4, 3, True, villain=0),
            "The villain letter Q can only be laid as a new Q.",
        ),
        (
            table("S", ("CAD", 4, 3, True), villain="C"),
            Play("CADS", 4, 3, True, villain=0),
            "The villain letter C can only be laid as a new C.",
        ),
        (
            table("CAD", villain="Q"),
            Play("CAD", 4, 3, True, villain=9),
            "The villain letter Q can only be laid as a new Q.",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(public: Public, play: Play, sentence: str) -> None:
    assert refusal(public, play) == sentence


# Wildcards on the map


def test_a_word_that_reads_a_wildcard_anew_redeclares_it() -> None:
    public = table("OE", ("CAd", 4, 3, True))
    left, told = lay(public, Play("TOE", 4, 5, False))
    assert told[0] == Recasted(((4, 5, "T"),))
    assert isinstance(told[1], Placed)
    assert {(tile.row, tile.col): tile.letter for tile in left.laid}[4, 5] == "T"
    assert left.vp == 0 + 1 + 1


def test_the_word_across_a_redeclared_wildcard_reads_anew_but_scores_nothing() -> None:
    public = table("OE", ("CAd", 4, 3, True))
    play = Play("TOE", 4, 5, False)
    assert [word.word for word in formed(public, play)] == ["TOE"]
    assert changed_words(public, play) == ("TOE", "CAT")


# Tiles chosen for the player


def test_the_villain_letter_is_laid_first() -> None:
    assert complete(table("CAD", villain="D"), "cad", 4, 3, True) == Play("CAD", 4, 3, True, villain=2)


def test_a_wildcard_is_laid_only_for_what_is_lacking() -> None:
    assert complete(table("CD*"), "CAD", 4, 3, True) == Play("CAD", 4, 3, True, wild=(1,))
    assert complete(table("CAD*"), "CAD", 4, 3, True) == Play("CAD", 4, 3, True)


def test_an_asterisk_asks_for_a_wildcard() -> None:
    assert complete(table("CAD*"), "C*AD", 4, 3, True) == Play("CAD", 4, 3, True, wild=(1,))
    assert complete(table("CAD*", villain="A"), " c*ad ", 4, 3, True) == Play("CAD", 4, 3, True, wild=(1,))


def test_an_asterisk_on_a_letter_that_lies_there_asks_for_nothing() -> None:
    public = table("S*", ("CAD", 4, 3, True))
    assert complete(public, "C*ADS", 4, 3, True) == Play("CADS", 4, 3, True)


def test_a_letter_with_a_value_goes_where_it_counts_twice() -> None:
    public = table("ES*", ("CAD", 4, 2, True))
    assert complete(public, "SES", 5, 4, True).wild == (2,)
    assert complete(public, "SES", 5, 2, True).wild == (2,)
    assert complete(public, "SES", 5, 0, True).wild == (0,)


def test_what_wildcards_cannot_serve_is_named() -> None:
    with pytest.raises(IllegalMove, match=r"^The letters on the table lack D\.$"):
        complete(table("C*"), "CAD", 4, 3, True)


@pytest.mark.parametrize("text", ["CA-D", "C D", "*", "CAD*", "**CAD", "ÇAD", "1"])
def test_text_that_is_no_word_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match="asterisk"):
        complete(table("CAD*"), text, 4, 3, True)


def test_a_wildcard_asked_for_and_not_there_is_refused() -> None:
    with pytest.raises(IllegalMove, match="no wildcards"):
        complete(table("CAD"), "C*AD", 4, 3, True)


# Warnings


def test_the_cost_of_the_villain_letter_is_told_before_it_is_paid() -> None:
    public = table("CADX", villain="Q", vp=10)
    assert warnings(public, Play("CAD", 4, 3, True)) == ("The villain letter Q would be left over: −11 VP.",)


def test_a_loss_is_never_told_to_be_more_than_the_points_there_are() -> None:
    assert warnings(table("", villain="Q", vp=3), NoWord()) == (
        "The villain letter Q would be left over: −3 VP, all there are.",
    )


def test_the_cost_of_a_full_storage_is_told() -> None:
    public = table("HB", storage=tiles("AEIOUS"), vp=20)
    assert warnings(public, NoWord()) == ("Storage would have no room for 2 letters, which would cost 7 VP.",)


def test_a_poi_that_puts_the_goal_out_of_reach_is_told() -> None:
    goal = Goal("intermediate", 1, 4, 70)
    pois = (Poi(4, 6, 5), *(Poi(0, number, number) for number in (1, 3, 4, 6)))
    public = table("S", ("CAD", 4, 3, True), goal=goal, pois=pois, collected=(2,))
    assert warnings(public, Play("CADS", 4, 3, True)) == (
        "After this, 2 POI collected and 1 still open are too few for the goal of 4.",
    )


def test_a_good_word_is_not_warned_of() -> None:
    assert warnings(table("CAD"), Play("CAD", 4, 3, True)) == ()
    assert warnings(table("CAD"), Concede()) == ()


# Letter Storage


@pytest.mark.parametrize(
    ("letters_", "forced", "tied", "owed", "asks"),
    [
        ("AEIOUS", "", "", 0, False),
        ("AEIOUSH", "", "H", 1, False),
        ("AEIOUSHB", "H", "B", 1, False),
        ("AEIOSHFB", "", "FH", 2, False),
        ("AEIOUTHFW", "", "FHW", 3, False),
        ("AEIOUFHW", "", "FHW", 2, True),
        ("AEIOUFFF", "", "FFF", 2, False),
        ("AEIOUSTH", "H", "AEIOSTU", 1, True),
        ("AAAAAAA", "", "AAAAAAA", 1, False),
    ],
)
def test_storage_drops_the_highest_letters_and_asks_when_letters_that_differ_are_tied(
    letters_: str, forced: str, tied: str, owed: int, asks: bool
) -> None:
    excess = overflow(table(letters_[4:], storage=tiles(letters_[:4])))
    assert (excess.forced, excess.tied, excess.owed) == (tuple(forced), tuple(tied), owed)
    assert excess.asks is asks
