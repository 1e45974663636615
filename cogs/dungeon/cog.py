"""Word Dungeon on Discord: its panels, ``/dungeon`` and ``/play dungeon``.

A solo, the daily dungeon among them, is a private table that no channel shows: the panel that answers is the whole game, and
``/dungeon show`` brings it back. In a race the channel sees how far all have come; the maps are their players' own. A party has one
map, on its board.

Words are checked as they are placed, and turns may be taken back, so a word that fits is laid at once; what is shown first is a
choice of the player's: which place, or which monsters to strike. Autocomplete offers places at which the word may be laid.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

import render.dungeon
from bot.games.crossword import Square, runs
from bot.games.dungeon.dungeons import DUNGEONS, without_route
from bot.games.dungeon.ground import Position
from bot.games.dungeon.placement import (
    Strikes,
    check,
    deeds,
    describe_strikes,
    fit,
    laid,
    places,
    position,
    read,
    thrifty_strikes,
)
from bot.games.dungeon.rules import majority
from bot.games.dungeon.state import (
    TIERS,
    Agree,
    Dungeon,
    Event,
    GiveUp,
    Hint,
    Object,
    Options,
    Place,
    Proposal,
    TakeBack,
    TimeRanOut,
    View,
    Withdraw,
)
from bot.games.game import IllegalMove, Words
from bot.tables.answer import Answer
from bot.tables.daily import Dailies, date_of, end_of
from bot.tables.face import LIMITS, Button, Choice, Field, Form, Menu, Panel, Picture, Press, Row, Shown
from bot.tables.layout import Address, escaped
from bot.tables.publisher import shown_of
from bot.tables.router import Interaction, Router, rules_panel
from bot.tables.table import Table
from bot.words.lexicon import Lexicon
from cogs.dungeon import scores, texts
from cogs.face import VerbFace
from cogs.tables import AtTable, Tables
from cogs.wording import counted, cut, listed, parse_spot, spot, when

KEY = "dungeon"
TOLD = 6  # sentences above the board
WAYS = 4  # to strike that are buttons; more are in a menu
RUNNING, WON, LOST = 0x3B82C4, 0x3F9D5A, 0x6B7280  # colours
MODES = {
    "auto": ("Race", "A private copy of the dungeon each; who sits alone plays solo"),
    "party": ("Party", "One map for all; a majority lays each word"),
    "solo": ("Solo", "One player"),
}
MINUTES = {
    0: "Time as usual",
    5: "5 minutes",
    10: "10 minutes",
    20: "20 minutes",
    30: "30 minutes",
    60: "1 hour",
    1440: "1 day",
    4320: "3 days",
    10080: "7 days",
}
PACES = {
    "live": "Live pace: a race takes 15 minutes unless you set another time.",
    "slow": "Slow pace: a race takes three days unless you set another time.",
}
ANY = {"any": "any dungeon", "easy": "an easy dungeon (tier 1)"}
PRACTICE = "This one is practice and stands in no list."
PAGES = "dungeon_rules"  # the verb that turns pages of the rules where no table is meant
TODAY, ALONE, RESULTS = "dungeon_daily", "dungeon_solo", "dungeon_board"  # verbs that mean no table either
MOVING = frozenset({"word", "back", "hint", "give_up", "agree", "object", "withdraw", "lay", "spot"})
DIGGING = "Today’s dungeon is still being dug. Try again in a moment."


def named(text: str) -> Dungeon:
    """Return the dungeon that somebody has chosen or typed, a part of its name if no other has it.

    Raises:
        IllegalMove: there is none of that name, or there are several.
    """
    wanted = texts.folded(text)
    for dungeon in DUNGEONS.values():
        if wanted in (dungeon.key, texts.folded(dungeon.name)):
            return dungeon
    alike = [dungeon for dungeon in DUNGEONS.values() if wanted and wanted in texts.folded(dungeon.name)]
    if len(alike) == 1:
        return alike[0]
    if alike:
        names = listed((dungeon.name for dungeon in alike), "or")
        raise IllegalMove(f"Which one: {names}?")
    raise IllegalMove(f"I know no dungeon called {escaped(text)}. Choose one that is offered as you type.")


def offered(typed: str) -> list[app_commands.Choice[str]]:
    """Return the dungeons whose name holds what was typed, the easiest first."""
    return [
        app_commands.Choice(name=f"{dungeon.name} · {texts.facts(dungeon)}"[:100], value=dungeon.key)
        for dungeon in DUNGEONS.values()
        if texts.folded(typed) in texts.folded(dungeon.name) or typed == f"{dungeon.tier}"
    ][: LIMITS["choices"]]


def packed(place: Place) -> str:
    """Return a place as a button's argument (the inverse of ``unpacked``)."""
    strikes = "" if place.strikes is None else "-".join(map(str, place.strikes))
    return f"{place.word}.{place.row}.{place.col}.{'a' if place.across else 'd'}.{strikes}"


def unpacked(text: str) -> Place:
    """Return the place of a button's argument."""
    word, row, col, way, strikes = text.split(".")
    hits = tuple(int(count) for count in strikes.split("-")) if strikes else None
    return Place(word, int(row), int(col), way == "a", hits)


def word_form(view: View) -> Form:
    """Return the form for a word; its examples fit the map as it is."""
    public = view.public
    here = here_of(view)
    lie = runs(here.letters) if here.turns else ()
    example = spot((lie[-1].row, lie[-1].col), lie[-1].across) if lie else spot(here.ground.start, True)
    return Form(
        "Place a word",
        "placing",
        (
            Field("word", "Word", "Whole, as it will read on the map.", "HELPER", most=20),
            Field(
                "place",
                "Place",
                "First square and way. Leave it empty to see where it fits.",
                example,
                required=False,
            ),
        ),
        bound=public.mode != "party",
    )


def here_of(view: View) -> Position:
    """Return where the viewer's run stands; before the first turn where there is none to be seen."""
    return position(view.public.dungeon, view.run.places if view.run is not None else ())


def nowhere(dungeon: Dungeon, here: Position, word: str, judge: Words) -> str:
    """Return why a word can be laid nowhere, as a sentence: by the first place where it fits but for a rule."""
    plain = ""
    for row, text in enumerate(dungeon.rows):
        for col in range(len(text)):
            for across in (True, False):
                try:
                    fit(here, word, row, col, across)
                except IllegalMove as refusal:
                    plain = plain or str(refusal)
                    continue
                try:
                    _ways(dungeon, here, Place(word, row, col, across), judge)
                except IllegalMove as refusal:
                    return f"{word} fits nowhere. At {spot((row, col), across)}: {refusal}"
    if len(word) < 2 or not word.isascii() or not word.isalpha() or len(word) > here.ground.longest:
        return plain
    if not judge.legal(word):
        return f"{word} is not in the dictionary."
    if not here.turns:
        return f"{word} fits nowhere so that it passes through the start."
    return f"{word} fits nowhere: no place joins it to your words and leaves their letters as they are."


