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


@pytest.mark.parametrize(
    ("arguments", "expected", "told"),
    [
        (("--port", "70000"), 2, "argument --port: a port is a number from 1 to 65535"),
        (("--port=-1",), 2, "argument --port: a port is a number from 1 to 65535"),
        (("--port", "0", "--data", __file__), 1, f"The folder {__file__} cannot be used: File exists.\n"),
    ],
)
async def test_local_play_says_in_a_sentence_what_it_cannot_use(
    arguments: tuple[str, ...], expected: int, told: str, tmp_path: Path
) -> None:
    status, _, said = await wordmoot(tmp_path, "play", *arguments)
    assert status == expected
    assert told in said
    assert "Traceback" not in said


def modes(folder: Path) -> dict[str, int]:
    """Return who may do what with the files of a bot."""
    return {path.name: path.stat().st_mode & 0o777 for path in folder.glob("wordmoot.*")}


async def test_what_a_bot_writes_is_for_its_user_alone_and_it_lives_until_it_is_stopped(
    tmp_path: Path,
) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        await table.give("Ada")
        assert modes(tmp_path) == dict.fromkeys(
            ("wordmoot.db", "wordmoot.db-wal", "wordmoot.db-shm", "wordmoot.lock"), 0o600
        )
        assert (await wordmoot(tmp_path, "health"))[0] == 0
        assert await house.process.stop() == 0
        status, _, told = await wordmoot(tmp_path, "health")
        assert (status, told) == (1, f"No bot runs on the data in {tmp_path}.\n")


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
