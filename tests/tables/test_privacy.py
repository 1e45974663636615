"""What is stored of a person is told whole, exported without others' secrets, and deleted to the last byte."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.app import Wordmoot
from bot.games.log import written
from bot.settings import Settings
from bot.store.rows import Message
from bot.tables.privacy import SECTIONS, Privacy
from bot.tables.servers import KEPT, Servers
from bot.tables.table import Table
from tests.games.toy import Seal
from tests.tables.hosting import CHANNEL, GUILD, Hosting

MIRA, MIRAS_NAME = 812_345_678_901_234_567, "Mira Quillfeather"
OTTO, OTTOS_NAME = 923_456_789_012_345_678, "Otto Brambleworth"
NAMES = {MIRA: MIRAS_NAME, OTTO: OTTOS_NAME}
PAGE = Path(__file__).parents[2] / "PRIVACY.md"


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Hosting]:
    hosting = await Hosting.at(tmp_path, tables_a_user=50)
    yield hosting
    await hosting.store.close()


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table of the database file."""
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def mentions(path: Path, user: int, name: str) -> Iterator[str]:
    """Yield the database's tables in which a value is, or holds, a user's id or a name."""
    for table, rows in dump(path).items():
        for row in rows:
            for value in row:
                text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                if str(user) in text or name in text:
                    yield table


async def open_(host: Hosting, *users: int, automata: int = 0, begun: bool = True) -> int:
    table = await host.service.open(host.game.key, GUILD, CHANNEL, users[0], NAMES[users[0]])
    for user in users[1:]:
        await host.service.join(table.id, user, NAMES[user])
    for _ in range(automata):
        await host.service.add_automaton(table.id, 0, users[0])
    if begun:
        await host.service.start(table.id, users[0])
    return table.id


async def seal(host: Hosting, table: int, seat: int, user: int) -> None:
    await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)


class Lives:
    """Mira and Otto at a table of every kind, with everything about them that can be stored."""

    def __init__(self, host: Hosting) -> None:
        self.host = host
        self.tables: dict[str, int] = {}

    async def live(self) -> Lives:
        host, service, store = self.host, self.host.service, self.host.store
        self.tables = {
            "lobby": await open_(host, MIRA, OTTO, begun=False),
            "lobby of others": await open_(host, OTTO, MIRA, begun=False),
            "lobby alone": await open_(host, MIRA, begun=False),
            "live": await open_(host, OTTO, MIRA),
            "left": await open_(host, MIRA, OTTO),
            "alone": await open_(host, MIRA, automata=1),
            "over": await open_(host, MIRA, OTTO),
            "paused": await open_(host, MIRA, OTTO),
            "aside": await open_(host, MIRA, OTTO),
        }
        for what in ("live", "left", "over", "aside"):
            mira = (await service.seat_of(self.tables[what], MIRA)) or 0
            await seal(host, self.tables[what], mira, MIRA)
        await seal(host, self.tables["over"], 1, OTTO)
        for user in (MIRA, OTTO):
            await service.end(self.tables["over"], user)
            await store.notify_once(user, "closed", 1)
        await service.leave(self.tables["left"], MIRA)
        await service.pause(self.tables["paused"], MIRA)
        for what, table in self.tables.items():
            for seat in () if what.startswith("lobby") else (0, 1):
                await store.set_message(table, Message(f"hand/{seat}", 70 + seat, 1000 * table + seat, 1, 1))
            await store.set_message(table, Message("board", CHANNEL, 1000 * table + 9, 1, 1))
        live = self.tables["live"]
        for seat in (0, 1):
            await service.set_draft(live, seat, "form/word", json.dumps({"typed": f"draft {seat}"}).encode())
            await store.vote(live, "undo/1", seat, bool(seat))
        await store.call(live, (0, 1), 1)
        await store.call(self.tables["paused"], (0, 1), 2)
        await store.set_aside(self.tables["aside"], "c0de", host.now())
        for seat in (0, 1):
            await store._write(
                lambda db, seat=seat: db.execute(
                    "INSERT INTO records VALUES (?, ?, 'steps', ?, 4, ?, 9)",
                    (self.tables["over"], seat, 10 + seat, b'{"medal": %d}' % (seat + 2)),
                )
            )
        await Servers(store, tuple).change(GUILD, added=("ZORP",))
        return self


# Told and exported


