"""The small bot of the wire tests with private panels beside: what a press leads to, and what the bot takes away."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
from pathlib import Path
from typing import Any

import discord
from demo_bot import Demo  # type: ignore[import-not-found]
from discord import app_commands, ui
from PIL import Image

Interaction = discord.Interaction[Any]

_hands: dict[int, Interaction] = {}  # who has a hand open, and what it was the answer to


def places(text: str) -> ui.View:
    """A button before a menu, as a refused word or a choice of places has them."""
    view = ui.View(timeout=None)
    view.add_item(ui.Button[Any](label="Another word", custom_id="panel:form", row=0))
    options = [discord.SelectOption(label=f"{text} {number}") for number in range(1, 13)]
    view.add_item(
        ui.Select[Any](placeholder="Choose a place", custom_id="panel:place", options=options, row=1)
    )
    return view


def buttons(*given: tuple[str, str]) -> ui.View:
    """A row of buttons; one that gives up is marked as dangerous."""
    view = ui.View(timeout=None)
    for label, key in given:
        style = discord.ButtonStyle.danger if key == "quit" else discord.ButtonStyle.secondary
        view.add_item(ui.Button[Any](label=label, custom_id=f"panel:{key}", style=style))
    return view


class Word(ui.Modal, title="A word"):
    """What is typed leads to a choice."""

    text = ui.TextInput[Any](label="Word", max_length=12)

    async def on_submit(self, interaction: Interaction) -> None:
        text = self.text.value
        if interaction.message is not None and interaction.message.flags.ephemeral:
            await interaction.response.edit_message(content=f"Where does {text} go?", view=places(text))
        else:
            await interaction.response.send_message(
                f"Where does {text} go?", view=places(text), ephemeral=True
            )


async def _hand(interaction: Interaction) -> None:
    """A new hand; the older one goes."""
    await interaction.response.send_message("Your hand", view=buttons(("A", "a"), ("B", "b")), ephemeral=True)
    older = _hands.pop(interaction.user.id, None)
    _hands[interaction.user.id] = interaction
    if older is not None:
        with contextlib.suppress(discord.NotFound):
            await older.delete_original_response()


async def _lobby(interaction: Interaction) -> None:
    await interaction.response.defer()
    await asyncio.sleep(0.2)
    await interaction.channel.send("A lobby", view=buttons(("Join", "join")))  # type: ignore[union-attr]


async def _flash(interaction: Interaction) -> None:
    """A picture that is gone as soon as it is there."""
    await interaction.response.defer()
    shown = await interaction.channel.send(file=_dot("first"))  # type: ignore[union-attr]
    await shown.edit(content="It changed.", attachments=[_dot("second")])
    await shown.delete()
    await interaction.followup.send("It is over.", ephemeral=True)


def _dot(name: str) -> discord.File:
    body = io.BytesIO()
    Image.new("P", (40, 40)).save(body, "PNG")
    body.seek(0)
    return discord.File(body, f"{name}.png")


async def _pressed(interaction: Interaction) -> None:
    key = str((interaction.data or {}).get("custom_id", "")).removeprefix("panel:")
    answer = interaction.response
    if key == "hand":
        await _hand(interaction)
    elif key == "lobby":
        await _lobby(interaction)
    elif key == "form":
        await answer.send_modal(Word())
    elif key == "leave":
        row = buttons(("Give up", "quit"), ("Play on", "join"))
        await answer.send_message("Do you give up?", view=row, ephemeral=True)
    elif key == "said":
        await answer.send_message("It was said.", ephemeral=True)
    elif key == "grow":
        lines = "\n".join(f"Line {number}." for number in range(9))
        await answer.edit_message(content=f"It grew.\n{lines}", view=buttons(("Grow", "grow")))
    elif key == "flash":
        await _flash(interaction)
    elif key == "quit":
        await interaction.response.defer()
        await interaction.delete_original_response()


@app_commands.command(description="A private panel that is edited in place")
async def panel(interaction: Interaction) -> None:
    await interaction.response.send_message(
        "Small.", view=buttons(("Grow", "grow"), ("Flash", "flash")), ephemeral=True
    )


@app_commands.command(description="A board with all that leads on")
async def panels(interaction: Interaction) -> None:
    row = (("Hand", "hand"), ("Lobby", "lobby"), ("Word", "form"), ("Leave", "leave"), ("Say", "said"))
    await interaction.response.send_message("The board", view=buttons(*row))


class Panels(Demo):  # type: ignore[misc]
    """The bot."""

    async def setup_hook(self) -> None:
        self.tree.add_command(panels)
        self.tree.add_command(panel)
        await super().setup_hook()

    async def on_interaction(self, interaction: Interaction) -> None:
        if str((interaction.data or {}).get("custom_id", "")).startswith("panel:"):
            await _pressed(interaction)


def main() -> None:
    discord.utils.setup_logging()
    Panels(Path(os.environ["WORDMOOT_DATA"])).run(os.environ["WORDMOOT_TOKEN"], log_handler=None)
