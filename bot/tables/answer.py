"""One interaction and its one answer, in time and in private.

Discord wants an answer within 3 s; a watchdog defers at 1.5 s, so a slow disk or a busy worker shows "thinking…"
instead of a failure. Whatever then comes is a follow-up. A form cannot answer a form and cannot be deferred.

An answer that the network loses is sent again. It may have arrived all the same: Discord then says that the
interaction has been acknowledged, and what follows is a follow-up. An answer for which it is too late is given up, and
so is one that cannot be brought to Discord at all; what was played stands in any case, and the board shows it.

``shown`` collects the private messages that the person sees because of it, so that older ones can go (``tidy``).

Discord may deliver an interaction twice (``Once``), and late: a late one counts, by the time at which it was made, but
nobody can be answered any more.
"""

from __future__ import annotations

import asyncio
import io
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

import discord
import structlog

from bot.tables.easel import Easel, attached
from bot.tables.face import Panel
from bot.tables.layout import Epoch, layout
from bot.tables.network import passes
from bot.tables.tidy import Delete

PATIENCE = 1.5  # seconds of silence before the answer is deferred; Discord allows 3
GONE = 10008  # the message was deleted: it was dismissed, or taken away as an older one, while it was pressed
LATE = {10062, 10015, 50027, GONE}  # unknown interaction, unknown webhook, expired token, deleted meanwhile
LATE_PLACE = 10003  # the channel was deleted meanwhile
ACKNOWLEDGED = 40060
AGAIN = (0.25, 1.0)  # s between the tries to send an answer that the network has lost

log = structlog.get_logger()


class Once:
    """Tells the first delivery of an event from a second one; remembers the last ``most``."""

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._seen: OrderedDict[int, None] = OrderedDict()

    def first(self, key: int) -> bool:
        """Whether this id is seen for the first time."""
        if key in self._seen:
            return False
        self._seen[key] = None
        if len(self._seen) > self._most:
            self._seen.popitem(last=False)
        return True


