"""A game that was written down is played again, and comes to the same end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bot.games import GAMES
from bot.games.laws import Silent
from bot.games.log import Log, parsed, replayed, written
from bot.simulate import Automata
from tests.games.test_playthroughs import cases
from tests.words.frozen import frozen


@pytest.mark.parametrize(("key", "seats"), cases())
def test_an_exported_game_is_replayed_to_its_final_state_without_a_lexicon(key: str, seats: int) -> None:
    game = GAMES[key]
    options = game.options.load(b"{}")
    automata: Automata[Any, Any, Any] = Automata(
        game, options, seats=seats, seed=b"export", skill=1, lexicon=frozen()
    )
    steps = list(automata)
    log = Log(
        game=key,
        options=msgspec.Raw(game.options.dump(options)),
        seats=seats,
        seed=b"export".hex(),
        moves=tuple(automata.rows),
    )
    again = list(replayed(game, parsed(written(log)), Silent()))
    assert [step.events for step in again] == [step.events for step in steps]
    assert again[-1].state == automata.state
    assert game.result(again[-1].state) is not None
