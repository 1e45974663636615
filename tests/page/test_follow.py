"""What comes of one's own press is in sight and under the keyboard; what others do, and what the bot takes away, is not felt."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from bot.loopback.model import Message
from bot.loopback.play import Playground

from .conftest import eventually

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="module")]

AT_THE_END = "(box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2"
FROM_TOP = "(node) => Math.round(node.getBoundingClientRect().top)"


def messages(page: Page) -> Locator:
    return page.locator("#messages")


def newest(page: Page, text: str) -> Locator:
    return page.locator("article", has_text=text).last


async def board(demo: Playground, *, above: int = 0, below: int = 0) -> Message:
    """A board of the bot in #games, with that many lines around it."""
    for number in range(above):
        await demo.person("Ben").say("#games", f"Above {number}.")
    asked = await demo.person("Ada").slash("#games", "panels")
    for number in range(below):
        await demo.person("Ben").say("#games", f"Below {number}.")
    assert asked.message is not None
    return asked.message


def on(page: Page, message: Message, label: str) -> Locator:
    return page.locator(f'[data-id="{message.id}"]').get_by_role("button", name=label, exact=True)


async def test_what_a_press_leads_to_is_scrolled_to_and_has_the_keyboard(tab: Any, demo: Playground) -> None:
    old = await board(demo, below=40)
    page = await tab("Ada")

    await on(page, old, "Lobby").press("Enter")

    await expect(newest(page, "A lobby")).to_be_focused()
    await eventually(messages(page), AT_THE_END)
    await page.keyboard.press("Enter")
    await expect(newest(page, "A lobby").get_by_role("button", name="Join")).to_be_focused()


async def test_what_others_do_leaves_the_reader_where_they_are(tab: Any, demo: Playground) -> None:
    old = await board(demo, below=40)
    page = await tab("Ada")
    button = on(page, old, "Lobby")
    await button.focus()
    before = await button.evaluate(FROM_TOP)

    await demo.person("Ben").click(old, label="Lobby")

    jump = page.get_by_role("button", name="1 new message")
    await expect(jump).to_be_visible()
    await expect(button).to_be_focused()
    assert await button.evaluate(FROM_TOP) == before


async def test_what_a_press_leads_to_is_not_followed_by_who_does_something_else(
    tab: Any, demo: Playground
) -> None:
    old = await board(demo, below=40)
    page = await tab("Ada")
    await on(page, old, "Lobby").press("Enter")
    await page.keyboard.press("Tab")

    await expect(page.get_by_role("button", name="1 new message")).to_be_visible()

    await expect(on(page, old, "Word")).to_be_focused()


async def test_the_pill_for_new_messages_covers_nothing(tab: Any, demo: Playground) -> None:
    old = await board(demo, below=40)
    page = await tab("Ada", width=390, height=844)
    await on(page, old, "Hand").scroll_into_view_if_needed()
    jump = page.get_by_role("button", name="To the newest")
    await expect(jump).to_be_visible()

    bottom = await messages(page).evaluate("(node) => node.getBoundingClientRect().bottom")
    assert await jump.evaluate("(node) => node.getBoundingClientRect().top") >= bottom


async def test_the_keyboard_follows_to_a_private_panel_and_letters_are_an_arrow_apart(
    tab: Any, demo: Playground
) -> None:
    old = await board(demo, below=40)
    page = await tab("Ada")

    await on(page, old, "Hand").press("Enter")

    hand = newest(page, "Your hand")
    await expect(hand.get_by_role("button", name="A", exact=True)).to_be_focused()
    await eventually(messages(page), AT_THE_END)
    await page.keyboard.press("ArrowRight")
    await expect(hand.get_by_role("button", name="B", exact=True)).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(hand.get_by_role("button", name="A", exact=True)).to_be_focused()


async def test_enter_pressed_twice_gives_nothing_up(tab: Any, demo: Playground) -> None:
    old = await board(demo)
    page = await tab("Ada")

    await on(page, old, "Leave").press("Enter")

    await expect(newest(page, "Do you give up?").get_by_role("button", name="Play on")).to_be_focused()


async def test_what_only_says_something_leaves_the_keyboard_where_it_was(tab: Any, demo: Playground) -> None:
    old = await board(demo)
    page = await tab("Ada")

    await on(page, old, "Say").press("Enter")

    await expect(newest(page, "It was said.")).to_be_visible()
    await expect(on(page, old, "Say")).to_be_focused()


