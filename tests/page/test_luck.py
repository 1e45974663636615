"""Bad luck from the page: each stroke does what it says, and the page shows it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from bot.loopback.model import Json, Message
from bot.loopback.play import Playground

pytestmark = [pytest.mark.page, pytest.mark.asyncio(loop_scope="module")]

BOARD = {
    "content": "A board.",
    "components": [{"type": 1, "components": [{"type": 2, "style": 2, "label": "Go", "custom_id": "go"}]}],
}


class Panel:
    """The panel as the page's requests see it, for one player."""

    def __init__(self, demo: Playground, http: aiohttp.ClientSession) -> None:
        self._demo = demo
        self._http = http

    def key(self, where: str) -> str:
        return self._demo.world.channel(where).id

    async def offered(self, where: str = "#games", player: str = "Ben") -> list[str]:
        async with self._http.get(f"/local/{player}/luck/{self.key(where)}") as answer:
            return [stroke["key"] for stroke in await answer.json()]

    async def strike(self, key: str, where: str = "#games", player: str = "Ben", **given: Any) -> Json:
        body = {"channel": self.key(where), "key": key, **given}
        async with self._http.post(f"/local/{player}/luck", json=body) as answer:
            told: Json = await answer.json()
            return told | {"status": answer.status}


@pytest_asyncio.fixture(loop_scope="module")
async def panel(demo: Playground) -> AsyncIterator[Panel]:
    async with aiohttp.ClientSession(demo.address) as http:
        found = Panel(demo, http)
        yield found
        demo.world.rules.answer_seconds = 3.0
        await found.strike("end")
        await demo.until(lambda: demo.gateway.connected)


def board(demo: Playground, where: str = "#games") -> Message:
    return demo.world.post(demo.world.channel(where), demo.world.bot, BOARD)


def refused_with(demo: Playground, status: int) -> int:
    return sum(1 for exchange in demo.world.exchanges if exchange.status == status)


async def word(demo: Playground) -> str:
    return (await demo.person("Ben").slash("#games", "word", word="otter")).text


async def test_closed_dms_refuse_the_bot_until_they_are_opened(panel: Panel, demo: Playground) -> None:
    ben = demo.person("Ben")
    told = await panel.strike("close_dms")
    assert told["title"] == "Close my DMs"
    assert told["does"].endswith(".")
    assert told["see"].endswith(".")
    assert "open_dms" in await panel.offered()
    assert "close_dms" not in await panel.offered()
    assert "close_dms" in await panel.offered(player="Cleo")

    asked = await ben.slash("#games", "show hand")
    await demo.until(lambda: "closed (50007)" in asked.text)
    await panel.strike("open_dms")
    asked = await ben.slash("#games", "show hand")

    await demo.until(lambda: asked.text == "Look into your DMs.")


async def test_a_dropped_gateway_is_resumed_and_a_lost_session_begun_anew(
    panel: Panel, demo: Playground
) -> None:
    resumed, identified = demo.gateway.resumed, demo.gateway.identified
    await panel.strike("reconnect")
    await demo.until(lambda: demo.gateway.resumed > resumed and demo.gateway.connected, 20)
    assert demo.gateway.identified == identified

    await panel.strike("lose_session")

    await demo.until(lambda: demo.gateway.identified > identified and demo.gateway.connected, 30)


@pytest.mark.parametrize(("key", "status"), [("limit", 429), ("break", 500), ("lose_answers", 502)])
async def test_as_many_requests_fail_as_were_asked_for(
    key: str, status: int, panel: Panel, demo: Playground
) -> None:
    demo.world.rules.answer_seconds = 20.0
    before = refused_with(demo, status)
    await panel.strike(key, requests=1)

    await demo.person("Ben").slash("#games", "word", word="otter")

    await demo.until(lambda: refused_with(demo, status) == before + 1)
    assert await word(demo) == "**otter** is a word of level 1."
    assert refused_with(demo, status) == before + 1


