"""One connection to one SQLite file: a read, a whole transaction at a time, and the migrations.

A write transaction is one call to the connection's thread, so nothing can come between its statements: no other task's
read sees half of it, a cancelled task cannot leave it open, and the thread's queue is the write lock. WAL with
``synchronous=FULL``: what has been answered has been synced. ``secure_delete``: what is deleted is overwritten.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import aiosqlite

T = TypeVar("T")


class StoreError(Exception):
    """The database refused or is not there: locked, full, read-only, of a newer release. Nothing has changed."""


class _Transaction(str):
    """A unit of work in the place of a statement, since aiosqlite hands statements to its thread and no calls."""

    __slots__ = ("outcome", "work")

    work: Callable[[sqlite3.Connection], Any]
    outcome: Any


class _Truncation(str):
    """A checkpoint that empties the write-ahead log, in the place of a statement; it waits for nobody."""

    __slots__ = ("busy_timeout",)

    busy_timeout: int


class Connection(sqlite3.Connection):
    """A connection to which a whole transaction is one ``execute``, hence one hop to aiosqlite's thread.

    Awaiting statement by statement would cost a hop each and would let other tasks read, or a cancellation fall,
    between BEGIN and COMMIT.
    """

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement, or what stands in the place of one: a whole transaction, a truncation."""
        if isinstance(sql, _Truncation):
            super().execute("PRAGMA busy_timeout=0")
            try:
                return super().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                super().execute(f"PRAGMA busy_timeout={sql.busy_timeout}")
        if not isinstance(sql, _Transaction):
            return super().execute(sql, parameters)
        begun = self.execute("BEGIN IMMEDIATE")
        try:
            sql.outcome = sql.work(self)
            self.execute("COMMIT")
        except BaseException:
            if self.in_transaction:  # a full disk may have rolled back by itself
                self.execute("ROLLBACK")
            raise
        return begun


class Database:
    """The one owner of the database file; see the module's docstring. Every method may raise StoreError."""

    _busy_timeout = 0  # ms

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._db = connection
        self._closed = False

    @classmethod
    async def open(
        cls, path: Path | str, *, busy_timeout: int = 5_000, connection: type[Connection] = Connection
    ) -> Self:
        """Open or create the database and bring it to the newest migration.

        Args:
            path: the file, in a folder that exists.
            busy_timeout: how long (ms) to wait for another process that holds the file.
            connection: the class of the connection; one that listens in, for measuring.
        """
        with _clear(f"The database {path} cannot be opened"):
            opened = await aiosqlite.connect(path, isolation_level=None, factory=connection)
        store = cls(opened)
        store._busy_timeout = busy_timeout
        try:
            with _clear(f"The database {path} cannot be used"):
                for pragma in (
                    f"busy_timeout={busy_timeout}",
                    "journal_mode=WAL",
                    "synchronous=FULL",
                    "foreign_keys=ON",
                    "secure_delete=ON",
                ):
                    await opened.execute_fetchall(
                        f"PRAGMA {pragma}"
                    )  # to its end, so no statement stays open
            await store._migrate()
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        """Close the file and end the connection's thread; once more does nothing."""
        if not self._closed:
            self._closed = True
            await self._db.close()

    async def _read(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _clear("The database cannot be read"):
            return cast("list[tuple[Any, ...]]", await self._db.execute_fetchall(sql, parameters))

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        transaction = _Transaction("transaction")
        transaction.work = work
        with _clear("The database cannot be written"):
            await self._db.execute(transaction)
        return cast(T, transaction.outcome)

    async def _truncate_log(self) -> bool:
        """Bring the write-ahead log into the database and empty it; False while a reader, as a backup, is in its way."""
        truncation = _Truncation("truncation")
        truncation.busy_timeout = self._busy_timeout
        with _clear("The write-ahead log cannot be emptied"):
            ((busy, _, _),) = await self._db.execute_fetchall(truncation)
        return not busy

    async def _migrate(self) -> None:
        ((version,),) = await self._read("PRAGMA user_version")
        known = migrations()
        if version > len(known):
            raise StoreError(f"The database is of a newer release ({version}); this one knows {len(known)}.")
        for number, script in enumerate(known[version:], version + 1):
            with _clear(f"Migration {number} failed"):
                try:
                    await self._db.executescript(
                        f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;"
                    )
                except BaseException:
                    await self._db.rollback()
                    raise


def migrations() -> tuple[str, ...]:
    """Return the scripts that bring a database from schema to schema; the number of the first is 1, and none is left out."""
    folder = resources.files("bot.store") / "migrations"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name
    )
    for number, file in enumerate(files, 1):
        if not file.name.startswith(f"{number:04}_"):
            raise StoreError(f"Migration {number} is missing; found {file.name}.")
    return tuple(file.read_text("utf-8") for file in files)


@contextmanager
def _clear(what: str) -> Iterator[None]:
    """Turn SQLite's exceptions into a StoreError that says what could not be done."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{what}: {error}.") from error
