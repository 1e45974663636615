"""What holds at every move of any game, however badly it is played."""

from collections.abc import Iterator

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.games.chance import Chance
from bot.games.crossword import joins, runs
from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.ground import Position
from bot.games.dungeon.placement import ground_of, laid, position, read, written
from bot.games.dungeon.planning import grid
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.scoring import tally
from bot.games.dungeon.state import (
    Agree,
    Event,
    GiveUp,
    Left,
    Move,
    Object,
    Options,
    Place,
    Placed,
    State,
    TakeBack,
    TookBack,
    Withdraw,
)
from bot.games.game import IllegalMove, Moment, Turn, Words
from bot.simulate import Automata
from tests.games.dungeon.maps import LEXICON

HAND = "".join(letter * 12 for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
Step = tuple[State, int, Move, Turn[State, Event]]

games = given(
    seats=st.integers(1, 3),
    options=st.builds(
        Options, dungeon=st.sampled_from(sorted(DUNGEONS)), mode=st.sampled_from(["auto", "party"])
    ),
    seed=st.integers(0, 2**32),
)
few = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


def wander(seats: int, options: Options, seed: int, moves: int = 40) -> Iterator[Step]:
    """Yield each state, a legal move picked at random and what came of it, to the end or ``moves``."""
    raw = seed.to_bytes(8, "big")
    chance = Chance(raw, 0, "wander")
    state = DUNGEON.deal(seats, options, Moment(0, Chance(raw, 0, "play"), Words(LEXICON)))
    for seq in range(1, moves + 1):
        for _ in range(25):
            if DUNGEON.result(state) is not None:
                return
            seat = chance.below(seats)
            move = _some_move(state, seat, chance)
            try:
                turn = DUNGEON.play(
                    state, seat, move, Moment(seq * 1_000, Chance(raw, seq, "play"), Words(LEXICON))
                )
            except IllegalMove:
                continue
            yield state, seat, move, turn
            state = turn.state
            break


def _some_move(state: State, seat: int, chance: Chance) -> Move:
    dice = chance.below(40)
    if dice == 0:
        return GiveUp()
    if dice < 3:
        return TakeBack()
    if state.public.proposal is not None and dice < 30:
        return chance.pick((Agree(), Agree(), Agree(), Object(), Withdraw()))
    dungeon = state.public.dungeon
    here = position(dungeon, state.run_of(seat).places)
    found = LEXICON.search.placements(grid(dungeon, here), HAND, common=True)
    if not len(found):
        return TakeBack()
    word, row, col, across, *_ = found[chance.below(len(found))]
    return Place(word, row, col, across)


@few
@games
def test_the_running_score_is_the_one_computed_afresh(seats: int, options: Options, seed: int) -> None:
    for _, seat, _, turn in wander(seats, options, seed):
        dungeon = turn.state.public.dungeon
        run = turn.state.run_of(seat)
        here = Position.first(ground_of(dungeon))
        points = tally(dungeon, here).base
        for place in run.places:
            deed = laid(here, place)
            here = deed.after
            points += tally(dungeon, here).base - tally(dungeon, deed.before).base
        assert tally(dungeon, here) == tally(dungeon, position(dungeon, run.places))
        assert points == tally(dungeon, here).base
        for event in turn.events:
            if isinstance(event, Left):
                assert event.base == points
                assert run.ended is not None
                assert run.ended.score == event.base + event.bonus


@few
@games
def test_the_map_stays_one_crossword_of_words_used_once(seats: int, options: Options, seed: int) -> None:
    for _, seat, _, turn in wander(seats, options, seed):
        run = turn.state.run_of(seat)
        here = position(turn.state.public.dungeon, run.places)
        ground = here.ground
        assert all(ground.open(square) for square in here.laid)
        assert not here.laid or ground.start in here.laid
        own = {square: letter for square, letter in here.letters.items() if here.standing(square)}
        assert set(runs(here.letters)) == set(here.words)
        assert len(here.words) == len({word.word for word in here.words})
        assert {word.word for word in here.words} <= here.used
        assert all(LEXICON.legal(word) for word in here.used)
        for square in own:
            assert joins({other: letter for other, letter in own.items() if other != square}, [square])
        for one in here.words:
            assert not any(LEXICON.number_pair(one.word, two.word) for two in here.words if two != one)
            assert not any(monster.name in one.word for monster in ground.monsters)


@few
@games
def test_keys_doors_and_strikes_add_up(seats: int, options: Options, seed: int) -> None:
    for _, seat, _, turn in wander(seats, options, seed):
        dungeon = turn.state.public.dungeon
        run = turn.state.run_of(seat)
        here = position(dungeon, run.places)
        used = [key for key in here.keys if key.door is not None]
        assert sorted(key.door for key in used if key.door) == list(here.opened)
        assert all(
            here.letters[key.square] == key.letter == here.letters[key.door] for key in used if key.door
        )
        assert {key.square for key in here.keys} == {
            square for square in here.ground.keys if square in here.laid
        }
        assert sum(here.struck) <= len(here.laid)
        assert all(
            0 <= hits <= len(monster.name)
            for hits, monster in zip(here.struck, dungeon.monsters, strict=True)
        )
        assert len(run.places) <= dungeon.turns
        if len(run.places) == dungeon.turns:
            assert here.out
        assert here.out == (run.ended is not None and run.ended.how == "out")


@few
@games
def test_a_turn_taken_back_leaves_no_trace_but_its_count(seats: int, options: Options, seed: int) -> None:
    for before, seat, _, turn in wander(seats, options, seed):
        for event in turn.events:
            if isinstance(event, TookBack):
                assert turn.state.run_of(seat).places == before.run_of(seat).places[:-1]
            if isinstance(event, Placed):
                assert event.deeds is not None
                assert turn.state.run_of(seat).places[:-1] == before.run_of(seat).places
                dungeon = turn.state.public.dungeon
                text = written(dungeon, event.deeds.place)
                again = read(dungeon, text)
                assert (again.word, again.row, again.col, again.across) == (
                    event.deeds.place.word,
                    event.deeds.place.row,
                    event.deeds.place.col,
                    event.deeds.place.across,
                )


@few
@games
def test_a_state_survives_its_bytes_and_others_runs_are_untouched(
    seats: int, options: Options, seed: int
) -> None:
    for before, seat, move, turn in wander(seats, options, seed):
        assert DUNGEON.states.load(DUNGEON.states.dump(turn.state)) == turn.state
        assert DUNGEON.moves.load(DUNGEON.moves.dump(move)) == move
        if turn.state.public.mode == "race":
            for other in range(seats):
                assert other == seat or turn.state.runs[other] == before.runs[other]


@settings(max_examples=3, deadline=None)
@given(seed=st.binary(max_size=3))
def test_the_same_seed_gives_the_same_game(seed: bytes) -> None:
    ends = []
    for _ in range(2):
        automata = Automata(
            DUNGEON, Options(dungeon="cellar-steps"), seats=2, seed=seed, skill=0, lexicon=LEXICON
        )
        ends.append([msgspec.json.encode(step.state) for step in automata])
    assert ends[0] == ends[1]
