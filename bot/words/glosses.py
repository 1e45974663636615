"""What words mean. Definitions stay on disk, zipped by their lemma's first two letters, and are read when asked for.

A member of the archive is UTF-8 text, a line a lemma: the lemma, a tab, its definitions as they are to be shown.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_AGES_AGO = (1980, 1, 1, 0, 0, 0)  # equal glosses make equal bytes, whenever they are built


class Glosses:
    """The definitions in one archive. A look-up reads one member, 20 KB or so; the last few stay in memory."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._member = lru_cache(maxsize=4)(self._read)

    def gloss(self, lemma: str) -> str | None:
        """Return the definitions of ``lemma`` itself (A-Z), or None when it has none."""
        return self._member(lemma[:2]).get(lemma)

    def _read(self, start: str) -> Mapping[str, str]:
        if self._path is None:
            return {}
        with zipfile.ZipFile(self._path) as archive:
            try:
                text = archive.read(start).decode("utf-8")
            except KeyError:
                return {}
        return dict(line.split("\t", 1) for line in text.splitlines())


def write(path: Path, glosses: Mapping[str, str]) -> None:
    """Write an archive of ``glosses`` (lemma to definitions, each one line)."""
    members: dict[str, list[str]] = {}
    for lemma in sorted(glosses):
        members.setdefault(lemma[:2], []).append(f"{lemma}\t{glosses[lemma]}\n")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for start, lines in members.items():
            member = zipfile.ZipInfo(start, _AGES_AGO)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            member.external_attr = 0o644 << 16
            archive.writestr(member, "".join(lines).encode("utf-8"), compresslevel=9)
