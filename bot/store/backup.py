"""Copies of the database: a backup while the bot runs, a restore while it does not, and a look from outside.

A backup is one snapshot. A read transaction holds it, so that the bot's writes go on in the WAL and never make the
copy begin anew; SQLite's backup copies it page by page. What was copied is synced every few megabytes: a large sync at
the end would make the disk, and with it a move of the running bot, wait. (``VACUUM INTO`` does that: with 100 MB a move
waited three times as long as is allowed.) The copy gets its name only when it is whole, checked and on the disk.

A restored database differs from its backup in what only Discord and time know better: every message counts as lagging,
so that boards and hands are shown anew, and the numbers of tables opened since then are not given out again, since
their messages still hang in the channels.
"""

from __future__ import annotations

import errno
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import msgspec

from bot.store.database import StoreError, migrations
from bot.store.lock import belonging, held

STEP = 256  # pages that are copied at a time, 1 MB
SYNC = 4  # steps between two syncs of the copy
BUSY = 5_000  # ms to wait for a moment's lock
RESERVED = 1_000  # numbers of tables left out when it is not known which were given out
SIDE_FILES = ("-wal", "-shm")


class Census(msgspec.Struct, frozen=True):
    """What a database holds."""

    schema: int
    lobbies: int
    live: int
    paused: int  # of the live
    over: int
    behind: dict[int, int]  # revision that is shown, by the tables not over of which a message lags
    ticking: bool  # time runs out at some table, so a heartbeat is due each second
    beat: int | None  # ms since the Unix epoch

    @property
    def tables(self) -> str:
        """The tables in words."""
        counts = ((self.live, "live"), (self.lobbies, "in the lobby"), (self.over, "over"))
        total = self.live + self.lobbies + self.over
        told = ", ".join(f"{count} {stage}" for count, stage in counts if count)
        return f"{total} {'table' if total == 1 else 'tables'}" + (f" ({told})" if told else "")


class Backup(msgspec.Struct, frozen=True):
    """A file that was made."""

    path: Path
    size: int  # bytes
    census: Census


class Restored(msgspec.Struct, frozen=True):
    """A database that was put in place; ``aside`` is the one that was there."""

    census: Census
    aside: Path | None


def census(path: Path) -> Census:
    """Count what is in a database, from outside and without keeping its bot waiting; raises StoreError."""
    with _reading(path) as database:
        return _census(database, path)


def backup(path: Path, target: Path, *, force: bool = False) -> Backup:
    """Copy a database, in use or not, to ``target``.

    Args:
        path: the database.
        target: the file to be; a folder is refused.
        force: replace ``target`` if it exists.

    Raises:
        StoreError: it could not be done. ``target`` is then what it was.
    """
    with _clear(f"{target} cannot be written"):
        if target.is_dir():
            raise StoreError(f"{target} is a folder. Name a file in it.")
        exists = target.exists()
    with _reading(path) as database:
        if exists and target.samefile(path):
            raise StoreError(f"{target} is the database itself.")
        if exists and not force:
            raise StoreError(f"{target} exists. Choose another name, or replace it with --force.")
        counted = _census(database, path)
        partial = target.with_name(
            f"{target.name}.{secrets.token_hex(4)}.partial"
        )  # others may write there too
        with _removed_if_failed(partial):
            _copy(database, partial)
            _whole(partial)
            size = partial.stat().st_size
            _placed(partial, target)
    return Backup(target, size, counted)


def restore(source: Path, path: Path) -> Restored:
    """Put a backup in the place of a database that no bot uses.

    Raises:
        StoreError: it could not be done; the database is then what it was.
    """
    with _clear(f"{path} cannot be replaced"):
        exists = path.exists()
    with _reading(source) as database:
        if exists and source.samefile(path):
            raise StoreError(f"{source} is the database itself.")
        counted = _census(database, source)
        if counted.schema > newest_schema():
            raise StoreError(
                f"{source} is of a newer release (schema {counted.schema}); this one knows {newest_schema()}. "
                "Install that release, or restore an older backup."
            )
        partial = path.with_name(path.name + ".restoring")
        with held(path.parent), _removed_if_failed(partial):
            given = _released(path) if path.exists() else None
            _copy(database, partial)
            _whole(partial)
            _prepared(partial, given)
            aside = _aside(path) if path.exists() else None
            _placed(partial, path)
    return Restored(counted, aside)


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Hold a snapshot of a database; raises StoreError with what is wrong with it."""
    with _clear(f"{path} cannot be read"):
        if not path.exists():
            raise StoreError(f"There is no file {path}.")
        if not path.is_file():
            raise StoreError(f"{path} is no file.")
    with ExitStack() as opened:
        with _clear(f"{path} cannot be read"):
            # Where nothing can be written nobody writes, and the files that reading a WAL needs cannot be made.
            alone = not Path(f"{path}-wal").exists() and not os.access(path.parent, os.W_OK)
            database = opened.enter_context(closing(_connected(path, "mode=ro" + "&immutable=1" * alone)))
            database.execute("BEGIN")
            database.execute(
                "SELECT count(*) FROM sqlite_master"
            ).fetchone()  # from here on it is one snapshot
        yield database


def _connected(path: Path, options: str = "mode=rw") -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}", uri=True, isolation_level=None, timeout=BUSY / 1000
    )


def newest_schema() -> int:
    """Return the number of this release's last migration."""
    return len(migrations())


def _census(database: sqlite3.Connection, path: Path) -> Census:
    with _clear(f"{path} cannot be read"):
        return _counted(database, path)


