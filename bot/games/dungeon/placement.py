"""Laying words in a dungeon: what may be laid where, what it strikes, what it leads to, how a turn is written.

Rulebook: "Word Placement Rules", "Unlocking Doors", "Killing Monsters". Words are checked as they are placed. Letters
are unlimited.

Beyond the rulebook:

- A repeat is barred against every word ever formed, in any spelling (FAVOR, FAVOUR); a singular beside its plural among
  the words that stand after the turn. Only words with one first letter are asked for number, only those that begin as
  two spellings of one word do (KERB, CURB) for sameness: what begins otherwise are some twenty oddities (AURAR, EYRIR),
  and asking for all would put dozens of questions on record each turn.
- A monster's name is barred alive and dead, in crossing and extended words too.
- The last turn has to leave: a word after which the dungeon would be lost is refused, so that nobody is beaten by a slip.
- Strikes that no choice was made for are those worth most coins, then most letters, of which one may leave if the word
  reaches the exit; when that is a tie, ``StrikesTied`` names the choices. Any strikes that the letters allow may be chosen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from bot.games.crossword import Square, line, named_square, neighbours, square_name
from bot.games.dungeon.ground import Deed, Ground, Position
from bot.games.dungeon.scoring import tally
from bot.games.dungeon.state import Deeds, Dungeon, Place
from bot.games.game import IllegalMove

Strikes = tuple[int, ...]  # letters that each monster loses

_REMEMBERED = 1_024
_SPELLED = frozenset(
    map(frozenset, ("AE", "CK", "CS", "EO", "FP", "GJ"))
)  # how spellings of one word begin apart


class Judge(Protocol):
    """Who is asked about words: a move's ``Words``, or a lexicon."""

    def legal(self, word: str) -> bool:
        """Whether ``word`` is legal."""
        ...

    def same(self, first: str, second: str) -> bool:
        """Whether the two are one word in two spellings."""
        ...

    def number_pair(self, first: str, second: str) -> bool:
        """Whether one of the two can be the plural of the other."""
        ...


class StrikesTied(IllegalMove):
    """A word that is legal but for a choice between strikes: lay it again with one of ``choices``."""

    def __init__(self, sentence: str, choices: tuple[Strikes, ...]) -> None:
        super().__init__(sentence)
        self.choices = choices


# Where a run stands


@lru_cache(maxsize=256)
def ground_of(dungeon: Dungeon) -> Ground:
    """Return the dungeon's map, read; raises ValueError for one that ``dungeons.checked`` would refuse."""
    return Ground(dungeon.rows, dungeon.monsters)


@lru_cache(maxsize=_REMEMBERED)
def position(dungeon: Dungeon, places: tuple[Place, ...] = ()) -> Position:
    """Return the position that words laid in this order lead to; none of them is checked again."""
    if not places:
        return Position.first(ground_of(dungeon))
    return laid(position(dungeon, places[:-1]), places[-1]).after


def laid(before: Position, place: Place) -> Deed:
    """Return what a place does, unchecked; without strikes of its own it strikes nothing."""
    return before.after(place.word, place.row, place.col, place.across, place.strikes or ())


# May it be laid?


def check(dungeon: Dungeon, before: Position, place: Place, judge: Judge) -> Deed:
    """Return what a place does, strikes included, once every rule allows it.

    Raises:
        StrikesTied: everything is in order, but which monsters it strikes is a choice.
        IllegalMove: a rule forbids it; the sentence names which.
    """
    _check_turn(dungeon, before)
    fit(before, place.word, place.row, place.col, place.across)
    deed = before.after(place.word, place.row, place.col, place.across)
    _check_words(deed, judge)
    for rule in dungeon.rules:
        refusal = rule.refusal(deed)
        if refusal is not None:
            raise IllegalMove(refusal)
    if dungeon.monsters and place.strikes is None:
        return _struck(dungeon, deed)
    if dungeon.monsters and place.strikes is not None:
        _check_strikes(deed, place.strikes)
        deed = deed.striking(place.strikes)
    elif place.strikes:
        raise IllegalMove("There is no monster here to strike.")
    refusal = _exit_refusal(dungeon, deed)
    if refusal is not None:
        raise IllegalMove(refusal)
    return deed


def _check_turn(dungeon: Dungeon, before: Position) -> None:
    if before.out:
        raise IllegalMove("You have left the dungeon.")
    if before.turns >= dungeon.turns:
        raise IllegalMove(f"All {dungeon.turns} turns are taken. Take one back, or give up.")


