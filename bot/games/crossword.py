"""Letters in a line on a grid and the words they form: runs, joins, ways by street.

Neutral ground for every game whose words cross on squared paper. A board is a mapping from squares to
letters; a square is (row, column) from 0 at the top left. Two letters that touch in a row or a column always
belong to one *run*; a run of two letters or more is a word on the board. Nothing here knows what a legal word
is.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

Square = tuple[int, int]
Letters = Mapping[Square, str]

BLOCK = "#"


class Run(NamedTuple):
    """Letters in one line with nothing before and nothing after them."""

    word: str
    row: int
    col: int
    across: bool

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares that the run fills, from its first letter on."""
        return line(self.row, self.col, self.across, len(self.word))


def line(row: int, col: int, across: bool, length: int) -> tuple[Square, ...]:
    """Return ``length`` squares from (row, col) on, to the right or downwards."""
    if across:
        return tuple((row, col + step) for step in range(length))
    return tuple((row + step, col) for step in range(length))


def inside(rows: Sequence[str], square: Square) -> bool:
    """Return whether the grid ``rows`` has the square."""
    row, col = square
    return 0 <= row < len(rows) and 0 <= col < len(rows[row])


def neighbours(square: Square) -> tuple[Square, Square, Square, Square]:
    """Return the four squares that touch ``square`` by a side, inside a grid or not."""
    row, col = square
    return (row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)


def square_name(square: Square) -> str:
    """Return what players call a square of a grid of at most 26 columns: column letter, row number, ``E5``."""
    row, col = square
    return f"{chr(ord('A') + col)}{row + 1}"


def named_square(text: str) -> Square | None:
    """Return the square that ``text`` (``E5``, ``e 5``) names, inside a grid or not; None when it names none."""
    found = re.fullmatch(r"([A-Z])\s*([1-9][0-9]?)", text.strip().upper())
    return None if found is None else (int(found[2]) - 1, ord(found[1]) - ord("A"))


def run_at(letters: Letters, square: Square, across: bool) -> Run:
    """Return the whole run in one direction through a square that holds a letter, if only of that letter."""
    step_row, step_col = (0, 1) if across else (1, 0)
    row, col = square
    while (row - step_row, col - step_col) in letters:
        row, col = row - step_row, col - step_col
    word = []
    here = (row, col)
    while here in letters:
        word.append(letters[here])
        here = (here[0] + step_row, here[1] + step_col)
    return Run("".join(word), row, col, across)


def runs(letters: Letters) -> tuple[Run, ...]:
    """Return every word on the board, in reading order, across before down."""
    return runs_through(letters, sorted(letters), True)


def runs_through(letters: Letters, squares: Iterable[Square], across: bool) -> tuple[Run, ...]:
    """Return each word that fills one of ``squares``, once; those in the direction ``across`` come first."""
    places = tuple(squares)
    found: dict[Run, None] = {}
    for direction in (across, not across):
        for square in places:
            run = run_at(letters, square, direction)
            if len(run.word) > 1:
                found[run] = None
    return tuple(found)


def joins(letters: Letters, squares: Iterable[Square]) -> bool:
    """Return whether one of ``squares`` holds a letter or touches one."""
    return any(
        square in letters or any(beside in letters for beside in neighbours(square)) for square in squares
    )


def distances(
    rows: Sequence[str], sources: Iterable[Square], barred: Collection[Square] = ()
) -> dict[Square, int]:
    """Return the fewest steps by open squares from any of ``sources`` to every square within reach."""
    reached = dict.fromkeys(sources, 0)
    waiting = deque(reached)
    while waiting:
        here = waiting.popleft()
        for beside in neighbours(here):
            if beside in reached or beside in barred or not inside(rows, beside):
                continue
            if rows[beside[0]][beside[1]] != BLOCK:
                reached[beside] = reached[here] + 1
                waiting.append(beside)
    return reached