async def test_every_kind_of_row_about_a_person_is_told_and_none_about_others(host: Hosting) -> None:
    lives = await Lives(host).live()
    stored = await host.store.stored_of(MIRA)
    assert stored.keys() == SECTIONS.keys()
    assert {row["tbl"] for row in stored["seats"]} == set(lives.tables.values())
    assert all(row["name"] == MIRAS_NAME for row in stored["seats"])
    assert [row["body"] for row in stored["drafts"]] == [b'{"typed": "draft 1"}']
    assert [row["answer"] for row in stored["votes"]] == [1]
    assert len(stored["moves_made"]) == 4
    begun = {number for what, number in lives.tables.items() if not what.startswith("lobby")}
    mine = {(row["tbl"], row["seat"]) for row in stored["seats"] if row["tbl"] in begun}
    assert {(row["tbl"], row["seat"]) for row in stored["private_messages"]} == mine
    assert [(row["tbl"], row["seat"]) for row in stored["calls"]] == [(lives.tables["paused"], 0)]
    assert len(stored["notices"]) == 1
    assert [(row["tbl"], row["seat"], row["score"]) for row in stored["records"]] == [
        (lives.tables["over"], 0, 10)
    ]


async def test_the_export_is_whole_readable_and_only_the_person_s_own(host: Hosting) -> None:
    await Lives(host).live()
    privacy = Privacy(host.service)
    raw = await privacy.export(MIRA)
    told = json.loads(raw)
    assert told["user"] == str(MIRA)
    stored = await host.store.stored_of(MIRA)
    assert {name: len(section["rows"]) for name, section in told["stored"].items()} == {
        name: len(rows) for name, rows in stored.items()
    }
    assert all(section["what"] for section in told["stored"].values())
    assert told["stored"]["drafts"]["rows"][0]["body"] == {"typed": "draft 1"}
    assert told["stored"]["moves_made"]["rows"][0]["move"]["type"] == "seal"
    assert told["stored"]["records"]["rows"][0]["detail"] == {"medal": 2}
    assert b'"medal": 3' not in raw
    assert str(OTTO).encode() not in raw
    assert OTTOS_NAME.encode() not in raw
    assert b"draft 0" not in raw


async def test_an_export_at_a_live_table_holds_no_state_seed_or_move_of_others(host: Hosting) -> None:
    table = await open_(host, OTTO, MIRA)
    await seal(host, table, 0, OTTO)
    told = json.loads(await Privacy(host.service).export(MIRA))["stored"]
    assert told["moves_made"]["rows"] == []
    row = await host.store.table(table)
    assert row is not None
    exported = json.dumps(told)
    assert row.seed.hex() not in exported
    assert not any(key in exported for key in ('"state"', '"seed"', '"hands"', '"deck"', '"sealed"'))


async def test_what_is_stored_is_counted_in_words(host: Hosting) -> None:
    privacy = Privacy(host.service)
    assert await privacy.told(MIRA) == ()
    await open_(host, MIRA, begun=False)
    assert await privacy.told(MIRA) == ("1 seat at a table, with your name", "1 table that you opened")
    await open_(host, MIRA, begun=False)
    assert await privacy.told(MIRA) == ("2 seats at tables, with your name", "2 tables that you opened")


# Deleted


async def test_after_a_deletion_results_are_in_no_list_and_nobody_has_tried_a_course_before(
    host: Hosting,
) -> None:
    await Lives(host).live()
    assert [one.name for one in await host.store.best("steps")] == [OTTOS_NAME, MIRAS_NAME]
    await Privacy(host.service).delete(MIRA)
    assert [one.name for one in await host.store.best("steps")] == [OTTOS_NAME]
    assert await host.store.best("steps", user=MIRA, first=True) == ()


async def test_after_a_deletion_no_column_holds_the_person_s_id_or_name(
    host: Hosting, tmp_path: Path
) -> None:
    await Lives(host).live()
    file = tmp_path / "tables.db"
    assert {"seats", "tables", "moves", "notices"} == set(mentions(file, MIRA, MIRAS_NAME))
    others = await host.store.stored_of(OTTO)
    await Privacy(host.service).delete(MIRA)
    assert list(mentions(file, MIRA, MIRAS_NAME)) == []
    assert await host.store.stored_of(MIRA) == {}
    after = await host.store.stored_of(OTTO)
    for section in SECTIONS.keys() - {
        "tables_opened",
        "seats",
    }:  # he inherits her lobbies, and moves up in them
        assert after[section] == others[section]


