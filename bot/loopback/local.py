"""What the page asks and is told, under ``/local/PLAYER/…``; and the files of the page itself.

A page has one feed, a socket on which it hears whatever its player may see, and posts what its player does. Answers
hold Discord's JSON of messages and modals; ids are strings throughout.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import json
import mimetypes
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from bot.loopback import payloads
from bot.loopback.gateway import Gateway
from bot.loopback.interactions import Desk, Interaction
from bot.loopback.model import Json, Message, Upload
from bot.loopback.people import Impossible, Person
from bot.loopback.rest import answer
from bot.loopback.world import Event, World

_PAGE = Path(__file__).parent / "page"
_SHOWN_MESSAGES = 200
_REFUSALS_KEPT = 50

Action = Callable[[Person, Json], Awaitable[Json]]


class Feed:
    """One open page: turns what happens into what its player may see of it."""

    def __init__(self, world: World, person: Person, online: Callable[[], bool]) -> None:
        self._world = world
        self._person = person
        self._online = online
        self._frames: asyncio.Queue[Json] = asyncio.Queue()

    def hear(self, event: Event) -> None:
        """Queue an event, if this player may know of it."""
        if event.viewer not in (None, self._person.user.id):
            return
        if event.name.startswith(("CHANNEL_", "THREAD_")):
            self._tell("CHANNELS", self.channels())
        elif event.channel is not None and not self._world.sees(self._person.user, event.channel):
            return
        elif event.name == "LOCAL_COMMANDS":
            self._tell("COMMANDS", self.commands())
        elif event.name == "LOCAL_BOT":
            self._tell("BOT", {"online": self._online()})
        elif event.name in ("LOCAL_REFUSAL", "LOCAL_TYPING"):
            self._tell(event.name.removeprefix("LOCAL_"), event.data)
        elif event.name.startswith("MESSAGE_"):
            self._tell(event.name, event.data)

    def greet(self) -> None:
        """Queue what a page has to know first."""
        world = self._world
        refusals = [one.told() for one in world.exchanges if one.refused][-_REFUSALS_KEPT:]
        hello = {
            "me": payloads.user(self._person.user),
            "bot": payloads.user(world.bot),
            "guild": {"id": world.guild_id, "name": world.guild_name},
            "players": [payloads.user(user) for user in world.players],
            "users": [payloads.user(user) for user in world.users.values()],
            "roles": [{"id": role["id"], "name": role["name"]} for role in payloads.roles(world)],
            "dm": self._person.dm().id,
            "channels": self.channels(),
            "commands": self.commands(),
            "online": self._online(),
            "refusals": refusals,
        }
        self._tell("HELLO", hello)

    def channels(self) -> list[Json]:
        """The channels that this player sees."""
        return [payloads.channel(self._world, place) for place in self._person.channels()]

    def commands(self) -> Json:
        """The commands that this player is offered in the guild, by its first channel, and in direct messages."""
        seen = [place for place in self._person.channels() if not place.direct]
        guild = self._person.commands(seen[0]) if seen else []
        return {"guild": guild, "dm": self._person.commands(self._person.dm())}

    async def write(self, socket: web.WebSocketResponse) -> None:
        """Send what is queued until the socket is gone."""
        while True:
            frame = await self._frames.get()
            with contextlib.suppress(ConnectionError):
                await socket.send_str(json.dumps(frame))

    def _tell(self, name: str, data: Any) -> None:
        self._frames.put_nowait({"t": name, "d": data})


class Local:
    """The routes of the page."""

    def __init__(self, world: World, desk: Desk, gateway: Gateway) -> None:
        self._world = world
        self._desk = desk
        self._gateway = gateway
        self._sockets: set[web.WebSocketResponse] = set()
        self._actions: dict[str, Action] = {
            "say": self._say,
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "click": self._click,
            "select": self._select,
            "submit": self._submit,
            "dismiss": self._dismiss,
        }

    def routes(self) -> list[web.RouteDef]:
        """All routes."""
        return [
            web.get("/", self._index),
            web.get("/page/{file}", self._file),
            web.get("/cdn/{rest:.*}", self._cdn),
            web.get("/local/players", self._players),
            web.get("/local/{player}/feed", self._feed),
            web.get("/local/{player}/messages/{channel}", self._messages),
            web.post("/local/{player}/{action}", self._act),
        ]

    async def close(self) -> None:
        """Close every page's socket."""
        for socket in list(self._sockets):
            await socket.close(code=1001)

    # Files

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return self._page_file("index.html")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return self._page_file(request.match_info["file"])

    def _page_file(self, name: str) -> web.StreamResponse:
        if name not in {path.name for path in _PAGE.iterdir()}:
            raise web.HTTPNotFound
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        policy = (
            "default-src 'self'; img-src 'self' data: https: http:; connect-src 'self' ws:; base-uri 'none'"
        )
        return web.Response(
            body=(_PAGE / name).read_bytes(),
            content_type=kind,
            charset="utf-8",
            headers={"Cache-Control": "no-cache", "Content-Security-Policy": policy},
        )

    async def _cdn(self, request: web.Request) -> web.StreamResponse:
        found = self._world.file(request.path)
        if found is None:
            raise web.HTTPNotFound
        kind, body = found
        headers = {"Cache-Control": "max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
        if not kind.startswith("image/") or "svg" in kind:
            headers["Content-Disposition"] = "attachment"
        return web.Response(body=body, content_type=kind, headers=headers)

    # What the page hears

    async def _players(self, request: web.Request) -> web.Response:
        return answer([user.name for user in self._world.players])

    async def _feed(self, request: web.Request) -> web.WebSocketResponse:
        person = self._person(request)
        socket = web.WebSocketResponse(heartbeat=30)
        await socket.prepare(request)
        feed = Feed(self._world, person, lambda: self._gateway.connected)
        feed.greet()
        unlisten = self._world.listen(feed.hear)
        self._sockets.add(socket)
        writer = asyncio.create_task(feed.write(socket))
        try:
            async for frame in socket:
                if frame.type is WSMsgType.ERROR:
                    break
        finally:
            unlisten()
            self._sockets.discard(socket)
            writer.cancel()
        return socket

    async def _messages(self, request: web.Request) -> web.Response:
        person = self._person(request)
        try:
            seen = person.sees(request.match_info["channel"])
        except Impossible as error:
            return answer({"error": str(error)}, 404)
        return answer([payloads.message(self._world, said) for said in seen[-_SHOWN_MESSAGES:]])

    # What the page does

    async def _act(self, request: web.Request) -> web.Response:
        person = self._person(request)
        action = self._actions.get(request.match_info["action"])
        if action is None or request.content_type != "application/json":
            raise web.HTTPNotFound
        body = json.loads(await request.read())
        try:
            return answer(await action(person, body))
        except Impossible as error:
            return answer({"error": str(error)}, 409)

    async def _say(self, person: Person, body: Json) -> Json:
        said = await person.say(body["channel"], body["text"])
        return {"message": said.id}

    async def _slash(self, person: Person, body: Json) -> Json:
        options = {name: _option(value) for name, value in body["options"].items()}
        return self._told(await person.slash(body["channel"], body["command"], **options))

    async def _autocomplete(self, person: Person, body: Json) -> Json:
        asked = await person.autocomplete(
            body["channel"], body["command"], body["focused"], **body["options"]
        )
        return self._told(asked)

    async def _click(self, person: Person, body: Json) -> Json:
        return self._told(await person.click(self._said(body), custom_id=body["custom_id"]))

    async def _select(self, person: Person, body: Json) -> Json:
        asked = await person.select(self._said(body), *body["values"], custom_id=body["custom_id"])
        return self._told(asked)

    async def _submit(self, person: Person, body: Json) -> Json:
        try:
            asked = self._desk.find(body["interaction"])
        except KeyError:
            raise Impossible("That form is no longer open.") from None
        values = {key: _values(value) for key, value in body["values"].items()}
        return self._told(await person.submit(asked, values))

    async def _dismiss(self, person: Person, body: Json) -> Json:
        person.dismiss(self._said(body))
        return {}

    def _told(self, asked: Interaction) -> Json:
        return {
            "interaction": asked.id,
            "failed": asked.failed,
            "response": asked.response,
            "message": asked.message.id if asked.message is not None else None,
            "modal": asked.modal,
            "choices": asked.choices,
        }

    def _said(self, body: Json) -> Message:
        found = self._world.messages.get(body["channel"], {}).get(body["message"])
        if found is None:
            raise Impossible("That message is gone.")
        return found

    def _person(self, request: web.Request) -> Person:
        wanted = request.match_info["player"]
        for user in self._world.players:
            if user.id == wanted or user.name.lower() == wanted.lower():
                return Person(self._world, self._desk, user)
        raise web.HTTPNotFound


def _option(value: Any) -> Any:
    return _upload(value) if isinstance(value, dict) else value


def _values(value: Any) -> Any:
    return [_option(one) for one in value] if isinstance(value, list) else value


def _upload(value: Json) -> Upload:
    """A file as the page sends it: its name and its bytes in base64."""
    try:
        body = base64.b64decode(value["base64"], validate=True)
    except (KeyError, binascii.Error):
        raise Impossible("That is not a file.") from None
    name = Path(str(value.get("filename") or "file")).name
    return Upload(
        filename=name, body=body, content_type=mimetypes.guess_type(name)[0] or "application/octet-stream"
    )
