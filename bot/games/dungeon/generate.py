"""Dungeons from a seed, and the dungeon of the day from its date.

A map is a lattice of corridors: lines along some rows and some columns, each from one crossing to another, sometimes mirrored
or turned about the middle. Things are strewn on it by tier, rules come from a list of those that leave a way out. A dungeon is
accepted only when the solver leaves it with most of what there is; par is what the solver found. Everything is
drawn by ``Chance``, so one seed and one lexicon give one dungeon on every machine.

The daily dungeon comes from the date alone and the shipped lexicon; its tier rises through the week. Its name comes back
after five years, its story no sooner than after eleven days. Finding one takes some seconds, so it is a thought for the
worker: ``of_day``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from bot.games.chance import Chance
from bot.games.crossword import BLOCK, Square, distances, inside, neighbours
from bot.games.dungeon.atlas import most
from bot.games.dungeon.bylaws import (
    BarredLetters,
    EvenLengths,
    FirstLength,
    LetterLimit,
    Lit,
    NewInitials,
    NotBefore,
    OneWord,
    RareLetters,
    Rule,
    TakingTurns,
)
from bot.games.dungeon.dungeons import BadDungeon, checked
from bot.games.dungeon.ground import DOOR, EXIT, FLOOR, GEM, START, Monster
from bot.games.dungeon.placement import written
from bot.games.dungeon.solver import solve
from bot.games.dungeon.state import TIERS, Dungeon, Mark, Scoring
from bot.words.lexicon import Lexicon

ATTEMPTS = 60
BUDGET = 2_500  # placements tried by the solver for one attempt
WEEK = (1, 2, 2, 3, 3, 4, 4)  # tiers, from Monday on

_DRAWINGS = 20  # of a map, until one can be played
_SPARE = 2  # turns that par leaves
_FEWEST_WORDS = 4
_MOST_SHARE = 3, 4  # of the full score, that a dungeon's par is worth at least
_LAMP = "!"

Rows = list[list[str]]


class _Face(NamedTuple):
    """What a dungeon is called, and its story."""

    name: str
    story: str


class _Plan(NamedTuple):
    """What a tier has: squares along an edge, turns for the solver, how many of each thing at least and at most."""

    edges: tuple[int, int]
    turns: int
    chests: tuple[int, int]
    gems: tuple[int, int]
    doors: tuple[int, int]
    monsters: tuple[int, int]
    rules: tuple[int, int]


_PLANS = (
    _Plan((6, 7), 8, (2, 3), (0, 2), (0, 0), (0, 1), (0, 0)),
    _Plan((7, 9), 9, (2, 3), (1, 3), (0, 1), (0, 1), (0, 1)),
    _Plan((8, 10), 10, (2, 4), (2, 4), (0, 1), (1, 1), (1, 1)),
    _Plan((9, 11), 12, (3, 4), (2, 4), (1, 1), (1, 2), (1, 2)),
)

_CHEST_LETTERS = "AEIORSTNLDCMHGPBUYKW"
_BARRED = "EASIO"
_LIMIT = 3
_MONSTERS = (
    Monster("IMP", 2), Monster("OGRE", 2), Monster("GNOME", 2), Monster("GIANT", 3), Monster("TROLL", 3),
    Monster("GOLEM", 3), Monster("GHOUL", 3), Monster("WYRM", 3), Monster("DRAGON", 4), Monster("GOBLIN", 4),
    Monster("KOBOLD", 4), Monster("WRAITH", 4), Monster("SPECTRE", 4), Monster("BANSHEE", 4), Monster("SPHINX", 5),
)  # fmt: skip

_EASY_RULES: tuple[Callable[[Chance], Rule], ...] = (
    lambda chance: TakingTurns(),
    lambda chance: NotBefore(4),
    lambda chance: Lit(_LAMP),
    lambda chance: RareLetters("".join(sorted(chance.shuffled("BFHKVWXYZ")[:3])), 1),
    lambda chance: FirstLength(5),
)
_HARD_RULES: tuple[Callable[[Chance], Rule], ...] = (
    *_EASY_RULES[2:],
    lambda chance: BarredLetters(chance.pick(_BARRED)),
    lambda chance: LetterLimit(_LIMIT),
    lambda chance: EvenLengths(),
    lambda chance: NewInitials(),
    lambda chance: OneWord(),
)

# The days go through both lists at once: no name comes back before every pair has been, for 43 and 47 have no divisor in common.
_ADJECTIVES = (
    "Absent-Minded", "Backward", "Borrowed", "Bottomless", "Chilly", "Creaking", "Crooked", "Draughty", "Dusty", "Echoing",
    "Foggy", "Forgotten", "Patient", "Twice-Sold", "Windowless", "Yawning",
    "Freezing", "Gloomy", "Grumbling", "Half-Built", "Haunted", "Humming", "Impolite", "Leaky", "Lopsided", "Lost",
    "Moonlit", "Mouldy", "Muttering", "Noisy", "Overgrown", "Polite", "Rattling", "Second-Best", "Sleepless", "Slippery",
    "Smoky", "Snoring", "Sunken", "Ticking", "Unfinished", "Upside-Down", "Whispering",
)  # fmt: skip
_PLACES = (
    "Aqueduct", "Ballroom", "Boathouse", "Cloakroom", "Conservatory", "Courtroom", "Lift Shaft", "Nursery", "Tollbooth",
    "Abbey", "Armoury", "Attic", "Bakery", "Barracks", "Bathhouse", "Belfry", "Brewery", "Catacomb", "Chapel", "Cistern",
    "Cloister", "Coal Hole", "Crypt", "Dairy", "Embassy", "Ferry", "Foundry", "Gatehouse", "Granary", "Greenhouse",
    "Guildhall", "Icehouse", "Laundry", "Lighthouse", "Mill", "Museum", "Observatory", "Orangery", "Pantry", "Post Office",
    "Quarry", "Scullery", "Stables", "Theatre", "Treasury", "Wardrobe", "Waterworks",
)  # fmt: skip
_STORIES = (
    "Somebody left in a hurry, and whoever it was took the map and left the lamp burning.",
    "The last visitor wrote a warning on the wall and then ran out of wall.",
    "It was built by two brothers who had stopped speaking, which explains the corridors.",
    "The caretaker swears that nothing down here moves, and has locked himself in to prove it.",
    "Everything of value has been hidden with great care by someone who then forgot the place.",
    "There is a draught, which means a way out, and a smell, which means somebody lives in it.",
    "The owner is away until tomorrow, and tomorrow has been late before.",
    "Visitors are welcome between two and three, and it was three when you came in.",
    "The floor was swept this morning, so there must be a broom, and something that holds it.",
    "All of the signs point the other way, and one of them has been crossed out in chalk.",
    "A bell rings twice whenever somebody finds the exit, and it has not rung this week.",
    "The architect drew it in one night, without a candle, and was paid by the corner.",
    "Rumour has it that there is treasure, and rumour has it that rumour lives here.",
    "You were told to turn left at the cat, and the cat has just walked past you.",
    "A notice asks you not to feed the echo, and the echo has added a few words of its own.",
    "Every door in here was hung by an optimist, and every hinge was oiled by a cynic.",
    "The guidebook gives this place four stars and two pages, both of which have been eaten.",
    "Three explorers went in last spring, and postcards still arrive from two of them.",
    "It looks smaller on the map, but then the map was drawn by somebody in a great hurry to leave.",
    "Whoever lived here collected clocks, and on the hour you had better cover your ears.",
    "The plaster ends halfway along, where the builders met something and moved to the coast.",
    "Somebody has chalked arrows on the floor, and somebody else has turned most of them round.",
    "You can hear a kettle, which is comforting until you remember how long the house has stood empty.",
    "The landlord will return your deposit as soon as you have found the office where he keeps it.",
    "By the entrance hangs a list of things not to touch, and it goes on behind the door.",
    "Cats come and go here as they like, so there must be a second way, at least for cats.",
    "They say that the treasure is cursed, but they also say that about the soup.",
    "A bucket on a rope goes up and down all day, and nobody has ever asked what for.",
    "The caretaker left a note for the milkman in 1911, and the milk has been coming ever since.",
    "Nothing has been stolen from here in a century, mostly because nobody could find the way out.",
    "The lamps were lit this morning by a person who now asks you how one gets to the street.",
    "One step in four is loose, and the only man who knew which has retired to a bungalow.",
)
_APART = 10  # days on which no other daily dungeon has the story of one


def generate(seed: int, lexicon: Lexicon, tier: int | None = None) -> Dungeon:
    """Return the dungeon of a seed, of a ``tier`` (1 to 4) or of any.

    Raises:
        ValueError: there is no such tier, or no attempt could be solved (with a lexicon that has hardly any words).
    """
    if tier is not None and not 1 <= tier <= TIERS:
        raise ValueError(f"a tier is 1 to {TIERS}, not {tier}")
    chance = Chance(b"%d" % seed, 0, "face")
    face = _Face(f"{chance.pick(_ADJECTIVES)} {chance.pick(_PLACES)}", chance.pick(_STORIES))
    return _accepted(f"generated-{seed}", face, b"%d" % seed, lexicon, tier)


def daily(date: str, lexicon: Lexicon) -> Dungeon:
    """Return the dungeon of a date, such as ``2030-01-31`` (UTC); raises ValueError for what is no date."""
    return _accepted(f"daily-{date}", _face_of(date), date.encode(), lexicon, WEEK[weekday(date)])


class _Minds(Protocol):
    """What the worker gives to a thought."""

    @property
    def lexicon(self) -> object:
        """The lexicon of the worker's process."""
        ...


