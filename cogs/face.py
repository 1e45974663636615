"""What the faces of all games share: a press goes to the method of its verb, the rules stand in a file beside the face."""

from __future__ import annotations

import inspect
import tomllib
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from bot.tables.face import Panel, Press, Shown


class VerbFace(ABC):
    """The base of a game's face; a press with verb ``word`` is brought to its method ``_on_word``."""

    async def press(self, press: Press) -> None:
        """Do what a seated person asked for."""
        act = getattr(self, f"_on_{press.verb}", None)
        if act is None:
            await press.refuse("This button belongs to another version of me. Use the board.")
            return
        await act(press)

    @abstractmethod
    def more(self, view: Any, shown: Shown) -> Panel:
        """Return what ``view.seat`` rarely wants."""

    async def _on_more(self, press: Press) -> None:
        await press.panel(self.more(await press.view(), await press.shown()))

    def sends_hand(self, view: Any) -> bool:
        """Whether the hand of ``view.seat`` is worth a private message: without another word, it is."""
        return True

    def named(self, options: Any) -> str:
        """Return what is played, if something else than the game's title tells its tables apart."""
        return ""

    def rules(self) -> tuple[tuple[str, str], ...]:
        """Return the rules in our words: the pages of ``rules.toml`` beside the module of the face."""
        beside = Path(inspect.getfile(type(self))).with_name("rules.toml")
        pages = tomllib.loads(beside.read_text("utf-8"))["page"]
        return tuple((page["title"], page["text"].strip()) for page in pages)
