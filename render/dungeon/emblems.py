"""What stands beside the map: monsters and their names, coins, medals, ticks, players' marks."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from bot.games.dungeon.state import Medal
from render import theme
from render.canvas import Colour, Sprite, Surface
from render.dungeon.look import (
    ASH,
    ASH_DARK,
    BEAM,
    BRASS_DARK,
    EARNED,
    LIVING,
    MEDALS,
    MONSTER,
    MONSTER_DARK,
    SEATS,
    STRIKE,
    STRUCK,
    centred,
    slash,
)
from render.sprites import shape, star


@lru_cache(maxsize=64)
def monster(size: int, *, dead: bool) -> Sprite:
    """A monster's head; a dead one is grey and has crosses for eyes."""

    def draw(surface: Surface, on: Colour) -> None:
        face, ink = (ASH, ASH_DARK) if dead else (MONSTER, MONSTER_DARK)
        for points in (((0.08, 0.02), (0.42, 0.3), (0.14, 0.5)), ((0.92, 0.02), (0.58, 0.3), (0.86, 0.5))):
            surface.polygon([(x * size, y * size) for x, y in points], face, on)
        surface.ellipse((round(size * 0.08), round(size * 0.16), round(size * 0.92), size), face, face)
        for x in (0.32, 0.68):
            if dead:
                for way in (1, -1):
                    arm, half = size * 0.1, size * 0.035
                    near, far = x * size - way * arm, x * size + way * arm
                    top, low = size * 0.5 - arm, size * 0.5 + arm
                    surface.polygon(
                        ((near - half, top), (near + half, top), (far + half, low), (far - half, low)),
                        ink,
                        face,
                    )
            else:
                eye = size * 0.12
                surface.ellipse(
                    (
                        round(x * size - eye),
                        round(size * 0.5 - eye),
                        round(x * size + eye),
                        round(size * 0.5 + eye),
                    ),
                    theme.WHITE,
                    face,
                )
                dot = size * 0.055
                surface.ellipse(
                    (
                        round(x * size - dot),
                        round(size * 0.52 - dot),
                        round(x * size + dot),
                        round(size * 0.52 + dot),
                    ),
                    ink,
                    theme.WHITE,
                )
        teeth = ((0.3, 0.72), (0.7, 0.72), (0.6, 0.88), (0.5, 0.74), (0.4, 0.88))
        surface.polygon([(x * size, y * size) for x, y in teeth], ink if dead else theme.WHITE, face)

    return Sprite(("monster", dead), size, size, draw)


@lru_cache(maxsize=512)
def name_letter(
    letter: str, width: int, height: int, state: Literal["whole", "struck", "fresh", "aimed", "dead"]
) -> Sprite:
    """A letter of a monster's name: whole, struck off earlier or just now, aimed at by a proposal, or of a dead one."""

    def draw(surface: Surface, on: Colour) -> None:
        style = {"whole": LIVING, "aimed": LIVING, "fresh": theme.FRESH}.get(state, STRUCK)
        surface.rounded((0, 0, width, height), round(height * 0.14), style.face, on)
        centred(surface, (width / 2, height / 2), letter, round(height * 0.74), style.ink, style.face)
        if state in ("struck", "fresh", "dead"):
            colour = ASH if state == "dead" else STRIKE
            surface.polygon(slash(3, 4, width - 3, height - 4, height * 0.045), colour, style.face)
        elif state == "aimed":
            for part in (0.0, 0.4, 0.8):
                y = 4 + (height - 8) * part
                x = 3 + (width - 6) * (1 - part)
                reach_x, reach_y = (width - 6) * 0.2, (height - 8) * 0.2
                surface.polygon(slash(x - reach_x, y, x, y + reach_y, height * 0.06), STRIKE, style.face)

    return Sprite(("name letter", letter, state), width, height, draw)


