"""Every law holds for a sound game, and catches the game that breaks it."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games import GAMES, laws
from bot.games.chance import Chance
from bot.games.defenders import state as defenders
from bot.games.defenders.rules import DEFENDERS, Defenders
from bot.games.game import Codec, IllegalMove, Moment, Plan, Result, Turn, Words
from bot.games.laws import BrokenLaw
from bot.games.log import Entry, Log, replayed
from bot.simulate import Automata, Outcome, Setting, simulated
from bot.words.lexicon import Lexicon
from tests.games.toy import (
    DECK,
    TOY,
    Drew,
    Event,
    Move,
    Options,
    Sealed,
    State,
    Toy,
    View,
)


class EvenWords:
    """A lexicon in which a word is legal when its length is even."""

    def legal(self, word: str) -> bool:
        return len(word) % 2 == 0

    def common(self, word: str) -> bool:
        return self.legal(word)

    def related(self, first: str, second: str) -> bool:
        return first == second

    def matching(self, pattern: str) -> list[str]:
        raise AssertionError("the toy asks for no pattern")


def play(game: Toy, index: int = 0, *, seats: int = 3, skill: int = 1, bound: int = 200) -> Outcome:
    setting = Setting("toy", game.options.dump(Options()), seats, "laws", skill, bound)
    return simulated(game, setting, index, EvenWords())


def broken_by(game: Toy, games: int = 3) -> set[str]:
    return {breach.law for index in range(games) for breach in play(game, index).breaches}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("skill", [0, 1, 2])
def test_a_sound_game_breaks_no_law(seats: int, skill: int) -> None:
    outcome = play(TOY, seats=seats, skill=skill)
    assert outcome.breaches == ()
    assert outcome.sound
    assert outcome.result is not None
    assert outcome.moves > 20


# Games that break one law each


class Forger(Toy):
    """Draws a card without taking it off the deck."""

    def _draw(self, state: State, events: tuple[Event, ...], at: Moment) -> Turn[State, Event]:
        turn = super()._draw(state, events, at)
        return Turn(msgspec.structs.replace(turn.state, deck=state.deck), turn.events)


class Forgetful(Toy):
    """Saves no scores."""

    class Saves(Codec[State]):
        def load(self, raw: bytes) -> State:
            state = super().load(raw)
            public = msgspec.structs.replace(state.public, scores=(0,) * len(state.hands))
            return msgspec.structs.replace(state, public=public)

    states = Saves(State)


class Rewriter(Toy):
    """Reads every card in a saved event as an A."""

    class Saves(Codec[tuple[Event, ...]]):
        def load(self, raw: bytes) -> tuple[Event, ...]:
            return tuple(
                msgspec.structs.replace(event, card="A") if isinstance(event, Drew) else event
                for event in super().load(raw)
            )

    events = Saves(tuple[Event, ...])


class Moody(Toy):
    """Plays differently each time."""

    def __init__(self) -> None:
        self.count = 0

    def _spell(self, state: State, seat: int, word: str, at: Moment) -> Turn[State, Event]:
        self.count += 1
        return super()._spell(state, seat, word if self.count % 2 else "AB", at)


class Crowded(Toy):
    """Awaits a seat that is not at the table."""

    def awaited(self, state: State) -> frozenset[int]:
        return super().awaited(state) | {7}


class Timeless(Toy):
    """Wants its default before the deal."""

    def due(self, state: State) -> int | None:
        return -1 if state.public.phase == "seal" else super().due(state)


class Stuck(Toy):
    """Waits for nobody and nothing once cards are shown."""

    def awaited(self, state: State) -> frozenset[int]:
        return super().awaited(state) if state.public.phase == "seal" else frozenset()

    def due(self, state: State) -> int | None:
        return super().due(state) if state.public.phase == "seal" else None


class Endless(Toy):
    """Has somebody to wait for after the result."""

    def awaited(self, state: State) -> frozenset[int]:
        return super().awaited(state) or frozenset({0})


class Overflowing(Toy):
    """Counts epochs beyond what a button can carry."""

    def epoch(self, state: State, seat: int | None) -> int:
        return super().epoch(state, seat) + 2**32


class Unfair(Toy):
    """Gives the win to a stranger."""

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        return None if result is None else msgspec.structs.replace(result, winners=(9,))


class Curt(Toy):
    """Refuses without a sentence."""

    def play(self, state: State, seat: int | None, move: Move, at: Moment) -> Turn[State, Event]:
        try:
            return super().play(state, seat, move, at)
        except IllegalMove as refusal:
            raise IllegalMove("no") from refusal


class Clumsy(Toy):
    """Falls over a move of the wrong seat."""

    def _check_turn(self, state: State, seat: int) -> None:
        if seat != len(state.public.stakes):
            raise ValueError("not in list")
        super()._check_turn(state, seat)


class Careless(Toy):
    """Remembers refused moves in the state itself."""

    def play(self, state: State, seat: int | None, move: Move, at: Moment) -> Turn[State, Event]:
        try:
            return super().play(state, seat, move, at)
        except IllegalMove:
            public = msgspec.structs.replace(state.public, since=state.public.since + 1)
            msgspec.structs.force_setattr(state, "public", public)
            raise


class Undead(Toy):
    """Lets seats go on after the end."""

    def play(self, state: State, seat: int | None, move: Move, at: Moment) -> Turn[State, Event]:
        if state.public.phase == "over":
            return Turn(state, ())
        return super().play(state, seat, move, at)


class Regretful(Toy):
    """Lets a seat take its stake back whatever the next seats did after it."""

    def _stake(self, state: State, seat: int, points: int, at: Moment) -> Turn[State, Event]:
        turn = super()._stake(state, seat, points, at)
        return Turn(turn.state, turn.events, "own" if turn.undo == "next" else turn.undo)


class Gambler(Toy):
    """Lets a seat take back what it drew."""

    def _spell(self, state: State, seat: int, word: str, at: Moment) -> Turn[State, Event]:
        turn = super()._spell(state, seat, word, at)
        return Turn(
            msgspec.structs.replace(turn.state, deck=at.chance.shuffled(state.deck)), turn.events, "next"
        )


class Peeping(Toy):
    """Lets the last to seal take its card back although all are shown."""

    def _seal(self, state: State, seat: int, card: str, at: Moment) -> Turn[State, Event]:
        turn = super()._seal(state, seat, card, at)
        return Turn(turn.state, turn.events, "own")


class Transparent(Toy):
    """Shows the unseen cards in the order in which they lie."""

    def seen_by(self, state: State, seat: int | None) -> View:
        view = super().seen_by(state, seat)
        hands = [card for own, hand in enumerate(state.hands) if own != seat for card in hand]
        laid = [card for own, card in enumerate(state.sealed) if card is not None and own != seat]
        return msgspec.structs.replace(view, unseen=(*hands, *laid, *state.deck))


class Telltale(Toy):
    """Ages everyone's buttons by what the first seat holds."""

    def epoch(self, state: State, seat: int | None) -> int:
        return super().epoch(state, seat) * 32 + (len(set(state.hands[0])) if seat != 0 else 0)


