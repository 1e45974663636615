"""Metrics for Prometheus, when ``WORDMOOT_METRICS_PORT`` is set: how the bot does, never who does what in it.

No label and no value is of a person, a server, a table, a word or a hand. Everything is observed from outside, so that
no other floor knows of it: the service's listeners tell of moves, the requests' trace of answers and of what Discord
refuses, the log's own events of faults, and the database of tables, at each scrape, through a connection of its own.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, MutableMapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar

import aiohttp
import structlog
from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bot.games.game import IllegalMove
from bot.store.backup import Census, census
from bot.store.database import StoreError
from bot.tables.service import Service
from bot.tables.table import Committed, Stale
from bot.tables.worker import Busy, Thinker

T = TypeVar("T")

TICK = 0.5  # s between two looks at the loop's lag
PATIENCE = 3.0  # s in which Discord wants an answer
RECENT = 10_000  # commits that are remembered until they are shown
PENDING = 10_000  # interactions that are remembered until they are answered
SHORT = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)
ANSWER = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0)

log = structlog.get_logger()


class Connected(Protocol):
    """What metrics ask of the bot (``discord.AutoShardedClient``)."""

    @property
    def latency(self) -> float:
        """The gateway's latency in seconds; not a number before the first heartbeat."""

    @property
    def guilds(self) -> Any:
        """The servers."""


