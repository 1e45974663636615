"""The looks of a dungeon: rock and floor by tier, chests, gems, keys, doors, monsters, coins, medals, players' marks.

Whatever can be told apart by colour can be told apart by shape as well. Each function that draws returns a ``Sprite``;
sizes are in px, and shapes keep their proportions at every size.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from bot.games.dungeon.state import Medal
from render import theme
from render.canvas import CAP_HEIGHT, Colour, Palette, Point, Sprite, Surface
from render.sprites import shape, star
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

LETTER = 0.8  # of a tile's size: the letter's font


def centred(surface: Surface, middle: Point, text: str, size: int, colour: Colour, on: Colour) -> None:
    """Write capitals or digits around a point."""
    surface.text((middle[0], middle[1] + size * CAP_HEIGHT / 2), text, size, colour, on, "ms")


# Ground


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


def _stripes(surface: Surface, cell: int, colour: Colour, on: Colour) -> None:
    step, width = cell / 4, cell / 11
    for number in range(8):
        x = number * step
        _within(
            surface, cell, ((x, 0), (x + width, 0), (x + width - cell, cell), (x - cell, cell)), colour, on
        )


def _within(
    surface: Surface, cell: int, points: tuple[Point, Point, Point, Point], colour: Colour, on: Colour
) -> None:
    """Fill what of a slanting stripe lies in the square."""
    (top_left, _), (top_right, _), (low_right, _), (low_left, _) = points
    corners: list[Point] = []
    for (x, y), (to_x, to_y) in (
        ((top_left, 0.0), (top_right, 0.0)),
        ((top_right, 0.0), (low_right, float(cell))),
        ((low_right, float(cell)), (low_left, float(cell))),
        ((low_left, float(cell)), (top_left, 0.0)),
    ):
        corners.extend(_clipped(x, y, to_x, to_y, cell))
    if len({*corners}) > 2:
        surface.polygon(corners, colour, on)


def _clipped(x: float, y: float, to_x: float, to_y: float, cell: int) -> list[Point]:
    """Return the ends of a line's part between x = 0 and x = ``cell``, bent onto these where it is level."""
    if y == to_y:
        return [(min(max(x, 0), cell), y), (min(max(to_x, 0), cell), to_y)]
    found = []
    for edge_x, edge_y in ((x, y), (to_x, to_y)):
        inside_x = min(max(edge_x, 0), cell)
        share = (inside_x - x) / (to_x - x)
        found.append((inside_x, y + (to_y - y) * share if inside_x != edge_x else edge_y))
    return found


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
HATCHES = len(_HATCHES)


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


# Letters and things


@lru_cache(maxsize=512)
def tile(letter: str, size: int, style: TileStyle) -> Sprite:
    """A letter that was placed."""

    def draw(surface: Surface, on: Colour) -> None:
        face = _face(surface, size, style, on)
        centred(surface, (size / 2, face / 2 + 1), letter, round(size * LETTER), style.ink, style.face)

    return Sprite(("letter", letter, style), size, size, draw)


def _face(surface: Surface, size: int, style: TileStyle, on: Colour) -> int:
    """Paint a tile without its letter; returns how high its upper side is."""
    fresh = style is theme.FRESH
    rim = max(1, round(size * 0.075)) if fresh else max(1, round(size * 0.03))
    depth = 0 if fresh else max(1, round(size * 0.06))
    radius = max(2, round(size * 0.12))
    surface.rounded((0, 0, size, size), radius, style.edge, on)
    surface.rounded(
        (rim, rim, size - rim, size - rim - depth), max(2, radius - rim + 1), style.face, style.edge
    )
    return size - depth


