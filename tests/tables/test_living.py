"""Tables that live on: taking back to an earlier move, rematches, words of a server, damaged records, absent bots."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.games.game import IllegalMove
from bot.games.log import parsed, replayed, written
from bot.store.database import StoreError
from bot.store.store import Store
from bot.tables.boards import RESUME, board_of, hand_of
from bot.tables.face import Panel
from bot.tables.outages import Outages
from bot.tables.servers import KEPT, Presence, Servers, ServerSettings
from bot.tables.table import Aside, NotLive, Stale, Table, Unreadable
from tests.games.toy import SEAL_TIME, TOY, Seal, Spell, Stake
from tests.tables.hosting import ADA, BEN, CHANNEL, CLEO, GUILD, STRANGER, Hosting


async def sealed(host: Hosting, table: int) -> None:
    """Let both seal, so that the stakes begin (what was turned up stays)."""
    for seat, user in ((0, ADA), (1, BEN)):
        await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)


# Taking back to an earlier move


async def test_all_moves_after_one_are_taken_back_the_newest_first(host: Hosting) -> None:
    table = await host.live()
    await sealed(host, table)
    assert await host.service.revocable(table) == 2
    before = await host.state(table)
    await host.service.play(table, 0, Spell("AB"), by=ADA)
    await host.service.play(table, 0, Stake(1), by=ADA)
    await host.service.play(table, 1, Spell("XX"), by=BEN)
    assert await host.service.revocable(table) == 2
    done = await host.service.rewind(table, 2, BEN)
    assert [committed.undone for committed in done] == [5, 4, 3]
    assert await host.state(table) == before
    assert [move.undone for move in await host.service.history(table, 5)] == [5, 4, 3]
    log = parsed(written(await host.service.export(table)))
    assert TOY.states.dump(list(replayed(TOY, log, host.lexicon))[-1].state) == before


async def test_nothing_is_taken_back_past_what_came_to_light(host: Hosting) -> None:
    table = await host.live()
    await sealed(host, table)
    await host.service.play(table, 0, Stake(0), by=ADA)
    before = await host.state(table)
    with pytest.raises(IllegalMove, match="came to light"):
        await host.service.rewind(table, 1, ADA)
    assert await host.state(table) == before
    assert (await host.service.table(table)).seq == 3
    with pytest.raises(IllegalMove, match="Nothing has been played"):
        await host.service.rewind(table, 3, ADA)


async def test_what_was_taken_back_already_is_not_taken_back_again(host: Hosting) -> None:
    table = await host.live()
    await sealed(host, table)
    await host.service.play(table, 0, Spell("AB"), by=ADA)
    await host.service.undo(table, 0, ADA)
    before = await host.state(table)
    await host.service.play(table, 0, Stake(0), by=ADA)
    done = await host.service.rewind(table, 2, ADA)
    assert [committed.undone for committed in done] == [5]
    assert await host.state(table) == before


async def test_an_agreement_to_go_back_is_void_once_somebody_has_moved(host: Hosting) -> None:
    table = await host.live()
    await sealed(host, table)
    agreed = await host.service.play(table, 0, Spell("AB"), by=ADA)
    await host.service.play(table, 0, Stake(1), by=ADA)
    with pytest.raises(Stale):
        await host.service.rewind(table, 2, ADA, last=agreed.seq)
    assert len(await host.service.rewind(table, 2, ADA, last=agreed.seq + 1)) == 2


async def test_a_move_says_whether_it_can_be_taken_back(host: Hosting) -> None:
    table = await host.live()
    first = await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    second = await host.service.play(table, 1, Seal(await host.card(table, 1)), by=BEN)
    assert (first.undo, second.undo) == ("own", "never")


async def test_a_player_whom_the_server_lets_decide_ends_a_table_alone(host: Hosting) -> None:
    table = await host.live()
    await host.service.end(table, ADA, alone=True)
    assert (await host.service.table(table)).stage == "over"


# Rematches


async def over(host: Hosting, automata: tuple[int, ...] = ()) -> int:
    table = await host.live(automata=automata)
    await host.service.end(table)
    return table


async def test_all_who_want_a_rematch_meet_in_one_lobby(host: Hosting) -> None:
    table = await over(host, automata=(2,))
    first, second = await asyncio.gather(
        host.service.rematch(table, ADA, "Ada"), host.service.rematch(table, BEN, "Ben")
    )
    assert first.id == second.id
    lobby = await host.service.table(first.id)
    assert (lobby.stage, lobby.follows, lobby.place) == ("lobby", table, CHANNEL)
    assert {seat.user for seat in lobby.persons} == {ADA, BEN}
    assert [seat.skill for seat in lobby.automata] == [2]
    assert (await host.service.rematch(table, ADA, "Ada")).id == lobby.id


async def test_a_rematch_is_for_those_who_played_and_comes_after_the_end(host: Hosting) -> None:
    table = await host.live()
    with pytest.raises(IllegalMove, match="not over yet"):
        await host.service.rematch(table, ADA, "Ada")
    await host.service.end(table)
    with pytest.raises(IllegalMove, match="did not sit"):
        await host.service.rematch(table, STRANGER, "Stan")
    lobby = await host.service.rematch(table, ADA, "Ada")
    await host.service.join(lobby.id, CLEO, "Cleo")
    await host.service.start(lobby.id, ADA)
    with pytest.raises(IllegalMove, match="has begun"):
        await host.service.rematch(table, BEN, "Ben")
    await host.service.end(lobby.id)
    assert (await host.service.rematch(table, BEN, "Ben")).id != lobby.id


# A server's words


async def test_a_servers_words_are_fixed_at_the_deal(tmp_path: Path) -> None:
    words: dict[str, bool] = {"XX": True, "AB": False}

    async def dictionary(guild: int) -> Mapping[str, bool]:
        assert guild == GUILD
        return dict(words)

    host = await Hosting.at(tmp_path, dictionary=dictionary)
    try:
        table = await host.live()
        words.clear()
        await sealed(host, table)
        assert (await host.service.play(table, 0, Spell("XX"), by=ADA)).events[0].legal
        await host.service.play(table, 0, Stake(0), by=ADA)
        reborn = Hosting(host.store, dictionary=dictionary)  # another process
        assert not (await reborn.service.play(table, 1, Spell("AB"), by=BEN)).events[0].legal
        assert await reborn.service.known(table) == {"XX": True, "AB": False}
        log = await host.service.export(table)
        assert log.words == {"XX": True, "AB": False}
        again = list(replayed(TOY, parsed(written(log)), host.lexicon))
        assert TOY.states.dump(again[-1].state) == await host.state(table)
        other = await host.live()
        assert await host.service.known(other) == {}
    finally:
        await host.store.close()


async def test_settings_change_one_field_at_a_time_and_outlive_the_process(host: Hosting) -> None:
    servers = Servers(host.store, lambda: ["DARN"])
    await asyncio.gather(
        servers.change(GUILD, pace="slow"), servers.change(GUILD, barred=("AB",), added=("XX",))
    )
    again = Servers(host.store, lambda: ["DARN"])
    assert await again.of(GUILD) == ServerSettings(pace="slow", barred=("AB",), added=("XX",))
    assert await again.of(GUILD + 1) == await again.of(None) == ServerSettings()
    assert await again.dictionary(GUILD) == {"AB": False, "XX": True}
    await again.change(GUILD, mild=True)
    assert await again.dictionary(GUILD) == {"AB": False, "DARN": False, "XX": True}


# Damaged records


async def test_a_damaged_state_sets_its_table_aside_and_the_others_go_on(tmp_path: Path) -> None:
    reports: list[tuple[int, str]] = []

    async def damaged(table: int, error: Exception) -> str:
        reports.append((table, type(error).__name__))
        return "c0de"

    host = await Hosting.at(tmp_path, damaged=damaged)
    try:
        sick, sound = await host.live(), await host.live()
        await host.store._write(
            lambda db: db.execute("UPDATE states SET state = X'00' WHERE tbl = ?", (sick,))
        )
        reborn = Hosting(host.store, damaged=damaged)
        reborn.sleep(SEAL_TIME)
        for _ in range(2):
            with pytest.raises(Aside, match="code c0de"):
                await reborn.service.look(sick, None)
        assert len(reports) == 1
        both = [Hosting(host.store, damaged=damaged).service.look(sick, None) for _ in range(2)]
        assert all(isinstance(one, Aside) for one in await asyncio.gather(*both, return_exceptions=True))
        assert len(reports) == 1
        with pytest.raises(Aside):
            await reborn.service.play(sick, 0, Stake(1), by=ADA)
        assert [table.id for table in await reborn.service.tables_of(ADA)] == [sound]
        assert [table.id for table in await reborn.service.live_tables(GUILD)] == [sound]
        assert await reborn.store.due_by(reborn.now()) == (sound,)
        assert await reborn.service.expire(sound) is not None
        assert await reborn.service.expire(sick) is None
    finally:
        await host.store.close()


async def test_damaged_options_are_found_when_tables_are_listed(tmp_path: Path) -> None:
    host = await Hosting.at(tmp_path)
    try:
        sick, sound = await host.live(), await host.live()
        await host.store._write(
            lambda db: db.execute("UPDATE tables SET options = '{\"pace\": 7}' WHERE id = ?", (sick,))
        )
        reborn = Hosting(Store(host.store._db))
        assert [table.id for table in await reborn.service.tables_of(ADA)] == [sound]
        with pytest.raises(Aside):
            await reborn.service.table(sick)
    finally:
        await host.store.close()


async def test_a_damaged_row_of_the_log_stops_the_telling_and_not_the_game(host: Hosting) -> None:
    table = await host.live()
    await sealed(host, table)
    await host.store._write(lambda db: db.execute("UPDATE moves SET move = X'00' WHERE seq = 1"))
    for asked in (host.service.history(table), host.service.rewind(table, 1), host.service.undo(table, 0)):
        with pytest.raises(Unreadable, match="cannot be read"):
            await asked
    await host.service.play(table, 0, Stake(0), by=ADA)
    assert [move.seq for move in await host.service.history(table, 1)] == [2, 3]


# A server that removes the bot


async def test_the_tables_of_a_server_that_removes_the_bot_stand_still_and_go_on(host: Hosting) -> None:
    servers = Servers(host.store, tuple)
    presence = Presence(host.service, servers)
    first, paused = await host.live(), await host.live()
    due = (await host.service.table(first)).due
    assert due is not None
    await host.service.pause(paused, ADA)
    host.sleep(1_000)
    await presence.left(GUILD)
    host.sleep(SEAL_TIME * 3)
    with pytest.raises(NotLive, match="paused"):
        await host.service.play(first, 0, Seal("A"), by=ADA)
    assert await host.store.left() == (GUILD,)
    await presence.joined(GUILD)
    assert (await host.service.table(first)).due == due + SEAL_TIME * 3
    assert (await host.service.table(first)).paused_at is None
    assert (await host.service.table(paused)).paused_at is not None
    assert await host.store.left() == ()
    await presence.joined(GUILD)  # a second event changes nothing


async def resumes(host: Hosting, table: int) -> list[bool]:
    """Return whether the board and a hand of a paused table offer to resume it; else they say that it goes on by itself."""
    face: Any = SimpleNamespace(board=lambda *_: Panel("Toy"), hand=lambda *_: Panel("Toy"))
    shown = (
        board_of(face, await host.service.look(table, None), ()),
        hand_of(face, await host.service.look(table, 0)),
    )
    offered = [any(RESUME in row for row in panel.rows if isinstance(row, tuple)) for panel in shown]
    assert offered == ["goes on by itself" not in panel.notes for panel in shown]
    return offered


@pytest.mark.parametrize("why", ["removed", "outage"])
async def test_who_moves_while_the_server_is_out_of_reach_is_told_so(host: Hosting, why: str) -> None:
    table, paused = await host.live(), await host.live()
    await host.service.pause(paused, ADA)
    host.sleep(1_000)
    outages, presence = Outages(host.service), Presence(host.service, Servers(host.store, tuple))
    await (outages.begin(GUILD) if why == "outage" else presence.left(GUILD))
    card = Seal(await host.card(table, 0))
    with pytest.raises(NotLive, match=r"cannot reach .* goes on by itself"):
        await host.service.play(table, 0, card, by=ADA)
    with pytest.raises(IllegalMove, match="goes on by itself"):
        await host.service.resume(table, ADA)
    with pytest.raises(NotLive, match="Press Resume"):
        await host.service.play(paused, 0, card, by=ADA)
    assert await resumes(host, table) == [False, False]
    assert await resumes(host, paused) == [True, True]
    await (outages.end(GUILD) if why == "outage" else presence.joined(GUILD))
    await host.service.play(table, 0, card, by=ADA)


@pytest.mark.parametrize("why", ["removed", "outage"])
async def test_a_table_paused_this_very_moment_keeps_no_other_running_in_an_outage(
    host: Hosting, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    paused, other = await host.live(), await host.live()
    live_tables = host.service.live_tables

    async def meanwhile(guild: int) -> tuple[Table, ...]:
        monkeypatch.undo()
        found = await live_tables(guild)
        await host.service.pause(paused, ADA)
        return found

    outages, presence = Outages(host.service), Presence(host.service, Servers(host.store, tuple))
    host.sleep(1_000)
    monkeypatch.setattr(host.service, "live_tables", meanwhile)
    await (outages.begin(GUILD) if why == "outage" else presence.left(GUILD))
    assert (await host.service.table(other)).paused_at == host.now()


@pytest.mark.parametrize("why", ["removed", "outage"])
async def test_an_outage_that_could_not_be_stored_whole_is_stored_the_next_time(
    host: Hosting, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    tables = [await host.live() for _ in range(2)]
    pause = host.service.pause

    async def full(table: int, *asked: Any, **how: Any) -> Table:
        if table == tables[1]:
            raise StoreError("The disk is full.")
        return await pause(table, *asked, **how)

    outages, presence = Outages(host.service), Presence(host.service, Servers(host.store, tuple))
    begin, end = (outages.begin, outages.end) if why == "outage" else (presence.left, presence.joined)
    monkeypatch.setattr(host.service, "pause", full)
    with pytest.raises(StoreError):
        await begin(GUILD)
    monkeypatch.undo()
    host.sleep(1_000)
    await begin(GUILD)
    assert all([(await host.service.table(table)).paused_at for table in tables])
    await end(GUILD)
    assert not any([(await host.service.table(table)).paused_at for table in tables])


async def test_what_happened_while_the_bot_was_down_is_learnt_at_the_start(host: Hosting) -> None:
    presence = Presence(host.service, Servers(host.store, tuple))
    table = await host.live()
    await presence.compare([])
    assert (await host.service.table(table)).paused_at is not None
    host.sleep(5_000)
    await presence.compare([])
    assert await host.store.left_at(GUILD) == host.now() - 5_000
    await presence.compare([GUILD, 77])
    assert (await host.service.table(table)).paused_at is None


async def test_the_data_of_a_server_is_deleted_thirty_days_after_it_removed_the_bot(host: Hosting) -> None:
    servers = Servers(host.store, tuple)
    presence = Presence(host.service, servers)
    table = await host.live()
    other = await host.service.open("toy", GUILD + 1, CHANNEL, CLEO, "Cleo")
    await servers.change(GUILD, pace="slow")
    await presence.left(GUILD)
    host.sleep(KEPT - 1)
    assert await presence.purge() == 0
    host.sleep(1)
    assert await presence.purge() == 1
    assert await host.store.table(table) is None
    assert await host.store.table(other.id) is not None
    assert await servers.of(GUILD) == ServerSettings()
    for name in ("seats", "moves", "states", "messages"):
        rows = await host.store._read(f"SELECT count(*) FROM {name} WHERE tbl = ?", (table,))
        assert rows == [(0,)], name


# Who is waited for


async def test_waiting_is_counted_from_when_a_seat_was_awaited_and_not_through_pauses(host: Hosting) -> None:
    table = await host.live()
    began = host.now()
    assert {(wait.seat, wait.since) for wait in await host.store.waiting(began)} == {(0, began), (1, began)}
    host.sleep(1_000)
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    assert [wait.seat for wait in await host.store.waiting(host.now())] == [1]
    await host.service.pause(table, ADA)
    assert await host.store.waiting(host.now()) == ()
    host.sleep(500)
    await host.service.resume(table, ADA)
    assert [(wait.seat, wait.since) for wait in await host.store.waiting(host.now())] == [(1, began + 500)]
    await host.store.shift(250, host.now())
    assert [(wait.seat, wait.since) for wait in await host.store.waiting(host.now())] == [(1, began + 750)]


async def test_a_seat_is_called_once_for_each_wait(host: Hosting) -> None:
    table = await host.live()
    assert await host.store.call(table, [0, 1], 1) == (0, 1)
    assert await host.store.call(table, [0, 1], 1) == ()
    assert await host.store.call(table, [0], 2) == (0,)
    await host.service.pause(table, ADA)
    host.sleep(70)
    await host.service.resume(table, ADA)
    await host.store.shift(30, host.now())
    host.sleep(30)
    assert {(wait.seat, wait.stage) for wait in await host.store.waiting(host.now())} == {(0, 2), (1, 1)}
    host.sleep(10)
    await sealed(host, table)
    assert [(wait.seat, wait.stage) for wait in await host.store.waiting(host.now())] == [(0, 0)]
    assert await host.store.call(table, [0, 1], 1) == (0,)


async def test_who_sleeps_is_known_until_they_act(host: Hosting) -> None:
    table = await host.live()
    await host.store.call(table, [0], 2)
    await host.store.call(table, [1], 3)
    assert await host.store.asleep(table) == {1}
    await host.service.play(table, 1, Seal(await host.card(table, 1)), by=BEN)
    assert await host.store.asleep(table) == frozenset()


async def test_tables_at_which_no_person_acts_are_idle(host: Hosting) -> None:
    lobby = await host.lobby()
    table = await host.live()
    host.sleep(1_000)
    assert await host.store.idle("lobby", host.now() - 1_000) == (lobby.id,)
    assert await host.store.idle("live", host.now() - 1_000) == (table,)
    await host.service.join(lobby.id, CLEO, "Cleo")
    host.sleep(SEAL_TIME)
    await host.service.expire(table)  # the clock is no person
    assert await host.store.idle("lobby", host.now() - SEAL_TIME - 1) == ()
    assert await host.store.idle("live", host.now() - SEAL_TIME) == (table,)
    await host.service.play(table, 0, Stake(0), by=ADA)
    assert await host.store.idle("live", host.now() - 1) == ()
