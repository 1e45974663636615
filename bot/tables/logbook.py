"""The log of a table as people read it, and moves that they take back.

Rulings of ours: the log is for everybody who can read the table's channel, as everyone heard it; whoever sits there reads
what their seat has heard. Taking back to an earlier move is put to all at the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from bot.games.game import IllegalMove
from bot.games.log import written
from bot.tables.ask import Ask
from bot.tables.boards import still_hand_of
from bot.tables.chronicle import Line, later, lines, log_panel, turned
from bot.tables.face import Button, Face, Panel
from bot.tables.layout import Epoch
from bot.tables.questions import Questions, check_open, moves_told
from bot.tables.service import Service
from bot.tables.table import NotLive, Table, Unreadable
from bot.tables.votes import Rewind, standing, title


class Logbook:
    """The logs of all tables."""

    def __init__(self, service: Service, faces: Mapping[str, Face], questions: Questions) -> None:
        self.service = service
        self.faces = faces
        self.questions = questions

    async def log(self, ask: Ask) -> None:
        """Show a page of the log as the person may know it."""
        table, told = await self._log(ask)
        panel = log_panel(
            table,
            told,
            last=turned(ask.arg),
            earliest=await self._earliest(table, ask.user),
            back=_back(ask, table),
        )
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
        seat = ask.seat()
        expected = int(ask.arg) if ask.arg else None
        committed = await self.service.undo(ask.table.id, seat, ask.user, expected=expected)
        assert committed.undone is not None
        table = await self.service.table(ask.table.id)
        said = f"Taken back: {await self._move(table, committed.undone, seat)}"
        if not ask.answer.pressed_private:
            await ask.answer.say(f"{said}\n-# Table {table.id}.")
            return
        look = await self.service.look(table.id, seat)
        hand = still_hand_of(self.faces[table.game.key], look)
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
        ask.seat()
        table, told = await self._log(ask)
        seq = int(ask.values[0])
        gone = later(told, seq)
        if not gone:
            raise IllegalMove("Nothing has been played since then.")
        earliest = await self.service.revocable(table.id)
        if seq < earliest and gone[0].seq <= earliest:
            raise IllegalMove("Something hidden came to light since then, so those moves stay.")
        alone = len(table.persons) == 1
        text = moves_told(gone) + ("" if alone else "\nEveryone at the table has to agree.")
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
        seat = ask.seat()
        seq, last = (int(part) for part in ask.arg.split("/"))
        asked = Rewind(seq, last)
        async with self.questions.lock(ask.table.id):
            table = await self.service.table(ask.table.id)
            check_open(table, asked)
            tally = await self.questions.open(table, asked, seat)
            if tally.carried:
                with self.questions.cards.held(table.id):
                    await ask.tell("Taken back", await self.questions.carry(table, asked, ask.user))
                return
            await self.questions.put_or_drop(table, asked, await self.questions.panel(table, asked, tally))
            await ask.tell("The others are asked", standing(table, tally))

    async def _log(self, ask: Ask) -> tuple[Table, tuple[Line, ...]]:
        """Return the table and its lines for this reader."""
        table = await self._readable(ask)
        seat = table.seat_of(ask.user)
        viewer = None if seat is None else seat.seat
        history = () if table.opened == 0 else await self.service.history(table.id)
        return table, self._lines(table, history, viewer)

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


def _back(ask: Ask, table: Table) -> Button | None:
    """Return the way back from the log to where it was opened, or None where it was opened by no private panel."""
    if not (ask.answer.is_press and ask.answer.pressed_private) or table.opened == 0:
        return None
    if table.stage == "live":
        return Button("Back", "more")
    return None if table.seat_of(ask.user) is None else Button("Back", "hand")
