"""Wordopolis: the sides of the city maps, and how two of them join into one grid.

Rulebook: "Quick Play Setup", 3a and 3d; rulings: the ten sides, which live as data in ``content/maps.toml``.
A map is never turned: it keeps its north, whichever edge of HQ it lies at. Map and edge are chosen
independently.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from bot.games.chance import Chance
from bot.games.crossword import Square
from bot.games.defenders.state import City, Edge, MapName, Options, Poi, Side

SIZE = 9  # squares along each edge of a map
MAPS: tuple[MapName, ...] = ("north", "east", "south", "west")
EDGES: tuple[Edge, ...] = ("north", "east", "south", "west")
SIDES: tuple[Side, ...] = ("day", "night")

_POI = "?"
_START = "@"


class MapSide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One printed side of a map: rows of ``.`` street, ``#`` building, ``?`` POI and, on HQ, ``@`` start."""

    map: Literal["hq"] | MapName
    side: Side
    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        name = f"{self.map} {self.side}"
        if len(self.rows) != SIZE or any(len(row) != SIZE for row in self.rows):
            raise ValueError(f"{name}: a map has {SIZE} rows of {SIZE} squares")
        if set("".join(self.rows)) - set(".#?@"):
            raise ValueError(f"{name}: a square is one of . # ? @")
        if len(self.squares(_POI)) != 3:
            raise ValueError(f"{name}: a map side has three points of interest")
        if len(self.squares(_START)) != (self.map == "hq"):
            raise ValueError(f"{name}: HQ, and no other map, has one start")

    @property
    def name(self) -> str:
        """What players call it: "HQ day", "East night"."""
        return f"{'HQ' if self.map == 'hq' else self.map.capitalize()} {self.side}"

    def squares(self, icon: str) -> tuple[Square, ...]:
        """Return where ``icon`` is printed, in reading order."""
        return tuple((r, c) for r, row in enumerate(self.rows) for c, mark in enumerate(row) if mark == icon)


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sides: tuple[MapSide, ...]


def _load() -> dict[tuple[str, str], MapSide]:
    raw = (Path(__file__).parent / "content" / "maps.toml").read_bytes()
    content = msgspec.toml.decode(raw, type=_Content)
    return {(side.map, side.side): side for side in content.sides}


MAP_SIDES = _load()


def join(hq: MapSide, other: MapSide, edge: Edge) -> tuple[City, tuple[Square, ...]]:
    """Lay ``other`` along an edge of ``hq``; return the city and the squares of its POI, in reading order."""
    if edge in ("north", "south"):
        upper, lower = (other, hq) if edge == "north" else (hq, other)
        rows = upper.rows + lower.rows
    else:
        left, right = (other, hq) if edge == "west" else (hq, other)
        rows = tuple(west + east for west, east in zip(left.rows, right.rows, strict=True))
    corner = {"north": (SIZE, 0), "east": (0, 0), "south": (0, 0), "west": (0, SIZE)}[edge]
    far = {"north": (0, 0), "east": (0, SIZE), "south": (SIZE, 0), "west": (0, 0)}[edge]
    start = hq.squares(_START)[0]
    city = City(
        rows=tuple(row.replace(_POI, ".").replace(_START, ".") for row in rows),
        start=(corner[0] + start[0], corner[1] + start[1]),
        hq=corner,
        other=far,
        hq_name=hq.name,
        other_name=other.name,
    )
    icons = tuple((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == _POI)
    return city, icons


def on_hq(city: City, square: Square) -> bool:
    """Return whether a square of the joined grid belongs to the starting map."""
    return 0 <= square[0] - city.hq[0] < SIZE and 0 <= square[1] - city.hq[1] < SIZE


def found(options: Options, chance: Chance) -> tuple[City, tuple[Poi, ...]]:
    """Return the city and its POI that ``options`` ask for; what they leave open is drawn."""
    name = chance.pick(MAPS) if options.map == "any" else options.map
    edge = chance.pick(EDGES) if options.edge == "any" else options.edge
    hq_side = chance.pick(SIDES) if options.hq_side == "any" else options.hq_side
    map_side = chance.pick(SIDES) if options.map_side == "any" else options.map_side
    city, icons = join(MAP_SIDES["hq", hq_side], MAP_SIDES[name, map_side], edge)
    if options.difficulty == "beginner":
        return city, tuple(Poi(row, col, 0) for row, col in icons)
    numbers = chance.shuffled(range(1, len(icons) + 1))
    return city, tuple(Poi(row, col, number) for (row, col), number in zip(icons, numbers, strict=True))
