"""The pictures of Defenders in words, for who hears them: the board, the places of a word on it, the rack.

Each says what its picture shows to the same viewer, in at most 1,024 characters, most telling first.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.crossword import runs, square_name
from bot.games.defenders.placement import letters_on
from bot.games.defenders.rules import ROUNDS
from bot.games.defenders.state import Play, Proposal, Public, View
from bot.tables.face import LIMITS
from bot.tables.wording import cut, listed
from cogs.defenders.texts import letter, place_of
from cogs.grid import spot
from render.defenders.look import map_title


def board(view: View, names: Sequence[str]) -> str:
    """Return all that the picture of the board shows."""
    public = view.public
    stored = ", ".join(letter(tile.letter) for tile in public.storage)
    bags = ", ".join(f"{name} {size}" for name, size in zip(names, view.bag_sizes, strict=True))
    parts = (
        "" if public.ended is None else f"The team has {'won' if public.ended.won else 'lost'}.",
        f"Round {public.round} of {ROUNDS}. {_score(public)}.",
        f"Villain letter {public.villain}." if public.villain else "",
        _contributed(view, names),
        f"Stored: {stored or 'nothing'}.",
        f"Points of interest left: {_left(public) or 'none'}.",
        _outlined(public.proposal),
        f"Bags: {bags}, villain {public.villain_left}.",
        f"Maps: {map_title(public.city.hq_name)}, {map_title(public.city.other_name)}.",
        f"On the map: {_on_the_map(public) or f'nothing; start at {square_name(public.city.start)}'}.",
    )
    return cut(" ".join(part for part in parts if part), LIMITS["alt"])


def places(found: Sequence[Play]) -> str:
    """Return at which places of the board a word may begin; there is one at least."""
    listing = ", ".join(map(place_of, found))
    return cut(f"The board; {found[0].word} may begin at {listing}.", LIMITS["alt"])


def ghost(play: Play) -> str:
    """Return which word the board has in outline."""
    return f"The board with {play.word} in outline at {place_of(play)}."


def rack(view: View) -> str:
    """Return the letters of the viewer's rack."""
    return f"Your rack: {', '.join(map(letter, view.rack)) or 'empty'}."


def _score(public: Public) -> str:
    goal = public.goal
    return f"{public.vp} of {goal.vp} VP (Vocabulary Points), {len(public.collected)} of {goal.poi} points of interest"


def _contributed(view: View, names: Sequence[str]) -> str:
    public = view.public
    if public.contributed:
        return f"Contributed: {', '.join(letter(tile.letter) for tile in public.contributed)}."
    if public.phase == "contribute":
        done = [names[seat] for seat, sealed in enumerate(view.sealed) if sealed]
        return f"Contributed face down: {listed(done) or 'nobody yet'}."
    return ""


def _left(public: Public) -> str:
    pois = sorted(public.pois, key=lambda poi: (poi.number, poi.row, poi.col))
    return ", ".join(f"{poi.number or '?'} at {square_name((poi.row, poi.col))}" for poi in pois)


def _outlined(proposal: Proposal | None) -> str:
    if proposal is None or not isinstance(play := proposal.matter, Play):
        return ""
    return f"Proposed, in outline: {play.word} {place_of(play)}."


def _on_the_map(public: Public) -> str:
    return ", ".join(f"{run.word} {spot((run.row, run.col), run.across)}" for run in runs(letters_on(public)))
