"""The buttons with which a proposal (``bot.games.proposal``) is answered; a face hears their verbs."""

from __future__ import annotations

from typing import Any

from bot.games.proposal import Proposal, stance
from bot.tables.face import Button, Row

AGREE = Button("Agree", "agree", style="good", bound=True)
OBJECT = Button("Object", "object", style="bad", bound=True)
WITHDRAW = Button("Take my proposal back", "withdraw", bound=True)


def answers(proposal: Proposal[Any] | None, seat: int | None, seats: int) -> tuple[Row, ...]:
    """Return the row with which ``seat`` can answer what is before all ``seats``, or everybody on the board (None).

    There is none where nothing is proposed, and for who plays alone: their proposals stand at once.
    """
    if proposal is None or seats == 1:
        return ()
    if proposal.seat == seat:
        return ((WITHDRAW,),)
    said = stance(proposal, seat)
    return (tuple(button for button, its in ((AGREE, "agreed"), (OBJECT, "objected")) if said != its),)
