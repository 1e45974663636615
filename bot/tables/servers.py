"""What a server has settled for its tables, and whether the bot is still there.

Settings are one value a server, kept as JSON; what a release adds later has a default. The words that a server has
added or barred are fixed for a table at its deal (``Service.dictionary``). A server that removes the bot keeps its
tables for 30 days, paused; when it invites the bot again they go on where they were.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal

import discord
import msgspec
import structlog

from bot.games.game import IllegalMove
from bot.store.store import Store
from bot.tables.ask import moderates
from bot.tables.service import Service

MOST_WORDS = 200  # that a server adds, and that it bars
LETTERS = range(2, 16)  # of such a word
REMEMBERED = 1_024  # servers whose settings are kept in memory
CHANNELS = 8  # private channels from which messages are taken away at once
KEPT = 30 * 86_400_000  # ms that the data of a server is kept after it has removed the bot

log = structlog.get_logger()


class ServerSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of one server; the defaults suit a server that has never set anything."""

    channels: tuple[int, ...] = ()  # where tables may open, threads of them included; none: everywhere
    place: Literal["choose", "channel", "thread"] = "choose"  # of a new table
    hands: Literal["message", "button"] = "message"  # by private message and button, or by the button alone
    pace: Literal["live", "slow"] = "live"  # of a new table, unless its opener says otherwise
    ending: Literal["players", "opener", "managers"] = "players"  # who may end a live table
    added: tuple[str, ...] = ()  # words that are legal here, in alphabetical order
    barred: tuple[str, ...] = ()  # words that are not
    mild: bool = False  # words that offend are not legal either

    def allows(self, channel: int, parent: int | None = None) -> bool:
        """Whether a table may open in a channel, or in the thread ``channel`` of the channel ``parent``."""
        return not self.channels or channel in self.channels or parent in self.channels


class WordLists(msgspec.Struct, frozen=True):
    """The words that a server adds to the lexicon and those that it bars, as somebody has just read or typed them."""

    added: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()

    @classmethod
    def of(cls, settings: ServerSettings) -> WordLists:
        """Return the lists of a server."""
        return cls(frozenset(settings.added), frozenset(settings.barred))

    def merged(self, base: WordLists, typed: WordLists) -> WordLists:
        """Return these lists with what somebody changed who edited ``base`` into ``typed``.

        Two people who edit the same lists at once thus undo nothing of each other. A word that one adds and the other
        bars is barred.
        """
        added = (self.added - (base.added - typed.added)) | (typed.added - base.added)
        barred = (self.barred - (base.barred - typed.barred)) | (typed.barred - base.barred)
        return WordLists(added - barred, barred)

    def put(self, settings: ServerSettings) -> ServerSettings:
        """Return the settings with these lists."""
        return msgspec.structs.replace(
            settings, added=tuple(sorted(self.added)), barred=tuple(sorted(self.barred))
        )


