"""What is in the bot's database, so that a test can say that nothing changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from tests.cogs.conftest import Server


def rows(server: Server) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table; not the heartbeat, which is the bot's own sign of life."""
    with closing(sqlite3.connect(server.bot.settings.database)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names if name != "heartbeat"}
