"""Defenders of the Dictionary on Discord: its panels and texts, the ``/defenders`` commands.

Everything that is said comes from a view or an event as its reader may know it. Words are typed whole; which letters
are new and which tiles serve them is found by the rules (``complete``), and shown before it is proposed whenever the
bot had a choice or the play has a cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    formed,
    letters_on,
    overflow,
    warnings,
)
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
from cogs.wording import counted, listed, parse_spot, parse_square, spot, when

ROUNDS = 26
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
    "live": "Live pace is for a game in one sitting: a minute of silence is consent.",
    "slow": "Slow pace is for a game over days: half a day of silence is consent.",
}
GOALS = {"beginner": ((4, 60), (5, 70), (6, 80)), "intermediate": ((4, 70), (5, 80), (6, 90))}
REASONS = {
    "success": "Every word on the map is in the dictionary. Wordopolis is safe.",
    "illegal": "The goal was met, but the map holds what no dictionary knows: {words}.",
    "bag": "The villain bag is empty, and a letter was due.",
    "poi": "Too few points of interest are left above your last one.",
    "conceded": "The team admitted defeat.",
}


def cost(vp: int) -> str:
    """Return what was lost; with a score of 0 nothing is."""
    return f"{vp} VP lost" if vp else "no VP there to lose"


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


def places(public: Public, text: str) -> tuple[Play, ...]:
    """Return every way to lay the typed word by geometry and letters alone, dearest first."""
    found: list[tuple[int, Play]] = []
    for row in range(len(public.city.rows)):
        for col in range(len(public.city.rows[0])):
            for across in (True, False):
                try:
                    play = complete(public, text, row, col, across)
                except IllegalMove:
                    continue
                found.append((sum(word.vp for word in formed(public, play)), play))
    found.sort(key=lambda pair: (-pair[0], pair[1].row, pair[1].col, not pair[1].across))
    return tuple(play for _, play in found)


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
        return f"{word} needs {listed(lacking)}, which {verb} neither on the Commons Board nor on the map."
    return f"{word or 'That'} fits nowhere with the letters of the Commons Board and the map."


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


def picked(play: Play) -> str:
    """Return which special tiles the play lays, as a sentence, or nothing."""
    parts = []
    if play.villain is not None:
        parts.append(f"the villain letter {play.word[play.villain]}")
    parts += [f"a wildcard as {play.word[index]}" for index in play.wild]
    return f"Uses {listed(parts)}." if parts else ""


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
        return Panel(
            title=title,
            text="\n".join(said[-TOLD:]),
            picture=Picture(
                f"defenders-{public.round}.png",
                self.alt(view, shown.names),
                msgspec.msgpack.encode((view, shown.names)),
                lambda: render.defenders.board(view, shown.names),
            ),
            notes=self.due(view, shown),
            rows=self._board_rows(public),
            colour=self._colour(public),
        )

    def hand(self, view: View, shown: Shown) -> Panel:
        """Return the rack of ``view.seat``, with what that player may do with it."""
        public, rack = view.public, view.rack
        needed = 2 if public.seats < 3 else 1
        rows: tuple[Row, ...] = ()
        secret = f"-# {shown.where}. Yours alone: talk about what lies open, never about your rack."
        if public.phase == "over":
            text = "The game is over."
        elif view.seat is not None and not shown.humans[view.seat]:
            text = "An automaton plays for you. You may take your seat back at any time."
            rows = ((Button("Take my seat back", "return_seat", style="main"),),)
        elif view.mine is not None:
            text = f"You contributed **{' '.join(map(letter, view.mine))}**, a secret until all have contributed."
            rows = ((Button("Take it back", "undo"),),)
        elif public.phase == "contribute" and rack:
            text = f"The villain letter is **{public.villain}**. Choose {counted(needed, 'letter')} to contribute."
            rows = self._give_rows(rack, needed)
        else:
            text = "Letters are contributed when the next round begins."
        if shown.paused and public.phase != "over" and (view.seat is None or shown.humans[view.seat]):
            rows, text = (), f"{PAUSED}\n{text}"
        return Panel(
            title="Your rack",
            text=text,
            picture=Picture(
                "rack.png",
                f"Your rack: {', '.join(map(letter, rack)) or 'empty'}.",
                msgspec.msgpack.encode((view, shown.names)),
                lambda: render.defenders.rack(view, shown.names),
            ),
            notes=secret,
            rows=rows,
            colour=self._colour(public),
        )

    def due(self, view: View, shown: Shown) -> str:
        """Return what the table waits for."""
        public, names = view.public, shown.names
        if public.ended is not None:
            return "-# Another game: *Rematch*, or `/play defenders` for another table."
        if public.phase == "contribute":
            missing = [
                names[seat] for seat, sealed in enumerate(view.sealed) if not sealed and view.rack_sizes[seat]
            ]
            need = counted(2 if public.seats < 3 else 1, "letter")
            each = " each" if len(missing) > 1 else ""
            lines = [f"Waiting for {listed(missing)} to contribute {need}{each}."] if missing else []
        elif public.phase == "verify":
            lines = [
                f"The dictionary lacks {listed(public.doubts)}. Do all of you vouch that a dictionary has"
                f" {'it' if len(public.doubts) == 1 else 'them'}? Silence is a no{when(shown.due)}."
            ]
        elif public.phase == "discard":
            lines = ["Storage is full, and the dearest letters tie. Choose what to discard."]
        else:
            together = " together" if public.seats > 1 else ""
            lines = [f"Form a word{together} from the Commons Board, or none."]
        if public.proposal is not None:
            lines.append(self._proposal_text(public, shown))
        return "\n".join(lines)

    def alt(self, view: View, names: Sequence[str]) -> str:
        """Return all that the board's picture shows, in at most 1,024 characters, most telling first."""
        public = view.public
        goal = public.goal
        parts = [
            f"Round {public.round} of {ROUNDS}. {public.vp} of {goal.vp} VP, {len(public.collected)} of {goal.poi} POI."
        ]
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
        parts.append(f"POI left: {', '.join(left) or 'none'}.")
        if isinstance(public.proposal and public.proposal.matter, Play):
            parts.append("A proposed word is shown in outline.")
        bags = ", ".join(f"{name} {size}" for name, size in zip(names, view.bag_sizes, strict=True))
        parts.append(f"Bags: {bags}, villain {public.villain_left}.")
        parts.append(f"Maps: {public.city.hq_name} and {public.city.other_name}.")
        words = [f"{run.word} {spot((run.row, run.col), run.across)}" for run in runs(letters_on(public))]
        parts.append(
            f"On the map: {', '.join(words) or f'nothing; start at {square_name(public.city.start)}'}."
        )
        text = " ".join(parts)
        return text if len(text) <= 1024 else text[:1023] + "…"

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
                return f"POI {event.number or '?'} collected at {square_name((event.row, event.col))}."
            case Passed():
                return "No word this round."
            case Recasted():
                return self._recast_text(event.letters)
            case VillainLost():
                return f"The villain letter {event.letter} is left over: {cost(event.vp)}."
            case Discarded():
                return f"No room for {listed(map(letter, event.letters))}: {cost(event.vp)}."
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
        return f"{changes[0].upper()}{changes[1:]}."

    def _proposal_text(self, public: Public, shown: Shown) -> str:
        proposal, names = public.proposal, shown.names
        assert proposal is not None
        lines = [f"**Before the team:** {names[proposal.seat]} proposes {matter_text(proposal.matter)}."]
        if isinstance(proposal.matter, Play):
            lines.append(f"{scored(formed(public, proposal.matter))}. {picked(proposal.matter)}".rstrip())
            lines += [f"-# {text}" for text in warnings(public, proposal.matter)]
        if proposal.objected:
            who = listed(names[seat] for seat in proposal.objected)
            verb = "objects" if len(proposal.objected) == 1 else "object"
            lines.append(f"{who} {verb}, so it cannot pass. Agree after all, or propose something else.")
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

    def _board_rows(self, public: Public) -> tuple[Row, ...]:
        if public.phase == "over":
            return ()
        hand = Button("My rack", "hand", style="main" if public.phase == "contribute" else "plain")
        more = Button("More", "more")
        if public.phase == "verify":
            return (
                (
                    Button("A dictionary has them", "vouch", "yes", "good", bound=True),
                    Button("It does not", "vouch", "no", "bad", bound=True),
                ),
                (hand,),
            )
        first: tuple[Button, ...] = (hand, more)
        if public.phase == "word":
            first = (
                Button("Place a word", "word", style="main"),
                Button("No word", "noword", bound=True),
                Button("Ideas, please", "ideas", disabled=public.ideas or public.seats == 1, bound=True),
                hand,
                more,
            )
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
                f"{difficulty.capitalize()} {level}",
                f"{difficulty}/{level}",
                f"{poi} POI {'in rising order' if difficulty == 'intermediate' else 'in any order'} and {vp} VP",
                (options.difficulty, options.level) == (difficulty, level),
            )
            for difficulty, rows in GOALS.items()
            for level, (poi, vp) in enumerate(rows, 1)
        )
        maps = (
            Choice("Any second map", "any/any", "By chance", options.map == "any"),
            *(
                Choice(
                    f"{name.capitalize()} map, {side}",
                    f"{name}/{side}",
                    chosen=(options.map, options.map_side) == (name, side),
                )
                for name in ("north", "east", "south", "west")
                for side in ("day", "night")
            ),
        )
        edges = tuple(
            Choice(
                "At any edge of HQ" if edge == "any" else f"At HQ's {edge} edge",
                edge,
                chosen=options.edge == edge,
            )
            for edge in ("any", "north", "east", "south", "west")
        )
        sides = tuple(
            Choice("HQ day or night" if side == "any" else f"HQ {side}", side, chosen=options.hq_side == side)
            for side in ("any", "day", "night")
        )
        tables = tuple(
            Choice(
                f"{referee.capitalize()} referee, {pace} pace",
                f"{referee}/{pace}",
                {
                    "printed": "Words are checked at the end, as printed",
                    "guarded": "Words are checked at once, for beginners",
                }[referee]
                + {"live": "; silence lasts a minute", "slow": "; silence lasts half a day"}[pace],
                (options.referee, options.pace) == (referee, pace),
            )
            for referee in ("printed", "guarded")
            for pace in ("live", "slow")
        )
        return (
            Menu("set", "The goal", goals, "goal"),
            Menu("set", "The second map", maps, "map"),
            Menu("set", "Where it joins", edges, "edge"),
            Menu("set", "HQ's side", sides, "hq_side"),
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
        """Return the options in three lines."""
        poi, vp = GOALS[options.difficulty][options.level - 1]
        order = "in rising order" if options.difficulty == "intermediate" else "in any order"
        second = "any second map" if options.map == "any" else f"the {options.map} map"
        if options.map_side != "any":
            second += f" by {options.map_side}"
        edge = "any edge" if options.edge == "any" else f"the {options.edge} edge"
        side = "any side up" if options.hq_side == "any" else f"by {options.hq_side}"
        return (
            f"**{options.difficulty.capitalize()} {options.level}**: {poi} POI {order} and {vp} VP."
            f" *{options.referee.capitalize()}* referee, *{options.pace}* pace.\n"
            f"HQ {side}, with {second} at {edge}.\n"
            f"-# {PACES[options.pace]}"
        )

    def looking_up(self, options: Options) -> bool:
        """Whether its players may look words up: with the printed referee that is what a consultation is for."""
        return options.referee != "printed"

    # What is pressed

    async def _on_hand(self, press: Press) -> None:
        panel = self.hand(await press.view(), await press.shown())
        # Discord lets nobody but its reader touch a private panel, so it cannot follow the game.
        still = "-# This panel stays as it is. *My rack* shows the newest."
        await press.panel(msgspec.structs.replace(panel, notes=f"{panel.notes}\n{still}"))

    async def _on_give(self, press: Press) -> None:
        letters = chosen(press)
        if not await press.play(Contribute(letters)):
            return
        if press.private:
            await self._on_hand(press)
        else:
            await press.done(f"You contributed {listed(map(letter, letters))}.")

    async def _on_word(self, press: Press) -> None:
        public: Public = (await press.view()).public
        early = too_early(public)
        if early:
            await press.refuse(early)
            return
        await self._form(press, public, word_form(public))

    async def _form(self, press: Press, public: Public, form: Form) -> None:
        """Open a form; who types is told which proposal their silence lets pass meanwhile."""
        note = self._meanwhile(public, await press.shown(), press.seat)
        await press.form(replace(form, note=note))

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
            await press.refuse(str(refusal), word_form(public))
            return
        await self._preview(press, public, play)

    async def _on_spot(self, press: Press) -> None:
        view: View = await press.view()
        await self._preview(press, view.public, unpacked(press.values[0]))

    async def _on_propose(self, press: Press) -> None:
        await self._propose(press, unpacked(press.arg))

    async def _on_noword(self, press: Press) -> None:
        proposal = (await press.view()).public.proposal
        if press.arg != "sure" and proposal is not None and not isinstance(proposal.matter, NoWord):
            shown = await press.shown()
            text = (
                f"{shown.names[proposal.seat]} proposes {matter_text(proposal.matter)}. Your proposal to form no word"
                " would take its place."
            )
            sure = Button("Propose no word", "noword", "sure", "bad", bound=True)
            await press.panel(Panel("Replace the proposal?", text, rows=((sure,),)))
            return
        await self._propose(press, NoWord())

    async def _on_agree(self, press: Press) -> None:
        if await press.play(Agree()):
            await press.done("You agreed.")

    async def _on_object(self, press: Press) -> None:
        if not await press.play(Object()):
            return
        if not press.arg:
            await press.done("You objected.")
            return
        public: Public = (await press.view()).public  # and on with what they were at work on
        if press.arg.startswith(ANYWHERE):
            word = press.arg.removeprefix(ANYWHERE)
            await self._offer_places(press, public, word, places(public, word))
        else:
            await self._preview(press, public, unpacked(press.arg))

    async def _on_withdraw(self, press: Press) -> None:
        if await press.play(Withdraw()):
            await press.done("You took your proposal back.")

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

    async def _propose(self, press: Press, matter: Matter, form: Form | None = None) -> None:
        if await press.play(Propose(matter), form):
            await press.done(f"You proposed {matter_text(matter)}.")

    async def _offer_places(self, press: Press, public: Public, word: str, found: Sequence[Play]) -> None:
        if not found:
            await press.refuse(nowhere(public, word), word_form(public))
            return
        if len(found) == 1:
            await self._preview(press, public, found[0])
            return
        choices = tuple(
            Choice(spot((play.row, play.col), play.across), packed(play), self._cost(public, play))
            for play in found[:25]
        )
        more = f" The dearest 25 of {len(found)} are listed." if len(found) > 25 else ""
        buttons = self._objecting(public, press.seat, f"{ANYWHERE}{word.strip()}")
        menu = Menu("spot", "Choose a place", choices)
        await press.panel(
            Panel(
                f"Where does {found[0].word} go?",
                f"It fits in {counted(len(found), 'place')}.{more}",
                notes=self._meanwhile(public, await press.shown(), press.seat),
                rows=(menu, buttons) if buttons else (menu,),
            )
        )

    def _cost(self, public: Public, play: Play) -> str:
        return f"{scored(formed(public, play))}. {picked(play)}".rstrip()

    async def _preview(self, press: Press, public: Public, play: Play) -> None:
        try:
            words = formed(public, play)
            if public.referee == "guarded":
                await press.check(changed_words(public, play))
        except IllegalMove as refusal:
            await press.refuse(str(refusal), word_form(public))
            return
        lines = [
            f"**{play.word}** at {spot((play.row, play.col), play.across)}: {scored(words)}.",
            picked(play),
            *(f"-# {text}" for text in warnings(public, play)),
        ]
        view: View = await press.view()
        shown = await press.shown()
        await press.panel(
            Panel(
                "Propose this word?",
                "\n".join(line for line in lines if line),
                picture=self._ghost(view, shown, press.seat, play),
                notes=self._meanwhile(view.public, shown, press.seat),
                rows=(
                    (
                        Button("Propose", "propose", packed(play), "good", bound=True),
                        *self._objecting(view.public, press.seat, packed(play)),
                        Button("Another word", "word"),
                    ),
                ),
            )
        )

    def _ghost(self, view: View, shown: Shown, seat: int, play: Play) -> Picture:
        # The board as everyone will see it once this is proposed.
        public = replace(view.public, proposal=Proposal(seat, play, view.public.since))
        seen = replace(view, public=public, seat=None, rack=(), mine=None)
        return Picture(
            "proposal.png",
            f"The board with {play.word} in outline at {spot((play.row, play.col), play.across)}.",
            msgspec.msgpack.encode((seen, shown.names)),
            lambda: render.defenders.board(seen, shown.names),
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
            referee="When words are checked; at the end, as printed, by default",
            pace="How long silence may last: a minute, or half a day",
            thread="Whether the table gets a thread of its own",
        )
        @app_commands.choices(
            level=[
                app_commands.Choice(
                    name=f"{difficulty.capitalize()} {level}: {poi} POI, {vp} VP",
                    value=f"{difficulty}/{level}",
                )
                for difficulty, rows in GOALS.items()
                for level, (poi, vp) in enumerate(rows, 1)
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
            (spot((play.row, play.col), play.across), f"{scored(formed(view.public, play))}. {picked(play)}")
            for play in found
        ]
        return [
            app_commands.Choice(name=f"{place} · {cost}".strip()[:100], value=place)
            for place, cost in offers
            if typed.lower() in place.lower()
        ][:25]
