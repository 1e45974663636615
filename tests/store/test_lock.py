"""One data folder, one bot."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.store import lock
from bot.store.database import StoreError
from bot.store.lock import held, is_held

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


def test_a_folder_that_is_made_is_for_its_owner_alone(tmp_path: Path) -> None:
    with held(tmp_path / "new"):
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_whether_a_folder_is_held_can_be_asked_without_making_it(tmp_path: Path) -> None:
    assert not is_held(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    with held(tmp_path):
        assert is_held(tmp_path)
    assert not is_held(tmp_path)


def test_a_look_at_the_lock_keeps_no_bot_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with held(tmp_path):
        pass
    looking = os.open(tmp_path / lock.NAME, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    monkeypatch.setattr(lock, "time", SimpleNamespace(sleep=lambda seconds: os.close(looking)))
    with held(tmp_path):
        assert is_held(tmp_path)


def test_a_disk_without_locks_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(file: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    with pytest.raises(StoreError, match=r"cannot be used: No locks available\."), held(tmp_path):
        pass
    with pytest.raises(StoreError, match=r"cannot be used: No locks available\."):
        is_held(tmp_path)


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "ascii")
    with (
        pytest.raises(StoreError, match=r"The data folder .* cannot be used: Not a directory\."),
        held(tmp_path / "file" / "data"),
    ):
        pass
