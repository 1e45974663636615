"""What a search for routes needs to know of a dungeon: what is wanted where, and how many words away it lies.

A *target* is something that a letter on one of its squares takes: the exit, a chest, a gem, a key, a door, a square that a
rule wants filled. Distances are in words: one word leads from a letter to every square of a line that the letter stands in
or beside. They ignore doors, cross words and what stands already, so they are never too long, and good enough to tell a
promising position from one that comes too late. Worth is in *mils*, thousandths of a point: whole numbers add up alike on
every machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.games.crossword import Square, distances, neighbours
from bot.games.dungeon.bylaws import (
    AllChests,
    AllDoors,
    AllMonsters,
    Gems,
    Lit,
    LongWords,
    Paved,
    RareLetters,
)
from bot.games.dungeon.ground import Ground, Position
from bot.games.dungeon.placement import ground_of
from bot.games.dungeon.state import Dungeon

MIL = 1_000  # mils of a point
FAR = 99

Numbers = npt.NDArray[np.int64]

_NEEDED = 2 * MIL  # what keeps the exit shut, on top of its points
_KEY = 2 * MIL  # a key, while a door is shut
_LETTER = 3 * MIL // 4  # all letters struck off a monster that lives, for each point of its coin
_ALIVE = 3 * MIL // 5  # a monster that can still be killed, for each point of its coin
_STRIKES_A_TURN = 4
_NEAR, _PER_WORD = 85, 5  # percent of its worth that a target is good for, less so much a word away
_STEP = 12  # for each step to a target
_LATE = 3 * MIL  # a word more than there are turns, on the way out


class Target(NamedTuple):
    """Something that a letter on one of ``cells`` takes: for ``points``, and for ``use`` mils that no tally counts."""

    kind: str
    square: Square
    cells: tuple[Square, ...]
    points: int = 0
    use: int = 0

    @property
    def worth(self) -> int:
        """What it is worth in all, in mils."""
        return self.points * MIL + self.use


class Atlas:
    """A dungeon's targets, the first of which is the exit, and the way to each of them.

    Squares are numbered in reading order; one number more, ``nowhere``, is far from everything. ``words`` and ``steps``
    are arrays (target, square).
    """

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.ground = ground = ground_of(dungeon)
        self.width = len(ground.rows[0])
        self.nowhere = len(ground.rows) * self.width
        self.targets = (Target("exit", ground.exit, (ground.exit,)), *_targets(dungeon, ground))
        lines = _lines(ground)
        self.words = np.full((len(self.targets), self.nowhere + 1), FAR, np.int64)
        self.steps = self.words.copy()
        for at, target in enumerate(self.targets):
            for square, words in _words_away(lines, ground, target.cells).items():
                self.words[at, self.cell(square)] = words
            for square, steps in distances(ground.rows, target.cells).items():
                self.steps[at, self.cell(square)] = steps
        self.worth = np.array([target.worth for target in self.targets], np.int64)
        self.use = np.array([target.use for target in self.targets], np.int64)
        exits = [
            min((self.words[0, self.cell(cell)] for cell in target.cells), default=FAR)
            for target in self.targets  # a chest among rocks has no cell from which it is taken
        ]
        self.to_exit = np.array(exits, np.int64)  # words, from each target
        self._bits = np.array([1 << at for at in range(len(self.targets))], np.int64)
        masks = (self._mask_of(line) for line in lines)
        self._covers = tuple(sorted({mask for mask in masks if mask}))
        self._known_covers: dict[int, int] = {0: 0}
        self._wants_dead = any(isinstance(rule, AllMonsters) for rule in dungeon.rules)

    def cell(self, square: Square) -> int:
        """Return the number of a square."""
        return square[0] * self.width + square[1]

    def taken(self, here: Position) -> npt.NDArray[np.bool_]:
        """Return which targets have been taken."""
        return np.array(
            [
                target.square in (here.chests if target.kind == "chest" else here.laid)
                for target in self.targets
            ]
        )

    def away(self, squares: Iterable[Square]) -> tuple[Numbers, Numbers]:
        """Return how many words and steps each target is away from the nearest of some squares."""
        cells = [self.cell(square) for square in squares] or [self.nowhere]
        return self.words[:, cells].min(axis=1), self.steps[:, cells].min(axis=1)

    def hope(self, words: Numbers, steps: Numbers, taken: npt.NDArray[np.bool_], left: int) -> Numbers:
        """Return what positions are still good for, in mils; arrays are (position, target), ``left`` counts turns."""
        open_ = ~taken
        in_time = words + self.to_exit <= left
        share = np.maximum(0, _NEAR - _PER_WORD * words)
        hope = (self.worth * share // 100 * (open_ & in_time)).sum(axis=1)
        hope -= _STEP * (np.minimum(steps, FAR) * open_).sum(axis=1)
        hope -= _LATE * np.maximum(0, words[:, 0] - left)
        # Targets cost words: what no row of words can cover any more is given up.
        masks = (self._bits * open_).sum(axis=1)
        covers = np.array([self._cover(mask) for mask in masks.tolist()], np.int64)
        over = np.maximum(0, covers - left)
        worth: Numbers = hope - over * MIL
        return worth

    def menace(self, here: Position) -> int:
        """Return what the monsters that live are good for, in mils, with the letters that they have lost."""
        left = self.dungeon.turns - here.turns
        total = 0
        for number, (monster, struck) in enumerate(zip(here.ground.monsters, here.struck, strict=True)):
            size = len(monster.name)
            rest = size - struck
            if not rest:
                continue
            if -(-rest // _STRIKES_A_TURN) <= left:
                total += self.prey(number) * _ALIVE // MIL
                total += self.prey(number) * (_LETTER - _ALIVE) * struck // (size * MIL)
        return total

    def prey(self, number: int) -> int:
        """Return what a monster's death is worth, in mils."""
        return self.dungeon.monsters[number].coin * MIL + self._wants_dead * _NEEDED

    def _mask_of(self, line: frozenset[Square]) -> int:
        return sum(
            1 << at for at, target in enumerate(self.targets) if any(cell in line for cell in target.cells)
        )

    def _cover(self, mask: int) -> int:
        """Return about how many lines cover the targets of a mask: at least so many words are needed."""
        count = self._known_covers.get(mask)
        if count is None:
            lowest = mask & -mask
            best = max(
                (cover for cover in self._covers if cover & lowest),
                key=lambda cover: ((cover & mask).bit_count(), -cover),
                default=lowest,
            )
            count = self._known_covers[mask] = 1 + self._cover(mask & ~best)
        return count


