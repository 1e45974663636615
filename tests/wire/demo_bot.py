"""A small bot that uses every kind of interaction, the way bots do; the wire tests run it as a process of its own."""

from __future__ import annotations

import asyncio
import io
import os
import re
import sqlite3
from pathlib import Path
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands
from PIL import Image

Interaction = discord.Interaction[Any]


def picture(name: str, text: str) -> discord.File:
    body = io.BytesIO()
    Image.new("RGB", (320, 120), (40, 70, 90)).save(body, "PNG")
    body.seek(0)
    return discord.File(body, name, description=text)


class Tally:
    """Counts that outlive the process."""

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "demo.db", isolation_level=None)
        self._database.execute("CREATE TABLE IF NOT EXISTS presses (who INTEGER)")

    def add(self, who: int) -> int:
        self._database.execute("INSERT INTO presses VALUES (?)", (who,))
        return int(self._database.execute("SELECT count(*) FROM presses").fetchone()[0])


class Press(ui.DynamicItem[ui.Button[Any]], template=r"press:(?P<key>\d+)"):
    """A button that works after a restart."""

    def __init__(self, key: int) -> None:
        super().__init__(
            ui.Button(label="Press", custom_id=f"press:{key}", style=discord.ButtonStyle.success)
        )

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: Any, match: re.Match[str]) -> Press:
        return cls(int(match["key"]))

    async def callback(self, interaction: Interaction) -> None:
        count = interaction.client.tally.add(interaction.user.id)
        await interaction.response.edit_message(content=f"Pressed {count}")


class Answer(ui.Modal, title="Your answer"):
    word = ui.Label(text="Word", component=ui.TextInput(max_length=12))
    kind = ui.Label(
        text="Kind",
        component=ui.Select(options=[discord.SelectOption(label="Noun"), discord.SelectOption(label="Verb")]),
    )

    async def on_submit(self, interaction: Interaction) -> None:
        text = f"{self.word.component.value} {self.kind.component.values[0]}"  # type: ignore[attr-defined]
        await interaction.response.send_message(text, ephemeral=True)


class Board(ui.LayoutView):
    """Components v2 with a picture that each click replaces."""

    def __init__(self, turn: int = 0) -> None:
        super().__init__(timeout=None)
        self.turn = turn
        box = ui.Container[Any](accent_color=0x3A7CA5)
        box.add_item(ui.TextDisplay(f"## Board\nTurn {turn}"))
        box.add_item(
            ui.MediaGallery(discord.MediaGalleryItem(f"attachment://board{turn}.png", description="A board"))
        )
        box.add_item(ui.Separator())
        thumb = ui.Thumbnail[Any](f"attachment://board{turn}.png", description="The board, small")
        box.add_item(ui.Section("It is small here.", accessory=thumb))
        row = ui.ActionRow[Any]()
        for label, custom_id, call in (("Next", "next", self.advance), ("Answer", "answer", self.answer)):
            button = ui.Button[Any](label=label, custom_id=custom_id)
            button.callback = call  # type: ignore[method-assign]
            row.add_item(button)
        box.add_item(row)
        self.add_item(box)

    async def advance(self, interaction: Interaction) -> None:
        view = Board(self.turn + 1)
        file = picture(f"board{view.turn}.png", f"Board of turn {view.turn}")
        await interaction.response.edit_message(view=view, attachments=[file])

    async def answer(self, interaction: Interaction) -> None:
        await interaction.response.send_modal(Answer())


class Choosing(ui.View):
    """The selects."""

    @ui.select(
        custom_id="letters",
        placeholder="Letters",
        max_values=2,
        options=[discord.SelectOption(label=letter, description=f"The letter {letter}") for letter in "ABC"],
    )
    async def letters(self, interaction: Interaction, select: ui.Select[Any]) -> None:
        await interaction.response.send_message("+".join(select.values), ephemeral=True)

    @ui.select(cls=ui.UserSelect, custom_id="people", placeholder="A person")
    async def people(self, interaction: Interaction, select: ui.UserSelect[Any]) -> None:
        await interaction.response.send_message(select.values[0].display_name, ephemeral=True)

    @ui.select(cls=ui.ChannelSelect, custom_id="places", placeholder="A channel")
    async def places(self, interaction: Interaction, select: ui.ChannelSelect[Any]) -> None:
        await interaction.response.send_message(select.values[0].name, ephemeral=True)


class Plain(ui.Modal, title="Plain"):
    text = ui.TextInput[Any](
        label="Text", style=discord.TextStyle.paragraph, default="as it was", required=False
    )

    async def on_submit(self, interaction: Interaction) -> None:
        try:
            await interaction.response.send_modal(Plain())
        except discord.HTTPException as error:
            await interaction.response.send_message(f"{error.status}/{error.code} {self.text.value}")


