"""The soak finds what is planted for it, and finds nothing where there is nothing."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from bot.__main__ import main
from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.defenders.state import Agree, Contribute, Discard, NoWord, Options, Propose, State, Tile, View
from bot.games.game import Moment, Words
from bot.loopback import Loopback
from bot.loopback.faults import Fault
from bot.loopback.interactions import Callback, Interaction, InteractionKind
from bot.loopback.model import Channel, ChannelKind, Message, MessageFlag, User
from bot.soak.answers import Answers
from bot.soak.hands import HANDS
from bot.soak.journal import Journal
from bot.soak.keeper import Keeper
from bot.soak.progress import BEHIND, IDLE, OVERDUE, Progress
from bot.soak.records import Growth, Move, Reached, Records, Shown, Sitter, Stored
from bot.soak.secrecy import Secrecy
from bot.soak.soak import Plan, error_of, soak
from bot.soak.uptime import Uptime
from bot.soak.weather import SORTS, Ordeal, Weather
from bot.store.store import Store
from bot.tables.face import Shown as Names
from bot.tables.layout import Epoch, layout
from bot.tables.service import Service
from bot.tables.worker import Inline, Minds
from cogs.defenders import DefendersFace
from tests.games.dungeon import maps
from tests.words.frozen import frozen

GAME = GAMES["defenders"]
FACE = DefendersFace()
ADA, BEN, WATCHER = 101, 102, 999
NAMES = Names(1, ("Ada", "Ben"), (True, True))


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "timeline.jsonl")
    yield made
    made.close()


def table(**changed: Any) -> Stored:
    given: dict[str, Any] = {
        "id": 1, "game": "defenders", "stage": "live", "channel": 5, "thread": None, "opener": ADA,
        "options": b"{}", "seed": b"seed", "seq": 0, "revision": 3, "opened": 0, "lost": 0, "paused_at": None,
        "due": None, "seats": (Sitter(0, ADA, "Ada", None), Sitter(1, BEN, "Ben", None)),
        "messages": (Shown("board", 5, 77, 3),),
    }  # fmt: skip
    return Stored(**(given | changed))


# Secrecy


def dealt(seed: bytes = b"a secret") -> State:
    state: State = GAME.deal(2, Options(), Moment(0, Chance(seed, 0, "play"), Words(frozen())))
    return state


def payload(seat: int | None, state: State) -> dict[str, Any]:
    """Return the board (None) or a seat's hand as Discord is sent it."""
    view = GAME.seen_by(state, seat)
    panel = FACE.board(view, NAMES, ()) if seat is None else FACE.hand(view, NAMES)
    return {"content": "", "components": layout(panel, 1, Epoch(1)).to_components()}


@pytest.fixture
def secrecy(journal: Journal) -> Secrecy:
    made = Secrecy(HANDS, journal)
    made.learn(GAME, table(), Reached(0, dealt(), ()), pictures=True)
    return made


@pytest.mark.parametrize(("viewer", "seat"), [(ADA, 0), (BEN, 1), (None, None), (WATCHER, None), (ADA, None)])
def test_one_s_own_rack_and_the_board_may_be_seen(
    secrecy: Secrecy, journal: Journal, viewer: int | None, seat: int | None
) -> None:
    secrecy.hear(None if viewer is None else str(viewer), "A message", payload(seat, dealt()))
    secrecy.judge()
    assert journal.counts["looked_through"] == 1
    assert journal.found("leaks") == 0


@pytest.mark.parametrize(("viewer", "seat"), [(ADA, 1), (BEN, 0), (None, 0), (WATCHER, 1)])
def test_a_panel_with_another_s_rack_is_a_leak(
    secrecy: Secrecy, journal: Journal, viewer: int | None, seat: int
) -> None:
    secrecy.hear(None if viewer is None else str(viewer), "A message", payload(seat, dealt()))
    secrecy.judge()
    assert journal.found("leaks") > 0


