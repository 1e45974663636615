"""The tables of players, their logs, what Discord shows of them. SQL stands on this floor and nowhere else.

The store knows no game: states, moves, events and options are bytes to it (``rows.py``).
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal, TypeVar, cast

import aiosqlite
import msgspec
import structlog

from bot.store.database import Database, StoreError
from bot.store.rows import Achieved, Awaited, Best, Entry, Forgotten, Logged, Message, Row, Seat

AHEAD = 10_000  # ms; a heartbeat farther ahead of the clock is of a clock that has been set back since

T = TypeVar("T")

log = structlog.get_logger()

_details = msgspec.json.Decoder(dict[str, int])

# Whether to replace somebody and whether to end the table can be asked through many moves; all else is of one move.
_FORGET_VOID = "DELETE FROM votes WHERE tbl = ? AND purpose <> 'end' AND purpose NOT GLOB 'replace/*'"
_COLUMNS = tuple(field for field in Row.__struct_fields__ if field != "seats")
_SEAT_COLUMNS = Seat.__struct_fields__
_LOG_COLUMNS = ", ".join(Logged.__struct_fields__)
KNOWN_ROWS = 512

_TABLE = (
    f"SELECT {', '.join(f't.{column}' for column in _COLUMNS)}, {', '.join(f's.{column}' for column in _SEAT_COLUMNS)}"
    " FROM tables t LEFT JOIN seats s ON s.tbl = t.id WHERE t.id = ? ORDER BY s.seat"
)
# Writes may overtake one another by a little, so a beat is not replaced by an earlier one, unless it is damaged or dated
# by a clock that has been set back since: it would stand for the life of a bot that is dead.
_BEAT = (
    "INSERT INTO heartbeat (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
    f" WHERE typeof(at) <> 'integer' OR at < excluded.at OR at > excluded.at + {AHEAD}"
)
_LIVE = "stage = 'live' AND paused_at IS NULL"
# Every place in which a person is named: what it is, its columns, the query.
_PERSONAL = tuple(
    (name, columns, f"SELECT {', '.join(columns)} FROM {source} WHERE {condition}")
    for name, columns, source, condition in (
        (
            "seats",
            ("game", "guild", "channel", "stage", "tbl", "seat", "name", "skill", "joined"),
            "seats JOIN tables ON id = tbl",
            "user = ? ORDER BY tbl",
        ),
        ("tables_opened", ("id", "game", "guild", "created"), "tables", "opener = ? ORDER BY id"),
        ("moves_made", ("tbl", "seq", "seat", "at", "move"), "moves", "user = ? ORDER BY tbl, seq"),
        ("notices", ("kind", "at"), "notices", "user = ?"),
        (
            "private_messages",
            ("tbl", "seat", "channel", "message"),
            "messages JOIN seats USING (tbl)",
            "user = ? AND audience = 'hand/' || seat ORDER BY tbl",
        ),
        (
            "drafts",
            ("tbl", "seat", "kind", "body"),
            "drafts JOIN seats USING (tbl, seat)",
            "user = ? ORDER BY tbl, kind",
        ),
        (
            "votes",
            ("tbl", "seat", "purpose", "answer"),
            "votes JOIN seats USING (tbl, seat)",
            "user = ? ORDER BY tbl, purpose",
        ),
        ("calls", ("tbl", "seat", "stage"), "calls JOIN seats USING (tbl, seat)", "user = ? ORDER BY tbl"),
        (
            "records",
            ("tbl", "seat", "course", "score", "turns", "detail", "at"),
            "records JOIN seats USING (tbl, seat)",
            "user = ? ORDER BY tbl",
        ),
    )
)


_BETTER = "r.score DESC, r.turns, r.at, r.tbl"


class Store(Database):
    """Everything that is stored. Every method may raise StoreError."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        super().__init__(connection)
        self._rows: OrderedDict[int, Row] = OrderedDict()  # tables as last read or committed
        self._traces = True  # whether the write-ahead log may still hold what was deleted
        self._changes = 0

    # Tables

    async def create(
        self, *, game: str, version: int, guild: int | None, channel: int | None, thread: int | None,
        opener: int, options: bytes, seed: bytes, seats: Sequence[Seat], created: int,
        follows: int | None = None,
    ) -> int:  # fmt: skip
        """Store a table in its lobby; returns its number. ``follows``: the table of which it is the rematch."""

        def work(db: sqlite3.Connection) -> int:
            table = db.execute(
                "INSERT INTO tables (game, version, stage, guild, channel, thread, opener, options, seed, created,"
                " acted, follows) VALUES (?, ?, 'lobby', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (game, version, guild, channel, thread, opener, options, seed, created, created, follows),
            ).lastrowid
            assert table is not None
            _seat(db, table, seats)
            return table

        return await self._write(work)

    async def table(self, table: int) -> Row | None:
        """Return a table with its seats in order; from memory when nothing has changed since it was last known."""
        row = self._rows.get(table)
        if row is None:
            changes = self._changes
            row = _rowed(await self._read(_TABLE, (table,)))
            self._know(row, changes)
        return row

    async def state(self, table: int) -> bytes | None:
        """Return the state after the last move, None in the lobby."""
        rows = await self._read("SELECT state FROM states WHERE tbl = ?", (table,))
        return rows[0][0] if rows else None

    async def tables_of(self, user: int) -> tuple[int, ...]:
        """Return the numbers of the tables, in lobby or live, at which a user has a seat; newest first."""
        rows = await self._read(
            "SELECT t.id FROM seats s JOIN tables t ON t.id = s.tbl"
            " WHERE s.user = ? AND t.stage <> 'over' AND t.aside IS NULL ORDER BY t.id DESC",
            (user,),
        )
        return tuple(row[0] for row in rows)

    async def rematch(self, table: int) -> int | None:
        """Return the table, in lobby or live, that follows a table as its rematch."""
        rows = await self._read(
            "SELECT id FROM tables WHERE follows = ? AND stage <> 'over' ORDER BY id DESC LIMIT 1", (table,)
        )
        return rows[0][0] if rows else None

    async def set_aside(self, table: int, code: str, now: int) -> None:
        """Stop a table whose record is damaged, until somebody has mended it; its clock and all else stand still."""
        with self._changing(table):
            await self._write(
                lambda db: db.execute(
                    "UPDATE tables SET aside = ?, paused_at = coalesce(paused_at, ?), revision = revision + 1"
                    " WHERE id = ? AND aside IS NULL",
                    (code, now, table),
                )
            )

    async def idle(self, stage: Literal["lobby", "live"], since: int) -> tuple[int, ...]:
        """Return the tables in lobby, or live and not paused, at which no person has acted after ``since``."""
        rows = await self._read(
            "SELECT id FROM tables WHERE stage = ? AND acted <= ? AND paused_at IS NULL ORDER BY id",
            (stage, since),
        )
        return tuple(row[0] for row in rows)

    async def dictionary(self, table: int) -> tuple[bytes, bytes] | None:
        """Return a table's dictionary as fixed at the deal: how a server had changed it, and what was asked."""
        rows = await self._read("SELECT known, asked FROM dictionaries WHERE tbl = ?", (table,))
        return (rows[0][0], rows[0][1]) if rows else None

    async def live_tables(self, guild: int, *, placed: bool = False) -> tuple[int, ...]:
        """Return the numbers of a server's tables, in lobby or live; oldest first.

        ``placed``: only those that are shown in a channel or a thread.
        """
        rows = await self._read(
            "SELECT id FROM tables WHERE guild = ? AND stage IN ('lobby', 'live') AND aside IS NULL"
            f"{' AND coalesce(thread, channel) IS NOT NULL' if placed else ''} ORDER BY id",
            (guild,),
        )
        return tuple(row[0] for row in rows)

    async def change(
        self, table: int, *, revision: int, seats: Sequence[Seat] | None = None,
        records: Sequence[Achieved] = (), **columns: Any,
    ) -> bool:  # fmt: skip
        """Change columns of a table and, if given, all of its seats; the revision goes up by one.

        ``records``: what a table that ends now leaves for the lists of the best.

        False, and nothing has changed, when the table's revision is not ``revision`` any more.
        """
        assignments = "".join(f", {column} = ?" for column in _known(columns))

        def work(db: sqlite3.Connection) -> bool:
            changed = db.execute(
                f"UPDATE tables SET revision = revision + 1{assignments} WHERE id = ? AND revision = ?",
                (*columns.values(), table, revision),
            ).rowcount
            if changed and seats is not None:
                db.execute("DELETE FROM seats WHERE tbl = ?", (table,))
                _seat(db, table, seats)
            if changed and columns.get("stage") == "over":
                _clear_table(db, table)
            if changed:
                _keep_records(db, table, records, columns.get("ended"))
            return bool(changed)

        with self._changing(table):
            return await self._write(work)

    async def deal(
        self, table: int, *, revision: int, version: int, state: bytes, seats: Sequence[Seat],
        opened: int, due: int | None, wake: int | None, known: bytes = b"{}", asked: bytes = b"{}",
    ) -> bool:  # fmt: skip
        """Turn a lobby into a live table, ``seq`` 0. False when its revision is not ``revision`` any more.

        ``known``, ``asked``: the table's dictionary (JSON), kept only when there is something in it.
        """

        def work(db: sqlite3.Connection) -> bool:
            changed = db.execute(
                "UPDATE tables SET stage = 'live', version = ?, opened = ?2, acted = ?2, due = ?, wake = ?,"
                " revision = revision + 1 WHERE id = ? AND revision = ? AND stage = 'lobby'",
                (version, opened, due, wake, table, revision),
            ).rowcount
            if changed:
                db.execute("DELETE FROM seats WHERE tbl = ?", (table,))
                _seat(db, table, seats)
                db.execute("INSERT INTO states (tbl, state) VALUES (?, ?)", (table, state))
                if (known, asked) != (b"{}", b"{}"):
                    db.execute("INSERT INTO dictionaries VALUES (?, ?, ?)", (table, known, asked))
                db.execute(_BEAT, (opened,))
            return bool(changed)

        with self._changing(table):
            return await self._write(work)

    async def commit(self, entry: Entry) -> int | None:
        """Write one move: its row of the log, the state, who is awaited, when to look again.

        Returns the new revision, or None, and then nothing has changed, when the table is no longer at the move
        before (or is not live, or paused). The mover's drafts are dropped, and so are the answers to questions that
        were of the move before.
        """
        logged = entry.logged
        table = entry.table

        def work(db: sqlite3.Connection) -> Row | None:
            row = db.execute(
                "UPDATE tables SET seq = ?, at = ?, version = ?, due = ?, wake = ?, ended = ?, result = ?,"
                " stage = iif(?, 'over', stage), acted = iif(?, ?, acted), revision = revision + 1"
                f" WHERE id = ? AND seq = ? AND {_LIVE} RETURNING revision",
                (logged.seq, logged.at, entry.version, entry.due, entry.wake, entry.ended, entry.result,
                 entry.ended is not None, entry.acted, entry.now, table, logged.seq - 1),
            ).fetchone()  # fmt: skip
            if row is None:
                return None
            db.execute(
                f"INSERT INTO moves (tbl, {_LOG_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (table, *msgspec.structs.astuple(logged)),
            )
            db.execute("UPDATE states SET state = ? WHERE tbl = ?", (entry.state, table))
            db.execute(*_awaiting(table, entry.awaited, entry.now))
            if logged.seat is not None:
                db.execute("DELETE FROM drafts WHERE tbl = ? AND seat = ?", (table, logged.seat))
            db.execute(_FORGET_VOID, (table,))
            if entry.ended is not None:
                _clear_table(db, table)
            _keep_records(db, table, entry.records, entry.now)
            db.execute(_BEAT, (entry.now,))
            return _rowed(db.execute(_TABLE, (table,)).fetchall())

        changes = self._changes
        with self._changing(table):
            committed = await self._write(work)
        self._know(committed, changes + 1)
        return None if committed is None else committed.revision

    async def log(self, table: int, since: int = 0) -> tuple[Logged, ...]:
        """Return the moves after move number ``since``, in order."""
        rows = await self._read(
            f"SELECT {_LOG_COLUMNS} FROM moves WHERE tbl = ? AND seq > ? ORDER BY seq",
            (table, since),
        )
        return tuple(Logged(*row) for row in rows)

    # Time

    async def nearest(self, time: Literal["due", "wake"], without: Collection[int] = ()) -> int | None:
        """Return the nearest ``due`` or ``wake`` of all live tables that are not paused, but for ``without``."""
        rows = await self._read(
            f"SELECT min({time}) FROM tables WHERE {time} IS NOT NULL AND paused_at IS NULL"
            f" AND id NOT IN ({_marks(without)})",
            tuple(without),
        )
        return cast("int | None", rows[0][0])

    async def due_by(self, now: int) -> tuple[int, ...]:
        """Return the tables whose ``due`` has come, the longest due first."""
        rows = await self._read(
            "SELECT id FROM tables WHERE due <= ? AND paused_at IS NULL ORDER BY due, id", (now,)
        )
        return tuple(row[0] for row in rows)

    async def awake_by(self, now: int) -> tuple[int, ...]:
        """Return the tables whose automata are to be asked by ``now``, the longest waiting first."""
        rows = await self._read(
            "SELECT id FROM tables WHERE wake <= ? AND paused_at IS NULL ORDER BY wake, id", (now,)
        )
        return tuple(row[0] for row in rows)

    async def set_wake(self, table: int, revision: int, wake: int | None) -> bool:
        """Say when the automata are asked next; False when the table has changed since ``revision``."""
        with self._changing(table):
            return await self._write(
                lambda db: bool(
                    db.execute(
                        f"UPDATE tables SET wake = ? WHERE id = ? AND revision = ? AND {_LIVE}",
                        (wake, table, revision),
                    ).rowcount
                )
            )

    async def shift(self, milliseconds: int, now: int) -> int:
        """Let table time stand still that long at every live table that is not paused; returns their number.

        The heartbeat is set to ``now`` with it, so that no crash lets the same time stand still twice.
        """

        def work(db: sqlite3.Connection) -> int:
            db.execute(_BEAT, (now,))
            db.execute(
                f"UPDATE seats SET since = since + ? WHERE awaited AND tbl IN (SELECT id FROM tables WHERE {_LIVE})",
                (milliseconds,),
            )
            return db.execute(
                f"UPDATE tables SET lost = lost + ?1, due = due + ?1, wake = wake + ?1 WHERE {_LIVE}",
                (milliseconds,),
            ).rowcount

        with self._changing():
            return await self._write(work)

    async def live(self) -> int:
        """Return how many live tables have a running clock."""
        rows = await self._read("SELECT count(*) FROM tables WHERE due IS NOT NULL AND paused_at IS NULL")
        return cast(int, rows[0][0])

    async def beat(self, now: int) -> None:
        """Record that the bot lives."""
        await self._write(lambda db: db.execute(_BEAT, (now,)))
        await self._wipe()

    async def last_beat(self) -> int | None:
        """Return when the bot was last known to live; None when that is not known."""
        rows = await self._read("SELECT at FROM heartbeat")
        beat = rows[0][0] if rows else None
        if beat is None or isinstance(beat, int):
            return beat
        log.error("heartbeat_damaged")
        return None

    # What Discord shows

    async def messages(self, table: int) -> dict[str, Message]:
        """Return a table's messages by audience."""
        rows = await self._read(
            "SELECT audience, channel, message, shown, posted_at, digest FROM messages WHERE tbl = ?",
            (table,),
        )
        return {row[0]: Message(*row) for row in rows}

    async def set_message(self, table: int, message: Message) -> None:
        """Store or replace the message of an audience."""
        await self._write(
            lambda db: db.execute(
                "INSERT OR REPLACE INTO messages (tbl, audience, channel, message, shown, posted_at, digest)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (table, *msgspec.structs.astuple(message)),
            )
        )

    async def update_message(self, table: int, message: Message) -> None:
        """Store what a message shows now, unless it is not known any more: what was deleted with somebody's data stays so."""
        await self._write(
            lambda db: db.execute(
                "UPDATE messages SET shown = ?, posted_at = ?, digest = ?"
                " WHERE tbl = ? AND audience = ? AND message = ?",
                (message.shown, message.posted_at, message.digest, table, message.audience, message.message),
            )
        )

    async def drop_message(self, table: int, audience: str) -> None:
        """Forget the message of an audience."""
        await self._write(
            lambda db: db.execute("DELETE FROM messages WHERE tbl = ? AND audience = ?", (table, audience))
        )

    async def message_at(self, message: int) -> tuple[int, str] | None:
        """Return the table and the audience of a Discord message that is ours."""
        rows = await self._read("SELECT tbl, audience FROM messages WHERE message = ?", (message,))
        return (rows[0][0], rows[0][1]) if rows else None

    async def unshown(self, ended_since: int, guild: int | None = None) -> tuple[int, ...]:
        """Return the tables that Discord does not show as they are: a message lags, or there is none.

        Tables over are looked at when they ended after ``ended_since``, those of a server that has removed the bot
        not at all. Those where a person acted last come first. ``guild``: only those of that server.
        """
        rows = await self._read(
            "SELECT t.id FROM tables t LEFT JOIN servers g ON g.guild = t.guild WHERE g.left_at IS NULL"
            " AND t.aside IS NULL AND (?2 IS NULL OR t.guild = ?2)"
            " AND (t.stage IN ('lobby', 'live') OR t.ended > ?1) AND ("
            " EXISTS (SELECT 1 FROM messages m WHERE m.tbl = t.id AND m.shown < t.revision) OR"
            " NOT EXISTS (SELECT 1 FROM messages m WHERE m.tbl = t.id)) ORDER BY t.acted DESC",
            (ended_since, guild),
        )
        return tuple(row[0] for row in rows)

    # Whom tables wait for

    async def waiting(self, since: int) -> tuple[Awaited, ...]:
        """Return the persons for whom live tables have waited since ``since`` or longer, the longest first."""
        rows = await self._read(
            "SELECT s.tbl, s.seat, s.since, coalesce(c.stage, 0) FROM seats s JOIN tables t ON t.id = s.tbl"
            " LEFT JOIN calls c ON c.tbl = s.tbl AND c.seat = s.seat AND c.since = s.since - t.opened - t.lost"
            " WHERE s.awaited AND s.skill IS NULL AND s.since <= ? AND t.stage = 'live'"
            " AND t.paused_at IS NULL ORDER BY s.since",
            (since,),
        )
        return tuple(Awaited(*row) for row in rows)

    async def call(self, table: int, seats: Collection[int], stage: int) -> tuple[int, ...]:
        """Note that awaited seats have been called up to ``stage``; returns those to whom that is new.

        Noted before the message is sent: a crash in between loses a notice and never doubles one.
        """

        def work(db: sqlite3.Connection) -> tuple[int, ...]:
            rows = db.execute(
                "INSERT INTO calls (tbl, seat, since, stage) SELECT tbl, seat, since - opened - lost, ?"
                f" FROM seats JOIN tables ON id = tbl WHERE tbl = ? AND awaited AND seat IN ({_marks(seats)})"
                " ON CONFLICT (tbl, seat) DO UPDATE SET since = excluded.since, stage = excluded.stage"
                " WHERE calls.since <> excluded.since OR calls.stage < excluded.stage RETURNING seat",
                (stage, table, *seats),
            ).fetchall()
            return tuple(sorted(row[0] for row in rows))

        return await self._write(work)

    async def asleep(self, table: int) -> frozenset[int]:
        """Return the seats for which a table has waited so long that the others were asked about them."""
        rows = await self._read(
            "SELECT c.seat FROM calls c JOIN seats s USING (tbl, seat) JOIN tables t ON t.id = c.tbl"
            " WHERE c.tbl = ? AND c.stage >= 3 AND s.awaited AND c.since = s.since - t.opened - t.lost",
            (table,),
        )
        return frozenset(row[0] for row in rows)

    # Records

    async def best(
        self, course: str, *, guild: int | None = None, user: int | None = None, first: bool = False
    ) -> tuple[Best, ...]:
        """Return each person's best record of a course, the best first.

        Args:
            course: what was played; a trailing ``*`` stands for any ending, and each course has its own best.
            guild: only people who have played the course at a table of this server.
            user: only this person's.
            first: each person's first record of a course instead, wherever they played it: what comes later does
                not count.

        Records of automata, and of people who have been forgotten, are in no list. One whose detail is damaged is
        listed without it.
        """
        sql = (
            "WITH mine AS (SELECT s.user, s.name, r.*, t.guild, row_number() OVER"
            f" (PARTITION BY s.user, r.course ORDER BY {'r.at, r.tbl' if first else _BETTER}) AS place"
            " FROM records r JOIN seats s USING (tbl, seat) JOIN tables t ON t.id = r.tbl"
            " WHERE r.course GLOB ?1 AND s.user > 0 AND s.skill IS NULL"
            f"{'' if first else ' AND (?2 IS NULL OR t.guild = ?2)'} AND (?3 IS NULL OR s.user = ?3))"
            " SELECT user, name, tbl, course, score, turns, detail, at FROM mine r WHERE place = 1"
            " AND (?2 IS NULL OR EXISTS (SELECT 1 FROM mine here WHERE here.user = r.user"
            f" AND here.course = r.course AND here.guild = ?2)) ORDER BY course, {_BETTER}"
        )
        return tuple(_readable(Best(*row)) for row in await self._read(sql, (_glob(course), guild, user)))

    # Servers

    async def server(self, guild: int) -> bytes | None:
        """Return a server's settings, None when they are as they come."""
        rows = await self._read("SELECT settings FROM servers WHERE guild = ?", (guild,))
        return rows[0][0] if rows else None

    async def set_server(self, guild: int, settings: bytes | None) -> None:
        """Store a server's settings; None: as they come."""
        await self._write(
            lambda db: db.execute(
                "INSERT INTO servers (guild, settings) VALUES (?, ?)"
                " ON CONFLICT (guild) DO UPDATE SET settings = excluded.settings",
                (guild, settings),
            )
        )

    async def set_presence(self, guild: int, left_at: int | None) -> None:
        """Note that the bot was removed from a server at that time (ms), or, None, that it is there again."""

        def work(db: sqlite3.Connection) -> None:
            if left_at is None:
                db.execute("UPDATE servers SET left_at = NULL WHERE guild = ?", (guild,))
                return
            db.execute(
                "INSERT INTO servers (guild, left_at) VALUES (?, ?)"
                " ON CONFLICT (guild) DO UPDATE SET left_at = coalesce(left_at, excluded.left_at)",
                (guild, left_at),
            )

        await self._write(work)

    async def guilds(self) -> frozenset[int]:
        """Return the servers of which something is stored."""
        rows = await self._read(
            "SELECT guild FROM tables WHERE guild IS NOT NULL UNION SELECT guild FROM servers"
        )
        return frozenset(row[0] for row in rows)

    async def left(self, before: int | None = None) -> tuple[int, ...]:
        """Return the servers that have removed the bot (``before``: by that time, ms)."""
        rows = await self._read(
            "SELECT guild FROM servers WHERE left_at IS NOT NULL AND left_at <= coalesce(?, left_at)",
            (before,),
        )
        return tuple(row[0] for row in rows)

    async def left_at(self, guild: int) -> int | None:
        """Return when (ms) a server removed the bot, None when it has not."""
        rows = await self._read("SELECT left_at FROM servers WHERE guild = ?", (guild,))
        return rows[0][0] if rows else None

    async def private_messages(self, guild: int) -> tuple[tuple[int, str, int, int], ...]:
        """Return where the private messages of a server's tables are: (table, audience, channel, message) each."""
        rows = await self._read(
            "SELECT m.tbl, m.audience, m.channel, m.message FROM messages m JOIN tables t ON t.id = m.tbl"
            " WHERE t.guild = ? AND m.audience GLOB 'hand/*' ORDER BY m.tbl, m.audience",
            (guild,),
        )
        return tuple((table, audience, channel, message) for table, audience, channel, message in rows)

    async def delete_server(self, guild: int) -> int:
        """Delete everything that is stored of a server; returns the number of its tables."""

        def work(db: sqlite3.Connection) -> int:
            db.execute("DELETE FROM servers WHERE guild = ?", (guild,))
            return db.execute("DELETE FROM tables WHERE guild = ?", (guild,)).rowcount

        return await self._deleted(work)

    # People

    async def seats_of(self, user: int) -> tuple[tuple[int, int], ...]:
        """Return every seat that is stored of a user: (table, seat), also at tables over."""
        rows = await self._read("SELECT tbl, seat FROM seats WHERE user = ? ORDER BY tbl", (user,))
        return tuple((row[0], row[1]) for row in rows)

    async def stored_of(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """Return all rows that name a user or belong to their seats: nothing of anybody else's, and no state."""
        found: dict[str, list[dict[str, Any]]] = {}
        for name, columns, sql in _PERSONAL:
            rows = await self._read(sql, (user,))
            if rows:
                found[name] = [dict(zip(columns, row, strict=True)) for row in rows]
        return found

    async def forget(self, user: int) -> Forgotten:
        """Take a user out of everything stored; their seats stay without a name.

        A seat at a table over gets a negative user; one that an automaton holds is the automaton's from now on. A
        person should have left lobbies and live tables; where they have not, an automaton has the seat as well.
        """

        def work(db: sqlite3.Connection) -> Forgotten:
            mine = "IN (SELECT tbl FROM seats WHERE user = ?1)"
            hands = db.execute(
                "DELETE FROM messages WHERE EXISTS (SELECT 1 FROM seats s WHERE s.user = ?1"
                " AND s.tbl = messages.tbl AND messages.audience = 'hand/' || s.seat) RETURNING channel, message",
                (user,),
            ).fetchall()
            for name in ("drafts", "votes", "calls"):
                db.execute(
                    f"DELETE FROM {name} WHERE tbl {mine} AND seat = (SELECT seat FROM seats s WHERE s.user = ?1"
                    f" AND s.tbl = {name}.tbl)",
                    (user,),
                )
            db.execute("UPDATE moves SET user = NULL WHERE user = ?1", (user,))
            db.execute("UPDATE tables SET opener = 0 WHERE opener = ?1", (user,))
            db.execute("DELETE FROM notices WHERE user = ?1", (user,))
            db.execute(
                f"UPDATE tables SET revision = revision + 1 WHERE stage <> 'over' AND id {mine}", (user,)
            )
            db.execute(
                "UPDATE tables SET wake = coalesce(wake, acted) WHERE stage = 'live' AND id IN"
                " (SELECT tbl FROM seats WHERE user = ?1 AND skill IS NULL)",
                (user,),
            )
            db.execute(
                "UPDATE seats SET skill = 1 WHERE user = ?1 AND skill IS NULL"
                " AND tbl IN (SELECT id FROM tables WHERE stage <> 'over')",
                (user,),
            )
            seats = db.execute(
                "UPDATE seats SET name = 'Player ' || (seat + 1), joined = 0,"
                " user = iif(skill IS NULL, -1 - seat, NULL) WHERE user = ?1",
                (user,),
            ).rowcount
            return Forgotten(seats, tuple((channel, message) for channel, message in hands))

        return await self._deleted(work)

    # Drafts, votes, notices, facts

    async def drafts(self, table: int, seat: int) -> dict[str, bytes]:
        """Return a seat's drafts by kind."""
        rows = await self._read("SELECT kind, body FROM drafts WHERE tbl = ? AND seat = ?", (table, seat))
        return dict(rows)

    async def set_draft(self, table: int, seat: int, kind: str, body: bytes | None) -> None:
        """Keep a draft; None drops it."""
        if body is None:
            await self._write(
                lambda db: db.execute(
                    "DELETE FROM drafts WHERE tbl = ? AND seat = ? AND kind = ?", (table, seat, kind)
                )
            )
            return
        await self._write(
            lambda db: db.execute(
                "INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?)", (table, seat, kind, body)
            )
        )

    async def votes(self, table: int) -> dict[str, dict[int, bool]]:
        """Return a table's open votes: by purpose, the answer of each seat that has given one."""
        found: dict[str, dict[int, bool]] = {}
        for purpose, seat, answer in await self._read(
            "SELECT purpose, seat, answer FROM votes WHERE tbl = ?", (table,)
        ):
            found.setdefault(purpose, {})[seat] = bool(answer)
        return found

    async def vote(self, table: int, purpose: str, seat: int, answer: bool) -> None:
        """Record an answer; a later one replaces it."""
        await self._write(
            lambda db: db.execute(
                "INSERT OR REPLACE INTO votes VALUES (?, ?, ?, ?)", (table, purpose, seat, answer)
            )
        )

    async def close_vote(self, table: int, purpose: str) -> None:
        """Forget the answers given for a purpose."""
        await self._write(
            lambda db: db.execute("DELETE FROM votes WHERE tbl = ? AND purpose = ?", (table, purpose))
        )

    async def notify_once(self, user: int, kind: str, now: int) -> bool:
        """Whether a user has still to be told; from now on not any more."""
        return await self._write(
            lambda db: bool(
                db.execute("INSERT OR IGNORE INTO notices VALUES (?, ?, ?)", (user, kind, now)).rowcount
            )
        )

    async def fact(self, key: str) -> str | None:
        """Return what was stored under a key, such as the hash of the synced commands."""
        rows = await self._read("SELECT value FROM facts WHERE key = ?", (key,))
        return rows[0][0] if rows else None

    async def set_fact(self, key: str, value: str) -> None:
        """Store a value under a key."""
        await self._write(lambda db: db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (key, value)))

    # Plumbing

    async def _deleted(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Delete, and see to it that the files forget it too."""
        try:
            with self._changing():
                return await self._write(work)
        finally:
            self._traces = True
            await self._wipe()

    async def _wipe(self) -> None:
        """Empty the write-ahead log if it may hold what was deleted; each heartbeat tries what could not be done now."""
        if self._traces:
            with suppress(StoreError):  # what was deleted is no row any more all the same
                self._traces = not await self._truncate_log()

    @contextmanager
    def _changing(self, table: int | None = None) -> Iterator[None]:
        """Forget a table, or all, whatever becomes of the write: it goes on when its caller is cancelled."""
        try:
            yield
        finally:
            self._changes += 1
            if table is None:
                self._rows.clear()
            else:
                self._rows.pop(table, None)

    def _know(self, row: Row | None, changes: int) -> None:
        """Remember a table, unless something was forgotten since ``changes`` were counted."""
        if row is None or changes != self._changes:
            return
        self._rows[row.id] = row
        if len(self._rows) > KNOWN_ROWS:
            self._rows.popitem(last=False)


def _readable(best: Best) -> Best:
    """Return a record whose detail can be read, if only by leaving it out."""
    try:
        _details.decode(best.detail)
    except Exception:
        log.error("record_damaged", table=best.table)
        return msgspec.structs.replace(best, detail=b"{}")
    return best


def _glob(course: str) -> str:
    """Return a course as a pattern of SQLite in which only a trailing ``*`` is special."""
    stem = course.removesuffix("*")
    escaped = "".join(f"[{letter}]" if letter in "*?[" else letter for letter in stem)
    return escaped + ("*" if stem != course else "")


def _marks(values: Collection[Any]) -> str:
    return ", ".join("?" * len(values))


def _rowed(rows: Sequence[Sequence[Any]]) -> Row | None:
    """Return the table of a ``_TABLE`` query's rows, one a seat."""
    if not rows:
        return None
    cut = len(_COLUMNS)
    seats = tuple(_seated(row[cut:]) for row in rows if row[cut] is not None)
    return Row(*(*rows[0][:cut], seats))


def _seated(row: Sequence[Any]) -> Seat:
    seat, user, name, skill, joined, awaited, since = row
    return Seat(seat, user, name, skill, joined, bool(awaited), since)


def _seat(db: sqlite3.Connection, table: int, seats: Iterable[Seat]) -> None:
    db.executemany(
        f"INSERT INTO seats (tbl, {', '.join(_SEAT_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(table, *msgspec.structs.astuple(seat)) for seat in seats],
    )


def _awaiting(table: int, awaited: frozenset[int], now: int) -> tuple[str, tuple[int, ...]]:
    """Return the statement that flags the awaited seats and touches no seat whose flag stays."""
    return (
        "UPDATE seats SET awaited = NOT awaited, since = ?"
        f" WHERE tbl = ? AND awaited <> (seat IN ({_marks(awaited)}))",
        (now, table, *sorted(awaited)),
    )


def _keep_records(db: sqlite3.Connection, table: int, records: Iterable[Achieved], now: int | None) -> None:
    db.executemany(
        "INSERT INTO records (tbl, seat, course, score, turns, detail, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(table, *msgspec.structs.astuple(record), now) for record in records],
    )


def _clear_table(db: sqlite3.Connection, table: int) -> None:
    """Forget what only a table that goes on needs."""
    db.execute("UPDATE tables SET due = NULL, wake = NULL, paused_at = NULL WHERE id = ?", (table,))
    db.execute("UPDATE seats SET awaited = 0 WHERE tbl = ?", (table,))
    db.execute("DELETE FROM drafts WHERE tbl = ?", (table,))
    db.execute("DELETE FROM votes WHERE tbl = ?", (table,))
    db.execute("DELETE FROM calls WHERE tbl = ?", (table,))


def _known(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    unknown = columns.keys() - set(_COLUMNS)
    if unknown:
        raise ValueError(f"a table has no {', '.join(sorted(unknown))}")
    return columns
