"""The bench: figures are in the promised form, and its makers of databases make what the bot makes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot import bench
from bot.__main__ import main
from bot.games import GAMES
from bot.store import bench as stored
from bot.store.backup import census
from bot.store.store import Store
from bot.tables.clock import wall_clock
from bot.tables.service import Service
from tests.words.frozen import frozen


def test_an_unknown_part_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "wheels"]) == 2
    assert "knows no wheels; it has words, render" in capsys.readouterr().err


def test_a_limit_of_nothing_is_a_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures: list[dict[str, Any]] = [
        {"figure": "none", "value": 0, "unit": "messages", "limit": 0},
        {"figure": "some", "value": 1, "unit": "messages", "limit": 0},
        {"figure": "fast", "value": 9, "unit": "times", "limit": 5, "at_least": True},
        {"figure": "told", "value": 3, "unit": "ms", "limit": None},
    ]
    monkeypatch.setattr(bench, "_figures", lambda part: iter(figures))
    assert main(["bench", "start"]) == 0
    told = capsys.readouterr().out
    assert [json.loads(line)["within"] for line in told.splitlines()] == [True, False, True, None]


def test_the_slope_of_a_line_is_its_rise() -> None:
    assert bench.slope([(0, 10.0), (10_000, 10.5), (20_000, 11.0)]) * 10_000 == pytest.approx(0.5)
    assert bench.slope([(0, 7.0), (10, 7.0)]) == 0


def test_the_longest_wait_is_told_beside_a_quiet_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "SIZE", 2_000_000)
    monkeypatch.setattr(stored, "BACKUPS", 1)
    (figure,) = stored.figures()
    assert (figure["unit"], figure["limit"], figure["mb"]) == ("ms", 100, 2)
    assert figure["moves"] > 0
    assert figure["value"] > 0
    assert figure["baseline"] > 0


async def test_copies_of_a_table_are_tables_whose_hands_lag(tmp_path: Path) -> None:
    path = tmp_path / "wordmoot.db"
    with closing(sqlite3.connect(path)) as database:
        released = Path(__file__).parent / "store" / "released" / "0001.sql"
        database.executescript(released.read_text("utf-8"))
        database.execute("DELETE FROM tables WHERE id > 1")
        for name in ("states", "seats", "moves", "messages", "votes", "drafts"):
            database.execute(f"DELETE FROM {name} WHERE tbl > 1")
        database.execute("UPDATE messages SET shown = 99")
        database.commit()
    await (await Store.open(path)).close()
    stored.copied(path, 2)
    stored.age(path, 5_000)
    assert set(census(path).behind) == {2, 3}
    store = await Store.open(path)
    try:
        service = Service(store, GAMES, frozen(), wall_clock)
        assert [(await service.table(number)).seq for number in (1, 2, 3)] == [4, 4, 4]
        assert (await service.view(3, 0)) == (await service.view(1, 0))
        assert {message.posted_at for message in (await store.messages(3)).values()} == {
            1_760_000_000_000 - 5_000
        }
    finally:
        await store.close()
