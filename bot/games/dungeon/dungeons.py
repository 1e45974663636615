"""The dungeons that are shipped: one file of ``content`` each, read and checked once.

A file draws its map in characters: ``#`` rock, ``.`` floor, ``>`` start, ``<`` exit, a letter for a chest, ``*`` gem, a digit
for a key, ``%`` door; whatever else stands on the map is explained by its legend. Rules come by name (``bylaws``). A file that is
wrong is refused with its name, the line and the reason, so that dungeons can be made by people who do not program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bot.games.crossword import Square, neighbours, square_name
from bot.games.dungeon.bylaws import MOST_POINTS, AllChests, AllDoors, FirstWord, Lit, Rule
from bot.games.dungeon.ground import PLAIN, Ground, Monster, Position
from bot.games.dungeon.placement import Judge, check, fit, ground_of, read
from bot.games.dungeon.scoring import Tally, tally
from bot.games.dungeon.state import TIERS, Dungeon, Mark, Scoring
from bot.games.game import IllegalMove
from bot.words.lexicon import Lexicon

FOLDER = Path(__file__).parent / "content"
SMALLEST, LARGEST = 3, 20  # squares along an edge
MOST_TURNS = 40
MOST_DOORS = 9
LONGEST_MONSTER = 15  # letters
_LONGEST = {"name": 40, "story": 300, "teaches": 200}  # characters of a text
_LONGEST_MARK = 30  # characters of a name in the legend


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
        text = raw.decode("utf-8-sig")
        sheet = msgspec.toml.decode(text, type=_Sheet)
        dungeon = checked(_of(key, sheet))
        if not dungeon.teaches.strip():
            raise BadDungeon("`teaches` says nothing", "$.teaches")
        _check_first_word(dungeon)
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
    lines = text.replace("\r\n", "\n").split("\n")
    found = 0
    for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        if name:
            found = _first(lines, rf"\s*\[*{name}(\]|\s*=)", found, default=found)
            continue
        among = _rows_of(lines, found) if re.match(r"\s*map\s*=", lines[found]) else _items_of(lines, found)
        found = next((at for number, at in enumerate(among) if number == int(index)), found)
    return found + 1


def _rows_of(lines: list[str], start: int) -> Iterator[int]:
    """Yield the lines on which the rows of a map stand that begins on line ``start``."""
    opened = re.match(r"\s*map\s*=\s*(\'\'\'|\"\"\")", lines[start])
    if opened is None:
        return  # all of it on one line
    first = start if lines[start][opened.end() :] else start + 1
    while first < len(lines) and not lines[first]:
        first += 1
    yield from range(first, len(lines))


def _items_of(lines: list[str], start: int) -> Iterator[int]:
    """Yield the lines on which the items of a list stand: tables, or texts in brackets."""
    header = lines[start].strip()
    if header.startswith("[["):
        yield from (at for at, line in enumerate(lines) if line.strip() == header)
        return
    if "{" in header:
        return  # tables on one line
    for at in range(start, len(lines)):
        yield from (at for _ in re.findall(r"\"[^\"]*\"|'[^']*'", lines[at].split("#")[0]))


def _first(lines: list[str], pattern: str, start: int, default: int) -> int:
    return next((at for at in range(start, len(lines)) if re.match(pattern, lines[at])), default)


# Can it be played?


def checked(dungeon: Dungeon) -> Dungeon:
    """Return the dungeon, which can be played; whether its par can be reached, ``verified`` tells.

    Raises:
        BadDungeon: it cannot; the sentence says why.
    """
    _check_numbers(dungeon)
    _check_texts(dungeon)
    _check_map(dungeon)
    ground = ground_of(dungeon)
    _check_monsters(dungeon)
    _check_things(ground)
    _check_reach(dungeon, ground)
    for at, rule in enumerate(dungeon.rules):
        if rule in dungeon.rules[:at]:
            raise BadDungeon("this rule is given twice", f"$.rules[{at}]")
        misfit = rule.misfit(ground, dungeon.turns)
        if misfit:
            raise BadDungeon(f"{rule.__struct_config__.tag}: {misfit}", f"$.rules[{at}]")
    _check_wanted(dungeon, ground)
    return dungeon


def _check_numbers(dungeon: Dungeon) -> None:
    for name, low, high in (("tier", 1, TIERS), ("turns", 1, MOST_TURNS), ("par", 1, 999)):
        number = getattr(dungeon, name)
        if not low <= number <= high:
            raise BadDungeon(f"`{name}` is {number}, and may be {low} to {high}", f"$.{name}")
    for name, points in msgspec.structs.asdict(dungeon.scoring).items():
        if points < 0:
            raise BadDungeon(f"`{name}` is {points}, and scoring takes nothing away", f"$.scoring.{name}")
        if points > MOST_POINTS:
            raise BadDungeon(f"`{name}` is {points}, and may be {MOST_POINTS} at most", f"$.scoring.{name}")


def _check_texts(dungeon: Dungeon) -> None:
    for name, most in _LONGEST.items():
        text = getattr(dungeon, name)
        if not text.strip() and name != "teaches":  # a generated one teaches nothing
            raise BadDungeon(f"`{name}` says nothing", f"$.{name}")
        if len(text) > most:
            raise BadDungeon(f"`{name}` has {len(text)} characters, and may have {most}", f"$.{name}")
    for at, mark in enumerate(dungeon.legend):
        if not mark.name.strip():
            raise BadDungeon(f"the legend does not name {mark.mark!r}", f"$.legend[{at}]")
        if len(mark.name) > _LONGEST_MARK:
            raise BadDungeon(
                f"a name in the legend has at most {_LONGEST_MARK} characters, not {len(mark.name)}",
                f"$.legend[{at}].name",
            )


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
        if len(monster.name) > LONGEST_MONSTER:
            raise BadDungeon(
                f"a monster's name has at most {LONGEST_MONSTER} letters, not {len(monster.name)}",
                f"$.monsters[{at}].name",
            )
        if monster.name in names[:at]:
            raise BadDungeon(f"there are two monsters named {monster.name}", f"$.monsters[{at}]")
        if monster.coin < 1:
            raise BadDungeon(f"the coin of {monster.name} is worth nothing", f"$.monsters[{at}]")
        if monster.coin > MOST_POINTS:
            raise BadDungeon(
                f"the coin of {monster.name} is worth more than {MOST_POINTS}", f"$.monsters[{at}].coin"
            )


def _check_things(ground: Ground) -> None:
    if ground.doors and not ground.keys:
        raise BadDungeon("there is a door and no key", _row(ground.doors[0]))
    if len(ground.doors) > MOST_DOORS:
        raise BadDungeon(
            f"there are {len(ground.doors)} doors, and may be {MOST_DOORS}", _row(ground.doors[-1])
        )
    if ground.keys and not ground.doors:
        raise BadDungeon("there is a key and no door", _row(ground.keys[0]))
    for square in ground.chests:
        beside = [other for other in neighbours(square) if other in ground.chests]
        if beside:
            raise BadDungeon(
                f"the chests at {square_name(square)} and {square_name(beside[0])} touch, which would be a word",
                _row(max(square, beside[0])),
            )


def _check_reach(dungeon: Dungeon, ground: Ground) -> None:
    """Check that keys open the way to the exit, and that no thing lies behind rock all around."""
    reached = _reached(ground, ground.doors)
    reason = "no way leads from the start to the exit"
    if ground.exit not in reached:
        raise BadDungeon(reason, _row(ground.exit))
    if not _opens(ground, {ground.exit}):
        raise BadDungeon(f"{reason} with the keys that can be had before its doors", _row(ground.exit))
    things = {"chest": ground.chests, "gem": ground.gems, "key": ground.keys, "door": ground.doors}
    things |= {mark.name: ground.marks[mark.mark] for mark in dungeon.legend}
    for name, squares in things.items():
        for square in squares:
            if square not in reached:
                raise BadDungeon(f"no way leads to the {name} at {square_name(square)}", _row(square))


def _check_wanted(dungeon: Dungeon, ground: Ground) -> None:
    """Check that what the rules want before the exit opens can all be had with the keys there are."""
    wanted = {ground.exit}
    for at, rule in enumerate(dungeon.rules):
        match rule:
            case AllChests():
                wanted.update(ground.chests)
            case AllDoors():
                wanted.update(ground.doors)
            case Lit(mark):
                wanted.update(ground.marks[mark])
            case _:
                continue
        if not _opens(ground, wanted):
            tag = rule.__struct_config__.tag
            raise BadDungeon(f"{tag}: there are too few keys on this side of what it wants", f"$.rules[{at}]")


def _check_first_word(dungeon: Dungeon) -> None:
    """Check that the first word is one, and lies somewhere: with the letters of chests, through no door without its key."""
    for at, rule in enumerate(dungeon.rules):
        if not isinstance(rule, FirstWord):
            continue
        if not Lexicon.load().legal(rule.word):
            raise BadDungeon(f"first_word: {rule.word} is not in the dictionary", f"$.rules[{at}]")
        if not _lies(dungeon, rule.word):
            raise BadDungeon(f"first_word: {rule.word} fits nowhere at the start", f"$.rules[{at}]")


def _lies(dungeon: Dungeon, word: str) -> bool:
    here = Position.first(ground_of(dungeon))
    row, col = here.ground.start
    for back in range(len(word)):
        for place in ((row, col - back, True), (row - back, col, False)):
            try:
                fit(here, word, *place)
            except IllegalMove:
                continue
            return True
    return False


def _opens(ground: Ground, wanted: set[Square]) -> bool:
    """Return whether some order of opening doors leads to all of some squares; doors among them are opened.

    Keys are alike and a door stays open, so it comes down to which doors stand open: 2 to the number of doors at most.
    """
    waiting: list[frozenset[Square]] = [frozenset()]
    seen = set(waiting)
    while waiting:
        opened = waiting.pop()
        reached = _reached(ground, opened)
        if wanted <= reached:
            return True
        if sum(key in reached for key in ground.keys) <= len(opened):
            continue
        beside = {square for place in reached for square in neighbours(place)}
        for door in beside.intersection(ground.doors).difference(opened):
            more = opened | {door}
            if more not in seen:
                seen.add(more)
                waiting.append(more)
    return False


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
