"""Hush, the smallest game that uses the whole contract: for testing the laws and the host, not for playing.

Two to four seats hold three cards each of a deck of 24 (A to H, three of each). A round has two phases.

- *Seal*: all at once, each seat lays a card face down (``Seal``, undo ``own``). The last one turns all up: the highest
  card takes its letter's place in the alphabet in points, ties to the lowest seat. After 30 s the clock seals the
  lowest card of who has not.
- *Stake*: in seat order each seat stakes 0, 1 or 2 points (``Stake``, undo ``next``); before that it may ask once
  whether a word is legal (``Spell``, undo ``next``), a point if so. The last stake draws for all (``never``). After
  20 s the clock stakes 0.

When a draw finds too few cards the game is over. The host may ``Halt`` it. With the option ``team`` it is won together
at ten points or more.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from bot.games.chance import Chance
from bot.games.game import Codec, Game, IllegalMove, Moment, Plan, Result, Turn

DECK = tuple("ABCDEFGH" * 3)
HAND = 3
SEAL_TIME = 30_000
STAKE_TIME = 20_000


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pace: Literal["live", "slow"] = "live"
    rounds: int = 9
    team: bool = False


class Seal(msgspec.Struct, frozen=True, tag="seal"):
    card: str


class Stake(msgspec.Struct, frozen=True, tag="stake"):
    points: int


class Spell(msgspec.Struct, frozen=True, tag="spell"):
    word: str


class Halt(msgspec.Struct, frozen=True, tag="halt"):
    pass


Move = Seal | Stake | Spell | Halt


class Sealed(msgspec.Struct, frozen=True, tag="sealed"):
    seat: int
    card: str | None


class Shown(msgspec.Struct, frozen=True, tag="shown"):
    cards: tuple[str, ...]
    winner: int


class Staked(msgspec.Struct, frozen=True, tag="staked"):
    seat: int
    points: int


class Spelled(msgspec.Struct, frozen=True, tag="spelled"):
    seat: int
    word: str
    legal: bool


class Drew(msgspec.Struct, frozen=True, tag="drew"):
    seat: int
    card: str | None


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    scores: tuple[int, ...]


Event = Sealed | Shown | Staked | Spelled | Drew | Ended


class Public(msgspec.Struct, frozen=True):
    options: Options
    phase: Literal["seal", "stake", "over"]
    round: int
    since: int
    scores: tuple[int, ...]
    stakes: tuple[int, ...] = ()  # of this round, in seat order
    spelled: tuple[int, ...] = ()  # seats that have asked this round
    won: tuple[str, ...] = ()  # every card that was shown, in order


class State(msgspec.Struct, frozen=True):
    public: Public
    hands: tuple[tuple[str, ...], ...]  # sorted
    deck: tuple[str, ...]  # the last is drawn next
    sealed: tuple[str | None, ...]


class View(msgspec.Struct, frozen=True):
    public: Public
    seat: int | None
    hand: tuple[str, ...]
    mine: str | None
    sealed: tuple[bool, ...]
    hand_sizes: tuple[int, ...]
    deck: int
    unseen: tuple[str, ...]


def value(card: str) -> int:
    return ord(card) - ord("A") + 1


def minus(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


class Toy(Game[State, Move, View, Event, Options]):
    key = "toy"
    title = "Hush"
    version = 1
    states = Codec(State)
    moves = Codec(Move)
    events = Codec(tuple[Event, ...])
    options = Codec(Options)

    def seats(self, options: Options) -> range:
        return range(2, 5)

    def deal(self, seats: int, options: Options, at: Moment) -> State:
        if options.rounds < 1:
            raise IllegalMove("A game needs a round at least.")
        deck = at.chance.shuffled(DECK)
        hands = tuple(tuple(sorted(deck[seat * HAND : (seat + 1) * HAND])) for seat in range(seats))
        public = Public(options, "seal", 1, at.now, (0,) * seats)
        return State(public, hands, deck[seats * HAND :], (None,) * seats)

    def play(self, state: State, seat: int | None, move: Move, at: Moment) -> Turn[State, Event]:
        if state.public.phase == "over":
            raise IllegalMove("The game is over.")
        if isinstance(move, Halt):
            if seat is not None:
                raise IllegalMove("Only the host halts a game.")
            over, events = self._over(state)
            return Turn(over, events)
        if seat is None:
            raise IllegalMove("Only a seat makes that move.")
        if isinstance(move, Seal):
            return self._seal(state, seat, move.card, at)
        if isinstance(move, Spell):
            return self._spell(state, seat, move.word, at)
        return self._stake(state, seat, move.points, at)

    def expire(self, state: State, at: Moment) -> Turn[State, Event]:
        events: tuple[Event, ...] = ()
        if state.public.phase == "seal":
            for seat in sorted(self.awaited(state)):
                turn = self._seal(state, seat, state.hands[seat][0], at)
                state, events = turn.state, events + turn.events
            return Turn(state, events)
        (seat,) = self.awaited(state)
        turn = self._stake(state, seat, 0, at)
        return Turn(turn.state, turn.events, "never")

    def due(self, state: State) -> int | None:
        if state.public.phase == "over":
            return None
        return state.public.since + (SEAL_TIME if state.public.phase == "seal" else STAKE_TIME)

    def awaited(self, state: State) -> frozenset[int]:
        if state.public.phase == "over":
            return frozenset()
        if state.public.phase == "seal":
            return frozenset(seat for seat, card in enumerate(state.sealed) if card is None)
        return frozenset({len(state.public.stakes)})

    def epoch(self, state: State, seat: int | None) -> int:
        own = seat is not None and state.sealed[seat] is not None
        turn = seat is not None and state.public.phase == "stake" and seat == len(state.public.stakes)
        spelled = turn and seat in state.public.spelled
        phase = ("seal", "stake", "over").index(state.public.phase)
        return ((state.public.round * 4 + phase) * 2 + own) * 4 + 2 * turn + spelled

    def seen_by(self, state: State, seat: int | None) -> View:
        hidden = [card for own, hand in enumerate(state.hands) if own != seat for card in hand]
        hidden += [card for own, card in enumerate(state.sealed) if card is not None and own != seat]
        return View(
            state.public,
            seat,
            () if seat is None else state.hands[seat],
            None if seat is None else state.sealed[seat],
            tuple(card is not None for card in state.sealed),
            tuple(len(hand) for hand in state.hands),
            len(state.deck),
            tuple(sorted((*hidden, *state.deck))),
        )

    def heard_by(self, event: Event, seat: int | None) -> Event | None:
        if isinstance(event, Sealed | Drew) and event.seat != seat:
            return msgspec.structs.replace(event, card=None)
        return event

    def imagine(self, view: View, seat: int | None, chance: Chance) -> State:
        rest = list(chance.shuffled(view.unseen))
        hands: list[tuple[str, ...]] = []
        sealed: list[str | None] = []
        for other, (size, laid) in enumerate(zip(view.hand_sizes, view.sealed, strict=True)):
            if other == seat:
                hands.append(view.hand)
                sealed.append(view.mine)
                continue
            hands.append(tuple(sorted(rest.pop() for _ in range(size))))
            sealed.append(rest.pop() if laid else None)
        return State(view.public, tuple(hands), tuple(rest), tuple(sealed))

    def result(self, state: State) -> Result | None:
        if state.public.phase != "over":
            return None
        scores = state.public.scores
        if state.public.options.team:
            return Result(won=sum(scores) >= 10)
        best = max(scores)
        return Result(
            scores=scores, winners=tuple(seat for seat, score in enumerate(scores) if score == best)
        )

    def choose(self, view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
        public = view.public
        if public.phase == "seal" and view.mine is None:
            slow = at.chance.below(12) == 0  # now and then the clock has to help
            card = view.hand[-1] if skill == 2 else at.chance.pick(view.hand)
            return Plan(Seal(card), public.since + (SEAL_TIME * 2 if slow else 1_000 + 500 * seat))
        if public.phase == "stake" and seat == len(public.stakes):
            if at.now < public.since + 2_000:
                return Plan(None, public.since + 2_000)
            if skill > 0 and seat not in public.spelled:
                return Plan(Spell("".join(view.hand) or "A"), at.now)
            points = at.chance.pick([points for points in (0, 1, 2) if points <= public.scores[seat]])
            return Plan(Stake(points), at.now)
        return None

    def upgrade(self, raw: bytes, version: int) -> State:
        return self.states.load(raw)

    def inventory(self, state: State) -> tuple[str, ...]:
        hands = [card for hand in state.hands for card in hand]
        sealed = [card for card in state.sealed if card is not None]
        return tuple(sorted((*hands, *sealed, *state.deck, *state.public.won)))

    def _seal(self, state: State, seat: int, card: str, at: Moment) -> Turn[State, Event]:
        if state.public.phase != "seal":
            raise IllegalMove("The cards of this round are laid.")
        if state.sealed[seat] is not None:
            raise IllegalMove("You have laid your card.")
        if card not in state.hands[seat]:
            raise IllegalMove(f"You hold no {card}.")
        hands = tuple(minus(hand, card) if own == seat else hand for own, hand in enumerate(state.hands))
        sealed = tuple(card if own == seat else laid for own, laid in enumerate(state.sealed))
        events: tuple[Event, ...] = (Sealed(seat, card),)
        state = State(state.public, hands, state.deck, sealed)
        shown = tuple(laid for laid in sealed if laid is not None)
        if len(shown) < len(sealed):
            return Turn(state, events, "own")
        winner = max(range(len(shown)), key=lambda own: (value(shown[own]), -own))
        scores = tuple(
            score + (value(shown[own]) if own == winner else 0)
            for own, score in enumerate(state.public.scores)
        )
        public = msgspec.structs.replace(
            state.public, phase="stake", since=at.now, scores=scores, won=state.public.won + shown
        )
        state = State(public, hands, state.deck, (None,) * len(shown))
        return Turn(state, (*events, Shown(shown, winner)), "never")

    def _spell(self, state: State, seat: int, word: str, at: Moment) -> Turn[State, Event]:
        self._check_turn(state, seat)
        if seat in state.public.spelled:
            raise IllegalMove("You have asked for a word this round.")
        legal = at.words.legal(word)
        scores = self._scored(state, seat, int(legal))
        public = msgspec.structs.replace(state.public, scores=scores, spelled=(*state.public.spelled, seat))
        return Turn(msgspec.structs.replace(state, public=public), (Spelled(seat, word, legal),), "next")

    def _stake(self, state: State, seat: int, points: int, at: Moment) -> Turn[State, Event]:
        self._check_turn(state, seat)
        if points not in (0, 1, 2):
            raise IllegalMove("You stake 0, 1 or 2 points.")
        if points > state.public.scores[seat]:
            raise IllegalMove(f"You have only {state.public.scores[seat]} points to stake.")
        public = msgspec.structs.replace(
            state.public,
            scores=self._scored(state, seat, -points),
            stakes=(*state.public.stakes, points),
            since=at.now,
        )
        events: tuple[Event, ...] = (Staked(seat, points),)
        state = msgspec.structs.replace(state, public=public)
        if len(public.stakes) < len(public.scores):
            return Turn(state, events, "next")
        if len(state.deck) < len(public.scores) or public.round == public.options.rounds:
            state, ended = self._over(state)
            return Turn(state, events + ended)
        return self._draw(state, events, at)

    def _draw(self, state: State, events: tuple[Event, ...], at: Moment) -> Turn[State, Event]:
        hands, deck = list(state.hands), list(state.deck)
        for seat in range(len(hands)):
            card = deck.pop()
            hands[seat] = tuple(sorted((*hands[seat], card)))
            events = (*events, Drew(seat, card))
        public = msgspec.structs.replace(
            state.public, phase="seal", round=state.public.round + 1, since=at.now, stakes=(), spelled=()
        )
        return Turn(State(public, tuple(hands), tuple(deck), state.sealed), events)

    def _over(self, state: State) -> tuple[State, tuple[Event, ...]]:
        public = msgspec.structs.replace(state.public, phase="over")
        return msgspec.structs.replace(state, public=public), (Ended(public.scores),)

    def _check_turn(self, state: State, seat: int) -> None:
        if state.public.phase != "stake":
            raise IllegalMove("The cards of this round are not laid yet.")
        if seat != len(state.public.stakes):
            raise IllegalMove("It is another seat's turn.")

    def _scored(self, state: State, seat: int, points: int) -> tuple[int, ...]:
        return tuple(
            score + points if own == seat else score for own, score in enumerate(state.public.scores)
        )


TOY = Toy()
