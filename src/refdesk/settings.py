"""Where a desk keeps its things. One typed table, read from ``REFDESK_*``; docs/settings.md lists it."""

# ruff: noqa: RUF009 (what ``_setting`` gives is a field)
from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from refdesk.errors import UsageError

if TYPE_CHECKING:
    from pydantic import SecretStr
    from pydantic_settings import BaseSettings

PREFIX = "REFDESK_"


def _setting(default: Any, description: str, **bounds: float) -> Any:
    return field(default=default, metadata={"description": description, "bounds": bounds})


@dataclass(frozen=True, init=False)
class Settings:
    home: Path = _setting(
        Path("~/.local/share/refdesk"),
        "The desk's folder: catalog, blobs and indexes of the embedded default.",
    )
    cache: Path = _setting(
        Path("~/.cache/refdesk"),
        "Model weights and the vectors that `eval` reuses. Safe to delete.",
    )
    database_url: SecretStr | None = _setting(
        None,
        "The catalog of a cluster, `postgresql://USER:PASSWORD@HOST:PORT/NAME` (needs "
        "`refdesk[cluster]`); else a SQLite file in the desk's folder.",
    )
    secret_key: SecretStr | None = _setting(
        None,
        "What secrets at rest are sealed with, at least 32 characters; several with commas "
        "between them, the first of which seals. Else `secret.key` in the desk's folder, made on first need.",
    )
    allow_private_hosts: bool = _setting(
        False,
        "Whether embedding services (Ollama, vLLM, TEI) and the sign-in provider may be on this "
        "machine or its networks, and asked over http.",
    )
    model_seconds: float = _setting(
        120.0, "Seconds that a chat model is waited for in one run, with every try.", gt=0
    )
    judge_model: str | None = _setting(
        None,
        "A model, `provider:model`, that judges besides the rules whether passages support the "
        "sentences that cite them; it is asked once a run of another model.",
    )
    model_prices: Path | None = _setting(
        None,
        'A TOML file of prices, `["provider:model"]` with `input` and `output` in US dollars a '
        "million tokens, for models that pydantic-ai's list does not know, or that cost you something else.",
    )
    embedding_account: str | None = _setting(
        None,
        "The embedding account of policies that have one model a deployment; else the policy's "
        "`embedding.default_account`.",
    )
    session_hours: int = _setting(
        12, "Hours that somebody who signed in to the console stays signed in.", ge=1
    )
    public_url: str | None = _setting(
        None,
        "Where people reach this desk, `https://HOST`; needed for signing in with a provider.",
    )
    oidc_issuer: str | None = _setting(
        None,
        "The OpenID Connect provider that people sign in with, by its issuer address (needs "
        "`refdesk[oidc]`); else they sign in with links alone.",
    )
    oidc_client_id: str | None = _setting(None, "What this desk is called at the provider.")
    oidc_client_secret: SecretStr | None = _setting(
        None, "This desk's secret at the provider, where it has one."
    )
    oidc_scopes: str = _setting("openid email", "What is asked of the provider; `openid` is always among it.")
    oidc_name: str | None = _setting(
        None, "What people call the provider, for the button; else the issuer's host."
    )
    requests_per_minute: int | None = _setting(
        6_000, "Requests that one caller may send to a server in a minute.", ge=1
    )
    reading_memory_mb: int = _setting(1024, "Address space of a reading child, in MB (Linux only).", ge=256)
    workers: int = _setting(2, "Ingestion processes of `serve` and `work`, at a lower priority.", ge=0)

    def __init__(self, **given: Any) -> None:
        """What is given comes before the environment, and that before the defaults. Raises ``UsageError`` for
        a value that cannot be."""
        named = given or any(name.upper().startswith(PREFIX) for name in os.environ)
        values = _read(given) if named else {}
        for one in fields(self):
            object.__setattr__(self, one.name, values.get(one.name, one.default))

    def environment(self) -> dict[str, str]:
        """The variables that these settings come from, secrets included, for a process of our own."""
        values = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None:
                plain = value if not hasattr(value, "get_secret_value") else value.get_secret_value()
                values[f"{PREFIX}{one.name.upper()}"] = str(plain)
        return values

    @property
    def address(self) -> str | None:
        """``public_url`` as a beginning of addresses."""
        return None if self.public_url is None else self.public_url.rstrip("/")

    def home_folder(self) -> Path:
        return self.home.expanduser().absolute()

    def cache_folder(self) -> Path:
        return self.cache.expanduser().absolute()


def _read(given: Mapping[str, Any]) -> dict[str, Any]:
    from pydantic import ValidationError

    try:
        return dict(_reading()(**given))
    except ValidationError as error:
        [first, *_] = error.errors(include_url=False)
        raise _not_accepted(str(first["loc"][0]), first["input"], first["msg"]) from None


def _not_accepted(name: str, value: object, why: str) -> UsageError:
    secret = any(one.name == name and "Secret" in str(one.type) for one in fields(Settings))
    told = "" if secret else f" {str(value)!r}"
    return UsageError(
        f"The setting {PREFIX}{name.upper()} cannot be{told}: {why[0].lower()}{why[1:]}.",
        actual=None if secret else str(value),
    )


@cache
def _reading() -> type[BaseSettings]:
    """The same table for pydantic-settings, which takes 12 MB and a sixth of a second to load, and there is
    nothing to check where nothing is said."""
    from pydantic import Field, SecretStr, create_model
    from pydantic_settings import BaseSettings, SettingsConfigDict

    class Reading(BaseSettings):
        model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore")

    kinds = get_type_hints(Settings, localns={"SecretStr": SecretStr})
    table: dict[str, Any] = {
        one.name: (kinds[one.name], Field(default=one.default, **one.metadata["bounds"]))
        for one in fields(Settings)
    }
    return create_model("Settings", __base__=Reading, **table)
