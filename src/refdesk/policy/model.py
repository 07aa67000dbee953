"""The shape of a policy. A key that a file leaves out has no limit where the type allows ``None``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, Self

Kind = Literal["markdown", "text", "word", "pdf", "image"]
Mode = Literal["keyword", "meaning", "hybrid"]
Grounding = Literal["open", "preferred", "required"]
Decision = Literal["allow", "report", "redact", "review_required", "block"]
BaseKind = Literal["generic", "company"]


@dataclass(frozen=True, slots=True)
class _Within:
    """A range, for whoever validates a policy with pydantic; a policy itself needs none of it."""

    gt: int | None = None
    ge: int | None = None
    le: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        return handler(source) | {key: value for key, value in asdict(self).items() if value is not None}


PositiveInt = Annotated[int, _Within(gt=0)]
NonNegativeInt = Annotated[int, _Within(ge=0)]
PositiveFloat = Annotated[float, _Within(gt=0)]
Share = Annotated[float, _Within(ge=0, le=1)]


@dataclass(frozen=True)
class Section:
    __pydantic_config__: ClassVar = {"extra": "forbid"}

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """With other values, which nobody checks."""
        return replace(self, **update)


@dataclass(frozen=True, kw_only=True)
class Documents(Section):
    kinds: tuple[Kind, ...]
    max_bytes: dict[Kind, PositiveInt]
    max_characters: PositiveInt
    max_pages: PositiveInt
    max_seconds: PositiveFloat
    max_line_characters: PositiveInt | None = None
    keep_original: dict[Kind, bool]
    concurrent_pdf_reads: PositiveInt | None = None
    metadata_entries: PositiveInt
    metadata_characters: PositiveInt

    def __post_init__(self) -> None:
        for name, table in (("max_bytes", self.max_bytes), ("keep_original", self.keep_original)):
            if set(table) != set(self.kinds):
                raise ValueError(f"{name} must name exactly the kinds {', '.join(self.kinds)}")


@dataclass(frozen=True, kw_only=True)
class Figures(Section):
    max_count: NonNegativeInt
    max_pixels: PositiveInt
    max_bytes: PositiveInt
    min_side: PositiveInt
    max_total_bytes: PositiveInt
    max_stored_side: PositiveInt
    prepare_seconds: PositiveFloat
    label_characters: PositiveInt
    description_characters: PositiveInt
    description_reserved_cents: PositiveInt
    description_expected_cents: PositiveInt
    shown: NonNegativeInt


@dataclass(frozen=True, kw_only=True)
class Screening(Section):
    credential: Decision
    private_key: Decision
    payment_card: Decision
    iban: Decision
    national_id: Decision
    email: Decision
    phone: Decision

    @property
    def decides(self) -> bool:
        """Whether a finding can change or refuse a document."""
        return any(rule not in ("allow", "report") for rule in vars(self).values())


@dataclass(frozen=True, kw_only=True)
class Passages(Section):
    unit: Literal["characters", "tokens"]
    size: PositiveInt
    max_size: PositiveInt
    overlap: NonNegativeInt
    overlap_sentences: NonNegativeInt
    max_count: PositiveInt | None = None

    def __post_init__(self) -> None:
        if self.max_size < self.size:
            raise ValueError("max_size must not be below size")
        if self.overlap > self.size:
            raise ValueError("overlap must not be above size")


@dataclass(frozen=True, kw_only=True)
class Embedding(Section):
    default_account: str | None = None
    scope: Literal["base", "deployment"]


@dataclass(frozen=True, kw_only=True)
class Search(Section):
    mode: Mode
    top_k: PositiveInt
    max_top_k: PositiveInt
    max_characters: PositiveInt | None = None
    per_call: PositiveInt | None = None
    question_min: PositiveInt
    question_max: PositiveInt
    deadline_seconds: PositiveFloat | None = None
    min_score: Share | None = None
    warn_min_score_over: float | None = None
    warn_tokens_over: PositiveInt | None = None


@dataclass(frozen=True, kw_only=True)
class Ingestion(Section):
    accept: Literal["request", "queue"]
    concurrent_per_organization: PositiveInt
    while_reprocessing: Literal["skip", "keep"]


@dataclass(frozen=True, kw_only=True)
class Bases(Section):
    kind: BaseKind
    unique_within: Literal["organization", "project"]
    company_needs_platform_admin: bool
    max_per_project: PositiveInt | None = None
    max_documents: PositiveInt | None = None
    max_project_characters: PositiveInt | None = None


@dataclass(frozen=True, kw_only=True)
class Agents(Section):
    max_bases: PositiveInt | None = None
    grounding: Grounding
    inline_characters: PositiveInt | None = None
    prompt_characters: PositiveInt | None = None


@dataclass(frozen=True, kw_only=True)
class Answers(Section):
    delivery: Literal["references", "tool"]
    references: PositiveInt
    searches: PositiveInt
    uncovered: Literal["say_and_answer", "say"]
    fold_lines: PositiveInt
    fold_characters: PositiveInt


@dataclass(frozen=True, kw_only=True)
class Policy(Section):
    name: str
    documents: Documents
    figures: Figures
    screening: Screening
    passages: Passages
    embedding: Embedding
    search: Search
    ingestion: Ingestion
    bases: Bases
    agents: Agents
    answers: Answers

    @property
    def reads_at_once(self) -> bool:
        """Whether a document is read while its request waits: also where screening decides, since nothing is
        stored before it has (CLS1)."""
        return self.ingestion.accept == "request" or self.screening.decides
