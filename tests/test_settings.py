"""Settings that cannot be used are told by name, in a line each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import BadSettings, Folder, Settings, from_environment

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("WORDMOOT_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("setting", ["HINT_GAP", "DIG_AFTER", "READY_TIMEOUT", "PACE", "ROUNDS"])
@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "1e999"])
def test_a_time_that_never_comes_is_refused_by_name(
    setting: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORDMOOT_TOKEN", "x")
    monkeypatch.setenv(f"WORDMOOT_{setting}", value)
    with pytest.raises(BadSettings, match=rf"^WORDMOOT_{setting}: Input should be a finite number$"):
        from_environment(Settings)


def test_every_wrong_setting_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORDMOOT_HINT_GAP", "1e308")
    with pytest.raises(BadSettings) as told:
        from_environment(Settings)
    assert [line.partition(":")[0] for line in str(told.value).splitlines()] == [
        "WORDMOOT_TOKEN",
        "WORDMOOT_HINT_GAP",
    ]


def test_settings_come_from_a_file_in_the_folder_too() -> None:
    Path(".env").write_text("WORDMOOT_TOKEN=x\nWORDMOOT_DATA=elsewhere\n", "utf-8")
    assert from_environment(Folder).data == from_environment(Settings).data == Path("elsewhere")


@pytest.mark.parametrize("command", [("health",), ("backup", "copy.db"), ("restore", "copy.db"), ("run",)])
def test_a_file_of_settings_that_is_no_text_is_a_sentence(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    Path(".env").write_bytes(b"WORDMOOT_TOKEN=\xff\xfe\n")
    status = 2 if command == ("run",) else 1
    before = os.umask(0o022)
    try:
        assert main(command) == status
    finally:
        os.umask(before)
    assert capsys.readouterr().err == "The file .env cannot be read: it is no text in UTF-8.\n"


def test_a_file_of_settings_that_cannot_be_read_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("WORDMOOT_PACE=1\n", "utf-8")

    def refused(path: Path, *given: object, **named: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("builtins.open", refused)
    with pytest.raises(BadSettings, match=r"^The file \.env cannot be read: permission denied\.$"):
        from_environment(Folder)


def test_a_log_for_reading_has_colours_on_a_terminal_alone() -> None:
    line = "import bot.app, structlog; bot.app.configure_logs(False); structlog.get_logger().info('ready', guilds=2)"
    written = subprocess.run(
        [sys.executable, "-c", line], capture_output=True, text=True, check=True, cwd=ROOT
    ).stderr
    assert "ready" in written
    assert "guilds=2" in written
    assert "\x1b" not in written
