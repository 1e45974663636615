"""A game does not bury the channel in one's private messages."""

from __future__ import annotations

from tests.cogs.conftest import Server, custom_id


async def test_of_a_person_s_private_messages_at_a_table_the_last_two_stay(server: Server) -> None:
    await server.open("Ada", "Ben")
    ada, ben = server.person("Ada"), server.person("Ben")
    theirs = (await ben.click(server.board(), label="My rack")).response.id
    opened = server.whispered("Ada")
    shown = [(await ada.click(server.board(), label="My rack")).response.id for _ in range(4)]
    await server.bot.router.close()
    left = {message.id for message in server.whispered("Ada")} - {message.id for message in opened}
    assert left == set(shown[-2:])
    assert theirs in {message.id for message in server.whispered("Ben")}


async def test_a_panel_that_is_used_outlives_newer_ones(server: Server) -> None:
    await server.open("Ada", "Ben")
    ada = server.person("Ada")
    more = (await ada.click(server.board(), label="More")).response
    first = (await ada.click(server.board(), label="My rack")).response.id
    await ada.click(more, label="Log")
    second = (await ada.click(server.board(), label="My rack")).response.id
    await server.bot.router.close()
    left = {message.id for message in server.whispered("Ada")}
    assert {more.id, second} <= left
    assert first not in left


async def test_a_panel_whose_presses_are_refused_outlives_the_refusals(server: Server) -> None:
    await server.open("Ada", "Ben")
    eve = server.person("Eve")
    panel = (await eve.slash(server.channel, "table show")).response
    refusals = [(await eve.click(panel, label="My rack")).response.id for _ in range(4)]
    await server.bot.router.close()
    assert {message.id for message in server.whispered("Eve")} == {panel.id, refusals[-1]}


async def test_a_panel_that_opens_a_form_outlives_newer_ones(server: Server) -> None:
    ada = server.person("Ada")
    panel = (await ada.slash(server.channel, "dungeon solo")).response
    shown = []
    for _ in range(3):
        assert (await ada.click(panel, custom_id=custom_id(panel, "word"))).modal
        shown.append((await ada.slash(server.channel, "dungeon show")).response.id)
    await server.bot.router.close()
    assert {message.id for message in server.whispered("Ada")} == {panel.id, shown[-1]}


async def test_a_dungeon_that_took_the_place_of_the_manual_outlives_newer_manuals(server: Server) -> None:
    ada = server.person("Ada")
    manual = (await ada.slash(server.channel, "help")).response
    await ada.click(manual, label="A dungeon for me alone")
    for _ in range(3):
        await ada.slash(server.channel, "help")
    await server.bot.router.close()
    assert manual.id in {message.id for message in server.whispered("Ada")}
