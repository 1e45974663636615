"""The page of local play in a real browser: what players see and do on it."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.async_api import Page, expect

from bot.loopback.play import Playground

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="module")]


def composer(page: Page) -> Any:
    return page.get_by_role("combobox", name="Message")


def said(page: Page, text: str) -> Any:
    return page.locator("article.message", has_text=text)


async def test_a_command_is_found_filled_in_and_sent_with_the_keyboard(tab: Any, demo: Playground) -> None:
    ada, ben = await tab("Ada"), await tab("Ben")
    await composer(ada).press_sequentially("/wo")
    await expect(ada.get_by_role("option", name="/word")).to_be_visible()
    await ada.keyboard.press("Tab")
    await ada.keyboard.type("ban")
    await expect(ada.get_by_role("option")).to_have_text(["banana"])
    await ada.keyboard.press("ArrowDown")
    await ada.keyboard.press("Enter")
    await ada.get_by_role("button", name="+ level").click()
    await ada.keyboard.type("9")
    await ada.keyboard.press("Enter")
    await expect(ada.get_by_role("alert").filter(has_text="level is between 1 and 3.")).to_be_visible()
    await ada.keyboard.press("Control+A")
    await ada.keyboard.type("3")
    await ada.keyboard.press("Enter")

    for page in (ada, ben):
        await expect(said(page, "banana is a word of level 3.")).to_contain_text("Ada used /word")
    await expect(composer(ada)).to_be_focused()


async def test_escape_puts_a_command_away(tab: Any) -> None:
    page = await tab("Ada")
    await composer(page).press_sequentially("/word")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("group", name="/word")).to_be_visible()

    await page.keyboard.press("Escape")

    await expect(composer(page)).to_be_focused()


async def test_an_argument_can_be_typed_behind_the_name_of_a_command(tab: Any) -> None:
    page = await tab("Ada")
    await composer(page).focus()
    await page.keyboard.type("/word cable")
    await expect(page.get_by_role("group", name="/word")).to_be_visible()
    await expect(page.get_by_role("combobox", name="word")).to_have_value("cable")

    await page.keyboard.press("Enter")

    await expect(said(page, "cable is a word of level 1.")).to_be_visible()
    await expect(composer(page)).to_be_focused()


async def test_a_whole_line_can_be_pasted_and_sent(tab: Any) -> None:
    page = await tab("Ada")
    await composer(page).fill("/Word otter cub")
    await expect(page.get_by_role("combobox", name="word")).to_be_focused()
    await expect(page.get_by_role("combobox", name="word")).to_have_value("otter cub")

    await page.keyboard.press("Enter")

    await expect(said(page, "otter cub is a word of level 1.")).to_be_visible()


async def test_a_choice_that_was_typed_whole_needs_one_press_of_enter(tab: Any) -> None:
    page = await tab("Ada")
    await composer(page).fill("/kinds large")
    await expect(page.get_by_role("option", name="Large")).to_be_visible()

    await page.keyboard.press("Enter")

    await expect(page.get_by_role("alert").filter(has_text="share is needed.")).to_be_visible()
    await expect(page.get_by_role("combobox", name="size")).to_have_value("Large")


async def test_help_and_play_come_first_then_games_and_tables_and_among_these_what_is_used(tab: Any) -> None:
    page = await tab("Ada")
    names = await page.evaluate("""async () => {
      const { leaves } = await import("/page/composer.js");
      const of = (name, ...inner) => ({ type: 1, name, options: inner.map((one) => ({ type: 1, name: one })) });
      const games = [of("dungeon", "solo", "place"), of("table", "undo", "end"), of("defenders", "word")];
      const all = [of("zoo"), ...games, of("play", "dungeon", "daily", "defenders"), of("help")];
      return leaves(all, { "table end": 2, "table undo": 1, "defenders word": 1, zoo: 9 })
        .map((one) => one.name);
    }""")

    assert names == [
        *("help", "play dungeon", "play daily", "play defenders"),
        *("defenders word", "dungeon solo", "dungeon place", "table end", "table undo", "zoo"),
    ]


async def test_a_command_that_was_sent_comes_before_its_like(tab: Any) -> None:
    page = await tab("Cleo")
    listed = page.get_by_role("option")
    await composer(page).fill("/show")
    await expect(listed.first).to_have_text(re.compile("^/show press"))
    await composer(page).fill("/show board")
    await page.keyboard.press("Enter")
    await expect(composer(page)).to_have_value("")

    await expect(said(page, "Cleo used /show board").last).to_be_visible()
    await composer(page).fill("/show")

    await expect(listed.first).to_have_text(re.compile("^/show board"))


async def test_what_one_types_while_a_command_is_answered_stays(tab: Any, demo: Playground) -> None:
    page = await tab("Cleo")
    demo.faults.add("POST", "/interactions/*/*/callback", delay=1.0)
    await composer(page).fill("/show board")
    await page.keyboard.press("Enter")
    await expect(composer(page)).to_have_value("")
    await composer(page).fill("/show")

    await expect(said(page, "Cleo used /show board").last).to_be_visible()
    await page.wait_for_timeout(300)

    await expect(composer(page)).to_have_value("/show")
    await expect(page.get_by_role("option").first).to_be_visible()


async def test_what_is_no_command_is_said_until_something_else_is(tab: Any) -> None:
    page = await tab("Ada")
    told = page.get_by_role("alert").filter(has_text=re.compile("command here|nothing more"))
    await composer(page).fill("/nothing of this name")
    await page.keyboard.press("Enter")
    await expect(told).to_have_text("There is no such command here.")
    await composer(page).fill("/show press hard")
    await expect(told).to_have_count(0)
    await page.keyboard.press("Enter")
    await expect(told).to_have_text("/show press takes nothing more.")

    await composer(page).fill("Then not.")
    await page.keyboard.press("Enter")

    await expect(said(page, "Then not.")).to_be_visible()
    await expect(told).to_have_count(0)


@pytest.mark.parametrize("touch", [False, True])
async def test_the_list_of_a_field_that_is_needed_stays_and_comes_back_by_a_click(
    touch: bool, tab: Any
) -> None:
    page = await tab("Ada", width=390, height=844, touch=touch)
    await composer(page).fill("/kinds")
    await page.keyboard.press("Enter")
    size, large = page.get_by_role("combobox", name="size"), page.get_by_role("option", name="Large")
    await page.get_by_role("combobox", name="share").fill("0.5")
    send = page.get_by_role("button", name="Send")
    await (send.tap() if touch else send.click())
    await expect(size).to_be_focused()
    await expect(large).to_be_visible()
    await page.wait_for_timeout(300)  # longer than a list outlives its field
    await expect(large).to_be_visible()

    await page.keyboard.press("Escape")
    await expect(large).to_be_hidden()
    await (size.tap() if touch else size.click())

    await expect(large).to_be_visible()


async def test_the_list_of_commands_comes_back_by_a_click(tab: Any) -> None:
    page = await tab("Ada")
    await composer(page).fill("/wo")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("option", name="/word")).to_be_hidden()

    await composer(page).click()

    await expect(page.get_by_role("option", name="/word")).to_be_visible()


async def test_choices_truths_people_and_files_are_options_too(tab: Any, tmp_path: Any) -> None:
    note = tmp_path / "note.txt"
    note.write_text("hi")
    page = await tab("Ada")
    await composer(page).press_sequentially("/kinds")
    await page.keyboard.press("Enter")
    for label, value in (
        ("size", "Large"),
        ("share", "0.5"),
        ("loud", "True"),
        ("who", "Cleo"),
        ("where", "#general"),
    ):
        await page.get_by_role("combobox", name=label).fill(value)
    await page.get_by_label("file").set_input_files(note)

    await page.get_by_role("button", name="Send").click()

    await expect(said(page, "l 0.5 True Cleo general note.txt hi")).to_be_visible()


async def test_a_press_of_one_changes_what_all_see(tab: Any, demo: Playground) -> None:
    asked = await demo.person("Ada").slash("#games", "show press")
    ada, ben = await tab("Ada"), await tab("Ben")
    key = f'[data-id="{asked.message.id}"]'

    await ben.locator(key).get_by_role("button", name="Press").click()
    await expect(ada.locator(key)).not_to_contain_text("Pressed 0")

    body = f"{key} .body"
    assert await ada.locator(body).inner_text() == await ben.locator(body).inner_text()


async def test_a_form_is_sent_and_its_answer_is_private(tab: Any, demo: Playground) -> None:
    asked = await demo.person("Ada").slash("#games", "show board")
    ada, ben = await tab("Ada"), await tab("Ben")
    board = ben.locator(f'[data-id="{asked.message.id}"]')
    await board.get_by_role("button", name="Answer").click()
    form = ben.get_by_role("dialog", name="Your answer")
    await form.get_by_label("Word").fill("otter")
    await form.get_by_role("button", name="Submit").click()
    await expect(form.get_by_role("alert")).to_contain_text("Between 1 and 1")
    await form.get_by_role("button", name="Kind").press("ArrowDown")
    await ben.keyboard.press("v")
    await ben.keyboard.press("Enter")
    await form.get_by_role("button", name="Submit").click()

    answer = said(ben, "otter Verb")
    await expect(answer).to_contain_text("Only you can see this")
    assert await said(ada, "otter Verb").count() == 0
    await answer.get_by_role("button", name="Dismiss").click()
    await expect(answer).to_have_count(0)


async def test_a_layout_shows_its_picture_and_enlarges_it(tab: Any, demo: Playground) -> None:
    asked = await demo.person("Ada").slash("#games", "show board")
    page = await tab("Ada")
    board = page.locator(f'[data-id="{asked.message.id}"]')
    await board.get_by_role("button", name="Next").click()
    await expect(board.get_by_role("heading", name="Board")).to_be_visible()
    await expect(board).to_contain_text("Turn 1")
    picture = board.get_by_alt_text("A board", exact=True)
    assert await picture.evaluate("node => node.decode().then(() => node.naturalWidth)") == 320

    await board.get_by_role("button", name="Enlarge: A board", exact=True).click()

    await expect(page.get_by_role("dialog", name="Picture")).to_contain_text("A board")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog", name="Picture")).to_be_hidden()


async def test_several_are_chosen_in_a_select(tab: Any, demo: Playground) -> None:
    await demo.person("Cleo").slash("#general", "show choosing")
    page = await tab("Cleo", "general")
    await page.get_by_role("button", name="Letters").click()
    await page.get_by_role("option", name="C The letter C").click()
    await page.get_by_role("option", name="A The letter A").click()
    await page.get_by_role("button", name="Done").click()

    await expect(said(page, "A+C")).to_be_visible()


async def choosing(tab: Any, demo: Playground) -> tuple[Page, Any]:
    """Cleo's page with a menu for several, and its menu."""
    asked = await demo.person("Cleo").slash("#general", "show choosing")
    page = await tab("Cleo", "general")
    menu = page.locator(f'[data-id="{asked.message.id}"]').get_by_role("button", name="Letters")
    await menu.press("Enter")
    return page, menu


