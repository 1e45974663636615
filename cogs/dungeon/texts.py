"""What is said of a dungeon: its map in words, what a turn did, how a run stands and ended, what is worth what.

All of it is made of views and events as their reader may know them, so it holds no letter that is not the reader's to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.crossword import Square, line, square_name
from bot.games.dungeon.ground import Position
from bot.games.dungeon.placement import Strikes, deeds, ground_of, laid, open_conditions, position
from bot.games.dungeon.scoring import LONG, bonus, medal, medals, tally
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
from bot.tables.face import LIMITS
from cogs.wording import counted, cut, listed, spot, when

TIERS = {1: "Doorstep", 2: "Cellars", 3: "Vaults", 4: "The deep"}
_APOSTROPHES = str.maketrans("", "", "'’‘ʼ`´")
HOW = {"gave_up": "gave up", "time": "was still inside when time was up"}


def folded(name: str) -> str:
    """Return a dungeon's name as it is compared with what people type: in any case, with or without apostrophes."""
    return name.strip().casefold().translate(_APOSTROPHES)


def signed(points: int) -> str:
    """Return points as a gain or a loss: ``+2``."""
    return f"+{points}" if points >= 0 else f"−{-points}"


def lies(place: Place) -> str:
    """Return a word with its place: ``**HELPER** at D3 across``."""
    return f"**{place.word}** at {spot((place.row, place.col), place.across)}"


def facts(dungeon: Dungeon) -> str:
    """Return tier, turns and par in a few words."""
    return f"tier {dungeon.tier} · {counted(dungeon.turns, 'turn')} · par {dungeon.par}"


def about(dungeon: Dungeon) -> str:
    """Return turns, par and what a dungeon teaches, short enough for a line of a menu."""
    return cut(f"{counted(dungeon.turns, 'turn')}, par {dungeon.par}. {dungeon.teaches}".rstrip(), 100)


# The dungeon itself


def worth(dungeon: Dungeon) -> str:
    """Return what is worth points, as a sentence."""
    scoring, ground = dungeon.scoring, ground_of(dungeon)
    parts = [("the exit", scoring.leave)] if scoring.leave else []
    each = (
        ("chest", scoring.chest, ground.chests),
        ("gem", scoring.gem, ground.gems),
        ("key", scoring.key, ground.keys),
        ("door", scoring.door, ground.doors),
    )
    parts += [(f"each {name}", points) for name, points, there in each if points and there]
    parts += [(monster.name, monster.coin) for monster in dungeon.monsters]
    if not parts:
        return "Nothing here is worth points but what its rules say."
    (first, points), *rest = parts
    text = listed(
        [f"{first} is worth {counted(points, 'point')}", *(f"{name} {worth}" for name, worth in rest)]
    )
    return f"{text[:1].upper()}{text[1:]}."


def own_rules(dungeon: Dungeon) -> tuple[str, ...]:
    """Return the dungeon's own rules, a sentence each."""
    return tuple(rule.told() for rule in dungeon.rules)


def things(dungeon: Dungeon) -> tuple[str, ...]:
    """Return how to deal with what lies on this map, a sentence or two for each kind of thing."""
    ground = ground_of(dungeon)
    told = (
        ("**Chest**: make its letter part of a word.", ground.chests),
        ("**Gem**: put a letter on it that stands on no other gem.", ground.gems),
        ("**Key** and **door**: a key takes the letter that you put on it, and opens one door to that letter.", ground.keys or ground.doors),
        (striking(dungeon), dungeon.monsters),
    )  # fmt: skip
    return tuple(text for text, there in told if there)


def striking(dungeon: Dungeon) -> str:
    """Return how the dungeon's monsters are struck, by the first one's name, or nothing where there are none."""
    if not dungeon.monsters:
        return ""
    name = dungeon.monsters[0].name
    first = f"first {name[0]}, then {name[1]}" if len(name) > 1 else name
    return (
        f"**Monster**: each letter that a turn newly places can strike the next one of its name ({name}: {first}"
        " and so on). With its name struck off it is dead, and its coin is yours."
    )


