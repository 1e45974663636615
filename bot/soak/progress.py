"""No table stands still: somebody's move is committed, silence ends when it should, Discord shows what is stored.

All times are of the bot's uptime, which stands still while it cannot be reached. Each complaint is made once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from bot.soak.journal import Journal
from bot.soak.records import Shown, Stored

IDLE = 75.0  # s without a commit at a live table; automata of ours take at most their turn at 75 s of silence
OVERDUE = 10.0  # s after its deadline
BEHIND = 45.0  # s; more than all attempts at one request, and the waits between them


@dataclass
class Course:
    """How a table got on; seconds of uptime."""

    seq: int = -1
    moved: float = 0.0
    wanted: int = 0  # the revision that the board is to show
    since: float = 0.0
    told: set[str] = field(default_factory=set)


class Progress:
    """Watches all tables.

    Args:
        there: whether Discord still holds a message; of a table that is over a deleted board stays deleted.
    """

    def __init__(self, journal: Journal, there: Callable[[Shown], bool]) -> None:
        self._journal = journal
        self._there = there
        self.playing = True  # whether people are there who move
        self._courses: dict[int, Course] = {}

    def look(self, tables: Iterable[Stored], uptime: float, streak: float, now: int) -> None:
        """Look at all tables.

        Args:
            tables: as last read.
            uptime: of the bot so far, in s.
            streak: for how long (s) it has been up without a break; 0 when it is down.
            now: the wall clock in ms.
        """
        for table in tables:
            course = self._courses.setdefault(table.id, Course(moved=uptime, since=uptime))
            if course.seq != table.seq:
                course.seq, course.moved = table.seq, uptime
            if not streak:
                continue
            self._idle(table, course, uptime)
            self._overdue(table, course, streak, now)
            self._behind(table, course, uptime)

    def forget(self, table: int) -> None:
        """Watch a table no longer."""
        self._courses.pop(table, None)

    def stuck(self, table: int) -> bool:
        """Whether a table was complained of for standing still."""
        course = self._courses.get(table)
        return course is not None and "idle" in course.told

    def shown(self, table: Stored, revision: int | None = None) -> bool:
        """Whether the board shows a revision, the newest by default."""
        if table.place is None:
            return True
        if table.board is None:
            return False
        wanted = table.revision if revision is None else revision
        return table.board.shown >= wanted or (table.stage == "over" and not self._there(table.board))

    def _idle(self, table: Stored, course: Course, uptime: float) -> None:
        if table.stage != "live" or table.paused_at is not None or not self.playing:
            course.moved = uptime
            return
        if uptime - course.moved > IDLE:
            self._tell(table, course, "idle", f"stands still at move {table.seq}")

    def _overdue(self, table: Stored, course: Course, streak: float, now: int) -> None:
        if table.stage != "live" or table.paused_at is not None or table.due is None or streak < OVERDUE:
            return
        if now - table.due > 1000 * OVERDUE:
            self._tell(table, course, "overdue", f"did not expire at move {table.seq}")

    def _behind(self, table: Stored, course: Course, uptime: float) -> None:
        if self.shown(table, course.wanted):
            course.wanted, course.since = table.revision, uptime
        elif uptime - course.since > BEHIND:
            shown = None if table.board is None else table.board.shown
            what = f"was to show revision {course.wanted} on its board and shows {shown}"
            self._tell(table, course, "behind", what)

    def _tell(self, table: Stored, course: Course, what: str, sentence: str) -> None:
        if what not in course.told:
            course.told.add(what)
            self._journal.find("stuck", f"Table {table.id} {sentence}.", table=table.id, seq=table.seq)
