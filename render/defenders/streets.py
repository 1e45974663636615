"""The joined maps on the board: streets and buildings, points of interest, letters, what is proposed.

Letters of the last round that laid any stand out until another word is formed, so that a table that has gone on to
the next round still sees what has just happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.games.defenders.city import SIZE, on_hq
from bot.games.defenders.state import VALUES, City, Laid, Play, Proposal, Public, Recast
from render import sprites, theme
from render.canvas import CAP_HEIGHT, Colour, Sprite, Surface
from render.defenders import look
from render.defenders.layout import Layout
from render.defenders.look import DAY, NIGHT, Standing, Tint
from render.theme import SEATS

_NAME = 26  # px
_COORDINATE = 24


def paint_city(surface: Surface, place: Layout, city: City) -> None:
    """Paint both maps, their names and the coordinates."""
    left, top, right, bottom = place.city
    surface.rounded((left - 5, top - 5, right + 5, bottom + 5), 10, theme.SLOT_EDGE, theme.GROUND)
    for corner, name in ((city.hq, city.hq_name), (city.other, city.other_name)):
        _paint_map(surface, place, city, corner, _tint(name))
        _paint_name(surface, place, corner, name)
    _paint_seam(surface, place)
    _paint_coordinates(surface, place, city)


def paint_letters(surface: Surface, place: Layout, public: Public) -> None:
    """Paint the start while it is uncovered, the points of interest and the letters laid."""
    city = public.city
    if city.start not in {(laid.row, laid.col) for laid in public.laid}:
        _lay(surface, place, city, city.start, look.start(round(place.cell * 0.7)))
    last = max(public.collected, default=0)
    ahead = min((poi.number for poi in public.pois if poi.number > last), default=0)
    for poi in public.pois:
        badge = look.poi(poi.number, round(place.cell * 0.74), _standing(poi.number, last, ahead))
        _lay(surface, place, city, (poi.row, poi.col), badge)
    latest = max((laid.round for laid in public.laid), default=0)
    for laid in public.laid:
        fresh = laid.round == latest >= public.round - 1
        _lay(surface, place, city, (laid.row, laid.col), _tile(laid, place.cell - 4, fresh))


def paint_proposal(surface: Surface, place: Layout, public: Public) -> None:
    """Paint as ghosts the letters that an open proposal would lay or declare anew."""
    if public.proposal is None:
        return
    dash = SEATS[public.proposal.seat].ink
    for ghost in _ghosts(public.proposal, public.laid):
        face = _tint_at(public.city, ghost.row, ghost.col).ghost
        value = 0 if ghost.wild else VALUES[ghost.letter]
        sprite = sprites.ghost(ghost.letter, value, place.cell - 4, face, dash, wild=ghost.wild)
        _lay(surface, place, public.city, (ghost.row, ghost.col), sprite)


def paint_spots(
    surface: Surface, place: Layout, public: Public, spots: Sequence[tuple[int, int, bool]]
) -> None:
    """Paint marks where a word may begin (row, column, across), small where something else is to be seen."""
    taken = {(laid.row, laid.col) for laid in public.laid} | {(poi.row, poi.col) for poi in public.pois}
    ways: dict[tuple[int, int], set[bool]] = {}
    for row, col, across in spots:
        ways.setdefault((row, col), set()).add(across)
    for (row, col), found in ways.items():
        size = round(place.cell * (0.46 if (row, col) in taken else 0.74))
        mark = look.pointer(size, across=True in found, down=False in found)
        x, y = place.square(row, col)
        inset = 1 if (row, col) in taken else (place.cell - size) // 2
        surface.sprite((x + inset, y + inset), mark, _tint_at(public.city, row, col).street)


def paint_frame(surface: Surface, place: Layout, colour: Colour) -> None:
    """Paint the rim of the maps in the colour of the outcome."""
    left, top, right, bottom = place.city
    surface.rect((left - 5, top - 5, right + 5, top), colour)
    surface.rect((left - 5, bottom, right + 5, bottom + 5), colour)
    surface.rect((left - 5, top, left, bottom), colour)
    surface.rect((right, top, right + 5, bottom), colour)


def _paint_map(surface: Surface, place: Layout, city: City, corner: tuple[int, int], tint: Tint) -> None:
    cell = place.cell
    left, top = place.square(*corner)
    surface.rect((left, top, left + SIZE * cell, top + SIZE * cell), tint.line)
    for row in range(SIZE):
        for col in range(SIZE):
            x, y = left + col * cell, top + row * cell
            surface.rect((x + 1, y + 1, x + cell - 1, y + cell - 1), tint.street)
    for number, (row, col, rows, cols) in enumerate(_blocks(city, corner)):
        hue = tint.hues[number % len(tint.hues)]
        surface.sprite(place.square(row, col), look.building(rows, cols, cell, hue), tint.street)


def _blocks(city: City, corner: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """Return one map's buildings as (row, column, rows, columns): its built-up squares cut into rectangles."""
    top, left = corner
    built = {
        (row, col)
        for row in range(top, top + SIZE)
        for col in range(left, left + SIZE)
        if city.rows[row][col] == "#"
    }
    blocks = []
    while built:
        row, col = min(built)
        rows = cols = 1
        while (row, col + cols) in built:
            cols += 1
        while all((row + rows, col + step) in built for step in range(cols)):
            rows += 1
        built -= {(row + down, col + step) for down in range(rows) for step in range(cols)}
        blocks.append((row, col, rows, cols))
    return blocks


