"""How fast the pictures are and how large: ``figures`` for ``wordmoot bench``.

The board measured is fuller than any game's: every street that runs through is full of letters, every space of the
Commons Board is taken, a word is proposed. Packed anew it is a table's first picture; after a move it is any later
one. The ground and the sprites are drawn already, as in a bot that has been running for a while.

What they are compared with is the same picture drawn the straightforward way: an RGB image, fonts loaded for each
picture, everything drawn afresh, Pillow's own PNG. It goes first: its large images teach the C library's allocator
to keep freed memory, as loading the words does in a bot. Until then each picture waits for fresh pages.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from time import perf_counter

from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFont

from bot.games.defenders.city import MAP_SIDES, join
from bot.games.defenders.state import (
    PLAYER_BAG,
    VILLAIN,
    VILLAIN_BAG,
    WILD,
    Edge,
    Goal,
    Laid,
    Play,
    Poi,
    Proposal,
    Public,
    Tile,
    View,
)
from render import theme
from render.canvas import FONT, Box, Colour, Point, Sprite, packed
from render.defenders import board, rack
from render.defenders.layout import layout
from render.defenders.table import paint_ground, paint_play

NAMES = ("Ada", "Benedict", "Cleopatra", "Dmitri")
ROUNDS = 40

_LETTERS = (PLAYER_BAG.replace(WILD, "E") * 4 + VILLAIN_BAG) * 2


class Plain:
    """The straightforward ``Surface``: an RGB image, nothing kept."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self.image = Image.new("RGB", (width, height), ground)
        self.draw = ImageDraw.Draw(self.image)
        self.fonts: dict[int, ImageFont.FreeTypeFont] = {}
        self.left = self.top = 0

    def rect(self, box: Box, colour: Colour) -> None:
        """Fill a box."""
        self.draw.rectangle(self._moved(box), fill=colour)

    def rounded(self, box: Box, radius: int, colour: Colour, on: Colour) -> None:
        """Fill a box with round corners."""
        self.draw.rounded_rectangle(self._moved(box), radius, fill=colour)

    def ellipse(self, box: Box, colour: Colour, on: Colour) -> None:
        """Fill an ellipse."""
        self.draw.ellipse(self._moved(box), fill=colour)

    def polygon(self, points: Sequence[Point], colour: Colour, on: Colour) -> None:
        """Fill a polygon."""
        self.draw.polygon([(x + self.left, y + self.top) for x, y in points], fill=colour)

    def text(self, at: Point, text: str, size: int, colour: Colour, on: Colour, anchor: str = "ls") -> None:
        """Write one line."""
        if size not in self.fonts:
            self.fonts[size] = ImageFont.truetype(str(FONT), size)
        where = (at[0] + self.left, at[1] + self.top)
        self.draw.text(where, text, fill=colour, font=self.fonts[size], anchor=anchor)

    def sprite(self, at: tuple[int, int], sprite: Sprite, on: Colour) -> None:
        """Draw a sprite where it belongs."""
        back = self.left, self.top
        self.left, self.top = self.left + at[0], self.top + at[1]
        sprite.draw(self, on)
        self.left, self.top = back

    def png(self) -> bytes:
        """Return the picture as Pillow writes it."""
        out = io.BytesIO()
        self.image.save(out, "PNG")
        return out.getvalue()

    def _moved(self, box: Box) -> Box:
        left, top, right, bottom = box
        return left + self.left, top + self.top, right + self.left - 1, bottom + self.top - 1


def plain_board(view: View, names: Sequence[str]) -> bytes:
    """Return the board's picture, drawn plainly."""
    public = view.public
    place = layout(public.city)
    surface = Plain(place.width, place.height, theme.GROUND)
    paint_ground(surface, public.city, public.goal, public.seats)
    paint_play(surface, view, names)
    return surface.png()


