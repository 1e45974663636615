"""A round from its villain letter to the next one."""

import pytest
from msgspec.structs import replace

from bot.games.defenders.rules import DEFENDERS, consultations
from bot.games.defenders.state import (
    VILLAIN,
    Agree,
    Agreed,
    Ask,
    Asked,
    Attest,
    Carried,
    Concede,
    Consult,
    Consulted,
    Contribute,
    Contributed,
    Discard,
    Discarded,
    Drew,
    Ended,
    Hint,
    Hinted,
    Move,
    NoWord,
    Object,
    Objected,
    Options,
    Passed,
    Placed,
    Play,
    Propose,
    Proposed,
    Recast,
    Recasted,
    Revealed,
    RoundBegan,
    State,
    Stored,
    Tile,
    VillainLost,
    Withdraw,
    Withdrew,
)
from bot.games.game import IllegalMove
from tests.games.defenders.tables import Book, at_word, carried, dealt, letters, moment, play, tiles

CAD = Play("CAD", 4, 3, True)


def refusal(state: State, seat: int | None, move: Move, book: Book | None = None) -> str:
    with pytest.raises(IllegalMove) as caught:
        play(state, seat, move, book=book)
    return str(caught.value)


def racked(*racks: str, villain: str = "A") -> State:
    state = dealt(len(racks))
    public = replace(state.public, villain=villain)
    return replace(state, public=public, racks=tuple(tuple(sorted(rack)) for rack in racks))


# The deal


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_everyone_begins_with_five_of_32_letters_and_a_villain_letter_is_up(seats: int) -> None:
    state = dealt(seats)
    assert [len(rack) for rack in state.racks] == [5] * seats
    assert [len(bag) for bag in state.bags] == [27] * seats
    assert len(state.spare) == {1: 2, 2: 2, 3: 1, 4: 0}[seats]
    assert len(state.lucky) == (32 if seats == 1 else 0)
    assert state.public.villain is not None
    assert state.public.villain_left == len(state.villain_bag) == 25
    assert (state.public.round, state.public.phase, state.public.vp) == (1, "contribute", 0)


@pytest.mark.parametrize(
    ("difficulty", "level", "poi", "vp"),
    [
        ("beginner", 1, 4, 60),
        ("beginner", 2, 5, 70),
        ("beginner", 3, 6, 80),
        ("intermediate", 1, 4, 70),
        ("intermediate", 2, 5, 80),
        ("intermediate", 3, 6, 90),
    ],
)
def test_goals_are_the_rulebooks(difficulty: str, level: int, poi: int, vp: int) -> None:
    options = Options(difficulty=difficulty, level=level)  # type: ignore[arg-type]
    goal = dealt(3, options).public.goal
    assert (goal.poi, goal.vp, goal.numbered) == (poi, vp, difficulty == "intermediate")


@pytest.mark.parametrize("seats", [0, 5])
def test_the_game_is_for_one_to_four(seats: int) -> None:
    with pytest.raises(IllegalMove, match="one to 4 players"):
        dealt(seats)


@pytest.mark.parametrize("patience", [-1, 7 * 24 * 3_600_000 + 1])
def test_patience_has_bounds(patience: int) -> None:
    with pytest.raises(IllegalMove, match="seven days"):
        dealt(3, Options(patience=patience))


def test_patience_is_a_minute_live_and_half_a_day_slow_unless_chosen() -> None:
    assert dealt(3, Options()).public.patience == 60_000
    assert dealt(3, Options(pace="slow")).public.patience == 12 * 3_600_000
    assert dealt(3, Options(patience=5_000)).public.patience == 5_000


# Phase 1


def test_contributions_stay_sealed_until_the_last_one_falls() -> None:
    state = racked("CCEEE", "AAEEE", "DDEEE")
    first = play(state, 0, Contribute(("C",)))
    assert first.events == (Contributed(0, ("C",)),)
    assert first.undo == "own"
    assert first.state.sealed == (("C",), None, None)
    assert first.state.public == state.public
    assert DEFENDERS.awaited(first.state) == {1, 2}
    second = play(first.state, 2, Contribute(("D",)))
    last = play(second.state, 1, Contribute(("A",)), now=5_000)
    assert last.events == (Contributed(1, ("A",)), Revealed((("C",), ("A",), ("D",))))
    assert last.undo == "never"
    assert last.state.public.contributed == (Tile("C", 0), Tile("A", 1), Tile("D", 2))
    assert (last.state.public.phase, last.state.public.since) == ("word", 5_000)
    assert last.state.sealed == (None, None, None)
    assert last.state.racks == (tuple("CEEE"), tuple("AEEE"), tuple("DEEE"))


