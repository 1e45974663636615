"""``wordmoot simulate GAME``: automata play whole games through the rules, and the laws are checked at every move.

Time is table time and costs nothing: whoever plans the earliest moves next, or the clock runs out first. So a game of
hours takes a second, and the same seed gives the same games on every machine, with any number of processes.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, Generic, TypeVar

import msgspec

from bot.games import GAMES, laws
from bot.games.chance import Chance
from bot.games.game import Game, IllegalMove, Lexicon, Moment, Plan, Result, Words
from bot.games.laws import BrokenLaw
from bot.games.log import AnyGame, Entry, Log, Step, committed, recorded, written

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")

BOUND = 2_000  # moves; a game that is not over by then never will be
STALE_MOVES = 4  # so many of the latest moves are tried again at each turn, to be refused or not
PROGRESS_S = 5.0


class Setting(msgspec.Struct, frozen=True):
    """What the games of one run have in common. ``options``: the game's own, as JSON."""

    game: str
    options: bytes
    seats: int
    seed: str
    skill: int
    bound: int = BOUND


class Breach(msgspec.Struct, frozen=True):
    """A law broken at move ``seq``; ``law`` may also be ``plan`` (an automaton's) or ``crash``."""

    seq: int
    law: str
    detail: str


class Outcome(msgspec.Struct, frozen=True):
    """How one game went. ``thinking_s``: time that rules and automata took, the laws' own left out.

    ``log`` is empty unless something went wrong; ``stuck`` is a game without a result.
    """

    index: int
    moves: int
    illegal: int
    result: Result | None
    table_ms: int
    thinking_s: float
    breaches: tuple[Breach, ...] = ()
    log: bytes = b""

    @property
    def sound(self) -> bool:
        """Whether the game was finished, no law broken and no automaton refused."""
        return self.result is not None and not self.breaches and not self.illegal


class Automata(Generic[S, M, E]):
    """A game with an automaton at every seat: an iterator over the moves that they and the clock make.

    Each seat is asked after each move, and again when it said so. The earliest plan is carried out, or what is due
    comes first; chance decides what happens at the same ms. An automaton whose move is refused (``refusals``) sits
    out until the next move. The iterator ends with a result, or when nobody means to move and nothing is due.

    ``rows`` is the log so far, refused rows too; ``thinking_s`` the time that it took.
    """

    def __init__(
        self,
        game: Game[S, M, Any, E, Any],
        options: Any,
        *,
        seats: int,
        seed: bytes,
        skill: int,
        lexicon: Lexicon,
    ) -> None:
        self.game, self.seats, self.seed, self.skill, self.lexicon = game, seats, seed, skill, lexicon
        self.seq, self.now = 0, 0
        self.rows: list[Entry] = []
        self.refusals: list[str] = []
        self.breaches: list[Breach] = []
        self.thinking_s = 0.0
        self.state = game.deal(seats, options, Moment(0, Chance(seed, 0, "play"), Words(lexicon)))

    def __iter__(self) -> Iterator[Step[S, M, E]]:
        return self

    def __next__(self) -> Step[S, M, E]:
        """Return the next move, made.

        Raises:
            Exception: whatever a game raises that has a bug; the last of ``rows`` is the move that brought it out.
        """
        began = perf_counter()
        try:
            if self.game.result(self.state) is not None:
                raise StopIteration
            return self._next()
        finally:
            self.thinking_s += perf_counter() - began

    def _next(self) -> Step[S, M, E]:
        order = Chance(self.seed, self.seq, "order")
        plans = {seat: plan for seat in range(self.seats) if (plan := self._asked(seat)) is not None}
        due = self.game.due(self.state)
        while plans or due is not None:
            times: dict[int | None, int] = {seat: max(self.now, plan.at) for seat, plan in plans.items()}
            if due is not None:
                times[None] = max(self.now, due)
            self.now = min(times.values())
            seat = order.pick([mover for mover, time in times.items() if time == self.now])
            if seat is None:
                return self._committed(None, None)
            plan = plans.pop(seat)
            if plan.move is None:
                again = self._asked(seat)
                if again is not None and self._kept_its_word(seat, again):
                    plans[seat] = again
                continue
            try:
                return self._committed(seat, plan.move)
            except IllegalMove as refusal:
                self.refusals.append(f"move {self.seq + 1}, seat {seat}: {refusal}")
        raise StopIteration

    def _asked(self, seat: int) -> Plan[M] | None:
        chance = Chance(self.seed, self.seq, f"choose/{seat}")
        view = self.game.seen_by(self.state, seat)
        return self.game.choose(view, seat, self.skill, Moment(self.now, chance, Words(self.lexicon)))

    def _kept_its_word(self, seat: int, plan: Plan[M]) -> bool:
        if plan.move is not None and plan.at <= self.now:
            return True
        detail = f"seat {seat}, asked again at {self.now} ms as it wished, puts its move off once more"
        self.breaches.append(Breach(self.seq, "plan", detail))
        return False

    def _committed(self, seat: int | None, move: M | None) -> Step[S, M, E]:
        raw = msgspec.Raw(b"null" if move is None else self.game.moves.dump(move))
        self.rows.append(Entry(seat=seat, move=raw, at=self.now))
        step = committed(
            self.game,
            self.state,
            seat,
            move,
            seq=self.seq + 1,
            now=self.now,
            seed=self.seed,
            words=Words(self.lexicon),
        )
        self.rows[-1] = recorded(self.game, step)
        self.seq, self.state = step.seq, step.state
        return step


