"""What happened, line by line, and what was found wrong.

The timeline is one JSON object a line, with seconds since the start, so that a finding can be followed back. It names
hands and is therefore a file beside the database, never a log of the bot.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args

Defect = Literal["lost", "stuck", "leaks", "reports"]
DEFECTS: tuple[Defect, ...] = get_args(Defect)
TOLD = 20  # findings that the last line repeats


class Journal:
    """The timeline and the findings of one soak.

    Args:
        path: of the timeline.
        clock: seconds, rising.

    Attributes:
        counts: how often each thing was counted.
        findings: the first findings as sentences.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = path.open("w", encoding="utf-8", buffering=1)
        self._clock = clock
        self._start = clock()
        self._defects: Counter[Defect] = Counter()
        self.counts: Counter[str] = Counter()
        self.findings: list[str] = []

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start

    def note(self, kind: str, **fields: Any) -> None:
        """Write a line of the timeline."""
        line = {"t": round(self.seconds, 3), "kind": kind} | fields
        self._file.write(json.dumps(line, default=str) + "\n")

    def count(self, name: str, by: int = 1) -> None:
        """Count something."""
        self.counts[name] += by

    def find(self, defect: Defect, sentence: str, **fields: Any) -> None:
        """Record a defect of the bot."""
        self._defects[defect] += 1
        if len(self.findings) < TOLD:
            self.findings.append(f"{defect} at {self.seconds:.1f} s: {sentence}")
        self.note("finding", defect=defect, text=sentence, **fields)

    def found(self, defect: Defect) -> int:
        """Return how many defects of a sort were found."""
        return self._defects[defect]

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not any(self._defects.values())

    def close(self) -> None:
        """Close the timeline."""
        self._file.close()
