"""``/help``: how to begin, with buttons that do so, and by topic what each command does, from the command tree itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import discord
import msgspec
from discord import app_commands
from discord.ext import commands

from bot.tables.answer import Answer
from bot.tables.face import LIMITS, Button, Choice, Menu, Panel
from bot.tables.layout import Address
from bot.tables.router import RUN, Command, Interaction, Router
from cogs.game import GameCog

ABOUT = "I deal, referee and draw word games, for a group or for you alone."
SOLO = "a dungeon takes five minutes. Today's is the same for everybody; your first attempt at it counts."
INTRODUCTION = f"""\
{ABOUT}

**Together:** a button below, or `/play` with all it offers, opens a table here. Others press *Join*, or you seat automata. \
Then press *Start*: everything is on the board's buttons, and your letters come in private.
**Alone:** {SOLO}
**Lost?** `/table show` brings your board back, `/table hand` your letters. `/table end` ends a table.
"""
IN_PRIVATE = f"""\
{ABOUT}

**Alone:** {SOLO}
**Together:** tables open in the channels of a server, by `/help` or `/play` there; your letters then come here.
**Lost?** `/table hand` brings your letters back, `/table show` the board. `/table end` ends a table.
"""
PAGE = 1800  # characters of commands on a page: two or three screens of a phone
ALONE = "Everything else"  # the topic of commands that are in no group

RULES = Button("Rules", "rules")

AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.Group


class Page(msgspec.Struct, frozen=True):
    """One page of the manual: a topic, or a part of a long one."""

    title: str
    about: str
    text: str


def pages(tree: Iterable[AnyCommand]) -> tuple[Page, ...]:
    """Return the manual of these top-level commands: a topic a group, and one for what is in none; by the alphabet."""
    topics: dict[str, tuple[str, list[str]]] = {}
    for command in sorted(tree, key=lambda one: (not isinstance(one, app_commands.Group), one.name)):
        if isinstance(command, app_commands.Group):
            leaves = [one for one in command.walk_commands() if isinstance(one, app_commands.Command)]
            topics[f"/{command.name}"] = (command.description, [_line(one) for one in leaves])
        else:
            topics.setdefault(ALONE, ("Commands that stand alone", []))[1].append(_line(command))
    found = []
    for title, (about, lines) in topics.items():
        parts = _parts(sorted(lines))
        for number, part in enumerate(parts, 1):
            name = title if len(parts) == 1 else f"{title}, {number} of {len(parts)}"
            found.append(Page(name, about, "\n".join(part)))
    return tuple(found)


def _line(command: app_commands.Command[Any, ..., Any]) -> str:
    return f"`/{command.qualified_name}` {command.description}"


def _parts(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines in runs that fit a page each."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if parts[-1] and sum(map(len, parts[-1])) + len(parts[-1]) + len(line) > PAGE:
            parts.append([])
        parts[-1].append(line)
    return parts


def manual(
    found: Sequence[Page], chosen: str = "", *, begin: Sequence[Button] = (), private: bool = False
) -> Panel:
    """Return the panel of a page, or the introduction, with a menu of all: 25 at most, which Discord allows.

    Args:
        begin: the buttons of the introduction, beside that of the rules.
        private: it is read in a private channel, where no table opens.
    """
    offered = found[: LIMITS["choices"]]
    menu = Menu(
        "help",
        "Commands by topic",
        tuple(Choice(page.title, page.title, page.about, chosen=page.title == chosen) for page in offered),
    )
    left_out = len(found) - len(offered)
    more = "\n-# Discord lists all commands when you type `/`." if left_out else ""
    page = next((page for page in offered if page.title == chosen), None)
    if page is None:
        introduction = IN_PRIVATE if private else INTRODUCTION
        return Panel("Wordmoot", introduction + more, rows=((*begin, RULES), menu))
    return Panel(
        page.title, f"{page.about}.\n\n{page.text}{more}", rows=(menu, (Button("Back", "help", "back"),))
    )


def runs(command: AnyCommand) -> Command:
    """Return what a button does that stands for a command without options."""
    assert isinstance(command, app_commands.Command)
    callback: Any = command.callback
    return callback if command.binding is None else partial(callback, command.binding)


class Help(commands.Cog):
    """The first page of the manual, and one for each topic."""

    def __init__(self, bot: commands.AutoShardedBot, router: Router) -> None:
        self.bot = bot
        self.router = router
        router.verbs["help"] = self._on_help

    async def cog_load(self) -> None:
        """Let the buttons of the introduction run the commands that are there; this cog is loaded last."""
        known = {one.qualified_name: one for one in self.bot.tree.walk_commands()}
        self.router.commands.update(
            (name, runs(known[name])) for _, name in self._beginnings if name in known
        )

    @property
    def _beginnings(self) -> tuple[tuple[str, str], ...]:
        """What a newcomer may want at once: the label of a button, and the command that it runs."""
        games = [cog for cog in self.bot.cogs.values() if isinstance(cog, GameCog)]
        return tuple(beginning for game in games for beginning in game.beginnings)

    @app_commands.command(name="help", description="How to begin, and what each command does")
    @app_commands.allowed_contexts(guilds=True, dms=True)
    async def help(self, interaction: Interaction) -> None:
        """Show the introduction."""

        async def act(answer: Answer) -> None:
            await answer.panel(self._panel(interaction), 0, None)

        await self.router.answer(interaction, None, act)

    async def _on_help(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Turn to a page, or back to the introduction."""
        await answer.panel(self._panel(answer.interaction, *values), 0, None)

    def _panel(self, interaction: Interaction, chosen: str = "") -> Panel:
        found = pages(self.bot.tree.get_commands(type=discord.AppCommandType.chat_input))
        begin = tuple(
            Button(label, RUN, name, "main" if name.startswith("play") else "plain")
            for label, name in self._beginnings
            if name in self.router.commands
            and (interaction.guild_id is not None or not name.startswith("play "))
        )
        return manual(found, chosen, begin=begin, private=interaction.guild_id is None)
