"""SIGTERM and SIGINT: the bot sends what is being sent, ends with status 0, and the next start has nothing lost."""

from __future__ import annotations

import asyncio
import math
import os
import signal
from pathlib import Path

import pytest

from bot.loopback.interactions import Interaction
from tests.wire.house import House, Table, house_of

pytestmark = pytest.mark.wire


async def again(house: House, table: Table) -> None:
    """Start the bot once more and wait until Discord shows what is stored."""
    await house.process.start()
    await house.process.ready()
    await house.until(lambda: not table.behind())


async def edit_under_way(house: House, table: Table, delay: float) -> None:
    """Let Ada contribute while Discord takes ``delay`` s for an edit; returns once the bot waits for it."""
    slow = house.here.faults.add("PATCH", f"/channels/{table.where}/messages/*", delay=delay, times=math.inf)
    answer = await table.give("Ada")
    assert not answer.failed
    await house.until(lambda: slow.struck > 0)


async def test_what_is_being_sent_is_sent_before_the_bot_ends(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        await edit_under_way(house, table, 1.0)
        assert "Waiting for Ada" in table.board().text
        assert await house.process.stop() == 0
        assert "Waiting for Ben and Cleo" in table.board().text
        assert "board" not in table.behind()


async def test_a_discord_that_takes_forever_does_not_keep_the_bot_and_heals_at_the_next_start(
    tmp_path: Path,
) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        await edit_under_way(house, table, 60.0)
        before = table.state()
        assert await house.process.stop() == 0
        assert "board" in table.behind()
        house.here.faults.clear()
        await again(house, table)
        assert table.state() == before
        await table.says("Waiting for Ben and Cleo")
        await table.give("Ben")
        await table.says("Waiting for Cleo")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
async def test_a_signal_given_thrice_spoils_nothing(tmp_path: Path, name: str) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        await edit_under_way(house, table, 1.0)
        assert house.process.pid is not None
        for _ in range(3):
            os.kill(house.process.pid, getattr(signal, name))
            await asyncio.sleep(0.05)
        assert await house.process.wait() == 0
        assert "board" not in table.behind()


@pytest.mark.parametrize("delay", [0.0, 0.005, 0.02])
async def test_a_press_at_the_moment_of_sigterm_counts_when_it_was_answered(
    tmp_path: Path, delay: float
) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        rack = await table.rack("Ada")
        give = next(key for key in rack.custom_ids if ":give:" in key)
        press = asyncio.create_task(house.here.person("Ada").click(rack, custom_id=give))
        await asyncio.sleep(delay)
        assert await house.process.stop() == 0
        answer = await press
        after = table.state()
        if answer.response is not None:
            assert table.sealed() == ["Ada"]
        await again(house, table)
        assert table.state() == after
        if not table.sealed():
            await table.give("Ada")
        assert table.sealed() == ["Ada"]


async def test_a_bot_that_is_told_to_end_while_it_starts_ends(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table("Ada")
        await house.process.kill()
        for seconds in (0.8, 1.2, 1.6):
            await house.process.start()
            await asyncio.sleep(seconds)
            assert await house.process.stop() in (0, -signal.SIGTERM)
        await again(house, table)
        assert not (await house.here.person("Ada").slash("#lobby", "table hand")).failed


async def hint_under_way(house: House) -> asyncio.Task[Interaction]:
    """Let Ada begin a dungeon and ask for a hint; returns while the bot, which has yet to start to think, is at it."""
    ada = house.here.person("Ada")
    assert not (await ada.slash("#lobby", "dungeon solo", dungeon="cellar-steps")).failed
    hint = asyncio.create_task(ada.slash("#lobby", "dungeon hint"))
    await asyncio.sleep(0.1)
    assert not hint.done()
    return hint


async def test_whoever_was_heard_is_answered_before_the_bot_ends(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        hint = await hint_under_way(house)
        assert await house.process.stop() == 0
        text = (await hint).text
        assert "**A hint:**" in text or text.startswith("I am busy")
        assert not house.reports()


async def test_an_answer_that_takes_forever_does_not_keep_the_bot(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        house.here.faults.add("PATCH", "/webhooks/*/*/messages/*", delay=60.0, times=math.inf)
        house.here.faults.add("POST", "/interactions/*/*/callback", delay=60.0, times=math.inf)
        asked = asyncio.create_task(house.here.person("Ada").slash("#lobby", "help"))
        await asyncio.sleep(0.3)
        assert await house.process.stop() == 0
        asked.cancel()
        assert not house.reports()
