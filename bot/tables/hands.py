"""Private channels for hands: only to who joined, few at a time, and never in the way of a move.

Discord quarantines bots that open many private channels in a burst, and people may have closed theirs. So new ones
are opened at most one in 2 s and ten in 10 min; beyond that, and when a person's are closed, the *My rack* or *My hand*
button shows the same thing, and the person is told so once.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

import discord
import structlog
from discord.ext import commands

from bot.store.store import Store

CLOSED = {50007, 50278, 40003}  # cannot send to this user (two codes), opening too fast
GAP, BURST, WINDOW = 2.0, 10, 600.0  # seconds, channels, seconds

log = structlog.get_logger()


class Hands:
    """Opens private channels within the budget and remembers who has closed theirs."""

    def __init__(self, bot: commands.AutoShardedBot, store: Store, *, gap: float = GAP) -> None:
        self.bot = bot
        self.store = store
        self.gap = gap
        self._opened: deque[float] = deque(maxlen=BURST)
        self._channels: dict[int, discord.DMChannel] = {}
        self._closed: dict[int, float] = {}  # by user: until when not to try again (monotonic)

    async def channel(self, user: int) -> discord.DMChannel | None:
        """Return the person's private channel, or None when it is closed or the budget is spent for now."""
        now = time.monotonic()
        if self._closed.get(user, 0.0) > now:
            return None
        known = self._channels.get(user)
        if known is not None:
            return known
        if len(self._opened) == BURST and now - self._opened[0] < WINDOW:
            return None
        turn = max(now, self._opened[-1] + self.gap) if self._opened else now
        self._opened.append(turn)
        if turn > now:
            await asyncio.sleep(turn - now)
        channel = await self.bot.create_dm(discord.Object(user))
        self._channels[user] = channel
        return channel

    def refused(self, user: int, error: discord.HTTPException) -> bool:
        """Note that a private message was refused; False when ``error`` says something else."""
        if error.code not in CLOSED:
            return False
        log.info("hand_closed", user=user, code=error.code)
        self._closed[user] = time.monotonic() + WINDOW
        self._channels.pop(user, None)
        return True

    async def notice(self, user: int, now: int) -> str | None:
        """Return what to tell a person whose private messages are closed, the first time (``now`` in ms)."""
        if user not in self._closed or not await self.store.notify_once(user, "closed", now):
            return None
        return (
            "I cannot send you private messages, so your letters come by the button below each board."
            " Nothing is lost. If you like, allow messages from members of this server."
        )