def of_day(minds: _Minds, date: str) -> Dungeon:
    """Return the dungeon of a date: a thought for the worker, ``thinker.think(of_day, date)``."""
    return daily(date, _shipped(minds))


def attempt_of_day(minds: _Minds, date: str, attempt: int) -> Dungeon | None:
    """Return what one attempt (from 0) at the dungeon of a date comes to: a shorter thought, which leaves room for others.

    The first attempt that returns a dungeon has found what ``daily`` returns.
    """
    shipped, tier = _shipped(minds), WEEK[weekday(date)]
    return _attempted(f"daily-{date}", _face_of(date), date.encode(), shipped, tier, attempt)


def _shipped(minds: _Minds) -> Lexicon:
    if not isinstance(minds.lexicon, Lexicon):
        raise TypeError("the daily dungeon needs the shipped lexicon")
    return minds.lexicon


def weekday(date: str) -> int:
    """Return the day of the week of a date of the Gregorian calendar, 0 for Monday; raises ValueError for none."""
    return (_day(date) - 1) % 7  # the first day of the year 1 was a Monday


def _day(date: str) -> int:
    """Return the number of a date, 1 for the first of January of the year 1; raises ValueError for what is none."""
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", date, re.ASCII)
    year, month, day = map(int, found.groups()) if found else (0, 0, 0)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not year or not 1 <= month <= len(lengths) or not 1 <= day <= lengths[month - 1]:
        raise ValueError(f"{date!r} is no date; one reads 2030-01-31")
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 + sum(lengths[: month - 1]) + day


