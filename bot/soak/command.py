"""``wordmoot soak``: let people and automata play on a Discord of this machine while everything goes wrong.

Prints a line of progress each ten seconds on standard error and, as its last line on standard output, one JSON object
with the figures. ``lost``: answers or moves that vanished; ``stuck``: tables that stood still or were not shown;
``leaks``: hands that others could read; ``reports``: errors that the bot did not foresee, and ends that nobody asked
for; ``excused``: interactions to which the weather allowed no answer. The exit status is 0 when moves were made and
none of the first four was found; otherwise the folder named in ``folder`` keeps database, log and timeline.
"""

from __future__ import annotations

import argparse
import json

from bot.soak.hands import HANDS
from bot.soak.soak import Plan, soak

LONGEST = 7 * 24 * 60  # minutes
MOST = 50  # tables


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--minutes", type=_minutes, default=60.0, metavar="M", help="how long; 60 by default")
    parser.add_argument("--seed", type=_seed, default=1, metavar="N", help="of the dice; 1 by default")
    parser.add_argument(
        "--game",
        action="append",
        choices=sorted(HANDS),
        metavar="KEY",
        help="only this game; may be repeated",
    )
    parser.add_argument("--tables", type=_tables, default=4, metavar="N", help="at once; 4 by default")


def run(arguments: argparse.Namespace) -> int:
    """Soak; returns 0 when nothing was found, else 1."""
    plan = Plan(
        minutes=arguments.minutes,
        seed=arguments.seed,
        tables=arguments.tables,
        games=tuple(dict.fromkeys(arguments.game or HANDS)),
    )
    passed, figures = soak(plan)
    print(json.dumps(figures), flush=True)
    return 0 if passed else 1


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of minutes") from None
    if not 0 < minutes <= LONGEST:
        raise argparse.ArgumentTypeError(f"a soak lasts more than 0 and at most {LONGEST} minutes")
    return minutes


def _seed(text: str) -> int:
    if not text.removeprefix("-").isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def _tables(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"there are 1 to {MOST} tables at once")
    return int(text)
