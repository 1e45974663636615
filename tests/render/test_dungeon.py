"""The pictures of Word Dungeon, on a small map that holds one of everything."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from bot.games.chance import Chance
from bot.games.crossword import Square
from bot.games.dungeon.bylaws import (
    RULES,
    AllDoors,
    BarredLetters,
    BarredOn,
    Bylaw,
    Collapsing,
    Gems,
    Lit,
    Paved,
    Rule,
)
from bot.games.dungeon.dungeons import DUNGEONS, without_route
from bot.games.dungeon.ground import Ground, Monster
from bot.games.dungeon.placement import position, read
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.scoring import medal
from bot.games.dungeon.state import (
    Dungeon,
    Ended,
    GiveUp,
    Mark,
    Place,
    Progress,
    Proposal,
    Public,
    Run,
    Scoring,
    State,
    TakeBack,
    View,
)
from render import theme
from render.bench import deepest, plain_depths
from render.canvas import CAP_HEIGHT, width_of
from render.dungeon import board, look, pieces, routes, shared
from render.dungeon.captions import captions
from render.dungeon.floor import exit_side, start_side
from render.dungeon.layout import CAPTION, COORDINATE, COUNT, layout
from render.dungeon.table import _ground, place_of
from tests.render.scenes import colours, picture

NAMES = ("Ada", "Ben", "Cleo", "Dmitri", "Eve", "Fay", "Gus", "Hal")
PHONE = 400  # px, the width at which a picture must still be legible
READABLE, VISIBLE = 4.5, 3.0  # WCAG AA for text, for large text and shapes

ROWS = (
    ">*1%.~",
    ".##.#~",
    "A*1%==",
    ".#.#.#",
    "E*...<",
)
WORDS = (
    Place("ABAA", 0, 0, True, (1, 0)),  # a gem with B, a key and a door with A
    Place("AAAA", 0, 0, False, (1, 0)),  # through the chest A, down to the chest E
    Place("ACBD", 2, 0, True, (1, 2)),
)
SMALL = Dungeon(
    key="small",
    name="Broom Cupboard",
    tier=1,
    story="A bucket stands in the way.",
    rows=ROWS,
    legend=(Mark("~", "puddle"), Mark("=", "floorboard")),
    turns=6,
    monsters=(Monster("RAT", 2), Monster("OWL", 3)),
    scoring=Scoring(chest=1, gem=2, key=1, door=3),
    rules=(AllDoors(), Gems(1), BarredOn("~"), Collapsing("=", 3)),
    par=12,
)


def run(*places: Place, **changes: Any) -> Run:
    return Run(places, **({"changes": len(places)} | changes))


def state(*runs: Run, mode: Any = "solo", seats: int = 0, dungeon: Dungeon = SMALL, **changes: Any) -> State:
    over = all(one.ended is not None for one in runs)
    values = {"seats": seats or len(runs), "mode": mode, "dungeon": dungeon, "over": over}
    return State(Public(**(values | changes)), runs)


def view(*runs: Run, seat: int | None = 0, **changes: Any) -> View:
    return DUNGEON.seen_by(state(*runs, **changes), seat)


def drawn(*places: Place, **changes: Any) -> bytes:
    return board(view(run(*places), **changes), NAMES)


def out(turns: int, base: int, bonus: int = 0, at: int = 0) -> Ended:
    return Ended("out", at, turns, base, bonus)


def played(dungeon: Dungeon, turns: int | None = None) -> View:
    """Return a solo player's view of a shipped dungeon, on the way of its best route."""
    places = tuple(read(dungeon, text) for text in dungeon.best[:turns])
    return view(run(*places), dungeon=without_route(dungeon))


# What kind of picture it is


@pytest.mark.parametrize("key", list(DUNGEONS))
def test_every_dungeon_is_drawn_at_its_start_and_at_its_end(key: str) -> None:
    first, last = board(played(DUNGEONS[key], 0), NAMES), board(played(DUNGEONS[key]), NAMES)
    assert first != last
    for png in (first, last):
        image = picture(png)
        assert (image.format, image.mode) == ("PNG", "P")
        assert 600 <= image.width <= 900
        assert len(png) <= 60_000


