"""Chance that replays alike on every Python: a counter hashed with blake2b.

The standard library's generators promise no algorithm for ``shuffle`` or ``choice`` across versions; a log that
is replayed in a year must draw the same tiles, so the few draws that games need are spelled out here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of draws for one purpose of one move.

    Args:
        seed: the table's secret.
        seq: the number of the move that draws.
        purpose: ``play`` for the rules, ``choose/<seat>`` for an automaton, ``imagine`` for the laws; streams of
            different purposes tell nothing about one another, so no automaton foresees a draw.
    """

    __slots__ = ("_count", "_key")

    def __init__(self, seed: bytes, seq: int, purpose: str) -> None:
        self._key = hashlib.blake2b(b"%d/%d/%b/%b" % (len(seed), seq, seed, purpose.encode())).digest()
        self._count = 0

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to ``bound`` - 1, each equally likely."""
        if bound < 1:
            raise ValueError("a draw needs at least one outcome")
        limit = (1 << 64) - (1 << 64) % bound  # refuse the uneven rest instead of folding it in
        while True:
            self._count += 1
            block = hashlib.blake2b(self._key + self._count.to_bytes(8, "big"), digest_size=8).digest()
            drawn = int.from_bytes(block, "big")
            if drawn < limit:
                return drawn % bound

    def pick(self, options: Sequence[T]) -> T:
        """Return one of ``options``."""
        return options[self.below(len(options))]

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return ``items`` in a random order (Fisher and Yates)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)
