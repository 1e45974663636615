"""The lexicon: what is a word, what everybody knows, what offends, and that the games can ask it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.game import Lexicon as Asked
from bot.games.game import Words
from bot.words import lists
from bot.words.lexicon import DATA, Lexicon
from bot.words.vocabulary import COMMON, FULL, MILD
from tests.words.frozen import frozen

LEXICON = Lexicon.load()


@pytest.mark.parametrize(
    "word",
    "CAD GIFT POEMS HOME GENERATE COLOUR COLOR SAUTE CAFE QI AA OK CWM PLAYED RUNNING HOMESTEAD".split(),  # noqa: SIM905
)
def test_words_that_any_dictionary_has_are_legal(word: str) -> None:
    assert LEXICON.legal(word)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "A",
        "I",
        "X",
        "XYZZY",
        "cad",
        "Cad",
        "LONDON",
        "ETC",
        "NASA",
        "DON'T",
        "CO-OP",
        "SAUTÉ",
        "CAD\0",
        "CA D",
    ],
)
def test_names_abbreviations_single_letters_and_what_is_not_folded_are_not_legal(word: str) -> None:
    assert not LEXICON.legal(word)
    assert not LEXICON.common(word)


def test_the_tiers_lie_within_each_other() -> None:
    words, tiers = LEXICON.words, LEXICON.words.tiers
    assert len(words) > 200_000
    assert 50_000 < (tiers == COMMON).sum() < 80_000
    assert 1_000 < (tiers == FULL).sum() < 3_000
    for number in range(0, len(words), 97):
        word = words[number]
        assert LEXICON.legal(word)
        assert LEXICON.common(word) is bool(tiers[number] == COMMON)
        assert LEXICON.offends(word) is bool(tiers[number] == FULL)
        assert tiers[number] in (FULL, MILD, COMMON)


def test_every_word_is_two_letters_or_more_of_the_alphabet_and_in_order() -> None:
    words = list(LEXICON.words)
    assert all(len(word) > 1 and word.isascii() and word.isalpha() and word.isupper() for word in words)
    assert words == sorted(set(words), key=lambda word: (len(word), word))


def test_words_of_two_letters_are_those_chosen_by_hand() -> None:
    short, common = lists.words("short")
    assert {word for word in LEXICON.words if len(word) == 2} == short
    assert {word for word in short if LEXICON.common(word)} == common


def test_no_word_that_offends_is_common() -> None:
    offends = lists.offends()
    offending = [word for word in LEXICON.words if offends(word)]
    assert offending
    assert not any(LEXICON.common(word) for word in offending)
    assert all(LEXICON.legal(word) and LEXICON.offends(word) for word in offending)


@pytest.mark.parametrize(
    "word", ["FARTHING", "SQUAWK", "INJUNCTION", "CONDOMINIUM", "PARSED", "REHEARSED", "SPIKE"]
)
def test_innocent_words_that_hold_another_are_left_alone(word: str) -> None:
    assert LEXICON.common(word)
    assert not LEXICON.offends(word)


def test_a_word_that_is_none_does_not_offend() -> None:
    assert not LEXICON.offends("XYZZY")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("cad", "CAD"),
        (" Sauté ", "SAUTE"),
        ("smørrebrød", "SMORREBROD"),
        ("œuvre", "OEUVRE"),
        ("naïveté", "NAIVETE"),
        ("façade", "FACADE"),
        ("straße", "STRASSE"),
        ("ﬁsh", "FISH"),
        ("don't", ""),
        ("two words", ""),
        ("c4d", ""),
        ("", ""),
        ("日本", ""),
        ("\ud800", ""),
        ("Ωmega", ""),
    ],
)
def test_folding_takes_case_and_accents_and_refuses_the_rest(text: str, word: str) -> None:
    assert Lexicon.fold(text) == word


@given(st.text(max_size=12))
def test_what_is_folded_can_be_asked_and_folds_to_itself(text: str) -> None:
    word = Lexicon.fold(text)
    assert Lexicon.fold(word) == word
    assert not LEXICON.legal(word) or LEXICON.words.number(word) >= 0


def test_glosses_follow_a_form_to_its_lemma_and_a_spelling_to_another() -> None:
    cad = LEXICON.gloss("CAD")
    assert cad is not None
    assert cad.startswith("noun: ")
    assert LEXICON.gloss("CADS") == cad
    assert LEXICON.gloss("UNKINDLIEST") in (None, LEXICON.gloss("UNKINDLY"))
    seen, see = LEXICON.gloss("SEEN"), LEXICON.gloss("SEE")
    assert seen == see is not None
    assert LEXICON.gloss("XYZZY") is None


def test_a_gloss_is_one_line_without_quotations() -> None:
    for number in range(0, len(LEXICON.words), 499):
        gloss = LEXICON.gloss(LEXICON.words[number])
        if gloss is not None:
            assert gloss.split(":")[0] in {"noun", "verb", "adjective", "adverb"}
            assert "\n" not in gloss
            assert gloss == gloss.strip()


def test_the_lexicon_answers_what_the_games_ask() -> None:
    asked: Asked = LEXICON  # what mypy checks of the product, and what the rules do with it
    words = Words(asked)
    assert words.legal("CAD")
    assert not words.legal("XYZZY")
    assert words.related("HOMES", "HOME")
    assert words.asked == {"CAD": True, "XYZZY": False, "HOME~HOMES": True}


def test_one_lexicon_is_shared_and_another_can_be_read() -> None:
    assert Lexicon.load() is LEXICON
    again = Lexicon.read()
    assert again is not LEXICON
    assert again.legal("CAD")


def test_a_folder_without_data_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="no lexicon"):
        Lexicon.read(DATA / "nowhere")


def test_a_small_lexicon_knows_what_it_was_given() -> None:
    small = Lexicon.of(["CAD", "CADS", "FOO"], ["CAD", "FOO", "BAR"], ["FOO"])
    assert list(small.words) == ["CAD", "FOO", "CADS"]
    assert [word for word in ("CAD", "CADS", "FOO", "BAR") if small.legal(word)] == ["CAD", "CADS", "FOO"]
    assert [word for word in ("CAD", "CADS", "FOO", "BAR") if small.common(word)] == ["CAD"]
    assert small.offends("FOO")
    assert small.gloss("CAD") is None
    assert all(map(Lexicon.of(["CAD"]).common, ["CAD"]))


def test_an_empty_lexicon_has_no_words() -> None:
    empty = Lexicon.of([])
    assert len(empty.words) == 0
    assert not empty.legal("")
    assert not empty.related("CAD", "CADGE")


def test_the_frozen_lexicon_is_of_the_size_and_kinds_that_tests_count_on() -> None:
    small = frozen()
    words = list(small.words)
    common = [word for word in words if small.common(word)]
    assert 1_900 <= len(words) <= 2_200
    assert len(words) - len(common) >= 290
    assert {len(word) for word in words} >= set(range(2, 10))
    examples: Callable[[str], bool] = small.legal
    assert all(
        map(examples, ["CAD", "GIFT", "POEMS", "GENERATE", "HOME", "HOMESTEAD", "PLAY", "PLAYS", "TRAP"])
    )
    assert not any(LEXICON.offends(word) for word in words)
    assert small.number_pair("LESSON", "LESSONS")
    assert small.search.from_letters("DAC").numbers.size


def test_the_notices_that_the_sources_ask_for_go_with_the_data() -> None:
    notices = (DATA / "NOTICES").read_text("utf-8")
    for phrase in (
        "Kevin Atkinson",
        "Princeton University",
        "J Ross Beresford",
        "Geoff Kuenning",
        "WordNet 3.0",
    ):
        assert phrase in notices


def test_the_data_is_modest() -> None:
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 8_000_000


# Patterns


@pytest.mark.parametrize(
    "pattern", ["C?D?", "??", "?", "QU??", "????S", "CAD", "XYZZ?", "", "ANTI?????????E"]
)
def test_a_pattern_fits_every_word_that_reads_as_it_does(pattern: str) -> None:
    fits = re.compile(pattern.replace("?", "[A-Z]")).fullmatch
    assert LEXICON.matching(pattern) == sorted(filter(fits, LEXICON.words))


def test_a_small_lexicon_is_asked_for_patterns_too() -> None:
    assert Lexicon.of(["CAD", "COD", "CODE"]).matching("C?D") == ["CAD", "COD"]


def test_a_pattern_is_recorded_with_the_words_it_fits() -> None:
    words = Words(Lexicon.of(["CAD", "COD", "CODE"]))
    assert words.matching("C?D") == ("CAD", "COD")
    assert words.asked == {"C?D": True, "CAD": True, "COD": True}


def test_a_word_for_a_pattern_is_a_question_about_that_word() -> None:
    words = Words(Lexicon.of(["CAD"]))
    assert (words.matching("CAD"), words.matching("DAC")) == (("CAD",), ())
    assert words.asked == {"CAD": True, "DAC": False}


def test_a_recorded_pattern_is_answered_as_it_was_by_a_lexicon_that_has_changed() -> None:
    first = Words(Lexicon.of(["CAD", "COD", "CODE"]))
    first.matching("C?D")
    first.legal("CUD")
    again = Words(Lexicon.of(["CUD", "CYD", "COD"]), first.asked)
    assert again.matching("C?D") == ("CAD", "COD")
    assert not again.legal("CUD")
    assert again.asked == first.asked


def test_what_a_table_has_added_or_barred_counts_for_patterns() -> None:
    words = Words(Lexicon.of(["CAD", "COD"]), {"CYD": True, "COD": False, "CYDE": True, "CA~CAD": True})
    assert words.matching("C?D") == ("CAD", "CYD")
    assert words.matching("C?") == ()
    assert not words.legal("COD")
    assert words.legal("CYD")
