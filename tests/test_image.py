"""The image for a server, made without a Docker engine: the steps of the Dockerfile's build stage, run here.

Only the step that fetches libraries is left out; links to those of this environment stand in for them.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from bot.store.lock import held

ROOT = Path(__file__).resolve().parent.parent
OURS = ("bot", "cogs", "render")


# What the files say


def instructions(dockerfile: str) -> list[list[tuple[str, str]]]:
    """Return the instructions of each stage."""
    stages: list[list[tuple[str, str]]] = []
    joined = re.sub(r"\\\n\s*", "", dockerfile)
    for line in joined.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, argument = line.partition(" ")
        if name == "FROM":
            stages.append([])
        if stages:
            stages[-1].append((name, argument))
    return stages


BUILD, FINAL = instructions((ROOT / "Dockerfile").read_text("utf-8"))


def ignored(path: Path, patterns: list[str]) -> bool:
    """Whether ``.dockerignore`` leaves a file out: the last pattern that fits it, or a folder of it, decides."""
    names = [str(place) for place in (path, *path.parents[:-1])]
    out = False
    for pattern in patterns:
        wanted = pattern.removeprefix("!")
        shapes = (wanted, wanted.removeprefix("**/"))
        if any(fits(name, shape) for name in names for shape in shapes):
            out = not pattern.startswith("!")
    return out


def fits(name: str, shape: str) -> bool:
    """Whether a path is of a pattern's shape; ``*`` stays within a name, ``**/`` is any folders."""
    if shape.startswith("**/"):
        return fnmatchcase(name, "*/" + shape.removeprefix("**/"))
    return name.count("/") == shape.count("/") and fnmatchcase(name, shape)


def context(patterns: list[str]) -> list[Path]:
    """Return what Docker would send of this tree, relative to it."""
    tops = [ROOT / pattern.removeprefix("!") for pattern in patterns if pattern.startswith("!")]
    files = [file for top in tops for file in ([top] if top.is_file() else top.rglob("*")) if file.is_file()]
    return sorted(path for file in files if not ignored(path := file.relative_to(ROOT), patterns))


def patterns() -> list[str]:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


# The build


