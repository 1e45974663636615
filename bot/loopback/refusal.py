"""What Discord answers when it will not: an HTTP status, one of its own codes, a sentence, and where the form is wrong."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):  # noqa: N818 - it is the answer, not a programmer's error
    """A request that is answered with an error.

    `code` is Discord's JSON error code (0 when it gives none). `extra` are more members of the body, such as
    ``errors`` or ``retry_after``.
    """

    def __init__(self, status: int, code: int, message: str, **extra: Any) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status = status
        self.code = code
        self.message = message
        self.extra = extra

    def body(self) -> dict[str, Any]:
        """The JSON body of the answer."""
        return {"message": self.message, "code": self.code, **self.extra}


def unauthorized() -> Refusal:
    """The token is not the local one."""
    return Refusal(401, 0, "401: Unauthorized")


def unknown_channel() -> Refusal:
    """No such channel, or it was deleted."""
    return Refusal(404, 10003, "Unknown Channel")


def unknown_guild() -> Refusal:
    """No such guild."""
    return Refusal(404, 10004, "Unknown Guild")


def unknown_member() -> Refusal:
    """Nobody of that id is in the guild."""
    return Refusal(404, 10007, "Unknown Member")


def unknown_message() -> Refusal:
    """No such message, or an ephemeral one, which a bot token never sees."""
    return Refusal(404, 10008, "Unknown Message")


def unknown_user() -> Refusal:
    """No such user."""
    return Refusal(404, 10013, "Unknown User")


def unknown_interaction() -> Refusal:
    """The interaction is unknown or was not answered in time."""
    return Refusal(404, 10062, "Unknown interaction")


def unknown_command() -> Refusal:
    """No such application command."""
    return Refusal(404, 10063, "Unknown application command")


def already_acknowledged() -> Refusal:
    """The interaction had its one answer."""
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def too_many_old_edits() -> Refusal:
    """An old message was edited too often."""
    sentence = "Maximum number of edits to messages older than 1 hour reached. Try again later."
    return Refusal(429, 30046, sentence, retry_after=60.0)


def thread_exists() -> Refusal:
    """The message has its thread already."""
    return Refusal(400, 160004, "A thread has already been created for this message")


def too_large() -> Refusal:
    """A file is over the limit."""
    return Refusal(413, 40005, "Request entity too large")


def not_the_author() -> Refusal:
    """A message of somebody else cannot be edited."""
    return Refusal(403, 50005, "Cannot edit a message authored by another user")


def missing_access() -> Refusal:
    """The bot may not see that channel."""
    return Refusal(403, 50001, "Missing Access")


def empty_message() -> Refusal:
    """Nothing to show."""
    return Refusal(400, 50006, "Cannot send an empty message")


def closed_dms() -> Refusal:
    """The user takes no direct messages from the bot."""
    return Refusal(403, 50007, "Cannot send messages to this user")


def guild_unavailable() -> Refusal:
    """The guild has an outage."""
    return Refusal(503, 0, "503: Service Unavailable")


def no_mutual_guild() -> Refusal:
    """Bot and user have no guild in common (any more), so no direct message passes."""
    return Refusal(403, 50278, "Cannot send messages to this user due to having no mutual guilds")


def unknown_recipient() -> Refusal:
    """No direct messages with that user: a bot, or an account that was deleted."""
    return Refusal(400, 50033, "Invalid Recipient(s)")


def opening_dms_too_fast() -> Refusal:
    """Too many new direct messages in a short time."""
    return Refusal(400, 40003, "You are opening direct messages too fast")


def rate_limited(seconds: float, *, everywhere: bool = False) -> Refusal:
    """Too many requests of a kind, or of all kinds (``everywhere``), for that many seconds."""
    return Refusal(429, 0, "You are being rate limited.", retry_after=seconds, **{"global": everywhere})


def missing_permissions() -> Refusal:
    """The bot may see the channel but not do that there."""
    return Refusal(403, 50013, "Missing Permissions")


def expired_token() -> Refusal:
    """The token of the interaction is unknown or older than a quarter of an hour."""
    return Refusal(401, 50027, "Invalid Webhook Token")


def archived_thread() -> Refusal:
    """The thread must be reopened first."""
    return Refusal(400, 50083, "Thread is archived")
