"""The gateway, version 10: identify, heartbeats, dispatch by intents and shard, resume with replay.

Frames go out as plain text; a client that offers compression takes them too. Each connection has one writer, so the
order of frames is the order of events. Faults of the network are asked for here as well: a dropped socket, a session
that cannot be resumed, events that come late or twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from bot.loopback import payloads
from bot.loopback.model import Json
from bot.loopback.token import TOKEN
from bot.loopback.world import Event, World

_GUILDS = 1 << 0
_GUILD_MEMBERS = 1 << 1
_GUILD_MESSAGES = 1 << 9
_DIRECT_MESSAGES = 1 << 12
_MESSAGE_CONTENT = 1 << 15

_REPLAYED = 1000  # events that a session can replay

_DISPATCH, _HEARTBEAT, _IDENTIFY, _PRESENCE, _VOICE, _RESUME = 0, 1, 2, 3, 4, 6
_ACK_SECONDS = 0.05
_RECONNECT, _REQUEST_MEMBERS, _INVALID_SESSION, _HELLO, _ACK = 7, 8, 9, 10, 11


@dataclass
class Session:
    """What a bot identified with, and the events that it may ask for again."""

    id: str
    shard: tuple[int, int]
    intents: int
    sequence: int = 0
    sent: deque[Json] = field(default_factory=lambda: deque(maxlen=_REPLAYED))
    connection: Connection | None = None

    def dispatch(self, name: str, data: Any) -> None:
        """Send an event, or keep it until the session is resumed."""
        self.sequence += 1
        frame = {"op": _DISPATCH, "t": name, "s": self.sequence, "d": data}
        self.sent.append(frame)
        if self.connection is not None:
            self.connection.send(frame)

    def last(self, name: str) -> Any:
        """The data of the last event of this name, None if there was none."""
        return next((frame["d"] for frame in reversed(self.sent) if frame["t"] == name), None)

    def resumable_from(self, sequence: int) -> bool:
        """Whether all events after this number are still there."""
        oldest = self.sent[0]["s"] if self.sent else self.sequence + 1
        return oldest - 1 <= sequence <= self.sequence


class Connection:
    """One socket with its writer."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.session: Session | None = None
        self._frames: asyncio.Queue[Json] = asyncio.Queue()

    def send(self, frame: Json) -> None:
        """Queue a frame."""
        self._frames.put_nowait(frame)

    async def write(self) -> None:
        """Send what is queued until the socket is gone."""
        while True:
            frame = await self._frames.get()
            with contextlib.suppress(ConnectionError):
                await self.socket.send_str(json.dumps(frame))


@dataclass
class _Twist:
    """A fault of delivery for the next `times` events of a name."""

    event: str
    times: int
    late_by: float = 0.0
    copies: int = 1  # none: it is lost


