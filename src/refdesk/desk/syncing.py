"""Making a base equal a folder (D3). Each step may be repeated: what a crash cut, the next call does."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from refdesk.catalog.bases import BaseRow
from refdesk.catalog.document_rows import DocumentRow
from refdesk.desk.adding import added_document, put, work_until_done
from refdesk.desk.changes import Changes, changes
from refdesk.desk.documents import Document, document_of
from refdesk.desk.parts import Parts
from refdesk.desk.uploading import title_with
from refdesk.errors import RefdeskError, Refusal, UsageError
from refdesk.files import Collected, Named, collect
from refdesk.ingest.accept import Accepted, Change, Upload
from refdesk.ingest.context import Progress
from refdesk.ingest.removals import pay
from refdesk.results.added import AddedDocument, screened_notes
from refdesk.results.synced import Synced

Outcome = tuple[Named, DocumentRow | None, Accepted | Refusal]


def sync(
    parts: Parts,
    base: BaseRow | None,
    make: Callable[[], BaseRow],
    folder: str | Path,
    *,
    dry_run: bool,
    wait: bool,
    delete_all: bool,
    progress: Progress,
) -> Synced:
    """``make`` makes the base where there is none and something is to be done."""
    started = time.monotonic()
    collected = _collected(folder)
    rows = [] if base is None else parts.catalog.documents.of_base(base.id)
    planned = changes(parts, collected.files, rows)
    if not delete_all:
        _check_something_stays(folder, planned, rows)
    outcomes = [] if dry_run else _carried_out(parts, base or make(), planned, progress)
    if wait and not dry_run:
        work_until_done(parts, _unfinished(planned, outcomes), progress)
    done = _planned(planned) if dry_run else _done(outcomes)
    sent = _sent(parts, outcomes)
    return Synced(
        added=[name for name, change in done if change == "added"],
        replaced=[name for name, change in done if change == "replaced"],
        renamed=[(one.row.name, one.name) for one in planned.renamed],
        deleted=[row.name for row in planned.deleted],
        unchanged=[
            *(row.name for row in planned.unchanged),
            *(name for name, change in done if change == "unchanged"),
        ],
        documents=_documents(planned, outcomes, sent),
        seconds=time.monotonic() - started,
        notes=[*collected.notes(), *screened_notes((one.name, one.notes) for one in sent.values())],
    )


def _collected(folder: str | Path) -> Collected:
    if not Path(folder).is_dir():
        raise UsageError(f"There is no folder {str(folder)!r}: sync makes a base equal one folder.")
    return collect([folder])


def _check_something_stays(folder: str | Path, planned: Changes, rows: Sequence[DocumentRow]) -> None:
    """A folder that is empty is more often the wrong one, or not mounted, than meant."""
    if rows and len(planned.deleted) == len(rows) and not planned.put:
        many = f"all {len(rows)} documents" if len(rows) > 1 else "the one document"
        raise UsageError(
            f"The folder {str(folder)!r} has no file that the base could hold, and syncing would delete "
            f"{many} of the base: if that is meant, say --delete-all (delete_all=True).",
            actual=len(rows),
        )


def _carried_out(parts: Parts, base: BaseRow, planned: Changes, progress: Progress) -> list[Outcome]:
    for rename in planned.renamed:
        title = title_with(rename.row, rename.name)
        parts.catalog.documents.edit(rename.row.id, {"name": rename.name, "title": title}, parts.actor)
    if planned.deleted:
        parts.catalog.documents.delete(planned.deleted, parts.actor)
        pay(parts.context)
    failed = [row.id for row in planned.unchanged if row.state == "failed"]
    parts.catalog.documents.requeue(failed, keep_live=True)
    outcomes: list[Outcome] = []
    for number, (file, row) in enumerate(planned.put, start=1):
        outcomes.append((file, row, put(parts, base, Upload(file.path, file.name))))
        progress("read", file.name, number, len(planned.put))
    return outcomes


def _unfinished(planned: Changes, outcomes: Sequence[Outcome]) -> list[str]:
    accepted = [one.document for _, _, one in outcomes if isinstance(one, Accepted)]
    renamed = [one.row.id for one in planned.renamed]
    return [*accepted, *renamed, *(row.id for row in planned.unchanged if row.state != "ready")]


def _planned(planned: Changes) -> list[tuple[str, Change]]:
    return [(file.name, "replaced" if row else "added") for file, row in planned.put]


def _done(outcomes: Sequence[Outcome]) -> list[tuple[str, Change]]:
    return [(file.name, one.change) for file, _, one in outcomes if isinstance(one, Accepted)]


def _sent(parts: Parts, outcomes: Sequence[Outcome]) -> Mapping[str, Document]:
    """The documents that were sent in, as they are now, by id."""
    ids = [one.document for _, _, one in outcomes if isinstance(one, Accepted)]
    return {row.id: document_of(row) for row in parts.catalog.documents.those(ids)}


def _documents(
    planned: Changes, outcomes: Sequence[Outcome], sent: Mapping[str, Document]
) -> list[AddedDocument]:
    """Of every file that was sent in, or refused."""
    return [
        _refused(file, row, one) if isinstance(one, RefdeskError) else added_document(file.name, one, sent)
        for file, row, one in (*planned.refused, *outcomes)
    ]


def _refused(file: Named, kept: DocumentRow | None, error: RefdeskError) -> AddedDocument:
    said = f" The base keeps version {kept.version} of {kept.name}." if kept else ""
    return AddedDocument(None, file.name, "refused", None, error.code, f"{error.message}{said}", None)
