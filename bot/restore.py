"""``wordmoot restore FILE``: put a backup in the place of the database, while no bot runs."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.settings import BadSettings, Folder, from_environment
from bot.store.backup import Restored, newest_schema, restore
from bot.store.database import StoreError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``wordmoot restore``."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a file that `wordmoot backup` has written")
    parser.epilog = (
        "The database is that of WORDMOOT_DATA. Stop the bot first. What was there is kept beside it."
    )


def run(arguments: argparse.Namespace) -> int:
    """Run ``wordmoot restore``."""
    try:
        restored = restore(arguments.file, from_environment(Folder).database)
    except (BadSettings, StoreError) as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(_told(restored, arguments.file)))
    return 0


def _told(restored: Restored, file: Path) -> list[str]:
    """Return what was done and what to expect, a sentence or two a line."""
    census = restored.census
    lines = [f"Restored {census.tables}, schema {census.schema}, from {file}."]
    if census.beat is not None:
        then = datetime.fromtimestamp(census.beat / 1000, UTC)
        lines.append(
            f"They are as they were on {then:%Y-%m-%d at %H:%M} UTC; what was played since then is gone."
        )
    if restored.aside is not None:
        lines.append(f"The database that was there is kept as {restored.aside}.")
    lines.append(
        "Start the bot. Table time stands still from the backup to the start; boards and hands are shown anew."
    )
    if census.schema < newest_schema():
        lines.append(f"The start brings the database from schema {census.schema} to {newest_schema()}.")
    return lines
