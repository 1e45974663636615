"""``wordmoot bench``: speed and memory, one JSON line a figure.

A figure is a median (or the quantile that it names) of one run. What can be a ratio is one, against a baseline of the
same run, so that it means the same on any machine; ``limit`` is what the project promises and ``within`` whether this
run kept it. Nothing here fails a test: clocks of a busy machine are no judges.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import discord
import msgspec
from discord.ext import commands

import render.defenders
from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.defenders.state import Agree, Contribute, NoWord, Object, Propose, View
from bot.loopback.server import Loopback
from bot.simulate import Automata
from bot.store.backup import census
from bot.store.store import Store
from bot.tables.answer import Answer
from bot.tables.bench import Hasty
from bot.tables.clock import wall_clock
from bot.tables.easel import Easel
from bot.tables.face import Face, Picture
from bot.tables.hands import Hands
from bot.tables.layout import Address, Epoch
from bot.tables.publisher import Publisher
from bot.tables.service import Service
from bot.tables.worker import Worker
from bot.words.lexicon import Lexicon
from cogs.defenders import DefendersFace

Figure = dict[str, Any]
PARTS = ("words", "render", "tables", "loop", "wire", "idle", "start", "backup", "memory", "dungeon")
CLICKS = 400
WARM = 40
STARTED = 1_000  # tables
QUIET = 3.0  # s without work, after which nothing more is sent
IDLE = 0.05  # of a processor
PLAYED = 50_000  # moves
SETTLED = 20_000  # moves until caches are full, the largest of 512 tables
SITTING = 26  # moves at one table, beside those with which each begins


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``wordmoot bench``."""
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all by default")


