"""How the team is doing, on the board: the round, Vocabulary Points, points of interest; in the end the outcome."""

from __future__ import annotations

from bot.games.defenders.state import VILLAIN_BAG, Goal, Public
from render import theme
from render.canvas import Box, Surface
from render.defenders import look
from render.defenders.layout import Layout
from render.defenders.look import TITLE, panel
from render.defenders.streets import paint_frame

_TRACK = 100  # VP at the track's end
_BAR = 24  # px, the track's height
_BADGE, _STEP = 40, 48  # px, a collected POI and the way to the next

_PHASES = {
    "contribute": "Contribute letters",
    "word": "Form a word",
    "discard": "Choose a discard",
    "verify": "Check the words",
    "over": "",
}
_REASONS = {
    "success": "The goal is reached",
    "illegal": "Not all words are legal",
    "bag": "The villain bag is empty",
    "poi": "Places out of reach",
    "conceded": "The team conceded",
}


def paint_panels(surface: Surface, place: Layout, goal: Goal) -> None:
    """Paint the panels of the round, points and places, with the empty track and the POI that are asked for."""
    panel(surface, place.round)
    panel(surface, place.points, "Vocabulary")
    surface.rounded(_track(place.points), _BAR // 2, theme.SLOT, theme.PANEL)
    panel(surface, place.places, "Points of interest")
    left, top = _badges(place)
    for slot in range(goal.poi):
        surface.sprite((left + slot * _STEP, top), look.hollow(_BADGE), theme.PANEL)


def paint_score(surface: Surface, place: Layout, public: Public) -> None:
    """Paint how things stand."""
    if public.ended is None:
        _paint_round(surface, place, public)
    else:
        _paint_outcome(surface, place, public)
    _paint_points(surface, place.points, public)
    _paint_places(surface, place, public)


def _paint_round(surface: Surface, place: Layout, public: Public) -> None:
    left, middle = place.round[0] + 18, _middle(place.round)
    surface.text((left, middle - 4), f"Round {public.round}", 38, theme.TEXT, theme.PANEL)
    surface.text(
        (place.round[2] - 18, middle - 4), f"of {len(VILLAIN_BAG)}", TITLE, theme.MUTED, theme.PANEL, "rs"
    )
    surface.text((left, middle + 34), _PHASES[public.phase], 26, theme.GOLD, theme.PANEL)


def _paint_outcome(surface: Surface, place: Layout, public: Public) -> None:
    ended = public.ended
    if ended is None:
        return
    left, middle = place.round[0] + 18, _middle(place.round)
    colour = theme.GOOD if ended.won else theme.BAD
    panel(surface, place.round, colour=colour)
    surface.text((left, middle - 4), "Success" if ended.won else "Failure", 42, theme.TEXT, colour)
    rounds = f"round {ended.rounds}"
    surface.text((place.round[2] - 18, middle - 4), rounds, TITLE, theme.TEXT, colour, "rs")
    surface.text((left, middle + 34), _REASONS[ended.reason], 26, theme.TEXT, colour)
    paint_frame(surface, place, colour)


def _middle(box: Box) -> int:
    return (box[1] + box[3]) // 2


def _track(box: Box) -> Box:
    return box[0] + 16, box[3] - 16 - _BAR, box[2] - 16, box[3] - 16


def _paint_points(surface: Surface, box: Box, public: Public) -> None:
    left, top, right, bottom = _track(box)
    goal, points = public.goal.vp, public.vp
    surface.text((box[2] - 16, box[1] + 34), f"/ {goal} VP", TITLE, theme.MUTED, theme.PANEL, "rs")
    surface.text((box[2] - 108, box[1] + 34), str(points), 32, theme.TEXT, theme.PANEL, "rs")
    length = (right - left) * min(points, _TRACK) // _TRACK
    if points:
        colour = look.REACHED if points >= goal else look.BAR
        surface.rounded((left, top, left + max(length, _BAR), bottom), _BAR // 2, colour, theme.SLOT)
    flag = left + (right - left) * goal // _TRACK
    surface.rect((flag - 2, top - 8, flag + 2, bottom), theme.TEXT)
    surface.polygon(((flag + 2, top - 8), (flag + 16, top - 3), (flag + 2, top + 2)), theme.TEXT, theme.PANEL)


def _badges(place: Layout) -> tuple[int, int]:
    return place.places[0] + 16, place.places[3] - 12 - _BADGE


def _paint_places(surface: Surface, place: Layout, public: Public) -> None:
    box = place.places
    count = f"{len(public.collected)} / {public.goal.poi}"
    surface.text((box[2] - 16, box[1] + 34), count, 26, theme.TEXT, theme.PANEL, "rs")
    left, top = _badges(place)
    for slot, number in enumerate(public.collected):
        surface.sprite((left + slot * _STEP, top), look.poi(number, _BADGE, "next"), theme.PANEL)
