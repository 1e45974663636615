"""docs/hosting.md says what is true: settings, permissions, events of the log, metrics, and the commands of a set-up."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from bot.health import LIMIT_IDLE, LIMIT_TICKING, judged
from bot.metrics import Metrics
from bot.settings import Settings
from bot.store.backup import Census
from bot.tables.places import PERMISSIONS
from cogs import tables

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "hosting.md").read_text("utf-8")
LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
TOOLS = ("bot/loopback", "bot/soak", "bot/bench.py", "bot/simulate.py")  # no part of a bot on a server


def rows(heading: str) -> list[tuple[str, ...]]:
    """Return the cells of the first table below a heading, without its head."""
    _, _, below = PAGE.partition(f"\n{heading}\n")
    assert below, f"docs/hosting.md has no heading {heading!r}"
    lines = []
    for line in below.splitlines():
        if line.startswith("|"):
            lines.append(line)
        elif lines:
            break
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines[2:]]


def commands(heading: str) -> list[str]:
    """Return the lines of the first block of commands below a heading."""
    found = re.search(rf"\n{re.escape(heading)}\n.*?```sh\n(.*?)```", PAGE, re.DOTALL)
    assert found, f"docs/hosting.md has no commands below {heading!r}"
    return found[1].splitlines()


# Settings


def written(default: Any) -> str:
    """Return a default as one would set it."""
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return "unset" if default is None else str(default).lower() if isinstance(default, bool) else str(default)


def test_every_setting_is_on_the_page_with_its_default() -> None:
    expected = [
        (
            f"`WORDMOOT_{name.upper()}`",
            "needed" if field.is_required() else f"`{written(field.default)}`",
            str(field.description),
        )
        for name, field in Settings.model_fields.items()
    ]
    told = rows("## Settings")
    wanted = "\n".join(f"| {' | '.join(row)} |" for row in expected)
    assert sorted(told) == sorted(expected), f"below ## Settings of docs/hosting.md:\n{wanted}"


# Permissions


def test_the_invite_link_asks_for_what_tables_need_and_for_no_more() -> None:
    needed = tables.IN_CHANNEL | tables.IN_THREAD | tables.NEW_THREAD
    link = re.search(r"https://discord\.com/oauth2/authorize\?\S+", PAGE)
    assert link
    assert f"permissions={needed.value}&" in link[0]
    assert "scope=bot+applications.commands" in link[0]
    for name, granted in needed:
        assert not granted or PERMISSIONS[name] in " ".join(PAGE.split())


# The log


def logged() -> dict[str, tuple[set[str], set[str]]]:
    """Return levels and keys by event, of every line that the code can log."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for top in ("bot", "cogs", "render"):
        for path in (ROOT / top).rglob("*.py"):
            if str(path.relative_to(ROOT)).startswith(TOOLS):
                continue
            tree = ast.parse(path.read_text("utf-8"))
            for node in ast.walk(tree):
                for event, level, keys in _calls(node, tree):
                    levels, known = found.setdefault(event, (set(), set()))
                    levels.add("error" if level == "exception" else level)
                    known |= keys
    return found


def _calls(node: ast.AST, tree: ast.Module) -> list[tuple[str, str, set[str]]]:
    """Return event, level and keys of a call of the log, or of one that is made later by ``partial``.

    An event that a function is given by whoever calls it is as many events as it is called with.
    """
    if not isinstance(node, ast.Call):
        return []
    function, given = node.func, node.args
    if isinstance(function, ast.Name) and function.id == "partial" and given:
        function, given = given[0], given[1:]  # type: ignore[assignment]
    if not (isinstance(function, ast.Attribute) and function.attr in LEVELS):
        return []
    if not (isinstance(function.value, ast.Name) and function.value.id == "log"):
        return []
    keys = {word.arg for word in node.keywords if word.arg and word.arg != "exc_info"}
    if given and isinstance(given[0], ast.Constant):
        return [(str(given[0].value), function.attr, keys)]
    assert given, f"a line of the log without an event: {ast.unparse(node)}"
    assert isinstance(given[0], ast.Name), f"nobody can tell the event of {ast.unparse(node)}"
    events = _given_as(given[0].id, node, tree)
    assert events, f"nobody can tell the events of {ast.unparse(node)}"
    return [(event, function.attr, keys) for event in events]


def _given_as(name: str, node: ast.Call, tree: ast.Module) -> set[str]:
    """Return the constants that the function around ``node`` is called with as its parameter ``name``."""
    (around,) = (
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
        and node in ast.walk(one)
        and name in [argument.arg for argument in one.args.args]
    )
    names = [argument.arg for argument in around.args.args if argument.arg != "self"]
    events = set()
    for call in ast.walk(tree):
        called = call.func if isinstance(call, ast.Call) else None
        if getattr(called, "attr", getattr(called, "id", None)) == around.name:
            passed = dict(zip(names, call.args, strict=False)) | {one.arg: one.value for one in call.keywords}
            assert isinstance(passed[name], ast.Constant), ast.unparse(call)
            events.add(str(passed[name].value))
    return events


