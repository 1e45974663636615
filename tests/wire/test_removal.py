"""The bot is removed from its server and invited again, or the server has an outage: tables stand still and go on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from tests.wire.house import House, Table, house_of

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: Any) -> AsyncIterator[House]:
    async with house_of(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(autouse=True)
def _nothing_is_reported(house: House) -> Iterator[None]:
    yield
    assert not house.reports()


async def press_hand(table: Table, name: str) -> Any:
    """Press the first thing that contributes a letter, on the hand in the person's direct messages."""
    hand = table.hand(name)
    key = next(key for key in hand.custom_ids if ":give:" in key)
    return await table.house.here.person(name).click(hand, custom_id=key)


async def start(house: House) -> None:
    await house.process.start()
    await house.process.ready()


async def test_a_removed_bot_asks_nothing_and_goes_on_when_it_is_invited_again(house: House) -> None:
    table, other = await house.table(), await house.table()
    world = house.here.world
    other_paused = await house.here.person("Ada").slash("#lobby", "table pause", table=other.number)
    assert not other_paused.failed
    await house.until(other.paused)
    old = table.board()
    world.remove_bot()
    await house.until(table.paused)
    since = house.now()
    answer = await press_hand(table, "Ada")
    assert "paused" in answer.text
    assert table.sealed() == []
    assert not house.asked(table.where, since=since)
    assert not house.asked(other.where, since=since)

    world.invite_bot()
    await house.until(lambda: not table.paused())
    await house.until(lambda: table.boards() and table.board() is not old)
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")
    assert len(table.boards()) == 1
    assert "goes on below" in old.text
    assert other.paused(), "people have paused this one"


async def test_a_removal_while_the_bot_is_down_is_noticed_at_its_start(house: House) -> None:
    table = await house.table()
    world = house.here.world
    await house.process.kill()
    world.remove_bot()
    since = house.now()
    await start(house)
    await house.until(table.paused)
    assert not house.asked(table.where, since=since)
    await house.process.kill()
    world.invite_bot()
    await start(house)
    await house.until(lambda: not table.paused())
    await table.give("Ben")
    await table.says("Waiting for Ada and Cleo")


async def test_an_outage_stops_the_clock_and_forgets_nothing(house: House) -> None:
    table = await house.table()
    world = house.here.world
    since = house.now()
    board = table.board()
    world.begin_outage()
    await house.until(table.paused)
    world.end_outage()
    await house.until(lambda: not table.paused())
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")
    assert table.board() is board
    assert not [one for one in house.asked(table.where, since=since) if one.refused]


@pytest.mark.parametrize("end", ["while down", "after the start"])
async def test_an_outage_outlives_no_restart(house: House, end: str) -> None:
    table = await house.table()
    world = house.here.world
    world.begin_outage()
    await house.until(table.paused)
    await house.process.kill()
    if end == "while down":
        world.end_outage()
    await start(house)
    if end != "while down":
        world.end_outage()
    await house.until(lambda: not table.paused())
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")
