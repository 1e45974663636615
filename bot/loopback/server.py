"""`Loopback`: one aiohttp application with REST, gateway, CDN and page on one loopback port.

It answers only to a loopback name in ``Host`` and only to its own ``Origin``, so that no page of the web can reach it
through a browser on this machine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from aiohttp import web

from bot.loopback.archive import Archive
from bot.loopback.faults import Faults
from bot.loopback.gateway import Gateway
from bot.loopback.interactions import Desk
from bot.loopback.local import Local
from bot.loopback.people import Person
from bot.loopback.process import BotProcess
from bot.loopback.rest import Rest
from bot.loopback.state import Rules
from bot.loopback.world import World

T = TypeVar("T")

HOST = "127.0.0.1"
_NAMES = ("127.0.0.1", "localhost")
_LARGEST_REQUEST = 256 * 2**20


class Loopback:
    """A Discord on this machine, for the time of an ``async with``.

    Args:
        port: of 127.0.0.1; 0 takes a free one.
        players: names of the people; the first owns the guild.
        channels: names of the guild's text channels.
        data: a folder in which the world is kept between runs; without one it is forgotten.
        rules: times and limits other than Discord's.

    Attributes:
        world: what there is, and what goes wrong in it (listed there).
        gateway: also drops and refuses sockets, delays, doubles, repeats and loses events.
        faults: makes requests fail; ``rules.rate_limits`` counts them as Discord does.
        desk: the interactions.
    """

    def __init__(
        self,
        port: int = 0,
        players: Sequence[str] = ("Ada", "Ben"),
        *,
        channels: Sequence[str] = ("general", "games"),
        data: Path | None = None,
        rules: Rules | None = None,
    ) -> None:
        self._port = port
        if data is not None:
            data.mkdir(parents=True, exist_ok=True)
        archive = Archive(data / "world.db" if data is not None else None)
        self.world = World(players, channels=channels, rules=rules, archive=archive)
        self.desk = Desk(self.world)
        self.faults = Faults()
        self.gateway = Gateway(self.world)
        self._local = Local(self.world, self.desk, self.gateway)
        self._rest = Rest(self.world, self.desk, self.faults)
        self._runner: web.AppRunner | None = None
        self._bots: list[BotProcess] = []

    @property
    def address(self) -> str:
        """Where it is served, such as ``http://127.0.0.1:8420``."""
        return self.world.address

    def person(self, name: str) -> Person:
        """A player by name; KeyError if there is none."""
        return Person(self.world, self.desk, self.world.user(name))

    def bot(
        self,
        entry: str = "bot.app:main_bot",
        *,
        data: Path | None = None,
        path: Sequence[Path] = (),
        settings: dict[str, str] | None = None,
    ) -> BotProcess:
        """A bot as a process of its own, not yet started; it ends with the server at the latest.

        Args:
            entry: ``module:function`` that runs the bot.
            data: the folder for its database.
            path: more folders to import from.
            settings: more variables of its environment.
        """
        process = BotProcess(self.world, self.gateway, entry, data=data, path=path, settings=settings)
        self._bots.append(process)
        return process

    async def until(self, true: Callable[[], T], seconds: float = 10) -> T:
        """Wait until this holds, and return what it gave."""
        return await self.world.until(true, seconds)

    async def start(self) -> None:
        """Listen; OSError if the port is taken."""
        application = web.Application(middlewares=[_only_from_here], client_max_size=_LARGEST_REQUEST)
        application.add_routes(self._rest.routes())
        application.add_routes(self.gateway.routes())
        application.add_routes(self._local.routes())
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self._port)
        await site.start()
        self.world.address = f"http://{HOST}:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        """End the bots, close every socket and the world."""
        for process in self._bots:
            await process.stop()
        await self._local.close()
        await self.gateway.drop(1001)
        if self._runner is not None:
            await self._runner.cleanup()
        self.world.close()

    async def __aenter__(self) -> Loopback:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()


@web.middleware
async def _only_from_here(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    name = request.host.rpartition(":")[0] or request.host
    if name not in _NAMES:
        raise web.HTTPForbidden(text="This server is for this machine only.")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        raise web.HTTPForbidden(text="This server is for its own page only.")
    return await handler(request)
