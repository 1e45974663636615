"""What happens in a server while games go on: boards deleted, threads archived, private messages closed, messages age."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence

from bot.loopback import Loopback, Person
from bot.loopback.model import Message
from bot.soak.journal import Journal
from bot.soak.records import Records

GAP = 8.0  # s between two troubles, on average
CLOSED = (3.0, 20.0)  # s for which private messages stay closed
HOURS_OLD = 61.0  # min; after 60 Discord refuses edits


class Trouble:
    """Makes trouble among channels and messages."""

    def __init__(
        self,
        here: Loopback,
        records: Records,
        people: Sequence[Person],
        journal: Journal,
        dice: random.Random,
    ) -> None:
        self._here = here
        self._records = records
        self._people = people
        self._journal = journal
        self._dice = dice

    async def run(self) -> None:
        """Make trouble until cancelled."""
        troubles: tuple[Callable[[], None], ...] = (
            self._delete_a_board, self._archive_a_thread, self._close_private_messages, self._age_a_board,
        )  # fmt: skip
        while True:
            await asyncio.sleep(self._dice.expovariate(1 / GAP))
            self._dice.choice(troubles)()

    def _delete_a_board(self) -> None:
        board = self._board()
        if board is not None:
            self._here.world.delete(board)
            self._journal.note("board_deleted", message=board.id)
            self._journal.count("boards_deleted")

    def _age_a_board(self) -> None:
        board = self._board()
        if board is not None:
            self._here.world.age(board, minutes=HOURS_OLD)
            self._journal.note("board_aged", message=board.id)
            self._journal.count("boards_aged")

    def _archive_a_thread(self) -> None:
        threads = [place for place in self._here.world.threads() if not place.archived]
        if threads:
            thread = self._dice.choice(threads)
            self._here.world.archive_thread(thread.id)
            self._journal.note("thread_archived", thread=thread.id)
            self._journal.count("threads_archived")

    def _close_private_messages(self) -> None:
        name = self._dice.choice(self._people).name
        self._here.world.close_dms(name)
        self._journal.note("dms_closed", person=name)
        self._journal.count("dms_closed")
        asyncio.get_running_loop().call_later(self._dice.uniform(*CLOSED), self._here.world.open_dms, name)

    def _board(self) -> Message | None:
        """Return the board of some live table."""
        shown = [
            table.board
            for table in self._records.tables.values()
            if table.stage == "live" and table.board is not None
        ]
        if not shown:
            return None
        one = self._dice.choice(shown)
        return self._here.world.messages.get(str(one.channel), {}).get(str(one.message))