@pytest.mark.parametrize("spelling", ["{}", "[{}]", "He holds {}."])
@pytest.mark.parametrize("between", [", ", " ", "', '", '","', " · "])
def test_a_rack_is_recognised_in_whatever_spelling(
    secrecy: Secrecy, journal: Journal, spelling: str, between: str
) -> None:
    text = spelling.format(between.join(reversed(dealt().racks[0])))
    secrecy.hear(str(BEN), "A message", {"content": text})
    secrecy.hear(str(ADA), "Her own", {"content": text})
    secrecy.judge()
    assert journal.found("leaks") == 1


def test_the_buttons_of_one_s_own_rack_are_no_print(journal: Journal) -> None:
    """Equal letters have one button, so the buttons of five tiles may read like another's four."""
    state: State = GAME.deal(3, Options(), Moment(0, Chance(b"x", 0, "play"), Words(frozen())))
    racks = (tuple("GHNV"), tuple("GHNNV"), state.racks[2])
    state = msgspec.structs.replace(state, racks=racks, sealed=(("A",), None, None))
    seats = (*table().seats, Sitter(2, None, "Automaton 1", 1))
    secrecy = Secrecy(HANDS, journal)
    secrecy.learn(GAME, table(seats=seats), Reached(0, state, ()))
    panel = FACE.hand(GAME.seen_by(state, 1), Names(1, ("Ada", "Ben", "Automaton 1"), (True, True, False)))
    secrecy.hear(str(BEN), "His own", {"components": layout(panel, 1, Epoch(1)).to_components()})
    secrecy.judge()
    assert journal.counts["looked_through"] == 1
    assert journal.found("leaks") == 0


def test_what_lies_open_may_be_told_even_if_somebody_holds_the_same(
    journal: Journal,
) -> None:
    state = dealt()
    rack = state.racks[0]
    public = msgspec.structs.replace(state.public, storage=tuple(Tile(letter, 0) for letter in rack))
    secrecy = Secrecy(HANDS, journal)
    secrecy.learn(GAME, table(), Reached(0, msgspec.structs.replace(state, public=public), ()))
    secrecy.hear(None, "The board", {"content": f"Stored: {', '.join(rack)}."})
    secrecy.judge()
    assert journal.found("leaks") == 0


def test_the_picture_of_another_s_rack_is_a_leak(secrecy: Secrecy, journal: Journal) -> None:
    picture = FACE.hand(GAME.seen_by(dealt(), 0), NAMES).picture
    assert picture is not None
    secrecy.hear(str(ADA), "Her own", {}, [picture.draw()])
    secrecy.judge()
    assert journal.found("leaks") == 0
    secrecy.hear(str(BEN), "Another's", {}, [picture.draw()])
    secrecy.judge()
    assert journal.found("leaks") == 1


def test_the_picture_of_a_run_is_a_leak_but_for_what_anybody_knows_or_a_party_plays_openly(
    secrecy: Secrecy, journal: Journal
) -> None:
    dungeon = GAMES["dungeon"]

    def learn(number: int, state: Any) -> bytes:
        secrecy.learn(dungeon, table(id=number, game="dungeon"), Reached(0, state, ()), pictures=True)
        names = Names(number, ("Ada", "Ben"), (True, True))
        picture = HANDS["dungeon"].face.hand(dungeon.seen_by(state, 0), names).picture
        assert picture is not None
        return bytes(picture.draw())

    alone = table(id=9, game="dungeon", seats=(Sitter(0, BEN, "Ben", None),))
    secrecy.learn(
        dungeon, alone, Reached(0, maps.played(maps.dealt(1, maps.hall()), (0, "TEA A1 across")), ())
    )
    untouched = learn(7, maps.dealt(2, maps.hall(), mode="race"))
    begun = learn(7, maps.played(maps.dealt(2, maps.hall(), mode="race"), (0, "TEA A1 across")))
    secrecy.hear(None, "An untouched map", {}, [untouched])
    secrecy.judge()
    assert journal.found("leaks") == 0
    secrecy.hear(None, "A run", {}, [begun])
    secrecy.judge()
    assert journal.found("leaks") == 1
    secrecy.hear(str(BEN), "A solo in which the same was laid", {"content": "Words: TEA A1 across."})
    secrecy.judge()
    assert journal.found("leaks") == 1
    secrecy.hear(str(WATCHER), "To somebody else", {"content": "Words: TEA A1 across."})
    secrecy.judge()
    assert journal.found("leaks") == 2
    learn(8, maps.played(maps.dealt(1, maps.hall(), mode="party"), (0, "TEA A1 across")))
    secrecy.hear(None, "A party that has played the same", {}, [begun])
    secrecy.judge()
    assert journal.found("leaks") == 2


