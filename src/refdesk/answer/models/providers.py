"""Who chat models are asked of, ``provider:model``: their addresses, and the variables of their keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import SecretStr

from refdesk.answer.model import QUOTING
from refdesk.errors import Failed, UsageError
from refdesk.outgoing import Outgoing
from refdesk.outgoing.addresses import netloc

Protocol = Literal["openai", "anthropic", "google", "bedrock"]


@dataclass(frozen=True, slots=True)
class Provider:
    """``keys`` and ``address_names`` are variables of the environment, the first that is set holds; ``needs``
    is the module that the extra ``protocol`` brings."""

    name: str
    protocol: Protocol
    needs: str
    address: str | None
    address_names: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    key_needed: bool = True


def _openai(name: str, address: str, *, key_needed: bool = True) -> Provider:
    upper = name.upper()
    return Provider(
        name, "openai", "openai", address, (f"{upper}_BASE_URL",), (f"{upper}_API_KEY",), key_needed
    )


PROVIDERS: Mapping[str, Provider] = {
    one.name: one
    for one in (
        _openai("openai", "https://api.openai.com/v1"),
        Provider(
            "anthropic",
            "anthropic",
            "anthropic",
            "https://api.anthropic.com",
            ("ANTHROPIC_BASE_URL",),
            ("ANTHROPIC_API_KEY",),
        ),
        Provider(
            "google",
            "google",
            "google.genai",
            "https://generativelanguage.googleapis.com",
            ("GOOGLE_BASE_URL", "GOOGLE_GEMINI_BASE_URL"),
            ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        ),
        # Who asks is settled by the AWS credential chain; the address is that of the region.
        Provider("bedrock", "bedrock", "boto3", None, ("AWS_ENDPOINT_URL_BEDROCK_RUNTIME",), (), False),
        _openai("deepseek", "https://api.deepseek.com"),
        _openai("groq", "https://api.groq.com/openai/v1"),
        _openai("mistral", "https://api.mistral.ai/v1"),
        _openai("openrouter", "https://openrouter.ai/api/v1"),
        _openai("ollama", "http://localhost:11434/v1", key_needed=False),
        _openai("vllm", "http://localhost:8000/v1", key_needed=False),
    )
}


COMPATIBLE = Provider("openai-compatible", "openai", "openai", None, key_needed=False)
"""A server of somebody's own that speaks OpenAI's protocol, of an account that says where."""


@dataclass(frozen=True, slots=True)
class Place:
    """One model of one provider, and how it is reached. ``url`` ``None``: the provider's client knows it."""

    name: str
    provider: Provider
    model: str
    url: str | None
    key: SecretStr | None
    outgoing: Outgoing
    region: str | None = None


_NO_NAME = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def split(name: str) -> tuple[str, str, str | None]:
    """``provider:model`` or ``provider:model@http://…`` in its parts. Raises ``UsageError``."""
    prefix, colon, model = name.partition(":")
    if _NO_NAME.search(name):
        raise UsageError(f"{name[:80]!r} names no model: a name has no control characters.")
    for scheme in ("@http://", "@https://"):
        if scheme in model:
            model, _, rest = model.partition(scheme)
            return prefix, model, scheme[1:] + rest
    if not colon or not prefix or not model:
        raise UsageError(f"{name[:80]!r} names no model: write provider:model, such as openai:gpt-5.")
    return prefix, model, None


def place_of(name: str, environment: Mapping[str, str]) -> Place:
    """What whoever runs this desk set for a provider: its host may be anywhere. An address in the name is
    asked without the environment's key, which is of another. Raises ``UsageError`` for a provider that there
    is not, ``Failed`` (``model_unavailable``) where its key is missing."""
    prefix, model, url = split(name)
    provider = PROVIDERS.get(prefix)
    if provider is None:
        raise UsageError(
            f"There is no model {name[:120]!r}: no provider and no account for answers is called "
            f"{prefix[:40]!r}. There are {', '.join(PROVIDERS)}, and {QUOTING}, which needs none."
        )
    key = None if url else _first(provider.keys, environment)
    if key is None and url is None and provider.key_needed:
        raise Failed(
            f"The model {name} needs a key: set {' or '.join(provider.keys)}, or make an account for it.",
            code="model_unavailable",
        )
    address = url or _first(provider.address_names, environment) or provider.address
    return Place(
        name=name,
        provider=provider,
        model=model,
        url=None if address is None else checked_address(address),
        key=SecretStr(key) if key else None,
        outgoing=Outgoing(allow_private=True),
        region=environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION"),
    )


def checked_address(url: str) -> str:
    """Raises ``UsageError``."""
    netloc(url, "a model")
    return url.rstrip("/")


def _first(names: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    return next((value for name in names if (value := environment.get(name, "").strip())), None)