class Image:
    """What the final stage would hold."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.venv = place / "venv"
        self.source = place / "src"

    @property
    def packages(self) -> Path:
        return Path(sysconfig.get_path("purelib", vars={"base": str(self.venv)}))

    def files(self) -> set[str]:
        """Return the files of our own distribution but for compiled ones, relative to the packages' folder."""
        installed = (file for top in OURS for file in (self.packages / top).rglob("*") if file.is_file())
        return {str(file.relative_to(self.packages)) for file in installed if file.suffix != ".pyc"}

    def run(self, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run a command as the final stage would: nothing can be written but the data folder."""
        environment = {
            "PATH": f"{self.venv / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin",
            "HOME": str(self.place / "empty"),
            "WORDMOOT_DATA": str(self.place / "data"),
        }
        confined = [*command]
        if os.geteuid() == 0 and (setpriv := shutil.which("setpriv")):  # root without its powers
            confined = [setpriv, "--bounding-set=-all", "--inh-caps=-all", *command]
        return subprocess.run(
            confined,
            env=environment | settings,
            cwd=self.place / "empty",
            check=False,
            capture_output=True,
            text=True,
        )

    def written(self) -> set[str]:
        """Return every file that is not data."""
        return {
            str(file)
            for file in self.place.rglob("*")
            if file.is_file() and self.place / "data" not in file.parents
        }


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    made = Image(Path(tempfile.mkdtemp(prefix="wordmoot-image-")))
    for folder in ("src", "empty", "data"):
        (made.place / folder).mkdir()
    for file in context(patterns()):
        target = made.source / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, target)
    for name, argument in BUILD:
        if name == "RUN":
            step(made, argument)
    shutil.rmtree(made.source)
    allow(made, 0o555)
    yield made
    allow(made, 0o755)
    shutil.rmtree(made.place)


def allow(image: Image, mode: int) -> None:
    """Set the mode of all folders but the data's; what is borrowed keeps its own."""
    for top in (image.place / "empty", image.venv):
        for folder, _, _ in os.walk(top):
            os.chmod(folder, mode)


def step(image: Image, command: str) -> None:
    """Run a step of the build, or stand in for it."""
    if "requirements.txt" in command:
        borrow(image)
        return
    if "uninstall" in command:
        return  # of what was borrowed
    words = [word.replace("/venv", str(image.venv)) for word in command.split()]
    assert words[0] == "python"
    subprocess.run([sys.executable, *words[1:]], cwd=image.source, check=True, capture_output=True)


def borrow(image: Image) -> None:
    """Link this environment's libraries, but for ourselves, into the image's."""
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if "wordmoot" not in entry.name and entry.name != "__pycache__":
            (image.packages / entry.name).symlink_to(entry)


# What is in it


def test_libraries_are_wheels_of_which_the_hash_is_known() -> None:
    (fetch,) = [argument for name, argument in BUILD if name == "RUN" and "-r requirements.txt" in argument]
    assert "--require-hashes" in fetch
    assert "--only-binary :all:" in fetch
    assert "--hash=sha256:" in (ROOT / "requirements.txt").read_text("utf-8")


def test_the_final_stage_is_no_root_holds_its_data_in_a_volume_and_is_asked_for_its_health() -> None:
    names = [name for name, _ in FINAL]
    found: Mapping[str, str] = dict(FINAL)
    assert names.count("COPY") == 1
    assert found["COPY"] == "--from=build /venv /venv"
    assert found["USER"] == "10001:10001"
    assert "--uid 10001" in found["RUN"]
    assert found["VOLUME"] == "/data"
    assert "WORDMOOT_DATA=/data" in found["ENV"].split()
    assert found["STOPSIGNAL"] == "SIGTERM"
    assert found["HEALTHCHECK"].endswith('CMD ["wordmoot", "health"]')
    assert found["ENTRYPOINT"] == '["wordmoot"]'
    assert found["CMD"] == '["run"]'
    assert names.index("USER") > names.index("RUN")


def test_the_token_beside_the_clone_never_goes_into_an_image() -> None:
    for name in (".env", "bot/.env", ".wordmoot/wordmoot.db"):
        assert ignored(Path(name), patterns()), name


def test_the_image_holds_the_bot_and_nothing_for_building_and_trying_it(image: Image) -> None:
    files = image.files()
    left_out = re.compile(
        r"(^|/)(tests?|docs|loopback|soak|lists|__pycache__)/|(^|/)(bench|simulate|build|scowl)\.py$"
    )
    assert not [file for file in files if left_out.search(file)]
    assert not [file for file in files if file.endswith((".html", ".css", ".js", ".sh", ".md"))]
    assert {
        "bot/app.py",
        "bot/__main__.py",
        "bot/replay.py",
        "cogs/defenders/cog.py",
        "render/canvas.py",
    } <= files


def test_every_module_and_every_data_file_that_was_sent_is_installed(image: Image) -> None:
    sent = {str(path) for path in context(patterns()) if path.parts[0] in OURS}
    assert image.files() == sent


def test_no_module_of_the_image_imports_what_is_not_in_it(image: Image) -> None:
    files = image.files()
    for file in sorted(file for file in files if file.endswith(".py")):
        for node in ast.walk(ast.parse((image.packages / file).read_text("utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                if name.split(".")[0] in OURS:
                    path = name.replace(".", "/")
                    assert {f"{path}.py", f"{path}/__init__.py"} & files, f"{file} imports {name}"


# What it does


def test_its_commands_work_in_an_empty_folder_and_write_nothing(image: Image) -> None:
    before = image.written()
    listed = image.run("wordmoot", "--help")
    assert listed.returncode == 0, listed.stderr
    assert re.findall(r"^    (\w+)  ", listed.stdout, re.MULTILINE) == [
        "run", "replay", "backup", "restore", "health", "dungeons", "words",
    ]  # fmt: skip
    told = image.run("wordmoot", "run", "--help")
    assert told.returncode == 0, told.stderr
    assert "WORDMOOT_TOKEN" in told.stdout
    word = image.run("wordmoot", "words", "check", "cat")
    assert word.returncode == 0, word.stderr
    assert "CAT" in word.stdout.upper()
    assert image.written() == before


def test_a_command_that_was_left_out_says_so(image: Image) -> None:
    for name in ("play", "bench", "simulate", "soak"):
        asked = image.run("wordmoot", name)
        assert asked.returncode == 2
        assert (
            asked.stderr
            == f"`wordmoot {name}` is not part of this installation; a clone of Wordmoot has it.\n"
        )


def test_without_a_token_it_says_which_setting_is_missing(image: Image) -> None:
    started = image.run("wordmoot", "run")
    assert started.returncode == 2
    assert started.stderr == "WORDMOOT_TOKEN: Field required\n"


SHOWN = """
import bot.app, render.defenders
from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.game import Moment, Words
from bot.tables.worker import everything
game = GAMES["defenders"]
state = game.deal(2, game.options.load(b"{}"), Moment(0, Chance(b"", 0, "play"), Words(everything().lexicon)))
print(len(render.defenders.board(game.seen_by(state, None), ("Ada", "Ben"))) > 1000)
"""


def test_the_bot_its_worker_and_its_pictures_find_all_that_they_need(image: Image) -> None:
    shown = image.run("python", "-c", SHOWN)
    assert shown.stdout == "True\n", shown.stderr


def test_its_health_is_the_lock_and_the_age_of_the_heartbeat(image: Image) -> None:
    database = image.place / "data" / "wordmoot.db"
    missing = image.run("wordmoot", "health")
    assert (missing.returncode, missing.stderr) == (1, f"There is no file {database}.\n")
    with closing(sqlite3.connect(database)) as made, made:
        for script in sorted((ROOT / "bot/store/migrations").glob("*.sql")):
            made.executescript(script.read_text("utf-8"))
        made.execute("PRAGMA user_version=1")
        made.execute("INSERT INTO heartbeat VALUES (1, ?)", (int(time.time() * 1000),))
    ended = image.run("wordmoot", "health")
    assert (ended.returncode, ended.stderr) == (1, f"No bot runs on the data in {database.parent}.\n")
    with held(database.parent):
        good = image.run("wordmoot", "health")
        with closing(sqlite3.connect(database)) as made, made:
            made.execute("UPDATE heartbeat SET at = at - 600000")
        bad = image.run("wordmoot", "health")
    assert good.returncode == 0, good.stderr
    assert good.stdout.startswith("The bot lives: ")
    assert bad.returncode == 1
    assert "The bot hangs or cannot write its database." in bad.stderr


# compose.yaml


def read(text: str) -> Any:
    """Return the maps, lists and words of the little YAML that compose.yaml is written in."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]

    def block(depth: int) -> Any:
        found: Any = None
        while lines and len(lines[0]) - len(lines[0].lstrip()) == depth:
            line = lines.pop(0).strip()
            if line.startswith("- "):
                found = [*(found or []), line[2:].strip('"')]
                continue
            key, colon, value = line.partition(":")
            assert colon, f"no key in {line!r}"
            deeper = bool(lines) and len(lines[0]) - len(lines[0].lstrip()) > depth
            if not value and deeper:
                inner: Any = block(len(lines[0]) - len(lines[0].lstrip()))
            else:
                inner = value.strip().strip('"') or None
            found = {**(found or {}), key: inner}
        return found

    whole = block(0)
    assert not lines, f"left over: {lines[0]!r}"
    return whole


def test_compose_runs_the_image_confined_and_keeps_its_data() -> None:
    compose = read((ROOT / "compose.yaml").read_text("utf-8"))
    assert set(compose) == {"services", "volumes"}
    (bot,) = compose["services"].values()
    assert bot["env_file"] == ".env"
    assert bot["environment"] == {"WORDMOOT_DATA": "/data"}
    (volume,) = bot["volumes"]
    name, place = volume.split(":")
    assert name in compose["volumes"]
    assert place == dict(FINAL)["VOLUME"]
    assert bot["restart"] == "unless-stopped"
    assert bot["init"] == "true"
    assert bot["read_only"] == "true"
    assert bot["tmpfs"] == ["/tmp"]
    assert bot["cap_drop"] == ["ALL"]
    assert bot["security_opt"] == ["no-new-privileges:true"]
    assert bot["mem_limit"] == "512m"
    assert "healthcheck" not in bot, "it is the image's"
    assert int(bot["stop_grace_period"].removesuffix("s")) > 10, (
        "the bot drains for up to 5 s, then leaves Discord"
    )
