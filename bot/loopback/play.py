"""``wordmoot play``: a Discord on this machine, the bot in it, and a page on which to play; no token, no network.

The bot runs as a process of its own and is started again when it ends. The world and the bot's database stay in one
folder, so tables go on after a restart of everything. Players who were added on the page come back too. What the bot
logs goes into a file of that folder, so that what is printed here stays readable.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from bot.loopback.archive import Archive
from bot.loopback.local import BadLuck
from bot.loopback.model import User
from bot.loopback.server import Loopback
from bot.loopback.snowflake import named
from bot.loopback.world import World

LOG = "bot.log"  # in the folder; that of the run before is bot.log.1
MESSAGES_KEPT = 3000  # of each channel, from one run to the next

_STEADY_SECONDS = 30  # a bot that ran for so long is started again at once
_LONGEST_PAUSE = 15.0
_PAUSE_AFTER_KILL = 3.0  # long enough to see on the page what a bot that is gone looks like


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--port", type=_port, default=8420, help="port of the page on 127.0.0.1 (default: 8420)"
    )
    parser.add_argument(
        "--players",
        type=_names,
        default=("Ada", "Ben", "Cleo"),
        metavar="NAME,NAME,…",
        help="who plays (default: Ada,Ben,Cleo)",
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(".wordmoot/play"),
        metavar="FOLDER",
        help="where the world and the tables are kept (default: .wordmoot/play)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM; returns the exit status: 1 when port or folder cannot be used."""
    os.umask(0o077)  # the world and the bot's log are as private as its database
    return asyncio.run(_serve(arguments.port, arguments.players, arguments.data))


class Playground(Loopback):
    """A Discord on this machine that keeps its bot running and remembers everything in one folder.

    Its page offers bad luck and takes new players.

    Args:
        port: of 127.0.0.1; 0 takes a free one.
        players: who plays, beside those who were added in earlier runs.
        data: the folder of the world and of the bot's database.
        entry: ``module:function`` that runs the bot.
        path: more folders to import it from.
        settings: more variables of its environment.
        pause: seconds for which the bot is gone when a player has killed it.
    """

    def __init__(
        self,
        port: int,
        players: Sequence[str],
        data: Path,
        *,
        entry: str = "bot.app:main_bot",
        path: Sequence[Path] = (),
        settings: dict[str, str] | None = None,
        pause: float = _PAUSE_AFTER_KILL,
    ) -> None:
        self._added = data / "players.txt"
        super().__init__(port, (*players, *_lines(self._added)), data=data)
        prune(self.world, MESSAGES_KEPT)
        self.process = self.bot(entry, data=data, path=path, settings=settings)
        self._pause = pause
        self._killed = False
        self._keeper: asyncio.Task[None] | None = None
        self._local.luck = BadLuck(self.world, self.gateway, self.faults, self.process, self._kill)
        self._local.keep_player = self._remember_player

    async def start(self) -> None:
        """Listen, and start the bot; OSError if the port is taken."""
        await super().start()
        await self.process.start()
        self._keeper = asyncio.create_task(self._keep_running())

    async def stop(self) -> None:
        """End the bot, close every socket and the world."""
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
        await super().stop()

    async def _keep_running(self) -> None:
        """Start the bot again whenever it ends."""
        pause = 1.0
        while True:
            began = time.monotonic()
            status = await self.process.wait()
            pause = 1.0 if time.monotonic() - began > _STEADY_SECONDS else min(2 * pause, _LONGEST_PAUSE)
            if self._killed:
                pause, self._killed = self._pause, False
            _say(f"The bot ended with status {status}; starting it again in {pause:.0f} s.")
            await asyncio.sleep(pause)
            await self.process.start()

    async def _kill(self) -> None:
        self._killed = self.process.running
        await self.process.kill()

    def _remember_player(self, name: str) -> None:
        with self._added.open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")
        archive = Archive(self._added.with_name("world.db"))
        archive.keep(User(id=named("user", name), name=name))
        archive.close()


def logged_bot() -> int:
    """Run the bot, in its own process, with all its output in its data folder; returns its exit status."""
    path = Path(os.environ["WORDMOOT_DATA"]) / LOG
    with path.open("ab") as file:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(file.fileno(), stream.fileno())
    status: int | None = importlib.import_module("bot.app").main_bot()
    return status or 0


def prune(world: World, kept: int) -> None:
    """Forget all but the newest `kept` messages of each channel, with their files."""
    for place in list(world.channels.values()):
        for said in world.said_in(place)[:-kept]:
            world.delete(said)


async def _serve(port: int, players: tuple[str, ...], data: Path) -> int:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, ended.set)
    try:
        server = Playground(port, players, data, entry=f"{__name__}:{logged_bot.__name__}")
        with contextlib.suppress(FileNotFoundError):
            (data / LOG).replace(data / f"{LOG}.1")
    except (OSError, UnicodeDecodeError, sqlite3.Error) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        print(f"The folder {data} cannot be used: {reason}.", file=sys.stderr)
        return 1
    try:
        await server.start()
    except OSError as error:
        print(f"Port {port} of 127.0.0.1 cannot be used: {error.strerror}.", file=sys.stderr)
        server.world.close()
        return 1
    _welcome(server.address, [user.name for user in server.world.players], data)
    await ended.wait()
    _say("Stopping.")
    await server.stop()
    return 0


def _welcome(address: str, players: Sequence[str], data: Path) -> None:
    _say(f"Local play, kept in {data}. Open a tab for each player:")
    width = max(map(len, players))
    for name in players:
        _say(f"  {name:<{width}}  {address}/?player={quote(name)}")
    _say(
        "There, /play defenders or /play dungeon opens a table, /dungeon solo is for one, /help tells the rest."
    )
    _say(f"The bot's log is {data / LOG}. Ctrl-C stops.")


def _say(line: str) -> None:
    print(line, flush=True)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535, or 0 for any that is free")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise argparse.ArgumentTypeError("at least one player is needed")
    if any(len(name) > 32 for name in names):
        raise argparse.ArgumentTypeError("a name has at most 32 characters")
    return names
