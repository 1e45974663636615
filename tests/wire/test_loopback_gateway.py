"""The gateway: sessions, resuming, intents, shards, and deliveries that go wrong."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.wire

GUILDS, MEMBERS, GUILD_MESSAGES, DIRECT_MESSAGES = 1 << 0, 1 << 1, 1 << 9, 1 << 12


async def test_a_bot_hears_its_guild_after_ready(here: Any, raw: Any) -> None:
    ready = await raw.connect(GUILDS)
    guild = await raw.event("GUILD_CREATE")

    assert ready["user"]["id"] == here.world.bot.id
    assert [one["id"] for one in ready["guilds"]] == [guild["id"]]
    assert [channel["name"] for channel in guild["channels"]] == ["general", "games"]
    assert [member["user"]["id"] for member in guild["members"]] == [here.world.bot.id]
    assert any(role["id"] == guild["id"] and int(role["permissions"]) for role in guild["roles"])


async def test_members_come_with_their_intent_or_when_asked_for(here: Any, raw: Any) -> None:
    await raw.connect(GUILDS | MEMBERS)
    guild = await raw.event("GUILD_CREATE")
    await raw.socket.send_json(
        {"op": 8, "d": {"guild_id": guild["id"], "query": "b", "limit": 0, "nonce": "q"}}
    )
    chunk = await raw.event("GUILD_MEMBERS_CHUNK")

    assert len(guild["members"]) == 3
    assert ([member["user"]["global_name"] for member in chunk["members"]], chunk["nonce"]) == (["Ben"], "q")


async def test_a_heartbeat_is_acknowledged(raw: Any) -> None:
    await raw.socket.send_json({"op": 1, "d": None})

    assert (await raw.frame())["op"] == 11


async def test_a_resumed_session_hears_what_it_missed_in_order(here: Any, raw: Any) -> None:
    ada = here.person("Ada")
    await here.gateway.drop(4000)
    assert await raw.frame() == {"closed": 4000}
    for word in ("one", "two"):
        await ada.say("#games", word)

    await raw.resume()
    frames = [await raw.frame() for _ in range(3)]

    assert [frame["t"] for frame in frames] == ["MESSAGE_CREATE", "MESSAGE_CREATE", "RESUMED"]
    assert [frame["d"]["content"] for frame in frames[:2]] == ["one", "two"]
    assert [frame["s"] for frame in frames] == [frames[0]["s"] + step for step in range(3)]
    assert here.gateway.resumed == 1


async def test_a_session_that_was_forgotten_cannot_be_resumed(here: Any, raw: Any) -> None:
    await here.gateway.drop(4000, resumable=False)
    await raw.frame()

    await raw.resume()
    frame = await raw.frame()

    assert (frame["op"], frame["d"]) == (9, False)


async def test_a_bot_is_asked_to_reconnect(here: Any, raw: Any) -> None:
    here.gateway.ask_to_reconnect()

    assert (await raw.frame())["op"] == 7


async def test_events_come_twice_or_late_when_a_test_wants_it(here: Any, raw: Any) -> None:
    ada = here.person("Ada")
    here.gateway.delay("MESSAGE_CREATE", 0.05)
    await ada.say("#games", "late")
    here.gateway.duplicate("MESSAGE_CREATE")
    await ada.say("#games", "twice")

    heard = [(await raw.event("MESSAGE_CREATE"))["content"] for _ in range(3)]

    assert heard == ["twice", "twice", "late"]


async def test_without_its_intent_content_is_hidden_but_not_in_dms_or_when_addressed(
    here: Any, raw: Any
) -> None:
    await raw.connect(GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES)
    ada = here.person("Ada")

    await ada.say("#games", "a secret")
    await ada.say("#games", f"<@{here.world.bot.id}> hello")
    await ada.say(ada.dm(), "just us")
    heard = [(await raw.event("MESSAGE_CREATE"))["content"] for _ in range(3)]

    assert heard == ["", f"<@{here.world.bot.id}> hello", "just us"]


async def test_direct_messages_come_to_the_first_shard_and_a_guild_to_its_own(here: Any, raw: Any) -> None:
    mine = (int(here.world.guild_id) >> 22) % 2
    ready = [await raw.connect(shard=(shard, 2)) for shard in (0, 1)]

    assert [len(one["guilds"]) for one in ready] == [int(mine == 0), int(mine == 1)]


async def test_a_socket_that_does_not_identify_is_closed(raw: Any) -> None:
    await raw._open()
    await raw.socket.send_json({"op": 8, "d": {}})

    assert await raw.frame() == {"closed": 4003}
