"""How a person plays Defenders of the Dictionary."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import Any

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
from bot.loopback.interactions import Interaction
from bot.loopback.model import Message
from bot.soak.answers import says
from bot.soak.hand import LATER, AnyGame, Chair, key_of, suggested, values
from bot.tables.face import Face
from bot.tables.worker import Thinker
from cogs.defenders import DefendersFace


class DefendersHand:
    """How a person plays Defenders of the Dictionary."""

    key = "defenders"
    face: Face = DefendersFace()
    marks: tuple[str, ...] = ("Contribute(letters=", '"type":"contribute"', '"type": "contribute"', "racks=", '"racks"', "rack=(",
             "sealed=(", "Your rack:")  # fmt: skip

    _PLAYED = re.compile(
        r"You (contributed|agreed|objected|proposed|took your proposal back)|The team is thinking|Everyone sees the hint"
    )
    _REFUSED = re.compile(r"has moved on since|Not done\.")
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
                return await self._surely(chair, "defenders pass", "noword")
            case Propose(matter=Discard(letters=letters)):
                return await self._discard(chair, letters)
            case Agree():
                return await self._either(chair, "defenders agree", "agree")
            case Object():
                return await self._either(chair, "defenders object", "object")
            case Ask():
                return await self._surely(chair, "defenders ideas", "ideas")
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
        return says(asked, self._PLAYED, self._REFUSED)

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

    async def _surely(self, chair: Chair, command: str, verb: str) -> Interaction | None:
        """As ``_either``, and confirm it where that is asked."""
        asked = await self._either(chair, command, verb)
        if asked is None:
            return None
        panel = asked.followups[-1] if asked.followups else asked.message
        return await chair.press(panel, verb, "sure") if key_of(panel, verb, "sure") else asked

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
