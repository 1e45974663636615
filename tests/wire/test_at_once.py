"""Presses of several people at the same moment, on a real wire: each counts as if it had come alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from bot.loopback import Loopback
from bot.loopback.model import Message
from tests.wire.house import CHANNELS, SETTINGS, House, Table

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


PEOPLE = ("Ada", "Ben", "Cleo", "Dan")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: Any) -> AsyncIterator[House]:
    folder = tmp_path_factory.mktemp("house")
    async with (
        Loopback(players=PEOPLE, channels=("lobby", *CHANNELS)) as here,
        here.bot(data=folder, settings=SETTINGS) as process,
    ):
        yield House(here, process, folder)


async def at_once(house: House, message: Message, *presses: tuple[str, str]) -> None:
    """Let people press buttons of one message, all before the first is answered."""
    pressed = await asyncio.gather(
        *(house.here.person(name).click(message, label=label) for name, label in presses)
    )
    assert not any(press.failed for press in pressed)


def question(table: Table) -> Message | None:
    """Return the open question to all at a table."""
    return next((one for one in table.said() if "Still to agree" in one.text), None)


@pytest.mark.parametrize("objector_first", [False, True])
@pytest.mark.parametrize(
    ("command", "options", "ask", "agree", "object_", "outcome"),
    [
        ("table end", {}, "End the table", "End the table", "Keep playing", "Cleo would rather play on"),
        ("table replace", {"player": "Dan"}, "Ask the others", "Agree", "Disagree", "Cleo does not agree"),
    ],
)
async def test_an_objection_stands_whoever_agrees_at_the_same_moment(
    house: House,
    command: str,
    options: Any,
    ask: str,
    agree: str,
    object_: str,
    outcome: str,
    objector_first: bool,
) -> None:
    table = await house.table(*PEOPLE)
    answer = await house.here.person("Ada").slash(table.where, command, table=table.number, **options)
    assert answer.message is not None
    await house.here.person("Ada").click(answer.message, label=ask)
    card = await house.until(lambda: question(table))
    presses = [("Ben", agree), ("Cleo", object_)]
    await at_once(house, card, *(reversed(presses) if objector_first else presses))
    await house.until(lambda: outcome in card.text)
    await asyncio.sleep(0.3)
    assert outcome in card.text
    assert not card.custom_ids
    assert table.row("SELECT count(*) FROM votes")[0] == 0
    assert table.row("SELECT stage FROM tables")[0] == "live"


async def test_a_rematch_that_all_want_at_once_is_announced_once(house: House) -> None:
    table = await house.table()
    for name in table.names:
        asked = await house.here.person(name).slash(table.where, "table end", table=table.number)
        assert asked.message is not None
        await house.here.person(name).click(asked.message, label="End the table")
    await house.until(lambda: "Rematch" in str(table.board().components))
    await at_once(house, table.board(), *((name, "Rematch") for name in table.names))
    await house.until(lambda: any("wants a rematch" in one.text for one in table.said()))
    await asyncio.sleep(0.3)
    assert sum("wants a rematch" in one.text for one in table.said()) == 1
    with house.database() as found:
        seats = found.execute(
            "SELECT count(*) FROM seats JOIN tables ON id = tbl WHERE follows = ?", (table.number,)
        )
        assert seats.fetchone()[0] == 3
