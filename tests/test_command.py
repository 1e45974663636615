"""The command line: every command can be asked what it does."""

import pytest

from bot.__main__ import COMMANDS, main


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    told = capsys.readouterr().out
    assert told.startswith(f"usage: wordmoot {command}")
    assert COMMANDS[command][1][1:8] in told


def test_the_overview_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    told = capsys.readouterr().out
    assert all(f"\n    {command}" in told for command in COMMANDS)


@pytest.mark.parametrize("arguments", [[], ["dance"], ["simulate"], ["simulate", "chess"], ["replay"]])
def test_a_wrong_command_line_is_refused_with_its_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("usage: wordmoot")
