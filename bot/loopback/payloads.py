"""The world in Discord's JSON: what responses and gateway events hold.

Every key that discord.py's parsers need is there, ids as strings, media with the address at which it is served now.
"""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from bot.loopback.model import Attachment, Channel, Json, Message, MessageFlag, Origin, User
from bot.loopback.snowflake import moment
from bot.loopback.state import State

_JOINED = "2026-01-01T00:00:00+00:00"


def stamp(ms: int | None) -> str | None:
    """A time as Discord writes it, ISO 8601 in UTC."""
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def user(who: User) -> Json:
    """A user object."""
    return {
        "id": who.id,
        "username": who.name.lower().replace(" ", "_"),
        "global_name": who.name,
        "discriminator": "0",
        "avatar": None,
        "bot": who.bot,
        "public_flags": 0,
        "flags": 0,
    }


def member(world: State, who: User) -> Json:
    """A guild member object."""
    return {
        "user": user(who),
        "roles": world.roles_of(who),
        "nick": None,
        "avatar": None,
        "joined_at": _JOINED,
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }


def role(key: str, name: str, permissions: int, position: int, *, managed: bool = False) -> Json:
    """A role object."""
    return {
        "id": key,
        "name": name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": position,
        "permissions": str(permissions),
        "managed": managed,
        "mentionable": False,
        "flags": 0,
    }


def roles(world: State) -> list[Json]:
    """The roles of the guild: everyone's, the bot's own, and those that were made."""
    return [
        role(world.guild_id, "@everyone", world.everyone, 0),
        role(world.bot_role_id, world.bot.name, world.bot_permissions, 1, managed=True),
        *(role(made.id, made.name, made.permissions, 2 + place) for place, made in enumerate(world.roles)),
    ]


def guild(world: State) -> Json:
    """The guild without what only GUILD_CREATE brings."""
    return {
        "id": world.guild_id,
        "name": world.guild_name,
        "icon": None,
        "owner_id": world.owner.id,
        "roles": roles(world),
        "emojis": [],
        "stickers": [],
        "features": [],
        "preferred_locale": "en-US",
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_flags": 0,
        "afk_timeout": 300,
        "max_members": 500_000,
    }


def guild_create(world: State, *, all_members: bool) -> Json:
    """The guild as it comes after READY; members other than the bot only with the intent for them."""
    present = [who for who in world.members() if all_members or who.bot]
    return guild(world) | {
        "joined_at": _JOINED,
        "large": False,
        "unavailable": False,
        "member_count": len(world.members()),
        "members": [member(world, who) for who in present],
        "channels": [channel(world, place) for place in world.text_channels()],
        "threads": [channel(world, place) for place in world.threads() if not place.archived],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def channel(world: State, place: Channel) -> Json:
    """A channel, thread or DM object."""
    base: Json = {"id": place.id, "type": int(place.kind), "last_message_id": place.last_message, "flags": 0}
    if place.direct:
        return base | {"recipients": [user(world.users[place.recipient])] if place.recipient else []}
    base |= {
        "guild_id": world.guild_id,
        "name": place.name,
        "parent_id": place.parent,
        "rate_limit_per_user": 0,
    }
    if place.thread:
        return base | _thread(world, place)
    overwrites = [
        {"id": rule.id, "type": int(rule.member), "allow": str(rule.allow), "deny": str(rule.deny)}
        for rule in place.overwrites
    ]
    return base | {
        "topic": place.topic,
        "position": place.position,
        "permission_overwrites": overwrites,
        "nsfw": False,
    }


def thread_member(place: Channel, key: str) -> Json:
    """A thread member object."""
    return {"id": place.id, "user_id": key, "join_timestamp": stamp(moment(place.id)), "flags": 0}


def attachment(world: State, place: str, file: Attachment) -> Json:
    """An attachment object; `place` is the channel under which the file is served."""
    url = world.address + quote(cdn_path(place, file))
    found: Json = {
        "id": file.id,
        "filename": file.filename,
        "size": file.size,
        "url": url,
        "proxy_url": url,
        "content_type": file.content_type,
    }
    optional = {"description": file.description, "width": file.width, "height": file.height}
    return found | {key: value for key, value in optional.items() if value is not None}


def cdn_path(place: str, file: Attachment) -> str:
    """Where the bytes of a file are served."""
    return f"/cdn/attachments/{place}/{file.id}/{file.filename}"


def message(world: State, said: Message) -> Json:
    """A message object, whole; who may see it is the caller's care."""
    place = world.channels[said.channel]
    files = {file.filename: attachment(world, said.channel, file) for file in said.attachments}
    found: Json = {
        "id": said.id,
        "channel_id": said.channel,
        "type": int(said.kind),
        "author": user(world.users[said.author]),
        "content": said.content,
        "timestamp": stamp(said.posted),
        "edited_timestamp": stamp(said.edited),
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(world.users[key]) for key in said.mentions],
        "mention_roles": [],
        "attachments": list(files.values()),
        "embeds": [{"type": "rich"} | embed for embed in _with_addresses(said.embeds, files)],
        "components": _with_addresses(said.components, files),
        "pinned": False,
        "flags": said.flags,
    }
    if said.nonce is not None:
        found["nonce"] = said.nonce
    if said.reference is not None:
        found["message_reference"] = {"type": 0, "channel_id": said.channel, "message_id": said.reference}
    if not place.direct:
        found["guild_id"] = world.guild_id
        if said.reference is not None:
            found["message_reference"]["guild_id"] = world.guild_id
    if said.origin is not None:
        found |= _origin(world, said.origin)
    if said.flags & MessageFlag.HAS_THREAD and said.id in world.channels:
        found["thread"] = channel(world, world.channels[said.id])
    return found


