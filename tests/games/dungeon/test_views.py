"""What is hidden in a race and a solo, and from whom."""

import msgspec

from bot.games import laws
from bot.games.chance import Chance
from bot.games.dungeon.placement import position
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import GiveUp, Hint, Place, Placed, State, TakeBack
from tests.games.dungeon.maps import dealt, moment, play, played
from tests.games.dungeon.test_rules import IN, OUT, SHORT

ENCODER = msgspec.json.Encoder()


def shown(state: State, viewer: int | None) -> str:
    return ENCODER.encode(DUNGEON.seen_by(state, viewer)).decode()


def test_racers_see_their_own_words_and_only_turns_of_others() -> None:
    state = played(dealt(2, SHORT), (0, IN), (1, "CORE A1 across"))
    assert "CART" in shown(state, 0)
    assert "CORE" not in shown(state, 0)
    assert "CART" not in shown(state, None)
    assert [progress.turns for progress in DUNGEON.seen_by(state, None).progress] == [1, 1]


def test_scores_show_when_somebody_leaves_and_letters_when_all_have() -> None:
    state = played(dealt(2, SHORT), (0, IN), (1, "CORE A1 across"), (0, OUT))
    ended = DUNGEON.seen_by(state, None).progress[0].ended
    assert ended is not None
    assert ended.score == 7
    assert "CART" not in shown(state, 1)
    over = played(state, (1, GiveUp()))
    for viewer in (None, 0, 1):
        assert "CART" in shown(over, viewer)
        assert "CORE" in shown(over, viewer)


def test_letters_show_when_time_is_up() -> None:
    state = played(dealt(2, SHORT), (0, IN))
    assert "CART" in shown(DUNGEON.expire(state, moment(900_000)).state, None)


def test_a_solo_never_shows_its_letters_to_others() -> None:
    state = played(dealt(1, SHORT), (0, IN), (0, OUT))
    assert "CART" in shown(state, 0)
    assert "CART" not in shown(state, None)


def test_a_daily_dungeon_stays_unspoilt() -> None:
    state = played(dealt(2, SHORT, daily="2030-01-31"), (0, IN), (0, OUT), (1, GiveUp()))
    assert "CART" not in shown(state, None)
    assert "CART" in shown(state, 1)


def test_a_party_has_nothing_to_hide() -> None:
    state = played(dealt(2, SHORT, mode="party"), (0, IN))
    assert "CART" in shown(state, None)
    assert not any(laws.varied(DUNGEON, state, viewer, Chance(b"", 0, "imagine")) for viewer in (None, 0, 1))


def test_no_view_holds_the_best_route() -> None:
    state = dealt(2, msgspec.structs.replace(SHORT, best=("CART A1 across",)))
    assert all("CART" not in shown(state, viewer) for viewer in (None, 0, 1))


def test_others_hear_that_a_turn_was_taken_but_not_which() -> None:
    state = dealt(2, SHORT)
    (told,) = play(state, 0, IN).events
    assert isinstance(told, Placed)
    assert DUNGEON.heard_by(told, 0) == told
    for viewer in (None, 1):
        assert DUNGEON.heard_by(told, viewer) == Placed(0, 1, None)
    for move in (TakeBack(), Hint(Place("AT", 0, 1, False))):
        (told,) = play(played(state, (0, IN)), 0, move).events
        heard = DUNGEON.heard_by(told, 1)
        assert heard == msgspec.structs.replace(told, place=None)
        assert heard != told


def test_everybody_hears_a_partys_turns() -> None:
    told = play(dealt(1, SHORT, mode="party"), 0, IN).events
    assert all(DUNGEON.heard_by(event, None) == event for event in told)


def test_something_is_hidden_in_a_race_and_a_solo_once_a_turn_is_taken() -> None:
    race = played(dealt(2, SHORT), (0, IN))
    assert laws.varied(DUNGEON, race, 1, Chance(b"", 0, "imagine"))
    assert laws.varied(DUNGEON, race, None, Chance(b"", 0, "imagine"))
    assert not laws.varied(DUNGEON, race, 0, Chance(b"", 0, "imagine"))
    assert laws.varied(DUNGEON, played(dealt(1, SHORT), (0, IN)), None, Chance(b"", 0, "imagine"))


def test_an_imagined_run_can_be_drawn() -> None:
    state = played(dealt(2, SHORT), (0, IN), (0, "AT B1 down"))
    other = DUNGEON.imagine(DUNGEON.seen_by(state, 1), 1, Chance(b"", 0, "imagine"))
    here = position(SHORT, other.runs[0].places)
    assert here.turns == 2
    assert all(here.ground.open(square) for square in here.laid)


def test_what_a_run_leaves_for_the_lists_of_the_best() -> None:
    solo = dealt(1, SHORT)
    assert DUNGEON.records(played(solo, (0, IN), (0, OUT))) == ()  # it is none of the shipped dungeons
    daily = dealt(1, SHORT, daily="2030-01-31")
    (out,) = DUNGEON.records(played(daily, (0, IN), (0, OUT)))
    assert (out.course, out.score, out.turns, out.detail["out"]) == ("daily/2030-01-31", 7, 2, 1)
    for state in (daily, played(daily, (0, IN)), played(daily, (0, IN), (0, GiveUp()))):
        (lost,) = DUNGEON.records(state)
        assert (lost.course, lost.score, lost.detail["out"]) == ("daily/2030-01-31", 0, 0)
