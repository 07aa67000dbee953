"""One upload, as a request brings it: a new document, or a new version of one. A server leaves the work to
its intake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from refdesk.catalog.bases import BaseRow
from refdesk.catalog.common import checked_name
from refdesk.catalog.document_rows import DocumentRow
from refdesk.desk.documents import Document, document_of
from refdesk.desk.intake import BROKE_OFF, Task
from refdesk.desk.parts import Parts
from refdesk.errors import Failed, NotFound, Refusal
from refdesk.ids import new_id
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
from refdesk.reading.kinds import kind_of
from refdesk.screening.clean import clean_text

_COLUMNS = {"name": ("name", "title"), "title": ("set_title",)}  # of each label that can be given


def upload(parts: Parts, base: BaseRow, content: Upload) -> tuple[Document, Change]:
    """What was accepted, queued. Raises ``Refusal``; ``Failed`` (``reader_busy``, ``upload_broke_off``)."""
    content = replace(content, id=content.id or new_id("doc"))
    accepted = _accepted(parts, base, content)
    row = parts.catalog.documents.find(accepted.document, parts.project.id)
    if row is None:
        raise NotFound(f"Document {accepted.document} was deleted as soon as it was accepted.")
    return document_of(row), accepted.change


def _accepted(parts: Parts, base: BaseRow, content: Upload) -> Accepted:
    """An intake that died when it had made the document, and not yet told so, has done its work."""
    intake = parts.house.intake
    if intake is None:
        return accept(parts.context, parts.policy, base, content, parts.actor)
    try:
        told: Accepted = intake.do(Task(parts.principal, parts.project.id, base.id, content))
    except Failed as error:
        assert content.id is not None
        if error.code == BROKE_OFF and parts.catalog.documents.find(content.id, parts.project.id):
            return Accepted(content.id, "added")
        raise
    return told


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
    """A document's own title under another name: one that was made from the name is made again (D2)."""
    return title_of(name) if row.own_title == title_of(row.name) else row.own_title


def relabelled(parts: Parts, row: DocumentRow, given: Mapping[str, Any]) -> None:
    """Sets what is given, as it may be stored: within the limits, cleaned and screened (CLS1). ``title``
    ``None``: it has its own title again."""
    name = _checked_name(parts, row, given["name"]) if "name" in given else row.name
    title = given.get("title", row.set_title)
    wanted = Labels(
        name,
        title_with(row, name),
        given.get("source_url", row.source_url),
        given.get("metadata", row.metadata),
        None if title is None else checked_name(clean_text(title), "a document"),
    )
    checked_source_url(wanted.source_url)
    checked_metadata(parts.policy, wanted.metadata)
    kept = screened(parts.policy, None, wanted)
    if kept.refusal is not None:
        raise kept.refusal
    columns = [column for label in given for column in _COLUMNS.get(label, (label,))]
    if columns:
        values = {column: getattr(kept.labels, column) for column in columns}
        parts.catalog.documents.edit(row.id, values, parts.actor)


def _checked_name(parts: Parts, row: DocumentRow, name: str) -> str:
    """A document is read again as what it is, so its name's extension may not say something else (D8)."""
    checked = checked_name(clean_text(name), "a document")
    if checked == row.name:
        return checked
    try:
        kind = kind_of(checked, row.content.declared_type, parts.policy)
    except Refusal:
        kind = None
    if kind != row.kind:
        raise Refusal(
            f"The document's kind is {row.kind}, and the name {checked!r} does not say so: give it the "
            f"extension that {row.name!r} has.",
            code="wrong_type",
        )
    return checked