@lru_cache(maxsize=512)
def ghost(
    letter: str, size: int, dash: Colour, *, leaving: bool = False, over: Sprite | None = None
) -> Sprite:
    """A letter that is proposed, with what it would lie ``over`` in a corner; ``leaving``: to be taken back."""

    def draw(surface: Surface, on: Colour) -> None:
        width = max(2, round(size * 0.08))
        face = DULL if leaving else GHOST
        surface.rounded((0, 0, size, size), max(2, round(size * 0.08)), face, on)
        for part, to in ((0.0, 0.2), (0.4, 0.6), (0.8, 1.0)):
            near, far = round(part * size), round(to * size)
            surface.rect((near, 0, far, width), dash)
            surface.rect((near, size - width, far, size), dash)
            surface.rect((0, near, width, far), dash)
            surface.rect((size - width, near, size, far), dash)
        middle = (0.5, 0.5) if over is None else (0.6, 0.58)
        font = round(size * (0.72 if over is None else 0.64))
        centred(surface, (size * middle[0], size * middle[1]), letter, font, theme.INK, face)
        if leaving:
            surface.polygon(_slash(width, width, size - width, size - width, size * 0.04), theme.INK, face)
        if over is not None:
            surface.sprite((width, width), over, face)

    return Sprite(("proposed", letter, dash, leaving, over and over.key), size, size, draw)


def _slash(left: float, top: float, right: float, bottom: float, half: float) -> tuple[Point, ...]:
    """Return a bar from the lower left to the upper right corner of a box."""
    return (
        (left, bottom - 2 * half),
        (left + half, bottom),
        (right, top + 2 * half),
        (right - half, top),
    )


