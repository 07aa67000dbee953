"""A run: what was asked, what the model was given, what it answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from refdesk.results.agents import KnowledgeMode

if TYPE_CHECKING:
    from refdesk.policy.model import Grounding

Outcome = Literal["answered", "answered_with_warning", "not_covered", "not_accepted", "failed"]
"""``failed``: the model could not be used. Whoever asked was told by an error, and this is its record."""
Delivery = Literal["references", "tool", "inline"]
"""How what is known reaches the model: found before it is asked, looked up by it, or whole (RUN1)."""
Support = Literal["supported", "weak", "unsupported"]
ReceiptState = Literal["intact", "erased", "changed"]
Reason = Literal["wrong", "incomplete", "irrelevant", "outdated", "wrong_source", "other"]
"""Why an answer did not help."""
NOTE_CHARACTERS = 2_000

_WHERE_THERE_ARE_SOME = ("metadata", "figures")


@dataclass(frozen=True, slots=True)
class ReferenceFigure:
    """A figure that stands in a passage, by the SHA-256 of its picture. ``shown``: the model was given the
    picture, and not its label alone."""

    number: int
    label: str
    page: int | None
    width: int
    height: int
    sha256: str
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A passage that the model was given, with its exact text."""

    number: int
    base: str
    document: str
    name: str
    title: str
    source_url: str | None
    section: str | None
    page: int | None
    text: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    figures: tuple[ReferenceFigure, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The contract's fields, with ``metadata`` and ``figures`` where there are some."""
        table = {one.name: getattr(self, one.name) for one in fields(Reference)}
        table |= {"metadata": dict(self.metadata), "figures": [asdict(one) for one in self.figures]}
        return {name: value for name, value in table.items() if value or name not in _WHERE_THERE_ARE_SOME}

    @property
    def label(self) -> str:
        """``base › title › page 3`` (or the section)."""
        place = f"page {self.page}" if self.page is not None else self.section
        return " › ".join(part for part in (self.base, self.title, place) if part)


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference that the answer names. ``support`` tells how well the passage carries the sentence."""

    number: int
    document: str
    name: str
    support: Support | None = None


@dataclass(frozen=True, slots=True)
class KnownBase:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """``sha256`` over the run as it was made; ``digests`` of what an erasure may blank. ``state`` is what a
    server found when it compared them, for who has the run from there and no digests."""

    sha256: str
    digests: Mapping[str, str] = field(default_factory=dict)
    state: ReceiptState | None = None


@dataclass(frozen=True, slots=True)
class RunSearch:
    """What the model looked up in a run. ``answered_by`` and ``took_ms`` are null where nothing was searched,
    and ``error`` is what the model was told then; ``references`` are the numbers that it was given."""

    number: int
    query: str
    base: str | None
    answered_by: str | None
    took_ms: float | None
    references: tuple[int, ...]
    error: str | None


@dataclass(frozen=True, slots=True)
class Rating:
    """``reason``: why it did not help."""

    helpful: bool
    reason: Reason | None
    note: str | None
    person: str
    at: str


@dataclass(frozen=True, slots=True)
class Run:
    """``agent`` to ``knowledge_mode`` are null where no agent was asked; ``knowledge`` is what it knew.
    ``rejected`` are the answers that were not accepted. ``delivery`` is null on a run that is older than the
    word."""

    id: str
    question: str
    grounding: Grounding
    outcome: Outcome
    answer: str | None
    message: str | None
    references: tuple[Reference, ...]
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]
    model: str
    cost: float | None
    input_tokens: int
    output_tokens: int
    timings: dict[str, float]
    person: str
    created_at: str
    agent: str | None = None
    agent_version: int | None = None
    knowledge: tuple[KnownBase, ...] | None = None
    knowledge_mode: KnowledgeMode | None = None
    delivery: Delivery | None = None
    searches: tuple[RunSearch, ...] = ()
    rejected: tuple[str, ...] = ()
    receipt: Receipt | None = None
    rating: Rating | None = None

    def to_dict(self) -> dict[str, Any]:
        """The run as ``ask --json`` prints it."""
        return {
            "run": self.id,
            "outcome": self.outcome,
            "answer": self.answer,
            "message": self.message,
            "references": [reference.to_dict() for reference in self.references],
            "citations": [self._cited(citation) for citation in self.citations],
            "warnings": list(self.warnings),
            "model": self.model,
            "cost": self.cost,
        }

    def _cited(self, citation: Citation) -> dict[str, Any]:
        """With the document's address and metadata, where it has some."""
        table = asdict(citation)
        for reference in self.references:
            if reference.number == citation.number:
                said = {"source_url": reference.source_url, "metadata": dict(reference.metadata)}
                table |= {name: value for name, value in said.items() if value}
        return table
