"""Defenders of the Dictionary: what lies on the table, who may see it, what can be done, what can happen.

Everything is a frozen value. ``Public`` is what all players see; ``State`` adds what is hidden (racks, bags,
sealed contributions), and ``View`` is what one viewer may know. A view is built from ``Public`` and counts,
so a secret cannot slip through a forgotten field.

Squares are (row, column) from 0 at the top left of the joined maps; players read ``E5``: column letter, row
from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from bot.games import proposal

Side = Literal["day", "night"]
Edge = Literal["north", "east", "south", "west"]
MapName = Literal["north", "east", "south", "west"]
Difficulty = Literal["beginner", "intermediate"]
Phase = Literal["contribute", "word", "discard", "verify", "over"]
Referee = Literal["printed", "guarded"]

WILD = "*"
VILLAIN = -1  # the owner of a villain letter
LUCK = 1  # the owner of a solo player's random letters: they have the colour of the seat that is empty

VALUES: Mapping[str, int] = MappingProxyType(
    dict.fromkeys("AEILNORSTU", 1)
    | dict.fromkeys("DG", 2)
    | dict.fromkeys("BCMP", 3)
    | dict.fromkeys("FHVWY", 4)
    | {WILD: 0, "K": 5, "J": 8, "X": 8, "Z": 10, "Q": 11}
)  # printed on the tiles, in Vocabulary Points
PLAYER_BAG = "AAABCDEEEEFGHIILMNNOOPRRSTTUVWY" + WILD
VILLAIN_BAG = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BAGS = 4  # player bags in the box
RACK = 5  # letters on a full rack
STORAGE = 6  # Letter Storage spaces on the Commons Board


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a lobby chooses; ``any`` is settled by chance at the deal. ``patience`` is in ms."""

    difficulty: Difficulty = "beginner"
    level: Literal[1, 2, 3] = 1
    map: MapName | Literal["any"] = "any"
    edge: Edge | Literal["any"] = "any"
    hq_side: Side | Literal["any"] = "day"
    map_side: Side | Literal["any"] = "any"
    referee: Referee = "printed"
    pace: Literal["live", "slow"] = "live"
    patience: int = 0  # 0: 60 s live, 12 h slow


class Goal(msgspec.Struct, frozen=True):
    """What success asks for."""

    difficulty: Difficulty
    level: int
    poi: int
    vp: int

    @property
    def numbered(self) -> bool:
        """Whether POI show numbers and are collected in ascending order."""
        return self.difficulty == "intermediate"


class City(msgspec.Struct, frozen=True):
    """The joined maps. ``rows``: ``.`` street, ``#`` building; ``start`` is the HQ's symbol."""

    rows: tuple[str, ...]
    start: tuple[int, int]
    hq: tuple[int, int]  # top left square of HQ
    other: tuple[int, int]  # top left square of the second map
    hq_name: str  # "HQ day"
    other_name: str  # "East night"


class Poi(msgspec.Struct, frozen=True, array_like=True):
    """A point of interest still on the map; ``number`` 0 shows ``?``."""

    row: int
    col: int
    number: int


class Tile(msgspec.Struct, frozen=True, array_like=True):
    """A tile on the Commons Board, A-Z or ``*``. ``owner``: a seat, VILLAIN, or LUCK."""

    letter: str
    owner: int


class Laid(msgspec.Struct, frozen=True, array_like=True):
    """A letter on the map; a wildcard's ``letter`` is what it stands for."""

    row: int
    col: int
    letter: str
    wild: bool
    owner: int
    round: int


class Play(msgspec.Struct, frozen=True, tag="play"):
    """A word as it will read on the map, from its first square, with the tiles chosen for it.

    ``wild``: positions in ``word`` where a wildcard from the Commons is laid. ``villain``: the position that
    the villain letter fills. A wildcard already on the map may stand for another letter from now on: the word
    says so.
    """

    word: str
    row: int
    col: int
    across: bool
    wild: tuple[int, ...] = ()
    villain: int | None = None


class NoWord(msgspec.Struct, frozen=True, tag="no_word"):
    """Form no word this round."""


class Recast(msgspec.Struct, frozen=True, tag="recast"):
    """Let wildcards on the map stand for other letters: (row, column, letter) each. The round goes on."""

    letters: tuple[tuple[int, int, str], ...]