class Court(Generic[S, M, E]):
    """The laws over one game, move by move; what was broken is in ``breaches``."""

    def __init__(
        self,
        game: Game[S, M, Any, E, Any],
        first: S,
        *,
        seats: int,
        seed: bytes,
        skill: int,
        lexicon: Lexicon,
    ) -> None:
        self.game, self.seats, self.seed, self.skill, self.lexicon = game, seats, seed, skill, lexicon
        self.breaches: list[Breach] = []
        self._steps: list[Step[S, M, E]] = []
        self._open: list[Step[S, M, E]] = []  # since something was last revealed
        self._stale: deque[M] = deque(maxlen=STALE_MOVES)
        self._imagined: dict[int | None, tuple[S, ...]] = {}
        self._hold(laws.check_form, game, first, seats)
        self._hold(laws.check_codec, game, first)
        self._hold(self._imagine, first)

    def judge(self, step: Step[S, M, E]) -> None:
        """Check one committed move, and the state that it led to."""
        self._steps.append(step)
        made = {"seed": self.seed, "lexicon": self.lexicon}
        self._hold(laws.check_step, self.game, step, seats=self.seats, **made)
        self._hold(laws.check_told, self.game, step, self._imagined, skill=self.skill, **made)
        self._hold(self._imagine, step.state)
        self._try_stale_moves(step)
        if step.undo == "never":
            self._check_undo()
        else:
            self._open.append(step)

    def close(self, log: Log) -> None:
        """Check what can be judged only in the end; ``log`` holds the committed rows."""
        self._check_undo()
        self._hold(laws.check_replay, self.game, log, self._steps)

    def _imagine(self, state: S) -> None:
        self._imagined = {}
        chance = Chance(self.seed, len(self._steps), "imagine")
        self._imagined = laws.check_views(self.game, state, self.seats, chance)

    def _try_stale_moves(self, step: Step[S, M, E]) -> None:
        if step.move is not None and step.move not in self._stale:
            self._stale.append(step.move)
        viewers = laws.viewers(self.seats)
        seat = viewers[step.seq % len(viewers)]
        for move in self._stale:
            self._hold(
                laws.check_refusal,
                self.game,
                step.state,
                seat,
                move,
                self._imagined.get(seat, ()),
                now=step.at,
                seq=step.seq + 1,
                seed=self.seed,
                lexicon=self.lexicon,
            )

    def _check_undo(self) -> None:
        steps, self._open = self._open, []
        self._hold(laws.check_undo, self.game, steps, seed=self.seed, lexicon=self.lexicon)

    def _hold(self, law: Callable[..., object], *arguments: Any, **named: Any) -> None:
        try:
            law(*arguments, **named)
        except BrokenLaw as broken:
            self.breaches.append(Breach(len(self._steps), broken.name, broken.detail))


