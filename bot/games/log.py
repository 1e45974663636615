"""The log of a table: the deal's arguments and every move, from which the whole game follows again.

One format serves the host's export, a bug report and a scenario written by hand. Row ``k`` of a host's log is move
``k`` of the table (the deal is move 0), and draws with ``Chance(seed, k, "play")``. In a scenario a row may be refused
by the rules; it then takes no number, just as the host commits no refused move.

A row of the log is one of
- a seat's move, ``{"seat": 0, "move": {…}, "at": 1500}``;
- a move of the host, the same with ``"seat": null``;
- an expired clock, ``{"seat": null, "move": null, "at": 60000}``;
- a move taken back, ``{"seat": 0, "undo": 3, "at": 2000}``: move 3 has never been, what came after it is played again.

``at`` is table time in ms; without it the row happens when the one before did. ``words`` holds the questions that the
move asked of the lexicon and their answers (see ``bot.games.game.Words``), so that a newer lexicon changes no old game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from bot.games.chance import Chance
from bot.games.game import Game, IllegalMove, Lexicon, Moment, Result, Turn, Undo, Words

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
T = TypeVar("T")

NULL = msgspec.Raw(b"null")  # msgspec cannot tell "raw or nothing" apart, so nothing is spelled out
EMPTY = msgspec.Raw(b"{}")


class BadLog(ValueError):  # noqa: N818 - a file that is bad, not a failure of ours
    """A log that cannot be played at all; the sentence names the place in the file."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the log; see the module's docstring. ``move`` holds the game's JSON, ``NULL`` for none."""

    seat: int | None = None
    move: msgspec.Raw = NULL
    at: Annotated[int, msgspec.Meta(ge=0)] | None = None
    words: dict[str, bool] = {}
    undo: Annotated[int, msgspec.Meta(ge=1)] | None = None


class Log(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game from its deal, or from a given ``state``, on.

    ``seed``: pairs of hex digits stand for bytes, any other text for itself in UTF-8. ``state``: begin here instead
    of dealing, ``seq`` being the number of the move that led there. ``version``: the release of the game that wrote
    ``state``; the current one when missing. ``words``: what the table's dictionary says, whatever the lexicon does:
    the words that a server has added or barred, and what was asked at the deal; a row's own answers come first.
    ``over``: the table has ended, with this ``result``, which the rules do not know of when its people ended it.
    """

    game: str
    version: int | None = None
    options: msgspec.Raw = EMPTY
    seats: Annotated[int, msgspec.Meta(ge=1)]
    seed: str | int | None = None
    state: msgspec.Raw = NULL
    seq: Annotated[int, msgspec.Meta(ge=0)] = 0
    words: dict[str, bool] = {}
    over: bool = False
    result: Result | None = None
    moves: tuple[Entry, ...] = ()


class Step(msgspec.Struct, Generic[S, M, E], frozen=True):
    """A row of the log, played.

    ``seq`` is the number of the last committed move: this one's, or, when it was ``refused`` (the rules' sentence),
    the one's before. ``words`` are the answers that the move needed. ``undone`` is the number of the move that this
    row took back; such a step has no events.
    """

    seq: int
    seat: int | None
    move: M | None
    at: int
    before: S
    state: S
    events: tuple[E, ...] = ()
    undo: Undo = "never"
    words: Mapping[str, bool] = {}
    undone: int | None = None
    refused: str | None = None


AnyGame = Game[Any, Any, Any, Any, Any]


def parsed(raw: bytes) -> Log:
    """Return the log that a file holds.

    Raises:
        BadLog: the bytes are no JSON, or lack or misname something.
    """
    try:
        log = msgspec.json.decode(raw, type=Log)
    except msgspec.ValidationError as error:
        raise BadLog(str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadLog(_located(raw, str(error))) from error
    if log.seed is None and _absent(log.state):
        raise BadLog("A log needs a `seed` to deal from, or a `state` to begin with.")
    _check_rows(log)
    return log


def written(log: Log) -> bytes:
    """Return the log as a file that people can read: a row a line. ``parsed`` returns the same log from it."""
    fields = msgspec.structs.asdict(log)
    rows = fields.pop("moves")
    told = {name: value for name, value in fields.items() if value is not None and value is not False}
    head = {name: value for name, value in told.items() if value not in (NULL, {})}
    lines = [f"{_json(name)}: {_json(value)}" for name, value in head.items()]
    listed = ",\n".join("  " + _json(row) for row in rows)
    lines.append(f'"moves": [\n{listed}\n]' if rows else '"moves": []')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def recorded(game: Game[S, M, Any, E, Any], step: Step[S, M, E]) -> Entry:
    """Return the row of the log that a committed step amounts to."""
    move = NULL if step.move is None else msgspec.Raw(game.moves.dump(step.move))
    return Entry(seat=step.seat, move=move, at=step.at, words=dict(step.words), undo=step.undone)


def seed_bytes(seed: str | int | None) -> bytes:
    """Return the secret that a log's ``seed`` stands for."""
    text = "" if seed is None else str(seed)
    try:
        return bytes.fromhex(text) if text.isalnum() else text.encode()
    except ValueError:
        return text.encode()


