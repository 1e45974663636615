"""Notices on Discord: whom they ping, how often, and that channels stay clean."""

from __future__ import annotations

from typing import Any

from simcord.results import ResponseMessage

from tests.cogs.conftest import Server, labels, text
from tests.cogs.test_defenders import contribute

ADA, BEN, CLEO = "Ada", "Ben", "Cleo"
DAY = 86_400_000


def notices(server: Server) -> list[ResponseMessage]:
    """Return the messages in the channel that say nothing but whom a table waits for."""
    return [message for message in server.said() if message.content.startswith("<@")]


def pinged(server: Server, message: Any) -> list[str]:
    """Return whom a message notifies, by name."""
    stored = server.env.backend.messages[server.channel.id][message.id]
    assert not stored.mention_everyone
    assert not stored.mention_role_ids
    names = {person.user.id: name for name, person in server.people.items()}
    return sorted(names[user] for user in stored.mention_user_ids)


def asked(server: Server, question: Any) -> Any:
    """Return a question as it stands now."""
    return next(one for one in server.said() if one.id == question.id)


async def wait(server: Server, seconds: float) -> None:
    """Let time pass; the bot goes round every ten seconds."""
    while seconds > 0:  # simcord settles so many rounds at a time
        await server.env.advance_time(min(seconds, 50))
        seconds -= 50


async def test_whoever_is_awaited_is_pinged_once_and_nobody_else(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await contribute(server, ADA, 0)
    await wait(server, 80)
    assert notices(server) == []
    await wait(server, 20)
    (notice,) = notices(server)
    assert pinged(server, notice) == [BEN, CLEO]
    assert "Waiting for Ben and Cleo to contribute" in notice.content
    assert f"/{server.board().id})" in notice.content
    await wait(server, 100)
    assert [one.id for one in notices(server)] == [notice.id]


async def test_the_notice_goes_when_its_people_have_acted(server: Server) -> None:
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0, 2)
    await wait(server, 100)
    assert len(notices(server)) == 1
    await contribute(server, BEN, 1, 2)
    await wait(server, 15)
    assert notices(server) == []


async def test_a_notice_that_somebody_else_deleted_is_no_fault(server: Server) -> None:
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0, 2)
    await wait(server, 100)
    (notice,) = notices(server)
    channel = server.bot.get_partial_messageable(server.channel.id)
    await channel.get_partial_message(notice.id).delete()
    await contribute(server, BEN, 1, 2)
    await wait(server, 15)
    assert set(await server.bot.store.messages(1)) >= {"board"}
    assert "notice" not in await server.bot.store.messages(1)


async def test_a_name_that_looks_like_a_mention_pings_nobody(server: Server) -> None:
    eve = server.person("Eve")
    await server.open(ADA, f"<@{eve.user.id}>")
    await contribute(server, ADA, 0, 2)
    await wait(server, 100)
    (notice,) = notices(server)
    assert pinged(server, notice) == [f"<@{eve.user.id}>"]


