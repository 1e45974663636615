"""Defenders on Discord: every button and command, and who sees what."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import discord
import msgspec
import pytest

from bot.games.defenders.placement import changed_words
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import (
    Attested,
    Collected,
    Concede,
    Ended,
    Laid,
    NoWord,
    Options,
    Passed,
    Poi,
    Proposal,
    Propose,
    Recast,
    Revealed,
    RoundBegan,
    State,
    Tile,
    VillainLost,
)
from bot.games.game import Words
from bot.games.log import opening, parsed, replayed
from bot.tables.face import STANDS_IN, Panel, Shown
from bot.tables.router import Pressed
from bot.words.lexicon import Lexicon
from cogs.defenders import DefendersFace, alts
from cogs.defenders.panels import spelled_out, vouching
from cogs.defenders.pictures import board
from cogs.defenders.places import nowhere, places, unpacked
from cogs.defenders.texts import interests, matter_text, of_the_present, proposal_text, say
from tests.cogs.conftest import WORDS, Server, alt, custom_id, labels, parts, text
from tests.games.defenders.tables import at_word, dealt


async def state(server: Server, table: int = 1) -> State:
    row = await server.bot.service._row(table)
    found: State = await server.bot.service._state(row)
    return found


async def contribute(server: Server, name: str, seat: int, count: int = 1) -> None:
    """Contribute the first tiles of a rack with the buttons or the menu of the hand."""
    rack = (await state(server)).racks[seat]
    person = server.person(name)
    hand = (await person.click(server.board(), label="My rack")).response
    if count == 1:
        await person.click(hand, custom_id=custom_id(hand, "give"))
    else:
        values = [f"{index}{letter}" for index, letter in enumerate(rack[:count])]
        await person.select(hand, values, custom_id=custom_id(hand, "give"))


async def with_commons(
    server: Server, letters: str, *, laid: tuple[Laid, ...] = (), table: int = 1, **changes: Any
) -> None:
    """Put known letters on the Commons Board in phase *word*, as if they had been contributed."""
    service = server.bot.service
    row = await service._row(table)
    before = await state(server, table)
    public = msgspec.structs.replace(
        before.public,
        contributed=tuple(Tile(letter, 0) for letter in letters),
        villain=None,
        laid=laid,
        **changes,
    )
    service._remember(table, row.seq, msgspec.structs.replace(before, public=public))


async def started(server: Server, *names: str, **options: Any) -> Any:
    return await server.open(*names, **options)


async def in_word_phase(server: Server, letters: str = "CAD", **options: Any) -> Any:
    """Begin a table of Ada and Ben, contribute, and lay ``letters`` on the Commons Board."""
    await started(server, "Ada", "Ben", **options)
    await contribute(server, "Ada", 0, 2)
    await contribute(server, "Ben", 1, 2)
    await with_commons(server, letters)
    return server.board()


def start(view: Any) -> str:
    row, col = view.public.city.start
    return f"{chr(65 + col)}{row + 1}"


async def test_the_start_sends_each_hand_to_its_owner_alone(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    racks = (await state(server)).racks
    for seat, name in enumerate(("Ada", "Ben", "Cleo")):
        said = alt(server.hand(name))
        assert all(("wildcard" if letter == "*" else letter) in said for letter in racks[seat])
    public = [message for message in server.said() if not message.ephemeral]
    assert all("rack" not in alt(message) for message in public if message.attachments)


async def test_a_contribution_stays_secret_until_all_are_in(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    before = text(server.board())
    await contribute(server, "Ada", 0)
    assert "Waiting for Ben and Cleo" in text(server.board())
    assert "Contributed: Ada" not in text(server.board())
    assert "Waiting for Ada" in before
    await contribute(server, "Ben", 1)
    await contribute(server, "Cleo", 2)
    assert "Contributed: Ada" in text(server.board())


async def test_a_second_contribution_is_refused_in_private(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    hand = server.hand("Ada")
    ada = server.person("Ada")
    await ada.user.click(hand, custom_id=custom_id(hand, "give"))
    before = await state(server)
    answer = await ada.slash(server.channel, "defenders contribute", letters=before.racks[0][0])
    assert answer.ephemeral
    assert await state(server) == before


async def test_a_click_of_an_older_epoch_gets_a_fresh_panel(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    ada = server.person("Ada")
    panel = (await ada.click(server.board(), label="My rack")).response
    await contribute(server, "Ada", 0)
    await ada.click(panel, custom_id=custom_id(panel, "give"))
    assert any("moved on" in text(message) for message in server.whispered("Ada"))


async def test_a_click_that_others_moves_did_not_outdate_counts(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    ada = server.person("Ada")
    panel = (await ada.click(server.board(), label="My rack")).response
    await contribute(server, "Ben", 1)
    await ada.click(panel, custom_id=custom_id(panel, "give"))
    assert (await state(server)).sealed[0] is not None


async def test_a_stranger_sees_no_hand_and_makes_no_move(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    answer = await server.person("Eve").click(server.board(), label="My rack")
    assert answer.ephemeral
    assert "do not sit" in text(answer.response)
    refused = await server.person("Eve").slash(server.channel, "defenders contribute", letters="A")
    assert "You sit at no table of Defenders of the Dictionary." in text(refused.response)


async def test_a_word_is_shown_before_it_is_proposed_and_needs_the_others(server: Server) -> None:
    await in_word_phase(server)
    ada, ben = server.person("Ada"), server.person("Ben")
    where = start(await server.bot.service.view(1, None))
    preview = (
        await ada.slash(server.channel, "defenders word", word="cad", place=f"{where} across")
    ).response
    assert preview.ephemeral
    assert "**CAD**" in text(preview)
    assert "6 Vocabulary Points" in text(preview)
    assert not (await state(server)).public.laid
    await ada.click(preview, label="Propose")
    assert "Still to agree: Ben" in text(server.board())
    await ben.click(server.board(), label="Agree")
    found = await state(server)
    assert "".join(laid.letter for laid in found.public.laid) == "CAD"
    assert found.public.vp == 6
    assert "**CAD** is placed. 6 Vocabulary Points." in text(server.board())


async def test_a_word_without_a_place_offers_the_places_that_fit(server: Server) -> None:
    await in_word_phase(server)
    ada = server.person("Ada")
    form = await ada.click(server.board(), label="Place a word")
    assert form.modal["title"] == "Place a word"
    offered = (await ada.submit_modal(form, {"word": "CAD", "place": ""})).response
    menu = custom_id(offered, "spot")
    choice = next(part for part in offered.components[0]["components"] if part["type"] == 1)["components"][0][
        "options"
    ][0]
    preview = (await ada.select(offered, [choice["value"]], custom_id=menu)).response
    shown = text(preview or server.whispered("Ada")[-1])
    assert "Propose this word?" in shown


async def test_a_refused_word_keeps_what_was_typed_behind_an_edit_button(server: Server) -> None:
    await in_word_phase(server)
    ada = server.person("Ada")
    form = await ada.click(server.board(), label="Place a word")
    refused = (await ada.submit_modal(form, {"word": "STREAM", "place": "A1 across"})).response
    assert refused.ephemeral
    assert "STREAM" in text(refused)
    again = await ada.click(refused, label="Edit")
    values = [part["component"]["value"] for part in again.modal["components"]]
    assert values == ["STREAM", "A1 across"]


async def test_a_form_submitted_after_a_restart_is_heard(server: Server) -> None:
    await in_word_phase(server, "CAD")
    ada = server.person("Ada")
    form = await ada.click(server.board(), label="Place a word")
    await server.restart()
    answer = await ada.submit_modal(form, {"word": "QQ", "place": ""})
    assert "QQ" in text(answer.response)


async def test_a_hand_after_a_restart_is_live(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    await server.restart()
    hand = server.hand("Ada")
    await server.person("Ada").user.click(hand, custom_id=custom_id(hand, "give"))
    assert (await state(server)).sealed[0] is not None


async def test_closed_private_messages_are_told_once_and_stop_no_move(server: Server) -> None:
    server.person("Ada")
    server.bot.router.hands.rest = 60.0  # s; nobody tries again while the test lasts
    server.env.inject_error(
        "POST", "/users/@me/channels", status=403, code=50007, message="Cannot send messages to this user"
    )
    await started(server, "Ada", "Ben", "Cleo")
    ada = server.person("Ada")
    first = await ada.click(server.board(), label="My rack")
    told = [text(message) for message in (first.response, *first.followups)]
    second = await ada.click(server.board(), label="My rack")
    told_again = [text(message) for message in (second.response, *second.followups)]
    assert sum("cannot send you private messages" in said for said in told) == 1
    assert not any("cannot send you private messages" in said for said in told_again)
    await contribute(server, "Ada", 0)
    assert (await state(server)).sealed[0] is not None


async def test_an_objection_keeps_a_word_off_the_map(server: Server) -> None:
    await in_word_phase(server)
    ada, ben = server.person("Ada"), server.person("Ben")
    await ada.slash(server.channel, "defenders pass")
    await ben.click(server.board(), label="Object")
    assert "Ben objects" in text(server.board())
    await server.env.advance_time(150)
    assert (await state(server)).public.phase == "word"
    await ben.click(server.board(), label="Agree")
    assert (await state(server)).public.round == 2


async def test_silence_is_consent_when_patience_runs_out(server: Server) -> None:
    await in_word_phase(server)
    await server.person("Ada").slash(server.channel, "defenders pass")
    await server.env.advance_time(61)
    assert (await state(server)).public.round == 2
    assert "said nothing in time" in text(server.board())


async def test_places_are_offered_by_geometry_and_letters_alone(server: Server) -> None:
    await in_word_phase(server, "XQZ")
    offers = await server.person("Ada").autocomplete(
        server.channel, "defenders word", "place", "", word="XQZ"
    )
    assert offers
    assert all("across" in offer["value"] or "down" in offer["value"] for offer in offers)


async def test_the_dictionary_answers_once_and_everyone_hears_it(server: Server) -> None:
    await in_word_phase(server, referee="printed")
    ada = server.person("Ada")
    await ada.slash(server.channel, "defenders consult", word="CAD")
    assert "CAD is in the dictionary" in text(server.board())
    again = await ada.slash(server.channel, "defenders consult", word="TEA")
    assert again.ephemeral
    assert "TEA" not in text(server.board())


async def test_a_hint_is_the_consultation_of_a_printed_table(server: Server) -> None:
    await in_word_phase(server, "CADTEA", referee="printed")
    await server.person("Ada").slash(server.channel, "defenders hint")
    assert "asked for a hint" in text(server.board())
    refused = await server.person("Ben").slash(server.channel, "defenders consult", word="CAD")
    assert refused.ephemeral


async def test_automata_play_along(server: Server) -> None:
    await started(server, "Ada", automata=2)
    for _ in range(5):
        await server.env.advance_time(2)
    sealed = (await state(server)).sealed
    assert sealed[0] is None
    assert sealed[1] is not None
    assert sealed[2] is not None


async def test_who_leaves_is_played_by_an_automaton_and_may_come_back(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    cleo = server.person("Cleo")
    await server.env.advance_time(2)  # so that the automaton plays at once
    asked = (await cleo.slash(server.channel, "table leave")).response
    assert (await server.bot.service.table(1)).seats[2].person
    await cleo.click(asked, label="Leave")
    assert not (await server.bot.service.table(1)).seats[2].person
    assert "An automaton plays for Cleo" in text(server.board())
    refused = await cleo.slash(server.channel, "defenders contribute", letters="A")
    assert "automaton" in text(refused.response)
    await cleo.slash(server.channel, "table return")
    assert (await server.bot.service.table(1)).seats[2].person


async def test_conceding_needs_a_second_click_and_everyone(server: Server) -> None:
    await started(server, "Ada", "Ben")
    ada, ben = server.person("Ada"), server.person("Ben")
    sure = (await ada.slash(server.channel, "defenders concede")).response
    await ada.click(sure, label="Propose to admit defeat")
    await ben.click(server.board(), label="Agree")
    assert "Failure" in text(server.board())
    assert labels(server.board()) == ["Rematch", "Log"]


async def test_the_table_ends_when_everyone_wants_it(server: Server) -> None:
    await started(server, "Ada", "Ben")
    for name in ("Ada", "Ben"):
        asked = await server.person(name).slash(server.channel, "table end")
        assert "counts as a defeat" in text(asked.response)
        await server.person(name).click(asked.response, label="End the table")
    assert any(
        "Everyone agrees" in text(message) or "Agreed: Ada." in text(message) for message in server.said()
    )
    assert "The players ended the table" in text(server.hand("Ada"))
    assert "counts as a defeat" in text(server.board())
    assert labels(server.board()) == ["Rematch", "Log"]
    ended = await server.bot.service.table(1)
    assert ended.result is not None
    assert ended.result.won is False


async def test_a_moderator_closes_a_table_without_a_record(server: Server) -> None:
    await started(server, "Ada", "Ben")
    guild = server.channel.guild
    role = guild.create_role("moderators", permissions=discord.Permissions(manage_guild=True))
    moderator = guild.add_member(server.env.create_user("Mod"), roles=[role])
    asked = await moderator.slash(server.channel, "table end")
    refused = await server.person("Eve").slash(server.channel, "table end", table=1)
    assert "You do not sit at table 1." in text(refused.response)
    await moderator.click(asked.response, label="Close it as a moderator")
    assert "nothing is recorded" in text(server.board())
    assert (await server.bot.service.table(1)).result is None


async def test_a_deleted_board_is_posted_anew(server: Server) -> None:
    await started(server, "Ada", "Ben", "Cleo")
    board = server.board()
    await server.env.bot.get_partial_messageable(server.channel.id).get_partial_message(board.id).delete()
    await contribute_by_hand(server, "Ada")
    assert server.board().id != board.id
    assert "Waiting for Ben and Cleo" in text(server.board())


async def contribute_by_hand(server: Server, name: str) -> None:
    hand = server.hand(name)
    await server.person(name).user.click(hand, custom_id=custom_id(hand, "give"))


async def test_an_unforeseen_error_answers_with_a_code_and_leaves_a_log_that_replays(server: Server) -> None:
    await started(server, "Ada", "Ben")

    async def broken(press: Any) -> None:
        raise RuntimeError("a fault of ours")

    server.bot.router.faces["defenders"].press = broken  # type: ignore[method-assign]
    answer = await server.person("Ada").click(server.board(), label="My rack")
    assert answer.ephemeral
    code = text(answer.response).split("(code ")[1][:8]
    report = server.bot.settings.reports / f"{code}.json"
    log = parsed(report.read_bytes())
    assert list(replayed(DEFENDERS, log, Lexicon.of(WORDS))) == []
    assert opening(DEFENDERS, log, Lexicon.of(WORDS)) == await state(server)
    assert (
        (server.bot.settings.reports / f"{code}.txt").read_text("utf-8").strip().endswith("a fault of ours")
    )


async def test_the_discard_is_chosen_among_the_tied_letters(server: Server) -> None:
    await in_word_phase(server, "ADEINORST")
    ada, ben = server.person("Ada"), server.person("Ben")
    await ada.slash(server.channel, "defenders pass")
    await ben.click(server.board(), label="Agree")
    assert (await state(server)).public.phase == "discard"
    asked = (await ada.click(server.board(), label="Choose the discard")).response
    menu = next(part for part in parts(asked) if part["type"] == 3)
    values = [option["value"] for option in menu["options"]]
    assert menu["min_values"] == menu["max_values"] == 2
    assert len(values) == 8  # D is worth 2 and goes by itself
    await ada.select(asked, values[:2], custom_id=menu["custom_id"])
    await ben.click(server.board(), label="Agree")
    assert len((await state(server)).public.storage) == 6


async def test_a_letter_that_the_villain_has_is_missing_only_a_second_time(server: Server) -> None:
    await in_word_phase(server, "OOA")
    service = server.bot.service
    before = await state(server)
    public = msgspec.structs.replace(before.public, villain="Z")
    service._remember(1, (await service._row(1)).seq, msgspec.structs.replace(before, public=public))
    answer = await server.person("Ada").slash(server.channel, "defenders word", word="ZOOZ")
    assert "ZOOZ needs another Z, which is neither on the table nor on the map." in text(answer.response)


async def test_a_table_can_have_a_thread_of_its_own(server: Server) -> None:
    answer = await server.person("Ada").slash(server.channel, "play defenders", thread=True)
    assert answer.ephemeral
    table = await server.bot.service.table(1)
    assert table.thread is not None
    assert "1. Ada" in text(server._in(table.thread)[-1])


async def test_the_rules_are_read_by_pages_by_anybody(server: Server) -> None:
    await started(server, "Ada", "Ben")
    panel = (await server.person("Ada").slash(server.channel, "table rules")).response
    menu = next(part for part in parts(panel) if part["type"] == 3)
    await server.person("Ada").select(panel, ["3"], custom_id=menu["custom_id"])
    assert "Points of interest" in text(server.whispered("Ada")[-1])


async def test_a_guarded_table_refuses_an_unknown_word_before_it_is_proposed(server: Server) -> None:
    await in_word_phase(server, "QZ", referee="guarded")
    where = start(await server.bot.service.view(1, None))
    answer = await server.person("Ada").slash(server.channel, "defenders word", word="QZ", place=where)
    shown = answer.response
    if "Where does" in text(shown):
        menu = next(part for part in parts(shown) if part["type"] == 3)
        await server.person("Ada").select(shown, [menu["options"][0]["value"]], custom_id=menu["custom_id"])
    said = [text(message) for message in server.whispered("Ada")]
    assert any("QZ is not in the dictionary" in line for line in said)
    assert (await state(server)).public.proposal is None


async def test_a_place_is_understood_in_either_order_and_with_a_slip(server: Server) -> None:
    await in_word_phase(server)
    where = start(await server.bot.service.view(1, None))
    for place in (f"across {where}", f"{where.lower()} accross", f"{where}, across"):
        shown = await server.person("Ada").slash(server.channel, "defenders word", word="CAD", place=place)
        assert f"at {where} across" in text(shown.response)


async def test_hints_come_one_in_a_few_seconds_to_each_player(server: Server) -> None:
    await in_word_phase(server, "CADTEA", referee="guarded")
    ada, ben = server.person("Ada"), server.person("Ben")
    await ada.slash(server.channel, "defenders hint")
    hints = (await state(server)).public.hints
    refused = (await ada.slash(server.channel, "defenders hint")).response
    assert "Ask again in" in text(refused)
    assert (await state(server)).public.hints == hints
    await ben.slash(server.channel, "defenders hint")
    assert (await state(server)).public.hints == hints + 1
    await server.env.advance_time(6)
    await ada.slash(server.channel, "defenders hint")
    assert (await state(server)).public.hints == hints + 2


async def test_a_hand_says_of_which_table_it_is(server: Server) -> None:
    await started(server, "Ada", "Ben")
    shown = (await server.person("Ada").click(server.board(), label="My rack")).response
    assert f"Table 1 in {server.channel.mention}" in text(shown)
    assert f"Table 1 in {server.channel.mention}" in text(server.hand("Ada"))


async def test_no_word_asks_before_it_replaces_what_another_proposed(server: Server) -> None:
    await in_word_phase(server)
    ada, ben = server.person("Ada"), server.person("Ben")
    where = start(await server.bot.service.view(1, None))
    preview = await ada.slash(server.channel, "defenders word", word="cad", place=f"{where} across")
    await ada.click(preview.response, label="Propose")
    asked = (await ben.click(server.board(), label="No word")).response
    assert "Ada proposes **CAD**" in text(asked)
    assert (await state(server)).public.proposal.seat == 0  # type: ignore[union-attr]
    await ben.click(asked, label="Propose no word")
    assert (await state(server)).public.proposal.seat == 1  # type: ignore[union-attr]


async def test_the_example_of_a_place_is_one_on_the_map(server: Server) -> None:
    await in_word_phase(server)
    where = start(await server.bot.service.view(1, None))
    form = await server.person("Ada").click(server.board(), label="Place a word")
    place = form.modal["components"][-1]["component"]
    assert place["placeholder"] == f"{where} across"


async def test_a_word_that_the_server_barred_is_refused_at_a_guarded_table(server: Server) -> None:
    await server.bot.servers.change(server.channel.guild.id, barred=("CAD",), added=("QZ",))
    await in_word_phase(server, "CADQZ", referee="guarded")
    where = start(await server.bot.service.view(1, None))
    for word, refused in (("CAD", True), ("QZ", False)):
        await server.person("Ada").slash(server.channel, "defenders word", word=word, place=f"{where} across")
        said = text(server.whispered("Ada")[-1])
        assert (f"{word} is not in the dictionary" in said) == refused
        assert ("Propose this word?" in said) != refused


async def test_players_may_look_words_up_where_the_referee_does_so_at_once(server: Server) -> None:
    face = server.bot.router.faces["defenders"]
    assert face.looking_up(Options(referee="guarded"))
    assert not face.looking_up(Options(referee="printed"))


async def test_no_message_with_a_hand_goes_out_where_the_server_wants_none(server: Server) -> None:
    await server.bot.servers.change(server.channel.guild.id, hands="button")
    await started(server, "Ada", "Ben")
    assert not server.env.backend.messages.get(server.person("Ada").user.dm_channel.id)
    hand = (await server.person("Ada").click(server.board(), label="My rack")).response
    assert "Your rack" in text(hand)


async def test_the_groups_of_commands_fit_discord_and_speak_in_sentence_case(server: Server) -> None:
    for group in server.bot.tree.get_commands():
        if isinstance(group, discord.app_commands.Group):
            assert len(group.commands) <= 25
    for command in server.bot.tree.walk_commands():
        assert command.description[0].isupper()
        assert not command.description.endswith(".")


async def proposed(server: Server, name: str, word: str, *, across: bool = True) -> None:
    """Propose a word at the start by command."""
    where = start(await server.bot.service.view(1, None))
    way = "across" if across else "down"
    shown = await server.person(name).slash(
        server.channel, "defenders word", word=word, place=f"{where} {way}"
    )
    await server.person(name).click(shown.response, label="Propose")


async def test_a_board_says_nothing_of_who_objected_to_what_was_replaced(server: Server) -> None:
    await in_word_phase(server)
    ada, ben = server.person("Ada"), server.person("Ben")
    await ada.slash(server.channel, "defenders ideas")
    await proposed(server, "Ada", "CAD")
    await ben.click(server.board(), label="Object")
    assert "Ben objects, so it cannot pass" in text(server.board())
    await proposed(server, "Ben", "CAD", across=False)
    assert "objects" not in text(server.board())
    await ada.click(server.board(), label="Agree")
    assert "**CAD** is placed" in text(server.board())
    assert "objects" not in text(server.board())
    assert "asks the team for ideas" not in text(server.board())


async def test_a_proposal_taken_back_is_told_until_there_is_another(server: Server) -> None:
    await in_word_phase(server)
    await proposed(server, "Ada", "CAD")
    await server.person("Ada").slash(server.channel, "defenders withdraw")
    assert "Ada takes the proposal back." in text(server.board())
    await server.person("Ben").slash(server.channel, "defenders pass")
    assert "takes the proposal back" not in text(server.board())


async def test_who_plays_alone_is_told_what_no_word_costs_before_it_is_settled(server: Server) -> None:
    await started(server, "Ada")
    await contribute(server, "Ada", 0, 2)
    await with_commons(server, "CADBEEFHV", vp=20)
    ada = server.person("Ada")
    for asked in (
        await ada.click(server.board(), label="No word"),
        await ada.slash(server.channel, "defenders pass"),
    ):
        assert "Storage would have no room for 3 letters, which would cost 12" in text(asked.response)
        assert (await state(server)).public.round == 1
    await ada.click(asked.response, label="No word")
    assert (await state(server)).public.round == 2


async def test_ideas_ask_before_one_takes_the_place_of_what_a_person_proposed(server: Server) -> None:
    await started(server, "Ada", "Ben", automata=1)
    await contribute(server, "Ada", 0)
    await contribute(server, "Ben", 1)
    await server.env.advance_time(2)
    await with_commons(server, "CAD")
    ada = server.person("Ada")
    await proposed(server, "Ben", "CAD")
    asked = (await ada.click(server.board(), label="Ideas, please")).response
    assert "Ben proposes **CAD**" in text(asked)
    assert "An automaton’s idea would take its place." in text(asked)
    assert not (await state(server)).public.ideas
    await ada.click(asked, label="Ask for ideas")
    assert "The team is thinking." in text(server.whispered("Ada")[-1])


async def test_there_are_no_ideas_to_ask_for_where_no_automaton_plays(server: Server) -> None:
    await in_word_phase(server)
    assert "Ideas, please" not in labels(server.board())
    answer = await server.person("Ada").slash(server.channel, "defenders ideas")
    assert "No automaton plays here" in text(answer.response)
    assert not (await state(server)).public.ideas


async def test_a_hint_shows_its_word_to_who_asked_and_can_be_proposed(server: Server) -> None:
    await in_word_phase(server, "CAD", referee="printed")
    ada = server.person("Ada")
    shown = (await ada.slash(server.channel, "defenders hint")).response
    assert "**CAD** at" in text(shown)
    assert "Everyone sees the hint on the board." in text(shown)
    await ada.click(shown, label="Propose")
    assert (await state(server)).public.proposal is not None


async def test_who_previews_what_is_proposed_already_can_agree_to_it(server: Server) -> None:
    await in_word_phase(server)
    await proposed(server, "Ben", "CAD")
    ada = server.person("Ada")
    where = start(await server.bot.service.view(1, None))
    shown = (await ada.slash(server.channel, "defenders word", word="CAD", place=f"{where} across")).response
    assert "This is before the team already." in text(shown)
    assert labels(shown)[:2] == ["Agree", "Object"]
    await ada.click(shown, label="Agree")
    assert "**CAD** is placed" in text(server.board())


@pytest.mark.parametrize("referee", ["printed", "guarded"])
async def test_a_printed_table_says_in_the_preview_when_words_are_checked(
    server: Server, referee: str
) -> None:
    await in_word_phase(server, referee=referee)
    where = start(await server.bot.service.view(1, None))
    shown = await server.person("Ada").slash(
        server.channel, "defenders word", word="CAD", place=f"{where} across"
    )
    assert ("Words are checked at the end." in text(shown.response)) == (referee == "printed")


async def test_the_first_board_tells_the_goal_and_offers_the_rules(server: Server) -> None:
    await started(server, "Ada", "Ben")
    assert "Goal: collect 4 points of interest in any order and 60 Vocabulary Points" in text(server.board())
    assert labels(server.board()) == ["My rack", "More", "Rules"]
    rules = (await server.person("Ben").click(server.board(), label="Rules")).response
    assert "You win or lose together" in text(rules)


async def test_silence_does_not_admit_defeat(server: Server) -> None:
    await in_word_phase(server)
    ada = server.person("Ada")
    asked = (await ada.slash(server.channel, "defenders concede")).response
    await ada.click(asked, label="Propose to admit defeat")
    assert "Still to agree: Ben. Only what everyone says themselves admits defeat" in text(server.board())
    await server.env.advance_time(200)
    assert (await state(server)).public.ended is None
    await server.person("Ben").click(server.board(), label="Agree")
    assert (await state(server)).public.ended is not None


async def test_what_must_be_discarded_is_told_with_its_cost(server: Server) -> None:
    await in_word_phase(server)
    await with_commons(server, "HGAEINORST", vp=30)
    ada, ben = server.person("Ada"), server.person("Ben")
    await ada.slash(server.channel, "defenders pass")
    await ben.click(server.board(), label="Agree")
    said = "H and G go. Of the letters worth 1, two more must go: which? In all −8"
    assert said in text(server.board())
    asked = (await ada.click(server.board(), label="Choose the discard")).response
    assert said in text(asked)


async def test_wildcards_are_named_where_they_can_be_read_anew_and_only_then(server: Server) -> None:
    board = await in_word_phase(server)
    row, col = (await state(server)).public.city.start
    await with_commons(server, "CAD", laid=(Laid(row, col, "E", True, 0, 1),))
    ada = server.person("Ada")
    more = (await ada.click(board, label="More")).response
    form = await ada.click(more, label="Wildcards")
    where = start(await server.bot.service.view(1, None))
    assert f"{where} reads E" in str(form.modal)
    await ada.slash(server.channel, "defenders pass")
    await server.person("Ben").slash(server.channel, "defenders agree")
    more = (await ada.click(server.board(), label="More")).response
    assert "Wildcards" not in labels(more)


async def test_who_is_at_work_on_a_word_sees_the_countdown_and_can_object(server: Server) -> None:
    await in_word_phase(server)
    ben = server.person("Ben")
    assert "Before the team" not in str((await ben.click(server.board(), label="Place a word")).modal)
    await proposed(server, "Ada", "CAD")
    form = await ben.click(server.board(), label="Place a word")
    note = form.modal["components"][0]["content"]
    assert "Ada proposes **CAD**" in note
    assert "Your silence is consent (deadline <t:" in note
    offered = (await ben.submit_modal(form, {"word": "CAD", "place": ""})).response
    assert "Your silence is consent (deadline <t:" in text(offered)
    assert labels(offered) == ["Object", "My rack"]
    menu = next(part for part in parts(offered) if part["type"] == 3)
    await ben.select(offered, [menu["options"][-1]["value"]], custom_id=menu["custom_id"])
    preview = server.whispered("Ben")[-1]
    assert "Your silence is consent (deadline <t:" in text(preview)
    assert labels(preview) == ["Propose", "Object", "Other places", "Another word", "My rack"]
    await ben.click(preview, label="Object")
    assert (await state(server)).public.proposal.objected == (1,)
    preview = server.whispered("Ben")[-1]
    assert "It cannot pass while you object." in text(preview)
    assert labels(preview) == ["Propose", "Another word", "My rack"]
    await server.env.advance_time(70)
    await ben.click(preview, label="Propose")
    assert (await state(server)).public.proposal.seat == 1


async def test_an_objection_from_the_list_of_places_keeps_the_list(server: Server) -> None:
    await in_word_phase(server)
    await proposed(server, "Ada", "CAD")
    ben = server.person("Ben")
    offered = (await ben.slash(server.channel, "defenders word", word="CAD")).response
    await ben.click(offered, label="Object")
    again = server.whispered("Ben")[-1]
    assert "Where does CAD go?" in text(again)
    assert "It cannot pass while you object." in text(again)


async def test_what_is_asked_about_words_is_answered_with_the_countdown(server: Server) -> None:
    await in_word_phase(server, "CADTEA", referee="guarded")
    await proposed(server, "Ada", "CAD")
    for command, options in (("consult", {"word": "TEA"}), ("hint", {})):
        answer = await server.person("Ben").slash(server.channel, f"defenders {command}", **options)
        assert "Your silence is consent (deadline <t:" in text(answer.response)
        assert "Object" in labels(answer.response)
    mine = (await server.person("Ada").slash(server.channel, "defenders hint")).response
    assert "silence" not in text(mine)


async def test_a_word_that_is_none_is_told_so_without_a_place(server: Server) -> None:
    await in_word_phase(server)
    for typed, why in (
        ("A S", "made of the letters A to Z"),
        ("`CAD`", "made of the letters A to Z"),
        ("1234", "made of the letters A to Z"),
        ("*", "made of the letters A to Z"),
        ("C\u200bAD", "made of the letters A to Z"),
        ("A", "two letters or more"),
        ("CAD" * 13, "No word on this map has more than"),
        ("CAT", "CAT needs T, which is neither on the table nor on the map."),
        ("CADD", "CADD needs another D, which is neither on the table nor on the map."),
    ):
        answer = (await server.person("Ada").slash(server.channel, "defenders word", word=typed)).response
        assert why in text(answer), typed
        assert "fits nowhere" not in text(answer)
        assert labels(answer) == ["Edit"]


async def test_before_all_have_contributed_no_place_is_offered(server: Server) -> None:
    await started(server, "Ada", "Ben")
    await with_commons(server, "CAD")
    ada = server.person("Ada")
    where = start(await server.bot.service.view(1, None))
    for place in ({}, {"place": f"{where} across"}):
        answer = (await ada.slash(server.channel, "defenders word", word="CAD", **place)).response
        assert "First everyone contributes" in text(answer)
        assert labels(answer) == ["Edit"]
    again = await ada.click(answer, label="Edit")
    assert again.modal["components"][0]["component"]["value"] == "CAD"


def options_of(message: Any) -> list[dict[str, Any]]:
    """Return what the menu of a message offers."""
    found: list[dict[str, Any]] = next(part for part in parts(message) if part["type"] == 3)["options"]
    return found


async def beside_the_start(server: Server, *, number: int = 0) -> tuple[int, int]:
    """Put the only point of interest on the square right of the start; return the start."""
    row, col = (await state(server)).public.city.start
    await with_commons(server, "CAD", pois=(Poi(row, col + 1, number), Poi(0, 0, number and 6)))
    return row, col


async def test_whoever_weighs_a_word_is_told_which_points_of_interest_it_collects(server: Server) -> None:
    await in_word_phase(server)
    await beside_the_start(server)
    where = start(await server.bot.service.view(1, None))
    preview = (
        await server.person("Ada").slash(
            server.channel, "defenders word", word="CAD", place=f"{where} across"
        )
    ).response
    told = f"Collects a point of interest at {chr(ord(where[0]) + 1)}{where[1:]} (1 of 4)."
    assert told in text(preview)
    await server.person("Ada").click(preview, label="Propose")
    assert told in text(server.board())


async def test_the_places_that_collect_most_come_first_and_say_so(server: Server) -> None:
    await in_word_phase(server)
    row, col = await beside_the_start(server)
    offered = (await server.person("Ada").slash(server.channel, "defenders word", word="CAD")).response
    first, *others = options_of(offered)
    square = f"{chr(66 + col)}{row + 1}"
    assert first["description"] == f"A point of interest at {square}"
    assert all("point of interest" in other.get("description", "") for other in others[:1])
    assert not options_of(offered)[-1].get("description")
    assert "Everywhere: 6 Vocabulary Points" in text(offered)


def test_points_of_interest_are_named_with_their_numbers_if_they_have_any() -> None:
    assert interests([Collected(1, 3, 0)]) == "a point of interest at D2"
    assert interests([Collected(1, 3, 0), Collected(5, 8, 0)]) == "points of interest at D2 and I6"
    assert interests([Collected(1, 3, 2)]) == "point of interest 2 at D2"
    assert interests([Collected(1, 3, 2), Collected(5, 8, 5)]) == "points of interest 2 at D2 and 5 at I6"


async def test_the_panel_of_places_shows_the_board_and_how_far_each_place_reaches(server: Server) -> None:
    await in_word_phase(server)
    offered = (await server.person("Ada").slash(server.channel, "defenders word", word="CAD")).response
    where = start(await server.bot.service.view(1, None))
    assert "CAD may begin at" in alt(offered)
    end = f"{chr(ord(where[0]) + 2)}{where[1:]}"
    assert f"{where} across, to {end}" in [option["label"] for option in options_of(offered)]


async def test_the_form_for_a_word_says_which_letters_there_are(server: Server) -> None:
    await in_word_phase(server)
    await with_commons(server, "CAD*", storage=(Tile("O", 0),))
    form = await server.person("Ada").click(server.board(), label="Place a word")
    note = form.modal["components"][0]["content"]
    assert note == "Letters to use: **A C D wildcard** new · **O** in storage."
    refused = (await server.person("Ada").submit_modal(form, {"word": "ZOO", "place": ""})).response
    assert "Letters to use: **A C D wildcard** new" in text(refused)


async def test_a_beginners_table_is_guarded_unless_its_opener_chooses(server: Server) -> None:
    ada = server.person("Ada")
    for number, (given, referee) in enumerate(
        (
            ({}, "guarded"),
            ({"level": "beginner/3"}, "guarded"),
            ({"level": "intermediate/1"}, "printed"),
            ({"referee": "printed"}, "printed"),
        ),
        1,
    ):
        await ada.slash(server.channel, "play defenders", **given)
        assert (await server.bot.service.table(number)).options.referee == referee
    assert Options().referee == "printed"  # what stored tables without one were opened with


async def test_the_lobby_is_understood_without_the_rules(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    said = text(server.board())
    assert "Collect 4 points of interest in any order and 60 Vocabulary Points (VP)" in said
    assert not {"POI", "HQ"} & set(said.replace(",", " ").split())


async def test_a_round_is_played_from_the_rack_alone(server: Server) -> None:
    await in_word_phase(server)
    ada, ben = server.person("Ada"), server.person("Ben")
    rack = (await ada.click(server.board(), label="My rack")).response
    assert "Letters to use: **A C D** new" in text(rack)
    assert labels(rack) == ["Place a word", "No word", "Refresh"]
    form = await ada.click(rack, label="Place a word")
    where = start(await server.bot.service.view(1, None))
    await ada.submit_modal(form, {"word": "CAD", "place": f"{where} across"})
    await ada.click(server.whispered("Ada")[-1], label="Propose")
    told = server.whispered("Ada")[-1]
    assert "You proposed **CAD**" in text(told)
    assert "Your proposal waits for the others." in text(told)
    assert labels(told) == ["Take my proposal back", "Place a word", "No word", "Refresh"]
    await ben.click(server.board(), label="My rack")
    asked = server.whispered("Ben")[-1]
    assert "Ada proposes **CAD**" in text(asked)
    assert "Still to agree: you." in text(asked)
    await ben.click(asked, label="Agree")
    answer = server.whispered("Ben")[-1]
    assert "You agreed. **CAD** is laid. The team has 6 of 60 VP" in text(answer).replace(
        "Vocabulary Points", "VP"
    )
    assert "Round 2 begins." in text(answer)
    assert "Choose 2 letters to contribute" in text(answer)
    await ada.click(told, label="Take my proposal back")
    assert "moved on" in text(server.whispered("Ada")[-1])
    assert (await state(server)).public.laid


async def test_a_word_that_another_s_proposal_overtook_is_shown_again_beside_it(server: Server) -> None:
    await in_word_phase(server)
    where = start(await server.bot.service.view(1, None))
    ada = server.person("Ada")
    preview = (
        await ada.slash(server.channel, "defenders word", word="CAD", place=f"{where} across")
    ).response
    await proposed(server, "Ben", "CAD", across=False)
    await ada.click(preview, label="Propose")
    again = server.whispered("Ada")[-1]
    assert f"**CAD** at {where} across" in text(again)
    assert f"Ben proposes **CAD** at {where} down" in text(again)
    await ada.click(again, label="Propose")
    assert f"Ada proposes **CAD** at {where} across" in text(server.board())


async def test_a_proposal_that_comes_while_a_preview_is_made_outdates_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await in_word_phase(server)
    where = start(await server.bot.service.view(1, None))
    shown = Pressed.shown

    async def late(self: Pressed) -> Shown:
        """Let Ben propose just after Ada's view was looked at."""
        monkeypatch.setattr(Pressed, "shown", shown)
        await server.bot.service.play(1, 1, Propose(NoWord()))
        return await shown(self)

    monkeypatch.setattr(Pressed, "shown", late)
    ada = server.person("Ada")
    preview = (
        await ada.slash(server.channel, "defenders word", word="CAD", place=f"{where} across")
    ).response
    assert "Ben proposes" not in text(preview)
    await ada.click(preview, label="Propose")
    assert "Ben proposes to form no word" in text(server.board())


