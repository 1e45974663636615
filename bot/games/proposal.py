"""A proposal that the seats of a table answer: who agrees, who objects, who has said nothing yet.

Several games have their players agree on what is done. What an answer does to a proposal is the same in each, and stands
here; which answers carry one or let it fall, what silence means, and what is told of it are a game's own rules.
"""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from bot.games.game import IllegalMove

T = TypeVar("T")
P = TypeVar("P", bound="Proposal[Any]")

Stance = Literal["agreed", "objected", "silent"]


class Proposal(msgspec.Struct, Generic[T], frozen=True):
    """A matter that a seat has brought before all, at table time ``at`` (ms).

    ``agreed`` and ``objected``: seats in ascending order; none is in both. Who proposes agrees.
    """

    seat: int
    matter: T
    at: int
    agreed: tuple[int, ...] = ()
    objected: tuple[int, ...] = ()


def agreed(proposal: P, seat: int) -> P:
    """Return the proposal once the seat agrees, which takes an objection back; raises IllegalMove if it does already."""
    if seat in proposal.agreed:
        raise IllegalMove("You agree already.")
    return replace(proposal, agreed=_with(proposal.agreed, seat), objected=_without(proposal.objected, seat))


def objected(proposal: P, seat: int) -> P:
    """Return the proposal once the seat objects; raises IllegalMove if it does already, or if the proposal is its own."""
    if seat == proposal.seat:
        raise IllegalMove("This proposal is your own; you can withdraw it.")
    if seat in proposal.objected:
        raise IllegalMove("You object already.")
    return replace(proposal, agreed=_without(proposal.agreed, seat), objected=_with(proposal.objected, seat))


def check_withdrawal(proposal: Proposal[Any], seat: int) -> None:
    """Raise IllegalMove unless the proposal is the seat's own."""
    if proposal.seat != seat:
        raise IllegalMove("Only who made a proposal can withdraw it.")


def shelved(tried: tuple[T, ...], proposal: Proposal[T] | None) -> tuple[T, ...]:
    """Return what has been tried, in order and each matter once, now that this proposal, if any, is no longer open."""
    if proposal is None or proposal.matter in tried:
        return tried
    return (*tried, proposal.matter)


def stance(proposal: Proposal[Any] | None, seat: int | None) -> Stance:
    """Return how the seat has answered; ``silent`` where it has not, or there is nothing to answer."""
    if proposal is not None and seat in proposal.agreed:
        return "agreed"
    if proposal is not None and seat in proposal.objected:
        return "objected"
    return "silent"


def silent(proposal: Proposal[Any] | None, seats: int) -> frozenset[int]:
    """Return which of ``seats`` seats have yet to answer: none where there is nothing to answer."""
    if proposal is None:
        return frozenset()
    return frozenset(range(seats)).difference(proposal.agreed, proposal.objected)


def asked(proposal: Proposal[Any] | None, seat: int | None) -> tuple[tuple[int, int, Any] | None, Stance]:
    """Return what a seat's epoch holds of a proposal: which one is open, and the seat's own answer, but no other's."""
    which = None if proposal is None else (proposal.seat, proposal.at, proposal.matter)
    return which, stance(proposal, seat)


def _with(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(sorted((*seats, seat)))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)
