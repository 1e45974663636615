"""``/settings privacy``: a person sees, takes and deletes what is stored of them; what is no move is not stored."""

from __future__ import annotations

import gzip
import json
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import structlog

from bot.tables.privacy import take_away
from tests.cogs.conftest import Server, custom_id, labels, text
from tests.cogs.rows import rows

LARGE = (25 << 20) + 1  # bytes, more than the simulated Discord takes
AUTOMATON = 3  # s in which an automaton that was seated has played


async def own(server: Server, name: str = "Ada") -> Any:
    answer = await server.person(name).slash(server.channel, "settings privacy")
    assert answer.ephemeral
    return answer.response


async def deleted(server: Server, name: str = "Ada") -> Any:
    ada = server.person(name)
    asked = (await ada.click(await own(server, name), label="Delete")).response
    answer = (await ada.click(asked, label="Delete everything")).response
    await server.env.advance_time(AUTOMATON)
    return answer


def held(server: Server, name: str) -> list[str]:
    """Return the database's tables that hold a person's id or name."""
    user = str(server.person(name).id)
    return [
        table
        for table, found in rows(server).items()
        for row in found
        for value in row
        if user in (said := value.decode("latin-1") if isinstance(value, bytes) else str(value))
        or name in said
    ]


async def test_who_never_played_has_nothing_stored(server: Server) -> None:
    shown = await own(server)
    assert "Nothing is stored about you." in text(shown)
    assert labels(shown) == []


async def test_what_is_stored_is_told_to_the_person_alone(server: Server) -> None:
    await server.open("Ada", "Ben")
    said = text(await own(server))
    assert "- 1 seat at a table, with your name" in said
    assert "- 1 table that you opened" in said
    assert "- 1 private message with your letters" in said
    assert "table that you opened" not in text(await own(server, "Ben"))
    private = await server.person("Ada").user.slash("settings privacy")
    assert "1 seat at a table" in text(private.response)


async def test_the_export_is_a_private_file_of_ones_own_rows(server: Server) -> None:
    await server.open("Ada", "Ben")
    result = await server.person("Ada").click(await own(server), label="Export")
    (answer,) = result.followups
    assert answer.ephemeral
    (file,) = answer.attachments
    assert file.filename == "wordmoot-your-data.json"
    raw = await file.read()
    told = json.loads(raw)
    assert told["user"] == str(server.person("Ada").id)
    assert [row["name"] for row in told["stored"]["seats"]["rows"]] == ["Ada"]
    assert str(server.person("Ben").id).encode() not in raw
    assert b"Ben" not in raw


async def test_an_export_too_large_for_discord_is_compressed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    privacy = server.bot.cogs["Settings"].privacy
    await server.open("Ada", "Ben")

    async def large(user: int) -> bytes:
        return b" " * LARGE

    monkeypatch.setattr(privacy, "export", large)
    result = await server.person("Ada").click(await own(server), label="Export")
    (file,) = result.followups[0].attachments
    assert file.filename.endswith(".json.gz")
    assert len(gzip.decompress(await file.read())) == LARGE


async def test_deleting_tells_first_what_it_leads_to(server: Server) -> None:
    await server.open("Ada", "Ben")
    await server.open("Ada", automata=1)
    await server.env.advance_time(AUTOMATON)
    await server.person("Ada").slash(server.channel, "play defenders")
    asked = (await server.person("Ada").click(await own(server), label="Delete")).response
    said = text(asked)
    assert "You leave 1 lobby." in said
    assert "At 1 live table an automaton plays on for you" in said
    assert "1 game without any other person ends." in said
    assert held(server, "Ada")
    kept = (await server.person("Ada").click(asked, label="Keep it")).response
    assert "3 seats at tables" in text(kept)
    assert held(server, "Ada")


