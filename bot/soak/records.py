"""What the bot has stored, read from outside while it runs, is dead or starts.

Each reading is one transaction of a read-only connection. The log of a table may only grow: every row is remembered by
its digest, and all rows are compared again after each restart. Each new row is played through the rules, so that
every state that ever was is known here, and must lead to the state that is stored.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from bot.games.chance import Chance
from bot.games.game import Game, IllegalMove, Lexicon, Moment, Words
from bot.games.log import NULL, Entry, Log, committed, replayed
from bot.soak.journal import Journal

AnyGame = Game[Any, Any, Any, Any, Any]

_answers = msgspec.json.Decoder(dict[str, bool])


class Sitter(msgspec.Struct, frozen=True, array_like=True):
    """Who sits on a seat; a seat with a skill is played by an automaton."""

    seat: int
    user: int | None
    name: str
    skill: int | None


class Shown(msgspec.Struct, frozen=True, array_like=True):
    """A message that Discord holds for an audience, and the revision that it shows."""

    audience: str
    channel: int
    message: int
    shown: int


class Stored(msgspec.Struct, frozen=True):
    """A table as it is stored."""

    id: int
    game: str
    stage: Literal["lobby", "live", "over"]
    channel: int | None
    thread: int | None
    opener: int
    options: bytes
    seed: bytes
    seq: int
    revision: int
    opened: int
    lost: int
    paused_at: int | None
    due: int | None
    seats: tuple[Sitter, ...] = ()
    messages: tuple[Shown, ...] = ()

    @property
    def place(self) -> str | None:
        """The id of the channel or thread in which it is shown."""
        place = self.channel if self.thread is None else self.thread
        return None if place is None else str(place)

    @property
    def board(self) -> Shown | None:
        """The message of the board or the lobby."""
        return next((shown for shown in self.messages if shown.audience == "board"), None)

    def seat_of(self, user: str) -> Sitter | None:
        """Return the seat that belongs to a user."""
        return next((sitter for sitter in self.seats if sitter.user == int(user)), None)

    @property
    def persons(self) -> tuple[Sitter, ...]:
        """The seats that people play now."""
        return tuple(sitter for sitter in self.seats if sitter.skill is None)


class Move(msgspec.Struct, frozen=True, array_like=True):
    """A row of the log, as far as nothing may ever change it; ``user`` may be forgotten when a person wants that."""

    seq: int
    seat: int | None
    at: int
    move: bytes | None
    events: bytes
    words: bytes
    undone: int | None
    user: int | None

    @property
    def digest(self) -> bytes:
        """A mark of all that may not change."""
        return hashlib.blake2b(
            msgspec.msgpack.encode(msgspec.structs.astuple(self)[:-1]), digest_size=16
        ).digest()


class Reached(msgspec.Struct, frozen=True):
    """A state of a table, and the events that led to it."""

    seq: int
    state: Any
    events: tuple[Any, ...]


class Replica:
    """The game of one table, played here as its log tells; ``known``: what its dictionary said at the deal."""

    def __init__(self, game: AnyGame, table: Stored, lexicon: Lexicon, known: dict[str, bool]) -> None:
        self.game = game
        self._known = known
        self._table = table
        self._lexicon = lexicon
        self._moves: list[Move] = []
        at = Moment(0, Chance(table.seed, 0, "play"), Words(lexicon, known))
        self.states = [game.deal(len(table.seats), game.options.load(table.options), at)]

    def add(self, move: Move) -> Reached:
        """Play the next row; raises IllegalMove where the rules do not lead to one."""
        self._moves.append(move)
        events: tuple[Any, ...] = ()
        if move.undone is not None:
            *_, last = replayed(self.game, self._log(), self._lexicon)
            if last.refused is not None:
                raise IllegalMove(last.refused)
            state = last.state
        else:
            step = committed(
                self.game,
                self.states[-1],
                move.seat,
                None if move.move is None else self.game.moves.load(move.move),
                seq=move.seq,
                now=move.at,
                seed=self._table.seed,
                words=Words(self._lexicon, self._known | _answers.decode(move.words)),
            )
            state, events = step.state, step.events
        self.states.append(state)
        return Reached(move.seq, state, events)

    def _log(self) -> Log:
        return Log(
            game=self.game.key,
            options=msgspec.Raw(self._table.options),
            seats=len(self._table.seats),
            seed=self._table.seed.hex(),
            words=self._known,
            moves=tuple(
                Entry(
                    seat=move.seat,
                    move=NULL if move.move is None else msgspec.Raw(move.move),
                    at=move.at,
                    words=_answers.decode(move.words),
                    undo=move.undone,
                )
                for move in self._moves
            ),
        )


class Growth:
    """The log of a table may only grow."""

    def __init__(self) -> None:
        self._digests: list[bytes] = []
        self.moves: list[Move] = []

    def read(self, seq: int, moves: Sequence[Move]) -> list[str]:
        """Take a reading: the table's number of moves, and rows of its log, known ones or new ones.

        Returns what is wrong with it, in sentences.
        """
        wrong = []
        if seq < len(self._digests):
            wrong.append(f"move {len(self._digests)} was there, and now there are {seq}")
        for move in moves:
            if move.seq <= len(self._digests):
                if move.digest != self._digests[move.seq - 1]:
                    wrong.append(f"move {move.seq} is another than it was")
            elif move.seq == len(self._digests) + 1:
                self._digests.append(move.digest)
                self.moves.append(move)
            else:
                wrong.append(f"move {move.seq} follows on move {len(self._digests)}")
        if not wrong and seq > len(self._digests):
            wrong.append(f"there are {seq} moves, but rows for {len(self._digests)}")
        return wrong

    @property
    def known(self) -> int:
        """The number of the last known move."""
        return len(self._digests)


class Records:
    """The bot's database from outside.

    Args:
        path: of the file; it need not exist yet.
        learned: called with each state that a table has newly reached.
    """

    def __init__(
        self, path: Path, games: dict[str, AnyGame], lexicon: Lexicon, journal: Journal,
        learned: Callable[[Stored, Reached], None],
    ) -> None:  # fmt: skip
        self._path = path
        self._games = games
        self._lexicon = lexicon
        self._journal = journal
        self._learned = learned
        self._db: sqlite3.Connection | None = None
        self._growth: dict[int, Growth] = {}
        self._replicas: dict[int, Replica] = {}
        self._retired: set[int] = set()
        self.tables: dict[int, Stored] = {}
        self.moves = 0

    def refresh(self) -> None:
        """Read what is new. Findings go to the journal."""
        with self._reading() as db:
            if db is None:
                return
            tables = self._tables(db)
            rows = {
                table.id: self._moves(db, table.id, self._known(table.id))
                for table in tables
                if table.seq > self._known(table.id)
            }
            states = {
                table: db.execute("SELECT state FROM states WHERE tbl = ?", (table,)).fetchone()[0]
                for table in rows
            }
            dictionaries = {
                table.id: self._dictionary(db, table.id)
                for table in tables
                if table.opened and table.id not in self._replicas
            }
        for gone in self.tables.keys() - {table.id for table in tables} - self._retired:
            self._journal.find("lost", f"Table {gone} has vanished.", table=gone)
            self.retire(gone)
        for table in tables:
            self.tables[table.id] = table
            self._read(table, rows.get(table.id, []), states.get(table.id), dictionaries.get(table.id, {}))

    def compare(self) -> None:
        """Read every row of every table that is not retired again, and compare."""
        self.refresh()
        with self._reading() as db:
            if db is None:
                return
            for table, growth in self._growth.items():
                seq = db.execute("SELECT seq FROM tables WHERE id = ?", (table,)).fetchone()[0]
                self._complain(table, growth.read(seq, self._moves(db, table, 0)[: growth.known]))

    def retire(self, table: int) -> None:
        """Forget a table that is over and has been looked at."""
        self._retired.add(table)
        for known in (self.tables, self._growth, self._replicas):
            known.pop(table, None)

    def state(self, table: int) -> Any:
        """Return the newest committed state of a table, as last read."""
        return self._replicas[table].states[-1]

    def begun(self, table: int) -> bool:
        """Whether a table's game is known here."""
        return table in self._replicas

    def played(self, table: int, since: int) -> list[Move]:
        """Return the rows after move number ``since``, as last read."""
        growth = self._growth.get(table)
        return [] if growth is None else growth.moves[since:]

    def opened_by(self, user: str) -> set[int]:
        """Return the tables that a user opened."""
        return {table.id for table in self.tables.values() if table.opener == int(user)}

    def seats_of(self, user: str) -> int:
        """At how many tables, in lobby or live, a user sits."""
        return sum(
            table.stage != "over" and table.seat_of(user) is not None for table in self.tables.values()
        )

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _read(
        self, table: Stored, moves: list[Move], state: bytes | None, dictionary: dict[str, bool]
    ) -> None:
        if table.stage == "lobby" or table.opened == 0:
            return
        growth = self._growth.setdefault(table.id, Growth())
        before = growth.known
        self._complain(table.id, growth.read(table.seq, moves))
        replica = self._replicas.get(table.id)
        if replica is None:
            replica = Replica(self._games[table.game], table, self._lexicon, dictionary)
            self._replicas[table.id] = replica
            self._learned(table, Reached(0, replica.states[0], ()))
        for move in growth.moves[before:]:
            self._follow(table, replica, move)
        if state is not None and replica.states[-1] != replica.game.states.load(state):
            self._complain(table.id, [f"its log does not lead to its state at move {table.seq}"])

    def _follow(self, table: Stored, replica: Replica, move: Move) -> None:
        self.moves += 1
        holder = next((sitter.user for sitter in table.seats if sitter.seat == move.seat), None)
        if move.user is not None and move.user != holder:
            self._journal.find(
                "leaks", f"Table {table.id}: move {move.seq} was made with another's hand.", table=table.id
            )
        try:
            reached = replica.add(move)
        except IllegalMove as refusal:
            self._complain(table.id, [f"move {move.seq} is against the rules: {refusal}"])
            return
        self._journal.note("move", table=table.id, seq=move.seq, seat=move.seat, user=move.user,
                           move=None if move.move is None else move.move.decode())  # fmt: skip
        self._learned(table, reached)

    def _complain(self, table: int, wrong: list[str]) -> None:
        for sentence in wrong:
            self._journal.find("lost", f"Table {table}: {sentence}.", table=table)

    def _known(self, table: int) -> int:
        growth = self._growth.get(table)
        return 0 if growth is None else growth.known

    def _tables(self, db: sqlite3.Connection) -> list[Stored]:
        columns = Stored.__struct_fields__[:-2]
        floor = min(self.tables, default=max(self._retired, default=0))
        seats: dict[int, list[Sitter]] = {}
        for table, *rest in db.execute(
            "SELECT tbl, seat, user, name, skill FROM seats WHERE tbl >= ? ORDER BY tbl, seat", (floor,)
        ):
            seats.setdefault(table, []).append(Sitter(*rest))
        messages: dict[int, list[Shown]] = {}
        for table, *rest in db.execute(
            "SELECT tbl, audience, channel, message, shown FROM messages WHERE tbl >= ?", (floor,)
        ):
            messages.setdefault(table, []).append(Shown(*rest))
        return [
            Stored(
                **dict(zip(columns, row, strict=True)),
                seats=tuple(seats.get(row[0], ())),
                messages=tuple(messages.get(row[0], ())),
            )
            for row in db.execute(
                f"SELECT {', '.join(columns)} FROM tables WHERE id >= ? ORDER BY id", (floor,)
            )
            if row[0] not in self._retired
        ]

    def _dictionary(self, db: sqlite3.Connection, table: int) -> dict[str, bool]:
        found = db.execute("SELECT known, asked FROM dictionaries WHERE tbl = ?", (table,)).fetchone()
        return {} if found is None else _answers.decode(found[0]) | _answers.decode(found[1])

    def _moves(self, db: sqlite3.Connection, table: int, since: int) -> list[Move]:
        columns = ", ".join(Move.__struct_fields__)
        found = db.execute(
            f"SELECT {columns} FROM moves WHERE tbl = ? AND seq > ? ORDER BY seq", (table, since)
        )
        return [Move(*row) for row in found]

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """Yield the file in one transaction, or None while there is none to read."""
        if self._db is None:
            self._db = self._opened()
        if self._db is None:
            yield None
            return
        self._db.execute("BEGIN")
        try:
            yield self._db
        finally:
            self._db.execute("ROLLBACK")

    def _opened(self) -> sqlite3.Connection | None:
        if not self._path.exists():
            return None
        db = sqlite3.connect(f"file:{self._path}?mode=ro", uri=True, isolation_level=None, timeout=5)
        try:
            ready = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'dictionaries'").fetchone()[0]
        except sqlite3.OperationalError:
            ready = False
        if ready:
            return db
        db.close()
        return None
