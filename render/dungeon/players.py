"""The players' lines: how far each has come in a race, or what each says to a party's proposal."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.dungeon.scoring import medal
from bot.games.dungeon.state import GiveUp, Progress, Proposal, TakeBack, View
from render import theme
from render.canvas import CAP_HEIGHT, Box, Sprite, Surface, fitted, printable, width_of
from render.dungeon import emblems

_NAME = 25  # px
_MARK = 22
_ICON = 24
_SIDE = 10


def name_of(names: Sequence[str], seat: int) -> str:
    """Return a player's name as far as the typeface can show it."""
    return printable(names[seat]) or f"Player {seat + 1}"


def winners(view: View) -> frozenset[int]:
    """Return who is best, of those who have left: by score, then turns, then time."""
    ended = [progress.ended for progress in view.progress]
    out = {
        seat: (one.score, -one.turns, -one.at)
        for seat, one in enumerate(ended)
        if one is not None and one.how == "out"
    }
    best = max(out.values(), default=None)
    return frozenset(seat for seat, rank in out.items() if rank == best)


def paint_players(surface: Surface, rows: Sequence[Box], view: View, names: Sequence[str]) -> None:
    """Paint a line for each player."""
    public = view.public
    best = winners(view) if public.over and public.mode == "race" else frozenset()
    for seat, box in enumerate(rows):
        surface.rounded(box, theme.RADIUS, theme.PANEL, theme.GROUND)
        if public.mode == "party":
            text, icons = _stance(seat, public.proposal)
        else:
            text, icons = _progress(view, view.progress[seat])
        _paint_line(surface, box, seat, name_of(names, seat), text, icons, won=seat in best)


def _stance(seat: int, proposal: Proposal | None) -> tuple[str, list[Sprite]]:
    if proposal is None:
        return "", []
    if seat not in (*proposal.agreed, *proposal.objected):
        return "", []
    if seat in proposal.objected:
        return "", [emblems.cross(_ICON)]
    text = ""
    if seat == proposal.seat:
        text = {TakeBack: "take back", GiveUp: "give up"}.get(type(proposal.matter), "proposes")
    return text, [emblems.tick(_ICON, met=True)]


def _progress(view: View, progress: Progress) -> tuple[str, list[Sprite]]:
    dungeon, ended = view.public.dungeon, progress.ended
    icons = [emblems.lamp(_ICON)] if progress.hints else []
    if ended is None:
        return f"{progress.turns}/{dungeon.turns}", icons
    if ended.how != "out":
        return "0", [*icons, emblems.cross(_ICON)]
    earned = medal(dungeon, ended.base)
    out = emblems.medal(earned, _ICON + 8) if earned else emblems.tick(_ICON, met=True)
    return f"{ended.base} + {ended.bonus}", [*icons, out]


def _paint_line(
    surface: Surface, box: Box, seat: int, name: str, text: str, icons: Sequence[Sprite], *, won: bool
) -> None:
    left, top, right, bottom = box
    middle = (top + bottom) / 2
    baseline = middle + _NAME * CAP_HEIGHT / 2
    surface.sprite((left + _SIDE, round(middle - _MARK / 2)), emblems.mark(seat, _MARK), theme.PANEL)
    end = right - _SIDE
    for icon in reversed(icons):
        end -= icon.width
        surface.sprite((end, round(middle - icon.height / 2)), icon, theme.PANEL)
        end -= 8
    surface.text((end, baseline), text, _NAME, theme.GOLD, theme.PANEL, "rs")
    end -= round(width_of(text, _NAME)) + 10
    start = left + _SIDE + _MARK + 10
    colour = theme.GOLD if won else theme.TEXT
    surface.text((start, baseline), fitted(name, _NAME, end - start), _NAME, colour, theme.PANEL)
