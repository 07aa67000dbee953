"""Agents: a prompt, a model, and the bases that each was granted."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

AgentKind = Literal["text", "realtime"]
KnowledgeMode = Literal["inline", "search", "none"]


@dataclass(frozen=True, slots=True)
class Agent:
    """``model`` is ``provider:model``; ``quoting`` and null are the quoting model. ``knowledge_mode`` is
    measured when one agent is read, and null in a list."""

    id: str
    name: str
    prompt: str
    model: str | None
    kind: str
    grounding: str
    version: int
    knowledge_base_ids: tuple[str, ...]
    knowledge_mode: KnowledgeMode | None

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "knowledge_base_ids": list(self.knowledge_base_ids)}