class DungeonFace(VerbFace):
    """How Word Dungeon shows itself (``bot.tables.face.Face``)."""

    key = KEY

    # What is shown

    def board(self, view: View, shown: Shown, told: Sequence[Event]) -> Panel:
        """Return the board for the channel."""
        public = view.public
        dungeon = public.dungeon
        name = {"solo": "Solo", "race": "Race", "party": "Party"}[public.mode]
        text, notes = "", [self.due(view, shown)]
        if public.over:
            notes.insert(0, self._outcome(view, shown, told))
        else:
            said = [one for event in told if (one := texts.say(event, shown.people, dungeon))]
            text = "\n".join(said[-TOLD:] or [self._welcome(dungeon)])
        return Panel(
            title=f"{dungeon.name} · {name}" + (f" · {public.daily}" if public.daily else ""),
            text=text,
            picture=self._public_picture(view, shown),
            notes="\n".join(note for note in notes if note),
            rows=_resting(self._board_rows(view)) if shown.paused else self._board_rows(view),
            colour=self._colour(view),
        )

    def hand(self, view: View, shown: Shown) -> Panel:
        """Return the map of ``view.seat`` with what that player may do: in solo the whole game."""
        public, run = view.public, view.run
        dungeon = public.dungeon
        title = dungeon.name
        if public.daily:
            title += f" · daily {public.daily}"
        elif public.mode == "solo" and dungeon.key not in DUNGEONS:
            title += " · practice"
        elif public.mode != "solo":
            title += f" · {public.mode}"
        away = view.seat is not None and not shown.humans[view.seat]
        notes: list[str] = []  # below the picture, where whoever presses buttons looks
        text = ""
        if public.over and public.mode == "race":
            notes.append(texts.ranking(view, shown.people))
        elif run is not None and run.ended is not None:
            notes.append(texts.result_text(dungeon, run.ended, run.hints))
        else:
            text = self._welcome(dungeon)
        if run is not None and run.ended is None and not public.over:
            if run.places:
                text = ""
                notes.append(texts.last_turn(dungeon, run.places))
            notes.append(texts.standing(dungeon, run))
        if public.proposal is not None:
            notes.append(texts.proposal_text(public, here_of(view), shown.names, majority(public.seats)))
        if public.mode == "race" and not public.over:
            notes.append(self._waiting(view, shown))
        notes.append(self._where(view, shown))
        rows = self._hand_rows(view)
        if away and not public.over:
            notes.insert(0, "An automaton plays for you. You may take your seat back at any time.")
            rows = ((Button("Take my seat back", "return_seat", style="main"),),)
        elif shown.paused and not public.over:
            notes.insert(0, "**Paused.** Nobody moves until it goes on.")
            rows = ((Button("Resume", "resume", style="good"),), *_resting(rows))
        return Panel(
            title=title,
            text=text,
            picture=self._picture(view, shown),
            notes="\n".join(note for note in notes if note),
            rows=rows,
            colour=self._colour(view),
        )

    def sends_hand(self, view: View) -> bool:
        """Whether a seat's map is worth a private message: in a race, which goes on whether one looks or not.

        A party has its one map on the board. A solo is the panel that answered its command, and waits for its player
        alone, so a copy of it would only ring.
        """
        return view.public.mode == "race"

    def due(self, view: View, shown: Shown) -> str:
        """Return what the table waits for."""
        public, names = view.public, shown.names
        if public.over:
            return "-# Another game: *Rematch*, `/play dungeon`, or `/dungeon solo` alone."
        if public.mode == "party":
            if public.proposal is not None:
                return texts.proposal_text(public, here_of(view), names, majority(public.seats))
            need = majority(public.seats)
            how = f"Anyone proposes a word; it is laid when {need} of {public.seats} agree."
            stand = "" if view.run is None else texts.standing(public.dungeon, view.run)
            small = "\n".join(
                f"-# {line}" for line in stand.splitlines()
            )  # a notice says only what is waited for
            return f"{how}\n{small}" if public.seats > 1 else small
        inside = [names[seat] for seat, one in enumerate(view.progress) if one.ended is None]
        who = f"Inside: {listed(inside)}. "
        if public.mode == "solo":
            return f"{who}The map is behind *My map*."
        return f"{who}{texts.clock_text(public, shown.due)}\n-# Your own map is behind *My map*, and in my message to you."

    def say(self, event: Event, names: Sequence[str]) -> str | None:
        """Return the event as a sentence, or None when the board says it already."""
        return texts.say(event, names)

    def record(self, event: Event, names: Sequence[str]) -> str | None:
        """Return the event as the log tells it."""
        return texts.record(event, names)

    def alt(self, view: View, names: Sequence[str]) -> str:
        """Return all that the board's picture shows, in at most 1,024 characters."""
        return texts.alt(view, names)

    def _welcome(self, dungeon: Dungeon) -> str:
        own = "".join(f"\n- {rule}" for rule in (*texts.own_rules(dungeon), texts.striking(dungeon)) if rule)
        return f"*{dungeon.story}*\n{texts.worth(dungeon)}{own}"

    def _waiting(self, view: View, shown: Shown) -> str:
        """Return when a race ends, or for whom it waits when the viewer's own run has ended."""
        if view.run is None or view.run.ended is None:
            return texts.clock_text(view.public, shown.due)
        inside = listed(shown.names[seat] for seat, one in enumerate(view.progress) if one.ended is None)
        return f"Waiting for {inside}; the result comes on the board."

    def _where(self, view: View, shown: Shown) -> str:
        public = view.public
        if public.mode == "party":
            return f"-# {shown.where}. This panel stays as it is; the board follows the game."
        if public.over and public.mode == "solo":
            return "-# *Share* shows your way in the channel, without letters."
        if public.over:
            return f"-# {shown.where}. *Rematch* is on its board; `/dungeon solo` is for you alone."
        if public.daily:
            return f"-# Table {shown.table}. Yours alone; `/dungeon daily` brings it back. The next one opens{when(end_of(public.daily))}."
        if public.mode == "solo":
            return f"-# Table {shown.table}. Yours alone, for as long as you like; `/dungeon show` brings it back."
        return f"-# {shown.where}. Your map is yours alone until the race is over."

    def _outcome(self, view: View, shown: Shown, told: Sequence[Event]) -> str:
        """Return how the game ended, for everyone."""
        public, names = view.public, shown.people
        late = [texts.say(event, names) for event in told if isinstance(event, TimeRanOut)]
        ended = view.progress[0].ended
        if public.mode == "race":
            lines = [*late[-1:], texts.ranking(view, names)]
        elif ended is None:
            lines = []
        elif public.mode == "party":
            lines = [texts.result_text(public.dungeon, ended, 0, "The party")]
            if view.run is not None:
                lines.append(f"Words: {texts.words_of(view.run)}.")
        else:
            lines = [texts.result_text(public.dungeon, ended, view.progress[0].hints, names[0])]
        return "\n".join(line for line in lines if line)

    def _picture(self, view: View, shown: Shown) -> Picture:
        names = shown.drawn
        return Picture(
            f"dungeon-{view.public.dungeon.key}.png"[:60],
            texts.alt(view, names),
            msgspec.msgpack.encode((view, names)),
            lambda: render.dungeon.board(view, names),
        )

    def _public_picture(self, view: View, shown: Shown) -> Picture:
        if view.runs is None or view.public.mode != "race":
            return self._picture(view, shown)
        names = shown.drawn
        return Picture(
            "routes.png",
            texts.routes_alt(view, names),
            msgspec.msgpack.encode((view, names)),
            lambda: render.dungeon.routes(view, names),
        )

    def _colour(self, view: View) -> int:
        ended = view.run.ended if view.run is not None else None
        if ended is None and view.public.over:
            ended = next((one.ended for one in view.progress if one.ended and one.ended.how == "out"), None)
            return WON if ended is not None else LOST
        if ended is None:
            return RUNNING
        return WON if ended.how == "out" else LOST

    def _board_rows(self, view: View) -> tuple[Row, ...]:
        public = view.public
        if public.over:
            return ()
        if public.mode != "party":
            return (
                (
                    Button("My map", "hand", style="main"),
                    Button("Place a word", "word"),
                    Button("More", "more"),
                ),
            )
        return self._party_rows(view)

    def _party_rows(self, view: View) -> tuple[Row, ...]:
        public = view.public
        laid_one = view.run is not None and bool(view.run.places)
        first = (
            Button("Place a word", "word", style="main"),
            Button("Undo turn", "back", bound=True, disabled=not laid_one),
            Button("Hint", "hint", bound=True),
            Button("More", "more"),
        )
        if public.proposal is None or public.seats == 1:
            return (first,)
        votes = (
            Button("Agree", "agree", style="good", bound=True),
            Button("Object", "object", style="bad", bound=True),
        )
        return (votes, first)

    def _hand_rows(self, view: View) -> tuple[Row, ...]:
        public, run = view.public, view.run
        if public.over and public.mode == "solo":
            return (self._afterwards(view),)
        if public.over or run is None or run.ended is not None:
            return ((Button("Rules", "sheet"), Button("Log", "log")),)
        if public.mode == "party":
            return self._party_rows(view)
        return (
            (
                Button("Place a word", "word", style="main"),
                Button("Undo turn", "back", bound=True, disabled=not run.places),
                Button("Hint", "hint", bound=True),
                Button("Give up", "give_up"),
                Button("Rules", "sheet") if public.mode == "solo" else Button("More", "more"),
            ),
        )

    def _afterwards(self, view: View) -> tuple[Button, ...]:
        public = view.public
        buttons = [Button("Share", "share", style="main")]
        if public.daily:
            buttons.append(Button("Today’s results", RESULTS, public.daily))
        if public.dungeon.key in DUNGEONS and not public.daily:
            buttons.append(Button("Again", "again"))
            if following(public.dungeon) is not None:
                buttons.append(Button("Next dungeon", "next", style="good"))
        buttons.append(Button("Log", "log"))
        return tuple(buttons)

    # The lobby

    def settings(self, options: Options) -> tuple[Menu, ...]:
        """Return the lobby's menus."""
        mode = "auto" if options.mode == "race" else options.mode
        modes = tuple(Choice(name, key, about, key == mode) for key, (name, about) in MODES.items())
        tier = DUNGEONS[options.dungeon].tier if options.dungeon in DUNGEONS else 0
        tiers = (
            Choice("Any easy dungeon", "easy", "By chance, of tier 1", options.dungeon == "easy"),
            Choice("Any dungeon", "0", "By chance, however deep", not tier and options.dungeon != "easy"),
            *(
                Choice(
                    f"Tier {number}: {texts.TIERS[number]}", f"{number}", self._tier(number), number == tier
                )
                for number in range(1, TIERS + 1)
            ),
        )
        minutes = tuple(
            Choice(
                f"{name}",
                f"{number}",
                "15 minutes live, three days slow" if not number else "",
                number == options.minutes,
            )
            for number, name in MINUTES.items()
        )
        paces = tuple(
            Choice(f"{pace.capitalize()} pace", pace, about, pace == options.pace)
            for pace, about in PACES.items()
        )
        menus = [Menu("set", "Race, party or solo", modes, "mode"), Menu("set", "How deep", tiers, "tier")]
        if tier:
            dungeons = tuple(
                Choice(dungeon.name, dungeon.key, texts.about(dungeon), dungeon.key == options.dungeon)
                for dungeon in DUNGEONS.values()
                if dungeon.tier == tier
            )
            menus.append(Menu("set", "The dungeon", dungeons, "dungeon"))
        return (
            *menus,
            Menu("set", "Time for a race", minutes, "minutes"),
            Menu("set", "Pace", paces, "pace"),
        )

    def _tier(self, number: int) -> str:
        found = [dungeon for dungeon in DUNGEONS.values() if dungeon.tier == number]
        return f"{counted(len(found), 'dungeon')}: {', '.join(dungeon.name for dungeon in found)}"

    def chosen(self, options: Options, menu: str, value: str) -> Options:
        """Return the options after a choice in a lobby menu; raises msgspec.ValidationError for a wrong value."""
        if menu == "tier":
            if value == "easy":
                return replace(options, dungeon=value, custom=None, daily="")
            tier = int(value)
            first = next((one.key for one in DUNGEONS.values() if one.tier == tier), "any")
            return replace(options, dungeon=first, custom=None, daily="")
        fields = {**msgspec.to_builtins(options), menu: value}
        if menu == "dungeon":
            fields |= {"custom": None, "daily": ""}
        return msgspec.convert(fields, Options, strict=False)

    def summary(self, options: Options) -> str:
        """Return the options in a few lines."""
        dungeon = options.custom or DUNGEONS.get(options.dungeon)
        where = ANY[options.dungeon] if dungeon is None else f"**{dungeon.name}** ({texts.facts(dungeon)})"
        name, about = MODES["auto" if options.mode == "race" else options.mode]
        lines = [f"**{name}** through {where}.", f"{about}."]
        if options.mode in ("auto", "race"):
            time = MINUTES.get(options.minutes) or counted(options.minutes, "minute")
            usual = "15 minutes" if options.pace == "live" else "3 days"
            lines.append(f"-# Time for a race: {time if options.minutes else usual}.")
        if dungeon is None:
            lines.append("-# *Options* has every dungeon by name.")
        return "\n".join(lines)

    def looking_up(self, options: Options) -> bool:
        """Whether its players may look words up: words are checked as they are placed, so yes."""
        return True

    # What is pressed

    async def _on_hand(self, press: Press) -> None:
        await press.panel(self.hand(await press.view(), await press.shown()))

    async def _on_word(self, press: Press) -> None:
        view: View = await press.view()
        _check_inside(view)
        await press.form(word_form(view))

    async def _on_placing(self, press: Press) -> None:
        view: View = await press.view()
        _check_inside(view)
        form = word_form(view)
        word = _word(press.fields["word"])
        try:
            found = await self._wanted(
                press, view, word, press.fields.get("place", ""), press.fields.get("strikes", "")
            )
        except IllegalMove as refusal:
            await self._refuse(press, view, str(refusal), form)
            return
        if len(found) == 1:
            await self._lay(press, view, found[0], form)
        else:
            await self._offer_places(press, view, found)

    async def _wanted(
        self, press: Press, view: View, word: str, where: str, strikes: str
    ) -> tuple[Place, ...]:
        """Return the places that somebody may mean: one, or those to choose from; raises IllegalMove."""
        dungeon, here, judge = view.public.dungeon, here_of(view), await press.words()
        if not where.strip():
            found = _fitting(dungeon, here, word, judge)
            if not found:
                raise IllegalMove(nowhere(dungeon, here, word, judge))
        else:
            square, across = parse_spot(where)
            ways = (True, False) if across is None else (across,)
            found = tuple(Place(word, *square, way) for way in ways)
            if across is None:
                fitting = tuple(
                    place
                    for place in _fitting(dungeon, here, word, judge)
                    if (place.row, place.col) == square
                )
                found = fitting or found[:1]
        if strikes.strip():
            hits = _parsed_strikes(dungeon, strikes)
            found = tuple(replace(place, strikes=hits) for place in found)
        return found

    async def _on_spot(self, press: Press) -> None:
        view: View = await press.view()
        _check_inside(view)
        await self._lay(press, view, unpacked(press.values[0]))

    async def _on_lay(self, press: Press) -> None:
        view: View = await press.view()
        _check_inside(view)
        await self._lay(press, view, unpacked(press.values[0] if press.values else press.arg))

    async def _lay(self, press: Press, view: View, place: Place, form: Form | None = None) -> None:
        """Lay a word, or propose it; first ask where letters could strike in several ways."""
        try:
            ways = _ways(view.public.dungeon, here_of(view), place, await press.words())
        except IllegalMove as refusal:
            await self._refuse(press, view, str(refusal), form)
            return
        if len(ways) > 1:
            await self._offer_strikes(press, view, place, ways)
            return
        if ways:
            place = replace(place, strikes=ways[0])
        party = view.public.mode == "party"

        async def again() -> None:
            reason = "The table has moved on since you opened that. Look again; what you typed is kept."
            await self._refuse(press, await press.view(), reason, form)

        if await press.play(place, form, fresh=not party, again=None if form is None else again):
            await self._played(press, f"**{place.word}** is laid.", f"You proposed {texts.lies(place)}.")

    async def _refuse(self, press: Press, view: View, reason: str, form: Form | None) -> None:
        """Say why a word may not be laid; the map from which the form was opened stays."""
        await press.refuse(reason, form, around=self.hand(view, await press.shown()))

    async def _played(self, press: Press, done: str, proposed: str) -> None:
        """Show what has come of a turn, where nothing else shows it."""
        view: View = await press.view()
        party = view.public.mode == "party"
        if press.on_hand or (party and not press.private):
            await press.done(proposed if view.public.proposal is not None else done)
        else:
            await self._on_hand(press)

    async def _on_back(self, press: Press) -> None:
        if await press.play(TakeBack()):
            await self._played(
                press, "The last turn is taken back.", "You proposed to take the last turn back."
            )

    async def _on_hint(self, press: Press) -> None:
        view: View = await press.view()
        _check_inside(view)
        if press.arg != "sure" and self._clean(view):
            sure = Button("Show me a word", "hint", "sure", "main", bound=True)
            text = "It costs no points, but your run is marked with a lamp from then on, for everyone to see."
            await press.panel(Panel("Take a hint?", text, rows=((sure, Button("Back to the map", "hand")),)))
            return
        place: Place | None = await press.search("hint", view)
        if not await press.play(Hint(place)):
            return
        if view.public.mode == "party":
            none = texts.no_hint(here_of(view))
            await press.done(none if place is None else "Everyone sees the hint on the board.")
            return
        hand = self.hand(await press.view(), await press.shown())
        dungeon, here = view.public.dungeon, here_of(view)
        if place is None:
            await press.panel(replace(hand, notes=f"{texts.no_hint(here)}\n{hand.notes}"))
            return
        label = f"Lay {place.word} and leave" if texts.leaves(dungeon, place) else f"Lay {place.word}"
        lay = (Button(label, "lay", packed(place), "good", bound=True),)
        notes = f"{texts.hint_text(dungeon, here, place)}\n{hand.notes}"
        ghost = self._ghost(view, await press.shown(), place)
        await press.panel(replace(hand, notes=notes, picture=ghost, rows=(lay, *hand.rows)))

    def _clean(self, view: View) -> bool:
        """Whether a hint would be the first of a run that is compared with others'."""
        compared = view.public.mode == "race" or bool(view.public.daily)
        return compared and view.run is not None and not view.run.hints

    async def _on_give_up(self, press: Press) -> None:
        view: View = await press.view()
        _check_inside(view)
        if press.arg != "sure":
            sure = Button("Give up", "give_up", "sure", "bad", bound=True)
            text = "You leave the way you came, with 0 points. *Undo turn* takes turns back as often as you like."
            if view.public.daily:
                text += " It counts as your attempt of the day."
            if view.public.mode == "party":
                text = "The party leaves with 0 points, if a majority agrees."
            await press.panel(Panel("Give up?", text, rows=((sure, Button("Back to the map", "hand")),)))
            return
        if await press.play(GiveUp()):
            await self._played(press, "You gave up.", "You proposed to give up.")

    async def _on_agree(self, press: Press) -> None:
        if await press.play(Agree()):
            await press.done("You agreed.")

    async def _on_object(self, press: Press) -> None:
        if await press.play(Object()):
            await press.done("You objected.")

    async def _on_withdraw(self, press: Press) -> None:
        if await press.play(Withdraw()):
            await press.done("You took your proposal back.")

    async def _on_more(self, press: Press) -> None:
        view: View = await press.view()
        public = view.public
        first = [
            Button("This dungeon", "sheet"),
            Button("How to play", "rules", "more"),
            Button("Log", "log"),
        ]
        paused = (await press.shown()).paused
        pause = Button("Resume", "resume", style="good") if paused else Button("Pause", "pause")
        second = [pause, Button("Leave", "leave"), Button("End the table", "end")]
        if public.mode == "party":
            mine = public.proposal is not None and public.proposal.seat == press.seat
            first.insert(0, Button("Take my proposal back", "withdraw", disabled=not mine, bound=True))
            second.insert(0, Button("Give up", "give_up", style="bad"))
        elif not public.over:
            first.insert(0, Button("My map", "hand", style="main"))
        await press.panel(Panel("More", "", rows=(tuple(first), tuple(second))))

    async def _on_sheet(self, press: Press) -> None:
        view: View = await press.view()
        buttons = (
            Button("Back to the map", "hand", style="main"),
            Button("How to play", "rules", "sheet"),
            Button("More", "more"),
        )
        await press.panel(Panel(view.public.dungeon.name, texts.sheet(view.public.dungeon), rows=(buttons,)))

    async def _on_share(self, press: Press) -> None:
        view: View = await press.view()
        if not view.public.over or view.public.mode != "solo":
            await press.refuse("There is nothing to share yet: reach the exit first.")
            return
        await press.share(shared_panel(view, await press.shown()))

    async def _on_again(self, press: Press) -> None:
        await self._another(press, (await press.view()).public.dungeon)

    async def _on_next(self, press: Press) -> None:
        await self._another(press, following((await press.view()).public.dungeon))

    async def _another(self, press: Press, dungeon: Dungeon | None) -> None:
        if dungeon is None or dungeon.key not in DUNGEONS:
            await press.refuse("That was the last one. /dungeon solo knows them all.")
            return
        await press.begin(Options(mode="solo", dungeon=dungeon.key))

    async def _offer_places(self, press: Press, view: View, found: Sequence[Place]) -> None:
        dungeon, here = view.public.dungeon, here_of(view)
        told = [(place, deeds(dungeon, laid(here, place), place)) for place in found]
        told.sort(key=lambda one: -one[1].points)
        told = told[: LIMITS["choices"]]
        starts = tuple(((place.row, place.col), place.across) for place, _ in told)
        choices = tuple(
            Choice(f"{number} · {spot((place.row, place.col), place.across)}", packed(place), _effect(deed))
            for number, (place, deed) in enumerate(told, 1)
        )
        more = f" The best {LIMITS['choices']} are listed." if len(found) > LIMITS["choices"] else ""
        await press.panel(
            Panel(
                f"Where does {found[0].word} go?",
                picture=self._numbered(view, await press.shown(), starts),
                notes=f"**{found[0].word}** fits in {counted(len(found), 'place')}, numbered on the map.{more}",
                rows=(
                    Menu("spot", "Choose a place", choices, bound=True),
                    (Button("Another word", "word"), Button("Back to the map", "hand")),
                ),
            )
        )

    async def _offer_strikes(self, press: Press, view: View, place: Place, ways: Sequence[Strikes]) -> None:
        """Ask whom a word is to strike; the best way comes first."""
        here = here_of(view)
        act = "propose" if view.public.mode == "party" else "lay"
        options = [(texts.strikes_text(here, way), packed(replace(place, strikes=way))) for way in ways]
        first = tuple(
            Button(cut(label, LIMITS["label"]), "lay", value, "good" if not number else "plain", bound=True)
            for number, (label, value) in enumerate(options[:WAYS])
        )
        rows: list[Row] = [first]
        if len(options) > WAYS:
            rest = tuple(Choice(label, value) for label, value in options[WAYS : WAYS + LIMITS["choices"]])
            rows.append(Menu("lay", "Other ways to strike", rest, bound=True))
        rows.append((Button("Another word", "word"), Button("Back to the map", "hand")))
        await press.panel(
            Panel(
                f"Whom does {place.word} strike?",
                picture=self._ghost(view, await press.shown(), place),
                notes=f"{texts.lies(place)} can strike in {counted(len(ways), 'way')}. Choose one to {act} it.",
                rows=tuple(rows),
            )
        )

    def _numbered(self, view: View, shown: Shown, starts: tuple[tuple[Square, bool], ...]) -> Picture:
        """Return the map with places to choose from numbered on their first squares."""
        names = shown.drawn
        where = ", ".join(f"{number} {spot(*start)}" for number, start in enumerate(starts, 1))
        return Picture(
            "places.png",
            cut(f"To choose from: {where}. {texts.alt(view, names)}", LIMITS["alt"]),
            msgspec.msgpack.encode((view, names, starts)),
            lambda: render.dungeon.board(view, names, starts),
        )

    def _ghost(self, view: View, shown: Shown, place: Place) -> Picture:
        # The map as it would be, the new letters in outline.
        proposal = Proposal(view.seat or 0, place, 0)
        seen = replace(view, public=replace(view.public, proposal=proposal))
        return self._picture(seen, shown)


