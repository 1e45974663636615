"""Gaps of the gateway and late events: no silence ends unheard, and no clock is set back or ahead by them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.app import Wordmoot
from bot.settings import Settings
from bot.tables.clock import HOLD, LATE, Clock, Timekeeper, wall_clock
from bot.tables.outages import Outages
from bot.tables.servers import Presence, Servers
from tests.games.toy import SEAL_TIME
from tests.tables.hosting import GUILD, Hosting, until


async def passed(host: Hosting, clock: Clock, milliseconds: int) -> None:
    """Let time pass and the clock notice."""
    host.sleep(milliseconds)
    await clock.gap(0)
    await asyncio.sleep(0.03)


def moves(host: Hosting) -> int:
    return sum(what.what == "move" for what in host.heard)


async def test_no_silence_ends_while_nobody_can_be_heard(host: Hosting) -> None:
    await host.live()
    clock = host.clock()
    await clock.start()
    clock.hold()
    await passed(host, clock, SEAL_TIME)
    assert moves(host) == 0
    await clock.release()
    await until(lambda: moves(host) == 1)
    await clock.close()


async def test_a_gap_is_given_back_before_any_silence_ends(host: Hosting) -> None:
    await host.live()
    clock = host.clock()
    await clock.start()
    await passed(host, clock, SEAL_TIME - 10)
    clock.hold()
    await passed(host, clock, 50)
    await clock.gap(50)
    await clock.release()
    await asyncio.sleep(0.03)
    assert moves(host) == 0
    await passed(host, clock, 10)
    await until(lambda: moves(host) == 1)
    await clock.close()


async def test_a_gateway_that_stays_away_does_not_hold_the_clock_for_good(host: Hosting) -> None:
    await host.live()
    clock = host.clock()
    await clock.start()
    clock.hold()
    await passed(host, clock, max(HOLD, SEAL_TIME))
    await until(lambda: moves(host) == 1)
    await clock.close()


@pytest.fixture
async def bot(host: Hosting, tmp_path: Path) -> AsyncIterator[Wordmoot]:
    """A bot that was READY once, without Discord."""
    found = Wordmoot(Settings(token="none", data=tmp_path, _env_file=None), now=host.now)
    found._recovered = True
    found.clock = host.clock()
    found.outages = Outages(host.service)
    found.presence = Presence(host.service, Servers(host.store, tuple))
    await found.clock.start()
    with pytest.MonkeyPatch.context() as discord:
        discord.setattr(Wordmoot, "guilds", [SimpleNamespace(id=GUILD, unavailable=False)])
        yield found
    await found.clock.close()


async def test_a_gap_that_begins_while_another_is_given_back_is_given_back_as_well(
    host: Hosting, bot: Wordmoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await host.live()
    due = (await host.service.table(table)).due
    assert due is not None
    give_back = bot.clock.gap

    async def meanwhile(milliseconds: int) -> None:
        await give_back(milliseconds)
        monkeypatch.undo()
        await bot.on_disconnect()
        host.sleep(3 * SEAL_TIME)

    await bot.on_disconnect()
    host.sleep(1_000)
    monkeypatch.setattr(bot.clock, "gap", meanwhile)
    await bot.on_ready()
    await asyncio.sleep(0.05)
    assert moves(host) == 0, "nobody can be heard"
    await bot.on_ready()
    assert (await host.service.table(table)).due == due + 1_000 + 3 * SEAL_TIME
    host.sleep(SEAL_TIME)
    await bot.clock.gap(0)
    await until(lambda: moves(host) == 1)


async def test_no_silence_ends_before_a_gap_is_given_back_when_the_next_one_is_resumed(
    host: Hosting, bot: Wordmoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    await host.live()
    stored, give_back = asyncio.Event(), bot.clock.gap

    async def late(milliseconds: int) -> None:
        await stored.wait()
        await give_back(milliseconds)

    await bot.on_disconnect()
    host.sleep(2 * SEAL_TIME)
    monkeypatch.setattr(bot.clock, "gap", late)
    ready = asyncio.create_task(bot.on_ready())
    await asyncio.sleep(0)
    await bot.on_disconnect()
    resumed = asyncio.create_task(bot.on_resumed())
    await asyncio.sleep(0.05)
    assert moves(host) == 0
    stored.set()
    await asyncio.gather(ready, resumed)
    await asyncio.sleep(0.05)
    assert moves(host) == 0


def test_late_events_set_no_clock_back() -> None:
    keeper = Timekeeper(lambda: 1_000_000, window=4)
    keeper.observe(1_000_000 + 300)
    for late in range(10):
        keeper.observe(1_000_000 + 300 - LATE - 1 - late * 60_000)
    assert keeper.offset == 300


def test_a_first_event_corrects_a_machine_whose_clock_is_ahead() -> None:
    keeper = Timekeeper(lambda: 1_000_000)
    keeper.observe(1_000_000 - 90_000)
    assert keeper.offset == -90_000
    keeper.observe(1_000_000 - 89_950)
    assert keeper.offset == -89_950


def test_the_wall_clock_goes_on_whatever_the_machine_is_set_to(monkeypatch: pytest.MonkeyPatch) -> None:
    first = wall_clock()
    monkeypatch.setattr("time.time_ns", lambda: 0)
    monkeypatch.setattr("time.time", lambda: 0.0)
    assert 1_700_000_000_000 < first <= wall_clock()
