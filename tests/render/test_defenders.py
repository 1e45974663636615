from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import ImageChops

from bot.games.defenders.state import (
    VILLAIN,
    Concede,
    Ended,
    Goal,
    Laid,
    NoWord,
    Play,
    Poi,
    Proposal,
    Reason,
    Recast,
    Tile,
    View,
)
from render import theme
from render.bench import largest, plain_board
from render.canvas import Canvas
from render.defenders import board, look, rack
from render.defenders.layout import TALL, WIDE, layout
from render.defenders.table import _ground
from tests.render.scenes import NAMES, colours, picture, public, view

EDGES = ("north", "east", "south", "west")
SIDES = ("day", "night")
PHASES = ("contribute", "word", "discard", "verify", "over")
WON = Ended(True, "success", 64, 4, 19)


def drawn(seat: int | None = None, **changes: Any) -> bytes:
    return board(view(public(**changes), seat), NAMES)


# What kind of picture it is


@pytest.mark.parametrize("edge", EDGES)
def test_the_board_is_a_palette_png_of_1200_px(edge: Any) -> None:
    image = picture(drawn(edge=edge))
    assert image.format == "PNG"
    assert image.mode == "P"
    assert max(image.size) == 1200
    assert (image.width > image.height) == (edge in ("east", "west"))


@pytest.mark.parametrize("edge", ["east", "north"])
def test_the_largest_board_is_no_more_than_60_kb(edge: Any) -> None:
    assert len(board(largest(edge), NAMES)) <= 60_000


@pytest.mark.parametrize("edge", ["east", "north"])
def test_the_plain_drawing_shows_the_same_picture(edge: Any) -> None:
    table = largest(edge)
    fast = picture(board(table, NAMES)).convert("RGB")
    slow = picture(plain_board(table, NAMES)).convert("RGB")
    assert fast.size == slow.size
    red, green, blue = ImageChops.difference(fast, slow).split()
    apart = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    assert sum(apart[:24]) / sum(apart) > 0.97


# Equal views, equal bytes


def test_equal_views_are_equal_bytes_whatever_was_drawn_in_between() -> None:
    first = drawn()
    drawn(edge="north", seats=4, phase="contribute", vp=3)
    rack(view(public(), 1), NAMES)
    _ground.cache_clear()
    look.PALETTE.sprites.clear()
    assert drawn() == first


def test_the_board_is_the_same_for_every_viewer() -> None:
    table = public()
    everyone = board(view(table), NAMES)
    for seat in range(3):
        assert board(view(table, seat, mine=("Q",)), NAMES) == everyone


@pytest.mark.parametrize(
    "secret",
    [
        {"unseen": (("Z",), ("Q",), ("X",))},
        {"villain_unseen": ("Z",)},
        {"rack": ("Z", "Z", "Z", "Z", "Z")},
        {"mine": ("Z",)},
        {"rack_sizes": (1, 2, 3)},
    ],
    ids=lambda secret: next(iter(secret)),
)
def test_the_board_shows_nothing_of_what_is_hidden(secret: dict[str, Any]) -> None:
    table = view(public(phase="contribute"), 1, sealed=(True, True, False))
    assert board(replace(table, **secret), NAMES) == board(table, NAMES)


def test_two_threads_draw_the_same_as_one() -> None:
    tables = [
        view(public(edge=edge, seats=seats, round=round_, hq_side=side))
        for edge, seats, round_, side in itertools.product(EDGES, (1, 4), (7, 8), SIDES)
    ]
    alone = [board(table, NAMES) for table in tables]
    _ground.cache_clear()
    look.PALETTE.sprites.clear()
    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(lambda table: board(table, NAMES), tables * 2))
    assert together == alone * 2


# What the board shows


