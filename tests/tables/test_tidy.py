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


async def test_a_press_on_a_message_renews_its_place_whatever_the_answer_is(mailbox: Mailbox) -> None:
    for number in range(KEPT):
        mailbox.used(number)
    for refusal in range(KEPT, 9):
        mailbox.tidy.used(ADA, 7, mailbox.message(refusal), pressed=0)
    mailbox.tidy.used(ADA, 0, {}, pressed=0)  # a form was opened, which leaves nothing to see
    await asyncio.sleep(0)
    assert mailbox.deleted == list(range(1, 8))


async def test_a_press_on_a_message_does_not_lengthen_its_life(mailbox: Mailbox) -> None:
    mailbox.used(0)
    mailbox.now = TOKEN
    mailbox.tidy.used(ADA, 7, mailbox.message(1), pressed=0)
    for number in range(2, KEPT + 2):
        mailbox.used(number)
    await asyncio.sleep(0)
    assert mailbox.deleted == [1]


async def test_a_press_on_a_message_that_is_unknown_or_gone_is_no_matter(mailbox: Mailbox) -> None:
    for number in range(KEPT + 1):
        mailbox.used(number)
    for pressed in (0, 99):
        mailbox.tidy.used(ADA, 7, {}, pressed=pressed)
    await asyncio.sleep(0)
    assert mailbox.deleted == [0]


async def test_a_message_that_turns_to_another_table_counts_there_alone(mailbox: Mailbox) -> None:
    mailbox.used(0, table=0)
    mailbox.used(0, table=7)  # the manual became a map
    for number in range(1, KEPT + 1):
        mailbox.used(number, table=0)
    await asyncio.sleep(0)
    assert mailbox.deleted == []
    for number in range(10, 10 + KEPT):
        mailbox.used(number, table=7)
    await asyncio.sleep(0)
    assert mailbox.deleted == [0]


async def test_what_is_forgotten_for_room_is_no_matter_when_it_is_used_again(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.tables.tidy.PLACES", 2)
    for table in range(4):
        mailbox.used(table, table=table)
    for message in range(4):
        mailbox.tidy.used(ADA, 9, mailbox.message(message), pressed=message)
    await asyncio.sleep(0)
    assert mailbox.deleted == [0, 1]


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
