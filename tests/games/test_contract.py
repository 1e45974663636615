"""What the contract gives a game that does not write it."""

import pytest

from bot.games.chance import Chance
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import Options
from bot.games.dungeon.rules import DUNGEON
from bot.games.game import Game, Moment, Words
from bot.words.lexicon import Lexicon
from tests.games.toy import TOY
from tests.games.toy import Options as ToyOptions

AT = Moment(0, Chance(b"contract", 0, "play"), Words(Lexicon.of(["CAB"])))
STATE = TOY.deal(2, ToyOptions(), AT)


def test_a_game_that_writes_only_what_it_has_hears_keeps_and_forfeits_nothing() -> None:
    assert TOY.hear(STATE, 0, "CAB", AT) is None
    assert TOY.forfeit(STATE) is None
    assert TOY.records(STATE) == ()
    assert not TOY.standard_words(ToyOptions(), 2)
    with pytest.raises(ValueError, match=r"^toy looks nothing up for 'hint'$"):
        TOY.search("hint", TOY.seen_by(STATE, 0), 0, AT)
    assert DUNGEON.inventory(DUNGEON.deal(1, DUNGEON.options.load(b"{}"), AT)) is None


def test_a_state_of_the_present_release_loads_and_one_that_never_was_does_not() -> None:
    dealt = DEFENDERS.deal(2, Options(), AT)
    raw = DEFENDERS.states.dump(dealt)
    assert DEFENDERS.upgrade(raw, DEFENDERS.version) == dealt
    with pytest.raises(ValueError, match=r"^there is no version 9 of defenders$"):
        DEFENDERS.upgrade(raw, 9)


def test_a_game_that_leaves_out_what_each_game_must_have_cannot_be_made() -> None:
    class Half(Game[int, int, int, int, int]):
        key = "half"

    with pytest.raises(TypeError, match="awaited"):
        Half()  # type: ignore[abstract]
