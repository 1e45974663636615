"""The lobby: who sits, who may still sit, what will be played."""

from __future__ import annotations

from bot.tables.face import Button, Choice, Face, Menu, Panel, Row
from bot.tables.layout import escaped
from bot.tables.table import Table

SKILLS = ("Easygoing", "Steady", "Sharp")


def skill_name(skill: int) -> str:
    """Return the name of an automaton's skill."""
    return SKILLS[skill]


def lobby_panel(table: Table, face: Face) -> Panel:
    """Return the lobby as everyone sees it; one that was closed has no buttons."""
    possible = table.game.seats(table.options)
    seats = "\n".join(
        f"{number}. {escaped(seat.name)}"
        + ("" if seat.skill is None else f" · {skill_name(seat.skill).lower()}")
        for number, seat in enumerate(table.seats, 1)
    )
    if table.stage == "over":
        closed = f"Nobody started this game, so the lobby was closed. Open a new one with `/play {table.game.key}`."
        return Panel(table.game.title, closed, colour=0x6B7280)
    free = possible.stop - 1 - len(table.seats)
    places = f"{free} {'seat' if free == 1 else 'seats'} free." if free else "Every seat is taken."
    rows: list[Row] = [
        (
            *((Button("Join", "join", style="main"),) if free else ()),
            Button("Leave", "leave"),
            Button("Start", "start", style="good", disabled=len(table.seats) not in possible),
            Button("Options", "options"),
            Button("Rules", "rules"),
        )
    ]
    if free:
        rows.append(
            Menu(
                "automaton",
                "Seat an automaton",
                tuple(
                    Choice(name, str(skill), description)
                    for skill, (name, description) in enumerate(
                        zip(
                            SKILLS,
                            (
                                "Plays short, common words",
                                "Plays common words well",
                                "Knows the whole dictionary",
                            ),
                            strict=True,
                        )
                    )
                ),
            )
        )
    if table.automata:
        rows.append((Button("Take an automaton away", "unseat"),))
    return Panel(
        title=f"{table.game.title}: {'a table opens' if table.follows is None else 'a rematch'}",
        text=f"{face.summary(table.options)}\n\n**Seats**\n{seats}\n-# {places} Table {table.id}.",
        rows=tuple(rows),
    )


def options_panel(table: Table, face: Face) -> Panel:
    """Return the lobby's menus for one person."""
    return Panel(
        f"{table.game.title}: options", face.summary(table.options), rows=face.settings(table.options)
    )