class Impatient(Toy):
    """Gives less time when somebody holds an A."""

    def due(self, state: State) -> int | None:
        due = super().due(state)
        return due if due is None or "A" not in state.hands[0] + state.hands[1] else due - 5_000


class Helpful(Toy):
    """Awaits only seats that hold a high card."""

    def awaited(self, state: State) -> frozenset[int]:
        awaited = super().awaited(state)
        return frozenset(seat for seat in awaited if max(state.hands[seat]) > "D") or awaited


class Magician(Toy):
    """Imagines more cards than there are, where no view counts them."""

    def imagine(self, view: View, seat: int | None, chance: Chance) -> State:
        state = super().imagine(view, seat, chance)
        return msgspec.structs.replace(state, deck=(*state.deck, "H"))

    def seen_by(self, state: State, seat: int | None) -> View:
        return msgspec.structs.replace(super().seen_by(state, seat), deck=0, unseen=DECK)


class LoudSeal(Toy):
    """Tells everyone which card was laid face down."""

    def heard_by(self, event: Event, seat: int | None) -> Event | None:
        return event if isinstance(event, Sealed) else super().heard_by(event, seat)


class LoudDraw(Toy):
    """Tells everyone which card was drawn."""

    def heard_by(self, event: Event, seat: int | None) -> Event | None:
        return event if isinstance(event, Drew) else super().heard_by(event, seat)


class Gossip(Toy):
    """Tells the channel what it does not tell the seats."""

    def heard_by(self, event: Event, seat: int | None) -> Event | None:
        return None if isinstance(event, Sealed) and seat is not None else super().heard_by(event, seat)


