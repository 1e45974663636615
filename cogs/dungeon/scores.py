"""Lists of the best: of a dungeon, of a day, of oneself; streaks of days.

A record holds the score, the turns and, in its detail, base, bonus, hints and medal (``bot.games.dungeon.rules``). Who has been
forgotten is in no list. Equal scores in equally many turns share a rank.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from bot.games.dungeon.dungeons import DUNGEONS
from bot.games.dungeon.rules import MEDALS
from bot.games.dungeon.state import TIERS, Dungeon
from bot.store.rows import Best
from bot.tables.layout import escaped
from bot.tables.wording import counted

LISTED = 10  # people of a list

_detail = msgspec.json.Decoder(dict[str, int])


def streaks(dates: Iterable[str], today: str) -> tuple[int, int]:
    """Return the current and the longest row of days in a row; today may still be to come.

    Args:
        dates: the days, such as ``2030-01-31``.
        today: the day of now.
    """
    days = {datetime.date.fromisoformat(date).toordinal() for date in dates}
    longest = 0
    for day in days:
        if day - 1 not in days:
            length = 1
            while day + length in days:
                length += 1
            longest = max(longest, length)
    now = datetime.date.fromisoformat(today).toordinal()
    end = now if now in days else now - 1
    current = 0
    while end - current in days:
        current += 1
    return current, longest


def days_of(best: Iterable[Best]) -> tuple[str, ...]:
    """Return the days of those records of daily dungeons that reached the exit."""
    return tuple(one.course.partition("/")[2] for one in best if reached_exit(one))


def reached_exit(one: Best) -> bool:
    """Whether a record is of a run that reached the exit; a daily dungeon's counts without it, too."""
    return bool(_detail.decode(one.detail).get("out", 1))


def score(one: Best) -> str:
    """Return a record in a few words: ``11 (9 + 2) in 5 turns, silver, 1 hint``."""
    detail = _detail.decode(one.detail)
    if not reached_exit(one):
        return "**0**, gave up"
    parts = [
        f"**{one.score}** ({detail.get('base', 0)} + {detail.get('bonus', 0)}) in {counted(one.turns, 'turn')}"
    ]
    earned = medal_of(one)
    if earned is not None:
        parts.append(earned)
    if detail.get("hints"):
        parts.append(counted(detail["hints"], "hint"))
    return ", ".join(parts)


def medal_of(one: Best) -> str | None:
    """Return the medal of a record."""
    number = _detail.decode(one.detail).get("medal", 0)
    return MEDALS[number] if number in range(len(MEDALS)) else None


def ladder(best: Sequence[Best], me: int, notes: Mapping[int, str] | None = None) -> str:
    """Return a list of people by rank, with one's own line at the end when it is farther down.

    Args:
        best: a record a person, the best first.
        me: the reader.
        notes: what to add to a person's line.
    """
    lines, rank = [], 0
    for at, one in enumerate(best):
        if at == 0 or (one.score, one.turns) != (best[at - 1].score, best[at - 1].turns):
            rank = at + 1
        if at < LISTED or one.user == me:
            name = escaped(one.name)
            who = f"**{name}** (you)" if one.user == me else name
            note = (notes or {}).get(one.user, "")
            lines.append(f"{rank}. {who}: {score(one)}{note}")
    if len(best) > LISTED:
        lines.append(f"-# {counted(len(best), 'player')} in all.")
    return "\n".join(lines)


def overview(mine: Iterable[Best]) -> str:
    """Return one's own best in each dungeon, a line a tier and a line a dungeon."""
    known = {one.course: one for one in mine}
    lines = []
    for tier in range(1, TIERS + 1):
        dungeons = [dungeon for dungeon in DUNGEONS.values() if dungeon.tier == tier]
        done = sum(f"dungeon/{dungeon.key}" in known for dungeon in dungeons)
        lines.append(f"**Tier {tier}**: {done} of {len(dungeons)}")
        lines += [
            _line(dungeon, known[course])
            for dungeon in dungeons
            if (course := f"dungeon/{dungeon.key}") in known
        ]
    golds = sum(medal_of(one) == "gold" for one in known.values())
    lines.append(
        f"-# {counted(golds, 'gold medal')} here; `/dungeon board` lists the dailies apart. `/dungeon scores` with a"
        " dungeon shows who is best there."
    )
    return "\n".join(lines)


def _line(dungeon: Dungeon, one: Best) -> str:
    return f"{dungeon.name}: {score(one)}; par {dungeon.par}"
