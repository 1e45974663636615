"""A game does not bury the channel in one's private messages."""

from __future__ import annotations

from tests.cogs.conftest import Server


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
