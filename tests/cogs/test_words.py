"""``/word``: what the dictionary says, to whom it may say so."""

from __future__ import annotations

from typing import Any

import pytest
import structlog

from bot.tables.servers import Servers, ServerSettings
from bot.words.lexicon import Lexicon
from cogs.words import entry
from tests.cogs.conftest import Server, text
from tests.cogs.rows import rows

LEXICON = Lexicon.of(("CAR", "QUOD", "DRAT"), common=("CAR",), offending=("DRAT",))


async def said(person: Any, channel: Any, command: str, word: str) -> str:
    answer = await person.slash(channel, f"word {command}", word=word)
    assert answer.ephemeral
    return text(answer.response)


# What is said


@pytest.mark.parametrize(
    ("word", "settings", "legal", "said"),
    [
        ("CAR", ServerSettings(), True, "is legal, a common word."),
        ("QUOD", ServerSettings(), True, "is legal, not a common word."),
        ("ZORP", ServerSettings(), False, "is not in the dictionary."),
        ("DRAT", ServerSettings(), True, "is legal, not a common word."),
        ("DRAT", ServerSettings(mild=True), False, "is not legal here: this server bars words that offend."),
        ("CAR", ServerSettings(barred=("CAR",)), False, "is not legal here: this server bars it."),
        (
            "ZORP",
            ServerSettings(added=("ZORP",)),
            True,
            "is legal here: this server has added it. The dictionary itself does not have it.",
        ),
        (
            "DRAT",
            ServerSettings(mild=True, added=("DRAT",)),
            True,
            "is legal here: this server has added it.",
        ),
    ],
)
def test_a_word_is_told_as_the_server_has_it_and_why(
    word: str, settings: ServerSettings, legal: bool, said: str
) -> None:
    found = entry(LEXICON, settings, word)
    assert (found.legal, found.ruling) == (legal, said)


async def test_what_is_said_agrees_with_what_a_deal_fixes(server: Server) -> None:
    servers = Servers(server.bot.store, LEXICON.offending)
    for guild, settings in enumerate(
        (
            ServerSettings(mild=True, added=("DRAT", "ZORP")),
            ServerSettings(mild=True, barred=("CAR",)),
            ServerSettings(barred=("DRAT",), added=("ZORP",)),
        ),
        1,
    ):
        await servers.change(guild, mild=settings.mild, added=settings.added, barred=settings.barred)
        known = await servers.dictionary(guild)
        for word in ("CAR", "QUOD", "DRAT", "ZORP", "XXX"):
            assert entry(LEXICON, settings, word).legal == known.get(word, LEXICON.legal(word))


def test_a_barred_word_has_no_meaning_here() -> None:
    lexicon = Lexicon.load()
    assert "motor vehicle" in (entry(lexicon, ServerSettings(), "CAR").meaning or "")
    assert entry(lexicon, ServerSettings(barred=("CAR",)), "CAR").meaning is None
    offending = min(lexicon.offending())
    assert entry(lexicon, ServerSettings(mild=True), offending).meaning is None


async def test_words_are_folded_and_answered_in_private(server: Server) -> None:
    ada = server.person("Ada")
    assert await said(ada, server.channel, "check", " cár ") == "**CAR** is legal, a common word."
    assert await said(ada, server.channel, "check", "zorp") == "**ZORP** is not in the dictionary."
    assert "letters A to Z alone" in await said(ada, server.channel, "check", "pre-war")
    assert "letters A to Z alone" in await said(ada, server.channel, "define", "@everyone")
    assert "no definition" in await said(ada, server.channel, "define", "car")
    ben = {message.id for message in server.channel.history(viewer=server.person("Ben"))}
    assert not ben & {message.id for message in server.whispered("Ada")}


async def test_a_definition_is_shown_and_cut_where_it_is_long(server: Server) -> None:
    cog = server.bot.cogs["Words"]
    cog.lexicon = Lexicon.load()
    defined = await said(server.person("Ada"), server.channel, "define", "cars")
    assert defined.startswith("**CARS** is legal")
    assert "motor vehicle" in defined
    for word in ("run", "set", "break"):
        assert len(await said(server.person("Ada"), server.channel, "define", word)) < 2000


async def test_a_server_s_own_words_count_there_and_not_in_private(server: Server) -> None:
    await server.bot.servers.change(server.channel.guild.id, added=("ZORP",), barred=("CAR",))
    ada = server.person("Ada")
    assert "this server has added it" in await said(ada, server.channel, "check", "zorp")
    assert "this server bars it" in await said(ada, server.channel, "check", "car")
    assert "no definition" not in await said(ada, server.channel, "define", "car")
    answer = await ada.user.slash("word check", word="car")
    assert text(answer.response) == "**CAR** is legal, a common word."


# The rule on looking up


@pytest.mark.parametrize("command", ["check", "define"])
async def test_who_sits_at_a_table_with_the_printed_referee_may_not_look_up(
    server: Server, command: str
) -> None:
    await server.open("Ada", "Ben", referee="printed")
    for word in ("car", "zorp", "no-word"):
        refused = await said(server.person("Ada"), server.channel, command, word)
        assert "table 1 (Defenders of the Dictionary)" in refused
        assert "`/defenders consult`" in refused
        assert "legal" not in refused
        assert refused == await said(server.person("Ada"), server.channel, command, "car")
    answer = await server.person("Ada").user.slash(f"word {command}", word="car")
    assert "nobody looks words up" in text(answer.response)