@pytest.mark.parametrize(("high", "wide"), [(3, 3), (3, 20), (20, 3), (20, 20)])
def test_maps_of_every_size_are_drawn(high: int, wide: int) -> None:
    rows = (">" + "." * (wide - 1), *("." * wide for _ in range(high - 2)), "." * (wide - 1) + "<")
    dungeon = replace(SMALL, rows=rows, legend=(), rules=())
    image = picture(drawn(dungeon=dungeon))
    assert 600 <= image.width <= 900
    assert image.height <= 1200


def test_the_largest_board_is_no_more_than_60_kb() -> None:
    assert len(board(deepest(), NAMES)) <= 60_000


@pytest.mark.parametrize("table", [deepest(), view(run(*WORDS))], ids=["largest", "small"])
def test_the_plain_drawing_shows_the_same_picture(table: View) -> None:
    fast = picture(board(table, NAMES)).convert("RGB")
    slow = picture(plain_depths(table, NAMES)).convert("RGB")
    assert fast.size == slow.size
    red, green, blue = ImageChops.difference(fast, slow).split()
    apart = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    assert sum(apart[:24]) / sum(apart) > 0.96


def test_equal_views_are_equal_bytes_whatever_was_drawn_in_between() -> None:
    def every() -> list[bytes]:
        ended = run(*WORDS, ended=out(3, 9))
        race = view(ended, ended, mode="race", seat=None)
        return [drawn(*WORDS), board(race, NAMES), routes(race, NAMES), shared(view(ended), NAMES)]

    first = every()
    board(deepest(), NAMES)
    _ground.cache_clear()
    look.PALETTE.sprites.clear()
    assert every() == first


def test_two_threads_draw_the_same_as_one() -> None:
    tables = [view(run(*WORDS[:turns], hints=hints)) for turns in range(4) for hints in (0, 1)]
    alone = [board(table, NAMES) for table in tables]
    _ground.cache_clear()
    look.PALETTE.sprites.clear()
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda table: board(table, NAMES), tables * 2)) == alone * 2


# What nobody may see


def apart(table: State, seat: int | None) -> tuple[View, View]:
    """Return what the viewer sees of a state, and of another that looks the same."""
    seen = DUNGEON.seen_by(table, seat)
    other = DUNGEON.imagine(seen, seat, Chance(bytes(32), 0, "imagine"))
    assert other.runs != table.runs
    return seen, DUNGEON.seen_by(other, seat)


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_race_s_board_shows_nothing_of_other_copies(seat: int | None) -> None:
    table = state(run(*WORDS), run(*WORDS[:2]), run(WORDS[2], ended=out(1, 3)), mode="race")
    seen, other = apart(table, seat)
    assert board(seen, NAMES) == board(other, NAMES)


@pytest.mark.parametrize("ended", [None, out(3, 9)])
@pytest.mark.parametrize("daily", ["", "2030-01-31"])
def test_the_channel_sees_no_letter_of_a_solo(ended: Ended | None, daily: str) -> None:
    seen, other = apart(state(run(*WORDS, ended=ended), daily=daily), None)
    assert board(seen, NAMES) == board(other, NAMES)
    assert shared(seen, NAMES) == shared(other, NAMES)


def test_a_daily_race_s_letters_stay_hidden_from_the_channel_when_it_is_over() -> None:
    runs = (run(*WORDS, ended=out(3, 9)), run(WORDS[0], ended=Ended("time", 9, 1)))
    seen, other = apart(state(*runs, mode="race", daily="2030-01-31"), None)
    assert board(seen, NAMES) == board(other, NAMES)
    with pytest.raises(ValueError, match="not everybody's"):
        routes(seen, NAMES)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_routes_are_shown_only_once_all_may_be_seen(seat: int | None) -> None:
    running = view(run(*WORDS), run(WORDS[0], ended=out(1, 3)), mode="race", seat=seat)
    with pytest.raises(ValueError, match="not everybody's"):
        routes(running, NAMES)


def test_a_shared_picture_is_the_same_whatever_the_letters_are() -> None:
    ended, daily = out(3, 9), "2030-01-31"
    other = (
        replace(WORDS[0], word="QXQQ"),
        replace(WORDS[1], word="QZAJ"),
        replace(WORDS[2], word="AKVW"),
    )
    for strangers in (other, other[:2]):
        places = WORDS[: len(strangers)]
        one = view(run(*places, ended=ended), daily=daily)
        two = view(run(*strangers, ended=ended), daily=daily)
        assert board(one, NAMES) != board(two, NAMES)
        assert shared(one, NAMES) == shared(two, NAMES)


