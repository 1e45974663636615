"""Where everything lies on the board's picture, in px; longer side 1200.

Maps joined side by side are wide: score above, Commons Board below. Maps joined one above the other are tall: score
and Commons Board stand beside them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from bot.games.defenders.city import SIZE
from bot.games.defenders.state import City
from render.canvas import Box
from render.theme import GAP


class Layout(NamedTuple):
    """Boxes of the panels and of the joined maps. ``label`` baselines: one above the maps, one below."""

    width: int
    height: int
    cell: int
    city: Box
    round: Box
    points: Box
    places: Box
    villain: Box
    team: Box
    storage: Box
    stored: int  # a tile's size
    wide: bool

    def square(self, row: int, col: int) -> tuple[int, int]:
        """Return a square's top left corner."""
        return self.city[0] + col * self.cell, self.city[1] + row * self.cell


def _wide() -> Layout:
    cell, left, top, map_top = 62, 42, 20, 192
    right, map_bottom = left + 2 * SIZE * cell, map_top + SIZE * cell
    head, foot = top + 102, map_bottom + 24
    bottom = foot + 192
    return Layout(
        width=right + left,
        height=bottom + top,
        cell=cell,
        city=(left, map_top, right, map_bottom),
        round=(left, top, left + 330, head),
        points=(left + 330 + GAP, top, right - 316 - GAP, head),
        places=(right - 316, top, right, head),
        villain=(left, foot, left + 228, bottom),
        team=(left + 228 + GAP, foot, right - 222 - GAP, bottom),
        storage=(right - 222, foot, right, bottom),
        stored=62,
        wide=True,
    )


def _tall() -> Layout:
    cell, left, top, map_top = 58, 52, 20, 78
    map_right, map_bottom = left + SIZE * cell, map_top + 2 * SIZE * cell
    near = map_right + 24
    far = near + 340
    panels: list[Box] = []
    for height in (104, 104, 112, 176, 336, 248):
        y = panels[-1][3] + GAP if panels else top
        panels.append((near, y, far, y + height))
    turn, points, places, villain, team, storage = panels
    return Layout(
        width=far + top,
        height=storage[3] + top,
        cell=cell,
        city=(left, map_top, map_right, map_bottom),
        round=turn,
        points=points,
        places=places,
        villain=villain,
        team=team,
        storage=storage,
        stored=88,
        wide=False,
    )


WIDE, TALL = _wide(), _tall()


def layout(city: City) -> Layout:
    """Return the layout that suits the city's shape."""
    return WIDE if len(city.rows[0]) > len(city.rows) else TALL


def spread(box: Box, count: int, *, across: bool) -> list[Box]:
    """Return ``box`` cut into ``count`` equal parts."""
    left, top, right, bottom = box
    start, length = (left, right - left) if across else (top, bottom - top)
    cuts = pairwise(start + length * part // count for part in range(count + 1))
    return [(near, top, far, bottom) if across else (left, near, right, far) for near, far in cuts]
