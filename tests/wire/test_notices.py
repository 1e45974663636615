"""Notices on a real wire: kill -9 between the note and the message, lost answers, restarts. Never twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.loopback import Loopback
from bot.loopback.model import Message
from tests.wire.house import CHANNELS, PLAYERS, SETTINGS, House, Table

pytestmark = pytest.mark.wire

QUICK = {"WORDMOOT_NOTICES_LIVE": "1,600,1200", "WORDMOOT_ROUNDS": "0.1"}
SHORT = 2.5  # s; more than a call takes


@asynccontextmanager
async def house_of(folder: Path, **settings: str) -> AsyncIterator[House]:
    async with (
        Loopback(players=PLAYERS, channels=("lobby", *CHANNELS)) as here,
        here.bot(data=folder, settings=SETTINGS | QUICK | settings) as process,
    ):
        yield House(here, process, folder)


def calls(table: Table) -> list[Message]:
    """Return the notices in a table's channel."""
    said = table.house.here.world.messages.get(table.where, {}).values()
    return [one for one in said if one.content.startswith("<@")]


def told(table: Table) -> int | None:
    """Return the message of the table's notice: 0 while it is only noted, None before."""
    row = table.row("SELECT message FROM messages WHERE audience = 'notice'")
    return None if row is None else int(row[0])


async def waiting(house: House) -> Table:
    """A table that waits for Ben and Cleo."""
    table = await house.table()
    await table.give("Ada")
    return table


async def test_a_call_notifies_exactly_whom_the_table_waits_for(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        table = await waiting(house)
        await house.until(lambda: any("Ben" in one.content and "Cleo" in one.content for one in calls(table)))
        await asyncio.sleep(SHORT)
        people = [house.here.person(name).user.id for name in ("Ben", "Cleo")]
        mentioned = [key for one in calls(table) for key in one.mentions]
        assert sorted(mentioned) == sorted(people), "each once, and nobody else"


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1])
async def test_a_bot_killed_between_the_note_and_the_message_never_calls_twice(
    tmp_path: Path, delay: float
) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        house.here.faults.add("POST", f"/channels/{table.where}/messages", delay=0.05)  # s
        await table.give("Ada")
        await house.until(lambda: told(table) is not None)
        await asyncio.sleep(delay)
        await killed(house, table)


async def test_a_bot_killed_before_it_learns_that_its_call_is_out_never_calls_twice(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        slow = house.here.faults.add("POST", f"/channels/{table.where}/messages", delay=0.5)  # s
        await table.give("Ada")
        await house.until(lambda: slow.struck)
        house.process.suspend()
        await house.until(lambda: calls(table))
        await killed(house, table)
        assert len(calls(table)) == 1


async def killed(house: House, table: Table) -> None:
    """Kill the bot and start it again: whatever it was about to say, it has said at most once."""
    await house.process.restart()
    await asyncio.sleep(SHORT)
    assert len(calls(table)) <= 1
    assert house.reports() == []


async def test_a_call_whose_answer_is_lost_is_not_repeated(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        table = await house.table()
        house.here.faults.add("POST", f"/channels/{table.where}/messages", cut=True, lost=True)
        await table.give("Ada")
        await house.until(lambda: calls(table))
        await asyncio.sleep(SHORT)
        assert len(calls(table)) == 1


async def test_a_restart_with_a_while_between_calls_nobody_again_and_takes_the_notice_back(
    tmp_path: Path,
) -> None:
    async with house_of(tmp_path) as house:
        table = await waiting(house)
        await house.until(lambda: told(table))
        await house.process.kill()
        await asyncio.sleep(1.5)  # down for longer than a call takes
        await house.process.restart()
        await asyncio.sleep(SHORT)
        assert len(calls(table)) == 1
        await table.give("Ben")
        await table.give("Cleo")
        await house.until(lambda: calls(table) == [])
        await house.until(lambda: told(table) is None)


async def test_sigterm_during_the_rounds_ends_in_good_order(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        table = await waiting(house)
        await house.until(lambda: told(table))
        assert await house.process.stop() == 0
