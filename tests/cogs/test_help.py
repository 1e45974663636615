"""The manual: an introduction, and a page for each topic of the command tree."""

import re
from typing import Any

import pytest
from discord import app_commands

from bot.tables.face import LIMITS, Menu
from cogs.dungeon import daily
from cogs.help import manual, pages
from tests.cogs.conftest import Server, custom_id, labels, parts, text
from tests.cogs.test_dungeon import made_of_day


async def _nothing(interaction: Any) -> None: ...


def command(name: str, description: str = "Does something") -> Any:
    return app_commands.Command(name=name, description=description, callback=_nothing)


def group(name: str, commands: int, length: int = 20) -> Any:
    made = app_commands.Group(name=name, description="About " + name)
    for number in range(commands):
        made.add_command(command(f"{'x' * (length - 3)}-{number}", "d" * 100 if length > 20 else "Short"))
    return made


def menu(panel: Any) -> Menu:
    (row,) = [row for row in panel.rows if isinstance(row, Menu)]
    return row


async def test_help_introduces_and_offers_a_page_for_each_group(server: Server) -> None:
    ada = server.person("Ada")
    shown = (await ada.slash(server.channel, "help")).response
    assert shown.ephemeral
    assert labels(shown) == ["Play Defenders", "A dungeon for me alone", "Today's dungeon", "Rules"]
    assert len(text(shown).splitlines()) < 10
    known = {one.qualified_name for one in server.bot.tree.walk_commands()}
    named = set(re.findall("`/([^`]+)`", text(shown)))
    assert "play" in named
    assert named <= known
    offered = [choice["value"] for part in parts(shown) if part["type"] == 3 for choice in part["options"]]
    groups = [f"/{one.name}" for one in server.bot.tree.get_commands() if isinstance(one, app_commands.Group)]
    assert sorted(offered) == sorted([*groups, "Everything else"])
    assert {"/settings", "/word"} <= set(offered)


async def test_every_command_stands_on_its_topic_s_page(server: Server) -> None:
    ada = server.person("Ada")
    shown = (await ada.slash(server.channel, "help")).response
    read = ""
    for page in pages(server.bot.tree.get_commands()):
        turned = (await ada.select(shown, [page.title], custom_id=custom_id(shown, "help"))).response
        assert turned.ephemeral
        read += text(turned)
    for one in server.bot.tree.walk_commands():
        if isinstance(one, app_commands.Command):
            assert f"`/{one.qualified_name}` {one.description}" in read


async def test_help_is_there_in_a_private_channel(server: Server) -> None:
    ada = server.person("Ada").user
    shown = (await ada.slash("help")).response
    assert labels(shown) == ["A dungeon for me alone", "Today's dungeon", "Rules"]  # tables open on servers
    assert "Play" not in text(shown).replace("/play", "")
    assert "a button below" not in text(shown)
    assert "in the channels of a server" in text(shown)
    await ada.click(shown, label="A dungeon for me alone")
    (table,) = await server.bot.service.tables_of(ada.id)
    assert (table.guild, table.options.mode) == (None, "solo")


async def test_the_buttons_of_help_do_what_their_commands_do(server: Server) -> None:
    ada, ben = server.person("Ada"), server.person("Ben")
    for command, label in (("play defenders", "Play Defenders"), ("dungeon solo", "A dungeon for me alone")):
        by_command = (await ada.slash(server.channel, command)).response
        shown = (await ben.slash(server.channel, "help")).response
        by_button = (await ben.click(shown, label=label)).response
        assert by_button.ephemeral
        assert text(by_button) == text(by_command).replace("Table 3", "Table 4")
        theirs = [(await server.bot.service.tables_of(one.id))[0] for one in (ada, ben)]
        assert theirs[0].options == theirs[1].options
        assert (theirs[0].game.key, theirs[0].place) == (theirs[1].game.key, theirs[1].place)


async def test_the_day_s_dungeon_is_begun_from_help(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "attempt_of_day", made_of_day)
    shown = (await server.person("Ada").slash(server.channel, "help")).response
    begun = (await server.person("Ada").click(shown, label="Today's dungeon")).response
    assert "Mossy Well" in text(begun)
    assert begun.id == shown.id


async def test_a_button_of_help_runs_no_other_command(server: Server) -> None:
    offered = {"play defenders", "dungeon solo", "dungeon daily"}
    assert set(server.bot.router.commands) == offered


async def test_from_a_topic_one_comes_back_to_the_introduction(server: Server) -> None:
    ada = server.person("Ada")
    shown = (await ada.slash(server.channel, "help")).response
    page = (await ada.select(shown, ["/word"], custom_id=custom_id(shown, "help"))).response
    back = (await ada.click(page, label="Back")).response
    assert "Play Defenders" in labels(back)
    assert "Rules" in labels(back)
    assert labels((await ada.click(back, label="Rules")).response)[-1] == "How to begin"


def test_a_page_fits_discord_whatever_is_added() -> None:
    tree = [group(f"{'g' * 29}{number:02}", 25, 32) for number in range(40)]
    tree += [command(f"{'c' * 29}{number:02}", "d" * 100) for number in range(60)]
    found = pages(tree)
    assert len({page.title for page in found}) == len(found)
    for page in (None, *found):
        panel = manual(found, page.title if page else "")
        assert len(panel.title) + len(panel.text) < LIMITS["text"]
        assert len(menu(panel).choices) == LIMITS["choices"]
        assert "`/`" in panel.text
    named = "\n".join(page.text for page in found)
    assert named.count("`/") == 40 * 25 + 60


def test_a_long_topic_takes_several_pages_and_a_short_one_takes_one() -> None:
    found = pages([group("small", 3), group("large", 25, 32), command("lone")])
    assert [page.title for page in found] == [
        "/large, 1 of 3", "/large, 2 of 3", "/large, 3 of 3", "/small", "Everything else",
    ]  # fmt: skip
    assert menu(manual(found, "/small")).choices[3].chosen


def test_a_page_that_is_gone_leads_to_the_introduction() -> None:
    found = pages([group("small", 1)])
    assert manual(found, "/gone") == manual(found)
