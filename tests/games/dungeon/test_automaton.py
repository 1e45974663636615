"""What the automaton does with a view."""

import pytest
from msgspec.structs import replace

from bot.games.dungeon.automaton import (
    AGREES_AFTER,
    FAIR_TIME,
    LONG_TIME,
    LONGEST_TIME,
    SPEAKS_AFTER,
    SPEAKS_UNTIL,
    THINKS,
)
from bot.games.dungeon.bylaws import FirstWord
from bot.games.dungeon.ground import Monster
from bot.games.dungeon.placement import StrikesTied, check, position
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.scoring import medal
from bot.games.dungeon.state import Agree, GiveUp, Move, Object, Options, Place, State, TakeBack
from bot.games.game import Moment, Plan, Words
from bot.simulate import Automata
from tests.games.dungeon.maps import LEXICON, cavern, dealt, hall, moment, play, played
from tests.games.dungeon.test_rules import IN, OUT, SHORT


def plan(state: State, seat: int, now: int, skill: int = 1) -> Plan[Move] | None:
    return DUNGEON.choose(DUNGEON.seen_by(state, seat), seat, skill, moment(now))


def test_it_takes_its_time_and_then_lays_a_word_that_the_rules_allow() -> None:
    state = dealt(2, SHORT)
    assert plan(state, 0, 0) == Plan(None, THINKS[1])
    late = DUNGEON.choose(DUNGEON.seen_by(state, 0), 0, 1, moment(THINKS[1]))
    assert late is not None
    assert isinstance(late.move, Place)
    assert check(SHORT, position(SHORT), late.move, LEXICON).after.turns == 1


def test_it_has_nothing_to_do_outside() -> None:
    state = played(dealt(2, SHORT), (0, IN), (0, OUT))
    assert plan(state, 0, 10**6) is None
    assert plan(played(state, (1, GiveUp())), 1, 10**6) is None


def test_it_gives_up_where_no_word_fits() -> None:
    hopeless = cavern(">  ", "   ", "  <", rules=(FirstWord("QXZ"),))
    state = dealt(1, hopeless)
    late = DUNGEON.choose(DUNGEON.seen_by(state, 0), 0, 2, moment(10**6))
    assert late is not None
    assert late.move == GiveUp()


def test_it_agrees_at_once_when_everybody_else_has_answered() -> None:
    state = played(dealt(2, SHORT, mode="party"), (0, IN))
    assert plan(state, 1, 0) == Plan(Agree(), AGREES_AFTER)
    assert plan(state, 0, 0) is None
    state = played(dealt(4, SHORT, mode="party"), (0, IN), (1, Agree()), (2, Object()))
    assert plan(state, 3, 0) == Plan(Agree(), AGREES_AFTER)


@pytest.mark.parametrize(
    ("before", "matter", "time"),
    [
        ((), IN, FAIR_TIME),
        ((IN,), TakeBack(), LONG_TIME),
        ((IN,), OUT, LONG_TIME),
        ((IN,), GiveUp(), LONGEST_TIME),
    ],
)
def test_people_have_a_fair_time_before_automata_decide(
    before: tuple[str, ...], matter: Move | str, time: int
) -> None:
    state = dealt(8, SHORT, mode="party")
    for word in before:
        state = played(state, (0, word), (1, Agree()), (2, Agree()), (3, Agree()), (4, Agree()))
    state = play(state, 0, matter, now=1_000).state
    plans = [plan(state, seat, 1_000) for seat in range(1, 8)]
    assert plans == [Plan(Agree(), 1_000 + time)] * 7


@pytest.mark.parametrize("matter", [TakeBack(), OUT, GiveUp()])
def test_it_sides_with_who_objects_to_what_is_final(matter: Move | str) -> None:
    state = played(dealt(3, SHORT, mode="party"), (0, IN), (1, Agree()), (0, matter), (1, Object()))
    answer = plan(state, 2, 0)
    assert answer == Plan(Object(), FAIR_TIME)
    dropped = play(state, 2, Object()).state.public
    assert dropped.proposal is None
    assert not dropped.over


def test_objections_are_not_answered_by_a_flood_of_proposals() -> None:
    state = dealt(3, SHORT, mode="party")
    now, proposed = 10**6, []
    for _ in range(8):
        answer = DUNGEON.choose(DUNGEON.seen_by(state, 2), 2, 1, moment(now))
        if answer is None:
            break
        now = max(now, answer.at)
        if answer.move is None:
            continue
        proposed.append(now)
        state = play(state, 2, answer.move, now).state
        state = played(state, (0, Object()), (1, Object()), now=now)
    assert 1 <= len(proposed) <= SPEAKS_UNTIL


def test_after_each_proposal_that_came_to_nothing_it_waits_longer() -> None:
    state = dealt(3, SHORT, mode="party")
    waits = []
    for _ in range(SPEAKS_UNTIL):
        early = plan(state, 0, 0)
        assert early is not None
        waits.append(early.at)
        late = plan(state, 0, early.at)
        assert late is not None
        assert late.move is not None
        state = play(state, 0, late.move, early.at).state
        state = played(state, (1, Object()), (2, Object()), now=early.at)
    assert waits == [SPEAKS_AFTER, 2 * SPEAKS_AFTER, 3 * SPEAKS_AFTER]
    assert plan(state, 0, 10**9) is None


