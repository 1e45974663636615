"""Defenders of the Dictionary, Quick Play: the rules.

Rulebook: "Round Overview", "How to Play the Game", "Endgame Check", "Player Count Changes", "Quick Play".
Geometry and scores are in ``placement``, the end check's dictionary in ``legality``, what is secret in
``views``.

Beyond the rulebook:

- Words are not checked as they are played: a ``printed`` table asks the dictionary at the end check and once
  in between; a ``guarded`` one refuses an illegal word when it is proposed.
- A word, and any other matter of the team, is a proposal. It is carried when all seats agree, or when
  ``patience`` has passed without an objection, anew when the last one is taken back. The latest proposal
  stands. Defeat may be proposed in the same way at any time, but wants everybody's answer: silence never concedes.
- The villain letter is drawn as a round begins; an empty bag then is the failure of rule card A.
- Solo: the two random letters are drawn once the player has chosen. A seat without letters contributes
  nothing.
- The end check comes after the costs of phase 3, success before failure. Each loss stops at 0 by itself. At a
  ``printed`` table the host may attest unknown words within ``patience``; else, and for a lone player, they
  fail the mission.
- Numbered POI: too few collected and collectable for the goal fail the mission at the round's end check.
- A hint is free at a ``guarded`` table and is the consultation at a ``printed`` one, unless nothing fits.
- Asking for ideas is free and unlimited at any table. What an automaton then proposes is a team-mate's advice,
  not the dictionary's answer, though every word of it is legal.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TypeVar

from msgspec.structs import replace

from bot.games.chance import Chance
from bot.games.crossword import runs
from bot.games.defenders import automaton, views
from bot.games.defenders.city import found
from bot.games.defenders.legality import judge
from bot.games.defenders.placement import (
    changed_words,
    check,
    check_recast,
    lay,
    overflow,
    reachable,
    recast_letters,
    take,
)
from bot.games.defenders.planning import hint
from bot.games.defenders.state import (
    BAGS,
    LUCK,
    PLAYER_BAG,
    RACK,
    VALUES,
    VILLAIN,
    VILLAIN_BAG,
    WILD,
    Agree,
    Agreed,
    Ask,
    Asked,
    Attest,
    Attested,
    Carried,
    Concede,
    Consult,
    Consulted,
    Contribute,
    Contributed,
    Difficulty,
    Discard,
    Discarded,
    Doubted,
    Drew,
    Ended,
    Event,
    Goal,
    Hint,
    Hinted,
    Matter,
    Move,
    NoWord,
    Object,
    Objected,
    Options,
    Passed,
    Phase,
    Play,
    Proposal,
    Propose,
    Proposed,
    Public,
    Reason,
    Recast,
    Recasted,
    Revealed,
    RoundBegan,
    State,
    Stored,
    Tile,
    View,
    VillainLost,
    Withdraw,
    Withdrew,
)
from bot.games.game import Codec, Game, IllegalMove, Moment, Plan, Result, Turn, Undo, epoch_of
from bot.games.proposal import agreed, asked, check_withdrawal, objected, shelved, silent

_T = TypeVar("_T")

PATIENCE = {"live": 60_000, "slow": 12 * 3_600_000}  # ms
LONGEST_PATIENCE = 7 * 24 * 3_600_000  # ms
ROUNDS = len(VILLAIN_BAG)

# Every goal that a team can choose, by difficulty and level: how many POI tiles, how many Vocabulary Points.
GOALS = (
    Goal("beginner", 1, 4, 60),
    Goal("beginner", 2, 5, 70),
    Goal("beginner", 3, 6, 80),
    Goal("intermediate", 1, 4, 70),
    Goal("intermediate", 2, 5, 80),
    Goal("intermediate", 3, 6, 90),
)
_REVEALING = Drew | Revealed | RoundBegan | Consulted | Hinted | Doubted | Ended


# What a round asks of a seat


def contribution(public: Public, held: int) -> int:
    """Return how many letters a seat that holds ``held`` must contribute: its share, or all it has."""
    return min(held, public.share)


def consultations(public: Public) -> int:
    """Return how often the team may still consult the dictionary: once or no more."""
    used = len(public.consulted) + (public.hints if public.referee == "printed" else 0)
    return max(0, 1 - used)


# The deal


def goal(difficulty: Difficulty, level: int) -> Goal:
    """Return what success asks for at a level (1 to 3) of a difficulty."""
    return next(one for one in GOALS if (one.difficulty, one.level) == (difficulty, level))


def _deal(seats: int, options: Options, chance: Chance) -> State:
    if not 1 <= seats <= BAGS:
        raise IllegalMove(f"Defenders of the Dictionary is for one to {BAGS} players.")
    if not 0 <= options.patience <= LONGEST_PATIENCE:
        raise IllegalMove("Patience is at most seven days.")
    city, pois = found(options, chance)
    bags = [chance.shuffled(PLAYER_BAG) for _ in range(BAGS)]
    lucky: tuple[str, ...] = bags.pop() if seats == 1 else ()
    villain_bag = chance.shuffled(VILLAIN_BAG)
    public = Public(
        seats=seats,
        goal=goal(options.difficulty, options.level),
        city=city,
        referee=options.referee,
        patience=options.patience or PATIENCE[options.pace],
        pace=options.pace,
        round=1,
        phase="contribute",
        since=0,
        vp=0,
        villain=villain_bag[-1],
        villain_left=len(villain_bag) - 1,
        contributed=(),
        storage=(),
        laid=(),
        pois=pois,
        collected=(),
        discarded=(),
    )
    return State(
        public=public,
        racks=tuple(tuple(sorted(bag[-RACK:])) for bag in bags[:seats]),
        bags=tuple(bag[:-RACK] for bag in bags[:seats]),
        spare=tuple(bags[seats:]),
        lucky=lucky,
        villain_bag=villain_bag[:-1],
        sealed=(None,) * seats,
    )


# Phase 1: contribute a letter


def _contribute(state: State, seat: int, move: Contribute, at: Moment, told: list[Event]) -> State:
    public = state.public
    if public.phase != "contribute":
        raise IllegalMove("Letters are contributed at the start of a round.")
    if state.sealed[seat] is not None:
        raise IllegalMove("You have contributed this round.")
    rack = list(state.racks[seat])
    due = contribution(public, len(rack))
    if not due:
        raise IllegalMove("Your rack is empty, so there is nothing to contribute.")
    if len(move.letters) != due:
        raise IllegalMove(f"Contribute exactly {'one letter' if due == 1 else 'two letters'}.")
    for letter in move.letters:
        if letter not in VALUES:
            raise IllegalMove("A letter to contribute is one of A to Z, or an asterisk for a wildcard.")
        if letter not in rack:
            some = "only one" if letter in state.racks[seat] else "no"
            raise IllegalMove(f"There is {some} {'wildcard' if letter == WILD else letter} on your rack.")
        rack.remove(letter)
    letters = tuple(sorted(move.letters))
    told.append(Contributed(seat, letters))
    state = replace(
        state,
        racks=_with(state.racks, seat, tuple(rack)),
        sealed=_with(state.sealed, seat, letters),
    )
    return state if _unsealed(state) else _reveal(state, at, told)


def _unsealed(state: State) -> frozenset[int]:
    return frozenset(
        seat for seat, letters in enumerate(state.sealed) if letters is None and state.racks[seat]
    )


def _reveal(state: State, at: Moment, told: list[Event]) -> State:
    letters = tuple(letters or () for letters in state.sealed)
    extra: tuple[str, ...] = ()
    if state.public.seats == 1:
        extra, lucky, spare = _draw(state.lucky, state.spare, 2)
        state = replace(state, lucky=lucky, spare=spare)
    told.append(Revealed(letters, extra))
    tiles = [Tile(letter, seat) for seat, laid in enumerate(letters) for letter in laid]
    tiles.extend(Tile(letter, LUCK) for letter in extra)
    public = _enter(replace(state.public, contributed=tuple(tiles)), "word", at)
    return replace(state, public=public, sealed=(None,) * public.seats)


# Phase 2: the team agrees on a word, or on none


def _propose(state: State, seat: int, matter: Matter, at: Moment, told: list[Event]) -> State:
    public = state.public
    _check_matter(public, matter, at)
    if public.proposal is not None and public.proposal.matter == matter:
        raise IllegalMove("That is before the team already.")
    told.append(Proposed(seat, matter))
    proposal = Proposal(seat, matter, at.now, agreed=(seat,))
    tried = shelved(public.tried, public.proposal)
    state = replace(state, public=replace(public, proposal=proposal, tried=tried, ideas=False))
    return _carried_if_unanimous(state, at, told)


def _check_matter(public: Public, matter: Matter, at: Moment) -> None:
    if isinstance(matter, Concede):
        return
    if public.phase == "contribute":
        raise IllegalMove("First everyone contributes letters.")
    if isinstance(matter, Discard):
        if public.phase != "discard":
            raise IllegalMove("No letters have to be discarded now.")
        _check_discard(public, matter)
        return
    if public.phase != "word":
        raise IllegalMove("The round’s word is settled; first choose the letters to discard.")
    if isinstance(matter, Play):
        check(public, matter)
        if public.referee == "guarded":
            _check_legal(changed_words(public, matter), at)
    elif isinstance(matter, Recast):
        check_recast(public, matter)
        if public.referee == "guarded":
            laid = recast_letters(public.laid, matter.letters)
            words = runs({(tile.row, tile.col): tile.letter for tile in laid})
            _check_legal(tuple(run.word for run in words), at)


def _check_legal(words: tuple[str, ...], at: Moment) -> None:
    for word in words:
        if not at.words.legal(word):
            raise IllegalMove(f"{word} is not in the dictionary.")


def _check_discard(public: Public, matter: Discard) -> None:
    excess = overflow(public)
    if len(matter.letters) != excess.owed:
        some = "one letter" if excess.owed == 1 else f"{excess.owed} letters"
        raise IllegalMove(f"Choose {some} to discard.")
    if Counter(matter.letters) - Counter(excess.tied):
        raise IllegalMove(f"Choose among the letters that are tied: {', '.join(excess.tied)}.")
    if matter.letters != tuple(sorted(matter.letters)):
        raise IllegalMove("Name the letters in alphabetical order.")


def _open(public: Public) -> Proposal:
    if public.proposal is None:
        raise IllegalMove("No proposal is before the team.")
    return public.proposal


def _agree(state: State, seat: int, at: Moment, told: list[Event]) -> State:
    answered = _open(state.public)
    proposal = agreed(answered, seat)
    told.append(Agreed(seat))
    if answered.objected and not proposal.objected:
        proposal = replace(proposal, resumed=at.now)
    return _carried_if_unanimous(_with_proposal(state, proposal), at, told)


def _object(state: State, seat: int, told: list[Event]) -> State:
    proposal = objected(_open(state.public), seat)
    told.append(Objected(seat))
    return _with_proposal(state, proposal)


def _withdraw(state: State, seat: int, told: list[Event]) -> State:
    check_withdrawal(_open(state.public), seat)
    told.append(Withdrew(seat))
    tried = shelved(state.public.tried, state.public.proposal)
    return replace(state, public=replace(state.public, proposal=None, tried=tried))


def _ask(state: State, seat: int, told: list[Event]) -> State:
    if state.public.phase != "word":
        raise IllegalMove("Ideas are for the moment when a word is due.")
    if state.public.ideas:
        raise IllegalMove("The team has been asked for ideas already.")
    told.append(Asked(seat))
    return replace(state, public=replace(state.public, ideas=True))


def _carried_if_unanimous(state: State, at: Moment, told: list[Event]) -> State:
    if len(_open(state.public).agreed) < state.public.seats:
        return state
    return _carry(state, at, told)


def _carry(state: State, at: Moment, told: list[Event]) -> State:
    proposal = _open(state.public)
    told.append(Carried(tuple(seat for seat in range(state.public.seats) if seat not in proposal.agreed)))
    public = replace(state.public, proposal=None)
    state = replace(state, public=public)
    match proposal.matter:
        case Concede():
            return _end(state, "conceded", told)
        case Discard(letters):
            return _store(state, letters, at, told)
        case Recast(letters):
            told.append(Recasted(letters))
            return replace(state, public=replace(public, laid=recast_letters(public.laid, letters)))
        case Play() as play:
            public, events = lay(public, play)
            told.extend(events)
            return _prepare(replace(state, public=public), at, told)
        case NoWord():
            told.append(Passed())
            return _prepare(state, at, told)


# Phase 3: prepare for the next round


def _prepare(state: State, at: Moment, told: list[Event]) -> State:
    public = state.public
    letter = public.villain
    if letter is not None:
        public, lost = _lose(public, VALUES[letter])
        told.append(VillainLost(letter, lost))
        discarded = (*public.discarded, Tile(letter, VILLAIN))
        public = replace(public, villain=None, discarded=discarded)
    excess = overflow(public)
    if excess.asks:
        return replace(state, public=_enter(public, "discard", at))
    return _store(replace(state, public=public), excess.unasked, at, told)


def _store(state: State, chosen: tuple[str, ...], at: Moment, told: list[Event]) -> State:
    """Discard what has no room, ``chosen`` among what is tied; move the rest to Letter Storage."""
    public = state.public
    storage, contributed = list(public.storage), list(public.contributed)
    letters = overflow(public).forced + chosen
    if letters:
        gone = tuple(take(letter, contributed, storage) for letter in letters)
        public, lost = _lose(public, sum(VALUES[letter] for letter in letters))
        public = replace(public, discarded=public.discarded + gone)
        told.append(Discarded(letters, lost))
    if contributed:
        told.append(Stored(tuple(tile.letter for tile in contributed)))
    public = replace(public, storage=(*storage, *contributed), contributed=())
    return _check_end(replace(state, public=public), at, told)


def _lose(public: Public, vp: int) -> tuple[Public, int]:
    lost = min(public.vp, vp)
    return replace(public, vp=public.vp - lost), lost


def _check_end(state: State, at: Moment, told: list[Event]) -> State:
    public = state.public
    if len(public.collected) >= public.goal.poi and public.vp >= public.goal.vp:
        return _confirm(state, at, told)
    if not reachable(public):
        return _end(state, "poi", told)
    return _begin_round(_draw_up(state, told), at, told)


def _confirm(state: State, at: Moment, told: list[Event]) -> State:
    public = state.public
    verdict = judge(public.laid, at.words)
    if verdict.recast:
        told.append(Recasted(verdict.recast))
        public = replace(public, laid=recast_letters(public.laid, verdict.recast))
        state = replace(state, public=public)
    if not verdict.unknown:
        return _end(state, "success", told)
    nobody_vouches = public.referee == "guarded" or public.seats == 1
    if nobody_vouches:
        return _end(state, "illegal", told, verdict.unknown)
    told.append(Doubted(verdict.unknown))
    return replace(state, public=_enter(replace(public, doubts=verdict.unknown), "verify", at))


def _attest(state: State, accepted: bool, told: list[Event]) -> State:
    public = state.public
    told.append(Attested(accepted))
    if not accepted:
        return _end(state, "illegal", told, public.doubts)
    return _end(replace(state, public=replace(public, attested=public.doubts)), "success", told)


def _draw_up(state: State, told: list[Event]) -> State:
    for seat in range(state.public.seats):
        spare = state.spare if state.public.seats < 3 else ()
        drawn, bag, left = _draw(state.bags[seat], spare, RACK - len(state.racks[seat]))
        if not drawn:
            continue
        state = replace(
            state,
            racks=_with(state.racks, seat, tuple(sorted(state.racks[seat] + drawn))),
            bags=_with(state.bags, seat, bag),
            spare=left if state.public.seats < 3 else state.spare,
        )
        told.append(Drew(seat, tuple(sorted(drawn)), len(drawn), len(bag)))
    return state


def _draw(
    bag: tuple[str, ...], spare: tuple[tuple[str, ...], ...], count: int
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return up to ``count`` tiles, and the bag and spares left; a spare bag replaces an empty one."""
    drawn: list[str] = []
    while len(drawn) < count:
        if not bag:
            if not spare:
                break
            bag, spare = spare[-1], spare[:-1]
        drawn.append(bag[-1])
        bag = bag[:-1]
    return tuple(drawn), bag, spare


