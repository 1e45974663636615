"""The house proves what CONTRIBUTING says of it: floors, files, commands, where SQL stands."""

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest
from discord import app_commands
from discord.ext import commands

import cogs
from bot.__main__ import COMMANDS, here
from bot.games import GAMES

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
TOOLS = ("bot.loopback", "bot.soak", "bot.bench", "bot.simulate")
FLOORS = {
    "bot.words": 1,
    "bot.games": 2,
    "render": 3,
    "bot.store": 4,
    "bot.tables": 4,
    "cogs": 5,
    "bot": 6,
}


def floor(module: str) -> int | None:
    parts = module.split(".")
    for cut in range(len(parts), 0, -1):
        level = FLOORS.get(".".join(parts[:cut]))
        if level is not None:
            return level
    return None


def modules() -> list[tuple[str, Path]]:
    found = []
    for top in ("bot", "cogs", "render"):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found.append((name.removesuffix(".__init__"), path))
    return found


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize(
    ("name", "path"), modules(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_imports_point_down_only(name: str, path: Path) -> None:
    own = floor(name)
    assert own is not None
    for other in imported(path):
        level = floor(other)
        if level is not None and other != "bot":
            assert level <= own, f"{name} (floor {own}) imports {other} (floor {level})"


@pytest.mark.parametrize(
    "barred", ["random", "time", "datetime", "asyncio", "discord", "sqlite3", "aiosqlite", "PIL", "secrets"]
)
def test_rules_know_no_clock_no_chance_of_their_own_and_no_outside(barred: str) -> None:
    for name, path in modules():
        if name.startswith("bot.games"):
            assert barred not in {used.split(".")[0] for used in imported(path)}, name


def test_no_module_imports_itself_through_others() -> None:
    known = dict(modules())
    links = {
        name: {other for other in imported(path) if other in known and other != name}
        for name, path in known.items()
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail[trail.index(name) :], name))
        if name in done:
            return
        for other in links[name]:
            if not name.startswith(other + "."):  # a package is not its modules' importer
                visit(other, (*trail, name))
        done.add(name)

    for name in known:
        visit(name, ())


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table of CONTRIBUTING below a heading, without its head."""
    table = re.search(rf"\n## {re.escape(heading)}\n.*?\n(\|.*?)\n(?!\|)", PAGE, re.DOTALL)
    assert table, f"CONTRIBUTING has no table below {heading!r}"
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()[2:]]


def named(cell: str) -> list[str]:
    """Return what stands between backquotes."""
    return re.findall(r"`([^`\n]+)`", cell)


def test_the_table_of_floors_is_the_one_that_is_proved() -> None:
    told = [(int(number), place) for number, places, _ in rows("Floors") for place in named(places)]
    for number, place in told:
        module = place.removesuffix("/").removesuffix(".py").replace("/", ".")
        assert floor(module) == number, place
        assert (ROOT / place).exists(), place
    assert set(FLOORS.values()) == {number for number, _ in told}
    for name, path in modules():
        place = str(path.relative_to(ROOT))
        assert place == "bot/__init__.py" or any(place.startswith(known) for _, known in told), (
            f"{name} is on no floor of CONTRIBUTING"
        )


def test_the_files_that_the_page_names_are_there() -> None:
    paths = [path for path in named(PAGE) if re.fullmatch(r"[\w.-]+(/[\w.-]*)+|\w+\.(md|py|toml)", path)]
    checked = 0
    for path in paths:
        if "KEY" not in path and "NNNN" not in path:
            checked += 1
            assert (ROOT / path).exists(), path
    assert checked > 30


@pytest.mark.parametrize("key", GAMES)
def test_a_game_has_the_files_that_the_page_lists(key: str) -> None:
    for cell, _ in rows("How to add a game"):
        for path in named(cell):
            assert list(ROOT.glob(path.replace("KEY", key))), path.replace("KEY", key)


def cog_classes() -> list[type[commands.Cog]]:
    names = [f"cogs.{module.name}" for module in pkgutil.iter_modules(cogs.__path__)]
    values = [value for name in names for value in vars(importlib.import_module(name)).values()]
    return [
        value
        for value in values
        if inspect.isclass(value) and issubclass(value, commands.Cog) and value is not commands.Cog
    ]


def test_no_group_has_more_commands_than_discord_takes() -> None:
    pending: list[object] = [command for cog in cog_classes() for command in cog.__cog_app_commands__]
    groups = 0
    while pending:
        command = pending.pop()
        if isinstance(command, app_commands.Group):
            groups += 1
            assert len(command.commands) <= 25, command.qualified_name
            pending.extend(command.commands)
    assert groups >= 3
    assert len(GAMES) <= 25, "each has its command in /play"


def test_every_command_line_command_has_its_module() -> None:
    for module, _ in COMMANDS.values():
        assert here(module), module


SQL = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|DELETE FROM|REPLACE INTO|CREATE|ALTER TABLE|DROP|PRAGMA|VACUUM)\s"
)


@pytest.mark.parametrize(
    ("name", "path"), modules(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_sql_stands_in_the_store_and_nowhere_else(name: str, path: Path) -> None:
    if name.startswith(("bot.store", *TOOLS)) or name.endswith(".bench"):
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not SQL.match(node.value), f"{name}, line {node.lineno}"


def test_every_module_says_what_it_is_for() -> None:
    for name, path in modules():
        assert ast.get_docstring(ast.parse(path.read_text("utf-8"))), name
