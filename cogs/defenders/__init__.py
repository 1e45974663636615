"""Defenders of the Dictionary on Discord."""

from cogs.defenders.cog import Defenders, DefendersFace

__all__ = ["Defenders", "DefendersFace"]
