"""The log of a table as its readers may know it: a line a move, by pages.

Each line is made of events as the reader hears them (``Game.heard_by``), so a page holds nothing that its reader could
not know; what was taken back stays, struck through. Table time stands still with the table, so it is told as the time
that was played.

Of who has had their data deleted it is not known any more which moves were theirs and which their automaton's, nor what
they took back by themselves and what all agreed to. Where that leaves a doubt, nothing is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from bot.games.game import IllegalMove
from bot.store.rows import Seat
from bot.tables.face import STANDS_IN, Button, Choice, Face, Menu, Panel, Row
from bot.tables.layout import escaped
from bot.tables.table import AnyGame, Recorded, Table

LINES = 10  # a page
LONGEST = 280  # characters of a line's text
MARKS = re.compile(r"[*~`]|\\(?=[^A-Za-z0-9])")


class Line(msgspec.Struct, frozen=True):
    """One row of the log.

    ``undone`` is the number of the move that it takes back; ``undone_by`` who took it back, empty when that is unknown.
    """

    seq: int
    at: int  # table time, ms
    text: str
    undone: int | None = None
    undone_by: str | None = None

    @property
    def stands(self) -> bool:
        """Whether this is a move that has not been taken back."""
        return self.undone is None and self.undone_by is None

    @property
    def plain(self) -> str:
        """Its text without formatting, for a menu."""
        return MARKS.sub("", self.text)

    def __str__(self) -> str:
        """Return it as a log shows it."""
        told = f"**{self.seq}** · {played(self.at)} · {self.text}"
        if self.undone_by is None:
            return told
        return f"~~{told}~~ taken back{_by(self.undone_by)}"


def played(at: int) -> str:
    """Return a table time (ms) as people read it: ``3:05``, ``2 h 05 min``, ``3 d 4 h``."""
    minutes, seconds = divmod(at // 1000, 60)
    if minutes < 60:
        return f"{minutes}:{seconds:02}"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes:02} min"
    return f"{hours // 24} d {hours % 24} h"


def standing(history: Sequence[Recorded]) -> tuple[Recorded, ...]:
    """Return the moves that have not been taken back."""
    gone = {move.undone for move in history}
    return tuple(move for move in history if move.undone is None and move.seq not in gone)


def lines(
    history: Sequence[Recorded], game: AnyGame, face: Face, seats: Sequence[Seat], viewer: int | None
) -> tuple[Line, ...]:
    """Return the log as a seat, or everyone (None), may know it, oldest first."""
    takers = {move.undone: _taker(move, seats) for move in history if move.undone is not None}
    return tuple(
        Line(move.seq, move.at, _told(move, game, face, seats, viewer), move.undone, takers.get(move.seq))
        for move in history
    )


def _told(move: Recorded, game: AnyGame, face: Face, seats: Sequence[Seat], viewer: int | None) -> str:
    if move.undone is not None:
        return f"Move {move.undone} is taken back{_by(_taker(move, seats))}."
    names = [escaped(seat.name) for seat in seats]
    if move.seat is not None and move.by is None and _owned(seats[move.seat]):
        names[move.seat] += STANDS_IN
    heard = [game.heard_by(event, viewer) for event in move.events]
    said = [text for event in heard if event is not None and (text := face.record(event, names))]
    who = _mover(move, names)
    text = " ".join(said) or "Nothing to be told."
    if not text.lstrip("*").startswith(who):
        text = f"{who}: {text}"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _owned(seat: Seat) -> bool:
    """Whether a person has the seat of whom it is known which moves were theirs."""
    return seat.user is not None and not seat.forgotten


def _mover(move: Recorded, names: Sequence[str]) -> str:
    if move.seat is not None:
        return names[move.seat]
    return "The clock" if move.move is None else "The host"


def _taker(move: Recorded, seats: Sequence[Seat]) -> str:
    """Return who took a move back, or nothing when it may have been somebody who has been forgotten."""
    if move.by is None:
        return "" if any(seat.nameless for seat in seats) else "agreement"
    return next((escaped(seat.name) for seat in seats if seat.user == move.by), "agreement")


def _by(taker: str) -> str:
    return f" by {taker}" if taker else ""


def log_panel(
    table: Table,
    log: Sequence[Line],
    *,
    last: int | None = None,
    earliest: int | None = None,
    back: Button | None = None,
) -> Panel:
    """Return a page of a table's log.

    Args:
        table: the table.
        log: all lines, for one reader.
        last: the last move of the page; None is the newest.
        earliest: the move number to which the reader may propose to go back; None when they may not.
        back: leads to where the reader comes from.
    """
    newest = len(log)
    end = newest if last is None else min(max(last, 1), newest)
    begin = max(0, end - LINES)
    page = log[begin:end]
    rows: list[Row] = []
    if newest > LINES:
        rows.append(_turning(begin, end, newest))
    targets = () if earliest is None else _targets(log, earliest, begin, end)
    if targets:
        rows.append(Menu("rewind", "Take back to after move…", targets))
    ways = () if back is None else (back,)
    if table.stage == "over" and table.opened:
        ways = (Button("Download the whole log", "log_file"), *ways)
    if ways:
        rows.append(ways)
    notes = (
        "" if not newest else f"-# Moves {begin + 1} to {end} of {newest}. Times are of play, without pauses."
    )
    if newest and table.stage != "over":
        notes += " What is hidden from you stays hidden."
    return Panel(
        title=f"{table.game.title} · log of table {table.id}",
        text="\n".join(map(str, page)) or "Nobody has moved yet.",
        notes=notes,
        rows=tuple(rows),
    )


def _turning(begin: int, end: int, newest: int) -> tuple[Button, ...]:
    return (
        Button("First", "log", f"first-{LINES}", disabled=begin == 0),
        Button("Older", "log", f"older-{begin}", disabled=begin == 0),
        Button("Newer", "log", f"newer-{min(end + LINES, newest)}", disabled=end == newest),
        Button("Newest", "log", "newest", disabled=end == newest),
    )


def turned(arg: str) -> int | None:
    """Return the last move of the page that a button of a log asks for; None is the newest."""
    number = arg.rpartition("-")[2]
    return int(number) if number.isascii() and number.isdigit() else None


def page_ending(newest: int, page: int) -> str:
    """Return what a button would ask for to turn to a page, counted from the newest one, which is 1.

    Raises:
        IllegalMove: there is no such page.
    """
    pages = max(1, -(-newest // LINES))
    if page > pages:
        raise IllegalMove(f"The log has {pages} page{'' if pages == 1 else 's'}; 1 is the newest.")
    return f"page-{newest - (page - 1) * LINES}"


def _targets(log: Sequence[Line], earliest: int, begin: int, end: int) -> tuple[Choice, ...]:
    """Return the moves of a page to which the table can be taken back, newest first; 0 is the deal."""
    stand = [line for line in log if line.stands]
    found = [  # after the last one there is nothing to take back
        Choice(f"After move {line.seq}", str(line.seq), line.plain)
        for line, following in pairwise(stand)
        if following.seq > earliest and begin < line.seq <= end
    ]
    if stand and stand[0].seq > earliest and begin == 0:
        found.insert(0, Choice("Before the first move", "0", "As it was dealt"))
    return tuple(reversed(found))


def later(log: Sequence[Line], seq: int) -> tuple[Line, ...]:
    """Return the moves after a move number that have not been taken back."""
    return tuple(line for line in log if line.seq > seq and line.stands)


def retold(history: Sequence[Recorded], game: AnyGame) -> tuple[Any, ...]:
    """Return the events that a board tells: as everyone heard them, of moves that stand."""
    return tuple(
        event
        for move in standing(history)
        for heard in move.events
        if (event := game.heard_by(heard, None)) is not None
    )
