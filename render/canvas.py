"""A canvas of palette indices: shapes and text in flat colours, smooth edges, and a small PNG fast.

A picture of ours has a few dozen flat colours. A ``Canvas`` therefore holds one byte a pixel, an index into a fixed
``Palette``; a smooth edge is a blend of two known colours, looked up in a table, so nothing is ever quantised.
Whatever is drawn says what colour it lies ``on``. What is drawn often is a *sprite*: drawn once, kept, pasted.

All games draw through ``Surface``, so that a picture can also be drawn plainly, without any of this, to compare.
Boxes are (left, top, right, bottom) in px, right and bottom exclusive. Everything here is safe in several threads,
and no cache changes a byte: what is kept is what would be drawn again.
"""

from __future__ import annotations

import struct
import unicodedata
import zlib
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Point = tuple[float, float]
Box = tuple[int, int, int, int]
Pixels = npt.NDArray[np.uint8]  # rows, columns

FONT = Path(__file__).parent / "fonts" / "DejaVuSansCondensed-Bold.ttf"
CAP_HEIGHT = 0.729  # of the font's size, for capitals and digits

_BAND = 48  # rows that are packed together
_UP = 2  # PNG's filter: each row is its difference from the one above
_ADLER = 65521  # the modulus of Adler-32
_FINE = 4  # shapes are drawn this many times larger and averaged
_STEPS = 2  # blends between two colours; more are not seen, and each costs bytes
_FAINT = 64  # of 255: less cover is none, and as little lacking is all; edges become crisp and cheap
_drawing = Lock()  # a FreeType face is not safe in two threads


class Surface(Protocol):
    """What a picture is drawn on. ``on`` is the flat colour that lies beneath."""

    def rect(self, box: Box, colour: Colour) -> None:
        """Fill a box."""
        ...

    def rounded(self, box: Box, radius: int, colour: Colour, on: Colour) -> None:
        """Fill a box with round corners."""
        ...

    def ellipse(self, box: Box, colour: Colour, on: Colour) -> None:
        """Fill the ellipse that touches the box's sides."""
        ...

    def polygon(self, points: Sequence[Point], colour: Colour, on: Colour) -> None:
        """Fill a polygon."""
        ...

    def text(self, at: Point, text: str, size: int, colour: Colour, on: Colour, anchor: str = "ls") -> None:
        """Write one line; ``anchor`` is Pillow's, two letters."""
        ...

    def sprite(self, at: tuple[int, int], sprite: Sprite, on: Colour) -> None:
        """Draw a sprite with its top left corner at ``at``."""
        ...


class Sprite(NamedTuple):
    """Something drawn often: ``draw`` paints it with its top left corner at (0, 0).

    Sprites with equal ``key`` and size look equal on equal ground.
    """

    key: Hashable
    width: int
    height: int
    draw: Callable[[Surface, Colour], None]


class Palette:
    """At most 256 colours: the given ones, and a ramp of blends for each given pair.

    Blends of other pairs take the nearest colour there is.
    """

    def __init__(self, colours: Sequence[Colour], ramps: Sequence[tuple[Colour, Colour]]) -> None:
        entries = list(dict.fromkeys(colours))
        for first, second in ramps:
            entries.extend(_blend(first, second, step) for step in range(1, _STEPS + 1))
        entries = list(dict.fromkeys(entries))
        if len(entries) > 256:
            raise ValueError(f"{len(entries)} colours do not fit a palette.")
        self.colours: tuple[Colour, ...] = tuple(entries)
        self.index = {colour: number for number, colour in enumerate(entries)}
        self.chunk = bytes(part for colour in entries for part in colour)
        self.sprites: dict[Hashable, Pixels] = {}
        self._tables: dict[tuple[Colour, Colour], Pixels] = {}

    def table(self, colour: Colour, on: Colour) -> Pixels:
        """Return for each coverage 0 to 255 the index of ``colour`` laid over ``on``."""
        table = self._tables.get((colour, on))
        if table is None:
            shades = [self._nearest(_blend(on, colour, step)) for step in range(_STEPS + 2)]
            table = np.array([shades[_step(cover)] for cover in range(256)], np.uint8)
            self._tables[colour, on] = table
        return table

    def _nearest(self, wanted: Colour) -> int:
        exact = self.index.get(wanted)
        if exact is not None:
            return exact
        red, green, blue = wanted
        return min(
            range(len(self.colours)),
            key=lambda number: (
                2 * (self.colours[number][0] - red) ** 2
                + 4 * (self.colours[number][1] - green) ** 2
                + 3 * (self.colours[number][2] - blue) ** 2
            ),
        )


def _step(cover: int) -> int:
    """Return which blend stands for a cover of 0 to 255."""
    share = (cover - _FAINT) / (255 - 2 * _FAINT)
    return round(min(1.0, max(0.0, share)) * (_STEPS + 1))


