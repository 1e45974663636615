"""What people at a table do beside their moves: leave and return, pause, replace somebody, play again.

Each is a verb that a button carries and a command does as well; the log, questions and the end of a table have modules of
their own (``logbook``, ``questions``, ``ending``).

Rulings of ours: who is replaced may take the seat back at any time. The last person who leaves ends the table, and it
amounts to what ending it does; so that is asked first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from bot.games.game import IllegalMove
from bot.tables.ask import NO_MODERATOR, Ask, oversees
from bot.tables.ending import Ending
from bot.tables.face import Button, Face, Panel
from bot.tables.layout import escaped
from bot.tables.logbook import Logbook
from bot.tables.publisher import Publisher
from bot.tables.questions import Questions
from bot.tables.servers import Servers, check_channel
from bot.tables.service import Service
from bot.tables.table import Table
from bot.tables.votes import Replace, settled, standing


class Company:
    """The people at the tables. ``verbs``: what each verb does."""

    def __init__(
        self, service: Service, faces: Mapping[str, Face], publisher: Publisher, servers: Servers
    ) -> None:
        self.service = service
        self.publisher = publisher
        self.servers = servers
        self.questions = Questions(service, faces, publisher)
        self.logbook = Logbook(service, faces, self.questions)
        self.ending = Ending(service, servers, self.questions)
        self._rematching = asyncio.Lock()
        self.verbs: Mapping[str, Callable[[Ask], Awaitable[None]]] = {
            "leave": self.leave,
            "return_seat": self.come_back,
            "pause": self.pause,
            "resume": self.resume,
            "replace": self.replace,
            "rematch": self.rematch,
            "log": self.logbook.log,
            "log_file": self.logbook.log_file,
            "undo": self.logbook.undo,
            "rewind": self.logbook.rewind,
            "rewind_sure": self.logbook.propose_rewind,
            "vote_for": self.questions.vote_for,
            "vote_against": self.questions.vote_against,
            "end": self.ending.end,
        }

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
            await ask.answer.panel(await self._leaving(table, last=last), table.id, None)
            return
        left = await self.service.leave(table.id, ask.user)
        if left.stage == "over":
            await ask.tell("You left", "Nobody is left, so the table is closed.")
        elif left.stage == "lobby":
            await ask.acknowledge("You left the lobby.")
        else:
            await ask.tell("You left", "An automaton plays on for you. Come back with /table return.")

    async def _leaving(self, table: Table, *, last: bool) -> Panel:
        if table.stage == "lobby":
            text = "Nobody else is here, so the lobby closes when you leave."
        elif last:
            text = await self.ending.worth(table, "Nobody else is here, so the game ends when you leave.")
        else:
            text = (
                "An automaton plays on with what you hold. You may take your seat back at any time, by /table return or"
                " by the button on the board."
            )
        buttons = [Button("Leave", "leave", "sure", "bad")]
        if table.stage == "live" and last and table.paused_at is None:
            buttons.append(Button("Pause instead", "pause"))
        if table.stage == "live":
            buttons.append(Button("Stay", "more"))
        return Panel(f"Leave table {table.id}?", text, rows=(tuple(buttons),))

    async def come_back(self, ask: Ask) -> None:
        """Take a seat back from its automaton; a question whether to replace that player is closed."""
        table = await self.service.come_back(ask.table.id, ask.user)
        seat = table.seat_of(ask.user)
        assert seat is not None
        asked = Replace(seat.seat)
        async with self.questions.lock(table.id):
            await self.service.close_vote(table.id, asked.purpose)
            await self.questions.settle(table, asked, settled(table, asked, f"{escaped(seat.name)} is back."))
        await ask.answer.say(f"Welcome back. Your seat is yours again at table {table.id}.")

    async def pause(self, ask: Ask) -> None:
        """Stop the table's time."""
        if ask.table.stage == "live":
            ask.seat()
        table = await self.service.pause(ask.table.id, ask.user)
        await ask.acknowledge(f"Table {table.id} is paused. /table resume goes on.")
        await self.publisher.announce(
            table, f"{ask.name} paused the table. It goes on by *Resume* on its board, or by `/table resume`."
        )

    async def resume(self, ask: Ask) -> None:
        """Let the table's time go on."""
        if ask.table.stage == "live":
            ask.seat()
        table = await self.service.resume(ask.table.id, ask.user)
        await ask.acknowledge(f"Table {table.id} goes on.")
        await self.publisher.announce(table, f"{ask.name} lets the table go on.")

    # Another in somebody's place

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
            async with self.questions.lock(table.id):
                done = await self.questions.carry(table, Replace(seat), None)
            await ask.tell("Replaced", done)
            await self.publisher.announce(table, f"{done} {ask.name} has decided it as a moderator.")
            return
        if moderator and how != "ask":
            await ask.answer.panel(_replacing(table, seat, seated=mine is not None), table.id, None)
            return
        by = ask.seat()
        async with self.questions.lock(table.id):
            tally = await self.questions.propose_replace(table, seat, by)
        done = "An automaton plays from now on." if tally.carried else standing(table, tally)
        await ask.tell("Replaced" if tally.carried else "The others are asked", done)

    def seat_named(self, table: Table, text: str) -> int:
        """Return the seat that a command names, by its number (from 0) or the player's name; raises IllegalMove."""
        if text.isascii() and text.isdigit() and int(text) < len(table.seats):
            return int(text)
        found = [seat.seat for seat in table.seats if seat.name.casefold() == text.strip().casefold()]
        if len(found) != 1:
            raise IllegalMove(f"Nobody here is called {escaped(text)}. Choose one of the players offered.")
        return found[0]

    # Once more

    async def rematch(self, ask: Ask) -> None:
        """Open the lobby of a rematch, or join it."""
        user = ask.answer.interaction.user
        async with self._rematching:  # of several who press at once, one opens it and the others join
            follower = await self.service.store.rematch(ask.table.id)
            await self._check_rematch(ask, follower)
            lobby = await self.service.rematch(ask.table.id, user.id, user.display_name)
        if lobby.stage == "live":
            raise IllegalMove(f"You are playing it already: table {lobby.id} {_place(lobby)}.")
        await ask.acknowledge(f"You sit at table {lobby.id}, the rematch.")
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


def _replacing(table: Table, seat: int, *, seated: bool) -> Panel:
    """Return what a moderator is asked who wants somebody replaced."""
    name = escaped(table.seats[seat].name)
    buttons = [Button("Replace at once", "replace", f"{seat}/now", "bad")]
    if seated:
        buttons.insert(0, Button("Ask the others", "replace", f"{seat}/ask", "main"))
    text = f"An automaton then plays for {name}, who may come back at any time. You may decide it as a moderator."
    return Panel(f"Replace {name}?", text, rows=(tuple(buttons),))


def _check_replaceable(table: Table, seat: int) -> None:
    """Raise IllegalMove unless a person plays that seat of a live table."""
    if table.stage != "live":
        raise IllegalMove("The game has not begun." if table.stage == "lobby" else "The game is over.")
    if seat not in range(len(table.seats)):
        raise IllegalMove("There is no such seat.")
    if not table.seats[seat].person:
        raise IllegalMove("An automaton plays this seat already.")


def _place(table: Table) -> str:
    """Return where a table is, as a link."""
    return f"in <#{table.place}>" if table.place is not None else f"by /table show, table {table.id}"
