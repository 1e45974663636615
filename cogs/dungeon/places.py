"""Where a typed word can go: where it is meant, where it fits and why nowhere, whom it can strike, a place as a button's argument.

Words are checked as they are placed, so what is told here of a word is what laying it would tell.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from bot.games.dungeon.ground import Ground, Position
from bot.games.dungeon.placement import (
    Strikes,
    check,
    check_word,
    deeds,
    fit,
    laid,
    places,
    position,
    read,
    thrifty_strikes,
)
from bot.games.dungeon.state import Deeds, Dungeon, Place, View
from bot.games.game import IllegalMove, Words
from bot.words.lexicon import Lexicon
from cogs.grid import parse_spot, spot


def packed(place: Place) -> str:
    """Return a place as a button's argument (the inverse of ``unpacked``)."""
    strikes = "" if place.strikes is None else "-".join(map(str, place.strikes))
    return f"{place.word}.{place.row}.{place.col}.{'a' if place.across else 'd'}.{strikes}"


def unpacked(text: str) -> Place:
    """Return the place of a button's argument."""
    word, row, col, way, strikes = text.split(".")
    hits = tuple(int(count) for count in strikes.split("-")) if strikes else None
    return Place(word, int(row), int(col), way == "a", hits)


def here_of(view: View) -> Position:
    """Return where the viewer's run stands; before the first turn where there is none to be seen."""
    return position(view.public.dungeon, view.run.places if view.run is not None else ())


def check_inside(view: View) -> None:
    """Raise IllegalMove unless the viewer's run goes on."""
    if view.public.over:
        raise IllegalMove("This dungeon is done.")
    if view.run is None or view.run.ended is not None:
        raise IllegalMove("You are no longer in the dungeon.")


# What is typed


def typed(text: str) -> str:
    """Return what somebody typed as a word: upper case, accents folded; what is no word stays, to be refused as it is."""
    return Lexicon.fold(text) or text.strip().upper()


def meant(view: View, judge: Words, word: str, where: str, strikes: str) -> tuple[Place, ...]:
    """Return the places that somebody may mean who typed a word: one, or those to choose from.

    Args:
        where: first square and way; nothing, or a square alone, leaves open what fits.
        strikes: whom to strike; nothing leaves it open.

    Raises:
        IllegalMove: it fits nowhere, or cannot be read.
    """
    dungeon, here = view.public.dungeon, here_of(view)
    check_word(here, word, judge)  # what is wrong with it anywhere is told before where it fits
    if not where.strip():
        found = fitting(dungeon, here, word, judge)
        if not found:
            raise IllegalMove(nowhere(dungeon, here, word, judge))
    else:
        square, across = parse_spot(where)
        found = tuple(Place(word, *square, way) for way in (True, False) if across in (None, way))
        if across is None:
            fits = fitting(dungeon, here, word, judge)
            # Where neither way fits, that of reading is refused: it says why.
            found = tuple(place for place in fits if (place.row, place.col) == square) or found[:1]
    if strikes.strip():
        hits = _parsed_strikes(dungeon, strikes)
        found = tuple(replace(place, strikes=hits) for place in found)
    return found


def _parsed_strikes(dungeon: Dungeon, text: str) -> Strikes | None:
    """Return strikes that somebody typed, such as ``GIANT 2, OGRE 1``; raises IllegalMove."""
    if text.strip().casefold() == "none":
        return (0,) * len(dungeon.monsters)
    parts = [" ".join(part.split()) for part in text.upper().split(",")]
    try:
        return read(dungeon, f"AA A1 across | {', '.join(parts)}").strikes
    except ValueError as error:
        raise IllegalMove("Strikes read like this: GIANT 2, OGRE 1.") from error


# What fits


def fitting(dungeon: Dungeon, here: Position, word: str, judge: Words) -> tuple[Place, ...]:
    """Return the places at which a word may be laid now: those at which some way to strike is allowed."""
    return tuple(
        place for place in places(dungeon, here, word, judge) if _allowed(dungeon, here, place, judge)
    )


def _allowed(dungeon: Dungeon, here: Position, place: Place, judge: Words) -> bool:
    try:
        ways_to_strike(dungeon, here, place, judge)
    except IllegalMove:
        return False
    return True


def best_first(dungeon: Dungeon, here: Position, found: Iterable[Place]) -> list[tuple[Place, Deeds]]:
    """Return places with what a word would do there, by the points that it would win."""
    told = [(place, deeds(dungeon, laid(here, place), place)) for place in found]
    return sorted(told, key=lambda one: -one[1].points)


def nowhere(dungeon: Dungeon, here: Position, word: str, judge: Words) -> str:
    """Return why a word that is good by itself can be laid nowhere: by what forbids it wherever it fits, else at one place."""
    refusals: dict[str, str] = {}  # with the first place of each
    for row, text in enumerate(dungeon.rows):
        for col in range(len(text)):
            for across in (True, False):
                try:
                    fit(here, word, row, col, across)
                except IllegalMove:
                    continue
                try:
                    ways_to_strike(dungeon, here, Place(word, row, col, across), judge)
                except IllegalMove as refusal:
                    refusals.setdefault(str(refusal), spot((row, col), across))
    if len(refusals) == 1:
        return next(iter(refusals))
    for reason, where in refusals.items():
        return f"{word} fits nowhere. At {where}: {reason}"
    if not here.turns:
        return f"{word} fits nowhere so that it passes through the start."
    return f"{word} fits nowhere: no place joins it to your words and leaves their letters as they are."


def first_spot(ground: Ground) -> str:
    """Return where a first word has room, as an example: from the start on, or up to it."""
    row, col = ground.start
    for square, across in (((row, col + 1), True), ((row + 1, col), False)):
        if ground.open(square):
            return spot(ground.start, across)
    for step_row, step_col, across in ((0, 1, True), (1, 0, False)):
        back = 0
        while back < 3 and ground.open((row - (back + 1) * step_row, col - (back + 1) * step_col)):
            back += 1
        if back:
            return spot((row - back * step_row, col - back * step_col), across)
    return spot(ground.start, True)


def strikable(here: Position, place: Place) -> int:
    """Return how many letters a word that is not laid yet could strike."""
    if not here.ground.monsters or place.strikes is not None:
        return 0
    return max(sum(way) for way in thrifty_strikes(here, laid(here, place).placed))


def ways_to_strike(dungeon: Dungeon, here: Position, place: Place, judge: Words) -> tuple[Strikes, ...]:
    """Return the ways to strike among which to choose for a word: none where there are no monsters, or it was chosen.

    Raises:
        IllegalMove: the word may not be laid, however it strikes.
    """
    if not dungeon.monsters or place.strikes is not None:
        check(dungeon, here, place, judge)
        return ()
    fit(here, place.word, place.row, place.col, place.across)  # else there is nothing to strike with
    found, refusals = [], []
    for way in thrifty_strikes(here, laid(here, place).placed):
        try:
            check(dungeon, here, replace(place, strikes=way), judge)
        except IllegalMove as refusal:
            refusals.append(refusal)
        else:
            found.append(way)
    if not found:
        raise refusals[0]
    return tuple(found)
