"""Snowflakes: ids that tell when they were made, as strings, since JSON readers lose digits of large numbers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

EPOCH_MS = 1_420_070_400_000  # the first moment of 2015, UTC
_NAMED_MS = 1_704_067_200_000  # the first moment of 2024, UTC: before any message of a local world


def wall_ms() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def moment(snowflake: str) -> int:
    """When this id was made, in milliseconds since the Unix epoch."""
    return (int(snowflake) >> 22) + EPOCH_MS


def named(kind: str, name: str) -> str:
    """An id that is the same in every run for the same kind and name."""
    digest = int.from_bytes(hashlib.blake2b(f"{kind}/{name}".encode(), digest_size=7).digest(), "big")
    return str(((_NAMED_MS - EPOCH_MS) << 22) + (digest >> 4))


class Snowflakes:
    """Mints ids that only ever rise."""

    def __init__(self, now: Callable[[], int] = wall_ms) -> None:
        self._now = now
        self._last = 0

    def mint(self) -> str:
        """A new id, greater than each one before it."""
        self._last = max(self._last + 1, (self._now() - EPOCH_MS) << 22)
        return str(self._last)
