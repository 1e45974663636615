"""Word Dungeon on Discord: solo, daily, race and party by buttons and commands, and who sees what."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.dungeon.state import Dungeon, Place, State
from bot.tables.daily import date_of
from tests.cogs import conftest
from tests.cogs.conftest import Server, alt, custom_id, labels, text

# All that Cellar Steps takes, and a few words more.
WORDS = ("GORY", "YEA", "RARES", "RASPY", "GORE", "EAT", "AT", "GO", "OR", "YE", "EAR", "EARS", "CAT", "CATS", "ZOO", "YES")
ROUTE = (("GORY", "A1 down"), ("YEA", "A4 across"), ("RARES", "C5 across"), ("RASPY", "G3 down"))


@pytest.fixture(autouse=True)
def _words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "WORDS", WORDS)


async def state(server: Server, table: int = 1) -> State:
    row = await server.bot.service._row(table)
    found: State = await server.bot.service._state(row)
    return found


async def words(server: Server, table: int = 1, seat: int = 0) -> list[str]:
    return [place.word for place in (await state(server, table)).run_of(seat).places]


async def solo(server: Server, name: str = "Ada", **options: Any) -> Any:
    """Begin a solo in Cellar Steps; returns its panel."""
    given = {"dungeon": "cellar-steps", **options}
    return (await server.person(name).slash(server.channel, "dungeon solo", **given)).response


async def lay(server: Server, name: str, word: str, at: str = "", **options: Any) -> Any:
    given = {"word": word, **({"at": at} if at else {}), **options}
    return (await server.person(name).slash(server.channel, "dungeon place", **given)).response


async def leave(server: Server, name: str = "Ada", **options: Any) -> Any:
    """Go the whole way out; returns the last answer."""
    answer = None
    for word, at in ROUTE:
        answer = await lay(server, name, word, at, **options)
    return answer


async def test_a_solo_begins_at_once_and_nobody_else_sees_it(server: Server) -> None:
    panel = await solo(server)
    assert panel.ephemeral
    assert "Cellar Steps" in text(panel)
    assert labels(panel) == ["Place a word", "Hint", "Give up", "Rules"]
    assert "Chests: T at" in alt(panel) or "C3 T" in alt(panel)
    assert all(message.ephemeral for message in server.said())
    assert "Cellar Steps" in text(server.hand("Ada"))
