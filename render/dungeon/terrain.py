"""What a map is made of: rock, squares that a legend explains, pits, arrows, the start and the exit."""

from __future__ import annotations

from functools import lru_cache

from render import theme
from render.canvas import Colour, Point, Sprite, Surface
from render.dungeon.look import ENTER, LEAVE, PIT, Mood, Way


@lru_cache(maxsize=256)
def rock(cell: int, mood: Mood, variant: int, *, front: bool) -> Sprite:
    """A square of rock; ``front`` where floor lies below it, so that its face is seen."""

    def draw(surface: Surface, on: Colour) -> None:
        for x, y, wide, high in _BOULDERS[variant % len(_BOULDERS)]:
            if front and y + high > 0.66:
                continue
            box = (round(x * cell), round(y * cell), round((x + wide) * cell), round((y + high) * cell))
            surface.rounded(box, max(2, round(cell * 0.06)), mood.stone, on)
        if front:
            bricks(surface, 0, cell - round(cell * 0.3), cell, round(cell * 0.3), mood, variant)

    return Sprite(("rock", mood, variant % len(_BOULDERS), front), cell, cell, draw)


_BOULDERS = (
    ((0.1, 0.14, 0.42, 0.26), (0.5, 0.6, 0.36, 0.24)),
    ((0.46, 0.12, 0.4, 0.24), (0.12, 0.56, 0.32, 0.24)),
    ((0.14, 0.18, 0.3, 0.22), (0.5, 0.36, 0.4, 0.26)),
    ((0.56, 0.16, 0.32, 0.24), (0.1, 0.38, 0.38, 0.26)),
)


def bricks(surface: Surface, left: int, top: int, width: int, height: int, mood: Mood, shift: int) -> None:
    """Paint a wall's front: two courses of bricks."""
    surface.rect((left, top, left + width, top + height), mood.front)
    joint = max(1, round(height * 0.09))
    middle = top + height // 2
    surface.rect((left, middle, left + width, middle + joint), mood.joint)
    for course, (low, high) in enumerate(((top, middle), (middle, top + height))):
        for part in (1, 2):
            x = left + round(width * (part / 2 - (0.25 if (course + shift) % 2 else 0)))
            surface.rect((max(left, x - joint), low, min(left + width, x), high), mood.joint)


@lru_cache(maxsize=256)
def hatch(cell: int, mood: Mood, kind: int, mark: str) -> Sprite:
    """A floor square that a legend explains: a pattern of its own, and the mark that the rules speak of."""

    def draw(surface: Surface, on: Colour) -> None:
        _HATCHES[kind % len(_HATCHES)](surface, cell, mood.hatch, on)
        size = round(cell * 0.6)
        half = round(cell * 0.27)
        middle = cell / 2
        surface.ellipse(
            (round(middle) - half, round(middle) - half, round(middle) + half, round(middle) + half),
            mood.hatch,
            on,
        )
        surface.text((middle, middle), mark, round(size * 0.8), theme.WHITE, mood.hatch, "mm")

    return Sprite(("hatch", mood, kind % len(_HATCHES), mark), cell, cell, draw)


