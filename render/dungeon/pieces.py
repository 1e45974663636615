"""What lies on the floor: letters, chests, gems, keys, doors."""

from __future__ import annotations

from functools import lru_cache

from render import theme
from render.canvas import Colour, Point, Sprite, Surface
from render.dungeon.look import (
    BRASS,
    BRASS_DARK,
    DULL,
    DULL_DARK,
    GEM,
    GEM_DARK,
    GEM_LIGHT,
    GEM_WHITE,
    GHOST,
    IRON,
    PLATE,
    WOOD,
    WOOD_DARK,
    WOOD_LIGHT,
    GemState,
    KeyState,
    centred,
    slash,
)
from render.theme import TileStyle

LETTER = 0.8  # of a tile's size: the letter's font
BESIDE = 0.6  # the same where something is in a corner
_DEEP = frozenset("JQ")


@lru_cache(maxsize=512)
def tile(letter: str, size: int, style: TileStyle, over: Sprite | None = None) -> Sprite:
    """A letter that was placed, with what it lies ``over`` in a corner."""

    def draw(surface: Surface, on: Colour) -> None:
        face = _face(surface, size, style, on)
        if over is None:
            centred(surface, (size / 2, face / 2 + 1), letter, round(size * LETTER), style.ink, style.face)
            return
        middle, rim = (size * 0.62, size * 0.6), round(size * 0.04)
        centred(surface, middle, letter, round(size * BESIDE), style.ink, style.face)
        surface.sprite((rim, rim), over, style.face)

    return Sprite(("letter", letter, style, over and over.key), size, size, draw)


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


def _snug(surface: Surface, middle: Point, letter: str, size: int, colour: Colour, on: Colour) -> None:
    """Write a letter where there is no room below the line, on which J and Q reach lower than others."""
    if letter in _DEEP:
        centred(surface, (middle[0], middle[1] - size * 0.08), letter, round(size * 0.82), colour, on)
    else:
        centred(surface, middle, letter, size, colour, on)


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
        middle = (0.5, 0.5) if over is None else (0.62, 0.6)
        font = round(size * (0.72 if over is None else BESIDE))
        centred(surface, (size * middle[0], size * middle[1]), letter, font, theme.INK, face)
        if leaving:
            surface.polygon(slash(width, width, size - width, size - width, size * 0.04), theme.INK, face)
        if over is not None:
            surface.sprite((width, width), over, face)

    return Sprite(("proposed", letter, dash, leaving, over and over.key), size, size, draw)


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
        _snug(surface, (size / 2, (above + below) / 2), letter, font, ink, face)
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
        _snug(
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
