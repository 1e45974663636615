"""Places on a grid as people read and type them."""

from __future__ import annotations

import re

from bot.games.crossword import Square, named_square, square_name
from bot.games.game import IllegalMove

_JOINED = re.compile(r"\b([a-z]\d{1,2}|\d{1,2}[a-z])(a|across|d|down)\b")  # a square and its way, as in "f1d"
_TURNED = re.compile(r"^\s*(\d{1,2})\s*([A-Za-z])\s*$")


def spot(square: Square, across: bool) -> str:
    """Return ``E5 across``."""
    return f"{square_name(square)} {'across' if across else 'down'}"


def parse_spot(text: str) -> tuple[Square, bool | None]:
    """Return the square and the way of ``E5 across``, in either order; the way is None for a square alone.

    Raises:
        IllegalMove: it names no square, or something else beside it.
    """
    words = _JOINED.sub(r"\1 \2", text.lower().replace(",", " ")).split()
    ways = [word for word in words if word[0] in "ad" and (len(word) == 1 or not word[1].isdigit())]
    squares = [word for word in words if word not in ways]
    if len(squares) != 1 or len(ways) > 1:
        raise IllegalMove("Name the first square and the way, such as E5 across.")
    return parse_square(squares[0]), ways[0][0] == "a" if ways else None


def parse_square(text: str) -> Square:
    """Return the square that ``E5`` or ``5E`` names, on the map or not; raises IllegalMove."""
    square = named_square(text) or named_square(_TURNED.sub(r"\2\1", text))
    if square is None:
        raise IllegalMove("A square is a column’s letter and a row’s number, such as E5.")
    return square
