"""What people have reached, as panels: in a dungeon, in all of them, on a day; and the run that somebody may share."""

from __future__ import annotations

from bot.games.dungeon.state import Dungeon
from bot.games.game import IllegalMove
from bot.store.rows import Best
from bot.store.store import Store
from bot.tables.face import Button, Panel
from bot.tables.wording import counted
from cogs.dungeon import scores
from cogs.dungeon.daily import spoken
from cogs.dungeon.panels import TODAY
from cogs.dungeon.sheet import facts


async def own(store: Store, user: int) -> Panel:
    """Return how far a person has come in all dungeons."""
    return Panel("Your dungeons", scores.overview(await store.best("dungeon/*", user=user)))


async def of_dungeon(store: Store, dungeon: Dungeon, user: int, guild: int | None) -> Panel:
    """Return who is best in a dungeon on a server, and the reader's own best."""
    course = f"dungeon/{dungeon.key}"
    mine = await store.best(course, user=user)
    lines = [facts(dungeon).capitalize() + "."]
    best = [] if guild is None else await store.best(course, guild=guild)
    if guild is not None:
        lines.append(scores.ladder(best, user) or "Nobody on this server has left it yet.")
    if not mine:
        lines.append("You have not left it yet.")
    elif all(one.user != user for one in best):
        lines.append(f"Your best: {scores.score(mine[0])}.")
    return Panel(f"{dungeon.name}: the best", "\n".join(lines))


async def of_day(
    store: Store, dungeon: Dungeon | None, date: str, today: str, user: int, guild: int | None
) -> Panel:
    """Return a day's list for a server and the reader's own result; today's can be played from it.

    Args:
        dungeon: the dungeon of the day, None while it is not made.
        date: the day.
        today: the day of now, with which streaks end.
        user: the reader.
        guild: the server, None where it is read in private.
    """
    lines = [] if dungeon is None else [f"{dungeon.name}: {facts(dungeon)}."]
    mine = await store.best("daily/*", user=user, first=True)
    here = next((one for one in mine if one.course == f"daily/{date}"), None)
    listed_here = False
    if guild is not None:
        best = await store.best(f"daily/{date}", guild=guild, first=True)
        notes = {one.user: await _streak(store, one.user, today) for one in best[: scores.LISTED]}
        lines.append(scores.ladder(best, user, notes) or "Nobody on this server has played it yet.")
        listed_here = any(one.user == user for one in best)
    if not listed_here:
        lines.append(f"You: {scores.score(here)}." if here is not None else "You have not finished this one.")
    current, longest = scores.streaks(scores.days_of(mine), today)
    if longest:
        lines.append(f"-# Streak {counted(current, 'day')}, best {longest}.")
    to_play = here is None and date == today
    rows = ((Button("Play it", TODAY, date, "main"),),) if to_play else ()
    return Panel(f"Daily dungeon of {spoken(date)}", "\n".join(lines), rows=rows)


async def _streak(store: Store, user: int, today: str) -> str:
    """Return a person's current streak for their line of a list, or nothing."""
    current, _ = scores.streaks(scores.days_of(await store.best("daily/*", user=user, first=True)), today)
    return f"; {current} days in a row" if current > 1 else ""


async def to_share(store: Store, user: int, today: str) -> Best:
    """Return today's daily of a person, or the latest of their best runs; raises IllegalMove where there is none."""
    daily = await store.best(f"daily/{today}", user=user, first=True)
    done = [one for one in daily if scores.reached_exit(one)] or [
        one for one in await store.best("*", user=user) if scores.reached_exit(one)
    ]
    if not done:
        raise IllegalMove("You have left no dungeon yet. `/dungeon solo` begins one.")
    return max(done, key=lambda one: one.at)