# Every kind of square


def cell(png: bytes, table: View, square: Square) -> Image.Image:
    grid = place_of(table).grid
    x, y = grid.square(square)
    return picture(png).convert("RGB").crop((x, y, x + grid.cell, y + grid.cell))


def seen(square: Square, *places: Place, rows: tuple[str, ...] = ROWS, **changes: Any) -> bytes:
    table = view(run(*places), dungeon=replace(SMALL, rows=rows), **changes)
    return cell(board(table, NAMES), table, square).tobytes()


def asking(matter: Any) -> dict[str, Any]:
    return {"mode": "party", "seats": 2, "proposal": Proposal(0, matter, 0, (0,))}


def put(letter: str, square: Square) -> Place:
    return Place(letter, *square, True)


def test_every_kind_of_square_looks_different() -> None:
    a, far, near = "A", (4, 3), (3, 0)
    spent = (put(a, (0, 2)), put(a, (0, 3)), put(a, far))
    kinds = {
        "rock": seen((1, 1)),
        "floor": seen(far),
        "start": seen((0, 0)),
        "exit": seen((4, 5)),
        "chest": seen((2, 0)),
        "gem": seen((0, 1)),
        "key": seen((0, 2)),
        "door": seen((0, 3)),
        "puddle": seen((0, 5)),
        "floorboard": seen((2, 4)),
        "fallen in": seen((2, 4), put(a, far), put(a, (4, 4)), put(a, near)),
        "letter": seen(far, put(a, far), put(a, near)),
        "newest letter": seen(far, put(a, near), put(a, far)),
        "open chest": seen((2, 0), Place("XA", 1, 0, False), put(a, far)),
        "newest chest": seen((2, 0), Place("XA", 1, 0, False)),
        "lit gem": seen((0, 1), put(a, (0, 1)), put(a, far)),
        "newest lit gem": seen((0, 1), put(a, (0, 1))),
        "dull gem": seen((0, 1), put(a, (0, 1)), put(a, (2, 1)), put(a, far)),
        "newest dull gem": seen((0, 1), put(a, (2, 1)), put(a, (0, 1))),
        "held key": seen((0, 2), put(a, (0, 2)), put(a, far)),
        "newest key": seen((0, 2), put(a, (0, 2))),
        "spent key": seen((0, 2), *spent),
        "open door": seen((0, 3), *spent),
        "newest door": seen((0, 3), *spent[:2]),
        "proposed letter": seen(far, **asking(put(a, far))),
        "proposed on a gem": seen((0, 1), **asking(put(a, (0, 1)))),
        "proposed on a key": seen((0, 2), **asking(put(a, (0, 2)))),
        "proposed on a door": seen((0, 3), **asking(put(a, (0, 3)))),
        "to be taken back": seen(far, put(a, far), **asking(TakeBack())),
    }
    for (one, first), (two, second) in itertools.combinations(kinds.items(), 2):
        assert first != second, (one, two)


def test_every_letter_looks_different_on_every_kind_of_square() -> None:
    for square in ((4, 3), (0, 1), (0, 2), (0, 3), (0, 5)):
        assert len({seen(square, put(chr(65 + number), square)) for number in range(26)}) == 26
    chests = {
        seen((2, 0), rows=tuple(row.replace("A", chr(65 + number)) for row in ROWS)) for number in range(26)
    }
    assert len(chests) == 26


def test_a_letter_shows_the_mark_of_the_square_below_it() -> None:
    puddle, rim = (0, 5), 6
    table = view(run(), mode="party", seats=2)
    for changes in ({}, asking(put("I", puddle))):
        places = () if changes else (put("I", puddle),)
        whole = cell(board(view(run(*places), **changes), NAMES), table if changes else view(run()), puddle)
        assert look.MOODS[0].hatch in colours(whole, (rim, rim, whole.width - rim, whole.height - rim))


