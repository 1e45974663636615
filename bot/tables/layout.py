"""Panels and forms as Discord sees them: components v2, custom ids, alt texts.

A custom id says all that a press needs after a restart: ``w1:<table>:<epoch>:<verb>:<argument>``, at most 100
characters. The epoch is that of the panel's reader when it was made, or ``-`` for what is not bound to one. Views are stopped before they are sent: the one router hears every press, and a kept view costs memory.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, NamedTuple

import discord
from discord import ui
from msgspec.structs import replace

from bot.tables.face import LIMITS, Button, Channels, Field, Form, Menu, Panel, Style

STYLES: dict[Style, discord.ButtonStyle] = {
    "plain": discord.ButtonStyle.secondary,
    "main": discord.ButtonStyle.primary,
    "good": discord.ButtonStyle.success,
    "bad": discord.ButtonStyle.danger,
}
# Where one can write, in the channel itself or in its threads.
CHANNELS = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.forum,
    discord.ChannelType.voice,
]
NAME = 32  # characters of a name, as Discord allows
# What Discord's markdown takes for its own, anywhere or at the beginning of a line; a backslash takes that away.
MARKUP = re.compile(r"[\\`*_~|<>\[\]]|:(?=//)|^[#+-]|(?<=^\d)\.|(?<=^\d\d)\.")
HIDDEN = frozenset(
    {"Cc", "Cf", "Cs", "Co", "Cn"}
)  # categories of Unicode: controls, formatting, nothing assigned
JOINERS = frozenset("\u200c\u200d")
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters, by name, that show nothing
ADDRESS = re.compile(r"w1:(\d{1,19}):(?:([os])([0-9a-f]{1,8})|-):([a-z_]{1,20}):(.*)", re.DOTALL)


class Epoch(NamedTuple):
    """The epoch for which a panel was made: its seat's own, or on a board everyone's."""

    number: int
    everyone: bool = False

    def __str__(self) -> str:
        """Return it as it stands in a custom id: ``o`` for open to all, ``s`` for a seat."""
        return f"{'o' if self.everyone else 's'}{self.number:x}"


class Address(NamedTuple):
    """Where a press goes: the parts of a custom id."""

    table: int
    epoch: Epoch | None
    verb: str
    arg: str

    def __str__(self) -> str:
        """Return the custom id; raises ValueError when it is too long for Discord."""
        text = f"w1:{self.table}:{self.epoch or '-'}:{self.verb}:{self.arg}"
        if len(text) > LIMITS["custom_id"]:
            raise ValueError(f"a custom id of {len(text)} characters: {text[:60]}…")
        return text

    @classmethod
    def parse(cls, custom_id: str) -> Address | None:
        """Return the parts of ``custom_id``, or None when it is none of ours."""
        found = ADDRESS.fullmatch(custom_id)
        if found is None:
            return None
        table, reader, number, verb, arg = found.groups()
        epoch = None if reader is None else Epoch(int(number, 16), reader == "o")
        return cls(int(table), epoch, verb, arg)


def layout(panel: Panel, table: int, epoch: Epoch | None) -> ui.LayoutView:
    """Return the panel as a stopped view of one container.

    The picture refers to ``attachment://<name>``, which must be sent with it (``attachment``).
    """
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(accent_colour=panel.colour)
    box.add_item(ui.TextDisplay("\n".join(part for part in (f"### {panel.title}", panel.text) if part)))
    if panel.picture is not None:
        picture = discord.MediaGalleryItem(
            f"attachment://{panel.picture.name}", description=panel.picture.alt[: LIMITS["alt"]]
        )
        box.add_item(ui.MediaGallery(picture))
    if panel.notes:
        box.add_item(ui.TextDisplay(panel.notes))
    for row in panel.rows:
        line: ui.ActionRow[Any] = ui.ActionRow()
        if isinstance(row, Menu):
            line.add_item(_menu(row, table, epoch))
        elif isinstance(row, Channels):
            line.add_item(_channels(row, table))
        else:
            for button in row:
                line.add_item(_button(button, table, epoch))
        box.add_item(line)
    view.add_item(box)
    view.stop()
    return view


def below(panel: Panel, text: str) -> Panel:
    """Return the panel with a text right above its buttons: of a tall panel a phone shows the lower end."""
    return replace(panel, notes="\n".join(part for part in (panel.notes, text) if part))


def plain(text: str) -> ui.LayoutView:
    """Return a message of text alone, for what once was a board (components v2 cannot be taken off a message)."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(text))
    view.stop()
    return view


