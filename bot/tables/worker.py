"""Where automata, hints and solvers think: one process beside the bot, so that the loop never waits for them.

A thought is a function of a module, called as ``function(minds, …)`` in the other process with bytes and plain
values; ``choose`` asks a game's automaton, ``search`` finds a hint. Views go in and moves come out as the game's own bytes: an
automaton has nothing before it but what its seat may know. The process is started by the first thought and loads its
own lexicon; when it dies, by a kill or a thought that takes longer than ``LIMIT``, the next thought starts a new one.
It ends when the bot does, whatever the bot died of, and in the middle of a thought, too.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

import msgspec

from bot.games.chance import Chance
from bot.games.game import Codec, Game, Lexicon, Moment, Plan, Words

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

AnyGame = Game[Any, Any, Any, Any, Any]
T = TypeVar("T")

QUEUE = 8
LIMIT = 20.0  # seconds; skill is a budget of nodes, so only a fault comes near
NOTHING: Mapping[str, bool] = MappingProxyType({})
START = 120.0  # seconds, for a slow machine to start the process and load the lexicon


class Busy(Exception):  # noqa: N818 - an answer rather than a fault
    """Eight thoughts are waiting already, or the bot is about to end. Try again in a moment."""


class WorkerError(Exception):
    """A thought failed, took too long, or its process died twice. The text is for the log, not for players."""


class Minds(msgspec.Struct, frozen=True):
    """What a thought may know besides its arguments."""

    games: Mapping[str, AnyGame]
    lexicon: Lexicon


class Thinker(ABC):
    """Where thoughts are thought: ``Worker`` in its process, ``Inline`` on the spot."""

    @abstractmethod
    async def think(self, thought: Callable[..., T], *given: Any) -> T:
        """Return ``thought(minds, *given)``; raises Busy and WorkerError."""

    @abstractmethod
    async def close(self) -> None:
        """Stop thinking; once more does nothing."""

    async def choose(
        self, game: AnyGame, view: Any, seat: int, skill: int, now: int, chance: Chance,
        known: Mapping[str, bool] = NOTHING,
    ) -> Plan[Any] | None:  # fmt: skip
        """Ask a game's automaton for its plan; ``now`` and the plan's ``at`` are table time.

        ``known``: the words that the table's server has added or barred.
        """
        answer = await self.think(
            _chosen, game.key, views(game).dump(view), seat, skill, now, chance, dict(known)
        )
        if answer is None:
            return None
        move, at = answer
        return Plan(None if move is None else game.moves.load(move), at)

    async def search(
        self, game: AnyGame, verb: str, view: Any, seat: int, known: Mapping[str, bool] = NOTHING
    ) -> Any:
        """Let the game look something up for a player, such as a hint: ``game.search(verb, view, seat, moment)``.

        The moment's time is 0 and its chance the same each time. What is found must be a value that can be pickled.
        """
        return await self.think(_found, game.key, verb, views(game).dump(view), seat, dict(known))


def everything() -> Minds:
    """Return the real games and the real lexicon."""
    from bot.games import GAMES  # here, since only the process needs them all
    from bot.words.lexicon import Lexicon

    return Minds(GAMES, Lexicon.load())


def views(game: AnyGame) -> Codec[Any]:
    """Return the codec of a game's views: of the type that its ``seen_by`` says it returns."""
    return _views(type(game))


@cache
def _views(game: type[AnyGame]) -> Codec[Any]:
    return Codec(get_type_hints(game.seen_by)["return"])


def _chosen(
    minds: Minds, key: str, view: bytes, seat: int, skill: int, now: int, chance: Chance,
    known: Mapping[str, bool],
) -> tuple[bytes | None, int] | None:  # fmt: skip
    game = minds.games[key]
    plan = game.choose(views(game).load(view), seat, skill, Moment(now, chance, Words(minds.lexicon, known)))
    if plan is None:
        return None
    return None if plan.move is None else game.moves.dump(plan.move), plan.at


def _found(minds: Minds, key: str, verb: str, view: bytes, seat: int, known: Mapping[str, bool]) -> Any:
    game = minds.games[key]
    moment = Moment(0, Chance(b"", 0, verb), Words(minds.lexicon, known))
    return game.search(verb, views(game).load(view), seat, moment)