def fit(before: Position, word: str, row: int, col: int, across: bool) -> None:
    """Check that a word fits in from (row, col) on, by rock, letters, doors and what it joins.

    Raises:
        IllegalMove: it does not; the sentence says why.
    """
    _check_letters(before, word)
    squares = line(row, col, across, len(word))
    _check_ground(before, word, squares)
    _check_ends(before, word, squares, across)
    _check_doors(before, word, squares)
    _check_joined(before, word, squares)


def check_word(before: Position, word: str, judge: Judge) -> None:
    """Check what holds of a word wherever it would lie: its letters, the dictionary, repeats, monsters' names.

    Raises:
        IllegalMove: it may be laid nowhere; the sentence says why.
    """
    _check_letters(before, word)
    if not judge.legal(word):
        raise IllegalMove(f"{word} is not in the dictionary.")
    _check_repeat(before, word, (), judge)
    _check_name(before, word)


def _check_letters(before: Position, word: str) -> None:
    if not re.fullmatch("[A-Z]*", word):
        raise IllegalMove("A word is made of the letters A to Z only.")
    if len(word) < 2:
        raise IllegalMove("A word has two letters or more.")
    if len(word) > before.ground.longest:
        raise IllegalMove(f"No word in this dungeon has more than {before.ground.longest} letters.")


def _check_ground(before: Position, word: str, squares: tuple[Square, ...]) -> None:
    ground, letters = before.ground, before.letters
    rows, height, width = ground.rows, len(ground.rows), len(ground.rows[0])
    new = False
    for letter, square in zip(word, squares, strict=True):
        row, col = square
        if not (0 <= row < height and 0 <= col < width):
            if square == squares[0]:
                raise IllegalMove("That square is not on this map.")
            raise IllegalMove(f"{word} from {square_name(squares[0])} would leave the map.")
        if rows[row][col] == "#":
            raise IllegalMove(f"{word} would run into the rock at {square_name(square)}.")
        there = letters.get(square)
        if there is None:
            new = True
        elif there != letter:
            raise IllegalMove(f"{square_name(square)} holds {there}; it cannot become {letter}.")
    if not new:
        raise IllegalMove(f"{word} places no new letter.")


def _check_ends(before: Position, word: str, squares: tuple[Square, ...], across: bool) -> None:
    (row, col), (end_row, end_col) = squares[0], squares[-1]
    step_row, step_col = (0, 1) if across else (1, 0)
    first, last = (row - step_row, col - step_col), (end_row + step_row, end_col + step_col)
    if first in before.letters or last in before.letters:
        whole = before.after(word, row, col, across).main.word
        raise IllegalMove(f"{word} would run on into the letters beside it and read {whole}.")


def _check_doors(before: Position, word: str, squares: tuple[Square, ...]) -> None:
    ground = before.ground
    doors = [
        (square, letter)
        for square, letter in zip(squares, word, strict=True)
        if square in ground.doors and square not in before.letters
    ]
    if not doors:
        return
    found = [
        letter
        for square, letter in zip(squares, word, strict=True)
        if square in ground.keys and square not in before.letters
    ]
    held = [*before.held, *found]
    for square, letter in doors:
        if letter in held:
            held.remove(letter)
            continue
        if not held:
            raise IllegalMove(
                f"The door at {square_name(square)} is locked, and you have no key left for it."
            )
        have = ", ".join(dict.fromkeys(held))
        raise IllegalMove(
            f"The door at {square_name(square)} opens to a key’s letter ({have}), not to {letter}."
        )


def _check_joined(before: Position, word: str, squares: tuple[Square, ...]) -> None:
    if not before.turns:
        if before.ground.start not in squares:
            raise IllegalMove(
                f"The first word passes through the start at {square_name(before.ground.start)}."
            )
        return
    standing = before.standing
    if not any(standing(square) or any(map(standing, neighbours(square))) for square in squares):
        raise IllegalMove(f"{word} would share or touch no letter of your words.")


def _check_words(deed: Deed, judge: Judge) -> None:
    words = [run.word for run in deed.formed]
    unknown = [word for word in words if not judge.legal(word)]
    if unknown:
        verb = "is" if len(unknown) == 1 else "are"
        raise IllegalMove(f"{_listed(unknown)} {verb} not in the dictionary.")
    for at, word in enumerate(words):
        _check_repeat(deed.before, word, words[:at], judge)
    for word in words:
        _check_name(deed.before, word)
    for word in words:
        for run in deed.after.words:
            if run.word[0] == word[0] and run.word != word and judge.number_pair(word, run.word):
                raise IllegalMove(f"{word} and {run.word} are singular and plural, and would both stand.")


