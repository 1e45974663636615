"""``/word``: what the dictionary says of a word, for who may ask.

A table keeps the words that it was dealt with, and some take the dictionary as it is; so the answer is for the table at
which one sits here, if there is one, and says so, else for the server as it deals new tables.

Looking up is a resource in some games (``Face.looking_up``): who has a seat at such a live table, paused or played by an
automaton for the time being, is refused. The answer is for who asks alone, nothing of it is logged, and there is no
autocomplete, which would tell words from others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec
from discord import app_commands
from discord.ext import commands

from bot.games.game import IllegalMove
from bot.tables.answer import Answer
from bot.tables.router import Interaction, Router
from bot.tables.servers import Servers, ServerSettings
from bot.tables.table import Table
from bot.words.lexicon import Lexicon

MEANING = 1500  # characters of a definition
NEW_TABLES = "At new tables here. Solos, daily dungeons and races take the dictionary as it is."

Word = app_commands.Range[str, 1, 45]


class Entry(msgspec.Struct, frozen=True):
    """What is to be said of a word: whether it is legal, why, what it means, and where that holds if not everywhere."""

    legal: bool
    ruling: str
    meaning: str | None
    holds: str = ""


def entry(lexicon: Lexicon, settings: ServerSettings, word: str) -> Entry:
    """Return what ``word`` (A-Z) is under a server's settings; reads files, so it is for a thread.

    A word that the server bars has no meaning here.
    """
    legal = lexicon.legal(word)
    if word in settings.added:
        beside = "" if legal else " The dictionary itself does not have it."
        return Entry(
            True,
            f"is legal here: this server has added it.{beside}",
            lexicon.gloss(word),
            "" if legal else NEW_TABLES,
        )
    if word in settings.barred:
        return Entry(False, "is not legal here: this server bars it.", None, NEW_TABLES if legal else "")
    if legal and settings.mild and lexicon.offends(word):
        return Entry(False, "is not legal here: this server bars words that offend.", None, NEW_TABLES)
    return _plain(lexicon, word)


def entry_at(lexicon: Lexicon, known: Mapping[str, bool], word: str, table: Table) -> Entry:
    """Return what ``word`` (A-Z) is at a table, dealt with the words ``known``; reads files, so it is for a thread."""
    holds = f"At table {table.id} ({table.game.title}), where you sit."
    if word not in known:
        return msgspec.structs.replace(_plain(lexicon, word), holds=holds)
    if known[word]:
        return Entry(True, "is legal: the server had added it at the deal.", lexicon.gloss(word), holds)
    return Entry(False, "is not legal: the server barred it at the deal.", None, holds)


def _plain(lexicon: Lexicon, word: str) -> Entry:
    """Return what the dictionary says, whatever a server has changed."""
    if not lexicon.legal(word):
        return Entry(False, "is not in the dictionary.", None)
    common = "a common word" if lexicon.common(word) else "not a common word"
    return Entry(True, f"is legal, {common}.", lexicon.gloss(word))


def _said(word: str, found: Entry, more: str = "") -> str:
    """Return the lines of an answer."""
    holds = f"-# {found.holds}" if found.holds else ""
    return "\n".join(line for line in (f"**{word}** {found.ruling}", more, holds) if line)


class WordsCog(commands.Cog, name="Words"):
    """Asking the dictionary."""

    word = app_commands.Group(
        name="word",
        description="Ask the dictionary",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
    )

    def __init__(
        self, bot: commands.AutoShardedBot, router: Router, servers: Servers, lexicon: Lexicon
    ) -> None:
        self.bot = bot
        self.router = router
        self.servers = servers
        self.lexicon = lexicon

    @word.command(name="check", description="Whether a word is legal")
    @app_commands.describe(word="The word")
    async def check(self, interaction: Interaction, word: Word) -> None:
        """Say whether a word is legal here."""

        async def act(answer: Answer) -> None:
            folded, found = await self._look_up(interaction, word)
            await answer.say(_said(folded, found))

        await self.router.answer(interaction, None, act)

    @word.command(name="define", description="What a word means")
    @app_commands.describe(word="The word")
    async def define(self, interaction: Interaction, word: Word) -> None:
        """Say what a word means."""

        async def act(answer: Answer) -> None:
            folded, found = await self._look_up(interaction, word)
            meaning = found.meaning
            if meaning is not None:
                cut = meaning if len(meaning) <= MEANING else meaning[: MEANING - 1] + "…"
                await answer.say(_said(folded, found, f"> {cut}"))
            else:
                await answer.say(_said(folded, found, "I know no definition of it." if found.legal else ""))

        await self.router.answer(interaction, None, act)

    async def _look_up(self, interaction: Interaction, word: str) -> tuple[str, Entry]:
        """Return the word as it is spelled here and what to say of it; raises IllegalMove."""
        await self._may_ask(interaction.user.id)
        folded = Lexicon.fold(word)
        if not folded:
            raise IllegalMove("A word is made of the letters A to Z alone, without hyphen or apostrophe.")
        at = await self._table(interaction)
        if at is not None:
            table, known = at
            return folded, await asyncio.to_thread(entry_at, self.lexicon, known, folded, table)
        settings = await self.servers.of(interaction.guild_id)
        return folded, await asyncio.to_thread(entry, self.lexicon, settings, folded)

    async def _table(self, interaction: Interaction) -> tuple[Table, Mapping[str, bool]] | None:
        """Return the person's live table in this place and its words: one shown here, else a private one.

        Of several the newest, if they were all dealt with the same words; else none can be meant.
        """
        service = self.router.service
        live = [
            table for table in await service.tables_of(interaction.user.id)
            if table.stage == "live" and interaction.guild_id in (table.guild, None)
        ]  # fmt: skip
        here = [table for table in live if table.place == interaction.channel_id]
        tables = here or [table for table in live if table.place is None]
        known = [await service.known(table.id) for table in tables]
        return (tables[0], known[0]) if known and all(one == known[0] for one in known) else None

    async def _may_ask(self, user: int) -> None:
        """Raise IllegalMove, with the table's name, for who has a seat where looking up is part of the game."""
        for table in await self.router.service.tables_of(user):
            if table.stage == "live" and not self.router.faces[table.game.key].looking_up(table.options):
                raise IllegalMove(
                    f"You have a seat at table {table.id} ({table.game.title}), where nobody looks words up"
                    f" until it is over.{self._consultation(table.game.key)}"
                )

    def _consultation(self, game: str) -> str:
        """Return how a game lets its players ask, when it does: by a command of its own."""
        group = self.bot.tree.get_command(game)
        if isinstance(group, app_commands.Group) and group.get_command("consult") is not None:
            return f" It has its own way to ask: `/{game} consult`."
        return ""
