"""Build ``bot/words/data`` from Debian's packages ``scowl`` and ``wordnet-base``: ``python -m bot.words.build``.

*full* is SCOWL up to size 80, all countries' spellings and their variants; *common* is SCOWL up to size 50 without
variants. Only the class ``words`` counts. Words of two letters, and what is added, removed, offends, is joined or
kept apart, come from our own lists. Equal sources make equal bytes. The data is committed: neither package is
needed to run.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Set
from pathlib import Path

import dawg

from bot.words import families, glosses, kinship, lists, scowl, wordnet
from bot.words.lexicon import DATA
from bot.words.vocabulary import COMMON, FULL, MILD, Vocabulary

DOCUMENTS = Path("/usr/share/doc")
_SENSES = 3  # definitions shown of one lemma


def main() -> int:
    """Write every file of the data folder; prints one line a file."""
    parser = argparse.ArgumentParser(prog="python -m bot.words.build", description=__doc__)
    parser.add_argument("--to", type=Path, default=DATA, help="the folder to write (default: %(default)s)")
    build(parser.parse_args().to)
    return 0


def build(folder: Path) -> None:
    """Write every file into ``folder``; raises FileNotFoundError when a source is not installed."""
    listed, nouns = scowl.read()
    net = wordnet.read()
    words, common = tiers(listed)
    offends = lists.offends()
    offending = {word for word in words if offends(word)}
    common -= offending
    vocabulary = Vocabulary.of(
        words, lambda word: COMMON if word in common else FULL if word in offending else MILD
    )
    source = kinship.Source(
        words=words,
        common=common,
        nouns=nouns,
        regional={word for word in words if word in listed and listed[word].regional},
        net=net,
        apart=frozenset(
            frozenset((first, other)) for first, *others in lists.groups("apart") for other in others
        ),
        joined=tuple(lists.groups("joined")),
        spelled=tuple(lists.groups("spelled")),
        plurals=tuple(lists.groups("plurals")),
        unpaired=frozenset((first, other) for first, *others in lists.groups("unpaired") for other in others),
        compounds=_compounds(words),
    )
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary.write(folder / "words.txt.gz")
    dawg.CompletionDAWG(sorted(words)).save(str(folder / "full.dawg"))
    dawg.CompletionDAWG(sorted(common)).save(str(folder / "common.dawg"))
    families.write(folder / "families.npz", families.table(vocabulary, kinship.ties(source)))
    glosses.write(folder / "glosses.zip", definitions(net, words))
    (folder / "NOTICES").write_text(notices(), "utf-8")
    print(f"{len(words)} words, {len(common)} of them common, {len(offending)} that offend")
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size:>9} {path.name}")


def tiers(listed: Mapping[str, scowl.Listed]) -> tuple[set[str], set[str]]:
    """Return the words of the full tier, and of the common one before what offends is taken out."""
    short, short_common = lists.words("short")
    added, added_common = lists.words("added")
    removed, _ = lists.words("removed")
    words = ({word for word in listed if len(word) > 2} | short | added) - removed
    common = {word for word, said in listed.items() if len(word) > 2 and said.main <= scowl.COMMON}
    return words, (common | short_common | added_common) & words


def definitions(net: wordnet.WordNet, words: Set[str]) -> dict[str, str]:
    """Return each lemma's first definitions on one line: ``noun: …; verb: …``."""
    found: dict[str, str] = {}
    for lemma, senses in net.senses.items():
        if lemma not in words:
            continue
        shown = senses[:_SENSES]
        texts = [
            sense.gloss
            if at and shown[at - 1].part == sense.part
            else f"{wordnet.NAMES[sense.part]}: {sense.gloss}"
            for at, sense in enumerate(shown)
        ]
        found[lemma] = " · ".join(text for text in texts if text)
    return found


def _compounds(words: Set[str]) -> dict[str, int]:
    """Return where the compounds of our list split; each of its lines is the parts of some words: ``SPACE SHIP``."""
    pairs = (line for line in lists.groups("compounds") if len(line) == 2)
    return {first + last: len(first) for first, last in pairs if first + last in words}


def notices() -> str:
    """Return the licences' texts, which must go with the data."""
    parts = ["The files beside this one were made by bot/words/build.py from the two works below.\n"]
    for package in ("scowl", "wordnet-base"):
        text = (DOCUMENTS / package / "copyright").read_text("utf-8")
        parts.append(f"{'=' * 78}\nDebian package {package}: copyright\n{'=' * 78}\n\n{text}")
    return "\n".join(parts)


if __name__ == "__main__":
    raise SystemExit(main())
