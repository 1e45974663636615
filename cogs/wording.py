"""How the cogs put things into words: lists, numbers with their noun, countdowns, places on a grid."""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.crossword import Square, named_square, square_name
from bot.games.game import IllegalMove


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Return ``A, B and C``."""
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return the number with its noun: ``1 letter``, ``2 letters``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def capital(text: str) -> str:
    """Return the text with a capital at its beginning, the rest as it is."""
    return text[:1].upper() + text[1:]


def when(due: int | None) -> str:
    """Return a countdown to a time (s) that Discord keeps up to date, or nothing."""
    return "" if due is None else f" <t:{due}:R>"


def cut(text: str, most: int) -> str:
    """Return the text, its end left out where it has more than ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def spot(square: Square, across: bool) -> str:
    """Return ``E5 across``."""
    return f"{square_name(square)} {'across' if across else 'down'}"


def parse_spot(text: str) -> tuple[Square, bool | None]:
    """Return the square and the way of ``E5 across``, in either order; the way is None for a square alone.

    Raises:
        IllegalMove: it names no square, or something else beside it.
    """
    words = text.lower().replace(",", " ").split()
    ways = [word for word in words if word[0] in "ad" and (len(word) == 1 or not word[1].isdigit())]
    squares = [word for word in words if word not in ways]
    if len(squares) != 1 or len(ways) > 1:
        raise IllegalMove("Name the first square and the way, such as E5 across.")
    return parse_square(squares[0]), ways[0][0] == "a" if ways else None


def parse_square(text: str) -> Square:
    """Return the square that ``E5`` names, on the map or not; raises IllegalMove."""
    square = named_square(text)
    if square is None:
        raise IllegalMove("A square is a column’s letter and a row’s number, such as E5.")
    return square
