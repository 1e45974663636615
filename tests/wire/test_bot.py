"""The real bot as a process of its own, on a real wire: what a simulation in one process cannot show."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.games import GAMES
from bot.games.defenders.state import State
from bot.loopback import Impossible, Loopback
from bot.loopback.process import BotProcess

pytestmark = pytest.mark.wire

PLAYERS = ("Ada", "Ben", "Cleo")
SETTINGS = {"WORDMOOT_READY_TIMEOUT": "0.05", "WORDMOOT_PACE": "0.1"}


class House:
    """A local Discord, the bot in it, and a look into its database from outside."""

    def __init__(self, here: Loopback, process: BotProcess, data: Path) -> None:
        self.here = here
        self.process = process
        self.data = data

    @contextlib.contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(
            sqlite3.connect(f"file:{self.data / 'wordmoot.db'}?mode=ro", uri=True)
        ) as found:
            yield found

    def state(self) -> State:
        with self.database() as found:
            raw = found.execute("SELECT state FROM states ORDER BY tbl DESC").fetchone()[0]
        state: State = GAMES["defenders"].states.load(raw)
        return state

    def behind(self) -> list[str]:
        """Return the audiences whose message lags behind its table."""
        with self.database() as found:
            rows = found.execute(
                "SELECT m.audience FROM messages m JOIN tables t ON t.id = m.tbl WHERE m.shown < t.revision"
            )
            return [row[0] for row in rows]

    def board(self) -> Any:
        return [message for message in self.here.person("Ada").sees("#games") if not message.ephemeral][-1]

    def hand(self, name: str) -> Any:
        return self.here.person(name).sees(self.here.person(name).dm())[-1]

    async def until(self, true: Any, seconds: float = 20) -> Any:
        return await self.here.until(true, seconds)

    async def begin(self, *names: str) -> None:
        """Open a table of these people, start it, and wait until everyone has a hand."""
        await self.here.person(names[0]).slash("#games", "play defenders")
        await self.until(lambda: "Seats" in self.board().text)
        for name in names[1:]:
            await self.click(name, "Join")
            await self.until(lambda name=name: name in self.board().text)
        await self.click(names[0], "Start")
        await self.until(lambda: "Waiting for" in self.board().text)

    async def click(self, name: str, label: str) -> Any:
        """Press a button of the board, again when an edit came in between."""
        for _ in range(20):
            with contextlib.suppress(Impossible):
                return await self.here.person(name).click(self.board(), label=label)
            await asyncio.sleep(0.1)
        raise AssertionError(f"no {label} on {self.board().labels}")

    async def rack(self, name: str) -> Any:
        return (await self.click(name, "My rack")).message

    async def contribute(self, name: str) -> Any:
        rack = await self.rack(name)
        give = next(key for key in rack.custom_ids if ":give:" in key)
        return await self.here.person(name).click(rack, custom_id=give)


@asynccontextmanager
async def house_of(folder: Path) -> AsyncIterator[House]:
    async with Loopback(players=PLAYERS) as here, here.bot(data=folder, settings=SETTINGS) as process:
        yield House(here, process, folder)


async def test_two_people_who_click_at_once_both_count(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        racks = [await house.rack(name) for name in PLAYERS]
        gives = [next(key for key in rack.custom_ids if ":give:" in key) for rack in racks]
        answers = await asyncio.gather(
            *(
                house.here.person(name).click(rack, custom_id=give)
                for name, rack, give in zip(PLAYERS, racks, gives, strict=True)
            )
        )
        assert not any(answer.failed for answer in answers)
        await house.until(lambda: house.state().public.phase == "word")
        await house.until(lambda: "Form a word" in house.board().text)


async def test_a_double_click_plays_once(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        rack = await house.rack("Ada")
        give = next(key for key in rack.custom_ids if ":give:" in key)
        ada = house.here.person("Ada")
        first, second = await asyncio.gather(ada.click(rack, custom_id=give), ada.click(rack, custom_id=give))
        assert not first.failed
        assert not second.failed
        sealed = house.state().sealed
        assert [letters is not None for letters in sealed] == [True, False, False]
        assert sum(map(len, house.state().racks)) == 14


async def test_closed_private_messages_are_told_once_and_stop_nothing(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        house.here.world.close_dms("Ada")
        await house.begin(*PLAYERS)
        await house.until(lambda: any(one.status == 403 for one in house.here.world.exchanges))
        await asyncio.sleep(0.2)
        first = await house.click("Ada", "My rack")
        await house.until(lambda: "cannot send you private" in " ".join(one.text for one in first.followups))
        second = await house.click("Ada", "My rack")
        await asyncio.sleep(0.3)
        assert not any("cannot send" in one.text for one in second.followups)
        await house.contribute("Ada")
        assert house.state().sealed[0] is not None


async def test_a_form_submitted_after_a_restart_is_heard(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin("Ada", "Ben")
        with contextlib.suppress(Impossible):
            await asyncio.gather(*(give_two(house, name) for name in ("Ada", "Ben")))
        await house.until(lambda: house.state().public.phase == "word")
        await house.until(lambda: "Place a word" in house.board().labels)
        form = await house.click("Ada", "Place a word")
        assert form.modal is not None
        await house.process.restart()
        answer = await house.here.person("Ada").submit(form, {"word": "ZZZZ", "place": ""})
        assert not answer.failed
        assert "ZZZZ" in answer.text


async def give_two(house: House, name: str) -> None:
    rack = await house.rack(name)
    seat = PLAYERS.index(name)
    letters = house.state().racks[seat]
    await house.here.person(name).select(rack, *(f"{index}{letters[index]}" for index in range(2)))


async def test_a_bot_killed_in_any_move_has_played_it_or_not_and_heals(tmp_path: Path) -> None:
    """Six moves of a round, each cut short by kill -9 a little later than the one before."""
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        await killed(house, "Ada", "give", 0.0)
        await killed(house, "Ben", "give", 0.002)
        await killed(house, "Cleo", "give", 0.004)
        await house.until(lambda: "Form a word" in house.board().text)
        await killed(house, "Ada", "noword", 0.008)
        await killed(house, "Ben", "agree", 0.016)
        await killed(house, "Cleo", "agree", 0.032)
        await house.until(lambda: "round 2" in house.board().text)
        await house.until(lambda: all("Choose 1 letter" in house.hand(name).text for name in PLAYERS))


async def killed(house: House, name: str, verb: str, delay: float) -> None:
    """Press, kill the bot ``delay`` s later, start it again, look at what stands, and press again if need be."""

    async def press() -> Any:
        message = await house.rack(name) if verb == "give" else house.board()
        key = next(key for key in message.custom_ids if f":{verb}:" in key)
        return asyncio.create_task(house.here.person(name).click(message, custom_id=key))

    before = house.state()
    click = await press()
    await asyncio.sleep(delay)
    await house.process.kill()
    answer = await click
    after = house.state()
    if answer.response is not None:
        assert after != before, "it was answered, so it must be there"
    await house.process.restart()
    await house.until(lambda: not house.behind())
    assert house.state() == after
    if after == before:
        await (await press())
        assert house.state() != before


async def test_a_rate_limit_and_a_bad_gateway_delay_the_board_and_lose_nothing(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        house.here.faults.add("PATCH", "/channels/*/messages/*", status=429, retry_after=0.3, times=2)
        house.here.faults.add("PATCH", "/channels/*/messages/*", status=502, times=1)
        await house.contribute("Ada")
        await house.until(lambda: "Waiting for Ben and Cleo" in house.board().text)
        await house.until(lambda: not house.behind())


async def test_a_dropped_socket_is_resumed_and_the_game_goes_on(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        await house.here.gateway.drop(4000, resumable=True)
        await house.until(lambda: house.here.gateway.resumed > 0)
        await house.contribute("Ada")
        assert house.state().sealed[0] is not None


async def test_a_socket_that_cannot_resume_gives_the_table_its_time_back(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        identified = house.here.gateway.identified
        await house.here.gateway.drop(4000, resumable=False)
        await house.until(lambda: house.here.gateway.identified > identified)
        await house.contribute("Ada")
        assert house.state().sealed[0] is not None


async def test_sigterm_ends_the_bot_in_good_order(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        assert await house.process.stop() == 0


async def test_no_message_in_the_channel_and_no_answer_to_others_holds_a_hand(tmp_path: Path) -> None:
    async with house_of(tmp_path) as house:
        await house.begin(*PLAYERS)
        await house.until(
            lambda: all(house.here.person(name).sees(house.here.person(name).dm()) for name in PLAYERS)
        )
        for name in PLAYERS[1:]:
            for message in house.here.person(name).sees("#games"):
                assert "Your rack" not in message.text
        await house.rack("Ada")
        assert not any("Your rack" in message.text for message in house.here.person("Ben").sees("#games"))
