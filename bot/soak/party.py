"""A table's life: a lobby by ``/play``, people who join, automata by the menu, the game, and the next table."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.games.game import Game
from bot.loopback import Impossible, Loopback, Person
from bot.loopback.interactions import Interaction
from bot.loopback.model import Message
from bot.soak.answers import Answers
from bot.soak.hand import Chair, Hand, values
from bot.soak.journal import Journal
from bot.soak.mischief import Mischief
from bot.soak.progress import Progress
from bot.soak.records import Records, Sitter, Stored
from bot.soak.secrecy import Secrecy
from bot.soak.uptime import Uptime
from bot.soak.weather import Weather
from bot.tables.worker import Busy, Thinker, WorkerError

PATIENCE = 2.0  # s until a step is tried again
TRIES = 40
SEATED = 4  # tables at which a person may sit, one under the bot's own limit
THINKS = (0.2, 1.5)  # s before a move
CHANGED = 0.4  # of the lobbies have their options changed
TOGETHER = 0.3  # of the moves fall on the same moment
NAUGHTY = 0.1  # of the turns are misdeeds
IMPATIENT = 0.1  # press while the bot is down
AWAY = (2.0, 8.0)  # s until who left comes back


class Given(Exception):  # noqa: N818 - it is an outcome
    """A lobby came to nothing; another one is opened."""


@dataclass
class Scene:
    """Everything that the tables share."""

    here: Loopback
    records: Records
    uptime: Uptime
    answers: Answers
    secrecy: Secrecy
    progress: Progress
    weather: Weather
    journal: Journal
    mischief: Mischief
    thinker: Thinker
    games: Mapping[str, Game[Any, Any, Any, Any, Any]]
    hands: Mapping[str, Hand]
    people: tuple[Person, ...]
    dice: random.Random
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    claimed: set[int] = field(default_factory=set)

    async def ask(self, what: str, deed: Callable[[], Awaitable[Interaction]]) -> Interaction:
        """Send one interaction, and settle it; raises Impossible when a client would not offer it."""
        self.weather.twist_next()
        asked = await deed()
        self.answers.settle(asked, what)
        if asked.modal is not None:
            self.secrecy.hear(asked.user.id, f"A form for {asked.user.name}", asked.modal)
        if asked.choices:
            self.secrecy.hear(asked.user.id, f"A suggestion to {asked.user.name}", {"choices": asked.choices})
        return asked

    def message(self, channel: int, message: int) -> Message | None:
        """Return a message that Discord holds."""
        return self.here.world.messages.get(str(channel), {}).get(str(message))

    def chair(self, table: Stored, person: Person) -> Chair:
        """Return a person's chair at a table, in the lobby or later, with what they see now."""
        sitter = table.seat_of(person.user.id)
        seat = -1 if sitter is None else sitter.seat
        shown = {one.audience: self.message(one.channel, one.message) for one in table.messages}
        place = table.place
        if place is None:  # the bot was killed between the lobby and its thread; nobody can see it
            raise Given("a lobby without a place")
        return Chair(
            person, table.id, seat, place, shown.get("board"), shown.get(f"hand/{seat}"), self.dice, self.ask
        )

    def person(self, sitter: Sitter) -> Person | None:
        """Return who sits on a seat, if it is a person of ours."""
        return next((person for person in self.people if person.user.id == str(sitter.user)), None)

    def now(self, table: Stored) -> int:
        """Return the table time (ms)."""
        return int(time.time() * 1000) - table.opened - table.lost


