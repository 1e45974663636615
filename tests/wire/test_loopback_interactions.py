"""Interactions: what a person may do, and what the bot may answer, when and how often."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.loopback import Impossible

pytestmark = pytest.mark.wire

EPHEMERAL = 1 << 6
FORM = {
    "custom_id": "form",
    "title": "Form",
    "components": [
        {"type": 10, "content": "Fill this in."},
        {
            "type": 18,
            "label": "Word",
            "component": {"type": 4, "style": 1, "custom_id": "word", "max_length": 5},
        },
        {
            "type": 18,
            "label": "Kind",
            "component": {"type": 3, "custom_id": "kind", "options": [{"label": "Noun", "value": "n"}]},
        },
    ],
}


def press(*ids: str, **given: Any) -> dict[str, Any]:
    buttons = [{"type": 2, "style": 1, "label": key.title(), "custom_id": key} | given for key in ids]
    return {"content": "x", "components": [{"type": 1, "components": buttons}]}


async def started(raw: Any, action: Any) -> tuple[asyncio.Task[Any], dict[str, Any]]:
    """A person's action under way, and what the bot was told of it."""
    task = asyncio.create_task(action)
    return task, await raw.event("INTERACTION_CREATE")


async def answered(raw: Any, action: Any, kind: int, data: Any = None) -> Any:
    task, told = await started(raw, action)
    status, answer = await raw.answer(told, kind, data)
    assert status == 200, answer
    return await task


async def test_a_command_tells_who_where_and_what(here: Any, raw: Any) -> None:
    task, told = await started(raw, here.person("Ben").slash("#games", "go"))
    _, answer = await raw.answer(told, 4, {"content": "gone"})
    asked = await task

    assert told["member"]["user"]["global_name"] == "Ben"
    assert int(told["app_permissions"]) & (1 << 11)
    assert (told["channel"]["name"], told["attachment_size_limit"]) == ("games", 10 * 2**20)
    assert (
        answer["interaction"]["response_message_id"]
        == answer["resource"]["message"]["id"]
        == asked.message.id
    )
    assert answer["resource"]["message"]["interaction_metadata"]["user"]["global_name"] == "Ben"


async def test_an_answer_after_the_time_is_unknown(here: Any, raw: Any) -> None:
    here.world.rules.answer_seconds = 0.05
    task, told = await started(raw, here.person("Ada").slash("#games", "go"))
    asked = await task

    status, answer = await raw.answer(told, 4, {"content": "late"})

    assert asked.failed
    assert (status, answer["code"]) == (404, 10062)


async def test_a_second_answer_is_refused(here: Any, raw: Any) -> None:
    task, told = await started(raw, here.person("Ada").slash("#games", "go"))
    await raw.answer(told, 4, {"content": "one"})
    status, answer = await raw.answer(told, 4, {"content": "two"})
    await task

    assert (status, answer["code"]) == (400, 40060)


async def test_a_refused_answer_leaves_room_for_another(here: Any, raw: Any) -> None:
    task, told = await started(raw, here.person("Ada").slash("#games", "go"))
    refused, answer = await raw.answer(told, 4, {"content": "x" * 2001})
    await raw.answer(told, 4, {"content": "short"})

    assert (refused, "content" in answer["errors"]["data"]) == (400, True)
    assert (await task).text == "short"


async def test_a_token_lasts_a_quarter_of_an_hour(here: Any, raw: Any) -> None:
    task, told = await started(raw, here.person("Ada").slash("#games", "go"))
    await raw.answer(told, 4, {"content": "one"})
    path = f"/webhooks/{told['application_id']}/{told['token']}"
    before, _ = await raw.call("PATCH", f"{path}/messages/@original", {"content": "two"})
    (await task).age(minutes=16)

    edit = await raw.call("PATCH", f"{path}/messages/@original", {"content": "three"})
    more = await raw.call("POST", path, {"content": "four"})

    assert before == 200
    assert [(status, body["code"]) for status, body in (edit, more)] == [(401, 50027)] * 2


async def test_the_first_message_after_thinking_is_the_answer(here: Any, raw: Any) -> None:
    task, told = await started(raw, here.person("Ada").slash("#games", "go"))
    await raw.answer(told, 5, {"flags": EPHEMERAL})
    asked = await task
    assert asked.message.thinking

    path = f"/webhooks/{told['application_id']}/{told['token']}"
    _, first = await raw.call("POST", path, {"content": "done"})
    _, second = await raw.call("POST", path, {"content": "and more"})

    assert (first["id"], asked.text, asked.private) == (asked.message.id, "done", True)
    assert [said.id for said in asked.followups] == [second["id"]]