def marks(dungeon: Dungeon) -> str:
    """Return what the marks on the map are, as a sentence, or nothing."""
    return (
        f"On the map: {', '.join(f'{mark.mark} {mark.name}' for mark in dungeon.legend)}."
        if dungeon.legend
        else ""
    )


def sheet(dungeon: Dungeon) -> str:
    """Return all that is special about a dungeon."""
    lines = [
        f"*{dungeon.story}*",
        f"**{cut(facts(dungeon).capitalize(), 80)}**",
        worth(dungeon),
        f"Medals, before the bonus: {wanted(dungeon)}. The **bonus** is 1 for each turn left and 2 for each word of {LONG} letters or more.",
        *(f"- {rule}" for rule in own_rules(dungeon)),
        *(f"- {thing}" for thing in things(dungeon)),
        marks(dungeon),
    ]
    return "\n".join(line for line in lines if line)


def wanted(dungeon: Dungeon) -> str:
    """Return what each medal takes, once for equal numbers: ``bronze 2, gold 3``."""
    best = {points: name for name, points in medals(dungeon).items()}
    return ", ".join(f"{name} {points}" for points, name in best.items())


def medal_text(dungeon: Dungeon, base: int) -> str:
    """Return what the next medal would have taken, as a sentence; nothing where there is none above."""
    missed = next(((name, points) for name, points in medals(dungeon).items() if points > base), None)
    if missed is None:
        return ""
    return f"{counted(base, 'point')} before the bonus; {missed[0]} needs {missed[1]}."


# A turn


def turn_text(done: Deeds) -> str:
    """Return what a turn did: its word and place, then what came of it."""
    more = done.words[1:]
    head = lies(done.place) + (f", with {listed(more)}" if more else "")
    parts = [head, *outcome(done)]
    return f"{'; '.join(parts)}."


def outcome(done: Deeds) -> tuple[str, ...]:
    """Return what came of a turn, a part of a sentence each."""
    parts = []
    if done.chests:
        parts.append(f"takes {'chest' if len(done.chests) == 1 else 'chests'} {listed(done.chests)}")
    if done.keys:
        parts.append(f"takes {'key' if len(done.keys) == 1 else 'keys'} {listed(done.keys)}")
    if done.doors:
        parts.append(f"opens the door with {listed(done.doors)}")
    hits = [f"{name} {letters}" for name, letters in done.struck]
    if hits:
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
    return turn_text(done(dungeon, places))


def done(dungeon: Dungeon, places: tuple[Place, ...]) -> Deeds:
    """Return the latest turn for telling."""
    return deeds(dungeon, laid(position(dungeon, places[:-1]), places[-1]), places[-1])


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
    lines = [f"**A hint:** {lies(place)}. Your run is marked for it."]
    open_ = place.strikes is None and bool(dungeon.monsters)
    if leaves(dungeon, place):
        after = laid(here, place).after
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


# How a run stands


def standing(dungeon: Dungeon, run: Run) -> str:
    """Return turn and points of a run that goes on, and what keeps the exit shut."""
    here = position(dungeon, run.places)
    base = tally(dungeon, here).base
    taken = f"{here.turns} of {counted(dungeon.turns, 'turn')} taken"
    lines = [f"{taken} · {counted(base, 'point')} so far, if you reach the exit · par {dungeon.par}"]
    if here.held:
        lines.append(f"Keys in hand: {listed(here.held)}.")
    shut = open_conditions(dungeon, here)
    if shut:
        lines.append(f"The exit is shut: {listed(shut)}.")
    return "\n".join(lines)


def ended_text(dungeon: Dungeon, ended: Ended, who: str = "You") -> str:
    """Return how a run ended, as a sentence: ``You escaped in 4 turns: 9 + 2 = **11 points**, silver.``"""
    if ended.how != "out":
        verb = HOW[ended.how] if who != "You" else HOW[ended.how].replace("was", "were")
        return f"{who} {verb}: 0 points."
    return f"{who} escaped in {counted(ended.turns, 'turn')}: {score_text(dungeon, ended.base, ended.bonus)}."


