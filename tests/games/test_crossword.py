from bot.games.crossword import (
    Run,
    distances,
    inside,
    joins,
    line,
    named_square,
    neighbours,
    run_at,
    runs,
    runs_through,
    square_name,
)

#   0 1 2 3
# 0 C A D .
# 1 . N . .
# 2 . D O .
LETTERS = {(0, 0): "C", (0, 1): "A", (0, 2): "D", (1, 1): "N", (2, 1): "D", (2, 2): "O"}


def test_a_line_runs_to_the_right_or_downwards() -> None:
    assert line(2, 3, True, 3) == ((2, 3), (2, 4), (2, 5))
    assert line(2, 3, False, 2) == ((2, 3), (3, 3))


def test_a_run_is_found_from_any_of_its_letters() -> None:
    for square in ((0, 1), (1, 1), (2, 1)):
        assert run_at(LETTERS, square, across=False) == Run("AND", 0, 1, False)


def test_a_letter_alone_in_a_direction_is_a_run_of_one() -> None:
    assert run_at(LETTERS, (0, 0), across=False) == Run("C", 0, 0, False)


def test_a_run_knows_its_squares() -> None:
    assert Run("AND", 0, 1, False).squares == ((0, 1), (1, 1), (2, 1))


def test_all_words_are_found_once_and_across_first() -> None:
    assert runs(LETTERS) == (Run("CAD", 0, 0, True), Run("DO", 2, 1, True), Run("AND", 0, 1, False))


def test_words_through_squares_come_in_the_main_direction_first() -> None:
    assert runs_through(LETTERS, [(2, 1), (2, 2)], across=False) == (
        Run("AND", 0, 1, False),
        Run("DO", 2, 1, True),
    )


def test_letters_join_by_a_side_and_not_by_a_corner() -> None:
    assert joins(LETTERS, [(1, 0)])
    assert joins(LETTERS, [(5, 5), (0, 3)])
    assert joins(LETTERS, [(0, 0)])
    assert not joins(LETTERS, [(3, 3)])


def test_a_grid_ends_at_its_edges() -> None:
    rows = ("...", "...")
    assert inside(rows, (1, 2))
    assert not any(inside(rows, square) for square in ((-1, 0), (0, -1), (2, 0), (0, 3)))


def test_neighbours_are_four() -> None:
    assert set(neighbours((3, 3))) == {(2, 3), (4, 3), (3, 2), (3, 4)}


def test_the_way_by_street_goes_around_blocks() -> None:
    rows = ("...", ".#.", ".#.", "...")
    reached = distances(rows, [(1, 0)])
    assert reached[1, 2] == 4
    assert (1, 1) not in reached


def test_what_is_barred_is_not_walked_through() -> None:
    reached = distances(("...",), [(0, 0)], barred={(0, 1)})
    assert reached == {(0, 0): 0}


def test_a_square_is_called_by_its_column_and_row() -> None:
    assert square_name((4, 1)) == "B5"
    assert named_square("b5") == named_square(" B 5 ") == (4, 1)
    assert all(named_square(square_name((row, col))) == (row, col) for row in range(30) for col in range(26))


def test_what_names_no_square_is_none() -> None:
    assert [named_square(text) for text in ("", "5", "B", "B0", "5B", "BB5", "B100")] == [None] * 7
