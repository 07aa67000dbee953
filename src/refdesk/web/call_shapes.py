"""Calls as the API shows them, and the bodies that it takes."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from refdesk.results.agents import KnowledgeMode
from refdesk.web.run_shapes import KnownBase
from refdesk.web.shapes import Body, Found


class NewCall(Body):
    tool_characters: int = Field(
        0, ge=0, le=10_000_000, description="Of the schemas that your own tools add to the prompt."
    )


class CallQuestion(Body):
    query: str


class IssuedText(BaseModel):
    """Which text was issued: ``position`` is null for a whole document."""

    document: str
    version: int
    position: int | None
    sha256: str


class CallSearch(BaseModel):
    number: int
    query: str
    at: str
    answered_by: str | None
    took_ms: float | None
    passages: list[IssuedText] | None


class Call(BaseModel):
    """``documents`` are those whose text stood in the prompt."""

    id: str
    agent: str
    agent_version: int
    knowledge: list[KnownBase]
    knowledge_mode: KnowledgeMode
    documents: list[IssuedText]
    searches_limit: int | None
    searches: list[CallSearch]
    person: str
    created_at: str


class StartedCall(Call):
    """``prompt`` is the agent's own, ``text`` belongs behind it: the documents between fences, or that there
    are none; null where the model searches with one of ``tools``."""

    prompt: str
    text: str | None
    tools: list[dict[str, Any]]


class CallFound(Found):
    """``text`` is what the model reads; ``left`` null: as many searches as it likes."""

    number: int
    left: int | None
    text: str
