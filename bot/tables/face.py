"""How a game shows itself: panels, forms and presses, told without Discord.

A cog registers one ``Face`` for its game. The publisher asks it for the board and the hands, the router brings it what
people press, type and choose. Panels are plain values, so a test can compare what two viewers would be shown byte for
byte, and only ``bot/tables/layout.py`` knows how a panel becomes a Discord message.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from bot.games.game import Words

Style = Literal["plain", "main", "good", "bad"]

_MARKS = re.compile("\\\\(.)|[\u200b\u2066-\u2069]", re.S)  # what ``escaped`` puts into a name
STANDS_IN = " (automaton)"  # after the name of a person for whom an automaton plays
LIMITS = {"text": 4000, "alt": 1024, "rows": 5, "buttons": 5, "choices": 25, "label": 80, "custom_id": 100}


class Button(msgspec.Struct, frozen=True):
    """A button; pressing it brings ``verb`` and ``arg`` to the game's face.

    ``bound``: it is good for the panel's epoch only, as whatever moves at once should be. What merely opens a panel or
    a form is good at any time, so that an edit of the board never takes it from under a finger.
    """

    label: str
    verb: str
    arg: str = ""
    style: Style = "plain"
    disabled: bool = False
    bound: bool = False


class Choice(msgspec.Struct, frozen=True):
    """One line of a menu."""

    label: str
    value: str
    description: str = ""
    chosen: bool = False


class Menu(msgspec.Struct, frozen=True):
    """A menu of up to 25 choices; it fills a row of its own."""

    verb: str
    placeholder: str
    choices: tuple[Choice, ...]
    arg: str = ""
    least: int = 1
    most: int = 1
    bound: bool = False


class Channels(msgspec.Struct, frozen=True):
    """A menu of the server's channels, up to 25 at once or none; it fills a row of its own."""

    verb: str
    placeholder: str
    chosen: tuple[int, ...] = ()
    arg: str = ""


Row = tuple[Button, ...] | Menu | Channels


class Picture(msgspec.Struct, frozen=True):
    """A picture that is drawn only when it is sent. ``key`` is equal for equal pictures."""

    name: str
    alt: str
    key: bytes
    draw: Callable[[], bytes]


class Panel(msgspec.Struct, frozen=True):
    """What one message holds, from top to bottom."""

    title: str
    text: str = ""
    picture: Picture | None = None
    notes: str = ""  # below the picture
    rows: tuple[Row, ...] = ()
    colour: int = 0x3B82C4

    def fingerprint(self) -> bytes:
        """Return bytes that are equal when the message would be."""
        picture = None if self.picture is None else (self.picture.name, self.picture.alt, self.picture.key)
        return msgspec.json.encode((self.title, self.text, picture, self.notes, self.rows, self.colour))


class Field(msgspec.Struct, frozen=True):
    """One thing to type in a form: a line, or with ``most`` above 200 characters a paragraph."""

    key: str
    label: str
    description: str = ""
    placeholder: str = ""
    value: str = ""
    required: bool = True
    most: int = 40


class Form(msgspec.Struct, frozen=True):
    """A modal. Submitting brings ``verb``, ``arg`` and the typed fields to the game's face.

    A ``bound`` one that comes too late is refused with what was typed. ``note`` stands above the fields: what is good
    to know at the moment in which it is opened, so it is not kept with what was typed.
    """

    title: str
    verb: str
    fields: tuple[Field, ...]
    arg: str = ""
    bound: bool = False  # good for the epoch in which it was opened only
    note: str = ""


