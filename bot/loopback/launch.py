"""Run the bot, unchanged, against a Discord on this machine.

``python -m bot.loopback.launch [--leashed] [MODULE:FUNCTION]``. With ``--leashed`` the bot gets SIGTERM when standard
input ends, which is when the process that started it is gone.

Three class attributes of discord.py are pointed at the address in ``WORDMOOT_LOOPBACK``. They hold for the whole
process, which is why this is one of its own and no setting of the bot. The address must be a literal one of the
loopback, and the token the local one, so that a real token never leaves by this door.
"""

from __future__ import annotations

import importlib
import ipaddress
import os
import signal
import sys
import threading
from collections.abc import Sequence

from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.loopback.token import TOKEN

_ENTRY = "bot.app:main_bot"


def redirect(address: str) -> None:
    """Point discord.py in this process at a local Discord, ``http://127.0.0.1:PORT``.

    Raises:
        ValueError: the address is not one of the loopback.
    """
    url = URL(address)
    if url.scheme != "http" or not _is_loopback(url.host):
        raise ValueError(f"{address!r} is not an http address of the loopback")
    base = str(url.origin())
    Route.BASE = f"{base}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = URL(f"{base.replace('http', 'ws', 1)}/gateway")
    Asset.BASE = f"{base}/cdn"


def main(arguments: Sequence[str] | None = None) -> int:
    """Redirect, then run the bot until it ends; returns its exit status, or 2 when it must not be started."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    leashed = given[:1] == ["--leashed"]
    if os.environ.get("WORDMOOT_TOKEN") != TOKEN:
        print(f"A local Discord takes no real token: set WORDMOOT_TOKEN to {TOKEN}.", file=sys.stderr)
        return 2
    try:
        redirect(os.environ.get("WORDMOOT_LOOPBACK", ""))
    except ValueError as error:
        print(f"WORDMOOT_LOOPBACK: {error}.", file=sys.stderr)
        return 2
    if leashed:
        threading.Thread(target=_end_with_standard_input, daemon=True).start()
    module, _, function = (given[leashed] if given[leashed:] else _ENTRY).partition(":")
    status: int | None = getattr(importlib.import_module(module), function)()
    return status or 0


def _end_with_standard_input() -> None:
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _is_loopback(host: str | None) -> bool:
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


if __name__ == "__main__":
    raise SystemExit(main())
