"""What the automaton does with a view."""

from bot.games.dungeon.automaton import THINKS
from bot.games.dungeon.bylaws import FirstWord
from bot.games.dungeon.ground import Monster
from bot.games.dungeon.placement import check, position
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import Agree, GiveUp, Move, Options, Place, State
from bot.games.game import Moment, Plan, Words
from bot.simulate import Automata
from tests.games.dungeon.maps import LEXICON, cavern, dealt, moment, played
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


def test_it_agrees_with_the_party() -> None:
    state = played(dealt(3, SHORT, mode="party"), (0, IN))
    late = DUNGEON.choose(DUNGEON.seen_by(state, 1), 1, 0, moment(10_000))
    assert late is not None
    assert late.move == Agree()
    assert plan(state, 0, 10_000) is None


def test_it_leaves_people_time_before_it_proposes() -> None:
    state = dealt(3, SHORT, mode="party")
    times = [DUNGEON.choose(DUNGEON.seen_by(state, seat), seat, 0, moment(0)) for seat in range(3)]
    assert [one.at for one in times if one is not None] == [30_000, 45_000, 60_000]


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
