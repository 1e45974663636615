"""Nobody reads another's hand: not in a channel, not in a private message, not in a suggestion, not in the bot's log.

What is looked for is made from every state that was ever committed, in two ways that are sound without knowing which
revision a message shows:

- *Lines.* The hand panel of a seat, as its face makes it, cut into lines (each text, alt text, and each row of buttons or
  menu as one line). A line is a secret when some other state behind the public view (``Game.imagine``) gives a hand panel
  without it, and no public board has it. A secret line may be read by those whose own hand gave it, and by nobody else.
- *Prints.* What a game recognises as a hand in running text in whatever spelling, such as four letters or more in a row
  (``Hand.prints``). A print of another's hand may not be read either, unless one's own hand or a public board has the same.

Everything that anybody can see is looked through when it is said or changed: every string in the payload of a message,
hence contents, components, values of menus, custom ids, alt texts, file names; and modals and suggestions. Pictures are
looked through as well: a picture of another's hand, byte for byte, is a leak, unless its alt text is no secret. What a
panel shows of a *view* is the business of the laws and the tests of secrecy; this finds whoever was given the wrong view,
panel or picture.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.games.chance import Chance
from bot.loopback.model import ComponentKind, Json, parts
from bot.soak.hand import Hand
from bot.soak.journal import Journal
from bot.soak.records import Reached, Stored
from bot.tables.face import Button, Choice, Menu, Panel, Row
from bot.tables.face import Shown as Names
from bot.tables.layout import escaped

IMAGINED = 2  # other states for each true one


def lines_of(panel: Panel) -> set[str]:
    """Return a panel's lines; a row of buttons and a menu are one line each."""
    alt = "" if panel.picture is None else panel.picture.alt
    texts = "\n".join((panel.title, panel.text, alt, panel.notes)).splitlines()
    rows = [_row(control.label for control in _controls(row)) for row in panel.rows]
    return {line for line in (*texts, *rows) if line}


def texts_said(payload: Json) -> set[str]:
    """Return the lines of all texts that a payload holds, wherever they stand in it."""
    return {line for text in _strings(payload) for line in text.splitlines() if line}


def rows_said(payload: Json) -> set[str]:
    """Return the rows of buttons and the menus of a payload, each as one line (``lines_of``)."""
    found = set()
    for part in parts(payload.get("components") or []):
        if part.get("type") == ComponentKind.ACTION_ROW:
            found.add(_row(inner.get("label") or "" for inner in part["components"]))
        if part.get("type") == ComponentKind.STRING_SELECT:
            found.add(_row(option["label"] for option in part.get("options") or []))
    return found


def _drawn(panel: Panel) -> bytes | None:
    """Return the print of a panel's picture."""
    return None if panel.picture is None else hashlib.blake2b(panel.picture.draw()).digest()


def _controls(row: Row) -> Sequence[Button | Choice]:
    if isinstance(row, Menu):
        return row.choices
    return row if isinstance(row, tuple) else ()


def _row(labels: Iterable[str]) -> str:
    return "".join(f"[{label}]" for label in labels)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


@dataclass
class Secret:
    """What only these users may read, as (table, seat) first had it; ``hidden``: the public view does not tell it."""

    table: int
    seat: int
    readers: set[str] = field(default_factory=set)
    hidden: bool = True
    alt: str = ""  # of a picture: the line that tells the same


@dataclass(frozen=True)
class Said:
    """Something that was shown: to one user, or to everyone in a channel (``viewer`` None)."""

    viewer: str | None
    what: str
    lines: frozenset[str]
    texts: frozenset[str]
    pictures: tuple[bytes, ...] = ()


