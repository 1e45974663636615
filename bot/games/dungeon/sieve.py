"""What may be laid: the map for the lexicon's search, and what whole columns of placements tell before any is looked at.

Rules of single dungeons refuse most words of a search; who looks at those one by one finds nothing in time. This sieve asks of
all placements at once what a rule says of a word by itself: its first letter, its length, its way. It never drops what
``placement.check`` allows; what it lets through still has to pass.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from string import ascii_uppercase

import numpy as np
import numpy.typing as npt

from bot.games.dungeon.bylaws import (
    Alphabetical,
    BarredLetters,
    Chain,
    EvenLengths,
    FirstLength,
    FirstWord,
    Growing,
    LetterLimit,
    NewLetters,
    Rule,
    TakingTurns,
    WordLength,
)
from bot.games.dungeon.ground import Position
from bot.games.dungeon.state import Dungeon
from bot.words.search import BLOCKED, FREE, Grid, Placements
from bot.words.vocabulary import Vocabulary

_PLENTY = 20  # copies of a letter that has no limit: no line has more squares
_PER_LETTER = 100  # of the room that words have to grow, for each letter


def grid(dungeon: Dungeon, here: Position) -> Grid:
    """Return the map for the lexicon's search: a door without a key is as good as rock.

    The search knows neither a door's letter nor that an open chest joins nothing: what it finds has to pass ``check``.
    """
    ground = here.ground
    shut = () if here.held or any(key not in here.laid for key in ground.keys) else ground.doors
    rows = tuple(
        "".join(
            here.letters.get((row, col)) or (BLOCKED if mark == BLOCKED or (row, col) in shut else FREE)
            for col, mark in enumerate(marks)
        )
        for row, marks in enumerate(ground.rows)
    )
    return Grid(rows, start=None if here.turns else ground.start)


def hand(rules: tuple[Rule, ...], here: Position) -> str:
    """Return the letters that may be placed, each as often as a word may need it."""
    left = dict.fromkeys(ascii_uppercase, _PLENTY)
    laid = Counter(here.letters[square] for square in here.laid)
    for rule in rules:
        match rule:
            case BarredLetters():
                left.update(dict.fromkeys(rule.letters, 0))
            case LetterLimit():
                for letter in rule.letters or ascii_uppercase:
                    left[letter] = max(0, min(left[letter], rule.most - laid[letter]))
    return "".join(letter * count for letter, count in left.items())


def allowed(dungeon: Dungeon, here: Position, found: Placements) -> npt.NDArray[np.bool_]:
    """Return which placements no rule about whole words forbids."""
    words = found.words
    may = np.ones(len(found), np.bool_)
    first = not here.turns
    last = here.mains[-1] if here.mains else None
    for monster in dungeon.monsters:
        may &= ~_hiding(words, monster.name)[found.number]
    for rule in dungeon.rules:
        match rule:
            case FirstWord() if first:
                may &= found.number == words.number(rule.word)
            case FirstLength() if first:
                may &= found.length >= rule.least
            case NewLetters():
                may &= (found.new >= rule.least) & (found.new <= rule.most)
            case WordLength():
                may &= (found.length >= rule.least) & (found.length <= rule.most)
            case EvenLengths():
                may &= found.length % 2 == rule.odd
            case Growing() if last:
                may &= found.length >= len(last.word) + rule.strictly
            case Chain() if last:
                may &= _initials(words)[found.number] == ord(last.word[-1]) - 65
            case Alphabetical() if last and last.word in words:
                may &= _order(words)[found.number] > _order(words)[words.number(last.word)]
            case TakingTurns() if last:
                may &= found.across != last.across
    return may


def spent_room(dungeon: Dungeon, words: Vocabulary, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return, for words by their numbers, how much they leave to fewer words after them: 0 for nothing, 1,000 for all.

    Where words come in the order of the dictionary, ZOO leaves hardly any; where none is shorter than the last, neither
    does a long one.
    """
    spent = np.zeros(len(numbers), np.int64)
    for rule in dungeon.rules:
        match rule:
            case Alphabetical():
                spent += 1_000 * _order(words)[numbers] // len(words)
            case Growing():
                spent += np.minimum(1_000, _PER_LETTER * _lengths(words)[numbers])
    return spent


@lru_cache(maxsize=64)
def _hiding(words: Vocabulary, name: str) -> npt.NDArray[np.bool_]:
    """Return which words hold a monster's name."""
    return np.array([name in word for word in words], np.bool_)


@lru_cache(maxsize=4)
def _initials(words: Vocabulary) -> npt.NDArray[np.int64]:
    return np.concatenate([block.letters[:, 0] for block in words.blocks]).astype(np.int64)


@lru_cache(maxsize=4)
def _lengths(words: Vocabulary) -> npt.NDArray[np.int64]:
    return np.concatenate([np.full(block.size, block.length, np.int64) for block in words.blocks])


@lru_cache(maxsize=4)
def _order(words: Vocabulary) -> npt.NDArray[np.int64]:
    """Return the place of each word in the alphabet."""
    order = np.argsort(np.array(list(words)), kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place