@pytest.mark.parametrize(("seats", "count"), [(1, 2), (2, 2), (3, 1), (4, 1)])
def test_one_or_two_players_contribute_two_letters_and_more_players_one(seats: int, count: int) -> None:
    state = dealt(seats)
    rack = state.racks[0]
    play(state, 0, Contribute(rack[:count]))
    some = "one letter" if count == 1 else "two letters"
    for wrong in {0, 1, 2, 3} - {count}:
        assert refusal(state, 0, Contribute(rack[:wrong])) == f"Contribute exactly {some}."


@pytest.mark.parametrize("letter", ["", "c", "CC", "É", "\ud800", "C" * 100_000])
def test_what_is_no_letter_is_not_contributed(letter: str) -> None:
    assert refusal(racked("CCEEE", "AAEEE", "DDEEE"), 0, Contribute((letter,))) == (
        "A letter to contribute is one of A to Z, or an asterisk for a wildcard."
    )


def test_a_letter_must_be_on_the_rack_as_often_as_it_is_laid() -> None:
    assert refusal(racked("CCEEE", "AAEEE", "DDEEE"), 0, Contribute(("A",))) == "There is no A on your rack."
    assert refusal(racked("CAEEE", "AAEEE"), 0, Contribute(("C", "C"))) == "There is only one C on your rack."


def test_a_seat_contributes_once() -> None:
    state = play(racked("CCEEE", "AAEEE", "DDEEE"), 0, Contribute(("C",))).state
    assert refusal(state, 0, Contribute(("E",))) == "You have contributed this round."


def test_letters_are_contributed_in_their_phase_only() -> None:
    assert refusal(at_word(), 0, Contribute(("E",))) == "Letters are contributed at the start of a round."


def test_the_solo_player_is_given_two_random_letters_after_the_choice() -> None:
    state = racked("CCEEE")
    turn = play(state, 0, Contribute(("E", "C")))
    extra = (state.lucky[-1], state.lucky[-2])
    assert turn.events == (Contributed(0, ("C", "E")), Revealed((("C", "E"),), extra))
    assert turn.state.public.contributed == (
        Tile("C", 0),
        Tile("E", 0),
        Tile(extra[0], 1),
        Tile(extra[1], 1),
    )
    assert turn.state.lucky == state.lucky[:-2]


def test_when_the_solo_players_bag_of_random_letters_is_empty_another_one_is_taken() -> None:
    state = replace(racked("CCEEE"), lucky=("Y",))
    turn = play(state, 0, Contribute(("C", "E")))
    assert isinstance(turn.events[1], Revealed)
    assert turn.events[1].extra == ("Y", state.spare[-1][-1])
    assert turn.state.lucky == state.spare[-1][:-1]
    assert turn.state.spare == state.spare[:-1]


def test_an_empty_rack_is_not_awaited_and_contributes_nothing() -> None:
    state = racked("C", "", "DE")
    assert DEFENDERS.awaited(state) == {0, 2}
    assert refusal(state, 1, Contribute(("E",))).startswith("Your rack is empty")
    state = play(state, 0, Contribute(("C",))).state
    turn = play(state, 2, Contribute(("D",)))
    assert turn.events[-1] == Revealed((("C",), (), ("D",)))


def test_a_rack_of_one_letter_is_all_that_is_asked_of_two_players() -> None:
    state = racked("C", "DE")
    state = play(state, 0, Contribute(("C",))).state
    assert play(state, 1, Contribute(("D", "E"))).state.public.phase == "word"


# Phase 2


def test_a_word_lies_when_all_have_agreed() -> None:
    state = at_word(commons="CAD")
    proposed = play(state, 1, Propose(CAD), now=7_000)
    assert proposed.events == (Proposed(1, CAD),)
    assert proposed.undo == "next"
    assert proposed.state.public.laid == ()
    assert DEFENDERS.awaited(proposed.state) == {0, 2}
    assert DEFENDERS.due(proposed.state) == 67_000
    one = play(proposed.state, 0, Agree(), now=8_000)
    assert one.events == (Agreed(0),)
    assert one.undo == "next"
    assert DEFENDERS.awaited(one.state) == {2}
    both = play(one.state, 2, Agree(), now=9_000)
    assert both.events[:3] == (Agreed(2), Carried(), Placed(CAD, both.events[2].words, 6))  # type: ignore[union-attr]
    assert both.state.public.vp == 6
    assert both.undo == "never"
    assert (both.state.public.round, both.state.public.phase, both.state.public.since) == (
        2,
        "contribute",
        9_000,
    )