class Metrics:
    """All metrics of one bot.

    Args:
        database: the file in which tables are counted.
        clock: seconds, monotonic.
    """

    def __init__(self, database: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._heard: dict[int, float] = {}  # by interaction that waits for its answer: since when
        self._commits: deque[tuple[int, int, float]] = deque(maxlen=RECENT)  # table, revision, when
        self._tick: asyncio.TimerHandle | None = None
        self._logged: list[Any] | None = None  # the log's processors before ours
        self._runner: web.AppRunner | None = None
        self._bot: Connected | None = None
        registry = self.registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self.moves = Counter(
            "wordmoot_moves", "Moves committed, by game and who made them", ["game", "by"], registry=registry
        )
        self.refusals = Counter(
            "wordmoot_refusals", "Moves refused: by the rules, or as too old", ["kind"], registry=registry
        )
        self.answers = Histogram(
            "wordmoot_answer_seconds", "From hearing an interaction to its answer at Discord",
            buckets=ANSWER, registry=registry,
        )  # fmt: skip
        self.unanswered = Counter(
            "wordmoot_unanswered", "Interactions that were not answered in 3 s", registry=registry
        )
        self.tables = Gauge("wordmoot_tables", "Tables by stage", ["stage"], registry=registry)
        self.behind = Gauge(
            "wordmoot_tables_behind", "Tables of which Discord shows an older revision", registry=registry
        )
        self.lag = Gauge(
            "wordmoot_publish_lag_seconds", "Age of the oldest commit that is not shown", registry=registry
        )
        self.servers = Gauge("wordmoot_servers", "Servers that the bot is in", registry=registry)
        self.latency = Gauge("wordmoot_gateway_latency_seconds", "Latency of the gateway", registry=registry)
        self.requests = Counter(
            "wordmoot_discord_requests",
            "Requests to Discord by status",
            ["method", "status"],
            registry=registry,
        )
        self.errors = Counter(
            "wordmoot_discord_errors", "Requests that Discord refused, by status and its own code",
            ["status", "code"], registry=registry,
        )  # fmt: skip
        self.events = Counter(
            "wordmoot_log_events", "Lines of the log by event", ["event", "level"], registry=registry
        )
        self.waiting = Gauge(
            "wordmoot_thoughts_waiting",
            "Automata, hints and searches that wait or are thought",
            registry=registry,
        )
        self.busy = Counter(
            "wordmoot_thoughts_refused", "Thoughts that were refused since eight waited", registry=registry
        )
        self.thoughts = Histogram(
            "wordmoot_thought_seconds", "How long a thought took, waiting included", registry=registry
        )
        self.loop = Histogram(
            "wordmoot_loop_lag_seconds", "How late the event loop is", buckets=SHORT, registry=registry
        )

    # What the bot tells

    def service(self, *given: Any, **named: Any) -> Service:
        """Return a service whose moves and refusals are counted."""
        made = _Watched(*given, **named)
        made.refusals = self.refusals
        made.listen(self.committed)
        return made

    def thinker(self, thinker: Thinker) -> Thinker:
        """Return a thinker whose queue is watched."""
        return _Measured(thinker, self)

    def committed(self, table: int, what: Committed) -> None:
        """Hear of a commit (a listener of the service)."""
        self._commits.append((table, what.revision, self._clock()))
        if what.what == "move":
            self.moves.labels(what.game.key, _mover(what)).inc()

    def heard(self, interaction: int) -> None:
        """Note when an interaction was heard."""
        now = self._clock()
        self._heard[interaction] = now
        for old in self._given_up(now):
            del self._heard[old]
            self.unanswered.inc()

    def _given_up(self, now: float) -> list[int]:
        """Return the interactions that it is too late to answer, the oldest first."""
        late: list[int] = []
        for interaction, since in self._heard.items():
            if now - since <= PATIENCE and len(self._heard) - len(late) <= PENDING:
                break
            late.append(interaction)
        return late

    @property
    def trace(self) -> aiohttp.TraceConfig:
        """What discord.py's session calls at each request."""
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._responded)
        trace.on_request_exception.append(self._broken)
        trace.on_response_chunk_received.append(self._read)
        return trace

    async def _responded(
        self, session: aiohttp.ClientSession, request: SimpleNamespace, what: aiohttp.TraceRequestEndParams
    ) -> None:
        request.status = what.response.status
        self.requests.labels(what.method, str(request.status)).inc()
        interaction = _answered(what.url.path)
        if interaction is not None and request.status < 300:
            since = self._heard.pop(interaction, None)
            if since is not None:
                self.answers.observe(self._clock() - since)

    async def _broken(
        self,
        session: aiohttp.ClientSession,
        request: SimpleNamespace,
        what: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self.requests.labels(what.method, "none").inc()

    async def _read(
        self, session: aiohttp.ClientSession, request: SimpleNamespace,
        what: aiohttp.TraceResponseChunkReceivedParams,
    ) -> None:  # fmt: skip
        status = getattr(request, "status", 0)
        if status >= 400:
            self.errors.labels(str(status), _code(what.chunk)).inc()

    def logged(self, logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Count a line of the log (a processor of structlog)."""
        self.events.labels(str(event.get("event", "")), method).inc()
        return event

    # Serving

    async def start(self, bot: Connected, host: str, port: int) -> None:
        """Serve ``/metrics`` and watch the loop and the log. An address that cannot be had is logged, no more."""
        self._bot = bot
        self._logged = structlog.get_config()["processors"]
        structlog.configure(processors=[self.logged, *self._logged])
        self._next_tick()
        app = web.Application()
        app.router.add_get("/metrics", self._served)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host, port).start()
        except OSError as error:
            log.error("metrics_not_served", host=host, port=port, error=error.strerror)

    async def close(self) -> None:
        """Stop serving and watching; once more does nothing."""
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        if self._logged is not None:
            structlog.configure(processors=self._logged)
            self._logged = None
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _served(self, request: web.Request) -> web.Response:
        return web.Response(body=await self.scraped(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def scraped(self) -> bytes:
        """Return all metrics as Prometheus reads them."""
        try:
            self._count(await asyncio.to_thread(census, self._database))
        except StoreError:
            for gauge in (
                *(self.tables.labels(stage) for stage in ("lobby", "live", "paused")),
                self.behind,
                self.lag,
            ):
                gauge.set(float("nan"))
        if self._bot is not None:
            self.latency.set(self._bot.latency)
            self.servers.set(len(self._bot.guilds))
        return generate_latest(self.registry)

    def _count(self, found: Census) -> None:
        self.tables.labels("lobby").set(found.lobbies)
        self.tables.labels("live").set(found.live - found.paused)
        self.tables.labels("paused").set(found.paused)
        self.behind.set(len(found.behind))
        unshown = (
            since
            for table, revision, since in self._commits
            if table in found.behind and revision > found.behind[table]
        )
        oldest = next(unshown, None)
        self.lag.set(0 if oldest is None else self._clock() - oldest)

    def _next_tick(self) -> None:
        due = self._clock() + TICK
        self._tick = asyncio.get_running_loop().call_later(TICK, self._ticked, due)

    def _ticked(self, due: float) -> None:
        self.loop.observe(max(0.0, self._clock() - due))
        self._next_tick()


class _Watched(Service):
    """A service that counts what it refuses."""

    refusals: Counter

    async def play(self, *given: Any, **named: Any) -> Committed:
        """Play a move; see ``Service.play``."""
        try:
            return await super().play(*given, **named)
        except Stale:
            self.refusals.labels("stale").inc()
            raise
        except IllegalMove:
            self.refusals.labels("illegal").inc()
            raise


class _Measured(Thinker):
    """A thinker whose thoughts are counted and timed."""

    def __init__(self, thinker: Thinker, metrics: Metrics) -> None:
        self._thinker = thinker
        self._metrics = metrics

    async def think(self, thought: Callable[..., T], *given: Any) -> T:
        """Return ``thought(minds, *given)``; raises Busy and WorkerError."""
        with self._metrics.waiting.track_inprogress(), self._metrics.thoughts.time():
            try:
                return await self._thinker.think(thought, *given)
            except Busy:
                self._metrics.busy.inc()
                raise

    async def close(self) -> None:
        """Stop thinking; once more does nothing."""
        await self._thinker.close()


def _mover(what: Committed) -> str:
    if what.seat is None:
        return "clock" if what.move is None and what.undone is None else "host"
    return "automaton" if what.by is None else "person"


def _answered(path: str) -> int | None:
    """Return the interaction that a request to this path answers."""
    match path.split("/"):
        case [*_, "interactions", number, _, "callback"] if number.isdigit():
            return int(number)
    return None


def _code(body: bytes) -> str:
    """Return Discord's own code in the body of a refusal, "none" where it has none."""
    try:
        code = json.loads(body)["code"]
    except (ValueError, KeyError, TypeError):
        return "none"
    return str(code) if isinstance(code, int) else "none"
