"""One data folder, one bot."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store.database import StoreError
from bot.store.lock import held

HOLD = """
import sys, time
from pathlib import Path
from bot.store.lock import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    """Start a process that holds a folder."""
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_folder_that_a_process_holds_is_refused_with_its_number(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with (
            pytest.raises(StoreError, match=rf"Another bot \(process {process.pid}\) runs on the data"),
            held(tmp_path),
        ):
            pass
        process.kill()


def test_a_killed_holder_leaves_the_folder_free(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with held(tmp_path):
        assert (tmp_path / "wordmoot.lock").read_text("ascii") == f"{os.getpid()}\n"


def test_a_folder_is_free_again_after_its_use(tmp_path: Path) -> None:
    for _ in range(2):
        with held(tmp_path / "new"):
            pass


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "ascii")
    with (
        pytest.raises(StoreError, match=r"The data folder .* cannot be used: Not a directory\."),
        held(tmp_path / "file" / "data"),
    ):
        pass
