"""What anybody may press in a lobby: take a seat, choose what is played, seat automata, begin."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.games.game import IllegalMove
from bot.tables.ask import Ask
from bot.tables.boards import still_hand_of
from bot.tables.face import Face
from bot.tables.layout import Epoch, below
from bot.tables.lobby import lobby_panel, options_panel
from bot.tables.service import Service


class Seating:
    """The lobbies. ``verbs``: what each verb does."""

    def __init__(self, service: Service, faces: Mapping[str, Face]) -> None:
        self.service = service
        self.faces = faces
        self.verbs: Mapping[str, Callable[[Ask], Awaitable[None]]] = {
            "join": self.join,
            "start": self.start,
            "options": self.options,
            "set": self.choose,
            "automaton": self.add_automaton,
            "unseat": self.remove_automaton,
        }

    async def join(self, ask: Ask) -> None:
        """Take a seat."""
        await self.service.join(ask.table.id, ask.user, ask.answer.interaction.user.display_name)
        await self._shown(ask)

    async def start(self, ask: Ask) -> None:
        """Begin the game."""
        await self.service.start(ask.table.id, ask.user)
        if not ask.answer.pressed_private:
            await ask.answer.done()
            return
        seat = ask.table.seat_of(ask.user)
        assert seat is not None
        look = await self.service.look(ask.table.id, seat.seat)
        hand = still_hand_of(self.faces[ask.table.game.key], look)
        await ask.answer.panel(hand, ask.table.id, Epoch(look.epoch))

    async def options(self, ask: Ask) -> None:
        """Show who sits here the menus of what is played; others what is chosen."""
        table = ask.table
        if table.stage != "lobby":
            raise IllegalMove("The game has begun; its options are fixed.")
        face = self.faces[table.game.key]
        if table.seat_of(ask.user) is None:
            raise IllegalMove(
                f"Take a seat to change what is played. As it stands:\n{face.summary(table.options)}"
            )
        await ask.answer.panel(options_panel(table, face), table.id, None, beside=True)

    async def choose(self, ask: Ask) -> None:
        """Take a choice in one of these menus."""
        face = self.faces[ask.table.game.key]
        try:
            table, reason = (
                await self.service.set_options(
                    ask.table.id, lambda options: face.chosen(options, ask.arg, ask.values[0]), ask.user
                ),
                "",
            )
        except IllegalMove as refusal:
            table, reason = await self.service.table(ask.table.id), str(refusal)
            if table.stage != "lobby" or table.seat_of(ask.user) is None:
                raise
        await ask.answer.panel(below(options_panel(table, face), reason), table.id, None)

    async def add_automaton(self, ask: Ask) -> None:
        """Seat an automaton of the skill that was chosen."""
        await self.service.add_automaton(ask.table.id, int(ask.values[0]), ask.user)
        await self._shown(ask)

    async def remove_automaton(self, ask: Ask) -> None:
        """Take the automaton away that came last."""
        await self.service.remove_automaton(ask.table.id, ask.user)
        await self._shown(ask)

    async def _shown(self, ask: Ask) -> None:
        """Answer what the lobby shows: the one in the channel does so by itself, a private copy of it is made anew."""
        if not ask.answer.pressed_private:
            await ask.answer.done()
            return
        table = await self.service.table(ask.table.id)
        await ask.answer.panel(lobby_panel(table, self.faces[table.game.key]), table.id, None)
