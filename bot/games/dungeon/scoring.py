"""What a way through a dungeon is worth.

Rulebook: "Each dungeon has its own ... scoring system", "Stealing Gemstones", "Killing Monsters". Rulings: *base* is the
points for leaving and the dungeon's own scoring, and no less than 0; medals go by it. *Bonus* is 2 for each word of seven
letters or more that stands at the exit and 1 for each turn left; it ranks, and wins no medal. Who does not leave scores 0.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.games.dungeon.ground import Position
from bot.games.dungeon.state import Dungeon, Medal

LONG = 7  # letters of a word that earns a bonus
_LONG_WORTH = 2
_TURN_WORTH = 1


class Tally(NamedTuple):
    """Points by what they are for, were one to leave now."""

    leave: int
    chests: int
    gems: int
    keys: int
    doors: int
    monsters: int
    rules: int

    @property
    def base(self) -> int:
        """All of them, no less than 0."""
        return max(0, sum(self))


def tally(dungeon: Dungeon, position: Position) -> Tally:
    """Return what the position is worth; gems are judged as if one left now."""
    scoring = dungeon.scoring
    return Tally(
        leave=scoring.leave,
        chests=scoring.chest * len(position.chests),
        gems=scoring.gem * len(position.gems) if scoring.gem else 0,
        keys=scoring.key * len(position.keys),
        doors=scoring.door * len(position.opened),
        monsters=sum(dungeon.monsters[number].coin for number in position.dead),
        rules=sum(rule.points(position) for rule in dungeon.rules),
    )


def bonus(dungeon: Dungeon, position: Position) -> int:
    """Return the bonus, were one to leave now."""
    long = sum(len(run.word) >= LONG for run in position.words)
    return _LONG_WORTH * long + _TURN_WORTH * (dungeon.turns - position.turns)


def medals(dungeon: Dungeon) -> dict[Medal, int]:
    """Return the base that each medal takes, the highest last."""
    par = dungeon.par
    return {"bronze": -(-par // 2), "silver": -(-3 * par // 4), "gold": par}


def medal(dungeon: Dungeon, base: int) -> Medal | None:
    """Return the best medal that a base earns."""
    earned = [name for name, least in medals(dungeon).items() if base >= least]
    return earned[-1] if earned else None