class Gateway:
    """All sessions of the bot. `identified` and `resumed` count how often a session began and went on.

    What can go wrong: `drop` (with or without the session), `refuse` until `accept`, `ask_to_reconnect`, and of single
    events `delay`, `duplicate`, `repeat` and `lose`.
    """

    def __init__(self, world: World) -> None:
        self.identified = 0
        self.resumed = 0
        self._world = world
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self._twists: list[_Twist] = []
        self._refusing = False
        world.listen(self._hear)

    @property
    def connected(self) -> bool:
        """Whether a session of the bot has its socket."""
        return any(session.connection is not None for session in self._sessions.values())

    def routes(self) -> list[web.RouteDef]:
        """The routes of the gateway."""
        return [web.get("/gateway", self._serve), web.get("/gateway/", self._serve)]

    # Faults

    async def drop(self, code: int = 4000, *, resumable: bool = True) -> None:
        """Close every socket of the bot; without `resumable` the sessions are forgotten too."""
        if not resumable:
            self._sessions.clear()
        for connection in list(self._connections):
            await connection.socket.close(code=code)

    def refuse(self) -> None:
        """Let no socket in until `accept`; those that are open stay (`drop` closes them)."""
        self._refusing = True

    def accept(self) -> None:
        """Let sockets in again."""
        self._refusing = False

    def ask_to_reconnect(self) -> None:
        """Ask the bot to reconnect and resume (op 7)."""
        for connection in self._connections:
            connection.send(_frame(_RECONNECT))

    def delay(self, event: str, seconds: float, *, times: int = 1) -> None:
        """Deliver the next events of this name late, after those that follow."""
        self._twists.append(_Twist(event, times, late_by=seconds))

    def duplicate(self, event: str, *, times: int = 1) -> None:
        """Deliver the next events of this name twice."""
        self._twists.append(_Twist(event, times, copies=2))

    def lose(self, event: str, *, times: int = 1) -> None:
        """Deliver the next events of this name never."""
        self._twists.append(_Twist(event, times, copies=0))

    def repeat(self, event: str) -> None:
        """Deliver the last event of this name once more, now; LookupError if there was none."""
        sessions = [session for session in self._sessions.values() if session.last(event) is not None]
        if not sessions:
            raise LookupError(f"no {event} was sent")
        for session in sessions:
            session.dispatch(event, session.last(event))

    # Events

    def _hear(self, event: Event) -> None:
        if event.viewer is not None or event.name.startswith("LOCAL_"):
            return
        if not self._told(event):
            return
        twist = self._twist(event.name)
        if twist is not None and twist.late_by:
            asyncio.get_running_loop().call_later(twist.late_by, self._dispatch, event)
            return
        for _ in range(twist.copies if twist is not None else 1):
            self._dispatch(event)

    def _told(self, event: Event) -> bool:
        """Whether the bot is told: of messages and threads that it sees, of all channels, and whatever people do."""
        if event.channel is None:
            return True
        if event.channel.direct or not event.name.startswith(("CHANNEL_", "INTERACTION_")):
            return self._world.sees(self._world.bot, event.channel)
        return self._world.present and self._world.available

    def _dispatch(self, event: Event) -> None:
        for session in self._listening(event):
            data = event.data
            if event.name.startswith("MESSAGE_") and not session.intents & _MESSAGE_CONTENT:
                data = self._censored(data)
            session.dispatch(event.name, data)

    def _twist(self, name: str) -> _Twist | None:
        for twist in self._twists:
            if twist.event == name and twist.times > 0:
                twist.times -= 1
                return twist
        return None

    def _listening(self, event: Event) -> Iterator[Session]:
        direct = "guild_id" not in event.data and not event.name.startswith("GUILD_")
        needed = 0
        if event.name.startswith("MESSAGE_"):
            needed = _DIRECT_MESSAGES if direct else _GUILD_MESSAGES
        elif event.name.startswith(("CHANNEL_", "THREAD_")):
            needed = 0 if direct else _GUILDS
        elif event.name in ("GUILD_MEMBER_ADD", "GUILD_MEMBER_REMOVE"):
            needed = _GUILD_MEMBERS
        for session in self._sessions.values():
            if self._mine(session, direct=direct) and session.intents & needed == needed:
                yield session

    def _mine(self, session: Session, *, direct: bool) -> bool:
        """A guild belongs to one shard; direct messages come to the first."""
        index, count = session.shard
        return index == (0 if direct else (int(self._world.guild_id) >> 22) % count)

    def _censored(self, data: Json) -> Json:
        """A guild message of a person as a bot without the intent for content gets it."""
        author = data.get("author")
        if author is None or author["bot"] or "guild_id" not in data:
            return data
        if any(user["id"] == self._world.bot.id for user in data["mentions"]):
            return data
        return data | {"content": "", "embeds": [], "attachments": [], "components": []}

    # Sockets

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        if self._refusing:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        connection = Connection(socket)
        self._connections.add(connection)
        writer = asyncio.create_task(connection.write())
        connection.send(_frame(_HELLO, {"heartbeat_interval": self._world.rules.heartbeat_ms}))
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    await self._receive(connection, json.loads(frame.data))
        finally:
            self._connections.discard(connection)
            writer.cancel()
            if connection.session is not None and connection.session.connection is connection:
                connection.session.connection = None
                self._world.tell(Event("LOCAL_BOT", {}))
        return socket

    async def _receive(self, connection: Connection, frame: Json) -> None:
        code = frame.get("op")
        data: Any = frame.get("d")
        if code == _HEARTBEAT:
            # discord.py notes when it sent a heartbeat after the socket took it: an answer that comes before that
            # looks a whole interval late to it.
            asyncio.get_running_loop().call_later(_ACK_SECONDS, connection.send, _frame(_ACK))
        elif code == _IDENTIFY:
            await self._identify(connection, data)
        elif code == _RESUME:
            await self._resume(connection, data)
        elif connection.session is None:
            await connection.socket.close(code=4003)
        elif code == _REQUEST_MEMBERS:
            self._send_members(connection.session, data)
        elif code not in (_PRESENCE, _VOICE):
            await connection.socket.close(code=4001)

    async def _identify(self, connection: Connection, data: Json) -> None:
        if data.get("token") != TOKEN:
            await connection.socket.close(code=4004)
            return
        if connection.session is not None:
            await connection.socket.close(code=4005)
            return
        index, count = data.get("shard") or (0, 1)
        for old in [
            one for one in self._sessions.values() if one.connection is None and one.shard == (index, count)
        ]:
            del self._sessions[old.id]
        session = Session(self._world.mint(), (index, count), data["intents"], connection=connection)
        connection.session = session
        self._sessions[session.id] = session
        self.identified += 1
        self._world.tell(Event("LOCAL_BOT", {}))
        mine = self._world.present and self._mine(session, direct=False)
        session.dispatch("READY", self._ready(session, guild=mine))
        if mine and self._world.available:
            members = bool(session.intents & _GUILD_MEMBERS)
            session.dispatch("GUILD_CREATE", payloads.guild_create(self._world, all_members=members))

    async def _resume(self, connection: Connection, data: Json) -> None:
        session = self._sessions.get(data.get("session_id", ""))
        if data.get("token") != TOKEN or session is None or not session.resumable_from(data["seq"]):
            connection.send(_frame(_INVALID_SESSION, data=False))
            return
        session.connection = connection
        connection.session = session
        for frame in [frame for frame in session.sent if frame["s"] > data["seq"]]:
            connection.send(frame)
        self.resumed += 1
        self._world.tell(Event("LOCAL_BOT", {}))
        session.dispatch("RESUMED", {})

    def _ready(self, session: Session, *, guild: bool) -> Json:
        return {
            "v": 10,
            "user": payloads.user(self._world.bot),
            "guilds": [{"id": self._world.guild_id, "unavailable": True}] if guild else [],
            "session_id": session.id,
            "resume_gateway_url": f"{self._world.address.replace('http', 'ws', 1)}/gateway",
            "shard": list(session.shard),
            "application": {"id": self._world.application_id, "flags": 0},
            "private_channels": [],
        }

    def _send_members(self, session: Session, data: Json) -> None:
        wanted = {str(key) for key in _listed(data.get("user_ids"))}
        start = (data.get("query") or "").lower()
        found = [
            user
            for user in self._world.members()
            if (user.id in wanted if wanted else user.name.lower().startswith(start))
        ]
        chunk: Json = {
            "guild_id": self._world.guild_id,
            "members": [payloads.member(self._world, user) for user in found],
            "chunk_index": 0,
            "chunk_count": 1,
        }
        session.dispatch(
            "GUILD_MEMBERS_CHUNK", chunk | ({"nonce": data["nonce"]} if data.get("nonce") else {})
        )


def _frame(code: int, data: Any = None) -> Json:
    return {"op": code, "d": data, "s": None, "t": None}


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
