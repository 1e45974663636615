from __future__ import annotations

import struct
import zlib

import pytest

from render import theme
from render.canvas import (
    CAP_HEIGHT,
    Canvas,
    Colour,
    Palette,
    Sprite,
    Surface,
    fitted,
    font,
    printable,
    width_of,
)
from tests.render.scenes import picture

RED: Colour = (200, 0, 0)
BLUE: Colour = (0, 0, 200)
SAND: Colour = (240, 230, 200)


def palette() -> Palette:
    return Palette((RED, BLUE, SAND), ((SAND, RED),))


def drawn(*, first: bool = False) -> Canvas:
    canvas = Canvas(palette(), 90, 60, SAND)
    if first:
        canvas.text((70, 50), "q", 12, BLUE, SAND)
        canvas.rect((0, 0, 90, 60), SAND)
    canvas.rounded((4, 4, 40, 30), 8, RED, SAND)
    canvas.text((10, 26), "A", 20, SAND, RED)
    canvas.ellipse((50, 5, 80, 25), BLUE, SAND)
    canvas.polygon(((50, 50), (65, 30), (80, 50)), RED, SAND)
    return canvas


def test_a_png_decodes_to_the_very_pixels_of_the_canvas() -> None:
    canvas = drawn()
    image = picture(canvas.png())
    assert image.mode == "P"
    assert image.size == (90, 60)
    assert image.tobytes() == canvas.pixels.tobytes()


def test_a_png_s_chunks_carry_right_checksums() -> None:
    data = drawn().png()
    at, kinds = 8, []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        body = data[at + 4 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(body)
        kinds.append(body[:4])
        at += 12 + length
    assert kinds == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]


@pytest.mark.parametrize("height", [1, 48, 49, 200])
def test_bands_packed_one_by_one_are_one_stream_with_the_checksum_of_all_rows(height: int) -> None:
    canvas = Canvas(palette(), 70, height, SAND)
    for y in range(0, height, 9):
        canvas.ellipse((y % 50, y, y % 50 + 20, y + 20), RED if y % 2 else BLUE, SAND)
    data = canvas.png()
    at = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[at - 4 : at])
    rows = zlib.decompress(data[at + 4 : at + 4 + length])  # raises where the checksum is wrong
    assert len(rows) == height * 71
    assert picture(data).tobytes() == canvas.pixels.tobytes()


def test_a_band_is_packed_by_what_it_holds_and_what_lies_above() -> None:
    def striped(*stripes: tuple[int, Colour]) -> Canvas:
        canvas = Canvas(palette(), 30, 96, SAND)
        for row, colour in stripes:
            canvas.rect((0, row, 30, row + 1), colour)
        return canvas

    for canvas in (striped((47, RED)), striped((47, BLUE)), striped((48, RED)), striped()):
        assert picture(canvas.png()).tobytes() == canvas.pixels.tobytes()


def test_what_was_drawn_before_changes_no_byte() -> None:
    assert drawn().png() == drawn(first=True).png()


def test_a_shape_is_flat_inside_and_leaves_alone_what_it_does_not_touch() -> None:
    image = picture(drawn().png()).convert("RGB")
    assert image.getpixel((30, 10)) == RED
    assert image.getpixel((65, 15)) == BLUE
    assert image.getpixel((4, 4)) == SAND
    assert image.getpixel((45, 40)) == SAND


@pytest.mark.parametrize(("x", "y"), [(-12, -9), (25, -9), (-12, 31), (25, 31), (-30, 5), (50, 5), (5, -40)])
def test_of_a_shape_that_juts_out_what_lies_within_is_drawn(x: int, y: int) -> None:
    small, large = Canvas(palette(), 40, 40, SAND), Canvas(palette(), 140, 140, SAND)
    small.ellipse((x, y, x + 20, y + 20), RED, SAND)
    large.ellipse((x + 50, y + 50, x + 70, y + 70), RED, SAND)
    assert small.pixels.tobytes() == large.pixels[50:90, 50:90].tobytes()