def test_squares_that_are_worth_points_or_must_be_filled_are_counted() -> None:
    dungeon = replace(SMALL, rules=(Paved("~", 1), Lit("="), BarredOn("~")))
    assert [caption.squares for caption in captions(dungeon)] == [2, 2, 0]
    panels = []
    for square in ((4, 3), (4, 4), (0, 5), (2, 4)):
        table = view(run(put("A", square)), dungeon=dungeon)
        panels.append(picture(board(table, NAMES)).crop(place_of(table).things).tobytes())
    assert panels[0] == panels[1]
    assert len(set(panels)) == 3


def test_a_gem_goes_dull_when_another_takes_its_letter() -> None:
    lit = seen((0, 1), put("A", (0, 1)), put("B", (2, 1)))
    dull = seen((0, 1), put("A", (0, 1)), put("A", (2, 1)))
    assert lit != dull


def test_only_what_the_last_turn_placed_or_collected_stands_out() -> None:
    table = view(run(*WORDS[:2]))
    png, side = board(table, NAMES), place_of(table).grid.cell
    fresh = {
        (row, col)
        for row, col in itertools.product(range(5), range(6))
        if theme.FRESH.face in colours(cell(png, table, (row, col)), (0, 0, side, side))
    }
    assert fresh == {(1, 0), (2, 0), (3, 0), (4, 0)}
    assert position(SMALL, WORDS[:2]).chests == {(2, 0), (4, 0)}


def test_every_tier_has_colours_of_its_own() -> None:
    assert len({drawn(dungeon=replace(SMALL, tier=tier)) for tier in range(1, 5)}) == 4
    assert len({(mood.rock, mood.floor) for mood in look.MOODS}) == 4


# The ways in and out


@pytest.mark.parametrize(
    ("rows", "coming", "going"),
    [
        ((">..", "...", "..<"), "left", "right"),
        (("#>#", "#.#", "#<#"), "up", "down"),
        (("<..", "...", "..>"), "right", "left"),
        (("...", ".>.", "..<"), None, "right"),
        (("..#..", "..>..", ".....", ".....", "....<"), "up", "right"),
        (("#.###", "..<.#", "#..##", ">...#"), "left", "up"),
    ],
)
def test_arrows_come_from_outside_and_lead_there(
    rows: tuple[str, ...], coming: str | None, going: str
) -> None:
    ground = Ground(rows)
    assert start_side(ground) == coming
    assert exit_side(ground) == going
    dungeon = replace(SMALL, rows=rows, legend=(), rules=(), scoring=Scoring())
    assert drawn(dungeon=dungeon)


# What stands around the map


ALIVE = run(*WORDS)
SHOWN: dict[str, tuple[View, View]] = {
    "the turns": (view(ALIVE), view(run(*WORDS[:2]))),
    "the limit": (view(ALIVE), view(ALIVE, dungeon=replace(SMALL, turns=7))),
    "par": (view(ALIVE), view(ALIVE, dungeon=replace(SMALL, par=13))),
    "the name": (view(ALIVE), view(ALIVE, dungeon=replace(SMALL, name="Larder"))),
    "a hint": (view(ALIVE), view(replace(ALIVE, hints=1))),
    "what leaving is worth": (view(ALIVE), view(ALIVE, dungeon=replace(SMALL, scoring=Scoring(leave=4)))),
    "a monster's name": (
        view(ALIVE),
        view(ALIVE, dungeon=replace(SMALL, monsters=(Monster("BAT", 2), SMALL.monsters[1]))),
    ),
    "a coin": (
        view(ALIVE),
        view(ALIVE, dungeon=replace(SMALL, monsters=(Monster("RAT", 1), SMALL.monsters[1]))),
    ),
    "strikes": (view(ALIVE), view(run(*WORDS[:2], replace(WORDS[2], strikes=(0, 2))))),
    "when a letter was struck": (
        view(run(replace(WORDS[0], strikes=(1, 1)), replace(WORDS[1], strikes=(0, 0)))),
        view(run(replace(WORDS[0], strikes=(0, 0)), replace(WORDS[1], strikes=(1, 1)))),
    ),
    "a score": (view(run(ended=out(0, 5))), view(run(ended=out(0, 6)))),
    "a bonus": (view(run(ended=out(0, 5))), view(run(ended=out(0, 5, 2)))),
    "giving up": (view(run()), view(run(ended=Ended("gave_up", 1, 0)))),
    "time that ran out": (view(run(ended=Ended("gave_up", 1, 0))), view(run(ended=Ended("time", 1, 0)))),
    "who agrees": (
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, GiveUp(), 0, (0,))),
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, GiveUp(), 0, (0, 1))),
    ),
    "who objects": (
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, GiveUp(), 0, (0,))),
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, GiveUp(), 0, (0,), (1,))),
    ),
    "who proposes": (
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, GiveUp(), 0, (0, 1))),
        view(ALIVE, mode="party", seats=3, proposal=Proposal(1, GiveUp(), 0, (0, 1))),
    ),
    "what is proposed": (
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, GiveUp(), 0, (0,))),
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, TakeBack(), 0, (0,))),
    ),
    "what a proposal would strike": (
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, Place("AA", 4, 3, True, (0, 0)), 0)),
        view(ALIVE, mode="party", seats=3, proposal=Proposal(0, Place("AA", 4, 3, True, (0, 1)), 0)),
    ),
}


