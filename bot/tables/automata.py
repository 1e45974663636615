"""Who plays the automata's seats: they are asked after each move, and play when their time has come.

After a commit on a table with automata its row says ``wake`` = now; the clock comes here, and each automaton seat is
asked for its plan. The earliest is played once its table time has come; until then ``wake`` is that time. Plans are kept
for one move number, so nobody is asked twice about the same view, and a plan never meets another state than
the one it was made for. All of this can be lost: after a restart the seats are asked again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import msgspec
import structlog

from bot.games.game import IllegalMove, Plan
from bot.store.rows import Seat
from bot.tables.service import Service
from bot.tables.table import NotLive, Stale, Table
from bot.tables.worker import Busy, Thinker, WorkerError

log = structlog.get_logger(__name__)

REMEMBERED = 1_024
BUSY = 500  # ms until a busy thinker is asked again
FAULT = 10_000  # ms until an automaton that failed to think is asked again


class _Thoughts(msgspec.Struct):
    """What the automata of a table plan after move number ``seq``; seats in ``out`` sit out until the next."""

    seq: int
    plans: dict[int, Plan[Any] | None] = msgspec.field(default_factory=dict)
    out: set[int] = msgspec.field(default_factory=set)

    def asked(self, seat: int, now: int) -> bool:
        """Whether there is nothing to ask a seat at table time ``now``."""
        if seat in self.out:
            return True
        plan = self.plans.get(seat)
        if plan is None:
            return seat in self.plans
        return plan.move is not None or plan.at > now

    def earliest(self, seats: Iterable[int]) -> tuple[int, Plan[Any]] | None:
        """Return who of ``seats`` moves, or wants to be asked, first; the lower seat when two do at once."""
        planned = [
            (plan.at, seat, plan) for seat in seats if seat not in self.out and (plan := self.plans.get(seat))
        ]
        if not planned:
            return None
        _, seat, plan = min(planned, key=lambda entry: entry[:2])
        return seat, plan


class Automata:
    """The automata of all tables.

    Args:
        service: the tables.
        thinker: where they think.
    """

    def __init__(self, service: Service, thinker: Thinker) -> None:
        self._service = service
        self._thinker = thinker
        self._thoughts: OrderedDict[int, _Thoughts] = OrderedDict()
        self.refused = 0  # moves that the rules have refused since the start

    async def act(self, table: int) -> None:
        """Play the one move that is due at a table, or set its ``wake`` to when one will be.

        Raises StoreError; nothing has been stored then.
        """
        try:
            await self._act(table)
        except (Stale, NotLive):
            return  # what has changed has set ``wake`` anew, or will when the table goes on

    async def _act(self, table: int) -> None:
        look, moment = await self._service.ask(table, None)
        if look.table.stage != "live" or look.table.paused_at is not None:
            return
        thoughts = self._thoughts_of(table, look.table.seq)
        try:
            for seat in look.table.automata:
                await self._consult(look.table, seat, thoughts)
        except Busy:
            await self._wake(look.table, moment.now + BUSY)
            return
        seats = [seat.seat for seat in look.table.automata]
        while (first := thoughts.earliest(seats)) is not None:
            number, plan = first
            _, moment = await self._service.ask(table, None)
            if plan.move is None or plan.at > moment.now:
                await self._wake(look.table, plan.at)
                return
            try:
                await self._service.play(table, number, plan.move, revision=look.table.revision)
            except (Stale, NotLive):
                raise
            except IllegalMove:
                # What the rules said may name a tile of the seat's hand; a replay of the table tells it.
                self._sit_out(table, number, thoughts, f"{type(plan.move).__name__} refused")
                continue
            return
        await self._wake(look.table, None)

    async def _consult(self, table: Table, seat: Seat, thoughts: _Thoughts) -> None:
        """Ask a seat for its plan, unless it has one."""
        look, moment = await self._service.ask(table.id, seat.seat)
        if look.table.seq != thoughts.seq:
            raise Stale("The table has moved on.")
        if thoughts.asked(seat.seat, moment.now):
            return
        skill = 0 if seat.skill is None else seat.skill
        try:
            plan = await self._thinker.choose(
                table.game, look.view, seat.seat, skill, moment.now, moment.chance, moment.words.known
            )
        except WorkerError:
            log.exception("thought_failed", table=table.id, seq=thoughts.seq, seat=seat.seat)
            plan = Plan(None, moment.now + FAULT)
        thoughts.plans[seat.seat] = plan
        if plan is not None and plan.move is None and plan.at <= moment.now:
            self._sit_out(table.id, seat.seat, thoughts, "it wants to be asked again at once")

    async def _wake(self, table: Table, at: int | None) -> None:
        await self._service.store.set_wake(table.id, table.revision, None if at is None else table.wall(at))

    def _sit_out(self, table: int, seat: int, thoughts: _Thoughts, reason: str) -> None:
        self.refused += 1
        thoughts.out.add(seat)
        log.error("automaton_refused", table=table, seq=thoughts.seq, seat=seat, reason=reason)

    def _thoughts_of(self, table: int, seq: int) -> _Thoughts:
        thoughts = self._thoughts.get(table)
        if thoughts is None or thoughts.seq != seq:
            thoughts = self._thoughts[table] = _Thoughts(seq)
        self._thoughts.move_to_end(table)
        if len(self._thoughts) > REMEMBERED:
            self._thoughts.popitem(last=False)
        return thoughts
