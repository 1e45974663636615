"""What happens in a server while games go on: boards deleted, threads archived, private messages closed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence

from bot.loopback import Loopback, Person
from bot.loopback.model import Message
from bot.soak.journal import Journal
from bot.soak.records import Records

GAP = 8.0  # s between two troubles, on average
CLOSED = (3.0, 20.0)  # s for which private messages stay closed
DELETED = 2  # boards of one table; who deletes more is no longer given new ones


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
        self._deleted: Counter[int] = Counter()

    async def run(self) -> None:
        """Make trouble until cancelled."""
        troubles: tuple[Callable[[], None], ...] = (
            self._delete_a_board, self._archive_a_thread, self._close_private_messages,
        )  # fmt: skip
        while True:
            await asyncio.sleep(self._dice.expovariate(1 / GAP))
            self._dice.choice(troubles)()

    def _delete_a_board(self) -> None:
        table, board = self._board()
        if board is not None and self._deleted[table] < DELETED:
            self._deleted[table] += 1
            self._here.world.delete(board)
            self._told("boards_deleted", table=table, message=board.id)

    def _archive_a_thread(self) -> None:
        threads = [place for place in self._here.world.threads() if not place.archived]
        if threads:
            thread = self._dice.choice(threads)
            self._here.world.archive_thread(thread.id)
            self._told("threads_archived", thread=thread.id)

    def _close_private_messages(self) -> None:
        name = self._dice.choice(self._people).name
        self._here.world.close_dms(name)
        self._told("dms_closed", person=name)
        asyncio.get_running_loop().call_later(self._dice.uniform(*CLOSED), self._here.world.open_dms, name)

    def _board(self) -> tuple[int, Message | None]:
        """Return some live table and its board, if Discord still holds it."""
        shown = [
            (table.id, table.board)
            for table in self._records.tables.values()
            if table.stage == "live" and table.board is not None
        ]
        if not shown:
            return 0, None
        table, one = self._dice.choice(shown)
        return table, self._here.world.messages.get(str(one.channel), {}).get(str(one.message))

    def _told(self, what: str, **fields: object) -> None:
        self._journal.note(what, **fields)
        self._journal.count(what)