def test_every_event_of_the_log_is_on_the_page() -> None:
    told = {row[0].strip("`"): row for row in rows("## The log")}
    for event, (levels, keys) in sorted(logged().items()):
        beginning = (
            f"| `{event}` | {', '.join(sorted(levels))} | {', '.join(f'`{key}`' for key in sorted(keys))} |"
        )
        assert event in told, f"in the table below ## The log of docs/hosting.md is missing: {beginning} … |"
        line = f"| {' | '.join(told[event])} |"
        assert line.startswith(beginning), f"in docs/hosting.md it should be: {beginning} … |"
    gone = told.keys() - logged().keys()
    assert not gone, "docs/hosting.md tells of events that are gone"


# Metrics and health


def test_every_metric_is_on_the_page(tmp_path: Path) -> None:
    metrics = {family.name for family in Metrics(tmp_path / "none.db").registry.collect()}
    ours = {name for name in metrics if name.startswith("wordmoot_")}
    told = {re.sub(r"_total$", "", row[0].strip("`")) for row in rows("## Metrics")}
    assert told == ours


def test_the_limits_of_the_heartbeat_are_those_of_the_command() -> None:
    for limit in (LIMIT_TICKING, LIMIT_IDLE):
        assert f"{limit // 1000} s" in PAGE


@pytest.mark.parametrize(
    ("beat", "good"), [(0, True), (-30, True), (-100, False), (30, True), (3_600, False)]
)
def test_a_heartbeat_is_good_only_if_it_is_of_about_now(beat: int, good: bool) -> None:
    now = 1_700_000_000_000
    held = Census(
        schema=1, lobbies=0, live=0, paused=0, over=0, behind={}, ticking=False, beat=now + beat * 1_000
    )
    assert judged(held, now)[0] is good


# The set-up


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there is no repository")
def test_the_token_that_the_page_puts_into_the_clone_is_no_part_of_it() -> None:
    (line,) = [line for line in commands("### With Docker") if line.startswith("printf")]
    name = line.split(" > ")[1].split()[0]
    assert subprocess.run(["git", "check-ignore", "--quiet", name], cwd=ROOT, check=False).returncode == 0
    assert line in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there is nothing to clone")
def test_the_plain_set_up_works_to_the_letter_until_the_token_is_wanted(tmp_path: Path) -> None:
    lines = commands("### With Python alone")
    begin = next(index for index, line in enumerate(lines) if line.startswith("git clone"))
    done = []
    place = tmp_path
    for line in lines[begin:]:
        if line.startswith("git clone"):
            assert line == "git clone <this repository> app && cd app"
            subprocess.run(
                ["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", "app"], cwd=place, check=True
            )
            place = place / "app"
        elif "-r requirements.txt" in line:
            assert "--require-hashes" in line
            borrow(place / ".venv")  # what this fetches is here already
        else:
            done.append(
                subprocess.run(line, shell=True, cwd=place, check=False, capture_output=True, text=True)
            )
    *before, last = done
    assert [step.returncode for step in before] == [0] * len(before), [step.stderr for step in before]
    assert last.args.endswith("wordmoot run")
    assert last.returncode == 2
    assert last.stderr == "WORDMOOT_TOKEN: Field required\n"
    assert f"`{last.stderr.strip()}`" in PAGE

    # Back to a release that had one migration less: the same lines leave nothing of the other one.
    (install,) = [line for line in lines if "--no-deps" in line]
    newest = max((place / "bot/store/migrations").glob("*.sql"))
    installed = packages(place / ".venv") / newest.relative_to(place)
    assert installed.exists()
    newest.unlink()
    subprocess.run(install, shell=True, cwd=place, check=True, capture_output=True)
    assert installed.parent.exists()
    assert not installed.exists()


def packages(venv: Path) -> Path:
    """Return where an environment has its libraries."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(venv)}))


def borrow(venv: Path) -> None:
    """Link this environment's libraries, but for ourselves, into another."""
    folder = packages(venv)
    for old in folder.glob("setuptools*"):  # some Pythons put theirs into a new environment
        shutil.rmtree(old)
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        own = folder / entry.name
        if "wordmoot" not in entry.name and not own.exists():
            own.symlink_to(entry)


def test_the_page_names_files_that_exist_and_commands_that_there_are() -> None:
    for name in re.findall(r"\]\((?!https?:)([^)#]+)", PAGE):
        assert (ROOT / "docs" / name).exists(), name
    for line in commands("### With Docker"):
        assert line.split()[0] in ("git", "printf", "docker", "cd"), line
    assert shutil.which("git")


def test_commands_that_are_not_on_the_path_are_made_known_before_they_are_named() -> None:
    before, _, after = PAGE.partition("alias wordmoot='sudo -iu wordmoot")
    assert "`wordmoot " not in before.replace("`wordmoot backup` and whatever else is named below", "")
    assert "\nwordmoot " not in before
    assert "\nwordmoot backup " in after
    binary = re.search(r"ExecStart=(\S+) run", PAGE)
    home = re.search(r"--home-dir (\S+)", PAGE)
    assert binary
    assert home
    assert f" {Path(binary[1]).relative_to(home[1])}'" in after
