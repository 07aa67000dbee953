"""Adding files to a base, and working the queue until they are done.

A module of its own: a search imports nothing of ingestion, and starts a tenth of a second earlier.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from refdesk.catalog.bases import BaseRow
from refdesk.desk.documents import Document, document_of
from refdesk.desk.parts import Parts
from refdesk.errors import Refusal
from refdesk.files import collect
from refdesk.ingest.accept import Accepted, Upload, accept, checked_metadata, checked_source_url
from refdesk.ingest.context import Progress
from refdesk.ingest.worker import Worker
from refdesk.results.added import Added, AddedDocument, screened_notes

POLL = 0.2  # seconds between looks at a document that another process works on


def add(
    parts: Parts,
    base: BaseRow,
    paths: Sequence[str | Path],
    *,
    wait: bool,
    source_url: str | None,
    metadata: Mapping[str, str] | None,
    progress: Progress,
) -> Added:
    started = time.monotonic()
    checked_metadata(parts.policy, metadata)
    checked_source_url(source_url)
    collected = collect(paths)
    outcomes: list[tuple[str, Accepted | Refusal]] = []
    for number, file in enumerate(collected.files, start=1):
        upload = Upload(file.path, file.name, source_url=source_url, metadata=metadata)
        outcomes.append((file.name, put(parts, base, upload)))
        progress("read", file.name, number, len(collected.files))
    accepted = [outcome.document for _, outcome in outcomes if isinstance(outcome, Accepted)]
    if wait:
        work_until_done(parts, accepted, progress)
    rows = {row.id: document_of(row) for row in parts.catalog.documents.those(accepted)}
    documents = [added_document(name, outcome, rows) for name, outcome in outcomes]
    notes = [*collected.notes(), *screened_notes((row.name, row.notes) for row in rows.values())]
    return Added(documents, time.monotonic() - started, notes)


def work(parts: Parts, progress: Progress) -> int:
    """The queue of every project until nothing can be claimed; how many were done."""
    worker = Worker(parts.context)
    while worker.run_one(progress):
        pass
    return worker.done


def put(parts: Parts, base: BaseRow, upload: Upload) -> Accepted | Refusal:
    """A file in, or why it stays out."""
    try:
        return accept(parts.context, parts.policy, base, upload, parts.actor)
    except Refusal as refusal:
        return refusal


def work_until_done(parts: Parts, documents: Sequence[str], progress: Progress) -> None:
    worker = Worker(parts.context, parts.project.id)
    done, total = 0, len(documents)
    while True:
        progress("index", "", done, total)
        if done < total and worker.run_one(progress):
            done += 1
        elif waiting := parts.catalog.documents.unfinished(documents):
            if done < total:
                time.sleep(POLL)  # another process has them
            done = total - waiting
        else:
            worker.rest()
            progress("index", "", total, total)
            return


def added_document(name: str, outcome: Accepted | Refusal, rows: Mapping[str, Document]) -> AddedDocument:
    if isinstance(outcome, Refusal):
        return AddedDocument(None, name, "refused", None, outcome.code, outcome.message, None)
    row = rows.get(outcome.document)
    if row is None:
        return AddedDocument(
            outcome.document, name, "failed", outcome.change, "not_found", "It was deleted meanwhile.", None
        )
    return AddedDocument(row.id, name, row.state, outcome.change, row.code, row.error, row.passages)
