"""The real bot as a process on a Discord of this machine, for tests that give it a bad day.

One `House` is shared by the tests of a module; each opens a table of its own in a channel of its own, so that what is
done to one (deleted, closed, locked) is nothing to the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.games import GAMES
from bot.games.defenders.state import State
from bot.loopback import Impossible, Loopback
from bot.loopback.interactions import Interaction
from bot.loopback.model import Channel, Message
from bot.loopback.process import BotProcess
from bot.loopback.world import Exchange

PLAYERS = ("Ada", "Ben", "Cleo")
SETTINGS = {
    "WORDMOOT_READY_TIMEOUT": "0.05",
    "WORDMOOT_PACE": "0.02",
    "WORDMOOT_DIG_AFTER": "86400",
    "WORDMOOT_TABLES_PER_SERVER": "200",
    "WORDMOOT_TABLES_PER_PLAYER": "200",
}
CHANNELS = tuple(f"room-{number}" for number in range(60))


class Table:
    """One table and the channel, or the thread, in which it is played."""

    def __init__(self, house: House, number: int, place: Channel, names: tuple[str, ...]) -> None:
        self.house = house
        self.number = number
        self.place = place
        self.names = names

    @property
    def where(self) -> str:
        """The id of its place, as paths have it."""
        return self.place.id

    def said(self) -> list[Message]:
        """What everyone sees in its place, the oldest first."""
        said = self.house.here.world.messages.get(self.where, {}).values()
        return [one for one in said if not one.ephemeral]

    def boards(self) -> list[Message]:
        """The messages in its place that have a board's buttons, the oldest first; questions to people have not."""
        return [
            one
            for one in self.said()
            if any(key.startswith("w1:") and ":vote_" not in key for key in one.custom_ids)
        ]

    def board(self) -> Message:
        return self.boards()[-1]

    def hand(self, name: str) -> Message:
        """The message in the person's direct messages that is this table's hand."""
        key = self.row("SELECT message FROM messages WHERE audience = ?", f"hand/{self.names.index(name)}")[0]
        return self.house.here.world.messages[self.house.here.person(name).dm().id][str(key)]

    def row(self, sql: str, *given: Any) -> Any:
        """The first row of a query about this table."""
        glue = "AND" if "WHERE" in sql else "WHERE"
        column = "id" if "FROM tables" in sql else "tbl"
        with self.house.database() as found:
            return found.execute(f"{sql} {glue} {column} = ?", (*given, self.number)).fetchone()

    def state(self) -> State:
        state: State = GAMES["defenders"].states.load(self.row("SELECT state FROM states")[0])
        return state

    def seq(self) -> int:
        return int(self.row("SELECT seq FROM tables")[0])

    def sealed(self) -> list[str]:
        """Who has given letters in this round."""
        return [
            name for name, letters in zip(self.names, self.state().sealed, strict=True) if letters is not None
        ]

    def paused(self) -> bool:
        return self.row("SELECT paused_at FROM tables")[0] is not None

    def board_shows_all(self) -> bool:
        """Whether the board shows the last commit."""
        row = self.row(
            "SELECT m.shown = t.revision FROM messages m JOIN tables t ON t.id = m.tbl"
            " WHERE m.audience = 'board'"
        )
        return row is not None and bool(row[0])

    def behind(self) -> list[str]:
        """The audiences whose message does not show the last commit."""
        with self.house.database() as found:
            rows = found.execute(
                "SELECT m.audience FROM messages m JOIN tables t ON t.id = m.tbl"
                " WHERE t.id = ? AND m.shown < t.revision",
                (self.number,),
            )
            return [row[0] for row in rows]

    async def click(self, name: str, label: str) -> Interaction:
        """Press a button of the board, again when an edit came in between."""
        for _ in range(50):
            with contextlib.suppress(Impossible, IndexError):
                return await self.house.here.person(name).click(self.board(), label=label)
            await asyncio.sleep(0.1)
        raise AssertionError(f"no {label}")

    async def rack(self, name: str) -> Message:
        """A private panel with the person's letters, by command: it needs no board."""
        answer = await self.house.here.person(name).slash("#lobby", "table hand", table=self.number)
        assert answer.message is not None, answer.response
        return answer.message

    async def give(self, name: str) -> Interaction:
        """Contribute the letters that the rack offers first."""
        rack = await self.rack(name)
        key = next(key for key in rack.custom_ids if ":give:" in key)
        return await self.house.here.person(name).click(rack, custom_id=key)

    async def says(self, text: str) -> None:
        """Wait until the board says this."""
        await self.house.until(lambda: self.boards() and text in self.board().text)


