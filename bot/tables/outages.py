"""Servers that Discord cannot reach for a while: their tables stand still and go on by themselves.

Nobody there can press or see anything, so no silence may end. Which tables stand still for that reason, and since when,
is one fact in the database, so that a restart in the middle of an outage forgets none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import msgspec
import structlog

from bot.tables.ledger import OUTAGES, outages_of
from bot.tables.service import Service

log = structlog.get_logger()


class Outages:
    """Stops and starts the tables of servers with an outage."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._changing = asyncio.Lock()

    async def begin(self, guild: int) -> None:
        """A server is out of reach from now on; once more does what an earlier try has left over."""
        async with self._changing:
            since = await outages_of(self.service.store)
            if guild not in since:
                since[guild] = self.service.now()
                await self._write(since)  # first, so that no crash leaves a table standing for good
            await self.service.halt(guild, since[guild])
        log.info("outage_began", guild=guild)

    async def end(self, guild: int) -> None:
        """A server is there (again): what stood still for the outage alone goes on."""
        async with self._changing:
            since = await outages_of(self.service.store)
            began = since.pop(guild, None)
            if began is None:
                return
            await self.service.go_on(guild, began)
            await self._write(since)
        log.info("outage_ended", guild=guild)

    async def compare(self, available: Collection[int]) -> None:
        """Learn at the start which outages ended while the bot was down; these servers can be reached."""
        for guild in (await outages_of(self.service.store)).keys() & set(available):
            await self.end(guild)

    async def _write(self, since: dict[int, int]) -> None:
        await self.service.store.set_fact(OUTAGES, msgspec.json.encode(since).decode())
