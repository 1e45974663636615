"""Bad days of Discord's, on a real wire: what a player sees, and that nothing is lost.

| Bad day | Test |
|---|---|
| 429 with Retry-After | `test_rate_limits_of_boards_hands_answers_and_follow_ups_are_waited_out` |
| Rate-limit buckets | `test_the_bot_keeps_within_discords_buckets` |
| 5xx | `test_a_bad_gateway_delays_an_answer_and_a_board` |
| 5xx or a cut line, carried out all the same | `test_what_was_posted_is_not_posted_twice`, `test_an_answer_that_was_lost_is_neither_doubled_nor_reported` |
| Dropped sockets with RESUME | `test_bot.test_a_dropped_socket_is_resumed_and_the_game_goes_on` |
| Dropped sockets without RESUME | `test_a_gap_without_resume_gives_its_time_back_once` |
| Duplicated events | `test_a_press_that_comes_twice_is_played_once`, `test_a_command_that_comes_twice_runs_once` |
| Late events | `test_a_press_that_comes_too_late_counts_and_is_no_fault` |
| Deleted messages | `test_a_deleted_board_is_posted_anew_at_once`, `test_a_purge_takes_no_board_for_long`, `test_a_deleted_hand_comes_again`, `test_a_board_that_is_always_deleted_is_given_up_for_a_while` |
| Deleted channels | `test_a_deleted_channel_is_left_alone_and_people_are_told`, `test_who_asks_where_the_channel_was_deleted_is_told_that_nobody_is_asked` |
| Deleted threads | `test_a_deleted_thread_sends_its_board_to_the_channel` |
| Deleted roles, lost permissions | `test_a_channel_that_is_closed_to_the_bot_is_not_asked_again`, `test_a_role_that_is_taken_and_given_back` |
| An archived thread | `test_an_archived_thread_is_opened_again`, `test_questions_and_nudges_open_an_archived_thread_again`, `test_a_locked_thread_is_left_alone_until_it_is_unlocked` |
| A board older than an hour | `test_a_board_is_posted_anew_before_it_is_an_hour_old`, `test_a_board_that_discord_calls_too_old_is_posted_anew` |
| The bot removed and invited again | `test_removal.py` |
| An outage | `test_removal.py` |
| Members who leave | `test_who_leaves_is_replaced_and_the_game_goes_on` |
| DMs closed between two turns | `test_private_messages_closed_and_opened_again` |
| The database locked | `test_bad_disk.py` |
| The disk full | `test_bad_disk.py` |
| A corrupt row | `test_bad_disk.py` |
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from bot.loopback.model import Permission
from bot.loopback.snowflake import wall_ms
from bot.tables.publisher import HEALING
from tests.wire.house import PLAYERS, House, Table, house_of

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

POSTS, EDITS = "/channels/*/messages", "/channels/*/messages/*"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: Any) -> AsyncIterator[House]:
    async with house_of(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(autouse=True)
def _all_is_well_again(house: House) -> Iterator[None]:
    yield
    house.here.faults.clear()
    rules = house.here.world.rules
    rules.answer_seconds, rules.old_edits, rules.rate_limits = 3.0, 5, False
    assert not house.reports(), "the bot takes a bad day for a fault of its own"


async def settled(house: House, table: Table) -> None:
    """Wait until the board shows the last commit."""
    await house.until(table.board_shows_all)


# Requests that fail


async def test_rate_limits_of_boards_hands_answers_and_follow_ups_are_waited_out(house: House) -> None:
    table = await house.table()
    faults = [
        house.here.faults.add(method, path, status=429, retry_after=0.2)
        for method, path in (
            ("PATCH", EDITS),
            ("POST", f"/channels/{house.here.person('Ada').dm().id}/messages"),
            ("POST", "/interactions/*/callback"),
            ("POST", "/webhooks/*"),
        )
    ]
    house.here.world.delete(table.hand("Ada"))
    answer = await table.give("Ben")
    assert not answer.failed
    house.here.world.close_dms("Cleo")
    await table.says("Waiting for Ada and Cleo")
    await settled(house, table)
    await house.until(lambda: "Your rack" in table.hand("Ada").text)
    house.here.world.open_dms("Cleo")
    struck = [fault.struck for fault in faults]
    assert struck[:3] == [1, 1, 1]


async def test_the_bot_keeps_within_discords_buckets(house: House) -> None:
    """Ten changes of one board in a moment: all are shown in the end, and Discord has nothing to refuse."""
    table = await house.table(start=False)
    house.here.world.rules.rate_limits = True
    since = house.now()
    for _ in range(4):
        for label in ("Seat an automaton", "Take an automaton away"):
            await _toggle(table, label)
            await settled(house, table)
    edits = house.asked(table.where, since=since)
    assert len(edits) > 5, "one bucket is not enough for them"
    assert not [one for one in edits if one.status == 429]


async def _toggle(table: Table, label: str) -> None:
    person = table.house.here.person("Ada")
    board = table.board()
    if label in board.labels:
        await person.click(board, label=label)
        return
    menu = next(key for key in board.custom_ids if ":automaton:" in key)
    await person.select(board, "1", custom_id=menu)


async def test_a_bad_gateway_delays_an_answer_and_a_board(house: House) -> None:
    table = await house.table()
    rack = await table.rack("Ada")
    house.here.faults.add("POST", "/interactions/*/callback", status=502)
    house.here.faults.add("PATCH", EDITS, status=503, times=2)
    key = next(key for key in rack.custom_ids if ":give:" in key)
    answer = await house.here.person("Ada").click(rack, custom_id=key)
    assert not answer.failed
    await table.says("Waiting for Ben and Cleo")
    await settled(house, table)


@pytest.mark.parametrize("how", [{"status": 500}, {"status": 503}, {"cut": True}], ids=["500", "503", "cut"])
async def test_what_was_posted_is_not_posted_twice(house: House, how: dict[str, Any]) -> None:
    table = await house.table()
    fault = house.here.faults.add("POST", f"/channels/{table.where}/messages", lost=True, **how)
    old = table.board()
    house.here.world.delete(old)
    await house.until(lambda: fault.struck)
    await table.give("Ada")  # a commit between the two tries
    await settled(house, table)
    await table.says("Waiting for Ben and Cleo")
    assert len(table.boards()) == 1


@pytest.mark.parametrize("how", [{"status": 500}, {"status": 503}, {"cut": True}], ids=["500", "503", "cut"])
@pytest.mark.parametrize("lost", [True, False], ids=["arrived", "lost"])
async def test_an_answer_that_was_lost_is_neither_doubled_nor_reported(
    house: House, how: dict[str, Any], lost: bool
) -> None:
    table = await house.table()
    house.here.faults.add("POST", "/interactions/*/callback", lost=lost, **how)
    answer = await house.here.person("Ada").slash("#lobby", "table hand", table=table.number)
    await house.until(lambda: answer.message is not None)
    assert not answer.failed
    assert "Your rack" in answer.text
    second = await table.give("Ada")
    assert not second.failed
    assert table.sealed() == ["Ada"]
    assert not answer.followups


# The gateway


async def test_a_gap_without_resume_gives_its_time_back_once(house: House) -> None:
    table = await house.table()
    gateway = house.here.gateway

    def lost() -> int:
        return int(table.row("SELECT lost FROM tables")[0])

    before, begun, identified = lost(), wall_ms(), gateway.identified
    await gateway.drop(4000, resumable=False)
    await house.until(lambda: gateway.identified > identified)
    await house.until(lambda: lost() > before)
    given = lost() - before
    assert given <= wall_ms() - begun
    resumed = gateway.resumed
    await gateway.drop(4000, resumable=True)
    await house.until(lambda: gateway.resumed > resumed)
    await table.give("Ada")
    assert table.sealed() == ["Ada"]
    assert lost() == before + given


@pytest.mark.parametrize("how", ["at once", "later"])
async def test_a_press_that_comes_twice_is_played_once(house: House, how: str) -> None:
    table = await house.table()
    rack = await table.rack("Ada")
    key = next(key for key in rack.custom_ids if ":give:" in key)
    since = house.now()
    if how == "at once":
        house.here.gateway.duplicate("INTERACTION_CREATE")
    answer = await house.here.person("Ada").click(rack, custom_id=key)
    if how == "later":
        house.here.gateway.repeat("INTERACTION_CREATE")
    await table.says("Waiting for Ben and Cleo")
    assert not answer.failed
    assert "moved on" not in answer.text
    assert not answer.followups
    assert (table.seq(), table.sealed()) == (1, ["Ada"])
    assert not [one for one in list(house.here.world.exchanges)[since:] if one.code == 40060]


async def test_a_command_that_comes_twice_runs_once(house: House) -> None:
    table = await house.table()
    house.here.gateway.duplicate("INTERACTION_CREATE")
    await house.here.person("Ada").slash("#lobby", "play defenders")
    await house.here.person("Ben").slash("#lobby", "table hand", table=table.number)
    with house.database() as found:
        opened = found.execute("SELECT count(*) FROM tables WHERE id > ?", (table.number,)).fetchone()[0]
    assert opened == 1


async def test_a_press_that_comes_too_late_counts_and_is_no_fault(house: House) -> None:
    table = await house.table()
    rack = await table.rack("Ada")
    key = next(key for key in rack.custom_ids if ":give:" in key)
    house.here.world.rules.answer_seconds = 0.2
    house.here.gateway.delay("INTERACTION_CREATE", 0.4)
    late = await house.here.person("Ada").click(rack, custom_id=key)
    house.here.world.rules.answer_seconds = 3.0
    assert late.failed, "this is what Ada sees"
    await house.until(lambda: table.sealed() == ["Ada"])
    await table.says("Waiting for Ben and Cleo")
    assert "You contributed" in (await table.rack("Ada")).text
    assert table.seq() == 1


# What is deleted


async def test_a_deleted_board_is_posted_anew_at_once(house: House) -> None:
    table = await house.table()
    old = table.board()
    house.here.person("Ada").delete(old)
    await house.until(lambda: table.boards() and table.board() is not old)
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")
    assert len(table.boards()) == 1


async def test_a_purge_takes_no_board_for_long(house: House) -> None:
    table = await house.table()
    await house.here.person("Ben").say(table.place, "Hello.")
    world = house.here.world
    world.purge([said for said in world.messages[table.where].values() if not said.ephemeral])
    await house.until(table.boards)
    await table.says("Waiting for Ada, Ben and Cleo")


async def test_a_deleted_hand_comes_again(house: House) -> None:
    table = await house.table()
    old = table.hand("Ben")
    house.here.world.delete(old)
    await house.until(
        lambda: table.row("SELECT message FROM messages WHERE audience = 'hand/1'")[0] != int(old.id)
    )
    assert "Your rack" in table.hand("Ben").text


async def test_a_board_that_is_always_deleted_is_given_up_for_a_while(house: House) -> None:
    table = await house.table()
    since = house.now()
    stop = house.here.world.sweep(table.where)
    house.here.world.delete(table.board())
    await house.until(lambda: "deletes my boards" in str(table.boards()) or _posts(house, table, since) == 3)
    await house.until(lambda: not table.boards())
    for name in ("Ada", "Ben"):
        await table.give(name)
    told = [await house.told(table, name) for name in ("Cleo", "Cleo")]
    stop()
    assert "deletes my boards" in told[0]
    assert "deletes my boards" not in told[1]
    assert _posts(house, table, since) == 3
    assert table.sealed() == ["Ada", "Ben"]


def _posts(house: House, table: Table, since: int) -> int:
    return len(house.asked(table.where, "POST", since))


async def test_a_deleted_channel_is_left_alone_and_people_are_told(house: House) -> None:
    table = await house.table()
    since = house.now()
    house.here.world.delete_channel(table.where)
    for name in ("Ada", "Ben"):
        await table.give(name)
    told = [await house.told(table, "Cleo"), await house.told(table, "Cleo")]
    assert table.sealed() == ["Ada", "Ben"]
    assert "channel of your table was deleted" in told[0]
    assert "was deleted" not in told[1]
    assert not house.asked(table.where, since=since)
    await house.until(lambda: "You contributed" in table.hand("Ada").text)


async def test_a_deleted_thread_sends_its_board_to_the_channel(house: House) -> None:
    table = await house.table(thread=True)
    world = house.here.world
    home = world.channels[table.place.parent or ""]
    world.delete_channel(table.where)
    table.place = home
    await house.until(table.boards)
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")


# What the bot may not do


async def test_a_channel_that_is_closed_to_the_bot_is_not_asked_again(house: House) -> None:
    table = await house.table()
    world = house.here.world
    world.allow(table.where, world.bot.id, Permission.VIEW_CHANNEL, deny=True)
    since = house.now()
    await table.give("Ada")
    await house.until(lambda: [one for one in house.asked(table.where, since=since) if one.code == 50001])
    await table.give("Ben")
    told = [await house.told(table, "Cleo"), await house.told(table, "Cleo")]
    assert "I lack View Channel" in told[0]
    assert "I lack" not in told[1]
    assert len(house.asked(table.where, since=since)) == 1
    world.allow(table.where, world.bot.id, Permission.VIEW_CHANNEL)
    await table.says("Waiting for Cleo")
    assert len(table.boards()) == 1


async def test_a_role_that_is_taken_and_given_back(house: House) -> None:
    table = await house.table()
    world = house.here.world
    speak = Permission.SEND_MESSAGES
    role = world.create_role("Game bots", members=[world.bot.id])
    world.allow(table.where, "everyone", speak, deny=True)
    world.allow(table.where, "Game bots", speak)
    old = table.board()
    world.delete(old)
    await house.until(table.boards)
    world.delete_role("Game bots")
    since = house.now()
    world.delete(table.board())
    await house.until(lambda: [one for one in house.asked(table.where, since=since) if one.code == 50013])
    await table.give("Ada")
    assert "Send Messages" in await house.told(table, "Cleo")
    assert _posts(house, table, since) == 1
    role = world.create_role("Game bots", members=[world.bot.id])
    world.allow(table.where, role.name, speak)
    await house.until(table.boards)
    await table.says("Waiting for Ben and Cleo")
    world.delete_role("Game bots")


async def test_an_archived_thread_is_opened_again(house: House) -> None:
    table = await house.table(thread=True)
    house.here.world.archive_thread(table.where)
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")
    assert not table.place.archived
    house.here.world.archive_thread(table.where)
    house.here.world.delete(table.board())
    await house.until(table.boards)


async def test_questions_and_nudges_open_an_archived_thread_again(house: House) -> None:
    table = await house.table(thread=True)
    ben, world = house.here.person("Ben"), house.here.world
    commands: list[tuple[str, dict[str, Any], str]] = [
        ("table replace", {"player": "Ada"}, "Shall an automaton play for Ada"),
        ("table nudge", {}, "Ben asks you to go on"),
        ("table pause", {}, "Ben paused the table"),
    ]
    for command, options, said in commands:
        world.archive_thread(table.where)
        await ben.slash("#lobby", command, table=table.number, **options)
        await house.until(lambda said=said: any(said in one.text for one in table.said()))
    world.archive_thread(table.where)
    card = next(one for one in table.said() if "Shall an automaton play for Ada" in one.text)
    await ben.slash("#lobby", "table resume", table=table.number)
    await house.here.person("Cleo").click(card, label="Disagree")
    await house.until(lambda: "Cleo does not agree" in card.text)


async def test_a_locked_thread_is_left_alone_until_it_is_unlocked(house: House) -> None:
    table = await house.table(thread=True)
    world = house.here.world
    world.lock_thread(table.where)
    await table.give("Ada")
    await house.until(lambda: [one for one in house.asked(table.where, "PATCH") if one.status == 403])
    since = house.now()
    await table.give("Ben")
    assert "locked" in await house.told(table, "Cleo")
    assert not house.asked(table.where, since=since)
    world.change_channel(table.place, {"locked": False, "archived": False})
    await table.says("Waiting for Cleo")


async def test_a_board_is_posted_anew_before_it_is_an_hour_old(house: House) -> None:
    table = await house.table()
    old = table.board()
    with contextlib.closing(sqlite3.connect(house.data / "wordmoot.db")) as database, database:
        database.execute(
            "UPDATE messages SET posted_at = posted_at - 51 * 60000 WHERE tbl = ?", (table.number,)
        )
    await table.give("Ada")
    await house.until(lambda: table.board() is not old)
    await table.says("Waiting for Ben and Cleo")
    await house.until(lambda: "goes on below" in old.text)
    assert len(table.boards()) == 1


async def test_a_board_that_discord_calls_too_old_is_posted_anew(house: House) -> None:
    """The bot's own watch was wrong, so Discord has to say it (30046, with a wait of a minute)."""
    table = await house.table()
    old = table.board()
    house.here.world.rules.old_edits = 0
    house.here.world.age(old, minutes=61)
    await table.give("Ada")
    await house.until(lambda: table.board() is not old)
    await table.says("Waiting for Ben and Cleo")


