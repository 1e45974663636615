"""The rules that single dungeons add to those of all: each a small class with parameters, named in the dungeon's file.

Rulebook: "Each dungeon has its own start and end conditions, additional rules and scoring system." What these are is
ours. A rule may refuse a turn (``refusal``), keep the exit shut (``shut``), add points (``points``) and refuse a map on
which it makes no sense (``misfit``); each returns a sentence, or None when it has nothing to say. A *mark* is a character
of the map that its legend explains; rules say what it means.

A new rule is one class here, its name in ``Rule``, and a line in a dungeon's file:

    [[rules]]
    rule = "letter_limit"
    most = 2
"""

from __future__ import annotations

from collections import Counter
from string import ascii_uppercase
from typing import get_args

import msgspec

from bot.games.crossword import Square, square_name
from bot.games.dungeon.ground import Deed, Ground, Position

VOWELS = "AEIOU"
UNLIMITED = 99  # as `most`: no limit
MOST_POINTS = 99  # for one thing


class Bylaw(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="rule"):
    """A rule of one dungeon. By itself it forbids nothing."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        raise NotImplementedError

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return why the rule makes no sense on this map, within so many turns."""
        return None

    def refusal(self, deed: Deed) -> str | None:
        """Return why the rule forbids a turn."""
        return None

    def shut(self, position: Position) -> str | None:
        """Return what has to happen before anybody may leave."""
        return None

    def points(self, position: Position) -> int:
        """Return the points that the rule is worth, were one to leave now."""
        return 0

    def standing(self, position: Position) -> str | None:
        """Return, as a sentence for players, what the rule has come to by what lies there."""
        return None


# How the dungeon begins


class FirstWord(Bylaw, frozen=True, tag="first_word"):
    """The first word is given."""

    word: str

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"The first word is {self.word}."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the word is of letters, and has room at the start."""
        room = ground.room(ground.start)
        too_long = f"{self.word} has {len(self.word)} letters, and there is room for {room} at the start"
        return _not_letters(self.word, least=2) or (too_long if len(self.word) > room else None)

    def refusal(self, deed: Deed) -> str | None:
        """Refuse any other first word."""
        if deed.before.turns or deed.main.word == self.word:
            return None
        return f"In this dungeon the first word is {self.word}."


class FirstLength(Bylaw, frozen=True, tag="first_length"):
    """The first word has a number of letters, or more."""

    least: int

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"The first word has at least {self.least} letters."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether such a word has room at the start."""
        return _out_of_range("least", self.least, 3, ground.room(ground.start))

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a shorter first word."""
        if deed.before.turns or len(deed.main.word) >= self.least:
            return None
        return f"In this dungeon the first word has at least {self.least} letters."


# Letters


class BarredLetters(Bylaw, frozen=True, tag="barred_letters"):
    """Some letters may not be placed; on the map's own letters this says nothing."""

    letters: str

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"{_listed(self.letters, 'or')} may not be placed."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether these are letters."""
        return _not_letters(self.letters)

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a turn that places one of the letters."""
        found = sorted(set(deed.placed) & set(self.letters))
        return f"No {found[0]} may be placed in this dungeon." if found else None


class LetterLimit(Bylaw, frozen=True, tag="letter_limit"):
    """No letter, or none of ``letters``, is placed more than ``most`` times in all."""

    most: int
    letters: str = ""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        which = f"None of {_listed(self.letters)}" if self.letters else "No letter"
        return f"{which} may be placed more than {_times(self.most)} in all."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the limit is one."""
        return (
            _out_of_range("most", self.most, 1, UNLIMITED)
            or (self.letters and _not_letters(self.letters))
            or None
        )

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a turn that goes over the limit."""
        after = deed.after
        count = Counter(after.letters[square] for square in after.laid)
        for letter in dict.fromkeys(deed.placed):
            if count[letter] > self.most and (not self.letters or letter in self.letters):
                return f"This would be {letter} number {count[letter]}, and {self.most} may be placed in all."
        return None

    def standing(self, position: Position) -> str | None:
        """Return which letters are used up."""
        count = Counter(position.letters[square] for square in position.laid)
        gone = [letter for letter in sorted(count) if count[letter] >= self.most]
        gone = [letter for letter in gone if not self.letters or letter in self.letters]
        return f"Used up: {', '.join(gone)}." if gone else None


class BarredOn(Bylaw, frozen=True, tag="barred_on"):
    """On the squares of a mark some letters may not be placed: the five vowels, unless the file says otherwise."""

    mark: str
    letters: str = VOWELS

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"A square marked {self.mark} may not hold {_listed(self.letters, 'or')}."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the map has the mark."""
        return _no_mark(self.mark, ground) or _not_letters(self.letters)

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a barred letter on a square of the mark."""
        for square in _on(self.mark, deed):
            if deed.after.letters[square] in self.letters:
                return f"{square_name(square)} may not hold {deed.after.letters[square]}."
        return None


