"""How far ingestion of a document is."""

from __future__ import annotations

from refdesk.catalog.document_rows import DocumentRow
from refdesk.results.documents import DocumentProgress


def progress_of(row: DocumentRow) -> DocumentProgress | None:
    """``None`` where no worker has it."""
    if row.progress is None:
        return None
    pages = len(row.content.pages) if row.content.pages else None
    return DocumentProgress(bytes=row.content.bytes, pages=pages, **row.progress)