def _face_of(date: str) -> _Face:
    """Return the name and the story of a day, from its date alone."""
    day = _day(date)
    adjectives = Chance(b"daily", 0, "adjectives").shuffled(_ADJECTIVES)
    places = Chance(b"daily", 0, "places").shuffled(_PLACES)
    name = f"{adjectives[day % len(adjectives)]} {places[day % len(places)]}"
    round_, at = divmod(day, len(_STORIES))
    return _Face(name, _stories(round_)[at])


def _stories(round_: int) -> tuple[str, ...]:
    """Return all the stories in the order of some days, with those told last before them in the middle."""
    told = Chance(b"daily", round_ - 1, "stories").shuffled(_STORIES)[-_APART:]
    order = Chance(b"daily", round_, "stories").shuffled(_STORIES)
    early = sorted(
        order[:-_APART], key=told.__contains__
    )  # stable: what has just been told comes after the others
    return (*early, *order[-_APART:])


def _accepted(key: str, face: _Face, seed: bytes, lexicon: Lexicon, tier: int | None) -> Dungeon:
    for attempt in range(ATTEMPTS):
        found = _attempted(key, face, seed, lexicon, tier, attempt)
        if found is not None:
            return found
    raise ValueError(f"none of {ATTEMPTS} dungeons of the seed {seed.decode()} could be solved")


