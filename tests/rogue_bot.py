"""A bot that does what none may do, to see that the soak notices: it shows others' racks, forgets answers, and dies."""

from __future__ import annotations

import os
import threading
from typing import Any

from bot.soak import entry
from bot.tables.answer import Answer
from bot.tables.router import Pressed

LIVES = 12.0  # s


async def _of_a_neighbour(self: Pressed) -> Any:
    service = self.router.service
    seats = len((await service.table(self.table)).seats)
    look = await service.look(self.table, (self.seat + 1) % seats)
    self._seen = look.epoch
    return look.view


async def _nothing(self: Answer, text: str) -> None:
    self.close()


def main() -> int:
    """Run the bot with a wrong view of hands and silent answers, until it dies of itself."""
    Pressed.view = _of_a_neighbour  # type: ignore[method-assign]
    Answer.say = _nothing  # type: ignore[method-assign]
    timer = threading.Timer(LIVES, os._exit, (3,))
    timer.daemon = True
    timer.start()
    return entry.main()
