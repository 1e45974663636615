"""Our own word lists beside the sources (``lists/*.txt``). Needed to build the data, never to run.

A list is words divided by blanks. A line that begins with ``#`` is a comment, one with ``=`` is of common words.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from importlib import resources


def _lines(name: str) -> Iterator[str]:
    text = resources.files("bot.words").joinpath("lists", f"{name}.txt").read_text("utf-8")
    yield from (line for line in text.splitlines() if line.strip() and not line.startswith("#"))


def words(name: str) -> tuple[set[str], set[str]]:
    """Return all words of a list, and those of them that are common."""
    every: set[str] = set()
    common: set[str] = set()
    for line in _lines(name):
        found = set(line.removeprefix("=").split())
        every |= found
        if line.startswith("="):
            common |= found
    return every, common


def groups(name: str) -> list[tuple[str, ...]]:
    """Return the lines of a list, each as its words."""
    return [tuple(line.split()) for line in _lines(name)]


def offends() -> Callable[[str], bool]:
    """Return the test for words that offend."""
    patterns = [codecs.decode(pattern, "rot13") for line in _lines("offending") for pattern in line.split()]
    barred = _matcher(pattern for pattern in patterns if not pattern.startswith("-"))
    innocent = _matcher(pattern[1:] for pattern in patterns if pattern.startswith("-"))
    return lambda word: bool(barred(word)) and not innocent(word)


def _matcher(patterns: Iterator[str]) -> Callable[[str], re.Match[str] | None]:
    return re.compile("|".join(pattern.replace("*", "[A-Z]*") for pattern in patterns)).fullmatch
