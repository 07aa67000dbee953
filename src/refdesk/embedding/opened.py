"""The embedder of an account with a service."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from typing import Any

from pydantic import SecretStr

from refdesk.embedding.batches import Limits
from refdesk.embedding.service import ServiceEmbedder
from refdesk.embedding.services import Provider, Service
from refdesk.errors import Failed, UsageError
from refdesk.outgoing import Outgoing
from refdesk.outgoing.patience import Patience

MOST_CHARACTERS = 2_000
"""Of an address, of a prefix."""
MOST_DIMENSIONS = 16_384

_MODEL = re.compile(r"[\w.:/@+-]{1,200}")
_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-\d")
_UNKNOWN = 1  # dimensions: a place holder, which is sent to nobody and lasts until `probe`
_LIMITS = Limits(texts=32)  # what TEI takes unless told otherwise; the other servers take more


def service_embedder(
    service: Service, secret: SecretStr | None, outgoing: Outgoing, patience: Patience | None = None
) -> ServiceEmbedder:
    """Asks nothing yet. ``secret`` is the key; Bedrock's is ``ACCESS_KEY_ID:SECRET_ACCESS_KEY``, with
    ``:SESSION_TOKEN`` where there is one. Raises ``UsageError`` and ``Refusal`` where what the account says
    cannot be."""
    check_values(service)
    if service.base_url is not None:
        outgoing.check(service.base_url)
    shared = {"dimensions": service.dimensions, "outgoing": outgoing, "patience": patience}
    if service.provider not in _MAKERS:
        raise UsageError(f"{service.provider} makes no embeddings: its accounts have the purpose answers.")
    return _MAKERS[service.provider](service, secret, shared)


def measured(embedder: ServiceEmbedder) -> int:
    """The dimensions of its vectors, by asking. Raises ``Failed`` where they are not as many as said."""
    found, said = embedder.probe(), embedder.fingerprint.dimensions
    if said not in {_UNKNOWN, found}:
        raise Failed(
            f"{embedder.fingerprint.model} answers with vectors of {found} dimensions, and the account says "
            f"{said}: make an account that says so.",
            code="embedding_unavailable",
            limit=said,
            actual=found,
        )
    return found


def check_values(service: Service) -> None:
    if service.provider != "bedrock" and service.region is not None:
        raise UsageError(f"A region is Bedrock's alone: leave it out of an account with {service.provider}.")
    if not _MODEL.fullmatch(service.model) or ".." in service.model:
        raise UsageError(f"{service.model!r} is no name of a model with {service.provider}.")
    if service.dimensions is not None and not 1 <= service.dimensions <= MOST_DIMENSIONS:
        raise UsageError(
            f"Vectors have 1 to {MOST_DIMENSIONS} dimensions, not {service.dimensions}.",
            limit=MOST_DIMENSIONS,
            actual=service.dimensions,
        )
    for text in (service.base_url or "", service.question_prefix, service.passage_prefix):
        if len(text) > MOST_CHARACTERS:
            raise UsageError(
                f"A value of an account has {len(text)} characters; at most {MOST_CHARACTERS} are accepted.",
                limit=MOST_CHARACTERS,
                actual=len(text),
            )


def _openai(service: Service, key: SecretStr | None, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.openai import ADDRESS, OpenAIEmbedder

    shared = shared | _prefixes(service)
    return OpenAIEmbedder(service.model, _needed(service, key), service.base_url or ADDRESS, **shared)


def _compatible(service: Service, key: SecretStr | None, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.openai import MODELS, OpenAIEmbedder

    if service.base_url is None:
        raise UsageError(
            "An openai-compatible account needs its address (base_url), such as http://localhost:11434/v1."
        )
    shared = shared | _dimensions(service, MODELS) | _prefixes(service)
    return OpenAIEmbedder(service.model, key, service.base_url, limits=_LIMITS, **shared)


def _google(service: Service, key: SecretStr | None, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.google import ADDRESS, GoogleEmbedder

    _no_prefixes(service)
    return GoogleEmbedder(service.model, _needed(service, key), service.base_url or ADDRESS, **shared)


def _huggingface(service: Service, key: SecretStr | None, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.huggingface import ADDRESS, MODELS, HuggingFaceEmbedder

    shared = shared | _dimensions(service, MODELS) | _prefixes(service)
    return HuggingFaceEmbedder(service.model, _needed(service, key), service.base_url or ADDRESS, **shared)


def _bedrock(service: Service, key: SecretStr | None, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.bedrock import AwsKeys, BedrockEmbedder

    _no_prefixes(service)
    if service.region is None or not _REGION.fullmatch(service.region):
        raise UsageError("A bedrock account needs its region, such as eu-central-1.")
    identity, *rest = _needed(service, key).get_secret_value().split(":")
    if len(rest) not in {1, 2}:
        raise UsageError(
            "The secret of a bedrock account is ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]."
        )
    keys = AwsKeys(identity, *map(SecretStr, rest))
    return BedrockEmbedder(
        service.model, region=service.region, keys=keys, endpoint_url=service.base_url, **shared
    )


_Maker = Callable[[Service, SecretStr | None, dict[str, Any]], ServiceEmbedder]
_MAKERS: Mapping[Provider, _Maker] = {
    "openai": _openai,
    "google": _google,
    "bedrock": _bedrock,
    "huggingface": _huggingface,
    "openai-compatible": _compatible,
}


def _needed(service: Service, key: SecretStr | None) -> SecretStr:
    if key is None:
        raise UsageError(f"An account with {service.provider} needs its secret.")
    return key


def _prefixes(service: Service) -> dict[str, Any]:
    return {"question_prefix": service.question_prefix, "passage_prefix": service.passage_prefix}


def _no_prefixes(service: Service) -> None:
    if service.question_prefix or service.passage_prefix:
        raise UsageError(f"{service.provider} tells questions from passages itself: leave the prefixes out.")


def _dimensions(service: Service, known: Container[str]) -> dict[str, int | None]:
    return {"dimensions": service.dimensions or (None if service.model in known else _UNKNOWN)}
