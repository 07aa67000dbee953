"""The shape of a policy. A key that a file leaves out has no limit where the type allows ``None``."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveFloat, PositiveInt, model_validator

Kind = Literal["markdown", "text", "word", "pdf", "image"]
Mode = Literal["keyword", "meaning", "hybrid"]
Grounding = Literal["open", "preferred", "required"]
Decision = Literal["allow", "report", "redact", "review_required", "block"]
BaseKind = Literal["generic", "company"]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


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

    @model_validator(mode="after")
    def _every_kind_is_complete(self) -> Documents:
        for name, table in (("max_bytes", self.max_bytes), ("keep_original", self.keep_original)):
            if set(table) != set(self.kinds):
                raise ValueError(f"{name} must name exactly the kinds {', '.join(self.kinds)}")
        return self


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


class Passages(Section):
    unit: Literal["characters", "tokens"]
    size: PositiveInt
    max_size: PositiveInt
    overlap: NonNegativeInt
    overlap_sentences: NonNegativeInt
    max_count: PositiveInt | None = None

    @model_validator(mode="after")
    def _sizes_fit(self) -> Passages:
        if self.max_size < self.size:
            raise ValueError("max_size must not be below size")
        if self.overlap > self.size:
            raise ValueError("overlap must not be above size")
        return self


class Embedding(Section):
    default_account: str | None = None
    scope: Literal["base", "deployment"]


class Search(Section):
    mode: Mode
    top_k: PositiveInt
    max_top_k: PositiveInt
    max_characters: PositiveInt | None = None
    per_call: PositiveInt | None = None
    question_min: PositiveInt
    question_max: PositiveInt
    deadline_seconds: PositiveFloat | None = None
    min_score: float | None = Field(default=None, ge=0, le=1)
    warn_min_score_over: float | None = None
    warn_tokens_over: PositiveInt | None = None


class Ingestion(Section):
    accept: Literal["request", "queue"]
    concurrent_per_organization: PositiveInt
    while_reprocessing: Literal["skip", "keep"]


class Bases(Section):
    kind: BaseKind
    unique_within: Literal["organization", "project"]
    company_needs_platform_admin: bool
    max_per_project: PositiveInt | None = None
    max_documents: PositiveInt | None = None
    max_project_characters: PositiveInt | None = None


class Agents(Section):
    max_bases: PositiveInt | None = None
    grounding: Grounding
    inline_characters: PositiveInt | None = None
    prompt_characters: PositiveInt | None = None


class Answers(Section):
    references: PositiveInt
    uncovered: Literal["say_and_answer", "say"]
    fold_lines: PositiveInt
    fold_characters: PositiveInt


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
