"""Writes a database of the present schema as SQL text: tables of Defenders as a bot leaves them when it is killed.

Run it before a migration is added, ``python -m tests.store.released.write``, and commit what it prints as
``tests/store/released/<schema>.sql``, the number of the newest migration in four digits. ``test_migrations`` opens each.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from bot.games import GAMES
from bot.games.defenders.state import Contribute, NoWord, Propose
from bot.store.rows import Message
from bot.store.store import Store
from bot.tables.service import Service
from bot.words.lexicon import Lexicon

ADA, BEN, CLEO = 101, 102, 103
GUILD, CHANNEL = 9001, 9002
NOW = 1_760_000_000_000


async def _written(path: Path) -> None:
    """Store a lobby, a table that waits for agreement, and one that was ended."""
    store = await Store.open(path)
    try:
        service = Service(store, GAMES, Lexicon.load(), lambda: NOW)
        live = await _begun(service)
        await service.play(live, 0, Propose(NoWord()), by=ADA)
        revision = (await service.table(live)).revision
        await store.set_message(live, Message("board", CHANNEL, 9003, revision - 1, NOW, "digest"))
        await store.set_message(live, Message("hand/0", 9004, 9005, revision, NOW, "digest"))
        await store.vote(live, "end", 1, True)
        await store.set_draft(live, 2, "note", b"{}")

        lobby = await service.open("defenders", GUILD, CHANNEL, BEN, "Ben")
        await store.set_message(lobby.id, Message("board", CHANNEL, 9006, 1, NOW, "digest"))

        over = await _begun(service)
        for user in (ADA, BEN, CLEO):
            await service.end(over, user)

        await store.notify_once(ADA, "closed", NOW)
        await store.set_fact("commands", "digest")
        await store.beat(NOW)
    finally:
        await store.close()


async def _begun(service: Service) -> int:
    """Begin a game in which everybody has contributed; returns the table's number."""
    table = (await service.open("defenders", GUILD, CHANNEL, ADA, "Ada")).id
    await service.join(table, BEN, "Ben")
    await service.join(table, CLEO, "Cleo")
    await service.start(table, ADA)
    for seat, user in enumerate((ADA, BEN, CLEO)):
        rack = (await service.view(table, seat)).rack
        await service.play(table, seat, Contribute(rack[:1]), by=user)
    return table


def main() -> int:
    """Print the database."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wordmoot.db"
        asyncio.run(_written(path))
        with closing(sqlite3.connect(path)) as database:
            ((schema,),) = database.execute("PRAGMA user_version")
            sys.stdout.write("\n".join((*database.iterdump(), f"PRAGMA user_version={schema};")) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
