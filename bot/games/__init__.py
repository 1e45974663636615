"""Floor 2: the rules of the games; pure. ``GAMES`` is what the host knows of them."""

from typing import Any

from bot.games.defenders.rules import DEFENDERS
from bot.games.dungeon.rules import DUNGEON
from bot.games.game import Game

GAMES: dict[str, Game[Any, Any, Any, Any, Any]] = {game.key: game for game in (DEFENDERS, DUNGEON)}
