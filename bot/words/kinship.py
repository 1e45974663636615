"""Which words are of one family: what builds the table that ``bot.words.families`` answers from.

Three kinds of ties, each found by rules and then checked, since letters alone lie (CATER is no cat, a CARPET no pet):

- *forms*: regular inflections that the lexicon holds, of lemmas whose part of speech has them; WordNet's lists of
  irregular ones.
- *derivation*: WordNet's own links; suffixes and prefixes, where a definition names the base or the affix leaves no
  doubt. Derivation is transitive: its connected components are the families.
- *compounds*: a word split into two known ones, where a definition, a hypernym or the length of the parts speaks
  for it. A compound is tied to its parts and hands the tie on to nobody but its own forms and derivations.

Lists of ours have the last word: ``apart`` (never tied), ``joined`` (always), ``compounds`` (always split so), ``plurals``
(of each other), ``unpaired`` (related or not, no plural of each other).
Without WordNet (a small lexicon made for a test) only rules that need no evidence are used.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from bot.words.inflection import DEGREE, PLURAL, VERB, inflections
from bot.words.wordnet import WordNet


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Suffixes and what they replace. The first table needs no evidence but a base of three letters; the second is asked
# for evidence when WordNet knows the word, and for a base of four letters when it does not.
_CLEAR = {
    "NESS": ("",), "INESS": ("Y",), "LESS": ("",), "ILESS": ("Y",), "LIKE": ("",), "HOOD": ("",), "IHOOD": ("Y",),
    "ILY": ("Y",), "ABLY": ("ABLE", "", "E"), "IBLY": ("IBLE",), "ICALLY": ("IC", "ICAL"),
    "FULLY": ("FUL", ""), "FUL": ("",),
    "LESSLY": ("LESS",), "OUSLY": ("OUS",), "INGLY": ("ING",), "EDLY": ("ED",), "IVELY": ("IVE",),
    "ALLY": ("AL",), "ISHLY": ("ISH",), "ABILITY": ("ABLE", "", "E"), "IBILITY": ("IBLE",), "IZATION": ("IZE",),
    "ISATION": ("ISE",), "IZER": ("IZE",), "ISER": ("ISE",), "IZABLE": ("IZE",), "ISABLE": ("ISE",),
    "IZING": ("IZE",), "ISTIC": ("IST", "ISM"), "IETH": ("Y",), "OSITY": ("OUS",), "IVITY": ("IVE",),
    "ICITY": ("IC",), "ALITY": ("AL",), "ICALITY": ("ICAL",), "ANCY": ("ANT",), "ENCY": ("ENT",), "ANTLY": ("ANT",),
    "ENTLY": ("ENT",),
}  # fmt: skip
_VAGUE = {
    "LY": ("", "LE"), "IFUL": ("Y",), "MENT": ("",), "IMENT": ("Y",), "SHIP": ("",), "DOM": ("",),
    "ABLE": ("", "E", "ATE"), "IABLE": ("Y",), "IBLE": ("", "E"), "IZE": ("", "E", "Y"), "ISE": ("", "E", "Y"),
    "IFY": ("", "E", "Y"), "ISM": ("", "E", "Y"), "IST": ("", "E", "Y", "ISM"), "ISH": ("", "E"),
    "ESS": ("", "E"), "RESS": ("ER", "OR"), "ER": ("", "E"), "IER": ("Y",), "OR": ("", "E"), "EER": ("",),
    "STER": ("",), "LET": ("",), "LING": ("",), "ETTE": ("", "E"), "WARD": ("",), "WARDS": ("", "WARD"),
    "WISE": ("",), "FOLD": ("",), "SOME": ("",), "ED": ("", "E"), "IED": ("Y",), "ING": ("", "E"),
    "ATION": ("", "E", "ATE"), "ITION": ("", "E"), "ION": ("", "E"), "IVE": ("", "E", "ION"),
    "ATIVE": ("ATE", "E", ""), "ORY": ("OR", "E", "ION"), "AL": ("", "E"), "IAL": ("", "Y", "E"),
    "ICAL": ("IC", "Y", ""), "IC": ("", "Y", "E"), "OUS": ("", "E", "Y"), "IOUS": ("Y", "", "E"),
    "ITY": ("", "E"), "ANCE": ("ANT", "", "E"), "ENCE": ("ENT", "", "E"), "ANT": ("", "E", "ATE"),
    "ENT": ("", "E"), "Y": ("", "E"), "EY": ("", "E"), "IE": ("", "Y"), "ERY": ("", "E", "ER"), "AGE": ("", "E"),
    "EN": ("", "E"), "AN": ("", "A"), "IAN": ("", "Y", "IA"), "EE": ("", "E"), "ATE": ("", "E"), "TH": ("", "E"),
    "CY": ("T", "TE", ""), "ARY": ("", "E"), "S": ("",), "ICS": ("IC", "Y"), "ITE": ("",), "OID": ("",),
}  # fmt: skip
_PREFIXES = _set("""
    UN NON RE DIS MIS IN IM IL IR ANTI PRE SUB CO DE EN EM FORE INTER SUPER HYPER ULTRA MULTI SEMI MICRO MACRO MEGA
    TRANS POST BE PSEUDO NEO TELE BIO GEO ARCH A AN EX EXTRA INTRA POLY TRI BI UNI
    """)
_CLEAR_PREFIXES = _set("UN NON MIS RE PRE ANTI SEMI MULTI ULTRA HYPER PSEUDO SUPER")
# Endings and beginnings that are words by accident: a derivation, not a compound.
_AFFIXES = _set("""
    ABLE ABLY ABILITY AGE AGED AGES AGING AL ALLY AN ANT ANTS ARISE ATE ATES DOM ENT ER ERS ESS EST FOLD FUL FULLY HIP
    HOOD ILE ILY INE INGS ION IONS ISH ISM ISMS IST ITE LATE LED LESS LEST LET LETS LIES LIKE LING LINGS LIST MENT
    MENTAL MENTALLY NESS OR ORATE ORATION OUS OWING PING PINGS RALLY RATED RATING RATION RED RESS RING RISE RISER SHIP
    SHIPS SION SIS SOME STER TALLY TED TEN TIC TICS TIES TING TINGLY TION TRESS WARD WARDS WISE
    ANA ARC BEN BIO CAT COL COM CON COR DEB DEL DEM DES DIS GEO HYP LAC LIT LOG MAL MET MIS MON NEO NON OBE OPT ORE PAR
    PER PET POL PRE PRO REF REP REV SIN SUB TAR TOR VER
    """)
_PARTICLES = ("UP", "ON", "BY")
# Plurals that are not made with S: the ending of the singular, that of the plural, the fewest letters of the singular.
_LEARNED = (
    ("UM", "A", 5), ("US", "I", 6), ("SIS", "SES", 5), ("XIS", "XES", 5), ("A", "AE", 4), ("MA", "MATA", 4),
    ("ITIS", "ITIDES", 7), ("TRIX", "TRICES", 6), ("NX", "NGES", 5), ("EAU", "EAUX", 3), ("IEU", "IEUX", 6),
    ("HEDRON", "HEDRA", 6), ("ZOON", "ZOA", 6), ("KARYON", "KARYA", 6), ("CEPHALON", "CEPHALA", 8), ("OS", "OI", 5),
    ("O", "I", 6), ("AH", "OTH", 5), ("A", "OTH", 5), ("FOOT", "FEET", 4), ("TOOTH", "TEETH", 5), ("GOOSE", "GEESE", 5),
    ("MOUSE", "MICE", 5), ("STAFF", "STAVES", 5),
)  # fmt: skip
# A compound for which nothing but its parts speaks: twice the shorter's length and the longer's; one less will do
# for parts that are common ones of compounds.
_LONG = 12
_OFTEN_FIRST = _set("""
    AIR BED DAY DRY EAR EYE GUN ICE INTER KEY MID OFF OIL OUT OVER SEA SKY SUN SUPER TEA TOP UNDER WAR WAX WAY
    """)
_OFTEN_LAST = _set("""
    ALL BERRY BOARD BOX BOY BREAK CUP DOG FIELD FLY GUN HOUSE LIGHT MAKER MAN NET OFF OUT PAPER PIECE PIN PLANE POT
    PROOF STONE WATER WAY WOMAN
    """)


@dataclass(frozen=True)
class Source:
    """What is known of words.

    ``nouns``: words with a possessive. ``regional``: not spelled so everywhere. ``plurals``: plural and singular each.
    ``unpaired``: a word, and what looks like its plural and is not.
    """

    words: Set[str]
    common: Set[str]
    nouns: Set[str] = frozenset()
    regional: Set[str] = frozenset()
    net: WordNet | None = None
    apart: frozenset[frozenset[str]] = frozenset()
    joined: tuple[tuple[str, ...], ...] = ()
    spelled: tuple[tuple[str, ...], ...] = ()
    plurals: tuple[tuple[str, ...], ...] = ()
    unpaired: frozenset[tuple[str, str]] = frozenset()
    compounds: Mapping[str, int] = field(default_factory=dict)

    def parts(self, word: str) -> set[str]:
        """Return WordNet's parts of speech, none when it does not know the word."""
        return self.net.parts(word) if self.net else set()

    def known(self, word: str) -> bool:
        """Whether WordNet has an entry for ``word``."""
        return self.net is not None and word in self.net.senses


