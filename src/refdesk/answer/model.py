"""What is handed from a question to a model and back; what is kept of it, a run, is `results.runs`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from refdesk.results import runs
from refdesk.results.agents import KnowledgeMode
from refdesk.results.calls import Tool
from refdesk.results.runs import (
    NOTE_CHARACTERS,
    Citation,
    Delivery,
    KnownBase,
    Outcome,
    Rating,
    Reason,
    Receipt,
    ReceiptState,
    ReferenceFigure,
    Run,
    RunSearch,
    Support,
)

__all__ = [
    "NOTE_CHARACTERS",
    "QUOTING",
    "AskedAgent",
    "ChatModel",
    "Citation",
    "Completion",
    "Coverage",
    "Delivery",
    "KnownBase",
    "Outcome",
    "Picture",
    "Prompt",
    "Rating",
    "Reason",
    "Receipt",
    "ReceiptState",
    "Reference",
    "ReferenceFigure",
    "Run",
    "RunSearch",
    "Said",
    "Support",
    "Tool",
    "ToolCall",
    "Turn",
]

Coverage = Literal["found", "doubtful", "nothing", "empty"]
QUOTING = "quoting"
"""The name of the model that needs no service, and that answers unless another is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference(runs.Reference):
    """With where the passage was found: the document's version, and its place in it."""

    version: int
    position: int


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
    """One that has ``calls_tools = True`` may be given tools, one that has ``sees = True`` pictures."""

    @property
    def name(self) -> str:
        """``provider:model``, or ``quoting``."""
        ...

    def complete(self, prompt: Prompt, said: Said | None = None) -> Completion:
        """``said`` hears the text as it comes. Raises ``Failed`` (``model_unavailable``)."""
        ...


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
