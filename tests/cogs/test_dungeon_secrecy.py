"""Who sees what of a dungeon: races that a viewer cannot tell apart are shown to that viewer alike, byte for byte.

Boards, hands, alt texts, sentences, logs and notices of seeded games, and the way of a solo that is shared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from bot.games.chance import Chance
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import Hinted, Options, Place, Placed, State, TookBack, View
from bot.games.laws import indistinct
from bot.simulate import Automata
from bot.store.rows import Seat
from bot.tables.chronicle import LINES, lines, log_panel
from bot.tables.face import Panel, Shown
from bot.tables.table import Recorded, Table
from cogs.dungeon import DungeonFace
from cogs.dungeon.panels import shared_panel
from tests.words.frozen import frozen

FACE = DungeonFace()
NAMES = ("Ada", "Ben", "Cleo")


def games(seats: int, **options: Any) -> Iterator[tuple[State, tuple[Any, ...]]]:
    """Yield every state of a game of automata with the events that led there."""
    chosen = Options(**{"dungeon": "cellar-steps", **options})
    table = Automata(DUNGEON, chosen, seats=seats, seed=b"secrecy", skill=1, lexicon=frozen())
    yield table.state, ()
    told: list[Any] = []
    for step in table:
        told += step.events
        yield step.state, tuple(told[-20:])


def shown(seats: int) -> Shown:
    return Shown(1, NAMES[:seats], (True,) * seats, 1_800_000_000)


def bytes_of(panel: Panel) -> bytes:
    picture = panel.picture
    assert picture is not None
    return panel.fingerprint() + picture.alt.encode() + picture.draw()


@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, {}), (3, {"minutes": 3}), (3, {"dungeon": "monster-den"}), (1, {}), (2, {"mode": "party"})],
)
def test_what_cannot_be_told_apart_looks_alike(seats: int, options: dict[str, Any]) -> None:
    around, compared = shown(seats), 0
    for state, events in games(seats, **options):
        for seat in (None, *range(seats)):
            heard = tuple(DUNGEON.heard_by(event, seat) for event in events)
            real = looks(DUNGEON.seen_by(state, seat), around, heard)
            for other in indistinct(DUNGEON, state, seat, Chance(b"imagine", compared, "imagine"), 1):
                assert looks(DUNGEON.seen_by(other, seat), around, heard) == real
                compared += 1
    assert compared > 5


def looks(view: View, around: Shown, heard: tuple[Any, ...]) -> bytes:
    """Return all that is made of a view: the board, whose notes are what notices quote, or the hand."""
    return bytes_of(FACE.board(view, around, heard) if view.seat is None else FACE.hand(view, around))


def words_of(state: State) -> set[str]:
    return {place.word for run in state.runs for place in run.places}


@pytest.mark.parametrize("seats", [1, 3])
def test_no_word_of_a_run_is_said_to_everyone_before_the_end(seats: int) -> None:
    """Solo and race; what a dungeon's own text says is left out: its words are not those laid."""
    around, checked = shown(seats), 0
    for state, events in games(seats):
        if state.public.over:
            continue
        heard = tuple(DUNGEON.heard_by(event, None) for event in events)
        board = FACE.board(DUNGEON.seen_by(state, None), around, heard)
        assert board.picture is not None
        said = " ".join((board.title, board.text, board.notes, board.picture.alt))
        for word in words_of(state):
            assert not re.search(rf"\b{word}\b", said), word
            checked += 1
    assert checked >= 3


def test_a_shared_way_depends_on_no_letter() -> None:
    *_, (state, _) = games(1)
    view = DUNGEON.seen_by(state, 0)
    assert view.run is not None
    assert state.public.over
    panel = shared_panel(view, shown(1))
    assert panel.picture is not None
    said = " ".join((panel.title, panel.text, panel.notes, panel.picture.alt))
    assert not any(re.search(rf"\b{word}\b", said) for word in words_of(state))


SEATS = tuple(Seat(seat, 100 + seat, name, None, 0) for seat, name in enumerate(NAMES))


def history() -> list[Recorded]:
    """Return the log of a race of three before its end, as if people had played it."""
    table = Automata(
        DUNGEON, Options(dungeon="cellar-steps"), seats=3, seed=b"log", skill=1, lexicon=frozen()
    )
    told = [
        Recorded(step.seq, step.seat, 100 + (step.seat or 0), step.at, step.move, step.events, None)
        for step in table
    ]
    return told[:-1]


def pages(log: list[Recorded], viewer: int | None) -> list[bytes]:
    told = lines(log, DUNGEON, FACE, SEATS, viewer)
    here = Table(
        id=1, game=DUNGEON, stage="live", guild=1, channel=2, thread=None, opener=100, options=Options(),
        seats=SEATS, seq=len(log), revision=1, opened=1, lost=0, paused_at=None, due=None, created=0, ended=None,
        result=None, acted=0, follows=None,
    )  # fmt: skip
    return [
        log_panel(here, told, last=last, earliest=0).fingerprint()
        for last in range(LINES, len(log) + LINES, LINES)
    ]


def scrambled(event: Any, viewer: int | None) -> Any:
    """Return the event with another word where another seat's is hidden from the viewer."""
    if event.seat == viewer:
        return event
    other = Place("QQ", 0, 0, True)
    if isinstance(event, Placed) and event.deeds is not None:
        return msgspec.structs.replace(
            event, deeds=msgspec.structs.replace(event.deeds, place=other, words=("QQ",))
        )
    return msgspec.structs.replace(event, place=other)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_log_is_byte_for_byte_the_same_whatever_others_lay(viewer: int | None) -> None:
    real = history()
    other = [
        msgspec.structs.replace(
            move,
            events=tuple(
                scrambled(event, viewer) if isinstance(event, Placed | TookBack | Hinted) else event
                for event in move.events
            ),
            move=Place("QQ", 0, 0, True)
            if isinstance(move.move, Place) and move.seat != viewer
            else move.move,
        )
        for move in real
    ]
    assert sum(mine != theirs for mine, theirs in zip(real, other, strict=True)) > 3
    assert pages(real, viewer) == pages(other, viewer)


def test_a_log_tells_ones_own_words() -> None:
    assert pages(history(), 0) != pages(history(), None)


def test_every_panel_keeps_discords_limits() -> None:
    for seats, options in ((1, {}), (3, {"dungeon": "monster-den"}), (3, {"mode": "party"})):
        for state, events in games(seats, **options):
            for seat in (None, *range(seats)):
                heard = tuple(DUNGEON.heard_by(event, seat) for event in events)
                view = DUNGEON.seen_by(state, seat)
                panel = (
                    FACE.board(view, shown(seats), heard) if seat is None else FACE.hand(view, shown(seats))
                )
                assert len(panel.title) + len(panel.text) + len(panel.notes) < 4000
                assert len(panel.rows) <= 5
                assert all(len(row) <= 5 for row in panel.rows if isinstance(row, tuple))
                assert panel.picture is not None
                assert len(panel.picture.alt) <= 1024
