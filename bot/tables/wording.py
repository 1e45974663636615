"""How things are put into words: lists, numbers with their noun, countdowns."""

from __future__ import annotations

from collections.abc import Iterable


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
