"""Random play for property tests: any legal move, words without sense, hardly any agreement."""

from __future__ import annotations

from collections.abc import Iterator

from bot.games.chance import Chance
from bot.games.defenders.placement import commons, complete, letters_on, overflow
from bot.games.defenders.rules import DEFENDERS, contribution
from bot.games.defenders.state import (
    WILD,
    Agree,
    Attest,
    Concede,
    Contribute,
    Discard,
    Event,
    Matter,
    Move,
    NoWord,
    Object,
    Options,
    Play,
    Propose,
    Recast,
    State,
    Withdraw,
)
from bot.games.game import IllegalMove, Moment, Turn, Words
from tests.games.defenders.tables import Book

Step = tuple[State, int | None, Move | None, Turn[State, Event]]


def wander(seats: int, options: Options, seed: int, moves: int = 400) -> Iterator[Step]:
    """Yield each state, the mover and move (None: expired) and what came of it, to the end or ``moves``."""
    raw = seed.to_bytes(8, "big")
    chance = Chance(raw, 0, "wander")
    book = Book([])
    state = DEFENDERS.deal(seats, options, Moment(0, Chance(raw, 0, "play"), Words(book)))
    now = 0
    for seq in range(1, moves + 1):
        if DEFENDERS.result(state) is not None:
            return
        now += chance.below(3_000)
        due = DEFENDERS.due(state)
        seat: int | None = None
        move: Move | None = None
        if due is not None and not chance.below(6):
            now = max(now, due)
            turn = DEFENDERS.expire(state, Moment(now, Chance(raw, seq, "play"), Words(book)))
        else:
            seat, move = _some_move(state, chance)
            turn = DEFENDERS.play(state, seat, move, Moment(now, Chance(raw, seq, "play"), Words(book)))
        yield state, seat, move, turn
        state = turn.state


def _some_move(state: State, chance: Chance) -> tuple[int | None, Move]:
    public = state.public
    if public.phase == "verify":
        return None, Attest(bool(chance.below(2)))
    seat = chance.pick(sorted(DEFENDERS.awaited(state)))
    if public.proposal is not None and seat not in public.proposal.agreed:
        if seat not in public.proposal.objected and not chance.below(8):
            return seat, Object()
        return seat, Agree()
    if public.phase == "contribute":
        rack = chance.shuffled(state.racks[seat])
        return seat, Contribute(rack[: contribution(public, len(rack))])
    if public.proposal is not None and public.proposal.seat == seat and not chance.below(2):
        return seat, Withdraw()
    matter = _some_matter(state, chance)
    if public.proposal is not None and public.proposal.matter == matter:
        return public.proposal.seat, Withdraw()
    return seat, Propose(matter)


def _some_matter(state: State, chance: Chance) -> Matter:
    public = state.public
    if public.phase == "discard":
        excess = overflow(public)
        return Discard(tuple(sorted(chance.shuffled(excess.tied)[: excess.owed])))
    if not chance.below(300):
        return Concede()
    wild = [tile for tile in public.laid if tile.wild]
    if wild and not chance.below(6):
        tile = chance.pick(wild)
        return Recast(((tile.row, tile.col, "Z" if tile.letter != "Z" else "A"),))
    return _some_word(state, chance) or NoWord()


def _some_word(state: State, chance: Chance) -> Play | None:
    public = state.public
    letters = letters_on(public)
    squares = sorted(letters) or [public.city.start]
    for _ in range(12):
        row, col = chance.pick(squares)
        across = bool(chance.below(2))
        back = chance.below(3)
        row, col = (row, col - back) if across else (row - back, col)
        have = chance.shuffled([*commons(public), *(public.villain or "")])
        text, used = "", 0
        for step in range(2 + chance.below(6)):
            here = (row, col + step) if across else (row + step, col)
            if here in letters:
                text += letters[here]
            elif used < len(have):
                text += have[used] if have[used] != WILD else "*E"
                used += 1
        try:
            return complete(public, text, row, col, across)
        except IllegalMove:
            continue
    return None
