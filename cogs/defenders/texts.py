"""What is said of a game of Defenders: places and words, what is proposed, what the table waits for, what has happened.

All of it is made of views and events as their reader may know them, so it holds no letter that is not the reader's to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.crossword import square_name
from bot.games.defenders.placement import fit, formed, lay, loss, overflow, warnings
from bot.games.defenders.rules import ROUNDS
from bot.games.defenders.state import (
    VALUES,
    WILD,
    Agreed,
    Asked,
    Attested,
    Carried,
    Collected,
    Concede,
    Consulted,
    Contributed,
    Discard,
    Discarded,
    Doubted,
    Drew,
    Ended,
    Event,
    Formed,
    Goal,
    Hinted,
    Matter,
    NoWord,
    Objected,
    Passed,
    Placed,
    Play,
    Proposal,
    Proposed,
    Public,
    Recast,
    Recasted,
    Revealed,
    RoundBegan,
    Stored,
    View,
    VillainLost,
    Withdrew,
)
from bot.tables.face import Shown
from bot.tables.wording import capital, counted, listed, when
from cogs.grid import spot

REASONS = {
    "success": "The goal is met, and no word on the map is in doubt. Wordopolis is safe.",
    "illegal": "The goal was met, but the map holds what no dictionary knows: {words}.",
    "bag": "The villain bag is empty, and a letter was due.",
    "poi": "Too few points of interest are left above your last one.",
    "conceded": "The team admitted defeat.",
}
SILENT_ON_DEFEAT = "Only what everyone says themselves admits defeat; silence does not."
TOO_EARLY = {
    "contribute": "First everyone contributes a letter, or two; then words are placed.",
    "discard": "The word of this round is settled. First choose the letters to discard.",
    "verify": "The goal is met, and no word is placed any more.",
    "over": "The game is over.",
}


def letter(tile: str) -> str:
    """Return a letter as players read it, a wildcard by name."""
    return "wildcard" if tile == WILD else tile


def tile(letter: str) -> str:
    """Return a letter as it stands in a sentence: ``A``, ``a wildcard``."""
    return "a wildcard" if letter == WILD else letter


def side_by_side(tiles: Iterable[str]) -> str:
    """Return letters as they lie: ``A B wildcard``."""
    return " ".join(map(letter, tiles))


def usable(public: Public) -> str:
    """Return the letters on the table, of which a word is made together with those on the map."""
    parts = [
        f"**{' '.join(letters)}** {where}"
        for letters, where in (
            (sorted(letter(laid.letter) for laid in public.contributed), "new"),
            (sorted(letter(laid.letter) for laid in public.storage), "in storage"),
            (public.villain or "", "from the villain"),
        )
        if letters
    ]
    return f"Letters to use: {' · '.join(parts) or 'none'}."


def aim(goal: Goal) -> str:
    """Return what success asks for, as a sentence."""
    order = "in rising order" if goal.numbered else "in any order"
    return f"Goal: collect {goal.poi} POI {order} and {goal.vp} VP before the villain’s {ROUNDS} letters run out."


def too_early(public: Public) -> str:
    """Return why it is not the moment to place a word, or nothing when it is."""
    return TOO_EARLY.get(public.phase, "")


# A word and its place


def place_of(play: Play) -> str:
    """Return where a play begins, and which way it goes: ``E1 down``."""
    return spot((play.row, play.col), play.across)


def lies(play: Play) -> str:
    """Return a word with its place: ``**STREAM** at E1 down``."""
    return f"**{play.word}** at {place_of(play)}"


def stretch(play: Play) -> str:
    """Return ``E1 down, to E5``."""
    reach = len(play.word) - 1
    end = (play.row, play.col + reach) if play.across else (play.row + reach, play.col)
    return f"{place_of(play)}, to {square_name(end)}"


def scored(words: Sequence[Formed]) -> str:
    """Return ``STREAM 9, AT 2: 11 VP``."""
    total = sum(word.vp for word in words)
    if len(words) == 1:
        return f"{total} VP"
    return f"{', '.join(f'{word.word} {word.vp}' for word in words)}: {total} VP"


def picked(play: Play) -> str:
    """Return which special tiles the play lays, as a sentence, or nothing."""
    tiles = _special(play)
    return f"Uses {listed(tiles)}." if tiles else ""


def interests(reached: Sequence[Collected]) -> str:
    """Return ``a point of interest at D2`` or ``points of interest 3 at D2 and 5 at I6``."""
    each = listed(
        f"{poi.number or ''} at {square_name((poi.row, poi.col))}".strip() for poi in reached
    ).replace("and at ", "and ")
    if len(reached) > 1:
        return f"points of interest {each}"
    return f"point of interest {each}" if reached[0].number else f"a point of interest {each}"


def collects(public: Public, play: Play) -> str:
    """Return which points of interest the play collects, as a sentence, or nothing."""
    after, events = lay(public, play)
    reached = [event for event in events if isinstance(event, Collected)]
    if not reached:
        return ""
    return f"Collects {interests(reached)} ({len(after.collected)} of {public.goal.poi})."


def facets(public: Public, play: Play) -> tuple[str, ...]:
    """Return what there is to weigh about a place, each in a few words or empty: the same number for every play."""
    _, events = lay(public, play)
    reached = [event for event in events if isinstance(event, Collected)]
    new = fit(public, play.word, play.row, play.col, play.across).new
    special = _special(play)
    return (
        interests(reached) if reached else "",
        scored(formed(public, play)),
        "" if len(new) == len(play.word) else f"lays {', '.join(play.word[at] for at in new)}",
        f"uses {listed(special)}" if special else "",
    )


def _special(play: Play) -> tuple[str, ...]:
    """Return which special tiles the play lays."""
    villain = () if play.villain is None else (f"the villain letter {play.word[play.villain]}",)
    return (*villain, *(f"a wildcard as {play.word[index]}" for index in play.wild))


# What is before the team


def matter_text(matter: Matter) -> str:
    """Return what is proposed, as it follows *proposes*."""
    match matter:
        case Play():
            return lies(matter)
        case NoWord():
            return "to form no word this round"
        case Recast():
            anew = listed(f"{square_name((row, col))} as {new}" for row, col, new in matter.letters)
            return f"to read the wildcard{'s' if len(matter.letters) > 1 else ''} at {anew}"
        case Discard():
            return f"to discard {listed(map(tile, matter.letters))}"
        case Concede():
            return "to admit defeat"


def outcome(before: Public, matter: Matter, after: Public) -> str:
    """Return what came of a matter on which all have agreed, or nothing while it is before the team."""
    moved = (before.round, before.phase) != (after.round, after.phase)
    if after.proposal is not None and not moved:
        return ""
    match matter:
        case Play():
            came = (
                f"**{matter.word}** is laid. The team has {after.vp} of {after.goal.vp} VP and"
                f" {len(after.collected)} of {after.goal.poi} points of interest."
            )
        case NoWord():
            came = "There is no word this round."
        case Recast():
            came = "The wildcard is read anew."
        case Discard():
            came = "The letters are discarded."
        case Concede():
            came = ""
    begins = after.round > before.round and after.ended is None
    return f"{came} Round {after.round} begins.".strip() if begins else came


def proposal_text(public: Public, shown: Shown, reader: int | None = None) -> str:
    """Return what is before the team and how it stands, for a seat or for everyone; nothing where nothing is."""
    proposal = public.proposal
    if proposal is None:
        return ""
    names = ["you" if seat == reader else name for seat, name in enumerate(shown.names)]
    verb = "propose" if proposal.seat == reader else "proposes"
    lines = [f"**Before the team:** {names[proposal.seat]} {verb} {matter_text(proposal.matter)}."]
    silence = f"Silence is consent{when(shown.due)}."  # the board follows the game; what is private may be read later
    if isinstance(proposal.matter, Concede):
        silence = SILENT_ON_DEFEAT
    elif reader is not None:
        silence = f"Silence is consent{deadline(shown.due)}."
    if isinstance(play := proposal.matter, Play):
        told = (f"{scored(formed(public, play))}.", collects(public, play), picked(play))
        lines.append(" ".join(part for part in told if part))
        lines += [f"-# {text}" for text in warnings(public, play)]
    lines.append(_stand(proposal, names, silence))
    return "\n".join(line for line in lines if line)


def deadline(due: int | None) -> str:
    """Return when silence ends, so that it is still true once that is past, or nothing."""
    return "" if due is None else f" (deadline{when(due)})"


def _stand(proposal: Proposal, names: Sequence[str], silence: str) -> str:
    """Return who objects to a proposal, or else who has yet to agree to it, as a sentence or two, or nothing."""
    if proposal.objected:
        who = listed(names[seat] for seat in proposal.objected)
        verb = "object" if len(proposal.objected) > 1 or who == "you" else "objects"
        return (
            f"{'You' if who == 'you' else who} {verb}, so it cannot pass. Agree after all, or propose something"
            " else."
        )
    silent = [name for seat, name in enumerate(names) if seat not in proposal.agreed]
    return f"Still to agree: {listed(silent)}. {silence}" if silent else ""


def meanwhile(view: View, shown: Shown) -> str:
    """Return what passes by the silence of ``view.seat`` while it is at work on something else, or nothing."""
    proposal, names = view.public.proposal, shown.names
    if proposal is None or proposal.seat == view.seat:
        return ""
    told = f"**Before the team:** {names[proposal.seat]} proposes {matter_text(proposal.matter)}."
    if proposal.objected:
        who = listed("you" if seat == view.seat else names[seat] for seat in proposal.objected)
        return f"{told} It cannot pass while {who} object{'s' if who in names else ''}."
    if isinstance(proposal.matter, Concede):
        return f"{told} {SILENT_ON_DEFEAT}"
    return f"{told} Your silence is consent{deadline(shown.due)}; *Object* stops that."


# What the table waits for


def due(view: View, shown: Shown) -> str:
    """Return what the table waits for, an answer to the proposal among it."""
    if view.public.ended is not None:
        return "-# Another game: *Rematch*, or `/play defenders` for another table."
    lines = (waiting(view, shown), proposal_text(view.public, shown))
    return "\n".join(line for line in lines if line)


def waiting(view: View, shown: Shown) -> str:
    """Return what the table waits for beside an answer to the proposal."""
    public = view.public
    match public.phase:
        case "contribute":
            return missing(view, shown.names)
        case "verify":
            return (
                f"The dictionary lacks {listed(public.doubts)}. Do all of you vouch that a dictionary has"
                f" {'it' if len(public.doubts) == 1 else 'them'}? Silence is a no"
                f"{when(shown.due) if view.seat is None else deadline(shown.due)}."
            )
        case "discard":
            return f"Storage is full. {owed(public)}"
        case "word":
            return f"Form a word{together(public)} from the letters on the table, or none."
        case "over":
            return ""


def owed(public: Public) -> str:
    """Return what storage has no room for: what goes, and how many of the letters that tie go as well."""
    excess = overflow(public)
    gone = ""
    if excess.forced:
        gone = f"{capital(listed(map(tile, excess.forced)))} {'goes' if len(excess.forced) == 1 else 'go'}. "
    many = ("one", "two", "three", "four")[excess.owed - 1]
    return (
        f"{gone}Of the letters worth {VALUES[excess.tied[0]]}, {many}{' more' if gone else ''} must go: which?"
        f" In all {loss(public.vp, excess.cost)}."
    )


def together(public: Public) -> str:
    """Return `` together`` where there is more than one to do it."""
    return " together" if public.seats > 1 else ""


def missing(view: View, names: Sequence[str]) -> str:
    """Return who has yet to contribute what, as a sentence, or nothing."""
    late = [names[seat] for seat, sealed in enumerate(view.sealed) if not sealed and view.rack_sizes[seat]]
    if not late:
        return ""
    need = counted(view.public.share, "letter")
    return f"Waiting for {listed(late)} to contribute {need}{' each' if len(late) > 1 else ''}."


# What has happened


def of_the_present(told: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that a board tells: none about a proposal that has been replaced, and none that it shows.

    What is before the team, and who objects to it, stands below the picture. What came of a round is told until the
    letters of the next one are turned over; how the game ended comes first.
    """
    began = [at for at, event in enumerate(told) if isinstance(event, RoundBegan)]
    if began:
        told = told[began[-2] + 1 if len(began) > 1 else 0 :]
        before = next(at for at in range(len(told) - 1, -1, -1) if isinstance(told[at], RoundBegan))
        ended = [event for event in told if isinstance(event, Ended)]
        if ended:
            rest = told[before + 1 :]
            told = [*ended, *(event for event in rest if not isinstance(event, Ended | Revealed))]
        elif any(isinstance(event, Revealed) for event in told[before:]):
            told = told[before:]
        else:
            told = [event for event in told if not isinstance(event, Revealed)]
    settled = max((at for at, event in enumerate(told) if isinstance(event, Proposed | Carried)), default=-1)
    return tuple(
        event
        for at, event in enumerate(told)
        if not isinstance(event, Proposed | Objected)
        and not (isinstance(event, Withdrew | Asked) and at < settled)
    )