async def test_after_deleting_nothing_names_the_person_and_the_board_does_not_either(server: Server) -> None:
    await server.open("Ada", "Ben")
    hand = server.hand("Ada").id
    answer = await deleted(server)
    assert answer.ephemeral
    assert "Nothing is stored about you any more." in text(answer)
    assert held(server, "Ada") == []
    board = text(server.board())
    assert "Ada" not in board
    dms = server.env.backend.messages[server.person("Ada").user.dm_channel.id]
    assert hand not in dms
    assert labels(await own(server)) == []


async def test_the_game_goes_on_for_the_others_after_a_restart_too(server: Server) -> None:
    await server.open("Ada", "Ben")
    await deleted(server)
    await server.restart()
    table = await server.bot.service.table(1)
    assert [(seat.name, seat.person) for seat in table.seats] == [("Player 1", False), ("Ben", True)]
    assert held(server, "Ada") == []
    assert "Ada" not in text(server.board())


async def test_a_deleted_person_s_old_buttons_show_nobody_s_hand(server: Server) -> None:
    board = await server.open("Ada", "Ben")
    await deleted(server)
    answer = await server.person("Ada").click(server.board(), custom_id=custom_id(board, "hand"))
    assert "You do not sit at this table" in text(answer.response)


async def test_who_comes_back_is_somebody_new(server: Server) -> None:
    await server.open("Ada", "Ben")
    await deleted(server)
    await server.person("Ada").slash(server.channel, "play defenders")
    assert "- 1 table that you opened" in text(await own(server))


async def test_deleting_with_private_messages_closed_stores_nothing_anew(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play defenders")
    hands = server.bot.router.hands
    response = SimpleNamespace(status=403, reason="Forbidden")
    refusal = discord.Forbidden(response, {"code": 50007, "message": "Cannot send messages to this user"})
    assert hands.refused(server.person("Ada").id, refusal)
    answer = await deleted(server)
    await server.person("Ada").slash(server.channel, "help")
    assert "Nothing is stored" in text(answer)
    assert held(server, "Ada") == []


async def test_a_private_message_that_discord_keeps_is_no_fault(server: Server) -> None:
    await server.open("Ada", "Ben")
    server.env.inject_error("DELETE", "/channels/*/messages/*", status=404, code=10008)
    assert "Nothing is stored" in text(await deleted(server))
    assert held(server, "Ada") == []


async def test_a_panel_shows_and_deletes_what_is_stored_of_who_presses(server: Server) -> None:
    """A panel is private; were its button pressed by another all the same, it would be about that person."""
    await server.open("Ada", "Ben")
    await deleted(server, "Ben")
    assert held(server, "Ada")
    assert held(server, "Ben") == []


@pytest.mark.parametrize(
    ("error", "done"), [((404, 10008), True), ((403, 50001), True), ((429, 0), False), (None, True)]
)
async def test_a_message_is_taken_away_or_past_that_or_asked_for_again(
    server: Server, error: tuple[int, int] | None, done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.open("Ada", "Ben")
    hand = server.hand("Ada")

    async def refused(message: object) -> None:
        assert error is not None
        status, code = error
        raise discord.HTTPException(SimpleNamespace(status=status, reason=""), {"code": code, "message": ""})

    if error is not None:
        monkeypatch.setattr(discord.PartialMessage, "delete", refused)
    channel = server.person("Ada").user.dm_channel.id
    assert await take_away(server.bot, channel, hand.id) is done
    assert (hand.id in server.env.backend.messages[channel]) is (error is not None)


# What is no move


async def test_a_message_that_is_no_move_changes_no_row_and_leaves_no_line(server: Server) -> None:
    await server.open("Ada", "Ben")
    before = rows(server)
    with structlog.testing.capture_logs() as logged:
        for name in ("Ada", "Ben", "Eve"):
            await server.person(name).send(server.channel, "My rack is QUIZZER, what is yours?")
        await server.person("Ada").send_dm("And this is just for you")
    assert rows(server) == before
    assert logged == []
    assert all(b"QUIZZER" not in file.read_bytes() for file in server.folder.rglob("*") if file.is_file())
