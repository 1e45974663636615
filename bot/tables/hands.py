"""Private channels for hands: only to who joined, few at a time, and never in the way of a move.

Discord quarantines bots that open many private channels in a burst, and people may have closed theirs. So new ones
are opened at most one in 2 s and ten in 10 min; beyond that, and when a person's are closed, the *My rack* or *My hand*
button shows the same thing, and the person is told so once. A closed one is tried again after a minute, then after two,
and so on up to an hour, so that hands come by message again when it was opened. Who has left the
server, or Discord, is met in the same way: only a refused message tells, since the bot does not ask for the intent
that would list members.

What a person should know and nobody has asked for (``owe``) is told with their next answer.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

import discord
import structlog
from discord.ext import commands

from bot.store.database import StoreError
from bot.store.store import Store

TOO_FAST = 40003  # too many new private channels
# Cannot send to this user (closed, no server in common), no such channel, no such user, no such recipient.
CLOSED = {50007, 50278, 10003, 10013, 50033}
GAP, BURST, WINDOW = 2.0, 10, 600.0  # seconds, channels, seconds
REST, LONGEST_REST = 60.0, 3600.0  # s until a closed one is tried again; doubled with each refusal

CLOSED_NOTICE = (
    "I cannot send you private messages, so your letters come by the button below each board."
    " Nothing is lost. If you like, allow messages from members of this server."
)

log = structlog.get_logger()


class Hands:
    """Opens private channels within the budget and remembers who has closed theirs.

    Args:
        gap: seconds between two new channels.
        rest: seconds until a closed one is tried again for the first time.
    """

    def __init__(
        self, bot: commands.AutoShardedBot, store: Store, *, gap: float = GAP, rest: float = REST
    ) -> None:
        self.bot = bot
        self.store = store
        self.gap = gap
        self.rest = rest
        self._opened: deque[float] = deque(maxlen=BURST)
        self._channels: dict[int, discord.DMChannel] = {}
        self._closed: dict[
            int, tuple[float, float]
        ] = {}  # by user: not before (monotonic), the rest after that
        self._resting = 0.0  # no new channel before (monotonic)
        self._owed: dict[int, dict[str, str]] = {}

    async def channel(self, user: int) -> discord.DMChannel | None:
        """Return the person's private channel, or None when it is closed or the budget is spent for now."""
        now = time.monotonic()
        if user in self._closed and self._closed[user][0] > now:
            return None
        known = self._channels.get(user)
        if known is not None:
            return known
        if self._resting > now:
            return None
        if len(self._opened) == BURST and now - self._opened[0] < WINDOW:
            return None
        turn = max(now, self._opened[-1] + self.gap) if self._opened else now
        self._opened.append(turn)
        if turn > now:
            await asyncio.sleep(turn - now)
        channel = await self.bot.create_dm(discord.Object(user))
        self._channels[user] = channel
        return channel

    def wait(self, user: int) -> float:
        """Return in how many seconds it is worth asking for a channel that is not to be had now."""
        now = time.monotonic()
        until = max(self._resting, self._closed[user][0] if user in self._closed else 0.0)
        if until <= now and len(self._opened) == BURST:
            until = self._opened[0] + WINDOW
        return max(self.gap, until - now)

    def refused(self, user: int, error: discord.HTTPException) -> bool:
        """Note that a private message was refused; False when ``error`` says something else."""
        now = time.monotonic()
        if error.code == TOO_FAST:
            self._resting = now + WINDOW
            return True
        if error.code not in CLOSED:
            return False
        log.info("hand_closed", user=user, code=error.code)
        rest = self._closed[user][1] if user in self._closed else self.rest
        self._closed[user] = (now + rest, min(rest * 2, LONGEST_REST))
        self._channels.pop(user, None)
        return True

    def taken(self, user: int) -> None:
        """Note that a private message has arrived."""
        self._closed.pop(user, None)

    def owe(self, user: int, about: str, text: str) -> None:
        """Tell a person something with their next answer; a later text about the same thing replaces it."""
        self._owed.setdefault(user, {})[about] = text

    def waive(self, about: str) -> None:
        """Tell nobody any more what was owed about a thing."""
        for texts in self._owed.values():
            texts.pop(about, None)

    async def notice(self, user: int, now: int) -> str | None:
        """Return what to tell a person beside their answer, once: closed private messages, what is owed (``now`` in ms)."""
        told = list(self._owed.pop(user, {}).values())
        try:
            if user in self._closed and await self.store.notify_once(user, "closed", now):
                told.append(CLOSED_NOTICE)
        except StoreError as error:  # it is told another time; what was answered stands
            log.warning("not_noticed", error=str(error))
        return "\n".join(told) or None
