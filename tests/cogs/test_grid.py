"""How the cogs read and write squares and lists."""

from __future__ import annotations

import pytest

from bot.games.crossword import square_name
from bot.games.game import IllegalMove
from bot.tables.wording import counted, cut, listed, when
from cogs.grid import parse_spot, parse_square, spot


@pytest.mark.parametrize(
    ("text", "square"), [("E5", (4, 4)), (" r9 ", (8, 17)), ("5e", (4, 4)), ("i 18", (17, 8))]
)
def test_a_square_is_read_as_players_write_it(text: str, square: tuple[int, int]) -> None:
    assert parse_square(text) == square
    assert parse_square(square_name(square)) == square


@pytest.mark.parametrize("text", ["", "5E5", "E", "E0", "E123", "EE5", "E-5", "É5"])
def test_text_that_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match="such as E5"):
        parse_square(text)


@pytest.mark.parametrize(
    ("text", "square", "across"),
    [
        ("E5 across", (4, 4), True),
        ("down, b2", (1, 1), False),
        ("c3", (2, 2), None),
        ("A1 a", (0, 0), True),
        ("2F down", (1, 5), False),
        ("F1d", (0, 5), False),
        ("a2a", (1, 0), True),
        ("12dacross", (11, 3), True),
        ("2d", (1, 3), None),
    ],
)
def test_a_place_is_read_in_either_order(text: str, square: tuple[int, int], across: bool | None) -> None:
    assert parse_spot(text) == (square, across)
    if across is not None:
        assert parse_spot(spot(square, across)) == (square, across)


@pytest.mark.parametrize(
    "text", ["", "across", "E5 F6", "E5 across down", "E5 sideways", "99 across", "5 d", "d5d5", "F1dd"]
)
def test_a_place_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match="such as E5"):
        parse_spot(text)


def test_lists_numbers_and_times_read_as_people_say_them() -> None:
    assert [listed("ABC"[:count]) for count in range(4)] == ["", "A", "A and B", "A, B and C"]
    assert [counted(1, "letter"), counted(2, "letter"), counted(2, "match", "matches")] == [
        "1 letter",
        "2 letters",
        "2 matches",
    ]
    assert (when(None), when(60), cut("abcdef", 4)) == ("", " <t:60:R>", "abc…")