async def test_a_form_leads_to_the_choice_that_it_was_filled_in_for(tab: Any, demo: Playground) -> None:
    old = await board(demo)
    page = await tab("Ada")
    await on(page, old, "Word").press("Enter")
    for word in ("OTTER", "MOIST"):  # the first makes the panel, the second changes it
        await expect(page.get_by_role("dialog", name="A word").get_by_label("Word")).to_be_focused()
        await page.keyboard.type(word)
        await page.keyboard.press("Enter")
        panel = newest(page, f"Where does {word} go?")
        await expect(panel.get_by_role("button", name="Choose a place")).to_be_focused()
        if word == "OTTER":
            await page.keyboard.press("ArrowLeft")
            await page.keyboard.press("Enter")

    await expect(page.locator("article", has_text="Where does")).to_have_count(1)


async def test_a_panel_that_the_bot_takes_away_goes_quietly(tab: Any, demo: Playground) -> None:
    old = await board(demo, above=3)
    page = await tab("Ada")
    await on(page, old, "Hand").press("Enter")
    first = await newest(page, "Your hand").get_attribute("data-id")
    await expect(newest(page, "Your hand").get_by_role("button", name="A", exact=True)).to_be_focused()

    await on(page, old, "Hand").press("Enter")  # a newer one, and this one goes

    await expect(page.locator(f'[data-id="{first}"]')).to_have_count(0)
    hand = newest(page, "Your hand")
    await expect(hand.get_by_role("button", name="A", exact=True)).to_be_focused()
    await eventually(messages(page), AT_THE_END)
    await expect(page.locator("article", has_text="Your hand")).to_have_count(1)


async def test_the_keyboard_goes_on_to_the_newest_private_message_then_to_the_board(
    tab: Any, demo: Playground
) -> None:
    old = await board(demo)
    ada = demo.person("Ada")
    kept = (await ada.click(old, label="Leave")).message
    gone = (await ada.click(old, label="Hand")).message
    page = await tab("Ada")
    await page.get_by_role("button", name="B", exact=True).last.focus()

    demo.world.delete(gone)
    await expect(page.locator(f'[data-id="{kept.id}"]')).to_be_focused()
    for said in [one for one in ada.sees("#games") if one.ephemeral]:
        demo.world.delete(said)

    await expect(page.locator(f'[data-id="{old.id}"]')).to_be_focused()


async def test_what_goes_from_above_moves_nothing_under_the_eyes(tab: Any, demo: Playground) -> None:
    old = await board(demo)
    gone = (await demo.person("Ada").click(old, label="Hand")).message
    low = await board(demo, above=40, below=40)
    page = await tab("Ada")
    button = on(page, low, "Word")
    await button.focus()
    await expect(page.get_by_role("button", name="To the newest")).to_be_visible()
    before = await button.evaluate(FROM_TOP)

    demo.world.delete(gone)

    await expect(page.locator(f'[data-id="{gone.id}"]')).to_have_count(0)
    await expect(button).to_be_focused()
    assert abs(await button.evaluate(FROM_TOP) - before) <= 1


IN_SIGHT = """(node) => {
    const [own, list] = [node, document.getElementById("messages")].map((one) => one.getBoundingClientRect());
    return own.top > list.top - 1 && own.bottom < list.bottom + 1;
}"""


async def panel(demo: Playground, *, below: int) -> Message:
    """A private panel of Ada's with lines below it."""
    asked = await demo.person("Ada").slash("#games", "panel")
    for number in range(below):
        await demo.person("Ben").say("#games", f"Below {number}.")
    assert asked.message is not None
    return asked.message


@pytest.mark.parametrize("up", [0, 60])
async def test_a_panel_that_is_edited_in_place_stays_in_sight_just_above_the_newest(
    tab: Any, demo: Playground, up: int
) -> None:
    await board(demo, above=40)
    said = await panel(demo, below=5)
    page = await tab("Ada", width=390, height=700)
    place = page.locator(f'[data-id="{said.id}"]')
    await eventually(messages(page), AT_THE_END)
    await messages(page).evaluate(f"(node) => node.scrollBy(0, -{up})")
    before = await place.evaluate(FROM_TOP)

    await on(page, said, "Grow").press("Enter")

    await expect(place).to_contain_text("It grew.")
    await eventually(place, IN_SIGHT)
    await expect(page.get_by_role("button", name="To the newest")).to_be_visible()
    assert await place.evaluate(IN_SIGHT)
    assert await place.evaluate(FROM_TOP) <= before


async def test_a_panel_that_is_the_newest_grows_with_its_end_in_sight(tab: Any, demo: Playground) -> None:
    await board(demo, above=40)
    said = await panel(demo, below=0)
    page = await tab("Ada", width=390, height=700)

    await on(page, said, "Grow").press("Enter")

    await expect(page.locator(f'[data-id="{said.id}"]')).to_contain_text("It grew.")
    await eventually(messages(page), AT_THE_END)


async def test_a_picture_that_is_gone_at_once_is_no_error(tab: Any, demo: Playground) -> None:
    said = await panel(demo, below=0)
    page = await tab("Ada")

    await on(page, said, "Flash").press("Enter")

    await expect(newest(page, "It is over.")).to_be_visible()
