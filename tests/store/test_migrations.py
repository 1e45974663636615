"""Databases of every released schema: opened by this release, their tables are there and play on."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.games import GAMES
from bot.games.defenders.state import Agree
from bot.games.log import replayed
from bot.store import database as module
from bot.store.database import Connection, StoreError
from bot.store.store import Store
from bot.tables.service import Service
from tests.words.frozen import frozen

RELEASED = Path(__file__).with_name("released")
DUMPS = sorted(RELEASED.glob("*.sql"))
LEXICON = frozen()
ADA, BEN, CLEO = 101, 102, 103
LIVE, LOBBY, OVER = 1, 2, 3
LATER = 1_760_000_001_000  # before silence ends


def laid(dump: Path, folder: Path) -> Path:
    """Write a released database into a folder; returns its file."""
    path = folder / "wordmoot.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(dump.read_text("utf-8"))
    return path


def contents(path: Path) -> tuple[int, list[str]]:
    """Return schema and everything in a database file as another process reads it."""
    with closing(sqlite3.connect(path)) as database:
        return database.execute("PRAGMA user_version").fetchone()[0], list(database.iterdump())


def test_before_each_migration_the_schema_that_it_changes_was_kept() -> None:
    newest = len(module.migrations())
    kept = {int(dump.stem) for dump in DUMPS}
    missing = set(range(1, newest)) - kept
    assert not missing, f"no tests/store/released/{min(missing, default=0):04}.sql: run released/write.py"
    assert kept <= set(range(1, newest + 1))


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_a_kept_database_is_of_the_schema_that_its_name_says(dump: Path, tmp_path: Path) -> None:
    assert contents(laid(dump, tmp_path))[0] == int(dump.stem)


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
async def test_the_tables_of_a_released_schema_play_on(dump: Path, tmp_path: Path) -> None:
    path = laid(dump, tmp_path)
    store = await Store.open(path)
    try:
        service = Service(store, GAMES, LEXICON, lambda: LATER)
        live = await service.table(LIVE)
        assert (live.stage, live.names, live.seq) == ("live", ("Ada", "Ben", "Cleo"), 4)
        assert set(await store.messages(LIVE)) == {"board", "hand/0"}
        assert await store.unshown(0) == (LIVE, OVER)
        assert await store.drafts(LIVE, 2) == {"note": b"{}"}
        assert (await service.tally(LIVE, "end")).yes == (1,)
        assert (await service.look(LIVE, None)).view.public.proposal is not None

        for seat, user in ((1, BEN), (2, CLEO)):
            await service.play(LIVE, seat, Agree(), by=user)
        look = await service.look(LIVE, None)
        assert look.view.public.round == 2
        assert look.awaited == {0, 1, 2}
        *_, last = replayed(GAMES["defenders"], await service.export(LIVE), LEXICON)
        assert GAMES["defenders"].states.dump(last.state) == await store.state(LIVE)

        await service.join(LOBBY, CLEO, "Cleo")
        await service.start(LOBBY, BEN)
        assert (await service.table(LOBBY)).stage == "live"
        over = await service.table(OVER)
        assert over.stage == "over"
        assert over.result is not None
        assert not await store.notify_once(ADA, "closed", LATER)
        assert await store.fact("commands") == "digest"
    finally:
        await store.close()


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
async def test_a_migrated_database_has_the_schema_of_a_new_one(dump: Path, tmp_path: Path) -> None:
    described = []
    for path in (laid(dump, tmp_path), tmp_path / "new.db"):
        await opened(path)
        with closing(sqlite3.connect(path)) as database:
            tables = [
                name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            described.append(
                {
                    table: (
                        sorted(row[1:] for row in database.execute(f"PRAGMA table_info({table})")),
                        sorted(row[1:] for row in database.execute(f"PRAGMA index_list({table})")),
                        sorted(row[2:] for row in database.execute(f"PRAGMA foreign_key_list({table})")),
                    )
                    for table in tables
                }
            )
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    assert described[0] == described[1]


HALF = "CREATE TABLE half (id INTEGER);\nUPDATE tables SET opener = 0;\n"


async def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = laid(DUMPS[-1], tmp_path)
    await opened(path)
    before = contents(path)
    known = module.migrations()
    monkeypatch.setattr(module, "migrations", lambda: (*known, HALF + "SELECT nothing FROM nowhere;"))
    with pytest.raises(StoreError, match=f"Migration {len(known) + 1} failed"):
        await Store.open(path)
    assert contents(path) == before


class Mortal(Connection):
    """A connection on which ``die()`` kills the process."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))


KILLED = """
import asyncio, sys
from pathlib import Path
from bot.store import database
from bot.store.store import Store
from tests.store.test_migrations import HALF, Mortal
known = database.migrations()
database.migrations = lambda: (*known, HALF + "SELECT die();")
asyncio.run(Store.open(Path(sys.argv[1]), connection=Mortal))
"""


def test_a_bot_killed_in_a_migration_has_changed_nothing(tmp_path: Path) -> None:
    path = laid(DUMPS[-1], tmp_path)
    asyncio.run(opened(path))
    before = contents(path)
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, cwd=RELEASED.parents[2])
    assert done.returncode == -signal.SIGKILL
    assert contents(path) == before
    asyncio.run(opened(path))


async def opened(path: Path) -> None:
    await (await Store.open(path)).close()
