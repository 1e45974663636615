import itertools

import msgspec
import pytest

from bot.games.crossword import distances
from bot.games.defenders.city import EDGES, MAP_SIDES, MAPS, SIDES, SIZE, MapSide, found, join, on_hq
from bot.games.defenders.state import Options
from tests.games.defenders.tables import moment


def test_there_are_ten_map_sides() -> None:
    assert set(MAP_SIDES) == set(itertools.product(("hq", *MAPS), SIDES))


def test_streets_run_right_through_rows_and_columns_two_five_and_eight() -> None:
    for side in MAP_SIDES.values():
        for index in (1, 4, 7):
            assert "#" not in side.rows[index], side.name
            assert "#" not in "".join(row[index] for row in side.rows), side.name


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (("." * 9,) * 8, "9 rows of 9"),
        (("???......",) + ("." * 8,) * 8, "9 rows of 9"),
        (("???....x.",) + ("." * 9,) * 8, "one of"),
        (("??.......",) + ("." * 9,) * 8, "three points of interest"),
        (("???@.....",) + ("." * 9,) * 8, "one start"),
    ],
)
def test_a_map_side_that_is_drawn_wrongly_is_refused(rows: tuple[str, ...], reason: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=reason):
        msgspec.convert({"map": "east", "side": "day", "rows": rows}, MapSide)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("sides", list(itertools.product(SIDES, SIDES)))
def test_any_map_joins_any_edge_and_every_poi_is_within_reach(
    name: str, edge: str, sides: tuple[str, str]
) -> None:
    hq, other = MAP_SIDES["hq", sides[0]], MAP_SIDES[name, sides[1]]
    city, icons = join(hq, other, edge)  # type: ignore[arg-type]
    shape = (len(city.rows), len(city.rows[0]))
    assert shape == ((2 * SIZE, SIZE) if edge in ("north", "south") else (SIZE, 2 * SIZE))
    assert set("".join(city.rows)) == {".", "#"}
    assert on_hq(city, city.start)
    assert sum(on_hq(city, icon) for icon in icons) == 3
    assert len(icons) == 6
    assert set(icons) <= set(distances(city.rows, [city.start]))


def test_the_start_lies_in_the_middle_of_hq_wherever_hq_lies() -> None:
    hq, other = MAP_SIDES["hq", "day"], MAP_SIDES["west", "night"]
    assert join(hq, other, "east")[0].start == (4, 4)
    assert join(hq, other, "west")[0].start == (4, 13)
    assert join(hq, other, "north")[0].start == (13, 4)


def test_maps_are_named_with_their_side() -> None:
    city, _ = found(Options(map="east", edge="north", hq_side="day", map_side="night"), moment().chance)
    assert (city.hq_name, city.other_name) == ("HQ day", "East night")


def test_beginners_find_question_marks_and_others_the_numbers_one_to_six() -> None:
    _, marks = found(Options(), moment().chance)
    assert [poi.number for poi in marks] == [0] * 6
    _, numbers = found(Options(difficulty="intermediate"), moment().chance)
    assert sorted(poi.number for poi in numbers) == [1, 2, 3, 4, 5, 6]


def test_what_the_options_leave_open_is_drawn() -> None:
    options = Options(map="any", edge="any", hq_side="any", map_side="any")
    cities = {found(options, moment(seq=seq).chance)[0] for seq in range(40)}
    assert {city.hq_name for city in cities} == {"HQ day", "HQ night"}
    assert {city.other_name for city in cities} == {
        f"{name.capitalize()} {side}" for name in MAPS for side in SIDES
    }
    assert {city.hq for city in cities} == {(0, 0), (0, 9), (9, 0)}
