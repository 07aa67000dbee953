"""Where a desk keeps its things. One typed table, read from ``REFDESK_*``; docs/settings.md lists it."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="REFDESK_", frozen=True, extra="ignore")

    home: Path = Field(
        default=Path("~/.local/share/refdesk"),
        description="The desk's folder: catalog, blobs and indexes of the embedded default.",
    )
    cache: Path = Field(
        default=Path("~/.cache/refdesk"),
        description="Model weights and the vectors that `eval` reuses. Safe to delete.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="The catalog of a cluster, `postgresql://USER:PASSWORD@HOST:PORT/NAME` (needs "
        "`refdesk[cluster]`); else a SQLite file in the desk's folder.",
    )
    secret_key: SecretStr | None = Field(
        default=None,
        description="What secrets at rest are sealed with, at least 32 characters; several with commas "
        "between them, the first of which seals. Else `secret.key` in the desk's folder, made on first need.",
    )
    allow_private_hosts: bool = Field(
        default=False,
        description="Whether embedding services (Ollama, vLLM, TEI) and the sign-in provider may be on this "
        "machine or its networks, and asked over http.",
    )
    model_seconds: float = Field(
        default=120.0, gt=0, description="Seconds that a chat model is waited for in one run, with every try."
    )
    judge_model: str | None = Field(
        default=None,
        description="A model, `provider:model`, that judges besides the rules whether passages support the "
        "sentences that cite them; it is asked once a run of another model.",
    )
    model_prices: Path | None = Field(
        default=None,
        description='A TOML file of prices, `["provider:model"]` with `input` and `output` in US dollars a '
        "million tokens, for models that pydantic-ai's list does not know, or that cost you something else.",
    )
    embedding_account: str | None = Field(
        default=None,
        description="The embedding account of policies that have one model a deployment; else the policy's "
        "`embedding.default_account`.",
    )
    session_hours: int = Field(
        default=12, ge=1, description="Hours that somebody who signed in to the console stays signed in."
    )
    public_url: str | None = Field(
        default=None,
        description="Where people reach this desk, `https://HOST`; needed for signing in with a provider.",
    )
    oidc_issuer: str | None = Field(
        default=None,
        description="The OpenID Connect provider that people sign in with, by its issuer address (needs "
        "`refdesk[oidc]`); else they sign in with links alone.",
    )
    oidc_client_id: str | None = Field(default=None, description="What this desk is called at the provider.")
    oidc_client_secret: SecretStr | None = Field(
        default=None, description="This desk's secret at the provider, where it has one."
    )
    oidc_scopes: str = Field(
        default="openid email", description="What is asked of the provider; `openid` is always among it."
    )
    oidc_name: str | None = Field(
        default=None, description="What people call the provider, for the button; else the issuer's host."
    )
    requests_per_minute: int | None = Field(
        default=6_000, ge=1, description="Requests that one caller may send to a server in a minute."
    )
    reading_memory_mb: int = Field(
        default=1024, ge=256, description="Address space of a reading child, in MB (Linux only)."
    )

    workers: int = Field(
        default=2, ge=0, description="Ingestion processes of `serve` and `work`, at a lower priority."
    )

    def environment(self) -> dict[str, str]:
        """The variables that these settings come from, secrets included, for a process of our own."""
        values = {}
        for name in type(self).model_fields:
            value = getattr(self, name)
            if value is not None:
                plain = value.get_secret_value() if isinstance(value, SecretStr) else value
                values[f"REFDESK_{name.upper()}"] = str(plain)
        return values

    @property
    def address(self) -> str | None:
        """``public_url`` as a beginning of addresses."""
        return None if self.public_url is None else self.public_url.rstrip("/")

    def home_folder(self) -> Path:
        return self.home.expanduser().absolute()

    def cache_folder(self) -> Path:
        return self.cache.expanduser().absolute()
