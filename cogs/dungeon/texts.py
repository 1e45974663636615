"""What is said of a run through a dungeon: what a turn did, how it stands and ended, how a race and a party go, what happened.

All of it is made of views and events as their reader may know them, so it holds no letter that is not the reader's to see.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.crossword import line
from bot.games.dungeon.ground import Position
from bot.games.dungeon.placement import Strikes, deeds, ground_of, laid, open_conditions, position
from bot.games.dungeon.rules import majority
from bot.games.dungeon.scoring import bonus, medal, medals, tally
from bot.games.dungeon.state import (
    Agreed,
    Carried,
    Deeds,
    Dropped,
    Dungeon,
    Ended,
    Event,
    Finished,
    GaveUp,
    GiveUp,
    Hinted,
    Left,
    Matter,
    Objected,
    Place,
    Placed,
    Progress,
    Proposed,
    Public,
    Run,
    TakeBack,
    TimeRanOut,
    TookBack,
    View,
    Withdrew,
)
from bot.tables.wording import capital, counted, cut, listed, when
from cogs.grid import spot

HOW = {"gave_up": "gave up", "time": "was still inside when time was up"}


def signed(points: int) -> str:
    """Return points as a gain or a loss: ``+2``."""
    return f"+{points}" if points >= 0 else f"−{-points}"


def place_of(place: Place) -> str:
    """Return where a word lies: ``D3 across``."""
    return spot((place.row, place.col), place.across)


def lies(place: Place) -> str:
    """Return a word with its place: ``**HELPER** at D3 across``."""
    return f"**{place.word}** at {place_of(place)}"


# A turn


def turn_text(done: Deeds) -> str:
    """Return what a turn did: its word and place, then what came of it."""
    more = done.words[1:]
    head = lies(done.place) + (f", with {listed(more)}" if more else "")
    parts = [head, *outcome(done)]
    return f"{'; '.join(parts)}."


def effect(done: Deeds, *, strikes: bool = True) -> str:
    """Return what a word that is not laid yet would do beside standing there, or nothing; ``strikes``: those, too."""
    more = [f"with {listed(done.words[1:])}"] if done.words[1:] else []
    said = "; ".join([*more, *outcome(done, strikes=strikes)])
    return capital(said)


def effect_line(done: Deeds, strikable: int = 0) -> str:
    """Return what a word would do in the few words of a menu's line; ``strikable``: letters that it could strike, too."""
    strikes = f"can strike {counted(strikable, 'letter')}" if strikable else ""
    return cut(capital("; ".join(part for part in (effect(done), strikes) if part)) or "Takes nothing", 100)


def outcome(done: Deeds, *, strikes: bool = True) -> tuple[str, ...]:
    """Return what came of a turn, a part of a sentence each; ``strikes``: whom it struck, too."""
    parts = []
    if done.chests:
        parts.append(f"takes {'chest' if len(done.chests) == 1 else 'chests'} {listed(done.chests)}")
    if done.keys:
        parts.append(f"takes {'key' if len(done.keys) == 1 else 'keys'} {listed(done.keys)}")
    if done.doors:
        parts.append(f"opens the door with {listed(done.doors)}")
    if done.gems:
        parts.append(f"{counted(done.gems, 'gem')} in all")
    hits = [f"{name} {letters}" for name, letters in done.struck]
    if hits and strikes:
        parts.append(f"strikes {listed(hits)}")
    if done.killed:
        parts.append(f"kills the {listed(done.killed)}")
    if done.points:
        parts.append(f"{signed(done.points)} {'point' if abs(done.points) == 1 else 'points'}")
    return tuple(parts)


def strikes_text(here: Position, strikes: Strikes) -> str:
    """Return strikes as players read them: ``GIANT AN, OGRE O (dead)``."""
    hits = []
    for number, count in enumerate(strikes):
        if count:
            rest = here.rest(number)
            dead = " (dead)" if count == len(rest) else ""
            hits.append(f"{here.ground.monsters[number].name} {rest[:count]}{dead}")
    return ", ".join(hits) or "nobody"


def last_turn(dungeon: Dungeon, places: tuple[Place, ...]) -> str:
    """Return what the latest turn did."""
    latest = laid(position(dungeon, places[:-1]), places[-1])
    return turn_text(deeds(dungeon, latest, places[-1]))


def matter_text(dungeon: Dungeon, here: Position, matter: Matter) -> str:
    """Return what is before a party, as it follows *proposes*."""
    match matter:
        case Place():
            hits = strikes_text(here, matter.strikes) if matter.strikes and any(matter.strikes) else ""
            return lies(matter) + (f", striking {hits}" if hits else "")
        case TakeBack():
            return "to take the last turn back"
        case GiveUp():
            return "to give up"


# A hint


def leaves(dungeon: Dungeon, place: Place) -> bool:
    """Return whether a word reaches the exit."""
    return ground_of(dungeon).exit in line(place.row, place.col, place.across, len(place.word))


