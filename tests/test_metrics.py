"""Metrics: what is counted, and that nobody can be found in it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
import structlog
from aiohttp import web

from bot.games.game import IllegalMove
from bot.metrics import Metrics
from bot.store.rows import Message
from bot.store.store import Store
from bot.tables.service import Service
from bot.tables.table import Stale
from bot.tables.worker import Busy, Inline
from tests.games.toy import TOY, Seal
from tests.tables.hosting import ADA, BEN, CHANNEL, GUILD, Vowels, minds

NOW = 1_700_000_000_000


class Clock:
    """Seconds that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Watched:
    """Metrics and the service that they watch."""

    def __init__(self, store: Store, path: Path) -> None:
        self.clock = Clock()
        self.metrics = Metrics(path, self.clock)
        self.store = store
        self.service: Service = self.metrics.service(store, {TOY.key: TOY}, Vowels(), lambda: NOW)

    async def live(self) -> int:
        table = (await self.service.open(TOY.key, GUILD, CHANNEL, ADA, "Ada")).id
        await self.service.join(table, BEN, "Ben")
        await self.service.start(table, ADA)
        return table

    def value(self, name: str, **labels: str) -> float | None:
        return self.metrics.registry.get_sample_value(name, labels)


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    store = await Store.open(tmp_path / "tables.db")
    yield Watched(store, tmp_path / "tables.db")
    await store.close()


async def card(watched: Watched, table: int, seat: int) -> str:
    found: str = (await watched.service.view(table, seat)).hand[0]
    return found


async def test_moves_are_counted_by_who_made_them(watched: Watched) -> None:
    table = await watched.live()
    await watched.service.play(table, 0, Seal(await card(watched, table, 0)), by=ADA)
    await watched.service.play(table, 1, Seal(await card(watched, table, 1)))
    assert watched.value("wordmoot_moves_total", game="toy", by="person") == 1
    assert watched.value("wordmoot_moves_total", game="toy", by="automaton") == 1


async def test_refusals_are_counted_by_kind(watched: Watched) -> None:
    table = await watched.live()
    with pytest.raises(IllegalMove):
        await watched.service.play(table, 0, Seal("?"), by=ADA)
    with pytest.raises(Stale):
        await watched.service.play(table, 0, Seal("A"), by=ADA, epoch=99)
    assert watched.value("wordmoot_refusals_total", kind="illegal") == 1
    assert watched.value("wordmoot_refusals_total", kind="stale") == 1


async def test_tables_are_counted_by_stage_and_by_whether_discord_shows_them(watched: Watched) -> None:
    table = await watched.live()
    await watched.service.open(TOY.key, GUILD, CHANNEL, ADA, "Ada")
    paused = await watched.live()
    await watched.service.pause(paused)
    watched.clock.now += 7
    await watched.metrics.scraped()
    stages = {stage: watched.value("wordmoot_tables", stage=stage) for stage in ("lobby", "live", "paused")}
    assert stages == {"lobby": 1, "live": 1, "paused": 1}
    assert watched.value("wordmoot_tables_behind") == 3
    assert watched.value("wordmoot_publish_lag_seconds") == 7
    for number in (1, 2, 3):
        revision = (await watched.service.table(number)).revision
        await watched.store.set_message(number, Message("board", CHANNEL, number, revision, NOW))
    await watched.metrics.scraped()
    assert watched.value("wordmoot_tables_behind") == 0
    assert watched.value("wordmoot_publish_lag_seconds") == 0
    watched.clock.now += 3
    await watched.service.play(table, 0, Seal(await card(watched, table, 0)), by=ADA)
    watched.clock.now += 2
    await watched.metrics.scraped()
    assert watched.value("wordmoot_publish_lag_seconds") == 2


async def test_a_database_that_cannot_be_read_leaves_the_rest_of_the_metrics(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path / "none.db")
    assert b"wordmoot_tables_behind NaN" in await metrics.scraped()


@pytest.fixture
async def discord() -> AsyncIterator[str]:
    """Return the address of a server that answers as its path says."""

    async def answered(request: web.Request) -> web.Response:
        if request.path.endswith("/callback"):
            return web.Response(status=204)
        return web.json_response({"code": 50013, "message": "Missing Permissions"}, status=403)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answered)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield "http://{}:{}".format(*runner.addresses[0][:2])
    await runner.cleanup()