def say(event: Event, names: Sequence[str]) -> str | None:
    """Return the event as a sentence, or None when the board says it already."""
    match event:
        case RoundBegan():
            return f"Round {event.round} begins. The villain letter is **{event.villain}**."
        case Revealed():
            return _revealed(event, names)
        case Proposed():
            return f"{names[event.seat]} proposes {matter_text(event.matter)}."
        case Objected():
            return f"{names[event.seat]} objects."
        case Withdrew():
            return f"{names[event.seat]} takes the proposal back."
        case Carried(silent=silent) if silent:
            return f"{listed(names[seat] for seat in silent)} said nothing in time, which is consent."
        case Asked():
            return f"{names[event.seat]} asks the team for ideas."
        case Placed():
            return f"**{event.words[0].word}** is placed. {scored(event.words)}."
        case Collected():
            return f"{capital(interests([event]))} is collected."
        case Passed():
            return "No word this round."
        case Recasted():
            return _recasted(event)
        case VillainLost():
            return f"The villain letter {event.letter} is left over; {_cost(event.vp)}."
        case Discarded():
            return f"No room for {listed(map(tile, event.letters))}; {_cost(event.vp)}."
        case Consulted():
            answer = "is in the dictionary" if event.legal else "is not in the dictionary"
            return f"{names[event.seat]} looked it up: {event.word} {answer}."
        case Hinted():
            asked = f"{names[event.seat]} asked for a hint"
            return (
                f"{asked}. I find no word that fits."
                if event.play is None
                else f"{asked}: {lies(event.play)}."
            )
        case Doubted():
            return f"The goal is met, but the dictionary lacks {listed(event.words)}."
        case Attested():
            verb = "The team vouches" if event.accepted else "Not everyone vouches"
            return f"{verb} for what the dictionary lacks."
        case Ended():
            return _ended(event)
        case Drew() | Contributed() | Agreed() | Stored() | Carried():
            return None


