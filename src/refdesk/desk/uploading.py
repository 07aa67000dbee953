"""One upload, as a request brings it: a new document, or a new version of one. A server leaves the work to
its intake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdesk.catalog.bases import BaseRow
from refdesk.catalog.common import checked_name
from refdesk.catalog.documents import DocumentRow
from refdesk.desk.documents import Document, document_of
from refdesk.desk.intake import Task
from refdesk.desk.parts import Parts
from refdesk.errors import NotFound
from refdesk.ingest.accept import (
    Accepted,
    Change,
    Upload,
    accept,
    checked_metadata,
    checked_source_url,
    title_of,
)
from refdesk.ingest.again import reingest
from refdesk.ingest.screened import Labels, screened

_LABELS = ("name", "title", "source_url", "metadata")


def upload(parts: Parts, base: BaseRow, content: Upload) -> tuple[Document, Change]:
    """What was accepted, queued. Raises ``Refusal``; ``Failed`` (``reader_busy``, ``upload_broke_off``)."""
    intake = parts.house.intake
    if intake is None:
        accepted = accept(parts.context, parts.policy, base, content, parts.actor)
    else:
        accepted = intake.do(Task(parts.principal, parts.project.id, base.id, content))
    row = parts.catalog.documents.find(accepted.document, parts.project.id)
    if row is None:
        raise NotFound(f"Document {accepted.document} was deleted as soon as it was accepted.")
    return document_of(row), accepted.change


def read_again(parts: Parts, row: DocumentRow) -> None:
    """Raises what ``reingest`` raises, and ``Failed`` (``upload_broke_off``)."""
    intake = parts.house.intake
    if intake is None:
        reingest(parts.context, parts.policy, row, parts.actor)
    else:
        intake.do(Task(parts.principal, parts.project.id, document=row.id))


def taken_in(parts: Parts, task: Task) -> Accepted | None:
    """The work of an intake."""
    if task.upload is not None:
        assert task.base is not None
        base = parts.catalog.bases.get(parts.project, task.base)
        return accept(parts.context, parts.policy, base, task.upload, parts.actor)
    assert task.document is not None
    row = parts.catalog.documents.find(task.document, parts.project.id)
    if row is None:
        raise NotFound(f"Document {task.document} was deleted meanwhile.")
    reingest(parts.context, parts.policy, row, parts.actor)
    return None


def title_with(row: DocumentRow, name: str) -> str:
    """Under another name: one that was made from the name is made again (D2)."""
    return title_of(name) if row.title == title_of(row.name) else row.title


def relabelled(parts: Parts, row: DocumentRow, given: Mapping[str, Any]) -> None:
    """Sets what is given, as it may be stored: within the limits, cleaned and screened (CLS1)."""
    named = {key: checked_name(given[key], "a document") for key in ("name", "title") if key in given}
    if "name" in named and "title" not in given:
        named["title"] = title_with(row, named["name"])
    wanted = {**{key: getattr(row, key) for key in _LABELS}, **given, **named}
    checked_source_url(wanted["source_url"])
    checked_metadata(parts.policy, wanted["metadata"])
    kept = screened(parts.policy, None, Labels(**wanted))
    if kept.refusal is not None:
        raise kept.refusal
    values = {key: getattr(kept.labels, key) for key in {*given, *named}}
    if values:
        parts.catalog.documents.edit(row.id, values, parts.actor)
    if values.get("title", row.title) != row.title:
        parts.catalog.documents.requeue([row.id], keep_live=True)
