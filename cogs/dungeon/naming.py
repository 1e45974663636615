"""Which dungeon is meant: by what people type, by the options of a table, and the one that follows another."""

from __future__ import annotations

from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.state import Dungeon, Options
from bot.games.game import IllegalMove
from bot.tables.layout import escaped
from bot.tables.wording import listed

ANY = {"any": "any dungeon", "easy": "an easy dungeon (tier 1)"}  # what chance is to pick
_APOSTROPHES = str.maketrans("", "", "'’‘ʼ`´")


def named(text: str) -> Dungeon:
    """Return the dungeon that somebody has chosen or typed, a part of its name if no other has it.

    Raises:
        IllegalMove: there is none of that name, or there are several.
    """
    wanted = folded(text)
    for dungeon in DUNGEONS.values():
        if wanted in (dungeon.key, folded(dungeon.name)):
            return dungeon
    alike = [dungeon for dungeon in DUNGEONS.values() if wanted and wanted in folded(dungeon.name)]
    if len(alike) == 1:
        return alike[0]
    if alike:
        names = listed((dungeon.name for dungeon in alike), "or")
        raise IllegalMove(f"Which one: {names}?")
    raise IllegalMove(f"I know no dungeon called {escaped(text)}. Choose one that is offered as you type.")


def matching(text: str) -> tuple[Dungeon, ...]:
    """Return the dungeons whose name holds the text, or whose tier it is, the easiest first."""
    return tuple(
        dungeon
        for dungeon in DUNGEONS.values()
        if folded(text) in folded(dungeon.name) or text == f"{dungeon.tier}"
    )


def folded(name: str) -> str:
    """Return a dungeon's name as it is compared with what people type: in any case, with or without apostrophes."""
    return name.strip().casefold().translate(_APOSTROPHES)


def optioned(options: Options) -> Dungeon | None:
    """Return the dungeon of a table with these options; None where chance is to pick it."""
    return options.custom or DUNGEONS.get(options.dungeon)


def following(dungeon: Dungeon) -> Dungeon | None:
    """Return the next dungeon, which is a little harder, or None after the last."""
    keys = list(DUNGEONS)
    if dungeon.key not in keys or dungeon.key == keys[-1]:
        return None
    return DUNGEONS[keys[keys.index(dungeon.key) + 1]]
