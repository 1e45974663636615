"""The laws of every game, held by whole games of automata in each mode; and what it looks like when one leaks."""

import pytest

from bot.games import laws
from bot.games.dungeon import state as dungeon
from bot.games.dungeon.rules import DUNGEON, WordDungeon
from bot.games.dungeon.state import Options
from bot.simulate import Setting, simulated
from tests.games.dungeon.maps import LEXICON


def options(**chosen: object) -> bytes:
    return DUNGEON.options.dump(Options(**chosen))


@pytest.mark.parametrize(
    ("seats", "skill", "chosen"),
    [
        (1, 2, {"dungeon": "dragon-hoard"}),
        (1, 0, {"dungeon": "monster-den"}),
        (2, 1, {"dungeon": "gem-gallery"}),
        (3, 0, {"dungeon": "silent-library"}),
        (2, 0, {"dungeon": "locked-vault", "minutes": 2}),
        (3, 1, {"dungeon": "cellar-steps", "mode": "party"}),
        (4, 0, {"dungeon": "monster-den", "mode": "party"}),
    ],
)
def test_whole_games_keep_every_law(seats: int, skill: int, chosen: dict[str, object]) -> None:
    outcome = simulated(DUNGEON, Setting("dungeon", options(**chosen), seats, "laws", skill), 0, LEXICON)
    assert outcome.breaches == ()
    assert outcome.illegal == 0
    assert outcome.result is not None


class OpenWords(WordDungeon):
    """Tells everyone what was laid."""

    def heard_by(self, event: dungeon.Event, seat: int | None) -> dungeon.Event | None:
        return event


class OpenRuns(WordDungeon):
    """Shows everyone every run."""

    def seen_by(self, state: dungeon.State, seat: int | None) -> dungeon.View:
        view = super().seen_by(state, seat)
        return dungeon.View(view.public, view.seat, state.runs[0], view.progress, view.runs)


@pytest.mark.parametrize("game", [OpenWords, OpenRuns])
def test_a_leak_is_found_within_one_game(game: type[WordDungeon]) -> None:
    chosen = options(dungeon="cellar-steps")
    outcome = simulated(game(), Setting("dungeon", chosen, 2, "leaks", 0), 0, LEXICON)
    assert laws.LEAKS & {breach.law for breach in outcome.breaches}
