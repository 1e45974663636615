"""The dungeons that are shipped: one file of ``content`` each, read and checked once.

A file draws its map in characters: ``#`` rock, ``.`` floor, ``>`` start, ``<`` exit, a letter for a chest, ``*`` gem, a digit
for a key, ``%`` door; whatever else stands on the map is explained by its legend. Rules come by name (``bylaws``). A file that is
wrong is refused with its name, the line and the reason, so that dungeons can be made by people who do not program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bot.games.crossword import Square, neighbours, square_name
from bot.games.dungeon.bylaws import Rule
from bot.games.dungeon.ground import PLAIN, Ground, Monster, Position
from bot.games.dungeon.placement import Judge, check, ground_of, read
from bot.games.dungeon.scoring import Tally, tally
from bot.games.dungeon.state import TIERS, Dungeon, Mark, Scoring
from bot.games.game import IllegalMove

FOLDER = Path(__file__).parent / "content"
SMALLEST, LARGEST = 3, 20  # squares along an edge
MOST_TURNS = 40


class BadDungeon(ValueError):  # noqa: N818 - a file that is bad, not a failure of ours
    """A dungeon that cannot be played. ``path`` is the place in its file, as msgspec writes it: ``$.rules[0]``."""

    def __init__(self, reason: str, path: str = "$") -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path


class _Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file. ``map`` is drawn a line a row."""

    name: str
    tier: int
    story: str
    teaches: str
    map: str
    turns: int
    par: int
    best: tuple[str, ...]
    legend: tuple[Mark, ...] = ()
    monsters: tuple[Monster, ...] = ()
    scoring: Scoring = Scoring()
    rules: tuple[Rule, ...] = ()


def parsed(key: str, raw: bytes, name: str = "") -> Dungeon:
    """Return the dungeon that a file holds. ``name`` is what the file is called in a refusal.

    Raises:
        BadDungeon: the file cannot be read, or the dungeon not be played; the sentence begins with file and line.
    """
    name = name or f"{key}.toml"
    try:
        text = raw.decode()
        sheet = msgspec.toml.decode(text, type=_Sheet)
        dungeon = checked(_of(key, sheet))
        if not dungeon.best:
            raise BadDungeon("`best` holds no route", "$.best")
        for at, turn in enumerate(dungeon.best):
            _read(dungeon, turn, f"$.best[{at}]")
    except UnicodeDecodeError as error:
        raise BadDungeon(f"{name}:1: this is no text in UTF-8") from error
    except msgspec.ValidationError as error:
        reason, path = _invalid(str(error))
        raise BadDungeon(f"{name}:{line_of(text, path)}: {reason}", path) from error
    except msgspec.DecodeError as error:
        found = re.search(r"\(at line (\d+)", str(error))
        raise BadDungeon(f"{name}:{found[1] if found else 1}: {error}") from error
    except BadDungeon as bad:
        raise BadDungeon(f"{name}:{line_of(text, bad.path)}: {bad.reason}", bad.path) from bad
    return dungeon


def _invalid(sentence: str) -> tuple[str, str]:
    """Return the reason and the place that msgspec tells in one sentence."""
    reason, _, path = sentence.partition(" - at `")
    path = path.rstrip("`") or "$"
    unknown = re.fullmatch(r"Object contains unknown field `(\w+)`", reason)
    if unknown is not None:
        return f"nothing here is called `{unknown[1]}`", f"{path}.{unknown[1]}"
    if path.endswith(".rule"):
        return reason.replace("Invalid value", "there is no rule"), path
    return reason, path


def _of(key: str, sheet: _Sheet) -> Dungeon:
    fields = msgspec.structs.asdict(sheet)
    rows = tuple(fields.pop("map").strip("\n").split("\n"))
    return Dungeon(key=key, rows=rows, **fields)


