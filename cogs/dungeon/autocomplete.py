"""What is offered as one types: dungeons, one's tables, places at which a word may be laid, ways to strike."""

from __future__ import annotations

from discord import app_commands

from bot.games.dungeon.placement import describe_strikes
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import Place, View
from bot.games.game import IllegalMove, Words
from bot.tables.wording import cut
from cogs.dungeon import texts
from cogs.dungeon.naming import matching
from cogs.dungeon.places import best_first, fitting, here_of, strikable, typed, ways_to_strike
from cogs.dungeon.sheet import facts
from cogs.game import Offers, offers
from cogs.grid import parse_spot
from cogs.tables import AtTable


class AtDungeon(AtTable):
    """The option *table* for one's dungeons."""

    game = DUNGEON.key


In = app_commands.Transform[int, AtDungeon]


def dungeons(text: str) -> Offers:
    """Offer the dungeons whose name holds what was typed, with tier, turns and par; the easiest first."""
    return offers(((f"{dungeon.name} · {facts(dungeon)}", dungeon.key) for dungeon in matching(text)), "")


def places(view: View, judge: Words, word: str, text: str) -> Offers:
    """Offer the places at which a word may be laid now, the best first."""
    dungeon, here = view.public.dungeon, here_of(view)
    told = best_first(dungeon, here, fitting(dungeon, here, typed(word), judge))
    found = [(texts.place_of(place), texts.effect_line(deed, strikable(here, place))) for place, deed in told]
    return offers(((f"{where} · {effect}", where) for where, effect in found), text)


def strikes(view: View, judge: Words, word: str, at: str, text: str) -> Offers:
    """Offer the ways to strike that spare no letter, the best first; none where the word may not be laid."""
    dungeon, here = view.public.dungeon, here_of(view)
    try:
        square, across = parse_spot(at)
        place = Place(typed(word), *square, across is not False)
        ways = ways_to_strike(dungeon, here, place, judge)
    except IllegalMove:
        return []
    told = [(texts.strikes_text(here, way), describe_strikes(here, way)) for way in ways]
    return offers(((name, cut("none" if value == "nothing" else value, 80)) for name, value in told), text)
