"""The house proves its own floors: what CONTRIBUTING says of imports is true."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
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