class Chatty(Toy):
    """Refuses with a sentence about somebody else's hand."""

    def _seal(self, state: State, seat: int, card: str, at: Moment) -> Turn[State, Event]:
        if card not in state.hands[seat]:
            held = any(card in hand for hand in state.hands)
            raise IllegalMove(f"You hold no {card}, but somebody does." if held else f"Nobody holds {card}.")
        return super()._seal(state, seat, card, at)


class Guarded(Toy):
    """Allows a stake only while the next seat holds no A."""

    def _stake(self, state: State, seat: int, points: int, at: Moment) -> Turn[State, Event]:
        if points and "A" in state.hands[(seat + 1) % len(state.hands)]:
            raise IllegalMove("Not now.")
        return super()._stake(state, seat, points, at)


class Dawdler(Toy):
    """Has automata that put their move off whenever they are asked."""

    def choose(self, view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
        plan = super().choose(view, seat, skill, at)
        return None if plan is None else Plan(None, at.now + 1_000)


class Crashing(Toy):
    """Falls over in the third round."""

    def _draw(self, state: State, events: tuple[Event, ...], at: Moment) -> Turn[State, Event]:
        if state.public.round == 3:
            raise ZeroDivisionError
        return super()._draw(state, events, at)


def _first() -> State:
    return TOY.deal(3, Options(), Moment(0, Chance(b"laws/0", 0, "play"), Words(EvenWords())))


@pytest.mark.parametrize(
    ("game", "law"),
    [
        (Forger, "conserved"),
        (Forgetful, "codec"),
        (Rewriter, "codec"),
        (Moody, "codec"),
        (Crowded, "form"),
        (Timeless, "form"),
        (Stuck, "form"),
        (Endless, "form"),
        (Overflowing, "form"),
        (Unfair, "form"),
        (Curt, "refusal"),
        (Clumsy, "refusal"),
        (Careless, "refusal"),
        (Undead, "refusal"),
        (Regretful, "undo"),
        (Gambler, "undo"),
        (Peeping, "view"),
        (Transparent, "view"),
        (Telltale, "view"),
        (Impatient, "view"),
        (Helpful, "view"),
        (Magician, "view"),
        (LoudSeal, "event"),
        (LoudDraw, "event"),
        (Gossip, "event"),
        (Chatty, "event"),
        (Guarded, "event"),
        (Dawdler, "plan"),
        (Crashing, "crash"),
    ],
)
def test_a_broken_game_is_caught_by_the_law_that_it_breaks(game: type[Toy], law: str) -> None:
    assert law in broken_by(game())


# The games themselves

# Where a game has many numbers of seats: those that are played here; its own tests play its modes.
SEATS: dict[str, tuple[int, ...]] = {"dungeon": (1, 3)}


def cases() -> list[tuple[str, int]]:
    return [
        (key, seats)
        for key, game in GAMES.items()
        for seats in SEATS.get(key, game.seats(game.options.load(b"{}")))
    ]


@pytest.mark.parametrize(("key", "seats"), cases())
def test_every_game_keeps_every_law(key: str, seats: int) -> None:
    game = GAMES[key]
    options = game.options.dump(game.options.load(b"{}"))
    outcome = simulated(game, Setting(key, options, seats, "laws", seats % 3), 0, Lexicon.load())
    assert outcome.breaches == ()
    assert outcome.illegal == 0
    assert outcome.result is not None


class OpenBag(Defenders):
    """Tells everyone what a seat drew."""

    def heard_by(self, event: defenders.Event, seat: int | None) -> defenders.Event | None:
        return event if isinstance(event, defenders.Drew) else super().heard_by(event, seat)


class OpenSeal(Defenders):
    """Tells everyone what a seat contributed before all have."""

    def heard_by(self, event: defenders.Event, seat: int | None) -> defenders.Event | None:
        return event if isinstance(event, defenders.Contributed) else super().heard_by(event, seat)


class OpenVillain(Defenders):
    """Shows the villain bag in drawing order."""

    def seen_by(self, state: defenders.State, seat: int | None) -> defenders.View:
        return msgspec.structs.replace(super().seen_by(state, seat), villain_unseen=state.villain_bag)


class OpenRack(Defenders):
    """Shows the first rack to everyone."""

    def seen_by(self, state: defenders.State, seat: int | None) -> defenders.View:
        return msgspec.structs.replace(super().seen_by(state, seat), rack=state.racks[0])


@pytest.mark.parametrize("game", [OpenBag, OpenSeal, OpenVillain, OpenRack])
def test_a_leak_planted_in_a_real_game_is_found_within_one_game(game: type[Defenders]) -> None:
    options = DEFENDERS.options.dump(defenders.Options())
    outcome = simulated(game(), Setting("defenders", options, 3, "leaks", 0), 0, Lexicon.load())
    assert laws.LEAKS & {breach.law for breach in outcome.breaches}


# What is hidden


def test_something_is_hidden_from_everyone_in_defenders() -> None:
    at = Moment(0, Chance(b"s", 0, "play"), Words(EvenWords()))
    for seats in DEFENDERS.seats(defenders.Options()):
        state = DEFENDERS.deal(seats, defenders.Options(), at)
        for viewer in laws.viewers(seats):
            assert laws.varied(DEFENDERS, state, viewer, Chance(b"s", 0, "imagine"))


def test_something_is_hidden_from_everyone_in_a_game_of_hidden_hands() -> None:
    state = _first()
    assert all(laws.varied(TOY, state, viewer, Chance(b"", 0, "imagine")) for viewer in laws.viewers(3))


def test_a_game_that_shows_everything_varies_in_nothing() -> None:
    class Open(Toy):
        def imagine(self, view: View, seat: int | None, chance: Chance) -> State:
            return _first()

    state = _first()
    assert not any(
        laws.varied(Open(), state, viewer, Chance(b"", 0, "imagine")) for viewer in laws.viewers(3)
    )


def test_imagined_states_differ_where_the_viewer_sees_nothing() -> None:
    others = list(laws.indistinct(TOY, _first(), 0, Chance(b"", 0, "imagine"), 20))
    assert {other.hands[0] for other in others} == {_first().hands[0]}
    assert len({other.hands[1] for other in others}) > 10


def test_a_replay_may_not_ask_what_no_move_recorded() -> None:
    automata = Automata(TOY, Options(), seats=2, seed=b"s", skill=1, lexicon=EvenWords())
    steps = list(automata)
    rows = [msgspec.structs.replace(row, words={}) for row in automata.rows]
    log = Log(game="toy", seats=2, seed=b"s".hex(), moves=tuple(rows))
    with pytest.raises(BrokenLaw, match="which no move recorded"):
        laws.check_replay(TOY, log, steps)


def test_a_replay_that_leads_elsewhere_is_caught() -> None:
    automata = Automata(TOY, Options(), seats=2, seed=b"s", skill=0, lexicon=EvenWords())
    steps = list(automata)
    laws.check_replay(TOY, Log(game="toy", seats=2, seed=b"s".hex(), moves=tuple(automata.rows)), steps)
    with pytest.raises(BrokenLaw, match=r"leads elsewhere|is refused"):
        laws.check_replay(TOY, Log(game="toy", seats=2, seed="other", moves=tuple(automata.rows)), steps)
    with pytest.raises(BrokenLaw, match="moves instead of"):
        laws.check_replay(
            TOY, Log(game="toy", seats=2, seed=b"s".hex(), moves=tuple(automata.rows[:-1])), steps
        )


@given(seed=st.binary(max_size=4), seats=st.integers(2, 4), skill=st.integers(0, 2), data=st.data())
@settings(max_examples=15, deadline=None)
def test_taking_a_move_back_leads_where_the_log_without_it_leads(
    seed: bytes, seats: int, skill: int, data: st.DataObject
) -> None:
    automata = Automata(TOY, Options(), seats=seats, seed=seed, skill=skill, lexicon=EvenWords())
    steps = list(automata)
    place = data.draw(st.sampled_from([place for place, step in enumerate(steps) if step.undo == "own"]))
    stop = next(later for later in range(place, len(steps)) if steps[later].undo == "never")
    kept = [row for row in automata.rows[:stop] if row is not automata.rows[place]]
    undo = Entry(seat=steps[place].seat, undo=place + 1)
    log = Log(game="toy", seats=seats, seed=seed.hex(), moves=(*automata.rows[:stop], undo))
    *_, last = replayed(TOY, log, EvenWords())
    *_, without = [None, *replayed(TOY, msgspec.structs.replace(log, moves=tuple(kept)), EvenWords())]
    assert last.refused is None
    first = steps[0].before
    # own moves of this game draw nothing, so that later numbers do not matter
    assert last.state == (first if without is None else without.state)


def test_the_moves_of_the_toy_cover_every_kind_of_undo() -> None:
    kinds = {step.undo for step in Automata(TOY, Options(), seats=3, seed=b"u", skill=1, lexicon=EvenWords())}
    assert kinds == {"never", "next", "own"}
