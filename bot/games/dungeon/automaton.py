"""The automaton of Word Dungeon: when it lays a word, takes one back, gives up, proposes and agrees.

It is given a view and nothing else. In a race it takes a while for each turn, so that people can keep up. When no word leads
on, it takes its last turn back and tries another; after many changes it gives up. In a party it agrees to whatever others
propose, lets people think first, and waits very long before it proposes to give up.
"""

from __future__ import annotations

from bot.games.dungeon.placement import position
from bot.games.dungeon.planning import suggest
from bot.games.dungeon.state import Agree, GiveUp, Matter, Move, Public, Run, TakeBack, View
from bot.games.game import Moment, Plan

THINKS = (40_000, 30_000, 25_000)  # ms for a turn, by skill
AGREES_AFTER = 1_500  # ms since the proposal
SPEAKS_AFTER = 30_000  # ms since the party's last change
STEPS_IN_AFTER = 15_000  # ms more for each seat after the first
DESPAIRS_AFTER = 600_000  # ms since the party's last change
_PATIENCE = 3  # changes to a run for each turn of the limit, before giving up


def choose(view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
    """Return what the seat wants to do next and when, or None when there is nothing for it to do."""
    public, run = view.public, view.run
    if public.over or run is None or run.ended is not None:
        return None
    if public.mode == "party":
        return _in_party(public, run, seat, skill, at)
    time = run.since + THINKS[skill]
    if at.now < time:
        return Plan(None, time)
    return Plan(_turn(public, run, skill, at), time)


def _in_party(public: Public, run: Run, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
    proposal = public.proposal
    if proposal is not None:
        if seat in proposal.agreed or seat in proposal.objected:
            return None
        return Plan(Agree(), proposal.at + AGREES_AFTER)
    wait = SPEAKS_AFTER if _hopes(public, run) else DESPAIRS_AFTER
    time = run.since + wait + STEPS_IN_AFTER * ((seat - len(run.places)) % public.seats)
    if at.now < time:
        return Plan(None, time)
    matter = _turn(public, run, skill, at)
    return None if matter in public.tried else Plan(matter, time)


def _turn(public: Public, run: Run, skill: int, at: Moment) -> Matter:
    dungeon = public.dungeon
    if _hopes(public, run):
        place = suggest(dungeon, position(dungeon, run.places), skill, at, public.tried)
        if place is not None:
            return place
        if run.places and TakeBack() not in public.tried:
            return TakeBack()
    return GiveUp()


def _hopes(public: Public, run: Run) -> bool:
    return run.changes < _PATIENCE * public.dungeon.turns