def _button(button: Button, table: int, epoch: Epoch | None) -> ui.Button[Any]:
    address = Address(table, epoch if button.bound else None, button.verb, button.arg)
    return ui.Button(
        label=button.label, custom_id=str(address), style=STYLES[button.style], disabled=button.disabled
    )


def _menu(menu: Menu, table: int, epoch: Epoch | None) -> ui.Select[Any]:
    return ui.Select(
        custom_id=str(Address(table, epoch if menu.bound else None, menu.verb, menu.arg)),
        placeholder=menu.placeholder[:150],
        min_values=menu.least,
        max_values=menu.most,
        options=[
            discord.SelectOption(
                label=choice.label[:100],
                value=choice.value,
                description=choice.description[:100] or None,
                default=choice.chosen,
            )
            for choice in menu.choices[: LIMITS["choices"]]
        ],
    )


def _channels(menu: Channels, table: int) -> ui.ChannelSelect[Any]:
    return ui.ChannelSelect(
        custom_id=str(Address(table, None, menu.verb, menu.arg)),
        placeholder=menu.placeholder[:150],
        min_values=0,
        max_values=LIMITS["choices"],
        channel_types=CHANNELS,
        default_values=[
            discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
            for channel in menu.chosen[: LIMITS["choices"]]
        ],
    )


def modal(form: Form, table: int, epoch: Epoch | None) -> ui.Modal:
    """Return the form as a modal; its submission comes back through the router, also after a restart."""
    made = ui.Modal(title=form.title[:45], custom_id=str(Address(table, epoch, form.verb, form.arg)))
    if form.note:
        made.add_item(ui.TextDisplay(form.note))
    for field in form.fields:
        made.add_item(
            ui.Label(
                text=field.label[:45],
                description=field.description[:100] or None,
                component=ui.TextInput(
                    custom_id=field.key,
                    style=discord.TextStyle.paragraph if field.most > 200 else discord.TextStyle.short,
                    placeholder=field.placeholder[:100] or None,
                    default=field.value[: field.most] or None,
                    required=field.required,
                    max_length=field.most,
                ),
            )
        )
    return made


def filled(form: Form, typed: dict[str, str]) -> Form:
    """Return the form with what was typed in it."""
    return Form(
        form.title,
        form.verb,
        tuple(
            Field(
                field.key,
                field.label,
                field.description,
                field.placeholder,
                typed.get(field.key, field.value),
                field.required,
                field.most,
            )
            for field in form.fields
        ),
        form.arg,
        form.bound,
    )


def typed(components: list[dict[str, Any]]) -> dict[str, str]:
    """Return what was typed into a submitted modal, by field."""
    found: dict[str, str] = {}
    for part in components:
        inner = part.get("component")
        for item in [inner] if inner else part.get("components", []):
            if "value" in item:
                found[str(item["custom_id"])] = str(item["value"])
    return found


def escaped(name: str) -> str:
    """Return a person's name so that it formats, links, dates and mentions nothing, and turns no text around.

    At most ``NAME`` characters of it, backslashes not counted; "Somebody" for a name that nobody can see.
    """
    shown = " ".join(_visible(name).split())[:NAME].rstrip()
    if all(unicodedata.category(letter).startswith("M") or letter in JOINERS for letter in shown):
        return "Somebody"
    plain = discord.utils.escape_mentions(MARKUP.sub(r"\\\g<0>", shown))
    backwards = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in plain)
    return f"\u2068{plain}\u2069" if backwards else plain


def _visible(name: str) -> str:
    """Return a name without controls, formatting characters and letters that show nothing.

    A joiner stays where it joins: in an emoji of several, and in scripts that need it.
    """
    kept = []
    for before, letter, after in zip(" " + name, name, name[1:] + " ", strict=False):
        if letter in JOINERS and not before.isascii() and not after.isascii():
            kept.append(letter)
        elif letter.isspace():
            kept.append(" ")
        elif letter not in BLANK and unicodedata.category(letter) not in HIDDEN:
            kept.append(letter)
    return "".join(kept)