def hint_text(dungeon: Dungeon, here: Position, place: Place) -> str:
    """Return a hint for who asked: the word, whether it leaves and with what, and what is left to choose."""
    open_ = place.strikes is None and bool(dungeon.monsters)
    deed = laid(here, place)
    wins = effect(deeds(dungeon, deed, place), strikes=False)
    lines = [f"**A hint:** {lies(place)}.{f' {wins}.' if wins else ''} The run is marked for it."]
    if leaves(dungeon, place):
        after = deed.after
        score = "" if open_ else f": {score_text(dungeon, tally(dungeon, after).base, bonus(dungeon, after))}"
        lines.append(f"This word leaves the dungeon, and that is final{score}.")
    if open_:
        lines.append("Whom it strikes is for you to choose.")
    return "\n".join(lines)


def no_hint(here: Position) -> str:
    """Return what is said when no good word is found."""
    if not here.turns:
        return "I find no word to begin with. Asking cost you nothing."
    return "I find no way out from here. Take a turn back and ask again, or trust a word of your own. Asking cost you nothing."


# How a run stands and ends


def standing(dungeon: Dungeon, run: Run) -> str:
    """Return turn and points of a run that goes on, and what keeps the exit shut."""
    here = position(dungeon, run.places)
    base = tally(dungeon, here).base
    taken = f"{here.turns} of {counted(dungeon.turns, 'turn')} taken"
    lines = [f"{taken} · worth {base} now, if you got out · par {dungeon.par}"]
    if here.held:
        lines.append(f"Keys in hand: {listed(here.held)}.")
    shut = open_conditions(dungeon, here)
    if shut:
        lines.append(f"The exit is shut: {listed(shut)}.")
    said = [said for rule in dungeon.rules if (said := rule.standing(here)) is not None]
    if said:
        lines.append(" ".join(said))
    return "\n".join(lines)


def escaped(run: Run | None) -> bool:
    """Whether a run has reached the exit."""
    return run is not None and run.ended is not None and run.ended.how == "out"


def ended_text(dungeon: Dungeon, ended: Ended, who: str = "You", hints: int = 0) -> str:
    """Return how a run ended, as a sentence: ``You escaped in 4 turns: 9 + 2 = **11 points**, silver.``"""
    if ended.how != "out":
        verb = HOW[ended.how] if who != "You" else HOW[ended.how].replace("was", "were")
        return f"{who} {verb}: 0 points{hinted(hints)}."
    score = score_text(dungeon, ended.base, ended.bonus)
    return f"{who} escaped in {counted(ended.turns, 'turn')}: {score}{hinted(hints)}."


def result_text(dungeon: Dungeon, ended: Ended, hints: int, who: str = "You") -> str:
    """Return how a run ended, and on a line of its own what its points are for and the next medal would have taken."""
    told = ended_text(dungeon, ended, who, hints)
    return f"{told}\n-# {points_text(dungeon, ended)}" if ended.how == "out" else told


def points_text(dungeon: Dungeon, ended: Ended) -> str:
    """Return what the points of a run that reached the exit are for: ``11 for the dungeon; 2 for turns left.``"""
    left = dungeon.turns - ended.turns
    long = ended.bonus - left
    parts = [f"{ended.base} for the dungeon"]
    parts += [f"{left} for {counted(left, 'turn')} left"] if left else []
    parts += [f"{long} for long words"] if long else []
    missed = next(((name, points) for name, points in medals(dungeon).items() if points > ended.base), None)
    medal = "" if missed is None else f" Medals go by the dungeon’s alone; {missed[0]} needs {missed[1]}."
    return f"{listed(parts)}.{medal}"


def score_text(dungeon: Dungeon, base: int, extra: int) -> str:
    """Return ``9 + 2 = 11 points, silver``."""
    return _sum(base, extra, medal(dungeon, base))


def _sum(base: int, extra: int, earned: str | None) -> str:
    total = counted(base + extra, "point")
    return f"{base} + {extra} = **{total}**" + (f", {earned}" if earned else "")


def hinted(hints: int) -> str:
    """Return how many hints a run took, or nothing."""
    return f" ({counted(hints, 'hint')})" if hints else ""


def words_of(run: Run) -> str:
    """Return the words of a run in the order laid."""
    return ", ".join(place.word for place in run.places) or "No word"


# A race


def ranked(progress: Sequence[Progress]) -> list[tuple[int, int]]:
    """Return (rank from 1, seat) of a race, the best first; who is equal in everything shares a rank."""

    def key(seat: int) -> tuple[int, int, int, int]:
        ended = progress[seat].ended
        if ended is None or ended.how != "out":
            return (1, 0, 0, 0)
        return (0, -ended.score, ended.turns, ended.at)

    order = sorted(range(len(progress)), key=lambda seat: (key(seat), seat))
    ranks: list[tuple[int, int]] = []
    for at, seat in enumerate(order):
        tied = at > 0 and key(seat) == key(order[at - 1])
        ranks.append((ranks[-1][0] if tied else at + 1, seat))
    return ranks