SHOWN: dict[str, dict[str, Any]] = {
    "the round": {"round": 8},
    "the phase": {"phase": "discard"},
    "the phase of checking": {"phase": "verify"},
    "points": {"vp": 35},
    "points beyond the track": {"vp": 135},
    "the goal's points": {"goal": Goal("beginner", 1, 4, 70)},
    "the goal's POI": {"goal": Goal("beginner", 1, 5, 60)},
    "the villain letter": {"villain": "J"},
    "no villain letter": {"villain": None},
    "the villain bag": {"villain_left": 18},
    "contributions": {"contributed": (Tile("R", 0), Tile("W", 1), Tile("E", 2))},
    "who contributed": {"contributed": (Tile("R", 1), Tile("W", 0), Tile("D", 2))},
    "a contribution less": {"contributed": (Tile("R", 0), Tile("W", 1))},
    "storage": {"storage": (Tile("A", 0), Tile("*", 1), Tile("B", 2))},
    "a POI collected": {"collected": (0,)},
    "a POI gone": {"pois": public().pois[1:]},
    "letters on the map": {"laid": public().laid[:-1]},
    "no letters, the start": {"laid": ()},
    "the outcome": {"phase": "over", "ended": WON},
}


@pytest.mark.parametrize("change", list(SHOWN.values()), ids=list(SHOWN))
def test_the_board_shows(change: dict[str, Any]) -> None:
    assert drawn(**change) != drawn()


def test_the_board_shows_each_map_and_side() -> None:
    pictures = {
        drawn(hq_side=hq_side, map=name, map_side=map_side, edge=edge)
        for hq_side, name, map_side, edge in itertools.product(SIDES, EDGES, SIDES, EDGES)
    }
    assert len(pictures) == 64


@pytest.mark.parametrize(("seats", "edge"), list(itertools.product(range(1, 5), ("east", "north"))))
def test_the_board_shows_each_player_s_bag_and_name(seats: int, edge: Any) -> None:
    table = view(public(seats=seats, edge=edge))
    plain = board(table, NAMES)
    for seat in range(seats):
        bags = tuple(size - (seat == other) for other, size in enumerate(table.bag_sizes))
        assert board(replace(table, bag_sizes=bags), NAMES) != plain
        assert (
            board(table, tuple("Eve" if seat == other else name for other, name in enumerate(NAMES))) != plain
        )


@pytest.mark.parametrize("seats", range(1, 5))
def test_the_board_shows_who_has_sealed_but_no_letter(seats: int) -> None:
    table = view(public(seats=seats, phase="contribute", contributed=()))
    pictures = {
        board(replace(table, sealed=sealed), NAMES)
        for sealed in itertools.product((False, True), repeat=seats)
    }
    assert len(pictures) == 2**seats


def test_a_solo_player_s_random_letters_and_their_bag_are_shown() -> None:
    own = (Tile("A", 0), Tile("B", 0))
    table = view(public(seats=1, contributed=own))
    drawn_two = replace(table, public=replace(table.public, contributed=(*own, Tile("Q", 1), Tile("Z", 1))))
    assert board(drawn_two, NAMES) != board(table, NAMES)
    assert board(replace(table, lucky_unseen=("A",) * 28), NAMES) != board(table, NAMES)


def at(table: View, row: int, col: int) -> tuple[int, int, int, int]:
    place = layout(table.public.city)
    x, y = place.square(row, col)
    return x, y, x + place.cell, y + place.cell


def one(laid: Laid, **changes: Any) -> tuple[View, set[tuple[int, ...]]]:
    table = view(public(laid=(laid,), **changes))
    return table, colours(picture(board(table, NAMES)), at(table, laid.row, laid.col))


def test_every_letter_looks_different() -> None:
    pictures = {drawn(laid=(Laid(4, 4, chr(65 + number), False, 0, 5),)) for number in range(26)}
    assert len(pictures) == 26


def test_a_wildcard_a_villain_letter_and_a_new_letter_have_faces_of_their_own() -> None:
    assert theme.PLAIN.face in one(Laid(4, 4, "A", False, 0, 5))[1]
    assert theme.WILD.face in one(Laid(4, 4, "A", True, 0, 5))[1]
    assert theme.VILLAIN.face in one(Laid(4, 4, "A", False, VILLAIN, 5))[1]
    assert theme.FRESH.face in one(Laid(4, 4, "A", False, 0, 7))[1]
    assert theme.GOLD in one(Laid(4, 4, "A", True, 0, 7))[1]
    assert theme.GOLD in one(Laid(4, 4, "A", False, VILLAIN, 7))[1]


