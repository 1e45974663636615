"""People: what a player does with a Discord client, and what that client would not let them do.

Each action goes to the bot as an interaction or a message and returns when the bot has answered or its time is up.
Actions of several people, or several of one, may run at once.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.loopback import payloads
from bot.loopback.interactions import Desk, Interaction, InteractionKind
from bot.loopback.limits import CONTENT
from bot.loopback.model import SELECTS, Channel, ComponentKind, Json, Message, Permission, Upload, User, parts
from bot.loopback.world import World

Where = Channel | str
"""A channel: itself, its ``#name`` or its id."""

_SUBCOMMAND, _GROUP = 1, 2
_STRING, _INTEGER, _BOOLEAN, _USER, _CHANNEL, _ROLE, _MENTIONABLE, _NUMBER, _ATTACHMENT = (
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
)


class Impossible(Exception):  # noqa: N818 - it is the outcome, not a programmer's error
    """A person's client would not offer that: no such button, an option out of range, a message they cannot see."""


class Person:
    """One player of the world."""

    def __init__(self, world: World, desk: Desk, user: User) -> None:
        self.user = user
        self._world = world
        self._desk = desk

    @property
    def name(self) -> str:
        """As the others see it."""
        return self.user.name

    def dm(self) -> Channel:
        """Their direct messages with the bot."""
        return self._world.dm(self.user)

    def channels(self) -> list[Channel]:
        """The channels, threads and direct messages that they see; DMs only once they were opened."""
        return [place for place in self._world.channels.values() if self._world.sees(self.user, place)]

    def sees(self, where: Where) -> list[Message]:
        """The messages that they see in a channel, the oldest first, ephemeral ones of theirs among them."""
        return self._world.said_in(self._place(where), self.user)

    def last(self, where: Where) -> Message:
        """The newest message that they see in a channel; `Impossible` if there is none."""
        seen = self.sees(where)
        if not seen:
            raise Impossible("Nothing was said there yet.")
        return seen[-1]

    def commands(self, where: Where) -> list[Json]:
        """The application commands that they are offered in a channel."""
        place = self._place(where)
        if not place.direct and not self._world.present:
            return []
        scopes = [""] if place.direct else [self._world.guild_id, ""]
        every = [command for scope in scopes for command in self._world.commands.get(scope, [])]
        return [command for command in every if self._offered(command, place)]

    async def say(self, where: Where, text: str, *files: Upload) -> Message:
        """Write a message; in an archived thread that reopens it."""
        place = self._place(where)
        speak = Permission.SEND_MESSAGES_IN_THREADS if place.thread else Permission.SEND_MESSAGES
        if not self._world.permissions(self.user, place) & speak:
            raise Impossible("You may not write here.")
        if not 1 <= len(text) <= CONTENT and not files:
            raise Impossible(f"A message has 1 to {CONTENT} characters.")
        if place.archived:
            self._world.change_channel(place, {"archived": False})
        return self._world.post(place, self.user, {"content": text}, files)

    async def slash(self, where: Where, command: str, /, **options: Any) -> Interaction:
        """Use a slash command: its whole name without the slash, and its options.

        Users and channels are given as a `Person`, a channel, a name or an id; files as an `Upload`.
        """
        place = self._place(where)
        root, leaf, steps = self._command(place, command)
        filled, resolved = self._filled(place, leaf, options)
        missing = [
            one["name"]
            for one in leaf.get("options") or []
            if one.get("required") and one["name"] not in options
        ]
        if missing:
            raise Impossible(f"/{command} needs {', '.join(missing)}.")
        data = self._command_data(root, steps, filled, resolved)
        return await self._desk.ask(InteractionKind.COMMAND, self.user, place, data, name=command)

    async def autocomplete(self, where: Where, command: str, /, focused: str, **options: Any) -> Interaction:
        """Type into an option, `focused`, whose text so far is among `options`; the answer has `choices`."""
        place = self._place(where)
        root, leaf, steps = self._command(place, command)
        option = next((one for one in leaf.get("options") or [] if one["name"] == focused), None)
        if option is None or not option.get("autocomplete"):
            raise Impossible(f"/{command} has no suggestions for {focused}.")
        typed = str(options.pop(focused, ""))
        filled, resolved = self._filled_so_far(place, leaf, options)
        filled.append({"name": focused, "type": option["type"], "value": typed, "focused": True})
        data = self._command_data(root, steps, filled, resolved)
        return await self._desk.ask(InteractionKind.AUTOCOMPLETE, self.user, place, data)

    async def menu(self, where: Where, command: str, target: Message | Person, /) -> Interaction:
        """Use a command of the context menu of a message or a member."""
        place = self._place(where)
        kind = 3 if isinstance(target, Message) else 2
        root = next(
            (one for one in self.commands(place) if one["name"] == command and one["type"] == kind), None
        )
        if root is None:
            raise Impossible(f"There is no command {command} in that menu.")
        resolved: Json = {}
        if isinstance(target, Message):
            self._require_seen(target)
            key, resolved["messages"] = target.id, {target.id: payloads.message(self._world, target)}
        else:
            key = self._resolve_user(target, resolved)
        data = {"id": root["id"], "name": root["name"], "type": kind, "target_id": key, "resolved": resolved}
        return await self._desk.ask(InteractionKind.COMMAND, self.user, place, data, name=command)

    async def click(
        self, message: Message, *, label: str | None = None, custom_id: str | None = None
    ) -> Interaction:
        """Press a button, named by its label or its custom id."""
        self._require_seen(message)
        button = _find(message, {ComponentKind.BUTTON}, label=label, custom_id=custom_id)
        if button.get("style") == 5:
            raise Impossible("That button only opens an address.")
        data = {"custom_id": button["custom_id"], "component_type": button["type"], "id": button.get("id")}
        return await self._touch(message, data)

    async def select(self, message: Message, *values: Any, custom_id: str | None = None) -> Interaction:
        """Choose in a select: options by value or label, people and channels as themselves, by name or by id."""
        self._require_seen(message)
        select = _find(message, SELECTS, custom_id=custom_id)
        resolved: Json = {}
        chosen = self._chosen(select, values, resolved)
        data: Json = {"custom_id": select["custom_id"], "component_type": select["type"], "values": chosen}
        data["id"] = select.get("id")
        return await self._touch(message, data | ({"resolved": resolved} if resolved else {}))

    async def submit(self, asked: Interaction, values: Mapping[str, Any]) -> Interaction:
        """Send the modal that an interaction was answered with; `values` by custom id, the rest as it came."""
        if asked.modal is None or asked.user.id != self.user.id:
            raise Impossible("There is no modal to send.")
        known = {part["custom_id"] for part in parts(asked.modal["components"]) if part.get("custom_id")}
        if set(values) - known:
            raise Impossible(f"The modal has no field {', '.join(sorted(set(values) - known))}.")
        resolved: Json = {}
        rows = [self._modal_row(row, values, resolved) for row in asked.modal["components"]]
        data: Json = {"custom_id": asked.modal["custom_id"], "components": rows}
        return await self._desk.ask(
            InteractionKind.MODAL,
            self.user,
            asked.channel,
            data | ({"resolved": resolved} if resolved else {}),
            source=asked.source,
            name=asked.name,
        )

    def delete(self, message: Message) -> None:
        """Delete a message that everyone sees: one's own, or as a moderator."""
        self._require_seen(message)
        place = self._world.channels[message.channel]
        may = self._world.permissions(self.user, place) & Permission.MANAGE_MESSAGES
        if message.ephemeral or (message.author != self.user.id and (place.direct or not may)):
            raise Impossible("You may not delete that message.")
        self._world.delete(message)

    def close_dms(self) -> None:
        """Take no direct messages from the bot from now on."""
        self._world.close_dms(self.user.id)

    def open_dms(self) -> None:
        """Take direct messages again."""
        self._world.open_dms(self.user.id)

    def leave_guild(self) -> None:
        """Leave the guild (its owner cannot)."""
        self._world.remove_member(self.user.id)

    def join_guild(self) -> None:
        """Come back to the guild."""
        self._world.add_member(self.user.id)

    def dismiss(self, message: Message) -> None:
        """Put an ephemeral message away."""
        self._require_seen(message)
        if not message.ephemeral:
            raise Impossible("Only a message for your eyes alone can be dismissed.")
        self._world.dismiss(message)

    # What they may see and touch

    def _place(self, where: Where) -> Channel:
        try:
            place = where if isinstance(where, Channel) else self._world.channel(where)
        except KeyError as error:
            raise Impossible(str(error)) from None
        if place.id not in self._world.channels or not self._world.sees(self.user, place):
            raise Impossible("You do not see that channel.")
        return place

    def _require_seen(self, message: Message) -> None:
        self._place(message.channel)
        present = self._world.messages.get(message.channel, {}).get(message.id) is message
        if not present or not self._world.shows(message, self.user):
            raise Impossible("You do not see that message.")

    def _offered(self, command: Json, place: Channel) -> bool:
        contexts = command.get("contexts")
        if contexts is not None and (1 if place.direct else 0) not in contexts:
            return False
        if place.direct:
            return command.get("dm_permission") is not False or contexts is not None
        have = self._world.permissions(self.user, place)
        needed = int(command.get("default_member_permissions") or 0) | Permission.USE_APPLICATION_COMMANDS
        return have & needed == needed

    async def _touch(self, message: Message, data: Json) -> Interaction:
        place = self._world.channels[message.channel]
        return await self._desk.ask(InteractionKind.COMPONENT, self.user, place, data, source=message)

    # Commands and their options

    def _command(self, place: Channel, name: str) -> tuple[Json, Json, list[Json]]:
        """The command at the root, the one that is meant, and the steps from the one to the other."""
        first, *rest = name.split()
        root = next((one for one in self.commands(place) if one["name"] == first and one["type"] == 1), None)
        if root is None:
            raise Impossible(f"There is no command /{first} here.")
        leaf, steps = root, []
        for step in rest:
            inner = {
                one["name"]: one for one in leaf.get("options") or [] if one["type"] in (_SUBCOMMAND, _GROUP)
            }
            if step not in inner:
                raise Impossible(f"There is no command /{name} here.")
            leaf = inner[step]
            steps.append(leaf)
        if any(one["type"] in (_SUBCOMMAND, _GROUP) for one in leaf.get("options") or []):
            raise Impossible(f"/{name} has subcommands.")
        return root, leaf, steps

    def _command_data(self, root: Json, steps: Sequence[Json], filled: list[Json], resolved: Json) -> Json:
        options = filled
        for step in reversed(steps):
            options = [{"name": step["name"], "type": step["type"], "options": options}]
        data = {"id": root["id"], "name": root["name"], "type": 1, "options": options}
        if "guild_id" in root:
            data["guild_id"] = root["guild_id"]
        return data | ({"resolved": resolved} if resolved else {})

    def _filled(self, place: Channel, leaf: Json, options: Mapping[str, Any]) -> tuple[list[Json], Json]:
        known = {one["name"]: one for one in leaf.get("options") or []}
        resolved: Json = {}
        filled = []
        for name, value in options.items():
            if name not in known:
                raise Impossible(f"There is no option {name}.")
            option = known[name]
            value = self._option_value(place, option, value, resolved)
            filled.append({"name": name, "type": option["type"], "value": value})
        return filled, resolved

    def _filled_so_far(
        self, place: Channel, leaf: Json, options: Mapping[str, Any]
    ) -> tuple[list[Json], Json]:
        """The options that are valid already; while one types, the others may still be wrong."""
        good = {}
        for name, value in options.items():
            with contextlib.suppress(Impossible):
                self._filled(place, leaf, {name: value})
                good[name] = value
        return self._filled(place, leaf, good)

    def _option_value(self, place: Channel, option: Json, value: Any, resolved: Json) -> Any:
        kind = option["type"]
        if option.get("choices"):
            return _choice(option, value)
        if kind == _USER or (kind == _MENTIONABLE and not self._is_role(value)):
            return self._resolve_user(value, resolved)
        if kind in (_ROLE, _MENTIONABLE):
            return self._resolve_role(value, resolved)
        if kind == _CHANNEL:
            return self._resolve_channel(value, option.get("channel_types"), resolved)
        if kind == _ATTACHMENT:
            return self._resolve_file(place, value, resolved)
        return _plain_value(option, value)

    def _is_role(self, value: Any) -> bool:
        return value in {role["id"] for role in payloads.roles(self._world)}

    def _resolve_user(self, value: Any, resolved: Json) -> str:
        try:
            user = (
                value.user
                if isinstance(value, Person)
                else self._world.user(str(getattr(value, "id", value)))
            )
        except KeyError as error:
            raise Impossible(str(error)) from None
        resolved.setdefault("users", {})[user.id] = payloads.user(user)
        member = {key: part for key, part in payloads.member(self._world, user).items() if key != "user"}
        resolved.setdefault("members", {})[user.id] = member | {"permissions": str(self._world.everyone)}
        return user.id

    def _resolve_role(self, value: Any, resolved: Json) -> str:
        for role in payloads.roles(self._world):
            if value in (role["id"], role["name"]):
                resolved.setdefault("roles", {})[role["id"]] = role
                return str(role["id"])
        raise Impossible(f"There is no role {value}.")

    def _resolve_channel(self, value: Any, kinds: Sequence[int] | None, resolved: Json) -> str:
        place = self._place(value)
        if kinds and place.kind not in kinds:
            raise Impossible("A channel of that kind is not offered there.")
        shown = payloads.channel(self._world, place) | {
            "permissions": str(self._world.permissions(self.user, place))
        }
        resolved.setdefault("channels", {})[place.id] = shown
        return place.id

    def _resolve_file(self, place: Channel, value: Any, resolved: Json) -> str:
        if not isinstance(value, Upload):
            raise Impossible("A file is needed there.")
        file = self._world.keep_upload(place.id, value)
        resolved.setdefault("attachments", {})[file.id] = payloads.attachment(self._world, place.id, file)
        return file.id

    # Selects and modals

    def _chosen(self, select: Json, values: Sequence[Any], resolved: Json) -> list[str]:
        least, most = select.get("min_values", 1), select.get("max_values", 1)
        if select.get("required") is False:
            least = 0
        if not least <= len(values) <= most:
            raise Impossible(f"Between {least} and {most} are to be chosen there.")
        kind = select["type"]
        if kind == ComponentKind.STRING_SELECT:
            return [_option(select, value) for value in values]
        if kind == ComponentKind.CHANNEL_SELECT:
            return [self._resolve_channel(value, select.get("channel_types"), resolved) for value in values]
        if kind == ComponentKind.USER_SELECT:
            return [self._resolve_user(value, resolved) for value in values]
        if kind == ComponentKind.ROLE_SELECT:
            return [self._resolve_role(value, resolved) for value in values]
        return [
            self._resolve_role(value, resolved)
            if self._is_role(value)
            else self._resolve_user(value, resolved)
            for value in values
        ]

    def _modal_row(self, row: Json, values: Mapping[str, Any], resolved: Json) -> Json:
        base = {"type": row["type"], "id": row.get("id", 0)}
        if row["type"] == ComponentKind.LABEL:
            return base | {"component": self._field(row["component"], values, resolved)}
        if row["type"] == ComponentKind.ACTION_ROW:
            return base | {
                "components": [self._field(field, values, resolved) for field in row["components"]]
            }
        return base

    def _field(self, field: Json, values: Mapping[str, Any], resolved: Json) -> Json:
        kind, key = field["type"], field["custom_id"]
        base = {"type": kind, "id": field.get("id", 0), "custom_id": key}
        if kind == ComponentKind.TEXT_INPUT:
            return base | {"value": _typed(field, str(values.get(key, field.get("value") or "")))}
        if kind == ComponentKind.CHECKBOX:
            return base | {"value": bool(values.get(key, field.get("default", False)))}
        given = values.get(key, _defaults(field))
        given = list(given) if isinstance(given, list | tuple) else [given]
        if kind == ComponentKind.RADIO_GROUP:
            if not given and field.get("required", True):
                raise Impossible("One of these must be chosen.")
            return base | {"value": _option(field, given[0]) if given else None}
        if kind == ComponentKind.CHECKBOX_GROUP:
            return base | {"values": [_option(field, value) for value in given]}
        if kind == ComponentKind.FILE_UPLOAD:
            place = self._world.text_channels()[0]
            return base | {"values": [self._resolve_file(place, value, resolved) for value in given]}
        return base | {"values": self._chosen(field, given, resolved)}


