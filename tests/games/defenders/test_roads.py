from collections.abc import Callable

from bot.games.crossword import line
from bot.games.defenders.roads import EXTENSION, FAR, TURN, Roads

OPEN = (".........",) * 5


def anything(word: str) -> bool:
    return True


def only(*words: str) -> Callable[[str], bool]:
    return lambda word: word in words


def word(text: str, row: int, col: int, across: bool = True) -> dict[tuple[int, int], str]:
    return dict(zip(line(row, col, across, len(text)), text, strict=True))


def test_a_way_across_a_word_costs_a_letter_a_square() -> None:
    costs = Roads(OPEN, anything).costs(word("CAD", 0, 3), [(1, 4), (2, 4), (4, 4)])
    assert costs == (1, 2, 4)


def test_a_corner_costs_another_word() -> None:
    assert Roads(OPEN, anything).costs(word("CAD", 0, 0), [(4, 8)]) == (4 + TURN + 6,)


def test_a_way_on_from_the_end_of_a_word_is_dearer() -> None:
    assert Roads((".........",), only()).costs(word("CAD", 0, 0), [(0, 3), (0, 4)]) == (
        1 + EXTENSION,
        2 + EXTENSION,
    )


def test_a_lone_letter_is_the_end_of_no_word() -> None:
    assert Roads((".........",), anything).costs(word("C", 0, 0), [(0, 3)]) == (3,)


def test_a_square_where_no_letter_forms_a_word_is_closed() -> None:
    # The only street leads down from A, between the X and the Y, and each letter there makes X?Y.
    rows = ("#.#", "...", "#.#")
    letters = {(0, 1): "A", (1, 0): "X", (1, 2): "Y"}
    assert Roads(rows, only()).costs(letters, [(1, 1), (2, 1)]) == (FAR, FAR)
    assert Roads(rows, only("XOY")).costs(letters, [(2, 1)]) < (FAR,)


def test_a_square_beside_letters_is_the_dearer_the_fewer_letters_fit_there() -> None:
    rows = ("#.#", "...", "#.#")
    letters = {(0, 1): "A", (1, 0): "X", (1, 2): "Y"}
    one, two, all_ = (
        Roads(rows, legal).costs(letters, [(1, 1)])[0]
        for legal in (only("XOY"), only("XOY", "XAY"), anything)
    )
    assert all_ < two < one < FAR


def test_a_way_ends_at_a_stop() -> None:
    rows = (".........",)
    roads = Roads(rows, anything)
    assert roads.costs(word("C", 0, 0), [(0, 2), (0, 4)], stops=[(0, 2)]) == (2, FAR)


def test_no_way_leads_through_buildings() -> None:
    assert Roads(("..#..",), anything).costs(word("C", 0, 0), [(0, 3)]) == (FAR,)


def test_ways_are_the_same_whatever_was_asked_before() -> None:
    roads = Roads(OPEN, only("CADS"))
    first = roads.costs(word("CAD", 2, 3), [(0, 0), (4, 8)])
    roads.costs(word("DAC", 1, 1), [(0, 0)])
    assert roads.costs(word("CAD", 2, 3), [(0, 0), (4, 8)]) == first