def _attempted(
    key: str, face: _Face, seed: bytes, lexicon: Lexicon, tier: int | None, attempt: int
) -> Dungeon | None:
    tier = tier or 1 + Chance(seed, 0, "tier").below(TIERS)
    for drawing in range(_DRAWINGS):
        drawn = _drawn(key, face, Chance(seed, attempt * _DRAWINGS + drawing, "dungeon"), tier)
        if drawn is not None:
            return _solved(drawn, lexicon, attempt)
    return None


def _solved(dungeon: Dungeon, lexicon: Lexicon, attempt: int) -> Dungeon | None:
    """Return the dungeon with its par, turns and best route, unless the solver does badly in it."""
    route = solve(dungeon, lexicon, BUDGET, attempt)
    full = most(dungeon)
    part, whole = _MOST_SHARE
    if route is None or full is None or route.base * whole < full * part or len(route.places) < _FEWEST_WORDS:
        return None
    best = tuple(written(dungeon, place) for place in route.places)
    return replace(dungeon, par=route.base, turns=len(best) + _SPARE, best=best)


def _drawn(key: str, face: _Face, chance: Chance, tier: int) -> Dungeon | None:
    """Return a dungeon that can be played, or None when this drawing came to nothing."""
    plan = _PLANS[tier - 1]
    rows = _carved(chance, _between(chance, plan.edges), _between(chance, plan.edges))
    if rows is None:
        return None
    rules = _rules(chance, tier, _between(chance, plan.rules))
    lamps = 2 if Lit(_LAMP) in rules else 0
    if not (_gates(chance, rows) and _furnished(chance, rows, plan, lamps)):
        return None
    drawn = Dungeon(
        key=key,
        name=face.name,
        tier=tier,
        story=face.story,
        rows=tuple("".join(row) for row in rows),
        legend=(Mark(_LAMP, "lamp"),) if lamps else (),
        turns=plan.turns,
        monsters=_monsters(chance, _between(chance, plan.monsters), rules),
        scoring=Scoring(chest=2, gem=2, door=3),
        rules=rules,
        par=1,
    )
    try:
        return checked(drawn)
    except BadDungeon:
        return None


def _between(chance: Chance, span: tuple[int, int]) -> int:
    low, high = span
    return low + chance.below(high - low + 1)


# The map


def _carved(chance: Chance, height: int, width: int) -> Rows | None:
    """Return corridors in rock, all of them connected, or None when they are too few or lie too close."""
    down, right = _spaced(chance, height), _spaced(chance, width)
    open_: set[Square] = set()
    for row in down:
        low, high = _stretch(chance, right)
        open_.update((row, col) for col in range(low, high + 1))
    for col in right:
        low, high = _stretch(chance, down)
        open_.update((row, col) for row in range(low, high + 1))
    match chance.below(3):
        case 1:
            open_ |= {(row, width - 1 - col) for row, col in open_}
        case 2:
            open_ |= {(height - 1 - row, width - 1 - col) for row, col in open_}
    rows = _cropped(_largest(height, width, open_))
    squares = len(rows) * len(rows[0])
    floor = sum(mark == FLOOR for row in rows for mark in row)
    small = min(len(rows), len(rows[0])) < 5
    return None if small or not squares * 2 <= floor * 5 <= squares * 4 or _halls(rows) > 1 else rows


def _spaced(chance: Chance, length: int) -> list[int]:
    """Return the numbers of some lines of a map, never two beside each other."""
    lines = [chance.below(2)]
    while lines[-1] + 2 < length:
        lines.append(min(length - 1, lines[-1] + 2 + chance.below(2)))
    return lines