def simulated(game: AnyGame, setting: Setting, index: int, lexicon: Lexicon) -> Outcome:
    """Return how game number ``index`` of a run went. It depends on nothing but the arguments.

    Raises:
        IllegalMove: the options do not go together.
    """
    seed = f"{setting.seed}/{index}".encode()
    options = game.options.load(setting.options)
    automata = Automata(game, options, seats=setting.seats, seed=seed, skill=setting.skill, lexicon=lexicon)
    court = Court(game, automata.state, seats=setting.seats, seed=seed, skill=setting.skill, lexicon=lexicon)
    rows: list[Entry] = []
    crash: list[Breach] = []
    try:
        for step in automata:
            rows.append(automata.rows[-1])
            court.judge(step)
            if step.seq >= setting.bound:
                break
        court.close(_log(game, setting, seed, rows))
    except Exception as error:  # a bug of the game must not hide the other games, nor its own log
        crash.append(Breach(automata.seq, "crash", f"{type(error).__name__}: {error}"))
    outcome = Outcome(
        index=index,
        moves=automata.seq,
        illegal=len(automata.refusals),
        result=None if crash else game.result(automata.state),
        table_ms=automata.now,
        thinking_s=automata.thinking_s,
        breaches=(*automata.breaches, *court.breaches, *crash),
    )
    if outcome.sound:
        return outcome
    return msgspec.structs.replace(outcome, log=written(_log(game, setting, seed, automata.rows)))


