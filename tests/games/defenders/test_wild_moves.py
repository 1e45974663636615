"""Moves that no button would make: whatever is in them, they are played or refused with a sentence."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import (
    Agree,
    Ask,
    Attest,
    Concede,
    Consult,
    Contribute,
    Discard,
    Hint,
    Move,
    NoWord,
    Object,
    Play,
    Propose,
    Recast,
    State,
    Withdraw,
)
from bot.games.game import IllegalMove
from tests.games.defenders.tables import Book, at_word, dealt, letters, play, tiles

BOOK = Book(["CAD", "CADS", "CAT", "AX"])
LAID = letters(("CAd", 4, 3, True))


def tables(seats: int) -> list[State]:
    """A table in each phase, with and without a proposal."""
    first = dealt(seats)
    word = at_word(first, commons="S*E*", villain="Z", laid=LAID)
    guarded = at_word(first, commons="S*E*", villain="Z", laid=LAID, referee="guarded")
    tied = at_word(first, commons="HF", storage=tiles("ZAEIOU"), phase="discard")
    doubted = at_word(first, phase="verify", doubts=("CAD",), laid=LAID)
    empty = at_word(first, commons="CAD*")
    proposed = [play(state, 0, Propose(Concede()), book=BOOK).state for state in (first, word, tied)]
    return [first, word, guarded, tied, doubted, empty, *proposed]


numbers = st.one_of(
    st.integers(-2, 20),
    st.integers(),
    st.sampled_from([-70, 99, 55_231, 2**31, 2**62, 2**63, 2**64, -(2**63), 10**400]),
)
letters_ = st.one_of(
    st.sampled_from([*"ACDEFHSTZ*", "", "a", "É", "ß", "\ud800", "\0", "A\n", "ZZ", "A" * 10_000]),
    st.text(st.characters(codec=None), max_size=3),
)
words = st.one_of(
    st.sampled_from(["CAD", "CADS", "CADZ", "CATS", "SEE", "AX", "CAD\n", "\udfff" * 3, "S" * 100_000]),
    letters_,
)
plays = st.builds(
    Play,
    word=words,
    row=numbers,
    col=numbers,
    across=st.booleans(),
    wild=st.lists(numbers, max_size=5).map(tuple),
    villain=st.none() | numbers,
)
many = st.lists(letters_, max_size=6).map(tuple)
recasts = st.builds(Recast, st.lists(st.tuples(numbers, numbers, letters_), max_size=4).map(tuple))
matters = st.one_of(plays, recasts, st.builds(Discard, many), st.just(NoWord()), st.just(Concede()))
moves = st.one_of(
    st.builds(Propose, matters),
    st.builds(Propose, matters),
    st.builds(Contribute, st.lists(letters_, min_size=1, max_size=2).map(tuple)),
    st.builds(Contribute, many),
    st.builds(Consult, words),
    st.builds(Hint, st.none() | plays),
    st.sampled_from([Agree(), Object(), Withdraw(), Ask(), Attest(True), Attest(False)]),
)
few = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(seats=st.integers(1, 4), move=moves, seat=st.none() | numbers)
def test_any_move_is_played_or_refused_with_a_sentence_and_then_nothing_has_changed(
    seats: int, move: Any, seat: int | None
) -> None:
    for state in tables(seats):
        check(state, seat, move)
        check(state, 0, move)


@few
@given(play=plays, wild=st.lists(st.integers(0, 3), max_size=3), villain=st.none() | numbers)
def test_a_word_that_fits_is_safe_whatever_tiles_are_named_for_it(
    play: Play, wild: list[int], villain: int | None
) -> None:
    for state in tables(2):
        for word in ("CADS", "CAS", "CADZ"):
            check(state, 0, Propose(Play(word, 4, 3, True, tuple(wild), villain)))
            check(state, 0, Propose(Play(word, 4, 3, True, play.wild, play.villain)))


def check(state: State, seat: int | None, move: Move) -> None:
    before = DEFENDERS.states.dump(state)
    try:
        turn = play(state, seat, move, book=BOOK)
    except IllegalMove as refusal:
        sentence = str(refusal)
        assert sentence.encode()
        assert len(sentence) < 200
    else:
        assert DEFENDERS.states.load(DEFENDERS.states.dump(turn.state)) == turn.state
        assert DEFENDERS.events.load(DEFENDERS.events.dump(turn.events)) == turn.events
        assert DEFENDERS.inventory(turn.state) == DEFENDERS.inventory(state)
    assert DEFENDERS.states.dump(state) == before
