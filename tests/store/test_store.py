"""The database: whole transactions or nothing, and clear words when it cannot be used."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.store import database as module
from bot.store.backup import census
from bot.store.database import StoreError
from bot.store.rows import Entry, Logged, Message, Seat
from bot.store.store import Store

ADA, BEN = 101, 102


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "tables.db", busy_timeout=50)
    yield opened
    await opened.close()


def logged(seq: int, seat: int | None = 0, move: bytes | None = b'"m"') -> Logged:
    return Logged(seq, seat, ADA, 10 * seq, move, b"[]", b"{}", "never")


def entry(table: int, seq: int, **given: Any) -> Entry:
    values: dict[str, Any] = {
        "logged": logged(seq),
        "now": 1_000 + seq,
        "state": b"state %d" % seq,
        "version": 1,
        "awaited": frozenset(),
        "due": None,
        "wake": None,
    }
    return Entry(table, **{**values, **given})


async def lobby(store: Store, *, guild: int = 1, users: tuple[int, ...] = (ADA, BEN)) -> int:
    return await store.create(
        game="toy",
        version=1,
        guild=guild,
        channel=2,
        thread=None,
        opener=users[0],
        options=b"{}",
        seed=b"seed",
        seats=[Seat(number, user, f"P{number}", None, 5) for number, user in enumerate(users)],
        created=5,
    )


async def live(store: Store, *, due: int | None = None, wake: int | None = None, **given: Any) -> int:
    table = await lobby(store, **given)
    row = await store.table(table)
    assert row is not None
    assert await store.deal(
        table, revision=1, version=1, state=b"state 0", seats=row.seats, opened=100, due=due, wake=wake
    )
    return table


def contents(path: Path) -> list[str]:
    """Return everything in a database file as another process reads it."""
    other = sqlite3.connect(path)
    try:
        return list(other.iterdump())
    finally:
        other.close()


def test_every_migration_has_its_number() -> None:
    assert len(module.migrations()) >= 1


async def test_a_new_file_gets_every_migration_and_an_old_one_only_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, scripts = tmp_path / "tables.db", module.migrations()
    first = await Store.open(path)
    await lobby(first)
    await first.close()
    monkeypatch.setattr(module, "migrations", lambda: (*scripts, "ALTER TABLE tables ADD COLUMN more TEXT;"))
    for _ in range(2):
        again = await Store.open(path)
        assert await again._read("PRAGMA user_version") == [(len(scripts) + 1,)]
        assert await again._read("SELECT more FROM tables") == [(None,)]
        await again.close()


async def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, scripts = tmp_path / "tables.db", module.migrations()
    await (await Store.open(path)).close()
    before = contents(path)
    broken = "CREATE TABLE fine (x);\nINSERT INTO nowhere VALUES (1);"
    monkeypatch.setattr(module, "migrations", lambda: (*scripts, broken))
    with pytest.raises(StoreError, match=rf"Migration {len(scripts) + 1} failed: no such table: nowhere"):
        await Store.open(path)
    assert contents(path) == before
    monkeypatch.undo()
    await (await Store.open(path)).close()


async def test_a_file_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    await (await Store.open(path)).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(StoreError, match="newer release"):
        await Store.open(path)


async def test_what_cannot_be_opened_is_said_and_leaves_no_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    with pytest.raises(StoreError, match="cannot be opened"):
        await Store.open(tmp_path / "nowhere" / "tables.db")
    (tmp_path / "text.db").write_text("no database at all, just a text that is long enough" * 20)
    with pytest.raises(StoreError, match="cannot be used"):
        await Store.open(tmp_path / "text.db")
    for _ in range(200):
        if threading.active_count() <= before:
            break
        await asyncio.sleep(0.01)
    assert threading.active_count() <= before


async def test_closing_twice_ends_the_thread_once(tmp_path: Path) -> None:
    before = threading.active_count()
    store = await Store.open(tmp_path / "tables.db")
    assert threading.active_count() == before + 1
    await store.close()
    await store.close()
    for _ in range(200):
        if threading.active_count() <= before:
            break
        await asyncio.sleep(0.01)
    assert threading.active_count() == before


async def test_what_has_been_answered_is_synced(store: Store) -> None:
    assert await store._read("PRAGMA journal_mode") == [("wal",)]
    assert await store._read("PRAGMA synchronous") == [(2,)]
    assert await store._read("PRAGMA foreign_keys") == [(1,)]


async def test_a_move_writes_all_of_it(store: Store) -> None:
    table = await live(store)
    await store.set_draft(table, 0, "basket", b"x")
    revision = await store.commit(entry(table, 1, awaited=frozenset({1}), due=900, wake=800))
    row = await store.table(table)
    assert row is not None
    assert (row.seq, row.at, row.due, row.wake, row.revision) == (1, 10, 900, 800, revision)
    assert [seat.awaited for seat in row.seats] == [False, True]
    assert await store.state(table) == b"state 1"
    assert await store.log(table) == (logged(1),)
    assert await store.drafts(table, 0) == {}
    assert await store.last_beat() == 1_001


@pytest.mark.parametrize("seq", [1, 3])
async def test_a_move_on_another_state_than_the_last_writes_nothing(
    store: Store, tmp_path: Path, seq: int
) -> None:
    table = await live(store)
    assert await store.commit(entry(table, 1)) is not None
    before = contents(tmp_path / "tables.db")
    assert await store.commit(entry(table, seq)) is None
    assert contents(tmp_path / "tables.db") == before


@pytest.mark.parametrize("stage", ["lobby", "paused", "over"])
async def test_a_table_that_is_not_live_takes_no_move(store: Store, tmp_path: Path, stage: str) -> None:
    if stage == "lobby":
        table = await lobby(store)
    else:
        table = await live(store)
        columns: dict[str, Any] = {"paused_at": 7} if stage == "paused" else {"stage": "over", "ended": 7}
        assert await store.change(table, revision=2, **columns)
    before = contents(tmp_path / "tables.db")
    assert await store.commit(entry(table, 1)) is None
    assert contents(tmp_path / "tables.db") == before


async def test_a_statement_that_fails_takes_the_whole_move_with_it(store: Store, tmp_path: Path) -> None:
    table = await live(store)
    await store._write(
        lambda db: db.execute("INSERT INTO moves SELECT id, 1, 0, 0, 0, '', '', '', '', 0 FROM tables")
    )
    before = contents(tmp_path / "tables.db")
    with pytest.raises(StoreError, match="UNIQUE"):
        await store.commit(entry(table, 1))
    assert contents(tmp_path / "tables.db") == before


async def test_a_database_that_somebody_holds_is_said_to_be_locked(store: Store, tmp_path: Path) -> None:
    table = await live(store)
    other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="database is locked"):
        await store.commit(entry(table, 1))
    row = await store.table(table)  # reading goes on
    assert row is not None
    assert row.seq == 0
    other.execute("ROLLBACK")
    other.close()
    assert await store.commit(entry(table, 1)) is not None


async def test_a_full_disk_is_said_and_nothing_has_changed(store: Store, tmp_path: Path) -> None:
    table = await live(store)
    ((pages,),) = await store._read("PRAGMA page_count")
    await store._read(f"PRAGMA max_page_count = {pages}")
    before = contents(tmp_path / "tables.db")
    with pytest.raises(StoreError, match="full"):
        await store.commit(entry(table, 1, state=b"x" * 200_000))
    assert contents(tmp_path / "tables.db") == before
    await store._read("PRAGMA max_page_count = 1000000")
    assert await store.commit(entry(table, 1, state=b"x" * 200_000)) is not None


async def test_a_cancelled_write_blocks_no_later_one(store: Store) -> None:
    table = await live(store)
    for steps in range(5):
        row = await store.table(table)
        assert row is not None
        task = asyncio.create_task(store.commit(entry(table, row.seq + 1)))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    row = await store.table(table)
    assert row is not None
    assert await store.commit(entry(table, row.seq + 1)) is not None
    assert len(await store.log(table)) == row.seq + 1


async def test_nobody_reads_half_a_move(store: Store) -> None:
    table = await live(store)
    half = (
        "SELECT t.seq, s.state, (SELECT count(*) FROM moves WHERE tbl = t.id)"
        " FROM tables t JOIN states s ON s.tbl = t.id"
    )

    async def play() -> None:
        for seq in range(1, 40):
            await store.commit(entry(table, seq))

    async def read() -> None:
        for _ in range(120):
            ((seq, state, moves),) = await store._read(half)
            assert (state, moves) == (b"state %d" % seq, seq)

    await asyncio.gather(play(), read(), read())


async def test_a_change_counts_only_for_the_revision_that_it_was_made_for(store: Store) -> None:
    table = await lobby(store)
    seats = [Seat(0, BEN, "Ben", None, 6), Seat(1, None, "Automaton 1", 2, 7)]
    assert await store.change(table, revision=1, seats=seats, opener=BEN)
    assert not await store.change(table, revision=1, seats=(), opener=ADA)
    row = await store.table(table)
    assert row is not None
    assert (row.opener, row.seats, row.revision) == (BEN, tuple(seats), 2)
    with pytest.raises(ValueError, match="no colour"):
        await store.change(table, revision=2, colour="red")


async def test_only_a_lobby_is_dealt(store: Store) -> None:
    table = await live(store)
    row = await store.table(table)
    assert row is not None
    assert not await store.deal(
        table,
        revision=row.revision,
        version=1,
        state=b"again",
        seats=row.seats,
        opened=1,
        due=None,
        wake=None,
    )
    assert await store.state(table) == b"state 0"


async def test_a_table_over_keeps_its_log_and_nothing_that_waits(store: Store) -> None:
    table = await live(store, due=50)
    await store.vote(table, "end", 1, True)
    await store.set_draft(table, 1, "basket", b"x")
    await store.commit(entry(table, 1, ended=2_000, result=b"{}", awaited=frozenset({0})))
    row = await store.table(table)
    assert row is not None
    assert (row.stage, row.ended, row.result, row.due) == ("over", 2_000, b"{}", None)
    assert not any(seat.awaited for seat in row.seats)
    assert await store.votes(table) == {}
    assert await store.drafts(table, 1) == {}
    assert await store.nearest("due") is None
    assert len(await store.log(table)) == 1


async def test_the_nearest_time_is_over_all_running_tables(store: Store) -> None:
    assert await store.nearest("due") is None
    late, early = await live(store, due=900), await live(store, due=700, wake=600)
    paused = await live(store, due=1)
    await store.change(paused, revision=2, paused_at=1)
    assert await store.nearest("due") == 700
    assert await store.nearest("due", {early}) == 900
    assert await store.nearest("wake") == 600
    assert await store.nearest("wake", {early}) is None
    assert await store.due_by(699) == ()
    assert await store.due_by(900) == (early, late)
    assert await store.awake_by(600) == (early,)
    assert await store.live() == 2


async def test_time_stands_still_for_running_tables_only(store: Store) -> None:
    running, paused, waiting = (
        await live(store, due=900, wake=800),
        await live(store, due=900),
        await lobby(store),
    )
    await store.change(paused, revision=2, paused_at=1)
    assert await store.shift(50, 7_000) == 1
    assert await store.last_beat() == 7_000
    rows = [await store.table(table) for table in (running, paused, waiting)]
    assert [(row.lost, row.due, row.wake) for row in rows if row] == [
        (50, 950, 850),
        (0, 900, None),
        (0, None, None),
    ]


async def test_a_heartbeat_of_a_clock_that_was_set_back_since_does_not_stay(store: Store) -> None:
    await store.beat(3_600_000)
    await store.beat(3_600_000 - 5)  # a write that was overtaken
    assert await store.last_beat() == 3_600_000
    await store.beat(60_000)
    assert await store.last_beat() == 60_000
    await store.beat(61_000)
    assert await store.last_beat() == 61_000


async def test_a_damaged_heartbeat_dates_nothing_and_the_next_one_counts(
    store: Store, tmp_path: Path
) -> None:
    await store.beat(1_000)
    await store._write(lambda db: db.execute("UPDATE heartbeat SET at = 'abc'"))
    assert await store.last_beat() is None
    assert census(tmp_path / "tables.db").beat is None
    await store.beat(2_000)
    assert await store.last_beat() == 2_000


async def test_a_wake_is_set_only_for_the_table_as_it_was(store: Store) -> None:
    table = await live(store)
    assert await store.set_wake(table, 2, 77)
    assert not await store.set_wake(table, 1, 88)
    row = await store.table(table)
    assert row is not None
    assert (row.wake, row.revision) == (77, 2)


async def test_a_message_that_lags_behind_its_table_is_found(store: Store) -> None:
    fresh, lagging, unposted, over, old = [await live(store) for _ in range(5)]
    for table in (fresh, lagging, over, old):
        await store.set_message(table, Message("board", 2, 1_000 + table, 2, 60, "abc"))
    await store.set_message(fresh, Message("hand/1", 3, 5_000, 2, 60))
    await store.commit(entry(lagging, 1))
    await store.change(over, revision=2, stage="over", ended=500)
    await store.change(old, revision=2, stage="over", ended=100)
    assert await store.unshown(ended_since=400) == (lagging, unposted, over)
    assert (await store.messages(fresh))["hand/1"] == Message("hand/1", 3, 5_000, 2, 60)
    assert await store.message_at(5_000) == (fresh, "hand/1")
    await store.drop_message(fresh, "hand/1")
    assert set(await store.messages(fresh)) == {"board"}
    assert await store.message_at(5_000) is None


async def test_votes_drafts_notices_and_facts_are_kept(store: Store, tmp_path: Path) -> None:
    table = await live(store)
    await store.vote(table, "end", 0, True)
    await store.vote(table, "end", 0, False)
    await store.vote(table, "attest/1", 1, True)
    await store.set_draft(table, 1, "basket", b"x")
    assert [await store.notify_once(ADA, "closed", now) for now in (1, 2)] == [True, False]
    await store.set_fact("commands", "old")
    await store.set_fact("commands", "new")
    await store.beat(700)
    await store.beat(600)
    other = await Store.open(tmp_path / "tables.db")
    try:
        assert await other.votes(table) == {"end": {0: False}, "attest/1": {1: True}}
        assert await other.drafts(table, 1) == {"basket": b"x"}
        assert await other.notify_once(ADA, "closed", 3) is False
        assert (await other.fact("commands"), await other.fact("none")) == ("new", None)
        assert await other.last_beat() == 700
    finally:
        await other.close()
    await store.close_vote(table, "end")
    assert await store.votes(table) == {"attest/1": {1: True}}


async def test_a_message_that_is_known_no_more_does_not_come_back_by_what_it_shows(store: Store) -> None:
    table = await live(store)
    hand = Message("hand/0", 71, 1001, 1, 1)
    await store.set_message(table, hand)
    later = replace(hand, shown=2, digest="new")
    await store.update_message(table, later)
    assert (await store.messages(table))["hand/0"] == later
    await store.update_message(table, replace(later, message=1000, shown=3))
    assert (await store.messages(table))["hand/0"] == later
    await store.drop_message(table, "hand/0")
    await store.update_message(table, later)
    assert not await store.messages(table)


# What is deleted


def traces(path: Path, name: bytes) -> list[str]:
    """Return the files of a database that hold these bytes."""
    return [file.name for file in path.parent.glob(f"{path.name}*") if name in file.read_bytes()]


async def named(store: Store, name: str, guild: int = 1) -> None:
    """Let somebody of this name sit at a few tables, as a player whose rows move about on the disk."""
    for _ in range(20):
        table = await lobby(store, guild=guild)
        seats = [Seat(0, ADA, name, None, 5), Seat(1, BEN, "Ben", None, 5)]
        assert await store.change(table, revision=1, seats=seats)
        assert await store.change(table, revision=2, seats=list(reversed(seats)))


async def test_who_is_forgotten_can_be_read_in_no_file(store: Store, tmp_path: Path) -> None:
    await named(store, "Adelgunde")
    assert traces(tmp_path / "tables.db", b"Adelgunde")
    await store.forget(ADA)
    assert traces(tmp_path / "tables.db", b"Adelgunde") == []


async def test_a_server_that_is_deleted_can_be_read_in_no_file(store: Store, tmp_path: Path) -> None:
    await named(store, "Adelgunde")
    await store.delete_server(1)
    assert traces(tmp_path / "tables.db", b"Adelgunde") == []


async def test_a_reader_delays_neither_a_deletion_nor_a_move_and_the_next_heartbeat_wipes_its_traces(
    tmp_path: Path,
) -> None:
    path = tmp_path / "tables.db"
    store = await Store.open(path, busy_timeout=3_600_000)  # who waits for the reader waits for ever
    await named(store, "Adelgunde")
    reader = sqlite3.connect(path)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM seats").fetchall()
    await asyncio.wait_for(store.forget(ADA), 60)
    await asyncio.wait_for(store.beat(1), 60)
    assert traces(path, b"Adelgunde")
    reader.close()
    await store.beat(2)
    assert traces(path, b"Adelgunde") == []
    await store.close()
