"""Where pictures are drawn: two threads, so that the event loop goes on while Pillow works."""

from __future__ import annotations

import asyncio
import io
from concurrent.futures import ThreadPoolExecutor

import discord

from bot.tables.face import LIMITS, Picture


class Easel:
    """Two picture threads. Equal pictures are equal bytes, so nothing is kept between draws."""

    def __init__(self, threads: int = 2) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="easel")

    async def draw(self, picture: Picture) -> bytes:
        """Return the picture's PNG."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, picture.draw)

    async def attachment(self, picture: Picture) -> discord.File:
        """Return the picture as a file to send, its alt text with it (1,024 characters at most)."""
        return attached(picture, await self.draw(picture))

    def close(self) -> None:
        """Let the threads end; what is being drawn is finished first."""
        self._threads.shutdown(wait=True, cancel_futures=True)


def attached(picture: Picture, png: bytes) -> discord.File:
    """Return a drawn picture as a file; one file is good for one request."""
    return discord.File(io.BytesIO(png), picture.name, description=picture.alt[: LIMITS["alt"]])
