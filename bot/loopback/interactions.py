"""Interactions: a person does something, the bot has three seconds for its one answer and a quarter of an hour for more.

`Desk` keeps them: it opens one, takes the callback (types 1 to 9), the edits of the answer and the messages that
follow it, and refuses what Discord refuses (10062, 40060, 50027, a modal as the answer to a modal).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from bot.loopback import limits, payloads
from bot.loopback.model import ALL, Channel, Json, Message, MessageFlag, MessageKind, Origin, Upload, User
from bot.loopback.refusal import (
    already_acknowledged,
    expired_token,
    unknown_channel,
    unknown_interaction,
    unknown_message,
)
from bot.loopback.world import Event, World


class InteractionKind(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """How the bot answers."""

    PONG = 1
    MESSAGE = 4
    THINKING = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


_ANSWERS = {
    InteractionKind.COMMAND: {Callback.MESSAGE, Callback.THINKING, Callback.MODAL},
    InteractionKind.COMPONENT: {
        Callback.MESSAGE,
        Callback.THINKING,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
        Callback.MODAL,
    },
    InteractionKind.AUTOCOMPLETE: {Callback.CHOICES},
    InteractionKind.MODAL: {Callback.MESSAGE, Callback.THINKING, Callback.DEFERRED_UPDATE, Callback.UPDATE},
}


@dataclass(eq=False)
class Interaction:
    """One interaction, and what came of it so far; it goes on changing while the bot works.

    Attributes:
        response: the type of the bot's answer, or None without one.
        message: the message that answers: the bot's own, or the one clicked on when that was updated.
        followups: the messages that the bot sent after its answer.
        modal: the modal to fill in, as the bot described it.
        choices: the choices of an autocomplete.
        failed: whether three seconds went by without an answer.
        waited: seconds between the frame that told the bot and its answer.
    """

    id: str
    token: str
    kind: InteractionKind
    user: User
    channel: Channel
    data: Json
    source: Message | None = None
    name: str | None = None
    response: Callback | None = None
    message: Message | None = None
    followups: list[Message] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] = field(default_factory=list)
    failed: bool = False
    waited: float | None = None
    opened: float = field(default_factory=time.perf_counter)
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def text(self) -> str:
        """What can be read in the answer."""
        return self.message.text if self.message is not None else ""

    @property
    def private(self) -> bool:
        """Whether the answer is for this person only."""
        return self.message is not None and self.message.ephemeral

    def age(self, *, minutes: float) -> None:
        """Make it that much older than it is; after a quarter of an hour its token is void."""
        self.opened -= minutes * 60

    def origin(self) -> Origin:
        """What a message that answers it says of it."""
        return Origin(id=self.id, kind=self.kind, user=self.user.id, name=self.name)


class Desk:
    """Where interactions are opened and answered."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._by_token: dict[str, Interaction] = {}

    def find(self, key: str) -> Interaction:
        """An interaction by its id; KeyError if there is none."""
        for interaction in self._by_token.values():
            if interaction.id == key:
                return interaction
        raise KeyError(key)

    async def ask(
        self,
        kind: InteractionKind,
        user: User,
        channel: Channel,
        data: Json,
        *,
        source: Message | None = None,
        name: str | None = None,
    ) -> Interaction:
        """Tell the bot what a person did, and wait for its answer or for the time to run out."""
        self._forget_old()
        key = self._world.mint()
        token = f"local-{key}"
        interaction = Interaction(key, token, kind, user, channel, data, source=source, name=name)
        self._by_token[token] = interaction
        self._world.tell(Event("INTERACTION_CREATE", self._told(interaction), channel))
        interaction.opened = time.perf_counter()
        try:
            async with asyncio.timeout(self._world.rules.answer_seconds):
                await interaction.answered.wait()
        except TimeoutError:
            interaction.failed = interaction.response is None
        return interaction

    def answer(self, key: str, token: str, body: Json, uploads: Sequence[Upload]) -> Json:
        """Take the bot's one answer; returns the body for a request with ``with_response``."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != key:
            raise unknown_interaction()
        if interaction.response is not None:
            raise already_acknowledged()
        waited = time.perf_counter() - interaction.opened
        if interaction.failed or waited > self._world.rules.answer_seconds:
            raise unknown_interaction()
        callback = self._checked(interaction, body, uploads)
        self._carry_out(interaction, callback, body.get("data") or {}, uploads)
        interaction.response = callback
        interaction.waited = waited
        asyncio.get_running_loop().call_later(self._world.rules.reading_seconds, interaction.answered.set)
        return self._answered(interaction)

    def follow_up(self, token: str, body: Json, uploads: Sequence[Upload]) -> Message:
        """A further message; the first one after *thinking* becomes the answer itself."""
        interaction = self._valid(token)
        limits.check_files(uploads, self._world.rules.file_bytes)
        limits.check_message(body, uploads)
        self._require_place(interaction)
        first = interaction.message
        if interaction.response is Callback.THINKING and first is not None and first.thinking:
            return self._world.edit(first, body, uploads)
        reference = first.id if first is not None and not first.ephemeral else None
        said = self._world.post(
            interaction.channel,
            self._world.bot,
            body,
            uploads,
            kind=MessageKind.REPLY if reference else MessageKind.DEFAULT,
            origin=interaction.origin(),
            reference=reference,
        )
        interaction.followups.append(said)
        return said

    def message(self, token: str, key: str) -> Message:
        """A message of an interaction by its id, or its answer by ``@original``."""
        interaction = self._valid(token)
        original = interaction.message
        if key == "@original":
            found = original
        else:
            known = [said for said in (original, *interaction.followups) if said is not None]
            found = next((said for said in known if said.id == key), None)
        if found is None or found.id not in self._world.messages.get(found.channel, {}):
            raise unknown_message()
        return found

    def edit(self, token: str, key: str, body: Json, uploads: Sequence[Upload]) -> Message:
        """Edit such a message."""
        said = self.message(token, key)
        limits.check_files(uploads, self._world.rules.file_bytes)
        limits.check_message(body, uploads, edited=said)
        return self._world.edit(said, body, uploads)

    def delete(self, token: str, key: str) -> None:
        """Delete such a message."""
        self._world.delete(self.message(token, key))

    def _checked(self, interaction: Interaction, body: Json, uploads: Sequence[Upload]) -> Callback:
        allowed = set(_ANSWERS[interaction.kind])
        if interaction.source is None:
            allowed -= {Callback.DEFERRED_UPDATE, Callback.UPDATE}
        form = limits.Form()
        fits = form.one_of(("type",), body.get("type"), allowed)
        form.close()
        assert fits
        callback = Callback(body["type"])
        data = body.get("data") or {}
        limits.check_files(uploads, self._world.rules.file_bytes)
        if callback is Callback.MESSAGE:
            limits.check_message(data, uploads, at=("data",))
        elif callback is Callback.UPDATE:
            limits.check_message(data, uploads, edited=interaction.source, at=("data",))
        elif callback is Callback.MODAL:
            limits.check_modal(data)
        elif callback is Callback.CHOICES:
            limits.check_choices(data)
        return callback

    def _carry_out(
        self, interaction: Interaction, callback: Callback, data: Json, uploads: Sequence[Upload]
    ) -> None:
        source = interaction.source
        if callback in (Callback.MESSAGE, Callback.THINKING):
            self._require_place(interaction)
            interaction.message = self._post_answer(interaction, callback, data, uploads)
        elif callback is Callback.UPDATE and source is not None:
            self._require_present(source)
            interaction.message = self._world.edit(source, data, uploads)
        elif callback is Callback.DEFERRED_UPDATE:
            interaction.message = source
        elif callback is Callback.MODAL:
            interaction.modal = data
        elif callback is Callback.CHOICES:
            interaction.choices = data.get("choices") or []

    def _post_answer(
        self, interaction: Interaction, callback: Callback, data: Json, uploads: Sequence[Upload]
    ) -> Message:
        flags = int(data.get("flags") or 0)
        if callback is Callback.THINKING:
            flags = flags & MessageFlag.EPHEMERAL | MessageFlag.LOADING
        source = interaction.source
        reference = source.id if source is not None and not source.ephemeral else None
        kind = MessageKind.REPLY if reference else MessageKind.DEFAULT
        return self._world.post(
            interaction.channel,
            self._world.bot,
            data,
            uploads,
            kind=MessageKind.COMMAND if interaction.name is not None else kind,
            flags=flags,
            origin=interaction.origin(),
            reference=reference,
        )

    def _require_place(self, interaction: Interaction) -> None:
        if interaction.channel.id not in self._world.channels:
            raise unknown_channel()

    def _require_present(self, said: Message) -> None:
        if said.id not in self._world.messages.get(said.channel, {}):
            raise unknown_message()

    def _valid(self, token: str) -> Interaction:
        interaction = self._by_token.get(token)
        if interaction is None or time.perf_counter() - interaction.opened > self._world.rules.token_seconds:
            raise expired_token()
        if interaction.response is None:
            raise unknown_message()
        return interaction

    def _forget_old(self) -> None:
        """Drop what is long void, so that a world of play stays small."""
        void = time.perf_counter() - 2 * self._world.rules.token_seconds
        for token in [token for token, one in self._by_token.items() if one.opened < void]:
            del self._by_token[token]

    def _told(self, interaction: Interaction) -> Json:
        world, place = self._world, interaction.channel
        told: Json = {
            "id": interaction.id,
            "application_id": world.application_id,
            "type": int(interaction.kind),
            "token": interaction.token,
            "version": 1,
            "data": interaction.data,
            "channel_id": place.id,
            "channel": payloads.channel(world, place)
            | {"permissions": str(world.permissions(interaction.user, place))},
            "locale": "en-US",
            "app_permissions": str(world.permissions(world.bot, place)),
            "entitlements": [],
            "authorizing_integration_owners": {"0": "0" if place.direct else world.guild_id},
            "context": 1 if place.direct else 0,
            "attachment_size_limit": world.rules.file_bytes,
        }
        if interaction.source is not None:
            told["message"] = payloads.message(world, interaction.source)
        if place.direct:
            return told | {"user": payloads.user(interaction.user)}
        permissions = world.permissions(interaction.user, place) & ALL
        return told | {
            "guild_id": world.guild_id,
            "guild_locale": "en-US",
            "guild": {"id": world.guild_id, "locale": "en-US", "features": []},
            "member": payloads.member(world, interaction.user) | {"permissions": str(permissions)},
        }

    def _answered(self, interaction: Interaction) -> Json:
        said = interaction.message
        told: Json = {"id": interaction.id, "type": int(interaction.kind)}
        if said is not None:
            told |= {
                "response_message_id": said.id,
                "response_message_loading": said.thinking,
                "response_message_ephemeral": said.ephemeral,
            }
        found: Json = {"interaction": told}
        if (
            interaction.response in (Callback.MESSAGE, Callback.THINKING, Callback.UPDATE)
            and said is not None
        ):
            found["resource"] = {
                "type": int(interaction.response),
                "message": payloads.message(self._world, said),
            }
        return found
