"""What stands around the map: the score and the turns, loot and rules, monsters."""

from __future__ import annotations

from typing import Literal

from bot.games.dungeon.ground import Position
from bot.games.dungeon.scoring import medal, tally
from bot.games.dungeon.state import Dungeon, Ended, Medal, Place, Proposal, Run
from render import theme
from render.canvas import CAP_HEIGHT, Box, Colour, Sprite, Surface, fitted, printable, width_of
from render.dungeon import emblems, pieces, terrain
from render.dungeon.floor import mood_of
from render.dungeon.layout import (
    BEAST,
    CAPTION,
    CHIP,
    COIN,
    COUNT,
    HEAD,
    ICON,
    MONSTER,
    NAME_LETTER,
    NEAR,
    TICK,
    Layout,
    Loot,
    count_width,
    counted,
)

_NAME, _LONG_NAME = 30, 24  # px
_TURNS = 24
_LINE = 67  # px from the top to the line below the name
_LAMP = 24
_SCORE = 54
_PAR = 26
_MEDAL = 60
_TRACK = 14
_PAD = 16  # px inside the panel

ENDS: dict[str, str] = {"out": "Escaped", "gave_up": "Gave up", "time": "Time is up"}


# The score


def paint_head(surface: Surface, place: Layout, dungeon: Dungeon, here: Position, run: Run | None) -> None:
    """Paint the dungeon's name and tier, the turns, and what has been collected so far, or was scored.

    ``run`` None: there is no way to show.
    """
    ended = None if run is None else run.ended
    colour = theme.PANEL if ended is None else theme.GOOD if ended.how == "out" else theme.BAD
    left, top, right, bottom = place.head
    surface.rounded(place.head, theme.RADIUS, colour, theme.GROUND)
    end = right - _PAD
    if ended is not None:
        end = _paint_end(surface, place.head, dungeon, ended, colour)
    elif run is not None and run.places:  # what the exit is worth alone is no score yet
        end = _paint_score(surface, place.head, dungeon, here)
    room = end - left - 2 * _PAD
    name = printable(dungeon.name) or "Dungeon"
    size = _NAME if width_of(name, _NAME) <= room else _LONG_NAME
    surface.text((left + _PAD, top + 38), fitted(name, size, room), size, theme.TEXT, colour)
    tier = f"Tier {dungeon.tier}"
    surface.text((left + _PAD + room, top + _LINE), tier, _TURNS, theme.TEXT, colour, "rs")
    if run is None:
        text = f"Par {dungeon.par} · {dungeon.turns} turns"
        surface.text((left + _PAD, top + _LINE), text, _TURNS, theme.GOLD, colour)
        return
    turns = here.turns if ended is None else ended.turns
    text = f"Turn {turns} of {dungeon.turns}"
    if ended is not None:
        text = f"{ENDS[ended.how]} · {turns} of {dungeon.turns} turns"
        if width_of(f"{text}  {tier}", _TURNS) + NEAR + _LAMP > room:
            text = text.removesuffix(" turns")
    surface.text((left + _PAD, top + _LINE), text, _TURNS, theme.TEXT if ended else theme.GOLD, colour)
    if run.hints:
        lit = left + _PAD + round(width_of(text, _TURNS)) + NEAR
        surface.sprite((lit, top + _LINE - _LAMP + 3), emblems.lamp(_LAMP), colour)
    _paint_track(
        surface, (left + _PAD, bottom - 24, left + _PAD + room, bottom - 24 + _TRACK), turns, dungeon.turns
    )


def _paint_score(surface: Surface, head: Box, dungeon: Dungeon, here: Position) -> int:
    """Paint what the run is worth once it reaches the exit, of par; returns how far left it reaches.

    Muted and without a medal, since until then it is worth nothing.
    """
    base = tally(dungeon, here).base
    return _paint_number(surface, head, str(base), f"of {dungeon.par}", None, theme.PANEL)


def _paint_end(surface: Surface, head: Box, dungeon: Dungeon, ended: Ended, colour: Colour) -> int:
    out = ended.how == "out"
    beside = f"{ended.base} + {ended.bonus}" if out else f"of {dungeon.par}"
    earned = medal(dungeon, ended.base) if out else None
    return _paint_number(surface, head, str(ended.score), beside, earned, colour)


