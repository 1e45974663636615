"""The world: what changes its state, and who is told.

Every change happens at once, in one call, and is then told to whoever listens as an `Event`: the gateway, the pages.
Whether the bot *may* do a thing is asked by those who carry requests in; what a change means is decided here.
"""

from __future__ import annotations

import asyncio
import io
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from PIL import Image, UnidentifiedImageError

from bot.loopback import payloads
from bot.loopback.model import (
    Attachment,
    Channel,
    ChannelKind,
    Json,
    Message,
    MessageFlag,
    MessageKind,
    Origin,
    Overwrite,
    Role,
    Upload,
    User,
    parts,
)
from bot.loopback.refusal import thread_exists, too_many_old_edits
from bot.loopback.snowflake import moment, named, wall_ms
from bot.loopback.state import State

T = TypeVar("T")

_MENTION = re.compile(r"<@!?(\d+)>")
_NONCE_MS = 5 * 60_000


@dataclass(frozen=True)
class Event:
    """Something that happened; `data` is Discord's payload. With a `viewer` it is for that person's eyes only."""

    name: str
    data: Json
    channel: Channel | None = None
    viewer: str | None = None


@dataclass(frozen=True)
class Exchange:
    """One request of the bot and how it was answered; `code` is Discord's error code, 0 without one."""

    method: str
    path: str
    status: int
    code: int = 0
    message: str = ""
    errors: Json = field(default_factory=dict)

    @property
    def refused(self) -> bool:
        """Whether the answer was an error."""
        return self.status >= 400

    def told(self) -> Json:
        """It as the pages list it."""
        return asdict(self)


