"""The limits that Discord sets to a form: messages, components, modals, choices, commands, threads.

Each ``check_…`` reads the JSON of a request and raises the `Refusal` that Discord gives: 400 with code 50035 and
``errors``, a tree of the paths that are wrong. Nothing is corrected and nothing is stored here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from bot.loopback.model import SELECTS, ComponentKind, Json, Message, MessageFlag, Upload, parts
from bot.loopback.refusal import Refusal, empty_message, too_large

Path = tuple[str | int, ...]

CONTENT = 2000
EMBEDS = 10
EMBED_TEXT = 6000
FILES = 10
ALT_TEXT = 1024
COMPONENTS = 40
LAYOUT_TEXT = 4000
LAYOUT_BYTES = 10_170
LAYOUT_BYTES_A_DISPLAY = 12
CHOICES = 25
NONCE = 25
COMMAND_TEXT = 8000

_COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")
_V2_FORBIDS = ("content", "embeds", "poll", "sticker_ids")


class Form:
    """Collects what is wrong with a form, each fault at its path."""

    def __init__(self) -> None:
        self._errors: Json = {}

    def fault(self, path: Path, code: str, message: str) -> None:
        """Note one fault."""
        node = self._errors
        for step in path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def text(self, path: Path, value: Any, most: int, least: int = 0) -> str:
        """The text at a path; its length is checked. An absent one is a fault if `least` is above 0."""
        if value is None or value == "":
            if least:
                self.fault(path, "BASE_TYPE_REQUIRED", "This field is required")
            return ""
        if not isinstance(value, str):
            self.fault(path, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return ""
        self._length(path, len(value), least, most)
        return value

    def many(self, path: Path, values: Any, most: int, least: int = 0) -> list[Any]:
        """The list at a path; its length is checked."""
        if values is None:
            values = []
        if not isinstance(values, list):
            self.fault(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        self._length(path, len(values), least, most)
        return values

    def number(self, path: Path, value: Any, least: int, most: int) -> None:
        """A whole number in a range; an absent one is fine."""
        if value is None:
            return
        if not isinstance(value, int):
            self.fault(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        elif value < least:
            self.fault(path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")
        elif value > most:
            self.fault(path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")

    def one_of(self, path: Path, value: Any, allowed: Iterable[int]) -> bool:
        """Whether the value is an allowed one; else that is a fault."""
        choices = sorted(allowed)
        if value in choices:
            return True
        listed = ", ".join(map(str, choices))
        self.fault(path, "BASE_TYPE_CHOICES", f"Value must be one of {{{listed}}}.")
        return False

    def unique(self, paths: Iterable[tuple[Path, Any]], code: str, message: str) -> None:
        """Each value stands once."""
        seen = set()
        for path, value in paths:
            if value in seen:
                self.fault(path, code, message)
            seen.add(value)

    def refusal(self) -> Refusal:
        """What Discord answers to the form as it stands."""
        return Refusal(400, 50035, "Invalid Form Body", errors=self._errors)

    def close(self) -> None:
        """Refuse the form if anything was wrong with it."""
        if self._errors:
            raise self.refusal()

    def _length(self, path: Path, length: int, least: int, most: int) -> None:
        if least <= length <= most:
            return
        if not least:
            self.fault(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        else:
            self.fault(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")


def invalid(path: Path, code: str, message: str) -> Refusal:
    """The refusal of a form with one fault."""
    form = Form()
    form.fault(path, code, message)
    return form.refusal()


def check_files(uploads: Sequence[Upload], most_bytes: int) -> None:
    """Refuse a file over the limit with 413, and more than ten files."""
    if any(len(upload.body) > most_bytes for upload in uploads):
        raise too_large()
    form = Form()
    form.many(("attachments",), list(uploads), FILES)
    form.close()


def check_message(
    body: Json, uploads: Sequence[Upload] = (), *, edited: Message | None = None, at: Path = ()
) -> None:
    """Check the body of a message, new or as an edit of `edited`; `at` is the path of the body in the request."""
    form = Form()
    form.text((*at, "content"), body.get("content"), CONTENT)
    nonce = body.get("nonce")
    if nonce is not None:
        form.text((*at, "nonce"), str(nonce), NONCE)
    _check_embeds(form, (*at, "embeds"), body.get("embeds"))
    _check_attachments(form, (*at, "attachments"), body.get("attachments"))
    layout = _is_layout(body, edited)
    if edited is not None and edited.layout and "flags" in body and not layout:
        form.fault(
            (*at, "flags"),
            "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG",
            "The components v2 flag cannot be removed.",
        )
    components = body.get("components") or []
    if layout:
        _check_layout(form, at, body, components, _names(body, uploads, edited))
        form.close()
        _check_layout_size(components)
    else:
        _check_rows(form, (*at, "components"), components)
    form.close()
    if _is_empty(body, uploads, edited):
        raise empty_message()


def check_modal(data: Json, at: Path = ("data",)) -> None:
    """Check a modal: its title, and one to five labels, text displays or rows with a text input."""
    form = Form()
    form.text((*at, "title"), data.get("title"), 45, 1)
    form.text((*at, "custom_id"), data.get("custom_id"), 100, 1)
    path = (*at, "components")
    inner: list[tuple[Path, Any]] = []
    for index, component in enumerate(form.many(path, data.get("components"), 5, 1)):
        here = (*path, index)
        kinds = (ComponentKind.ACTION_ROW, ComponentKind.TEXT_DISPLAY, ComponentKind.LABEL)
        if not form.one_of((*here, "type"), component.get("type"), kinds):
            continue
        if component["type"] == ComponentKind.TEXT_DISPLAY:
            form.text((*here, "content"), component.get("content"), LAYOUT_TEXT, 1)
        elif component["type"] == ComponentKind.LABEL:
            form.text((*here, "label"), component.get("label"), 45, 1)
            form.text((*here, "description"), component.get("description"), 100)
            _check_field(form, (*here, "component"), component.get("component") or {}, labelled=True)
            inner.append(
                ((*here, "component", "custom_id"), (component.get("component") or {}).get("custom_id"))
            )
        else:
            for place, field in enumerate(
                form.many((*here, "components"), component.get("components"), 1, 1)
            ):
                _check_field(form, (*here, "components", place), field, labelled=False)
                inner.append(((*here, "components", place, "custom_id"), field.get("custom_id")))
    form.unique(inner, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
    form.close()


def check_choices(data: Json) -> None:
    """Check the answer to an autocomplete: at most 25 choices, names of 1 to 100 characters."""
    form = Form()
    _check_choices(form, ("data", "choices"), data.get("choices"))
    form.close()


def check_commands(commands: list[Json]) -> None:
    """Check a bulk overwrite of application commands."""
    form = Form()
    slash = [(index, command) for index, command in enumerate(commands) if command.get("type", 1) == 1]
    if len(slash) > 100:
        form.fault((), "BASE_TYPE_MAX_LENGTH", "Must be 100 or fewer in length.")
    for index, command in enumerate(commands):
        _check_command(form, (index,), command, top=True)
        if _command_size(command) > COMMAND_TEXT:
            sentence = f"Command exceeds maximum size ({COMMAND_TEXT})"
            form.fault((index,), "APPLICATION_COMMAND_TOO_LARGE", sentence)
    named = [((index, "name"), command.get("name")) for index, command in slash]
    form.unique(named, "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
    form.close()


def check_thread(body: Json) -> None:
    """Check the name and the archive time of a thread."""
    form = Form()
    if "name" in body:
        form.text(("name",), body["name"], 100, 1)
    if body.get("auto_archive_duration") is not None:
        form.one_of(("auto_archive_duration",), body["auto_archive_duration"], (60, 1440, 4320, 10080))
    form.close()


def _is_layout(body: Json, edited: Message | None) -> bool:
    if edited is not None and edited.layout and "flags" not in body:
        return True
    return bool((body.get("flags") or 0) & MessageFlag.COMPONENTS_V2)


def _is_empty(body: Json, uploads: Sequence[Upload], edited: Message | None) -> bool:
    if edited is None:
        return not (
            uploads
            or any(body.get(key) for key in ("content", "embeds", "components", "poll", "sticker_ids"))
        )
    left: dict[str, Any] = {
        "content": edited.content,
        "embeds": edited.embeds,
        "components": edited.components,
        "attachments": edited.attachments,
    }
    left |= {key: body[key] for key in left if key in body}
    return not (uploads or any(left.values()))


def _names(body: Json, uploads: Sequence[Upload], edited: Message | None) -> set[str]:
    """The file names that ``attachment://`` may refer to."""
    listed = body.get("attachments")
    renamed = {str(meta.get("id")): meta.get("filename") for meta in listed or []}
    names = {renamed.get(upload.slot) or upload.filename for upload in uploads}
    if edited is not None:
        names |= {file.filename for file in edited.attachments if listed is None or file.id in renamed}
    return names