# A start


async def test_a_start_sends_only_what_is_due(house: House) -> None:
    """One table lags by something that shows nowhere, one by a board that says less than it should."""
    same, lagging, other = await house.table(), await house.table(), await house.table()
    await house.process.kill()
    with contextlib.closing(sqlite3.connect(house.data / "wordmoot.db")) as database, database:
        database.execute("UPDATE tables SET revision = revision + 1 WHERE id = ?", (same.number,))
        database.execute(
            "UPDATE messages SET shown = 0, digest = '' WHERE tbl = ? AND audience = 'board'",
            (lagging.number,),
        )
    since = house.now()
    await house.process.start()
    await house.process.ready()
    await house.until(lambda: same.board_shows_all() and lagging.board_shows_all())
    assert [one.method for one in house.asked(lagging.where, since=since)] == ["PATCH"]
    dms = [house.here.person(name).dm().id for name in PLAYERS]
    for place in (same.where, other.where, *dms):
        assert not house.asked(place, since=since)


async def test_a_start_shows_few_tables_at_once_and_a_move_waits_for_none_of_them(house: House) -> None:
    lobbies = [await house.table("Ada", start=False) for _ in range(HEALING + 4)]
    table = await house.table()
    await house.process.kill()
    with contextlib.closing(sqlite3.connect(house.data / "wordmoot.db")) as database, database:
        database.executemany(
            "UPDATE messages SET shown = 0, digest = '' WHERE tbl = ?", [(one.number,) for one in lobbies]
        )
    slow = [house.here.faults.add("PATCH", f"/channels/{one.where}/*", delay=1.0) for one in lobbies]
    since = house.now()
    await house.process.start()
    await house.process.ready()
    await house.until(lambda: sum(fault.struck for fault in slow) == HEALING)
    await table.give("Ada")
    await table.says("Waiting for Ben and Cleo")
    most = 0

    def all_shown() -> bool:
        nonlocal most
        shown = sum(len(house.asked(one.where, "PATCH", since)) for one in lobbies)
        most = max(most, sum(fault.struck for fault in slow) - shown)
        return all(one.board_shows_all() for one in lobbies)

    await house.until(all_shown)
    assert most <= HEALING