def _check_repeat(before: Position, word: str, beside: Sequence[str], judge: Judge) -> None:
    """Check that a word is none that was formed before, or is formed ``beside`` it."""
    if word in before.used:
        raise IllegalMove(f"{word} has been used already.")
    if word in beside:
        raise IllegalMove(f"{word} would stand there twice.")
    alike = [other for other in (*before.used, *beside) if _begin_alike(word, other)]
    for other in sorted(alike):
        if judge.same(word, other):
            raise IllegalMove(f"{word} and {other} are one word in two spellings, and a word counts once.")


def _check_name(before: Position, word: str) -> None:
    for monster in before.ground.monsters:
        if monster.name in word:
            where = "" if word == monster.name else f", which hides in {word}"
            raise IllegalMove(f"Nobody may write {monster.name} here{where}.")


def _begin_alike(word: str, other: str) -> bool:
    return word[0] == other[0] or frozenset((word[0], other[0])) in _SPELLED


def _exit_refusal(dungeon: Dungeon, deed: Deed) -> str | None:
    """Return why a turn, its strikes known, may not leave, or may not stay."""
    after = deed.after
    if not after.out:
        if after.turns < dungeon.turns:
            return None
        return f"This is the last of {dungeon.turns} turns, and {deed.main.word} would not leave."
    shut = open_conditions(dungeon, after)
    return f"The exit is shut: {_listed(shut)}." if shut else None


def open_conditions(dungeon: Dungeon, here: Position) -> tuple[str, ...]:
    """Return what would keep the exit shut now, a part of a sentence each."""
    return tuple(sentence for rule in dungeon.rules if (sentence := rule.shut(here)) is not None)


# Strikes


def _struck(dungeon: Dungeon, deed: Deed) -> Deed:
    """Return the turn with its best strikes; a choice is asked for only among those that no rule refuses."""
    turns = [deed.striking(choice) for choice in strike_choices(deed.before, deed.placed)]
    refusals = [_exit_refusal(dungeon, turn) for turn in turns]
    allowed = [turn for turn, refusal in zip(turns, refusals, strict=True) if refusal is None]
    if not allowed:
        raise IllegalMove(refusals[0] or "")
    if len(allowed) > 1:
        choices = tuple(turn.struck for turn in allowed)
        ways = " or ".join(describe_strikes(deed.before, choice) for choice in choices)
        raise StrikesTied(f"{deed.main.word} can strike in {len(choices)} ways: {ways}. Choose one.", choices)
    return allowed[0]


def _check_strikes(deed: Deed, chosen: Strikes) -> None:
    before = deed.before
    if len(chosen) != len(before.struck):
        raise IllegalMove(f"Strikes are one number for each of the {len(before.struck)} monsters.")
    need: Counter[str] = Counter()
    for monster, count in enumerate(chosen):
        rest = before.rest(monster)
        if not 0 <= count <= len(rest):
            raise IllegalMove(
                f"The {before.ground.monsters[monster].name} has {len(rest)} letters left to strike."
            )
        need.update(rest[:count])
    lacking = need - Counter(deed.placed)
    if lacking:
        letter = min(lacking)
        raise IllegalMove(f"{letter} is struck more often than it was placed this turn.")


def strike_choices(before: Position, placed: Iterable[str]) -> tuple[Strikes, ...]:
    """Return the best strikes for letters placed in one turn: one, or several that are worth the same.

    They are worth most coins, then most letters; the first monsters come first.
    """
    rests = tuple(before.rest(number) for number in range(len(before.struck)))
    coins = tuple(monster.coin for monster in before.ground.monsters)
    return _best_strikes(rests, coins, "".join(sorted(placed)))


def thrifty_strikes(before: Position, placed: Iterable[str]) -> tuple[Strikes, ...]:
    """Return the strikes that spare no letter: no monster could lose more without another losing less; best first."""
    rests = tuple(before.rest(number) for number in range(len(before.struck)))
    coins = tuple(monster.coin for monster in before.ground.monsters)
    every = list(_all_strikes(rests, Counter(placed)))
    kept = [
        strikes for strikes in every
        if not any(
            other != strikes and all(more >= less for more, less in zip(other, strikes, strict=True))
            for other in every
        )
    ]  # fmt: skip
    return tuple(sorted(kept, key=lambda strikes: (_worth(strikes, rests, coins), strikes), reverse=True))


@lru_cache(maxsize=4 * _REMEMBERED)
def _best_strikes(rests: tuple[str, ...], coins: tuple[int, ...], placed: str) -> tuple[Strikes, ...]:
    every = list(_all_strikes(rests, Counter(placed)))
    most = max(_worth(strikes, rests, coins) for strikes in every)
    return tuple(
        sorted((strikes for strikes in every if _worth(strikes, rests, coins) == most), reverse=True)
    )


