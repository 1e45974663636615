"""Which table somebody means who does not say so, or says it by its number."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import discord

from bot.games.game import IllegalMove
from bot.tables.ask import moderates
from bot.tables.layout import escaped
from bot.tables.ledger import Ledger
from bot.tables.table import NoTable, Table

LISTED = 8  # tables from which somebody has to choose
NAME_ONE = "Name one with the option *table*."

Interaction = discord.Interaction[Any]


class Finder:
    """Finds tables. ``games``: the keys of those that can be opened."""

    def __init__(self, ledger: Ledger, games: Collection[str]) -> None:
        self.ledger = ledger
        self.games = games

    async def find(
        self,
        interaction: Interaction,
        game: str | None = None,
        table: int | None = None,
        *,
        live: bool = False,
    ) -> Table:
        """Return the person's table that a command means; raises IllegalMove when that is not clear.

        The one named, else the one in this channel, else the only one, else the only one that waits for them. What is
        for a game that has begun (``live``), as each command of a game of its own is, means no lobby while there is one.
        """
        mine = [
            found
            for found in await self.ledger.tables_of(interaction.user.id)
            if game is None or found.game.key == game
        ]
        if table is None and (live or game is not None):
            mine = [found for found in mine if found.stage == "live"] or mine
        if table is not None:
            named = [found for found in mine if found.id == table]
            if not named:
                await self._explain(interaction.user.id, table)
            mine = named
        for choice in (
            [found for found in mine if found.place == interaction.channel_id],
            mine,
            [found for found in mine if found.stage == "live" and _awaits(found, interaction.user.id)],
        ):
            if len(choice) == 1:
                return choice[0]
        if not mine and table is not None:
            raise IllegalMove(f"You do not sit at table {table}.")
        if not mine:
            of = "" if game is None else f" of {self.ledger.games[game].title}"
            ways = " or ".join(f"`/play {key}`" for key in self.games if game in (None, key))
            raise IllegalMove(f"You sit at no table{of}. Open one with {ways}, or join one.")
        raise IllegalMove(f"You sit at several tables: {_told(mine)}. {NAME_ONE}")

    async def seen(self, interaction: Interaction, table: int | None, *, live: bool = False) -> Table:
        """Return the table that a person means who wants to look at what is open to all.

        The one named, if they sit or sat there or it is shown in this channel; else as ``find`` says, or the only
        one in this channel. Raises IllegalMove, with the tables that are here when they are several.
        """
        if table is not None:
            try:
                found = await self.ledger.table(table)
            except NoTable:
                found = None
            if found is not None and (
                found.seat_of(interaction.user.id) is not None or found.place == interaction.channel_id
            ):
                return found
            raise IllegalMove(f"You do not sit at table {table}, and it is not shown here.")
        try:
            return await self.find(interaction, live=live)
        except IllegalMove:
            here = await self.here(interaction)
            if len(here) > 1 and await self.ledger.tables_of(interaction.user.id):
                raise
            found = _only(here)
            if found is None:
                raise
            return found

    async def here(self, interaction: Interaction) -> tuple[Table, ...]:
        """Return the tables, in lobby or live, that are shown in the channel in which somebody asks."""
        if interaction.guild_id is None:
            return ()
        tables = await self.ledger.live_tables(interaction.guild_id)
        return tuple(table for table in tables if table.place == interaction.channel_id)

    async def overseen(self, interaction: Interaction, table: int | None) -> Table | None:
        """Return the table that a moderator means, who need not sit there: the one named, or the one in this channel.

        None when the person is no moderator, or means a table of their own. Raises IllegalMove when it is not clear.
        """
        if interaction.guild_id is None or not moderates(interaction):
            return None
        if table is not None:
            tables = await self.ledger.live_tables(interaction.guild_id)
            return next((one for one in tables if one.id == table), None)
        here = await self.here(interaction)
        if len(here) > 1 and any(one.seat_of(interaction.user.id) is not None for one in here):
            return None
        return _only(here)

    async def _explain(self, user: int, table: int) -> None:
        """Raise IllegalMove when a person's table cannot be used: its record is damaged, or it is over."""
        try:
            found = await self.ledger.table(table)
        except NoTable:
            return
        if found.seat_of(user) is not None and found.stage == "over":
            raise IllegalMove("That table is over. Its log is still there: /table log.")


def _awaits(table: Table, user: int) -> bool:
    seat = table.seat_of(user)
    return seat is not None and seat.awaited


def _told(tables: Sequence[Table]) -> str:
    """Return tables by their numbers, with who sits there, for whoever has to choose one."""
    told = [f"{one.id} ({', '.join(escaped(name) for name in one.names)})" for one in tables[:LISTED]]
    more = len(tables) - len(told)
    return ", ".join([*told, f"{more} more"] if more else told)


def _only(tables: Sequence[Table]) -> Table | None:
    """Return the only table, None where there is none; raises IllegalMove with all when they are several."""
    if len(tables) > 1:
        raise IllegalMove(f"Several tables are here: {_told(tables)}. {NAME_ONE}")
    return tables[0] if tables else None
