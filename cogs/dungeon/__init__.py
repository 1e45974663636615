"""Word Dungeon on Discord.

``cog`` has the commands, ``face`` what people press, ``panels`` what they see (``pictures`` and ``alts``: what is drawn), ``texts``
what is said of a run, ``sheet`` what is special about a dungeon; ``places`` finds where a typed word can go, ``naming`` which
dungeon is meant, ``autocomplete`` offers both as one types. ``options`` shows the lobby's settings, ``solos`` begins private
dungeons, ``results`` and ``scores`` are the lists of the best.
"""

from cogs.dungeon.cog import WordDungeon
from cogs.dungeon.face import DungeonFace

__all__ = ["DungeonFace", "WordDungeon"]
