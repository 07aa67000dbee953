"""Doing documents again: retry what failed, re-ingest what is ready (ING4, D11)."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile

from refdesk.catalog.common import Actor
from refdesk.catalog.document_rows import DocumentRow
from refdesk.catalog.documents import Superseded
from refdesk.errors import UsageError
from refdesk.ingest.accept import Upload, accept_version
from refdesk.ingest.context import Context
from refdesk.policy import Policy


def retry(context: Context, policy: Policy, row: DocumentRow, actor: Actor) -> None:
    """Queues a failed document again. Raises ``UsageError`` (``wrong_state``) where it is not failed."""
    _check(row, "failed", "can be retried")
    _requeue(context, policy, row)
    context.catalog.audit.add(actor, "document.retry", row.id)


def reingest(context: Context, policy: Policy, row: DocumentRow, actor: Actor) -> None:
    """Reads the original again, as a new version; without an original the stored text is indexed again.
    Raises ``UsageError`` (``wrong_state``) where the document is not ready, and what reading refuses."""
    _check(row, "ready", "can be re-ingested")
    original = context.blobs.get(row.id, row.files, "original")
    if original is None:
        _requeue(context, policy, row)
    else:
        _read_again(context, policy, row, original, actor)
    context.catalog.audit.add(actor, "document.reingest", row.id)


def _check(row: DocumentRow, state: str, what: str) -> None:
    if row.state != state:
        raise _wrong(f"{row.name} is {row.state}, and only a document that is {state} {what}.", row)


def _wrong(sentence: str, row: DocumentRow) -> UsageError:
    return UsageError(sentence, code="wrong_state", actual=row.state)


def _requeue(context: Context, policy: Policy, row: DocumentRow) -> None:
    keep = policy.ingestion.while_reprocessing == "keep"
    if not context.catalog.documents.requeue([row.id], keep_live=keep):
        raise _wrong(f"{row.name} was changed by someone else: look again.", row)


def _read_again(context: Context, policy: Policy, row: DocumentRow, original: bytes, actor: Actor) -> None:
    keep = policy.ingestion.while_reprocessing == "keep"
    with NamedTemporaryFile() as file:
        file.write(original)
        file.flush()
        upload = Upload(
            Path(file.name), row.name, row.content.declared_type, row.source_url, dict(row.metadata)
        )
        try:
            accept_version(context, policy, row, upload, actor, keep_live=keep)
        except Superseded as error:
            raise _wrong(f"{row.name} was changed by someone else: look again.", row) from error
