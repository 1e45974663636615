"""The worker process: thoughts beside the loop, and a new process when one is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.games.chance import Chance
from bot.games.game import Moment, Words
from bot.tables.automata import Automata
from bot.tables.worker import Busy, Inline, Minds, Thinker, Worker, WorkerError, views
from tests.games.toy import TOY, Seal
from tests.tables.hosting import ADA, Hosting, Vowels, minds

ROOT = Path(__file__).resolve().parent.parent.parent


def where(minds: Minds) -> int:
    return os.getpid()


def legal(minds: Minds, word: str) -> bool:
    return minds.lexicon.legal(word)


def fails(minds: Minds) -> None:
    raise ZeroDivisionError("a thought that fails")


def sleeps(minds: Minds, seconds: float) -> None:
    time.sleep(seconds)


def dies(minds: Minds, times: Path) -> int:
    """Kill the process until the file has as many lines as ``times`` allows."""
    count = len(times.read_text().split())
    times.write_text(f"{'x ' * (count + 1)}")
    if count < int(times.with_suffix(".most").read_text()):
        os.kill(os.getpid(), signal.SIGKILL)
    return count


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    started = Worker(minds, queue=3)
    yield started
    await started.close()


def dealt() -> Any:
    return TOY.deal(3, TOY.options.load(b"{}"), Moment(0, Chance(b"seed", 0, "play"), Words(Vowels())))


async def test_an_automaton_thinks_in_a_process_of_its_own_and_as_it_would_here(worker: Worker) -> None:
    assert worker.pid is None  # started by the first thought
    state = dealt()
    for seat in range(3):
        view = TOY.seen_by(state, seat)
        given = (TOY, view, seat, 2, 50, Chance(b"seed", 0, f"choose/{seat}"))
        plan = await worker.choose(*given)
        assert plan == await Inline(minds()).choose(*given)
        assert plan is not None
        assert isinstance(plan.move, Seal)
    assert await worker.think(where) == worker.pid != os.getpid()
    assert [await worker.think(legal, word) for word in ("TEA", "TTT")] == [True, False]


async def test_nothing_to_do_comes_back_as_nothing(worker: Worker) -> None:
    public = msgspec.structs.replace(dealt().public, phase="over")
    view = TOY.seen_by(msgspec.structs.replace(dealt(), public=public), 0)
    assert await worker.choose(TOY, view, 0, 1, 0, Chance(b"", 0, "x")) is None


def test_a_view_survives_its_codec() -> None:
    codec, state = views(TOY), dealt()
    for seat in (None, 0, 1, 2):
        view = TOY.seen_by(state, seat)
        assert codec.load(codec.dump(view)) == view


async def test_a_thought_that_fails_tells_why_and_the_next_is_thought(worker: Worker) -> None:
    with pytest.raises(WorkerError, match="a thought that fails"):
        await worker.think(fails)
    first = worker.pid
    assert await worker.think(where) == first
    with pytest.raises(WorkerError, match="a thought that fails"):
        await Inline(minds()).think(fails)


async def test_a_killed_process_is_replaced_and_its_thought_thought_again(
    worker: Worker, tmp_path: Path
) -> None:
    first = await worker.think(where)
    os.kill(first, signal.SIGKILL)
    assert await worker.think(where) != first
    times = tmp_path / "times"
    times.write_text("")
    times.with_suffix(".most").write_text("1")
    assert await worker.think(dies, times) == 1  # killed once, answered then


async def test_a_thought_that_kills_its_process_twice_is_given_up(worker: Worker, tmp_path: Path) -> None:
    times = tmp_path / "times"
    times.write_text("")
    times.with_suffix(".most").write_text("99")
    with pytest.raises(WorkerError, match="died of dies"):
        await worker.think(dies, times)
    assert len(times.read_text().split()) == 2
    assert await worker.think(legal, "TEA")


async def test_a_thought_without_end_is_ended() -> None:
    worker = Worker(minds)
    try:
        first = await worker.think(where)
        worker._limit = 0.3
        with pytest.raises(WorkerError, match=r"sleeps took more than 0\.3 s"):
            await worker.think(sleeps, 600)
        worker._limit = 20
        assert await worker.think(where) != first
    finally:
        await worker.close()


async def test_the_loop_goes_on_while_the_worker_thinks_and_a_full_queue_says_so(worker: Worker) -> None:
    await worker.think(where)
    waiting = [asyncio.create_task(worker.think(sleeps, 0.1)) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await worker.think(where)
    turns = 0
    while not all(task.done() for task in waiting):
        await asyncio.sleep(0.005)
        turns += 1
    assert turns > 3
    await asyncio.gather(*waiting)
    assert await worker.think(legal, "TEA")


async def test_who_gives_up_waiting_leaves_the_queue_in_order(worker: Worker) -> None:
    await worker.think(where)
    tasks = [asyncio.create_task(worker.think(sleeps, 0.05)) for _ in range(3)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for _ in range(400):
        if worker._waiting == 0:
            break
        await asyncio.sleep(0.005)
    assert await worker.think(legal, "TEA")


async def test_closing_ends_the_process_also_in_the_middle_of_a_thought() -> None:
    worker = Worker(minds)
    pid = await worker.think(where)
    thinking = asyncio.create_task(worker.think(sleeps, 600))
    await asyncio.sleep(0.05)
    await worker.close()
    await worker.close()
    with pytest.raises(Busy):
        await thinking
    assert gone(pid)
    with pytest.raises(Busy):
        await worker.think(where)


@pytest.mark.parametrize("thinking", [False, True])
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_a_bot_that_is_killed_leaves_no_worker_behind(thinking: bool, tmp_path: Path) -> None:
    script = tmp_path / "bot_process.py"
    script.write_text(
        "import asyncio, time\n"
        "from bot.tables.worker import Worker\n"
        "from tests.tables.hosting import minds\n"
        "from tests.tables.test_worker import sleeps, where\n"
        "async def main():\n"
        "    worker = Worker(minds)\n"
        "    print(await worker.think(where), flush=True)\n"
        f"    if {thinking}:\n"
        "        await worker.think(sleeps, 600)\n"
        "    time.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    bot = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    assert bot.stdout is not None
    pid = int(bot.stdout.readline())
    if thinking:
        time.sleep(0.2)
    assert not gone(pid)
    bot.kill()
    bot.wait()
    bot.stdout.close()
    for _ in range(400):
        if gone(pid):
            break
        time.sleep(0.02)
    assert gone(pid)


def gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for still has an entry, as a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


async def test_automata_play_through_the_process(host: Hosting, worker: Worker) -> None:
    table = await host.live((ADA,), automata=(0, 2))
    automata = Automata(host.service, worker)
    host.sleep(2_500)
    for _ in range(4):
        await automata.act(table)
    moved = {logged.seat for logged in await host.store.log(table)}
    assert moved <= {1, 2}
    assert isinstance(worker, Thinker)


class Seeking(type(TOY)):  # type: ignore[misc]
    key = "seeking"

    def search(self, verb: str, view: Any, seat: int, at: Moment) -> tuple[str, str, int, bool]:
        return verb, view.hand[0], seat, at.words.legal("TEA")


def seeking() -> Minds:
    return Minds({"seeking": Seeking()}, Vowels())


async def test_a_game_looks_something_up_for_a_player_in_the_process() -> None:
    worker = Worker(seeking)
    try:
        view = TOY.seen_by(dealt(), 1)
        assert await worker.search(Seeking(), "hint", view, 1) == ("hint", view.hand[0], 1, True)
    finally:
        await worker.close()
