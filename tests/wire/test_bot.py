"""The real bot as a process of its own, on a real wire: what a simulation in one process cannot show."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from tests.wire.house import PLAYERS, House, Table, house_of

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: Any) -> AsyncIterator[House]:
    async with house_of(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(autouse=True)
def _nothing_is_reported(house: House) -> Iterator[None]:
    yield
    house.here.world.rules.answer_seconds = 3.0
    assert not house.reports()


async def test_two_people_who_click_at_once_both_count(house: House) -> None:
    table = await house.table()
    racks = [await table.rack(name) for name in PLAYERS]
    gives = [next(key for key in rack.custom_ids if ":give:" in key) for rack in racks]
    answers = await asyncio.gather(
        *(
            house.here.person(name).click(rack, custom_id=give)
            for name, rack, give in zip(PLAYERS, racks, gives, strict=True)
        )
    )
    assert not any(answer.failed for answer in answers)
    await house.until(lambda: table.state().public.phase == "word")
    await table.says("Form a word")


async def test_a_double_click_plays_once(house: House) -> None:
    table = await house.table()
    rack = await table.rack("Ada")
    give = next(key for key in rack.custom_ids if ":give:" in key)
    ada = house.here.person("Ada")
    first, second = await asyncio.gather(ada.click(rack, custom_id=give), ada.click(rack, custom_id=give))
    assert not first.failed
    assert not second.failed
    assert table.sealed() == ["Ada"]
    assert sum(map(len, table.state().racks)) == 14


async def test_a_form_submitted_after_a_restart_is_heard(house: House) -> None:
    table = await house.table("Ada", "Ben")
    await asyncio.gather(*(give_two(table, name) for name in table.names))
    await house.until(lambda: table.state().public.phase == "word")
    await table.says("Form a word")
    form = await table.click("Ada", "Place a word")
    assert form.modal is not None
    await house.process.restart()
    answer = await house.here.person("Ada").submit(form, {"word": "ZZZZ", "place": ""})
    assert not answer.failed
    assert "ZZZZ" in answer.text


async def give_two(table: Table, name: str) -> None:
    rack = await table.rack(name)
    letters = table.state().racks[table.names.index(name)]
    await table.house.here.person(name).select(rack, *(f"{index}{letters[index]}" for index in range(2)))


async def test_a_bot_killed_in_any_move_has_played_it_or_not_and_heals(house: House) -> None:
    """Six moves of a round, each cut short by kill -9 a little later than the one before."""
    table = await house.table()
    house.here.world.rules.answer_seconds = 1.5  # whose bot is killed waits in vain
    await killed(table, "Ada", "give", 0.0)
    await killed(table, "Ben", "give", 0.002)
    await killed(table, "Cleo", "give", 0.004)
    await table.says("Form a word")
    await killed(table, "Ada", "noword", 0.008)
    await killed(table, "Ben", "agree", 0.016)
    await killed(table, "Cleo", "agree", 0.032)
    await table.says("round 2")
    await house.until(lambda: all("Choose 1 letter" in table.hand(name).text for name in PLAYERS))


async def killed(table: Table, name: str, verb: str, delay: float) -> None:
    """Press, kill the bot ``delay`` s later, start it again, look at what stands, and press again if need be."""
    house = table.house

    async def press() -> Any:
        if verb != "give":
            await house.until(lambda: any(f":{verb}:" in key for key in table.board().custom_ids))
        message = await table.rack(name) if verb == "give" else table.board()
        key = next(key for key in message.custom_ids if f":{verb}:" in key)
        return asyncio.create_task(house.here.person(name).click(message, custom_id=key))

    before = table.state()
    click = await press()
    await asyncio.sleep(delay)
    await house.process.kill()
    answer = await click
    after = table.state()
    if answer.response is not None:
        assert after != before, "it was answered, so it must be there"
    await house.process.restart()
    await house.until(lambda: not table.behind())
    assert table.state() == after
    if after == before:
        await (await press())
        assert table.state() != before


async def test_a_dropped_socket_is_resumed_and_the_game_goes_on(house: House) -> None:
    table = await house.table()
    rack = await table.rack("Ada")
    give = next(key for key in rack.custom_ids if ":give:" in key)
    resumed = house.here.gateway.resumed
    await house.here.gateway.drop(4000, resumable=True)
    answer = await house.here.person("Ada").click(rack, custom_id=give)  # while nobody hears it
    await house.until(lambda: house.here.gateway.resumed > resumed)
    await house.until(lambda: table.sealed() == ["Ada"])
    assert not answer.failed
    await table.says("Waiting for Ben and Cleo")


async def test_no_message_in_the_channel_and_no_answer_to_others_holds_a_hand(house: House) -> None:
    table = await house.table()
    for name in PLAYERS[1:]:
        for message in house.here.person(name).sees(table.place):
            assert "Your rack" not in message.text
    shown = await table.click("Ada", "My rack")
    assert "Your rack" in shown.text
    for name in PLAYERS[1:]:
        assert not any("Your rack" in message.text for message in house.here.person(name).sees(table.place))


async def test_sigterm_ends_the_bot_in_good_order(house: House) -> None:
    table = await house.table()
    assert await house.process.stop() == 0
    await house.process.start()
    await house.process.ready()
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")