class Discard(msgspec.Struct, frozen=True, tag="discard"):
    """Which of the tied highest letters leave the Commons Board, sorted."""

    letters: tuple[str, ...]


class Concede(msgspec.Struct, frozen=True, tag="concede"):
    """Admit defeat."""


Matter = Play | NoWord | Recast | Discard | Concede


class Proposal(proposal.Proposal[Matter], frozen=True):
    """A matter before the team.

    ``resumed``: when the last objection was taken back, so that who had been silent meanwhile may still object.
    """

    resumed: int | None = None

    @property
    def silent_since(self) -> int:
        """Table time (ms) from which silence counts: once patience has passed, it is consent."""
        return self.at if self.resumed is None else self.resumed


# Moves


class Contribute(msgspec.Struct, frozen=True, tag="contribute"):
    """Lay letters from the rack face down: one, or two with one or two players."""

    letters: tuple[str, ...]


class Propose(msgspec.Struct, frozen=True, tag="propose"):
    """Bring a matter before the team; it replaces an open one."""

    matter: Matter


class Agree(msgspec.Struct, frozen=True, tag="agree"):
    """Agree to the open proposal (also takes an objection back)."""


class Object(msgspec.Struct, frozen=True, tag="object"):
    """Object to the open proposal: it cannot pass while the objection stands."""


class Withdraw(msgspec.Struct, frozen=True, tag="withdraw"):
    """Take one's own proposal back."""


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """Ask the team for ideas: automata then propose at once."""


class Consult(msgspec.Struct, frozen=True, tag="consult"):
    """Look one word up: once a game."""

    word: str


class Hint(msgspec.Struct, frozen=True, tag="hint"):
    """A play that the host found for the team, at a printed table its consultation; None: no word fits."""

    play: Play | None


class Attest(msgspec.Struct, frozen=True, tag="attest"):
    """By the host: whether every human vouches that the doubtful words stand in a dictionary."""

    accepted: bool


Move = Contribute | Propose | Agree | Object | Withdraw | Ask | Consult | Hint | Attest


# Events


class RoundBegan(msgspec.Struct, frozen=True, tag="round"):
    """A new round and its villain letter."""

    round: int
    villain: str


class Drew(msgspec.Struct, frozen=True, tag="drew"):
    """A seat filled its rack; ``letters`` None for others. ``bag``: tiles left in its bag."""

    seat: int
    letters: tuple[str, ...] | None
    count: int
    bag: int


class Contributed(msgspec.Struct, frozen=True, tag="contributed"):
    """A seat laid letters face down; None for others until the reveal."""

    seat: int
    letters: tuple[str, ...] | None


class Revealed(msgspec.Struct, frozen=True, tag="revealed"):
    """All contributions, by seat; ``extra``: the solo player's two random letters."""

    letters: tuple[tuple[str, ...], ...]
    extra: tuple[str, ...] = ()


class Proposed(msgspec.Struct, frozen=True, tag="proposed"):
    """A seat brought a matter before the team."""

    seat: int
    matter: Matter


class Agreed(msgspec.Struct, frozen=True, tag="agreed"):
    """A seat agreed."""

    seat: int


class Objected(msgspec.Struct, frozen=True, tag="objected"):
    """A seat objected."""

    seat: int


class Withdrew(msgspec.Struct, frozen=True, tag="withdrew"):
    """A seat took its proposal back."""

    seat: int


class Carried(msgspec.Struct, frozen=True, tag="carried"):
    """The open proposal passed; ``silent`` seats had said nothing when patience ran out."""

    silent: tuple[int, ...] = ()


class Asked(msgspec.Struct, frozen=True, tag="asked"):
    """A seat asked the team for ideas."""

    seat: int


class Formed(msgspec.Struct, frozen=True, tag="formed"):
    """A word: its letters, where it begins, its Vocabulary Points."""

    word: str
    row: int
    col: int
    across: bool
    vp: int


class Placed(msgspec.Struct, frozen=True, tag="placed"):
    """Letters laid; every word formed or extended, main word first."""

    play: Play
    words: tuple[Formed, ...]
    vp: int


class Collected(msgspec.Struct, frozen=True, tag="collected"):
    """A POI tile collected; number 0 is ``?``."""

    row: int
    col: int
    number: int


class Passed(msgspec.Struct, frozen=True, tag="passed"):
    """No word this round."""


