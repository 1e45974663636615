"""Tables on Discord: ``/play`` opens a lobby, ``/table`` is about the table at which one sits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import discord
import msgspec
import structlog
from discord import app_commands
from discord.ext import commands

from bot.games.game import IllegalMove
from bot.tables.answer import Answer
from bot.tables.ask import Ask, moderates
from bot.tables.boards import board_of, still_hand_of
from bot.tables.chronicle import page_ending, retold
from bot.tables.face import LIMITS, Button, Panel, Row
from bot.tables.finding import NAME_ONE
from bot.tables.layout import Address, Epoch
from bot.tables.lobby import lobby_panel
from bot.tables.notices import Notices
from bot.tables.places import permission_names
from bot.tables.publisher import TOLD
from bot.tables.router import Interaction, Router
from bot.tables.rulebook import rules_page, turned
from bot.tables.servers import ServerSettings, check_channel
from bot.tables.table import Table, Unreadable

EVERYWHERE = discord.Permissions(view_channel=True, attach_files=True, read_message_history=True)
IN_CHANNEL = discord.Permissions(EVERYWHERE.value, send_messages=True)
IN_THREAD = discord.Permissions(EVERYWHERE.value, send_messages_in_threads=True)
NEW_THREAD = discord.Permissions(IN_THREAD.value, create_public_threads=True)

FINISHED = "The log of a finished one is behind *Log* on its board"

log = structlog.get_logger()


def _needed(channel: Any, threaded: bool) -> discord.Permissions:
    """Return what the bot needs in a channel, or for a thread that it is to make there."""
    if threaded:
        return NEW_THREAD
    return IN_THREAD if isinstance(channel, discord.Thread) else IN_CHANNEL


def _lacking(names: Sequence[str]) -> str:
    """Return how to give the bot what it lacks in a channel."""
    return (
        f"For a table here I lack {'the permission' if len(names) == 1 else 'these permissions'}:"
        f" {', '.join(names)}. Who manages the channel can give them: Edit Channel, Permissions, add my role there."
    )


def _overruled(settings: ServerSettings, thread: bool | None) -> str:
    """Return what to say to an opener whose choice of a place is not the server's."""
    if thread is True and settings.place == "channel":
        return "On this server tables stay in the channel."
    if thread is False and settings.place == "thread":
        return "On this server each table has a thread of its own."
    return ""


class AtTable(app_commands.Transformer):
    """The option *table*: the number of one of the person's tables, offered as they type."""

    game: str | None = None
    others: Literal["none", "here", "overseen"] = "none"  # offered beside one's own

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
        """Offer tables; what is said of them is open to all who sit there or see their board."""
        router: Router = interaction.client.router
        tables = [*await router.service.tables_of(interaction.user.id), *await self._beside(interaction)]
        labels = {
            table.id: router.finder.label(interaction, table)
            for table in tables
            if self.game is None or table.game.key == self.game
        }
        wanted = str(value).casefold()
        found: list[app_commands.Choice[str | int | float]] = [
            app_commands.Choice(name=label, value=number)
            for number, label in labels.items()
            if wanted in label.casefold()
        ]
        return found[: LIMITS["choices"]]

    async def _beside(self, interaction: Interaction) -> tuple[Table, ...]:
        """Return the tables in this channel where the command is for others than the seated as well."""
        router: Router = interaction.client.router
        if self.others == "none" or (self.others == "overseen" and not moderates(interaction)):
            return ()
        return await router.finder.here(interaction)


class SeenTable(AtTable):
    """The same for what whoever reads a channel may see of the tables there."""

    others = "here"


class OverseenTable(AtTable):
    """The same for what who manages the server may do at the tables in a channel."""

    others = "overseen"


At = app_commands.Transform[int, AtTable]
Seen = app_commands.Transform[int, SeenTable]
Overseen = app_commands.Transform[int, OverseenTable]


