"""How a person plays Word Dungeon."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from bot.games.chance import Chance
from bot.games.dungeon import state as dungeon
from bot.loopback.interactions import Interaction
from bot.soak.answers import says
from bot.soak.hand import LATER, AnyGame, Chair, suggested
from bot.tables.face import Face
from bot.tables.worker import Thinker
from cogs.dungeon import DungeonFace
from cogs.grid import spot


class DungeonHand:
    """How a person plays Word Dungeon: in races and solos, in which each map is its player's own, and in parties."""

    key = "dungeon"
    face: Face = DungeonFace()
    marks: tuple[str, ...] = ("Place(word=", '"type":"place"', '"type": "place"', "places=(", '"places"')

    _DUNGEONS = ("cellar-steps", "gem-gallery", "monster-den", "silent-library")
    _PLAYED = re.compile(
        r"turns? taken · |escaped in|gave up: 0|A hint:|I find no (?:word to begin|way out)|You (proposed|agreed|objected|took)"
        r"|\*\* is laid|turn is taken back"
    )
    _REFUSED = re.compile(r"has moved on since|You typed:|Not done\.")
    # As the list of a run's words has them. "WORD at A1 across" is a hint, a proposal or what somebody typed: two who
    # follow the best way through a dungeon are told the same there, and neither learns anything of the other.
    _LAID = re.compile(r"\b([A-Z]{2,20}) ([A-T][0-9]{1,2} (?:across|down))\b")

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
        move = None if plan is None else plan.move
        if move is None and view.public.mode == "party" and view.public.proposal is None:
            return (
                dungeon.GiveUp()
            )  # automata fall silent after a few objections; people who want to get on do not
        return move

    async def do(self, chair: Chair, move: dungeon.Move) -> Interaction | None:
        """Do a move on Discord."""
        match move:
            case dungeon.Place():
                return await self._place(chair, move)
            case dungeon.TakeBack():
                return await self._either(chair, "dungeon undo", "back")
            case dungeon.Hint():
                asked = await self._either(chair, "dungeon hint", "hint")
                shown = await chair.panel(asked)  # a search is deferred, which says nothing of how it ends
                if asked is not None and "Take a hint?" in asked.text:  # the first of a race
                    asked = await chair.press(shown, "hint", "sure")
                    await chair.panel(asked)
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
        return says(asked, self._PLAYED, self._REFUSED)

    def secrets(self, view: dungeon.View) -> Iterator[str]:
        """Return the print of each word laid, with its place, as long as others may not know it."""
        run, public = view.run, view.public
        if run is None or public.mode == "party" or (public.mode == "race" and public.over):
            return
        for place in run.places:
            yield f"{place.word} {spot((place.row, place.col), place.across)}"

    def prints(self, text: str) -> Iterator[str]:
        """Return every word with a place in a text, as a list of laid words has them."""
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
