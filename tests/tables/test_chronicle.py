"""The log as text: what a line says, which moves stand, to which a table can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.game import IllegalMove
from bot.store.rows import Seat
from bot.tables.chronicle import (
    LINES,
    LONGEST,
    Line,
    later,
    lines,
    log_panel,
    page_ending,
    played,
    retold,
    standing,
    turned,
)
from bot.tables.face import Button, Menu, Panel
from bot.tables.table import Recorded, Table
from tests.games.toy import TOY, Seal, Sealed

SEATS = (Seat(0, 10, "Ada_", None, 0), Seat(1, 11, "Ben", None, 0))


class Terse:
    """A face that says of an event that it happened, and for whom it is."""

    def __init__(self, said: str | None = "{name} seals {card}.") -> None:
        self.said = said

    def record(self, event: Any, names: Any) -> str | None:
        return None if self.said is None else self.said.format(name=names[event.seat], card=event.card)


def move(seq: int, seat: int | None = 0, *, by: int | None = None, undone: int | None = None) -> Recorded:
    events = () if undone is not None or seat is None else (Sealed(seat, "C"),)
    user = by if by is not None else (None if seat is None else SEATS[seat].user)
    return Recorded(
        seq, seat, user, seq * 1000, None if seat is None or undone else Seal("C"), events, undone
    )


def told(
    *history: Recorded, viewer: int | None = None, face: Any = None, seats: Any = SEATS
) -> tuple[Line, ...]:
    return lines(history, TOY, face or Terse(), seats, viewer)


def table(seq: int, stage: Any = "live") -> Table:
    return Table(
        id=7, game=TOY, stage=stage, guild=1, channel=2, thread=None, opener=10, options=None, seats=SEATS, seq=seq,
        revision=1, opened=1, lost=0, paused_at=None, due=None, created=0, ended=None, result=None, acted=0,
        follows=None,
    )  # fmt: skip


def targets(panel: Panel) -> list[str]:
    menus = [row for row in panel.rows if isinstance(row, Menu)]
    return [choice.value for menu in menus for choice in menu.choices]


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (0, "0:00"),
        (185_000, "3:05"),
        (3_599_999, "59:59"),
        (7_500_000, "2 h 05 min"),
        (86_400_000, "1 d 0 h"),
        (273_600_000, "3 d 4 h"),
    ],
)
def test_table_time_is_told_as_people_say_it(at: int, said: str) -> None:
    assert played(at) == said


def test_a_line_tells_what_its_reader_heard() -> None:
    mine, theirs = told(move(1), viewer=0)[0], told(move(1), viewer=1)[0]
    assert str(mine) == "**1** · 0:01 · Ada\\_ seals C."
    assert "C." not in theirs.text


def test_a_line_names_its_mover_when_the_sentence_does_not() -> None:
    (line,) = told(move(1), face=Terse("It is sealed."))
    assert line.text == "Ada\\_: It is sealed."


def test_moves_of_the_clock_and_moves_without_words_have_a_line_too() -> None:
    assert told(move(1, None))[0].text == "The clock: Nothing to be told."
    assert told(move(1), face=Terse(None))[0].text == "Ada\\_: Nothing to be told."


def test_an_automaton_that_stood_in_is_called_one() -> None:
    stood_in = Recorded(1, 0, None, 0, Seal("C"), (Sealed(0, "C"),), None)
    assert told(stood_in)[0].text.startswith("Ada\\_ (automaton) seals")


def test_who_had_their_data_deleted_is_called_no_automaton() -> None:
    forgotten = (Seat(0, -1, "Player 1", None, 0), SEATS[1])
    nameless = Recorded(1, 0, None, 0, Seal("C"), (Sealed(0, "C"),), None)
    assert told(nameless, seats=forgotten)[0].text == "Player 1 seals None."


def test_what_was_taken_back_is_struck_through_and_says_by_whom() -> None:
    log = told(move(1), move(2, 1), move(3, 1, by=11, undone=2), Recorded(4, 0, None, 0, None, (), 1))
    assert str(log[1]).startswith("~~**2**")
    assert str(log[1]).endswith("~~ taken back by Ben")
    assert log[2].text == "Move 2 is taken back by Ben."
    assert log[3].text == "Move 1 is taken back by agreement."
    assert [line.seq for line in log if line.stands] == []


@pytest.mark.parametrize("forgotten", [Seat(0, -1, "Player 1", None, 0), Seat(0, None, "Player 1", 1, 0)])
def test_who_took_back_what_somebody_forgotten_may_have_taken_back_is_not_guessed(forgotten: Seat) -> None:
    undone = Recorded(2, 0, None, 0, None, (), 1)
    log = told(move(1), undone, move(3, 1), move(4, 1, by=11, undone=3), seats=(forgotten, SEATS[1]))
    assert str(log[0]).endswith("~~ taken back")
    assert log[1].text == "Move 1 is taken back."
    assert log[3].text == "Move 3 is taken back by Ben."
    assert [line.seq for line in log if line.stands] == []


def test_moves_that_stand_are_those_that_nobody_took_back() -> None:
    history = (move(1), move(2, 1), move(3, 1, undone=2), move(4, 1))
    assert [found.seq for found in standing(history)] == [1, 4]
    assert [event.seat for event in retold(history, TOY)] == [0, 1]
    assert [line.seq for line in later(told(*history), 1)] == [4]


def test_a_long_sentence_is_cut() -> None:
    (line,) = told(move(1), face=Terse("x" * 900))
    assert len(line.text) == LONGEST


def test_pages_turn_without_overlap_and_end_where_the_log_does() -> None:
    log = told(*(move(seq) for seq in range(1, 2 * LINES + 4)))
    newest = log_panel(table(len(log)), log)
    assert f"Moves {LINES + 4} to {2 * LINES + 3} of {2 * LINES + 3}" in newest.notes
    turning = {button.label: button for row in newest.rows for button in row if isinstance(button, Button)}
    assert turning["Newer"].disabled
    assert turning["Newest"].disabled
    seen = [newest]
    while not turning["Older"].disabled:
        seen.append(log_panel(table(len(log)), log, last=turned(turning["Older"].arg)))
        turning = {b.label: b for row in seen[-1].rows for b in row if isinstance(b, Button)}
    read = [line for page in reversed(seen) for line in page.text.splitlines()]
    assert read == list(map(str, log))
    first = log_panel(table(len(log)), log, last=turned(turning["First"].arg))
    assert first.text.splitlines()[0] == str(log[0])
    assert log_panel(table(len(log)), log, last=turned(turning["Newest"].arg)) == newest


def test_the_buttons_of_a_page_are_never_two_with_one_address() -> None:
    log = told(*(move(seq) for seq in range(1, 4 * LINES)))
    for last in range(1, len(log) + 1):
        rows = log_panel(table(len(log)), log, last=last).rows
        addresses = [
            (button.verb, button.arg) for row in rows for button in row if isinstance(button, Button)
        ]
        assert len(set(addresses)) == len(addresses)


def test_a_page_is_counted_from_the_newest() -> None:
    assert turned(page_ending(2 * LINES + 3, 1)) == 2 * LINES + 3
    assert turned(page_ending(2 * LINES + 3, 3)) == 3
    assert page_ending(0, 1)
    with pytest.raises(IllegalMove, match="3 pages"):
        page_ending(2 * LINES + 3, 4)


def test_the_menu_offers_what_can_be_gone_back_to() -> None:
    log = told(move(1), move(2, 1), move(3, 1, undone=2), move(4, 1), move(5))
    assert targets(log_panel(table(5), log, earliest=0)) == ["4", "1", "0"]
    assert targets(log_panel(table(5), log, earliest=2)) == ["4", "1"]
    assert targets(log_panel(table(5), log, earliest=4)) == ["4"]
    assert targets(log_panel(table(5), log, earliest=5)) == []
    assert targets(log_panel(table(5), log)) == []


def test_a_menus_lines_are_plain_text() -> None:
    log = told(move(1), move(2), face=Terse("**{name}** ~~lays~~ 3."))
    menu = next(row for row in log_panel(table(2), log, earliest=0).rows if isinstance(row, Menu))
    assert menu.choices[0].description == "Ada_ lays 3."


def test_the_file_is_offered_once_the_table_is_over() -> None:
    log = told(move(1))
    verbs = [
        button.verb
        for stage in ("live", "over")
        for row in log_panel(table(1, stage), log).rows
        for button in row
        if isinstance(button, Button)
    ]
    assert verbs == ["log_file"]
