"""How people do their moves on Discord: one class a game, the one thing that a new game adds to the soak.

A ``Hand`` decides as an automaton would, from the view of its seat, and then does on Discord what a person does for that
move: a slash command, a button, a menu, a form and the button of the panel that follows. Which way is taken is a matter
of dice. It also tells how an answer says that a move was played, and how a hand would look in running text.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bot.games.chance import Chance
from bot.games.crossword import square_name
from bot.games.defenders.state import (
    WILD,
    Agree,
    Ask,
    Attest,
    Consult,
    Contribute,
    Discard,
    Hint,
    Move,
    NoWord,
    Object,
    Play,
    Propose,
    View,
    Withdraw,
)
from bot.games.dungeon import state as dungeon
from bot.games.game import Game
from bot.loopback import Impossible, Person
from bot.loopback.interactions import Interaction
from bot.loopback.model import Message, parts
from bot.soak.answers import done_at_once
from bot.tables.face import Face
from bot.tables.layout import Address
from bot.tables.worker import Thinker
from cogs.defenders import DefendersFace
from cogs.dungeon import DungeonFace
from cogs.wording import spot

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


class DefendersHand:
    """How a person plays Defenders of the Dictionary."""

    key = "defenders"
    face: Face = DefendersFace()
    marks: tuple[str, ...] = ("Contribute(letters=", '"type":"contribute"', '"type": "contribute"', "racks=", '"racks"', "rack=(",
             "sealed=(", "Your rack:")  # fmt: skip

    _PLAYED = re.compile(
        r"You (contributed|agreed|objected|proposed|took your proposal back)|The team is thinking|Everyone sees the hint"
    )
    _STALE = "has moved on since"
    # Four tiles or more, with anything but letters and digits between them.
    _RUN = re.compile(r"(?<![A-Za-z0-9])(?:(?:[A-Z]|\*|[Ww]ildcard)[\s,'\"/·.()\[\]-]+){3,}(?:[A-Z]|\*|[Ww]ildcard)(?![A-Za-z0-9])")  # fmt: skip
    _TILE = re.compile(r"[Ww]ildcard|[A-Z*]")

    def opening(self, dice: random.Random) -> dict[str, Any]:
        """Return options of ``/play defenders``."""
        given: dict[str, Any] = {}
        if dice.random() < 0.7:
            level = f"{dice.choice(('beginner', 'intermediate'))}/{dice.randint(1, 3)}"
            given["level"] = level
        if dice.random() < 0.5:
            given["referee"] = dice.choice(("printed", "guarded"))
        if dice.random() < 0.3:
            given["pace"] = dice.choice(("live", "slow"))
        return given

    async def wish(
        self, game: AnyGame, view: View, seat: int, now: int, thinker: Thinker, dice: random.Random
    ) -> Move | None:
        """Return what an automaton would do, and now and then what only people do."""
        public = view.public
        if public.phase == "over":
            return None
        if public.phase == "verify":
            return Attest(dice.random() < 0.5)
        if public.phase != "contribute" and dice.random() < 0.08:
            return self._whim(view, seat, dice)
        chance = Chance(b"soak", dice.getrandbits(40), f"choose/{seat}")
        plan = await thinker.choose(game, view, seat, dice.randint(0, 2), now + LATER, chance)
        if plan is not None:
            return plan.move
        if public.phase in ("word", "discard") and public.proposal is None and public.tried:
            return Propose(
                public.tried[-1]
            )  # automata say nothing twice; people must, where nothing else is left
        return None

    def _whim(self, view: View, seat: int, dice: random.Random) -> Move:
        public = view.public
        if public.proposal is not None:
            mine = public.proposal.seat == seat
            return Withdraw() if mine and dice.random() < 0.5 else Object()
        used = bool(public.consulted) or public.hints > 0
        if public.phase == "word" and not used and dice.random() < 0.5:
            return Hint(None) if dice.random() < 0.5 else Consult(dice.choice(("CAT", "ZZZ", "QI")))
        return Ask()

    async def do(self, chair: Chair, move: Move) -> Interaction | None:
        """Do a move on Discord."""
        match move:
            case Contribute():
                return await self._contribute(chair, move.letters)
            case Propose(matter=Play() as play):
                return await self._propose(chair, play)
            case Propose(matter=NoWord()):
                return await self._either(chair, "defenders pass", "noword")
            case Propose(matter=Discard(letters=letters)):
                return await self._discard(chair, letters)
            case Agree():
                return await self._either(chair, "defenders agree", "agree")
            case Object():
                return await self._either(chair, "defenders object", "object")
            case Ask():
                return await self._either(chair, "defenders ideas", "ideas")
            case Withdraw():
                return await self._more(chair, "defenders withdraw", "withdraw")
            case Hint():
                return await self._more(chair, "defenders hint", "hint")
            case Consult():
                return await self._consult(chair, move.word)
            case Attest():
                return await chair.press(chair.board, "vouch", "yes" if move.accepted else "no")
            case _:
                return None

    async def blunder(self, chair: Chair) -> None:
        """Type nonsense, or look for a place for it."""
        word = chair.dice.choice(
            ("QQQQ", "A", "the", "CAT*", "**bold** @everyone", "é", "X" * 40, "🙂", "STREAM")
        )
        place = chair.dice.choice(("", "E5 across", "Z99 down", "nowhere", "E5", "A1 a d"))
        roll = chair.dice.randrange(4)
        if roll == 0:
            await chair.slash("defenders word", word=word, **({"place": place} if place else {}))
        elif roll == 1:
            form = await chair.press(chair.board, "word")
            refused = await chair.panel(await chair.fill(form, word=word, place=place))
            await chair.fill(await chair.press(refused, "edit"), word="ZZZZ")
        elif roll == 2:
            await chair.slash("defenders contribute", letters=chair.dice.choice(("ZZ", "*", "12", "QXZ")))
        else:
            await chair.slash("defenders wildcard", square="E5", letter="S")

    def played(self, asked: Interaction) -> bool:
        """Whether the answer says that the move was played."""
        if self._STALE in asked.text:
            return False
        return done_at_once(asked) or bool(self._PLAYED.search(asked.text))

    def secrets(self, view: View) -> Iterator[str]:
        """Return the print of the rack, if it is long enough to be recognised."""
        if len(view.rack) >= 4:
            yield "".join(sorted(view.rack))

    def prints(self, text: str) -> Iterator[str]:
        """Return the letters of every row of single letters in a text."""
        for found in self._RUN.finditer(text):
            tiles = self._TILE.findall(found[0])
            yield "".join(sorted(WILD if len(tile) > 1 else tile for tile in tiles))

    async def _either(self, chair: Chair, command: str, verb: str) -> Interaction | None:
        if chair.dice.random() < 0.4:
            return await chair.slash(command)
        return await chair.press(chair.board, verb)

    async def _more(self, chair: Chair, command: str, verb: str) -> Interaction | None:
        if chair.dice.random() < 0.4:
            return await chair.slash(command)
        return await chair.press(await chair.panel(await chair.press(chair.board, "more")), verb)

    async def _contribute(self, chair: Chair, letters: tuple[str, ...]) -> Interaction | None:
        roll = chair.dice.random()
        if roll < 0.3:
            return await chair.slash("defenders contribute", letters="".join(letters))
        panel = chair.private
        if panel is None or roll < 0.7:
            asked = await (chair.slash("table hand") if roll < 0.4 else chair.press(chair.board, "hand"))
            panel = await chair.panel(asked)
        if len(letters) == 1 and key_of(panel, "give", letters[0]):
            return await chair.press(panel, "give", letters[0])
        return await chair.choose(panel, "give", *_offered(panel, "give", letters))

    async def _propose(self, chair: Chair, play: Play) -> Interaction | None:
        marks = dict.fromkeys(play.wild, WILD)
        word = "".join(marks.get(index, "") + char for index, char in enumerate(play.word))
        place = f"{square_name((play.row, play.col))} {'across' if play.across else 'down'}"
        if chair.dice.random() < 0.5:
            given = {"word": word} | ({"place": place} if chair.dice.random() < 0.8 else {})
            if chair.dice.random() < 0.3:
                await suggested(chair, "defenders word", "place", word=word, place=place[:2])
            asked = await chair.slash("defenders word", **given)
        else:
            form = await chair.press(chair.board, "word")
            asked = await chair.fill(form, word=word, place=place if chair.dice.random() < 0.8 else "")
        panel = await chair.panel(asked)
        if key_of(panel, "spot"):
            panel = await chair.panel(await chair.choose(panel, "spot", *values(panel, "spot")[:1]))
        return await chair.press(panel, "propose")

    async def _discard(self, chair: Chair, letters: tuple[str, ...]) -> Interaction | None:
        if chair.dice.random() < 0.5:
            return await chair.slash("defenders discard", letters="".join(letters))
        panel = await chair.panel(await chair.press(chair.board, "discards"))
        return await chair.choose(panel, "discard", *_offered(panel, "discard", letters))

    async def _consult(self, chair: Chair, word: str) -> Interaction | None:
        if chair.dice.random() < 0.5:
            return await chair.slash("defenders consult", word=word)
        panel = await chair.panel(await chair.press(chair.board, "more"))
        return await chair.fill(await chair.press(panel, "consult"), word=word)


class DungeonHand:
    """How a person plays Word Dungeon: in races and solos, in which each map is its player's own, and in parties."""

    key = "dungeon"
    face: Face = DungeonFace()
    marks: tuple[str, ...] = ("Place(word=", '"type":"place"', '"type": "place"', "places=(", '"places"')

    _DUNGEONS = ("cellar-steps", "gem-gallery", "monster-den", "silent-library")
    _PLAYED = re.compile(
        r"turns? taken · |are out after|gave up: 0|A hint:|I find no word that fits|You (proposed|agreed|objected|took)"
        r"|\*\* is laid|turn is taken back|Everyone sees the hint"
    )
    _REFUSED = re.compile(r"has moved on since|You typed:")
    _LAID = re.compile(r"\b([A-Z]{2,20})(?:\*\*)? (?:at )?([A-T][0-9]{1,2} (?:across|down))\b")

    def opening(self, dice: random.Random) -> dict[str, Any]:
        """Return options of ``/play dungeon``."""
        given: dict[str, Any] = {"dungeon": dice.choice(self._DUNGEONS)}
        if dice.random() < 0.5:
            given["minutes"] = dice.randint(2, 20)
        if dice.random() < 0.3:
            given["pace"] = dice.choice(("live", "slow"))
        return given

    async def wish(
        self, game: AnyGame, view: dungeon.View, seat: int, now: int, thinker: Thinker, dice: random.Random
    ) -> dungeon.Move | None:
        """Return what an automaton would do, and now and then what only people do."""
        run = view.run
        if view.public.over or run is None or run.ended is not None:
            return None
        if view.public.proposal is not None and dice.random() < 0.15:
            return dungeon.Withdraw() if view.public.proposal.seat == seat else dungeon.Object()
        if dice.random() < 0.08:
            return dungeon.TakeBack() if run.places and dice.random() < 0.6 else dungeon.Hint(None)
        chance = Chance(b"soak", dice.getrandbits(40), f"choose/{seat}")
        plan = await thinker.choose(game, view, seat, dice.randint(0, 1), now + LATER, chance)
        return None if plan is None else plan.move

    async def do(self, chair: Chair, move: dungeon.Move) -> Interaction | None:
        """Do a move on Discord."""
        match move:
            case dungeon.Place():
                return await self._place(chair, move)
            case dungeon.TakeBack():
                return await self._either(chair, "dungeon undo", "back")
            case dungeon.Hint():
                asked = await self._either(chair, "dungeon hint", "hint")
                await chair.panel(asked)  # a search is deferred, which says nothing of how it ends
                return asked if asked is not None and self._PLAYED.search(asked.text) else None
            case dungeon.Agree() | dungeon.Object() | dungeon.Withdraw():
                verb = type(move).__name__.lower()
                command = chair.dice.random() < 0.5 or verb == "withdraw"
                return await (chair.slash(f"dungeon {verb}") if command else chair.press(chair.board, verb))
            case dungeon.GiveUp():
                question = await chair.panel(await self._either(chair, "dungeon give_up", "give_up"))
                return await chair.press(question, "give_up", "sure")
            case _:
                return None

    async def blunder(self, chair: Chair) -> None:
        """Type nonsense, look at the map and at lists, or look for a place."""
        word = chair.dice.choice(("QQQQ", "A", "the", "**bold** @everyone", "é", "X" * 40, "🙂", "STREAM"))
        at = chair.dice.choice(("", "E5 across", "Z99 down", "nowhere", "E5", "A1 a d"))
        roll = chair.dice.randrange(4)
        if roll == 0:
            await chair.slash("dungeon place", word=word, **({"at": at} if at else {}))
        elif roll == 1:
            form = await chair.press(chair.board, "word")
            refused = await chair.panel(await chair.fill(form, word=word[:20], place=at))
            await chair.fill(await chair.press(refused, "edit"), word="ZZXZ")
        elif roll == 2:
            await chair.slash("dungeon show")
        else:
            await suggested(chair, "dungeon place", "at", word=word, at=at[:2])

    def played(self, asked: Interaction) -> bool:
        """Whether the answer says that the move was played."""
        if self._REFUSED.search(asked.text):
            return False
        return done_at_once(asked) or bool(self._PLAYED.search(asked.text))

    def secrets(self, view: dungeon.View) -> Iterator[str]:
        """Return the print of each word laid, with its place, while the race goes on."""
        if view.run is None or view.public.over or view.public.mode != "race":
            return
        for place in view.run.places:
            yield f"{place.word} {spot((place.row, place.col), place.across)}"

    def prints(self, text: str) -> Iterator[str]:
        """Return every word with a place in a text."""
        for found in self._LAID.finditer(text):
            yield f"{found[1]} {found[2]}"

    async def _either(self, chair: Chair, command: str, verb: str) -> Interaction | None:
        if chair.private is not None and chair.dice.random() < 0.4:
            return await chair.press(chair.private, verb)
        if chair.dice.random() < 0.5:
            return await chair.slash(command)
        return await chair.press(await chair.panel(await chair.press(chair.board, "hand")), verb)

    async def _place(self, chair: Chair, place: dungeon.Place) -> Interaction | None:
        at = spot((place.row, place.col), place.across)
        if chair.dice.random() < 0.5:
            asked = await chair.slash("dungeon place", word=place.word, at=at)
        else:
            form = await chair.press(chair.private if chair.dice.random() < 0.5 else chair.board, "word")
            asked = await chair.fill(form, word=place.word, place=at)
        if asked is None or "Whom does" not in asked.text:
            return asked
        return await chair.press(await chair.panel(asked), "lay")


HANDS: Mapping[str, Hand] = {hand.key: hand for hand in (DefendersHand(), DungeonHand())}


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


def _offered(panel: Message | None, verb: str, letters: Iterable[str]) -> tuple[str, ...]:
    """Return the values of a menu of tiles that amount to these letters; each stands behind its number there."""
    left, chosen = values(panel, verb), []
    for letter in letters:
        value = next((value for value in left if value.lstrip("0123456789") == letter), None)
        if value is None:
            return ()
        left.remove(value)
        chosen.append(value)
    return tuple(chosen)
