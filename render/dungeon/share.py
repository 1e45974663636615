"""What everybody may see of a daily dungeon: the route in coloured squares, the score, and no letter.

The picture tells where letters lie and what they have collected, never what they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.dungeon.ground import Position
from bot.games.dungeon.placement import position
from bot.games.dungeon.scoring import medal, tally
from bot.games.dungeon.state import View
from render import theme
from render.canvas import Canvas, Colour, Surface, fitted, printable, width_of
from render.dungeon import emblems, look, pieces, terrain
from render.dungeon.floor import inward, mood_of
from render.dungeon.layout import Grid
from render.dungeon.players import name_of

_WIDTH = 720  # px
_EDGE = 24
_LARGEST = 64  # px, a square
_TITLE, _TEXT, _SCORE = 38, 28, 64


def shared(view: View, names: Sequence[str]) -> bytes:
    """Return the viewer's way, or the party's, without letters as a palette PNG, 720 px wide.

    Args:
        view: of who shares; without a run the map is empty.
        names: of the players, by seat.
    """
    dungeon, run = view.public.dungeon, view.run
    here = position(dungeon, run.places if run is not None else ())
    high, wide = len(dungeon.rows), len(dungeon.rows[0])
    cell = min(_LARGEST, (_WIDTH - 2 * _EDGE) // max(high, wide))
    top = 128
    height = top + high * cell + 84
    grid = Grid((_WIDTH - wide * cell) // 2, top, cell, 0)
    canvas = Canvas(look.PALETTE, _WIDTH, height, theme.GROUND)
    _paint_title(canvas, view, names)
    _paint_squares(canvas, grid, view, here)
    _paint_score(canvas, view, here, height)
    return canvas.png()


def _paint_title(surface: Surface, view: View, names: Sequence[str]) -> None:
    public, room = view.public, _WIDTH - 2 * _EDGE
    date = public.daily
    wide = round(width_of(date, _TEXT))
    title = fitted(printable(public.dungeon.name) or "Dungeon", _TITLE, room - wide - 20)
    surface.text((_EDGE, 60), title, _TITLE, theme.TEXT, theme.GROUND)
    surface.text((_WIDTH - _EDGE, 60), date, _TEXT, theme.MUTED, theme.GROUND, "rs")
    if view.seat is not None and public.mode != "party":
        surface.sprite((_EDGE, 80), emblems.mark(view.seat, 26), theme.GROUND)
        who = name_of(names, view.seat)
        surface.text((_EDGE + 38, 102), fitted(who, _TEXT, room - 38), _TEXT, theme.GOLD, theme.GROUND)
        return
    who = ", ".join(name_of(names, seat) for seat in range(public.seats))
    surface.text((_EDGE, 102), fitted(who, _TEXT, room), _TEXT, theme.GOLD, theme.GROUND)


def _paint_squares(surface: Surface, grid: Grid, view: View, here: Position) -> None:
    ground, mood = here.ground, mood_of(view.public.dungeon)
    gap = max(1, grid.cell // 20)
    for row, text in enumerate(ground.rows):
        for col in range(len(text)):
            square = (row, col)
            x, y = grid.square(square)
            box = (x + gap, y + gap, x + grid.cell - gap, y + grid.cell - gap)
            colour = colour_of(here, square) if ground.open(square) else mood.rock
            surface.rounded(box, max(2, grid.cell // 8), colour or mood.floor, theme.GROUND)
            _paint_shape(surface, grid, here, square, colour or mood.floor)


def colour_of(here: Position, square: tuple[int, int]) -> Colour | None:
    """Return the colour of what has been taken on a square, None where nothing has."""
    ground = here.ground
    if square in here.chests:
        return look.WOOD_LIGHT
    turn = here.laid.get(square)
    if turn is None:
        return None
    if square in ground.gems:
        return look.GEM if square in here.gems else look.DULL_DARK
    if square in ground.keys:
        return look.BRASS
    if square in ground.doors:
        return look.WOOD
    return look.ROUTE if turn % 2 else look.ROUTE_TOO


def _paint_shape(surface: Surface, grid: Grid, here: Position, square: tuple[int, int], on: Colour) -> None:
    """Paint a small shape on what is more than floor, so that colour is not all that tells."""
    ground = here.ground
    x, y = grid.square(square)
    size = grid.cell // 2
    at = (x + (grid.cell - size) // 2, y + (grid.cell - size) // 2)
    taken = square in here.laid or square in here.chests
    if square in ground.gems:
        dull = taken and square not in here.gems
        surface.sprite(at, pieces.gem_letter("", size, "dull", fresh=False) if dull else pieces.gem(size), on)
    elif square in ground.keys:
        surface.sprite(at, pieces.key(size), on)
    elif square in ground.doors:
        surface.sprite(at, pieces.door("" if taken else None, size), on)
    elif square in ground.chests:
        surface.sprite(at, pieces.chest("", size, theme.PLAIN if taken else None), on)
    elif square == ground.start:
        surface.sprite(at, terrain.arrow(size, size, inward(ground), theme.GOOD), on)
    elif square == ground.exit:
        surface.sprite(at, terrain.finish(size), on)


def _paint_score(surface: Surface, view: View, here: Position, height: int) -> None:
    dungeon, run = view.public.dungeon, view.run
    ended = None if run is None else run.ended
    out = ended is not None and ended.how == "out"
    base = ended.base if ended is not None else tally(dungeon, here).base
    bottom = height - 20
    left = _EDGE
    earned = medal(dungeon, base) if out else None
    if earned is not None:
        surface.sprite((left, bottom - 54), emblems.medal(earned, 54), theme.GROUND)
        left += 68
    elif ended is not None:
        mark = terrain.finish(40) if out else emblems.cross(40)
        surface.sprite((left, bottom - 48), mark, theme.GROUND)
        left += 54
    total = ended.score if ended is not None else base
    surface.text((left, bottom - 2), str(total), _SCORE, theme.TEXT, theme.GROUND)
    left += round(width_of(str(total), _SCORE)) + 18
    for _ in here.dead:
        if left < _WIDTH - 260:
            surface.sprite((left, bottom - 46), emblems.monster(40, dead=True), theme.GROUND)
            left += 48
    turns = f"{here.turns} of {dungeon.turns} turns"
    surface.text((_WIDTH - _EDGE, bottom - 8), turns, _TEXT, theme.MUTED, theme.GROUND, "rs")
    if run is not None and run.hints:
        x = _WIDTH - _EDGE - round(width_of(turns, _TEXT)) - 44
        surface.sprite((x, bottom - 34), emblems.lamp(32), theme.GROUND)
