"""A game in three tabs of the page: from the slash command to the result, with the bot killed in the middle."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from bot.loopback import Loopback

pytestmark = [pytest.mark.page, pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

PLAYERS = ("Ada", "Ben", "Cleo")
PATIENCE = 20_000  # ms


class Tab:
    """One player's tab on the channel of the game."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def newest(self, text: str) -> Locator:
        return self.page.locator("article.message", has_text=text).last

    @property
    def board(self) -> Locator:
        return self.newest("Defenders of the Dictionary")

    async def press(self, where: Locator, label: str) -> None:
        await where.get_by_role("button", name=label, exact=True).click(timeout=PATIENCE)

    async def type(self, text: str) -> None:
        composer = self.page.get_by_role("combobox", name="Message")
        await composer.fill(text)
        await expect(self.page.get_by_role("option", name=text)).to_be_visible(timeout=PATIENCE)
        await composer.press("Enter")

    async def contribute(self, then: str = "You contributed") -> None:
        await self.press(self.board, "My rack")
        panel = self.newest("Your rack")
        await panel.get_by_role("button").filter(has_text="").first.wait_for()
        letters = [
            label
            for label in await panel.get_by_role("button").all_inner_texts()
            if len(label) == 1 or label == "Wildcard"
        ]
        await self.press(panel, letters[0])
        await expect(self.newest(then)).to_be_visible(timeout=PATIENCE)
        await self.press(self.newest(then), "Dismiss")


@pytest_asyncio.fixture(loop_scope="module")
async def house(browser: Browser, tmp_path: Path) -> AsyncIterator[tuple[dict[str, Tab], Any]]:
    async with (
        Loopback(players=PLAYERS) as here,
        here.bot(data=tmp_path, settings={"WORDMOOT_PACE": "0.1"}) as process,
    ):
        tabs = {}
        contexts = []
        for number, name in enumerate(PLAYERS):
            size = {"width": 390, "height": 844} if number == 2 else {"width": 1100, "height": 800}
            contexts.append(await browser.new_context(viewport=size))
            page = await contexts[-1].new_page()
            page.set_default_timeout(PATIENCE)
            await page.goto(f"{here.address}/?player={name}#{here.world.channel('games').id}")
            await page.get_by_role("heading", name="#games").wait_for()
            tabs[name] = Tab(page)
        yield tabs, process
        for context in contexts:
            await context.close()


async def test_three_tabs_play_to_the_result_across_a_kill(house: tuple[dict[str, Tab], Any]) -> None:
    tabs, process = house
    ada, ben, cleo = (tabs[name] for name in PLAYERS)

    await ada.type("/play defenders")
    await ada.page.get_by_role("button", name="Send").press("Enter")
    for tab, name in ((ben, "Ben"), (cleo, "Cleo")):
        await tab.press(tab.newest("a table opens"), "Join")
        await expect(ada.newest("a table opens")).to_contain_text(name, timeout=PATIENCE)
    await ada.press(ada.newest("a table opens"), "Start")
    await expect(ada.board).to_contain_text("Waiting for Ada, Ben and Cleo", timeout=PATIENCE)

    await ada.contribute()
    await ben.contribute()
    await process.restart()
    await cleo.contribute(then="when the next round begins")
    await expect(ben.board).to_contain_text("Form a word together", timeout=PATIENCE)

    # What fits nowhere keeps what was typed.
    await ben.press(ben.board, "Place a word")
    form = ben.page.get_by_role("dialog", name="Place a word")
    await form.get_by_label("Word").fill("zzzzz")
    await form.get_by_role("button", name="Submit").click()
    refused = ben.newest("Not like this")
    await expect(refused).to_contain_text("zzzzz")
    await ben.press(refused, "Edit")
    await expect(form.get_by_label("Word")).to_have_value("zzzzz")
    await form.get_by_role("button", name="Cancel").click()

    # No word is agreed on, on a phone too; then the team gives up.
    await ben.press(ben.board, "No word")
    await expect(cleo.board).to_contain_text("Ben proposes to form no word", timeout=PATIENCE)
    await cleo.press(cleo.board, "Agree")
    await ada.press(ada.board, "Agree")
    await expect(ada.board).to_contain_text("round 2 of 26", timeout=PATIENCE)

    await ada.press(ada.board, "More")
    await ada.press(ada.newest("Admit defeat"), "Admit defeat")
    await ada.press(ada.newest("The game ends as a failure"), "Propose to admit defeat")
    for tab, missing in ((ben, "Ben and Cleo"), (cleo, "Cleo")):  # a board that grows moves its buttons away
        await expect(tab.board).to_contain_text(f"Still to agree: {missing}.", timeout=PATIENCE)
        await tab.press(tab.board, "Agree")
    for tab in tabs.values():
        await expect(tab.board).to_contain_text("Failure", timeout=PATIENCE)