@pytest.mark.parametrize("away", ["Tab", "a click"])
async def test_several_are_sent_by_going_elsewhere(away: str, tab: Any, demo: Playground) -> None:
    page, _ = await choosing(tab, demo)
    answers = await said(page, "B+C").count()
    await page.get_by_role("option", name="C The letter C").click()
    await page.get_by_role("option", name="B The letter B").click()
    if away == "Tab":
        await page.keyboard.press("Tab")
        await page.keyboard.press("Tab")
    else:
        await page.locator(".brand strong").click()

    await expect(said(page, "B+C")).to_have_count(answers + 1)
    await expect(page.get_by_role("option", name="B The letter B")).to_be_hidden()


@pytest.mark.parametrize("place", ["the list", "Done"])
async def test_escape_leaves_a_menu_for_several_as_it_was(place: str, tab: Any, demo: Playground) -> None:
    page, menu = await choosing(tab, demo)
    answers = await said(page, "A").filter(has_text="Only you can see this").count()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("option", name="A The letter A")).to_have_attribute("aria-selected", "true")
    if place == "Done":
        await page.keyboard.press("Tab")

    await page.keyboard.press("Escape")

    await expect(menu).to_be_focused()
    await expect(menu).to_have_text("Letters▾")
    await demo.person("Cleo").say("#general", "After Escape.")
    await expect(said(page, "After Escape.").last).to_be_visible()
    assert await said(page, "A").filter(has_text="Only you can see this").count() == answers


