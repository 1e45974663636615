"""What people see of a dungeon: the board, one's map, what a word asks of its player, and what is shared.

In a race the channel sees how far all have come; the maps are their players' own. A party has its one map on the board. A solo is
one private panel, which is the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.games.crossword import runs
from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.placement import Strikes
from bot.games.dungeon.rules import majority
from bot.games.dungeon.state import Dungeon, Event, Hinted, Place, Public, TimeRanOut, View
from bot.tables.face import LIMITS, Button, Choice, Field, Form, Menu, Panel, Row, Shown, table_row
from bot.tables.wording import counted, cut, when
from cogs.dungeon import pictures, texts
from cogs.dungeon.daily import day_of, end_of, spoken
from cogs.dungeon.naming import following
from cogs.dungeon.places import best_first, first_spot, here_of, packed, strikable
from cogs.dungeon.sheet import sheet, welcome
from cogs.grid import spot
from cogs.proposals import WITHDRAW, answers

TOLD = 6  # sentences above the board
WAYS = 4  # to strike that are buttons; more are in a menu
RUNNING, WON, LOST = 0x3B82C4, 0x3F9D5A, 0x6B7280  # colours
TODAY, ALONE, RESULTS = "dungeon_daily", "dungeon_solo", "dungeon_board"  # verbs that mean no table
MOVING = frozenset({"word", "back", "hint", "give_up", "agree", "object", "withdraw", "lay", "spot"})
TO_THE_MAP = Button("Back to the map", "hand")


def word_form(view: View, filled: Place | None = None) -> Form:
    """Return the form for a word, ``filled`` with one; its examples fit the map as it is."""
    here = here_of(view)
    lie = runs(here.letters) if here.turns else ()
    example = spot((lie[-1].row, lie[-1].col), lie[-1].across) if lie else first_spot(here.ground)
    word, place = ("", "") if filled is None else (filled.word, texts.place_of(filled))
    return Form(
        "Place a word",
        "placing",
        (
            Field("word", "Word", "Whole, as it will read on the map.", "HELPER", word, most=20),
            Field(
                "place",
                "Place",
                "First square and way. Leave it empty to see where it fits.",
                example,
                place,
                required=False,
            ),
        ),
        bound=view.public.mode != "party",
    )


# The board


def board(view: View, shown: Shown, told: Sequence[Event]) -> Panel:
    """Return the board for the channel."""
    public = view.public
    dungeon = public.dungeon
    text, notes = "", [_due(view, shown)]
    if public.over:
        notes.insert(0, _outcome(view, shown, told))
    else:
        said = [one for event in told if (one := texts.say(event, shown.people, dungeon))]
        text = "\n".join(said[-TOLD:] or [welcome(dungeon)])
    rows = (*_board_rows(view), *_hinted_row(view, told))
    return Panel(
        title=f"{dungeon.name} · {public.mode}"
        + (f" · daily {spoken(public.daily)}" if public.daily else ""),
        text=text,
        picture=pictures.public(view, shown),
        notes="\n".join(note for note in notes if note),
        rows=_resting(rows) if shown.paused else rows,
        colour=_colour(view),
    )


def _due(view: View, shown: Shown) -> str:
    """Return what the table waits for."""
    public = view.public
    if public.over:
        return "-# Another game: *Rematch*, `/play dungeon`, or `/dungeon solo` alone."
    if public.mode == "party":
        return _due_in_party(view, shown)
    who = f"Inside: {texts.inside(view, shown.names)}. "
    if public.mode == "solo":
        return f"{who}The map is behind *My map*."
    return f"{who}{texts.clock_text(public, shown.due)}\n-# Your own map is behind *My map*, and in my message to you."


def _due_in_party(view: View, shown: Shown) -> str:
    public = view.public
    if public.proposal is not None:
        return texts.proposal_text(public, here_of(view), shown.names)
    stand = "" if view.run is None else texts.standing(public.dungeon, view.run)
    small = "\n".join(f"-# {line}" for line in stand.splitlines())  # a notice says only what is waited for
    if public.seats == 1:
        return small
    need = majority(public.seats)
    return f"Anyone proposes a word; it is laid when {need} of {public.seats} agree.\n{small}"


def _outcome(view: View, shown: Shown, told: Sequence[Event]) -> str:
    """Return how the game ended, for everyone."""
    public, names = view.public, shown.people
    late = [texts.say(event, names) for event in told if isinstance(event, TimeRanOut)]
    ended = view.progress[0].ended
    if public.mode == "race":
        lines = [*late[-1:], texts.ranking(view, names)]
    elif ended is None:
        lines = []
    elif public.mode == "party":
        lines = [texts.result_text(public.dungeon, ended, 0, "The party")]
        if view.run is not None:
            lines.append(f"Words: {texts.words_of(view.run)}.")
    else:
        lines = [texts.result_text(public.dungeon, ended, view.progress[0].hints, names[0])]
    return "\n".join(line for line in lines if line)


def _board_rows(view: View) -> tuple[Row, ...]:
    public = view.public
    if public.over:
        return ()
    if public.mode == "party":
        return _party_rows(view)
    return ((Button("My map", "hand", style="main"), Button("Place a word", "word"), Button("More", "more")),)


def _hinted_row(view: View, told: Sequence[Event]) -> tuple[Row, ...]:
    """Return the row with which anybody in a party proposes what the latest turn, a hint, has named."""
    match (view.public, told[-1:]):
        case Public(mode="party", over=False, proposal=None), [Hinted(place=Place() as place)]:
            return ((taking(view.public.dungeon, place, "Propose"),),)
    return ()


def taking(dungeon: Dungeon, place: Place, act: str) -> Button:
    """Return the button that follows a hint; ``act`` is how."""
    label = f"{act} {place.word}" + (" and leave" if texts.leaves(dungeon, place) else "")
    return Button(label, "lay", packed(place), "good", bound=True)


def _party_rows(view: View) -> tuple[Row, ...]:
    public = view.public
    begun = view.run is not None and bool(view.run.places)
    first = (
        Button("Place a word", "word", style="main"),
        Button("Undo turn", "back", bound=True, disabled=not begun),
        Button("Hint", "hint", bound=True),
        Button("More", "more"),
    )
    return (*answers(public.proposal, view.seat, public.seats), first)


def _resting(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the rows with nothing in them that moves, for a table that is paused."""
    return tuple(
        tuple(replace(button, disabled=button.disabled or button.verb in MOVING) for button in row)
        if isinstance(row, tuple)
        else row
        for row in rows
    )


