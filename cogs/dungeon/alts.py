"""The pictures of a dungeon in words, for who hears them: the map, the routes of all, the way that is shared.

Each says what its picture shows to the same viewer, in at most 1,024 characters, most telling first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.games.crossword import Square, square_name
from bot.games.dungeon.ground import Position
from bot.games.dungeon.placement import open_conditions
from bot.games.dungeon.scoring import tally
from bot.games.dungeon.state import Dungeon, Run, View
from bot.tables.face import LIMITS
from bot.tables.wording import counted, cut, listed
from cogs.dungeon import texts
from cogs.dungeon.places import here_of
from cogs.dungeon.sheet import facts


def board(view: View, names: Sequence[str]) -> str:
    """Return all that the picture of a map shows."""
    public, run = view.public, view.run
    dungeon = public.dungeon
    here = here_of(view)
    parts = [f"{dungeon.name}, {facts(dungeon)}."]
    if run is not None:
        parts.append(_run(dungeon, run, here))
    if run is None or (public.mode == "race" and view.seat is None):
        parts.append(texts.progress_text(view, names))
    if public.proposal is not None:
        parts.append(f"Proposed: {_plain(texts.matter_text(dungeon, here, public.proposal.matter))}.")
    parts += _things(dungeon, here)
    parts.append(f"Start {square_name(here.ground.start)}, exit {square_name(here.ground.exit)}.")
    parts.append(f"Rows, # rock: {' '.join(_rows(here))}.")
    return cut(" ".join(part for part in parts if part), LIMITS["alt"])


def routes(view: View, names: Sequence[str]) -> str:
    """Return what the picture of all routes shows."""
    dungeon = view.public.dungeon
    assert view.runs is not None
    lines = [f"{dungeon.name}: every route."]
    for seat, run in enumerate(view.runs):
        who = names[seat] if view.public.mode == "race" else listed(names)
        ended = "" if run.ended is None else _plain(texts.ended_text(dungeon, run.ended, who))
        lines.append(cut(f"{ended} {_words(run) or 'No word'}.", max(60, 900 // len(view.runs))))
    return cut(" ".join(lines), LIMITS["alt"])


def shared(view: View, name: str) -> str:
    """Return what a shared picture shows, which holds no letter."""
    dungeon, run = view.public.dungeon, view.run
    here = here_of(view)
    grid = "; ".join(
        "".join("#" if mark == "#" else "o" if (row, col) in here.laid or (row, col) in here.chests else "."
                for col, mark in enumerate(text))
        for row, text in enumerate(dungeon.rows)
    )  # fmt: skip
    ended = "" if run is None or run.ended is None else _plain(texts.ended_text(dungeon, run.ended, name))
    day = f" of {view.public.daily}" if view.public.daily else ""
    return cut(
        f"The way of {name} through {dungeon.name}{day}, without letters. {ended} By rows: {grid}.",
        LIMITS["alt"],
    )


def _run(dungeon: Dungeon, run: Run, here: Position) -> str:
    score = tally(dungeon, here).base
    if run.ended is not None:
        state = _plain(texts.ended_text(dungeon, run.ended, "This run"))
    else:
        state = f"{here.turns} of {counted(dungeon.turns, 'turn')} taken, worth {score} now, if one got out."
        shut = open_conditions(dungeon, here)
        state += f" Exit shut: {listed(shut)}." if shut else ""
    hints = f" {counted(run.hints, 'hint')}." if run.hints else ""
    return f"{state}{hints} Words: {_words(run) or 'none yet'}."


def _words(run: Run) -> str:
    return ", ".join(f"{place.word} {texts.place_of(place)}" for place in run.places)


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
        squares = ", ".join(square_name(square) for square in ground.marks[mark.mark])
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


def _plain(text: str) -> str:
    return text.replace("*", "")
