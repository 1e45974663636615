"""Hands by private message: whoever has their data deleted meanwhile is sent nothing any more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from tests.cogs.conftest import Server
from tests.cogs.test_company import contribute

ADA, BEN, CLEO = "Ada", "Ben", "Cleo"


def letters(server: Server, name: str) -> list[Any]:
    """Return the private messages to a person that are there now."""
    return server._in(server.person(name).user.dm_channel.id)


def during(
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    act: Callable[[], Awaitable[None]],
    *,
    after: bool,
) -> None:
    """Let something happen once, right before or after a step of the publisher has sent a hand."""
    publisher = server.bot.publisher
    send = getattr(publisher, step)
    done: list[bool] = []

    async def sending(*given: Any) -> Any:
        due = not done and any("hand/1" in (one, getattr(one, "audience", None)) for one in given)
        if due:
            done.append(True)
        if due and not after:
            await act()
        sent = await send(*given)
        if due and after:
            await act()
        return sent

    monkeypatch.setattr(publisher, step, sending)


async def test_a_hand_that_was_deleted_with_its_data_is_not_sent_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.open(ADA, BEN, CLEO)
    (hand,) = letters(server, BEN)
    user = server.person(BEN).user.id

    async def delete() -> None:
        await server.bot.store.forget(user)
        server.env.backend.messages[server.person(BEN).user.dm_channel.id].pop(hand.id)

    during(server, monkeypatch, "_edit", delete, after=False)
    await contribute(server, BEN, 1, 1)
    await server.env.advance_time(3)
    assert letters(server, BEN) == []
    assert "hand/1" not in await server.bot.store.messages(1)


async def test_a_hand_that_goes_out_while_its_data_is_deleted_is_taken_back(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def delete() -> None:
        await server.bot.store.forget(server.person(BEN).user.id)

    during(server, monkeypatch, "_post", delete, after=True)
    await server.open(ADA, BEN, CLEO)
    await server.env.advance_time(3)
    assert len(letters(server, ADA)) == 1
    assert letters(server, BEN) == []
    assert "hand/1" not in await server.bot.store.messages(1)


@pytest.mark.parametrize("minutes", [0, 51])
async def test_an_old_hand_that_takes_no_edits_leaves_no_letters_behind(
    server: Server, monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    await server.open(ADA, BEN, CLEO)
    (old,) = letters(server, BEN)
    await server.bot.store._write(
        lambda db: db.execute("UPDATE messages SET posted_at = posted_at - ?", (minutes * 60_000,))
    )
    edit = discord.PartialMessage.edit

    async def too_old(message: discord.PartialMessage, **content: Any) -> Any:
        if message.id == old.id:
            response = SimpleNamespace(status=400, reason="Bad Request")
            raise discord.HTTPException(response, {"code": 30046, "message": ""})  # type: ignore[arg-type]
        return await edit(message, **content)

    monkeypatch.setattr(discord.PartialMessage, "edit", too_old)
    await contribute(server, BEN, 1, 1)
    await server.env.advance_time(3)
    (hand,) = letters(server, BEN)
    assert hand.id != old.id
