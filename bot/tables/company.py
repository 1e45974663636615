"""What people at a table do beside their moves: leave and return, pause, take back, replace, end, play again.

Each is a verb that a button carries and a command does as well. What concerns others is put to them: taking back to an
earlier move and replacing somebody are questions in the channel (``votes``), which everybody at the table answers.

Rulings of ours: whom a question is about has no vote in it, and may take the seat back at any time. Nobody alone has an
automaton play for somebody who has not fallen asleep; who sleeps is waited for, but where others sleep as well. The last
person who leaves ends the table, so that is asked first. Who may end a live table is the server's to say; who manages
the server may always, there. A private table is its player's own: no server has a say in it. The log is for everybody
who can read the table's channel, as everyone heard it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import discord
from msgspec.structs import replace

from bot.games.game import IllegalMove
from bot.games.log import written
from bot.store.rows import Message
from bot.tables.answer import Answer
from bot.tables.cards import Cards
from bot.tables.chronicle import Line, later, lines, log_panel, turned
from bot.tables.face import Button, Face, Panel
from bot.tables.layout import Epoch, escaped
from bot.tables.publisher import Publisher, shown_of
from bot.tables.servers import Servers, ServerSettings
from bot.tables.service import Service
from bot.tables.table import NotLive, Table, Tally, Unreadable
from bot.tables.votes import (
    End,
    Question,
    Replace,
    Rewind,
    electorate,
    question,
    question_panel,
    replace_panel,
    settled,
    standing,
    title,
)

OVER = "The game is over."
ATTEMPT = "It counts as your attempt, with 0 points."
UNASKED = "I could not ask the others: at present I cannot write in the table's channel."
NO_MODERATOR = "Only who may manage the table's server can do that, and only there."
TOLD = 8  # moves that a question about taking back lists
ANSWERED = 1024  # cards that are remembered to be answered


class Ask(NamedTuple):
    """What somebody wants, by a button or a command."""

    answer: Answer
    table: Table
    arg: str = ""
    values: tuple[str, ...] = ()

    @property
    def user(self) -> int:
        """Who wants it."""
        return self.answer.interaction.user.id

    @property
    def name(self) -> str:
        """Their name, escaped."""
        return escaped(self.answer.interaction.user.display_name)

    @property
    def card(self) -> int | None:
        """The message that was pressed and that everybody sees, if there is one."""
        message = self.answer.interaction.message
        public = self.answer.is_press and not self.answer.pressed_private
        return message.id if public and message is not None else None


class Company:
    """The people at the tables. ``verbs``: what each verb does."""

    def __init__(
        self, service: Service, faces: Mapping[str, Face], publisher: Publisher, servers: Servers
    ) -> None:
        self.service = service
        self.faces = faces
        self.publisher = publisher
        self.servers = servers
        self.cards = Cards(service, publisher, _lapsed)
        self._answering: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # by table
        self._answered: OrderedDict[int, None] = OrderedDict()  # cards that were answered of late
        self._rematching = asyncio.Lock()
        self.verbs: Mapping[str, Callable[[Ask], Awaitable[None]]] = {
            "leave": self.leave,
            "return_seat": self.come_back,
            "pause": self.pause,
            "resume": self.resume,
            "log": self.log,
            "log_file": self.log_file,
            "undo": self.undo,
            "rewind": self.rewind,
            "rewind_sure": self.propose_rewind,
            "replace": self.replace,
            "vote_for": self.vote_for,
            "vote_against": self.vote_against,
            "end": self.end,
            "rematch": self.rematch,
        }

    # Coming and going

    async def leave(self, ask: Ask) -> None:
        """Give a seat up, after a question where that is more than an empty seat in a lobby."""
        table = await self.service.table(ask.table.id)
        seat = table.seat_of(ask.user)
        if seat is None:
            raise IllegalMove("You do not sit at this table.")
        if table.stage == "over":
            raise IllegalMove("The game is over, so there is nothing to leave.")
        if not seat.person:
            raise IllegalMove(
                "You have left already; an automaton plays for you. /table return takes you back."
            )
        last = len(table.persons) == 1
        if ask.arg != "sure" and (last or table.stage == "live"):
            counts = table.stage == "live" and last and await self.service.counts(table.id)
            await ask.answer.panel(_leaving(table, last=last, counts=counts), table.id, None)
            return
        left = await self.service.leave(table.id, ask.user)
        if left.stage == "over":
            await self._tell(ask, "You left", "Nobody is left, so the table is closed.")
        elif left.stage == "lobby":
            await self._acknowledge(ask, "You left the lobby.")
        else:
            await self._tell(ask, "You left", "An automaton plays on for you. Come back with /table return.")

    async def come_back(self, ask: Ask) -> None:
        """Take a seat back from its automaton; a question whether to replace that player is closed."""
        table = await self.service.come_back(ask.table.id, ask.user)
        seat = table.seat_of(ask.user)
        assert seat is not None
        asked = Replace(seat.seat)
        async with self._lock(table.id):
            await self.service.close_vote(table.id, asked.purpose)
            await self._settle(table, asked, settled(table, asked, f"{escaped(seat.name)} is back."))
        await ask.answer.say("Welcome back. The seat is yours again.")

    async def pause(self, ask: Ask) -> None:
        """Stop the table's time."""
        if ask.table.stage == "live":
            self._seat(ask)
        table = await self.service.pause(ask.table.id, ask.user)
        await self._acknowledge(ask, "The table is paused. /table resume goes on.")
        await self.publisher.announce(
            table, f"{ask.name} paused the table. It goes on by *Resume* on its board, or by `/table resume`."
        )

    async def resume(self, ask: Ask) -> None:
        """Let the table's time go on."""
        if ask.table.stage == "live":
            self._seat(ask)
        table = await self.service.resume(ask.table.id, ask.user)
        await self._acknowledge(ask, "The table goes on.")
        await self.publisher.announce(table, f"{ask.name} lets the table go on.")

    # The log

    async def log(self, ask: Ask) -> None:
        """Show a page of the log as the person may know it."""
        table, told, _ = await self._log(ask)
        panel = log_panel(table, told, last=turned(ask.arg), earliest=await self._earliest(table, ask.user))
        await ask.answer.panel(panel, table.id, None)

    async def log_file(self, ask: Ask) -> None:
        """Give out the whole log, with every hand in it, once the table is over."""
        table = await self._readable(ask)
        if table.stage != "over":
            raise IllegalMove(
                "The file holds every hand, so you can download it once the game is over. /table log shows what"
                " you may know."
            )
        if table.opened == 0:
            raise IllegalMove("This table never began, so there is no log.")
        body = written(await self.service.export(table.id))
        await ask.answer.file(
            f"The whole log of table {table.id}. `wordmoot replay` plays it.",
            f"wordmoot-{table.id}.json",
            body,
        )

    async def undo(self, ask: Ask) -> None:
        """Take the person's last move back; a button's argument says which move it is good for."""
        seat = self._seat(ask)
        expected = int(ask.arg) if ask.arg else None
        committed = await self.service.undo(ask.table.id, seat, ask.user, expected=expected)
        assert committed.undone is not None
        table = await self.service.table(ask.table.id)
        said = f"Taken back: {await self._move(table, committed.undone, seat)}"
        if not ask.answer.pressed_private:
            await ask.answer.say(said)
            return
        look = await self.service.look(table.id, seat)
        hand = self.faces[table.game.key].hand(look.view, shown_of(look.table))
        await ask.answer.panel(replace(hand, text=f"{said}\n{hand.text}"), table.id, Epoch(look.epoch))

    async def _move(self, table: Table, seq: int, viewer: int) -> str:
        """Return a move in words, or by its number where the log cannot be read."""
        try:
            history = await self.service.history(table.id, seq - 1)
        except Unreadable:
            return f"move {seq}."
        return self._lines(table, history, viewer)[0].text

    async def rewind(self, ask: Ask) -> None:
        """Ask whether somebody really wants to take back all moves after the one that they chose."""
        self._seat(ask)
        table, told, _ = await self._log(ask)
        seq = int(ask.values[0])
        gone = later(told, seq)
        if not gone:
            raise IllegalMove("Nothing has been played since then.")
        if seq < await self.service.revocable(table.id) and gone[0].seq <= await self.service.revocable(
            table.id
        ):
            raise IllegalMove("Something hidden came to light since then, so those moves stay.")
        alone = len(table.persons) == 1
        text = _listed(gone) + ("" if alone else "\nEveryone at the table has to agree.")
        label = "Take them back" if alone else "Ask the others"
        sure = Button(label, "rewind_sure", f"{seq}/{table.seq}", "bad")
        await ask.answer.panel(
            Panel(
                title(table, Rewind(seq, table.seq)), text, rows=((sure, Button("Back to the log", "log")),)
            ),
            table.id,
            None,
        )

    async def propose_rewind(self, ask: Ask) -> None:
        """Put it to the table to take back all moves after one; alone it is done at once."""
        seat = self._seat(ask)
        seq, last = (int(part) for part in ask.arg.split("/"))
        asked = Rewind(seq, last)
        async with self._lock(ask.table.id):
            table = await self.service.table(ask.table.id)
            _check_open(table, asked)
            tally = await self._asked(table, asked, seat)
            if tally.carried:
                with self.cards.held(table.id):
                    await self._tell(ask, "Taken back", await self._carry(table, asked, ask.user))
                return
            await self._put_or_drop(table, asked, await self._question(table, asked, tally))
            await self._tell(ask, "The others are asked", standing(table, tally))

    async def _log(self, ask: Ask) -> tuple[Table, tuple[Line, ...], int | None]:
        """Return the table, its lines for this reader, and the reader's seat."""
        table = await self._readable(ask)
        seat = table.seat_of(ask.user)
        viewer = None if seat is None else seat.seat
        history = () if table.opened == 0 else await self.service.history(table.id)
        return table, self._lines(table, history, viewer), viewer

    def _lines(self, table: Table, history: Any, viewer: int | None) -> tuple[Line, ...]:
        return lines(history, table.game, self.faces[table.game.key], table.seats, viewer)

    async def _readable(self, ask: Ask) -> Table:
        """Return the table as of now; raises IllegalMove for who neither sits there nor can read its channel."""
        table = await self.service.table(ask.table.id)
        if table.seat_of(ask.user) is None and table.place != ask.answer.interaction.channel_id:
            raise IllegalMove("You do not sit at this table. Its log is open to all in its own channel.")
        return table

    async def _earliest(self, table: Table, user: int) -> int | None:
        """Return the move number to which a person may propose to go back, or None."""
        seat = table.seat_of(user)
        if seat is None or not seat.person or table.stage != "live" or table.paused_at is not None:
            return None
        try:
            return await self.service.revocable(table.id)
        except NotLive:  # it has ended or paused this very moment
            return None

    # Replacing a player

    async def replace(self, ask: Ask) -> None:
        """Have an automaton play for somebody: ``arg`` is the seat and, from a moderator's panel, how."""
        number, _, how = ask.arg.partition("/")
        seat, table = int(number), await self.service.table(ask.table.id)
        mine = table.seat_of(ask.user)
        if mine is not None and mine.seat == seat:
            await self.leave(ask._replace(arg=""))
            return
        _check_replaceable(table, seat)
        moderator = oversees(ask.answer.interaction, table)
        if how == "now":
            if not moderator:
                raise IllegalMove(NO_MODERATOR)
            done = await self._carry(table, Replace(seat), None)
            await self._tell(ask, "Replaced", done)
            await self.publisher.announce(table, f"{done} {ask.name} has decided it as a moderator.")
            return
        if moderator and how != "ask":
            await ask.answer.panel(_replacing(table, seat, seated=mine is not None), table.id, None)
            return
        by = self._seat(ask)
        async with self._lock(table.id):
            tally = await self._propose_replace(table, seat, by)
        done = "An automaton plays from now on." if tally.carried else standing(table, tally)
        await self._tell(ask, "Replaced" if tally.carried else "The others are asked", done)

    async def _propose_replace(self, table: Table, seat: int, by: int) -> Tally:
        """Ask the people at a table whether an automaton shall play a seat from now on, as the seat ``by`` proposes.

        When all the others agree it is done at once, else it is put to them in the channel. Raises IllegalMove.
        """
        asked = Replace(seat)
        await self._check_asleep(table, asked, by)
        tally = await self._asked(table, asked, by)
        name = escaped(table.seats[by].name)
        if tally.carried:
            done = await self._carry(table, asked, None)
            await self.publisher.announce(table, f"{done} {name} proposed it.")
            return tally
        text = f"{name} proposes it.\n{standing(table, tally)}"
        await self._put_or_drop(table, asked, replace_panel(table, seat, text))
        return tally

    async def _check_asleep(self, table: Table, asked: Question, voter: int) -> None:
        """Raise IllegalMove when ``voter`` alone would have somebody replaced who has not fallen asleep."""
        if not isinstance(asked, Replace) or electorate(table, asked) != (voter,):
            return
        if asked.seat in await self.service.store.asleep(table.id):
            return
        name = escaped(table.seats[asked.seat].name)
        raise IllegalMove(
            f"You cannot decide that alone while {name} is still playing. When the table has waited for {name} for"
            " long, I ask you. Until then /table nudge sends a reminder, and /table end proposes to end the game."
        )

    def seat_named(self, table: Table, text: str) -> int:
        """Return the seat that a command names, by its number (from 0) or the player's name; raises IllegalMove."""
        if text.isascii() and text.isdigit() and int(text) < len(table.seats):
            return int(text)
        found = [seat.seat for seat in table.seats if seat.name.casefold() == text.strip().casefold()]
        if len(found) != 1:
            raise IllegalMove(f"Nobody here is called {escaped(text)}. Choose one of the players offered.")
        return found[0]

    # Questions

    async def vote_for(self, ask: Ask) -> None:
        """Agree to a question."""
        await self._vote(ask, True)

    async def vote_against(self, ask: Ask) -> None:
        """Disagree with a question, which closes it."""
        await self._vote(ask, False)

    async def _vote(self, ask: Ask, yes: bool) -> None:
        asked = question(ask.arg)
        if asked is None or isinstance(asked, End):
            raise IllegalMove("This question belongs to another version of me.")
        seat = self._seat(ask)
        async with self._lock(ask.table.id):
            await self._voted(ask, asked, seat, yes)

    async def _voted(self, ask: Ask, asked: Replace | Rewind, seat: int, yes: bool) -> None:
        table = await self.service.table(ask.table.id)
        void = _void(table, asked)
        if void is not None:
            await ask.answer.replace(settled(table, asked, void), table.id)
            return
        _check_open(table, asked)
        if seat not in electorate(table, asked):
            raise IllegalMove("This is about you, so the others decide. Show them that you are here: play.")
        if yes:
            self._check_unanswered(ask)
            await self._check_asleep(table, asked, seat)
        without = await self._unheard(table, asked, seat)
        tally = await self.service.vote(table.id, ask.arg, seat, yes, without=without)
        if tally.lost:
            await self.service.close_vote(table.id, ask.arg)
            said = f"{escaped(table.seats[seat].name)} does not agree, so all stays as it is."
            await self._answer(ask, table, asked, settled(table, asked, said, "Not everyone agrees."))
        elif tally.carried:
            with self.cards.held(table.id):
                said = await self._carry(table, asked, None)
                await self._answer(ask, table, asked, settled(table, asked, said, "Everyone agrees."))
        else:
            await ask.answer.replace(await self._question(table, asked, tally), table.id)

    def _lock(self, table: int) -> asyncio.Lock:
        """Return the lock under which a table's questions are put and answered, one press after the other."""
        lock = self._answering.get(table)
        if lock is None:
            lock = self._answering[table] = asyncio.Lock()
        return lock

    def _check_unanswered(self, ask: Ask) -> None:
        """Raise IllegalMove when the question on the card that was pressed has been answered a moment ago."""
        if ask.card in self._answered:
            raise IllegalMove("This question has just been answered. You can ask it anew.")

    async def _answer(self, ask: Ask, table: Table, asked: Question, outcome: Panel) -> None:
        """Put the outcome in place of the question: of the card that was pressed, and of all others."""
        if ask.card is not None:
            self._note_answered(ask.card)
            await ask.answer.replace(outcome, table.id)
        await self._settle(table, asked, outcome, but=ask.card)

    def _note_answered(self, card: int) -> None:
        self._answered[card] = None
        if len(self._answered) > ANSWERED:
            self._answered.popitem(last=False)

    async def _settle(self, table: Table, asked: Question, outcome: Panel, *, but: int | None = None) -> None:
        """Put the outcome in place of a question's cards."""
        await self._close(table, await self.cards.of(table.id, asked.purpose), outcome, but=but)

    async def _close(
        self, table: Table, cards: Iterable[Message], outcome: Panel, *, but: int | None = None
    ) -> None:
        for card in cards:
            self._note_answered(card.message)
            await self.cards.drop(table.id, card)
        await self.cards.show(table.id, cards, outcome, but=but)

    async def _put(self, table: Table, asked: Question, panel: Panel) -> bool:
        """Put a question, or put it anew: then it no longer stands where it stood before. Whether it was put."""
        before = await self.cards.of(table.id, asked.purpose)
        if not await self.cards.put(table, asked.purpose, panel):
            return False
        await self._close(table, before, settled(table, asked, "It is asked anew below."))
        return True

    async def _put_or_drop(self, table: Table, asked: Question, panel: Panel) -> None:
        """Put a question; one that reaches nobody is none, so then it is dropped. Raises IllegalMove."""
        if not await self._put(table, asked, panel):
            await self.service.close_vote(table.id, asked.purpose)
            raise IllegalMove(f"{UNASKED} All stays as it is.")

    async def _question(self, table: Table, asked: Replace | Rewind, tally: Tally) -> Panel:
        """Return a question as it stands, told to everybody."""
        if isinstance(asked, Replace):
            return replace_panel(table, asked.seat, standing(table, tally))
        gone = later(self._lines(table, await self.service.history(table.id), None), asked.seq)
        told = f"These moves would be taken back:\n{_listed(gone)}\n{standing(table, tally)}"
        return question_panel(table, asked, told)

    async def _asked(self, table: Table, asked: Question, by: int) -> Tally:
        """Open a question anew, with the answer of who asks it."""
        await self.service.close_vote(table.id, asked.purpose)
        without = await self._unheard(table, asked, by)
        return await self.service.vote(table.id, asked.purpose, by, True, without=without)

    async def _unheard(self, table: Table, asked: Question, voter: int) -> frozenset[int]:
        """Return the seats that are not waited for: whom it is about, and others who sleep as soundly.

        Who has answered, ``voter`` now, is not asleep.
        """
        without = _without(table, asked)
        if not isinstance(asked, Replace):
            return without
        asleep = await self.service.store.asleep(table.id)
        if asked.seat in asleep:
            voted = (await self.service.store.votes(table.id)).get(asked.purpose, {}).keys()
            without |= asleep - voted - {voter}
        return without

    async def _carry(self, table: Table, asked: Replace | Rewind, by: int | None) -> str:
        """Do what all have agreed to; returns what to say of it."""
        await self.service.close_vote(table.id, asked.purpose)
        if isinstance(asked, Replace):
            after = await self.service.replace(table.id, asked.seat)
            if after.stage == "over":
                return "Nobody is left at the table, so it is closed."
            name = escaped(table.seats[asked.seat].name)
            return f"An automaton plays for {name} from now on. {name} may come back with `/table return`."
        done = await self.service.rewind(table.id, asked.seq, by, last=asked.last)
        return f"{_moves(len(done))} taken back."

    # The end, and afterwards

    async def end(self, ask: Ask) -> None:
        """End a table after a confirmation, as the server has settled who may; a moderator may at any time."""
        async with self._lock(ask.table.id):
            await self._ended(ask)

    async def _ended(self, ask: Ask) -> None:
        table, how = await self.service.table(ask.table.id), ask.arg
        moderator = oversees(ask.answer.interaction, table)
        if table.stage == "over" and ask.card is not None:
            await ask.answer.replace(settled(table, End(), OVER), table.id)
            return
        if table.stage == "over":
            raise IllegalMove("The table is over.")
        if how == "keep":
            await self._keep(ask, table)
            return
        if how == "moderator":
            if not moderator:
                raise IllegalMove(NO_MODERATOR)
            await self.service.end(table.id)
            await self._tell(ask, "Closed", "The table is closed; nothing is recorded.")
            return
        alone, forbidden = await self._may_end(table, ask.user)
        if how != "sure":
            await ask.answer.panel(
                await self._ending(ask, table, moderator, alone, forbidden), table.id, None
            )
            return
        if forbidden is not None:
            raise IllegalMove(forbidden)
        self._check_unanswered(ask)
        await self._agree_to_end(ask, table, alone)

    async def _agree_to_end(self, ask: Ask, table: Table, alone: bool) -> None:
        asked = End()
        before = (await self.service.store.votes(table.id)).get(asked.purpose, {})
        with self.cards.held(table.id):
            tally = await self.service.end(table.id, ask.user, alone=alone)
            if tally.carried or alone:
                agreed = "" if alone else "Everyone agrees."
                if ask.card is None:
                    await self._tell(ask, "Closed", "The table is closed.")
                await self._answer(ask, table, asked, settled(table, asked, "The table is closed.", agreed))
                return
        text = await self._worth(table, standing(table, tally))
        panel = question_panel(table, asked, text)
        if ask.card is not None:
            await ask.answer.replace(panel, table.id)
        shown = await self.cards.show(
            table.id, await self.cards.of(table.id, asked.purpose), panel, but=ask.card
        )
        if ask.card is not None:
            return
        mine = table.seat_of(ask.user)
        again = mine is not None and mine.seat in before  # who asks once more wants it to be seen
        if again or not shown:
            shown |= await self._put(table, asked, panel)
        if shown:
            await self._tell(ask, "The others are asked", standing(table, tally))
        else:  # who hears of it otherwise can agree all the same, so it stands
            text = (
                f"{UNASKED} That you agree is noted; they can agree by /table end.\n{standing(table, tally)}"
            )
            await self._tell(ask, "Nobody could be asked", text)

    async def _keep(self, ask: Ask, table: Table) -> None:
        """Disagree with ending the table: then nobody is asked any more."""
        asked, seat = End(), self._seat(ask)
        await self.service.close_vote(table.id, asked.purpose)
        said = f"{escaped(table.seats[seat].name)} would rather play on, so the game goes on."
        await self._answer(ask, table, asked, settled(table, asked, said, "Not everyone agrees."))

    async def _worth(self, table: Table, text: str) -> str:
        """Return the text with what ending a live table amounts to, where it is recorded."""
        if table.stage == "live" and await self.service.forfeit(table.id) is not None:
            return f"{text}\nEnded before its time, the game counts as a defeat."
        if table.stage == "live" and await self.service.counts(table.id):
            return f"{text}\n{ATTEMPT}"
        return text

    async def _ending(
        self, ask: Ask, table: Table, moderator: bool, alone: bool, forbidden: str | None
    ) -> Panel:
        rows: list[Button] = []
        if forbidden is None:
            rows.append(Button("End the table", "end", "sure", "bad"))
        if moderator:
            rows.append(Button("Close it as a moderator", "end", "moderator", "bad"))
        if not rows:
            assert forbidden is not None
            raise IllegalMove(forbidden)
        if forbidden is not None:
            text = forbidden
        elif table.stage == "lobby":
            text = "The lobby closes for all who sit there."
        else:
            alone = alone or len(table.persons) == 1
            text = "You alone decide." if alone else "It ends when everyone at the table wants it."
            text = await self._worth(table, text)
        if moderator and table.stage == "live":
            text += "\nClosed by a moderator, nothing is recorded."
        heading = f"Close the lobby of table {table.id}?" if table.stage == "lobby" else title(table, End())
        return Panel(heading, text, rows=(tuple(rows),))

    async def _may_end(self, table: Table, user: int) -> tuple[bool, str | None]:
        """Return whether a person's word is enough to end a table, and why they may not end it, or None."""
        seat = table.seat_of(user)
        if seat is None:
            return False, "You do not sit at this table."
        if table.stage == "lobby":
            if table.opener != user:
                return False, "Only who opened the table can close it. You can leave it with /table leave."
            return True, None
        if not seat.person:
            return False, "An automaton plays for you. Take your seat back with /table return first."
        if table.place is None:
            return True, None
        rule = (await self.servers.of(table.guild)).ending
        if rule == "managers":
            return (
                False,
                "On this server only who manages it can end a game. You can leave with /table leave.",
            )
        opener = table.seat_of(table.opener)
        if rule == "players" or opener is None or not opener.person:  # who opened it has left: all decide
            return False, None
        if table.opener == user:
            return True, None
        name = escaped(opener.name)
        return (
            False,
            f"On this server only who opened the table, {name}, can end it. You can leave with /table leave.",
        )

    async def rematch(self, ask: Ask) -> None:
        """Open the lobby of a rematch, or join it."""
        user = ask.answer.interaction.user
        async with self._rematching:  # of several who press at once, one opens it and the others join
            follower = await self.service.store.rematch(ask.table.id)
            await self._check_rematch(ask, follower)
            lobby = await self.service.rematch(ask.table.id, user.id, user.display_name)
        if lobby.stage == "live":
            raise IllegalMove(f"You are playing it already: table {lobby.id} {_place(lobby)}.")
        await self._acknowledge(ask, f"You sit at table {lobby.id}, the rematch.")
        if lobby.id != follower:
            await self.publisher.announce(
                lobby, f"{ask.name} wants a rematch. Who is in presses *Rematch*, or *Join* in the new lobby."
            )

    async def _check_rematch(self, ask: Ask, follower: int | None) -> None:
        """Raise IllegalMove when somebody cannot open a rematch, or join the one that there is (``follower``)."""
        played = ask.table.seat_of(ask.user) is not None
        if follower is not None:
            found = await self.service.table(follower)
            if found.stage == "lobby" and not played and found.seat_of(ask.user) is None:
                raise IllegalMove(f"Join the new lobby with its button, {_place(found)}.")
            if found.stage == "live" and found.seat_of(ask.user) is None:
                raise IllegalMove(f"It has begun without you: watch {_place(found)}.")
        elif played and (place := ask.table.place) is not None:
            settings = await self.servers.of(ask.table.guild)
            check_channel(ask.answer.interaction, settings, place, ask.table.channel, guild=ask.table.guild)

    # Small parts

    def _seat(self, ask: Ask) -> int:
        """Return the seat of who asks; raises IllegalMove for who has none or has left it to an automaton."""
        seat = ask.table.seat_of(ask.user)
        if seat is None:
            raise IllegalMove("You do not sit at this table. You are welcome to watch.")
        if not seat.person:
            raise IllegalMove("An automaton plays for you. Take your seat back with /table return first.")
        return seat.seat

    async def _tell(self, ask: Ask, title: str, text: str) -> None:
        """Say how it went: in place of the private panel that was pressed, else as a private message."""
        if ask.answer.is_press and ask.answer.pressed_private:
            await ask.answer.panel(Panel(title, text), ask.table.id, None)
        else:
            await ask.answer.say(text)

    async def _acknowledge(self, ask: Ask, text: str) -> None:
        """Answer what the board or the channel shows anyway: only a command, or a private panel, needs words."""
        if ask.answer.is_press and not ask.answer.pressed_private:
            await ask.answer.done()
        else:
            await self._tell(ask, "Done", text)


