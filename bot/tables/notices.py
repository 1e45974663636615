"""Tells people that a table waits for them: seldom, once each, only them, and takes it back when it is no longer true.

Each pace has its patience (``patience.py``). Time counts from when the seat began to be awaited, or from its own
last move if that is later; downtime and pauses do not count, and a table that goes on after a pause starts afresh.

A notice is one message in the table's place that mentions those whom it calls and nobody else. It is noted in the
database before it is sent: a crash in between loses it and never doubles it. One that the place has refused was told to
nobody, so it is tried again when the place may take it. The next one takes its place, and when its people have acted it
is deleted.

Rulings of ours. Where a clock will end the wait at a live table, as in a race, nobody is called: the table goes on by
itself, and who thinks is left to think. Who has just pressed Start is not called for the first turn. Somebody alone
with automata is left in peace, but at a slow table reminded once. Who has been awaited for half the time joins another's
call, so that one message does for both. Nobody is asked about a sleeper while everybody sleeps. A game that has a move
for sitting out will offer that instead of an automaton (the door: ``_ask``).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Collection, Iterable, Mapping, Sequence
from weakref import WeakValueDictionary

import msgspec
import structlog

from bot.games.game import IllegalMove
from bot.store.database import StoreError
from bot.store.rows import Message, Seat
from bot.tables.boards import shown_of
from bot.tables.face import Face, Panel
from bot.tables.layout import escaped
from bot.tables.patience import ASKED, CALLED, LIVE, NUDGED, SLOW, Patience, Told, Waited
from bot.tables.places import message_url
from bot.tables.service import Service
from bot.tables.table import Committed, Table
from bot.tables.voice import Refused, Voice
from bot.tables.votes import Replace, replace_panel
from bot.tables.wording import listed

NOTICE = "notice"  # the audience of the message
QUESTION = "replace/"  # of the question about a seat
ALWAYS = 2**62  # a notice shows no revision, so it never lags behind one
QUIET = 3_600_000  # ms; a table at which nothing comes due is looked at again by then
RECENT = 64  # moves that are searched for a seat's last one
UNTOLD = 1_024  # people whose place has refused to tell them that they are waited for
STARTED = 1_024  # tables of which it is remembered who started them
LONGEST_ERRAND = 300  # characters
NUDGES = "nudges"  # the fact that holds when tables were last nudged by hand

log = structlog.get_logger()


_told = msgspec.json.Decoder(tuple[Told, ...])
_nudges = msgspec.json.Decoder(dict[int, int])


class Notices:
    """The notices of all tables.

    Args:
        faces: asked what a table waits for, by its board.
        live, slow: the patience of each pace.
    """

    def __init__(
        self, service: Service, faces: Mapping[str, Face], voice: Voice,
        *, live: Patience = LIVE, slow: Patience = SLOW,
    ) -> None:  # fmt: skip
        self.service = service
        self.store = service.store
        self.faces = faces
        self.voice = voice
        self.live = live
        self.slow = slow
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._nudging = asyncio.Lock()
        self._stirred: set[int] = set()  # tables at which something has happened since they were looked at
        # By table and seat: origin and stage of what is noted as told, but was refused by the place.
        self._untold: OrderedDict[tuple[int, int], tuple[int, int]] = OrderedDict()
        self._quiet: dict[int, int] = {}  # until when (ms) nothing comes due, if nothing happens
        self._resumed: dict[int, int] = {}  # when (ms) tables went on after a pause
        self._starters: OrderedDict[int, int | None] = OrderedDict()  # who pressed Start, of late
        service.listen(self._heard)

    async def go_round(self) -> None:
        """Take back the notices that are no longer true, then call whom tables wait for. Raises StoreError."""
        for table in tuple(self._stirred):
            self._stirred.discard(table)
            await self._guarded(table, self._tidy(table))
        now = self.service.now()
        waiting: dict[int, dict[int, int]] = {}
        for awaited in await self.store.waiting(now - min(self.live.called, self.slow.called)):
            waiting.setdefault(awaited.table, {})[awaited.seat] = awaited.stage
        self._quiet = {table: until for table, until in self._quiet.items() if table in waiting}
        self._resumed = {table: at for table, at in self._resumed.items() if at + self.slow.asked > now}
        for table, noted in waiting.items():
            if self._quiet.get(table, 0) <= now:
                await self._guarded(table, self._attend(table, noted))

    async def nudge(self, table: Table, by: int) -> str:
        """Ping everybody for whom a table waits, but for ``by`` (a user there); returns what to answer them.

        Raises IllegalMove when there is nobody to nudge, or when it is too soon after the last time.
        """
        async with self._lock(table.id):
            found = await self.service.table(table.id)
            nudger = found.seat_of(by)
            if nudger is None:
                raise IllegalMove("You do not sit at this table.")
            whom = [waited for waited in await self._waited(found, {}) if waited.user != by]
            self._check_nudge(found, nudger, whom)
            name = escaped(nudger.name)
            text = f"{_mentions(whom)}: {name} asks you to go on. {await self._errand(found)}"
            before = await self._spend_nudge(found)
            if not await self._post(found, {waited: max(waited.noted, CALLED) for waited in whom}, text):
                await self._set_nudged(found, before)
                raise IllegalMove("I could not write in the table's channel, so nobody was nudged.")
            names = listed([escaped(waited.seat.name) for waited in whom])
            return f"{names} {'has' if len(whom) == 1 else 'have'} been nudged."

    # Nudges by hand

    def _check_nudge(self, found: Table, nudger: Seat, whom: Sequence[Waited]) -> None:
        if found.stage == "lobby":
            raise IllegalMove("The game has not begun.")
        if found.stage == "over":
            raise IllegalMove("The game is over.")
        if not nudger.person:
            raise IllegalMove("An automaton plays for you. Take your seat back with /table return first.")
        if found.paused_at is not None:
            raise IllegalMove("The table is paused, so nobody has to move. Go on with /table resume.")
        if not whom and nudger.awaited:
            raise IllegalMove("The table waits for nobody but you.")
        if not whom:
            raise IllegalMove("The table waits for no person just now.")
        if not self.voice.reaches(found):
            raise IllegalMove("I cannot write in the table's channel at present, so I can nudge nobody.")

    async def _spend_nudge(self, found: Table) -> int | None:
        """Note that a table is nudged now; returns when it was last. Raises IllegalMove when that is too soon."""
        between = self._patience(found).between
        async with self._nudging:
            now = self.service.now()
            last = (await self._nudged()).get(found.id)
            again = 0 if last is None else last + between
            if again > now:
                raise IllegalMove(
                    f"Somebody has just nudged this table. It can be nudged again <t:{-(-again // 1000)}:R>."
                )
        await self._set_nudged(found, now)
        return last

    async def _set_nudged(self, found: Table, at: int | None) -> None:
        """Note when a table was last nudged by hand, and forget what no longer matters."""
        longest = max(self.live.between, self.slow.between)
        async with self._nudging:
            kept = {table: time for table, time in (await self._nudged()).items() if table != found.id}
            if at is not None:
                kept[found.id] = at
            now = self.service.now()
            kept = {table: time for table, time in kept.items() if time + longest > now}
            await self.store.set_fact(NUDGES, msgspec.json.encode(kept).decode())

    async def _nudged(self) -> dict[int, int]:
        """Return when tables were last nudged by hand; a damaged fact is begun anew."""
        raw = await self.store.fact(NUDGES)
        try:
            return {} if raw is None else _nudges.decode(raw)
        except Exception as error:
            log.error("nudges_damaged", error=str(error))
            return {}

    # Whom a table waits for

    async def _waited(self, found: Table, noted: Mapping[int, int]) -> list[Waited]:
        """Return the people for whom a table waits; ``noted``: the stages that the store knows of."""
        if found.stage != "live" or found.paused_at is not None:
            return []
        notice = (await self.store.messages(found.id)).get(NOTICE)
        told = {one.seat: one for one in _told_by(notice)}
        acted = await self._acted(found)
        waited = []
        for seat in found.persons:
            if not seat.awaited or seat.user is None or seat.forgotten:
                continue
            origin = seat.since - found.wall(0)
            last = told.get(seat.seat)
            if last is not None and last.origin != origin:
                last = None
            counts = max(seat.since, found.wall(acted.get(seat.seat, 0)), self._resumed.get(found.id, 0))
            # A time in which nothing was heard shifts ``since``, and then the store knows the call no more.
            stage = max(noted.get(seat.seat, 0), 0 if last is None else last.stage)
            if self._untold.get((found.id, seat.seat)) == (origin, stage):
                stage -= 1
            waited.append(Waited(seat, origin, counts, stage, None if last is None else found.wall(last.at)))
        return waited

    async def _acted(self, found: Table) -> dict[int, int]:
        """Return the table time of each seat's last move by a person, of those that made one lately."""
        moves = await self.store.log(found.id, max(0, found.seq - RECENT))
        return {move.seat: move.at for move in moves if move.seat is not None and move.user is not None}

    def _patience(self, found: Table) -> Patience:
        return self.slow if getattr(found.options, "pace", "live") == "slow" else self.live

    def _due(self, found: Table, waited: Waited, now: int) -> int:
        """Return the stage that has come due for a person, at most one that fits how they sit there; 0 for none."""
        patience = self._patience(found)
        if patience is self.live and found.due is not None:
            return 0
        stage = max((one for one in (CALLED, NUDGED, ASKED) if waited.comes(one, patience) <= now), default=0)
        alone = len(found.persons) == 1
        if alone:
            return NUDGED if stage >= NUDGED and patience is self.slow else 0
        if stage == ASKED and waited.noted == 0:
            return NUDGED  # they may never have heard of it
        return 0 if stage == CALLED and self._spared(found, waited) else stage

    def _spared(self, found: Table, waited: Waited) -> bool:
        """Whether it is the first turn of who pressed Start; after a restart the opener is taken for that."""
        return waited.origin == 0 and waited.user == self._starters.get(found.id, found.opener)

    # Calling, nudging, asking

    async def _attend(self, table: int, noted: Mapping[int, int]) -> None:
        """Tell the people at a table what has come due."""
        async with self._lock(table):
            found = await self.service.table(table)
            if not self.voice.reaches(found) or "board" not in await self.store.messages(table):
                return
            now = self.service.now()
            waited = await self._waited(found, noted)
            due = {one: stage for one in waited if (stage := self._due(found, one, now)) > one.noted}
            sleepers = [one for one, stage in due.items() if stage == ASKED]
            asleep = {one.user for one in waited if self._due(found, one, now) == ASKED}
            awake = [
                seat.user
                for seat in found.persons
                if seat.user is not None and not seat.forgotten and seat.user not in asleep
            ]
            if not awake:
                due.update(dict.fromkeys(sleepers, NUDGED))
            calls = {one: stage for one, stage in due.items() if one.noted < stage < ASKED}
            if not calls and (not sleepers or not awake):
                self._quiet[table] = self._next(found, waited, now)
                return
            if calls:
                await self._call(found, calls, waited, now)
            if awake:
                for sleeper in sleepers:
                    await self._ask(found, sleeper, awake)

    def _next(self, found: Table, waited: Iterable[Waited], now: int) -> int:
        """Return when (wall clock, ms) a table is to be looked at again if nothing happens there."""
        patience = self._patience(found)
        times = [one.comes(stage, patience) for one in waited for stage in (CALLED, NUDGED, ASKED)]
        return min((at for at in times if at > now), default=now + QUIET)

    async def _call(self, found: Table, calls: dict[Waited, int], waited: Sequence[Waited], now: int) -> None:
        """Call or nudge, in one message, those for whom it has come due and those for whom it soon would."""
        patience = self._patience(found)
        stage = max(calls.values())
        if stage == CALLED:
            for one in waited:
                long = (now - one.since) * 2 >= patience.called
                if long and one.noted == 0 and not self._spared(found, one):
                    calls.setdefault(one, CALLED)
        errand = await self._errand(found)  # whatever fails here fails before it is noted
        fresh: set[int] = set()
        for step in set(calls.values()):
            seats = [one.seat.seat for one, reached in calls.items() if reached == step]
            fresh.update(await self.store.call(found.id, seats, step))
        fresh.update(one.seat.seat for one, reached in calls.items() if self._is_untold(found, one, reached))
        calls = {one: calls[one] for one in waited if one in calls and one.seat.seat in fresh}
        if not calls:
            return
        whom = _mentions(calls)
        if stage == CALLED:
            text = f"{whom}: {found.game.title} waits for you. {errand}"
        elif len(found.persons) == 1:
            text = f"{whom}: your game waits for you whenever you like. {errand}"
        else:
            called = {one.user for one in calls}
            others = any(seat.user not in called for seat in found.persons if not seat.forgotten)
            waits = "the others still wait for you" if others else "the table still waits for all of you"
            text = (
                f"{whom}: {waits}. {errand}\n"
                "-# If you cannot go on, `/table leave` lets an automaton play for you; you can come back."
            )
        await self._post(found, calls, text)

    async def _post(self, found: Table, whom: Mapping[Waited, int], text: str) -> bool:
        """Post a notice in place of the last one; ``whom`` it calls, and the stage that each has then reached."""
        old = (await self.store.messages(found.id)).get(NOTICE)
        if old is not None and old.message:
            await self.voice.unsay(old.channel, old.message)
        at = self.service.now() - found.wall(0)
        told = {one.seat: one for one in _told_by(old)}
        told |= {one.seat.seat: Told(one.seat.seat, one.origin, stage, at) for one, stage in whom.items()}
        return await self._send(found, NOTICE, tuple(told.values()), text, [one.user for one in whom])

    async def _ask(self, found: Table, sleeper: Waited, awake: Sequence[int]) -> None:
        """Ask those who are awake whether an automaton shall play for a sleeper, unless that is asked already."""
        asked = Replace(sleeper.seat.seat)
        fresh = await self.store.call(found.id, [sleeper.seat.seat], ASKED)
        if not fresh and not self._is_untold(found, sleeper, ASKED):
            return
        if asked.purpose in await self.store.votes(found.id):
            return
        name = escaped(sleeper.seat.name)
        text = (
            f"{listed([f'<@{user}>' for user in awake])}: the table has waited for {name} since"
            f" <t:{sleeper.since // 1000}:R>. An automaton can play on; {name} may take the seat back at any time."
            " It takes everyone's agreement. If you would rather wait, do nothing or disagree."
        )
        panel = replace_panel(found, sleeper.seat.seat, text)
        at = self.service.now() - found.wall(0)
        told = Told(sleeper.seat.seat, sleeper.origin, ASKED, at)
        await self._silence(found)
        await self._send(found, f"{QUESTION}{sleeper.seat.seat}", (told,), panel, awake)

    def _is_untold(self, found: Table, one: Waited, stage: int) -> bool:
        """Whether a stage is noted of a person, but the place has refused to tell it."""
        return self._untold.get((found.id, one.seat.seat)) == (one.origin, stage)

    async def _silence(self, found: Table) -> None:
        """Delete a table's notice, but keep in mind whom it has called."""
        notice = (await self.store.messages(found.id)).get(NOTICE)
        if notice is not None and notice.message and await self.voice.unsay(notice.channel, notice.message):
            await self.store.set_message(found.id, msgspec.structs.replace(notice, message=0))

    async def _send(
        self, found: Table, audience: str, told: tuple[Told, ...], what: str | Panel, users: Collection[int]
    ) -> bool:
        """Note what is about to be told, tell it, and note by which message. Whether it was told."""
        place = found.place
        assert place is not None
        before = (await self.store.messages(found.id)).get(audience)
        now = self.service.now()
        digest = msgspec.json.encode(told).decode()
        row = Message(audience, place, 0, ALWAYS, now, digest)
        await self.store.set_message(found.id, row)
        nonce = hashlib.blake2b(f"{found.id}/{audience}/{digest}".encode(), digest_size=12).hexdigest()
        try:
            said = await self.voice.say(found, what, users, nonce)
        except Refused:
            await self._unsent(found, audience, before, told)
            return False
        for one in told:
            self._untold.pop((found.id, one.seat), None)
        if said is None:
            return False
        log.info("notice", table=found.id, audience=audience, people=len(users))
        await self.store.set_message(found.id, msgspec.structs.replace(row, message=said))
        return True

    async def _unsent(
        self, found: Table, audience: str, before: Message | None, told: Iterable[Told]
    ) -> None:
        """Take back the note of what the place has refused: what was told is what was told ``before``."""
        known = {one.seat: one for one in _told_by(before)}
        for one in told:
            if known.get(one.seat) != one:
                self._untold[found.id, one.seat] = (one.origin, one.stage)
                if len(self._untold) > UNTOLD:
                    self._untold.popitem(last=False)
        if before is None:
            await self.store.drop_message(found.id, audience)
        else:  # the message itself was deleted to make room
            await self.store.set_message(found.id, msgspec.structs.replace(before, message=0))

    async def _errand(self, found: Table) -> str:
        """Return what the table waits for, as its board says it, with a link to the board."""
        look = await self.service.look(found.id, None)
        notes = self.faces[found.game.key].board(look.view, shown_of(look.table), ()).notes
        said = " ".join(line for line in notes.splitlines() if line and not line.startswith("-#"))
        if len(said) > LONGEST_ERRAND:
            said = said[: LONGEST_ERRAND - 1] + "…"
        board = (await self.store.messages(found.id)).get("board")
        if board is None:
            return said
        url = message_url(found.guild, board.channel, board.message)
        return f"{said} [To the board]({url})".strip()

    # Taking back

    async def _tidy(self, table: int) -> None:
        """Delete a table's notices that are true of nobody any more."""
        async with self._lock(table):  # so that what is read is not replaced by a newer notice meanwhile
            messages = await self.store.messages(table)
            ours = [
                one
                for one in messages.values()
                if one.audience == NOTICE or one.audience.startswith(QUESTION)
            ]
            if not ours:
                return
            found = await self.service.table(table)
            if not self.voice.places.there(found.guild):
                return  # what happens when the server is there again stirs the table
            acted = await self._acted(found)
            for notice in ours:
                told = _told_by(notice)
                if not any(_true(found, one, acted) for one in told):
                    await self._drop(found, notice, told)

    async def _drop(self, found: Table, notice: Message, told: Sequence[Told]) -> None:
        """Delete a notice. The answer to a question stays: that an automaton plays on is news."""
        question = notice.audience.startswith(QUESTION)
        answered = question and not any(found.seats[one.seat].person for one in told)
        if notice.message and not answered and not await self.voice.unsay(notice.channel, notice.message):
            self._stirred.add(found.id)
            return
        await self.store.drop_message(found.id, notice.audience)
        if question:
            await self.service.close_vote(found.id, notice.audience)

    # Hearing

    def _heard(self, table: int, committed: Committed) -> None:
        self._quiet.pop(table, None)
        self._stirred.add(table)
        if committed.what == "deal":
            self._starters[table] = committed.by
            if len(self._starters) > STARTED:
                self._starters.popitem(last=False)
        elif committed.what == "pause":
            self._resumed[table] = self.service.now()

    def _lock(self, table: int) -> asyncio.Lock:
        lock = self._locks.get(table)
        if lock is None:
            lock = self._locks[table] = asyncio.Lock()
        return lock

    async def _guarded(self, table: int, work: Awaitable[None]) -> None:
        """Do one table's work. One that is gone or set aside needs none, and one's fault is not the others'."""
        try:
            await work
        except IllegalMove as refusal:
            log.info("no_notice", table=table, reason=str(refusal))
        except StoreError:
            self._stirred.add(table)
            raise
        except Exception:
            log.exception("notice_failed", table=table)
            self._quiet[table] = self.service.now() + QUIET


def _told_by(message: Message | None) -> tuple[Told, ...]:
    return () if message is None or not message.digest else _told.decode(message.digest)


def _true(found: Table, told: Told, acted: Mapping[int, int]) -> bool:
    """Whether the table still waits for a seat as it did when the seat was told so."""
    if found.stage != "live" or found.paused_at is not None or told.seat >= len(found.seats):
        return False
    seat = found.seats[told.seat]
    if not seat.awaited or not seat.person or seat.since - found.wall(0) != told.origin:
        return False
    return acted.get(told.seat, -1) <= told.at


def _mentions(whom: Iterable[Waited]) -> str:
    return listed([f"<@{one.user}>" for one in whom])
