"""What is said of a table: the table as cogs see it, what has just been stored, what a viewer may know, and why not."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from bot.games.game import Game, IllegalMove, Result, Undo
from bot.store.rows import Seat, Stage

AnyGame = Game[Any, Any, Any, Any, Any]
Happening = Literal["lobby", "deal", "move", "seats", "pause", "vote", "end"]


class NoTable(IllegalMove):
    """There is no such table."""


class Full(IllegalMove):
    """There are as many tables as may be, of a person or (``guild``) of a server."""

    def __init__(self, text: str, guild: int | None = None) -> None:
        super().__init__(text)
        self.guild = guild


class NotLive(IllegalMove):
    """The table has not begun, is over or is paused."""


class Stale(IllegalMove):
    """The click is of an older epoch of its seat: show a fresh panel instead."""


class Aside(IllegalMove):
    """The table's record is damaged; it rests until its host has mended it."""

    def __init__(self, code: str) -> None:
        super().__init__(
            f"This table's record is damaged, so it has been set aside (code {code}). Whoever hosts me can look into it."
        )


class Unreadable(IllegalMove):
    """A row of the table's log cannot be read; the state can, so the game goes on."""

    def __init__(self) -> None:
        super().__init__(
            "Part of this table's log cannot be read, so I cannot do that. The game itself goes on."
        )


class Committed(msgspec.Struct, frozen=True):
    """What has just been stored.

    For ``move`` the move itself: ``seat`` None is the host, with ``move`` None an expired clock; ``undone`` is the
    number of the move that was taken back instead, ``undo`` says until when this one can be. ``state`` holds
    secrets: make texts of ``events`` through ``game.heard_by`` and of ``state`` through ``game.seen_by``. For
    ``seats``, ``pause``, ``vote`` and ``end`` the state is None.
    """

    table: int
    what: Happening
    game: AnyGame
    seq: int
    revision: int
    due: int | None = None  # wall clock, ms
    wake: int | None = None  # wall clock, ms
    state: Any = None
    seat: int | None = None
    by: int | None = None
    move: Any = None
    events: tuple[Any, ...] = ()
    undone: int | None = None
    undo: Undo = "never"


class Table(msgspec.Struct, frozen=True):
    """A table as cogs see it: no state, no seed."""

    id: int
    game: AnyGame
    stage: Stage
    guild: int | None
    channel: int | None
    thread: int | None
    opener: int
    options: Any
    seats: tuple[Seat, ...]
    seq: int
    revision: int
    opened: int  # wall clock, ms: when table time was 0
    lost: int  # ms
    paused_at: int | None
    due: int | None  # wall clock, ms
    created: int
    ended: int | None
    result: Result | None  # None of a table over: it was ended
    acted: int  # wall clock, ms: when a person last did something here
    follows: int | None  # the table of which this is the rematch
    cut_off: bool = False  # it is paused because its server cannot be reached, and goes on by itself

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def persons(self) -> tuple[Seat, ...]:
        """The seats that people play now."""
        return tuple(seat for seat in self.seats if seat.person)

    @property
    def automata(self) -> tuple[Seat, ...]:
        """The seats that automata play now."""
        return tuple(seat for seat in self.seats if not seat.person)

    @property
    def place(self) -> int | None:
        """The Discord channel or thread in which the table is shown."""
        return self.thread if self.thread is not None else self.channel

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat that belongs to a user, whoever plays it now."""
        return next((seat for seat in self.seats if seat.user == user), None)

    def wall(self, at: int) -> int:
        """Return when a table time comes by the wall clock (ms), if the table is not paused again."""
        return self.opened + self.lost + at


class Look(msgspec.Struct, frozen=True):
    """What a viewer may know of a live table or one that is over, all of one moment."""

    table: Table
    seat: int | None
    view: Any
    epoch: int
    awaited: frozenset[int]
    played_out: bool  # the rules have a result; a table over without one was ended


class Recorded(msgspec.Struct, frozen=True):
    """A move of the log, decoded. It holds secrets until the table is over."""

    seq: int
    seat: int | None
    by: int | None
    at: int  # table time, ms
    move: Any
    events: tuple[Any, ...]
    undone: int | None  # this row took that move back


class Tally(msgspec.Struct, frozen=True):
    """How the people at a table stand to a question. ``carried``: all agree; ``lost``: somebody does not."""

    purpose: str
    yes: tuple[int, ...]
    no: tuple[int, ...]
    missing: tuple[int, ...]

    @property
    def carried(self) -> bool:
        """Whether everybody who has a vote agrees."""
        return not self.no and not self.missing

    @property
    def lost(self) -> bool:
        """Whether somebody disagrees."""
        return bool(self.no)
