"""A bot without Discord that plays and is killed, again and again; ``test_kill`` looks at what it leaves behind.

``python -m tests.tables.player FOLDER statements COUNT`` plays one move in each of FOLDER/1 … FOLDER/COUNT and dies just
before the statement of that number reaches SQLite. ``… FOLDER moments COUNT SEED`` plays in FOLDER until it is killed at
some moment, COUNT times, and keeps what the disk held then in FOLDER/1 … FOLDER/COUNT.

One process that has imported everything forks for each life, which takes milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from tests.games.toy import Options, Seal, Stake
from tests.tables.hosting import ADA, BEN, Hosting

USERS = (ADA, BEN)


async def play(folder: Path, statement: int = 0) -> None:
    """Play for ever; FOLDER/answers gets a line for each answered move and for where a life began."""
    answers = os.open(folder / "answers", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    host = await Hosting.at(folder)
    if statement:
        await host.store._db.set_trace_callback(Executioner(statement))
    while True:
        for lobby in await host.service.tables_of(ADA):
            if lobby.stage == "lobby":  # killed before the deal
                await host.service.end(lobby.id)
        tables = await host.service.tables_of(ADA)
        table = tables[0].id if tables else await host.live(USERS, options=Options(rounds=1_000))
        os.write(answers, b"%d %d\n" % (table, (await host.service.table(table)).seq))
        while (look := await host.service.look(table, None)).table.stage == "live":
            seat = min(look.awaited)
            view = await host.service.view(table, seat)
            move = Seal(view.hand[0]) if view.public.phase == "seal" else Stake(0)
            committed = await host.service.play(table, seat, move, by=USERS[seat])
            os.write(answers, b"%d %d\n" % (table, committed.seq))
            if statement:
                os.kill(os.getpid(), signal.SIGKILL)  # the move had fewer statements


class Executioner:
    """Kills the process at a statement, counted from the first transaction on."""

    def __init__(self, statement: int) -> None:
        self.left = statement

    def __call__(self, sql: str) -> None:
        if self.left and not (sql.startswith("BEGIN") or self.counting):
            return
        self.counting = True
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    counting = False


def live(folder: Path, *, statement: int = 0, seconds: float | None = None) -> None:
    """Let a child play in the folder, until it dies by itself or is killed."""
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(play(folder, statement))
        finally:
            os._exit(1)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
        raise SystemExit("the player ended by itself")


def main(folder: Path, how: str, count: int, seed: int = 0) -> None:
    """Live and die ``count`` times."""
    chance = random.Random(seed)
    for number in range(1, count + 1):
        kept = folder / str(number)
        if how == "statements":
            live(kept, statement=number)
            continue
        live(folder, seconds=0.02 + chance.random() * 0.15)
        kept.mkdir()
        for file in (*folder.glob("tables.db*"), folder / "answers"):
            if file.exists():
                shutil.copy(file, kept)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))
