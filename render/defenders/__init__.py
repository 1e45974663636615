"""The pictures of Defenders of the Dictionary: the table as everyone sees it, and a player's own rack."""

from render.defenders.board import board
from render.defenders.rack import rack

__all__ = ["board", "rack"]
