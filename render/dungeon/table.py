"""The board: one way through a dungeon on its map, or, for who may see none, how far the players have come."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.games.crossword import Square
from bot.games.dungeon.ground import Position
from bot.games.dungeon.placement import ground_of, position
from bot.games.dungeon.state import Dungeon, Run, View
from render import theme
from render.canvas import Canvas, Surface
from render.dungeon import look
from render.dungeon.floor import paint_coordinates, paint_ground
from render.dungeon.layout import Layout, layout
from render.dungeon.letters import paint_candidates, paint_position, paint_proposal
from render.dungeon.panels import paint_head, paint_loot, paint_monsters, paint_panels
from render.dungeon.players import paint_players


def board(view: View, names: Sequence[str], starts: Sequence[tuple[Square, bool]] = ()) -> bytes:
    """Return the table as a palette PNG, 600 to 900 px wide.

    The viewer's own way, or the party's; where the viewer has none, the empty map and everybody's progress, without a
    letter that was placed.

    Args:
        view: anyone's.
        names: of the players, by seat. What the typeface lacks is left out, what is too long is cut.
        starts: (first square, whether across) of places to choose from, which are numbered from 1 in this order.
    """
    place = place_of(view)
    canvas = _ground(view.public.dungeon, len(place.rows)).copy()
    paint_play(canvas, view, names)
    paint_candidates(canvas, place.grid, view.public.dungeon, starts)
    return canvas.png()


def place_of(view: View) -> Layout:
    """Return the layout that suits what there is to show."""
    public = view.public
    named = view.run is None or (public.mode == "party" and public.seats > 1)
    return layout(public.dungeon, public.seats if named else 0)


@lru_cache(maxsize=16)  # 1 MB each
def _ground(dungeon: Dungeon, seats: int) -> Canvas:
    place = layout(dungeon, seats)
    canvas = Canvas(look.PALETTE, place.width, place.height, theme.GROUND)
    paint_still(canvas, dungeon, place)
    return canvas


def paint_still(surface: Surface, dungeon: Dungeon, place: Layout) -> None:
    """Paint what stays the same all through a dungeon."""
    ground = ground_of(dungeon)
    paint_ground(surface, place.grid, dungeon, ground)
    paint_coordinates(surface, place.grid, ground)
    paint_panels(surface, place, dungeon)


def paint_play(surface: Surface, view: View, names: Sequence[str]) -> None:
    """Paint what changes from turn to turn, over the ground."""
    public, place = view.public, place_of(view)
    dungeon, proposal = public.dungeon, public.proposal
    here, before = ways(dungeon, view.run)
    paint_head(surface, place, dungeon, here, view.run)
    paint_players(surface, place.rows, view, names)
    paint_position(surface, place.grid, dungeon, here, before)
    paint_loot(surface, place, here if view.run is not None else None)
    paint_monsters(surface, place, here, before, proposal)
    if proposal is not None:
        paint_proposal(surface, place.grid, dungeon, here, proposal)


def ways(dungeon: Dungeon, run: Run | None) -> tuple[Position, Position | None]:
    """Return where a run stands, and where it stood a turn earlier."""
    places = () if run is None else run.places
    return position(dungeon, places), position(dungeon, places[:-1]) if places else None
