"""What each viewer may know of a table, and what it might be behind that.

Open: the Commons Board, the map, scores, how many tiles every bag and rack holds. A seat knows its own rack
and its own sealed contribution besides. Hidden from all: the order of every bag, one's own too. What is not
seen is known as a multiset, since everyone may count the tiles that lie open.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from bot.games.chance import Chance
from bot.games.defenders.state import PLAYER_BAG, Contributed, Drew, Event, State, View


def seen_by(state: State, seat: int | None) -> View:
    """Return what ``seat``, or everyone, may know."""
    return View(
        public=state.public,
        seat=seat,
        rack=() if seat is None else state.racks[seat],
        mine=None if seat is None else state.sealed[seat],
        sealed=tuple(letters is not None for letters in state.sealed),
        rack_sizes=tuple(map(len, state.racks)),
        bag_sizes=tuple(map(len, state.bags)),
        unseen=tuple(_unseen(state, owner, seat) for owner in range(state.public.seats)),
        spare=len(state.spare),
        lucky_unseen=tuple(sorted(state.lucky)),
        villain_unseen=tuple(sorted(state.villain_bag)),
    )


def _unseen(state: State, owner: int, seat: int | None) -> tuple[str, ...]:
    hidden: Iterable[str] = state.bags[owner]
    if owner != seat:
        hidden = (*hidden, *state.racks[owner], *(state.sealed[owner] or ()))
    return tuple(sorted(hidden))


def heard_by(event: Event, seat: int | None) -> Event:
    """Return the event as ``seat``, or everyone, hears it: without others' letters from bag or rack."""
    if isinstance(event, Drew | Contributed) and event.seat != seat:
        return replace(event, letters=None)
    return event


def imagine(view: View, seat: int | None, chance: Chance) -> State:
    """Return a state that the viewer cannot tell from the true one: what is unseen, dealt anew."""
    racks, bags, sealed = [], [], []
    for owner, hidden in enumerate(view.unseen):
        tiles = chance.shuffled(hidden)
        if owner == seat:
            racks.append(view.rack)
            sealed.append(view.mine)
            bags.append(tiles)
            continue
        held, rest = tiles[: view.rack_sizes[owner]], tiles[view.rack_sizes[owner] :]
        laid = len(rest) - view.bag_sizes[owner]
        racks.append(tuple(sorted(held)))
        sealed.append(tuple(sorted(rest[:laid])) if view.sealed[owner] else None)
        bags.append(rest[laid:])
    return State(
        public=view.public,
        racks=tuple(racks),
        bags=tuple(bags),
        spare=tuple(chance.shuffled(PLAYER_BAG) for _ in range(view.spare)),
        lucky=chance.shuffled(view.lucky_unseen),
        villain_bag=chance.shuffled(view.villain_unseen),
        sealed=tuple(sealed),
    )
