"""Which errors pass by themselves: a bad minute of Discord's or of the line to it, never a fault of ours.

What passes is tried again and logged in one line; it leaves no report.
"""

from __future__ import annotations

import aiohttp
import discord

TOO_MANY = 429
PASSING = (discord.DiscordServerError, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)


def passes(error: BaseException) -> bool:
    """Whether the same request may succeed in a while: 5xx, 429, a cut or silent connection."""
    return isinstance(error, PASSING) or (
        isinstance(error, discord.HTTPException) and error.status == TOO_MANY
    )
