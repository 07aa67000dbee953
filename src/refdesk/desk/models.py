"""From the name of a model to the model: with an account of the project, or the keys of the environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import SecretStr

from refdesk.access import LOCAL
from refdesk.answer.model import QUOTING, ChatModel, Prompt
from refdesk.catalog.accounts import AccountRow
from refdesk.embedding.services import Service
from refdesk.errors import Refusal, UsageError

if TYPE_CHECKING:
    from refdesk.answer.models.providers import Place
    from refdesk.desk.parts import Parts

_TRIAL = "Is there anybody at the desk? Answer in one word."
"""What an account is tried with: it is nobody's text."""


def judge_of(parts: Parts) -> ChatModel | None:
    """Of citations' support, where the settings name one. Raises as ``model_named``."""
    name = parts.settings.judge_model
    return None if name is None else model_named(parts, name, trusted=True)


def model_named(parts: Parts, name: str | None, *, trusted: bool = False) -> ChatModel:
    """Costs nothing yet. Raises ``UsageError``, ``Refusal`` (``host_not_allowed``) for an address in the name
    where another than whoever runs this desk names it (``trusted``: they did), and ``Failed``
    (``model_unavailable``)."""
    from refdesk.answer.models import open_model, provider_model

    if name is None or name == QUOTING:
        return open_model()
    from refdesk.answer.models.providers import split

    prefix, model, url = split(name)
    if url is not None and not trusted and parts.principal is not LOCAL:
        raise Refusal(
            f"The address {url} is not accepted: models are asked where an account or the settings of this "
            "desk say. Make an account with that address.",
            code="host_not_allowed",
        )
    account = None if url else parts.catalog.accounts.find(parts.project, prefix)
    if account is not None and account.purpose == "answers":
        return provider_model(_of_row(parts, account, name, model), parts.settings)
    return open_model(name, parts.settings)


def check_account(parts: Parts, service: Service, key: SecretStr | None) -> None:
    """Raises ``UsageError`` and ``Refusal`` where what the account says cannot be."""
    from refdesk.embedding.opened import check_values

    if service.dimensions is not None or service.question_prefix or service.passage_prefix:
        raise UsageError("Dimensions and prefixes are of embeddings: an account for answers has none.")
    if not service.model:
        raise UsageError("Name the model that an account for answers is tried with.")
    check_values(service)
    if service.base_url is not None:
        parts.house.embedders.outgoing.check(service.base_url)
    place = _place(parts, service, key, service.model, service.model)
    if key is None and (place.provider.key_needed or place.provider.protocol == "bedrock"):
        raise UsageError(f"An account with {service.provider} needs its secret.")


def try_account(parts: Parts, row: AccountRow) -> None:
    """Asks the account's model one short question. Raises ``Failed``."""
    from refdesk.answer.models import provider_model

    name = f"{row.name}:{row.service.model}"
    model = provider_model(_of_row(parts, row, name, row.service.model), parts.settings)
    model.complete(Prompt("You are being tried out.", _TRIAL, _TRIAL, ()))


def _of_row(parts: Parts, row: AccountRow, name: str, model: str) -> Place:
    key = None if row.secret is None else parts.house.vault.open(row.secret, row.id)
    return _place(parts, row.service, key, name, model)


def _place(parts: Parts, service: Service, key: SecretStr | None, name: str, model: str) -> Place:
    from refdesk.answer.models.providers import COMPATIBLE, PROVIDERS, Place, checked_address

    known = {**PROVIDERS, "openai-compatible": COMPATIBLE}
    if service.provider not in known:
        raise UsageError(f"{service.provider} answers no questions here; these do: {', '.join(known)}.")
    provider = known[service.provider]
    url = service.base_url or provider.address
    if url is None and provider.protocol != "bedrock":
        raise UsageError("An account with openai-compatible needs its base_url.")
    return Place(
        name=name,
        provider=provider,
        model=model,
        url=None if url is None else checked_address(url),
        key=key,
        outgoing=parts.house.embedders.outgoing,
        region=service.region,
    )
