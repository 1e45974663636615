"""The laws that hold for every game, whatever its rules: each a function that raises ``BrokenLaw`` or does nothing.

They know a game by its contract alone. ``wordmoot simulate`` checks them at every move, tests check them on games that
break one on purpose.

============= ========================================================================================================
``conserved`` nothing comes into being or is lost (for a game that lists its ``inventory``)
``codec``     a state, move or event survives its bytes, and a state read back plays on alike
``form``      awaited, due, epoch and result are what the host relies on; a table that is not over can go on
``refusal``   an illegal move changes nothing, and is answered by a sentence
``undo``      a move that can be taken back drew nothing, and others' moves stand without one that is a seat's own
``view``      what a viewer sees and is asked for is the same for all states that it cannot tell apart
``event``     what a viewer is told is decided by what it saw before and sees after; so are refusals
``replay``    the log leads to the same states again, without asking a lexicon anew
============= ========================================================================================================

The laws of views and events do not take a game's word for its secrecy. They imagine another state behind a viewer's
view, make the same move there (or, when the mover cannot make it there, what its automaton would do instead), and
compare bytes. What both cannot see is a secret that a view shows and ``imagine`` carries over faithfully; ``varied``
tells whether anything is hidden at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from bot.games.chance import Chance
from bot.games.game import Game, IllegalMove, Lexicon, Moment, Turn, Words
from bot.games.log import Log, Step, advance, replayed, without

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")
E = TypeVar("E")

LEAKS = frozenset({"view", "event"})  # the laws whose breach tells a viewer what it may not know
EPOCHS = range(2**32)

_PLAIN = msgspec.json.Encoder(order="deterministic")


class BrokenLaw(Exception):  # noqa: N818 - reads as what it says
    """A game broke the law ``name``. ``detail`` may tell secrets: for tests and simulations only."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"{name}: {detail}")
        self.name = name
        self.detail = detail


class Silent:
    """A lexicon for replays: every answer has to be in the record."""

    def legal(self, word: str) -> bool:
        """Raise BrokenLaw: the answer was not recorded."""
        raise BrokenLaw("replay", f"a replay asks whether {word!r} is legal, which no move recorded")

    def common(self, word: str) -> bool:
        """Raise BrokenLaw: rules have no use for the common tier."""
        raise BrokenLaw("replay", f"rules ask whether {word!r} is common, which no record holds")

    def same(self, first: str, second: str) -> bool:
        """Raise BrokenLaw: the answer was not recorded."""
        raise BrokenLaw("replay", f"a replay asks whether {first!r} and {second!r} are one word")

    def related(self, first: str, second: str) -> bool:
        """Raise BrokenLaw: the answer was not recorded."""
        raise BrokenLaw("replay", f"a replay asks whether {first!r} and {second!r} are related")

    def number_pair(self, first: str, second: str) -> bool:
        """Raise BrokenLaw: the answer was not recorded."""
        raise BrokenLaw("replay", f"a replay asks whether {first!r} and {second!r} are a number pair")

    def matching(self, pattern: str) -> Sequence[str]:
        """Raise BrokenLaw: the answer was not recorded."""
        raise BrokenLaw("replay", f"a replay asks which words {pattern!r} fits, which no move recorded")


def viewers(seats: int) -> tuple[int | None, ...]:
    """Return everyone (None) and each seat."""
    return (None, *range(seats))


def indistinct(
    game: Game[S, Any, V, Any, Any], state: S, seat: int | None, chance: Chance, count: int
) -> Iterator[S]:
    """Yield ``count`` states that the viewer cannot tell from ``state``.

    Whatever is made from a view (a picture, a text) must be the same for all of them.
    """
    view = game.seen_by(state, seat)
    for _ in range(count):
        yield game.imagine(view, seat, chance)


def varied(game: Game[S, Any, V, Any, Any], state: S, seat: int | None, chance: Chance) -> bool:
    """Return whether an imagined state differs from the true one, that is: whether something is hidden.

    No law, since chance may imagine the truth, and a game may hide nothing; but a game with hidden hands of which
    this is never true shows them.
    """
    true = game.states.dump(state)
    return any(game.states.dump(other) != true for other in indistinct(game, state, seat, chance, 1))


def check_conserved(game: Game[S, Any, Any, Any, Any], before: S, after: S) -> None:
    """Check that both states hold the same things, if the game can list them."""
    had, has = _inventory(game, before), _inventory(game, after)
    if had == has or had is None or has is None:
        return
    gone, come = Counter(had) - Counter(has), Counter(has) - Counter(had)
    raise BrokenLaw("conserved", f"gone {sorted(gone.elements())}, come {sorted(come.elements())}")