async def test_a_proposal_that_comes_while_places_are_looked_up_is_not_objected_to_unseen(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await in_word_phase(server, referee="guarded")
    await proposed(server, "Ben", "CAD")
    words = Pressed.words

    async def late(self: Pressed) -> Words:
        """Let Ben propose something else just after Ada's view was looked at."""
        monkeypatch.setattr(Pressed, "words", words)
        await server.bot.service.play(1, 1, Propose(NoWord()))
        return await words(self)

    monkeypatch.setattr(Pressed, "words", late)
    ada = server.person("Ada")
    offered = (await ada.slash(server.channel, "defenders word", word="CAD")).response
    assert "Ben proposes **CAD**" in text(offered)
    await ada.click(offered, label="Object")
    proposal = (await state(server)).public.proposal
    assert proposal is not None
    assert isinstance(proposal.matter, NoWord)
    assert proposal.objected == ()


async def test_a_place_chosen_after_the_round_is_not_previewed(server: Server) -> None:
    await in_word_phase(server)
    ada = server.person("Ada")
    offered = (await ada.slash(server.channel, "defenders word", word="CAD")).response
    await ada.slash(server.channel, "defenders pass")
    await server.person("Ben").slash(server.channel, "defenders agree")
    assert (await state(server)).public.phase == "contribute"
    menu = next(part for part in parts(offered) if part["type"] == 3)
    await ada.select(offered, [menu["options"][0]["value"]], custom_id=menu["custom_id"])
    told = [text(message) for message in server.whispered("Ada")]
    assert any("First everyone contributes" in said for said in told)
    assert not any("CAD** at" in said for said in told)


async def test_a_rack_that_does_not_follow_the_game_can_be_refreshed(server: Server) -> None:
    await started(server, "Ada", "Ben")
    ada = server.person("Ada")
    await contribute(server, "Ada", 0, 2)
    await ada.click(server.whispered("Ada")[-1], label="Take it back")
    assert "Refresh" in labels(server.whispered("Ada")[-1])
    assert "Refresh" in labels((await ada.slash(server.channel, "table hand")).response)
    assert "Refresh" not in labels(server.hand("Ada"))


async def test_a_clock_that_was_set_when_silence_conceded_passes_without_harm(server: Server) -> None:
    await in_word_phase(server)
    service = server.bot.service
    await service.play(1, 0, Propose(Concede()))
    with closing(sqlite3.connect(server.bot.settings.database)) as db:
        db.execute("UPDATE tables SET due = ? WHERE id = 1", (service.now() + 60_000,))
        db.commit()
    await server.env.advance_time(70)
    await service.expire(1)  # if the clock has not struck yet
    assert (await state(server)).public.ended is None
    assert (await service.table(1)).due is None


async def test_an_answer_to_an_objection_from_the_rack_is_the_rack(server: Server) -> None:
    await in_word_phase(server)
    await proposed(server, "Ada", "CAD")
    ben = server.person("Ben")
    rack = (await ben.click(server.board(), label="My rack")).response
    await ben.click(rack, label="Object")
    told = server.whispered("Ben")[-1]
    assert "You objected." in text(told)
    assert "You object, so it cannot pass." in text(told)
    assert labels(told) == ["Agree", "Place a word", "No word", "Refresh"]


async def test_a_word_that_is_laid_at_once_is_told_with_its_outcome_and_no_undo(server: Server) -> None:
    await started(server, "Ada")
    await contribute(server, "Ada", 0, 2)
    await with_commons(server, "CAD")
    shown = await server.person("Ada").slash(
        server.channel,
        "defenders word",
        word="CAD",
        place=f"{start(await server.bot.service.view(1, None))} across",
    )
    assert labels(shown.response)[0] == "Lay it"
    await server.person("Ada").click(shown.response, label="Lay it")
    told = server.whispered("Ada")[-1]
    assert "**CAD** is laid. The team has 6 of 60" in text(told)
    assert "Round 2 begins." in text(told)
    assert "Undo" not in labels(told)


async def test_a_refused_word_leaves_the_rack_from_which_it_was_typed(server: Server) -> None:
    await in_word_phase(server)
    ada = server.person("Ada")
    rack = (await ada.click(server.board(), label="My rack")).response
    form = await ada.click(rack, label="Place a word")
    await ada.submit_modal(form, {"word": "ZOO", "place": ""})
    told = server.whispered("Ada")[-1]
    assert "ZOO needs 2 Os and Z" in text(told)
    assert labels(told) == ["Edit", "Place a word", "No word", "Refresh"]


async def test_a_guarded_table_offers_no_place_that_makes_what_is_no_word(server: Server) -> None:
    await in_word_phase(server, referee="guarded")
    row, col = (await state(server)).public.city.start
    laid = tuple(Laid(row, col + at, char, False, 0, 1) for at, char in enumerate("AT"))
    await with_commons(server, "STEA", laid=laid)
    offered = (await server.person("Ada").slash(server.channel, "defenders word", word="TEA")).response
    public = (await state(server)).public
    made = [changed_words(public, unpacked(option["value"])) for option in options_of(offered)]
    assert len(made) > 1
    assert all(set(words) <= set(WORDS) for words in made)
    assert len(places(public, "TEA")) > len(made)
    refused = (await server.person("Ada").slash(server.channel, "defenders word", word="STAE")).response
    assert "STAE is not in the dictionary." in text(refused)


async def test_nobody_is_offered_a_move_while_the_table_is_paused(server: Server) -> None:
    await in_word_phase(server)
    await proposed(server, "Ada", "CAD")
    await server.person("Ada").slash(server.channel, "table pause")
    assert labels(server.board()) == ["Resume", "My rack", "More"]
    await server.person("Ada").slash(server.channel, "table resume")
    assert "Agree" in labels(server.board())


async def test_the_alt_text_of_a_finished_board_says_how_it_ended(server: Server) -> None:
    await started(server, "Ada", "Ben")
    view = await server.bot.service.view(1, None)
    for won, told in ((True, "The team has won."), (False, "The team has lost.")):
        ended = Ended(won, "success" if won else "bag", 64, 4, 10)
        over = msgspec.structs.replace(
            view, public=msgspec.structs.replace(view.public, phase="over", ended=ended)
        )
        assert alts.board(over, ("Ada", "Ben")).startswith(told)


def test_abbreviations_are_spelled_out_where_a_panel_first_has_them() -> None:
    told = spelled_out(Panel("", "1 VP lost.", notes="−4 VP, 2 POI left."))
    assert told.text == "1 Vocabulary Point (VP) lost."
    assert told.notes == "−4 VP, 2 points of interest left."


def test_what_is_lost_is_said_without_an_abbreviation_that_stands_alone() -> None:
    face = DefendersFace()
    assert (
        face.say(VillainLost("M", 0), ())
        == "The villain letter M is left over; that costs nothing this time."
    )
    assert face.say(VillainLost("M", 3), ()) == "The villain letter M is left over; that costs 3 VP."
    assert face.say(Collected(1, 3, 0), ()) == "A point of interest at D2 is collected."
    assert face.say(Collected(1, 3, 4), ()) == "Point of interest 4 at D2 is collected."


def test_a_board_tells_the_present_round_and_how_the_game_ended_first() -> None:
    first, second = RoundBegan(1, "M"), RoundBegan(2, "Q")
    laid, given = Passed(), Revealed((("A",), ("B",)))
    assert of_the_present((first, given, laid, second)) == (laid, second)
    assert of_the_present((first, given, laid, second, given)) == (second, given)
    ended = Ended(True, "success", 60, 4, 2)
    assert of_the_present((first, given, laid, second, given, laid, ended)) == (ended, laid)


def test_the_end_is_told_truly_whether_or_not_words_were_vouched_for() -> None:
    for event in (Attested(True), Attested(False), Ended(True, "success", 60, 4, 2)):
        said = say(event, ("Ada",)) or ""
        assert "them" not in said
        assert "is in the dictionary" not in said


def test_one_doubtful_word_is_spoken_of_as_one() -> None:
    public = dealt().public
    assert vouching(msgspec.structs.replace(public, doubts=("CATO",)))[0].label == "A dictionary has it"
    assert (
        vouching(msgspec.structs.replace(public, doubts=("CATO", "ZZ")))[0].label == "A dictionary has them"
    )


def test_what_is_told_in_private_stays_true_once_the_time_is_up() -> None:
    public = msgspec.structs.replace(
        at_word(commons="CAD").public, proposal=Proposal(0, NoWord(), 0, agreed=(0,))
    )
    shown = Shown(1, ("Ada", "Ben", "Cleo"), (True,) * 3, 1_700_000_000)
    assert "Silence is consent (deadline <t:1700000000:R>)." in proposal_text(public, shown, 1)
    assert "Silence is consent <t:1700000000:R>." in proposal_text(public, shown)
    conceding = msgspec.structs.replace(public, proposal=Proposal(0, Concede(), 0, agreed=(0,)))
    assert "consent" not in proposal_text(conceding, shown, 1)


def test_wildcards_are_counted_in_what_is_proposed() -> None:
    assert matter_text(Recast(((4, 6, "S"),))) == "to read the wildcard at G5 as S"
    assert matter_text(Recast(((4, 6, "S"), (5, 7, "T")))) == "to read the wildcards at G5 as S and H6 as T"


def test_a_wildcard_does_not_hide_how_often_a_letter_is_lacking() -> None:
    assert nowhere(at_word(commons="CAT*").public, "CATZZ").startswith("CATZZ needs 2 Zs, which are neither")
    assert "1 wildcard will not do" in nowhere(at_word(commons="CAT*").public, "CATZZ")


def test_four_names_on_the_board_stay_apart() -> None:
    view = DEFENDERS.seen_by(dealt(4), None)
    shown = Shown(1, ("Ada", "Automaton 1", f"Ben{STANDS_IN}", "Automaton 2"), (True, False, False, False))
    drawn = board(view, shown)
    assert drawn.key == msgspec.msgpack.encode((view, ("Ada", "Auto 1", "(Ben)", "Auto 2")))
    assert "Automaton 2" in drawn.alt
