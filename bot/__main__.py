"""The command line: ``wordmoot <command>``. Each command is a module that is imported only when it is asked for.

An image for a server leaves the tools out that build and try Wordmoot; what is not there is not offered.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

# Each module has ``configure(parser)``, which adds its arguments, and ``run(arguments)``, the exit status.
COMMANDS = {
    "run": ("bot.app", "run the bot on Discord; the token comes from WORDMOOT_TOKEN"),
    "play": ("bot.loopback.play", "start a Discord on this machine, the bot in it, and a page to play on"),
    "simulate": ("bot.simulate", "let automata play whole games and check the laws at every move"),
    "replay": ("bot.replay", "play a log or a scenario through the rules"),
    "soak": (
        "bot.soak.command",
        "let a Discord of this machine go wrong around the bot and check all that must hold",
    ),
    "bench": ("bot.bench", "measure; one JSON line a figure"),
    "backup": ("bot.backup", "copy the database to a file, also while the bot runs"),
    "restore": ("bot.restore", "put a backup in the place of the database, while no bot runs"),
    "health": ("bot.health", "tell whether the bot runs, and by its heartbeat whether it hangs"),
    "dungeons": ("bot.dungeons", "list, draw, verify, solve and generate the dungeons of Word Dungeon"),
    "words": ("bot.words.command", "look words up: check, define, related"),
}


def here(module: str) -> bool:
    """Return whether a module is installed, without importing any."""
    place = Path(__file__).resolve().parent.parent.joinpath(*module.split("."))
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status (2 for a wrong command line)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in COMMANDS and not here(COMMANDS[given[0]][0]):
        print(
            f"`wordmoot {given[0]}` is not part of this installation; a clone of Wordmoot has it.",
            file=sys.stderr,
        )
        return 2
    parser = argparse.ArgumentParser(prog="wordmoot", description="Five word board games on Discord.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module, purpose) in COMMANDS.items():
        if not here(module):
            continue
        command = commands.add_parser(name, help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
        if given[:1] == [name]:
            importlib.import_module(module).configure(command)
    parsed = parser.parse_args(given)
    status: int = importlib.import_module(COMMANDS[parsed.command][0]).run(parsed)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
