"""Search among words: all that given letters spell, and every placement on a crossword grid.

How it is quick. Each word is a set of pairs (letter, how often it has come before): BANANA is A0 A1 A2 B0 N0 N1. The
vocabulary has some 120 different pairs, so a word is two 64-bit numbers, and what it lacks of given letters is a
count of bits. On a grid, each line is a run of bits in a 64-bit *lane*, three rows of 18 squares in one; for each
letter the lane says on which squares it may stand, so ``allowed[w₀] & allowed[w₁] >> 1 & …`` is the set of all
squares from which the word fits, in all lines of the lane at once, for thousands of words in one numpy call.

What is found stays in numpy columns; words and placements become objects one by one, when somebody looks at them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from bot.words.vocabulary import COMMON, FULL, MILD, Vocabulary

BLOCKED, FREE = "#", "."

Square = tuple[int, int]
Numbers = npt.NDArray[np.int64]
_LANE = 64
_ALL = (1 << 26) - 1


@dataclass(frozen=True)
class Grid:
    """A crossword grid. ``rows`` are of one length: ``#`` blocked, ``.`` free, A-Z a letter that is laid.

    ``start``: the square that the first word has to cover; it then need join nothing, and lies wholly in ``within``
    (top, left, height, width) if that is given. ``barred``: free squares on which no letter may be laid now. At most
    64 rows and columns. Raises ValueError for anything else.
    """

    rows: tuple[str, ...]
    start: Square | None = None
    within: tuple[int, int, int, int] | None = None
    barred: frozenset[Square] = frozenset()

    def __post_init__(self) -> None:
        width = len(self.rows[0]) if self.rows else 0
        if not 0 < width <= _LANE or len(self.rows) > _LANE or any(len(row) != width for row in self.rows):
            raise ValueError("a grid has 1 to 64 rows of one length, 1 to 64 squares long")
        if not all(square in "#." or "A" <= square <= "Z" for row in self.rows for square in row):
            raise ValueError("a square of a grid is #, . or a letter A-Z")

    def lines(self, across: bool) -> list[str]:
        """Return the rows or the columns, each a string; a barred square reads as blocked."""
        rows = self.rows
        if self.barred:
            rows = tuple(
                "".join(
                    BLOCKED if square == FREE and (row, col) in self.barred else square
                    for col, square in enumerate(line)
                )
                for row, line in enumerate(rows)
            )
        return list(rows) if across else ["".join(column) for column in zip(*rows, strict=True)]


class Placement(NamedTuple):
    """A word on a grid, as it will read from its first square.

    ``new``: how many letters are laid for it. ``wild``: positions in ``word`` that a wildcard serves, because the
    real letters do not reach; where the letter is laid more than once, squares that form no other word come first.
    """

    word: str
    row: int
    col: int
    across: bool
    new: int
    wild: tuple[int, ...]


class Found(Sequence[str]):
    """Words found, as ``numbers`` of a vocabulary, ascending: shorter words first, then by the alphabet.

    The length, the numbers and a slice cost nothing; a word is made when it is looked at.
    """

    def __init__(self, words: Vocabulary, numbers: Numbers) -> None:
        self.words = words
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Found: ...
    def __getitem__(self, at: int | slice) -> str | Found:
        if isinstance(at, slice):
            return Found(self.words, self.numbers[at])
        return self.words[int(self.numbers[at])]

    def __iter__(self) -> Iterator[str]:
        for block in self.words.blocks:
            low, high = np.searchsorted(self.numbers, [block.first, block.first + block.size])
            letters = np.frombuffer(block.text, np.uint8).reshape(block.size, block.length)
            text = letters[self.numbers[low:high] - block.first].tobytes().decode("ascii")
            yield from (text[at : at + block.length] for at in range(0, len(text), block.length))


class Placements(Sequence[Placement]):
    """Placements found, as parallel columns: ``number`` of the word, ``length``, ``row``, ``col``, ``across``,
    ``new`` letters laid, ``lacking`` letters that wildcards serve.

    Score and choose on the columns (``found.length * 2 + found.new`` is one number a placement) and look at single
    placements afterwards: ``found[i]`` makes one in some microseconds. ``take`` keeps a choice. The order is by
    length, then direction and word.
    """

    COLUMNS = ("number", "length", "row", "col", "across", "new", "lacking")

    def __init__(self, words: Vocabulary, grid: Grid, stock: Counter[str], columns: dict[str, Numbers]) -> None:
        self.words = words
        self.grid = grid
        self._stock = stock
        self.number = columns["number"]
        self.length = columns["length"]
        self.row = columns["row"]
        self.col = columns["col"]
        self.across = columns["across"]
        self.new = columns["new"]
        self.lacking = columns["lacking"]

    def take(self, which: npt.NDArray[Any]) -> Placements:
        """Return some of the placements, by indices or a mask, in that order."""
        columns: dict[str, Numbers] = {name: getattr(self, name)[which] for name in self.COLUMNS}
        return Placements(self.words, self.grid, self._stock, columns)

    def __len__(self) -> int:
        return len(self.number)

    @overload
    def __getitem__(self, at: int) -> Placement: ...
    @overload
    def __getitem__(self, at: slice) -> Placements: ...
    def __getitem__(self, at: int | slice) -> Placement | Placements:
        if isinstance(at, slice):
            return self.take(np.arange(len(self))[at])
        word = self.words[int(self.number[at])]
        row, col, across = int(self.row[at]), int(self.col[at]), bool(self.across[at])
        wild = _wild(self.grid, word, row, col, across, self._stock) if self.lacking[at] else ()
        return Placement(word, row, col, across, int(self.new[at]), wild)


class Search:
    """The search over one vocabulary. Building its columns takes 0.2 s and 7 MB for 250,000 words.

    ``legal`` and ``common`` say whether a word is in the vocabulary, and in its common tier; they are asked for
    words that a placement forms across itself.
    """

    def __init__(
        self, words: Vocabulary, legal: Callable[[str], bool], common: Callable[[str], bool]
    ) -> None:
        self._words = words
        self._legal = legal
        self._common = common
        self._letters = {block.length: np.ascontiguousarray(block.letters.T) for block in words.blocks}
        self._pairs = _Pairs(self._letters.values())
        masks = [self._pairs.masks(letters) for letters in self._letters.values()]
        self._masks = np.concatenate(masks, axis=1) if masks else np.zeros((1, 0), np.uint64)

    def from_letters(
        self, letters: str, wild: int = 0, *, common: bool = False, mild: bool = False
    ) -> Found:
        """Return all words of ``letters`` (A-Z, each used once at most) and ``wild`` wildcards.

        ``common``: only well-known words; ``mild``: only words that offend nobody. Raises ValueError for other
        letters.
        """
        stock = _stock(letters)
        enough = self._lacking_at_most(np.arange(len(self._words)), self._pairs.mask(stock), wild)
        tier = _tier(common, mild)
        if tier != FULL:
            enough = enough[self._words.tiers[enough] >= tier]
        return Found(self._words, enough)

    def placements(
        self, grid: Grid, letters: str, wild: int = 0, *, common: bool = False, mild: bool = False
    ) -> Placements:
        """Return every legal placement of some of ``letters`` (A-Z) and ``wild`` wildcards on ``grid``.

        A placement lays at least one letter in one line; its word is bounded by the edge, blocked or empty squares;
        it joins letters that are laid (or covers the grid's start, when that is given); and every word it forms is
        legal. ``common``: every such word is well known; ``mild``: none of them offends. Raises ValueError for other
        letters.
        """
        stock = _stock(letters)
        tier = _tier(common, mild)
        laid = Counter(square for row in grid.rows for square in row if square not in "#.")
        lanes = [
            lane
            for across in (True, False)
            for lane in _lanes(grid, across, stock, wild, self._cross_letters(tier), self._pairs)
        ]
        lengths = sorted({length for lane in lanes for length in lane.starts} & self._letters.keys())
        parts: list[dict[str, Numbers]] = []
        for length in lengths:
            block = self._words.block(length)
            assert block is not None
            numbers = np.arange(block.first, block.first + block.size)
            if tier != FULL:
                numbers = numbers[self._words.tiers[numbers] >= tier]
            numbers = self._lacking_at_most(numbers, self._pairs.mask(stock + laid), wild)
            letters_at = self._letters[length][:, numbers - block.first].astype(np.intp)
            for lane in lanes:
                if length in lane.starts:
                    parts.append(self._in_lane(lane, length, numbers, letters_at, wild))
        columns = {
            name: np.concatenate([part[name] for part in parts]) if parts else np.zeros(0, np.int64)
            for name in Placements.COLUMNS
        }
        return Placements(self._words, grid, stock, columns)

    @staticmethod
    def fits(grid: Grid, word: str, letters: str, wild: int = 0) -> list[Placement]:
        """Return where ``word`` (A-Z) can be laid with ``letters`` and ``wild`` wildcards, by geometry alone.

        No lexicon is asked, neither for the word nor for those it forms across itself: this is for tables at which
        the dictionary keeps silent. Else the rules are those of ``placements``. Sorted by row, column, direction.
        """
        stock = _stock(letters)
        found: list[Placement] = []
        for across in (True, False):
            lines = grid.lines(across)
            for at, line in enumerate(lines):
                touching = _touching(lines, at)
                for start in range(len(line) - len(word) + 1):
                    slot = _slot(grid, across, at, start, line[start : start + len(word)])
                    if not slot.bounded(line) or not slot.joins(touching) or not _matches(slot.text, word):
                        continue
                    need = Counter(
                        letter for letter, square in zip(word, slot.text, strict=True) if square == FREE
                    )
                    if (need - stock).total() <= wild:
                        served = _wild(grid, word, slot.row, slot.col, across, stock)
                        found.append(Placement(word, slot.row, slot.col, across, slot.new, served))
        return sorted(found, key=lambda placement: (placement.row, placement.col, not placement.across))

    def _lacking_at_most(self, numbers: Numbers, have: Sequence[int], wild: int) -> Numbers:
        """Return those words that lack at most ``wild`` letters of a mask."""
        lacking: npt.NDArray[np.uint8] | None = None
        for masks, given in zip(self._masks, have, strict=True):
            more = np.bitwise_count(masks[numbers] & np.uint64(~given & (1 << 64) - 1))
            lacking = more if lacking is None else lacking + more
            kept = np.flatnonzero(lacking <= wild)
            numbers, lacking = numbers[kept], lacking[kept]
        return numbers

    def _in_lane(
        self, lane: _Lane, length: int, numbers: Numbers, letters_at: npt.NDArray[np.intp], wild: int
    ) -> dict[str, Numbers]:
        """Return the placements of words of one length in one lane."""
        fits = np.full(len(numbers), lane.starts[length], np.uint64)
        kept = np.arange(len(numbers))
        for position in range(length):
            fits = fits & (lane.allowed >> np.uint64(position))[letters_at[position, kept]]
            if position in (1, 3, 5) or position == length - 1:
                left = np.flatnonzero(fits)
                fits, kept = fits[left], kept[left]
        which, bits = _each_bit(fits)
        chosen = numbers[kept[which]]
        slots = lane.slot_at[length][bits]
        lacking = np.zeros(len(chosen), np.int64)
        for masks, given in zip(self._masks, lane.have, strict=True):
            lacking += np.bitwise_count(masks[chosen] & ~given[slots])
        enough = np.flatnonzero(lacking <= wild)
        slots = slots[enough]
        return {
            "number": chosen[enough],
            "length": np.full(len(enough), length),
            "row": lane.row[slots],
            "col": lane.col[slots],
            "across": np.full(len(enough), int(lane.across)),
            "new": lane.new[slots],
            "lacking": lacking[enough],
        }

    def _cross_letters(self, tier: int) -> Callable[[str, str], int]:
        """Return the function from what stands before and after a square to the letters that may stand on it."""
        known: dict[tuple[str, str], int] = {}
        ask = self._common if tier == COMMON else self._legal

        def may_stand(before: str, after: str) -> int:
            letters = known.get((before, after))
            if letters is None:
                letters = 0
                for code in range(26):
                    word = f"{before}{chr(65 + code)}{after}"
                    if ask(word) and (tier != MILD or self._words.tiers[self._words.number(word)] >= MILD):
                        letters |= 1 << code
                known[before, after] = letters
            return letters

        return may_stand


class _Pairs:
    """The pairs (letter, how often it came before) that a vocabulary has, and the bit of each."""

    def __init__(self, by_length: Any) -> None:
        most = np.zeros(26, np.int64)
        for letters in by_length:
            for code in range(26):
                counts = (letters == code).sum(axis=0)
                most[code] = max(most[code], counts.max(initial=0))
        ranked = sorted((rank, code) for code in range(26) for rank in range(int(most[code])))
        self._bit = {(code, rank): bit for bit, (rank, code) in enumerate(ranked)}
        self.columns = max(1, -(-len(ranked) // _LANE))
        depth = int(most.max(initial=0)) + 1
        self._table = np.zeros((self.columns, 26, depth), np.uint64)
        for (code, rank), bit in self._bit.items():
            self._table[bit // _LANE, code, rank] = 1 << bit % _LANE

    def masks(self, letters: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
        """Return the pairs of words: ``letters`` is (position, word), the result (column, word)."""
        masks = np.zeros((self.columns, letters.shape[1]), np.uint64)
        for position, here in enumerate(letters):
            rank = (letters[:position] == here).sum(axis=0)
            masks |= self._table[:, here, rank]
        return masks

    def mask(self, stock: Counter[str]) -> list[int]:
        """Return the pairs of given letters, a number a column."""
        mask = 0
        for letter, count in stock.items():
            for rank in range(count):
                bit = self._bit.get((ord(letter) - 65, rank))
                if bit is not None:
                    mask |= 1 << bit
        return [mask >> column * _LANE & (1 << _LANE) - 1 for column in range(self.columns)]


@dataclass(frozen=True)
class _Slot:
    """``text``: what lies on the squares from ``start`` on, in line ``at``."""

    grid: Grid
    across: bool
    at: int
    start: int
    text: str

    @property
    def row(self) -> int:
        return self.at if self.across else self.start

    @property
    def col(self) -> int:
        return self.start if self.across else self.at

    @property
    def new(self) -> int:
        return self.text.count(FREE)

    def bounded(self, line: str) -> bool:
        """Whether it holds no blocked square, has room for a letter, and no letter stands before or after it."""
        end = self.start + len(self.text)
        before = line[self.start - 1] if self.start else BLOCKED
        after = line[end] if end < len(line) else BLOCKED
        return BLOCKED not in self.text and FREE in self.text and before in "#." and after in "#."

    def joins(self, touching: Sequence[bool]) -> bool:
        """Whether it covers the start as it should, or, without a start, joins a letter."""
        end = self.start + len(self.text)
        if self.grid.start is None:
            return self.new < len(self.text) or any(touching[self.start : end])
        line, square = self.grid.start if self.across else self.grid.start[::-1]
        return line == self.at and self.start <= square < end and self._within()

    def _within(self) -> bool:
        if self.grid.within is None:
            return True
        top, left, height, width = self.grid.within
        last_row = self.row if self.across else self.row + len(self.text) - 1
        last_col = self.col + len(self.text) - 1 if self.across else self.col
        return top <= self.row and last_row < top + height and left <= self.col and last_col < left + width


def _slot(grid: Grid, across: bool, at: int, start: int, text: str) -> _Slot:
    return _Slot(grid, across, at, start, text)


def _touching(lines: list[str], at: int) -> list[bool]:
    """Return for each square of a line whether a letter stands beside it, in a neighbouring line."""
    above = lines[at - 1] if at else BLOCKED * len(lines[at])
    below = lines[at + 1] if at + 1 < len(lines) else BLOCKED * len(lines[at])
    return [one not in "#." or other not in "#." for one, other in zip(above, below, strict=True)]


def _matches(text: str, word: str) -> bool:
    return all(square in (FREE, letter) for square, letter in zip(text, word, strict=True))


@dataclass(frozen=True)
class _Lane:
    """Some lines of one direction, a bit a square.

    ``allowed``: for each letter the squares on which it may stand. ``starts``: for each length the squares on which
    a word may begin; ``slot_at``: those squares' rows in the tables of slots. ``have``: a row a column of pairs,
    the letters at hand and those laid in a slot.
    """

    across: bool
    allowed: npt.NDArray[np.uint64]
    starts: dict[int, np.uint64]
    slot_at: dict[int, Numbers]
    row: Numbers
    col: Numbers
    new: Numbers
    have: npt.NDArray[np.uint64]


def _lanes(
    grid: Grid,
    across: bool,
    stock: Counter[str],
    wild: int,
    cross_letters: Callable[[str, str], int],
    pairs: _Pairs,
) -> Iterator[_Lane]:
    lines = grid.lines(across)
    crossing = grid.lines(not across)
    usable = _ALL if wild else sum(1 << ord(letter) - 65 for letter in stock)
    per_lane = _LANE // len(lines[0])
    for first in range(0, len(lines), per_lane):
        slots: list[_Slot] = []
        bits: list[int] = []
        masks = [0] * 26
        for at in range(first, min(first + per_lane, len(lines))):
            line, shift = lines[at], (at - first) * len(lines[0])
            touching = _touching(lines, at)
            for slot in _slots(grid, across, at, line, touching, stock.total() + wild):
                slots.append(slot)
                bits.append(shift + slot.start)
            for place, square in enumerate(line):
                allowed = _allowed(square, touching[place], crossing[place], at, usable, cross_letters)
                while allowed:
                    low = allowed & -allowed
                    masks[low.bit_length() - 1] |= 1 << shift + place
                    allowed ^= low
        if slots:
            yield _lane(across, masks, slots, bits, stock, pairs)


def _slots(
    grid: Grid, across: bool, at: int, line: str, touching: list[bool], hand: int
) -> Iterator[_Slot]:
    """Yield the slots of a line that a placement of at most ``hand`` letters can fill."""
    for start in range(len(line)):
        if start and line[start - 1] not in "#.":
            continue
        new = 0
        for end in range(start + 1, len(line) + 1):
            square = line[end - 1]
            new += square == FREE
            if square == BLOCKED or new > hand:
                break
            if end - start < 2:
                continue
            slot = _Slot(grid, across, at, start, line[start:end])
            if slot.bounded(line) and slot.joins(touching):
                yield slot


def _allowed(
    square: str,
    touching: bool,
    column: str,
    at: int,
    usable: int,
    cross_letters: Callable[[str, str], int],
) -> int:
    """Return the letters that may stand on a square, a bit each; ``column`` crosses the line at ``at``."""
    if square == BLOCKED:
        return 0
    if square != FREE:
        return 1 << ord(square) - 65
    if not touching:
        return usable
    before, after = _beside(column, at)
    return usable & cross_letters(before, after)


def _beside(line: str, at: int) -> tuple[str, str]:
    """Return the letters that run up to a square of a line, and those that run on from it."""
    start, end = at, at + 1
    while start and line[start - 1] not in "#.":
        start -= 1
    while end < len(line) and line[end] not in "#.":
        end += 1
    return line[start:at], line[at + 1 : end]


def _lane(
    across: bool, masks: list[int], slots: list[_Slot], bits: list[int], stock: Counter[str], pairs: _Pairs
) -> _Lane:
    starts: dict[int, int] = {}
    slot_at: dict[int, Numbers] = {}
    have: list[list[int]] = []
    known: dict[str, list[int]] = {}
    for number, (slot, bit) in enumerate(zip(slots, bits, strict=True)):
        length = len(slot.text)
        starts[length] = starts.get(length, 0) | 1 << bit
        slot_at.setdefault(length, np.zeros(_LANE, np.int64))[bit] = number
        laid = slot.text.replace(FREE, "")
        if laid not in known:
            known[laid] = pairs.mask(stock + Counter(laid))
        have.append(known[laid])
    return _Lane(
        across,
        np.array(masks, np.uint64),
        {length: np.uint64(mask) for length, mask in starts.items()},
        slot_at,
        np.array([slot.row for slot in slots]),
        np.array([slot.col for slot in slots]),
        np.array([slot.new for slot in slots]),
        np.array(have, np.uint64).T,
    )


def _each_bit(values: npt.NDArray[np.uint64]) -> tuple[Numbers, Numbers]:
    """Return a row for each bit that is set: the index of its value and its place, values in order."""
    one = np.uint64(1)
    index = np.arange(len(values))
    rows: list[Numbers] = []
    places: list[Numbers] = []
    while len(values):
        rows.append(index)
        places.append(np.bitwise_count(~values & (values - one)).astype(np.int64))
        values = values & (values - one)
        left = np.flatnonzero(values)
        values, index = values[left], index[left]
    if not rows:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate(rows), np.concatenate(places)


def _wild(grid: Grid, word: str, row: int, col: int, across: bool, stock: Counter[str]) -> tuple[int, ...]:
    """Return the positions that wildcards serve, ascending."""
    new: dict[str, list[tuple[bool, int]]] = {}
    for position, letter in enumerate(word):
        r, c = (row, col + position) if across else (row + position, col)
        if grid.rows[r][c] == FREE:
            new.setdefault(letter, []).append((_crossed(grid, r, c, across), position))
    served: list[int] = []
    for letter, places in new.items():
        lacking = len(places) - stock[letter]
        if lacking > 0:
            served.extend(position for _, position in sorted(places)[:lacking])
    return tuple(sorted(served))


def _crossed(grid: Grid, row: int, col: int, across: bool) -> bool:
    """Whether a letter stands beside the square, across the line of the word."""
    steps = ((row - 1, col), (row + 1, col)) if across else ((row, col - 1), (row, col + 1))
    return any(
        0 <= r < len(grid.rows) and 0 <= c < len(grid.rows[0]) and grid.rows[r][c] not in "#." for r, c in steps
    )


def _stock(letters: str) -> Counter[str]:
    if not all("A" <= letter <= "Z" for letter in letters):
        raise ValueError(f"letters are A-Z, not {letters!r}")
    return Counter(letters)


def _tier(common: bool, mild: bool) -> int:
    return COMMON if common else MILD if mild else FULL