@lru_cache(maxsize=64)
def badge(size: int, mood: Mood, mark: str) -> Sprite:
    """The mark of a square, small, for the corner of what lies on it."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.ellipse((0, 0, size, size), mood.hatch, on)
        surface.text((size / 2, size / 2), mark, round(size * 0.95), theme.WHITE, mood.hatch, "mm")

    return Sprite(("badge", mood, mark), size, size, draw)


def _stripes(surface: Surface, cell: int, colour: Colour, on: Colour) -> None:
    step, width = cell / 4, cell / 8
    for number in range(8):
        (top, left), (low, right) = (_slope(cell, number * step + shift) for shift in (0.0, width))
        surface.polygon((top, low, right, left), colour, on)


def _slope(cell: int, total: float) -> tuple[Point, Point]:
    """Return where the line on which x and y add up to ``total`` enters and leaves a square."""
    over = max(0.0, total - cell)
    return (total - over, over), (over, total - over)


def _dots(surface: Surface, cell: int, colour: Colour, on: Colour) -> None:
    radius = max(1, round(cell * 0.07))
    for row in range(4):
        for col in range(4):
            x, y = round(cell * (col + 0.5) / 4), round(cell * (row + 0.5) / 4)
            surface.ellipse((x - radius, y - radius, x + radius, y + radius), colour, on)


def _bars(surface: Surface, cell: int, colour: Colour, on: Colour) -> None:
    for number in range(4):
        top = round(cell * (number + 0.3) / 4)
        surface.rect((0, top, cell, top + max(1, round(cell * 0.09))), colour)


def _checks(surface: Surface, cell: int, colour: Colour, on: Colour) -> None:
    for row in range(4):
        for col in range(row % 2, 4, 2):
            box = (cell * col // 4, cell * row // 4, cell * (col + 1) // 4, cell * (row + 1) // 4)
            surface.rect(box, colour)


def _peaks(surface: Surface, cell: int, colour: Colour, on: Colour) -> None:
    for row in range(3):
        for col in range(3):
            x, y, part = cell * col / 3, cell * row / 3, cell / 3
            surface.polygon(
                ((x + part * 0.12, y + part * 0.86), (x + part / 2, y + part * 0.14), (x + part * 0.88, y + part * 0.86)),
                colour,
                on,
            )  # fmt: skip


_HATCHES = (_stripes, _dots, _bars, _checks, _peaks)


@lru_cache(maxsize=64)
def pit(cell: int, mood: Mood) -> Sprite:
    """A square that has fallen in."""

    def draw(surface: Surface, on: Colour) -> None:
        edge = (
            (0.06, 0.2), (0.3, 0.05), (0.52, 0.13), (0.8, 0.04), (0.95, 0.3), (0.88, 0.55), (0.96, 0.82), (0.7, 0.95),
            (0.45, 0.87), (0.2, 0.96), (0.04, 0.72), (0.12, 0.46),
        )  # fmt: skip
        surface.polygon([(x * cell, y * cell) for x, y in edge], mood.rock, on)
        surface.polygon(
            [(cell * (0.5 + (x - 0.5) * 0.74), cell * (0.54 + (y - 0.5) * 0.74)) for x, y in edge],
            PIT,
            mood.rock,
        )

    return Sprite(("pit", mood), cell, cell, draw)


_TURNED: dict[Way, tuple[int, int]] = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}


def _turned(points: tuple[Point, ...], way: Way, width: int, height: int) -> list[Point]:
    """Return points of the unit square, drawn as if pointing right, as they lie in a box when pointing ``way``."""
    x_step, y_step = _TURNED[way]
    found = []
    for along, beside in points:
        x = along if x_step > 0 else 1 - along if x_step < 0 else beside
        y = along if y_step > 0 else 1 - along if y_step < 0 else beside
        found.append((x * width, y * height))
    return found


_ARROW = ((0.0, 0.34), (0.42, 0.34), (0.42, 0.08), (1.0, 0.5), (0.42, 0.92), (0.42, 0.66), (0.0, 0.66))


@lru_cache(maxsize=128)
def arrow(width: int, height: int, way: Way, colour: Colour) -> Sprite:
    """A broad arrow that fills its box."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.polygon(_turned(_ARROW, way, width, height), colour, on)

    return Sprite(("arrow", way, colour), width, height, draw)


@lru_cache(maxsize=64)
def start(cell: int, way: Way) -> Sprite:
    """The square that the first word passes through."""

    def draw(surface: Surface, on: Colour) -> None:
        for shift in (0.0, 0.3):
            chevron = tuple(
                (0.22 + shift + x * 0.34, 0.2 + y * 0.6)
                for x, y in ((0.0, 0.0), (0.4, 0.0), (1.0, 0.5), (0.4, 1.0), (0.0, 1.0), (0.6, 0.5))
            )
            surface.polygon(_turned(chevron, way, cell, cell), ENTER, on)

    return Sprite(("start", way), cell, cell, draw)


@lru_cache(maxsize=64)
def finish(cell: int) -> Sprite:
    """The exit's square: chequered like a finishing line."""

    def draw(surface: Surface, on: Colour) -> None:
        inset = round(cell * 0.1)
        side = (cell - 2 * inset) // 4
        edge = (cell - 4 * side) // 2
        surface.rect((edge, edge, cell - edge, cell - edge), theme.INK)
        for row in range(4):
            for col in range(row % 2, 4, 2):
                x, y = edge + col * side, edge + row * side
                surface.rect((x, y, x + side, y + side), LEAVE)

    return Sprite("finish", cell, cell, draw)
