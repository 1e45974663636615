"""What the host adds to a game's board: that the table is paused, who may come back, what comes after the end."""

from __future__ import annotations

from msgspec.structs import replace

from bot.tables.face import LIMITS, Button, Panel, Row
from bot.tables.layout import escaped
from bot.tables.table import Look, Table

AFTERWARDS: Row = (Button("Rematch", "rematch", style="main"), Button("Log", "log"))
CLOSED = 0x6B7280  # the colour of a table that was ended
PAUSED = "**Paused.** The clock stands still, and nobody moves until somebody at the table resumes."


def dressed(table: Table, panel: Panel) -> Panel:
    """Return a game's board as it stands in the channel; its number tells it from another one there."""
    number = f"-# Table {table.id}."
    if table.stage == "over":
        return replace(panel, notes=_joined(panel.notes, number), rows=(AFTERWARDS,))
    notes, buttons = [panel.notes], []
    if table.paused_at is not None:
        notes.insert(0, PAUSED)
        buttons.append(Button("Resume", "resume", style="good"))
    away = [escaped(seat.name) for seat in table.automata if seat.user is not None and not seat.forgotten]
    if away:
        notes.append(f"-# An automaton plays for {', '.join(away)}, who may come back at any time.")
        buttons.append(Button("Take my seat back", "return_seat"))
    rows = (tuple(buttons), *panel.rows) if buttons else panel.rows
    return replace(panel, notes=_joined(*notes, number), rows=rows[: LIMITS["rows"]])


def closed(look: Look, panel: Panel) -> Panel:
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
