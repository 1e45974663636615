"""When the bot could be reached: its socket was open and its process lived.

Everything that may take time is judged by *uptime*, since a bot that is down moves nothing and a soak kills it often.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Gap:
    """A time in which the bot could not be reached; ``lost``: what it was told meanwhile never reaches it."""

    start: float
    end: float | None = None
    lost: bool = False


class Uptime:
    """The gaps of one bot, in seconds of ``clock``; it begins in one, which is lost."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._gaps = [Gap(clock(), lost=True)]
        self._before = 0.0  # uptime before the last gap
        self._up_since: float | None = None

    @property
    def up(self) -> bool:
        """Whether the bot can be reached now."""
        return self._up_since is not None

    @property
    def seconds(self) -> float:
        """How long the bot could be reached, all in all."""
        return self._before + self.streak

    @property
    def streak(self) -> float:
        """How long it has been reachable without a break."""
        return 0.0 if self._up_since is None else self._clock() - self._up_since

    def rose(self) -> None:
        """The socket opened."""
        if self._up_since is None:
            self._up_since = self._gaps[-1].end = self._clock()

    def fell(self, *, lost: bool) -> None:
        """The socket closed or, ``lost``, the process or the session ended."""
        if self._up_since is not None:
            self._before += self.streak
            self._up_since = None
            self._gaps.append(Gap(self._clock()))
        self._gaps[-1].lost |= lost

    def gaps(self, start: float, end: float) -> list[Gap]:
        """Return the gaps that touch a span of time."""
        return [gap for gap in self._gaps[-64:] if gap.start <= end and (gap.end is None or gap.end >= start)]
