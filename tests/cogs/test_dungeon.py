"""Word Dungeon on Discord: solo, daily, race and party by buttons and commands, and who sees what."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bot.games.chance import Chance
from bot.games.dungeon import rules
from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.ground import Ground, Monster
from bot.games.dungeon.rules import DUNGEON
from bot.games.dungeon.state import Dungeon, Ended, Options, Place, Scoring, State
from bot.games.game import IllegalMove, Moment, Words
from bot.tables.worker import Minds
from bot.words.lexicon import Lexicon
from cogs.dungeon import DungeonFace, solos
from cogs.dungeon import daily as daily_module
from cogs.dungeon.alts import board as alt_of
from cogs.dungeon.daily import date_of, spoken
from cogs.dungeon.naming import folded, named
from cogs.dungeon.places import first_spot
from cogs.dungeon.scores import streaks
from cogs.dungeon.sheet import sheet, wanted
from cogs.dungeon.texts import last_turn, result_text
from tests.cogs import conftest
from tests.cogs.conftest import Server, alt, custom_id, labels, parts, text

# All that Cellar Steps takes, and a few words more.
WORDS = (
    "GORY",
    "YEA",
    "TA",
    "RARES",
    "TAR",
    "RASPY",
    "ER",
    "GORE",
    "EAT",
    "AT",
    "GO",
    "OR",
    "YE",
    "EAR",
    "EARS",
    "CAT",
    "CATS",
    "ZOO",
    "YES",
)
ROUTE = (("GORY", "A1 down"), ("YEA", "A4 across"), ("RARES", "C5 across"), ("RASPY", "G3 down"))


@pytest.fixture(autouse=True)
def _words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "WORDS", WORDS)


async def state(server: Server, table: int = 1) -> State:
    row = await server.bot.service._row(table)
    found: State = await server.bot.service._state(row)
    return found


async def words(server: Server, table: int = 1, seat: int = 0) -> list[str]:
    return [place.word for place in (await state(server, table)).run_of(seat).places]


async def solo(server: Server, name: str = "Ada", **options: Any) -> Any:
    """Begin a solo in Cellar Steps; returns its panel."""
    given = {"dungeon": "cellar-steps", **options}
    return (await server.person(name).slash(server.channel, "dungeon solo", **given)).response


async def lay(server: Server, name: str, word: str, at: str = "", **options: Any) -> Any:
    given = {"word": word, **({"at": at} if at else {}), **options}
    return (await server.person(name).slash(server.channel, "dungeon place", **given)).response


async def leave(server: Server, name: str = "Ada", **options: Any) -> Any:
    """Go the whole way out; returns the last answer."""
    answer = None
    for word, at in ROUTE:
        answer = await lay(server, name, word, at, **options)
    return answer


async def test_a_solo_begins_at_once_and_nobody_else_sees_it(server: Server) -> None:
    panel = await solo(server)
    assert panel.ephemeral
    assert "Cellar Steps" in text(panel)
    assert labels(panel) == ["Place a word", "Hint", "Give up", "Rules"]
    assert "Chests: T at" in alt(panel) or "C3 T" in alt(panel)
    assert all(message.ephemeral for message in server.said())
    sent = server.person("Ada").user.dm_channel
    assert sent is None or not server._in(sent.id), "a copy of the panel would only ring"
    assert "`/dungeon show` brings it back" in text(panel)
    again = (await server.person("Ada").slash(server.channel, "dungeon show")).response
    assert labels(again) == labels(panel)


async def test_a_word_is_laid_at_once_and_the_panel_shows_what_came_of_it(server: Server) -> None:
    await solo(server)
    panel = await lay(server, "Ada", "gory", "a1 down")
    assert panel.ephemeral
    assert "**GORY** at A1 down" in text(panel)
    assert "1 of 6 turns taken" in text(panel)
    assert await words(server) == ["GORY"]
    assert "GORY A1 down" in alt(panel)


async def test_the_form_lays_a_word_in_place_and_without_a_place_where_it_alone_fits(server: Server) -> None:
    panel = await solo(server)
    ada = server.person("Ada")
    form = await ada.click(panel, label="Place a word")
    assert form.modal["title"] == "Place a word"
    await ada.submit_modal(form, {"word": "RARES", "place": ""})
    assert await words(server) == ["RARES"]
    assert "1 of 6 turns taken" in text(server.whispered("Ada")[-1])
    assert len(server.whispered("Ada")) == 1, "the panel itself was edited"


async def test_a_word_that_fits_in_several_places_offers_them(server: Server) -> None:
    await solo(server)
    offered = await lay(server, "Ada", "GO")
    assert "Where does GO go?" in text(offered)
    menu = custom_id(offered, "spot")
    await server.person("Ada").select(offered, ["GO.0.0.d."], custom_id=menu)
    assert (await state(server)).runs[0].places == (Place("GO", 0, 0, False),)


async def test_a_form_on_the_hand_is_answered_by_the_hand_itself(server: Server) -> None:
    await table(server, "Ada", "Ben")
    ada = server.person("Ada")
    before = len(server._in(ada.user.dm_channel.id))
    form = await ada.user.click(server.hand("Ada"), label="Place a word")
    await ada.user.submit_modal(form, {"word": "GORY", "place": "A1 down"})
    assert await words(server) == ["GORY"]
    assert "**GORY** at A1 down" in text(server.hand("Ada"))
    assert len(server._in(ada.user.dm_channel.id)) == before


@pytest.mark.parametrize(
    ("word", "at", "said"),
    [
        ("RARES", "C1 across", "would run into the rock"),
        ("RASPY", "D1 across", "would run into the rock at F1"),
        ("YES", "A6 across", "run into the rock"),
        ("GORY", "Z9 down", "not on this map"),
        ("GORY", "C6 down", "would leave the map"),
        ("GORY", "over there", "Name the first square"),
        ("ZZZ", "A1 down", "ZZZ is not in the dictionary"),
        ("ZZZ", "", "ZZZ is not in the dictionary"),
        ("EAT", "A3 across", "run into the rock"),
        ("G", "A1", "two letters or more"),
        ("don’t", "A1 down", "letters A to Z only"),
        ("EARS", "D1 down", "run into the rock"),
        ("EAR", "C1 across", "passes through the start"),
        ("@everyone", "", "letters A to Z only"),
    ],
)
async def test_a_word_that_may_not_be_laid_is_refused_in_private_with_a_reason(
    server: Server, word: str, at: str, said: str
) -> None:
    await solo(server)
    refused = await lay(server, "Ada", word, at)
    assert refused.ephemeral
    assert said in text(refused)
    assert not await words(server)


async def test_a_word_that_has_been_used_is_refused_wherever_it_would_go(server: Server) -> None:
    await solo(server)
    await lay(server, "Ada", "GORY", "A1 down")
    assert "GORY has been used already" in text(await lay(server, "Ada", "GORY"))


async def test_a_refused_word_keeps_what_was_typed_behind_an_edit_button(server: Server) -> None:
    panel = await solo(server)
    ada = server.person("Ada")
    form = await ada.click(panel, label="Place a word")
    await ada.submit_modal(form, {"word": "ZZZ", "place": "A1 down"})
    refused = server.whispered("Ada")[-1]
    assert "ZZZ is not in the dictionary" in text(refused)
    assert "0 of 6 turns taken" in text(refused), "the map stays"
    again = await ada.click(refused, label="Edit")
    assert [part["component"]["value"] for part in again.modal["components"]] == ["ZZZ", "A1 down"]
    await ada.submit_modal(again, {"word": "GORY", "place": "A1 down"})
    assert await words(server) == ["GORY"]


async def test_of_two_forms_sent_for_the_same_map_one_counts_and_the_other_is_kept(server: Server) -> None:
    panel = await solo(server)
    ada = server.person("Ada")
    first = await ada.click(panel, label="Place a word")
    again = (await ada.slash(server.channel, "dungeon show")).response
    second = await ada.click(again, label="Place a word")
    await ada.submit_modal(first, {"word": "GORY", "place": "A1 down"})
    await ada.submit_modal(second, {"word": "YEA", "place": "A4 across"})
    late = server.whispered("Ada")[-1]
    assert "moved on" in text(late)
    assert "YEA" in text(late)
    assert await words(server) == ["GORY"]


async def test_a_turn_is_taken_back_by_the_button_and_by_the_command(server: Server) -> None:
    await solo(server)
    await lay(server, "Ada", "GORY", "A1 down")
    panel = await lay(server, "Ada", "YEA", "A4 across")
    await server.person("Ada").click(panel, label="Undo turn")
    assert await words(server) == ["GORY"]
    await server.person("Ada").slash(server.channel, "dungeon undo")
    assert not await words(server)
    said = (await server.person("Ada").slash(server.channel, "dungeon undo")).response
    assert "no turn to take back" in text(said)


async def test_a_button_of_an_older_map_gets_the_new_one(server: Server) -> None:
    await solo(server)
    panel = await lay(server, "Ada", "GORY", "A1 down")
    await lay(server, "Ada", "YEA", "A4 across")
    await server.person("Ada").click(panel, label="Undo turn")
    assert await words(server) == ["GORY", "YEA"]
    assert any("moved on" in text(message) for message in server.whispered("Ada"))


async def test_a_hint_can_be_laid_and_marks_the_run(server: Server) -> None:
    panel = await solo(server)
    await server.person("Ada").click(panel, label="Hint")
    shown = server.whispered("Ada")[-1]
    assert "**A hint:**" in text(shown)
    assert "The run is marked for it." in text(shown)
    assert (await state(server)).runs[0].hints == 1
    assert not await words(server)
    await server.person("Ada").click(shown, custom_id=custom_id(shown, "lay"))
    assert len(await words(server)) == 1
    again = (await server.person("Ada").slash(server.channel, "dungeon hint")).response
    assert "Ask again in" in text(again)


def test_a_turn_says_how_many_gems_it_leaves_in_hand() -> None:
    gallery = Dungeon(
        key="x", name="X", tier=1, story="", rows=(">*..", "...<"), turns=3, par=3, scoring=Scoring(gem=2)
    )
    assert last_turn(gallery, (Place("GO", 0, 0, True),)) == "**GO** at A1 across; 1 gem in all; +2 points."


async def test_a_hint_that_leaves_the_dungeon_says_so(server: Server) -> None:
    await solo(server)
    for word, at in ROUTE[:-1]:
        await lay(server, "Ada", word, at)
    shown = (await server.person("Ada").slash(server.channel, "dungeon hint")).response
    assert "**A hint:** **RASPY** at G3 down" in text(shown)
    assert "This word leaves the dungeon, and that is final: 11 + 2 = **13 points**, gold." in text(shown)
    await server.person("Ada").click(shown, label="Lay RASPY and leave")
    assert (await state(server)).public.over


async def test_where_no_way_leads_out_a_hint_advises_to_take_a_turn_back_and_costs_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "hint", lambda *_: None)
    await solo(server)
    await lay(server, "Ada", "GO", "A1 across")
    shown = (await server.person("Ada").slash(server.channel, "dungeon hint")).response
    assert "I find no way out from here. Take a turn back and ask again" in text(shown)
    assert "Undo turn" in labels(shown)
    assert (await state(server)).runs[0].hints == 0


async def test_a_party_is_told_that_a_hint_leaves(server: Server) -> None:
    await party(server, "Ada", "Ben")
    for word, at in ROUTE[:-1]:
        await lay(server, "Ada", word, at)
        await server.person("Ben").click(server.board(), label="Agree")
    await server.person("Ada").click(server.board(), label="Hint")
    hinted = "Ada asks for a hint: **RASPY** at G3 down. It leaves the dungeon, and that is final."
    assert hinted in text(server.board())


async def test_accents_of_a_word_are_folded(server: Server) -> None:
    await solo(server)
    ada = server.person("Ada")
    places = await ada.autocomplete(server.channel, "dungeon place", "at", "", word="göry")
    assert [choice["value"] for choice in places] == ["A1 across", "A1 down"]
    await lay(server, "Ada", "Góry", "A1 down")
    assert await words(server) == ["GORY"]
    assert "letters A to Z only" in text(await lay(server, "Ada", "YE4", "A4 across"))


@pytest.mark.parametrize("where", ["daily", "race"])
async def test_the_first_hint_of_a_run_that_is_compared_is_asked_about(server: Server, where: str) -> None:
    await dig(server)
    if where == "daily":
        await daily(server)
    else:
        await table(server, "Ada", "Ben")
    ada = server.person("Ada")
    asked = (await ada.slash(server.channel, "dungeon hint")).response
    assert "your run is marked" in text(asked)
    assert (await state(server)).runs[0].hints == 0
    await ada.click(asked, label="Show me a word")
    assert "**A hint:**" in text(server.whispered("Ada")[-1])
    assert (await state(server)).runs[0].hints == 1
    server.bot.router.hints._last.clear()
    again = (await ada.slash(server.channel, "dungeon hint")).response
    assert "**A hint:**" in text(again), "only once"


async def test_what_a_player_looks_for_stands_below_the_picture(server: Server) -> None:
    panel = await solo(server)
    assert "worth 3 now, if you got out" in below(panel)
    ada = server.person("Ada")
    form = await ada.click(panel, label="Place a word")
    await ada.submit_modal(form, {"word": "ZZZ", "place": "A1 down"})
    refused = server.whispered("Ada")[-1]
    assert below(refused).endswith("ZZZ is not in the dictionary.\n-# You typed: `ZZZ` · `A1 down`")
    offered = await lay(server, "Ada", "GO")
    assert "**GO** fits in 2 places, numbered on the map." in below(offered)
    menu = next(part for part in parts(offered) if part["type"] == 3)
    marked = ", ".join(choice["label"].replace(" · ", " ") for choice in menu["options"])
    assert alt(offered).startswith(f"To choose from: {marked}. Cellar Steps")
    assert "You escaped in 4 turns" in below(await leave(server))


def below(message: Any) -> str:
    """Return what stands between the picture and the buttons."""
    kinds = [part["type"] for part in parts(message)]
    return str(parts(message)[kinds.index(12) + 1]["content"])


def test_a_result_says_what_its_points_are_for_and_what_the_next_medal_would_have_taken() -> None:
    steps = DUNGEONS["cellar-steps"]
    assert result_text(steps, Ended("out", 0, 4, 5, 2), 0) == (
        "You escaped in 4 turns: 5 + 2 = **7 points**.\n"
        "-# 5 for the dungeon and 2 for 2 turns left. Medals go by the dungeon’s alone; bronze needs 6."
    )
    assert "silver needs 9" in result_text(steps, Ended("out", 0, 4, 6, 2), 0)
    assert result_text(steps, Ended("out", 0, 5, 11, 5), 6) == (
        "You escaped in 5 turns: 11 + 5 = **16 points**, gold (6 hints).\n"
        "-# 11 for the dungeon, 1 for 1 turn left and 4 for long words."
    )
    assert result_text(steps, Ended("gave_up", 0, 4), 1) == "You gave up: 0 points (1 hint)."


def test_two_medals_for_the_same_points_are_listed_as_one() -> None:
    assert wanted(DUNGEONS["doormat-crypt"]) == "bronze 2, gold 3"


def test_the_sheet_tells_how_to_deal_with_what_lies_on_this_map_and_nothing_else() -> None:
    told = sheet(DEN)
    assert "(OAF: first O, then A and so on)" in told
    assert "Chest" not in told
    assert "**Chest**" in sheet(DUNGEONS["cellar-steps"])
    assert "Monster" not in sheet(DUNGEONS["cellar-steps"])


async def test_who_has_escaped_from_a_race_is_told_for_whom_it_waits(server: Server) -> None:
    await table(server, "Ada", "Ben")
    panel = await leave(server)
    assert "Waiting for Ben; the result comes on the board." in text(panel)
    assert "The race ends" not in text(panel), "the panel stays as it is"


async def test_the_way_back_from_the_rules_leads_to_where_one_came_from(server: Server) -> None:
    panel = await solo(server)
    ada = server.person("Ada")
    await ada.click(panel, label="Rules")
    own = server.whispered("Ada")[-1]
    await ada.click(own, label="How to play")
    await ada.click(server.whispered("Ada")[-1], label="Back")
    assert text(server.whispered("Ada")[-1]) == text(own)


async def test_nothing_moves_on_the_board_of_a_table_that_is_paused(server: Server) -> None:
    await party(server, "Ada", "Ben")
    await lay(server, "Ada", "GORY", "A1 down")
    assert "Agree" in labels(server.board())
    await server.person("Ada").slash(server.channel, "table pause")
    assert not {"Place a word", "Hint", "Agree", "Object"} & set(labels(server.board()))
    assert "More" in labels(server.board())


async def test_a_table_is_dealt_an_easy_dungeon_unless_another_is_chosen(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play dungeon")
    assert "an easy dungeon (tier 1)" in text(server.board())
    assert "choose its depth first (*Options*)" in text(server.board())
    await server.person("Ada").click(server.board(), label="Start")
    assert (await state(server)).public.dungeon.tier == 1


async def test_a_share_lets_whoever_presses_begin_their_own(server: Server) -> None:
    await dig(server)
    await daily(server)
    await leave(server)
    await server.person("Ada").slash(server.channel, "dungeon share")
    shared = server.board()
    mine = (await server.person("Ben").click(shared, label="Play it")).response
    assert mine.ephemeral
    assert "Mossy Well · daily" in text(mine)
    assert "0 of 6 turns taken" in text(mine)
    assert (await server.bot.service.table(2)).seats[0].name == "Ben"
    await solo(server, "Cleo")
    panel = await leave(server, "Cleo")
    await server.person("Cleo").click(panel, label="Share")
    mine = (await server.person("Ben").click(server.board(), label="Play it")).response
    assert "Cellar Steps" in text(mine)


async def test_an_old_share_of_a_daily_opens_that_of_today_and_says_so(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await dig(server)
    await dig(server, 1)
    await daily(server)
    await leave(server)
    await server.person("Ada").slash(server.channel, "dungeon share")
    monkeypatch.setattr(solos, "date_of", lambda now, days=0: date_of(now, days + 1))
    mine = (await server.person("Ben").click(server.board(), label="Play it")).response
    assert "has closed; this is today’s" in text(mine)


async def test_the_end_of_a_daily_leads_to_the_results_of_the_day_and_back(server: Server) -> None:
    await dig(server)
    await daily(server)
    panel = await leave(server)
    ada = server.person("Ada")
    await ada.click(panel, label="Today’s results")
    results = server.whispered("Ada")[-1]
    assert "1. **Ada** (you): **13**" in text(results)
    assert text(results).count("13") == 1, "once is enough"
    await ada.click(results, label="Back to the map")
    assert "You escaped in 4 turns" in text(server.whispered("Ada")[-1])
    ben = (await server.person("Ben").slash(server.channel, "dungeon board")).response
    await server.person("Ben").click(ben, label="Play it")
    assert "Mossy Well" in text(server.whispered("Ben")[-1])


async def test_a_name_is_escaped_in_text_and_drawn_as_it_is(server: Server) -> None:
    await table(server, "*Ada*", "Ben")
    assert "\\*Ada\\*" in text(server.board())
    assert "*Ada*: 0 of 6 turns" in alt(server.board())


async def test_what_a_person_did_stays_theirs_when_an_automaton_plays_on(server: Server) -> None:
    await party(server, "Ada", "Ben", "Cleo")
    await lay(server, "Ada", "GORY", "A1 down")
    await server.person("Ben").click(server.board(), label="Agree")
    asked = (await server.person("Ada").slash(server.channel, "table leave")).response
    await server.person("Ada").click(asked, label="Leave")
    assert "Ada, turn 1: **GORY**" in text(server.board())


async def test_giving_up_is_asked_about_first(server: Server) -> None:
    panel = await solo(server)
    await server.person("Ada").click(panel, label="Give up")
    asked = server.whispered("Ada")[-1]
    assert (await state(server)).runs[0].ended is None
    await server.person("Ada").click(asked, label="Give up")
    assert (await state(server)).public.over
    assert "You gave up: 0 points" in text(server.whispered("Ada")[-1])


async def test_a_solo_goes_on_after_a_restart_by_its_panel_and_by_command(server: Server) -> None:
    await solo(server)
    panel = await lay(server, "Ada", "GORY", "A1 down")
    await server.restart()
    form = await server.person("Ada").click(panel, label="Place a word")
    await server.person("Ada").submit_modal(form, {"word": "YEA", "place": "A4 across"})
    assert await words(server) == ["GORY", "YEA"]
    again = await solo(server)
    assert "You go on where you were" in text(again)
    shown = (await server.person("Ada").slash(server.channel, "dungeon show")).response
    assert "YEA A4 across" in alt(shown)


async def test_whoever_has_closed_private_messages_plays_on_in_private_panels(server: Server) -> None:
    server.person("Ada")
    server.bot.router.hands.rest = 60.0
    server.env.inject_error(
        "POST", "/users/@me/channels", status=403, code=50007, message="Cannot send messages to this user"
    )
    await solo(server)
    panel = await leave(server)
    assert "You escaped in 4 turns" in text(panel)


async def test_a_finished_solo_is_recorded_and_shared_without_a_letter(server: Server) -> None:
    await solo(server)
    panel = await leave(server)
    assert "You escaped in 4 turns: 11 + 2 = **13 points**, gold." in text(panel)
    assert labels(panel) == ["Share", "Again", "Next dungeon", "Log"]
    await server.person("Ada").click(panel, label="Share")
    shared = server.board()
    assert not shared.ephemeral
    assert "Ada escaped in 4 turns" in text(shared)
    assert not any(word in text(shared) + alt(shared) for word, _ in ROUTE)
    twice = await server.person("Ada").click(panel, label="Share")
    assert "shared that here already" in text(twice.response)
    (best,) = await server.bot.store.best("dungeon/cellar-steps", guild=server.channel.guild.id)
    assert (best.name, best.score, best.turns) == ("Ada", 13, 4)


async def test_the_next_dungeon_begins_from_the_end_of_one(server: Server) -> None:
    await solo(server)
    panel = await leave(server)
    await server.person("Ada").click(panel, label="Again")
    assert (await state(server, 2)).public.dungeon.key == "cellar-steps"
    assert "0 of 6 turns taken" in text(server.whispered("Ada")[-1])


async def test_again_goes_on_with_what_was_begun_a_moment_ago(server: Server) -> None:
    await solo(server)
    panel = await leave(server)
    ada = server.person("Ada")
    await solo(server)
    await ada.click(panel, label="Again")
    begun = [table.id for table in await server.bot.service.tables_of(ada.id) if table.stage == "live"]
    assert begun == [2]


async def test_who_has_not_left_is_offered_another_try_and_nothing_to_share(server: Server) -> None:
    panel = await solo(server)
    ada = server.person("Ada")
    share = "w1:1:-:share:"
    await ada.click(panel, label="Give up")
    await ada.click(server.whispered("Ada")[-1], label="Give up")
    gone = server.whispered("Ada")[-1]
    assert labels(gone) == ["Again", "Next dungeon", "Log"]
    assert next(part for part in parts(gone) if part.get("label") == "Again")["style"] == 1
    assert share not in str(parts(gone))


async def test_from_the_end_of_a_daily_one_goes_on_with_another_dungeon(server: Server) -> None:
    await dig(server)
    await daily(server)
    panel = await leave(server)
    await server.person("Ada").click(panel, label="Another dungeon")
    assert "Table 2" in text(server.whispered("Ada")[-1])
    assert (await state(server, 2)).public.dungeon.key == next(iter(DUNGEONS))


async def test_a_shared_practice_run_says_what_it_is_and_leads_to_the_day_or_says_that_it_is_over(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = date_of(server.bot.service.now())
    monkeypatch.setitem(globals(), "DAY", msgspec.structs.replace(DAY, key=f"daily-{today}"))
    await dig(server)
    for _ in range(2):
        await daily(server)
        panel = await leave(server)
    await server.person("Ada").click(panel, label="Share")
    shared = server.board()
    assert "Mossy Well · practice" in text(shared)
    assert f"it was the dungeon of {spoken(today)}" in text(shared)
    assert f"dungeon_daily:{today}" in custom_id(shared, "dungeon_daily")
    await dig(server, 1)
    monkeypatch.setattr(solos, "date_of", lambda now, days=0: date_of(now, days + 1))
    mine = (await server.person("Ben").click(shared, label="Play it")).response
    assert f"The dungeon of {spoken(today)} has closed; this is today’s" in text(mine)


async def test_solos_are_none_of_a_servers_number_of_tables(server: Server) -> None:
    server.bot.service._tables_a_guild = 1
    await solo(server)
    await solo(server, "Ben")
    opened = await server.person("Cleo").slash(server.channel, "play dungeon")
    assert "Your table is open" in text(opened.response)


async def test_a_compared_table_ignores_the_servers_own_words_and_a_party_keeps_to_them(
    server: Server,
) -> None:
    await server.bot.servers.change(server.channel.guild.id, added=("QQQQ",), barred=("GORY",))
    await solo(server)
    assert await server.bot.service.known(1) == {}
    await party(server, "Ben", "Cleo")
    assert await server.bot.service.known(2) == {"QQQQ": True, "GORY": False}


async def test_ones_dungeons_are_offered_by_name_beside_tables_of_another_game(server: Server) -> None:
    ada = server.person("Ada")
    await ada.slash(server.channel, "play defenders")
    await solo(server)
    offers = await ada.autocomplete(server.channel, "dungeon show", "table", "")
    assert [choice["name"] for choice in offers] == ["2: Cellar Steps · you alone"]


async def test_autocomplete_offers_dungeons_and_places_that_fit(server: Server) -> None:
    await solo(server)
    ada = server.person("Ada")
    named = await ada.autocomplete(server.channel, "dungeon solo", "dungeon", "cellar")
    assert [(choice["name"], choice["value"]) for choice in named][:1] == [
        ("Cellar Steps · tier 1 · 6 turns · par 11", "cellar-steps")
    ]
    places = await ada.autocomplete(server.channel, "dungeon place", "at", "", word="gory")
    assert [choice["value"] for choice in places] == ["A1 across", "A1 down"]
    assert not await ada.autocomplete(server.channel, "dungeon place", "at", "", word="zzz")


# Strikes


DEN = Dungeon(
    key="den",
    name="Den",
    tier=2,
    story="Two of them sleep here.",
    rows=(">....", ".###.", ".###.", "....<"),
    turns=4,
    par=5,
    monsters=(Monster("OAF", 2), Monster("OGRE", 2)),
)


@pytest.fixture
def _den(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DUNGEONS, "den", DEN)


@pytest.mark.usefixtures("_den")
async def test_a_choice_between_strikes_is_asked_before_the_word_is_laid(server: Server) -> None:
    await solo(server, dungeon="den")
    asked = await lay(server, "Ada", "GORY", "A1 down")
    assert "Whom does GORY strike?" in text(asked)
    assert not await words(server)
    assert labels(asked)[:2] == ["OGRE OGR", "OAF O"]
    await server.person("Ada").click(asked, label="OAF O")
    assert (await state(server)).runs[0].places == (Place("GORY", 0, 0, False, (1, 0)),)
    assert "strikes OAF O" in text(server.whispered("Ada")[-1])


@pytest.mark.usefixtures("_den")
async def test_strikes_can_be_typed_and_are_offered(server: Server) -> None:
    await solo(server, dungeon="den")
    ada = server.person("Ada")
    offers = await ada.autocomplete(server.channel, "dungeon place", "strikes", "", word="gory", at="A1 down")
    assert [choice["value"] for choice in offers] == ["OGRE 3", "OAF 1"]
    assert "Strikes read like this" in text(await lay(server, "Ada", "GORY", "A1 down", strikes="all"))
    assert "struck more often" in text(await lay(server, "Ada", "GORY", "A1 down", strikes="OAF 1, OGRE 1"))
    await lay(server, "Ada", "GORY", "A1 down", strikes="ogre 3")
    assert (await state(server)).runs[0].places[0].strikes == (0, 3)


async def test_nothing_is_offered_on_the_last_turn_that_would_not_leave(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monsters = (Monster("OAF", 2), Monster("OWL", 2))  # the O of GORY may strike either
    den = msgspec.structs.replace(DEN, turns=1, monsters=monsters)
    monkeypatch.setitem(DUNGEONS, "den", den)
    await solo(server, dungeon="den")
    ada = server.person("Ada")
    assert not await ada.autocomplete(server.channel, "dungeon place", "at", "", word="gory")
    at = {"word": "gory", "at": "A1 down"}
    assert not await ada.autocomplete(server.channel, "dungeon place", "strikes", "", **at)
    assert "GORY would not leave" in text(await lay(server, "Ada", "GORY"))
    assert "GORY would not leave" in text(await lay(server, "Ada", "GORY", "A1 down"))


# The daily dungeon


DAY = Dungeon(
    key="daily-x", name="Mossy Well", tier=1, story="Deep.", rows=(">....##", ".###.##", ".#T..E.", "...#.#.", "##R...S", "##.##..", "##....<"),
    turns=6, par=11, scoring=Scoring(chest=2), best=("GORY A1 down",),
)  # fmt: skip


async def dig(server: Server, days: int = 0) -> str:
    """Put the dungeon of a day where the worker would; returns its date."""
    date = date_of(server.bot.service.now(), days)
    await server.bot.store.set_fact(f"daily/{date}", msgspec.json.encode(DAY).decode())
    return date


async def daily(server: Server, name: str = "Ada") -> Any:
    return (await server.person(name).slash(server.channel, "dungeon daily")).response


async def test_who_asks_too_early_for_the_daily_dungeon_waits_until_it_is_made(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily_module, "attempt_of_day", made_of_day)
    assert "Mossy Well" in text(await daily(server))
    date = date_of(server.bot.service.now())
    assert await server.bot.store.fact(f"daily/{date}") is not None


async def test_who_has_waited_long_enough_for_the_daily_dungeon_may_try_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.bot.dailies.patience = 0
    monkeypatch.setattr(server.bot.dailies, "_dig", lambda: None)
    waiting = await daily(server)
    assert "still being dug" in text(waiting)
    await dig(server)
    await server.person("Ada").click(waiting, label="Try again")
    assert "Mossy Well" in text(server.whispered("Ada")[-1])


def made_of_day(minds: Minds, date: str, attempt: int) -> Dungeon | None:
    return DAY if attempt == 1 else None


async def test_an_open_daily_is_gone_on_with_and_the_first_that_is_left_counts(server: Server) -> None:
    date = await dig(server)
    panel = await daily(server)
    assert f"Mossy Well · daily {spoken(date)}" in text(panel)
    await lay(server, "Ada", "GORY", "A1 down")
    again = await daily(server)
    assert "You go on where you were" in text(again)
    assert "GORY A1 down" in alt(again)
    for word, at in ROUTE[1:]:
        panel = await lay(server, "Ada", word, at)
    assert labels(panel) == ["Share", "Today’s results", "Another dungeon", "Log"]
    practice = await daily(server)
    assert "Your first attempt counts: **13** (11 + 2) in 4 turns, gold. This one is practice" in text(
        practice
    )
    await leave(server)
    assert len(await server.bot.store.best("*", user=server.person("Ada").id)) == 1


@pytest.mark.parametrize("how", ["give up", "end"])
async def test_giving_a_daily_up_or_ending_it_is_the_attempt_of_the_day(server: Server, how: str) -> None:
    await dig(server)
    panel = await daily(server)
    ada = server.person("Ada")
    if how == "give up":
        asked = (await ada.click(panel, label="Give up")).response
        assert "It counts as your attempt of the day." in text(asked)
        await ada.click(asked, label="Give up")
    else:
        asked = (await ada.slash(server.channel, "table end")).response
        assert "It counts as your attempt, with 0 points." in text(asked)
        await ada.click(asked, label="End the table")
    assert "Your first attempt counts: **0**, gave up. This one is practice" in text(await daily(server))
    said = text((await ada.slash(server.channel, "dungeon board")).response)
    assert "1. **Ada** (you): **0**, gave up" in said
    assert "Streak" not in said
    none = (await ada.slash(server.channel, "dungeon share")).response
    assert "You have left no dungeon yet" in text(none)


async def test_the_board_of_the_day_lists_this_server_by_rank_with_ties_hints_and_streaks(
    server: Server,
) -> None:
    await dig(server)
    for name in ("Ada", "*Ben*"):
        await daily(server, name)
        await leave(server, name)
    await daily(server, "Cleo")
    panel = (await server.person("Ada").slash(server.channel, "dungeon board")).response
    said = text(panel)
    assert panel.ephemeral
    assert "1. **Ada** (you): **13** (11 + 2) in 4 turns, gold" in said
    assert "1. \\*Ben\\*: **13**" in said
    assert "Cleo" not in said
    assert "Streak 1 day, best 1." in said
    cleo = text(
        (await server.person("Cleo").slash(server.channel, "dungeon board", day="yesterday")).response
    )
    assert "Nobody on this server has played it yet" in cleo


async def test_who_has_been_forgotten_is_on_no_board(server: Server) -> None:
    await dig(server)
    await daily(server)
    await leave(server)
    await server.bot.store.forget(server.person("Ada").id)
    panel = (await server.person("Ben").slash(server.channel, "dungeon board")).response
    assert "Ada" not in text(panel)


async def test_scores_tell_the_best_of_a_dungeon_and_how_far_one_has_come(server: Server) -> None:
    await solo(server)
    await leave(server)
    best = (
        await server.person("Ben").slash(server.channel, "dungeon scores", dungeon="cellar-steps")
    ).response
    assert "1. Ada: **13**" in text(best)
    assert "You have not left it yet" in text(best)
    mine = (await server.person("Ada").slash(server.channel, "dungeon scores")).response
    assert "Cellar Steps: **13**" in text(mine)
    assert "1 gold medal" in text(mine)


async def test_a_daily_is_shared_by_command_and_only_where_others_are(server: Server) -> None:
    await dig(server)
    await daily(server)
    await leave(server)
    assert "nobody else would see" in text((await server.person("Ada").user.slash("dungeon share")).response)
    await server.person("Ada").slash(server.channel, "dungeon share")
    shared = server.board()
    assert "Mossy Well · daily" in text(shared)
    assert not any(word in text(shared) + alt(shared) for word, _ in ROUTE)


def test_streaks_count_days_in_a_row_and_today_may_still_come() -> None:
    days = ["2030-01-30", "2030-01-31", "2030-02-01", "2030-02-03"]
    assert streaks(days, "2030-02-03") == (1, 3)
    assert streaks(days, "2030-02-04") == (1, 3)
    assert streaks(days, "2030-02-05") == (0, 3)
    assert streaks(days[:3], "2030-02-01") == (3, 3)
    assert streaks([], "2030-02-01") == (0, 0)


# Race


async def table(server: Server, *names: str, **options: Any) -> Any:
    """Open a table in the channel, let all join, start it; returns its board."""
    given = {"dungeon": "cellar-steps", **options}
    await server.person(names[0]).slash(server.channel, "play dungeon", **given)
    for name in names[1:]:
        await server.person(name).click(server.board(), label="Join")
    await server.person(names[0]).click(server.board(), label="Start")
    return server.board()


async def party(server: Server, *names: str) -> Any:
    return await table(server, *names, mode="party")


async def test_a_race_shows_progress_and_no_letter_until_all_are_out(server: Server) -> None:
    board = await table(server, "Ada", "Ben")
    assert labels(board) == ["My map", "Place a word", "More"]
    await lay(server, "Ada", "GORY", "A1 down")
    shown = text(server.board()) + alt(server.board())
    assert "Ada takes turn 1" in shown
    assert "Ada: 1 of 6 turns" in shown
    log = text((await server.person("Ben").slash(server.channel, "table log")).response)
    watched = [
        text(one) + (alt(one) if one.attachments else "") for one in server.said() if not one.ephemeral
    ]
    assert not any(
        "GORY" in one for one in (shown, log, text(server.hand("Ben")), alt(server.hand("Ben")), *watched)
    )
    assert "GORY A1 down" in alt(server.hand("Ada"))
    for word, at in ROUTE[1:]:
        await lay(server, "Ada", word, at)
    assert "Ada escapes in turn 4" in text(server.board())
    assert "GORY" not in text(server.board()) + alt(server.board())
    await lay(server, "Ben", "GORY", "A1 down")
    ben = await server.person("Ben").click(server.board(), label="My map")
    await server.person("Ben").click(ben.response, label="Give up")
    await server.person("Ben").click(server.whispered("Ben")[-1], label="Give up")
    over = server.board()
    assert "1. **Ada** escaped in 4 turns: 11 + 2 = **13 points**, gold. GORY, YEA, RARES, RASPY." in text(
        over
    )
    assert "— **Ben** gave up: 0 points. GORY." in text(over)
    assert "GORY A1 down" in alt(over)
    assert labels(over) == ["Rematch", "Log"]


async def test_a_word_from_the_board_of_a_race_is_answered_with_ones_own_map(server: Server) -> None:
    board = await table(server, "Ada", "Ben")
    form = await server.person("Ada").click(board, label="Place a word")
    mine = (await server.person("Ada").submit_modal(form, {"word": "GORY", "place": "A1 down"})).response
    assert mine.ephemeral
    assert "Your map is yours alone" in text(mine)
    assert await words(server, seat=0) == ["GORY"]
    assert not await words(server, seat=1)


async def test_a_stranger_sees_no_map_of_a_race(server: Server) -> None:
    board = await table(server, "Ada", "Ben")
    await lay(server, "Ada", "GORY", "A1 down")
    answer = await server.person("Eve").click(board, label="My map")
    assert "do not sit" in text(answer.response)
    show = (await server.person("Eve").slash(server.channel, "table show")).response
    assert "GORY" not in text(show) + alt(show)


async def test_the_time_of_a_race_runs_out(server: Server) -> None:
    await table(server, "Ada", "Ben", minutes=2)
    await leave(server)
    assert "The race ends <t:" in text(server.board())
    await server.env.advance_time(130)
    over = text(server.board())
    assert "Time is up; Ben is still inside" in over
    assert "— **Ben** was still inside when time was up: 0 points. No word." in over


# Party


async def test_a_party_lays_a_word_when_a_majority_agrees(server: Server) -> None:
    board = await party(server, "Ada", "Ben", "Cleo")
    assert "it is laid when 2 of 3 agree" in text(board)
    said = await lay(server, "Ada", "GORY", "A1 down")
    assert "You proposed **GORY** at A1 down" in text(said)
    before = server.board()
    assert "Ada proposes **GORY** at A1 down" in text(before)
    assert "Proposed: GORY at A1 down" in alt(before)
    assert not await words(server)
    mine = (await server.person("Ada").slash(server.channel, "dungeon show")).response
    assert "Take my proposal back" in labels(mine)
    assert not {"Agree", "Object"} & {*labels(mine)}
    his = (await server.person("Ben").slash(server.channel, "dungeon show")).response
    assert {"Agree", "Object"} <= {*labels(his)}
    await server.person("Ben").click(before, label="Agree")
    assert await words(server) == ["GORY"]
    assert "Ada, turn 1: **GORY** at A1 down" in text(server.board())
    await server.person("Cleo").click(server.board(), label="Undo turn")
    await server.person("Ada").slash(server.channel, "dungeon object")
    assert "Against it: Ada" in text(server.board())
    await server.person("Ben").slash(server.channel, "dungeon agree")
    assert not await words(server)


async def test_a_party_gets_no_private_messages_and_leaves_together(server: Server) -> None:
    await party(server, "Ada", "Ben")
    for word, at in ROUTE:
        await lay(server, "Ada", word, at)
        await server.person("Ben").click(server.board(), label="Agree")
    assert "The party escaped in 4 turns" in text(server.board())
    assert "Words: GORY, YEA, RARES, RASPY" in text(server.board())
    assert not await server.bot.store.best("*")
    assert server.person("Ada").user.dm_channel is None or not server._in(
        server.person("Ada").user.dm_channel.id
    )


async def test_a_proposal_from_a_private_panel_leaves_no_copy_of_the_board_behind(server: Server) -> None:
    await party(server, "Ada", "Ben")
    offered = await lay(server, "Ada", "GO")
    ada = server.person("Ada")
    await ada.select(offered, ["GO.0.0.d."], custom_id=custom_id(offered, "spot"))
    left = server.whispered("Ada")[-1]
    assert "You proposed **GO** at A1 down. The board shows it." in text(left)
    assert not labels(left)
    mine = (await server.person("Ben").slash(server.channel, "dungeon show")).response
    form = await server.person("Ben").click(mine, label="Place a word")
    await server.person("Ben").submit_modal(form, {"word": "GORY", "place": "A1 down"})
    assert not labels(server.whispered("Ben")[-1])
    assert len(server.whispered("Ben")) == 1, "the panel itself was edited"


async def test_a_place_that_is_chosen_too_late_is_asked_for_anew(server: Server) -> None:
    await party(server, "Ada", "Ben")
    offered = await lay(server, "Ben", "GO")
    await lay(server, "Ada", "GORY", "A1 down")
    await server.person("Ben").click(server.board(), label="Agree")
    menu = next(part for part in parts(offered) if part["type"] == 3)
    await server.person("Ben").select(offered, [menu["options"][0]["value"]], custom_id=menu["custom_id"])
    anew = server.whispered("Ben")[-1]
    assert "The table has moved on since you chose. **GO** fits" in text(anew)
    menu = next(part for part in parts(anew) if part["type"] == 3)
    await server.person("Ben").select(anew, [menu["options"][0]["value"]], custom_id=menu["custom_id"])
    assert "Ben proposes **GO**" in text(server.board())


async def test_a_hint_of_a_party_can_be_proposed_by_who_asked_and_from_the_board(server: Server) -> None:
    await party(server, "Ada", "Ben")
    await server.person("Ada").click(server.board(), label="Hint")
    mine = server.whispered("Ada")[-1]
    assert "Proposed:" in alt(mine), "its letters are drawn"
    (first,) = labels(mine)
    assert first.startswith("Propose ")
    assert first in labels(server.board())
    await server.person("Ben").click(server.board(), label=first)
    word = first.split()[1]
    assert f"Ben proposes **{word}**" in text(server.board())
    assert first not in labels(server.board())


async def test_who_has_left_a_race_is_told_who_plays_and_how_to_come_back(server: Server) -> None:
    await table(server, "Ada", "Ben", "Cleo")
    asked = (await server.person("Ben").slash(server.channel, "table leave")).response
    await server.person("Ben").click(asked, label="Leave")
    for said in (
        await lay(server, "Ben", "ZOO"),
        (await server.person("Ben").slash(server.channel, "dungeon hint")).response,
    ):
        assert "An automaton plays for you. `/table return` takes your seat back." in text(said)


async def test_what_is_wrong_with_a_word_anywhere_is_told_before_where_it_would_go(server: Server) -> None:
    await solo(server)
    await lay(server, "Ada", "GORY", "A1 down")
    assert "GORY has been used already." in text(await lay(server, "Ada", "GORY", "C1 across"))
    assert "QQ is not in the dictionary." in text(await lay(server, "Ada", "QQ", "F6 down"))


@pytest.mark.usefixtures("_den")
async def test_a_place_in_the_menu_says_that_a_word_could_strike_there(server: Server) -> None:
    await solo(server, dungeon="den")
    offered = await lay(server, "Ada", "GORY")
    menu = next(part for part in parts(offered) if part["type"] == 3)
    assert [choice["description"] for choice in menu["options"]] == ["Can strike 3 letters"] * 2


@pytest.mark.parametrize(
    ("rows", "example"),
    [
        (("..>", "##.", "<.."), "C1 down"),
        (("..>", "###", "<.."), "A1 across"),
        ((".#<", ">##", "###"), "A1 down"),
        ((">..", "###", "<.."), "A1 across"),
    ],
)
def test_the_example_of_a_first_place_has_room(rows: tuple[str, ...], example: str) -> None:
    assert first_spot(Ground(rows, ())) == example


# The lobby and the rules


async def test_the_lobby_offers_modes_tiers_dungeons_time_and_pace(server: Server) -> None:
    await server.person("Ada").slash(server.channel, "play dungeon")
    panel = (await server.person("Ada").click(server.board(), label="Options")).response
    ada = server.person("Ada")
    await ada.select(panel, ["3"], custom_id="w1:1:-:set:tier")
    panel = server.whispered("Ada")[-1]
    await ada.select(panel, ["silent-library"], custom_id="w1:1:-:set:dungeon")
    await ada.select(server.whispered("Ada")[-1], ["30"], custom_id="w1:1:-:set:minutes")
    await ada.select(server.whispered("Ada")[-1], ["slow"], custom_id="w1:1:-:set:pace")
    assert "**Silent Library**" in text(server.board())
    assert "30 minutes" in text(server.board())
    await ada.select(server.whispered("Ada")[-1], ["party"], custom_id="w1:1:-:set:mode")
    assert "**Party** through" in text(server.board())


async def test_an_unknown_dungeon_is_refused_by_name(server: Server) -> None:
    for command in ("dungeon solo", "dungeon rules", "dungeon scores", "play dungeon"):
        said = (await server.person("Ada").slash(server.channel, command, dungeon="*nowhere*")).response
        assert "I know no dungeon called" in text(said)


async def test_the_rules_turn_pages_and_each_dungeon_tells_its_own(server: Server) -> None:
    ada = server.person("Ada")
    pages = (await ada.slash(server.channel, "dungeon rules")).response
    await ada.select(pages, ["4"], custom_id=custom_id(pages, "rules"))
    page = server.whispered("Ada")[-1]
    assert "struck off" in text(page)
    assert {"Back", "Next page"} <= {*labels(page)}
    own = (await ada.slash(server.channel, "dungeon rules", dungeon="Silent Library")).response
    assert "E may not be placed" in text(own)


def test_every_dungeon_is_told_within_discords_limits() -> None:
    face = DungeonFace()
    for dungeon in DUNGEONS.values():
        assert len(sheet(dungeon)) < 2000
        options = Options(dungeon=dungeon.key)
        assert dungeon.name in face.summary(options)
        menus = face.settings(options)
        assert len(menus) == 5
        assert all(len(menu.choices) <= 25 for menu in menus)
        assert sum(choice.chosen for menu in menus for choice in menu.choices) == 5
        state = DUNGEON.deal(3, options, Moment(0, Chance(b"x", 0, "play"), Words(Lexicon.of(WORDS))))
        for seat in (None, 0):
            told = alt_of(DUNGEON.seen_by(state, seat), ("Ada", "Ben", "Cleo"))
            assert len(told) <= 1024
            assert not told.endswith("…")


def test_a_dungeon_is_known_by_a_part_of_its_name_that_no_other_has() -> None:
    assert named(" doorMAT ").key == "doormat-crypt"
    assert folded(" Giant’s Attic") == folded("giant's attic") == folded("Giants Attic")
    assert named("gem-gallery").name == named("gem gallery").name == "Gem Gallery"
    with pytest.raises(IllegalMove, match="Gem Gallery or Long Gallery"):
        named("gallery")
    for nothing in ("", "  ", "xyzzy"):
        with pytest.raises(IllegalMove, match="I know no dungeon"):
            named(nothing)