@dataclass(frozen=True)
class Ties:
    """The result. ``forms``: form to {lemma: kinds}; ``roots``: word to a word that stands for its family (those
    alone left out); ``spellings``: word to the word that stands for all its spellings; ``compounds``: word to
    {where it splits: which parts count, 1 the first, 2 the last, 3 both}.
    """

    forms: dict[str, dict[str, int]]
    roots: dict[str, str]
    spellings: dict[str, str]
    compounds: dict[str, dict[int, int]]


def ties(source: Source) -> Ties:
    """Return all ties among the words of ``source``."""
    forms = _Forms(source).table()
    spellings = _spellings(source, forms)
    derivation = _Derivation(source, forms)
    for first, second in spellings.items():
        derivation.join(first, second)
    roots = derivation.roots()
    compounds = _Compounds(source, forms, roots, derivation).table()
    return Ties(forms, roots, spellings, compounds)


class _Groups:
    """Disjoint sets of words, joined pair by pair."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def top(self, word: str) -> str:
        above = self._above
        while (up := above.get(word, word)) != word:
            above[word] = above.get(up, up)
            word = up
        return word

    def join(self, first: str, second: str) -> None:
        low, high = sorted((self.top(first), self.top(second)), key=lambda word: (len(word), word))
        self._above[high] = low

    def table(self) -> dict[str, str]:
        """Return every joined word and its group's shortest, first by the alphabet; in order."""
        members = {*self._above, *self._above.values()}
        return {word: self.top(word) for word in sorted(members)}