def _paint_name(surface: Surface, place: Layout, corner: tuple[int, int], name: str) -> None:
    above = place.wide or corner[0] == 0
    x, baseline = place.square(*corner)[0], place.city[1] - 40 if above else place.city[3] + 58
    icon = look.sun(24) if _tint(name) is DAY else look.moon(24)
    surface.sprite((x, baseline - 21), icon, theme.GROUND)
    surface.text((x + 34, baseline), look.map_title(name), _NAME, theme.TEXT, theme.GROUND)


def _paint_seam(surface: Surface, place: Layout) -> None:
    left, top, right, bottom = place.city
    if place.wide:
        middle = (left + right) // 2
        surface.rect((middle - 2, top, middle + 2, bottom), theme.SLOT_EDGE)
    else:
        middle = (top + bottom) // 2
        surface.rect((left, middle - 2, right, middle + 2), theme.SLOT_EDGE)


def _paint_coordinates(surface: Surface, place: Layout, city: City) -> None:
    """Paint letters and numbers, on both sides where the far one would be a long way off."""
    left, top, right, bottom = place.city
    half, muted, ground = place.cell // 2, theme.MUTED, theme.GROUND
    for col in range(len(city.rows[0])):
        x = left + col * place.cell + half
        for baseline in (top - 12,) if place.wide else (top - 12, bottom + 28):
            surface.text((x, baseline), chr(ord("A") + col), _COORDINATE, muted, ground, "ms")
    for row in range(len(city.rows)):
        baseline = top + row * place.cell + half + round(_COORDINATE * CAP_HEIGHT / 2)
        for x in (left - 24, right + 24) if place.wide else (left - 24,):
            surface.text((x, baseline), str(row + 1), _COORDINATE, muted, ground, "ms")


def _tint(name: str) -> Tint:
    return NIGHT if name.endswith("night") else DAY


def _tint_at(city: City, row: int, col: int) -> Tint:
    return _tint(city.hq_name if on_hq(city, (row, col)) else city.other_name)


def _lay(surface: Surface, place: Layout, city: City, square: tuple[int, int], sprite: Sprite) -> None:
    x, y = place.square(*square)
    inset = (place.cell - sprite.width) // 2
    surface.sprite((x + inset, y + inset), sprite, _tint_at(city, *square).street)


def _standing(number: int, last: int, ahead: int) -> Standing:
    if 0 < number < last:
        return "lapsed"
    return "next" if number in (0, ahead) else "later"


def _tile(laid: Laid, size: int, fresh: bool) -> Sprite:
    value = 0 if laid.wild else VALUES[laid.letter]
    style = look.tile_style(laid.owner, wild=laid.wild)
    if fresh and style is theme.PLAIN:
        style = theme.FRESH
    return sprites.tile(laid.letter, value, size, style, wild=laid.wild, fresh=fresh)


class _Ghost(NamedTuple):
    row: int
    col: int
    letter: str
    wild: bool


def _ghosts(proposal: Proposal, laid: Sequence[Laid]) -> list[_Ghost]:
    matter = proposal.matter
    if isinstance(matter, Recast):
        return [_Ghost(row, col, letter, True) for row, col, letter in matter.letters]
    if not isinstance(matter, Play):
        return []
    standing = {(tile.row, tile.col): tile.letter for tile in laid}
    ghosts = []
    for index, letter in enumerate(matter.word):
        row, col = (matter.row, matter.col + index) if matter.across else (matter.row + index, matter.col)
        stands = standing.get((row, col))
        if stands is None:
            ghosts.append(_Ghost(row, col, letter, index in matter.wild))
        elif stands != letter:  # a wildcard on the map, declared anew
            ghosts.append(_Ghost(row, col, letter, True))
    return ghosts
