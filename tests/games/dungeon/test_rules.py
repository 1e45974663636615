"""The table: who may do what, how runs end, who wins."""

from typing import Any

import msgspec
import pytest

from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.placement import read
from bot.games.dungeon.rules import DUNGEON, majority
from bot.games.dungeon.state import (
    Agree,
    Agreed,
    Carried,
    Dropped,
    Ended,
    Finished,
    GaveUp,
    GiveUp,
    Hint,
    Hinted,
    Left,
    Object,
    Objected,
    Options,
    Place,
    Placed,
    Proposed,
    Scoring,
    State,
    TakeBack,
    TimeRanOut,
    TookBack,
    Withdraw,
    Withdrew,
)
from bot.games.game import IllegalMove, Result
from tests.games.dungeon.maps import DEN, cavern, dealt, hall, moment, play, played

SHORT = cavern(">   ", "    ", "  E<", turns=4, scoring=Scoring(chest=2), par=5)
IN = "CART A1 across"
OUT = "TED D1 down"  # leaves, by the exit at D3, with ED across through the chest


def refused(state: State, seat: int | None, move: Any, now: int = 0) -> str:
    with pytest.raises(IllegalMove) as caught:
        play(state, seat, move, now)
    return str(caught.value)


# The deal


def test_one_seat_is_a_solo_and_more_are_a_race() -> None:
    assert dealt(1).public.mode == "solo"
    assert dealt(3).public.mode == "race"
    assert len(dealt(3).runs) == 3
    assert len(dealt(3, mode="party").runs) == 1


def test_each_mode_has_its_seats() -> None:
    seats = {mode: DUNGEON.seats(Options(mode=mode)) for mode in ("auto", "solo", "party", "race")}
    assert {mode: (found[0], found[-1]) for mode, found in seats.items()} == {
        "auto": (1, 8),
        "solo": (1, 1),
        "party": (1, 8),
        "race": (2, 8),
    }
    with pytest.raises(IllegalMove, match="a race two to eight"):
        dealt(1, mode="race")