def opening(game: Game[S, M, Any, E, Any], log: Log, lexicon: Lexicon) -> S:
    """Return the state in which the log begins.

    Raises:
        BadLog: options, state or number of seats do not suit the game.
    """
    options = _loaded(game.options.load, log.options, "$.options")
    if log.seats not in game.seats(options):
        raise BadLog(f"{game.title} is not for {log.seats} seats under these options - at `$.seats`")
    if not _absent(log.state):
        version = game.version if log.version is None else log.version
        return _loaded(lambda raw: _state(game, raw, version), log.state, "$.state")
    try:
        return game.deal(
            log.seats, options, Moment(0, Chance(seed_bytes(log.seed), 0, "play"), Words(lexicon, log.words))
        )
    except IllegalMove as refusal:
        raise BadLog(f"{refusal} - at `$.options`") from refusal


def advance(
    game: Game[S, M, Any, E, Any], state: S, seat: int | None, move: M | None, at: Moment
) -> Turn[S, E]:
    """Return what a move leads to, or, ``move`` and ``seat`` being None, what the expired clock leads to.

    Raises:
        IllegalMove: the rules refuse it, or nothing is due yet.
    """
    if move is not None:
        return game.play(state, seat, move, at)
    due = game.due(state)
    if due is None:
        raise IllegalMove("No clock is running.")
    if at.now < due:
        raise IllegalMove(f"The clock runs until {due} ms of table time.")
    return game.expire(state, at)


def committed(
    game: Game[S, M, Any, E, Any],
    state: S,
    seat: int | None,
    move: M | None,
    *,
    seq: int,
    now: int,
    seed: bytes,
    words: Words,
) -> Step[S, M, E]:
    """Return move number ``seq`` as a step.

    Raises:
        IllegalMove: as ``advance``.
    """
    turn = advance(game, state, seat, move, Moment(now, Chance(seed, seq, "play"), words))
    return Step(seq, seat, move, now, state, turn.state, turn.events, turn.undo, words.asked)


def without(
    game: Game[S, M, Any, E, Any],
    steps: Sequence[Step[S, M, E]],
    index: int,
    *,
    seed: bytes,
    lexicon: Lexicon,
    known: Mapping[str, bool] | None = None,
) -> tuple[Step[S, M, E], ...]:
    """Return ``steps``, which follow one another, as they had been played without the one at ``index``.

    Each keeps its number, so it draws what it drew. ``known`` are answers recorded with the undo itself.

    Raises:
        IllegalMove: what came after does not stand without it.
    """
    again = list(steps[:index])
    state = steps[index].before
    for step in steps[index + 1 :]:
        words = Words(lexicon, {**step.words, **(known or {})})
        try:
            played = committed(
                game, state, step.seat, step.move, seq=step.seq, now=step.at, seed=seed, words=words
            )
        except IllegalMove as refusal:
            raise IllegalMove("What happened since would not stand without that move.") from refusal
        again.append(played)
        state = played.state
    return tuple(again)


def replayed(game: Game[S, M, Any, E, Any], log: Log, lexicon: Lexicon) -> Iterator[Step[S, M, E]]:
    """Play a log through the rules, a step a row; a refused row leaves everything as it was.

    The rules are asked as the host asked them: same table time, same draws, recorded answers first. To take a move
    back, the host plays its log with one more row, ``Entry(seat=…, undo=seq, at=…)``, and keeps the last step unless
    it was refused.

    Raises:
        BadLog: before the first step, when some part of the log cannot be read.
    """
    state = opening(game, log, lexicon)
    moves = _moves(game, log)
    return _played(game, log, lexicon, state, moves)


