"""Defenders of the Dictionary on Discord: its panels and texts, the ``/defenders`` commands.

Everything that is said comes from a view or an event as its reader may know it. Words are typed whole; which letters
are new and which tiles serve them is found by the rules (``complete``), and shown before it is proposed whenever the
bot had a choice or the play has a cost. The private panel with the rack is enough to play from: whatever is done there
leads back to it.

A table with a beginner's goal has the *guarded* referee unless its opener chooses one: a wrong word is a surprise that
nobody should meet at the end of a first game.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Literal

import msgspec
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

import render.defenders
from bot.games.crossword import runs, square_name
from bot.games.defenders.placement import (
    changed_words,
    commons,
    complete,
    fit,
    formed,
    lay,
    letters_on,
    overflow,
    warnings,
)
from bot.games.defenders.rules import GOALS, ROUNDS, goal
from bot.games.defenders.state import (
    WILD,
    Agree,
    Agreed,
    Ask,
    Asked,
    Attest,
    Attested,
    Carried,
    Collected,
    Concede,
    Consult,
    Consulted,
    Contribute,
    Contributed,
    Discard,
    Discarded,
    Doubted,
    Drew,
    Ended,
    Event,
    Formed,
    Hint,
    Hinted,
    Matter,
    NoWord,
    Object,
    Objected,
    Options,
    Passed,
    Placed,
    Play,
    Proposal,
    Propose,
    Proposed,
    Public,
    Recast,
    Recasted,
    Revealed,
    RoundBegan,
    Stored,
    View,
    VillainLost,
    Withdraw,
    Withdrew,
)
from bot.games.game import IllegalMove
from bot.tables.face import (
    LIMITS,
    Button,
    Choice,
    Field,
    Form,
    Menu,
    Panel,
    Picture,
    Press,
    Row,
    Shown,
    table_row,
)
from bot.tables.router import Interaction, Router
from cogs.face import VerbFace
from cogs.tables import At, Tables
from cogs.wording import counted, cut, listed, parse_spot, parse_square, spot, when
from render.defenders.look import map_title

LISTED = LIMITS["choices"]  # places that a menu offers
PAUSED = "**The table is paused.** It goes on by *Resume*, on its board or behind *More*."
TOLD = 6  # sentences above the board
ANYWHERE = "="  # before a typed word whose place is still to be chosen, as a button's argument
COLOURS = {
    "contribute": 0x3B82C4,
    "word": 0xD9902F,
    "discard": 0xB4513F,
    "verify": 0x8C5FB0,
    "over": 0x6B7280,
}
PACES = {
    "live": "Live pace, for a game in one sitting: a minute of silence is consent to what somebody proposes.",
    "slow": "Slow pace, for a game over days: half a day of silence is consent to what somebody proposes.",
}
REFEREES = {
    "printed": "Words are checked only when the goal is met, and one wrong word on the map loses the game (*printed*"
    " referee).",
    "guarded": "Words are checked at once: what is not in the dictionary cannot be laid (*guarded* referee).",
}
REASONS = {
    "success": "Every word on the map is in the dictionary. Wordopolis is safe.",
    "illegal": "The goal was met, but the map holds what no dictionary knows: {words}.",
    "bag": "The villain bag is empty, and a letter was due.",
    "poi": "Too few points of interest are left above your last one.",
    "conceded": "The team admitted defeat.",
}
SHORT = (("VP", "Vocabulary Point", "Vocabulary Points"), ("POI", "point of interest", "points of interest"))


def cost(vp: int) -> str:
    """Return what was lost; with a score of 0 nothing is."""
    return f"that costs {vp} VP" if vp else "that costs nothing this time"


def spelled_out(panel: Panel) -> Panel:
    """Return the panel with each abbreviation explained where a number first goes with it."""
    told = f"{panel.text}\0{panel.notes}"
    for short, one, many in SHORT:
        counts = re.compile(rf"\b(\d+) {short}\b")
        again = f" ({short})" if len(counts.findall(told)) > 1 else ""
        told = counts.sub(lambda at: counted(int(at[1]), one, many) + again, told, count=1)  # noqa: B023
    text, notes = told.split("\0")
    return replace(panel, text=text, notes=notes)


def letter(text: str) -> str:
    """Return a rack letter as players read it."""
    return "wildcard" if text == WILD else text


def numbered(verb: str, placeholder: str, tiles: Sequence[str], count: int) -> Menu:
    """Return a menu of exactly ``count`` tiles; each value carries its place, so that equal ones can be chosen."""
    choices = tuple(
        Choice(letter(tile).capitalize(), f"{index}{tile}")
        for index, tile in enumerate(tiles[: LIMITS["choices"]])
    )
    return Menu(verb, placeholder, choices, least=count, most=count, bound=True)


def chosen(press: Press) -> tuple[str, ...]:
    """Return the tiles chosen in a ``numbered`` menu, or on a button or by a command."""
    return tuple(value.lstrip("0123456789") for value in press.values) or tuple(press.arg)


def packed(play: Play) -> str:
    """Return a play as a button's argument (the inverse of ``unpacked``)."""
    wild = "-".join(map(str, play.wild))
    villain = "" if play.villain is None else str(play.villain)
    return f"{play.word}.{play.row}.{play.col}.{'a' if play.across else 'd'}.{wild}.{villain}"


def unpacked(text: str) -> Play:
    """Return the play of a button's argument."""
    word, row, col, way, wild, villain = text.split(".")
    return Play(
        word,
        int(row),
        int(col),
        way == "a",
        tuple(int(index) for index in wild.split("-") if index),
        int(villain) if villain else None,
    )


def typed(play: Play) -> str:
    """Return the word of a play as somebody types it who wants the same wildcards."""
    return "".join(f"{WILD}{char}" if at in play.wild else char for at, char in enumerate(play.word))


def places(public: Public, text: str) -> tuple[Play, ...]:
    """Return every way to lay the typed word by geometry and letters alone, the most profitable first.

    Points of interest come before Vocabulary Points: they are what a team runs short of.
    """
    found: list[tuple[int, int, Play]] = []
    for row in range(len(public.city.rows)):
        for col in range(len(public.city.rows[0])):
            for across in (True, False):
                try:
                    play = complete(public, text, row, col, across)
                except IllegalMove:
                    continue
                after, _ = lay(public, play)
                found.append((len(after.collected), after.vp, play))
    found.sort(key=lambda one: (-one[0], -one[1], one[2].row, one[2].col, not one[2].across))
    return tuple(play for _, _, play in found)