def record(event: Event, names: Sequence[str]) -> str | None:
    """Return the event as the log tells it, or None when another event of its move says it."""
    match event:
        case Contributed(seat=seat, letters=letters):
            known = "" if letters is None else f" {side_by_side(letters)}"
            return f"{names[seat]} contributes{known} face down."
        case Drew(seat=seat, letters=letters, count=count):
            known = counted(count, "letter") if letters is None else side_by_side(letters)
            return f"{names[seat]} draws {known or 'no letter'}."
        case Agreed():
            return f"{names[event.seat]} agrees."
        case Stored():
            return f"Stored: {side_by_side(event.letters)}." if event.letters else None
        case _:
            return say(event, names)


def _revealed(event: Revealed, names: Sequence[str]) -> str:
    laid = [f"{names[seat]} {side_by_side(tiles)}" for seat, tiles in enumerate(event.letters) if tiles]
    if event.extra:
        laid.append(f"by chance {side_by_side(event.extra)}")
    return f"Contributed: {', '.join(laid)}."


def _recasted(event: Recasted) -> str:
    changes = (f"the wildcard at {square_name((row, col))} is now {new}" for row, col, new in event.letters)
    return f"{capital(listed(changes))}."


def _cost(vp: int) -> str:
    """Return what was lost; with a score of 0 nothing is."""
    return f"that costs {vp} VP" if vp else "that costs nothing this time"


def _ended(event: Ended) -> str:
    won = "Success" if event.won else "Failure"
    reason = REASONS[event.reason].format(words=listed(event.illegal))
    return f"**{won}** in round {event.rounds} with {event.vp} VP and {event.poi} POI. {reason}"