class _Forms:
    def __init__(self, source: Source) -> None:
        self._source = source

    def table(self) -> dict[str, dict[str, int]]:
        source = self._source
        sure: dict[str, dict[str, int]] = defaultdict(dict)
        doubtful: dict[str, dict[str, int]] = defaultdict(dict)
        for lemma in sorted(source.words):
            for form, kind in self._regular(lemma):
                if form not in source.words or frozenset((form, lemma)) in source.apart:
                    continue
                fits = self._fits(lemma, form, kind)
                known = source.known(lemma) or source.net is None
                where = sure if fits and known else doubtful
                where[form][lemma] = where[form].get(lemma, 0) | (fits or kind)
        for form, lemma, kind in self._irregular():
            sure[form][lemma] = sure[form].get(lemma, 0) | kind
        for form, lemmas in doubtful.items():
            if form not in sure and not (source.known(form) and any(map(source.known, lemmas))):
                sure[form] = lemmas
        for form, lemma in (*source.plurals, *self._learned()):
            if {form, lemma} <= source.words:
                sure[form][lemma] = sure[form].get(lemma, 0) | PLURAL
        self._chain(sure)
        self._unpair(sure)
        return {form: dict(sorted(sure[form].items())) for form in sorted(sure)}

    def _regular(self, lemma: str) -> Iterator[tuple[str, int]]:
        found = [(form, kind) for form, kind in inflections(lemma) if form in self._source.words]
        superlatives = {form[:-3] for form, kind in found if kind == DEGREE and form.endswith("EST")}
        for form, kind in found:
            compared = form.endswith("EST") or form[:-2] in superlatives
            if kind != DEGREE or (compared and len(lemma) > 2):
                yield form, kind

    def _fits(self, lemma: str, form: str, kind: int) -> int:
        """Return what of ``kind`` agrees with the lemma's parts of speech (a form that is itself another part of
        speech, like FOREST, is no superlative).
        """
        source = self._source
        if source.net is None or not source.known(lemma):
            return kind
        parts = source.parts(lemma)
        allowed = 0
        if "n" in parts or lemma in source.nouns:
            allowed |= PLURAL
        if "v" in parts:
            allowed |= VERB
        if parts & {"a", "r"} and (not source.known(form) or source.parts(form) & {"a", "r"}):
            allowed |= DEGREE
        return kind & allowed

    def _irregular(self) -> Iterator[tuple[str, str, int]]:
        source = self._source
        kinds = {"n": PLURAL, "v": VERB, "a": DEGREE, "r": DEGREE}
        for part, table in (source.net.irregular if source.net else {}).items():
            for form, lemmas in table.items():
                for lemma in lemmas:
                    if {form, lemma} <= source.words and frozenset((form, lemma)) not in source.apart:
                        yield form, lemma, kinds[part]

    def _learned(self) -> Iterator[tuple[str, str]]:
        """Yield plurals and their singulars as Latin, Greek, Italian and French make them, unless WordNet has a word of its own for one."""
        source = self._source
        if source.net is None:
            return
        for lemma in sorted(source.words):
            for one, many, least in _LEARNED:
                if len(lemma) < least or not lemma.endswith(one):
                    continue
                form = lemma[: -len(one)] + many
                noun = not source.known(lemma) or "n" in source.parts(lemma)
                if noun and form in source.words and not source.known(form):
                    yield form, lemma

    def _unpair(self, table: dict[str, dict[str, int]]) -> None:
        """Take the plural from what is none: what a list of ours names, and CARSES beside CARS, for it is CARSE's."""
        source = self._source
        for form, lemmas in table.items():
            of_its_own = any(kind & PLURAL and form != f"{lemma}ES" for lemma, kind in lemmas.items())
            for lemma in lemmas:
                twice = of_its_own and form == f"{lemma}ES" and self._plural_only(lemma, table)
                if twice or (lemma, form) in source.unpaired:
                    lemmas[lemma] &= ~PLURAL

    def _plural_only(self, word: str, table: Mapping[str, Mapping[str, int]]) -> bool:
        """Whether a word is some noun's plural and, as far as we know, no noun."""
        inflected = any(kind & PLURAL for kind in table.get(word, {}).values())
        return inflected and "n" not in self._source.parts(word)

    @staticmethod
    def _chain(table: dict[str, dict[str, int]]) -> None:
        """Let BUILDINGS, a form of BUILDING, be one of BUILD too."""
        for form, lemmas in table.items():
            for lemma in list(lemmas):
                if lemma.endswith(("ING", "ED")) and lemma in table:
                    for second in table[lemma]:
                        if second != form:
                            lemmas.setdefault(second, VERB)


