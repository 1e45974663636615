"""What people see of a game of Defenders: the board, the rack, the places of a word, forms and questions.

The rack in private is enough to play from: it has what its player may do now, and whatever is done there leads back to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from bot.games.crossword import runs, square_name
from bot.games.defenders.placement import formed, letters_on, overflow, warnings
from bot.games.defenders.rules import ROUNDS
from bot.games.defenders.state import WILD, Event, NoWord, Play, Proposal, Public, View
from bot.tables.face import (
    LIMITS,
    Button,
    Choice,
    Field,
    Form,
    Menu,
    Panel,
    Row,
    Shown,
    table_row,
)
from bot.tables.wording import capital, counted, cut, listed
from cogs.defenders import pictures, texts
from cogs.defenders.places import packed, typed
from cogs.grid import spot
from cogs.proposals import AGREE, OBJECT, answers

LISTED = LIMITS["choices"]  # places that a menu offers
TOLD = 6  # sentences above the board
ANYWHERE = "="  # before a typed word whose place is still to be chosen, as a button's argument
COLOURS = {
    "contribute": 0x3B82C4,
    "word": 0xD9902F,
    "discard": 0xB4513F,
    "verify": 0x8C5FB0,
    "over": 0x6B7280,
}
WON, LOST = 0x3F9D5A, 0xB4413F  # colours of a game that has ended
SHORT = (("VP", "Vocabulary Point", "Vocabulary Points"), ("POI", "point of interest", "points of interest"))

RACK = Button("My rack", "hand")
MORE = Button("More", "more")
RULES = Button("Rules", "rules")
FORMING = (Button("Place a word", "word", style="main"), Button("No word", "noword", bound=True))
DISCARDING = Button("Choose the discard", "discards", style="main")

CONSULT_FORM = Form(
    "Consult the dictionary",
    "consulting",
    (Field("word", "Word", "Once a game. Everyone hears the answer.", "CAD", most=20),),
)


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


def recast_form(public: Public) -> Form:
    """Return the form for a wildcard on the map; its examples are those that lie there."""
    wild = [laid for laid in public.laid if laid.wild]
    lie = cut(", ".join(f"{square_name((laid.row, laid.col))} reads {laid.letter}" for laid in wild), 100)
    square, letter = ("E5", "S") if not wild else (square_name((wild[0].row, wild[0].col)), wild[0].letter)
    return Form(
        "Read a wildcard anew",
        "recasting",
        (
            Field("square", "Square of the wildcard", lie, square, most=4),
            Field(
                "letter",
                "Letter it stands for from now on",
                placeholder="E" if letter == "S" else "S",
                most=1,
            ),
        ),
    )


def vouching(public: Public) -> Row:
    """Return the buttons with which each person says whether a dictionary has what is in doubt."""
    them = "it" if len(public.doubts) == 1 else "them"
    return (
        Button(f"A dictionary has {them}", "vouch", "yes", "good", bound=True),
        Button("No", "vouch", "no", "bad", bound=True),
    )


def spelled_out(panel: Panel) -> Panel:
    """Return the panel with each abbreviation explained where a number first goes with it."""
    told = f"{panel.text}\0{panel.notes}"
    for short, one, many in SHORT:
        counts = re.compile(rf"\b(\d+) {short}\b")
        again = f" ({short})" if len(counts.findall(told)) > 1 else ""
        told = counts.sub(lambda at: counted(int(at[1]), one, many) + again, told, count=1)  # noqa: B023
    text, notes = told.split("\0")
    return replace(panel, text=text, notes=notes)


# The board


def board(view: View, shown: Shown, told: Sequence[Event]) -> Panel:
    """Return the board for the channel."""
    public = view.public
    said = [text for event in texts.of_the_present(told) if (text := texts.say(event, shown.people))]
    goal = public.goal
    if public.round == 1 and public.phase != "over":
        said = [texts.aim(goal), *said[1 - TOLD :]]
    return spelled_out(
        Panel(
            title=f"Defenders of the Dictionary · {goal.difficulty} {goal.level} · round {public.round} of {ROUNDS}",
            text="\n".join(said[-TOLD:]),
            picture=pictures.board(view, shown),
            notes=texts.due(view, shown),
            rows=_board_rows(public, shown),
            colour=_colour(public),
        )
    )


def _board_rows(public: Public, shown: Shown) -> tuple[Row, ...]:
    if public.phase == "over":
        return ()
    rack = replace(RACK, style="main") if public.phase == "contribute" else RACK
    if shown.paused:  # nobody moves, and the host adds *Resume*
        return ((rack, MORE),)
    if public.phase == "verify":
        return (vouching(public), (rack,))
    first: tuple[Button, ...] = (rack, MORE)
    if public.round == 1 and public.phase == "contribute":
        first = (rack, MORE, RULES)
    if public.phase == "word":
        ideas = Button("Ideas, please", "ideas", disabled=public.ideas or all(shown.humans), bound=True)
        first = (*FORMING, ideas, rack, MORE)
    if public.phase == "discard":
        first = (DISCARDING, rack, MORE)
    return (*answers(public.proposal, None, public.seats), first)


def _colour(public: Public) -> int:
    if public.ended is not None:
        return WON if public.ended.won else LOST
    return COLOURS[public.phase]


# The rack


def hand(view: View, shown: Shown) -> Panel:
    """Return the rack of ``view.seat``, with what that player may do now."""
    return spelled_out(_refreshable(view, shown) if shown.still else _hand(view, shown))


def private_hand(view: View, shown: Shown, said: str = "") -> Panel:
    """Return the rack where it cannot follow the game by itself, below what has just been done."""
    panel = _refreshable(view, shown)
    return spelled_out(replace(panel, text="\n".join(part for part in (said, panel.text) if part)))


def hand_around(view: View, shown: Shown) -> Panel:
    """Return the rack as it stands around a refused word, whose reason tells what there is to do."""
    return spelled_out(replace(_refreshable(view, shown), text=""))


def _hand(view: View, shown: Shown) -> Panel:
    public = view.public
    text, rows = _task(view, shown)
    if public.phase != "over" and view.seat is not None and not shown.humans[view.seat]:
        text, rows = "", ()
    elif public.phase != "over" and shown.paused:
        rows = ()
    proposal = texts.proposal_text(public, shown, view.seat)
    secret = f"-# {shown.where}. Yours alone: talk about what lies open, never about your rack."
    return Panel(
        title="Your rack",
        text=text,
        picture=pictures.rack(view, shown),
        notes="\n".join(part for part in (proposal, secret) if part),
        rows=rows,
        colour=_colour(public),
    )


def _refreshable(view: View, shown: Shown) -> Panel:
    panel = _hand(view, shown)
    played_for = view.seat is not None and not shown.humans[view.seat]
    if shown.paused or played_for or view.public.phase == "over":
        return panel
    again = Button("Refresh", "hand")
    last = panel.rows[-1] if panel.rows else ()
    if isinstance(last, tuple) and all(button.verb != "give" for button in last):
        return replace(panel, rows=(*panel.rows[:-1], (*last, again)))
    return replace(panel, rows=(*panel.rows, (again,)))  # not among the letters


def _task(view: View, shown: Shown) -> tuple[str, tuple[Row, ...]]:
    """Return what the player of ``view.seat`` has to do now, and with what."""
    public = view.public
    stance = answers(public.proposal, view.seat, public.seats)
    match public.phase:
        case "over":
            return "The game is over.", ()
        case "verify":
            return texts.waiting(view, shown), (vouching(public),)
        case "discard":
            return texts.waiting(view, shown), (*stance, (DISCARDING,))
        case "word" if public.proposal is not None and public.proposal.seat == view.seat:
            return "Your proposal waits for the others.", (*stance, FORMING)
        case "word":
            text = (
                f"Form a word{texts.together(public)}, or none. {texts.usable(public)}\n"
                "-# Your rack is for later: letters are contributed when the next round begins."
            )
            return text, (*stance, FORMING)
        case "contribute":
            return _contribution(view, shown, stance)


def _contribution(view: View, shown: Shown, stance: tuple[Row, ...]) -> tuple[str, tuple[Row, ...]]:
    """Return what the player of ``view.seat`` has to contribute, or has contributed, and with what."""
    public, rack = view.public, view.rack
    if view.mine is not None:
        missing = texts.missing(view, shown.names)
        mine = listed(map(texts.tile, view.mine))
        text = f"You contributed **{mine}**, a secret until all have contributed. {missing}"
        return text.strip(), (*stance, (Button("Take it back", "undo"),))
    if not rack:
        return "Your rack is empty, so you contribute nothing this round.", stance
    text = (
        f"The villain letter is **{public.villain}**. Choose {counted(public.share, 'letter')} to contribute."
    )
    return text, (*stance, _letters_to_give(rack, public.share))


def _letters_to_give(rack: Sequence[str], needed: int) -> Row:
    if needed > 1 and len(rack) >= needed:
        return _numbered("give", f"Choose {needed} letters", rack, needed)
    kinds = sorted(set(rack), key=lambda tile: (tile == WILD, tile))
    return tuple(Button(texts.letter(kind).capitalize(), "give", kind, bound=True) for kind in kinds)


def _numbered(verb: str, placeholder: str, tiles: Sequence[str], count: int) -> Menu:
    """Return a menu of exactly ``count`` tiles; each value carries its place, so that equal ones can be chosen."""
    choices = tuple(
        Choice(texts.letter(tile).capitalize(), f"{index}{tile}")
        for index, tile in enumerate(tiles[: LIMITS["choices"]])
    )
    return Menu(verb, placeholder, choices, least=count, most=count, bound=True)


# A word before it is proposed


def choice_of_places(view: View, shown: Shown, word: str, found: Sequence[Play]) -> Panel:
    """Return the panel that asks where the word goes, as it was typed; ``found``: where it can, the best first."""
    offered = found[:LISTED]
    menu, everywhere = _place_menu(view.public, offered)
    text = f"It fits in {counted(len(found), 'place')}, marked where {found[0].word} begins."
    if len(found) > LISTED:
        text = f"It fits in {counted(len(found), 'place')}; these are the {LISTED} that bring most."
    return spelled_out(
        Panel(
            f"Where does {found[0].word} go?",
            f"{text}{everywhere}",
            picture=pictures.places(view, shown, offered),
            notes=texts.meanwhile(view, shown),
            rows=(menu, (*_objecting(view, f"{ANYWHERE}{word.strip()}"), RACK)),
        )
    )


def preview(
    view: View, shown: Shown, play: Play, *, elsewhere: bool = False, title: str = "", note: str = ""
) -> Panel:
    """Return a play as it would lie, to be proposed or, where it is before the team already, to be agreed to.

    ``elsewhere``: there are other places for the word. ``title`` and ``note`` say where the play comes from.

    Raises:
        IllegalMove: it cannot be laid.
    """
    public, proposal = view.public, view.public.proposal
    alone = public.seats == 1
    heading = "Lay this word?" if alone else "Propose this word?"
    offer: tuple[Button, ...] = (
        Button("Lay it" if alone else "Propose", "propose", packed(play), "good", bound=True),
    )
    if proposal is not None and proposal.matter == play:
        heading = "This is before the team already."
        offer = () if view.seat in proposal.agreed else (AGREE,)
    lines = (
        note,
        f"{texts.lies(play)}: {texts.scored(formed(public, play))}.",
        texts.collects(public, play),
        texts.picked(play),
        *(f"-# {text}" for text in warnings(public, play)),
        "-# Words are checked at the end." if public.referee == "printed" else "",
    )
    return spelled_out(
        Panel(
            title or heading,
            "\n".join(line for line in lines if line),
            picture=pictures.ghost(view, shown, play),
            notes=texts.meanwhile(view, shown),
            rows=(
                (
                    *offer,
                    *_objecting(view, packed(play)),
                    *((Button("Other places", "elsewhere", typed(play)),) if elsewhere else ()),
                    Button("Another word", "word"),
                    RACK,
                ),
            ),
        )
    )


def _place_menu(public: Public, found: Sequence[Play]) -> tuple[Menu, str]:
    """Return the menu of places, each with what sets it apart, and what they have in common."""
    weighed = [texts.facets(public, play) for play in found]
    common = [len(set(column)) == 1 for column in zip(*weighed, strict=True)]
    shared = [text for text, same in zip(weighed[0], common, strict=True) if same and text]
    choices = tuple(
        Choice(texts.stretch(play), packed(play), capital(" · ".join(apart)))
        for play, parts in zip(found, weighed, strict=True)
        for apart in [[text for text, same in zip(parts, common, strict=True) if text and not same]]
    )
    everywhere = f"\nEverywhere: {' · '.join(shared)}." if shared else ""
    return Menu("spot", "Choose a place", choices), everywhere


def _objecting(view: View, arg: str = "") -> tuple[Button, ...]:
    """Return the button to object to another's proposal; ``arg`` says what to show again afterwards."""
    proposal = view.public.proposal
    if proposal is None or view.seat == proposal.seat or view.seat in proposal.objected:
        return ()
    return (replace(OBJECT, arg=arg),)


