"""``wordmoot health``: a bot lives while it holds its folder and its heart beats."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.store.backup import backup, restore
from bot.store.lock import held
from bot.store.store import Store


@pytest.fixture
async def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a bot that has just beaten and ended."""
    folder = tmp_path / "data"
    folder.mkdir()
    await (await Store.open(folder / "wordmoot.db")).close()
    beat(folder, 0)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORDMOOT_DATA", str(folder))
    return folder


def beat(folder: Path, age: int) -> None:
    """Date the last heartbeat ``age`` seconds back."""
    with closing(sqlite3.connect(folder / "wordmoot.db")) as database, database:
        database.execute(
            "INSERT OR REPLACE INTO heartbeat VALUES (1, ?)", (int((time.time() - age) * 1_000),)
        )


Told = Callable[[], tuple[int, str]]


@pytest.fixture
def health(capsys: pytest.CaptureFixture[str]) -> Told:
    def asked() -> tuple[int, str]:
        status = main(["health"])
        return status, "".join(capsys.readouterr())

    return asked


def test_a_bot_that_holds_its_folder_and_beats_lives(data: Path, health: Told) -> None:
    with held(data):
        status, told = health()
    assert status == 0
    assert told.startswith("The bot lives: its last heartbeat was ")


def test_a_bot_that_has_ended_a_moment_ago_does_not_live(data: Path, health: Told) -> None:
    assert health() == (1, f"No bot runs on the data in {data}.\n")
    with held(data):
        pass
    assert health() == (1, f"No bot runs on the data in {data}.\n")


def test_what_was_restored_into_an_empty_folder_is_no_bot(
    data: Path, health: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(data / "wordmoot.db", tmp_path / "copy.db")
    restore(tmp_path / "copy.db", tmp_path / "new" / "wordmoot.db")
    monkeypatch.setenv("WORDMOOT_DATA", str(tmp_path / "new"))
    assert health() == (1, f"No bot runs on the data in {tmp_path / 'new'}.\n")


def test_a_bot_that_runs_and_does_not_beat_hangs(data: Path, health: Told) -> None:
    beat(data, 600)
    with held(data):
        status, told = health()
    assert status == 1
    assert told.endswith("The bot hangs or cannot write its database.\n")
