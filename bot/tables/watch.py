"""Hears what happens to servers, channels and messages, and tells those whom it concerns.

Nothing here asks Discord anything: an event marks what is to be shown again, and the publisher shows it in its turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord
import structlog
from discord.ext import commands

from bot.store.database import StoreError
from bot.tables.outages import Outages
from bot.tables.publisher import Publisher

T = TypeVar("T")

AGAIN = 1.0  # s until what a locked or full database has refused is tried again

log = structlog.get_logger()


async def until_stored(work: Callable[[], Awaitable[T]]) -> T:
    """Do what cannot be left out, again and again while the database is locked or its disk full."""
    while True:
        try:
            return await work()
        except StoreError as error:
            log.warning("store_again", error=str(error), seconds=AGAIN)
            await asyncio.sleep(AGAIN)


class Watch(commands.Cog):
    """Listens for what makes boards and hands disappear, refuses them, or lets them come back."""

    def __init__(self, bot: commands.AutoShardedBot, publisher: Publisher, outages: Outages) -> None:
        self.bot = bot
        self.publisher = publisher
        self.outages = outages

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A message is gone; it may have been a board."""
        await until_stored(lambda: self.publisher.deleted((payload.message_id,)))

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Many messages are gone at once."""
        await until_stored(lambda: self.publisher.deleted(payload.message_ids))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone: its tables' boards go to the channel that it was in."""
        await until_stored(lambda: self.publisher.place_deleted(payload.guild_id, payload.thread_id))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, and with it the boards in it."""
        await until_stored(lambda: self.publisher.place_deleted(channel.guild.id, channel.id))

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """A channel's permissions may have changed."""
        self.publisher.permissions_changed(after.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been unlocked."""
        if not payload.data["thread_metadata"].get("locked"):
            self.publisher.permissions_changed(payload.guild_id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """A role grants something else."""
        self.publisher.permissions_changed(after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot may have another role."""
        if after.id == after.guild.me.id:
            self.publisher.permissions_changed(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """A server has an outage."""
        await until_stored(lambda: self.outages.begin(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is there again after an outage, or has come late after the start."""
        await until_stored(lambda: self.outages.end(guild.id))
        await until_stored(lambda: self.publisher.guild_back(guild.id))