_UNTOUCHED = np.array([0 if _step(cover) else 255 for cover in range(256)], np.uint8)


def _blend(first: Colour, second: Colour, step: int) -> Colour:
    red, green, blue = (
        round(low + (high - low) * step / (_STEPS + 1)) for low, high in zip(first, second, strict=True)
    )
    return red, green, blue


class Canvas:
    """The fast ``Surface``: ``pixels`` holds palette indices, row by row.

    Boxes and sprites must lie within it; of other shapes and of texts only what does is drawn.
    """

    def __init__(self, palette: Palette, width: int, height: int, ground: Colour) -> None:
        self.palette = palette
        self.pixels: Pixels = np.full((height, width), palette.index[ground], np.uint8)

    def copy(self) -> Canvas:
        """Return a canvas of its own with the same picture."""
        twin = object.__new__(Canvas)
        twin.palette = self.palette
        twin.pixels = self.pixels.copy()
        return twin

    def rect(self, box: Box, colour: Colour) -> None:
        """Fill a box."""
        left, top, right, bottom = box
        self.pixels[top:bottom, left:right] = self.palette.index[colour]

    def rounded(self, box: Box, radius: int, colour: Colour, on: Colour) -> None:
        """Fill a box with round corners."""
        left, top, right, bottom = box
        self._lay(left, top, _rounded(right - left, bottom - top, radius), colour, on)

    def ellipse(self, box: Box, colour: Colour, on: Colour) -> None:
        """Fill the ellipse that touches the box's sides."""
        left, top, right, bottom = box
        self._lay(left, top, _ellipse(right - left, bottom - top), colour, on)

    def polygon(self, points: Sequence[Point], colour: Colour, on: Colour) -> None:
        """Fill a polygon."""
        left = int(min(x for x, _ in points))
        top = int(min(y for _, y in points))
        mask = _polygon(tuple((x - left, y - top) for x, y in points))
        self._lay(left, top, mask, colour, on)

    def text(self, at: Point, text: str, size: int, colour: Colour, on: Colour, anchor: str = "ls") -> None:
        """Write one line; ``anchor`` is Pillow's, two letters."""
        if not text:
            return
        left, top, mask = _glyphs(text, size, anchor)
        self._lay(round(at[0]) + left, round(at[1]) + top, mask, colour, on)

    def sprite(self, at: tuple[int, int], sprite: Sprite, on: Colour) -> None:
        """Draw a sprite with its top left corner at ``at``."""
        key = (sprite.key, sprite.width, sprite.height, on)
        pixels = self.palette.sprites.get(key)
        if pixels is None:
            cell = Canvas(self.palette, sprite.width, sprite.height, on)
            sprite.draw(cell, on)
            pixels = self.palette.sprites.setdefault(key, cell.pixels)
        left, top = at
        self.pixels[top : top + sprite.height, left : left + sprite.width] = pixels

    def _lay(self, left: int, top: int, mask: _Mask, colour: Colour, on: Colour) -> None:
        shades = mask.shaded(self.palette, colour, on)
        height, width = shades.shape
        beneath = self.pixels[max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)]
        part = np.s_[max(-top, 0) :, max(-left, 0) :]
        rows, columns = beneath.shape
        beneath &= mask.untouched[part][:rows, :columns]
        beneath |= shades[part][:rows, :columns]

    def png(self) -> bytes:
        """Return the picture as PNG bytes.

        Packing takes most of the time, and one picture of a table differs little from the last. So the rows are
        packed in bands, each by itself, and a band that looks as it did before is not packed again.
        """
        height, width = self.pixels.shape
        data, check = [b"\x78\x01"], 1
        for top in range(0, height, _BAND):
            bottom = min(top + _BAND, height)
            above = b"" if top else bytes(width)  # the first row has none, which counts as zeros
            band = packed(above + self.pixels[max(top - 1, 0) : bottom].tobytes(), width)
            data.append(band.data)
            check = _joined(check, band.check, (bottom - top) * (width + 1))
        data += b"\x03\x00", struct.pack(">I", check)
        return (
            b"\x89PNG\r\n\x1a\n"
            + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
            + _chunk(b"PLTE", self.palette.chunk)
            + _chunk(b"IDAT", b"".join(data))
            + _chunk(b"IEND", b"")
        )


class Band(NamedTuple):
    """Packed rows: a part of a deflate stream, and the Adler-32 of what it holds."""

    data: bytes
    check: int


