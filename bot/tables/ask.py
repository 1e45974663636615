"""What somebody wants of a table beside a move, how they are answered, and who may decide for others."""

from __future__ import annotations

from typing import Any, NamedTuple

import discord

from bot.games.game import IllegalMove
from bot.tables.answer import Answer
from bot.tables.face import Panel
from bot.tables.layout import escaped
from bot.tables.table import Table

OVER = "The game is over."
NO_MODERATOR = "Only who may manage the table's server can do that, and only there."


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

    def seat(self) -> int:
        """Return the seat of who asks; raises IllegalMove for who has none or has left it to an automaton."""
        seat = self.table.seat_of(self.user)
        if seat is None:
            raise IllegalMove("You do not sit at this table. You are welcome to watch.")
        if not seat.person:
            raise IllegalMove("An automaton plays for you. Take your seat back with /table return first.")
        return seat.seat

    async def tell(self, title: str, text: str) -> None:
        """Say how it went: in place of the private panel that was pressed, else as a private message."""
        if self.answer.is_press and self.answer.pressed_private:
            await self.answer.panel(Panel(title, text), self.table.id, None)
        else:
            await self.answer.say(text)

    async def acknowledge(self, text: str) -> None:
        """Answer what the board or the channel shows anyway: only a command, or a private panel, needs words."""
        if self.answer.is_press and not self.answer.pressed_private:
            await self.answer.done()
        else:
            await self.tell("Done", text)


def moderates(interaction: discord.Interaction[Any]) -> bool:
    """Whether a person may manage the server in which they are."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def oversees(interaction: discord.Interaction[Any], table: Table) -> bool:
    """Whether a person decides at a table as a moderator: they are in its server and may manage it, and it is shown there.

    What somebody plays in private is no moderator's affair, and nobody's own to close without a record.
    """
    return table.place is not None and table.guild == interaction.guild_id and moderates(interaction)
