"""The dungeons that are shipped: each reaches its par, teaches in order, and has been read by an editor."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bot.games.dungeon.atlas import most
from bot.games.dungeon.bylaws import RULES
from bot.games.dungeon.dungeons import DUNGEONS, verified
from bot.games.dungeon.ground import DOOR, GEM, KEYS, Ground, Position
from bot.games.dungeon.placement import check, ground_of, read
from bot.games.dungeon.scoring import tally
from bot.games.dungeon.state import TIERS, Dungeon
from tests.games.dungeon.maps import LEXICON

EVERY = tuple(DUNGEONS.values())
each = pytest.mark.parametrize("dungeon", EVERY, ids=DUNGEONS)

# The maps of the rulings, and what they say of turns and points.
GIVEN = {
    "cellar-steps": (6, {"chest": 2}, []),
    "gem-gallery": (9, {"gem": 2}, []),
    "locked-vault": (11, {"chest": 1, "door": 3}, []),
    "monster-den": (7, {}, [("IMP", 2), ("OGRE", 2), ("GIANT", 3), ("TROLL", 3)]),
    "dragon-hoard": (11, {"chest": 1, "gem": 2, "door": 3}, [("IMP", 2), ("DRAGON", 4)]),
    "silent-library": (9, {"chest": 2, "gem": 2}, []),
}
# Words that are no insult, and yet not what a route of ours should read.
UNWANTED = {
    "SEX",
    "PIS",
    "BUM",
    "BASS",
    "DAMN",
    "HELL",
    "GUN",
    "TIT",
    "ASS",
    "CRAP",
    "NAZI",
    "RAPE",
    "HOMO",
    "SPAZ",
}


def run_of(dungeon: Dungeon) -> list[Position]:
    """The positions of the stored route, the first one among them."""
    here = [Position.first(ground_of(dungeon))]
    for turn in dungeon.best:
        here.append(check(dungeon, here[-1], read(dungeon, turn), LEXICON).after)
    return here


def mechanisms(dungeon: Dungeon) -> set[str]:
    """What there is to learn in a dungeon."""
    ground = ground_of(dungeon)
    there = {"chest": ground.chests, "gem": ground.gems, "door": ground.doors, "monster": ground.monsters}
    return {name for name, things in there.items() if things}


def test_there_are_at_least_two_dozen_in_four_tiers() -> None:
    assert len(EVERY) >= 24
    tiers = Counter(dungeon.tier for dungeon in EVERY)
    assert set(tiers) == set(range(1, TIERS + 1))
    assert min(tiers.values()) >= 5


@each
def test_the_stored_route_reaches_par(dungeon: Dungeon) -> None:
    assert verified(dungeon, LEXICON).base == dungeon.par


@each
def test_par_is_within_everything_there_is(dungeon: Dungeon) -> None:
    full = most(dungeon)
    assert full is None or full * 2 // 3 <= dungeon.par <= full


@each
def test_par_leaves_a_turn_or_two_and_asks_for_common_words_only(dungeon: Dungeon) -> None:
    assert dungeon.turns - len(dungeon.best) >= 1
    words = {run.word for here in run_of(dungeon) for run in here.words}
    assert all(LEXICON.common(word) for word in words)
    assert not words & UNWANTED


@each
def test_the_story_is_one_sentence_of_an_editor(dungeon: Dungeon) -> None:
    assert dungeon.story.endswith(".")
    assert 40 <= len(dungeon.story) <= 120
    assert not re.search(r"[!?]|\. |  ", dungeon.story)
    assert dungeon.teaches.endswith(".")
    assert len(dungeon.teaches) <= 80
    assert 4 <= len(dungeon.name) <= 22


def test_no_two_are_alike() -> None:
    for what in (
        [dungeon.name for dungeon in EVERY],
        [dungeon.story for dungeon in EVERY],
        [dungeon.teaches for dungeon in EVERY],
        [re.sub("[^#\n]", ".", "\n".join(dungeon.rows)) for dungeon in EVERY],
    ):
        assert len(set(what)) == len(EVERY)
    openings = Counter(dungeon.story.split()[0] for dungeon in EVERY)
    assert openings.most_common(1)[0][1] <= len(EVERY) // 2


@each
def test_no_map_has_rock_all_along_an_edge_or_floor_that_nobody_reaches(dungeon: Dungeon) -> None:
    rows = dungeon.rows
    assert all(set(edge) != {"#"} for edge in (rows[0], rows[-1], *zip(*rows, strict=True)))
    assert 5 <= len(rows) <= 13
    assert 5 <= len(rows[0]) <= 13
    ground = ground_of(dungeon)
    reached, waiting = {ground.start}, [ground.start]
    while waiting:
        row, col = waiting.pop()
        for square in ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)):
            if ground.open(square) and square not in reached:
                reached.add(square)
                waiting.append(square)
    assert len(reached) == sum(mark != "#" for row in rows for mark in row)


@each
def test_letters_of_chests_are_fair(dungeon: Dungeon) -> None:
    assert not set(ground_of(dungeon).chests.values()) & set("QVJ")


@each
def test_monsters_bar_few_words_and_can_be_spelled(dungeon: Dungeon) -> None:
    for monster in dungeon.monsters:
        common = sum(monster.name in word for word in LEXICON.words if LEXICON.common(word))
        assert common <= 500, monster.name
        barred = {
            letter for rule in dungeon.rules if rule.__struct_config__.tag == "barred_letters"
            for letter in getattr(rule, "letters", "")
        }  # fmt: skip
        assert not barred & set(monster.name)


def test_each_mechanism_is_taught_alone_in_the_first_tier() -> None:
    taught = [mechanisms(dungeon) for dungeon in EVERY if dungeon.tier == 1]
    assert set() in taught
    for name in ("chest", "gem", "door", "monster"):
        assert {name} in taught


def test_only_later_tiers_mix_mechanisms() -> None:
    assert all(len(mechanisms(dungeon)) <= 1 for dungeon in EVERY if dungeon.tier == 1)
    assert sum(len(mechanisms(dungeon)) > 1 for dungeon in EVERY if dungeon.tier > 1) >= 8


def test_many_rules_are_in_use_and_each_file_says_what_it_teaches() -> None:
    used = {str(rule.__struct_config__.tag) for dungeon in EVERY for rule in dungeon.rules}
    assert len(used) >= 8
    assert used <= set(RULES)


@pytest.mark.parametrize("key", GIVEN)
def test_the_six_of_the_rulings_are_as_given_and_can_be_emptied(key: str) -> None:
    turns, points, monsters = GIVEN[key]
    dungeon = DUNGEONS[key]
    scoring = {name: getattr(dungeon.scoring, name) for name in ("chest", "gem", "key", "door")}
    assert dungeon.turns == turns
    assert {name: worth for name, worth in scoring.items() if worth} == points
    assert [(monster.name, monster.coin) for monster in dungeon.monsters] == monsters
    assert dungeon.par == most(dungeon)


def test_the_points_of_a_route_are_for_what_lies_there() -> None:
    for dungeon in EVERY:
        end = run_of(dungeon)[-1]
        found = tally(dungeon, end)
        assert found.leave == dungeon.scoring.leave
        assert found.chests == dungeon.scoring.chest * len(end.chests)


def test_keys_and_doors_come_together() -> None:
    for dungeon in EVERY:
        marks = "".join(dungeon.rows)
        assert (DOOR in marks) == any(key in marks for key in KEYS)
        if dungeon.scoring.gem:
            assert GEM in marks


def test_a_map_is_read_as_drawn() -> None:
    assert Ground(DUNGEONS["doormat-crypt"].rows).start == (0, 0)