def message_create(world: State, said: Message) -> Json:
    """A message as MESSAGE_CREATE brings it: in a guild with the author's membership."""
    found = message(world, said)
    author = world.users[said.author]
    if "guild_id" in found and said.origin is None:
        found["member"] = {key: value for key, value in member(world, author).items() if key != "user"}
    return found


def application(world: State) -> Json:
    """The bot's application."""
    return {
        "id": world.application_id,
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": user(world.owner),
        "team": None,
        "flags": 0,
        "bot": user(world.bot),
        "approximate_guild_count": 1,
    }


def _thread(world: State, place: Channel) -> Json:
    said = world.messages.get(place.id, {})
    metadata = {
        "archived": place.archived,
        "locked": place.locked,
        "auto_archive_duration": place.auto_archive_minutes,
        "archive_timestamp": stamp(moment(place.id)),
        "create_timestamp": stamp(moment(place.id)),
    }
    return {
        "owner_id": place.owner,
        "thread_metadata": metadata,
        "message_count": len(said),
        "total_message_sent": len(said),
        "member_count": len(place.members),
        "member": thread_member(place, world.bot.id),
    }


def _origin(world: State, origin: Origin) -> Json:
    owners = {"0": world.guild_id}
    who = user(world.users[origin.user])
    metadata = {"id": origin.id, "type": origin.kind, "user": who, "authorizing_integration_owners": owners}
    found: Json = {
        "webhook_id": world.application_id,
        "application_id": world.application_id,
        "interaction_metadata": metadata,
    }
    if origin.name is not None:
        metadata["name"] = origin.name
        found["interaction"] = {"id": origin.id, "type": origin.kind, "name": origin.name, "user": who}
    return found


def _with_addresses(tree: list[Json], files: dict[str, Json]) -> list[Json]:
    """A copy in which each ``attachment://name`` is the address of that file."""

    def walk(node: Any) -> None:
        if isinstance(node, list):
            for item in node:
                walk(item)
            return
        if not isinstance(node, dict):
            return
        url = node.get("url")
        if isinstance(url, str) and url.startswith("attachment://"):
            file = files.get(url.removeprefix("attachment://"))
            if file is not None:
                keys = ("url", "proxy_url", "width", "height", "content_type")
                node.update({key: file[key] for key in keys if key in file}, attachment_id=file["id"])
        for value in list(node.values()):
            walk(value)

    found = copy.deepcopy(tree)
    walk(found)
    return found
