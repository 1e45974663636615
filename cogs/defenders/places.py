"""Where a typed word can go: its places on the map, why it has none, and a place as a button's argument."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from bot.games.defenders.placement import changed_words, commons, complete, lay, letters_on
from bot.games.defenders.state import WILD, Play, Public
from bot.games.game import IllegalMove
from bot.tables.wording import counted, listed


def packed(play: Play) -> str:
    """Return a play as a button's argument (the inverse of ``unpacked``)."""
    wild = "-".join(map(str, play.wild))
    villain = "" if play.villain is None else str(play.villain)
    return f"{play.word}.{play.row}.{play.col}.{'a' if play.across else 'd'}.{wild}.{villain}"


def unpacked(text: str) -> Play:
    """Return the play of a button's argument."""
    word, row, col, way, wild, villain = text.split(".")
    return Play(
        word,
        int(row),
        int(col),
        way == "a",
        tuple(int(index) for index in wild.split("-") if index),
        int(villain) if villain else None,
    )


def typed(play: Play) -> str:
    """Return the word of a play as somebody types it who wants the same wildcards."""
    return "".join(f"{WILD}{char}" if at in play.wild else char for at, char in enumerate(play.word))


def places(public: Public, text: str) -> tuple[Play, ...]:
    """Return every way to lay the typed word by geometry and letters alone, the most profitable first.

    Points of interest come before Vocabulary Points: they are what a team runs short of.
    """
    found: list[tuple[int, int, Play]] = []
    for row, col, across in _everywhere(public):
        try:
            play = complete(public, text, row, col, across)
        except IllegalMove:
            continue
        after, _ = lay(public, play)
        found.append((len(after.collected), after.vp, play))
    found.sort(key=lambda one: (-one[0], -one[1], one[2].row, one[2].col, not one[2].across))
    return tuple(play for _, _, play in found)


def legal_places(public: Public, found: Sequence[Play], legal: Callable[[str], bool]) -> tuple[Play, ...]:
    """Return those of the places at which every word is in the dictionary."""
    return tuple(play for play in found if all(map(legal, changed_words(public, play))))


def nowhere(public: Public, text: str) -> str:
    """Return why the typed word fits nowhere, as a sentence."""
    whys = set(_refusals(public, text))
    if len(whys) == 1:  # it is the word's own fault, wherever it goes
        return whys.pop()
    word = "".join(char for char in text.upper() if char.isalpha())
    tiles = commons(public)
    have = Counter((*tiles, *(public.villain or ()), *letters_on(public).values()))
    lacking = Counter(word) - have
    wild = have[WILD]
    if lacking.total() > wild:
        needs = listed(
            _named(letter, count, more=have[letter] > 0) for letter, count in sorted(lacking.items())
        )
        few = f", and {counted(wild, 'wildcard')} will not do" if wild else ""
        verb = "is" if lacking.total() == 1 else "are"
        return f"{word} needs {needs}, which {verb} neither on the table nor on the map{few}."
    return f"{word or 'That'} fits nowhere with the letters on the table and on the map."


def _named(letter: str, count: int, *, more: bool) -> str:
    """Return a letter that is lacking ``count`` times: ``Z``, ``2 Zs``, and with ``more`` ``another Z``, ``2 more Zs``."""
    if count == 1:
        return f"another {letter}" if more else letter
    return f"{count}{' more' if more else ''} {letter}s"


def nowhere_legal(public: Public, found: Sequence[Play], legal: Callable[[str], bool]) -> str:
    """Return why the dictionary bars the word from all the places that it would fit in."""
    word = found[0].word
    others = {name for play in found for name in changed_words(public, play)} - {word}
    if not legal(word) or not others:
        return f"{word} is not in the dictionary."
    wrong = sorted(name for name in others if not legal(name))
    return f"Wherever {word} fits, it makes what is not in the dictionary: {listed(wrong[:3], 'or')}."


def _refusals(public: Public, text: str) -> Iterator[str]:
    """Yield why the typed word cannot go to a place, for each place that refuses it."""
    for row, col, across in _everywhere(public):
        try:
            complete(public, text, row, col, across)
        except IllegalMove as refusal:
            yield str(refusal)


def _everywhere(public: Public) -> Iterator[tuple[int, int, bool]]:
    """Yield each square of the map as row and column, once across and once down."""
    for row in range(len(public.city.rows)):
        for col in range(len(public.city.rows[0])):
            yield row, col, True
            yield row, col, False