async def test_an_ephemeral_message_is_seen_by_one_and_never_told(here: Any, raw: Any) -> None:
    ada, ben = here.person("Ada"), here.person("Ben")
    asked = await answered(raw, ada.slash("#games", "go"), 4, press("go") | {"flags": EPHEMERAL})
    await ben.say("#games", "next")

    frame = await raw.frame()
    status, answer = await raw.call("GET", f"/channels/{asked.message.channel}/messages/{asked.message.id}")

    assert (frame["t"], frame["d"]["content"]) == ("MESSAGE_CREATE", "next")
    assert (status, answer["code"]) == (404, 10008)
    assert asked.message in ada.sees("#games")
    assert asked.message not in ben.sees("#games")
    with pytest.raises(Impossible):
        await ben.click(asked.message, label="Go")
    ada.dismiss(asked.message)
    assert asked.message not in ada.sees("#games")


async def test_a_click_updates_its_message(here: Any, raw: Any) -> None:
    asked = await answered(raw, here.person("Ada").slash("#games", "go"), 4, press("go"))

    clicked = await answered(
        raw, here.person("Ben").click(asked.message, custom_id="go"), 7, {"content": "pressed"}
    )

    assert clicked.message is asked.message
    assert asked.text == "pressed"


async def test_a_deferred_click_answers_to_its_message(here: Any, raw: Any) -> None:
    asked = await answered(raw, here.person("Ada").slash("#games", "go"), 4, press("go"))
    task, told = await started(raw, here.person("Ben").click(asked.message, label="Go"))
    await raw.answer(told, 6)
    await task

    path = f"/webhooks/{told['application_id']}/{told['token']}/messages/@original"
    _, original = await raw.call("GET", path)
    await raw.call("PATCH", path, {"content": "later"})

    assert original["id"] == asked.message.id
    assert asked.text == "later"


async def test_two_people_click_at_once(here: Any, raw: Any) -> None:
    ada, ben = here.person("Ada"), here.person("Ben")
    asked = await answered(raw, ada.slash("#games", "go"), 4, press("go"))
    both = asyncio.gather(ada.click(asked.message, label="Go"), ben.click(asked.message, label="Go"))

    told = [await raw.event("INTERACTION_CREATE") for _ in range(2)]
    for one in reversed(told):
        await raw.answer(one, 6)

    assert {one["member"]["user"]["global_name"] for one in told} == {"Ada", "Ben"}
    assert [one.failed for one in await both] == [False, False]


async def test_a_click_needs_a_button_that_is_there_and_enabled(here: Any, raw: Any) -> None:
    ada = here.person("Ada")
    asked = await answered(raw, ada.slash("#games", "go"), 4, press("go", "stay", disabled=True))

    for wanted in ({"label": "Run"}, {"custom_id": "go"}, {}):
        with pytest.raises(Impossible):
            await ada.click(asked.message, **wanted)


async def test_a_form_is_filled_in_and_sent(here: Any, raw: Any) -> None:
    ada = here.person("Ada")
    asked = await answered(raw, ada.slash("#games", "form"), 9, FORM)

    for wrong in (
        {"word": "too long", "kind": "n"},
        {"word": "cat", "kind": "Verb"},
        {"word": "", "kind": "n"},
        {"x": "y"},
    ):
        with pytest.raises(Impossible):
            await ada.submit(asked, wrong)
    task, told = await started(raw, ada.submit(asked, {"word": "cat", "kind": "Noun"}))
    await raw.answer(told, 4, {"content": "thanks"})

    assert (await task).text == "thanks"
    fields = [row["component"] for row in told["data"]["components"] if row["type"] == 18]
    assert [field.get("value") or field["values"] for field in fields] == ["cat", ["n"]]


async def test_no_modal_answers_a_modal(here: Any, raw: Any) -> None:
    ada = here.person("Ada")
    asked = await answered(raw, ada.slash("#games", "form"), 9, FORM)
    task, told = await started(raw, ada.submit(asked, {"word": "cat", "kind": "n"}))

    status, answer = await raw.answer(told, 9, FORM)
    await raw.answer(told, 4, {"content": "thanks"})
    await task

    assert (status, answer["code"], list(answer["errors"])) == (400, 50035, ["type"])


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"title": "x" * 46}, ("data", "title")),
        ({"custom_id": ""}, ("data", "custom_id")),
        ({"components": FORM["components"] * 2}, ("data", "components")),
        (
            {"components": [{"type": 2, "style": 1, "label": "x", "custom_id": "b"}]},
            ("data", "components", "0", "type"),
        ),
    ],
    ids=["title", "custom id", "six rows", "a button"],
)
async def test_a_modal_over_a_limit_is_refused(
    here: Any, raw: Any, change: Any, path: tuple[str, ...]
) -> None:
    task, told = await started(raw, here.person("Ada").slash("#games", "form"))

    status, answer = await raw.answer(told, 9, FORM | change)
    await raw.answer(told, 9, FORM)
    await task

    node = answer["errors"]
    for step in path:
        node = node[step]
    assert (status, bool(node["_errors"])) == (400, True)


