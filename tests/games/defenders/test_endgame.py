"""How a mission ends: the endgame check in the rulebook's order."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from bot.games.chance import Chance
from bot.games.defenders.legality import Verdict, judge
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import (
    Agree,
    Attest,
    Attested,
    Collected,
    Contribute,
    Doubted,
    Ended,
    Event,
    Goal,
    Laid,
    NoWord,
    Play,
    Poi,
    Proposal,
    Propose,
    Recasted,
    RoundBegan,
    State,
    VillainLost,
)
from bot.games.game import IllegalMove, Moment, Turn, Words
from bot.words.lexicon import Lexicon
from tests.games.defenders.tables import Book, at_word, carried, dealt, letters, moment, play

TRAINING = Goal("beginner", 1, 2, 20)


def near(vp: int = 17, state: State | None = None, **changes: object) -> State:
    """One S short of the training mission's goal: POI under the S, VP by what CADS is worth."""
    fields = {
        "goal": TRAINING,
        "vp": vp,
        "collected": (0,),
        "pois": (Poi(4, 6, 0), Poi(0, 0, 0)),
        "laid": letters(("CAD", 4, 3, True)),
        **changes,
    }
    return at_word(state, commons="S", **fields)


CADS = Play("CADS", 4, 3, True)


def ended(events: tuple[Event, ...]) -> Ended | None:
    return events[-1] if isinstance(events[-1], Ended) else None


# Success


def test_two_poi_in_any_order_and_twenty_points_end_the_training_in_success() -> None:
    turn = carried(near(13), CADS, book=Book({"CADS"}))
    assert Collected(4, 6, 0) in turn.events
    assert ended(turn.events) == Ended(True, "success", 20, 2, 1)
    assert turn.state.public.phase == "over"
    assert turn.state.public.ended == ended(turn.events)
    assert DEFENDERS.result(turn.state).won is True  # type: ignore[union-attr]
    assert turn.undo == "never"


def test_points_alone_or_poi_alone_are_no_success() -> None:
    assert ended(carried(near(12), CADS).events) is None
    assert ended(carried(near(50, pois=(Poi(0, 0, 0),)), CADS).events) is None


def test_the_goal_is_looked_at_after_the_costs_of_phase_three() -> None:
    turn = carried(near(13, villain="B"), CADS)
    assert VillainLost("B", 3) in turn.events
    assert turn.state.public.vp == 17
    assert ended(turn.events) is None


def test_a_goal_reached_without_a_word_this_round_counts() -> None:
    turn = carried(near(25, collected=(0, 0)), NoWord(), book=Book({"CAD"}))
    assert ended(turn.events) == Ended(True, "success", 25, 2, 1)


def test_success_comes_before_an_empty_villain_bag() -> None:
    state = replace(near(), villain_bag=())
    assert ended(carried(state, CADS).events) == Ended(True, "success", 24, 2, 1)


# Words that no dictionary holds


def test_illegal_words_are_named_before_they_turn_success_into_failure() -> None:
    turn = carried(near(), CADS, now=4_000, book=Book([]))
    assert turn.events[-1] == Doubted(("CADS",))
    assert turn.undo == "never"
    public = turn.state.public
    assert (public.phase, public.since, public.doubts) == ("verify", 4_000, ("CADS",))
    assert DEFENDERS.awaited(turn.state) == frozenset()
    assert DEFENDERS.due(turn.state) == 64_000
    assert DEFENDERS.result(turn.state) is None
    with pytest.raises(IllegalMove, match="are being confirmed"):
        play(turn.state, 0, Agree())
    with pytest.raises(IllegalMove, match="Nothing is due"):
        DEFENDERS.expire(turn.state, moment(63_999))
    end = DEFENDERS.expire(turn.state, moment(64_000))
    assert end.events == (Attested(False), Ended(False, "illegal", 24, 2, 1, ("CADS",)))


def test_the_host_attests_what_every_human_vouches_for() -> None:
    doubted = carried(near(), CADS, book=Book([])).state
    yes = play(doubted, None, Attest(True))
    assert yes.events == (Attested(True), Ended(True, "success", 24, 2, 1))
    assert yes.state.public.attested == ("CADS",)
    no = play(doubted, None, Attest(False))
    assert no.events == (Attested(False), Ended(False, "illegal", 24, 2, 1, ("CADS",)))
    assert no.state.public.attested == ()