class Recasted(msgspec.Struct, frozen=True, tag="recasted"):
    """Wildcards on the map stand for other letters."""

    letters: tuple[tuple[int, int, str], ...]


class VillainLost(msgspec.Struct, frozen=True, tag="villain_lost"):
    """The villain letter was left over. ``vp``: what was really lost, since no score drops below 0."""

    letter: str
    vp: int


class Stored(msgspec.Struct, frozen=True, tag="stored"):
    """Letters that went to Letter Storage this round."""

    letters: tuple[str, ...]


class Discarded(msgspec.Struct, frozen=True, tag="discarded"):
    """Letters that found no room and what they cost."""

    letters: tuple[str, ...]
    vp: int


class Consulted(msgspec.Struct, frozen=True, tag="consulted"):
    """The dictionary's answer to the team's one question."""

    seat: int
    word: str
    legal: bool


class Hinted(msgspec.Struct, frozen=True, tag="hinted"):
    """A hint that the team asked for; None: no word fits."""

    seat: int
    play: Play | None


class Doubted(msgspec.Struct, frozen=True, tag="doubted"):
    """The goal is met, but the lexicon lacks these words of the map."""

    words: tuple[str, ...]


class Attested(msgspec.Struct, frozen=True, tag="attested"):
    """Whether the team vouched for the doubtful words."""

    accepted: bool


Reason = Literal["success", "illegal", "bag", "poi", "conceded"]


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The game is over."""

    won: bool
    reason: Reason
    vp: int
    poi: int
    rounds: int
    illegal: tuple[str, ...] = ()


Event = (
    RoundBegan
    | Drew
    | Contributed
    | Revealed
    | Proposed
    | Agreed
    | Objected
    | Withdrew
    | Carried
    | Asked
    | Placed
    | Collected
    | Passed
    | Recasted
    | VillainLost
    | Stored
    | Discarded
    | Consulted
    | Hinted
    | Doubted
    | Attested
    | Ended
)


class Public(msgspec.Struct, frozen=True):
    """What lies open on the table."""

    seats: int
    goal: Goal
    city: City
    referee: Referee
    patience: int  # ms
    pace: Literal["live", "slow"]
    round: int
    phase: Phase
    since: int  # table time at which the phase began, ms
    vp: int
    villain: str | None  # face up on the Commons Board
    villain_left: int
    contributed: tuple[Tile, ...]
    storage: tuple[Tile, ...]
    laid: tuple[Laid, ...]
    pois: tuple[Poi, ...]  # still on the map
    collected: tuple[int, ...]  # in the order collected; 0 is ``?``
    discarded: tuple[Tile, ...]
    proposal: Proposal | None = None
    tried: tuple[Matter, ...] = ()  # proposed this phase, then replaced or withdrawn
    ideas: bool = False  # somebody asked for ideas, and nothing has been proposed since
    consulted: tuple[Consulted, ...] = ()
    hints: int = 0
    attested: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()  # in phase ``verify``
    ended: Ended | None = None

    @property
    def share(self) -> int:
        """How many letters each seat contributes in a round: one, or two with one or two players."""
        return 1 if self.seats > 2 else 2


class State(msgspec.Struct, frozen=True):
    """Everything. Bags are in drawing order; the last tile is drawn next."""

    public: Public
    racks: tuple[tuple[str, ...], ...]  # sorted
    bags: tuple[tuple[str, ...], ...]
    spare: tuple[tuple[str, ...], ...]  # whole bags not in play yet
    lucky: tuple[str, ...]  # solo: the bag of the random letters
    villain_bag: tuple[str, ...]
    sealed: tuple[tuple[str, ...] | None, ...]  # this round's contributions, face down


class View(msgspec.Struct, frozen=True):
    """What one viewer may know; ``seat`` None is everyone."""

    public: Public
    seat: int | None
    rack: tuple[str, ...]  # own
    mine: tuple[str, ...] | None  # own sealed contribution
    sealed: tuple[bool, ...]  # who has contributed
    rack_sizes: tuple[int, ...]
    bag_sizes: tuple[int, ...]
    unseen: tuple[tuple[str, ...], ...]  # by seat, sorted: what its hidden tiles are, together
    spare: int  # bags not in play
    lucky_unseen: tuple[str, ...]  # solo: what is left in the bag of random letters, sorted
    villain_unseen: tuple[str, ...]  # what the villain bag may still hold, sorted