def _find(
    message: Message,
    kinds: frozenset[ComponentKind] | set[ComponentKind],
    *,
    label: str | None = None,
    custom_id: str | None = None,
) -> Json:
    """The one component of these kinds that is meant; it must be there and enabled."""
    found = [part for part in parts(message.components) if part.get("type") in kinds]
    if label is not None:
        found = [part for part in found if part.get("label") == label]
    if custom_id is not None:
        found = [part for part in found if part.get("custom_id") == custom_id]
    if not found:
        raise _gone(label or custom_id or "A component", message)
    if len(found) > 1:
        raise Impossible("More than one is there: name one by its custom_id.")
    if found[0].get("disabled"):
        raise Impossible(f"{label or custom_id or 'It'} is disabled.")
    return found[0]


def _gone(what: str, message: Message) -> Impossible:
    """Return the sentence for the page, with a note on what was meant for whoever reads a traceback."""
    error = Impossible("That is not there any more. Look again.")
    error.add_note(f"{what} was meant; there are {_offers(message)}.")
    return error


def _offers(message: Message) -> list[str]:
    return [name for name in _named_controls(message) if name]


def _named_controls(message: Message) -> Iterator[str]:
    for part in parts(message.components):
        yield part.get("label") or part.get("custom_id") or ""


def _choice(option: Json, value: Any) -> Any:
    for choice in option["choices"]:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    offered = ", ".join(str(choice["name"]) for choice in option["choices"])
    raise Impossible(f"{option['name']} is one of {offered}.")