def test_nobody_vouches_for_a_lone_players_words() -> None:
    turn = carried(near(state=dealt(1)), CADS, book=Book([]))
    assert ended(turn.events) == Ended(False, "illegal", 24, 2, 1, ("CADS",))
    assert Doubted(("CADS",)) not in turn.events


def test_a_guarded_table_fails_at_once_for_a_word_that_is_illegal_at_the_end() -> None:
    turn = carried(near(25, collected=(0, 0), referee="guarded"), NoWord(), book=Book([]))
    assert ended(turn.events) == Ended(False, "illegal", 25, 2, 1, ("CAD",))


def test_an_illegal_word_that_was_extended_to_a_legal_one_is_cured() -> None:
    turn = carried(near(laid=letters(("CAD", 4, 3, True))), CADS, book=Book({"CADS"}))
    assert ended(turn.events) == Ended(True, "success", 24, 2, 1)


def test_words_are_not_judged_before_the_goal_is_met() -> None:
    book = Book([])
    carried(near(0), CADS, book=book)
    assert book.asked == []


# Wildcards at the end


def judged(laid: tuple[Laid, ...], words: Iterable[str]) -> Verdict:
    return judge(laid, Words(Book(words)))


def test_a_wildcard_is_read_as_any_letter_that_makes_all_words_legal() -> None:
    laid = letters(("CAx", 4, 3, True), ("xOE", 4, 5, False))
    assert judged(laid, {"CAT", "TOE", "CAD", "DOE"}).recast == ((4, 5, "D"),)
    assert judged(laid, {"CAT", "TOE", "CAD"}).recast == ((4, 5, "T"),)
    assert judged(laid, {"CAX", "XOE", "CAT", "TOE"}).recast == ()


def test_words_that_share_a_wildcard_are_read_together() -> None:
    laid = letters(("CAx", 4, 3, True), ("xOE", 4, 5, False))
    assert judged(laid, {"CAT", "DOE", "CAR", "ROE"}) == (((4, 5, "R"),), ())


def test_where_no_reading_saves_every_word_the_fewest_stay_unknown() -> None:
    laid = letters(("CAx", 4, 3, True), ("xOE", 4, 5, False))
    assert judged(laid, {"CAT", "DOE"}) == (((4, 5, "D"),), ("CAD",))
    laid = letters(("ANx", 4, 3, True), ("xOZ", 4, 5, False), ("ZxT", 6, 5, True), ("xQ", 6, 6, False))
    assert judged(laid, {"ANT", "ZAT", "ZOT"}) == (((4, 5, "T"), (6, 6, "A")), ("AQ", "TOZ"))


def test_a_reading_that_saves_no_more_words_changes_nothing() -> None:
    laid = letters(("CAx", 4, 3, True), ("xOE", 4, 5, False))
    assert judged(laid, {"CAX", "DOE"}) == ((), ("XOE",))


def test_a_word_that_stands_twice_is_unknown_once_and_in_order() -> None:
    laid = letters(("QAD", 4, 3, True), ("QAD", 8, 3, True), ("AX", 0, 0, True))
    assert judged(laid, set()).unknown == ("AX", "QAD")


def test_wildcards_that_hang_together_over_several_words_are_read_together() -> None:
    laid = letters(("qAq", 4, 3, True), ("qOE", 4, 5, False), ("qO", 4, 3, False))
    verdict = judged(laid, {"CAD", "DOE", "CO", "TAD", "TOE"})
    assert verdict == (((4, 3, "C"), (4, 5, "D")), ())


def test_a_word_without_wildcards_is_unknown_whatever_the_others_read() -> None:
    laid = letters(("QAD", 4, 3, True), ("DO", 4, 5, False), ("ANx", 8, 3, True))
    verdict = judged(laid, {"DO", "ANT"})
    assert verdict == (((8, 5, "T"),), ("QAD",))


def test_words_of_one_group_are_unknown_only_where_the_dictionary_denies_them() -> None:
    laid = letters(("CAt", 4, 3, True), ("tOZ", 4, 5, False))
    assert judged(laid, {"CAT"}) == ((), ("TOZ",))


def test_a_reading_that_saves_the_mission_is_shown_on_the_map() -> None:
    state = near(laid=letters(("CAx", 4, 3, True)))
    turn = carried(state, Play("CAXS", 4, 3, True), book=Book({"CADS"}))
    assert turn.events[-2:] == (Recasted(((4, 5, "D"),)), Ended(True, "success", turn.state.public.vp, 2, 1))
    assert [tile.letter for tile in turn.state.public.laid] == list("CADS")


