"""Every word, numbered: shorter words first, words of one length in alphabetical order.

Tables beside the lexicon (families, search) speak of words by number. The letters of all words of one length stand
in one block of bytes, so 250,000 words cost as many bytes as they have letters, and no Python strings.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final, overload

import numpy as np
import numpy.typing as npt

# How freely a word is used by us, not by players: what an automaton, a hint or generated content may say.
FULL: Final = 0  # legal, and that is all
MILD: Final = 1  # legal and gives no offence
COMMON: Final = 2  # well known too

_MARKS = b"!.+"  # the tier in the file, by its number


class Block:
    """All words of one ``length``, alphabetical: ``letters`` has a row a word, a column a position, 0 for A.

    ``first``: the number of the block's first word.
    """

    def __init__(self, length: int, first: int, text: bytes) -> None:
        self.length = length
        self.first = first
        self.text = text
        self.size = len(text) // length

    @property
    def letters(self) -> npt.NDArray[np.uint8]:
        """A fresh array of shape (size, length), 0 to 25."""
        return np.frombuffer(self.text, np.uint8).reshape(self.size, self.length) - np.uint8(65)

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self.text[row * self.length : (row + 1) * self.length].decode("ascii")

    def row(self, word: str) -> int:
        """Return the row of ``word`` or -1."""
        wanted, length, text = word.encode("ascii"), self.length, self.text
        row = bisect_left(range(self.size), wanted, key=lambda at: text[at * length : (at + 1) * length])
        found = row < self.size and text[row * length : (row + 1) * length] == wanted
        return row if found else -1


class Vocabulary(Sequence[str]):
    """All words by number, with the tier of each: ``tiers`` holds FULL, MILD or COMMON."""

    def __init__(self, blocks: Sequence[Block], tiers: npt.NDArray[np.uint8]) -> None:
        self.blocks = tuple(blocks)
        self.tiers = tiers
        self._by_length = {block.length: block for block in self.blocks}
        self._firsts = [block.first for block in self.blocks]

    @classmethod
    def of(cls, words: Iterable[str], tier: Callable[[str], int]) -> Vocabulary:
        """Number ``words`` (A-Z, at least one letter each); ``tier`` says FULL, MILD or COMMON of each."""
        ordered = sorted(set(words), key=lambda word: (len(word), word))
        by_length: dict[int, list[str]] = {}
        for word in ordered:
            by_length.setdefault(len(word), []).append(word)
        firsts = accumulate((len(row) for row in by_length.values()), initial=0)
        blocks = [
            Block(length, first, "".join(row).encode("ascii"))
            for (length, row), first in zip(by_length.items(), firsts, strict=False)
        ]
        return cls(blocks, np.array([tier(word) for word in ordered], np.uint8))

    @classmethod
    def read(cls, path: Path) -> Vocabulary:
        """Read what ``write`` wrote.

        A file is gzipped text: a line ``length count length count …``, then one word a line and its tier's mark:
        ``+`` common, ``.`` mild, ``!`` the rest.
        """
        head, _, body = gzip.decompress(path.read_bytes()).partition(b"\n")
        numbers = [int(field) for field in head.split()]
        blocks: list[Block] = []
        marks: list[npt.NDArray[np.uint8]] = []
        at = first = 0
        for length, count in zip(numbers[::2], numbers[1::2], strict=True):
            end = at + count * (length + 2)
            lines = np.frombuffer(body[at:end], np.uint8).reshape(count, length + 2)
            blocks.append(Block(length, first, lines[:, :length].tobytes()))
            marks.append(lines[:, length])
            at, first = end, first + count
        tier_of = np.zeros(256, np.uint8)
        tier_of[list(_MARKS)] = range(len(_MARKS))
        return cls(blocks, tier_of[np.concatenate(marks)] if marks else np.zeros(0, np.uint8))

    def write(self, path: Path) -> None:
        """Write the file; equal words make equal bytes."""
        head = " ".join(f"{block.length} {block.size}" for block in self.blocks).encode("ascii")
        lines = (
            word.encode("ascii") + _MARKS[tier : tier + 1] + b"\n"
            for word, tier in zip(self, self.tiers.tolist(), strict=True)
        )
        path.write_bytes(gzip.compress(head + b"\n" + b"".join(lines), 9, mtime=0))

    def number(self, word: str) -> int:
        """Return the number of ``word``, or -1."""
        block = self._by_length.get(len(word))
        if block is None or not word.isascii():
            return -1
        row = block.row(word)
        return block.first + row if row >= 0 else -1

    def block(self, length: int) -> Block | None:
        """Return the words of one length, if there are any."""
        return self._by_length.get(length)

    def __len__(self) -> int:
        return len(self.tiers)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[at] for at in range(*number.indices(len(self)))]
        at = range(len(self))[number]
        block = self.blocks[bisect_right(self._firsts, at) - 1]
        return block.word(at - block.first)

    def __iter__(self) -> Iterator[str]:
        for block in self.blocks:
            text, length = block.text.decode("ascii"), block.length
            yield from (text[at : at + length] for at in range(0, len(text), length))

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.number(word) >= 0
