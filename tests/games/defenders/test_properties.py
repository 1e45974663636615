"""What holds at every move of any game, however badly it is played."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.games.chance import Chance
from bot.games.crossword import joins, runs
from bot.games.defenders.city import on_hq
from bot.games.defenders.placement import letters_on
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import (
    PLAYER_BAG,
    STORAGE,
    VALUES,
    VILLAIN_BAG,
    Collected,
    Contributed,
    Discarded,
    Drew,
    Options,
    Placed,
    VillainLost,
)
from tests.games.defenders.wandering import wander

games = given(
    seats=st.integers(1, 4),
    options=st.builds(
        Options,
        difficulty=st.sampled_from(["beginner", "intermediate"]),
        level=st.sampled_from([1, 2, 3]),
        hq_side=st.just("any"),
    ),
    seed=st.integers(0, 2**32),
)
few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
BOX = tuple(sorted([*PLAYER_BAG * 4, *(f"villain {letter}" for letter in VILLAIN_BAG)]))


@few
@games
def test_all_tiles_of_the_box_are_somewhere(seats: int, options: Options, seed: int) -> None:
    for state, *_ in wander(seats, options, seed):
        assert DEFENDERS.inventory(state) == BOX


@few
@games
def test_the_score_is_what_the_events_say(seats: int, options: Options, seed: int) -> None:
    for state, _, _, turn in wander(seats, options, seed):
        change = 0
        for event in turn.events:
            if isinstance(event, Placed):
                change += event.vp
                assert event.vp == sum(word.vp for word in event.words)
            elif isinstance(event, VillainLost | Discarded):
                change -= event.vp
        assert turn.state.public.vp == state.public.vp + change >= 0


@few
@games
def test_the_map_stays_one_crossword_on_open_squares(seats: int, options: Options, seed: int) -> None:
    for state, *_ in wander(seats, options, seed):
        public = state.public
        letters = letters_on(public)
        assert len(letters) == len(public.laid)
        assert all(public.city.rows[row][col] == "." for row, col in letters)
        assert not letters or public.city.start in letters
        first = min((tile.round for tile in public.laid), default=0)
        assert all(on_hq(public.city, (tile.row, tile.col)) for tile in public.laid if tile.round == first)
        for square in letters:
            assert joins({other: letter for other, letter in letters.items() if other != square}, [square])
        assert sum(len(run.word) for run in runs(letters)) >= len(letters)


@few
@games
def test_poi_are_collected_by_the_letters_that_cover_them(seats: int, options: Options, seed: int) -> None:
    for _, _, _, turn in wander(seats, options, seed):
        public = turn.state.public
        covered = {(tile.row, tile.col) for tile in public.laid}
        assert not covered & {(poi.row, poi.col) for poi in public.pois}
        assert len(public.pois) + len(public.collected) == 6
        if public.goal.numbered:
            assert list(public.collected) == sorted(set(public.collected))
        for event in turn.events:
            if isinstance(event, Collected):
                assert (event.row, event.col) in covered


@few
@games
def test_storage_holds_six_and_racks_five(seats: int, options: Options, seed: int) -> None:
    for _, _, _, turn in wander(seats, options, seed):
        public = turn.state.public
        assert len(public.storage) <= STORAGE
        assert all(len(rack) <= 5 for rack in turn.state.racks)
        assert all(list(rack) == sorted(rack) for rack in turn.state.racks)
        assert public.villain_left == len(turn.state.villain_bag)
        if public.phase == "contribute":
            assert not public.contributed
            assert public.villain is not None
            for seat in range(seats):
                held = len(turn.state.racks[seat]) + len(turn.state.sealed[seat] or ())
                assert held == 5 or not turn.state.bags[seat]


@few
@games
def test_discarded_letters_are_the_highest(seats: int, options: Options, seed: int) -> None:
    for _, _, _, turn in wander(seats, options, seed):
        for event in turn.events:
            if isinstance(event, Discarded):
                lowest = min(VALUES[letter] for letter in event.letters)
                assert all(VALUES[tile.letter] <= lowest for tile in turn.state.public.storage)
                assert len(turn.state.public.storage) == STORAGE


@few
@games
def test_a_view_is_all_that_a_viewer_can_tell(seats: int, options: Options, seed: int) -> None:
    for number, (state, *_) in enumerate(wander(seats, options, seed, moves=120)):
        for seat in (None, *range(seats)):
            view = DEFENDERS.seen_by(state, seat)
            other = DEFENDERS.imagine(view, seat, Chance(b"other", number, "imagine"))
            assert DEFENDERS.seen_by(other, seat) == view
            assert DEFENDERS.awaited(other) == DEFENDERS.awaited(state)
            assert DEFENDERS.due(other) == DEFENDERS.due(state)
            assert DEFENDERS.epoch(other, seat) == DEFENDERS.epoch(state, seat) < 2**32
            assert DEFENDERS.inventory(other) == BOX


@few
@games
def test_others_hear_no_letters_from_a_bag_or_a_rack(seats: int, options: Options, seed: int) -> None:
    for _, _, _, turn in wander(seats, options, seed, moves=120):
        for event in turn.events:
            for seat in (None, *range(seats)):
                heard = DEFENDERS.heard_by(event, seat)
                if isinstance(event, Drew | Contributed) and event.seat != seat:
                    assert isinstance(heard, Drew | Contributed)
                    assert heard.letters is None
                else:
                    assert heard == event


@few
@games
def test_values_survive_their_bytes(seats: int, options: Options, seed: int) -> None:
    for state, _, move, turn in wander(seats, options, seed, moves=120):
        assert DEFENDERS.states.load(DEFENDERS.states.dump(state)) == state
        assert DEFENDERS.upgrade(DEFENDERS.states.dump(state), 1) == state
        assert DEFENDERS.events.load(DEFENDERS.events.dump(turn.events)) == turn.events
        if move is not None:
            assert DEFENDERS.moves.load(DEFENDERS.moves.dump(move)) == move


@few
@games
def test_every_game_comes_to_its_end(seats: int, options: Options, seed: int) -> None:
    *_, (_, _, _, last) = wander(seats, options, seed, moves=3_000)
    assert DEFENDERS.result(last.state) is not None
    assert last.state.public.round <= 26
