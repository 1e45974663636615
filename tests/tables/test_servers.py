"""A server's settings: changed by several at once, kept over a crash, read when damaged; its lists of words."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.game import IllegalMove
from bot.store.database import StoreError
from bot.store.rows import Message
from bot.tables.ledger import OUTAGES
from bot.tables.outages import Outages
from bot.tables.servers import KEPT, Presence, Servers, ServerSettings, WordLists
from bot.tables.table import NotLive
from tests.games.toy import Seal
from tests.tables.hosting import ADA, CHANNEL, CLEO, GUILD, Hosting

WORDS = st.frozensets(st.sampled_from(["ALFA", "BRAVO", "CHARLIE", "DELTA"]))


def lists(added: str = "", barred: str = "") -> WordLists:
    return WordLists(frozenset(added.split()), frozenset(barred.split()))


def test_tables_open_where_the_server_wants_them_and_in_threads_there() -> None:
    assert ServerSettings().allows(5)
    chosen = ServerSettings(channels=(5, 6))
    assert chosen.allows(5)
    assert chosen.allows(70, 6)
    assert not chosen.allows(7)
    assert not chosen.allows(70, 7)


async def test_managers_who_change_different_settings_at_once_both_succeed(host: Hosting) -> None:
    servers = Servers(host.store, tuple)
    await asyncio.gather(
        servers.change(GUILD, pace="slow"),
        servers.change(GUILD, hands="button"),
        servers.edit(GUILD, lambda now: lists("ZORP").put(now)),
        servers.change(GUILD, channels=(5,)),
    )
    wanted = ServerSettings(channels=(5,), hands="button", pace="slow", added=("ZORP",))
    assert await servers.of(GUILD) == wanted
    assert await Servers(host.store, tuple).of(GUILD) == wanted  # another process, after a crash


async def test_a_change_that_overtakes_a_read_is_what_is_remembered(
    host: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = Servers(host.store, tuple)
    changed, read = asyncio.Event(), host.store.server

    async def late(guild: int) -> bytes | None:
        monkeypatch.setattr(host.store, "server", read)
        stored = await read(guild)
        await changed.wait()
        return stored

    monkeypatch.setattr(host.store, "server", late)
    reading = asyncio.create_task(servers.of(GUILD))
    await asyncio.sleep(0)
    await servers.change(GUILD, pace="slow")
    changed.set()
    assert (await reading).pace == "slow"
    assert (await servers.of(GUILD)).pace == "slow"


async def test_a_change_that_cannot_be_stored_or_is_refused_changes_nothing(
    host: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = Servers(host.store, tuple)
    await servers.change(GUILD, pace="slow")

    def refuse(settings: ServerSettings) -> ServerSettings:
        raise IllegalMove("No.")

    with pytest.raises(IllegalMove):
        await servers.edit(GUILD, refuse)

    async def full(guild: int, settings: bytes | None) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(host.store, "set_server", full)
    with pytest.raises(StoreError):
        await servers.change(GUILD, pace="live")
    assert (await servers.of(GUILD)).pace == "slow"


async def test_damaged_settings_are_as_they_come_and_can_be_set_again(host: Hosting) -> None:
    await host.store.set_server(GUILD, b'{"pace": 7')
    servers = Servers(host.store, tuple)
    assert await servers.of(GUILD) == ServerSettings()
    await servers.change(GUILD, pace="slow")
    assert await Servers(host.store, tuple).of(GUILD) == ServerSettings(pace="slow")


@pytest.mark.parametrize("fact", ["[1", "7", '{"x": 1}'])
async def test_a_damaged_list_of_outages_stops_no_table_and_can_be_written_again(
    host: Hosting, fact: str
) -> None:
    table = await host.live()
    await host.store.set_fact(OUTAGES, fact)
    outages = Outages(host.service)
    await outages.compare([GUILD])
    await outages.end(GUILD)
    await host.service.pause(table, ADA)
    with pytest.raises(NotLive, match="Press Resume"):
        await host.service.play(table, 0, Seal(await host.card(table, 0)), by=ADA)
    await host.service.resume(table, ADA)
    await outages.begin(GUILD)
    assert (await host.service.table(table)).paused_at is not None
    await outages.end(GUILD)
    assert (await host.service.table(table)).paused_at is None


async def test_a_setting_of_a_later_release_is_no_damage(host: Hosting) -> None:
    await host.store.set_server(GUILD, b'{"pace":"slow","language":"pl"}')
    assert await Servers(host.store, tuple).of(GUILD) == ServerSettings(pace="slow")


async def test_an_added_word_is_legal_even_where_words_that_offend_are_not(host: Hosting) -> None:
    servers = Servers(host.store, lambda: ("DRAT", "BLAST"))
    await servers.change(GUILD, mild=True, added=("DRAT", "ZORP"), barred=("CAR",))
    assert await servers.dictionary(GUILD) == {"BLAST": False, "CAR": False, "DRAT": True, "ZORP": True}
    await servers.change(GUILD, mild=False)
    assert await servers.dictionary(GUILD) == {"CAR": False, "DRAT": True, "ZORP": True}


# Lists of words that two edit at once


async def test_private_messages_go_before_the_data_of_a_server_that_would_find_them(host: Hosting) -> None:
    asked: list[tuple[int, int]] = []
    refused = {72}

    async def take_away(channel: int, message: int) -> bool:
        asked.append((channel, message))
        return message not in refused

    gone, other = await host.live(), await host.service.open("toy", GUILD + 1, CHANNEL, CLEO, "Cleo")
    for table in (gone, other.id):
        for seat in (0, 1):
            await host.store.set_message(table, Message(f"hand/{seat}", 70 + seat, 10 * table + seat, 1, 1))
    await host.store.set_message(gone, Message("hand/7", 71, 72, 1, 1))
    await host.store.set_message(gone, Message("board", CHANNEL, 5, 1, 1))
    presence = Presence(host.service, Servers(host.store, tuple), take_away)
    await presence.left(GUILD)
    host.sleep(KEPT)
    assert await presence.purge() == 0  # Discord has a bad minute
    assert {audience for _, audience, *_ in await host.store.private_messages(GUILD)} == {"hand/7"}
    assert await host.store.left() == (GUILD,)
    refused.clear()
    asked.clear()
    assert await presence.purge() == 1
    assert asked == [(71, 72)]
    assert await host.store.table(gone) is None
    assert len(await host.store.private_messages(GUILD + 1)) == 2


def test_two_who_edit_the_same_lists_undo_nothing_of_each_other() -> None:
    opened = lists("ALFA BRAVO", "DELTA")
    first = opened.merged(opened, lists("ALFA BRAVO CHARLIE", ""))
    assert first == lists("ALFA BRAVO CHARLIE", "")
    assert first.merged(opened, lists("ALFA", "DELTA")) == lists("ALFA CHARLIE", "")


def test_what_was_filled_in_before_a_restart_takes_nothing_away() -> None:
    assert lists("ALFA", "DELTA").merged(WordLists(), lists("BRAVO", "")) == lists("ALFA BRAVO", "DELTA")


@given(WORDS, WORDS, WORDS, WORDS)
def test_edited_alone_the_lists_are_as_typed_and_no_word_is_on_both(
    added: frozenset[str], barred: frozenset[str], typed: frozenset[str], typed_barred: frozenset[str]
) -> None:
    now = WordLists(added - barred, barred)
    merged = now.merged(now, WordLists(typed, typed_barred))
    assert merged == WordLists(typed - typed_barred, typed_barred)
    settings = merged.put(ServerSettings(pace="slow"))
    assert (WordLists.of(settings), settings.pace) == (merged, "slow")
    assert list(settings.added) == sorted(settings.added)
