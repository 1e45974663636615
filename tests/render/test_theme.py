from __future__ import annotations

from itertools import combinations

import pytest

from render import theme
from render.canvas import CAP_HEIGHT, Colour
from render.defenders import look
from render.defenders.layout import TALL, WIDE, Layout
from render.sprites import LETTER, VALUE

PHONE = 400  # px, the width at which a picture must still be legible
READABLE = 4.5  # WCAG AA for text
VISIBLE = 3.0  # WCAG AA for large text and for shapes

TEXTS: list[tuple[str, Colour, Colour]] = [
    ("text on a panel", theme.TEXT, theme.PANEL),
    ("quiet text on a panel", theme.MUTED, theme.PANEL),
    ("text on the ground", theme.TEXT, theme.GROUND),
    ("coordinates", theme.MUTED, theme.GROUND),
    ("the phase", theme.GOLD, theme.PANEL),
    ("success", theme.TEXT, theme.GOOD),
    ("failure", theme.TEXT, theme.BAD),
    ("a POI", theme.WHITE, look.POI),
    ("a POI gone by", look.LAPSED_INK, look.LAPSED),
    *((f"tile {number}", style.ink, style.face) for number, style in enumerate(theme.TILES)),
    *((f"seat {number}", seat.ink, seat.colour) for number, seat in enumerate(theme.SEATS)),
    ("a proposed letter by day", theme.INK, look.DAY.ghost),
    ("a proposed letter by night", theme.INK, look.NIGHT.ghost),
]


@pytest.mark.parametrize(("what", "ink", "ground"), TEXTS, ids=[what for what, _, _ in TEXTS])
def test_text_stands_out_from_its_ground(what: str, ink: Colour, ground: Colour) -> None:
    limit = VISIBLE if what == "a POI gone by" else READABLE
    assert theme.contrast(ink, ground) >= limit


@pytest.mark.parametrize("seat", theme.SEATS, ids=lambda seat: seat.shape)
def test_a_player_s_colour_stands_out_from_a_panel(seat: theme.SeatStyle) -> None:
    assert theme.contrast(seat.colour, theme.PANEL) >= VISIBLE


def test_a_tile_stands_out_from_streets_by_its_face_or_its_rim() -> None:
    for tint in (look.DAY, look.NIGHT):
        for style in theme.TILES:
            best = max(theme.contrast(style.face, tint.street), theme.contrast(style.edge, tint.street))
            assert best >= 1.6, (style, tint.street)


def test_each_player_has_a_shape_of_one_s_own() -> None:
    assert len({seat.shape for seat in theme.SEATS}) == len(theme.SEATS)


# Viénot, Brettel and Mollon 1999, on linear light: what a dichromat's eye makes of a colour
DICHROMATS = {
    "protan": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deutan": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
}


def seen(colour: Colour, eye: str) -> tuple[float, ...]:
    linear = [(part / 255) ** 2.2 for part in colour]
    mixed = [sum(share * part for share, part in zip(row, linear, strict=True)) for row in DICHROMATS[eye]]
    return tuple(255 * max(0.0, part) ** (1 / 2.2) for part in mixed)


@pytest.mark.parametrize("eye", list(DICHROMATS))
def test_player_colours_keep_apart_for_the_colour_blind(eye: str) -> None:
    for first, second in combinations(theme.SEATS, 2):
        a, b = seen(first.colour, eye), seen(second.colour, eye)
        assert sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5 > 35, (first.shape, second.shape)


@pytest.mark.parametrize("place", [WIDE, TALL], ids=["wide", "tall"])
def test_letters_are_legible_on_a_phone(place: Layout) -> None:
    scale = PHONE / place.width
    tile = place.cell - 4
    assert tile * LETTER * CAP_HEIGHT * scale >= 10
    assert tile * VALUE * CAP_HEIGHT * scale >= 4.9
    assert look.TITLE * CAP_HEIGHT * scale >= 5.8


@pytest.mark.parametrize("place", [WIDE, TALL], ids=["wide", "tall"])
def test_panels_and_maps_lie_in_the_picture_and_apart(place: Layout) -> None:
    boxes = [place.city, place.round, place.points, place.places, place.villain, place.team, place.storage]
    assert max(place.width, place.height) == 1200
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= place.width
        assert 0 <= top < bottom <= place.height
    for (left, top, right, bottom), other in combinations(boxes, 2):
        assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
