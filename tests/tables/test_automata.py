"""Automata: asked once about a view, moving when their time has come, harming nobody when they err."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from structlog.testing import capture_logs

from bot.games.game import Moment, Plan
from bot.tables.automata import BUSY, FAULT, Automata
from bot.tables.worker import Busy, Inline, Minds, Thinker, WorkerError
from tests.games.toy import Move, Seal, Stake, Toy, View
from tests.tables.hosting import ADA, BEN, Hosting, Vowels

T = TypeVar("T")


class Scripted(Toy):
    """A toy whose automata do what a test says; it remembers who was asked when."""

    def __init__(self, script: Callable[[View, int, Moment], Plan[Move] | None]) -> None:
        self.script = script
        self.asked: list[tuple[int, int]] = []

    def choose(self, view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
        self.asked.append((seat, at.now))
        return self.script(view, seat, at)


def seated(
    host: Hosting, script: Callable[[View, int, Moment], Plan[Move] | None]
) -> tuple[Hosting, Scripted, Automata]:
    game = Scripted(script)
    hosting = Hosting(host.store, game=game)
    return hosting, game, Automata(hosting.service, Inline(Minds({"toy": game}, Vowels())))


async def wake(host: Hosting, table: int) -> int | None:
    row = await host.store.table(table)
    assert row is not None
    return None if row.wake is None else row.wake - row.opened - row.lost


async def test_the_earliest_plan_is_played_when_its_time_has_come(host: Hosting) -> None:
    hosting, game, automata = seated(
        host, lambda view, seat, at: Plan(Seal(view.hand[0]), 1_000 + 500 * (3 - seat))
    )
    table = await hosting.live((ADA,), automata=(0, 0))
    assert await wake(hosting, table) == 0
    await automata.act(table)
    assert (await wake(hosting, table), await hosting.store.log(table)) == (1_500, ())
    hosting.sleep(1_499)
    await automata.act(table)
    assert await wake(hosting, table) == 1_500
    hosting.sleep(1)
    await automata.act(table)
    (logged,) = await hosting.store.log(table)
    assert (logged.seat, logged.user, logged.at) == (2, None, 1_500)
    assert game.asked == [(1, 0), (2, 0)]  # once about one view


async def test_who_wants_to_be_asked_again_is(host: Hosting) -> None:
    def later(view: View, seat: int, at: Moment) -> Plan[Move]:
        return Plan(None, 700) if at.now < 700 else Plan(Seal(view.hand[0]), at.now)

    hosting, game, automata = seated(host, later)
    table = await hosting.live((ADA,), automata=(0,))
    await automata.act(table)
    assert await wake(hosting, table) == 700
    hosting.sleep(700)
    await automata.act(table)
    assert game.asked == [(1, 0), (1, 700)]
    assert len(await hosting.store.log(table)) == 1


async def test_each_move_of_anybody_asks_anew(host: Hosting) -> None:
    hosting, game, automata = seated(host, lambda view, seat, at: Plan(Seal(view.hand[0]), 9_000))
    table = await hosting.live((ADA, BEN), automata=(0,))
    await automata.act(table)
    hosting.sleep(10)
    await hosting.service.play(table, 0, Seal(await hosting.card(table, 0)), by=ADA)
    assert await wake(hosting, table) == 10
    await automata.act(table)
    assert game.asked == [(2, 0), (2, 10)]


async def test_nothing_to_do_is_nothing_to_wake_for(host: Hosting) -> None:
    hosting, _, automata = seated(host, lambda view, seat, at: None)
    table = await hosting.live((ADA,), automata=(0,))
    await automata.act(table)
    assert await wake(hosting, table) is None


async def test_a_refused_automaton_sits_out_until_the_table_moves_on(host: Hosting) -> None:
    def script(view: View, seat: int, at: Moment) -> Plan[Move]:
        return Plan(Seal("Z" if seat == 2 else view.hand[0]), at.now + (0 if seat == 2 else 100))

    hosting, game, automata = seated(host, script)
    table = await hosting.live((ADA, BEN), automata=(0, 0))
    await automata.act(table)
    assert automata.refused == 1
    assert await wake(hosting, table) == 100  # the other one's time
    await automata.act(table)
    assert game.asked == [(2, 0), (3, 0)]
    await hosting.service.play(table, 0, Seal(await hosting.card(table, 0)), by=ADA)
    await automata.act(table)
    assert game.asked[2:] == [(2, 0), (3, 0)]
    assert automata.refused == 2


async def test_the_log_line_of_a_refused_automaton_quotes_neither_its_move_nor_the_refusal(
    host: Hosting,
) -> None:
    hosting, _, automata = seated(host, lambda view, seat, at: Plan(Seal("Z"), at.now))
    table = await hosting.live((ADA,), automata=(0,))
    with capture_logs() as lines:
        await automata.act(table)
    (line,) = [line for line in lines if line["event"] == "automaton_refused"]
    assert line["reason"] == "Seal refused"
    assert "Z" not in str(line)


async def test_an_automaton_that_never_comes_to_a_point_sits_out(host: Hosting) -> None:
    hosting, game, automata = seated(host, lambda view, seat, at: Plan(None, at.now))
    table = await hosting.live((ADA,), automata=(0,))
    await automata.act(table)
    assert (automata.refused, await wake(hosting, table), game.asked) == (1, None, [(1, 0)])


async def test_an_automaton_that_cannot_think_is_asked_again_later_and_others_play(host: Hosting) -> None:
    def script(view: View, seat: int, at: Moment) -> Plan[Move]:
        if seat == 1:
            raise ZeroDivisionError
        return Plan(Seal(view.hand[0]), 50)

    hosting, game, automata = seated(host, script)
    table = await hosting.live((ADA,), automata=(0, 0))
    await automata.act(table)
    assert await wake(hosting, table) == 50
    hosting.sleep(50)
    await automata.act(table)
    assert [logged.seat for logged in await hosting.store.log(table)] == [2]
    await automata.act(table)
    assert await wake(hosting, table) == 50 + FAULT
    assert game.asked.count((1, 50)) == 1


async def test_an_automaton_gets_its_own_seats_view_and_a_chance_that_foretells_no_draw(
    host: Hosting,
) -> None:
    seen: list[Any] = []

    def script(view: View, seat: int, at: Moment) -> None:
        seen.append((view, at.chance.below(1 << 60)))

    hosting, _, automata = seated(host, script)
    table = await hosting.live((ADA,), automata=(0, 0))
    await automata.act(table)
    assert [view for view, _ in seen] == [await hosting.service.view(table, seat) for seat in (1, 2)]
    assert len({draw for _, draw in seen}) == 2
    await Automata(hosting.service, automata._thinker).act(table)
    assert seen[:2] == seen[2:]  # the same after a restart


async def test_a_seat_that_its_person_has_taken_back_is_not_played(host: Hosting) -> None:
    hosting, _, automata = seated(host, lambda view, seat, at: Plan(Seal(view.hand[0]), 0))
    table = await hosting.live((ADA, BEN))
    await hosting.service.replace(table, 1)
    thinker = automata._thinker
    think = thinker.think

    async def and_back(thought: Callable[..., Any], *given: Any) -> Any:
        await hosting.service.come_back(table, BEN)
        return await think(thought, *given)

    thinker.think = and_back  # type: ignore[method-assign]
    await automata.act(table)
    assert await hosting.store.log(table) == ()


@pytest.mark.parametrize("between", ["pause", "end", "move"])
async def test_what_happens_while_an_automaton_thinks_comes_first(host: Hosting, between: str) -> None:
    hosting, _, automata = seated(host, lambda view, seat, at: Plan(Seal(view.hand[0]), 0))
    table = await hosting.live((ADA,), automata=(0,))
    think = automata._thinker.think

    async def meanwhile(thought: Callable[..., Any], *given: Any) -> Any:
        if between == "move":
            await hosting.service.play(table, 0, Seal(await hosting.card(table, 0)), by=ADA)
        elif between == "pause":
            await hosting.service.pause(table)
        else:
            await hosting.service.end(table)
        return await think(thought, *given)

    automata._thinker.think = meanwhile  # type: ignore[method-assign]
    await automata.act(table)
    assert automata.refused == 0
    assert [logged.seat for logged in await hosting.store.log(table)] == ([0] if between == "move" else [])


class Unwilling(Thinker):
    def __init__(self, error: Exception) -> None:
        self.error = error

    async def think(self, thought: Callable[..., T], *given: Any) -> T:
        raise self.error

    async def close(self) -> None:
        pass


@pytest.mark.parametrize(("error", "wait"), [(Busy(), BUSY), (WorkerError("dead"), FAULT)])
async def test_a_thinker_without_time_is_asked_again_soon(host: Hosting, error: Exception, wait: int) -> None:
    table = await host.live((ADA,), automata=(0,))
    await Automata(host.service, Unwilling(error)).act(table)
    assert await wake(host, table) == wait


async def test_automata_alone_play_a_game_to_its_end(host: Hosting) -> None:
    table = await host.live((ADA, BEN))
    automata = Automata(host.service, Inline(Minds({"toy": host.game}, Vowels())))
    await host.service.replace(table, 1)
    for _ in range(400):
        found = await host.service.table(table)
        if found.stage == "over":
            break
        view = await host.service.view(table, 0)
        if view.public.phase == "seal" and view.mine is None:
            await host.service.play(table, 0, Seal(view.hand[0]), by=ADA)
        elif view.public.phase == "stake" and not view.public.stakes:
            await host.service.play(table, 0, Stake(0), by=ADA)
        host.sleep(1_000)
        await host.service.expire(table)
        await automata.act(table)
    assert (await host.service.table(table)).result is not None
    assert automata.refused == 0