def _stretch(chance: Chance, crossings: list[int]) -> tuple[int, int]:
    """Return two crossings, most of the way apart."""
    first = chance.below(max(1, len(crossings) // 2))
    last = len(crossings) - 1 - chance.below(max(1, (len(crossings) - first) // 2))
    return crossings[first], crossings[max(last, first + 1) if first + 1 < len(crossings) else first]


def _largest(height: int, width: int, open_: set[Square]) -> Rows:
    """Return the map of the largest connected part of some squares."""
    rows = tuple(
        "".join(FLOOR if (row, col) in open_ else BLOCK for col in range(width)) for row in range(height)
    )
    best: set[Square] = set()
    for square in sorted(open_):
        if square not in best:
            part = set(distances(rows, [square]))
            best = max(best, part, key=len)
    return [[FLOOR if (row, col) in best else BLOCK for col in range(width)] for row in range(height)]


def _cropped(rows: Rows) -> Rows:
    """Return a map without rows and columns of rock around it."""
    down = [at for at, row in enumerate(rows) if FLOOR in row]
    right = [col for col in range(len(rows[0])) if any(row[col] == FLOOR for row in rows)]
    return [row[right[0] : right[-1] + 1] for row in rows[down[0] : down[-1] + 1]]


def _halls(rows: Rows) -> int:
    """Return how many blocks of two by two squares are open: words side by side are hard to lay."""
    return sum(
        all(rows[row + down][col + right] != BLOCK for down in (0, 1) for right in (0, 1))
        for row in range(len(rows) - 1)
        for col in range(len(rows[0]) - 1)
    )


def _gates(chance: Chance, rows: Rows) -> bool:
    """Put the start on the edge of a map and the exit far from it; return whether there is room."""
    height, width = len(rows), len(rows[0])
    edge = [
        (row, col)
        for row in range(height)
        for col in range(width)
        if rows[row][col] == FLOOR and (row in (0, height - 1) or col in (0, width - 1))
    ]
    start = chance.pick(edge)
    steps = distances(["".join(row) for row in rows], [start])
    far = sorted(edge, key=lambda square: (-steps[square], square))[: max(1, len(edge) // 5)]
    end = chance.pick(far)
    if steps[end] < height:
        return False
    rows[start[0]][start[1]], rows[end[0]][end[1]] = START, EXIT
    return True


# What lies in it


def _furnished(chance: Chance, rows: Rows, plan: _Plan, lamps: int) -> bool:
    """Strew things on a map; return whether there was room."""
    free = [
        (row, col)
        for row in range(len(rows))
        for col in range(len(rows[0]))
        if rows[row][col] == FLOOR and not _beside(rows, (row, col), START + EXIT)
    ]
    spots = list(chance.shuffled(free))
    if _between(chance, plan.doors) and not _locked(rows, spots):
        return False
    marks = [GEM] * _between(chance, plan.gems) + [_LAMP] * lamps
    marks += chance.shuffled(_CHEST_LETTERS)[: _between(chance, plan.chests)]
    for mark in marks:
        # Chests keep apart from everything, so that the letters around them stay free to choose.
        spot = next(
            (one for one in spots if not (mark.isalpha() and _beside(rows, one, _CHEST_LETTERS))), None
        )
        if spot is None:
            return False
        spots.remove(spot)
        rows[spot[0]][spot[1]] = mark
    return True


def _beside(rows: Rows, square: Square, marks: str) -> bool:
    return any(inside(_text(rows), one) and rows[one[0]][one[1]] in marks for one in neighbours(square))


def _text(rows: Rows) -> list[str]:
    """Return a map as strings."""
    return ["".join(row) for row in rows]


def _locked(rows: Rows, spots: list[Square]) -> bool:
    """Put a door into a corridor that the way out does not need, and its key on this side of it."""
    text = _text(rows)
    start = next((row, line.index(START)) for row, line in enumerate(text) if START in line)
    end = next((row, line.index(EXIT)) for row, line in enumerate(text) if EXIT in line)
    for door in spots:
        ways = sum(inside(text, one) and text[one[0]][one[1]] != BLOCK for one in neighbours(door))
        reached = distances(text, [start], [door])
        if ways != 2 or end not in reached:
            continue
        key = next((one for one in spots if one != door and one in reached), None)
        if key is not None:
            rows[door[0]][door[1]], rows[key[0]][key[1]] = DOOR, "1"
            spots.remove(door)
            spots.remove(key)
            return True
    return False


def _rules(chance: Chance, tier: int, count: int) -> tuple[Rule, ...]:
    """Return rules of a tier, no two of one kind."""
    makers = chance.shuffled(_EASY_RULES if tier < 3 else _HARD_RULES)
    return tuple(make(chance) for make in makers[:count])


def _monsters(chance: Chance, count: int, rules: tuple[Rule, ...]) -> tuple[Monster, ...]:
    """Return monsters whose letters may be placed."""
    barred = {letter for rule in rules if isinstance(rule, BarredLetters) for letter in rule.letters}
    able = [monster for monster in _MONSTERS if not barred & set(monster.name)]
    return tuple(chance.shuffled(able)[:count])
