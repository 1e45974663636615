"""What is drawn of a dungeon, each picture with its text for who hears it; drawn only when it is sent."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

import render.dungeon
from bot.games.crossword import Square
from bot.games.dungeon.state import Place, Proposal, View
from bot.tables.face import LIMITS, Picture, Shown
from bot.tables.wording import cut
from cogs.dungeon import alts
from cogs.grid import spot


def board(view: View, shown: Shown) -> Picture:
    """Return the map as its viewer may see it; for who may see none, how far all have come."""
    names = shown.drawn
    return Picture(
        f"dungeon-{view.public.dungeon.key}.png"[:60],
        alts.board(view, names),
        msgspec.msgpack.encode((view, names)),
        lambda: render.dungeon.board(view, names),
    )


def public(view: View, shown: Shown) -> Picture:
    """Return what a channel sees: the map or how far all have come, and all routes once a race is over."""
    if view.runs is None or view.public.mode != "race":
        return board(view, shown)
    names = shown.drawn
    return Picture(
        "routes.png",
        alts.routes(view, names),
        msgspec.msgpack.encode((view, names)),
        lambda: render.dungeon.routes(view, names),
    )


def ghost(view: View, shown: Shown, place: Place) -> Picture:
    """Return the map as it would be, the letters that are new in outline."""
    proposal = Proposal(view.seat or 0, place, 0)
    return board(replace(view, public=replace(view.public, proposal=proposal)), shown)


def numbered(view: View, shown: Shown, starts: tuple[tuple[Square, bool], ...]) -> Picture:
    """Return the map with places to choose from numbered on their first squares."""
    names = shown.drawn
    where = ", ".join(f"{number} {spot(*start)}" for number, start in enumerate(starts, 1))
    return Picture(
        "places.png",
        cut(f"To choose from: {where}. {alts.board(view, names)}", LIMITS["alt"]),
        msgspec.msgpack.encode((view, names, starts)),
        lambda: render.dungeon.board(view, names, starts),
    )


def way(view: View, shown: Shown) -> Picture:
    """Return the way of a solo through its dungeon, without a letter."""
    names = shown.drawn
    return Picture(
        "way.png",
        alts.shared(view, names[view.seat or 0]),
        msgspec.msgpack.encode((view, names)),
        lambda: render.dungeon.shared(view, names),
    )
