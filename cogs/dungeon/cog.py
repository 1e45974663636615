"""The commands of Word Dungeon: ``/play dungeon`` and ``/dungeon``; and its buttons that belong to no table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

from discord import app_commands
from msgspec.structs import replace

from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import View
from bot.games.game import IllegalMove, Words
from bot.tables.answer import Answer
from bot.tables.boards import shown_of
from bot.tables.face import Button, Panel
from bot.tables.layout import Address
from bot.tables.router import Interaction, Router
from bot.tables.rulebook import rules_page
from cogs.dungeon import autocomplete, panels, results
from cogs.dungeon.autocomplete import In
from cogs.dungeon.daily import Dailies, date_of
from cogs.dungeon.naming import named
from cogs.dungeon.options import given
from cogs.dungeon.places import check_inside
from cogs.dungeon.solos import Solos
from cogs.game import GameCog, Offers
from cogs.tables import Tables


class WordDungeon(GameCog):
    """The commands of the game: dungeons to begin, what a button does as well, and the lists of the best."""

    key = DUNGEON.key
    beginnings = (("A dungeon for me alone", "dungeon solo"), ("Today's dungeon", "dungeon daily"))
    group = app_commands.Group(
        name="dungeon",
        description="Word Dungeon: alone, every day, or your moves in a race or a party",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
    )

    def __init__(self, router: Router, tables: Tables, dailies: Dailies) -> None:
        super().__init__(router, tables)
        self.dailies = dailies
        self._solos = Solos(router, dailies)
        router.anywhere |= {
            panels.TODAY: self._on_today,
            panels.ALONE: self._on_alone,
            panels.RESULTS: self._on_results,
        }

    async def cog_load(self) -> None:
        """Add ``/play dungeon``."""

        @app_commands.command(name="dungeon", description="Word Dungeon: race each other, or go as a party")
        @app_commands.describe(
            mode="A race by default: everyone has a private copy of the dungeon",
            dungeon="Which one; an easy one by default",
            minutes="Time for a race; 15 minutes by default, three days at slow pace",
            pace="For one sitting, or over days",
            thread="Whether the table gets a thread of its own",
        )
        async def play(
            interaction: Interaction,
            mode: Literal["race", "party", "solo"] | None = None,
            dungeon: str | None = None,
            minutes: app_commands.Range[int, 1, 10_080] | None = None,
            pace: Literal["live", "slow"] | None = None,
            thread: bool | None = None,
        ) -> None:
            chosen = partial(given, mode, dungeon, minutes, pace)
            await self.tables.open(interaction, self.key, chosen, thread=thread)

        @play.autocomplete("dungeon")
        async def _(interaction: Interaction, text: str) -> Offers:
            return autocomplete.dungeons(text)

        self.tables.play.add_command(play)

    # Beginning

    @group.command(name="solo", description="A dungeon for you alone; nobody else sees your map")
    @app_commands.describe(dungeon="Which one; where you were, or the next one for you, by default")
    async def solo(self, interaction: Interaction, dungeon: str | None = None) -> None:
        """Begin a solo, or go on with it."""

        async def act(answer: Answer) -> None:
            await self._solos.begin(answer, None if dungeon is None else named(dungeon))

        await self.router.answer(interaction, None, act)

    @group.command(name="daily", description="Today's dungeon, the same for everybody on every server")
    async def daily(self, interaction: Interaction) -> None:
        """Begin today's dungeon, or go on with it."""
        await self.router.answer(interaction, None, self._solos.begin_daily)

    # Moves

    @group.command(name="place", description="Lay a word; in a party, propose it")
    @app_commands.describe(
        word="Whole, as it will read on the map",
        at="Where it begins, and which way; offered as you type",
        strikes="Whom its letters strike, such as GIANT 2, OGRE 1; I pick or ask by default",
        table="Which of your dungeons",
    )
    async def place(
        self, interaction: Interaction, word: app_commands.Range[str, 1, 40],
        at: app_commands.Range[str, 1, 20] | None = None,
        strikes: app_commands.Range[str, 1, 80] | None = None, table: In | None = None,
    ) -> None:  # fmt: skip
        """Lay a word."""
        await self.do(interaction, "placing", table, word=word, place=at or "", strikes=strikes or "")

    @group.command(name="undo", description="Take the last turn back; in a party, propose it")
    @app_commands.describe(table="Which of your dungeons")
    async def undo(self, interaction: Interaction, table: In | None = None) -> None:
        """Take a turn back."""
        await self.do(interaction, "back", table)

    @group.command(name="hint", description="Ask me for a word; your run is marked for it")
    @app_commands.describe(table="Which of your dungeons")
    async def hint(self, interaction: Interaction, table: In | None = None) -> None:
        """Ask for a hint."""
        await self.do(interaction, "hint", table)

    @group.command(name="give_up", description="Leave the dungeon with nothing; in a party, propose it")
    @app_commands.describe(table="Which of your dungeons")
    async def give_up(self, interaction: Interaction, table: In | None = None) -> None:
        """Give up."""
        await self.do(interaction, "give_up", table)

    @group.command(name="agree", description="Party: agree to what is proposed")
    @app_commands.describe(table="Which of your dungeons")
    async def agree(self, interaction: Interaction, table: In | None = None) -> None:
        """Agree."""
        await self.do(interaction, "agree", table)

    @group.command(name="object", description="Party: object to what is proposed")
    @app_commands.describe(table="Which of your dungeons")
    async def object(self, interaction: Interaction, table: In | None = None) -> None:
        """Object."""
        await self.do(interaction, "object", table)

    @group.command(name="withdraw", description="Party: take your proposal back")
    @app_commands.describe(table="Which of your dungeons")
    async def withdraw(self, interaction: Interaction, table: In | None = None) -> None:
        """Withdraw."""
        await self.do(interaction, "withdraw", table)

    # Looking

    @group.command(name="show", description="Your map, with all that you can do")
    @app_commands.describe(table="Which of your dungeons")
    async def show(self, interaction: Interaction, table: In | None = None) -> None:
        """Show the person's map."""
        await self.do(interaction, "hand", table)

    @group.command(name="rules", description="How to play, or what is special about one dungeon")
    @app_commands.describe(dungeon="Which one; without it, how to play")
    async def rules(self, interaction: Interaction, dungeon: str | None = None) -> None:
        """Show the rules."""

        async def act(answer: Answer) -> None:
            if dungeon is None:
                face = self.router.faces[self.key]
                await answer.panel(rules_page(face, 0, self.key, Button("Back", "rules")), 0, None)
                return
            await answer.panel(panels.special(named(dungeon)), 0, None)

        await self.router.answer(interaction, None, act)

    @group.command(name="share", description="Show your latest way through a dungeon here, without letters")
    async def share(self, interaction: Interaction) -> None:
        """Share today's daily, or the latest of one's best runs."""

        async def act(answer: Answer) -> None:
            service, user = self.router.service, interaction.user.id
            run = await results.to_share(service.store, user, date_of(service.now()))
            table = await service.table(run.table)
            view: View = await self.view_of(table, user)
            if view.public.mode != "solo":
                raise IllegalMove("Your latest run was in a race; its board shows all routes.")
            await self.router.share(answer, table.id, panels.shared_panel(view, shown_of(table)))

        await self.router.answer(interaction, None, act)

    # The best

    @group.command(name="scores", description="Who is best in a dungeon; without one, how far you have come")
    @app_commands.describe(dungeon="Which one")
    async def scores(self, interaction: Interaction, dungeon: str | None = None) -> None:
        """Show a dungeon's list, or one's own results."""

        async def act(answer: Answer) -> None:
            store, user = self.router.service.store, interaction.user.id
            if dungeon is None:
                panel = await results.own(store, user)
            else:
                panel = await results.of_dungeon(store, named(dungeon), user, interaction.guild_id)
            await answer.panel(panel, 0, None)

        await self.router.answer(interaction, None, act)

    @group.command(
        name="board", description="The daily dungeon: this server's results, your own, and streaks"
    )
    @app_commands.describe(day="Which day; today by default")
    async def board(self, interaction: Interaction, day: Literal["today", "yesterday"] = "today") -> None:
        """Show a day's list."""

        async def act(answer: Answer) -> None:
            date = date_of(self.router.service.now(), -1 if day == "yesterday" else 0)
            await answer.panel(await self._results(interaction, date), 0, None)

        await self.router.answer(interaction, None, act)

    async def _results(self, interaction: Interaction, date: str) -> Panel:
        """Return a day's list for this server and the reader's own result."""
        service = self.router.service
        dungeon, today = await self.dailies.dungeon(date), date_of(service.now())
        user, guild = interaction.user.id, interaction.guild_id
        return await results.of_day(service.store, dungeon, date, today, user, guild)

    # Buttons that belong to no table

    async def _on_today(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Begin today's dungeon for whoever presses, or go on with it."""
        await self._solos.begin_daily(answer, address.arg)

    async def _on_alone(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Begin a dungeon for whoever presses, or go on with it: the one that the button names, else the next one for them."""
        await self._solos.begin(answer, named(address.arg) if address.arg else None)

    async def _on_results(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Show the results of the day of a daily dungeon, with the way back to its map."""
        panel = await self._results(answer.interaction, address.arg)
        back = ((panels.TO_THE_MAP,),) if address.table else ()
        await answer.panel(replace(panel, rows=(*panel.rows, *back)), address.table, None)

    # What is offered as one types

    @solo.autocomplete("dungeon")
    @rules.autocomplete("dungeon")
    @scores.autocomplete("dungeon")
    async def _dungeons(self, interaction: Interaction, text: str) -> Offers:
        """Offer dungeons by name."""
        return autocomplete.dungeons(text)

    @place.autocomplete("at")
    async def _places(self, interaction: Interaction, text: str) -> Offers:
        """Offer the places at which the word may be laid now."""
        try:
            view, judge = await self._inside(interaction)
        except IllegalMove:
            return []
        return autocomplete.places(view, judge, str(interaction.namespace.word or ""), text)

    @place.autocomplete("strikes")
    async def _strikes(self, interaction: Interaction, text: str) -> Offers:
        """Offer the ways to strike."""
        try:
            view, judge = await self._inside(interaction)
        except IllegalMove:
            return []
        word, at = str(interaction.namespace.word or ""), str(interaction.namespace.at or "")
        return autocomplete.strikes(view, judge, word, at, text)

    async def _inside(self, interaction: Interaction) -> tuple[View, Words]:
        """Return the person's view of the dungeon that a command would mean, and its judge of words; raises IllegalMove."""
        view, judge = await self.meant(interaction)
        check_inside(view)
        return view, judge
