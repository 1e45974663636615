"""The automaton of Defenders of the Dictionary: what it contributes, proposes and agrees to, and when.

It is given a view and nothing else. In each round one seat is the *spokesman*, who plans the team's word; the others
leave people time to think and step in only when nothing has come of it. Whoever asks for ideas gets one at once.
"""

from __future__ import annotations

from bot.games.defenders.placement import overflow
from bot.games.defenders.state import (
    VALUES,
    WILD,
    Agree,
    Contribute,
    Discard,
    Move,
    NoWord,
    Propose,
    View,
)
from bot.games.game import Moment, Plan

CONTRIBUTES_AFTER = 1_500  # ms since the round began
AGREES_AFTER = 1_500  # ms since the proposal
SPEAKS_AFTER = 4_000  # ms since the phase began: the spokesman
STEPS_IN_AFTER = 25_000  # ms more for each seat after the spokesman


def choose(view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
    """Return what the seat wants to do next and when, or None when there is nothing for it to do."""
    public = view.public
    if public.phase in ("verify", "over"):
        return None
    proposal = public.proposal
    if proposal is not None and seat not in proposal.agreed and not proposal.objected:
        return Plan(Agree(), proposal.at + AGREES_AFTER)
    if public.phase == "contribute":
        if view.mine is not None or not view.rack:
            return None
        count = min(len(view.rack), 1 if public.seats > 2 else 2)
        letters = sorted(view.rack, key=lambda letter: (letter == WILD, VALUES[letter], letter))[:count]
        return Plan(Contribute(tuple(sorted(letters))), public.since + CONTRIBUTES_AFTER)
    if proposal is not None:
        return None
    turn = (seat - public.round) % public.seats
    time = public.since + SPEAKS_AFTER + STEPS_IN_AFTER * turn
    if at.now < time:
        return Plan(None, time)
    if public.phase == "discard":
        excess = overflow(public)
        return Plan(Propose(Discard(tuple(sorted(excess.tied[: excess.owed])))), time)
    return Plan(Propose(NoWord()), time)
