"""The bench: every figure that is promised, in the promised form."""

from __future__ import annotations

import pytest

from render import bench


def test_every_figure_has_a_name_a_value_and_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "ROUNDS", 4)
    told = {figure["figure"]: figure for figure in bench.figures()}
    assert {name: (figure["limit"], figure["unit"]) for name, figure in told.items()} == {
        "largest board to PNG, all of it packed anew": (8, "ms"),
        "largest board to PNG after a move": (8, "ms"),
        "largest board's PNG": (60, "KB"),
        "largest board to PNG, how much faster than plainly": (5, "times"),
        "rack to PNG": (4, "ms"),
        "largest dungeon to PNG, all of it packed anew": (8, "ms"),
        "largest dungeon to PNG after a turn": (8, "ms"),
        "largest dungeon's PNG": (60, "KB"),
    }
    assert all(float(figure["value"] or 0) > 0 for figure in told.values())
    assert [name for name, figure in told.items() if figure.get("at_least")] == [
        "largest board to PNG, how much faster than plainly"
    ]
