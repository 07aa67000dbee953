"""The demo's catalog as data: packs, their documents, and agents."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from refdesk.demo.source import Source, parse
from refdesk.policy.model import BaseKind, Grounding

HERE: Traversable = resources.files("refdesk.demo")


@dataclass(frozen=True, slots=True)
class Pack:
    """Its documents are the files of ``packs/<name>``."""

    name: str
    kind: BaseKind
    description: str


@dataclass(frozen=True, slots=True)
class Agent:
    """``packs`` are the names of those that it is granted; ``questions`` are examples of what it is for."""

    name: str
    purpose: str
    prompt: str
    grounding: Grounding
    packs: tuple[str, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What ``refdesk demo`` asks, and of which agent."""

    agent: str
    question: str


SHOWN = (
    Shown("interface-specialist", "What does FF01 mean for a payment file?"),
    Shown("incident-analyst", "What caused the lock table overflow after the kernel patch?"),
    Shown("month-end-assistant", "Who approves an emergency change in a freeze?"),
)


def packs() -> tuple[Pack, ...]:
    return tuple(Pack(**table) for table in _tables("packs.toml", "packs"))


def sources(pack: Pack) -> Iterator[Source]:
    folder = HERE / "packs" / pack.name
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        yield parse(file.name, file.read_text("utf-8"))


def agents() -> tuple[Agent, ...]:
    return tuple(
        Agent(
            **{
                **table,
                "prompt": table["prompt"].strip(),
                "packs": tuple(table["packs"]),
                "questions": tuple(table["questions"]),
            }
        )
        for table in _tables("agents.toml", "agents")
    )


def _tables(file: str, name: str) -> list[dict[str, Any]]:
    return list(tomllib.loads((HERE / file).read_text("utf-8"))[name])
