"""What the caretaker does about lobbies, idle tables and servers gone, and that nothing stops its rounds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.store.database import StoreError
from bot.tables.caretaker import DAY, Caretaker
from bot.tables.servers import Presence, Servers
from bot.tables.table import Table
from tests.games.toy import Stake
from tests.tables.hosting import ADA, BEN, CLEO, GUILD, Hosting, until

MINUTE = 60_000


@dataclass
class Calls:
    """The notices, as far as a caretaker needs them: rounds that are counted, and may take long or fail."""

    rounds: int = 0
    fault: Exception | None = None
    gate: asyncio.Event | None = None

    async def go_round(self) -> None:
        self.rounds += 1
        if self.gate is not None:
            await self.gate.wait()
        if self.fault is not None:
            raise self.fault


@dataclass
class Speaker:
    """The publisher, as far as a caretaker needs it."""

    said: list[tuple[int, str]] = field(default_factory=list)
    out_of_reach: set[int | None] = field(default_factory=set)

    @property
    def places(self) -> Speaker:
        return self

    def there(self, guild: int | None) -> bool:
        return guild not in self.out_of_reach

    async def announce(self, table: Table, what: str) -> None:
        self.said.append((table.id, what))


@dataclass
class House:
    host: Hosting
    calls: Calls
    speaker: Speaker
    presence: Presence
    caretaker: Caretaker
    hears: bool = True

    async def after(self, milliseconds: int) -> None:
        self.host.sleep(milliseconds)
        await self.caretaker.go_round()

    async def stage(self, table: int) -> str:
        return (await self.host.service.table(table)).stage

    async def paused(self, table: int) -> bool:
        return (await self.host.service.table(table)).paused_at is not None


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    host = await Hosting.at(tmp_path)
    calls, speaker = Calls(), Speaker()
    presence = Presence(host.service, Servers(host.store, lambda: ()))
    found: House
    caretaker = Caretaker(
        host.service,
        calls,  # type: ignore[arg-type]
        speaker,  # type: ignore[arg-type]
        presence,
        lambda: found.hears,
        every=20,
    )
    found = House(host, calls, speaker, presence, caretaker)
    caretaker._started = host.now()
    yield found
    await caretaker.close()
    await host.store.close()


# Lobbies


async def test_a_lobby_without_any_change_for_half_an_hour_is_ended(house: House) -> None:
    lobby = await house.host.lobby((ADA,))
    await house.after(29 * MINUTE)
    assert await house.stage(lobby.id) == "lobby"
    await house.after(MINUTE)
    assert await house.stage(lobby.id) == "over"
    assert house.host.heard[-1].what == "end"


async def test_whoever_does_anything_in_a_lobby_gives_it_its_time_anew(house: House) -> None:
    lobby = await house.host.lobby((ADA,))
    await house.after(25 * MINUTE)
    await house.host.service.join(lobby.id, BEN, "Ben")
    await house.after(25 * MINUTE)
    assert await house.stage(lobby.id) == "lobby"
    await house.after(5 * MINUTE)
    assert await house.stage(lobby.id) == "over"


async def test_a_lobby_that_a_crash_has_left_without_a_place_is_ended_soon(house: House) -> None:
    lobby, placed = await house.host.lobby((ADA,)), await house.host.lobby((BEN,))
    await house.host.service.set_place(lobby.id, None)
    await house.after(30_000)
    assert await house.stage(lobby.id) == "lobby"
    await house.after(2 * MINUTE)
    assert await house.stage(lobby.id) == "over"
    assert await house.stage(placed.id) == "lobby"
    await house.after(30 * MINUTE)
    assert await house.stage(placed.id) == "over"


async def test_a_lobby_of_a_server_out_of_reach_waits_until_it_is_back(house: House) -> None:
    lobby = await house.host.lobby((ADA,))
    house.speaker.out_of_reach.add(GUILD)
    await house.after(MINUTE * 60)
    assert await house.stage(lobby.id) == "lobby"
    house.speaker.out_of_reach.clear()
    await house.after(MINUTE)
    assert await house.stage(lobby.id) == "over"


async def test_a_game_that_begins_while_lobbies_are_ended_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = house.host.service
    first, begun, last = [await house.host.lobby(users) for users in ((CLEO,), (ADA, BEN), (CLEO,))]
    end = service.end

    async def meanwhile(table: int, *asked: Any, **how: Any) -> Any:
        if table == first.id:
            await service.start(begun.id, ADA)
        return await end(table, *asked, **how)

    monkeypatch.setattr(service, "end", meanwhile)
    await house.after(30 * MINUTE)
    assert [await house.stage(lobby.id) for lobby in (first, begun, last)] == ["over", "live", "over"]


@pytest.mark.parametrize("ended", [True, False])
async def test_a_lobby_that_changes_while_it_is_looked_at_stops_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch, ended: bool
) -> None:
    service = house.host.service
    changed, last = await house.host.lobby((ADA,)), await house.host.lobby((CLEO,))
    idle = house.host.store.idle

    async def meanwhile(stage: Any, since: int) -> tuple[int, ...]:
        found = await idle(stage, since)
        if changed.id in found:
            await (service.end(changed.id) if ended else service.join(changed.id, BEN, "Ben"))
        return found

    monkeypatch.setattr(house.host.store, "idle", meanwhile)
    await house.after(30 * MINUTE)
    assert await house.stage(changed.id) == ("over" if ended else "lobby")
    assert await house.stage(last.id) == "over"


# Idle tables


async def test_a_table_at_which_somebody_acts_this_very_moment_is_not_paused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = house.host.service
    tables = [await house.host.live() for _ in range(3)]
    pause = service.pause

    async def meanwhile(table: int, *asked: Any, **how: Any) -> Any:
        if table == tables[0]:
            await service.replace(tables[1], 1)
        return await pause(table, *asked, **how)

    monkeypatch.setattr(service, "pause", meanwhile)
    await house.after(7 * DAY)
    assert [await house.paused(table) for table in tables] == [True, False, True]
    assert [table for table, _ in house.speaker.said] == [tables[0], tables[2]]


async def test_a_table_at_which_nobody_acts_for_a_week_is_paused_and_told_once_how_to_go_on(
    house: House,
) -> None:
    table = await house.host.live((ADA, BEN))
    await house.after(7 * DAY - 1)
    assert not await house.paused(table)
    await house.after(MINUTE)
    await house.after(DAY)
    assert await house.paused(table)
    assert [number for number, _ in house.speaker.said] == [table]
    assert "for 7 days" in house.speaker.said[0][1]
    assert "/table resume" in house.speaker.said[0][1]


async def test_automata_and_the_clock_do_not_keep_a_table_awake_and_a_person_does(house: House) -> None:
    left, played = await house.host.live((ADA, BEN)), await house.host.live((ADA, CLEO))
    house.host.sleep(6 * DAY)
    assert await house.host.service.expire(left) is not None
    await house.host.service.play(played, 0, Stake(0), by=ADA)
    await house.after(DAY)
    assert await house.paused(left)
    assert not await house.paused(played)


async def test_who_resumes_a_table_has_acted(house: House) -> None:
    table = await house.host.live((ADA, BEN))
    await house.after(7 * DAY)
    await house.host.service.resume(table, ADA)
    await house.after(6 * DAY)
    assert not await house.paused(table)
    await house.after(DAY)
    assert await house.paused(table)


# Downtime


async def test_downtime_is_no_time_in_which_people_did_nothing(house: House) -> None:
    lobby, table = await house.host.lobby((ADA,)), await house.host.live((ADA, BEN))
    house.host.sleep(20 * MINUTE)
    house.host.sleep(8 * DAY)  # down
    house.caretaker.every = DAY  # the test itself goes round
    house.caretaker.start(8 * DAY)
    await house.after(0)
    assert await house.stage(lobby.id) == "lobby"
    assert not await house.paused(table)
    await house.after(10 * MINUTE)
    assert await house.stage(lobby.id) == "over"
    await house.after(7 * DAY - 31 * MINUTE)
    assert not await house.paused(table)
    await house.after(MINUTE)
    assert await house.paused(table)


async def test_what_has_begun_since_the_start_has_the_usual_time(house: House) -> None:
    house.caretaker.every = DAY  # the test itself goes round
    house.caretaker.start(8 * DAY)
    lobby = await house.host.lobby((ADA,))
    await house.after(30 * MINUTE)
    assert await house.stage(lobby.id) == "over"


# Servers gone


async def test_what_a_server_left_behind_is_deleted_after_thirty_days(house: House) -> None:
    table = await house.host.live((ADA, BEN))
    await house.after(0)
    await house.presence.left(GUILD)
    for _ in range(29):
        await house.after(DAY)
    assert await house.host.store.table(table) is not None
    await house.after(DAY)
    assert await house.host.store.table(table) is None
    assert await house.host.store.left() == ()


# Rounds


async def test_a_damaged_table_stands_in_nobodys_way_and_is_logged_once(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    strange, lobby = await house.host.lobby((ADA,)), await house.host.lobby((BEN,))
    await house.host.store._write(
        lambda db: db.execute("UPDATE tables SET game = 'chess' WHERE id = ?", (strange.id,))
    )
    house.host.store._rows.clear()
    for _ in range(5):
        await house.after(31 * MINUTE)
    assert await house.stage(lobby.id) == "over"
    assert capsys.readouterr().out.count("no such table") == 1


@pytest.mark.parametrize("fault", [StoreError("locked"), RuntimeError("a defect")])
async def test_what_fails_is_tried_again_and_stops_nothing_else(house: House, fault: Exception) -> None:
    house.calls.fault = fault
    lobby = await house.host.lobby((ADA,))
    await house.after(30 * MINUTE)
    assert await house.stage(lobby.id) == "over"
    house.caretaker.start()
    before = house.calls.rounds
    await until(lambda: house.calls.rounds > before + 1)


async def test_a_locked_database_is_asked_again_a_round_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = await house.host.lobby((ADA,))

    async def locked(*_: Any) -> tuple[int, ...]:
        raise StoreError("locked")

    with monkeypatch.context() as bad:
        bad.setattr(house.host.store, "idle", locked)
        await house.after(30 * MINUTE)
    assert await house.stage(lobby.id) == "lobby"
    await house.after(MINUTE)
    assert await house.stage(lobby.id) == "over"


async def test_rounds_never_overlap(house: House) -> None:
    house.calls.gate = asyncio.Event()
    house.caretaker.start()
    await until(lambda: house.calls.rounds == 1)
    await asyncio.sleep(0.1)
    assert house.calls.rounds == 1
    house.calls.gate.set()
    await until(lambda: house.calls.rounds > 1)


async def test_nobody_is_called_while_nobody_can_be_heard(house: House) -> None:
    house.hears = False
    house.caretaker.start()
    await asyncio.sleep(0.1)
    assert house.calls.rounds == 0
    house.hears = True
    await until(lambda: house.calls.rounds)


async def test_closing_lets_the_round_end_and_begins_no_other(house: House) -> None:
    house.calls.gate = asyncio.Event()
    house.caretaker.start()
    await until(lambda: house.calls.rounds == 1)
    closing = asyncio.create_task(house.caretaker.close())
    await asyncio.sleep(0.02)
    assert not closing.done()
    house.calls.gate.set()
    await closing
    await asyncio.sleep(0.1)
    assert house.calls.rounds == 1
    await house.caretaker.close()


async def test_closed_before_it_was_started_it_never_goes_round(house: House) -> None:
    await house.caretaker.close()
    house.caretaker.start()
    await asyncio.sleep(0.1)
    assert house.calls.rounds == 0
