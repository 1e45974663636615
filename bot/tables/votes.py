"""Questions put to the people of a table: to replace somebody, to take moves back, to end the game.

A question is announced in the table's channel with two buttons and carries its *purpose* in their arguments, such as
``replace/2`` or ``rewind/5/9``; to end a table has verbs of its own. Its title names the table and what it is about, and
so does what stands there once it is settled. Who is asked, how each stands and what comes of it is the router's business; here is
what a question looks like and what its purpose says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bot.tables.face import Button, Panel
from bot.tables.layout import escaped
from bot.tables.table import Table, Tally

PURPOSE = re.compile(r"(replace)/(\d{1,3})|(rewind)/(\d{1,9})/(\d{1,9})|end")


class Replace(NamedTuple):
    """Whether an automaton shall play a seat from now on."""

    seat: int

    @property
    def purpose(self) -> str:
        """The question as votes are filed under it."""
        return f"replace/{self.seat}"


class Rewind(NamedTuple):
    """Whether to take back every move after move number ``seq``, asked when the last one was ``last``."""

    seq: int
    last: int

    @property
    def purpose(self) -> str:
        """The question as votes are filed under it: of another last move it is another question."""
        return f"rewind/{self.seq}/{self.last}"


class End(NamedTuple):
    """Whether to end the game before its time."""

    @property
    def purpose(self) -> str:
        """The question as votes are filed under it."""
        return "end"


Question = Replace | Rewind | End


def question(purpose: str) -> Question | None:
    """Return what a purpose asks (the inverse of ``Question.purpose``), or None when it is none of these."""
    found = PURPOSE.fullmatch(purpose)
    if found is None:
        return None
    if found[1]:
        return Replace(int(found[2]))
    if not found[3]:
        return End()
    return Rewind(int(found[4]), int(found[5]))


def electorate(table: Table, asked: Question) -> tuple[int, ...]:
    """Return the seats that have a vote: all people but whom it is about."""
    about = asked.seat if isinstance(asked, Replace) else None
    return tuple(seat.seat for seat in table.persons if seat.seat != about)


def title(table: Table, asked: Question) -> str:
    """Return what is asked, with the table at which it is."""
    if isinstance(asked, Replace):
        return f"Shall an automaton play for {escaped(table.seats[asked.seat].name)} at table {table.id}?"
    if isinstance(asked, End):
        return f"End this game of {table.game.title} (table {table.id})?"
    where = f"after move {asked.seq}" if asked.seq else "before the first move"
    return f"Go back to {where} at table {table.id}?"


def question_panel(table: Table, asked: Question, text: str) -> Panel:
    """Return an open question with its two buttons; ``text`` says why it is asked, and how all stand."""
    buttons = (
        Button("Agree", "vote_for", asked.purpose, "good"),
        Button("Disagree", "vote_against", asked.purpose, "bad"),
    )
    if isinstance(asked, End):
        buttons = (
            Button("End the table", "end", "sure", "bad"),
            Button("Keep playing", "end", "keep", "good"),
        )
    return Panel(title(table, asked), text, rows=(buttons,), colour=0xD9902F)


def replace_panel(table: Table, seat: int, text: str) -> Panel:
    """Return the question whether an automaton shall play a seat from now on; ``text`` says why it is asked."""
    return question_panel(table, Replace(seat), text)


def standing(table: Table, tally: Tally) -> str:
    """Return who agrees and who has still to say so, in a line or two."""

    def names(seats: Sequence[int]) -> str:
        return ", ".join(escaped(table.seats[seat].name) for seat in seats)

    lines = []
    if tally.yes:
        lines.append(f"Agreed: {names(tally.yes)}.")
    if tally.missing:
        lines.append(f"Still to agree: {names(tally.missing)}.")
    return "\n".join(lines)


def settled(table: Table, asked: Question | None, text: str, answer: str = "") -> Panel:
    """Return what stands in place of a question that has been answered, or makes no sense any more."""
    heading = f"A question of table {table.id}" if asked is None else title(table, asked)
    return Panel(f"{heading} {answer}".rstrip(), text, colour=0x6B7280)