def test_a_hand_in_a_suggestion_or_a_form_is_a_leak(secrecy: Secrecy, journal: Journal) -> None:
    rack = ", ".join(dealt().racks[1])
    secrecy.hear(str(ADA), "A suggestion", {"choices": [{"name": f"Ben has {rack}", "value": "x"}]})
    secrecy.hear(str(ADA), "A form", {"components": [{"type": 18, "component": {"value": rack}}]})
    secrecy.judge()
    assert journal.found("leaks") == 2


def test_a_hand_in_the_log_is_a_leak_even_to_nobody(secrecy: Secrecy, journal: Journal) -> None:
    state = dealt()
    secrecy.look_through_log(['{"event": "move", "table": 1, "seq": 3, "verb": "give", "ms": 4}'])
    assert journal.found("leaks") == 0
    secrecy.look_through_log([f"seat 0 has {list(state.racks[0])}", repr(Contribute(("A",)))])
    assert journal.found("leaks") == 2


def test_the_prints_of_a_table_that_is_over_are_forgotten(secrecy: Secrecy, journal: Journal) -> None:
    secrecy.forget(1)
    secrecy.hear(None, "A message", {"content": ", ".join(dealt().racks[0])})
    secrecy.judge()
    assert journal.found("leaks") == 0


# People


async def test_a_person_proposes_again_what_automata_would_not_say_twice() -> None:
    state = dealt()
    only = Discard(("E",))
    public = msgspec.structs.replace(state.public, phase="discard", tried=(only,))
    view = GAME.seen_by(msgspec.structs.replace(state, public=public), 0)

    class Silent(Inline):
        async def choose(self, *_: Any) -> None:
            return None

    thinker = Silent(Minds(GAMES, frozen()))
    wishes = [
        await HANDS["defenders"].wish(GAME, view, 0, 0, thinker, random.Random(seed)) for seed in range(40)
    ]
    assert Propose(only) in wishes
    assert None not in wishes


# The log


def row(seq: int, move: bytes = b"x") -> Move:
    return Move(seq, 0, 10 * seq, move, b"[]", b"{}", None, ADA)


def test_a_log_may_grow() -> None:
    growth = Growth()
    assert growth.read(2, [row(1), row(2)]) == []
    assert growth.read(3, [row(3)]) == []
    assert growth.read(3, [row(1), row(2), row(3)]) == []
    assert growth.known == 3


def test_a_vanished_move_a_changed_one_and_a_gap_are_found() -> None:
    growth = Growth()
    growth.read(2, [row(1), row(2)])
    assert "was there" in growth.read(1, [row(1)])[0]
    assert "another" in growth.read(2, [row(1), row(2, b"y")])[0]
    assert "follows on" in growth.read(4, [row(4)])[0]
    assert "rows for 2" in growth.read(3, [])[0]


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    store = await Store.open(tmp_path / "wordmoot.db")
    yield Service(store, GAMES, frozen(), lambda: 1_700_000_000_000)
    await store.close()


async def played(service: Service) -> int:
    number = (await service.open("defenders", 1, 2, ADA, "Ada")).id
    await service.join(number, BEN, "Ben")
    await service.start(number, ADA)
    for seat, user in enumerate((ADA, BEN)):
        view: View = await service.view(number, seat)
        await service.play(number, seat, Contribute(view.rack[:2]), by=user)
    await service.play(number, 0, Propose(NoWord()), by=ADA)
    await service.play(number, 1, Agree(), by=BEN)
    return number


@pytest.fixture
def records(tmp_path: Path, journal: Journal) -> Iterator[Records]:
    learned: list[Reached] = []
    made = Records(
        tmp_path / "wordmoot.db", GAMES, frozen(), journal, lambda table, reached: learned.append(reached)
    )
    made.learned = learned  # type: ignore[attr-defined]
    yield made
    made.close()


