"""A player's own rack, for nobody else's eyes: the letters, and what lies sealed on the Commons Board."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.defenders.state import RACK, VALUES, WILD, View
from render import sprites, theme
from render.canvas import Canvas, Colour, Surface, fitted, printable, width_of
from render.defenders import look
from render.theme import SEATS

WIDTH, HEIGHT = 1000, 292  # px
TILE = 108  # px

_STEP = TILE + 14
_LEFT, _TOP = 40, 146
_SEALED_RIGHT = WIDTH - 40
_SEALED = "Face down"


def rack(view: View, names: Sequence[str]) -> bytes:
    """Return the viewer's rack and sealed contribution as a palette PNG, 1000 px wide.

    Raises ValueError for the view of everyone, which has no rack.
    """
    canvas = Canvas(look.PALETTE, WIDTH, HEIGHT, theme.GROUND)
    paint(canvas, view, names)
    return canvas.png()


def paint(surface: Surface, view: View, names: Sequence[str]) -> None:
    """Paint the viewer's rack."""
    if view.seat is None:
        raise ValueError("Only a seat has a rack.")
    seat = SEATS[view.seat]
    count = 2 if view.public.seats <= 2 else 1
    sealed_left = _SEALED_RIGHT - count * _STEP + 14
    surface.rounded((0, 0, WIDTH, HEIGHT), theme.RADIUS, seat.colour, theme.GROUND)
    surface.rounded((8, 84, WIDTH - 8, HEIGHT - 8), theme.RADIUS, theme.PANEL, seat.colour)
    sprites.shape(surface, seat.shape, 36, 22, 42, seat.ink, seat.colour)
    name = printable(names[view.seat]) or f"Player {view.seat + 1}"
    surface.text((96, 57), fitted(name, 40, 460), 40, seat.ink, seat.colour)
    bag = f"{view.bag_sizes[view.seat]} left in the bag"
    surface.text((WIDTH - 36, 55), bag, 32, seat.ink, seat.colour, "rs")
    surface.text((_LEFT, _TOP - 16), "Your letters", 28, theme.MUTED, theme.PANEL)
    surface.text((_SEALED_RIGHT, _TOP - 16), _SEALED, 28, theme.MUTED, theme.PANEL, "rs")
    divider = min(sealed_left - 30, _SEALED_RIGHT - round(width_of(_SEALED, 28)) - 30)
    surface.rect((divider, _TOP - 40, divider + 2, _TOP + TILE), theme.SLOT_EDGE)
    for slot in range(RACK):
        _paint_space(surface, (_LEFT + slot * _STEP, _TOP), view.rack[slot : slot + 1], theme.SLOT_EDGE)
    for slot in range(count):
        laid = (view.mine or ())[slot : slot + 1]
        _paint_space(surface, (sealed_left + slot * _STEP, _TOP), laid, seat.colour)


def _paint_space(surface: Surface, at: tuple[int, int], letter: Sequence[str], edge: Colour) -> None:
    if not letter:
        surface.sprite(at, sprites.space(TILE, edge), theme.PANEL)
        return
    style = look.tile_style(0, wild=letter[0] == WILD)
    surface.sprite(at, sprites.tile(letter[0], VALUES[letter[0]], TILE, style), theme.PANEL)
