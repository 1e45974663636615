"""The page on a phone: nothing clipped, nothing too small for a thumb, pictures that can be read."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import Locator, Page, expect

from bot.loopback.model import Message, Upload
from bot.loopback.play import Playground

from .conftest import eventually

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="module")]

LONG = "A table for those who never say anything briefly, and Llanfairpwllgwyngyllgogerychwyrndrobwllllantys"
ALT = "\n".join(
    f"Row {number}: the letters of the row, one by one, and what lies beneath." for number in range(14)
)

SMALL = """() => [...document.querySelectorAll("button, a[href], input, textarea, [role=option]")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest("[inert], .md, .skip"))
  .filter((node) => {
    const { width, height } = node.getBoundingClientRect();
    return Math.min(width, height) < 39.9;
  })
  .map((node) => node.outerHTML.slice(0, 120))"""

WIDER = """() => [document.documentElement, document.getElementById("messages")]
  .filter((node) => node.scrollWidth > node.clientWidth).length"""

SHOWN_WHOLE = "(node) => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight + 1"


async def phone(tab: Any, player: str = "Ada", channel: str = "games") -> Page:
    page: Page = await tab(player, channel, width=390, height=844, touch=True)
    return page


def picture(demo: Playground, where: str = "#games", size: tuple[int, int] = (1200, 900)) -> Message:
    body = io.BytesIO()
    Image.new("RGB", size, (40, 70, 90)).save(body, "PNG")
    upload = Upload(filename="board.png", body=body.getvalue(), content_type="image/png")
    items = [{"media": {"url": "attachment://board.png"}, "description": ALT}]
    payload = {
        "components": [{"type": 12, "items": items}],
        "flags": 1 << 15,
        "attachments": [{"id": "0", "description": ALT}],
    }
    return demo.world.post(demo.world.channel(where), demo.world.bot, payload, [upload])


def frame(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Picture").locator(".frame")


async def test_everything_is_large_enough_for_a_thumb(tab: Any, demo: Playground) -> None:
    ada = demo.person("Ada")
    for command in ("show board", "show press", "show choosing"):
        await ada.slash("#games", command)
    await demo.person("Ben").say("#games", "Good morning.")
    page = await phone(tab)
    await page.get_by_role("button", name="Letters").tap()
    await page.get_by_role("option", name="A The letter A").wait_for()
    assert await page.evaluate(SMALL) == []
    await page.get_by_role("button", name="Letters").tap()

    await (
        page.locator("article", has_text="Good morning.").get_by_role("button", name="Message options").tap()
    )
    assert await page.evaluate(SMALL) == []
    await page.keyboard.press("Escape")
    for opener in ("Try bad luck", "Keys and help"):
        await page.get_by_role("button", name="Channels").tap()
        await page.get_by_role("button", name=opener).tap()
        await page.get_by_role("dialog", name=opener).wait_for()
        assert await page.evaluate(SMALL) == []
        await page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).tap()
    await page.get_by_role("button", name="Channels").tap()
    assert await page.evaluate(SMALL) == []


UNDER_BUTTONS = """() => {
  const texts = [];
  const walker = document.createTreeWalker(document.getElementById("messages"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement.closest(".more-button") || !walker.currentNode.data.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const box of range.getClientRects()) texts.push([box, walker.currentNode.data]);
  }
  const over = (one, other) => one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
  return [...document.querySelectorAll(".more-button")].flatMap((button) =>
    texts.filter(([box]) => over(button.getBoundingClientRect(), box)).map(([, text]) => text.slice(0, 40)));
}"""


async def test_no_text_runs_under_the_button_of_a_message(tab: Any, demo: Playground) -> None:
    world, words = demo.world, "One word after the other, as far as the line goes, and then on, "
    place = world.create_thread(world.channel("#games"), world.bot, "Narrow")
    boxed = {"type": 17, "components": [{"type": 10, "content": 3 * words}]}
    for length in (1, 2, 3):
        await demo.person("Ben").say(place.id, length * words)
        world.post(place, world.bot, {"content": length * words})
    for _ in range(2):  # the second one goes on from the first, without a head
        world.post(place, world.bot, {"components": [boxed], "flags": 1 << 15})
    await demo.person("Ada").say(place.id, words)
    await demo.person("Ada").say(place.id, words)
    page = await phone(tab, channel="Narrow")
    await expect(page.locator(".more-button").last).to_be_visible()

    assert await page.evaluate(UNDER_BUTTONS) == []
    assert await page.evaluate(WIDER) == 0
    world.delete_channel(place.id)


async def test_all_private_messages_are_dismissed_at_once(tab: Any, demo: Playground) -> None:
    place = demo.world.create_thread(demo.world.channel("#games"), demo.world.bot, "Piled up")
    await demo.person("Ben").say(place.id, "For all.")
    page = await phone(tab, channel="Piled up")
    more = page.locator("article", has_text="For all.").get_by_role("button", name="Message options")
    entry = page.get_by_role("menuitem", name="Dismiss all private messages")
    await more.tap()
    await expect(page.get_by_role("menu")).to_be_visible()
    await expect(entry).to_have_count(0)  # there is none
    await page.keyboard.press("Escape")
    for _ in range(3):
        await demo.person("Ada").slash(place.id, "show choosing")
    await demo.person("Ben").slash(place.id, "show choosing")
    await expect(page.locator("article.private")).to_have_count(3)

    await more.tap()
    await entry.tap()

    await expect(page.locator("article.private")).to_have_count(0)
    await expect(page.locator("article", has_text="For all.")).to_be_visible()
    assert any(said.ephemeral for said in demo.person("Ben").sees(place.id))
    demo.world.delete_channel(place.id)


async def test_a_long_name_is_shown_whole_and_nothing_scrolls_sideways(tab: Any, demo: Playground) -> None:
    assert len(LONG) == 100
    thread = demo.world.create_thread(demo.world.channel("#games"), demo.world.bot, LONG)
    await demo.person("Ben").say(thread.id, "x" * 300)
    page = await phone(tab, channel=LONG)

    await expect(page.get_by_role("heading", level=1)).to_have_text(f"#games › {LONG}")
    assert await page.get_by_role("heading", level=1).evaluate(SHOWN_WHOLE)
    assert await page.evaluate(WIDER) == 0
    await page.get_by_role("button", name="Channels").tap()
    entry = page.locator("#channels").get_by_role("button", name=LONG)
    assert await entry.locator(".name").evaluate(SHOWN_WHOLE)
    assert await page.evaluate(
        "(box => box.scrollWidth <= box.clientWidth)(document.getElementById('channels'))"
    )
    demo.world.delete_channel(thread.id)


async def test_the_hint_in_the_message_field_is_shown_whole(tab: Any, demo: Playground) -> None:
    page = await phone(tab)
    await page.get_by_role("button", name="Channels").tap()
    await page.locator("#channels").get_by_role("button", name="Wordmoot").tap()
    await expect(page.get_by_role("heading", name="Wordmoot", level=1)).to_be_visible()

    room = await page.get_by_role("combobox", name="Message").evaluate("""(field) => {
      const style = getComputedStyle(field);
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = style.font;
      const needed = pen.measureText(field.placeholder).width;
      return field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - needed;
    }""")

    assert room > 0


async def test_a_channel_opens_without_a_keyboard_over_it(tab: Any) -> None:
    page = await phone(tab)
    await page.get_by_role("button", name="Channels").tap()
    await page.locator("#channels").get_by_role("button", name="general").tap()

    await expect(page.get_by_role("heading", name="#general")).to_be_visible()
    await expect(page.locator("#messages")).to_be_focused()
    await expect(page.locator("#sidebar")).to_be_hidden()


async def test_a_drawer_is_put_away_by_its_button_and_by_a_tap_beside_it(tab: Any) -> None:
    page = await phone(tab)
    drawer = page.locator("#sidebar")
    for away in ("button", "beside"):
        await page.get_by_role("button", name="Channels").tap()
        await expect(drawer).to_be_visible()
        if away == "button":
            await drawer.get_by_role("button", name="Close", exact=True).tap()
        else:
            await page.touchscreen.tap(380, 400)
        await expect(drawer).to_be_hidden()


async def test_a_tall_picture_leaves_room_for_the_buttons_beneath(tab: Any, demo: Playground) -> None:
    message = picture(demo, size=(600, 900))
    for width, height in ((1100, 800), (390, 844)):
        page = await tab("Ada", width=width, height=height)
        image = page.locator(f'[data-id="{message.id}"] .picture img')
        shown = await image.evaluate(
            "(node) => [node.getBoundingClientRect()].map((box) => [box.width, box.height])[0]"
        )

        assert shown[1] <= 0.55 * height + 1
        assert shown[0] / shown[1] == pytest.approx(600 / 900, rel=0.01)
        await image.click()
        whole = await frame(page).locator("img").evaluate("(node) => node.getBoundingClientRect().height")
        assert whole > shown[1]
        await page.keyboard.press("Escape")


async def test_a_picture_has_its_place_before_it_is_there(tab: Any, demo: Playground) -> None:
    page = await phone(tab)
    await page.route("**/cdn/**", lambda route: None)  # which leaves it loading
    message = picture(demo)
    shown = page.locator(f'[data-id="{message.id}"] .picture')
    await expect(shown).to_be_visible()

    width, height = await shown.evaluate("(node) => [node.offsetWidth, node.offsetHeight]")

    assert width > 300
    assert height == pytest.approx(width * 900 / 1200, abs=2)
    await page.unroute("**/cdn/**")


async def test_a_picture_grows_by_a_tap_and_can_be_moved_about(tab: Any, demo: Playground) -> None:
    message = picture(demo)
    page = await phone(tab)
    await page.locator(f'[data-id="{message.id}"] .picture').tap()
    image = frame(page).locator("img")
    await expect(page.get_by_role("button", name="Smaller")).to_be_disabled()
    fitting = await image.evaluate("(node) => node.getBoundingClientRect().width")
    assert 380 <= fitting <= 390

    await image.tap(position={"x": 300, "y": 100})
    await expect(page.get_by_role("button", name="Smaller")).to_be_enabled()

    assert await image.evaluate("(node) => node.getBoundingClientRect().width") >= 1200
    left, most = await frame(page).evaluate(
        "(node) => [node.scrollLeft, node.scrollWidth - node.clientWidth]"
    )
    assert most > 700
    assert left > most / 2  # what was tapped is in sight
    await page.get_by_role("button", name="Fit the window").tap()
    await expect(page.get_by_role("button", name="Smaller")).to_be_disabled()
    await page.get_by_role("button", name="Close", exact=True).tap()
    await expect(page.get_by_role("dialog", name="Picture")).to_be_hidden()


async def test_a_picture_grows_between_two_fingers(tab: Any, demo: Playground) -> None:
    message = picture(demo)
    page = await phone(tab)
    await page.locator(f'[data-id="{message.id}"] .picture').tap()
    await expect(page.get_by_role("button", name="Smaller")).to_be_disabled()
    wire = await page.context.new_cdp_session(page)

    async def fingers(kind: str, *across: int) -> None:
        points = [{"x": x, "y": 300, "id": number} for number, x in enumerate(across)]
        await wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    await fingers("touchStart", 170, 220)
    for away in range(10, 90, 10):
        await fingers("touchMove", 170 - away, 220 + away)
    await fingers("touchEnd")

    await expect(page.get_by_role("button", name="Smaller")).to_be_enabled()
    width = await frame(page).locator("img").evaluate("(node) => node.getBoundingClientRect().width")
    assert width > 2 * 390
    await page.keyboard.press("Escape")


async def test_an_enlarged_picture_is_moved_and_sized_by_keys_with_its_alt_text_beneath(
    tab: Any, demo: Playground
) -> None:
    message = picture(demo)
    page = await tab("Ada", width=390, height=844)
    opener = page.locator(f'[data-id="{message.id}"] .picture')
    await opener.press("Enter")
    await expect(frame(page)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Fit the window")).to_be_visible()
    middle = await frame(page).evaluate("(node) => node.scrollLeft")
    await page.keyboard.press("ArrowRight")
    await eventually(frame(page), f"(node) => node.scrollLeft > {middle}")

    text = page.get_by_role("group", name="Description")
    await expect(text).to_have_text(ALT)
    await page.keyboard.press("0")
    await page.keyboard.press("Tab")
    await expect(text).to_be_focused()
    await page.keyboard.press("End")
    await eventually(text, "(node) => node.scrollTop + node.clientHeight >= node.scrollHeight - 1")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog", name="Picture")).to_be_hidden()
    await expect(opener).to_be_focused()


async def test_the_ring_around_the_list_lies_over_its_messages(tab: Any, demo: Playground) -> None:
    ring = "(list) => getComputedStyle(list.parentNode, '::after').borderTopWidth"
    page = await tab("Ada", width=390, height=844)
    assert await page.locator("#messages").evaluate(ring) == "0px"

    await page.keyboard.press("Tab")
    await page.locator("#messages").focus()

    assert await page.locator("#messages").evaluate(ring) == "2px"


async def test_by_touch_no_ring_is_around_the_list(tab: Any, demo: Playground) -> None:
    page = await tab("Ada", width=390, height=844, touch=True)
    await page.keyboard.press("Tab")
    await page.locator("#messages").focus()

    shown = "(list) => getComputedStyle(list.parentNode, '::after').display"
    assert await page.locator("#messages").evaluate(shown) == "none"
