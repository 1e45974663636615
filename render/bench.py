"""How fast the pictures are and how large: ``figures`` for ``wordmoot bench``.

The board measured is fuller than any game's: every street that runs through is full of letters, every space of the
Commons Board is taken, a word is proposed. A dungeon's has 13 by 13 squares, a letter on all floor, more things, monsters
and rules than any of ours, and a party of four with a proposal. Packed anew it is a table's first picture; after a move it is any later
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

from bot.games.crossword import Square
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
from bot.games.dungeon.bylaws import AllDoors, BarredOn, Collapsing, Gems, LongWords, NotBefore
from bot.games.dungeon.ground import Monster
from bot.games.dungeon.state import Dungeon, Mark, Place, Progress, Run, Scoring
from bot.games.dungeon.state import Proposal as Matter
from bot.games.dungeon.state import Public as Depths
from bot.games.dungeon.state import View as Seen
from render import dungeon, theme
from render.canvas import FONT, Box, Colour, Point, Sprite, packed
from render.defenders import board, rack
from render.defenders.layout import layout
from render.defenders.table import paint_ground, paint_play
from render.dungeon import table as depths

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


# A dungeon of 13 by 13 squares

_FEATURES = {
    (0, 0): ">", (12, 12): "<", (2, 4): "*", (4, 2): "*", (6, 8): "*", (8, 6): "*", (4, 10): "*", (10, 4): "*",
    (2, 0): "1", (0, 6): "1", (6, 2): "1", (2, 9): "%", (8, 2): "%", (12, 7): "%", (5, 6): "A", (10, 9): "E",
    (12, 3): "S", (1, 12): "T", (7, 4): "=", (9, 8): "=", (4, 5): "~", (6, 11): "~",
}  # fmt: skip


def deepest(turns: int = 13) -> Seen:
    """Return a party's view of a dungeon of 13 by 13 squares, after some of the 13 turns that fill its floor.

    Its words are none, and lie where no rule would let them.
    """
    lines = [(row, 0, True) for row in range(0, 13, 2)] + [(0, col, False) for col in (0, 2, 4, 6, 8, 10)]
    letters: dict[Square, str] = {square: mark for square, mark in _FEATURES.items() if mark.isupper()}
    places = []
    for number, (row, col, across) in enumerate(lines):
        word = ""
        for step in range(13):
            square = (row, col + step) if across else (row + step, col)
            word += letters.setdefault(square, _LETTERS[(41 * number + 7 * step) % len(_LETTERS)])
        places.append(Place(word, row, col, across, (1, 1, 0) if number < 5 else (0,) * 3))
    run = Run(tuple(places[:turns]), hints=1)
    proposal = Matter(2, Place("GYMNAST", 6, 12, False, (0, 0, 2)), 0, (1, 2), (0,))
    public = Depths(4, "party", _deep_dungeon(), proposal=proposal)
    return Seen(public, None, run, (Progress(turns, 1, None),), None)


def _deep_dungeon() -> Dungeon:
    squares = [
        [_FEATURES.get((row, col), "." if row % 2 == 0 or col % 2 == 0 else "#") for col in range(13)]
        for row in range(13)
    ]
    return Dungeon(
        key="deep",
        name="The Deepest Dungeon of All",
        tier=4,
        story="It goes on.",
        rows=tuple("".join(row) for row in squares),
        legend=(Mark("~", "thin ice"), Mark("=", "grating")),
        turns=20,
        monsters=tuple(Monster(name, 3) for name in ("BASILISK", "GIANT", "DRAGON")),
        scoring=Scoring(chest=2, gem=2, key=1, door=3),
        rules=(
            AllDoors(), Gems(4), NotBefore(9), LongWords(8, 2), BarredOn("~"), Collapsing("=", 9),
        ),
        par=60,
    )  # fmt: skip


def plain_depths(view: Seen, names: Sequence[str]) -> bytes:
    """Return a dungeon's picture, drawn plainly."""
    place = depths.place_of(view)
    surface = Plain(place.width, place.height, theme.GROUND)
    depths.paint_still(surface, view.public.dungeon, place)
    depths.paint_play(surface, view, names)
    return surface.png()


def _digs() -> Callable[[], bytes]:
    """Return what draws the deepest dungeon after yet another turn, or with one taken back, at each call."""
    views = [deepest(turns) for turns in (*range(4, 13), *range(13, 4, -1))]
    calls = iter(range(10**9))
    return lambda: dungeon.board(views[next(calls) % len(views)], NAMES)


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
    yield from _dungeon_figures()


def _dungeon_figures() -> Iterator[dict[str, float | str | None]]:
    view = deepest()
    slow = _ms(partial(plain_depths, view, NAMES), ROUNDS // 4)
    fast = _ms(partial(dungeon.board, view, NAMES), ROUNDS, packed.cache_clear)
    yield _figure("largest dungeon to PNG, all of it packed anew", fast, "ms", 8, slow)
    yield _figure("largest dungeon to PNG after a turn", _ms(_digs(), ROUNDS), "ms", 8, fast)
    yield _figure("largest dungeon's PNG", len(dungeon.board(view, NAMES)) / 1000, "KB", 60, None)


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
