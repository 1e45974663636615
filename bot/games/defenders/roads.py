"""How many letters away every square of the map is, as words can grow there and not as the crow flies.

A street that runs past other words is harder to build on than an open one: each letter beside them has to
form a word with them. A way therefore costs, in letters,

- one for each square;
- more for a square that crosses letters already laid, the fewer letters fit there the more; where none fits
  the way is closed;
- ``TURN`` for each corner, since a corner needs another word;
- ``EXTENSION`` where a way sets out from the end of a word in that word's direction, which only few words
  allow.

This is the automaton's estimate, no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from string import ascii_uppercase

from bot.games.crossword import BLOCK, Letters, Square

FAR = 60  # a square that no way leads to
TURN = 2
EXTENSION = 4
CROSSING = 8

_BARE = ("", BLOCK)  # what holds no letter


class Roads:
    """Ways over one map. ``legal`` says which words exist; its answers are kept while the object lives.

    Squares are kept as *cells* of one list with a border of blocks, so that a step is an addition.
    """

    def __init__(self, rows: tuple[str, ...], legal: Callable[[str], bool]) -> None:
        self._legal = legal
        self._crossings: dict[tuple[str, str], int] = {}
        self._stride = len(rows[0]) + 2
        border = [BLOCK] * self._stride
        self._empty = [*border]
        for row in rows:
            self._empty += [BLOCK, *(BLOCK if mark == BLOCK else "" for mark in row), BLOCK]
        self._empty += border

    def costs(
        self, letters: Letters, squares: Collection[Square], stops: Collection[Square] = ()
    ) -> tuple[int, ...]:
        """Return what the cheapest way from any of ``letters`` to each of ``squares`` costs, ``FAR`` at most.

        A way may end on one of ``stops`` but not lead through it.
        """
        cells = self._empty[:]
        laid = [self._cell(square) for square in letters]
        for cell, letter in zip(laid, letters.values(), strict=True):
            cells[cell] = letter
        wanted = [self._cell(square) for square in squares]
        found = self._settled(cells, laid, set(wanted), {self._cell(square) for square in stops})
        return tuple(found.get(cell, FAR) for cell in wanted)

    def _cell(self, square: Square) -> int:
        return (square[0] + 1) * self._stride + square[1] + 1

    def _settled(
        self, cells: list[str], laid: list[int], wanted: set[int], stops: set[int]
    ) -> dict[int, int]:
        """Return what each of the ``wanted`` cells costs, of those within reach.

        Dijkstra's search over (cell, direction of the way), with a bucket for each cost, since costs are
        small.
        """
        steps = (1, self._stride)
        crossing: tuple[dict[int, int], dict[int, int]] = ({}, {})
        best: tuple[dict[int, int], dict[int, int]] = ({}, {})
        buckets: list[list[tuple[int, int]]] = [[] for _ in range(FAR)]
        for cell, down, cost in self._beginnings(cells, laid, crossing):
            if cost < best[down].get(cell, FAR):
                best[down][cell] = cost
                buckets[cost].append((cell, down))
        found: dict[int, int] = {}
        for cost, bucket in enumerate(buckets):
            for cell, down in bucket:  # a bucket grows at no lower cost than its own
                if best[down][cell] < cost:
                    continue
                if cell in wanted and cell not in found:
                    found[cell] = cost
                    if len(found) == len(wanted):
                        return found
                if cell in stops:
                    continue
                step, own = steps[down], best[down]
                for beyond in (cell - step, cell + step):
                    if cells[beyond]:
                        continue
                    there = cost + self._cost(cells, beyond, down, crossing)
                    if there < own.get(beyond, FAR):
                        own[beyond] = there
                        buckets[there].append((beyond, down))
                turned = cost + TURN
                if (
                    turned < best[not down].get(cell, FAR)
                    and self._cost(cells, cell, 1 - down, crossing) < FAR
                ):
                    best[not down][cell] = turned
                    buckets[turned].append((cell, 1 - down))
        return found

    def _beginnings(
        self, cells: list[str], laid: list[int], crossing: tuple[dict[int, int], dict[int, int]]
    ) -> Iterator[tuple[int, int, int]]:
        """Yield each cell beside the letters, a direction (1 downwards) and the cost of beginning there."""
        letters = set(laid)
        stride = self._stride
        beside = {cell + step for cell in laid for step in (1, -1, stride, -stride)}
        for cell in beside:
            if cells[cell]:
                continue
            for down, step in enumerate((1, stride)):
                cost = self._cost(cells, cell, down, crossing)
                for towards in (step, -step):
                    if cell + towards in letters and cell + towards + towards in letters:
                        cost += EXTENSION
                yield cell, down, cost

    def _cost(
        self, cells: list[str], cell: int, down: int, crossing: tuple[dict[int, int], dict[int, int]]
    ) -> int:
        """Return what one letter costs on a cell, in a word of that direction."""
        known = crossing[down]
        cost = known.get(cell)
        if cost is None:
            cost = known[cell] = 1 + self._crossing(cells, cell, 1 if down else self._stride)
        return cost

    def _crossing(self, cells: list[str], cell: int, step: int) -> int:
        if cells[cell - step] in _BARE and cells[cell + step] in _BARE:
            return 0
        before = after = ""
        at = cell - step
        while cells[at] and cells[at] != BLOCK:
            before = cells[at] + before
            at -= step
        at = cell + step
        while cells[at] and cells[at] != BLOCK:
            after += cells[at]
            at += step
        found = self._crossings.get((before, after))
        if found is None:
            fitting = sum(self._legal(before + letter + after) for letter in ascii_uppercase)
            found = self._crossings[before, after] = 1 + CROSSING // fitting if fitting else FAR
        return found