def _counted(database: sqlite3.Connection, path: Path) -> Census:
    names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    ((schema,),) = database.execute("PRAGMA user_version")
    if schema < 1 or not {"tables", "messages", "heartbeat"} <= names:
        raise StoreError(f"{path} is no database of Wordmoot.")
    stages = dict(database.execute("SELECT stage, count(*) FROM tables GROUP BY stage"))
    ((paused,),) = database.execute(
        "SELECT count(*) FROM tables WHERE stage = 'live' AND paused_at IS NOT NULL"
    )
    ((ticking,),) = database.execute(
        "SELECT count(*) FROM tables WHERE due IS NOT NULL AND paused_at IS NULL"
    )
    behind = database.execute(
        "SELECT t.id, min(coalesce(m.shown, 0)) FROM tables t LEFT JOIN messages m ON m.tbl = t.id"
        " WHERE t.stage IN ('lobby', 'live') GROUP BY t.id HAVING min(coalesce(m.shown, 0)) < t.revision"
    )
    beat = database.execute("SELECT at FROM heartbeat WHERE typeof(at) = 'integer'").fetchone()
    return Census(
        schema=schema,
        lobbies=stages.get("lobby", 0),
        live=stages.get("live", 0),
        paused=paused,
        over=stages.get("over", 0),
        behind=dict(behind.fetchall()),
        ticking=bool(ticking),
        beat=None if beat is None else beat[0],
    )


def _copy(database: sqlite3.Connection, partial: Path) -> None:
    """Copy the snapshot into a new file, and sync it bit by bit."""
    with _clear(f"{partial} cannot be written"):
        partial.unlink(missing_ok=True)
        file = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with closing(_connected(partial)) as copy:
                for pragma in ("journal_mode=OFF", "synchronous=OFF"):  # a copy that fails is thrown away
                    copy.execute(f"PRAGMA {pragma}").fetchall()
                steps = 0

                def synced(status: int, remaining: int, total: int) -> None:
                    nonlocal steps
                    steps += 1
                    if steps % SYNC == 0:
                        os.fdatasync(file)

                database.backup(copy, pages=STEP, progress=synced, sleep=0.001)
            with closing(_connected(partial)) as copy:  # one file for itself, whatever reads it
                copy.execute("PRAGMA journal_mode=DELETE").fetchall()
            belonging(partial)
            os.fsync(file)
        finally:
            os.close(file)


def _whole(partial: Path) -> None:
    """Raise StoreError unless SQLite finds the copy whole."""
    try:
        with closing(_connected(partial, "mode=ro&immutable=1")) as copy:
            found = [text for (text,) in copy.execute("PRAGMA integrity_check(3)")]
    except sqlite3.Error as error:
        found = [str(error)]
    if found != ["ok"]:
        raise StoreError(f"The database is damaged, so nothing was written: {'; '.join(found)}.")


def _prepared(partial: Path, given: int | None) -> None:
    """Let all messages lag, and leave out the numbers of tables that were given out since the backup.

    ``given`` is the last that was, if that is known.
    """
    with _clear(f"{partial} cannot be prepared"), closing(_connected(partial)) as copy:
        copy.execute("PRAGMA synchronous=FULL").fetchall()
        copy.execute("BEGIN IMMEDIATE")
        copy.execute("UPDATE messages SET shown = 0, digest = ''")
        last = f"seq + {RESERVED}" if given is None else f"max(seq, {given})"
        copy.execute(f"UPDATE sqlite_sequence SET seq = {last} WHERE name = 'tables'")
        copy.execute("COMMIT")


def _released(path: Path) -> int | None:
    """Fold a database's WAL into it, which only works while nobody has it open; returns its last table's number.

    A database that is too damaged for that, which may be why another is restored, is left as it is, with None.

    Raises:
        StoreError: a bot has it open.
    """
    try:
        with closing(_connected(path)) as database:
            database.execute("PRAGMA journal_mode=DELETE").fetchall()
            row = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'tables'").fetchone()
            return row[0] if row else 0
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreError(f"A bot, or another program, has {path} open. Stop it first.") from error
        if error.sqlite_errorcode & 0xFF in (
            sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_FULL,
        ):
            raise StoreError(f"{path} cannot be put aside: {error}.") from error
        return None
    except sqlite3.DatabaseError:
        return None


def _aside(path: Path) -> Path:
    """Give a database a second name with the time, its WAL with it; returns the name."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    name = f"{path.name}.before-{stamp}"
    number = 1
    while path.with_name(name).exists():
        number += 1
        name = f"{path.name}.before-{stamp}-{number}"
    aside = path.with_name(name)
    with _clear(f"{path} cannot be put aside"):
        for suffix in SIDE_FILES:
            with suppress(FileNotFoundError):
                os.rename(f"{path}{suffix}", f"{aside}{suffix}")
        try:
            os.link(path, aside)  # so that there is a database at every moment
        except OSError:
            os.rename(path, aside)
    return aside


def _placed(partial: Path, target: Path) -> None:
    """Give a synced file its name, for good."""
    with _clear(f"{target} cannot be written"):
        os.replace(partial, target)
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def _removed_if_failed(partial: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for suffix in ("", "-journal", *SIDE_FILES):
            with suppress(OSError):
                os.unlink(f"{partial}{suffix}")
        raise


@contextmanager
def _clear(what: str) -> Iterator[None]:
    """Turn what SQLite and the system raise into a StoreError of one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{what}: {_reason(error)}.") from error
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        reason = "the disk is full" if full else (error.strerror or str(error)).lower()
        raise StoreError(f"{what}: {reason}.") from error


def _reason(error: sqlite3.Error) -> str:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return "the disk is full"
        case sqlite3.SQLITE_NOTADB:
            return "it is no database"
        case sqlite3.SQLITE_CORRUPT:
            return "it is damaged"
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_READONLY:
            return "it cannot be opened; look at the permissions of the file and its folder"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "another program keeps it locked"
        case _:
            return str(error)
