"""Lists of the best: what finished games leave in the database, and whose it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.games.game import Record
from tests.games.toy import Halt, State, Toy
from tests.tables.hosting import ADA, BEN, CLEO, Hosting


class Course(Toy):
    """A toy whose finished games leave a record for each seat, with figures that the test sets."""

    course = "steps"
    scores: tuple[int, ...] = ()
    turns: tuple[int, ...] = ()

    def records(self, state: State) -> tuple[Record, ...]:
        return tuple(
            Record(seat, self.course, score, turns, {"hints": seat})
            for seat, (score, turns) in enumerate(zip(self.scores, self.turns, strict=True))
        )


async def played(
    host: Hosting, course: str, scores: tuple[int, ...], turns: tuple[int, ...], **given: Any
) -> int:
    game: Any = host.game
    game.course, game.scores, game.turns = course, scores, turns
    table = await host.live(**given)
    await host.service.play(table, None, Halt())
    host.sleep(1_000)
    return table


async def test_the_best_of_a_course_are_listed_with_everybodys_best_alone(tmp_path: Path) -> None:
    host = await Hosting.at(tmp_path, game=Course())
    try:
        await played(host, "steps", (5, 9, 99), (3, 4, 1), automata=(0,))
        better = await played(host, "steps", (9, 2), (3, 1))
        await played(host, "other", (50, 50), (1, 1))
        best = await host.store.best("steps")
        assert [(one.user, one.name, one.score, one.turns) for one in best] == [
            (ADA, "Ada", 9, 3),
            (BEN, "Ben", 9, 4),
        ]
        assert (best[0].table, best[0].detail) == (better, b'{"hints":0}')
        assert [one.score for one in await host.store.best("steps", user=BEN)] == [9]
        assert {one.course for one in await host.store.best("*", user=ADA)} == {"steps", "other"}
        assert await host.store.best("step?") == ()
        assert await host.store.best("steps", guild=77) == ()
    finally:
        await host.store.close()


async def test_where_the_first_attempt_counts_later_ones_do_not(tmp_path: Path) -> None:
    host = await Hosting.at(tmp_path, game=Course())
    try:
        await played(host, "daily/1", (4, 1), (2, 2))
        await played(host, "daily/1", (8, 3), (2, 2), users=(ADA, CLEO))
        best = await host.store.best("daily/1", guild=1, first=True)
        assert [(one.user, one.score) for one in best] == [(ADA, 4), (CLEO, 3), (BEN, 1)]
        assert [one.course for one in await host.store.best("daily/*", user=ADA, first=True)] == ["daily/1"]
    finally:
        await host.store.close()


async def test_what_people_end_or_leave_themselves_counts_as_the_game_says(tmp_path: Path) -> None:
    host = await Hosting.at(tmp_path, game=Course())
    try:
        game: Any = host.game
        game.scores, game.turns = (0, 3), (1, 1)
        table = await host.live()
        assert await host.service.counts(table)
        await host.service.end(table, ADA)
        assert await host.store.best("steps") == ()  # Ben has not agreed yet
        await host.service.end(table, BEN)
        assert [(one.user, one.score) for one in await host.store.best("steps")] == [(BEN, 3), (ADA, 0)]
        game.course = "left"
        table = await host.live((CLEO, BEN))
        await host.service.leave(table, BEN)
        assert await host.store.best("left") == ()
        await host.service.leave(table, CLEO)
        assert [(one.user, one.score) for one in await host.store.best("left")] == [(CLEO, 0)]
    finally:
        await host.store.close()


async def test_a_table_ended_by_the_host_leaves_no_record_and_a_forgotten_person_is_in_no_list(
    tmp_path: Path,
) -> None:
    host = await Hosting.at(tmp_path, game=Course())
    try:
        game: Any = host.game
        game.scores, game.turns = (7, 7), (1, 1)
        await host.service.end(await host.live())
        assert await host.store.best("steps") == ()
        await played(host, "steps", (7, 6), (1, 1))
        assert (await host.store.stored_of(ADA))["records"][0]["score"] == 7
        await host.store.forget(ADA)
        assert [(one.user, one.score) for one in await host.store.best("steps")] == [(BEN, 6)]
    finally:
        await host.store.close()


@pytest.mark.parametrize("detail", [b"{", b'{"hints": "x"}', b"[1]", 7])
async def test_a_record_with_a_damaged_detail_is_listed_without_it_and_hides_no_other(
    tmp_path: Path, detail: Any
) -> None:
    host = await Hosting.at(tmp_path, game=Course())
    try:
        table = await played(host, "steps", (9, 2), (3, 1))
        await host.store._write(
            lambda db: db.execute("UPDATE records SET detail = ? WHERE tbl = ? AND seat = 0", (detail, table))
        )
        best = await host.store.best("steps")
        assert [(one.user, one.score, one.detail) for one in best] == [
            (ADA, 9, b"{}"),
            (BEN, 2, b'{"hints":1}'),
        ]
    finally:
        await host.store.close()
