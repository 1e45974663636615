"""The clock strikes when it is time, whatever one table does, and gives lost time back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.games.game import Plan
from bot.store.database import StoreError
from bot.tables.clock import DISCORD_EPOCH, THINKING, Clock, Timekeeper, snowflake_time
from bot.tables.worker import Thinker
from tests.games.toy import SEAL_TIME, STAKE_TIME, Seal, Toy
from tests.tables.hosting import ADA, BEN, Hosting, minds, until


async def passed(host: Hosting, clock: Clock, milliseconds: int) -> None:
    """Let time pass and the clock notice."""
    host.sleep(milliseconds)
    await clock.gap(0)


def moves(host: Hosting, table: int) -> int:
    return sum(what.table == table and what.what == "move" for what in host.heard)


async def test_silence_ends_by_itself(host: Hosting) -> None:
    table, clock = await host.live(), host.clock()
    await clock.start()
    await passed(host, clock, SEAL_TIME - 1)
    await asyncio.sleep(0.03)
    assert moves(host, table) == 0
    await passed(host, clock, 1)
    await until(lambda: moves(host, table) == 1)
    await clock.close()
    assert (await host.service.view(table, None)).public.phase == "stake"


async def test_a_table_that_begins_while_the_clock_runs_is_struck_too(host: Hosting) -> None:
    clock = host.clock()
    await clock.start()
    table = await host.live()
    await passed(host, clock, SEAL_TIME)
    await until(lambda: moves(host, table) == 1)
    await clock.close()


async def test_the_clock_really_waits(host: Hosting) -> None:
    running = Hosting(host.store, frozen=False)
    table, clock = await running.live(), running.clock()
    await clock.start()
    await passed(running, clock, SEAL_TIME - 60)
    assert moves(running, table) == 0
    await until(lambda: moves(running, table) == 1)
    await clock.close()
    (logged,) = await running.store.log(table)
    assert logged.at >= SEAL_TIME


class Hasty(Toy):
    """Silence is over at once, again and again, for a while."""

    def due(self, state: Any) -> int | None:
        return None if super().due(state) is None or state.public.round > 2 else 0


async def test_the_clock_strikes_as_long_as_something_is_due(host: Hosting) -> None:
    hasty = Hosting(host.store, game=Hasty())
    table, clock = await hasty.live(), hasty.clock()
    await clock.start()
    await until(lambda: moves(hasty, table) == 6)  # two rounds of one seal and two stakes
    await clock.close()


async def test_a_paused_table_is_not_struck_and_goes_on_from_where_it_stopped(host: Hosting) -> None:
    table, clock = await host.live(), host.clock()
    await clock.start()
    await passed(host, clock, SEAL_TIME - 10)
    await host.service.pause(table)
    await passed(host, clock, 10 * SEAL_TIME)
    await asyncio.sleep(0.03)
    assert moves(host, table) == 0
    await host.service.resume(table)
    await passed(host, clock, 9)
    await asyncio.sleep(0.03)
    assert moves(host, table) == 0
    await passed(host, clock, 1)
    await until(lambda: moves(host, table) == 1)
    await clock.close()
    assert [logged.at for logged in await host.store.log(table)] == [SEAL_TIME]


async def test_one_tables_fault_stops_neither_the_clock_nor_the_others(
    host: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    sick, well, clock = await host.live(), await host.live(), host.clock()
    expire, tried = host.service.expire, []

    async def failing(table: int) -> object:
        if table != sick:
            return await expire(table)
        tried.append(host.now())
        if len(tried) < 3:
            raise RuntimeError("rules that fail")
        return await expire(table)

    monkeypatch.setattr(host.service, "expire", failing)
    await clock.start()
    await passed(host, clock, SEAL_TIME)
    await until(lambda: moves(host, well) == 1)
    assert len(tried) == 1
    await passed(host, clock, 499)
    await asyncio.sleep(0.03)
    assert len(tried) == 1
    await passed(host, clock, 1)
    await until(lambda: len(tried) == 2)
    await passed(host, clock, 999)
    await asyncio.sleep(0.03)
    assert len(tried) == 2  # later and later
    await passed(host, clock, 1)
    await until(lambda: moves(host, sick) == 1)
    await clock.close()


async def test_a_database_that_fails_for_a_while_stops_no_clock(
    host: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, clock = await host.live(), host.clock()
    due_by, failures = host.store.due_by, []

    async def failing(now: int) -> tuple[int, ...]:
        if len(failures) < 2:
            failures.append(now)
            raise StoreError("The database cannot be read: locked.")
        return await due_by(now)

    monkeypatch.setattr(host.store, "due_by", failing)
    await clock.start()
    await passed(host, clock, SEAL_TIME)
    await until(lambda: len(failures) == 1)
    await passed(host, clock, 1_000)
    await until(lambda: len(failures) == 2)
    await passed(host, clock, 1_000)
    await until(lambda: moves(host, table) == 1)
    await clock.close()


async def test_downtime_is_no_table_time(host: Hosting) -> None:
    table = await host.live()
    host.sleep(1_000)
    await host.service.play(table, 0, await seal(host, table, 0), by=ADA)
    restarted = Hosting(host.store)
    restarted.sleep(1_000 + 3_600_000)
    clock = restarted.clock()
    assert await clock.recover() == 3_600_000
    found = await restarted.service.table(table)
    assert found.lost == 3_600_000
    assert found.due == restarted.now() - 1_000 + SEAL_TIME
    restarted.sleep(2_000)
    await restarted.service.play(table, 1, await seal(restarted, table, 1), by=BEN)
    assert [logged.at for logged in await host.store.log(table)] == [1_000, 3_000]


async def test_a_clean_restart_dates_downtime_from_the_end(host: Hosting) -> None:
    table, clock = await host.live(), host.clock()
    await clock.start()
    host.sleep(20_000)
    await clock.close()
    host.sleep(7_000)
    assert await host.clock().recover() == 7_000
    assert (await host.service.table(table)).lost == 7_000


async def test_the_first_start_has_lost_nothing(host: Hosting) -> None:
    assert await host.clock().recover() == 0


async def test_a_gap_of_the_gateway_moves_the_deadline(host: Hosting) -> None:
    table, clock = await host.live(), host.clock()
    await clock.start()
    host.sleep(SEAL_TIME + 500)
    await clock.gap(2_000)
    await asyncio.sleep(0.03)
    assert moves(host, table) == 0
    await passed(host, clock, 1_500)
    await until(lambda: moves(host, table) == 1)
    await clock.close()


async def beaten(host: Hosting) -> None:
    """Return once a heartbeat has noted the present time."""
    for _ in range(2_000):
        if await host.store.last_beat() == host.now():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("no heartbeat")


async def test_the_heart_beats_faster_while_a_tables_time_runs(host: Hosting) -> None:
    clock = Clock(host.service, host.clock()._automata, beat_live=5, beat_idle=60_000)
    await host.live()
    await clock.start()
    for _ in range(3):
        host.sleep(1)
        await beaten(host)
    await clock.close()


async def test_a_table_whose_time_begins_to_run_is_not_waited_with_until_the_next_slow_heartbeat(
    host: Hosting,
) -> None:
    clock = Clock(host.service, host.clock()._automata, beat_live=5, beat_idle=60_000)
    await clock.start()
    host.sleep(1)
    await beaten(host)
    await asyncio.sleep(0.02)  # the next is far away by now
    await host.live()
    host.sleep(1)
    await beaten(host)
    await clock.close()


async def test_closing_twice_is_closing_once_and_what_was_due_stays_due(host: Hosting) -> None:
    table, clock = await host.live(), host.clock()
    await clock.start()
    await clock.close()
    await clock.close()
    await passed(host, clock, SEAL_TIME)
    await asyncio.sleep(0.02)
    assert moves(host, table) == 0
    again = host.clock()
    await again.start()
    await until(lambda: moves(host, table) == 1)
    await again.close()


async def test_automata_are_woken_by_the_clock_and_play_a_whole_game(host: Hosting) -> None:
    clock = host.clock()
    await clock.start()
    table = await host.live((ADA,), automata=(0, 1, 2))
    for _ in range(60):
        found = await host.service.table(table)
        if found.stage == "over":
            break
        await passed(
            host, clock, SEAL_TIME if 0 in (await host.service.look(table, None)).awaited else STAKE_TIME // 2
        )
        await asyncio.sleep(0.05)
    await clock.close()
    assert (await host.service.table(table)).result is not None
    played = {logged.seat for logged in await host.store.log(table)}
    assert played == {None, 1, 2, 3}  # the clock for Ada, the automata for themselves


class Slow(Thinker):
    """Thinks until the test lets it; counts how many thoughts there are at once."""

    def __init__(self) -> None:
        self.now = self.most = self.total = 0
        self.go = asyncio.Event()

    async def think(self, thought: Callable[..., Any], *given: Any) -> Any:
        self.now += 1
        self.total += 1
        self.most = max(self.most, self.now)
        await self.go.wait()
        self.now -= 1
        return thought(minds(), *given)

    async def close(self) -> None:
        pass


async def test_many_tables_automata_think_a_few_at_once_and_all_in_the_end(tmp_path: Path) -> None:
    host = await Hosting.at(tmp_path, tables_a_user=50, tables_a_guild=50)
    thinker = Slow()
    clock = host.clock(thinker)
    tables = [await host.live((ADA,), automata=(1,)) for _ in range(12)]
    await clock.start()
    await until(lambda: thinker.now == THINKING)
    await asyncio.sleep(0.03)
    assert thinker.most == THINKING
    thinker.go.set()
    await until(lambda: thinker.total >= len(tables))
    assert thinker.most == THINKING
    await passed(host, clock, SEAL_TIME)
    await until(lambda: all(moves(host, table) for table in tables))
    await clock.close()
    await host.store.close()


class Early(Toy):
    def choose(self, view: Any, seat: int, skill: int, at: Any) -> Plan[Any] | None:
        raise AssertionError("a paused table's automata are not asked")


async def test_a_paused_tables_automata_are_not_asked(host: Hosting) -> None:
    hosting = Hosting(host.store, game=Early())
    table = await hosting.live((ADA,), automata=(1,))
    await hosting.service.pause(table)
    clock = hosting.clock()
    await clock.start()
    await passed(hosting, clock, 5_000)
    await asyncio.sleep(0.03)
    await clock.close()
    assert moves(hosting, table) == 0


async def seal(host: Hosting, table: int, seat: int) -> Any:
    return Seal(await host.card(table, seat))


def test_the_wall_clock_is_discords() -> None:
    local = 1_000_000
    keeper = Timekeeper(lambda: local, window=3)
    assert (keeper.now(), keeper.offset) == (1_000_000, 0)
    for late in (40, 300, 120):  # how long each event was on its way
        keeper.observe(local + 5_000 - late)
    assert keeper.now() == local + 5_000 - 40
    for late in (90, 200, 80):
        keeper.observe(local + 5_000 - late)
    assert keeper.offset == 5_000 - 80  # old stamps are forgotten: clocks drift


def test_a_clock_that_is_a_second_wrong_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    keeper = Timekeeper(lambda: 0, window=1)
    for offset in (900, 1_100, 1_200, 100, 1_300):
        keeper.observe(offset)
    assert capsys.readouterr().out.count("clock_differs") == 2


def test_a_snowflake_tells_its_time() -> None:
    assert snowflake_time(175928847299117063) == 1462015105796
    assert snowflake_time(0) == DISCORD_EPOCH
