"""The regular inflections of English: from a lemma to the forms it can have.

What is generated here is only possible; whoever asks checks each form against a lexicon (``FIXING`` is a word,
``FIXXING`` is not) and the lemma against its parts of speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

# What a form is to its lemma; bits, for KNIVES is a plural and LIVES two things at once.
PLURAL: Final = 1
VERB: Final = 2
DEGREE: Final = 4

_VOWELS = "AEIOU"
_HISS = ("S", "X", "Z", "SH", "CH")
_ENDS_TO_DOUBLE = re.compile("(?:[^AEIOU]|^|QU)[AEIOUY][^AEIOUWXY]$|[AEIOU][AEIOU]L$").search
_VOWEL_RUNS = re.compile("[AEIOUY]+").findall


def inflections(lemma: str) -> Iterator[tuple[str, int]]:
    """Yield possible regular forms of ``lemma`` (A-Z, two letters or more), each with what it is."""
    for form in _with_s(lemma):
        yield form, PLURAL | VERB
    for form in _irregular_plurals(lemma):
        yield form, PLURAL
    for stem in _stems(lemma):
        yield f"{stem}ED", VERB
        yield f"{stem}ER", DEGREE
        yield f"{stem}EST", DEGREE
    for form in _with_ing(lemma):
        yield form, VERB


def plurals(lemma: str) -> set[str]:
    """Return the possible regular plurals of ``lemma``."""
    return {form for form, kind in inflections(lemma) if kind & PLURAL}


def _consonant_y(lemma: str) -> bool:
    return lemma.endswith("Y") and (lemma[-2:-1] not in _VOWELS or lemma.endswith("QUY"))


def _with_s(lemma: str) -> Iterator[str]:
    if lemma.endswith(_HISS):
        yield f"{lemma}ES"
        if lemma.endswith(("S", "Z")) and not lemma.endswith(("SS", "ZZ")):
            yield f"{lemma}{lemma[-1]}ES"
        if lemma.endswith("CH"):
            yield f"{lemma}S"
    elif _consonant_y(lemma):
        yield f"{lemma[:-1]}IES"
    else:
        yield f"{lemma}S"
        if lemma.endswith("O"):
            yield f"{lemma}ES"


def _irregular_plurals(lemma: str) -> Iterator[str]:
    if lemma.endswith("F"):
        yield f"{lemma[:-1]}VES"
    elif lemma.endswith("FE"):
        yield f"{lemma[:-2]}VES"
    elif lemma.endswith("MAN"):
        yield f"{lemma[:-3]}MEN"


def _doubles(lemma: str) -> bool:
    """Whether ``lemma`` ends in one vowel and one consonant that a suffix can double (HOP, VISIT; L also in DUEL)."""
    return _ENDS_TO_DOUBLE(lemma) is not None


def _one_syllable(lemma: str) -> bool:
    return len(_VOWEL_RUNS(lemma.replace("QU", "Q"))) == 1


def _stems(lemma: str) -> Iterator[str]:
    """Yield what ED, ER and EST are put to."""
    if lemma.endswith("E"):
        yield lemma[:-1]
        return
    if _consonant_y(lemma):
        yield f"{lemma[:-1]}I"
        return
    if _doubles(lemma):
        yield lemma + lemma[-1]
        if _one_syllable(lemma) and lemma[-2:-1] in _VOWELS and lemma[-3:-2] not in _VOWELS:
            return
    if lemma.endswith("C"):
        yield f"{lemma}K"
    yield lemma


def _with_ing(lemma: str) -> Iterator[str]:
    if lemma.endswith("IE"):
        yield f"{lemma[:-2]}YING"
    elif lemma.endswith("E"):
        yield f"{lemma}ING"
        if not lemma.endswith(("EE", "OE", "YE")):
            yield f"{lemma[:-1]}ING"
    elif _consonant_y(lemma):
        yield f"{lemma}ING"
    else:
        for stem in _stems(lemma):
            yield f"{stem}ING"
