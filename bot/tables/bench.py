"""What a committed move costs, and what ten thousand stored tables do to a start: ``figures`` for ``wordmoot bench``.

The baseline of a move is the very statements that it ran, with the same parameters, on a copy of the database through
plain aiosqlite, awaited one by one, turn about with the real thing. The rules, the codecs, the lock and the listeners
are in the move's time and not in the baseline's.
"""

from __future__ import annotations

import asyncio
import json
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, ClassVar

import aiosqlite

from bot.games import GAMES
from bot.games.defenders.state import Agree, Contribute, NoWord, Object, Propose
from bot.store.database import Connection
from bot.store.rows import Message
from bot.store.store import Store
from bot.tables.automata import Automata
from bot.tables.clock import Clock, wall_clock
from bot.tables.service import Service
from bot.tables.worker import Inline, everything
from bot.words.lexicon import Lexicon

Figure = dict[str, Any]
MOVES = 300
WARM = 30
TABLES = 10_000
USERS = (101, 102, 103)


class Recorder(Connection):
    """Keeps what it executes."""

    statements: ClassVar[list[tuple[str, Any]]] = []

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement, or a transaction, whose statements come here each."""
        if type(sql) is str:
            self.statements.append((sql, parameters))
        return super().execute(sql, parameters)


class Hasty(Connection):
    """Does not wait for the disk, for filling a database that nobody minds losing."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement."""
        return super().execute(
            "PRAGMA synchronous=OFF" if sql == "PRAGMA synchronous=FULL" else sql, parameters
        )


def figures() -> Iterator[Figure]:
    """Measure; a dictionary a figure, with ``figure``, ``value``, ``unit``, ``limit`` and ``baseline``."""
    yield asyncio.run(_move())
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few.db", Path(folder) / "many.db"
        asyncio.run(fill(few, 1))
        asyncio.run(fill(many, TABLES))
        base, full = _start(few), _start(many)
    yield {
        "figure": "start of the tables, 10,000 of them live", "value": round(full["seconds"], 3), "unit": "s",
        "limit": 3, "baseline": round(base["seconds"], 3),
    }  # fmt: skip
    yield {
        "figure": "memory that 10,000 live tables add", "value": round(full["mb"] - base["mb"], 1), "unit": "MB",
        "limit": 5, "baseline": round(base["mb"], 1),
    }  # fmt: skip


async def fill(path: Path, tables: int, guild: int = 1) -> None:
    """Store that many live tables of three people, begun a second ago and shown on Discord, in a new database.

    ``guild`` is their server: one that the bot is in, where a bot is started on them.
    """
    store = await Store.open(path, connection=Hasty)
    try:
        now = wall_clock() - 1_000
        service = Service(
            store, GAMES, Lexicon.load(), lambda: now, tables_a_guild=tables, tables_a_user=tables
        )
        first = await _begun(service, guild)
        row, state = await store.table(first), await store.state(first)
        assert row is not None
        assert state is not None
        await store.set_message(first, Message("board", 2, first, row.revision, now))
        for number in range(1, tables):
            table = await store.create(
                game=row.game, version=row.version, guild=guild, channel=2, thread=None, opener=USERS[0],
                options=row.options, seed=number.to_bytes(16, "big"), seats=row.seats, created=now,
            )  # fmt: skip
            await store.deal(
                table, revision=1, version=row.version, state=state, seats=row.seats, opened=now,
                due=now + 86_400_000 + number, wake=None,
            )  # fmt: skip
            await store.set_message(table, Message("board", 2, table, 2, now))
    finally:
        await store.close()


async def _begun(service: Service, guild: int = 1) -> int:
    """Begin a game of three people; returns the table's number."""
    table = await service.open("defenders", guild, 2, USERS[0], "Ada")
    for user, name in zip(USERS[1:], ("Ben", "Cleo"), strict=True):
        await service.join(table.id, user, name)
    await service.start(table.id, USERS[0])
    return table.id


async def _move() -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder) / "real.db", Path(folder) / "plain.db"
        store = await Store.open(path)
        now = wall_clock()
        service = Service(store, GAMES, Lexicon.load(), lambda: now)
        table = await _begun(service)
        for seat, user in enumerate(USERS):
            rack = (await service.view(table, seat)).rack
            await service.play(table, seat, Contribute(rack[:1]), by=user)
        await service.play(table, 0, Propose(NoWord()), by=USERS[0])
        await store.close()
        shutil.copy(path, copy)

        store = await Store.open(path, connection=Recorder)
        service = Service(store, GAMES, Lexicon.load(), lambda: now)
        plain = await aiosqlite.connect(copy, isolation_level=None)
        try:
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                await plain.execute(f"PRAGMA {pragma}")
            real, base = [], []
            for number in range(MOVES + WARM):
                move = Agree() if number % 2 else Object()
                Recorder.statements.clear()
                begun = time.perf_counter()
                await service.play(table, 1, move, by=USERS[1])
                real.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                for sql, parameters in Recorder.statements:
                    await plain.execute_fetchall(sql, parameters)
                base.append(time.perf_counter() - begun)
            ((seq,),) = await plain.execute_fetchall("SELECT seq FROM tables")
            assert seq == (await service.table(table)).seq, "the baseline has not done the same work"
        finally:
            await plain.close()
            await store.close()
    mine, plainly = (median(times[WARM:]) * 1_000 for times in (real, base))
    return {
        "figure": "committed move, against its statements on plain aiosqlite", "value": round(mine / plainly, 2),
        "unit": "ratio", "limit": 2, "baseline": round(plainly, 3), "ms": round(mine, 3),
    }  # fmt: skip


def _start(path: Path) -> dict[str, float]:
    """Start the tables of a database in a fresh process; returns the seconds and the memory that it took."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(path)], check=True, stdout=subprocess.PIPE, text=True
    )
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


async def _started(path: Path) -> dict[str, float]:
    minds = everything()
    begun = time.perf_counter()
    store = await Store.open(path)
    service = Service(store, minds.games, minds.lexicon, wall_clock)
    clock = Clock(service, Automata(service, Inline(minds)))
    await clock.recover()
    await clock.start()
    lagging = await store.unshown(wall_clock())
    seconds = time.perf_counter() - begun
    await asyncio.sleep(0.5)
    memory = _resident()
    await clock.close()
    await store.close()
    assert not lagging
    return {"seconds": seconds, "mb": memory}


def _resident() -> float:
    """Return this process's resident memory in MB."""
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * resource.getpagesize() / 1e6


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_started(Path(sys.argv[1])))))
