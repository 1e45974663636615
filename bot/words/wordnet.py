"""Reading WordNet's database (Debian's ``wordnet-base``). Needed to build the data, never to run.

Format: the manual page wndb(5WN). A *lemma* here is one word without blanks or hyphens, in A-Z upper case; names
(written with a capital in their synset) are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.words.folding import fold

PLACE = Path("/usr/share/wordnet")
_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
NAMES = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
# Pointers between two words of one derivation: derivationally related, pertains to / derived from, participle of.
_DERIVED = {"+", "\\", "<"}


@dataclass(slots=True)
class Sense:
    """One meaning: its lemmas (names left out), its definition without examples, its hypernyms' keys."""

    part: str
    lemmas: tuple[str, ...]
    gloss: str
    above: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class WordNet:
    """``senses`` of a lemma stand most frequent first, parts of speech most frequent first.

    ``derived`` and ``opposed`` hold unordered pairs of lemmas as sorted tuples; ``irregular`` maps a part of speech
    to {form: lemmas}.
    """

    senses: dict[str, list[Sense]] = field(default_factory=dict)
    synsets: dict[tuple[str, int], Sense] = field(default_factory=dict)
    derived: set[tuple[str, str]] = field(default_factory=set)
    opposed: set[tuple[str, str]] = field(default_factory=set)
    irregular: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)

    def parts(self, lemma: str) -> set[str]:
        """Return the parts of speech (n, v, a, r) of ``lemma``."""
        return {sense.part for sense in self.senses.get(lemma, ())}


def read(place: Path = PLACE) -> WordNet:
    """Return the database; raises FileNotFoundError when the package is not installed."""
    net = WordNet()
    pointers: list[tuple[str, str, tuple[str, int], int]] = []
    spelled: dict[tuple[str, int], list[str]] = {}
    for part, name in _FILES.items():
        for line in _lines(place / f"data.{name}"):
            _read_synset(line, part, net, spelled, pointers)
    for symbol, source, synset, number in pointers:
        targets = spelled.get(synset, [])
        target = targets[number - 1] if number <= len(targets) else ""
        if target and target != source:
            low, high = sorted((source, target))
            (net.opposed if symbol == "!" else net.derived).add((low, high))
    _read_indexes(place, net)
    for part, name in _FILES.items():
        table: dict[str, list[str]] = defaultdict(list)
        for line in (place / f"{name}.exc").read_text("ascii").splitlines():
            form, *lemmas = (fold(word) for word in line.split())
            table[form].extend(lemma for lemma in lemmas if form and lemma and lemma != form)
        net.irregular[part] = {form: tuple(lemmas) for form, lemmas in table.items() if lemmas}
    return net


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="ascii", errors="replace") as lines:
        yield from (line for line in lines if not line.startswith("  "))


def _read_synset(
    line: str,
    part: str,
    net: WordNet,
    spelled: dict[tuple[str, int], list[str]],
    pointers: list[tuple[str, str, tuple[str, int], int]],
) -> None:
    head, _, gloss = line.partition(" | ")
    fields = head.split()
    key = (part, int(fields[0]))
    count = int(fields[3], 16)
    names = [re.sub(r"\((?:a|p|ip)\)$", "", name) for name in fields[4 : 4 + 2 * count : 2]]
    words = [fold(name) if name.islower() else "" for name in names]
    above: list[tuple[str, int]] = []
    at = 4 + 2 * count
    for start in range(at + 1, at + 1 + 4 * int(fields[at]), 4):
        symbol, offset, to, ends = fields[start : start + 4]
        synset = ("a" if to == "s" else to, int(offset))
        if symbol in {"@", "@i"}:
            above.append(synset)
        elif (symbol in _DERIVED or symbol == "!") and ends != "0000":
            source = words[int(ends[:2], 16) - 1]
            if source:
                pointers.append((symbol, source, synset, int(ends[2:], 16)))
    spelled[key] = words
    lemmas = tuple(dict.fromkeys(word for word in words if word))
    net.synsets[key] = Sense(part, lemmas, _definition(gloss), tuple(above))


def _definition(gloss: str) -> str:
    """Return a gloss without its quoted examples."""
    without = re.sub(r'"[^"]*("|$)', "", gloss.strip())
    pieces = (piece.strip(" -,:") for piece in without.split(";"))
    return "; ".join(piece for piece in pieces if re.search("[A-Za-z]{2}", piece))


def _read_indexes(place: Path, net: WordNet) -> None:
    ranked: dict[str, list[tuple[int, str, list[Sense]]]] = defaultdict(list)
    for part, name in _FILES.items():
        for line in _lines(place / f"index.{name}"):
            fields = line.split()
            lemma = fold(fields[0])
            if not lemma:
                continue
            tagged = int(fields[5 + int(fields[3])])
            offsets = fields[6 + int(fields[3]) :]
            senses = [net.synsets[part, int(offset)] for offset in offsets]
            senses = [sense for sense in senses if lemma in sense.lemmas]
            if senses:
                ranked[lemma].append((-tagged, part, senses))
    order = "nvar"
    for lemma, rows in ranked.items():
        rows.sort(key=lambda row: (row[0], order.index(row[1])))
        net.senses[lemma] = [sense for _, _, senses in rows for sense in senses]
