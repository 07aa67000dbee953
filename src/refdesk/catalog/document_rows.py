"""A document with its newest version, as the catalog gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, and_, select

from refdesk.catalog.schema import bases, documents, slots, versions


@dataclass(frozen=True, slots=True)
class Content:
    """One version's facts. ``chars`` and ``pages`` are null until it has been read; ``pages`` holds
    ``(number, start, end)`` in the text, ``figures`` ``{number, label, page, width, height, sha256}``;
    ``declared_type`` is the content type of the upload."""

    sha256: str
    bytes: int
    chars: int | None
    passages: int | None
    pages: Sequence[tuple[int, int, int]] | None
    notes: Sequence[str]
    figures: Sequence[Mapping[str, Any]] = ()
    declared_type: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """``base`` is the base's name; ``indexed_version`` is the version that searches see, ``progress``
    what a worker last told of it (ingest.heartbeat)."""

    id: str
    base_id: str
    base: str
    name: str
    own_title: str
    set_title: str | None
    kind: str
    state: str
    code: str | None
    error: str | None
    version: int
    indexed_version: int | None
    source_url: str | None
    metadata: Mapping[str, str]
    created_at: str
    files: str
    content: Content
    progress: Mapping[str, Any] | None

    @property
    def title(self) -> str:
        return self.set_title or self.own_title


ROWS = (
    select(documents, bases.c.name.label("base"), versions, slots.c.progress)
    .join(bases, bases.c.id == documents.c.base_id)
    .outerjoin(slots, slots.c.id == documents.c.slot)
    .join(versions, and_(versions.c.document_id == documents.c.id, versions.c.version == documents.c.version))
)


def row_of(row: RowMapping) -> DocumentRow:
    return DocumentRow(
        id=row["id"],
        base_id=row["base_id"],
        base=row["base"],
        name=row["name"],
        own_title=row["title"],
        set_title=row["set_title"],
        kind=row["kind"],
        state=row["state"],
        code=row["code"],
        error=row["error"],
        version=row["version"],
        indexed_version=row["live_version"],
        source_url=row["source_url"],
        metadata=row["metadata"],
        created_at=row["created_at"],
        files=row["files"],
        content=Content(
            sha256=row["sha256"],
            bytes=row["bytes"],
            chars=row["chars"],
            passages=row["passages"],
            pages=None if row["pages"] is None else [tuple(page) for page in row["pages"]],
            notes=row["notes"],
            figures=row["figures"],
            declared_type=row["declared_type"],
        ),
        progress=row["progress"],
    )
