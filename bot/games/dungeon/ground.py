"""The ground of a dungeon and a position on it: what lies where, what has been placed, what has come of it.

A ``Ground`` is what a map says and no turn changes. A ``Position`` is a way through it so far: an immutable value that
holds everything that rules, scores, pictures and searches ask about, so that none of them has to play the turns again.
``Position.after`` lays a word without asking whether it may be laid (``placement`` does); it takes microseconds, and
the position that it was asked of stays good, which is what a search needs.

Rulebook: "Word Placement Rules", "Looting Treasure Chests", "Unlocking Doors", "Killing Monsters". Beyond it:

- A chest is collected by the turn that makes its letter part of a word. Until then its letter forms words like any
  other, but joins nothing: it belongs to no word yet.
- Any key opens any door, if the letter is right. Of several keys with that letter the one collected first is used.
- Words that stand are the runs of two letters or more; a word that the turn extends is replaced by the longer one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from string import ascii_uppercase
from typing import NamedTuple

import msgspec

from bot.games.crossword import BLOCK, Run, Square, inside, line, run_at, runs_through

FLOOR, START, EXIT, GEM, DOOR = ".", ">", "<", "*", "%"
KEYS = "123456789"
CHESTS = ascii_uppercase
PLAIN = frozenset(BLOCK + FLOOR + START + EXIT + GEM + DOOR + KEYS + CHESTS)  # what no legend has to explain


class Monster(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A monster: its name, A-Z, and the points on its coin."""

    name: str
    coin: int


@dataclass(frozen=True)
class Ground:
    """A map, read. Squares are (row, column) from 0 at the top left; all sets are in reading order."""

    rows: tuple[str, ...]
    monsters: tuple[Monster, ...] = ()
    start: Square = field(init=False)
    exit: Square = field(init=False)
    chests: Mapping[Square, str] = field(init=False)  # their letters
    gems: tuple[Square, ...] = field(init=False)
    keys: tuple[Square, ...] = field(init=False)
    doors: tuple[Square, ...] = field(init=False)
    marks: Mapping[str, tuple[Square, ...]] = field(init=False)  # what a legend explains

    def __post_init__(self) -> None:
        """Read the map; raises ValueError unless it has one start and one exit."""
        found: dict[str, list[Square]] = {}
        for row, text in enumerate(self.rows):
            for col, mark in enumerate(text):
                found.setdefault(mark, []).append((row, col))
        for name, mark in (("start", START), ("exit", EXIT)):
            if len(found.get(mark, ())) != 1:
                raise ValueError(f"a map has one {name} {mark}, not {len(found.get(mark, ()))}")
            object.__setattr__(self, name, found[mark][0])
        chests = sorted((square, mark) for mark in CHESTS for square in found.get(mark, ()))
        object.__setattr__(self, "chests", dict(chests))
        object.__setattr__(self, "gems", tuple(found.get(GEM, ())))
        object.__setattr__(
            self, "keys", tuple(sorted(square for key in KEYS for square in found.get(key, ())))
        )
        object.__setattr__(self, "doors", tuple(found.get(DOOR, ())))
        marks = {mark: tuple(squares) for mark, squares in found.items() if mark not in PLAIN}
        object.__setattr__(self, "marks", marks)

    @property
    def longest(self) -> int:
        """How many letters the longest line of the map has room for."""
        return max(len(self.rows), len(self.rows[0]))

    def room(self, square: Square) -> int:
        """Return how many letters the longer of the two open lines through a square has room for."""
        return max(
            1 + sum(self._run(square, step_row * way, step_col * way) for way in (1, -1))
            for step_row, step_col in ((0, 1), (1, 0))
        )

    def _run(self, square: Square, step_row: int, step_col: int) -> int:
        row, col = square
        count = 0
        while self.open((row + step_row, col + step_col)):
            row, col, count = row + step_row, col + step_col, count + 1
        return count

    def open(self, square: Square) -> bool:
        """Return whether the map has the square and it is no rock."""
        return inside(self.rows, square) and self.rows[square[0]][square[1]] != BLOCK


class Key(NamedTuple):
    """A key that was collected: where, its letter, and the door that it has opened, if any."""

    square: Square
    letter: str
    door: Square | None = None


