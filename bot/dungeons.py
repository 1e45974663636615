"""``wordmoot dungeons``: list, draw, verify, solve and generate dungeons for Word Dungeon.

Results go to standard output, progress to standard error. Exit status: 0 when all is well, 1 when a dungeon does not
reach its par or none could be found, 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterable

import msgspec

from bot.games.chance import Chance
from bot.games.dungeon.atlas import most
from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.generate import daily, generate
from bot.games.dungeon.placement import read, written
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.solver import BUDGET, Progress, solve
from bot.games.dungeon.state import Dungeon, Ended, Options
from bot.games.game import IllegalMove, Moment, Words
from bot.words.lexicon import Lexicon


class BadInput(Exception):  # noqa: N818 - a refusal, told in one sentence
    """What was asked for does not exist."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``wordmoot dungeons``."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--verify", action="store_true", help="replay every stored route through the rules")
    what.add_argument("--draw", metavar="NAME", help="print a dungeon's map, rules and things")
    what.add_argument("--solve", metavar="NAME", help="search a route anew and print it as lines of TOML")
    what.add_argument("--generate", metavar="SEED", type=int, help="make the dungeon of a whole number")
    what.add_argument("--daily", metavar="YYYY-MM-DD", help="make the dungeon of a day")
    parser.add_argument(
        "--budget", type=int, metavar="N", help=f"with --solve: placements tried, {BUDGET:,} by default"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="with --solve: another search, 0 by default")


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked for; returns the exit status."""
    try:
        return _run(arguments)
    except BadInput as refusal:
        print(f"wordmoot dungeons: {refusal}", file=sys.stderr)
        return 2


def _run(arguments: argparse.Namespace) -> int:
    if arguments.solve is None and (arguments.budget is not None or arguments.seed is not None):
        raise BadInput("--budget and --seed go with --solve.")
    if arguments.verify:
        return verify(DUNGEONS.values(), Lexicon.load())
    if arguments.draw is not None:
        _print(drawn(named(arguments.draw)))
        return 0
    if arguments.solve is not None:
        budget = BUDGET if arguments.budget is None else arguments.budget
        if budget < 1:
            raise BadInput("a budget is 1 or more.")
        return _solve(named(arguments.solve), budget, arguments.seed or 0)
    if arguments.generate is not None or arguments.daily is not None:
        return _make(arguments.generate, arguments.daily)
    _print(table(DUNGEONS.values()))
    return 0


def named(text: str) -> Dungeon:
    """Return the dungeon of a key or a name, in any case; raises BadInput with those that come near."""
    wanted = _folded(text)
    names = {_folded(name): dungeon for key, dungeon in DUNGEONS.items() for name in (key, dungeon.name)}
    if wanted in names:
        return names[wanted]
    near = difflib.get_close_matches(wanted, names, n=5, cutoff=0.4)
    keys = list(dict.fromkeys(names[name].key for name in near))
    hint = f"near it are {', '.join(keys)}." if keys else "`wordmoot dungeons` lists them all."
    raise BadInput(f"there is no dungeon {text!r}; {hint}")


def _folded(name: str) -> str:
    """Return a name as it is compared: in any case, with or without apostrophes."""
    return name.strip().casefold().translate(str.maketrans("", "", "'’‘ʼ`´"))


def table(dungeons: Iterable[Dungeon]) -> list[str]:
    """Return a line for each dungeon, and one above them."""
    lines = [f"{'KEY':<18}{'NAME':<24}TIER   SIZE  PAR  FULL  TURNS  RULES"]
    for one in dungeons:
        size = f"{len(one.rows[0])}x{len(one.rows)}"
        rules = ", ".join(str(rule.__struct_config__.tag) for rule in one.rules) or "-"
        full = most(one)
        lines.append(
            f"{one.key:<18}{one.name:<24}{one.tier:>4}{size:>7}{one.par:>5}"
            f"{full if full is not None else 'open':>6}{one.turns:>7}  {rules}"
        )
    return lines


def drawn(dungeon: Dungeon) -> list[str]:
    """Return a dungeon as text: its map with the names of squares, its things and its rules."""
    columns = "".join(chr(ord("A") + col) for col in range(len(dungeon.rows[0])))
    lines = [f"{dungeon.name} ({dungeon.key}), tier {dungeon.tier}", dungeon.story, "", f"   {columns}"]
    lines += [f"{number:>2} {row}" for number, row in enumerate(dungeon.rows, 1)]
    lines += ["", f"Leave within {dungeon.turns} turns; par is {dungeon.par}."]
    lines += [f"{mark.mark} {mark.name}" for mark in dungeon.legend]
    worth = msgspec.structs.asdict(dungeon.scoring)
    lines.append("Points: " + ", ".join(f"{name} {points}" for name, points in worth.items() if points) + ".")
    if dungeon.monsters:
        dens = ", ".join(f"{monster.name} {monster.coin}" for monster in dungeon.monsters)
        lines.append(f"Monsters: {dens}.")
    return lines + [rule.told() for rule in dungeon.rules]


def verify(dungeons: Iterable[Dungeon], lexicon: Lexicon) -> int:
    """Replay the stored route of each dungeon at a table of its own; returns 0 when each reaches its par."""
    status = 0
    for dungeon in dungeons:
        try:
            ended = replayed(dungeon, lexicon)
        except (IllegalMove, ValueError) as reason:
            print(f"{dungeon.key}: FAILED: {reason}")
            status = 1
            continue
        if ended is None:
            print(f"{dungeon.key}: FAILED: the route does not leave")
            status = 1
        elif ended.base != dungeon.par:
            print(f"{dungeon.key}: FAILED: the route scores {ended.base}, and par is {dungeon.par}")
            status = 1
        else:
            print(f"{dungeon.key}: par {dungeon.par} in {ended.turns} of {dungeon.turns} turns")
    return status


def replayed(dungeon: Dungeon, lexicon: Lexicon) -> Ended | None:
    """Deal a dungeon to one player, lay its stored route, and return how that ended, None when it did not leave.

    Raises IllegalMove for a turn that the rules refuse, ValueError for one that cannot be read.
    """
    state = DUNGEON.deal(1, Options(custom=dungeon), _moment(lexicon, 0))
    for number, turn in enumerate(dungeon.best, 1):
        try:
            state = DUNGEON.play(state, 0, read(dungeon, turn), _moment(lexicon, number)).state
        except IllegalMove as refusal:
            raise IllegalMove(f"turn {number}, {turn}: {refusal}") from refusal
    result = DUNGEON.result(state)
    ended = state.runs[0].ended
    return ended if result is not None and result.won else None


def _moment(lexicon: Lexicon, number: int) -> Moment:
    return Moment(number, Chance(b"dungeons", number, "play"), Words(lexicon))


def _solve(dungeon: Dungeon, budget: int, seed: int) -> int:
    route = solve(dungeon, Lexicon.load(), budget, seed, _show)
    if route is None:
        print(f"No way out of {dungeon.name} was found with this budget.", file=sys.stderr)
        return 1
    proof = "; nothing scores more" if route.proven else ""
    print(
        f"{len(route.places)} turns, base {route.base}, bonus {route.bonus}{proof}; "
        f"{route.spent:,} placements tried.",
        file=sys.stderr,
    )
    _print(toml(route.base, [written(dungeon, place) for place in route.places]))
    return 0


def _show(progress: Progress) -> None:
    base = "no way out yet" if progress.base is None else f"base {progress.base}"
    full = "" if progress.full is None else f" of {progress.full}"
    print(
        f"pass {progress.number}, width {progress.width}, turn {progress.turn}: {base}{full}, "
        f"{progress.spent:,} placements tried",
        file=sys.stderr,
        flush=True,
    )


def toml(par: int, best: Iterable[str]) -> list[str]:
    """Return par and a route as they stand in a dungeon's file."""
    return [f"par = {par}", "best = [", *(f'  "{turn}",' for turn in best), "]"]


def _make(seed: int | None, date: str | None) -> int:
    lexicon = Lexicon.load()
    try:
        dungeon = generate(seed, lexicon) if seed is not None else daily(str(date), lexicon)
    except ValueError as reason:
        raise BadInput(f"{reason}.") from reason
    _print([*drawn(dungeon), "", *toml(dungeon.par, dungeon.best)])
    return 0


def _print(lines: Iterable[str]) -> None:
    print("\n".join(lines))
