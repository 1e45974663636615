"""An answer finds its way to its reader when what was pressed is no longer there."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.tables.answer import GONE, Answer
from bot.tables.easel import Easel
from bot.tables.face import Panel


def refused(code: int) -> discord.NotFound:
    return discord.NotFound(Mock(status=404, reason="Not Found"), {"code": code, "message": "Unknown"})


def pressed(*, deferred: bool = False) -> Any:
    """A press on a private message that has been deleted meanwhile."""
    message = Mock(id=7)
    message.flags.ephemeral = True
    interaction = Mock(id=1, message=message, type=discord.InteractionType.component)
    interaction.response.is_done = Mock(return_value=deferred)
    interaction.response.edit_message = AsyncMock(side_effect=refused(GONE))
    interaction.edit_original_response = AsyncMock(side_effect=refused(GONE))
    interaction.response.send_message = AsyncMock(return_value=Mock(message_id=8))
    interaction.followup.send = AsyncMock(return_value=Mock(id=8))
    return interaction


@pytest.mark.parametrize("deferred", [False, True])
async def test_a_panel_comes_anew_when_the_one_that_was_pressed_is_gone(deferred: bool) -> None:
    interaction = pressed(deferred=deferred)
    answer = Answer(interaction, Easel())
    await answer.panel(Panel("Here it is"), 1, None)
    answer.close()
    assert interaction.response.send_message.await_count == (not deferred)
    assert interaction.followup.send.await_count == deferred
    assert list(answer.shown) == [8]


async def test_an_answer_to_nobody_is_given_up() -> None:
    interaction = pressed()
    interaction.response.edit_message.side_effect = refused(10062)
    answer = Answer(interaction, Easel())
    await answer.panel(Panel("Too late"), 1, None)
    answer.close()
    assert interaction.response.send_message.await_count == 0
    assert not answer.shown