def test_a_dungeon_is_dealt_by_name_by_chance_or_made_to_measure() -> None:
    named = DUNGEON.deal(1, Options(dungeon="gem-gallery"), moment())
    assert named.public.dungeon == msgspec.structs.replace(DUNGEONS["gem-gallery"], best=())
    drawn = {DUNGEON.deal(1, Options(), moment(seed=bytes([seed]))).public.dungeon.key for seed in range(60)}
    assert drawn <= set(DUNGEONS)
    assert len(drawn) > 3
    assert dealt(1, SHORT).public.dungeon == SHORT


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(dungeon="nowhere"), "There is no dungeon of that name."),
        (Options(minutes=-1), "A race takes at most seven days."),
        (Options(minutes=100_000), "A race takes at most seven days."),
        (Options(daily="tomorrow"), "A daily dungeon has a date, such as 2030-01-31."),
        (
            Options(custom=cavern("> #<", "####", "####")),
            "That dungeon cannot be played: no way leads from the start to the exit.",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: Options, said: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        DUNGEON.deal(1, options, moment())
    assert str(caught.value) == said


def test_a_race_has_a_quarter_of_an_hour_a_slow_one_three_days() -> None:
    assert DUNGEON.due(dealt(2)) == 15 * 60_000
    assert DUNGEON.due(dealt(2, pace="slow")) == 3 * 24 * 3_600_000
    assert DUNGEON.due(dealt(2, minutes=5)) == 300_000
    assert DUNGEON.due(dealt(1)) is None
    assert DUNGEON.due(dealt(4, mode="party")) is None


# A run


def test_a_turn_tells_what_it_did() -> None:
    state = dealt(1, hall(monsters=DEN, scoring=Scoring(gem=2)))
    (told,) = play(state, 0, "GOING A1 across | GIANT 2, OGRE 2").events
    assert isinstance(told, Placed)
    assert told.deeds is not None
    assert (told.seat, told.turn, told.deeds.placed, told.deeds.words) == (0, 1, "GOING", ("GOING",))
    assert told.deeds.struck == (("GIANT", "GI"), ("OGRE", "OG"))


def test_leaving_ends_a_solo_with_base_and_bonus() -> None:
    turn = play(played(dealt(1, SHORT), (0, IN)), 0, OUT, now=9_000)
    left, finished = turn.events[1:]
    assert left == Left(0, 2, 5, 2, "gold")
    assert finished == Finished((7,), ())
    assert turn.undo == "never"
    assert turn.state.runs[0].ended == Ended("out", 9_000, 2, 5, 2)
    assert DUNGEON.result(turn.state) == Result(won=True, scores=(7,))
    assert refused(turn.state, 0, "CAR A1 down") == "This dungeon is done."


def test_long_words_that_stand_at_the_exit_earn_two_each() -> None:
    long = cavern(">       ", "       <", "#######.", turns=3)
    state = played(dealt(1, long), (0, "STRANGE A1 across"), (0, "STRANGER A1 across"))
    turn = play(state, 0, "RE H1 down")
    assert turn.state.runs[0].ended == Ended("out", 0, 3, 3, 2)  # STRANGE is no more, and no turn is left


def test_turns_are_taken_back_one_by_one() -> None:
    state = played(dealt(1, SHORT), (0, IN), (0, "AT B1 down"))
    turn = play(state, 0, TakeBack())
    assert turn.events == (TookBack(0, 2, Place("AT", 0, 1, False)),)
    assert [place.word for place in turn.state.runs[0].places] == ["CART"]
    assert play(turn.state, 0, "AT B1 down").state.runs[0].places == state.runs[0].places
    empty = played(turn.state, (0, TakeBack()))
    assert refused(empty, 0, TakeBack()) == "There is no turn to take back."


def test_giving_up_scores_nothing() -> None:
    turn = play(played(dealt(1, SHORT), (0, IN)), 0, GiveUp())
    assert turn.events == (GaveUp(0), Finished((0,), ()))
    assert DUNGEON.result(turn.state) == Result(won=False, scores=(0,))


def test_a_hint_marks_the_run_and_one_that_finds_nothing_does_not() -> None:
    state = dealt(1, SHORT)
    turn = play(state, 0, Hint(Place("CART", 0, 0, True)))
    assert turn.events == (Hinted(0, Place("CART", 0, 0, True)),)
    assert turn.state.runs[0].hints == 1
    assert turn.undo == "never"
    assert play(turn.state, 0, Hint(None)).state.runs[0].hints == 1
    assert played(turn.state, (0, IN), (0, TakeBack())).runs[0].hints == 1
    assert "not in the dictionary" in refused(state, 0, Hint(Place("CARX", 0, 0, True)))


def test_a_hint_may_leave_the_strikes_to_the_player() -> None:
    state = dealt(1, hall(monsters=DEN))
    assert play(state, 0, Hint(Place("GOING", 0, 0, True))).state.runs[0].hints == 1
    assert "in 2 ways" in refused(state, 0, Place("GOING", 0, 0, True))


def test_only_seated_players_of_the_table_move() -> None:
    state = dealt(2, SHORT)
    assert refused(state, None, GiveUp()) == "Only a seated player can do that."
    assert refused(state, 2, GiveUp()) == "There is no such seat at this table."
    for move in (Agree(), Object(), Withdraw()):
        assert refused(state, 0, move) == "Only a party has proposals."


# A race


def test_racers_have_copies_of_their_own() -> None:
    state = played(dealt(2, SHORT), (0, IN), (1, "CARE A1 across"), (0, "AT B1 down"))
    assert [[place.word for place in run.places] for run in state.runs] == [["CART", "AT"], ["CARE"]]


def test_a_turn_of_a_race_may_be_taken_back_whatever_others_did() -> None:
    assert play(dealt(2, SHORT), 0, IN).undo == "own"
    assert play(played(dealt(2, SHORT), (0, IN)), 0, TakeBack()).undo == "own"


def test_others_turns_change_no_epoch_in_a_race() -> None:
    state = dealt(2, SHORT)
    after = played(state, (1, "CARE A1 across"))
    assert DUNGEON.epoch(state, 0) == DUNGEON.epoch(after, 0)
    assert DUNGEON.epoch(state, None) == DUNGEON.epoch(after, None)
    assert DUNGEON.epoch(state, 1) != DUNGEON.epoch(after, 1)


def test_a_race_is_over_when_all_have_left_and_the_best_score_wins() -> None:
    state = played(dealt(3, SHORT), (0, IN), (1, IN), (2, IN), (0, "AT B1 down"), (0, OUT))
    assert DUNGEON.awaited(state) == {1, 2}
    assert refused(state, 0, "TO D1 down") == "You are no longer in the dungeon."
    turn = play(played(state, (1, OUT)), 2, GiveUp())
    assert DUNGEON.result(turn.state) == Result(scores=(6, 7, 0), winners=(1,))
    assert turn.events[-1] == Finished((6, 7, 0), (1,))
    assert DUNGEON.awaited(turn.state) == frozenset()
    assert DUNGEON.due(turn.state) is None


def test_of_equal_scores_fewer_turns_win_then_who_left_first() -> None:
    def ended(*runs: tuple[int, int, int]) -> Result | None:
        state = dealt(len(runs), SHORT)
        over = tuple(
            msgspec.structs.replace(run, ended=Ended("out", at, turns, score))
            for run, (score, turns, at) in zip(state.runs, runs, strict=True)
        )
        return DUNGEON.result(State(msgspec.structs.replace(state.public, over=True), over))

    def winners(*runs: tuple[int, int, int]) -> tuple[int, ...]:
        result = ended(*runs)
        assert result is not None
        return result.winners

    assert winners((9, 4, 50), (9, 3, 90)) == (1,)
    assert winners((9, 3, 50), (9, 3, 90)) == (0,)
    assert winners((9, 3, 50), (10, 9, 99)) == (1,)
    assert winners((9, 3, 50), (9, 3, 50)) == (0, 1)


def test_who_is_inside_when_time_is_up_scores_nothing() -> None:
    state = played(dealt(2, SHORT), (0, IN), (1, IN), (0, OUT))
    with pytest.raises(IllegalMove, match="Nothing is due yet"):
        DUNGEON.expire(state, moment(899_999))
    turn = DUNGEON.expire(state, moment(900_000))
    assert turn.events == (TimeRanOut((1,)), Finished((7, 0), (0,)))
    assert DUNGEON.result(turn.state) == Result(scores=(7, 0), winners=(0,))


def test_a_race_that_nobody_leaves_has_no_winner() -> None:
    turn = DUNGEON.expire(dealt(2, SHORT), moment(900_000))
    assert DUNGEON.result(turn.state) == Result(scores=(0, 0))


# A party


def test_a_majority_is_more_than_half() -> None:
    assert [majority(seats) for seats in range(1, 9)] == [1, 2, 2, 3, 3, 4, 4, 5]


def test_what_a_party_has_carried_no_seat_undoes_alone() -> None:
    state = played(dealt(3, SHORT, mode="party"), (0, IN))
    carried = play(state, 1, Agree())
    assert Carried() in carried.events
    assert carried.undo == "never"
    assert play(state, 1, Object()).undo == "next"
    back = play(played(carried.state, (2, TakeBack())), 0, Agree())
    assert back.undo == "never"
    assert back.state.runs[0].places == ()


def test_a_party_of_one_needs_nobody() -> None:
    turn = play(dealt(1, SHORT, mode="party"), 0, IN)
    assert [type(event) for event in turn.events] == [Proposed, Carried, Placed]
    assert turn.undo == "next"


def test_a_word_stands_when_a_majority_agrees() -> None:
    state = dealt(4, SHORT, mode="party")
    turn = play(state, 0, IN)
    assert turn.events == (Proposed(0, read(SHORT, IN)),)
    assert DUNGEON.awaited(turn.state) == {1, 2, 3}
    turn = play(turn.state, 2, Agree())
    assert turn.events == (Agreed(2),)
    turn = play(turn.state, 1, Agree())
    assert [type(event) for event in turn.events] == [Agreed, Carried, Placed]
    assert turn.state.public.proposal is None
    assert len(turn.state.runs[0].places) == 1
    assert DUNGEON.awaited(turn.state) == {0, 1, 2, 3}


def test_a_word_falls_as_soon_as_no_majority_can_come_about() -> None:
    state = played(dealt(4, SHORT, mode="party"), (0, IN))
    turn = play(played(state, (1, Object())), 2, Object())
    assert turn.events == (Objected(2), Dropped())
    assert turn.state.public.proposal is None
    assert turn.state.public.tried == (read(SHORT, IN),)
    two = play(played(dealt(2, SHORT, mode="party"), (0, IN)), 1, Object())
    assert two.events == (Objected(1), Dropped())


def test_a_mind_may_be_changed_while_the_proposal_is_open() -> None:
    state = played(dealt(5, SHORT, mode="party"), (0, IN), (1, Object()), (1, Agree()))
    assert state.public.proposal is not None
    assert (state.public.proposal.agreed, state.public.proposal.objected) == ((0, 1), ())
    state = played(state, (1, Object()))
    assert state.public.proposal is not None
    assert (state.public.proposal.agreed, state.public.proposal.objected) == ((0,), (1,))


def test_the_latest_proposal_replaces_an_open_one() -> None:
    state = played(dealt(3, SHORT, mode="party"), (0, IN), (1, "CARE A1 across"))
    assert state.public.proposal is not None
    assert state.public.proposal.seat == 1
    assert state.public.tried == (read(SHORT, IN),)
    assert refused(state, 2, "CARE A1 across") == "That is before the party already."


def test_who_proposed_may_withdraw_and_not_object() -> None:
    state = played(dealt(3, SHORT, mode="party"), (0, IN))
    assert refused(state, 0, Object()) == "This proposal is your own; you can withdraw it."
    assert refused(state, 0, Agree()) == "You agree already."
    assert refused(state, 1, Withdraw()) == "Only who made a proposal can withdraw it."
    assert refused(played(state, (1, Object())), 1, Object()) == "You object already."
    turn = play(state, 0, Withdraw())
    assert turn.events == (Withdrew(0),)
    for move in (Agree(), Object(), Withdraw()):
        assert refused(turn.state, 1, move) == "Nothing is before the party."


def test_what_the_rules_forbid_cannot_be_proposed() -> None:
    state = dealt(3, SHORT, mode="party")
    assert refused(state, 0, "CARX A1 across") == "CARX is not in the dictionary."
    assert refused(state, 0, TakeBack()) == "There is no turn to take back."


def test_a_proposed_word_has_its_strikes() -> None:
    state = played(dealt(3, hall(monsters=DEN), mode="party"), (0, "GOING A1 across | GIANT 2, OGRE 2"))
    assert state.public.proposal is not None
    assert state.public.proposal.matter == Place("GOING", 0, 0, True, (0, 2, 2, 0, 0))
    alone = played(dealt(3, hall(monsters=DEN[:1]), mode="party"), (0, "GOING A1 across"))
    assert alone.public.proposal is not None
    assert alone.public.proposal.matter == Place("GOING", 0, 0, True, (1,))


def test_a_party_takes_back_gives_up_and_leaves_together() -> None:
    state = played(dealt(3, SHORT, mode="party"), (0, IN), (1, Agree()))
    back = played(state, (2, TakeBack()), (0, Agree()))
    assert back.runs[0].places == ()
    over = play(played(state, (2, GiveUp())), 1, Agree())
    assert DUNGEON.result(over.state) == Result(won=False, scores=(0, 0, 0))
    assert over.undo == "never"
    out = play(played(state, (2, OUT)), 1, Agree())
    assert out.events[-2:] == (Left(2, 2, 5, 2, "gold"), Finished((7, 7, 7), ()))
    assert DUNGEON.result(out.state) == Result(won=True, scores=(7, 7, 7))


def test_another_word_after_an_undo_has_another_epoch() -> None:
    before = dealt(1)
    words = ("GOING A1 across", "GO A1 across")
    epochs = {DUNGEON.epoch(played(before, (0, word)), 0) for word in words}
    assert len(epochs) == len(words)


def test_agreements_do_not_change_another_seats_epoch_in_a_party() -> None:
    state = played(dealt(5, SHORT, mode="party"), (0, IN))
    after = played(state, (1, Agree()))
    assert DUNGEON.epoch(state, 2) == DUNGEON.epoch(after, 2)
    assert DUNGEON.epoch(state, 1) != DUNGEON.epoch(after, 1)
    assert DUNGEON.epoch(state, 2) != DUNGEON.epoch(played(after, (2, Agree())), 2)


# Ended by people


def test_a_party_that_was_ended_has_lost_and_others_leave_no_record() -> None:
    party = dealt(2, SHORT, mode="party")
    assert DUNGEON.forfeit(party) is None
    assert DUNGEON.forfeit(played(party, (0, IN), (1, Agree()))) == Result(won=False, scores=(0, 0))
    assert DUNGEON.forfeit(played(dealt(1, SHORT), (0, IN))) is None
    assert DUNGEON.forfeit(played(dealt(2, SHORT), (0, IN))) is None


def test_who_had_left_a_race_keeps_the_record_when_people_end_it() -> None:
    state = DUNGEON.deal(3, Options(mode="race", dungeon="doormat-crypt"), moment(seq=0))
    for turn in DUNGEONS["doormat-crypt"].best:
        state = play(state, 0, turn).state
    state = played(state, (1, GiveUp()))
    assert not state.public.over
    assert DUNGEON.forfeit(state) is None
    (record,) = DUNGEON.records(state)
    assert (record.seat, record.course, record.turns) == (0, "dungeon/doormat-crypt", 3)
    assert record.detail["out"] == 1


def test_the_daily_dungeon_is_no_partys() -> None:
    with pytest.raises(IllegalMove, match="a party’s map is open to everyone"):
        dealt(2, SHORT, mode="party", daily="2030-01-31")
    assert dealt(2, SHORT, mode="race", daily="2030-01-31").public.daily


def test_states_of_no_release_are_refused() -> None:
    raw = DUNGEON.states.dump(dealt(2))
    assert DUNGEON.upgrade(raw, 1) == dealt(2)
    with pytest.raises(ValueError, match="no version 2"):
        DUNGEON.upgrade(raw, 2)
