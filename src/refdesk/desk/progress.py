"""How far ingestion is, of one document and of a base."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from refdesk.catalog.documents import DocumentRow


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """``stage`` is ``claim``, ``read``, ``embed`` or ``index``; ``done`` of ``total`` passages in it, and
    ``seconds`` that the stage will take yet, as far as that can be known. ``pages`` null until read."""

    stage: str
    bytes: int
    pages: int | None
    done: int
    total: int
    seconds: float | None


def progress_of(row: DocumentRow) -> DocumentProgress | None:
    """``None`` where no worker has it."""
    if row.progress is None:
        return None
    pages = len(row.content.pages) if row.content.pages else None
    return DocumentProgress(bytes=row.content.bytes, pages=pages, **row.progress)


@dataclass(frozen=True, slots=True)
class BaseProgress:
    """Documents by state, bytes and passages that are done, and bytes that wait. ``seconds`` that the rest
    will take at the pace of the documents done last; null where nothing tells that yet."""

    queued: int
    indexing: int
    ready: int
    failed: int
    bytes_done: int
    bytes_waiting: int
    passages: int
    seconds: float | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
