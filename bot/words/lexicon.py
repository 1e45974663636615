"""What is a word: the one lexicon that every game, automaton and command asks.

Two tiers: *full* is what a referee accepts, *common* what an automaton of low skill plays, what a hint prefers and
what generated content uses. Words that offend are in *full*, never in *common*; ``offends`` tells them apart.

Membership is a DAWG of 1.2 MB that loads in a millisecond; numbered words, families and search columns are read
when first asked for, definitions never stay in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from pathlib import Path
from string import ascii_uppercase
from typing import Protocol, cast

import dawg
import numpy as np

from bot.words import folding
from bot.words.families import Families
from bot.words.glosses import Glosses
from bot.words.search import Search
from bot.words.vocabulary import COMMON, FULL, MILD, Vocabulary

DATA = Path(__file__).parent / "data"
_ANY_LETTER = dawg.DAWG.compile_replaces({"?": list(ascii_uppercase)})


class Asked(Protocol):
    """A yes-or-no question about one word."""

    def __call__(self, word: str) -> bool:
        """Return the answer."""
        ...


class Lexicon:
    """Words by tier, their families, their definitions, and the search among them.

    ``legal(word)`` says whether ``word`` (A-Z, upper case; see ``fold``) is in the full tier, ``common(word)``
    whether it is in the common one. Both are the DAWG's own C methods, without a Python frame in between, because
    a look-up in a loop is most of what a search and a referee do.
    """

    legal: Asked
    common: Asked

    def __init__(
        self,
        full: dawg.CompletionDAWG,
        common: dawg.CompletionDAWG,
        words: Callable[[], Vocabulary],
        families: Callable[[Vocabulary], Families],
        glosses: Glosses,
    ) -> None:
        self.legal = cast(Asked, full.__contains__)
        self.common = cast(Asked, common.__contains__)
        self._full = full
        self._words = words
        self._families = families
        self._glosses = glosses

    @staticmethod
    def load() -> Lexicon:
        """Return the lexicon that is built into this release; every call returns the same one."""
        return _built_in()

    @classmethod
    def read(cls, folder: Path = DATA) -> Lexicon:
        """Read the lexicon in ``folder`` afresh; raises FileNotFoundError when it is not there."""
        if not (folder / "full.dawg").is_file():
            raise FileNotFoundError(f"no lexicon in {folder}; python -m bot.words.build makes one")
        full, common = dawg.CompletionDAWG(), dawg.CompletionDAWG()
        full.load(str(folder / "full.dawg"))
        common.load(str(folder / "common.dawg"))
        return cls(
            full,
            common,
            lambda: Vocabulary.read(folder / "words.txt.gz"),
            lambda words: Families.read(words, folder / "families.npz"),
            Glosses(folder / "glosses.zip"),
        )

    @classmethod
    def of(
        cls, words: Iterable[str], common: Iterable[str] | None = None, offending: Iterable[str] = ()
    ) -> Lexicon:
        """Return a small lexicon of ``words`` (A-Z, upper case).

        ``common`` are those of the common tier (all by default), less the ``offending``. Families then come from
        regular rules among these words alone, and nothing has a definition.
        """
        full = frozenset(words)
        barred = frozenset(offending)
        known = (full if common is None else frozenset(common) & full) - barred
        vocabulary = Vocabulary.of(
            full, lambda word: COMMON if word in known else FULL if word in barred else MILD
        )
        return cls(
            dawg.CompletionDAWG(sorted(full)),
            dawg.CompletionDAWG(sorted(known)),
            lambda: vocabulary,
            Families.among,
            Glosses(None),
        )

    @cached_property
    def words(self) -> Vocabulary:
        """Every word of the full tier, numbered: shorter ones first, then by the alphabet."""
        return self._words()

    @cached_property
    def families(self) -> Families:
        """The word-family table."""
        return self._families(self.words)

    @cached_property
    def search(self) -> Search:
        """The search among these words; the first use builds its columns (0.2 s for the built-in lexicon)."""
        return Search(self.words, self.legal, self.common)

    def matching(self, pattern: str) -> list[str]:
        """Return the words of the full tier that ``pattern`` fits, in alphabetical order.

        ``pattern`` is of A-Z and ``?``, which is any one letter: ``C?D?``. The DAWG is followed letter by letter, so
        this takes microseconds for a few gaps among letters and 10 ms for four gaps alone, and loads nothing.
        """
        found: list[str] = self._full.similar_keys(pattern, _ANY_LETTER)
        return found

    def offends(self, word: str) -> bool:
        """Whether ``word`` is legal, but not to be said by an automaton, a hint or a card of ours."""
        number = self.words.number(word)
        return number >= 0 and bool(self.words.tiers[number] == FULL)

    def offending(self) -> frozenset[str]:
        """Return the words that ``offends`` is true of; takes a second when the words are not loaded yet."""
        words = self.words
        return frozenset(words[number] for number in np.flatnonzero(words.tiers == FULL).tolist())

    def same(self, first: str, second: str) -> bool:
        """Whether two words are one, spelled alike or by the habits of two countries (COLOR, COLOUR)."""
        return self.families.same(first, second)

    def number_pair(self, first: str, second: str) -> bool:
        """Whether one of two words can be the plural of the other."""
        return self.families.number_pair(first, second)

    def related(self, first: str, second: str) -> bool:
        """Whether two words are of one family: same lemma, derivation, or a compound and its part. Symmetric."""
        return self.families.related(first, second)

    def gloss(self, word: str) -> str | None:
        """Return what ``word`` means, or None: its own definitions, else its lemma's, else another spelling's."""
        for lemma in (word, *self.families.lemmas(word), *self.families.spellings(word)):
            found = self._glosses.gloss(lemma)
            if found is not None:
                return found
        return None

    @staticmethod
    def fold(text: str) -> str:
        """Return ``text`` as a word (upper case, accents folded), or "" when it has more than letters."""
        return folding.fold(text)


@lru_cache(maxsize=1)
def _built_in() -> Lexicon:
    return Lexicon.read()
