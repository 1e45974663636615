"""``wordmoot dungeons`` at the terminal."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest
from msgspec.structs import replace

from bot.__main__ import main
from bot.bench_dungeon import figures
from bot.dungeons import named, replayed, table, verify
from bot.games.dungeon.dungeons import DUNGEONS
from bot.words.lexicon import Lexicon

LEXICON = Lexicon.load()


def test_without_arguments_it_lists_every_dungeon(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dungeons"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(DUNGEONS)
    assert "Dragon Hoard" in next(line for line in lines if line.startswith("dragon-hoard"))


def test_verify_replays_every_route(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dungeons", "--verify"]) == 0
    told = capsys.readouterr().out
    assert told.count("par") == len(DUNGEONS)
    assert "FAILED" not in told


def test_verify_fails_for_a_par_that_is_not_reached(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = replace(DUNGEONS["cellar-steps"], par=12)
    assert verify([wrong], LEXICON) == 1
    assert capsys.readouterr().out == "cellar-steps: FAILED: the route scores 11, and par is 12\n"


def test_verify_fails_for_a_route_that_breaks_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = replace(DUNGEONS["cellar-steps"], best=("QQQ A1 down",))
    assert verify([wrong], LEXICON) == 1
    assert "turn 1, QQQ A1 down" in capsys.readouterr().out


def test_verify_fails_for_a_route_that_does_not_leave(capsys: pytest.CaptureFixture[str]) -> None:
    short = replace(DUNGEONS["cellar-steps"], best=DUNGEONS["cellar-steps"].best[:-1])
    assert verify([short], LEXICON) == 1
    assert "does not leave" in capsys.readouterr().out
    assert replayed(short, LEXICON) is None


@pytest.mark.parametrize("name", ["cellar step's", "Cellar Step’s"])
def test_an_apostrophe_makes_no_other_name(name: str) -> None:
    assert named(name).key == "cellar-steps"


def test_draw_shows_the_map(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dungeons", "--draw", "Cellar steps"]) == 0
    told = capsys.readouterr().out
    for row in DUNGEONS["cellar-steps"].rows:
        assert row in told


def test_an_unknown_name_is_refused_with_those_near_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dungeons", "--draw", "dragon hord"]) == 2
    told = capsys.readouterr().err
    assert "no dungeon 'dragon hord'" in told
    assert "dragon-hoard" in told
    assert main(["dungeons", "--solve", "12345"]) == 2
    assert "lists them all" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["--budget", "5"], ["--verify", "--seed", "1"], ["--solve", "cellar-steps", "--budget", "0"], ["--daily", "soon"]],
)  # fmt: skip
def test_a_wrong_command_line_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dungeons", *arguments]) == 2
    assert capsys.readouterr().err.startswith("wordmoot dungeons: ")


def test_solve_prints_toml_and_shows_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dungeons", "--solve", "cellar-steps", "--budget", "900", "--seed", "2"]) == 0
    told = capsys.readouterr()
    found = msgspec.toml.decode(told.out)
    again = replace(DUNGEONS["cellar-steps"], par=found["par"], best=tuple(found["best"]))
    assert verify([again], LEXICON) == 0
    assert "pass 1, width" in told.err
    assert "placements tried" in told.err


def test_solve_says_when_it_finds_no_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dungeons", "--solve", "minotaur-maze", "--budget", "1"]) == 1
    assert "No way out of Minotaur Maze" in capsys.readouterr().err


def test_a_generated_dungeon_is_drawn_with_its_route(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dungeons", "--generate", "3"]) == 0
    told = capsys.readouterr().out
    assert "generated-3" in told
    assert "best = [" in told


def test_a_long_score_is_open_where_points_have_no_bound() -> None:
    line = table([DUNGEONS["long-gallery"]])[1]
    assert " open " in line


def test_the_command_runs_on_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "dungeons"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("KEY")


def test_the_bench_measures_what_is_promised() -> None:
    figure = next(figures())
    assert figure["figure"] == "one placement checked and scored"
    assert figure["unit"] == "ms"
    assert figure["limit"] == 2