class House:
    """A local Discord, the bot in it, and a look into its database from outside."""

    def __init__(self, here: Loopback, process: BotProcess, data: Path) -> None:
        self.here = here
        self.process = process
        self.data = data
        self._rooms = itertools.count()

    @contextlib.contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(
            sqlite3.connect(f"file:{self.data / 'wordmoot.db'}?mode=ro", uri=True)
        ) as found:
            yield found

    def reports(self) -> list[Path]:
        """What the bot took for a fault of its own."""
        return list((self.data / "reports").glob("*"))

    async def until(self, true: Callable[[], Any], seconds: float = 20) -> Any:
        return await self.here.until(true, seconds)

    async def table(self, *names: str, thread: bool = False, start: bool = True) -> Table:
        """Open a table in a channel of its own, start it, and wait until everyone has a hand."""
        names = names or PLAYERS
        world = self.here.world
        room = world.channel(f"room-{next(self._rooms)}")
        options = {"thread": True} if thread else {}
        opened = await self.here.person(names[0]).slash(room, "play defenders", **options)
        assert not opened.failed
        await self.until(lambda: "in" in opened.text or "open" in opened.text)
        place = (await self.until(lambda: world.threads(room.id)))[0] if thread else room
        with self.database() as found:
            number = found.execute("SELECT max(id) FROM tables").fetchone()[0]
        table = Table(self, number, place, names)
        await table.says("Seats")
        for name in names[1:]:
            await table.click(name, "Join")
            await table.says(name)
        if not start:
            return table
        await table.click(names[0], "Start")
        await table.says("Waiting for")
        await self.until(lambda: self._hands(table) == len(names))
        return table

    def _hands(self, table: Table) -> int:
        return int(table.row("SELECT count(*) FROM messages WHERE audience LIKE 'hand/%'")[0])

    def asked(self, place: str, method: str = "*", since: int = 0) -> list[Exchange]:
        """The bot's requests about a channel and its messages."""
        exchanges = list(self.here.world.exchanges)[since:]
        path = f"/channels/{place}"
        return [
            one
            for one in exchanges
            if method in ("*", one.method) and (one.path == path or one.path.startswith(f"{path}/"))
        ]

    def now(self) -> int:
        """A mark for ``asked``: the requests until now."""
        return len(self.here.world.exchanges)

    async def told(self, table: Table, name: str) -> str:
        """Everything that a person is told in private with an answer."""
        answer = await self.here.person(name).slash("#lobby", "table hand", table=table.number)
        texts = [answer.text]
        with contextlib.suppress(TimeoutError):
            await self.until(lambda: answer.followups, 0.5)
        return "\n".join([*texts, *(said.text for said in answer.followups)])


@asynccontextmanager
async def house_of(folder: Path, entry: str = "bot.app:main_bot") -> AsyncIterator[House]:
    """A house with a bot that is ready; it ends with the block. ``entry`` may be a module beside this one."""
    async with (
        Loopback(players=PLAYERS, channels=("lobby", *CHANNELS)) as here,
        here.bot(entry, data=folder, path=[Path(__file__).parent], settings=SETTINGS) as process,
    ):
        yield House(here, process, folder)