def _check_embeds(form: Form, path: Path, embeds: Any) -> None:
    total = 0
    for index, embed in enumerate(form.many(path, embeds, EMBEDS)):
        here = (*path, index)
        for key, most in (("title", 256), ("description", 4096)):
            total += len(form.text((*here, key), embed.get(key), most))
        total += len(form.text((*here, "footer", "text"), (embed.get("footer") or {}).get("text"), 2048))
        total += len(form.text((*here, "author", "name"), (embed.get("author") or {}).get("name"), 256))
        for place, field in enumerate(form.many((*here, "fields"), embed.get("fields"), 25)):
            total += len(form.text((*here, "fields", place, "name"), field.get("name"), 256, 1))
            total += len(form.text((*here, "fields", place, "value"), field.get("value"), 1024, 1))
    if total > EMBED_TEXT:
        form.fault(path, "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {EMBED_TEXT}")


def _check_attachments(form: Form, path: Path, attachments: Any) -> None:
    for index, file in enumerate(form.many(path, attachments, FILES)):
        form.text((*path, index, "description"), file.get("description"), ALT_TEXT)


def _check_rows(form: Form, path: Path, components: Any) -> None:
    for index, row in enumerate(form.many(path, components, 5)):
        here = (*path, index)
        if form.one_of((*here, "type"), row.get("type"), (ComponentKind.ACTION_ROW,)):
            _check_row(form, here, row)
    _check_custom_ids(form, path, components)


