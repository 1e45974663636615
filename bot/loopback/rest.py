"""REST, version 10: the routes that a bot for games uses, with Discord's errors.

A route that is not here answers 404 and is listed in the world's `exchanges` like any refusal.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import BodyPartReader, web

from bot.loopback import limits, payloads
from bot.loopback.buckets import Buckets
from bot.loopback.faults import Faults
from bot.loopback.interactions import Desk
from bot.loopback.model import (
    Channel,
    ChannelKind,
    Json,
    Message,
    MessageFlag,
    MessageKind,
    Overwrite,
    Permission,
    Upload,
    User,
)
from bot.loopback.refusal import (
    Refusal,
    guild_unavailable,
    not_the_author,
    opening_dms_too_fast,
    unauthorized,
    unknown_channel,
    unknown_command,
    unknown_guild,
    unknown_member,
    unknown_recipient,
    unknown_user,
)
from bot.loopback.token import TOKEN
from bot.loopback.world import Event, Exchange, World

BASE = "/api/v10"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def answer(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A JSON response. discord.py reads one only if its content type is exactly this, without a charset."""
    return web.Response(
        body=json.dumps(data).encode(),
        status=status,
        headers={"Content-Type": "application/json"} | (headers or {}),
    )


async def read(request: web.Request) -> tuple[Json, list[Upload]]:
    """The body of a request, JSON or multipart: its payload and its files."""
    if not request.can_read_body:
        return {}, []
    if not request.content_type.startswith("multipart/"):
        return _object(await request.read()), []
    payload: Json = {}
    uploads: list[Upload] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        body = bytes(await part.read())
        if part.name == "payload_json":
            payload = _object(body)
        elif part.filename:
            kind = mimetypes.guess_type(part.filename)[0] or "application/octet-stream"
            slot = (part.name or "").removeprefix("files[").removesuffix("]")
            uploads.append(Upload(filename=part.filename, body=body, content_type=kind, slot=slot))
    return payload, uploads