def _played(
    game: Game[S, M, Any, E, Any], log: Log, lexicon: Lexicon, state: S, moves: Sequence[M | None]
) -> Iterator[Step[S, M, E]]:
    seed = seed_bytes(log.seed)
    standing: list[Step[S, M, E]] = []  # committed, and not taken back since
    seq, now = log.seq, 0
    for entry, move in zip(log.moves, moves, strict=True):
        now = now if entry.at is None else entry.at
        try:
            if entry.undo is None:
                words = Words(lexicon, {**log.words, **entry.words})
                step = committed(game, state, entry.seat, move, seq=seq + 1, now=now, seed=seed, words=words)
                standing.append(step)
            else:
                index = _undoable(standing, entry)
                before = standing[index].before
                known = {**log.words, **entry.words}
                standing = list(without(game, standing, index, seed=seed, lexicon=lexicon, known=known))
                rest = standing[index:]
                step = Step(
                    seq + 1,
                    entry.seat,
                    None,
                    now,
                    state,
                    rest[-1].state if rest else before,
                    words={question: answer for again in rest for question, answer in again.words.items()},
                    undone=entry.undo,
                )
        except IllegalMove as refusal:
            yield Step(seq, entry.seat, move, now, state, state, undone=entry.undo, refused=str(refusal))
            continue
        seq, state = step.seq, step.state
        yield step


def _undoable(standing: Sequence[Step[Any, Any, Any]], entry: Entry) -> int:
    """Return the place among ``standing`` of the move that ``entry`` takes back, if it may be."""
    places = [place for place, step in enumerate(standing) if step.seq == entry.undo]
    if not places:
        raise IllegalMove(f"There is no move {entry.undo} to take back.")
    step, later = standing[places[0]], standing[places[0] + 1 :]
    if entry.seat is not None and entry.seat != step.seat:
        raise IllegalMove("Only the seat that made a move takes it back.")
    if "never" in (step.undo, *(other.undo for other in later)):
        raise IllegalMove("Something hidden came to light, so that move stays.")
    if step.undo == "next" and any(other.seat != step.seat for other in later):
        raise IllegalMove("Others have moved since, so that move stays.")
    return places[0]


def _check_rows(log: Log) -> None:
    latest = 0
    for place, entry in enumerate(log.moves):
        path = f"$.moves[{place}]"
        if entry.seat is not None and entry.seat not in range(log.seats):
            raise BadLog(f"Seats go from 0 to {log.seats - 1}, not {entry.seat} - at `{path}.seat`")
        if entry.undo is not None and not _absent(entry.move):
            raise BadLog(f"A row is a move or an undo, not both - at `{path}`")
        if entry.undo is None and entry.seat is not None and _absent(entry.move):
            raise BadLog(f"A seat's row needs a `move` - at `{path}`")
        if entry.at is not None and entry.at < latest:
            raise BadLog(f"Table time goes back from {latest} to {entry.at} ms - at `{path}.at`")
        latest = latest if entry.at is None else entry.at


def _moves(game: Game[Any, M, Any, Any, Any], log: Log) -> tuple[M | None, ...]:
    return tuple(
        None if _absent(entry.move) else _loaded(game.moves.load, entry.move, f"$.moves[{place}].move")
        for place, entry in enumerate(log.moves)
    )


def _state(game: Game[S, Any, Any, Any, Any], raw: bytes, version: int) -> S:
    return game.states.load(raw) if version == game.version else game.upgrade(raw, version)


def _loaded(load: Callable[[bytes], T], raw: msgspec.Raw, path: str) -> T:
    try:
        return load(bytes(raw))
    except msgspec.DecodeError as error:
        sentence = str(error)
        if "`$" not in sentence:
            sentence += " - at `$`"
        raise BadLog(sentence.replace("`$", "`" + path, 1)) from error


def _absent(raw: msgspec.Raw) -> bool:
    return bytes(raw) == b"null"


def _located(raw: bytes, sentence: str) -> str:
    """Return the decoder's sentence with its byte number told as line and column."""
    found = re.search(r"\(byte (\d+)\)", sentence)
    if found is None:
        return sentence
    before = raw[: int(found[1])]
    line, column = 1 + before.count(b"\n"), len(before) - before.rfind(b"\n")
    return sentence.replace(found[0], f"(line {line}, column {column})")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