def nowhere(public: Public, text: str) -> str:
    """Return why the typed word fits nowhere, as a sentence."""
    whys = set(refusals(public, text))
    if len(whys) == 1:  # it is the word's own fault, wherever it goes
        return whys.pop()
    word = "".join(char for char in text.upper() if char.isalpha())
    tiles = commons(public)
    have = {*tiles, *(public.villain or ()), *letters_on(public).values()}
    lacking = sorted(set(word) - have)
    if lacking and WILD not in tiles:
        verb = "is" if len(lacking) == 1 else "are"
        return f"{word} needs {listed(lacking)}, which {verb} neither on the table nor on the map."
    return f"{word or 'That'} fits nowhere with the letters on the table and on the map."


def refusals(public: Public, text: str) -> Iterator[str]:
    """Yield why the typed word cannot go to a place, for each place."""
    for row in range(len(public.city.rows)):
        for col in range(len(public.city.rows[0])):
            for across in (True, False):
                try:
                    complete(public, text, row, col, across)
                except IllegalMove as refusal:
                    yield str(refusal)


def of_the_present(told: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events that a board tells: none about a proposal that has been replaced, and none that it shows.

    What is before the team, and who objects to it, stands below the picture.
    """
    settled = max((at for at, event in enumerate(told) if isinstance(event, Proposed | Carried)), default=-1)
    return tuple(
        event
        for at, event in enumerate(told)
        if not isinstance(event, Proposed | Objected)
        and not (isinstance(event, Withdrew | Asked) and at < settled)
    )


def too_early(public: Public) -> str:
    """Return why it is not the moment to place a word, or nothing when it is."""
    return {
        "contribute": "First everyone contributes a letter, or two; then words are placed.",
        "discard": "The word of this round is settled. First choose the letters to discard.",
        "verify": "The goal is met, and no word is placed any more.",
        "over": "The game is over.",
    }.get(public.phase, "")


def scored(words: Sequence[Formed]) -> str:
    """Return ``STREAM 9, AT 2: 11 VP``."""
    total = sum(word.vp for word in words)
    if len(words) == 1:
        return f"{total} VP"
    return f"{', '.join(f'{word.word} {word.vp}' for word in words)}: {total} VP"


def special(play: Play) -> tuple[str, ...]:
    """Return which special tiles the play lays."""
    villain = () if play.villain is None else (f"the villain letter {play.word[play.villain]}",)
    return (*villain, *(f"a wildcard as {play.word[index]}" for index in play.wild))


def picked(play: Play) -> str:
    """Return which special tiles the play lays, as a sentence, or nothing."""
    tiles = special(play)
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
    lays = "" if len(new) == len(play.word) else f"lays {', '.join(play.word[at] for at in new)}"
    return (
        interests(reached) if reached else "",
        scored(formed(public, play)),
        lays,
        f"uses {listed(special(play))}" if special(play) else "",
    )


def stretch(play: Play) -> str:
    """Return ``E1 down, to E5``."""
    reach = len(play.word) - 1
    end = (play.row, play.col + reach) if play.across else (play.row + reach, play.col)
    return f"{spot((play.row, play.col), play.across)}, to {square_name(end)}"


def usable(public: Public) -> str:
    """Return the letters on the table, of which a word is made together with those on the map."""
    parts = [
        f"**{' '.join(letters)}** {where}"
        for letters, where in (
            (sorted(letter(tile.letter) for tile in public.contributed), "new"),
            (sorted(letter(tile.letter) for tile in public.storage), "in storage"),
            (public.villain or "", "from the villain"),
        )
        if letters
    ]
    return f"Letters to use: {' · '.join(parts) or 'none'}."


def outcome(before: Public, matter: Matter, after: Public) -> str:
    """Return what came of a matter on which all have agreed, or nothing while it is before the team."""
    moved = (before.round, before.phase) != (after.round, after.phase)
    if after.proposal is not None and not moved:
        return ""
    told = []
    match matter:
        case Play():
            told.append(
                f"**{matter.word}** is laid. The team has {after.vp} of {after.goal.vp} VP and"
                f" {len(after.collected)} of {after.goal.poi} points of interest."
            )
        case NoWord():
            told.append("There is no word this round.")
        case Recast():
            told.append("The wildcard is read anew.")
        case Discard():
            told.append("The letters are discarded.")
        case Concede():
            pass
    if after.round > before.round and after.ended is None:
        told.append(f"Round {after.round} begins.")
    return " ".join(told)


def matter_text(matter: Matter) -> str:
    """Return what is proposed, as it follows *proposes*."""
    match matter:
        case Play():
            return f"**{matter.word}** at {spot((matter.row, matter.col), matter.across)}"
        case NoWord():
            return "to form no word this round"
        case Recast():
            anew = listed(f"{square_name((row, col))} as {new}" for row, col, new in matter.letters)
            return f"to read wildcards anew: {anew}"
        case Discard():
            return f"to discard {listed(map(letter, matter.letters))}"
        case Concede():
            return "to admit defeat"


def word_form(public: Public) -> Form:
    """Return the form for a word; its examples fit the map as it is."""
    lie = runs(letters_on(public))
    example = spot((lie[-1].row, lie[-1].col), lie[-1].across) if lie else spot(public.city.start, True)
    return Form(
        "Place a word",
        "placing",
        (
            Field(
                "word",
                "Word",
                "Whole, as it will read on the map. CAR*S lays a wildcard as S.",
                "STREAM",
                most=40,
            ),
            Field(
                "place",
                "Place",
                "First square and way. Leave it empty to see where it fits.",
                example,
                required=False,
            ),
        ),
    )


RACK = Button("My rack", "hand")
CONSULT_FORM = Form(
    "Consult the dictionary",
    "consulting",
    (Field("word", "Word", "Once a game. Everyone hears the answer.", "CAD", most=20),),
)
RECAST_FORM = Form(
    "Read a wildcard anew",
    "recasting",
    (
        Field("square", "Square of the wildcard", placeholder="E5", most=4),
        Field("letter", "Letter it stands for from now on", placeholder="S", most=1),
    ),
)


def _order(difficulty: str) -> str:
    return "in rising order" if difficulty == "intermediate" else "in any order"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _unknown(public: Public, found: Sequence[Play], legal: Callable[[str], bool]) -> str:
    """Return why the dictionary bars the word from all the places that it would fit in."""
    word = found[0].word
    others = {name for play in found for name in changed_words(public, play)} - {word}
    if not legal(word) or not others:
        return f"{word} is not in the dictionary."
    wrong = sorted(name for name in others if not legal(name))
    return f"Wherever {word} fits, it makes what is not in the dictionary: {listed(wrong[:3], 'or')}."


class DefendersFace(VerbFace):
    """How Defenders shows itself (``bot.tables.face.Face``)."""

    key = "defenders"

    # What is shown

    def board(self, view: View, shown: Shown, told: Sequence[Event]) -> Panel:
        """Return the board for the channel."""
        public = view.public
        said = [text for event in of_the_present(told) if (text := self.say(event, shown.people))]
        goal = public.goal
        title = (
            f"Defenders of the Dictionary · {goal.difficulty} {goal.level} · round {public.round} of {ROUNDS}"
        )
        return spelled_out(
            Panel(
                title=title,
                text="\n".join(said[-TOLD:]),
                picture=Picture(
                    f"defenders-{public.round}.png",
                    self.alt(view, shown.drawn),
                    msgspec.msgpack.encode((view, shown.drawn)),
                    lambda: render.defenders.board(view, shown.drawn),
                ),
                notes=self.due(view, shown),
                rows=self._board_rows(public, paused=shown.paused),
                colour=self._colour(public),
            )
        )

    def hand(self, view: View, shown: Shown) -> Panel:
        """Return the rack of ``view.seat``, with what that player may do now."""
        return spelled_out(self._hand(view, shown))

    def _hand(self, view: View, shown: Shown) -> Panel:
        public, rack = view.public, view.rack
        human = view.seat is None or shown.humans[view.seat]
        text, rows = self._task(view, shown)
        if public.phase != "over" and not human:
            text = "An automaton plays for you. You may take your seat back at any time."
            rows = ((Button("Take my seat back", "return_seat", style="main"),),)
        elif public.phase != "over" and shown.paused:
            text, rows = f"{PAUSED}\n{text}", ()
        proposal = "" if public.proposal is None else self._proposal_text(public, shown, view.seat)
        secret = f"-# {shown.where}. Yours alone: talk about what lies open, never about your rack."
        return Panel(
            title="Your rack",
            text=text,
            picture=Picture(
                "rack.png",
                f"Your rack: {', '.join(map(letter, rack)) or 'empty'}.",
                msgspec.msgpack.encode((view, shown.drawn)),
                lambda: render.defenders.rack(view, shown.drawn),
            ),
            notes="\n".join(part for part in (proposal, secret) if part),
            rows=rows,
            colour=self._colour(public),
        )

    def _task(self, view: View, shown: Shown) -> tuple[str, tuple[Row, ...]]:
        """Return what the player of ``view.seat`` has to do now, and with what."""
        public, rack = view.public, view.rack
        votes = self._stance(public, view.seat)
        match public.phase:
            case "over":
                return "The game is over.", ()
            case "verify":
                return self._waiting(view, shown), (self._vouching(),)
            case "discard":
                choose = Button("Choose the discard", "discards", style="main")
                return self._waiting(view, shown), (*votes, (choose,))
            case "word" if public.proposal is not None and public.proposal.seat == view.seat:
                return "Your proposal waits for the others.", (*votes, self._forming())
            case "word":
                together = " together" if public.seats > 1 else ""
                text = (
                    f"Form a word{together}, or none. {usable(public)}\n"
                    "-# Your rack is for later: letters are contributed when the next round begins."
                )
                return text, (*votes, self._forming())
        if view.mine is not None:
            laid = " ".join(map(letter, view.mine))
            text = f"You contributed **{laid}**, a secret until all have contributed. {self._missing(view, shown)}"
            return text.strip(), (*votes, (Button("Take it back", "undo"),))
        if not rack:
            return "Your rack is empty, so you contribute nothing this round.", votes
        need = counted(public.share, "letter")
        text = f"The villain letter is **{public.villain}**. Choose {need} to contribute."
        return text, (*votes, *self._give_rows(rack, public.share))

    def _stance(self, public: Public, seat: int | None) -> tuple[Row, ...]:
        """Return the row with which a player answers the proposal before the team, if there is one."""
        proposal = public.proposal
        if proposal is None or public.seats == 1:
            return ()
        if proposal.seat == seat:
            return ((Button("Take my proposal back", "withdraw", bound=True),),)
        agree = Button("Agree", "agree", style="good", bound=True)
        object_ = Button("Object", "object", style="bad", bound=True)
        return (
            (
                *(() if seat in proposal.agreed else (agree,)),
                *(() if seat in proposal.objected else (object_,)),
            ),
        )

    def _forming(self) -> tuple[Button, ...]:
        return (Button("Place a word", "word", style="main"), Button("No word", "noword", bound=True))

    def _vouching(self) -> tuple[Button, ...]:
        return (
            Button("A dictionary has them", "vouch", "yes", "good", bound=True),
            Button("It does not", "vouch", "no", "bad", bound=True),
        )

    def _missing(self, view: View, shown: Shown) -> str:
        """Return who has yet to contribute what, as a sentence, or nothing."""
        missing = [
            shown.names[seat]
            for seat, sealed in enumerate(view.sealed)
            if not sealed and view.rack_sizes[seat]
        ]
        if not missing:
            return ""
        need = counted(view.public.share, "letter")
        return f"Waiting for {listed(missing)} to contribute {need}{' each' if len(missing) > 1 else ''}."

    def due(self, view: View, shown: Shown) -> str:
        """Return what the table waits for."""
        public = view.public
        if public.ended is not None:
            return "-# Another game: *Rematch*, or `/play defenders` for another table."
        lines = [self._waiting(view, shown)]
        if public.proposal is not None:
            lines.append(self._proposal_text(public, shown))
        return "\n".join(line for line in lines if line)

    def _waiting(self, view: View, shown: Shown) -> str:
        """Return what the table waits for beside an answer to the proposal."""
        public = view.public
        match public.phase:
            case "contribute":
                return self._missing(view, shown)
            case "verify":
                return (
                    f"The dictionary lacks {listed(public.doubts)}. Do all of you vouch that a dictionary has"
                    f" {'it' if len(public.doubts) == 1 else 'them'}? Silence is a no{when(shown.due)}."
                )
            case "discard":
                return "Storage is full, and the dearest letters tie. Choose together what to discard."
            case "word":
                together = " together" if public.seats > 1 else ""
                return f"Form a word{together} from the letters on the table, or none."
            case "over":
                return ""

    def alt(self, view: View, names: Sequence[str]) -> str:
        """Return all that the board's picture shows, in at most 1,024 characters, most telling first."""
        public = view.public
        goal = public.goal
        parts = []
        if public.ended is not None:
            parts.append(f"The team has {'won' if public.ended.won else 'lost'}.")
        parts.append(
            f"Round {public.round} of {ROUNDS}. {public.vp} of {goal.vp} VP (Vocabulary Points),"
            f" {len(public.collected)} of {goal.poi} points of interest."
        )
        if public.villain:
            parts.append(f"Villain letter {public.villain}.")
        if public.contributed:
            parts.append(f"Contributed: {', '.join(letter(tile.letter) for tile in public.contributed)}.")
        elif public.phase == "contribute":
            done = [names[seat] for seat, sealed in enumerate(view.sealed) if sealed]
            parts.append(f"Contributed face down: {listed(done) or 'nobody yet'}.")
        parts.append(f"Stored: {', '.join(letter(tile.letter) for tile in public.storage) or 'nothing'}.")
        left = [
            f"{poi.number or '?'} at {square_name((poi.row, poi.col))}"
            for poi in sorted(public.pois, key=lambda poi: (poi.number, poi.row, poi.col))
        ]
        parts.append(f"Points of interest left: {', '.join(left) or 'none'}.")
        if public.proposal is not None and isinstance(play := public.proposal.matter, Play):
            parts.append(f"Proposed, in outline: {play.word} {spot((play.row, play.col), play.across)}.")
        bags = ", ".join(f"{name} {size}" for name, size in zip(names, view.bag_sizes, strict=True))
        parts.append(f"Bags: {bags}, villain {public.villain_left}.")
        parts.append(f"Maps: {map_title(public.city.hq_name)}, {map_title(public.city.other_name)}.")
        words = [f"{run.word} {spot((run.row, run.col), run.across)}" for run in runs(letters_on(public))]
        parts.append(
            f"On the map: {', '.join(words) or f'nothing; start at {square_name(public.city.start)}'}."
        )
        return cut(" ".join(parts), LIMITS["alt"])

    def say(self, event: Event, names: Sequence[str]) -> str | None:
        """Return the event as a sentence, or None when the board says it already."""
        match event:
            case RoundBegan():
                return f"Round {event.round} begins. The villain letter is **{event.villain}**."
            case Revealed():
                laid = [
                    f"{names[seat]} {' '.join(map(letter, letters))}"
                    for seat, letters in enumerate(event.letters)
                    if letters
                ]
                if event.extra:
                    laid.append(f"by chance {' '.join(map(letter, event.extra))}")
                return f"Contributed: {', '.join(laid)}."
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
                return f"{_capital(interests([event]))} is collected."
            case Passed():
                return "No word this round."
            case Recasted():
                return self._recast_text(event.letters)
            case VillainLost():
                return f"The villain letter {event.letter} is left over; {cost(event.vp)}."
            case Discarded():
                return f"No room for {listed(map(letter, event.letters))}; {cost(event.vp)}."
            case Consulted():
                answer = "is in the dictionary" if event.legal else "is not in the dictionary"
                return f"{names[event.seat]} looked it up: {event.word} {answer}."
            case Hinted():
                if event.play is None:
                    return f"{names[event.seat]} asked for a hint. I find no word that fits."
                place = spot((event.play.row, event.play.col), event.play.across)
                return f"{names[event.seat]} asked for a hint: **{event.play.word}** at {place}."
            case Doubted():
                return f"The goal is met, but the dictionary lacks {listed(event.words)}."
            case Attested():
                return "The team vouches for them." if event.accepted else "Not everyone vouches for them."
            case Ended():
                outcome = "Success" if event.won else "Failure"
                reason = REASONS[event.reason].format(words=listed(event.illegal))
                return (
                    f"**{outcome}** in round {event.rounds} with {event.vp} VP and {event.poi} POI. {reason}"
                )
            case Drew() | Contributed() | Agreed() | Stored() | Carried():
                return None

    def record(self, event: Event, names: Sequence[str]) -> str | None:
        """Return the event as the log tells it, or None when another event of its move says it."""
        match event:
            case Contributed(seat=seat, letters=letters):
                known = "" if letters is None else f" {' '.join(map(letter, letters))}"
                return f"{names[seat]} contributes{known} face down."
            case Drew(seat=seat, letters=letters, count=count):
                known = counted(count, "letter") if letters is None else " ".join(map(letter, letters))
                return f"{names[seat]} draws {known or 'no letter'}."
            case Agreed():
                return f"{names[event.seat]} agrees."
            case Stored():
                return f"Stored: {' '.join(map(letter, event.letters))}." if event.letters else None
            case _:
                return self.say(event, names)

    def _recast_text(self, letters: Sequence[tuple[int, int, str]]) -> str:
        changes = listed(
            f"the wildcard at {square_name((row, col))} is now {new}" for row, col, new in letters
        )
        return f"{_capital(changes)}."

    def _proposal_text(self, public: Public, shown: Shown, reader: int | None = None) -> str:
        """Return what is before the team, for a seat or for everyone."""
        proposal = public.proposal
        assert proposal is not None
        names = ["you" if seat == reader else name for seat, name in enumerate(shown.names)]
        verb = "propose" if proposal.seat == reader else "proposes"
        lines = [f"**Before the team:** {names[proposal.seat]} {verb} {matter_text(proposal.matter)}."]
        if isinstance(proposal.matter, Play):
            play = proposal.matter
            told = (f"{scored(formed(public, play))}.", collects(public, play), picked(play))
            lines.append(" ".join(part for part in told if part))
            lines += [f"-# {text}" for text in warnings(public, proposal.matter)]
        if proposal.objected:
            who = listed(names[seat] for seat in proposal.objected)
            verb = "object" if len(proposal.objected) > 1 or who == "you" else "objects"
            lines.append(
                f"{_capital(who) if who == 'you' else who} {verb}, so it cannot pass. Agree after all, or propose something else."
            )
        else:
            open_seats = [
                name
                for seat, name in enumerate(names)
                if seat not in proposal.agreed and seat not in proposal.objected
            ]
            if open_seats:
                lines.append(f"Still to agree: {listed(open_seats)}. Silence is consent{when(shown.due)}.")
        return "\n".join(lines)

    def _colour(self, public: Public) -> int:
        if public.ended is not None:
            return 0x3F9D5A if public.ended.won else 0xB4413F
        return COLOURS[public.phase]

    def _board_rows(self, public: Public, *, paused: bool) -> tuple[Row, ...]:
        if public.phase == "over":
            return ()
        hand = Button("My rack", "hand", style="main" if public.phase == "contribute" else "plain")
        more = Button("More", "more")
        if paused:  # nobody moves, and the host adds *Resume*
            return ((hand, more),)
        if public.phase == "verify":
            return (self._vouching(), (hand,))
        first: tuple[Button, ...] = (hand, more)
        if public.phase == "word":
            ideas = Button("Ideas, please", "ideas", disabled=public.ideas or public.seats == 1, bound=True)
            first = (*self._forming(), ideas, hand, more)
        if public.phase == "discard":
            first = (Button("Choose the discard", "discards", style="main"), hand, more)
        if public.proposal is None or public.seats == 1:
            return (first,)
        votes = (
            Button("Agree", "agree", style="good", bound=True),
            Button("Object", "object", style="bad", bound=True),
        )
        return (votes, first)

    def _give_rows(self, rack: Sequence[str], needed: int) -> tuple[Row, ...]:
        if needed == 1 or len(rack) < needed:
            kinds = sorted(set(rack), key=lambda text: (text == WILD, text))
            return (tuple(Button(letter(kind).capitalize(), "give", kind, bound=True) for kind in kinds),)
        return (numbered("give", f"Choose {needed} letters", rack, needed),)

    # The lobby

    def settings(self, options: Options) -> tuple[Menu, ...]:
        """Return the lobby's menus."""
        goals = tuple(
            Choice(
                f"{aim.difficulty.capitalize()} {aim.level}",
                f"{aim.difficulty}/{aim.level}",
                f"{aim.poi} points of interest {_order(aim.difficulty)} and {aim.vp} Vocabulary Points",
                (options.difficulty, options.level) == (aim.difficulty, aim.level),
            )
            for aim in GOALS
        )
        maps = (
            Choice("Any second map", "any/any", "By chance", options.map == "any"),
            *(
                Choice(
                    f"{name.capitalize()} map by {side}",
                    f"{name}/{side}",
                    chosen=(options.map, options.map_side) == (name, side),
                )
                for name in ("north", "east", "south", "west")
                for side in ("day", "night")
            ),
        )
        edges = tuple(
            Choice(
                "Joined at any edge of the headquarters"
                if edge == "any"
                else f"Joined at the {edge} edge of the headquarters",
                edge,
                chosen=options.edge == edge,
            )
            for edge in ("any", "north", "east", "south", "west")
        )
        sides = tuple(
            Choice(
                f"Headquarters by {'day or night' if side == 'any' else side}",
                side,
                chosen=options.hq_side == side,
            )
            for side in ("any", "day", "night")
        )
        tables = tuple(
            Choice(
                f"{referee.capitalize()} referee, {pace} pace",
                f"{referee}/{pace}",
                {
                    "printed": "Words are checked at the end, as printed",
                    "guarded": "Words are checked at once, good for beginners",
                }[referee]
                + {"live": "; a minute of silence agrees", "slow": "; half a day of silence agrees"}[pace],
                (options.referee, options.pace) == (referee, pace),
            )
            for referee in ("guarded", "printed")
            for pace in ("live", "slow")
        )
        return (
            Menu("set", "The goal", goals, "goal"),
            Menu("set", "The second map", maps, "map"),
            Menu("set", "Where it joins", edges, "edge"),
            Menu("set", "The headquarters", sides, "hq_side"),
            Menu("set", "Referee and pace", tables, "table"),
        )

    def chosen(self, options: Options, menu: str, value: str) -> Options:
        """Return the options after a choice in a lobby menu; raises msgspec.ValidationError for a wrong value."""
        fields = {
            "goal": ("difficulty", "level"),
            "map": ("map", "map_side"),
            "edge": ("edge",),
            "hq_side": ("hq_side",),
            "table": ("referee", "pace"),
        }[menu]
        given = dict(zip(fields, value.split("/"), strict=True))
        return msgspec.convert(msgspec.to_builtins(options) | given, Options, strict=False)

    def summary(self, options: Options) -> str:
        """Return the options so that somebody understands them who has never played."""
        aim = goal(options.difficulty, options.level)
        side = "day or night" if options.hq_side == "any" else options.hq_side
        second = "a second one by chance" if options.map == "any" else f"the {options.map} one"
        if options.map_side != "any":
            second += f" by {options.map_side}"
        edge = "" if options.edge == "any" else f", at the {options.edge} edge"
        return (
            f"**{options.difficulty.capitalize()} {options.level}:** save the city together. Collect {aim.poi} points of"
            f" interest {_order(options.difficulty)} and {aim.vp} Vocabulary Points (VP) before the villain’s"
            f" {ROUNDS} letters run out.\n"
            f"{REFEREES[options.referee]}\n"
            f"-# Maps: the headquarters by {side}, and {second}{edge}. {PACES[options.pace]}"
        )

    def looking_up(self, options: Options) -> bool:
        """Whether its players may look words up: with the printed referee that is what a consultation is for."""
        return options.referee != "printed"

    # What is pressed

    async def _on_hand(self, press: Press) -> None:
        await self._show_hand(press)

    async def _show_hand(self, press: Press, said: str = "") -> None:
        """Show the rack, below what has just been done."""
        panel = await self._private_hand(press)
        text = "\n".join(part for part in (said, panel.text) if part)
        await press.panel(spelled_out(replace(panel, text=text)))

    async def _private_hand(self, press: Press) -> Panel:
        """Return the rack as it is shown to nobody but its reader, where it cannot follow the game by itself."""
        view: View = await press.view()
        shown = await press.shown()
        panel = self._hand(view, shown)
        if shown.paused or view.public.phase == "over":
            return panel
        again = Button("Refresh", "hand")
        last = panel.rows[-1] if panel.rows else ()
        if isinstance(last, tuple) and all(button.verb != "give" for button in last):
            return replace(panel, rows=(*panel.rows[:-1], (*last, again)))
        return replace(panel, rows=(*panel.rows, (again,)))  # not among the letters

    async def _tell(self, press: Press, said: str) -> None:
        """Answer what was played: a private panel becomes the rack, from which one plays on."""
        if press.private:
            await self._show_hand(press, said)
        else:
            await press.done(said)

    async def _on_give(self, press: Press) -> None:
        letters = chosen(press)
        if not await press.play(Contribute(letters)):
            return
        if press.private:
            await self._show_hand(press)
        else:
            await press.done(f"You contributed {listed(map(letter, letters))}.")

    async def _on_word(self, press: Press) -> None:
        public = await self._in_time(press)
        if public is not None:
            await self._form(press, public, word_form(public), usable(public))

    async def _in_time(self, press: Press) -> Public | None:
        """Return what lies open if a word can be proposed now; else say why not."""
        public: Public = (await press.view()).public
        early = too_early(public)
        if early:
            await press.refuse(early)
            return None
        return public

    async def _form(self, press: Press, public: Public, form: Form, told: str = "") -> None:
        """Open a form; who types is told which proposal their silence lets pass meanwhile."""
        note = self._meanwhile(public, await press.shown(), press.seat)
        await press.form(replace(form, note="\n".join(part for part in (told, note) if part)))

    def _meanwhile(self, public: Public, shown: Shown, seat: int) -> str:
        """Return what passes while a person is at work on something else, or nothing."""
        proposal, names = public.proposal, shown.names
        if proposal is None or proposal.seat == seat:
            return ""
        told = f"**Before the team:** {names[proposal.seat]} proposes {matter_text(proposal.matter)}."
        if proposal.objected:
            who = listed("you" if other == seat else names[other] for other in proposal.objected)
            return f"{told} It cannot pass while {who} object{'s' if who in names else ''}."
        return f"{told} Your silence is consent{when(shown.due)}; *Object* stops that."

    def _objecting(self, public: Public, seat: int, arg: str = "") -> tuple[Button, ...]:
        """Return the button to object to another's proposal; ``arg`` says what to show again afterwards."""
        proposal = public.proposal
        if proposal is None or seat == proposal.seat or seat in proposal.objected:
            return ()
        return (Button("Object", "object", arg, "bad", bound=True),)

    async def _answer(self, press: Press, text: str) -> None:
        """Answer a question about words, and tell what is before the team meanwhile."""
        public: Public = (await press.view()).public
        note = self._meanwhile(public, await press.shown(), press.seat)
        if not note:
            await press.done(text)
            return
        buttons = self._objecting(public, press.seat)
        await press.panel(Panel(text, note, rows=(buttons,) if buttons else ()))

    async def _on_placing(self, press: Press) -> None:
        word, place = press.fields["word"], press.fields.get("place", "").strip()
        public: Public = (await press.view()).public
        try:
            early = too_early(public)
            if early:
                raise IllegalMove(early)
            if not place:
                await self._offer_places(press, public, word, places(public, word))
                return
            (row, col), across = parse_spot(place)
            if across is None:
                here = [play for play in places(public, word) if (play.row, play.col) == (row, col)]
                if here:
                    await self._offer_places(press, public, word, here)
                    return
            play = complete(public, word, row, col, bool(across))
        except IllegalMove as refusal:
            await self._refuse_word(press, public, str(refusal))
            return
        await self._preview(press, public, play)

    async def _refuse_word(self, press: Press, public: Public, reason: str) -> None:
        """Say why a word cannot be placed, and what there is to make another of."""
        told = "" if too_early(public) else f"\n{usable(public)}"
        around = spelled_out(replace(await self._private_hand(press), text=""))
        await press.refuse(f"{reason}{told}", word_form(public), around=around)

    async def _on_spot(self, press: Press) -> None:
        view: View = await press.view()
        await self._preview(press, view.public, unpacked(press.values[0]), elsewhere=True)

    async def _on_elsewhere(self, press: Press) -> None:
        public = await self._in_time(press)
        if public is not None:
            await self._offer_places(press, public, press.arg, places(public, press.arg))

    async def _on_propose(self, press: Press) -> None:
        play = unpacked(press.arg)

        async def again() -> None:
            public = await self._in_time(press)
            if public is not None:
                await self._preview(press, public, play)

        await self._propose(press, play, again=again)

    async def _on_noword(self, press: Press) -> None:
        proposal = (await press.view()).public.proposal
        if press.arg != "sure" and proposal is not None and not isinstance(proposal.matter, NoWord):
            shown = await press.shown()
            text = (
                f"{shown.names[proposal.seat]} proposes {matter_text(proposal.matter)}. Your proposal to form no word"
                " would take its place."
            )
            sure = Button("Propose no word", "noword", "sure", "bad", bound=True)
            await press.panel(Panel("Replace the proposal?", text, rows=((sure, RACK),)))
            return
        await self._propose(press, NoWord())

    async def _on_agree(self, press: Press) -> None:
        before: Public = (await press.view()).public
        if not await press.play(Agree()):
            return
        after: Public = (await press.view()).public
        came = "" if before.proposal is None else outcome(before, before.proposal.matter, after)
        await self._tell(press, f"You agreed. {came}".strip())

    async def _on_object(self, press: Press) -> None:
        if not await press.play(Object()):
            return
        if not press.arg:
            await self._tell(press, "You objected.")
            return
        public: Public = (await press.view()).public  # and on with what they were at work on
        if press.arg.startswith(ANYWHERE):
            word = press.arg.removeprefix(ANYWHERE)
            await self._offer_places(press, public, word, places(public, word))
        else:
            await self._preview(press, public, unpacked(press.arg))

    async def _on_withdraw(self, press: Press) -> None:
        if await press.play(Withdraw()):
            await self._tell(press, "You took your proposal back.")

    async def _on_ideas(self, press: Press) -> None:
        if await press.play(Ask()):
            await press.done("The team is thinking.")

    async def _on_discards(self, press: Press) -> None:
        public: Public = (await press.view()).public
        if public.phase != "discard":
            await press.refuse("Nothing has to be discarded now.")
            return
        excess = overflow(public)
        text = f"{counted(excess.owed, 'letter')} of those that tie for the highest value must go. Which?"
        menu = numbered("discard", f"Choose {counted(excess.owed, 'letter')}", excess.tied, excess.owed)
        await press.panel(Panel("Choose the discard", text, rows=(menu,)))

    async def _on_discard(self, press: Press) -> None:
        await self._propose(press, Discard(tuple(sorted(chosen(press)))))

    async def _on_more(self, press: Press) -> None:
        public: Public = (await press.view()).public
        free = public.referee == "guarded"
        used = bool(public.consulted) or (not free and public.hints > 0)
        mine = public.proposal is not None and public.proposal.seat == press.seat
        first = (
            Button("Consult the dictionary", "consult", disabled=used),
            Button("Hint", "hint", disabled=public.phase != "word" or (used and not free), bound=True),
            Button("Wildcards", "recast", disabled=not any(laid.wild for laid in public.laid)),
        )
        second = (
            Button("Take my proposal back", "withdraw", disabled=not mine, bound=True),
            Button("Rules", "rules"),
            Button("Admit defeat", "concede", style="bad"),
        )
        look = "Hints are free at this table; the dictionary answers one question a game."
        if not free:
            look = "Once a game the team may look one word up, or take a hint instead."
        text = look + (" That is used up." if used else "")
        row = table_row(paused=(await press.shown()).paused)
        await press.panel(Panel("More", text, rows=(first, second, row)))

    async def _on_consult(self, press: Press) -> None:
        await self._form(press, (await press.view()).public, CONSULT_FORM)

    async def _on_consulting(self, press: Press) -> None:
        if await press.play(Consult(press.fields["word"].strip().upper()), CONSULT_FORM):
            answer: View = await press.view()
            said = self.say(answer.public.consulted[-1], (await press.shown()).names)
            await self._answer(press, said or "")

    async def _on_hint(self, press: Press) -> None:
        view: View = await press.view()
        if view.public.phase != "word":
            await press.refuse("Hints are for forming a word.")
            return
        play: Play | None = await press.search("hint", view)
        if await press.play(Hint(play)):
            await self._answer(press, "Everyone sees the hint on the board.")

    async def _on_recast(self, press: Press) -> None:
        await press.form(RECAST_FORM)

    async def _on_recasting(self, press: Press) -> None:
        try:
            row, col = parse_square(press.fields["square"])
        except IllegalMove as refusal:
            await press.refuse(str(refusal), RECAST_FORM)
            return
        matter = Recast(((row, col, press.fields["letter"].strip().upper()),))
        await self._propose(press, matter, RECAST_FORM)

    async def _on_concede(self, press: Press) -> None:
        if press.arg != "sure":
            sure = Button("Propose to admit defeat", "concede", "sure", "bad")
            await press.panel(
                Panel("Admit defeat?", "The game ends as a failure if everyone agrees.", rows=((sure,),))
            )
            return
        await self._propose(press, Concede())

    async def _on_vouch(self, press: Press) -> None:
        await press.vote("attest", press.arg == "yes", carried=Attest(True), lost=Attest(False), least=2)

    async def _propose(
        self, press: Press, matter: Matter, form: Form | None = None, *, again: Callable[[], Awaitable[None]] | None = None,
    ) -> None:  # fmt: skip
        before: Public = (await press.view()).public
        if not await press.play(Propose(matter), form, again=again):
            return
        came = outcome(before, matter, (await press.view()).public)
        await self._tell(press, came or f"You proposed {matter_text(matter)}.")

    async def _offer_places(self, press: Press, public: Public, word: str, found: Sequence[Play]) -> None:
        if not found:
            await self._refuse_word(press, public, nowhere(public, word))
            return
        if public.referee == "guarded":
            legal = (await press.words()).legal
            allowed = [play for play in found if all(map(legal, changed_words(public, play)))]
            if not allowed:
                await self._refuse_word(press, public, _unknown(public, found, legal))
                return
            found = allowed
        if len(found) == 1:
            await self._preview(press, public, found[0])
            return
        view: View = await press.view()
        shown = await press.shown()
        buttons = (*self._objecting(public, press.seat, f"{ANYWHERE}{word.strip()}"), RACK)
        menu, everywhere = self._place_menu(public, found[:LISTED])
        text = f"It fits in {counted(len(found), 'place')}, marked where {found[0].word} begins."
        if len(found) > LISTED:
            text = f"It fits in {counted(len(found), 'place')}; these are the {LISTED} that bring most."
        await press.panel(
            spelled_out(
                Panel(
                    f"Where does {found[0].word} go?",
                    f"{text}{everywhere}",
                    picture=self._marked(view, shown, found[:LISTED]),
                    notes=self._meanwhile(public, shown, press.seat),
                    rows=(menu, buttons),
                )
            )
        )

    def _place_menu(self, public: Public, found: Sequence[Play]) -> tuple[Menu, str]:
        """Return the menu of places, each with what sets it apart, and what they have in common."""
        weighed = [facets(public, play) for play in found]
        common = [len(set(column)) == 1 for column in zip(*weighed, strict=True)]
        shared = [text for text, same in zip(weighed[0], common, strict=True) if same and text]
        choices = tuple(
            Choice(stretch(play), packed(play), _capital(" · ".join(apart)))
            for play, parts in zip(found, weighed, strict=True)
            for apart in [[text for text, same in zip(parts, common, strict=True) if text and not same]]
        )
        everywhere = f"\nEverywhere: {' · '.join(shared)}." if shared else ""
        return Menu("spot", "Choose a place", choices), everywhere

    def _marked(self, view: View, shown: Shown, found: Sequence[Play]) -> Picture:
        # The board, without what others have proposed, which would lie beside the marks.
        seen = replace(view, public=replace(view.public, proposal=None), seat=None, rack=(), mine=None)
        spots = tuple((play.row, play.col, play.across) for play in found)
        listing = ", ".join(spot((row, col), across) for row, col, across in spots)
        return Picture(
            "places.png",
            cut(f"The board; {found[0].word} may begin at {listing}.", LIMITS["alt"]),
            msgspec.msgpack.encode((seen, shown.drawn, spots)),
            lambda: render.defenders.board(seen, shown.drawn, spots),
        )

    async def _preview(self, press: Press, public: Public, play: Play, *, elsewhere: bool = False) -> None:
        """Show a play as it would lie; ``elsewhere``: there are other places for the word."""
        try:
            words = formed(public, play)
            if public.referee == "guarded":
                await press.check(changed_words(public, play))
        except IllegalMove as refusal:
            await self._refuse_word(press, public, str(refusal))
            return
        others = Button("Other places", "elsewhere", typed(play))
        lines = [
            f"**{play.word}** at {spot((play.row, play.col), play.across)}: {scored(words)}.",
            collects(public, play),
            picked(play),
            *(f"-# {text}" for text in warnings(public, play)),
        ]
        view: View = await press.view()
        shown = await press.shown()
        await press.panel(
            spelled_out(
                Panel(
                    "Propose this word?",
                    "\n".join(line for line in lines if line),
                    picture=self._ghost(view, shown, press.seat, play),
                    notes=self._meanwhile(view.public, shown, press.seat),
                    rows=(
                        (
                            Button("Propose", "propose", packed(play), "good", bound=True),
                            *self._objecting(view.public, press.seat, packed(play)),
                            *((others,) if elsewhere else ()),
                            Button("Another word", "word"),
                            RACK,
                        ),
                    ),
                )
            )
        )

    def _ghost(self, view: View, shown: Shown, seat: int, play: Play) -> Picture:
        # The board as everyone will see it once this is proposed.
        public = replace(view.public, proposal=Proposal(seat, play, view.public.since))
        seen = replace(view, public=public, seat=None, rack=(), mine=None)
        return Picture(
            "proposal.png",
            f"The board with {play.word} in outline at {spot((play.row, play.col), play.across)}.",
            msgspec.msgpack.encode((seen, shown.drawn)),
            lambda: render.defenders.board(seen, shown.drawn),
        )


class Defenders(commands.Cog):
    """The commands of the game; each does what a button does."""

    group = app_commands.Group(
        name="defenders",
        description="Defenders of the Dictionary: your moves",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
    )

    def __init__(self, router: Router, tables: Tables) -> None:
        self.router = router
        self.tables = tables

    async def cog_load(self) -> None:
        """Add ``/play defenders``."""

        @app_commands.command(
            name="defenders", description="Defenders of the Dictionary: save the city together"
        )
        @app_commands.describe(
            level="What you need to win; Beginner 1 by default",
            referee="When words are checked; for a beginner's goal at once, else at the end, unless you choose",
            pace="How long silence may last: a minute, or half a day",
            thread="Whether the table gets a thread of its own",
        )
        @app_commands.choices(
            level=[
                app_commands.Choice(
                    name=f"{aim.difficulty.capitalize()} {aim.level}: {aim.poi} points of interest,"
                    f" {aim.vp} Vocabulary Points",
                    value=f"{aim.difficulty}/{aim.level}",
                )
                for aim in GOALS
            ]
        )
        async def play(
            interaction: Interaction,
            level: str | None = None,
            referee: Literal["printed", "guarded"] | None = None,
            pace: Literal["live", "slow"] | None = None,
            thread: bool | None = None,
        ) -> None:
            difficulty, number = (level or "beginner/1").split("/")
            if referee is None and difficulty == "beginner":
                referee = "guarded"
            given = {"difficulty": difficulty, "level": int(number), "referee": referee, "pace": pace}
            chosen = {name: value for name, value in given.items() if value is not None}
            await self.tables.open(interaction, "defenders", chosen, thread=thread)

        self.tables.play.add_command(play)

    async def _do(
        self, interaction: Interaction, verb: str, table: int | None, arg: str = "", **fields: str
    ) -> None:
        await self.router.command(interaction, "defenders", verb, arg=arg, fields=fields, table=table)

    @group.command(name="contribute", description="Lay letters from your rack face down")
    @app_commands.describe(
        letters="One letter, or two with one or two players; * is a wildcard", table="Which table"
    )
    async def contribute(
        self, interaction: Interaction, letters: app_commands.Range[str, 1, 5], table: At | None = None
    ) -> None:
        """Contribute letters."""
        tiles = "".join(char for char in letters.upper().replace("?", WILD) if char.isalpha() or char == WILD)
        await self._do(interaction, "give", table, tiles)

    @group.command(name="word", description="Propose a word for the map")
    @app_commands.describe(
        word="Whole, as it will read on the map; CAR*S lays a wildcard as S",
        place="Where it begins, and which way",
    )
    async def word(
        self, interaction: Interaction, word: app_commands.Range[str, 1, 40],
        place: app_commands.Range[str, 1, 20] | None = None, table: At | None = None,
    ) -> None:  # fmt: skip
        """Look at a word before proposing it."""
        await self._do(interaction, "placing", table, word=word, place=place or "")

    @group.command(name="pass", description="Propose to form no word this round")
    async def noword(self, interaction: Interaction, table: At | None = None) -> None:
        """Propose no word."""
        await self._do(interaction, "noword", table)

    @group.command(name="agree", description="Agree to what is before the team")
    async def agree(self, interaction: Interaction, table: At | None = None) -> None:
        """Agree."""
        await self._do(interaction, "agree", table)

    @group.command(name="object", description="Object to what is before the team")
    async def object(self, interaction: Interaction, table: At | None = None) -> None:
        """Object."""
        await self._do(interaction, "object", table)

    @group.command(name="withdraw", description="Take your proposal back")
    async def withdraw(self, interaction: Interaction, table: At | None = None) -> None:
        """Withdraw."""
        await self._do(interaction, "withdraw", table)

    @group.command(name="ideas", description="Ask the team for ideas")
    async def ideas(self, interaction: Interaction, table: At | None = None) -> None:
        """Ask for ideas."""
        await self._do(interaction, "ideas", table)

    @group.command(name="discard", description="Propose which of the tied letters to discard")
    @app_commands.describe(letters="The letters, such as VW")
    async def discard(
        self, interaction: Interaction, letters: app_commands.Range[str, 1, 12], table: At | None = None
    ) -> None:
        """Propose a discard."""
        await self._do(
            interaction, "discard", table, "".join(char for char in letters.upper() if char.isalpha())
        )

    @group.command(name="consult", description="Look one word up; once a game")
    async def consult(
        self, interaction: Interaction, word: app_commands.Range[str, 2, 18], table: At | None = None
    ) -> None:
        """Consult the dictionary."""
        await self._do(interaction, "consulting", table, word=word)

    @group.command(name="hint", description="Ask me for a word that fits")
    async def hint(self, interaction: Interaction, table: At | None = None) -> None:
        """Ask for a hint."""
        await self._do(interaction, "hint", table)

    @group.command(name="wildcard", description="Propose to read a wildcard on the map as another letter")
    @app_commands.describe(square="Where it lies, such as E5", letter="What it stands for from now on")
    async def wildcard(
        self, interaction: Interaction, square: app_commands.Range[str, 2, 4],
        letter: app_commands.Range[str, 1, 1], table: At | None = None,
    ) -> None:  # fmt: skip
        """Propose a recast."""
        await self._do(interaction, "recasting", table, square=square, letter=letter)

    @group.command(name="concede", description="Propose to admit defeat")
    async def concede(self, interaction: Interaction, table: At | None = None) -> None:
        """Propose to concede."""
        await self._do(interaction, "concede", table)

    @word.autocomplete("place")
    async def _places(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer places that fit by geometry and letters alone; the dictionary stays silent."""
        try:
            table = await self.router.find(interaction, "defenders", interaction.namespace.table)
            view: View = await self.router.service.view(table.id, None)
            found = places(view.public, interaction.namespace.word or "")
        except IllegalMove:
            return []
        offers = [
            (
                spot((play.row, play.col), play.across),
                " · ".join(text for text in facets(view.public, play) if text),
            )
            for play in found
        ]
        return [
            app_commands.Choice(name=cut(f"{place} · {told}", 100), value=place)
            for place, told in offers
            if typed.lower() in place.lower()
        ][:25]
