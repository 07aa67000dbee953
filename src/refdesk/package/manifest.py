"""A package as it was declared, once nothing is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from refdesk.policy.model import Grounding, Mode


@dataclass(frozen=True, slots=True)
class Base:
    """``path`` is relative to the package, with ``/``; ``embed`` is ``None`` where nothing is embedded;
    ``secret`` is the name of the variable with the service's credential."""

    key: str
    path: str
    mode: Mode
    embed: str | None
    secret: str | None
    chunk_size: int
    chunk_overlap: int
    top_k: int
    min_score: float | None


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    base: str
    description: str
    announce: str | None
    interruption: bool | str | None


@dataclass(frozen=True, slots=True)
class Agent:
    name: str
    prompt: str
    model: str
    grounding: Grounding
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Package:
    folder: Path
    name: str
    agents: Mapping[str, Agent]
    tools: Mapping[str, Tool]
    bases: Mapping[str, Base]
    secrets: tuple[str, ...]

    def searched(self) -> set[str]:
        """The bases that some agent has a tool for."""
        return {self.tools[tool].base for agent in self.agents.values() for tool in agent.tools}
