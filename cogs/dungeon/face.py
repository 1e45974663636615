"""How Word Dungeon shows itself to its host, and what people press.

Words are checked as they are placed, and turns may be taken back, so a word that fits is laid at once; what is shown first is a
choice of the player's: which place, or which monsters to strike.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import (
    Agree,
    Event,
    GiveUp,
    Hint,
    Object,
    Options,
    Place,
    TakeBack,
    View,
    Withdraw,
)
from bot.games.game import IllegalMove
from bot.tables.face import Form, Menu, Panel, Press, Shown
from bot.tables.wording import capital
from cogs.dungeon import options as lobby
from cogs.dungeon import panels, texts
from cogs.dungeon.daily import spoken
from cogs.dungeon.naming import ANY, optioned
from cogs.dungeon.places import check_inside, here_of, meant, typed, unpacked, ways_to_strike
from cogs.face import VerbFace


class DungeonFace(VerbFace):
    """How Word Dungeon shows itself (``bot.tables.face.Face``)."""

    key = DUNGEON.key

    # What is shown

    def board(self, view: View, shown: Shown, told: Sequence[Event]) -> Panel:
        """Return the board for the channel."""
        return panels.board(view, shown, told)

    def hand(self, view: View, shown: Shown) -> Panel:
        """Return the map of ``view.seat`` with what that player may do: in solo the whole game."""
        return panels.hand(view, shown)

    def more(self, view: View, shown: Shown) -> Panel:
        """Return what is rarely wanted."""
        return panels.more(view, shown)

    def sends_hand(self, view: View) -> bool:
        """Whether a seat's map is worth a private message: in a race, which goes on whether one looks or not.

        A party has its one map on the board. A solo is the panel that answered its command, and waits for its player
        alone, so a copy of it would only ring.
        """
        return view.public.mode == "race"

    def say(self, event: Event, names: Sequence[str]) -> str | None:
        """Return the event as a sentence, or None when the board says it already."""
        return texts.say(event, names)

    def record(self, event: Event, names: Sequence[str]) -> str | None:
        """Return the event as the log tells it."""
        return texts.record(event, names)

    # The lobby

    def named(self, options: Options) -> str:
        """Return which dungeon it is, and how it is played where that is settled."""
        dungeon = optioned(options)
        name = capital(ANY.get(options.dungeon, "")) if dungeon is None else dungeon.name
        how = (
            f"daily {spoken(options.daily)}" if options.daily else "party" if options.mode == "party" else ""
        )
        return ", ".join(part for part in (name, how) if part)

    def settings(self, options: Options) -> tuple[Menu, ...]:
        """Return the lobby's menus."""
        return lobby.settings(options)

    def chosen(self, options: Options, menu: str, value: str) -> Options:
        """Return the options after a choice in a lobby menu; raises msgspec.ValidationError for a wrong value."""
        return lobby.chosen(options, menu, value)

    def summary(self, options: Options) -> str:
        """Return the options in a few lines."""
        return lobby.summary(options)

    def looking_up(self, options: Options) -> bool:
        """Whether its players may look words up: words are checked as they are placed, so yes."""
        return True

    # Laying a word

    async def _on_word(self, press: Press) -> None:
        await press.form(panels.word_form(await _inside(press)))

    async def _on_placing(self, press: Press) -> None:
        view = await _inside(press)
        form = panels.word_form(view)
        fields = press.fields
        word, where, strikes = typed(fields["word"]), fields.get("place", ""), fields.get("strikes", "")
        try:
            found = meant(view, await press.words(), word, where, strikes)
        except IllegalMove as refusal:
            await self._refuse(press, view, str(refusal), form)
            return
        if len(found) == 1:
            await self._lay(press, view, found[0], form)
        else:
            await press.panel(panels.choice_of_places(view, await press.shown(), found))

    async def _on_spot(self, press: Press) -> None:
        await self._on_lay(press)

    async def _on_lay(self, press: Press) -> None:
        view = await _inside(press)
        place = unpacked(press.values[0] if press.values else press.arg)
        await self._lay(press, view, place)

    async def _lay(self, press: Press, view: View, place: Place, form: Form | None = None) -> None:
        """Lay a word, or propose it; first ask where letters could strike in several ways."""
        try:
            ways = ways_to_strike(view.public.dungeon, here_of(view), place, await press.words())
        except IllegalMove as refusal:
            await self._refuse(press, view, str(refusal), form)
            return
        if len(ways) > 1:
            await press.panel(panels.choice_of_strikes(view, await press.shown(), place, ways))
            return
        if ways:
            place = replace(place, strikes=ways[0])
        party = view.public.mode == "party"

        async def again() -> None:
            if form is None:
                await self._ask_anew(press, place.word)
                return
            reason = "The table has moved on since you opened that. Look again; what you typed is kept."
            await self._refuse(press, await press.view(), reason, form)

        if await press.play(place, form, fresh=not party, again=again):
            await self._played(press, f"**{place.word}** is laid.", f"You proposed {texts.lies(place)}.")

    async def _ask_anew(self, press: Press, word: str) -> None:
        """Ask again where a word is to go whose place was chosen on a panel that the table has left behind."""
        view = await _inside(press)
        found = meant(view, await press.words(), word, "", "")
        asked = panels.choice_of_places(view, await press.shown(), found)
        await press.panel(replace(asked, notes=f"The table has moved on since you chose. {asked.notes}"))

    async def _refuse(self, press: Press, view: View, reason: str, form: Form | None) -> None:
        """Say why a word may not be laid; one's own map from which the form was opened stays."""
        party = view.public.mode == "party"
        around = None if party else panels.hand(view, await press.shown())
        await press.refuse(reason, form, around=around)

    async def _played(self, press: Press, done: str, proposed: str) -> None:
        """Show what has come of a turn, where nothing else shows it."""
        view: View = await press.view()
        said = done if view.public.proposal is None else proposed
        if view.public.mode == "party" and (press.private or press.fields):
            # A copy of the board would grow old here, with its buttons.
            await press.panel(Panel("On the board", f"{said} The board shows it."))
        elif press.on_hand or view.public.mode == "party":
            await press.done(said)
        else:
            await self._on_hand(press)

    # Turns back, hints, giving up

    async def _on_back(self, press: Press) -> None:
        if await press.play(TakeBack()):
            await self._played(
                press, "The last turn is taken back.", "You proposed to take the last turn back."
            )

    async def _on_hint(self, press: Press) -> None:
        view = await _inside(press)
        if press.arg != "sure" and _unmarked(view):
            await press.panel(panels.first_hint())
            return
        place: Place | None = await press.search("hint", view)
        if not await press.play(Hint(place)):
            return
        await press.panel(panels.hint(view, await press.view(), await press.shown(), place))

    async def _on_give_up(self, press: Press) -> None:
        view = await _inside(press)
        if press.arg != "sure":
            await press.panel(panels.giving_up(view))
        elif await press.play(GiveUp()):
            await self._played(press, "You gave up.", "You proposed to give up.")

    # Answering a proposal

    async def _on_agree(self, press: Press) -> None:
        if await press.play(Agree()):
            await press.done("You agreed.")

    async def _on_object(self, press: Press) -> None:
        if await press.play(Object()):
            await press.done("You objected.")

    async def _on_withdraw(self, press: Press) -> None:
        if await press.play(Withdraw()):
            await press.done("You took your proposal back.")

    # Looking

    async def _on_hand(self, press: Press) -> None:
        await press.hand(panels.hand(await press.view(), await press.shown()))

    async def _on_sheet(self, press: Press) -> None:
        view: View = await press.view()
        await press.panel(panels.special(view.public.dungeon, at_table=True))

    # After a solo

    async def _on_share(self, press: Press) -> None:
        view: View = await press.view()
        if view.public.mode != "solo" or not texts.escaped(view.run):
            await press.refuse("There is nothing to share: you have not left this dungeon by its exit.")
            return
        await press.share(panels.shared_panel(view, await press.shown()))


async def _inside(press: Press) -> View:
    """Return what a person sees whose run goes on; raises IllegalMove for who is not, or no longer, inside themselves."""
    view: View = await press.view()
    if not view.public.over and not (await press.shown()).humans[press.seat]:
        raise IllegalMove("An automaton plays for you. `/table return` takes your seat back.")
    check_inside(view)
    return view


def _unmarked(view: View) -> bool:
    """Whether a hint would be the first of a run that is compared with others'."""
    compared = view.public.mode == "race" or bool(view.public.daily)
    return compared and view.run is not None and not view.run.hints