# Questions and answers


def answer(text: str, view: View, shown: Shown) -> Panel:
    """Return the answer to a question about words, with what is before the team meanwhile."""
    buttons = _objecting(view)
    return Panel(text, texts.meanwhile(view, shown), rows=(buttons,) if buttons else ())


def more(view: View, shown: Shown) -> Panel:
    """Return what is rarely wanted."""
    public = view.public
    free = public.referee == "guarded"
    used = bool(public.consulted) or (not free and public.hints > 0)
    mine = public.proposal is not None and public.proposal.seat == view.seat
    first = (
        Button("Consult the dictionary", "consult", disabled=used),
        Button("Hint", "hint", disabled=public.phase != "word" or (used and not free), bound=True),
        Button(
            "Wildcards",
            "recast",
            disabled=public.phase != "word" or not any(laid.wild for laid in public.laid),
        ),
    )
    second = (
        Button("Take my proposal back", "withdraw", disabled=not mine, bound=True),
        RULES,
        Button("Admit defeat", "concede", style="bad"),
    )
    look = "Hints are free at this table; the dictionary answers one question a game."
    if not free:
        look = "Once a game the team may look one word up, or take a hint instead."
    text = look + (" That is used up." if used else "")
    return Panel("More", text, rows=(first, second, table_row(paused=shown.paused)))


