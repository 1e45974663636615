"""Numbered words: the numbers, the file, and the two ways to look."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.words.vocabulary import Vocabulary

words_of = st.sets(st.text("ABC", min_size=1, max_size=5), max_size=60)


def tier(word: str) -> int:
    return sum(map(ord, word)) % 3


@given(words_of)
def test_a_word_has_the_number_at_which_it_stands(words: set[str]) -> None:
    vocabulary = Vocabulary.of(words, tier)
    ordered = sorted(words, key=lambda word: (len(word), word))
    assert list(vocabulary) == ordered == [vocabulary[number] for number in range(len(vocabulary))]
    assert [vocabulary.number(word) for word in ordered] == list(range(len(ordered)))
    assert vocabulary.tiers.tolist() == [tier(word) for word in ordered]
    assert vocabulary[1:4] == ordered[1:4]
    if ordered:
        assert vocabulary[-1] == ordered[-1]


@given(words_of, st.text("ABCDÉ", max_size=6))
def test_what_is_not_in_it_has_no_number(words: set[str], other: str) -> None:
    vocabulary = Vocabulary.of(words, tier)
    assert (other in vocabulary) is (other in words)
    assert (vocabulary.number(other) >= 0) is (other in words)


def test_a_file_holds_words_and_tiers_and_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    vocabulary = Vocabulary.of(["CAD", "AB", "CADGE", "BA"], tier)
    vocabulary.write(tmp_path / "one.gz")
    vocabulary.write(tmp_path / "two.gz")
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    again = Vocabulary.read(tmp_path / "one.gz")
    assert list(again) == list(vocabulary)
    assert again.tiers.tolist() == vocabulary.tiers.tolist()
    assert [(block.length, block.first, block.size) for block in again.blocks] == [
        (2, 0, 2),
        (3, 2, 1),
        (5, 3, 1),
    ]


def test_an_empty_vocabulary_survives_the_file(tmp_path: Path) -> None:
    Vocabulary.of([], tier).write(tmp_path / "none.gz")
    assert list(Vocabulary.read(tmp_path / "none.gz")) == []
