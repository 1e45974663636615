"""How our pictures look: colours, tile styles, the players' marks. Every game draws with these.

A player is told apart by colour and by shape. The four colours keep apart under the common kinds of colour
blindness (they follow Okabe and Ito), and all stand out from the ground of every picture.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from render.canvas import Colour

GROUND: Colour = (22, 26, 38)
PANEL: Colour = (35, 41, 58)
SLOT: Colour = (26, 31, 45)
SLOT_EDGE: Colour = (66, 75, 99)
TEXT: Colour = (244, 241, 232)
MUTED: Colour = (171, 180, 201)
WHITE: Colour = (255, 255, 255)
GOLD: Colour = (255, 199, 64)
INK: Colour = (38, 31, 22)
GOOD: Colour = (22, 122, 88)
BAD: Colour = (176, 48, 56)

GAP = 16  # px between panels
RADIUS = 14  # px, corners of panels

Shape = Literal["circle", "square", "triangle", "diamond"]


class SeatStyle(NamedTuple):
    """A player's colour, the ink that is legible on it, and the shape that goes with it."""

    colour: Colour
    ink: Colour
    shape: Shape


SEATS = (
    SeatStyle((86, 180, 233), (10, 32, 48), "circle"),
    SeatStyle((240, 150, 40), (46, 24, 2), "square"),
    SeatStyle((52, 196, 140), (4, 40, 26), "triangle"),
    SeatStyle((228, 132, 190), (56, 12, 40), "diamond"),
)


class TileStyle(NamedTuple):
    """The face of a letter tile, its rim and its ink."""

    face: Colour
    edge: Colour
    ink: Colour


PLAIN = TileStyle((255, 246, 222), (190, 166, 118), INK)
FRESH = TileStyle((255, 214, 92), (178, 110, 0), INK)
WILD = TileStyle((226, 210, 255), (124, 88, 190), (70, 30, 130))
VILLAIN = TileStyle((104, 24, 72), (226, 150, 196), WHITE)
TILES = (PLAIN, FRESH, WILD, VILLAIN)

COLOURS: tuple[Colour, ...] = (
    GROUND, PANEL, SLOT, SLOT_EDGE, TEXT, MUTED, WHITE, GOLD, INK, GOOD, BAD,
    *(colour for style in TILES for colour in style),
    *(colour for seat in SEATS for colour in seat[:2]),
)  # fmt: skip

RAMPS: tuple[tuple[Colour, Colour], ...] = (
    (PANEL, TEXT),
    (PANEL, MUTED),
    (GROUND, MUTED),
    (GROUND, PANEL),
    *((style.face, style.ink) for style in TILES),
    *((style.face, style.edge) for style in TILES),
    *((PANEL, seat.colour) for seat in SEATS),
)


def contrast(first: Colour, second: Colour) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it, 1 to 21."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
