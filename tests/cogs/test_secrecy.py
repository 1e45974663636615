"""Who sees what: states that a viewer cannot tell apart are shown to that viewer alike, byte for byte.

Pictures, alt texts, panels and sentences, on the boards and in the hands, at every phase of seeded games.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from bot.games.chance import Chance
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import Contribute, Contributed, Drew, Options, State
from bot.games.laws import indistinct
from bot.simulate import Automata
from bot.store.rows import Seat
from bot.tables.chronicle import LINES, lines, log_panel
from bot.tables.face import Panel, Shown
from bot.tables.table import Recorded, Table
from cogs.defenders import DefendersFace, alts
from tests.words.frozen import frozen

FACE = DefendersFace()
EVERY = 3  # moves between two looks


def looks(seats: int, seed: bytes, **options: Any) -> Iterator[tuple[State, tuple[Any, ...]]]:
    """Yield states of a game of automata with the events that led there, every few moves and at the end."""
    table = Automata(DEFENDERS, Options(**options), seats=seats, seed=seed, skill=1, lexicon=frozen())
    told: list[Any] = []
    for step in table:
        told += step.events
        if step.seq % EVERY == 0 or DEFENDERS.result(step.state) is not None:
            yield step.state, tuple(told[-20:])


def shown(seats: int) -> Shown:
    return Shown(1, tuple(f"Player {seat}" for seat in range(seats)), (True,) * seats, 1_800_000_000)


def bytes_of(panel: Panel) -> bytes:
    picture = panel.picture
    assert picture is not None
    return panel.fingerprint() + picture.alt.encode() + picture.draw()


@pytest.mark.parametrize(
    ("seats", "referee"), [(1, "printed"), (2, "guarded"), (3, "printed"), (4, "printed")]
)
def test_what_cannot_be_told_apart_looks_alike(seats: int, referee: str) -> None:
    around = shown(seats)
    compared = 0
    for state, events in looks(seats, b"secrecy", referee=referee):
        for seat in (None, *range(seats)):
            heard = tuple(DEFENDERS.heard_by(event, seat) for event in events)
            view = DEFENDERS.seen_by(state, seat)
            real = FACE.board(view, around, heard) if seat is None else FACE.hand(view, around)
            for other in indistinct(DEFENDERS, state, seat, Chance(b"imagine", compared, "imagine"), 2):
                seen = DEFENDERS.seen_by(other, seat)
                imagined = FACE.board(seen, around, heard) if seat is None else FACE.hand(seen, around)
                assert bytes_of(imagined) == bytes_of(real)
                compared += 1
    assert compared > 20


def test_no_sentence_for_everyone_names_a_letter_that_only_one_seat_knows() -> None:
    """What is drawn or sealed is told to its seat alone; to the others only that it happened."""
    for _, events in looks(3, b"sentences"):
        for event in events:
            for seat in (None, 0, 1, 2):
                heard = DEFENDERS.heard_by(event, seat)
                if (
                    getattr(event, "seat", seat) != seat
                    and hasattr(event, "letters")
                    and hasattr(event, "seat")
                ):
                    assert heard is None or heard.letters is None


def test_every_alt_text_fits_discord_and_tells_what_the_picture_shows() -> None:
    around = shown(4)
    for state, _ in looks(4, b"alt"):
        view = DEFENDERS.seen_by(state, None)
        alt = alts.board(view, around.names)
        assert len(alt) <= 1024
        assert f"{view.public.vp} of {view.public.goal.vp} VP" in alt
        for tile in view.public.storage:
            assert ("wildcard" if tile.letter == "*" else tile.letter) in alt


def test_every_panel_keeps_discords_limits() -> None:
    around = shown(4)
    for state, events in looks(4, b"limits"):
        view = DEFENDERS.seen_by(state, None)
        panel = FACE.board(view, around, [DEFENDERS.heard_by(event, None) for event in events])
        text = len(panel.title) + len(panel.text) + len(panel.notes)
        assert text < 4000
        assert len(panel.rows) <= 5
        assert all(len(row) <= 5 for row in panel.rows if isinstance(row, tuple))


SEATS = tuple(Seat(seat, 100 + seat, f"Player {seat}", None, 0) for seat in range(3))


def history(seed: bytes) -> list[Recorded]:
    """Return the log of a game of three, as if people had played it."""
    table = Automata(DEFENDERS, Options(), seats=3, seed=seed, skill=1, lexicon=frozen())
    return [
        Recorded(
            step.seq,
            step.seat,
            None if step.seat is None else 100 + step.seat,
            step.at,
            step.move,
            step.events,
            None,
        )
        for step in table
    ]


def pages(log: list[Recorded], viewer: int | None) -> list[bytes]:
    """Return every page of a log as its viewer gets it, with the menu for going back."""
    told = lines(log, DEFENDERS, FACE, SEATS, viewer)
    here = Table(
        id=1, game=DEFENDERS, stage="live", guild=1, channel=2, thread=None, opener=100, options=Options(),
        seats=SEATS, seq=len(log), revision=1, opened=1, lost=0, paused_at=None, due=None, created=0, ended=None,
        result=None, acted=0, follows=None,
    )  # fmt: skip
    return [
        log_panel(here, told, last=last, earliest=0).fingerprint()
        for last in range(LINES, len(log) + LINES, LINES)
    ]


def scrambled(event: Any, viewer: int | None) -> Any:
    """Return the event with other letters where another seat's are hidden from the viewer."""
    if isinstance(event, Contributed | Drew) and event.seat != viewer:
        return msgspec.structs.replace(event, letters=tuple("Q" for _ in event.letters or ()))
    return event


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_log_is_byte_for_byte_the_same_whatever_others_hold(viewer: int | None) -> None:
    real = history(b"chronicle")
    other = [
        msgspec.structs.replace(
            move,
            events=tuple(scrambled(event, viewer) for event in move.events),
            move=Contribute(("Q",))
            if isinstance(move.move, Contribute) and move.seat != viewer
            else move.move,
        )
        for move in real
    ]
    assert sum(mine != theirs for mine, theirs in zip(real, other, strict=True)) > 10
    assert pages(real, viewer) == pages(other, viewer)


def test_a_log_tells_ones_own_letters() -> None:
    real = history(b"chronicle")
    assert pages(real, 0) != pages(real, None)


def test_every_page_of_a_log_keeps_discords_limits() -> None:
    log = history(b"chronicle")
    told = lines(log, DEFENDERS, FACE, SEATS, 0)
    assert len("\n".join(map(str, sorted(told, key=lambda line: -len(line.text))[:LINES]))) < 3500
