"""Laying letters on the city map: what fits, which words come of it, what they are worth, what follows.

Rulebook: "City Map Awareness: Out of Bounds", "Phase 2 - Form a Word", "POI Tile Collection", "Wildcard
Tiles". Everything here goes by geometry and letters alone. No dictionary is asked, so nothing here can tell
the players of a ``printed`` table whether a word is legal.

Beyond the rulebook:

- A word that reads another letter where a wildcard lies on the map re-declares that wildcard.
- Only words that gain a letter score; a word that merely reads differently by a re-declared wildcard does
  not.
- One word over several numbered POI collects them in ascending order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from bot.games.crossword import BLOCK, Square, inside, joins, line, run_at, runs_through, square_name
from bot.games.defenders.city import on_hq
from bot.games.defenders.state import (
    STORAGE,
    VALUES,
    VILLAIN,
    WILD,
    Collected,
    Event,
    Formed,
    Laid,
    Matter,
    NoWord,
    Placed,
    Play,
    Poi,
    Public,
    Recast,
    Recasted,
    Tile,
)
from bot.games.game import IllegalMove


class Fit(NamedTuple):
    """Where a word lies: its squares, the positions in it that are new, the wildcards that it re-declares."""

    squares: tuple[Square, ...]
    new: tuple[int, ...]
    recast: tuple[tuple[int, int, str], ...]


class Overflow(NamedTuple):
    """What Letter Storage has no room for: letters that must go, and the tie of which ``owed`` go as well."""

    forced: tuple[str, ...]
    tied: tuple[str, ...]
    owed: int

    @property
    def asks(self) -> bool:
        """Whether the team has a choice: letters that differ are tied."""
        return 0 < self.owed < len(self.tied) and len(set(self.tied)) > 1

    @property
    def unasked(self) -> tuple[str, ...]:
        """What goes of the tie where nobody is asked: the first by the alphabet."""
        return self.tied[: self.owed]

    @property
    def cost(self) -> int:
        """What it costs in Vocabulary Points; any choice among the tied letters costs the same."""
        return sum(VALUES[letter] for letter in self.forced + self.unasked)


# Squares


# What lies where


def letters_on(public: Public) -> dict[Square, str]:
    """Return every letter on the map by square; a wildcard is the letter that it stands for."""
    return {(laid.row, laid.col): laid.letter for laid in public.laid}


def commons(public: Public) -> tuple[str, ...]:
    """Return the letters on the Commons Board that any word may use, the villain letter apart, sorted."""
    return tuple(sorted(tile.letter for tile in public.storage + public.contributed))


def collectable(public: Public) -> tuple[Poi, ...]:
    """Return the POI that may still be collected: every ``?``, or each number above the last collected."""
    last = max(public.collected, default=0)
    return tuple(poi for poi in public.pois if not public.goal.numbered or poi.number > last)


def reachable(public: Public) -> bool:
    """Return whether enough POI are collected or still collectable for the goal."""
    return len(public.collected) + len(collectable(public)) >= public.goal.poi


def overflow(public: Public) -> Overflow:
    """Return which letters Letter Storage would have no room for, were the round to end now."""
    ranked = sorted(commons(public), key=lambda letter: (-VALUES[letter], letter))
    surplus = len(ranked) - STORAGE
    if surplus <= 0:
        return Overflow((), (), 0)
    edge = VALUES[ranked[surplus - 1]]
    forced = tuple(letter for letter in ranked if VALUES[letter] > edge)
    tied = tuple(letter for letter in ranked if VALUES[letter] == edge)
    return Overflow(forced, tied, surplus - len(forced))


# Fitting a word in


def fit(public: Public, word: str, row: int, col: int, across: bool) -> Fit:
    """Return where ``word`` lies from (row, col) on; whose letters it takes is not looked at.

    Raises:
        IllegalMove: the word does not fit there; the sentence says why.
    """
    if not re.fullmatch("[A-Z]*", word):
        raise IllegalMove("A word is made of the letters A to Z only.")
    if len(word) < 2:
        raise IllegalMove("A word has two letters or more.")
    longest = max(len(public.city.rows), len(public.city.rows[0]))
    if len(word) > longest:
        raise IllegalMove(f"No word on this map has more than {longest} letters.")
    squares = line(row, col, across, len(word))
    _check_ground(public, word, squares)
    fitted = _check_letters(public, word, squares)
    _check_ends(public, word, squares, across)
    new = [squares[at] for at in fitted.new]
    if not new:
        raise IllegalMove(f"{word} adds no new letter to the map.")
    _check_pois(public, new)
    _check_joined(public, word, squares)
    return fitted


def _check_ground(public: Public, word: str, squares: tuple[Square, ...]) -> None:
    rows = public.city.rows
    if not inside(rows, squares[0]):
        raise IllegalMove("That square is not on this map.")
    for square in squares:
        if not inside(rows, square):
            raise IllegalMove(f"{word} from {square_name(squares[0])} would leave the map.")
        if rows[square[0]][square[1]] == BLOCK:
            raise IllegalMove(f"{word} would cover the building at {square_name(square)}.")


def _check_letters(public: Public, word: str, squares: tuple[Square, ...]) -> Fit:
    laid = {(tile.row, tile.col): tile for tile in public.laid}
    new, recast = [], []
    for at, (letter, square) in enumerate(zip(word, squares, strict=True)):
        tile = laid.get(square)
        if tile is None:
            new.append(at)
        elif tile.letter != letter:
            if not tile.wild:
                raise IllegalMove(
                    f"{square_name(square)} already holds {tile.letter}; it cannot become {letter}."
                )
            recast.append((*square, letter))
    return Fit(squares, tuple(new), tuple(recast))


def _check_ends(public: Public, word: str, squares: tuple[Square, ...], across: bool) -> None:
    letters = letters_on(public) | dict(zip(squares, word, strict=True))
    whole = run_at(letters, squares[0], across).word
    if whole != word:
        raise IllegalMove(f"{word} would run on into the letters beside it and read {whole}.")


def _check_pois(public: Public, new: Iterable[Square]) -> None:
    last = max(public.collected, default=0)
    barred = {(poi.row, poi.col): poi.number for poi in set(public.pois) - set(collectable(public))}
    for square in new:
        if square in barred:
            raise IllegalMove(
                f"{square_name(square)} is closed: point of interest {barred[square]} cannot be collected"
                f" after point of interest {last}."
            )


def _check_joined(public: Public, word: str, squares: tuple[Square, ...]) -> None:
    if public.laid:
        if not joins(letters_on(public), squares):
            raise IllegalMove(f"{word} would not join any letter on the map.")
        return
    city = public.city
    if city.start not in squares:
        raise IllegalMove(f"The first word must cover the start at {square_name(city.start)}.")
    if not all(on_hq(city, square) for square in squares):
        _, side = city.hq_name.split()
        raise IllegalMove(f"The first word must lie entirely on Headquarters by {side}.")


def check(public: Public, play: Play) -> Fit:
    """Return where the play's word lies, once its place and its tiles are found in order.

    Raises:
        IllegalMove: it does not fit, or the Commons Board does not hold its letters.
    """
    fitted = fit(public, play.word, play.row, play.col, play.across)
    _check_villain(public, play, fitted)
    _check_wild(public, play, fitted)
    _check_supply(public, play, fitted)
    return fitted


def _check_villain(public: Public, play: Play, fitted: Fit) -> None:
    if play.villain is None:
        return
    if public.villain is None:
        raise IllegalMove("There is no villain letter on the table.")
    if play.villain not in fitted.new or play.word[play.villain] != public.villain:
        raise IllegalMove(f"The villain letter {public.villain} can only be laid as a new {public.villain}.")


def _check_wild(public: Public, play: Play, fitted: Fit) -> None:
    if len(set(play.wild)) < len(play.wild) or not set(play.wild) <= set(fitted.new) - {play.villain}:
        raise IllegalMove("A wildcard can only be laid as one new letter of the word.")
    held = commons(public).count(WILD)
    if len(play.wild) > held:
        have = f"is {held} wildcard" if held == 1 else f"are {held or 'no'} wildcards"
        raise IllegalMove(f"There {have} on the table, and {play.word} would take {len(play.wild)}.")


def _check_supply(public: Public, play: Play, fitted: Fit) -> None:
    need = Counter(play.word[at] for at in fitted.new if at not in play.wild and at != play.villain)
    lacking = need - Counter(commons(public))
    unnamed = (public.villain or "") if play.villain is None else ""
    others = sorted((lacking - Counter(unnamed)).elements())
    if others:
        raise _lack(others)
    if lacking:
        raise IllegalMove(f"{play.word} takes the villain letter; say which {unnamed} of the word it is.")


def _lack(letters: list[str]) -> IllegalMove:
    return IllegalMove(f"The letters on the table lack {_listed(letters)}.")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def complete(public: Public, text: str, row: int, col: int, across: bool) -> Play:
    """Return the play for a word as it will read on the map, with the tiles chosen for the player.

    ``text`` is in any case; an asterisk before a letter asks for a wildcard there (``CAR*S``). Otherwise the
    villain letter goes first, wildcards only where letters are lacking, and letters with a value where they
    count twice.

    Raises:
        IllegalMove: as ``check``.
    """
    typed = text.strip().upper()
    if not re.fullmatch(r"(?:\*?[A-Z])*", typed):
        raise IllegalMove("A word is made of the letters A to Z; an asterisk before one asks for a wildcard.")
    word = typed.replace(WILD, "")
    fitted = fit(public, word, row, col, across)
    marks = [found.group().startswith(WILD) for found in re.finditer(r"\*?[A-Z]", typed)]
    asked = [at for at in fitted.new if marks[at]]
    rest = [at for at in _worth_most_first(public, fitted, across) if not marks[at]]
    villain = next((at for at in rest if word[at] == public.villain), None)
    have = Counter(commons(public))
    lacking = _unserved(word, [at for at in rest if at != villain], have)
    wildcards = max(0, have[WILD] - len(asked))
    if len(lacking) > wildcards:
        raise _lack(sorted(word[at] for at in lacking[wildcards:]))
    play = Play(word, row, col, across, tuple(sorted(asked + lacking)), villain)
    check(public, play)
    return play


def _unserved(word: str, positions: Iterable[int], have: Counter[str]) -> list[int]:
    """Return the positions for which ``have``, served in the order given, holds no letter."""
    left = have.copy()
    unserved = []
    for at in positions:
        if left[word[at]]:
            left[word[at]] -= 1
        else:
            unserved.append(at)
    return unserved


def _worth_most_first(public: Public, fitted: Fit, across: bool) -> list[int]:
    letters = letters_on(public)

    def crosses(at: int) -> bool:
        row, col = fitted.squares[at]
        beside = ((row - 1, col), (row + 1, col)) if across else ((row, col - 1), (row, col + 1))
        return any(square in letters for square in beside)

    return sorted(fitted.new, key=lambda at: (not crosses(at), at))


# What comes of it


def formed(public: Public, play: Play) -> tuple[Formed, ...]:
    """Return every word that the play forms or extends with its Vocabulary Points, the main word first.

    Words that a re-declared wildcard changes without a new letter do not score; ``changed_words`` has them too.

    Raises:
        IllegalMove: as ``check``.
    """
    return next(event.words for event in lay(public, play)[1] if isinstance(event, Placed))


def _formed(laid: tuple[Laid, ...], fitted: Fit, across: bool) -> tuple[Formed, ...]:
    letters = {(tile.row, tile.col): tile.letter for tile in laid}
    worth = {(tile.row, tile.col): 0 if tile.wild else VALUES[tile.letter] for tile in laid}
    new = [fitted.squares[at] for at in fitted.new]
    return tuple(
        Formed(run.word, run.row, run.col, run.across, sum(worth[square] for square in run.squares))
        for run in runs_through(letters, new, across)
    )


def changed_words(public: Public, play: Play) -> tuple[str, ...]:
    """Return every word that would read anew: those of ``formed``, and those crossing a re-declared wildcard."""
    fitted = check(public, play)
    letters = letters_on(after(public, play))
    squares = [fitted.squares[at] for at in fitted.new] + [(row, col) for row, col, _ in fitted.recast]
    return tuple(run.word for run in runs_through(letters, squares, play.across))


def recast_letters(laid: tuple[Laid, ...], letters: Iterable[tuple[int, int, str]]) -> tuple[Laid, ...]:
    """Return the letters on the map with some wildcards standing for other letters."""
    changes = {(row, col): letter for row, col, letter in letters}
    return tuple(
        replace(tile, letter=changes[tile.row, tile.col]) if (tile.row, tile.col) in changes else tile
        for tile in laid
    )


def check_recast(public: Public, matter: Recast) -> None:
    """Raise IllegalMove unless each change names a wildcard on the map and another letter for it."""
    laid = {(tile.row, tile.col): tile for tile in public.laid}
    squares = [(row, col) for row, col, _ in matter.letters]
    if not squares or len(set(squares)) < len(squares):
        raise IllegalMove("Name each wildcard to change once, and at least one.")
    for row, col, letter in matter.letters:
        if not inside(public.city.rows, (row, col)):
            raise IllegalMove("That square is not on this map.")
        tile = laid.get((row, col))
        if tile is None or not tile.wild:
            raise IllegalMove(f"No wildcard lies at {square_name((row, col))}.")
        if not re.fullmatch("[A-Z]", letter):
            raise IllegalMove("A wildcard stands for one letter from A to Z.")
        if tile.letter == letter:
            raise IllegalMove(f"The wildcard at {square_name((row, col))} stands for {letter} already.")


def after(public: Public, play: Play) -> Public:
    """Return the table once the play is laid, before phase 3.

    Raises:
        IllegalMove: as ``check``.
    """
    return lay(public, play)[0]


def lay(public: Public, play: Play) -> tuple[Public, tuple[Event, ...]]:
    """Return the table once the play is laid and its POI are collected, and what there is to tell of it.

    Raises:
        IllegalMove: as ``check``.
    """
    fitted = check(public, play)
    storage, contributed = list(public.storage), list(public.contributed)
    laid = list(recast_letters(public.laid, fitted.recast))
    for at in fitted.new:
        row, col = fitted.squares[at]
        owner = VILLAIN
        if at != play.villain:
            owner = take(WILD if at in play.wild else play.word[at], storage, contributed).owner
        laid.append(Laid(row, col, play.word[at], at in play.wild, owner, public.round))
    words = _formed(tuple(laid), fitted, play.across)
    gained = sum(word.vp for word in words)
    new = {fitted.squares[at] for at in fitted.new}
    reached = sorted(
        (poi for poi in public.pois if (poi.row, poi.col) in new),
        key=lambda poi: (poi.number, poi.row, poi.col),
    )
    events: list[Event] = [Recasted(fitted.recast)] if fitted.recast else []
    events.append(Placed(play, words, gained))
    events.extend(Collected(poi.row, poi.col, poi.number) for poi in reached)
    table = replace(
        public,
        vp=public.vp + gained,
        villain=public.villain if play.villain is None else None,
        storage=tuple(storage),
        contributed=tuple(contributed),
        laid=tuple(laid),
        pois=tuple(poi for poi in public.pois if poi not in reached),
        collected=public.collected + tuple(poi.number for poi in reached),
    )
    return table, tuple(events)


def take(letter: str, *places: list[Tile]) -> Tile:
    """Remove a tile with ``letter`` from the first of the ``places`` on the Commons Board that has one; return it.

    A word is laid from Letter Storage first, which makes room there; a discard comes from the Contribution Spaces
    first, since what is stored has its place.
    """
    for tiles in places:
        for tile in tiles:
            if tile.letter == letter:
                tiles.remove(tile)
                return tile
    raise AssertionError(f"no {letter} on the Commons Board, though the move passed its check")


# What to think of before agreeing


def loss(vp: int, cost: int) -> str:
    """Return what a cost takes of ``vp``, as no score drops below 0: ``−8 VP``, ``−6 VP, all there are``."""
    if vp >= cost:
        return f"−{cost} VP"
    return f"−{vp} VP, all there are" if vp else "no VP, as there are none"


def warnings(public: Public, matter: Matter) -> tuple[str, ...]:
    """Return what a word, or none, would cost this round, one sentence each; nothing about the dictionary.

    Raises:
        IllegalMove: the matter is a play and does not pass ``check``.
    """
    if not isinstance(matter, Play | NoWord):
        return ()
    table = after(public, matter) if isinstance(matter, Play) else public
    told = []
    if reachable(public) and not reachable(table):
        told.append(
            f"After this, {len(table.collected)} POI collected and {len(collectable(table))} still open are too few "
            f"for the goal of {table.goal.poi}."
        )
    vp = table.vp
    if table.villain is not None:
        cost = VALUES[table.villain]
        told.append(f"The villain letter {table.villain} would be left over: {loss(vp, cost)}.")
        vp -= min(vp, cost)
    excess = overflow(table)
    letters = len(excess.forced) + excess.owed
    if letters:
        cost = min(vp, excess.cost)
        plural = "letter" if letters == 1 else "letters"
        told.append(f"Storage would have no room for {letters} {plural}, which would cost {cost} VP.")
    return tuple(told)
