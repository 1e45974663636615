"""``wordmoot health``: whether the bot on this data folder lives, by its lock and the age of its heartbeat.

A bot holds the folder's lock as long as its process lives. Its heartbeat, which stays in the database when it ends,
tells whether it hangs: it beats each second while time runs out at some table, else each 30 s, and at each move; after
an idle stretch the first beat may come those 30 s later, so the limits leave room for one that was missed. It beats
while Discord is away too: a process started anew would not bring Discord back. The time is this machine's; keep its
clock set.
"""

from __future__ import annotations

import argparse
import sys
import time

from bot.settings import BadSettings, Folder, from_environment
from bot.store.backup import Census, census
from bot.store.database import StoreError
from bot.store.lock import is_held

LIMIT_TICKING = 45_000  # ms without a heartbeat while time runs out at some table
LIMIT_IDLE = 90_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what is looked at; ``wordmoot health`` has no options."""
    parser.epilog = "The database is that of WORDMOOT_DATA. Exit status 0: the bot lives; 1: it does not."


def run(arguments: argparse.Namespace) -> int:
    """Run ``wordmoot health``."""
    try:
        folder = from_environment(Folder)
        found = census(folder.database)
        running = is_held(folder.data)
    except (BadSettings, StoreError) as error:
        print(error, file=sys.stderr)
        return 1
    if not running:
        print(f"No bot runs on the data in {folder.data}.", file=sys.stderr)
        return 1
    good, told = judged(found, time.time_ns() // 1_000_000)
    print(told, file=sys.stdout if good else sys.stderr)
    return 0 if good else 1


def judged(found: Census, now: int) -> tuple[bool, str]:
    """Return whether a bot with such a database lives at ``now`` (ms), and a sentence."""
    if found.beat is None:
        return False, "The bot has not begun to hear Discord yet."
    limit = LIMIT_TICKING if found.ticking else LIMIT_IDLE
    if found.beat > now + limit:
        return False, (
            f"The last heartbeat is dated {(found.beat - now) / 1000:.0f} s ahead, so it says nothing. "
            "This machine's clock is slow, or was set back while the bot was down."
        )
    age = max(0, now - found.beat)
    if age > limit:
        return False, (
            f"The last heartbeat was {age / 1000:.0f} s ago; {limit / 1000:.0f} s are allowed. "
            "The bot hangs or cannot write its database."
        )
    return True, f"The bot lives: its last heartbeat was {age / 1000:.0f} s ago, with {found.tables}."
