"""The frozen lexicon: some 2,000 words for tests whose expected output must not change with the real one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from bot.words.lexicon import Lexicon


@lru_cache(maxsize=1)
def frozen() -> Lexicon:
    """Return the lexicon of ``frozen.txt``; every call returns the same one."""
    lines = (Path(__file__).parent / "frozen.txt").read_text("utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("#")]
    words = [word for line in lines for word in line.removeprefix("=").split()]
    common = [word for line in lines if line.startswith("=") for word in line[1:].split()]
    return Lexicon.of(words, common)
