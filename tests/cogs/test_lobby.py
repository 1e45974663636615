"""The lobby, as people meet it."""

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
    assert "6 POI in rising order and 90 VP" in text(server.board())


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


async def test_closing_a_lobby_takes_its_buttons(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play defenders")
    asked = await ada.slash(server.channel, "table end")
    await ada.click(asked.response, label="End the table")
    assert labels(server.board()) == []
    assert "closed" in text(server.board())
