"""What the host of the bot sets, read from the environment (``WORDMOOT_…``) or a ``.env`` file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

ENV_FILE = ".env"
THREE = "three growing numbers of seconds are wanted, such as 90,300,600"


def _split(given: object) -> object:
    if not isinstance(given, str):
        return given
    parts = given.split(",")
    if len(parts) != 3:
        raise ValueError(THREE)
    return parts


def _ascending(seconds: tuple[int, int, int]) -> tuple[int, int, int]:
    if not 0 < seconds[0] < seconds[1] < seconds[2]:
        raise ValueError(THREE)
    return seconds


# When a person is called, nudged, and the others are asked about them: ``90,300,600`` in the environment.
Steps = Annotated[tuple[int, int, int], NoDecode, BeforeValidator(_split), AfterValidator(_ascending)]


class BadSettings(ValueError):  # noqa: N818 - what the host set, no failure of ours
    """Settings that cannot be used: a line for each, naming it."""


class Folder(BaseSettings):
    """Where a bot keeps what it knows; all that commands beside the bot need."""

    model_config = SettingsConfigDict(
        env_prefix="WORDMOOT_", env_file=ENV_FILE, extra="ignore", allow_inf_nan=False
    )

    data: Path = Field(default=Path(".wordmoot"), description="folder of the database and the reports")

    @property
    def database(self) -> Path:
        """The database file."""
        return self.data / "wordmoot.db"

    @property
    def reports(self) -> Path:
        """Where reports of unexpected errors go; each is played by ``wordmoot replay``."""
        return self.data / "reports"


class Settings(Folder):
    """Settings of one bot process; a wrong value stops the start with its name."""

    token: SecretStr = Field(description="the bot's token from Discord's developer portal")
    tables_per_server: int = Field(default=25, ge=1, description="live tables in one server")
    tables_per_player: int = Field(default=5, ge=1, description="live tables at which one person has a seat")
    hint_gap: float = Field(
        default=5.0, ge=0, le=86_400, description="seconds between two hints for one person"
    )
    dig_after: float = Field(
        default=60.0,
        ge=0,
        description="seconds after the start until the daily dungeon is made, unless asked for",
    )
    ready_timeout: float = Field(
        default=2.0, gt=0, le=600, description="seconds to wait for servers after READY"
    )
    pace: float = Field(default=1.0, ge=0, le=60, description="seconds between two requests to one channel")
    lobby_minutes: int = Field(
        default=30, ge=1, le=10_080, description="minutes without a change until a lobby is closed"
    )
    idle_days: int = Field(default=7, ge=1, le=365, description="days without a move until a table is paused")
    notices_live: Steps = Field(
        default=(90, 300, 600),
        description="seconds until a person is called, nudged, and the others are asked, at a live table",
    )
    notices_slow: Steps = Field(default=(120, 43_200, 86_400), description="the same at a slow table")
    rounds: float = Field(
        default=10.0, ge=0.1, le=60, description="seconds between two looks at tables that wait for people"
    )
    log_json: bool = Field(default=True, description="log lines as JSON; false: for reading")
    metrics_port: int | None = Field(
        default=None, ge=1, le=65535, description="port of metrics for Prometheus; unset: none"
    )
    metrics_host: str = Field(default="127.0.0.1", description="address on which metrics are served")


F = TypeVar("F", bound=Folder)


def from_environment(kind: type[F]) -> F:
    """Return the settings that the environment and the ``.env`` file hold.

    Raises:
        BadSettings: one is missing or wrong, or the file cannot be read.
    """
    try:
        return kind()
    except ValidationError as error:
        raise BadSettings(
            "\n".join(
                f"WORDMOOT_{str(problem['loc'][0]).upper()}: {problem['msg']}" for problem in error.errors()
            )
        ) from error
    except UnicodeDecodeError as error:
        raise BadSettings(f"The file {ENV_FILE} cannot be read: it is no text in UTF-8.") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadSettings(f"The file {ENV_FILE} cannot be read: {reason}.") from error