def _spellings(source: Source, forms: dict[str, dict[str, int]]) -> dict[str, str]:
    groups = _Groups()
    for group in source.spelled:
        held = [word for word in group if word in source.words]
        for other in held[1:]:
            groups.join(held[0], other)
    for word in sorted(source.regional):
        for other in _respelled(word, _CLEAR_RESPELLINGS):
            if other in source.words and _one_word(source, word, other):
                groups.join(word, other)
        for other in _synonyms(source, word):
            if _alike(word, other) or other in _respelled(word, _VAGUE_RESPELLINGS):
                groups.join(word, other)
    _respell_forms(forms, groups)
    return groups.table()


# How countries differ. The first table is enough for words that WordNet does not have; the second needs a synset
# that holds both.
_CLEAR_RESPELLINGS = (
    ("OUR", "OR"), ("RE", "ER"), ("ISE", "IZE"), ("ISI", "IZI"), ("ISA", "IZA"), ("YS", "YZ"), ("LL", "L"),
    ("AE", "E"), ("OE", "E"), ("OGUE", "OG"), ("OGU", "OG"), ("ENCE", "ENSE"), ("GRAMME", "GRAM"),
    ("GEMENT", "GMENT"), ("XION", "CTION"), ("GREY", "GRAY"), ("GAOL", "JAIL"), ("PLOUGH", "PLOW"),
    ("SULPH", "SULF"), ("MOULD", "MOLD"), ("MOULT", "MOLT"), ("SMOULDER", "SMOLDER"),
)  # fmt: skip
_VAGUE_RESPELLINGS = (
    ("OU", "O"), ("PH", "F"), ("QUE", "K"), ("QUE", "CK"), ("SC", "SK"), ("Y", "I"), ("EY", "Y"), ("C", "S"),
    ("C", "K"), ("UGH", ""), ("AEROPLANE", "AIRPLANE"), ("DRAUGHT", "DRAFT"), ("TYR", "TIR"), ("KERB", "CURB"),
    ("CK", "C"), ("AI", "EI"), ("IE", "Y"), ("CH", "K"), ("UE", ""), ("MUM", "MOM"), ("CHEQUE", "CHECK"),
)  # fmt: skip


