"""The pictures of Defenders of the Dictionary: the table as everyone sees it, and a player's own rack."""

from render.defenders.hand import rack
from render.defenders.table import board

__all__ = ["board", "rack"]