class Tables(commands.Cog):
    """Opening tables and living at them; every game uses these commands."""

    table = app_commands.Group(
        name="table",
        description="The table at which you sit",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
    )

    def __init__(self, bot: commands.AutoShardedBot, router: Router, notices: Notices) -> None:
        self.bot = bot
        self.router = router
        self.notices = notices
        router.verbs["rules"] = self._on_rules
        self.play = app_commands.Group(
            name="play",
            description="Open a table for a game",
            allowed_contexts=app_commands.AppCommandContext(guild=True),
        )

    async def cog_load(self) -> None:
        """Add ``/play``; each game's cog adds its own command to it."""
        self.bot.tree.add_command(self.play)

    async def open(
        self,
        interaction: Interaction,
        game: str,
        chosen: Callable[[], Mapping[str, Any]],
        *,
        thread: bool | None,
    ) -> None:
        """Open a lobby of ``game`` here as its opener has chosen and the server has settled.

        Args:
            chosen: returns options of the game by name, or raises IllegalMove; what is None there, or not named, is
                the game's default, and the pace the server's.
            thread: whether the opener wants a thread of its own for the table; None: they do not say.
        """

        async def act(answer: Answer) -> None:
            channel = interaction.channel
            if interaction.guild_id is None or channel is None:
                raise IllegalMove("Tables open in a server's channels.")
            settings = await self.router.servers.of(interaction.guild_id)
            inside = isinstance(channel, discord.Thread)
            parent = channel.parent_id if isinstance(channel, discord.Thread) else channel.id
            check_channel(interaction, settings, channel.id, parent)
            wanted = settings.place == "thread" or (settings.place == "choose" and bool(thread))
            threaded = wanted and isinstance(channel, discord.TextChannel)
            lacking = permission_names(_needed(channel, threaded) & ~interaction.app_permissions)
            if lacking:
                raise IllegalMove(_lacking(lacking))
            rules = self.router.service.games[game]
            named = {name: value for name, value in chosen().items() if value is not None}
            options = rules.options.load(msgspec.json.encode({"pace": settings.pace, **named}))
            user = interaction.user
            table = await self.router.service.open(
                game,
                interaction.guild_id,
                None if threaded else parent,  # no board before its thread is there
                user.id,
                user.display_name,
                options,
                thread=channel.id if inside else None,
            )
            note = _overruled(settings, thread)
            if threaded:
                await answer.say(f"{await self._in_thread(table, channel)} {note}".strip())
            else:
                await answer.say(f"Your table is open. Others join with the button. {note}".strip())

        await self.router.answer(interaction, None, act)

    async def _in_thread(self, table: Table, channel: Any) -> str:
        """Give a table a thread of its own; returns what to tell its opener."""
        try:
            made = await channel.create_thread(
                name=f"{table.game.title} {table.id}", type=discord.ChannelType.public_thread
            )
        except discord.HTTPException as error:
            log.warning("no_thread", table=table.id, code=error.code)
            await self.router.service.set_place(table.id, channel=channel.id)
            return "I could not make a thread, so your table is open here. Others join with the button."
        await self.router.service.set_place(table.id, channel=channel.id, thread=made.id)
        return f"Your table is in {made.mention}. Others join there."

    @table.command(name="show", description="The board, here where you can see it")
    @app_commands.describe(table="Which table")
    async def show(self, interaction: Interaction, table: Seen | None = None) -> None:
        """Show a private copy of the board."""

        async def act(answer: Answer) -> None:
            found = await self.router.finder.seen(interaction, table, board=True)
            face = self.router.faces[found.game.key]
            if found.opened == 0:
                await answer.panel(lobby_panel(found, face), found.id, None)
                return
            look = await self.router.service.look(found.id, None)
            try:
                history = await self.router.service.history(found.id, max(0, look.table.seq - TOLD))
                told = retold(history, found.game)
            except Unreadable:  # what has happened cannot be told; how it stands can
                told = ()
            await answer.panel(board_of(face, look, told), found.id, Epoch(look.epoch, everyone=True))

        await self.router.answer(interaction, table, act)

    @table.command(name="hand", description="Your rack or hand, for your eyes only")
    @app_commands.describe(table="Which of your tables")
    async def hand(self, interaction: Interaction, table: At | None = None) -> None:
        """Show the person's own hand."""

        async def act(answer: Answer) -> None:
            found = _begun(await self.router.finder.find(interaction, None, table, live=True))
            seat = found.seat_of(interaction.user.id)
            assert seat is not None
            face = self.router.faces[found.game.key]
            look = await self.router.service.look(found.id, seat.seat)
            await answer.panel(still_hand_of(face, look), found.id, Epoch(look.epoch))

        await self.router.answer(interaction, table, act)

    @table.command(name="rules", description="The rules of your game, or of any, in short")
    @app_commands.describe(table="Which table")
    async def rules(self, interaction: Interaction, table: Seen | None = None) -> None:
        """Show the rules of the person's game; who sits at no table, or at several, may read those of any game."""

        async def act(answer: Answer) -> None:
            try:
                found = await self.router.finder.seen(interaction, table)
            except IllegalMove:
                if table is not None:
                    raise
                await answer.panel(self._games(), 0, None)
                return
            await answer.panel(rules_page(self.router.faces[found.game.key], 0), found.id, None)

        await self.router.answer(interaction, table, act)

    def _games(self) -> Panel:
        """Return the panel on which one chooses the game whose rules to read."""
        games = [Button(self.router.service.games[key].title, "rules", key) for key in self.router.faces]
        return Panel("Rules", "Of which game?", rows=(*rows_of(games), (Button("How to begin", "help"),)))

    async def _on_rules(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Show a page of a game's rules to whoever reads them at no table, or the games to choose from."""
        page, game = turned(address.arg, values)
        face = self.router.faces.get(game)
        panel = self._games() if face is None else rules_page(face, page, game, Button("Back", "rules"))
        await answer.panel(panel, 0, None)

    @table.command(name="log", description="What has happened, move by move, as you may know it")
    @app_commands.describe(
        page="Which page; 1, the newest, by default",
        table="Which table",
        file="The whole log as a file, once the game is over",
    )
    async def log(
        self,
        interaction: Interaction,
        page: app_commands.Range[int, 1, 10_000] = 1,
        table: Seen | None = None,
        file: bool = False,
    ) -> None:
        """Show a page of the log, or give it out."""

        async def act(answer: Answer) -> None:
            try:
                found = await self.router.finder.seen(interaction, table)
            except IllegalMove as refusal:
                if table is not None:
                    raise
                ways = "" if NAME_ONE in str(refusal) else ", or name it with the option *table*"
                raise IllegalMove(f"{refusal} {FINISHED}{ways}.") from refusal
            company = self.router.company
            if file:
                await company.logbook.log_file(Ask(answer, found))
            else:
                await company.logbook.log(Ask(answer, found, page_ending(found.seq, page)))

        await self.router.answer(interaction, table, act)

    @table.command(name="undo", description="Take your last move back, if it revealed nothing")
    @app_commands.describe(table="Which of your tables")
    async def undo(self, interaction: Interaction, table: At | None = None) -> None:
        """Take a move back."""
        await self._do(interaction, "undo", table)

    @table.command(name="pause", description="Stop the clock; the game waits for you all")
    @app_commands.describe(table="Which of your tables")
    async def pause(self, interaction: Interaction, table: At | None = None) -> None:
        """Pause a table."""
        await self._do(interaction, "pause", table)

    @table.command(name="resume", description="Let a paused table go on")
    @app_commands.describe(table="Which of your tables")
    async def resume(self, interaction: Interaction, table: At | None = None) -> None:
        """Resume a table."""
        await self._do(interaction, "resume", table)

    @table.command(name="nudge", description="Remind those for whom the table waits")
    @app_commands.describe(table="Which of your tables")
    async def nudge(self, interaction: Interaction, table: At | None = None) -> None:
        """Remind the others."""

        async def act(answer: Answer) -> None:
            found = await self.router.finder.find(interaction, None, table, live=True, guess=False)
            await answer.say(await self.notices.nudge(found, interaction.user.id))

        await self.router.answer(interaction, table, act)

    @table.command(name="replace", description="Ask the others to let an automaton play for somebody")
    @app_commands.describe(player="For whom", table="Which of your tables")
    async def replace(self, interaction: Interaction, player: str, table: Overseen | None = None) -> None:
        """Propose to replace a player."""

        async def act(answer: Answer) -> None:
            found = await self._own_or_overseen(interaction, table)
            seat = self.router.company.seat_named(found, player)
            await self.router.company.replace(Ask(answer, found, str(seat)))

        await self.router.answer(interaction, table, act)

    @table.command(name="leave", description="Leave the table; an automaton plays on for you")
    @app_commands.describe(table="Which of your tables")
    async def leave(self, interaction: Interaction, table: At | None = None) -> None:
        """Give up a seat."""
        await self._do(interaction, "leave", table)

    @table.command(name="return", description="Take your seat back from the automaton")
    @app_commands.describe(table="Which of your tables")
    async def come_back(self, interaction: Interaction, table: At | None = None) -> None:
        """Take a seat back."""
        await self._do(interaction, "return_seat", table)

    @table.command(name="end", description="End the table, if those agree who have a say")
    @app_commands.describe(table="Which of your tables")
    async def end(self, interaction: Interaction, table: Overseen | None = None) -> None:
        """Ask to end a table."""

        async def act(answer: Answer) -> None:
            found = await self._own_or_overseen(interaction, table)
            await self.router.company.ending.end(Ask(answer, found))

        await self.router.answer(interaction, table, act)

    @replace.autocomplete("player")
    async def _players(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the people at the table; a name is open to all who sit there."""
        try:
            found = await self._own_or_overseen(interaction, interaction.namespace.table)
        except IllegalMove:
            return []
        return [
            app_commands.Choice(name=seat.name[:100], value=str(seat.seat))
            for seat in found.persons
            if typed.casefold() in seat.name.casefold() and seat.user != interaction.user.id
        ][:25]

    async def _do(self, interaction: Interaction, verb: str, table: int | None) -> None:
        """Do by command what a button of the host does at the person's table."""

        async def act(answer: Answer) -> None:
            live = verb != "leave"
            found = await self.router.finder.find(interaction, None, table, live=live, guess=False)
            await self.router.company.verbs[verb](Ask(answer, found))

        await self.router.answer(interaction, table, act)

    async def _own_or_overseen(self, interaction: Interaction, table: int | None) -> Table:
        """Return the table that a moderator means, who need not sit there, or the person's own."""
        found = await self.router.finder.overseen(interaction, table)
        if found is not None:
            return found
        return await self.router.finder.find(interaction, None, table, guess=False)


def rows_of(buttons: Sequence[Button]) -> tuple[Row, ...]:
    """Return buttons in rows that Discord allows."""
    width = LIMITS["buttons"]
    return tuple(tuple(buttons[start : start + width]) for start in range(0, len(buttons), width))


def _begun(table: Table) -> Table:
    if table.opened == 0:
        raise IllegalMove("The game has not begun." if table.stage == "lobby" else "It never began.")
    return table
