"""kill -9 between any two steps of a move: the state is the one before or the one after, and what was answered is there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bot.games.chance import Chance
from bot.games.game import Moment, Words
from bot.store.store import Store
from tests.games.toy import TOY, Options
from tests.tables.hosting import Hosting, Vowels

ROOT = Path(__file__).resolve().parent.parent.parent
STATEMENTS = 12  # more than a move has
LIVES = 25


def lives(folder: Path, *arguments: object) -> None:
    """Let a bot play in the folder and be killed; see ``tests.tables.player``."""
    command = [sys.executable, "-m", "tests.tables.player", str(folder), *map(str, arguments)]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})


def answered(folder: Path) -> dict[int, int]:
    """Return the last move of each table that the bot answered, or that it found when its life began."""
    lines = (folder / "answers").read_text().splitlines() if (folder / "answers").exists() else []
    return {int(table): int(seq) for table, seq in (line.split() for line in lines)}


async def found(folder: Path) -> dict[int, int]:
    """Return the last move of each table that the database holds, having checked that all of it is sound."""
    store = await Store.open(folder / "tables.db")
    try:
        assert await store._read("PRAGMA integrity_check") == [("ok",)]
        tables = await store._read("SELECT tbl FROM states")
        return {table: await sound(store, table) for (table,) in tables}
    finally:
        await store.close()


async def sound(store: Store, table: int) -> int:
    """Return a table's move number; its log leads to its state, move by move."""
    row = await store.table(table)
    assert row is not None
    log = await store.log(table)
    assert [logged.seq for logged in log] == list(range(1, row.seq + 1))
    state = TOY.deal(2, Options(rounds=1_000), Moment(0, Chance(row.seed, 0, "play"), Words(Vowels())))
    for logged in log:
        assert logged.move is not None
        moment = Moment(logged.at, Chance(row.seed, logged.seq, "play"), Words(Vowels()))
        turn = TOY.play(state, logged.seat, TOY.moves.load(logged.move), moment)
        assert TOY.events.dump(turn.events) == logged.events
        state = turn.state
    assert await store.state(table) == TOY.states.dump(state)
    assert (row.stage == "over") == (TOY.result(state) is not None)
    awaited = frozenset(seat.seat for seat in row.seats if seat.awaited)
    assert awaited == (frozenset() if row.stage == "over" else TOY.awaited(state))
    return row.seq


async def test_a_move_cut_short_at_any_statement_is_there_or_is_not(tmp_path: Path) -> None:
    host = await Hosting.at(tmp_path)
    table = await host.live(options=Options(rounds=1_000))
    await host.store.close()
    folders = [tmp_path / str(statement) for statement in range(1, STATEMENTS + 1)]
    for folder in folders:
        folder.mkdir()
        shutil.copy(tmp_path / "tables.db", folder)
    lives(tmp_path, "statements", STATEMENTS)
    outcomes = [((await found(folder))[table], answered(folder)[table]) for folder in folders]
    cut = outcomes.index((1, 1))  # the first life that ran to its answer
    assert cut > 5
    assert outcomes == [(0, 0)] * cut + [(1, 1)] * (STATEMENTS - cut)


async def test_a_bot_killed_at_any_moment_goes_on_from_what_it_answered(tmp_path: Path) -> None:
    lives(tmp_path, "moments", LIVES, 7)
    before: dict[int, int] = {}
    for number in range(1, LIVES + 1):
        folder = tmp_path / str(number)
        now, told = await found(folder), answered(folder)
        for table, seq in told.items():
            assert now[table] in (seq, seq + 1), (
                "an answered move is gone, or one was stored that nobody made"
            )
        assert all(now[table] >= seq for table, seq in before.items())
        before = now
    assert sum(before.values()) > LIVES
