"""Tables of Quick Play laid out by hand, for tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from bot.games.chance import Chance
from bot.games.crossword import line
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import Agree, Event, Laid, Move, Options, Proposal, Propose, State, Tile
from bot.games.game import Moment, Turn, Words

EAST = Options(map="east", edge="east", hq_side="day", map_side="day")


class Book:
    """A lexicon of a few words; None holds everything."""

    def __init__(self, words: Iterable[str] | None = None) -> None:
        self.words = None if words is None else set(words)
        self.asked: list[str] = []

    def legal(self, word: str) -> bool:
        self.asked.append(word)
        return self.words is None or word in self.words

    def common(self, word: str) -> bool:
        return self.legal(word)

    def related(self, first: str, second: str) -> bool:
        return False

    def matching(self, pattern: str) -> list[str]:
        self.asked.append(pattern)
        assert self.words is not None, "a book that holds everything is not searched"
        return sorted(filter(re.compile(pattern.replace("?", "[A-Z]")).fullmatch, self.words))


def moment(now: int = 0, book: Book | None = None, seq: int = 1, seed: bytes = b"test") -> Moment:
    return Moment(now, Chance(seed, seq, "play"), Words(book or Book()))


def dealt(seats: int = 3, options: Options = EAST, seed: bytes = b"test") -> State:
    return DEFENDERS.deal(seats, options, moment(seq=0, seed=seed))


def tiles(letters: str, owner: int = 0) -> tuple[Tile, ...]:
    return tuple(Tile(letter, owner) for letter in letters)


def letters(*words: tuple[str, int, int, bool], now: int = 1) -> tuple[Laid, ...]:
    """Words laid on the map: (word, row, column, across); a lower-case letter is a wildcard."""
    laid: dict[tuple[int, int], Laid] = {}
    for word, row, col, across in words:
        for letter, (r, c) in zip(word, line(row, col, across, len(word)), strict=True):
            laid.setdefault((r, c), Laid(r, c, letter.upper(), letter.islower(), 0, now))
    return tuple(laid.values())


def at_word(state: State | None = None, commons: str = "", **changes: Any) -> State:
    """A state in phase 2: no villain letter unless one is named, ``commons`` on Contribution Spaces."""
    state = state or dealt()
    fields: dict[str, Any] = {"phase": "word", "villain": None, "contributed": tiles(commons), **changes}
    return replace(state, public=replace(state.public, **fields))


def play(
    state: State, seat: int | None, move: Move, now: int = 0, book: Book | None = None
) -> Turn[State, Event]:
    return DEFENDERS.play(state, seat, move, moment(now, book))


def carried(state: State, matter: Any, now: int = 0, book: Book | None = None) -> Turn[State, Event]:
    """What comes of a matter that everybody agrees to."""
    seats = range(state.public.seats)
    proposal = Proposal(seats[-1], matter, now, agreed=tuple(seats[1:]))
    last = replace(state, public=replace(state.public, proposal=proposal))
    play(state, seats[-1], Propose(matter), now, book)  # refuses what no proposal could be
    if len(seats) == 1:
        return play(state, 0, Propose(matter), now, book)
    return play(last, 0, Agree(), now, book)