async def test_nothing_that_belongs_to_the_seat_is_left(host: Hosting, tmp_path: Path) -> None:
    lives = await Lives(host).live()
    await Privacy(host.service).delete(MIRA)
    rows = dump(tmp_path / "tables.db")
    live = lives.tables["live"]
    assert [row[:2] for row in rows["drafts"]] == [(live, 0)]
    assert [(row[0], row[2]) for row in rows["votes"]] == [(live, 0)]
    assert {row[:2] for row in rows["calls"]} <= {(live, 0), (lives.tables["paused"], 1)}
    hands = {(table, audience) for table, audience, *_ in rows["messages"] if audience.startswith("hand/")}
    assert {(live, "hand/0"), (lives.tables["over"], "hand/1")} <= hands
    assert (live, "hand/1") not in hands
    assert (lives.tables["over"], "hand/0") not in hands


async def test_deleting_names_the_private_messages_that_discord_still_holds(host: Hosting) -> None:
    await Lives(host).live()
    mine = (await host.store.stored_of(MIRA))["private_messages"]
    deleted = await Privacy(host.service).delete(MIRA)
    assert set(deleted.messages) == {(row["channel"], row["message"]) for row in mine}
    assert deleted.seats >= 5


async def test_a_hand_that_comes_while_a_person_is_deleted_is_named_as_well(
    host: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, leave = await open_(host, OTTO, MIRA), host.service.leave

    async def meanwhile(number: int, user: int) -> Table:
        left = await leave(number, user)
        await host.store.set_message(table, Message("hand/1", 71, 1001, 1, 1))
        return left

    monkeypatch.setattr(host.service, "leave", meanwhile)
    assert (await Privacy(host.service).delete(MIRA)).messages == ((71, 1001),)


async def test_the_tables_of_a_deleted_person_go_on_for_the_others(host: Hosting) -> None:
    lives = await Lives(host).live()
    await Privacy(host.service).delete(MIRA)
    live = await host.service.table(lives.tables["live"])
    seat = live.seats[1]
    assert (live.stage, seat.name, seat.user, seat.skill) == ("live", "Player 2", None, 1)
    assert live.seats[0].user == OTTO
    over = await host.service.table(lives.tables["over"])
    assert over.seats[0].name == "Player 1"
    assert over.seats[0].forgotten
    assert over.seats[0].person  # it was no automaton's game
    assert (await host.service.table(lives.tables["alone"])).stage == "over"
    assert (await host.service.table(lives.tables["lobby alone"])).stage == "over"
    lobby = await host.service.table(lives.tables["lobby"])
    assert [(other.user, other.name) for other in lobby.seats] == [(OTTO, OTTOS_NAME)]
    assert lobby.opener == OTTO
    assert (await host.service.table(lives.tables["paused"])).paused_at is not None
    await seal(host, lives.tables["live"], 0, OTTO)


async def test_nobody_is_forgotten_at_a_table_that_goes_on(host: Hosting, tmp_path: Path) -> None:
    """A negative user would be taken for a person who can be called, sent a hand or asked for a vote."""
    await Lives(host).live()
    await Privacy(host.service).delete(MIRA)
    stages = {row[0]: row[3] for row in dump(tmp_path / "tables.db")["tables"]}
    for table, _, user, *_ in dump(tmp_path / "tables.db")["seats"]:
        assert user is None or user > 0 or stages[table] == "over"


async def test_who_sits_down_while_being_deleted_is_deleted_all_the_same(
    host: Hosting, tmp_path: Path
) -> None:
    live = await open_(host, OTTO, MIRA)
    lobby = await open_(host, OTTO, MIRA, begun=False)
    await host.store.forget(MIRA)  # without having left: as if somebody had come back in between
    assert list(mentions(tmp_path / "tables.db", MIRA, MIRAS_NAME)) == []
    for table in (live, lobby):
        seats = (await host.service.table(table)).seats
        assert [(seat.user, seat.skill) for seat in seats] == [(OTTO, None), (None, 1)]
    assert await host.store.nearest("wake") is not None  # the clock asks the automaton


async def test_the_host_learns_of_seats_that_have_no_name_any_more(host: Hosting) -> None:
    left = await open_(host, MIRA, OTTO)
    await host.service.leave(left, MIRA)
    assert (await host.service.sitting(left)).seat_of(MIRA) is not None
    host.heard.clear()
    await Privacy(host.service).delete(MIRA)
    assert (await host.service.sitting(left)).seat_of(MIRA) is None
    assert {committed.table for committed in host.heard} == {left}


async def test_deleting_again_and_deleting_nobody_change_nothing(host: Hosting, tmp_path: Path) -> None:
    await Lives(host).live()
    privacy = Privacy(host.service)
    await privacy.delete(MIRA)
    before = dump(tmp_path / "tables.db")
    deleted = await privacy.delete(MIRA)
    assert (deleted.seats, deleted.messages) == (0, ())
    assert dump(tmp_path / "tables.db") == before


async def test_two_deletions_at_once_end_as_one(host: Hosting, tmp_path: Path) -> None:
    await Lives(host).live()
    privacy = Privacy(host.service)
    await asyncio.gather(privacy.delete(MIRA), privacy.delete(MIRA), privacy.delete(OTTO))
    for user, name in NAMES.items():
        assert list(mentions(tmp_path / "tables.db", user, name)) == []


async def test_a_forgotten_person_comes_back_as_somebody_new(host: Hosting) -> None:
    lives = await Lives(host).live()
    privacy = Privacy(host.service)
    await privacy.delete(MIRA)
    await host.service.join(lives.tables["lobby"], MIRA, MIRAS_NAME)
    assert await host.store.seats_of(MIRA) == ((lives.tables["lobby"], 1),)
    await privacy.delete(MIRA)
    assert await host.store.stored_of(MIRA) == {}


async def test_several_forgotten_people_of_one_table_stay_apart(host: Hosting) -> None:
    lives = await Lives(host).live()
    privacy = Privacy(host.service)
    await privacy.delete(MIRA)
    await privacy.delete(OTTO)
    seats = (await host.service.table(lives.tables["over"])).seats
    assert [seat.name for seat in seats] == ["Player 1", "Player 2"]
    assert len({seat.user for seat in seats}) == 2


async def test_a_report_holds_no_name_and_no_id(host: Hosting) -> None:
    """Reports are logs of a table; they stay on the host's disk when a person is deleted."""
    lives = await Lives(host).live()
    log = written(await host.service.export(lives.tables["over"]))
    for user, name in NAMES.items():
        assert str(user).encode() not in log
        assert name.encode() not in log


# The page


async def test_every_column_that_names_a_person_is_told_of_on_the_page(host: Hosting, tmp_path: Path) -> None:
    """Found in a database in which everything is stored, so that a column added later cannot be left out."""
    await Lives(host).live()
    found = set()
    with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
        for table, rows in dump(tmp_path / "tables.db").items():
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            for row in rows:
                for column, value in zip(columns, row, strict=True):
                    if value in (MIRA, MIRAS_NAME):
                        found.add(f"{table}.{column}")
    assert found == {"seats.user", "seats.name", "tables.opener", "moves.user", "notices.user"}
    assert set(re.findall(r"`(\w+\.\w+)`", PAGE.read_text("utf-8"))) == found


async def test_every_table_of_the_database_that_is_about_people_is_exported(
    host: Hosting, tmp_path: Path
) -> None:
    sections = {"moves": "moves_made", "messages": "private_messages", "tables": "tables_opened"}
    with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            if columns & {"user", "seat", "audience", "opener"}:
                assert sections.get(table, table) in SECTIONS


def test_the_page_names_every_section_of_an_export() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)) == SECTIONS.keys()


