"""One soak from start to end, and its figures."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from bot.games import GAMES
from bot.loopback import Loopback
from bot.loopback.model import Message
from bot.loopback.payloads import cdn_path
from bot.loopback.world import Event
from bot.soak.answers import Answers
from bot.soak.hands import HANDS
from bot.soak.journal import DEFECTS, Journal
from bot.soak.keeper import ENTRY, Keeper, NoBot
from bot.soak.mischief import Mischief
from bot.soak.party import Party, Scene
from bot.soak.progress import BEHIND, Progress
from bot.soak.records import Reached, Records, Stored
from bot.soak.secrecy import Secrecy
from bot.soak.trouble import Trouble
from bot.soak.uptime import Uptime
from bot.soak.weather import Weather
from bot.tables.worker import Thinker, Worker
from bot.words.lexicon import Lexicon

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hal", "Ida", "Jon", "Kim", "Lou")
WATCHER = "Watcher"  # sees every channel and sits nowhere; the server's owner
LOOK = 0.2  # s between two looks at the database
TOLD = 10.0  # s between two lines of progress
OVER = 60.0  # s for which a table that is over is still looked at
DRAWN = 0.1  # of the states have their hands drawn
QUIET = 30.0  # s at the end in which Discord must come to show what is stored
PATIENT = 8  # thoughts a table that may wait
ERRORS = 10  # sorts of logged errors that the figures name
SETTINGS = {"WORDMOOT_READY_TIMEOUT": "0.2", "WORDMOOT_PACE": "0.25"}


class Plan(msgspec.Struct, frozen=True):
    """What is to be soaked.

    ``kill_every``: seconds between two ends of the bot, about; 0 for none. ``entry``: ``module:function`` of the bot.
    ``until``: what figures are enough to end it before its time.
    """

    minutes: float = 60.0
    seed: int = 1
    tables: int = 4
    games: tuple[str, ...] = tuple(HANDS)
    kill_every: float = 60.0
    entry: str = ENTRY
    until: Callable[[dict[str, Any]], bool] | None = None


class Soak:
    """Runs one soak in a folder of its own, which is kept when something was found."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.journal = Journal(folder / "timeline.jsonl")
        self.uptime = Uptime()
        self.ending = asyncio.Event()
        self._lags: deque[tuple[float, float]] = deque(maxlen=4096)
        self._over: dict[int, float] = {}
        self._log_read = 0
        self._reports: set[str] = set()
        self._errors: Counter[str] = Counter()
        self._draws = self._die("draws")

    async def run(self) -> dict[str, Any]:
        """Soak; returns the figures."""
        people = tuple(_name(number) for number in range(self.plan.tables + 3))
        thinker = Worker(queue=PATIENT * self.plan.tables)
        async with Loopback(players=(WATCHER, *people)) as here:
            try:
                await self._soak(here, people, thinker)
            except NoBot as gone:
                self.journal.find("reports", str(gone))
            finally:
                await thinker.close()
        return self.figures()

    async def _soak(self, here: Loopback, people: tuple[str, ...], thinker: Thinker) -> None:
        self._here = here
        self.weather = Weather(here, self.uptime, self.journal, self._die("weather"))
        self.secrecy = Secrecy(HANDS, self.journal)
        self.progress = Progress(
            self.journal, lambda one: str(one.message) in here.world.messages.get(str(one.channel), {})
        )
        settings = SETTINGS | {"WORDMOOT_TABLES_PER_SERVER": str(4 * self.plan.tables + 8)}
        self.keeper = Keeper(
            here,
            self.folder,
            self.uptime,
            self.journal,
            self._die("keeper"),
            settings,
            self._restarting,
            self.plan.entry,
        )
        self.records = Records(
            self.keeper.data / "wordmoot.db", GAMES, Lexicon.load(), self.journal, self._learn
        )
        self.answers = Answers(self.uptime, self.journal, lambda key: self.weather.ordeal(key), self._lag)
        scene = Scene(
            here=here, records=self.records, uptime=self.uptime, answers=self.answers, secrecy=self.secrecy,
            progress=self.progress, weather=self.weather, journal=self.journal,
            mischief=Mischief(here, self._die("mischief")), thinker=thinker, games=GAMES, hands=HANDS,
            people=tuple(here.person(name) for name in people), dice=self._die("people"), ending=self.ending,
        )  # fmt: skip
        here.world.listen(self._hear)
        trouble = Trouble(here, self.records, scene.people, self.journal, self._die("trouble"))
        await self.keeper.start()
        self.weather.begin()
        watching = [self._feel, self._look, self.keeper.watch, self._tell]
        stormy: list[Callable[[], Awaitable[None]]] = [self.weather.run, trouble.run]
        if self.plan.kill_every:
            stormy.append(lambda: self.keeper.run(self.plan.kill_every))
        playing = [Party(scene, self.plan.games).run for _ in range(self.plan.tables)]
        async with _running(watching) as watchers:
            async with _running(stormy) as storms, _running(playing) as parties:
                await self._until_the_end((*watchers, *storms, *parties))
                self.ending.set()
                self.progress.playing = False
                await self._settle(parties)
            await self._clear(scene)
        await self.keeper.end(gently=True)
        self.records.compare()
        self._check()
        self._read_log()
        self.records.close()

    async def _until_the_end(self, tasks: tuple[asyncio.Task[None], ...]) -> None:
        """Wait until the time is up or somebody ended it; raises what broke one of the soak's own tasks."""
        end = asyncio.create_task(self.ending.wait())
        try:
            done, _ = await asyncio.wait(
                (end, *tasks), timeout=60 * self.plan.minutes, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done - {end}:
                task.result()
        finally:
            end.cancel()

    async def _settle(self, parties: tuple[asyncio.Task[None], ...]) -> None:
        """Let everyone finish what they were about."""
        await asyncio.wait(parties, timeout=15)

    async def _clear(self, scene: Scene) -> None:
        """Let the weather clear; then Discord must come to show what is stored."""
        self.weather.close()
        await self.keeper.steady()
        until = time.monotonic() + QUIET + BEHIND
        while time.monotonic() < until:
            if all(self.progress.shown(table) for table in self.records.tables.values()):
                return
            await asyncio.sleep(0.2)
        for table in self.records.tables.values():
            if not self.progress.shown(table):
                self.journal.find("stuck", f"In clear weather the board of table {table.id} stays behind.")

    # While it goes on

    async def _feel(self) -> None:
        """Note by how much this process is late."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.05)
            self._lags.append((before, time.perf_counter() - before - 0.05))

    def _lag(self, since: float) -> float:
        return max((lag for at, lag in self._lags if at >= since - 1), default=0.0)

    async def _look(self) -> None:
        """Look at the database, and judge what was said by it."""
        while True:
            self._check()
            if self.plan.until is not None and self.plan.until(self.figures()):
                self.ending.set()
            await asyncio.sleep(LOOK)

    def _check(self) -> None:
        self.records.refresh()
        self.secrecy.judge()
        self.answers.review()
        self.progress.look(
            self.records.tables.values(), self.uptime.seconds, self.uptime.streak, int(time.time() * 1000)
        )
        self._find_reports()
        self._retire()

    def _retire(self) -> None:
        """Forget tables that have been over for a while."""
        now = time.monotonic()
        for table in list(self.records.tables.values()):
            if table.stage != "over":
                continue
            if now - self._over.setdefault(table.id, now) > OVER and self.progress.shown(table):
                self.records.retire(table.id)
                self.secrecy.forget(table.id)
                self.progress.forget(table.id)
                del self._over[table.id]

    def _find_reports(self) -> None:
        for path in sorted(self.keeper.data.glob("reports/*.txt")):
            if path.name not in self._reports:
                self._reports.add(path.name)
                lines = path.read_text("utf-8").strip().splitlines()
                self.journal.find("reports", f"{path.stem}: {lines[-1] if lines else ''}")

    def _restarting(self) -> None:
        """Between two lives of the bot."""
        self.records.compare()
        self.weather.begin()
        self._read_log()

    def _read_log(self) -> None:
        with self.keeper.log.open("rb") as log:
            log.seek(self._log_read)
            body = log.read()
            self._log_read = log.tell()
        lines = body.decode("utf-8", "replace").splitlines()
        self.secrecy.look_through_log(lines)
        self._errors.update(error for line in lines if (error := error_of(line)) is not None)

    def _learn(self, table: Stored, reached: Reached) -> None:
        self.secrecy.learn(
            GAMES[table.game], table, reached, pictures=self._draws.random() < DRAWN if reached.seq else True
        )

    def _hear(self, event: Event) -> None:
        """Take note of every message that is said or changed."""
        if event.name not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or event.channel is None:
            return
        if event.data["author"]["id"] != self._here.world.bot.id:
            return
        viewer = event.viewer
        if viewer is None and event.channel.direct:
            viewer = event.channel.recipient
        said = self._here.world.messages[event.channel.id][event.data["id"]]
        what = f"Message {said.id} " + ("to everyone" if viewer is None else f"to user {viewer}")
        self.secrecy.hear(viewer, what, event.data, self._pictures(said))

    def _pictures(self, said: Message) -> list[bytes]:
        found = (self._here.world.file(cdn_path(said.channel, file)) for file in said.attachments)
        return [file[1] for file in found if file is not None]

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(TOLD)
            told = self.figures()
            line = "  ".join(
                f"{name} {told[name]}"
                for name in ("moves", "games", "kills", "faults", "excused", *DEFECTS, "p50_ms", "rss_mb")
            )
            minutes, seconds = divmod(int(self.journal.seconds), 60)
            print(f"{minutes}:{seconds:02}  {line}", file=sys.stderr, flush=True)

    # The figures

    def figures(self) -> dict[str, Any]:
        """Return the figures so far."""
        counts, waits = self.journal.counts, self.answers.waits
        faults = self.weather.struck
        return {
            "moves": self.records.moves,
            "kills": counts["kills"],
            "faults": sum(faults.values()),
            **{defect: self.journal.found(defect) for defect in DEFECTS},
            "p50_ms": _quantile(waits, 0.5),
            "p99_ms": _quantile(waits, 0.99),
            "rss_mb": round(self.keeper.heaviest, 1),
            "rss_mb_an_hour": None if self.keeper.slope is None else round(self.keeper.slope, 1),
            "games": counts["games"],
            "interactions": counts["interactions"],
            "excused": counts["excused"],
            "in_vain": counts["in_vain"],
            "stops": counts["stops"],
            "seconds": round(self.journal.seconds, 1),
            "uptime": round(self.uptime.seconds, 1),
            "seed": self.plan.seed,
            "tables": self.plan.tables,
            "faults_by_kind": dict(sorted(faults.items())),
            "counts": dict(sorted(counts.items())),
            "errors_logged": dict(self._errors.most_common(ERRORS)),
            "findings": self.journal.findings,
        }

    @property
    def passed(self) -> bool:
        """Whether moves were made and nothing was found."""
        return self.journal.clean and self.records.moves > 0

    def _die(self, purpose: str) -> random.Random:
        return random.Random(f"{self.plan.seed}/{purpose}")


@contextlib.asynccontextmanager
async def _running(
    works: Iterable[Callable[[], Awaitable[None]]],
) -> AsyncIterator[tuple[asyncio.Task[None], ...]]:
    """Run works beside one another for the time of the block, then cancel what still runs."""
    tasks = tuple(asyncio.ensure_future(work()) for work in works)
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def error_of(line: str) -> str | None:
    """Return what a line of the bot's log tells of an error, with its exception; None for any other line."""
    if line.startswith("ERROR "):
        return line[:120]
    try:
        told = json.loads(line)
    except ValueError:
        return None
    if not isinstance(told, dict) or told.get("level") not in ("error", "critical"):
        return None
    trace = str(told.get("exception") or "").strip().splitlines()
    return ": ".join([str(told.get("event")), *trace[-1:]])[:200]


def _name(number: int) -> str:
    turn, place = divmod(number, len(NAMES))
    return NAMES[place] + (str(turn + 1) if turn else "")


def _quantile(waits: list[float], part: float) -> float | None:
    if len(waits) < 2:
        return None
    cut = statistics.quantiles(waits, n=100, method="inclusive")
    return round(cut[round(part * 100) - 1], 1)


def soak(plan: Plan) -> tuple[bool, dict[str, Any]]:
    """Soak in a new folder, which is removed when nothing was found.

    SIGINT and SIGTERM end it early, in good order. Returns whether it passed, and its figures.
    """
    folder = Path(tempfile.mkdtemp(prefix="wordmoot-soak-"))
    print(f"Soaking in {folder}", file=sys.stderr, flush=True)
    passed, figures = asyncio.run(_soaked(plan, folder))
    if passed:
        shutil.rmtree(folder)
        return True, figures
    return False, figures | {"folder": str(folder)}


async def _soaked(plan: Plan, folder: Path) -> tuple[bool, dict[str, Any]]:
    running = Soak(plan, folder)
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, running.ending.set)
    try:
        figures = await running.run()
    finally:
        running.journal.close()
    return running.passed, figures