def test_four_wildcards_in_one_word_ask_few_questions() -> None:
    laid = letters(("WxyzxS", 4, 3, True))
    asked = Words(Lexicon.load())
    assert judge(laid, asked).unknown == ()
    patterns = [question for question in asked.asked if "?" in question]
    assert patterns == ["W????S"]
    assert len(asked.asked) == 2 + len(Lexicon.load().matching("W????S")) < 200
    none = Words(Lexicon.load())
    assert judge(letters(("QxyzxJ", 4, 3, True)), none) == ((), ("QXYZXJ",))
    assert none.asked == {"QXYZXJ": False, "Q????J": True}


def test_crossing_words_ask_for_each_word_and_each_pattern_once() -> None:
    laid = letters(("QxQyQ", 4, 3, True), ("ZxZ", 3, 4, False), ("ZyZ", 3, 6, False))
    book = Book({"ZAZ", "ZEZ"})
    assert judge(laid, Words(book)) == (((4, 4, "A"), (4, 6, "A")), ("QAQAQ",))
    assert sorted(book.asked) == ["Q?Q?Q", "QAQAQ", "QXQYQ", "Z?Z", "ZXZ", "ZYZ"]


def test_the_record_alone_gives_the_same_end_whatever_the_dictionary_has_become() -> None:
    state = near(laid=letters(("CAx", 4, 3, True), ("TxN", 8, 3, True), ("TON", 12, 3, True)))
    cads = Play("CAXS", 4, 3, True)
    first = Words(Book({"CADS", "CABS", "TAN", "TEN"}))
    proposal = Proposal(1, cads, 0, agreed=(1, 2))
    last = replace(state, public=replace(state.public, proposal=proposal))

    def end(words: Words) -> Turn[State, Event]:
        return DEFENDERS.play(last, 0, Agree(), Moment(0, Chance(b"test", 1, "play"), words))

    played = end(first)
    assert played.events[-2:] == (Recasted(((4, 5, "B"), (8, 4, "A"))), Doubted(("TON",)))
    changed = Book({"CAGS", "CAXS", "TIN", "TON"})
    assert end(Words(changed)).events != played.events
    changed.asked.clear()
    assert end(Words(changed, first.asked)) == played
    assert changed.asked == []


# Failure


def test_numbered_poi_out_of_reach_fail_at_the_rounds_end() -> None:
    goal = Goal("intermediate", 1, 4, 70)
    pois = (Poi(4, 6, 5), *(Poi(0, number, number) for number in (1, 3, 4, 6)))
    turn = carried(near(goal=goal, pois=pois, collected=(2,)), CADS)
    assert ended(turn.events) == Ended(False, "poi", 24, 2, 1)
    easier = replace(goal, poi=3)
    assert ended(carried(near(goal=easier, pois=pois, collected=(2,)), CADS).events) is None


def test_an_empty_villain_bag_fails_when_a_letter_is_due_and_not_before() -> None:
    last = replace(dealt(), villain_bag=("Z",))
    turn = carried(at_word(last, commons="CAD", villain_left=1), NoWord())
    assert turn.events[-1] == RoundBegan(2, "Z")
    assert turn.state.public.villain_left == 0
    after = at_word(turn.state)
    assert ended(carried(after, NoWord()).events) == Ended(False, "bag", 0, 0, 2)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_game_lasts_26_rounds_and_one_or_two_players_need_no_fifth_bag(seats: int) -> None:
    state = dealt(seats)
    drawn = sum(map(len, state.racks))
    rounds = 0
    while DEFENDERS.result(state) is None:
        rounds += 1
        for seat in range(seats):
            state = play(state, seat, Contribute(state.racks[seat][: 1 if seats > 2 else 2])).state
        # The whole storage is emptied by hand, so that no tie has to be discussed.
        state = replace(state, public=replace(state.public, contributed=(), storage=()))
        before = sum(map(len, state.racks))
        turn = carried(state, NoWord()) if seats > 1 else play(state, 0, Propose(NoWord()))
        state = turn.state
        drawn += sum(map(len, state.racks)) - before
        assert [len(rack) for rack in state.racks] == [5] * seats
    assert rounds == 26
    assert turn.events[-1] == Ended(False, "bag", 0, 0, 26)
    assert drawn == seats * (5 + 26 * (1 if seats > 2 else 2))
    assert len(state.spare) == {1: 0, 2: 0, 3: 1, 4: 0}[seats]