async def test_every_committed_state_is_known(service: Service, records: Records, journal: Journal) -> None:
    number = await played(service)
    records.refresh()
    records.compare()
    assert journal.clean
    assert records.moves == 4
    assert [reached.seq for reached in records.learned] == [0, 1, 2, 3, 4]  # type: ignore[attr-defined]
    assert GAME.states.dump(records.state(number)) == await service.store.state(number)
    assert records.tables[number].seat_of(str(BEN)) == Sitter(1, BEN, "Ben", None)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM moves WHERE seq = 4; UPDATE tables SET seq = 3",
        'UPDATE moves SET move = \'{"type":"agree"}\' WHERE seq = 3',
        "DELETE FROM tables",
    ],
)
async def test_what_was_stored_and_is_not_any_more_is_lost(
    service: Service, records: Records, journal: Journal, tmp_path: Path, damage: str
) -> None:
    await played(service)
    records.refresh()
    with closing(sqlite3.connect(tmp_path / "wordmoot.db")) as db:
        db.executescript(f"PRAGMA foreign_keys=ON; {damage}; ")
    records.compare()
    assert journal.found("lost") > 0


async def test_a_state_that_its_log_does_not_lead_to_is_found(
    service: Service, records: Records, journal: Journal, tmp_path: Path
) -> None:
    number = await played(service)
    other = GAME.states.dump(dealt(b"another"))
    with closing(sqlite3.connect(tmp_path / "wordmoot.db")) as db:
        db.execute("UPDATE states SET state = ? WHERE tbl = ?", (other, number))
        db.commit()
    records.refresh()
    assert journal.found("lost") == 1


async def test_a_move_with_another_s_hand_is_found(
    service: Service, records: Records, journal: Journal, tmp_path: Path
) -> None:
    await played(service)
    with closing(sqlite3.connect(tmp_path / "wordmoot.db")) as db:
        db.execute("UPDATE moves SET user = ? WHERE seq = 1", (BEN,))
        db.commit()
    records.refresh()
    assert journal.found("leaks") == 1


# Answers


class Judged:
    """Answers with a clock, and what interactions go through, of a test's choice."""

    def __init__(self, journal: Journal) -> None:
        self.clock = Clock()
        self.uptime = Uptime(self.clock)
        self.ordeal = Ordeal()
        self.lag = 0.0
        self.answers = Answers(
            self.uptime, journal, lambda key: self.ordeal, lambda since: self.lag, self.clock
        )

    def asked(self, **given: Any) -> Interaction:
        user, place = User(id="1", name="Ada"), Channel(id="5", kind=ChannelKind.TEXT)
        made = Interaction("9", "token", InteractionKind.COMPONENT, user, place, {}, **given)
        made.opened = self.clock.now
        return made


@pytest.fixture
def judged(journal: Journal) -> Judged:
    made = Judged(journal)
    made.clock.now += 100
    made.uptime.rose()
    made.clock.now += 100
    return made


def struck(*names: str) -> Ordeal:
    ordeal = Ordeal()
    for name in names:
        sort = next(sort for sort in SORTS if sort.name == name and not sort.lost)
        fault = Fault.__new__(Fault)
        fault.struck = 1
        ordeal.faults.append((sort, fault))
    return ordeal


def test_an_interaction_without_an_answer_is_lost(judged: Judged, journal: Journal) -> None:
    judged.answers.settle(judged.asked(failed=True), "[agree]")
    assert journal.found("lost") == 1
    assert journal.counts["excused"] == 0


def test_one_refused_try_is_no_excuse_and_two_are(judged: Judged, journal: Journal) -> None:
    judged.ordeal = struck("502")
    judged.answers.settle(judged.asked(failed=True), "[agree]")
    assert journal.found("lost") == 1
    judged.ordeal = struck("502", "500")
    judged.answers.settle(judged.asked(failed=True), "[agree]")
    assert journal.found("lost") == 1
    assert journal.counts["excused_faults"] == 1