class Party:
    """One place of the soak at which tables follow one another, games in turn."""

    def __init__(self, scene: Scene, keys: tuple[str, ...]) -> None:
        self._scene = scene
        self._keys = keys

    async def run(self) -> None:
        """Play until the soak ends."""
        while not self._scene.ending.is_set():
            try:
                table = await self._open()
                await self._gather(table)
                await self._play(table)
            except Given as reason:
                self._scene.journal.note("given_up", reason=str(reason))

    # The lobby

    async def _open(self) -> int:
        """Open a lobby, or take over one that nobody minds; returns its number."""
        scene = self._scene
        key = scene.dice.choice(self._keys)
        free = [person for person in scene.people if scene.records.seats_of(person.user.id) < SEATED]
        if not free:
            await asyncio.sleep(PATIENCE)
            raise Given("Everybody is busy.")
        opener = scene.dice.choice(free)
        given = scene.hands[key].opening(scene.dice)
        where = scene.dice.choice(("#games", "#general"))
        if scene.dice.random() < 0.4:
            given["thread"] = True

        async def play() -> None:
            before = scene.records.opened_by(opener.user.id)
            asked = await scene.ask(f"/play {key}", lambda: opener.slash(where, f"play {key}", **given))
            scene.records.refresh()
            if asked.text.startswith("Your table is"):
                opened = scene.records.opened_by(opener.user.id) - before
                scene.answers.stored(asked, f"/play {key}", bool(opened))

        await self._attain(lambda: self._orphan(key) is not None, play, 10)
        found = self._orphan(key)
        if found is None:
            raise Given("Another took the lobby.")
        scene.claimed.add(found)
        return found

    def _orphan(self, key: str) -> int | None:
        """Return a table of this game that is nobody's: just opened, or twice by an event that came twice."""
        return next(
            (
                table.id
                for table in self._scene.records.tables.values()
                if table.id not in self._scene.claimed and table.game == key and table.stage != "over"
            ),
            None,
        )

    async def _gather(self, number: int) -> None:
        """Seat people and automata, and start."""
        scene = self._scene
        table = self._table(number)
        if table.stage == "live":
            return
        if scene.dice.random() < CHANGED:
            await self._change_an_option(number)
            scene.records.refresh()
            table = self._table(number)
        game = scene.games[table.game]
        possible = game.seats(game.options.load(table.options))
        wanted = scene.dice.choice(possible)
        people = scene.dice.randint(1, wanted)
        while len(self._table(number).seats) < people:
            free = [
                person
                for person in scene.people
                if self._table(number).seat_of(person.user.id) is None
                and scene.records.seats_of(person.user.id) < SEATED
            ]
            if not free:
                break
            guest = scene.dice.choice(free)
            await self._attain(
                lambda guest=guest: self._table(number).seat_of(guest.user.id) is not None,  # type: ignore[misc]
                lambda guest=guest: self._press(number, guest, "join"),  # type: ignore[misc]
            )
        host = next(
            (person for sitter in self._table(number).seats if (person := scene.person(sitter)) is not None),
            None,
        )
        if host is None:
            raise Given("Nobody sits there.")
        while len(self._table(number).seats) < wanted:
            before = len(self._table(number).seats)
            await self._attain(
                lambda before=before: len(self._table(number).seats) > before,  # type: ignore[misc]
                lambda: self._seat_automaton(number, host),
            )
        await self._attain(
            lambda: self._table(number).stage != "lobby", lambda: self._press(number, host, "start")
        )

    async def _press(self, number: int, person: Person, verb: str) -> None:
        await self._scene.chair(self._table(number), person).press(self._lobby(number), verb)

    async def _change_an_option(self, number: int) -> None:
        """Choose something in the first menu of the options, once the lobby is shown."""
        await self._attain(lambda: self._lobby(number) is not None, lambda: asyncio.sleep(0))
        table = self._table(number)
        host = next((person for sitter in table.seats if (person := self._scene.person(sitter))), None)
        if host is None or not self._scene.uptime.up:
            return
        chair = self._scene.chair(table, host)
        panel = await chair.panel(await chair.press(self._lobby(number), "options"))
        offered = values(panel, "set")
        if offered:
            await chair.choose(panel, "set", self._scene.dice.choice(offered))

    async def _seat_automaton(self, number: int, host: Person) -> None:
        chair = self._scene.chair(self._table(number), host)
        await chair.choose(self._lobby(number), "automaton", str(self._scene.dice.randint(0, 2)))

    def _lobby(self, number: int) -> Message | None:
        shown = self._table(number).board
        return None if shown is None else self._scene.message(shown.channel, shown.message)

    async def _attain(
        self, reached: Callable[[], bool], deed: Callable[[], Awaitable[object]], tries: int = TRIES
    ) -> None:
        """Do something until it has come to what was wanted, as people do."""
        scene = self._scene
        for _ in range(tries):
            scene.records.refresh()
            if reached():
                return
            if scene.ending.is_set():
                raise Given("The soak ends.")
            if scene.uptime.up:
                try:
                    await deed()
                except Impossible as reason:
                    scene.journal.note("impossible", reason=str(reason))
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until:
                scene.records.refresh()
                if reached():
                    return
                await asyncio.sleep(0.1)
        raise Given("It would not come to what was wanted.")

    def _table(self, number: int) -> Stored:
        found = self._scene.records.tables.get(number)
        if found is None or found.stage == "over":
            raise Given("The table is gone.")
        return found

    # The game

    async def _play(self, number: int) -> None:
        scene = self._scene
        turns: dict[int, asyncio.Task[None]] = {}
        try:
            while not scene.ending.is_set():
                table = scene.records.tables.get(number)
                if table is None or table.stage == "over" or scene.progress.stuck(number):
                    break
                for sitter in table.seats:
                    running = turns.get(sitter.seat)
                    person = scene.person(sitter)
                    if person is None or (running is not None and not running.done()):
                        continue
                    if running is not None:
                        running.result()
                    deed = self._turn if sitter.skill is None else self._come_back
                    turns[sitter.seat] = asyncio.create_task(deed(table, person))
                await asyncio.sleep(0.1)
        finally:
            for turn in turns.values():
                turn.cancel()
            await asyncio.gather(*turns.values(), return_exceptions=True)
        table = scene.records.tables.get(number)
        if table is not None and table.stage == "over":
            scene.journal.count("games")
            scene.journal.note("over", table=number)
            await self._again(table)

    async def _again(self, table: Stored) -> None:
        """Let somebody want a rematch, now and then; its lobby is the next table."""
        scene = self._scene
        person = next((found for sitter in table.persons if (found := scene.person(sitter))), None)
        if person is None or scene.ending.is_set() or scene.dice.random() < 0.5:
            return
        await asyncio.sleep(PATIENCE)
        scene.records.refresh()
        newest = scene.records.tables.get(table.id, table)
        if newest.place is not None and scene.uptime.up:
            await scene.chair(newest, person).press(scene.chair(newest, person).board, "rematch")
            await asyncio.sleep(PATIENCE)

    async def _turn(self, seen: Stored, person: Person) -> None:
        """Let a person do one thing at the table, if there is something to do."""
        scene = self._scene
        await asyncio.sleep(scene.dice.uniform(*THINKS))
        if scene.dice.random() < TOGETHER:
            await asyncio.sleep(0.5 - time.monotonic() % 0.5)
        if not scene.uptime.up and scene.dice.random() >= IMPATIENT:
            return
        scene.records.refresh()
        table = scene.records.tables.get(seen.id)
        sitter = None if table is None else table.seat_of(person.user.id)
        if table is None or sitter is None or sitter.skill is not None or table.stage != "live":
            return
        chair, hand = scene.chair(table, person), scene.hands[table.game]
        if scene.dice.random() < 0.2:
            scene.mischief.remember(scene.dice.choice((chair.board, chair.private)))
        if table.paused_at is not None:
            await asyncio.sleep(scene.dice.uniform(*THINKS))
            await chair.slash("table resume")
            return
        if scene.dice.random() < NAUGHTY:
            await self._misbehave(chair, hand)
            return
        await self._move(table, chair, hand)

    async def _misbehave(self, chair: Chair, hand: Hand) -> None:
        try:
            await self._scene.mischief.one(chair, hand)
        except Impossible:
            return

    async def _move(self, table: Stored, chair: Chair, hand: Hand) -> None:
        scene = self._scene
        game = scene.games[table.game]
        view = game.seen_by(scene.records.state(table.id), chair.seat)
        try:
            move = await hand.wish(game, view, chair.seat, scene.now(table), scene.thinker, scene.dice)
        except (Busy, WorkerError) as error:
            scene.journal.note("no_thought", error=str(error)[-200:])
            return
        if move is None:
            return
        asked = await hand.do(chair, move)
        if asked is None:
            scene.journal.count("no_way")
            return
        if hand.played(asked):
            scene.records.refresh()
            scene.answers.stored(asked, type(move).__name__, self._is_stored(table, chair, move))

    def _is_stored(self, table: Stored, chair: Chair, move: Any) -> bool:
        """Whether such a move of that person, or of the host for all, was committed since ``table`` was read."""
        game, user = self._scene.games[table.game], int(chair.person.user.id)
        return any(
            row.move is not None
            and (row.user == user or row.seat is None)
            and type(game.moves.load(row.move)) is type(move)
            for row in self._scene.records.played(table.id, table.seq)
        )

    async def _come_back(self, table: Stored, person: Person) -> None:
        scene = self._scene
        await asyncio.sleep(scene.dice.uniform(*AWAY))
        if scene.uptime.up:
            chair = scene.chair(table, person)
            try:
                await scene.ask(
                    "/table return", lambda: person.slash(chair.place, "table return", table=table.id)
                )
            except Impossible:
                return