async def test_a_menu_from_which_nothing_is_taken_sends_nothing(tab: Any, demo: Playground) -> None:
    page, menu = await choosing(tab, demo)
    private = page.locator("article.private")
    answers = await private.count()
    await menu.click()
    await expect(page.get_by_role("option", name="A The letter A")).to_be_hidden()
    await demo.person("Cleo").say("#general", "After nothing.")

    await expect(said(page, "After nothing.").last).to_be_visible()
    assert await private.count() == answers


async def test_a_list_that_goes_on_shows_half_a_row_at_its_edge(tab: Any, demo: Playground) -> None:
    options = [
        {"label": f"E{number} down", "value": str(number), "description": "7 VP."} for number in range(10)
    ]
    select = {"type": 3, "custom_id": "places", "placeholder": "Choose a place", "options": options}
    body = {"content": "Where?", "components": [{"type": 1, "components": [select]}]}
    message = demo.world.post(demo.world.channel("#games"), demo.world.bot, body)
    page = await tab("Ada")
    await (
        page.locator(f'[data-id="{message.id}"]').get_by_role("button", name="Choose a place").press("Enter")
    )

    rows = await page.get_by_role("listbox").evaluate("""(list) => [...list.children].map((row) => {
      const seen = list.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
      return Math.max(0, Math.min(1, seen / row.offsetHeight));
    })""")

    assert len([share for share in rows if 0.35 < share < 0.65]) == 1
    assert rows[0] == 1
    assert rows[-1] == 0


