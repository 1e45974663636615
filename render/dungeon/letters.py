"""What lies on a dungeon's floor: letters, chests, gems, keys, doors, what has fallen in, and what a party proposes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.games.crossword import Square, line
from bot.games.dungeon.bylaws import Collapsing
from bot.games.dungeon.ground import Position
from bot.games.dungeon.state import Dungeon, Place, Proposal, TakeBack
from render import theme
from render.canvas import Sprite, Surface
from render.dungeon import emblems, look, pieces, terrain
from render.dungeon.floor import mood_of
from render.dungeon.layout import Grid
from render.dungeon.look import SEATS
from render.theme import TileStyle

_RIM = 2  # px around a letter


def paint_position(
    surface: Surface, grid: Grid, dungeon: Dungeon, here: Position, before: Position | None
) -> None:
    """Paint every thing and letter; what is new since ``before`` stands out."""
    _paint_pits(surface, grid, dungeon, here)
    fresh = _fresh(here, before)
    size = grid.cell - 2 * _RIM
    badges = _badges(here, dungeon, size)
    sprites = {
        square: pieces.tile(letter, size, _style(square in fresh), badges.get(square))
        for square, letter in here.letters.items()
        if square in here.laid
    }
    for square, sprite in {**sprites, **things(here, size, fresh)}.items():
        _lay(surface, grid, square, sprite, dungeon)


def _badges(here: Position, dungeon: Dungeon, size: int) -> dict[Square, Sprite]:
    """Return how the marks of squares look in the corner of what lies there."""
    mood, wide = mood_of(dungeon), round(size * 0.38)
    return {
        square: terrain.badge(wide, mood, mark)
        for mark, squares in here.ground.marks.items()
        for square in squares
    }


def _paint_pits(surface: Surface, grid: Grid, dungeon: Dungeon, here: Position) -> None:
    mood = mood_of(dungeon)
    for square in fallen(dungeon, here):
        x, y = grid.square(square)
        surface.sprite((x + 1, y + 1), terrain.pit(grid.cell - 2, mood), mood.floor)


def fallen(dungeon: Dungeon, here: Position) -> frozenset[Square]:
    """Return the squares on which nothing can be placed any more."""
    return frozenset(
        square
        for rule in dungeon.rules
        if isinstance(rule, Collapsing) and here.turns >= rule.last
        for square in here.ground.marks[rule.mark]
        if square not in here.letters
    )


def _fresh(here: Position, before: Position | None) -> frozenset[Square]:
    """Return the squares whose letter, or whose chest, came since ``before``."""
    if before is None:
        return frozenset()
    return frozenset(here.laid.keys() - before.laid.keys()) | (here.chests - before.chests)


def things(here: Position, size: int, fresh: frozenset[Square]) -> dict[Square, Sprite]:
    """Return how chests, gems, keys and doors look."""
    ground, laid, letters = here.ground, here.laid, here.letters
    found = {
        square: pieces.chest(letter, size, _style(square in fresh) if square in here.chests else None)
        for square, letter in ground.chests.items()
    }
    lit = here.gems
    for square in ground.gems:
        state: look.GemState = "lit" if square in lit else "dull"
        filled = square in laid
        found[square] = (
            pieces.gem_letter(letters[square], size, state, fresh=square in fresh)
            if filled
            else pieces.gem(size)
        )
    spent = {key.square for key in here.keys if key.door is not None}
    for square in ground.keys:
        kind: look.KeyState = "spent" if square in spent else "held"
        filled = square in laid
        found[square] = (
            pieces.key_letter(letters[square], size, kind, _style(square in fresh))
            if filled
            else pieces.key(size)
        )
    for square in ground.doors:
        found[square] = pieces.door(letters.get(square), size, fresh=square in fresh)
    return found


def _style(fresh: bool) -> TileStyle:
    return theme.FRESH if fresh else theme.PLAIN


def paint_proposal(
    surface: Surface, grid: Grid, dungeon: Dungeon, here: Position, proposal: Proposal
) -> None:
    """Paint as ghosts the letters that a proposal would place, or take back."""
    size = grid.cell - 2 * _RIM
    dash = SEATS[proposal.seat % len(SEATS)].ink
    leaving = isinstance(proposal.matter, TakeBack)
    beneath = {} if leaving else things(here, round(size * 0.36), frozenset())
    beneath |= _badges(here, dungeon, size)
    for square, letter in ghosts(here, proposal).items():
        sprite = pieces.ghost(letter, size, dash, leaving=leaving, over=beneath.get(square))
        _lay(surface, grid, square, sprite, dungeon)


def paint_candidates(
    surface: Surface, grid: Grid, dungeon: Dungeon, starts: Sequence[tuple[Square, bool]]
) -> None:
    """Number the first squares of places to choose from: at the top right what runs across, else at the bottom left."""
    size = round(grid.cell * 0.46)
    for number, (square, across) in enumerate(starts, 1):
        x, y = grid.square(square)
        corner = (x + grid.cell - size, y) if across else (x, y + grid.cell - size)
        surface.sprite(corner, emblems.number(number, size), mood_of(dungeon).floor)


def ghosts(here: Position, proposal: Proposal) -> Mapping[Square, str]:
    """Return the letters that a proposal is about."""
    matter = proposal.matter
    if isinstance(matter, Place):
        squares = line(matter.row, matter.col, matter.across, len(matter.word))
        pairs = zip(squares, matter.word, strict=True)
        return {square: letter for square, letter in pairs if square not in here.letters}
    if isinstance(matter, TakeBack):
        return {square: here.letters[square] for square, turn in here.laid.items() if turn == here.turns}
    return {}


def _lay(surface: Surface, grid: Grid, square: Square, sprite: Sprite, dungeon: Dungeon) -> None:
    x, y = grid.square(square)
    surface.sprite((x + _RIM, y + _RIM), sprite, mood_of(dungeon).floor)
