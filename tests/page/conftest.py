"""A browser for the page of the local Discord; without Chromium its tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright

from bot.loopback import Loopback

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DEMO = Path(__file__).parent.parent / "wire"

Opened = Callable[..., Awaitable[Page]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        await found.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def demo(tmp_path_factory: Any) -> AsyncIterator[Loopback]:
    async with Loopback(players=("Ada", "Ben", "Cleo")) as server:
        folder = tmp_path_factory.mktemp("demo")
        async with server.bot("demo_bot:main", data=folder, path=[DEMO]):
            yield server


class Tabs:
    """The tabs of a module, one for each player and size: a new one costs more than loading a page again."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._pages: dict[tuple[str, int, int], Page] = {}
        self.wrong: list[str] = []

    async def open(self, player: str, channel: str, key: str, width: int, height: int) -> Page:
        found = self._pages.get((player, width, height))
        if found is None:
            found = self._pages[player, width, height] = await self._new(width, height)
        await found.goto("about:blank")
        await found.goto(f"{self._address}/?player={player}#{key}")
        await found.get_by_role("heading", name=f"#{channel}").wait_for()
        return found

    async def _new(self, width: int, height: int) -> Page:
        context = await self._browser.new_context(viewport={"width": width, "height": height})
        page = await context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._told)
        return page

    def _told(self, told: ConsoleMessage) -> None:
        if told.type == "error" and "409" not in told.text:  # which says that a player cannot do something
            self.wrong.append(told.text)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tabs(browser: Browser, demo: Loopback) -> Tabs:
    return Tabs(browser, demo.address)


@pytest_asyncio.fixture(loop_scope="module")
async def tab(tabs: Tabs, demo: Loopback) -> AsyncIterator[Opened]:
    """Opens the page as a player; a script error or a refused resource in any tab fails the test."""

    async def opened(player: str, channel: str = "games", *, width: int = 1100, height: int = 800) -> Page:
        return await tabs.open(player, channel, demo.world.channel(channel).id, width, height)

    tabs.wrong.clear()
    yield opened
    demo.faults.clear()
    demo.world.rules.answer_seconds = 3.0
    assert tabs.wrong == []
