"""The one place where presses, menus, forms and commands arrive, and where every refusal leaves.

A press is parsed from its custom id, so it works after a restart. A person's seat is looked up, never believed. What
the rules refuse is said in private with what was typed behind an *Edit* button; what nobody foresaw is said in
private with a code, and leaves a report that ``wordmoot replay`` plays.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import discord
import msgspec
import structlog

from bot.games.game import IllegalMove, Words
from bot.store.database import StoreError
from bot.tables.answer import Answer
from bot.tables.ask import Ask
from bot.tables.boards import dressed_hand, shown_of, still_hand_of
from bot.tables.company import Company
from bot.tables.easel import Easel
from bot.tables.face import Button, Face, Form, Panel, Row, Shown
from bot.tables.finding import Finder
from bot.tables.hands import Hands
from bot.tables.layout import Address, Epoch, below, escaped, filled, modal, typed
from bot.tables.lobby import lobby_panel
from bot.tables.publisher import Publisher
from bot.tables.reports import Reports
from bot.tables.rulebook import rules_page, turned
from bot.tables.seating import Seating
from bot.tables.servers import Servers
from bot.tables.service import Service
from bot.tables.table import Full, Look, NoTable, Stale, Table
from bot.tables.tidy import Tidy
from bot.tables.worker import Busy, Thinker

LATER = 0.02  # s
FINISHING = 3.0  # s
SHARED = "shared/"  # the notice that holds where a person has shared what
WATCHING = Panel(
    "You are watching",
    "Everything on the board is open to you, and so are the log and the rules. When the next lobby opens, press *Join*.",
    rows=((Button("Log", "log"), Button("Rules", "rules", "more")),),
)

log = structlog.get_logger()

_forms = msgspec.json.Decoder(Form)
Interaction = discord.Interaction[Any]
# What a verb that belongs to no table does with a press: its answer, its address, what was chosen, what was typed.
Verb = Callable[[Answer, Address, tuple[str, ...], Mapping[str, str]], Awaitable[None]]
Command = Callable[[Interaction], Awaitable[None]]
RUN = "run"  # the verb of a button that does what a command does; its argument is the command's name


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
        self._seen: int | None = None  # the seat's epoch when its view was asked for
        self._undoable: int | None = None  # the move that was just played, when it can be taken back

    @property
    def private(self) -> bool:
        """Whether what was pressed stands on an ephemeral panel."""
        return self.answer.is_press and self.answer.pressed_private

    @property
    def on_hand(self) -> bool:
        """Whether it stands on the person's hand in a private channel."""
        return self.answer.on_hand

    @property
    def silent(self) -> bool:
        """Whether ``done`` says nothing."""
        return not self.private and (self.answer.is_press or self.on_hand)

    async def view(self) -> Any:
        """Return what the person's seat may know now."""
        return (await self._look()).view

    async def shown(self) -> Shown:
        """Return names and the like for a private panel."""
        return shown_of(await self.router.service.table(self.table))

    async def words(self) -> Words:
        """Return what may be asked about words at this table."""
        service = self.router.service
        return Words(service.lexicon, await service.known(self.table))

    async def play(
        self, move: Any, form: Form | None = None, *, fresh: bool = False, again: Callable[[], Awaitable[None]] | None = None,
    ) -> bool:  # fmt: skip
        """Play the move; a refusal is told in private."""
        interaction = self.answer.interaction
        stamp = int(interaction.created_at.timestamp() * 1000)
        epoch, everyone = self.epoch or (self._seen if fresh else None, False)
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
            self.epoch = self._seen = None
            if again is None:
                await self._refresh(form)
            else:
                await again()
            return False
        except IllegalMove as refusal:
            await self.refuse(str(refusal), form)
            return False
        self.epoch = self._seen = None  # the press has been spent; what follows is of the new state
        self._undoable = None if committed.undo == "never" else committed.seq
        self.router.note(self, committed.seq, self.router.elapsed(interaction))
        return True

    async def say(self, text: str) -> None:
        """Tell the person something in private."""
        await self.answer.say(text)

    async def panel(self, panel: Panel) -> None:
        """Show the person a private panel, good for the epoch of the view that it was made from."""
        await self.answer.panel(panel, self.table, await self._epoch())

    async def form(self, form: Form) -> None:
        """Open a form, or show a button that opens it where Discord allows no form now."""
        epoch = await self._epoch() if form.bound else None
        if await self.answer.modal(modal(form, self.table, epoch)):
            return
        await self._keep(form)
        await self.panel(Panel(form.title, rows=((Button("Open", "edit", form.verb, "main"),),)))

    async def hand(self, panel: Panel) -> None:
        """Show the person their own panel."""
        await self.panel(dressed_hand(await self._look(), panel))

    async def _look(self) -> Look:
        look = await self.router.service.look(self.table, self.seat)
        self._seen = look.epoch
        return look

    async def _epoch(self) -> Epoch:
        if self._seen is None:
            await self.view()
        assert self._seen is not None
        return Epoch(self._seen)

    async def refuse(self, reason: str, form: Form | None = None, *, around: Panel | None = None) -> None:
        """Say why not; what was typed is kept behind an *Edit* button."""
        over = (await self.router.service.table(self.table)).stage == "over"
        if form is None or not self.fields or over:
            await self.router.refuse(self.answer, self.table, reason)
            return
        await self._keep(filled(form, dict(self.fields)))
        entered = " · ".join(
            f"`{text.replace('`', '')[:60]}`" for text in self.fields.values() if text.strip()
        )
        text = f"{reason}\n-# You typed: {entered}"
        edit: Row = (Button("Edit", "edit", form.verb, "main"),)
        if around is None or not self.answer.pressed_private:
            await self.panel(Panel("Not like this", text, rows=(edit,)))
            return
        hand = dressed_hand(await self._look(), around)
        await self.panel(below(msgspec.structs.replace(hand, rows=(edit, *hand.rows)), text))

    async def done(self, text: str) -> None:
        """Answer a played move."""
        if self.private:
            undo = self._undoable
            rows: tuple[Row, ...] = () if undo is None else ((Button("Undo", "undo", str(undo)),),)
            await self.panel(Panel(text, rows=rows))
        elif self.silent:
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
            await service.play(self.table, None, carried if tally.carried else lost, last=table.seq)
            await self.done("Everyone agrees." if tally.carried else "Not everyone agrees.")
            return
        missing = ", ".join(escaped(table.seats[seat].name) for seat in tally.missing)
        await self.say(f"Your vote is in. Still to vote: {missing}.")

    async def check(self, words: Sequence[str]) -> None:
        """Raise IllegalMove for a word that is not in the dictionary."""
        legal = (await self.words()).legal
        unknown = [word for word in words if not legal(word)]
        if unknown:
            raise IllegalMove(f"{unknown[0]} is not in the dictionary.")

    async def search(self, verb: str, view: Any) -> Any:
        """Let the worker process look something up for this view."""
        self.router.hints.ask(self.answer.interaction.user.id)
        known = await self.router.service.known(self.table)
        return await self.router.worker.search(self._table.game, verb, view, self.seat, known)

    async def share(self, panel: Panel) -> None:
        """Show a panel to everyone in the channel in which it was pressed, once a table."""
        await self.router.share(self.answer, self.table, panel)

    async def _keep(self, form: Form) -> None:
        await self.router.service.set_draft(
            self.table, self.seat, f"form/{form.verb}", msgspec.json.encode(form)
        )

    async def _refresh(self, form: Form | None) -> None:
        if form is not None and self.fields:
            await self.refuse(
                "The table has moved on since you opened that. Look again; what you typed is kept.", form
            )
            return
        look = await self._look()
        note = "The table has moved on since that button was made. This is how it stands now."
        await self.panel(below(still_hand_of(self.router.faces[look.table.game.key], look), note))