def test_a_kill_within_three_seconds_excuses_and_one_after_them_does_not(
    judged: Judged, journal: Journal
) -> None:
    asked = judged.asked(failed=True)
    judged.clock.now += 2.9
    judged.uptime.fell(lost=True)
    judged.answers.settle(asked, "[agree]")
    assert journal.counts["excused_down"] == 1
    early = judged.asked(failed=True)
    early.opened -= 10
    judged.answers.settle(early, "[agree]")
    assert journal.found("lost") == 1


def test_what_is_pressed_while_the_bot_is_down_is_pressed_in_vain(judged: Judged, journal: Journal) -> None:
    judged.uptime.fell(lost=True)
    judged.clock.now += 1
    judged.answers.settle(judged.asked(failed=True), "[agree]")
    assert journal.clean
    assert (journal.counts["in_vain"], journal.counts["excused"]) == (1, 0)


def test_a_short_gap_that_was_resumed_excuses_nothing(judged: Judged, journal: Journal) -> None:
    asked = judged.asked(failed=True)
    judged.uptime.fell(lost=False)
    judged.clock.now += 0.5
    judged.uptime.rose()
    judged.clock.now += 2.5
    judged.answers.settle(asked, "[agree]")
    assert journal.found("lost") == 1


def test_a_promise_that_is_not_kept_is_lost(judged: Judged, journal: Journal) -> None:
    promise = Message(id="1", channel="5", author="2", posted=0, flags=MessageFlag.LOADING)
    kept = Message(id="2", channel="5", author="2", posted=0)
    for message in (promise, kept):
        judged.answers.settle(
            judged.asked(response=Callback.THINKING, message=message, waited=1.5), "/table hand"
        )
    judged.clock.now += 39
    judged.answers.review()
    assert journal.clean
    judged.clock.now += 2
    judged.answers.review()
    assert journal.found("lost") == 1


def test_an_answer_as_played_without_a_move_is_lost(judged: Judged, journal: Journal) -> None:
    asked = judged.asked(response=Callback.DEFERRED_UPDATE, waited=0.01)
    assert HANDS["defenders"].played(asked)
    judged.answers.stored(asked, "Agree", True)
    assert journal.clean
    judged.answers.stored(asked, "Agree", False)
    assert journal.found("lost") == 1


def test_a_press_acknowledged_only_to_win_time_does_not_say_played(judged: Judged) -> None:
    assert not HANDS["defenders"].played(judged.asked(response=Callback.DEFERRED_UPDATE, waited=1.5))


def test_what_stood_on_the_message_before_does_not_say_played(judged: Judged) -> None:
    asked = judged.asked(response=Callback.DEFERRED_UPDATE, waited=1.5)
    asked.message = Message(
        id="1", channel="5", author="2", posted=0, content="1 of 6 turns taken · 3 points"
    )
    assert "turns taken" in asked.text
    assert not HANDS["dungeon"].played(asked)


def test_only_what_nothing_happened_to_is_measured(judged: Judged) -> None:
    judged.answers.settle(judged.asked(response=Callback.MESSAGE, waited=0.02), "/help")
    judged.ordeal = Ordeal(late=0.5)
    judged.answers.settle(judged.asked(response=Callback.MESSAGE, waited=0.52), "/help")
    assert judged.answers.waits == [20.0]


# Progress


@pytest.fixture
def progress(journal: Journal) -> Progress:
    return Progress(journal, lambda shown: shown.message == 77)


def test_a_table_that_stands_still_while_the_bot_is_up_is_stuck(progress: Progress, journal: Journal) -> None:
    progress.look([table()], 0.0, 1.0, 0)
    progress.look([table(seq=1)], IDLE, IDLE, 0)
    progress.look([table(seq=1)], 2 * IDLE, 2 * IDLE, 0)
    assert journal.clean
    for _ in range(2):
        progress.look([table(seq=1)], 2 * IDLE + 1, 2 * IDLE, 0)
    assert journal.found("stuck") == 1
    assert progress.stuck(1)


def test_a_paused_table_and_one_without_people_may_stand_still(progress: Progress, journal: Journal) -> None:
    for uptime in (0.0, 10 * IDLE):
        progress.look([table(paused_at=5)], uptime, uptime, 0)
    progress.playing = False
    for uptime in (10 * IDLE, 20 * IDLE):
        progress.look([table()], uptime, uptime, 0)
    assert journal.clean