async def test_who_watches_or_plays_with_the_guarded_referee_may_look_up(server: Server) -> None:
    await server.open("Ada", "Ben", referee="printed")
    assert "is legal" in await said(server.person("Eve"), server.channel, "check", "car")
    await server.open("Eve", "Mia", referee="guarded")
    assert "is legal" in await said(server.person("Eve"), server.channel, "check", "car")


async def test_looking_up_is_barred_from_the_deal_to_the_end(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play defenders", referee="printed")
    assert "is legal" in await said(ada, server.channel, "check", "car")  # still in the lobby
    await server.person("Ben").click(server.board(), label="Join")
    await ada.click(server.board(), label="Start")
    assert "nobody looks" in await said(ada, server.channel, "check", "car")
    await server.bot.service.pause(1, ada.id)
    assert "nobody looks" in await said(ada, server.channel, "check", "car")
    await server.bot.service.resume(1, ada.id)
    await server.bot.service.leave(1, ada.id)  # an automaton plays, and she may come back
    assert "nobody looks" in await said(ada, server.channel, "check", "car")
    await server.bot.service.end(1)
    assert "is legal" in await said(ada, server.channel, "check", "car")


async def test_no_command_of_the_dictionary_completes_what_is_typed(server: Server) -> None:
    group = server.bot.tree.get_command("word")
    for command in group.commands:
        assert not any(option.autocomplete for option in command.parameters)


async def test_nothing_of_a_look_up_is_stored_or_logged(server: Server) -> None:
    before = rows(server)
    with structlog.testing.capture_logs() as logged:
        await said(server.person("Ada"), server.channel, "check", "zorp")
        await said(server.person("Ada"), server.channel, "define", "car")
    assert logged == []
    assert rows(server) == before


# Where it holds


async def lists(server: Server, **fields: Any) -> None:
    await server.bot.servers.change(server.channel.guild.id, **fields)


async def test_who_plays_alone_is_told_what_the_solo_takes(server: Server) -> None:
    await lists(server, barred=("CAR",), added=("ZORP",))
    ada = server.person("Ada")
    barred = await said(ada, server.channel, "check", "car")
    assert barred.startswith("**CAR** is not legal here: this server bars it.\n-# At new tables here.")
    await ada.slash(server.channel, "dungeon solo")
    assert await said(ada, server.channel, "check", "car") == (
        "**CAR** is legal, a common word.\n-# At table 1 (Word Dungeon), where you sit."
    )
    assert "**ZORP** is not in the dictionary.\n-# At table 1" in await said(
        ada, server.channel, "check", "zorp"
    )
    assert "bars it" in await said(server.person("Ben"), server.channel, "check", "car")
    assert "-# At table 1" in await said(ada, server.channel, "define", "car")
    private = await ada.user.slash("word check", word="car")
    assert "-# At table 1 (Word Dungeon)" in text(private.response)
    elsewhere = server.env.create_guild()
    there = elsewhere.add_member(ada.user)
    assert "table 1" not in await said(there, elsewhere.create_text_channel("lair"), "check", "car")


async def test_a_table_keeps_the_words_that_it_was_dealt_with_and_the_answer_says_which(
    server: Server,
) -> None:
    await lists(server, barred=("CAR",), added=("ZORP",))
    await server.open("Ada", "Ben", referee="guarded")
    await lists(server, barred=(), added=())
    ada = server.person("Ada")
    at = "-# At table 1 (Defenders of the Dictionary), where you sit."
    assert await said(ada, server.channel, "check", "car") == (
        f"**CAR** is not legal: the server barred it at the deal.\n{at}"
    )
    assert await said(ada, server.channel, "check", "zorp") == (
        f"**ZORP** is legal: the server had added it at the deal.\n{at}"
    )
    assert "is legal, a common word." in await said(server.person("Eve"), server.channel, "check", "car")
    hall = server.channel.guild.create_text_channel("hall")
    assert await said(ada, hall, "check", "car") == "**CAR** is legal, a common word."


async def test_of_several_tables_none_is_meant_unless_all_have_the_same_words(server: Server) -> None:
    await lists(server, barred=("CAR",))
    ada = server.person("Ada")
    for dungeon in ("bee-cells", "cellar-steps"):
        await ada.slash(server.channel, "dungeon solo", dungeon=dungeon)
    assert "-# At table 2" in await said(ada, server.channel, "check", "car")
    await server.open("Ada", "Ben", referee="guarded")  # it is shown here, the solos are not
    assert "-# At table 3" in await said(ada, server.channel, "check", "car")
    await lists(server, barred=())
    await server.open("Ada", "Cleo", referee="guarded")
    assert await said(ada, server.channel, "check", "car") == "**CAR** is legal, a common word."


async def test_letters_of_another_script_are_no_word_and_the_reason_is_true(server: Server) -> None:
    assert "letters A to Z alone" in await said(server.person("Ada"), server.channel, "check", "日本語")
