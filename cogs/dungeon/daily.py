"""The dungeon of the day: made ahead of need by the worker, and kept.

It follows from the date (UTC) alone, so it is the same on every server and for every bot. Making it takes seconds of search,
an attempt after the other, so that automata and hints have their turn in between. What was made is a fact in the database,
and no restart makes it again. Who asks too early makes it begin at once, and asks again.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import re
from collections.abc import Callable

import msgspec
import structlog

from bot.games.dungeon.generate import ATTEMPTS, attempt_of_day
from bot.games.dungeon.state import Dungeon
from bot.games.game import Codec
from bot.store.database import StoreError
from bot.store.store import Store
from bot.tables.worker import Busy, Thinker, WorkerError

DAYS = (0, 1)  # from today: of which days the dungeon is made ahead
AFTER = 60.0  # s after the start until that begins
PATIENCE = 10.0  # s that who asks too early waits
REST = 60.0  # s until it is tried again when it failed
MIDNIGHT = 30.0  # s after midnight at which the next day's begins

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

log = structlog.get_logger()

_dungeons: Codec[Dungeon] = Codec(Dungeon)


def date_of(now: int, days: int = 0) -> str:
    """Return the date (UTC) of a time in ms since 1970, ``days`` later: ``2030-01-31``."""
    moment = datetime.datetime.fromtimestamp(now / 1_000, datetime.UTC)
    return (moment + datetime.timedelta(days=days)).date().isoformat()


def end_of(date: str) -> int:
    """Return when a day (UTC) ends, in s since 1970."""
    day = datetime.datetime.fromisoformat(date).replace(tzinfo=datetime.UTC)
    return int((day + datetime.timedelta(days=1)).timestamp())


def spoken(date: str) -> str:
    """Return a date as a title has it: ``31 January``."""
    _, month, day = date.split("-")
    return f"{int(day)} {MONTHS[int(month) - 1]}"


def day_of(dungeon: Dungeon) -> str:
    """Return the date of which a dungeon was the daily one, or nothing."""
    found = re.fullmatch(r"daily-(\d{4}-\d\d-\d\d)", dungeon.key)
    return found[1] if found else ""


class Dailies:
    """Makes and keeps the dungeons of the days.

    Args:
        now: the wall clock in ms.
        thinker: where they are made.
        after: seconds after ``start`` until dungeons are made that nobody has asked for.
        patience: seconds for which ``awaited`` waits.
    """

    def __init__(
        self, store: Store, now: Callable[[], int], thinker: Thinker, *, after: float = AFTER,
        patience: float = PATIENCE,
    ) -> None:  # fmt: skip
        self.store = store
        self.now = now
        self.after = after
        self.patience = patience
        self._made = asyncio.Event()  # set, and put by for a new one, when a dungeon has been made
        self._thinker = thinker
        self._known: dict[str, Dungeon] = {}
        self._digging: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def start(self) -> None:
        """Begin to make dungeons ahead, after a while."""
        self._again(self.after)

    async def dungeon(self, date: str) -> Dungeon | None:
        """Return the dungeon of a date, or None when it has not been made; that of today is then begun."""
        found = self._known.get(date) or await self._stored(date)
        if found is not None:
            self._known = {**self._known, date: found} if len(self._known) < 8 else {date: found}
            return found
        if date == date_of(self.now()):
            self._dig()
        return None

    async def awaited(self, date: str) -> Dungeon | None:
        """Return what ``dungeon`` returns, once it is there if that is today's and does not take too long."""
        made = self._made
        found = await self.dungeon(date)
        if found is not None or date != date_of(self.now()):
            return found
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(made.wait(), self.patience)
        return await self.dungeon(date)

    async def close(self) -> None:
        """Stop; what is being made is given up."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._digging is not None:
            self._digging.cancel()
            await asyncio.wait([self._digging])

    async def _stored(self, date: str) -> Dungeon | None:
        raw = await self.store.fact(f"daily/{date}")
        try:
            return None if raw is None else _dungeons.load(raw.encode())
        except msgspec.DecodeError:  # of another release, or damaged: it is made anew
            return None

    def _again(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._closed:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._dig)

    def _dig(self) -> None:
        if self._closed or (self._digging is not None and not self._digging.done()):
            return
        self._digging = asyncio.create_task(self._dig_all(), name="daily dungeons")

    async def _dig_all(self) -> None:
        """Make what is missing of the next days, then wait for midnight."""
        try:
            dates = [date_of(self.now(), days) for days in DAYS]
            missing = [date for date in dates if await self._stored(date) is None]
            for date in missing:
                await self._make(date)
        except (Busy, WorkerError, StoreError) as error:
            log.warning("daily_not_made", error=str(error))
            self._again(REST)
            return
        self._again(self._until_midnight() + MIDNIGHT)

    async def _make(self, date: str) -> None:
        for attempt in range(ATTEMPTS):
            dungeon = await self._thinker.think(attempt_of_day, date, attempt)
            if dungeon is not None:
                await self.store.set_fact(f"daily/{date}", _dungeons.dump(dungeon).decode())
                self._made.set()
                self._made = asyncio.Event()
                log.info("daily_made", date=date, attempts=attempt + 1)
                return
        raise WorkerError(f"no attempt at the dungeon of {date} came to anything")

    def _until_midnight(self) -> float:
        return (86_400_000 - self.now() % 86_400_000) / 1_000
