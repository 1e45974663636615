"""What goes wrong around the bot, by dice: refused, lost and late answers, dropped sockets, events late or twice.

One request in ten meets a fault. Those of an interaction's own answer are drawn when the interaction is told, attempt by
attempt, so that it is known how much of its three seconds was taken from the bot; discord.py tries again after what the
rate limit says, or after 1, 3, 5, 7 s.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field

from bot.loopback import Loopback
from bot.loopback.faults import Fault
from bot.loopback.world import Event
from bot.soak.journal import Journal
from bot.soak.uptime import Uptime

RATE = 0.1  # of the requests
TWISTED = 0.03  # of the interactions come late, and as many twice
CUT = 0.25  # s; after a cut connection the bot itself tries again
REMEMBERED = 4_000  # interactions
GAP = 12.0  # s between two troubles that are no fault of a request, on average


@dataclass(frozen=True)
class Sort:
    """A sort of fault.

    ``lost``: the request is carried out, and its answer is an error; ``cut``: the connection ends without an answer.
    """

    name: str
    status: int | None = None
    retry_after: float | None = None
    delay: float = 0.0
    lost: bool = False
    cut: bool = False

    def costs(self, attempt: int) -> float:
        """Return the seconds until the request is tried again, or carried out late; ``attempt`` counts from 0."""
        if self.lost:
            return 0.0
        if self.cut:
            return CUT
        if self.status is None:
            return self.delay
        return self.retry_after if self.retry_after is not None else 1.0 + 2 * attempt


SORTS = (
    Sort("429", 429, retry_after=0.2),
    Sort("429", 429, retry_after=0.9),
    Sort("500", 500),
    Sort("502", 502),
    Sort("lost", 502, lost=True),
    Sort("cut", cut=True),
    Sort("cut", cut=True, lost=True),
    Sort("late", delay=0.3),
    Sort("late", delay=0.9),
)


@dataclass
class Ordeal:
    """What an interaction has to go through; seconds."""

    late: float = 0.0
    twice: bool = False
    faults: list[tuple[Sort, Fault]] = field(default_factory=list)

    @property
    def taken(self) -> float:
        """The seconds taken from the bot by what struck until now."""
        struck = [sort for sort, fault in self.faults if fault.struck]
        attempts = 0
        taken = self.late
        for sort in struck:
            taken += sort.costs(attempts)
            attempts += sort.status is not None or sort.cut
        return taken

    @property
    def was_cut(self) -> bool:
        """Whether a connection was cut."""
        return any(sort.cut and fault.struck for sort, fault in self.faults)

    @property
    def untouched(self) -> bool:
        """Whether nothing was planned for it: its time is the bot's own."""
        return not self.late and not self.twice and not self.faults


class Weather:
    """Makes the weather of one Discord until it is told to clear."""

    def __init__(self, here: Loopback, uptime: Uptime, journal: Journal, dice: random.Random) -> None:
        self._here = here
        self._uptime = uptime
        self._journal = journal
        self._dice = dice
        self._bad = False
        self._spent: Counter[str] = Counter()
        self._standing: list[tuple[Sort, Fault]] = []
        self._ordeals: OrderedDict[str, Ordeal] = OrderedDict()
        self._twists: deque[tuple[float, bool]] = deque()
        self._stop_listening = here.world.listen(self._hear)

    def begin(self) -> None:
        """Let requests fail from now on; once more, while no request is on its way, forgets the faults that are spent."""
        self._bad = True
        self._settle(self._standing)
        self._standing.clear()
        self._here.faults.clear()
        chance = 1 - (1 - RATE) ** (1 / len(SORTS))
        for sort in SORTS:
            # Answers of interactions have faults of their own; every other path begins with another letter.
            self._standing.append((sort, self._add(sort, "*", "/[!i]*", math.inf, chance)))

    def clear(self) -> None:
        """No more of it."""
        self._bad = False
        self._settle(self._standing)
        self._standing.clear()
        self._here.faults.clear()

    def close(self) -> None:
        """Clear, and hear no more events."""
        self.clear()
        self._stop_listening()

    @property
    def struck(self) -> dict[str, int]:
        """How many faults of each sort have struck."""
        total = Counter(self._spent)
        for faults in (self._standing, *(ordeal.faults for ordeal in self._ordeals.values())):
            for sort, fault in faults:
                total[sort.name] += fault.struck
        return dict(total)

    def ordeal(self, interaction: str) -> Ordeal:
        """Return what an interaction had to go through."""
        return self._ordeals.get(interaction) or Ordeal()

    async def run(self) -> None:
        """Make trouble of the gateway and in the world until cancelled."""
        while True:
            await asyncio.sleep(self._dice.expovariate(1 / GAP))
            trouble = self._dice.choice((self._drop, self._drop, self._forget, self._reconnect, self._twist))
            if self._uptime.up:
                await trouble()

    # Sockets and events

    async def _drop(self) -> None:
        self._told("drop")
        await self._here.gateway.drop(4000, resumable=True)

    async def _forget(self) -> None:
        self._told("drop_session")
        self._uptime.fell(lost=True)
        await self._here.gateway.drop(4000, resumable=False)

    async def _reconnect(self) -> None:
        self._told("reconnect")
        self._here.gateway.ask_to_reconnect()

    async def _twist(self) -> None:
        event = self._dice.choice(("MESSAGE_CREATE", "MESSAGE_UPDATE"))
        self._told("twist", event=event)
        if self._dice.random() < 0.5:
            self._here.gateway.duplicate(event, times=3)
        else:
            self._here.gateway.delay(event, self._dice.uniform(0.2, 2.0), times=3)

    def twist_next(self) -> None:
        """Let the next interaction come late or twice, if the dice say so; to be called right before one is made."""
        if not self._bad or self._twists:
            return
        roll = self._dice.random()
        if roll < TWISTED:
            late = self._dice.uniform(0.1, 1.0)
            self._here.gateway.delay("INTERACTION_CREATE", late)
            self._twists.append((late, False))
        elif roll < 2 * TWISTED:
            self._here.gateway.duplicate("INTERACTION_CREATE")
            self._twists.append((0.0, True))

    def _told(self, what: str, **fields: object) -> None:
        self._spent[what] += 1
        self._journal.note(what, **fields)

    # Interactions

    def _hear(self, event: Event) -> None:
        if event.name != "INTERACTION_CREATE":
            return
        ordeal = Ordeal()
        if self._twists:
            ordeal.late, ordeal.twice = self._twists.popleft()
            self._told("late_event" if ordeal.late else "double_event", interaction=event.data["id"])
        path = f"/interactions/{event.data['id']}/*"
        while self._bad and self._dice.random() < RATE:
            sort = self._dice.choice(SORTS)
            ordeal.faults.append((sort, self._add(sort, "POST", path, 1, 1.0)))
        if ordeal.untouched:
            return
        self._ordeals[event.data["id"]] = ordeal
        if len(self._ordeals) > REMEMBERED:
            self._settle(self._ordeals.popitem(last=False)[1].faults)

    def _add(self, sort: Sort, method: str, path: str, times: float, chance: float) -> Fault:
        return self._here.faults.add(
            method, path, status=sort.status, retry_after=sort.retry_after, delay=sort.delay, lost=sort.lost, cut=sort.cut,
            times=times, chance=chance, seed=self._dice.getrandbits(32),
        )  # fmt: skip

    def _settle(self, faults: list[tuple[Sort, Fault]]) -> None:
        """Keep the count of faults that are forgotten."""
        for sort, fault in faults:
            self._spent[sort.name] += fault.struck
            fault.struck = 0