def _begin_round(state: State, at: Moment, told: list[Event]) -> State:
    if not state.villain_bag:
        return _end(state, "bag", told)
    letter = state.villain_bag[-1]
    public = replace(
        state.public, round=state.public.round + 1, villain=letter, villain_left=len(state.villain_bag) - 1
    )
    told.append(RoundBegan(public.round, letter))
    state = replace(state, public=_enter(public, "contribute", at), villain_bag=state.villain_bag[:-1])
    return state if _unsealed(state) else _reveal(state, at, told)


def _end(state: State, reason: Reason, told: list[Event], illegal: tuple[str, ...] = ()) -> State:
    public = state.public
    ended = Ended(
        won=reason == "success",
        reason=reason,
        vp=public.vp,
        poi=len(public.collected),
        rounds=public.round,
        illegal=illegal,
    )
    told.append(ended)
    return replace(state, public=replace(public, phase="over", proposal=None, ended=ended))


def _enter(public: Public, phase: Phase, at: Moment) -> Public:
    return replace(public, phase=phase, since=at.now, tried=(), ideas=False)


# The dictionary


def _consult(state: State, seat: int, word: str, at: Moment, told: list[Event]) -> State:
    if not re.fullmatch("[A-Z]{2,20}", word):
        raise IllegalMove("A word to look up has 2 to 20 letters, A to Z.")
    _check_consultation(state.public)
    answer = Consulted(seat, word, at.words.legal(word))
    told.append(answer)
    return replace(state, public=replace(state.public, consulted=(*state.public.consulted, answer)))


