"""The bot in a simulated Discord: a server, a channel, people. No sockets, virtual time, a real database file."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.components import walk_components
from simcord.results import ResponseMessage

from bot.app import Wordmoot
from bot.games import GAMES
from bot.settings import Settings
from bot.tables.worker import Inline, Minds
from bot.words.lexicon import Lexicon

WORDS = (
    "AT",
    "CAD",
    "CAR",
    "CARS",
    "STREAM",
    "TEA",
    "EAT",
    "ATE",
    "ARE",
    "TEAM",
    "RATE",
    "NOTE",
    "TONE",
    "ON",
    "NO",
    "IT",
    "IN",
)


# The buttons of a question, or what stands there once it is answered.
VOTE = re.compile(r":vote_|### (End this game|Shall an automaton|Go back to)")
TRIES = 8  # a machine that is busy with other things is as late as that
SETTLE = 1.4  # s; simcord really waits for shorter sleeps, and the bot's that are to be virtual are longer


@dataclass
class Server:
    """A simulated server with the bot in it."""

    env: Any
    channel: Any
    folder: Path
    people: dict[str, Any] = field(default_factory=dict)

    @property
    def bot(self) -> Wordmoot:
        return self.env.bot

    def person(self, name: str) -> Any:
        if name not in self.people:
            self.people[name] = self.channel.guild.add_member(self.env.create_user(name))
        return self.people[name]

    async def restart(self) -> None:
        await self.bot.store.close()  # as a killed process would leave it: nothing drained
        await self.env.restart_bot(made(self.folder))

    def board(self) -> Any:
        """Return the last board or lobby in the channel; questions to the table are no boards."""
        seen = [message for message in self.said() if message.components and not message.ephemeral]
        return [message for message in seen if not VOTE.search(str(message.components))][-1]

    def said(self) -> list[ResponseMessage]:
        """Return every message in the channel, ephemeral ones of anybody among them."""
        return self._in(self.channel.id)

    def whispered(self, name: str) -> list[ResponseMessage]:
        """Return the ephemeral messages in the channel that a person has seen."""
        seen = {message.id for message in self.channel.history(viewer=self.person(name))}
        return [message for message in self.said() if message.ephemeral and message.id in seen]

    def _in(self, channel: int) -> list[ResponseMessage]:
        messages = self.env.backend.messages.get(channel, {}).values()
        return [ResponseMessage(self.env, message) for message in sorted(messages, key=lambda one: one.id)]

    def hand(self, name: str) -> Any:
        """Return the last private message to a person."""
        return self._in(self.person(name).user.dm_channel.id)[-1]

    async def open(self, *names: str, automata: int = 0, **options: Any) -> Any:
        """Open and start a table of Defenders; returns its board."""
        await self.person(names[0]).slash(self.channel, "play defenders", **options)
        for name in names[1:]:
            await self.person(name).click(self.board(), label="Join")
        for _ in range(automata):
            await self.person(names[0]).select(
                self.board(), ["0"], custom_id=custom_id(self.board(), "automaton")
            )
        await self.person(names[0]).click(self.board(), label="Start")
        return self.board()


def made(folder: Path) -> Wordmoot:
    """Return a bot on a folder, with a small lexicon and an automaton that thinks on the spot."""
    lexicon = Lexicon.of(WORDS)
    return Wordmoot(
        Settings(token="none", data=folder, ready_timeout=0.05, pace=0, dig_after=1e9, _env_file=None),
        lexicon=lexicon,
        thinker=Inline(Minds(GAMES, lexicon)),
        now=lambda: int(discord.utils.utcnow().timestamp() * 1000),
        beat=10_000,
        shard_count=1,
    )


def parts(message: Any) -> list[dict[str, Any]]:
    """Return every component of a message."""
    return list(walk_components(message.components))


def text(message: Any) -> str:
    """Return all that a message says."""
    return "\n".join([message.content, *(part["content"] for part in parts(message) if part["type"] == 10)])


def labels(message: Any) -> list[str]:
    """Return the labels of a message's buttons that can be pressed."""
    return [part["label"] for part in parts(message) if part["type"] == 2 and not part.get("disabled")]


def custom_id(message: Any, verb: str) -> str:
    """Return the custom id of the message's component with a verb."""
    ids = [str(part.get("custom_id", "")) for part in parts(message)]
    return next(name for name in ids if name.split(":")[3:4] == [verb])


def alt(message: Any) -> str:
    """Return the alt text of a message's picture."""
    return next(
        item["description"] for part in parts(message) if part["type"] == 12 for item in part["items"]
    )


@pytest.fixture
def simcord_bot(tmp_path: Path) -> Wordmoot:
    return made(tmp_path)


def patient(env: Any) -> None:
    """Let a simulated Discord wait on where a busy machine makes the bot late; what is stuck is stuck after that too."""
    settle = env._settle_internal

    async def settled(**how: Any) -> None:
        for _ in range(TRIES):
            try:
                return await settle(**how)
            except TimeoutError:
                if "_deadline" in how:  # within an advance, which is tried again as a whole
                    raise
        return await settle(**how)

    env._settle_internal = settled


@pytest.fixture
async def server(simcord_env: Any, tmp_path: Path) -> AsyncIterator[Server]:
    patient(simcord_env)
    yield Server(simcord_env, simcord_env.create_guild().create_text_channel("games"), tmp_path)
    await simcord_env.bot.shut()  # simcord detaches a bot; it does not close it


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents and item.get_closest_marker("simcord") is None:
            item.add_marker(pytest.mark.simcord(settle_timeout=SETTLE))
