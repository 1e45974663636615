"""Rate limits as Discord counts them: a window for each kind of request and place, one for all requests together.

The figures are those that bots meet in practice; Discord publishes none and changes them. What a bot is to rely on
are the headers, which every counted answer carries: a library that reads them waits before it is refused.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.loopback.refusal import Refusal, rate_limited

_CHANNEL, _MESSAGE = r"/channels/(\d+)", r"/channels/(\d+)/messages/\d+"
# Method, path with what is counted apart in a group, requests, seconds.
_KINDS = tuple(
    (method, re.compile(path), most, seconds)
    for method, path, most, seconds in (
        ("POST", rf"{_CHANNEL}/messages", 5, 5.0),
        ("PATCH", _MESSAGE, 5, 5.0),
        ("DELETE", _MESSAGE, 5, 1.0),
        ("PATCH", _CHANNEL, 5, 15.0),
        ("POST", rf"{_CHANNEL}/threads", 50, 300.0),
        ("POST", r"/users/@me/channels", 10, 10.0),
        ("PUT", r"/applications/(\d+)/.*commands", 2, 20.0),
        ("POST", r"/webhooks/\d+/([^/]+)", 5, 2.0),
        ("PATCH", r"/webhooks/\d+/([^/]+)/messages/.*", 5, 2.0),
    )
)
_EVERYWHERE, _SECOND = 50, 1.0  # requests of a bot; interactions and their webhooks are not counted
_OPENED, _OPENING = 10, 600.0  # new direct messages in so many seconds


@dataclass
class _Window:
    """So many requests until then."""

    most: int
    seconds: float
    used: int = 0
    ends: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more request fits."""
        if now >= self.ends:
            self.used, self.ends = 0, now + self.seconds
        if self.used >= self.most:
            return False
        self.used += 1
        return True


class Buckets:
    """The windows of one bot. ``now`` is a clock in seconds that only goes on."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._windows: dict[tuple[str, ...], _Window] = {}

    def take(self, method: str, path: str) -> tuple[Refusal | None, dict[str, str]]:
        """Count a request: its refusal, if it is one too many, and the headers of its answer."""
        now = self._now()
        if not path.startswith(("/interactions/", "/webhooks/")):
            everywhere = self._window(("everywhere",), _EVERYWHERE, _SECOND)
            if not everywhere.take(now):
                return self._refused(everywhere, now, "global")
        for method_, pattern, most, seconds in _KINDS:
            found = pattern.fullmatch(path) if method == method_ else None
            if found is not None:
                window = self._window((method, pattern.pattern, *found.groups()), most, seconds)
                fits = window.take(now)
                bucket = hashlib.blake2b(f"{method} {pattern.pattern}".encode(), digest_size=16).hexdigest()
                headers = {
                    "X-RateLimit-Limit": str(most),
                    "X-RateLimit-Remaining": str(most - window.used),
                    "X-RateLimit-Reset": f"{time.time() + window.ends - now:.3f}",
                    "X-RateLimit-Reset-After": f"{window.ends - now:.3f}",
                    "X-RateLimit-Bucket": bucket,
                }
                if fits:
                    return None, headers
                refusal, more = self._refused(window, now, "user")
                return refusal, headers | more
        return None, {}

    def opens(self) -> bool:
        """Whether one more new channel of direct messages may be opened (40003 if not)."""
        return self._window(("opened",), _OPENED, _OPENING).take(self._now())

    def _window(self, key: tuple[str, ...], most: int, seconds: float) -> _Window:
        return self._windows.setdefault(key, _Window(most, seconds))

    def _refused(self, window: _Window, now: float, scope: str) -> tuple[Refusal, dict[str, str]]:
        wait = max(0.001, round(window.ends - now, 3))
        headers = {"Via": "1.1 loopback", "Retry-After": f"{wait:.3f}", "X-RateLimit-Scope": scope}
        if scope == "global":
            headers["X-RateLimit-Global"] = "true"
        return rate_limited(wait, everywhere=scope == "global"), headers
