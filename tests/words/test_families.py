"""Word families: pairs judged by hand, and the laws of the three relations."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.words.families import Families
from bot.words.lexicon import DATA, Lexicon

LEXICON = Lexicon.load()
FAMILIES = LEXICON.families
PAIRS = [
    tuple(line.split())
    for line in (Path(__file__).parent / "pairs.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
WORDS = st.integers(0, len(LEXICON.words) - 1).map(LEXICON.words.__getitem__)


def test_there_are_enough_pairs_of_each_kind() -> None:
    assert len(PAIRS) >= 300
    assert {judged for judged, _, _ in PAIRS} == {"same", "number", "related", "unrelated"}


@pytest.mark.parametrize(("judged", "first", "second"), PAIRS, ids="-".join)
def test_the_table_agrees_with_the_judgement(judged: str, first: str, second: str) -> None:
    assert LEXICON.legal(first)
    assert LEXICON.legal(second)
    for one, two in ((first, second), (second, first)):
        assert LEXICON.same(one, two) is (judged == "same")
        assert LEXICON.related(one, two) is (judged != "unrelated")
        if judged != "same":
            assert LEXICON.number_pair(one, two) is (judged == "number")


@settings(max_examples=300, deadline=None)
@given(first=WORDS, second=WORDS)
def test_the_relations_are_symmetric_and_the_stronger_imply_the_weaker(first: str, second: str) -> None:
    assert FAMILIES.same(first, second) == FAMILIES.same(second, first)
    assert FAMILIES.number_pair(first, second) == FAMILIES.number_pair(second, first)
    assert FAMILIES.related(first, second) == FAMILIES.related(second, first)
    if FAMILIES.same(first, second) or FAMILIES.number_pair(first, second):
        assert FAMILIES.related(first, second)


@settings(max_examples=200, deadline=None)
@given(word=WORDS)
def test_a_word_is_itself_its_lemmas_kin_and_its_spellings_own(word: str) -> None:
    assert FAMILIES.same(word, word)
    assert FAMILIES.related(word, word)
    for lemma in FAMILIES.lemmas(word):
        assert lemma != word
        assert FAMILIES.related(word, lemma)
    for spelling in FAMILIES.spellings(word):
        assert spelling != word
        assert FAMILIES.same(word, spelling)
        assert word in FAMILIES.spellings(spelling)


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("HOME", "HOME", "the same word"),
        ("COLOR", "COLOUR", "the same word, spelled differently"),
        ("CAD", "CADS", "inflection: forms of CAD"),
        ("SAW", "SEEN", "inflection: forms of SEE"),
        ("HAPPY", "UNHAPPILY", "derivation: of the family of HAPPY"),
        ("HOMESTEAD", "HOME", "compound: HOMESTEAD begins with HOME"),
        ("WORK", "HOMEWORK", "compound: HOMEWORK ends with WORK"),
        ("HOMESTEAD", "HOMEWORK", None),
    ],
)
def test_the_table_says_why(first: str, second: str, why: str | None) -> None:
    assert FAMILIES.why(first, second) == why


@pytest.mark.parametrize(
    ("first", "second", "related"),
    [
        ("ZORBLE", "ZORBLE", True),
        ("ZORBLE", "ZORBLES", True),
        ("ZORBLE", "ZORBLY", False),
        ("QUICHED", "QUICHE", True),
        ("PANCAKEHOUSE", "HOUSE", True),
        ("HOUSE", "HOUSEXYZ", False),
    ],
)
def test_strangers_to_the_lexicon_are_judged_by_rules_alone(first: str, second: str, related: bool) -> None:
    assert LEXICON.related(first, second) is related
    assert LEXICON.related(second, first) is related


def test_a_stranger_that_a_table_has_accepted_has_a_plural() -> None:
    assert not LEXICON.legal("ZORBLE")
    assert LEXICON.number_pair("ZORBLE", "ZORBLES")
    assert LEXICON.number_pair("ZORBLES", "ZORBLE")
    assert not LEXICON.number_pair("ZORBLE", "ZORBLED")


def test_a_small_lexicon_has_families_by_regular_rules() -> None:
    words = "CAT CATS CATER HOP HOPPED HOPE HOPED HAPPY HAPPINESS UNHAPPY CITY CITIES"
    small = Lexicon.of(words.split())
    assert small.number_pair("CAT", "CATS")
    assert small.number_pair("CITIES", "CITY")
    assert small.related("HOPPED", "HOP")
    assert small.related("HAPPINESS", "UNHAPPY")
    assert not small.related("HOPED", "HOP")
    assert not small.related("CAT", "CATER")


def test_the_table_fits_the_words_that_it_was_built_for() -> None:
    again = Families.read(LEXICON.words, DATA / "families.npz")
    assert again.lemmas(LEXICON.words[len(LEXICON.words) - 1]) == FAMILIES.lemmas(LEXICON.words[-1])
    assert again.why("ZEBRA", "ZEBRAS") == "inflection: forms of ZEBRA"