class World(State):
    """A state that changes. Takes what `State` takes.

    What can go wrong in it: `delete`, `purge` and `sweep` (messages), `age`; `archive_thread`, `lock_thread`,
    `delete_channel`; `allow` (with ``deny``), `create_role`, `change_role`, `delete_role`; `close_dms`, `open_dms`;
    `remove_member`, `add_member`, `delete_account`; `remove_bot`, `invite_bot`; `begin_outage`, `end_outage`.

    Attributes:
        exchanges: the last requests of the bot and their answers.
    """

    def __init__(self, players: Sequence[str], **given: Any) -> None:
        super().__init__(players, **given)
        self._archive.keep_only(
            payloads.cdn_path(said.channel, file)
            for messages in self.messages.values()
            for said in messages.values()
            for file in said.attachments
        )
        self.exchanges: deque[Exchange] = deque(maxlen=5000)
        self._listeners: list[Callable[[Event], None]] = []

    # Messages

    def post(
        self,
        place: Channel,
        author: User,
        body: Json,
        uploads: Sequence[Upload] = (),
        *,
        kind: MessageKind = MessageKind.DEFAULT,
        flags: int | None = None,
        origin: Origin | None = None,
        reference: str | None = None,
    ) -> Message:
        """Put a message into a channel and tell of it. The body is one that the limits let pass."""
        flags = int(body.get("flags") or 0) if flags is None else flags
        key = self.mint()
        said = Message(
            id=key,
            channel=place.id,
            author=author.id,
            posted=moment(key),
            kind=kind,
            content=body.get("content") or "",
            flags=flags,
            embeds=body.get("embeds") or [],
            components=settled(body.get("components") or []),
            attachments=self._store(place.id, body, uploads),
            nonce=body.get("nonce"),
            reference=reference,
            origin=origin,
            viewer=origin.user if origin is not None and flags & MessageFlag.EPHEMERAL else None,
        )
        said.mentions = self._mentioned(said, body)
        self.messages.setdefault(place.id, {})[said.id] = said
        if not said.ephemeral:
            place.last_message = said.id
            self._archive.keep(said)
            self._archive.keep(place)
        self._tell_of(said, "MESSAGE_CREATE")
        if place.thread and not said.ephemeral:
            self.join(place, [author.id, *said.mentions])
        return said

    def edit(self, said: Message, body: Json, uploads: Sequence[Upload] = ()) -> Message:
        """Change a message; members that the body leaves out stay as they are."""
        promised = said.thinking
        if "content" in body:
            said.content = body["content"] or ""
        if "embeds" in body:
            said.embeds = body["embeds"] or []
        said.attachments = self._kept(said, body) + self._store(said.channel, body, uploads)
        if "components" in body:
            said.components = settled(body["components"] or [])
        layout = MessageFlag.COMPONENTS_V2 & int(body.get("flags") or 0)
        said.flags = said.flags & ~MessageFlag.LOADING | layout
        said.mentions = self._mentioned(said, body)
        said.edited = said.edited if promised else wall_ms()
        self._message_changed(said)
        return said

    def edit_by_bot_token(self, said: Message, body: Json, uploads: Sequence[Upload] = ()) -> Message:
        """`edit`, with the limit for messages older than an hour (30046)."""
        if wall_ms() - said.posted > self.rules.old_message_ms:
            if said.old_edits >= self.rules.old_edits:
                raise too_many_old_edits()
            said.old_edits += 1
        return self.edit(said, body, uploads)

    def delete(self, said: Message) -> None:
        """Take a message away."""
        del self.messages[said.channel][said.id]
        self._drop_files(said)
        self._archive.drop(said)
        place = self.channels[said.channel]
        data: Json = {"id": said.id, "channel_id": said.channel}
        if not place.direct:
            data["guild_id"] = self.guild_id
        self.tell(Event("MESSAGE_DELETE", data, place, said.viewer))

    def purge(self, messages: Sequence[Message]) -> None:
        """Take several messages of one guild channel away at once, as a moderator's bot does."""
        if not messages:
            return
        place = self.channels[messages[0].channel]
        for said in messages:
            del self.messages[place.id][said.id]
            self._drop_files(said)
            self._archive.drop(said)
        ids = [said.id for said in messages]
        data = {"ids": ids, "channel_id": place.id, "guild_id": self.guild_id}
        self.tell(Event("MESSAGE_DELETE_BULK", data, place))

    def sweep(self, where: str, seconds: float = 0.1) -> Callable[[], None]:
        """Delete whatever the bot posts in a channel from now on, as a zealous moderator's bot does.

        Each message is left for that long, so that the bot has its answer first. Returns what ends it.
        """
        place = self.channel(where)
        loop = asyncio.get_running_loop()

        def take(event: Event) -> None:
            if event.name != "MESSAGE_CREATE" or event.channel is not place or event.viewer is not None:
                return
            said = self.messages[place.id][event.data["id"]]
            if said.author == self.bot.id:
                loop.call_later(seconds, gone, said)

        def gone(said: Message) -> None:
            if said.id in self.messages.get(said.channel, {}):
                self.delete(said)

        return self.listen(take)

    def dismiss(self, said: Message) -> None:
        """Its viewer puts an ephemeral message away; the bot is not told. No other message names its files."""
        said.dismissed = True
        self._drop_files(said)
        self.tell(Event("MESSAGE_DELETE", {"id": said.id, "channel_id": said.channel}, None, said.viewer))

    def twin(self, author: User, nonce: str | int) -> Message | None:
        """A message of the last minutes by the same author with the same nonce."""
        since = wall_ms() - _NONCE_MS
        for said in (said for messages in self.messages.values() for said in messages.values()):
            if said.author == author.id and said.nonce == nonce and said.posted > since:
                return said
        return None

    def age(self, said: Message, *, minutes: float) -> None:
        """Make a message that much older than it is."""
        said.posted -= int(minutes * 60_000)
        self._archive.keep(said)

    # Channels and threads

    def create_thread(
        self,
        parent: Channel,
        owner: User,
        name: str,
        *,
        private: bool = False,
        minutes: int | None = None,
        source: Message | None = None,
    ) -> Channel:
        """Open a thread in a channel, on a message or free; a message has one thread at most (160004)."""
        if source is not None and source.id in self.channels:
            raise thread_exists()
        place = Channel(
            id=self.mint() if source is None else source.id,
            kind=ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD,
            name=name,
            parent=parent.id,
            owner=owner.id,
            auto_archive_minutes=minutes or 1440,
            members=[owner.id],
        )
        self._keep_channel(place)
        self.tell(Event("THREAD_CREATE", payloads.channel(self, place) | {"newly_created": True}, place))
        if source is not None:
            source.flags |= MessageFlag.HAS_THREAD
            self._message_changed(source)
        elif not private:
            self.post(parent, owner, {"content": name}, kind=MessageKind.THREAD_CREATED, reference=place.id)
        return place

    def change_channel(self, place: Channel, body: Json) -> Channel:
        """Rename, archive, reopen or lock; members that the body leaves out stay as they are."""
        place.name = body.get("name") or place.name
        place.topic = body.get("topic", place.topic)
        place.auto_archive_minutes = body.get("auto_archive_duration") or place.auto_archive_minutes
        place.archived = bool(body.get("archived", place.archived))
        place.locked = bool(body.get("locked", place.locked))
        self._channel_changed(place)
        return place

    def archive_thread(self, where: str) -> None:
        """Archive a thread as its time would."""
        self.change_channel(self.channel(where), {"archived": True})

    def lock_thread(self, where: str) -> None:
        """Archive and lock a thread: only a moderator opens it again."""
        self.change_channel(self.channel(where), {"archived": True, "locked": True})

    def delete_channel(self, where: str) -> None:
        """Delete a channel with its threads, or a thread, and all that was said there."""
        place = self.channel(where)
        for thread in self.threads(place.id):
            self.delete_channel(thread.id)
        data = payloads.channel(self, place)
        event = Event("THREAD_DELETE" if place.thread else "CHANNEL_DELETE", data, place)
        del self.channels[place.id]
        for said in self.messages.pop(place.id, {}).values():
            self._drop_files(said)
            self._archive.drop(said)
        self._archive.drop(place)
        self.tell(event)

    def join(self, place: Channel, keys: Sequence[str]) -> None:
        """Make users members of a thread."""
        new = [key for key in dict.fromkeys(keys) if key not in place.members]
        if new:
            place.members = [*place.members, *new]
            self._members_changed(place, added=new)

    def leave(self, place: Channel, key: str) -> None:
        """Take a user out of a thread."""
        if key in place.members:
            place.members = [other for other in place.members if other != key]
            self._members_changed(place, removed=[key])

    def set_commands(self, scope: str, commands: list[Json]) -> list[Json]:
        """Replace the commands of a guild, or the global ones (an empty scope); a known name keeps its id."""
        old = {(command.get("type", 1), command["name"]): command for command in self.commands.get(scope, [])}
        kept = []
        for command in commands:
            known = old.get((command.get("type", 1), command["name"]), {})
            kept.append(
                {
                    "type": 1,
                    "description": "",
                    "default_member_permissions": None,
                    "contexts": None,
                    "nsfw": False,
                }
                | command
                | {
                    "id": known.get("id") or self.mint(),
                    "application_id": self.application_id,
                    "version": self.mint(),
                }
                | ({"guild_id": scope} if scope else {})
            )
        self.commands[scope] = kept
        self._archive.keep_commands(scope, kept)
        self.tell(Event("LOCAL_COMMANDS", {}))
        return kept

    def file(self, path: str) -> tuple[str, bytes] | None:
        """Content type and bytes of a file on the CDN."""
        return self._archive.file(path)

    def keep_upload(self, channel: str, upload: Upload, description: str | None = None) -> Attachment:
        """Put a file on the CDN."""
        size = _picture_size(upload.body) if upload.content_type.startswith("image/") else None
        file = Attachment(
            id=self.mint(),
            filename=upload.filename,
            size=len(upload.body),
            content_type=upload.content_type,
            description=description,
            width=size[0] if size else None,
            height=size[1] if size else None,
        )
        self._archive.keep_file(payloads.cdn_path(channel, file), upload)
        return file

    # Telling and waiting

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Hear every event from now on; returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: Event) -> None:
        """Tell everyone who listens."""
        for listener in list(self._listeners):
            listener(event)

    def note(self, exchange: Exchange) -> None:
        """Remember a request of the bot; tell the pages of a refused one."""
        self.exchanges.append(exchange)
        if exchange.refused:
            self.tell(Event("LOCAL_REFUSAL", exchange.told()))

    async def until(self, true: Callable[[], T], seconds: float = 10) -> T:
        """Wait until this holds, and return what it gave; TimeoutError if it never does."""
        async with asyncio.timeout(seconds):
            while not (found := true()):  # noqa: ASYNC110 - a test looks at many things, few of which tell of a change
                await asyncio.sleep(0.01)
        return found

    def close(self) -> None:
        """End the world; what is archived stays."""
        self._archive.close()

    # Direct messages and permissions

    def dm(self, who: User) -> Channel:
        """The direct messages of a person with the bot."""
        key = named("dm", who.name)
        if key not in self.channels:
            place = Channel(id=key, kind=ChannelKind.DM, recipient=who.id)
            self._keep_channel(place)
            self.tell(Event("CHANNEL_CREATE", payloads.channel(self, place), place))
        return self.channels[key]

    def has_dm(self, who: User) -> bool:
        """Whether they were opened before."""
        return named("dm", who.name) in self.channels

    def allow(self, where: str, who: str, permissions: int, *, deny: bool = False) -> None:
        """Grant or, with `deny`, take permissions of a member, a role or ``everyone`` in a channel."""
        place = self._home(self.channel(where))
        key, member = self._holder(who)
        rule = next((rule for rule in place.overwrites if rule.id == key), None)
        if rule is None:
            rule = Overwrite(id=key, member=member)
            place.overwrites = [*place.overwrites, rule]
        rule.allow = rule.allow & ~permissions if deny else rule.allow | permissions
        rule.deny = rule.deny | permissions if deny else rule.deny & ~permissions
        self._channel_changed(place)

    def overwrite(self, place: Channel, rule: Overwrite | None, key: str) -> None:
        """Set or, with None, remove a channel's overwrite for the member or role `key`."""
        kept = [other for other in place.overwrites if other.id != key]
        place.overwrites = kept if rule is None else [*kept, rule]
        self._channel_changed(place)

    def close_dms(self, who: str) -> None:
        """From now on that person takes no direct messages from the bot."""
        self._closed_dms.add(self.user(who).id)

    def open_dms(self, who: str) -> None:
        """That person takes direct messages again."""
        self._closed_dms.discard(self.user(who).id)

    # The guild: who is in it, its roles, whether it is there

    def remove_bot(self) -> None:
        """The bot is kicked: it hears nothing of the guild, may do nothing there, and reaches nobody of it."""
        self.present = False
        self.bot_permissions = 0
        for role in self.roles:
            role.members = [key for key in role.members if key != self.bot.id]
        self.commands.pop(self.guild_id, None)
        self.tell(Event("GUILD_DELETE", {"id": self.guild_id}))

    def invite_bot(self, permissions: int = 0) -> None:
        """The bot is invited (again), with these permissions for its role."""
        self.present = True
        self.bot_permissions = permissions
        self.tell(Event("GUILD_CREATE", self._whole_guild(joining=True)))

    def begin_outage(self) -> None:
        """The guild is gone for a while by a fault of Discord's: nobody sees it, and the bot is told so."""
        self.available = False
        self.tell(Event("GUILD_DELETE", {"id": self.guild_id, "unavailable": True}))

    def end_outage(self) -> None:
        """The guild is there again."""
        self.available = True
        if self.present:
            self.tell(Event("GUILD_CREATE", self._whole_guild()))

    def remove_member(self, who: str) -> None:
        """Somebody leaves or is kicked; ValueError for the owner."""
        user = self.user(who)
        if user.id == self.owner.id:
            raise ValueError("the owner cannot leave the guild")
        if user.bot:
            self.remove_bot()
            return
        self._gone.add(user.id)
        for role in self.roles:
            role.members = [key for key in role.members if key != user.id]
        for place in self.threads():
            place.members = [key for key in place.members if key != user.id]
        self.tell(Event("GUILD_MEMBER_REMOVE", {"guild_id": self.guild_id, "user": payloads.user(user)}))

    def add_member(self, who: str) -> None:
        """Somebody comes back."""
        user = self.user(who)
        self._gone.discard(user.id)
        self.tell(Event("GUILD_MEMBER_ADD", payloads.member(self, user) | {"guild_id": self.guild_id}))

    def delete_account(self, who: str) -> None:
        """Somebody leaves Discord for good: no member, no direct messages, an unknown user."""
        self.remove_member(who)
        self._deleted.add(self.user(who).id)

    def create_role(self, name: str, permissions: int = 0, members: Sequence[str] = ()) -> Role:
        """Make a role and give it to these users."""
        role = Role(id=self.mint(), name=name, permissions=permissions)
        role.members = [self.user(who).id for who in members]
        self.roles.append(role)
        self._role_changed("GUILD_ROLE_CREATE", role.id)
        for key in role.members:
            self._member_changed(self.users[key])
        return role

    def change_role(self, name: str, permissions: int) -> None:
        """Change what a role grants: one that was made, the bot's own (its name), or ``everyone``."""
        if name == "everyone":
            self.everyone = permissions
            key = self.guild_id
        elif name == self.bot.name:
            self.bot_permissions = permissions
            key = self.bot_role_id
        else:
            role = self.role(name)
            role.permissions = permissions
            key = role.id
        self._role_changed("GUILD_ROLE_UPDATE", key)

    def delete_role(self, name: str) -> None:
        """Delete a role that was made; who had it loses what it granted."""
        role = self.role(name)
        self.roles.remove(role)
        for place in self.text_channels():
            place.overwrites = [rule for rule in place.overwrites if rule.id != role.id]
        self.tell(Event("GUILD_ROLE_DELETE", {"guild_id": self.guild_id, "role_id": role.id}))

    # Within

    def _holder(self, who: str) -> tuple[str, bool]:
        """The id of whom an overwrite is for, and whether that is a member."""
        if who == "everyone":
            return self.guild_id, False
        made = next((role for role in self.roles if who in (role.id, role.name)), None)
        return (self.user(who).id, True) if made is None else (made.id, False)

    def _whole_guild(self, *, joining: bool = False) -> Json:
        """The guild as GUILD_CREATE brings it; on joining without the word that it was unavailable before."""
        whole = payloads.guild_create(self, all_members=False)
        if joining:
            del whole["unavailable"]
        return whole

    def _role_changed(self, event: str, key: str) -> None:
        shown = next(role for role in payloads.roles(self) if role["id"] == key)
        self.tell(Event(event, {"guild_id": self.guild_id, "role": shown}))

    def _member_changed(self, user: User) -> None:
        data = payloads.member(self, user) | {"guild_id": self.guild_id}
        self.tell(Event("GUILD_MEMBER_UPDATE", data))

    def _channel_changed(self, place: Channel) -> None:
        self._archive.keep(place)
        name = "THREAD_UPDATE" if place.thread else "CHANNEL_UPDATE"
        self.tell(Event(name, payloads.channel(self, place), place))

    def _members_changed(
        self, place: Channel, *, added: Sequence[str] = (), removed: Sequence[str] = ()
    ) -> None:
        self._archive.keep(place)
        data = {
            "id": place.id,
            "guild_id": self.guild_id,
            "member_count": len(place.members),
            "added_members": [
                payloads.thread_member(place, key) | {"member": payloads.member(self, self.users[key])}
                for key in added
            ],
            "removed_member_ids": list(removed),
        }
        self.tell(Event("THREAD_MEMBERS_UPDATE", data, place))

    def _message_changed(self, said: Message) -> None:
        if not said.ephemeral:
            self._archive.keep(said)
        self._tell_of(said, "MESSAGE_UPDATE")

    def _tell_of(self, said: Message, name: str) -> None:
        data = payloads.message_create(self, said)
        self.tell(Event(name, data, self.channels[said.channel], said.viewer))

    def _store(self, channel: str, body: Json, uploads: Sequence[Upload]) -> list[Attachment]:
        named_ = {str(meta.get("id")): meta for meta in body.get("attachments") or []}
        files = []
        for upload in uploads:
            meta = named_.get(upload.slot, {})
            upload.filename = meta.get("filename") or upload.filename
            files.append(self.keep_upload(channel, upload, meta.get("description")))
        return files

    def _kept(self, said: Message, body: Json) -> list[Attachment]:
        """The files of a message that an edit keeps: all, or those that it lists."""
        if body.get("attachments") is None:
            return said.attachments
        listed = {str(meta.get("id")) for meta in body["attachments"]}
        for file in said.attachments:
            if file.id not in listed:
                self._archive.drop_file(payloads.cdn_path(said.channel, file))
        return [file for file in said.attachments if file.id in listed]

    def _drop_files(self, said: Message) -> None:
        for file in said.attachments:
            self._archive.drop_file(payloads.cdn_path(said.channel, file))

    def _mentioned(self, said: Message, body: Json) -> list[str]:
        """Whom a message mentions so that they are told: as far as ``allowed_mentions`` goes."""
        texts = [said.content, *(part.get("content") or "" for part in parts(said.components))]
        found = dict.fromkeys(key for text in texts for key in _MENTION.findall(text) if key in self.users)
        allowed = body.get("allowed_mentions")
        if allowed is None or "users" in (allowed.get("parse") or []):
            return list(found)
        chosen = {str(key) for key in allowed.get("users") or []}
        return [key for key in found if key in chosen]


def settled(components: list[Json]) -> list[Json]:
    """The components as Discord gives them out: each with its ``id`` in the message, snowflakes as strings."""
    used = {part["id"] for part in parts(components) if part.get("id")}
    number = 0
    for part in parts(components):
        for default in part.get("default_values") or []:
            default["id"] = str(default["id"])  # a page would lose the last digits of a number
        if part.get("id"):
            continue
        number += 1
        while number in used:
            number += 1
        part["id"] = number
    return components


def _picture_size(body: bytes) -> tuple[int, int] | None:
    try:
        with Image.open(io.BytesIO(body)) as picture:
            return picture.size
    except (UnidentifiedImageError, OSError):
        return None
