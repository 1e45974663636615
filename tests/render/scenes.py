"""Views of Defenders tables, built by hand on the real maps."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from PIL import Image

from bot.games.defenders.city import MAP_SIDES, join
from bot.games.defenders.state import VILLAIN, Edge, Goal, Laid, MapName, Poi, Public, Side, Tile, View

NAMES = ("Ada", "Ben", "Cleo", "Dmitri")


def public(
    *,
    hq_side: Side = "day",
    map: MapName = "east",  # noqa: A002 - the option's name
    map_side: Side = "night",
    edge: Edge = "east",
    seats: int = 3,
    numbered: bool = False,
    **changes: Any,
) -> Public:
    """Return a table in its seventh round, the letters of the team on the Commons Board."""
    city, icons = join(MAP_SIDES["hq", hq_side], MAP_SIDES[map, map_side], edge)
    numbers = (3, 1, 6, 2, 5, 4) if numbered else (0,) * 6
    values: dict[str, Any] = {
        "seats": seats,
        "goal": Goal("intermediate" if numbered else "beginner", 1, 4, 70 if numbered else 60),
        "city": city,
        "referee": "printed",
        "patience": 60_000,
        "pace": "live",
        "round": 7,
        "phase": "word",
        "since": 0,
        "vp": 34,
        "villain": "K",
        "villain_left": 19,
        "contributed": tuple(Tile(letter, seat) for seat, letter in enumerate("RWD*"[:seats])),
        "storage": (Tile("A", 0), Tile("*", 1)),
        "laid": cards(city.start),
        "pois": tuple(Poi(row, col, number) for (row, col), number in zip(icons, numbers, strict=True)),
        "collected": (),
        "discarded": (),
    }
    return Public(**(values | changes))


def cards(start: tuple[int, int]) -> tuple[Laid, ...]:
    """Return CARDS across the start, laid in round 5: its A a wildcard, its R the villain's."""
    row, col = start[0], start[1] - 2
    owners = (0, 1, VILLAIN, 2, 0)
    return tuple(
        Laid(row, col + index, letter, index == 1, owner, 5)
        for index, (letter, owner) in enumerate(zip("CARDS", owners, strict=True))
    )


def view(table: Public, seat: int | None = None, **changes: Any) -> View:
    """Return what a seat, or everyone, sees of the table."""
    values: dict[str, Any] = {
        "public": table,
        "seat": seat,
        "rack": () if seat is None else ("*", "A", "E", "Q", "W"),
        "mine": None,
        "sealed": (False,) * table.seats,
        "rack_sizes": (5,) * table.seats,
        "bag_sizes": (27, 26, 25, 24)[: table.seats],
        "unseen": (("A", "B"),) * table.seats,
        "spare": 2 if table.seats < 3 else 0,
        "lucky_unseen": ("A",) * 30 if table.seats == 1 else (),
        "villain_unseen": ("B", "C"),
    }
    return View(**(values | changes))


def picture(png: bytes) -> Image.Image:
    """Return the decoded picture."""
    image = Image.open(io.BytesIO(png))
    image.load()
    return image


def colours(image: Image.Image, box: Sequence[int]) -> set[tuple[int, ...]]:
    """Return the colours within a box."""
    left, top, right, bottom = box
    found = image.convert("RGB").crop((left, top, right, bottom)).getcolors(1 << 20)
    assert found is not None
    return {colour for _, colour in found if isinstance(colour, tuple)}
