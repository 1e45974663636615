from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.tables.hosting import Hosting


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Hosting]:
    hosting = await Hosting.at(tmp_path)
    yield hosting
    await hosting.store.close()