async def test_an_answer_is_timed_from_hearing_to_its_receipt(watched: Watched, discord: str) -> None:
    async with aiohttp.ClientSession(trace_configs=[watched.metrics.trace]) as session:
        watched.metrics.heard(123)
        watched.clock.now += 0.2
        async with session.post(f"{discord}/api/v10/interactions/123/secret-token/callback"):
            pass
        async with session.post(f"{discord}/api/v10/interactions/123/secret-token/callback"):
            pass
    assert watched.value("wordmoot_answer_seconds_count") == 1
    assert watched.value("wordmoot_answer_seconds_sum") == pytest.approx(0.2)
    assert b"secret" not in await watched.metrics.scraped()


def test_an_interaction_without_an_answer_is_given_up_after_three_seconds(tmp_path: Path) -> None:
    clock = Clock()
    metrics = Metrics(tmp_path / "none.db", clock)
    metrics.heard(1)
    clock.now += 2.9
    metrics.heard(2)
    assert metrics.registry.get_sample_value("wordmoot_unanswered_total") == 0
    clock.now += 0.2
    metrics.heard(3)
    assert metrics.registry.get_sample_value("wordmoot_unanswered_total") == 1


async def test_what_discord_refuses_is_counted_by_its_code(watched: Watched, discord: str) -> None:
    async with aiohttp.ClientSession(trace_configs=[watched.metrics.trace]) as session:
        async with session.patch(f"{discord}/api/v10/channels/5/messages/6") as response:
            await response.read()
        with pytest.raises(aiohttp.ClientError):
            await session.get("http://127.0.0.1:1/")
    assert watched.value("wordmoot_discord_errors_total", status="403", code="50013") == 1
    assert watched.value("wordmoot_discord_requests_total", method="PATCH", status="403") == 1
    assert watched.value("wordmoot_discord_requests_total", method="GET", status="none") == 1


async def test_thoughts_are_timed_and_refusals_of_the_queue_counted(watched: Watched) -> None:
    thinker = watched.metrics.thinker(Inline(minds()))
    assert await thinker.think(_thought, 3) == 3
    assert watched.value("wordmoot_thought_seconds_count") == 1
    assert watched.value("wordmoot_thoughts_waiting") == 0

    class Full(Inline):
        async def think(self, thought: Any, *given: Any) -> Any:
            raise Busy

    with pytest.raises(Busy):
        await watched.metrics.thinker(Full(minds())).think(_thought, 3)
    assert watched.value("wordmoot_thoughts_refused_total") == 1


def _thought(known: Any, number: int) -> int:
    return number


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


async def test_metrics_are_served_and_count_the_lines_of_the_log(watched: Watched) -> None:
    before = structlog.get_config()["processors"]
    port = free_port()
    bot = SimpleNamespace(latency=0.05, guilds=[1, 2])
    await watched.metrics.start(bot, "127.0.0.1", port)
    try:
        structlog.get_logger().error("unexpected", table=1)
        await asyncio.sleep(0)
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{port}/metrics") as response,
        ):
            assert response.status == 200
            assert response.headers["Content-Type"].startswith("text/plain")
            text = await response.text()
    finally:
        await watched.metrics.close()
    assert 'wordmoot_log_events_total{event="unexpected",level="error"} 1.0' in text
    assert "wordmoot_gateway_latency_seconds 0.05" in text
    assert "wordmoot_servers 2.0" in text
    assert "process_resident_memory_bytes" in text
    assert structlog.get_config()["processors"] == before
    await watched.metrics.close()


async def test_a_taken_port_does_not_keep_the_bot_from_playing(watched: Watched) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        await watched.metrics.start(
            SimpleNamespace(latency=0.0, guilds=[]), "127.0.0.1", taken.getsockname()[1]
        )
        await watched.metrics.close()
    assert watched.value("wordmoot_log_events_total", event="metrics_not_served", level="error") == 1


async def test_no_metric_is_of_a_person_a_server_or_a_table(watched: Watched) -> None:
    table = await watched.live()
    letter = await card(watched, table, 0)
    await watched.service.play(table, 0, Seal(letter), by=ADA)
    for family in watched.metrics.registry.collect():
        for sample in family.samples:
            assert set(sample.labels) <= {
                "game",
                "by",
                "kind",
                "stage",
                "method",
                "status",
                "code",
                "event",
                "level",
                "le",
            }
            assert not {"Ada", "Ben", str(ADA), str(GUILD), letter} & set(sample.labels.values())