@pytest.mark.parametrize("pair", list(SHOWN.values()), ids=list(SHOWN))
def test_the_board_shows(pair: tuple[View, View]) -> None:
    one, two = pair
    assert board(one, NAMES) != board(two, NAMES)


def test_a_condition_is_ticked_once_it_is_met() -> None:
    table = view(run())
    place = place_of(table)
    (gems,) = ((x, y) for caption, x, y in place.captions if caption.condition == Gems(1))
    box = (gems[0], gems[1], gems[0] + 30, gems[1] + 40)
    assert look.EARNED not in colours(picture(board(table, NAMES)), box)
    assert look.EARNED in colours(picture(drawn(put("A", (0, 1)))), box)


def test_a_dead_monster_is_grey_and_its_coin_filled() -> None:
    table = view(run())
    place = place_of(table)
    _, x, y = place.monsters[0]
    face = (x, y, x + 40, y + 50)
    alive = colours(picture(board(table, NAMES)), face)
    dead = colours(picture(drawn(replace(WORDS[0], strikes=(3, 0)))), face)
    assert look.MONSTER in alive
    assert look.MONSTER not in dead
    assert look.ASH in dead


def test_a_run_that_ended_well_or_badly_has_a_head_of_its_colour() -> None:
    for ended, colour in (
        (None, theme.PANEL),
        (out(0, 5), theme.GOOD),
        (Ended("gave_up", 1, 0), theme.BAD),
        (Ended("time", 1, 0), theme.BAD),
    ):
        table = view(run(ended=ended))
        assert colour in colours(picture(board(table, NAMES)), place_of(table).head)


def test_names_of_any_kind_are_drawn() -> None:
    table = view(run(), run(), run(), run(), mode="race", seat=None)
    names = ("", "🎲", "Wolfeschlegelsteinhausenbergerdorff", "Zoë\nNúñez")
    assert board(table, names) != board(table, NAMES)


# Rules in a few words


SAMPLES: dict[str, Rule] = {
    rule: kind(**{
        name: {"word": "HELPER", "letters": "QXZ", "mark": "~"}.get(name, 7)
        for name in kind.__struct_fields__
        if name not in ("odd", "strictly")
    })  # type: ignore[assignment]
    for rule, kind in RULES.items()
}  # fmt: skip


@pytest.mark.parametrize("rule", list(SAMPLES))
def test_every_rule_has_a_caption_shorter_than_its_sentence(rule: str) -> None:
    caption = captions(replace(SMALL, rules=(SAMPLES[rule],), legend=(Mark("~", "mud"),)))[0]
    assert len(caption.text) < min(40, len(SAMPLES[rule].told()))
    assert (caption.condition is not None) == (type(SAMPLES[rule]).shut is not Bylaw.shut)
    assert caption.mark == ("~" if "mark" in SAMPLES[rule].__struct_fields__ else "")


def test_a_rule_that_is_new_here_stands_in_its_own_words() -> None:
    class Silence(Bylaw, frozen=True, tag="silence"):
        def told(self) -> str:
            return "Nobody may say a word while the librarian looks up from the very large book on the desk."

    rule: Any = Silence()
    dungeon = replace(SMALL, rules=(rule,), legend=())
    lines = [caption.text for caption, _, _ in layout(dungeon).captions]
    assert len(lines) > 1
    assert " ".join(lines) == rule.told()


