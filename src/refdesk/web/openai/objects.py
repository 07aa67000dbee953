"""Bases, documents and hits as this protocol's objects: a base is a vector store, a document a file, by the
same id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from refdesk.desk.bases import Base
from refdesk.errors import NotFound, Refusal
from refdesk.results.documents import BaseProgress, Document
from refdesk.results.found import Hit
from refdesk.web.foreign import score
from refdesk.web.openai.held import Batch, HeldFile

POLL = {"openai-poll-after-ms": "500"}
"""How soon a client that waits asks again."""

_STATES = {"ready": "completed", "queued": "in_progress", "indexing": "in_progress", "failed": "failed"}
_UNSUPPORTED = ("unsupported_type", "wrong_type", "image_type")
_COUNTED = ("in_progress", "completed", "failed", "cancelled")


def seconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp())


def store(base: Base, progress: BaseProgress) -> dict[str, Any]:
    working = progress.queued + progress.indexing
    counts = {"in_progress": working, "completed": progress.ready, "failed": progress.failed, "cancelled": 0}
    return {
        "id": base.id,
        "object": "vector_store",
        "created_at": seconds(base.created_at),
        "last_active_at": None,
        "name": base.name,
        "description": base.description,
        "usage_bytes": progress.bytes_done,
        "file_counts": {**counts, "total": sum(counts.values())},
        "status": "in_progress" if working else "completed",
        "expires_after": None,
        "expires_at": None,
        "metadata": {},
    }


def status(document: Document) -> str:
    return "cancelled" if document.code == "cancelled" else _STATES[document.state]


def store_file(base: Base, document: Document) -> dict[str, Any]:
    failed = status(document) == "failed"
    return {
        "id": document.id,
        "object": "vector_store.file",
        "created_at": seconds(document.created_at),
        "vector_store_id": base.id,
        "status": status(document),
        "last_error": _error(document.code, document.error) if failed else None,
        "usage_bytes": document.chars or 0,
        "attributes": dict(document.metadata),
    }


def refused_file(batch: Batch, file: str, refusal: Refusal) -> dict[str, Any]:
    return {
        "id": file,
        "object": "vector_store.file",
        "created_at": batch.created_at,
        "vector_store_id": batch.store,
        "status": "failed",
        "last_error": _error(refusal.code, refusal.message),
        "usage_bytes": 0,
        "attributes": {},
    }


def _error(code: str | None, message: str | None) -> dict[str, Any]:
    kind = "unsupported_file" if code in _UNSUPPORTED else "invalid_file"
    return {"code": kind, "message": message or ""}


def batch(made: Batch, files: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What was deleted meanwhile counts as cancelled."""
    counts = Counter(str(one["status"]) for one in files)
    counts["cancelled"] += len(made.files) - len(files)
    states = ("in_progress", "completed", "failed", "cancelled")
    return {
        "id": made.id,
        "object": "vector_store.files_batch",
        "created_at": made.created_at,
        "vector_store_id": made.store,
        "status": next((one for one in states if counts[one]), "completed"),
        "file_counts": {**{one: counts[one] for one in _COUNTED}, "total": len(made.files)},
    }


def held_file(file: HeldFile) -> dict[str, Any]:
    return {
        "id": file.id,
        "object": "file",
        "bytes": len(file),
        "created_at": file.created_at,
        "filename": file.name,
        "purpose": file.purpose,
        "status": "uploaded",
    }


def file_of(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "object": "file",
        "bytes": document.chars or 0,  # the file's own size is not kept
        "created_at": seconds(document.created_at),
        "filename": document.name,
        "purpose": "assistants",
        "status": "error" if document.state == "failed" else "processed",
    }


def result(hit: Hit) -> dict[str, Any]:
    return {
        "file_id": hit.document,
        "filename": hit.name,
        "score": score(hit),
        "attributes": dict(hit.metadata),
        "content": [{"type": "text", "text": hit.text}],
    }


def listed(
    objects: Sequence[Mapping[str, Any]], order: str, limit: int, after: str | None, before: str | None
) -> dict[str, Any]:
    """A page of ``objects``, which come the oldest first. ``before`` is the page that ends there."""
    ordered = list(objects) if order == "asc" else list(reversed(objects))
    ids = [one["id"] for one in ordered]
    for edge in (after, before):
        if edge is not None and edge not in ids:
            raise NotFound(f"There is nothing with the id {edge[:80]!r} in this list.")
    start = ids.index(after) + 1 if after is not None else 0
    end = ids.index(before) if before is not None else len(ids)
    if before is not None and after is None:
        start = max(start, end - limit)
    page = ordered[start : min(end, start + limit)]
    more = start > 0 if before is not None and after is None else start + limit < end
    return {
        "object": "list",
        "data": page,
        "first_id": page[0]["id"] if page else None,
        "last_id": page[-1]["id"] if page else None,
        "has_more": more,
    }
