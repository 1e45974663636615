"""Who sees what: states that a viewer cannot tell apart are shown to that viewer alike, byte for byte.

Pictures, alt texts, panels and sentences, on the boards and in the hands, at every phase of seeded games.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.games.chance import Chance
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import Options, State
from bot.games.laws import indistinct
from bot.simulate import Automata
from bot.tables.face import Panel, Shown
from cogs.defenders import DefendersFace
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
        alt = FACE.alt(view, around.names)
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
