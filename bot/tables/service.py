"""The tables: who sits where, whose click counts, and every move from the click to the commit.

Whatever changes a table goes through here, under that table's lock, and is in the database before the caller hears
of it. Nothing else of a table lives in memory but a cache of decoded states, each good for one move number.

Each change raises the table's *revision*, which is what messages on Discord are compared with; only moves raise
``seq``. After each change the listeners hear a ``Committed``; what they do with it can delay or spoil no move.

Rulings of ours: a silence whose end has come takes effect before a later move; a move that was made in time
(``stamp``) counts even when it arrives late, as long as the clock has not struck. When the last person leaves a
live table, it ends without a result. A person whom an automaton stands in for keeps the seat and may come back.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Literal
from weakref import WeakValueDictionary

import msgspec
import structlog

from bot.games.chance import Chance
from bot.games.game import Game, IllegalMove, Lexicon, Moment, Result, Turn, Undo, Words
from bot.games.log import NULL, BadLog, Log, replayed
from bot.games.log import Entry as LogEntry
from bot.store.store import Entry, Logged, Row, Seat, Stage, Store
from bot.store.store import Recorded as Record

AnyGame = Game[Any, Any, Any, Any, Any]
Happening = Literal["lobby", "deal", "move", "seats", "pause", "vote", "end"]

log = structlog.get_logger(__name__)

CACHED_STATES = 256
EXPIRIES = 100  # in a row at one table; a game whose silences never end is broken
OUTAGES = "outages"  # the fact that holds since when (wall clock, ms) which servers cannot be reached
CUT_OFF = "I cannot reach this table's server at present, so the table is paused. It goes on by itself."

_words = msgspec.json.Encoder(order="deterministic")
_answers = msgspec.json.Decoder(dict[str, bool])
_results = msgspec.json.Decoder(Result)
_outages = msgspec.json.Decoder(dict[int, int])


class NoTable(IllegalMove):
    """There is no such table."""


class NotLive(IllegalMove):
    """The table has not begun, is over or is paused."""


class Stale(IllegalMove):
    """The click is of an older epoch of its seat: show a fresh panel instead."""


class Aside(IllegalMove):
    """The table's record is damaged; it rests until its host has mended it."""

    def __init__(self, code: str) -> None:
        super().__init__(
            f"This table's record is damaged, so it has been set aside (code {code}). Whoever hosts me can look into it."
        )


class Unreadable(IllegalMove):
    """A row of the table's log cannot be read; the state can, so the game goes on."""

    def __init__(self) -> None:
        super().__init__(
            "Part of this table's log cannot be read, so I cannot do that. The game itself goes on."
        )


class Committed(msgspec.Struct, frozen=True):
    """What has just been stored.

    For ``move`` the move itself: ``seat`` None is the host, with ``move`` None an expired clock; ``undone`` is the
    number of the move that was taken back instead, ``undo`` says until when this one can be. ``state`` holds
    secrets: make texts of ``events`` through ``game.heard_by`` and of ``state`` through ``game.seen_by``. For
    ``seats``, ``pause``, ``vote`` and ``end`` the state is None.
    """

    table: int
    what: Happening
    game: AnyGame
    seq: int
    revision: int
    due: int | None = None  # wall clock, ms
    wake: int | None = None  # wall clock, ms
    state: Any = None
    seat: int | None = None
    by: int | None = None
    move: Any = None
    events: tuple[Any, ...] = ()
    undone: int | None = None
    undo: Undo = "never"