class Shown(msgspec.Struct, frozen=True):
    """What a face is told about the table beside the view."""

    table: int
    names: tuple[str, ...]  # by seat, escaped
    humans: tuple[bool, ...]
    due: int | None = None  # when silence ends, by the wall clock in s; None while the table is paused
    paused: bool = False
    place: int | None = None  # the channel or thread in which the table is shown
    still: bool = False  # on a panel that does not follow the game by itself

    @property
    def where(self) -> str:
        """The table's number and, when it has one, a link to its channel: tells private panels of two tables apart."""
        return f"Table {self.table}" + ("" if self.place is None else f" in <#{self.place}>")

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names as a picture and its alt text have them: without the marks that keep Discord from reading markup."""
        return tuple(_MARKS.sub(r"\1", name) for name in self.names)

    @property
    def people(self) -> tuple[str, ...]:
        """The names by seat for what has happened, whoever plays the seat now."""
        return tuple(name.removesuffix(STANDS_IN) for name in self.names)


def table_row(*, paused: bool, undo: bool = True) -> tuple[Button, ...]:
    """Return what the host offers at every table; a face puts it among what is rarely wanted (``Face.more``).

    ``undo``: the host's, which takes a seat's last move back; False where the game has moves of its own for that.
    """
    return (
        Button("Log", "log"),
        *((Button("Undo", "undo"),) if undo else ()),
        Button("Resume", "resume", style="good") if paused else Button("Pause", "pause"),
        Button("Leave", "leave"),
        Button("End the table", "end"),
    )


class Press(Protocol):
    """One thing that a seated person did; the router makes it."""

    @property
    def table(self) -> int:
        """The table's number."""
        ...

    @property
    def seat(self) -> int:
        """The seat of the person."""
        ...

    @property
    def verb(self) -> str:
        """The verb of the button, menu or form."""
        ...

    @property
    def arg(self) -> str:
        """Its argument."""
        ...

    @property
    def values(self) -> tuple[str, ...]:
        """What was chosen in a menu."""
        ...

    @property
    def fields(self) -> Mapping[str, str]:
        """What was typed into a form."""
        ...

    @property
    def private(self) -> bool:
        """Whether what was pressed stands on a panel that only its presser sees (not a private channel's message)."""
        ...

    @property
    def on_hand(self) -> bool:
        """Whether it stands on the person's hand in a private channel, which will show by itself what comes of it."""
        ...

    @property
    def silent(self) -> bool:
        """Whether ``done`` says nothing, since the board or the hand shows by itself what comes of it."""
        ...

    async def view(self) -> Any:
        """Return what the person's seat may know now."""
        ...

    async def shown(self) -> Shown:
        """Return names and the like for a private panel."""
        ...

    async def words(self) -> Words:
        """Return what may be asked about words at this table."""
        ...

    async def play(
        self, move: Any, form: Form | None = None, *, fresh: bool = False, again: Callable[[], Awaitable[None]] | None = None,
    ) -> bool:  # fmt: skip
        """Play the move and tell a refusal in private (``form``: see ``refuse``). Returns whether it was played.

        ``fresh``: only if what the seat may do is still what it was when ``view`` was last asked for.
        ``again``: shows what was pressed anew when the table has moved on since; without it the hand is shown.
        """
        ...

    async def say(self, text: str) -> None:
        """Tell the person something in private."""
        ...

    async def panel(self, panel: Panel) -> None:
        """Show the person a private panel, in place of the private one that was pressed."""
        ...

    async def hand(self, panel: Panel) -> None:
        """Show the person their hand as the face made it, in place of the private panel that was pressed.

        The host adds what it adds to every hand (``bot.tables.boards``): at a table that is paused, was ended, or at
        which an automaton plays for them.
        """
        ...

    async def form(self, form: Form) -> None:
        """Open a form; a form cannot answer a form, so then a button that opens it is shown."""
        ...

    async def refuse(self, reason: str, form: Form | None = None, *, around: Panel | None = None) -> None:
        """Say why not, in private; ``form`` keeps what was typed behind an *Edit* button.

        ``around``: the person's hand, as it is now, where the form was opened from it: it stays, with the reason below.
        """
        ...

    async def done(self, text: str) -> None:
        """Answer a played move: a press needs no words (the board or the hand shows it), a command gets ``text``."""
        ...

    async def vote(self, purpose: str, yes: bool, *, carried: Any, lost: Any, least: int = 1) -> None:
        """Cast a vote of the people at the table.

        When all (``least`` at least) agree the host plays ``carried``; as soon as one does not, ``lost``.
        """
        ...

    async def check(self, words: Sequence[str]) -> None:
        """Raise IllegalMove for a word that is not in the dictionary: for tables where it speaks at once."""
        ...

    async def search(self, verb: str, view: Any) -> Any:
        """Let the worker process look something up for this view (a hint)."""
        ...

    async def share(self, panel: Panel) -> None:
        """Show a panel to everyone in the channel in which it was pressed, once a table."""
        ...


class Face(Protocol):
    """How one game shows itself. All but ``press`` is pure.

    The host has verbs of its own (``Company.verbs``, ``Seating.verbs``, ``rules`` and ``edit``), which no face hears.
    """

    key: str

    def board(self, view: Any, shown: Shown, told: Sequence[Any]) -> Panel:
        """Return the board for the channel; ``told``: the latest events as everyone heard them."""
        ...

    def hand(self, view: Any, shown: Shown) -> Panel:
        """Return the private panel of ``view.seat``.

        What moves is left out where ``shown`` is paused or an automaton plays the seat; the host says so.
        """
        ...

    def more(self, view: Any, shown: Shown) -> Panel:
        """Return what ``view.seat`` rarely wants, ``table_row`` among it: what a button with the verb ``more`` shows."""
        ...

    def sends_hand(self, view: Any) -> bool:
        """Whether the hand of ``view.seat`` is worth a private message, which rings."""
        ...

    def say(self, event: Any, names: Sequence[str]) -> str | None:
        """Return the event as a sentence, or None when it needs none."""
        ...

    def record(self, event: Any, names: Sequence[str]) -> str | None:
        """Return the event as the table's log tells it, which does not leave out what a board would show."""
        ...

    def settings(self, options: Any) -> tuple[Menu, ...]:
        """Return the lobby's menus (at most five); choosing sets fields of the options."""
        ...

    def chosen(self, options: Any, menu: str, value: str) -> Any:
        """Return ``options`` after a choice in one of the lobby's menus."""
        ...

    def summary(self, options: Any) -> str:
        """Return the options in a line or two."""
        ...

    def named(self, options: Any) -> str:
        """Return what is played, in a few words that tell a table from others of the game; "" where nothing does."""
        ...

    def looking_up(self, options: Any) -> bool:
        """Whether people who sit at such a table may ask at any time whether a word is legal, or what it means."""
        ...

    def rules(self) -> tuple[tuple[str, str], ...]:
        """Return the rules in our words: (heading, text) each."""
        ...

    async def press(self, press: Press) -> None:
        """Do what a seated person asked for."""
        ...
