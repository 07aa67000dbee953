"""A call: an agent that somebody else's software lets speak, and what it looked up meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from refdesk.results.agents import KnowledgeMode
from refdesk.results.found import Found
from refdesk.results.runs import KnownBase


@dataclass(frozen=True, slots=True)
class Tool:
    """``parameters`` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """As a function of a chat model's request."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class IssuedText:
    """Which text was issued: ``position`` of a passage in its document, null for the whole; ``sha256`` of the
    text itself, which is not kept."""

    document: str
    version: int
    position: int | None
    sha256: str


@dataclass(frozen=True, slots=True)
class CallSearch:
    """``answered_by``, ``took_ms`` and ``passages`` are null where it came to no end."""

    number: int
    query: str
    at: str
    answered_by: str | None
    took_ms: float | None
    passages: tuple[IssuedText, ...] | None


@dataclass(frozen=True, slots=True)
class Call:
    """``documents`` are those whose text stood in the prompt; ``searches_limit`` null: there is none."""

    id: str
    agent: str
    agent_version: int
    knowledge: tuple[KnownBase, ...]
    knowledge_mode: KnowledgeMode
    documents: tuple[IssuedText, ...]
    searches_limit: int | None
    searches: tuple[CallSearch, ...]
    person: str
    created_at: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class StartedCall:
    """``prompt`` is the agent's own. ``text`` belongs behind it: the documents between fences, or that there
    are none; null where the model searches with one of ``tools``."""

    call: Call
    prompt: str
    text: str | None
    tools: tuple[Tool, ...]

    def to_dict(self) -> dict[str, Any]:
        tools = [tool.to_dict() for tool in self.tools]
        return {**self.call.to_dict(), "prompt": self.prompt, "text": self.text, "tools": tools}


@dataclass(frozen=True, slots=True)
class CallFound:
    """The search ``number`` of a call; ``left`` null: as many as it likes; ``text`` is for the model."""

    number: int
    left: int | None
    found: Found
    text: str

    def to_dict(self) -> Mapping[str, Any]:
        said = {"number": self.number, "left": self.left, "text": self.text}
        return {**said, **self.found.to_dict()}
