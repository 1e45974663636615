"""Golden playthroughs: whole games by automata as text, so that a change of rules shows what it changes.

One file a game and number of players in ``playthroughs/``: each move, what each viewer heard of it, and how each view
changed. The lexicon is the frozen one, so rebuilding the real one changes none of them. After a wanted change, write
them anew and read the difference before committing it:

    python -m tests.games.test_playthroughs
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.games import GAMES
from bot.games.game import Lexicon
from bot.games.laws import viewers
from bot.games.log import AnyGame, Step
from bot.simulate import Automata
from tests.words.frozen import frozen

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = Path(__file__).resolve().parent / "playthroughs"
SEED = b"playthrough"
SKILL = 1
LARGEST = 300_000  # bytes; more than that nobody reads

# A dungeon with some of everything, drawn here so that work on those that are shipped changes no playthrough.
HOARD = {
    "key": "hoard",
    "name": "Hoard",
    "tier": 4,
    "story": "Old gold.",
    "rows": [
        "##>######",
        "#.......#",
        "#.#.##.##",
        "..1...*..",
        ".##.#.##.",
        "G..*.....",
        ".#.##%##.",
        "....*...A",
        "##.#.##.#",
        "##..D...<",
    ],
    "turns": 11,
    "monsters": [{"name": "IMP", "coin": 2}, {"name": "DRAGON", "coin": 4}],
    "scoring": {"chest": 1, "gem": 2, "door": 3},
    "par": 21,
}

STEPS = {
    "key": "steps",
    "name": "Steps",
    "tier": 1,
    "story": "Four boxes.",
    "rows": [">....##", ".###.##", ".#T..E.", "...#.#.", "##R...S", "##.##..", "##....<"],
    "turns": 8,
    "scoring": {"chest": 2},
    "par": 11,
}

# Options by game and number of seats, so that the files together show most of what a lobby can choose.
OPTIONS: dict[tuple[str, int], dict[str, object]] = {
    ("defenders", 1): {"map": "north", "edge": "west", "map_side": "night"},
    ("defenders", 2): {"difficulty": "intermediate", "map": "east", "edge": "east", "map_side": "day"},
    ("defenders", 3): {"map": "west", "edge": "south", "map_side": "day", "referee": "guarded"},
    ("defenders", 4): {"level": 3, "map": "south", "edge": "north", "hq_side": "night", "map_side": "day"},
    ("dungeon", 1): {"custom": HOARD},
    ("dungeon", 2): {"custom": STEPS},
    ("dungeon", 3): {"custom": HOARD, "mode": "party"},
}
# Where a game has many numbers of seats that do not differ: those that are played.
SEATS: dict[str, tuple[int, ...]] = {"dungeon": (1, 2, 3)}


def cases() -> list[tuple[str, int]]:
    """Return each game with each of its numbers of seats, or those that show all there is."""
    return [
        (key, seats)
        for key, game in GAMES.items()
        for seats in SEATS.get(key, game.seats(game.options.load(b"{}")))
    ]


def playthrough(game: AnyGame, seats: int, options: Mapping[str, object], lexicon: Lexicon) -> str:
    """Return one seeded game as text."""
    chosen = game.options.load(msgspec.json.encode(options))
    automata: Automata[Any, Any, Any] = Automata(
        game, chosen, seats=seats, seed=SEED, skill=SKILL, lexicon=lexicon
    )
    return "\n".join(_lines(game, automata, game.options.dump(chosen).decode())) + "\n"


def _lines(game: AnyGame, automata: Automata[Any, Any, Any], options: str) -> Iterator[str]:
    yield f"{game.title}, {automata.seats} seats, skill {automata.skill}"
    yield f"options {options}"
    seen: dict[int | None, dict[str, str]] = {viewer: {} for viewer in viewers(automata.seats)}
    yield ""
    yield "The deal"
    yield from _changes(game, automata.state, seen)
    for step in automata:
        yield ""
        yield from _told(game, step, automata.seats)
        yield from _changes(game, step.state, seen)
    yield ""
    yield f"The end: {msgspec.json.encode(game.result(automata.state)).decode()}"


def _told(game: AnyGame, step: Step[Any, Any, Any], seats: int) -> Iterator[str]:
    mover = "The clock" if step.move is None else _name(step.seat)
    move = "runs out" if step.move is None else game.moves.dump(step.move).decode()
    yield f"{step.seq}. {step.at / 1000:g} s. {mover}: {move}"
    for event in step.events:
        public = game.heard_by(event, None)
        if public is not None:
            yield f"  {_plain(public)}"
        for seat in range(seats):
            heard = game.heard_by(event, seat)
            if heard is not None and heard != public:
                yield f"  {_name(seat)} hears {_plain(heard)}"
    awaited = " ".join(str(seat) for seat in sorted(game.awaited(step.state)))
    due = game.due(step.state)
    yield f"  undo {step.undo}, awaited {awaited or 'none'}, due {'never' if due is None else f'{due / 1000:g} s'}"


def _changes(game: AnyGame, state: Any, seen: dict[int | None, dict[str, str]]) -> Iterator[str]:
    """Yield what is new in each view; of a seat's, only where it differs from everyone's."""
    public = _seen(game, state, None)
    for viewer, before in seen.items():
        view = _seen(game, state, viewer)
        own = {path: value for path, value in view.items() if viewer is None or value != public.get(path)}
        new = [f"    {path} {value}" for path, value in own.items() if before.get(path) != value]
        gone = [f"    {path} is gone" for path in before if not any(_within(path, other) for other in view)]
        seen[viewer] = own
        if new or gone:
            yield f"  {_name(viewer)} sees"
            yield from new
            yield from gone


def _seen(game: AnyGame, state: Any, viewer: int | None) -> dict[str, str]:
    view = dict(_flat(msgspec.to_builtins(game.seen_by(state, viewer)), ""))
    return {**view, "epoch": str(game.epoch(state, viewer))}


def _flat(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Yield a view's parts with their places; letters that lie together are one part."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _flat(part, f"{path}.{name}" if path else name)
    elif isinstance(value, list | tuple) and value and all(_is_letter(part) for part in value):
        yield path, "".join(value)
    elif isinstance(value, list | tuple) and any(
        isinstance(part, str | list | tuple | dict) for part in value
    ):
        if all(isinstance(part, str | int | bool | None) for part in value) and path.count("[") > 0:
            yield path, _plain(value)
            return
        for place, part in enumerate(value):
            yield from _flat(part, f"{path}[{place}]")
    else:
        yield path, _plain(value)


def _within(path: str, other: str) -> bool:
    """Return whether one of two places is the other, or inside it: an empty list is no loss when it fills."""
    short, long = sorted((path, other), key=len)
    return long.startswith(short) and long[len(short) : len(short) + 1] in ("", ".", "[")


def _is_letter(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1


def _plain(value: object) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def _name(viewer: int | None) -> str:
    return "Everyone" if viewer is None else f"Seat {viewer}"


def _text(key: str, seats: int) -> str:
    return playthrough(GAMES[key], seats, OPTIONS.get((key, seats), {}), frozen())


def _path(key: str, seats: int) -> Path:
    return FOLDER / f"{key}-{seats}.txt"


@pytest.mark.parametrize(("key", "seats"), cases())
def test_a_game_goes_as_it_went(key: str, seats: int) -> None:
    assert _text(key, seats) == _path(key, seats).read_text("utf-8")


def test_every_playthrough_belongs_to_a_game_and_can_be_read() -> None:
    files = set(FOLDER.glob("*"))
    assert files == {_path(key, seats) for key, seats in cases()}
    assert all(file.stat().st_size < LARGEST for file in files)


HASHED = """
import sys
from tests.games.test_playthroughs import _text, cases
key, seats = cases()[-1]
sys.stdout.write(_text(key, seats))
"""


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_a_game_goes_alike_under_every_hash_seed(seed: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", HASHED],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert told == _path(*cases()[-1]).read_text("utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.txt"):
        file.unlink()
    for case in cases():
        _path(*case).write_text(_text(*case), "utf-8")
        print(_path(*case).relative_to(ROOT))
