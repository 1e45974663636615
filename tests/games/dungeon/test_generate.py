"""Dungeons from seeds and dates: playable, solved, different, and the same everywhere."""

from __future__ import annotations

import asyncio
import datetime
import math
import re
from dataclasses import dataclass

import pytest

from bot.games import GAMES
from bot.games.dungeon.atlas import most
from bot.games.dungeon.dungeons import checked, verified
from bot.games.dungeon.generate import (
    _ADJECTIVES,
    _PLACES,
    _STORIES,
    ATTEMPTS,
    WEEK,
    _face_of,
    attempt_of_day,
    daily,
    generate,
    of_day,
    weekday,
)
from bot.games.dungeon.state import Dungeon
from bot.tables.worker import Inline, Minds, WorkerError
from bot.words.lexicon import Lexicon
from tests.games.dungeon.maps import LEXICON

DATE = "2030-01-01"  # a Tuesday, so its dungeon is soon found


SEEDS = 8


@pytest.fixture(scope="module")
def dug() -> list[Dungeon]:
    return [generate(seed, LEXICON, 1 + seed % 4 if seed % 5 == 0 else 1 + seed % 2) for seed in range(SEEDS)]


def test_generated_dungeons_can_be_played_and_left(dug: list[Dungeon]) -> None:
    for dungeon in dug:
        assert checked(dungeon) is dungeon
        assert verified(dungeon, LEXICON).base == dungeon.par
        full = most(dungeon)
        assert full is not None
        assert dungeon.par * 4 >= full * 3
        assert dungeon.turns == len(dungeon.best) + 2


def test_generated_dungeons_differ(dug: list[Dungeon]) -> None:
    assert len({dungeon.rows for dungeon in dug}) == SEEDS
    assert len({dungeon.key for dungeon in dug}) == SEEDS
    assert len({dungeon.name for dungeon in dug}) >= SEEDS - 1
    assert len({dungeon.story for dungeon in dug}) >= 3


def test_their_tier_is_the_one_asked_for(dug: list[Dungeon]) -> None:
    assert [dungeon.tier for dungeon in dug][:6] == [1, 2, 1, 2, 1, 2]
    assert dug[5].tier == 2
    for tier in (0, 5):
        with pytest.raises(ValueError, match="a tier is 1 to 4"):
            generate(1, LEXICON, tier)


def test_a_seed_gives_one_dungeon(dug: list[Dungeon]) -> None:
    assert generate(4, LEXICON, 1) == dug[4]
    assert generate(4, LEXICON, 1).rows != generate(5, LEXICON, 1).rows


def test_with_hardly_any_words_none_is_found() -> None:
    few = Lexicon.of(["OX"])
    with pytest.raises(ValueError, match=f"none of {ATTEMPTS} dungeons"):
        generate(1, few, 1)


@pytest.mark.parametrize("date", ["2024-02-29", "2030-01-31", "2000-01-01", "1999-12-31", "2100-03-01"])
def test_the_day_of_the_week_is_that_of_the_calendar(date: str) -> None:
    assert weekday(date) == datetime.date.fromisoformat(date).weekday()


@pytest.mark.parametrize(
    "text", ["", "2030-1-1", "2030-02-30", "2100-02-29", "2030-13-01", "0000-01-01", "today", "٢٠٣٠-٠١-٠١"]
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no date"):
        daily(text, LEXICON)


def test_the_daily_dungeon_comes_from_the_date_alone() -> None:
    dungeon = daily(DATE, LEXICON)
    assert dungeon == daily(DATE, Lexicon.read())
    assert dungeon.key == f"daily-{DATE}"
    assert dungeon.tier == WEEK[1]
    assert verified(dungeon, LEXICON).base == dungeon.par


def days(count: int) -> list[str]:
    """Dates in a row, a leap day among them."""
    first = datetime.date(2027, 12, 1)
    return [str(first + datetime.timedelta(day)) for day in range(count)]


def test_no_story_comes_back_within_eleven_days_and_no_name_within_five_years() -> None:
    faces = [_face_of(date) for date in days(1_900)]
    for at, face in enumerate(faces):
        assert face.story not in {other.story for other in faces[max(0, at - 10) : at]}, at
    assert len({face.name for face in faces}) == len(faces)
    assert {face.story for face in faces[:64]} == set(_STORIES)


def test_the_name_of_a_day_does_not_hang_on_the_map() -> None:
    assert daily(DATE, LEXICON).name == _face_of(DATE).name
    assert _face_of("2026-12-06") == _face_of("2026-12-06")


def test_there_are_stories_and_names_enough() -> None:
    assert len(set(_STORIES)) == len(_STORIES) >= 30
    assert math.gcd(len(set(_ADJECTIVES)), len(set(_PLACES))) == 1
    for story in _STORIES:
        assert story.endswith(".")
        assert 40 <= len(story) <= 120
        assert not re.search(r"[!?]|\. |  ", story)


def test_the_worker_finds_it_whole_or_attempt_by_attempt() -> None:
    thinker = Inline(Minds(GAMES, LEXICON))
    dungeon = asyncio.run(thinker.think(of_day, DATE))
    assert dungeon == daily(DATE, LEXICON)
    attempts = (asyncio.run(thinker.think(attempt_of_day, DATE, attempt)) for attempt in range(ATTEMPTS))
    assert next(found for found in attempts if found is not None) == dungeon


@dataclass(frozen=True)
class Silent:
    """A lexicon of another make, which the daily dungeon cannot come from."""

    lexicon: object = None


def test_the_daily_dungeon_needs_the_shipped_lexicon() -> None:
    with pytest.raises(TypeError, match="shipped lexicon"):
        of_day(Silent(), DATE)
    with pytest.raises(WorkerError):
        asyncio.run(Inline(Minds(GAMES, Silent())).think(of_day, DATE))  # type: ignore[arg-type]


def test_tiers_rise_through_the_week() -> None:
    assert list(WEEK) == sorted(WEEK)
    assert len(WEEK) == 7
