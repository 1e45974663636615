"""Which table somebody means who does not say so, or says it by its number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import discord

from bot.games.game import IllegalMove
from bot.tables.ask import moderates
from bot.tables.face import Face
from bot.tables.layout import escaped
from bot.tables.ledger import Ledger
from bot.tables.table import NoTable, Table
from bot.tables.wording import cut

LISTED = 8  # tables from which somebody has to choose
LONGEST = 100  # characters of what is offered as one types
NAME_ONE = "Name one with the option *table*."

Interaction = discord.Interaction[Any]


class Finder:
    """Finds tables. ``faces``: those of the games that can be opened."""

    def __init__(self, ledger: Ledger, faces: Mapping[str, Face]) -> None:
        self.ledger = ledger
        self.faces = faces

    async def find(
        self,
        interaction: Interaction,
        game: str | None = None,
        table: int | None = None,
        *,
        live: bool = False,
        guess: bool = True,
    ) -> Table:
        """Return the person's table that a command means; raises IllegalMove when that is not clear.

        The one named, else the one in this channel, else the only one, else, as a ``guess``, the only one that waits for
        them: not for what changes a table that may as well be another. What is for a game that has begun (``live``), as
        each command of a game of its own is, means no lobby while there is one.
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
            [
                found
                for found in mine
                if guess and found.stage == "live" and _awaits(found, interaction.user.id)
            ],
        ):
            if len(choice) == 1:
                return choice[0]
        if not mine and table is not None:
            raise IllegalMove(f"You do not sit at table {table}.")
        if not mine:
            of = "" if game is None else f" of {self.ledger.games[game].title}"
            ways = " or ".join(f"`/play {key}`" for key in self.faces if game in (None, key))
            raise IllegalMove(f"You sit at no table{of}. Open one with {ways}, or join one.")
        raise IllegalMove(f"You sit at several tables: {self._told(interaction, mine)}. {NAME_ONE}")

    async def seen(self, interaction: Interaction, table: int | None, *, board: bool = False) -> Table:
        """Return the table that a person means who wants to look at what is open to all.

        The one named, if they sit or sat there or it is shown in this channel; else as ``find`` says, or the only
        one in this channel. Whose ``board`` is wanted is a game that has begun, but for the only table of theirs in this
        channel. Raises IllegalMove, with the tables that are here when they are several.
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
        mine = await self.ledger.tables_of(interaction.user.id)
        near = [one for one in mine if one.place == interaction.channel_id]
        if len(near) == 1:
            return near[0]
        try:
            return await self.find(interaction, live=board)
        except IllegalMove:
            here = await self.here(interaction)
            if len(here) > 1 and mine:
                raise
            found = self._only(interaction, here)
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

        None when the person is no moderator, or means a table of their own. What others play in private is for them as if
        it were not there. Raises IllegalMove when it is not clear.
        """
        if interaction.guild_id is None or not moderates(interaction):
            return None
        if table is not None:
            tables = await self.ledger.live_tables(interaction.guild_id)
            return next((one for one in tables if one.id == table and one.place is not None), None)
        here = await self.here(interaction)
        if len(here) > 1 and any(one.seat_of(interaction.user.id) is not None for one in here):
            return None
        return self._only(interaction, here, await self.ledger.tables_of(interaction.user.id))

    def label(self, interaction: Interaction, table: Table) -> str:
        """Return what tells a table from others as somebody chooses one by its number, the most telling first."""
        channel = None if table.place is None else interaction.client.get_channel(table.place)
        where = f"#{channel.name}" if isinstance(channel, discord.abc.GuildChannel | discord.Thread) else ""
        what = " · ".join(part for part in (*self._marks(table, interaction.user.id), where) if part)
        return cut(f"{table.id}: {what}", LONGEST)

    async def own(self, interaction: Interaction, guild: int | None) -> str:
        """Return a sentence with the tables at which somebody sits, who has to leave or end one; ``guild``: those shown there."""
        mine = await self.ledger.tables_of(interaction.user.id)
        told = [one for one in mine if guild is None or (one.guild == guild and one.place is not None)]
        return f"You sit at {self._told(interaction, told)}." if told else ""

    def _marks(self, table: Table, user: int, spell: Callable[[str], str] = str) -> tuple[str, ...]:
        """Return what is played, with whom, and whether it has begun; ``spell``: how a name is written."""
        seated = table.seat_of(user) is not None
        names = ", ".join(spell(seat.name) for seat in table.seats if seat.user != user)
        who = names if not seated else f"with {names}" if names else "you alone"
        what = self.faces[table.game.key].named(table.options) or table.game.title
        return (what, who, "lobby") if table.stage == "lobby" else (what, who)

    def _told(self, interaction: Interaction, tables: Sequence[Table]) -> str:
        """Return tables by their numbers, with what tells them apart, for whoever has to choose one."""
        told = []
        for one in tables[:LISTED]:
            elsewhere = one.place not in (None, interaction.channel_id)
            marks = self._marks(one, interaction.user.id, escaped)
            told.append(f"{one.id} ({', '.join(marks)}{f', <#{one.place}>' if elsewhere else ''})")
        more = len(tables) - len(told)
        return ", ".join([*told, f"{more} more"] if more else told)

    def _only(
        self, interaction: Interaction, tables: Sequence[Table], own: Sequence[Table] = ()
    ) -> Table | None:
        """Return the only table, None where there is none; raises IllegalMove with all, and ``own``, when they are several."""
        if len(tables) > 1:
            beside = f" You sit at {self._told(interaction, own)}." if own else ""
            raise IllegalMove(
                f"Several tables are here: {self._told(interaction, tables)}.{beside} {NAME_ONE}"
            )
        return tables[0] if tables else None

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