def test_a_lone_player_agrees_by_proposing() -> None:
    turn = play(at_word(dealt(1), commons="CAD"), 0, Propose(CAD))
    assert turn.events[:2] == (Proposed(0, CAD), Carried())
    assert turn.state.public.round == 2


def test_silence_is_consent_when_patience_has_run_out() -> None:
    state = play(at_word(commons="CAD"), 1, Propose(CAD), now=1_000).state
    with pytest.raises(IllegalMove, match="Nothing is due"):
        DEFENDERS.expire(state, moment(60_999))
    turn = DEFENDERS.expire(state, moment(61_000))
    assert turn.events[0] == Carried(silent=(0, 2))
    assert turn.state.public.vp == 6


def test_an_objection_blocks_until_it_is_taken_back() -> None:
    state = play(at_word(commons="CAD"), 1, Propose(CAD), now=1_000).state
    objected = play(state, 0, Object(), now=2_000)
    assert objected.events == (Objected(0),)
    assert DEFENDERS.due(objected.state) is None
    assert DEFENDERS.awaited(objected.state) == {2}
    agreed = play(objected.state, 2, Agree())
    assert agreed.state.public.laid == ()
    assert DEFENDERS.awaited(agreed.state) == {0, 1, 2}
    settled = play(agreed.state, 0, Agree())
    assert settled.events[:2] == (Agreed(0), Carried())


def test_the_clock_of_consent_starts_anew_when_the_last_objection_is_taken_back() -> None:
    state = play(at_word(commons="CAD"), 0, Propose(CAD), now=0).state
    before = DEFENDERS.epoch(state, 2)
    state = play(state, 1, Object(), now=1_000).state
    state = play(state, 1, Agree(), now=300_000).state
    assert DEFENDERS.due(state) == 360_000
    assert DEFENDERS.epoch(state, 2) == before
    with pytest.raises(IllegalMove, match="Nothing is due"):
        DEFENDERS.expire(state, moment(359_999))
    assert DEFENDERS.expire(state, moment(360_000)).events[0] == Carried(silent=(2,))


def test_the_clock_of_consent_stands_still_until_no_objection_is_left() -> None:
    state = play(at_word(dealt(4), commons="CAD"), 0, Propose(CAD), now=0).state
    state = play(state, 1, Object(), now=1_000).state
    state = play(state, 2, Object(), now=2_000).state
    state = play(state, 1, Agree(), now=3_000).state
    assert DEFENDERS.due(state) is None
    state = play(state, 2, Agree(), now=4_000).state
    assert DEFENDERS.due(state) == 64_000


def test_an_agreement_does_not_put_off_consent() -> None:
    state = play(at_word(commons="CAD"), 0, Propose(CAD), now=0).state
    assert DEFENDERS.due(play(state, 1, Agree(), now=30_000).state) == 60_000


def test_an_agreement_may_become_an_objection() -> None:
    state = play(at_word(commons="CAD"), 1, Propose(CAD)).state
    state = play(state, 0, Agree()).state
    state = play(state, 0, Object()).state
    assert state.public.proposal is not None
    assert (state.public.proposal.agreed, state.public.proposal.objected) == ((1,), (0,))


def test_a_new_proposal_takes_the_place_of_the_open_one() -> None:
    state = play(at_word(commons="CAD"), 1, Propose(CAD)).state
    state = play(state, 0, Object()).state
    state = play(state, 2, Propose(NoWord()), now=9_000).state
    assert state.public.proposal is not None
    assert (state.public.proposal.seat, state.public.proposal.agreed) == (2, (2,))
    assert state.public.proposal.objected == ()
    assert state.public.tried == (CAD,)
    assert DEFENDERS.due(state) == 69_000


