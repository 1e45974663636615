"""A browser for the page of the local Discord; without Chromium its tests are skipped."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    ViewportSize,
    async_playwright,
    expect,
)

from bot.loopback.play import Playground

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
HERE = Path(__file__).parent
DEMO = HERE.parent / "wire"

expect.set_options(timeout=10_000)

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
async def demo(tmp_path_factory: Any) -> AsyncIterator[Playground]:
    """Local play with the small bot of the wire tests, and private panels beside."""
    folder = tmp_path_factory.mktemp("demo")
    players = ("Ada", "Ben", "Cleo")
    async with Playground(0, players, folder, entry="panel_bot:main", path=[HERE, DEMO], pause=0.5) as server:
        await server.process.ready()
        yield server


async def eventually(place: Locator, true: str) -> None:
    """Wait until a function of an element holds: Playwright's own way would need what the page's policy forbids."""
    async with asyncio.timeout(10):
        while not await place.evaluate(true):  # noqa: ASYNC110 - it looks into another process
            await asyncio.sleep(0.02)


class Tabs:
    """The tabs of a module, one for each player, size and kind: a new one costs more than loading a page again."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._pages: dict[tuple[str, int, int, bool], Page] = {}
        self.wrong: list[str] = []

    async def open(self, player: str, key: str, width: int, height: int, *, touch: bool) -> Page:
        kind = (player, width, height, touch)
        found = self._pages.get(kind)
        if found is None:
            found = self._pages[kind] = await self._new(width, height, touch=touch)
        await found.goto("about:blank")
        await found.goto(f"{self._address}/?player={player}#{key}")
        await found.locator("#messages > *").first.wait_for()
        return found

    async def _new(self, width: int, height: int, *, touch: bool) -> Page:
        size: ViewportSize = {"width": width, "height": height}
        context = await self._browser.new_context(viewport=size, has_touch=touch, is_mobile=touch)
        page = await context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._told)
        return page

    def _told(self, told: ConsoleMessage) -> None:
        if told.type == "error" and "409" not in told.text:  # which says that a player cannot do something
            self.wrong.append(told.text)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tabs(browser: Browser, demo: Playground) -> Tabs:
    return Tabs(browser, demo.address)


@pytest_asyncio.fixture(loop_scope="module")
async def tab(tabs: Tabs, demo: Playground) -> AsyncIterator[Opened]:
    """Opens the page as a player; a script error or a refused resource in any tab fails the test."""

    async def opened(
        player: str, channel: str = "games", *, width: int = 1100, height: int = 800, touch: bool = False
    ) -> Page:
        return await tabs.open(player, demo.world.channel(channel).id, width, height, touch=touch)

    tabs.wrong.clear()
    yield opened
    demo.faults.clear()
    demo.world.rules.answer_seconds = 3.0
    assert tabs.wrong == []
