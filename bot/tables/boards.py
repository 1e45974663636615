"""A game's board and hands as the host shows them.

What the host adds: that the table is paused or was ended, that an automaton plays for somebody, who may come back, what
comes after the end. Nobody shows a panel of ``Face.board`` or ``Face.hand`` without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from bot.store.rows import Seat
from bot.tables.face import LIMITS, STANDS_IN, Button, Face, Panel, Row, Shown
from bot.tables.layout import escaped
from bot.tables.ledger import CUT_OFF
from bot.tables.table import Look, Table

AFTERWARDS: Row = (Button("Rematch", "rematch", style="main"), Button("Log", "log"))
CLOSED = 0x6B7280  # the colour of a table that was ended
PAUSED = "**Paused.** The clock stands still, and nobody moves until somebody at the table resumes."
AWAY = "An automaton plays for you. You may take your seat back at any time."
RESUME = Button("Resume", "resume", style="good")


def shown_of(table: Table) -> Shown:
    """Return what a face is told about a table; names are escaped."""
    return Shown(
        table.id,
        tuple(_name(seat) for seat in table.seats),
        tuple(seat.person for seat in table.seats),
        None if table.due is None or table.paused_at is not None else table.due // 1000,
        table.paused_at is not None,
        table.place,
    )


def _name(seat: Seat) -> str:
    """Return who sits there; an automaton that stands in for a person says so."""
    stands_in = not seat.person and seat.user is not None
    return escaped(seat.name) + (STANDS_IN if stands_in else "")


def board_of(face: Face, look: Look, told: Sequence[Any]) -> Panel:
    """Return the board as everybody sees it; its number tells it from another one there. ``told``: see ``Face.board``."""
    table = look.table
    panel = _unless_ended(look, face.board(look.view, shown_of(table), told))
    number = f"-# Table {table.id}."
    if table.stage == "over":
        return replace(panel, notes=_joined(panel.notes, number), rows=(AFTERWARDS,))
    notes = [panel.notes]
    buttons: list[Button] = []
    if table.paused_at is not None:
        notes.insert(0, CUT_OFF if table.cut_off else PAUSED)
        buttons += [] if table.cut_off else [RESUME]
    away = [escaped(seat.name) for seat in table.automata if seat.user is not None and not seat.forgotten]
    if away:
        notes.append(f"-# An automaton plays for {', '.join(away)}, who may come back at any time.")
        buttons.append(Button("Take my seat back", "return_seat"))
    rows = (tuple(buttons), *panel.rows) if buttons else panel.rows
    return replace(panel, notes=_joined(*notes, number), rows=rows[: LIMITS["rows"]])


def hand_of(face: Face, look: Look) -> Panel:
    """Return the private panel of a seat, where it follows the game."""
    return dressed_hand(look, face.hand(look.view, shown_of(look.table)))


def still_hand_of(face: Face, look: Look) -> Panel:
    """Return the private panel of a seat, where it stays as it is until it is asked for again."""
    return dressed_hand(look, face.hand(look.view, replace(shown_of(look.table), still=True)))


def dressed_hand(look: Look, panel: Panel) -> Panel:
    """Return a seat's private panel, as its face made it, the way it stands at the table now."""
    table = look.table
    if table.stage != "live" or look.seat is None:
        return _unless_ended(look, panel)
    if not table.seats[look.seat].person:
        back: Row = (Button("Take my seat back", "return_seat", style="main"),)
        return replace(panel, notes=_joined(AWAY, panel.notes), rows=(back,))
    if table.paused_at is not None:
        if table.cut_off:
            return replace(panel, notes=_joined(CUT_OFF, panel.notes))
        rows = ((RESUME,), *panel.rows)[: LIMITS["rows"]]
        return replace(panel, notes=_joined(PAUSED, panel.notes), rows=rows)
    return panel


def _unless_ended(look: Look, panel: Panel) -> Panel:
    """Return a game's panel, or, of a table that was ended before its time, that it was: nothing is waited for there."""
    table = look.table
    if table.stage != "over" or look.played_out:
        return panel
    text = "The table was closed; nothing is recorded."
    if table.result is not None:
        text = "The players ended the table."
        if table.result.won is False:
            text += " That counts as a defeat."
    return replace(panel, text=text, notes="", rows=(), colour=CLOSED)


def _joined(*notes: str) -> str:
    return "\n".join(note for note in notes if note)
