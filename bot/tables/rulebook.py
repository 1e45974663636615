"""A game's rules in our words, a page at a time, with the way back to where one came from."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tables.face import Button, Choice, Face, Menu, Panel


def turned(arg: str, values: Sequence[str]) -> tuple[int, str]:
    """Return the page of the rules that a press asks for, and the source from which one came to the rules.

    The argument is ``source``, or ``page/source`` on a page; a menu brings the page that was chosen in it.
    """
    page, slash, source = arg.partition("/")
    if not slash:
        page, source = "", arg
    wanted = values[0] if values else page
    return (int(wanted) if wanted.isdecimal() else 0), source


def rules_page(face: Face, page: int, source: str = "", back: Button | None = None) -> Panel:
    """Return one page of a game's rules: a menu of all, the way back to where one came from, and the next page.

    Args:
        page: from 0; any other number than a page's is the first.
        source: what the pages carry along as the place from which one came (``turned``).
        back: leads there; None: one came from nowhere that can be shown again.
    """
    pages = face.rules()
    page = page if page in range(len(pages)) else 0
    title, text = pages[page]
    # Discord goes on showing what was chosen in a menu until its custom id is another: so it carries its page.
    menu = Menu(
        "rules",
        f"Page {page + 1} of {len(pages)}. Go to another",
        tuple(Choice(heading, str(number)) for number, (heading, _) in enumerate(pages)),
        f"{page}/{source}",
    )
    following = Button("Next page", "rules", f"{page + 1}/{source}", "main", disabled=page + 1 == len(pages))
    return Panel(title, text, rows=(menu, (following,) if back is None else (back, following)))
