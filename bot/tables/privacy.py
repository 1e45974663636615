"""What is stored of a person: told in sentences, exported whole, deleted.

Deleting takes a person out of every row: lobbies lose a seat, at live tables an automaton plays on, and at tables that
are over the seat stays as ``Player 2``, since the game was others' too. Nothing of others is ever shown or exported, and
no state, which holds everyone's secrets.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import discord
import msgspec
import structlog

from bot.games.game import IllegalMove
from bot.store.rows import Forgotten
from bot.tables.network import passes
from bot.tables.service import Service
from bot.tables.table import Table

log = structlog.get_logger()


class Section(msgspec.Struct, frozen=True):
    """A part of what is stored of a person (``Store.stored_of``): how it is counted, and what it is for."""

    one: str
    many: str
    purpose: str

    def counted(self, number: int) -> str:
        """Return how much of it there is, in words."""
        return f"{number} {self.one if number == 1 else self.many}"


SECTIONS: Mapping[str, Section] = {
    "seats": Section(
        "seat at a table, with your name",
        "seats at tables, with your name",
        "Who sits where, by which name, since when. Needed to know whose turn it is and who may see a hand.",
    ),
    "tables_opened": Section(
        "table that you opened",
        "tables that you opened",
        "Who opened a table. Needed to know who may change or close it.",
    ),
    "moves_made": Section(
        "move that you made",
        "moves that you made",
        "The moves, in order (seq) and by table time (ms since the deal). Needed to go on after a restart, to undo"
        " and to replay.",
    ),
    "private_messages": Section(
        "private message with your letters",
        "private messages with your letters",
        "Where a private message is, not what it says. Needed to edit it instead of sending another.",
    ),
    "drafts": Section(
        "draft of a move",
        "drafts of moves",
        "What was prepared or typed and is not played yet. Dropped at the seat's next move.",
    ),
    "votes": Section(
        "answer to an open question",
        "answers to open questions",
        "Answers to questions at a table. Dropped when the table is over.",
    ),
    "calls": Section(
        "table to which you were called",
        "tables to which you were called",
        "Who was called to a table that waits (1: called, 2: reminded, 3: the others were asked), so that nobody is"
        " called twice.",
    ),
    "records": Section(
        "result in a list of the best",
        "results in lists of the best",
        "What a game that you finished came to, and when (ms since 1970). Needed for the lists, and to know the first"
        " attempt at a daily dungeon.",
    ),
    "notices": Section(
        "notice that you need not get twice",
        "notices that you need not get twice",
        "What a person was told once, and when (ms since 1970).",
    ),
}

EXACT = 2**53  # a whole number from here on may be rounded by who reads JSON

_FORMAT = (
    "Each section lists rows of the database. 'tbl' and 'id' are numbers of tables; 'seat' counts from 0; 'skill' is set"
    " where an automaton plays for you; times are ms. Ids of servers, channels and messages are Discord's."
)


async def take_away(bot: discord.Client, channel: int, message: int) -> bool:
    """Delete a private message; False when Discord has a bad minute and may do it another time.

    One that is gone, or in a channel that is closed to the bot, is done with: nothing more can be done.
    """
    try:
        await bot.get_partial_messageable(channel).get_partial_message(message).delete()
    except Exception as error:
        again = passes(error)
        if not again and not isinstance(error, discord.HTTPException):
            raise
        log.info("private_message_stays", code=getattr(error, "code", 0))
        return not again
    return True


class Privacy:
    """What the host knows of people."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.store = service.store

    async def told(self, user: int) -> tuple[str, ...]:
        """Return how much is stored of a person, a line for each section that has something."""
        stored = await self.store.stored_of(user)
        return tuple(
            section.counted(len(stored[name])) for name, section in SECTIONS.items() if name in stored
        )

    async def export(self, user: int) -> bytes:
        """Return everything that is stored of a person as readable JSON, with what each section is for."""
        stored = await self.store.stored_of(user)
        sections = {
            name: {
                "what": section.purpose,
                "rows": [_readable(row) for row in stored.get(name, ())],
            }
            for name, section in SECTIONS.items()
        }
        whole = {"user": str(user), "made_at": self.service.now(), "format": _FORMAT, "stored": sections}
        return msgspec.json.format(msgspec.json.encode(whole), indent=2)

    async def open_tables(self, user: int) -> tuple[Table, ...]:
        """Return the tables that a deletion would make a person leave; newest first."""
        return await self.service.tables_of(user)

    async def delete(self, user: int) -> Forgotten:
        """Take a person out of everything that is stored; the messages that Discord still holds are the caller's to delete.

        Interrupted and asked again, it goes on where it was; only where messages were may then be known no more.
        """
        left = await self.service.tables_of(user)
        for table in left:
            with contextlib.suppress(
                IllegalMove
            ):  # an automaton has the seat already, or the table has ended
                await self.service.leave(table.id, user)
        forgotten = await self.store.forget(user)
        for table in left:
            await self._show(table.id)
        return forgotten

    async def _show(self, table: int) -> None:
        """Let a table's listeners, and its messages with them, learn that a seat has no name any more."""
        with contextlib.suppress(IllegalMove):
            found = await self.service.table(table)
            if found.stage != "over":
                await self.service.set_place(table, found.channel, found.thread)


def _readable(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as JSON can tell it: moves and drafts taken apart, Discord's ids as text, since some readers round
    large numbers.
    """
    return {name: _value(value) for name, value in row.items()}


def _value(value: Any) -> Any:
    if isinstance(value, bytes):
        return _opened(value)
    return str(value) if isinstance(value, int) and value >= EXACT else value


def _opened(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError:
        return raw.decode("utf-8", "backslashreplace")