def test_a_proposal_may_be_withdrawn_by_who_made_it() -> None:
    state = play(at_word(commons="CAD"), 1, Propose(CAD)).state
    assert refusal(state, 0, Withdraw()) == "Only who made a proposal can withdraw it."
    turn = play(state, 1, Withdraw())
    assert turn.events == (Withdrew(1),)
    assert turn.state.public.proposal is None
    assert turn.state.public.tried == (CAD,)
    assert DEFENDERS.due(turn.state) is None


def test_what_makes_no_sense_before_a_proposal_is_refused() -> None:
    open_ = play(at_word(commons="CAD"), 1, Propose(CAD)).state
    none = "No proposal is before the team."
    assert refusal(at_word(), 0, Agree()) == none
    assert refusal(at_word(), 0, Object()) == none
    assert refusal(at_word(), 0, Withdraw()) == none
    assert refusal(open_, 1, Agree()) == "You agree already."
    assert refusal(open_, 1, Object()) == "This proposal is your own; you can withdraw it."
    assert refusal(open_, 2, Propose(CAD)) == "That is before the team already."
    objected = play(open_, 0, Object()).state
    assert refusal(objected, 0, Object()) == "You object already."


def test_words_wait_for_the_contributions() -> None:
    assert refusal(dealt(), 0, Propose(NoWord())) == "First everyone contributes letters."


def test_a_word_that_does_not_fit_is_refused_when_it_is_proposed() -> None:
    assert refusal(at_word(commons="CA"), 0, Propose(CAD)) == "The letters on the table lack D."


def test_forming_no_word_is_allowed() -> None:
    turn = carried(at_word(commons="CAD"), NoWord())
    assert turn.events[1:4] == (Carried(), Passed(), Stored(tuple("CAD")))
    assert turn.state.public.laid == ()


def test_the_team_is_asked_for_ideas_once_until_something_is_proposed() -> None:
    turn = play(at_word(commons="CAD"), 0, Ask())
    assert turn.events == (Asked(0),)
    assert turn.state.public.ideas
    assert refusal(turn.state, 1, Ask()) == "The team has been asked for ideas already."
    assert not play(turn.state, 1, Propose(CAD)).state.public.ideas
    assert refusal(dealt(), 0, Ask()) == "Ideas are for the moment when a word is due."


# Wildcards on the map


def test_a_wildcard_may_stand_for_another_letter_and_the_round_goes_on() -> None:
    state = at_word(commons="CAD", laid=letters(("CAd", 4, 3, True)))
    turn = carried(state, Recast(((4, 5, "T"),)))
    assert turn.events == (Agreed(0), Carried(), Recasted(((4, 5, "T"),)))
    assert turn.undo == "never"  # what all have carried no seat takes back alone
    assert [tile.letter for tile in turn.state.public.laid] == ["C", "A", "T"]
    assert turn.state.public.phase == "word"
    assert turn.state.public.proposal is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ((), "Name each wildcard to change once, and at least one."),
        (((4, 5, "T"), (4, 5, "R")), "Name each wildcard to change once, and at least one."),
        (((4, 3, "T"),), "No wildcard lies at D5."),
        (((0, 0, "T"),), "No wildcard lies at A1."),
        (((0, -70, "T"),), "That square is not on this map."),
        (((0, 2**62, "T"),), "That square is not on this map."),
        (((55_231, 99, "T"),), "That square is not on this map."),
        (((4, 5, "t"),), "A wildcard stands for one letter from A to Z."),
        (((4, 5, "TT"),), "A wildcard stands for one letter from A to Z."),
        (((4, 5, "D"),), "The wildcard at F5 stands for D already."),
    ],
)
def test_only_a_wildcard_stands_for_another_letter(
    change: tuple[tuple[int, int, str], ...], sentence: str
) -> None:
    state = at_word(commons="CAD", laid=letters(("CAd", 4, 3, True)))
    assert refusal(state, 0, Propose(Recast(change))) == sentence


# The dictionary during play


def test_a_printed_table_asks_no_dictionary_while_words_are_proposed_and_laid() -> None:
    book = Book([])
    state = at_word(commons="XQZ", laid=letters(("CAd", 4, 3, True)))
    carried(state, Play("CADX", 4, 3, True), book=book)
    carried(state, Recast(((4, 5, "Z"),)), book=book)
    assert book.asked == []


