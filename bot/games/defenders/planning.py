"""Which word an automaton would lay: all that the lexicon offers, ranked by where it leaves the team.

The goal needs points and POI together. Points come by themselves as words are laid; POI do not, so a table is
worth most by the POI collected and by how near the letters are to those that are still needed (``roads``).
Looking at a placement closely is dear; so all are ranked by a cheap estimate first, and only ``LOOKED_AT`` of
them are weighed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bot.games.crossword import Square, distances, line, neighbours
from bot.games.defenders.city import SIZE
from bot.games.defenders.placement import (
    after,
    changed_words,
    collectable,
    commons,
    complete,
    letters_on,
    overflow,
    reachable,
)
from bot.games.defenders.roads import FAR, Roads
from bot.games.defenders.state import VALUES, WILD, Matter, Play, Poi, Public
from bot.games.game import Moment
from bot.words.search import Grid, Placement, Placements, Search

LOOKED_AT = (8, 24, 40)  # placements weighed, by skill
_RANKED = 300  # placements whose points are counted
_SHORT = 5  # the longest word of skill 0

# What a table is worth, in Vocabulary Points
_WON = 1_000.0
_LOST = -1_000_000.0
_POI = 30.0
_STEP = 1.0  # for each letter between the map's letters and a POI that is needed
_NEXT = 3.0  # as much again for the POI that comes next
_SURPLUS = 0.05  # for each point beyond the goal
_WILD = 3.0  # for a wildcard that is left


def suggest(public: Public, skill: int, at: Moment, tried: Collection[Matter] = ()) -> Play | None:
    """Return the word that an automaton of ``skill`` would lay now, or None when no word is better than none.

    What the team has ``tried`` is left out. Every word that it forms is in the common tier (skill 0 and 1),
    or in the full tier and does not offend (skill 2).
    """
    found = _placements(public, skill, at)
    if not found:
        return None
    if skill == 0:
        return _any_short(public, found, at, tried)
    roads = Roads(public.city.rows, at.words.lexicon.legal)
    best = _best(public, found, skill, roads, _barred(at), tried)
    return best.play if best is not None and best.worth > _worth(public, roads) else None


def hint(public: Public, at: Moment) -> Play | None:
    """Return the word that the team is best told of, or None when none fits.

    It is a word of the common tier if one is better than none, else the best of all that do not offend, even when
    the team would do better without.
    """
    common = suggest(public, 1, at)
    if common is not None:
        return common
    found = _placements(public, 2, at)
    if not found:
        return None
    best = _best(public, found, 2, Roads(public.city.rows, at.words.lexicon.legal), _barred(at))
    return best.play if best is not None else None


class _Weighed(NamedTuple):
    """A play and what the table is worth after it."""

    worth: float
    play: Play


def _best(
    public: Public, found: Placements, skill: int, roads: Roads, barred: frozenset[str],
    tried: Collection[Matter] = (),
) -> _Weighed | None:  # fmt: skip
    """Return the first of the best plays among the promising ones, if any has not been ``tried``."""
    weighed = (
        _Weighed(_worth(after(public, play), roads), play)
        for play in _ranked(public, found, LOOKED_AT[skill])
        if play not in tried and _stands(public, play, barred)
    )
    return max(weighed, key=lambda one: one.worth, default=None)


def _placements(public: Public, skill: int, at: Moment) -> Placements | None:
    search: Search | None = getattr(at.words.lexicon, "search", None)
    if search is None:  # a lexicon that cannot search leaves an automaton speechless
        return None
    letters = letters_on(public)
    city = public.city
    rows = tuple(
        "".join(letters.get((row, col), mark) for col, mark in enumerate(marks))
        for row, marks in enumerate(city.rows)
    )
    closed = set(public.pois) - set(collectable(public))
    barred = frozenset((poi.row, poi.col) for poi in closed)
    grid = (
        Grid(rows, barred=barred)
        if letters
        else Grid(rows, start=city.start, within=(*city.hq, SIZE, SIZE), barred=barred)
    )
    held = commons(public)
    own = "".join(letter for letter in held if letter != WILD) + (public.villain or "")
    return search.placements(grid, own, held.count(WILD), common=skill < 2, mild=True)


def _barred(at: Moment) -> frozenset[str]:
    """Return the words that are legal but for the table's server, which the search does not know."""
    return frozenset(word for word, legal in at.words.known.items() if not legal)


def _stands(public: Public, play: Play, barred: frozenset[str]) -> bool:
    return not barred or barred.isdisjoint(changed_words(public, play))


def _any_short(public: Public, found: Placements, at: Moment, tried: Collection[Matter]) -> Play | None:
    """Return the dearest of a few short words taken at random, so long as it leaves the goal within reach."""
    short = found.take(np.flatnonzero(found.length <= _SHORT))
    best, chosen, barred = -1, None, _barred(at)
    for _ in range(min(LOOKED_AT[0], len(short))):
        placement = short[at.chance.below(len(short))]
        play = _play(public, placement)
        table = after(public, play)
        stands = play not in tried and _stands(public, play, barred)
        if stands and reachable(table) and table.vp > best:
            best, chosen = table.vp, play
    return chosen


