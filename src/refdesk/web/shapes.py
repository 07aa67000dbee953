"""The resources as the API shows them (CONTRACT: HTTP), and the bodies that it takes."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from refdesk.embedding.services import Purpose
from refdesk.policy.model import BaseKind, Grounding, Mode
from refdesk.results.agents import AgentKind, KnowledgeMode

T = TypeVar("T")


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _without_defaults(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)


class Changes(Body):
    """A field that is left out stays as it is, whatever its default says; null is a value where the type
    has it."""

    model_config = ConfigDict(json_schema_extra=_without_defaults)


class Page(BaseModel, Generic[T]):
    items: list[T]
    next_cursor: str | None


class Base(BaseModel):
    id: str
    name: str
    slug: str
    description: str | None
    kind: BaseKind
    embedding_account_id: str | None
    documents: int
    ready_chars: int
    total_chars: int
    created_at: str


class NewBase(Body):
    name: str
    description: str | None = None
    kind: BaseKind | None = None
    embedding_account_id: str | None = Field(
        None,
        description="A verified provider account; null searches by keyword alone; left out: the policy's.",
    )


class BaseChanges(Body):
    name: str | None = None
    description: str | None = None
    embedding_account_id: str | None = Field(
        None, description="The same again queues what is not fully indexed; another, or null, everything."
    )


class Queued(BaseModel):
    queued: int


State = Literal["queued", "indexing", "ready", "failed"]


class Document(BaseModel):
    id: str
    name: str
    title: str
    kind: str
    state: State
    error: str | None
    code: str | None
    version: int
    indexed_version: int | None
    chars: int | None
    pages: int | None
    passages: int | None
    source_url: str | None
    metadata: dict[str, str]
    notes: list[str]
    created_at: str


class DocumentChanges(Body):
    name: str | None = None
    title: str | None = Field(
        None, description="Stays when the document is replaced or read again; null: its own again."
    )
    source_url: str | None = None
    metadata: dict[str, str] | None = None


class Stage(BaseModel):
    """``done`` of ``total`` passages in the stage; ``seconds`` that it will take yet, where that is known."""

    stage: str
    bytes: int
    pages: int | None
    done: int
    total: int
    seconds: float | None


class DocumentProgress(BaseModel):
    """``progress`` is null while nobody works on the document."""

    state: State
    progress: Stage | None


class BaseProgress(BaseModel):
    """Documents by state, bytes and passages that are done, bytes that wait; ``seconds`` that the rest will
    take, where that is known."""

    queued: int
    indexing: int
    ready: int
    failed: int
    bytes_done: int
    bytes_waiting: int
    passages: int
    seconds: float | None


class Passage(BaseModel):
    """``start`` and ``end`` are characters of the document's text."""

    position: int
    section: str | None
    page: int | None
    start: int
    end: int
    text: str


class Figure(BaseModel):
    number: int
    label: str
    page: int | None
    width: int
    height: int


class Question(Body):
    query: str
    mode: Mode | None = None
    top_k: int | None = None
    min_score: float | None = None
    deadline: float | None = Field(None, description="Seconds.")
    filter: dict[str, str] | None = Field(None, description="Documents whose metadata have these values.")


class QuestionToBases(Question):
    bases: list[str] = Field(min_length=1, max_length=200, description="By name or id.")


class Hit(BaseModel):
    number: int
    base: str
    document: str
    name: str
    title: str
    source_url: str | None
    section: str | None
    page: int | None
    position: int
    text: str
    similarity: float | None
    cosine: float | None
    found_by: list[Literal["keyword", "meaning"]]
    also_in: list[str]
    truncated: bool
    metadata: dict[str, str] | None = None


class Found(BaseModel):
    mode: Mode
    answered_by: Mode
    took_ms: float
    notes: list[str]
    hits: list[Hit]


class Limit(BaseModel):
    """``source`` names the requirement that a value comes from."""

    key: str
    value: str | int | float | bool | list[str] | None
    source: str
    note: str


class Limits(BaseModel):
    policy: str
    items: list[Limit]


class Agent(BaseModel):
    """`knowledge_mode` says how its bases reach the model; it is null in a list."""

    id: str
    name: str
    prompt: str
    model: str | None
    kind: AgentKind
    grounding: Grounding
    version: int
    knowledge_base_ids: list[str]
    knowledge_mode: KnowledgeMode | None


_Model = Annotated[
    str | None, Field(description="`provider:model`; null and `quoting` are the quoting model.")
]


class NewAgent(Body):
    name: str
    prompt: str = ""
    model: _Model = None
    kind: AgentKind = "text"
    grounding: Grounding | None = Field(None, description="Null or left out: the policy's.")
    knowledge_base_ids: list[str] = []


class AgentChanges(Changes):
    name: str = ""
    prompt: str = ""
    model: _Model = None
    kind: AgentKind = "text"
    grounding: Grounding = "open"
    knowledge_base_ids: list[str] = Field([], description="Replace those that it has; `[]` removes all.")


class Account(BaseModel):
    id: str
    name: str
    purpose: Purpose
    provider: str
    model: str
    dimensions: int | None
    base_url: str | None
    region: str | None
    question_prefix: str
    passage_prefix: str
    state: Literal["unverified", "verified", "failed"]
    error: str | None
    created_at: str | None
    verified_at: str | None


class NewAccount(Body):
    name: str
    provider: str
    purpose: Purpose = "embeddings"
    model: str | None = None
    secret: SecretStr | None = None
    dimensions: int | None = Field(None, ge=1, le=65_536)
    base_url: str | None = None
    region: str | None = None
    question_prefix: str = ""
    passage_prefix: str = ""


class AccountChanges(Body):
    name: str | None = None
    secret: SecretStr | None = None
