"""Defenders of the Dictionary through the host: rounds, automata to the end, the log that leads to the state."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.games.defenders.state import Agree, Contribute, NoWord, Propose, View
from bot.games.log import replayed
from bot.store.store import Store
from bot.tables.automata import Automata
from bot.tables.service import Service
from bot.tables.worker import Inline, Minds, views
from bot.words.lexicon import Lexicon
from tests.tables.hosting import ADA, BEN

GAME = GAMES["defenders"]


class Wall:
    """A clock that a test sets."""

    now = 1_700_000_000_000


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.load()


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
async def service(tmp_path: Path, lexicon: Lexicon, wall: Wall) -> AsyncIterator[Service]:
    store = await Store.open(tmp_path / "tables.db")
    yield Service(store, GAMES, lexicon, lambda: wall.now)
    await store.close()


async def test_two_people_play_a_round_and_the_log_leads_to_the_state(service: Service) -> None:
    table = (await service.open("defenders", 1, 2, ADA, "Ada")).id
    await service.join(table, BEN, "Ben")
    await service.start(table, ADA)
    for seat, user in enumerate((ADA, BEN)):
        look = await service.look(table, seat)
        view: View = look.view
        await service.play(table, seat, Contribute(view.rack[:2]), by=user, epoch=look.epoch)
    await service.play(table, 0, Propose(NoWord()), by=ADA)
    look = await service.look(table, 1)
    await service.play(table, 1, Agree(), by=BEN, epoch=look.epoch)
    shown: View = await service.view(table, None)
    assert shown.public.round == 2
    steps = list(replayed(GAME, await service.export(table), service.lexicon))
    assert GAME.states.dump(steps[-1].state) == await service.store.state(table)


async def test_automata_play_on_with_a_person_who_only_contributes(
    service: Service, wall: Wall, lexicon: Lexicon
) -> None:
    automata = Automata(service, Inline(Minds(GAMES, lexicon)))
    table = (await service.open("defenders", 1, 2, ADA, "Ada")).id
    for skill in (0, 1):
        await service.add_automaton(table, skill, ADA)
    await service.start(table, ADA)
    for _ in range(3_000):
        row = await service.store.table(table)
        assert row is not None
        if row.stage == "over":
            break
        view: View = await service.view(table, 0)
        if view.public.phase == "contribute" and view.mine is None and view.rack:
            await service.play(table, 0, Contribute(view.rack[:1]), by=ADA)
            continue
        assert row.due is not None or row.wake is not None, "nobody would ever move again"
        wall.now = max(wall.now, min(at for at in (row.due, row.wake) if at is not None))
        await service.expire(table)
        await automata.act(table)
    over = await service.table(table)
    assert over.result is not None
    assert automata.refused == 0
    steps = list(replayed(GAME, await service.export(table), lexicon))
    assert GAME.states.dump(steps[-1].state) == await service.store.state(table)


async def test_every_view_survives_the_way_to_the_worker(service: Service) -> None:
    table = (await service.open("defenders", 1, 2, ADA, "Ada")).id
    await service.start(table, ADA)
    codec = views(GAME)
    for seat in (None, 0):
        view = await service.view(table, seat)
        assert codec.load(codec.dump(view)) == view