# People


async def test_who_leaves_is_replaced_and_the_game_goes_on(house: House) -> None:
    table = await house.table()
    house.here.person("Cleo").leave_guild()
    try:
        for name in ("Ada", "Ben"):
            await table.give(name)
        house.here.world.delete(table.hand("Cleo"))
        await house.until(
            lambda: [one for one in house.asked(house.here.person("Cleo").dm().id) if one.code == 50278]
        )
        assert table.sealed() == ["Ada", "Ben"]
        await house.here.person("Ben").slash("#lobby", "table replace", player="Cleo", table=table.number)
        question = await house.until(
            lambda: next((one for one in table.said() if "Agree" in one.labels), None)
        )
        await house.here.person("Ada").click(question, label="Agree")
        await table.says("Form a word")
    finally:
        house.here.person("Cleo").join_guild()


async def test_private_messages_closed_and_opened_again(house: House) -> None:
    table = await house.table()
    ada = house.here.person("Ada")
    old = table.hand("Ada")
    ada.close_dms()
    house.here.world.delete(old)
    await house.until(lambda: [one for one in house.asked(ada.dm().id) if one.code == 50007])
    told = [await house.told(table, "Ada"), await house.told(table, "Ada")]
    assert "cannot send you private" in told[0]
    assert "cannot send you private" not in told[1]
    await table.give("Ada")
    ada.open_dms()
    await house.until(
        lambda: table.row("SELECT message FROM messages WHERE audience = 'hand/0'")[0] != int(old.id)
    )
    assert "You contributed" in table.hand("Ada").text


