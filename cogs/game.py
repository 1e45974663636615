"""What the cogs of all games share: a command does what a button does, and choices are offered as one types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from discord import app_commands
from discord.ext import commands

from bot.games.game import IllegalMove, Words
from bot.tables.face import LIMITS
from bot.tables.router import Interaction, Router
from bot.tables.table import Table
from bot.tables.wording import cut
from cogs.tables import Tables

LONGEST = 100  # characters of a choice's name or value

Offers = list[app_commands.Choice[str]]


class GameCog(commands.Cog):
    """The base of a game's cog; ``key`` is the game's.

    ``beginnings``: what a newcomer may want at once, the label of a button and the command without options that it runs.
    """

    key: ClassVar[str]
    beginnings: ClassVar[tuple[tuple[str, str], ...]] = ()

    def __init__(self, router: Router, tables: Tables) -> None:
        self.router = router
        self.tables = tables

    async def do(
        self, interaction: Interaction, verb: str, table: int | None, arg: str = "", **fields: str
    ) -> None:
        """Do what the button with this verb and argument does, or the form with these fields."""
        await self.router.command(interaction, self.key, verb, arg=arg, fields=fields, table=table)

    async def meant(self, interaction: Interaction) -> tuple[Any, Words]:
        """Return the person's view of the table that a command with these options would mean, and its judge of words.

        Raises IllegalMove.
        """
        table = await self.router.finder.find(interaction, self.key, interaction.namespace.table)
        if table.stage != "live":
            raise IllegalMove("The game has not begun.")
        service = self.router.service
        view = await self.view_of(table, interaction.user.id)
        return view, Words(service.lexicon, await service.known(table.id))

    async def view_of(self, table: Table, user: int) -> Any:
        """Return a person's view of a table; raises IllegalMove."""
        seat = table.seat_of(user)
        if seat is None:
            raise IllegalMove("You do not sit at this table.")
        return await self.router.service.view(table.id, seat.seat)


def offers(choices: Iterable[tuple[str, str]], typed: str) -> Offers:
    """Return choices, (name, value) each, whose name holds what was typed: as many, and as long, as Discord takes.

    What a name tells after a ``·`` is there to be read only.
    """
    wanted = typed.casefold()
    found = [
        app_commands.Choice(name=cut(name, LONGEST), value=value)
        for name, value in choices
        if wanted in name.partition(" · ")[0].casefold()
    ]
    return found[: LIMITS["choices"]]
