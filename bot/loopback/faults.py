"""Faults that a test asks for: requests that are refused, answered late, or carried out with their answer lost."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from bot.loopback.refusal import Refusal

_SENTENCES = {429: "You are being rate limited.", 500: "500: Internal Server Error", 502: "502: Bad Gateway"}


@dataclass
class Fault:
    """One fault and how often it still strikes."""

    method: str
    path: str
    refusal: Refusal | None
    times: float
    chance: float
    delay: float
    lost: bool
    cut: bool
    retry_after: float | None
    dice: random.Random = field(repr=False)
    struck: int = 0

    def strikes(self, method: str, path: str) -> bool:
        """Whether it meets this request; then one time less is left."""
        if self.times <= 0 or self.method not in ("*", method) or not fnmatchcase(path, self.path):
            return False
        if self.dice.random() >= self.chance:
            return False
        self.times -= 1
        self.struck += 1
        return True

    @property
    def fails(self) -> bool:
        """Whether the bot does not get its answer."""
        return self.cut or self.refusal is not None

    def failure(self) -> Refusal:
        """What is answered instead, if anything reaches the bot."""
        return self.refusal or Refusal(499, 0, "The connection was cut.")

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the refusal: a rate limit as Discord words it, without which discord.py does not try again."""
        if self.retry_after is None:
            return {}
        seconds = str(self.retry_after)
        headers = {"Via": "1.1 loopback", "Retry-After": seconds, "X-RateLimit-Reset-After": seconds}
        everywhere = self.refusal is not None and self.refusal.extra.get("global")
        return headers | ({"X-RateLimit-Global": "true"} if everywhere else {})


class Faults:
    """The faults in force, asked in the order in which they were made."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def add(
        self,
        method: str,
        path: str,
        *,
        status: int | None = None,
        code: int = 0,
        message: str | None = None,
        retry_after: float | None = None,
        times: float = 1,
        chance: float = 1.0,
        seed: int = 0,
        delay: float = 0.0,
        lost: bool = False,
        cut: bool = False,
        **extra: Any,
    ) -> Fault:
        """Make requests fail.

        Args:
            method: of HTTP, or ``*``.
            path: under ``/api/v10``, with ``*`` for any part: ``/channels/*/messages``.
            status: of the answer; without it the request is carried out and only delayed.
            code: Discord's error code in the body.
            message: the sentence in the body.
            retry_after: seconds, in body and headers: with status 429 the bot tries again after them.
            times: how many requests; ``math.inf`` for all.
            chance: of each matching request to be met, from 0 to 1, drawn from `seed`.
            delay: seconds before the request is carried out or refused.
            lost: carry the request out all the same, and answer with the error.
            cut: close the connection instead of answering; the request is carried out only if `lost` is set too.
            extra: more members of the body.
        """
        refusal = None
        if status is not None:
            if retry_after is not None:
                extra = {"retry_after": retry_after, "global": False} | extra
            refusal = Refusal(status, code, message or _SENTENCES.get(status, str(status)), **extra)
        dice = random.Random(seed)
        fault = Fault(method, path, refusal, times, chance, delay, lost, cut, retry_after, dice)
        self._faults.append(fault)
        return fault

    def clear(self) -> None:
        """No faults any more."""
        self._faults.clear()

    def meet(self, method: str, path: str) -> Fault | None:
        """The fault that meets a request, if any."""
        return next((fault for fault in self._faults if fault.strikes(method, path)), None)
