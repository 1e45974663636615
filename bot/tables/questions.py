"""Questions put to the people of a table in its channel, and what comes of the answers (``votes`` says how they look).

Whatever people press is done under the table's lock of questions, one press after the other. Whom a table has waited for
is asked about by ``notices``, whose question is answered here like the others.

Rulings of ours: whom a question is about has no vote in it. Nobody alone has an automaton play for somebody who has not
fallen asleep; who sleeps is waited for, but where others sleep as well. A question that reaches nobody is none, but for that of ending a table.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from weakref import WeakValueDictionary

from bot.games.game import IllegalMove
from bot.store.rows import Message
from bot.tables.ask import OVER, Ask
from bot.tables.cards import Cards
from bot.tables.chronicle import Line, later, lines
from bot.tables.face import Face, Panel
from bot.tables.layout import escaped
from bot.tables.publisher import Publisher
from bot.tables.service import Service
from bot.tables.table import Table, Tally
from bot.tables.votes import (
    End,
    Question,
    Replace,
    Rewind,
    electorate,
    question,
    question_panel,
    replace_panel,
    settled,
    standing,
)
from bot.tables.wording import counted

UNASKED = "I could not ask the others: at present I cannot write in the table's channel."
TOLD = 8  # moves that a question about taking back lists
REMEMBERED = 1024  # settled cards that are remembered


class Questions:
    """What is being asked at the tables. ``cards``: where it is asked."""

    def __init__(self, service: Service, faces: Mapping[str, Face], publisher: Publisher) -> None:
        self.service = service
        self.faces = faces
        self.publisher = publisher
        self.cards = Cards(service, publisher, _lapsed)
        self._answering: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # by table
        self._outcomes: OrderedDict[int, Panel] = OrderedDict()  # cards that were settled of late, and how

    async def vote_for(self, ask: Ask) -> None:
        """Agree to a question."""
        await self._vote(ask, True)

    async def vote_against(self, ask: Ask) -> None:
        """Disagree with a question, which closes it."""
        await self._vote(ask, False)

    async def _vote(self, ask: Ask, yes: bool) -> None:
        asked = question(ask.arg)
        if asked is None or isinstance(asked, End):
            raise IllegalMove("This question belongs to another version of me.")
        seat = ask.seat()
        async with self.lock(ask.table.id):
            await self._voted(ask, asked, seat, yes)

    async def _voted(self, ask: Ask, asked: Replace | Rewind, seat: int, yes: bool) -> None:
        table = await self.service.table(ask.table.id)
        if await self.settled(ask):
            return
        void = _void(table, asked)
        if void is not None:
            await ask.answer.replace(settled(table, asked, void), table.id)
            return
        check_open(table, asked)
        if seat not in electorate(table, asked):
            raise IllegalMove("This is about you, so the others decide. Show them that you are here: play.")
        if yes:
            await self._check_asleep(table, asked, seat)
        without = await self._unheard(table, asked, seat)
        tally = await self.service.vote(table.id, ask.arg, seat, yes, without=without)
        if tally.lost:
            await self.service.close_vote(table.id, ask.arg)
            said = f"{escaped(table.seats[seat].name)} does not agree, so all stays as it is."
            await self.answer(ask, table, asked, settled(table, asked, said, "Not everyone agrees."))
        elif tally.carried:
            with self.cards.held(table.id):
                said = await self.carry(table, asked, None)
                await self.answer(ask, table, asked, settled(table, asked, said, "Everyone agrees."))
        else:
            await ask.answer.replace(await self.panel(table, asked, tally), table.id)

    async def propose_replace(self, table: Table, seat: int, by: int) -> Tally:
        """Ask the people at a table whether an automaton shall play a seat from now on, as the seat ``by`` proposes.

        When all the others agree it is done at once, else it is put to them in the channel. Raises IllegalMove.
        """
        asked = Replace(seat)
        await self._check_asleep(table, asked, by)
        tally = await self.open(table, asked, by)
        name = escaped(table.seats[by].name)
        if tally.carried:
            done = await self.carry(table, asked, None)
            await self.publisher.announce(table, f"{done} {name} proposed it.")
            return tally
        text = f"{name} proposes it.\n{standing(table, tally)}"
        await self.put_or_drop(table, asked, replace_panel(table, seat, text))
        return tally

    async def _check_asleep(self, table: Table, asked: Question, voter: int) -> None:
        """Raise IllegalMove when ``voter`` alone would have somebody replaced who has not fallen asleep."""
        if not isinstance(asked, Replace) or electorate(table, asked) != (voter,):
            return
        if asked.seat in await self.service.store.asleep(table.id):
            return
        name = escaped(table.seats[asked.seat].name)
        raise IllegalMove(
            f"You cannot decide that alone while {name} is still playing. When the table has waited for {name} for"
            " long, I ask you. Until then /table nudge sends a reminder, and /table end proposes to end the game."
        )

    def lock(self, table: int) -> asyncio.Lock:
        """Return the lock under which a table's questions are put and answered, one press after the other."""
        lock = self._answering.get(table)
        if lock is None:
            lock = self._answering[table] = asyncio.Lock()
        return lock

    async def settled(self, ask: Ask) -> bool:
        """Whether the card that was pressed has been settled a moment ago; then it shows once more what came of it."""
        outcome = None if ask.card is None else self._outcomes.get(ask.card)
        if outcome is not None:
            await ask.answer.replace(outcome, ask.table.id)
        return outcome is not None

    async def answer(self, ask: Ask, table: Table, asked: Question, outcome: Panel) -> None:
        """Put the outcome in place of the question: of the card that was pressed, and of all others."""
        if ask.card is not None:
            self._note_settled(ask.card, outcome)
            await ask.answer.replace(outcome, table.id)
        await self.settle(table, asked, outcome, but=ask.card)

    def _note_settled(self, card: int, outcome: Panel) -> None:
        self._outcomes[card] = outcome
        if len(self._outcomes) > REMEMBERED:
            self._outcomes.popitem(last=False)

    async def settle(self, table: Table, asked: Question, outcome: Panel, *, but: int | None = None) -> None:
        """Put the outcome in place of a question's cards."""
        await self._close(table, await self.cards.of(table.id, asked.purpose), outcome, but=but)

    async def _close(
        self, table: Table, cards: Iterable[Message], outcome: Panel, *, but: int | None = None
    ) -> None:
        for card in cards:
            self._note_settled(card.message, outcome)
            await self.cards.drop(table.id, card)
        await self.cards.show(table.id, cards, outcome, but=but)

    async def put(self, table: Table, asked: Question, panel: Panel) -> bool:
        """Put a question, or put it anew: then it no longer stands where it stood before. Whether it was put."""
        before = await self.cards.of(table.id, asked.purpose)
        if not await self.cards.put(table, asked.purpose, panel):
            return False
        await self._close(table, before, settled(table, asked, "It is asked anew below."))
        return True

    async def put_or_drop(self, table: Table, asked: Question, panel: Panel) -> None:
        """Put a question; one that reaches nobody is none, so then it is dropped. Raises IllegalMove."""
        if not await self.put(table, asked, panel):
            await self.service.close_vote(table.id, asked.purpose)
            raise IllegalMove(f"{UNASKED} All stays as it is.")

    async def panel(self, table: Table, asked: Replace | Rewind, tally: Tally) -> Panel:
        """Return a question as it stands, told to everybody."""
        if isinstance(asked, Replace):
            return replace_panel(table, asked.seat, standing(table, tally))
        gone = later(
            lines(
                await self.service.history(table.id),
                table.game,
                self.faces[table.game.key],
                table.seats,
                None,
            ),
            asked.seq,
        )
        told = f"These moves would be taken back:\n{moves_told(gone)}\n{standing(table, tally)}"
        return question_panel(table, asked, told)

    async def open(self, table: Table, asked: Question, by: int) -> Tally:
        """Open a question anew, with the answer of who asks it."""
        await self.service.close_vote(table.id, asked.purpose)
        without = await self._unheard(table, asked, by)
        return await self.service.vote(table.id, asked.purpose, by, True, without=without)

    async def _unheard(self, table: Table, asked: Question, voter: int) -> frozenset[int]:
        """Return the seats that are not waited for: whom it is about, and others who sleep as soundly.

        Who has answered, ``voter`` now, is not asleep.
        """
        without = _without(table, asked)
        if not isinstance(asked, Replace):
            return without
        asleep = await self.service.store.asleep(table.id)
        if asked.seat in asleep:
            voted = (await self.service.store.votes(table.id)).get(asked.purpose, {}).keys()
            without |= asleep - voted - {voter}
        return without

    async def carry(self, table: Table, asked: Replace | Rewind, by: int | None) -> str:
        """Do what all have agreed to; returns what to say of it."""
        await self.service.close_vote(table.id, asked.purpose)
        if isinstance(asked, Replace):
            after = await self.service.replace(table.id, asked.seat)
            if after.stage == "over":
                return "Nobody is left at the table, so it is closed."
            name = escaped(table.seats[asked.seat].name)
            return f"An automaton plays for {name} from now on. {name} may come back with `/table return`."
        done = await self.service.rewind(table.id, asked.seq, by, last=asked.last)
        return f"{counted(len(done), 'move')} taken back."


