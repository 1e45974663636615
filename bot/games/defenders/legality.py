"""Which words on the map no dictionary of ours holds, under the readings of its wildcards that suit best.

Rulebook: "Endgame Check", "Wildcard Tiles". Ruling: only words that stand at the end count, and wildcards are
judged by any assignment that makes all words legal.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_uppercase
from typing import NamedTuple

from bot.games.crossword import Run, Square, runs
from bot.games.defenders.state import Laid

Legal = Callable[[str], bool]


class Verdict(NamedTuple):
    """Wildcards that must stand for other letters, and words that stay unknown, sorted."""

    recast: tuple[tuple[int, int, str], ...]
    unknown: tuple[str, ...]


def judge(laid: tuple[Laid, ...], legal: Legal) -> Verdict:
    """Return the verdict on all words on the map.

    Words that share a wildcard stand or fall together. A group that is legal as it reads is left alone; else
    the first reading that makes all of it legal is taken; if there is none it stays as it reads, and its
    words that ``legal`` denies are unknown. The dictionary is asked no more than it takes: 26 questions for
    one wildcard.
    """
    letters = {(tile.row, tile.col): tile.letter for tile in laid}
    wild = {(tile.row, tile.col) for tile in laid if tile.wild}
    recast: list[tuple[int, int, str]] = []
    unknown: list[str] = []
    for group in _groups(runs(letters), wild):
        denied = [run.word for run in group if not legal(run.word)]
        if not denied:
            continue
        free = sorted({square for run in group for square in run.squares if square in wild})
        reading = _reading(group, free, letters, legal)
        if reading is None:
            unknown.extend(denied)
        else:
            recast.extend(
                (*square, letter) for square, letter in reading.items() if letters[square] != letter
            )
    return Verdict(tuple(sorted(recast)), tuple(sorted(unknown)))


def _groups(words: tuple[Run, ...], wild: set[Square]) -> list[list[Run]]:
    groups: list[tuple[set[Square], list[Run]]] = []
    for run in words:
        shared = wild.intersection(run.squares)
        members = [run]
        apart = []
        for squares, group in groups:
            if squares & shared:
                shared |= squares
                members = group + members
            else:
                apart.append((squares, group))
        groups = [*apart, (shared, members)]
    return [group for _, group in groups]


def _reading(
    group: list[Run], free: list[Square], letters: dict[Square, str], legal: Legal
) -> dict[Square, str] | None:
    """Return letters for the ``free`` wildcards that make every word of the group legal, if there are any."""
    settled: dict[Square, list[Run]] = {}
    for run in group:
        last = max((square for square in run.squares if square in free), default=None)
        if last is not None:
            settled.setdefault(last, []).append(run)
        elif not legal(run.word):
            return None

    def search(at: int, reading: dict[Square, str]) -> dict[Square, str] | None:
        if at == len(free):
            return reading
        square = free[at]
        own = letters[square]
        for letter in own + ascii_uppercase.replace(own, ""):
            tried = {**reading, square: letter}
            if all(legal(_read(run, letters, tried)) for run in settled.get(square, ())):
                found = search(at + 1, tried)
                if found is not None:
                    return found
        return None

    return search(0, {})


def _read(run: Run, letters: dict[Square, str], reading: dict[Square, str]) -> str:
    return "".join(reading.get(square, letters[square]) for square in run.squares)
