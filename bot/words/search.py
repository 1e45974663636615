"""Search among words: all that given letters spell, and every placement on a crossword grid.

How it is quick. Each word is a set of pairs (letter, how often it has come before): BANANA is A0 A1 A2 B0 N0 N1. The
vocabulary has some 120 different pairs, so a word is two 64-bit numbers, and what it lacks of given letters is a
count of bits. On a grid, the words that can stand in a slot are a set too, a bit a word: those that the hand nearly
spells, cut with those that have an E in the third place, cut with those that have in the fifth one of the letters
that make a word of what stands beside it. 4,000 bytes hold the words of one length, and cutting costs a microsecond.

What is found stays in numpy columns; words and placements become objects one by one, when somebody looks at them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from bot.words.vocabulary import COMMON, FULL, MILD, Block, Vocabulary

BLOCKED, FREE = "#", "."

Square = tuple[int, int]
Numbers = npt.NDArray[np.int64]
_BITS = 64
_ALL = (1 << 26) - 1
_FILLED = (1 << _BITS) - 1
_NEVER = 255  # more letters than any word lacks, and any hand has wildcards
_Part = tuple[Numbers, Numbers, Numbers]  # words, their slots, how many letters wildcards serve


@dataclass(frozen=True)
class Grid:
    """A crossword grid. ``rows`` are of one length: ``#`` blocked, ``.`` free, A-Z a letter that is laid.

    ``start``: the square that the first word has to cover; it then need join nothing, and lies wholly in ``within``
    (top, left, height, width) if that is given. ``barred``: free squares on which no letter may be laid now. Raises
    ValueError for anything else.
    """

    rows: tuple[str, ...]
    start: Square | None = None
    within: tuple[int, int, int, int] | None = None
    barred: frozenset[Square] = frozenset()

    def __post_init__(self) -> None:
        width = len(self.rows[0]) if self.rows else 0
        if not width or any(len(row) != width for row in self.rows):
            raise ValueError("a grid has rows of one length, of one square at least")
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
    """The search over one vocabulary. Building its columns takes 0.2 s and 6 MB for 250,000 words; the sets of words
    that placements are cut from come with the first search, a length at a time, and take 8 MB more.

    ``legal`` and ``common`` say whether a word is in the vocabulary, and in its common tier; they are asked for
    words that a placement forms across itself.
    """

    def __init__(
        self, words: Vocabulary, legal: Callable[[str], bool], common: Callable[[str], bool]
    ) -> None:
        self._words = words
        self._legal = legal
        self._common = common
        self._text = np.frombuffer(b"".join(block.text for block in words.blocks), np.uint8) - np.uint8(65)
        # Where a word begins in the text: its number times its length, and this.
        sizes = [block.size * block.length for block in words.blocks]
        self._base = {
            block.length: start - block.first * block.length
            for block, start in zip(words.blocks, accumulate(sizes, initial=0), strict=False)
        }
        by_length = [self._letters(block.length).T for block in words.blocks]
        self._pairs = _Pairs(by_length)
        masks = [self._pairs.masks(letters) for letters in by_length]
        self._masks = np.concatenate(masks, axis=1) if masks else np.zeros((1, 0), np.uint64)
        self._sets: dict[int, npt.NDArray[np.uint8]] = {}

    def from_letters(self, letters: str, wild: int = 0, *, common: bool = False, mild: bool = False) -> Found:
        """Return all words of ``letters`` (A-Z, each used once at most) and ``wild`` wildcards.

        ``common``: only well-known words; ``mild``: only words that offend nobody. Raises ValueError for other
        letters.
        """
        stock = _stock(letters)
        longest = stock.total() + wild
        end = next((block.first for block in self._words.blocks if block.length > longest), len(self._words))
        numbers: Numbers | slice = slice(end)
        lacking = np.zeros(end, np.uint8)
        for masks, given in zip(self._masks, self._pairs.mask(stock), strict=True):
            lacking = lacking + np.bitwise_count(masks[numbers] & np.uint64(~given & _FILLED))
            kept = np.flatnonzero(lacking <= wild)
            numbers = kept if isinstance(numbers, slice) else numbers.take(kept)
            lacking = lacking.take(kept)
        found = np.arange(end)[numbers]
        tier = _tier(common, mild)
        return Found(self._words, found if tier == FULL else found[self._words.tiers[found] >= tier])

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
        lacking = self._lacking(board.hand)
        if tier != FULL:
            lacking[self._words.tiers < tier] = _NEVER
        parts = [
            self._in_slots(board, block, lacking, wild)
            for block in self._words.blocks
            if block.length in board.by_length
        ]
        if not parts:
            parts = [(np.zeros(0, np.int64),) * 3]
        number, slot, served = (np.concatenate(column) for column in zip(*parts, strict=True))
        columns = {name: values[slot] for name, values in board.columns().items()}
        return Placements(self._words, grid, stock, {"number": number, "lacking": served, **columns})

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
                for start, end, new in _slots(grid, across, line, _touching(lines, at), at, hand, len(word)):
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

    def _lacking(self, have: Sequence[int]) -> npt.NDArray[np.uint8]:
        """Return how many letters of each word are not in a mask."""
        lacking = np.zeros(len(self._words), np.uint8)
        for masks, given in zip(self._masks, have, strict=True):
            lacking += np.bitwise_count(masks & np.uint64(~given & _FILLED))
        return lacking

    def _in_slots(self, board: _Board, block: Block, lacking: npt.NDArray[np.uint8], wild: int) -> _Part:
        """Return the placements of the words of a block in all slots of their length."""
        slots = board.by_length[block.length]
        having = self._having(block.length)
        need = lacking[block.first : block.first + block.size]
        near: dict[int, npt.NDArray[np.uint8]] = {}
        beside: dict[tuple[int, int], npt.NDArray[np.uint8]] = {}
        fits = np.empty((len(slots), having.shape[2]), np.uint8)
        for fit, slot in zip(fits, slots, strict=True):
            laid = board.laid[slot]
            if len(laid) not in near:
                near[len(laid)] = np.packbits(need <= wild + len(laid), bitorder="little")
            fit[:] = near[len(laid)]
            for place in laid:
                fit &= having[place]
            for crossed in board.crossed[slot]:
                if crossed not in beside:
                    position, allowed = crossed
                    codes = [code for code in range(26) if allowed >> code & 1]
                    beside[crossed] = np.bitwise_or.reduce(having[position, codes])
                fit &= beside[crossed]
        where, rows = _each_member(fits)
        return self._affordable(board, rows + block.first, np.array(slots).take(where), wild)

    def _having(self, length: int) -> npt.NDArray[np.uint8]:
        """Return the words of one length by (position, letter), as sets: a bit a word, the lowest bit first."""
        having = self._sets.get(length)
        if having is None:
            there = self._letters(length).T[:, None, :] == np.arange(26, dtype=np.uint8)[None, :, None]
            having = self._sets[length] = np.packbits(there, axis=2, bitorder="little")
        return having

    def _letters(self, length: int) -> npt.NDArray[np.uint8]:
        """Return the letters of all words of one length, a row a word, 0 for A."""
        block = self._words.block(length)
        if block is None:
            return np.zeros((0, length), np.uint8)
        start = self._base[length] + block.first * length
        return self._text[start : start + block.size * length].reshape(block.size, length)

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
        self.columns = max(1, -(-len(ranked) // _BITS))
        depth = int(most.max(initial=0)) + 1
        self._table = np.zeros((self.columns, 26, depth), np.uint64)
        for (code, rank), bit in self._bit.items():
            self._table[bit // _BITS, code, rank] = 1 << bit % _BITS

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
        return [mask >> column * _BITS & _FILLED for column in range(self.columns)]


def _slots(
    grid: Grid, across: bool, line: str, touching: Sequence[bool], at: int, hand: int, only: int = 0
) -> Iterator[tuple[int, int, int]]:
    """Yield the slots of ``line``, the grid's number ``at``, of two squares or more (or of ``only`` so many), that a placement of at most ``hand`` letters can fill: start, end, new letters.

    A slot has room for a letter, none before or after it, and joins letters or covers the grid's start.
    """
    size = len(line)
    shortest, longest = only or 2, only or size
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


def _each_member(sets: npt.NDArray[np.uint8]) -> tuple[Numbers, Numbers]:
    """Return a pair for each bit that is set: its row, and its place in the row; the lowest bit first."""
    flat = sets.ravel()
    at = np.flatnonzero(flat)
    which, bit = np.nonzero(np.unpackbits(flat[at, None], axis=1, bitorder="little"))
    row, byte = np.divmod(at.take(which), sets.shape[1])
    return row, byte * 8 + bit


class _Board:
    """What a search needs to know of a grid and a hand.

    ``slots``: row, column, across, new letters, length of each; ``laid``: its letters as (position, 0 to 25);
    ``crossed``: its free squares beside letters, as (position, the letters that may stand there, a bit each);
    ``have``: the pairs of letters at hand or laid in it, a row a column of pairs.
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
        self.laid: list[list[tuple[int, int]]] = []
        self.crossed: list[list[tuple[int, int]]] = []
        self.by_length: dict[int, list[int]] = {}
        self._slots: list[tuple[int, int, bool, int, int]] = []
        self._have: list[list[int]] = []
        self._stock = stock
        self._hand_size = stock.total() + wild
        self._usable = _ALL if wild else sum(1 << ord(letter) - 65 for letter in stock)
        self._cross_letters = cross_letters
        self._pairs = pairs
        self._known: dict[str, list[int]] = {}
        for across in (True, False):
            lines, crossing = grid.lines(across), grid.lines(not across)
            for at in range(len(lines)):
                self._add_line(grid, across, lines, crossing, at)
        self.have = np.array(self._have, np.uint64).reshape(-1, pairs.columns).T

    def _add_line(self, grid: Grid, across: bool, lines: list[str], crossing: list[str], at: int) -> None:
        touching = _touching(lines, at)
        allowed = [
            self._usable & self._cross_letters(*_beside(crossing[place], at))
            if square == FREE and touching[place]
            else _ALL
            for place, square in enumerate(lines[at])
        ]
        # A square that no letter can take is as good as blocked, in this direction.
        line = "".join(
            square if letters else BLOCKED for square, letters in zip(lines[at], allowed, strict=True)
        )
        for start, end, new in _slots(grid, across, line, touching, at, self._hand_size):
            text = line[start:end]
            self.by_length.setdefault(len(text), []).append(len(self._slots))
            self._slots.append((*((at, start) if across else (start, at)), across, new, len(text)))
            self._have.append(self._pairs_with(text.replace(FREE, "")))
            self.laid.append([(k, ord(square) - 65) for k, square in enumerate(text) if square != FREE])
            self.crossed.append(
                [(k, letters) for k, letters in enumerate(allowed[start:end]) if letters != _ALL]
            )

    def _pairs_with(self, laid: str) -> list[int]:
        """Return the pairs of the hand and some letters laid."""
        if laid not in self._known:
            self._known[laid] = self._pairs.mask(self._stock + Counter(laid))
        return self._known[laid]

    def columns(self) -> dict[str, Numbers]:
        """Return what is to be told of each slot, a column a fact."""
        facts = np.array(self._slots, np.int64).reshape(-1, 5)
        return {name: facts[:, at] for at, name in enumerate(("row", "col", "across", "new", "length"))}


def _beside(line: str, at: int) -> tuple[str, str]:
    """Return the letters that run up to a square of a line, and those that run on from it."""
    start, end = at, at + 1
    while start and line[start - 1] not in "#.":
        start -= 1
    while end < len(line) and line[end] not in "#.":
        end += 1
    return line[start:at], line[at + 1 : end]


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
