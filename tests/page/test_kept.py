"""What the world of local play keeps, and what it lets go."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from bot.loopback.archive import Archive
from bot.loopback.model import Message, MessageFlag, Origin, Upload
from bot.loopback.payloads import cdn_path
from bot.loopback.snowflake import named
from bot.loopback.world import World

GENERAL = named("channel", "general")


def world(path: Path) -> World:
    return World(("Ada", "Ben"), archive=Archive(path))


def shown(here: World, flags: int = 0) -> tuple[Message, str]:
    """A message of the bot with a file, and where that is served."""
    upload = Upload(filename="hand.txt", body=b"seven tiles")
    origin = Origin(id=here.mint(), kind=2, user=here.user("Ada").id)
    said = here.post(here.channel("#games"), here.bot, {}, [upload], flags=flags, origin=origin)
    return said, cdn_path(said.channel, said.attachments[0])


def test_a_world_that_comes_back_has_only_the_files_of_its_messages(tmp_path: Path) -> None:
    here = world(tmp_path / "world.db")
    _, public = shown(here)
    _, private = shown(here, MessageFlag.EPHEMERAL)
    place = here.channel("#games").id
    option = cdn_path(place, here.keep_upload(place, Upload(filename="words.txt", body=b"otter")))
    assert all(here.file(path) for path in (public, private, option))
    here.close()

    again = world(tmp_path / "world.db")

    assert again.file(public) == ("application/octet-stream", b"seven tiles")
    assert again.file(private) is None
    assert again.file(option) is None
    again.close()


def test_a_second_hand_on_the_archive_takes_no_file_away(tmp_path: Path) -> None:
    here = world(tmp_path / "world.db")
    _, private = shown(here, MessageFlag.EPHEMERAL)

    Archive(tmp_path / "world.db").close()  # as when a player is added

    assert here.file(private)
    here.close()


def test_a_dismissed_message_takes_its_files_with_it(tmp_path: Path) -> None:
    here = world(tmp_path / "world.db")
    said, path = shown(here, MessageFlag.EPHEMERAL)
    _, other = shown(here, MessageFlag.EPHEMERAL)

    here.dismiss(said)

    assert here.file(path)  # a page may just be asking for it
    for _ in range(16):
        here.dismiss(shown(here, MessageFlag.EPHEMERAL)[0])
    assert here.file(path) is None
    assert here.file(other)
    here.close()


def test_ids_of_what_is_chosen_already_are_strings_also_in_an_edit(tmp_path: Path) -> None:
    here = world(tmp_path / "world.db")

    def select() -> dict[str, object]:
        chosen = {"type": 8, "custom_id": "c", "default_values": [{"id": int(GENERAL), "type": "channel"}]}
        return {"components": [{"type": 1, "components": [chosen]}]}

    said = here.post(here.channel("#games"), here.bot, select())
    for _ in range(2):
        assert said.components[0]["components"][0]["default_values"] == [{"id": GENERAL, "type": "channel"}]
        here.edit(said, select())
    here.close()


@pytest.mark.wire
async def test_the_bots_log_is_a_file_of_the_folder_and_what_is_printed_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "bot.log").write_text("of the run before")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "play", "--port", "0", "--players", "Ada", "--data", str(tmp_path),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(30):
            while not (tmp_path / "bot.log.1").exists() or "ready" not in _text(tmp_path / "bot.log"):  # noqa: ASYNC110 - another process writes it
                await asyncio.sleep(0.05)
    finally:
        process.terminate()
        printed, _ = await process.communicate()

    lines = printed.decode().splitlines()
    assert not [line for line in lines if line.startswith("{")]
    assert f"The bot's log is {tmp_path / 'bot.log'}. Ctrl-C stops." in lines
    assert (tmp_path / "bot.log.1").read_text() == "of the run before"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
