"""An unchanged discord.py bot, in a process of its own, on the local Discord: everything that a bot does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from bot.loopback import Loopback
from bot.loopback.model import Upload

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(autouse=True)
def _no_faults_left(demo: Loopback) -> Iterator[None]:
    yield
    demo.faults.clear()
    demo.world.rules.answer_seconds = 3.0


async def until_text(demo: Loopback, who: Any, where: Any, text: str) -> Any:
    """The first message that holds the text, once it is there."""
    return await demo.until(lambda: next((said for said in who.sees(where) if text in said.text), None))


async def test_slash_commands_buttons_and_clicks_at_once(demo: Loopback) -> None:
    people = [demo.person(name) for name in ("Ada", "Ben", "Cleo")]
    asked = await people[0].slash("#games", "show press")

    clicks = await asyncio.gather(*[one.click(asked.message, label="Press") for one in people * 4])

    assert not any(click.failed for click in clicks)
    assert asked.text.startswith("Pressed ")


async def test_every_kind_of_option_reaches_the_bot(demo: Loopback) -> None:
    file = Upload(filename="note.txt", body=b"hello")

    asked = await demo.person("Ada").slash(
        "#games", "kinds", size="Large", share=0.5, loud=True, who="Ben", where="#general", file=file
    )

    assert asked.text == "l 0.5 True Ben general note.txt hello"


async def test_suggestions_come_while_typing(demo: Loopback) -> None:
    asked = await demo.person("Ada").autocomplete("#games", "word", focused="word", word="app")

    assert [choice["value"] for choice in asked.choices] == ["apple", "apply"]


async def test_a_hand_comes_by_dm_as_a_picture_with_alt_text(demo: Loopback) -> None:
    ben = demo.person("Ben")
    asked = await ben.slash("#games", "show hand")
    hand = await until_text(demo, ben, ben.dm(), "Your hand")
    await demo.until(lambda: asked.text == "Look into your DMs.")

    assert asked.private
    assert hand.attachments[0].description == "Seven tiles"
    assert (hand.attachments[0].width, hand.attachments[0].height) == (320, 120)


async def test_a_closed_dm_is_told_in_private(demo: Loopback) -> None:
    demo.world.close_dms("Cleo")

    asked = await demo.person("Cleo").slash("#games", "show hand")
    await demo.until(lambda: not asked.message.thinking)

    assert (asked.text, asked.private) == ("Your DMs are closed (50007).", True)


async def test_a_board_of_components_changes_its_picture(demo: Loopback) -> None:
    ada, ben = demo.person("Ada"), demo.person("Ben")
    board = (await ada.slash("#games", "show board")).message
    assert board.layout

    await ben.click(board, label="Next")

    assert "Turn 1" in board.text
    assert [file.filename for file in board.attachments] == ["board1.png"]
    form = await ben.click(board, label="Answer")
    word, kind = (row["component"]["custom_id"] for row in form.modal["components"])
    sent = await ben.submit(form, {word: "cat", kind: "Noun"})
    assert (sent.text, sent.private) == ("cat Noun", True)
    assert sent.message not in ada.sees("#games")


async def test_every_kind_of_select_reaches_the_bot(demo: Loopback) -> None:
    ada = demo.person("Ada")
    shown = (await ada.slash("#games", "show choosing")).message

    letters = await ada.select(shown, "A", "C", custom_id="letters")
    person = await ada.select(shown, demo.person("Ben"), custom_id="people")
    place = await ada.select(shown, "#general", custom_id="places")

    assert [one.text for one in (letters, person, place)] == ["A+C", "Ben", "general"]


async def test_a_form_keeps_its_text_and_is_not_answered_by_another(demo: Loopback) -> None:
    ada = demo.person("Ada")
    form = await ada.slash("#games", "show plain")

    sent = await ada.submit(form, {})

    assert sent.text == "400/50035 as it was"


async def test_thinking_ends_with_the_first_message(demo: Loopback) -> None:
    asked = await demo.person("Ada").slash("#games", "try slow", seconds=0.1)
    assert asked.message.thinking

    await demo.until(lambda: asked.followups)

    assert (asked.text, asked.followups[0].text) == ("Done.", "And more.")


async def test_a_late_answer_meets_10062(demo: Loopback) -> None:
    ada = demo.person("Ada")
    demo.world.rules.answer_seconds = 0.3

    asked = await ada.slash("#games", "try late", seconds=0.5)

    assert asked.failed
    await until_text(demo, ada, "#games", "404/10062")


async def test_a_second_answer_meets_40060_and_a_long_one_50035(demo: Loopback) -> None:
    ada = demo.person("Ada")
    twice = await ada.slash("#games", "try twice")
    over = await ada.slash("#games", "try over")
    await demo.until(lambda: twice.text)

    assert twice.text == "400/40060"
    assert over.text.startswith("400/50035")
    assert "data.content: Must be 2000 or fewer in length." in over.text


async def test_a_token_that_ran_out_meets_50027(demo: Loopback) -> None:
    ada = demo.person("Ada")
    asked = await ada.slash("#games", "try expire")

    asked.age(minutes=16)

    await until_text(demo, ada, "#games", "401/50027")


async def test_threads_are_opened_archived_and_reopened(demo: Loopback) -> None:
    ada = demo.person("Ada")

    asked = await ada.slash("#games", "thread", private=True)
    thread = demo.world.channel(asked.text.removeprefix("In <#").removesuffix(">"))
    said = await until_text(demo, ada, thread, "edited after")

    assert said.text == "edited after 400/50083"
    assert thread not in demo.person("Cleo").channels()


async def test_a_command_of_a_messages_menu(demo: Loopback) -> None:
    said = await demo.person("Ben").say("#general", "mine")

    asked = await demo.person("Ada").menu("#general", "Whose", said)

    assert asked.text == "By Ben."


async def test_people_talk_and_the_bot_hears(demo: Loopback) -> None:
    ada = demo.person("Ada")
    said = await ada.say("#general", "echo hello")

    echo = await demo.until(lambda: ada.last("#general") if ada.last("#general") is not said else None)

    assert (echo.text, echo.reference) == ("hello", said.id)


@pytest.mark.parametrize(
    "fault", [{"status": 429, "retry_after": 0.1}, {"status": 502}], ids=["a rate limit", "a bad gateway"]
)
async def test_the_library_tries_again_after(demo: Loopback, fault: dict[str, Any]) -> None:
    struck = demo.faults.add("POST", "/interactions/*/callback", **fault)

    asked = await demo.person("Ada").slash("#games", "word", word="apple")

    assert (struck.struck, asked.text) == (1, "**apple** is a word of level 1.")


@pytest.mark.parametrize("how", ["asked", "dropped"])
async def test_the_bot_resumes_and_misses_nothing(demo: Loopback, how: str) -> None:
    resumed = demo.gateway.resumed
    if how == "asked":
        demo.gateway.ask_to_reconnect()
    else:
        await demo.gateway.drop(4000)

    asked = await demo.person("Ada").slash("#games", "word", word="zebra")

    assert (demo.gateway.resumed, asked.failed) == (resumed + 1, False)


async def test_a_button_outlives_the_bot(demo: Loopback) -> None:
    ada = demo.person("Ada")
    asked = await ada.slash("#games", "show press")
    before = await ada.click(asked.message, label="Press")
    count = int(before.text.split()[1])

    await demo.demo_process.restart()  # type: ignore[attr-defined]
    await ada.click(asked.message, label="Press")

    assert asked.text == f"Pressed {count + 1}"
