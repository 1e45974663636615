"""Word Dungeon: what a dungeon is, what happens at a table, who may see it, what can be done, what can happen.

Everything is a frozen value. A *run* is one way through the dungeon: its words in the order laid. Solo and party have one
run; in a race each seat has its own, and others see of it no more than a ``Progress`` until the race is over. What follows
from the words of a run (letters, keys, strikes, points) is not stored: ``placement.position`` derives it.

Squares are (row, column) from 0 at the top left of the map; players read ``E5``: column letter, row from 1.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from bot.games import proposal
from bot.games.dungeon.bylaws import Rule
from bot.games.dungeon.ground import Monster

Mode = Literal["auto", "solo", "party", "race"]
Medal = Literal["bronze", "silver", "gold"]

TIERS = 4
MOST_SEATS = 8
LIVE_MINUTES, SLOW_MINUTES = 15, 3 * 24 * 60  # of a race, unless the lobby says otherwise
LONGEST_RACE = 7 * 24 * 60  # minutes


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is worth points on leaving; a dead monster is worth its coin."""

    leave: int = 3
    chest: int = 0
    gem: int = 0
    key: int = 0
    door: int = 0


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character of the map that is floor and more; ``name`` is what players call such a square."""

    mark: str
    name: str


class Dungeon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A dungeon. ``rows``: the map, see ``dungeons``. ``turns``: the limit. ``par``: the highest base known.

    ``best``: a route that scores par, a turn an item as ``placement.written`` writes it. Tables do without it.
    """

    key: str
    name: str
    tier: int
    story: str
    teaches: str = ""
    rows: tuple[str, ...]
    legend: tuple[Mark, ...] = ()
    turns: int
    monsters: tuple[Monster, ...] = ()
    scoring: Scoring = Scoring()
    rules: tuple[Rule, ...] = ()
    par: int
    best: tuple[str, ...] = ()


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a lobby chooses.

    ``mode``: ``auto`` is solo for one seat, else a race. ``dungeon``: the key of a shipped one, ``any``, or ``easy`` for
    any of tier 1. ``custom``: another instead, such as a generated one. ``minutes`` of a race, 0: 15 live, three days
    slow. ``daily``: the date whose dungeon this is; its letters stay with the players.
    """

    mode: Mode = "auto"
    dungeon: str = "any"
    custom: Dungeon | None = None
    minutes: int = 0
    pace: Literal["live", "slow"] = "live"
    daily: str = ""


# What can be done


class Place(msgspec.Struct, frozen=True, tag="place"):
    """Lay a word as it will read on the map, from its first square.

    ``strikes``: how many letters each monster loses; None leaves it to the rules, which ask when there is a choice.
    """

    word: str
    row: int
    col: int
    across: bool
    strikes: tuple[int, ...] | None = None


class TakeBack(msgspec.Struct, frozen=True, tag="take_back"):
    """Take the last turn of the run back."""


class GiveUp(msgspec.Struct, frozen=True, tag="give_up"):
    """Leave the dungeon by the way one came: no points."""


class Hint(msgspec.Struct, frozen=True, tag="hint"):
    """A word that the host found for the player; None: none was found. It marks the run."""

    place: Place | None


class Agree(msgspec.Struct, frozen=True, tag="agree"):
    """Party: agree to what is proposed."""


class Object(msgspec.Struct, frozen=True, tag="object"):
    """Party: object to what is proposed."""


class Withdraw(msgspec.Struct, frozen=True, tag="withdraw"):
    """Party: take one's own proposal back."""


Matter = Place | TakeBack | GiveUp  # in a party, making one of these moves proposes it
Move = Place | TakeBack | GiveUp | Hint | Agree | Object | Withdraw


# What lies on the table


class Ended(msgspec.Struct, frozen=True):
    """How a run ended, at table time ``at`` (ms). ``base`` and ``bonus`` are 0 unless the exit was reached."""

    how: Literal["out", "gave_up", "time"]
    at: int
    turns: int
    base: int = 0
    bonus: int = 0

    @property
    def score(self) -> int:
        """Base and bonus together."""
        return self.base + self.bonus


class Run(msgspec.Struct, frozen=True):
    """A way through the dungeon: the words laid, with their strikes; what was taken back is not among them.

    ``since``: table time (ms) of its last change. ``changes``: how often it has changed.
    """

    places: tuple[Place, ...] = ()
    hints: int = 0
    since: int = 0
    changes: int = 0
    ended: Ended | None = None


