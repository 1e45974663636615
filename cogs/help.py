"""``/help``: how to begin, and by topic what each command does, from the command tree itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import discord
import msgspec
from discord import app_commands
from discord.ext import commands

from bot.tables.answer import Answer
from bot.tables.face import LIMITS, Choice, Menu, Panel
from bot.tables.layout import Address
from bot.tables.router import Interaction, Router

INTRODUCTION = """\
I deal, referee and draw word board games for a group.

**Begin:** `/play` opens a table. Others press *Join*; automata can fill the seats. Then press *Start*.
**Play:** everything is on the board's buttons. Your letters come privately, by message and by a button.
**Stuck?** `/table rules` shows the rules of your game, `/table show` the board, `/table end` ends it.
"""
PAGE = 1800  # characters of commands on a page: two or three screens of a phone
ALONE = "Everything else"  # the topic of commands that are in no group

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


def manual(found: Sequence[Page], chosen: str = "") -> Panel:
    """Return the panel of a page, or the introduction, with a menu of all: 25 at most, which Discord allows."""
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
        return Panel("Wordmoot", INTRODUCTION + more, rows=(menu,))
    return Panel(page.title, f"{page.about}.\n\n{page.text}{more}", rows=(menu,))


class Help(commands.Cog):
    """The first page of the manual, and one for each topic."""

    def __init__(self, bot: commands.AutoShardedBot, router: Router) -> None:
        self.bot = bot
        self.router = router
        router.verbs["help"] = self._on_help

    @app_commands.command(name="help", description="How to begin, and what each command does")
    @app_commands.allowed_contexts(guilds=True, dms=True)
    async def help(self, interaction: Interaction) -> None:
        """Show the introduction."""

        async def act(answer: Answer) -> None:
            await answer.panel(manual(self._pages()), 0, None)

        await self.router.answer(interaction, None, act)

    async def _on_help(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Turn to a page."""
        await answer.panel(manual(self._pages(), values[0]), 0, None)

    def _pages(self) -> tuple[Page, ...]:
        return pages(self.bot.tree.get_commands(type=discord.AppCommandType.chat_input))
