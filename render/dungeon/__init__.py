"""The pictures of Word Dungeon: the map or a race's progress, all routes at the end, and what a daily lets everyone see."""

from render.dungeon.race import routes
from render.dungeon.share import shared
from render.dungeon.table import board

__all__ = ["board", "routes", "shared"]
