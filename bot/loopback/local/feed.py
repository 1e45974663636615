"""The feed of one open page: what its player may see, as it happens.

Beside Discord's events there are a few of local play's own: ``HELLO`` first, ``PLAYERS`` when one is added, ``BOT``
when the bot comes or goes, and ``ADDRESSED`` when a message is meant for a player, whichever: one person often plays
several, and wants to know whose turn has come. It names the message by its id only.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

from aiohttp import web

from bot.loopback import payloads
from bot.loopback.model import ComponentKind, Json, Message, Permission, User, parts
from bot.loopback.people import Person
from bot.loopback.world import Event, World

_REFUSALS_KEPT = 50
_ADDRESSED_KEPT = 99  # of one player in one channel


class Feed:
    """One open page: turns what happens into what its player may see of it."""

    def __init__(self, world: World, person: Person, online: Callable[[], bool]) -> None:
        self._world = world
        self._person = person
        self._online = online
        self._frames: asyncio.Queue[Json] = asyncio.Queue()

    def hear(self, event: Event) -> None:
        """Queue an event, if this player may know of it."""
        self._tell_whom_it_addresses(event)
        if event.viewer not in (None, self._person.user.id):
            return
        if event.name.startswith(("CHANNEL_", "THREAD_")):
            self._tell("CHANNELS", self.channels())
        elif event.name.startswith(
            "GUILD_"
        ):  # the bot or somebody comes or goes, and with them rights and commands
            self._tell("CHANNELS", self.channels())
            self._tell("COMMANDS", self.commands())
            self._tell("PLAYERS", self.players())
        elif event.channel is not None and not self._world.sees(self._person.user, event.channel):
            return
        elif event.name == "LOCAL_COMMANDS":
            self._tell("COMMANDS", self.commands())
        elif event.name == "LOCAL_BOT":
            self._tell("BOT", {"online": self._online()})
        elif event.name == "LOCAL_PLAYERS":
            self._tell("PLAYERS", self.players())
        elif event.name in ("LOCAL_REFUSAL", "LOCAL_TYPING"):
            self._tell(event.name.removeprefix("LOCAL_"), event.data)
        elif event.name == "MESSAGE_UPDATE" and self._dismissed(event.data):
            return
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
            "players": self.players(),
            "users": [payloads.user(user) for user in world.users.values()],
            "roles": [{"id": role["id"], "name": role["name"]} for role in payloads.roles(world)],
            "dm": self._person.dm().id,
            "channels": self.channels(),
            "commands": self.commands(),
            "online": self._online(),
            "refusals": refusals,
            "addressed": _addressed_so_far(world),
            "played": _played(world),
        }
        self._tell("HELLO", hello)

    def players(self) -> list[Json]:
        """Everyone who can be played; `manages` says who may manage the server."""
        return [payloads.user(user) | {"manages": self._manages(user)} for user in self._world.players]

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

    def _manages(self, user: User) -> bool:
        rights = self._world.base_permissions(user)
        manager = rights & (Permission.MANAGE_GUILD | Permission.ADMINISTRATOR)
        return user.id == self._world.owner.id or bool(manager)

    def _dismissed(self, message: Json) -> bool:
        """Whether the player has put that message away: an edit does not bring it back."""
        said = self._world.messages.get(message["channel_id"], {}).get(message["id"])
        return said is not None and said.dismissed

    def _tell_whom_it_addresses(self, event: Event) -> None:
        if event.name in ("CHANNEL_DELETE", "THREAD_DELETE"):
            self._tell("ADDRESSED", {"channel": event.data["id"], "message": None, "players": []})
        if not event.name.startswith("MESSAGE_"):
            return
        channel, key = event.data["channel_id"], event.data["id"]
        said = self._world.messages.get(channel, {}).get(key)
        players = [] if said is None else [user.id for user in addressed_by(self._world, said)]
        if players or event.name != "MESSAGE_CREATE":
            self._tell("ADDRESSED", {"channel": channel, "message": key, "players": players})

    def _tell(self, name: str, data: Any) -> None:
        self._frames.put_nowait({"t": name, "d": data})


def addressed_by(world: World, said: Message) -> list[User]:
    """The players for whom a message is meant: whom it mentions, or whose direct messages it is in."""
    place = world.channels.get(said.channel)
    if place is None or said.ephemeral:
        return []
    return [
        user
        for user in world.players
        if user.id != said.author
        and (user.id in said.mentions or place.recipient == user.id)
        and world.sees(user, place)
    ]


def _addressed_so_far(world: World) -> dict[str, dict[str, list[str]]]:
    """The newest messages for each player, by player and channel."""
    found: dict[str, dict[str, list[str]]] = {user.id: {} for user in world.players}
    for place in world.channels.values():
        for said in world.said_in(place):
            for user in addressed_by(world, said):
                found[user.id].setdefault(place.id, []).append(said.id)
    return {
        player: {channel: keys[-_ADDRESSED_KEPT:] for channel, keys in channels.items()}
        for player, channels in found.items()
    }


def _played(world: World) -> bool:
    """Whether the bot has ever set something up in a channel: who comes then is no newcomer."""
    return any(
        said.author == world.bot.id and said.components and (not said.ephemeral or _is_board(said))
        for place in world.channels.values()
        if not place.direct
        for said in world.messages.get(place.id, {}).values()
    )


def _is_board(said: Message) -> bool:
    """Whether it shows a picture with buttons, as a table for one does; help and settings show none."""
    kinds = {part["type"] for part in parts(said.components)}
    return {ComponentKind.MEDIA_GALLERY, ComponentKind.BUTTON} <= kinds