def test_the_page_keeps_to_what_the_code_does() -> None:
    page = PAGE.read_text("utf-8")
    (days,) = set(re.findall(r"(\d+) days", page))
    assert int(days) * 86_400_000 == KEPT
    intents = Wordmoot(Settings(token="none", _env_file=None), shard_count=1).intents
    assert not intents.message_content
    assert not intents.members
    assert not intents.presences
    assert "message content intent" in page
    for command in ("/settings privacy", "/settings server", "/dungeon scores", "/table log"):
        assert command in page


def test_a_line_of_the_log_holds_a_person_s_id_only_where_the_page_says_so() -> None:
    """``ready`` names the bot itself."""
    root = PAGE.parent
    found = set()
    for file in (
        *root.glob("bot/*.py"),
        *root.glob("bot/tables/*.py"),
        *root.glob("bot/store/*.py"),
        *root.glob("cogs/*.py"),
    ):
        for event, given in re.findall(
            r'log\.\w+\(\s*"([^"]+)"(.*?)\)\n', file.read_text("utf-8"), re.DOTALL
        ):
            if re.search(r"\b(user|by|author|person|name)=", given):
                found.add(event)
    assert found == {"hand_closed", "ready"}
    assert "only when Discord refused a private message" in PAGE.read_text("utf-8")
