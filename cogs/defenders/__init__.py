"""Defenders of the Dictionary on Discord.

``cog`` has the commands, ``face`` what people press, ``panels`` what they see (``pictures`` and ``alts``: what is drawn), ``texts``
what is said; ``places`` finds where a typed word can go, ``options`` shows the lobby's settings.
"""

from cogs.defenders.cog import Defenders
from cogs.defenders.face import DefendersFace

__all__ = ["Defenders", "DefendersFace"]
