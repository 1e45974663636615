"""Several players on one page, and what none of them has read yet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from bot.loopback.play import Playground

from .conftest import DEMO

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="module")]


def entry(page: Page, name: str) -> Locator:
    return page.locator("#channels").get_by_role("button", name=name, exact=True)


def player(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Play as").get_by_role("link", name=re.compile(rf"^{name}\b"))


async def read_all(page: Page, *names: str) -> None:
    for name in names:
        await page.locator("#channels").get_by_role("button", name=re.compile(rf"^{name}\b")).click()
        await expect(page.locator("#messages > *").first).to_be_visible()


async def test_a_mention_is_counted_until_it_is_read_also_by_a_page_that_comes_later(
    tab: Any, demo: Playground
) -> None:
    page = await tab("Ada", "general")
    await read_all(page, "games", "general")
    ada = demo.person("Ada").user
    await demo.person("Ben").say("#games", "Good morning.")
    await expect(entry(page, "games (unread)")).to_be_visible()
    await demo.person("Ben").say("#games", f"Your turn, <@{ada.id}>.")
    await expect(entry(page, "games (unread) 1")).to_be_visible()
    await expect(page).to_have_title(re.compile(r"^\(1\) "))

    await page.reload()
    await entry(page, "games (unread) 1").click()

    await expect(entry(page, "games")).to_be_visible()
    await expect(page).to_have_title(re.compile("^Wordmoot"))


async def test_a_mention_that_is_taken_back_no_longer_counts(tab: Any, demo: Playground) -> None:
    page = await tab("Ada", "general")
    await read_all(page, "games", "general")
    message = await demo.person("Ben").say("#games", f"<@{demo.person('Ada').user.id}>, never mind.")
    await expect(entry(page, "games (unread) 1")).to_be_visible()

    demo.world.delete(message)

    await expect(page.locator("#channels .badge")).to_have_count(0)


async def test_a_line_shows_where_the_new_messages_begin(tab: Any, demo: Playground) -> None:
    page = await tab("Ada", "general")
    await demo.person("Ben").say("#games", "Known already.")
    await read_all(page, "games", "general")
    await demo.person("Ben").say("#games", "The first new one.")
    await demo.person("Ben").say("#games", "The second new one.")
    await entry(page, "games (unread)").click()
    line = page.get_by_role("separator", name="New messages")
    await expect(line).to_be_visible()
    after = await line.evaluate("(node) => node.nextElementSibling.textContent")
    assert "The first new one." in after

    await page.get_by_role("combobox", name="Message").fill("I saw them.")
    await page.keyboard.press("Enter")

    await expect(line).to_have_count(0)


async def test_who_reads_above_is_not_pulled_down_and_can_go_to_the_newest(
    tab: Any, demo: Playground
) -> None:
    for number in range(40):
        await demo.person("Cleo").say("#games", f"Line {number}.")
    page = await tab("Ada")
    box = page.locator("#messages")
    await expect(page.get_by_text("Line 39.")).to_be_in_viewport()
    await box.evaluate("(node) => (node.scrollTop = 0)")
    await expect(page.get_by_role("button", name="To the newest ↓")).to_be_visible()

    await demo.person("Ben").say("#games", "Down here.")
    button = page.get_by_role("button", name="1 new message ↓")
    await expect(button).to_be_visible()
    assert await box.evaluate("(node) => node.scrollTop") == 0
    await button.click()

    await expect(box.get_by_text("Down here.")).to_be_in_viewport()
    await expect(button).to_be_hidden()
    await expect(page.locator("#jump")).to_be_hidden()


async def test_a_message_can_be_kept_for_later(tab: Any, demo: Playground) -> None:
    message = await demo.person("Ben").say("#games", "Think about it.")
    page = await tab("Ada")
    place = page.locator(f'[data-id="{message.id}"]')
    await place.hover()
    await place.get_by_role("button", name="Message options").click()
    await page.get_by_role("menuitem", name="Mark unread from here").click()
    await expect(page.get_by_role("separator", name="New messages")).to_be_visible()

    await entry(page, "general").click()

    await expect(entry(page, "games (unread)")).to_be_visible()


async def test_the_other_players_turns_are_seen_and_taken_with_one_click(tab: Any, demo: Playground) -> None:
    page = await tab("Ada")
    ben = demo.person("Ben").user
    message = await demo.person("Cleo").say("#games", f"<@{ben.id}>, your turn.")
    await expect(player(page, "Ben")).to_have_accessible_name("Ben (1 unread)")
    await demo.person("Ben").slash("#games", "show hand")
    await expect(player(page, "Ben")).to_have_accessible_name("Ben (2 unread)")
    await expect(player(page, "Cleo")).to_have_accessible_name("Cleo")

    await player(page, "Ben").click()
    await expect(player(page, "Ben")).to_have_attribute("aria-current", "true")
    assert page.url.endswith(f"?player=Ben#{message.channel}")
    await entry(page, "Wordmoot (unread) 1").click()
    await expect(page.get_by_alt_text("Seven tiles")).to_be_visible()
    await player(page, "Ada").click()

    await expect(player(page, "Ada")).to_have_attribute("aria-current", "true")
    await expect(page.get_by_role("heading", name="Wordmoot", level=1)).to_be_visible()  # Ada's own
    await expect(player(page, "Ben")).to_have_accessible_name("Ben")


async def test_players_are_changed_by_keys_and_in_new_tabs(tab: Any, demo: Playground) -> None:
    page = await tab("Ada")
    await page.keyboard.press("Alt+p")
    await expect(player(page, "Ben")).to_be_focused()
    async with page.context.expect_page() as opening:
        await page.keyboard.press("Control+Enter")
    other = await opening.value
    await expect(player(other, "Ben")).to_have_attribute("aria-current", "true")
    await other.close()

    await page.keyboard.press("Enter")

    await expect(page).to_have_title(re.compile("· Ben$"))


async def test_a_player_is_added_while_it_runs_and_comes_back(
    tab: Any, demo: Playground, tmp_path: Path
) -> None:
    page = await tab("Ada")
    await page.get_by_role("button", name="Add a player").click()
    form = page.get_by_role("dialog", name="Add a player")
    await form.get_by_label("Name").fill("ben")
    await page.keyboard.press("Enter")
    await expect(form.get_by_role("alert")).to_have_text("ben is here already.")
    await form.get_by_label("Name").fill(" Dora  Ω ")
    await page.keyboard.press("Enter")
    await expect(player(page, "Dora")).to_be_focused()

    await page.keyboard.press("Enter")
    await expect(page).to_have_title(re.compile("· Dora Ω$"))
    await page.get_by_role("combobox", name="Message").fill("Here I am.")
    await page.keyboard.press("Enter")

    await expect(page.locator("article", has_text="Here I am.")).to_contain_text("Dora Ω")


async def test_added_players_and_their_messages_outlive_a_restart(tmp_path: Path) -> None:
    first = Playground(0, ("Ada",), tmp_path, entry="demo_bot:main", path=[DEMO])
    first._local._welcome("Dora")
    await first.person("Dora").say("#games", "Remember me.")
    first.world.close()

    second = Playground(0, ("Ada",), tmp_path, entry="demo_bot:main", path=[DEMO])

    assert [user.name for user in second.world.players] == ["Ada", "Dora"]
    assert second.person("Ada").last("#games").text == "Remember me."
    second.world.close()


async def test_only_the_newest_messages_of_a_channel_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Playground(0, ("Ada",), tmp_path)
    for number in range(5):
        await first.person("Ada").say("#games", f"{number}")
    await first.person("Ada").say("#general", "alone")
    first.world.close()
    monkeypatch.setattr("bot.loopback.play.MESSAGES_KEPT", 3)
    Playground(0, ("Ada",), tmp_path).world.close()
    monkeypatch.undo()

    last = Playground(0, ("Ada",), tmp_path)

    assert [said.text for said in last.person("Ada").sees("#games")] == ["2", "3", "4"]
    assert [said.text for said in last.person("Ada").sees("#general")] == ["alone"]
    last.world.close()


async def test_the_page_says_who_may_manage_the_server(tab: Any, demo: Playground) -> None:
    page = await tab("Ben")
    await expect(player(page, "Ada")).to_contain_text("manages the server")
    await expect(player(page, "Ben")).not_to_contain_text("manages")
    await expect(page.locator("#managers")).to_have_text("Who may manage the server: Ada.")

    demo.world.create_role("Hosts", 1 << 5, members=["Cleo"])

    await expect(page.locator("#managers")).to_have_text("Who may manage the server: Ada, Cleo.")
    demo.world.delete_role("Hosts")