@lru_cache(maxsize=512)
def chest(letter: str, size: int, style: TileStyle | None) -> Sprite:
    """A chest with its letter: shut, or, collected, open with the letter in a tile's ``style``."""

    def draw(surface: Surface, on: Colour) -> None:
        edge, radius = max(1, round(size * 0.05)), max(2, round(size * 0.12))
        if style is None:
            surface.rounded((0, round(size * 0.06), size, size), radius, WOOD_DARK, on)
            top = round(size * 0.06) + edge
            surface.rounded((edge, top, size - edge, round(size * 0.4)), radius, WOOD_LIGHT, WOOD_DARK)
            surface.rect((edge, round(size * 0.27), size - edge, size - radius), WOOD)
            surface.rounded((edge, size - 2 * radius, size - edge, size - edge), radius - 1, WOOD, WOOD_DARK)
            surface.rect((edge, round(size * 0.25), size - edge, round(size * 0.25) + edge), WOOD_DARK)
            plate, face, ink = (round(size * 0.12), round(size * 0.36)), PLATE, theme.INK
        else:
            surface.rounded(
                (round(size * 0.03), 0, size - round(size * 0.03), round(size * 0.34)), radius, WOOD_DARK, on
            )
            surface.rounded(
                (round(size * 0.03) + edge, edge, size - round(size * 0.03) - edge, round(size * 0.3)),
                radius - 1, WOOD_LIGHT, WOOD_DARK,
            )  # fmt: skip
            surface.rect(
                (round(size * 0.03), round(size * 0.17), size - round(size * 0.03), round(size * 0.4)),
                WOOD_DARK,
            )
            for part in range(5):
                x = round(size * (0.12 + part * 0.16))
                surface.ellipse(
                    (x, round(size * 0.19), x + round(size * 0.15), round(size * 0.34)), theme.GOLD, WOOD_DARK
                )
            surface.rounded((0, round(size * 0.3), size, size), radius, WOOD_DARK, on)
            plate, face, ink = (edge, round(size * 0.3) + edge), style.face, style.ink
        left, above = plate
        below = size - (round(size * 0.08) if style is None else edge)
        surface.rounded(
            (left, above, size - left, below), max(2, radius // 2), face, WOOD if style is None else WOOD_DARK
        )
        font = round((below - above) * (1.06 if style is None else 1.04))
        centred(surface, (size / 2, (above + below) / 2), letter, font, ink, face)
        if style is None:
            half = round(size * 0.07)
            middle = size // 2
            lock = (middle - half, round(size * 0.18), middle + half, round(size * 0.33))
            surface.rounded(lock, max(1, half // 2), BRASS, WOOD)

    return Sprite(("chest", letter, style), size, size, draw)


_JEWEL = ((0.26, 0.16), (0.74, 0.16), (0.96, 0.42), (0.5, 0.94), (0.04, 0.42))


@lru_cache(maxsize=64)
def gem(size: int) -> Sprite:
    """A gem that nobody has touched."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.polygon([(x * size, y * size) for x, y in _JEWEL], GEM_DARK, on)
        inner = [((x - 0.5) * 0.84 + 0.5, (y - 0.5) * 0.84 + 0.49) for x, y in _JEWEL]
        surface.polygon([(x * size, y * size) for x, y in inner], GEM, GEM_DARK)
        crown = (inner[0], inner[1], inner[2], inner[4])
        surface.polygon([(x * size, y * size) for x, y in crown], GEM_LIGHT, GEM_DARK)
        facet = (
            (inner[0][0], inner[0][1]),
            (0.35, inner[4][1]),
            (0.5, inner[0][1]),
            (0.65, inner[4][1]),
            inner[1],
        )
        surface.polygon([(x * size, y * size) for x, y in facet], GEM_WHITE, GEM_LIGHT)
        heart = ((0.35, inner[4][1]), (0.65, inner[4][1]), (0.5, inner[3][1]))
        surface.polygon([(x * size, y * size) for x, y in heart], GEM_LIGHT, GEM)

    return Sprite("gem", size, size, draw)


_CUT = 0.27
_OCTAGON = (
    (_CUT, 0.0), (1 - _CUT, 0.0), (1.0, _CUT), (1.0, 1 - _CUT), (1 - _CUT, 1.0), (_CUT, 1.0), (0.0, 1 - _CUT), (0.0, _CUT),
)  # fmt: skip


def _octagon(size: int, share: float) -> list[Point]:
    return [(size * (0.5 + (x - 0.5) * share), size * (0.5 + (y - 0.5) * share)) for x, y in _OCTAGON]


@lru_cache(maxsize=512)
def gem_letter(letter: str, size: int, state: GemState, *, fresh: bool) -> Sprite:
    """A gem with a letter: lit, with facets, while no other gem has that letter, else dull and cracked."""

    def draw(surface: Surface, on: Colour) -> None:
        beneath = _fresh_back(surface, size, on) if fresh else on
        dark, face = (GEM_DARK, GEM_LIGHT) if state == "lit" else (DULL_DARK, DULL)
        share = 0.9 if fresh else 1.0
        surface.polygon(_octagon(size, share), dark, beneath)
        if state == "lit":
            surface.polygon(_octagon(size, share * 0.9), GEM, dark)
            surface.polygon(_octagon(size, share * 0.76), face, GEM)
            for corner in ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)):
                x, y = (size * (0.5 + (part - 0.5) * share * 0.84) for part in corner)
                half = size * 0.045
                surface.polygon(((x - half, y), (x, y - half), (x + half, y), (x, y + half)), GEM_WHITE, GEM)
        else:
            surface.polygon(_octagon(size, share * 0.9), face, dark)
            for points in (
                ((0.14, 0.3), (0.3, 0.16), (0.26, 0.26), (0.34, 0.34), (0.22, 0.3)),
                ((0.86, 0.7), (0.7, 0.84), (0.74, 0.74), (0.66, 0.66), (0.78, 0.7)),
            ):
                surface.polygon([(x * size, y * size) for x, y in points], dark, face)
        centred(surface, (size / 2, size / 2), letter, round(size * 0.7), theme.INK, face)

    return Sprite(("gem letter", letter, state, fresh), size, size, draw)


def _fresh_back(surface: Surface, size: int, on: Colour) -> Colour:
    surface.rounded((0, 0, size, size), max(2, round(size * 0.12)), theme.GOLD, on)
    return theme.GOLD


def _key(surface: Surface, x: float, y: float, width: float, colour: Colour, on: Colour) -> None:
    """Paint a key that lies on its side; it is 0.44 as high as wide, and (x, y) its upper left corner."""
    high = width * 0.44
    surface.ellipse((round(x), round(y), round(x + high), round(y + high)), colour, on)
    hole = high * 0.26
    surface.ellipse(
        (round(x + hole), round(y + hole), round(x + high - hole), round(y + high - hole)), on, colour
    )
    bar = max(2, round(high * 0.26))
    middle = round(y + high / 2)
    top = middle - bar // 2
    surface.rect((round(x + high) - 1, top, round(x + width), top + bar), colour)
    for at in (0.74, 0.92):
        left = round(x + width * at) - max(2, round(width * 0.07))
        surface.rect((left, top, left + max(2, round(width * 0.08)), round(y + high)), colour)


@lru_cache(maxsize=64)
def key(size: int) -> Sprite:
    """A key that nobody has picked up."""

    def draw(surface: Surface, on: Colour) -> None:
        x, y, width = size * 0.04, size * 0.29, size * 0.92
        for shift_x, shift_y in ((-0.03, 0.0), (0.03, 0.0), (0.0, -0.03), (0.0, 0.035)):
            _key(surface, x + size * shift_x, y + size * shift_y, width, BRASS_DARK, on)
        _key(surface, x, y, width, BRASS, BRASS_DARK)

    return Sprite("key", size, size, draw)


@lru_cache(maxsize=512)
def key_letter(letter: str, size: int, state: KeyState, style: TileStyle) -> Sprite:
    """A key's letter: above a bright key while it is held, above a broken grey one when it has opened its door."""

    def draw(surface: Surface, on: Colour) -> None:
        face = _face(surface, size, style, on)
        band = round(size * 0.64)
        centred(
            surface, (size / 2, band * 0.5 + size * 0.02), letter, round(size * 0.66), style.ink, style.face
        )
        rim = max(1, round(size * 0.06))
        back, ink = (BRASS_DARK, theme.GOLD) if state == "held" else (DULL_DARK, DULL)
        surface.rect((rim, band, size - rim, face - rim), back)
        high = face - rim - band
        width = high * 0.8 / 0.44
        x, y = (size - width) / 2, band + high * 0.1
        _key(surface, x, y, width, ink, back)
        if state == "spent":
            gap = size * 0.06
            middle = size / 2 + gap
            surface.polygon(
                ((middle - gap, face - rim), (middle, face - rim), (middle + gap, band), (middle, band)),
                back,
                back,
            )

    return Sprite(("key letter", letter, state, style), size, size, draw)


@lru_cache(maxsize=512)
def door(letter: str | None, size: int, *, fresh: bool = False) -> Sprite:
    """A door: shut (None), or open with the letter in its frame."""

    def draw(surface: Surface, on: Colour) -> None:
        beneath = _fresh_back(surface, size, on) if fresh else on
        side = round(size * 0.06)
        frame = max(2, round(size * 0.1))
        _arch(surface, (side, 0, size - side, size), WOOD_DARK, beneath)
        inner = (side + frame, frame, size - side - frame, size)
        if letter is not None:
            face = theme.FRESH.face if fresh else theme.PLAIN.face
            _arch(surface, inner, face, WOOD_DARK)
            leaf = size * 0.14
            surface.polygon(
                ((side, size * 0.2), (side + leaf, size * 0.3), (side + leaf, size), (side, size)),
                WOOD_LIGHT,
                WOOD_DARK,
            )
            centred(surface, (size / 2 + leaf * 0.3, size * 0.57), letter, round(size * 0.7), theme.INK, face)
            return
        _arch(surface, inner, WOOD_LIGHT, WOOD_DARK)
        for plank in (1, 2, 3):
            seam = inner[0] + (inner[2] - inner[0]) * plank // 4
            surface.rect((seam, round(size * 0.2), seam + max(1, round(size * 0.025)), size), WOOD)
        for part in (0.32, 0.76):
            top = round(size * part)
            surface.rect((inner[0], top, inner[2], top + max(2, round(size * 0.09))), IRON)
        half = round(size * 0.13)
        middle = (round(size * 0.5), round(size * 0.57))
        surface.ellipse(
            (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half), BRASS, WOOD_LIGHT
        )
        hole = max(1, round(size * 0.05))
        surface.ellipse((middle[0] - hole, middle[1] - hole, middle[0] + hole, middle[1] + hole), IRON, BRASS)

    return Sprite(("door", letter, fresh), size, size, draw)


def _arch(surface: Surface, box: tuple[int, int, int, int], colour: Colour, on: Colour) -> None:
    left, top, right, bottom = box
    radius = (right - left) // 2
    surface.rounded((left, top, right, min(bottom, top + 2 * radius)), radius, colour, on)
    surface.rect((left, top + radius, right, bottom), colour)


# Beside the map


@lru_cache(maxsize=64)
def monster(size: int, *, dead: bool) -> Sprite:
    """A monster's head; a dead one is grey and has crosses for eyes."""

    def draw(surface: Surface, on: Colour) -> None:
        face, ink = (ASH, ASH_DARK) if dead else (MONSTER, MONSTER_DARK)
        for points in (((0.08, 0.02), (0.42, 0.3), (0.14, 0.5)), ((0.92, 0.02), (0.58, 0.3), (0.86, 0.5))):
            surface.polygon([(x * size, y * size) for x, y in points], face, on)
        surface.ellipse((round(size * 0.08), round(size * 0.16), round(size * 0.92), size), face, face)
        for x in (0.32, 0.68):
            if dead:
                for way in (1, -1):
                    arm, half = size * 0.1, size * 0.035
                    near, far = x * size - way * arm, x * size + way * arm
                    top, low = size * 0.5 - arm, size * 0.5 + arm
                    surface.polygon(
                        ((near - half, top), (near + half, top), (far + half, low), (far - half, low)),
                        ink,
                        face,
                    )
            else:
                eye = size * 0.12
                surface.ellipse(
                    (
                        round(x * size - eye),
                        round(size * 0.5 - eye),
                        round(x * size + eye),
                        round(size * 0.5 + eye),
                    ),
                    theme.WHITE,
                    face,
                )
                dot = size * 0.055
                surface.ellipse(
                    (
                        round(x * size - dot),
                        round(size * 0.52 - dot),
                        round(x * size + dot),
                        round(size * 0.52 + dot),
                    ),
                    ink,
                    theme.WHITE,
                )
        teeth = ((0.3, 0.72), (0.7, 0.72), (0.6, 0.88), (0.5, 0.74), (0.4, 0.88))
        surface.polygon([(x * size, y * size) for x, y in teeth], ink if dead else theme.WHITE, face)

    return Sprite(("monster", dead), size, size, draw)


@lru_cache(maxsize=512)
def name_letter(
    letter: str, width: int, height: int, state: Literal["whole", "struck", "fresh", "aimed", "dead"]
) -> Sprite:
    """A letter of a monster's name: whole, struck off earlier or just now, aimed at by a proposal, or of a dead one."""

    def draw(surface: Surface, on: Colour) -> None:
        style = {"whole": LIVING, "aimed": LIVING, "fresh": theme.FRESH}.get(state, STRUCK)
        surface.rounded((0, 0, width, height), round(height * 0.14), style.face, on)
        centred(surface, (width / 2, height / 2), letter, round(height * 0.74), style.ink, style.face)
        if state in ("struck", "fresh", "dead"):
            colour = ASH if state == "dead" else STRIKE
            surface.polygon(_slash(3, 4, width - 3, height - 4, height * 0.045), colour, style.face)
        elif state == "aimed":
            for part in (0.0, 0.4, 0.8):
                y = 4 + (height - 8) * part
                x = 3 + (width - 6) * (1 - part)
                reach_x, reach_y = (width - 6) * 0.2, (height - 8) * 0.2
                surface.polygon(_slash(x - reach_x, y, x, y + reach_y, height * 0.06), STRIKE, style.face)

    return Sprite(("name letter", letter, state), width, height, draw)


@lru_cache(maxsize=256)
def coin(points: str, size: int, *, earned: bool) -> Sprite:
    """A coin with its points: filled once it is earned, else a ring."""

    def draw(surface: Surface, on: Colour) -> None:
        edge = max(2, round(size * 0.09))
        surface.ellipse((0, 0, size, size), theme.GOLD, on)
        face = theme.GOLD if earned else theme.SLOT
        if earned:
            surface.ellipse((edge, edge, size - edge, size - edge), BRASS_DARK, theme.GOLD)
            edge += max(1, edge // 2)
            surface.ellipse((edge, edge, size - edge, size - edge), theme.GOLD, BRASS_DARK)
        else:
            surface.ellipse((edge, edge, size - edge, size - edge), theme.SLOT, theme.GOLD)
        font = round(size * (0.62 if len(points) == 1 else 0.48))
        centred(surface, (size / 2, size / 2), points, font, theme.INK if earned else theme.GOLD, face)

    return Sprite(("coin", points, earned), size, size, draw)


@lru_cache(maxsize=64)
def medal(kind: Medal, size: int) -> Sprite:
    """A medal on its ribbon: one, two or three bars tell bronze, silver and gold apart."""

    def draw(surface: Surface, on: Colour) -> None:
        colour = MEDALS[kind]
        surface.polygon(
            ((size * 0.2, 0), (size * 0.46, 0), (size * 0.6, size * 0.42), (size * 0.4, size * 0.5)),
            STRIKE,
            on,
        )
        surface.polygon(
            ((size * 0.8, 0), (size * 0.54, 0), (size * 0.4, size * 0.42), (size * 0.6, size * 0.5)), BEAM, on
        )
        left, top = round(size * 0.18), round(size * 0.34)
        surface.ellipse((left, top, size - left, size), colour, on)
        rim = max(1, round(size * 0.05))
        surface.ellipse((left + rim, top + rim, size - left - rim, size - rim), theme.INK, colour)
        surface.ellipse(
            (left + 2 * rim, top + 2 * rim, size - left - 2 * rim, size - 2 * rim), colour, theme.INK
        )
        middle = size * 0.67
        if kind == "gold":
            surface.polygon(star(size / 2, middle, size * 0.2), theme.INK, colour)
            return
        bars = 1 if kind == "bronze" else 2
        width, gap = size * 0.07, size * 0.13
        for bar in range(bars):
            x = size / 2 - width / 2 + (bar - (bars - 1) / 2) * gap
            surface.rect(
                (round(x), round(middle - size * 0.13), round(x + width), round(middle + size * 0.13)),
                theme.INK,
            )

    return Sprite(("medal", kind), size, size, draw)


@lru_cache(maxsize=64)
def tick(size: int, *, met: bool) -> Sprite:
    """A condition: a ring while it is open, a filled disc with a tick once it is met."""

    def draw(surface: Surface, on: Colour) -> None:
        colour = EARNED if met else theme.MUTED
        edge = max(2, round(size * 0.1))
        surface.ellipse((0, 0, size, size), colour, on)
        if not met:
            surface.ellipse((edge, edge, size - edge, size - edge), on, colour)
            return
        points = ((0.22, 0.52), (0.32, 0.42), (0.44, 0.56), (0.7, 0.26), (0.8, 0.36), (0.45, 0.76))
        surface.polygon([(x * size, y * size) for x, y in points], theme.GROUND, colour)

    return Sprite(("tick", met), size, size, draw)


@lru_cache(maxsize=64)
def cross(size: int) -> Sprite:
    """Somebody objects, or has not got out."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.ellipse((0, 0, size, size), STRIKE, on)
        low, high, half = size * 0.28, size * 0.72, size * 0.08
        for near, far in ((low, high), (high, low)):
            surface.polygon(
                ((near - half, low), (near + half, low), (far + half, high), (far - half, high)),
                theme.WHITE,
                STRIKE,
            )

    return Sprite("cross", size, size, draw)


@lru_cache(maxsize=64)
def lamp(size: int) -> Sprite:
    """A hint was taken."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.ellipse((round(size * 0.14), 0, round(size * 0.86), round(size * 0.72)), theme.GOLD, on)
        surface.rect(
            (round(size * 0.36), round(size * 0.62), round(size * 0.64), round(size * 0.78)), theme.GOLD
        )
        surface.rect(
            (round(size * 0.36), round(size * 0.82), round(size * 0.64), round(size * 0.9)), theme.MUTED
        )
        surface.rect((round(size * 0.42), round(size * 0.93), round(size * 0.58), size), theme.MUTED)

    return Sprite("lamp", size, size, draw)


@lru_cache(maxsize=128)
def mark(seat: int, size: int) -> Sprite:
    """A player's shape in the player's colour; those of the second four are hollow."""
    style = SEATS[seat % len(SEATS)]
    hollow = seat % len(SEATS) >= len(theme.SEATS)

    def draw(surface: Surface, on: Colour) -> None:
        shape(surface, style.shape, 0, 0, size, style.colour, on)
        if hollow:
            inner = round(size * (0.4 if style.shape == "triangle" else 0.5))
            low = round(size * (0.2 if style.shape == "triangle" else 0)) // 2
            at = (size - inner) // 2
            shape(surface, style.shape, at, at + low, inner, on, style.colour)

    return Sprite(("dungeon mark", seat % len(SEATS)), size, size, draw)
