"""What the page asks and is told, under ``/local/PLAYER/…``; and the files of the page itself.

A page has one feed, a socket on which it hears whatever its player may see, and posts what its player does. Answers
hold Discord's JSON of messages and modals; ids are strings throughout.
"""

from bot.loopback.local.luck import BadLuck
from bot.loopback.local.routes import Local

__all__ = ["BadLuck", "Local"]