def test_the_last_word_still_stands_out_while_the_next_round_has_none() -> None:
    assert theme.FRESH.face in one(Laid(4, 4, "A", False, 0, 6))[1]
    assert theme.FRESH.face not in one(Laid(4, 4, "A", False, 0, 5))[1]


def test_a_letter_covers_the_start() -> None:
    table = view(public(laid=()))
    row, col = table.public.city.start
    assert look.START in colours(picture(board(table, NAMES)), at(table, row, col))
    assert look.START not in one(Laid(row, col, "A", False, 0, 5))[1]


def test_numbered_poi_show_which_may_still_be_collected() -> None:
    pois = (Poi(0, 0, 1), Poi(0, 2, 4), Poi(0, 6, 6))
    table = view(public(numbered=True, pois=pois, collected=(2, 3)))
    image = picture(board(table, NAMES))
    lapsed, ahead, later = (colours(image, at(table, poi.row, poi.col)) for poi in pois)
    assert look.LAPSED in lapsed
    assert look.POI not in lapsed
    assert look.POI in ahead & later
    assert look.POI_LATER in later - ahead


def test_a_proposed_word_is_drawn_as_ghosts_where_letters_are_new() -> None:
    row, col = public().city.start
    table = view(public())
    play = Play("CARDSHARP", row, col - 2, across=True, wild=(7,))
    proposed = replace(table, public=replace(table.public, proposal=Proposal(1, play, 0)))
    before, after = picture(board(table, NAMES)), picture(board(proposed, NAMES))
    for step in range(9):
        box = at(table, row, col - 2 + step)
        assert (colours(after, box) != colours(before, box)) == (step >= 5)
    ghost = {look.DAY.ghost, look.NIGHT.ghost}
    assert all(ghost & colours(after, at(table, row, col - 2 + step)) for step in range(5, 9))


def test_a_proposal_shows_its_wildcards_and_whose_it_is() -> None:
    play = Play("RAN", 6, 4, across=False)
    pictures = {
        drawn(proposal=Proposal(seat, replace(play, wild=wild), 0)) for seat in (0, 1) for wild in ((), (1,))
    }
    assert len(pictures) == 4


def test_a_wildcard_declared_anew_is_a_ghost_in_a_play_and_in_a_recast() -> None:
    row, col = public().city.start
    plain = drawn()
    corded = drawn(proposal=Proposal(0, Play("CORDS", row, col - 2, across=True), 0))
    recast = drawn(proposal=Proposal(0, Recast(((row, col - 1, "O"),)), 0))
    assert corded == recast != plain


@pytest.mark.parametrize("matter", [NoWord(), Concede()])
def test_a_proposal_without_letters_changes_nothing_on_the_map(matter: Any) -> None:
    assert drawn(proposal=Proposal(0, matter, 0)) == drawn()


# Every kind of table


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("seats", range(1, 5))
def test_every_phase_is_drawn_for_every_number_of_seats(phase: Any, seats: int) -> None:
    ended = WON if phase == "over" else None
    for edge in EDGES:
        table = view(public(phase=phase, seats=seats, edge=edge, ended=ended), None, sealed=(True,) * seats)
        assert max(picture(board(table, NAMES)).size) == 1200


@pytest.mark.parametrize("reason", ["success", "illegal", "bag", "poi", "conceded"])
@pytest.mark.parametrize("edge", ["east", "north"])
def test_the_end_is_a_banner_and_a_frame_around_the_maps(reason: Reason, edge: Any) -> None:
    won = reason == "success"
    table = view(public(edge=edge, phase="over", villain=None, ended=Ended(won, reason, 64, 4, 19)))
    image = picture(board(table, NAMES))
    place = layout(table.public.city)
    left, top, right, bottom = place.city
    colour = theme.GOOD if won else theme.BAD
    assert colour in colours(image, place.round)
    assert colours(image, (left - 4, top, left - 1, bottom)) == {colour}
    assert colours(image, (right + 1, top, right + 4, bottom)) == {colour}


