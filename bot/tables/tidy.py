"""Takes a person's older private messages away, so that a game does not bury the channel in them.

Discord keeps a private answer until its reader dismisses it or restarts their app. Of each person at each table the
``KEPT`` that were used last stay: a preview beside the log, a hand beside what was said about it. Only the token of an
interaction opens a private message, and it lives 15 minutes; a message that nobody has used for so long stays where it is,
and so does what a bot had said before it was restarted.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, NamedTuple

import discord
import structlog

from bot.tables.network import passes

KEPT = 2
TOKEN = 14 * 60_000  # ms; Discord's live 15 minutes
PLACES = 4096  # of which private messages are remembered

Delete = Callable[[], Coroutine[Any, Any, Any]]
_Place = tuple[int, int]  # a person and a table

log = structlog.get_logger()


class _Message(NamedTuple):
    delete: Delete
    until: int  # ms; when its token dies


class Tidy:
    """The private messages of each person and table; ``now``: ms."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._messages: OrderedDict[_Place, OrderedDict[int, _Message]] = OrderedDict()
        self._places: dict[int, _Place] = {}  # where each message counts
        self._tasks: set[asyncio.Task[None]] = set()

    def used(self, user: int, table: int, messages: Mapping[int, Delete], pressed: int | None = None) -> None:
        """Note private messages that a person has just used or been shown, anew or in place; older ones go.

        Args:
            table: 0 where none is meant. A message that tells of another table than before counts there alone.
            messages: what deletes each, by its id.
            pressed: the private message that was pressed; it was used, whatever the answer was.
        """
        if pressed is not None and pressed in self._places:
            self._messages[self._places[pressed]].move_to_end(pressed)
        if not messages:
            return
        place = (user, table)
        known = self._messages.setdefault(place, OrderedDict())
        self._messages.move_to_end(place)
        if len(self._messages) > PLACES:
            _, forgotten = self._messages.popitem(last=False)
            for message in forgotten:
                del self._places[message]
        now = self._now()
        for message, delete in messages.items():
            before = self._places.get(message, place)
            if before != place:
                del self._messages[before][message]
            self._places[message] = place
            known[message] = _Message(delete, now + TOKEN)
            known.move_to_end(message)
        while len(known) > KEPT:
            number, oldest = known.popitem(last=False)
            del self._places[number]
            if oldest.until > now:
                task = asyncio.create_task(self._delete(oldest.delete))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Delete no more."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _delete(self, delete: Delete) -> None:
        """Delete a message, if it can be done; its reader may have dismissed it, and it is in nobody's way if it stays."""
        try:
            await delete()
        except discord.HTTPException as error:
            log.debug("not_deleted", code=error.code)
        except Exception as error:
            if not passes(error):
                raise