def _respelled(word: str, table: Iterable[tuple[str, str]]) -> Iterator[str]:
    for one, other in table:
        for old, new in ((one, other), (other, one)):
            at = word.find(old)
            while at >= 0:
                yield word[:at] + new + word[at + len(old) :]
                at = word.find(old, at + 1)


def _one_word(source: Source, word: str, other: str) -> bool:
    """Whether two words that differ as countries do are one: WordNet has both in a synset, or does not know both."""
    if frozenset((word, other)) in source.apart or len(word) < 4:
        return False
    if source.net is None or not (source.known(word) and source.known(other)):
        return source.net is None or len(word) >= 6
    return other in _synonyms(source, word)


def _synonyms(source: Source, word: str) -> set[str]:
    senses = source.net.senses.get(word, ()) if source.net else ()
    return {other for sense in senses for other in sense.lemmas if other in source.words} - {word}


def _respell_forms(forms: dict[str, dict[str, int]], groups: _Groups) -> None:
    """Join forms that are spelled apart as their lemmas are (GREYED), or two ways of inflecting one (BUSSES)."""
    of_lemma: dict[tuple[str, str], list[str]] = defaultdict(list)
    for form, lemmas in forms.items():
        ending = next((ending for ending in ("ING", "ED", "EST", "ER", "S") if form.endswith(ending)), "")
        for lemma in lemmas:
            if ending and form[:2] == lemma[:2]:
                of_lemma[groups.top(lemma), ending].append(form)
    for same in of_lemma.values():
        bare: dict[str, str] = {}
        for form in same:
            # Without doubled letters and silent E what is left of one word's forms agrees.
            key = re.sub(r"E|(.)(?=\1)", "", _leveled(form))
            if key in bare:
                groups.join(bare[key], form)
            bare.setdefault(key, form)


def _leveled(form: str) -> str:
    for one, other in _CLEAR_RESPELLINGS:
        form = form.replace(one, other)
    return form