def line_of(text: str, path: str) -> int:
    """Return the line, from 1, of a place in a file: of a key, of a row of the map, of an item of a list."""
    lines = text.split("\n")
    found = 0
    for part in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        name, index = part
        if name:
            found = _first(lines, rf"\s*\[*{name}(\]|\s*=)", found, default=found)
        elif re.match(r"\s*\[\[", lines[found]):
            header = lines[found].strip()
            tables = [at for at, line in enumerate(lines) if line.strip() == header]
            found = tables[int(index)] if int(index) < len(tables) else found
        else:
            quoted = "map" not in lines[found]
            items = [at for at in range(found + 1, len(lines)) if not quoted or '"' in lines[at]]
            found = items[int(index)] if int(index) < len(items) else found
    return found + 1


def _first(lines: list[str], pattern: str, start: int, default: int) -> int:
    return next((at for at in range(start, len(lines)) if re.match(pattern, lines[at])), default)


# Can it be played?


def checked(dungeon: Dungeon) -> Dungeon:
    """Return the dungeon, which can be played; whether its par can be reached, ``verified`` tells.

    Raises:
        BadDungeon: it cannot; the sentence says why.
    """
    _check_numbers(dungeon)
    _check_map(dungeon)
    ground = ground_of(dungeon)
    _check_monsters(dungeon)
    _check_things(ground)
    _check_reach(ground)
    for at, rule in enumerate(dungeon.rules):
        if rule in dungeon.rules[:at]:
            raise BadDungeon("this rule is given twice", f"$.rules[{at}]")
        misfit = rule.misfit(ground)
        if misfit:
            raise BadDungeon(f"{rule.__struct_config__.tag}: {misfit}", f"$.rules[{at}]")
    return dungeon


def _check_numbers(dungeon: Dungeon) -> None:
    for name, low, high in (("tier", 1, TIERS), ("turns", 1, MOST_TURNS), ("par", 1, 999)):
        number = getattr(dungeon, name)
        if not low <= number <= high:
            raise BadDungeon(f"`{name}` is {number}, and may be {low} to {high}", f"$.{name}")
    for name in ("name", "story"):
        if not getattr(dungeon, name).strip():
            raise BadDungeon(f"`{name}` says nothing", f"$.{name}")
    for name, points in msgspec.structs.asdict(dungeon.scoring).items():
        if points < 0:
            raise BadDungeon(f"`{name}` is {points}, and scoring takes nothing away", f"$.scoring.{name}")


def _check_map(dungeon: Dungeon) -> None:
    rows = dungeon.rows
    width = len(rows[0]) if rows else 0
    if not SMALLEST <= len(rows) <= LARGEST or not SMALLEST <= width <= LARGEST:
        raise BadDungeon(f"a map is {SMALLEST} to {LARGEST} squares wide and high", "$.map")
    legend = [mark.mark for mark in dungeon.legend]
    for at, mark in enumerate(legend):
        if len(mark) != 1 or mark in PLAIN or mark.isalnum() or not mark.isprintable() or mark.isspace():
            raise BadDungeon(
                f"{mark!r} cannot be a mark; take one character with no meaning yet", f"$.legend[{at}]"
            )
        if mark in legend[:at]:
            raise BadDungeon(f"the legend explains {mark!r} twice", f"$.legend[{at}]")
        if not any(mark in row for row in rows):
            raise BadDungeon(f"the map has no square marked {mark!r}", f"$.legend[{at}]")
    for at, row in enumerate(rows):
        if len(row) != width:
            raise BadDungeon(f"this row has {len(row)} squares, and the first has {width}", f"$.map[{at}]")
        unknown = sorted(set(row) - PLAIN - set(legend))
        if unknown:
            raise BadDungeon(f"the map holds {unknown[0]!r}, which no legend explains", f"$.map[{at}]")
    try:
        ground_of(dungeon)
    except ValueError as error:
        raise BadDungeon(str(error), "$.map") from error


def _check_monsters(dungeon: Dungeon) -> None:
    names = [monster.name for monster in dungeon.monsters]
    for at, monster in enumerate(dungeon.monsters):
        if not re.fullmatch("[A-Z]{2,}", monster.name):
            raise BadDungeon(
                f"a monster's name is of the letters A to Z, not {monster.name!r}", f"$.monsters[{at}]"
            )
        if monster.name in names[:at]:
            raise BadDungeon(f"there are two monsters named {monster.name}", f"$.monsters[{at}]")
        if monster.coin < 1:
            raise BadDungeon(f"the coin of {monster.name} is worth nothing", f"$.monsters[{at}]")


