"""The bot with a memory for one table only, so that every other one is read from the database again."""

from __future__ import annotations

import bot.store.store
import bot.tables.ledger
from bot.app import main_bot


def main() -> int:
    """Run the bot; returns its exit status."""
    bot.tables.ledger.CACHED_STATES = 1
    bot.store.store.KNOWN_ROWS = 1
    return main_bot()