async def test_what_is_chosen_already_is_shown_in_a_select(tab: Any, demo: Playground) -> None:
    chosen = [{"id": int(demo.world.channel("#general").id), "type": "channel"}]
    select = {"type": 8, "custom_id": "preset", "placeholder": "Somewhere", "default_values": chosen}
    body = {"content": "Where?", "components": [{"type": 1, "components": [select]}]}
    message = demo.world.post(demo.world.channel("#games"), demo.world.bot, body)
    page = await tab("Ada")

    await expect(page.locator(f'[data-id="{message.id}"] .caption')).to_have_text("#general")


async def test_a_message_that_was_dismissed_stays_away_when_it_is_edited(tab: Any, demo: Playground) -> None:
    ada = demo.person("Ada")
    asked = await ada.slash("#games", "show choosing")
    page = await tab("Ada")
    place = page.locator(f'[data-id="{asked.message.id}"]')
    await place.get_by_role("button", name="Dismiss").click()
    await expect(place).to_have_count(0)

    demo.world.edit(asked.message, {"content": "Choose again."})
    await ada.say("#games", "After the edit.")

    await expect(said(page, "After the edit.")).to_be_visible()
    await expect(place).to_have_count(0)


async def test_a_direct_message_is_counted_until_it_is_read(tab: Any, demo: Playground) -> None:
    ada, ben = await tab("Ada"), await tab("Ben")
    await demo.person("Ben").slash("#games", "show hand")
    entry = ben.get_by_role("button", name="Wordmoot (unread) 1")
    await entry.click()

    await expect(ben.get_by_alt_text("Seven tiles")).to_be_visible()
    await expect(ben.get_by_role("button", name="Wordmoot", exact=True)).to_be_visible()
    assert await said(ada, "Look into your DMs.").count() == 0


async def test_what_fails_says_so_in_its_place(tab: Any, demo: Playground) -> None:
    demo.world.rules.answer_seconds = 0.5
    button = {"type": 2, "style": 2, "label": "Nobody hears", "custom_id": "nobody"}
    body = {"content": "Try me.", "components": [{"type": 1, "components": [button]}]}
    message = demo.world.post(demo.world.channel("#games"), demo.world.bot, body)
    page = await tab("Ada")
    await page.locator(f'[data-id="{message.id}"]').get_by_role("button", name="Nobody hears").click()
    await expect(page.locator(f'[data-id="{message.id}"]')).to_contain_text("This interaction failed.")

    await composer(page).fill("/try late")
    await page.keyboard.press("Enter")
    await page.get_by_role("combobox", name="seconds").fill("0.6")
    await page.keyboard.press("Enter")

    failed = said(page, "The application did not respond.")
    await expect(failed).to_contain_text("Ada used /try late")
    await failed.get_by_role("button", name="Dismiss").click()
    await expect(failed).to_have_count(0)


async def test_the_bot_is_seen_thinking(tab: Any, demo: Playground) -> None:
    page = await tab("Ada")
    asked = await demo.person("Ben").slash("#games", "try slow", seconds=1.2)
    place = page.locator(f'[data-id="{asked.message.id}"]')

    await expect(place).to_contain_text("Wordmoot is thinking…")
    await expect(place).to_contain_text("Done.")


