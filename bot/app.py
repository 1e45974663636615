"""The bot: puts the floors together, starts, recovers, and closes in good order.

``wordmoot run`` runs it on Discord. On SIGTERM or SIGINT it stops hearing, finishes what is being sent and closes the
database (an unclosed aiosqlite connection would keep the process alive).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import aiohttp
import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.games import GAMES
from bot.settings import BadSettings, Settings, from_environment
from bot.store.database import StoreError
from bot.store.lock import held
from bot.store.store import Store
from bot.tables.answer import Once
from bot.tables.automata import Automata
from bot.tables.caretaker import DAY, Caretaker
from bot.tables.clock import BEAT_LIVE, Clock, Timekeeper, wall_clock
from bot.tables.easel import Easel
from bot.tables.face import Face
from bot.tables.hands import Hands
from bot.tables.network import passes
from bot.tables.notices import Notices
from bot.tables.outages import Outages
from bot.tables.patience import LIVE, SLOW
from bot.tables.privacy import take_away
from bot.tables.publisher import Publisher
from bot.tables.reports import Reports
from bot.tables.router import Router
from bot.tables.servers import Presence, Servers
from bot.tables.service import Service
from bot.tables.voice import Voice
from bot.tables.watch import Watch, until_stored
from bot.tables.worker import Thinker, Worker
from bot.words.lexicon import Lexicon
from cogs.defenders import Defenders, DefendersFace
from cogs.dungeon import DungeonFace, WordDungeon
from cogs.dungeon.daily import Dailies
from cogs.help import Help
from cogs.settings import SettingsCog
from cogs.tables import Tables
from cogs.words import WordsCog

if TYPE_CHECKING:
    from bot.metrics import Metrics

T = TypeVar("T")

SWITCH = 0.0005  # s; the loop waits a tenth of the default for a thread that draws a picture

PRIVATE = 0o077  # umask: the database and the reports hold every hand, so they are for the bot's user alone

LONGEST_WAIT = 30.0  # s that a request waits for its turn; what Discord puts off for longer fails at once

log = structlog.get_logger()


class Tree(app_commands.CommandTree["Wordmoot"]):
    """The slash commands; one that Discord delivers twice runs once."""

    async def interaction_check(self, interaction: discord.Interaction[Wordmoot]) -> bool:
        """Whether a command is to run; all checks of who may do what are the commands' own."""
        return interaction.client.hears_command(interaction)