async def test_a_sleeper_is_nudged_then_the_others_agree_to_an_automaton(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await contribute(server, ADA, 0)
    await contribute(server, CLEO, 2)
    await wait(server, 100)
    await wait(server, 210)
    (nudge,) = notices(server)
    assert "still wait" in nudge.content
    await wait(server, 310)
    assert notices(server) == []
    question = next(one for one in server.said() if "Agree" in labels(one))
    assert pinged(server, question) == [ADA, CLEO]
    assert "Shall an automaton play for Ben at table 1?" in text(question)
    await server.person(ADA).click(question, label="Agree")
    await server.person(CLEO).click(asked(server, question), label="Agree")
    seat = (await server.bot.service.table(1)).seats[1]
    assert seat.skill is not None
    await wait(server, 15)
    assert "plays for Ben from now on" in text(asked(server, question))
    assert labels(asked(server, question)) == []


async def asleep(server: Server) -> None:
    """Ben sleeps so long at a table of three that the others are asked whether to replace him."""
    await server.open(ADA, BEN, CLEO)
    await contribute(server, ADA, 0)
    await contribute(server, CLEO, 2)
    for seconds in (100, 210, 310):
        await wait(server, seconds)


def open_questions(server: Server) -> list[ResponseMessage]:
    return [one for one in server.said() if not one.ephemeral and "Disagree" in labels(one)]


async def test_who_asks_what_is_asked_already_leaves_one_open_question(server: Server) -> None:
    await asleep(server)
    (first,) = open_questions(server)
    await server.person(ADA).slash(server.channel, "table replace", player=BEN)
    (second,) = open_questions(server)
    assert "It is asked anew below" in text(asked(server, first))
    await server.person(CLEO).click(second, label="Agree")
    assert (await server.bot.service.table(1)).seats[1].skill is not None
    assert open_questions(server) == []
    await wait(server, 15)
    assert "plays for Ben from now on" in text(asked(server, second))
    assert set(await server.bot.store.messages(1)) <= {"board", "notice", "hand/0", "hand/1", "hand/2"}


async def test_a_question_about_a_sleeper_closes_when_the_seat_is_given_up(server: Server) -> None:
    await asleep(server)
    (question,) = open_questions(server)
    await server.restart()
    await server.bot.service.leave(1, server.person(BEN).id)
    await wait(server, 15)
    assert open_questions(server) == []
    assert "An automaton plays this seat already" in text(asked(server, question))
    assert await server.bot.store.votes(1) == {}


async def test_a_restart_pings_nobody_a_second_time(server: Server) -> None:
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0, 2)
    await wait(server, 100)
    (notice,) = notices(server)
    await server.restart()
    await wait(server, 100)
    assert [one.id for one in notices(server)] == [notice.id]
    await contribute(server, BEN, 1, 2)
    await wait(server, 15)
    assert notices(server) == []


async def test_somebody_alone_with_automata_is_left_in_peace(server: Server) -> None:
    await server.open(ADA, automata=1)
    await wait(server, 1_000)
    assert notices(server) == []


async def test_a_channel_that_refuses_is_let_be(server: Server) -> None:
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0, 2)
    before = len(server.said())
    server.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    await wait(server, 100)
    assert len(server.said()) == before
    assert (await server.bot.service.table(1)).stage == "live"


async def test_nudge_pings_whoever_is_awaited_but_not_again_at_once(server: Server) -> None:
    await server.open(ADA, BEN)
    answer = (await server.person(ADA).slash(server.channel, "table nudge")).response
    assert "Ben has been nudged." in text(answer)
    (notice,) = notices(server)
    assert pinged(server, notice) == [BEN]
    assert "Ada asks you to go on" in notice.content
    again = (await server.person(BEN).slash(server.channel, "table nudge")).response
    assert "It can be nudged again <t:" in text(again)
    assert len(notices(server)) == 1


async def test_a_lobby_that_nobody_starts_is_closed_and_says_how_to_open_another(server: Server) -> None:
    server.bot.caretaker.lobby = 300_000
    await server.person(ADA).slash(server.channel, "play defenders")
    await wait(server, 200)
    await server.person(BEN).click(server.board(), label="Join")
    await wait(server, 200)
    assert "Start" in labels(server.board()), "somebody joined in between"
    await wait(server, 170)
    assert labels(server.board()) == []
    assert "Open a new one with `/play defenders`" in text(server.board())
    assert (await server.bot.service.table(1)).stage == "over"


async def test_a_table_at_which_nobody_plays_for_a_week_is_paused_and_can_go_on(server: Server) -> None:
    await server.open(ADA, automata=1)
    await later(server, 6 * DAY)
    assert (await server.bot.service.table(1)).paused_at is None
    await contribute(server, ADA, 0, 2)
    await later(server, 6 * DAY)
    assert (await server.bot.service.table(1)).paused_at is None
    await later(server, DAY)
    assert (await server.bot.service.table(1)).paused_at is not None
    said = [one.content for one in server.said() if "Nobody has played here for 7 days" in one.content]
    assert len(said) == 1
    assert "/table resume" in said[0]
    await server.person(ADA).slash(server.channel, "table resume")
    await wait(server, 70)
    assert (await server.bot.service.table(1)).paused_at is None


async def later(server: Server, milliseconds: int) -> None:
    """Let the last act at the tables be so much longer ago, and the bot go round."""
    store = server.bot.store
    with store._changing():
        await store._write(lambda db: db.execute("UPDATE tables SET acted = acted - ?", (milliseconds,)))
    await wait(server, 70)
