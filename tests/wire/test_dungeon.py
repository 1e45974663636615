"""Word Dungeon with the real bot as a process: a solo and a race over kill -9, two turns at once, closed doors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from bot.games import GAMES
from bot.games.dungeon.state import State
from bot.loopback.interactions import Interaction
from bot.loopback.model import Message
from tests.wire.house import House, house_of

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

ROUTE = (("GORY", "A1 down"), ("YEA", "A4 across"), ("RARES", "C5 across"), ("RASPY", "G3 down"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: Any) -> AsyncIterator[House]:
    async with house_of(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(autouse=True)
def _nothing_is_reported(house: House) -> Iterator[None]:
    yield
    assert not house.reports()


def newest(house: House) -> int:
    """The number of the latest table, 0 before the first."""
    with house.database() as found:
        return int(found.execute("SELECT coalesce(max(id), 0) FROM tables").fetchone()[0])


def state(house: House, table: int) -> State:
    with house.database() as found:
        raw = found.execute("SELECT state FROM states WHERE tbl = ?", (table,)).fetchone()[0]
    found_state: State = GAMES["dungeon"].states.load(raw)
    return found_state


def words(house: House, table: int, seat: int = 0) -> list[str]:
    return [place.word for place in state(house, table).run_of(seat).places]


def records(house: House, table: int) -> list[tuple[str, int, int, int]]:
    with house.database() as found:
        rows = found.execute(
            "SELECT course, seat, score, detail FROM records WHERE tbl = ?", (table,)
        ).fetchall()
    return [(course, seat, score, json.loads(detail)["medal"]) for course, seat, score, detail in rows]


async def solo(house: House, name: str, **options: Any) -> tuple[int, Interaction]:
    before = newest(house)
    asked = await house.here.person(name).slash("#lobby", "dungeon solo", dungeon="cellar-steps", **options)
    assert not asked.failed
    await house.until(lambda: newest(house) != before)
    return newest(house), asked


async def lay(house: House, name: str, table: int, word: str, at: str) -> Interaction:
    return await house.here.person(name).slash("#lobby", "dungeon place", word=word, at=at, table=table)


def hand(house: House, name: str, table: int, seat: int = 0) -> Message | None:
    with house.database() as found:
        row = found.execute(
            "SELECT message, shown = revision FROM messages JOIN tables ON id = tbl WHERE tbl = ? AND audience = ?",
            (table, f"hand/{seat}"),
        ).fetchone()
    if row is None or not row[1]:
        return None
    private = house.here.world.messages[house.here.person(name).dm().id]
    return private.get(str(row[0]))


async def test_a_solo_goes_on_in_its_panel_after_a_kill_and_nothing_is_sent(house: House) -> None:
    table, asked = await solo(house, "Ada")
    assert asked.message is not None
    assert asked.message.ephemeral
    await lay(house, "Ada", table, "GORY", "A1 down")
    await house.process.kill()
    assert words(house, table) == ["GORY"]
    await house.process.restart()
    form = await house.here.person("Ada").click(asked.message, label="Place a word")
    assert form.modal is not None
    answer = await house.here.person("Ada").submit(form, {"word": "YEA", "place": "A4 across"})
    assert not answer.failed
    await house.until(lambda: words(house, table) == ["GORY", "YEA"])
    for word, at in ROUTE[2:]:
        last = await lay(house, "Ada", table, word, at)
        assert not last.failed
    assert state(house, table).public.over
    assert records(house, table) == [("dungeon/cellar-steps", 0, 13, 3)]
    assert "You escaped in 4 turns: 11 + 2 = **13 points**, gold." in last.text
    assert hand(house, "Ada", table) is None
    assert not any("GORY" in message.text for message in house.here.person("Ben").sees("#lobby"))


async def test_of_two_turns_sent_at_once_for_one_map_one_counts(house: House) -> None:
    table, asked = await solo(house, "Ben")
    ben = house.here.person("Ben")
    forms = [await ben.click(asked.message, label="Place a word") for _ in range(2)]
    answers = await asyncio.gather(
        ben.submit(forms[0], {"word": "GORY", "place": "A1 down"}),
        ben.submit(forms[1], {"word": "GORE", "place": "A1 across"}),
    )
    assert not any(answer.failed for answer in answers)
    (laid,) = words(house, table)
    # Both answers stand on the one panel, so whichever comes last is read: each tells of the word that counted.
    await house.until(lambda: f"**{laid}** at A1" in ben.last("#lobby").text)


async def test_who_asks_twice_at_once_begins_one_solo(house: House) -> None:
    before = newest(house)
    cleo = house.here.person("Cleo")
    answers = await asyncio.gather(
        *(cleo.slash("#lobby", "dungeon solo", dungeon="cellar-steps") for _ in range(2))
    )
    assert not any(answer.failed for answer in answers)
    await house.until(lambda: newest(house) == before + 1)


async def test_a_race_ends_after_a_restart_and_shows_all_routes(house: House) -> None:
    world = house.here.world
    room = world.channel("room-1")
    ada, ben = house.here.person("Ada"), house.here.person("Ben")
    await ada.slash(room, "play dungeon", dungeon="cellar-steps")

    def board() -> Message | None:
        said = [
            one for one in world.messages.get(room.id, {}).values() if not one.ephemeral and one.custom_ids
        ]
        return said[-1] if said else None

    await house.until(lambda: (now := board()) and "Seats" in now.text)
    await ben.click(board(), label="Join")
    await house.until(lambda: (now := board()) and "Ben" in now.text)
    await ada.click(board(), label="Start")
    await house.until(lambda: (now := board()) and "Inside: Ada and Ben" in now.text)
    table = newest(house)
    for word, at in ROUTE[:2]:
        assert not (await lay(house, "Ada", table, word, at)).failed
    await house.process.restart()
    for word, at in ROUTE[2:]:
        assert not (await lay(house, "Ada", table, word, at)).failed
    await house.until(lambda: (now := board()) and "escapes in turn 4" in now.text)
    seen = [message.text for message in ben.sees(room)]
    assert not any("RASPY" in text for text in seen)
    await ben.slash(room, "dungeon place", word="GORE", at="A1 across", table=table)
    asked = await ben.slash(room, "dungeon give_up", table=table)
    await ben.click(asked.message, label="Give up")
    over = await house.until(lambda: (now := board()) and "RASPY" in now.text and now)
    assert "1. **Ada** escaped" in over.text
    assert records(house, table) == [("dungeon/cellar-steps", 0, 13, 3)]
