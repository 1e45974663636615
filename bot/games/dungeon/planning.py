"""Which word an automaton would lay next: all that the lexicon offers, ranked by what it brings and where it leads.

A turn is worth the points that it gains and the steps that it saves to the exit; things that lie near lure. All placements are
ranked by a cheap estimate over whole columns first, and only ``LOOKED_AT`` of them are laid to see what comes of it.
This looks one turn ahead, for play at a table; routes that score par are found elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.games.chance import Chance
from bot.games.crossword import Square, distances
from bot.games.dungeon import sieve
from bot.games.dungeon.bylaws import AllDoors, Lit
from bot.games.dungeon.ground import Deed, Ground, Position
from bot.games.dungeon.placement import StrikesTied, check, ground_of
from bot.games.dungeon.scoring import bonus, tally
from bot.games.dungeon.state import Dungeon, Place
from bot.games.game import IllegalMove, Moment
from bot.words.search import BLOCKED, FREE, Grid, Placements, Search

LOOKED_AT = (30, 80, 160)  # placements laid, by skill
_SHORT = 6  # the longest word of skill 0
_EACH = 20  # copies of a letter: more than any line has squares
_FAR = 99
_IN_A_SLOT = 4  # words looked at for one place

# What things are worth, in points
_LURE = 2.0  # a thing that a word covers, before its letters are looked at
_STEP = 0.2  # for each step nearer to the exit
_WAY = 0.2  # for each step nearer to a thing that is still there
_STRIKE = 0.3  # a letter of a monster that lives
_KEY = 1.5  # a key that has opened nothing
_HOPE = 0.7  # a point that may still be won
_STRIDE = 3  # steps that a turn makes
_LATE = 100.0  # the exit is farther than the turns left reach


class Idea(NamedTuple):
    """A turn and what it leads to; strikes are chosen in ``place``."""

    worth: float
    place: Place
    deed: Deed


def suggest(
    dungeon: Dungeon, here: Position, skill: int, at: Moment, tried: tuple[object, ...] = ()
) -> Place | None:
    """Return the word that an automaton of ``skill`` (0 to 2) would lay now, or None when it finds none.

    What has been ``tried`` is left out. Every word that comes of it is in the common tier (skill 0 and 1), or does not
    offend (skill 2). The same moment gives the same word.
    """
    ideas = [idea for idea in _ideas(dungeon, here, skill, at) if idea.place not in tried]
    return max(ideas, key=lambda idea: idea.worth).place if ideas else None


def hint(dungeon: Dungeon, here: Position, at: Moment) -> Place | None:
    """Return the word that a player is best told of: of the common tier if any fits, else one that does not offend."""
    return suggest(dungeon, here, 1, at) or suggest(dungeon, here, 2, at)


def grid(dungeon: Dungeon, here: Position) -> Grid:
    """Return the map for the lexicon's search: a door without a key is as good as rock.

    The search knows neither a door's letter nor that an open chest joins nothing: what it finds has to pass ``check``.
    """
    ground = here.ground
    shut = () if here.held or any(key not in here.laid for key in ground.keys) else ground.doors
    rows = tuple(
        "".join(
            here.letters.get((row, col)) or (BLOCKED if mark == BLOCKED or (row, col) in shut else FREE)
            for col, mark in enumerate(marks)
        )
        for row, marks in enumerate(ground.rows)
    )
    return Grid(rows, start=None if here.turns else ground.start)


def _ideas(dungeon: Dungeon, here: Position, skill: int, at: Moment) -> Iterator[Idea]:
    search: Search | None = getattr(at.words.lexicon, "search", None)
    if search is None:  # a lexicon that cannot search leaves an automaton at a loss
        return
    found = search.placements(
        grid(dungeon, here), sieve.hand(dungeon.rules, here), common=skill < 2, mild=True
    )
    found = found.take(np.flatnonzero(sieve.allowed(dungeon, here, found)))
    if skill == 0:
        found = found.take(np.flatnonzero(found.length <= _SHORT))
    outlook = _outlook(dungeon, here)
    count = 0
    for place in _promising(found, here, outlook, dungeon, at.chance):
        deed = _done(dungeon, here, place, at)
        if deed is None:
            continue
        if dungeon.monsters:
            place = Place(place.word, place.row, place.col, place.across, deed.struck)
        yield Idea(_worth(dungeon, deed.after, outlook), place, deed)
        count += 1
        if count == LOOKED_AT[skill]:
            return


def _done(dungeon: Dungeon, here: Position, place: Place, at: Moment) -> Deed | None:
    """Return what a word would do, with the first of the best strikes; None when it is refused."""
    try:
        return check(dungeon, here, place, at.words)
    except StrikesTied as tie:
        place = _striking(place, tie)
    except IllegalMove:
        return None
    try:
        return check(dungeon, here, place, at.words)
    except (
        IllegalMove
    ):  # what is refused only once its strikes are known, such as a last word that does not leave
        return None


def _striking(place: Place, tie: StrikesTied) -> Place:
    return Place(place.word, place.row, place.col, place.across, tie.choices[0])


class _Outlook(NamedTuple):
    """Steps from every square to the exit, and to each thing that is still there."""

    exit: dict[Square, int]
    things: dict[Square, dict[Square, int]]


def _outlook(dungeon: Dungeon, here: Position) -> _Outlook:
    ground = here.ground
    shut = () if here.held or any(key not in here.laid for key in ground.keys) else ground.doors
    rock = [door for door in shut if door not in here.laid]
    closed = [door for door in ground.doors if door not in here.laid]
    things = [*_lit(dungeon, ground), *(gem for gem in ground.gems if dungeon.scoring.gem)]
    things += [chest for chest in ground.chests if chest not in here.chests]
    if len(closed) > len(here.held):
        things += ground.keys
    elif dungeon.scoring.door or any(isinstance(rule, AllDoors) for rule in dungeon.rules):
        things += closed
    missing = [thing for thing in things if thing not in here.laid]
    # A key is fetched before its door is passed.
    return _Outlook(
        distances(ground.rows, [ground.exit], rock),
        {
            thing: distances(ground.rows, [thing], () if here.held else closed) if thing in ground.keys
            else distances(ground.rows, [thing])
            for thing in missing
        },
    )  # fmt: skip


def _lit(dungeon: Dungeon, ground: Ground) -> list[Square]:
    """Return the squares that have to hold a letter before anybody leaves."""
    return [square for rule in dungeon.rules if isinstance(rule, Lit) for square in ground.marks[rule.mark]]


def _promising(
    found: Placements, here: Position, outlook: _Outlook, dungeon: Dungeon, chance: Chance
) -> Iterator[Place]:
    """Yield placements, the most promising first, a few words for each place."""
    if not len(found):
        return
    ground = here.ground
    steps = np.full((len(ground.rows), len(ground.rows[0])), _FAR, np.int64)
    for (row, col), distance in outlook.exit.items():
        steps[row, col] = distance
    lures = _lures(ground, here, dungeon)
    nearest = np.full(len(found), _FAR, np.int64)
    lured = np.zeros(len(found))
    for place in range(int(found.length.max())):
        reach = np.flatnonzero(found.length > place)
        rows = found.row[reach] + place * (1 - found.across[reach])
        cols = found.col[reach] + place * found.across[reach]
        nearest[reach] = np.minimum(nearest[reach], steps[rows, cols])
        lured[reach] += lures[rows, cols]
    ahead = max(0, dungeon.turns - here.turns - 1) * _STRIDE
    late = np.maximum(0, nearest - ahead)
    # Words that do the same are as good as each other: a salt of this moment decides which are looked at.
    salt = chance.below(1 << 31) | 1
    noise = (found.number * salt + found.row * 31 + found.col * 17) % 1009 / 1009
    estimate = lured + noise - _STEP * nearest - 5 * late
    order = np.argsort(-estimate, kind="stable")
    slots = (found.row * steps.shape[1] + found.col) * 2 + found.across
    for word, row, col, across, *_ in found.take(
        _few_of_each(slots[order] * _FAR + found.length[order], order)
    ):
        yield Place(word, row, col, across)


def _few_of_each(slots: npt.NDArray[np.int64], order: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return of ``order`` the first ``_IN_A_SLOT`` of each slot, in that order; ``slots`` are theirs."""
    grouped = np.argsort(slots, kind="stable")
    sorted_slots = slots[grouped]
    begins = np.flatnonzero(np.diff(sorted_slots, prepend=-1))
    sizes = np.diff(begins, append=len(slots))
    rank = np.arange(len(slots)) - np.repeat(begins, sizes)
    return order[np.sort(grouped[rank < _IN_A_SLOT])]


