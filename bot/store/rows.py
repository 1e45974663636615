"""What the database holds, as values: tables, seats, moves, records, messages.

Times are whole milliseconds since the Unix epoch; ``at`` of a move, and it alone, is table time. States, moves, events and
options are bytes here: the store knows no game.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Stage = Literal["lobby", "live", "over"]


class Seat(msgspec.Struct, frozen=True, array_like=True):
    """Who sits where. ``skill`` set: an automaton plays; with ``user`` set too it stands in for that person."""

    seat: int
    user: int | None
    name: str
    skill: int | None
    joined: int
    awaited: bool = False
    since: int = 0  # when it began to be awaited

    @property
    def forgotten(self) -> bool:
        """Whether the person who sat here had their data deleted."""
        return self.user is not None and self.user < 0

    @property
    def nameless(self) -> bool:
        """Whether somebody sat here who has been forgotten since; at a live table the seat is then the automaton's."""
        return self.forgotten or (self.user is None and self.joined == 0)

    @property
    def person(self) -> bool:
        """Whether a person plays this seat now."""
        return self.skill is None


class Row(msgspec.Struct, frozen=True, array_like=True):
    """A table as it is stored, without its state."""

    id: int
    game: str
    version: int
    stage: Stage
    guild: int | None
    channel: int | None
    thread: int | None
    opener: int
    options: bytes
    seed: bytes
    seq: int
    revision: int
    at: int
    opened: int
    lost: int
    paused_at: int | None
    due: int | None
    wake: int | None
    created: int
    ended: int | None
    result: bytes | None
    acted: int
    follows: int | None
    aside: str | None
    seats: tuple[Seat, ...] = ()


class Logged(msgspec.Struct, frozen=True, array_like=True):
    """A row of the log; ``at`` is table time.

    ``seat`` None is the host, with ``move`` None too an expired clock. ``undone``: this row took that move back.
    """

    seq: int
    seat: int | None
    user: int | None
    at: int
    move: bytes | None
    events: bytes
    words: bytes
    undo: str
    undone: int | None = None


class Entry(msgspec.Struct, frozen=True):
    """Everything that one move writes, in one transaction. ``now`` dates the bot's last sign of life."""

    table: int
    logged: Logged
    now: int
    state: bytes
    version: int
    awaited: frozenset[int]
    due: int | None
    wake: int | None
    ended: int | None = None
    result: bytes | None = None
    acted: bool = False
    records: tuple[Achieved, ...] = ()


class Achieved(msgspec.Struct, frozen=True, array_like=True):
    """What a seat leaves for the lists of the best at the end of a game; ``detail`` is JSON."""

    seat: int
    course: str
    score: int
    turns: int
    detail: bytes


class Best(msgspec.Struct, frozen=True, array_like=True):
    """A record in a list of the best, and whose it is. ``at``: wall clock, ms."""

    user: int
    name: str
    table: int
    course: str
    score: int
    turns: int
    detail: bytes
    at: int


class Forgotten(msgspec.Struct, frozen=True):
    """Of whom the store knows nothing any more: seats; ``messages``: where their hands were, (channel, message) each."""

    seats: int
    messages: tuple[tuple[int, int], ...]


class Awaited(msgspec.Struct, frozen=True, array_like=True):
    """A person for whom a table waits: since when, and how far they have been called (``stage``; 0: not yet)."""

    table: int
    seat: int
    since: int
    stage: int


class Message(msgspec.Struct, frozen=True, array_like=True):
    """A message that Discord holds for an audience: ``board``, ``hand/<seat>``, ``notice``, or a question's ``asked/…``.

    ``shown`` is the table's revision that it shows, the watermark by which a crash heals; ``digest`` is the
    publisher's own mark of the content, to leave out an edit that would change nothing.
    """

    audience: str
    channel: int
    message: int
    shown: int
    posted_at: int
    digest: str = ""