def check_channel(
    interaction: discord.Interaction[Any],
    settings: ServerSettings,
    channel: int,
    parent: int | None,
    *,
    guild: int | None = None,
) -> None:
    """Raise IllegalMove when the server wants no tables in a channel, or in the thread ``channel`` of ``parent``.

    Channels that are gone count no more. ``guild``: the server, where it is not the one in which the person is.
    """
    server = interaction.guild if guild is None else interaction.client.get_guild(guild)
    there = [
        one for one in settings.channels if server is None or server.get_channel_or_thread(one) is not None
    ]
    if not there or settings.allows(channel, parent):
        return
    where = ", ".join(f"<#{one}>" for one in there)
    more = " You can change that with /settings." if moderates(interaction) else ""
    raise IllegalMove(f"On this server tables open in {where}.{more}")


def moderates(interaction: discord.Interaction[Any]) -> bool:
    """Whether a person may manage the server in which they are."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def oversees(interaction: discord.Interaction[Any], table: Table) -> bool:
    """Whether a person decides at a table as a moderator: they are in its server and may manage it, and it is shown there.

    What somebody plays in private is no moderator's affair, and nobody's own to close without a record.
    """
    return table.place is not None and table.guild == interaction.guild_id and moderates(interaction)


def _leaving(table: Table, *, last: bool, counts: bool) -> Panel:
    if table.stage == "lobby":
        text = "Nobody else is here, so the lobby closes when you leave."
    elif last and counts:
        text = f"Nobody else is here, so the game ends when you leave. {ATTEMPT}"
    elif last:
        text = "Nobody else is here, so the game ends without a result when you leave."
    else:
        text = (
            "An automaton plays on with what you hold. You may take your seat back at any time, by /table return or"
            " by the button on the board."
        )
    buttons = [Button("Leave", "leave", "sure", "bad")]
    if last and table.stage == "live":
        buttons.append(Button("Pause instead", "pause"))
    return Panel(f"Leave table {table.id}?", text, rows=(tuple(buttons),))


def _replacing(table: Table, seat: int, *, seated: bool) -> Panel:
    """Return what a moderator is asked who wants somebody replaced."""
    name = escaped(table.seats[seat].name)
    buttons = [Button("Replace at once", "replace", f"{seat}/now", "bad")]
    if seated:
        buttons.insert(0, Button("Ask the others", "replace", f"{seat}/ask", "main"))
    text = f"An automaton then plays for {name}, who may come back at any time. You may decide it as a moderator."
    return Panel(f"Replace {name}?", text, rows=(tuple(buttons),))


def _without(table: Table, asked: Question) -> frozenset[int]:
    """Return the seats that have no vote in a question."""
    return frozenset(range(len(table.seats))) - frozenset(electorate(table, asked))


def _check_replaceable(table: Table, seat: int) -> None:
    """Raise IllegalMove unless a person plays that seat of a live table."""
    if table.stage != "live":
        raise IllegalMove("The game has not begun." if table.stage == "lobby" else "The game is over.")
    if seat not in range(len(table.seats)):
        raise IllegalMove("There is no such seat.")
    if not table.seats[seat].person:
        raise IllegalMove("An automaton plays this seat already.")


def _check_open(table: Table, asked: Question) -> None:
    """Raise IllegalMove when a question cannot be answered now."""
    void = _void(table, asked)
    if void is not None:
        raise IllegalMove(void)
    if isinstance(asked, Rewind) and table.paused_at is not None:
        raise IllegalMove("The table is paused. Resume it first.")


def _void(table: Table, asked: Question) -> str | None:
    """Return why a question has no sense any more, or None."""
    if table.stage != "live":
        return OVER
    if isinstance(asked, End):
        return None
    if isinstance(asked, Replace):
        stands = asked.seat < len(table.seats) and table.seats[asked.seat].person
        return None if stands else "An automaton plays this seat already."
    if table.seq != asked.last:
        return "Somebody has moved since it was asked, so it is void. Ask again from /table log."
    return None


async def _lapsed(table: Table, purpose: str) -> Panel | None:
    """Return what stands in place of a question that has no sense any more, or None."""
    asked = question(purpose)
    void = "It belongs to another version of me." if asked is None else _void(table, asked)
    return None if void is None else settled(table, asked, void)


def _listed(gone: tuple[Line, ...]) -> str:
    """Return the moves that would be taken back, the latest ones when there are many."""
    more = len(gone) - TOLD
    told = (
        [f"and {_moves(more)} before these" if more > 1 else "and one move before these"] if more > 0 else []
    )
    return "\n".join([*told, *map(str, gone[-TOLD:])])


def _moves(number: int) -> str:
    return f"{number} move{'' if number == 1 else 's'}"


def _place(table: Table) -> str:
    """Return where a table is, as a link."""
    return f"in <#{table.place}>" if table.place is not None else f"by /table show, table {table.id}"