class Servers:
    """The settings and the presence of all servers.

    Args:
        offending: returns the words that offend; called in a thread.
    """

    def __init__(self, store: Store, offending: Callable[[], Iterable[str]]) -> None:
        self.store = store
        self._offending = offending
        self._coder = msgspec.json.Encoder(order="deterministic")
        self._decoder = msgspec.json.Decoder(ServerSettings)
        self._known: OrderedDict[int, ServerSettings] = OrderedDict()
        self._changing = asyncio.Lock()

    async def of(self, guild: int | None) -> ServerSettings:
        """Return a server's settings; the defaults for None (a private table)."""
        if guild is None:
            return ServerSettings()
        if guild not in self._known:
            stored = await self.store.server(guild)
            if guild not in self._known:  # else it was changed while it was read
                self._remember(guild, self._decoded(guild, stored))
        return self._known[guild]

    async def change(self, guild: int, **fields: Any) -> ServerSettings:
        """Set some of a server's settings and return them all."""
        return await self.edit(guild, lambda settings: msgspec.structs.replace(settings, **fields))

    async def edit(self, guild: int, edit: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Change a server's settings as ``edit`` does, which sees those of now and nobody in between."""
        async with self._changing:
            changed = edit(await self.of(guild))
            await self.store.set_server(
                guild, None if changed == ServerSettings() else self._coder.encode(changed)
            )
            self._remember(guild, changed)
            return changed

    async def dictionary(self, guild: int) -> Mapping[str, bool]:
        """Return how a server changes the lexicon: word, and whether it is legal there; for the deal."""
        settings = await self.of(guild)
        barred = await asyncio.to_thread(self._offending) if settings.mild else ()
        return {
            **dict.fromkeys(sorted(barred), False),
            **dict.fromkeys(settings.barred, False),
            **dict.fromkeys(settings.added, True),
        }

    def forget(self, guild: int) -> None:
        """Read a server's settings anew."""
        self._known.pop(guild, None)

    def _decoded(self, guild: int, raw: bytes | None) -> ServerSettings:
        """Return what is stored; a damaged record must not keep a server from playing."""
        try:
            return ServerSettings() if raw is None else self._decoder.decode(raw)
        except msgspec.DecodeError as error:
            log.error("settings_damaged", guild=guild, error=str(error))
            return ServerSettings()

    def _remember(self, guild: int, settings: ServerSettings) -> None:
        self._known[guild] = settings
        self._known.move_to_end(guild)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


class Presence:
    """Follows from which servers the bot is removed, and to which it is invited again.

    Args:
        take_away: deletes a private message, (channel, message); False when that is to be tried again another day.
    """

    def __init__(
        self,
        service: Service,
        servers: Servers,
        take_away: Callable[[int, int], Awaitable[bool]] | None = None,
    ) -> None:
        self.service = service
        self.servers = servers
        self.store = service.store
        self._take_away = take_away

    async def left(self, guild: int) -> None:
        """The bot was removed from a server: its tables stand still from now on.

        Once more does what an earlier try has left over.
        """
        await self.store.set_presence(guild, self.service.now())
        left_at = await self.store.left_at(guild)  # what was noted first stands
        assert left_at is not None
        await self.service.halt(guild, left_at)
        log.info("server_left", guild=guild)

    async def joined(self, guild: int) -> None:
        """The bot was invited, perhaps again: tables that stood still because it was not there go on."""
        left_at = await self.store.left_at(guild)
        if left_at is None:
            return
        await self.service.go_on(guild, left_at)
        await self.store.set_presence(guild, None)  # last, so that a crash before it leaves no table behind
        log.info("server_joined", guild=guild)

    async def compare(self, guilds: Iterable[int]) -> None:
        """Learn at the start what happened while the bot was down; ``guilds`` are those that it is in."""
        here, gone = frozenset(guilds), frozenset(await self.store.left())
        for guild in (await self.store.guilds()) - here - gone:
            await self.left(guild)
        for guild in gone & here:
            await self.joined(guild)

    async def purge(self) -> int:
        """Delete what is stored of servers that removed the bot 30 days ago; returns how many servers.

        The private messages of their tables go first, since nobody would find them afterwards.
        """
        deleted = 0
        for guild in await self.store.left(self.service.now() - KEPT):
            if not await self._messages_taken_away(guild):
                continue
            tables = await self.store.delete_server(guild)
            self.servers.forget(guild)
            deleted += 1
            log.info("server_deleted", guild=guild, tables=tables)
        return deleted

    async def _messages_taken_away(self, guild: int) -> bool:
        """Delete the private messages of a server's tables, some channels at once; False when some are left over."""
        if self._take_away is None:
            return True
        take_away, turn = self._take_away, asyncio.Semaphore(CHANNELS)
        channels: dict[int, list[tuple[int, str, int]]] = {}
        for table, audience, channel, message in await self.store.private_messages(guild):
            channels.setdefault(channel, []).append((table, audience, message))

        async def emptied(channel: int) -> bool:
            async with turn:
                for table, audience, message in channels[channel]:
                    if not await take_away(channel, message):
                        return False
                    await self.store.drop_message(table, audience)
                return True

        return all(await asyncio.gather(*map(emptied, channels)))


def check_channel(
    interaction: discord.Interaction[Any],
    settings: ServerSettings,
    channel: int,
    parent: int | None,
    *,
    guild: int | None = None,
) -> None:
    """Raise IllegalMove when the server wants no tables in a channel, or in the thread ``channel`` of ``parent``.

    Channels that are gone count no more. ``guild``: the server, where it is not the one in which the person is.
    """
    server = interaction.guild if guild is None else interaction.client.get_guild(guild)
    there = [
        one for one in settings.channels if server is None or server.get_channel_or_thread(one) is not None
    ]
    if not there or settings.allows(channel, parent):
        return
    where = ", ".join(f"<#{one}>" for one in there)
    more = " You can change that with /settings." if moderates(interaction) else ""
    raise IllegalMove(f"On this server tables open in {where}.{more}")