def largest(edge: Edge) -> View:
    """Return a view of four seats whose board is as full as it can be."""
    city, icons = join(MAP_SIDES["hq", "day"], MAP_SIDES["east", "night"], edge)
    rows, cols = len(city.rows), len(city.rows[0])
    through = [
        (row, col)
        for row in range(rows)
        for col in range(cols)
        if (row % 3 == 1 or col % 3 == 1) and city.rows[row][col] == "."
    ]
    laid = tuple(
        Laid(row, col, _LETTERS[41 * number % 154], number % 17 == 3, number % 5 - 1, 1 + number // 4)
        for number, (row, col) in enumerate(through)
    )
    public = Public(
        seats=4,
        goal=Goal("intermediate", 3, 6, 90),
        city=city,
        referee="printed",
        patience=60_000,
        pace="live",
        round=max(tile.round for tile in laid),
        phase="word",
        since=0,
        vp=88,
        villain="Q",
        villain_left=3,
        contributed=tuple(Tile(letter, seat) for seat, letter in enumerate("WM*G")),
        storage=tuple(Tile(letter, 0) for letter in "BWM*HY"),
        laid=laid,
        pois=tuple(Poi(row, col, number) for number, (row, col) in enumerate(icons, 1)),
        collected=(1, 2),
        discarded=(Tile("Z", VILLAIN),),
        proposal=Proposal(1, _proposed(laid), 0),
    )
    return View(
        public=public,
        seat=2,
        rack=("*", "A", "M", "Q", "W"),
        mine=("E",),
        sealed=(True,) * 4,
        rack_sizes=(5,) * 4,
        bag_sizes=(22, 21, 20, 19),
        unseen=((),) * 4,
        spare=0,
        lucky_unseen=(),
        villain_unseen=(),
    )


def _proposed(laid: Sequence[Laid]) -> Play:
    """Return a word along the top edge, as it would read over what stands there."""
    standing = {tile.col: tile.letter for tile in laid if tile.row == 0}
    word = "".join(standing.get(col, letter) for col, letter in enumerate("GYMNASTS"))
    return Play(word, 0, 0, across=True, wild=(2,))


def figures() -> Iterator[dict[str, float | str | None]]:
    """Yield each figure with its limit; ``baseline`` is what it is compared with, in the figure's unit."""
    fast = again = slow = size = 0.0
    for edge in ("east", "north"):
        view = largest(edge)
        slow = max(slow, _ms(partial(plain_board, view, NAMES), ROUNDS // 4))
        fast = max(fast, _ms(partial(board, view, NAMES), ROUNDS, packed.cache_clear))
        again = max(again, _ms(_moves(view), ROUNDS))
        size = max(size, len(board(view, NAMES)) / 1000)
    view = largest("east")
    yield _figure("largest board to PNG, all of it packed anew", fast, "ms", 8, slow)
    yield _figure("largest board to PNG after a move", again, "ms", 8, fast)
    yield _figure("largest board's PNG", size, "KB", 60, None)
    faster = _figure("largest board to PNG, how much faster than plainly", slow / fast, "times", 5, 1)
    yield {**faster, "at_least": True}
    yield _figure("rack to PNG", _ms(partial(rack, view, NAMES), ROUNDS), "ms", 4, None)


def _figure(
    figure: str, value: float, unit: str, limit: float, baseline: float | None
) -> dict[str, float | str | None]:
    rounded = None if baseline is None else round(baseline, 2)
    return {"figure": figure, "value": round(value, 2), "unit": unit, "limit": limit, "baseline": rounded}


def _moves(view: View) -> Callable[[], bytes]:
    """Return what draws the board after yet another letter of the map has changed, at each call."""
    letters = iter(range(10**9))

    def draw() -> bytes:
        number = next(letters)
        laid = list(view.public.laid)
        at = 7 * number % len(laid)
        laid[at] = replace(laid[at], letter=_LETTERS[number % len(_LETTERS)], round=view.public.round)
        return board(replace(view, public=replace(view.public, laid=tuple(laid))), NAMES)

    return draw


def _ms(draw: Callable[[], bytes], rounds: int, before: Callable[[], object] = int) -> float:
    """Return the median time of ``draw`` in ms; ``before`` each, untimed."""
    draw()
    times = []
    for _ in range(rounds):
        before()
        start = perf_counter()
        draw()
        times.append(perf_counter() - start)
    return median(times) * 1000