def _without(table: Table, asked: Question) -> frozenset[int]:
    """Return the seats that have no vote in a question."""
    return frozenset(range(len(table.seats))) - frozenset(electorate(table, asked))


def check_open(table: Table, asked: Question) -> None:
    """Raise IllegalMove when a question cannot be answered now."""
    void = _void(table, asked)
    if void is not None:
        raise IllegalMove(void)
    if isinstance(asked, Rewind) and table.paused_at is not None:
        raise IllegalMove("The table is paused. Resume it first.")


def _void(table: Table, asked: Question) -> str | None:
    """Return why a question has no sense any more, or None."""
    if table.stage != "live":
        return OVER
    if isinstance(asked, End):
        return None
    if isinstance(asked, Replace):
        stands = asked.seat < len(table.seats) and table.seats[asked.seat].person
        return None if stands else "An automaton plays this seat already."
    if table.seq != asked.last:
        return "Somebody has moved since it was asked, so it is void. Ask again from /table log."
    return None


async def _lapsed(table: Table, purpose: str) -> Panel | None:
    """Return what stands in place of a question that has no sense any more, or None."""
    asked = question(purpose)
    void = "It belongs to another version of me." if asked is None else _void(table, asked)
    return None if void is None else settled(table, asked, void)


def moves_told(gone: tuple[Line, ...]) -> str:
    """Return the moves that would be taken back, the latest ones when there are many."""
    more = len(gone) - TOLD
    told = (
        [f"and {counted(more, 'move')} before these" if more > 1 else "and one move before these"]
        if more > 0
        else []
    )
    return "\n".join([*told, *map(str, gone[-TOLD:])])