def _check_layout(form: Form, at: Path, body: Json, components: list[Json], names: set[str]) -> None:
    for key in _V2_FORBIDS:
        if body.get(key):
            sentence = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            form.fault((*at, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", sentence)
    path = (*at, "components")
    for index, component in enumerate(form.many(path, components, COMPONENTS)):
        _check_part(form, (*path, index), component, None, names)
    every = parts(components)
    if len(every) > COMPONENTS:
        form.fault(path, "BASE_TYPE_MAX_LENGTH", f"Must be {COMPONENTS} or fewer in length.")
    if sum(len(part.get("content") or "") for part in every) > LAYOUT_TEXT:
        sentence = f"The total text of the components must be {LAYOUT_TEXT} or fewer in length."
        form.fault(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", sentence)
    _check_custom_ids(form, path, components)


def _check_layout_size(components: list[Json]) -> None:
    """Text that is short enough in characters and too long in bytes meets a plain 500, as on Discord."""
    texts = [part["content"] for part in parts(components) if part.get("type") == ComponentKind.TEXT_DISPLAY]
    if sum(len(text.encode()) + LAYOUT_BYTES_A_DISPLAY for text in texts) > LAYOUT_BYTES:
        raise Refusal(500, 0, "500: Internal Server Error")


def _check_part(form: Form, path: Path, part: Json, parent: ComponentKind | None, names: set[str]) -> None:
    top = {
        ComponentKind.ACTION_ROW,
        ComponentKind.SECTION,
        ComponentKind.TEXT_DISPLAY,
        ComponentKind.MEDIA_GALLERY,
        ComponentKind.FILE,
        ComponentKind.SEPARATOR,
    }
    allowed = top | {ComponentKind.CONTAINER} if parent is None else top
    if not form.one_of((*path, "type"), part.get("type"), allowed):
        return
    kind = ComponentKind(part["type"])
    if kind is ComponentKind.ACTION_ROW:
        _check_row(form, path, part)
    elif kind is ComponentKind.TEXT_DISPLAY:
        form.text((*path, "content"), part.get("content"), LAYOUT_TEXT, 1)
    elif kind is ComponentKind.SECTION:
        _check_section(form, path, part, names)
    elif kind is ComponentKind.MEDIA_GALLERY:
        for index, item in enumerate(form.many((*path, "items"), part.get("items"), 10, 1)):
            _check_media(form, (*path, "items", index), item, names)
    elif kind is ComponentKind.FILE:
        _check_media(form, path, part, names, key="file", uploaded=True)
    elif kind is ComponentKind.SEPARATOR and part.get("spacing") is not None:
        form.one_of((*path, "spacing"), part["spacing"], (1, 2))
    elif kind is ComponentKind.CONTAINER:
        form.number((*path, "accent_color"), part.get("accent_color"), 0, 0xFFFFFF)
        for index, child in enumerate(
            form.many((*path, "components"), part.get("components"), COMPONENTS, 1)
        ):
            _check_part(form, (*path, "components", index), child, kind, names)


def _check_section(form: Form, path: Path, section: Json, names: set[str]) -> None:
    for index, child in enumerate(form.many((*path, "components"), section.get("components"), 3, 1)):
        here = (*path, "components", index)
        if form.one_of((*here, "type"), child.get("type"), (ComponentKind.TEXT_DISPLAY,)):
            form.text((*here, "content"), child.get("content"), LAYOUT_TEXT, 1)
    accessory = section.get("accessory")
    here = (*path, "accessory")
    if not accessory:
        form.fault(here, "BASE_TYPE_REQUIRED", "This field is required")
    elif form.one_of((*here, "type"), accessory.get("type"), (ComponentKind.BUTTON, ComponentKind.THUMBNAIL)):
        if accessory["type"] == ComponentKind.BUTTON:
            _check_button(form, here, accessory)
        else:
            _check_media(form, here, accessory, names)


def _check_media(
    form: Form, path: Path, item: Json, names: set[str], *, key: str = "media", uploaded: bool = False
) -> None:
    form.text((*path, "description"), item.get("description"), ALT_TEXT)
    url = form.text((*path, key, "url"), (item.get(key) or {}).get("url"), 2048, 1)
    scheme, _, rest = url.partition("://")
    if scheme == "attachment" and rest not in names:
        sentence = "The referenced attachment was not found in uploaded attachments."
        form.fault((*path, key, "url"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", sentence)
    elif url and scheme not in (("attachment",) if uploaded else ("attachment", "http", "https")):
        form.fault((*path, key, "url"), "URL_TYPE_INVALID_SCHEME", f"Scheme {scheme!r} is not allowed here.")


def _check_row(form: Form, path: Path, row: Json) -> None:
    children = form.many((*path, "components"), row.get("components"), 5, 1)
    kinds = {ComponentKind.BUTTON, *SELECTS}
    for index, child in enumerate(children):
        here = (*path, "components", index)
        if not form.one_of((*here, "type"), child.get("type"), kinds):
            continue
        if child["type"] == ComponentKind.BUTTON:
            _check_button(form, here, child)
        else:
            _check_select(form, here, child)
    if len(children) > 1 and any(child.get("type") in SELECTS for child in children):
        sentence = "A select must be the only component of its row."
        form.fault((*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", sentence)


def _check_button(form: Form, path: Path, button: Json) -> None:
    form.text((*path, "label"), button.get("label"), 80)
    if not form.one_of((*path, "style"), button.get("style"), (1, 2, 3, 4, 5, 6)):
        return
    if button["style"] == 5:
        form.text((*path, "url"), button.get("url"), 512, 1)
    else:
        form.text((*path, "custom_id"), button.get("custom_id"), 100, 1)
    if button["style"] != 6 and not button.get("label") and not button.get("emoji"):
        form.fault(
            (*path, "label"),
            "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
            "A button needs a label or an emoji.",
        )


def _check_select(form: Form, path: Path, select: Json) -> None:
    form.text((*path, "custom_id"), select.get("custom_id"), 100, 1)
    form.text((*path, "placeholder"), select.get("placeholder"), 150)
    form.number((*path, "min_values"), select.get("min_values"), 0, 25)
    form.number((*path, "max_values"), select.get("max_values"), 1, 25)
    if select.get("type") == ComponentKind.STRING_SELECT:
        options = _check_options(form, (*path, "options"), select.get("options"), 25)
        if options and (select.get("max_values") or 1) > len(options):
            form.fault(
                (*path, "max_values"),
                "SELECT_COMPONENT_MAX_VALUES_TOO_BIG",
                "There are fewer options than that.",
            )


def _check_options(form: Form, path: Path, options: Any, most: int, least: int = 1) -> list[Any]:
    listed = form.many(path, options, most, least)
    for index, option in enumerate(listed):
        form.text((*path, index, "label"), option.get("label"), 100, 1)
        form.text((*path, index, "value"), option.get("value"), 100, 1)
        form.text((*path, index, "description"), option.get("description"), 100)
    values = [((*path, index, "value"), option.get("value")) for index, option in enumerate(listed)]
    form.unique(
        values, "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used"
    )
    return listed


def _check_field(form: Form, path: Path, field: Json, *, labelled: bool) -> None:
    labelled_kinds = {
        ComponentKind.TEXT_INPUT,
        *SELECTS,
        ComponentKind.FILE_UPLOAD,
        ComponentKind.RADIO_GROUP,
        ComponentKind.CHECKBOX_GROUP,
        ComponentKind.CHECKBOX,
    }
    if not form.one_of(
        (*path, "type"), field.get("type"), labelled_kinds if labelled else {ComponentKind.TEXT_INPUT}
    ):
        return
    kind = ComponentKind(field["type"])
    if kind in SELECTS:
        _check_select(form, path, field)
        return
    form.text((*path, "custom_id"), field.get("custom_id"), 100, 1)
    if kind is ComponentKind.TEXT_INPUT:
        form.one_of((*path, "style"), field.get("style"), (1, 2))
        if not labelled:
            form.text((*path, "label"), field.get("label"), 45, 1)
        form.number((*path, "min_length"), field.get("min_length"), 0, 4000)
        form.number((*path, "max_length"), field.get("max_length"), 1, 4000)
        form.text((*path, "placeholder"), field.get("placeholder"), 100)
        form.text((*path, "value"), field.get("value"), field.get("max_length") or 4000)
    elif kind is ComponentKind.RADIO_GROUP:
        _check_options(form, (*path, "options"), field.get("options"), 10, 2)
    elif kind is ComponentKind.CHECKBOX_GROUP:
        _check_options(form, (*path, "options"), field.get("options"), 10)


def _check_custom_ids(form: Form, path: Path, components: list[Json]) -> None:
    """A custom id stands once in a message; the fault is told at the whole list, since ids may be far apart."""
    ids = [(path, part["custom_id"]) for part in parts(components) if part.get("custom_id")]
    form.unique(ids, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")


def _check_choices(form: Form, path: Path, choices: Any) -> None:
    for index, choice in enumerate(form.many(path, choices, CHOICES)):
        form.text((*path, index, "name"), choice.get("name"), 100, 1)
        if isinstance(choice.get("value"), str):
            form.text((*path, index, "value"), choice["value"], 100, 1)


def _check_command(form: Form, path: Path, command: Json, *, top: bool = False) -> None:
    name = form.text((*path, "name"), command.get("name"), 32, 1)
    if command.get("type", 1) != 1 and top:
        return
    if name and (not _COMMAND_NAME.fullmatch(name) or name != name.lower()):
        form.fault((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    form.text((*path, "description"), command.get("description"), 100, 1)
    options = form.many((*path, "options"), command.get("options"), 25)
    optional = False
    for index, option in enumerate(options):
        here = (*path, "options", index)
        _check_command(form, here, option)
        _check_choices(form, (*here, "choices"), option.get("choices"))
        if option.get("required") and optional:
            sentence = "Required options must be placed before non-required options"
            form.fault(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", sentence)
        optional = optional or (option.get("type", 3) > 2 and not option.get("required"))
        if option.get("autocomplete") and option.get("choices"):
            sentence = "Autocomplete cannot be used with choices"
            form.fault(here, "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_CHOICES", sentence)
    named = [((*path, "options", index, "name"), option.get("name")) for index, option in enumerate(options)]
    form.unique(named, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")


def _command_size(command: Json) -> int:
    """Characters of all names, descriptions and choices of a command and what is in it."""
    own = len(command.get("name") or "") + len(command.get("description") or "")
    choices = sum(
        len(str(choice.get("name"))) + len(str(choice.get("value")))
        for choice in command.get("choices") or []
    )
    return own + choices + sum(_command_size(option) for option in command.get("options") or [])
