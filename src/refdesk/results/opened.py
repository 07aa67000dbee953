"""The document behind a source of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from refdesk.results.documents import Document


@dataclass(frozen=True, slots=True)
class OpenedDocument:
    """``state``: as it was issued, ``changed`` since, or ``gone``; ``cited`` is the passage as it was issued.
    ``text`` is the document's now, and ``start`` and ``end`` the characters of it that the passage covers:
    null where it is gone, or does not hold the passage any more."""

    state: Literal["issued", "changed", "gone"]
    number: int
    name: str
    title: str
    page: int | None
    section: str | None
    cited: str
    document: Document | None
    text: str | None
    start: int | None
    end: int | None

    def to_dict(self) -> dict[str, Any]:
        table = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**table, "document": None if self.document is None else self.document.to_dict()}