@lru_cache(maxsize=256)
def coin(points: str, size: int, *, earned: bool) -> Sprite:
    """A coin with its points: filled once it is earned, else a ring."""

    def draw(surface: Surface, on: Colour) -> None:
        edge = max(2, round(size * 0.09))
        surface.ellipse((0, 0, size, size), theme.GOLD, on)
        face = theme.GOLD if earned else theme.SLOT
        if earned:
            surface.ellipse((edge, edge, size - edge, size - edge), BRASS_DARK, theme.GOLD)
            edge += max(1, edge // 2)
            surface.ellipse((edge, edge, size - edge, size - edge), theme.GOLD, BRASS_DARK)
        else:
            surface.ellipse((edge, edge, size - edge, size - edge), theme.SLOT, theme.GOLD)
        font = round(size * (0.62 if len(points) == 1 else 0.48))
        centred(surface, (size / 2, size / 2), points, font, theme.INK if earned else theme.GOLD, face)

    return Sprite(("coin", points, earned), size, size, draw)


@lru_cache(maxsize=64)
def number(count: int, size: int) -> Sprite:
    """The number of something to choose from, on a plate that stands out on floor, rock and letters."""

    def draw(surface: Surface, on: Colour) -> None:
        edge = max(2, size // 12)
        surface.rounded((0, 0, size, size), size // 4, theme.TEXT, on)
        surface.rounded((edge, edge, size - edge, size - edge), size // 5, theme.GOOD, theme.TEXT)
        font = round(size * (0.66 if count < 10 else 0.52))
        centred(surface, (size / 2, size / 2), str(count), font, theme.TEXT, theme.GOOD)

    return Sprite(("number", count), size, size, draw)


@lru_cache(maxsize=64)
def medal(kind: Medal, size: int) -> Sprite:
    """A medal on its ribbon: one, two or three bars tell bronze, silver and gold apart."""

    def draw(surface: Surface, on: Colour) -> None:
        colour = MEDALS[kind]
        surface.polygon(
            ((size * 0.2, 0), (size * 0.46, 0), (size * 0.6, size * 0.42), (size * 0.4, size * 0.5)),
            STRIKE,
            on,
        )
        surface.polygon(
            ((size * 0.8, 0), (size * 0.54, 0), (size * 0.4, size * 0.42), (size * 0.6, size * 0.5)), BEAM, on
        )
        left, top = round(size * 0.18), round(size * 0.34)
        surface.ellipse((left, top, size - left, size), colour, on)
        rim = max(1, round(size * 0.05))
        surface.ellipse((left + rim, top + rim, size - left - rim, size - rim), theme.INK, colour)
        surface.ellipse(
            (left + 2 * rim, top + 2 * rim, size - left - 2 * rim, size - 2 * rim), colour, theme.INK
        )
        middle = size * 0.67
        if kind == "gold":
            surface.polygon(star(size / 2, middle, size * 0.2), theme.INK, colour)
            return
        bars = 1 if kind == "bronze" else 2
        width, gap = size * 0.07, size * 0.13
        for bar in range(bars):
            x = size / 2 - width / 2 + (bar - (bars - 1) / 2) * gap
            surface.rect(
                (round(x), round(middle - size * 0.13), round(x + width), round(middle + size * 0.13)),
                theme.INK,
            )

    return Sprite(("medal", kind), size, size, draw)


@lru_cache(maxsize=64)
def tick(size: int, *, met: bool) -> Sprite:
    """A condition: a ring while it is open, a filled disc with a tick once it is met."""

    def draw(surface: Surface, on: Colour) -> None:
        colour = EARNED if met else theme.MUTED
        edge = max(2, round(size * 0.1))
        surface.ellipse((0, 0, size, size), colour, on)
        if not met:
            surface.ellipse((edge, edge, size - edge, size - edge), on, colour)
            return
        points = ((0.22, 0.52), (0.32, 0.42), (0.44, 0.56), (0.7, 0.26), (0.8, 0.36), (0.45, 0.76))
        surface.polygon([(x * size, y * size) for x, y in points], theme.GROUND, colour)

    return Sprite(("tick", met), size, size, draw)


@lru_cache(maxsize=64)
def cross(size: int) -> Sprite:
    """Somebody objects, or has not got out."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.ellipse((0, 0, size, size), STRIKE, on)
        low, high, half = size * 0.28, size * 0.72, size * 0.08
        for near, far in ((low, high), (high, low)):
            surface.polygon(
                ((near - half, low), (near + half, low), (far + half, high), (far - half, high)),
                theme.WHITE,
                STRIKE,
            )

    return Sprite("cross", size, size, draw)


@lru_cache(maxsize=64)
def lamp(size: int) -> Sprite:
    """A hint was taken."""

    def draw(surface: Surface, on: Colour) -> None:
        surface.ellipse((round(size * 0.14), 0, round(size * 0.86), round(size * 0.72)), theme.GOLD, on)
        surface.rect(
            (round(size * 0.36), round(size * 0.62), round(size * 0.64), round(size * 0.78)), theme.GOLD
        )
        surface.rect(
            (round(size * 0.36), round(size * 0.82), round(size * 0.64), round(size * 0.9)), theme.MUTED
        )
        surface.rect((round(size * 0.42), round(size * 0.93), round(size * 0.58), size), theme.MUTED)

    return Sprite("lamp", size, size, draw)


@lru_cache(maxsize=128)
def mark(seat: int, size: int) -> Sprite:
    """A player's shape in the player's colour; those of the second four are hollow."""
    style = SEATS[seat % len(SEATS)]
    hollow = seat % len(SEATS) >= len(theme.SEATS)

    def draw(surface: Surface, on: Colour) -> None:
        shape(surface, style.shape, 0, 0, size, style.colour, on)
        if hollow:
            inner = round(size * (0.4 if style.shape == "triangle" else 0.5))
            low = round(size * (0.2 if style.shape == "triangle" else 0)) // 2
            at = (size - inner) // 2
            shape(surface, style.shape, at, at + low, inner, on, style.colour)

    return Sprite(("dungeon mark", seat % len(SEATS)), size, size, draw)
