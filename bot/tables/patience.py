"""How long a table waits for somebody before it says so, and for whom it waits.

Each pace has its patience. After the first time a seat is *called*, after the second *nudged*; after the third the others
are asked whether an automaton shall play on.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from bot.store.rows import Seat

CALLED, NUDGED, ASKED = 1, 2, 3


class Patience(msgspec.Struct, frozen=True):
    """How long a pace waits for a seat (ms) until it is called, nudged, and the others are asked.

    ``between``: from one nudge by hand to the next.
    """

    called: int
    nudged: int
    asked: int
    between: int

    def at(self, called: int, nudged: int, asked: int) -> Patience:
        """Return another patience, its times in seconds, with the same time between two nudges by hand."""
        return Patience(called * 1_000, nudged * 1_000, asked * 1_000, self.between)

    def threshold(self, stage: int) -> int:
        """Return how long a seat has been awaited when a stage comes due."""
        return (0, self.called, self.nudged, self.asked)[stage]

    def gap(self, stage: int) -> int:
        """Return how long after the last notice to the same seat the one of a stage may follow."""
        return self.threshold(stage) - self.threshold(stage - 1) if stage > CALLED else 0


LIVE = Patience(90_000, 300_000, 600_000, between=600_000)
SLOW = Patience(120_000, 12 * 3_600_000, 24 * 3_600_000, between=2 * 3_600_000)


class Told(msgspec.Struct, frozen=True, array_like=True):
    """What a notice has told a seat. Times are table time, so that no pause and no downtime moves them."""

    seat: int
    origin: int  # when it began to be awaited
    stage: int
    at: int


class Waited(NamedTuple):
    """A person for whom a table waits."""

    seat: Seat
    origin: int  # table time, ms
    since: int  # wall clock, ms: from when it counts
    noted: int  # the last stage that they have been told
    told: int | None  # wall clock, ms: when

    @property
    def user(self) -> int:
        """The person."""
        assert self.seat.user is not None
        return self.seat.user

    def comes(self, stage: int, patience: Patience) -> int:
        """Return when (wall clock, ms) a stage comes due."""
        after = 0 if self.told is None else self.told + patience.gap(stage)
        return max(self.since + patience.threshold(stage), after)
