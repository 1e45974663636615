"""What is special about a dungeon, told before anyone goes in: its facts, what is worth what, its own rules, its things, medals."""

from __future__ import annotations

from bot.games.dungeon.placement import ground_of
from bot.games.dungeon.scoring import LONG, medals
from bot.games.dungeon.state import Dungeon
from bot.tables.wording import capital, counted, cut, listed


def facts(dungeon: Dungeon) -> str:
    """Return tier, turns and par in a few words."""
    return f"tier {dungeon.tier} · {counted(dungeon.turns, 'turn')} · par {dungeon.par}"


def about(dungeon: Dungeon) -> str:
    """Return turns, par and what a dungeon teaches, short enough for a line of a menu."""
    return cut(f"{counted(dungeon.turns, 'turn')}, par {dungeon.par}. {dungeon.teaches}".rstrip(), 100)


def sheet(dungeon: Dungeon) -> str:
    """Return all that is special about a dungeon."""
    lines = [
        f"*{dungeon.story}*",
        f"**{cut(facts(dungeon).capitalize(), 80)}**",
        worth(dungeon),
        f"Medals, before the bonus: {wanted(dungeon)}. The **bonus** is 1 for each turn left and 2 for each word of {LONG} letters or more.",
        *(f"- {rule}" for rule in own_rules(dungeon)),
        *(f"- {thing}" for thing in things(dungeon)),
        marks(dungeon),
    ]
    return "\n".join(line for line in lines if line)


def welcome(dungeon: Dungeon) -> str:
    """Return what is told above the map before the first word: the story, what is worth points, the dungeon's own rules."""
    own = "".join(f"\n- {rule}" for rule in (*own_rules(dungeon), striking(dungeon)) if rule)
    return f"*{dungeon.story}*\n{worth(dungeon)}{own}"


def worth(dungeon: Dungeon) -> str:
    """Return what is worth points, as a sentence."""
    scoring, ground = dungeon.scoring, ground_of(dungeon)
    parts = [("the exit", scoring.leave)] if scoring.leave else []
    each = (
        ("chest", scoring.chest, ground.chests),
        ("gem", scoring.gem, ground.gems),
        ("key", scoring.key, ground.keys),
        ("door", scoring.door, ground.doors),
    )
    parts += [(f"each {name}", points) for name, points, there in each if points and there]
    parts += [(monster.name, monster.coin) for monster in dungeon.monsters]
    if not parts:
        return "Nothing here is worth points but what its rules say."
    (first, points), *rest = parts
    text = listed(
        [f"{first} is worth {counted(points, 'point')}", *(f"{name} {more}" for name, more in rest)]
    )
    return f"{capital(text)}."


def own_rules(dungeon: Dungeon) -> tuple[str, ...]:
    """Return the dungeon's own rules, a sentence each."""
    return tuple(rule.told() for rule in dungeon.rules)


def things(dungeon: Dungeon) -> tuple[str, ...]:
    """Return how to deal with what lies on this map, a sentence or two for each kind of thing."""
    ground = ground_of(dungeon)
    told = (
        ("**Chest**: make its letter part of a word.", ground.chests),
        ("**Gem**: put a letter on it that stands on no other gem.", ground.gems),
        ("**Key** and **door**: a key takes the letter that you put on it, and opens one door to that letter.", ground.keys or ground.doors),
        (striking(dungeon), dungeon.monsters),
    )  # fmt: skip
    return tuple(text for text, there in told if there)


def striking(dungeon: Dungeon) -> str:
    """Return how the dungeon's monsters are struck, by the first one's name, or nothing where there are none."""
    if not dungeon.monsters:
        return ""
    name = dungeon.monsters[0].name
    first = f"first {name[0]}, then {name[1]}" if len(name) > 1 else name
    return (
        f"**Monster**: each letter that a turn newly places can strike the next one of its name ({name}: {first}"
        " and so on). With its name struck off it is dead, and its coin is yours."
    )


def marks(dungeon: Dungeon) -> str:
    """Return what the marks on the map are, as a sentence, or nothing."""
    return (
        f"On the map: {', '.join(f'{mark.mark} {mark.name}' for mark in dungeon.legend)}."
        if dungeon.legend
        else ""
    )


def wanted(dungeon: Dungeon) -> str:
    """Return what each medal takes, once for equal numbers: ``bronze 2, gold 3``."""
    best = {points: name for name, points in medals(dungeon).items()}
    return ", ".join(f"{name} {points}" for points, name in best.items())