def ranking(view: View, names: Sequence[str]) -> str:
    """Return the ranks of a race with the words that were laid, a line a player; none where nobody may see them."""
    dungeon = view.public.dungeon
    lines = []
    for rank, seat in ranked(view.progress):
        progress = view.progress[seat]
        assert progress.ended is not None
        place = f"{rank}." if progress.ended.how == "out" else "—"  # who did not escape has no rank
        line = f"{place} {ended_text(dungeon, progress.ended, f'**{names[seat]}**', progress.hints)}"
        if view.runs is not None:
            line += f" {words_of(view.runs[seat])}."
        lines.append(cut(line, 380))
    return "\n".join(lines)


def inside(view: View, names: Sequence[str]) -> str:
    """Return the names of those who have not ended their run."""
    return listed(names[seat] for seat, one in enumerate(view.progress) if one.ended is None)


def progress_text(view: View, names: Sequence[str]) -> str:
    """Return how far everybody has come, without a letter."""
    dungeon = view.public.dungeon
    parts = []
    for seat, one in enumerate(view.progress):
        if one.ended is None:
            said = f"{one.turns} of {counted(dungeon.turns, 'turn')}"
        elif one.ended.how == "out":
            said = f"escaped with {score_text(dungeon, one.ended.base, one.ended.bonus).replace('*', '')}"
        else:
            said = HOW[one.ended.how]
        parts.append(f"{names[seat]}: {said}{hinted(one.hints)}")
    return f"{'; '.join(parts)}."


def clock_text(public: Public, due: int | None) -> str:
    """Return when a race ends."""
    return f"The race ends{when(due)}." if due is not None else ""


# A party


def proposal_text(public: Public, here: Position, names: Sequence[str]) -> str:
    """Return what is before a party and how it stands."""
    proposal = public.proposal
    assert proposal is not None
    lines = [
        f"**Before the party:** {names[proposal.seat]} proposes {matter_text(public.dungeon, here, proposal.matter)}."
    ]
    if isinstance(proposal.matter, Place):
        deed = deeds(public.dungeon, laid(here, proposal.matter), proposal.matter)
        said = effect(deed, strikes=False)  # the matter names whom it strikes
        if said:
            lines.append(f"{said}.")
    missing = majority(public.seats) - len(proposal.agreed)
    agree = f"{listed(names[seat] for seat in proposal.agreed)} {'agrees' if len(proposal.agreed) == 1 else 'agree'}"
    lines.append(f"{agree}; {missing} more {'is' if missing == 1 else 'are'} needed.")
    if proposal.objected:
        lines.append(f"Against it: {listed(names[seat] for seat in proposal.objected)}.")
    return "\n".join(lines)


# Events


def say(event: Event, names: Sequence[str], dungeon: Dungeon | None = None) -> str | None:
    """Return an event as a sentence, or None when the board says it already; a hint that leaves ``dungeon`` says so."""
    match event:
        case Placed(deeds=None):
            return f"{names[event.seat]} takes turn {event.turn}."
        case Placed(deeds=Deeds() as known):
            return f"{names[event.seat]}, turn {event.turn}: {turn_text(known)}"
        case TookBack(place=None):
            return f"{names[event.seat]} takes turn {event.turn} back."
        case TookBack(place=Place() as place):
            return f"{names[event.seat]} takes turn {event.turn} back: {place.word}."
        case Hinted():
            return _hint(event, names, dungeon)
        case Left():
            score = _sum(event.base, event.bonus, event.medal)
            return f"{names[event.seat]} escapes in turn {event.turns}: {score}."
        case GaveUp():
            return f"{names[event.seat]} gives up."
        case TimeRanOut():
            who = listed(names[seat] for seat in event.seats)
            return f"Time is up; {who} {'is' if len(event.seats) == 1 else 'are'} still inside."
        case Objected():
            return f"{names[event.seat]} objects."
        case Withdrew():
            return f"{names[event.seat]} takes the proposal back."
        case Dropped():
            return "No majority can come about any more, so the proposal is dropped."
        case Proposed() | Agreed() | Carried() | Finished() | Placed() | TookBack():
            return None


def record(event: Event, names: Sequence[str]) -> str | None:
    """Return an event as the log tells it, or None when another event of its move says it."""
    match event:
        case Proposed(matter=Place() as place):
            return f"{names[event.seat]} proposes {lies(place)}."
        case Proposed(matter=TakeBack()):
            return f"{names[event.seat]} proposes to take the last turn back."
        case Proposed():
            return f"{names[event.seat]} proposes to give up."
        case Agreed():
            return f"{names[event.seat]} agrees."
        case _:
            return say(event, names)


def _hint(event: Hinted, names: Sequence[str], dungeon: Dungeon | None) -> str:
    if event.place is not None:
        out = dungeon is not None and leaves(dungeon, event.place)
        last = " It leaves the dungeon, and that is final." if out else ""
        return f"{names[event.seat]} asks for a hint: {lies(event.place)}.{last}"
    none = " I find no way on from here." if event.shared else ""
    return f"{names[event.seat]} asks for a hint.{none}"
