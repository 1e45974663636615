"""Brings Discord up to what is committed: the board in the channel, the hands in private messages.

Two tasks a table run while something is to be shown, one for the board and one for the hands, which may have to wait
for a private channel. Each message remembers the table's revision that it shows, so a
crash between the commit and the message heals at the next start. Ten quick moves make one picture: what is shown is
the latest commit, at most one request a second goes to a channel, and a message whose content would be the same is
left alone.

A board is edited in place. A new one is posted when the last was deleted, is buried under messages, or is older than
50 minutes (after an hour Discord refuses edits, 30046); the old one then loses its picture and buttons.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Literal, get_args

import discord
import msgspec
import structlog
from discord.ext import commands

from bot.store.store import Message, Seat, StoreError
from bot.tables.easel import Easel
from bot.tables.face import Face, Panel, Shown
from bot.tables.hands import Hands
from bot.tables.layout import Epoch, escaped, layout, plain
from bot.tables.lobby import lobby_panel
from bot.tables.service import Committed, Look, Service, Table

OLD = 50 * 60_000  # ms; Discord's own limit for edits of a message is an hour
GATHER = 0.03  # s; lets the answer go first, and quick moves make one picture
BURIED = 12  # messages below the board
TOLD = 16  # moves of which the board tells
FINISHED = 24 * 3_600_000  # ms; a table that ended longer ago is not healed
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ARCHIVED, TOO_OLD = 10003, 10008, 50083, 30046

Part = Literal["board", "hands"]
PARTS: tuple[Part, ...] = get_args(Part)

log = structlog.get_logger()


def shown_of(table: Table) -> Shown:
    """Return what a face is told about a table; names are escaped."""
    return Shown(
        table.id,
        tuple(_name(seat) for seat in table.seats),
        tuple(seat.person for seat in table.seats),
        None if table.due is None or table.paused_at is not None else table.due // 1000,
        table.paused_at is not None,
    )


def _name(seat: Seat) -> str:
    """Return who sits there; an automaton that stands in for a person says so."""
    stands_in = not seat.person and seat.user is not None
    return f"{escaped(seat.name)} (automaton)" if stands_in else escaped(seat.name)


class Publisher:
    """Keeps the messages of all tables up to date.

    Args:
        pace: seconds between two requests to one channel; the first is never delayed.
    """

    def __init__(
        self, bot: commands.AutoShardedBot, service: Service, faces: Mapping[str, Face], easel: Easel,
        hands: Hands, *, pace: float = 1.0,
    ) -> None:  # fmt: skip
        self.bot = bot
        self.service = service
        self.faces = faces
        self.easel = easel
        self.hands = hands
        self.pace = pace
        self._changed: set[tuple[int, Part]] = set()
        self._tasks: dict[tuple[int, Part], asyncio.Task[None]] = {}
        self._free: dict[int, float] = {}  # by channel: when the next request may go (monotonic)
        self._below: defaultdict[int, int] = defaultdict(int)  # by channel: messages since its last board
        self._boards: dict[int, int] = {}  # by channel: the last board
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

    async def announce(self, table: Table, what: str | Panel) -> None:
        """Say something, or put a question, at a table; a channel that refuses it is no fault of the person's."""
        if table.place is None:
            return
        content: dict[str, Any] = (
            {"content": what[:2000]} if isinstance(what, str) else {"view": layout(what, table.id, None)}
        )
        try:
            await self._turn(table.place)
            await self.bot.get_partial_messageable(table.place).send(**content)
        except discord.HTTPException as error:
            log.warning("not_announced", table=table.id, code=error.code)

    async def heal(self) -> int:
        """Show every table whose messages lag behind; returns how many there are."""
        tables = await self.service.store.unshown(self.service.now() - FINISHED)
        for table in tables:
            self.show(table)
        return len(tables)

    async def close(self) -> None:
        """Finish what is being sent; what is left over heals at the next start."""
        self._closing = True
        self._changed.clear()
        tasks = list(self._tasks.values())
        _, late = await asyncio.wait(tasks, timeout=5) if tasks else ((), ())
        for task in late:
            task.cancel()

    # The work

    async def _run(self, table: int, part: Part) -> None:
        key, wait = (table, part), 1.0
        try:
            while key in self._changed:
                await asyncio.sleep(GATHER)
                self._changed.discard(key)
                try:
                    await (self._show_board(table) if part == "board" else self._show_hands(table))
                    wait = 1.0
                except (discord.DiscordServerError, discord.RateLimited, OSError, StoreError) as error:
                    # Discord or the disk has a bad minute; the commit stands and is shown as soon as it can be.
                    if self._closing:
                        return
                    log.warning("publish_again", table=table, part=part, error=str(error), seconds=wait)
                    self._changed.add(key)
                    await asyncio.sleep(wait)
                    wait = min(wait * 2, 60.0)
                except Exception:
                    log.exception("publish_failed", table=table, part=part)
        finally:
            del self._tasks[key]

    async def _show_board(self, number: int) -> None:
        table = await self.service.table(number)
        face = self.faces[table.game.key]
        old = (await self.service.store.messages(number)).get("board")
        if table.opened == 0:
            await self._board(table, lobby_panel(table, face), None, old)
            return
        look = await self.service.look(number, None)
        told = [
            event
            for move in await self.service.history(number, max(0, look.table.seq - TOLD))
            for heard in move.events
            if (event := table.game.heard_by(heard, None)) is not None
        ]
        panel = face.board(look.view, shown_of(look.table), told)
        await self._board(look.table, self._closed(look, panel), Epoch(look.epoch, everyone=True), old)

    async def _show_hands(self, number: int) -> None:
        table = await self.service.table(number)
        if table.opened == 0:
            return
        face = self.faces[table.game.key]
        for seat in table.persons:
            if seat.user is not None:
                messages = await self.service.store.messages(number)
                await self._hand(face, await self.service.look(number, seat.seat), seat.user, messages)

    def _closed(self, look: Look, panel: Panel) -> Panel:
        """Return the panel of a board; of a table that was ended before its time, without buttons."""
        table = look.table
        if table.stage != "over" or look.played_out:
            return panel
        text = "The table was closed; nothing is recorded."
        if table.result is not None:
            text = "The players ended the table." + (
                " That counts as a defeat." if table.result.won is False else ""
            )
        return msgspec.structs.replace(panel, text=text, notes="", rows=(), colour=0x6B7280)

    async def _board(self, table: Table, panel: Panel, epoch: Epoch | None, old: Message | None) -> None:
        place = table.place
        if place is None:
            return
        digest = _digest(panel, epoch)
        stale = old is not None and (
            old.channel != place or self.service.now() - old.posted_at > OLD or self._below[place] >= BURIED
        )
        if old is not None and not stale and old.digest == digest:
            await self._remember(table, "board", old, digest)
            return
        try:
            if old is not None and not stale and await self._edit(table, old, panel, epoch):
                await self._remember(table, "board", old, digest)
                return
            new = await self._post(table, self.bot.get_partial_messageable(place), "board", panel, epoch)
        except discord.Forbidden as error:
            log.warning("board_forbidden", table=table.id, channel=place, code=error.code)
            return
        except discord.NotFound as error:
            # The channel is gone. The game goes on by private hands and commands.
            log.warning("board_homeless", table=table.id, channel=place, code=error.code)
            return
        self._boards[place], self._below[place] = new.id, 0
        await self._store(table, "board", place, new.id, digest)
        if old is not None and stale:
            await self._retire(old, new)

    async def _hand(self, face: Face, look: Look, user: int, messages: Mapping[str, Message]) -> None:
        assert look.seat is not None
        audience = f"hand/{look.seat}"
        old = messages.get(audience)
        if look.table.stage == "over" and old is None:
            return
        panel = self._closed(look, face.hand(look.view, shown_of(look.table)))
        epoch = Epoch(look.epoch)
        digest = _digest(panel, epoch)
        if old is not None and old.digest == digest:
            await self._remember(look.table, audience, old, digest)
            return
        aged = old is not None and self.service.now() - old.posted_at > OLD
        try:
            if old is not None and not aged and await self._edit(look.table, old, panel, epoch):
                await self._remember(look.table, audience, old, digest)
                return
            channel = await self.hands.channel(user)
            if channel is None:
                return  # closed, or too many new ones at once: the button shows the hand
            new = await self._post(look.table, channel, audience, panel, epoch)
        except (discord.Forbidden, discord.HTTPException) as error:
            if not self.hands.refused(user, error):
                raise
            return
        await self._store(look.table, audience, new.channel.id, new.id, digest)
        if old is not None and aged:
            await self._retire(old, new)

    async def _post(
        self,
        table: Table,
        channel: discord.PartialMessageable | discord.DMChannel,
        audience: str,
        panel: Panel,
        epoch: Epoch | None,
    ) -> discord.Message:
        await self._turn(channel.id)
        picture = None if panel.picture is None else await self.easel.attachment(panel.picture)
        content: dict[str, Any] = {"view": layout(panel, table.id, epoch)}
        if picture is not None:
            content["file"] = picture
        # The nonce makes Discord drop a second copy when an answer was lost and the request is repeated.
        nonce = hashlib.blake2b(
            f"{table.id}/{audience}/{table.revision}".encode(), digest_size=12
        ).hexdigest()
        return await channel.send(nonce=nonce, **content)

    async def _edit(self, table: Table, old: Message, panel: Panel, epoch: Epoch | None) -> bool:
        """Edit a message; False when there is none to edit any more."""
        await self._turn(old.channel)
        channel = self.bot.get_partial_messageable(old.channel)
        message = channel.get_partial_message(old.message)
        for reopened in (False, True):
            picture = None if panel.picture is None else await self.easel.attachment(panel.picture)
            files = [] if picture is None else [picture]
            try:
                await message.edit(view=layout(panel, table.id, epoch), attachments=files)
            except discord.NotFound as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
                return False
            except discord.HTTPException as error:
                if error.code == TOO_OLD:
                    return False
                if error.code != ARCHIVED or reopened:
                    raise
                await self._reopen(old.channel)
            else:
                return True
        return False

    async def _reopen(self, thread: int) -> None:
        found = self.bot.get_channel(thread) or await self.bot.fetch_channel(thread)
        if isinstance(found, discord.Thread):
            await found.edit(archived=False)

    async def _retire(self, old: Message, new: discord.Message) -> None:
        message = self.bot.get_partial_messageable(old.channel).get_partial_message(old.message)
        try:
            await message.edit(view=plain(f"-# The game goes on below: {new.jump_url}"), attachments=[])
        except discord.HTTPException as error:  # its buttons are refused by their epoch in any case
            log.info("board_not_retired", message=old.message, code=error.code)

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
        if old.shown < table.revision:
            await self.service.store.set_message(
                table.id, Message(audience, old.channel, old.message, table.revision, old.posted_at, digest)
            )

    async def _store(self, table: Table, audience: str, channel: int, message: int, digest: str) -> None:
        await self.service.store.set_message(
            table.id, Message(audience, channel, message, table.revision, self.service.now(), digest)
        )


def _digest(panel: Panel, epoch: Epoch | None) -> str:
    return hashlib.blake2b(panel.fingerprint() + repr(epoch).encode(), digest_size=12).hexdigest()