async def test_slow_requests_and_late_events_keep_a_player_waiting(panel: Panel, demo: Playground) -> None:
    await panel.strike("slow", requests=1, seconds=0.4)
    slow = await demo.person("Ben").slash("#games", "word", word="otter")
    assert not slow.failed
    await panel.strike("late", requests=1, seconds=0.4)
    demo.world.rules.answer_seconds = 0.2

    late = await demo.person("Ben").slash("#games", "word", word="otter")

    assert late.failed


async def test_what_is_heard_twice_is_refused_once(panel: Panel, demo: Playground) -> None:
    before = refused_with(demo, 400)
    await panel.strike("twice", requests=1)

    assert await word(demo)

    await demo.until(lambda: refused_with(demo, 400) == before + 1)  # 40060, already acknowledged


async def test_a_board_is_deleted_or_made_old(panel: Panel, demo: Playground) -> None:
    first, second = board(demo), board(demo)
    posted = second.posted

    await panel.strike("age_board")
    assert posted - second.posted == 2 * 3_600_000
    await panel.strike("delete_board")
    assert demo.person("Ben").last("#games") is first
    await panel.strike("delete_board", message=first.id)

    assert first.id not in demo.world.messages[first.channel]
    assert (await panel.strike("delete_board", message=first.id))["status"] == 409


async def test_threads_are_archived_and_channels_deleted(panel: Panel, demo: Playground) -> None:
    thread = demo.world.create_thread(demo.world.channel("#games"), demo.world.bot, "Table 3")
    assert "archive" not in await panel.offered()

    await panel.strike("archive", "Table 3")
    assert thread.archived
    await panel.strike("delete_thread", "Table 3")

    assert thread.id not in demo.world.channels
    assert "delete_channel" not in await panel.offered(demo.person("Ben").dm().id)


async def test_the_bot_loses_and_gets_back_its_right_to_write(panel: Panel, demo: Playground) -> None:
    place = demo.world.channel("#games")
    may = demo.world.permissions(demo.world.bot, place)

    await panel.strike("mute")
    assert demo.world.permissions(demo.world.bot, place) != may
    assert "unmute" in await panel.offered()
    await panel.strike("unmute")

    assert demo.world.permissions(demo.world.bot, place) == may


async def test_the_bot_is_removed_and_invited_again(panel: Panel, demo: Playground) -> None:
    await panel.strike("remove_bot")
    assert demo.person("Ben").commands("#games") == []

    await panel.strike("invite_bot")

    await demo.until(lambda: demo.world.present)
    assert demo.person("Ben").commands("#games") != []


async def test_an_outage_and_who_left_come_to_an_end(panel: Panel, demo: Playground) -> None:
    direct = demo.person("Ben").dm().id
    await panel.strike("leave")
    assert [place.id for place in demo.person("Ben").channels()] == [direct]
    await panel.strike("return", direct)
    await panel.strike("outage")
    assert [place.id for place in demo.person("Ben").channels()] == [direct]
    await panel.strike("end_outage", direct)

    assert len(demo.person("Ben").channels()) > 2
    assert "leave" not in await panel.offered(player="Ada")  # who owns the server


async def test_good_luck_takes_everything_back(panel: Panel, demo: Playground) -> None:
    direct = demo.person("Ben").dm().id
    before = await panel.offered(direct)
    for key in ("close_dms", "mute", "remove_bot", "leave"):
        await panel.strike(key)
    for key in ("break", "outage"):
        await panel.strike(key, direct, requests=50)

    await panel.strike("end", direct)

    assert await panel.offered(direct) == before
    assert "mute" in await panel.offered()
    assert await word(demo)


async def test_a_frozen_bot_goes_on_and_a_full_disk_is_freed(panel: Panel, demo: Playground) -> None:
    await panel.strike("freeze", seconds=0.5)
    assert await word(demo)  # within its three seconds
    await panel.strike("fill_disk")
    assert "free_disk" in await panel.offered()

    await panel.strike("free_disk")

    assert "fill_disk" in await panel.offered()


