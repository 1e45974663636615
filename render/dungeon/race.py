"""All routes of a race side by side, once everybody may see them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bot.games.dungeon.placement import ground_of, position
from bot.games.dungeon.scoring import medal
from bot.games.dungeon.state import Dungeon, Run, View
from render import theme
from render.canvas import Box, Canvas, Surface, fitted, width_of
from render.dungeon import emblems, look
from render.dungeon.floor import paint_ground
from render.dungeon.layout import Grid, wall_of
from render.dungeon.letters import paint_position
from render.dungeon.panels import ENDS
from render.dungeon.players import name_of, winners

_WIDTH = 1080  # px
_EDGE, _GAP = 20, 16
_HEAD, _FOOT = 62, 66  # px above and below a map
_NAME, _TEXT, _SCORE = 36, 34, 48
_RIM = 5  # px, around the winner
_LARGEST = 64  # px, a square
_ROOMY = 9  # squares: maps that are wider stand two abreast


class Card(NamedTuple):
    """A player's part of the picture."""

    box: Box
    grid: Grid


def routes(view: View, names: Sequence[str]) -> bytes:
    """Return every run's map with its player's name, score, medal and turns as a palette PNG, 1080 px wide.

    Args:
        view: one that may see all runs.
        names: of the players, by seat.

    Raises:
        ValueError: the view may not see them yet.
    """
    if view.runs is None:
        raise ValueError("these routes are not everybody's to see")
    dungeon, runs = view.public.dungeon, view.runs
    cards = _cards(dungeon, len(runs))
    canvas = Canvas(look.PALETTE, _WIDTH, cards[-1].box[3] + _EDGE, theme.GROUND)
    best = winners(view)
    for seat, (run, card) in enumerate(zip(runs, cards, strict=True)):
        _paint_card(canvas, card, view, run, seat, _owner(view, names, seat), won=seat in best)
        paint_ground(canvas, card.grid, dungeon, ground_of(dungeon), on=theme.PANEL)
        paint_position(canvas, card.grid, dungeon, position(dungeon, run.places), None)
    return canvas.png()


def _owner(view: View, names: Sequence[str], seat: int) -> str:
    if view.public.mode == "race":
        return name_of(names, seat)
    return ", ".join(name_of(names, other) for other in range(view.public.seats))


@lru_cache(maxsize=64)
def _cards(dungeon: Dungeon, count: int) -> tuple[Card, ...]:
    high, wide = len(dungeon.rows), len(dungeon.rows[0])
    abreast = 1 if count == 1 else 3 if count > 4 and wide <= _ROOMY else 2
    width = (_WIDTH - 2 * _EDGE - (abreast - 1) * _GAP) // abreast
    cell = min(_LARGEST, (width - 2 * 10) // (wide + 1))
    while wide * cell + 2 * wall_of(cell) > width - 20:
        cell -= 1
    wall = wall_of(cell)
    tall = _HEAD + high * cell + 2 * wall + _FOOT
    cards = []
    for seat in range(count):
        left = _EDGE + seat % abreast * (width + _GAP)
        top = _EDGE + seat // abreast * (tall + _GAP)
        grid = Grid(left + (width - wide * cell) // 2, top + _HEAD + wall, cell, wall)
        cards.append(Card((left, top, left + width, top + tall), grid))
    return tuple(cards)


def _paint_card(
    surface: Surface, card: Card, view: View, run: Run, seat: int, name: str, *, won: bool
) -> None:
    left, top, right, bottom = card.box
    ended = run.ended
    rim = _RIM if won else 0
    if won:
        surface.rounded(card.box, theme.RADIUS, theme.GOLD, theme.GROUND)
    inner = (left + rim, top + rim, right - rim, bottom - rim)
    surface.rounded(inner, theme.RADIUS - rim // 2, theme.PANEL, theme.GOLD if won else theme.GROUND)
    surface.sprite((left + 16, top + 16), emblems.mark(seat, 28), theme.PANEL)
    turns = f"{len(run.places)}/{view.public.dungeon.turns}"
    surface.text((right - 16, top + 40), turns, _TEXT, theme.MUTED, theme.PANEL, "rs")
    end = right - 28 - round(width_of(turns, _TEXT))
    if run.hints:
        end -= 30
        surface.sprite((end, top + 15), emblems.lamp(30), theme.PANEL)
        end -= 8
    surface.text((left + 54, top + 41), fitted(name, _NAME, end - left - 54), _NAME, theme.TEXT, theme.PANEL)
    base = bottom - 16
    if ended is None or ended.how != "out":
        surface.sprite((left + 16, bottom - 46), emblems.cross(32), theme.PANEL)
        text = ENDS[ended.how] if ended is not None else ""
        surface.text((left + 58, base - 5), text, _TEXT, theme.MUTED, theme.PANEL)
        surface.text((right - 16, base), "0", _SCORE, theme.MUTED, theme.PANEL, "rs")
        return
    earned = medal(view.public.dungeon, ended.base)
    if earned is not None:
        surface.sprite((left + 12, bottom - 56), emblems.medal(earned, 48), theme.PANEL)
    surface.text((left + 70, base - 4), f"{ended.base} + {ended.bonus}", _TEXT, theme.MUTED, theme.PANEL)
    colour = theme.GOLD if won else theme.TEXT
    surface.text((right - 16, base), str(ended.score), _SCORE, colour, theme.PANEL, "rs")
