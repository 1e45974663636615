"""What people do wrong, or only because they may: each is to be answered and to change nothing that it should not."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Awaitable, Callable

from bot.loopback import Loopback
from bot.loopback.interactions import Interaction, InteractionKind
from bot.loopback.model import ComponentKind, Message
from bot.soak.players import Chair, Hand, key_of, suggested
from bot.tables.layout import Address

STALE = 40  # custom ids that once were on a message
LOOKS = ("table show", "table hand", "table rules", "table log", "table turn")


class Mischief:
    """Misdeeds of people; a person who is not seated counts too."""

    def __init__(self, here: Loopback, dice: random.Random) -> None:
        self._here = here
        self._dice = dice
        self._once: deque[tuple[Message, str]] = deque(maxlen=STALE)

    def remember(self, message: Message | None) -> None:
        """Remember a message's buttons for the time when they are stale."""
        if message is None:
            return
        for key in message.custom_ids:
            if (message, key) not in self._once:
                self._once.append((message, key))

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
            (message, key)
            for message, key in self._once
            if not message.ephemeral or message.viewer == chair.person.user.id
        ]
        if seen:
            await self._send(chair, *self._dice.choice(seen))

    async def _foreign(self, chair: Chair, hand: Hand) -> None:
        """Send what stands on another's panel, as only a client that was tampered with would."""
        others = [(message, key) for message, key in self._once if message.viewer != chair.person.user.id]
        if others and chair.board is not None:
            _, key = self._dice.choice(others)
            await self._send(chair, chair.board, key)

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

    async def _send(self, chair: Chair, message: Message, key: str) -> Interaction | None:
        """Send a press of a button or a choice in a menu that the message may no longer have."""
        if Address.parse(key) is None or message.channel not in self._here.world.channels:
            return None
        place = self._here.world.channels[message.channel]
        if not self._here.world.sees(chair.person.user, place):
            return None
        data = {"custom_id": key, "component_type": int(ComponentKind.BUTTON), "id": 1}
        if key_of(message, "spot") == key:
            data |= {"component_type": int(ComponentKind.STRING_SELECT), "values": ["nothing"]}
        desk, user = self._here.desk, chair.person.user
        return await chair.ask(
            "(stale)", lambda: desk.ask(InteractionKind.COMPONENT, user, place, data, source=message)
        )
