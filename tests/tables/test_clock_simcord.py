"""A clock that runs never keeps simcord from settling, and simcord's time is the clock's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import simcord
from discord.ext import commands

from bot.store.store import Store
from bot.tables.automata import Automata
from bot.tables.clock import Clock
from bot.tables.service import Service
from bot.tables.worker import Inline
from tests.games.toy import SEAL_TIME, TOY, Seal
from tests.tables.hosting import ADA, BEN, Vowels, minds


def discord_now() -> int:
    return int(discord.utils.utcnow().timestamp() * 1_000)


class Bot(commands.Bot):
    """A bot with one command, which plays a move at one table."""

    def __init__(self, folder: Path) -> None:
        super().__init__("!", intents=discord.Intents.default())
        self.folder = folder

    async def setup_hook(self) -> None:
        store = await Store.open(self.folder / "tables.db")
        self.service = Service(store, {"toy": TOY}, Vowels(), discord_now)
        self.clock = Clock(self.service, Automata(self.service, Inline(minds())), beat_live=10_000)
        await self.clock.start()
        table = await self.service.open("toy", 1, 2, ADA, "Ada")
        await self.service.join(table.id, BEN, "Ben")
        await self.service.start(table.id, ADA)
        self.table = table.id

        @self.tree.command(name="seal", description="Seal a card")
        async def seal(interaction: discord.Interaction[Any]) -> None:
            view = await self.service.view(self.table, 0)
            committed = await self.service.play(self.table, 0, Seal(view.hand[0]), by=ADA)
            await interaction.response.send_message(f"move {committed.seq}")

        await self.tree.sync()

    async def shut(self) -> None:
        await self.clock.close()
        await self.service.store.close()


async def test_a_running_clock_settles_and_strikes_in_virtual_time(tmp_path: Path) -> None:
    bot = Bot(tmp_path)
    async with simcord.run(bot, settle_timeout=0.5) as env:
        guild = env.create_guild()
        channel, ada = guild.create_text_channel("games"), guild.add_member(env.create_user("ada"))
        result = await ada.slash(channel, "seal")
        assert result.response.content == "move 1"
        await env.advance_time(SEAL_TIME / 1_000 + 1)
        assert (await bot.service.view(bot.table, None)).public.phase == "stake"
        assert (await bot.service.table(bot.table)).seq == 2
        await bot.shut()  # simcord detaches a bot; it does not close it