def test_it_leaves_people_time_before_it_proposes() -> None:
    state = dealt(3, SHORT, mode="party")
    times = [DUNGEON.choose(DUNGEON.seen_by(state, seat), seat, 0, moment(0)) for seat in range(3)]
    assert [one.at for one in times if one is not None] == [30_000, 45_000, 60_000]


HARD = ("locked-vault", "ghost-train", "royal-mint")  # who looks one turn ahead never gets out of these


@pytest.mark.parametrize("key", [*HARD, "coal-mine", "gem-gallery"])
def test_who_follows_nothing_but_hints_gets_out_with_a_medal(key: str) -> None:
    state = DUNGEON.deal(1, Options(dungeon=key), moment(seq=0))
    while not state.public.over:
        place = DUNGEON.search("hint", DUNGEON.seen_by(state, 0), 0, moment())
        assert place is not None
        try:
            state = play(state, 0, place).state
        except StrikesTied as tie:
            state = play(state, 0, replace(place, strikes=tie.choices[-1])).state
    ended = state.runs[0].ended
    assert ended is not None
    assert medal(state.public.dungeon, ended.base) is not None


@pytest.mark.parametrize("key", HARD)
def test_the_strongest_automaton_gets_out_of_the_hardest_dungeons(key: str) -> None:
    automata = Automata(DUNGEON, Options(dungeon=key), seats=1, seed=b"out", skill=2, lexicon=LEXICON)
    for _ in automata:
        pass
    result = DUNGEON.result(automata.state)
    assert result is not None
    assert result.won


def test_the_strongest_automaton_takes_a_turn_back_from_where_no_way_leads_out() -> None:
    state = played(dealt(1, hall(turns=2)), (0, "AT A1 across"))
    late = plan(state, 0, 10**6, skill=2)
    assert late is not None
    assert late.move == TakeBack()


def test_no_word_is_hinted_at_where_no_way_leads_out() -> None:
    state = played(dealt(1, hall(turns=2)), (0, "AT A1 across"))
    assert DUNGEON.search("hint", DUNGEON.seen_by(state, 0), 0, moment()) is None


def test_a_hint_leaves_the_choice_between_strikes_that_are_worth_the_same() -> None:
    monsters = (Monster("TIN", 2), Monster("TAN", 2))
    state = dealt(1, cavern(">  ", "   ", "  <", rules=(FirstWord("TO"),), monsters=monsters))
    hinted = DUNGEON.search("hint", DUNGEON.seen_by(state, 0), 0, moment())
    assert hinted is not None
    assert (hinted.word, hinted.strikes) == ("TO", None)
    plain = dealt(1, cavern(">  ", "   ", "  <", rules=(FirstWord("TO"),), monsters=monsters[:1]))
    hinted = DUNGEON.search("hint", DUNGEON.seen_by(plain, 0), 0, moment())
    assert hinted is not None
    assert hinted.strikes == (1,)


def test_a_hint_is_a_word_that_fits_and_the_same_each_time() -> None:
    state = played(dealt(1, SHORT), (0, IN))
    view = DUNGEON.seen_by(state, 0)
    first = DUNGEON.search("hint", view, 0, moment())
    assert first is not None
    assert first == DUNGEON.search("hint", view, 0, moment())
    assert LEXICON.common(first.word)
    check(SHORT, position(SHORT, state.runs[0].places), first, LEXICON)


def test_no_word_of_an_automaton_is_barred_at_the_table() -> None:
    state = dealt(1, SHORT)
    view = DUNGEON.seen_by(state, 0)
    at = moment(10**6)
    chosen = DUNGEON.choose(view, 0, 1, at)
    assert chosen is not None
    assert isinstance(chosen.move, Place)
    barred = Moment(at.now, moment().chance, Words(LEXICON, {chosen.move.word: False}))
    other = DUNGEON.choose(view, 0, 1, barred)
    assert other is not None
    assert isinstance(other.move, Place)
    assert other.move.word != chosen.move.word


def test_automata_find_their_way_out_of_most_dungeons() -> None:
    out = 0
    for key in ("cellar-steps", "gem-gallery", "monster-den", "silent-library"):
        automata = Automata(DUNGEON, Options(dungeon=key), seats=1, seed=b"out", skill=1, lexicon=LEXICON)
        for _ in automata:
            pass
        result = DUNGEON.result(automata.state)
        assert result is not None
        out += bool(result.won)
    assert out >= 3


def test_a_last_word_that_would_not_leave_is_no_idea_even_where_strikes_tie() -> None:
    rows = (">      ", "       ", "       ", "      <")
    last = cavern(*rows, turns=1, monsters=(Monster("TEA", 2), Monster("TOE", 2)))
    state = dealt(1, last)
    late = plan(state, 0, 10**6, skill=2)
    assert late is not None
    assert late.move == GiveUp()