class Inline(Thinker):
    """A thinker that thinks on the spot, for tests and tools; through the same bytes as the process."""

    def __init__(self, minds: Minds) -> None:
        self._minds = minds

    async def think(self, thought: Callable[..., T], *given: Any) -> T:
        """Return ``thought(minds, *given)``; raises WorkerError."""
        try:
            return thought(self._minds, *given)
        except Exception as error:
            raise WorkerError(traceback.format_exc()) from error

    async def close(self) -> None:
        """Do nothing."""


class Worker(Thinker):
    """The thinker in a process of its own, one thought at a time.

    Args:
        minds: a function of a module that returns what thoughts may know; it is called in the process.
        queue: how many thoughts may wait or be thought before ``Busy``.
        limit: seconds after which a thought is given up and its process killed.
    """

    def __init__(
        self, minds: Callable[[], Minds] = everything, *, queue: int = QUEUE, limit: float = LIMIT
    ) -> None:
        self._minds = minds
        self._queue = queue
        self._limit = limit
        self._waiting = 0
        self._closed = False
        self._guard = threading.Lock()
        self._process: Any = None
        self._pipe: Connection | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="worker")

    @property
    def pid(self) -> int | None:
        """The process, when one runs."""
        return None if self._process is None else self._process.pid

    async def think(self, thought: Callable[..., T], *given: Any) -> T:
        """Return ``thought(minds, *given)`` of the process; raises Busy and WorkerError."""
        if self._closed or self._waiting >= self._queue:
            raise Busy
        self._waiting += 1
        future = asyncio.get_running_loop().run_in_executor(
            self._thread, partial(self._ask, (thought, given))
        )
        future.add_done_callback(self._answered)
        answer: T = await future
        return answer

    async def close(self) -> None:
        """End the process; thoughts that wait fail. Once more does nothing."""
        if self._closed:
            return
        self._closed = True
        self._stop()
        await asyncio.get_running_loop().run_in_executor(
            None, partial(self._thread.shutdown, cancel_futures=True)
        )
        self._stop()  # had a thought been about to start one

    def _answered(self, future: asyncio.Future[Any]) -> None:
        self._waiting -= 1
        if not future.cancelled():
            future.exception()  # who asked may be gone; nobody else wants to know

    # In the thread

    def _ask(self, question: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:
        name = question[0].__name__
        for last in (False, True):
            try:
                pipe = self._started()
                pipe.send(question)
                good, answer = self._received(pipe, self._limit, name)
            except (EOFError, OSError) as error:
                self._stop()
                if self._closed:
                    raise Busy from error
                if last:
                    raise WorkerError(f"the process died of {name}") from error
                continue
            if good:
                return answer
            raise WorkerError(answer)
        raise AssertionError("the second attempt returns or raises")

    def _received(self, pipe: Connection, limit: float, what: str) -> Any:
        if not pipe.poll(limit):
            self._stop()
            raise WorkerError(f"{what} took more than {limit:g} s")
        return pipe.recv()

    def _started(self) -> Connection:
        with self._guard:
            if self._closed:
                raise Busy
            if self._pipe is not None and self._process.is_alive():
                return self._pipe
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            self._process = context.Process(
                target=_work, args=(theirs, self._minds), daemon=True, name="wordmoot-worker"
            )
            self._pipe = ours
            self._process.start()
            theirs.close()
        self._received(ours, START, "the start")
        return ours

    def _stop(self) -> None:
        with self._guard:
            process, pipe = self._process, self._pipe
            self._process = self._pipe = None
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()


def _work(pipe: Connection, minds: Callable[[], Minds]) -> None:
    """Answer one question after another until the bot's end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the bot's to hear; it then closes the pipe
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    os.nice(5)
    known = minds()
    pipe.send("ready")
    while True:
        try:
            thought, given = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (True, thought(known, *given))
        except Exception:
            answer = (False, traceback.format_exc())
        pipe.send(answer)


def _end_with_the_bot() -> None:
    bot = multiprocessing.parent_process()
    assert bot is not None, "a process that the worker has started"
    bot.join()
    os._exit(1)
