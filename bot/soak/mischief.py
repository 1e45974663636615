"""What people do wrong, or only because they may: each is to be answered and to change nothing that it should not."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Awaitable, Callable

from bot.loopback import Loopback
from bot.loopback.interactions import Interaction, InteractionKind
from bot.loopback.model import ComponentKind, Json, Message, parts
from bot.soak.hand import Chair, Hand, key_of, suggested, values

STALE = 40  # components that once were on a message
LOOKS = ("table show", "table hand", "table rules", "table log", "table turn")


class Mischief:
    """Misdeeds of people; a person who is not seated counts too."""

    def __init__(self, here: Loopback, dice: random.Random) -> None:
        self._here = here
        self._dice = dice
        self._once: deque[tuple[Message, Json]] = deque(maxlen=STALE)

    def remember(self, message: Message | None) -> None:
        """Remember a message's buttons for the time when they are stale."""
        if message is None:
            return
        for part in parts(message.components):
            if part.get("custom_id") and (message, part) not in self._once:
                self._once.append((message, part))

    async def one(self, chair: Chair, hand: Hand) -> None:
        """Do one misdeed."""
        deeds: tuple[Callable[[Chair, Hand], Awaitable[object]], ...] = (
            self._stale, self._foreign, self._look, self._look, self._blunder, self._help, self._suggest,
            self._chat,
        )  # fmt: skip
        await self._dice.choice(deeds)(chair, hand)

    async def _stale(self, chair: Chair, hand: Hand) -> None:
        """Press a button that was there a moment ago: the press was on its way when the message changed."""
        seen = [
            (message, part)
            for message, part in self._once
            if not message.ephemeral or message.viewer == chair.person.user.id
        ]
        if seen:
            await self._send(chair, *self._dice.choice(seen))

    async def _foreign(self, chair: Chair, hand: Hand) -> None:
        """Send what stands on another's panel, as only a client that was tampered with would."""
        others = [part for message, part in self._once if message.viewer != chair.person.user.id]
        if others and chair.board is not None:
            await self._send(chair, chair.board, self._dice.choice(others))

    async def _look(self, chair: Chair, hand: Hand) -> None:
        command = self._dice.choice(LOOKS)
        self.remember(await chair.panel(await chair.slash(command)))

    async def _blunder(self, chair: Chair, hand: Hand) -> None:
        await hand.blunder(chair)

    async def _help(self, chair: Chair, hand: Hand) -> None:
        if self._dice.random() < 0.5:
            await chair.ask("/help", lambda: chair.person.slash(chair.place, "help"))
        else:
            panel = await chair.panel(await chair.press(chair.board, "more"))
            await chair.press(panel, "rules")

    async def _suggest(self, chair: Chair, hand: Hand) -> None:
        await suggested(chair, "table hand", "table", table=self._dice.choice(("", "1", "9")))

    async def _chat(self, chair: Chair, hand: Hand) -> None:
        for _ in range(self._dice.randint(1, 6)):
            await chair.person.say(chair.place, self._dice.choice(("Well?", "A word with Q", "…", "1, 2, 3")))

    async def _undo(self, chair: Chair, hand: Hand) -> None:
        await chair.slash("table undo")

    async def _rewind(self, chair: Chair, hand: Hand) -> None:
        """Turn the pages of the log and, now and then, ask the others to take moves back."""
        panel = await chair.panel(await chair.slash("table log"))
        self.remember(panel)
        panel = await chair.panel(await chair.press(panel, "log")) or panel
        targets = values(panel, "rewind")
        if targets and self._dice.random() < 0.5:
            asked = await chair.choose(panel, "rewind", targets[-1])
            await chair.press(await chair.panel(asked), "rewind_sure")

    async def _vote(self, chair: Chair, hand: Hand) -> None:
        """Answer the newest question in the channel, if there is one."""
        for message in reversed(chair.person.sees(chair.place)[-15:]):
            if key_of(message, "vote_for"):
                verb = "vote_for" if self._dice.random() < 0.7 else "vote_against"
                await chair.press(message, verb)
                return

    async def _pause(self, chair: Chair, hand: Hand) -> None:
        await chair.slash("table pause")

    async def _remind(self, chair: Chair, hand: Hand) -> None:
        await chair.slash("table nudge")

    async def _replace(self, chair: Chair, hand: Hand) -> None:
        player = self._dice.choice(self._here.world.players).name
        await chair.slash("table replace", player=player)

    async def _look_up(self, chair: Chair, hand: Hand) -> None:
        word = self._dice.choice(("STREAM", "QI", "ZZZZ", "é"))
        command = self._dice.choice(("word check", "word define"))
        await chair.ask(f"/{command}", lambda: chair.person.slash(chair.place, command, word=word))

    async def _leave(self, chair: Chair, hand: Hand) -> None:
        """Leave, if the dice say so and others stay; the others' table goes on with an automaton."""
        panel = await chair.panel(await chair.slash("table leave"))
        if self._dice.random() < 0.3 and "ends" not in (panel.text if panel is not None else ""):
            await chair.press(panel, "leave", "sure")

    async def _send(self, chair: Chair, message: Message, part: Json) -> Interaction | None:
        """Send a press of a button or a choice in a menu that the message may no longer have."""
        place = self._here.world.channels.get(message.channel)
        if place is None or not self._here.world.sees(chair.person.user, place):
            return None
        data = {"custom_id": part["custom_id"], "component_type": part["type"], "id": part["id"]}
        if part["type"] != ComponentKind.BUTTON:
            values = [option["value"] for option in part.get("options") or []]
            data["values"] = values[: part.get("min_values", 1)]
        desk, user = self._here.desk, chair.person.user
        return await chair.ask(
            "(stale)", lambda: desk.ask(InteractionKind.COMPONENT, user, place, data, source=message)
        )
