"""Reading Debian's ``scowl``: word lists by spelling, class and size. Needed to build the data, never to run.

Only the class ``words`` is read: no abbreviations, contractions, names, Roman numerals or jargon. A line with a
capital is a name inside that class and is left out; a possessive (``cad's``) is no word but marks a noun.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.words.folding import fold

PLACE = Path("/usr/share/dict/scowl")
FULL, COMMON = 80, 50
_MAIN = {"english", "american", "british", "british_z", "canadian", "australian"}


@dataclass(slots=True)
class Listed:
    """What the lists say of one word. ``main``: size of the smallest list that is not of variants (99: none)."""

    size: int = 99
    main: int = 99
    spellings: set[str] = field(default_factory=set)

    @property
    def regional(self) -> bool:
        """Whether no list for all countries holds it: it is then some country's spelling, or a variant."""
        return "english" not in self.spellings


def read(place: Path = PLACE) -> tuple[dict[str, Listed], set[str]]:
    """Return every word up to size ``FULL`` with what is said of it, and the words that have a possessive.

    Raises FileNotFoundError when the package is not installed.
    """
    words: dict[str, Listed] = {}
    nouns: set[str] = set()
    for path in _files(place):
        spelling = path.name.split("-")[0]
        size = int(path.suffix[1:])
        for line in path.read_text("utf-8").split():
            if not line.islower():
                continue
            if line.endswith("'s"):
                nouns.add(fold(line[:-2]))
                continue
            word = fold(line)
            if len(word) < 2:
                continue
            listed = words.setdefault(word, Listed())
            listed.size = min(listed.size, size)
            listed.spellings.add(spelling)
            if spelling in _MAIN:
                listed.main = min(listed.main, size)
    return words, nouns & words.keys()


def _files(place: Path) -> Iterator[Path]:
    found = [path for path in sorted(place.glob("*-words.*")) if int(path.suffix[1:]) <= FULL]
    if not found:
        raise FileNotFoundError(f"no SCOWL word lists in {place}; install Debian's package scowl")
    yield from found
