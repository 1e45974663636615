"""``wordmoot play``: a Discord on this machine, the bot in it, and a page on which to play; no token, no network.

The bot runs as a process of its own and is started again when it ends. The world and the bot's database stay in one
folder, so tables go on after a restart of everything.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
import time
from pathlib import Path
from urllib.parse import quote

from bot.loopback.server import Loopback

_STEADY_SECONDS = 30  # a bot that ran for so long is started again at once
_LONGEST_PAUSE = 15.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--port", type=int, default=8420, help="port of the page on 127.0.0.1 (default: 8420)"
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
    """Serve until Ctrl-C or SIGTERM; returns the exit status: 1 when the port is taken."""
    return asyncio.run(_serve(arguments.port, arguments.players, arguments.data))


async def _serve(port: int, players: tuple[str, ...], data: Path) -> int:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, ended.set)
    server = Loopback(port, players, data=data)
    try:
        await server.start()
    except OSError as error:
        print(f"Port {port} of 127.0.0.1 cannot be used: {error.strerror}.", file=sys.stderr)
        server.world.close()
        return 1
    _welcome(server.address, players, data)
    keeper = asyncio.create_task(_keep_running(server, data))
    await ended.wait()
    _say("Stopping.")
    keeper.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await keeper
    await server.stop()
    return 0


async def _keep_running(server: Loopback, data: Path) -> None:
    """Start the bot, and start it again whenever it ends."""
    process = server.bot(data=data)
    pause = 1.0
    while True:
        began = time.monotonic()
        await process.start()
        status = await process.wait()
        pause = 1.0 if time.monotonic() - began > _STEADY_SECONDS else min(2 * pause, _LONGEST_PAUSE)
        _say(f"The bot ended with status {status}; starting it again in {pause:.0f} s.")
        await asyncio.sleep(pause)


def _welcome(address: str, players: tuple[str, ...], data: Path) -> None:
    _say(f"Local play, kept in {data}. Open a tab for each player:")
    width = max(map(len, players))
    for name in players:
        _say(f"  {name:<{width}}  {address}/?player={quote(name)}")
    _say("Type /play there to open a table. Ctrl-C stops.")


def _say(line: str) -> None:
    print(line, flush=True)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise argparse.ArgumentTypeError("at least one player is needed")
    if any(len(name) > 32 for name in names):
        raise argparse.ArgumentTypeError("a name has at most 32 characters")
    return names