def check_codec(game: Game[S, Any, Any, Any, Any], state: S) -> None:
    """Check that a state survives its bytes, and as a state that this release saved."""
    raw = game.states.dump(state)
    for way, loaded in (("load", game.states.load(raw)), ("upgrade", game.upgrade(raw, game.version))):
        if loaded != state or game.states.dump(loaded) != raw:
            raise BrokenLaw("codec", f"{way} makes {_text(loaded)} of {raw.decode()}")


def check_form(game: Game[Any, Any, Any, Any, Any], state: Any, seats: int) -> None:
    """Check that the host can rely on what it is told about a state."""
    awaited, due, result = game.awaited(state), game.due(state), game.result(state)
    if not isinstance(awaited, frozenset) or not awaited <= frozenset(range(seats)):
        raise BrokenLaw("form", f"awaited {awaited!r} of {seats} seats")
    if due is not None and (type(due) is not int or due < 0):
        raise BrokenLaw("form", f"due {due!r} is no table time")
    for viewer in viewers(seats):
        epoch = game.epoch(state, viewer)
        if type(epoch) is not int or epoch not in EPOCHS:
            raise BrokenLaw("form", f"epoch {epoch!r} of {_name(viewer)}")
    if result is None:
        if not awaited and due is None:
            raise BrokenLaw("form", "nobody is awaited and nothing is due, yet there is no result")
        return
    if awaited or due is not None:
        raise BrokenLaw("form", f"over, yet {sorted(awaited)} are awaited and {due} is due")
    if len(result.scores) not in (0, seats) or not set(result.winners) <= set(range(seats)):
        raise BrokenLaw("form", f"{result!r} for {seats} seats")


def check_views(
    game: Game[S, Any, Any, Any, Any], state: S, seats: int, chance: Chance, count: int = 1
) -> dict[int | None, tuple[S, ...]]:
    """Check what each viewer sees and is asked for in ``count`` states behind its view.

    Returns:
        those states by viewer; ``check_told`` and ``check_refusal`` use them again.
    """
    imagined: dict[int | None, tuple[S, ...]] = {}
    for viewer in viewers(seats):
        imagined[viewer] = tuple(indistinct(game, state, viewer, chance, count))
        for other in imagined[viewer]:
            _check_alike(game, viewer, state, other)
            try:
                check_conserved(game, state, other)
            except BrokenLaw as broken:
                raise BrokenLaw("view", f"{_name(viewer)} imagines: {broken.detail}") from broken
    return imagined


def check_step(
    game: Game[S, M, Any, E, Any], step: Step[S, M, E], *, seats: int, seed: bytes, lexicon: Lexicon
) -> None:
    """Check a committed move by itself: bytes, conservation, and no draw in what can be taken back.

    ``seed`` and ``lexicon`` are those that the move was made with.
    """
    check_form(game, step.state, seats)
    check_conserved(game, step.before, step.state)
    check_codec(game, step.state)
    if step.move is not None and game.moves.load(game.moves.dump(step.move)) != step.move:
        raise BrokenLaw("codec", f"move {_text(step.move)} reads back as another")
    if game.events.load(game.events.dump(step.events)) != step.events:
        raise BrokenLaw("codec", f"events {_text(step.events)} read back as others")

    before = game.states.dump(step.before)
    again = _made(game, game.states.load(before), step, step.move, seed, lexicon)
    if not isinstance(again, Turn) or _outcome(game, again) != _outcome(game, step):
        raise BrokenLaw("codec", f"{_text(step.move)} leads elsewhere from the state read back")
    lucky = _made(game, step.before, step, step.move, seed + b"other", lexicon)
    if game.states.dump(step.before) != before:
        raise BrokenLaw("refusal", f"{_text(step.move)} changes the state that it is played on")
    if step.undo == "never":
        return
    if not isinstance(lucky, Turn) or _outcome(game, lucky) != _outcome(game, step):
        raise BrokenLaw("undo", f"{_text(step.move)} has undo {step.undo!r}, yet leads by chance")


