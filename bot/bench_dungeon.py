"""What Word Dungeon costs: the ``dungeon`` part of ``wordmoot bench``.

Times are medians of repeated runs on the built-in lexicon and the shipped dungeons.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from bot.dungeons import replayed
from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.generate import WEEK, daily, weekday
from bot.games.dungeon.ground import Position
from bot.games.dungeon.placement import check, ground_of, places, read
from bot.games.dungeon.scoring import bonus, tally
from bot.games.dungeon.solver import solve
from bot.games.dungeon.state import Dungeon
from bot.words.lexicon import Lexicon

DATES = tuple(f"2030-01-{day:02}" for day in range(1, 8))  # a week has every tier
ASKED = ("STAR", "LATER", "PLAYERS")  # words that fit at many places


def figures() -> Iterator[dict[str, Any]]:
    """Yield each figure: its name, value and unit, and its limit where there is one."""
    lexicon = Lexicon.load()
    largest = max(DUNGEONS.values(), key=lambda dungeon: len(dungeon.rows) * len(dungeon.rows[0]))
    yield _figure("one placement checked and scored", _placing(lexicon), "ms", 2)
    yield _figure(
        f"every place of a word on the largest map, {largest.name}", _fitting(largest, lexicon), "ms", 150
    )
    yield _figure("all dungeons verified", _seconds(lambda: _verified(lexicon)), "s", 10)
    days = [_seconds(lambda date=date: daily(date, lexicon)) for date in DATES]  # type: ignore[misc]
    slowest = max(range(len(DATES)), key=lambda at: days[at])
    tier = WEEK[weekday(DATES[slowest])]
    yield _figure(f"a daily dungeon found, the slowest of a week, tier {tier}", days[slowest], "s", 60)
    yield _figure("a daily dungeon found, median", statistics.median(days), "s", 60)
    hoard = DUNGEONS["dragon-hoard"]
    yield _figure("Dragon Hoard solved with full score", _seconds(lambda: solve(hoard, lexicon)), "s", None)


def _figure(name: str, value: float, unit: str, limit: float | None) -> dict[str, Any]:
    return {"figure": name, "value": round(value, 3), "unit": unit, "limit": limit}


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _verified(lexicon: Lexicon) -> None:
    for dungeon in DUNGEONS.values():
        ended = replayed(dungeon, lexicon)
        assert ended is not None
        assert ended.base == dungeon.par


def _route(dungeon: Dungeon, lexicon: Lexicon) -> list[Position]:
    """Return the positions before each turn of the stored route."""
    here = [Position.first(ground_of(dungeon))]
    for turn in dungeon.best:
        here.append(check(dungeon, here[-1], read(dungeon, turn), lexicon).after)
    return here


def _placing(lexicon: Lexicon) -> float:
    """Return the median over all turns of all stored routes, in ms."""
    times = []
    for dungeon in DUNGEONS.values():
        for here, turn in zip(_route(dungeon, lexicon), dungeon.best, strict=False):
            place = read(dungeon, turn)
            began = time.perf_counter()
            after = check(dungeon, here, place, lexicon).after
            tally(dungeon, after)
            bonus(dungeon, after)
            times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e3


def _fitting(dungeon: Dungeon, lexicon: Lexicon) -> float:
    """Return the longest that a word takes at any turn of the stored route, in ms."""
    times = [
        statistics.median(
            _seconds(lambda here=here, word=word: places(dungeon, here, word, lexicon))  # type: ignore[misc]
            for _ in range(5)
        )
        for here in _route(dungeon, lexicon)[:-1]
        for word in ASKED
    ]
    return max(times) * 1e3
