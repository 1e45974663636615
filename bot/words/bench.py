"""What looking up and searching cost: the ``words`` part of ``wordmoot bench``.

Times are medians of repeated runs on the built-in lexicon. A look-up is compared with a Python set's in the same run,
on strings made just before, so that neither profits from a hash that is already known.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from bot.words.lexicon import Lexicon
from bot.words.search import Grid

# A game's middle on two maps of 9 × 9, 40 letters laid.
GRID = Grid(
    (
        "...............##.",
        "...#.........R....",
        "..##.##....##E##..",
        "..##.##.H..##W....",
        "..STREAMY...BA....",
        "....E...A.T.EN....",
        "..REBEL.E.E.E.##..",
        "....E...N.E.T.....",
        ".FOAL##MAGNES.....",
    )
)
HAND = "AENRTDLIOS"  # ten letters; the eleventh is the wildcard
LETTERS_25 = "EEEEEAAAIIONRTLSUDGBCMPFH"

# Run in a process of its own, so that nothing else is in the measured memory.
_MEMORY = """
import json, resource, numpy, dawg, bot.words.lexicon
from bot.words.bench import GRID, HAND
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6
before = resident()
lexicon = bot.words.lexicon.Lexicon.load()
lexicon.search.placements(GRID, HAND, 1)
lexicon.families.related("HOME", "HOMESTEAD")
lexicon.gloss("CADS")
print(json.dumps(resident() - before))
"""


def figures() -> Iterator[dict[str, Any]]:
    """Yield each figure: its name, value and unit, its limit and what it was compared with, where there are any."""
    lexicon = Lexicon.load()
    search = lexicon.search
    ratio, plain = _look_up(lexicon)
    yield _figure("word look-up against a set", ratio, "ratio", limit=2)
    yield _figure("word look-up", ratio * plain, "ns", baseline=plain)
    yield _figure(
        "all words from 25 letters", _milliseconds(lambda: search.from_letters(LETTERS_25)), "ms", limit=3
    )
    yield _figure(
        "every placement of 11 letters with a wildcard on two maps",
        _milliseconds(lambda: search.placements(GRID, HAND, 1)),
        "ms",
        limit=40,
    )
    yield _figure(
        "every place of one word on two maps, by geometry alone",
        _milliseconds(lambda: search.fits(GRID, "TREASON", HAND, 1)),
        "ms",
        limit=5,
    )
    yield _figure("loading the lexicon", _milliseconds(_load), "ms")
    yield _figure("building the search", _milliseconds(_build, runs=5), "ms", limit=500)
    yield _figure("memory of lexicon, search and families", _memory(), "MB", limit=45)


def _figure(
    name: str, value: float, unit: str, limit: float | None = None, baseline: float | None = None
) -> dict[str, Any]:
    return {"figure": name, "value": round(value, 3), "unit": unit, "limit": limit, "baseline": baseline}


def _milliseconds(work: Callable[[], object], runs: int = 25) -> float:
    """Return the median time of ``work`` after a first run that does not count."""
    work()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e3


def _look_up(lexicon: Lexicon, runs: int = 25) -> tuple[float, float]:
    """Return the ratio of a look-up to a set's, and the set's time in ns, half of the words being none."""
    every = set(lexicon.words)
    words = sorted(every)[::25]
    asked = [word.lower() for word in words] + [f"{word}q".lower() for word in words]
    random.Random(1).shuffle(asked)  # neighbours in the alphabet would be neighbours in memory
    ratios, plain = [], []
    for _ in range(runs):
        fresh = [word.upper() for word in asked]
        began = time.perf_counter()
        for word in fresh:
            word in every  # noqa: B015 - the look-up is what is measured
        of_set = time.perf_counter() - began
        fresh = [word.upper() for word in asked]
        began = time.perf_counter()
        for word in fresh:
            lexicon.legal(word)
        ratios.append((time.perf_counter() - began) / of_set)
        plain.append(of_set / len(asked) * 1e9)
    return statistics.median(ratios), statistics.median(plain)


def _load() -> Lexicon:
    """Load the lexicon as a new process does; ``Lexicon.load`` keeps the first."""
    return Lexicon.read()


def _build() -> object:
    gc.collect()
    return Lexicon.read().search


def _memory() -> float:
    """Return the resident memory in MB that the loaded lexicon adds to a process with numpy and dawg."""
    done = subprocess.run([sys.executable, "-c", _MEMORY], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout))
