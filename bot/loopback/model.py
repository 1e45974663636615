"""The values of the world: users, channels, messages, files. Plain data that can be stored; no behaviour of a server.

Ids are snowflakes as strings; times are milliseconds since the Unix epoch.
"""

from __future__ import annotations

import enum
from typing import Any

import msgspec

Json = dict[str, Any]


class ChannelKind(enum.IntEnum):
    """The kinds of channel that a local world has."""

    TEXT = 0
    DM = 1
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


class MessageKind(enum.IntEnum):
    """Why a message is there."""

    DEFAULT = 0
    THREAD_CREATED = 18
    REPLY = 19
    COMMAND = 20


class MessageFlag(enum.IntFlag):
    """Flags of a message that change what happens to it."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


class Permission(enum.IntFlag):
    """Discord's permission bits, as far as a bot for games meets them."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


ALL = (1 << 53) - 1
EVERYONE = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)


class User(msgspec.Struct, kw_only=True):
    """A person or the bot."""

    id: str
    name: str
    bot: bool = False


class Role(msgspec.Struct, kw_only=True):
    """A role of the guild beside everyone's and the bot's own, with the users who have it."""

    id: str
    name: str
    permissions: int = 0
    members: list[str] = []


class Overwrite(msgspec.Struct, kw_only=True):
    """What a channel grants to or takes from one member, a role, or everyone (`id` is then the guild's)."""

    id: str
    member: bool
    allow: int = 0
    deny: int = 0


class Channel(msgspec.Struct, kw_only=True):
    """A text channel, a thread or the direct messages of one person with the bot."""

    id: str
    kind: ChannelKind
    name: str = ""
    position: int = 0
    topic: str | None = None
    recipient: str | None = None  # of a DM
    parent: str | None = None  # of a thread
    owner: str | None = None  # of a thread
    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    members: list[str] = []
    overwrites: list[Overwrite] = []
    last_message: str | None = None

    @property
    def thread(self) -> bool:
        """Whether it is a thread."""
        return self.kind in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD)

    @property
    def direct(self) -> bool:
        """Whether it is the direct messages of one person with the bot."""
        return self.kind is ChannelKind.DM


class Upload(msgspec.Struct, kw_only=True):
    """A file as it came in."""

    filename: str
    body: bytes
    content_type: str = "application/octet-stream"
    slot: str = "0"  # the n of files[n]


class Attachment(msgspec.Struct, kw_only=True):
    """A file of a message; its bytes are on the CDN under channel, id and name."""

    id: str
    filename: str
    size: int
    content_type: str
    description: str | None = None
    width: int | None = None
    height: int | None = None


class Origin(msgspec.Struct, kw_only=True):
    """The interaction that a message of the bot answers."""

    id: str
    kind: int
    user: str
    name: str | None = None  # of the command, with its subcommands


class Message(msgspec.Struct, kw_only=True, eq=False):
    """A message as the world keeps it. Media in `components` and `embeds` stay ``attachment://name`` here."""

    id: str
    channel: str
    author: str
    posted: int
    kind: MessageKind = MessageKind.DEFAULT
    content: str = ""
    edited: int | None = None
    flags: int = 0
    embeds: list[Json] = []
    components: list[Json] = []
    attachments: list[Attachment] = []
    mentions: list[str] = []
    nonce: str | int | None = None
    reference: str | None = None
    origin: Origin | None = None
    viewer: str | None = None  # the only one who sees an ephemeral message
    dismissed: bool = False
    old_edits: int = 0

    @property
    def ephemeral(self) -> bool:
        """Whether one person alone sees it."""
        return bool(self.flags & MessageFlag.EPHEMERAL)

    @property
    def thinking(self) -> bool:
        """Whether the bot has promised an answer that is still to come."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def layout(self) -> bool:
        """Whether it is made of components only (components v2)."""
        return bool(self.flags & MessageFlag.COMPONENTS_V2)

    @property
    def text(self) -> str:
        """All that can be read in it: content, embeds, text displays, the alt texts of pictures; one a line."""
        lines = [self.content, *(line for embed in self.embeds for line in _embed_lines(embed))]
        for part in parts(self.components):
            lines += [part["content"]] if part.get("type") == ComponentKind.TEXT_DISPLAY else []
        lines += [file.description for file in self.attachments if file.description]
        return "\n".join(line for line in lines if line)

    @property
    def labels(self) -> list[str]:
        """The labels of its buttons, in order."""
        return [
            part.get("label") or ""
            for part in parts(self.components)
            if part.get("type") == ComponentKind.BUTTON
        ]

    @property
    def custom_ids(self) -> list[str]:
        """The custom ids of its buttons and selects, in order."""
        return [part["custom_id"] for part in parts(self.components) if part.get("custom_id")]


class ComponentKind(enum.IntEnum):
    """The kinds of component."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS = frozenset(
    {
        ComponentKind.STRING_SELECT,
        ComponentKind.USER_SELECT,
        ComponentKind.ROLE_SELECT,
        ComponentKind.MENTIONABLE_SELECT,
        ComponentKind.CHANNEL_SELECT,
    }
)


def parts(components: list[Json]) -> list[Json]:
    """Every component, those inside others too, in the order of reading."""
    found: list[Json] = []
    for component in components:
        found.append(component)
        found += parts(component.get("components") or [])
        found += parts([component[slot] for slot in ("component", "accessory") if component.get(slot)])
    return found


def _embed_lines(embed: Json) -> list[str]:
    lines = [embed.get("title") or "", embed.get("description") or ""]
    for field in embed.get("fields") or []:
        lines += [field["name"], field["value"]]
    return [*lines, (embed.get("footer") or {}).get("text") or ""]
