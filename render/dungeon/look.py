"""The colours of dungeons: rock and floor by tier, things, players; and what all that is drawn there shares.

Whatever can be told apart by colour can be told apart by shape as well. Each function of ``terrain``, ``pieces`` and
``emblems`` returns a ``Sprite``; sizes are in px, and shapes keep their proportions at every size.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from bot.games.dungeon.state import Medal
from render import theme
from render.canvas import CAP_HEIGHT, Colour, Palette, Point, Surface
from render.theme import SeatStyle, TileStyle

Way = Literal["up", "right", "down", "left"]
GemState = Literal["lit", "dull"]
KeyState = Literal["held", "spent"]


class Mood(NamedTuple):
    """The colours of a tier: rock from above and from the front, floor and what is scratched into it."""

    rock: Colour
    stone: Colour  # a boulder in the rock
    front: Colour
    joint: Colour  # between the bricks of the front
    floor: Colour
    line: Colour
    hatch: Colour  # squares that a legend explains


MOODS = (
    Mood(
        (64, 50, 44), (78, 62, 54), (104, 82, 68), (84, 66, 54), (150, 127, 102), (134, 112, 89), (98, 78, 60)
    ),
    Mood(
        (36, 56, 54), (46, 70, 66), (70, 98, 90), (54, 80, 74), (118, 144, 130), (104, 129, 116), (70, 95, 84)
    ),
    Mood(
        (42, 44, 80), (54, 57, 98), (78, 82, 130), (62, 66, 110), (126, 134, 176), (111, 118, 160), (76, 82, 128)
    ),
    Mood(
        (66, 28, 36), (84, 38, 44), (118, 56, 54), (96, 44, 46), (160, 108, 98), (143, 94, 86), (104, 62, 58)
    ),
)  # fmt: skip

PIT: Colour = (16, 14, 20)
WOOD: Colour = (120, 66, 24)
WOOD_LIGHT: Colour = (168, 102, 44)
WOOD_DARK: Colour = (66, 34, 12)
IRON: Colour = (44, 46, 54)
BRASS: Colour = (238, 184, 56)
BRASS_DARK: Colour = (128, 84, 8)
PLATE: Colour = (222, 194, 146)
GEM: Colour = (22, 150, 184)
GEM_DARK: Colour = (6, 72, 100)
GEM_LIGHT: Colour = (160, 240, 252)
GEM_WHITE: Colour = (232, 254, 255)
DULL: Colour = (156, 160, 170)
DULL_DARK: Colour = (82, 86, 98)
ASH: Colour = (96, 102, 120)
ASH_DARK: Colour = (52, 58, 76)
MONSTER: Colour = (186, 92, 200)
MONSTER_DARK: Colour = (58, 14, 70)
STRIKE: Colour = (214, 40, 48)
ENTER: Colour = (110, 230, 140)
LEAVE: Colour = (255, 255, 255)
EARNED: Colour = (64, 184, 122)
BRONZE: Colour = (206, 128, 66)
SILVER: Colour = (206, 212, 224)
BEAM: Colour = (60, 110, 200)  # half of a medal's ribbon
GHOST: Colour = (222, 214, 196)
ROUTE, ROUTE_TOO = (255, 238, 196), (246, 210, 140)  # letters that must not be read, by turns

# Letters of a monster's name
LIVING = TileStyle((240, 224, 246), (150, 110, 164), MONSTER_DARK)
STRUCK = TileStyle(ASH_DARK, ASH, DULL)

MEDALS: dict[Medal, Colour] = {"bronze": BRONZE, "silver": SILVER, "gold": theme.GOLD}

# The first four players look as in every game; four more are hollow.
SEATS = (
    *theme.SEATS,
    SeatStyle((244, 232, 90), (48, 42, 0), "circle"),
    SeatStyle((236, 104, 92), (52, 8, 4), "square"),
    SeatStyle((170, 160, 255), (24, 16, 70), "triangle"),
    SeatStyle((226, 232, 240), (30, 36, 46), "diamond"),
)

_THINGS = (
    PIT, WOOD, WOOD_LIGHT, WOOD_DARK, IRON, BRASS, BRASS_DARK, PLATE, GEM, GEM_DARK, GEM_LIGHT, GEM_WHITE, DULL,
    DULL_DARK, ASH, ASH_DARK, MONSTER, MONSTER_DARK, STRIKE, ENTER, LEAVE, EARNED, BRONZE, SILVER, BEAM, GHOST,
    ROUTE, ROUTE_TOO,
)  # fmt: skip

PALETTE = Palette(
    (
        *theme.COLOURS,
        *_THINGS,
        *LIVING,
        *(seat.colour for seat in SEATS),
        *(seat.ink for seat in SEATS),
        *(colour for mood in MOODS for colour in mood),
    ),
    (
        *theme.RAMPS,
        (theme.PANEL, theme.GOLD),
        (theme.PANEL, MONSTER),
        (theme.PANEL, ASH),
        (theme.GOOD, theme.TEXT),
        (theme.BAD, theme.TEXT),
        (PLATE, theme.INK),
        (GEM_LIGHT, theme.INK),
        (DULL, theme.INK),
        (GHOST, theme.INK),
        (theme.GOLD, theme.INK),
        (ASH_DARK, DULL),
        *((mood.rock, theme.GROUND) for mood in MOODS),
        *((mood.floor, mood.hatch) for mood in MOODS),
        *((mood.rock, mood.stone) for mood in MOODS),
        *((mood.floor, theme.PLAIN.edge) for mood in MOODS),
        *((mood.floor, WOOD_DARK) for mood in MOODS),
        *((mood.floor, GEM_DARK) for mood in MOODS),
    ),
)


def centred(surface: Surface, middle: Point, text: str, size: int, colour: Colour, on: Colour) -> None:
    """Write capitals or digits around a point."""
    surface.text((middle[0], middle[1] + size * CAP_HEIGHT / 2), text, size, colour, on, "ms")


def slash(left: float, top: float, right: float, bottom: float, half: float) -> tuple[Point, ...]:
    """Return a bar from the lower left to the upper right corner of a box."""
    return (
        (left, bottom - 2 * half),
        (left + half, bottom),
        (right, top + 2 * half),
        (right - half, top),
    )
