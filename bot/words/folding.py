"""How text becomes a word: upper case, without accents, A to Z and nothing else."""

from __future__ import annotations

import unicodedata

# Letters that Unicode does not take apart into a base letter and a mark.
_LIGATURES = str.maketrans(
    {"Æ": "AE", "Œ": "OE", "Ø": "O", "Đ": "D", "Ð": "D", "Ł": "L", "Þ": "TH", "ẞ": "SS", "Ħ": "H", "ı": "I"}
)


def fold(text: str) -> str:
    """Return ``text`` in A-Z with accents folded (``sauté`` is ``SAUTE``), or "" if anything else is in it.

    Blanks around it do not count.
    """
    upper = text.strip().upper()
    if not upper.isascii():
        taken_apart = unicodedata.normalize("NFKD", upper.translate(_LIGATURES)).upper()
        upper = "".join(mark for mark in taken_apart if not unicodedata.combining(mark))
    return upper if upper.isascii() and upper.isalpha() else ""
