"""How many letters away every square of the map is, as words can grow there and not as the crow flies.

A street that runs past other words is harder to build on than an open one: each letter beside them has to form a
word with them. A way therefore costs, in letters,

- one for each square;
- more for a square that crosses letters already laid, the fewer letters fit there the more; where none fits the way
  is closed;
- ``TURN`` for each corner, since a corner needs another word;
- ``EXTENSION`` where a way sets out from the end of a word in that word's direction, which only few words allow.

This is the automaton's estimate, no rule.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection
from string import ascii_uppercase

from bot.games.crossword import BLOCK, Letters, Square

FAR = 60  # a square that no way leads to
TURN = 2
EXTENSION = 4
CROSSING = 8

_State = tuple[int, int, bool]  # cost, cell, whether the way runs across


class Roads:
    """Ways over one map. ``legal`` says which words exist; its answers are kept for as long as the object lives.

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
        for square, letter in letters.items():
            cells[self._cell(square)] = letter
        reached = self._reached(cells, letters, {self._cell(square) for square in stops})
        at = [self._cell(square) for square in squares]
        return tuple(min(reached[True].get(cell, FAR), reached[False].get(cell, FAR)) for cell in at)

    def _cell(self, square: Square) -> int:
        return (square[0] + 1) * self._stride + square[1] + 1

    def _reached(self, cells: list[str], letters: Letters, stops: set[int]) -> dict[bool, dict[int, int]]:
        steps = {True: 1, False: self._stride}
        crossing: dict[tuple[int, bool], int] = {}

        def cost(cell: int, across: bool) -> int:
            key = (cell, across)
            found = crossing.get(key)
            if found is None:
                found = crossing[key] = 1 + self._crossing(cells, cell, steps[not across])
            return found

        reached: dict[bool, dict[int, int]] = {True: {}, False: {}}
        queue: list[_State] = []

        def reach(total: int, cell: int, across: bool) -> None:
            if total < reached[across].get(cell, FAR):
                reached[across][cell] = total
                heapq.heappush(queue, (total, cell, across))

        laid = {self._cell(square) for square in letters}
        beside = {cell + step for cell in laid for step in (1, -1, self._stride, -self._stride)}
        for cell in sorted(beside):
            if not cells[cell]:
                for across, step in steps.items():
                    ends = sum(
                        there in laid and there + there - cell in laid for there in (cell - step, cell + step)
                    )
                    reach(cost(cell, across) + EXTENSION * ends, cell, across)
        while queue:
            total, cell, across = heapq.heappop(queue)
            if total > reached[across][cell] or cell in stops:
                continue
            for beyond in (cell - steps[across], cell + steps[across]):
                if not cells[beyond]:
                    reach(total + cost(beyond, across), beyond, across)
            if cost(cell, not across) < FAR:
                reach(total + TURN, cell, not across)
        return reached

    def _crossing(self, cells: list[str], cell: int, step: int) -> int:
        before = after = ""
        at = cell - step
        while cells[at] and cells[at] != BLOCK:
            before = cells[at] + before
            at -= step
        at = cell + step
        while cells[at] and cells[at] != BLOCK:
            after += cells[at]
            at += step
        if not before and not after:
            return 0
        found = self._crossings.get((before, after))
        if found is None:
            fitting = sum(self._legal(before + letter + after) for letter in ascii_uppercase)
            found = self._crossings[before, after] = 1 + CROSSING // fitting if fitting else FAR
        return found
