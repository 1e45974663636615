"""A dungeon's own rules in a few words each, as they stand below the map; ``Bylaw.told`` says them in full."""

from __future__ import annotations

from typing import NamedTuple

from bot.games.dungeon.bylaws import (
    UNLIMITED,
    AllChests,
    AllDoors,
    AllMonsters,
    Alphabetical,
    BarredLetters,
    BarredOn,
    Bylaw,
    Chain,
    Collapsing,
    EvenLengths,
    FirstLength,
    FirstWord,
    Gems,
    Growing,
    LetterLimit,
    Lit,
    LongWords,
    NewInitials,
    NewLetters,
    NotBefore,
    OneWord,
    OnlyOn,
    Paved,
    RareLetters,
    Rule,
    TakingTurns,
    WordLength,
)
from bot.games.dungeon.state import Dungeon


class Caption(NamedTuple):
    """A rule in a few words; ``mark``: of the squares it is about; ``condition``: the rule, if it can shut the exit.

    ``squares``: how many of those squares there are, where it matters how many of them hold letters.
    """

    text: str
    mark: str = ""
    condition: Rule | None = None
    squares: int = 0


def captions(dungeon: Dungeon) -> tuple[Caption, ...]:
    """Return a caption for every rule and for every mark of the legend."""
    names = {mark.mark: mark.name for mark in dungeon.legend}
    found = []
    for rule in dungeon.rules:
        mark: str = getattr(rule, "mark", "")
        text = _short(rule)
        shuts = type(rule).shut is not Bylaw.shut
        squares = "".join(dungeon.rows).count(mark) if isinstance(rule, Paved | Lit) else 0
        told = f"{names.get(mark, mark)}: {text}" if mark else text
        found.append(Caption(told, mark, rule if shuts else None, squares))
    ruled = {caption.mark for caption in found}
    found.extend(Caption(mark.name, mark.mark) for mark in dungeon.legend if mark.mark not in ruled)
    return tuple(found)


def _short(rule: Rule) -> str:
    """Return a rule in a few words; one that is new here, in its own."""
    match rule:
        case FirstWord() | FirstLength() | NotBefore() | Chain() | Alphabetical() | Growing() | TakingTurns():
            return _order(rule)
        case BarredLetters(letters=letters):
            return f"No {_listed(letters)}"
        case LetterLimit(most=most, letters=letters):
            return f"{_listed(letters) if letters else 'Each letter'}: {most}× at most"
        case BarredOn(letters=letters):
            return f"no {_listed(letters)}"
        case OnlyOn(letters=letters):
            return f"only {_listed(letters)}"
        case NewLetters(least=least, most=most):
            return f"{_span(least, most, 1)} new letters a turn"
        case WordLength(least=least, most=most):
            return f"Words of {_span(least, most, 2)} letters"
        case EvenLengths(odd=odd):
            return f"{'Odd' if odd else 'Even'} word lengths only"
        case NewInitials():
            return "No two words begin alike"
        case OneWord():
            return "One word a turn, none crossing"
        case Collapsing(last=last):
            return f"gone after turn {last}"
        case Paved(worth=worth):
            return f"{_signed(worth)} a letter"
        case LongWords(least=least, worth=worth):
            return f"Words of {least}+ letters: {_signed(worth)} each"
        case RareLetters(letters=letters, worth=worth):
            return f"{_listed(letters)}: {_signed(worth)} each, once"
        case Lit():
            return "all to be filled"
        case AllMonsters():
            return "All monsters dead"
        case AllDoors():
            return "All doors open"
        case AllChests():
            return "All chests collected"
        case Gems(least=least):
            return f"{least} {'gem' if least == 1 else 'gems'} or more"
        case _:
            return rule.told()


def _order(
    rule: FirstWord | FirstLength | NotBefore | Chain | Alphabetical | Growing | TakingTurns,
) -> str:
    match rule:
        case FirstWord(word=word):
            return f"First word: {word}"
        case FirstLength(least=least):
            return f"First word: {least}+ letters"
        case NotBefore(turn=turn):
            return f"Leave in turn {turn} or later"
        case Chain():
            return "Begin with the last word’s last letter"
        case Alphabetical():
            return "Words in alphabetical order"
        case Growing(strictly=strictly):
            return "Each word longer" if strictly else "No word shorter than the last"
        case TakingTurns():
            return "Across and down by turns"


def _listed(letters: str) -> str:
    return ", ".join(letters)


def _span(least: int, most: int, lowest: int) -> str:
    if most == UNLIMITED:
        return f"{least}+"
    if least <= lowest:
        return f"at most {most}"
    return str(least) if least == most else f"{least} to {most}"


def _signed(worth: int) -> str:
    return f"+{worth}" if worth > 0 else f"−{-worth}"
