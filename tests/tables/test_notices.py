"""Who is called to a table, when, how often, and when it is taken back: on a real database and a clock of the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.games.game import IllegalMove
from bot.settings import Settings
from bot.store.database import StoreError
from bot.store.rows import Message
from bot.tables.clock import Clock
from bot.tables.face import Panel
from bot.tables.notices import Notices
from bot.tables.patience import LIVE, SLOW, Patience
from bot.tables.table import Table
from bot.tables.voice import Refused
from tests.games.toy import Options, Seal, Toy
from tests.tables.hosting import ADA, BEN, CHANNEL, CLEO, STRANGER, Hosting

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000


class Patient(Toy):
    """Hush without an hourglass: silence never ends by itself."""

    def due(self, state: Any) -> int | None:
        return None


class Board:
    """The toy's face, as far as notices need one."""

    key = "toy"

    def board(self, view: Any, shown: Any, told: Sequence[Any]) -> Panel:
        return Panel("Hush", notes=f"Lay a card, {shown.names[0]}.\n-# Round {view.public.round}.")


class Here:
    """The servers that the bot can reach: all."""

    def there(self, guild: int | None) -> bool:
        return True


@dataclass
class Channel:
    """A channel as people see it, in place of Discord."""

    posted: dict[int, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    pings: list[tuple[int, ...]] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    places: Here = field(default_factory=Here)
    shut: bool = False
    deaf: bool = False
    refusing: bool = False

    def reaches(self, table: Table) -> bool:
        return not self.shut

    async def say(self, table: Table, what: str | Panel, users: Iterable[int], nonce: str) -> int | None:
        if self.refusing:
            raise Refused
        if self.deaf:
            return None
        message = 900 + len(self.pings)
        self.pings.append(tuple(users))
        text = what if isinstance(what, str) else what.text
        self.posted[message] = (text, tuple(users))
        if isinstance(what, Panel):
            self.questions.append(what.title)
        return message

    async def unsay(self, channel: int, message: int) -> bool:
        self.posted.pop(message, None)
        return True

    @property
    def said(self) -> list[str]:
        return [text for text, _ in self.posted.values()]


@dataclass
class Night:
    """A host whose tables wait, and what their notices do about it."""

    host: Hosting
    channel: Channel
    notices: Notices
    folder: Path

    async def live(
        self, *users: int, pace: str = "live", automata: Iterable[int] = (), board: bool = True
    ) -> int:
        options = Options(pace=pace)  # type: ignore[arg-type]
        table = await self.host.live(users, automata, options)
        if board:
            await self.host.store.set_message(table, Message("board", CHANNEL, 5, 1, 0))
        return table

    async def after(self, milliseconds: int) -> None:
        """Let time pass, then go round."""
        self.host.sleep(milliseconds)
        await self.notices.go_round()

    async def seal(self, table: int, seat: int, user: int) -> None:
        card = await self.host.card(table, seat)
        await self.host.service.play(table, seat, Seal(card), by=user)

    async def restart(self) -> None:
        """Kill the host and start another on its database; the channel stays as it is."""
        await self.host.store.close()
        now = self.host.now()
        self.host = await Hosting.at(self.folder, game=Patient())
        self.host.sleep(now - self.host.now())
        self.notices = made(self.host, self.channel)


def made(host: Hosting, channel: Channel) -> Notices:
    return Notices(host.service, {"toy": Board()}, channel)  # type: ignore[arg-type, dict-item]


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Night]:
    host, channel = await Hosting.at(tmp_path, game=Patient()), Channel()
    found = Night(host, channel, made(host, channel), tmp_path)
    yield found
    await found.host.store.close()


# Calling


