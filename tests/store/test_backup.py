"""Backups of a database in use, and putting them back."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.store import backup as module
from bot.store.backup import backup, census, newest_schema, restore
from bot.store.database import StoreError
from bot.store.lock import held
from tests.tables.hosting import CLEO, Hosting

RELEASED = Path(__file__).with_name("released")


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Hosting]:
    (tmp_path / "data").mkdir()
    hosting = await Hosting.at(tmp_path / "data")
    yield hosting
    await hosting.store.close()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return the database of ``host``."""
    return tmp_path / "data" / "tables.db"


def contents(path: Path) -> list[str]:
    """Return everything in a database as another process reads it."""
    with closing(sqlite3.connect(path)) as other:
        return list(other.iterdump())


def folder(path: Path) -> set[str]:
    return {file.name for file in path.iterdir()}


async def test_a_backup_of_a_running_bot_is_whole_and_one_file(
    host: Hosting, database: Path, tmp_path: Path
) -> None:
    table = await host.live()
    await host.lobby((CLEO,))
    made = backup(database, tmp_path / "copy.db")
    assert contents(tmp_path / "copy.db") == contents(database)
    assert made.census.tables == "2 tables (1 live, 1 in the lobby)"
    assert made.size == (tmp_path / "copy.db").stat().st_size
    assert folder(tmp_path) == {"data", "copy.db"}
    assert oct((tmp_path / "copy.db").stat().st_mode & 0o777) == "0o600"
    await host.service.pause(table)


