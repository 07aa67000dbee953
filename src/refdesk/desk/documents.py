"""A document as its users see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refdesk.catalog.document_rows import DocumentRow
from refdesk.catalog.queue import PENDING
from refdesk.desk.parts import Parts
from refdesk.desk.progress import progress_of
from refdesk.errors import NotFound, UsageError
from refdesk.index.model import Stored
from refdesk.ingest.kept import figure_part
from refdesk.ingest.removals import pay
from refdesk.results.documents import Document, DocumentFigure
from refdesk.unset import UNSET, Unset

__all__ = ["WAITS_FOR_VECTORS", "Document", "DocumentFigure", "Documents", "document_of"]

WAITS_FOR_VECTORS = "Its vectors are pending: until they are made it is found by keyword alone."


def document_of(row: DocumentRow) -> Document:
    content = row.content
    return Document(
        id=row.id,
        base=row.base,
        name=row.name,
        title=row.title,
        kind=row.kind,
        state=row.state,
        error=row.error,
        code=row.code,
        version=row.version,
        indexed_version=row.indexed_version,
        chars=content.chars,
        pages=len(content.pages) if content.pages else None,
        passages=content.passages,
        source_url=row.source_url,
        metadata=row.metadata,
        notes=(*content.notes, *([WAITS_FOR_VECTORS] if row.code == PENDING else [])),
        created_at=row.created_at,
        progress=progress_of(row),
    )


class Documents:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def get(self, document: str) -> Document:
        self._parts.authorize("document.read")
        return document_of(self._row(document))

    def find(self, document: str) -> Document | None:
        self._parts.authorize("document.read")
        row = self._parts.catalog.documents.find(document, self._parts.project.id)
        return None if row is None else document_of(row)

    def check_upload(self, name: str, declared_type: str | None, size: int) -> None:
        """Whether a file of ``size`` bytes may be offered at all. Raises ``Refusal``; whether it is accepted
        shows when a base is given it."""
        self._parts.authorize("document.write")
        from refdesk.reading.kinds import check_size, kind_of

        check_size(kind_of(name, declared_type, self._parts.policy), size, self._parts.policy)

    def text(self, document: str) -> str:
        """The text as it was read; empty while it has not been."""
        self._parts.authorize("document.read")
        row = self._row(document)
        text = self._parts.blobs.get(row.id, row.files, "text")
        return "" if text is None else text.decode()

    def passages(self, document: str) -> Sequence[Stored]:
        """Those that searches see now, by position."""
        self._parts.authorize("document.read")
        row = self._row(document)
        if row.indexed_version is None:
            return []
        return self._parts.index(row.base_id).document(row.id, row.indexed_version)

    def original(self, document: str) -> bytes:
        self._parts.authorize("document.original")
        row = self._row(document)
        original = self._parts.blobs.get(row.id, row.files, "original")
        if original is None:
            raise NotFound(f"No original of {row.name} is kept: its text is.", code="original_not_kept")
        return original

    def figures(self, document: str) -> Sequence[DocumentFigure]:
        """In the order of the text."""
        self._parts.authorize("document.read")
        row = self._row(document)
        return [
            DocumentFigure(one["number"], one["label"], one["page"], one["width"], one["height"])
            for one in row.content.figures
        ]

    def figure(self, document: str, number: int) -> bytes:
        """A figure's picture, lossless WebP."""
        self._parts.authorize("document.read")
        row = self._row(document)
        for one in row.content.figures:
            if one["number"] == number:
                webp = self._parts.blobs.get(row.id, row.files, figure_part(one["sha256"]))
                if webp is not None:
                    return webp
        raise NotFound(f"{row.name} has no figure {number}; it has {len(row.content.figures)}.")

    def update(
        self,
        document: str,
        *,
        name: str | Unset = UNSET,
        title: str | Unset | None = UNSET,
        source_url: str | Unset | None = UNSET,
        metadata: Mapping[str, str] | Unset = UNSET,
    ) -> Document:
        """Changes what is given; hits show it from the next search on (D4). A title that is set stays when
        the document is replaced or read again; ``None`` gives it its own again. A new title is indexed with
        the passages again, which answer meanwhile. Raises ``UsageError``, ``Refusal``."""
        self._parts.authorize("document.write")
        from refdesk.desk.uploading import relabelled

        row = self._row(document)
        given = {"name": name, "title": title, "source_url": source_url, "metadata": metadata}
        relabelled(
            self._parts, row, {key: value for key, value in given.items() if not isinstance(value, Unset)}
        )
        return document_of(self._row(document))

    def delete(self, *documents: str, erase: bool = False) -> int:
        """Removes them from catalog, index and blobs for good. ``erase`` also blanks their passages, and the
        answers that were given them, in receipts: also of a document that was deleted before."""
        self._parts.authorize("document.delete")
        wanted = list(dict.fromkeys(documents))
        rows = [self._row(one) for one in wanted if not (erase and self._only_in_receipts(one))]
        if erase:
            self._parts.catalog.runs.erase(wanted, self._parts.actor)
        self._parts.catalog.documents.delete(rows, self._parts.actor)
        pay(self._parts.context)
        if erase:
            self._parts.catalog.replies.erase(self._parts.project.id)
            self._parts.catalog.database.tidy()  # where nothing was owed, nothing has tidied yet
        return len(wanted)

    def retry(self, document: str) -> Document:
        """Queues a failed document again. Raises ``UsageError`` (``wrong_state``) for another."""
        from refdesk.ingest.again import retry

        self._parts.authorize("document.write")
        retry(self._parts.context, self._parts.policy, self._row(document), self._parts.actor)
        return document_of(self._row(document))

    def reingest(self, document: str) -> Document:
        """Reads a ready document again from its original, else indexes its stored text again (D11). Raises
        ``UsageError`` (``wrong_state``) for one that is not ready, and ``Refusal``."""
        from refdesk.desk.uploading import read_again

        self._parts.authorize("document.write")
        read_again(self._parts, self._row(document))
        return document_of(self._row(document))

    def cancel(self, document: str) -> Document:
        """A queued document is not worked on, one in work stops at its next step, and both read ``failed``
        (``cancelled``); what was live stays. Raises ``UsageError`` (``wrong_state``) where it was neither."""
        self._parts.authorize("document.write")
        row = self._row(document)
        if not self._parts.catalog.queue.cancel(row.id, self._parts.actor):
            raise UsageError(
                f"{row.name} is {row.state}, and only a document that is queued or in work can be cancelled.",
                code="wrong_state",
                actual=row.state,
            )
        return document_of(self._row(document))

    def _only_in_receipts(self, document: str) -> bool:
        project = self._parts.project.id
        gone = self._parts.catalog.documents.find(document, project) is None
        return gone and self._parts.catalog.runs.given(project, document)

    def _row(self, document: str) -> DocumentRow:
        row = self._parts.catalog.documents.find(document, self._parts.project.id)
        if row is None:
            raise NotFound(
                f"There is no document {document!r} in project {self._parts.project.slug}: "
                "`refdesk documents --base NAME` lists them with their ids."
            )
        return row
