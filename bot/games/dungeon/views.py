"""What each viewer may know of a dungeon's table, and what it might be behind that.

Rulings: a race is run on private copies; everybody sees of the others how many turns they have taken, what hints, and how they
ended, and no letters until all have ended. A solo's letters are never the channel's, nor a daily dungeon's; a party has
nothing to hide.
"""

from __future__ import annotations

from string import ascii_uppercase

from msgspec.structs import replace

from bot.games.chance import Chance
from bot.games.crossword import neighbours
from bot.games.dungeon.placement import ground_of
from bot.games.dungeon.state import (
    Dungeon,
    Event,
    Hinted,
    Place,
    Placed,
    Progress,
    Run,
    State,
    TookBack,
    View,
)


def seen_by(state: State, seat: int | None) -> View:
    """Return what ``seat``, or everyone, may know."""
    public = state.public
    run = state.runs[0] if public.mode == "party" else None if seat is None else state.run_of(seat)
    told_all = seat is not None or (public.mode != "solo" and not public.daily)
    return View(
        public=public,
        seat=seat,
        run=run,
        progress=tuple(Progress(len(run.places), run.hints, run.ended) for run in state.runs),
        runs=state.runs if public.over and told_all else None,
    )


def heard_by(event: Event, seat: int | None) -> Event:
    """Return the event as ``seat``, or everyone, hears it: without the words of somebody else's private copy."""
    if not isinstance(event, Placed | TookBack | Hinted) or event.shared or event.seat == seat:
        return event
    return replace(event, deeds=None) if isinstance(event, Placed) else replace(event, place=None)


def imagine(view: View, seat: int | None, chance: Chance) -> State:
    """Return a state that the viewer cannot tell from the true one: other runs are as many turns of nonsense."""
    public = view.public
    if view.runs is not None:
        return State(public, view.runs)
    own = 0 if public.mode != "race" else seat
    runs = tuple(
        view.run if view.run is not None and number == own else _stand_in(public.dungeon, progress, chance)
        for number, progress in enumerate(view.progress)
    )
    return State(public, runs)


def _stand_in(dungeon: Dungeon, progress: Progress, chance: Chance) -> Run:
    """Return a run of which everybody knows the same: two letters somewhere each turn."""
    ground = ground_of(dungeon)
    pairs = [
        (square, other)
        for row in range(len(ground.rows))
        for col in range(len(ground.rows[0]))
        for square in [(row, col)]
        for other in neighbours(square)[1:3]
        if ground.open(square) and ground.open(other) and ground.exit not in (square, other)
    ] or [(ground.start, ground.exit)]
    places = []
    for _ in range(progress.turns):
        (row, col), (other, _) = chance.pick(pairs)
        word = chance.pick(ascii_uppercase) + chance.pick(ascii_uppercase)
        places.append(Place(word, row, col, other == row))
    return Run(places=tuple(places), hints=progress.hints, changes=progress.turns, ended=progress.ended)
