"""Every press, command and form gets its answer, and what is answered as played has been stored.

An interaction made while the bot was down is made *in vain*. One without an answer is *lost*, except for the few to which
Discord itself allowed none: it is *excused* when

- the bot's process or session ended within the three seconds;
- the socket was closed for more than a second of them;
- faults and late delivery took two seconds or more of them, or cut off suggestions, which nobody waits for;
- this process, which is the Discord, was itself late by more than half a second meanwhile.

A promise (*thinking…*) must be kept within ``KEPT`` s, unless the process ended.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from bot.loopback.interactions import Callback, Interaction, InteractionKind
from bot.soak.journal import Journal
from bot.soak.uptime import Uptime
from bot.soak.weather import Ordeal

SECONDS = 3.0  # Discord's own
TAKEN = 2.0  # s
DEAF = 1.0  # s
LAG = 0.5  # s
KEPT = 40.0  # s; more than all attempts at one request together
DEFERRED = 1.4  # s; a press that is answered in less is not acknowledged by the watchdog, hence done


@dataclass
class Promise:
    """A *thinking…* that is to become an answer."""

    asked: Interaction
    until: float


class Answers:
    """Judges interactions.

    Args:
        lag: by how much (s) this process was late at worst since a time of ``time.perf_counter``.
        ordeal: what an interaction, by its id, had to go through.
    """

    def __init__(
        self, uptime: Uptime, journal: Journal, ordeal: Callable[[str], Ordeal],
        lag: Callable[[float], float], clock: Callable[[], float] = time.perf_counter,
    ) -> None:  # fmt: skip
        self._uptime = uptime
        self._journal = journal
        self._ordeal = ordeal
        self._lag = lag
        self._clock = clock
        self._promises: deque[Promise] = deque()
        self.waits: list[float] = []  # ms, of interactions to which nothing happened

    def settle(self, asked: Interaction, what: str) -> None:
        """Judge an interaction whose answer has come or whose time is up."""
        self._journal.count("interactions")
        ordeal = self._ordeal(asked.id)
        self._journal.note(
            "interaction", what=what, id=asked.id, user=asked.user.name, response=asked.response,
            waited=asked.waited, taken=ordeal.taken, text=asked.text[:200],
        )  # fmt: skip
        if asked.response is None:
            self._unanswered(asked, what, ordeal)
            return
        if asked.response is Callback.THINKING:
            self._promises.append(Promise(asked, asked.opened + KEPT))
        start = asked.opened
        if ordeal.untouched and not self._uptime.gaps(start, start + (asked.waited or 0)):
            self.waits.append(1000 * (asked.waited or 0))

    def excuse(self, asked: Interaction, ordeal: Ordeal) -> str | None:
        """Return why Discord itself allowed an interaction no answer, or None."""
        gaps = self._uptime.gaps(asked.opened, asked.opened + SECONDS)
        if any(gap.lost for gap in gaps):
            return "down"
        end = asked.opened + SECONDS
        deaf = sum(
            min(end, end if gap.end is None else gap.end) - max(asked.opened, gap.start) for gap in gaps
        )
        if deaf > DEAF:
            return "deaf"
        if ordeal.taken + deaf >= TAKEN or (asked.kind is InteractionKind.AUTOCOMPLETE and ordeal.was_cut):
            return "faults"
        if self._lag(asked.opened) > LAG:
            return "late"
        return None

    def review(self) -> None:
        """Look at the promises whose time is up."""
        now = self._clock()
        while self._promises and self._promises[0].until < now:
            promise = self._promises.popleft()
            asked = promise.asked
            message = asked.message
            if message is None or not message.thinking:
                continue
            if any(gap.lost for gap in self._uptime.gaps(asked.opened, promise.until)):
                self._excused("down")
                continue
            self._journal.find("lost", f"{asked.user.name} was left with *thinking…*.", id=asked.id)

    def stored(self, asked: Interaction, what: str, found: bool) -> None:
        """Take note of whether what was answered as played is in the database."""
        self._journal.count("claims")
        if not found:
            self._journal.find("lost", f"{what} was answered as played and is not stored.", id=asked.id)

    def _unanswered(self, asked: Interaction, what: str, ordeal: Ordeal) -> None:
        if any(
            gap.lost and gap.start <= asked.opened for gap in self._uptime.gaps(asked.opened, asked.opened)
        ):
            self._journal.count("in_vain")
            return
        reason = self.excuse(asked, ordeal)
        if reason is None:
            self._journal.find(
                "lost", f"{what} of {asked.user.name} got no answer.", id=asked.id, taken=ordeal.taken
            )
            return
        self._excused(reason)

    def _excused(self, reason: str) -> None:
        self._journal.count("excused")
        self._journal.count(f"excused_{reason}")


def says(asked: Interaction, played: re.Pattern[str], refused: re.Pattern[str]) -> bool:
    """Whether an answer says that a move was played, in words or by acknowledging a press at once without any.

    A press that was only acknowledged has no words of its own: its text is the message's as it was before.
    """
    if asked.response is Callback.DEFERRED_UPDATE:
        return (asked.waited or 0.0) < DEFERRED  # else the watchdog wins time
    return not refused.search(asked.text) and bool(played.search(asked.text))
