"""What can be made to go wrong on a local Discord, as a bot without any library meets it."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest

from bot.loopback import Impossible, Loopback
from bot.loopback.buckets import Buckets
from bot.loopback.model import Permission

pytestmark = pytest.mark.wire


def place(here: Loopback) -> str:
    return f"/channels/{here.world.channel('#games').id}"


async def post(here: Loopback, raw: Any, text: str = "Hello.") -> tuple[int, Any]:
    return await raw.call("POST", f"{place(here)}/messages", {"content": text})


async def test_a_removed_bot_hears_nothing_and_may_do_nothing(here: Any, raw: Any) -> None:
    assert (await post(here, raw))[0] == 200
    here.world.remove_bot()
    assert await raw.event("GUILD_DELETE") == {"id": here.world.guild_id}
    status, body = await post(here, raw)
    assert (status, body["code"]) == (403, 50001)
    status, body = await raw.call("GET", f"/guilds/{here.world.guild_id}")
    assert (status, body["code"]) == (404, 10004)
    assert (await raw.call("GET", "/users/@me/guilds"))[1] == []
    dm = here.world.dm(here.world.user("Ben"))
    status, body = await raw.call("POST", f"/channels/{dm.id}/messages", {"content": "Hello."})
    assert (status, body["code"]) == (403, 50278)
    with pytest.raises(Impossible):
        await here.person("Ada").slash("#games", "go")
    await here.person("Ben").say("#games", "It is gone.")
    here.world.invite_bot()
    joined = await raw.event("GUILD_CREATE")
    assert "unavailable" not in joined
    assert [member["user"]["id"] for member in joined["members"] if member["user"]["bot"]]
    assert (await post(here, raw))[0] == 200


async def test_an_outage_is_told_and_ends(here: Any, raw: Any) -> None:
    here.world.begin_outage()
    assert await raw.event("GUILD_DELETE") == {"id": here.world.guild_id, "unavailable": True}
    assert (await post(here, raw))[0] == 503
    assert (await raw.call("GET", f"/guilds/{here.world.guild_id}"))[0] == 503
    with pytest.raises(Impossible):
        here.person("Ada").sees("#games")
    here.world.end_outage()
    assert (await raw.event("GUILD_CREATE"))["unavailable"] is False
    assert (await post(here, raw))[0] == 200


async def test_who_identifies_in_an_outage_gets_the_guild_when_it_is_over(here: Any, raw: Any) -> None:
    here.world.begin_outage()
    ready = await raw.connect()
    assert ready["guilds"] == [{"id": here.world.guild_id, "unavailable": True}]
    here.world.end_outage()
    assert (await raw.event("GUILD_CREATE"))["id"] == here.world.guild_id


async def test_a_role_grants_until_it_is_deleted(here: Any, raw: Any) -> None:
    world = here.world
    world.allow("#games", "everyone", Permission.SEND_MESSAGES, deny=True)
    assert (await post(here, raw))[1]["code"] == 50013
    role = world.create_role("Hosts", members=[world.bot.id])
    assert (await raw.event("GUILD_ROLE_CREATE"))["role"]["name"] == "Hosts"
    assert role.id in (await raw.event("GUILD_MEMBER_UPDATE"))["roles"]
    world.allow("#games", "Hosts", Permission.SEND_MESSAGES)
    assert (await raw.event("CHANNEL_UPDATE"))["permission_overwrites"][-1]["id"] == role.id
    assert (await post(here, raw))[0] == 200
    world.change_role("Hosts", Permission.ADMINISTRATOR)
    assert (await raw.event("GUILD_ROLE_UPDATE"))["role"]["permissions"] == str(int(Permission.ADMINISTRATOR))
    world.delete_role("Hosts")
    assert (await raw.event("GUILD_ROLE_DELETE"))["role_id"] == role.id
    assert (await post(here, raw))[1]["code"] == 50013


async def test_a_bot_is_pressed_in_a_channel_that_it_does_not_see(here: Any, raw: Any) -> None:
    here.world.allow("#games", here.world.bot.id, Permission.VIEW_CHANNEL, deny=True)
    await here.person("Ada").say("#games", "It does not hear this.")
    here.world.rules.answer_seconds = 0.05
    await here.person("Ada").slash("#games", "go")
    while (frame := await raw.frame()).get("t") != "INTERACTION_CREATE":
        assert frame.get("t") != "MESSAGE_CREATE"
    assert (await post(here, raw))[1]["code"] == 50001


async def test_who_leaves_is_no_member_and_gets_no_message(here: Any, raw: Any) -> None:
    ben = here.person("Ben")
    ben.leave_guild()
    assert (await raw.event("GUILD_MEMBER_REMOVE"))["user"]["id"] == ben.user.id
    status, body = await raw.call("GET", f"/guilds/{here.world.guild_id}/members/{ben.user.id}")
    assert (status, body["code"]) == (404, 10007)
    status, body = await raw.call("POST", f"/channels/{ben.dm().id}/messages", {"content": "Hello."})
    assert (status, body["code"]) == (403, 50278)
    with pytest.raises(Impossible):
        ben.sees("#games")
    ben.join_guild()
    assert (await raw.call("POST", f"/channels/{ben.dm().id}/messages", {"content": "Hello."}))[0] == 200
    with pytest.raises(ValueError, match="owner"):
        here.person("Ada").leave_guild()


async def test_a_deleted_account_is_unknown(here: Any, raw: Any) -> None:
    ben = here.person("Ben")
    here.world.delete_account("Ben")
    assert (await raw.call("GET", f"/users/{ben.user.id}"))[1]["code"] == 10013
    status, body = await raw.call("POST", "/users/@me/channels", {"recipient_id": ben.user.id})
    assert (status, body["code"]) == (400, 50033)


async def test_a_purge_is_told_as_one_event(here: Any, raw: Any) -> None:
    said = [await here.person("Ada").say("#games", text) for text in ("One.", "Two.", "Three.")]
    here.world.purge(said[:2])
    assert (await raw.event("MESSAGE_DELETE_BULK"))["ids"] == [one.id for one in said[:2]]
    assert here.person("Ben").sees("#games") == said[2:]


async def test_a_sweeper_deletes_what_the_bot_posts_and_nothing_else(here: Any, raw: Any) -> None:
    stop = here.world.sweep("#games", seconds=0.01)
    kept = await here.person("Ada").say("#games", "Mine.")
    await post(here, raw)
    await raw.event("MESSAGE_DELETE")
    assert here.person("Ada").sees("#games") == [kept]
    stop()
    await post(here, raw)
    assert len(here.person("Ada").sees("#games")) == 2


async def test_only_who_may_deletes_a_message(here: Any, raw: Any) -> None:
    ben = here.person("Ben")
    mine = await ben.say("#games", "Mine.")
    ben.delete(mine)
    _, posted = await post(here, raw)
    boards = here.person("Ben").last("#games")
    assert boards.id == posted["id"]
    with pytest.raises(Impossible):
        ben.delete(boards)
    here.person("Ada").delete(boards)
    assert here.person("Ada").sees("#games") == []


async def test_a_locked_thread_is_opened_by_moderators_only(here: Any, raw: Any) -> None:
    _, thread = await raw.call("POST", f"{place(here)}/threads", {"name": "A game", "type": 11})
    here.world.lock_thread(thread["id"])
    status, body = await raw.call("PATCH", f"/channels/{thread['id']}", {"archived": False})
    assert (status, body["code"]) == (403, 50013)
    here.world.change_role(here.world.bot.name, int(Permission.MANAGE_THREADS))
    assert (await raw.call("PATCH", f"/channels/{thread['id']}", {"archived": False}))[0] == 200


async def test_a_gateway_refuses_until_it_accepts(here: Any, raw: Any) -> None:
    here.gateway.refuse()
    await here.gateway.drop()
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await raw.resume()
    here.gateway.accept()
    await raw.resume()
    await raw.event("RESUMED")


async def test_events_are_lost_or_repeated_when_a_test_wants_it(here: Any, raw: Any) -> None:
    ada = here.person("Ada")
    here.gateway.lose("MESSAGE_CREATE")
    await ada.say("#games", "Lost.")
    heard = await ada.say("#games", "Heard.")
    assert (await raw.event("MESSAGE_CREATE"))["id"] == heard.id
    here.gateway.repeat("MESSAGE_CREATE")
    assert (await raw.event("MESSAGE_CREATE"))["id"] == heard.id
    with pytest.raises(LookupError):
        here.gateway.repeat("TYPING_START")


@pytest.mark.parametrize("lost", [False, True])
async def test_a_line_is_cut_before_or_after_a_request_is_carried_out(
    here: Any, raw: Any, lost: bool
) -> None:
    here.faults.add("POST", "/channels/*/messages", cut=True, lost=lost)
    with pytest.raises(aiohttp.ClientError):
        await post(here, raw)
    assert len(here.person("Ada").sees("#games")) == lost
    assert here.world.exchanges[-1].refused


async def test_an_interaction_in_a_deleted_channel_is_answered_nowhere(here: Any, raw: Any) -> None:
    here.world.rules.answer_seconds = 0.3
    asking = asyncio.create_task(here.person("Ada").slash("#games", "go"))
    told = await raw.event("INTERACTION_CREATE")
    here.world.delete_channel("#games")
    status, body = await raw.answer(told, 4, {"content": "Hello."})
    assert (status, body["code"]) == (404, 10003)
    assert (await asking).failed


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_says_what_is_left_and_refuses_one_too_many() -> None:
    time = Time()
    buckets = Buckets(time)
    left = []
    for _ in range(5):
        refusal, headers = buckets.take("POST", "/channels/1/messages")
        assert refusal is None
        left.append(headers["X-RateLimit-Remaining"])
    assert left == ["4", "3", "2", "1", "0"]
    refusal, headers = buckets.take("POST", "/channels/1/messages")
    assert refusal is not None
    assert (refusal.status, refusal.extra["retry_after"], headers["Retry-After"]) == (429, 5.0, "5.000")
    assert buckets.take("POST", "/channels/2/messages")[0] is None, "another channel has its own"
    assert buckets.take("GET", "/channels/1/messages") == (None, {})
    time.now = 5.0
    assert buckets.take("POST", "/channels/1/messages")[0] is None


def test_fifty_requests_a_second_are_enough_but_interactions_are_free() -> None:
    buckets = Buckets(Time())
    answers = [buckets.take("GET", f"/channels/{number}")[0] for number in range(51)]
    assert answers[:50] == [None] * 50
    assert answers[50] is not None
    assert answers[50].extra["global"] is True
    assert buckets.take("POST", "/interactions/1/token/callback")[0] is None


async def test_limits_are_off_unless_they_are_asked_for(here: Any, raw: Any) -> None:
    assert {(await post(here, raw))[0] for _ in range(7)} == {200}
    here.world.rules.rate_limits = True
    statuses = [(await post(here, raw))[0] for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    assert raw.headers["X-RateLimit-Remaining"] == "0"
    assert raw.headers["Via"]


def test_new_private_channels_are_few_where_limits_are_on() -> None:
    buckets = Buckets(Time())
    assert [buckets.opens() for _ in range(11)] == [True] * 10 + [False]