def result_text(dungeon: Dungeon, ended: Ended, hints: int, who: str = "You") -> str:
    """Return how a run ended, and on a line of its own what the next medal would have taken."""
    missed = medal_text(dungeon, ended.base) if ended.how == "out" else ""
    told = f"{ended_text(dungeon, ended, who)}{hinted(hints)}"
    return f"{told}\n-# {missed}" if missed else told


def score_text(dungeon: Dungeon, base: int, extra: int) -> str:
    """Return ``9 + 2 = 11 points, silver``."""
    earned = medal(dungeon, base)
    total = counted(base + extra, "point")
    return f"{base} + {extra} = **{total}**" + (f", {earned}" if earned else "")


def words_of(run: Run) -> str:
    """Return the words of a run in the order laid."""
    return ", ".join(place.word for place in run.places) or "No word"


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
        line = f"{place} {ended_text(dungeon, progress.ended, f'**{names[seat]}**')}"
        if view.runs is not None:
            line += f" {words_of(view.runs[seat])}."
        lines.append(cut(line + hinted(progress.hints), 380))
    return "\n".join(lines)


def hinted(hints: int) -> str:
    """Return how many hints a run took, or nothing."""
    return f" ({counted(hints, 'hint')})" if hints else ""


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


# Events


def say(event: Event, names: Sequence[str], dungeon: Dungeon | None = None) -> str | None:
    """Return an event as a sentence, or None when the board says it already."""
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
            score = score_text(dungeon, event.base, event.bonus) if dungeon is not None else _score(event)
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


def _score(event: Left) -> str:
    earned = f", {event.medal}" if event.medal else ""
    return f"{event.base} + {event.bonus} = **{counted(event.base + event.bonus, 'point')}**{earned}"


def proposal_text(public: Public, here: Position, names: Sequence[str], majority: int) -> str:
    """Return what is before a party and how it stands."""
    proposal = public.proposal
    assert proposal is not None
    lines = [
        f"**Before the party:** {names[proposal.seat]} proposes {matter_text(public.dungeon, here, proposal.matter)}."
    ]
    if isinstance(proposal.matter, Place):
        deed = deeds(public.dungeon, laid(here, proposal.matter), proposal.matter)
        more = [f"with {listed(deed.words[1:])}"] if deed.words[1:] else []
        said = "; ".join([*more, *(part for part in outcome(deed) if not part.startswith("strikes"))])
        if said:
            lines.append(f"{said[0].upper()}{said[1:]}.")
    missing = majority - len(proposal.agreed)
    agree = f"{listed(names[seat] for seat in proposal.agreed)} {'agrees' if len(proposal.agreed) == 1 else 'agree'}"
    lines.append(f"{agree}; {missing} more {'is' if missing == 1 else 'are'} needed.")
    if proposal.objected:
        lines.append(f"Against it: {listed(names[seat] for seat in proposal.objected)}.")
    return "\n".join(lines)


def clock_text(public: Public, due: int | None) -> str:
    """Return when a race ends."""
    return f"The race ends{when(due)}." if due is not None else ""


# The map in words


def alt(view: View, names: Sequence[str]) -> str:
    """Return all that the board's picture shows, in at most 1,024 characters, most telling first."""
    public, run = view.public, view.run
    dungeon = public.dungeon
    here = position(dungeon, run.places if run is not None else ())
    parts = [f"{dungeon.name}, {facts(dungeon)}."]
    if run is not None:
        parts.append(_run(dungeon, run, here))
    if run is None or (public.mode == "race" and view.seat is None):
        parts.append(progress_text(view, names))
    if public.proposal is not None:
        parts.append(f"Proposed: {_plain(matter_text(dungeon, here, public.proposal.matter))}.")
    parts += _things(dungeon, here)
    parts.append(f"Start {square_name(here.ground.start)}, exit {square_name(here.ground.exit)}.")
    parts.append(f"Rows, # rock: {' '.join(_rows(here))}.")
    return cut(" ".join(part for part in parts if part), LIMITS["alt"])


