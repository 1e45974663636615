"""Word Dungeon: the rules of the table: solo, party and race.

Rulebook: all of it; what may be laid is in ``placement``, what lies where in ``ground``, a dungeon's own rules in ``bylaws``,
points in ``scoring``, what is hidden in ``views``.

Beyond the rulebook:

- *Solo* is one seat, *race* gives each seat a private copy of the dungeon and ends when all have left, or when time is up;
  who is inside then scores 0. Race: best score, then fewest turns, then first to leave.
- *Party*: one map, and whatever a seat wants to do is a proposal. It stands when a majority of the seats agrees, and falls as
  soon as none can come about. The latest proposal replaces an open one. Silence is no consent. What several have carried no
  seat undoes alone; a turn is taken back by another proposal. A daily dungeon is no party's, whose map everybody sees.
- Words are laid without looking back at the exit: the turn that fills it leaves, if the dungeon's conditions hold, and
  leaving is final. The last turn has to leave. Until then turns may be taken back, as many as one likes; a hint stays on
  record all the same, unless nothing was found.
- Giving up, like time that ran out, scores 0. A party that its people end has lost; a solo or a race has no result then, but
  whoever had left such a race keeps the record of it.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec.structs import replace

from bot.games.chance import Chance
from bot.games.dungeon import automaton, views
from bot.games.dungeon.dungeons import DUNGEONS, BadDungeon, checked, without_route
from bot.games.dungeon.placement import StrikesTied, check, deeds, position
from bot.games.dungeon.planning import hint
from bot.games.dungeon.scoring import bonus, medal, tally
from bot.games.dungeon.state import (
    LIVE_MINUTES,
    LONGEST_RACE,
    MOST_SEATS,
    SLOW_MINUTES,
    Agree,
    Agreed,
    Carried,
    Dropped,
    Dungeon,
    Ended,
    Event,
    Finished,
    GaveUp,
    GiveUp,
    Hint,
    Hinted,
    Left,
    Matter,
    Medal,
    Move,
    Object,
    Objected,
    Options,
    Place,
    Placed,
    Proposal,
    Proposed,
    Public,
    Run,
    State,
    TakeBack,
    TimeRanOut,
    TookBack,
    View,
    Withdraw,
    Withdrew,
)
from bot.games.game import Codec, Game, IllegalMove, Moment, Plan, Record, Result, Turn, Undo, epoch_of
from bot.games.proposal import agreed, asked, check_withdrawal, objected, shelved, silent

_MINUTE = 60_000  # ms
MEDALS: tuple[Medal | None, ...] = (None, "bronze", "silver", "gold")  # as a record's detail counts them
_SEATS = {
    "auto": range(1, MOST_SEATS + 1),
    "solo": range(1, 2),
    "party": range(1, MOST_SEATS + 1),
    "race": range(2, MOST_SEATS + 1),
}


# The deal


def _deal(seats: int, options: Options, at: Moment) -> State:
    if seats not in _SEATS[options.mode]:
        raise IllegalMove("A solo has one player, a party up to eight, a race two to eight.")
    if not 0 <= options.minutes <= LONGEST_RACE:
        raise IllegalMove("A race takes at most seven days.")
    if options.daily and not re.fullmatch(r"\d{4}-\d\d-\d\d", options.daily):
        raise IllegalMove("A daily dungeon has a date, such as 2030-01-31.")
    mode = _mode(options, seats)
    if options.daily and mode == "party":
        raise IllegalMove(
            "The daily dungeon is for one player, or for a race: a party’s map is open to everyone."
        )
    minutes = options.minutes or (LIVE_MINUTES if options.pace == "live" else SLOW_MINUTES)
    public = Public(
        seats=seats,
        mode=mode,
        dungeon=without_route(_dungeon(options, at)),
        daily=options.daily,
        ends=at.now + minutes * _MINUTE if mode == "race" else None,
    )
    return State(public, (Run(since=at.now),) * (seats if mode == "race" else 1))


def _mode(options: Options, seats: int) -> Literal["solo", "party", "race"]:
    if options.mode == "auto":
        return "solo" if seats == 1 else "race"
    return options.mode


def _dungeon(options: Options, at: Moment) -> Dungeon:
    if options.custom is not None:
        try:
            return checked(options.custom)
        except BadDungeon as bad:
            raise IllegalMove(f"That dungeon cannot be played: {bad.reason}.") from bad
    if options.dungeon == "any":
        return at.chance.pick(tuple(DUNGEONS.values()))
    if options.dungeon == "easy":
        return at.chance.pick(tuple(dungeon for dungeon in DUNGEONS.values() if dungeon.tier == 1))
    found = DUNGEONS.get(options.dungeon)
    if found is None:
        raise IllegalMove("There is no dungeon of that name.")
    return found


# One's own way, or the party's


def _act(state: State, seat: int, matter: Matter | Hint, at: Moment, told: list[Event]) -> tuple[State, bool]:
    """Return the state after a turn, a turn back, a hint or giving up, and whether it is final."""
    run = state.run_of(seat)
    if run.ended is not None:
        raise IllegalMove("You are no longer in the dungeon.")
    match matter:
        case Place():
            return _place(state, seat, run, matter, at, told)
        case TakeBack():
            return _take_back(state, seat, run, at, told), False
        case GiveUp():
            told.append(GaveUp(seat))
            ended = Ended("gave_up", at.now, len(run.places))
            return _finish(_with_run(state, seat, replace(run, ended=ended)), told), True
        case Hint():
            return _hint(state, seat, run, matter, at, told), True


def _place(
    state: State, seat: int, run: Run, place: Place, at: Moment, told: list[Event]
) -> tuple[State, bool]:
    public, dungeon = state.public, state.public.dungeon
    deed = check(dungeon, position(dungeon, run.places), place, at.words)
    place = replace(place, strikes=deed.struck if dungeon.monsters else None)
    places = (*run.places, place)
    told.append(Placed(seat, len(places), deeds(dungeon, deed, place), public.mode == "party"))
    run = replace(run, places=places, since=at.now, changes=run.changes + 1)
    if not deed.after.out:
        return _with_run(state, seat, run), False
    base, extra = tally(dungeon, deed.after).base, bonus(dungeon, deed.after)
    told.append(Left(seat, len(places), base, extra, medal(dungeon, base)))
    ended = Ended("out", at.now, len(places), base, extra)
    return _finish(_with_run(state, seat, replace(run, ended=ended)), told), True


def _take_back(state: State, seat: int, run: Run, at: Moment, told: list[Event]) -> State:
    if not run.places:
        raise IllegalMove("There is no turn to take back.")
    told.append(TookBack(seat, len(run.places), run.places[-1], state.public.mode == "party"))
    run = replace(run, places=run.places[:-1], since=at.now, changes=run.changes + 1)
    return _with_run(state, seat, run)


def _hint(state: State, seat: int, run: Run, move: Hint, at: Moment, told: list[Event]) -> State:
    _check_hint(state, run, move, at)
    told.append(Hinted(seat, move.place, state.public.mode == "party"))
    if move.place is None:
        return state
    return _with_run(state, seat, replace(run, hints=run.hints + 1))


def _check_hint(state: State, run: Run, move: Hint, at: Moment) -> None:
    if move.place is None:
        return
    dungeon = state.public.dungeon
    try:
        check(dungeon, position(dungeon, run.places), move.place, at.words)
    except StrikesTied:
        return  # a hint leaves that choice to the player


def _finish(state: State, told: list[Event]) -> State:
    if any(run.ended is None for run in state.runs):
        return state
    state = replace(state, public=replace(state.public, over=True, proposal=None))
    result = _result(state)
    told.append(Finished(result.scores, result.winners))
    return state


def _with_run(state: State, seat: int, run: Run) -> State:
    at = seat if state.public.mode == "race" else 0
    return replace(state, runs=(*state.runs[:at], run, *state.runs[at + 1 :]))


# A party agrees


def majority(seats: int) -> int:
    """Return how many seats have to agree: more than half."""
    return seats // 2 + 1


def _propose(state: State, seat: int, matter: Matter, at: Moment, told: list[Event]) -> tuple[State, bool]:
    public = state.public
    matter = _checked_matter(state, matter, at)
    if public.proposal is not None and public.proposal.matter == matter:
        raise IllegalMove("That is before the party already.")
    told.append(Proposed(seat, matter))
    proposal = Proposal(seat, matter, at.now, agreed=(seat,))
    public = replace(_shelved(public), proposal=proposal)
    return _settled(replace(state, public=public), at, told)


def _checked_matter(state: State, matter: Matter, at: Moment) -> Matter:
    """Return the matter with its strikes chosen; raises IllegalMove for what could not be carried out."""
    after, _ = _act(state, 0, matter, at, [])
    return after.runs[0].places[-1] if isinstance(matter, Place) else matter


def _open(public: Public) -> Proposal:
    if public.proposal is None:
        raise IllegalMove("Nothing is before the party.")
    return public.proposal


def _agree(state: State, seat: int, at: Moment, told: list[Event]) -> tuple[State, bool]:
    proposal = agreed(_open(state.public), seat)
    told.append(Agreed(seat))
    return _settled(_with_proposal(state, proposal), at, told)


def _object(state: State, seat: int, at: Moment, told: list[Event]) -> tuple[State, bool]:
    proposal = objected(_open(state.public), seat)
    told.append(Objected(seat))
    return _settled(_with_proposal(state, proposal), at, told)


def _withdraw(state: State, seat: int, told: list[Event]) -> State:
    check_withdrawal(_open(state.public), seat)
    told.append(Withdrew(seat))
    return replace(state, public=_shelved(state.public))


def _settled(state: State, at: Moment, told: list[Event]) -> tuple[State, bool]:
    """Carry the open proposal out or drop it, once that is decided."""
    public = state.public
    proposal = _open(public)
    needed = majority(public.seats)
    if len(proposal.agreed) >= needed:
        told.append(Carried())
        state = replace(state, public=replace(public, proposal=None, tried=()))
        return _act(state, proposal.seat, proposal.matter, at, told)
    if public.seats - len(proposal.objected) < needed:
        told.append(Dropped())
        return replace(state, public=_shelved(public)), False
    return state, False


def _shelved(public: Public) -> Public:
    return replace(public, proposal=None, tried=shelved(public.tried, public.proposal))


def _with_proposal(state: State, proposal: Proposal) -> State:
    return replace(state, public=replace(state.public, proposal=proposal))


def _in_party(state: State, seat: int, move: Move, at: Moment, told: list[Event]) -> tuple[State, bool]:
    match move:
        case Agree():
            return _agree(state, seat, at, told)
        case Object():
            return _object(state, seat, at, told)
        case Withdraw():
            return _withdraw(state, seat, told), False
        case Hint():
            return _act(state, seat, move, at, told)
        case _:
            return _propose(state, seat, move, at, told)


# The end


def _result(state: State) -> Result:
    ended = [run.ended for run in state.runs if run.ended is not None]
    if state.public.mode != "race":
        return Result(won=ended[0].how == "out", scores=(ended[0].score,) * state.public.seats)
    out = {seat: (one.score, -one.turns, -one.at) for seat, one in enumerate(ended) if one.how == "out"}
    best = max(out.values(), default=None)
    winners = tuple(seat for seat, rank in out.items() if rank == best)
    return Result(scores=tuple(one.score for one in ended), winners=winners)


def course(public: Public) -> str | None:
    """Return the list of the best in which runs through this dungeon stand, or None: it is in none.

    ``daily/2030-01-31``, or ``dungeon/`` and the key of one that is shipped as it lies on the table. A party is in none.
    """
    if public.mode == "party":
        return None
    if public.daily:
        return f"daily/{public.daily}"
    shipped = DUNGEONS.get(public.dungeon.key)
    if shipped is None or without_route(shipped) != public.dungeon:
        return None
    return f"dungeon/{shipped.key}"


def _record(state: State, seat: int, run: Run, course: str) -> Record:
    ended = run.ended or Ended("gave_up", run.since, len(run.places))
    detail = {
        "base": ended.base,
        "bonus": ended.bonus,
        "hints": run.hints,
        "out": int(ended.how == "out"),
        "medal": MEDALS.index(medal(state.public.dungeon, ended.base)),
    }
    return Record(seat, course, ended.score, ended.turns, detail)


class WordDungeon(Game[State, Move, View, Event, Options]):
    """Word Dungeon under the contract of a game."""

    key = "dungeon"
    title = "Word Dungeon"
    version = 1
    states = Codec(State)
    moves = Codec(Move)
    events = Codec(tuple[Event, ...])
    options = Codec(Options)

    def seats(self, options: Options) -> range:
        """Return the possible numbers of seats for the mode."""
        return _SEATS[options.mode]

    def deal(self, seats: int, options: Options, at: Moment) -> State:
        """Return the dungeon before its first turn; raises IllegalMove for options that do not go together."""
        return _deal(seats, options, at)

    def play(self, state: State, seat: int | None, move: Move, at: Moment) -> Turn[State, Event]:
        """Return what the move leads to; raises IllegalMove with a sentence for the player."""
        public = state.public
        if public.over:
            raise IllegalMove("This dungeon is done.")
        if seat is None:
            raise IllegalMove("Only a seated player can do that.")
        if not 0 <= seat < public.seats:
            raise IllegalMove("There is no such seat at this table.")
        told: list[Event] = []
        undo: Undo = "next" if public.mode == "party" else "own"
        if public.mode == "party":
            after, final = _in_party(state, seat, move, at, told)
        elif isinstance(move, Agree | Object | Withdraw):
            raise IllegalMove("Only a party has proposals.")
        else:
            after, final = _act(state, seat, move, at, told)
        carried = public.seats > 1 and any(isinstance(event, Carried) for event in told)
        return Turn(after, tuple(told), "never" if final or carried else undo)

    def expire(self, state: State, at: Moment) -> Turn[State, Event]:
        """End the race: who is inside scores nothing."""
        due = self.due(state)
        if due is None or at.now < due:
            raise IllegalMove("Nothing is due yet.")
        late = tuple(seat for seat, run in enumerate(state.runs) if run.ended is None)
        told: list[Event] = [TimeRanOut(late)]
        runs = tuple(
            run if run.ended is not None else replace(run, ended=Ended("time", at.now, len(run.places)))
            for run in state.runs
        )
        return Turn(_finish(replace(state, runs=runs), told), tuple(told))

    def due(self, state: State) -> int | None:
        """Return when a race's time is up (ms)."""
        return None if state.public.over else state.public.ends

    def awaited(self, state: State) -> frozenset[int]:
        """Return who is in the dungeon, or, in a party, who has yet to answer a proposal."""
        public = state.public
        if public.over:
            return frozenset()
        everyone = frozenset(range(public.seats))
        if public.mode == "race":
            return frozenset(seat for seat in everyone if state.runs[seat].ended is None)
        return silent(public.proposal, public.seats) or everyone

    def epoch(self, state: State, seat: int | None) -> int:
        """Return a number that others' turns in a race, agreements and objections do not change."""
        public = state.public
        shared = public.mode == "party"
        run = state.runs[0] if shared else None if seat is None else state.run_of(seat)
        may = (
            public.over,
            run and (run.places, run.ended is None),
            *asked(public.proposal, seat),
        )
        return epoch_of(may)

    def seen_by(self, state: State, seat: int | None) -> View:
        """Return what the seat, or everyone, may know."""
        return views.seen_by(state, seat)

    def heard_by(self, event: Event, seat: int | None) -> Event | None:
        """Return the event without words that only its own seat may know."""
        return views.heard_by(event, seat)

    def imagine(self, view: View, seat: int | None, chance: Chance) -> State:
        """Return some state that shows the viewer the same."""
        return views.imagine(view, seat, chance)

    def result(self, state: State) -> Result | None:
        """Return the scores, and who won a race or whether solo or party left, once all have ended."""
        return _result(state) if state.public.over else None

    def forfeit(self, state: State) -> Result | None:
        """Return a loss for a party that has taken a turn; else None: a solo or a race has no result before its end."""
        begun = state.public.mode == "party" and state.runs[0].changes > 0
        return Result(won=False, scores=(0,) * state.public.seats) if begun else None

    def records(self, state: State) -> tuple[Record, ...]:
        """Return the runs that reached the exit, for the lists of the best, also of a race that others had not left.

        Leaving is final, so ending the table takes no finished run from anybody. A daily dungeon's run counts however it ends, so that nobody looks around in one attempt and leaves in the next:
        without the exit it scores 0, also when its table is ended, which is what one that goes on is taken for.
        """
        listed = course(state.public)
        if listed is None:
            return ()
        return tuple(
            _record(state, seat, run, listed)
            for seat, run in enumerate(state.runs)
            if state.public.daily or (run.ended is not None and run.ended.how == "out")
        )

    def standard_words(self, options: Options, seats: int) -> bool:
        """Whether such a table is played with the shipped lexicon alone: its runs are compared with others'."""
        return _mode(options, seats) != "party"

    def choose(self, view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
        """Return what the automaton in ``seat`` wants to do, and when."""
        return automaton.choose(view, seat, skill, at)

    def search(self, verb: str, view: View, seat: int, at: Moment) -> Place | None:
        """Return a word for ``verb`` hint, or None when none is found; raises ValueError for other verbs."""
        if verb != "hint":
            raise ValueError(f"{self.key} looks nothing up for {verb!r}")
        if view.run is None or view.run.ended is not None:
            return None
        dungeon = view.public.dungeon
        return hint(dungeon, position(dungeon, view.run.places), at)


DUNGEON = WordDungeon()
