"""The contract: what every game offers to the host, in this order.

A game does not know Discord, the database, the wall clock or who is human. It is an object of pure functions over
frozen values: a *state* (everything), a *move* (what a seat wants), *events* (what happened) and *views* (what one
seat may know). The host calls nothing but what stands here, so five games share one way of committing, publishing,
pausing, undoing and replaying; and the laws in ``bot/games/laws.py`` hold for each of them.

Time is *table time*: milliseconds since the deal, standing still while the table is paused or the bot is down.
Seats are numbered from 0. ``seat=None`` as the viewer means everyone (what the channel sees); as the mover it
means the host (an expired clock, a vote of the humans).
"""

from __future__ import annotations

import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from bot.games.chance import Chance

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741 - the fifth of a row: state, move, view, event, options
T = TypeVar("T")

Undo = Literal["never", "next", "own"]

ANY = "?"  # in a pattern: any one letter


class IllegalMove(Exception):  # noqa: N818 - the field's word
    """A refusal: one helpful sentence for the player who tried. Nothing has changed."""


class Lexicon(Protocol):
    """What rules may ask about words (``bot.words.lexicon.Lexicon`` is the real one)."""

    def legal(self, word: str) -> bool:
        """Whether ``word`` (A-Z, upper case) is in the *full* tier."""
        ...

    def common(self, word: str) -> bool:
        """Whether ``word`` is in the *common* tier, which holds no word that offends."""
        ...

    def same(self, first: str, second: str) -> bool:
        """Whether two words are one in two spellings (symmetric)."""
        ...

    def related(self, first: str, second: str) -> bool:
        """Whether two words are of one family (symmetric)."""
        ...

    def number_pair(self, first: str, second: str) -> bool:
        """Whether one of two words can be the plural of the other (symmetric)."""
        ...

    def matching(self, pattern: str) -> Sequence[str]:
        """Return the words of the *full* tier that ``pattern`` (A-Z, ``?`` for any one letter) fits, in order."""
        ...


class Words:
    """The lexicon as one move sees it: each question and its answer is recorded beside the move.

    A replay is given the record as ``known`` and answers from it first, so that rebuilding the lexicon never
    changes an old game. ``known`` may also hold words that a table or a server has added or barred.

    A question is a word, two words of a family (``HOME~HOMES``), a word and its plural (``HOME|HOMES``), two spellings
    (``COLOR=COLOUR``) or a pattern (``C?D?``). A pattern is recorded as answered, and each word that it fits as legal; what else would fit it was not
    legal.
    """

    def __init__(self, lexicon: Lexicon, known: Mapping[str, bool] | None = None) -> None:
        self.lexicon = lexicon
        self.known = dict(known or {})
        self.asked: dict[str, bool] = {}

    def legal(self, word: str) -> bool:
        """Whether ``word`` is legal at this table."""
        return self._answer(word, lambda: self.lexicon.legal(word))

    def same(self, first: str, second: str) -> bool:
        """Whether the two words are one in two spellings."""
        low, high = sorted((first, second))
        return self._answer(f"{low}={high}", lambda: self.lexicon.same(low, high))

    def related(self, first: str, second: str) -> bool:
        """Whether the two words are of one family."""
        low, high = sorted((first, second))
        return self._answer(f"{low}~{high}", lambda: self.lexicon.related(low, high))

    def number_pair(self, first: str, second: str) -> bool:
        """Whether one of the two words can be the plural of the other."""
        low, high = sorted((first, second))
        return self._answer(f"{low}|{high}", lambda: self.lexicon.number_pair(low, high))

    def matching(self, pattern: str) -> tuple[str, ...]:
        """Return the words legal at this table that ``pattern`` fits, in alphabetical order.

        ``pattern`` is of A-Z and ``?``, which is any one letter.
        """
        if ANY not in pattern:
            return (pattern,) if self.legal(pattern) else ()
        answers = {**self.known, **self.asked}
        fits = re.compile(pattern.replace(ANY, "[A-Z]")).fullmatch
        found = {word for word, legal in answers.items() if legal and fits(word)}
        if pattern not in answers:
            found.update(word for word in self.lexicon.matching(pattern) if answers.get(word, True))
        self.asked[pattern] = True
        self.asked.update(dict.fromkeys(found, True))
        return tuple(sorted(found))

    def _answer(self, question: str, ask: Any) -> bool:
        answer = self.asked.get(question)
        if answer is None:
            answer = self.known.get(question)
            if answer is None:
                answer = bool(ask())
            self.asked[question] = answer
        return answer


class Moment(msgspec.Struct, frozen=True):
    """The only door of the rules to time, chance and the lexicon."""

    now: int  # ms of table time
    chance: Chance
    words: Words


class Turn(msgspec.Struct, Generic[S, E], frozen=True):
    """What a move leads to.

    ``undo``: ``never`` when something hidden was drawn, rolled or revealed; ``next`` until another seat moves;
    ``own`` when others' later moves do not stand in the way.
    """

    state: S
    events: tuple[E, ...]
    undo: Undo = "never"