def _alike(word: str, other: str) -> bool:
    """Whether two synonyms differ by so little that they can only be spellings: two letters at most, same ends."""
    if min(len(word), len(other)) < 4 or word[0] != other[0] or abs(len(word) - len(other)) > 2:
        return False
    shared = 0
    for one, two in zip(word, other, strict=False):
        if one != two:
            break
        shared += 1
    tail = 0
    for one, two in zip(word[: shared - 1 : -1], other[: shared - 1 : -1], strict=False):
        if one != two:
            break
        tail += 1
    changed = max(len(word), len(other)) - shared - tail
    return tail > 0 and changed <= 1 + (len(word) > 7)


def _made(word: str) -> str:
    """Return the part of speech that a clear suffix makes: HOMILY ends like an adverb, and is none."""
    if word.endswith("LY"):
        return "r"
    return "n" if word.endswith(("NESS", "HOOD", "TY", "CY", "ION", "ER")) else "a"


class _Derivation:
    def __init__(self, source: Source, forms: dict[str, dict[str, int]]) -> None:
        self._source = source
        self._forms = forms
        self._groups = _Groups()
        self._links = source.net.derived if source.net else set()
        self._opposed = source.net.opposed if source.net else set()
        self._named: dict[str, frozenset[str]] = {}

    def join(self, first: str, second: str) -> None:
        """Make two words one family."""
        self._groups.join(first, second)

    def roots(self) -> dict[str, str]:
        """Return every word that has family and its family's root."""
        source = self._source
        for first, second in sorted(self._links):
            if first in source.words and second in source.words and self._plausible(first, second):
                self._tie(first, second)
        for word in sorted(source.words):
            for base in self._best(word):
                self._tie(word, base)
        for group in source.joined:
            held = [word for word in group if word in source.words]
            for other in held[1:]:
                self.join(held[0], other)
        return self._groups.table()

    def evident(self, word: str, base: str) -> bool:
        """Whether WordNet links the two, opposes them, or defines one by the other."""
        low, high = sorted((word, base))
        if (low, high) in self._links or (low, high) in self._opposed:
            return True
        return base in self.named(word) or word in self.named(base)

    def named(self, word: str) -> frozenset[str]:
        """Return the words that the definitions of ``word`` name, and their lemmas."""
        found = self._named.get(word)
        if found is None:
            senses = self._source.net.senses.get(word, ()) if self._source.net else ()
            tokens = {token for sense in senses for token in re.findall("[A-Z]+", sense.gloss.upper())}
            lemmas = {lemma for token in tokens for lemma in self._forms.get(token, ())}
            found = self._named[word] = frozenset(tokens | lemmas)
        return found

    def _tie(self, first: str, second: str) -> None:
        if frozenset((first, second)) not in self._source.apart:
            self.join(first, second)

    def _plausible(self, first: str, second: str) -> bool:
        """Whether a link of WordNet is between words that look akin (it has some that join synonyms)."""
        if self._is_compound(first, second) or self._is_compound(second, first):
            return False
        shorter, longer = sorted((first, second), key=len)
        if shorter in longer:
            return True
        shared = 0
        for one, two in zip(first, second, strict=False):
            if one != two:
                break
            shared += 1
        return shared >= 3 or (shared >= 2 and len(shorter) <= 5)

    def _is_compound(self, whole: str, part: str) -> bool:
        source = self._source
        for rest in (
            whole[len(part) :] if whole.startswith(part) else "",
            whole[: -len(part)] if whole.endswith(part) else "",
        ):
            if len(part) >= 3 and len(rest) >= 3 and rest in source.common and rest not in _AFFIXES:
                return True
        return False

    def _best(self, word: str) -> list[str]:
        """Return what ``word`` is derived from: all bases that WordNet speaks for, else the one that shows in it, the
        longest of several.

        A form is its lemma's, without further question, when it has but one and no entry of its own.
        """
        lemmas = self._forms.get(word, {})
        verbal = word.endswith(("ED", "ING")) and len(lemmas) == 1
        if lemmas and not self._source.known(word):
            return list(lemmas) if verbal else []
        bases = list(self._bases(word))
        if verbal:
            bases.extend(lemmas)
        evident = [base for base in bases if self.evident(word, base)]
        if evident:
            return evident
        if verbal and not self._source.parts(word) & {"a", "v"}:
            bases = [base for base in bases if base not in lemmas]
        return [max(bases, key=lambda base: (base in word, len(base), base))] if bases else []

    def _bases(self, word: str) -> Iterator[str]:
        source = self._source
        for table, clear in ((_CLEAR, True), (_VAGUE, False)):
            for cut in range(max(2, len(word) - 7), len(word)):
                ending = word[cut:]
                if ending in table:
                    for base in self._stems(word[:cut], ending, table[ending]):
                        if base in source.words and base != word and self._accepts(word, base, ending, clear):
                            yield base
        for cut in range(1, 7):
            base = word[cut:]
            if (
                word[:cut] in _PREFIXES
                and len(base) >= 3
                and base in source.words
                and self._accepts_prefix(word, base, word[:cut])
            ):
                yield base

    @staticmethod
    def _stems(stem: str, ending: str, replaced: Iterable[str]) -> Iterator[str]:
        for letters in replaced:
            yield stem + letters
        if "" in replaced and ending[0] in "AEIOUY" and len(stem) > 3 and stem[-1] == stem[-2]:
            yield stem[:-1]

    def _accepts(self, word: str, base: str, ending: str, clear: bool) -> bool:
        source = self._source
        if clear:
            if source.known(word) and _made(word) not in source.parts(word):
                return self.evident(word, base)
            return len(base) >= 3 and (source.net is None or source.known(base) or len(base) >= 5)
        if source.net is None:
            return False
        if source.known(word):
            return (len(base) >= 2 and self.evident(word, base)) or self._shifts(word, base, ending)
        doubtful = word in source.common and len(ending) < 3
        return len(base) >= 4 and source.known(base) and not doubtful

    def _shifts(self, word: str, base: str, ending: str) -> bool:
        """Whether a suffix turns the part of speech of ``base`` into that of ``word``, as it does nowhere by chance."""
        parts, before = self._source.parts(word), self._source.parts(base)
        match ending:
            case "LY":
                return "r" in parts and "a" in before
            case "ICAL":
                return base.endswith("IC") and "a" in parts & before
            case "ISH" | "SOME":
                return (
                    parts == {"a"} and bool(before & {"n", "a", "v"}) and len(base) >= 4 - (ending == "SOME")
                )
            case "IZE" | "ISE":
                return parts == {"v"} and bool(before & {"n", "a"}) and len(base) >= 4
            case "ISM" | "IST":
                return (
                    parts <= {"n", "a"} and bool(before & {"n", "a"}) and len(base) >= 4 + (ending == "IST")
                )
            case "ABLE":
                return "a" in parts and "v" in before and len(base) >= 4 + base.endswith("E")
            case "ED" | "ING":
                return bool(parts & {"a", "v"}) and "v" in before
        return False

    def _accepts_prefix(self, word: str, base: str, prefix: str) -> bool:
        source = self._source
        if source.net is None:
            return prefix in ("UN", "NON") and len(base) >= 4
        if source.known(word):
            if prefix == "UN" and len(base) >= 4 and source.parts(base) & {"a", "v"}:
                return True
            return len(base) >= 3 and self.evident(word, base)
        return prefix in _CLEAR_PREFIXES and len(base) >= 4 and (source.known(base) or base in self._forms)


