"""How people do their moves on Discord: one ``Hand`` a game, and what every hand needs.

A ``Hand`` decides as an automaton would, from the view of its seat, and then does on Discord what a person does for that
move: a slash command, a button, a menu, a form and the button of the panel that follows. Which way is taken is a matter
of dice. It also tells how an answer says that a move was played, and how a hand would look in running text.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from bot.games.game import Game
from bot.loopback import Impossible, Person
from bot.loopback.interactions import Interaction
from bot.loopback.model import Message, parts
from bot.tables.face import Face
from bot.tables.layout import Address
from bot.tables.worker import Thinker

AnyGame = Game[Any, Any, Any, Any, Any]
Settle = Callable[[str, Callable[[], Awaitable[Interaction]]], Awaitable[Interaction]]

LATER = 600_000  # ms of table time by which a person is readier to speak than an automaton
PROMISED = 10.0  # s to wait for what was promised
TWICE = 0.05  # of the presses are double


@dataclass
class Chair:
    """A person at a table, with what they see of it; ``ask`` sends and settles one interaction."""

    person: Person
    table: int
    seat: int
    place: str
    board: Message | None
    private: Message | None
    dice: random.Random
    ask: Settle

    async def slash(self, command: str, **options: Any) -> Interaction | None:
        """Use a slash command at this table, in its channel or now and then in private; None if it is not offered."""
        where = self.person.dm() if self.private is not None and self.dice.random() < 0.2 else self.place
        return await self._asked(
            f"/{command}", lambda: self.person.slash(where, command, table=self.table, **options)
        )

    async def press(self, message: Message | None, verb: str, arg: str | None = None) -> Interaction | None:
        """Press a button of a message, now and then twice; None if it has no such button."""
        key = key_of(message, verb, arg)
        if message is None or key is None:
            return None
        if self.dice.random() >= TWICE:
            return await self._asked(f"[{verb}]", lambda: self.person.click(message, custom_id=key))
        first, _ = await asyncio.gather(
            *(
                self._asked(f"[{verb}] twice", lambda: self.person.click(message, custom_id=key))
                for _ in range(2)
            )
        )
        return first

    async def choose(self, message: Message | None, verb: str, *values: str) -> Interaction | None:
        """Choose in a menu of a message; None if it has no such menu or choice."""
        key = key_of(message, verb)
        if message is None or key is None:
            return None
        return await self._asked(
            f"[{verb} menu]", lambda: self.person.select(message, *values, custom_id=key)
        )

    async def fill(self, asked: Interaction | None, **fields: str) -> Interaction | None:
        """Send the form that an interaction was answered with; None if there is none."""
        if asked is None or asked.modal is None:
            return None
        return await self._asked("(form)", lambda: self.person.submit(asked, fields))

    async def panel(self, asked: Interaction | None) -> Message | None:
        """Return the panel that an interaction was answered with, once it is there."""
        if asked is None:
            return None
        for _ in range(int(PROMISED / 0.1)):
            found = asked.followups[-1] if asked.followups else asked.message
            if found is not None and not found.thinking and found.ephemeral:
                return found
            await asyncio.sleep(0.1)
        return None

    async def _asked(self, what: str, deed: Callable[[], Awaitable[Interaction]]) -> Interaction | None:
        try:
            return await self.ask(what, deed)
        except Impossible:
            return None


class Hand(Protocol):
    """How a person plays one game."""

    key: str
    face: Face
    """How the game shows itself; what its hand panels say is what nobody else may read."""
    marks: tuple[str, ...]
    """What no line of the bot's log may hold: the notation of a hidden move or of a state."""

    def opening(self, dice: random.Random) -> dict[str, Any]:
        """Return options of ``/play``."""
        ...

    async def wish(
        self, game: AnyGame, view: Any, seat: int, now: int, thinker: Thinker, dice: random.Random
    ) -> Any:
        """Return the move that a person wants to make now, or None."""
        ...

    async def do(self, chair: Chair, move: Any) -> Interaction | None:
        """Do a move on Discord; returns the interaction that is to play it, None where there was no way just then."""
        ...

    async def blunder(self, chair: Chair) -> None:
        """Do something of this game that leads to nothing: nonsense, a look, a form that is sent wrong."""
        ...

    def played(self, asked: Interaction) -> bool:
        """Whether the answer says that the move was played."""
        ...

    def secrets(self, view: Any) -> Iterable[str]:
        """Return the prints of the hand of ``view.seat``."""
        ...

    def prints(self, text: str) -> Iterable[str]:
        """Return the print of everything in a text that looks like a hand, in whatever spelling."""
        ...


def key_of(message: Message | None, verb: str, arg: str | None = None) -> str | None:
    """Return the custom id of a message's button or menu with this verb and, if given, argument."""
    if message is None:
        return None
    for key in message.custom_ids:
        address = Address.parse(key)
        if address is not None and address.verb == verb and arg in (None, address.arg):
            return key
    return None


async def suggested(chair: Chair, command: str, focused: str, **options: Any) -> None:
    """Type into an option and let suggestions come."""
    try:
        await chair.ask(
            f"/{command} {focused}…",
            lambda: chair.person.autocomplete(chair.place, command, focused, **options),
        )
    except Impossible:
        return


def values(panel: Message | None, verb: str) -> list[str]:
    """Return the values of a message's menu with this verb; none where it has no such menu."""
    key = key_of(panel, verb)
    if panel is None or key is None:
        return []
    return [
        option["value"]
        for part in parts(panel.components)
        if part.get("custom_id") == key
        for option in part.get("options") or []
    ]
