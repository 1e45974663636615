"""What every test has to leave behind: no open database, since one keeps Python from ending. And which files go first."""

import threading
from collections.abc import Iterator

import pytest

# Whole files go to one process each, so those that take longest go first and the thousands of quick tests fill the end.
LONGEST = (
    "words/test_build",
    "wire/",
    "page/",
    "test_hosting",
    "test_soak",
    "games/test_playthroughs",
    "test_image",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first; the order is the same in every process."""

    def place(item: pytest.Item) -> int:
        file = item.nodeid.removeprefix("tests/")
        return next((rank for rank, start in enumerate(LONGEST) if file.startswith(start)), len(LONGEST))

    items.sort(key=place)


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