def _colour(view: View) -> int:
    ended = view.run.ended if view.run is not None else None
    if ended is None and view.public.over:
        ended = next((one.ended for one in view.progress if one.ended and one.ended.how == "out"), None)
        return WON if ended is not None else LOST
    if ended is None:
        return RUNNING
    return WON if ended.how == "out" else LOST


# One's map


def hand(view: View, shown: Shown) -> Panel:
    """Return the map of ``view.seat`` with what that player may do: in solo the whole game."""
    notes, rows = _hand_notes(view, shown), _hand_rows(view)
    if shown.paused and not view.public.over:
        rows = _resting(rows)
    return Panel(
        title=_hand_title(view),
        text=_hand_text(view),
        picture=pictures.board(view, shown),
        notes="\n".join(note for note in notes if note),
        rows=rows,
        colour=_colour(view),
    )


def _hand_title(view: View) -> str:
    public = view.public
    name = public.dungeon.name
    if public.daily:
        return f"{name} · daily {spoken(public.daily)}"
    if public.mode != "solo":
        return f"{name} · {public.mode}"
    return name if public.dungeon.key in DUNGEONS else f"{name} · practice"


def _hand_text(view: View) -> str:
    """Return what stands above the map: of what kind the dungeon is, until the first word lies there."""
    public, run = view.public, view.run
    if public.over and public.mode == "race":
        return ""
    if run is not None and (run.ended is not None or (run.places and not public.over)):
        return ""
    return welcome(public.dungeon)


def _hand_notes(view: View, shown: Shown) -> list[str]:
    """Return what stands below the map, where whoever presses buttons looks."""
    public = view.public
    notes = _hand_standing(view, shown)
    if public.proposal is not None:
        notes.append(texts.proposal_text(public, here_of(view), shown.names))
    if public.mode == "race" and not public.over:
        notes.append(_waiting(view, shown))
    return [*notes, _where(view, shown)]


def _hand_standing(view: View, shown: Shown) -> list[str]:
    """Return how the viewer's run stands or ended; of a race that is over, how everyone's did."""
    public, run = view.public, view.run
    dungeon = public.dungeon
    if public.over and public.mode == "race":
        return [texts.ranking(view, shown.people)]
    if run is not None and run.ended is not None:
        return [texts.result_text(dungeon, run.ended, run.hints)]
    if run is None or public.over:
        return []
    last = [f"Last turn: {texts.last_turn(dungeon, run.places)}"] if run.places else []
    return [*last, texts.standing(dungeon, run)]


