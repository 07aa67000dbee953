"""What came of a call that added files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

SCREENED = "Screening found"
"""What a note of screening begins with."""


def screened_notes(documents: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Of names and notes of documents what screening said, which a name alone does not tell."""
    return [f"{name}: {note}" for name, notes in documents for note in notes if note.startswith(SCREENED)]


@dataclass(frozen=True, slots=True)
class AddedDocument:
    """``change`` and ``id`` are null for a refused file; then ``code`` and ``error`` say why."""

    id: str | None
    name: str
    state: str
    change: str | None
    code: str | None
    error: str | None
    passages: int | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Added:
    documents: Sequence[AddedDocument]
    seconds: float
    notes: Sequence[str] = field(default=())

    @property
    def refused(self) -> bool:
        return any(document.state == "refused" for document in self.documents)

    @property
    def failed(self) -> bool:
        return any(document.state == "failed" for document in self.documents)

    def to_dict(self) -> dict[str, Any]:
        return {
            "documents": [document.to_dict() for document in self.documents],
            "seconds": round(self.seconds, 3),
        }