class Wordmoot(commands.AutoShardedBot):
    """The bot of one process, the owner of one database file.

    Args:
        settings: see ``bot.settings``.
        lexicon, thinker: others than the real ones, for tests.
        now: this machine's clock in ms.
        beat: ms between heartbeats while a live clock runs.
    """

    def __init__(
        self, settings: Settings, *, lexicon: Lexicon | None = None, thinker: Thinker | None = None,
        now: Callable[[], int] = wall_clock,
        beat: int = BEAT_LIVE, **options: Any,
    ) -> None:  # fmt: skip
        intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
        self.metrics = metered(settings)
        if self.metrics is not None:
            options["http_trace"] = self.metrics.trace
        super().__init__(
            command_prefix=commands.when_mentioned,
            tree_cls=Tree,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=settings.ready_timeout,
            max_ratelimit_timeout=LONGEST_WAIT,
            **options,
        )
        self.settings = settings
        self.beat = beat
        self.time = Timekeeper(now)
        self._lexicon = lexicon
        self._thinker = thinker
        self._opened = contextlib.AsyncExitStack()
        self._recovered = False
        self._deaf_since: int | None = None
        self._giving_back = asyncio.Lock()
        self._leaving = False
        self._finishing: asyncio.Task[None] | None = None
        self._pressed, self._commanded = Once(), Once()

    async def setup_hook(self) -> None:
        """Open the database, put the floors together, load the cogs, register changed commands."""
        self.settings.data.mkdir(parents=True, exist_ok=True)
        self.store = await Store.open(self.settings.database)
        self._opened.push_async_callback(self.store.close)
        lexicon = self._lexicon or Lexicon.load()
        self.servers = Servers(self.store, lexicon.offending)
        make_service = Service if self.metrics is None else self.metrics.service
        self.service = make_service(
            self.store,
            GAMES,
            lexicon,
            self.time.now,
            tables_a_guild=self.settings.tables_per_server,
            tables_a_user=self.settings.tables_per_player,
            dictionary=self.servers.dictionary,
            damaged=self._report_damage,
        )
        self.presence = Presence(self.service, self.servers, partial(take_away, self))
        self.outages = Outages(self.service)
        thinker = self._thinker or Worker()
        if self.metrics is not None:
            thinker = self.metrics.thinker(thinker)
        self._opened.push_async_callback(thinker.close)
        easel = Easel()
        self._opened.callback(easel.close)
        faces: Mapping[str, Face] = {face.key: face for face in (DefendersFace(), DungeonFace())}
        pace = self.settings.pace
        hands = Hands(self, self.store, gap=2 * pace, rest=60 * pace)
        self.publisher = Publisher(self, self.service, faces, easel, hands, pace=pace, servers=self.servers)
        self._opened.push_async_callback(self.publisher.close)
        self.service.listen(self.publisher.committed)
        self.reports = Reports(self.settings.reports, self.service)
        self.router = Router(
            self.service, faces, easel, self.publisher, hands, thinker, self.reports, self.servers,
            hint_gap=self.settings.hint_gap,
        )  # fmt: skip
        self.dailies = Dailies(self.store, self.time.now, thinker, after=self.settings.dig_after)
        self._opened.push_async_callback(self.dailies.close)
        self.clock = Clock(self.service, Automata(self.service, thinker), beat_live=self.beat)
        self._opened.push_async_callback(self.clock.close)
        self._take_care(faces)
        self._opened.push_async_callback(self.router.close)
        tables = Tables(self, self.router, self.notices)
        for cog in (
            tables,
            Defenders(self.router, tables),
            WordDungeon(self.router, tables, self.dailies),
            SettingsCog(self, self.router, self.servers, lexicon),
            WordsCog(self, self.router, self.servers, lexicon),
            Help(self, self.router),
        ):
            await self.add_cog(cog)
        await self.add_cog(Watch(self, self.publisher, self.outages))
        await self._register_commands()
        if self.metrics is not None and self.settings.metrics_port is not None:
            self._opened.push_async_callback(self.metrics.close)
            await self.metrics.start(self, self.settings.metrics_host, self.settings.metrics_port)

    def _take_care(self, faces: Mapping[str, Face]) -> None:
        """Set up who calls people to their tables and looks after what they leave behind."""
        settings = self.settings
        voice = Voice(self, self.publisher.places)
        live, slow = LIVE.at(*settings.notices_live), SLOW.at(*settings.notices_slow)
        self.notices = Notices(self.service, faces, voice, live=live, slow=slow)
        self.caretaker = Caretaker(
            self.service,
            self.notices,
            self.publisher,
            self.presence,
            lambda: self._deaf_since is None and not self._giving_back.locked(),
            every=int(settings.rounds * 1_000),
            lobby=settings.lobby_minutes * 60_000,
            idle=settings.idle_days * DAY,
        )
        self._opened.push_async_callback(self.caretaker.close)

    async def _report_damage(self, table: int, error: Exception) -> str:
        """Leave a report of a table whose record cannot be read; returns its code."""
        return await self.reports.write(error, table)

    async def _register_commands(self) -> None:
        """Tell Discord the commands when they are others than last time; syncing is rationed."""
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.blake2b(
            f"{self.application_id}/{json.dumps(payload, sort_keys=True, default=str)}".encode(),
            digest_size=16,
        ).hexdigest()
        if await self.store.fact("commands") != digest:
            try:
                await self.tree.sync()
            except Exception as error:
                if not passes(error):
                    raise
                log.warning("commands_not_registered", error=str(error))  # the next start tries again
                return
            await self.store.set_fact("commands", digest)

    async def on_ready(self) -> None:
        """Give back the time that the bot was down, then show what is not shown yet."""
        if self._recovered:
            await self._hear_again()
            return
        self._recovered = True
        await self._compare()
        lost = await self._step("recover", self.clock.recover)
        await self._step("clock", self.clock.start)
        healed = await self._step("heal", self.publisher.heal)
        self.caretaker.start(lost or 0)
        self.dailies.start()
        log.info("ready", user=str(self.user), guilds=len(self.guilds), healed=healed)

    async def _compare(self) -> None:
        """Learn which servers have come and gone while nobody could tell."""
        guilds = list(self.guilds)
        here = [guild.id for guild in guilds if not guild.unavailable]
        await self._step("servers", lambda: self.presence.compare(guild.id for guild in guilds))
        await self._step("outages", lambda: self.outages.compare(here))

    async def _step(self, step: str, work: Callable[[], Awaitable[T]]) -> T | None:
        """Do what cannot be left out; None, with a report, when it fails: what comes after it is done all the same."""
        try:
            return await until_stored(work)
        except Exception as error:
            log.error("step_failed", step=step, code=await self.reports.write(error, None))
            return None

    async def on_disconnect(self) -> None:
        """Note since when nobody can be heard."""
        if self._recovered and self._deaf_since is None:
            self._deaf_since = self.time.now()
            self.clock.hold()

    async def on_resumed(self) -> None:
        """Forget the gap: Discord has just told what happened in it."""
        self._deaf_since = None
        async with self._giving_back:
            await self._release()

    async def _hear_again(self) -> None:
        """Give the tables back, once, the time of a gap that ended without RESUME."""
        since, self._deaf_since = self._deaf_since, None  # from here on another gap may begin
        async with self._giving_back:
            if since is not None:
                lost = self.time.now() - since
                await self._step("gap", lambda: self.clock.gap(lost))
            await self._release()
        await self._compare()

    async def _release(self) -> None:
        """Let the clock strike again, unless there is a new gap."""
        if self._deaf_since is None:
            await self._step("release", self.clock.release)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Hear presses and forms, each once; commands come through their cogs."""
        if self._leaving:
            return  # the person's Discord says that it failed, and the next process hears the next press
        if not self._pressed.first(interaction.id):
            log.info("heard_twice", interaction=interaction.id)
            return
        if self.metrics is not None:
            self.metrics.heard(interaction.id)
        self.time.observe(int(interaction.created_at.timestamp() * 1000))
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            await self.router.hear(interaction)

    def hears_command(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether a command, or what one types into it, comes for the first time and while the bot runs."""
        return not self._leaving and self._commanded.first(interaction.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on with the tables of a server that has invited the bot again; their boards are posted anew."""
        await until_stored(lambda: self.presence.joined(guild.id))
        await until_stored(lambda: self.publisher.guild_back(guild.id, anew=True))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Let the tables of a server that has removed the bot stand still."""
        await until_stored(lambda: self.presence.left(guild.id))

    async def on_message(self, message: discord.Message) -> None:
        """Hear messages only to know when a board is buried."""
        self.publisher.heard(message)

    async def close(self) -> None:
        """Finish what is being sent, shut, then leave Discord; once more does nothing."""
        self._leaving = True
        if self._finishing is None:
            self._finishing = asyncio.create_task(self._finish())
        await asyncio.shield(self._finishing)  # whoever asks, and however often: it is done once, in order

    async def _finish(self) -> None:
        await self.shut()
        await super().close()

    async def shut(self) -> None:
        """Close what ``setup_hook`` opened, in the opposite order; once more does nothing."""
        await self._opened.aclose()


class _Unfailing:
    """A stream for the log that swallows what it cannot write: a full disk is no reason to answer nobody."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or do not."""
        with contextlib.suppress(OSError):
            return self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, or do not."""
        with contextlib.suppress(OSError):
            self._stream.flush()


def metered(settings: Settings) -> Metrics | None:
    """Return the metrics that the settings ask for; their library is loaded only then."""
    if settings.metrics_port is None:
        return None
    from bot.metrics import Metrics

    return Metrics(settings.database)


def configure_logs(as_json: bool) -> None:
    """Send one line an event to standard error, discord.py's own warnings among them."""
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(_Unfailing(sys.stderr)),  # type: ignore[arg-type]
    )
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks here
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")


