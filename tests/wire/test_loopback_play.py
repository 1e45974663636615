"""Local play as a command: it serves a page, keeps the bot running, and ends in good order."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from discord.http import Route

from bot.loopback import launch
from bot.loopback.token import TOKEN

pytestmark = pytest.mark.wire


@pytest_asyncio.fixture
async def play(tmp_path: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "play", "--port", "0", "--players", "Ada,Zoë", "--data", str(tmp_path / "data"),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    yield process
    if process.returncode is None:
        process.kill()
    await process.wait()


async def line_with(process: asyncio.subprocess.Process, text: str) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(30):
        while True:
            line = (await process.stdout.readline()).decode()
            assert line, "it ended"
            if text in line:
                return line.strip()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"  # a zombie only waits for somebody to ask how it ended


async def test_play_serves_its_page_restarts_the_bot_and_ends_when_asked(
    play: asyncio.subprocess.Process, tmp_path: Path
) -> None:
    address = (await line_with(play, "Ada")).split()[-1]
    other = (await line_with(play, "Zoë")).split()[-1]
    async with aiohttp.ClientSession() as http, http.get(address) as response:
        page = await response.text()
    async with asyncio.timeout(10):
        while not (bots := children(play.pid)):  # noqa: ASYNC110 - another process, which tells of nothing
            await asyncio.sleep(0.02)
    os.kill(bots[0], signal.SIGKILL)
    told = await line_with(play, "The bot ended")
    play.send_signal(signal.SIGTERM)

    assert "<title>Wordmoot – local play</title>" in page
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?player=Zo%C3%AB", other)
    assert "-9" in told
    assert await asyncio.wait_for(play.wait(), 20) == 0
    assert (tmp_path / "data" / "world.db").exists()


async def test_the_bot_does_not_outlive_a_play_that_was_killed(play: asyncio.subprocess.Process) -> None:
    await line_with(play, "Ada")
    async with asyncio.timeout(30):
        while not (bots := children(play.pid)):  # noqa: ASYNC110 - another process, which tells of nothing
            await asyncio.sleep(0.02)
        play.kill()
        while alive(bots[0]):  # noqa: ASYNC110 - likewise
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "address",
    ["https://discord.com", "http://discord.com", "http://10.0.0.1:80", "http://localhost.evil.example:80", "http://8.8.8.8", ""],
)  # fmt: skip
def test_a_bot_is_never_sent_elsewhere(address: str) -> None:
    before = Route.BASE

    with pytest.raises(ValueError, match="loopback"):
        launch.redirect(address)

    assert before == Route.BASE


def test_a_real_token_is_not_taken_along(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("WORDMOOT_LOOPBACK", "http://127.0.0.1:1")
    monkeypatch.setenv("WORDMOOT_TOKEN", "another.one.entirely")

    assert launch.main(["json:loads"]) == 2
    told = capsys.readouterr().err
    assert TOKEN in told
    assert "another" not in told


async def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "play", "--port", str(port), "--data", str(tmp_path), stderr=asyncio.subprocess.PIPE
    )  # fmt: skip

    _, told = await process.communicate()
    server.close()

    assert process.returncode == 1
    assert f"Port {port}" in told.decode()