def test_a_guarded_table_refuses_any_illegal_word_that_would_come_of_a_play() -> None:
    book = Book({"CAD", "ON", "AO"})
    guarded = at_word(commons="ON", laid=letters(("CAD", 4, 3, True)), referee="guarded")
    assert refusal(guarded, 0, Propose(Play("ON", 5, 4, True)), book) == "DN is not in the dictionary."
    book.words = {"CAD", "ON", "AO", "DN"}
    play(guarded, 0, Propose(Play("ON", 5, 4, True)), book=book)


def test_a_guarded_table_refuses_a_wildcard_that_makes_any_word_illegal() -> None:
    guarded = at_word(commons="OE", laid=letters(("CAd", 4, 3, True)), referee="guarded")
    assert (
        refusal(guarded, 0, Propose(Recast(((4, 5, "X"),))), Book({"CAD"})) == "CAX is not in the dictionary."
    )
    assert (
        refusal(guarded, 0, Propose(Play("TOE", 4, 5, False)), Book({"CAD", "TOE"}))
        == "CAT is not in the dictionary."
    )
    play(guarded, 0, Propose(Play("TOE", 4, 5, False)), book=Book({"CAT", "TOE"}))
    play(guarded, 0, Propose(Recast(((4, 5, "T"),))), book=Book({"CAT"}))


@pytest.mark.parametrize("referee", ["printed", "guarded"])
@pytest.mark.parametrize("phase", ["contribute", "word", "discard"])
def test_the_dictionary_is_consulted_once_and_everyone_hears_the_answer(referee: str, phase: str) -> None:
    state = at_word(referee=referee, phase=phase)
    assert consultations(state.public) == 1
    turn = play(state, 1, Consult("CAD"), book=Book({"CAD"}))
    assert turn.events == (Consulted(1, "CAD", True),)
    assert turn.undo == "never"
    assert turn.state.public.consulted == (Consulted(1, "CAD", True),)
    assert consultations(turn.state.public) == 0
    assert "one consultation" in refusal(turn.state, 2, Consult("DAC"))
    no = play(state, 1, Consult("DAC"), book=Book({"CAD"}))
    assert no.events == (Consulted(1, "DAC", False),)


@pytest.mark.parametrize("word", ["", "A", "cad", "CA-D", "ÇAD", "A" * 21])
def test_only_a_word_can_be_looked_up(word: str) -> None:
    assert refusal(at_word(), 0, Consult(word)) == "A word to look up has 2 to 20 letters, A to Z."


def test_a_hint_is_the_consultation_of_a_printed_table() -> None:
    state = at_word(commons="CAD")
    turn = play(state, 0, Hint(CAD))
    assert turn.events == (Hinted(0, CAD),)
    assert turn.undo == "never"
    assert turn.state.public.hints == 1
    assert "one consultation" in refusal(turn.state, 1, Hint(None))
    assert "one consultation" in refusal(turn.state, 1, Consult("CAD"))
    asked = play(state, 0, Consult("CAD")).state
    assert "one consultation" in refusal(asked, 1, Hint(CAD))


def test_hints_are_free_at_a_guarded_table() -> None:
    state = at_word(commons="CAD", referee="guarded")
    state = play(state, 0, Hint(CAD)).state
    state = play(state, 1, Hint(CAD)).state
    assert state.public.hints == 2
    play(state, 1, Consult("CAD"))


def test_that_nothing_fits_is_told_for_free() -> None:
    state = at_word(commons="CAD")
    turn = play(state, 0, Hint(None))
    assert turn.events == (Hinted(0, None),)
    assert consultations(turn.state.public) == 1
    play(turn.state, 1, Hint(CAD))
    play(turn.state, 1, Consult("CAD"))


def test_a_hint_fits_and_comes_when_a_word_is_due() -> None:
    assert refusal(at_word(commons="CA"), 0, Hint(CAD)) == "The letters on the table lack D."
    assert refusal(dealt(), 0, Hint(None)) == "A hint is for the moment when a word is due."


# Phase 3


def test_the_rulebooks_phase_three_stores_two_letters_and_draws_up_to_five() -> None:
    state = at_word(racked("EEEE", "NNNN", "OOOO"), commons="CADRT")
    turn = carried(state, CAD)
    assert [event for event in turn.events if isinstance(event, VillainLost | Discarded)] == []
    assert Stored(("R", "T")) in turn.events
    assert turn.state.public.storage == tiles("RT")
    assert turn.state.public.contributed == ()
    assert [event.count for event in turn.events if isinstance(event, Drew)] == [1, 1, 1]
    assert [len(rack) for rack in turn.state.racks] == [5, 5, 5]
    assert turn.state.racks[0] == tuple(sorted((*"EEEE", state.bags[0][-1])))
    assert turn.events[-1] == RoundBegan(2, state.villain_bag[-1])
    assert turn.state.public.villain == state.villain_bag[-1]


