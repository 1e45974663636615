"""One bot, one data folder: a lock that the kernel gives back however its holder ends.

It is ``flock`` on ``wordmoot.lock``, which holds the process's number for whoever reads it. It works between
containers that share a volume of one machine; network file systems keep such locks or not, each in its own way.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.store.database import StoreError

NAME = "wordmoot.lock"
TRIES = 10  # since whoever asks whether it is held holds it for a moment
PAUSE = 0.02  # s


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a data folder, which is made for its owner alone if need be, for as long as the context lasts.

    Raises:
        StoreError: another process holds it, or nothing can be written there.
    """
    path = folder / NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _unusable(folder, error) from error
    try:
        _lock(file, folder)
        belonging(path)
        os.ftruncate(file, 0)
        os.pwrite(file, b"%d\n" % os.getpid(), 0)
        yield
    finally:
        os.close(file)  # and with it the lock; the file stays, since another may be about to lock it


def is_held(folder: Path) -> bool:
    """Return whether a process, which may be this one, holds a data folder; raises StoreError if nobody can tell."""
    try:
        file = os.open(folder / NAME, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unusable(folder, error) from error
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        raise _unusable(folder, error) from error
    finally:
        os.close(file)
    return False


def belonging(path: Path) -> None:
    """Give a file that root has made to the owner of its folder, as whom the bot runs; others' files are left."""
    if os.geteuid() != 0:
        return
    folder = path.parent.stat()
    os.chown(path, folder.st_uid, folder.st_gid)


def _lock(file: int, folder: Path) -> None:
    for left in reversed(range(TRIES)):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if not left:
                raise StoreError(_taken(file, folder)) from error
            time.sleep(PAUSE)
        except OSError as error:
            raise _unusable(folder, error) from error
        else:
            return


def _unusable(folder: Path, error: OSError) -> StoreError:
    return StoreError(f"The data folder {folder} cannot be used: {error.strerror or error}.")


def _taken(file: int, folder: Path) -> str:
    holder = os.pread(file, 32, 0).decode("ascii", "replace").strip()
    process = f" (process {holder})" if holder.isdigit() else ""
    return f"Another bot{process} runs on the data in {folder}. Stop it first: one bot owns one data folder."
