"""Where boards stand: whether a channel takes them now, and what to tell people when it does not.

A channel that refuses a board is barred: no commit asks it again until Discord tells that something there has changed,
or ten minutes have gone by. The people at the table are told once, in private, what is missing. The same holds where
somebody, a moderator's bot perhaps, deletes each board as soon as it stands. Of a server that has removed the bot, or
that has an outage, nothing is asked at all.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import discord
from discord.ext import commands

Why = Literal["gone", "forbidden", "locked", "deleted"]

BARRED = 600.0  # s until a barred channel is asked again although nothing is known to have changed
REMEMBERED = 4096  # barred channels
REPOSTS = 3  # boards posted anew in so many seconds because the last was deleted
# What a board needs, and what to call it: as Discord writes it in a channel's settings.
PERMISSIONS = {
    "read_messages": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "create_public_threads": "Create Public Threads",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
VIEW = discord.Permissions(view_channel=True)
CHANNEL = discord.Permissions(view_channel=True, send_messages=True, attach_files=True)
THREAD = discord.Permissions(view_channel=True, send_messages_in_threads=True, attach_files=True)


@dataclass
class _Bar:
    """A channel that takes no board, and the tables that have theirs there."""

    why: Why
    guild: int | None
    until: float
    tables: set[int] = field(default_factory=set)


class Places:
    """What is known of the channels of boards. ``now`` is a clock in seconds that only goes on."""

    def __init__(self, bot: commands.AutoShardedBot, now: Callable[[], float] = time.monotonic) -> None:
        self.bot = bot
        self._now = now
        self._bars: dict[int, _Bar] = {}
        self._reposts: OrderedDict[int, deque[float]] = OrderedDict()

    def there(self, guild: int | None) -> bool:
        """Whether the bot is in that server, and the server is not in an outage; None is no server."""
        if guild is None:
            return True
        found = self.bot.get_guild(guild)
        return found is not None and not found.unavailable

    def barred(self, place: int, table: int) -> bool:
        """Whether a channel is not to be asked now; the table is remembered for when it may be."""
        bar = self._bars.get(place)
        if bar is None:
            return False
        bar.tables.add(table)
        return bar.until > self._now()

    def bar(self, place: int, guild: int | None, table: int, why: Why) -> bool:
        """Ask a channel no more for a while. Whether that is new, so that people are to be told."""
        old = self._bars.pop(place, None)
        tables = {table} if old is None else old.tables | {table}
        if len(self._bars) >= REMEMBERED:
            del self._bars[next(iter(self._bars))]  # it is asked again, and refuses again
        self._bars[place] = _Bar(why, guild, self._now() + BARRED, tables)
        return old is None or old.why != why or table not in old.tables

    def opened(self, place: int) -> None:
        """A channel has taken a board."""
        self._bars.pop(place, None)

    def changed(self, guild: int) -> dict[int, set[int]]:
        """Something in a server has changed: return the channels to be asked again, with their tables."""
        free = {
            place: bar.tables
            for place, bar in self._bars.items()
            if bar.guild == guild and bar.why in ("forbidden", "locked") and not self.lacking(place)
        }
        for place in free:
            del self._bars[place]
        return free

    def repost(self, table: int) -> bool:
        """Whether a board that was deleted may be posted anew: three times in ten minutes, and that was one."""
        times = self._reposts.setdefault(table, deque())
        self._reposts.move_to_end(table)
        if len(self._reposts) > 1024:
            self._reposts.popitem(last=False)
        now = self._now()
        while times and times[0] <= now - BARRED:
            times.popleft()
        if len(times) >= REPOSTS:
            return False
        times.append(now)
        return True

    def lacking(self, place: int) -> tuple[str, ...]:
        """Return the names of the permissions that a board needs and the bot has not, as far as it knows."""
        channel = self.bot.get_channel(place)
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return ()
        if isinstance(channel, discord.Thread) and channel.parent is None:
            return ()
        needed = THREAD if isinstance(channel, discord.Thread) else CHANNEL
        lacking, me = needed & ~channel.permissions_for(channel.guild.me), channel.guild.me
        if lacking.read_messages:  # Discord takes all else away along with it
            return permission_names(VIEW)
        sends = not (lacking.send_messages or lacking.send_messages_in_threads)
        home = channel.parent if isinstance(channel, discord.Thread) else channel
        lacking.attach_files = lacking.attach_files and (sends or _denies_files(home, me))
        return permission_names(lacking)

    def explain(self, place: int, why: Why) -> str:
        """Return what to tell the people whose board cannot be shown, and what they can do."""
        meanwhile = "The game goes on: /table show shows the board, /table hand what you hold."
        if why == "gone":
            return f"The channel of your table was deleted. {meanwhile}"
        if why == "locked":
            return f"The thread <#{place}> is locked, so I cannot show the board there. {meanwhile}"
        if why == "deleted":
            return f"Somebody deletes my boards in <#{place}>, so I have stopped posting them for now. {meanwhile}"
        lacking = self.lacking(
            place
        )  # empty when it is a role or a server's own rule that I cannot see through
        what = (
            f"there I lack {', '.join(lacking)}"
            if lacking
            else f"there I need {', '.join(permission_names(CHANNEL))}"
        )
        return f"I cannot show the board in <#{place}>: {what}. Ask who manages the server. {meanwhile}"


def message_url(guild: int | None, channel: int, message: int) -> str:
    """Return the address of a message; ``guild`` None: in a private channel."""
    return f"https://discord.com/channels/{'@me' if guild is None else guild}/{channel}/{message}"


def permission_names(permissions: discord.Permissions) -> tuple[str, ...]:
    """Return the names of permissions, as Discord writes them."""
    return tuple(PERMISSIONS.get(name, name) for name, granted in permissions if granted)


def _denies_files(channel: Any, me: discord.Member) -> bool:
    """Whether files are denied themselves, and not along with sending."""
    told = {
        overwrite.attach_files
        for target, overwrite in channel.overwrites.items()
        if target == me or target in me.roles
    }
    return False in told or not (True in told or me.guild_permissions.attach_files)
