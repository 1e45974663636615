"""A dungeon's ground: rock and its front, floor, what a legend explains, walls around, the ways in and out."""

from __future__ import annotations

from string import ascii_uppercase

from bot.games.crossword import BLOCK, Square, inside
from bot.games.dungeon.ground import Ground
from bot.games.dungeon.state import Dungeon
from render import theme
from render.canvas import CAP_HEIGHT, Colour, Surface
from render.dungeon import look, terrain
from render.dungeon.layout import COORDINATE, Grid
from render.dungeon.look import MOODS, Mood, Way

_STEPS: dict[Way, Square] = {"left": (0, -1), "up": (-1, 0), "right": (0, 1), "down": (1, 0)}
_BACK: dict[Way, Way] = {"left": "right", "right": "left", "up": "down", "down": "up"}


def mood_of(dungeon: Dungeon) -> Mood:
    """Return the colours of a dungeon's tier."""
    return MOODS[(dungeon.tier - 1) % len(MOODS)]


def paint_ground(
    surface: Surface, grid: Grid, dungeon: Dungeon, ground: Ground, on: Colour = theme.GROUND
) -> None:
    """Paint a map on which nothing lies yet, with its walls and the arrows in and out."""
    mood = mood_of(dungeon)
    rows, cell, wall = ground.rows, grid.cell, grid.wall
    right, bottom = grid.left + len(rows[0]) * cell, grid.top + len(rows) * cell
    box = (grid.left - wall, grid.top - wall, right + wall, bottom + wall)
    surface.rounded(box, max(3, wall // 3), mood.rock, on)
    for row, text in enumerate(rows):
        for col in range(len(text)):
            _paint_square(surface, grid, ground, (row, col), mood)
    for col, mark in enumerate(rows[0]):
        if mark != BLOCK:
            high = round(cell * 0.3)
            x, _ = grid.square((0, col))
            terrain.bricks(surface, x, grid.top - min(high, wall), cell, min(high, wall), mood, col)
    for number, mark in enumerate(ground.marks):
        for square in ground.marks[mark]:
            paint_hatch(surface, grid, square, mood, number, mark)
    _paint_ways(surface, grid, ground, mood)


def paint_hatch(surface: Surface, grid: Grid, square: Square, mood: Mood, number: int, mark: str) -> None:
    """Paint a square that a legend explains."""
    x, y = grid.square(square)
    surface.sprite((x + 1, y + 1), terrain.hatch(grid.cell - 2, mood, number, mark), mood.floor)


def _paint_square(surface: Surface, grid: Grid, ground: Ground, square: Square, mood: Mood) -> None:
    x, y = grid.square(square)
    cell = grid.cell
    if ground.open(square):
        surface.rect((x, y, x + cell, y + cell), mood.line)
        surface.rect((x + 1, y + 1, x + cell - 1, y + cell - 1), mood.floor)
        return
    front = ground.open((square[0] + 1, square[1]))
    variant = square[0] * 7 + square[1] * 5
    surface.sprite((x, y), terrain.rock(cell, mood, variant, front=front), mood.rock)


# The ways in and out


def side_of(ground: Ground, square: Square, preferred: tuple[Way, ...]) -> Way | None:
    """Return on which side of a square the world outside lies: beyond the map, else behind rock; None: nowhere.

    A side that leads straight on into the dungeon goes first, then the ``preferred``.
    """

    def rank(way: Way) -> tuple[bool, bool, int]:
        (row, col), (down, along) = square, _STEPS[way]
        return (
            inside(ground.rows, (row + down, col + along)),
            not ground.open((row - down, col - along)),
            preferred.index(way),
        )

    shut = [way for way in preferred if not ground.open(_beside(square, way))]
    return min(shut, key=rank, default=None)


def start_side(ground: Ground) -> Way | None:
    """Return on which side of the start one comes in."""
    return side_of(ground, ground.start, ("left", "up", "right", "down"))


def inward(ground: Ground) -> Way:
    """Return which way one goes when one comes in."""
    side = start_side(ground)
    return _BACK[side] if side else "right"


def exit_side(ground: Ground) -> Way | None:
    """Return on which side of the exit one goes out."""
    return side_of(ground, ground.exit, ("right", "down", "left", "up"))


def _beside(square: Square, way: Way) -> Square:
    return square[0] + _STEPS[way][0], square[1] + _STEPS[way][1]


def _paint_ways(surface: Surface, grid: Grid, ground: Ground, mood: Mood) -> None:
    cell = grid.cell
    coming, going = start_side(ground), exit_side(ground)
    x, y = grid.square(ground.start)
    inner = cell - 2
    surface.sprite((x + 1, y + 1), terrain.start(inner, inward(ground)), mood.floor)
    if coming:
        _paint_gap(surface, grid, ground, ground.start, coming, inward(ground), mood)
    x, y = grid.square(ground.exit)
    surface.sprite((x + 1, y + 1), terrain.finish(inner), mood.floor)
    if going:
        _paint_gap(surface, grid, ground, ground.exit, going, going, mood)


def _paint_gap(
    surface: Surface, grid: Grid, ground: Ground, square: Square, side: Way, way: Way, mood: Mood
) -> None:
    """Paint an arrow on one side of a square, in a gap of the wall or, inside the map, on the rock there."""
    colour = look.ENTER if way != side else look.LEAVE
    cell, wall = grid.cell, grid.wall
    x, y = grid.square(square)
    level = side in ("left", "right")
    within = inside(ground.rows, _beside(square, side))
    depth = cell if within else wall
    left = x + {"left": -depth, "right": cell}.get(side, 0)
    top = y + {"up": -depth, "down": cell}.get(side, 0)
    width, height = (depth, cell) if level else (cell, depth)
    if within:
        ground_colour = mood.rock
        surface.rect((left, top, left + width, top + height), ground_colour)
        inset_x = inset_y = round(cell * 0.14)
    else:
        ground_colour = mood.floor
        trim = round(cell * 0.08)
        box = (
            (left, top + trim, left + width, top + height - trim)
            if level
            else (left + trim, top, left + width - trim, top + height)
        )
        surface.rect(box, ground_colour)
        thin, long = max(1, round(wall * 0.08)), round(cell * 0.2)
        inset_x, inset_y = (thin, long) if level else (long, thin)
    arrow = terrain.arrow(width - 2 * inset_x, height - 2 * inset_y, way, colour)
    surface.sprite((left + inset_x, top + inset_y), arrow, ground_colour)


def paint_coordinates(surface: Surface, grid: Grid, ground: Ground) -> None:
    """Paint the column letters above and the row numbers to the left."""
    half = grid.cell // 2
    for col in range(len(ground.rows[0])):
        at = (grid.left + col * grid.cell + half, grid.top - grid.wall - 7)
        surface.text(at, ascii_uppercase[col], COORDINATE, theme.MUTED, theme.GROUND, "ms")
    for row in range(len(ground.rows)):
        baseline = grid.top + row * grid.cell + half + round(COORDINATE * CAP_HEIGHT / 2)
        surface.text(
            (grid.left - grid.wall - 16, baseline), str(row + 1), COORDINATE, theme.MUTED, theme.GROUND, "ms"
        )