@lru_cache(maxsize=192)  # some 60 KB each, the rows themselves being the key
def packed(rows: bytes, width: int) -> Band:
    """Return all ``rows`` but the first, which only says what lies above them; palette indices, ``width`` a row.

    Each row is written as its difference from the one above (PNG's filter *up*), which in flat colours is nearly
    always none. Then runs are all there is to find: faster than to search for repeats, and smaller. The part refers
    to nothing outside itself.
    """
    pixels = np.frombuffer(rows, np.uint8).reshape(-1, width)
    lines = np.empty((len(pixels) - 1, width + 1), np.uint8)
    lines[:, 0] = _UP
    np.subtract(pixels[1:], pixels[:-1], out=lines[:, 1:])
    packer = zlib.compressobj(wbits=-15, strategy=zlib.Z_RLE)
    return Band(packer.compress(lines.data) + packer.flush(zlib.Z_FULL_FLUSH), zlib.adler32(lines.data))


def _joined(first: int, second: int, length: int) -> int:
    """Return the Adler-32 of two texts one after the other; ``length`` is the second's, in bytes."""
    low, high = first & 0xFFFF, first >> 16
    ahead = low - 1
    return (ahead + (second & 0xFFFF)) % _ADLER | (high + (second >> 16) + length * ahead) % _ADLER << 16


class _Mask:
    """A shape: how far it covers each pixel, 0 to 255. ``untouched`` is 255 where it does not at all, else 0."""

    def __init__(self, cover: Image.Image) -> None:
        self._cover = np.asarray(cover)
        self.untouched = _UNTOUCHED[self._cover]
        self._shaded: dict[tuple[Palette, Colour, Colour], Pixels] = {}

    def shaded(self, palette: Palette, colour: Colour, on: Colour) -> Pixels:
        """Return the shape in ``colour``, its edges blended with what it lies ``on``, and 0 where it is untouched."""
        pixels = self._shaded.get((palette, colour, on))
        if pixels is None:
            pixels = palette.table(colour, on)[self._cover] & ~self.untouched
            self._shaded[palette, colour, on] = pixels
        return pixels


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@lru_cache(maxsize=256)
def _rounded(width: int, height: int, radius: int) -> _Mask:
    mask = Image.new("L", (width, height), 255)
    disc = _disc(2 * radius, 2 * radius)
    for x, left in ((0, 0), (width - radius, radius)):
        for y, top in ((0, 0), (height - radius, radius)):
            mask.paste(disc.crop((left, top, left + radius, top + radius)), (x, y))
    return _Mask(mask)


@lru_cache(maxsize=256)
def _ellipse(width: int, height: int) -> _Mask:
    return _Mask(_disc(width, height))


def _disc(width: int, height: int) -> Image.Image:
    large = Image.new("L", (width * _FINE, height * _FINE), 0)
    ImageDraw.Draw(large).ellipse((0, 0, width * _FINE - 1, height * _FINE - 1), fill=255)
    return large.reduce(_FINE)


@lru_cache(maxsize=256)
def _polygon(points: tuple[Point, ...]) -> _Mask:
    width = int(max(x for x, _ in points)) + 1
    height = int(max(y for _, y in points)) + 1
    large = Image.new("L", (width * _FINE, height * _FINE), 0)
    ImageDraw.Draw(large).polygon([(x * _FINE, y * _FINE) for x, y in points], fill=255)
    return _Mask(large.reduce(_FINE))


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the one typeface of all pictures at ``size`` px."""
    return ImageFont.truetype(str(FONT), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1024)
def _glyphs(text: str, size: int, anchor: str) -> tuple[int, int, _Mask]:
    with _drawing:
        face = font(size)
        left, top, right, bottom = (int(edge) for edge in face.getbbox(text, anchor=anchor))
        mask = Image.new("L", (max(1, right - left + 2), max(1, bottom - top + 2)), 0)
        ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face, anchor=anchor)
    return left, top, _Mask(mask)


@lru_cache(maxsize=1024)
def width_of(text: str, size: int) -> float:
    """Return how wide ``text`` is in px."""
    with _drawing:
        return font(size).getlength(text)


@lru_cache(maxsize=512)
def fitted(text: str, size: int, width: int) -> str:
    """Return ``text``, cut with an ellipsis where it would be wider than ``width`` px."""
    if width_of(text, size) <= width:
        return text
    for end in range(len(text) - 1, 0, -1):
        short = text[:end].rstrip() + "…"
        if width_of(short, size) <= width:
            return short
    return "…"


@lru_cache(maxsize=512)
def printable(text: str) -> str:
    """Return ``text`` with fancy letters made plain and without what the typeface lacks; may be empty."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(letter for letter in plain if letter == " " or _known(letter)).split())


@lru_cache(maxsize=2048)
def _known(letter: str) -> bool:
    if not letter.isprintable():
        return False
    with _drawing:
        face = font(24)
        return bytes(face.getmask(letter)) != bytes(face.getmask("\U0010ffff"))
