"""What people at a table do beside their moves: log, undo, pause, replace, leave, end, play again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.components import walk_components

from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import State
from bot.games.log import parsed, replayed
from bot.tables.ask import Ask
from bot.tables.face import Panel
from bot.tables.publisher import OUT_OF_SIGHT
from bot.words.lexicon import Lexicon
from tests.cogs.conftest import WORDS, Server, custom_id, labels, parts, text

ADA, BEN, CLEO, EVE = "Ada", "Ben", "Cleo", "Eve"


async def state(server: Server, table: int = 1) -> State:
    found: State = await server.bot.service._state(await server.bot.service._row(table))
    return found


async def seq(server: Server, table: int = 1) -> int:
    return (await server.bot.service.table(table)).seq


async def contribute(server: Server, name: str, seat: int, count: int = 2) -> tuple[str, ...]:
    """Contribute the first letters of a rack by command; returns them."""
    letters = (await state(server)).racks[seat][:count]
    await server.person(name).slash(server.channel, "defenders contribute", letters="".join(letters))
    return letters


async def with_a_proposal(server: Server) -> None:
    """Ada and Ben have contributed, Ada has proposed no word (move 3)."""
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0)
    await contribute(server, BEN, 1)
    await server.person(ADA).slash(server.channel, "defenders pass")


async def with_an_objection(server: Server) -> None:
    """And Ben has objected (move 4)."""
    await with_a_proposal(server)
    await server.person(BEN).click(server.board(), label="Object")


async def leave(server: Server, name: str) -> None:
    """Leave and say so again; late enough in a round for the automaton to play at once."""
    await server.env.advance_time(2)
    await server.person(name).click(await command(server, name, "leave"), label="Leave")


async def command(server: Server, name: str, verb: str, **options: Any) -> Any:
    """Return the private answer to a ``/table`` command."""
    answer = await server.person(name).slash(server.channel, f"table {verb}", **options)
    assert answer.ephemeral
    return answer.response


def question(server: Server) -> Any:
    """Return the last question that was put to everybody."""
    return [message for message in server.said() if not message.ephemeral and "Disagree" in labels(message)][
        -1
    ]


def public(server: Server) -> str:
    """Return all that everybody can read in the channel."""
    return "\n".join(text(message) for message in server.said() if not message.ephemeral)


def moderator(server: Server) -> Any:
    guild = server.channel.guild
    role = guild.create_role("moderators", permissions=discord.Permissions(manage_guild=True))
    return guild.add_member(server.env.create_user("Mod"), roles=[role])


async def go_back(server: Server, name: str, to: int) -> Any:
    """Choose in the log to go back to a move and confirm it; returns what stands in place of the log then."""
    person = server.person(name)
    page = await command(server, name, "log")
    await person.select(page, [str(to)], custom_id=custom_id(page, "rewind"))
    sure = server.whispered(name)[-1]
    await person.click(sure, custom_id=custom_id(sure, "rewind_sure"))
    return server.whispered(name)[-1]


# The log


async def test_a_log_tells_each_reader_what_they_may_know(server: Server) -> None:
    await server.open(ADA, BEN)
    laid = " ".join("wildcard" if tile == "*" else tile for tile in await contribute(server, ADA, 0))
    said = {name: text(await command(server, name, "log")) for name in (ADA, BEN, EVE)}
    assert f"Ada contributes {laid} face down." in said[ADA]
    assert "Ada contributes face down." in said[BEN]
    assert said[EVE] == said[BEN]
    await contribute(server, BEN, 1)
    assert f"Contributed: Ada {laid}" in text(await command(server, BEN, "log"))


async def test_a_log_is_read_by_pages_from_the_newest(server: Server) -> None:
    await with_an_objection(server)
    for _ in range(4):
        await server.person(ADA).slash(server.channel, "defenders withdraw")
        await server.person(ADA).slash(server.channel, "defenders pass")
        await server.person(BEN).click(server.board(), label="Object")
    assert await seq(server) == 16
    newest = await command(server, BEN, "log")
    assert "Moves 7 to 16 of 16" in text(newest)
    assert labels(newest)[:2] == ["First", "Older"]
    await server.person(BEN).click(newest, label="Older")
    older = server.whispered(BEN)[-1]
    assert "Moves 1 to 6 of 16" in text(older)
    assert [name for name in labels(older) if name != "Log"] == ["Newer", "Newest", "Back"]
    second = await command(server, BEN, "log", page=2)
    assert text(second) == text(older)
    assert "2 pages" in text(await command(server, BEN, "log", page=3))


async def test_a_log_keeps_what_was_taken_back_struck_through(server: Server) -> None:
    await with_an_objection(server)
    await command(server, BEN, "undo")
    said = text(await command(server, EVE, "log"))
    struck = next(line for line in said.splitlines() if line.startswith("~~"))
    assert "Ben objects." in struck
    assert struck.endswith("taken back by Ben")
    assert "Move 4 is taken back by Ben." in said


async def test_a_log_tells_what_the_clock_did(server: Server) -> None:
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0)
    await contribute(server, BEN, 1)
    await server.person(ADA).slash(server.channel, "defenders pass")
    await server.env.advance_time(61)
    said = text(await command(server, ADA, "log"))
    assert "The clock: Ben said nothing in time, which is consent." in said
    assert "1:0" in said


async def test_a_log_is_for_who_can_read_the_tables_channel(server: Server) -> None:
    await server.open(ADA, BEN)
    elsewhere = server.channel.guild.create_text_channel("elsewhere")
    refused = (await server.person(EVE).slash(elsewhere, "table log", table=1)).response
    assert "You do not sit at table 1, and it is not shown here." in text(refused)
    assert "Nobody has moved yet" in text(await command(server, EVE, "log", table=1))
    await server.person(ADA).slash(elsewhere, "table log", table=1)


async def test_the_file_comes_after_the_result_and_replays(server: Server) -> None:
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0)
    refused = await command(server, ADA, "log", file=True)
    assert "holds every hand" in text(refused)
    assert not refused.attachments
    sure = (await server.person(ADA).slash(server.channel, "defenders concede")).response
    await server.person(ADA).click(sure, label="Propose to admit defeat")
    assert "Download the whole log" not in labels(await command(server, ADA, "log"))
    await contribute(server, BEN, 1)
    sure = (await server.person(ADA).slash(server.channel, "defenders concede")).response
    await server.person(ADA).click(sure, label="Propose to admit defeat")
    await server.person(BEN).click(server.board(), label="Agree")
    page = (await server.person(BEN).click(server.board(), label="Log")).response
    given = await server.person(BEN).click(page, label="Download the whole log")
    assert given.ephemeral
    body = await given.response.attachments[0].read()
    steps = list(replayed(DEFENDERS, parsed(body), Lexicon.of(WORDS)))
    assert steps[-1].state == await state(server)


async def test_a_table_that_never_began_has_no_log_to_download(server: Server) -> None:
    await server.person(ADA).slash(server.channel, "play defenders")
    await server.person(ADA).click(await command(server, ADA, "end"), label="End the table")
    assert labels(await command(server, ADA, "log", table=1)) == []


async def test_from_the_log_one_comes_back_to_where_it_was_opened(server: Server) -> None:
    await server.open(ADA)
    ada = server.person(ADA)
    assert "Back" not in labels(await command(server, ADA, "log"))
    more = (await ada.click(server.board(), label="More")).response
    log = (await ada.click(more, label="Log")).response
    back = (await ada.click(log, label="Back")).response
    assert "### More" in text(back)
    await server.bot.service.leave(1, ada.user.id)
    log = (await ada.click(back, label="Log")).response
    assert labels(log) == ["Download the whole log", "Back"]
    assert "The players ended the table." in text((await ada.click(log, label="Back")).response)


# Taking back


async def test_undo_takes_ones_last_move_back_and_says_which(server: Server) -> None:
    await server.open(ADA, BEN)
    before = await state(server)
    laid = " ".join("wildcard" if tile == "*" else tile for tile in await contribute(server, ADA, 0))
    assert f"Taken back: Ada contributes {laid} face down." in text(await command(server, ADA, "undo"))
    assert await state(server) == before
    assert "no move to take back" in text(await command(server, ADA, "undo"))


async def test_what_has_come_to_light_stays(server: Server) -> None:
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0)
    await contribute(server, BEN, 1)
    assert "came to light" in text(await command(server, BEN, "undo"))
    assert await seq(server) == 2


async def test_a_contribution_can_be_taken_back_where_it_was_made(server: Server) -> None:
    await server.open(ADA, BEN)
    ada = server.person(ADA)
    hand = (await ada.click(server.board(), label="My rack")).response
    rack = (await state(server)).racks[0]
    await ada.select(hand, [f"0{rack[0]}", f"1{rack[1]}"], custom_id=custom_id(hand, "give"))
    done = server.whispered(ADA)[-1]
    await ada.click(done, label="Undo" if "Undo" in labels(done) else "Take it back")
    assert (await state(server)).sealed[0] is None
    again = server.whispered(ADA)[-1]
    assert "Taken back" in text(again)
    assert custom_id(again, "give")


async def test_an_undo_button_is_good_for_its_own_move_alone(server: Server) -> None:
    await server.open(ADA, BEN)
    await contribute(server, ADA, 0)
    await command(server, ADA, "undo")
    await contribute(server, ADA, 0)
    hand = (await server.person(ADA).click(server.board(), label="My rack")).response
    for part in walk_components(server.env.backend.messages[server.channel.id][hand.id].components):
        if part.get("label") == "Take it back":
            part["custom_id"] += "1"  # as under the answer to the first contribution
    await server.person(ADA).click(hand, label="Take it back")
    assert "taken back already" in text(server.whispered(ADA)[-1])
    assert await seq(server) == 3


async def test_alone_one_goes_back_at_once(server: Server) -> None:
    await server.bot.clock.close()  # no automaton is asked, so what one has done stays sealed
    await server.open(ADA, automata=1)
    await contribute(server, ADA, 0)
    page = await command(server, ADA, "log")
    await server.person(ADA).select(page, ["0"], custom_id=custom_id(page, "rewind"))
    sure = server.whispered(ADA)[-1]
    assert "Ada contributes" in text(sure)
    await server.person(ADA).click(sure, label="Take them back")
    assert (await state(server)).sealed[0] is None
    assert "1 move taken back" in text(server.whispered(ADA)[-1])


async def test_going_back_needs_everyone_and_then_goes_back(server: Server) -> None:
    await with_an_objection(server)
    asked = await go_back(server, ADA, 2)
    assert "Still to agree: Ben" in text(asked)
    assert "Agreed: Ada." in text(question(server))
    assert "Ben objects." in text(question(server))
    assert await seq(server) == 4
    refused = await server.person(EVE).click(question(server), label="Agree")
    assert "do not sit" in text(refused.response)
    asked_all = question(server)
    await server.person(BEN).click(asked_all, label="Agree")
    assert (await state(server)).public.proposal is None
    after = next(message for message in server.said() if message.id == asked_all.id)
    assert "2 moves taken back" in text(after)
    assert labels(after) == []
    assert "taken back by agreement" in text(await command(server, BEN, "log"))


async def test_one_who_disagrees_keeps_the_moves(server: Server) -> None:
    await with_an_objection(server)
    await go_back(server, ADA, 3)
    await server.person(BEN).click(question(server), label="Disagree")
    assert await seq(server) == 4
    assert "Ben does not agree" in public(server)


async def late(server: Server, name: str, message: Any, verb: str, arg: str) -> str:
    """Press a button that an answer has taken away a moment ago; returns what stands there then."""
    shown: list[Panel] = []

    async def replace(panel: Panel, table: int) -> None:
        shown.append(panel)

    user = server.person(name).user
    interaction = SimpleNamespace(user=user, message=message, guild_id=None)
    answer: Any = SimpleNamespace(
        interaction=interaction, is_press=True, pressed_private=False, replace=replace
    )
    ask = Ask(answer, await server.bot.service.table(1), arg)
    await server.bot.router.company.verbs[verb](ask)
    return f"{shown[-1].title} {shown[-1].text}"


async def test_a_second_press_that_comes_after_the_answer_leaves_it_as_it_stands(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await contribute(server, ADA, 0, 1)
    await go_back(server, BEN, 0)
    asked = question(server)
    await server.person(ADA).click(asked, label="Agree")
    await server.person(CLEO).click(asked, label="Agree")
    for verb in ("vote_for", "vote_against"):
        said = await late(server, CLEO, asked, verb, "rewind/0/1")
        assert said.endswith("Everyone agrees. 1 move taken back.")
    asked = await asked_to_end(server, ADA, BEN)
    await server.person(CLEO).click(asked, label="End the table")
    for arg in ("sure", "keep"):
        assert (await late(server, CLEO, asked, "end", arg)).endswith("Everyone agrees. The table is closed.")


async def test_a_move_meanwhile_makes_the_question_void(server: Server) -> None:
    await with_an_objection(server)
    await go_back(server, ADA, 2)
    asked = question(server)
    await server.bot.store.drop_message(1, f"asked/{asked.id}")  # as if it could not be reached just then
    await server.person(ADA).slash(server.channel, "defenders withdraw")
    await server.person(BEN).click(asked, label="Agree")
    assert await seq(server) == 5
    assert "Somebody has moved since it was asked" in public(server)


async def test_the_log_offers_only_moves_that_can_be_gone_back_to(server: Server) -> None:
    await with_an_objection(server)
    page = await command(server, ADA, "log")
    menu = next(part for part in parts(page) if part["type"] == 3)
    assert [option["value"] for option in menu["options"]] == ["3", "2"]
    assert all(part["type"] != 3 for part in parts(await command(server, EVE, "log")))


# Pauses


async def test_a_paused_table_stands_still_until_somebody_resumes(server: Server) -> None:
    await with_a_proposal(server)
    ada, ben = server.person(ADA), server.person(BEN)
    assert "Silence is consent <t:" in text(server.board())
    await command(server, BEN, "pause")
    assert "Ben paused the table" in public(server)
    assert "**Paused.**" in text(server.board())
    assert "<t:" not in text(server.board())
    refused = await ben.slash(server.channel, "defenders agree")
    assert refused.ephemeral
    assert "paused" in text(refused.response)
    await server.env.advance_time(90)  # half as long again as silence lasts
    assert await seq(server) == 3
    assert "paused already" in text(await command(server, ADA, "pause"))
    await ada.click(server.board(), label="Resume")
    assert "lets the table go on" in public(server)
    assert "Resume" not in labels(server.board())
    await ben.click(server.board(), label="Agree")
    assert (await state(server)).public.round == 2
    assert "not paused" in text(await command(server, ADA, "resume"))


async def test_a_stranger_pauses_no_table(server: Server) -> None:
    await server.open(ADA, BEN)
    await command(server, EVE, "pause", table=1)
    assert (await server.bot.service.table(1)).paused_at is None


# Replacing, leaving, coming back


async def test_the_others_decide_whether_somebody_is_replaced(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    offered = await server.person(ADA).autocomplete(server.channel, "table replace", "player", "")
    assert [choice["name"] for choice in offered] == [BEN, CLEO]
    await command(server, ADA, "replace", player="2")
    asked = question(server)
    assert "Still to agree: Ben" in text(asked)
    await server.env.advance_time(2)
    refused = await server.person(CLEO).click(asked, label="Disagree")
    assert "about you" in text(refused.response)
    assert (await server.bot.service.table(1)).seats[2].person
    await server.person(BEN).click(asked, label="Agree")
    assert not (await server.bot.service.table(1)).seats[2].person
    assert "An automaton plays for Cleo" in public(server)


async def test_who_sleeps_too_is_not_waited_for_but_may_still_disagree(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await server.bot.store.call(1, [1, 2], 3)  # both have slept long
    await command(server, ADA, "replace", player=CLEO)
    assert not (await server.bot.service.table(1)).seats[2].person
    await server.env.advance_time(2)
    await command(server, CLEO, "return")
    await server.bot.store.call(1, [2], 3)
    await server.bot.service.store._write(lambda db: db.execute("DELETE FROM calls WHERE seat = 1"))
    await command(server, ADA, "replace", player=CLEO)
    await server.env.advance_time(2)
    await server.bot.store.call(1, [1], 3)
    await server.person(BEN).click(question(server), label="Disagree")
    assert (await server.bot.service.table(1)).seats[2].person


async def test_a_seat_taken_back_closes_the_question_about_it(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await command(server, ADA, "replace", player=CLEO)
    first = question(server)
    await server.env.advance_time(2)
    await server.person(BEN).click(first, label="Agree")
    assert "Take my seat back" in labels(server.board())
    await server.person(CLEO).click(server.board(), label="Take my seat back")
    assert (await server.bot.service.table(1)).seats[2].person
    await command(server, ADA, "replace", player=CLEO)
    assert "Still to agree: Ben" in text(question(server))


async def test_a_moderator_replaces_at_once(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await server.env.advance_time(2)
    mod = moderator(server)
    panel = (await mod.slash(server.channel, "table replace", player=CLEO)).response
    await mod.click(panel, label="Replace at once")
    assert not (await server.bot.service.table(1)).seats[2].person


async def test_all_learn_whom_a_moderator_has_replaced(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    mod = moderator(server)
    panel = (await mod.slash(server.channel, "table replace", player=CLEO)).response
    await mod.click(panel, label="Replace at once")
    assert "An automaton plays for Cleo from now on." in public(server)
    assert "Mod has decided it as a moderator." in public(server)


def elsewhere(server: Server, name: str) -> tuple[Any, Any]:
    """Return a channel of another server that somebody manages, and them there."""
    guild = server.env.create_guild("elsewhere")
    role = guild.create_role("mods", permissions=discord.Permissions(manage_guild=True))
    return guild.create_text_channel("lair"), guild.add_member(server.person(name).user, roles=[role])


async def test_who_manages_another_server_is_no_moderator_of_this_one(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    lair, ben = elsewhere(server, BEN)
    asked = (await ben.slash(lair, "table end", table=1)).response
    assert labels(asked) == ["End the table", "Back"]
    asked = (await ben.slash(lair, "table replace", player="2", table=1)).response
    assert "Still to agree: Ada." in text(asked)
    assert "Replace at once" not in labels(asked)
    table = await server.bot.service.table(1)
    assert (table.stage, table.seats[2].person) == ("live", True)


async def test_a_moderators_button_is_good_in_the_tables_server_alone(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    lair, ben = elsewhere(server, BEN)
    await ben.slash(lair, "play defenders")  # table 2, which Ben may close as a moderator
    asked = (await ben.slash(lair, "table end", table=2)).response
    for part in walk_components(server.env.backend.messages[lair.id][asked.id].components):
        if "custom_id" in part:
            part["custom_id"] = part["custom_id"].replace("w1:2:", "w1:1:")
    refused = (await ben.click(asked, label="Close it as a moderator")).response
    assert "Only who may manage the table's server" in text(refused)
    assert (await server.bot.service.table(1)).stage == "live"


async def test_a_private_game_is_its_players_own_to_end(server: Server) -> None:
    await with_ending(server, "managers")
    mod = moderator(server)
    await mod.slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    asked = (await mod.slash(server.channel, "table end")).response
    assert labels(asked) == ["End the table", "Back"]
    await server.person(ADA).slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    refused = (await mod.slash(server.channel, "table end", table=2)).response
    assert "do not sit" in text(refused)
    asked = await command(server, ADA, "end")
    assert "You alone decide" in text(asked)
    await server.person(ADA).click(asked, label="End the table")
    assert (await server.bot.service.table(2)).stage == "over"


async def test_nobody_alone_replaces_who_is_awake(server: Server) -> None:
    await server.open(ADA, BEN)
    refused = await command(server, ADA, "replace", player=BEN)
    assert "You cannot decide that alone while Ben is still playing." in text(refused)
    assert (await server.bot.service.table(1)).seats[1].person
    await server.bot.store.call(1, [1], 3)  # Ben has slept long
    await command(server, ADA, "replace", player=BEN)
    assert not (await server.bot.service.table(1)).seats[1].person


async def test_that_others_sleep_ousts_nobody_who_is_awake(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await server.bot.store.call(1, [2], 3)  # Cleo sleeps, Ben does not
    asked = await command(server, ADA, "replace", player=BEN)
    assert "Still to agree: Cleo." in text(asked)
    assert (await server.bot.service.table(1)).seats[1].person


async def test_who_has_left_neither_stops_nor_starts_the_others_time(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await leave(server, CLEO)
    assert "/table return" in text(await command(server, CLEO, "pause", table=1))
    assert (await server.bot.service.table(1)).paused_at is None
    await command(server, ADA, "pause")
    refused = (await server.person(CLEO).click(server.board(), label="Resume")).response
    assert "/table return" in text(refused)
    assert (await server.bot.service.table(1)).paused_at is not None


async def test_nobody_else_replaces_at_once(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    mod = moderator(server)
    panel = (await mod.slash(server.channel, "table replace", player=CLEO)).response
    answer = await server.person(ADA).slash(server.channel, "table replace", player="Nobody")
    assert "Nobody here is called Nobody" in text(answer.response)
    assert panel.ephemeral
    assert (await server.bot.service.table(1)).seats[2].person


async def test_replacing_oneself_is_leaving(server: Server) -> None:
    await server.open(ADA, BEN)
    asked = await command(server, ADA, "replace", player=ADA)
    assert labels(asked) == ["Leave", "Stay"]


async def test_leaving_says_first_what_happens(server: Server) -> None:
    await server.open(ADA, BEN)
    await server.env.advance_time(2)
    for name, said in (
        (ADA, "automaton plays on"),
        (BEN, "the game ends when you leave.\nEnded before its time, the game counts as a defeat."),
    ):
        asked = await command(server, name, "leave")
        assert said in text(asked)
        await server.person(name).click(asked, label="Leave")
    over = await server.bot.service.table(1)
    assert over.stage == "over"
    assert over.result is not None
    assert over.result.won is False
    assert "That counts as a defeat." in text(server.board())


async def test_from_a_question_whether_to_go_one_comes_back_to_more(server: Server) -> None:
    await server.open(ADA, BEN)
    for verb, label in (("leave", "Stay"), ("end", "Back")):
        back = await server.person(ADA).click(await command(server, ADA, verb), label=label)
        assert "### More" in text(back.response)
    assert len((await server.bot.service.table(1)).persons) == 2


async def test_who_left_learns_how_to_return(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    cleo = server.person(CLEO)
    await leave(server, CLEO)
    refused = (await cleo.slash(server.channel, "defenders contribute", letters="A")).response
    assert "/table return" in text(refused)
    assert "An automaton plays for Cleo, who may come back" in text(server.board())
    hand = (await cleo.click(server.board(), label="My rack")).response
    assert labels(hand)[0] == "Take my seat back"
    assert "left already" in text(await command(server, CLEO, "leave"))
    assert "seat is yours again" in text(await command(server, CLEO, "return"))


async def test_the_last_who_leaves_a_lobby_is_asked(server: Server) -> None:
    ada, ben = server.person(ADA), server.person(BEN)
    await ada.slash(server.channel, "play defenders")
    await ben.click(server.board(), label="Join")
    await ada.click(server.board(), label="Leave")
    assert "1. Ben" in text(server.board())
    asked = (await ben.click(server.board(), label="Leave")).response
    assert "the lobby closes" in text(asked)
    await ben.click(asked, label="Leave")
    assert "closed" in text(server.board())


# The end


async def with_ending(server: Server, ending: str) -> None:
    await server.bot.servers.change(server.channel.guild.id, ending=ending)


async def test_a_server_may_let_the_opener_end_a_table(server: Server) -> None:
    await with_ending(server, "opener")
    await server.open(ADA, BEN)
    assert "only who opened the table, Ada, can end it" in text(await command(server, BEN, "end"))
    asked = await command(server, ADA, "end")
    assert "You alone decide" in text(asked)
    await server.person(ADA).click(asked, label="End the table")
    ended = await server.bot.service.table(1)
    assert (ended.stage, ended.result is None) == ("over", False)


async def test_when_the_opener_has_left_all_decide(server: Server) -> None:
    await with_ending(server, "opener")
    await server.open(ADA, BEN, CLEO)
    await leave(server, ADA)
    assert "when everyone at the table wants it" in text(await command(server, BEN, "end"))


async def test_who_is_alone_with_automata_decides_alone(server: Server) -> None:
    await server.open(ADA, automata=1)
    asked = await command(server, ADA, "end")
    assert "You alone decide" in text(asked)
    await server.person(ADA).click(asked, label="End the table")
    assert (await server.bot.service.table(1)).stage == "over"


async def test_a_server_may_keep_ending_to_who_manages_it(server: Server) -> None:
    await with_ending(server, "managers")
    await server.open(ADA, BEN)
    assert "only who manages it" in text(await command(server, ADA, "end"))
    mod = moderator(server)
    panel = (await mod.slash(server.channel, "table end")).response
    await mod.click(panel, label="Close it as a moderator")
    assert (await server.bot.service.table(1)).stage == "over"


# Afterwards


async def over(server: Server) -> None:
    await server.open(ADA, BEN)
    for name in (ADA, BEN):
        await server.person(name).click(await command(server, name, "end"), label="End the table")


async def test_a_moderator_is_told_what_closing_does(server: Server) -> None:
    await server.open(ADA, BEN)
    asked = (await moderator(server).slash(server.channel, "table end", table=1)).response
    assert labels(asked) == ["Close it as a moderator"]
    assert "The game ends at once for all who play.\nClosed by a moderator, nothing is recorded." in text(
        asked
    )


async def test_a_rematch_brings_all_who_want_it_into_one_lobby(server: Server) -> None:
    await over(server)
    board = server.board()
    await server.person(ADA).click(board, label="Rematch")
    assert "Ada wants a rematch" in public(server)
    await server.person(BEN).click(board, label="Rematch")
    lobby = server.board()
    assert "a rematch" in text(lobby)
    assert "1. Ada\n2. Ben" in text(lobby)
    assert len(await server.bot.service.live_tables(server.channel.guild.id)) == 1
    again = await server.person(BEN).click(board, label="Rematch")
    assert again.acknowledged
    assert len((await server.bot.service.table(2)).seats) == 2


async def test_a_rematch_opens_only_where_the_server_still_wants_tables(server: Server) -> None:
    await over(server)
    other = server.channel.guild.create_text_channel("tables")
    await server.bot.servers.change(server.channel.guild.id, channels=(other.id,))
    refused = await server.person(ADA).click(server.board(), label="Rematch")
    assert other.mention in text(refused.response)
    lair, ada = elsewhere(server, ADA)
    shown = (await ada.slash(lair, "table show", table=1)).response
    refused = await ada.click(shown, label="Rematch")
    assert other.mention in text(refused.response)
    assert await server.bot.service.live_tables(server.channel.guild.id) == ()


async def test_who_did_not_play_has_no_rematch(server: Server) -> None:
    await over(server)
    refused = await server.person(EVE).click(server.board(), label="Rematch")
    assert "did not sit" in text(refused.response)


async def test_a_rematch_that_has_begun_is_watched(server: Server) -> None:
    await over(server)
    board = server.board()
    await server.person(ADA).click(board, label="Rematch")
    await server.person(ADA).click(server.board(), label="Start")
    late = await server.person(BEN).click(board, label="Rematch")
    assert "It has begun without you" in text(late.response)
    assert server.channel.mention in text(late.response)
    mine = await server.person(ADA).click(board, label="Rematch")
    assert "You are playing it already" in text(mine.response)


# Who has no seat


async def test_who_watches_reads_the_log_and_the_rules(server: Server) -> None:
    await server.open(ADA, BEN)
    panel = (await server.person(EVE).click(server.board(), label="More")).response
    assert labels(panel) == ["Log", "Rules"]
    shown = (await server.person(EVE).slash(server.channel, "table show")).response
    assert "Defenders of the Dictionary" in text(shown)


async def test_a_damaged_table_is_refused_with_its_code(server: Server) -> None:
    await server.open(ADA, BEN)
    await server.bot.store.set_aside(1, "abcd1234", server.bot.service.now())
    server.bot.service._sitting.clear()
    ada, board = server.person(ADA), server.board()
    for asked in (
        ada.click(board, label="My rack"),
        ada.slash(server.channel, "table log", table=1),
        ada.slash(server.channel, "table undo", table=1),
    ):
        answer = await asked
        assert answer.ephemeral
        assert "abcd1234" in text(answer.response)
    assert "You sit at no table. Open one" in text(await command(server, ADA, "undo"))


async def test_ending_is_put_to_the_others_with_a_button(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await server.person(ADA).click(await command(server, ADA, "end"), label="End the table")
    asked = next(message for message in server.said() if "End the table" in labels(message))
    assert "Still to agree: Ben, Cleo." in text(asked)
    assert "counts as a defeat" in text(asked)
    await server.person(BEN).click(asked, label="End the table")
    again = next(message for message in server.said() if message.id == asked.id)
    assert "Still to agree: Cleo." in text(again)
    assert (await server.bot.service.table(1)).stage == "live"
    await server.person(CLEO).click(again, label="End the table")
    assert (await server.bot.service.table(1)).stage == "over"
    assert labels(next(message for message in server.said() if message.id == asked.id)) == []


async def asked_to_end(server: Server, *names: str) -> Any:
    """Ask to end the table, one by one by a panel of their own; returns the card that everybody sees."""
    for name in names:
        await server.person(name).click(await command(server, name, "end"), label="End the table")
    return cards(server)[-1]


def cards(server: Server) -> list[Any]:
    """Return the questions whether to end the game, open and settled ones."""
    return [
        message
        for message in server.said()
        if not message.ephemeral and text(message).startswith("\n### End this game of Defenders")
    ]


async def test_a_question_names_its_game_and_its_table(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    asked = await asked_to_end(server, ADA)
    assert "### End this game of Defenders of the Dictionary (table 1)?\n" in text(asked)
    await command(server, ADA, "replace", player=CLEO)
    assert "### Shall an automaton play for Cleo at table 1?\n" in text(question(server))
    await server.person(BEN).click(question(server), label="Disagree")
    assert "### Shall an automaton play for Cleo at table 1? Not everyone agrees.\n" in public(server)


async def test_the_question_closes_whoever_agrees_last_and_wherever(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await asked_to_end(server, ADA, BEN)
    (asked,) = cards(server)
    assert "Still to agree: Cleo." in text(asked)
    await asked_to_end(server, CLEO)
    (after,) = cards(server)
    assert labels(after) == []
    assert "Everyone agrees." in text(after)
    assert "Still to agree" not in public(server)


async def test_who_asks_again_leaves_one_open_question(server: Server) -> None:
    await server.open(ADA, BEN)
    await asked_to_end(server, ADA, ADA)
    first, second = cards(server)
    assert labels(first) == []
    assert "asked anew below" in text(first)
    assert labels(second) == ["End the table", "Keep playing"]


async def test_who_would_rather_play_on_closes_the_question(server: Server) -> None:
    await server.open(ADA, BEN)
    asked = await asked_to_end(server, ADA)
    refused = await server.person(EVE).click(asked, label="Keep playing")
    assert "do not sit" in text(refused.response)
    await server.person(BEN).click(asked, label="Keep playing")
    (after,) = cards(server)
    assert labels(after) == []
    assert "Ben would rather play on" in text(after)
    await asked_to_end(server, BEN)
    assert (await server.bot.service.table(1)).stage == "live"


def refuse(server: Server) -> None:
    """Let the channel take no message any more."""
    server.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)


async def test_that_nobody_could_be_asked_is_said(server: Server) -> None:
    await with_an_objection(server)
    refuse(server)
    assert "I could not ask the others" in text(await go_back(server, ADA, 2))
    assert await server.bot.store.votes(1) == {}


async def test_a_replacement_that_nobody_could_be_asked_about_is_not_proposed(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    refuse(server)
    assert "I could not ask the others" in text(await command(server, ADA, "replace", player=CLEO))
    assert await server.bot.store.votes(1) == {}


async def test_a_table_whose_channel_is_shut_ends_when_all_ask_for_it(server: Server) -> None:
    await server.open(ADA, BEN)
    refuse(server)
    ada = server.person(ADA)
    await ada.click(await command(server, ADA, "end"), label="End the table")
    said = "\n".join(text(message) for message in server.whispered(ADA))
    assert "I could not ask the others" in said
    assert "Still to agree: Ben." in said
    await server.person(BEN).click(await command(server, BEN, "end"), label="End the table")
    assert (await server.bot.service.table(1)).stage == "over"


async def test_every_question_closes_with_its_table(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await asked_to_end(server, ADA)
    await command(server, ADA, "replace", player=CLEO)
    await server.restart()
    mod = moderator(server)
    panel = (await mod.slash(server.channel, "table end")).response
    await mod.click(panel, label="Close it as a moderator")
    assert "Still to agree" not in public(server)
    assert public(server).count("The game is over.") == 2


async def test_a_question_that_a_crash_left_open_is_settled_by_its_press(server: Server) -> None:
    await server.open(ADA, BEN)
    asked = await asked_to_end(server, ADA)
    await server.bot.store.drop_message(1, f"asked/{asked.id}")
    await server.bot.service.end(1)
    await server.person(BEN).click(asked, label="End the table")
    (after,) = cards(server)
    assert labels(after) == []
    assert "The game is over." in text(after)


async def test_a_question_that_a_move_makes_void_closes_by_itself(server: Server) -> None:
    await with_an_objection(server)
    await go_back(server, ADA, 2)
    await server.person(ADA).slash(server.channel, "defenders withdraw")
    assert "Somebody has moved since it was asked" in public(server)
    assert "Still to agree: Ben" not in public(server)


async def test_a_seat_taken_back_settles_what_was_asked_about_it(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    await command(server, ADA, "replace", player=CLEO)
    await leave(server, CLEO)
    assert "An automaton plays this seat already." in public(server)
    assert "replace/2" not in await server.bot.store.votes(1)


# Smaller things


async def test_boards_lobbies_and_hands_name_their_table(server: Server) -> None:
    await server.person(ADA).slash(server.channel, "play defenders")
    assert "free. Table 1." in text(server.board())
    await server.person(BEN).click(server.board(), label="Join")
    await server.person(ADA).click(server.board(), label="Start")
    assert "-# Table 1." in text(server.board())
    assert "Table 1 in" in text(server.hand(ADA))
    await asked_to_end(server, ADA, BEN)
    assert "-# Table 1." in text(server.board())


async def test_an_old_rack_tells_that_its_table_was_ended(server: Server) -> None:
    await server.open(ADA, BEN)
    ada = server.person(ADA)
    rack = (await ada.click(server.board(), label="My rack")).response
    assert custom_id(rack, "give")
    for name in (ADA, BEN):
        await server.person(name).click(await command(server, name, "end"), label="End the table")
    refreshed = (await ada.click(rack, label="Refresh")).response
    assert "The players ended the table." in text(refreshed)
    assert labels(refreshed) == []


async def test_an_old_rack_tells_that_an_automaton_plays_it(server: Server) -> None:
    await server.open(ADA, BEN)
    ada = server.person(ADA)
    rack = (await ada.click(server.board(), label="My rack")).response
    await server.bot.service.replace(1, 0)
    refreshed = (await ada.click(rack, label="Refresh")).response
    assert "An automaton plays for you." in text(refreshed)
    assert labels(refreshed) == ["Take my seat back"]


async def test_who_did_not_play_joins_a_rematch_by_its_lobby(server: Server) -> None:
    await over(server)
    board = server.board()
    await server.person(ADA).click(board, label="Rematch")
    refused = (await server.person(EVE).click(board, label="Rematch")).response
    assert "Join the new lobby with its button" in text(refused)
    assert server.channel.mention in text(refused)


async def test_a_paused_table_can_only_be_resumed_from_a_rack_or_from_more(server: Server) -> None:
    await server.open(ADA, BEN)
    ada = server.person(ADA)
    assert "Back" not in labels(await command(server, ADA, "log"))
    more = (await ada.click(server.board(), label="More")).response
    assert "Pause" in labels(more)
    await ada.click(more, label="Pause")
    for rack in ((await ada.click(server.board(), label="My rack")).response, server.hand(ADA)):
        assert "**Paused.**" in text(rack)
        assert labels(rack) == ["Resume"]
    more = (await ada.click(server.board(), label="More")).response
    assert "Pause" not in labels(more)
    await ada.click(more, label="Resume")
    assert (await server.bot.service.table(1)).paused_at is None
    assert custom_id(server.hand(ADA), "give")


async def test_from_the_rules_one_comes_back_to_more(server: Server) -> None:
    await server.open(ADA, BEN)
    for name, there in ((ADA, "Admit defeat"), (EVE, "Log")):
        more = (await server.person(name).click(server.board(), label="More")).response
        await server.person(name).click(more, label="Rules")
        page = server.whispered(name)[-1]
        await server.person(name).select(page, ["2"], custom_id=custom_id(page, "rules"))
        await server.person(name).click(server.whispered(name)[-1], label="Back")
        assert there in labels(server.whispered(name)[-1])


async def test_the_past_names_who_played_then(server: Server) -> None:
    await server.open(ADA, BEN, CLEO)
    for seat, name in enumerate((ADA, BEN, CLEO)):
        laid = await contribute(server, name, seat, 1)
    await leave(server, CLEO)
    tile = "wildcard" if laid[0] == "*" else laid[0]
    assert f"Cleo {tile}." in text(server.board())


# Where the board is


async def conceded(server: Server, chatter: int) -> Any:
    """Let a game come to its result that many messages below its board; returns the board from before."""
    board = await server.open(ADA, BEN)
    await contribute(server, ADA, 0)
    await contribute(server, BEN, 1)
    for number in range(chatter):
        await server.person(EVE).send(server.channel, f"Message {number}.")
    sure = (await server.person(ADA).slash(server.channel, "defenders concede")).response
    await server.person(ADA).click(sure, label="Propose to admit defeat")
    await server.person(BEN).click(server.board(), label="Agree")
    await server.env.advance_time(2)
    return next(message for message in server.said() if message.id == board.id)


async def test_a_result_is_posted_below_where_its_board_is_out_of_sight(server: Server) -> None:
    old = await conceded(server, OUT_OF_SIGHT)
    new = server.board()
    assert new.id > old.id
    assert not [message for message in server.said() if message.id > new.id and not message.ephemeral]
    assert "Rematch" in labels(new)
    guild, channel = server.channel.guild.id, server.channel.id
    assert (
        text(old).strip()
        == f"-# The result is below: https://discord.com/channels/{guild}/{channel}/{new.id}"
    )


async def test_a_result_near_its_board_is_no_new_message(server: Server) -> None:
    old = await conceded(server, OUT_OF_SIGHT - 1)
    assert server.board().id == old.id
    assert "Rematch" in labels(old)


@pytest.mark.parametrize(
    ("denied", "named"),
    [
        (("send_messages",), ("Send Messages",)),
        (("attach_files",), ("Attach Files",)),
        (("send_messages", "attach_files"), ("Send Messages", "Attach Files")),
        (("view_channel", "send_messages"), ("View Channel",)),
    ],
)
async def test_what_a_board_lacks_is_named_as_discord_does_and_nothing_else(
    server: Server, denied: tuple[str, ...], named: tuple[str, ...]
) -> None:
    overwrite: Any = discord.PermissionOverwrite(**dict.fromkeys(denied, False))
    narrow = server.channel.guild.create_text_channel("narrow", overwrites={server.bot.user: overwrite})
    await server.env.advance_time(1)
    places = server.bot.publisher.places
    assert places.lacking(narrow.id) == named
    assert f"there I lack {', '.join(named)}. Ask" in places.explain(narrow.id, "forbidden")
