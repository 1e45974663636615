"""Word Dungeon on Discord."""

from cogs.dungeon.cog import DungeonFace, WordDungeon

__all__ = ["DungeonFace", "WordDungeon"]
