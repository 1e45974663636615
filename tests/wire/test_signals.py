"""SIGTERM and SIGINT: the bot sends what is being sent, ends with status 0, and the next start has nothing lost."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.wire.test_bot import House, house_of

pytestmark = pytest.mark.wire

PLAYERS = ("Ada", "Ben", "Cleo")


async def again(house: House) -> None:
    """Start the bot once more and wait until Discord shows what is stored."""
    await house.process.start()
    await house.process.ready()
    await house.until(lambda: not house.behind())


async def edit_under_way(house: House, delay: float) -> Any:
    """Let Ada contribute while Discord takes ``delay`` s for an edit; returns once the bot waits for it."""
    slow = house.here.faults.add("PATCH", "/channels/*/messages/*", delay=delay, times=math.inf)
    answer = await house.contribute("Ada")
    assert not answer.failed
    await house.until(lambda: slow.struck > 0)
    return slow


async def test_what_is_being_sent_is_sent_before_the_bot_ends(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        await edit_under_way(house, 1.0)
        assert "Waiting for Ada" in house.board().text
        assert await house.process.stop() == 0
        assert "Waiting for Ben and Cleo" in house.board().text
        assert "board" not in house.behind()


async def test_a_discord_that_takes_forever_does_not_keep_the_bot_and_heals_at_the_next_start(
    tmp_path: Path,
) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        await edit_under_way(house, 60.0)
        before = house.state()
        assert await house.process.stop() == 0
        assert "board" in house.behind()
        house.here.faults.clear()
        await again(house)
        assert house.state() == before
        await house.until(lambda: "Waiting for Ben and Cleo" in house.board().text)
        await house.contribute("Ben")
        await house.until(lambda: "Waiting for Cleo" in house.board().text)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
async def test_a_signal_given_twice_spoils_nothing(tmp_path: Path, name: str) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        await edit_under_way(house, 1.0)
        assert house.process.pid is not None
        for _ in range(3):
            os.kill(house.process.pid, getattr(signal, name))
            await asyncio.sleep(0.05)
        assert await house.process.wait() == 0
        assert "board" not in house.behind()


@pytest.mark.parametrize("delay", [0.0, 0.005, 0.02])
async def test_a_press_at_the_moment_of_sigterm_counts_when_it_was_answered(
    tmp_path: Path, delay: float
) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        before = house.state()
        rack = await house.rack("Ada")
        give = next(key for key in rack.custom_ids if ":give:" in key)
        press = asyncio.create_task(house.here.person("Ada").click(rack, custom_id=give))
        await asyncio.sleep(delay)
        assert await house.process.stop() == 0
        answer = await press
        after = house.state()
        if answer.response is not None:
            assert after.sealed[0] is not None
        await again(house)
        assert house.state() == after
        if after == before:
            await house.contribute("Ada")
        assert house.state().sealed[0] is not None


async def test_a_bot_that_is_told_to_end_while_it_starts_ends(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin("Ada")
        await house.process.kill()
        for seconds in (0.8, 1.2, 1.6):
            await house.process.start()
            await asyncio.sleep(seconds)
            assert await house.process.stop() in (0, -signal.SIGTERM)
        await again(house)
        await sometime(house, lambda: house.click("Ada", "My rack"))


async def sometime(house: House, act: Callable[[], Any]) -> None:
    for _ in range(3):
        with contextlib.suppress(AssertionError):
            answer = await act()
            if not answer.failed:
                return
    raise AssertionError("the bot does not hear")
