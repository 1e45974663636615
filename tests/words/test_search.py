"""The search: exactly what a slow and simple reference finds, and the corners that games depend on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.words.lexicon import Lexicon
from bot.words.search import Grid, Placement, Search

_WORDS = """
    AB AD AE AN AS AT BA BE DA EN ES NA NE ST TA TE
    ABA ADS ANA ANT ATE BAD BAN BAT BEE BET DAB DEN EAT END NAB NET SAD SAT SEA SEE SET TAB TAN TEA TEE TEN
    BAAS BANE BANS BASE BATS BEAN BEAT BEDS BEST BETA DATA DEAN EASE EATS NEAT NEST SANE SEAT SEED TEEN TENT TEST
    BASTE BEADS BEANS BEAST DATES NEATEN SEDATE STATED STATES TASTED BANANA BANDANAS ABATEDNESS
"""
WORDS = _WORDS.split()
COMMON = [word for word in WORDS if sum(map(ord, word)) % 3]
OFFENDING = ["BASTE", "SEED", "TAN"]
LEXICON = Lexicon.of(WORDS, COMMON, OFFENDING)
SEARCH = LEXICON.search


def lines_of(grid: Grid, across: bool) -> list[list[str]]:
    rows = [
        ["#" if square == "." and (r, c) in grid.barred else square for c, square in enumerate(row)]
        for r, row in enumerate(grid.rows)
    ]
    return rows if across else [list(column) for column in zip(*rows, strict=True)]


def run_through(line: list[str], at: int) -> str:
    """The letters that stand together around a square of a line."""
    start = end = at
    while start and line[start - 1].isalpha():
        start -= 1
    while end + 1 < len(line) and line[end + 1].isalpha():
        end += 1
    return "".join(line[start : end + 1])


def squares_of(placement: Placement) -> list[tuple[int, int]]:
    row, col, size = placement.row, placement.col, len(placement.word)
    return [(row, col + k) if placement.across else (row + k, col) for k in range(size)]


def reference(
    grid: Grid, words: list[str], letters: str, wild: int, ask: Callable[[str], bool] | None
) -> set[Placement]:
    """Lay every word at every square in both directions and look at what has come of it."""
    found = set()
    for word in words:
        for across in (True, False):
            for row in range(len(grid.rows)):
                for col in range(len(grid.rows[0])):
                    found.update(attempt(grid, word, row, col, across, letters, wild, ask))
    return found


def attempt(
    grid: Grid,
    word: str,
    row: int,
    col: int,
    across: bool,
    letters: str,
    wild: int,
    ask: Callable[[str], bool] | None,
) -> Iterator[Placement]:
    squares = squares_of(Placement(word, row, col, across, 0, ()))
    if any(r >= len(grid.rows) or c >= len(grid.rows[0]) for r, c in squares):
        return
    lines = lines_of(grid, True)
    new = [square for square in squares if lines[square[0]][square[1]] == "."]
    if not new or any(lines[r][c] not in (".", letter) for (r, c), letter in zip(squares, word, strict=True)):
        return
    lay = {square: letter for square, letter in zip(squares, word, strict=True) if square in new}
    crossed = {
        (r, c)
        for r, c in new
        for dr, dc in (((1, 0), (-1, 0)) if across else ((0, 1), (0, -1)))
        if 0 <= r + dr < len(lines) and 0 <= c + dc < len(lines[0]) and lines[r + dr][c + dc].isalpha()
    }
    if grid.start is None:
        if len(new) == len(word) and not crossed:
            return
    elif grid.start not in squares:
        return
    elif grid.within is not None:
        top, left, height, width = grid.within
        if not all(top <= r < top + height and left <= c < left + width for r, c in squares):
            return
    after = Grid(
        tuple(
            "".join(lay.get((r, c), square) for c, square in enumerate(line)) for r, line in enumerate(lines)
        )
    )
    along, over = lines_of(after, across), lines_of(after, not across)
    line, place = (row, col) if across else (col, row)
    if run_through(along[line], place) != word:
        return
    for r, c in crossed:
        line, place = (c, r) if across else (r, c)
        if ask is not None and not ask(run_through(over[line], place)):
            return
    need = Counter(lay.values())
    lacking = need - Counter(letters)
    if lacking.total() > wild:
        return
    served = []
    for letter, count in lacking.items():
        places = [k for k, square in enumerate(squares) if square in new and word[k] == letter]
        served.extend(sorted(places, key=lambda k: (squares[k] in crossed, k))[:count])
    yield Placement(word, row, col, across, len(new), tuple(sorted(served)))


squares = st.sampled_from("......##ABDENST")
grids = st.integers(1, 7).flatmap(
    lambda width: st.lists(st.text(squares, min_size=width, max_size=width), min_size=1, max_size=7).map(
        tuple
    )
)
hands = st.text("ABDENST", max_size=7)


@settings(max_examples=100, deadline=None)
@given(
    rows=grids,
    letters=hands,
    wild=st.integers(0, 2),
    barred=st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=3),
)
def test_placements_are_exactly_what_the_reference_finds(
    rows: tuple[str, ...], letters: str, wild: int, barred: frozenset[tuple[int, int]]
) -> None:
    grid = Grid(rows, barred=barred)
    found = list(SEARCH.placements(grid, letters, wild))
    assert len(found) == len(set(found))
    assert set(found) == reference(grid, WORDS, letters, wild, LEXICON.legal)


@settings(max_examples=60, deadline=None)
@given(rows=grids, letters=hands, wild=st.integers(0, 1))
def test_the_tiers_hold_for_the_word_and_for_all_that_it_crosses(
    rows: tuple[str, ...], letters: str, wild: int
) -> None:
    grid = Grid(rows)
    common = set(SEARCH.placements(grid, letters, wild, common=True))
    words = [word for word in WORDS if LEXICON.common(word)]
    assert common == reference(grid, words, letters, wild, LEXICON.common)
    mild = set(SEARCH.placements(grid, letters, wild, mild=True))
    words = [word for word in WORDS if word not in OFFENDING]
    assert mild == reference(grid, words, letters, wild, lambda word: word in words)


@settings(max_examples=60, deadline=None)
@given(
    size=st.tuples(st.integers(1, 7), st.integers(1, 7)),
    start=st.tuples(st.integers(0, 6), st.integers(0, 6)),
    within=st.none() | st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 6), st.integers(1, 6)),
    letters=hands,
    wild=st.integers(0, 2),
)
def test_the_first_word_covers_the_start_and_stays_within(
    size: tuple[int, int],
    start: tuple[int, int],
    within: tuple[int, int, int, int] | None,
    letters: str,
    wild: int,
) -> None:
    grid = Grid(("." * size[1],) * size[0], start, within)
    assert set(SEARCH.placements(grid, letters, wild)) == reference(grid, WORDS, letters, wild, LEXICON.legal)
    fits = [placement for word in WORDS for placement in Search.fits(grid, word, letters, wild)]
    assert set(fits) == reference(grid, WORDS, letters, wild, None)


@settings(max_examples=100, deadline=None)
@given(rows=grids, letters=hands, wild=st.integers(0, 2), word=st.text("ABDENST", min_size=2, max_size=5))
def test_fits_goes_by_geometry_and_letters_alone(
    rows: tuple[str, ...], letters: str, wild: int, word: str
) -> None:
    grid = Grid(rows)
    assert set(Search.fits(grid, word, letters, wild)) == reference(grid, [word], letters, wild, None)


@settings(max_examples=100, deadline=None)
@given(letters=st.text("ABDENST", max_size=12), wild=st.integers(0, 4))
def test_words_from_letters_are_exactly_those_that_the_letters_spell(letters: str, wild: int) -> None:
    stock = Counter(letters)
    spelled = [word for word in WORDS if (Counter(word) - stock).total() <= wild]
    found = SEARCH.from_letters(letters, wild)
    assert list(found) == sorted(set(spelled), key=lambda word: (len(word), word))
    assert [found[at] for at in range(len(found))] == list(found)
    assert set(SEARCH.from_letters(letters, wild, common=True)) == {w for w in spelled if LEXICON.common(w)}
    assert set(SEARCH.from_letters(letters, wild, mild=True)) == set(spelled) - set(OFFENDING)


def test_a_wildcard_serves_a_square_without_a_cross_word_when_the_letter_is_laid_twice() -> None:
    crossing = Grid((".....", "..A..", "....."))
    beside = [p for p in Search.fits(crossing, "TEE", "TE", 1) if (p.row, p.col, p.across) == (0, 0, True)]
    assert beside == [Placement("TEE", 0, 0, True, 3, (1,))]


def test_columns_agree_with_the_placements_and_a_choice_keeps_its_order() -> None:
    found = SEARCH.placements(Grid((".......", "..SEA..", ".......")), "BATEND", 1)
    assert len(found) > 20
    for at, placement in enumerate(found):
        assert LEXICON.words[int(found.number[at])] == placement.word
        assert (found.length[at], found.new[at]) == (len(placement.word), placement.new)
        assert (found.row[at], found.col[at], bool(found.across[at])) == placement[1:4]
        assert found.lacking[at] == len(placement.wild)
    longest = found.take(found.length == found.length.max())
    assert {len(placement.word) for placement in longest} == {int(found.length.max())}
    assert list(found[3:6]) == [found[3], found[4], found[5]]


def test_a_placement_joins_letters_that_are_laid() -> None:
    assert len(SEARCH.placements(Grid(("....", "....")), "BEAT")) == 0
    assert Search.fits(Grid(("....", "....")), "BEAT", "BEAT") == []


def test_a_word_that_runs_on_into_another_letter_is_another_word() -> None:
    assert Search.fits(Grid(("...A",)), "TEN", "TEN") == []
    assert [p.word for p in SEARCH.placements(Grid(("DAT.",)), "AX")] == ["DATA"]


def test_a_grid_of_nine_maps_is_searched_to_the_last_line() -> None:
    rows = ["." * 27 for _ in range(27)]
    rows[26] = "." * 24 + "SEA"
    assert set(SEARCH.placements(Grid(tuple(rows)), "T")) == {
        Placement("TA", 25, 26, False, 1, ()),
        Placement("TE", 25, 25, False, 1, ()),
    }
    rows[26] = "." * 21 + "SEA..."
    assert set(SEARCH.placements(Grid(tuple(rows)), "T")) == {
        Placement("SEAT", 26, 21, True, 1, ()),
        Placement("TA", 25, 23, False, 1, ()),
        Placement("TE", 25, 22, False, 1, ()),
    }


@pytest.mark.parametrize("rows", [(), ("",), ("..", "."), ("a",), ("?",), ("É",)])
def test_a_grid_that_is_none_is_refused(rows: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="grid"):
        Grid(rows)


@pytest.mark.parametrize("letters", ["abc", "A*", "É", "A B"])
def test_letters_that_are_none_are_refused(letters: str) -> None:
    with pytest.raises(ValueError, match="A-Z"):
        SEARCH.from_letters(letters)
    with pytest.raises(ValueError, match="A-Z"):
        SEARCH.placements(Grid(("A.",)), letters)
    with pytest.raises(ValueError, match="A-Z"):
        Search.fits(Grid(("A.",)), "AB", letters)


def test_an_empty_lexicon_finds_nothing() -> None:
    search = Lexicon.of([]).search
    assert list(search.from_letters("ABC", 2)) == []
    assert list(search.placements(Grid(("A..",)), "BC", 2)) == []
