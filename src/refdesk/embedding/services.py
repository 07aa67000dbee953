"""What an account with a service says; `opened.py` makes the embedder of one for embeddings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from refdesk.errors import UsageError

Provider = Literal["openai", "anthropic", "google", "bedrock", "huggingface", "openai-compatible"]
Purpose = Literal["embeddings", "answers"]
"""What an account is for: its texts become vectors, or questions are answered."""
PROVIDERS: tuple[Provider, ...] = get_args(Provider)

DEFAULT_MODELS: Mapping[Provider, str] = {
    "openai": "text-embedding-3-small",
    "google": "gemini-embedding-001",
    "bedrock": "amazon.titan-embed-text-v2:0",
    "huggingface": "BAAI/bge-small-en-v1.5",
}


@dataclass(frozen=True, slots=True)
class Service:
    """``dimensions`` ``None``: what the model has, where that is known, else not known yet. ``base_url``
    ``None``: the provider's own. ``region`` is Bedrock's."""

    provider: Provider
    model: str
    dimensions: int | None = None
    base_url: str | None = None
    region: str | None = None
    question_prefix: str = ""
    passage_prefix: str = ""


def as_provider(name: str) -> Provider:
    """Raises ``UsageError`` for one that there is not."""
    known: dict[str, Provider] = {provider: provider for provider in PROVIDERS}
    if name not in known:
        raise UsageError(f"There is no provider {name!r}; the providers are {', '.join(PROVIDERS)}.")
    return known[name]
