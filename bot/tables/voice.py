"""Says things in the places of tables that mention people, and takes them back."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import discord
import structlog
from discord.ext import commands

from bot.tables.face import Panel
from bot.tables.layout import layout
from bot.tables.network import PASSING
from bot.tables.places import Places
from bot.tables.publisher import ARCHIVED, Locked, reopening
from bot.tables.table import Table

REFUSED = 600.0  # s until a channel that refused a notice gets one again

log = structlog.get_logger()


class Refused(Exception):  # noqa: N818 - it is what the place did
    """A place does not take a message, so that nobody was told anything."""


class Voice:
    """Says things in the places of tables, and takes them back. A place that refuses is logged, and let be for a while."""

    def __init__(self, bot: commands.AutoShardedBot, places: Places) -> None:
        self.bot = bot
        self.places = places
        self._refused: dict[int, float] = {}  # by place: until when (monotonic)

    def reaches(self, table: Table) -> bool:
        """Whether the table has a place that is known to take messages."""
        place = table.place
        if place is None or not self.places.there(table.guild) or self.places.barred(place, table.id):
            return False
        return self._refused.get(place, 0.0) <= time.monotonic()

    async def say(self, table: Table, what: str | Panel, users: Iterable[int], nonce: str) -> int | None:
        """Post in the table's place; ``users`` and nobody else are mentioned.

        Returns the message, or None when the network failed, so that nobody knows whether it was posted. Raises Refused.
        """
        place = table.place
        assert place is not None
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(user) for user in users]
        )
        content: dict[str, Any] = (
            {"content": what[:2000]} if isinstance(what, str) else {"view": layout(what, table.id, None)}
        )
        channel = self.bot.get_partial_messageable(place)
        try:
            said = await reopening(
                self.bot, place, lambda: channel.send(allowed_mentions=mentions, nonce=nonce, **content)
            )
        except (discord.Forbidden, discord.NotFound, Locked) as error:
            code = ARCHIVED if isinstance(error, Locked) else error.code
            log.warning("notice_refused", table=table.id, channel=place, code=code)
            self._refused[place] = time.monotonic() + REFUSED
            raise Refused from error
        except (discord.HTTPException, *PASSING) as error:  # perhaps sent; twice would be worse than never
            log.warning("notice_lost", table=table.id, channel=place, error=str(error))
        else:
            self._refused.pop(place, None)
            return said.id
        return None

    async def unsay(self, channel: int, message: int) -> bool:
        """Delete a message of ours; False when it may still be there and can be deleted later."""
        try:
            await self.bot.get_partial_messageable(channel).get_partial_message(message).delete()
        except (discord.Forbidden, discord.NotFound):
            return True  # gone, or out of our reach
        except (discord.HTTPException, *PASSING) as error:
            log.info("notice_left", message=message, error=str(error))
            return False
        return True
