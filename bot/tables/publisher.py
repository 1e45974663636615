"""Brings Discord up to what is committed: the board in the channel, the hands in private messages.

Two tasks a table run while something is to be shown, one for the board and one for the hands, which may have to wait
for a private channel. Each message remembers the table's revision that it shows, so a
crash between the commit and the message heals at the next start. Ten quick moves make one picture: what is shown is
the latest commit, at most one request a second goes to a channel, and a message whose content would be the same is
left alone.

A board is edited in place. A new one is posted when the last was deleted, is buried under messages, or is older than
50 minutes (after an hour Discord refuses edits, 30046); the old one then loses its picture and buttons. A result is
posted below a few messages already, since nobody waits for the last board any more. A board whose
thread is gone goes to the channel that the thread was in. What a channel refuses is told in private (``places``).

After a start only what lags behind is shown, where people acted last first, and at few tables at once; a table at
which somebody moves never waits for those.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections import OrderedDict, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args

import discord
import structlog
from discord.ext import commands

from bot.games.game import IllegalMove
from bot.store.database import StoreError
from bot.store.rows import Message
from bot.tables.boards import board_of, hand_of
from bot.tables.chronicle import retold
from bot.tables.clock import snowflake_time
from bot.tables.easel import Easel
from bot.tables.face import Face, Panel
from bot.tables.hands import Hands
from bot.tables.layout import Epoch, layout, plain
from bot.tables.lobby import lobby_panel
from bot.tables.network import passes
from bot.tables.places import Places, Why, message_url
from bot.tables.servers import Servers
from bot.tables.service import Service
from bot.tables.table import Committed, Look, Table, Unreadable

OLD = 50 * 60_000  # ms; Discord's own limit for edits of a message is an hour
GATHER = 0.03  # s; lets the answer go first, and quick moves make one picture
BURIED = 12  # messages below the board
OUT_OF_SIGHT = 4  # messages below the board when the result comes
TOLD = 16  # moves of which the board tells
LONGEST_WAIT = 60.0  # s between two tries while Discord or the disk has a bad time
FINISHED = 24 * 3_600_000  # ms; a table that ended longer ago is not healed
HEALING = 8  # tables that are shown at once after a start
TWIN = 500  # ms; a message that is older than the request for it is an earlier try's
LOST = 4096  # deleted messages that are remembered
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ARCHIVED, TOO_OLD = 10003, 10008, 50083, 30046

Edited = Literal["done", "gone", "closed"]
Part = Literal["board", "hands"]
PARTS: tuple[Part, ...] = get_args(Part)
T = TypeVar("T")

log = structlog.get_logger()


class Locked(Exception):  # noqa: N818 - it is how the thread stands
    """An archived thread that the bot may not open again."""


async def reopening(bot: commands.AutoShardedBot, place: int, request: Callable[[], Awaitable[T]]) -> T:
    """Make a request to a channel or thread; an archived thread is opened again first, and asked once more.

    Raises Locked, and what the request raises.
    """
    try:
        return await request()
    except discord.HTTPException as error:
        if error.code != ARCHIVED:
            raise
    found = bot.get_channel(place) or await bot.fetch_channel(place)
    if isinstance(found, discord.Thread):
        try:
            await found.edit(archived=False)
        except discord.Forbidden as error:
            raise Locked from error
    return await request()


async def edited_or_deleted(message: discord.PartialMessage, **content: Any) -> bool:
    """Edit a message of ours; one that takes no edits any more is deleted. Whether it was edited."""
    try:
        await message.edit(**content)
    except (discord.RateLimited, discord.HTTPException) as error:
        if isinstance(error, discord.HTTPException) and error.code != TOO_OLD:
            raise
        await message.delete()
        return False
    return True


class Publisher:
    """Keeps the messages of all tables up to date.

    Args:
        pace: seconds between two requests to one channel; the first is never delayed.
        servers: asked whether hands come by private message; without them they do.
    """

    def __init__(
        self, bot: commands.AutoShardedBot, service: Service, faces: Mapping[str, Face], easel: Easel,
        hands: Hands, *, pace: float = 1.0, servers: Servers | None = None,
    ) -> None:  # fmt: skip
        self.bot = bot
        self.service = service
        self.faces = faces
        self.easel = easel
        self.hands = hands
        self.pace = pace
        self.servers = servers
        self.places = Places(bot)
        self._changed: set[tuple[int, Part]] = set()
        self._tasks: dict[tuple[int, Part], asyncio.Task[None]] = {}
        self._free: dict[int, float] = {}  # by channel: when the next request may go (monotonic)
        self._below: defaultdict[int, int] = defaultdict(int)  # by channel: messages since its last board
        self._boards: dict[int, int] = {}  # by channel: the last board
        self._backlog: deque[int] = deque()  # tables that lag since before the start
        self._healing: set[int] = set()
        self._lost: OrderedDict[int, None] = OrderedDict()  # messages that were deleted
        self._anew: set[int] = set()  # tables whose board is to be posted anew
        self._later: dict[int, asyncio.TimerHandle] = {}
        self._closing = False

    # What the bot tells the publisher

    def committed(self, table: int, what: Committed) -> None:
        """Hear of a commit (a listener of the service)."""
        self.show(table)

    def show(self, table: int) -> None:
        """See to it that the table's messages show what is committed."""
        if self._closing:
            return
        for part in PARTS:
            key = (table, part)
            self._changed.add(key)
            if key not in self._tasks:
                self._tasks[key] = asyncio.create_task(self._run(table, part), name=f"publish {part} {table}")

    def heard(self, message: discord.Message) -> None:
        """Count a message that may bury a board."""
        board = self._boards.get(message.channel.id)
        if board is not None and message.id > board:
            self._below[message.channel.id] += 1

    async def announce(self, table: Table, what: str | Panel) -> discord.Message | None:
        """Say something, or put a question, at a table; returns the message, or None when nobody was told.

        A channel that refuses it is no fault of the person's.
        """
        said = await self._announce(table, what)
        if said is not None:
            return said
        with contextlib.suppress(IllegalMove):
            now = await self.service.table(table.id)
            if (
                now.place != table.place
            ):  # its thread is gone, so it is shown in the channel of that from now on
                return await self._announce(now, what)
        return None

    async def _announce(self, table: Table, what: str | Panel) -> discord.Message | None:
        place = table.place
        if place is None or not self.places.there(table.guild) or self.places.barred(place, table.id):
            return None
        channel = self.bot.get_partial_messageable(place)

        async def said() -> discord.Message:
            if isinstance(what, str):
                return await channel.send(what[:2000])
            return await channel.send(view=layout(what, table.id, None))

        try:
            await self._turn(place)
            return await reopening(self.bot, place, said)
        except Locked:
            self._bar(table, place, "locked")
        except (discord.Forbidden, discord.NotFound) as error:
            await self._shut_out(table, error.code)
        except Exception as error:
            if not (passes(error) or isinstance(error, discord.HTTPException)):
                raise
            log.warning("not_announced", table=table.id, error=str(error))
        return None

    async def amend(self, table: int, channel: int, message: int, panel: Panel) -> bool:
        """Put a panel of a table in place of one that was announced; one that takes no edits any more is deleted.

        Whether the message shows the panel now.
        """
        found = self.bot.get_partial_messageable(channel).get_partial_message(message)

        try:
            await self._turn(channel)
            return await reopening(
                self.bot, channel, lambda: edited_or_deleted(found, view=layout(panel, table, None))
            )
        except Exception as error:
            if not (passes(error) or isinstance(error, discord.HTTPException | Locked)):
                raise
            log.info("not_amended", message=message, error=str(error))
            return False

    async def heal(self) -> int:
        """Show every table whose messages lag behind, a few at a time; returns how many there are."""
        tables = await self.service.store.unshown(self.service.now() - FINISHED)
        self._heal(tables)
        return len(tables)

    async def deleted(self, messages: Iterable[int]) -> None:
        """Hear that messages, perhaps of ours, were deleted: a board or a hand is posted anew."""
        for message in messages:
            self._lost[message] = None
            if len(self._lost) > LOST:
                self._lost.popitem(last=False)
            found = await self.service.store.message_at(message)
            if found is not None:
                self.show(found[0])

    async def place_deleted(self, guild: int, place: int) -> None:
        """Hear that a channel or a thread was deleted."""
        for table in await self.service.live_tables(guild):
            if place == table.place:
                await self._shut_out(table, UNKNOWN_CHANNEL)

    def permissions_changed(self, guild: int) -> None:
        """Hear that the bot may now do in a server what it could not: boards that were refused are shown."""
        for place, tables in self.places.changed(guild).items():
            self.hands.waive(_about(place))
            for table in tables:
                self.show(table)

    async def guild_back(self, guild: int, *, anew: bool = False) -> None:
        """Show what lags of a server that can be reached again; ``anew``: all its tables, with new boards."""
        store = self.service.store
        if anew:
            tables = await store.live_tables(guild)
            self._anew.update(tables)
        else:
            tables = await store.unshown(self.service.now() - FINISHED, guild)
        self._heal(tables)

    async def close(self) -> None:
        """Finish what is being sent; what is left over heals at the next start."""
        self._closing = True
        for timer in self._later.values():
            timer.cancel()
        self._changed.clear()
        self._backlog.clear()
        tasks = list(self._tasks.values())
        _, late = await asyncio.wait(tasks, timeout=5) if tasks else ((), ())
        for task in late:
            task.cancel()

    # The work

    def _heal(self, tables: Sequence[int]) -> None:
        """Show these tables, a few at a time; one that is being shown is shown once more."""
        for table in self._healing.intersection(tables):
            self.show(table)
        waiting = self._healing.union(self._backlog)
        self._backlog.extend(table for table in tables if table not in waiting)
        self._heal_more()

    def _heal_more(self) -> None:
        while self._backlog and len(self._healing) < HEALING and not self._closing:
            table = self._backlog.popleft()
            self._healing.add(table)
            self.show(table)

    def _healed(self, table: int) -> None:
        """Let the next one of the backlog be shown; a table that has to wait is not waited for."""
        if table in self._healing:
            self._healing.discard(table)
            self._heal_more()

    async def _run(self, table: int, part: Part) -> None:
        key, wait = (table, part), 1.0
        try:
            while key in self._changed:
                await asyncio.sleep(GATHER)
                self._changed.discard(key)
                try:
                    await (self._show_board(table) if part == "board" else self._show_hands(table))
                    wait = 1.0
                except IllegalMove as refusal:  # set aside, or deleted
                    log.info("not_published", table=table, part=part, reason=str(refusal))
                except Exception as error:
                    if not (passes(error) or isinstance(error, StoreError)):
                        log.exception("publish_failed", table=table, part=part)
                        continue
                    # Discord or the disk has a bad minute; the commit stands and is shown as soon as it can be.
                    if self._closing:
                        return
                    wait = max(wait, getattr(error, "retry_after", 0.0))
                    log.warning("publish_again", table=table, part=part, error=str(error), seconds=wait)
                    self._changed.add(key)
                    self._healed(table)
                    await asyncio.sleep(wait)
                    wait = min(wait * 2, LONGEST_WAIT)
        finally:
            del self._tasks[key]
            if not any((table, other) in self._tasks for other in PARTS):
                self._healed(table)

    async def _show_board(self, number: int) -> None:
        table = await self.service.table(number)
        place = table.place
        if place is None or not self.places.there(table.guild) or self.places.barred(place, number):
            return  # shown as soon as it can be: what was told in the meantime is in the database
        face = self.faces[table.game.key]
        old = (await self.service.store.messages(number)).get("board")
        if table.opened == 0:
            await self._board(table, lobby_panel(table, face), None, old)
            return
        look = await self.service.look(number, None)
        try:
            told = retold(await self.service.history(number, max(0, look.table.seq - TOLD)), table.game)
        except Unreadable:  # what has happened cannot be told; how it stands can
            told = ()
        await self._board(look.table, board_of(face, look, told), Epoch(look.epoch, everyone=True), old)

    async def _show_hands(self, number: int) -> None:
        table = await self.service.table(number)
        if table.opened == 0 or not self.places.there(table.guild):
            return
        face = self.faces[table.game.key]
        by_message = self.servers is None or (await self.servers.of(table.guild)).hands == "message"
        failed: Exception | None = None
        for seat in table.persons:
            messages = await self.service.store.messages(number)
            if seat.user is None or not (by_message or f"hand/{seat.seat}" in messages):
                continue
            look = await self.service.look(number, seat.seat)
            if not face.sends_hand(look.view):
                continue
            try:
                await self._hand(face, look, seat.user, messages)
            except Exception as error:  # whatever is wrong with one person's messages, the others get theirs
                failed = error
        if failed is not None:
            raise failed

    async def _board(self, table: Table, panel: Panel, epoch: Epoch | None, old: Message | None) -> None:
        place = table.place
        if place is None:
            return
        digest = _digest(panel, epoch)
        lost = old is not None and old.message in self._lost
        stale = old is not None and not lost and self._stale(table, old)
        try:
            if old is not None and not stale and not lost:
                edited = "done" if old.digest == digest else await self._edit(table, old, panel, epoch)
                if edited == "done":
                    await self._remember(table, "board", old, digest)
                    return
                lost, stale = edited == "gone", edited == "closed"
            if lost and table.stage == "over" and old is not None and old.shown >= table.revision:
                return  # whoever tidies up after a game is not to be bothered
            if lost and not self.places.repost(table.id):
                self._bar(table, place, "deleted")
                return
            home = self.bot.get_partial_messageable(place)
            new, twin = await self._post(table, home, "board", panel, epoch, old)
        except Locked:
            self._bar(table, place, "locked")
            return
        except (discord.Forbidden, discord.NotFound) as error:
            await self._shut_out(table, error.code)
            return
        self.places.opened(place)
        self._anew.discard(table.id)
        self._boards[place], self._below[place] = new.id, 0
        await self._store(table, "board", place, new.id, "" if twin else digest)
        if twin or new.id in self._lost:
            self._changed.add((table.id, "board"))
        if old is not None and stale:
            await self._retire(table, old, message_url(table.guild, place, new.id))

    def _stale(self, table: Table, old: Message) -> bool:
        """Whether the board is no longer where people look for it, or about to take no more edits."""
        return (
            old.channel != table.place
            or self.service.now() - old.posted_at > OLD
            or self._below[old.channel] >= (OUT_OF_SIGHT if _concluding(table, old) else BURIED)
            or table.id in self._anew
        )

    async def _shut_out(self, table: Table, code: int) -> None:
        """The channel of a table is gone or refuses its board; the game goes on in private meanwhile."""
        place = table.place
        assert place is not None
        log.warning("board_refused", table=table.id, channel=place, code=code)
        if code != UNKNOWN_CHANNEL:
            self._bar(table, place, "forbidden")
            return
        home = table.channel
        if (
            table.thread is None
            or table.stage == "over"
            or home is None
            or self.bot.get_channel(home) is None
        ):
            self._bar(table, place, "gone")
            return
        try:
            await self.service.set_place(table.id, channel=home)
        except (
            IllegalMove
        ) as refusal:  # somebody has moved meanwhile: the board is refused once more, then it moves
            log.info("not_moved", table=table.id, reason=str(refusal))
            self.show(table.id)

    def _bar(self, table: Table, place: int, why: Why) -> None:
        if self.places.bar(place, table.guild, table.id, why) and table.stage != "over":
            text = self.places.explain(place, why)
            for seat in table.persons:
                if seat.user is not None:
                    self.hands.owe(seat.user, _about(place), text)

    async def _hand(self, face: Face, look: Look, user: int, messages: Mapping[str, Message]) -> None:
        assert look.seat is not None
        audience = f"hand/{look.seat}"
        old = messages.get(audience)
        lost = old is not None and old.message in self._lost
        if look.table.stage == "over" and (old is None or (lost and old.shown >= look.table.revision)):
            return
        panel = hand_of(face, look)
        epoch = Epoch(look.epoch)
        digest = _digest(panel, epoch)
        if old is not None and not lost and old.digest == digest:
            await self._remember(look.table, audience, old, digest)
            return
        stale = old is not None and self.service.now() - old.posted_at > OLD
        try:
            if old is not None and not stale and not lost:
                edited = await self._edit(look.table, old, panel, epoch)
                if edited == "done":
                    await self._remember(look.table, audience, old, digest)
                    return
                stale = edited == "closed"
            if not await self._owns(look, user):  # what was deleted with their data is not to come again
                return
            channel = await self.hands.channel(user)
            if channel is None:  # closed, or too many new ones at once: the button shows the hand
                self._show_later(look.table.id, self.hands.wait(user))
                return
            new, twin = await self._post(look.table, channel, audience, panel, epoch, old)
        except discord.HTTPException as error:
            if not self.hands.refused(user, error):
                raise
            self._show_later(look.table.id, self.hands.wait(user))
            return
        self.hands.taken(user)
        await self._store(look.table, audience, new.channel.id, new.id, "" if twin else digest)
        if not await self._owns(
            look, user
        ):  # they had their data deleted meanwhile: it goes as the others went
            await self._take_back(look.table, audience, new)
            return
        if twin:
            self._changed.add((look.table.id, "hands"))
        if old is not None and stale:
            await self._retire(look.table, old, message_url(None, new.channel.id, new.id))

    async def _take_back(self, table: Table, audience: str, message: discord.Message) -> None:
        """Delete a private message and forget where it was."""
        try:
            await message.delete()
        except discord.NotFound:
            pass
        except Exception as error:  # where it was is theirs as well, so it is forgotten in any case
            log.warning("hand_not_deleted", table=table.id, error=str(error))
        await self.service.store.drop_message(table.id, audience)

    async def _owns(self, look: Look, user: int) -> bool:
        """Whether a seat is still that person's."""
        with contextlib.suppress(IllegalMove):  # the table is no more
            seats = (await self.service.table(look.table.id)).seats
            return any(seat.seat == look.seat and seat.user == user for seat in seats)
        return False

    def _show_later(self, table: int, seconds: float) -> None:
        """Look at a table again after a while; one timer a table."""
        if table in self._later or self._closing:
            return

        def now() -> None:
            del self._later[table]
            self.show(table)

        self._later[table] = asyncio.get_running_loop().call_later(seconds, now)

    async def _post(
        self,
        table: Table,
        channel: discord.PartialMessageable | discord.DMChannel,
        audience: str,
        panel: Panel,
        epoch: Epoch | None,
        old: Message | None,
    ) -> tuple[discord.Message, bool]:
        """Post a message; whether it is the one that an earlier try has posted already, perhaps of an older state."""
        await self._turn(channel.id)
        # By the nonce Discord knows a second copy when an answer was lost and the request is repeated, also after a
        # commit or a crash in between: it stands for the place behind the last message that is known to us.
        last = 0 if old is None else old.message
        nonce = hashlib.blake2b(f"{table.id}/{audience}/{last}".encode(), digest_size=12).hexdigest()
        begun = self.service.now()

        async def sent() -> discord.Message:
            content: dict[str, Any] = {"view": layout(panel, table.id, epoch)}
            if panel.picture is not None:
                content["file"] = await self.easel.attachment(panel.picture)
            return await channel.send(nonce=nonce, **content)

        new = await reopening(self.bot, channel.id, sent)
        return new, snowflake_time(new.id) < begun - TWIN

    async def _edit(self, table: Table, old: Message, panel: Panel, epoch: Epoch | None) -> Edited:
        """Edit a message, if it is not gone and Discord still lets it be edited."""
        await self._turn(old.channel)
        channel = self.bot.get_partial_messageable(old.channel)
        message = channel.get_partial_message(old.message)

        async def edited() -> None:
            picture = None if panel.picture is None else await self.easel.attachment(panel.picture)
            files = [] if picture is None else [picture]
            await message.edit(view=layout(panel, table.id, epoch), attachments=files)

        try:
            await reopening(self.bot, old.channel, edited)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return "gone"
        except discord.RateLimited:  # for longer than anybody would wait: too many edits of an old message
            return "closed"
        except discord.HTTPException as error:
            if error.code != TOO_OLD:
                raise
            return "closed"
        return "done"

    async def _retire(self, table: Table, old: Message, new: str) -> None:
        """Take picture, letters and buttons from a message that another (its URL) has replaced; nobody knows of it from now
        on.
        """
        where = "The result is below" if table.stage == "over" else "The game goes on below"
        message = self.bot.get_partial_messageable(old.channel).get_partial_message(old.message)
        try:
            await edited_or_deleted(message, view=plain(f"-# {where}: {new}"), attachments=[])
        except Exception as error:  # its buttons are refused by their epoch in any case
            log.info("board_not_retired", message=old.message, error=str(error))

    async def _turn(self, channel: int) -> None:
        """Wait until the channel may have the next request."""
        now = time.monotonic()
        free = self._free.get(channel, 0.0)
        self._free[channel] = max(now, free) + self.pace
        if free > now:
            await asyncio.sleep(free - now)
        if len(self._free) > 4096:
            self._free = {key: value for key, value in self._free.items() if value > now}

    async def _remember(self, table: Table, audience: str, old: Message, digest: str) -> None:
        if old.shown < table.revision or old.digest != digest:
            await self.service.store.update_message(
                table.id, Message(audience, old.channel, old.message, table.revision, old.posted_at, digest)
            )

    async def _store(self, table: Table, audience: str, channel: int, message: int, digest: str) -> None:
        await self.service.store.set_message(
            table.id, Message(audience, channel, message, table.revision, self.service.now(), digest)
        )


def _concluding(table: Table, board: Message) -> bool:
    """Whether the game has come to a result that the board does not show yet."""
    return table.result is not None and board.shown < table.revision


def _about(place: int) -> str:
    """Return the key of what people are told about a channel."""
    return f"place/{place}"


def _digest(panel: Panel, epoch: Epoch | None) -> str:
    return hashlib.blake2b(panel.fingerprint() + repr(epoch).encode(), digest_size=12).hexdigest()
