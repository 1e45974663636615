"""Small dungeons and ways through them, for tests."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.chance import Chance
from bot.games.dungeon.ground import Deed, Monster, Position
from bot.games.dungeon.placement import check, ground_of, read
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import Dungeon, Event, Mark, Move, Options, Scoring, State
from bot.games.game import IllegalMove, Moment, Turn, Words
from bot.words.lexicon import Lexicon

LEXICON = Lexicon.load()
DEN = (Monster("IMP", 2), Monster("GIANT", 3), Monster("OGRE", 2), Monster("TROLL", 3), Monster("DRAGON", 4))


def cavern(*rows: str, **fields: Any) -> Dungeon:
    """A dungeon with a map; a blank reads as floor."""
    given: dict[str, Any] = {
        "key": "cavern",
        "name": "Cavern",
        "tier": 1,
        "story": "Dark.",
        "turns": 12,
        "par": 3,
    }
    marks = {mark for row in rows for mark in row if mark in "~!&"}
    given["legend"] = tuple(Mark(mark, "odd square") for mark in sorted(marks))
    return Dungeon(**{**given, "rows": tuple(row.replace(" ", ".") for row in rows), **fields})


def hall(**fields: Any) -> Dungeon:
    """An empty hall of 12 by 12 squares, its exit far from its start at A1."""
    rows = [" " * 12 for _ in range(12)]
    return cavern(">" + rows[0][1:], *rows[1:11], rows[11][1:] + "<", **fields)


def went(dungeon: Dungeon, *turns: str) -> tuple[Deed, ...]:
    """The turns, each allowed by every rule."""
    here = Position.first(ground_of(dungeon))
    deeds = []
    for turn in turns:
        deeds.append(check(dungeon, here, read(dungeon, turn), LEXICON))
        here = deeds[-1].after
    return tuple(deeds)


def refusal(dungeon: Dungeon, *turns: str) -> str:
    """Why the last of the turns is refused; the others are allowed."""
    here = went(dungeon, *turns[:-1])[-1].after if turns[1:] else Position.first(ground_of(dungeon))
    with pytest.raises(IllegalMove) as caught:
        check(dungeon, here, read(dungeon, turns[-1]), LEXICON)
    return str(caught.value)


def words(deed: Deed) -> tuple[str, ...]:
    return tuple(run.word for run in deed.formed)


def placed(deed: Deed) -> str:
    return "".join(deed.placed)


def moment(now: int = 0, seq: int = 1, seed: bytes = b"dungeon") -> Moment:
    return Moment(now, Chance(seed, seq, "play"), Words(LEXICON))


def dealt(seats: int = 2, dungeon: Dungeon | None = None, **options: Any) -> State:
    chosen = Options(custom=dungeon or hall(), **options)
    return DUNGEON.deal(seats, chosen, moment(seq=0))


def play(state: State, seat: int | None, move: Move | str, now: int = 0) -> Turn[State, Event]:
    if isinstance(move, str):
        move = read(state.public.dungeon, move)
    return DUNGEON.play(state, seat, move, moment(now))


def played(state: State, *moves: tuple[int, Move | str], now: int = 0) -> State:
    for seat, move in moves:
        state = play(state, seat, move, now).state
    return state


TWO_CHESTS = Scoring(chest=2)
