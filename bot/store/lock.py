"""One bot, one data folder: a lock that the kernel gives back however its holder ends.

It is ``flock`` on ``wordmoot.lock``, which holds the process's number for whoever reads it. It works between
containers that share a volume of one machine; network file systems keep such locks or not, each in its own way.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.store.database import StoreError

NAME = "wordmoot.lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a data folder, which is made if need be, for as long as the context lasts.

    Raises:
        StoreError: another process holds it, or nothing can be written there.
    """
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(f"The data folder {folder} cannot be used: {error.strerror or error}.") from error
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreError(_taken(file, folder)) from error
        belonging(path)
        os.ftruncate(file, 0)
        os.pwrite(file, b"%d\n" % os.getpid(), 0)
        yield
    finally:
        os.close(file)  # and with it the lock; the file stays, since another may be about to lock it


def belonging(path: Path) -> None:
    """Give a file that root has made to the owner of its folder, as whom the bot runs; others' files are left."""
    if os.geteuid() != 0:
        return
    folder = path.parent.stat()
    os.chown(path, folder.st_uid, folder.st_gid)


def _taken(file: int, folder: Path) -> str:
    holder = os.pread(file, 32, 0).decode("ascii", "replace").strip()
    process = f" (process {holder})" if holder.isdigit() else ""
    return f"Another bot{process} runs on the data in {folder}. Stop it first: one bot owns one data folder."