async def test_markdown_is_read_and_nothing_else(tab: Any, demo: Playground) -> None:
    ada = demo.person("Ada")
    text = "\n".join(
        [
            "## A heading",
            f"**bold** *slanted* `co*d*e` ~~no~~ ||hidden|| <@{ada.user.id}> \\*plain\\* Bo\\_b",
            "- one",
            "  - two",
            "> quoted",
            "-# small",
            "```py",
            "x = 1 < 2",
            "```",
            '<img src="x" onerror="document.title = 1"> <script>1</script>',
        ]
    )
    message = await demo.person("Ben").say("#games", text)
    page = await tab("Ada")
    place = page.locator(f'[data-id="{message.id}"]')

    await expect(place.get_by_role("heading", name="A heading")).to_be_visible()
    for selector, inner in (
        ("strong", "bold"), ("em", "slanted"), (".p code", "co*d*e"), ("s", "no"), (".mention.me", "@Ada"),
        ("ul ul li", "two"), ("blockquote", "quoted"), (".subtext", "small"), ("pre code", "x = 1 < 2"),
    ):  # fmt: skip
        await expect(place.locator(selector)).to_have_text(inner)
    await expect(place).to_contain_text("*plain* Bo_b")
    await expect(place).to_contain_text('<img src="x" onerror="document.title = 1"> <script>1</script>')
    spoiler = place.get_by_role("button", name="Hidden text")
    await spoiler.press("Enter")
    await expect(place.locator(".spoiler.shown")).to_have_text("hidden")


async def test_a_countdown_goes_on(tab: Any, demo: Playground) -> None:
    message = await demo.person("Ben").say("#games", f"<t:{int(time.time()) + 40}:R>")
    page = await tab("Ada")
    node = page.locator(f'[data-id="{message.id}"] time.stamp')
    before = await node.inner_text()

    await expect(node).not_to_have_text(before)

    assert before.startswith("in ")
    assert (await node.inner_text()).endswith("seconds")


async def test_ids_keep_all_their_digits(tab: Any, demo: Playground) -> None:
    message = await demo.person("Ben").say("#games", "digits")
    page = await tab("Ada")

    await expect(said(page, "digits")).to_have_attribute("data-id", message.id)


async def test_threads_come_and_go_in_the_list(tab: Any, demo: Playground) -> None:
    page = await tab("Ada")
    thread = demo.world.create_thread(demo.world.channel("#games"), demo.world.bot, "Table 7")
    await page.get_by_label("Channels").get_by_role("button", name="Table 7").click()
    await expect(page.get_by_role("heading", name="#games › Table 7")).to_be_visible()
    await composer(page).fill("hello")
    await page.keyboard.press("Enter")
    await expect(said(page, "hello")).to_be_visible()
    await page.get_by_label("Channels").get_by_role("button", name="games", exact=True).click()

    demo.world.archive_thread(thread.id)

    await expect(page.get_by_label("Channels").get_by_role("button", name="Table 7")).to_have_count(0)


async def test_refused_requests_are_listed_for_who_writes_the_bot(tab: Any, demo: Playground) -> None:
    page = await tab("Ada")
    await demo.person("Ben").slash("#games", "try over")

    await page.get_by_role("button", name="Refusals").click()

    listed = page.get_by_role("region", name="Requests that were refused")
    await expect(listed).to_contain_text("400 (50035) Invalid Form Body")
    await expect(listed).to_contain_text("data.content: Must be 2000 or fewer in length.")


async def test_one_tab_can_change_its_player(tab: Any) -> None:
    page = await tab("Ada")
    await page.get_by_role("link", name="Ben").click()

    await expect(page.get_by_role("link", name="Ben")).to_have_attribute("aria-current", "true")
    assert "player=Ben" in page.url


async def test_it_can_be_used_on_a_phone(tab: Any, demo: Playground) -> None:
    await demo.person("Ada").slash("#games", "show board")
    page = await tab("Ada", width=390, height=844)
    await page.get_by_alt_text("A board", exact=True).last.wait_for()
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    assert (
        await page.evaluate("(box => box.scrollWidth - box.clientWidth)(document.getElementById('messages'))")
        == 0
    )

    await page.get_by_role("button", name="Channels").click()
    await page.get_by_label("Channels").get_by_role("button", name="general").click()

    await expect(page.get_by_role("heading", name="#general")).to_be_visible()
    await expect(page.locator("#sidebar")).to_be_hidden()


async def test_the_page_comes_back_when_its_socket_was_lost(tab: Any, demo: Playground) -> None:
    page = await tab("Ada")
    await demo._local.close()
    await demo.person("Ben").say("#games", "while you were away")

    await expect(said(page, "while you were away")).to_be_visible()
    await expect(page.get_by_role("status").first).to_have_text("Wordmoot is online.")


async def test_without_a_player_the_first_one_plays(tab: Any, demo: Playground) -> None:
    page = await tab("Ben")
    await page.goto(demo.address)

    await expect(page).to_have_title(re.compile("Wordmoot – local play · Ada$"))
