"""What a search gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdesk.policy.model import Mode  # pydantic would take longer to import than a question takes


@dataclass(frozen=True, slots=True)
class Hit:
    """A found passage. ``base`` is its base's name; ``position`` counts from 1; ``similarity`` is 0-1
    and ``cosine`` raw, both ``None`` where no vector was compared; ``also_in`` has the names of other
    documents that hold the same text."""

    number: int
    base: str
    document: str
    name: str
    title: str
    source_url: str | None
    metadata: Mapping[str, str]
    section: str | None
    page: int | None
    position: int
    text: str
    similarity: float | None
    cosine: float | None
    found_by: tuple[str, ...]
    also_in: tuple[str, ...]
    truncated: bool

    @property
    def locator(self) -> str:
        """Where in the document: ``page 3``, the section path, or ``passage 7``."""
        if self.page is not None:
            return f"page {self.page}"
        return self.section or f"passage {self.position}"

    def to_dict(self) -> dict[str, Any]:
        """The contract's fields, with ``metadata`` where the document has some."""
        table = {one.name: getattr(self, one.name) for one in fields(Hit)}
        if not self.metadata:
            del table["metadata"]
        return table


@dataclass(frozen=True, slots=True)
class Found:
    """``mode`` was asked for, ``answered_by`` answered; ``notes`` say what differed and why."""

    mode: Mode
    answered_by: Mode
    took_ms: float
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def to_dict(self) -> dict[str, Any]:
        return {
            "mode": self.mode,
            "answered_by": self.answered_by,
            "took_ms": round(self.took_ms, 2),
            "notes": list(self.notes),
            "hits": [hit.to_dict() for hit in self.hits],
        }
