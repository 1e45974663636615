"""A bot in the hands of its host: one at a time, backed up while it plays, watched, restored."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.wire.house import PLAYERS, SETTINGS, house_of

pytestmark = pytest.mark.wire


ROOT = Path(__file__).resolve().parents[2]


async def wordmoot(folder: Path, *arguments: str) -> tuple[int | None, str, str]:
    """Run a command on a data folder; returns its status and what it said."""
    environment = os.environ | {
        "WORDMOOT_DATA": str(folder),
        "PYTHONPATH": str(ROOT),
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments, env=environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_a_second_bot_on_the_same_data_ends_and_leaves_the_first_alone(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        second = house.here.bot(data=tmp_path, settings=SETTINGS)
        await second.start()
        assert await second.wait() == 1
        await table.give("Ada")
        assert table.sealed() == ["Ada"]


async def test_a_game_is_backed_up_while_it_is_played_and_goes_on_from_there(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    async with house_of(data) as house:
        table = await house.table()
        await table.give("Ada")
        assert (await wordmoot(data, "health"))[0] == 0
        status, told, _ = await wordmoot(data, "backup", str(copy))
        assert status == 0
        assert told.startswith("Backed up 1 table (1 live), schema ")
        then = table.state()
        await table.give("Ben")
        await table.says("Waiting for Cleo")

        status, _, refused = await wordmoot(data, "restore", str(copy))
        assert status == 1
        assert "Another bot (process" in refused
        assert table.state() != then

        assert await house.process.stop() == 0
        status, told, _ = await wordmoot(data, "restore", str(copy))
        assert status == 0, told
        assert table.state() == then
        await house.process.start()
        await house.process.ready()
        await table.says("Waiting for Ben and Cleo")
        await house.until(lambda: not table.behind())
        await table.give("Ben")
        assert table.sealed() == ["Ada", "Ben"]


async def test_the_metrics_of_a_running_bot_tell_of_answers_and_of_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    monkeypatch.setenv("WORDMOOT_METRICS_PORT", str(port))
    async with house_of(tmp_path) as house:
        table = await house.table()
        await table.give("Ada")
        address = f"http://127.0.0.1:{port}/metrics"
        async with aiohttp.ClientSession() as session, session.get(address) as response:
            text = await response.text()
        assert 'wordmoot_moves_total{by="person",game="defenders"} 1.0' in text
        assert 'wordmoot_tables{stage="live"} 1.0' in text
        assert 'wordmoot_log_events_total{event="ready",level="info"} 1.0' in text
        (count,) = [line for line in text.splitlines() if line.startswith("wordmoot_answer_seconds_count")]
        assert float(count.split()[1]) >= 5
        for name in PLAYERS:
            assert name not in text
            assert house.here.person(name).user.id not in text
        assert await house.process.stop() == 0
