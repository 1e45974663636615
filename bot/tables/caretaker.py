"""Looks after what people leave behind: goes round all tables every few seconds, on a timer of the loop.

Each round sends and takes back notices (``bot.tables.notices``). Once a minute lobbies that nobody starts are ended and
tables at which nobody plays any more are paused; once a day what is stored of servers that removed the bot long ago is
deleted. Rounds never overlap, none runs while the bot cannot hear people, and what a round could not do, since the
database was locked or Discord had a bad minute, the next one does.

Rulings of ours. A time in which the bot was down is no time in which people did nothing: it is added to their patience.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal

import structlog

from bot.games.game import IllegalMove
from bot.store.database import StoreError
from bot.tables.notices import Notices
from bot.tables.publisher import Publisher
from bot.tables.servers import Presence
from bot.tables.service import Service
from bot.tables.table import Table

EVERY = 10_000  # ms between two rounds
HOUSE = 60_000  # ms between two looks at idle tables
DAY = 86_400_000  # ms
LOBBY = 30 * 60_000  # ms without a change after which a lobby is ended
IDLE = 7 * DAY  # ms without an act of a person after which a table is paused
LAST = 5  # s that a round may take to end when the bot is shut

log = structlog.get_logger()


class Caretaker:
    """Goes round; see the module's docstring.

    Args:
        hears: whether the bot hears people now.
        every: ms between two rounds.
        lobby: ms without a change after which a lobby is ended.
        idle: ms without an act of a person after which a live table is paused.
    """

    def __init__(
        self, service: Service, notices: Notices, publisher: Publisher, presence: Presence,
        hears: Callable[[], bool] = lambda: True, *,
        every: int = EVERY, lobby: int = LOBBY, idle: int = IDLE,
    ) -> None:  # fmt: skip
        self.service = service
        self.store = service.store
        self.notices = notices
        self.publisher = publisher
        self.presence = presence
        self.hears = hears
        self.every = every
        self.lobby = lobby
        self.idle = idle
        self._timer: asyncio.TimerHandle | None = None
        self._round: asyncio.Task[None] | None = None
        self._running = self._closed = False
        self._started = 0  # ms
        self._lost = 0  # ms before the start in which the bot was down
        self._housed = 0  # when idle tables were last looked at
        self._purged = 0
        self._unkept: set[int] = set()  # tables of which it was said that nothing can be done

    def start(self, lost: int = 0) -> None:
        """Go round from now on. ``lost``: for how long (ms) the bot was down before."""
        if self._closed:
            return  # asked to end while it was starting
        self._running = True
        self._started = self.service.now()
        self._lost = lost
        self._set()

    async def close(self) -> None:
        """Stop, and let the present round come to its end; once more does nothing."""
        self._running, self._closed = False, True
        if self._timer is not None:
            self._timer.cancel()
        if self._round is not None and not self._round.done():
            _, late = await asyncio.wait([self._round], timeout=LAST)
            for task in late:
                task.cancel()

    async def go_round(self) -> None:
        """Do all that is to be done now. What fails is logged and left to the next round."""
        now = self.service.now()
        await self._try("notices", self.notices.go_round)
        if now - self._housed >= HOUSE:
            self._housed = now
            await self._try("lobbies", self._end_lobbies)
            await self._try("idle tables", self._pause_idle)
        if now - self._purged >= DAY:
            await self._try("servers gone", self._purge)

    # The timer

    def _set(self) -> None:
        if self._running:
            self._timer = asyncio.get_running_loop().call_later(self.every / 1_000, self._ring)

    def _ring(self) -> None:
        self._round = asyncio.get_running_loop().create_task(self._once(), name="caretaker")

    async def _once(self) -> None:
        try:
            if self.hears():
                await self.go_round()
        finally:
            self._set()  # only now, so that rounds never overlap

    async def _try(self, what: str, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except StoreError as error:
            log.warning("not_cared_for", what=what, error=str(error))
        except Exception:
            log.exception("not_cared_for", what=what)

    # The house

    async def _end_lobbies(self) -> None:
        """End the lobbies in which nothing has changed for long; their messages say so.

        One without a place is left from a crash before its thread was made: nobody can see it, so it ends soon.
        """
        lost = [table for table in await self._forsaken("lobby", HOUSE) if table.place is None]
        lost += [table for table in await self._forsaken("lobby", self.lobby) if table.place is not None]
        for table in lost:
            with suppress(IllegalMove):  # it has begun, or somebody has joined, this very moment
                await self.service.end(table.id, revision=table.revision)
                log.info("lobby_ended", table=table.id)

    async def _pause_idle(self) -> None:
        """Pause the tables at which no person has acted for days."""
        days = max(1, self.idle // DAY)
        for table in await self._forsaken("live", self.idle):
            try:
                await self.service.pause(table.id, revision=table.revision)
            except IllegalMove:  # somebody has acted this very moment
                continue
            log.info("idle_table_paused", table=table.id)
            await self.publisher.announce(
                table,
                f"Nobody has played here for {days} {'day' if days == 1 else 'days'}, so the table is paused."
                " Nothing is lost: `/table resume` goes on where you were.",
            )

    async def _forsaken(self, stage: Literal["lobby", "live"], patience: int) -> list[Table]:
        """Return the tables at which no person has acted for so long, as far as they can be reached."""
        now = self.service.now()
        before = now - patience
        if (
            now - self._started < patience
        ):  # after that, whoever has been silent was so while the bot was there
            before -= self._lost
        found = []
        for number in await self.store.idle(stage, before):
            try:
                table = await self.service.table(number)
            except IllegalMove as refusal:  # of a game that is no longer played, or damaged
                if number not in self._unkept:
                    self._unkept.add(number)
                    log.info("not_cared_for", table=number, reason=str(refusal))
                continue
            idle = (
                table.stage == stage and table.acted <= before
            )  # it may have changed since they were listed
            if idle and self.publisher.places.there(table.guild):
                found.append(table)
        return found

    async def _purge(self) -> None:
        await self.presence.purge()
        self._purged = self.service.now()
