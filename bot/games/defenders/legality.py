"""Which words on the map no dictionary of ours holds, under the readings of its wildcards that suit best.

Rulebook: "Endgame Check", "Wildcard Tiles". Rulings: only words that stand at the end count; wildcards are
judged by any assignment that makes all words legal; and where none does, by one that leaves the fewest words
unknown, so that people vouch for no word that another letter would have saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from bot.games.crossword import Letters, Run, Square, runs
from bot.games.defenders.state import Laid
from bot.games.game import ANY, Words

_TRIED = 2_000  # letters tried in a group of words that cannot all be legal, some 50 ms at worst


class Verdict(NamedTuple):
    """Wildcards that must stand for other letters, and words that stay unknown; sorted, each once."""

    recast: tuple[tuple[int, int, str], ...]
    unknown: tuple[str, ...]


def judge(laid: tuple[Laid, ...], words: Words) -> Verdict:
    """Return the verdict on all words on the map.

    Words that share a wildcard stand or fall together. A group that is legal as it reads is left alone; else the
    first reading that makes all of it legal is taken, or the first with the fewest unknown words, so long as
    they are fewer than as it reads. The dictionary is asked for each word, and for all that fits around its
    wildcards, once.
    """
    letters = {(tile.row, tile.col): tile.letter for tile in laid}
    wild = {(tile.row, tile.col) for tile in laid if tile.wild}
    recast: dict[Square, str] = {}
    for group in _groups(runs(letters), wild):
        denied = sum(not words.legal(run.word) for run in group)
        if denied:
            recast.update(_reading(group, wild, letters, denied, words))
    read = letters | recast
    return Verdict(
        tuple(sorted((*square, letter) for square, letter in recast.items() if letters[square] != letter)),
        tuple(sorted({run.word for run in runs(read) if not words.legal(run.word)})),
    )


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
    group: list[Run], wild: set[Square], letters: Letters, denied: int, words: Words
) -> dict[Square, str]:
    """Return letters for the wildcards of a group that leave fewer than ``denied`` words unknown, if there are any.

    That all may be legal is searched to the end; how few may be unknown, for ``_TRIED`` letters.
    """
    free = sorted(wild.intersection(square for run in group for square in run.squares))
    if not free:
        return {}
    fitting = {run: words.matching(_pattern(run, wild)) for run in group}
    bounded = iter(range(_TRIED))
    for spared in range(denied):
        found = _search(free, letters, fitting, spared, bounded if spared else count())
        if found is not None:
            return found
    return {}


def _pattern(run: Run, wild: set[Square]) -> str:
    return "".join(
        ANY if square in wild else letter for square, letter in zip(run.squares, run.word, strict=True)
    )


def _search(
    free: Sequence[Square],
    letters: Letters,
    fitting: Mapping[Run, Sequence[str]],
    spared: int,
    tries: Iterator[int],
) -> dict[Square, str] | None:
    """Return letters for the ``free`` squares after which at most ``spared`` runs have no word ``fitting`` them.

    Each square is tried with what it reads, then with the letters that the words still fitting have there.
    """
    if not free:
        return {}
    square, *rest = free
    through = {run: run.squares.index(square) for run in fitting if square in run.squares}
    offered = {word[at] for run, at in through.items() for word in fitting[run]} - {letters[square]}
    for letter in (letters[square], *sorted(offered)):
        if next(tries, None) is None:
            return None
        narrowed = {run: [word for word in fitting[run] if word[at] == letter] for run, at in through.items()}
        left = {**fitting, **narrowed}
        if sum(not fits for fits in left.values()) > spared:
            continue
        found = _search(rest, letters, left, spared, tries)
        if found is not None:
            return {square: letter, **found}
    return None
