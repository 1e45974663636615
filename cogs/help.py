"""``/help``: how to begin, and what each command does."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.tables.answer import Answer
from bot.tables.face import Panel
from bot.tables.router import Interaction, Router

INTRODUCTION = """\
I deal, referee and draw word board games for a group.

**Begin:** {play} opens a table. Others press *Join*; automata can fill the seats. Then press *Start*.
**Play:** everything is on the board's buttons. Your letters come privately, by message and by the button *My rack*.
**Stuck?** {rules} shows the rules of your game, {show} the board, {end} ends it.
"""


class Help(commands.Cog):
    """The first page of the manual."""

    def __init__(self, router: Router) -> None:
        self.router = router

    @app_commands.command(name="help", description="How to begin, and what each command does")
    @app_commands.allowed_contexts(guilds=True, dms=True)
    async def help(self, interaction: Interaction) -> None:
        """Show the introduction and every command, from the command tree itself."""

        async def act(answer: Answer) -> None:
            tree = interaction.client.tree
            lines = [
                f"`/{command.qualified_name}` {command.description}"
                for command in sorted(tree.walk_commands(), key=lambda command: command.qualified_name)
                if isinstance(command, app_commands.Command)
            ]
            text = INTRODUCTION.format(
                play="`/play`", rules="`/table rules`", show="`/table show`", end="`/table end`"
            )
            await answer.panel(Panel("Wordmoot", f"{text}\n" + "\n".join(lines)), 0, None)

        await self.router.answer(interaction, None, act)
