"""The chat models of agents: who they are asked of, and the credentials that they need."""

from __future__ import annotations

from collections.abc import Collection

from refdesk.answer.model import QUOTING
from refdesk.answer.models.providers import PROVIDERS, Provider, split
from refdesk.errors import UsageError
from refdesk.package.findings import Findings, did_you_mean
from refdesk.package.nodes import Entry
from refdesk.package.values import shown


def check_model(entry: Entry, model: str, secrets: Collection[str], findings: Findings) -> None:
    """Tells of a provider that there is not, and of a key that ``secrets`` does not list."""
    if model == QUOTING:
        return
    try:
        prefix, _, address = split(model)
    except UsageError:
        findings.error(
            entry.value.place,
            "unknown_value",
            f"`model` is {shown(entry.value)}; it is `{QUOTING}`, or `provider:model` with one of "
            f"{', '.join(PROVIDERS)}.{did_you_mean(model, [QUOTING])}",
        )
        return
    provider = PROVIDERS.get(prefix)
    if provider is None:
        findings.error(
            entry.value.place,
            "unknown_value",
            f"`model` is {shown(entry.value)}, and there is no provider `{prefix[:40]}`; there are "
            f"{', '.join(PROVIDERS)}.{did_you_mean(prefix, PROVIDERS)}",
        )
    elif address is None and _lacks_key(provider, secrets):
        findings.error(
            entry.value.place,
            "missing_credential",
            f"`model` is {shown(entry.value)}, and `secrets` does not list {' or '.join(provider.keys)}.",
        )


def _lacks_key(provider: Provider, secrets: Collection[str]) -> bool:
    return provider.key_needed and not any(key in secrets for key in provider.keys)


def protocol_of(model: str) -> str | None:
    """Of a model that was checked; ``None`` where it needs no client."""
    return None if model == QUOTING else PROVIDERS[split(model)[0]].protocol