def test_silence_that_does_not_end_is_stuck(progress: Progress, journal: Journal) -> None:
    late = int(1000 * OVERDUE) + 1001
    progress.look([table(due=1000)], 0.0, OVERDUE - 1, late)
    assert journal.clean
    progress.look([table(due=1000)], 0.0, OVERDUE, late)
    assert journal.found("stuck") == 1


def test_a_board_that_does_not_come_to_show_a_revision_is_stuck(progress: Progress, journal: Journal) -> None:
    behind = (Shown("board", 5, 77, 2),)
    progress.look([table(messages=behind, seq=1)], 0.0, 1.0, 0)
    progress.look([table(messages=behind, seq=2, revision=9)], BEHIND, 1.0, 0)
    assert journal.clean
    progress.look([table(messages=behind, seq=3, revision=9)], BEHIND + 1, 1.0, 0)
    assert journal.found("stuck") == 1


def test_a_deleted_board_stays_deleted_only_once_the_game_is_over(progress: Progress) -> None:
    deleted = (Shown("board", 5, 78, 2),)
    assert progress.shown(table(messages=deleted, stage="over"))
    assert not progress.shown(table(messages=deleted))
    assert not progress.shown(table(messages=(Shown("board", 5, 77, 2),), stage="over"))


# The weather


async def test_one_request_in_ten_meets_a_fault_and_none_of_an_answer_that_was_not_drawn(
    journal: Journal,
) -> None:
    here = Loopback()
    weather = Weather(here, Uptime(), journal, random.Random(1))
    weather.begin()
    met = sum(here.faults.meet("PATCH", "/channels/1/messages/2") is not None for _ in range(20_000))
    assert 0.09 < met / 20_000 < 0.11
    assert sum(weather.struck.values()) == met
    assert not any(here.faults.meet("POST", "/interactions/1/token/callback") for _ in range(1_000))
    weather.close()
    assert not any(here.faults.meet("PATCH", "/channels/1/messages/2") for _ in range(1_000))
    assert sum(weather.struck.values()) == met
    here.world.close()


# Uptime and the journal


def test_uptime_stands_still_in_gaps() -> None:
    clock = Clock()
    uptime = Uptime(clock)
    clock.now += 5
    uptime.rose()
    clock.now += 10
    assert (uptime.seconds, uptime.streak) == (10, 10)
    uptime.fell(lost=False)
    clock.now += 3
    uptime.fell(lost=True)
    assert uptime.gaps(clock.now, clock.now)[0].lost
    uptime.rose()
    clock.now += 1
    assert (uptime.seconds, uptime.streak) == (11, 1)
    assert uptime.gaps(clock.now - 0.5, clock.now) == []


class Puppet:
    """A process of the bot that lives and dies as a test says, and may be looked at as a Loopback, too."""

    running = False
    pid = None

    def __init__(self) -> None:
        self.world = self
        self.killed = asyncio.Event()
        self.started = asyncio.Event()
        self.reached = asyncio.Event()

    def listen(self, heard: Callable[[Any], None]) -> None:
        pass

    def bot(self, entry: str, **given: Any) -> Puppet:
        return self

    async def until(self, true: Callable[[], Any], seconds: float) -> None:
        await asyncio.wait_for(self.reached.wait(), 1)

    async def start(self) -> None:
        self.running = True
        self.started.set()

    async def ready(self, seconds: float) -> None:
        self.reached.set()

    async def kill(self) -> None:
        self.killed.set()
        self.reached.clear()
        asyncio.get_running_loop().call_later(0.005, setattr, self, "running", False)
        await asyncio.sleep(0.01)

    async def wait(self) -> int:
        return -9


@pytest.fixture
def puppet() -> Puppet:
    return Puppet()