class Show(app_commands.Group):
    """What is shown, and how."""

    @app_commands.command(description="A button that is counted")
    async def press(self, interaction: Interaction) -> None:
        view = ui.View(timeout=None)
        view.add_item(Press(7))
        await interaction.response.send_message("Pressed 0", view=view)

    @app_commands.command(description="A board of components")
    async def board(self, interaction: Interaction) -> None:
        await interaction.response.send_message(view=Board(), file=picture("board0.png", "Board of turn 0"))

    @app_commands.command(description="The selects")
    async def choosing(self, interaction: Interaction) -> None:
        await interaction.response.send_message("Choose.", view=Choosing(timeout=None), ephemeral=True)

    @app_commands.command(description="A plain form")
    async def plain(self, interaction: Interaction) -> None:
        await interaction.response.send_modal(Plain())

    @app_commands.command(description="A private picture")
    async def hand(self, interaction: Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        try:
            await interaction.user.send("Your hand", file=picture("hand.png", "Seven tiles"))
        except discord.Forbidden as error:
            await interaction.followup.send(f"Your DMs are closed ({error.code}).")
        else:
            await interaction.followup.send("Look into your DMs.")


class Try(app_commands.Group):
    """What goes wrong, and how it is told."""

    @app_commands.command(description="Answer too late")
    async def late(self, interaction: Interaction, seconds: float) -> None:
        await asyncio.sleep(seconds)
        try:
            await interaction.response.send_message("too late")
        except discord.HTTPException as error:
            await interaction.channel.send(f"{error.status}/{error.code}")  # type: ignore[union-attr]

    @app_commands.command(description="Answer twice")
    async def twice(self, interaction: Interaction) -> None:
        await interaction.response.defer()
        again = discord.InteractionResponse(interaction)
        try:
            await again.send_message("again")
        except discord.HTTPException as error:
            await interaction.followup.send(f"{error.status}/{error.code}")

    @app_commands.command(description="Send what is over a limit")
    async def over(self, interaction: Interaction) -> None:
        try:
            await interaction.response.send_message("x" * 2001)
        except discord.HTTPException as error:
            await interaction.response.send_message(f"{error.status}/{error.code} {error.text}")

    @app_commands.command(description="Think, then answer")
    async def slow(self, interaction: Interaction, seconds: float) -> None:
        await interaction.response.defer(thinking=True)
        await asyncio.sleep(seconds)
        await interaction.followup.send("Done.")
        await interaction.followup.send("And more.")

    @app_commands.command(description="Use an interaction until it is refused")
    async def expire(self, interaction: Interaction) -> None:
        await interaction.response.send_message("first")
        while True:
            await asyncio.sleep(0.02)
            try:
                await interaction.edit_original_response(content="again")
            except discord.HTTPException as error:
                await interaction.channel.send(f"{error.status}/{error.code}")  # type: ignore[union-attr]
                return


class Demo(commands.AutoShardedBot):
    """The bot."""

    def __init__(self, folder: Path) -> None:
        intents = discord.Intents.default()
        intents.message_content = True
        super().__init__("!", intents=intents, guild_ready_timeout=0.05)
        self.tally = Tally(folder)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press)
        self.tree.add_command(Show(name="show", description="Things to see"))
        self.tree.add_command(Try(name="try", description="Things that fail"))
        self.tree.add_command(word)
        self.tree.add_command(kinds)
        self.tree.add_command(thread)
        self.tree.add_command(whose)
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        if not message.author.bot and message.content.startswith("echo "):
            await message.reply(message.content[5:], mention_author=False)


@app_commands.command(description="Look a word up")
@app_commands.describe(word="The word", level="How hard")
async def word(interaction: Interaction, word: str, level: app_commands.Range[int, 1, 3] = 1) -> None:
    await interaction.response.send_message(f"**{word}** is a word of level {level}.")


@word.autocomplete("word")
async def _suggest(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    known = ("apple", "apply", "banana", "cherry")
    return [app_commands.Choice(name=one, value=one) for one in known if one.startswith(typed.lower())]


@app_commands.command(description="Every kind of option")
@app_commands.choices(
    size=[app_commands.Choice(name="Small", value="s"), app_commands.Choice(name="Large", value="l")]
)
async def kinds(
    interaction: Interaction,
    size: app_commands.Choice[str],
    share: app_commands.Range[float, 0.0, 1.0],
    loud: bool,
    who: discord.Member,
    where: discord.TextChannel,
    file: discord.Attachment,
) -> None:
    body = await file.read()
    text = f"{size.value} {share} {loud} {who.display_name} {where.name} {file.filename} {body.decode()}"
    await interaction.response.send_message(text)


@app_commands.command(description="Open a thread and speak in it")
async def thread(interaction: Interaction, private: bool) -> None:
    assert isinstance(interaction.channel, discord.TextChannel)
    kind = discord.ChannelType.private_thread if private else discord.ChannelType.public_thread
    made = await interaction.channel.create_thread(name="Table 1", type=kind)
    said = await made.send(f"Welcome {interaction.user.mention}.")
    await interaction.response.send_message(f"In {made.mention}")
    await made.edit(archived=True)
    try:
        await said.edit(content="edited")
    except discord.HTTPException as error:
        await made.edit(archived=False)
        await said.edit(content=f"edited after {error.status}/{error.code}")


@app_commands.context_menu(name="Whose")
async def whose(interaction: Interaction, message: discord.Message) -> None:
    await interaction.response.send_message(f"By {message.author.display_name}.", ephemeral=True)


def main() -> None:
    discord.utils.setup_logging()
    Demo(Path(os.environ["WORDMOOT_DATA"])).run(os.environ["WORDMOOT_TOKEN"], log_handler=None)