def choice_of_discard(public: Public) -> Panel:
    """Return the panel that asks which of the tied letters to discard."""
    excess = overflow(public)
    need = counted(excess.owed, "letter")
    menu = _numbered("discard", f"Choose {need}", excess.tied, excess.owed)
    return spelled_out(Panel("Choose the discard", texts.owed(public), rows=(menu,)))


def passing(public: Public) -> Panel:
    """Return the question whether who plays alone forms no word, with what that costs."""
    text = "\n".join(warnings(public, NoWord())) or "That costs nothing this round."
    sure = Button("No word", "noword", "sure", "good", bound=True)
    return spelled_out(Panel("Form no word this round?", text, rows=((sure, RACK),)))


def replacing(proposal: Proposal, seat: int, names: Sequence[str], *, ideas: bool = False) -> Panel:
    """Return the question whether no word, or with ``ideas`` an automaton's, shall take the place of a proposal."""
    who = "You propose" if proposal.seat == seat else f"{names[proposal.seat]} proposes"
    other = "An automaton’s idea" if ideas else "Your proposal to form no word"
    text = f"{who} {texts.matter_text(proposal.matter)}. {other} would take its place."
    sure = Button("Propose no word", "noword", "sure", "bad", bound=True)
    if ideas:
        sure = Button("Ask for ideas", "ideas", "sure", "bad", bound=True)
    return Panel("Replace the proposal?", text, rows=((sure, RACK),))


def conceding() -> Panel:
    """Return the question whether to admit defeat."""
    sure = Button("Propose to admit defeat", "concede", "sure", "bad")
    text = "The game ends as a failure once everyone has agreed. Silence is no consent to that."
    return Panel("Admit defeat?", text, rows=((sure,),))
