"""What a viewer knows, and how long a click stays good."""

import pytest
from msgspec.structs import replace

from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import (
    PLAYER_BAG,
    Agree,
    Concede,
    Contribute,
    Contributed,
    Drew,
    NoWord,
    Object,
    Options,
    Play,
    Propose,
    State,
    Withdraw,
)
from bot.games.game import IllegalMove
from tests.games.defenders.tables import at_word, dealt, moment, play

CAD = Play("CAD", 4, 3, True)


def epochs(state: State) -> list[int]:
    return [DEFENDERS.epoch(state, seat) for seat in range(state.public.seats)]


def test_a_seat_sees_its_own_rack_and_everyone_sees_none() -> None:
    state = dealt()
    assert DEFENDERS.seen_by(state, 1).rack == state.racks[1]
    assert DEFENDERS.seen_by(state, None).rack == ()


def test_a_sealed_contribution_is_seen_by_its_seat_only() -> None:
    state = dealt()
    letter = state.racks[0][0]
    state = play(state, 0, Contribute((letter,))).state
    assert DEFENDERS.seen_by(state, 0).mine == (letter,)
    for seat in (1, 2, None):
        view = DEFENDERS.seen_by(state, seat)
        assert view.mine is None
        assert view.sealed == (True, False, False)


def test_what_others_hold_and_what_is_in_their_bags_is_known_together_only() -> None:
    state = play(dealt(), 0, Contribute((dealt().racks[0][0],))).state
    for seat in (1, 2, None):
        assert DEFENDERS.seen_by(state, seat).unseen[0] == tuple(sorted(PLAYER_BAG))
    assert DEFENDERS.seen_by(state, 0).unseen[0] == tuple(sorted(state.bags[0]))


def test_the_order_of_every_bag_is_hidden_from_everyone() -> None:
    state = dealt(1)
    turned = replace(
        state,
        bags=tuple(bag[::-1] for bag in state.bags),
        spare=tuple(bag[::-1] for bag in state.spare),
        lucky=state.lucky[::-1],
        villain_bag=state.villain_bag[::-1],
    )
    for seat in (0, None):
        assert DEFENDERS.seen_by(turned, seat) == DEFENDERS.seen_by(state, seat)


def test_events_of_a_rack_keep_their_letters_for_their_seat() -> None:
    for event in (Drew(1, ("A",), 1, 26), Contributed(1, ("A",))):
        assert DEFENDERS.heard_by(event, 1) == event
        for other in (0, 2, None):
            heard = DEFENDERS.heard_by(event, other)
            assert heard == replace(event, letters=None)


def test_nothing_said_in_the_channel_is_a_move() -> None:
    assert DEFENDERS.hear(at_word(), 0, "CAD", moment()) is None


# Epochs


def test_a_contribution_outdates_nobody_elses_click() -> None:
    state = dealt()
    after = play(state, 0, Contribute((state.racks[0][0],))).state
    assert epochs(after)[1:] == epochs(state)[1:]
    assert epochs(after)[0] != epochs(state)[0]


def test_an_answer_to_a_proposal_outdates_nobody_elses_click() -> None:
    state = play(at_word(commons="CAD"), 0, Propose(CAD)).state
    for answer in (Agree(), Object()):
        after = play(state, 1, answer).state
        assert (epochs(after)[0], epochs(after)[2]) == (epochs(state)[0], epochs(state)[2])
        assert epochs(after)[1] != epochs(state)[1]


def test_a_new_proposal_outdates_the_click_on_the_old_one() -> None:
    state = at_word(commons="CAD")
    first = play(state, 0, Propose(CAD)).state
    second = play(first, 0, Propose(NoWord())).state
    third = play(play(second, 0, Withdraw()).state, 0, Propose(CAD), now=5).state
    assert len({epochs(table)[1] for table in (state, first, second, third)}) == 4


def test_a_new_round_outdates_every_click() -> None:
    state = dealt()
    later = replace(state, public=replace(state.public, round=2))
    assert not set(epochs(state)) & set(epochs(later))


def test_the_host_has_an_epoch_of_its_own() -> None:
    assert 0 <= DEFENDERS.epoch(dealt(), None) < 2**32


# The frame of the contract


def test_seats_are_one_to_four() -> None:
    assert list(DEFENDERS.seats(Options())) == [1, 2, 3, 4]


def test_a_state_of_an_unknown_release_is_refused() -> None:
    with pytest.raises(ValueError, match="no version 99"):
        DEFENDERS.upgrade(DEFENDERS.states.dump(dealt()), 99)


def test_a_refused_move_changes_nothing() -> None:
    state = at_word()
    before = DEFENDERS.states.dump(state)
    with pytest.raises(IllegalMove):
        play(state, 0, Propose(CAD))
    assert DEFENDERS.states.dump(state) == before


def test_the_same_seed_deals_the_same_table() -> None:
    assert dealt(seed=b"one") == dealt(seed=b"one")
    assert dealt(seed=b"one") != dealt(seed=b"two")


def test_an_undone_contribution_leaves_the_others_as_they_are() -> None:
    state = dealt()
    first, second = Contribute((state.racks[0][0],)), Contribute((state.racks[1][0],))
    both = play(play(state, 0, first).state, 1, second).state
    alone = play(state, 1, second)
    assert alone.undo == "own"
    assert alone.state.sealed == (None, *both.sealed[1:])


def test_what_draws_or_reveals_is_never_undone() -> None:
    state = at_word(dealt(1), commons="CAD")
    assert play(state, 0, Propose(CAD)).undo == "never"
    assert play(state, 0, Propose(Concede())).undo == "never"