@lru_cache(maxsize=16)
def atlas_of(dungeon: Dungeon) -> Atlas:
    """Return the atlas of a dungeon."""
    return Atlas(dungeon)


def most(dungeon: Dungeon) -> int | None:
    """Return the full score: the base of who takes everything there is, or None when points have no bound.

    Par may be less, when one thing stands in the way of another.
    """
    ground, scoring = ground_of(dungeon), dungeon.scoring
    total = (
        scoring.leave
        + scoring.chest * len(ground.chests)
        + scoring.gem * len(ground.gems)
        + scoring.key * len(ground.keys)
        + scoring.door * min(len(ground.doors), len(ground.keys))
        + sum(monster.coin for monster in dungeon.monsters)
    )
    for rule in dungeon.rules:
        match rule:
            case LongWords():
                return None
            case RareLetters():
                total += rule.worth * len(set(rule.letters))
            case Paved():
                total += max(0, rule.worth) * len(ground.marks[rule.mark])
    return total


def _targets(dungeon: Dungeon, ground: Ground) -> list[Target]:
    scoring, rules = dungeon.scoring, dungeon.rules
    needed = {type(rule) for rule in rules}
    found = [
        Target("chest", square, _beside(ground, square), scoring.chest, (AllChests in needed) * _NEEDED)
        for square in ground.chests
    ]
    singles = (
        ("gem", ground.gems, scoring.gem, (Gems in needed) * _NEEDED),
        ("key", ground.keys, scoring.key, _KEY),
        ("door", ground.doors, scoring.door, (AllDoors in needed) * _NEEDED),
    )
    for kind, squares, points, use in singles:
        found += [Target(kind, square, (square,), points, use) for square in squares]
    for rule in rules:
        if isinstance(rule, Lit):
            found += [Target("lit", square, (square,), use=_NEEDED) for square in ground.marks[rule.mark]]
        if isinstance(rule, Paved) and rule.worth > 0:
            marked = ground.marks[rule.mark]
            found += [Target("paved", square, (square,), rule.worth) for square in marked]
    return [target for target in found if target.worth]


def _beside(ground: Ground, square: Square) -> tuple[Square, ...]:
    """Return the open squares beside a chest: a letter on any of them makes its own part of a word."""
    return tuple(cell for cell in neighbours(square) if ground.open(cell))


def _lines(ground: Ground) -> tuple[frozenset[Square], ...]:
    """Return the longest lines of open squares, of two squares or more."""
    height, width = len(ground.rows), len(ground.rows[0])
    ways = [[(row, col) for col in range(width)] for row in range(height)]
    ways += [[(row, col) for row in range(height)] for col in range(width)]
    found = []
    for way in ways:
        line: list[Square] = []
        for square in [*way, (-1, -1)]:
            if ground.open(square):
                line.append(square)
                continue
            if len(line) > 1:
                found.append(frozenset(line))
            line = []
    return tuple(found)


def _words_away(
    lines: tuple[frozenset[Square], ...], ground: Ground, cells: Iterable[Square]
) -> dict[Square, int]:
    """Return how many words it takes from a letter on each square to a letter on one of ``cells``."""
    away = dict.fromkeys(cells, 0)
    front = set(away)
    words = 0
    while front:
        words += 1
        reached = {square for line in lines if line & front for square in line}
        reached |= {cell for square in reached for cell in neighbours(square) if ground.open(cell)}
        front = reached - set(away)
        away.update(dict.fromkeys(front, words))
    return away