async def test_who_is_awaited_for_ninety_seconds_is_called_once(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(89 * SECOND)
    assert night.channel.pings == []
    await night.after(SECOND)
    assert night.channel.pings == [(BEN,)]
    for _ in range(20):
        await night.after(10 * SECOND)
    assert night.channel.pings == [(BEN,)]


async def test_nobody_is_called_where_a_clock_will_end_the_wait_but_at_a_slow_table(tmp_path: Path) -> None:
    host, channel = await Hosting.at(tmp_path), Channel()  # its seals have 30 s, and no clock strikes here
    night = Night(host, channel, made(host, channel), tmp_path)
    try:
        await night.live(ADA, BEN)
        await night.after(HOUR)
        assert channel.pings == []
        await night.live(ADA, BEN, pace="slow")
        await night.after(2 * MINUTE)
        assert channel.pings == [(BEN,)]
    finally:
        await host.store.close()


async def test_a_call_says_what_for_and_leads_to_the_board(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    (text,) = night.channel.said
    assert text.startswith(f"<@{BEN}>: Hush waits for you. Lay a card, Ada. ")
    assert "https://discord.com/channels/1/2/5" in text
    assert "Round" not in text


async def test_one_call_does_for_all_who_have_been_awaited_for_half_the_time(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    assert night.channel.pings == [(BEN, CLEO)]


async def test_who_has_just_pressed_start_is_not_called_for_the_first_turn(night: Night) -> None:
    await night.live(ADA, BEN)
    await night.after(90 * SECOND)
    assert night.channel.pings == [(BEN,)]
    await night.after(210 * SECOND)
    assert set(night.channel.pings[-1]) == {ADA, BEN}, "but a nudge is for everyone"


async def test_who_joined_and_was_not_there_at_the_start_is_called(night: Night) -> None:
    table = await night.host.lobby((ADA, BEN))
    await night.host.service.start(table.id, BEN)
    await night.host.store.set_message(table.id, Message("board", CHANNEL, 5, 1, 0))
    await night.after(90 * SECOND)
    assert night.channel.pings == [(ADA,)]


async def test_who_has_acted_meanwhile_is_not_called(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.after(60 * SECOND)
    await night.seal(table, 1, BEN)
    await night.after(30 * SECOND)
    assert night.channel.pings == []


async def test_who_moves_and_is_awaited_all_the_while_is_called_by_their_own_silence(night: Night) -> None:
    class Sociable(Patient):
        def awaited(self, state: Any) -> frozenset[int]:
            return frozenset((0, 1))

    host = Hosting(night.host.store, game=Sociable())
    notices = made(host, night.channel)
    table = await host.live((ADA, BEN))
    await host.store.set_message(table, Message("board", CHANNEL, 5, 1, 0))
    host.sleep(80 * SECOND)
    await host.service.play(table, 1, Seal(await host.card(table, 1)), by=BEN)
    host.sleep(50 * SECOND)
    await notices.go_round()
    assert night.channel.pings == []
    host.sleep(40 * SECOND)
    await notices.go_round()
    assert night.channel.pings == [(BEN,)]


async def test_a_slow_table_calls_after_two_minutes_and_nudges_after_half_a_day(night: Night) -> None:
    table = await night.live(ADA, BEN, pace="slow")
    await night.seal(table, 0, ADA)
    await night.after(110 * SECOND)
    assert night.channel.pings == []
    await night.after(10 * SECOND)
    assert night.channel.pings == [(BEN,)]
    await night.after(11 * HOUR)
    assert len(night.channel.pings) == 1
    await night.after(HOUR)
    assert night.channel.pings == [(BEN,), (BEN,)]
    await night.after(12 * HOUR)
    assert night.channel.questions == ["Shall an automaton play for Ben at table 1?"]


async def test_nobody_is_called_in_a_lobby_at_a_paused_table_or_at_one_over(night: Night) -> None:
    await night.host.lobby((ADA, BEN))
    paused, over = await night.live(ADA, BEN), await night.live(ADA, BEN)
    await night.host.service.pause(paused)
    await night.host.service.end(over)
    await night.after(DAY)
    assert night.channel.pings == []


async def test_nobody_is_called_at_a_table_set_aside_and_the_others_are(night: Night) -> None:
    broken, sound = await night.live(ADA, BEN), await night.live(ADA, CLEO)
    await night.host.store._write(
        lambda db: db.execute("UPDATE tables SET options = 'x' WHERE id = ?", (broken,))
    )
    night.host.store._rows.clear()
    await night.after(90 * SECOND)
    await night.after(90 * SECOND)
    assert night.channel.pings == [(CLEO,)]
    row = await night.host.store.table(broken)
    assert row is not None
    assert row.aside is not None
    assert sound != broken


async def test_an_automaton_is_never_called_and_a_forgotten_person_neither(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    await night.host.service.replace(table, 1)
    await night.host.store._write(lambda db: db.execute("UPDATE seats SET user = -3 WHERE seat = 2"))
    night.host.store._rows.clear()
    await night.seal(table, 0, ADA)
    await night.after(DAY)
    assert night.channel.pings == []


async def test_a_place_that_takes_no_messages_is_left_alone_and_called_when_it_does(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    night.channel.shut = True
    await night.after(20 * MINUTE)
    assert night.channel.pings == []
    night.channel.shut = False
    await night.after(0)
    assert night.channel.pings == [(BEN,)]
    assert night.channel.questions == [], "who may never have been told is not replaced"
    await night.after(5 * MINUTE)
    assert night.channel.questions == ["Shall an automaton play for Ben at table 1?"]


async def test_without_a_board_nobody_is_called(night: Night) -> None:
    await night.live(ADA, BEN, board=False)
    await night.after(DAY)
    assert night.channel.pings == []


# Alone


async def test_somebody_alone_with_automata_is_left_in_peace_at_a_live_table(night: Night) -> None:
    await night.live(ADA, automata=(0,))
    for _ in range(10):
        await night.after(DAY)
    assert night.channel.pings == []


async def test_somebody_alone_at_a_slow_table_is_reminded_once_and_nobody_is_asked(night: Night) -> None:
    await night.live(ADA, automata=(0,), pace="slow")
    await night.after(11 * HOUR)
    assert night.channel.pings == []
    for _ in range(5):
        await night.after(DAY)
    assert night.channel.pings == [(ADA,)]
    assert "whenever you like" in night.channel.said[0]


# Nudging and asking


async def test_a_sleeper_is_called_nudged_and_then_the_others_are_asked_once_each(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    await night.seal(table, 0, ADA)
    await night.seal(table, 2, CLEO)
    for _ in range(200):
        await night.after(10 * SECOND)
    assert night.channel.pings == [(BEN,), (BEN,), (ADA, CLEO)]
    assert night.channel.questions == ["Shall an automaton play for Ben at table 1?"]
    (text,) = night.channel.said
    assert "has waited for Ben" in text


async def test_each_notice_takes_the_place_of_the_one_before(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    await night.after(210 * SECOND)
    (text,) = night.channel.said
    assert "the others still wait for you" in text
    assert "/table leave" in text


async def test_a_notice_is_deleted_when_its_people_have_acted(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    await night.seal(table, 1, BEN)
    await night.after(10 * SECOND)
    assert len(night.channel.said) == 1, "it is still true of Cleo"
    await night.seal(table, 2, CLEO)
    await night.after(10 * SECOND)
    assert night.channel.said == []
    assert set(await night.host.store.messages(table)) == {"board"}


async def test_a_question_is_deleted_when_the_sleeper_wakes_and_asked_anew_the_next_time(
    night: Night,
) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    await night.after(210 * SECOND)
    await night.after(5 * MINUTE)
    assert len(night.channel.questions) == 1
    await night.host.service.vote(table, "replace/1", 0, True, without=frozenset({1}))
    await night.seal(table, 1, BEN)
    await night.after(10 * SECOND)
    assert night.channel.said == []
    assert await night.host.store.votes(table) == {}


async def test_a_question_that_has_made_an_automaton_play_stays_to_be_read(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    for seat, user in ((0, ADA), (2, CLEO)):
        await night.seal(table, seat, user)
    await night.after(90 * SECOND)
    await night.after(210 * SECOND)
    await night.after(5 * MINUTE)
    await night.host.service.replace(table, 1)
    await night.after(10 * SECOND)
    assert len(night.channel.said) == 1
    assert set(await night.host.store.messages(table)) == {"board"}


async def test_nobody_is_asked_while_everybody_sleeps_but_who_wakes_is(night: Night) -> None:
    table = await night.live(ADA, BEN)
    for _ in range(100):
        await night.after(10 * SECOND)
    assert night.channel.questions == []
    assert night.channel.pings.count((ADA, BEN)) + night.channel.pings.count((BEN, ADA)) == 1
    await night.seal(table, 0, ADA)
    await night.after(10 * SECOND)
    assert night.channel.questions == ["Shall an automaton play for Ben at table 1?"]
    assert night.channel.pings[-1] == (ADA,)


async def test_two_sleepers_are_asked_about_one_by_one(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    await night.seal(table, 0, ADA)
    for _ in range(70):
        await night.after(10 * SECOND)
    assert night.channel.questions == [
        "Shall an automaton play for Ben at table 1?",
        "Shall an automaton play for Cleo at table 1?",
    ]
    assert night.channel.pings[-2:] == [(ADA,), (ADA,)]


async def test_a_question_that_is_already_put_is_not_put_again(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    for seat, user in ((0, ADA), (2, CLEO)):
        await night.seal(table, seat, user)
    await night.host.service.vote(table, "replace/1", 0, True, without=frozenset({1}))
    for _ in range(70):
        await night.after(10 * SECOND)
    assert night.channel.questions == []


# Time that does not count, and crashes


async def test_a_pause_does_not_count_and_the_table_starts_afresh(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(60 * SECOND)
    await night.host.service.pause(table)
    await night.after(DAY)
    await night.host.service.resume(table)
    await night.after(89 * SECOND)
    assert night.channel.pings == []
    await night.after(SECOND)
    assert night.channel.pings == [(BEN,)]


async def test_a_pause_takes_the_notice_back(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    await night.host.service.pause(table)
    await night.after(0)
    assert night.channel.said == []


async def test_downtime_does_not_count(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(60 * SECOND)
    await night.host.store.beat(night.host.now())
    night.host.sleep(HOUR)
    await night.restart()
    clock: Clock = night.host.clock()
    await clock.recover()
    await night.after(29 * SECOND)
    assert night.channel.pings == []
    await night.after(SECOND)
    assert night.channel.pings == [(BEN,)]


@pytest.mark.parametrize("down", [0, HOUR])
async def test_a_restart_calls_nobody_a_second_time_and_forgets_nobody(night: Night, down: int) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    await night.host.store.beat(night.host.now())
    night.host.sleep(down)
    await night.restart()
    await night.host.clock().recover()
    await night.after(60 * SECOND)
    assert night.channel.pings == [(BEN,)]
    await night.after(150 * SECOND)
    assert night.channel.pings == [(BEN,), (BEN,)]
    assert len(night.channel.said) == 1, "the older one is found and deleted"


@pytest.mark.parametrize("down", [0, HOUR])
async def test_a_crash_between_the_note_and_the_message_loses_it_and_doubles_none(
    night: Night, down: int
) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    night.channel.deaf = True  # what Discord has received, nobody has noted
    await night.after(90 * SECOND)
    night.channel.deaf = False
    await night.host.store.beat(night.host.now())
    night.host.sleep(down)
    await night.restart()
    await night.host.clock().recover()
    await night.after(60 * SECOND)
    assert night.channel.pings == []


async def test_a_database_that_fails_for_a_round_is_asked_again(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    with monkeypatch.context() as bad:

        async def locked(*_: object) -> tuple[int, ...]:
            raise StoreError("locked")

        bad.setattr(night.host.store, "call", locked)
        with pytest.raises(StoreError):
            await night.after(90 * SECOND)
    await night.after(10 * SECOND)
    assert night.channel.pings == [(BEN,)]


async def test_a_fault_at_one_table_is_no_fault_of_the_others(
    night: Night, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty, sound = await night.live(ADA, BEN), await night.live(ADA, CLEO)
    look = night.host.service.look

    async def defect(table: int, seat: int | None) -> Any:
        if table == faulty:
            raise RuntimeError("a defect")
        return await look(table, seat)

    monkeypatch.setattr(night.host.service, "look", defect)
    for _ in range(10):
        await night.after(15 * SECOND)
    assert sound != faulty
    assert night.channel.pings == [(CLEO,)]
    assert capsys.readouterr().out.count("notice_failed") == 1


async def test_a_table_at_which_nothing_comes_due_costs_a_round_nothing(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    await night.after(SECOND)

    async def unread(*_: object) -> Table:
        raise AssertionError("it was looked at again")

    with monkeypatch.context() as idle:
        idle.setattr(night.host.service, "table", unread)
        await night.after(100 * SECOND)
    await night.after(110 * SECOND)
    assert night.channel.pings == [(BEN,), (BEN,)]


# Nudges by hand


async def test_a_nudge_pings_whoever_is_awaited_but_oneself(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    answer = await night.notices.nudge(await night.host.service.table(table), ADA)
    assert answer == "Ben and Cleo have been nudged."
    assert night.channel.pings == [(BEN, CLEO)]
    assert "Ada asks you to go on" in night.channel.said[0]


async def test_a_nudge_while_an_old_notice_is_taken_back_is_kept_in_mind(night: Night) -> None:
    table = await night.live(ADA, BEN, CLEO)
    await night.after(90 * SECOND)
    assert night.channel.pings == [(BEN, CLEO)]
    await night.seal(table, 1, BEN)
    await night.seal(table, 2, CLEO)
    found = await night.host.service.table(table)
    await asyncio.gather(night.notices.nudge(found, BEN), night.notices.go_round())
    assert night.channel.pings == [(BEN, CLEO), (ADA,)]
    assert len(night.channel.said) == 1
    night.host.sleep(SECOND)
    await night.seal(table, 0, ADA)
    await night.after(0)
    assert night.channel.said == []


async def test_a_nudge_stands_for_the_call_but_not_for_a_later_nudge(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    night.host.sleep(30 * SECOND)
    await night.notices.nudge(await night.host.service.table(table), ADA)
    await night.after(200 * SECOND)
    assert night.channel.pings == [(BEN,)]
    await night.after(70 * SECOND)
    assert night.channel.pings == [(BEN,), (BEN,)]


@pytest.mark.parametrize(("pace", "wait"), [("live", LIVE.between), ("slow", SLOW.between)])
async def test_a_table_is_nudged_by_hand_now_and_then_only_restart_or_not(
    night: Night, pace: str, wait: int
) -> None:
    number = await night.live(ADA, BEN, pace=pace)
    await night.notices.nudge(await night.host.service.table(number), ADA)
    await night.restart()
    table = await night.host.service.table(number)
    night.host.sleep(wait - SECOND)
    with pytest.raises(IllegalMove, match=r"nudged again <t:\d+:R>"):
        await night.notices.nudge(table, BEN)
    night.host.sleep(SECOND)
    await night.notices.nudge(table, BEN)
    assert night.channel.pings == [(BEN,), (ADA,)]


async def test_a_refused_nudge_costs_nothing(night: Night) -> None:
    number = await night.live(ADA, BEN)
    table = await night.host.service.table(number)
    with pytest.raises(IllegalMove, match="do not sit"):
        await night.notices.nudge(table, STRANGER)
    night.channel.shut = True
    with pytest.raises(IllegalMove, match="cannot write"):
        await night.notices.nudge(table, ADA)
    night.channel.shut = False
    await night.host.service.pause(number)
    with pytest.raises(IllegalMove, match="paused"):
        await night.notices.nudge(table, ADA)
    await night.host.service.resume(number)
    await night.seal(number, 1, BEN)
    with pytest.raises(IllegalMove, match="nobody but you"):
        await night.notices.nudge(table, ADA)
    await night.seal(number, 0, ADA)
    await night.notices.nudge(table, BEN)
    assert night.channel.pings == [(ADA,)]


@pytest.mark.parametrize("how", ["refusing", "deaf"])
async def test_a_nudge_that_reached_nobody_is_not_spent(night: Night, how: str) -> None:
    table = await night.host.service.table(await night.live(ADA, BEN))
    setattr(night.channel, how, True)
    with pytest.raises(IllegalMove, match="nobody was nudged"):
        await night.notices.nudge(table, ADA)
    setattr(night.channel, how, False)
    assert await night.notices.nudge(table, ADA) == "Ben has been nudged."
    with pytest.raises(IllegalMove, match="nudged again"):
        await night.notices.nudge(table, ADA)


@pytest.mark.parametrize("damage", ["{bad", "[1]", '{"1": "soon"}'])
async def test_a_damaged_note_of_nudges_is_begun_anew(night: Night, damage: str) -> None:
    table = await night.host.service.table(await night.live(ADA, BEN))
    await night.host.store.set_fact("nudges", damage)
    assert await night.notices.nudge(table, ADA) == "Ben has been nudged."
    with pytest.raises(IllegalMove, match="nudged again"):
        await night.notices.nudge(table, ADA)


async def test_who_has_left_nudges_nobody(night: Night) -> None:
    number = await night.live(ADA, BEN, CLEO)
    await night.host.service.leave(number, CLEO)
    with pytest.raises(IllegalMove, match="/table return"):
        await night.notices.nudge(await night.host.service.table(number), CLEO)


async def test_a_call_that_the_channel_refused_is_made_when_it_takes_it(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    night.channel.refusing = True
    await night.after(90 * SECOND)
    assert "notice" not in await night.host.store.messages(table)
    night.channel.refusing = False
    await night.after(10 * SECOND)
    assert night.channel.pings == [(BEN,)]
    assert "Hush waits for you" in night.channel.said[0]
    await night.after(60 * SECOND)
    assert len(night.channel.pings) == 1, "and once only"


async def test_a_question_that_the_channel_refused_is_asked_when_it_takes_it(night: Night) -> None:
    table = await night.live(ADA, BEN)
    await night.seal(table, 0, ADA)
    await night.after(90 * SECOND)
    await night.after(210 * SECOND)
    night.channel.refusing = True
    await night.after(300 * SECOND)
    assert night.channel.questions == []
    night.channel.refusing = False
    await night.after(10 * SECOND)
    assert night.channel.questions == ["Shall an automaton play for Ben at table 1?"]
    await night.after(60 * SECOND)
    assert len(night.channel.questions) == 1


async def test_a_nudge_names_others_only_where_others_wait(night: Night) -> None:
    await night.live(ADA, BEN)
    await night.after(300 * SECOND)
    assert "the table still waits for all of you" in night.channel.said[-1]
    two = await night.live(ADA, BEN)
    await night.seal(two, 0, ADA)
    await night.after(300 * SECOND)
    assert "the others still wait for you" in night.channel.said[-1]


async def test_nobody_is_nudged_in_a_lobby_or_when_the_game_is_over(night: Night) -> None:
    lobby = await night.host.lobby((ADA, BEN))
    with pytest.raises(IllegalMove, match="not begun"):
        await night.notices.nudge(lobby, ADA)
    number = await night.live(ADA, BEN)
    await night.host.service.end(number)
    with pytest.raises(IllegalMove, match="over"):
        await night.notices.nudge(await night.host.service.table(number), ADA)


def test_a_host_sets_the_patience_in_seconds_and_only_growing_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORDMOOT_NOTICES_LIVE", "5, 60,600")
    settings = Settings(token="none", _env_file=None)  # type: ignore[arg-type, call-arg]
    assert settings.notices_live == (5, 60, 600)
    assert LIVE.at(*Settings.model_fields["notices_live"].default) == LIVE
    assert SLOW.at(*settings.notices_slow) == SLOW
    for wrong in ("60,5,600", "0,5,6", "1,2", "1,2,3,4", "soon"):
        monkeypatch.setenv("WORDMOOT_NOTICES_LIVE", wrong)
        with pytest.raises(ValidationError):
            Settings(token="none", _env_file=None)  # type: ignore[arg-type, call-arg]


@pytest.mark.parametrize(
    ("name", "wrong"), [("LOBBY_MINUTES", "0"), ("IDLE_DAYS", "0"), ("IDLE_DAYS", "366"), ("ROUNDS", "0")]
)
def test_a_host_sets_nothing_out_of_bounds(monkeypatch: pytest.MonkeyPatch, name: str, wrong: str) -> None:
    monkeypatch.setenv(f"WORDMOOT_{name}", wrong)
    with pytest.raises(ValidationError):
        Settings(token="none", _env_file=None)  # type: ignore[arg-type, call-arg]


def test_a_patience_is_set_in_seconds() -> None:
    assert LIVE.at(1, 2, 3) == Patience(1_000, 2_000, 3_000, LIVE.between)