async def test_moves_go_on_while_a_backup_is_made_and_are_not_in_it(
    host: Hosting, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await host.live()
    bulk(database, 2_000)
    monkeypatch.setattr(module, "STEP", 8)
    making = asyncio.create_task(asyncio.to_thread(backup, database, tmp_path / "copy.db"))
    await asyncio.sleep(0)
    moves = 0
    while not making.done():
        await host.service.pause(table) if moves % 2 == 0 else await host.service.resume(table)
        moves += 1
    await making
    assert moves > 2
    assert contents(tmp_path / "copy.db") != contents(database)
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ((revision,),) = copy.execute("SELECT revision FROM tables")
    assert revision < (await host.service.table(table)).revision


def bulk(path: Path, pages: int) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.executemany(
            "INSERT INTO facts VALUES (?, ?)", ((f"bulk {n}", "x" * 4_000) for n in range(pages))
        )


async def test_an_existing_file_is_kept_unless_forced(host: Hosting, database: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("precious", "ascii")
    with pytest.raises(StoreError, match=r"exists. Choose another name, or replace it with --force"):
        backup(database, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text("ascii") == "precious"
    backup(database, tmp_path / "copy.db", force=True)
    assert contents(tmp_path / "copy.db") == contents(database)


async def test_the_database_is_never_its_own_backup(host: Hosting, database: Path) -> None:
    with pytest.raises(StoreError, match="is the database itself"):
        backup(database, database, force=True)
    with pytest.raises(StoreError, match="is the database itself"):
        restore(database, database)


def test_what_cannot_be_backed_up_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"There is no file .*none\.db\."):
        backup(tmp_path / "none.db", tmp_path / "copy.db")
    (tmp_path / "text.db").write_text("no database, but long enough to be one " * 40, "ascii")
    with pytest.raises(StoreError, match=r"text\.db cannot be read: it is no database\."):
        backup(tmp_path / "text.db", tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE things (id)")
    with pytest.raises(StoreError, match=r"other\.db is no database of Wordmoot\."):
        backup(tmp_path / "other.db", tmp_path / "copy.db")
    with pytest.raises(StoreError, match=r"is a folder. Name a file in it"):
        backup(tmp_path / "other.db", tmp_path)
    assert folder(tmp_path) == {"text.db", "other.db"}


async def test_a_backup_into_a_folder_that_is_not_there_is_refused(
    host: Hosting, database: Path, tmp_path: Path
) -> None:
    with pytest.raises(
        StoreError, match=r"copy\.db\.\w+\.partial cannot be written: no such file or directory\."
    ):
        backup(database, tmp_path / "nowhere" / "copy.db")


async def test_several_backups_to_one_name_at_once_are_each_whole(
    host: Hosting, database: Path, tmp_path: Path
) -> None:
    bulk(database, 1_000)
    target = tmp_path / "copy.db"
    made = await asyncio.gather(
        *(asyncio.to_thread(backup, database, target, force=True) for _ in range(6)), return_exceptions=True
    )
    assert [one for one in made if isinstance(one, BaseException)] == []
    assert contents(target) == contents(database)
    assert folder(tmp_path) == {"data", "copy.db"}


def test_a_name_that_is_too_long_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = laid(tmp_path)
    for name in ("a" * 250, "a" * 300):
        with pytest.raises(StoreError, match=r"aaa.* cannot be written: file name too long\."):
            backup(path, tmp_path / name)
    with pytest.raises(StoreError, match=r"aaa.* cannot be read: file name too long\."):
        restore(tmp_path / ("a" * 300), path)
    assert folder(tmp_path) == {path.name}


async def test_a_full_disk_leaves_nothing_behind(
    host: Hosting, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bulk(database, 100)
    (tmp_path / "copy.db").write_text("precious", "ascii")
    connected = module._connected

    def small(path: Path, options: str = "mode=rw") -> sqlite3.Connection:
        connection = connected(path, options)
        if path.suffix == ".partial":
            connection.execute("PRAGMA max_page_count=20")  # what SQLite then says is what it says of a disk
        return connection

    monkeypatch.setattr(module, "_connected", small)
    with pytest.raises(StoreError, match=r"cannot be written: the disk is full\."):
        backup(database, tmp_path / "copy.db", force=True)
    assert folder(tmp_path) == {"data", "copy.db"}
    assert (tmp_path / "copy.db").read_text("ascii") == "precious"


def test_a_damaged_database_is_not_passed_off_as_a_backup(tmp_path: Path) -> None:
    path = laid(tmp_path)
    with closing(sqlite3.connect(path)) as other:
        ((page,),) = other.execute("SELECT rootpage FROM sqlite_master WHERE name = 'moves'")
        ((size,),) = other.execute("PRAGMA page_size")
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    with pytest.raises(StoreError, match=r"The database is damaged, so nothing was written"):
        backup(path, tmp_path / "copy.db")
    assert folder(tmp_path) == {path.name}


def laid(place: Path, name: str = "wordmoot.db", schema: int = 1) -> Path:
    """Write a released database."""
    with closing(sqlite3.connect(place / name)) as other:
        other.executescript((RELEASED / f"{schema:04}.sql").read_text("utf-8"))
    return place / name


def stored(path: Path, sql: str) -> Any:
    with closing(sqlite3.connect(path)) as other:
        return other.execute(sql).fetchall()


def test_a_restored_database_is_the_backup_and_the_old_one_is_kept(tmp_path: Path) -> None:
    path = laid(tmp_path)
    backup(path, tmp_path / "copy.db")
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("DELETE FROM tables WHERE id = 1")
    restored = restore(tmp_path / "copy.db", path)
    assert restored.census.tables == "3 tables (1 live, 1 in the lobby, 1 over)"
    assert stored(path, "SELECT id, seq FROM tables") == [(1, 4), (2, 0), (3, 3)]
    assert restored.aside is not None
    assert stored(restored.aside, "SELECT count(*) FROM tables") == [(2,)]
    assert folder(tmp_path) == {"copy.db", "wordmoot.db", "wordmoot.lock", restored.aside.name}


def test_what_was_in_the_wal_of_a_killed_bot_is_kept_aside_too(tmp_path: Path) -> None:
    path = laid(tmp_path)
    backup(path, tmp_path / "copy.db")
    killed = (
        "import os, sqlite3, sys\n"
        "other = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "other.execute('PRAGMA journal_mode=WAL')\n"
        "other.execute(\"INSERT INTO facts VALUES ('last', 'words')\")\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", killed, str(path)], check=False)
    assert path.with_name("wordmoot.db-wal").stat().st_size > 0
    restored = restore(tmp_path / "copy.db", path)
    assert restored.aside is not None
    assert stored(restored.aside, "SELECT value FROM facts WHERE key = 'last'") == [("words",)]
    assert stored(path, "SELECT value FROM facts WHERE key = 'last'") == []
    assert not path.with_name("wordmoot.db-wal").exists()


def test_after_a_restore_every_message_lags_and_no_number_is_given_out_twice(tmp_path: Path) -> None:
    path = laid(tmp_path)
    backup(path, tmp_path / "copy.db")
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'tables'")
    restore(tmp_path / "copy.db", path)
    assert stored(path, "SELECT DISTINCT shown, digest FROM messages") == [(0, "")]
    assert stored(path, "SELECT seq FROM sqlite_sequence WHERE name = 'tables'") == [(40,)]
    assert set(census(path).behind) == {1, 2}
    path.unlink()
    restore(tmp_path / "copy.db", path)
    ((given,),) = stored(path, "SELECT seq FROM sqlite_sequence WHERE name = 'tables'")
    assert given == 3 + module.RESERVED


async def test_a_running_bot_is_not_robbed_of_its_database(
    host: Hosting, database: Path, tmp_path: Path
) -> None:
    await host.live()
    backup(database, tmp_path / "copy.db")
    before = contents(database)
    with held(database.parent), pytest.raises(StoreError, match=r"Another bot \(process \d+\) runs"):
        restore(tmp_path / "copy.db", database)
    # A bot without the lock, as one behind a network file system: the open file gives it away.
    with pytest.raises(StoreError, match=r"A bot, or another program, has .* open. Stop it first"):
        restore(tmp_path / "copy.db", database)
    assert contents(database) == before
    assert not [name for name in folder(database.parent) if "restoring" in name or "before" in name]


def test_a_backup_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    path = laid(tmp_path)
    newer = laid(tmp_path, "newer.db")
    with closing(sqlite3.connect(newer)) as other:
        other.execute(f"PRAGMA user_version={newest_schema() + 1}")
    before = contents(path)
    with pytest.raises(StoreError, match="is of a newer release"):
        restore(newer, path)
    assert contents(path) == before


def test_a_damaged_database_does_not_stand_in_the_way_of_a_restore(tmp_path: Path) -> None:
    path = laid(tmp_path)
    backup(path, tmp_path / "copy.db")
    path.write_bytes(b"\x00garbage" * 2_000)
    restored = restore(tmp_path / "copy.db", path)
    assert census(path).tables == "3 tables (1 live, 1 in the lobby, 1 over)"
    assert restored.aside is not None
    assert restored.aside.read_bytes().startswith(b"\x00garbage")


def test_a_restore_that_fails_leaves_the_database_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = laid(tmp_path)
    backup(path, tmp_path / "copy.db")
    before = contents(path)

    def broken(partial: Path, target: Path) -> None:
        raise StoreError("The disk is gone.")

    monkeypatch.setattr(module, "_placed", broken)
    with pytest.raises(StoreError, match="The disk is gone"):
        restore(tmp_path / "copy.db", path)
    assert contents(path) == before
    assert not path.with_name("wordmoot.db.restoring").exists()


def test_two_restores_in_one_second_keep_both_old_databases(tmp_path: Path) -> None:
    path = laid(tmp_path)
    backup(path, tmp_path / "copy.db")
    asides = {restore(tmp_path / "copy.db", path).aside for _ in range(3)}
    assert len(asides) == 3


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Path]:
    """Return a folder in which nothing can be written."""
    place = tmp_path / "sealed"
    place.mkdir()
    yield place
    place.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_backup_in_a_folder_without_write_permission_can_be_restored(sealed: Path, tmp_path: Path) -> None:
    laid(sealed)
    sealed.chmod(0o500)
    path = tmp_path / "data" / "wordmoot.db"
    restore(sealed / "wordmoot.db", path)
    assert census(path).live == 1
    with pytest.raises(StoreError, match="permission denied"):
        backup(path, sealed / "copy.db")


GONE = "-dac_override,-dac_read_search"
CONFINED = ("setpriv", "--bounding-set", GONE, "--inh-caps", GONE)


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="gives a folder to another user"
)
@pytest.mark.parametrize(
    ("data", "command", "told"),
    [
        ("shut", ("health",), "shut/wordmoot.db cannot be read: permission denied.\n"),
        ("shut", ("backup", "copy.db"), "shut/wordmoot.db cannot be read: permission denied.\n"),
        ("shut", ("restore", "wordmoot.db"), "shut/wordmoot.db cannot be replaced: permission denied.\n"),
        (".", ("backup", "shut/copy.db"), "shut/copy.db cannot be written: permission denied.\n"),
        (".", ("restore", "shut/wordmoot.db"), "shut/wordmoot.db cannot be read: permission denied.\n"),
    ],
)
def test_a_folder_that_one_may_not_enter_is_a_sentence(
    tmp_path: Path, data: str, command: tuple[str, ...], told: str
) -> None:
    laid(tmp_path)
    shut = tmp_path / "shut"
    shut.mkdir()
    laid(shut)
    os.chown(shut, 12_345, 12_345)
    shut.chmod(0o700)
    root = Path(__file__).resolve().parents[2]
    asked = subprocess.run(
        [*CONFINED, sys.executable, "-m", "bot", *command], cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"WORDMOOT_DATA": data, "PYTHONPATH": str(root)},
    )  # fmt: skip
    assert (asked.returncode, asked.stderr) == (1, told)
