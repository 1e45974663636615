"""A host for tests: a real database file, the smallest game, and a wall clock that the test sets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bot.store.store import Store
from bot.tables.automata import Automata
from bot.tables.clock import Clock
from bot.tables.service import Service
from bot.tables.table import Committed, Table
from bot.tables.worker import Inline, Minds, Thinker
from tests.games.toy import TOY, Options, Toy

ADA, BEN, CLEO, STRANGER = 101, 102, 103, 999
NAMES = {ADA: "Ada", BEN: "Ben", CLEO: "Cleo"}
GUILD, CHANNEL = 1, 2


class Vowels:
    """A lexicon: a word is legal that has a vowel."""

    def __init__(self) -> None:
        self.asked = 0

    def legal(self, word: str) -> bool:
        self.asked += 1
        return bool(set(word) & set("AEIOU"))

    def common(self, word: str) -> bool:
        return False

    def related(self, first: str, second: str) -> bool:
        return first[:1] == second[:1]

    def matching(self, pattern: str) -> list[str]:
        raise AssertionError("the toy asks for no pattern")


def minds() -> Minds:
    return Minds({TOY.key: TOY}, Vowels())


class Hosting:
    """The host of some tables. ``frozen``: time passes only by ``sleep``; else it also passes by itself."""

    def __init__(self, store: Store, *, game: Toy = TOY, frozen: bool = True, **limits: Any) -> None:
        self.store = store
        self.game = game
        self.heard: list[Committed] = []
        self.lexicon = Vowels()
        self._frozen = frozen
        self._passed = 1_700_000_000_000
        self._begun = time.monotonic_ns()
        self.service = Service(
            store,
            {game.key: game},
            self.lexicon,
            self.now,
            lambda table, what: self.heard.append(what),
            **limits,
        )

    @classmethod
    async def at(cls, folder: Path, **given: object) -> Hosting:
        return cls(await Store.open(folder / "tables.db"), **given)  # type: ignore[arg-type]

    def now(self) -> int:
        passed = 0 if self._frozen else (time.monotonic_ns() - self._begun) // 1_000_000
        return self._passed + passed

    def sleep(self, milliseconds: int) -> None:
        self._passed += milliseconds

    async def lobby(self, users: Iterable[int] = (ADA, BEN), options: Options | None = None) -> Table:
        opener, *others = users
        table = await self.service.open(self.game.key, GUILD, CHANNEL, opener, NAMES[opener], options)
        for user in others:
            table = await self.service.join(table.id, user, NAMES[user])
        return table

    async def live(
        self, users: Iterable[int] = (ADA, BEN), automata: Iterable[int] = (), options: Options | None = None
    ) -> int:
        """Begin a game of the users and of automata of these skills; returns the table's number."""
        table = await self.lobby(users, options)
        for skill in automata:
            await self.service.add_automaton(table.id, skill, table.opener)
        await self.service.start(table.id, table.opener)
        return table.id

    async def state(self, table: int) -> bytes:
        raw = await self.store.state(table)
        assert raw is not None
        return raw

    async def card(self, table: int, seat: int) -> str:
        card: str = (await self.service.view(table, seat)).hand[0]
        return card

    def clock(self, thinker: Thinker | None = None) -> Clock:
        automata = Automata(self.service, thinker or Inline(minds()))
        return Clock(self.service, automata, beat_live=10_000, beat_idle=10_000)


async def until(condition: Callable[[], object], tries: int = 2_000) -> None:
    """Wait until a condition holds; fails when it never does."""
    for _ in range(tries):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came to pass")
