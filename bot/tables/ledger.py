"""The tables as they are stored: read through a cache of what is decoded, and written in one transaction a change.

Nothing of a table lives in memory but a cache of decoded states, each good for one move number. Each change raises the
table's *revision*, which is what messages on Discord are compared with; only moves raise ``seq``. After each change the
listeners hear a ``Committed``; what they do with it can delay or spoil no move.

A record that cannot be read sets its table aside, and no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

import msgspec
import structlog

from bot.games.chance import Chance
from bot.games.game import Lexicon, Moment, Result, Turn, Words
from bot.games.log import NULL, BadLog, Log
from bot.games.log import Entry as LogEntry
from bot.store.rows import Achieved, Entry, Logged, Row, Seat
from bot.store.store import Store
from bot.tables.table import (
    AnyGame,
    Aside,
    Committed,
    Happening,
    Look,
    NoTable,
    NotLive,
    Recorded,
    Stale,
    Table,
    Unreadable,
)

log = structlog.get_logger(__name__)

CACHED_STATES = 256
OUTAGES = "outages"  # the fact that holds since when (wall clock, ms) which servers cannot be reached
CUT_OFF = "I cannot reach this table's server at present, so the table is paused. It goes on by itself."

encoded = msgspec.json.Encoder(order="deterministic").encode
_answers = msgspec.json.Decoder(dict[str, bool])
_results = msgspec.json.Decoder(Result)
_outages = msgspec.json.Decoder(dict[int, int])


class Ledger:
    """All tables of a bot: read by whoever only looks, written by the service alone.

    Args:
        store: the database.
        games: the registry, by key.
        lexicon: what rules ask about words.
        now: the wall clock in ms, on Discord's time.
        committed: the first listener; more are added by ``listen``.
        damaged: told of a table whose record cannot be read; returns the code of a report.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        lexicon: Lexicon,
        now: Callable[[], int],
        committed: Callable[[int, Committed], None] | None = None,
        damaged: Callable[[int, Exception], Awaitable[str]] | None = None,
    ) -> None:
        self.store = store
        self.games = games
        self.lexicon = lexicon
        self.now = now
        self._listeners = [committed] if committed else []
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._setting_aside = asyncio.Lock()
        self._damaged = damaged or _unreported
        self._states: OrderedDict[int, tuple[int, Any]] = OrderedDict()
        self._known: OrderedDict[int, Mapping[str, bool]] = OrderedDict()
        self._sitting: OrderedDict[int, Table] = OrderedDict()
        self._changes = 0  # of seats or stages

    def listen(self, committed: Callable[[int, Committed], None]) -> None:
        """Call ``committed(table, what)`` after every commit. It must not block."""
        self._listeners.append(committed)

    # Looking

    async def table(self, table: int) -> Table:
        """Return a table; raises NoTable."""
        return await self._table(await self._row(table))

    async def sitting(self, table: int) -> Table:
        """Return a table with its seats and stage of now, and all else of some earlier moment.

        From memory when it is there: each press asks who sits where, and only then reads what it needs.
        """
        found = self._sitting.get(table)
        if found is None:
            changes = self._changes
            found = await self.table(table)
            if changes == self._changes:  # else somebody may have sat down while it was read
                self._sitting[table] = found
                if len(self._sitting) > CACHED_STATES:
                    self._sitting.popitem(last=False)
        return found

    async def seat_of(self, table: int, user: int) -> int | None:
        """Return the number of the seat that belongs to a user."""
        seat = (await self.table(table)).seat_of(user)
        return None if seat is None else seat.seat

    async def look(self, table: int, seat: int | None) -> Look:
        """Return what a seat, or everyone (None), may know of a table that has begun."""
        async with self._lock(table):
            row = await self._row(table)
            state = await self._state(row)
        return await self._look(row, state, seat)

    async def ask(self, table: int, seat: int | None) -> tuple[Look, Moment]:
        """Return a look and the moment in which to ask an automaton at that seat for its plan."""
        async with self._lock(table):
            row = await self._row(table)
            state = await self._state(row)
        chance = Chance(row.seed, row.seq, f"choose/{seat}")
        words = Words(self.lexicon, await self.known(table))
        return await self._look(row, state, seat), Moment(self._table_time(row, None), chance, words)

    async def known(self, table: int) -> Mapping[str, bool]:
        """Return how the table's server had changed the lexicon at the deal: words, and whether they are legal."""
        known = self._known.get(table)
        if known is None:
            stored = await self.store.dictionary(table)
            try:
                known = {} if stored is None else _answers.decode(stored[0])
            except Exception as error:
                raise await self._set_aside(table, error) from error
            self._know(table, known)
        return known

    async def view(self, table: int, seat: int | None) -> Any:
        """Return the game's view for a seat, or for everyone (None)."""
        return (await self.look(table, seat)).view

    async def history(self, table: int, since: int = 0) -> tuple[Recorded, ...]:
        """Return the moves after move number ``since``; strip them by ``heard_by`` before anybody sees them.

        Raises Unreadable.
        """
        game = self.games[(await self._row(table)).game]
        with readable(table):
            return tuple(
                Recorded(
                    seq=logged.seq,
                    seat=logged.seat,
                    by=logged.user,
                    at=logged.at,
                    move=None if logged.move is None else game.moves.load(logged.move),
                    events=game.events.load(logged.events),
                    undone=logged.undone,
                )
                for logged in await self.store.log(table, since)
            )

    async def export(self, table: int) -> Log:
        """Return the whole log as ``wordmoot replay`` plays it.

        It holds the seed and with it every secret: for the operator's own disk, for others once the table is over.
        """
        row = await self._row(table)
        with readable(table):
            return await self._exported(row, await self.store.log(table))

    async def tables_of(self, user: int) -> tuple[Table, ...]:
        """Return the tables, in lobby or live, at which a user sits; newest first."""
        return await self._sound(await self.store.tables_of(user))

    async def live_tables(self, guild: int) -> tuple[Table, ...]:
        """Return a server's tables, in lobby or live; oldest first."""
        return await self._sound(await self.store.live_tables(guild))

    async def _sound(self, tables: Sequence[int]) -> tuple[Table, ...]:
        """Return tables but for those whose record is found to be damaged."""
        found = []
        for table in tables:
            with contextlib.suppress(Aside):
                found.append(await self.table(table))
        return tuple(found)

    # Inside, under the table's lock

    def _lock(self, table: int) -> asyncio.Lock:
        lock = self._locks.get(table)
        if lock is None:
            lock = self._locks[table] = asyncio.Lock()
        return lock

    async def _row(self, table: int) -> Row:
        row = await self.store.table(table)
        if row is None or row.game not in self.games:
            raise NoTable("There is no such table.")
        if row.aside is not None:
            raise Aside(row.aside)
        return row

    async def _live(self, table: int) -> Row:
        row = await self._row(table)
        if row.stage == "lobby":
            raise NotLive("The game has not begun.")
        if row.stage == "over":
            raise NotLive("The game is over.")
        if row.paused_at is not None and await self._cut_off(row):
            raise NotLive(CUT_OFF)
        if row.paused_at is not None:
            raise NotLive("The table is paused. Press Resume on its board, or use /table resume.")
        return row

    async def _cut_off(self, row: Row) -> bool:
        """Whether a table stands still because its server cannot be reached; it goes on when the server is there."""
        if row.guild is None:
            return False
        began = await outages_of(self.store)
        return row.paused_at in (await self.store.left_at(row.guild), began.get(row.guild))

    async def _look(self, row: Row, state: Any, seat: int | None) -> Look:
        game = self.games[row.game]
        return Look(
            table=await self._table(row),
            seat=seat,
            view=game.seen_by(state, seat),
            epoch=game.epoch(state, seat),
            awaited=game.awaited(state),
            played_out=game.result(state) is not None,
        )

    async def _table(self, row: Row) -> Table:
        game = self.games[row.game]
        try:
            options = game.options.load(row.options)
            result = None if row.result is None else _results.decode(row.result)
        except Exception as error:
            raise await self._set_aside(row.id, error) from error
        return Table(
            id=row.id,
            game=game,
            stage=row.stage,
            guild=row.guild,
            channel=row.channel,
            thread=row.thread,
            opener=row.opener,
            options=options,
            seats=row.seats,
            seq=row.seq,
            revision=row.revision,
            opened=row.opened,
            lost=row.lost,
            paused_at=row.paused_at,
            due=row.due,
            created=row.created,
            ended=row.ended,
            result=result,
            acted=row.acted,
            follows=row.follows,
            cut_off=row.stage == "live" and row.paused_at is not None and await self._cut_off(row),
        )

    def _table_time(self, row: Row, stamp: int | None) -> int:
        """Return the table time of a wall clock time (None: now), never before the last move's."""
        until = row.paused_at if row.paused_at is not None else (self.now() if stamp is None else stamp)
        return max(row.at, until - row.opened - row.lost)

    async def _moment(self, row: Row, now: int) -> Moment:
        return Moment(
            now, Chance(row.seed, row.seq + 1, "play"), Words(self.lexicon, await self.known(row.id))
        )

    def _know(self, table: int, known: Mapping[str, bool]) -> None:
        self._known[table] = known
        self._known.move_to_end(table)
        if len(self._known) > CACHED_STATES:
            self._known.popitem(last=False)

    async def _exported(self, row: Row, logged: Sequence[Logged]) -> Log:
        stored = await self.store.dictionary(row.id)
        return Log(
            game=row.game,
            version=row.version,
            options=msgspec.Raw(row.options),
            seats=max(1, len(row.seats)),
            seed=row.seed.hex(),
            over=row.stage == "over",
            result=None if row.result is None else _results.decode(row.result),
            words={} if stored is None else _answers.decode(stored[0]) | _answers.decode(stored[1]),
            moves=tuple(
                LogEntry(
                    seat=entry.seat,
                    move=NULL if entry.move is None else msgspec.Raw(entry.move),
                    at=entry.at,
                    words=_answers.decode(entry.words),
                    undo=entry.undone,
                )
                for entry in logged
            ),
        )

    async def _state(self, row: Row) -> Any:
        cached = self._states.get(row.id)
        if cached is not None and cached[0] == row.seq:
            self._states.move_to_end(row.id)
            return cached[1]
        raw = await self.store.state(row.id)
        if raw is None:
            raise NotLive("The game has not begun.")
        game = self.games[row.game]
        try:
            state = game.states.load(raw) if row.version == game.version else game.upgrade(raw, row.version)
        except Exception as error:  # whatever is wrong with it, it is wrong with this table alone
            raise await self._set_aside(row.id, error) from error
        self._remember(row.id, row.seq, state)
        return state

    async def _set_aside(self, table: int, error: Exception) -> Aside:
        """Stop a damaged table and return what to say of it; one report, however many find it at once."""
        async with self._setting_aside:
            row = await self.store.table(table)
            if row is not None and row.aside is not None:
                return Aside(row.aside)
            code = await self._damaged(table, error)
            await self.store.set_aside(table, code, self.now())
            self._sitting.pop(table, None)
            return Aside(code)

    def _remember(self, table: int, seq: int, state: Any) -> None:
        self._states[table] = (seq, state)
        self._states.move_to_end(table)
        if len(self._states) > CACHED_STATES:
            self._states.popitem(last=False)

    async def _commit(
        self, row: Row, seat: int | None, by: int | None, move: Any, turn: Turn[Any, Any], moment: Moment,
        *, undone: int | None = None,
    ) -> Committed | None:  # fmt: skip
        """Store what a move has led to; None when another one was stored first."""
        game, state = self.games[row.game], turn.state
        result = game.result(state)
        now = self.now()
        over = result is not None
        due = None if over else wall_time(game.due(state), row.opened + row.lost)
        wake = now if not over and any(not other.person for other in row.seats) else None
        logged = Logged(
            seq=row.seq + 1,
            seat=seat,
            user=by,
            at=moment.now,
            move=None if move is None else game.moves.dump(move),
            events=game.events.dump(turn.events),
            words=encoded(moment.words.asked),
            undo=turn.undo,
            undone=undone,
        )
        revision = await self.store.commit(
            Entry(
                table=row.id,
                logged=logged,
                now=now,
                state=game.states.dump(state),
                version=game.version,
                awaited=frozenset() if over else game.awaited(state),
                due=due,
                wake=wake,
                ended=now if over else None,
                result=encoded(result) if over else None,
                acted=by is not None,
                records=records_of(game, state) if over else (),
            )
        )
        if revision is None:
            return None
        self._remember(row.id, logged.seq, state)
        committed = Committed(
            table=row.id,
            what="move",
            game=game,
            seq=logged.seq,
            revision=revision,
            due=due,
            wake=wake,
            state=state,
            seat=seat,
            by=by,
            move=move,
            events=turn.events,
            undone=undone,
            undo=turn.undo,
        )
        self._tell(committed)
        return committed

    def _tell(self, committed: Committed) -> None:
        if committed.what != "move" or committed.game.result(committed.state) is not None:
            self._changes += 1
            self._sitting.pop(committed.table, None)
        for listener in self._listeners:
            try:
                listener(committed.table, committed)
            except Exception:
                log.exception("listener_failed", table=committed.table, seq=committed.seq)

    async def _changed(
        self, found: Table, what: Happening, *, seats: tuple[Seat, ...] | None = None, **columns: Any
    ) -> None:
        """Store a change that is no move and tell the listeners."""
        if what in ("lobby", "seats", "vote"):
            columns["acted"] = self.now()
        if not await self.store.change(found.id, revision=found.revision, seats=seats, **columns):
            raise Stale("The table has changed. Try again.")
        row = await self._row(found.id)
        self._tell(Committed(found.id, what, found.game, row.seq, row.revision, row.due, row.wake))


