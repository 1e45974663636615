"""``wordmoot words``: one line a word, and a clear refusal of what is none."""

import io

import pytest

from bot.__main__ import main


def test_check_tells_the_tier_of_each_word_and_fails_when_one_is_unknown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["words", "check", "cad", "Sauté", "cwm"]) == 0
    assert capsys.readouterr().out == "CAD\tcommon\nSAUTE\tcommon\nCWM\tfull\n"
    assert main(["words", "check", "cad", "xyzzy"]) == 1
    assert capsys.readouterr().out == "CAD\tcommon\nXYZZY\tunknown\n"


def test_define_gives_the_definitions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", "define", "cads"]) == 0
    word, gloss = capsys.readouterr().out.rstrip("\n").split("\t")
    assert word == "CADS"
    assert gloss.startswith("noun: ")


@pytest.mark.parametrize(("word", "why"), [("xyzzy", "not in the lexicon"), ("zzz", "no definition")])
def test_define_fails_for_a_word_without_definition(
    word: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["words", "define", word]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert why in told.err


def test_related_answers_two_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", "related", "home", "homestead"]) == 0
    assert capsys.readouterr().out == "HOME\tHOMESTEAD\trelated\tcompound: HOMESTEAD begins with HOME\n"
    assert main(["words", "related", "cat", "cater"]) == 0
    assert capsys.readouterr().out == "CAT\tCATER\tunrelated\tno tie known\n"


def test_related_reads_pairs_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("home\thomes\r\n\ncolor\tcolour\n"))
    assert main(["words", "related"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "HOME\tHOMES\trelated\tinflection: forms of HOME",
        "COLOR\tCOLOUR\trelated\tthe same word, spelled differently",
    ]


@pytest.mark.parametrize(
    ("arguments", "given", "told"),
    [
        (["check", "don't"], "", "letters only"),
        (["define", "two words"], "", "letters only"),
        (["related", "home"], "", "two words, not 1"),
        (["related", "home", "b4"], "", "letters only"),
        (["related"], "home homes\n", "line 1 is not two words"),
        (["related"], "home\thomes\nhome\t\n", "line 2: '' is no word"),
    ],
)
def test_bad_input_gets_a_clear_line_and_status_2(
    arguments: list[str],
    given: str,
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(given))
    assert main(["words", *arguments]) == 2
    errors = capsys.readouterr().err
    assert told in errors
    assert errors.startswith("wordmoot words: ")
    assert errors.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["check"], ["define"], ["sing", "cad"]])
def test_a_question_that_is_none_is_refused_with_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["words", *arguments])
    assert left.value.code == 2
    assert "usage: wordmoot words" in capsys.readouterr().err