def _paint_number(
    surface: Surface, head: Box, number: str, beside: str, earned: Medal | None, colour: Colour
) -> int:
    right = head[2] - _PAD
    wide = max(width_of(number, _SCORE), width_of(beside, _PAR))
    middle = round(right - wide / 2)
    ink = theme.MUTED if colour == theme.PANEL else theme.TEXT
    surface.text((middle, head[1] + 55), number, _SCORE, ink, colour, "ms")
    surface.text((middle, head[1] + 85), beside, _PAR, ink, colour, "ms")
    left = round(right - wide) - 10 - _MEDAL
    if earned is not None:
        surface.sprite((left, head[1] + (HEAD - _MEDAL) // 2), emblems.medal(earned, _MEDAL), colour)
    return left


def _paint_track(surface: Surface, box: Box, turns: int, limit: int) -> None:
    """Paint a turn as a step each, those taken filled."""
    left, top, right, bottom = box
    gap = 3 if limit <= 20 else 2
    for step in range(limit):
        start = left + (right - left) * step // limit
        end = left + (right - left) * (step + 1) // limit - gap
        surface.rect((start, top, end, bottom), theme.GOLD if step < turns else theme.SLOT_EDGE)


# Loot and rules


def paint_panels(surface: Surface, place: Layout, dungeon: Dungeon) -> None:
    """Paint the panels below the map, with what never changes in them."""
    for box in (place.things, place.den):
        if box is not None:
            surface.rounded(box, theme.RADIUS, theme.PANEL, theme.GROUND)
    for loot, x, y in place.loot:
        surface.sprite((x, y + (CHIP - ICON) // 2), _loot_icon(loot), theme.PANEL)
    marks = [mark.mark for mark in dungeon.legend]
    mood = mood_of(dungeon)
    for caption, x, y in place.captions:
        left = x
        if caption.condition is not None:
            left += TICK + NEAR
        if caption.mark:
            top = y + (CHIP - ICON) // 2
            surface.rect((left, top, left + ICON, top + ICON), mood.floor)
            kind = _kind(dungeon, caption.mark, marks)
            surface.sprite((left, top), terrain.hatch(ICON, mood, kind, caption.mark), mood.floor)
            left += ICON + NEAR
        left += count_width(caption.squares)
        surface.text((left, _baseline(y, CHIP, CAPTION)), caption.text, CAPTION, theme.TEXT, theme.PANEL)


def _kind(dungeon: Dungeon, mark: str, marks: list[str]) -> int:
    """Return which pattern a mark has on the map: that of its place among those on it."""
    seen = list(dict.fromkeys(other for row in dungeon.rows for other in row if other in marks))
    return seen.index(mark)


def _baseline(top: int, height: int, size: int) -> float:
    return top + height / 2 + size * CAP_HEIGHT / 2


def _loot_icon(loot: Loot) -> Sprite:
    return {
        "leave": terrain.finish(ICON),
        "chest": pieces.chest("", ICON, None),
        "gem": pieces.gem(ICON),
        "key": pieces.key(ICON),
        "door": pieces.door(None, ICON),
    }[loot.kind]


def paint_loot(surface: Surface, place: Layout, here: Position | None) -> None:
    """Paint how much has been collected and whether each condition for leaving is met; None: what there is."""
    have: dict[str, int] = (
        {}
        if here is None
        else {
            "leave": int(here.out),
            "chest": len(here.chests),
            "gem": len(here.gems),
            "key": len(here.keys),
            "door": len(here.opened),
        }
    )
    for loot, x, y in place.loot:
        left = x + ICON
        if loot.total:
            text = counted(have[loot.kind], loot.total) if have else str(loot.total)
            surface.text((left + NEAR, _baseline(y, CHIP, COUNT)), text, COUNT, theme.TEXT, theme.PANEL)
            left += count_width(loot.total) if have else round(width_of(text, COUNT)) + NEAR
        if loot.worth:
            coin = emblems.coin(str(loot.worth), COIN, earned=have.get(loot.kind, 0) > 0)
            surface.sprite((left + NEAR, y + (CHIP - COIN) // 2), coin, theme.PANEL)
    for caption, x, y in place.captions:
        if caption.condition is not None:
            met = here is not None and caption.condition.shut(here) is None
            surface.sprite((x, y + (CHIP - TICK) // 2), emblems.tick(TICK, met=met), theme.PANEL)
        if caption.squares:
            right = x + ICON + count_width(caption.squares)
            right += TICK + NEAR if caption.condition is not None else 0
            text = str(caption.squares)
            if here is not None:
                text = counted(_filled(here, caption.mark), caption.squares)
            surface.text((right, _baseline(y, CHIP, COUNT)), text, COUNT, theme.TEXT, theme.PANEL, "rs")


def _filled(here: Position, mark: str) -> int:
    """Return how many squares of a mark hold letters."""
    return sum(square in here.letters for square in here.ground.marks[mark])


# Monsters


def paint_monsters(
    surface: Surface, place: Layout, here: Position, before: Position | None, proposal: Proposal | None
) -> None:
    """Paint each monster with what is struck off its name, what a proposal would strike, and its coin."""
    struck_before = here.struck if before is None else before.struck
    matter = None if proposal is None else proposal.matter
    aimed = (matter.strikes if isinstance(matter, Place) else None) or (0,) * len(here.struck)
    for number, x, y in place.monsters:
        beast, struck = here.ground.monsters[number], here.struck[number]
        dead = struck == len(beast.name)
        surface.sprite((x, y + (BEAST - MONSTER) // 2), emblems.monster(MONSTER, dead=dead), theme.PANEL)
        left, (width, height) = x + MONSTER + NEAR, NAME_LETTER
        for index, letter in enumerate(beast.name):
            state = _state(index, struck_before[number], struck, aimed[number], dead=dead)
            sprite = emblems.name_letter(letter, width, height, state)
            surface.sprite((left, y + (BEAST - height) // 2), sprite, theme.PANEL)
            left += width + 2
        coin = emblems.coin(str(beast.coin), COIN, earned=dead)
        surface.sprite((left + NEAR - 2, y + (BEAST - COIN) // 2), coin, theme.PANEL)


def _state(
    index: int, before: int, struck: int, aimed: int, *, dead: bool
) -> Literal["whole", "struck", "fresh", "aimed", "dead"]:
    if index >= struck:
        return "aimed" if index < struck + aimed else "whole"
    if index >= before:
        return "fresh"
    return "dead" if dead else "struck"
