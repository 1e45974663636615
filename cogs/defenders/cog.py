"""The commands of Defenders of the Dictionary: ``/play defenders`` and ``/defenders``."""

from __future__ import annotations

from functools import partial
from typing import Literal

from discord import app_commands

from bot.games.defenders.rules import DEFENDERS, GOALS
from bot.games.defenders.state import WILD, View
from bot.games.game import IllegalMove
from bot.tables.router import Interaction
from cogs.defenders.options import given
from cogs.defenders.places import places
from cogs.defenders.texts import facets, place_of
from cogs.game import GameCog, Offers, offers
from cogs.tables import At


class Defenders(GameCog):
    """The commands of the game; each does what a button does."""

    key = DEFENDERS.key
    beginnings = (("Play Defenders", "play defenders"),)
    group = app_commands.Group(
        name="defenders",
        description="Defenders of the Dictionary: your moves",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
    )

    async def cog_load(self) -> None:
        """Add ``/play defenders``."""

        @app_commands.command(
            name="defenders", description="Defenders of the Dictionary: save the city together"
        )
        @app_commands.describe(
            level="What you need to win; Beginner 1 by default",
            referee="When words are checked; for a beginner's goal at once, else at the end, unless you choose",
            pace="How long silence may last: a minute, or half a day",
            thread="Whether the table gets a thread of its own",
        )
        @app_commands.choices(
            level=[
                app_commands.Choice(
                    name=f"{aim.difficulty.capitalize()} {aim.level}: {aim.poi} points of interest,"
                    f" {aim.vp} Vocabulary Points",
                    value=f"{aim.difficulty}/{aim.level}",
                )
                for aim in GOALS
            ]
        )
        async def play(
            interaction: Interaction,
            level: str | None = None,
            referee: Literal["printed", "guarded"] | None = None,
            pace: Literal["live", "slow"] | None = None,
            thread: bool | None = None,
        ) -> None:
            await self.tables.open(interaction, self.key, partial(given, level, referee, pace), thread=thread)

        self.tables.play.add_command(play)

    @group.command(name="contribute", description="Lay letters from your rack face down")
    @app_commands.describe(
        letters="One letter, or two with one or two players; * is a wildcard", table="Which table"
    )
    async def contribute(
        self, interaction: Interaction, letters: app_commands.Range[str, 1, 5], table: At | None = None
    ) -> None:
        """Contribute letters."""
        tiles = "".join(char for char in letters.upper().replace("?", WILD) if char.isalpha() or char == WILD)
        await self.do(interaction, "give", table, tiles)

    @group.command(name="word", description="Propose a word for the map")
    @app_commands.describe(
        word="Whole, as it will read on the map; CAR*S lays a wildcard as S",
        place="Where it begins, and which way",
    )
    async def word(
        self, interaction: Interaction, word: app_commands.Range[str, 1, 40],
        place: app_commands.Range[str, 1, 20] | None = None, table: At | None = None,
    ) -> None:  # fmt: skip
        """Look at a word before proposing it."""
        await self.do(interaction, "placing", table, word=word, place=place or "")

    @group.command(name="pass", description="Propose to form no word this round")
    async def noword(self, interaction: Interaction, table: At | None = None) -> None:
        """Propose no word."""
        await self.do(interaction, "noword", table)

    @group.command(name="agree", description="Agree to what is before the team")
    async def agree(self, interaction: Interaction, table: At | None = None) -> None:
        """Agree."""
        await self.do(interaction, "agree", table)

    @group.command(name="object", description="Object to what is before the team")
    async def object(self, interaction: Interaction, table: At | None = None) -> None:
        """Object."""
        await self.do(interaction, "object", table)

    @group.command(name="withdraw", description="Take your proposal back")
    async def withdraw(self, interaction: Interaction, table: At | None = None) -> None:
        """Withdraw."""
        await self.do(interaction, "withdraw", table)

    @group.command(name="ideas", description="Ask the team for ideas")
    async def ideas(self, interaction: Interaction, table: At | None = None) -> None:
        """Ask for ideas."""
        await self.do(interaction, "ideas", table)

    @group.command(name="discard", description="Propose which of the tied letters to discard")
    @app_commands.describe(letters="The letters, such as VW")
    async def discard(
        self, interaction: Interaction, letters: app_commands.Range[str, 1, 12], table: At | None = None
    ) -> None:
        """Propose a discard."""
        await self.do(
            interaction, "discard", table, "".join(char for char in letters.upper() if char.isalpha())
        )

    @group.command(name="consult", description="Look one word up; once a game")
    async def consult(
        self, interaction: Interaction, word: app_commands.Range[str, 2, 20], table: At | None = None
    ) -> None:
        """Consult the dictionary."""
        await self.do(interaction, "consulting", table, word=word)

    @group.command(name="hint", description="Ask me for a word that fits")
    async def hint(self, interaction: Interaction, table: At | None = None) -> None:
        """Ask for a hint."""
        await self.do(interaction, "hint", table)

    @group.command(name="wildcard", description="Propose to read a wildcard on the map as another letter")
    @app_commands.describe(square="Where it lies, such as E5", letter="What it stands for from now on")
    async def wildcard(
        self, interaction: Interaction, square: app_commands.Range[str, 2, 4],
        letter: app_commands.Range[str, 1, 1], table: At | None = None,
    ) -> None:  # fmt: skip
        """Propose a recast."""
        await self.do(interaction, "recasting", table, square=square, letter=letter)

    @group.command(name="concede", description="Propose to admit defeat")
    async def concede(self, interaction: Interaction, table: At | None = None) -> None:
        """Propose to concede."""
        await self.do(interaction, "concede", table)

    @word.autocomplete("place")
    async def _places(self, interaction: Interaction, typed: str) -> Offers:
        """Offer places that fit by geometry and letters alone; the dictionary stays silent."""
        try:
            view: View = (await self.meant(interaction))[0]
            found = places(view.public, interaction.namespace.word or "")
        except IllegalMove:
            return []
        told = [" · ".join(text for text in facets(view.public, play) if text) for play in found]
        starts = [place_of(play) for play in found]
        return offers(
            zip((f"{place} · {what}" for place, what in zip(starts, told, strict=True)), starts, strict=True),
            typed,
        )