def following(dungeon: Dungeon) -> Dungeon | None:
    """Return the next dungeon, which is a little harder, or None after the last."""
    keys = list(DUNGEONS)
    if dungeon.key not in keys or dungeon.key == keys[-1]:
        return None
    return DUNGEONS[keys[keys.index(dungeon.key) + 1]]


def shared_panel(view: View, shown: Shown) -> Panel:
    """Return what everyone may see of a solo that is over: the way without letters, and the score."""
    public, run = view.public, view.run
    dungeon, seat, names = public.dungeon, view.seat or 0, shown.drawn
    assert run is not None
    assert run.ended is not None
    known = dungeon.key in DUNGEONS and not public.daily
    play = Button("Play it", ALONE, dungeon.key) if known else Button("Play it", TODAY, public.daily)
    about = "The dungeon of the day, the same for everyone." if public.daily else "Try it yourself."
    return Panel(
        title=f"{dungeon.name}" + (f" · daily {public.daily}" if public.daily else ""),
        picture=Picture(
            "way.png",
            texts.shared_alt(view, names[seat]),
            msgspec.msgpack.encode((view, names)),
            lambda: render.dungeon.shared(view, names),
        ),
        notes=f"{texts.ended_text(dungeon, run.ended, shown.people[seat])}{texts.hinted(run.hints)}\n-# {about}",
        rows=((replace(play, style="main"),),),
        colour=WON if run.ended.how == "out" else LOST,
    )