class Plan(msgspec.Struct, Generic[M], frozen=True):
    """What an automaton wants: ``move`` at table time ``at`` (ms; the past means at once), or, ``move`` None, to be
    asked again then. Asked again of the same view at ``at`` it must answer with a time that has come.
    """

    move: M | None
    at: int = 0


class Result(msgspec.Struct, frozen=True):
    """How a game ended. ``won`` for co-operative games; ``scores`` by seat for the others."""

    won: bool | None = None
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()


class Record(msgspec.Struct, frozen=True):
    """What a seat's finished game leaves for the lists of the best.

    ``course``: what was played, such as a dungeon; records of one course are compared by score, then by fewer turns.
    ``detail``: the game's own figures.
    """

    seat: int
    course: str
    score: int
    turns: int = 0
    detail: dict[str, int] = {}


class Codec(Generic[T]):
    """Values of one type to JSON bytes and back; equal values are equal bytes in every process."""

    def __init__(self, kind: Any) -> None:
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind)
        self._encoder = msgspec.json.Encoder(order="deterministic")

    def load(self, raw: bytes) -> T:
        """Return the value; raises ``msgspec.DecodeError`` for bytes that hold none."""
        return self._decoder.decode(raw)

    def dump(self, value: T) -> bytes:
        """Return the value's bytes."""
        return self._encoder.encode(value)


def epoch_of(may: tuple[Any, ...]) -> int:
    """Return an epoch (below 2**32) for what decides what a seat may do: the same for equal values in every process."""
    return zlib.crc32(msgspec.json.encode(may, order="deterministic"))


class Game(ABC, Generic[S, M, V, E, O]):
    """A game. Every method is pure; none but ``choose`` and ``search`` may take more than a few milliseconds.

    What is abstract each game writes; what has a body here is the default for a game that has nothing of the kind.
    """

    key: str
    title: str
    version: int
    states: Codec[S]
    moves: Codec[M]
    events: Codec[tuple[E, ...]]
    options: Codec[O]

    @abstractmethod
    def seats(self, options: O) -> range:
        """Return the possible numbers of seats under ``options``."""

    def standard_words(self, options: O, seats: int) -> bool:
        """Whether such a table is dealt with the shipped lexicon alone, so that it can be compared with others."""
        return False

    @abstractmethod
    def deal(self, seats: int, options: O, at: Moment) -> S:
        """Return the first state; raises IllegalMove for options that do not go together."""

    @abstractmethod
    def play(self, state: S, seat: int | None, move: M, at: Moment) -> Turn[S, E]:
        """Return what ``move`` leads to; raises IllegalMove and then nothing has changed."""

    @abstractmethod
    def expire(self, state: S, at: Moment) -> Turn[S, E]:
        """Return the default that silence leads to, once ``due`` has come."""

    @abstractmethod
    def due(self, state: S) -> int | None:
        """Return the table time (ms) of the next default, grace included."""

    @abstractmethod
    def awaited(self, state: S) -> frozenset[int]:
        """Return the seats without which the table cannot go on."""

    @abstractmethod
    def epoch(self, state: S, seat: int | None) -> int:
        """Return a number that changes when what the seat may do changes. Below 2**32 (``epoch_of``)."""

    def hear(self, state: S, seat: int, text: str, at: Moment) -> M | None:
        """Return the move that a channel message amounts to, if any."""
        return None

    @abstractmethod
    def seen_by(self, state: S, seat: int | None) -> V:
        """Return what the viewer may know; secrets are not in it in any form."""

    @abstractmethod
    def heard_by(self, event: E, seat: int | None) -> E | None:
        """Return the event without what the viewer may not know, or None."""

    @abstractmethod
    def imagine(self, view: V, seat: int | None, chance: Chance) -> S:
        """Return some state that this viewer cannot tell from the true one."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """Return the result once the game is over."""

    def forfeit(self, state: S) -> Result | None:
        """Return the result when all its people end a game before its time; None leaves no record."""
        return None

    def records(self, state: S) -> tuple[Record, ...]:
        """Return what a game that is over, or ended now by its people, leaves for the lists of the best."""
        return ()

    @abstractmethod
    def choose(self, view: V, seat: int, skill: int, at: Moment) -> Plan[M] | None:
        """Return an automaton's plan (skill 0 to 2), or None when it has nothing to do."""

    def search(self, verb: str, view: V, seat: int, at: Moment) -> Any:
        """Return what a player has looked up, such as a hint; raises ValueError for a verb that finds nothing here.

        It is asked in another process, so what is found can be pickled. ``at`` has the time 0 and always the same chance.
        """
        raise ValueError(f"{self.key} looks nothing up for {verb!r}")

    def upgrade(self, raw: bytes, version: int) -> S:
        """Return a state that release ``version`` of the game saved; raises ValueError for one that never was."""
        if version != self.version:
            raise ValueError(f"there is no version {version} of {self.key}")
        return self.states.load(raw)

    def inventory(self, state: S) -> tuple[str, ...] | None:
        """Return everything that neither comes into being nor is lost, for the law of conservation; None: no such things."""
        return None
