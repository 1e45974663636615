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
_FILLED = (1 << _LANE) - 1
_SPARSE = 1  # letters laid in a slot up to which it is cheaper to try many words in many slots at once
_Part = tuple[Numbers, Numbers, Numbers]  # words, their slots, how many letters wildcards serve


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

    def __init__(
        self, words: Vocabulary, grid: Grid, stock: Counter[str], columns: dict[str, Numbers]
    ) -> None:
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
        self._index: dict[tuple[int, int], tuple[npt.NDArray[np.int32], Numbers]] = {}

    def from_letters(self, letters: str, wild: int = 0, *, common: bool = False, mild: bool = False) -> Found:
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
        board = _Board(grid, stock, wild, self._cross_letters(tier), self._pairs)
        empty = np.zeros(0, np.int64)
        parts: list[_Part] = [(empty, empty, empty)]
        for length in sorted(board.lengths & self._letters.keys()):
            candidates = self._candidates(length, board.hand, wild + _SPARSE, tier)
            parts.extend(
                self._in_lane(board, lane, length, candidates, wild)
                for lane in board.lanes
                if length in lane.starts
            )
            if length in board.dense:
                parts.append(self._in_dense(board, length, wild, tier))
        number, slot, lacking = (np.concatenate(column) for column in zip(*parts, strict=True))
        columns = {name: values[slot] for name, values in board.columns().items()}
        return Placements(self._words, grid, stock, {"number": number, "lacking": lacking, **columns})

    @staticmethod
    def fits(grid: Grid, word: str, letters: str, wild: int = 0) -> list[Placement]:
        """Return where ``word`` (A-Z) can be laid with ``letters`` and ``wild`` wildcards, by geometry alone.

        No lexicon is asked, neither for the word nor for those it forms across itself: this is for tables at which
        the dictionary keeps silent. Else the rules are those of ``placements``. Sorted by row, column, direction.
        """
        stock = _stock(letters)
        hand = stock.total() + wild
        found: list[Placement] = []
        for across in (True, False):
            lines = grid.lines(across)
            for at, line in enumerate(lines):
                for start, end, new in _slots(grid, across, lines, at, hand, len(word), len(word)):
                    text = line[start:end]
                    if not all(square in (FREE, letter) for square, letter in zip(text, word, strict=True)):
                        continue
                    need = Counter(
                        letter for letter, square in zip(word, text, strict=True) if square == FREE
                    )
                    if (need - stock).total() <= wild:
                        row, col = (at, start) if across else (start, at)
                        served = _wild(grid, word, row, col, across, stock)
                        found.append(Placement(word, row, col, across, new, served))
        return sorted(found, key=lambda placement: (placement.row, placement.col, not placement.across))

    def _lacking_at_most(self, numbers: Numbers, have: Sequence[int], wild: int) -> Numbers:
        """Return those words that lack at most ``wild`` letters of a mask."""
        lacking: npt.NDArray[np.uint8] | None = None
        for masks, given in zip(self._masks, have, strict=True):
            more = np.bitwise_count(masks[numbers] & np.uint64(~given & _FILLED))
            lacking = more if lacking is None else lacking + more
            kept = np.flatnonzero(lacking <= wild)
            numbers, lacking = numbers[kept], lacking[kept]
        return numbers

    def _candidates(self, length: int, have: Sequence[int], most: int, tier: int) -> _Candidates:
        """Return the words of one length that lack at most ``most`` letters of a mask."""
        block = self._words.block(length)
        assert block is not None
        rows = slice(block.first, block.first + block.size)
        lacking = np.zeros(block.size, np.uint8)
        for masks, given in zip(self._masks, have, strict=True):
            lacking += np.bitwise_count(masks[rows] & np.uint64(~given & _FILLED))
        fit = lacking <= most
        if tier != FULL:
            fit &= self._words.tiers[rows] >= tier
        kept = np.flatnonzero(fit)
        letters = self._letters[length][:, kept].astype(np.intp)
        return _Candidates(kept + block.first, letters, lacking[kept].astype(np.intp))

    def _in_lane(self, board: _Board, lane: _Lane, length: int, words: _Candidates, wild: int) -> _Part:
        """Return the placements of words of one length in the sparse slots of a lane."""
        # A word that lacks d letters of the hand needs a slot with d - wild letters laid, or more.
        starts = lane.starts[length][np.maximum(np.arange(wild + _SPARSE + 1) - wild, 0)]
        fits = starts[words.lacking]
        kept = np.arange(len(fits))
        for position in range(length):
            fits &= (lane.allowed >> np.uint64(position))[words.letters[position][kept]]
            if position % 2 == 0 or position == length - 1:
                left = np.flatnonzero(fits)
                fits, kept = fits[left], kept[left]
        which, bits = _each_bit(fits)
        return self._affordable(board, words.numbers[kept[which]], lane.slot_at[length][bits], wild)

    def _in_slot(self, board: _Board, slot: int) -> npt.NDArray[np.int32]:
        """Return the words that fit a slot with many letters laid: few words have those at their places."""
        text = board.texts[slot]
        letters = self._letters[len(text)]
        laid = [(position, ord(square) - 65) for position, square in enumerate(text) if square != FREE]
        rarest, rows = min(
            ((place, self._rows_with(len(text), *place)) for place in laid), key=lambda found: len(found[1])
        )
        for position, code in laid:
            if (position, code) != rarest:
                rows = rows[letters[position].take(rows) == code]
        for position, allowed in board.crossed[slot]:
            rows = rows[allowed >> letters[position].take(rows).astype(np.int64) & 1 > 0]
        return rows

    def _rows_with(self, length: int, position: int, code: int) -> npt.NDArray[np.int32]:
        """Return the rows of the words of one length that have a letter at a position, ascending."""
        index = self._index.get((length, position))
        if index is None:
            letters = self._letters[length][position]
            order = np.argsort(letters, kind="stable").astype(np.int32)
            index = self._index[length, position] = order, np.searchsorted(letters[order], np.arange(27))
        order, bounds = index
        return order[bounds[code] : bounds[code + 1]]

    def _in_dense(self, board: _Board, length: int, wild: int, tier: int) -> _Part:
        """Return the placements of words of one length in all slots with many letters laid."""
        slots = board.dense[length]
        found = [self._in_slot(board, slot) for slot in slots]
        block = self._words.block(length)
        assert block is not None
        numbers = np.concatenate(found).astype(np.int64) + block.first
        where = np.repeat(np.array(slots), [len(rows) for rows in found])
        if tier != FULL:
            kept = self._words.tiers[numbers] >= tier
            numbers, where = numbers[kept], where[kept]
        return self._affordable(board, numbers, where, wild)

    def _affordable(self, board: _Board, numbers: Numbers, slots: Numbers, wild: int) -> _Part:
        """Return those words in their slots that lack at most ``wild`` letters of hand and slot together."""
        lacking = np.zeros(len(numbers), np.int64)
        for masks, given in zip(self._masks, board.have, strict=True):
            lacking += np.bitwise_count(masks[numbers] & ~given[slots])
        enough = np.flatnonzero(lacking <= wild)
        return numbers[enough], slots[enough], lacking[enough]

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
        return [mask >> column * _LANE & _FILLED for column in range(self.columns)]