class Hints:
    """Lets each person have something looked up once in ``gap`` seconds."""

    def __init__(self, now: Callable[[], int], gap: float) -> None:
        self._now = now
        self._gap = round(gap * 1000)
        self._last: OrderedDict[int, int] = OrderedDict()  # by person, the oldest first

    def ask(self, user: int) -> None:
        """Note that a person asks; raises IllegalMove when they have just asked."""
        now = self._now()
        wait = self._last.get(user, now - self._gap) + self._gap - now
        if wait > 0:
            seconds = -(-wait // 1000)
            raise IllegalMove(f"Hints take me a while. Ask again in {seconds} second{'s' * (seconds != 1)}.")
        self._last[user] = now
        self._last.move_to_end(user)
        while self._last and next(iter(self._last.values())) <= now - self._gap:
            self._last.popitem(last=False)


class Router:
    """Hears every interaction; see the module's docstring.

    Args:
        hint_gap: seconds between two hints for one person.
    """

    def __init__(
        self, service: Service, faces: Mapping[str, Face], easel: Easel, publisher: Publisher, hands: Hands,
        worker: Thinker, reports: Reports, servers: Servers, *, hint_gap: float = 5.0,
    ) -> None:  # fmt: skip
        self.service = service
        self.faces = faces
        self.easel = easel
        self.publisher = publisher
        self.hands = hands
        self.worker = worker
        self.reports = reports
        self.servers = servers
        self.company = Company(service, faces, publisher, servers)
        self.seating = Seating(service, faces)
        self.finder = Finder(service, faces)
        self.hints = Hints(service.now, hint_gap)
        self.verbs: dict[str, Verb] = {}  # those that belong to no table (number 0); cogs add theirs
        # Those that mean no table even where they stand on a table's panel.
        self.anywhere: dict[str, Verb] = {}
        self.commands: dict[str, Command] = {}  # what a button may run; each gives an answer of its own
        self.tidy = Tidy(service.now)
        self._answering: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Wait until everyone who has asked has been answered, but for ``FINISHING`` s at most."""
        if self._answering:
            await asyncio.wait(self._answering, timeout=FINISHING)
        await self.tidy.close()

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
        if not address.table and address.verb == RUN and address.arg in self.commands:
            await self.commands[address.arg](interaction)
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
            found = await self.finder.find(interaction, game, table)
            await self._press(answer, Address(found.id, None, verb, arg), values, fields or {})

        await self.answer(interaction, table, act)

    async def begin(self, answer: Answer, game: str, options: Any, *, note: str = "") -> None:
        """Begin a private table for one person alone and show them its hand, below ``note``.

        It counts for the server in which they ask, and is shown in no channel. Raises IllegalMove.
        """
        user, guild = answer.interaction.user, answer.interaction.guild_id
        table = await self.service.open(game, guild, None, user.id, user.display_name, options, private=True)
        try:
            await self.service.start(table.id, user.id)
        except IllegalMove:
            await self.service.end(table.id)
            raise
        await self.show_hand(answer, table.id, note=note)

    async def show_hand(self, answer: Answer, table: int, *, note: str = "") -> None:
        """Show a seated person their hand at a live table, below ``note``; in a private channel it comes by itself."""
        found = await self.service.table(table)
        seat = found.seat_of(answer.interaction.user.id)
        if seat is None:
            raise IllegalMove("You do not sit at this table.")
        look = await self.service.look(table, seat.seat)
        await answer.panel(
            below(still_hand_of(self.faces[found.game.key], look), note), table, Epoch(look.epoch)
        )

    async def share(self, answer: Answer, table: int, panel: Panel) -> None:
        """Show a panel of a table to everyone in the channel, once; raises IllegalMove when that was done already."""
        interaction = answer.interaction
        if interaction.guild_id is None:
            raise IllegalMove("Here nobody else would see it. Share it in a channel of a server.")
        kind = f"{SHARED}{table}/{interaction.channel_id}"
        if not await self.service.store.notify_once(interaction.user.id, kind, self.service.now()):
            raise IllegalMove("You have shared that here already.")
        await answer.share(panel, table)

    async def answer(
        self, interaction: Interaction, table: int | None, act: Callable[[Answer], Awaitable[None]],
        *, notice: bool = True,
    ) -> None:  # fmt: skip
        """Run ``act`` and turn whatever it raises into one private answer.

        ``notice``: add what the person should know about their private messages; where no table is meant it would be
        out of place, and after a deletion it would store them anew.
        """
        answer = Answer(interaction, self.easel, table or 0)
        task = asyncio.current_task()
        assert task is not None
        self._answering.add(task)
        try:
            try:
                await act(answer)
                closed = notice and await self.hands.notice(interaction.user.id, self.service.now())
                if closed:
                    await answer.say(closed)
            except IllegalMove as refusal:
                own = await self.finder.own(interaction, refusal.guild) if isinstance(refusal, Full) else ""
                await self.refuse(answer, table, f"{refusal} {own}".rstrip())
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
            self.tidy.used(interaction.user.id, answer.table, answer.shown, answer.pressed)
            self._answering.discard(task)

    async def refuse(self, answer: Answer, table: int | None, reason: str) -> None:
        """Say why not. In place of a private panel that was pressed: how its table stands now, with the reason below.

        So no such panel outlives what it was for, and a person goes on from where they are told.
        """
        now = await self._standing(answer, table) if table and answer.pressed_private else None
        if now is None or table is None:
            await answer.say(reason)
            return
        panel, epoch = now
        await answer.panel(below(panel, f"**Not done.** {reason}"), table, epoch)

    async def _standing(self, answer: Answer, table: int) -> tuple[Panel, Epoch | None] | None:
        """Return a person's hand, or the lobby of a table that has not begun; None for who watches a game."""
        try:
            found = await self.service.table(table)
        except IllegalMove:  # it is gone, or its record is damaged
            return None
        face = self.faces[found.game.key]
        if found.opened == 0:
            return lobby_panel(found, face), None
        seat = found.seat_of(answer.interaction.user.id)
        if seat is not None:
            look = await self.service.look(table, seat.seat)
            return still_hand_of(face, look), Epoch(look.epoch)
        pressed = Address.parse(str(dict(answer.interaction.data or {}).get("custom_id", "")))
        if pressed is not None and pressed.verb in self.seating.verbs:  # a copy of a lobby that is no more
            return Panel(found.game.title), None
        return None

    async def _press(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        free = self.anywhere if address.table else {**self.verbs, **self.anywhere}
        if address.verb in free:
            await free[address.verb](answer, address, values, fields)
            return
        try:
            table = await self.service.sitting(address.table)
        except NoTable as gone:
            raise IllegalMove("This table is gone.") from gone
        face = self.faces[table.game.key]
        if address.verb == "rules":
            page, source = turned(address.arg, values)
            if not source and table.stage == "live":
                source = "more"  # where a button stands that names no source
            back = Button("Back", source) if source and answer.pressed_private else None
            await answer.panel(rules_page(face, page, source, back), table.id, None)
            return
        act = self.company.verbs.get(address.verb) or self.seating.verbs.get(address.verb)
        if act is not None:
            await act(Ask(answer, table, address.arg, values))
            return
        seat = table.seat_of(answer.interaction.user.id)
        if seat is None and address.verb == "more":
            await answer.panel(WATCHING, table.id, None)
            return
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
