"""Open questions in the channels: which message shows which one, so that none stays open after its answer.

A card is a row among the table's messages, so that a restart forgets none; the caretaker's question whether to replace a
sleeper (``bot.tables.notices``) is one as well, filed under its purpose. Whoever answers a question settles the card
that was pressed by the answer itself, and the others here. A table that ends, and whatever else takes the sense from a
question, settles its cards too; should the bot die just then, pressing the card does it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager

import structlog

from bot.games.game import IllegalMove
from bot.store.database import StoreError
from bot.store.rows import Message
from bot.tables.face import Panel
from bot.tables.publisher import Publisher
from bot.tables.service import Service
from bot.tables.table import Committed, Table
from bot.tables.votes import question

CARD = "asked/"  # the audience of a card; what it asks is in its digest
ALWAYS = 2**62  # as the revision that is shown: a card never lags behind the table

log = structlog.get_logger()


class Cards:
    """The open questions of all tables.

    Args:
        outcome: returns what shall stand in place of a question, by its purpose, that has lost its sense, else None.
    """

    def __init__(
        self, service: Service, publisher: Publisher, outcome: Callable[[Table, str], Awaitable[Panel | None]]
    ) -> None:
        self.service = service
        self.store = service.store
        self.publisher = publisher
        self._outcome = outcome
        self._asked: set[int] = set()  # tables with a card of this process
        self._held: Counter[int] = Counter()  # by table
        self._tasks: set[asyncio.Task[None]] = set()
        service.listen(self._heard)

    async def put(self, table: Table, purpose: str, panel: Panel) -> bool:
        """Ask in the table's channel; whether the channel took it."""
        said = await self.publisher.announce(table, panel)
        if said is None:
            return False
        row = Message(f"{CARD}{said.id}", said.channel.id, said.id, ALWAYS, self.service.now(), purpose)
        await self.store.set_message(table.id, row)
        self._asked.add(table.id)
        return True

    async def of(self, table: int, purpose: str | None = None) -> tuple[Message, ...]:
        """Return a table's cards, all or those of one purpose."""
        return tuple(
            card
            for card in (await self.store.messages(table)).values()
            if card.message and (asked := _purpose(card)) is not None and purpose in (None, asked)
        )

    async def drop(self, table: int, card: Message) -> None:
        """Leave a card to the caller, who settles it."""
        await self.store.drop_message(table, card.audience)

    async def show(
        self, table: int, cards: Iterable[Message], panel: Panel, *, but: int | None = None
    ) -> bool:
        """Put a panel in place of cards, but for one message, which its press has answered; whether one is there."""
        shown = False
        for card in cards:
            shown |= card.message == but or await self.publisher.amend(
                table, card.channel, card.message, panel
            )
        return shown

    @contextmanager
    def held(self, table: int) -> Iterator[None]:
        """Leave a table's cards to the caller, whose own act may take the sense from them."""
        self._held[table] += 1
        try:
            yield
        finally:
            self._held[table] -= 1
            self._held += Counter()  # keeps those above zero
            self._look(table)

    def _heard(self, table: int, committed: Committed) -> None:
        """Settle what has lost its sense; a move is looked at only where something was asked."""
        over = committed.what == "end" or (
            committed.what == "move" and committed.game.result(committed.state) is not None
        )
        moved = committed.what == "move" and table in self._asked
        if over or moved or committed.what == "seats":
            self._look(table)

    def _look(self, table: int) -> None:
        if self._held[table]:
            return
        task = asyncio.get_running_loop().create_task(self._tidy(table), name=f"cards {table}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tidy(self, number: int) -> None:
        try:
            cards = await self.of(number)
            if not cards:
                self._asked.discard(number)
                return
            table = await self.service.table(number)
            for card in cards:
                purpose = _purpose(card) or ""
                panel = await self._outcome(table, purpose)
                if panel is not None:
                    await self.service.close_vote(number, purpose)
                    await self.store.drop_message(number, card.audience)
                    await self.publisher.amend(number, card.channel, card.message, panel)
        except (IllegalMove, StoreError) as error:  # the card is settled when somebody presses it
            log.info("card_not_settled", table=number, reason=str(error))
        except Exception:
            log.exception("card_not_settled", table=number)


def _purpose(message: Message) -> str | None:
    """Return what a message asks, None when it is no card."""
    if message.audience.startswith(CARD):
        return message.digest
    return message.audience if question(message.audience) is not None else None