def _waiting(view: View, shown: Shown) -> str:
    """Return when a race ends, or for whom it waits when the viewer's own run has ended."""
    if view.run is None or view.run.ended is None:
        return texts.clock_text(view.public, shown.due)
    return f"Waiting for {texts.inside(view, shown.names)}; the result comes on the board."


def _where(view: View, shown: Shown) -> str:
    """Return where the game goes on: which table it is, and how this panel is found again."""
    public = view.public
    if public.mode == "party":
        return f"-# {shown.where}. This panel stays as it is; the board follows the game."
    if public.over and public.mode == "solo":
        return "-# *Share* shows your way in the channel, without letters." if texts.escaped(view.run) else ""
    if public.over:
        return f"-# {shown.where}. *Rematch* is on its board; `/dungeon solo` is for you alone."
    if public.daily:
        return f"-# Table {shown.table}. Yours alone; `/dungeon daily` brings it back. The next one opens{when(end_of(public.daily))}."
    if public.mode == "solo":
        return (
            f"-# Table {shown.table}. Yours alone, for as long as you like; `/dungeon show` brings it back."
        )
    return f"-# {shown.where}. Your map is yours alone until the race is over."


def _hand_rows(view: View) -> tuple[Row, ...]:
    public, run = view.public, view.run
    if public.over and public.mode == "solo":
        return (_afterwards(view),)
    if public.over or run is None or run.ended is not None:
        return ((Button("Rules", "sheet"), Button("Log", "log")),)
    if public.mode == "party":
        return _party_rows(view)
    return (
        (
            Button("Place a word", "word", style="main"),
            Button("Undo turn", "back", bound=True, disabled=not run.places),
            Button("Hint", "hint", bound=True),
            Button("Give up", "give_up"),
            Button("Rules", "sheet") if public.mode == "solo" else Button("More", "more"),
        ),
    )


def _afterwards(view: View) -> tuple[Button, ...]:
    """Return what a solo that is over leads to."""
    public = view.public
    shipped = public.dungeon.key in DUNGEONS and not public.daily
    escaped = texts.escaped(view.run)
    buttons = [Button("Share", "share", style="main")] if escaped else []
    if public.daily:
        buttons.append(Button("Today’s results", RESULTS, public.daily))
    if shipped:
        buttons.append(Button("Again", ALONE, public.dungeon.key, "plain" if escaped else "main"))
    after = following(public.dungeon) if shipped else None
    if after is not None:
        buttons.append(Button("Next dungeon", ALONE, after.key, "good"))
    else:
        buttons.append(Button("Another dungeon", ALONE, style="plain" if escaped else "main"))
    buttons.append(Button("Log", "log"))
    return tuple(buttons)


# What a word asks of its player


def choice_of_places(view: View, shown: Shown, found: Sequence[Place]) -> Panel:
    """Ask where a word is to go; the best places come first."""
    word, here = found[0].word, here_of(view)
    told = best_first(view.public.dungeon, here, found)
    told = told[: LIMITS["choices"]]
    choices = tuple(
        Choice(
            f"{number} · {texts.place_of(place)}",
            packed(place),
            texts.effect_line(deed, strikable(here, place)),
        )
        for number, (place, deed) in enumerate(told, 1)
    )
    starts = tuple(((place.row, place.col), place.across) for place, _ in told)
    more = f" The best {LIMITS['choices']} are listed." if len(found) > LIMITS["choices"] else ""
    return Panel(
        f"Where does {word} go?",
        picture=pictures.numbered(view, shown, starts),
        notes=f"**{word}** fits in {counted(len(found), 'place')}, numbered on the map.{more}",
        rows=(
            Menu("spot", "Choose a place", choices, bound=True),
            (Button("Another word", "word"), TO_THE_MAP),
        ),
    )


def choice_of_strikes(view: View, shown: Shown, place: Place, ways: Sequence[Strikes]) -> Panel:
    """Ask whom a word is to strike; the best way comes first."""
    here = here_of(view)
    act = "propose" if view.public.mode == "party" else "lay"
    options = [(texts.strikes_text(here, way), packed(replace(place, strikes=way))) for way in ways]
    first = tuple(
        Button(cut(label, LIMITS["label"]), "lay", value, "plain" if number else "good", bound=True)
        for number, (label, value) in enumerate(options[:WAYS])
    )
    rows: list[Row] = [first]
    if len(options) > WAYS:
        rest = tuple(Choice(label, value) for label, value in options[WAYS : WAYS + LIMITS["choices"]])
        rows.append(Menu("lay", "Other ways to strike", rest, bound=True))
    rows.append((Button("Another word", "word"), TO_THE_MAP))
    return Panel(
        f"Whom does {place.word} strike?",
        picture=pictures.ghost(view, shown, place),
        notes=f"{texts.lies(place)} can strike in {counted(len(ways), 'way')}. Choose one to {act} it.",
        rows=tuple(rows),
    )