class Deed(NamedTuple):
    """What a word does when it is laid: a turn, seen from both ends.

    ``formed``: the words formed or extended, the main one first. ``new``: the squares that it fills, in order.
    ``struck``: how many letters each monster loses by it.
    """

    before: Position
    after: Position
    main: Run
    formed: tuple[Run, ...]
    new: tuple[Square, ...]
    struck: tuple[int, ...]

    def striking(self, struck: tuple[int, ...]) -> Deed:
        """Return the same turn with these strikes instead; only for one that strikes nothing yet."""
        after = replace(
            self.after, struck=tuple(had + now for had, now in zip(self.before.struck, struck, strict=True))
        )
        return self._replace(after=after, struck=struck)

    @property
    def placed(self) -> tuple[str, ...]:
        """The letters placed, in order."""
        return tuple(self.after.letters[square] for square in self.new)

    @property
    def chests(self) -> tuple[Square, ...]:
        """The chests that it collects."""
        return tuple(
            square for square in self.after.ground.chests
            if square in self.after.chests and square not in self.before.chests
        )  # fmt: skip

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys that it collects."""
        return self.after.keys[len(self.before.keys) :]

    @property
    def doors(self) -> tuple[Square, ...]:
        """The doors that it opens."""
        return tuple(square for square in self.new if square in self.after.ground.doors)

    @property
    def killed(self) -> tuple[int, ...]:
        """The monsters, by number, that it kills."""
        dead = self.before.dead
        return tuple(number for number in self.after.dead if number not in dead)


@dataclass(frozen=True, eq=False)
class Position:
    """A way through a dungeon so far. Nothing in it is ever changed.

    ``letters``: every letter on the map, those of all chests among them. ``laid``: the turn (from 1) in which each
    letter was placed, in the order placed. ``words``: what stands. ``used``: every word ever formed. ``mains``: the word
    of each turn, as it read then. ``struck``: how many letters each monster has lost.
    """

    ground: Ground
    letters: Mapping[Square, str]
    laid: Mapping[Square, int] = field(default_factory=dict)
    words: tuple[Run, ...] = ()
    used: frozenset[str] = frozenset()
    mains: tuple[Run, ...] = ()
    chests: frozenset[Square] = frozenset()
    keys: tuple[Key, ...] = ()
    struck: tuple[int, ...] = ()

    @staticmethod
    def first(ground: Ground) -> Position:
        """Return the position before the first turn."""
        return Position(ground, dict(ground.chests), struck=(0,) * len(ground.monsters))

    @property
    def turns(self) -> int:
        """How many turns have been taken."""
        return len(self.mains)

    @property
    def out(self) -> bool:
        """Whether the exit is filled."""
        return self.ground.exit in self.laid

    @property
    def held(self) -> tuple[str, ...]:
        """The letters of the keys that have opened no door, in the order collected."""
        return tuple(key.letter for key in self.keys if key.door is None)

    @property
    def opened(self) -> tuple[Square, ...]:
        """The doors that stand open, in reading order."""
        return tuple(square for square in self.ground.doors if square in self.laid)

    @property
    def dead(self) -> tuple[int, ...]:
        """The monsters, by number, that have lost every letter."""
        return tuple(
            number
            for number, (monster, struck) in enumerate(zip(self.ground.monsters, self.struck, strict=True))
            if struck == len(monster.name)
        )

    @property
    def gems(self) -> dict[Square, str]:
        """The gems that would be collected by leaving now: those with a letter that no other gem has."""
        filled = {square: self.letters[square] for square in self.ground.gems if square in self.letters}
        count = Counter(filled.values())
        return {square: letter for square, letter in filled.items() if count[letter] == 1}

    def rest(self, monster: int) -> str:
        """Return the letters of a monster's name that have not been struck off."""
        return self.ground.monsters[monster].name[self.struck[monster] :]

    def standing(self, square: Square) -> bool:
        """Return whether a square holds a letter that belongs to a word: one placed, or a chest's collected."""
        return square in self.laid or square in self.chests

    def after(self, word: str, row: int, col: int, across: bool, struck: Iterable[int] = ()) -> Deed:
        """Return what laying a word as it will read does, whether it may be laid or not.

        ``struck``: how many letters each monster loses, none when left out. A key that a door takes need not be there.
        """
        squares = line(row, col, across, len(word))
        new = tuple(square for square in squares if square not in self.letters)
        letters = {**self.letters, **{square: word[at] for at, square in enumerate(squares)}}
        turn = self.turns + 1
        laid = {**self.laid, **dict.fromkeys(new, turn)}
        formed = runs_through(letters, new, across)
        main = run_at(letters, squares[0], across)
        lines = [(run.across, frozenset(run.squares)) for run in formed]
        kept = tuple(
            old for old in self.words
            if not any(old.across == way and (old.row, old.col) in filled for way, filled in lines)
        )  # fmt: skip
        hits = tuple(struck) or (0,) * len(self.struck)
        chests = self.ground.chests
        reached = [square for run in formed for square in run.squares if square in chests] if chests else ()
        after = Position(
            ground=self.ground,
            letters=letters,
            laid=laid,
            words=kept + formed,
            used=self.used.union(run.word for run in formed),
            mains=(*self.mains, main),
            chests=self.chests.union(reached),
            keys=self._keys(letters, new),
            struck=tuple(had + now for had, now in zip(self.struck, hits, strict=True)),
        )
        return Deed(self, after, main, formed, new, hits)

    def _keys(self, letters: Mapping[Square, str], new: tuple[Square, ...]) -> tuple[Key, ...]:
        keys = list(self.keys)
        keys.extend(Key(square, letters[square]) for square in new if square in self.ground.keys)
        for door in new:
            if door in self.ground.doors:
                for at, key in enumerate(keys):
                    if key.door is None and key.letter == letters[door]:
                        keys[at] = key._replace(door=door)
                        break
        return tuple(keys)
