"""The manual: an introduction, and a page for each topic of the command tree."""

from typing import Any

from discord import app_commands

from bot.tables.face import LIMITS, Menu
from cogs.help import manual, pages
from tests.cogs.conftest import Server, custom_id, parts, text


async def _nothing(interaction: Any) -> None: ...


def command(name: str, description: str = "Does something") -> Any:
    return app_commands.Command(name=name, description=description, callback=_nothing)


def group(name: str, commands: int, length: int = 20) -> Any:
    made = app_commands.Group(name=name, description="About " + name)
    for number in range(commands):
        made.add_command(command(f"{'x' * (length - 3)}-{number}", "d" * 100 if length > 20 else "Short"))
    return made


def menu(panel: Any) -> Menu:
    (row,) = panel.rows
    assert isinstance(row, Menu)
    return row


async def test_help_introduces_and_offers_a_page_for_each_group(server: Server) -> None:
    ada = server.person("Ada")
    shown = (await ada.slash(server.channel, "help")).response
    assert shown.ephemeral
    assert "`/play`" in text(shown)
    assert len(text(shown).splitlines()) < 10
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
    answer = await server.person("Ada").user.slash("help")
    assert "`/play`" in text(answer.response)


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