class _Compounds:
    def __init__(
        self,
        source: Source,
        forms: dict[str, dict[str, int]],
        roots: dict[str, str],
        derivation: _Derivation,
    ) -> None:
        self._source = source
        self._forms = forms
        self._roots = roots
        self._derivation = derivation

    def table(self) -> dict[str, dict[int, int]]:
        source = self._source
        found: dict[str, dict[int, int]] = {}
        for word in sorted(source.words):
            cut = source.compounds.get(word)
            if cut is None and len(word) >= 5 and not self._is_form(word):
                cut = self._best(word)
            if cut:
                found[word] = {cut: 3}
        self._hand_on(found)
        return {word: found[word] for word in sorted(found)}

    def _is_form(self, word: str) -> bool:
        return word in self._forms and not self._source.known(word)

    def _best(self, word: str) -> int:
        """Return where ``word`` splits, 0 for nowhere."""
        best, at = 0, 0
        for cut in range(2, len(word) - 1):
            weight = self._weight(word, word[:cut], word[cut:])
            if weight > best:
                best, at = weight, cut
        return at

    def _weight(self, word: str, first: str, last: str) -> int:
        """Return how much speaks for a compound of ``first`` and ``last``; 0 or less is too little."""
        source = self._source
        if first not in source.common or last not in source.common or self._kin(word, first, last):
            return 0
        if first in _AFFIXES or last in _AFFIXES:
            return 0
        if min(len(first), len(last)) == 2 and not (
            (first in _PARTICLES and len(last) >= 4) or (last == "UP" and len(first) >= 3)
        ):
            return 0
        if not source.apart.isdisjoint({frozenset((word, first)), frozenset((word, last))}):
            return 0
        if first.endswith("S") and first[:-1] in source.common and f"S{last}" in source.words:
            return 0  # LAND and SCAPE, not LANDS and CAPE
        evidence = self._speaks_for(word, first) + self._speaks_for(word, last)
        length = min(len(first), len(last)) * 2 + max(len(first), len(last))
        often = first in _OFTEN_FIRST or last in _OFTEN_LAST
        if evidence or min(len(first), len(last)) == 2 or length >= _LONG - often:
            return 100 * evidence + length
        return 0

    def _kin(self, word: str, first: str, last: str) -> bool:
        """Whether derivation has explained the word already."""
        root = self._roots.get(word, word)
        inside = word.startswith(root) and len(first) < len(root) < len(word)
        if inside and root[len(first) :] not in self._source.common:
            return True  # FORESTATION is made of FOREST
        return root in (self._roots.get(first, first), self._roots.get(last, last))

    def _speaks_for(self, word: str, part: str) -> int:
        lemmas = {part, *self._forms.get(part, ())}
        roots = {self._roots.get(lemma, lemma) for lemma in lemmas}
        named = self._derivation.named(word)
        if any(token in lemmas or self._roots.get(token, token) in roots for token in named):
            return 1
        above = self._above(word)
        return int(not lemmas.isdisjoint(above))

    def _above(self, word: str) -> set[str]:
        """Return the lemmas of the hypernyms of ``word``, three steps up."""
        net = self._source.net
        found: set[str] = set()
        level = list(net.senses.get(word, ())) if net else []
        for _ in range(3):
            level = [net.synsets[key] for sense in level for key in sense.above] if net else []
            found.update(lemma for sense in level for lemma in sense.lemmas)
        return found

    def _hand_on(self, found: dict[str, dict[int, int]]) -> None:
        """Give a compound's parts to its derivations that show them: HOMESTEADER begins with HOME."""
        families: dict[str, list[str]] = defaultdict(list)
        for word, root in self._roots.items():
            families[root].append(word)
        for word in list(found):
            (cut,) = found[word]
            for other in families.get(self._roots.get(word, ""), ()):
                if other == word or other in found or len(other) < len(word):
                    continue
                if not self._source.apart.isdisjoint(
                    {frozenset((other, word[:cut])), frozenset((other, word[cut:]))}
                ):
                    continue
                if other.startswith(word[:cut]) and len(other) > cut:
                    found.setdefault(other, {})[cut] = 1
                elif other.endswith(word[cut:]) and len(other) > len(word) - cut:
                    found.setdefault(other, {})[len(other) - len(word) + cut] = 2
