"""Word families: whether two words are one, a number pair, or related, and why.

Rulings (for every game):

- *Same word*: case, accents and spelling variants folded; COLOR is COLOUR, GREYED is GRAYED.
- *Number pair*: one can be the plural of the other; what else the plural may be does not matter.
- *Related*: same lemma, derivation, or a compound that begins or ends with the other word. Derivation is transitive
  (HAPPY, UNHAPPILY), compounds are not: HOME relates to HOMESTEAD and HOMEWORK, which do not relate to each other.
  A compound's part counts in any form and spelling (SPORT, SPORTSMAN), not in its derivations (HOMELY, HOMESTEAD).

What the table knows was found when it was built (``bot.words.kinship``). Words that the lexicon lacks are judged by
regular inflection, and by compounds of two well-known words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bot.words.inflection import PLURAL, VERB, inflections
from bot.words.kinship import Source, Ties, ties
from bot.words.vocabulary import COMMON, Vocabulary

_FIRST, _LAST = 1, 2  # which part of a compound counts; bits


class Relation:
    """Many values by key, both word numbers or small integers, sorted by key; ``of(key)`` lists the rows."""

    def __init__(self, keys: npt.NDArray[Any], *columns: npt.NDArray[Any]) -> None:
        self._keys = keys
        self._columns = columns

    def of(self, key: int) -> Iterator[tuple[int, ...]]:
        """Yield the values of each row of ``key``."""
        # Bounds of the keys' own type: for others numpy would convert all the keys at every look.
        start, end = self._keys.searchsorted(np.array([key, key + 1], self._keys.dtype))
        for row in range(start, end):
            yield tuple(int(column[row]) for column in self._columns)

    def reversed(self) -> Relation:
        """Return the first column to the keys."""
        order = np.argsort(self._columns[0], kind="stable")
        return Relation(self._columns[0][order], self._keys[order])


class _Kin(NamedTuple):
    """What the table holds of one word: its number or -1; its lemmas; it and they in the spelling that stands for all;
    the families it and they are of.
    """

    number: int
    lemmas: tuple[str, ...]
    standards: frozenset[str]
    roots: frozenset[int]


class Families:
    """The table over one vocabulary; words are A-Z, upper case.

    A question costs some 50 µs, or 300 µs for words that were not asked for lately.
    """

    def __init__(self, words: Vocabulary, table: dict[str, npt.NDArray[Any]]) -> None:
        self._words = words
        self._forms = Relation(table["form"], table["lemma"], table["kind"])
        self._root = table["root"]
        self._spelling = Relation(table["spelled"], table["standard"])
        self._spelled = self._spelling.reversed()
        self._compounds = Relation(table["compound"], table["cut"], table["parts"])
        self._kin = lru_cache(maxsize=4096)(self._look_up)

    @classmethod
    def read(cls, words: Vocabulary, path: Path) -> Families:
        """Read the table that ``write`` wrote for the same vocabulary."""
        with np.load(path, allow_pickle=False) as stored:
            table = {name: stored[name] for name in stored.files}
        for name in ("form", "spelled", "compound", "root"):
            table[name] = np.cumsum(table[name], dtype=np.int64).astype(np.int32)
        return cls(words, table)

    @classmethod
    def among(cls, words: Vocabulary) -> Families:
        """Find the families of a small vocabulary by regular rules alone."""
        every = frozenset(words)
        common = {word for word, tier in zip(words, words.tiers, strict=True) if tier == COMMON}
        return cls(words, table(words, ties(Source(every, common))))

    def lemmas(self, word: str) -> list[str]:
        """Return the words of which ``word`` is an inflected form, most likely first (CADS: CAD; SAW: SEE)."""
        return list(self._kin(word).lemmas)

    def spellings(self, word: str) -> list[str]:
        """Return the other spellings of ``word``."""
        standard = self._standard(self._kin(word).number)
        numbers = [standard, *(number for (number,) in self._spelled.of(standard))] if standard >= 0 else []
        others = dict.fromkeys(self._words[number] for number in numbers)
        others.pop(word, None)
        return list(others)

    def same(self, first: str, second: str) -> bool:
        """Whether the two are one word."""
        if first == second:
            return True
        standard = self._standard(self._kin(first).number)
        return standard >= 0 and standard == self._standard(self._kin(second).number)

    def number_pair(self, first: str, second: str) -> bool:
        """Whether one can be the plural of the other, in any spelling."""
        return self._is_plural(first, second) or self._is_plural(second, first)

    def related(self, first: str, second: str) -> bool:
        """Whether the two are of one family (symmetric; every word is related to itself)."""
        return self.why(first, second) is not None

    def why(self, first: str, second: str) -> str | None:
        """Return what relates the two, in a few words, or None when nothing does."""
        if first == second:
            return "the same word"
        if self.same(first, second):
            return "the same word, spelled differently"
        one, two = self._kin(first), self._kin(second)
        if shared := one.standards & two.standards:
            return f"inflection: forms of {min(shared, key=lambda word: (len(word), word))}"
        if family := one.roots & two.roots:
            return f"derivation: of the family of {self._words[min(family)]}"
        for form, lemma in ((first, second), (second, first)):
            if self._kin(form).number < 0 and any(found == form for found, _ in inflections(lemma)):
                return f"inflection: forms of {lemma}"
        return self._part_of(first, second) or self._part_of(second, first)

    def _standard(self, number: int) -> int:
        """Return the number of the spelling that stands for all spellings of a word; -1 for -1."""
        for (standard,) in self._spelling.of(number):
            return standard
        return number

    def _look_up(self, word: str) -> _Kin:
        number = self._words.number(word)
        if number >= 0:
            rows = sorted(self._forms.of(number), key=lambda row: (-row[1].bit_count(), row[0]))
            lemmas = {self._words[lemma]: lemma for lemma, _ in rows}
        else:
            lemmas = {lemma: self._words.number(lemma) for lemma in _regular_lemmas(word, self._words)}
        known = [found for found in (number, *lemmas.values()) if found >= 0]
        standards = {self._words[self._standard(found)] for found in known}
        return _Kin(
            number,
            tuple(lemmas),
            frozenset(standards if number >= 0 else {word, *standards}),
            frozenset(int(self._root[found]) for found in known),
        )

    def _is_plural(self, plural: str, singular: str) -> bool:
        number = self._kin(plural).number
        singulars = {singular, *self.spellings(singular)}
        if number < 0 or self._kin(singular).number < 0:
            return any(form == plural and kind & PLURAL for form, kind in inflections(singular))
        rows = self._forms.of(number)
        return any(kind & PLURAL and self._words[lemma] in singulars for lemma, kind in rows)

    def _part_of(self, part: str, whole: str) -> str | None:
        """Return why ``whole`` is a compound of ``part``, or None."""
        wanted = self._kin(part).standards
        for compound in dict.fromkeys((whole, *self._kin(whole).lemmas)):
            for cut, parts in self._splits(compound):
                for bit, piece, verb in (
                    (_FIRST, compound[:cut], "begins"),
                    (_LAST, compound[cut:], "ends"),
                ):
                    if parts & bit and wanted & self._kin(piece).standards:
                        return f"compound: {compound} {verb} with {piece}"
        return None

    def _splits(self, word: str) -> Iterable[tuple[int, ...]]:
        number = self._kin(word).number
        if number >= 0:
            return self._compounds.of(number)
        cuts = range(3, len(word) - 2) if len(word) >= 7 else ()
        return [(cut, 3) for cut in cuts if self._known(word[:cut]) and self._known(word[cut:])]

    def _known(self, word: str) -> bool:
        number = self._words.number(word)
        return number >= 0 and bool(self._words.tiers[number] == COMMON)


def _regular_lemmas(word: str, words: Vocabulary) -> Iterator[str]:
    """Yield the words of which a stranger to the lexicon can be a regular form."""
    for cut in range(max(3, len(word) - 4), len(word)):
        for lemma in (word[:cut], f"{word[:cut]}E", f"{word[:cut]}Y"):
            if lemma in words and any(
                form == word and kind & (PLURAL | VERB) for form, kind in inflections(lemma)
            ):
                yield lemma


def table(words: Vocabulary, found: Ties) -> dict[str, npt.NDArray[Any]]:
    """Return ``found`` as columns of word numbers."""
    numbers = {word: number for number, word in enumerate(words)}
    root = np.arange(len(words), dtype=np.int32)
    for word, other in found.roots.items():
        root[numbers[word]] = numbers[other]
    forms = sorted(
        (numbers[form], numbers[lemma], kind)
        for form, lemmas in found.forms.items()
        for lemma, kind in lemmas.items()
    )
    spelled = sorted(
        (numbers[word], numbers[other]) for word, other in found.spellings.items() if word != other
    )
    compounds = sorted(
        (numbers[word], cut, parts)
        for word, splits in found.compounds.items()
        for cut, parts in splits.items()
    )
    columns: dict[str, npt.NDArray[Any]] = {"root": root}
    for names, rows in (
        (("form", "lemma", "kind"), forms),
        (("spelled", "standard"), spelled),
        (("compound", "cut", "parts"), compounds),
    ):
        values = np.array(rows, np.int32).reshape(len(rows), len(names))
        columns.update({name: np.ascontiguousarray(values[:, at]) for at, name in enumerate(names)})
    return columns


def write(path: Path, columns: dict[str, npt.NDArray[Any]]) -> None:
    """Write columns to ``path``. Keys and roots are stored as differences, which packs them to half."""
    stored = dict(columns)
    for name in ("form", "spelled", "compound", "root"):
        stored[name] = np.diff(columns[name], prepend=np.int32(0))
    for name in ("kind", "cut", "parts"):
        stored[name] = columns[name].astype(np.uint8)
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **stored)
