"""``/settings``: what a server settles for its tables, and what a person may know and delete of what is stored.

``server`` and ``word`` are for who may manage the server; this is checked at every press, since a panel outlives a role.
Discord hides no single command of a group, so the group is open to all for the sake of ``privacy``. Presses carry table
number 0 and come by ``Router.verbs``. A change is stored before it is answered, and replaces one setting only.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import discord
import msgspec
import structlog
from discord import app_commands
from discord.ext import commands

from bot.games.game import IllegalMove
from bot.tables.answer import Answer
from bot.tables.ask import moderates
from bot.tables.face import Button, Channels, Choice, Field, Form, Menu, Panel
from bot.tables.layout import Address, modal
from bot.tables.privacy import Privacy, take_away
from bot.tables.router import Interaction, Router
from bot.tables.servers import LETTERS, MOST_WORDS, Servers, ServerSettings, WordLists
from bot.tables.wording import counted
from bot.words.lexicon import Lexicon

SHOWN_REASONS = 10  # of words that were left out
SHOWN_WORDS = 30  # of a list on the panel; the form has them all
REMEMBERED_FORMS = 64
NEVER = "-# What people write in channels is not stored unless it is a move."
GREY, RED = 0x6B7280, 0xB4513F

log = structlog.get_logger()


class Option(msgspec.Struct, frozen=True):
    """One value of a setting: as a menu names it, and as a sentence once it is chosen."""

    value: Any
    label: str
    sentence: str


# Settings with a few values each; a setting that a release adds gets a line here and a row on the panel.
OPTIONS: Mapping[str, tuple[Option, ...]] = {
    "place": (
        Option("choose", "New tables: the opener chooses where", "Who opens a table chooses between channel and thread."),
        Option("channel", "New tables: in the channel", "A new table opens in the channel itself."),
        Option("thread", "New tables: in a thread of their own", "A new table gets a thread of its own."),
    ),
    "pace": (
        Option("live", "Pace: live", "New tables are for people who play now, unless their opener says otherwise."),
        Option("slow", "Pace: slow", "New tables are for a move now and then, unless their opener says otherwise."),
    ),
    "ending": (
        Option("players", "Ending a table: all its players", "A live table ends early when all its players want it."),
        Option("opener", "Ending a table: who opened it", "Only who opened a table can end it early; once they have left, all its players."),
        Option("managers", "Ending a table: managers only", "Only who may manage this server can end a table early."),
    ),
    "hands": (
        Option("message", "Send letters by message too", "Letters come by private message and by the board's button."),
        Option("button", "Show letters by button only", "Letters are shown by the board's button alone."),
    ),
    "mild": (
        Option(False, "Allow words that offend", "Words that offend are legal when somebody plays them."),
        Option(True, "Bar words that offend", "Words that offend are not legal."),
    ),
}  # fmt: skip


class SettingsCog(commands.Cog, name="Settings"):
    """The commands of ``/settings`` and the presses on their panels."""

    settings = app_commands.Group(
        name="settings",
        description="This server's settings, and your own data",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
    )

    def __init__(
        self, bot: commands.AutoShardedBot, router: Router, servers: Servers, lexicon: Lexicon
    ) -> None:
        self.bot = bot
        self.router = router
        self.servers = servers
        self.lexicon = lexicon
        self.privacy = Privacy(router.service)
        self._forms: OrderedDict[str, WordLists] = OrderedDict()  # what a form was filled with, by digest
        router.verbs["server"] = self._on_server
        router.verbs["words"] = self._on_words
        router.verbs["privacy"] = self._on_privacy

    @settings.command(
        name="server", description="Where and how tables are played here; for who manages the server"
    )
    async def server(self, interaction: Interaction) -> None:
        """Show the server's settings."""

        async def act(answer: Answer) -> None:
            guild = self._managed(interaction)
            await answer.panel(self._panel(guild, await self.servers.of(guild)), 0, None)

        await self.router.answer(interaction, None, act)

    @settings.command(
        name="word", description="Add a word to this server's dictionary or bar one; for who manages it"
    )
    @app_commands.describe(word="The word", here="What it is on this server from the next deal on")
    @app_commands.choices(
        here=[
            app_commands.Choice(name="legal", value="added"),
            app_commands.Choice(name="not legal", value="barred"),
            app_commands.Choice(name="as the dictionary has it", value="neither"),
        ]
    )
    async def word(
        self,
        interaction: Interaction,
        word: app_commands.Range[str, 1, 45],
        here: Literal["added", "barred", "neither"],
    ) -> None:
        """Change one word of the server's lists."""

        async def act(answer: Answer) -> None:
            guild = self._managed(interaction)
            base = WordLists.of(await self.servers.of(guild))
            word_here = Lexicon.fold(word) or word
            lists = {
                name: [*sorted(listed - {word_here}), *([word_here] if here == name else [])]
                for name, listed in (("added", base.added), ("barred", base.barred))
            }
            await self._change_words(answer, guild, base, lists["added"], lists["barred"])

        await self.router.answer(interaction, None, act)

    @settings.command(name="privacy", description="What is stored about you: see it, export it, delete it")
    async def own(self, interaction: Interaction) -> None:
        """Show what is stored about the person."""

        async def act(answer: Answer) -> None:
            await answer.panel(await self._privacy_panel(interaction.user.id), 0, None)

        await self.router.answer(interaction, None, act)

    # The server

    def _managed(self, interaction: Interaction) -> int:
        """Return the server that the person manages; raises IllegalMove when that is not so."""
        if interaction.guild_id is None:
            raise IllegalMove("These settings are a server's. Ask in one of its channels.")
        if not moderates(interaction):
            raise IllegalMove("Only who may manage this server can change its settings.")
        return interaction.guild_id

    def _panel(self, guild: int, settings: ServerSettings, note: str = "") -> Panel:
        there = self.bot.get_guild(guild)
        channels = tuple(
            channel
            for channel in settings.channels
            if there is None or there.get_channel_or_thread(channel) is not None
        )
        return Panel(
            "Settings of this server",
            "\n".join(filter(None, (note, *_sentences(settings, channels)))),
            rows=(
                Channels("server", "New tables: in every channel", channels, "channels"),
                *(_menu(settings, field) for field in ("place", "pace", "ending")),
                (
                    _other(settings, "hands"),
                    _other(settings, "mild"),
                    Button("Words", "words"),
                ),
            ),
        )

    async def _on_server(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Set one setting: ``<field>`` to the values chosen in a menu, or ``<field>=<value>`` by a button."""
        guild = self._managed(answer.interaction)
        field, _, named = address.arg.partition("=")
        chosen: Any
        if field == "channels":
            chosen = tuple(sorted(int(value) for value in values))
        else:
            wanted = named or values[0]
            options = [one for one in OPTIONS.get(field, ()) if str(one.value) == wanted]
            if not options:
                raise IllegalMove("I no longer offer that choice. Open the settings anew.")
            chosen = options[0].value
        settings = await self.servers.change(guild, **{field: chosen})
        log.info("settings_changed", guild=guild, field=field)
        await answer.panel(self._panel(guild, settings, "**Saved.** This is how it stands now."), 0, None)

    async def _on_words(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Open the form of words, or take what was typed into it; ``arg`` names what it was filled with."""
        guild = self._managed(answer.interaction)
        if not answer.is_form:
            lists = WordLists.of(await self.servers.of(guild))
            if not await answer.modal(modal(self._words_form(lists), 0, None)):
                raise IllegalMove("That took too long. Press again.")
            return
        # A form that was open while this process restarted takes no word away, since nobody knows what it held.
        now = WordLists.of(await self.servers.of(guild))
        base = now if _digest(now) == address.arg else self._forms.get(address.arg, WordLists())
        added, barred = (_split(fields.get(name, "")) for name in ("added", "barred"))
        await self._change_words(answer, guild, base, added, barred)

    def _words_form(self, lists: WordLists) -> Form:
        digest = _digest(lists)
        self._forms[digest] = lists
        self._forms.move_to_end(digest)
        if len(self._forms) > REMEMBERED_FORMS:
            self._forms.popitem(last=False)
        return Form(
            "Words of this server",
            "words",
            tuple(
                Field(
                    name,
                    label,
                    "One a line, or with commas between. Take a word away by deleting it.",
                    value=", ".join(sorted(words)),
                    required=False,
                    most=4000,
                )
                for name, label, words in (
                    ("added", "Legal here beside the dictionary", lists.added),
                    ("barred", "Not legal here", lists.barred),
                )
            ),
            digest,
        )

    async def _change_words(
        self, answer: Answer, guild: int, base: WordLists, added: Sequence[str], barred: Sequence[str]
    ) -> None:
        mild = (await self.servers.of(guild)).mild
        typed, left_out = await asyncio.to_thread(self._judged, mild, added, barred)

        before: WordLists | None = None

        def change(settings: ServerSettings) -> ServerSettings:
            nonlocal before
            before = WordLists.of(settings)
            merged = before.merged(base, typed)
            if max(len(merged.added), len(merged.barred)) > MOST_WORDS:
                raise IllegalMove(f"That would be more than {MOST_WORDS} words. Take some away first.")
            return merged.put(settings)

        settings = await self.servers.edit(guild, change)
        said = "**Nothing has changed.**"
        if WordLists.of(settings) != before:
            log.info("settings_changed", guild=guild, field="words")
            said = "**Saved.** It counts from the next deal on."
        note = "\n".join((said, *left_out))
        await answer.panel(self._panel(guild, settings, note), 0, None)

    def _judged(
        self, mild: bool, added: Sequence[str], barred: Sequence[str]
    ) -> tuple[WordLists, tuple[str, ...]]:
        """Return the lists that were typed, and a line for each part of them that was left out and why."""
        legal, offends = self.lexicon.legal, self.lexicon.offends
        left_out: dict[str, str] = {}

        def kept(typed: Sequence[str], needless: Callable[[str], bool], why: str) -> frozenset[str]:
            words: set[str] = set()
            for text in typed:
                word = Lexicon.fold(text)
                if not word:
                    left_out[text] = "is not made of the letters A to Z alone"
                elif len(word) not in LETTERS:
                    left_out[text] = f"does not have {LETTERS.start} to {LETTERS.stop - 1} letters"
                elif needless(word):
                    left_out[word] = why
                elif len(words) == MOST_WORDS and word not in words:
                    left_out[word] = f"is one too many; a list holds {MOST_WORDS}"
                else:
                    words.add(word)
            return frozenset(words)

        no = kept(barred, lambda word: not legal(word), "is not in the dictionary anyway")
        yes = kept(
            added,
            lambda word: legal(word) and word not in no and not (mild and offends(word)),
            "is in the dictionary already",
        )
        left_out.update(dict.fromkeys(yes & no, "is on both lists, so it is barred"))
        lines = [f"`{text.replace('`', '')[:30]}` {why}." for text, why in left_out.items()]
        if len(lines) > SHOWN_REASONS:
            lines[SHOWN_REASONS:] = [f"{len(lines) - SHOWN_REASONS} more were left out."]
        return WordLists(yes - no, no), tuple(lines)

    # The person

    async def _privacy_panel(self, user: int) -> Panel:
        told = await self.privacy.told(user)
        if not told:
            return Panel("Your data", f"Nothing is stored about you.\n{NEVER}", colour=GREY)
        stored = "\n".join(f"- {line}" for line in told)
        return Panel(
            "Your data",
            f"This is stored about you, with your Discord id:\n{stored}\n{NEVER}",
            rows=((Button("Export", "privacy", "export"), Button("Delete", "privacy", "delete", "bad")),),
        )

    async def _on_privacy(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Do what a button of the person's own panel says; whose data it is, is who presses."""
        user = answer.interaction.user.id
        if address.arg == "export":
            await self._export(answer, user)
        elif address.arg == "delete":
            await answer.panel(await self._deleting(user), 0, None)
        elif address.arg == "sure":
            await self._delete(answer, user)
        else:
            await answer.panel(await self._privacy_panel(user), 0, None)

    async def _export(self, answer: Answer, user: int) -> None:
        raw, name = await self.privacy.export(user), "wordmoot-your-data.json"
        if len(raw) > answer.interaction.filesize_limit:
            raw, name = await asyncio.to_thread(gzip.compress, raw), f"{name}.gz"
        await answer.done()
        await answer.interaction.followup.send(
            "Everything that is stored about you, for your eyes only.",
            file=discord.File(io.BytesIO(raw), name),
            ephemeral=True,
        )

    async def _deleting(self, user: int) -> Panel:
        tables = await self.privacy.open_tables(user)
        lines = ["All of it is deleted at once, and nobody can bring it back."]
        lobbies = [table for table in tables if table.stage == "lobby"]
        if lobbies:
            lines.append(f"You leave {counted(len(lobbies), 'lobby', 'lobbies')}.")
        live = [table for table in tables if table.stage == "live"]
        last = [table for table in live if [seat.user for seat in table.persons] == [user]]
        if last:
            lines.append(
                f"{counted(len(last), 'game')} without any other person {'ends' if len(last) == 1 else 'end'}."
            )
        if len(live) > len(last):
            others = counted(len(live) - len(last), "live table")
            lines.append(f"At {others} an automaton plays on for you, and you cannot return.")
        lines.append("At tables that are over your seat stays without your name.")
        lines.append("Your results leave the lists of the best.")
        lines.append(
            "Private messages with your letters are deleted. What stands in channels stays with Discord."
        )
        return Panel(
            "Delete your data?",
            "\n".join(f"- {line}" for line in lines),
            rows=(
                (Button("Delete everything", "privacy", "sure", "bad"), Button("Keep it", "privacy", "show")),
            ),
            colour=RED,
        )

    async def _delete(self, answer: Answer, user: int) -> None:
        self.router.hands.taken(user)  # or the next answer would note anew that theirs are closed
        deleted = await self.privacy.delete(user)
        text = "Nothing is stored about you any more. You are welcome to come back as somebody new."
        await answer.panel(Panel("Deleted", text, colour=GREY), 0, None)
        for channel, message in deleted.messages:
            await take_away(self.bot, channel, message)


def _sentences(settings: ServerSettings, channels: Sequence[int]) -> tuple[str, ...]:
    """Return the settings, a sentence each; ``channels`` are those chosen that are still there."""
    if channels:
        where = f"Tables may open in {', '.join(f'<#{channel}>' for channel in channels)} and threads there."
    elif settings.channels:
        where = "The channels chosen for tables are gone, so they may open in every channel."
    else:
        where = "Tables may open in every channel."
    chosen = [
        option.sentence
        for field, options in OPTIONS.items()
        for option in options
        if option.value == getattr(settings, field)
    ]
    words = [
        f"{counted(len(listed), 'word is', 'words are')} {what}: {_shortened(listed)}."
        for what, listed in (("added", settings.added), ("barred", settings.barred))
        if listed
    ]
    fixed = "-# A table keeps the words that it was dealt with."
    return (where, *chosen, *(words or ["No word is added or barred."]), fixed)


def _menu(settings: ServerSettings, field: str) -> Menu:
    return Menu(
        "server",
        OPTIONS[field][0].label,
        tuple(
            Choice(option.label, str(option.value), chosen=option.value == getattr(settings, field))
            for option in OPTIONS[field]
        ),
        field,
    )


def _other(settings: ServerSettings, field: str) -> Button:
    """Return the button that sets a setting of two values to the other one; it says which, so two presses agree."""
    option = next(one for one in OPTIONS[field] if one.value != getattr(settings, field))
    return Button(option.label, "server", f"{field}={option.value}")


def _shortened(words: Sequence[str]) -> str:
    more = len(words) - SHOWN_WORDS
    return ", ".join(words[:SHOWN_WORDS]) + (f" and {more} more" if more > 0 else "")


def _split(text: str) -> list[str]:
    return [part for part in re.split(r"[\s,;]+", text) if part]


def _digest(lists: WordLists) -> str:
    listed = ",".join(sorted(lists.added)) + "/" + ",".join(sorted(lists.barred))
    return hashlib.blake2b(listed.encode(), digest_size=8).hexdigest()
