"""A person's private dungeons: beginning one, or going on with the one that there is.

A solo, the daily dungeon among them, is a private table that no channel shows: the panel that answers is the whole game, and
``/dungeon show`` brings it back.
"""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from bot.games.dungeon.dungeons import DUNGEONS, without_route
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import Dungeon, Options
from bot.tables.answer import Answer
from bot.tables.face import Button, Panel
from bot.tables.router import Router
from bot.tables.table import Table
from cogs.dungeon import scores
from cogs.dungeon.daily import Dailies, date_of, spoken
from cogs.dungeon.panels import TODAY

PRACTICE = "This one is practice and stands in no list."
DIGGING = "Today’s dungeon is still being dug. It takes a minute at most, once a day."
GOES_ON = "You go on where you were."


class Solos:
    """Begins people's private dungeons."""

    def __init__(self, router: Router, dailies: Dailies) -> None:
        self._router = router
        self._dailies = dailies
        self._door = asyncio.Lock()  # who asks twice at once begins one dungeon

    async def begin(self, answer: Answer, wanted: Dungeon | None) -> None:
        """Begin a solo, or go on with the one that there is; without a wish the easiest that is left to do."""
        user = answer.interaction.user.id
        async with self._door:
            for table in await self._open(user):
                options: Options = table.options
                known = not options.daily and options.custom is None
                if known and wanted in (None, DUNGEONS.get(options.dungeon)):
                    await self._router.show_hand(answer, table.id, note=GOES_ON)
                    return
            key = wanted.key if wanted is not None else await self._easiest_left(user)
            await self._router.begin(answer, DUNGEON.key, Options(mode="solo", dungeon=key))

    async def begin_daily(self, answer: Answer, meant: str = "") -> None:
        """Begin today's dungeon, or go on with it; ``meant``: the day of which somebody thinks."""
        service = self._router.service
        user, date = answer.interaction.user.id, date_of(service.now())
        past = "" if meant in ("", date) else f"The dungeon of {spoken(meant)} has closed; this is today’s. "
        dungeon = await self._dailies.awaited(date)
        if dungeon is None:
            again = Button("Try again", TODAY, meant, "main")
            await answer.panel(Panel("Today’s dungeon", DIGGING, rows=((again,),)), answer.table, None)
            return
        dungeon = without_route(dungeon)
        async with self._door:
            for table in await self._open(user):
                if table.options.custom == dungeon:
                    note = GOES_ON if table.options.daily else PRACTICE
                    await self._router.show_hand(answer, table.id, note=past + note)
                    return
            first = await service.store.best(f"daily/{date}", user=user, first=True)
            note = past.rstrip()
            options = Options(mode="solo", custom=dungeon, daily=date)
            if first:
                note = f"{past}Your first attempt counts: {scores.score(first[0])}. {PRACTICE}"
                options = replace(options, daily="")
            await self._router.begin(answer, DUNGEON.key, options, note=note)

    async def _open(self, user: int) -> list[Table]:
        """Return the private dungeons in which a person is, the latest first."""
        return [
            table
            for table in await self._router.service.tables_of(user)
            if table.game.key == DUNGEON.key
            and table.stage == "live"
            and table.options.mode == "solo"
            and table.place is None
        ]

    async def _easiest_left(self, user: int) -> str:
        """Return the key of the easiest dungeon that a person has not left yet, or ``any``."""
        known = {one.course for one in await self._router.service.store.best("dungeon/*", user=user)}
        return next((key for key in DUNGEONS if f"dungeon/{key}" not in known), "any")
