"""What is drawn of a game of Defenders, each picture with its text for who hears it; drawn only when it is sent."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

import render.defenders
from bot.games.defenders.state import Play, Proposal, Public, View
from bot.tables.face import STANDS_IN, Picture, Shown
from cogs.defenders import alts

CROWDED = 4  # seats
_AUTOMATON = re.compile(r"Automaton (\d+)")
_STAND_IN = re.compile(rf"(.+){re.escape(STANDS_IN)}", re.S)


def board(view: View, shown: Shown) -> Picture:
    """Return the table as its viewer may see it."""
    names = _drawn(shown)
    return Picture(
        f"defenders-{view.public.round}.png",
        alts.board(view, shown.drawn),
        msgspec.msgpack.encode((view, names)),
        lambda: render.defenders.board(view, names),
    )


def rack(view: View, shown: Shown) -> Picture:
    """Return the rack of ``view.seat``."""
    names = shown.drawn
    return Picture(
        "rack.png",
        alts.rack(view),
        msgspec.msgpack.encode((view, names)),
        lambda: render.defenders.rack(view, names),
    )


def places(view: View, shown: Shown, found: Sequence[Play]) -> Picture:
    """Return the board with a mark where each play begins, without a proposal, which would lie beside the marks."""
    names = _drawn(shown)
    seen = _open(view, replace(view.public, proposal=None))
    spots = tuple((play.row, play.col, play.across) for play in found)
    return Picture(
        "places.png",
        alts.places(found),
        msgspec.msgpack.encode((seen, names, spots)),
        lambda: render.defenders.board(seen, names, spots),
    )


def ghost(view: View, shown: Shown, play: Play) -> Picture:
    """Return the board as everyone will see it once ``view.seat`` has proposed the play."""
    assert view.seat is not None
    names = _drawn(shown)
    seen = _open(view, replace(view.public, proposal=Proposal(view.seat, play, view.public.since)))
    return Picture(
        "proposal.png",
        alts.ghost(play),
        msgspec.msgpack.encode((seen, names)),
        lambda: render.defenders.board(seen, names),
    )


def _drawn(shown: Shown) -> tuple[str, ...]:
    """Return the names for the board: with four they have room for a few letters, so automata are told apart by those."""
    if len(shown.names) < CROWDED:
        return shown.drawn
    return tuple(
        name if human else _STAND_IN.sub(r"(\1)", _AUTOMATON.sub(r"Auto \1", name))
        for name, human in zip(shown.drawn, shown.humans, strict=True)
    )


def _open(view: View, public: Public) -> View:
    """Return a view without what its seat alone knows."""
    return replace(view, public=public, seat=None, rack=(), mine=None)