@pytest.fixture
def keeper(puppet: Puppet, journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keeper:
    monkeypatch.setattr("bot.soak.keeper.WEIGHED", 0.001)
    monkeypatch.setattr("bot.soak.keeper.DOWN", (0.01, 0.02))
    monkeypatch.setattr("bot.soak.keeper.GENTLY", 0.0)
    here = cast("Loopback", puppet)
    keeper = Keeper(here, tmp_path, Uptime(Clock()), journal, random.Random(1), {}, lambda: None)
    monkeypatch.setattr(keeper, "_pressed", Always())
    return keeper


class Always:
    """An event that has always happened."""

    def clear(self) -> None:
        pass

    async def wait(self) -> bool:
        return True


async def test_a_change_that_has_begun_is_done_even_if_the_run_ends_in_the_middle_of_it(
    keeper: Keeper, puppet: Puppet, journal: Journal
) -> None:
    await keeper.start()
    run, watch = asyncio.create_task(keeper.run(0.001)), asyncio.create_task(keeper.watch())
    await puppet.killed.wait()
    run.cancel()
    await keeper.steady()
    await asyncio.sleep(0.01)  # the watch looks again
    watch.cancel()
    assert puppet.running
    assert journal.findings == []


async def test_a_bot_that_ends_by_itself_is_found_and_started_again(
    keeper: Keeper, puppet: Puppet, journal: Journal
) -> None:
    await keeper.start()
    await puppet.kill()
    puppet.started.clear()
    watch = asyncio.create_task(keeper.watch())
    await puppet.started.wait()
    watch.cancel()
    assert [finding.split(": ", 1)[1] for finding in journal.findings] == [
        "The bot ended by itself with status -9."
    ]


def test_a_finding_is_told_in_the_last_line_and_in_the_timeline(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "timeline.jsonl")
    journal.find("stuck", "Table 1 stands still.", table=1)
    journal.close()
    (line,) = (tmp_path / "timeline.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["text"] == "Table 1 stands still."
    assert not journal.clean


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('{"event": "publish_failed", "level": "error"}', "publish_failed"),
        (
            '{"event": "publish_failed", "level": "error", "exception": "Traceback:\\n  here\\nKeyError: 3"}',
            "publish_failed: KeyError: 3",
        ),
        ('{"event": "move", "level": "info"}', None),
        (
            "ERROR discord.client Ignoring exception in on_ready",
            "ERROR discord.client Ignoring exception in on_ready",
        ),
        ("Traceback (most recent call last):", None),
        ("[1]", None),
    ],
)
def test_errors_in_the_log_are_counted_by_what_they_say(line: str, error: str | None) -> None:
    assert error_of(line) == error


# The command


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--minutes", "0"], "a soak lasts more than 0"),
        (["--minutes", "soon"], "no number of minutes"),
        (["--tables", "0"], "there are 1 to 50 tables"),
        (["--seed", "x"], "no whole number"),
        (["--game", "chess"], "invalid choice"),
    ],
)
def test_a_wrong_option_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], given: list[str], sentence: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["soak", *given])
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.wire
def test_a_short_soak_with_kills_finds_nothing() -> None:
    def enough(figures: dict[str, Any]) -> bool:
        return bool(figures["moves"] >= 15 and figures["kills"] and figures["counts"].get("claims"))

    passed, figures = soak(Plan(minutes=3, seed=5, tables=2, kill_every=7.0, until=enough))
    assert figures["findings"] == []
    assert passed
    assert figures["moves"] > 0
    assert figures["kills"] > 0
    assert figures["faults"] > 0
    assert figures["counts"]["claims"] > 0
    assert figures["counts"]["looked_through"] > 0
    assert figures["counts"]["log_lines"] > 0


@pytest.mark.wire
def test_a_bot_that_does_what_none_may_do_does_not_pass() -> None:
    def enough(figures: dict[str, Any]) -> bool:
        return all(figures[defect] for defect in ("leaks", "lost", "reports", "moves"))

    plan = Plan(minutes=3, seed=2, tables=2, kill_every=0, entry="tests.rogue_bot:main", until=enough)
    passed, figures = soak(plan)
    assert not passed
    assert figures["leaks"] > 0
    assert figures["lost"] > 0
    assert figures["reports"] > 0
    folder = Path(figures["folder"])
    kinds = {json.loads(line)["kind"] for line in (folder / "timeline.jsonl").read_text("utf-8").splitlines()}
    assert {"finding", "interaction", "move", "ready"} <= kinds
    shutil.rmtree(folder)
