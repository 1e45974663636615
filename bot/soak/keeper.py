"""The bot's process: started, killed in the middle of something, ended in good order, watched, weighed."""

from __future__ import annotations

import asyncio
import random
import statistics
from collections.abc import Callable
from pathlib import Path

from bot.loopback import Loopback
from bot.loopback.world import Event
from bot.soak.entry import LOG
from bot.soak.journal import Journal
from bot.soak.uptime import Uptime

ENTRY = "bot.soak.entry:main"
KILL_EVERY = 60.0  # s
GENTLY = 0.2  # of the ends are SIGTERM
DOWN = (0.1, 3.0)  # s until it is started again
STARTS = 3
START = 90.0  # s in which a machine under load starts it
WEIGHED = 2.0  # s
SETTLED = 15.0  # s of a life after which its memory counts for the slope


class NoBot(Exception):  # noqa: N818 - the outcome of a soak
    """The bot did not start, however often."""


class Keeper:
    """Keeps one bot of a Discord.

    Args:
        folder: of its data and its log.
        entry: ``module:function`` that runs the bot and appends its output to the file that the environment names.
        restarted: called while the bot is down, before it is started again.

    Attributes:
        data: the bot's folder.
        log: the file with what it writes.
        heaviest: the most memory (MB, resident) that its process held; 0 where the system does not tell.
    """

    def __init__(
        self, here: Loopback, folder: Path, uptime: Uptime, journal: Journal, dice: random.Random,
        settings: dict[str, str], restarted: Callable[[], None], entry: str = ENTRY,
    ) -> None:  # fmt: skip
        self.data = folder / "data"
        self.log = folder / "bot.log"
        self._here = here
        self._uptime = uptime
        self._journal = journal
        self._dice = dice
        self._restarted = restarted
        self._process = here.bot(entry, data=self.data, settings=settings | {LOG: str(self.log)})
        self._change = asyncio.Lock()
        self._replacing: asyncio.Task[None] | None = None
        self._pressed = asyncio.Event()
        self._born = 0.0
        # By life, at its last weighing: seconds since the start, MB.
        self._lives: list[tuple[float, float]] = []
        self.heaviest = 0.0
        here.world.listen(self._hear)

    def _hear(self, event: Event) -> None:
        if event.name == "LOCAL_BOT":
            if self._here.gateway.connected:
                self._uptime.rose()
            else:
                self._uptime.fell(lost=False)
        elif event.name == "INTERACTION_CREATE":
            self._pressed.set()

    async def start(self) -> None:
        """Start the bot and wait until it can be reached.

        A start that fails is a defect and tried again; raises NoBot after some.
        """
        for _ in range(STARTS):
            await self._process.start()
            self._born = self._journal.seconds
            try:
                await self._process.ready(START)
            except (RuntimeError, TimeoutError) as error:
                self._journal.find("reports", f"The bot did not start: {error}.")
                await self._process.kill()
                await asyncio.sleep(1)
            else:
                self._journal.note("ready", pid=self._process.pid)
                return
        raise NoBot("The bot does not start.")

    async def run(self, every: float = KILL_EVERY) -> None:
        """End the bot every so often, most often by kill -9 in the middle of something, and start it again."""
        while True:
            await asyncio.sleep(every * self._dice.uniform(0.8, 1.1))
            gently = self._dice.random() < GENTLY
            if not gently:
                await self._wait_for_a_press()
            # Once begun it is done, even if the run is over meanwhile: nobody else would start the bot again.
            self._replacing = asyncio.create_task(self._replace(gently=gently))
            await asyncio.shield(self._replacing)

    async def _replace(self, *, gently: bool) -> None:
        async with self._change:
            await self.end(gently=gently)
            await asyncio.sleep(self._dice.uniform(*DOWN))
            self._restarted()
            await self.start()

    async def end(self, *, gently: bool) -> None:
        """End the bot: by SIGTERM, on which it must close in good order, or by kill -9."""
        self._uptime.fell(lost=True)
        self._journal.count("stops" if gently else "kills")
        self._journal.note("stop" if gently else "kill")
        if not gently:
            await self._process.kill()
            return
        status = await self._process.stop()
        if status != 0:
            self._journal.find("reports", f"The bot ended with status {status} on SIGTERM.")

    async def _wait_for_a_press(self) -> None:
        """Wait until somebody presses something, and then as long as a commit and its answer may take."""
        self._pressed.clear()
        try:
            async with asyncio.timeout(5):
                await self._pressed.wait()
        except TimeoutError:
            return
        await asyncio.sleep(self._dice.choice((0.0, self._dice.uniform(0, 0.03), self._dice.uniform(0, 0.3))))

    async def steady(self) -> None:
        """Wait until the bot can be reached, also when ``run`` was cancelled in the middle of a change."""
        async with self._change:
            await self._here.until(lambda: self._uptime.up, START)

    async def watch(self) -> None:
        """Weigh the process, and start it again should it end by itself."""
        while True:
            await asyncio.sleep(WEIGHED)
            async with self._change:
                if not self._process.running:
                    status = await self._process.wait()
                    self._uptime.fell(lost=True)
                    self._journal.find("reports", f"The bot ended by itself with status {status}.")
                    self._restarted()
                    await self.start()
                self._weigh()

    def _weigh(self) -> None:
        weight, now = resident(self._process.pid), self._journal.seconds
        self.heaviest = max(self.heaviest, weight)
        if now - self._born < SETTLED:
            return
        if self._lives and self._lives[-1][0] > self._born:
            self._lives.pop()
        self._lives.append((now, weight))

    @property
    def slope(self) -> float | None:
        """By how much the process grows from life to life, as more is stored, in MB an hour; None for under 10 lives."""
        if len(self._lives) < 10:
            return None
        return statistics.linear_regression(*zip(*self._lives, strict=True)).slope * 3600


def resident(pid: int | None) -> float:
    """Return the resident memory of a process in MB; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return 0.0
    line = next((line for line in status.splitlines() if line.startswith("VmRSS:")), "VmRSS: 0 kB")
    return int(line.split()[1]) / 1024
