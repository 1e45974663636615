"""Questions put to the people of a table: whether to replace somebody, whether to take moves back.

A question is announced in the table's channel with two buttons and carries its *purpose* in their arguments, such as
``replace/2`` or ``rewind/5/9``. Who is asked, how each stands and what comes of it is the router's business; here is
what a question looks like and what its purpose says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bot.tables.face import Button, Panel
from bot.tables.layout import escaped
from bot.tables.service import Table, Tally

PURPOSE = re.compile(r"(replace)/(\d{1,3})|(rewind)/(\d{1,9})/(\d{1,9})")


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


Question = Replace | Rewind


def question(purpose: str) -> Question | None:
    """Return what a purpose asks (the inverse of ``Question.purpose``), or None when it is none of these."""
    found = PURPOSE.fullmatch(purpose)
    if found is None:
        return None
    if found[1]:
        return Replace(int(found[2]))
    return Rewind(int(found[4]), int(found[5]))


def electorate(table: Table, asked: Question) -> tuple[int, ...]:
    """Return the seats that have a vote: all people but whom it is about."""
    about = asked.seat if isinstance(asked, Replace) else None
    return tuple(seat.seat for seat in table.persons if seat.seat != about)


def question_panel(asked: Question, title: str, text: str) -> Panel:
    """Return an open question with its two buttons."""
    return Panel(
        title,
        text,
        rows=(
            (
                Button("Agree", "vote_for", asked.purpose, "good"),
                Button("Disagree", "vote_against", asked.purpose, "bad"),
            ),
        ),
        colour=0xD9902F,
    )


def replace_panel(table: Table, seat: int, text: str) -> Panel:
    """Return the question whether an automaton shall play a seat from now on; ``text`` says why it is asked."""
    name = escaped(table.seats[seat].name)
    return question_panel(Replace(seat), f"Shall an automaton play for {name}?", text)


def rewind_panel(asked: Rewind, text: str) -> Panel:
    """Return the question whether to take moves back; ``text`` says who wants it and what would go."""
    return question_panel(asked, going_back(asked.seq), text)


def going_back(seq: int) -> str:
    """Return the question whether to go back to a move, as a title."""
    return f"Go back to after move {seq}?" if seq else "Go back to before the first move?"


def end_panel(text: str) -> Panel:
    """Return the question whether to end a table; who agrees does so for good, and nobody need disagree."""
    return Panel(
        "End the table?", text, rows=((Button("End the table", "end", "sure", "bad"),),), colour=0xD9902F
    )


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


def settled(title: str, text: str) -> Panel:
    """Return what stands in place of a question that has been answered."""
    return Panel(title, text, colour=0x6B7280)
