"""The options of a table in the lobby: the menus that set them, and what they amount to for somebody who has never played.

A beginner's goal that is asked for by command comes with the *guarded* referee unless one is named (``given``): a wrong word
is a surprise that nobody should meet at the end of a first game.
"""

from __future__ import annotations

import msgspec

from bot.games.defenders.rules import GOALS, ROUNDS, goal
from bot.games.defenders.state import Options
from bot.tables.face import Choice, Menu

PACES = {
    "live": "Live pace, for a game in one sitting: a minute of silence is consent to what somebody proposes.",
    "slow": "Slow pace, for a game over days: half a day of silence is consent to what somebody proposes.",
}
REFEREES = {
    "printed": "Words are checked only when the goal is met, and one wrong word on the map loses the game (*printed*"
    " referee).",
    "guarded": "Words are checked at once: what is not in the dictionary cannot be laid (*guarded* referee).",
}
CHECKED = {
    "guarded": "Words are checked at once, good for beginners",
    "printed": "Words are checked at the end, as printed",
}
AGREED = {"live": "a minute of silence agrees", "slow": "half a day of silence agrees"}
FIELDS = {
    "goal": ("difficulty", "level"),
    "map": ("map", "map_side"),
    "edge": ("edge",),
    "hq_side": ("hq_side",),
    "table": ("referee", "pace"),
}  # by menu: which options a value sets, a slash between them


def settings(options: Options) -> tuple[Menu, ...]:
    """Return the lobby's menus."""
    return (
        Menu("set", "The goal", _goals(options), "goal"),
        Menu("set", "The second map", _maps(options), "map"),
        Menu("set", "Where it joins", _edges(options), "edge"),
        Menu("set", "The headquarters", _sides(options), "hq_side"),
        Menu("set", "Referee and pace", _tables(options), "table"),
    )


def chosen(options: Options, menu: str, value: str) -> Options:
    """Return the options after a choice in a lobby menu; raises msgspec.ValidationError for a wrong value."""
    picked = dict(zip(FIELDS[menu], value.split("/"), strict=True))
    return msgspec.convert(msgspec.to_builtins(options) | picked, Options, strict=False)


def given(level: str | None, referee: str | None, pace: str | None) -> dict[str, object]:
    """Return the options that a command names, ``level`` being like ``beginner/1``, and those that follow from them."""
    difficulty, number = (level or "beginner/1").split("/")
    if referee is None and difficulty == "beginner":
        referee = "guarded"
    named = {"difficulty": difficulty, "level": int(number), "referee": referee, "pace": pace}
    return {name: value for name, value in named.items() if value is not None}


def summary(options: Options) -> str:
    """Return the options so that somebody understands them who has never played."""
    aim = goal(options.difficulty, options.level)
    side = "day or night" if options.hq_side == "any" else options.hq_side
    second = "a second one by chance" if options.map == "any" else f"the {options.map} one"
    if options.map_side != "any":
        second += f" by {options.map_side}"
    edge = "" if options.edge == "any" else f", at the {options.edge} edge"
    return (
        f"**{options.difficulty.capitalize()} {options.level}:** save the city together. Collect {aim.poi} points of"
        f" interest {_order(options.difficulty)} and {aim.vp} Vocabulary Points (VP) before the villain’s"
        f" {ROUNDS} letters run out.\n"
        f"{REFEREES[options.referee]}\n"
        f"-# Maps: the headquarters by {side}, and {second}{edge}. {PACES[options.pace]}"
    )


def _goals(options: Options) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            f"{aim.difficulty.capitalize()} {aim.level}",
            f"{aim.difficulty}/{aim.level}",
            f"{aim.poi} points of interest {_order(aim.difficulty)} and {aim.vp} Vocabulary Points",
            (options.difficulty, options.level) == (aim.difficulty, aim.level),
        )
        for aim in GOALS
    )


def _maps(options: Options) -> tuple[Choice, ...]:
    return (
        Choice("Any second map", "any/any", "By chance", options.map == "any"),
        *(
            Choice(
                f"{name.capitalize()} map by {side}",
                f"{name}/{side}",
                chosen=(options.map, options.map_side) == (name, side),
            )
            for name in ("north", "east", "south", "west")
            for side in ("day", "night")
        ),
    )


def _edges(options: Options) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            f"Joined at {'any edge' if edge == 'any' else f'the {edge} edge'}",
            edge,
            chosen=options.edge == edge,
        )
        for edge in ("any", "north", "east", "south", "west")
    )


def _sides(options: Options) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            f"Headquarters by {'day or night' if side == 'any' else side}",
            side,
            chosen=options.hq_side == side,
        )
        for side in ("any", "day", "night")
    )


def _tables(options: Options) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            f"{referee.capitalize()} referee, {pace} pace",
            f"{referee}/{pace}",
            f"{CHECKED[referee]}; {AGREED[pace]}",
            (options.referee, options.pace) == (referee, pace),
        )
        for referee in ("guarded", "printed")
        for pace in ("live", "slow")
    )


def _order(difficulty: str) -> str:
    return "in rising order" if difficulty == "intermediate" else "in any order"