def check_told(
    game: Game[S, M, Any, E, Any],
    step: Step[S, M, E],
    imagined: Mapping[int | None, Sequence[S]],
    *,
    seed: bytes,
    lexicon: Lexicon,
    skill: int = 0,
) -> None:
    """Check what viewers learn from a move, by making it in states that they took for possible before it.

    Two turns that begin alike for a viewer and end alike for it are told alike. A turn that can be taken back
    revealed nothing: it even ends alike wherever the same move is made. And who may move knows that: a move that is
    legal is legal in each state that its mover takes for possible.

    Args:
        imagined: by viewer, states that it could not tell from ``step.before``.
        skill: of the automaton that is asked when the mover cannot make the same move in an imagined state.
    """
    _check_filters(game, step.events, tuple(imagined))
    lucky = _made(game, step.before, step, step.move, seed + b"other", lexicon)
    for viewer, others in imagined.items():
        if isinstance(lucky, Turn):
            _check_told_alike(game, viewer, step, lucky)
        for other in others:
            turn = _made(game, other, step, step.move, seed, lexicon)
            if isinstance(turn, Turn):
                if step.undo != "never" and turn.undo != "never":
                    _check_alike(game, viewer, step.state, turn.state)
            elif viewer == step.seat:
                raise BrokenLaw(
                    "event",
                    f"only hidden things decide whether {_name(viewer)} may {_text(step.move)}: {turn}",
                )
            elif (instead := _instead(game, other, step, seed, lexicon, skill)) is not None:
                turn = instead
            if isinstance(turn, Turn):
                _check_told_alike(game, viewer, step, turn)


def check_refusal(
    game: Game[S, M, Any, Any, Any],
    state: S,
    seat: int | None,
    move: M,
    imagined: Sequence[S],
    *,
    now: int,
    seq: int,
    seed: bytes,
    lexicon: Lexicon,
) -> bool:
    """Try a move that may be illegal; returns whether the rules refuse it.

    Args:
        imagined: states that ``seat`` cannot tell from ``state``; the answer must be the same there.
    """
    before = game.states.dump(state)
    answers = []
    for candidate in (state, *imagined):
        at = Moment(now, Chance(seed, seq, "play"), Words(lexicon))
        try:
            game.play(candidate, seat, move, at)
            answers.append("")
        except IllegalMove as refusal:
            answers.append(str(refusal))
        except BrokenLaw:
            raise
        except Exception as crash:
            raise BrokenLaw("refusal", f"{_text(move)} by {_name(seat)} raises {crash!r}") from crash
    if game.states.dump(state) != before:
        raise BrokenLaw("refusal", f"{_text(move)} by {_name(seat)} changes the state that it is tried on")
    if len(set(answers)) > 1:
        raise BrokenLaw(
            "event", f"the answer to {_text(move)} by {_name(seat)} tells hidden things: {answers}"
        )
    (answer,) = set(answers)
    if not answer and game.result(state) is not None:
        raise BrokenLaw("refusal", f"{_text(move)} by {_name(seat)} is legal after the result")
    if answer and not answer.rstrip().endswith((".", "?")):
        raise BrokenLaw("refusal", f"{answer!r} is no sentence")
    return bool(answer)


def check_undo(
    game: Game[S, M, Any, E, Any], steps: Sequence[Step[S, M, E]], *, seed: bytes, lexicon: Lexicon
) -> None:
    """Check that others' moves stand without a move that its seat may take back whatever they did.

    Args:
        steps: consecutive moves, none of which reveals anything.
    """
    for index, step in enumerate(steps):
        if step.undo != "own":
            continue
        stop = index + 1
        while stop < len(steps) and steps[stop].seat not in (step.seat, None):
            stop += 1
        try:
            without(game, steps[:stop], index, seed=seed, lexicon=lexicon)
        except IllegalMove as refusal:
            raise BrokenLaw("undo", f"{_text(step.move)} by {_name(step.seat)}: {refusal}") from refusal


def check_replay(game: Game[S, M, Any, E, Any], log: Log, steps: Sequence[Step[S, M, E]]) -> None:
    """Check that a log leads through the states and events of ``steps``, with recorded answers alone."""
    played = list(replayed(game, log, Silent()))
    if len(played) != len(steps):
        raise BrokenLaw("replay", f"{len(played)} moves instead of {len(steps)}")
    for again, step in zip(played, steps, strict=True):
        if again.refused is not None:
            raise BrokenLaw("replay", f"move {step.seq} is refused: {again.refused}")
        if _outcome(game, again) != _outcome(game, step):
            raise BrokenLaw("replay", f"move {step.seq} leads elsewhere")


def _inventory(game: Game[S, Any, Any, Any, Any], state: S) -> tuple[str, ...] | None:
    listed = game.inventory(state)
    return None if listed is None else tuple(sorted(listed))