async def _serve(settings: Settings) -> int:
    loop = asyncio.get_running_loop()
    bot = Wordmoot(settings)
    running = asyncio.create_task(bot.start(settings.token.get_secret_value()))
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, lambda: loop.create_task(bot.close()))
    try:
        await running
    except discord.LoginFailure:
        print("Discord does not accept the token in WORDMOOT_TOKEN.", file=sys.stderr)
        return 1
    except discord.PrivilegedIntentsRequired as error:
        print(f"An intent is not granted: {error}", file=sys.stderr)
        return 1
    except StoreError as error:
        print(error, file=sys.stderr)
        return 1
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        print(f"Discord cannot be reached: {error}. Try again later.", file=sys.stderr)
        return 1
    finally:
        await bot.close()
    return 0


def main_bot() -> int:
    """Run the bot from the environment until SIGTERM or SIGINT; returns the exit status."""
    os.umask(PRIVATE)
    try:
        settings = from_environment(Settings)
    except BadSettings as error:
        print(error, file=sys.stderr)
        return 2
    configure_logs(settings.log_json)
    sys.setswitchinterval(SWITCH)
    try:
        with held(settings.data):
            return asyncio.run(_serve(settings))
    except StoreError as error:
        print(error, file=sys.stderr)
        return 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Say where settings come from; ``wordmoot run`` has no options of its own."""
    parser.epilog = "Settings come from the environment: " + ", ".join(
        f"WORDMOOT_{name.upper()} ({field.description})" for name, field in Settings.model_fields.items()
    )


def run(arguments: argparse.Namespace) -> int:
    """Run ``wordmoot run``."""
    return main_bot()
