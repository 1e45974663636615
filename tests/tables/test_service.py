"""Tables from the lobby to the result."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.games.game import IllegalMove, Result
from bot.games.log import parsed, replayed, written
from bot.store.database import StoreError
from bot.store.store import Store
from bot.tables.table import Aside, Committed, NoTable, NotLive, Stale
from tests.games.toy import SEAL_TIME, TOY, Halt, Options, Seal, Spell, Stake, Toy
from tests.tables.hosting import ADA, BEN, CHANNEL, CLEO, GUILD, STRANGER, Hosting

# The lobby


async def test_who_opens_a_table_has_the_first_seat(host: Hosting) -> None:
    table = await host.service.open("toy", GUILD, CHANNEL, ADA, "Ada")
    assert (table.stage, table.names, table.opener, table.options) == ("lobby", ("Ada",), ADA, Options())
    assert (table.guild, table.place) == (GUILD, CHANNEL)
    assert await host.service.seat_of(table.id, ADA) == 0
    assert await host.service.seat_of(table.id, BEN) is None


async def test_seats_are_taken_in_order_and_close_up_when_somebody_leaves(host: Hosting) -> None:
    table = await host.lobby((ADA, BEN, CLEO))
    assert [(seat.seat, seat.user) for seat in table.seats] == [(0, ADA), (1, BEN), (2, CLEO)]
    table = await host.service.leave(table.id, ADA)
    assert [(seat.seat, seat.user) for seat in table.seats] == [(0, BEN), (1, CLEO)]
    assert table.opener == BEN


async def test_nobody_sits_down_twice_or_on_a_taken_seat(host: Hosting) -> None:
    table = await host.lobby()
    with pytest.raises(IllegalMove, match="already sit"):
        await host.service.join(table.id, BEN, "Ben")
    for skill in (0, 2):
        await host.service.add_automaton(table.id, skill, ADA)
    with pytest.raises(IllegalMove, match="All 4 seats are taken"):
        await host.service.join(table.id, CLEO, "Cleo")
    with pytest.raises(IllegalMove, match="All 4 seats are taken"):
        await host.service.add_automaton(table.id, 0, ADA)


async def test_automata_come_and_go_by_those_who_sit_there(host: Hosting) -> None:
    table = await host.lobby()
    with pytest.raises(IllegalMove, match="Take a seat"):
        await host.service.add_automaton(table.id, 1, STRANGER)
    await host.service.add_automaton(table.id, 1, BEN)
    table = await host.service.add_automaton(table.id, 2, ADA)
    assert table.names == ("Ada", "Ben", "Automaton 1", "Automaton 2")
    assert [seat.skill for seat in table.automata] == [1, 2]
    table = await host.service.remove_automaton(table.id, ADA, seat=2)
    assert table.names == ("Ada", "Ben", "Automaton 2")
    table = await host.service.add_automaton(table.id, 0, ADA)
    assert table.names == ("Ada", "Ben", "Automaton 2", "Automaton 1")
    for _ in range(2):
        table = await host.service.remove_automaton(table.id, ADA)
    with pytest.raises(IllegalMove, match="no automaton"):
        await host.service.remove_automaton(table.id, ADA)


async def test_the_last_person_to_leave_closes_the_lobby(host: Hosting) -> None:
    table = await host.lobby((ADA,))
    await host.service.add_automaton(table.id, 0, ADA)
    assert (await host.service.leave(table.id, ADA)).stage == "over"
    with pytest.raises(IllegalMove, match="over"):
        await host.service.join(table.id, BEN, "Ben")


async def test_options_are_chosen_until_the_game_begins(host: Hosting) -> None:
    table = await host.lobby()
    assert (await host.service.set_options(table.id, lambda _: Options(rounds=3), ADA)).options == Options(
        rounds=3
    )
    await host.service.start(table.id, ADA)
    with pytest.raises(IllegalMove, match="has begun"):
        await host.service.set_options(table.id, lambda _: Options(), ADA)


async def test_two_choices_at_once_are_both_kept(host: Hosting) -> None:
    table = await host.lobby()
    await asyncio.gather(
        host.service.set_options(table.id, lambda now: msgspec.structs.replace(now, rounds=3), ADA),
        host.service.set_options(table.id, lambda now: msgspec.structs.replace(now, pace="slow"), ADA),
    )
    assert (await host.service.table(table.id)).options == Options("slow", rounds=3)


async def test_a_game_needs_enough_players_and_somebody_who_sits_there(host: Hosting) -> None:
    table = await host.lobby((ADA,))
    with pytest.raises(IllegalMove, match="needs at least 2 players"):
        await host.service.start(table.id, ADA)
    await host.service.join(table.id, BEN, "Ben")
    with pytest.raises(IllegalMove, match="Take a seat"):
        await host.service.start(table.id, STRANGER)
    dealt = await host.service.start(table.id, BEN)
    assert (dealt.what, dealt.seq, dealt.by) == ("deal", 0, BEN)
    with pytest.raises(IllegalMove, match="has begun"):
        await host.service.start(table.id, ADA)


async def test_the_rules_may_refuse_the_deal_and_the_lobby_stays(host: Hosting) -> None:
    table = await host.lobby(options=Options(rounds=0))
    with pytest.raises(IllegalMove, match="A game needs a round"):
        await host.service.start(table.id, ADA)
    assert (await host.service.table(table.id)).stage == "lobby"


async def test_a_player_and_a_server_have_a_limit_of_tables(tmp_path: Path) -> None:
    host = await Hosting.at(tmp_path, tables_a_guild=3, tables_a_user=2)
    service = host.service
    try:
        first, _ = [await service.open("toy", GUILD, CHANNEL, ADA, "Ada") for _ in range(2)]
        with pytest.raises(IllegalMove, match="already sit at 2 tables"):
            await service.open("toy", GUILD, CHANNEL, ADA, "Ada")
        third = await service.open("toy", GUILD, CHANNEL, BEN, "Ben")
        with pytest.raises(IllegalMove, match="already sit at 2 tables"):
            await service.join(third.id, ADA, "Ada")
        with pytest.raises(IllegalMove, match="already has 3 tables"):
            await service.open("toy", GUILD, CHANNEL, CLEO, "Cleo")
        await service.open("toy", GUILD + 1, CHANNEL, CLEO, "Cleo")
        await service.end(first.id)
        await service.join(third.id, ADA, "Ada")
        opened = await asyncio.gather(
            *[service.open("toy", 9, CHANNEL, CLEO, "Cleo") for _ in range(4)], return_exceptions=True
        )
        assert sum(isinstance(table, IllegalMove) for table in opened) == 3
    finally:
        await host.store.close()


# Moves


async def test_a_move_is_stored_before_its_caller_hears_of_it(host: Hosting, tmp_path: Path) -> None:
    table = await host.live()
    card = await host.card(table, 1)
    committed = await host.service.play(table, 1, Seal(card), by=BEN)
    assert (committed.seq, committed.seat, committed.by, committed.move) == (1, 1, BEN, Seal(card))
    other = await Store.open(tmp_path / "tables.db")
    try:
        row = await other.table(table)
        (logged,) = await other.log(table)
        assert row is not None
        assert (row.seq, logged.seq, logged.move) == (1, 1, TOY.moves.dump(Seal(card)))
        assert await other.state(table) == TOY.states.dump(committed.state)
        assert [seat.awaited for seat in row.seats] == [True, False]
    finally:
        await other.close()


async def test_a_refused_move_changes_nothing(host: Hosting) -> None:
    table = await host.live()
    before = await host.state(table), await host.service.table(table)
    with pytest.raises(IllegalMove, match="You hold no Z"):
        await host.service.play(table, 0, Seal("Z"), by=ADA)
    assert (await host.state(table), await host.service.table(table)) == before
    assert await host.store.log(table) == ()


async def test_only_the_holder_of_a_seat_moves_for_it(host: Hosting) -> None:
    table = await host.live()
    card = await host.card(table, 0)
    for user in (BEN, STRANGER):
        with pytest.raises(IllegalMove, match="not your seat"):
            await host.service.play(table, 0, Seal(card), by=user)


async def test_others_moves_outdate_no_click_and_a_second_click_changes_nothing(host: Hosting) -> None:
    table = await host.live()
    looks = [await host.service.look(table, seat) for seat in (0, 1)]
    first, second = (Seal(look.view.hand[0]) for look in looks)
    await host.service.play(table, 0, first, by=ADA, epoch=looks[0].epoch)
    with pytest.raises(IllegalMove):
        await host.service.play(table, 0, first, by=ADA, epoch=looks[0].epoch)
    await host.service.play(table, 1, second, by=BEN, epoch=looks[1].epoch)
    assert (await host.service.table(table)).seq == 2
    with pytest.raises(Stale):  # the phase of that click is over
        await host.service.play(table, 0, first, by=ADA, epoch=looks[0].epoch)


async def test_a_button_of_the_board_is_everyones_until_the_table_moves_on(host: Hosting) -> None:
    table = await host.live()
    cards = [await host.card(table, seat) for seat in (0, 1)]
    board = (await host.service.look(table, None)).epoch
    for seat, user in enumerate((ADA, BEN)):
        await host.service.play(table, seat, Seal(cards[seat]), by=user, epoch=board, everyone=True)
    with pytest.raises(Stale):
        await host.service.play(table, 0, Stake(0), by=ADA, epoch=board, everyone=True)


async def test_an_epoch_of_no_time_is_stale(host: Hosting) -> None:
    table = await host.live()
    with pytest.raises(Stale):
        await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA, epoch=123_456)
    assert (await host.service.table(table)).seq == 0


async def test_two_clicks_at_once_are_one_move(host: Hosting) -> None:
    table = await host.live()
    look = await host.service.look(table, 0)
    plays = [
        host.service.play(table, 0, Seal(look.view.hand[0]), by=ADA, epoch=look.epoch) for _ in range(10)
    ]
    outcomes = await asyncio.gather(*plays, return_exceptions=True)
    assert sum(isinstance(outcome, Committed) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, IllegalMove) for outcome in outcomes) == 9
    assert len(await host.store.log(table)) == 1


async def test_two_players_moving_at_once_both_move(host: Hosting) -> None:
    table = await host.live()
    looks = [await host.service.look(table, seat) for seat in (0, 1)]
    await asyncio.gather(
        *[
            host.service.play(table, look.seat, Seal(look.view.hand[0]), by=user, epoch=look.epoch)
            for look, user in zip(looks, (ADA, BEN), strict=True)
        ]
    )
    assert (await host.service.view(table, None)).public.phase == "stake"


async def test_a_move_that_another_process_overtook_is_played_again_on_what_is_there(
    host: Hosting, tmp_path: Path
) -> None:
    table = await host.live()
    cards = [await host.card(table, seat) for seat in (0, 1)]
    other = await Hosting.at(tmp_path)
    try:
        await other.service.play(table, 0, Seal(cards[0]), by=ADA)
    finally:
        await other.store.close()
    committed = await host.service.play(table, 1, Seal(cards[1]), by=BEN)
    assert (committed.seq, committed.state.public.phase) == (2, "stake")


async def test_a_conflict_at_the_commit_reloads_and_plays_again(
    host: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await host.live()
    cards = [await host.card(table, seat) for seat in (0, 1)]
    commit, rival = host.store.commit, Hosting(host.store)

    async def overtaken(entry: Any) -> int | None:
        monkeypatch.setattr(host.store, "commit", commit)
        await rival.service.play(table, 1, Seal(cards[1]), by=BEN)
        return await commit(entry)

    monkeypatch.setattr(host.store, "commit", overtaken)
    committed = await host.service.play(table, 0, Seal(cards[0]), by=ADA)
    assert (committed.seq, committed.state.public.phase) == (2, "stake")
    assert [logged.seat for logged in await host.store.log(table)] == [1, 0]


async def test_a_move_in_no_game_is_refused(host: Hosting) -> None:
    lobby = await host.lobby()
    with pytest.raises(NotLive, match="not begun"):
        await host.service.play(lobby.id, 0, Seal("A"), by=ADA)
    with pytest.raises(NotLive, match="not begun"):
        await host.service.view(lobby.id, None)
    with pytest.raises(NoTable):
        await host.service.play(77, 0, Seal("A"), by=ADA)
    table = await host.live()
    await host.service.end(table)
    with pytest.raises(NotLive, match="over"):
        await host.service.play(table, 0, Seal("A"), by=ADA)


async def test_a_whole_game_ends_with_its_result(host: Hosting) -> None:
    table = await host.live(options=Options(rounds=2))
    for _ in range(2):
        for seat, user in enumerate((ADA, BEN)):
            await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)
        for seat, user in enumerate((ADA, BEN)):
            await host.service.play(table, seat, Stake(0), by=user)
    over = await host.service.table(table)
    assert over.stage == "over"
    assert over.result is not None
    assert over.result.winners
    assert (over.due, over.ended) == (None, host.now())
    assert (await host.service.view(table, None)).public.phase == "over"  # and can still be looked at
    with pytest.raises(NotLive, match="over"):
        await host.service.play(table, 0, Stake(0), by=ADA)


async def test_the_host_moves_without_a_seat(host: Hosting) -> None:
    table = await host.live()
    committed = await host.service.play(table, None, Halt())
    assert (committed.seat, committed.by) == (None, None)
    assert (await host.service.table(table)).stage == "over"


async def test_what_the_people_agreed_on_is_played_on_the_state_that_it_was_about(host: Hosting) -> None:
    table = await host.live()
    for seat, user in enumerate((ADA, BEN)):
        await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)
    asked = (await host.service.table(table)).seq
    await host.service.vote(table, f"halt/{asked}", 0, True)
    tally = await host.service.vote(table, f"halt/{asked}", 1, True)
    assert tally.carried
    await host.service.play(table, 0, Stake(0), by=ADA)
    with pytest.raises(Stale):
        await host.service.play(table, None, Halt(), last=asked)
    assert (await host.service.table(table)).seq == asked + 1
    assert (await host.service.play(table, None, Halt(), last=asked + 1)).seat is None


async def test_the_log_holds_each_move_with_its_events_and_the_lexicons_answers(host: Hosting) -> None:
    table = await host.live()
    for seat, user in enumerate((ADA, BEN)):
        await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)
    await host.service.play(table, 0, Spell("TEA"), by=ADA)
    recorded = await host.service.history(table, since=1)
    assert [(row.seq, row.seat, row.by) for row in recorded] == [(2, 1, BEN), (3, 0, ADA)]
    assert recorded[-1].move == Spell("TEA")
    assert recorded[-1].events[0].legal is True
    assert (await host.store.log(table))[-1].words == b'{"TEA":true}'


async def test_a_listener_that_fails_spoils_no_move(host: Hosting) -> None:
    def fails(table: int, committed: Committed) -> None:
        raise RuntimeError("a listener's own fault")

    host.service.listen(fails)
    table = await host.live()
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    assert [what.what for what in host.heard] == ["lobby", "lobby", "deal", "move"]
    assert [what.revision for what in host.heard] == [1, 2, 3, 4]


async def test_a_cancelled_move_leaves_the_state_before_or_after(host: Hosting) -> None:
    table = await host.live()
    for steps in range(12):
        row = await host.store.table(table)
        assert row is not None
        before = await host.state(table)
        seat = min((await host.service.look(table, None)).awaited)
        phase = (await host.service.view(table, None)).public.phase
        move = Seal(await host.card(table, seat)) if phase == "seal" else Stake(0)
        task = asyncio.create_task(host.service.play(table, seat, move))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        after = await host.store.table(table)
        assert after is not None
        assert after.seq in (row.seq, row.seq + 1)
        assert (await host.state(table) == before) == (after.seq == row.seq)


async def test_a_database_that_cannot_be_written_refuses_the_move_and_keeps_the_table(host: Hosting) -> None:
    table = await host.live()
    card, before = await host.card(table, 0), await host.service.table(table)
    await host.store._db.execute("PRAGMA query_only=ON")
    with pytest.raises(StoreError, match="cannot be written"):
        await host.service.play(table, 0, Seal(card), by=ADA)
    assert await host.service.table(table) == before
    await host.store._db.execute("PRAGMA query_only=OFF")
    assert (await host.service.play(table, 0, Seal(card), by=ADA)).seq == 1


class NewerToy(Toy):
    version = 2

    def upgrade(self, raw: bytes, version: int) -> Any:
        assert version == 1
        state = self.states.load(raw)
        return msgspec.structs.replace(state, public=msgspec.structs.replace(state.public, round=8))


async def test_a_table_of_an_older_release_is_upgraded_once(host: Hosting) -> None:
    table = await host.live()
    newer = Hosting(host.store, game=NewerToy())
    assert (await newer.service.view(table, None)).public.round == 8
    await newer.service.play(table, 0, Seal(await newer.card(table, 0)), by=ADA)
    row = await host.store.table(table)
    assert row is not None
    assert row.version == 2
    assert TOY.states.load(await host.state(table)).public.round == 8


async def test_a_restart_changes_nothing_that_anybody_sees(host: Hosting) -> None:
    table = await host.live()
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    looks = [await host.service.look(table, seat) for seat in (None, 0, 1)]
    restarted = Hosting(host.store)
    for look in looks:
        again = await restarted.service.look(table, look.seat)
        assert (again.view, again.epoch, again.awaited) == (look.view, look.epoch, look.awaited)


async def test_more_tables_than_the_cache_holds_are_played_alike(
    host: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.tables.ledger.CACHED_STATES", 1)
    tables = [await host.live((ADA, BEN)) for _ in range(3)]
    for seat, user in enumerate((ADA, BEN)):
        for table in tables:
            await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)
    assert [(await host.service.table(table)).seq for table in tables] == [2, 2, 2]


# Undo and export


async def test_a_move_that_revealed_nothing_is_taken_back_as_if_it_had_never_been(host: Hosting) -> None:
    table = await host.live((ADA, BEN, CLEO))
    cards = [await host.card(table, seat) for seat in range(3)]
    await host.service.play(table, 1, Seal(cards[1]), by=BEN)
    without = await host.state(table)
    await host.service.play(table, 0, Seal(cards[0]), by=ADA)
    undone = await host.service.undo(table, 0, by=ADA)
    assert (undone.seq, undone.undone, undone.move, undone.seat) == (3, 2, None, 0)
    assert await host.state(table) == without
    assert [seat.awaited for seat in (await host.service.table(table)).seats] == [True, False, True]
    await host.service.play(table, 0, Seal(cards[0]), by=ADA)
    await host.service.undo(table, 1, by=BEN)  # others' moves do not stand in the way of a sealed card
    assert (await host.service.view(table, None)).sealed == (True, False, False)
    assert [row.undone for row in await host.service.history(table)] == [None, None, 2, None, 1]


async def test_two_presses_of_one_undo_take_one_move_back(host: Hosting) -> None:
    table = await host.live()
    for seat, user in enumerate((ADA, BEN)):
        await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)
    await host.service.play(table, 0, Spell("AB"), by=ADA)
    meant = await host.service.play(table, 0, Stake(1), by=ADA)
    first, second = await asyncio.gather(
        *(host.service.undo(table, 0, ADA, expected=meant.seq) for _ in range(2)), return_exceptions=True
    )
    assert isinstance(first, Committed)
    assert first.undone == meant.seq
    assert isinstance(second, Stale)
    assert "taken back already" in str(second)
    assert [row.undone for row in await host.service.history(table, meant.seq)] == [meant.seq]


async def test_an_undo_of_a_move_that_is_not_the_last_any_more_takes_nothing_back(host: Hosting) -> None:
    table = await host.live()
    for seat, user in enumerate((ADA, BEN)):
        await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)
    meant = await host.service.play(table, 0, Spell("AB"), by=ADA)
    _, undone = await asyncio.gather(
        host.service.play(table, 0, Stake(1), by=ADA),
        host.service.undo(table, 0, ADA, expected=meant.seq),
        return_exceptions=True,
    )
    assert isinstance(undone, Stale)
    assert "moved since" in str(undone)
    assert (await host.service.table(table)).seq == meant.seq + 1


async def test_nothing_is_taken_back_that_revealed_something_or_was_never_made(host: Hosting) -> None:
    table = await host.live()
    with pytest.raises(IllegalMove, match="no move to take back"):
        await host.service.undo(table, 0, by=ADA)
    for seat, user in enumerate((ADA, BEN)):
        await host.service.play(table, seat, Seal(await host.card(table, seat)), by=user)
    before = await host.state(table)
    for seat, user in enumerate((ADA, BEN)):
        with pytest.raises(IllegalMove, match="came to light"):
            await host.service.undo(table, seat, by=user)
    with pytest.raises(IllegalMove, match="not your seat"):
        await host.service.undo(table, 0, by=BEN)
    assert (await host.state(table), (await host.service.table(table)).seq) == (before, 2)


async def test_an_undo_after_the_end_of_silence_comes_too_late(host: Hosting) -> None:
    table = await host.live()
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    host.sleep(SEAL_TIME)
    with pytest.raises(IllegalMove, match="came to light"):
        await host.service.undo(table, 0, by=ADA)


async def test_the_exported_log_leads_to_the_tables_state(host: Hosting) -> None:
    table = await host.live()
    await host.service.play(table, 1, Seal(await host.card(table, 1)), by=BEN)
    await host.service.undo(table, 1, by=BEN)
    host.sleep(SEAL_TIME)
    await host.service.expire(table)
    await host.service.play(table, 0, Spell("TEA"), by=ADA)
    for seat, user in enumerate((ADA, BEN)):
        await host.service.play(table, seat, Stake(0), by=user)
    told = parsed(written(await host.service.export(table)))
    asked = host.lexicon.asked
    steps = list(replayed(TOY, told, host.lexicon))
    assert [step.refused for step in steps] == [None] * 6
    assert [step.seq for step in steps] == [1, 2, 3, 4, 5, 6]
    assert TOY.states.dump(steps[-1].state) == await host.state(table)
    assert host.lexicon.asked == asked  # the record answers, not a newer lexicon


async def test_a_lobby_exports_what_there_is(host: Hosting) -> None:
    lobby = await host.lobby()
    assert (await host.service.export(lobby.id)).moves == ()


# Time


async def test_table_time_begins_at_the_deal_and_stands_still_in_a_pause(host: Hosting) -> None:
    host.sleep(5_000)
    table = await host.live()
    host.sleep(1_000)
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    await host.service.pause(table, ADA)
    with pytest.raises(NotLive, match="paused"):
        await host.service.play(table, 1, Seal("A"), by=BEN)
    host.sleep(60_000)
    assert await host.service.expire(table) is None
    resumed = await host.service.resume(table, BEN)
    assert resumed.due == resumed.wall(SEAL_TIME)
    assert resumed.lost == 60_000
    host.sleep(500)
    await host.service.play(table, 1, Seal(await host.card(table, 1)), by=BEN)
    assert [logged.at for logged in await host.store.log(table)] == [1_000, 1_500]


async def test_pausing_twice_resuming_twice_and_strangers_are_refused(host: Hosting) -> None:
    table = await host.live()
    with pytest.raises(IllegalMove, match="not paused"):
        await host.service.resume(table)
    with pytest.raises(IllegalMove, match="do not sit"):
        await host.service.pause(table, STRANGER)
    await host.service.pause(table)
    with pytest.raises(IllegalMove, match="paused already"):
        await host.service.pause(table)


async def test_silence_ends_when_it_is_due_and_not_before(host: Hosting) -> None:
    table = await host.live()
    host.sleep(SEAL_TIME - 1)
    assert await host.service.expire(table) is None
    host.sleep(1)
    struck = await host.service.expire(table)
    assert struck is not None
    assert (struck.seat, struck.move, struck.state.public.phase) == (None, None, "stake")
    assert (await host.store.log(table))[0].move is None
    assert await host.service.expire(table) is None


async def test_a_move_after_the_end_of_silence_comes_after_its_default(host: Hosting) -> None:
    table = await host.live()
    card = await host.card(table, 0)
    host.sleep(SEAL_TIME)
    with pytest.raises(IllegalMove, match="cards of this round are laid"):
        await host.service.play(table, 0, Seal(card), by=ADA)
    assert [logged.move for logged in await host.store.log(table)] == [None]


async def test_a_move_made_in_time_counts_though_it_arrives_late(host: Hosting) -> None:
    table = await host.live()
    stamp = host.now() + SEAL_TIME - 1
    host.sleep(SEAL_TIME + 800)
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA, stamp=stamp)
    assert (await host.store.log(table))[0].at == SEAL_TIME - 1


async def test_table_time_never_goes_back(host: Hosting) -> None:
    table = await host.live()
    host.sleep(1_000)
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    await host.service.play(table, 1, Seal(await host.card(table, 1)), by=BEN, stamp=host.now() - 700)
    host.sleep(-900)
    await host.service.play(table, 0, Stake(0), by=ADA)
    assert [logged.at for logged in await host.store.log(table)] == [1_000, 1_000, 1_000]


# People


async def test_who_leaves_a_live_table_is_stood_in_for_and_may_come_back(host: Hosting) -> None:
    table = await host.live()
    left = await host.service.leave(table, BEN)
    assert (left.stage, [seat.skill for seat in left.seats]) == ("live", [None, 1])
    assert left.seats[1].user == BEN
    row = await host.store.table(table)
    assert row is not None
    assert row.wake == host.now()
    with pytest.raises(IllegalMove, match="An automaton plays for you"):
        await host.service.play(table, 1, Seal("A"), by=BEN)
    back = await host.service.come_back(table, BEN)
    assert back.persons == back.seats
    await host.service.play(table, 1, Seal(await host.card(table, 1)), by=BEN)
    with pytest.raises(IllegalMove, match="yourself already"):
        await host.service.come_back(table, BEN)
    with pytest.raises(IllegalMove, match="do not sit"):
        await host.service.come_back(table, STRANGER)


async def test_replacing_keeps_who_is_awaited(host: Hosting) -> None:
    table = await host.live()
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    replaced = await host.service.replace(table, 1, skill=2)
    assert [seat.awaited for seat in replaced.seats] == [False, True]
    with pytest.raises(IllegalMove, match="plays this seat already"):
        await host.service.replace(table, 1)
    with pytest.raises(IllegalMove, match="no such seat"):
        await host.service.replace(table, 5)


async def test_the_table_ends_when_the_last_person_leaves(host: Hosting) -> None:
    table = await host.live()
    await host.service.leave(table, BEN)
    over = await host.service.leave(table, ADA)
    assert (over.stage, over.result, over.due) == ("over", None, None)
    assert host.heard[-1].what == "end"


async def test_to_leave_as_the_last_is_to_end_the_table(
    host: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host.game, "forfeit", lambda state: Result(won=False), raising=False)
    table = await host.live()
    assert (await host.service.leave(table, BEN)).stage == "live"
    assert (await host.service.leave(table, ADA)).result == Result(won=False)


async def test_an_automaton_that_stood_in_for_somebody_forgotten_is_in_no_rematch(host: Hosting) -> None:
    table = await host.live((ADA, BEN, CLEO), automata=(0,))
    await host.service.leave(table, BEN)
    await host.store.forget(BEN)
    await host.service.end(table)
    await host.store.forget(CLEO)
    again = await host.service.rematch(table, ADA, "Ada")
    assert [(seat.user, seat.skill) for seat in again.seats] == [(ADA, None), (None, 0)]


async def test_a_live_table_ends_when_all_people_ask_for_it(host: Hosting) -> None:
    table = await host.live((ADA, BEN), automata=(0,))
    first = await host.service.end(table, ADA)
    assert (first.carried, first.yes, first.missing) == (False, (0,), (1,))
    assert (await host.service.table(table)).stage == "live"
    with pytest.raises(IllegalMove, match="do not sit"):
        await host.service.end(table, STRANGER)
    assert (await host.service.end(table, BEN)).carried
    assert (await host.service.table(table)).stage == "over"
    with pytest.raises(IllegalMove, match="over"):
        await host.service.end(table, BEN)


async def test_only_the_opener_closes_a_lobby(host: Hosting) -> None:
    table = await host.lobby()
    with pytest.raises(IllegalMove, match="Only who opened"):
        await host.service.end(table.id, BEN)
    assert (await host.service.end(table.id, ADA)).carried
    assert (await host.service.table(table.id)).stage == "over"


async def test_people_vote_and_automata_and_strangers_do_not(host: Hosting) -> None:
    table = await host.live((ADA, BEN, CLEO), automata=(1,))
    vote = host.service.vote
    assert (await vote(table, "attest/3", 0, True)).missing == (1, 2)
    split = await vote(table, "attest/3", 1, False)
    assert (split.yes, split.no, split.lost, split.carried) == ((0,), (1,), True, False)
    await vote(table, "attest/3", 1, True)
    assert (await vote(table, "attest/3", 2, True)).carried
    assert (await host.service.tally(table, "attest/4")).missing == (0, 1, 2)
    with pytest.raises(IllegalMove, match="no vote"):
        await vote(table, "attest/3", 3, True)
    with pytest.raises(IllegalMove, match="no vote"):
        await vote(table, "replace/2", 2, True, without=frozenset({2}))
    await host.service.close_vote(table, "attest/3")
    assert (await host.service.tally(table, "attest/3")).yes == ()


async def test_a_move_makes_answers_void_that_were_about_the_one_before(host: Hosting) -> None:
    table = await host.live((ADA, BEN, CLEO))
    for purpose in ("rewind/0/0", "attest/0", "replace/2", "end"):
        await host.service.vote(table, purpose, 0, True)
    other = await host.live((ADA, BEN))
    await host.service.vote(other, "rewind/0/0", 0, True)
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    assert set(await host.store.votes(table)) == {"end", "replace/2"}
    assert set(await host.store.votes(other)) == {"rewind/0/0"}


# Drafts and lists


async def test_a_draft_is_dropped_at_its_seats_next_move_only(host: Hosting) -> None:
    table = await host.live()
    for seat in (0, 1):
        await host.service.set_draft(table, seat, "basket", b"CAB")
    seq = (await host.service.table(table)).seq
    assert seq == 0
    await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    assert await host.service.drafts(table, 0) == {}
    assert await host.service.drafts(table, 1) == {"basket": b"CAB"}
    await host.service.set_draft(table, 1, "basket", None)
    assert await host.service.drafts(table, 1) == {}


async def test_tables_are_found_by_player_and_by_server(host: Hosting) -> None:
    lobby, live, over = await host.lobby((ADA,)), await host.live((BEN, ADA)), await host.live((ADA, BEN))
    await host.service.end(over)
    assert [table.id for table in await host.service.tables_of(ADA)] == [live, lobby.id]
    assert [table.id for table in await host.service.live_tables(GUILD)] == [lobby.id, live]
    assert await host.service.live_tables(GUILD + 1) == ()


async def test_a_table_may_move_to_a_thread(host: Hosting) -> None:
    table = await host.lobby()
    assert (await host.service.set_place(table.id, CHANNEL, 55)).place == 55


async def test_a_damaged_dictionary_sets_its_table_aside_with_one_report(tmp_path: Path) -> None:
    reports: list[int] = []

    async def damaged(table: int, error: Exception) -> str:
        reports.append(table)
        return "c0de"

    async def dictionary(guild: int) -> dict[str, bool]:
        return {"ZORP": True}

    host = await Hosting.at(tmp_path, damaged=damaged, dictionary=dictionary)
    try:
        sick, sound = await host.live(), await host.live(automata=(0,))
        await host.store._write(
            lambda db: db.execute("UPDATE dictionaries SET known = '{' WHERE tbl = ?", (sick,))
        )
        reborn = Hosting(host.store, damaged=damaged)
        for _ in range(2):
            with pytest.raises(Aside, match="code c0de"):
                await reborn.service.play(sick, 0, Seal("A"), by=ADA)
            with pytest.raises(Aside):
                await reborn.service.look(sick, 0)
        assert reports == [sick]
        assert [table.id for table in await reborn.service.tables_of(ADA)] == [sound]
    finally:
        await host.store.close()
