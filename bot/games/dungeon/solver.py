"""The solver: routes that leave a dungeon with as many points as it can find.

A beam search, turn by turn, in passes that widen. In each position all placements of the common tier are ranked by a cheap
estimate over whole columns; the best of them are laid, each through ``placement.check``, so that every rule of every dungeon
is respected without the solver knowing it; of the positions that this leads to the most promising ones go on, a few of each
kind. A pass that had to leave nothing out has proven its best route. The solver is no part of the rules: par and the
stored best route are data of a dungeon.

All words of a route are common and offend nobody, so par is what people can reach. The same dungeon, lexicon, budget and seed give
the same route on every machine: budgets count placements tried, never time, and estimates are whole numbers. A search may
start in the middle of a run: so hints and automata look ahead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from bot.games.chance import Chance
from bot.games.crossword import Square, line, neighbours
from bot.games.dungeon.atlas import FAR, MIL, Atlas, Numbers, atlas_of, most
from bot.games.dungeon.bylaws import (
    Alphabetical,
    BarredOn,
    Chain,
    Collapsing,
    Growing,
    LongWords,
    OnlyOn,
    Paved,
    RareLetters,
    Rule,
    TakingTurns,
)
from bot.games.dungeon.ground import Deed, Position
from bot.games.dungeon.placement import Judge, StrikesTied, check, ground_of
from bot.games.dungeon.scoring import bonus, tally
from bot.games.dungeon.sieve import allowed, grid, hand, spent_room
from bot.games.dungeon.state import Dungeon, Place
from bot.games.game import IllegalMove
from bot.words.lexicon import Lexicon
from bot.words.search import Placements
from bot.words.vocabulary import Vocabulary

BUDGET = 60_000  # placements tried
LONGEST = 8  # letters: people seldom find longer words
WIDTH = 6  # positions a turn that the first pass follows
_NOISE = 700  # mils by which estimates are shaken, so that passes differ
_NEVER = -(10**9)  # a letter that may not stand there
_ROOM = 4  # mils for a thousandth of the room that a word leaves to those after it
_TRIES = 6  # placements tried for each that is to be laid, since rules refuse some
_TIES = 2  # ways to strike that are tried
_GOOD_KEYS = "ESTARINOLDCMP"  # letters that a door is likely to find a word for, the best first


class Route(msgspec.Struct, frozen=True):
    """A way out, from where the search began. ``spent``: placements tried to find it. ``proven``: no route of such words
    has a higher base.
    """

    places: tuple[Place, ...]
    base: int
    bonus: int
    spent: int
    proven: bool


class Progress(NamedTuple):
    """How far a search is: the pass, its width, the turn, placements tried so far, the best base, the full score."""

    number: int
    width: int
    turn: int
    spent: int
    base: int | None
    full: int | None


class _Breadth(NamedTuple):
    """How much of what is found a pass follows: positions a turn, placements a position, words a slot."""

    width: int
    looked: int
    each: int


class _Node(NamedTuple):
    """A position on the way, how it was come to, and what each target is away from it."""

    here: Position
    places: tuple[Place, ...]
    words: Numbers
    steps: Numbers
    worth: int
    kind: tuple[object, ...]


def solve(
    dungeon: Dungeon,
    lexicon: Lexicon,
    budget: int = BUDGET,
    seed: int = 0,
    progress: Callable[[Progress], None] | None = None,
    *,
    longest: int = LONGEST,
    patience: int = 0,
    width: int = WIDTH,
    start: Position | None = None,
    judge: Judge | None = None,
) -> Route | None:
    """Return the best route found within ``budget`` placements tried: highest base, then bonus; None when none leaves.

    The search ends early once everything there is has been taken, or nothing was left out. While no way out is known it
    goes on until ``patience`` placements have been tried, if that is more than ``budget``. No word laid has more than
    ``longest`` letters. ``width``: positions a turn that the first pass follows. ``start``: the position from which to
    leave, the entrance by default. ``judge``: whom to ask whether a word is legal, the lexicon by default.
    """
    solver = _Solver(dungeon, lexicon, budget, seed, progress, longest, patience, start, judge)
    return solver.best_route(width)


class _Solver:
    """One search."""

    def __init__(
        self,
        dungeon: Dungeon,
        lexicon: Lexicon,
        budget: int,
        seed: int,
        progress: Callable[[Progress], None] | None,
        longest: int,
        patience: int,
        start: Position | None,
        judge: Judge | None,
    ) -> None:
        self.dungeon = dungeon
        self.lexicon = lexicon
        self.judge: Judge = lexicon if judge is None else judge
        self.start = start or Position.first(ground_of(dungeon))
        self.budget = budget
        self.patience = max(budget, patience)
        self.atlas = atlas_of(dungeon)
        self.full = most(dungeon)
        self.spent = 0
        self.best: Route | None = None
        self._seed = seed
        self._longest = longest
        self._progress = progress
        self._cut = False  # whether this pass has left out what a wider one would follow
        self._passed = False  # whether it has passed over what a wider one would pass over, too

    def best_route(self, width: int) -> Route | None:
        """Run passes, the first ``width`` positions wide, until one has proven its best route, or the budget is spent."""
        for number, breadth in enumerate(_breadths(width)):
            self._cut = self._passed = False
            self._pass(number, breadth)
            if self._done() or not self._cut or self._exhausted():
                break
        if self.best is None:
            return None
        # Other strikes than those worth most are not tried, though they might pay in the end.
        proven = self._done() or not (self._cut or self._passed or self.dungeon.monsters)
        return msgspec.structs.replace(self.best, spent=self.spent, proven=proven)

    def _exhausted(self) -> bool:
        return self.spent >= (self.patience if self.best is None else self.budget)

    def _done(self) -> bool:
        return self.best is not None and self.best.base == self.full

    def _pass(self, number: int, breadth: _Breadth) -> None:
        salt = Chance(b"%d" % self._seed, number, "solve").below(1 << 31) | 1
        beam = [self._first()]
        for turn in range(self.start.turns + 1, self.dungeon.turns + 1):
            found: list[_Node] = []
            for node in beam:
                if self._exhausted():
                    self._cut = True
                    return
                found += self._children(node, breadth, salt + turn)
            beam = self._kept(found, breadth.width)
            if self._progress is not None:
                base = None if self.best is None else self.best.base
                self._progress(Progress(number + 1, breadth.width, turn, self.spent, base, self.full))
            if self._done() or not beam:
                return

    def _first(self) -> _Node:
        here = self.start
        if not here.turns:
            far = np.full(len(self.atlas.targets), FAR, np.int64)
            return _Node(here, (), far, far, 0, ())
        words, steps = self.atlas.away([*here.laid, *here.chests])
        return _Node(here, (), words, steps, 0, ())

    # One position

    def _children(self, node: _Node, breadth: _Breadth, salt: int) -> list[_Node]:
        """Return the positions that the best placements lead to; what leaves is no position, but a route."""
        deeds = []
        for place, deed in self._laid(node, breadth, salt):
            if deed.after.out:
                self._arrive((*node.places, place), deed.after)
            else:
                deeds.append((place, deed))
        return self._judged(node, deeds)

    def _laid(self, node: _Node, breadth: _Breadth, salt: int) -> Iterator[tuple[Place, Deed]]:
        here = node.here
        rules = self.dungeon.rules
        self.spent += 1
        found = self.lexicon.search.placements(
            grid(self.dungeon, here), hand(rules, here), common=True, mild=True
        )
        fits = allowed(self.dungeon, here, found) & (found.length <= self._longest)
        found = found.take(np.flatnonzero(fits))
        if not len(found):
            return
        estimate = _Estimate(self.atlas, node, found)
        shaken = estimate.worth() + _noise(found, salt)
        laid = 0
        chosen = _few_of_each(estimate.slot, np.argsort(-shaken, kind="stable"), breadth.each)
        fair = chosen[shaken[chosen] > _NEVER // 2]
        self._cut = self._cut or len(chosen) < len(found)
        for tried, (word, row, col, across, *_) in enumerate(found.take(fair)):
            if laid >= breadth.looked or tried == _TRIES * breadth.looked:
                self._cut = True
                return
            self.spent += 1
            for place, deed in self._checked(here, Place(word, row, col, across)):
                laid += 1
                yield place, deed

    def _checked(self, here: Position, place: Place) -> Iterator[tuple[Place, Deed]]:
        """Yield what a placement does, for each way to strike that is worth most; nothing when it is forbidden."""
        try:
            deed = check(self.dungeon, here, place, self.judge)
        except StrikesTied as tie:
            self._passed = self._passed or len(tie.choices) > _TIES
            for choice in tie.choices[:_TIES]:
                chosen = Place(place.word, place.row, place.col, place.across, choice)
                try:
                    yield chosen, check(self.dungeon, here, chosen, self.judge)
                except IllegalMove:
                    continue
        except IllegalMove:
            return
        else:
            strikes = deed.struck if self.dungeon.monsters else None
            yield Place(place.word, place.row, place.col, place.across, strikes), deed

    def _arrive(self, places: tuple[Place, ...], here: Position) -> None:
        route = Route(places, tally(self.dungeon, here).base, bonus(self.dungeon, here), self.spent, False)
        if self.best is None or (route.base, route.bonus) > (self.best.base, self.best.bonus):
            self.best = route

    def _judged(self, node: _Node, deeds: list[tuple[Place, Deed]]) -> list[_Node]:
        if not deeds:
            return []
        atlas, dungeon = self.atlas, self.dungeon
        near = [atlas.away(_standing_now(deed)) for _, deed in deeds]
        words = np.minimum(node.words, np.array([away for away, _ in near]))
        steps = np.minimum(node.steps, np.array([away for _, away in near]))
        taken = np.array([atlas.taken(deed.after) for _, deed in deeds])
        hope = atlas.hope(words, steps, taken, dungeon.turns - node.here.turns - 1)
        numbers = np.array([self.lexicon.words.number(place.word) for place, _ in deeds])
        hope -= _ROOM * spent_room(dungeon, self.lexicon.words, numbers)
        nodes = []
        for at, (place, deed) in enumerate(deeds):
            here = deed.after
            worth = MIL * tally(dungeon, here).base + int(hope[at]) + atlas.menace(here)
            worth += int((atlas.use * taken[at]).sum())
            kind = (taken[at].tobytes(), here.struck, len(here.gems), len(here.held))
            nodes.append(_Node(here, (*node.places, place), words[at], steps[at], worth, kind))
        return nodes

    def _kept(self, found: list[_Node], width: int) -> list[_Node]:
        """Return the most promising positions, no two alike, and no more of one kind than others leave room for."""
        ranked = sorted(found, key=lambda node: -node.worth)
        seen: dict[object, frozenset[str]] = {}
        kinds: Counter[object] = Counter()
        parents: Counter[object] = Counter()
        kept: list[_Node] = []
        spare: list[_Node] = []
        for node in ranked:
            here = node.here
            same = (frozenset((square, here.letters[square]) for square in here.laid), here.struck)
            if same in seen and not self._remembers:
                self._passed = self._passed or here.used != seen[same]
                continue
            seen[same] = here.used
            kinds[node.kind] += 1
            parents[node.places[:-1]] += 1
            fresh = kinds[node.kind] <= 1 + width // 6 and parents[node.places[:-1]] <= 2 + width // 6
            (kept if fresh else spare).append(node)
        if len(kept) + len(spare) > width:
            self._cut = True
        kept = kept[:width]
        return kept + spare[: width - len(kept)]

    @property
    def _remembers(self) -> bool:
        """Whether the way to a position matters to rules, beside what lies there."""
        return any(
            isinstance(rule, Growing | Chain | Alphabetical | TakingTurns) for rule in self.dungeon.rules
        )


def _breadths(width: int) -> Iterator[_Breadth]:
    while True:
        yield _Breadth(width, 16 + 2 * width, 2 + width // 16)
        width = width * 3 // 2 + 1


def _standing_now(deed: Deed) -> list[Square]:
    return [*deed.new, *deed.chests]


@lru_cache(maxsize=4)
def _letters(words: Vocabulary) -> dict[int, npt.NDArray[np.uint8]]:
    return {block.length: block.letters for block in words.blocks}


# What it would bring


class _Estimate:
    """What placements in one position are about worth, before any is laid. ``slot``: a number for each place."""

    def __init__(self, atlas: Atlas, node: _Node, found: Placements) -> None:
        self._atlas = atlas
        self._node = node
        self._found = found
        start = found.row * atlas.width + found.col
        slots = (start * 2 + found.across) * FAR + found.length
        self._slots, self.slot = np.unique(slots, return_inverse=True)
        self._table = self._letter_worth()
        empty = np.ones(atlas.nowhere + 1, np.bool_)
        empty[[atlas.cell(square) for square in node.here.letters]] = False
        self._empty = empty

    def worth(self) -> Numbers:
        """Return the estimates, in mils; what is forbidden is worth next to nothing."""
        worth = self._by_slot()[self.slot]
        found, here = self._found, self._node.here
        bounds = np.flatnonzero(np.diff(found.length, prepend=-1)).tolist()
        for low, high in zip(bounds, [*bounds[1:], len(found)], strict=True):
            worth[low:high] += self._by_letters(low, high)
        for rule in self._atlas.dungeon.rules:
            if isinstance(rule, LongWords):
                worth += MIL * rule.worth * (found.length >= rule.least)
        worth -= _ROOM * spent_room(self._atlas.dungeon, found.words, found.number)
        return worth if here.turns else worth + 20 * found.length

    def _by_slot(self) -> Numbers:
        """Return what each slot leads to, whatever its letters: targets taken, and those left nearer."""
        atlas, node = self._atlas, self._node
        here = node.here
        joined = np.zeros(len(self._slots), np.bool_)
        cells = np.full((len(self._slots), int((self._slots % FAR).max())), atlas.nowhere, np.int64)
        taken = np.tile(atlas.taken(here), (len(self._slots), 1))
        by_cell: dict[Square, list[int]] = {}
        for at, target in enumerate(atlas.targets):
            for cell in target.cells:
                by_cell.setdefault(cell, []).append(at)
        for at, slot in enumerate(self._slots.tolist()):
            start, length = divmod(slot, FAR)
            square = divmod(start >> 1, atlas.width)
            squares = line(square[0], square[1], bool(start & 1), length)
            joined[at] = not here.turns or any(
                here.standing(one) or any(map(here.standing, neighbours(one))) for one in squares
            )
            for place, one in enumerate(squares):
                cells[at, place] = atlas.cell(one)
                for number in by_cell.get(one, ()) if one not in here.letters else ():
                    taken[at, number] = True
        words = np.minimum(node.words, atlas.words[:, cells].min(axis=2).T)
        steps = np.minimum(node.steps, atlas.steps[:, cells].min(axis=2).T)
        left = atlas.dungeon.turns - here.turns - 1
        # Gems, keys and doors are taken by their letters, see below.
        plain = np.array([target.kind in ("chest", "lit") for target in atlas.targets])
        gain = (atlas.worth * plain * (taken & ~atlas.taken(here))).sum(axis=1)
        worth: Numbers = np.where(joined, gain + atlas.hope(words, steps, taken, left), _NEVER)
        return worth

    def _by_letters(self, low: int, high: int) -> Numbers:
        """Return what the letters of placements of one length are worth where they would lie."""
        found, atlas = self._found, self._atlas
        length = int(found.length[low])
        block = found.words.block(length)
        assert block is not None
        letters = _letters(found.words)[length][found.number[low:high] - block.first].astype(np.int64)
        step = np.where(found.across[low:high], 1, atlas.width)
        start = found.row[low:high] * atlas.width + found.col[low:high]
        cells = start[:, None] + step[:, None] * np.arange(length)
        new = self._empty[cells]
        worth: Numbers = (self._table[cells, letters] * new).sum(axis=1)
        if atlas.dungeon.monsters:
            placed = np.zeros((high - low, 26), np.int64)
            for place in range(length):
                placed[np.arange(high - low), letters[:, place]] += new[:, place]
            worth += self._strikes(placed)
        return worth

    def _strikes(self, placed: Numbers) -> Numbers:
        """Return what letters do to the monsters, as if each could strike at all of them."""
        here, atlas = self._node.here, self._atlas
        worth = np.zeros(len(placed), np.int64)
        for number, monster in enumerate(here.ground.monsters):
            rest = here.rest(number)
            need: Counter[str] = Counter()
            fits = np.ones(len(placed), np.bool_)
            for count, letter in enumerate(rest, 1):
                need[letter] += 1
                fits = fits & (placed[:, ord(letter) - 65] >= need[letter])
                dead = count == len(rest)
                worth += fits * (atlas.prey(number) * (1 + dead) // (2 * len(monster.name)))
        return worth

    def _letter_worth(self) -> Numbers:
        """Return what each letter is worth on each square, in mils: a table (square, letter)."""
        atlas, here = self._atlas, self._node.here
        dungeon, ground = atlas.dungeon, atlas.ground
        table = np.zeros((atlas.nowhere + 1, 26), np.int64)
        for at, target in enumerate(atlas.targets):
            if target.kind in ("gem", "key", "door", "paved"):
                table[atlas.cell(target.square)] += atlas.worth[at]
        filled = {here.letters[square] for square in ground.gems if square in here.laid}
        for square in ground.gems:
            for letter in filled:
                table[atlas.cell(square), ord(letter) - 65] -= 2 * MIL * dungeon.scoring.gem
        for square in ground.keys:
            for rank, letter in enumerate(_GOOD_KEYS):
                table[atlas.cell(square), ord(letter) - 65] += MIL - 60 * rank
        self._lock(table)
        for rule in dungeon.rules:
            _rule_worth(rule, here, atlas, table)
        return table

    def _lock(self, table: Numbers) -> None:
        """Bar the letters that open no door, unless a key lies in line with it."""
        atlas, here, ground = self._atlas, self._node.here, self._atlas.ground
        held = {ord(letter) - 65 for letter in here.held}
        for row, col in ground.doors:
            if any((row == key[0] or col == key[1]) and key not in here.laid for key in ground.keys):
                continue
            for code in set(range(26)) - held:
                table[atlas.cell((row, col)), code] = _NEVER


def _rule_worth(rule: Rule, here: Position, atlas: Atlas, table: Numbers) -> None:
    """Add to the worth of letters on squares what a rule says of them."""
    match rule:
        case BarredOn() | OnlyOn() | Collapsing() | Paved():
            cells = [atlas.cell(square) for square in atlas.ground.marks[rule.mark]]
        case RareLetters():
            placed = {here.letters[square] for square in here.laid}
            for letter in sorted(set(rule.letters) - placed):
                table[:, ord(letter) - 65] += rule.worth * MIL
            return
        case _:
            return
    match rule:
        case BarredOn():
            barred = [ord(letter) - 65 for letter in rule.letters]
            table[np.ix_(cells, barred)] = _NEVER
        case OnlyOn():
            barred = [code for code in range(26) if chr(code + 65) not in rule.letters]
            table[np.ix_(cells, barred)] = _NEVER
        case Collapsing() if here.turns >= rule.last:
            table[cells] = _NEVER
        case Paved() if rule.worth < 0:
            table[cells] += rule.worth * MIL


def _noise(found: Placements, salt: int) -> Numbers:
    """Return a number of mils for each placement, the same each time for one ``salt``."""
    mixed = (found.number * 8191 + found.row * 131 + found.col * 31 + found.across) * salt
    return (mixed >> 7) % _NOISE


def _few_of_each(slots: Numbers, order: Numbers, each: int) -> Numbers:
    """Return of ``order`` the first ``each`` of every slot, in that order."""
    of_order = slots[order]
    grouped = np.argsort(of_order, kind="stable")
    in_groups = of_order[grouped]
    begins = np.flatnonzero(np.diff(in_groups, prepend=-1))
    sizes = np.diff(begins, append=len(slots))
    rank = np.arange(len(slots)) - np.repeat(begins, sizes)
    return order[np.sort(grouped[rank < each])]
