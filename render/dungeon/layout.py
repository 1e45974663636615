"""Where everything lies on the pictures, in px.

One column, made for a phone held upright: the score above, then the players where there are any to show, the map as wide as
its squares need, and below it loot, rules and monsters. Squares are larger on smaller maps, so that every picture has about the
same size.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bot.games.crossword import Square
from bot.games.dungeon.state import Dungeon
from render.canvas import Box, width_of
from render.dungeon.captions import Caption, captions

EDGE = 16  # px around everything
GAP = 12  # px between panels
NARROW = 600  # px, the least width
COORDINATE = 26  # px, the font
CAPTION = 26
COUNT = 27
ICON = 32
TICK = 26
COIN = 34
NEAR = 8  # px between what belongs together
CHIP = 42  # px, a line of loot and captions
ROW = 42  # px, a player's line
HEAD = 100
NAME_LETTER = (27, 35)  # px, of a monster's name
MONSTER = 40
BEAST = 50  # px, a line of monsters

_LARGEST, _SPAN = 68, 660  # px: the largest square, and the longer side of the largest map
_BESIDE = 32  # px, room for the row numbers
_BETWEEN = 22  # px between chips
_INSET = 14


class Grid(NamedTuple):
    """A map's squares: the corner of the first, the side of each, how thick the walls around are."""

    left: int
    top: int
    cell: int
    wall: int

    def square(self, square: Square) -> tuple[int, int]:
        """Return a square's top left corner."""
        return self.left + square[1] * self.cell, self.top + square[0] * self.cell


class Loot(NamedTuple):
    """Something that is worth points: what, how many there are, what each is worth."""

    kind: str
    total: int
    worth: int


class Layout(NamedTuple):
    """Boxes and corners. ``loot``, ``captions`` and ``monsters`` hold what is there with its top left corner."""

    width: int
    height: int
    head: Box
    rows: tuple[Box, ...]
    grid: Grid
    things: Box | None
    loot: tuple[tuple[Loot, int, int], ...]
    captions: tuple[tuple[Caption, int, int], ...]
    den: Box | None
    monsters: tuple[tuple[int, int, int], ...]


def wall_of(cell: int) -> int:
    """Return how thick the walls around a map are."""
    return max(7, round(cell * 0.42))


@lru_cache(maxsize=64)
def layout(dungeon: Dungeon, seats: int = 0) -> Layout:
    """Return the layout of a board that names ``seats`` players."""
    high, wide = len(dungeon.rows), len(dungeon.rows[0])
    cell = min(_LARGEST, _SPAN // max(high, wide))
    wall = wall_of(cell)
    across = wide * cell + 2 * wall + _BESIDE
    width = max(NARROW, across + 2 * EDGE)
    inner = width - 2 * EDGE
    head = (EDGE, EDGE, width - EDGE, EDGE + HEAD)
    rows = _rows(seats, head[3] + GAP, width)
    top = (rows[-1][3] if rows else head[3]) + GAP + _BESIDE - 8
    grid = Grid((width - across) // 2 + _BESIDE + wall, top + wall, cell, wall)
    bottom = grid.top + high * cell + wall

    every_loot = _loot(dungeon)
    lines = _lines(captions(dungeon), inner - 2 * _INSET)
    widths = [_loot_width(one) for one in every_loot] + [_caption_width(one) for one in lines]
    things, corners, bottom = _panel(widths, bottom, width, CHIP)
    den, beasts, bottom = _panel([_beast_width(one.name) for one in dungeon.monsters], bottom, width, BEAST)
    return Layout(
        width=width,
        height=bottom + EDGE,
        head=head,
        rows=rows,
        grid=grid,
        things=things,
        loot=tuple((one, *corner) for one, corner in zip(every_loot, corners, strict=False)),
        captions=tuple((one, *corner) for one, corner in zip(lines, corners[len(every_loot) :], strict=True)),
        den=den,
        monsters=tuple((number, *corner) for number, corner in enumerate(beasts)),
    )


def _rows(seats: int, top: int, width: int) -> tuple[Box, ...]:
    """Return the players' lines, two abreast."""
    half = (width - 2 * EDGE - GAP) // 2
    return tuple(
        (left, y, left + (half if seats > 1 else width - 2 * EDGE), y + ROW)
        for seat in range(seats)
        for left, y in [(EDGE + seat % 2 * (half + GAP), top + seat // 2 * (ROW + 6))]
    )


def _panel(
    widths: Sequence[int], above: int, width: int, line: int
) -> tuple[Box | None, list[tuple[int, int]], int]:
    """Return a panel below ``above`` for things of some widths in lines, their corners, and where it ends."""
    if not widths:
        return None, [], above
    left, right, top = EDGE + _INSET, width - EDGE - _INSET, above + GAP
    corners = []
    x, y = left, top + 6
    for wide in widths:
        if x > left and x + wide > right:
            x, y = left, y + line
        corners.append((x, y))
        x += wide + _BETWEEN
    bottom = y + line + 6
    return (EDGE, top, width - EDGE, bottom), corners, bottom


def _loot(dungeon: Dungeon) -> list[Loot]:
    found = [Loot("leave", 0, dungeon.scoring.leave)] if dungeon.scoring.leave else []
    text = "".join(dungeon.rows)
    for kind, count in (
        ("chest", sum(mark.isupper() for mark in text)),
        ("gem", text.count("*")),
        ("key", sum(mark.isdigit() for mark in text)),
        ("door", text.count("%")),
    ):
        if count:
            found.append(Loot(kind, count, getattr(dungeon.scoring, kind)))
    return found


def counted(count: int, total: int) -> str:
    """Return how many of a kind there are, as it is written beside them."""
    return f"{count}/{total}"


def count_width(total: int) -> int:
    """Return how much room a count takes with what is left free before it; none is shown of nothing."""
    return round(width_of(counted(total, total), COUNT)) + NEAR if total else 0


def _loot_width(loot: Loot) -> int:
    return ICON + count_width(loot.total) + (NEAR + COIN if loot.worth else 0)


def _caption_width(caption: Caption) -> int:
    icon = ICON + NEAR if caption.mark else 0
    tick = TICK + NEAR if caption.condition is not None else 0
    return icon + tick + count_width(caption.squares) + round(width_of(caption.text, CAPTION))


def _beast_width(name: str) -> int:
    return MONSTER + NEAR + len(name) * (NAME_LETTER[0] + 2) + NEAR + COIN


def _lines(every: Sequence[Caption], width: int) -> list[Caption]:
    """Return the captions, those too wide for a line as several."""
    found: list[Caption] = []
    for caption in every:
        rest = caption
        while _caption_width(rest) > width and " " in rest.text:
            words = rest.text.split()
            cut = next(
                (end for end in range(len(words) - 1, 1, -1)
                 if _caption_width(rest._replace(text=" ".join(words[:end]))) <= width),
                1,
            )  # fmt: skip
            found.append(rest._replace(text=" ".join(words[:cut])))
            rest = Caption(" ".join(words[cut:]))
        found.append(rest)
    return found