class Answer:
    """The answer to one interaction; every method but the first call becomes a follow-up.

    Attributes:
        table: of which it tells; 0 for none.
        shown: what deletes each private message that it has made, changed or left as it is, by the message's id.
    """

    def __init__(self, interaction: discord.Interaction[Any], easel: Easel, table: int = 0) -> None:
        self.interaction = interaction
        self.easel = easel
        self.table = table
        self.shown: dict[int, Delete] = {}
        self._watch = asyncio.create_task(self._defer_when_slow())
        self._sending = asyncio.Lock()
        self._acknowledged = False  # Discord says so, though our library does not know
        self._deferring = False  # a deferral was sent and may have arrived

    @property
    def pressed_private(self) -> bool:
        """Whether what was pressed stands on a message that its presser alone sees."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def pressed(self) -> int | None:
        """The private message that was pressed, or from which the form was opened, by its id."""
        message = self.interaction.message
        return message.id if message is not None and message.flags.ephemeral else None

    @property
    def on_hand(self) -> bool:
        """Whether what was pressed, or what opened the form, stands on a message of the bot in a private channel."""
        message = self.interaction.message
        return message is not None and self.interaction.guild_id is None and not message.flags.ephemeral

    @property
    def is_press(self) -> bool:
        """Whether a button or menu was pressed."""
        return self.interaction.type is discord.InteractionType.component

    @property
    def is_form(self) -> bool:
        """Whether a form was submitted."""
        return self.interaction.type is discord.InteractionType.modal_submit

    @property
    def answered(self) -> bool:
        """Whether something was sent already (a deferral counts)."""
        return self._acknowledged or bool(self.interaction.response.is_done())

    async def say(self, text: str) -> None:
        """Tell the person ``text`` in private."""
        await self._send(
            lambda: self._respond(content=text[:2000]),
            lambda: self._follow(content=text[:2000]),
        )

    async def panel(self, panel: Panel, table: int, epoch: Epoch | None, *, beside: bool = False) -> None:
        """Show a private panel: in place of the private one that was pressed, if it is still there, else as a new message.

        ``beside``: as a new message in any case.
        """
        picture = panel.picture
        png = None if picture is None else await self.easel.draw(picture)

        def files() -> list[discord.File]:
            return [] if picture is None or png is None else [attached(picture, png)]

        self.table = table
        view = layout(panel, table, epoch)
        if self.pressed_private and not beside:
            message = self.interaction.message
            assert message is not None

            async def show(edit: Callable[..., Coroutine[Any, Any, Any]]) -> None:
                try:
                    await edit(view=view, attachments=files())
                except discord.NotFound as error:
                    if error.code != GONE:
                        raise
                    await (self._follow if self.answered else self._respond)(view=view, files=files())
                else:
                    self.shown[message.id] = self.interaction.delete_original_response

            await self._send(
                lambda: show(self.interaction.response.edit_message),
                lambda: show(self.interaction.edit_original_response),
            )
            return
        await self._send(
            lambda: self._respond(view=view, files=files()),
            lambda: self._follow(view=view, files=files()),
        )

    async def replace(self, panel: Panel, table: int) -> None:
        """Put a panel without a picture in place of the message that was pressed, whoever sees it."""
        view = layout(panel, table, None)
        await self._send(
            lambda: self.interaction.response.edit_message(view=view),
            lambda: self.interaction.edit_original_response(view=view),
        )

    async def share(self, panel: Panel, table: int) -> None:
        """Answer with a panel that everyone in the channel sees."""
        picture = panel.picture
        png = None if picture is None else await self.easel.draw(picture)
        view = layout(panel, table, None)

        def files() -> list[discord.File]:
            return [] if picture is None or png is None else [attached(picture, png)]

        async def later() -> None:
            if (
                not self.is_press
            ):  # what follows a deferred command first takes the place of its private "thinking…"
                await self._follow(content="Shared.")
            await self.interaction.followup.send(view=view, files=files())

        await self._send(lambda: self.interaction.response.send_message(view=view, files=files()), later)

    async def file(self, text: str, name: str, body: bytes) -> None:
        """Give the person a file in private; it is theirs to keep."""

        def file() -> discord.File:
            return discord.File(io.BytesIO(body), filename=name)

        await self._send(
            lambda: self.interaction.response.send_message(text[:2000], file=file(), ephemeral=True),
            lambda: self.interaction.followup.send(text[:2000], file=file(), ephemeral=True),
        )

    async def modal(self, modal: discord.ui.Modal) -> bool:
        """Open a form. Returns False when it is too late for one (deferred) or when this is a form itself."""
        if self.is_form or self.answered:
            return False
        modal.stop()  # heard by the router, so that a form outlives a restart
        await self._send(lambda: self.interaction.response.send_modal(modal), self._nothing)
        return True

    async def done(self) -> None:
        """Acknowledge a press without words (an unanswered command or form needs words: ``say``)."""

        async def keep() -> None:
            await self.interaction.response.defer()
            self._kept()

        await self._send(keep, self._nothing)

    def close(self) -> None:
        """Stop the watchdog; to be called when the work is done."""
        self._watch.cancel()

    async def _nothing(self) -> None:
        return None

    def _kept(self) -> None:
        """Note that the private message that was pressed stays as it is: it is the original response now."""
        if self.pressed is not None:
            self.shown[self.pressed] = self.interaction.delete_original_response

    async def _respond(self, **content: Any) -> None:
        made = await self.interaction.response.send_message(ephemeral=True, **content)
        if made.message_id is not None:
            self.shown[made.message_id] = self.interaction.delete_original_response

    async def _follow(self, **content: Any) -> None:
        made = await self.interaction.followup.send(ephemeral=True, wait=True, **content)
        self.shown[made.id] = made.delete

    async def _send(
        self, first: Callable[[], Coroutine[Any, Any, Any]], later: Callable[[], Coroutine[Any, Any, Any]]
    ) -> None:
        """Send as the answer, or as what follows it; raises only what is a fault of the content."""
        async with self._sending:
            for rest in (*AGAIN, None):
                try:
                    await self._send_once(first, later)
                except Exception as error:
                    code = error.code if isinstance(error, discord.HTTPException) else None
                    if code in LATE or code == LATE_PLACE:
                        log.warning("answer_late", code=code, interaction=self.interaction.id)
                        return
                    if not passes(error):
                        raise
                    if rest is None:
                        log.warning("answer_lost", error=str(error), interaction=self.interaction.id)
                        return
                    await asyncio.sleep(rest)
                else:
                    return

    async def _send_once(
        self, first: Callable[[], Coroutine[Any, Any, Any]], later: Callable[[], Coroutine[Any, Any, Any]]
    ) -> None:
        if self.answered:
            await later()
            return
        try:
            await first()
        except discord.HTTPException as error:
            if error.code != ACKNOWLEDGED:
                raise
            self._acknowledged = True
            if self._deferring:  # it was the deferral that has arrived, so the answer itself is still to come
                await later()

    async def _defer_when_slow(self) -> None:
        await asyncio.sleep(PATIENCE)
        async with self._sending:
            if self.answered:
                return
            self._deferring = True
            try:
                # A press keeps its message as it is; a command or form shows "thinking…" to its author alone.
                await self.interaction.response.defer(ephemeral=True, thinking=not self.is_press)
                if self.is_press:
                    self._kept()
            except Exception as error:
                if not (passes(error) or isinstance(error, discord.HTTPException)):
                    raise
                log.info("not_deferred", error=str(error), interaction=self.interaction.id)
