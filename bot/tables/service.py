"""The tables: who sits where, whose click counts, and every move from the click to the commit.

Whatever changes a table goes through here, under that table's lock, and is in the database before the caller hears
of it (``bot/tables/ledger.py``).

Rulings of ours: a silence whose end has come takes effect before a later move; a move that was made in time
(``stamp``) counts even when it arrives late, as long as the clock has not struck. When the last person leaves a
live table, its people have ended it. A person whom an automaton stands in for keeps the seat and may come back.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec
import structlog

from bot.games.chance import Chance
from bot.games.game import IllegalMove, Lexicon, Moment, Result, Turn, Words
from bot.games.log import Entry as LogEntry
from bot.games.log import replayed
from bot.store.rows import Achieved, Logged, Row, Seat
from bot.store.store import Store
from bot.tables.ledger import CUT_OFF, Ledger, encoded, readable, records_of, wall_time
from bot.tables.table import AnyGame, Committed, Full, Stale, Table, Tally
from bot.tables.wording import counted

log = structlog.get_logger(__name__)

EXPIRIES = 100  # in a row at one table; a game whose silences never end is broken


class Service(Ledger):
    """All tables of a bot, and what people, automata and the clock do at them.

    Args:
        store, games, lexicon, now, committed, damaged: see ``Ledger``.
        tables_a_guild: how many tables, in lobby or live, a server may have.
        tables_a_user: at how many a user may sit.
        dictionary: how a server has changed the lexicon (word: whether it is legal there); asked at each deal.
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
        super().__init__(store, games, lexicon, now, committed, damaged)
        self._tables_a_guild = tables_a_guild
        self._tables_a_user = tables_a_user
        self._doors = asyncio.Lock()  # who opens or joins is counted first
        self._rematching = asyncio.Lock()
        self._dictionary = dictionary or _unchanged

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
                raise Full(
                    f"This server already has {counted(self._tables_a_guild, 'table')}. End one first.", guild
                )
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
                    if seat.user is None and not seat.nameless:
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

        The table ends when nobody is left; a live one then as if its people had ended it (``end``).
        """
        async with self._lock(table):
            found = await self.table(table)
            seat = found.seat_of(user)
            if seat is None:
                raise IllegalMove("You do not sit at this table.")
            if found.stage == "live" and found.persons == (seat,):
                return await self._give_up(found)
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

    async def set_options(self, table: int, change: Callable[[Any], Any], by: int) -> Table:
        """Choose some of the game's options in the lobby: ``change`` makes them from those that hold now."""
        async with self._lock(table):
            found = await self._lobby(table, by)
            options = change(found.options)
            most = found.game.seats(options).stop - 1
            if len(found.seats) > most:
                raise IllegalMove(f"With these options there are at most {counted(most, 'seat')}.")
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
                    f"{game.title} needs at least {counted(possible.start, 'player')}. Automata count as players."
                )
            if count not in possible:
                raise IllegalMove(f"{game.title} has no game for {counted(count, 'player')}.")
            seed = (await self._row(table)).seed
            known = await self._dictionary_for(found)
            moment = Moment(0, Chance(seed, 0, "play"), Words(self.lexicon, known))
            state = game.deal(count, found.options, moment)
            opened = self.now()
            due = wall_time(game.due(state), opened)
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
                known=encoded(known),
                asked=encoded(moment.words.asked),
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
        with readable(row.id):
            told = await self._exported(row, moves)
        undoing = tuple(LogEntry(seat=seat, undo=seq, at=moment.now) for seat, seq in which)
        told = msgspec.structs.replace(told, moves=(*told.moves, *undoing))
        with readable(row.id):
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
        """Achieved a person's answer and return how all stand; what follows is the caller's.

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
                await self._give_up(await self.table(table))
            return tally

    # Inside, under the table's lock

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
            raise IllegalMove(f"All {counted(most, 'seat')} are taken." if most > 1 else "The seat is taken.")

    async def _room_for(self, user: int) -> None:
        if len(await self.store.tables_of(user)) >= self._tables_a_user:
            raise Full(f"You already sit at {counted(self._tables_a_user, 'table')}. Leave one first.")

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

    async def _left_behind(self, table: int) -> tuple[Achieved, ...]:
        row = await self._row(table)
        return records_of(self.games[row.game], await self._state(row))

    async def _give_up(self, found: Table) -> Table:
        """End a live table by the will of its people."""
        return await self._end(found, await self.forfeit(found.id), await self._left_behind(found.id))

    async def _end(
        self, found: Table, result: Result | None = None, records: Sequence[Achieved] = ()
    ) -> Table:
        raw = None if result is None else encoded(result)
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


async def _unchanged(guild: int) -> Mapping[str, bool]:
    return {}


def _standing(moves: Sequence[Logged]) -> list[Logged]:
    """Return the moves that have not been taken back."""
    taken = {logged.undone for logged in moves}
    return [logged for logged in moves if logged.undone is None and logged.seq not in taken]


def _renumbered(seats: list[Seat]) -> tuple[Seat, ...]:
    return tuple(msgspec.structs.replace(seat, seat=number) for number, seat in enumerate(seats))


def _later(time: int | None, by: int) -> int | None:
    return None if time is None else time + by