def test_a_villain_letter_left_over_is_discarded_at_its_value() -> None:
    turn = carried(at_word(villain="Q", vp=15), NoWord())
    assert VillainLost("Q", 11) in turn.events
    assert turn.state.public.vp == 4
    assert Tile("Q", VILLAIN) in turn.state.public.discarded


def test_a_villain_letter_in_the_word_costs_nothing() -> None:
    turn = carried(at_word(commons="CA", villain="D"), Play("CAD", 4, 3, True, villain=2))
    assert not [event for event in turn.events if isinstance(event, VillainLost)]
    assert turn.state.public.vp == 6
    assert turn.state.public.discarded == ()


def test_points_never_drop_below_zero() -> None:
    turn = carried(at_word(villain="Q", vp=3), NoWord())
    assert VillainLost("Q", 3) in turn.events
    assert turn.state.public.vp == 0


def test_each_loss_stops_at_zero_by_itself() -> None:
    state = at_word(villain="Q", vp=5, commons="HB", storage=tiles("AEIOUS"))
    turn = carried(state, NoWord())
    assert VillainLost("Q", 5) in turn.events
    assert Discarded(("H", "B"), 0) in turn.events


def test_letters_without_room_are_discarded_from_the_highest_at_their_value() -> None:
    state = at_word(vp=20, commons="AB", storage=tiles("HEIOUS", owner=2))
    turn = carried(state, NoWord())
    assert Discarded(("H", "B"), 7) in turn.events
    assert Stored(("A",)) in turn.events
    assert turn.state.public.vp == 13
    assert turn.state.public.storage == tiles("EIOUS", 2) + tiles("A")
    assert turn.state.public.discarded == (Tile("H", 2), Tile("B", 0))


def test_the_team_chooses_among_letters_that_differ_and_are_tied() -> None:
    state = at_word(vp=20, commons="HF", storage=tiles("ZAEIOU"), villain="K")
    asked = carried(state, NoWord(), now=3_000)
    assert asked.events[-1] == VillainLost("K", 5)
    assert (asked.state.public.phase, asked.state.public.since) == ("discard", 3_000)
    assert DEFENDERS.awaited(asked.state) == {0, 1, 2}
    assert DEFENDERS.due(asked.state) is None
    assert (
        refusal(asked.state, 0, Propose(Discard(("Z",)))) == "Choose among the letters that are tied: F, H."
    )
    assert refusal(asked.state, 0, Propose(Discard(("F", "H")))) == "Choose one letter to discard."
    assert refusal(asked.state, 0, Propose(Discard(()))) == "Choose one letter to discard."
    assert refusal(asked.state, 0, Propose(NoWord())).startswith("The round’s word is settled")
    turn = carried(asked.state, Discard(("F",)))
    assert Discarded(("Z", "F"), 14) in turn.events
    assert Stored(("H",)) in turn.events
    assert turn.state.public.vp == 20 - 5 - 14
    assert turn.state.public.round == 2


def test_several_tied_letters_are_named_in_order_and_as_often_as_they_lie_there() -> None:
    state = at_word(vp=20, commons="HFW", storage=tiles("FAEIO"), phase="discard")
    assert refusal(state, 0, Propose(Discard(("H", "H")))).startswith("Choose among")
    assert refusal(state, 0, Propose(Discard(("W", "F")))) == "Name the letters in alphabetical order."
    assert Discarded(("F", "F"), 8) in carried(state, Discard(("F", "F"))).events


def test_nothing_is_asked_when_all_that_are_tied_must_go() -> None:
    turn = carried(at_word(vp=20, commons="HF", storage=tiles("AEIOUS")), NoWord())
    assert Discarded(("F", "H"), 8) in turn.events
    assert turn.state.public.round == 2


def test_letters_are_discarded_only_when_it_is_time() -> None:
    assert refusal(at_word(), 0, Propose(Discard(("F",)))) == "No letters have to be discarded now."


def test_two_players_draw_back_both_letters() -> None:
    state = at_word(racked("EEE", "NNN"), commons="CAD")
    turn = carried(state, NoWord())
    assert [event.count for event in turn.events if isinstance(event, Drew)] == [2, 2]


