"""The solver's routes are legal, as good as can be on small maps, and the same each time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.crossword import neighbours
from bot.games.dungeon import bylaws
from bot.games.dungeon.atlas import MIL, atlas_of, most
from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.ground import Monster, Position
from bot.games.dungeon.placement import StrikesTied, check, ground_of, read
from bot.games.dungeon.planning import grid
from bot.games.dungeon.scoring import bonus, tally
from bot.games.dungeon.sieve import allowed, hand, spent_room
from bot.games.dungeon.solver import LONGEST, Progress, Route, solve
from bot.games.dungeon.state import Dungeon, Mark, Place, Scoring
from bot.games.game import IllegalMove
from bot.words.lexicon import Lexicon
from tests.games.dungeon.maps import LEXICON, cavern

FEW = Lexicon.of(
    ["AT", "TO", "TA", "OAT", "TOT", "ATE", "TEA", "EAT", "TOE", "OATS", "TOTE", "SEAT", "EATS", "ODD"]
)


def brute_force(dungeon: Dungeon, lexicon: Lexicon) -> tuple[int, int] | None:
    """The highest (base, bonus) of all routes, by trying everything."""
    best: tuple[int, int] | None = None
    waiting = [Position.first(ground_of(dungeon))]
    while waiting:
        here = waiting.pop()
        for after in _after(dungeon, here, lexicon):
            if after.out:
                found = (tally(dungeon, after).base, bonus(dungeon, after))
                best = found if best is None else max(best, found)
            else:
                waiting.append(after)
    return best


def _after(dungeon: Dungeon, here: Position, lexicon: Lexicon) -> Iterator[Position]:
    for word in lexicon.words:
        for row in range(len(dungeon.rows)):
            for col in range(len(dungeon.rows[0])):
                for across in (True, False):
                    place = Place(word, row, col, across)
                    try:
                        yield check(dungeon, here, place, lexicon).after
                    except StrikesTied as tie:
                        for choice in tie.choices:
                            yield check(dungeon, here, Place(word, row, col, across, choice), lexicon).after
                    except IllegalMove:
                        continue


def replayed(dungeon: Dungeon, route: Route, lexicon: Lexicon = LEXICON) -> Position:
    here = Position.first(ground_of(dungeon))
    for place in route.places:
        here = check(dungeon, here, place, lexicon).after
    return here


SMALL: dict[str, Dungeon] = {
    "a chest aside": cavern("> T", " ##", "  <", turns=3, scoring=Scoring(chest=2)),
    "two gems": cavern("> *", "*# ", "  <", turns=3, scoring=Scoring(gem=2)),
    "a door": cavern("> 1", " # ", " %<", turns=3, scoring=Scoring(door=3)),
    "a monster": cavern("> #", " # ", "  <", turns=3, monsters=(Monster("TEAS", 2),)),
    "one word a turn": cavern("> T", "   ", "  <", turns=2, scoring=Scoring(chest=1), rules=(bylaws.OneWord(),)),
    "a letter limit": cavern("> #", " # ", "  <", turns=3, rules=(bylaws.LetterLimit(most=1),)),
    "a chain": cavern("> T", "   ", "  <", turns=2, rules=(bylaws.Chain(),)),
    "growing words": cavern(">   ", " ## ", "   <", turns=3, rules=(bylaws.Growing(strictly=True),)),
    "a chest among rocks": cavern(">#T#", "  # ", "   <", turns=2, scoring=Scoring(chest=2)),
    "no way out": cavern(">  ", "## ", "  <", turns=1),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_on_a_small_map_it_finds_what_brute_force_finds(name: str) -> None:
    dungeon = SMALL[name]
    best = brute_force(dungeon, FEW)
    route = solve(dungeon, FEW, 3_000)
    assert (route and route.base) == (best and best[0])


@settings(max_examples=12, deadline=None)
@given(rock=st.sets(st.integers(1, 10), max_size=4), chest=st.integers(1, 10), gem=st.integers(1, 10))
def test_on_any_small_map_it_finds_what_brute_force_finds(rock: set[int], chest: int, gem: int) -> None:
    marks = [" "] * 12
    for at in rock:
        marks[at] = "#"
    marks[gem], marks[chest], marks[0], marks[11] = "*", "T", ">", "<"
    rows = ["".join(marks[at : at + 4]) for at in (0, 4, 8)]
    dungeon = cavern(*rows, turns=2, scoring=Scoring(chest=2, gem=1))
    best = brute_force(dungeon, FEW)
    route = solve(dungeon, FEW, 20_000)
    assert (route and route.base) == (best and best[0])


def test_a_search_that_left_nothing_out_says_that_its_route_is_proven() -> None:
    route = solve(SMALL["a chest aside"], FEW, 20_000)
    assert route is not None
    assert route.proven
    hasty = solve(DUNGEONS["royal-mint"], LEXICON, 900)
    assert hasty is None or not hasty.proven


@pytest.mark.parametrize("key", ["cellar-steps", "gem-gallery", "locked-vault", "monster-den", "silent-library"])  # fmt: skip
def test_it_takes_everything_there_is_in_the_dungeons_of_the_rulings(key: str) -> None:
    dungeon = DUNGEONS[key]
    route = solve(dungeon, LEXICON, 12_000)
    assert route is not None
    assert route.base == most(dungeon) == dungeon.par
    assert route.proven


@pytest.mark.parametrize("key", DUNGEONS)
def test_no_route_of_it_breaks_a_rule(key: str) -> None:
    dungeon = DUNGEONS[key]
    route = solve(dungeon, LEXICON, 600, seed=7)
    if route is None:  # too hasty for this one
        return
    end = replayed(dungeon, route)
    assert end.out
    assert (tally(dungeon, end).base, bonus(dungeon, end)) == (route.base, route.bonus)
    assert all(LEXICON.common(run.word) for run in end.words)
    assert all(len(place.word) <= LONGEST for place in route.places)


def test_it_tells_how_far_it_is_and_keeps_to_its_budget() -> None:
    told: list[Progress] = []
    route = solve(DUNGEONS["long-gallery"], LEXICON, 1_500, progress=told.append)
    assert route is not None
    assert [progress.spent for progress in told] == sorted(progress.spent for progress in told)
    assert route.spent < 1_500 + 500  # a position is looked at to its end
    assert told[-1].full is None
    assert told[-1].base == route.base


_DIGEST = """
from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.generate import generate
from bot.games.dungeon.placement import written
from bot.games.dungeon.solver import solve
from bot.words.lexicon import Lexicon
lexicon = Lexicon.load()
dungeon = DUNGEONS["dragon-hoard"]
route = solve(dungeon, lexicon, 900, 3)
print(route and [written(dungeon, place) for place in route.places])
print(generate(3, lexicon, 1))
"""


def test_the_same_search_gives_the_same_route_in_every_process() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", _DIGEST],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_another_seed_searches_elsewhere() -> None:
    dungeon = DUNGEONS["cellar-steps"]
    routes = [solve(dungeon, LEXICON, 900, seed) for seed in (1, 2, 3)]
    assert len({route.places for route in routes if route}) > 1


# The sieve in front of it


@pytest.mark.parametrize("key", DUNGEONS)
def test_the_sieve_drops_nothing_that_the_rules_allow(key: str) -> None:
    dungeon = DUNGEONS[key]
    here = Position.first(ground_of(dungeon))
    for turn in dungeon.best[:3]:
        found = LEXICON.search.placements(grid(dungeon, here), hand(dungeon.rules, here), common=True)
        every = LEXICON.search.placements(grid(dungeon, here), hand((), here), common=True)
        kept = {placement[:4] for placement in found.take(np.flatnonzero(allowed(dungeon, here, found)))}
        for placement in every[:: max(1, len(every) // 150)]:
            try:
                check(dungeon, here, Place(*placement[:4]), LEXICON)
            except StrikesTied:
                pass
            except IllegalMove:
                continue
            assert placement[:4] in kept
        here = check(dungeon, here, read(dungeon, turn), LEXICON).after


RULES: list[tuple[bylaws.Rule, str]] = [
    (bylaws.FirstWord("OATS"), "TEA A1 across"),
    (bylaws.FirstLength(4), "TEA A1 across"),
    (bylaws.NewLetters(least=4), "TEA A1 across"),
    (bylaws.WordLength(least=4), "TEA A1 across"),
    (bylaws.EvenLengths(), "TEA A1 across"),
]


@pytest.mark.parametrize(("rule", "turn"), RULES, ids=lambda value: getattr(type(value), "__name__", ""))
def test_the_sieve_drops_what_a_rule_forbids(rule: bylaws.Rule, turn: str) -> None:
    dungeon = cavern(">   ", " ## ", "   <", rules=(rule,))
    here = Position.first(ground_of(dungeon))
    found = FEW.search.placements(grid(dungeon, here), hand(dungeon.rules, here), common=True)
    kept = [placement.word for placement in found.take(np.flatnonzero(allowed(dungeon, here, found)))]
    assert kept
    assert read(dungeon, turn).word not in kept


# The atlas behind it


def test_everything_there_is_adds_up() -> None:
    worth: dict[str, Any] = {"chest": 2, "gem": 3, "key": 1, "door": 4}
    dungeon = cavern("> T*1", " ## #", "  ~%<", scoring=Scoring(**worth), monsters=(Monster("IMP", 2),))
    assert most(dungeon) == 3 + 2 + 3 + 1 + 4 + 2
    marked = cavern("> ~", " # ", "  <", rules=(bylaws.Paved("~", 5), bylaws.RareLetters("JQ", 2)))
    assert most(marked) == 3 + 5 + 4
    assert most(cavern("> ~", " # ", "  <", rules=(bylaws.LongWords(least=3, worth=1),))) is None


def test_distances_count_words() -> None:
    atlas = atlas_of(cavern(">   ", "### ", "<   "))
    away = [int(atlas.words[0, atlas.cell(square)]) for square in ((2, 0), (2, 3), (1, 3), (0, 3), (0, 0))]
    assert away == [0, 1, 1, 2, 3]


def test_a_chest_is_taken_from_beside_it() -> None:
    dungeon = cavern(">   ", "  T ", "   <", scoring=Scoring(chest=2))
    target = next(target for target in atlas_of(dungeon).targets if target.kind == "chest")
    assert target.worth == 2 * MIL
    assert sorted(target.cells) == sorted(neighbours((1, 2)))


def test_a_legend_of_marks_is_no_hindrance() -> None:
    dungeon = Dungeon(
        key="lit", name="Lit", tier=1, story="A light.", rows=(">..", ".#!", "..<"), legend=(Mark("!", "lamp"),),
        turns=3, par=3, rules=(bylaws.Lit("!"),),
    )  # fmt: skip
    route = solve(dungeon, FEW, 20_000)
    assert route is not None
    assert (1, 2) in replayed(dungeon, route, FEW).laid


def test_words_that_leave_little_room_to_those_after_cost_more() -> None:
    numbers = np.array([FEW.words.number(word) for word in ("AT", "TO", "TOTE")])
    in_order = spent_room(cavern("> ", " <", "  ", rules=(bylaws.Alphabetical(),)), FEW.words, numbers)
    assert in_order[0] < in_order[1] < in_order[2] <= 1_000
    longer = spent_room(cavern("> ", " <", "  ", rules=(bylaws.Growing(),)), FEW.words, numbers)
    assert longer[0] == longer[1] < longer[2]
    assert not spent_room(cavern("> ", " <", "  "), FEW.words, numbers).any()
