"""A browser for the page of the local Discord; without Chromium its tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

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


@pytest_asyncio.fixture(loop_scope="module")
async def tab(browser: Browser, demo: Loopback) -> AsyncIterator[Opened]:
    """Opens the page as a player; a script error or a refused resource in any tab fails the test."""
    contexts, wrong = [], []

    async def opened(player: str, channel: str = "games", *, width: int = 1100, height: int = 800) -> Page:
        context = await browser.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(5000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda told: wrong.append(told.text) if told.type == "error" and "409" not in told.text else None,
        )
        key = demo.world.channel(channel).id
        await page.goto(f"{demo.address}/?player={player}#{key}")
        await page.get_by_role("heading", name=f"#{channel}").wait_for()
        return page

    yield opened
    for context in contexts:
        await context.close()
    demo.faults.clear()
    demo.world.rules.answer_seconds = 3.0
    assert wrong == []