def _slots(
    grid: Grid, across: bool, lines: list[str], at: int, hand: int, shortest: int, longest: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the slots of line ``at`` that a placement of at most ``hand`` letters can fill: start, end, new letters.

    A slot has room for a letter, none before or after it, and joins letters or covers the grid's start.
    """
    line = lines[at]
    touching = _touching(lines, at)
    size = len(line)
    for start in range(size - shortest + 1):
        if start and line[start - 1] not in "#.":
            continue
        new = 0
        joined = False
        for end in range(start + 1, min(start + longest, size) + 1):
            square = line[end - 1]
            if square == BLOCKED:
                break
            if square == FREE:
                new += 1
                if new > hand:
                    break
                joined = joined or touching[end - 1]
            else:
                joined = True
            if not new or end - start < shortest or (end < size and line[end] not in "#."):
                continue
            if joined if grid.start is None else _covers_start(grid, across, at, start, end):
                yield start, end, new


def _covers_start(grid: Grid, across: bool, at: int, start: int, end: int) -> bool:
    """Whether a slot covers the start and lies within what the first word may cover."""
    assert grid.start is not None
    line, square = grid.start if across else grid.start[::-1]
    if line != at or not start <= square < end:
        return False
    if grid.within is None:
        return True
    top, left, height, width = grid.within
    (low, high), (first, last) = ((top, height), (left, width)) if across else ((left, width), (top, height))
    return low <= at < low + high and first <= start and end <= first + last


def _touching(lines: list[str], at: int) -> list[bool]:
    """Return for each square of a line whether a letter stands beside it, in a neighbouring line."""
    above = lines[at - 1] if at else BLOCKED * len(lines[at])
    below = lines[at + 1] if at + 1 < len(lines) else BLOCKED * len(lines[at])
    return [one not in "#." or other not in "#." for one, other in zip(above, below, strict=True)]


@dataclass(frozen=True)
class _Candidates:
    """Words of one length: their numbers, ``letters`` by (position, word), and how many the hand lacks of each."""

    numbers: Numbers
    letters: npt.NDArray[np.intp]
    lacking: npt.NDArray[np.intp]


class _Lane:
    """Some lines of one direction, a bit a square.

    ``allowed``: for each letter the squares on which it may stand. ``starts``: for each length the squares on which
    a word may begin, in sparse slots with at least 0, 1 … letters laid; ``slot_at``: those squares' slots.
    """

    def __init__(self) -> None:
        self._allowed: dict[int, int] = {}
        self._begins: dict[int, list[int]] = {}
        self.slot_at: dict[int, Numbers] = {}

    def add(self, slot: int, bit: int, length: int, laid: int) -> None:
        """Add a sparse slot that begins at ``bit``."""
        begins = self._begins.setdefault(length, [0] * (_SPARSE + 1))
        for least in range(laid + 1):
            begins[least] |= 1 << bit
        self.slot_at.setdefault(length, np.zeros(_LANE, np.int64))[bit] = slot

    def allow(self, letters: int, bit: int) -> None:
        """Let the letters of a mask stand at ``bit``."""
        self._allowed[letters] = self._allowed.get(letters, 0) | 1 << bit

    def close(self) -> None:
        """Turn what was added into arrays."""
        self.allowed = np.array(
            [
                sum(bits for letters, bits in self._allowed.items() if letters >> code & 1)
                for code in range(26)
            ],
            np.uint64,
        )
        self.starts = {length: np.array(masks, np.uint64) for length, masks in self._begins.items()}


class _Board:
    """What a search needs to know of a grid and a hand.

    Slots are numbered. ``texts``: what lies in each; ``crossed``: its free squares beside letters, as (position, the
    letters that may stand there, a bit each); ``have``: a row a column of pairs, the letters of the hand and the
    slot's. Slots with at most ``_SPARSE`` letters laid are in ``lanes``, the others, by their length, in ``dense``.
    """

    def __init__(
        self,
        grid: Grid,
        stock: Counter[str],
        wild: int,
        cross_letters: Callable[[str, str], int],
        pairs: _Pairs,
    ) -> None:
        self.hand = pairs.mask(stock)
        self.texts: list[str] = []
        self.crossed: list[list[tuple[int, int]]] = []
        self.lanes: list[_Lane] = []
        self.dense: dict[int, list[int]] = {}
        self._squares: list[tuple[int, int, bool, int]] = []
        self._usable = _ALL if wild else sum(1 << ord(letter) - 65 for letter in stock)
        self._cross_letters = cross_letters
        for across in (True, False):
            lines, crossing = grid.lines(across), grid.lines(not across)
            size = len(lines[0])
            for first in range(0, len(lines), _LANE // size):
                lane = _Lane()
                for at in range(first, min(first + _LANE // size, len(lines))):
                    self._add_line(
                        lane, (at - first) * size, grid, across, at, lines, crossing, stock.total() + wild
                    )
                lane.close()
                self.lanes.append(lane)
        self.lengths = self.dense.keys() | {length for lane in self.lanes for length in lane.starts}
        laid = [text.replace(FREE, "") for text in self.texts]
        have = {letters: pairs.mask(stock + Counter(letters)) for letters in set(laid)}
        self.have = np.array([have[letters] for letters in laid], np.uint64).reshape(-1, pairs.columns).T

    def columns(self) -> dict[str, Numbers]:
        """Return what is to be told of each slot, a column a fact."""
        facts = np.array(self._squares, np.int64).reshape(-1, 4)
        columns = {name: facts[:, at] for at, name in enumerate(("row", "col", "across", "new"))}
        columns["length"] = np.array([len(text) for text in self.texts], np.int64)
        return columns

    def _add_line(
        self,
        lane: _Lane,
        shift: int,
        grid: Grid,
        across: bool,
        at: int,
        lines: list[str],
        crossing: list[str],
        hand: int,
    ) -> None:
        line, touching = lines[at], _touching(lines, at)
        allowed = [
            _allowed(square, touching[place], crossing[place], at, self._usable, self._cross_letters)
            for place, square in enumerate(line)
        ]
        for place, letters in enumerate(allowed):
            lane.allow(letters, shift + place)
        for start, end, new in _slots(grid, across, lines, at, hand, 2, len(line)):
            slot, length = len(self.texts), end - start
            self.texts.append(line[start:end])
            self._squares.append((at, start, True, new) if across else (start, at, False, new))
            self.crossed.append([])
            if length - new <= _SPARSE:
                lane.add(slot, shift + start, length, length - new)
                continue
            self.dense.setdefault(length, []).append(slot)
            self.crossed[slot] = [
                (place - start, allowed[place])
                for place in range(start, end)
                if line[place] == FREE and touching[place]
            ]


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
        0 <= r < len(grid.rows) and 0 <= c < len(grid.rows[0]) and grid.rows[r][c] not in "#."
        for r, c in steps
    )


def _stock(letters: str) -> Counter[str]:
    if not all("A" <= letter <= "Z" for letter in letters):
        raise ValueError(f"letters are A-Z, not {letters!r}")
    return Counter(letters)


def _tier(common: bool, mild: bool) -> int:
    return COMMON if common else MILD if mild else FULL