def _check_things(ground: Ground) -> None:
    if ground.doors and not ground.keys:
        raise BadDungeon("there is a door and no key", _row(ground.doors[0]))
    if ground.keys and not ground.doors:
        raise BadDungeon("there is a key and no door", _row(ground.keys[0]))
    for square in ground.chests:
        beside = [other for other in neighbours(square) if other in ground.chests]
        if beside:
            raise BadDungeon(
                f"the chests at {square_name(square)} and {square_name(beside[0])} touch, which would be a word",
                _row(max(square, beside[0])),
            )


def _check_reach(ground: Ground) -> None:
    """Check that keys open the way to the exit, and that no thing lies behind rock all around."""
    if not _leads_out(ground, frozenset()):
        reason = "no way leads from the start to the exit"
        if ground.exit in _reached(ground, ground.doors):
            reason += " with the keys that can be had before its doors"
        raise BadDungeon(reason, _row(ground.exit))
    reached = _reached(ground, ground.doors)
    things = {"chest": ground.chests, "gem": ground.gems, "key": ground.keys, "door": ground.doors}
    for name, squares in things.items():
        for square in squares:
            if square not in reached:
                raise BadDungeon(f"no way leads to the {name} at {square_name(square)}", _row(square))


def _leads_out(ground: Ground, opened: frozenset[Square]) -> bool:
    """Return whether some order of opening doors leads to the exit, ``opened`` being open already."""
    reached = _reached(ground, opened)
    if ground.exit in reached:
        return True
    if sum(key in reached for key in ground.keys) <= len(opened):
        return False
    beside = {square for place in reached for square in neighbours(place)}
    return any(
        _leads_out(ground, opened | {door}) for door in ground.doors if door not in opened and door in beside
    )


def _reached(ground: Ground, opened: Iterable[Square]) -> set[Square]:
    """Return the squares that a way from the start leads to, through no door but those ``opened``."""
    barred = set(ground.doors) - set(opened)
    reached, waiting = {ground.start}, [ground.start]
    while waiting:
        for beside in neighbours(waiting.pop()):
            if beside not in reached and beside not in barred and ground.open(beside):
                reached.add(beside)
                waiting.append(beside)
    return reached


def _row(square: Square) -> str:
    return f"$.map[{square[0]}]"


def _read(dungeon: Dungeon, turn: str, path: str) -> None:
    try:
        read(dungeon, turn)
    except ValueError as error:
        raise BadDungeon(str(error), path) from error


# Is par what it says?


def verified(dungeon: Dungeon, judge: Judge) -> Tally:
    """Replay the stored best route and return what it scores.

    Raises:
        BadDungeon: a turn is refused, the route does not leave, or its base is not par.
    """
    here = Position.first(ground_of(dungeon))
    for at, turn in enumerate(dungeon.best):
        try:
            here = check(dungeon, here, read(dungeon, turn), judge).after
        except (IllegalMove, ValueError) as refusal:
            raise BadDungeon(
                f"{dungeon.name}: turn {at + 1}, {turn}: {refusal}", f"$.best[{at}]"
            ) from refusal
    if not here.out:
        raise BadDungeon(f"{dungeon.name}: the best route does not leave", "$.best")
    found = tally(dungeon, here)
    if found.base != dungeon.par:
        raise BadDungeon(f"{dungeon.name}: the best route scores {found.base}, not {dungeon.par}", "$.par")
    return found


def without_route(dungeon: Dungeon) -> Dungeon:
    """Return the dungeon without its best route, as it lies on a table."""
    return replace(dungeon, best=())


def _load(folder: Path) -> dict[str, Dungeon]:
    found = [parsed(file.stem, file.read_bytes(), file.name) for file in sorted(folder.glob("*.toml"))]
    return {
        dungeon.key: dungeon for dungeon in sorted(found, key=lambda one: (one.tier, one.turns, one.name))
    }


DUNGEONS = _load(FOLDER)