async def outages_of(store: Store) -> dict[int, int]:
    """Return since when (wall clock, ms) which servers cannot be reached.

    A damaged fact names none: their tables then wait for somebody to resume them, and all others go on.
    """
    stored = await store.fact(OUTAGES)
    try:
        return {} if stored is None else _outages.decode(stored)
    except Exception as error:
        log.error("outages_damaged", error=str(error))
        return {}


async def _unreported(table: int, error: Exception) -> str:
    log.error("table_damaged", table=table, error=repr(error))
    return secrets.token_hex(4)


def records_of(game: AnyGame, state: Any) -> tuple[Achieved, ...]:
    """Return what a game that is over, or ended now by its people, leaves for the lists of the best, if anything."""
    return tuple(
        Achieved(record.seat, record.course, record.score, record.turns, encoded(record.detail))
        for record in game.records(state)
    )


@contextlib.contextmanager
def readable(table: int) -> Iterator[None]:
    """Turn a log that cannot be read into a sentence."""
    try:
        yield
    except (msgspec.DecodeError, BadLog) as error:
        log.warning("log_unreadable", table=table, error=str(error))
        raise Unreadable from error


def wall_time(at: int | None, origin: int) -> int | None:
    """Return a table time (ms) by the wall clock: ``origin`` is the wall clock's time at table time 0."""
    return None if at is None else at + origin
