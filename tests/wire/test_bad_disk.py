"""The database is locked, its disk is full, or a row of it is damaged: what is answered is true, and the rest goes on."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from tests.wire.house import House, Table, house_of

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

NOTHING_CHANGED = "nothing has changed"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: Any) -> AsyncIterator[House]:
    async with house_of(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def forgetful(tmp_path_factory: Any) -> AsyncIterator[House]:
    async with house_of(tmp_path_factory.mktemp("forgetful"), "forgetful_bot:main") as found:
        yield found


@contextlib.contextmanager
def writing(house: House) -> Iterator[sqlite3.Connection]:
    """A second process's connection to the bot's database, without waiting for anybody."""
    with contextlib.closing(
        sqlite3.connect(house.data / "wordmoot.db", isolation_level=None, timeout=5)
    ) as found:
        yield found


async def pressed(table: Table, name: str) -> tuple[Any, str]:
    """Press what contributes a letter on the person's hand: the answer, and all that it has told in the end."""
    hand = table.hand(name)
    key = next(key for key in hand.custom_ids if ":give:" in key)
    answer = await table.house.here.person(name).click(hand, custom_id=key)
    return answer, key


async def test_a_locked_database_is_told_and_the_move_can_be_made_again(house: House) -> None:
    table = await house.table()
    with writing(house) as other:
        other.execute("BEGIN IMMEDIATE")
        answer, _ = await pressed(table, "Ada")
        assert not answer.failed, "it was deferred in time"
        await house.until(
            lambda: NOTHING_CHANGED in answer.text + "".join(said.text for said in answer.followups)
        )
        other.execute("ROLLBACK")
    assert table.sealed() == []
    assert not house.reports()
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")


async def test_a_full_disk_is_told_and_the_game_goes_on_when_there_is_room(house: House) -> None:
    table = await house.table()
    house.process.fill_disk()
    try:
        answer, _ = await pressed(table, "Ada")
        assert not answer.failed
        await house.until(
            lambda: NOTHING_CHANGED in answer.text + "".join(said.text for said in answer.followups)
        )
        again, _ = await pressed(table, "Ben")
        assert not again.failed
    finally:
        house.process.free_disk()
    assert table.sealed() == []
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")
    assert house.process.running
    assert not house.reports()


async def test_on_a_full_disk_nobody_is_told_that_an_answer_was_none(house: House) -> None:
    """Ada is due a word about her closed messages, which cannot be noted as said; her rack is shown all the same."""
    table = await house.table()
    ada = house.here.person("Ada")
    ada.close_dms()
    house.here.world.delete(table.hand("Ada"))
    await house.until(lambda: [one for one in house.asked(ada.dm().id) if one.code == 50007])
    house.process.fill_disk()
    try:
        told = await house.told(table, "Ada")
    finally:
        house.process.free_disk()
        ada.open_dms()
    assert "Your rack" in told
    assert NOTHING_CHANGED not in told
    assert "cannot send you private" in await house.told(table, "Ada")


async def test_a_database_that_is_locked_at_the_start_is_waited_for(house: House) -> None:
    table = await house.table()
    await house.process.kill()
    with writing(house) as other:
        other.execute("BEGIN IMMEDIATE")
        await house.process.start()
        await house.process.ready()
        other.execute("ROLLBACK")
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")


def corrupt(house: House, table: Table, column: str) -> None:
    """Write nonsense over a part of a table's record."""
    statement = {
        "state": "UPDATE states SET state = x'00ff00ff' WHERE tbl = ?",
        "options": "UPDATE tables SET options = x'00ff00ff' WHERE id = ?",
        "events": "UPDATE moves SET events = x'00ff00ff' WHERE tbl = ?",
    }[column]
    with writing(house) as other:
        other.execute(statement, (table.number,))


async def is_set_aside(house: House, table: Table) -> None:
    """Whoever presses is told so with the code of a report, and Discord is not bothered."""
    answer, _ = await pressed(table, "Ada")
    assert "set aside" in answer.text
    code = table.row("SELECT aside FROM tables")[0]
    assert code in answer.text
    assert (house.data / "reports" / f"{code}.txt").exists()
    again = await house.here.person("Ben").click(table.board(), label="My rack")
    assert code in again.text


@pytest.mark.parametrize("column", ["state", "options"])
async def test_a_table_damaged_while_the_bot_is_down_is_set_aside(house: House, column: str) -> None:
    damaged, sound = await house.table(), await house.table()
    await house.process.kill()
    corrupt(house, damaged, column)
    await house.process.start()
    await house.process.ready()
    await sound.give("Ada")
    await sound.says("Waiting for Ben and Cleo")
    await is_set_aside(house, damaged)
    await sound.give("Ben")
    await sound.says("Waiting for Cleo")


@pytest.mark.parametrize("column", ["state", "options"])
async def test_a_table_damaged_while_the_bot_runs_is_set_aside(forgetful: House, column: str) -> None:
    damaged, sound = await forgetful.table(), await forgetful.table()
    await damaged.give("Cleo")
    await damaged.says("Waiting for Ada and Ben")
    await sound.give("Cleo")  # and with that the bot has forgotten the first
    await sound.says("Waiting for Ada and Ben")
    corrupt(forgetful, damaged, column)
    await is_set_aside(forgetful, damaged)
    await sound.give("Ben")
    await sound.says("Waiting for Ada")


async def test_a_damaged_line_of_the_log_costs_the_telling_and_nothing_else(forgetful: House) -> None:
    table = await forgetful.table()
    await table.give("Cleo")
    await table.says("Waiting for Ada and Ben")
    corrupt(forgetful, table, "events")
    await pressed(table, "Ben")
    await table.says("Waiting for Ada")
    assert not table.paused()
