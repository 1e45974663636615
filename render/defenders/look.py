"""The looks of Wordopolis: streets and buildings by day and night, points of interest, the start, sun and moon."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Literal, NamedTuple

from bot.games.defenders.state import VILLAIN
from render import theme
from render.canvas import CAP_HEIGHT, Box, Colour, Palette, Sprite, Surface
from render.sprites import star

TITLE = 24  # px, a panel's title

Standing = Literal["next", "later", "lapsed"]  # of a POI: its turn has come, will come, has gone by


class Hue(NamedTuple):
    """A building's colours."""

    wall: Colour
    roof: Colour
    window: Colour
    dark: Colour  # a window with no light


class Tint(NamedTuple):
    """A map by day or by night. ``ghost`` is the face of a proposed tile, half seen through."""

    street: Colour
    line: Colour
    ghost: Colour
    hues: tuple[Hue, ...]


_PANE = (255, 241, 205)
_LAMP = (255, 214, 110)
DAY = Tint(
    street=(214, 222, 210),
    line=(194, 205, 190),
    ghost=(243, 244, 236),
    hues=(
        Hue((190, 96, 74), (217, 128, 102), _PANE, _PANE),
        Hue((70, 128, 134), (104, 162, 164), _PANE, _PANE),
        Hue((196, 146, 62), (224, 180, 96), _PANE, _PANE),
    ),
)
NIGHT = Tint(
    street=(58, 66, 102),
    line=(72, 82, 122),
    ghost=(206, 210, 226),
    hues=(
        Hue((30, 34, 60), (43, 48, 80), _LAMP, (64, 70, 108)),
        Hue((24, 46, 66), (36, 62, 84), _LAMP, (52, 84, 110)),
        Hue((46, 32, 62), (62, 45, 80), _LAMP, (88, 66, 108)),
    ),
)

POI: Colour = (200, 52, 36)
POI_NEXT: Colour = (255, 255, 255)
POI_LATER: Colour = (250, 190, 176)
LAPSED: Colour = (120, 126, 140)
LAPSED_INK: Colour = (226, 229, 236)
START: Colour = (20, 108, 148)
BAR: Colour = (255, 178, 62)
REACHED: Colour = (64, 184, 122)

_OWN: tuple[Colour, ...] = (
    POI, POI_LATER, LAPSED, LAPSED_INK, START, BAR, REACHED,
    *(colour for tint in (DAY, NIGHT) for colour in (tint.street, tint.line, tint.ghost)),
    *(colour for tint in (DAY, NIGHT) for hue in tint.hues for colour in hue),
)  # fmt: skip

PALETTE = Palette(
    (*theme.COLOURS, *_OWN),
    (
        *theme.RAMPS,
        (DAY.ghost, theme.INK),
        (NIGHT.ghost, theme.INK),
        (POI, theme.WHITE),
        *((tint.street, theme.WHITE) for tint in (DAY, NIGHT)),
    ),
)


def tile_style(owner: int, *, wild: bool) -> theme.TileStyle:
    """Return how a letter of ``owner`` looks."""
    if owner == VILLAIN:
        return theme.VILLAIN
    return theme.WILD if wild else theme.PLAIN


def map_title(name: str) -> str:
    """Return a map's name as players read it: ``HQ day`` is *Headquarters by day*."""
    place, side = name.split()
    return f"{'Headquarters' if place == 'HQ' else f'{place} map'} by {side}"


def panel(surface: Surface, box: Box, title: str = "", colour: Colour = theme.PANEL) -> None:
    """Paint a panel with its title."""
    surface.rounded(box, theme.RADIUS, colour, theme.GROUND)
    surface.text((box[0] + 16, box[1] + 33), title, TITLE, theme.MUTED, colour)