class Secrecy:
    """Learns what is secret from each committed state and looks for it in what is said.

    What is said is judged by ``judge``, after the state that it shows has been learned.
    """

    def __init__(self, hands: Mapping[str, Hand], journal: Journal) -> None:
        self._hands = hands
        self._journal = journal
        self._lines: dict[str, Secret] = {}
        self._prints: dict[str, dict[int, list[Secret]]] = {}
        self._open: dict[
            int, tuple[set[str], set[str]]
        ] = {}  # by table: lines and prints of its public boards
        self._pictures: dict[bytes, Secret] = {}
        self._said: deque[Said] = deque()
        self._chance = 0

    def learn(self, game: Any, table: Stored, reached: Reached, *, pictures: bool = False) -> None:
        """Learn what a state hides; with ``pictures`` also how its hands are drawn."""
        hand = self._hands[game.key]
        face = hand.face
        names = Names(
            table.id,
            tuple(escaped(sitter.name) for sitter in table.seats),
            tuple(sitter.skill is None for sitter in table.seats),
        )
        open_lines, open_prints = self._open.setdefault(table.id, (set(), set()))
        public = game.seen_by(reached.state, None)
        told = [event for one in reached.events if (event := game.heard_by(one, None)) is not None]
        shown = face.board(public, names, told)
        board = lines_of(shown)
        open_picture = _drawn(shown) if pictures else None
        open_lines |= board
        open_prints |= {found for line in board for found in hand.prints(line)}
        others = [game.imagine(public, None, self._draw()) for _ in range(IMAGINED)]
        for sitter in table.seats:
            view = game.seen_by(reached.state, sitter.seat)
            panel = face.hand(view, names)
            imagined = [lines_of(face.hand(game.seen_by(other, sitter.seat), names)) for other in others]
            readers = set() if sitter.user is None else {str(sitter.user)}
            for line in lines_of(panel):
                hidden = not all(line in lines for lines in imagined)
                self._keep(self._lines, line, Secret(table.id, sitter.seat, set(readers), hidden))
            for found in hand.secrets(view):
                known = self._prints.setdefault(found, {})
                known.setdefault(table.id, []).append(Secret(table.id, sitter.seat, readers))
            drawn = _drawn(panel) if pictures else None
            if drawn is not None and drawn != open_picture:
                alt = "" if panel.picture is None else panel.picture.alt
                self._keep(self._pictures, drawn, Secret(table.id, sitter.seat, set(readers), alt=alt))

    def forget(self, table: int) -> None:
        """Forget the prints of a table that is over; other tables would come to have the same by chance."""
        self._open.pop(table, None)
        for found in list(self._prints):
            self._prints[found].pop(table, None)
            if not self._prints[found]:
                del self._prints[found]

    def hear(self, viewer: str | None, what: str, payload: Json, pictures: Iterable[bytes] = ()) -> None:
        """Take note of what somebody, or everyone, was shown."""
        drawn = tuple(hashlib.blake2b(picture).digest() for picture in pictures)
        texts = texts_said(payload)
        lines = texts | rows_said(payload)
        self._said.append(Said(viewer, what, frozenset(lines), frozenset(texts), drawn))

    def judge(self) -> None:
        """Look through what was said since; all that was committed when it was said must have been learned."""
        while self._said:
            said = self._said.popleft()
            self._journal.count("looked_through")
            for reason in self.leaks(said):
                self._journal.find("leaks", f"{said.what} {reason}.", lines=sorted(said.lines))

    def leaks(self, said: Said) -> list[str]:
        """Return what the viewer may not have read, as the ends of sentences."""
        found = []
        for line in said.lines:
            secret = self._lines.get(line)
            if secret is None or not secret.hidden or self._is_open(line):
                continue
            if not self._may_read(said.viewer, secret):
                found.append(f"shows a line of the hand of seat {secret.seat} at table {secret.table}")
        for drawn in said.pictures:
            secret = self._pictures.get(drawn)
            if secret and self._is_secret(secret) and not self._may_see(said.viewer, secret):
                found.append(f"shows the picture of the hand of seat {secret.seat} at table {secret.table}")
        return found + self._printed(said.viewer, said.texts)

    def look_through_log(self, lines: Iterable[str]) -> None:
        """Look for hands in lines that the bot has logged: nobody may read one there."""
        marks = [mark for hand in self._hands.values() for mark in hand.marks]
        for line in lines:
            self._journal.count("log_lines")
            if any(mark in line for mark in marks) or self._printed(None, (line,)):
                self._journal.find("leaks", "A hand stands in the log.", line=line)

    def _printed(self, viewer: str | None, lines: Iterable[str]) -> list[str]:
        found = []
        for text in {text for line in lines for hand in self._hands.values() for text in hand.prints(line)}:
            tables = self._prints.get(text, {})
            secrets = [secret for known in tables.values() for secret in known]
            if not secrets or any(text in prints for _, prints in self._open.values()):
                continue
            if not any(self._may_read(viewer, secret) for secret in secrets):
                found.append(f"spells the hand of seat {secrets[0].seat} at table {secrets[0].table}")
        return found

    def _may_read(self, viewer: str | None, secret: Secret) -> bool:
        return viewer is not None and viewer in secret.readers

    def _may_see(self, viewer: str | None, picture: Secret) -> bool:
        """Whether a picture is of one's own hand, or of one that was not drawn here and has the same alt text."""
        return self._may_read(viewer, picture) or self._may_read(
            viewer, self._lines.get(picture.alt, picture)
        )

    def _is_secret(self, picture: Secret) -> bool:
        """Whether a picture tells what others cannot know: the alt text that tells the same is hidden and on no board."""
        line = self._lines.get(picture.alt)
        return (line is None or line.hidden) and not self._is_open(picture.alt)

    def _is_open(self, line: str) -> bool:
        return any(line in lines for lines, _ in self._open.values())

    def _keep(self, secrets: dict[Any, Secret], key: Any, secret: Secret) -> None:
        known = secrets.setdefault(key, secret)
        known.readers |= secret.readers
        known.hidden |= secret.hidden

    def _draw(self) -> Chance:
        self._chance += 1
        return Chance(b"soak", self._chance, "imagine")
