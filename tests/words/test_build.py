"""Building the data: sources small enough to see through, and the real ones where they are installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.words import build, glosses, kinship, lists, scowl, wordnet
from bot.words.glosses import Glosses
from bot.words.inflection import DEGREE, PLURAL, VERB, inflections
from bot.words.lexicon import DATA

INSTALLED = scowl.PLACE.is_dir() and wordnet.PLACE.is_dir()


@pytest.fixture
def word_lists(tmp_path: Path) -> Path:
    held = {
        "english-words.10": "cad\ncad's\nof\nhome\n",
        "english-words.80": "sauté\ncwm\nOKed\n",
        "english-words.95": "obscureword\n",
        "british-words.35": "colour\n",
        "variant_1-words.40": "gray\n",
        "english-upper.10": "London\n",
        "english-abbreviations.10": "etc\n",
    }
    for name, text in held.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_scowl_gives_words_by_size_without_names_abbreviations_and_the_obscure(word_lists: Path) -> None:
    listed, nouns = scowl.read(word_lists)
    assert listed.keys() == {"CAD", "OF", "HOME", "SAUTE", "CWM", "COLOUR", "GRAY"}
    assert (listed["CAD"].size, listed["CAD"].main, listed["CAD"].regional) == (10, 10, False)
    assert (listed["COLOUR"].main, listed["COLOUR"].regional) == (35, True)
    assert (listed["GRAY"].size, listed["GRAY"].main) == (40, 99)
    assert nouns == {"CAD"}


def test_the_common_tier_has_no_variants_and_short_words_come_from_our_list(word_lists: Path) -> None:
    listed, _ = scowl.read(word_lists)
    words, common = build.tiers(listed)
    assert {"CAD", "SAUTE", "GRAY", "OF", "QI"} <= words
    assert "OBSCUREWORD" not in words
    assert {"CAD", "COLOUR", "HOME", "OF"} <= common
    assert not common & {"SAUTE", "GRAY", "QI"}


def test_missing_sources_are_told_of(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="scowl"):
        scowl.read(tmp_path)
    with pytest.raises(FileNotFoundError):
        wordnet.read(tmp_path)


def test_glosses_are_found_in_their_archive(tmp_path: Path) -> None:
    path = tmp_path / "glosses.zip"
    glosses.write(path, {"CAD": "noun: one who errs", "CAB": "noun: a car", "ZOO": "noun: animals"})
    before = path.read_bytes()
    glosses.write(path, {"ZOO": "noun: animals", "CAB": "noun: a car", "CAD": "noun: one who errs"})
    assert path.read_bytes() == before
    found = Glosses(path)
    assert [found.gloss(word) for word in ("CAD", "CAB", "ZOO")] == [
        "noun: one who errs",
        "noun: a car",
        "noun: animals",
    ]
    assert [found.gloss(word) for word in ("CADS", "XYZZY", "", "A")] == [None] * 4


@pytest.mark.parametrize(
    ("lemma", "forms"),
    [
        ("CAT", {("CATS", PLURAL | VERB)}),
        ("BOX", {("BOXES", PLURAL | VERB)}),
        ("CITY", {("CITIES", PLURAL | VERB)}),
        ("PLAY", {("PLAYS", PLURAL | VERB), ("PLAYED", VERB), ("PLAYING", VERB)}),
        ("HOP", {("HOPPED", VERB), ("HOPPING", VERB)}),
        ("HOPE", {("HOPED", VERB), ("HOPING", VERB)}),
        ("VISIT", {("VISITED", VERB), ("VISITING", VERB)}),
        ("TRAVEL", {("TRAVELED", VERB), ("TRAVELLED", VERB)}),
        ("DUEL", {("DUELED", VERB), ("DUELLED", VERB)}),
        ("DIE", {("DIED", VERB), ("DYING", VERB)}),
        ("AGE", {("AGING", VERB), ("AGEING", VERB)}),
        ("PANIC", {("PANICKED", VERB)}),
        ("BIG", {("BIGGER", DEGREE), ("BIGGEST", DEGREE)}),
        ("HAPPY", {("HAPPIER", DEGREE), ("HAPPIEST", DEGREE)}),
        ("KNIFE", {("KNIVES", PLURAL)}),
        ("LEAF", {("LEAVES", PLURAL)}),
        ("WOMAN", {("WOMEN", PLURAL)}),
        ("QUIZ", {("QUIZZES", PLURAL | VERB)}),
        ("HERO", {("HEROES", PLURAL | VERB), ("HEROS", PLURAL | VERB)}),
        ("STOMACH", {("STOMACHS", PLURAL | VERB)}),
    ],
)
def test_regular_inflections(lemma: str, forms: set[tuple[str, int]]) -> None:
    assert forms <= set(inflections(lemma))


@pytest.mark.parametrize(
    ("lemma", "form"),
    [("HOP", "HOPED"), ("STAR", "STARING"), ("CITY", "CITYS"), ("BOX", "BOXS"), ("PLAY", "PLAIED")],
)
def test_what_is_no_inflection(lemma: str, form: str) -> None:
    assert form not in {found for found, _ in inflections(lemma)}


def test_every_word_that_our_lists_tie_or_part_is_spelled_with_letters() -> None:
    for name in ("apart", "joined", "spelled", "plurals", "compounds"):
        for group in lists.groups(name):
            assert len(group) >= 2, (name, group)
            assert len(set(group)) == len(group), (name, group)
            assert all(word.isascii() and word.isupper() and word.isalpha() for word in group), (name, group)


def test_a_form_has_its_lemmas_without_wordnet_too() -> None:
    words = {"LEAF", "LEAVE", "LEAVES", "CAT", "CATS"}
    found = kinship.ties(kinship.Source(words, words))
    assert found.forms == {
        "CATS": {"CAT": PLURAL | VERB},
        "LEAVES": {"LEAF": PLURAL, "LEAVE": PLURAL | VERB},
    }


@pytest.mark.skipif(not INSTALLED, reason="Debian's scowl and wordnet-base are not installed")
def test_building_gives_the_committed_bytes(tmp_path: Path) -> None:
    build.build(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in DATA.iterdir())
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (DATA / path.name).read_bytes(), path.name
