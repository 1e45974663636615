"""``wordmoot backup FILE``: a copy of the database, also while the bot runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bot.settings import BadSettings, Folder, from_environment
from bot.store.backup import backup
from bot.store.database import StoreError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``wordmoot backup``."""
    parser.add_argument("file", type=Path, metavar="FILE", help="where to write the copy")
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
    parser.epilog = (
        "The database is that of WORDMOOT_DATA. The bot may run meanwhile. The copy holds every hand of every table: "
        "keep it where only you can read it."
    )


def run(arguments: argparse.Namespace) -> int:
    """Run ``wordmoot backup``."""
    try:
        made = backup(from_environment(Folder).database, arguments.file, force=arguments.force)
    except (BadSettings, StoreError) as error:
        print(error, file=sys.stderr)
        return 1
    print(
        f"Backed up {made.census.tables}, schema {made.census.schema}: {made.size / 1e6:.1f} MB in {made.path}."
    )
    return 0
