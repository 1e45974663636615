"""Bad luck on request: what can go wrong on Discord, to be tried from the page.

Each stroke says in a sentence what it does and in another what a player should see. Most last for a few requests or
until the next stroke of their kind; `BadLuck.end` takes back what can be taken back.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.loopback.faults import Faults
from bot.loopback.gateway import Gateway
from bot.loopback.model import Channel, Json, Message, Permission
from bot.loopback.people import Impossible, Person
from bot.loopback.process import BotProcess
from bot.loopback.world import World

MOST_REQUESTS = 50
MOST_SECONDS = 10.0
_LIMIT_SECONDS = 2.0  # for which a rate limit asks
_OLD_MINUTES = 120.0

SPEAK = Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS


@dataclass(frozen=True)
class Blow:
    """Where a stroke falls, and how hard."""

    person: Person
    place: Channel
    message: Message | None
    requests: int
    seconds: float


@dataclass(frozen=True)
class Stroke:
    """One kind of bad luck.

    Attributes:
        title: of its button.
        does: a sentence, what happens.
        see: a sentence, what a player should see of it.
        strike: makes it happen; raises `Impossible` with a sentence where it cannot.
        asks: which numbers it takes, ``requests`` and ``seconds``.
        fits: whether it makes sense in a channel.
    """

    title: str
    does: str
    see: str
    strike: Callable[[Blow], Awaitable[None]]
    asks: tuple[str, ...] = ()
    fits: Callable[[Channel], bool] = field(default=lambda _: True)


class BadLuck:
    """The strokes that this world offers.

    Args:
        process: the bot's.
        kill: ends it at once; somebody starts it again.
    """

    def __init__(
        self,
        world: World,
        gateway: Gateway,
        faults: Faults,
        process: BotProcess,
        kill: Callable[[], Awaitable[None]],
    ) -> None:
        self._world = world
        self._gateway = gateway
        self._faults = faults
        self._process = process
        self._kill_process = kill
        self._full = False  # the bot's disk
        self._rights = world.bot_permissions  # of a bot that was removed
        self._closed: set[str] = set()  # who takes no direct messages
        self._muted: set[str] = set()  # channels in which the bot may not write
        self._strokes = self._table()

    def offered(self, person: Person, where: str) -> list[Json]:
        """What can be tried by this person in this channel, in the order in which to show it."""
        place = _place(person, where)
        return [
            {"key": key, "title": stroke.title, "does": stroke.does, "see": stroke.see, "asks": stroke.asks}
            for key, stroke in self._strokes.items()
            if self._makes_sense(key, stroke, person, place)
        ]

    async def strike(
        self,
        person: Person,
        where: str,
        key: str,
        *,
        requests: int = 1,
        seconds: float = 1.0,
        message: str = "",
    ) -> Json:
        """Let a stroke fall; `Impossible` where it cannot.

        Args:
            requests: how many it meets, from 1 to `MOST_REQUESTS`.
            seconds: how long it lasts, to `MOST_SECONDS`.
            message: the id of the message that it is about; without one it is the newest board of the channel.
        """
        place = _place(person, where)
        stroke = self._strokes.get(key)
        if stroke is None or not self._makes_sense(key, stroke, person, place):
            raise Impossible("That cannot be tried here.")
        if not 1 <= requests <= MOST_REQUESTS or not 0 < seconds <= MOST_SECONDS:
            raise Impossible(
                f"It takes 1 to {MOST_REQUESTS} requests and at most {MOST_SECONDS:.0f} seconds."
            )
        found = self._world.messages.get(place.id, {}).get(message) if message else self._board(place)
        await stroke.strike(Blow(person, place, found, requests, seconds))
        return {"title": stroke.title, "does": stroke.does, "see": stroke.see}

    def _table(self) -> dict[str, Stroke]:
        return {
            "close_dms": Stroke(
                "Close my DMs",
                "New direct messages of the bot to you are refused from now on.",
                "A hand that lies there already still changes with the game. A new one no longer comes: the board's"
                " button shows it, and you are told once.",
                self._close_dms,
            ),
            "open_dms": Stroke(
                "Open my DMs again",
                "You take direct messages from the bot again.",
                "A hand that was refused is sent again after a minute, or later if it was refused several times.",
                self._open_dms,
            ),
            "reconnect": Stroke(
                "Drop the gateway",
                "The bot's connection breaks; it may resume.",
                "It is offline for a moment, and nothing that you do meanwhile is lost.",
                self._drop,
            ),
            "lose_session": Stroke(
                "Drop the gateway for good",
                "The bot's connection breaks and its session is forgotten: what happens meanwhile it never hears.",
                "It is offline for some seconds; a press in between fails, and later ones work.",
                self._drop_for_good,
            ),
            "kill": Stroke(
                "Kill the bot",
                "Its process ends at once, in the middle of whatever it does; it is started again soon.",
                "It is offline for some seconds; then every table goes on where it was.",
                self._kill,
            ),
            "freeze": Stroke(
                "Freeze the bot",
                "Its process stands still for a while, as on an overloaded machine.",
                "Presses fail after three seconds; then it goes on as if nothing had been.",
                self._freeze,
                ("seconds",),
            ),
            "fill_disk": Stroke(
                "Fill the bot's disk",
                "Nothing more fits on the bot's disk.",
                "No move is taken, each press says why, and no table breaks.",
                self._fill_disk,
            ),
            "free_disk": Stroke(
                "Free the bot's disk",
                "There is room on the bot's disk again.",
                "Moves are taken again.",
                self._free_disk,
            ),
            "limit": Stroke(
                "Rate limit",
                f"The bot's next requests are refused with 429: try again after {_LIMIT_SECONDS:.0f} seconds.",
                "Answers come late or not at all, but no move is lost.",
                self._limit,
                ("requests",),
            ),
            "break": Stroke(
                "Server errors",
                "The bot's next requests are answered with 500 and not carried out.",
                "Answers come late; a press may say that it failed; the board catches up.",
                self._break,
                ("requests",),
            ),
            "lose_answers": Stroke(
                "Lose the answers",
                "The bot's next requests are carried out, but it is told 502.",
                "Nothing is done twice, and no message is posted twice.",
                self._lose_answers,
                ("requests",),
            ),
            "slow": Stroke(
                "Slow requests",
                "Each of the bot's next requests takes longer.",
                "A press thinks for a while; more than three seconds and it fails, and the board catches up.",
                self._slow,
                ("requests", "seconds"),
            ),
            "twice": Stroke(
                "Hear everything twice",
                "The next presses and commands reach the bot twice.",
                "Each counts once.",
                self._twice,
                ("requests",),
            ),
            "late": Stroke(
                "Hear everything late",
                "The next presses and commands reach the bot late.",
                "They are answered late; after three seconds they fail, and you press again.",
                self._late,
                ("requests", "seconds"),
            ),
            "delete_board": Stroke(
                "Delete the board",
                "The newest message with buttons in this channel is deleted, as a moderator could.",
                "The bot posts another one, at the latest with the next move.",
                self._delete,
            ),
            "age_board": Stroke(
                "Make the board old",
                f"The newest message with buttons in this channel becomes {_OLD_MINUTES / 60:.0f} hours older.",
                "Discord soon refuses to edit it; the bot posts a new board in its place.",
                self._age,
            ),
            "mute": Stroke(
                "Forbid the bot to write here",
                "The bot may post nothing new in this channel and its threads.",
                "A board that stands there still changes, since a bot may edit its own messages, and your own panels"
                " still work. A new table is refused, a new board is not shown, and you are told what is missing.",
                self._mute,
                fits=lambda place: not place.direct,
            ),
            "unmute": Stroke(
                "Let the bot write here again",
                "The bot may post in this channel and its threads again.",
                "A board that was refused is shown at once.",
                self._unmute,
                fits=lambda place: not place.direct,
            ),
            "archive": Stroke(
                "Archive this thread",
                "The thread is archived, as it is when nobody writes for a day.",
                "The next move reopens it.",
                self._archive,
                fits=lambda place: place.thread and not place.archived,
            ),
            "delete_thread": Stroke(
                "Delete this thread",
                "This thread is deleted with all that was said in it.",
                "Its table goes on: the board comes anew in the channel that the thread was in.",
                self._delete_channel,
                fits=lambda place: place.thread,
            ),
            "delete_channel": Stroke(
                "Delete this channel",
                "This channel is deleted with its threads and all that was said in them.",
                "Its tables have no board any more, but go on: /table show and /table hand show them elsewhere, and"
                " you are told so.",
                self._delete_channel,
                fits=lambda place: not place.direct and not place.thread,
            ),
            "remove_bot": Stroke(
                "Remove the bot",
                "The bot is removed from the server; it hears nothing from here any more.",
                "Its commands are gone and its buttons fail.",
                self._remove_bot,
            ),
            "invite_bot": Stroke(
                "Invite the bot again",
                "The bot is back in the server.",
                "Its commands are back, and its tables go on.",
                self._invite_bot,
            ),
            "outage": Stroke(
                "Server outage",
                "By a fault of Discord's the server is gone for a while, for everyone.",
                "Only your direct messages are left, until the outage ends.",
                self._begin_outage,
            ),
            "end_outage": Stroke(
                "End the outage",
                "The server is there again.",
                "Its channels are back, and its tables go on.",
                self._end_outage,
            ),
            "leave": Stroke(
                "Leave the server",
                "You leave the server in the middle of everything.",
                "You see only your direct messages; the others can go on without you.",
                self._leave,
            ),
            "return": Stroke(
                "Come back to the server",
                "You join the server again.",
                "You see its channels, and can take your seat back.",
                self._return,
            ),
            "end": Stroke(
                "Good luck again",
                "No more requests fail, everyone and the bot are back, and all that was closed is open.",
                "What was lost stays lost; all else works.",
                self._end,
            ),
        }

    def _makes_sense(self, key: str, stroke: Stroke, person: Person, place: Channel) -> bool:
        closed = person.user.id in self._closed
        muted = self._home(place).id in self._muted
        board = self._board(place) is not None
        world, running = self._world, self._process.running
        here = world.member(person.user)
        now = {
            "kill": running,
            "freeze": running,
            "fill_disk": running and not self._full,
            "free_disk": running and self._full,
            "remove_bot": world.present,
            "invite_bot": not world.present,
            "outage": world.available,
            "end_outage": not world.available,
            "leave": here and person.user.id != world.owner.id,
            "return": not here,
            "close_dms": not closed,
            "open_dms": closed,
            "mute": not muted,
            "unmute": muted,
            "delete_board": board,
            "age_board": board,
            "delete_channel": len(world.text_channels()) > 1,
        }
        return stroke.fits(place) and now.get(key, True)

    # The strokes

    async def _close_dms(self, blow: Blow) -> None:
        self._world.close_dms(blow.person.user.id)
        self._closed.add(blow.person.user.id)

    async def _open_dms(self, blow: Blow) -> None:
        self._world.open_dms(blow.person.user.id)
        self._closed.discard(blow.person.user.id)

    async def _drop(self, blow: Blow) -> None:
        await self._gateway.drop()

    async def _drop_for_good(self, blow: Blow) -> None:
        await self._gateway.drop(resumable=False)

    async def _kill(self, blow: Blow) -> None:
        self._full = False  # a limit of that process
        await self._kill_process()

    async def _freeze(self, blow: Blow) -> None:
        self._process.suspend()
        asyncio.get_running_loop().call_later(blow.seconds, self._thaw)

    def _thaw(self) -> None:
        with contextlib.suppress(RuntimeError):  # it was killed meanwhile
            self._process.go_on()

    async def _fill_disk(self, blow: Blow) -> None:
        self._process.fill_disk()
        self._full = True

    async def _free_disk(self, blow: Blow) -> None:
        self._process.free_disk()
        self._full = False

    async def _limit(self, blow: Blow) -> None:
        self._faults.add("*", "*", status=429, retry_after=_LIMIT_SECONDS, times=blow.requests)

    async def _break(self, blow: Blow) -> None:
        self._faults.add("*", "*", status=500, times=blow.requests)

    async def _lose_answers(self, blow: Blow) -> None:
        self._faults.add("*", "*", status=502, times=blow.requests, lost=True)

    async def _slow(self, blow: Blow) -> None:
        self._faults.add("*", "*", delay=blow.seconds, times=blow.requests)

    async def _twice(self, blow: Blow) -> None:
        self._gateway.duplicate("INTERACTION_CREATE", times=blow.requests)

    async def _late(self, blow: Blow) -> None:
        self._gateway.delay("INTERACTION_CREATE", blow.seconds, times=blow.requests)

    async def _delete(self, blow: Blow) -> None:
        self._world.delete(_required(blow.message))

    async def _age(self, blow: Blow) -> None:
        self._world.age(_required(blow.message), minutes=_OLD_MINUTES)

    async def _mute(self, blow: Blow) -> None:
        place = self._home(blow.place)
        self._world.allow(place.id, self._world.bot.id, SPEAK, deny=True)
        self._muted.add(place.id)

    async def _unmute(self, blow: Blow) -> None:
        self._speak_again(self._home(blow.place))

    async def _archive(self, blow: Blow) -> None:
        self._world.archive_thread(blow.place.id)

    async def _delete_channel(self, blow: Blow) -> None:
        self._world.delete_channel(blow.place.id)

    async def _remove_bot(self, blow: Blow) -> None:
        self._rights = self._world.bot_permissions
        self._world.remove_bot()

    async def _invite_bot(self, blow: Blow) -> None:
        self._world.invite_bot(self._rights)

    async def _begin_outage(self, blow: Blow) -> None:
        self._world.begin_outage()

    async def _end_outage(self, blow: Blow) -> None:
        self._world.end_outage()

    async def _leave(self, blow: Blow) -> None:
        self._world.remove_member(blow.person.user.id)

    async def _return(self, blow: Blow) -> None:
        self._world.add_member(blow.person.user.id)

    async def _end(self, blow: Blow) -> None:
        self._faults.clear()
        if self._full and self._process.running:
            await self._free_disk(blow)
        if not self._world.available:
            self._world.end_outage()
        if not self._world.present:
            self._world.invite_bot(self._rights)
        for user in self._world.users.values():
            if not self._world.member(user):
                self._world.add_member(user.id)
        for key in list(self._closed):
            self._world.open_dms(key)
        self._closed.clear()
        for key in list(self._muted):
            if key in self._world.channels:
                self._speak_again(self._world.channels[key])
        self._muted.clear()

    def _speak_again(self, place: Channel) -> None:
        self._world.overwrite(place, None, self._world.bot.id)
        self._muted.discard(place.id)

    def _home(self, place: Channel) -> Channel:
        """The channel whose rights count: a thread has its parent's."""
        return self._world.channels.get(place.parent or "", place)

    def _board(self, place: Channel) -> Message | None:
        """The bot's newest message with components that everyone in the channel sees."""
        boards = [
            said
            for said in self._world.said_in(place)
            if said.author == self._world.bot.id and said.components
        ]
        return boards[-1] if boards else None


def _place(person: Person, where: str) -> Channel:
    found = next((place for place in person.channels() if place.id == where), None)
    if found is None:
        raise Impossible("You do not see that channel.")
    return found


def _required(message: Message | None) -> Message:
    if message is None:
        raise Impossible("That message is gone.")
    return message
