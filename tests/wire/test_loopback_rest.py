"""What the local Discord answers over REST, and what it refuses."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from yarl import URL

from bot.loopback import Impossible, Loopback
from bot.loopback.model import Permission
from bot.loopback.token import TOKEN

pytestmark = pytest.mark.wire

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
V2 = 1 << 15


def button(**given: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go"} | given


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def select(count: int, **given: Any) -> dict[str, Any]:
    options = [{"label": str(number), "value": str(number)} for number in range(count)]
    return {"type": 3, "custom_id": "pick", "options": options} | given


def faults(errors: dict[str, Any], path: str = "") -> dict[str, list[str]]:
    """The codes of a form error by dotted path."""
    found = {}
    for key, value in errors.items():
        if key == "_errors":
            found[path] = [fault["code"] for fault in value]
        else:
            found |= faults(value, f"{path}.{key}" if path else key)
    return found


FORMS: list[tuple[str, dict[str, Any], str]] = [
    ("a long content", {"content": "x" * 2001}, "content"),
    ("a long nonce", {"content": "x", "nonce": "n" * 26}, "nonce"),
    ("eleven embeds", {"embeds": [{"title": "t"}] * 11}, "embeds"),
    ("embeds of 6,001 characters", {"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]}, "embeds"),
    ("a long title", {"embeds": [{"title": "x" * 257}]}, "embeds.0.title"),
    ("26 fields", {"embeds": [{"fields": [{"name": "n", "value": "v"}] * 26}]}, "embeds.0.fields"),
    ("a field without a value", {"embeds": [{"fields": [{"name": "n", "value": ""}]}]}, "embeds.0.fields.0.value"),
    ("a long label", {"components": [row(button(label="x" * 81))]}, "components.0.components.0.label"),
    ("a long custom id", {"components": [row(button(custom_id="x" * 101))]}, "components.0.components.0.custom_id"),
    ("a button without a face", {"components": [row(button(label=None))]}, "components.0.components.0.label"),
    ("six buttons in a row", {"components": [row(*[button(custom_id=str(n)) for n in range(6)])]}, "components.0.components"),
    ("six rows", {"components": [row(button(custom_id=str(n))) for n in range(6)]}, "components"),
    ("the same custom id twice", {"components": [row(button()), row(button())]}, "components"),
    ("an empty row", {"components": [row()]}, "components.0.components"),
    ("26 options", {"components": [row(select(26))]}, "components.0.components.0.options"),
    ("a select without options", {"components": [row(select(0))]}, "components.0.components.0.options"),
    ("more values than options", {"components": [row(select(2, max_values=3))]}, "components.0.components.0.max_values"),
    ("a long placeholder", {"components": [row(select(2, placeholder="x" * 151))]}, "components.0.components.0.placeholder"),
    ("a text display without the flag", {"components": [text("x")]}, "components.0.type"),
    ("content beside components v2", {"flags": V2, "content": "x", "components": [text("x")]}, "content"),
    ("embeds beside components v2", {"flags": V2, "embeds": [{"title": "x"}], "components": [text("x")]}, "embeds"),
    ("41 components", {"flags": V2, "components": [{"type": 17, "components": [text("x")] * 40}]}, "components"),
    ("4,001 characters of text", {"flags": V2, "components": [text("x" * 2001), text("x" * 2000)]}, "components"),
    ("a bare button in v2", {"flags": V2, "components": [button()]}, "components.0.type"),
    ("a container in a container", {"flags": V2, "components": [{"type": 17, "components": [{"type": 17, "components": [text("x")]}]}]}, "components.0.components.0.type"),
    ("an empty text", {"flags": V2, "components": [text("")]}, "components.0.content"),
    ("a section without accessory", {"flags": V2, "components": [{"type": 9, "components": [text("x")]}]}, "components.0.accessory"),
    ("a section of four texts", {"flags": V2, "components": [{"type": 9, "components": [text("x")] * 4, "accessory": button()}]}, "components.0.components"),
    ("eleven pictures", {"flags": V2, "components": [{"type": 12, "items": [{"media": {"url": "https://x/y.png"}}] * 11}]}, "components.0.items"),
    ("a picture that was not sent", {"flags": V2, "components": [{"type": 12, "items": [{"media": {"url": "attachment://no.png"}}]}]}, "components.0.items.0.media.url"),
    ("a long alt text", {"content": "x", "attachments": [{"id": 0, "description": "x" * 1025}]}, "attachments.0.description"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "path"), [form[1:] for form in FORMS], ids=[form[0] for form in FORMS])
async def test_a_form_over_a_limit_is_refused_at_its_path(raw: Any, body: dict[str, Any], path: str) -> None:
    status, answer = await raw.call("POST", f"/channels/{raw.here.world.channel('#games').id}/messages", body)

    assert (status, answer["code"]) == (400, 50035)
    assert path in faults(answer["errors"])
    assert raw.here.person("Ada").sees("#games") == []


@pytest.mark.parametrize(
    "body",
    [
        {"content": "x" * 2000},
        {"components": [row(*[button(custom_id=str(n), label="x" * 80) for n in range(5)]), row(select(25))]},
        {"flags": V2, "components": [{"type": 17, "components": [text("x" * 100)] * 39}]},
        {"embeds": [{"title": "x" * 256, "description": "x" * 4096}]},
    ],
    ids=["content", "rows", "layout", "embed"],
)
async def test_a_form_at_its_limit_is_taken(raw: Any, body: dict[str, Any]) -> None:
    status, _ = await raw.call("POST", f"/channels/{raw.here.world.channel('#games').id}/messages", body)

    assert status == 200


async def test_text_of_too_many_bytes_meets_a_plain_500(raw: Any) -> None:
    body = {"flags": V2, "components": [text("語" * 3400)]}

    status, answer = await raw.call("POST", f"/channels/{raw.here.world.channel('#games').id}/messages", body)

    assert (status, answer["code"]) == (500, 0)


async def test_an_empty_message_is_refused(raw: Any) -> None:
    status, answer = await raw.call(
        "POST", f"/channels/{raw.here.world.channel('#games').id}/messages", {"content": ""}
    )

    assert (status, answer["code"]) == (400, 50006)


async def test_no_other_token_is_taken(raw: Any) -> None:
    raw.token = ".".join(("x" * 24, "y" * 6, "z" * 27))  # the shape of a real one

    status, _ = await raw.call("GET", "/users/@me")
    await raw._open()
    await raw.socket.send_json({"op": 2, "d": {"token": raw.token, "intents": 0}})

    assert status == 401
    assert await raw.frame() == {"closed": 4004}


async def test_only_this_machine_and_its_own_page_may_ask(raw: Any) -> None:
    assert (await raw.get("/", Host="evil.example"))[0] == 403
    assert (await raw.get("/local/players", Origin="http://evil.example"))[0] == 403
    assert (await raw.get("/local/players", Origin=raw.here.address))[0] == 200


async def test_a_repeated_nonce_gives_the_same_message(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}/messages"
    body = {"content": "once", "nonce": "n1", "enforce_nonce": True}

    _, first = await raw.call("POST", path, body)
    _, again = await raw.call("POST", path, body)
    _, other = await raw.call("POST", path, body | {"nonce": "n2"})

    assert first["id"] == again["id"] != other["id"]
    assert len(raw.here.person("Ada").sees("#games")) == 2


async def test_a_lost_answer_and_a_nonce_make_one_message(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}/messages"
    raw.here.faults.add("POST", "/channels/*/messages", status=502, lost=True)
    body = {"content": "once", "nonce": 7, "enforce_nonce": True}

    status, _ = await raw.call("POST", path, body)
    again, _ = await raw.call("POST", path, body)

    assert (status, again) == (502, 200)
    assert [said.text for said in raw.here.person("Ada").sees("#games")] == ["once"]


async def test_files_keep_their_alt_text_and_are_served(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}/messages"
    body = {"content": "look", "attachments": [{"id": 0, "filename": "a b.png", "description": "A pixel"}]}

    _, said = await raw.call("POST", path, body, files={"x.png": PIXEL})
    file = said["attachments"][0]
    status, served = await raw.get(file["url"].removeprefix(raw.here.address))

    assert (file["description"], file["width"], file["filename"]) == ("A pixel", 1, "a b.png")
    assert (status, served) == (200, PIXEL)


async def test_an_edit_keeps_the_files_that_it_lists_and_adds_new_ones(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}/messages"
    _, said = await raw.call("POST", path, {"content": "x"}, files={"a.png": PIXEL, "b.png": PIXEL})
    kept, gone = said["attachments"]

    body = {"attachments": [{"id": kept["id"]}, {"id": 0, "filename": "c.png"}]}
    _, edited = await raw.call("PATCH", f"{path}/{said['id']}", body, files={"c.png": PIXEL})
    _, same = await raw.call("PATCH", f"{path}/{said['id']}", {"content": "y"})

    assert [file["filename"] for file in edited["attachments"]] == ["a.png", "c.png"]
    assert same["attachments"] == edited["attachments"]
    assert (await raw.get(gone["url"].removeprefix(raw.here.address)))[0] == 200  # who is late still sees it
    for _ in range(16):
        _, other = await raw.call("POST", path, {"content": "x"}, files={"d.png": PIXEL})
        await raw.call("DELETE", f"{path}/{other['id']}")
    assert (await raw.get(gone["url"].removeprefix(raw.here.address)))[0] == 404


async def test_pictures_of_components_get_the_address_of_their_file(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}/messages"
    body = {"flags": V2, "components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}]}

    _, said = await raw.call("POST", path, body, files={"a.png": PIXEL})

    assert said["components"][0]["items"][0]["media"]["url"] == said["attachments"][0]["url"]


async def test_the_flag_of_components_v2_cannot_be_taken_back(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}/messages"
    _, said = await raw.call("POST", path, {"flags": V2, "components": [text("x")]})

    status, answer = await raw.call(
        "PATCH", f"{path}/{said['id']}", {"flags": 0, "content": "x", "components": []}
    )

    assert (status, list(faults(answer["errors"]))) == (400, ["flags"])


async def test_a_large_file_is_refused(raw: Any) -> None:
    raw.here.world.rules.file_bytes = 100
    path = f"/channels/{raw.here.world.channel('#games').id}/messages"

    status, answer = await raw.call("POST", path, {}, files={"big.bin": b"x" * 101})

    assert (status, answer["code"]) == (413, 40005)


async def test_closed_dms_refuse_a_message(raw: Any) -> None:
    raw.here.world.close_dms("Ben")
    _, place = await raw.call(
        "POST", "/users/@me/channels", {"recipient_id": int(raw.here.world.user("Ben").id)}
    )

    status, answer = await raw.call("POST", f"/channels/{place['id']}/messages", {"content": "psst"})
    raw.here.world.open_dms("Ben")
    later, _ = await raw.call("POST", f"/channels/{place['id']}/messages", {"content": "psst"})

    assert (status, answer["code"]) == (403, 50007)
    assert later == 200


async def test_the_bot_may_not_speak_where_it_lacks_the_permission(raw: Any) -> None:
    place = raw.here.world.channel("#games").id
    raw.here.world.allow("#games", "Wordmoot", Permission.SEND_MESSAGES, deny=True)
    silent = await raw.call("POST", f"/channels/{place}/messages", {"content": "x"})
    raw.here.world.allow("#games", "everyone", Permission.VIEW_CHANNEL, deny=True)
    blind = await raw.call("GET", f"/channels/{place}/messages")

    assert (silent[0], silent[1]["code"]) == (403, 50013)
    assert (blind[0], blind[1]["code"]) == (403, 50001)


async def test_what_is_gone_is_unknown(raw: Any) -> None:
    place = raw.here.world.channel("#games")
    _, said = await raw.call("POST", f"/channels/{place.id}/messages", {"content": "x"})
    await raw.call("DELETE", f"/channels/{place.id}/messages/{said['id']}")

    message = await raw.call("PATCH", f"/channels/{place.id}/messages/{said['id']}", {"content": "y"})
    raw.here.world.delete_channel("#games")
    channel = await raw.call("POST", f"/channels/{place.id}/messages", {"content": "y"})

    assert (message[0], message[1]["code"]) == (404, 10008)
    assert (channel[0], channel[1]["code"]) == (404, 10003)


async def test_an_old_message_is_edited_a_few_times_only(raw: Any) -> None:
    raw.here.world.rules.old_edits = 2
    path = f"/channels/{raw.here.world.channel('#games').id}/messages"
    _, said = await raw.call("POST", path, {"content": "0"})
    raw.here.world.age(raw.here.person("Ada").last("#games"), minutes=61)

    statuses = [
        (await raw.call("PATCH", f"{path}/{said['id']}", {"content": str(turn)}))[0] for turn in range(3)
    ]
    _, answer = await raw.call("PATCH", f"{path}/{said['id']}", {"content": "4"})

    assert statuses == [200, 200, 429]
    assert answer["code"] == 30046


async def test_somebody_elses_message_is_not_the_bots_to_edit(raw: Any) -> None:
    said = await raw.here.person("Ada").say("#games", "mine")

    status, answer = await raw.call(
        "PATCH", f"/channels/{said.channel}/messages/{said.id}", {"content": "yours"}
    )

    assert (status, answer["code"]) == (403, 50005)


async def test_an_archived_thread_is_reopened_before_it_is_written_to(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}"
    _, said = await raw.call("POST", f"{path}/messages", {"content": "table"})
    made, thread = await raw.call("POST", f"{path}/messages/{said['id']}/threads", {"name": "Table 1"})
    again, twice = await raw.call("POST", f"{path}/messages/{said['id']}/threads", {"name": "Table 1"})
    raw.here.world.archive_thread(thread["id"])
    shut, answer = await raw.call("POST", f"/channels/{thread['id']}/messages", {"content": "x"})
    _, listed = await raw.call("GET", f"{path}/threads/archived/public")
    opened, _ = await raw.call("PATCH", f"/channels/{thread['id']}", {"archived": False})
    spoken, _ = await raw.call("POST", f"/channels/{thread['id']}/messages", {"content": "x"})

    assert (made, thread["id"]) == (201, said["id"])
    assert (again, twice["code"]) == (400, 160004)
    assert (shut, answer["code"]) == (400, 50083)
    assert [one["id"] for one in listed["threads"]] == [thread["id"]]
    assert (opened, spoken) == (200, 200)


async def test_a_private_thread_is_seen_by_its_members_only(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}/threads"
    _, thread = await raw.call("POST", path, {"name": "Secret", "type": 12})
    ben = raw.here.person("Ben")
    with pytest.raises(Impossible):
        ben.sees(thread["id"])

    await raw.call("PUT", f"/channels/{thread['id']}/thread-members/{ben.user.id}")

    assert ben.sees(thread["id"]) == []


async def test_a_person_who_writes_in_an_archived_thread_reopens_it(raw: Any) -> None:
    path = f"/channels/{raw.here.world.channel('#games').id}/threads"
    _, thread = await raw.call("POST", path, {"name": "Old", "type": 11})
    raw.here.world.archive_thread(thread["id"])

    await raw.here.person("Ben").say(thread["id"], "anyone here?")

    assert not raw.here.world.channel(thread["id"]).archived


async def test_history_is_paged_by_snowflake(raw: Any) -> None:
    ada = raw.here.person("Ada")
    said = [await ada.say("#games", str(number)) for number in range(5)]
    path = f"/channels/{said[0].channel}/messages"

    _, newest = await raw.call("GET", f"{path}?limit=2")
    _, before = await raw.call("GET", f"{path}?limit=2&before={said[3].id}")
    _, after = await raw.call("GET", f"{path}?limit=2&after={said[0].id}")

    assert [one["content"] for one in newest] == ["4", "3"]
    assert [one["content"] for one in before] == ["2", "1"]
    assert [one["content"] for one in after] == ["2", "1"]


async def test_commands_keep_their_ids_when_they_are_registered_again(raw: Any) -> None:
    _, first = await raw.commands({"name": "go"}, {"name": "stay"})
    _, again = await raw.commands({"name": "stay", "description": "Stay here"})

    assert again[0]["id"] == first[1]["id"]
    assert [command["name"] for command in raw.here.person("Ada").commands("#games")] == ["stay"]


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ({"name": "Go"}, "0.name"),
        ({"name": "g" * 33}, "0.name"),
        ({"name": "go", "description": "x" * 101}, "0.description"),
        ({"name": "go", "options": [{"type": 3, "name": f"o{n}", "description": "d"} for n in range(26)]}, "0.options"),
        (
            {"name": "go", "options": [{"type": 3, "name": "o", "description": "d", "choices": [{"name": "c", "value": "c"}] * 26}]},
            "0.options.0.choices",
        ),
        (
            {"name": "go", "options": [
                {"type": 3, "name": "a", "description": "d"},
                {"type": 3, "name": "b", "description": "d", "required": True},
            ]},
            "0.options.1",
        ),
    ],
    ids=["capitals", "long name", "long description", "26 options", "26 choices", "required last"],
)  # fmt: skip
async def test_a_command_over_a_limit_is_refused(raw: Any, command: dict[str, Any], path: str) -> None:
    status, answer = await raw.commands(command)

    assert (status, answer["code"]) == (400, 50035)
    assert path in faults(answer["errors"])


async def test_a_rate_limit_is_worded_as_discord_words_it(raw: Any) -> None:
    raw.here.faults.add("GET", "/users/@me", status=429, retry_after=0.2)

    status, answer = await raw.call("GET", "/users/@me")

    assert (status, answer["retry_after"], raw.headers["Via"] != "") == (429, 0.2, True)
    assert (await raw.call("GET", "/users/@me"))[0] == 200


async def test_faults_by_chance_are_the_same_for_the_same_seed(raw: Any) -> None:
    async def run(seed: int) -> list[int]:
        raw.here.faults.clear()
        raw.here.faults.add("GET", "/users/*", status=503, times=100, chance=0.5, seed=seed)
        return [(await raw.call("GET", "/users/@me"))[0] for _ in range(12)]

    first = await run(1)

    assert await run(1) == first
    assert set(first) == {200, 503}


async def test_an_unknown_route_is_refused_and_noted(raw: Any) -> None:
    status, _ = await raw.call("POST", "/guilds/1/bans")

    assert status == 404
    assert raw.here.world.exchanges[-1].path == "/guilds/1/bans"


async def test_people_and_members_are_looked_up(raw: Any) -> None:
    guild, ada = raw.here.world.guild_id, raw.here.world.user("Ada")

    _, user = await raw.call("GET", f"/users/{ada.id}")
    _, member = await raw.call("GET", f"/guilds/{guild}/members/{ada.id}")
    status, answer = await raw.call("GET", f"/guilds/{guild}/members/1")

    assert user["global_name"] == member["user"]["global_name"] == "Ada"
    assert (status, answer["code"]) == (404, 10007)


async def test_a_world_that_is_kept_goes_on_as_it_was(tmp_path: Any) -> None:
    async with Loopback(data=tmp_path) as here:
        games = here.world.channel("#games")
        said = await here.person("Ada").say("#games", "hello")
        thread = here.world.create_thread(games, here.world.bot, "Table 1")
        here.world.set_commands("", [{"name": "go", "description": "d"}])
        people = {user.name: user.id for user in here.world.players}

    async with Loopback(data=tmp_path, players=("Ada", "Ben", "Cleo")) as here:
        assert here.world.channel("#games").id == games.id
        assert here.person("Ben").sees("#games")[0].id == said.id
        assert here.world.channel("Table 1").id == thread.id
        assert [command["name"] for command in here.person("Cleo").commands("#games")] == ["go"]
        assert people.items() <= {user.name: user.id for user in here.world.players}.items()
        assert int(here.world.mint()) > int(said.id)


async def test_a_request_of_which_only_half_comes_changes_nothing_and_is_no_error(
    raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    url = URL(raw.here.address)
    _, pipe = await asyncio.open_connection(url.host, url.port)
    pipe.write(
        f"POST /api/v10/channels/{raw.here.world.channel('#games').id}/messages HTTP/1.1\r\nHost: {url.authority}\r\n"
        f"Authorization: Bot {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{{".encode()
    )
    await pipe.drain()
    await asyncio.sleep(0.05)
    pipe.close()

    await raw.here.until(lambda: raw.here.world.exchanges and raw.here.world.exchanges[-1].status == 499)

    assert raw.here.person("Ada").sees("#games") == []
    assert caplog.records == []