@pytest.mark.parametrize("key", list(DUNGEONS))
def test_loot_captions_and_monsters_lie_in_their_panels_and_nothing_overlaps(key: str) -> None:
    for seats in (0, 1, 8):
        place = layout(without_route(DUNGEONS[key]), seats)
        boxes = [place.head, *place.rows, *(box for box in (place.things, place.den) if box)]
        for left, top, right, bottom in boxes:
            assert 0 <= left < right <= place.width
            assert 0 <= top < bottom <= place.height
        for (left, top, right, bottom), other in itertools.combinations(boxes, 2):
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
        for caption, x, _ in place.captions:
            assert place.things is not None
            assert x + width_of(caption.text, CAPTION) <= place.things[2]


# The race


def test_the_channel_sees_how_far_each_has_come() -> None:
    def race(*runs: Run) -> bytes:
        return board(view(*runs, mode="race", seat=None), NAMES)

    plain = race(run(*WORDS), run())
    for other in (
        race(run(*WORDS[:2]), run()),
        race(run(*WORDS), run(WORDS[0])),
        race(run(*WORDS, hints=1), run()),
        race(run(*WORDS, ended=out(3, 9)), run()),
        race(run(*WORDS, ended=Ended("gave_up", 1, 3)), run()),
        race(run(*WORDS), run(), run()),
    ):
        assert other != plain


def test_eight_players_have_marks_of_their_own() -> None:
    assert len({(seat.colour, seat.shape, number > 3) for number, seat in enumerate(look.SEATS)}) == 8
    table = view(*(run() for _ in range(8)), mode="race", seat=None)
    place = place_of(table)
    image = picture(board(table, NAMES))
    for seat, box in zip(look.SEATS, place.rows, strict=True):
        assert seat.colour in colours(image, (box[0], box[1], box[0] + 40, box[3]))


@pytest.mark.parametrize("seats", range(2, 9))
def test_all_routes_stand_side_by_side(seats: int) -> None:
    runs = [run(*WORDS[: 1 + seat % 3], ended=out(1 + seat % 3, seat, at=seat)) for seat in range(seats)]
    table = view(*runs, mode="race", seat=None)
    image = picture(routes(table, NAMES))
    assert (image.mode, image.width) == ("P", 1080)
    for seat in range(seats):
        other = [*runs]
        other[seat] = replace(runs[seat], ended=Ended("time", 9, 1 + seat % 3))
        assert routes(view(*other, mode="race", seat=None), NAMES) != routes(table, NAMES)
        other[seat] = replace(runs[seat], places=(replace(WORDS[0], word="QXQQ"),))
        assert routes(view(*other, mode="race", seat=None), NAMES) != routes(table, NAMES)


def test_the_best_route_has_a_golden_rim() -> None:
    def rims(*ended: Ended) -> list[bool]:
        image = picture(routes(view(*(run(ended=one) for one in ended), mode="race", seat=None), NAMES))
        return [theme.GOLD in colours(image, (x, 300, x + 4, 301)) for x in (20, 20 + 512 + 16)]

    assert rims(out(3, 9), out(3, 8)) == [True, False]
    assert rims(out(3, 9), out(3, 9, 1)) == [False, True]
    assert rims(out(3, 9), out(2, 9)) == [False, True]
    assert rims(out(3, 9, at=2), out(3, 9, at=1)) == [False, True]
    assert rims(out(3, 9), out(3, 9)) == [True, True]
    assert rims(Ended("time", 1, 1), Ended("gave_up", 1, 1)) == [False, False]


# A daily, shared


def test_a_shared_picture_shows_route_score_turns_date_and_hints() -> None:
    def share(*places: Place, hints: int = 0, base: int = 9, daily: str = "2030-01-31") -> bytes:
        return shared(view(run(*places, hints=hints, ended=out(len(places), base)), daily=daily), NAMES)

    plain = share(*WORDS)
    assert picture(plain).mode == "P"
    for other in (
        share(*WORDS[:2]),
        share(*WORDS, hints=1),
        share(*WORDS, base=10),
        share(*WORDS, daily="2030-02-01"),
    ):
        assert other != plain


def test_a_shared_picture_crosses_out_only_who_gave_up() -> None:
    def share(how: Any) -> bytes:
        return shared(view(run(*WORDS, ended=Ended(how, 0, 3, 0, 0)), daily="2030-01-31"), NAMES)

    assert medal(SMALL, 0) is None
    assert share("out") != share("gave_up")


