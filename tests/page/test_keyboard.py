"""The page by keyboard alone: everything is within reach, and the focus never falls to the page as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from bot.loopback.model import Json, Message
from bot.loopback.play import Playground

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="module")]


def composer(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Message")


def place(page: Page, message: Message) -> Locator:
    return page.locator(f'[data-id="{message.id}"]')


def body(*buttons: tuple[str, str]) -> Json:
    row = [{"type": 2, "style": 2, "label": label, "custom_id": custom_id} for label, custom_id in buttons]
    return {"content": "Choose.", "components": [{"type": 1, "components": row}]}


async def post(demo: Playground, *buttons: tuple[str, str]) -> Message:
    return demo.world.post(demo.world.channel("#games"), demo.world.bot, body(*buttons))


async def test_the_page_begins_where_one_writes(tab: Any) -> None:
    page = await tab("Ada")

    await expect(composer(page)).to_be_focused()


async def test_a_pressed_button_keeps_the_keyboard_when_its_message_is_edited(
    tab: Any, demo: Playground
) -> None:
    asked = await demo.person("Ada").slash("#games", "show press")
    page = await tab("Ada")
    button = place(page, asked.message).get_by_role("button", name="Press")

    await button.press("Enter")
    await expect(place(page, asked.message)).not_to_contain_text("Pressed 0")

    await expect(button).to_be_focused()


@pytest.mark.parametrize(
    ("after", "stays_on"),
    [
        ((("Agree", "new"), ("Object", "no")), "Agree"),
        ((("Other", "yes"),), "Other"),
        ((("Object", "no"),), None),
    ],
)
async def test_the_keyboard_goes_to_what_stands_in_place_of_a_button(
    after: tuple[tuple[str, str], ...], stays_on: str | None, tab: Any, demo: Playground
) -> None:
    message = await post(demo, ("Object", "no"), ("Agree", "yes"))
    page = await tab("Ada")
    await place(page, message).get_by_role("button", name="Agree").focus()

    demo.world.edit(message, body(*after))

    await expect(
        place(page, message).get_by_role("button", name="Agree" if stays_on == "Agree" else after[0][0])
    ).to_be_visible()
    if stays_on is None:
        await expect(place(page, message)).to_be_focused()
    else:
        await expect(place(page, message).get_by_role("button", name=stays_on)).to_be_focused()


async def test_the_keyboard_does_not_slip_onto_a_button_that_cannot_be_undone(
    tab: Any, demo: Playground
) -> None:
    message = await post(demo, ("Give up", "ask"), ("More", "more"))
    page = await tab("Ada")
    await place(page, message).get_by_role("button", name="Give up").focus()
    sure = body(("Give up", "sure"), ("Back", "back"))
    sure["components"][0]["components"][0]["style"] = 4

    demo.world.edit(message, sure)

    await expect(place(page, message).get_by_role("button", name="Back")).to_be_visible()
    await expect(place(page, message)).to_be_focused()


async def test_a_message_that_is_deleted_leaves_the_keyboard_where_one_writes(
    tab: Any, demo: Playground
) -> None:
    message = await post(demo, ("Agree", "yes"))
    page = await tab("Ada")
    await place(page, message).get_by_role("button", name="Agree").focus()

    demo.world.delete(message)

    await expect(composer(page)).to_be_focused()


async def test_who_clicked_on_nothing_is_left_there(tab: Any, demo: Playground) -> None:
    message = await post(demo, ("Agree", "yes"))
    page = await tab("Ada")
    await page.locator(".brand strong").click()

    demo.world.delete(message)

    await expect(place(page, message)).to_have_count(0)
    assert await page.evaluate("document.activeElement === document.body")


async def test_a_form_and_its_answer_lead_back_to_what_opened_them(tab: Any, demo: Playground) -> None:
    asked = await demo.person("Ada").slash("#games", "show board")
    page = await tab("Ada")
    button = place(page, asked.message).get_by_role("button", name="Answer")
    await button.press("Enter")
    form = page.get_by_role("dialog", name="Your answer")
    await expect(form.get_by_label("Word")).to_be_focused()
    await page.keyboard.type("otter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(form.get_by_role("button", name="Kind")).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(form).to_be_hidden()
    await expect(button).to_be_focused()

    dismiss = page.locator("article", has_text="otter Noun").get_by_role("button", name="Dismiss")
    await dismiss.press("Enter")

    await expect(dismiss).to_have_count(0)
    await expect(button).to_be_focused()


async def test_arrows_go_from_message_to_message_and_into_it(tab: Any, demo: Playground) -> None:
    first = await post(demo, ("First", "first"))
    second = await post(demo, ("Second", "second"))
    page = await tab("Ada")

    await composer(page).press("ArrowUp")
    await expect(place(page, second)).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await expect(place(page, first)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(place(page, first).get_by_role("button", name="First")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await expect(place(page, second)).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(composer(page)).to_be_focused()


async def test_enter_on_a_message_goes_to_its_first_button_and_to_a_link_if_there_is_none(
    tab: Any, demo: Playground
) -> None:
    general = demo.world.channel("#general").id
    linked = demo.world.post(
        demo.world.channel("#games"),
        demo.world.bot,
        body(("Place a word", "place")) | {"content": f"<#{general}>"},
    )
    only = await demo.person("Ben").say("#games", f"Look in <#{general}>.")
    page = await tab("Ada")
    await place(page, only).wait_for()

    await page.keyboard.press("Alt+m")
    await page.keyboard.press("Enter")
    await expect(place(page, only).get_by_role("link", name="#general")).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")

    await expect(place(page, linked).get_by_role("button", name="Place a word")).to_be_focused()


async def test_channels_are_changed_by_a_key_from_anywhere(tab: Any, demo: Playground) -> None:
    page = await tab("Ada", "general")
    await page.get_by_role("button", name="Keys and help").focus()

    await page.keyboard.press("Alt+ArrowDown")
    await expect(page.get_by_role("heading", name="#games")).to_be_visible()
    await expect(composer(page)).to_be_focused()
    await page.keyboard.press("Alt+ArrowUp")
    await expect(page.get_by_role("heading", name="#general")).to_be_visible()


async def test_a_key_finds_the_next_unread_channel(tab: Any, demo: Playground) -> None:
    page = await tab("Ada", "general")
    made = demo.world.create_thread(demo.world.channel("#games"), demo.world.bot, "A quiet table")
    await demo.person("Ben").say(made.id, "Anyone?")
    await page.get_by_role("button", name="A quiet table (unread)").wait_for()
    await page.keyboard.press("Alt+ArrowDown")
    await expect(page.locator(".entry.here.unread, #messages")).to_contain_text("started a thread")
    await page.keyboard.press("Alt+ArrowUp")

    await page.keyboard.press("Alt+Shift+ArrowDown")

    await expect(page.get_by_role("heading", name="A quiet table")).to_be_visible()
    demo.world.delete_channel(made.id)
    await expect(page.get_by_role("heading", name="#games")).to_be_visible()
    await expect(composer(page)).to_be_focused()


async def test_the_help_lists_the_keys_and_gives_the_keyboard_back(tab: Any, demo: Playground) -> None:
    message = await post(demo, ("Agree", "yes"))
    page = await tab("Ada")
    button = place(page, message).get_by_role("button", name="Agree")
    await button.press("?")
    help_ = page.get_by_role("dialog", name="Keys and help")
    await expect(help_).to_contain_text("Alt + ↑")

    await page.keyboard.press("Escape")

    await expect(help_).to_be_hidden()
    await expect(button).to_be_focused()


async def test_a_question_mark_can_still_be_written(tab: Any) -> None:
    page = await tab("Ada")
    await composer(page).press_sequentially("Why?")

    await expect(composer(page)).to_have_value("Why?")


async def test_a_drawer_takes_the_keyboard_and_gives_it_back(tab: Any) -> None:
    page = await tab("Ada", width=390, height=844)
    menu = page.get_by_role("button", name="Channels")
    await menu.press("Enter")
    await expect(page.get_by_role("button", name="games", exact=True)).to_be_focused()
    for _ in range(12):  # all round, and never behind the drawer
        await page.keyboard.press("Tab")
        assert await page.evaluate("!document.querySelector('main').contains(document.activeElement)")
    await page.get_by_role("button", name="games", exact=True).focus()
    await page.keyboard.press("Escape")
    await expect(menu).to_be_focused()

    await menu.press("Enter")
    await page.get_by_role("button", name="general", exact=True).press("Enter")

    await expect(composer(page)).to_be_focused()


async def test_backspace_leaves_a_command_that_was_taken_by_mistake(tab: Any) -> None:
    page = await tab("Ada")
    await composer(page).press_sequentially("/word")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("combobox", name="word")).to_be_focused()

    await page.keyboard.press("Backspace")

    await expect(composer(page)).to_have_value("/word")
    await expect(page.get_by_role("option", name="/word")).to_be_visible()


async def test_a_screen_reader_hears_new_messages_and_what_changed_in_old_ones(
    tab: Any, demo: Playground
) -> None:
    message = await demo.person("Ben").say("#games", "Before.")
    said = demo.world.post(
        demo.world.channel("#games"), demo.world.bot, {"content": "# Round 1\nWaiting for **Ada**."}
    )
    page = await tab("Ada")
    await place(page, message).wait_for()
    news = page.get_by_role("status", name="News")

    await demo.person("Ben").say("#games", "Good *morning*.")
    await expect(news).to_have_text("Ben: Good morning.")
    demo.world.edit(said, {"content": "# Round 1\nWaiting for **Ben**."})
    await expect(news).to_have_text("Waiting for Ben.")
    assert await page.locator("#messages").get_attribute("aria-live") == "off"


async def test_a_picture_says_its_whole_alt_text(tab: Any, demo: Playground) -> None:
    asked = await demo.person("Ada").slash("#games", "show board")
    page = await tab("Ada")
    picture = place(page, asked.message).get_by_role("button", name="Enlarge: A board", exact=True)

    await expect(picture).to_have_accessible_name("Enlarge: A board")
    await expect(picture.locator("img")).to_have_attribute("alt", "A board")


async def test_the_commands_of_a_message_are_behind_its_button(tab: Any, demo: Playground) -> None:
    message = await demo.person("Ben").say("#games", "Whose is this?")
    page = await tab("Ada")
    await place(page, message).focus()
    await page.keyboard.press("Tab")
    more = place(page, message).get_by_role("button", name="Message options")
    await expect(more).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("menuitem", name="Whose")).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await expect(page.get_by_role("menuitem", name="Mark unread from here")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("menu")).to_have_count(0)
    await expect(more).to_be_focused()

    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")

    await expect(page.locator("article", has_text="By Ben.").last).to_contain_text("Only you can see this")
    await expect(more).to_be_focused()
