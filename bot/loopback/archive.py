"""What a world remembers between runs: users, channels, messages, commands and files, in one SQLite file.

Everything is written at once, but without waiting for the disk: a world of play may lose its last moment with the
power, never with the process. Without a path all of it stays in memory.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bot.loopback.model import Channel, Json, Message, Upload, User

_TABLES = """
CREATE TABLE IF NOT EXISTS things (kind TEXT, id TEXT, body BLOB NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, content_type TEXT NOT NULL, body BLOB NOT NULL);
"""

_LATE = 16  # files that are gone and can still be had


class Archive:
    """The memory of one world."""

    def __init__(self, path: Path | None = None) -> None:
        self._database = sqlite3.connect(path or ":memory:", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.executescript(_TABLES)
        self._late: deque[tuple[str, tuple[str, bytes]]] = deque(maxlen=_LATE)

    def close(self) -> None:
        """Write what is left and let go of the file."""
        self._database.close()

    def keep(self, thing: User | Channel | Message) -> None:
        """Store a thing, or its newer state."""
        self._put(type(thing).__name__, thing.id, msgspec.json.encode(thing))

    def drop(self, thing: User | Channel | Message) -> None:
        """Forget a thing."""
        self._database.execute(
            "DELETE FROM things WHERE kind = ? AND id = ?", (type(thing).__name__, thing.id)
        )

    def keep_commands(self, scope: str, commands: list[Json]) -> None:
        """Store the application commands of a guild, or the global ones (an empty scope)."""
        self._put("commands", scope, msgspec.json.encode(commands))

    def commands(self) -> dict[str, list[Json]]:
        """The stored application commands by scope."""
        return {scope: msgspec.json.decode(body) for scope, body in self._rows("commands")}

    def users(self) -> list[User]:
        """Everyone who ever was in this world."""
        return [msgspec.json.decode(body, type=User) for _, body in self._rows("User")]

    def channels(self) -> list[Channel]:
        """Every channel, thread and DM."""
        return [msgspec.json.decode(body, type=Channel) for _, body in self._rows("Channel")]

    def messages(self) -> list[Message]:
        """Every message, the oldest first."""
        found = [msgspec.json.decode(body, type=Message) for _, body in self._rows("Message")]
        return sorted(found, key=lambda message: int(message.id))

    def keep_file(self, path: str, upload: Upload) -> None:
        """Store the bytes of a file under its path on the CDN."""
        values = (path, upload.content_type, upload.body)
        self._database.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", values)

    def drop_file(self, path: str) -> None:
        """Forget a file; the last few can still be had for a while, since pages that were told of them may be asking."""
        if found := self.file(path):
            self._late.append((path, found))
        self._database.execute("DELETE FROM files WHERE path = ?", (path,))

    def keep_only(self, paths: Iterable[str]) -> None:
        """Forget every file but these: those of ephemeral messages and of commands outlive their use."""
        wanted = set(paths)
        stored = self._database.execute("SELECT path FROM files").fetchall()
        for (path,) in stored:
            if path not in wanted:
                self._database.execute("DELETE FROM files WHERE path = ?", (path,))

    def file(self, path: str) -> tuple[str, bytes] | None:
        """Content type and bytes of a file."""
        query = "SELECT content_type, body FROM files WHERE path = ?"
        row = self._database.execute(query, (path,)).fetchone()
        return dict(self._late).get(path) if row is None else (row[0], row[1])

    def _put(self, kind: str, key: str, body: bytes) -> None:
        self._database.execute("INSERT OR REPLACE INTO things VALUES (?, ?, ?)", (kind, key, body))

    def _rows(self, kind: str) -> Iterator[tuple[str, bytes]]:
        yield from self._database.execute("SELECT id, body FROM things WHERE kind = ?", (kind,))
