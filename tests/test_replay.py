"""Replays: scenarios written by hand, moves taken back, what one viewer is shown, and files that are no logs."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec
import pytest

from bot.__main__ import main
from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.game import Moment, Result, Words
from bot.games.log import BadLog, Entry, Log, parsed, recorded, replayed, seed_bytes, written
from bot.simulate import Automata
from tests.games.toy import TOY, Options, Sealed, Shown, Spelled
from tests.tables.hosting import ADA, BEN, Hosting
from tests.test_simulate import NoWords

# Seat 0 is dealt D F H, seat 1 is dealt B C C.
SEED = 1


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", TOY)


def seal(seat: int, card: str, at: int | None = None) -> dict[str, Any]:
    row: dict[str, Any] = {"seat": seat, "move": {"type": "seal", "card": card}}
    return row if at is None else {**row, "at": at}


def stake(seat: int, points: int) -> dict[str, Any]:
    return {"seat": seat, "move": {"type": "stake", "points": points}}


def spell(seat: int, word: str, **words: bool) -> dict[str, Any]:
    return {"seat": seat, "move": {"type": "spell", "word": word}, "words": words}


EXPIRE: dict[str, Any] = {"seat": None, "move": None, "at": 60_000}


def scenario(*moves: dict[str, Any], **fields: Any) -> bytes:
    return json.dumps({"game": "toy", "seats": 2, "seed": SEED, "moves": moves, **fields}).encode()


def steps(*moves: dict[str, Any], **fields: Any) -> list[Any]:
    return list(replayed(TOY, parsed(scenario(*moves, **fields)), NoWords()))


def replay(
    capsys: pytest.CaptureFixture[str], path: Path, raw: bytes, *arguments: str
) -> tuple[int, list[dict[str, Any]], str]:
    path.write_bytes(raw)
    status = main(["replay", str(path), *arguments])
    captured = capsys.readouterr()
    return status, [json.loads(row) for row in captured.out.splitlines()], captured.err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "scenario.json"


# Rows


def test_a_row_tells_move_events_awaited_and_due(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    status, rows, _ = replay(capsys, file, scenario(seal(0, "D", at=100)))
    assert status == 0
    assert rows == [
        {
            "seq": 1,
            "at": 100,
            "seat": 0,
            "move": {"type": "seal", "card": "D"},
            "events": [{"type": "sealed", "seat": 0, "card": "D"}],
            "awaited": [1],
            "due": 30_000,
        },
        {"result": None},
    ]


def test_a_refused_row_tells_why_and_takes_no_number(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    _, rows, _ = replay(capsys, file, scenario(seal(0, "A"), seal(0, "D")))
    assert rows[0]["refused"] == "You hold no A."
    assert "events" not in rows[0]
    assert [row.get("seq") for row in rows] == [0, 1, None]


def test_the_result_ends_the_output(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    halt = {"seat": None, "move": {"type": "halt"}}
    _, rows, _ = replay(capsys, file, scenario(seal(0, "H"), seal(1, "B"), halt))
    assert rows[-1] == {"result": {"scores": [8, 0], "winners": [0]}}
    _, rows, _ = replay(capsys, file, scenario(halt, options={"team": True}))
    assert rows[-1] == {"result": {"won": False}}


async def test_a_game_that_its_people_ended_has_the_result_that_was_recorded(
    capsys: pytest.CaptureFixture[str], file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    host = await Hosting.at(tmp_path)
    played = []
    for result in (Result(won=False), None):
        monkeypatch.setattr(TOY, "forfeit", lambda state, result=result: result, raising=False)
        table = await host.live((ADA, BEN))
        played.append(written(await host.service.export(table)))
        await host.service.end(table, ADA)
        await host.service.end(table, BEN)
        played.append(written(await host.service.export(table)))
    await host.store.close()
    ends = [replay(capsys, file, raw)[1][-1] for raw in played]
    assert ends == [
        {"result": None},
        {"result": {"won": False}, "ended": True},
        {"result": None},
        {"result": None, "ended": True},
    ]
    assert [b'"over"' in raw for raw in played] == [False, True, False, True]


def test_a_replay_of_the_first_rows_alone_has_not_ended(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    raw = scenario(seal(0, "D"), seal(1, "B"), over=True, result={"won": False})
    assert replay(capsys, file, raw, "--until", "1")[1][-1] == {"result": None}
    assert replay(capsys, file, raw)[1][-1] == {"result": {"won": False}, "ended": True}


def test_a_result_of_the_rules_goes_before_the_one_in_the_log(
    capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    raw = scenario(
        {"seat": None, "move": {"type": "halt"}}, over=True, result={"won": True}, options={"team": True}
    )
    assert replay(capsys, file, raw)[1][-1] == {"result": {"won": False}}


def test_a_row_of_nobody_without_a_move_is_the_clock(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    _, rows, _ = replay(capsys, file, scenario({**EXPIRE, "at": 29_999}, {**EXPIRE, "at": 30_000}))
    assert rows[0]["refused"] == "The clock runs until 30000 ms of table time."
    assert rows[1]["events"][-1] == {"type": "shown", "cards": ["D", "B"], "winner": 0}


def test_a_row_without_a_time_happens_when_the_one_before_did() -> None:
    assert [step.at for step in steps(seal(0, "D", at=70), seal(1, "B"))] == [70, 70]


def test_recorded_answers_come_before_the_lexicon() -> None:
    begun = seal(0, "D"), seal(1, "B")
    assert steps(*begun, spell(0, "NO"))[-1].events == (Spelled(0, "NO", False),)
    told = steps(*begun, spell(0, "NO", NO=True))[-1]
    assert told.events == (Spelled(0, "NO", True),)
    assert told.words == {"NO": True}


def test_only_the_first_rows_are_played_on_demand(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    _, rows, _ = replay(capsys, file, scenario(seal(0, "D"), seal(1, "B"), stake(0, 1)), "--until", "2")
    assert len(rows) == 3


def test_a_scenario_may_begin_with_a_state(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    reached = steps(seal(0, "D"), seal(1, "B"))[-1].state
    state = json.loads(TOY.states.dump(reached))
    _, rows, _ = replay(capsys, file, scenario(stake(0, 2), seed=None, state=state, seq=2))
    assert rows[0]["seq"] == 3
    assert rows[0]["events"] == [{"type": "staked", "seat": 0, "points": 2}]


def test_a_log_comes_from_standard_input_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(scenario(seal(0, "D")))))
    assert main(["replay", "-"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


# Taking back


def test_a_move_that_is_taken_back_has_never_been() -> None:
    *_, undo, again = steps(seal(0, "D"), {"seat": 0, "undo": 1}, seal(0, "H"))
    assert undo.undone == 1
    assert undo.state == undo_free(2).state
    assert again.refused is None
    assert again.seq == 3


def undo_free(seats: int) -> Any:
    """Return a step whose state is that of the deal."""
    (step,) = steps(seal(0, "A"), seats=seats)
    return step


def test_others_moves_stay_when_a_seat_takes_its_own_back() -> None:
    last = steps(seal(0, "D"), seal(1, "C"), {"seat": 0, "undo": 1}, seats=3)[-1]
    assert last.state == steps(seal(1, "C"), seats=3)[-1].state


def test_nothing_is_taken_back_once_cards_were_shown() -> None:
    last = steps(seal(0, "D"), seal(1, "B"), {"seat": 0, "undo": 1})[-1]
    assert last.refused == "Something hidden came to light, so that move stays."
    assert last.state == last.before


def test_a_stake_is_taken_back_until_the_next_seat_moves() -> None:
    begun = seal(0, "D"), seal(1, "B"), stake(0, 2)
    undo = {"seat": 0, "undo": 3}
    assert steps(*begun, undo)[-1].state.public.scores == (4, 0)
    rows = (seal(0, "D"), seal(1, "C"), seal(2, "B"), stake(0, 2), stake(1, 0), {"seat": 0, "undo": 4})
    assert steps(*rows, seats=3)[-1].refused == "Others have moved since, so that move stays."


def test_a_move_stays_when_what_its_seat_did_next_needs_it() -> None:
    sealed = seal(0, "D"), seal(1, "C"), seal(2, "G")
    rows = (*sealed, spell(0, "OK", OK=True), stake(0, 1))
    assert [step.refused for step in steps(*rows, seats=3)] == [None] * 5
    last = steps(*rows, {"seat": 0, "undo": 4}, seats=3)[-1]
    assert last.refused == "What happened since would not stand without that move."


def test_a_seat_takes_back_only_its_own_moves() -> None:
    assert steps(seal(0, "D"), {"seat": 1, "undo": 1})[-1].refused == (
        "Only the seat that made a move takes it back."
    )
    assert steps(seal(0, "D"), {"seat": 0, "undo": 2})[-1].refused == "There is no move 2 to take back."
    twice = steps(seal(0, "D"), {"seat": 0, "undo": 1}, {"seat": 0, "undo": 1})[-1]
    assert twice.refused == "There is no move 1 to take back."


def test_moves_after_an_undo_keep_their_draws() -> None:
    automata = Automata(TOY, Options(), seats=2, seed=b"k", skill=1, lexicon=NoWords())
    played = list(automata)
    place = next(place for place, step in enumerate(played) if step.undo == "own")
    rows = automata.rows
    log = Log(game="toy", seats=2, seed=b"k".hex(), moves=(*rows[: place + 1], Entry(undo=place + 1)))
    *_, last = replayed(TOY, log, NoWords())
    assert last.seq == place + 2
    assert last.state == played[place].before


# Views


def test_a_view_shows_no_other_seats_hidden_moves(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    raw = scenario(seal(0, "D"), seal(0, "H"))
    for viewer in ("1", "public"):
        _, rows, _ = replay(capsys, file, raw, "--view", viewer)
        assert rows[0]["move"] is None
        assert rows[0]["events"] == [{"type": "sealed", "seat": 0, "card": None}]
        assert rows[1]["refused"] is None
        assert rows[-1]["view"]["mine"] is None
        assert rows[-1]["view"]["sealed"] == [True, False]


def test_a_view_shows_a_seats_own_moves(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    _, rows, _ = replay(capsys, file, scenario(seal(0, "D"), seal(0, "H")), "--view", "0")
    assert rows[0]["events"] == [{"type": "sealed", "seat": 0, "card": "D"}]
    assert rows[1]["refused"] == "You have laid your card."
    assert rows[-1]["view"]["hand"] == ["F", "H"]


def test_a_picture_is_drawn_from_the_view(
    capsys: pytest.CaptureFixture[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = ModuleType("render.toy")
    vars(drawing)["board"] = lambda view, names: f"{view.seat} {view.hand} {names}".encode()
    monkeypatch.setitem(sys.modules, "render.toy", drawing)
    picture = file.with_suffix(".png")
    replay(capsys, file, scenario(), "--picture", str(picture))
    assert picture.read_bytes() == b"None () ['Seat 1', 'Seat 2']"
    replay(capsys, file, scenario(), "--picture", str(picture), "--view", "1")
    assert picture.read_bytes() == b"1 ('B', 'C', 'C') ['Seat 1', 'Seat 2']"


def test_a_game_without_pictures_says_so(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    status, _, told = replay(capsys, file, scenario(), "--picture", str(file.with_suffix(".png")))
    assert (status, told) == (2, "wordmoot replay: --picture: Hush has no picture\n")


# Bad files


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (b"", "Input data was truncated"),
        (b'{"game": "toy",\n "moves": [{},]}', "JSON is malformed: trailing comma in array (line 2, column 15)"),
        (b'{"game": "toy"}', "Object missing required field `seats`"),
        (b'{"game": "toy", "seats": 2}', "A log needs a `seed` to deal from, or a `state` to begin with."),
        (scenario(rules=1), "Object contains unknown field `rules`"),
        (scenario(game="chess"), "no game is called 'chess', but defenders, dungeon, toy - at `$.game`"),
        (scenario(seats=7), "Hush is not for 7 seats under these options - at `$.seats`"),
        (scenario(seats="2"), "Expected `int`, got `str` - at `$.seats`"),
        (scenario(options={"rounds": "x"}), "Expected `int`, got `str` - at `$.options.rounds`"),
        (scenario(options={"rounds": 0}), "A game needs a round at least. - at `$.options`"),
        (scenario(state={"public": {}}), "Object missing required field `options` - at `$.state.public`"),
        (scenario({"seat": 0}), "A seat's row needs a `move` - at `$.moves[0]`"),
        (scenario(seal(5, "D")), "Seats go from 0 to 1, not 5 - at `$.moves[0].seat`"),
        (scenario(seal(0, "D"), {"seat": 0, "move": {"type": "jump"}}), "Invalid value 'jump' - at `$.moves[1].move.type`"),
        (scenario({"seat": 0, "move": {"type": "seal", "card": 4}}), "Expected `str`, got `int` - at `$.moves[0].move.card`"),
        (scenario({**seal(0, "D"), "undo": 1}), "A row is a move or an undo, not both - at `$.moves[0]`"),
        (scenario(seal(0, "D", at=9), seal(1, "B", at=8)), "Table time goes back from 9 to 8 ms - at `$.moves[1].at`"),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_with_its_place(
    capsys: pytest.CaptureFixture[str], file: Path, raw: bytes, complaint: str
) -> None:
    status, rows, told = replay(capsys, file, raw)
    assert (status, rows, told) == (2, [], f"wordmoot replay: {file}: {complaint}\n")


def test_a_file_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["replay", str(tmp_path / "none.json")]) == 2
    assert "No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("viewer", ["2", "-1", "Ada"])
def test_a_viewer_that_does_not_exist_is_told(
    capsys: pytest.CaptureFixture[str], file: Path, viewer: str
) -> None:
    status, rows, told = replay(capsys, file, scenario(), f"--view={viewer}")
    assert (status, rows) == (2, [])
    assert told == f"wordmoot replay: --view {viewer}: a seat from 0 to 1, or public\n"


# The format


def test_a_written_log_reads_back_as_the_same_log() -> None:
    automata = Automata(TOY, Options(), seats=2, seed=b"w", skill=1, lexicon=NoWords())
    played = list(automata)
    log = Log(
        game="toy",
        version=1,
        options=msgspec.Raw(TOY.options.dump(Options())),
        seats=2,
        seed=b"w".hex(),
        moves=tuple(recorded(TOY, step) for step in played),
    )
    raw = written(log)
    assert parsed(raw) == log
    assert raw.count(b"\n") > len(played)
    assert [step.state for step in replayed(TOY, parsed(raw), NoWords())] == [step.state for step in played]


def test_an_empty_log_reads_back_too() -> None:
    log = Log(game="toy", seats=2, seed="x")
    assert parsed(written(log)) == log
    zero = Log(game="toy", seats=2, seed=0, over=True, result=Result(won=False))
    assert parsed(written(zero)) == zero


def test_a_seed_is_hex_or_else_any_text() -> None:
    assert seed_bytes("00ff") == b"\x00\xff"
    assert seed_bytes("games/1") == b"games/1"
    assert seed_bytes("abc") == b"abc"
    assert seed_bytes(12) == seed_bytes("12") == b"\x12"
    assert seed_bytes(None) == b""


def test_a_bad_move_is_found_before_the_first_is_played() -> None:
    with pytest.raises(BadLog, match=r"moves\[1\]"):
        replayed(TOY, parsed(scenario(seal(0, "D"), {"seat": 0, "move": {"type": "jump"}})), NoWords())


def test_an_exported_log_is_played_with_the_draws_of_its_table() -> None:
    dealt = TOY.deal(2, Options(), Moment(0, Chance(b"1", 0, "play"), Words(NoWords())))
    assert dealt.hands == (("D", "F", "H"), ("B", "C", "C"))
    assert steps(seal(0, "D"), seal(1, "B"))[-1].events == (Sealed(1, "B"), Shown(("D", "B"), 0))