def _lures(ground: Ground, here: Position, dungeon: Dungeon) -> npt.NDArray[np.float64]:
    lures = np.zeros((len(ground.rows), len(ground.rows[0])))
    wanted = [*ground.gems, *ground.keys, *ground.doors, *_lit(dungeon, ground)]
    for square in wanted:
        lures[square] += _LURE * (square not in here.letters)
    for square in ground.chests:
        lures[square] += _LURE * (square not in here.chests)
    return lures


def _worth(dungeon: Dungeon, here: Position, outlook: _Outlook) -> float:
    """Return the points that a position is likely to be worth in the end."""
    base = tally(dungeon, here).base
    if here.out:
        return float(base + bonus(dungeon, here))
    away = _nearest(outlook.exit, here)
    left = dungeon.turns - here.turns
    hope = min(max(0, _most(dungeon) - base), 2 * (left - 1))
    worth = base + _HOPE * hope - _STEP * away + _STRIKE * sum(here.struck) + _KEY * len(here.held)
    worth -= _WAY * sum(
        _nearest(field, here) for thing, field in outlook.things.items()
        if thing not in here.laid and thing not in here.chests
    )  # fmt: skip
    worth -= sum(rule.shut(here) is not None for rule in dungeon.rules)
    if away > left * _STRIDE:
        worth -= _LATE + 10 * (away - left * _STRIDE)
    return worth


def _nearest(field: dict[Square, int], here: Position) -> int:
    return min((field.get(square, _FAR) for square in here.laid), default=_FAR)


def _most(dungeon: Dungeon) -> int:
    """Return the points for everything that lies in the dungeon."""
    ground, scoring = ground_of(dungeon), dungeon.scoring
    return (
        scoring.leave
        + scoring.chest * len(ground.chests)
        + scoring.gem * len(ground.gems)
        + scoring.key * len(ground.keys)
        + scoring.door * len(ground.doors)
        + sum(monster.coin for monster in dungeon.monsters)
    )