@pytest.mark.parametrize("seats", [1, 2])
def test_one_or_two_players_take_an_unused_bag_when_theirs_is_empty(seats: int) -> None:
    state = at_word(racked(*["EEE"] * seats))
    state = replace(state, bags=(("Y",), *state.bags[1:]))
    turn = carried(state, NoWord())
    fresh = state.spare[-1]
    assert turn.state.racks[0] == tuple(sorted((*"EEE", "Y", fresh[-1])))
    assert turn.state.bags[0] == fresh[:-1]
    assert turn.state.spare == state.spare[:-1]


def test_three_players_go_on_without_new_letters_when_a_bag_is_empty() -> None:
    state = at_word(racked("EEEE", "NNNN", "OOOO"))
    state = replace(state, bags=((), *state.bags[1:]))
    turn = carried(state, NoWord())
    assert [event.seat for event in turn.events if isinstance(event, Drew)] == [1, 2]
    assert turn.state.racks[0] == tuple("EEEE")
    assert len(turn.state.spare) == 1


def test_a_round_in_which_no_rack_holds_a_letter_goes_straight_to_its_word() -> None:
    state = at_word(racked("", "", ""), commons="CAD")
    state = replace(state, bags=((), (), ()))
    turn = carried(state, NoWord())
    assert turn.events[-1] == Revealed(((), (), ()))
    assert (turn.state.public.round, turn.state.public.phase) == (2, "word")


# Conceding and what nobody may do


@pytest.mark.parametrize("phase", ["contribute", "word", "discard"])
def test_defeat_may_be_conceded_at_any_time_when_all_agree(phase: str) -> None:
    state = at_word(phase=phase, vp=33, collected=(0, 0))
    turn = carried(state, Concede())
    assert turn.events[-1] == Ended(False, "conceded", 33, 2, 1)
    assert DEFENDERS.result(turn.state) is not None
    assert DEFENDERS.result(turn.state).won is False  # type: ignore[union-attr]


def test_silence_never_concedes() -> None:
    state = play(at_word(commons="CAD"), 0, Propose(Concede()), now=1_000).state
    state = play(state, 1, Agree(), now=2_000).state
    assert DEFENDERS.due(state) is None
    assert DEFENDERS.awaited(state) == {2}
    assert DEFENDERS.result(play(state, 2, Agree(), now=900_000).state) is not None


def test_a_clock_that_was_set_when_silence_still_conceded_strikes_for_nothing() -> None:
    state = play(at_word(commons="CAD"), 0, Propose(Concede()), now=1_000).state
    turn = DEFENDERS.expire(state, moment(61_000))
    assert (turn.state, turn.events) == (state, ())
    with pytest.raises(IllegalMove, match="Nothing is due"):
        DEFENDERS.expire(state, moment(60_999))


def test_contributing_goes_on_while_defeat_is_proposed() -> None:
    state = racked("CCEEE", "AAEEE", "DDEEE")
    state = play(state, 0, Propose(Concede())).state
    state = play(state, 1, Object()).state
    assert DEFENDERS.awaited(state) == {0, 1, 2}
    for seat, letter in enumerate("CAD"):
        state = play(state, seat, Contribute((letter,))).state
    assert state.public.phase == "word"
    assert state.public.proposal is not None
    assert play(state, 1, Agree()).state.public.proposal is not None


def test_after_the_end_nothing_is_awaited_and_nothing_can_be_done() -> None:
    over = carried(at_word(), Concede()).state
    assert DEFENDERS.awaited(over) == frozenset()
    assert DEFENDERS.due(over) is None
    for move in (Agree(), Ask(), Propose(NoWord()), Consult("CAD"), Contribute(("A",))):
        assert refusal(over, 0, move) == "This game is over."


@pytest.mark.parametrize("seat", [-1, 3])
def test_only_seats_of_the_table_move(seat: int) -> None:
    assert refusal(at_word(), seat, Ask()) == "There is no such seat at this table."


def test_the_host_moves_only_where_words_are_to_be_attested() -> None:
    for move in (Agree(), Propose(NoWord()), Attest(True)):
        assert refusal(at_word(), None, move) == "Only a seated player can do that."
    assert refusal(at_word(), 0, Attest(True)) == "There are no words to confirm now."
