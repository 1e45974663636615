"""How Defenders of the Dictionary shows itself to its host, and what people press.

Words are typed whole; which letters are new and which tiles serve them is found by the rules (``complete``), and shown before
it is proposed whenever the bot had a choice or the play has a cost.

A press asks for the view once and makes its panel of that one, so that a button is good for what stands beside it, and for
nothing that has come before the team meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from bot.games.defenders.placement import changed_words, complete
from bot.games.defenders.rules import DEFENDERS
from bot.games.defenders.state import (
    Agree,
    Ask,
    Attest,
    Concede,
    Consult,
    Contribute,
    Discard,
    Event,
    Hint,
    Matter,
    NoWord,
    Object,
    Options,
    Play,
    Propose,
    Public,
    Recast,
    View,
    Withdraw,
)
from bot.games.game import IllegalMove
from bot.tables.face import Form, Menu, Panel, Press, Shown
from bot.tables.wording import listed
from cogs.defenders import options as lobby
from cogs.defenders import panels, texts
from cogs.defenders.places import legal_places, nowhere, nowhere_legal, places, unpacked
from cogs.face import VerbFace
from cogs.grid import parse_spot, parse_square


class DefendersFace(VerbFace):
    """How Defenders shows itself (``bot.tables.face.Face``)."""

    key = DEFENDERS.key

    def board(self, view: View, shown: Shown, told: Sequence[Event]) -> Panel:
        """Return the board for the channel."""
        return panels.board(view, shown, told)

    def hand(self, view: View, shown: Shown) -> Panel:
        """Return the rack of ``view.seat``, with what that player may do now."""
        return panels.hand(view, shown)

    def more(self, view: View, shown: Shown) -> Panel:
        """Return what is rarely wanted."""
        return panels.more(view, shown)

    def say(self, event: Event, names: Sequence[str]) -> str | None:
        """Return the event as a sentence, or None when the board says it already."""
        return texts.say(event, names)

    def record(self, event: Event, names: Sequence[str]) -> str | None:
        """Return the event as the log tells it, or None when another event of its move says it."""
        return texts.record(event, names)

    # The lobby

    def settings(self, options: Options) -> tuple[Menu, ...]:
        """Return the lobby's menus."""
        return lobby.settings(options)

    def chosen(self, options: Options, menu: str, value: str) -> Options:
        """Return the options after a choice in a lobby menu; raises msgspec.ValidationError for a wrong value."""
        return lobby.chosen(options, menu, value)

    def summary(self, options: Options) -> str:
        """Return the options so that somebody understands them who has never played."""
        return lobby.summary(options)

    def looking_up(self, options: Options) -> bool:
        """Whether its players may look words up: with the printed referee that is what a consultation is for."""
        return options.referee != "printed"

    # The rack

    async def _on_hand(self, press: Press) -> None:
        await self._show_hand(press)

    async def _show_hand(self, press: Press, said: str = "") -> None:
        """Show the rack, below what has just been done."""
        await press.hand(panels.private_hand(await press.view(), await press.shown(), said))

    async def _tell(self, press: Press, said: str) -> None:
        """Answer what was played: a private panel becomes the rack, from which one plays on."""
        if press.private:
            await self._show_hand(press, said)
        else:
            await press.done(said)

    async def _on_give(self, press: Press) -> None:
        letters = _tiles(press)
        if not await press.play(Contribute(letters)):
            return
        if press.private:  # the rack itself tells what was contributed
            await self._show_hand(press)
        else:
            await press.done(f"You contributed {listed(map(texts.tile, letters))}.")

    # A word

    async def _on_word(self, press: Press) -> None:
        view = await self._in_time(press)
        if view is not None:
            await self._form(press, view, panels.word_form(view.public), texts.usable(view.public))

    async def _in_time(self, press: Press) -> View | None:
        """Return the view if a word can be proposed now; else say why not."""
        view: View = await press.view()
        early = texts.too_early(view.public)
        if early:
            await press.refuse(early)
            return None
        return view

    async def _form(self, press: Press, view: View, form: Form, told: str = "") -> None:
        """Open a form; who types is told which proposal their silence lets pass meanwhile."""
        note = texts.meanwhile(view, await press.shown())
        await press.form(replace(form, note="\n".join(part for part in (told, note) if part)))

    async def _on_placing(self, press: Press) -> None:
        word, place = press.fields["word"], press.fields.get("place", "").strip()
        view: View = await press.view()
        public = view.public
        try:
            early = texts.too_early(public)
            if early:
                raise IllegalMove(early)
            if not place:
                await self._offer_places(press, view, word, places(public, word))
                return
            (row, col), across = parse_spot(place)
            if across is None:
                here = [play for play in places(public, word) if (play.row, play.col) == (row, col)]
                if here:
                    await self._offer_places(press, view, word, here)
                    return
            play = complete(public, word, row, col, bool(across))
        except IllegalMove as refusal:
            await self._refuse_word(press, view, str(refusal))
            return
        await self._preview(press, view, play)

    async def _refuse_word(self, press: Press, view: View, reason: str) -> None:
        """Say why a word cannot be placed, and what there is to make another of."""
        told = "" if texts.too_early(view.public) else f"\n{texts.usable(view.public)}"
        around = panels.hand_around(view, await press.shown())
        await press.refuse(f"{reason}{told}", panels.word_form(view.public), around=around)

    async def _offer_places(self, press: Press, view: View, word: str, found: Sequence[Play]) -> None:
        """Ask where the word goes, or show it where it can go to one place only."""
        public = view.public
        if not found:
            await self._refuse_word(press, view, nowhere(public, word))
            return
        if public.referee == "guarded":
            legal = (await press.words()).legal
            allowed = legal_places(public, found, legal)
            if not allowed:
                await self._refuse_word(press, view, nowhere_legal(public, found, legal))
                return
            found = allowed
        if len(found) == 1:
            await self._preview(press, view, found[0])
            return
        await press.panel(panels.choice_of_places(view, await press.shown(), word, found))

    async def _preview(self, press: Press, view: View, play: Play, *, elsewhere: bool = False) -> None:
        """Show a play as it would lie; ``elsewhere``: there are other places for the word."""
        try:
            panel = panels.preview(view, await press.shown(), play, elsewhere=elsewhere)
            if view.public.referee == "guarded":
                await press.check(changed_words(view.public, play))
        except IllegalMove as refusal:
            await self._refuse_word(press, view, str(refusal))
            return
        await press.panel(panel)

    async def _on_spot(self, press: Press) -> None:
        view = await self._in_time(press)
        if view is not None:
            await self._preview(press, view, unpacked(press.values[0]), elsewhere=True)

    async def _on_elsewhere(self, press: Press) -> None:
        view = await self._in_time(press)
        if view is not None:
            await self._offer_places(press, view, press.arg, places(view.public, press.arg))

    # Proposals

    async def _propose(
        self, press: Press, matter: Matter, form: Form | None = None, *, again: Callable[[], Awaitable[None]] | None = None,
    ) -> None:  # fmt: skip
        before: Public = (await press.view()).public
        if not await press.play(Propose(matter), form, again=again):
            return
        came = texts.outcome(before, matter, (await press.view()).public)
        await self._tell(press, came or f"You proposed {texts.matter_text(matter)}.")

    async def _on_propose(self, press: Press) -> None:
        play = unpacked(press.arg)

        async def again() -> None:
            view = await self._in_time(press)
            if view is not None:
                await self._preview(press, view, play)

        await self._propose(press, play, again=again)

    async def _on_noword(self, press: Press) -> None:
        public: Public = (await press.view()).public
        proposal = public.proposal
        if press.arg != "sure" and public.phase == "word" and public.seats == 1:
            await press.panel(panels.passing(public))
            return
        if press.arg != "sure" and proposal is not None and not isinstance(proposal.matter, NoWord):
            await press.panel(panels.replacing(proposal, press.seat, (await press.shown()).names))
            return
        await self._propose(press, NoWord())

    async def _on_discards(self, press: Press) -> None:
        public: Public = (await press.view()).public
        if public.phase != "discard":
            await press.refuse("Nothing has to be discarded now.")
            return
        await press.panel(panels.choice_of_discard(public))

    async def _on_discard(self, press: Press) -> None:
        await self._propose(press, Discard(tuple(sorted(_tiles(press)))))

    async def _on_recast(self, press: Press) -> None:
        view = await self._in_time(press)
        if view is not None:
            await press.form(panels.recast_form(view.public))

    async def _on_recasting(self, press: Press) -> None:
        form = panels.recast_form((await press.view()).public)
        try:
            row, col = parse_square(press.fields["square"])
        except IllegalMove as refusal:
            await press.refuse(str(refusal), form)
            return
        matter = Recast(((row, col, press.fields["letter"].strip().upper()),))
        await self._propose(press, matter, form)

    async def _on_concede(self, press: Press) -> None:
        if press.arg != "sure":
            await press.panel(panels.conceding())
            return
        await self._propose(press, Concede())

    # Answers to a proposal

    async def _on_agree(self, press: Press) -> None:
        if press.silent:  # the most frequent press of all: nobody reads what would be said
            if await press.play(Agree()):
                await press.done("")
            return
        before: Public = (await press.view()).public
        if not await press.play(Agree()):
            return
        after: Public = (await press.view()).public
        came = "" if before.proposal is None else texts.outcome(before, before.proposal.matter, after)
        await self._tell(press, f"You agreed. {came}".strip())

    async def _on_object(self, press: Press) -> None:
        if not await press.play(Object()):
            return
        if not press.arg:
            await self._tell(press, "You objected.")
            return
        view: View = await press.view()  # and on with what they were at work on
        if press.arg.startswith(panels.ANYWHERE):
            word = press.arg.removeprefix(panels.ANYWHERE)
            await self._offer_places(press, view, word, places(view.public, word))
        else:
            await self._preview(press, view, unpacked(press.arg))

    async def _on_withdraw(self, press: Press) -> None:
        if await press.play(Withdraw()):
            await self._tell(press, "You took your proposal back.")

    async def _on_ideas(self, press: Press) -> None:
        shown = await press.shown()
        if all(shown.humans):
            await press.refuse("No automaton plays here whom I could ask. The ideas are yours.")
            return
        proposal = (await press.view()).public.proposal
        stands = proposal is not None and not proposal.objected and shown.humans[proposal.seat]
        if stands and press.arg != "sure":
            await press.panel(panels.replacing(proposal, press.seat, shown.names, ideas=True))
            return
        if await press.play(Ask()):
            await press.done("The team is thinking.")

    async def _on_vouch(self, press: Press) -> None:
        await press.vote("attest", press.arg == "yes", carried=Attest(True), lost=Attest(False), least=2)

    # What is rarely wanted

    async def _on_consult(self, press: Press) -> None:
        await self._form(press, await press.view(), panels.CONSULT_FORM)

    async def _on_consulting(self, press: Press) -> None:
        if await press.play(Consult(press.fields["word"].strip().upper()), panels.CONSULT_FORM):
            answered: View = await press.view()
            said = texts.say(answered.public.consulted[-1], (await press.shown()).names)
            await self._answer(press, said or "")

    async def _on_hint(self, press: Press) -> None:
        view: View = await press.view()
        if view.public.phase != "word":
            await press.refuse("Hints are for forming a word.")
            return
        play: Play | None = await press.search("hint", view)
        if not await press.play(Hint(play)):
            return
        told = "Everyone sees the hint on the board."
        if play is None:
            await self._answer(press, f"I find no word that fits. {told}")
            return
        try:
            panel = panels.preview(await press.view(), await press.shown(), play, title="My hint", note=told)
        except IllegalMove:  # another word was laid this very moment
            await self._answer(press, told)
            return
        await press.panel(panel)

    async def _answer(self, press: Press, text: str) -> None:
        """Answer a question about words, and tell what is before the team meanwhile."""
        view: View = await press.view()
        shown = await press.shown()
        if texts.meanwhile(view, shown):
            await press.panel(panels.answer(text, view, shown))
        else:
            await press.done(text)


def _tiles(press: Press) -> tuple[str, ...]:
    """Return the tiles chosen in a menu that numbers them, or on a button or by a command."""
    return tuple(value.lstrip("0123456789") for value in press.values) or tuple(press.arg)