def _resting(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the rows with nothing in them that moves, for a table that is paused."""
    return tuple(
        tuple(replace(button, disabled=button.disabled or button.verb in MOVING) for button in row)
        if isinstance(row, tuple)
        else row
        for row in rows
    )


def _check_inside(view: View) -> None:
    """Raise IllegalMove unless the viewer's run goes on."""
    if view.public.over:
        raise IllegalMove("This dungeon is done.")
    if view.run is None or view.run.ended is not None:
        raise IllegalMove("You are no longer in the dungeon.")


def _word(text: str) -> str:
    """Return what somebody typed as a word: upper case, accents folded; what is no word stays, to be refused as it is."""
    return Lexicon.fold(text) or text.strip().upper()


def _fitting(dungeon: Dungeon, here: Position, word: str, judge: Words) -> tuple[Place, ...]:
    """Return the places at which a word may be laid now: those at which some way to strike is allowed."""
    return tuple(
        place for place in places(dungeon, here, word, judge) if _allowed(dungeon, here, place, judge)
    )


def _allowed(dungeon: Dungeon, here: Position, place: Place, judge: Words) -> bool:
    try:
        _ways(dungeon, here, place, judge)
    except IllegalMove:
        return False
    return True


def _ways(dungeon: Dungeon, here: Position, place: Place, judge: Words) -> tuple[Strikes, ...]:
    """Return the ways to strike among which to choose for a word: none where there are no monsters, or it was chosen.

    Raises:
        IllegalMove: the word may not be laid, however it strikes.
    """
    if not dungeon.monsters or place.strikes is not None:
        check(dungeon, here, place, judge)
        return ()
    fit(here, place.word, place.row, place.col, place.across)  # else there is nothing to strike with
    found, refusals = [], []
    for way in thrifty_strikes(here, laid(here, place).placed):
        try:
            check(dungeon, here, replace(place, strikes=way), judge)
        except IllegalMove as refusal:
            refusals.append(refusal)
        else:
            found.append(way)
    if not found:
        raise refusals[0]
    return tuple(found)


def _parsed_strikes(dungeon: Dungeon, text: str) -> Strikes | None:
    """Return strikes that somebody typed, such as ``GIANT 2, OGRE 1``; raises IllegalMove."""
    if text.strip().casefold() == "none":
        return (0,) * len(dungeon.monsters)
    parts = [" ".join(part.split()) for part in text.upper().split(",")]
    try:
        return read(dungeon, f"AA A1 across | {', '.join(parts)}").strikes
    except ValueError as error:
        raise IllegalMove("Strikes read like this: GIANT 2, OGRE 1.") from error


def _effect(deed: Any) -> str:
    """Return what a word would do in the few words of a menu's line."""
    more = [f"with {listed(deed.words[1:])}"] if deed.words[1:] else []
    said = "; ".join([*more, *texts.outcome(deed)])
    return cut(f"{said[:1].upper()}{said[1:]}" if said else "Takes nothing", 100)


class AtDungeon(AtTable):
    """The option *table* for one's dungeons: offered with the dungeon's name."""

    game = KEY

    async def autocomplete(
        self, interaction: Interaction, value: str | float
    ) -> list[app_commands.Choice[str | int | float]]:
        """Offer the person's dungeons."""
        offers = await super().autocomplete(interaction, value)
        router: Router = interaction.client.router
        names = {table.id: _label(table) for table in await router.service.tables_of(interaction.user.id)}
        return [
            app_commands.Choice(name=cut(f"{one.value}: {names[int(one.value)]}", 100), value=one.value)
            for one in offers
            if one.value in names
        ]


In = app_commands.Transform[int, AtDungeon]


def _label(table: Table) -> str:
    """Return what tells a table from a person's others."""
    options: Options = table.options
    dungeon = options.custom or DUNGEONS.get(options.dungeon)
    name = ANY.get(options.dungeon, "") if dungeon is None else dungeon.name
    if options.daily:
        return f"{name}, daily {options.daily}"
    return f"{name} with {', '.join(table.names)}" if len(table.seats) > 1 else f"{name}, solo"


class WordDungeon(commands.Cog):
    """The commands of the game: dungeons to begin, what a button does as well, and the lists of the best."""

    group = app_commands.Group(
        name="dungeon",
        description="Word Dungeon: alone, every day, or your moves in a race or a party",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
    )

    def __init__(self, router: Router, tables: Tables, dailies: Dailies) -> None:
        self.router = router
        self.tables = tables
        self.dailies = dailies
        self._door = asyncio.Lock()  # who asks twice at once begins one dungeon
        router.verbs[PAGES] = self._on_pages
        router.anywhere |= {TODAY: self._on_today, ALONE: self._on_alone, RESULTS: self._on_results}

    async def cog_load(self) -> None:
        """Add ``/play dungeon``."""

        @app_commands.command(name="dungeon", description="Word Dungeon: race each other, or go as a party")
        @app_commands.describe(
            mode="A race by default: everyone has a private copy of the dungeon",
            dungeon="Which one; an easy one by default",
            minutes="Time for a race; 15 minutes by default, three days at slow pace",
            pace="For one sitting, or over days",
            thread="Whether the table gets a thread of its own",
        )
        async def play(
            interaction: Interaction,
            mode: Literal["race", "party", "solo"] | None = None,
            dungeon: str | None = None,
            minutes: app_commands.Range[int, 1, 10_080] | None = None,
            pace: Literal["live", "slow"] | None = None,
            thread: bool | None = None,
        ) -> None:
            given: dict[str, Any] = {
                "mode": "auto" if mode == "race" else mode,
                "minutes": minutes,
                "pace": pace,
                "dungeon": "easy",
            }
            if dungeon is not None:
                try:
                    given["dungeon"] = named(dungeon).key
                except IllegalMove as refusal:
                    await self._say(interaction, str(refusal))
                    return
            chosen = {name: value for name, value in given.items() if value is not None}
            await self.tables.open(interaction, KEY, chosen, thread=thread)

        @play.autocomplete("dungeon")
        async def _(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
            return offered(typed)

        self.tables.play.add_command(play)

    # Beginning

    @group.command(name="solo", description="A dungeon for you alone; nobody else sees your map")
    @app_commands.describe(dungeon="Which one; where you were, or the next one for you, by default")
    async def solo(self, interaction: Interaction, dungeon: str | None = None) -> None:
        """Begin a solo, or go on with it."""

        async def act(answer: Answer) -> None:
            await self._begin_alone(answer, None if dungeon is None else named(dungeon))

        await self.router.answer(interaction, None, act)

    async def _begin_alone(self, answer: Answer, wanted: Dungeon | None) -> None:
        """Begin a solo, or go on with the one that there is; without a wish the easiest that is left to do."""
        user = answer.interaction.user.id
        async with self._door:
            for table in await self._alone(user):
                options: Options = table.options
                if (
                    not options.daily
                    and options.custom is None
                    and wanted in (None, DUNGEONS.get(options.dungeon))
                ):
                    await self.router.show_hand(answer, table.id, note="You go on where you were.")
                    return
            key = wanted.key if wanted is not None else await self._next(user)
            await self.router.begin(answer, KEY, Options(mode="solo", dungeon=key))

    @group.command(name="daily", description="Today's dungeon, the same for everybody on every server")
    async def daily(self, interaction: Interaction) -> None:
        """Begin today's dungeon, or go on with it."""

        await self.router.answer(interaction, None, self._begin_daily)

    async def _begin_daily(self, answer: Answer, meant: str = "") -> None:
        """Begin today's dungeon, or go on with it; ``meant``: the day of which somebody thinks."""
        user, date = answer.interaction.user.id, date_of(self.router.service.now())
        past = "" if meant in ("", date) else f"The dungeon of {meant} has closed; this is today’s. "
        async with self._door:
            dungeon = await self.dailies.dungeon(date)
            if dungeon is None:
                raise IllegalMove(DIGGING)
            dungeon = without_route(dungeon)
            for table in await self._alone(user):
                if table.options.custom == dungeon:
                    note = "You go on where you were." if table.options.daily else PRACTICE
                    await self.router.show_hand(answer, table.id, note=past + note)
                    return
            first = await self.router.service.store.best(f"daily/{date}", user=user, first=True)
            note = past.rstrip()
            options = Options(mode="solo", custom=dungeon, daily=date)
            if first:
                note = f"{past}Your first attempt counts: {scores.score(first[0])}. {PRACTICE}"
                options = replace(options, daily="")
            await self.router.begin(answer, KEY, options, note=note)

    async def _alone(self, user: int) -> list[Table]:
        """Return the private dungeons in which a person is, the latest first."""
        return [
            table
            for table in await self.router.service.tables_of(user)
            if table.game.key == KEY
            and table.stage == "live"
            and table.options.mode == "solo"
            and table.place is None
        ]

    async def _next(self, user: int) -> str:
        """Return the key of the easiest dungeon that a person has not left yet, or ``any``."""
        known = {one.course for one in await self.router.service.store.best("dungeon/*", user=user)}
        return next((key for key in DUNGEONS if f"dungeon/{key}" not in known), "any")

    # Moves

    @group.command(name="place", description="Lay a word; in a party, propose it")
    @app_commands.describe(
        word="Whole, as it will read on the map",
        at="Where it begins, and which way; offered as you type",
        strikes="Whom its letters strike, such as GIANT 2, OGRE 1; I pick or ask by default",
        table="Which of your dungeons",
    )
    async def place(
        self, interaction: Interaction, word: app_commands.Range[str, 1, 40],
        at: app_commands.Range[str, 1, 20] | None = None,
        strikes: app_commands.Range[str, 1, 80] | None = None, table: In | None = None,
    ) -> None:  # fmt: skip
        """Lay a word."""
        await self._do(interaction, "placing", table, word=word, place=at or "", strikes=strikes or "")

    @group.command(name="undo", description="Take the last turn back; in a party, propose it")
    @app_commands.describe(table="Which of your dungeons")
    async def undo(self, interaction: Interaction, table: In | None = None) -> None:
        """Take a turn back."""
        await self._do(interaction, "back", table)

    @group.command(name="hint", description="Ask me for a word; your run is marked for it")
    @app_commands.describe(table="Which of your dungeons")
    async def hint(self, interaction: Interaction, table: In | None = None) -> None:
        """Ask for a hint."""
        await self._do(interaction, "hint", table)

    @group.command(name="give_up", description="Leave the dungeon with nothing; in a party, propose it")
    @app_commands.describe(table="Which of your dungeons")
    async def give_up(self, interaction: Interaction, table: In | None = None) -> None:
        """Give up."""
        await self._do(interaction, "give_up", table)

    @group.command(name="agree", description="Party: agree to what is proposed")
    @app_commands.describe(table="Which of your dungeons")
    async def agree(self, interaction: Interaction, table: In | None = None) -> None:
        """Agree."""
        await self._do(interaction, "agree", table)

    @group.command(name="object", description="Party: object to what is proposed")
    @app_commands.describe(table="Which of your dungeons")
    async def object(self, interaction: Interaction, table: In | None = None) -> None:
        """Object."""
        await self._do(interaction, "object", table)

    @group.command(name="withdraw", description="Party: take your proposal back")
    @app_commands.describe(table="Which of your dungeons")
    async def withdraw(self, interaction: Interaction, table: In | None = None) -> None:
        """Withdraw."""
        await self._do(interaction, "withdraw", table)

    # Looking

    @group.command(name="show", description="Your map, with all that you can do")
    @app_commands.describe(table="Which of your dungeons")
    async def show(self, interaction: Interaction, table: In | None = None) -> None:
        """Show the person's map."""
        await self._do(interaction, "hand", table)

    @group.command(name="rules", description="How to play, or what is special about one dungeon")
    @app_commands.describe(dungeon="Which one; without it, how to play")
    async def rules(self, interaction: Interaction, dungeon: str | None = None) -> None:
        """Show the rules."""

        async def act(answer: Answer) -> None:
            if dungeon is None:
                await answer.panel(self._pages(0), 0, None)
                return
            found = named(dungeon)
            await answer.panel(Panel(found.name, texts.sheet(found)), 0, None)

        await self.router.answer(interaction, None, act)

    @group.command(name="share", description="Show your latest way through a dungeon here, without letters")
    async def share(self, interaction: Interaction) -> None:
        """Share today's daily, or the latest of one's best runs."""

        async def act(answer: Answer) -> None:
            service, user = self.router.service, interaction.user.id
            today = await service.store.best(f"daily/{date_of(service.now())}", user=user, first=True)
            left = [one for one in today if scores.reached_exit(one)]
            done = left or [
                one for one in await service.store.best("*", user=user) if scores.reached_exit(one)
            ]
            if not done:
                raise IllegalMove("You have left no dungeon yet. /dungeon solo begins one.")
            table = await service.table(max(done, key=lambda one: one.at).table)
            view = await self._own(table, user)
            if view.public.mode != "solo":
                raise IllegalMove("Your latest run was in a race; its board shows all routes.")
            await self.router.share(answer, table.id, shared_panel(view, shown_of(table)))

        await self.router.answer(interaction, None, act)

    # The best

    @group.command(name="scores", description="Who is best in a dungeon; without one, how far you have come")
    @app_commands.describe(dungeon="Which one")
    async def scores(self, interaction: Interaction, dungeon: str | None = None) -> None:
        """Show a dungeon's list, or one's own results."""

        async def act(answer: Answer) -> None:
            store, user = self.router.service.store, interaction.user.id
            if dungeon is None:
                mine = await store.best("dungeon/*", user=user)
                await answer.panel(Panel("Your dungeons", scores.overview(mine)), 0, None)
                return
            found = named(dungeon)
            mine = await store.best(f"dungeon/{found.key}", user=user)
            lines = [texts.facts(found).capitalize() + "."]
            if interaction.guild_id is not None:
                best = await store.best(f"dungeon/{found.key}", guild=interaction.guild_id)
                lines.append(scores.ladder(best, user) or "Nobody on this server has left it yet.")
            lines.append(f"Your best: {scores.score(mine[0])}." if mine else "You have not left it yet.")
            await answer.panel(Panel(f"{found.name}: the best", "\n".join(lines)), 0, None)

        await self.router.answer(interaction, None, act)

    @group.command(
        name="board", description="The daily dungeon: this server's results, your own, and streaks"
    )
    @app_commands.describe(day="Which day; today by default")
    async def board(self, interaction: Interaction, day: Literal["today", "yesterday"] = "today") -> None:
        """Show a day's list."""

        async def act(answer: Answer) -> None:
            date = date_of(self.router.service.now(), -1 if day == "yesterday" else 0)
            await answer.panel(await self._results(interaction, date), 0, None)

        await self.router.answer(interaction, None, act)

    async def _results(self, interaction: Interaction, date: str) -> Panel:
        """Return a day's list for this server and the reader's own result; today's can be played from it."""
        store, user, today = (
            self.router.service.store,
            interaction.user.id,
            date_of(self.router.service.now()),
        )
        dungeon = await self.dailies.dungeon(date)
        lines = [] if dungeon is None else [f"{dungeon.name}: {texts.facts(dungeon)}."]
        mine = await store.best("daily/*", user=user, first=True)
        here = next((one for one in mine if one.course == f"daily/{date}"), None)
        listed_here = False
        if interaction.guild_id is not None:
            best = await store.best(f"daily/{date}", guild=interaction.guild_id, first=True)
            notes = {one.user: await self._streak(one.user, today) for one in best[: scores.LISTED]}
            lines.append(scores.ladder(best, user, notes) or "Nobody on this server has played it yet.")
            listed_here = any(one.user == user for one in best)
        if not listed_here:
            lines.append(
                f"You: {scores.score(here)}." if here is not None else "You have not finished this one."
            )
        current, longest = scores.streaks(scores.days_of(mine), today)
        if longest:
            lines.append(f"-# Streak {counted(current, 'day')}, best {longest}.")
        to_play = here is None and date == today
        rows = ((Button("Play it", TODAY, date, "main"),),) if to_play else ()
        return Panel(f"Daily dungeon of {date}", "\n".join(lines), rows=rows)

    async def _streak(self, user: int, today: str) -> str:
        """Return a person's current streak for their line of a list, or nothing."""
        days = scores.days_of(await self.router.service.store.best("daily/*", user=user, first=True))
        current, _ = scores.streaks(days, today)
        return f"; {current} days in a row" if current > 1 else ""

    # Small parts

    async def _own(self, table: Table, user: int) -> View:
        """Return a person's view of a table; raises IllegalMove."""
        seat = table.seat_of(user)
        if seat is None:
            raise IllegalMove("You do not sit at this table.")
        view: View = await self.router.service.view(table.id, seat.seat)
        return view

    def _pages(self, page: int) -> Panel:
        """Return a page of the rules for people at no table."""
        panel = rules_panel(self.router.faces[KEY], page)
        (menu,) = panel.rows
        assert isinstance(menu, Menu)
        return replace(panel, rows=(replace(menu, verb=PAGES),))

    async def _on_pages(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Turn to a page of the rules."""
        await answer.panel(self._pages(int(values[0])), 0, None)

    async def _on_today(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Begin today's dungeon for whoever presses, or go on with it."""
        await self._begin_daily(answer, address.arg)

    async def _on_alone(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Begin a dungeon that somebody has shared for whoever presses."""
        await self._begin_alone(answer, named(address.arg))

    async def _on_results(
        self, answer: Answer, address: Address, values: tuple[str, ...], fields: Mapping[str, str]
    ) -> None:
        """Show the results of the day of a daily dungeon, with the way back to its map."""
        panel = await self._results(answer.interaction, address.arg)
        back = ((Button("Back to the map", "hand"),),) if address.table else ()
        await answer.panel(replace(panel, rows=(*panel.rows, *back)), address.table, None)

    async def _do(
        self, interaction: Interaction, verb: str, table: int | None, arg: str = "", **fields: str
    ) -> None:
        await self.router.command(interaction, KEY, verb, arg=arg, fields=fields, table=table)

    async def _say(self, interaction: Interaction, text: str) -> None:
        async def act(answer: Answer) -> None:
            await answer.say(text)

        await self.router.answer(interaction, None, act)

    @solo.autocomplete("dungeon")
    @rules.autocomplete("dungeon")
    @scores.autocomplete("dungeon")
    async def _dungeons(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer dungeons by name, with tier, turns and par."""
        return offered(typed)

    @place.autocomplete("at")
    async def _places(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the places at which the word may be laid now, the best first."""
        try:
            table, view = await self._inside(interaction)
        except IllegalMove:
            return []
        dungeon, here = view.public.dungeon, here_of(view)
        judge = Words(self.router.service.lexicon, await self.router.service.known(table))
        word = _word(str(interaction.namespace.word or ""))
        found = [
            (place, deeds(dungeon, laid(here, place), place))
            for place in _fitting(dungeon, here, word, judge)
        ]
        found.sort(key=lambda one: -one[1].points)
        offers = [(spot((place.row, place.col), place.across), _effect(deed)) for place, deed in found]
        return [
            app_commands.Choice(name=cut(f"{where} · {effect}", 100), value=where)
            for where, effect in offers
            if typed.casefold() in where.casefold()
        ][: LIMITS["choices"]]

    @place.autocomplete("strikes")
    async def _strikes(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer the ways to strike that spare no letter, the best first."""
        try:
            table, view = await self._inside(interaction)
            square, across = parse_spot(str(interaction.namespace.at or ""))
            dungeon, here = view.public.dungeon, here_of(view)
            word = _word(str(interaction.namespace.word or ""))
            judge = Words(self.router.service.lexicon, await self.router.service.known(table))
            ways = _ways(dungeon, here, Place(word, *square, across is not False), judge)
        except IllegalMove:
            return []
        told = [(texts.strikes_text(here, way), describe_strikes(here, way)) for way in ways]
        return [
            app_commands.Choice(name=cut(name, 100), value=cut("none" if value == "nothing" else value, 80))
            for name, value in told
            if typed.casefold() in name.casefold()
        ][: LIMITS["choices"]]

    async def _inside(self, interaction: Interaction) -> tuple[int, View]:
        """Return the dungeon that a command would mean and the person's view of it; raises IllegalMove."""
        table = await self.router.find(interaction, KEY, interaction.namespace.table)
        if table.stage != "live":
            raise IllegalMove("The game has not begun.")
        view = await self._own(table, interaction.user.id)
        _check_inside(view)
        return table.id, view
