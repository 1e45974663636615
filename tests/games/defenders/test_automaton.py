"""Automata: what they do, when they do it, and what they leave to people."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bot.games.chance import Chance
from bot.games.crossword import runs
from bot.games.defenders.automaton import AGREES_AFTER, CONTRIBUTES_AFTER, SPEAKS_AFTER, STEPS_IN_AFTER
from bot.games.defenders.placement import letters_on
from bot.games.defenders.planning import suggest
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import (
    Agree,
    Ask,
    Concede,
    Consulted,
    Contribute,
    Discard,
    Event,
    Goal,
    Hinted,
    Move,
    NoWord,
    Object,
    Options,
    Play,
    Poi,
    Propose,
    State,
    Withdraw,
)
from bot.games.game import Moment, Plan, Words
from bot.words.lexicon import Lexicon
from tests.games.defenders.tables import Book, at_word, dealt, letters, play, tiles

SMALL = Lexicon.of(
    ["CAD", "CADS", "CARD", "CARDS", "DARE", "READ", "SAD", "AD", "AS", "QUAY"],
    common=["CAD", "CARD", "CARDS", "DARE", "READ", "SAD", "AS"],
    offending=["CARDS"],
)


class Unasked(Book):
    """A lexicon that nobody may search."""

    @property
    def search(self) -> Any:
        raise AssertionError("a search before its time")


def plan(state: State, seat: int, now: int = 0, skill: int = 2, lexicon: Any = SMALL) -> Plan[Move] | None:
    at = Moment(now, Chance(b"test", 1, f"choose/{seat}"), Words(lexicon))
    return DEFENDERS.choose(DEFENDERS.seen_by(state, seat), seat, skill, at)


def proposed(
    state: State, seat: int = 1, now: int = SPEAKS_AFTER, skill: int = 2, lexicon: Any = SMALL
) -> Any:
    found = plan(state, seat, now, skill, lexicon)
    assert found is not None
    assert isinstance(found.move, Propose)
    return found.move.matter


# Contributing


@pytest.mark.parametrize("skill", [0, 1, 2])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_an_automaton_contributes_its_share_from_its_rack(seats: int, skill: int) -> None:
    state = dealt(seats)
    found = plan(state, 0, skill=skill, lexicon=Unasked())
    assert found is not None
    assert found.at == CONTRIBUTES_AFTER
    assert isinstance(found.move, Contribute)
    after = play(state, 0, found.move).state
    assert len(state.racks[0]) - len(after.racks[0]) == state.public.share


def test_an_automaton_contributes_once() -> None:
    state = dealt()
    state = play(state, 0, Contribute(state.racks[0][:1])).state
    assert plan(state, 0) is None


def test_an_empty_rack_contributes_nothing() -> None:
    state = dealt()
    assert plan(replace(state, racks=((), *state.racks[1:])), 0) is None


def test_vowels_come_where_only_consonants_lie() -> None:
    state = dealt()
    state = replace(state, racks=(tuple("DEGLN"), *state.racks[1:]))
    public = replace(state.public, villain="T", storage=tiles("RSTN"))
    assert plan(replace(state, public=public), 0) == Plan(Contribute(("E",)), CONTRIBUTES_AFTER)
    public = replace(state.public, villain="U", storage=tiles("AEIO"))
    consonants = plan(replace(state, public=public), 0)
    assert consonants is not None
    assert consonants.move != Contribute(("E",))


def test_a_wildcard_is_kept_until_late() -> None:
    state = dealt()
    state = replace(state, racks=(tuple("*VVWW"), *state.racks[1:]))
    early = plan(state, 0)
    late = plan(replace(state, public=replace(state.public, round=25)), 0)
    assert early is not None
    assert early.move != Contribute(("*",))
    assert late == Plan(Contribute(("*",)), CONTRIBUTES_AFTER)


# When


def test_the_spokesman_of_the_round_speaks_first_and_the_others_leave_time() -> None:
    for number in (1, 2, 3, 4):
        state = at_word(commons="CAD", round=number, since=1_000)
        times = {seat: plan(state, seat, now=1_000, lexicon=Unasked()) for seat in range(3)}
        assert times == {
            number % 3: Plan(None, 1_000 + SPEAKS_AFTER),
            (number + 1) % 3: Plan(None, 1_000 + STEPS_IN_AFTER),
            (number + 2) % 3: Plan(None, 1_000 + 2 * STEPS_IN_AFTER),
        }


def test_nobody_searches_before_the_time_has_come() -> None:
    state = at_word(commons="CAD")
    assert plan(state, 1, now=SPEAKS_AFTER - 1, lexicon=Unasked()) == Plan(None, SPEAKS_AFTER)
    with pytest.raises(AssertionError, match="before its time"):
        plan(state, 1, now=SPEAKS_AFTER, lexicon=Unasked())


def test_who_steps_in_later_proposes_when_asked_again_at_that_time() -> None:
    state = at_word(commons="CAD")
    later = plan(state, 2)
    assert later == Plan(None, STEPS_IN_AFTER)
    assert isinstance(proposed(state, 2, now=STEPS_IN_AFTER), Play)


def test_asked_for_ideas_an_automaton_answers_at_once() -> None:
    state = play(at_word(commons="CAD"), 0, Ask()).state
    assert isinstance(proposed(state, 2, now=0), Play)


def test_an_automaton_agrees_to_what_others_propose() -> None:
    for matter in (NoWord(), Concede()):
        state = play(at_word(commons="CAD"), 0, Propose(matter), now=9_000).state
        assert plan(state, 1, lexicon=Unasked()) == Plan(Agree(), 9_000 + AGREES_AFTER)
        assert plan(state, 0, lexicon=Unasked()) is None


def test_an_automaton_takes_back_the_objection_of_who_sat_there_before() -> None:
    state = play(at_word(commons="CAD"), 0, Propose(NoWord())).state
    state = play(state, 1, Object()).state
    assert plan(state, 1) == Plan(Agree(), AGREES_AFTER)


def test_after_an_objection_an_automaton_waits_to_be_asked_and_then_proposes_something_else() -> None:
    state = at_word(commons="CADR")
    first = proposed(state)
    state = play(state, 1, Propose(first)).state
    state = play(state, 0, Object()).state
    assert plan(state, 1, now=90_000, lexicon=Unasked()) is None
    state = play(state, 2, Ask()).state
    second = proposed(state, now=90_000)
    assert second != first
    state = play(state, 1, Propose(second)).state
    state = play(state, 0, Object()).state
    state = play(state, 0, Ask()).state
    assert proposed(state, now=90_000) not in (first, second)


def test_an_automaton_without_another_idea_says_nothing() -> None:
    state = at_word(commons="Z", tried=(NoWord(),))
    assert plan(state, 1, now=SPEAKS_AFTER) is None


def test_an_automaton_proposes_again_when_a_person_has_withdrawn_a_word() -> None:
    state = play(at_word(commons="CAD"), 0, Propose(NoWord())).state
    state = play(state, 0, Withdraw()).state
    assert isinstance(proposed(state), Play)


@pytest.mark.parametrize("phase", ["verify", "over"])
def test_an_automaton_has_nothing_to_do_when_words_are_confirmed_or_all_is_over(phase: str) -> None:
    assert plan(at_word(phase=phase), 0) is None


# What


def test_an_automaton_lays_a_word_where_it_fits() -> None:
    matter = proposed(at_word(commons="CADR"))
    assert matter.word in ("CAD", "CARD", "AD")
    play(at_word(commons="CADR"), 1, Propose(matter))


def test_no_word_that_offends_is_ever_laid() -> None:
    state = at_word(commons="S", laid=letters(("CARD", 4, 3, True)))
    for skill in (0, 1, 2):
        assert proposed(state, skill=skill, lexicon=SMALL) != Play("CARDS", 4, 3, True)


def test_only_the_highest_skill_lays_words_that_few_people_know() -> None:
    state = at_word(commons="S", laid=letters(("CAD", 4, 3, True)), villain=None)
    rare = Lexicon.of(["CAD", "CADS"], common=["CAD"])
    assert proposed(state, skill=2, lexicon=rare) == Play("CADS", 4, 3, True)
    for skill in (0, 1):
        assert proposed(state, skill=skill, lexicon=rare) == NoWord()


def test_a_lexicon_that_cannot_be_searched_gives_no_ideas() -> None:
    assert proposed(at_word(commons="CAD"), lexicon=Book()) == NoWord()


def test_a_word_on_a_poi_is_worth_more_than_a_dear_one() -> None:
    lexicon = Lexicon.of(["CAD", "CADS", "QUAD"])
    state = at_word(
        commons="SQUA",
        laid=letters(("CAD", 4, 2, True)),
        pois=(Poi(4, 5, 0),),
        collected=(0, 0, 0),
    )
    assert proposed(state, lexicon=lexicon) == Play("CADS", 4, 2, True)
    elsewhere = replace(state, public=replace(state.public, pois=(Poi(1, 4, 0),)))
    assert proposed(elsewhere, lexicon=lexicon) == Play("QUAD", 1, 4, False)


def test_no_numbered_poi_is_collected_that_puts_the_goal_out_of_reach() -> None:
    state = at_word(
        commons="S",
        laid=letters(("CAD", 4, 3, True)),
        goal=Goal("intermediate", 3, 6, 90),
        pois=tuple(Poi(4, 6, 6) if number == 6 else Poi(0, number, number) for number in range(1, 7)),
    )
    for skill in (0, 1, 2):
        lexicon = Lexicon.of(["CAD", "CADS"])
        assert proposed(state, skill=skill, lexicon=lexicon) == NoWord()


def test_a_closed_poi_is_left_alone() -> None:
    state = at_word(
        commons="S",
        laid=letters(("CAD", 4, 3, True)),
        goal=Goal("intermediate", 1, 4, 70),
        pois=(Poi(4, 6, 1), Poi(0, 0, 5), Poi(0, 1, 6), Poi(8, 8, 4)),
        collected=(2, 3),
    )
    assert proposed(state, lexicon=Lexicon.of(["CAD", "CADS"])) == NoWord()


def test_the_villain_letter_is_used_where_it_can_be() -> None:
    lexicon = Lexicon.of(["CAD", "CAB"])
    state = at_word(commons="CAD", villain="B", vp=20)
    matter = proposed(state, lexicon=lexicon)
    assert matter.word == "CAB"
    assert matter.villain == 2


def test_the_least_welcome_of_tied_letters_is_discarded() -> None:
    state = at_word(commons="VH", storage=tiles("AEIOU"), phase="discard")
    assert proposed(state) == Discard(("V",))


def test_a_hint_is_a_common_word_if_there_is_one() -> None:
    view = DEFENDERS.seen_by(at_word(commons="S", laid=letters(("CAD", 4, 3, True))), 0)
    at = Moment(0, Chance(b"", 0, "hint"), Words(Lexicon.of(["CAD", "CADS"], common=["CAD"])))
    assert DEFENDERS.search("hint", view, 0, at) == Play("CADS", 4, 3, True)
    for known, col in (("CADS", 3), ("SCAD", 2)):
        at = Moment(
            0, Chance(b"", 0, "hint"), Words(Lexicon.of(["CAD", "CADS", "SCAD"], common=["CAD", known]))
        )
        assert DEFENDERS.search("hint", view, 0, at) == Play(known, 4, col, True)
    at = Moment(0, Chance(b"", 0, "hint"), Words(Lexicon.of(["CAD"])))
    assert DEFENDERS.search("hint", view, 0, at) is None
    with pytest.raises(ValueError, match="weather"):
        DEFENDERS.search("weather", view, 0, at)


def test_a_hint_is_the_best_word_that_fits_even_if_none_would_be_better() -> None:
    pois = (Poi(4, 6, 5), Poi(0, 0, 1), Poi(0, 1, 2))
    goal = Goal("intermediate", 1, 2, 70)
    state = at_word(commons="S", goal=goal, laid=letters(("CAD", 4, 3, True)), pois=pois)
    at = Moment(0, Chance(b"", 0, "hint"), Words(Lexicon.of(["CAD", "CADS"])))
    assert suggest(state.public, 2, at) is None
    assert DEFENDERS.search("hint", DEFENDERS.seen_by(state, 0), 0, at) == Play("CADS", 4, 3, True)


def test_no_hint_offends() -> None:
    state = at_word(commons="S", laid=letters(("CAD", 4, 3, True)))
    at = Moment(0, Chance(b"", 0, "hint"), Words(Lexicon.of(["CAD", "CADS"], offending=["CADS"])))
    assert DEFENDERS.search("hint", DEFENDERS.seen_by(state, 0), 0, at) is None


def test_the_same_view_and_chance_give_the_same_word() -> None:
    state = at_word(commons="CADRES")
    for skill in (0, 1, 2):
        first, second = (
            suggest(state.public, skill, Moment(0, Chance(b"a", 1, "choose/0"), Words(SMALL)))
            for _ in range(2)
        )
        assert first == second


# Whole games


def whole_game(
    seats: int, options: Options, seed: int, skill: int, lexicon: Lexicon
) -> tuple[State, list[Event]]:
    raw = b"%d" % seed
    words = Words(lexicon)
    state = DEFENDERS.deal(seats, options, Moment(0, Chance(raw, 0, "play"), words))
    now, seq = 0, 0
    told: list[Event] = []
    while DEFENDERS.result(state) is None:
        plans = []
        for seat in range(seats):
            at = Moment(now, Chance(raw, seq, f"choose/{seat}"), words)
            found = DEFENDERS.choose(DEFENDERS.seen_by(state, seat), seat, skill, at)
            if found is not None:
                plans.append((found.at, seat, found.move))
        assert plans, "everybody waits for somebody"
        time, seat, move = min(plans, key=lambda entry: entry[:2])
        now = max(now, time)
        if move is not None:
            seq += 1
            turn = DEFENDERS.play(state, seat, move, Moment(now, Chance(raw, seq, "play"), words))
            state = turn.state
            told.extend(turn.events)
    return state, told


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_automata_alone_play_a_game_to_its_end_with_legal_words(seats: int) -> None:
    lexicon = Lexicon.load()
    state, told = whole_game(seats, Options(difficulty="intermediate"), seats, 1, lexicon)
    assert all(lexicon.common(run.word) for run in runs(letters_on(state.public)))
    assert not [event for event in told if isinstance(event, Hinted | Consulted)]


@pytest.mark.parametrize("skill", [0, 2])
def test_a_guarded_table_refuses_no_automatons_word(skill: int) -> None:
    state, _ = whole_game(2, Options(referee="guarded"), 7, skill, Lexicon.load())
    assert state.public.ended is not None
    assert state.public.ended.reason in ("success", "bag")


def test_skilled_automata_win_the_first_level() -> None:
    lexicon = Lexicon.load()
    won = [whole_game(3, Options(), seed, 2, lexicon)[0].public.ended for seed in range(3)]
    assert [end.reason for end in won if end is not None] == ["success"] * 3
