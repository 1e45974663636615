"""A bot as a process of its own: started through `bot.loopback.launch`, killed and started again at will."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import bot
from bot.loopback.gateway import Gateway
from bot.loopback.token import TOKEN
from bot.loopback.world import World

_ROOT = Path(bot.__file__).resolve().parent.parent
_SECONDS_TO_STOP = 10


class BotProcess:
    """One bot; its output goes where this process's goes."""

    def __init__(
        self,
        world: World,
        gateway: Gateway,
        entry: str,
        *,
        data: Path | None = None,
        path: Sequence[Path] = (),
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._world = world
        self._gateway = gateway
        self._entry = entry
        self._data = data
        self._path = path
        self._settings = settings or {}
        self._process: asyncio.subprocess.Process | None = None
        self._identified = 0

    @property
    def running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int | None:
        """The process's number, while it is alive."""
        return self._process.pid if self._process is not None and self.running else None

    async def start(self) -> None:
        """Start the process, without waiting for the bot in it."""
        self._identified = self._gateway.identified
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.loopback.launch", "--leashed", self._entry,
            env=self._environment(),
            stdin=asyncio.subprocess.PIPE,  # the leash: it ends with us, however we end
            start_new_session=True,  # Ctrl-C is for us alone; we stop it in good order
        )  # fmt: skip

    async def ready(self, seconds: float = 30) -> None:
        """Wait until it has identified and its commands are known.

        Raises:
            RuntimeError: the process ended before.
            TimeoutError: it took longer than that.
        """

        def there() -> bool:
            if not self.running:
                raise RuntimeError(f"the bot ended with status {self._process and self._process.returncode}")
            return self._gateway.identified > self._identified and any(self._world.commands.values())

        await self._world.until(there, seconds)

    async def wait(self) -> int:
        """Wait until it ends by itself; returns its exit status."""
        assert self._process is not None, "the bot was not started"
        return await self._process.wait()

    async def kill(self) -> None:
        """End it at once, as a crash of the machine would (kill -9)."""
        if self._process is not None and self.running:
            self._process.kill()
            await self._process.wait()

    async def stop(self) -> int | None:
        """Ask it to end (SIGTERM), and kill it if it does not; returns its exit status."""
        if self._process is None or not self.running:
            return None if self._process is None else self._process.returncode
        self._process.terminate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_STOP):
                return await self._process.wait()
        await self.kill()
        return self._process.returncode

    def suspend(self) -> None:
        """Let it stand still, as an overloaded machine would, until `go_on`."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on after `suspend`."""
        self._signal(signal.SIGCONT)

    def fill_disk(self) -> None:
        """From now on none of its files takes another byte (pipes and sockets do), until `free_disk`."""
        self._limit_files(0)

    def free_disk(self) -> None:
        """There is room on its disk again."""
        self._limit_files(resource.prlimit(self._number(), resource.RLIMIT_FSIZE)[1])

    def _limit_files(self, most: int) -> None:
        """Limit the bytes of a file, without a signal (Python ignores SIGXFSZ): a write fails as on a full disk."""
        number = self._number()
        resource.prlimit(
            number, resource.RLIMIT_FSIZE, (most, resource.prlimit(number, resource.RLIMIT_FSIZE)[1])
        )

    def _signal(self, number: signal.Signals) -> None:
        os.kill(self._number(), number)

    def _number(self) -> int:
        if self.pid is None:
            raise RuntimeError("the bot does not run")
        return self.pid

    async def restart(self) -> None:
        """Kill it, start it again and wait until it is ready."""
        await self.kill()
        await self.start()
        await self.ready()

    async def __aenter__(self) -> BotProcess:
        await self.start()
        await self.ready()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _environment(self) -> dict[str, str]:
        folders = [*map(str, self._path), str(_ROOT), os.environ.get("PYTHONPATH", "")]
        environment: dict[str, str] = dict(os.environ) | {
            "PYTHONPATH": os.pathsep.join(folder for folder in folders if folder),
            "WORDMOOT_TOKEN": TOKEN,
            "WORDMOOT_LOOPBACK": self._world.address,
        }
        if self._data is not None:
            environment["WORDMOOT_DATA"] = str(self._data)
        return environment | dict(self._settings)
