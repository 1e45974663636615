"""The lobby, as people meet it."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import discord
import pytest
import structlog

from bot.games.defenders.state import Options
from bot.tables.face import Button, Channels, Menu, Shown
from bot.tables.layout import escaped
from bot.tables.ledger import OUTAGES
from bot.tables.rulebook import rules_page, turned
from tests.cogs.conftest import Server, custom_id, labels, parts, text


async def test_play_opens_a_lobby_with_its_opener_seated(server: Server) -> None:
    ada = server.person("Ada")
    answer = await ada.slash(server.channel, "play defenders")
    assert answer.ephemeral
    board = server.board()
    assert "1. Ada" in text(board)
    assert "Start" in labels(board)


async def test_others_join_and_leave(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    await server.person("Ben").click(server.board(), label="Join")
    assert "2. Ben" in text(server.board())
    await server.person("Ben").click(server.board(), label="Leave")
    assert "Ben" not in text(server.board())


async def test_nobody_sits_twice(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    answer = await server.person("Ada").click(server.board(), label="Join")
    assert answer.ephemeral
    assert "already" in text(answer.response)


async def test_a_stranger_cannot_start_or_change_a_lobby(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    answer = await server.person("Eve").click(server.board(), label="Start")
    assert answer.ephemeral
    assert "Start" in labels(server.board())
    refused = await server.person("Eve").select(
        server.board(), ["2"], custom_id=custom_id(server.board(), "automaton")
    )
    assert refused.ephemeral
    assert "Automaton" not in text(server.board())


async def test_automata_fill_seats_until_the_table_is_full(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play defenders")
    for _ in range(3):
        await ada.select(server.board(), ["1"], custom_id=custom_id(server.board(), "automaton"))
    assert "Every seat is taken" in text(server.board())
    assert "Join" not in labels(server.board())
    await ada.click(server.board(), label="Take an automaton away")
    assert "1 seat free" in text(server.board())


async def test_options_are_chosen_in_private_and_shown_to_all(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play defenders")
    panel = (await ada.click(server.board(), label="Options")).response
    assert panel.ephemeral
    goal = next(
        part["custom_id"] for part in parts(panel) if str(part.get("custom_id")).endswith(":set:goal")
    )
    await ada.select(panel, ["intermediate/3"], custom_id=goal)
    assert "6 points of interest in rising order and 90 Vocabulary Points" in text(server.board())


async def test_no_games_press_hides_behind_one_of_the_hosts(server: Server) -> None:
    router = server.bot.router
    hosts = {*router.company.verbs, *router.seating.verbs, "rules", "edit"}
    for face in router.faces.values():
        own = {name.removeprefix("_on_") for name in dir(face) if name.startswith("_on_")}
        assert own
        assert not own & hosts


async def test_the_lobby_goes_on_after_a_restart(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    await server.restart()
    await server.person("Ben").click(server.board(), label="Join")
    assert "2. Ben" in text(server.board())


async def test_names_neither_format_nor_mention(server: Server) -> None:
    await server.person("**@everyone**").slash(server.channel, "play defenders")
    said = text(server.board())
    assert "@everyone" not in said
    assert "\\*\\*" in said


@pytest.mark.parametrize(
    "name",
    [
        "O'Brien",
        "日本",
        "Zoë ✨",
        "Jo-Ann #1",
        "J. R. (Bob)",
        "3.14",
        "👨\u200d👩\u200d👧",
        "e\u0301ve",
        "ʕ•ᴥ•ʔ",
    ],
)
def test_an_ordinary_name_stays_as_it_is(name: str) -> None:
    assert escaped(name).replace("\\", "") == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann_Lee", "Ann\\_Lee"),
        ("\u202eabc", "abc"),
        ("a\u2066b\u200bc\u00add", "abcd"),
        (" \u3164\u2800\ufe0f\u200d ", "Somebody"),
        ("", "Somebody"),
        ("two\nlines\u2028more", "two lines more"),
        ("<t:0:R>", "\\<t:0:R\\>"),
        ("<#123>", "\\<#123\\>"),
        ("[x](http://e.vil/a_b)", "\\[x\\](http\\://e.vil/a\\_b)"),
        ("# big", "\\# big"),
        ("-# small", "\\-# small"),
        ("12. twelfth", "12\\. twelfth"),
        ("back\\", "back\\\\"),
        ("A" * 31 + "*_", "A" * 31 + "\\*"),
        ("می\u200cخواهم", "\u2068می\u200cخواهم\u2069"),
    ],
)
def test_a_name_formats_links_and_dates_nothing_and_turns_no_text_around(name: str, shown: str) -> None:
    assert escaped(name) == shown


@pytest.mark.parametrize(
    "name", ["Ann_Lee", "O'Brien", "[x](y)", "# big", "12. twelfth", "back\\", "דנה", "a*b"]
)
def test_a_picture_has_the_name_as_it_is(name: str) -> None:
    assert Shown(1, (escaped(name),), (True,)).drawn == (name,)


async def test_closing_a_lobby_takes_its_buttons(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play defenders")
    asked = await ada.slash(server.channel, "table end")
    await ada.click(asked.response, label="End the table")
    assert labels(server.board()) == []
    assert "closed" in text(server.board())


async def test_a_full_lobby_has_no_join_button(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play defenders")
    for _ in range(3):
        await ada.select(server.board(), ["1"], custom_id=custom_id(server.board(), "automaton"))
    shown = [part["label"] for part in parts(server.board()) if part["type"] == 2]
    assert "Join" not in shown


async def test_who_has_no_seat_is_told_the_options_and_changes_none(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    answer = (await server.person("Eve").click(server.board(), label="Options")).response
    assert "Take a seat" in text(answer)
    assert "4 points of interest in any order" in text(answer)
    assert not parts(answer)


async def test_a_lobby_says_what_its_pace_means(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play defenders", pace="slow")
    assert "half a day of silence is consent" in text(server.board())
    panel = (await ada.click(server.board(), label="Options")).response
    assert "half a day of silence is consent" in text(panel)


# What a server has settled


async def settle(server: Server, **fields: Any) -> None:
    await server.bot.servers.change(server.channel.guild.id, **fields)


async def options(server: Server, table: int = 1) -> Options:
    found: Options = (await server.bot.service.table(table)).options
    return found


async def test_a_servers_pace_is_that_of_tables_whose_opener_names_none(server: Server) -> None:
    await settle(server, pace="slow")
    await server.person("Ada").slash(server.channel, "play defenders")
    await server.person("Ben").slash(server.channel, "play defenders", pace="live")
    assert ((await options(server, 1)).pace, (await options(server, 2)).pace) == ("slow", "live")


async def test_tables_open_only_where_the_server_wants_them(server: Server) -> None:
    guild = server.channel.guild
    hall = guild.create_text_channel("hall")
    await settle(server, channels=(hall.id,))
    refused = (await server.person("Ada").slash(server.channel, "play defenders")).response
    assert f"tables open in {hall.mention}" in text(refused)
    assert "/settings" not in text(refused)
    role = guild.create_role("moderators", permissions=discord.Permissions(manage_guild=True))
    mod = guild.add_member(server.env.create_user("Mod"), roles=[role])
    assert "/settings" in text((await mod.slash(server.channel, "play defenders")).response)
    await server.person("Ada").slash(hall, "play defenders")
    assert (await server.bot.service.table(1)).channel == hall.id


async def test_a_channel_that_is_gone_keeps_no_table_out(server: Server) -> None:
    await settle(server, channels=(123456789012345678,))
    await server.person("Ada").slash(server.channel, "play defenders")
    assert (await server.bot.service.table(1)).channel == server.channel.id


async def test_a_server_may_give_each_table_a_thread(server: Server) -> None:
    await settle(server, place="thread")
    answer = (await server.person("Ada").slash(server.channel, "play defenders", thread=False)).response
    assert "each table has a thread of its own" in text(answer)
    table = await server.bot.service.table(1)
    assert table.thread is not None
    assert table.channel == server.channel.id
    assert "1. Ada" in text(server._in(table.thread)[-1])
    assert not any(message.components and not message.ephemeral for message in server.said())


async def test_a_server_may_keep_tables_in_the_channel(server: Server) -> None:
    await settle(server, place="channel")
    answer = (await server.person("Ada").slash(server.channel, "play defenders", thread=True)).response
    assert "tables stay in the channel" in text(answer)
    assert (await server.bot.service.table(1)).thread is None


@pytest.mark.parametrize(
    ("thread", "denied", "named"),
    [
        (False, {"attach_files": False, "send_messages": False}, ["Send Messages", "Attach Files"]),
        (False, {"view_channel": False}, ["View Channel"]),
        (False, {"create_public_threads": False}, []),
        (
            True,
            {
                "create_public_threads": False,
                "send_messages_in_threads": False,
                "read_message_history": False,
            },
            ["Create Public Threads", "Send Messages in Threads", "Read Message History"],
        ),
        (True, {"send_messages": False}, []),
    ],
)
async def test_all_that_the_bot_lacks_is_listed_before_a_table_opens(
    server: Server, thread: bool, denied: dict[str, bool], named: list[str]
) -> None:
    guild = server.channel.guild
    bot = server.bot.user
    assert bot is not None
    narrow = guild.create_text_channel("narrow", overwrites={bot: discord.PermissionOverwrite(**denied)})
    answer = (await server.person("Ada").slash(narrow, "play defenders", thread=thread)).response
    said = text(answer)
    if named:
        assert "add my role" in said
        assert len(await server.bot.service.live_tables(guild.id)) == 0
    else:
        assert "table is" in said
    for name in ("Send Messages", "Attach Files", "View Channel", "Create Public Threads"):
        assert (f" {name}" in said.replace("Send Messages in Threads", "")) == (name in named)
    assert all(name in said for name in named)


# Which table is meant


def moderator(server: Server) -> Any:
    guild = server.channel.guild
    role = guild.create_role("moderators", permissions=discord.Permissions(manage_guild=True))
    return guild.add_member(server.env.create_user("Mod"), roles=[role])


HERE = "1 (Defenders of the Dictionary, Ada, Ben), 2 (Defenders of the Dictionary, Cleo, Dan)"


async def two_tables(server: Server) -> None:
    for names in (("Ada", "Ben"), ("Cleo", "Dan")):
        await server.open(*names)


async def test_who_only_watches_is_offered_the_tables_here(server: Server) -> None:
    await two_tables(server)
    eve = server.person("Eve")
    refused = text((await eve.slash(server.channel, "table show")).response)
    assert refused == f"Several tables are here: {HERE}. Name one with the option *table*."
    for verb in ("show", "rules", "log"):
        offered = await eve.autocomplete(server.channel, f"table {verb}", "table", "")
        assert [choice["value"] for choice in offered] == [1, 2]
    assert not await eve.autocomplete(server.channel, "table hand", "table", "")
    assert not await eve.autocomplete(server.channel, "table end", "table", "")
    hall = server.channel.guild.create_text_channel("hall")
    assert not await eve.autocomplete(hall, "table show", "table", "")


async def test_who_manages_the_server_is_offered_the_tables_here(server: Server) -> None:
    await two_tables(server)
    mod = moderator(server)
    for verb, options in (("end", {}), ("replace", {"player": "Ada"})):
        refused = text((await mod.slash(server.channel, f"table {verb}", **options)).response)
        assert refused.startswith(f"Several tables are here: {HERE}. Name one")
        offered = await mod.autocomplete(server.channel, f"table {verb}", "table", "")
        assert [choice["value"] for choice in offered] == [1, 2]
    await mod.slash(
        server.channel, "dungeon solo", dungeon="cellar-steps"
    )  # their own, which may be meant as well
    refused = text((await mod.slash(server.channel, "table end")).response)
    assert refused.startswith(
        f"Several tables are here: {HERE}. You sit at 3 (Cellar Steps, you alone). Name one"
    )
    assert "(table 3)?" in text((await mod.slash(server.channel, "table end", table=3)).response)


async def test_who_sits_at_several_tables_is_told_which(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    await server.person("Ada").slash(server.channel, "play defenders")
    refused = text((await server.person("Ada").slash(server.channel, "table leave")).response)
    told = "Defenders of the Dictionary, you alone, lobby"
    assert refused.startswith(f"You sit at several tables: 2 ({told}), 1 ({told}).")


async def test_a_move_is_never_meant_for_a_lobby_while_a_game_is_on(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    for game in ("play defenders", "play dungeon"):
        await ada.slash(server.channel, game)
        assert "Cellar Steps" in text((await ada.slash(server.channel, "table hand")).response)
        refused = text((await ada.slash(server.channel, "dungeon place", word="zzz")).response)
        assert "ZZZ" in refused
        assert "not begun" not in refused


async def test_a_private_table_of_others_is_for_no_moderator_there(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "dungeon solo")
    mod = moderator(server)
    for table in (1, 9):
        for verb, options in (("end", {}), ("replace", {"player": "Ada"}), ("replace", {"player": "Eve"})):
            refused = (await mod.slash(server.channel, f"table {verb}", table=table, **options)).response
            assert text(refused) == f"You do not sit at table {table}."
    assert not await mod.autocomplete(server.channel, "table replace", "player", "", table=1)


async def test_the_board_in_the_channel_comes_before_one_elsewhere(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    await ada.slash(server.channel, "play defenders")
    shown = (await ada.slash(server.channel, "table show")).response
    assert "a table opens" in text(shown)
    hall = server.channel.guild.create_text_channel("hall")
    assert "Cellar Steps" in text((await ada.slash(hall, "table show")).response)


async def test_what_changes_a_table_says_which(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "dungeon solo")
    await ada.slash(server.channel, "play defenders")
    for verb, said in (("pause", "Table 1 is paused."), ("resume", "Table 1 goes on.")):
        assert text((await ada.slash(server.channel, f"table {verb}")).response).startswith(said)


async def test_what_changes_a_table_is_never_guessed_by_whom_it_waits_for(server: Server) -> None:
    ada = server.person("Ada")
    await server.open("Ada", "Ben")
    letters = "".join((await server.bot.service.view(1, 0)).rack[:2])
    await ada.slash(server.channel, "defenders contribute", letters=letters)
    await ada.slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    hall = server.channel.guild.create_text_channel("hall")
    assert "Cellar Steps" in text((await ada.slash(hall, "table hand")).response)
    for verb in ("pause", "undo", "leave", "end"):
        refused = text((await ada.slash(hall, f"table {verb}")).response)
        place = f"<#{server.channel.id}>"
        assert refused.startswith(
            "You sit at several tables: 2 (Cellar Steps, you alone),"
            f" 1 (Defenders of the Dictionary, with Ben, {place})."
        )


async def test_a_table_is_offered_with_what_tells_it_from_others_and_found_by_any_of_it(
    server: Server,
) -> None:
    ada = server.person("Ada")
    hall = server.channel.guild.create_text_channel("hall")
    await server.open("Ada", "Ben")
    await ada.slash(hall, "play dungeon", dungeon="cellar-steps", mode="party")
    await ada.slash(hall, "dungeon solo", dungeon="cellar-steps")
    offered = [
        "3: Cellar Steps · you alone",
        "2: Cellar Steps, party · you alone · lobby · #hall",
        "1: Defenders of the Dictionary · with Ben · #games",
    ]

    async def found(typed: str) -> list[str]:
        choices = await ada.autocomplete(server.channel, "table hand", "table", typed)
        return [choice["name"] for choice in choices]

    assert await found("") == offered
    for typed, meant in (
        ("cellar", offered[:2]),
        ("BEN", offered[2:]),
        ("#hall", offered[1:2]),
        ("3", offered[:1]),
    ):
        assert await found(typed) == meant


async def test_the_log_says_once_how_to_name_a_table(server: Server) -> None:
    for _ in range(2):
        await server.person("Ada").slash(server.channel, "play defenders")
    said = text((await server.person("Ada").slash(server.channel, "table log")).response)
    assert said.count("option *table*") == 1
    assert said.endswith("The log of a finished one is behind *Log* on its board.")


async def test_only_the_log_speaks_of_the_log_of_a_finished_game(server: Server) -> None:
    ada = server.person("Ada")
    for verb in ("show", "log"):
        said = text((await ada.slash(server.channel, f"table {verb}")).response)
        assert said.startswith(
            "You sit at no table. Open one with `/play defenders` or `/play dungeon`, or join one."
        )
        assert ("The log of a finished one" in said) == (verb == "log")


async def test_a_limit_tells_which_tables_are_ones_own(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = server.person("Ada")
    service = server.bot.service
    await ada.slash(server.channel, "play defenders")
    await ada.slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    mine = "1 (Defenders of the Dictionary, you alone, lobby)"
    monkeypatch.setattr(service, "_tables_a_guild", 1)
    full = "This server already has 1 table. End one first."
    assert text((await ada.slash(server.channel, "play dungeon")).response) == f"{full} You sit at {mine}."
    assert text((await server.person("Ben").slash(server.channel, "play dungeon")).response) == full
    monkeypatch.setattr(service, "_tables_a_user", 2)
    refused = text((await ada.slash(server.channel, "dungeon solo", dungeon="bakery-cellar")).response)
    assert refused == (
        f"You already sit at 2 tables. Leave one first. You sit at 2 (Cellar Steps, you alone), {mine}."
    )


# A private copy of the lobby


async def copy_of_lobby(server: Server, *names: str, game: str = "play defenders") -> list[Any]:
    """Let the first of these people open a lobby; returns the private copy of it that each has asked for."""
    await server.person(names[0]).slash(server.channel, game)
    return [(await server.person(name).slash(server.channel, "table show")).response for name in names]


async def test_a_private_copy_of_a_lobby_is_as_good_as_the_lobby(server: Server) -> None:
    ada, ben = server.person("Ada"), server.person("Ben")
    mine, his = await copy_of_lobby(server, "Ada", "Ben")
    assert (text(mine), labels(mine)) == (text(server.board()), labels(server.board()))
    his = (await ben.click(his, label="Join")).response
    assert "2. Ben" in text(his)
    mine = (await ada.select(mine, ["0"], custom_id=custom_id(mine, "automaton"))).response
    assert "3. Automaton 1" in text(mine)
    mine = (await ada.click(mine, label="Take an automaton away")).response
    assert "3." not in text(mine)
    options = (await ada.click(mine, label="Options")).response
    assert options.ephemeral
    assert options.id != mine.id
    begun = (await ben.click(his, label="Start")).response
    assert "contribute" in text(begun).casefold()
    assert {message.id for message in server.whispered("Ben")} == {his.id}


async def test_what_is_private_about_a_lobby_ends_with_it(server: Server) -> None:
    ada, eve = server.person("Ada"), server.person("Eve")
    mine, hers = await copy_of_lobby(server, "Ada", "Eve")
    options = (await ada.click(server.board(), label="Options")).response
    await server.person("Ben").click(server.board(), label="Join")
    await ada.click(server.board(), label="Start")
    goal = next(
        part["custom_id"] for part in parts(options) if str(part.get("custom_id")).endswith("set:goal")
    )
    told = (await ada.select(options, ["intermediate/3"], custom_id=goal)).response
    assert told.id == options.id
    assert "The game has begun." in text(told)
    assert "set" not in {
        str(part.get("custom_id")).split(":")[3:4][0] for part in parts(told) if "custom_id" in part
    }
    for person, panel, begun in ((ada, mine, True), (eve, hers, False)):
        told = (await person.click(panel, label="Join" if person is eve else "Start")).response
        assert told.id == panel.id
        assert "The game has begun." in text(told)
        assert (":give:" in str(parts(told))) == begun  # who sits there goes on with the hand


async def test_a_choice_that_does_not_fit_is_refused_in_the_menus(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play dungeon")
    await server.person("Ben").click(server.board(), label="Join")
    options = (await ada.click(server.board(), label="Options")).response
    mode = next(
        part["custom_id"] for part in parts(options) if str(part.get("custom_id")).endswith("set:mode")
    )
    told = (await ada.select(options, ["solo"], custom_id=mode)).response
    assert told.id == options.id
    assert "at most 1 seat" in text(told)
    assert mode in {part.get("custom_id") for part in parts(told)}


# A refusal lands on the private panel that was pressed


async def test_a_refusal_stands_on_the_hand_that_was_pressed(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    hand = (await ada.slash(server.channel, "table hand")).response
    for _ in range(2):
        told = (await ada.click(hand, custom_id=custom_id(hand, "hint"))).response
    assert told.id == hand.id
    assert "**Not done.** Hints take me a while. Ask again in" in text(told)
    assert labels(told) == labels((await ada.slash(server.channel, "table hand")).response)


async def test_a_press_that_comes_after_the_end_shows_that_it_is_over(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    hand = (await ada.slash(server.channel, "table hand")).response
    await server.bot.service.end(1)
    told = (await ada.click(hand, custom_id=custom_id(hand, "hint"))).response
    assert told.id == hand.id
    assert "The table was closed" in text(told)
    assert labels(told) == []


async def test_what_was_typed_for_a_table_that_is_over_is_not_offered_again(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "dungeon solo", dungeon="cellar-steps")
    hand = (await ada.slash(server.channel, "table hand")).response
    form = await ada.click(hand, label="Place a word")
    await server.bot.service.end(1)
    told = (await ada.submit_modal(form, {"word": "ZZZ", "place": "A1 down"})).response
    assert "Edit" not in labels(told)
    assert "The table was closed" in text(told)


# The rules

TITLES = ["Defenders of the Dictionary", "Word Dungeon"]


async def test_the_rules_of_every_game_can_be_read_before_there_is_a_table(server: Server) -> None:
    eve = server.person("Eve")
    games = (await eve.slash(server.channel, "table rules")).response
    assert games.ephemeral
    assert labels(games) == [*TITLES, "How to begin"]
    for title, face in zip(TITLES, server.bot.router.faces.values(), strict=True):
        page = (await eve.click(games, label=title)).response
        for number, (heading, body) in enumerate(face.rules()):
            assert text(page).startswith(f"\n### {heading}\n{body[:40]}")
            assert ("Next page" in labels(page)) == (number + 1 < len(face.rules()))
            if "Next page" in labels(page):
                page = (await eve.click(page, label="Next page")).response
        games = (await eve.click(page, label="Back")).response
        assert labels(games) == [*TITLES, "How to begin"]
    assert "Play Defenders" in labels((await eve.click(games, label="How to begin")).response)
    assert len(server.whispered("Eve")) == 1  # one message turned all the way


async def test_who_sits_at_tables_of_several_games_may_read_the_rules_of_each(server: Server) -> None:
    ada = server.person("Ada")
    for game in ("play defenders", "play dungeon"):
        await ada.slash(server.channel, game)
    assert labels((await ada.slash(server.channel, "table rules")).response)[:2] == TITLES
    own = (await ada.slash(server.channel, "table rules", table=2)).response
    assert server.bot.router.faces["dungeon"].rules()[0][0] in text(own)
    refused = (await ada.slash(server.channel, "table rules", table=3)).response
    assert "You do not sit at table 3" in text(refused)


async def test_from_a_page_of_the_rules_one_turns_to_the_next_and_to_any(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    eve = server.person("Eve")
    rules = server.bot.router.faces["defenders"].rules()
    page = (await eve.click(server.board(), label="Rules")).response
    assert labels(page) == ["Next page"]  # nobody came from anywhere that could be shown again
    page = (await eve.click(page, label="Next page")).response
    assert f"### {rules[1][0]}" in text(page)
    (menu,) = [part for part in parts(page) if part["type"] == 3]
    assert menu["placeholder"] == f"Page 2 of {len(rules)}. Go to another"
    assert [choice["label"] for choice in menu["options"]] == [heading for heading, _ in rules]
    page = (await eve.select(page, [str(len(rules) - 1)], custom_id=menu["custom_id"])).response
    assert f"### {rules[-1][0]}" in text(page)
    assert labels(page) == []


async def test_back_from_the_rules_leads_to_where_one_came_from(server: Server) -> None:
    ada = server.person("Ada")
    await server.open("Ada", "Ben")
    more = (await ada.click(server.board(), label="More")).response
    page = (await ada.click(more, label="Rules")).response
    page = (await ada.click(page, label="Next page")).response
    assert "Pause" in labels((await ada.click(page, label="Back")).response)


def test_a_source_is_carried_from_page_to_page() -> None:
    face = Mock(rules=lambda: (("One", "1"), ("Two", "2"), ("Three", "3")))
    assert turned("sheet", ()) == (0, "sheet")
    for source in ("", "sheet"):
        panel = rules_page(face, 0, source, Button("Back", source) if source else None)
        menu, buttons = panel.rows
        assert isinstance(menu, Menu)
        assert not isinstance(buttons, Menu | Channels)
        assert turned(menu.arg, ("2",)) == (2, source)
        assert turned(buttons[-1].arg, ()) == (1, source)
        assert [button.verb for button in buttons] == [*([source] if source else []), "rules"]
    for page in (-1, 3):
        assert rules_page(face, page).title == "One"


# What cannot be read


async def damage(server: Server, *statements: str) -> None:
    for statement in statements:
        await server.bot.store._write(lambda db, sql=statement: db.execute(sql))


async def wait_for_silence(server: Server) -> None:
    """Let Ada pass where Ben need not answer: the next move is the clock's, and it is due in a minute.

    An automaton would move within seconds of a start: simcord gives a start little more than one, and really waits
    for whatever is due within it.
    """
    await server.open("Ada", "Ben")
    for seat, name in enumerate(("Ada", "Ben")):
        letters = "".join((await server.bot.service.view(1, seat)).rack[:2])
        await server.person(name).slash(server.channel, "defenders contribute", letters=letters)
    await server.person("Ada").slash(server.channel, "defenders pass")
    assert (await server.bot.service.table(1)).seq == 3


async def end_silence(server: Server) -> None:
    """Let a minute pass, in steps that leave what is due at its end far from the end of each."""
    for seconds in (50, 20):
        await server.env.advance_time(seconds)


async def test_a_bad_line_of_the_log_hides_no_board(server: Server) -> None:
    await server.open("Ada", "Ben")
    letters = "".join((await server.bot.service.view(1, 0)).rack[:2])
    await server.person("Ada").slash(server.channel, "defenders contribute", letters=letters)
    assert (await server.bot.service.table(1)).seq == 1
    await damage(server, "UPDATE moves SET events = '{'")
    shown = (await server.person("Ada").slash(server.channel, "table show")).response
    assert "Table 1." in text(shown)


async def test_a_table_that_was_ended_is_shown_as_ended(server: Server) -> None:
    await server.open("Ada", "Ben")
    for name in ("Ada", "Ben"):
        asked = (await server.person(name).slash(server.channel, "table end")).response
        await server.person(name).click(asked, label="End the table")
    board = server.board()
    shown = (await server.person("Ada").slash(server.channel, "table show", table=1)).response
    assert "The players ended the table. That counts as a defeat." in text(shown)
    assert "Waiting" not in text(shown)
    assert (text(shown), labels(shown)) == (text(board), labels(board))
    hand = (await server.person("Ada").slash(server.channel, "table hand", table=1)).response
    assert "Waiting" not in text(hand)


async def test_damaged_rows_keep_no_other_table_from_going_on(server: Server) -> None:
    await wait_for_silence(server)
    await damage(
        server,
        f"INSERT INTO facts VALUES ('{OUTAGES}', '[1')",
        "UPDATE heartbeat SET at = 'abc'",
    )
    with structlog.testing.capture_logs() as log:
        await server.restart()
    events = [line["event"] for line in log]
    assert "ready" in events
    assert {"outages_damaged", "heartbeat_damaged"} <= set(events)
    await server.person("Ada").slash(server.channel, "table pause")
    answer = (await server.person("Ben").slash(server.channel, "table resume")).response
    assert text(answer) == "Table 1 goes on."
    await end_silence(server)
    assert (await server.bot.service.table(1)).seq == 4
    assert isinstance(await server.bot.store.last_beat(), int)


async def test_a_step_of_the_start_that_fails_is_reported_and_the_next_are_done(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*given: object) -> None:
        raise ValueError("damaged")

    monkeypatch.setattr("bot.tables.servers.Presence.compare", fails)
    monkeypatch.setattr("bot.tables.clock.Clock.recover", fails)
    await wait_for_silence(server)
    with structlog.testing.capture_logs() as log:
        await server.restart()
    failed = {line["step"]: line["code"] for line in log if line["event"] == "step_failed"}
    assert failed.keys() == {"servers", "recover"}
    for code in failed.values():
        assert "damaged" in (server.bot.settings.reports / f"{code}.txt").read_text("utf-8")
    assert any(line["event"] == "ready" for line in log)
    await end_silence(server)
    assert (await server.bot.service.table(1)).seq == 4  # the clock runs
