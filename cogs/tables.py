"""Tables on Discord: ``/play`` opens a lobby, ``/table`` is about the table at which one sits."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.games.game import IllegalMove
from bot.tables.answer import Answer
from bot.tables.layout import Epoch
from bot.tables.publisher import shown_of
from bot.tables.router import Interaction, Router, rules_panel
from bot.tables.service import Table

NEEDED = discord.Permissions(view_channel=True, send_messages=True, attach_files=True)
THREADS = discord.Permissions(create_public_threads=True, send_messages_in_threads=True)


def missing(permissions: discord.Permissions, needed: discord.Permissions) -> tuple[str, ...]:
    """Return the names of the permissions that the bot lacks, as Discord writes them."""
    lacking = needed & ~permissions
    return tuple(name.replace("_", " ").capitalize() for name, granted in lacking if granted)


class AtTable(app_commands.Transformer):
    """The option *table*: the number of one of the person's tables, offered as they type."""

    game: str | None = None

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A whole number."""
        return discord.AppCommandOptionType.integer

    async def transform(self, interaction: Interaction, value: int) -> int:
        """Return the number as it is; whether the person sits there is looked up when it is used."""
        return value

    async def autocomplete(
        self, interaction: Interaction, value: str | float
    ) -> list[app_commands.Choice[str | int | float]]:
        """Offer the person's tables; what is said of them is open to all who sit there."""
        router: Router = interaction.client.router
        mine = await router.service.tables_of(interaction.user.id)
        offered: list[app_commands.Choice[str | int | float]] = [
            app_commands.Choice(
                name=f"{table.id}: {table.game.title} with {', '.join(table.names)}"[:100], value=table.id
            )
            for table in mine
            if (self.game is None or table.game.key == self.game) and str(value) in str(table.id)
        ]
        return offered[:25]


At = app_commands.Transform[int, AtTable]


class Tables(commands.Cog):
    """Opening tables and living at them; every game uses these commands."""

    table = app_commands.Group(
        name="table",
        description="The table at which you sit",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
    )

    def __init__(self, bot: commands.AutoShardedBot, router: Router) -> None:
        self.bot = bot
        self.router = router
        self.play = app_commands.Group(
            name="play",
            description="Open a table for a game",
            allowed_contexts=app_commands.AppCommandContext(guild=True),
        )

    async def cog_load(self) -> None:
        """Add ``/play``; each game's cog adds its own command to it."""
        self.bot.tree.add_command(self.play)

    async def open(self, interaction: Interaction, game: str, options: Any, *, thread: bool) -> None:
        """Open a lobby of ``game`` in this channel, or in a thread of its own."""

        async def act(answer: Answer) -> None:
            channel = interaction.channel
            if interaction.guild_id is None or channel is None:
                raise IllegalMove("Tables open in a server's channels.")
            thread_wanted = thread and isinstance(channel, discord.TextChannel)
            lacking = missing(
                interaction.app_permissions,
                discord.Permissions(NEEDED.value | THREADS.value) if thread_wanted else NEEDED,
            )
            if lacking:
                raise IllegalMove(f"Here I lack the permission: {', '.join(lacking)}.")
            user = interaction.user
            # The answer comes first: it is the visible trace of who opened the table, and opening may take a while.
            table = await self.router.service.open(
                game, interaction.guild_id, channel.id, user.id, user.display_name, options
            )
            if thread_wanted:
                assert isinstance(channel, discord.TextChannel)
                made = await channel.create_thread(
                    name=f"{table.game.title} {table.id}", type=discord.ChannelType.public_thread
                )
                await self.router.service.set_place(table.id, channel=channel.id, thread=made.id)
                await answer.say(f"Your table is in {made.mention}. Others join there.")
                return
            await answer.say("Your table is open. Others join with the button.")

        await self.router.answer(interaction, None, act)

    @table.command(name="show", description="Post the board anew, here where you can see it")
    @app_commands.describe(table="Which of your tables")
    async def show(self, interaction: Interaction, table: At | None = None) -> None:
        """Show a private copy of the board."""

        async def act(answer: Answer) -> None:
            found = await self._begun(interaction, table)
            face = self.router.faces[found.game.key]
            look = await self.router.service.look(found.id, None)
            panel = face.board(look.view, shown_of(look.table), ())
            await answer.panel(panel, found.id, Epoch(look.epoch, everyone=True))

        await self.router.answer(interaction, table, act)

    @table.command(name="hand", description="Your rack or hand, for your eyes only")
    @app_commands.describe(table="Which of your tables")
    async def hand(self, interaction: Interaction, table: At | None = None) -> None:
        """Show the person's own hand."""

        async def act(answer: Answer) -> None:
            found = await self._begun(interaction, table)
            seat = found.seat_of(interaction.user.id)
            assert seat is not None
            face = self.router.faces[found.game.key]
            look = await self.router.service.look(found.id, seat.seat)
            panel = face.hand(look.view, shown_of(look.table))
            await answer.panel(panel, found.id, Epoch(look.epoch))

        await self.router.answer(interaction, table, act)

    @table.command(name="rules", description="The rules of the game, in short")
    @app_commands.describe(table="Which of your tables")
    async def rules(self, interaction: Interaction, table: At | None = None) -> None:
        """Show the rules of the person's game."""

        async def act(answer: Answer) -> None:
            found = await self.router.find(interaction, None, table)
            await answer.panel(rules_panel(self.router.faces[found.game.key], 0), found.id, None)

        await self.router.answer(interaction, table, act)

    @table.command(name="leave", description="Leave the table; an automaton plays on for you")
    @app_commands.describe(table="Which of your tables")
    async def leave(self, interaction: Interaction, table: At | None = None) -> None:
        """Give up a seat."""

        async def act(answer: Answer) -> None:
            found = await self.router.find(interaction, None, table)
            left = await self.router.service.leave(found.id, interaction.user.id)
            if left.stage == "over":
                await answer.say("You left, and nobody is left. The table is closed.")
            elif left.stage == "lobby":
                await answer.say("You left the lobby.")
            else:
                await answer.say("An automaton plays on for you. Come back with /table return.")

        await self.router.answer(interaction, table, act)

    @table.command(name="return", description="Take your seat back from the automaton")
    @app_commands.describe(table="Which of your tables")
    async def come_back(self, interaction: Interaction, table: At | None = None) -> None:
        """Take a seat back."""

        async def act(answer: Answer) -> None:
            found = await self.router.find(interaction, None, table)
            await self.router.service.come_back(found.id, interaction.user.id)
            await answer.say("Welcome back. The seat is yours again.")

        await self.router.answer(interaction, table, act)

    @table.command(name="end", description="End the table, if everyone there agrees")
    @app_commands.describe(table="Which of your tables")
    async def end(self, interaction: Interaction, table: At | None = None) -> None:
        """Ask to end a table."""

        async def act(answer: Answer) -> None:
            found = await self.router.overseen(interaction, table)
            if found is None or found.seat_of(interaction.user.id) is not None:
                found = await self.router.find(interaction, None, table)
            await self.router.end(answer, found)

        await self.router.answer(interaction, table, act)

    async def _begun(self, interaction: Interaction, table: int | None) -> Table:
        found = await self.router.find(interaction, None, table)
        if found.stage == "lobby":
            raise IllegalMove("The game has not begun.")
        return found