def hollow(size: int) -> Sprite:
    """A space for a POI that is still to be collected."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.ellipse((0, 0, size, size), theme.SLOT_EDGE, on)
        surface.ellipse((2, 2, size - 2, size - 2), theme.SLOT, theme.SLOT_EDGE)

    return Sprite("hollow", size, size, draw)


def poi(number: int, size: int, standing: Standing) -> Sprite:
    """A point of interest; number 0 shows ``?``."""

    def draw(surface: Surface, on: Colour) -> None:
        ring = {"next": POI_NEXT, "later": POI_LATER, "lapsed": LAPSED_INK}[standing]
        face, ink = (LAPSED, LAPSED_INK) if standing == "lapsed" else (POI, theme.WHITE)
        rim = max(2, round(size * 0.07))
        surface.ellipse((0, 0, size, size), ring, on)
        surface.ellipse((rim, rim, size - rim, size - rim), face, ring)
        letter = round(size * 0.62)
        base = size / 2 + letter * CAP_HEIGHT / 2
        surface.text((size / 2, base), str(number) if number else "?", letter, ink, face, "ms")
        if standing == "lapsed":
            low, high, half = size * 0.17, size * 0.83, size * 0.03
            bar = (
                (low - half, high - half),
                (low + half, high + half),
                (high + half, low + half),
                (high - half, low - half),
            )
            surface.polygon(bar, ink, face)

    return Sprite(("poi", number, standing), size, size, draw)


def start(size: int) -> Sprite:
    """The symbol that the first word covers."""

    def draw(surface: Surface, on: Colour) -> None:
        rim = round(size * 0.08)
        surface.ellipse((0, 0, size, size), START, on)
        surface.ellipse((rim, rim, size - rim, size - rim), on, START)
        surface.polygon(star(size / 2, size * 0.52, size * 0.36), START, on)

    return Sprite("start", size, size, draw)


def pointer(size: int, *, across: bool, down: bool) -> Sprite:
    """A mark on a square at which a word may begin, with an arrow for each way that it may go."""

    def draw(surface: Surface, on: Colour) -> None:
        rim = max(2, round(size * 0.07))
        surface.rounded((0, 0, size, size), round(size * 0.28), theme.WHITE, on)
        inner = (rim, rim, size - rim, size - rim)
        surface.rounded(inner, round(size * 0.22), theme.GOOD, theme.WHITE)
        both = across and down
        half, long = size * (0.16 if both else 0.24), size * (0.26 if both else 0.4)
        if across:
            x, y = size * (0.9 if both else 0.72), size * (0.32 if both else 0.5)
            surface.polygon(((x - long, y - half), (x - long, y + half), (x, y)), theme.WHITE, theme.GOOD)
        if down:
            x, y = size * (0.32 if both else 0.5), size * (0.9 if both else 0.72)
            surface.polygon(((x - half, y - long), (x + half, y - long), (x, y)), theme.WHITE, theme.GOOD)

    return Sprite(("pointer", across, down), size, size, draw)


def building(rows: int, cols: int, cell: int, hue: Hue) -> Sprite:
    """A flat block over ``rows`` by ``cols`` squares: a roof, a front, windows."""
    width, height = cols * cell, rows * cell

    def draw(surface: Surface, on: Colour) -> None:
        inset, radius = round(cell * 0.05), round(cell * 0.14)
        surface.rounded((inset, inset, width - inset, height - inset), radius, hue.wall, on)
        roof = inset + round(cell * 0.3)
        surface.rounded((inset, inset, width - inset, roof + radius), radius, hue.roof, on)
        surface.rect((inset, roof, width - inset, roof + radius), hue.wall)
        pane, floors, across = round(cell * 0.2), 2 * rows - 1, 2 * cols
        step = (height - inset - roof) // floors
        for floor in range(floors):
            y = roof + floor * step + (step - pane) // 2
            for column in range(across):
                x = inset + round((width - 2 * inset) * (column + 0.5) / across) - pane // 2
                colour = hue.dark if (floor * 3 + column * 5 + rows) % 4 == 1 else hue.window
                surface.rect((x, y, x + pane, y + pane), colour)

    return Sprite(("building", rows, cols, hue), width, height, draw)


def sun(size: int) -> Sprite:
    """A map's day side."""

    def draw(surface: Surface, on: Colour) -> None:
        middle, reach = size / 2, size * 0.5
        surface.polygon(_rays(middle, reach), theme.GOLD, on)
        rim = round(size * 0.2)
        surface.ellipse((rim, rim, size - rim, size - rim), theme.GOLD, theme.GOLD)

    return Sprite("sun", size, size, draw)


def _rays(middle: float, reach: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (
            middle + sin(spike * pi / 8) * reach * (0.72 if spike % 2 else 1),
            middle - cos(spike * pi / 8) * reach * (0.72 if spike % 2 else 1),
        )
        for spike in range(16)
    )


def moon(size: int) -> Sprite:
    """A map's night side."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.ellipse((0, 0, size, size), theme.MUTED, on)
        shift = round(size * 0.34)
        surface.ellipse(
            (shift, -round(size * 0.12), size + shift, size - round(size * 0.12)), on, theme.MUTED
        )

    return Sprite("moon", size, size, draw)