class Progress(msgspec.Struct, frozen=True):
    """What everybody may know of a run in a race."""

    turns: int
    hints: int
    ended: Ended | None


class Proposal(proposal.Proposal[Matter], frozen=True):
    """A matter before the party."""


class Public(msgspec.Struct, frozen=True):
    """What lies open. ``ends``: table time (ms) at which a race is over."""

    seats: int
    mode: Literal["solo", "party", "race"]
    dungeon: Dungeon  # without its best route
    daily: str = ""
    ends: int | None = None
    proposal: Proposal | None = None
    tried: tuple[Matter, ...] = ()  # proposed since the last turn, then dropped, replaced or withdrawn
    over: bool = False


class State(msgspec.Struct, frozen=True):
    """Everything. ``runs``: one, or in a race one a seat."""

    public: Public
    runs: tuple[Run, ...]

    def run_of(self, seat: int) -> Run:
        """Return the run that a seat plays."""
        return self.runs[seat if self.public.mode == "race" else 0]


class View(msgspec.Struct, frozen=True):
    """What one viewer may know; ``seat`` None is everyone.

    ``run``: the viewer's own, or the party's. ``progress``: of every run. ``runs``: all of them, once all may be seen.
    """

    public: Public
    seat: int | None
    run: Run | None
    progress: tuple[Progress, ...]
    runs: tuple[Run, ...] | None


# What can happen


class Deeds(msgspec.Struct, frozen=True):
    """What a turn did: its word, all words formed (the main one first), what was collected, opened, struck, killed.

    ``chests``, ``keys`` and ``doors`` are letters; ``gems`` counts those that would be collected by leaving now.
    ``struck``: (name, letters) each.
    """

    place: Place
    placed: str
    words: tuple[str, ...]
    chests: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    doors: tuple[str, ...] = ()
    gems: int = 0
    struck: tuple[tuple[str, str], ...] = ()
    killed: tuple[str, ...] = ()
    points: int = 0  # how much the base has grown, were one to leave


class Placed(msgspec.Struct, frozen=True, tag="placed"):
    """A turn was taken; ``deeds`` None for who may not see it. ``shared``: everybody may."""

    seat: int
    turn: int
    deeds: Deeds | None
    shared: bool = False


class TookBack(msgspec.Struct, frozen=True, tag="took_back"):
    """A turn was taken back; ``place`` None for who may not see it. ``shared``: everybody may."""

    seat: int
    turn: int
    place: Place | None
    shared: bool = False


class Hinted(msgspec.Struct, frozen=True, tag="hinted"):
    """A hint was asked for; ``place`` None: nothing was found, or it is not for who hears this. ``shared``: it is for all."""

    seat: int
    place: Place | None
    shared: bool = False


class Left(msgspec.Struct, frozen=True, tag="left"):
    """The exit was reached. A party leaves together, whoever's word it was."""

    seat: int
    turns: int
    base: int
    bonus: int
    medal: Medal | None


class GaveUp(msgspec.Struct, frozen=True, tag="gave_up"):
    """A run was given up."""

    seat: int


class TimeRanOut(msgspec.Struct, frozen=True, tag="time"):
    """The race is over, and these seats are still inside."""

    seats: tuple[int, ...]


class Proposed(msgspec.Struct, frozen=True, tag="proposed"):
    """Party: a seat brought a matter before all."""

    seat: int
    matter: Matter


class Agreed(msgspec.Struct, frozen=True, tag="agreed"):
    """Party: a seat agreed."""

    seat: int


class Objected(msgspec.Struct, frozen=True, tag="objected"):
    """Party: a seat objected."""

    seat: int


class Withdrew(msgspec.Struct, frozen=True, tag="withdrew"):
    """Party: a seat took its proposal back."""

    seat: int


class Carried(msgspec.Struct, frozen=True, tag="carried"):
    """Party: a majority agreed."""


class Dropped(msgspec.Struct, frozen=True, tag="dropped"):
    """Party: no majority can come about any more."""


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """The game is over; ``scores`` and ``winners`` as in its result."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


Event = (
    Placed
    | TookBack
    | Hinted
    | Left
    | GaveUp
    | TimeRanOut
    | Proposed
    | Agreed
    | Objected
    | Withdrew
    | Carried
    | Dropped
    | Finished
)