async def test_an_autocomplete_takes_25_choices(here: Any, raw: Any) -> None:
    option = {"type": 3, "name": "word", "description": "d", "autocomplete": True, "required": True}
    await raw.commands({"name": "look", "options": [option]})
    task, told = await started(
        raw, here.person("Ada").autocomplete("#games", "look", focused="word", word="ap")
    )
    choices = [{"name": str(number), "value": str(number)} for number in range(26)]

    status, answer = await raw.answer(told, 8, {"choices": choices})
    await raw.answer(told, 8, {"choices": choices[:25]})

    assert told["data"]["options"] == [{"name": "word", "type": 3, "value": "ap", "focused": True}]
    assert (status, "choices" in answer["errors"]["data"]) == (400, True)
    assert len((await task).choices) == 25


async def test_options_are_checked_before_they_are_sent(here: Any, raw: Any) -> None:
    group = {
        "name": "play",
        "options": [
            {
                "type": 1,
                "name": "start",
                "description": "d",
                "options": [
                    {
                        "type": 4,
                        "name": "seats",
                        "description": "d",
                        "required": True,
                        "min_value": 1,
                        "max_value": 4,
                    },
                    {
                        "type": 3,
                        "name": "map",
                        "description": "d",
                        "choices": [{"name": "Docks", "value": "d"}],
                    },
                    {"type": 6, "name": "who", "description": "d"},
                ],
            }
        ],
    }
    await raw.commands(group)
    ada = here.person("Ada")

    for options in (
        {},
        {"seats": 5},
        {"seats": "two"},
        {"seats": 2, "map": "Moon"},
        {"seats": 2, "no": 1},
        {"seats": 2, "who": "Zoe"},
    ):
        with pytest.raises(Impossible):
            await ada.slash("#games", "play start", **options)
    for command in ("play", "play stop", "work"):
        with pytest.raises(Impossible):
            await ada.slash("#games", command)
    task, told = await started(raw, ada.slash("#games", "play start", seats=2, map="Docks", who="Ben"))
    await raw.answer(told, 4, {"content": "ok"})
    await task

    (start,) = told["data"]["options"]
    assert {option["name"]: option["value"] for option in start["options"]} == {
        "seats": 2,
        "map": "d",
        "who": here.world.user("Ben").id,
    }
    assert here.world.user("Ben").id in told["data"]["resolved"]["members"]


async def test_commands_are_offered_where_they_belong(here: Any, raw: Any) -> None:
    await raw.commands(
        {"name": "guild", "contexts": [0]},
        {"name": "direct", "contexts": [1]},
        {"name": "keeper", "contexts": [0], "default_member_permissions": str(1 << 5)},
    )
    ada, ben = here.person("Ada"), here.person("Ben")

    assert [one["name"] for one in ben.commands("#games")] == ["guild"]
    assert [one["name"] for one in ben.commands(ben.dm())] == ["direct"]
    assert [one["name"] for one in ada.commands("#games")] == ["guild", "keeper"]  # she owns the guild


async def test_a_select_takes_as_many_as_it_wants(here: Any, raw: Any) -> None:
    options = [{"label": letter, "value": letter.lower()} for letter in "ABC"]
    select = {"type": 3, "custom_id": "s", "options": options, "min_values": 1, "max_values": 2}
    ada = here.person("Ada")
    asked = await answered(
        raw,
        ada.slash("#games", "go"),
        4,
        {"content": "x", "components": [{"type": 1, "components": [select]}]},
    )

    for wrong in ((), ("A", "B", "C"), ("D",)):
        with pytest.raises(Impossible):
            await ada.select(asked.message, *wrong)
    task, told = await started(raw, ada.select(asked.message, "B", "c"))
    await raw.answer(told, 6)
    await task

    assert told["data"]["values"] == ["b", "c"]


async def test_a_deleted_answer_is_gone(here: Any, raw: Any) -> None:
    task, told = await started(raw, here.person("Ada").slash("#games", "go"))
    await raw.answer(told, 4, {"content": "one"})
    await task
    path = f"/webhooks/{told['application_id']}/{told['token']}/messages/@original"

    assert (await raw.call("DELETE", path))[0] == 204
    status, answer = await raw.call("PATCH", path, {"content": "two"})

    assert (status, answer["code"]) == (404, 10008)
    assert here.person("Ada").sees("#games") == []