def run(arguments: argparse.Namespace) -> int:
    """Print every figure as soon as it is measured; returns 2 for an unknown part."""
    wanted = arguments.parts or list(PARTS)
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        print(f"wordmoot bench knows no {', '.join(unknown)}; it has {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    for part in wanted:
        print(f"measuring {part}", file=sys.stderr, flush=True)
        for figure in _figures(part):
            limit, at_least = figure.get("limit"), figure.pop("at_least", False)
            value = figure["value"]
            within = None if limit is None else value >= limit if at_least else value <= limit
            print(json.dumps({"part": part, **figure, "within": within}), flush=True)
    return 0


def _figures(part: str) -> Iterator[Figure]:
    match part:
        case "words":
            yield from importlib.import_module("bot.words.bench").figures()
        case "render":
            yield from importlib.import_module("render.bench").figures()
        case "tables":
            yield from importlib.import_module("bot.tables.bench").figures()
        case "loop":
            yield from asyncio.run(_all(_loop_lag()))
        case "wire":
            yield from asyncio.run(_all(_wire()))
        case "idle":
            yield from asyncio.run(_all(_idle()))
        case "start":
            yield from asyncio.run(_all(_calm()))
        case "backup":
            yield from importlib.import_module("bot.store.bench").figures()
        case "memory":
            yield from asyncio.run(_all(_flat()))
        case "dungeon":
            yield from importlib.import_module("bot.bench_dungeon").figures()


async def _all(figures: AsyncIterator[Figure]) -> list[Figure]:
    return [figure async for figure in figures]


def quantile(values: list[float], share: float) -> float:
    """Return the value below which ``share`` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


# The event loop while pictures are drawn and automata think


def midgame(moves: int = 60) -> Any:
    """Return the state of a game of four automata about to form a word, after ``moves`` moves or more."""
    game = GAMES["defenders"]
    table = Automata(
        game, game.options.load(b'{"level": 3}'), seats=4, seed=b"bench", skill=1, lexicon=Lexicon.load()
    )  # fmt: skip
    for step in table:
        if step.seq >= moves and step.state.public.phase == "word" and step.state.public.proposal is None:
            return step.state
    raise RuntimeError("the game was over before its middle")


async def _loop_lag() -> AsyncIterator[Figure]:
    game = GAMES["defenders"]
    state = midgame()
    everyone: View = game.seen_by(state, None)
    names = ("Ada", "Ben", "Cleo", "Dan")
    picture = Picture("board.png", "", b"", lambda: render.defenders.board(everyone, names))
    easel, worker = Easel(), Worker()
    asked = msgspec.structs.replace(everyone.public, ideas=True)
    views = [msgspec.structs.replace(game.seen_by(state, seat), public=asked) for seat in range(4)]

    async def think(seat: int) -> Any:
        return await worker.choose(game, views[seat], seat, 2, 10**9, Chance(b"bench", 1, f"choose/{seat}"))

    async def work() -> None:
        boards = [easel.draw(picture) for _ in range(20)]
        await asyncio.gather(*boards, *(think(seat) for seat in range(4)))

    try:
        await work()  # starts the worker, fills the caches
        lags: list[float] = []
        for _ in range(5):
            task = asyncio.create_task(work())
            while not task.done():
                before = time.perf_counter()
                await asyncio.sleep(0.001)
                lags.append((time.perf_counter() - before - 0.001) * 1000)
            await task
        yield {
            "figure": "event loop lag, 20 boards and 4 automata, p99",
            "value": round(quantile(lags, 0.99), 2), "unit": "ms", "limit": 20,
        }  # fmt: skip
        yield {
            "figure": "event loop lag, 20 boards and 4 automata, longest",
            "value": round(max(lags), 2), "unit": "ms", "limit": 20,
        }  # fmt: skip
    finally:
        easel.close()
        await worker.close()


# From the interaction's frame to the callback


class Bare(commands.Bot):
    """The baseline: discord.py, the way a press takes through our router, and an answer of type 6 at its end."""

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True), guild_ready_timeout=0.05)
        self.easel = Easel()

    async def setup_hook(self) -> None:
        """Offer one command, whose message has the button to press."""

        @self.tree.command(name="board", description="A board")
        async def board(interaction: discord.Interaction[Any]) -> None:
            view = discord.ui.LayoutView(timeout=None)
            button: discord.ui.Button[Any] = discord.ui.Button(
                label="Object", custom_id=str(Address(1, Epoch(7, everyone=True), "object", ""))
            )
            view.add_item(discord.ui.ActionRow(button))
            view.stop()
            await interaction.response.send_message(view=view)

        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press."""
        data: Any = interaction.data or {}
        if Address.parse(str(data.get("custom_id", ""))) is not None:
            answer = Answer(interaction, self.easel)
            try:
                await answer.done()
            finally:
                answer.close()


def bare() -> int:
    """Run the baseline as ``bot.loopback.launch`` runs a bot."""
    Bare().run(os.environ["WORDMOOT_TOKEN"], log_handler=None)
    return 0


async def _press(world: Loopback, name: str, find: Callable[[], Any], label: str) -> float:
    interaction = await world.person(name).click(find(), label=label)
    assert not interaction.failed
    assert interaction.waited is not None
    return interaction.waited * 1000


async def _wire() -> AsyncIterator[Figure]:
    players = ("Ada", "Ben", "Cleo")
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Loopback(players=players) as plain,
            Loopback(players=players) as full,
            plain.bot("bot.bench:bare"),
            full.bot(data=Path(folder), settings={"WORDMOOT_READY_TIMEOUT": "0.05"}),
        ):
            await plain.person("Ada").slash("#games", "board")
            await open_table(full, players)
            await full.person("Ada").slash("#games", "defenders pass")
            await full.until(lambda: _says(full, "Before the team"))
            bare_times, times = [], []
            for click in range(CLICKS + WARM):
                bare_times.append(
                    await _press(plain, "Ben", lambda: plain.person("Ben").last("#games"), "Object")
                )
                label = "Agree" if click % 2 else "Object"
                times.append(await _press(full, "Ben", lambda: board(full), label))
            for share, limit in ((0.5, 2.0), (0.99, 4.0)):
                base = quantile(bare_times[WARM:], share)
                mine = quantile(times[WARM:], share)
                yield {
                    "figure": f"click to answer, committed first, against type 6, p{share * 100:.0f}",
                    "value": round(mine / base, 2), "unit": "ratio", "limit": limit,
                    "baseline": round(base, 3), "ms": round(mine, 3),
                }  # fmt: skip


def board(world: Loopback) -> Any:
    """Return the newest message in #games that everyone sees and can press."""
    return [message for message in _said(world) if message.labels][-1]


def _said(world: Loopback) -> list[Any]:
    return [message for message in world.person("Ada").sees("#games") if not message.ephemeral]


