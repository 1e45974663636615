"""The hands of the games: one module a game, the one thing that a new game adds to the soak."""

from __future__ import annotations

from collections.abc import Mapping

from bot.soak.hand import Hand
from bot.soak.hands.defenders import DefendersHand
from bot.soak.hands.dungeon import DungeonHand

HANDS: Mapping[str, Hand] = {hand.key: hand for hand in (DefendersHand(), DungeonHand())}
