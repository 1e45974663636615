"""A newcomer's first press: from an empty channel into a game with automata, by the bot's own buttons."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from bot.loopback.play import Playground

pytestmark = [pytest.mark.page, pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

PATIENCE = 20_000  # ms


@pytest_asyncio.fixture(loop_scope="module")
async def house(tmp_path: Path) -> AsyncIterator[Playground]:
    settings = {"WORDMOOT_PACE": "0.1"}
    async with Playground(0, ("Ada", "Ben"), tmp_path, settings=settings, pause=0.5) as server:
        await server.process.ready()
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def page(browser: Browser, house: Playground) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 390, "height": 844})
    found = await context.new_page()
    found.set_default_timeout(PATIENCE)
    await found.goto(f"{house.address}/?player=Ada")
    yield found
    await context.close()


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="New here?")


async def test_one_press_leads_into_a_game_with_two_automata(page: Page, house: Playground) -> None:
    await card(page).get_by_role("button", name="Play with two automata").press("Enter")

    board = page.locator("article", has_text="round 1 of").last
    await expect(board).to_contain_text("Ada", timeout=PATIENCE)
    await expect(board).to_contain_text("Automaton 2")
    await expect(card(page)).to_have_count(0)
    await expect(page.locator("article").last).to_be_focused()
    await page.reload()
    await expect(board).to_be_visible()
    await expect(card(page)).to_have_count(0)
    other = await page.context.new_page()
    await other.goto(f"{house.address}/?player=Ben#{house.world.channel('general').id}")
    await other.get_by_role("heading", name="#general").wait_for()
    await expect(other.locator(".nothing")).to_be_visible()
    await expect(card(other)).to_have_count(0)  # a table exists: nobody is new here any more


async def test_one_press_leads_into_a_race_with_an_automaton(page: Page) -> None:
    await card(page).get_by_role("button", name="Race an automaton").click()

    board = page.locator("article", has_text="Inside: Ada and Automaton 1").last
    await expect(board).to_contain_text("Cellar Steps", timeout=PATIENCE)
    await expect(card(page)).to_have_count(0)


async def test_the_first_game_has_its_words_checked_at_once(page: Page, house: Playground) -> None:
    asked: list[Any] = []
    house.world.listen(lambda event: asked.append(event.data) if event.name == "INTERACTION_CREATE" else None)

    await card(page).get_by_role("button", name="Play with two automata").click()
    await expect(page.locator("article", has_text="round 1 of").last).to_be_visible(timeout=PATIENCE)

    options = asked[0]["data"]["options"][0]["options"]
    assert [(one["name"], one["value"]) for one in options] == [("referee", "guarded")]


async def test_the_hint_goes_when_one_plays_alone(page: Page, house: Playground) -> None:
    await expect(card(page)).to_be_visible()

    asked = await house.person("Ada").slash("#games", "dungeon solo", dungeon="cellar-steps")

    await expect(card(page)).to_have_count(0, timeout=PATIENCE)
    assert asked.private
    await page.reload()
    await expect(page.locator("article").last).to_be_visible()
    await expect(card(page)).to_have_count(0)


async def test_the_hint_stays_while_one_only_reads(page: Page, house: Playground) -> None:
    asked = await house.person("Ada").slash("#games", "help")
    await expect(page.locator(f'[data-id="{asked.message.id}"]')).to_be_visible(timeout=PATIENCE)

    await expect(card(page)).to_be_visible()


async def test_the_hint_can_be_put_away_for_good(page: Page) -> None:
    await card(page).get_by_role("button", name="No, thanks").click()
    await expect(card(page)).to_have_count(0)

    await page.reload()

    await expect(page.locator(".nothing")).to_be_visible()
    await expect(card(page)).to_have_count(0)


async def test_the_hint_goes_when_somebody_opens_a_table_anywhere(page: Page, house: Playground) -> None:
    await expect(card(page)).to_be_visible()

    asked = await house.person("Ben").slash("#general", "play defenders", thread=True)

    await expect(card(page)).to_have_count(0, timeout=PATIENCE)
    assert not asked.failed


@pytest.mark.parametrize("when", ["before", "at the start"])
async def test_a_step_that_is_refused_stops_it_with_a_sentence(
    when: str, page: Page, house: Playground
) -> None:
    if when == "before":
        await expect(card(page)).to_be_visible()
        house.world.allow("#games", house.world.bot.id, 1 << 11, deny=True)  # it may not write there
    else:
        house.world.listen(lambda event: _forget_start(house, event))

    await card(page).get_by_role("button", name="Play with two automata").click()

    told = card(page).get_by_role("alert")
    expected = "The table did not open." if when == "before" else "The table cannot start yet."
    await expect(told).to_contain_text(expected, timeout=PATIENCE)
    await card(page).get_by_role("button", name="Dismiss").click()
    await expect(card(page)).to_have_count(0)


def _forget_start(house: Playground, event: Any) -> None:
    """Disable the button that starts, in every lobby that is told of."""
    for row in event.data.get("components") or []:
        for part in _parts(row):
            if part.get("label") == "Start":
                part["disabled"] = True


def _parts(part: dict[str, Any]) -> list[dict[str, Any]]:
    return [part, *(one for inner in part.get("components") or [] for one in _parts(inner))]
