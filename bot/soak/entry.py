"""The unmodified bot with its output in a file, since what it writes to its log is one of the things to look through."""

from __future__ import annotations

import os
import sys

from bot.app import main_bot

LOG = "WORDMOOT_SOAK_LOG"


def main() -> int:
    """Append standard output and error to the file named in the environment, then run the bot; its exit status."""
    log = os.open(os.environ[LOG], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        os.dup2(log, stream.fileno())
    return main_bot()