def _check_alike(game: Game[S, Any, Any, Any, Any], viewer: int | None, state: S, other: S) -> None:
    """Check that a viewer cannot tell two states apart by anything that the host shows or asks."""
    view, seen = game.seen_by(state, viewer), game.seen_by(other, viewer)
    if view != seen or _PLAIN.encode(view) != _PLAIN.encode(seen):
        raise BrokenLaw("view", f"{_name(viewer)} tells states apart: {_difference(view, seen)}")
    for asked in (game.awaited, game.due, game.result):
        true, imagined = asked(state), asked(other)
        if true != imagined:
            raise BrokenLaw("view", f"{asked.__name__} tells {_name(viewer)}: {true} is {imagined} elsewhere")
    if game.epoch(state, viewer) != game.epoch(other, viewer):
        raise BrokenLaw("view", f"its epoch tells {_name(viewer)} hidden things")


def _check_filters(
    game: Game[Any, Any, Any, E, Any], events: Sequence[E], heard_for: Sequence[int | None]
) -> None:
    """Check that hearing twice tells no less, and that everyone hears no more than a seat does."""
    for event in events:
        public = game.heard_by(event, None)
        for viewer in heard_for:
            heard = game.heard_by(event, viewer)
            if (None if heard is None else game.heard_by(heard, viewer)) != heard:
                raise BrokenLaw("event", f"{_name(viewer)} hears {_text(heard)} differently a second time")
            if (None if heard is None else game.heard_by(heard, None)) != public:
                raise BrokenLaw("event", f"everyone hears of {_text(event)} what {_name(viewer)} does not")


def _check_told_alike(
    game: Game[S, Any, Any, E, Any], viewer: int | None, step: Step[S, Any, E], turn: Turn[S, E]
) -> None:
    seen = _PLAIN.encode(game.seen_by(step.state, viewer))
    if seen != _PLAIN.encode(game.seen_by(turn.state, viewer)):
        return
    heard, elsewhere = _heard(game, step.events, viewer), _heard(game, turn.events, viewer)
    if heard != elsewhere:
        raise BrokenLaw("event", f"{_name(viewer)} hears {heard!r} where {elsewhere!r} looks the same")


def _heard(game: Game[Any, Any, Any, E, Any], events: Sequence[E], viewer: int | None) -> bytes:
    heard = (game.heard_by(event, viewer) for event in events)
    return game.events.dump(tuple(event for event in heard if event is not None))


def _made(
    game: Game[S, M, Any, E, Any],
    state: S,
    step: Step[S, M, E],
    move: M | None,
    seed: bytes,
    lexicon: Lexicon,
) -> Turn[S, E] | IllegalMove:
    """Return what ``move`` leads to when it is made in ``state`` at the moment of ``step``, or the refusal."""
    at = Moment(step.at, Chance(seed, step.seq, "play"), Words(lexicon, step.words))
    try:
        return advance(game, state, step.seat, move, at)
    except IllegalMove as refusal:
        return refusal


def _instead(
    game: Game[S, M, Any, E, Any], state: S, step: Step[S, M, E], seed: bytes, lexicon: Lexicon, skill: int
) -> Turn[S, E] | None:
    """Return what the mover's automaton does in an imagined state, or None when it does nothing yet."""
    if step.seat is None:
        return None
    chance = Chance(seed, step.seq - 1, f"choose/{step.seat}")
    plan = game.choose(
        game.seen_by(state, step.seat), step.seat, skill, Moment(step.at, chance, Words(lexicon))
    )
    if plan is None or plan.move is None:
        return None
    turn = _made(game, state, step, plan.move, seed, lexicon)
    return turn if isinstance(turn, Turn) else None


def _outcome(game: Game[S, Any, Any, E, Any], made: Turn[S, E] | Step[S, Any, E]) -> tuple[bytes, bytes, str]:
    return game.states.dump(made.state), game.events.dump(made.events), made.undo


def _difference(one: object, other: object) -> str:
    """Return the first place where two values of a kind differ, by field."""
    for field in getattr(one, "__struct_fields__", ()):
        mine, theirs = getattr(one, field), getattr(other, field, None)
        if mine != theirs:
            return (
                f"{field}.{_difference(mine, theirs)}"
                if hasattr(mine, "__struct_fields__")
                else (f"{field} is {_text(mine)}, not {_text(theirs)}")
            )
    return f"{_text(one)}, not {_text(other)}"


def _name(viewer: int | None) -> str:
    return "everyone" if viewer is None else f"seat {viewer}"


def _text(value: object) -> str:
    return _PLAIN.encode(value).decode()
