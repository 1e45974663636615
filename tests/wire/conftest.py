"""A Discord on loopback for a test, bare or with the demo bot in it, and a bot that is nothing but its requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest_asyncio

from bot.loopback import Loopback
from bot.loopback.token import TOKEN

ALL_INTENTS = (1 << 0) | (1 << 1) | (1 << 9) | (1 << 12) | (1 << 15)


class RawBot:
    """Talks to the server without any library: what it sends is what is tested."""

    def __init__(self, here: Loopback) -> None:
        self.here = here
        self.token = TOKEN
        self.socket: aiohttp.ClientWebSocketResponse | None = None
        self.session_id = ""
        self.sequence = 0

    async def __aenter__(self) -> RawBot:
        self._http = aiohttp.ClientSession(self.here.address)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.close()

    async def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        files: dict[str, bytes] | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any]:
        """Status and body of one request; with files as multipart, as discord.py sends it."""
        sent = {"Authorization": f"Bot {self.token}"} | (headers or {})
        given: dict[str, Any] = {} if body is None else {"json": body}
        if files is not None:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", json.dumps(body or {}))
            for slot, (name, content) in enumerate(files.items()):
                kind = "application/octet-stream"
                form.add_field(f"files[{slot}]", content, filename=name, content_type=kind)
            given = {"data": form}
        async with self._http.request(method, f"/api/v10{path}", headers=sent, **given) as response:
            self.headers = response.headers
            text = await response.text()
            return response.status, json.loads(text) if text.startswith(("{", "[")) else text

    async def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        """Status and bytes of anything the server serves."""
        async with self._http.get(path, headers=headers) as response:
            return response.status, await response.read()

    async def connect(self, intents: int = ALL_INTENTS, shard: tuple[int, int] = (0, 1)) -> dict[str, Any]:
        """Identify; returns READY."""
        await self._open()
        assert self.socket is not None
        data = {"token": self.token, "intents": intents, "shard": list(shard), "properties": {}}
        await self.socket.send_json({"op": 2, "d": data})
        ready = await self.event("READY")
        self.session_id = ready["session_id"]
        return ready

    async def resume(self) -> None:
        """Open a new socket for the same session."""
        await self._open()
        assert self.socket is not None
        data = {"token": self.token, "session_id": self.session_id, "seq": self.sequence}
        await self.socket.send_json({"op": 6, "d": data})

    async def frame(self, seconds: float = 5) -> dict[str, Any]:
        """The next frame; a closed socket gives ``{"closed": code}``."""
        assert self.socket is not None
        async with asyncio.timeout(seconds):
            message = await self.socket.receive()
        if message.type is not aiohttp.WSMsgType.TEXT:
            return {"closed": self.socket.close_code}
        found: dict[str, Any] = json.loads(message.data)
        self.sequence = found["s"] or self.sequence
        return found

    async def event(self, name: str) -> dict[str, Any]:
        """The data of the next event of that name; others before it are dropped."""
        while (frame := await self.frame()).get("t") != name:
            assert "closed" not in frame, frame
        found: dict[str, Any] = frame["d"]
        return found

    async def answer(
        self, told: dict[str, Any], kind: int, data: Any = None, **given: Any
    ) -> tuple[int, Any]:
        """Answer an interaction."""
        path = f"/interactions/{told['id']}/{told['token']}/callback?with_response=true"
        return await self.call("POST", path, {"type": kind, "data": data}, **given)

    async def commands(self, *commands: dict[str, Any]) -> tuple[int, Any]:
        """Register commands."""
        full = [{"type": 1, "description": "A command"} | command for command in commands]
        return await self.call("PUT", f"/applications/{self.here.world.application_id}/commands", full)

    async def _open(self) -> None:
        self.socket = await self._http.ws_connect("/gateway?v=10&encoding=json")
        assert (await self.frame())["op"] == 10


@pytest_asyncio.fixture
async def here() -> AsyncIterator[Loopback]:
    """A local Discord with nobody's bot."""
    async with Loopback() as server:
        yield server


@pytest_asyncio.fixture
async def raw(here: Loopback) -> AsyncIterator[RawBot]:
    """A bare bot, connected, with the commands /go and /form."""
    async with RawBot(here) as bot:
        await bot.commands({"name": "go"}, {"name": "form"})
        await bot.connect()
        await bot.event("GUILD_CREATE")
        yield bot


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def demo(tmp_path_factory: Any) -> AsyncIterator[Loopback]:
    """A local Discord with the demo bot in a process of its own; `demo_process` is that process."""
    async with Loopback(players=("Ada", "Ben", "Cleo")) as server:
        folder = tmp_path_factory.mktemp("demo")
        process = server.bot("demo_bot:main", data=folder, path=[Path(__file__).parent])
        async with process:
            server.demo_process = process  # type: ignore[attr-defined]
            yield server