class OnlyOn(Bylaw, frozen=True, tag="only_on"):
    """On the squares of a mark only some letters may be placed."""

    mark: str
    letters: str

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"A square marked {self.mark} may hold only {_listed(self.letters, 'or')}."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the map has the mark."""
        return _no_mark(self.mark, ground) or _not_letters(self.letters)

    def refusal(self, deed: Deed) -> str | None:
        """Refuse any other letter on a square of the mark."""
        for square in _on(self.mark, deed):
            if deed.after.letters[square] not in self.letters:
                return f"{square_name(square)} may hold only {_listed(self.letters, 'or')}."
        return None


class NewLetters(Bylaw, frozen=True, tag="new_letters"):
    """A turn places at least and at most so many letters."""

    least: int = 1
    most: int = UNLIMITED

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"Each turn places {_span(self.least, self.most)}."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the numbers go together."""
        return _bad_span(self.least, self.most)

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a turn with fewer letters or more."""
        if self.least <= len(deed.new) <= self.most:
            return None
        return (
            f"In this dungeon a turn places {_span(self.least, self.most)}; this one places {len(deed.new)}."
        )


# Words


class WordLength(Bylaw, frozen=True, tag="word_length"):
    """Every word formed, crossing ones too, has at least and at most so many letters."""

    least: int = 2
    most: int = UNLIMITED

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"Every word, crossing words too, has {_span(self.least, self.most, 2)}."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the numbers go together."""
        return _bad_span(self.least, self.most) or _out_of_range("least", self.least, 2, ground.longest)

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a turn that forms a shorter or a longer word."""
        for run in deed.formed:
            if not self.least <= len(run.word) <= self.most:
                return f"{run.word} has {len(run.word)} letters, and words here have {_span(self.least, self.most, 2)}."
        return None


class EvenLengths(Bylaw, frozen=True, tag="even_lengths"):
    """Every word formed, crossing ones too, has an even number of letters; an odd one with ``odd``."""

    odd: bool = False

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"Every word, crossing words too, has an {self._kind} number of letters."

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a turn that forms a word of the other kind."""
        for run in deed.formed:
            if len(run.word) % 2 != self.odd:
                return f"{run.word} has {len(run.word)} letters, and words here have an {self._kind} number."
        return None

    @property
    def _kind(self) -> str:
        return "odd" if self.odd else "even"


class Growing(Bylaw, frozen=True, tag="growing"):
    """Each turn's word is at least as long as that of the turn before; longer, with ``strictly``."""

    strictly: bool = False

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"Each word you lay is {self._how} the one before."

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a word that is too short."""
        if not deed.before.mains:
            return None
        last = deed.before.mains[-1].word
        if len(deed.main.word) >= len(last) + self.strictly:
            return None
        return f"{deed.main.word} is not {self._how} the word before, {last}."

    def standing(self, position: Position) -> str | None:
        """Return how long the next word has to be."""
        if not position.mains:
            return None
        return f"The next word has at least {_letters(len(position.mains[-1].word) + self.strictly)}."

    @property
    def _how(self) -> str:
        return "longer than" if self.strictly else "at least as long as"


class NewInitials(Bylaw, frozen=True, tag="new_initials"):
    """No two words that stand begin with the same letter, crossing ones too."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return "No two words on the map begin with the same letter, crossing words included."

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a turn after which two words begin alike."""
        known: dict[str, str] = {}
        for run in deed.after.words:
            other = known.setdefault(run.word[0], run.word)
            if other is not run.word:
                return f"{other} and {run.word} both begin with {run.word[0]}."
        return None

    def standing(self, position: Position) -> str | None:
        """Return which letters begin a word already."""
        taken = sorted({run.word[0] for run in position.words})
        return f"Words begin with {', '.join(taken)} already." if taken else None


class Chain(Bylaw, frozen=True, tag="chain"):
    """Each turn's word begins with the last letter of the word of the turn before."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return "Each word you lay begins with the last letter of the one before."

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a word with another first letter."""
        if not deed.before.mains:
            return None
        last = deed.before.mains[-1].word
        if deed.main.word[0] == last[-1]:
            return None
        return f"After {last} comes a word that begins with {last[-1]}."

    def standing(self, position: Position) -> str | None:
        """Return with what the next word begins."""
        return f"The next word begins with {position.mains[-1].word[-1]}." if position.mains else None


class Alphabetical(Bylaw, frozen=True, tag="alphabetical"):
    """Each turn's word comes after that of the turn before in the dictionary."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return "Each word you lay comes later in the alphabet than the one before."

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a word that comes earlier."""
        if not deed.before.mains or deed.main.word > deed.before.mains[-1].word:
            return None
        return f"{deed.main.word} does not come after {deed.before.mains[-1].word} in the alphabet."

    def standing(self, position: Position) -> str | None:
        """Return after which word the next one comes."""
        if not position.mains:
            return None
        return f"The next word comes after {position.mains[-1].word} in the alphabet."


class OneWord(Bylaw, frozen=True, tag="one_word"):
    """A turn forms one word and no other: nothing crosses or touches sideways."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return "A turn forms one word only; its new letters touch nothing sideways."

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a turn that forms a second word."""
        if len(deed.formed) < 2:
            return None
        return f"A turn forms one word here, and this one forms {deed.formed[1].word} as well."


class TakingTurns(Bylaw, frozen=True, tag="taking_turns"):
    """Words are laid across and down by turns."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return "Words are laid across and down by turns."

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a second word in one direction."""
        if not deed.before.mains or deed.before.mains[-1].across != deed.main.across:
            return None
        return f"The last word went {_way(deed.main.across)}, so this one goes {_way(not deed.main.across)}."

    def standing(self, position: Position) -> str | None:
        """Return which way the next word goes."""
        return f"The next word goes {_way(not position.mains[-1].across)}." if position.mains else None


# The ground


class Collapsing(Bylaw, frozen=True, tag="collapsing"):
    """The squares of a mark can be filled up to turn ``last`` and no later."""

    mark: str
    last: int

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"Squares marked {self.mark} fall in after turn {self.last}; nothing can be placed there then."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the map has the mark, and a turn is left once it has fallen in."""
        return _no_mark(self.mark, ground) or _out_of_range("last", self.last, 1, turns - 1)

    def refusal(self, deed: Deed) -> str | None:
        """Refuse a letter on a square that has fallen in."""
        late = _on(self.mark, deed) if deed.after.turns > self.last else ()
        return f"{square_name(late[0])} fell in after turn {self.last}." if late else None