# A cheap estimate of every placement


class _Targets(NamedTuple):
    """The POI that count, their distances by street from every square, and from the letters on the map."""

    pois: tuple[Poi, ...]
    fields: tuple[dict[Square, int], ...]
    now: tuple[int, ...]


def _targets(public: Public) -> _Targets:
    letters = letters_on(public)
    pois = collectable(public)
    fields = []
    for poi in pois:
        later = {
            (other.row, other.col)
            for other in public.pois
            if public.goal.numbered and other.number > poi.number
        }
        fields.append(distances(public.city.rows, [(poi.row, poi.col)], later | set(letters)))
    beside = {square for laid in letters for square in neighbours(laid)}
    now = tuple(_nearest(field, beside) + 1 for field in fields)
    return _Targets(pois, tuple(fields), now)


def _nearest(field: dict[Square, int], squares: Iterable[Square]) -> int:
    return min((field.get(square, FAR) for square in squares), default=FAR)


def _ranked(public: Public, found: Placements, count: int) -> Iterator[Play]:
    """Yield up to ``count`` plays, the most promising first."""
    slots = np.stack([found.row, found.col, found.across, found.length], axis=1)
    unique, index = np.unique(slots, axis=0, return_inverse=True)
    targets, laid = _targets(public), letters_on(public)
    promise = np.array([_promise(public, targets, laid.keys(), *map(int, slot)) for slot in unique])
    estimate = promise[index.reshape(-1)] + 1.5 * found.length - 2.0 * found.lacking
    first = np.argsort(-estimate, kind="stable")[:_RANKED]
    scored = []
    for place, placement in zip(first.tolist(), found.take(first), strict=True):
        points = sum(VALUES[letter] for letter in placement.word)
        points += VALUES[public.villain] if public.villain and public.villain in placement.word else 0
        scored.append((float(promise[index.reshape(-1)[place]]) + points, placement))
    scored.sort(key=lambda entry: (-entry[0], entry[1]))
    for _, placement in scored[:count]:
        yield _play(public, placement)


def _play(public: Public, placement: Placement) -> Play:
    return complete(public, placement.word, placement.row, placement.col, placement.across)


def _promise(
    public: Public, targets: _Targets, laid: Iterable[Square], row: int, col: int, across: int, length: int
) -> float:
    """Return what letters from (row, col) on would be worth by the POI that they cover and come near to."""
    new = set(line(row, col, bool(across), length)).difference(laid)
    away = [min(now, _nearest(field, new)) for field, now in zip(targets.fields, targets.now, strict=True)]
    covered = [poi.number for poi, distance in zip(targets.pois, away, strict=True) if distance == 0]
    last = max(covered, default=0)
    left = [
        (poi, distance)
        for poi, distance in zip(targets.pois, away, strict=True)
        if distance and (not public.goal.numbered or poi.number > last)
    ]
    done = len(public.collected) + len(covered)
    if done + len(left) < public.goal.poi:
        return _LOST
    return _progress(public, done, [poi for poi, _ in left], [distance for _, distance in left])


# What a table is worth


def _worth(table: Public, roads: Roads) -> float:
    """Return what the table is worth once the round's costs are paid."""
    if not reachable(table):
        return _LOST
    vp = _settled(table)
    goal, done = table.goal, len(table.collected)
    if vp >= goal.vp and done >= goal.poi:
        return _WON + vp
    pois = collectable(table)
    coming = min((poi.number for poi in pois), default=0)
    stops = [(poi.row, poi.col) for poi in table.pois if poi.number != coming]
    away = roads.costs(letters_on(table), [(poi.row, poi.col) for poi in pois], stops)
    points = min(vp, goal.vp) + _SURPLUS * max(0, vp - goal.vp)
    return points + _progress(table, done, pois, away) + _WILD * commons(table).count(WILD)


def _settled(table: Public) -> int:
    """Return the Vocabulary Points that are left after the villain letter and a full storage are paid."""
    vp = table.vp
    if table.villain is not None:
        vp = max(0, vp - VALUES[table.villain])
    return max(0, vp - overflow(table).cost)


def _progress(public: Public, done: int, pois: Sequence[Poi], away: Sequence[int]) -> float:
    """Return the worth of POI collected and of the ways to those that are still needed, the nearest ones."""
    need = max(0, public.goal.poi - done)
    wanted = sorted(zip(away, (poi.number for poi in pois), strict=True))[:need]
    worth = _POI * min(done, public.goal.poi)
    if not wanted:
        return worth
    coming = min(wanted, key=lambda way: (way[1], way[0]))
    return worth - _STEP * sum(distance for distance, _ in wanted) - _NEXT * coming[0]
