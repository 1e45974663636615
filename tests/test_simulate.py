"""Simulations: automata in table time, the line that ends a run, and what happens when a game is broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.__main__ import main
from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.game import Moment, Plan
from bot.games.log import Step
from bot.simulate import Automata, Setting, parsed_options, simulated
from tests.games.toy import SEAL_TIME, TOY, Drew, Event, Move, Options, Seal, Stake, State, Toy, View

ROOT = Path(__file__).resolve().parent.parent


class NoWords:
    """A lexicon without a word."""

    def legal(self, word: str) -> bool:
        return False

    def common(self, word: str) -> bool:
        return False

    def related(self, first: str, second: str) -> bool:
        return False

    def matching(self, pattern: str) -> list[str]:
        return []


class Timetable(Toy):
    """Automata that seal at given times (None: never), and stake nothing at once; notes when they were asked."""

    def __init__(self, *times: int | None, asked_first: bool = False) -> None:
        self.times, self.asked_first = times, asked_first
        self.asked: list[tuple[int, int]] = []

    def choose(self, view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
        self.asked.append((seat, at.now))
        time = self.times[seat]
        if view.public.phase == "stake":
            return Plan(Stake(0)) if seat == len(view.public.stakes) else None
        if time is None or view.mine is not None or not view.hand:
            return None
        if self.asked_first and at.now < view.public.since + time:
            return Plan(None, view.public.since + time)
        return Plan(Seal(view.hand[0]), view.public.since + time)


def automata(game: Toy, seats: int, seed: bytes = b"s") -> Automata[State, Move, Event]:
    return Automata(game, Options(), seats=seats, seed=seed, skill=0, lexicon=NoWords())


def movers(steps: list[Step[State, Move, Event]]) -> list[tuple[int | None, int]]:
    return [(step.seat, step.at) for step in steps]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Toy:
    monkeypatch.setitem(GAMES, "toy", TOY)
    return TOY


def simulate(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any], str]:
    status = main(["simulate", *(str(argument) for argument in arguments)])
    captured = capsys.readouterr()
    line = json.loads(captured.out.splitlines()[-1]) if captured.out else {}
    return status, line, captured.err


# Table time


def test_the_earliest_plan_goes_first() -> None:
    first, second, *_ = automata(Timetable(5_000, 2_000, 9_000), 3)
    assert movers([first, second]) == [(1, 2_000), (0, 5_000)]


def test_the_clock_goes_before_a_later_plan() -> None:
    steps = list(automata(Timetable(5_000, SEAL_TIME + 1), 2))
    assert movers(steps[:2]) == [(0, 5_000), (None, SEAL_TIME)]


def test_a_plan_for_the_past_is_carried_out_at_once() -> None:
    steps = list(automata(Timetable(5_000, 5_000), 2))
    assert {(step.at, step.move) for step in steps[2:4]} == {(5_000, Stake(0))}


def test_chance_decides_between_plans_for_the_same_moment() -> None:
    firsts = {next(automata(Timetable(1_000, 1_000), 2, bytes([seed]))).seat for seed in range(20)}
    assert firsts == {0, 1}


def test_an_automaton_that_wants_to_be_asked_later_is_asked_then_and_moves() -> None:
    game = Timetable(4_000, None, asked_first=True)
    first = next(automata(game, 2))
    assert (first.seat, first.at) == (0, 4_000)
    assert game.asked == [(0, 0), (1, 0), (0, 4_000)]


def test_seats_are_asked_anew_after_every_move() -> None:
    game = Timetable(1_000, 2_000, asked_first=False)
    playing = automata(game, 2)
    next(playing)
    next(playing)
    assert game.asked == [(0, 0), (1, 0), (0, 1_000), (1, 1_000)]


def test_a_refused_automaton_sits_out_until_the_next_move() -> None:
    class Cheat(Timetable):
        def choose(self, view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
            return Plan(Seal("Z")) if seat == 0 else super().choose(view, seat, skill, at)

    playing = automata(Cheat(None, 3_000), 2)
    first, second = next(playing), next(playing)
    assert movers([first, second]) == [(1, 3_000), (None, SEAL_TIME)]
    assert playing.refusals == ["move 1, seat 0: You hold no Z.", "move 2, seat 0: You hold no Z."]


def test_nobody_moves_and_nothing_is_due_ends_a_game_without_result() -> None:
    class Sleepy(Timetable):
        def due(self, state: State) -> int | None:
            return None

    assert list(automata(Sleepy(None, None), 2)) == []


# The command


def test_the_last_line_tells_how_the_games_went(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    status, line, _ = simulate(
        capsys, "toy", "--games", 3, "--seats", 3, "--seed", "x", "--option", "team=true"
    )
    assert status == 0
    assert {name: line[name] for name in ("game", "games", "finished", "illegal", "leaks", "broken")} == {
        "game": "toy",
        "games": 3,
        "finished": 3,
        "illegal": 0,
        "leaks": 0,
        "broken": {},
    }
    assert line["options"] == {"pace": "live", "rounds": 9, "team": True}
    assert line["moves"] == pytest.approx(3 * line["moves_per_game"], abs=0.5)
    assert line["ms_per_move"] > 0
    assert line["won"] in (0, 0.333, 0.667, 1)


def test_no_rate_is_given_where_nobody_wins_together(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    status, line, _ = simulate(capsys, "toy", "--seats", 2)
    assert status == 0
    assert "won" not in line


def test_without_a_number_of_seats_the_table_is_full(toy: Toy, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(capsys, "toy")[1]["seats"] == 4


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--option", "rounds"), "--option rounds: write it as key=value"),
        (("--option", "bid=3"), "--option bid=3: Hush has no option 'bid', but pace, rounds, team"),
        (("--option", "rounds=many"), "--option rounds=many: Expected `int`, got `str` - at `$.rounds`"),
        (("--option", "pace=fast"), "--option pace=fast: Invalid enum value 'fast' - at `$.pace`"),
        (("--option", "rounds=0"), "A game needs a round at least."),
        (("--seats", "9"), "--seats 9: Hush takes 2 to 4"),
    ],
)
def test_a_bad_argument_is_named(
    toy: Toy, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str
) -> None:
    status, line, told = simulate(capsys, "toy", *arguments)
    assert (status, line, told) == (2, {}, f"wordmoot simulate: {complaint}\n")


def test_an_option_is_json_or_else_plain_text() -> None:
    assert parsed_options(TOY, ["rounds=3", "pace=slow", "team=true", "rounds=4"]) == Options("slow", 4, True)
    assert parsed_options(TOY, ['pace="slow"']) == Options("slow")


def test_a_game_that_is_not_over_within_the_bound_is_unfinished(
    toy: Toy, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, line, told = simulate(capsys, "toy", "--bound", 5, "--keep", tmp_path)
    assert (status, line["finished"], line["moves"]) == (1, 0, 5)
    assert "no result after 5 moves" in told


def test_a_refused_automaton_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Cheat(Toy):
        def choose(self, view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
            return Plan(Seal("Z")) if seat == 0 else super().choose(view, seat, skill, at)

    monkeypatch.setitem(GAMES, "toy", Cheat())
    status, line, told = simulate(capsys, "toy", "--keep", tmp_path)
    assert (status, line["finished"]) == (1, 1)
    assert line["illegal"] > 5
    assert "moves of automata refused" in told


def test_a_leak_fails_the_run_and_leaves_a_log_that_replays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Loud(Toy):
        def heard_by(self, event: Event, seat: int | None) -> Event | None:
            return event if isinstance(event, Drew) else super().heard_by(event, seat)

    monkeypatch.setitem(GAMES, "toy", Loud())
    status, line, told = simulate(capsys, "toy", "--games", 2, "--seats", 2, "--keep", tmp_path / "logs")
    assert (status, line["finished"]) == (1, 2)
    assert line["leaks"] == line["broken"]["event"] > 0
    logs = sorted((tmp_path / "logs").iterdir())
    assert len(logs) == 2
    assert f"log: {logs[0]}" in told
    assert main(["replay", str(logs[0])]) == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert rows[-1]["result"] is not None
    assert not any("refused" in row for row in rows)


def test_a_crash_of_the_rules_is_reported_and_its_log_ends_with_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Fragile(Toy):
        def _draw(self, state: State, events: tuple[Event, ...], at: Moment) -> Any:
            raise ZeroDivisionError("a bug")

    monkeypatch.setitem(GAMES, "toy", Fragile())
    status, line, told = simulate(capsys, "toy", "--seats", 2, "--skill", 0, "--keep", tmp_path)
    assert (status, line["finished"], line["broken"]["crash"]) == (1, 0, 1)
    assert "breaks crash: ZeroDivisionError: a bug" in told
    (log,) = tmp_path.iterdir()
    with pytest.raises(ZeroDivisionError):
        main(["replay", str(log)])


def test_a_game_depends_on_its_seed_and_number_alone() -> None:
    setting = Setting("toy", TOY.options.dump(Options()), 3, "x", 1, bound=30)
    logs = [simulated(TOY, setting, index, NoWords()).log for index in (0, 1, 0)]
    other = simulated(TOY, msgspec.structs.replace(setting, seed="y"), 0, NoWords()).log
    assert logs[0] == logs[2]
    assert len({logs[0], logs[1], other}) == 3


def test_the_number_of_processes_changes_nothing_but_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for jobs in (1, 2):
        arguments = ("defenders", "--games", 2, "--seats", 1, "--skill", 0, "--jobs", jobs)
        status, line, _ = simulate(capsys, *arguments)
        assert (status, line["finished"]) == (0, 2)
        assert line.pop("ms_per_move") > 0
        lines.append(line)
    assert lines[0] == lines[1]


HASHED = """
import sys
from bot.simulate import Setting, simulated
from tests.games.toy import TOY
from tests.test_simulate import NoWords
setting = Setting("toy", b"{}", 4, "x", 1, bound=40)
sys.stdout.buffer.write(simulated(TOY, setting, 0, NoWords()).log)
"""


def test_games_are_the_same_under_every_hash_seed() -> None:
    logs = {
        subprocess.run(
            [sys.executable, "-c", HASHED],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(logs) == 1
    assert logs.pop().startswith(b"{")


def test_imagination_and_play_draw_from_different_streams() -> None:
    draws = {
        purpose: [Chance(b"s", 1, purpose).below(2**32) for _ in range(2)]
        for purpose in ("play", "imagine", "choose/0", "choose/1", "order")
    }
    assert len({tuple(drawn) for drawn in draws.values()}) == len(draws)
    assert all(first == second for first, second in draws.values())