class Rest:
    """The routes, on one world."""

    def __init__(self, world: World, desk: Desk, faults: Faults) -> None:
        self._world = world
        self._desk = desk
        self._faults = faults
        self._buckets = Buckets()

    def routes(self) -> list[web.RouteDef]:
        """All routes."""
        table: list[tuple[str, str, Handler]] = [
            ("GET", "/gateway", self._gateway),
            ("GET", "/gateway/bot", self._gateway_bot),
            ("GET", "/users/@me", self._me),
            ("GET", "/users/@me/guilds", self._my_guilds),
            ("POST", "/users/@me/channels", self._open_dm),
            ("GET", "/users/{user}", self._user),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/applications/@me", self._application),
            ("GET", "/applications/{app}/commands", self._commands),
            ("PUT", "/applications/{app}/commands", self._set_commands),
            ("GET", "/applications/{app}/commands/{command}", self._command),
            ("GET", "/applications/{app}/guilds/{guild}/commands", self._commands),
            ("PUT", "/applications/{app}/guilds/{guild}/commands", self._set_commands),
            ("GET", "/applications/{app}/guilds/{guild}/commands/{command}", self._command),
            ("GET", "/applications/{app}/emojis", self._emojis),
            ("GET", "/guilds/{guild}", self._guild),
            ("GET", "/guilds/{guild}/channels", self._guild_channels),
            ("GET", "/guilds/{guild}/roles", self._guild_roles),
            ("GET", "/guilds/{guild}/members", self._members),
            ("GET", "/guilds/{guild}/members/{user}", self._member),
            ("GET", "/guilds/{guild}/threads/active", self._active_threads),
            ("GET", "/channels/{channel}", self._channel),
            ("PATCH", "/channels/{channel}", self._change_channel),
            ("DELETE", "/channels/{channel}", self._delete_channel),
            ("PUT", "/channels/{channel}/permissions/{target}", self._set_overwrite),
            ("DELETE", "/channels/{channel}/permissions/{target}", self._drop_overwrite),
            ("POST", "/channels/{channel}/typing", self._typing),
            ("GET", "/channels/{channel}/messages", self._history),
            ("POST", "/channels/{channel}/messages", self._post),
            ("GET", "/channels/{channel}/messages/{message}", self._message),
            ("PATCH", "/channels/{channel}/messages/{message}", self._edit),
            ("DELETE", "/channels/{channel}/messages/{message}", self._delete),
            ("POST", "/channels/{channel}/messages/{message}/threads", self._start_thread),
            ("POST", "/channels/{channel}/threads", self._start_thread),
            ("GET", "/channels/{channel}/threads/archived/public", self._archived_threads),
            ("GET", "/channels/{channel}/threads/archived/private", self._archived_threads),
            ("GET", "/channels/{channel}/thread-members", self._thread_members),
            ("PUT", "/channels/{channel}/thread-members/{user}", self._join_thread),
            ("DELETE", "/channels/{channel}/thread-members/{user}", self._leave_thread),
            ("POST", "/interactions/{interaction}/{token}/callback", self._callback),
            ("POST", "/webhooks/{app}/{token}", self._follow_up),
            ("GET", "/webhooks/{app}/{token}/messages/{message}", self._webhook_message),
            ("PATCH", "/webhooks/{app}/{token}/messages/{message}", self._webhook_edit),
            ("DELETE", "/webhooks/{app}/{token}/messages/{message}", self._webhook_delete),
        ]
        known = [web.route(method, BASE + path, self._guarded(handler)) for method, path, handler in table]
        return [*known, web.route("*", BASE + "/{rest:.*}", self._guarded(self._unknown))]

    # Before and after each request

    def _guarded(self, handler: Handler) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            path = request.path.removeprefix(BASE)
            fault = self._faults.meet(request.method, path)
            headers: dict[str, str] = {}
            try:
                limited, headers = self._counted(request.method, path)
                if limited is not None:
                    raise limited
                if fault is not None:
                    await asyncio.sleep(fault.delay)
                    headers = headers | fault.headers
                    if fault.fails and not fault.lost:
                        raise fault.failure()
                _require_token(request, path)
                response = await handler(request)
                if fault is not None and fault.fails:
                    raise fault.failure()
                response.headers.update(headers)
            except ConnectionResetError:  # the bot was killed in the middle of its request
                response = answer(None, 499)
                exchange = Exchange(request.method, path, response.status)
            except Refusal as refusal:
                response = answer(refusal.body(), refusal.status, _when(refusal) | headers)
                errors = refusal.extra.get("errors") or {}
                exchange = Exchange(
                    request.method, path, refusal.status, refusal.code, refusal.message, errors
                )
            else:
                exchange = Exchange(request.method, path, response.status)
            self._world.note(exchange)
            if fault is not None and fault.cut and request.transport is not None:
                request.transport.close()
            return response

        return guarded

    def _counted(self, method: str, path: str) -> tuple[Refusal | None, dict[str, str]]:
        return self._buckets.take(method, path) if self._world.rules.rate_limits else (None, {})

    async def _unknown(self, request: web.Request) -> web.Response:
        raise Refusal(404, 0, f"404: Not Found. A local Discord has no {request.method} here.")

    # The bot itself

    async def _gateway(self, request: web.Request) -> web.Response:
        return answer({"url": self._socket_address()})

    async def _gateway_bot(self, request: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        return answer({"url": self._socket_address(), "shards": 1, "session_start_limit": limit})

    async def _me(self, request: web.Request) -> web.Response:
        return answer(payloads.user(self._world.bot))

    async def _my_guilds(self, request: web.Request) -> web.Response:
        keys = ("id", "name", "icon", "features")
        whole = payloads.guild(self._world)
        if not self._world.present:
            return answer([])
        rights = str(self._world.base_permissions(self._world.bot))
        return answer([{key: whole[key] for key in keys} | {"owner": False, "permissions": rights}])

    async def _application(self, request: web.Request) -> web.Response:
        return answer(payloads.application(self._world))

    async def _emojis(self, request: web.Request) -> web.Response:
        return answer({"items": []})

    async def _open_dm(self, request: web.Request) -> web.Response:
        body, _ = await read(request)
        user = self._world.users.get(str(body.get("recipient_id")))
        if user is None or user.bot or self._world.deleted(user):
            raise unknown_recipient()
        new = not self._world.has_dm(user)
        if new and self._world.rules.rate_limits and not self._buckets.opens():
            raise opening_dms_too_fast()
        return answer(payloads.channel(self._world, self._world.dm(user)))

    async def _user(self, request: web.Request) -> web.Response:
        return answer(payloads.user(self._user_of(request, unknown_user())))

    # Commands

    async def _commands(self, request: web.Request) -> web.Response:
        return answer(self._world.commands.get(self._scope(request), []))

    async def _set_commands(self, request: web.Request) -> web.Response:
        commands = json.loads(await request.read())
        limits.check_commands(commands)
        return answer(self._world.set_commands(self._scope(request), commands))

    async def _command(self, request: web.Request) -> web.Response:
        wanted = request.match_info["command"]
        for command in self._world.commands.get(self._scope(request), []):
            if command["id"] == wanted:
                return answer(command)
        raise unknown_command()

    # The guild

    async def _guild(self, request: web.Request) -> web.Response:
        self._require_guild(request)
        return answer(payloads.guild(self._world) | {"approximate_member_count": len(self._world.members())})

    async def _guild_channels(self, request: web.Request) -> web.Response:
        self._require_guild(request)
        return answer([payloads.channel(self._world, place) for place in self._world.text_channels()])

    async def _guild_roles(self, request: web.Request) -> web.Response:
        self._require_guild(request)
        return answer(payloads.roles(self._world))

    async def _members(self, request: web.Request) -> web.Response:
        self._require_guild(request)
        return answer([payloads.member(self._world, user) for user in self._world.members()])

    async def _member(self, request: web.Request) -> web.Response:
        self._require_guild(request)
        user = self._user_of(request, unknown_member())
        if not self._world.member(user):
            raise unknown_member()
        return answer(payloads.member(self._world, user))

    async def _active_threads(self, request: web.Request) -> web.Response:
        self._require_guild(request)
        return answer(self._thread_list([place for place in self._world.threads() if not place.archived]))

    # Channels and threads

    async def _channel(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place)
        return answer(payloads.channel(self._world, place))

    async def _change_channel(self, request: web.Request) -> web.Response:
        place = self._place(request)
        body, _ = await read(request)
        if place.thread:
            limits.check_thread(body)
            self._require_thread_change(place, body)
        else:
            self._world.require(place, Permission.MANAGE_CHANNELS)
        return answer(payloads.channel(self._world, self._world.change_channel(place, body)))

    async def _delete_channel(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place, Permission.MANAGE_THREADS if place.thread else Permission.MANAGE_CHANNELS)
        told = payloads.channel(self._world, place)
        self._world.delete_channel(place.id)
        return answer(told)

    async def _set_overwrite(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place, Permission.MANAGE_ROLES)
        body, _ = await read(request)
        key = request.match_info["target"]
        allow, deny = int(body.get("allow") or 0), int(body.get("deny") or 0)
        rule = Overwrite(id=key, member=body.get("type") == 1, allow=allow, deny=deny)
        self._world.overwrite(place, rule, key)
        return web.Response(status=204)

    async def _drop_overwrite(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place, Permission.MANAGE_ROLES)
        self._world.overwrite(place, None, request.match_info["target"])
        return web.Response(status=204)

    async def _start_thread(self, request: web.Request) -> web.Response:
        place = self._place(request)
        body, _ = await read(request)
        limits.check_thread({"name": None} | body)
        source = self._said(request, place) if "message" in request.match_info else None
        private = (
            source is None and body.get("type", ChannelKind.PRIVATE_THREAD) == ChannelKind.PRIVATE_THREAD
        )
        needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
        self._world.require(place, needed)
        if place.thread or place.direct:
            raise Refusal(400, 50024, "Cannot execute action on this channel type")
        minutes = body.get("auto_archive_duration")
        thread = self._world.create_thread(
            place, self._world.bot, body["name"], private=private, minutes=minutes, source=source
        )
        return answer(payloads.channel(self._world, thread), 201)

    async def _archived_threads(self, request: web.Request) -> web.Response:
        place = self._place(request)
        private = request.path.endswith("private")
        kind = ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD
        found = [one for one in self._world.threads(place.id) if one.archived and one.kind is kind]
        return answer(self._thread_list(found) | {"has_more": False})

    async def _thread_members(self, request: web.Request) -> web.Response:
        place = self._place(request)
        return answer([payloads.thread_member(place, key) for key in place.members])

    async def _join_thread(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place)
        self._world.require_open(place)
        self._world.join(place, [self._user_of(request, unknown_member()).id])
        return web.Response(status=204)

    async def _leave_thread(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place)
        self._world.require_open(place)
        self._world.leave(place, self._user_of(request, unknown_member()).id)
        return web.Response(status=204)

    async def _typing(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require_speech(place, {}, ())
        data = {"channel_id": place.id, "user_id": self._world.bot.id}
        self._world.tell(Event("LOCAL_TYPING", data, place))
        return web.Response(status=204)

    # Messages

    async def _history(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place, Permission.READ_MESSAGE_HISTORY)
        limit = int(request.query.get("limit", 50))
        form = limits.Form()
        form.number(("limit",), limit, 1, 100)
        form.close()
        said = self._world.said_in(place)
        if "after" in request.query:
            said = [one for one in said if int(one.id) > int(request.query["after"])][:limit]
        elif "around" in request.query:
            middle = int(request.query["around"])
            said = sorted(
                sorted(said, key=lambda one: abs(int(one.id) - middle))[:limit], key=lambda one: int(one.id)
            )
        else:
            before = int(request.query.get("before", 1 << 63))
            said = [one for one in said if int(one.id) < before][-limit:]
        return answer([payloads.message(self._world, one) for one in reversed(said)])

    async def _post(self, request: web.Request) -> web.Response:
        place = self._place(request)
        body, uploads = await read(request)
        self._world.require_speech(place, body, uploads)
        limits.check_files(uploads, self._world.rules.file_bytes)
        limits.check_message(body, uploads)
        if body.get("enforce_nonce") and body.get("nonce") is not None:
            twin = self._world.twin(self._world.bot, body["nonce"])
            if twin is not None:
                return answer(payloads.message(self._world, twin))
        answered = str((body.get("message_reference") or {}).get("message_id") or "")
        flags = int(body.get("flags") or 0) & ~(MessageFlag.EPHEMERAL | MessageFlag.LOADING)
        said = self._world.post(
            place,
            self._world.bot,
            body,
            uploads,
            kind=MessageKind.REPLY if answered else MessageKind.DEFAULT,
            flags=flags,
            reference=answered or None,
        )
        return answer(payloads.message(self._world, said))

    async def _message(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place, Permission.READ_MESSAGE_HISTORY)
        return answer(payloads.message(self._world, self._said(request, place)))

    async def _edit(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place)
        said = self._said(request, place)
        body, uploads = await read(request)
        if said.author != self._world.bot.id:
            raise not_the_author()
        self._world.require_open(place)
        limits.check_files(uploads, self._world.rules.file_bytes)
        limits.check_message(body, uploads, edited=said)
        return answer(payloads.message(self._world, self._world.edit_by_bot_token(said, body, uploads)))

    async def _delete(self, request: web.Request) -> web.Response:
        place = self._place(request)
        self._world.require(place)
        said = self._said(request, place)
        if said.author != self._world.bot.id:
            self._world.require(place, Permission.MANAGE_MESSAGES)
        self._world.require_open(place)
        self._world.delete(said)
        return web.Response(status=204)

    # Interactions

    async def _callback(self, request: web.Request) -> web.Response:
        body, uploads = await read(request)
        found = self._desk.answer(
            request.match_info["interaction"], request.match_info["token"], body, uploads
        )
        if request.query.get("with_response") in ("1", "true", "True"):
            return answer(found)
        return web.Response(status=204)

    async def _follow_up(self, request: web.Request) -> web.Response:
        body, uploads = await read(request)
        said = self._desk.follow_up(request.match_info["token"], body, uploads)
        return answer(payloads.message(self._world, said))

    async def _webhook_message(self, request: web.Request) -> web.Response:
        said = self._desk.message(request.match_info["token"], request.match_info["message"])
        return answer(payloads.message(self._world, said))

    async def _webhook_edit(self, request: web.Request) -> web.Response:
        body, uploads = await read(request)
        said = self._desk.edit(request.match_info["token"], request.match_info["message"], body, uploads)
        return answer(payloads.message(self._world, said))

    async def _webhook_delete(self, request: web.Request) -> web.Response:
        self._desk.delete(request.match_info["token"], request.match_info["message"])
        return web.Response(status=204)

    # What a path means

    def _socket_address(self) -> str:
        return f"{self._world.address.replace('http', 'ws', 1)}/gateway"

    def _scope(self, request: web.Request) -> str:
        if "guild" in request.match_info:
            self._require_guild(request)
        return request.match_info.get("guild", "")

    def _require_guild(self, request: web.Request) -> None:
        if request.match_info["guild"] != self._world.guild_id or not self._world.present:
            raise unknown_guild()
        if not self._world.available:
            raise guild_unavailable()

    def _place(self, request: web.Request) -> Channel:
        place = self._world.channels.get(request.match_info["channel"])
        if place is None:
            raise unknown_channel()
        return place

    def _said(self, request: web.Request, place: Channel) -> Message:
        return self._world.message(place.id, request.match_info["message"])

    def _user_of(self, request: web.Request, otherwise: Refusal) -> User:
        key = request.match_info["user"]
        found = self._world.users.get(self._world.bot.id if key == "@me" else key)
        if found is None or self._world.deleted(found):
            raise otherwise
        return found

    def _require_thread_change(self, place: Channel, body: Json) -> None:
        """Anyone who may speak reopens; the owner renames and archives; locking is for moderators."""
        if set(body) == {"archived"} and not body["archived"] and not place.locked:
            self._world.require(place, Permission.SEND_MESSAGES_IN_THREADS)
            return
        if body.get("archived") is not False:
            self._world.require_open(place)
        if "locked" in body or place.locked or place.owner != self._world.bot.id:
            self._world.require(place, Permission.MANAGE_THREADS)
        self._world.require(place)

    def _thread_list(self, found: list[Channel]) -> Json:
        me = [
            payloads.thread_member(place, self._world.bot.id)
            for place in found
            if self._world.bot.id in place.members
        ]
        return {"threads": [payloads.channel(self._world, place) for place in found], "members": me}


def _when(refusal: Refusal) -> dict[str, str]:
    """The headers that say when to try again, without which discord.py takes a 429 for a ban."""
    wait = refusal.extra.get("retry_after")
    return {} if wait is None else {"Via": "1.1 loopback", "Retry-After": f"{wait:g}"}


def _require_token(request: web.Request, path: str) -> None:
    """Interactions and their webhooks carry their own token in the path; all else needs the bot's."""
    if path.startswith(("/interactions/", "/webhooks/")):
        return
    if request.headers.get("Authorization") != f"Bot {TOKEN}":
        raise unauthorized()


def _object(body: bytes) -> Json:
    try:
        found = json.loads(body)
    except ValueError:
        raise Refusal(400, 50109, "The request body contains invalid JSON.") from None
    if not isinstance(found, dict):
        raise limits.invalid((), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
    return found
