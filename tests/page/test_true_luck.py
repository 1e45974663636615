"""What bad luck announces is what the real bot then does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from bot.loopback.local import BadLuck
from bot.loopback.model import Json
from tests.wire.house import House, Table, house_of

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: Any) -> AsyncIterator[House]:
    async with house_of(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(scope="module")
def luck(house: House) -> BadLuck:
    here = house.here
    return BadLuck(here.world, here.gateway, here.faults, house.process, house.process.kill)


async def strike(luck: BadLuck, table: Table, key: str, name: str = "Ada") -> Json:
    return await luck.strike(table.house.here.person(name), table.where, key)


async def is_told(table: Table, name: str, text: str) -> None:
    """Ask for a hand until its answer says this: what was refused is told with the next answer."""
    async with asyncio.timeout(20):
        while text not in await table.house.told(table, name):
            pass


async def test_a_bot_that_may_not_post_still_edits_its_board(house: House, luck: BadLuck) -> None:
    for thread in (False, True):
        table = await house.table(thread=thread)
        board = table.board()
        before = board.text
        told = await strike(luck, table, "mute")
        assert "A board that stands there still changes" in told["see"]

        await table.give("Ada")
        await house.until(table.board_shows_all)

        assert table.board() is board
        assert board.text != before

        house.here.world.delete(board)
        await is_told(table, "Cleo", "I lack Send Messages")  # what is missing
        assert not table.boards()
        await strike(luck, table, "unmute")
        await house.until(lambda table=table: table.boards())


async def test_the_table_of_a_deleted_thread_goes_on_in_its_channel(house: House, luck: BadLuck) -> None:
    table = await house.table(thread=True)
    told = await strike(luck, table, "delete_thread")
    assert "goes on" in told["see"]

    table.place = house.here.world.channels[table.place.parent or ""]

    await table.says("Waiting for")


async def test_the_table_of_a_deleted_channel_goes_on_without_a_board(house: House, luck: BadLuck) -> None:
    table = await house.table()
    assert "delete_thread" not in [one["key"] for one in luck.offered(house.here.person("Ada"), table.where)]
    told = await strike(luck, table, "delete_channel")
    assert "/table show" in told["see"]

    await table.give("Ada")

    assert table.sealed() == ["Ada"]
    await is_told(table, "Ben", "/table show")


async def test_closed_dms_keep_the_hand_that_lies_there_up_to_date(house: House, luck: BadLuck) -> None:
    table = await house.table()
    hand = table.hand("Ben")
    told = await strike(luck, table, "close_dms", "Ben")
    assert "still changes with the game" in told["see"]

    await table.give("Ben")
    await house.until(lambda: "You contributed" in hand.text)

    house.here.world.delete(hand)
    await is_told(table, "Ben", "private messages")
    assert not [said for said in house.here.person("Ben").sees(hand.channel) if said.id > hand.id]
