"""Runs and what people say of them, as the API shows them (CONTRACT: HTTP), and the bodies that it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from refdesk.answer import model
from refdesk.answer.model import Delivery
from refdesk.answer.receipt import resource
from refdesk.policy.model import Grounding
from refdesk.results.agents import KnowledgeMode
from refdesk.web import shapes
from refdesk.web.shapes import Body, Document


class NewRun(Body):
    question: str
    grounding: Grounding | None = Field(
        None, description="Null or left out: the agent's. A weaker one: by who may write agents or ask bases."
    )
    model: str | None = Field(
        None,
        description="`provider:model`; null or left out: the agent's. By who may write agents or ask bases.",
    )


class Figure(shapes.Figure):
    """A figure of a passage. ``shown``: the model was given its picture, and not its label alone."""

    sha256: str
    shown: bool


class Search(BaseModel):
    """What the model looked up. ``error`` is what it was told where nothing was searched."""

    number: int
    query: str
    base: str | None
    answered_by: str | None
    took_ms: float | None
    references: list[int]
    error: str | None


class Reference(BaseModel):
    """``text`` is what the model was given, to the letter."""

    number: int
    base: str
    document: str
    name: str
    title: str
    source_url: str | None
    section: str | None
    page: int | None
    text: str
    metadata: dict[str, str] | None = None
    figures: list[Figure] | None = None


class Citation(BaseModel):
    number: int
    document: str
    name: str
    support: model.Support | None
    source_url: str | None = None
    metadata: dict[str, str] | None = None


class OpenedDocument(BaseModel):
    """``state``: the document is as it was issued, ``changed`` since, or ``gone``. ``start`` and ``end`` are
    the characters of ``text`` that the passage covers, where it holds it still."""

    state: Literal["issued", "changed", "gone"]
    number: int
    name: str
    title: str
    page: int | None
    section: str | None
    cited: str = Field(description="The passage as it was issued.")
    document: Document | None
    text: str | None
    start: int | None
    end: int | None


class KnownBase(BaseModel):
    id: str
    name: str


class Tokens(BaseModel):
    input: int
    output: int


class Receipt(BaseModel):
    """``changed``: somebody changed the record after it was written."""

    sha256: str
    state: model.ReceiptState


class Rating(BaseModel):
    helpful: bool
    reason: model.Reason | None
    note: str | None
    person: str
    at: str


class NewRating(Body):
    helpful: bool
    reason: model.Reason | None = Field(None, description="Why it did not help.")
    note: str | None = Field(None, description=f"At most {model.NOTE_CHARACTERS:,} characters.")


class Run(BaseModel):
    run: str
    outcome: model.Outcome
    answer: str | None
    message: str | None
    references: list[Reference]
    citations: list[Citation]
    warnings: list[str]
    model: str
    cost: float | None = Field(description="US dollars; null where nobody knows it.")
    agent: str | None
    agent_version: int | None
    knowledge: list[KnownBase] | None
    knowledge_mode: KnowledgeMode | None
    delivery: Delivery | None
    searches: list[Search]
    rejected: list[str] = Field(description="Answers that were not accepted, since they cited nothing.")
    question: str
    grounding: Literal["open", "preferred", "required"]
    person: str
    tokens: Tokens
    timings: dict[str, float]
    created_at: str
    receipt: Receipt | None
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Listed:
    """A run as an item of a page."""

    run: model.Run

    @property
    def id(self) -> str:
        return self.run.id

    def to_dict(self) -> dict[str, Any]:
        return resource(self.run)