def test_a_pair_without_a_ramp_blends_to_colours_that_are_there() -> None:
    canvas = Canvas(palette(), 40, 40, BLUE)
    canvas.ellipse((2, 2, 38, 38), RED, BLUE)
    assert set(canvas.pixels.tobytes()) <= set(range(len(canvas.palette.colours)))


def test_a_colour_that_the_palette_lacks_is_an_error() -> None:
    with pytest.raises(KeyError):
        Canvas(palette(), 10, 10, SAND).rect((0, 0, 5, 5), (1, 2, 3))


def test_a_palette_holds_no_more_than_256_colours() -> None:
    with pytest.raises(ValueError, match="257"):
        Palette([(0, number // 256, number % 256) for number in range(257)], ())


def test_a_sprite_looks_the_same_the_first_time_and_when_it_is_kept() -> None:
    count = 0

    def draw(surface: Surface, on: Colour) -> None:
        nonlocal count
        count += 1
        surface.ellipse((0, 0, 20, 20), RED, on)

    canvas = Canvas(palette(), 60, 20, SAND)
    for x in (0, 20, 40):
        canvas.sprite((x, 0), Sprite("dot", 20, 20, draw), SAND)
    parts = [canvas.pixels[:, x : x + 20] for x in (0, 20, 40)]
    assert count == 1
    assert parts[0].tobytes() == parts[1].tobytes() == parts[2].tobytes()
    assert len(set(parts[0].tobytes())) > 1


def test_sprites_of_one_key_on_other_ground_are_drawn_for_it() -> None:
    sprite = Sprite("dot", 20, 20, lambda surface, on: surface.ellipse((0, 0, 20, 20), RED, on))
    canvas = Canvas(palette(), 40, 20, SAND)
    canvas.rect((20, 0, 40, 20), BLUE)
    canvas.sprite((0, 0), sprite, SAND)
    canvas.sprite((20, 0), sprite, BLUE)
    image = picture(canvas.png()).convert("RGB")
    assert image.getpixel((0, 0)) == SAND
    assert image.getpixel((20, 0)) == BLUE


def test_a_copy_is_drawn_on_without_the_original() -> None:
    canvas = drawn()
    before = canvas.pixels.tobytes()
    canvas.copy().rect((0, 0, 90, 60), BLUE)
    assert canvas.pixels.tobytes() == before


def test_capitals_are_as_tall_as_the_stated_share_of_the_font_s_size() -> None:
    for size in (22, 43, 100):
        box = font(size).getbbox("H", anchor="ls")
        assert abs((box[3] - box[1]) - size * CAP_HEIGHT) <= 1


def test_text_sits_on_its_baseline() -> None:
    canvas = Canvas(palette(), 60, 60, SAND)
    canvas.text((10, 45), "H", 40, RED, SAND)
    rows, _ = (canvas.pixels != canvas.palette.index[SAND]).nonzero()
    assert rows.max() == 44


def test_a_long_name_is_cut_with_an_ellipsis_to_fit() -> None:
    assert fitted("Ada", 26, 120) == "Ada"
    short = fitted("Wolfeschlegelsteinhausen", 26, 120)
    assert short.endswith("…")
    assert width_of(short, 26) <= 120
    assert width_of(short[:-1] + "W…", 26) > 120


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Zoë  Núñez", "Zoë Núñez"),
        ("𝓐𝓭𝓪", "Ada"),
        ("Ben 🎲", "Ben"),
        ("🎲🎲", ""),
        ("Цветан", "Цветан"),
        ("a\u202eb\n", "ab"),
    ],
)
def test_a_name_keeps_what_the_typeface_can_show(name: str, shown: str) -> None:
    assert printable(name) == shown


def test_contrast_is_wcag_s() -> None:
    assert theme.contrast((255, 255, 255), (0, 0, 0)) == pytest.approx(21)
    assert theme.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
