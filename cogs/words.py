"""``/word``: what the dictionary says of a word, for who may ask.

Looking up is a resource in some games (``Face.looking_up``): who has a seat at such a live table, paused or played by an
automaton for the time being, is refused. The answer is for who asks alone, nothing of it is logged, and there is no
autocomplete, which would tell words from others.
"""

from __future__ import annotations

import asyncio

import msgspec
from discord import app_commands
from discord.ext import commands

from bot.games.game import IllegalMove
from bot.tables.answer import Answer
from bot.tables.router import Interaction, Router
from bot.tables.servers import Servers, ServerSettings
from bot.words.lexicon import Lexicon

MEANING = 1500  # characters of a definition

Word = app_commands.Range[str, 1, 45]


class Entry(msgspec.Struct, frozen=True):
    """What is to be said of a word on a server: whether it is legal there, why, and what it means."""

    legal: bool
    ruling: str
    meaning: str | None


def entry(lexicon: Lexicon, settings: ServerSettings, word: str) -> Entry:
    """Return what ``word`` (A-Z) is under a server's settings; reads files, so it is for a thread.

    A word that the server bars has no meaning here.
    """
    legal = lexicon.legal(word)
    if word in settings.added:
        beside = "" if legal else " The dictionary itself does not have it."
        return Entry(True, f"is legal here: this server has added it.{beside}", lexicon.gloss(word))
    if word in settings.barred:
        return Entry(False, "is not legal here: this server bars it.", None)
    if not legal:
        return Entry(False, "is not in the dictionary.", None)
    if settings.mild and lexicon.offends(word):
        return Entry(False, "is not legal here: this server bars words that offend.", None)
    common = "a common word" if lexicon.common(word) else "not a common word"
    return Entry(True, f"is legal, {common}.", lexicon.gloss(word))


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
            await answer.say(f"**{folded}** {found.ruling}")

        await self.router.answer(interaction, None, act)

    @word.command(name="define", description="What a word means")
    @app_commands.describe(word="The word")
    async def define(self, interaction: Interaction, word: Word) -> None:
        """Say what a word means."""

        async def act(answer: Answer) -> None:
            folded, found = await self._look_up(interaction, word)
            said = f"**{folded}** {found.ruling}"
            if found.meaning is not None:
                meaning = (
                    found.meaning if len(found.meaning) <= MEANING else found.meaning[: MEANING - 1] + "…"
                )
                said += f"\n> {meaning}"
            elif found.legal:
                said += "\nI know no definition of it."
            await answer.say(said)

        await self.router.answer(interaction, None, act)

    async def _look_up(self, interaction: Interaction, word: str) -> tuple[str, Entry]:
        """Return the word as it is spelled here and what to say of it; raises IllegalMove."""
        await self._may_ask(interaction.user.id)
        folded = Lexicon.fold(word)
        if not folded:
            raise IllegalMove("A word is made of letters alone, without hyphen or apostrophe.")
        settings = await self.servers.of(interaction.guild_id)
        return folded, await asyncio.to_thread(entry, self.lexicon, settings, folded)

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