def _log(game: AnyGame, setting: Setting, seed: bytes, rows: Sequence[Entry]) -> Log:
    return Log(
        game=game.key,
        version=game.version,
        options=msgspec.Raw(setting.options),
        seats=setting.seats,
        seed=seed.hex(),
        moves=tuple(rows),
    )


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("game", choices=sorted(GAMES), help="which game")
    parser.add_argument("--games", type=_positive, default=1, metavar="N", help="how many games (default 1)")
    parser.add_argument(
        "--seats", type=_positive, metavar="N", help="automata at the table (default: as many as may)"
    )
    parser.add_argument(
        "--seed", default="1", metavar="S", help="any text; the same text, the same games (default 1)"
    )
    parser.add_argument(
        "--skill", type=int, choices=(0, 1, 2), default=2, help="of each automaton (default 2)"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the game; the value is JSON, or else plain text",
    )
    parser.add_argument("--jobs", type=_positive, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument(
        "--bound",
        type=_positive,
        default=BOUND,
        metavar="N",
        help=f"moves before a game is given up (default {BOUND})",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        default=Path(tempfile.gettempdir()),
        metavar="DIR",
        help="where the log of a broken game goes, for `wordmoot replay` (default: the system's temporary folder)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Simulate; returns 0 when all games finished, no law broke and no automaton was refused, 2 for a bad argument."""
    game = GAMES[arguments.game]
    try:
        options = parsed_options(game, arguments.option)
        seats = _seats(game, options, arguments.seats)
        game.deal(seats, options, Moment(0, Chance(b"", 0, "play"), Words(_lexicon())))
    except (IllegalMove, ValueError) as error:
        print(f"wordmoot simulate: {error}", file=sys.stderr)
        return 2
    setting = Setting(
        game=game.key,
        options=game.options.dump(options),
        seats=seats,
        seed=arguments.seed,
        skill=arguments.skill,
        bound=arguments.bound,
    )
    outcomes = []
    shown = monotonic()
    for outcome in _outcomes(setting, arguments.games, arguments.jobs):
        outcomes.append(outcome)
        if not outcome.sound:
            _report(setting, outcome, arguments.keep)
        if monotonic() - shown >= PROGRESS_S:
            shown = monotonic()
            print(_progress(outcomes, arguments.games), file=sys.stderr, flush=True)
    print(msgspec.json.encode(summary(setting, outcomes)).decode(), flush=True)
    return 0 if all(outcome.sound for outcome in outcomes) else 1


def parsed_options(game: AnyGame, given: Sequence[str]) -> Any:
    """Return a game's options from texts ``key=value``; the last of a key counts.

    Raises:
        ValueError: a sentence that names the text and what is wrong with it.
    """
    known = list(msgspec.json.decode(game.options.dump(game.options.load(b"{}"))))
    values: dict[str, object] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--option {text}: write it as key=value")
        if key not in known:
            raise ValueError(f"--option {text}: {game.title} has no option {key!r}, but {', '.join(known)}")
        values[key] = _value(value)
        try:
            game.options.load(msgspec.json.encode({key: values[key]}))
        except msgspec.ValidationError as error:
            raise ValueError(f"--option {text}: {error}") from error
    return game.options.load(msgspec.json.encode(values))


def summary(setting: Setting, outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the line that ends a run; ``won`` is a rate among finished games, left out where nobody wins together."""
    finished = [outcome for outcome in outcomes if outcome.result is not None]
    moves = sum(outcome.moves for outcome in outcomes)
    broken = Counter(breach.law for outcome in outcomes for breach in outcome.breaches)
    thinking_s = sum(outcome.thinking_s for outcome in outcomes)
    line: dict[str, object] = {
        "seats": setting.seats,
        "seed": setting.seed,
        "skill": setting.skill,
        "options": msgspec.Raw(setting.options),
        "moves_per_game": round(moves / len(outcomes), 1),
        "table_minutes_per_game": round(
            sum(outcome.table_ms for outcome in outcomes) / 60_000 / len(outcomes), 1
        ),
        "broken": dict(sorted(broken.items())),
        "game": setting.game,
        "games": len(outcomes),
        "finished": len(finished),
        "moves": moves,
        "illegal": sum(outcome.illegal for outcome in outcomes),
        "leaks": sum(count for law, count in broken.items() if law in laws.LEAKS),
        "ms_per_move": round(1000 * thinking_s / max(1, moves), 3),
    }
    together = [
        outcome.result.won for outcome in finished if outcome.result and outcome.result.won is not None
    ]
    if together:
        line["won"] = round(sum(together) / len(together), 3)
    return line


def _outcomes(setting: Setting, games: int, jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        for index in range(games):
            yield _outcome(setting, index)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        running = [pool.submit(_outcome, setting, index) for index in range(games)]
        for done in as_completed(running):
            yield done.result()


def _outcome(setting: Setting, index: int) -> Outcome:
    return simulated(GAMES[setting.game], setting, index, _lexicon())


def _lexicon() -> Lexicon:
    from bot.words.lexicon import Lexicon as Shipped  # loads data: not for --help

    return Shipped.load()


def _seats(game: AnyGame, options: Any, wanted: int | None) -> int:
    possible = game.seats(options)
    if wanted is None:
        return possible[-1]
    if wanted not in possible:
        raise ValueError(f"--seats {wanted}: {game.title} takes {possible[0]} to {possible[-1]}")
    return wanted


def _report(setting: Setting, outcome: Outcome, folder: Path) -> None:
    name = re.sub(
        r"[^\w.-]", "_", f"wordmoot-{setting.game}-{setting.seats}-{setting.seed}-{outcome.index}.json"
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(outcome.log)
    print(f"game {outcome.index}: {_fault(outcome)}; log: {path}", file=sys.stderr, flush=True)


def _fault(outcome: Outcome) -> str:
    if outcome.breaches:
        breach = outcome.breaches[0]
        more = f" (and {len(outcome.breaches) - 1} more)" if len(outcome.breaches) > 1 else ""
        return f"move {breach.seq} breaks {breach.law}: {breach.detail}{more}"
    if outcome.illegal:
        return f"{outcome.illegal} moves of automata refused"
    return f"no result after {outcome.moves} moves"


def _progress(outcomes: Sequence[Outcome], games: int) -> str:
    moves = sum(outcome.moves for outcome in outcomes)
    unsound = sum(not outcome.sound for outcome in outcomes)
    return f"{len(outcomes)}/{games} games, {moves} moves, {unsound} games with a fault"


def _value(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number