def _says(world: Loopback, text: str) -> bool:
    """Whether there is a board and this stands on it."""
    shown = [message for message in _said(world) if message.labels]
    return bool(shown) and text in shown[-1].text


async def open_table(world: Loopback, players: tuple[str, ...]) -> None:
    """Open a table of Defenders for three, start it and contribute, so that it waits for a word."""
    await begin(world, players)
    for name in players:
        hand = await world.person(name).click(board(world), label="My rack")
        assert hand.message is not None
        give = next(button for button in hand.message.custom_ids if ":give:" in button)
        await world.person(name).click(hand.message, custom_id=give)
    await world.until(lambda: _says(world, "Form a word"))


async def begin(world: Loopback, players: tuple[str, ...]) -> None:
    """Open a table of Defenders and start it."""
    await world.person(players[0]).slash("#games", "play defenders")
    await world.until(lambda: _says(world, "Seats"))
    for name in players[1:]:
        await world.person(name).click(board(world), label="Join")
        await world.until(partial(_says, world, name))
    await world.person(players[0]).click(board(world), label="Start")
    await world.until(lambda: _says(world, "Waiting for"))


# Memory and start


def resident(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def home() -> int:
    """Return the id of the server that a Discord on this machine has."""
    return int(Loopback().world.guild_id)


async def _start(folder: Path) -> tuple[float, float]:
    """Start the bot on a folder; returns the seconds to its first answer and its memory a moment later, in MB."""
    async with Loopback() as world:
        process = world.bot(data=folder, settings={"WORDMOOT_READY_TIMEOUT": "0.05"})
        begun = time.perf_counter()
        async with process:
            await world.until(
                lambda: any(item["name"] == "help" for item in world.person("Ada").commands("#games"))
            )
            answer = await world.person("Ada").slash("#games", "help")
            assert not answer.failed
            seconds = time.perf_counter() - begun
            await asyncio.sleep(3)
            assert process.pid is not None
            return seconds, resident(process.pid)


async def _idle() -> AsyncIterator[Figure]:
    tables = importlib.import_module("bot.tables.bench")
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as full:
        await tables.fill(Path(full) / "wordmoot.db", 10_000, home())
        seconds, memory = await _start(Path(empty))
        yield {"figure": "idle memory", "value": round(memory, 1), "unit": "MB", "limit": 150}
        later, more = await _start(Path(full))
        yield {
            "figure": "memory added by 10,000 stored live tables",
            "value": round(more - memory, 1), "unit": "MB", "limit": 5, "baseline": round(memory, 1),
        }  # fmt: skip
        yield {
            "figure": "start with 10,000 stored live tables, to the first answer",
            "value": round(later, 2), "unit": "s", "limit": 3, "baseline": round(seconds, 2),
        }  # fmt: skip


def worked(pid: int) -> float:
    """Return the seconds of a processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _quiet(pid: int) -> None:
    """Wait until a process has nothing to do for a while."""
    before = -1.0
    while (now := worked(pid)) - before > IDLE * QUIET:
        before = now
        await asyncio.sleep(QUIET)


async def _calm() -> AsyncIterator[Figure]:
    """Start on a thousand live tables that Discord has long shown as they are: quickly, and without a word."""
    stored = importlib.import_module("bot.store.bench")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wordmoot.db"
        settings = {
            "WORDMOOT_READY_TIMEOUT": "0.05",
            "WORDMOOT_PACE": "0",
            "WORDMOOT_TABLES_PER_PLAYER": "9999",
        }
        async with Loopback(players=("Ada", "Ben")) as world:
            ada = world.person("Ada")
            async with world.bot(data=Path(folder), settings=settings):
                await begin(world, ("Ada",))
                await world.until(lambda: ada.sees(ada.dm()) and not census(path).behind)
            stored.copied(path, STARTED - 1)
            async with world.bot(data=Path(folder), settings=settings):
                await world.until(lambda: not census(path).behind, 300)
            stored.age(path, 2 * 3_600_000)
            stopped = census(path).beat
            world.world.exchanges.clear()
            begun = time.perf_counter()
            async with world.bot(data=Path(folder), settings=settings) as process:
                await world.until(lambda: census(path).beat != stopped, 60)  # it beats when it is ready
                answer = await ada.slash("#games", "help")
                assert not answer.failed
                seconds = time.perf_counter() - begun
                assert process.pid is not None
                await _quiet(process.pid)
            sent = [one for one in world.world.exchanges if one.method != "GET" and "/channels" in one.path]
        found = census(path)
        assert (found.live, found.paused) == (STARTED, 0)
    yield {
        "figure": f"start with {STARTED:,} live tables, until ready and the first answer",
        "value": round(seconds, 2), "unit": "s", "limit": 5,
    }  # fmt: skip
    yield {
        "figure": f"messages sent by a start at which all of {STARTED:,} tables are shown as they are",
        "value": len(sent), "unit": "messages", "limit": 0,
    }  # fmt: skip


class Nowhere:
    """A Discord that takes whatever is sent, at once, and keeps nothing: bot, channels and messages in one.

    With it the memory of the host alone is measured, and fifty thousand moves take minutes instead of an hour.
    """

    unavailable = False
    jump_url = "nowhere"

    def __init__(self, number: int = 0) -> None:
        self.id = number
        self.channel = self

    def _at(self, number: int) -> Nowhere:
        return Nowhere(number)

    get_channel = get_guild = get_partial_messageable = get_partial_message = _at

    async def create_dm(self, user: discord.Object) -> Nowhere:
        """Return the private channel of a person."""
        return Nowhere(user.id)

    async def send(self, *, file: discord.File | None = None, **content: Any) -> Nowhere:
        """Take a message."""
        if file is not None:
            file.close()
        sent = Nowhere(discord.utils.time_snowflake(discord.utils.utcnow()))
        sent.channel = self
        return sent

    async def edit(self, *, attachments: list[discord.File], **content: Any) -> None:
        """Take an edit."""
        for file in attachments:
            file.close()


async def _flat() -> AsyncIterator[Figure]:
    """Play on and on, table after table; memory must not grow with it."""
    nowhere: Any = Nowhere()
    easel = Easel()
    memory: list[tuple[int, float]] = []  # moves, MB
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "wordmoot.db", connection=Hasty)
        service = Service(store, GAMES, Lexicon.load(), wall_clock)
        faces: dict[str, Face] = {DefendersFace.key: DefendersFace()}
        publisher = Publisher(nowhere, service, faces, easel, Hands(nowhere, store, gap=0), pace=0)
        service.listen(publisher.committed)
        try:
            moves = 0
            while moves < PLAYED + SETTLED:
                moves += await _evening(service)
                memory.append((moves, resident(os.getpid())))
        finally:
            await publisher.close()
            easel.close()
            await store.close()
    settled = [sample for sample in memory if sample[0] >= SETTLED]
    yield {
        "figure": f"memory that {PLAYED:,} moves add, per 10,000", "value": round(slope(settled) * 10_000, 2),
        "unit": "MB", "limit": 1, "baseline": round(settled[0][1], 1), "mb": round(settled[-1][1], 1),
        "tables": len(settled),
    }  # fmt: skip


async def _evening(service: Service) -> int:
    """Open a table in a thread of its own, play there and end it; returns the number of moves."""
    users = (101, 102, 103)
    table = (await service.open("defenders", 1, 2, users[0], "Ada")).id
    await service.set_place(table, channel=2, thread=1_000 + table)
    for user in users[1:]:
        await service.join(table, user, f"Player {user}")
    await service.start(table, users[0])
    for seat, user in enumerate(users):
        rack = (await service.view(table, seat)).rack
        await service.play(table, seat, Contribute(rack[:1]), by=user)
    await service.play(table, 0, Propose(NoWord()), by=users[0])
    for move in range(SITTING):
        await service.play(table, 1, Agree() if move % 2 else Object(), by=users[1])
    for user in users:
        await service.end(table, user)
    return SITTING + len(users) + 1


def slope(samples: list[tuple[int, float]]) -> float:
    """Return by how much the second values rise with the first, by least squares."""
    count = len(samples)
    middle, level = (sum(values) / count for values in zip(*samples, strict=True))
    spread = sum((x - middle) ** 2 for x, _ in samples)
    return float(sum((x - middle) * (y - level) for x, y in samples) / spread)
