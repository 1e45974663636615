"""The clock of all tables: one timer, at the nearest time at which silence ends or automata are to be asked.

Deadlines are numbers in the database; nothing ticks, and nothing here waits on an event or a queue: a timer of the
loop is set to the nearest and set anew by whatever comes earlier. One table's fault is logged and tried again, later
and later; it stops neither the clock nor another table.

A heartbeat dates the bot's last moment. ``recover`` and ``gap`` give back to every table the time in which nobody
could have been heard: table time stands still from that moment to READY, and over a gap of the gateway that ended
without RESUME. While the gap lasts no silence ends (``hold``), since an objection that was made in time may still be on
its way; a gap of one shard among many holds the others up for a minute at most.

``Timekeeper`` is the wall clock, set by Discord's own: deadlines and the stamps of messages are then on one time. It
stands on a clock of the machine that nobody can set, so the machine's correction of its own time moves no deadline.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from bot.store.database import StoreError
from bot.tables.automata import Automata
from bot.tables.service import Service
from bot.tables.table import Committed

log = structlog.get_logger(__name__)

HOLD = 60_000  # ms; the clock of all is not held up for longer by a gateway that cannot be heard
LONGEST = 10_000  # ms; a machine may sleep or its clock be set, so no timer is trusted for longer
BEAT_LIVE = 1_000  # ms between heartbeats while a table's time runs out
BEAT_IDLE = 30_000
THINKING = 4  # tables whose automata think at once; a worker's queue has room for hints besides
FIRST_REST = 500  # ms until a table is tried again after its first fault; doubled with each further one
LONGEST_REST = 60_000
DISCORD_EPOCH = 1_420_070_400_000
OFFSET_ALARM = 1_000  # ms
LATE = 5_000  # ms; an event that is on its way for longer dates nothing


STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # the former goes on while a machine sleeps


def _steady() -> int:
    return time.clock_gettime_ns(STEADY)


_SET = time.time_ns() - _steady()


def wall_clock() -> int:
    """Return the time in ms: this machine's as it was at the start, and as it has gone on since, never set anew."""
    return (_SET + _steady()) // 1_000_000


class Timekeeper:
    """The wall clock on Discord's time.

    An event reaches us some while after Discord stamped it, so each stamp says that Discord's time is at least so
    much; the best of the last ``window`` stamps is the estimate. An event that is late by seconds (Discord repeats what
    a broken connection has missed) says nothing about the time and is passed over, so that even a hundred of them set
    no deadline back.
    """

    def __init__(self, local: Callable[[], int] = wall_clock, *, window: int = 64) -> None:
        self._local = local
        self._stamps: deque[int] = deque(maxlen=window)
        self._alarmed = False

    @property
    def offset(self) -> int:
        """How much Discord's clock is ahead of this machine's, in ms."""
        return max(self._stamps, default=0)

    def now(self) -> int:
        """Return the present by Discord's clock, in ms since the Unix epoch."""
        return self._local() + self.offset

    def observe(self, snowflake_ms: int) -> None:
        """Take note of the time (ms since the Unix epoch) in the snowflake of an event that has just come in."""
        stamp = snowflake_ms - self._local()
        if self._stamps and stamp < self.offset - LATE:
            return
        self._stamps.append(stamp)
        alarming = abs(self.offset) > OFFSET_ALARM
        if alarming and not self._alarmed:
            log.warning("clock_differs", milliseconds=self.offset)
        self._alarmed = alarming


def snowflake_time(snowflake: int) -> int:
    """Return the time in a snowflake, in ms since the Unix epoch."""
    return (snowflake >> 22) + DISCORD_EPOCH


