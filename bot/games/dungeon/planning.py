"""Which word an automaton would lay next, and which a player who asks for a hint is told of.

Two ways to think. *One turn ahead*: all that the lexicon offers is ranked by what it brings and where it leads; a turn is worth
the points that it gains and the steps that it saves to the exit, and things that lie near lure. All placements are ranked by a
cheap estimate over whole columns first, and only ``LOOKED_AT`` of them are laid to see what comes of it. So the automata of
skill 0 and 1 play. *To the exit*: the solver searches a way out of the position, with a budget of placements tried, and its
first word is the one. So hints are found, and so the strongest automaton plays, which searches only once it is in trouble.

Ways from the entrance are remembered by the process: who follows one is led on along it, turn after turn, and it costs nothing
to find again. They are functions of the dungeon, so it makes no difference who asked first. A hint goes by the best route that
is known of a shipped dungeon, as long as the run has kept to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from bot.games.chance import Chance
from bot.games.crossword import Square, distances
from bot.games.dungeon import sieve
from bot.games.dungeon.bylaws import AllDoors, Chain, Lit
from bot.games.dungeon.dungeons import DUNGEONS, without_route
from bot.games.dungeon.ground import Deed, Ground, Position
from bot.games.dungeon.placement import StrikesTied, check, ground_of, position, read
from bot.games.dungeon.scoring import bonus, tally
from bot.games.dungeon.sieve import grid
from bot.games.dungeon.solver import WIDTH, Route, solve
from bot.games.dungeon.state import Dungeon, Place
from bot.games.game import IllegalMove, Moment
from bot.words.lexicon import Lexicon
from bot.words.search import Placements, Search

LOOKED_AT = (30, 80, 160)  # placements laid one turn ahead, by skill
BUDGET = 1_000  # placements tried on the way to the exit
PATIENCE = 2_500  # the same, while no way out is known
_AWAY = 700  # placements tried by an automaton whose run has kept to no way from the entrance
_BETTER = 500  # placements tried for a better way than the one known
WAYS = (1, 2)  # seeds of the ways from the entrance
_STORED = 0  # the way that a shipped dungeon has in its file
_CHAINED = 16  # positions a turn where each word begins as the last one ended: few go on from there
_REMEMBERED = 256  # ways from an entrance
_SHORT = 6  # the longest word of skill 0
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
    """Return the word of ``skill`` (0 to 2) that looks best one turn ahead, or None when none fits.

    What has been ``tried`` is left out. Every word that comes of it is in the common tier (skill 0 and 1), or does not
    offend (skill 2). The same moment gives the same word.
    """
    ideas = [idea for idea in _ideas(dungeon, here, skill, at) if idea.place not in tried]
    return max(ideas, key=lambda idea: idea.worth).place if ideas else None


def lead(
    dungeon: Dungeon, here: Position, at: Moment, tried: tuple[object, ...] = (), *, search: bool
) -> Place | None:
    """Return the next word of a good way out, or None when no way is found.

    A way from the entrance is followed as long as the run has kept to it, whichever of them chance takes at the entrance;
    from anywhere else one is found only by a ``search``, which takes a while. The first word is none of those ``tried``.
    The same moment gives the same word.
    """
    ways = WAYS if at.chance.below(2) else WAYS[::-1]
    for route in _known_routes(dungeon, here, at, ways):
        if route.places[0] not in tried:
            return route.places[0]
    if not search:
        return None
    found = _searched(dungeon, here, at, at.chance.below(1 << 16), _AWAY, _AWAY)
    return None if found is None or found.places[0] in tried else found.places[0]


def hint(dungeon: Dungeon, here: Position, at: Moment) -> Place | None:
    """Return the word that a player is best told of, or None when no way out is found and a turn had better be taken back.

    It is the next one of the best way out that is found; at the entrance, where there is no turn to take back, a word that
    looks well if there is no such way. All words are of the common tier if any of those fits, else they do not offend.
    Strikes are left open where several are worth the same: that choice is the player's.
    """
    ways = WAYS[:1] if _stored(dungeon) is None else (_STORED,)
    routes = list(_known_routes(dungeon, here, at, ways))
    if not any(route.proven or route.base >= dungeon.par for route in routes):
        found = _searched(dungeon, here, at, WAYS[0], _BETTER if routes else BUDGET, PATIENCE)
        routes += [] if found is None else [found]
    if routes:
        place = max(routes, key=lambda route: (route.base, route.bonus)).places[0]
    elif here.turns:
        return None
    else:
        plain = suggest(dungeon, here, 1, at) or suggest(dungeon, here, 2, at)
        if plain is None:
            return None
        place = plain
    return _untied(dungeon, here, place, at)


def _untied(dungeon: Dungeon, here: Position, place: Place, at: Moment) -> Place:
    """Return the place without strikes, where the rules would ask which of several."""
    open_ = Place(place.word, place.row, place.col, place.across)
    try:
        check(dungeon, here, open_, at.words)
    except StrikesTied:
        return open_
    return place


def _known_routes(dungeon: Dungeon, here: Position, at: Moment, ways: tuple[int, ...]) -> Iterator[Route]:
    """Yield what is left of the ways from the entrance to which a run has kept, if the next word is legal."""
    lexicon = at.words.lexicon
    if not isinstance(lexicon, Lexicon):  # one that cannot search
        return
    for seed in ways:
        route = _route(dungeon, lexicon, seed)
        if route is None or len(route.places) <= here.turns:
            continue
        then = position(dungeon, route.places[: here.turns])
        if (then.mains, then.struck) != (here.mains, here.struck):
            continue
        try:
            check(dungeon, here, route.places[here.turns], at.words)
        except IllegalMove:  # a word that the table's server has barred
            continue
        yield msgspec.structs.replace(route, places=route.places[here.turns :])


@lru_cache(maxsize=_REMEMBERED)
def _route(dungeon: Dungeon, lexicon: Lexicon, seed: int) -> Route | None:
    """Return a way from the entrance."""
    if seed == _STORED:
        return _stored(dungeon)
    return solve(dungeon, lexicon, BUDGET, seed, patience=PATIENCE, width=_width(dungeon))


@lru_cache(maxsize=_REMEMBERED)
def _stored(dungeon: Dungeon) -> Route | None:
    """Return the best route of a shipped dungeon as it lies on a table; None for any other dungeon."""
    shipped = DUNGEONS.get(dungeon.key)
    if shipped is None or without_route(shipped) != dungeon:
        return None
    places = tuple(read(shipped, turn) for turn in shipped.best)
    out = position(dungeon, places)
    return Route(places, tally(dungeon, out).base, bonus(dungeon, out), 0, proven=False)


def _searched(
    dungeon: Dungeon, here: Position, at: Moment, seed: int, budget: int, patience: int
) -> Route | None:
    """Return a way out of any position, of words that are legal at the table."""
    lexicon = at.words.lexicon
    if not isinstance(lexicon, Lexicon):
        return None
    return solve(
        dungeon, lexicon, budget, seed,
        patience=patience, width=_width(dungeon), start=here, judge=at.words,
    )  # fmt: skip


def _width(dungeon: Dungeon) -> int:
    return _CHAINED if any(isinstance(rule, Chain) for rule in dungeon.rules) else WIDTH


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