def test_a_shared_picture_names_who_plays() -> None:
    table = view(run(*WORDS))
    assert shared(table, ("Eve",)) != shared(table, ("Ada",))
    party = view(run(*WORDS), mode="party", seats=2, seat=None)
    assert shared(party, ("Ada", "Ben")) != shared(party, ("Ada", "Cleo"))


# Legible


@pytest.mark.parametrize(("high", "wide"), [(13, 13), (5, 13), (13, 5), (7, 7)])
def test_letters_are_legible_on_a_phone(high: int, wide: int) -> None:
    rows = (">" + "." * (wide - 1), *("." * wide for _ in range(high - 2)), "." * (wide - 1) + "<")
    place = layout(replace(SMALL, rows=rows, legend=(), rules=()), 0)
    scale = PHONE / place.width
    assert (place.grid.cell - 4) * pieces.LETTER * CAP_HEIGHT * scale >= 12
    assert (place.grid.cell - 4) * 0.56 * CAP_HEIGHT * scale >= 9  # a chest's letter
    assert (place.grid.cell - 4) * pieces.BESIDE * CAP_HEIGHT * scale >= 9  # beside the mark of its square


@pytest.mark.parametrize("key", list(DUNGEONS))
def test_the_smallest_text_is_legible_on_a_phone(key: str) -> None:
    dungeon = DUNGEONS[key]
    scale = PHONE / layout(dungeon, 2).width
    assert min(CAPTION, COORDINATE, COUNT) * scale >= 13


INKS = [
    ("a name's letter", look.LIVING.ink, look.LIVING.face, READABLE),
    ("a struck letter", look.STRUCK.ink, look.STRUCK.face, VISIBLE),
    ("a shut chest", theme.INK, look.PLATE, READABLE),
    ("a lit gem", theme.INK, look.GEM_LIGHT, READABLE),
    ("a dull gem", theme.INK, look.DULL, READABLE),
    ("a proposed letter", theme.INK, look.GHOST, READABLE),
    ("an earned coin", theme.INK, theme.GOLD, READABLE),
    ("a coin", theme.GOLD, theme.SLOT, READABLE),
    *((f"a mark, tier {tier}", theme.WHITE, mood.hatch, READABLE) for tier, mood in enumerate(look.MOODS, 1)),
    *((f"the start, tier {tier}", look.ENTER, mood.rock, VISIBLE) for tier, mood in enumerate(look.MOODS, 1)),
]


@pytest.mark.parametrize(("what", "ink", "on", "least"), INKS, ids=[what for what, *_ in INKS])
def test_text_stands_out_from_its_ground(what: str, ink: Any, on: Any, least: float) -> None:
    assert theme.contrast(ink, on) >= least


@pytest.mark.parametrize("mood", look.MOODS)
def test_rock_floor_and_letters_differ_in_brightness(mood: look.Mood) -> None:
    assert theme.contrast(mood.floor, mood.rock) >= VISIBLE
    assert theme.contrast(theme.PLAIN.face, mood.floor) >= 2.5
    assert theme.contrast(look.GEM_LIGHT, look.DULL) >= 1.6


def test_a_letter_limit_of_one_letter_is_told() -> None:
    (caption,) = captions(replace(SMALL, rules=(BarredLetters("E"),), legend=()))
    assert caption.text == "No E"


def test_progress_alone_draws_no_route() -> None:
    table = view(run(*WORDS), run(*WORDS), mode="race", seat=None)
    nothing = replace(table, progress=(Progress(3, 0, None),) * 2)
    assert board(nothing, NAMES) == board(table, NAMES)


def test_places_to_choose_from_are_numbered_and_nothing_else_changes() -> None:
    plain, marked = picture(drawn()), picture(board(view(run()), NAMES, (((0, 0), True), ((0, 0), False))))
    changed = ImageChops.difference(plain.convert("RGB"), marked.convert("RGB")).getbbox()
    grid = place_of(view(run())).grid
    x, y = grid.square((0, 0))
    assert changed is not None
    assert x <= changed[0]
    assert y <= changed[1]
    assert changed[2] <= x + grid.cell
    assert changed[3] <= y + grid.cell
