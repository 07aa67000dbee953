"""What a build's worker installs: pinned with hashes, and only what its package needs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from refdesk.package.keys import LOCAL

CORE = ("numpy", "pystemmer", "python-ulid")
PDF = ("pillow", "pypdfium2")
_HTTP = ("httpx2", "pydantic")
SERVICES = {
    "openai": _HTTP,
    "google": _HTTP,
    "huggingface": _HTTP,
    "bedrock": ("boto3", "pydantic"),
    LOCAL: ("onnxruntime", "tokenizers", "httpx2"),
}
"""By the value of ``embed``. The tokenizer's package requires an HTTP client; nothing is asked with it."""

_CHAT = ("pydantic-ai-slim", "pydantic-settings", "pydantic", "httpx2")
MODELS = {
    "openai": (*_CHAT, "openai"),
    "anthropic": (*_CHAT, "anthropic"),
    "google": (*_CHAT, "google-genai"),
    "bedrock": (*_CHAT, "boto3"),
}
"""By the protocol that a chat model's provider speaks."""

_ROOTS = "-r requirements/worker.in"
_NAME = re.compile(r"^([a-z0-9][a-z0-9._-]*)==")


@dataclass(frozen=True, slots=True)
class Pin:
    """``text`` is its requirement with the hashes; ``parents`` are the packages that require it."""

    name: str
    text: str
    parents: frozenset[str]


def wanted(embeds: Iterable[str], *, pdf: bool, models: Iterable[str] = ()) -> Sequence[str]:
    """``embeds`` are services, ``models`` the protocols of the agents' chat models."""
    names = {*CORE, *(PDF if pdf else ())}
    for embed in embeds:
        names.update(SERVICES[embed])
    for model in models:
        names.update(MODELS[model])
    return sorted(names)


def pinned(names: Collection[str]) -> list[Pin]:
    """With everything that they require. What is chosen by name is there only where it is named."""
    chosen = set(names)
    inside = set(names)
    while True:
        more = {
            pin.name
            for pin in _pins()
            if pin.name not in inside and not pin.parents.isdisjoint(inside) and _ROOTS not in pin.parents
        }
        if not more:
            break
        inside |= more
    missing = chosen - {pin.name for pin in _pins()}
    if missing:
        raise ValueError(f"{', '.join(sorted(missing))} has no pin")
    return [pin for pin in _pins() if pin.name in inside]


@cache
def _pins() -> Sequence[Pin]:
    text = resources.files("refdesk.package").joinpath("pins.txt").read_text("utf-8")
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if _NAME.match(line):
            blocks.append([])
        if blocks:
            blocks[-1].append(line)
    return [_pin(block) for block in blocks]


def _pin(lines: Sequence[str]) -> Pin:
    name = _NAME.match(lines[0])
    assert name is not None
    said = [line.strip() for line in lines if line.strip().startswith("#")]
    parents = {line.removeprefix("#").removeprefix(" via").strip() for line in said} - {""}
    kept = "\n".join(line for line in lines if not line.strip().startswith("#"))
    return Pin(name[1], kept, frozenset(parents))