# Questions and deletions: what they leave behind would be sent at a start


async def test_who_asks_where_the_channel_was_deleted_is_told_that_nobody_is_asked(house: House) -> None:
    table = await house.table()
    house.here.world.delete_channel(table.where)
    ben = house.here.person("Ben")
    refused = await ben.slash("#lobby", "table replace", table=table.number, player="Ada")
    assert "I could not ask the others" in refused.text
    panel = await ben.slash("#lobby", "table end", table=table.number)
    assert panel.message is not None
    await ben.click(panel.message, label="End the table")
    await house.until(lambda: "I could not ask the others" in panel.text)
    for name in ("Ada", "Cleo"):
        panel = await house.here.person(name).slash("#lobby", "table end", table=table.number)
        assert panel.message is not None
        await house.here.person(name).click(panel.message, label="End the table")
    await house.until(lambda: table.row("SELECT stage FROM tables")[0] == "over")


async def test_what_is_deleted_with_a_persons_data_does_not_come_again(house: House) -> None:
    ben = house.here.person("Ben")
    kept = house.here.world.messages.setdefault(ben.dm().id, {})
    strays = set(kept)  # of the tests before, in which Discord has lost answers
    for delay in (0.0, 0.1, 0.3):
        table = await house.table()
        panel = await ben.slash("#lobby", "settings privacy")
        assert panel.message is not None
        sure = await ben.click(panel.message, label="Delete")
        assert sure.message is not None
        await table.give("Ben")
        await asyncio.sleep(delay)
        await ben.click(sure.message, label="Delete everything")
        await house.until(lambda: all(one.ephemeral for key, one in kept.items() if key not in strays))
        await settled(house, table)
        await asyncio.sleep(0.5)
        assert all(one.ephemeral for key, one in kept.items() if key not in strays)
        assert table.row("SELECT count(*) FROM messages WHERE audience = 'hand/1'")[0] == 0
