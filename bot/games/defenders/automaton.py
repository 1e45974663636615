"""The automaton of Defenders of the Dictionary: what it contributes, proposes and agrees to, and when.

It is given a view and nothing else. In each round one seat is the *spokesman*, who plans the team's word; the
others leave people time to think and step in only when nothing has come of it. Asked for ideas, every
automaton has one at once. It agrees to whatever others propose, also to what a person in its seat objected to
before. After an objection it waits until somebody asks, and then proposes something else.

Its proposal is a team-mate's advice, not the dictionary: it costs no consultation, though all of it is legal.

Skill 0 contributes at random and lays short common words, skill 1 weighs common words, skill 2 weighs every
word that does not offend. Every word that it lays, and every word that comes of it, is in the dictionary.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.chance import Chance
from bot.games.defenders.placement import commons, overflow
from bot.games.defenders.planning import suggest
from bot.games.defenders.state import (
    WILD,
    Agree,
    Contribute,
    Discard,
    Matter,
    Move,
    NoWord,
    Propose,
    Public,
    View,
)
from bot.games.game import Moment, Plan

CONTRIBUTES_AFTER = 1_500  # ms since the round began
AGREES_AFTER = 1_500  # ms since the proposal
SPEAKS_AFTER = 4_000  # ms since the phase began: the spokesman
STEPS_IN_AFTER = 25_000  # ms since the phase began, for each seat after the spokesman

# How welcome a letter is on the Commons Board: common in words, and easily joined to others.
_WELCOME = dict(
    zip(
        "ETASRINOLDCGMPHUBYFWVK",
        (
            5.0,
            4.0,
            4.0,
            4.0,
            3.8,
            3.6,
            3.4,
            3.4,
            3.2,
            2.8,
            2.6,
            2.6,
            2.6,
            2.6,
            2.0,
            2.0,
            1.8,
            1.8,
            1.6,
            1.6,
            1.0,
            1.0,
        ),
        strict=True,
    )
)
_REPEATED = 1.5  # less welcome for each one that lies there already
_BALANCE = 8.0  # how much a lack of vowels or of consonants counts
_VOWELS = 0.4  # their wanted share
_WILD_EARLY, _WILD_FROM, _WILD_LATER = (
    -6.0,
    12,
    0.8,
)  # a wildcard is kept back, after that round less and less


def choose(view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
    """Return what the seat wants to do next and when, or None when there is nothing for it to do."""
    public = view.public
    if public.phase in ("verify", "over"):
        return None
    proposal = public.proposal
    if proposal is not None and seat not in proposal.agreed:
        return Plan(Agree(), proposal.at + AGREES_AFTER)
    if public.phase == "contribute":
        if view.mine is not None or not view.rack:
            return None
        return Plan(Contribute(_contribution(view, skill, at.chance)), public.since + CONTRIBUTES_AFTER)
    if proposal is not None and not public.ideas:
        return None
    time = _speaks_at(public, seat)
    if at.now < time:
        return Plan(None, time)
    matter = _matter(public, skill, at)
    return None if matter is None else Plan(Propose(matter), time)


def _speaks_at(public: Public, seat: int) -> int:
    if public.ideas:
        return public.since
    turns = (seat - public.round) % public.seats
    return public.since + (STEPS_IN_AFTER * turns if turns else SPEAKS_AFTER)


def _matter(public: Public, skill: int, at: Moment) -> Matter | None:
    """Return what to bring before the team; None when it has heard that already."""
    tried = public.tried if public.proposal is None else (*public.tried, public.proposal.matter)
    if public.phase == "discard":
        matter: Matter = _discard(public)
    else:
        matter = suggest(public, skill, at, tried) or NoWord()
    return None if matter in tried else matter


def _discard(public: Public) -> Discard:
    """Return the least welcome of the tied letters."""
    excess = overflow(public)
    pool = commons(public)
    ranked = sorted(excess.tied, key=lambda letter: (_welcome(letter, pool, public.round), letter))
    return Discard(tuple(sorted(ranked[: excess.owed])))


def _contribution(view: View, skill: int, chance: Chance) -> tuple[str, ...]:
    public = view.public
    count = min(len(view.rack), public.share)
    if skill == 0:
        return tuple(sorted(chance.shuffled(view.rack)[:count]))
    rack, pool = list(view.rack), [*commons(public), *(public.villain or "")]
    chosen = []
    for _ in range(count):
        best = max(rack, key=lambda letter: (_welcome(letter, pool, public.round), letter))
        rack.remove(best)
        pool.append(best)
        chosen.append(best)
    return tuple(sorted(chosen))


def _welcome(letter: str, pool: Sequence[str], now: int) -> float:
    """Return how welcome one more ``letter`` is beside ``pool`` in round ``now``."""
    if letter == WILD:
        return _WILD_EARLY + _WILD_LATER * max(0, now - _WILD_FROM)
    plain = [other for other in pool if other != WILD]
    vowels = sum(other in "AEIOU" for other in plain)
    share = (vowels + 0.5) / (len(plain) + 1)
    balance = _VOWELS - share if letter in "AEIOU" else share - _VOWELS
    return _WELCOME.get(letter, 1.0) - _REPEATED * pool.count(letter) + _BALANCE * balance
