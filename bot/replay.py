"""``wordmoot replay FILE``: play an exported log, or a scenario written by hand, through the rules.

Prints one JSON object a row of the log (what was done, what happened or why it was refused, who is awaited, what is due)
and the result at the end: that of the rules, or, with ``"ended": true``, what the table's end amounted to when people ended
it before the rules did (null: nothing is recorded). ``--view`` shows what one viewer would have known instead of everything.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from bot.games import GAMES
from bot.games.game import Lexicon, Result
from bot.games.log import AnyGame, BadLog, Log, Step, opening, parsed, replayed

Viewer = int | None | Literal["all"]  # a seat, everyone, or who may know all


class Unusable(Exception):  # noqa: N818 - reads as what it says
    """An argument that cannot be followed."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE", help="a log or a scenario; - for standard input")
    parser.add_argument("--until", type=int, metavar="N", help="play the first N rows only")
    parser.add_argument(
        "--view",
        metavar="SEAT|public",
        help="what this seat (from 0), or everyone, hears; at the end what it sees",
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE.png", help="draw the end as --view sees it, or else everyone"
    )


def run(arguments: argparse.Namespace) -> int:
    """Replay; returns 0, or 2 when the file or an argument is of no use."""
    try:
        log = parsed(_read(arguments.file))
        game = _game(log)
        viewer = _viewer(arguments.view, log.seats)
        _replay(game, log, arguments.until, viewer, arguments.picture, _lexicon())
    except BadLog as bad:
        print(f"wordmoot replay: {arguments.file}: {bad}", file=sys.stderr)
        return 2
    except (OSError, Unusable) as error:
        print(f"wordmoot replay: {error}", file=sys.stderr)
        return 2
    return 0


def line(game: AnyGame, step: Step[Any, Any, Any], viewer: Viewer) -> dict[str, object]:
    """Return what is printed of a row: everything, or what ``viewer`` may know of it.

    A viewer reads moves and refusals of its own seat alone; those of others are null.
    """
    own = viewer == "all" or viewer == step.seat
    shown: dict[str, object] = {"seq": step.seq, "at": step.at, "seat": step.seat}
    if step.undone is None:
        shown["move"] = msgspec.Raw(game.moves.dump(step.move)) if own and step.move is not None else None
    else:
        shown["undo"] = step.undone
    if step.refused is not None:
        shown["refused"] = step.refused if own else None
    else:
        shown["events"] = msgspec.Raw(game.events.dump(_heard(game, step.events, viewer)))
    shown["awaited"] = sorted(game.awaited(step.state))
    shown["due"] = game.due(step.state)
    return shown


def _replay(
    game: AnyGame, log: Log, until: int | None, viewer: Viewer, picture: Path | None, lexicon: Lexicon
) -> None:
    if until is not None:
        log = msgspec.structs.replace(log, moves=log.moves[: max(0, until)], over=False)
    state = opening(game, log, lexicon)
    for step in replayed(game, log, lexicon):
        state = step.state
        _print(line(game, step, viewer))
    result = game.result(state)
    ended = log.over and result is None
    end: dict[str, object] = {"result": _result(log.result if ended else result)}
    if ended:
        end["ended"] = True
    if viewer != "all":
        end["view"] = game.seen_by(state, viewer)
    _print(end)
    if picture is not None:
        view = game.seen_by(state, None if viewer == "all" else viewer)
        picture.write_bytes(_drawn(game, view, [f"Seat {seat + 1}" for seat in range(log.seats)]))


def _result(result: Result | None) -> dict[str, object] | None:
    """Return a result without what its kind of game does not have."""
    if result is None:
        return None
    fields: dict[str, object] = {"won": result.won} if result.won is not None else {}
    if result.scores:
        fields["scores"] = result.scores
    if result.winners:
        fields["winners"] = result.winners
    return fields


def _heard(game: AnyGame, events: Sequence[Any], viewer: Viewer) -> tuple[Any, ...]:
    if viewer == "all":
        return tuple(events)
    heard = (game.heard_by(event, viewer) for event in events)
    return tuple(event for event in heard if event is not None)


def _drawn(game: AnyGame, view: Any, names: Sequence[str]) -> bytes:
    module = f"render.{game.key}"
    try:
        drawn: bytes = importlib.import_module(module).board(view, names)
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise
        raise Unusable(f"--picture: {game.title} has no picture") from missing
    return drawn


def _game(log: Log) -> AnyGame:
    if log.game not in GAMES:
        raise BadLog(f"no game is called {log.game!r}, but {', '.join(GAMES)} - at `$.game`")
    return GAMES[log.game]


def _viewer(text: str | None, seats: int) -> Viewer:
    if text is None:
        return "all"
    if text == "public":
        return None
    if text.isdecimal() and int(text) < seats:
        return int(text)
    raise Unusable(f"--view {text}: a seat from 0 to {seats - 1}, or public")


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _lexicon() -> Lexicon:
    from bot.words.lexicon import Lexicon as Shipped  # loads data: not for --help

    return Shipped.load()


def _print(fields: dict[str, object]) -> None:
    print(msgspec.json.encode(fields).decode(), flush=True)
