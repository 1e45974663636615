"""The automaton of Word Dungeon: when it lays a word, takes one back, gives up, proposes and agrees.

It is given a view and nothing else. In a race it takes a while for each turn, so that people can keep up. Skill 0 and 1 look one
turn ahead, skill 2 follows a way from the entrance to the exit; once it has had to take turns back, all but skill 0 search a way
out. When no word leads on, it takes its last turn back and tries another; after many changes it gives up.

A party belongs to its people, and no view tells who they are. So an automaton agrees at once only when all other seats have
answered, since then it outvotes nobody who still thinks. Else it lets them have a fair time, which is long for what is
final or undoes a turn. Where somebody objects to something of that kind, it sides with them. It proposes a word when nothing has
happened for a while, waits longer after each proposal that came to nothing, and after a few of them leaves the turn to
people. It waits very long before it proposes to give up.
"""

from __future__ import annotations

from bot.games.crossword import line
from bot.games.dungeon.placement import ground_of, position
from bot.games.dungeon.planning import lead, suggest
from bot.games.dungeon.state import (
    Agree,
    Dungeon,
    GiveUp,
    Matter,
    Move,
    Object,
    Place,
    Proposal,
    Public,
    Run,
    TakeBack,
    View,
)
from bot.games.game import Moment, Plan

THINKS = (40_000, 30_000, 25_000)  # ms for a turn, by skill
AGREES_AFTER = 1_500  # ms since the proposal: everybody else has answered
FAIR_TIME = 15_000  # ms since the proposal: of a word, for those who have not answered
LONG_TIME = 60_000  # the same, of a turn back and of a word that leaves
LONGEST_TIME = 180_000  # the same, of giving up
SPEAKS_AFTER = (
    30_000  # ms since the party's last change, and once more for each proposal that came to nothing since
)
SPEAKS_UNTIL = 3  # so many came to nothing
STEPS_IN_AFTER = 15_000  # ms more for each seat after the first
DESPAIRS_AFTER = 600_000  # ms since the party's last change
LEARNS_AFTER = 2  # turns taken back, until a way out is searched
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
    if public.proposal is not None:
        return _answer(public, public.proposal, seat)
    if len(public.tried) >= SPEAKS_UNTIL:
        return None
    wait = SPEAKS_AFTER * (1 + len(public.tried)) if _hopes(public, run) else DESPAIRS_AFTER
    time = run.since + wait + STEPS_IN_AFTER * ((seat - len(run.places)) % public.seats)
    if at.now < time:
        return Plan(None, time)
    matter = _turn(public, run, skill, at)
    return None if matter in public.tried else Plan(matter, time)


def _answer(public: Public, proposal: Proposal, seat: int) -> Plan[Move] | None:
    """Return when to agree, or to object where somebody does to what matters much; None when it has answered."""
    if seat in proposal.agreed or seat in proposal.objected:
        return None
    grave = _time_for(public.dungeon, proposal.matter)
    if proposal.objected and grave > FAIR_TIME:
        return Plan(Object(), proposal.at + FAIR_TIME)
    answered = len(proposal.agreed) + len(proposal.objected)
    return Plan(Agree(), proposal.at + (AGREES_AFTER if answered == public.seats - 1 else grave))


def _time_for(dungeon: Dungeon, matter: Matter) -> int:
    """Return how long people may think of a matter (ms)."""
    match matter:
        case GiveUp():
            return LONGEST_TIME
        case TakeBack():
            return LONG_TIME
        case Place():
            squares = line(matter.row, matter.col, matter.across, len(matter.word))
            return LONG_TIME if ground_of(dungeon).exit in squares else FAIR_TIME


def _turn(public: Public, run: Run, skill: int, at: Moment) -> Matter:
    dungeon, tried = public.dungeon, public.tried
    if _hopes(public, run):
        here = position(dungeon, run.places)
        far = _looks_far(run, skill)
        place = lead(dungeon, here, at, tried, search=far) if far or skill == 2 else None
        stuck = far and bool(run.places) and public.mode != "party"
        if place is None and not stuck:
            place = suggest(dungeon, here, skill, at, tried)
        if place is not None:
            return place
        if run.places and TakeBack() not in tried:
            return TakeBack()
    return GiveUp()


def _looks_far(run: Run, skill: int) -> bool:
    backs = (run.changes - len(run.places)) // 2
    return skill > 0 and backs >= LEARNS_AFTER


def _hopes(public: Public, run: Run) -> bool:
    return run.changes < _PATIENCE * public.dungeon.turns
