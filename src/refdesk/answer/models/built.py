"""A place as the model of pydantic-ai that asks it, with a client that reaches its host and no other."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from refdesk.answer.models.providers import Place, Protocol
from refdesk.outgoing.transport import client_for

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

_MOST = 16 << 20  # bytes of an answer
_NO_KEY = "none"  # a server of one's own may ask for none, and its client wants one
_QUIET = ("openai", "anthropic", "google_genai", "httpx2", "httpcore2", "botocore", "urllib3")
"""What these log may hold whole requests: a log is told nothing below a warning."""


@asynccontextmanager
async def built(place: Place, seconds: float) -> AsyncIterator[Model]:
    """Raises ``NotAsked``."""
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    if place.url is None or place.provider.protocol == "bedrock":
        yield _bedrock(place, seconds)
        return
    async with client_for(place.url, place.outgoing, seconds, _MOST) as client:
        yield _MAKERS[place.provider.protocol](place, client, seconds)


def _openai(place: Place, client: httpx2.AsyncClient, seconds: float) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.deepseek import DeepSeekProvider
    from pydantic_ai.providers.ollama import OllamaProvider
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openrouter import OpenRouterProvider
    from pydantic_ai.providers.vllm import VLLMProvider

    providers = {
        "deepseek": DeepSeekProvider,
        "ollama": OllamaProvider,
        "openrouter": OpenRouterProvider,
        "vllm": VLLMProvider,
    }
    asking = AsyncOpenAI(
        api_key=_key(place), base_url=place.url, http_client=client, timeout=seconds, max_retries=0
    )
    made = providers.get(place.provider.name, OpenAIProvider)
    return OpenAIChatModel(place.model, provider=made(openai_client=asking))


def _anthropic(place: Place, client: httpx2.AsyncClient, seconds: float) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    asking = AsyncAnthropic(
        api_key=_key(place), base_url=place.url, http_client=client, timeout=seconds, max_retries=0
    )
    return AnthropicModel(place.model, provider=AnthropicProvider(anthropic_client=asking))


def _google(place: Place, client: httpx2.AsyncClient, seconds: float) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=_key(place), http_client=client, base_url=place.url)
    return GoogleModel(place.model, provider=provider)


def _bedrock(place: Place, seconds: float) -> Model:
    import boto3
    from botocore.config import Config
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    if place.url is not None:
        place.outgoing.addresses(place.url)  # boto3 resolves again: it takes no address
    region = place.region or os.environ.get("AWS_REGION") or None  # boto3 reads AWS_DEFAULT_REGION alone
    session = boto3.session.Session(region_name=region, **_aws_keys(place))
    config = Config(
        connect_timeout=min(10.0, seconds), read_timeout=seconds, retries={"total_max_attempts": 1}
    )
    client = session.client("bedrock-runtime", endpoint_url=place.url, config=config)
    return BedrockConverseModel(place.model, provider=BedrockProvider(bedrock_client=client))


def _aws_keys(place: Place) -> dict[str, str]:
    """Of ``ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]``; without, the credential chain decides."""
    if place.key is None:
        return {}
    names = ("aws_access_key_id", "aws_secret_access_key", "aws_session_token")
    return dict(zip(names, place.key.get_secret_value().split(":"), strict=False))


def _key(place: Place) -> str:
    return _NO_KEY if place.key is None else place.key.get_secret_value()


_MAKERS: Mapping[Protocol, Callable[[Place, httpx2.AsyncClient, float], Model]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
}
