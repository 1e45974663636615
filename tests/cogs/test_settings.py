"""``/settings server`` and ``/settings word``: who may set what, and what is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest

from bot.tables.servers import ServerSettings
from bot.words.lexicon import Lexicon
from cogs.settings import OPTIONS
from tests.cogs.conftest import Server, labels, parts, text

NAMES = ("channels", "place", "pace", "ending")


def manager(server: Server, name: str) -> Any:
    """Return a person who may manage the server."""
    if name not in server.people:
        role = server.channel.guild.create_role(name, permissions=discord.Permissions(manage_guild=True))
        server.people[name] = server.channel.guild.add_member(server.env.create_user(name), roles=[role])
    return server.people[name]


def menu(panel: Any, name: str) -> str:
    return next(
        part["custom_id"] for part in parts(panel) if str(part.get("custom_id")).endswith(f":server:{name}")
    )


def preset(panel: Any) -> list[int]:
    """Return the channels that the menu of channels shows as chosen."""
    return [int(one["id"]) for part in parts(panel) if part["type"] == 8 for one in part["default_values"]]


async def of(server: Server) -> ServerSettings:
    return await server.bot.servers.of(server.channel.guild.id)


async def opened(server: Server, name: str = "Mia") -> Any:
    answer = await manager(server, name).slash(server.channel, "settings server")
    assert answer.ephemeral
    return answer.response


def typed(form: Any) -> dict[str, str]:
    return {
        part["component"]["custom_id"]: part["component"].get("value") or ""
        for part in form.modal["components"]
    }


# The panel


async def test_the_panel_says_every_setting_in_a_sentence(server: Server) -> None:
    said = text(await opened(server))
    assert "Tables may open in every channel." in said
    for options in OPTIONS.values():
        assert options[0].sentence in said
    assert "No word is added or barred." in said
    assert "A table keeps the words that it was dealt with." in said


def test_the_first_option_of_each_setting_is_its_default() -> None:
    for name, options in OPTIONS.items():
        assert getattr(ServerSettings(), name) == options[0].value
        assert len({str(option.value) for option in options}) == len(options)


@pytest.mark.parametrize(
    ("name", "value"), [(name, option.value) for name in NAMES[1:] for option in OPTIONS[name]]
)
async def test_a_choice_is_stored_and_answered_with_the_new_state(
    server: Server, name: str, value: str
) -> None:
    panel = await opened(server)
    changed = (await manager(server, "Mia").select(panel, [value], custom_id=menu(panel, name))).response
    (sentence,) = [option.sentence for option in OPTIONS[name] if option.value == value]
    assert changed.ephemeral
    assert sentence in text(changed)
    assert getattr(await of(server), name) == value
    await server.restart()
    assert sentence in text(await opened(server))


async def test_a_button_names_the_other_value_and_two_presses_agree(server: Server) -> None:
    mia, tom = manager(server, "Mia"), manager(server, "Tom")
    first, second = await opened(server, "Mia"), await opened(server, "Tom")
    await mia.click(first, label="Show letters by button only")
    changed = (await tom.click(second, label="Show letters by button only")).response
    assert (await of(server)).hands == "button"
    assert "Send letters by message too" in labels(changed)
    changed = (await tom.click(changed, label="Bar words that offend")).response
    assert (await of(server)).mild
    changed = (await tom.click(changed, label="Allow words that offend")).response
    assert await of(server) == ServerSettings(hands="button")


async def test_channels_are_chosen_shown_and_freed_again(server: Server) -> None:
    other = server.channel.guild.create_text_channel("other")
    mia, panel = manager(server, "Mia"), await opened(server)
    changed = (await mia.select(panel, [server.channel, other], custom_id=menu(panel, "channels"))).response
    assert sorted((await of(server)).channels) == sorted([server.channel.id, other.id])
    assert f"<#{other.id}>" in text(changed)
    assert sorted(preset(changed)) == sorted([server.channel.id, other.id])
    changed = (await mia.select(changed, [], custom_id=menu(changed, "channels"))).response
    assert (await of(server)).channels == ()
    assert "every channel" in text(changed)


async def test_a_channel_that_is_gone_is_not_named_and_the_panel_says_so(server: Server) -> None:
    await server.bot.servers.change(server.channel.guild.id, channels=(123, server.channel.id))
    panel = await opened(server)
    assert preset(panel) == [server.channel.id]
    assert "<#123>" not in text(panel)
    await server.bot.servers.change(server.channel.guild.id, channels=(123,))
    assert "The channels chosen for tables are gone" in text(await opened(server))


# Who may


@pytest.mark.parametrize("command", ["settings server", "settings word"])
async def test_others_are_refused(server: Server, command: str) -> None:
    given = {"word": "zorp", "here": "added"} if command.endswith("word") else {}
    answer = await server.person("Eve").slash(server.channel, command, **given)
    assert answer.ephemeral
    assert "Only who may manage this server" in text(answer.response)
    private = await server.person("Eve").user.slash(command, **given)
    assert "These settings are a server's" in text(private.response)
    assert await of(server) == ServerSettings()


@pytest.mark.parametrize(
    "press",
    [
        lambda mia, panel, form: mia.select(panel, ["slow"], custom_id=menu(panel, "pace")),
        lambda mia, panel, form: mia.click(panel, label="Bar words that offend"),
        lambda mia, panel, form: mia.click(panel, label="Words"),
        lambda mia, panel, form: mia.submit_modal(form, {"added": "ZORP", "barred": ""}),
    ],
    ids=["menu", "button", "words", "form"],
)
async def test_a_panel_does_not_outlive_the_role_of_who_opened_it(
    server: Server, press: Callable[[Any, Any, Any], Any]
) -> None:
    mia, panel = manager(server, "Mia"), await opened(server)
    form = await mia.click(panel, label="Words")
    server.env.backend.guilds[server.channel.guild.id].members[mia.id].role_ids.clear()
    refused = await press(mia, panel, form)
    assert "Only who may manage this server" in text(refused.response)
    assert await of(server) == ServerSettings()


# Words


async def test_words_are_edited_in_a_form_that_holds_them(server: Server) -> None:
    mia, panel = manager(server, "Mia"), await opened(server)
    form = await mia.click(panel, label="Words")
    assert typed(form) == {"added": "", "barred": ""}
    changed = (await mia.submit_modal(form, {"added": "zorp, Glíb\nfrob;", "barred": "car"})).response
    assert changed.ephemeral
    assert "3 words are added: FROB, GLIB, ZORP." in text(changed)
    assert "1 word is barred: CAR." in text(changed)
    again = await mia.click(changed, label="Words")
    assert typed(again) == {"added": "FROB, GLIB, ZORP", "barred": "CAR"}
    await mia.submit_modal(again, {"added": "FROB, GLIB", "barred": ""})
    assert await of(server) == ServerSettings(added=("FROB", "GLIB"))


async def test_what_cannot_be_taken_is_named_with_its_reason_and_the_rest_is_stored(server: Server) -> None:
    mia, panel = manager(server, "Mia"), await opened(server)
    form = await mia.click(panel, label="Words")
    given = {"added": f"zorp x1 b {'q' * 16} car both", "barred": "both qqq tea"}
    server.bot.cogs["Settings"].lexicon = Lexicon.of(("CAR", "TEA", "BOTH"))
    said = text((await mia.submit_modal(form, given)).response)
    for line in (
        "`x1` is not made of the letters A to Z alone.",
        "`b` does not have 2 to 15 letters.",
        f"`{'q' * 16}` does not have 2 to 15 letters.",
        "`CAR` is in the dictionary already.",
        "`QQQ` is not in the dictionary anyway.",
        "`BOTH` is on both lists, so it is barred.",
    ):
        assert line in said
    assert await of(server) == ServerSettings(added=("ZORP",), barred=("BOTH", "TEA"))


async def test_two_managers_with_the_same_form_undo_nothing_of_each_other(server: Server) -> None:
    await server.bot.servers.change(server.channel.guild.id, added=("FROB",))
    mia, tom = manager(server, "Mia"), manager(server, "Tom")
    first = await mia.click(await opened(server, "Mia"), label="Words")
    second = await tom.click(await opened(server, "Tom"), label="Words")
    await mia.submit_modal(first, {"added": "FROB, ZORP", "barred": "CAR"})
    await tom.submit_modal(second, {"added": "GLIB", "barred": ""})
    assert await of(server) == ServerSettings(added=("GLIB", "ZORP"), barred=("CAR",))


async def test_a_form_that_was_open_over_a_restart_still_counts(server: Server) -> None:
    await server.bot.servers.change(server.channel.guild.id, added=("FROB",))
    mia = manager(server, "Mia")
    form = await mia.click(await opened(server), label="Words")
    await server.restart()
    await mia.submit_modal(form, {"added": "ZORP", "barred": ""})
    assert await of(server) == ServerSettings(added=("ZORP",))


async def test_a_word_that_offends_can_be_allowed_where_such_words_are_barred(server: Server) -> None:
    server.bot.cogs["Settings"].lexicon = Lexicon.of(("CAR", "DRAT"), offending=("DRAT",))
    mia = manager(server, "Mia")
    await mia.slash(server.channel, "settings word", word="drat", here="added")
    assert await of(server) == ServerSettings()
    await server.bot.servers.change(server.channel.guild.id, mild=True)
    await mia.slash(server.channel, "settings word", word="drat", here="added")
    assert (await of(server)).added == ("DRAT",)


async def test_a_single_word_is_set_by_command(server: Server) -> None:
    mia = manager(server, "Mia")

    async def put(word: str, here: str) -> str:
        answer = await mia.slash(server.channel, "settings word", word=word, here=here)
        assert answer.ephemeral
        return text(answer.response)

    assert "1 word is added: ZORP." in await put("zorp", "added")
    assert "1 word is barred: CAR." in await put("car", "barred")
    assert "**Saved.**" in await put("quux", "added")
    refused = await put("no-word", "added")
    assert "is not made of the letters A to Z alone" in refused
    assert "**Nothing has changed.**" in refused
    assert "**Saved.**" not in refused
    assert "**Saved.**" in await put("quux", "neither")
    assert "**Nothing has changed.**" in await put("quux", "neither")
    assert await of(server) == ServerSettings(added=("ZORP",), barred=("CAR",))
    await put("zorp", "barred")  # not in the dictionary, so it is enough to take it off
    await put("car", "added")
    assert await of(server) == ServerSettings()
    await put("zorp", "added")
    await put("zorp", "neither")
    assert await of(server) == ServerSettings()


async def test_a_list_holds_200_words_and_fits_the_panel_and_the_form(server: Server) -> None:
    words = [
        f"{'ABCDEFGHIJKLM'}{first}{second}" for first in "ABCDEFGHIJ" for second in "ABCDEFGHIJKLMNOPQRSTU"
    ]
    assert len(words) == 210
    mia, panel = manager(server, "Mia"), await opened(server)
    form = await mia.click(panel, label="Words")
    changed = (await mia.submit_modal(form, {"added": " ".join(words), "barred": ""})).response
    assert len((await of(server)).added) == 200
    assert "is one too many; a list holds 200." in text(changed)
    assert "200 words are added" in text(changed)
    assert len(text(changed)) < 4000
    again = await mia.click(changed, label="Words")
    assert len(typed(again)["added"].split(", ")) == 200
    await mia.slash(server.channel, "settings word", word="zorp", here="added")
    assert "ZORP" not in (await of(server)).added


async def test_a_table_keeps_the_words_that_it_was_dealt_with(server: Server) -> None:
    mia = manager(server, "Mia")
    await mia.slash(server.channel, "settings word", word="zorp", here="added")
    await server.open("Ada", "Ben", referee="guarded")
    await mia.slash(server.channel, "settings word", word="zorp", here="neither")
    await server.open("Cleo", "Dan", referee="guarded")
    assert await server.bot.service.known(1) == {"ZORP": True}
    assert await server.bot.service.known(2) == {}
