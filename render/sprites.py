"""What all games lay on their tables: letter tiles, face-down tiles, spaces, players' marks, bags, stars.

Each function returns a ``Sprite``; sizes are in px. Shapes keep their proportions at every size.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from render import theme
from render.canvas import CAP_HEIGHT, Colour, Point, Sprite, Surface
from render.theme import SeatStyle, Shape, TileStyle

LETTER = 0.74  # of a tile's size: the letter's font
VALUE = 0.36  # of a tile's size: the value's font


def star(x: float, y: float, radius: float) -> tuple[Point, ...]:
    """Return the corners of a five-pointed star around a point."""
    return tuple(
        (
            x + sin(corner * pi / 5) * radius * (0.45 if corner % 2 else 1),
            y - cos(corner * pi / 5) * radius * (0.45 if corner % 2 else 1),
        )
        for corner in range(10)
    )


def shape(surface: Surface, kind: Shape, x: int, y: int, size: int, colour: Colour, on: Colour) -> None:
    """Fill a player's shape in the square of ``size`` px at (x, y); all four weigh about the same."""
    if kind == "circle":
        surface.ellipse((x, y, x + size, y + size), colour, on)
    elif kind == "square":
        rim = round(size * 0.07)
        surface.rounded((x + rim, y + rim, x + size - rim, y + size - rim), max(1, size // 8), colour, on)
    elif kind == "triangle":
        surface.polygon(
            ((x, y + size * 0.95), (x + size / 2, y + size * 0.03), (x + size, y + size * 0.95)), colour, on
        )
    else:
        middle = size / 2
        surface.polygon(
            ((x + middle, y), (x + size, y + middle), (x + middle, y + size), (x, y + middle)), colour, on
        )


@lru_cache(maxsize=1024)
def mark(seat: SeatStyle, size: int) -> Sprite:
    """A player's shape in the player's colour."""

    def draw(surface: Surface, on: Colour) -> None:
        shape(surface, seat.shape, 0, 0, size, seat.colour, on)

    return Sprite(("mark", seat), size, size, draw)


@lru_cache(maxsize=1024)
def tile(
    letter: str, value: int, size: int, style: TileStyle, *, wild: bool = False, fresh: bool = False
) -> Sprite:
    """A letter tile with its printed value; ``*`` shows a star.

    ``wild`` adds a small star beside the letter that a wildcard stands for; ``fresh`` a golden rim.
    """

    def draw(surface: Surface, on: Colour) -> None:
        rim = max(2, round(size * 0.08)) if fresh else max(2, round(size * 0.035))
        depth = 0 if fresh else max(2, round(size * 0.05))
        edge = theme.GOLD if fresh and style is not theme.FRESH else style.edge
        radius = round(size * 0.12)
        surface.rounded((0, 0, size, size), radius, edge, on)
        surface.rounded((rim, rim, size - rim, size - rim - depth), radius - rim + 1, style.face, edge)
        if letter == "*":
            surface.polygon(star(size * 0.5, size * 0.48, size * 0.32), style.ink, style.face)
        else:
            middle = 0.38 if value > 9 else 0.44
            base = size * (0.095 + LETTER * CAP_HEIGHT)
            surface.text((size * middle, base), letter, round(size * LETTER), style.ink, style.face, "ms")
        if wild:
            surface.polygon(star(size * 0.23, size * 0.78, size * 0.13), style.ink, style.face)
        small = round(size * VALUE * (0.85 if value > 9 else 1))
        surface.text(
            (size * 0.92, size * (0.9 if fresh else 0.885)), str(value), small, style.ink, style.face, "rs"
        )

    return Sprite(("tile", letter, value, style, wild, fresh), size, size, draw)


@lru_cache(maxsize=1024)
def ghost(letter: str, value: int, size: int, face: Colour, dash: Colour, *, wild: bool = False) -> Sprite:
    """A tile that is only proposed: a flat face behind a dashed outline."""

    def draw(surface: Surface, on: Colour) -> None:
        width = max(3, round(size * 0.07))
        surface.rounded((0, 0, size, size), round(size * 0.08), face, on)
        for start, end in _dashes(size):
            surface.rect((start, 0, end, width), dash)
            surface.rect((start, size - width, end, size), dash)
            surface.rect((0, start, width, end), dash)
            surface.rect((size - width, start, size, end), dash)
        large, small = LETTER * 0.92, VALUE * (0.78 if value > 9 else 0.92)
        middle = 0.4 if value > 9 else 0.46
        surface.text(
            (size * middle, size * (0.14 + large * CAP_HEIGHT)),
            letter,
            round(size * large),
            theme.INK,
            face,
            "ms",
        )
        if wild:
            surface.polygon(star(size * 0.24, size * 0.77, size * 0.12), theme.INK, face)
        surface.text((size * 0.89, size * 0.9), str(value), round(size * small), theme.INK, face, "rs")

    return Sprite(("ghost", letter, value, face, dash, wild), size, size, draw)


def _dashes(size: int) -> tuple[tuple[int, int], ...]:
    """Return four dashes along a side; those at the ends meet those of the next side in the corners."""
    part = size / 10
    return tuple(
        (round(part * start), round(part * end)) for start, end in ((0, 1.5), (3, 4.5), (5.5, 7), (8.5, 10))
    )


@lru_cache(maxsize=1024)
def face_down(seat: SeatStyle, size: int) -> Sprite:
    """A tile's back in its player's colour, with the player's shape."""

    def draw(surface: Surface, on: Colour) -> None:
        rim = max(2, round(size * 0.05))
        radius = round(size * 0.12)
        inner = round(size * 0.4)
        surface.rounded((0, 0, size, size), radius, seat.ink, on)
        surface.rounded((rim, rim, size - rim, size - rim), radius - rim + 1, seat.colour, seat.ink)
        shape(surface, seat.shape, (size - inner) // 2, (size - inner) // 2, inner, seat.ink, seat.colour)

    return Sprite(("face down", seat), size, size, draw)


@lru_cache(maxsize=1024)
def space(size: int, edge: Colour) -> Sprite:
    """An empty space for a tile."""

    def draw(surface: Surface, on: Colour) -> None:
        radius = round(size * 0.12)
        surface.rounded((0, 0, size, size), radius, edge, on)
        surface.rounded((2, 2, size - 2, size - 2), radius - 1, theme.SLOT, edge)

    return Sprite(("space", edge), size, size, draw)


@lru_cache(maxsize=1024)
def bag(size: int, colour: Colour) -> Sprite:
    """A small bag of tiles."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.ellipse((0, round(size * 0.28), size, size), colour, on)
        surface.polygon(
            ((size * 0.2, 0), (size * 0.8, 0), (size * 0.66, size * 0.3), (size * 0.34, size * 0.3)),
            colour,
            on,
        )
        surface.rect((round(size * 0.26), round(size * 0.28), round(size * 0.74), round(size * 0.28) + 2), on)

    return Sprite(("bag", colour), size, size, draw)
