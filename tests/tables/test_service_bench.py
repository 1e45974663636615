"""The tables that the benchmark stores are such as the bot stores, and its figures are figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store.store import Store
from bot.tables import bench


async def test_the_benchmark_stores_live_tables_that_discord_shows(tmp_path: Path) -> None:
    await bench.fill(tmp_path / "tables.db", 3)
    store = await Store.open(tmp_path / "tables.db")
    try:
        assert await store.live() >= 2
        assert await store.unshown(0) == ()
        assert [(await store.table(table)).stage for table in (1, 2, 3)] == ["live"] * 3  # type: ignore[union-attr]
        assert await store.state(3) == await store.state(1)
    finally:
        await store.close()


def test_every_figure_has_its_name_its_unit_and_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MOVES", 4)
    monkeypatch.setattr(bench, "WARM", 1)
    monkeypatch.setattr(bench, "TABLES", 5)
    figures = list(bench.figures())
    assert [(figure["unit"], figure["limit"]) for figure in figures] == [("ratio", 2), ("s", 3), ("MB", 5)]
    assert all(figure["value"] >= 0 or figure["unit"] == "MB" for figure in figures)