def test_names_of_any_kind_are_drawn() -> None:
    table = view(public(seats=4))
    names = ("", "🎲", "Wolfeschlegelsteinhausenbergerdorff", "Zoë\nNúñez")
    assert board(table, names) != board(table, NAMES)


# The rack


def test_a_rack_is_a_palette_png_of_the_seat_s_colour() -> None:
    for seat in range(4):
        image = picture(rack(view(public(seats=4), seat), NAMES))
        assert image.mode == "P"
        assert image.width == 1000
        assert theme.SEATS[seat].colour in colours(image, (0, 0, 1000, 80))


def test_a_rack_shows_its_letters_and_what_is_sealed() -> None:
    table = view(public(phase="contribute"), 1)
    pictures = {
        rack(replace(table, rack=tuple(letters), mine=mine), NAMES)
        for letters, mine in (
            ("AEQW*", None),
            ("AEQWZ", None),
            ("AEQW", ("*",)),
            ("AEQ*", ("W",)),
            ("", None),
        )
    }
    assert len(pictures) == 5


def test_a_rack_shows_nothing_of_others() -> None:
    table = view(public(phase="contribute"), 1)
    other = replace(table, unseen=(("Z",), ("Q",), ("X",)), sealed=(True, False, True), rack_sizes=(4, 5, 4))
    assert rack(other, NAMES) == rack(table, NAMES)


@pytest.mark.parametrize("seats", range(1, 5))
def test_a_rack_has_two_spaces_for_what_is_sealed_with_one_or_two_seats(seats: int) -> None:
    table = view(public(seats=seats, phase="contribute"), 0, rack=("A", "B", "C"), mine=("D", "E"))
    fewer = replace(table, mine=("D",))
    assert (rack(table, NAMES) != rack(fewer, NAMES)) == (seats <= 2)


def test_everyone_s_view_has_no_rack() -> None:
    with pytest.raises(ValueError, match="seat"):
        rack(view(public()), NAMES)


def test_both_layouts_are_covered_by_cached_ground_of_their_own() -> None:
    wide, tall = (_ground(public(edge=edge).city, public().goal, 3) for edge in ("east", "north"))
    assert isinstance(wide, Canvas)
    assert wide.pixels.shape == (WIDE.height, WIDE.width)
    assert tall.pixels.shape == (TALL.height, TALL.width)


# Where a word may begin


def test_the_board_marks_where_a_word_may_begin_and_changes_nothing_else() -> None:
    table = view(public())
    place = layout(table.public.city)
    spots = ((0, 0, True), (0, 0, False), (7, 3, False))
    plain, marked = picture(board(table, NAMES)), picture(board(table, NAMES, spots))
    changed = ImageChops.difference(plain.convert("RGB"), marked.convert("RGB"))
    for row, col in ((0, 0), (7, 3)):
        x, y = place.square(row, col)
        assert changed.crop((x, y, x + place.cell, y + place.cell)).getbbox()
        changed.paste((0, 0, 0), (x, y, x + place.cell, y + place.cell))
    assert changed.getbbox() is None


def test_a_mark_leaves_the_letter_on_its_square_to_be_seen() -> None:
    table = view(public())
    laid = table.public.laid[0]
    place = layout(table.public.city)
    x, y = place.square(laid.row, laid.col)
    plain, marked = (
        picture(board(table, NAMES, spots)).convert("RGB") for spots in ((), ((laid.row, laid.col, True),))
    )
    left, top, right, bottom = ImageChops.difference(plain, marked).getbbox() or (0, 0, 0, 0)
    assert 0 < right - left < place.cell / 2
    assert 0 < bottom - top < place.cell / 2
    assert (left >= x, top >= y) == (True, True)


def test_a_map_is_named_in_full() -> None:
    assert look.map_title("HQ day") == "Headquarters by day"
    assert look.map_title("East night") == "East map by night"
