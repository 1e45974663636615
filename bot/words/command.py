"""``wordmoot words``: look words up at a terminal. ``check WORD…``, ``define WORD…``, ``related A B`` or pairs on input.

Exit status: 0 when all was found, 1 when something is unknown (``check``, ``define``), 2 for input that is none.
``related`` answers 0 whatever the answer. Lines are tab-separated, for other programs to read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator

from bot.words.lexicon import Lexicon


class BadInput(Exception):  # noqa: N818 - like IllegalMove: a refusal, told in one sentence
    """What was given is no word, or no pair of words."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the three questions to ``parser``."""
    questions = parser.add_subparsers(dest="question", required=True, metavar="QUESTION")
    check = questions.add_parser("check", help="whether words are legal: WORD<TAB>full|common|unknown")
    check.add_argument("words", nargs="+", metavar="WORD")
    define = questions.add_parser("define", help="what words mean: WORD<TAB>definitions")
    define.add_argument("words", nargs="+", metavar="WORD")
    related = questions.add_parser(
        "related",
        help="whether two words are of one family: A<TAB>B<TAB>related|unrelated<TAB>why",
        description="Without operands, pairs A<TAB>B are read from standard input, one a line.",
    )
    related.add_argument("words", nargs="*", metavar="A B")


def run(arguments: argparse.Namespace) -> int:
    """Answer the question; returns the exit status."""
    lexicon = Lexicon.load()
    try:
        if arguments.question == "check":
            return _check(lexicon, [_word(text) for text in arguments.words])
        if arguments.question == "define":
            return _define(lexicon, [_word(text) for text in arguments.words])
        return _related(lexicon, _pairs(arguments.words))
    except BadInput as refusal:
        print(f"wordmoot words: {refusal}", file=sys.stderr)
        return 2


def _check(lexicon: Lexicon, words: Iterable[str]) -> int:
    status = 0
    for word in words:
        tier = "common" if lexicon.common(word) else "full" if lexicon.legal(word) else "unknown"
        print(word, tier, sep="\t")
        if tier == "unknown":
            status = 1
    return status


def _define(lexicon: Lexicon, words: Iterable[str]) -> int:
    status = 0
    for word in words:
        gloss = lexicon.gloss(word)
        if gloss is None:
            legal = (
                "is a word, but has no definition here" if lexicon.legal(word) else "is not in the lexicon"
            )
            print(f"wordmoot words: {word} {legal}.", file=sys.stderr)
            status = 1
        else:
            print(word, gloss, sep="\t")
    return status


def _related(lexicon: Lexicon, pairs: Iterable[tuple[str, str]]) -> int:
    for first, second in pairs:
        why = lexicon.families.why(first, second)
        print(first, second, "unrelated" if why is None else "related", why or "no tie known", sep="\t")
    return 0


def _pairs(operands: list[str]) -> Iterator[tuple[str, str]]:
    if operands:
        if len(operands) != 2:
            raise BadInput(f"related takes two words, not {len(operands)}.")
        yield _word(operands[0]), _word(operands[1])
        return
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) != 2:
            raise BadInput(f"line {number} is not two words with a tab between them.")
        try:
            yield _word(fields[0]), _word(fields[1])
        except BadInput as refusal:
            raise BadInput(f"line {number}: {refusal}") from None


def _word(text: str) -> str:
    word = Lexicon.fold(text)
    if not word:
        raise BadInput(f"{text!r} is no word: letters only, please.")
    return word
