"""What there is: one guild, its people, channels, threads, messages, and who may see and do what.

Reading only; `bot.loopback.world` changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.loopback.archive import Archive
from bot.loopback.model import (
    ALL,
    EVERYONE,
    Channel,
    ChannelKind,
    Json,
    Message,
    Permission,
    Role,
    Upload,
    User,
)
from bot.loopback.refusal import (
    archived_thread,
    closed_dms,
    guild_unavailable,
    missing_access,
    missing_permissions,
    no_mutual_guild,
    unknown_message,
)
from bot.loopback.snowflake import Snowflakes, named


@dataclass
class Rules:
    """What Discord sets and a test may set otherwise. Seconds and milliseconds as the names say."""

    answer_seconds: float = 3.0
    token_seconds: float = 900.0
    file_bytes: int = 10 * 2**20
    old_message_ms: int = 3_600_000
    old_edits: int = 5
    heartbeat_ms: int = 41_250
    # Whether requests are counted as Discord counts them (`bot.loopback.buckets`): a bot then waits in good time.
    rate_limits: bool = False
    # The bot knows the views of an answer only after it has read ours: a person is not quicker than that.
    reading_seconds: float = 0.05


class State:
    """The state of a world.

    Attributes:
        address: where it is served, known once the server listens.
        present: whether the bot is in the guild.
        available: whether the guild is there; not during an outage.
    """

    def __init__(
        self,
        players: Sequence[str],
        *,
        channels: Sequence[str] = ("general", "games"),
        bot_name: str = "Wordmoot",
        rules: Rules | None = None,
        archive: Archive | None = None,
    ) -> None:
        self.rules = rules or Rules()
        self.address = ""
        self.guild_name = "Local play"
        self.guild_id = named("guild", self.guild_name)
        self.bot_role_id = named("role", bot_name)
        self.everyone: int = EVERYONE
        self.bot_permissions: int = 0
        self.roles: list[Role] = []
        self.present = True
        self.available = True
        self.bot = User(id=named("bot", bot_name), name=bot_name, bot=True)
        self.application_id = self.bot.id
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, dict[str, Message]] = {}
        self.commands: dict[str, list[Json]] = {}
        self._closed_dms: set[str] = set()
        self._gone: set[str] = set()
        self._deleted: set[str] = set()
        self._archive = archive or Archive()
        self._snowflakes = Snowflakes()
        self.players = [User(id=named("user", name), name=name) for name in dict.fromkeys(players)]
        if not self.players:
            raise ValueError("a world needs at least one player")
        self._remember()
        for who in (self.bot, *self.players):
            self.users[who.id] = who
            self._archive.keep(who)
        for position, name in enumerate(channels):
            self._open_text_channel(name, position)

    @property
    def owner(self) -> User:
        """The first player owns the guild and may do everything in it."""
        return self.players[0]

    def mint(self) -> str:
        """A new snowflake."""
        return self._snowflakes.mint()

    def user(self, who: str) -> User:
        """A user by name or id; KeyError if there is none."""
        if who in self.users:
            return self.users[who]
        for user in self.users.values():
            if user.name.lower() == who.lower():
                return user
        raise KeyError(f"nobody here is called {who!r}")

    def channel(self, where: str) -> Channel:
        """A channel or thread by ``#name`` or id; KeyError if there is none. Of two namesakes the newest."""
        if where in self.channels:
            return self.channels[where]
        for channel in reversed(self.channels.values()):
            if not channel.direct and channel.name == where.removeprefix("#"):
                return channel
        raise KeyError(f"no channel is called {where!r}")

    def member(self, who: User) -> bool:
        """Whether a user is in the guild, as the bot is when it was not removed."""
        return self.present if who.bot else who.id not in self._gone

    def members(self) -> list[User]:
        """All who are in the guild."""
        return [who for who in self.users.values() if self.member(who)]

    def deleted(self, who: User) -> bool:
        """Whether the account was deleted."""
        return who.id in self._deleted

    def role(self, name: str) -> Role:
        """A role that was made in this world, by name or id; KeyError if there is none."""
        found = next((role for role in self.roles if name in (role.id, role.name)), None)
        if found is None:
            raise KeyError(f"no role is called {name!r}")
        return found

    def roles_of(self, who: User) -> list[str]:
        """The ids of a member's roles, everyone's not among them."""
        own = [self.bot_role_id] if who.id == self.bot.id else []
        return own + [role.id for role in self.roles if who.id in role.members]

    def text_channels(self) -> list[Channel]:
        """The guild's channels that are no threads."""
        return [place for place in self.channels.values() if place.kind is ChannelKind.TEXT]

    def threads(self, parent: str | None = None) -> list[Channel]:
        """All threads, or those of one channel."""
        return [place for place in self.channels.values() if place.thread and parent in (None, place.parent)]

    def message(self, channel: str, key: str) -> Message:
        """A message that everyone in the channel sees, or the refusal for it."""
        found = self.messages.get(channel, {}).get(key)
        if found is None or found.ephemeral:
            raise unknown_message()
        return found

    def said_in(self, place: Channel, viewer: User | None = None) -> list[Message]:
        """What is to be seen in a channel, the oldest first; with a viewer their ephemeral messages too."""
        said = sorted(self.messages.get(place.id, {}).values(), key=lambda message: int(message.id))
        return [message for message in said if self.shows(message, viewer)]

    def shows(self, message: Message, viewer: User | None) -> bool:
        """Whether this viewer sees the message: an ephemeral one has but one, until dismissed."""
        if not message.ephemeral:
            return True
        return viewer is not None and message.viewer == viewer.id and not message.dismissed

    # What one may do

    def permissions(self, who: User, place: Channel) -> int:
        """The permission bits of a member in a channel."""
        if place.direct or who.id == self.owner.id:
            return ALL
        if not self.member(who):
            return 0
        base = self.base_permissions(who)
        if base & Permission.ADMINISTRATOR:
            return ALL
        rules, roles = self._home(place).overwrites, set(self.roles_of(who))
        for keys in ({self.guild_id}, roles, {who.id}):
            met = [rule for rule in rules if rule.id in keys]
            for rule in met:
                base &= ~rule.deny
            for rule in met:
                base |= rule.allow
        return base

    def base_permissions(self, who: User) -> int:
        """The permission bits of a member in the guild, before any channel changes them."""
        base = self.everyone | (self.bot_permissions if who.bot else 0)
        for role in self.roles:
            if who.id in role.members:
                base |= role.permissions
        return base

    def sees(self, who: User, place: Channel) -> bool:
        """Whether a channel exists for that member."""
        if place.direct:
            return who.bot or place.recipient == who.id
        if not self.available or not self.member(who):
            return False
        if not self.permissions(who, place) & Permission.VIEW_CHANNEL:
            return False
        if place.kind is not ChannelKind.PRIVATE_THREAD or who.id in place.members:
            return True
        return bool(self.permissions(who, place) & Permission.MANAGE_THREADS)

    def require(self, place: Channel, *needed: Permission) -> None:
        """Refuse what the bot may not do in a channel: 50001 if it cannot see it, else 50013."""
        if not self.available and not place.direct:
            raise guild_unavailable()
        if not self.sees(self.bot, place):
            raise missing_access()
        have = self.permissions(self.bot, place)
        if any(not have & permission for permission in needed):
            raise missing_permissions()

    def require_speech(self, place: Channel, body: Json, uploads: Sequence[Upload]) -> None:
        """Refuse a new message of the bot where it may not speak."""
        if place.direct:
            if place.recipient in self._deleted or place.recipient in self._closed_dms:
                raise closed_dms()
            if not self.present or place.recipient in self._gone:
                raise no_mutual_guild()
            return
        speak = Permission.SEND_MESSAGES_IN_THREADS if place.thread else Permission.SEND_MESSAGES
        self.require(place, speak)
        if uploads:
            self.require(place, Permission.ATTACH_FILES)
        if body.get("embeds"):
            self.require(place, Permission.EMBED_LINKS)
        self.require_open(place)

    def require_open(self, place: Channel) -> None:
        """Refuse work in an archived thread. Discord reopens it for a plain new message; here it must be reopened."""
        if place.archived:
            raise archived_thread()

    def _remember(self) -> None:
        self.users = {who.id: who for who in self._archive.users()}
        self.channels = {place.id: place for place in self._archive.channels()}
        self.commands = self._archive.commands()
        for said in self._archive.messages():
            if said.channel in self.channels and said.author in self.users:
                self.messages.setdefault(said.channel, {})[said.id] = said

    def _open_text_channel(self, name: str, position: int) -> None:
        key = named("channel", name)
        if key not in self.channels:
            self._keep_channel(Channel(id=key, kind=ChannelKind.TEXT, name=name, position=position))

    def _home(self, place: Channel) -> Channel:
        """The channel whose overwrites count: a thread has its parent's."""
        return self.channels.get(place.parent or "", place)

    def _keep_channel(self, place: Channel) -> None:
        self.channels[place.id] = place
        self._archive.keep(place)