class Table(msgspec.Struct, frozen=True):
    """A table as cogs see it: no state, no seed."""

    id: int
    game: AnyGame
    stage: Stage
    guild: int | None
    channel: int | None
    thread: int | None
    opener: int
    options: Any
    seats: tuple[Seat, ...]
    seq: int
    revision: int
    opened: int  # wall clock, ms: when table time was 0
    lost: int  # ms
    paused_at: int | None
    due: int | None  # wall clock, ms
    created: int
    ended: int | None
    result: Result | None  # None of a table over: it was ended
    acted: int  # wall clock, ms: when a person last did something here
    follows: int | None  # the table of which this is the rematch

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def persons(self) -> tuple[Seat, ...]:
        """The seats that people play now."""
        return tuple(seat for seat in self.seats if seat.person)

    @property
    def automata(self) -> tuple[Seat, ...]:
        """The seats that automata play now."""
        return tuple(seat for seat in self.seats if not seat.person)

    @property
    def place(self) -> int | None:
        """The Discord channel or thread in which the table is shown."""
        return self.thread if self.thread is not None else self.channel

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat that belongs to a user, whoever plays it now."""
        return next((seat for seat in self.seats if seat.user == user), None)

    def wall(self, at: int) -> int:
        """Return when a table time comes by the wall clock (ms), if the table is not paused again."""
        return self.opened + self.lost + at


class Look(msgspec.Struct, frozen=True):
    """What a viewer may know of a live table or one that is over, all of one moment."""

    table: Table
    seat: int | None
    view: Any
    epoch: int
    awaited: frozenset[int]
    played_out: bool  # the rules have a result; a table over without one was ended


class Recorded(msgspec.Struct, frozen=True):
    """A move of the log, decoded. It holds secrets until the table is over."""

    seq: int
    seat: int | None
    by: int | None
    at: int  # table time, ms
    move: Any
    events: tuple[Any, ...]
    undone: int | None  # this row took that move back


class Tally(msgspec.Struct, frozen=True):
    """How the people at a table stand to a question. ``carried``: all agree; ``lost``: somebody does not."""

    purpose: str
    yes: tuple[int, ...]
    no: tuple[int, ...]
    missing: tuple[int, ...]

    @property
    def carried(self) -> bool:
        """Whether everybody who has a vote agrees."""
        return not self.no and not self.missing

    @property
    def lost(self) -> bool:
        """Whether somebody disagrees."""
        return bool(self.no)


class Service:
    """All tables of a bot.

    Args:
        store: the database.
        games: the registry, by key.
        lexicon: what rules ask about words.
        now: the wall clock in ms, on Discord's time.
        committed: the first listener; more are added by ``listen``.
        tables_a_guild: how many tables, in lobby or live, a server may have.
        tables_a_user: at how many a user may sit.
        dictionary: how a server has changed the lexicon (word: whether it is legal there); asked at each deal.
        damaged: told of a table whose record cannot be read; returns the code of a report.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        lexicon: Lexicon,
        now: Callable[[], int],
        committed: Callable[[int, Committed], None] | None = None,
        *,
        tables_a_guild: int = 25,
        tables_a_user: int = 5,
        dictionary: Callable[[int], Awaitable[Mapping[str, bool]]] | None = None,
        damaged: Callable[[int, Exception], Awaitable[str]] | None = None,
    ) -> None:
        self.store = store
        self.games = games
        self.lexicon = lexicon
        self.now = now
        self._listeners = [committed] if committed else []
        self._tables_a_guild = tables_a_guild
        self._tables_a_user = tables_a_user
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._doors = asyncio.Lock()  # who opens or joins is counted first
        self._rematching = asyncio.Lock()
        self._setting_aside = asyncio.Lock()
        self._dictionary = dictionary or _unchanged
        self._damaged = damaged or _unreported
        self._states: OrderedDict[int, tuple[int, Any]] = OrderedDict()
        self._known: OrderedDict[int, Mapping[str, bool]] = OrderedDict()
        self._sitting: OrderedDict[int, Table] = OrderedDict()
        self._changes = 0  # of seats or stages

    def listen(self, committed: Callable[[int, Committed], None]) -> None:
        """Call ``committed(table, what)`` after every commit. It must not block."""
        self._listeners.append(committed)

    # The lobby

    async def open(
        self, game: str, guild: int | None, channel: int | None, opener: int, name: str,
        options: Any = None, *, thread: int | None = None, follows: int | None = None,
        private: bool = False,
    ) -> Table:  # fmt: skip
        """Open a lobby; the opener takes the first seat. ``options`` None: the game's own defaults.

        ``private``: it will never have a place, so it is none of the server's number of tables.
        """
        rules = self.games[game]
        options = rules.options.load(b"{}") if options is None else options
        async with self._doors:
            if guild is not None and not private and await self._full(guild):
                raise IllegalMove(f"This server already has {self._tables_a_guild} tables. End one first.")
            await self._room_for(opener)
            now = self.now()
            table = await self.store.create(
                game=game,
                version=rules.version,
                guild=guild,
                channel=channel,
                thread=thread,
                opener=opener,
                options=rules.options.dump(options),
                seed=secrets.token_bytes(16),
                seats=(Seat(0, opener, name, None, now),),
                created=now,
                follows=follows,
            )
        self._tell(Committed(table, "lobby", rules, 0, 1))
        return await self.table(table)

    async def rematch(self, table: int, user: int, name: str) -> Table:
        """Return the lobby of a table's rematch with the user in it, opened now unless somebody has done so.

        The options and the automata are the same; the other people join it themselves.
        """
        async with self._rematching:  # two who press at once meet in one lobby
            over = await self.table(table)
            if over.stage != "over":
                raise IllegalMove("The game is not over yet.")
            if over.seat_of(user) is None:
                raise IllegalMove("You did not sit at this table. You can open one with /play.")
            follower = await self.store.rematch(table)
            if follower is None:
                lobby = await self.open(
                    over.game.key, over.guild, over.channel, user, name, over.options,
                    thread=over.thread, follows=table,
                )  # fmt: skip
                for seat in over.automata:
                    if seat.user is None:
                        lobby = await self.add_automaton(lobby.id, seat.skill or 0, user)
                return lobby
        found = await self.table(follower)
        return found if found.seat_of(user) is not None else await self.join(follower, user, name)

    async def join(self, table: int, user: int, name: str) -> Table:
        """Take a seat in the lobby."""
        async with self._doors, self._lock(table):
            found = await self._lobby(table)
            if found.seat_of(user) is not None:
                raise IllegalMove("You already sit at this table.")
            self._seat_free(found)
            await self._room_for(user)
            seat = Seat(len(found.seats), user, name, None, self.now())
            return await self._change_lobby(found, seats=(*found.seats, seat))

    async def leave(self, table: int, user: int) -> Table:
        """Give a seat up: in the lobby it is free again, at a live table an automaton stands in.

        The table ends when nobody is left.
        """
        async with self._lock(table):
            found = await self.table(table)
            seat = found.seat_of(user)
            if seat is None:
                raise IllegalMove("You do not sit at this table.")
            if found.stage == "live":
                return await self._stand_in(found, seat, skill=1)
            self._in_lobby(found)
            rest = [other for other in found.seats if other.seat != seat.seat]
            heir = next((other.user for other in rest if other.user is not None), None)
            if heir is None:
                return await self._end(found)
            opener = heir if found.opener == user else found.opener
            return await self._change_lobby(found, seats=_renumbered(rest), opener=opener)

    async def add_automaton(self, table: int, skill: int, by: int) -> Table:
        """Seat an automaton of skill 0 to 2."""
        async with self._lock(table):
            found = await self._lobby(table, by)
            self._seat_free(found)
            taken = set(found.names)
            name = next(
                name for number in range(1, len(taken) + 2) if (name := f"Automaton {number}") not in taken
            )
            seat = Seat(len(found.seats), None, name, skill, self.now())
            return await self._change_lobby(found, seats=(*found.seats, seat))

    async def remove_automaton(self, table: int, by: int, seat: int | None = None) -> Table:
        """Take an automaton, ``seat`` or the last one, away from the lobby."""
        async with self._lock(table):
            found = await self._lobby(table, by)
            chosen = [other.seat for other in found.automata if seat is None or other.seat == seat]
            if not chosen:
                raise IllegalMove("There is no automaton to take away.")
            rest = [other for other in found.seats if other.seat != chosen[-1]]
            return await self._change_lobby(found, seats=_renumbered(rest))

    async def set_options(self, table: int, options: Any, by: int) -> Table:
        """Choose the game's options in the lobby."""
        async with self._lock(table):
            found = await self._lobby(table, by)
            most = found.game.seats(options).stop - 1
            if len(found.seats) > most:
                raise IllegalMove(f"With these options there are at most {_count(most, 'seat')}.")
            return await self._change_lobby(found, options=found.game.options.dump(options))

    async def set_place(self, table: int, channel: int | None, thread: int | None = None) -> Table:
        """Say in which channel, or thread of it, the table is shown from now on."""
        async with self._lock(table):
            found = await self.table(table)
            await self._changed(found, "seats", channel=channel, thread=thread)
            return await self.table(table)

    async def start(self, table: int, by: int) -> Committed:
        """Deal. Whoever sits at the table may start it."""
        async with self._lock(table):
            found = await self._lobby(table, by)
            game, count = found.game, len(found.seats)
            possible = game.seats(found.options)
            if count < possible.start:
                raise IllegalMove(
                    f"{game.title} needs at least {_count(possible.start, 'player')}. Automata count as players."
                )
            if count not in possible:
                raise IllegalMove(f"{game.title} has no game for {_count(count, 'player')}.")
            seed = (await self._row(table)).seed
            known = await self._dictionary_for(found)
            moment = Moment(0, Chance(seed, 0, "play"), Words(self.lexicon, known))
            state = game.deal(count, found.options, moment)
            opened = self.now()
            due = _wall(game.due(state), opened)
            wake = opened if found.automata else None
            awaited = game.awaited(state)
            seats = [
                msgspec.structs.replace(seat, awaited=seat.seat in awaited, since=opened)
                for seat in found.seats
            ]
            if not await self.store.deal(
                table,
                revision=found.revision,
                version=game.version,
                state=game.states.dump(state),
                seats=seats,
                opened=opened,
                due=due,
                wake=wake,
                known=_words.encode(known),
                asked=_words.encode(moment.words.asked),
            ):
                raise Stale("The table has changed. Try again.")
            self._remember(table, 0, state)
            self._know(table, known)
            committed = Committed(table, "deal", game, 0, found.revision + 1, due, wake, state, by=by)
        self._tell(committed)
        return committed

    # Moves

    async def play(
        self, table: int, seat: int | None, move: Any, *,
        by: int | None = None, stamp: int | None = None, epoch: int | None = None,
        everyone: bool = False, revision: int | None = None, last: int | None = None,
    ) -> Committed:  # fmt: skip
        """Play a move and return it once it is stored.

        Args:
            table: the table's number.
            seat: who moves; None is the host (a vote of the people).
            move: a move of the game.
            by: the user who asked, who must hold the seat; None for automata and the host.
            stamp: when the move was made (wall clock, ms), by a message's snowflake; None is now.
            epoch: the epoch that the click carries, the seat's own.
            everyone: the epoch is everyone's: the click was on the board, which is one for all seats.
            revision: the table's revision for which the move was made, when it is for no other.
            last: the number of the newest move when the people agreed on this one.

        Raises:
            Stale: the epoch, the revision or the newest move is an older one.
            IllegalMove: the rules, or the state of the table, forbid it; nothing has changed.
            StoreError: nothing has been stored.
        """
        if move is None:
            raise ValueError("a move is wanted; silence is `expire`")
        async with self._lock(table):
            row = await self._caught_up(table, stamp)
            while True:
                game = self.games[row.game]
                state = await self._state(row)
                if by is not None:
                    _holds(row, seat, by)
                current = game.epoch(state, None if everyone else seat)
                known = epoch in (None, current) and revision in (None, row.revision)
                if not known or last not in (None, row.seq):
                    raise Stale("The table has moved on since then.")
                moment = await self._moment(row, self._table_time(row, stamp))
                committed = await self._commit(
                    row, seat, by, move, game.play(state, seat, move, moment), moment
                )
                if committed is not None:
                    return committed
                row = await self._live(table)

    async def expire(self, table: int) -> Committed | None:
        """Let the clock strike: play the default of silence if its time has come; None if it has not."""
        async with self._lock(table):
            row = await self.store.table(table)
            if row is None or row.stage != "live" or row.paused_at is not None:
                return None
            if row.due is None or row.due > self.now():
                return None
            return await self._expire(row)

    async def undo(
        self, table: int, seat: int, by: int | None = None, *, expected: int | None = None
    ) -> Committed:
        """Take a seat's last move back, where it revealed nothing and others' moves stand without it.

        It is a row of the log of its own. ``expected`` is the number of the move that is meant. Raises Stale when
        another is the seat's last one now, else IllegalMove.
        """
        async with self._lock(table):
            row = await self._caught_up(table, None)
            if by is not None:
                _holds(row, seat, by)
            moves = await self.store.log(table)
            own = [logged.seq for logged in _standing(moves) if logged.seat == seat]
            if expected is not None and expected not in own:
                raise Stale("That move has been taken back already.")
            if expected is not None and expected != own[-1]:
                raise Stale("You have moved since then. /table undo takes your last move back.")
            if not own:
                raise IllegalMove("You have made no move to take back.")
            (committed,) = await self._take_back(row, moves, [(seat, own[-1])], by)
            return committed

    async def revocable(self, table: int) -> int:
        """Return the earliest move number to which a live table can be taken back: all after it can be undone."""
        row = await self._live(table)
        earliest = row.seq
        for logged in reversed(await self.store.log(table)):
            if logged.undone is None and logged.undo == "never":
                break
            earliest = logged.seq - 1
        return earliest

    async def rewind(
        self, table: int, seq: int, by: int | None = None, *, last: int | None = None
    ) -> tuple[Committed, ...]:
        """Take back every move after move number ``seq``, the newest first; all or none.

        The agreement of the others is the caller's business; ``last`` is the newest move when they gave it. Raises
        Stale when another has been made since, else IllegalMove.
        """
        async with self._lock(table):
            row = await self._caught_up(table, None)
            if last not in (None, row.seq):
                raise Stale("The table has moved on since then.")
            moves = await self.store.log(table)
            later = [(logged.seat, logged.seq) for logged in reversed(_standing(moves)) if logged.seq > seq]
            if not later:
                raise IllegalMove("Nothing has been played since then.")
            return await self._take_back(row, moves, later, by)

    async def _take_back(
        self, row: Row, moves: Sequence[Logged], which: Sequence[tuple[int | None, int]], by: int | None
    ) -> tuple[Committed, ...]:
        """Commit an undo of each move of ``which``, (seat, number), in that order, if every one stands."""
        game, state = self.games[row.game], await self._state(row)
        moment = await self._moment(row, self._table_time(row, None))
        with _readable(row.id):
            told = await self._exported(row, moves)
        undoing = tuple(LogEntry(seat=seat, undo=seq, at=moment.now) for seat, seq in which)
        told = msgspec.structs.replace(told, moves=(*told.moves, *undoing))
        with _readable(row.id):
            steps = list(replayed(game, told, self.lexicon))
        before, undone = steps[: -len(which)], steps[-len(which) :]
        refused = next((step.refused for step in undone if step.refused is not None), None)
        if refused is not None:
            raise IllegalMove(refused)
        if not before or before[-1].state != state:
            raise IllegalMove("That move was made under older rules, so it stays.")
        done = []
        for (seat, seq), step in zip(which, undone, strict=True):
            asked = await self._moment(row, moment.now)
            asked.words.asked.update(step.words)
            turn: Turn[Any, Any] = Turn(step.state, (), "never")
            committed = await self._commit(row, seat, by, None, turn, asked, undone=seq)
            if committed is None:
                raise Stale("The table has moved on since then.")
            done.append(committed)
            row = await self._row(row.id)
        return tuple(done)

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
        return (await self.ask(table, seat))[0]

    async def ask(self, table: int, seat: int | None) -> tuple[Look, Moment]:
        """Return a look and the moment in which to ask an automaton at that seat for its plan."""
        async with self._lock(table):
            row = await self._row(table)
            state = await self._state(row)
        game = self.games[row.game]
        look = Look(
            table=await self._table(row),
            seat=seat,
            view=game.seen_by(state, seat),
            epoch=game.epoch(state, seat),
            awaited=game.awaited(state),
            played_out=game.result(state) is not None,
        )
        chance = Chance(row.seed, row.seq, f"choose/{seat}")
        words = Words(self.lexicon, await self.known(table))
        return look, Moment(self._table_time(row, None), chance, words)

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
        with _readable(table):
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
        with _readable(table):
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

    # Drafts

    async def drafts(self, table: int, seat: int) -> dict[str, bytes]:
        """Return what a seat has prepared, by kind; dropped at the seat's next move."""
        return await self.store.drafts(table, seat)

    async def set_draft(self, table: int, seat: int, kind: str, body: bytes | None) -> None:
        """Keep what a seat prepares; None drops it."""
        await self.store.set_draft(table, seat, kind, body)

    # People come, go, pause and vote

    async def replace(self, table: int, seat: int, skill: int = 1) -> Table:
        """Let an automaton play a seat from now on; the person keeps the seat and may come back.

        The table ends when that was the last person.
        """
        async with self._lock(table):
            found = await self._begun(table)
            if seat not in range(len(found.seats)):
                raise IllegalMove("There is no such seat.")
            return await self._stand_in(found, found.seats[seat], skill)

    async def come_back(self, table: int, user: int) -> Table:
        """Give a person the seat back that an automaton has played."""
        async with self._lock(table):
            found = await self._begun(table)
            seat = found.seat_of(user)
            if seat is None:
                raise IllegalMove("You do not sit at this table.")
            if seat.person:
                raise IllegalMove("You play this seat yourself already.")
            return await self._reseat(found, msgspec.structs.replace(seat, skill=None))

    async def pause(
        self, table: int, by: int | None = None, *, at: int | None = None, revision: int | None = None
    ) -> Table:
        """Stop the table's time, ``at`` (wall clock, ms) or now.

        ``revision``: the table's revision that is meant, when it is no other; Stale is raised for another.
        """
        async with self._lock(table):
            found = await self._begun(table, by)
            _check_revision(found, revision)
            if found.paused_at is not None:
                raise IllegalMove("The table is paused already.")
            await self._changed(found, "pause", paused_at=self.now() if at is None else at)
            return await self.table(table)

    async def resume(self, table: int, by: int | None = None) -> Table:
        """Let the table's time go on from where it stopped."""
        async with self._lock(table):
            found = await self._begun(table, by)
            if found.paused_at is None:
                raise IllegalMove("The table is not paused.")
            row = await self._row(table)
            if by is not None and await self._cut_off(row):
                raise IllegalMove(CUT_OFF)
            lost = max(0, self.now() - found.paused_at)
            await self._changed(
                found,
                "pause",
                paused_at=None,
                seats=tuple(msgspec.structs.replace(seat, since=seat.since + lost) for seat in row.seats),
                acted=self.now(),
                lost=row.lost + lost,
                due=_later(row.due, lost),
                wake=_later(row.wake, lost),
            )
            return await self.table(table)

    async def halt(self, guild: int, at: int) -> None:
        """Let a server's tables stand still from ``at`` (wall clock, ms); those that do so already are left alone."""
        for table in await self.live_tables(guild):
            if table.stage == "live" and table.paused_at is None:
                with contextlib.suppress(IllegalMove):  # it was paused, or has ended, this very moment
                    await self.pause(table.id, at=at)

    async def go_on(self, guild: int, at: int) -> None:
        """Let a server's tables go on that stand still since ``at`` (wall clock, ms)."""
        for table in await self.live_tables(guild):
            if table.paused_at == at:
                try:
                    await self.resume(table.id)
                except IllegalMove as refusal:  # somebody was quicker
                    log.info("not_resumed", table=table.id, reason=str(refusal))

    async def vote(
        self, table: int, purpose: str, seat: int, yes: bool, *, without: frozenset[int] = frozenset()
    ) -> Tally:
        """Record a person's answer and return how all stand; what follows is the caller's.

        ``purpose`` names the question and what it is about, such as ``attest/12`` or ``replace/2``, so that an
        old answer never counts for a new question. ``without``: seats that have no vote.
        """
        async with self._lock(table):
            found = await self.table(table)
            return await self._vote(found, purpose, seat, yes, without)

    async def tally(self, table: int, purpose: str, *, without: frozenset[int] = frozenset()) -> Tally:
        """Return how the people stand to a question."""
        found = await self.table(table)
        return await self._tally(found, purpose, without)

    async def close_vote(self, table: int, purpose: str) -> None:
        """Forget a question."""
        await self.store.close_vote(table, purpose)

    async def end(
        self, table: int, by: int | None = None, *, alone: bool = False, revision: int | None = None
    ) -> Tally:
        """End a table before its time.

        ``by`` None is the host (a moderator, a fault): at once and without a result. The opener ends a lobby at
        once; a live table ends when all people there have asked for it, and this records that ``by`` has, or, when
        the server lets ``by`` decide ``alone``, at once. What it then amounts to is the game's ruling
        (``Game.forfeit``). ``revision``: the table's revision that is meant, when it is no other; Stale is raised
        for another.
        """
        async with self._lock(table):
            found = await self.table(table)
            if found.stage == "over":
                raise IllegalMove("The table is over.")
            _check_revision(found, revision)
            if by is None:
                await self._end(found)
                return Tally("end", (), (), ())
            seat = found.seat_of(by)
            if seat is None:
                raise IllegalMove("You do not sit at this table.")
            if found.stage == "lobby":
                if found.opener != by:
                    raise IllegalMove("Only who opened the table can close it. You can leave it.")
                await self._end(found)
                return Tally("end", (seat.seat,), (), ())
            tally = await self._vote(found, "end", seat.seat, True, frozenset())
            if tally.carried or alone:
                records = await self._left_behind(table)
                await self._end(await self.table(table), await self.forfeit(table), records)
            return tally

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
        )

    def _table_time(self, row: Row, stamp: int | None) -> int:
        """Return the table time of a wall clock time (None: now), never before the last move's."""
        until = row.paused_at if row.paused_at is not None else (self.now() if stamp is None else stamp)
        return max(row.at, until - row.opened - row.lost)

    async def _full(self, guild: int) -> bool:
        """Whether a server has as many tables as it may; private ones are its players' own affair."""
        return len(await self.store.live_tables(guild, placed=True)) >= self._tables_a_guild

    async def _dictionary_for(self, found: Table) -> Mapping[str, bool]:
        """Return how the server has changed the lexicon for a table that is about to be dealt.

        A game may say of some tables that only the shipped lexicon counts there (``standard_words``).
        """
        if found.guild is None or found.game.standard_words(found.options, len(found.seats)):
            return {}
        return await self._dictionary(found.guild)

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

    async def _caught_up(self, table: int, stamp: int | None) -> Row:
        """Return a live table at which every silence that was to end by then has ended."""
        for _ in range(EXPIRIES):
            row = await self._live(table)
            if row.due is None or row.opened + row.lost + self._table_time(row, stamp) < row.due:
                return row
            await self._expire(row)
        raise RuntimeError(f"table {table}: its silences never end")

    async def _expire(self, row: Row) -> Committed:
        while True:
            game = self.games[row.game]
            state = await self._state(row)
            moment = await self._moment(row, self._table_time(row, None))
            committed = await self._commit(row, None, None, None, game.expire(state, moment), moment)
            if committed is not None:
                return committed
            row = await self._live(row.id)

    async def _commit(
        self, row: Row, seat: int | None, by: int | None, move: Any, turn: Turn[Any, Any], moment: Moment,
        *, undone: int | None = None,
    ) -> Committed | None:  # fmt: skip
        """Store what a move has led to; None when another one was stored first."""
        game, state = self.games[row.game], turn.state
        result = game.result(state)
        now = self.now()
        over = result is not None
        due = None if over else _wall(game.due(state), row.opened + row.lost)
        wake = now if not over and any(not other.person for other in row.seats) else None
        logged = Logged(
            seq=row.seq + 1,
            seat=seat,
            user=by,
            at=moment.now,
            move=None if move is None else game.moves.dump(move),
            events=game.events.dump(turn.events),
            words=_words.encode(moment.words.asked),
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
                result=_words.encode(result) if over else None,
                acted=by is not None,
                records=_records(game, state) if over else (),
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

    async def _lobby(self, table: int, by: int | None = None) -> Table:
        found = await self.table(table)
        self._in_lobby(found)
        if by is not None and found.seat_of(by) is None:
            raise IllegalMove("Take a seat at this table first.")
        return found

    def _in_lobby(self, found: Table) -> None:
        if found.stage == "live":
            raise IllegalMove("The game has begun.")
        if found.stage == "over":
            raise IllegalMove("The table is over.")

    async def _begun(self, table: int, by: int | None = None) -> Table:
        found = await self.table(table)
        if found.stage == "lobby":
            raise IllegalMove("The game has not begun.")
        if found.stage == "over":
            raise IllegalMove("The game is over.")
        if by is not None and found.seat_of(by) is None:
            raise IllegalMove("You do not sit at this table.")
        return found

    async def _change_lobby(
        self, found: Table, *, seats: tuple[Seat, ...] | None = None, **columns: Any
    ) -> Table:
        await self._changed(found, "lobby", seats=seats, **columns)
        return await self.table(found.id)

    def _seat_free(self, found: Table) -> None:
        most = found.game.seats(found.options).stop - 1
        if len(found.seats) >= most:
            raise IllegalMove(f"All {_count(most, 'seat')} are taken." if most > 1 else "The seat is taken.")

    async def _room_for(self, user: int) -> None:
        if len(await self.store.tables_of(user)) >= self._tables_a_user:
            raise IllegalMove(f"You already sit at {_count(self._tables_a_user, 'table')}. Leave one first.")

    async def _stand_in(self, found: Table, seat: Seat, skill: int) -> Table:
        if not seat.person:
            raise IllegalMove("An automaton plays this seat already.")
        if len(found.persons) == 1:
            return await self._end(found, records=await self._left_behind(found.id))
        return await self._reseat(found, msgspec.structs.replace(seat, skill=skill))

    async def _reseat(self, found: Table, seat: Seat) -> Table:
        seats = tuple(seat if other.seat == seat.seat else other for other in found.seats)
        automata = any(not other.person for other in seats)
        await self._changed(found, "seats", seats=seats, wake=self.now() if automata else None)
        return await self.table(found.id)

    async def forfeit(self, table: int) -> Result | None:
        """Return what it amounts to when its people end a live table now; None leaves no record."""
        row = await self._row(table)
        return self.games[row.game].forfeit(await self._state(row))

    async def counts(self, table: int) -> bool:
        """Whether a live table leaves something for the lists of the best when its people end it now."""
        return bool(await self._left_behind(table))

    async def _left_behind(self, table: int) -> tuple[Record, ...]:
        row = await self._row(table)
        return _records(self.games[row.game], await self._state(row))

    async def _end(self, found: Table, result: Result | None = None, records: Sequence[Record] = ()) -> Table:
        raw = None if result is None else _words.encode(result)
        await self._changed(found, "end", records=records, stage="over", ended=self.now(), result=raw)
        return await self.table(found.id)

    async def _vote(self, found: Table, purpose: str, seat: int, yes: bool, without: frozenset[int]) -> Tally:
        if seat in without or seat not in {other.seat for other in found.persons}:
            raise IllegalMove("You have no vote in this.")
        await self.store.vote(found.id, purpose, seat, yes)
        await self._changed(found, "vote")
        return await self._tally(found, purpose, without)

    async def _tally(self, found: Table, purpose: str, without: frozenset[int]) -> Tally:
        given = (await self.store.votes(found.id)).get(purpose, {})
        voters = [seat.seat for seat in found.persons if seat.seat not in without]
        return Tally(
            purpose=purpose,
            yes=tuple(seat for seat in voters if given.get(seat) is True),
            no=tuple(seat for seat in voters if given.get(seat) is False),
            missing=tuple(seat for seat in voters if seat not in given),
        )


def _check_revision(found: Table, revision: int | None) -> None:
    """Raise Stale when a table has changed since it had this revision."""
    if revision not in (None, found.revision):
        raise Stale("The table has changed. Try again.")


def _holds(row: Row, seat: int | None, user: int) -> None:
    """Raise IllegalMove unless the user plays that seat."""
    for other in row.seats:
        if other.seat == seat and other.user == user:
            if not other.person:
                raise IllegalMove("An automaton plays for you. Take your seat back with /table return first.")
            return
    raise IllegalMove("That is not your seat.")


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


async def _unchanged(guild: int) -> Mapping[str, bool]:
    return {}


async def _unreported(table: int, error: Exception) -> str:
    log.error("table_damaged", table=table, error=repr(error))
    return secrets.token_hex(4)


def _records(game: AnyGame, state: Any) -> tuple[Record, ...]:
    """Return what a game that is over, or ended now by its people, leaves for the lists of the best, if anything."""
    return tuple(
        Record(record.seat, record.course, record.score, record.turns, _words.encode(record.detail))
        for record in game.records(state)
    )


@contextlib.contextmanager
def _readable(table: int) -> Iterator[None]:
    """Turn a log that cannot be read into a sentence."""
    try:
        yield
    except (msgspec.DecodeError, BadLog) as error:
        log.warning("log_unreadable", table=table, error=str(error))
        raise Unreadable from error


def _standing(moves: Sequence[Logged]) -> list[Logged]:
    """Return the moves that have not been taken back."""
    taken = {logged.undone for logged in moves}
    return [logged for logged in moves if logged.undone is None and logged.seq not in taken]


def _renumbered(seats: list[Seat]) -> tuple[Seat, ...]:
    return tuple(msgspec.structs.replace(seat, seat=number) for number, seat in enumerate(seats))


def _wall(at: int | None, origin: int) -> int | None:
    return None if at is None else at + origin


def _later(time: int | None, by: int) -> int | None:
    return None if time is None else time + by


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
