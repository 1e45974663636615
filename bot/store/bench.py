"""How long a move waits while a backup of a large database is made: ``figures`` for ``wordmoot bench``.

The backup runs in a process of its own, as ``wordmoot backup`` does, and moves are played one after another meanwhile
and until its file has its name. The baseline is the longest of as many moves without a backup.
"""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from bot.games import GAMES
from bot.store.backup import backup
from bot.store.store import Store
from bot.tables.clock import wall_clock
from bot.tables.service import Service
from bot.words.lexicon import Lexicon

Figure = dict[str, Any]
SIZE = 100_000_000  # bytes
RECORD, STORED = 3_900, 4_650  # bytes of a row of the filling, and what it takes on the disk
BACKUPS = 3
REST = 0.002  # s between two moves; more than a busy server has
USERS = (101, 102)


def figures() -> Iterator[Figure]:
    """Measure; a dictionary a figure."""
    yield asyncio.run(_waiting())


async def _waiting() -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wordmoot.db"
        async with _playing(path) as play:
            fill(path, SIZE)
            during: list[float] = []
            took: list[float] = []
            for number in range(BACKUPS):
                begun = time.perf_counter()
                process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", __name__, str(path), f"{path}.{number}", stdout=subprocess.DEVNULL
                )
                ended = asyncio.create_task(process.wait())
                while not ended.done():
                    during.append(await play())
                    await asyncio.sleep(REST)
                assert ended.result() == 0
                took.append(time.perf_counter() - begun)
            quiet = [await play() for _ in during]
            # Of the copy: the database itself may still have its rows in the write-ahead log.
            copy = path.with_name(f"{path.name}.{BACKUPS - 1}")
            size = copy.stat().st_size
    return {
        "figure": "longest wait of a move while a backup of 100 MB is made", "value": round(max(during) * 1000, 1),
        "unit": "ms", "limit": 100, "baseline": round(max(quiet) * 1000, 1), "moves": len(during),
        "mb": round(size / 1e6), "seconds": round(max(took), 2),
    }  # fmt: skip


@asynccontextmanager
async def _playing(path: Path) -> AsyncIterator[Callable[[], Awaitable[float]]]:
    """Begin a game; the function that it gives makes a change to it and returns the seconds that it took."""
    store = await Store.open(path)
    try:
        service = Service(store, GAMES, Lexicon.load(), wall_clock)
        table = (await service.open("defenders", 1, 2, USERS[0], "Ada")).id
        await service.join(table, USERS[1], "Ben")
        await service.start(table, USERS[0])
        moves = 0

        async def play() -> float:
            nonlocal moves
            moves += 1
            act = service.pause if moves % 2 else service.resume
            begun = time.perf_counter()
            await act(table)
            return time.perf_counter() - begun

        yield play
    finally:
        await store.close()


def fill(path: Path, size: int) -> None:
    """Store rows until the database has about that many bytes."""
    with closing(sqlite3.connect(path)) as database, database:
        rows = ((f"bench {number}", "x" * RECORD) for number in range(size // STORED))
        database.executemany("INSERT INTO facts VALUES (?, ?)", rows)


def copied(path: Path, copies: int) -> None:
    """Store the one table of a database, with all that belongs to it, that many times more.

    Hands tell the number of their table, so those of the copies lag behind.
    """
    with closing(sqlite3.connect(path)) as database, database:
        ((table,),) = database.execute("SELECT id FROM tables")
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
            key = "id" if name == "tables" else "tbl"
            if key not in columns:
                continue
            chosen = ", ".join("?1 + n" if column == key else column for column in columns)
            database.execute(
                f"WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?2)"
                f" INSERT INTO {name} ({', '.join(columns)}) SELECT {chosen} FROM {name}, counted WHERE {key} = ?1",
                (table, copies),
            )
        database.execute("UPDATE messages SET shown = 0 WHERE audience LIKE 'hand/%' AND tbl > ?", (table,))


def age(path: Path, milliseconds: int) -> None:
    """Let all messages have been posted so much earlier."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE messages SET posted_at = posted_at - ?", (milliseconds,))


if __name__ == "__main__":
    backup(Path(sys.argv[1]), Path(sys.argv[2]))