class Lit(Bylaw, frozen=True, tag="lit"):
    """Every square of a mark is filled before anybody leaves."""

    mark: str

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"Before you leave, every square marked {self.mark} holds a letter."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the map has the mark."""
        return _no_mark(self.mark, ground)

    def shut(self, position: Position) -> str | None:
        """Return which square is empty."""
        empty = [square for square in position.ground.marks[self.mark] if square not in position.letters]
        return f"{square_name(empty[0])} has to hold a letter" if empty else None


# How the dungeon ends


class AllMonsters(Bylaw, frozen=True, tag="all_monsters"):
    """Every monster is dead before anybody leaves."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return "Every monster has to be dead before you leave."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether there are monsters."""
        return None if ground.monsters else "there is no monster"

    def shut(self, position: Position) -> str | None:
        """Return which monster lives."""
        dead = position.dead
        alive = [
            monster.name for number, monster in enumerate(position.ground.monsters) if number not in dead
        ]
        return f"the {alive[0]} has to be dead" if alive else None


class AllDoors(Bylaw, frozen=True, tag="all_doors"):
    """Every door stands open before anybody leaves."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return "Every door has to stand open before you leave."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether there are doors, and keys for all."""
        if not ground.doors:
            return "there is no door"
        return None if len(ground.keys) >= len(ground.doors) else "there are more doors than keys"

    def shut(self, position: Position) -> str | None:
        """Return which door is closed."""
        closed = [square for square in position.ground.doors if square not in position.laid]
        return f"the door at {square_name(closed[0])} has to stand open" if closed else None


class AllChests(Bylaw, frozen=True, tag="all_chests"):
    """Every chest is collected before anybody leaves."""

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return "Every chest has to be collected before you leave."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether there are chests."""
        return None if ground.chests else "there is no chest"

    def shut(self, position: Position) -> str | None:
        """Return which chest is left."""
        left = [square for square in position.ground.chests if square not in position.chests]
        return f"the chest at {square_name(left[0])} has to be collected" if left else None


class Gems(Bylaw, frozen=True, tag="gems"):
    """A number of gems is collected on leaving, each with a letter of its own."""

    least: int

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"You leave with at least {self.least} gems, each with a letter of its own."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether there are as many."""
        if not ground.gems:
            return "there is no gem"
        return _out_of_range("least", self.least, 1, len(ground.gems))

    def shut(self, position: Position) -> str | None:
        """Return how many are lacking."""
        lacking = self.least - len(position.gems)
        if lacking <= 0:
            return None
        return f"{lacking} more {'gem needs a letter' if lacking == 1 else 'gems need letters'} that no other gem has"


