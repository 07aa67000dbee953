"""A run: what was asked, what the model was given, what it answered. The receipt is immutable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from refdesk.policy.model import Grounding
from refdesk.results.agents import KnowledgeMode

Outcome = Literal["answered", "answered_with_warning", "not_covered", "not_accepted", "failed"]
"""``failed``: the model could not be used. Whoever asked was told by an error, and this is its record."""
Delivery = Literal["references", "tool", "inline"]
"""How what is known reaches the model: found before it is asked, looked up by it, or whole (RUN1)."""
Coverage = Literal["found", "doubtful", "nothing", "empty"]
Support = Literal["supported", "weak", "unsupported"]
ReceiptState = Literal["intact", "erased", "changed"]
Reason = Literal["wrong", "incomplete", "irrelevant", "outdated", "wrong_source", "other"]
"""Why an answer did not help."""
NOTE_CHARACTERS = 2_000

_WHERE_THERE_ARE_SOME = ("metadata", "figures")

QUOTING = "quoting"
"""The name of the model that needs no service, and that answers unless another is named."""


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
    """A passage issued to the model, with the exact text that it was given."""

    number: int
    base: str
    document: str
    version: int
    name: str
    title: str
    source_url: str | None
    section: str | None
    page: int | None
    position: int
    text: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    figures: tuple[ReferenceFigure, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The contract's fields, with ``metadata`` and ``figures`` where there are some."""
        table = asdict(self)
        for internal in ("version", "position"):
            del table[internal]
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
class ToolCall:
    """``arguments`` ``None``: what the model wrote is no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said to a prompt. With ``calls`` it is not done: it waits for their replies. ``cost`` is
    in US dollars, ``None`` where nobody knows it; ``cut``: the model's own limit ended the text; ``said`` is
    for the model that said it."""

    text: str
    input_tokens: int
    output_tokens: int
    cost: float | None
    calls: tuple[ToolCall, ...] = ()
    cut: bool = False
    said: object = None


@dataclass(frozen=True, slots=True)
class Turn:
    """``replies``: one to each of the completion's calls, in their order."""

    completion: Completion
    replies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure as the model is shown it: WebP. ``label`` tells of which reference."""

    label: str
    webp: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a chat model is given: ``system`` and ``user`` are the exact texts; the references stand in
    ``user`` between fences, and beside it for a model that reads them directly. ``coverage`` is what was
    found: an acceptable passage, only doubtful ones, nothing, or no documents to search at all. ``turns`` are
    what it looked up so far with ``tools``; ``closing`` is the last that is said to it."""

    system: str
    user: str
    question: str
    references: tuple[Reference, ...]
    coverage: Coverage = "found"
    tools: tuple[Tool, ...] = ()
    turns: tuple[Turn, ...] = ()
    closing: str = ""
    pictures: tuple[Picture, ...] = ()


Said = Callable[[str | None], None]
"""Is told a piece of an answer as it comes; ``None``: what came so far is not the answer."""


class ChatModel(Protocol):
    @property
    def name(self) -> str:
        """``provider:model``, or ``quoting``."""
        ...

    def complete(self, prompt: Prompt, said: Said | None = None) -> Completion:
        """``said`` hears the text as it comes. Raises ``Failed`` (``model_unavailable``)."""
        ...


@dataclass(frozen=True, slots=True)
class KnownBase:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class AskedAgent:
    """An agent as it is at the start of a run or call. ``mode`` is how it knows ``bases``; ``texts`` are the
    whole documents that stand in its prompt, where that is ``inline``."""

    id: str
    version: int
    prompt: str
    bases: tuple[KnownBase, ...]
    mode: KnowledgeMode
    texts: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """``sha256`` over the run as it was made; ``digests`` of what an erasure may blank (answer.receipt)."""

    sha256: str
    digests: Mapping[str, str]


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
