"""The board: both maps with their letters, the Commons Board, the score.

It shows what is open to everyone and nothing else, whoever's view it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.games.defenders.state import City, Goal, View
from render import theme
from render.canvas import Canvas, Surface
from render.defenders import commons, look, score, streets
from render.defenders.layout import layout


def board(view: View, names: Sequence[str], spots: Sequence[tuple[int, int, bool]] = ()) -> bytes:
    """Return the table as a palette PNG, 1200 px on its longer side.

    Args:
        view: anyone's; what only its viewer knows is not shown.
        names: of the players, by seat. What the typeface lacks is left out, what is too long is cut.
        spots: where a word may begin (row, column, across), to be marked.
    """
    public = view.public
    canvas = _ground(public.city, public.goal, public.seats).copy()
    paint_play(canvas, view, names)
    streets.paint_spots(canvas, layout(public.city), public, spots)
    return canvas.png()


@lru_cache(maxsize=12)  # 1.2 MB each
def _ground(city: City, goal: Goal, seats: int) -> Canvas:
    place = layout(city)
    canvas = Canvas(look.PALETTE, place.width, place.height, theme.GROUND)
    paint_ground(canvas, city, goal, seats)
    return canvas


def paint_ground(surface: Surface, city: City, goal: Goal, seats: int) -> None:
    """Paint what stays the same all through a game."""
    place = layout(city)
    streets.paint_city(surface, place, city)
    score.paint_panels(surface, place, goal)
    commons.paint_spaces(surface, place, seats)


def paint_play(surface: Surface, view: View, names: Sequence[str]) -> None:
    """Paint what changes from move to move, over the ground."""
    place = layout(view.public.city)
    score.paint_score(surface, place, view.public)
    streets.paint_letters(surface, place, view.public)
    streets.paint_proposal(surface, place, view.public)
    commons.paint_letters(surface, place, view, names)