@pytest.mark.parametrize(
    "given",
    [{"key": "archive"}, {"key": "nothing"}, {"key": "break", "requests": 0}, {"key": "slow", "seconds": 11}],
)
async def test_what_cannot_be_is_refused_with_a_sentence(given: dict[str, Any], panel: Panel) -> None:
    told = await panel.strike(**given)

    assert told["status"] == 409
    assert told["error"].endswith(".")


async def test_another_site_cannot_bring_bad_luck(demo: Playground) -> None:
    body = {"channel": demo.world.channel("#games").id, "key": "kill"}
    async with (
        aiohttp.ClientSession(demo.address) as http,
        http.post("/local/Ada/luck", json=body, headers={"Origin": "https://example.com"}) as answer,
    ):
        assert answer.status == 403
    assert demo.process.running


# The page


async def opened(page: Page) -> Any:
    await page.get_by_role("button", name="Try bad luck").click()
    return page.get_by_role("dialog", name="Try bad luck")


async def test_a_killed_bot_is_shown_as_gone_until_it_is_back(
    tab: Any, panel: Panel, demo: Playground
) -> None:
    page = await tab("Ada")
    before = demo.process.pid
    await (await opened(page)).get_by_role("button", name="Kill the bot").press("Enter")

    await expect(page.get_by_role("status").filter(has_text="Wordmoot is offline.").first).to_be_visible()
    await expect(page.locator("#offline")).to_be_visible()
    await expect(page.get_by_role("region", name="What was tried")).to_contain_text("Kill the bot.")
    await expect(page.locator("#offline")).to_be_hidden(timeout=30_000)
    assert demo.process.pid not in (None, before)


async def test_the_panel_says_what_was_done_and_what_to_look_for(
    tab: Any, panel: Panel, demo: Playground
) -> None:
    message = board(demo)
    page = await tab("Ada")
    newest = page.locator(f'[data-id="{message.id}"]')
    list_ = await opened(page)
    row = list_.get_by_role("listitem").filter(has_text="Server errors")
    await row.get_by_label("How many").fill("99")
    await row.get_by_role("button").click()
    await expect(list_.get_by_role("alert")).to_have_text("It takes 1 to 50 requests and at most 10 seconds.")
    await row.get_by_label("How many").fill("1")
    await row.get_by_role("button").click()
    told = page.get_by_role("region", name="What was tried")
    await expect(told).to_contain_text("answered with 500")
    await expect(newest).to_be_in_viewport(ratio=1)  # the list got shorter and stays at its end
    await expect(
        page.get_by_role("combobox", name="Message")
    ).not_to_be_focused()  # but where the panel was opened
    await expect(page.get_by_role("button", name="Try bad luck")).to_be_focused()

    await told.get_by_role("button", name="Dismiss").press("Enter")

    await expect(told).to_be_hidden()
    await expect(page.get_by_role("combobox", name="Message")).to_be_focused()


async def test_a_page_lives_through_the_loss_of_all_its_channels(
    tab: Any, panel: Panel, demo: Playground
) -> None:
    page = await tab("Ben")
    await (await opened(page)).get_by_role("button", name="Leave the server").click()
    await expect(page.get_by_role("heading", name="Wordmoot", level=1)).to_be_visible()
    await expect(page.locator("#channels .entry")).to_have_count(1)

    await (await opened(page)).get_by_role("button", name="Come back to the server").click()

    await expect(page.locator("#channels").get_by_role("button", name="games")).to_be_visible()


async def test_a_deleted_channel_leads_to_another(tab: Any, panel: Panel, demo: Playground) -> None:
    demo.world._open_text_channel("short-lived", 5)
    page = await tab("Ada", "short-lived")
    await (await opened(page)).get_by_role("button", name="Delete this channel").click()

    await expect(page.get_by_role("heading", name="#games")).to_be_visible()
    await expect(page.get_by_role("region", name="What was tried")).to_contain_text("This channel is deleted")
