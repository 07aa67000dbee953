"""The services that an account can be with, and the embedder of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import SecretStr

from refdesk.embedding.batches import Limits
from refdesk.embedding.outgoing import Outgoing
from refdesk.embedding.patience import Patience
from refdesk.embedding.service import ServiceEmbedder
from refdesk.errors import UsageError

Provider = Literal["openai", "google", "bedrock", "huggingface", "openai-compatible"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)

_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-\d")
_UNKNOWN = 1  # dimensions: a place holder, which is sent to nobody and lasts until `probe`
_LIMITS = Limits(texts=32)
"""What TEI takes unless told otherwise; the other servers take more."""


@dataclass(frozen=True, slots=True)
class Service:
    """What an account says. ``dimensions`` ``None``: what the model has, where that is known, else not known
    yet. ``base_url`` ``None``: the provider's own. ``region`` is Bedrock's, whose secret is
    ``ACCESS_KEY_ID:SECRET_ACCESS_KEY``, with ``:SESSION_TOKEN`` where there is one."""

    provider: Provider
    model: str
    secret: SecretStr | None = None
    dimensions: int | None = None
    base_url: str | None = None
    region: str | None = None
    question_prefix: str = ""
    passage_prefix: str = ""

    def embedder(self, outgoing: Outgoing, patience: Patience | None = None) -> ServiceEmbedder:
        """Asks nothing yet. Raises ``UsageError`` and ``Refusal`` where what the account says cannot be."""
        if self.base_url is not None:
            outgoing.check(self.base_url)
        if self.provider != "bedrock" and self.region is not None:
            raise UsageError(f"A region is Bedrock's alone: leave it out of an account with {self.provider}.")
        make = _MAKERS[self.provider]
        return make(self, {"dimensions": self.dimensions, "outgoing": outgoing, "patience": patience})


def as_provider(name: str) -> Provider:
    """Raises ``UsageError`` for one that there is not."""
    known: dict[str, Provider] = {provider: provider for provider in PROVIDERS}
    if name not in known:
        raise UsageError(f"There is no provider {name!r}; the providers are {', '.join(PROVIDERS)}.")
    return known[name]


def _openai(service: Service, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.openai import ADDRESS, OpenAIEmbedder

    key, address = _secret(service), service.base_url or ADDRESS
    return OpenAIEmbedder(service.model, key, address, **_prefixes(service), **shared)


def _compatible(service: Service, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.openai import MODELS, OpenAIEmbedder

    if service.base_url is None:
        raise UsageError(
            "An openai-compatible account needs its address (base_url), such as http://localhost:11434/v1."
        )
    shared = shared | _dimensions(service, MODELS)
    return OpenAIEmbedder(
        service.model, service.secret, service.base_url, limits=_LIMITS, **_prefixes(service), **shared
    )


def _google(service: Service, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.google import ADDRESS, GoogleEmbedder

    _no_prefixes(service)
    return GoogleEmbedder(service.model, _secret(service), service.base_url or ADDRESS, **shared)


def _huggingface(service: Service, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.huggingface import ADDRESS, MODELS, HuggingFaceEmbedder

    shared = shared | _dimensions(service, MODELS) | _prefixes(service)
    return HuggingFaceEmbedder(service.model, _secret(service), service.base_url or ADDRESS, **shared)


def _bedrock(service: Service, shared: dict[str, Any]) -> ServiceEmbedder:
    from refdesk.embedding.bedrock import AwsKeys, BedrockEmbedder

    _no_prefixes(service)
    if service.region is None or not _REGION.fullmatch(service.region):
        raise UsageError("A bedrock account needs its region, such as eu-central-1.")
    identity, *rest = _secret(service).get_secret_value().split(":")
    if len(rest) not in {1, 2}:
        raise UsageError(
            "The secret of a bedrock account is ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]."
        )
    keys = AwsKeys(identity, *map(SecretStr, rest))
    return BedrockEmbedder(
        service.model, region=service.region, keys=keys, endpoint_url=service.base_url, **shared
    )


_MAKERS: Mapping[Provider, Callable[[Service, dict[str, Any]], ServiceEmbedder]] = {
    "openai": _openai,
    "google": _google,
    "bedrock": _bedrock,
    "huggingface": _huggingface,
    "openai-compatible": _compatible,
}


def _secret(service: Service) -> SecretStr:
    if service.secret is None:
        raise UsageError(f"An account with {service.provider} needs its secret.")
    return service.secret


def _prefixes(service: Service) -> dict[str, Any]:
    return {"question_prefix": service.question_prefix, "passage_prefix": service.passage_prefix}


def _no_prefixes(service: Service) -> None:
    if service.question_prefix or service.passage_prefix:
        raise UsageError(f"{service.provider} tells questions from passages itself: leave the prefixes out.")


def _dimensions(service: Service, known: Container[str]) -> dict[str, int | None]:
    return {"dimensions": service.dimensions or (None if service.model in known else _UNKNOWN)}