class Clock:
    """Strikes at every table when its time has come; see the module's docstring.

    Args:
        service: the tables; their ``now`` is the clock's time.
        automata: asked when a table's ``wake`` has come.
        beat_live, beat_idle: ms between heartbeats, with and without a table whose time runs out.
    """

    def __init__(
        self, service: Service, automata: Automata, *,
        beat_live: int = BEAT_LIVE, beat_idle: int = BEAT_IDLE,
    ) -> None:  # fmt: skip
        self._service = service
        self._store = service.store
        self._automata = automata
        self._beat_live = beat_live
        self._beat_idle = beat_idle
        self._timer: asyncio.TimerHandle | None = None
        self._at: int | None = None  # what the timer is set to
        self._beat: asyncio.TimerHandle | None = None
        self._ringing = False
        self._again = False
        self._running = False
        self._held_until: int | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinking: set[int] = set()
        self._faults: dict[int, int] = {}
        self._resting: dict[int, int] = {}  # until when a faulty table is left alone
        service.listen(self._heard)

    async def start(self) -> None:
        """Run from now on; call ``recover`` before."""
        self._running = True
        await self._store.beat(self._service.now())
        self._next_beat(self._beat_live)
        await self._arm()

    async def close(self) -> None:
        """Stop; what was due is due again after the next start. Once more does nothing."""
        if not self._running:
            return
        self._running = False
        self._unset()
        if self._beat is not None:
            self._beat.cancel()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._store.beat(self._service.now())

    async def recover(self) -> int:
        """Give the tables back the time since the last heartbeat; returns it (ms). For READY, before ``start``."""
        last = await self._store.last_beat()
        lost = 0 if last is None else max(0, self._service.now() - last)
        await self.gap(lost)
        return lost

    async def gap(self, milliseconds: int) -> None:
        """Give the tables back a time in which nobody could be heard."""
        if milliseconds > 0:
            tables = await self._store.shift(milliseconds, self._service.now())
            log.info("time_stood_still", milliseconds=milliseconds, tables=tables)
        self._unset()
        await self._arm()

    def hold(self) -> None:
        """Strike nowhere from now on: nobody can be heard. Ends with ``release``, or by itself after a minute."""
        if self._held_until is None:
            self._held_until = self._service.now() + HOLD

    async def release(self) -> None:
        """Strike again where it is time."""
        self._held_until = None
        self._unset()
        await self._arm()

    # The timer

    def _heard(self, table: int, committed: Committed) -> None:
        if committed.what in ("deal", "move"):
            self._faults.pop(table, None)
            self._resting.pop(table, None)
        for at in (committed.due, committed.wake):
            if at is not None:
                self._set(at)
        if committed.due is not None:
            self._quicken()

    def _set(self, at: int) -> None:
        """Set the timer to ``at``, or leave it where it is when that is earlier: to ring in vain does no harm."""
        if not self._running or (self._at is not None and self._at <= at):
            return
        self._unset()
        self._at = at
        wait = min(max(0, at - self._service.now()), LONGEST)
        self._timer = asyncio.get_running_loop().call_later(wait / 1_000, self._ring)

    def _unset(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._at = self._timer = None

    def _ring(self) -> None:
        self._unset()
        if self._held_until is not None and self._service.now() < self._held_until:
            self._set(self._held_until)
            return
        if self._ringing:
            self._again = True
            return
        self._ringing = True
        self._spawn(self._strike())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _arm(self) -> None:
        """See to it that the timer rings at the nearest time of all tables at the latest."""
        times: list[int | None] = list(self._resting.values())
        try:
            times.append(await self._store.nearest("due", self._resting.keys()))
            if len(self._thinking) < THINKING:
                times.append(await self._store.nearest("wake", self._resting.keys() | self._thinking))
        except StoreError:
            log.exception("clock_unreadable")
            times.append(self._service.now() + FIRST_REST)
        known = [at for at in times if at is not None]
        if known:
            self._set(min(known))

    # What happens when it rings

    async def _strike(self) -> None:
        try:
            self._again = True
            while self._again:
                self._again = False
                now = self._service.now()
                self._wake_rested(now)
                self._again |= await self._expire(now)
                await self._think(now)
        except Exception:
            log.exception("clock_failed")
            self._set(self._service.now() + FIRST_REST)
        else:
            await self._arm()
            if self._again:
                self._set(self._service.now())
        finally:
            self._ringing = False

    async def _expire(self, now: int) -> bool:
        """Strike at every table whose time has come; whether one moved, so that more may be due by now."""
        moved = False
        for table in await self._store.due_by(now):
            if table in self._resting:
                continue
            try:
                moved |= await self._service.expire(table) is not None
            except Exception:
                self._rest(table, "clock_failed")
        return moved

    async def _think(self, now: int) -> None:
        """Let the automata of tables whose time has come think, some beside one another."""
        for table in await self._store.awake_by(now):
            if len(self._thinking) >= THINKING:
                return
            if table not in self._resting and table not in self._thinking:
                self._thinking.add(table)
                self._spawn(self._act(table))

    async def _act(self, table: int) -> None:
        try:
            await self._automata.act(table)
            self._faults.pop(table, None)
        except Exception:
            self._rest(table, "automata_failed")
        finally:
            self._thinking.discard(table)
        await self._arm()

    def _wake_rested(self, now: int) -> None:
        for table in [table for table, until in self._resting.items() if until <= now]:
            del self._resting[table]

    def _rest(self, table: int, what: str) -> None:
        faults = self._faults[table] = self._faults.get(table, 0) + 1
        rest = min(FIRST_REST * 2 ** min(faults - 1, 16), LONGEST_REST)
        self._resting[table] = self._service.now() + rest
        log.exception(what, table=table, faults=faults, again_in=rest)

    # The heartbeat

    def _next_beat(self, wait: int) -> None:
        self._beat = asyncio.get_running_loop().call_later(wait / 1_000, lambda: self._spawn(self._pulse()))

    def _quicken(self) -> None:
        """Bring the next heartbeat forward: after a crash all time since the last one is given back."""
        if self._beat is None or not self._running:
            return
        if self._beat.when() > asyncio.get_running_loop().time() + self._beat_live / 1_000:
            self._beat.cancel()
            self._next_beat(self._beat_live)

    async def _pulse(self) -> None:
        wait = self._beat_idle
        try:
            await self._store.beat(self._service.now())
            wait = self._beat_live if await self._store.live() else self._beat_idle
        except StoreError:
            log.exception("heartbeat_failed")
        if self._running:
            self._next_beat(wait)