def _worth(strikes: Strikes, rests: tuple[str, ...], coins: tuple[int, ...]) -> tuple[int, int]:
    """Return the coins that strikes win and the letters that they take."""
    killed = zip(strikes, rests, coins, strict=True)
    return sum(coin for count, rest, coin in killed if rest and count == len(rest)), sum(strikes)


def _all_strikes(rests: tuple[str, ...], letters: Counter[str]) -> Iterator[Strikes]:
    """Yield every way to strike with ``letters``, those with letters to spare among them."""
    if not rests:
        yield ()
        return
    left = letters.copy()
    count = 0
    while True:
        for others in _all_strikes(rests[1:], left):
            yield (count, *others)
        if count == len(rests[0]) or not left[rests[0][count]]:
            return
        left[rests[0][count]] -= 1
        count += 1


def describe_strikes(before: Position, strikes: Strikes) -> str:
    """Return strikes in words: ``GIANT 2, OGRE 1``; ``nothing`` for none."""
    monsters = before.ground.monsters
    hits = [f"{monsters[number].name} {count}" for number, count in enumerate(strikes) if count]
    return ", ".join(hits) or "nothing"


# What it does


def deeds(dungeon: Dungeon, deed: Deed, place: Place) -> Deeds:
    """Return a turn for telling; ``place`` is what was laid, its strikes chosen."""
    before, after = deed.before, deed.after
    monsters = after.ground.monsters
    return Deeds(
        place=place,
        placed="".join(deed.placed),
        words=tuple(run.word for run in deed.formed),
        chests=tuple(after.letters[square] for square in deed.chests),
        keys=tuple(key.letter for key in deed.keys),
        doors=tuple(after.letters[square] for square in deed.doors),
        gems=len(after.gems),
        struck=tuple(
            (monsters[number].name, before.rest(number)[:count])
            for number, count in enumerate(deed.struck)
            if count
        ),
        killed=tuple(monsters[number].name for number in deed.killed),
        points=tally(dungeon, after).base - tally(dungeon, before).base,
    )


def places(dungeon: Dungeon, before: Position, word: str, judge: Judge) -> tuple[Place, ...]:
    """Return every place at which ``word`` may be laid now, in reading order, across before down.

    Words are checked as they are placed, so this tells nothing that laying them would not. A choice between strikes
    is left open.
    """
    if not re.fullmatch("[A-Z]{2,}", word) or word in before.used or not judge.legal(word):
        return ()
    ground = before.ground
    found = []
    for row, text in enumerate(ground.rows):
        for col in range(len(text)):
            for across in (True, False):
                place = Place(word, row, col, across)
                try:
                    check(dungeon, before, place, judge)
                except StrikesTied:
                    pass
                except IllegalMove:
                    continue
                found.append(place)
    return tuple(found)


# How a turn is written


def written(dungeon: Dungeon, place: Place) -> str:
    """Return a turn as text: ``HELPER D3 across``, with strikes ``GOING B7 across | GIANT 2, OGRE 2``."""
    way = "across" if place.across else "down"
    text = f"{place.word} {square_name((place.row, place.col))} {way}"
    hits = [
        f"{monster.name} {count}"
        for monster, count in zip(dungeon.monsters, place.strikes or (), strict=False)
        if count
    ]
    return f"{text} | {', '.join(hits)}" if hits else text


def read(dungeon: Dungeon, text: str) -> Place:
    """Return the turn that ``written`` writes; without strikes they are left to the rules.

    Raises:
        ValueError: the text is no turn in this dungeon.
    """
    found = re.fullmatch(r"([A-Z]+) ([A-Z][0-9]+) (across|down)(?: \| (.+))?", text)
    square = named_square(found[2]) if found else None
    if found is None or square is None:
        raise ValueError(f"{text!r} is no turn; one reads HELPER D3 across")
    return Place(found[1], *square, found[3] == "across", _read_strikes(dungeon, found[4]))


def _read_strikes(dungeon: Dungeon, text: str | None) -> Strikes | None:
    if text is None:
        return None
    names = [monster.name for monster in dungeon.monsters]
    strikes = [0] * len(names)
    for part in text.split(", "):
        name, _, count = part.partition(" ")
        if name not in names or not count.isdecimal():
            raise ValueError(f"{part!r} strikes no monster; a strike reads GIANT 2")
        strikes[names.index(name)] = int(count)
    return tuple(strikes)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