# Asking first, a hint, and what is rarely wanted


def first_hint() -> Panel:
    """Ask whether a run is to be marked for its first hint."""
    sure = Button("Show me a word", "hint", "sure", "main", bound=True)
    text = "It costs no points, but your run is marked with a lamp from then on, for everyone to see."
    return Panel("Take a hint?", text, rows=((sure, TO_THE_MAP),))


def hint(asked: View, now: View, shown: Shown, place: Place | None) -> Panel:
    """Return one's map with a hint on it.

    Args:
        asked: what was seen when the hint was asked for, to which it belongs.
        now: what is seen since.
        place: the word, or None where none was found.
    """
    dungeon, here, around = asked.public.dungeon, here_of(asked), hand(now, shown)
    party = now.public.mode == "party"
    if party:  # the board goes on, and a copy of it would grow old here
        around = Panel("A hint for the party", notes="-# The board names it, too." if place else "")
    if place is None:
        return replace(around, notes=f"{texts.no_hint(here)}\n{around.notes}".rstrip())
    lay = (taking(dungeon, place, "Propose" if party else "Lay"),)
    notes = f"{texts.hint_text(dungeon, here, place)}\n{around.notes}"
    return replace(around, notes=notes, picture=pictures.ghost(asked, shown, place), rows=(lay, *around.rows))


def giving_up(view: View) -> Panel:
    """Ask whether somebody means to give up."""
    sure = Button("Give up", "give_up", "sure", "bad", bound=True)
    text = "You leave the way you came, with 0 points. *Undo turn* takes turns back as often as you like."
    if view.public.daily:
        text += " It counts as your attempt of the day."
    if view.public.mode == "party":
        text = "The party leaves with 0 points, if a majority agrees."
    return Panel("Give up?", text, rows=((sure, TO_THE_MAP),))


def more(view: View, shown: Shown) -> Panel:
    """Return what the seat rarely wants."""
    public = view.public
    first = [Button("This dungeon", "sheet"), Button("How to play", "rules", "more")]
    second = table_row(paused=shown.paused, undo=False)
    if public.mode == "party":
        mine = public.proposal is not None and public.proposal.seat == view.seat
        first.insert(0, replace(WITHDRAW, disabled=not mine))
        second = (Button("Give up", "give_up", style="bad"), *second)
    elif not public.over:
        first.insert(0, Button("My map", "hand", style="main"))
    return Panel("More", "", rows=(tuple(first), second))


def special(dungeon: Dungeon, *, at_table: bool = False) -> Panel:
    """Return what is special about a dungeon; ``at_table``: with the way back to its map."""
    back = (
        replace(TO_THE_MAP, style="main"),
        Button("How to play", "rules", "sheet"),
        Button("More", "more"),
    )
    return Panel(dungeon.name, sheet(dungeon), rows=(back,) if at_table else ())


# What is shared


def shared_panel(view: View, shown: Shown) -> Panel:
    """Return what everyone may see of a solo that is over: the way without letters, and the score."""
    public, run = view.public, view.run
    dungeon = public.dungeon
    assert run is not None
    assert run.ended is not None
    who = shown.people[view.seat or 0]
    day = public.daily or day_of(dungeon)
    kind, about = "", "Try it yourself."
    if public.daily:
        kind, about = f" · daily {spoken(day)}", "The dungeon of the day, the same for everyone."
    elif dungeon.key not in DUNGEONS:
        kind = " · practice"
        about = f"A practice run; it was the dungeon of {spoken(day)}." if day else "A practice run."
    verb, arg = (TODAY, day) if kind else (ALONE, dungeon.key)
    return Panel(
        title=f"{dungeon.name}{kind}",
        picture=pictures.way(view, shown),
        notes=f"{texts.ended_text(dungeon, run.ended, who, run.hints)}\n-# {about}",
        rows=((Button("Play it", verb, arg, "main"),),),
        colour=WON if run.ended.how == "out" else LOST,
    )