def routes_alt(view: View, names: Sequence[str]) -> str:
    """Return what the picture of all routes shows."""
    dungeon = view.public.dungeon
    assert view.runs is not None
    lines = [f"{dungeon.name}: every route."]
    for seat, run in enumerate(view.runs):
        who = names[seat] if view.public.mode == "race" else listed(names)
        ended = "" if run.ended is None else _plain(ended_text(dungeon, run.ended, who))
        words = ", ".join(
            f"{place.word} {spot((place.row, place.col), place.across)}" for place in run.places
        )
        lines.append(cut(f"{ended} {words or 'No word'}.", max(60, 900 // len(view.runs))))
    return cut(" ".join(lines), LIMITS["alt"])


def shared_alt(view: View, name: str) -> str:
    """Return what a shared picture shows, which holds no letter."""
    dungeon, run = view.public.dungeon, view.run
    here = position(dungeon, run.places if run is not None else ())
    grid = "; ".join(
        "".join("#" if mark == "#" else "o" if (row, col) in here.laid or (row, col) in here.chests else "."
                for col, mark in enumerate(text))
        for row, text in enumerate(dungeon.rows)
    )  # fmt: skip
    ended = "" if run is None or run.ended is None else _plain(ended_text(dungeon, run.ended, name))
    day = f" of {view.public.daily}" if view.public.daily else ""
    return cut(
        f"The way of {name} through {dungeon.name}{day}, without letters. {ended} By rows: {grid}.",
        LIMITS["alt"],
    )


def _plain(text: str) -> str:
    return text.replace("*", "")


def _run(dungeon: Dungeon, run: Run, here: Position) -> str:
    words = ", ".join(f"{place.word} {spot((place.row, place.col), place.across)}" for place in run.places)
    score = tally(dungeon, here).base
    if run.ended is not None:
        state = _plain(ended_text(dungeon, run.ended, "This run"))
    else:
        state = f"{here.turns} of {counted(dungeon.turns, 'turn')} taken, {counted(score, 'point')} so far."
        shut = open_conditions(dungeon, here)
        state += f" Exit shut: {listed(shut)}." if shut else ""
    hints = f" {counted(run.hints, 'hint')}." if run.hints else ""
    return f"{state}{hints} Words: {words or 'none yet'}."


def _things(dungeon: Dungeon, here: Position) -> list[str]:
    """Return a sentence for each kind of thing that lies in the dungeon."""
    ground = here.ground
    parts = []
    for monster, struck in zip(ground.monsters, here.struck, strict=True):
        left = monster.name[struck:] or "nothing"
        how = f"{left} left" if struck else "unhurt"
        parts.append(f"{monster.name}, coin {monster.coin}: {how}.")
    parts += _kind(
        "Chests",
        ((at, f"{letter}{' taken' if at in here.chests else ''}") for at, letter in ground.chests.items()),
    )
    parts += _kind("Gems", ((at, _gem(here, at)) for at in ground.gems))
    parts += _kind("Keys", ((at, _key(here, at)) for at in ground.keys))
    parts += _kind(
        "Doors", ((at, f"open, {here.letters[at]}" if at in here.laid else "shut") for at in ground.doors)
    )
    for mark in dungeon.legend:
        squares = ", ".join(square_name(square) for square in ground_of(dungeon).marks[mark.mark])
        parts.append(f"{mark.name.capitalize()} {mark.mark}: {squares}.")
    return parts


def _kind(name: str, things: Iterable[tuple[Square, str]]) -> list[str]:
    told = ", ".join(f"{square_name(square)} {state}".strip() for square, state in things)
    return [f"{name}: {told}."] if told else []


def _gem(here: Position, square: Square) -> str:
    letter = here.letters.get(square)
    if letter is None:
        return "free"
    return letter if square in here.gems else f"{letter}, not unique"


def _key(here: Position, square: Square) -> str:
    found = next((key for key in here.keys if key.square == square), None)
    if found is None:
        return "free"
    return found.letter if found.door is None else f"{found.letter}, used"


def _rows(here: Position) -> list[str]:
    return [
        "".join(here.letters.get((row, col), mark) for col, mark in enumerate(text))
        for row, text in enumerate(here.ground.rows)
    ]