def _option(select: Json, value: Any) -> str:
    for option in select.get("options") or []:
        if value in (option["value"], option["label"]):
            return str(option["value"])
    offered = ", ".join(option["label"] for option in select.get("options") or [])
    raise Impossible(f"{value!r} is not offered: {offered}.")


def _defaults(field: Json) -> list[Any]:
    chosen = [option["value"] for option in field.get("options") or [] if option.get("default")]
    return chosen or [str(default["id"]) for default in field.get("default_values") or []]


def _plain_value(option: Json, value: Any) -> Any:
    kind, name = option["type"], option["name"]
    if kind == _STRING:
        text = str(value)
        low, high = option.get("min_length") or 0, option.get("max_length") or 6000
        if not low <= len(text) <= high:
            raise Impossible(f"{name} has {low} to {high} characters.")
        return text
    if kind == _BOOLEAN:
        if not isinstance(value, bool):
            raise Impossible(f"{name} is true or false.")
        return value
    fits = isinstance(value, int) if kind == _INTEGER else isinstance(value, int | float)
    if not fits or isinstance(value, bool):
        raise Impossible(f"{name} is a number.")
    low, high = option.get("min_value"), option.get("max_value")
    if (low is not None and value < low) or (high is not None and value > high):
        raise Impossible(f"{name} is between {low} and {high}.")
    return value


def _typed(field: Json, text: str) -> str:
    low, high = field.get("min_length") or 0, field.get("max_length") or 4000
    if not text and not field.get("required", True):
        return text
    if not max(low, 1 if field.get("required", True) else 0) <= len(text) <= high:
        raise Impossible(f"{field.get('label') or field['custom_id']} takes {low} to {high} characters.")
    return text
