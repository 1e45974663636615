"""A Discord on this machine: gateway v10 and REST on a loopback address, people, and a page to play on.

`Loopback` runs in the process that asks for it (tests) or under ``wordmoot play``. The bot is never changed for it:
`bot.loopback.launch` points discord.py at a loopback address and then starts the same bot that runs on Discord.

It refuses what Discord refuses, with Discord's codes, so that a bot which plays well here plays well there. What it
knows of Discord comes from discord.py's parsers, public documentation and public issues; it was never compared with
the real service.
"""

from bot.loopback.people import Impossible, Person
from bot.loopback.server import Loopback
from bot.loopback.state import Rules

__all__ = ["Impossible", "Loopback", "Person", "Rules"]
