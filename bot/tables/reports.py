"""Reports of errors that nobody foresaw: a code for the player, a file for us.

``<code>.json`` is the table's log up to the last committed move; ``wordmoot replay`` plays it. ``<code>.txt`` is the
traceback. Both stay on the host's disk, since a log holds every hand. What passes by itself (``network``) is no error
of ours and leaves no file, and the oldest reports go when there are many, so that no fault in a loop fills a disk.
"""

from __future__ import annotations

import asyncio
import secrets
import traceback
from pathlib import Path

import structlog

from bot.games.log import written
from bot.tables.network import passes
from bot.tables.service import Service

KEPT = 200  # reports

log = structlog.get_logger()


class Reports:
    """Writes reports into a folder of the host."""

    def __init__(self, folder: Path, service: Service) -> None:
        self.folder = folder
        self.service = service

    async def write(self, error: BaseException, table: int | None) -> str:
        """Write a report and return its code; never raises."""
        code = secrets.token_hex(4)
        if passes(error):
            log.warning("network_failed", code=code, table=table, error=repr(error))
            return code
        log.error("unexpected", code=code, table=table, error=repr(error), exc_info=error)
        exported = None
        try:
            exported = None if table is None else written(await self.service.export(table))
        except Exception:  # of a damaged table there may be nothing to export
            log.exception("export_failed", code=code)
        try:
            trace = "".join(traceback.format_exception(error))
            await asyncio.to_thread(self._write, code, trace, exported)
        except OSError:
            log.exception("report_failed", code=code)
        return code

    def _write(self, code: str, trace: str, exported: bytes | None) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{code}.txt").write_text(trace, "utf-8")
        if exported is not None:
            (self.folder / f"{code}.json").write_bytes(exported)
        reports = sorted(self.folder.glob("*.txt"), key=lambda path: path.stat().st_mtime)
        for old in reports[:-KEPT]:
            old.with_suffix(".json").unlink(missing_ok=True)
            old.unlink(missing_ok=True)
