"""The options of a table in the lobby: the menus that set them, and what they amount to in a few lines."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.state import TIERS, Options
from bot.tables.face import Choice, Menu
from bot.tables.wording import counted, cut
from cogs.dungeon.naming import ANY, named, optioned
from cogs.dungeon.sheet import about, facts

DEPTHS = {1: "Doorstep", 2: "Cellars", 3: "Vaults", 4: "The deep"}  # the tiers by name
MODES = {
    "auto": ("Race", "A private copy of the dungeon each; who sits alone plays solo"),
    "party": ("Party", "One map for all; a majority lays each word"),
    "solo": ("Solo", "One player"),
}
MINUTES = {
    0: "as usual",
    5: "5 minutes",
    10: "10 minutes",
    20: "20 minutes",
    30: "30 minutes",
    60: "1 hour",
    1440: "1 day",
    4320: "3 days",
    10080: "7 days",
}
PACES = {
    "live": "Live pace: a race takes 15 minutes unless you set another time.",
    "slow": "Slow pace: a race takes three days unless you set another time.",
}


def settings(options: Options) -> tuple[Menu, ...]:
    """Return the lobby's menus; that of dungeons is there once a tier is chosen."""
    menus = [
        Menu("set", "Race, party or solo", _modes(options), "mode"),
        Menu("set", "How deep", _tiers(options), "tier"),
        Menu("set", "The dungeon", _dungeons(options), "dungeon"),
        Menu("set", "Time for a race", _minutes(options), "minutes"),
        Menu("set", "Pace", _paces(options), "pace"),
    ]
    return tuple(menu for menu in menus if menu.choices)


def _modes(options: Options) -> tuple[Choice, ...]:
    return tuple(
        Choice(f"Mode: {name.lower()}", key, told, key == _mode(options))
        for key, (name, told) in MODES.items()
    )


def _mode(options: Options) -> str:
    return "auto" if options.mode == "race" else options.mode


def _tiers(options: Options) -> tuple[Choice, ...]:
    tier = _tier(options)
    return (
        Choice("Depth: any easy dungeon", "easy", "By chance, of tier 1", options.dungeon == "easy"),
        Choice("Depth: any dungeon", "0", "By chance, however deep", not tier and options.dungeon != "easy"),
        *(
            Choice(f"Depth: tier {number}, {DEPTHS[number]}", f"{number}", _holds(number), number == tier)
            for number in range(1, TIERS + 1)
        ),
    )


def _tier(options: Options) -> int:
    """Return the tier of the dungeon that was chosen, 0 for none."""
    return DUNGEONS[options.dungeon].tier if options.dungeon in DUNGEONS else 0


def _holds(tier: int) -> str:
    """Return how many dungeons a tier has, and which."""
    found = [dungeon.name for dungeon in DUNGEONS.values() if dungeon.tier == tier]
    return cut(f"{counted(len(found), 'dungeon')}: {', '.join(found)}", 100)


def _dungeons(options: Options) -> tuple[Choice, ...]:
    return tuple(
        Choice(f"Dungeon: {dungeon.name}", dungeon.key, about(dungeon), dungeon.key == options.dungeon)
        for dungeon in DUNGEONS.values()
        if dungeon.tier == _tier(options)
    )


def _minutes(options: Options) -> tuple[Choice, ...]:
    usual = "15 minutes live, three days slow"
    return tuple(
        Choice(f"Time for a race: {name}", f"{number}", "" if number else usual, number == options.minutes)
        for number, name in MINUTES.items()
    )


def _paces(options: Options) -> tuple[Choice, ...]:
    return tuple(
        Choice(f"{pace.capitalize()} pace", pace, told, pace == options.pace) for pace, told in PACES.items()
    )


def chosen(options: Options, menu: str, value: str) -> Options:
    """Return the options after a choice in a lobby menu; raises msgspec.ValidationError for a wrong value."""
    if menu == "tier":
        first = "easy" if value == "easy" else _first(int(value))
        return replace(options, dungeon=first, custom=None, daily="")
    fields = {**msgspec.to_builtins(options), menu: value}
    if menu == "dungeon":
        fields |= {"custom": None, "daily": ""}
    return msgspec.convert(fields, Options, strict=False)


def _first(tier: int) -> str:
    return next((dungeon.key for dungeon in DUNGEONS.values() if dungeon.tier == tier), "any")


def given(mode: str | None, dungeon: str | None, minutes: int | None, pace: str | None) -> dict[str, Any]:
    """Return the options that a command sets; raises IllegalMove for a dungeon that there is not.

    Without a dungeon it is an easy one, by chance, so that a first game is one that can be won.
    """
    fields = {
        "mode": "auto" if mode == "race" else mode,
        "minutes": minutes,
        "pace": pace,
        "dungeon": "easy" if dungeon is None else named(dungeon).key,
    }
    return {name: value for name, value in fields.items() if value is not None}


def summary(options: Options) -> str:
    """Return the options in a few lines."""
    dungeon = optioned(options)
    where = ANY[options.dungeon] if dungeon is None else f"**{dungeon.name}** ({facts(dungeon)})"
    name, told = MODES[_mode(options)]
    lines = [f"**{name}** through {where}.", f"{told}."]
    if options.mode in ("auto", "race"):
        time = MINUTES.get(options.minutes) or counted(options.minutes, "minute")
        usual = "15 minutes" if options.pace == "live" else "3 days"
        lines.append(f"-# Time for a race: {time if options.minutes else usual}.")
    if dungeon is None:
        lines.append("-# To choose one by name, choose its depth first (*Options*).")
    return "\n".join(lines)