def _hint(state: State, seat: int, play: Play | None, told: list[Event]) -> State:
    public = state.public
    if public.phase != "word":
        raise IllegalMove("A hint is for the moment when a word is due.")
    if public.referee == "printed":
        _check_consultation(public)
    if play is not None:
        check(public, play)
    told.append(Hinted(seat, play))
    if play is None:
        return state
    return replace(state, public=replace(public, hints=public.hints + 1))


def _check_consultation(public: Public) -> None:
    if not consultations(public):
        raise IllegalMove("The team has used its one consultation of the dictionary.")


# Small parts


def _with(items: tuple[_T, ...], index: int, item: _T) -> tuple[_T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _conceding(public: Public) -> bool:
    return public.proposal is not None and isinstance(public.proposal.matter, Concede)


def _silence_ends(public: Public) -> int | None:
    if public.phase == "verify":
        return public.since + public.patience
    if public.proposal is None or public.proposal.objected:
        return None
    return public.proposal.silent_since + public.patience


def _with_proposal(state: State, proposal: Proposal) -> State:
    return replace(state, public=replace(state.public, proposal=proposal))


def _undo(seats: int, told: list[Event], otherwise: Undo) -> Undo:
    """Return ``never`` for what tells a secret, and for what several have carried: no seat takes it back alone."""
    final = _REVEALING | Carried if seats > 1 else _REVEALING
    return "never" if any(isinstance(event, final) for event in told) else otherwise


class Defenders(Game[State, Move, View, Event, Options]):
    """Quick Play under the contract of a game."""

    key = "defenders"
    title = "Defenders of the Dictionary"
    version = 1
    states = Codec(State)
    moves = Codec(Move)
    events = Codec(tuple[Event, ...])
    options = Codec(Options)

    def seats(self, options: Options) -> range:
        """Return the possible numbers of seats: one to four."""
        return range(1, BAGS + 1)

    def deal(self, seats: int, options: Options, at: Moment) -> State:
        """Return the first round, its villain letter drawn; raises IllegalMove for options out of range."""
        return _deal(seats, options, at.chance)

    def play(self, state: State, seat: int | None, move: Move, at: Moment) -> Turn[State, Event]:
        """Return what the move leads to; raises IllegalMove with a sentence for the player."""
        public = state.public
        if public.phase == "over":
            raise IllegalMove("This game is over.")
        told: list[Event] = []
        if seat is None:
            if public.phase != "verify" or not isinstance(move, Attest):
                raise IllegalMove("Only a seated player can do that.")
            return Turn(_attest(state, move.accepted, told), tuple(told))
        if not 0 <= seat < public.seats:
            raise IllegalMove("There is no such seat at this table.")
        if public.phase == "verify":
            raise IllegalMove("The words on the map are being confirmed.")
        undo: Undo = "next"
        match move:
            case Contribute():
                after_move = _contribute(state, seat, move, at, told)
                undo = "own"
            case Propose(matter):
                after_move = _propose(state, seat, matter, at, told)
            case Agree():
                after_move = _agree(state, seat, at, told)
            case Object():
                after_move = _object(state, seat, told)
            case Withdraw():
                after_move = _withdraw(state, seat, told)
            case Ask():
                after_move = _ask(state, seat, told)
            case Consult(word):
                after_move = _consult(state, seat, word, at, told)
            case Hint(play):
                after_move = _hint(state, seat, play, told)
            case Attest():
                raise IllegalMove("There are no words to confirm now.")
        return Turn(after_move, tuple(told), _undo(public.seats, told, undo))

    def expire(self, state: State, at: Moment) -> Turn[State, Event]:
        """Carry the proposal that nobody objected to, or reject the words that nobody vouched for."""
        due = _silence_ends(state.public)
        if due is None or at.now < due:
            raise IllegalMove("Nothing is due yet.")
        told: list[Event] = []
        if state.public.phase == "verify":
            return Turn(_attest(state, False, told), tuple(told))
        if _conceding(state.public):  # proposed when silence still carried it: its clock strikes for nothing
            return Turn(state, ())
        return Turn(_carry(state, at, told), tuple(told))

    def due(self, state: State) -> int | None:
        """Return when silence becomes consent (ms), or in phase ``verify`` rejection; to admit defeat it never does."""
        return None if _conceding(state.public) else _silence_ends(state.public)

    def awaited(self, state: State) -> frozenset[int]:
        """Return who has yet to contribute or to answer the proposal; all, if there is nothing to answer."""
        public = state.public
        if public.phase in ("verify", "over"):
            return frozenset()
        unanswered = silent(public.proposal, public.seats)
        if public.phase == "contribute":
            return unanswered | _unsealed(state)
        return unanswered or frozenset(range(public.seats))

    def epoch(self, state: State, seat: int | None) -> int:
        """Return a number that others' contributions, agreements and objections do not change."""
        public = state.public
        may = (
            public.round,
            public.phase,
            seat is not None and state.sealed[seat] is not None,
            *asked(public.proposal, seat),
        )
        return epoch_of(may)

    def seen_by(self, state: State, seat: int | None) -> View:
        """Return what the seat, or everyone, may know."""
        return views.seen_by(state, seat)

    def heard_by(self, event: Event, seat: int | None) -> Event | None:
        """Return the event without letters that only another seat may know."""
        return views.heard_by(event, seat)

    def imagine(self, view: View, seat: int | None, chance: Chance) -> State:
        """Return some state that shows the viewer the same."""
        return views.imagine(view, seat, chance)

    def result(self, state: State) -> Result | None:
        """Return whether the team won, once the game is over."""
        ended = state.public.ended
        return None if ended is None else Result(won=ended.won)

    def forfeit(self, state: State) -> Result | None:
        """Return a failure: ended by its players, the game is admitted defeat."""
        return Result(won=False)

    def choose(self, view: View, seat: int, skill: int, at: Moment) -> Plan[Move] | None:
        """Return what the automaton in ``seat`` wants to do, and when."""
        return automaton.choose(view, seat, skill, at)

    def search(self, verb: str, view: View, seat: int, at: Moment) -> Play | None:
        """Return a word for ``verb`` hint, or None when none fits; raises ValueError for other verbs."""
        if verb != "hint":
            raise ValueError(f"{self.key} looks nothing up for {verb!r}")
        return hint(view.public, at)

    def inventory(self, state: State) -> tuple[str, ...]:
        """Return every tile of the box, sorted: ``A`` is a player's, ``villain A`` the villain's."""
        public = state.public
        own: list[str] = [*state.lucky]
        for hidden in (*state.racks, *state.bags, *state.spare, *state.sealed):
            own.extend(hidden or ())
        villain = [*state.villain_bag, *(public.villain or ())]
        for tile in (*public.contributed, *public.storage, *public.discarded):
            (villain if tile.owner == VILLAIN else own).append(tile.letter)
        for laid in public.laid:
            letter = WILD if laid.wild else laid.letter
            (villain if laid.owner == VILLAIN else own).append(letter)
        return tuple(sorted([*own, *(f"villain {letter}" for letter in villain)]))


DEFENDERS = Defenders()
