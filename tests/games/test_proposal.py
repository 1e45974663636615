"""What seats' answers do to a proposal, in whatever game."""

import pytest

from bot.games.defenders.state import Concede, NoWord
from bot.games.defenders.state import Proposal as Matter
from bot.games.game import IllegalMove, epoch_of
from bot.games.laws import EPOCHS
from bot.games.proposal import agreed, asked, check_withdrawal, objected, shelved, silent, stance

OPEN = Matter(1, NoWord(), 500, agreed=(1,))


def test_an_answer_takes_the_other_one_back_and_leaves_all_else() -> None:
    against = objected(objected(OPEN, 3), 0)
    assert (against.agreed, against.objected) == ((1,), (0, 3))
    again = agreed(against, 3)
    assert (again.agreed, again.objected) == ((1, 3), (0,))
    assert objected(again, 3) == against
    assert isinstance(again, Matter)


def test_nobody_answers_twice_alike_and_who_proposes_withdraws_instead_of_objecting() -> None:
    with pytest.raises(IllegalMove, match=r"^You agree already\.$"):
        agreed(OPEN, 1)
    with pytest.raises(IllegalMove, match=r"^You object already\.$"):
        objected(objected(OPEN, 0), 0)
    with pytest.raises(IllegalMove, match=r"^This proposal is your own; you can withdraw it\.$"):
        objected(OPEN, 1)
    check_withdrawal(OPEN, 1)
    with pytest.raises(IllegalMove, match=r"^Only who made a proposal can withdraw it\.$"):
        check_withdrawal(OPEN, 0)


def test_silent_is_who_has_not_answered_and_nobody_where_nothing_is_asked() -> None:
    assert silent(objected(OPEN, 2), 4) == {0, 3}
    assert silent(None, 4) == frozenset()
    assert [stance(objected(OPEN, 2), seat) for seat in (0, 1, 2, None)] == [
        "silent",
        "agreed",
        "objected",
        "silent",
    ]
    assert stance(None, 0) == "silent"


def test_a_matter_is_tried_once_however_often_it_was_open() -> None:
    tried = shelved(shelved((), OPEN), Matter(0, Concede(), 900))
    assert tried == (NoWord(), Concede())
    assert shelved(tried, Matter(2, NoWord(), 950)) == tried
    assert shelved(tried, None) == tried


def test_what_a_seat_is_asked_changes_with_the_proposal_and_its_own_answer_alone() -> None:
    assert asked(OPEN, 0) == asked(agreed(OPEN, 2), 0) == asked(objected(OPEN, 2), 0)
    told = [asked(OPEN, 0), asked(agreed(OPEN, 0), 0), asked(objected(OPEN, 0), 0), asked(None, 0)]
    told.append(asked(Matter(1, NoWord(), 501, agreed=(1,)), 0))
    epochs = {epoch_of(may) for may in told}
    assert len(epochs) == len(told)
    assert all(epoch in EPOCHS for epoch in epochs)
