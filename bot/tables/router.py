"""The one place where presses, menus, forms and commands arrive, and where every refusal leaves.

A press is parsed from its custom id, so it works after a restart. A person's seat is looked up, never believed. What
the rules refuse is said in private with what was typed behind an *Edit* button; what nobody foresaw is said in
private with a code, and leaves a report that ``wordmoot replay`` plays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import discord
import msgspec
import structlog

from bot.games.game import IllegalMove
from bot.store.store import StoreError
from bot.tables.answer import Answer
from bot.tables.easel import Easel
from bot.tables.face import Button, Choice, Face, Form, Menu, Panel, Shown
from bot.tables.hands import Hands
from bot.tables.layout import Address, Epoch, escaped, filled, modal, typed
from bot.tables.lobby import options_panel
from bot.tables.publisher import Publisher, shown_of
from bot.tables.reports import Reports
from bot.tables.service import NoTable, Service, Stale, Table, Tally
from bot.tables.votes import (
    Question,
    Replace,
    electorate,
    question,
    replace_panel,
    rewind_panel,
    settled,
    standing,
)
from bot.tables.worker import Busy, Thinker

LATER = 0.02  # s

log = structlog.get_logger()

_forms = msgspec.json.Decoder(Form)
Interaction = discord.Interaction[Any]
# What a verb that belongs to no table does with a press: its answer, its address, what was chosen, what was typed.
Verb = Callable[[Answer, Address, tuple[str, ...], Mapping[str, str]], Awaitable[None]]


class Pressed:
    """One thing that a seated person did (``bot.tables.face.Press``)."""

    def __init__(
        self, router: Router, answer: Answer, table: Table, seat: int, address: Address,
        values: tuple[str, ...], fields: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.router = router
        self.answer = answer
        self.table = table.id
        self.seat = seat
        self.verb = address.verb
        self.arg = address.arg
        self.values = values
        self.fields = fields
        self.epoch = address.epoch
        self.game = table.game.key
        self._table = table

    @property
    def private(self) -> bool:
        """Whether what was pressed stands on an ephemeral panel."""
        return self.answer.is_press and self.answer.pressed_private

    async def view(self) -> Any:
        """Return what the person's seat may know now."""
        return await self.router.service.view(self.table, self.seat)

    async def shown(self) -> Shown:
        """Return names and the like for a private panel."""
        return shown_of(await self.router.service.table(self.table))

    async def play(self, move: Any, form: Form | None = None) -> bool:
        """Play the move; a refusal is told in private."""
        interaction = self.answer.interaction
        stamp = int(interaction.created_at.timestamp() * 1000)
        epoch, everyone = self.epoch or (None, False)
        try:
            committed = await self.router.service.play(
                self.table,
                self.seat,
                move,
                by=interaction.user.id,
                stamp=stamp,
                epoch=epoch,
                everyone=everyone,
            )
        except Stale:
            await self._refresh()
            return False
        except IllegalMove as refusal:
            await self.refuse(str(refusal), form)
            return False
        self.epoch = None  # the press has been spent; what follows is of the new state
        self.router.note(self, committed.seq, self.router.elapsed(interaction))
        return True

    async def say(self, text: str) -> None:
        """Tell the person something in private."""
        await self.answer.say(text)

    async def panel(self, panel: Panel) -> None:
        """Show the person a private panel of the present epoch."""
        look = await self.router.service.look(self.table, self.seat)
        await self.answer.panel(panel, self.table, Epoch(look.epoch))

    async def form(self, form: Form) -> None:
        """Open a form, or show a button that opens it where Discord allows no form now."""
        if await self.answer.modal(modal(form, self.table, None)):
            return
        await self._keep(form)
        await self.panel(Panel(form.title, rows=((Button("Open", "edit", form.verb, "main"),),)))

    async def refuse(self, reason: str, form: Form | None = None) -> None:
        """Say why not; what was typed is kept behind an *Edit* button."""
        if form is None or not self.fields:
            await self.answer.say(reason)
            return
        await self._keep(filled(form, dict(self.fields)))
        entered = " · ".join(
            f"`{text.replace('`', '')[:60]}`" for text in self.fields.values() if text.strip()
        )
        text = f"{reason}\n-# You typed: {entered}"
        await self.panel(Panel("Not like this", text, rows=((Button("Edit", "edit", form.verb, "main"),),)))

    async def done(self, text: str) -> None:
        """Answer a played move."""
        if self.private:
            await self.panel(Panel(text))
        elif self.answer.is_press:
            await self.answer.done()
        else:
            await self.answer.say(text)

    async def vote(self, purpose: str, yes: bool, *, carried: Any, lost: Any, least: int = 1) -> None:
        """Cast a vote of the people at the table; see ``Press``."""
        service = self.router.service
        table = await service.table(self.table)
        if len(table.persons) < least and yes:
            await self.say(f"At least {least} people must say so, and only you are here.")
            return
        tally = await service.vote(self.table, f"{purpose}/{table.seq}", self.seat, yes)
        if tally.lost or tally.carried:
            await service.play(self.table, None, carried if tally.carried else lost)
            await self.done("The vote is over.")
            return
        missing = ", ".join(escaped(table.seats[seat].name) for seat in tally.missing)
        await self.say(f"Your vote is in. Still to vote: {missing}.")

    async def check(self, words: Sequence[str]) -> None:
        """Raise IllegalMove for a word that is not in the dictionary."""
        unknown = [word for word in words if not self.router.service.lexicon.legal(word)]
        if unknown:
            raise IllegalMove(f"{unknown[0]} is not in the dictionary.")

    async def search(self, verb: str, view: Any) -> Any:
        """Let the worker process look something up for this view."""
        return await self.router.worker.search(self._table.game, verb, view, self.seat)

    async def _keep(self, form: Form) -> None:
        await self.router.service.set_draft(
            self.table, self.seat, f"form/{form.verb}", msgspec.json.encode(form)
        )

    async def _refresh(self) -> None:
        face = self.router.faces[self._table.game.key]
        hand = face.hand(await self.view(), await self.shown())
        note = "The table has moved on since that button was made. This is how it stands now."
        await self.panel(msgspec.structs.replace(hand, text=f"{note}\n{hand.text}"))