class NotBefore(Bylaw, frozen=True, tag="not_before"):
    """Nobody leaves before turn ``turn``."""

    turn: int

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"The exit opens in turn {self.turn}."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether there is such a turn."""
        return _out_of_range("turn", self.turn, 2, turns)

    def shut(self, position: Position) -> str | None:
        """Return when the exit opens."""
        return f"it opens in turn {self.turn}" if position.turns < self.turn else None


# More points


class LongWords(Bylaw, frozen=True, tag="long_words"):
    """Each word that stands and has ``least`` letters or more is worth points."""

    least: int
    worth: int

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"Each word of {self.least} letters or more that stands at the exit is worth {_points(self.worth)}."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether such words have room."""
        return _out_of_range("least", self.least, 2, ground.longest) or _worthless(self.worth)

    def points(self, position: Position) -> int:
        """Return the points of the long words."""
        return self.worth * sum(len(run.word) >= self.least for run in position.words)


class RareLetters(Bylaw, frozen=True, tag="rare_letters"):
    """Each different one of some letters that was placed is worth points, once."""

    letters: str
    worth: int

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        return f"Each of {_listed(self.letters)} that you place is worth {_points(self.worth)}, once."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether these are letters."""
        return _not_letters(self.letters) or _worthless(self.worth)

    def points(self, position: Position) -> int:
        """Return the points of the letters placed."""
        placed = {position.letters[square] for square in position.laid}
        return self.worth * len(placed & set(self.letters))


class Paved(Bylaw, frozen=True, tag="paved"):
    """Each square of a mark that holds a letter is worth points, which may be less than none."""

    mark: str
    worth: int

    def told(self) -> str:
        """Return the rule as a sentence for players."""
        if self.worth < 0:
            return f"Each letter on a square marked {self.mark} costs {_points(-self.worth)}."
        return f"Each letter on a square marked {self.mark} is worth {_points(self.worth)}."

    def misfit(self, ground: Ground, turns: int) -> str | None:
        """Return whether the map has the mark."""
        return _no_mark(self.mark, ground) or _worthless(abs(self.worth))

    def points(self, position: Position) -> int:
        """Return the points of the squares that hold letters."""
        return self.worth * sum(square in position.letters for square in position.ground.marks[self.mark])


Rule = (
    FirstWord
    | FirstLength
    | BarredLetters
    | LetterLimit
    | BarredOn
    | OnlyOn
    | NewLetters
    | WordLength
    | EvenLengths
    | Growing
    | NewInitials
    | Chain
    | Alphabetical
    | OneWord
    | TakingTurns
    | Collapsing
    | Lit
    | AllMonsters
    | AllDoors
    | AllChests
    | Gems
    | NotBefore
    | LongWords
    | RareLetters
    | Paved
)

RULES: dict[str, type[Bylaw]] = {str(rule.__struct_config__.tag): rule for rule in get_args(Rule)}


def _on(mark: str, deed: Deed) -> tuple[Square, ...]:
    """Return the new squares of a turn that have the mark."""
    marked = deed.after.ground.marks[mark]
    return tuple(square for square in deed.new if square in marked)


def _no_mark(mark: str, ground: Ground) -> str | None:
    return None if mark in ground.marks else f"the map has no square marked {mark!r}"


def _not_letters(text: str, least: int = 1) -> str | None:
    if len(text) >= least and set(text) <= set(ascii_uppercase):
        return None
    return f"{text!r} is not made of the letters A to Z" if text else "letters are lacking"


def _out_of_range(name: str, number: int, low: int, high: int) -> str | None:
    return None if low <= number <= high else f"`{name}` is {number}, and may be {low} to {high}"


def _bad_span(least: int, most: int) -> str | None:
    return None if 1 <= least <= most else f"no number is at least {least} and at most {most}"


def _worthless(worth: int) -> str | None:
    if worth <= 0:
        return f"{worth} points are none"
    return None if worth <= MOST_POINTS else f"{worth} points are more than {MOST_POINTS}"


def _span(least: int, most: int, fewest: int = 1) -> str:
    """Return numbers of letters in words; ``fewest`` is what there always are."""
    if least == most:
        return f"exactly {_letters(least)}"
    if most == UNLIMITED:
        return f"at least {_letters(least)}"
    return f"at most {_letters(most)}" if least <= fewest else f"{least} to {_letters(most)}"


def _letters(count: int) -> str:
    return "1 letter" if count == 1 else f"{count} letters"


def _listed(letters: str, last: str = "and") -> str:
    return letters if len(letters) == 1 else f"{', '.join(letters[:-1])} {last} {letters[-1]}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def _way(across: bool) -> str:
    return "across" if across else "down"
