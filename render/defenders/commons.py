"""The Commons Board on the board's picture: villain letter, contributions, Letter Storage, what the bags hold.

A solo player's group stands beside that of the letters drawn at random; with one or two seats each has two spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.games.defenders.state import STORAGE, VALUES, WILD, Public, Tile, View
from render import sprites, theme
from render.canvas import Box, Sprite, Surface, fitted, printable, width_of
from render.defenders import look
from render.defenders.layout import Layout, spread
from render.defenders.look import TITLE, panel
from render.theme import SEATS

_NAME, _SMALL = 26, 22  # px, a name and a long name


class _Group(NamedTuple):
    """Where an owner's contributions lie. ``seat`` None: the letters drawn at random."""

    seat: int | None
    owner: int
    box: Box
    size: int  # px, of a tile
    corners: tuple[tuple[int, int], ...]


def paint_spaces(surface: Surface, place: Layout, seats: int) -> None:
    """Paint the panels with all spaces empty."""
    panel(surface, place.villain, "Villain letter")
    size = _villain_size(place)
    surface.sprite(_villain_corner(place), sprites.space(size, theme.VILLAIN.edge), theme.PANEL)
    surface.sprite((place.villain[0] + 18, place.villain[3] - 42), sprites.bag(24, theme.MUTED), theme.PANEL)
    panel(surface, place.team, "Contributions")
    for group in _groups(place, seats):
        edge = theme.SLOT_EDGE if group.seat is None else SEATS[group.seat].colour
        for corner in group.corners:
            surface.sprite(corner, sprites.space(group.size, edge), theme.PANEL)
        if group.owner:
            _paint_divider(surface, place, group.box)
    panel(surface, place.storage, "Letter storage")
    for corner in _storage_corners(place):
        surface.sprite(corner, sprites.space(place.stored, theme.SLOT_EDGE), theme.PANEL)


def paint_letters(surface: Surface, place: Layout, view: View, names: Sequence[str]) -> None:
    """Paint the letters on the Commons Board, the players' names and what their bags hold."""
    public = view.public
    _paint_villain(surface, place, public)
    for group in _groups(place, public.seats):
        if group.seat is None:
            _paint_owner(surface, place, group, "At random", len(view.lucky_unseen))
        else:
            name = printable(names[group.seat]) or f"Player {group.seat + 1}"
            _paint_owner(surface, place, group, name, view.bag_sizes[group.seat])
        _paint_contribution(surface, group, view)
    for corner, tile in zip(_storage_corners(place), public.storage, strict=False):
        surface.sprite(corner, _tile(tile, place.stored), theme.PANEL)


def _tile(tile: Tile, size: int) -> Sprite:
    style = look.tile_style(tile.owner, wild=tile.letter == WILD)
    return sprites.tile(tile.letter, VALUES[tile.letter], size, style)


def _villain_size(place: Layout) -> int:
    return 84 if place.wide else 74


def _villain_corner(place: Layout) -> tuple[int, int]:
    return place.villain[0] + 18, place.villain[1] + 48


def _paint_villain(surface: Surface, place: Layout, public: Public) -> None:
    box, size = place.villain, _villain_size(place)
    x, y = _villain_corner(place)
    left = f"{public.villain_left} in the bag"
    surface.text((box[0] + 52, box[3] - 20), left, TITLE, theme.MUTED, theme.PANEL)
    if public.villain is None:
        return
    value = VALUES[public.villain]
    surface.sprite((x, y), sprites.tile(public.villain, value, size, theme.VILLAIN), theme.PANEL)
    surface.text((x + size + 12, y + size // 2 - 8), f"−{value} VP", 27, theme.TEXT, theme.PANEL)
    surface.text((x + size + 12, y + size // 2 + 24), "if left", TITLE, theme.MUTED, theme.PANEL)


def _storage_corners(place: Layout) -> list[tuple[int, int]]:
    left, _, right, bottom = place.storage
    size, gap = place.stored, 8
    x = (left + right - 3 * size - 2 * gap) // 2
    y = bottom - 12 - 2 * size - gap
    return [(x + (size + gap) * (slot % 3), y + (size + gap) * (slot // 3)) for slot in range(STORAGE)]


def _groups(place: Layout, seats: int) -> list[_Group]:
    left, top, right, bottom = place.team
    boxes = spread((left + 16, top + 44, right - 16, bottom - 10), max(2, seats), across=place.wide)
    size = 72 if place.wide or seats <= 2 else 60
    return [
        _Group(owner if owner < seats else None, owner, box, size, _corners(place, box, size, seats))
        for owner, box in enumerate(boxes)
    ]


def _corners(place: Layout, box: Box, size: int, seats: int) -> tuple[tuple[int, int], ...]:
    left, top, right, bottom = box
    spaces, step = 2 if seats <= 2 else 1, size + 8
    if place.wide:
        return tuple((left + slot * step, bottom - size - 8) for slot in range(spaces))
    x, y = right - spaces * step + 8, (top + bottom - size) // 2
    return tuple((x + slot * step, y) for slot in range(spaces))


def _paint_divider(surface: Surface, place: Layout, box: Box) -> None:
    left, top, right, bottom = box
    if place.wide:
        surface.rect((left - 12, top, left - 10, bottom), theme.SLOT_EDGE)
    else:
        surface.rect((left, top, right, top + 2), theme.SLOT_EDGE)


def _paint_owner(surface: Surface, place: Layout, group: _Group, name: str, bag: int) -> None:
    left, top, right, bottom = group.box
    if place.wide:
        baseline, room = top + 28, right - left - 14
        x, y = group.corners[-1][0] + group.size + 5, bottom - 34
    else:
        baseline, room = (top + bottom) // 2 - 6, group.corners[0][0] - left - 6
        x, y = left, baseline + 12
    if group.seat is not None:
        surface.sprite((left, baseline - 21), sprites.mark(SEATS[group.seat], 24), theme.PANEL)
        left, room = left + 32, room - 32
    size = _NAME if width_of(name, _NAME) <= room else _SMALL
    surface.text((left, baseline), fitted(name, size, room), size, theme.TEXT, theme.PANEL)
    surface.sprite((x, y), sprites.bag(22, theme.MUTED), theme.PANEL)
    surface.text((x + 26, y + 20), str(bag), TITLE, theme.MUTED, theme.PANEL)


def _paint_contribution(surface: Surface, group: _Group, view: View) -> None:
    if view.public.phase != "contribute":
        laid = [tile for tile in view.public.contributed if tile.owner == group.owner]
        for corner, tile in zip(group.corners, laid, strict=False):
            surface.sprite(corner, _tile(tile, group.size), theme.PANEL)
    elif group.seat is not None and view.sealed[group.seat]:
        for corner in group.corners:
            surface.sprite(corner, sprites.face_down(SEATS[group.seat], group.size), theme.PANEL)
