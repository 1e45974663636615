"""What every test has to leave behind: no open database, since one keeps Python from ending."""

import threading
from collections.abc import Iterator

import pytest


def databases() -> set[threading.Thread]:
    """Return the threads of open aiosqlite connections."""
    return {thread for thread in threading.enumerate() if "_connection_worker_thread" in thread.name}


@pytest.fixture(autouse=True)
def every_database_is_closed() -> Iterator[None]:
    before = databases()
    yield
    left = databases() - before
    for thread in left:
        thread.join(2)  # a closed one ends as soon as it has its turn
    assert not any(thread.is_alive() for thread in left), "a database is still open"