class Router:
    """Hears every interaction; see the module's docstring."""

    def __init__(
        self, service: Service, faces: Mapping[str, Face], easel: Easel, publisher: Publisher, hands: Hands,
        worker: Thinker, reports: Reports,
    ) -> None:  # fmt: skip
        self.service = service
        self.faces = faces
        self.easel = easel
        self.publisher = publisher
        self.hands = hands
        self.worker = worker
        self.reports = reports
        self.verbs: dict[str, Verb] = {}  # those that belong to no table (number 0); cogs add theirs

    def elapsed(self, interaction: Interaction) -> int:
        """Return the milliseconds since the interaction was made, by Discord's clock."""
        return self.service.now() - int(interaction.created_at.timestamp() * 1000)

    def note(self, press: Pressed, seq: int, elapsed: int) -> None:
        """Write a move's line of the log, never with a hand in it, once the answer is on its way."""
        line = partial(
            log.info, "move", table=press.table, game=press.game, seq=seq, seat=press.seat, verb=press.verb,
            ms=elapsed,
        )  # fmt: skip
        asyncio.get_running_loop().call_later(LATER, line)

    async def hear(self, interaction: Interaction) -> None:
        """Hear a press, a menu or a submitted form; what is none of ours is left alone."""
        data: Any = interaction.data or {}
        address = Address.parse(str(data.get("custom_id", "")))
        if address is None:
            return
        values = tuple(str(value) for value in data.get("values", ()))
        fields = typed(data["components"]) if "components" in data else {}
        await self.answer(
            interaction,
            address.table or None,
            lambda answer: self._press(answer, address, values, fields),
            notice=bool(address.table),
        )

    async def command(
        self, interaction: Interaction, game: str, verb: str, *, arg: str = "",
        values: tuple[str, ...] = (), fields: Mapping[str, str] | None = None, table: int | None = None,
    ) -> None:  # fmt: skip
        """Do by command what a button does at the person's table of this game."""

        async def act(answer: Answer) -> None:
            found = await self.find(interaction, game, table)
            await self._press(answer, Address(found.id, None, verb, arg), values, fields or {})

        await self.answer(interaction, table, act)

    async def find(
        self, interaction: Interaction, game: str | None = None, table: int | None = None
    ) -> Table:
        """Return the person's table that a command means; raises IllegalMove when that is not clear.

        The one named, else the one in this channel, else the only one, else the only one that waits for them.
        """
        mine = [
            found
            for found in await self.service.tables_of(interaction.user.id)
            if game is None or found.game.key == game
        ]
        if table is not None:
            mine = [found for found in mine if found.id == table]
        for choice in (
            [found for found in mine if found.place == interaction.channel_id],
            mine,
            [found for found in mine if found.stage == "live" and self._awaits(found, interaction.user.id)],
        ):
            if len(choice) == 1:
                return choice[0]
        if not mine:
            raise IllegalMove("You sit at no such table. Open one with /play, or join one.")
        raise IllegalMove("You sit at several tables. Name one with the option *table*.")

    def _awaits(self, table: Table, user: int) -> bool:
        seat = table.seat_of(user)
        return seat is not None and seat.awaited

    async def answer(
        self, interaction: Interaction, table: int | None, act: Callable[[Answer], Awaitable[None]],
        *, notice: bool = True,
    ) -> None:  # fmt: skip
        """Run ``act`` and turn whatever it raises into one private answer.

        ``notice``: add what the person should know about their private messages; where no table is meant it would be
        out of place, and after a deletion it would store them anew.
        """
        answer = Answer(interaction, self.easel)
        try:
            await act(answer)
            closed = notice and await self.hands.notice(interaction.user.id, self.service.now())
            if closed:
                await answer.say(closed)
        except IllegalMove as refusal:
            await answer.say(str(refusal))
        except Busy:
            await answer.say("I am busy with other tables. Nothing is lost; try again in a moment.")
        except StoreError:
            log.exception("store_failed", table=table)
            await answer.say("My memory does not answer, so nothing has changed. Try again in a moment.")
        except Exception as error:
            code = await self.reports.write(error, table)
            await answer.say(
                f"That should not have happened (code {code}). What was played before is safe; try again."
            )
        finally:
            answer.close()

    async def _press(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        if not address.table and address.verb in self.verbs:
            await self.verbs[address.verb](answer, address, values, fields)
            return
        try:
            table = await self.service.sitting(address.table)
        except NoTable as gone:
            raise IllegalMove("This table is gone.") from gone
        face = self.faces[table.game.key]
        if address.verb == "rules":
            await answer.panel(rules_panel(face, int(values[0]) if values else 0), table.id, None)
            return
        if address.verb == "end":
            await self.end(answer, table, address.arg)
            return
        own = getattr(self, f"_lobby_{address.verb}", None) or getattr(self, f"_table_{address.verb}", None)
        if own is not None:
            await own(answer, table, address, values)
            return
        seat = table.seat_of(answer.interaction.user.id)
        if seat is None:
            raise IllegalMove("You do not sit at this table. You are welcome to watch.")
        if table.stage == "lobby":
            raise IllegalMove("The game has not begun.")
        press = Pressed(self, answer, table, seat.seat, address, values, fields)
        if address.verb == "edit":
            await self._edit(press)
        else:
            await face.press(press)

    async def _edit(self, press: Pressed) -> None:
        body = (await self.service.drafts(press.table, press.seat)).get(f"form/{press.arg}")
        if body is None and (await self.service.table(press.table)).stage == "over":
            raise IllegalMove("The game is over.")
        if body is None:
            raise IllegalMove("What you typed is gone, since you have moved since then.")
        await press.form(_forms.decode(body))

    # The lobby: anybody may press these

    async def _lobby_join(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        user = answer.interaction.user
        await self.service.join(table.id, user.id, user.display_name)
        await self._acknowledge(answer)

    async def _lobby_leave(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        await self.service.leave(table.id, answer.interaction.user.id)
        await self._acknowledge(answer)

    async def _lobby_start(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        await self.service.start(table.id, answer.interaction.user.id)
        await self._acknowledge(answer)

    async def _lobby_options(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        if table.stage != "lobby":
            raise IllegalMove("The game has begun; its options are fixed.")
        await answer.panel(options_panel(table, self.faces[table.game.key]), table.id, None)

    async def _lobby_set(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        face = self.faces[table.game.key]
        options = face.chosen(table.options, address.arg, values[0])
        changed = await self.service.set_options(table.id, options, answer.interaction.user.id)
        await answer.panel(options_panel(changed, face), table.id, None)

    async def _lobby_automaton(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        await self.service.add_automaton(table.id, int(values[0]), answer.interaction.user.id)
        await self._acknowledge(answer)

    async def _lobby_unseat(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        await self.service.remove_automaton(table.id, answer.interaction.user.id)
        await self._acknowledge(answer)

    async def _acknowledge(self, answer: Answer) -> None:
        if answer.is_press:
            await answer.done()
        else:
            await answer.say("Done.")

    # Questions to the people at a table

    async def propose_replace(self, table: Table, seat: int, by: int | None = None, why: str = "") -> Tally:
        """Ask the people at a table whether an automaton shall play a seat from now on.

        ``by`` is the seat that proposes it, which thereby agrees; None is the host. When all the others agree (or
        there is nobody else) it is done at once, else it is announced; ``why`` then stands before the question.
        Raises IllegalMove.
        """
        asked = Replace(seat)
        _replaceable(table, seat)
        tally = await self._asked(table, asked, by)
        if tally.carried:
            await self._carry(table, asked)
            return tally
        name = "I propose it" if by is None else f"{escaped(table.seats[by].name)} proposes it"
        text = "\n".join(part for part in (why, f"{name}.", standing(table, tally)) if part)
        await self.publisher.announce(table, replace_panel(table, seat, text))
        return tally

    async def _asked(self, table: Table, asked: Question, by: int | None) -> Tally:
        """Open a question anew, with the answer of who asks it."""
        await self.service.close_vote(table.id, asked.purpose)
        without = _without(table, asked)
        if by is None:
            return await self.service.tally(table.id, asked.purpose, without=without)
        return await self.service.vote(table.id, asked.purpose, by, True, without=without)

    async def _carry(self, table: Table, asked: Question) -> str:
        """Do what all have agreed to; returns what to say of it."""
        await self.service.close_vote(table.id, asked.purpose)
        if isinstance(asked, Replace):
            await self.service.replace(table.id, asked.seat)
            return f"An automaton plays for {escaped(table.seats[asked.seat].name)} from now on."
        await self.service.rewind(table.id, asked.seq)
        return f"The table is back at move {asked.seq}."

    async def _table_vote_for(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        await self._vote(answer, table, address.arg, True)

    async def _table_vote_against(
        self, answer: Answer, table: Table, address: Address, values: tuple[str, ...]
    ) -> None:
        await self._vote(answer, table, address.arg, False)

    async def _vote(self, answer: Answer, table: Table, purpose: str, yes: bool) -> None:
        asked = question(purpose)
        if asked is None:
            raise IllegalMove("This question belongs to another version of me.")
        seat = self._own_seat(answer, table)
        table = await self.service.table(table.id)
        void = _void(table, asked)
        if void is not None:
            await answer.replace(settled("This question is closed", void), table.id)
            return
        if seat not in electorate(table, asked):
            raise IllegalMove("This is about you, so the others decide. Play, and nobody needs an automaton.")
        tally = await self.service.vote(table.id, purpose, seat, yes, without=_without(table, asked))
        if tally.lost:
            await self.service.close_vote(table.id, purpose)
            name = escaped(table.seats[seat].name)
            await answer.replace(
                settled("Not everyone agrees", f"{name} does not, so all stays as it is."), table.id
            )
            return
        if tally.carried:
            await answer.replace(settled("Everyone agrees", await self._carry(table, asked)), table.id)
            return
        text = standing(table, tally)
        panel = (
            replace_panel(table, asked.seat, text)
            if isinstance(asked, Replace)
            else rewind_panel(asked, text)
        )
        await answer.replace(panel, table.id)

    def _own_seat(self, answer: Answer, table: Table) -> int:
        """Return the seat of who pressed; raises IllegalMove for who has none."""
        seat = table.seat_of(answer.interaction.user.id)
        if seat is None:
            raise IllegalMove("You do not sit at this table. You are welcome to watch.")
        if not seat.person:
            raise IllegalMove("An automaton plays for you. Come back with /table return first.")
        return seat.seat

    # Ending a table

    async def end(self, answer: Answer, table: Table, how: str = "") -> None:
        """End a table: after a confirmation, when all people there want it; a moderator may at any time."""
        user = answer.interaction.user
        if how == "moderator":
            if not self.moderates(answer.interaction):
                raise IllegalMove("Only who may manage this server can do that.")
            await self.service.end(table.id)
            await answer.say("The table is closed; nothing is recorded.")
            return
        if how != "sure":
            rows: list[tuple[Button, ...]] = []
            if table.seat_of(user.id) is not None:
                rows.append((Button("End the table", "end", "sure", "bad"),))
            if self.moderates(answer.interaction):
                rows.append((Button("Close it as a moderator", "end", "moderator", "bad"),))
            if not rows:
                raise IllegalMove("You do not sit at this table.")
            text = "It ends when everyone at the table wants it."
            if table.stage == "live" and await self.service.forfeit(table.id) is not None:
                text += " That counts as a defeat."
            await answer.panel(Panel("End the table?", text, rows=tuple(rows)), table.id, None)
            return
        tally = await self.service.end(table.id, user.id)
        if tally.carried:
            await answer.say("The table is closed.")
            return
        missing = ", ".join(escaped(table.seats[seat].name) for seat in tally.missing)
        await answer.say(f"You want to end the table. Still to agree: {missing}.")
        name = escaped(answer.interaction.user.display_name)
        await self.publisher.announce(
            table, f"{name} wants to end the table. Still to agree, by `/table end`: {missing}."
        )

    async def overseen(self, interaction: Interaction, table: int | None) -> Table | None:
        """Return the table that a moderator means, who need not sit there: the one named, or the one in this channel."""
        if interaction.guild_id is None or not self.moderates(interaction):
            return None
        found = [
            one
            for one in await self.service.live_tables(interaction.guild_id)
            if one.id == table or (table is None and one.place == interaction.channel_id)
        ]
        return found[0] if len(found) == 1 else None

    def moderates(self, interaction: Interaction) -> bool:
        """Whether the person may manage the server."""
        return interaction.guild_id is not None and interaction.permissions.manage_guild


def _without(table: Table, asked: Question) -> frozenset[int]:
    """Return the seats that have no vote in a question."""
    return frozenset(range(len(table.seats))) - frozenset(electorate(table, asked))


def _replaceable(table: Table, seat: int) -> None:
    """Raise IllegalMove unless a person plays that seat of a live table."""
    if table.stage != "live":
        raise IllegalMove("The game has not begun." if table.stage == "lobby" else "The game is over.")
    if seat not in range(len(table.seats)):
        raise IllegalMove("There is no such seat.")
    if not table.seats[seat].person:
        raise IllegalMove("An automaton plays this seat already.")


def _void(table: Table, asked: Question) -> str | None:
    """Return why a question has no sense any more, or None."""
    if table.stage != "live":
        return "The game is over."
    if isinstance(asked, Replace):
        return None if table.seats[asked.seat].person else "An automaton plays this seat already."
    if table.seq != asked.last:
        return "The table has moved on since it was asked. Ask again from /table log."
    return None


def rules_panel(face: Face, page: int) -> Panel:
    """Return one page of a game's rules with a menu of all."""
    pages = face.rules()
    page = page if page in range(len(pages)) else 0
    title, text = pages[page]
    choices = tuple(
        Choice(heading, str(number), chosen=number == page) for number, (heading, _) in enumerate(pages)
    )
    return Panel(title, text, rows=(Menu("rules", "Another page", choices),))
