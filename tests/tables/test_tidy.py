"""Older private messages go, and whatever cannot be deleted stays without harm."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import aiohttp
import discord
import pytest

from bot.tables.tidy import KEPT, TOKEN, Delete, Tidy

ADA, BEN = 1, 2


class Mailbox:
    """Private messages as Discord keeps them."""

    def __init__(self) -> None:
        self.now = 0
        self.deleted: list[int] = []
        self.tidy = Tidy(lambda: self.now)

    def message(self, number: int) -> dict[int, Delete]:
        async def delete() -> None:
            self.deleted.append(number)

        return {number: delete}

    def used(self, number: int, user: int = ADA, table: int = 7) -> None:
        self.tidy.used(user, table, self.message(number))


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


async def test_those_that_were_used_last_stay(mailbox: Mailbox) -> None:
    for number in range(KEPT):
        mailbox.used(number)
    mailbox.used(0)  # changed in place
    mailbox.used(KEPT)
    await asyncio.sleep(0)
    assert mailbox.deleted == [1]


async def test_each_person_and_each_table_has_messages_of_its_own(mailbox: Mailbox) -> None:
    for number in range(KEPT):
        mailbox.used(number)
        mailbox.used(100 + number, user=BEN)
        mailbox.used(200 + number, table=8)
    await asyncio.sleep(0)
    assert mailbox.deleted == []


async def test_an_answer_without_a_message_takes_none_away(mailbox: Mailbox) -> None:
    mailbox.used(0)
    for _ in range(KEPT + 1):
        mailbox.tidy.used(ADA, 7, {})
    await asyncio.sleep(0)
    assert mailbox.deleted == []


async def test_what_no_token_opens_any_more_is_left_alone(mailbox: Mailbox) -> None:
    mailbox.used(0)
    mailbox.now = TOKEN
    for number in range(1, KEPT + 2):
        mailbox.used(number)
    await asyncio.sleep(0)
    assert mailbox.deleted == [1]


def refused() -> Exception:
    return discord.NotFound(
        Mock(status=404, reason="Not Found"), {"code": 10008, "message": "Unknown Message"}
    )


@pytest.mark.parametrize("error", [refused, aiohttp.ServerDisconnectedError, TimeoutError])
async def test_a_message_that_is_gone_or_cannot_be_reached_is_no_matter(
    error: Callable[[], Exception], mailbox: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    async def delete() -> Any:
        raise error()

    mailbox.tidy.used(ADA, 7, {0: delete})
    for number in range(1, KEPT + 1):
        mailbox.used(number)
    await asyncio.sleep(0.01)
    await mailbox.tidy.close()
    assert caplog.records == []
