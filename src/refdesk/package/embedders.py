"""The embedding model of a base: a service, with the environment's credential, or the build's own weights.

Where a service is reached elsewhere than at its own address, its clients' usual variable says so.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from refdesk.errors import Failed
from refdesk.package.keys import LOCAL
from refdesk.package.manifest import Base

if TYPE_CHECKING:
    from refdesk.embedding.model import Embedder
    from refdesk.embedding.services import Service

ADDRESSES = {
    "openai": "OPENAI_BASE_URL",
    "google": "GOOGLE_GEMINI_BASE_URL",
    "huggingface": "HF_INFERENCE_ENDPOINT",
    "bedrock": "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
}
_GOOGLE = "/v1beta"


def model_of(embed: str | None) -> str:
    """The name of the model, which a bake is made with."""
    from refdesk.embedding.services import DEFAULT_MODELS, as_provider

    if embed is None:
        return "none"
    if embed == LOCAL:
        from refdesk.embedding.models import DEFAULT_MODEL

        return DEFAULT_MODEL
    return DEFAULT_MODELS[as_provider(embed)]


def check_credential(base: Base) -> None:
    """Raises ``Failed`` where the environment has none, and the service needs one."""
    if base.secret is not None and not os.environ.get(base.secret, "").strip():
        raise Failed(
            f"The base {base.key} is embedded by {base.embed}, which needs {base.secret}, and the "
            "environment has none: set it.",
            code="embedding_unavailable",
        )


def open_embedder(base: Base, models: Path) -> Embedder:
    """For one that embeds. ``models`` has the weights of a local one, in a folder of its name. Asks nothing
    yet. Raises ``Failed``."""
    if base.embed == LOCAL:
        return _local(models)
    check_credential(base)
    return _service(base)


def _local(models: Path) -> Embedder:
    from refdesk.embedding.local import LocalEmbedder
    from refdesk.embedding.models import BGE_SMALL

    return LocalEmbedder(BGE_SMALL, models / BGE_SMALL.name)


def _service(base: Base) -> Embedder:
    from pydantic import SecretStr

    from refdesk.embedding.guarded import GuardedEmbedder
    from refdesk.embedding.opened import service_embedder
    from refdesk.embedding.services import DEFAULT_MODELS, Service, as_provider
    from refdesk.errors import RefdeskError
    from refdesk.outgoing import Outgoing

    provider = as_provider(base.embed or "")
    service = Service(provider, DEFAULT_MODELS[provider], base_url=_address(provider))
    try:
        if provider == "bedrock":
            return GuardedEmbedder(_bedrock(service))
        secret = SecretStr(os.environ[base.secret or ""].strip())
        return GuardedEmbedder(service_embedder(service, secret, Outgoing(True)))
    except RefdeskError as error:
        raise Failed(
            f"The base {base.key} cannot be embedded by {base.embed}. {error.message}",
            code="embedding_unavailable",
        ) from None


def _address(provider: str) -> str | None:
    """Google's clients are told the host alone."""
    address = os.environ.get(ADDRESSES[provider], "").strip().rstrip("/") or None
    if address is not None and provider == "google" and not address.endswith(_GOOGLE):
        return address + _GOOGLE
    return address


def _bedrock(service: Service) -> Embedder:
    """The AWS chain finds the keys, and the region where neither variable of it says one."""
    from refdesk.embedding.bedrock import BedrockEmbedder

    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or None
    return BedrockEmbedder(service.model, region=region, endpoint_url=service.base_url)
