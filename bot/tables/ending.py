"""The end of a table before its time: who may decide it, who is asked, and what it amounts to.

Rulings of ours: who may end a live table is the server's to say; who manages the server may always, there. A private
table is its player's own: no server has a say in it.
"""

from __future__ import annotations

from bot.games.game import IllegalMove
from bot.tables.ask import NO_MODERATOR, OVER, Ask, oversees
from bot.tables.face import Button, Panel
from bot.tables.layout import escaped
from bot.tables.questions import UNASKED, Questions
from bot.tables.servers import Servers
from bot.tables.service import Service
from bot.tables.table import Table
from bot.tables.votes import End, question_panel, settled, standing, title

ATTEMPT = "It counts as your attempt, with 0 points."


class Ending:
    """Ends tables."""

    def __init__(self, service: Service, servers: Servers, questions: Questions) -> None:
        self.service = service
        self.servers = servers
        self.questions = questions

    async def end(self, ask: Ask) -> None:
        """End a table after a confirmation, as the server has settled who may; a moderator may at any time."""
        async with self.questions.lock(ask.table.id):
            await self._ended(ask)

    async def _ended(self, ask: Ask) -> None:
        table, how = await self.service.table(ask.table.id), ask.arg
        moderator = oversees(ask.answer.interaction, table)
        if await self.questions.settled(ask):
            return
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
            await ask.tell("Closed", "The table is closed; nothing is recorded.")
            return
        alone, forbidden = await self._may_end(table, ask.user)
        if how != "sure":
            await ask.answer.panel(
                await self._ending(ask, table, moderator, alone, forbidden), table.id, None
            )
            return
        if forbidden is not None:
            raise IllegalMove(forbidden)
        await self._agree_to_end(ask, table, alone)

    async def _agree_to_end(self, ask: Ask, table: Table, alone: bool) -> None:
        asked = End()
        before = (await self.service.store.votes(table.id)).get(asked.purpose, {})
        with self.questions.cards.held(table.id):
            tally = await self.service.end(table.id, ask.user, alone=alone)
            if tally.carried or alone:
                agreed = "" if alone else "Everyone agrees."
                if ask.card is None:
                    await ask.tell("Closed", "The table is closed.")
                await self.questions.answer(
                    ask, table, asked, settled(table, asked, "The table is closed.", agreed)
                )
                return
        text = await self.worth(table, standing(table, tally))
        panel = question_panel(table, asked, text)
        if ask.card is not None:
            await ask.answer.replace(panel, table.id)
        shown = await self.questions.cards.show(
            table.id, await self.questions.cards.of(table.id, asked.purpose), panel, but=ask.card
        )
        if ask.card is not None:
            return
        mine = table.seat_of(ask.user)
        again = mine is not None and mine.seat in before  # who asks once more wants it to be seen
        if again or not shown:
            shown |= await self.questions.put(table, asked, panel)
        if shown:
            await ask.tell("The others are asked", standing(table, tally))
        else:  # who hears of it otherwise can agree all the same, so it stands
            text = (
                f"{UNASKED} That you agree is noted; they can agree by /table end.\n{standing(table, tally)}"
            )
            await ask.tell("Nobody could be asked", text)

    async def _keep(self, ask: Ask, table: Table) -> None:
        """Disagree with ending the table: then nobody is asked any more."""
        asked, seat = End(), ask.seat()
        await self.service.close_vote(table.id, asked.purpose)
        said = f"{escaped(table.seats[seat].name)} would rather play on, so the game goes on."
        await self.questions.answer(ask, table, asked, settled(table, asked, said, "Not everyone agrees."))

    async def worth(self, table: Table, text: str) -> str:
        """Return the text with what it amounts to when its people end a live table, where it is recorded."""
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
        if table.stage == "lobby":
            text = "The lobby closes for all who sit there."
        elif forbidden is not None:
            text = "The game ends at once for all who play."
        else:
            alone = alone or len(table.persons) == 1
            text = "You alone decide." if alone else "It ends when everyone at the table wants it."
            text = await self.worth(table, text)
        if moderator and table.stage == "live":
            text += "\nClosed by a moderator, nothing is recorded."
        mine = table.seat_of(ask.user)
        if table.stage == "live" and mine is not None:
            rows.append(Button("Back", "more"))
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
