"""The routes of the page: its files, its feed, and what its player does."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import mimetypes
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from bot.loopback import payloads
from bot.loopback.gateway import Gateway
from bot.loopback.interactions import Desk, Interaction
from bot.loopback.local.feed import Feed
from bot.loopback.local.luck import BadLuck
from bot.loopback.model import Json, Message, Upload, User
from bot.loopback.people import Impossible, Person
from bot.loopback.rest import answer
from bot.loopback.snowflake import named
from bot.loopback.world import Event, World, settled

_PAGE = Path(__file__).parent.parent / "page"
_SHOWN_MESSAGES = 200
_LONGEST_NAME = 32

Action = Callable[[Person, Json], Awaitable[Json]]


class Local:
    """The routes of the page.

    Attributes:
        luck: the bad luck that pages may ask for, if any.
        keep_player: called with the name of each player who is added.
    """

    def __init__(self, world: World, desk: Desk, gateway: Gateway) -> None:
        self._world = world
        self._desk = desk
        self._gateway = gateway
        self._sockets: set[web.WebSocketResponse] = set()
        self.luck: BadLuck | None = None
        self.keep_player: Callable[[str], None] | None = None
        self._actions: dict[str, Action] = {
            "say": self._say,
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "click": self._click,
            "select": self._select,
            "submit": self._submit,
            "dismiss": self._dismiss,
            "menu": self._menu,
            "luck": self._strike,
        }

    def routes(self) -> list[web.RouteDef]:
        """All routes."""
        return [
            web.get("/", self._index),
            web.get("/page/{file}", self._file),
            web.get("/cdn/{rest:.*}", self._cdn),
            web.get("/local/players", self._players),
            web.get("/local/{player}/feed", self._feed),
            web.post("/local/players", self._add_player),
            web.get("/local/{player}/messages/{channel}", self._messages),
            web.get("/local/{player}/luck/{channel}", self._offered_luck),
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

    async def _offered_luck(self, request: web.Request) -> web.Response:
        person = self._person(request)
        try:
            return answer(
                [] if self.luck is None else self.luck.offered(person, request.match_info["channel"])
            )
        except Impossible as error:
            return answer({"error": str(error)}, 409)

    # What the page does

    async def _add_player(self, request: web.Request) -> web.Response:
        if request.content_type != "application/json":
            raise web.HTTPNotFound
        name = " ".join(str(json.loads(await request.read()).get("name", "")).split())
        try:
            user = self._welcome(name)
        except Impossible as error:
            return answer({"error": str(error)}, 409)
        return answer(payloads.user(user))

    def _welcome(self, name: str) -> User:
        """Make somebody a player who was none; `Impossible` with a name that cannot be."""
        if not 1 <= len(name) <= _LONGEST_NAME or "," in name:
            raise Impossible(f"A name has 1 to {_LONGEST_NAME} characters and no comma.")
        if name.lower() in {user.name.lower() for user in (self._world.bot, *self._world.players)}:
            raise Impossible(f"{name} is here already.")
        user = User(id=named("user", name), name=name)
        self._world.users[user.id] = user
        self._world.players.append(user)
        if self.keep_player is not None:
            self.keep_player(name)
        self._world.tell(Event("LOCAL_PLAYERS", {}))
        return user

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

    async def _menu(self, person: Person, body: Json) -> Json:
        target = self._said(body) if "message" in body else self._other(body["user"])
        return self._told(await person.menu(body["channel"], body["command"], target))

    async def _strike(self, person: Person, body: Json) -> Json:
        if self.luck is None:
            raise Impossible("There is no bad luck here.")
        return await self.luck.strike(
            person,
            body["channel"],
            body["key"],
            requests=int(body.get("requests", 1)),
            seconds=float(body.get("seconds", 1.0)),
            message=body.get("message", ""),
        )

    def _told(self, asked: Interaction) -> Json:
        return {
            "interaction": asked.id,
            "failed": asked.failed,
            "response": asked.response,
            "message": asked.message.id if asked.message is not None else None,
            "modal": asked.modal and asked.modal | {"components": settled(asked.modal["components"])},
            "choices": asked.choices,
        }

    def _said(self, body: Json) -> Message:
        found = self._world.messages.get(body["channel"], {}).get(body["message"])
        if found is None:
            raise Impossible("That message is gone.")
        return found

    def _other(self, key: str) -> Person:
        if key not in self._world.users:
            raise Impossible("That person is gone.")
        return Person(self._world, self._desk, self._world.users[key])

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
