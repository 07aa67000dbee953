"""Knowledge bases as their users see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from refdesk.catalog.bases import BaseRow
from refdesk.catalog.documents import DocumentRow
from refdesk.desk.added import Added
from refdesk.desk.documents import Document, document_of
from refdesk.desk.parts import Parts
from refdesk.index.analysis import VERSION
from refdesk.ingest.context import Progress, silent
from refdesk.ingest.removals import pay
from refdesk.ingest.settings import IndexSettings
from refdesk.policy.model import BaseKind


class Base:
    """A base as it was when it was looked up; its methods act on it as it is."""

    def __init__(self, parts: Parts, row: BaseRow) -> None:
        self._parts = parts
        self._row = row
        self.id = row.id
        self.name = row.name
        self.slug = row.slug
        self.description = row.description
        self.kind = row.kind
        self.embedding_account_id = row.embedding_account_id
        self.documents = row.documents
        self.ready_chars = row.ready_chars
        self.total_chars = row.total_chars
        self.created_at = row.created_at

    def __repr__(self) -> str:
        return f"Base({self.name!r}, {self.id})"

    def to_dict(self) -> dict[str, Any]:
        table = asdict(self._row)
        del table["project_id"]
        return table

    def add(
        self,
        *paths: str | Path,
        wait: bool = False,
        source_url: str | None = None,
        metadata: Mapping[str, str] | None = None,
        progress: Progress = silent,
    ) -> Added:
        """Files and folders in. A refused file stays out and is told; the others go on. ``wait`` works until
        each is ready or failed; without it they are queued for whoever works the queue."""
        self._parts.authorize("document.write")
        from refdesk.desk.adding import add

        return add(
            self._parts,
            self._row,
            paths,
            wait=wait,
            source_url=source_url,
            metadata=metadata,
            progress=progress,
        )

    def list_documents(self) -> Sequence[Document]:
        """In the order that they came."""
        self._parts.authorize("document.read")
        return [document_of(row) for row in self._documents()]

    def reindex(self) -> int:
        """Queues every document that is not fully indexed; all of them where the embedding model or the
        analyzer is another than they were indexed with. Returns how many."""
        parts = self._parts
        parts.authorize("base.update")
        settings = IndexSettings(parts.index(self.id))
        account = self.embedding_account_id or parts.default_account()
        if account != self.embedding_account_id:
            parts.catalog.bases.set_embedding_account(self.id, account)
        every = settings.analyzer != VERSION
        if account is not None and settings.fingerprint != parts.embedder(account).fingerprint.key:
            settings.turn_to(parts.embedder(account).fingerprint.key)
            every = True
        wanted = [row.id for row in self._documents() if every or row.state == "failed"]
        keep = parts.policy.ingestion.while_reprocessing == "keep"
        queued = parts.catalog.documents.requeue(wanted, keep_live=keep)
        settings.set_analyzer(VERSION)  # last: broken off before, the next call queues them all again
        parts.catalog.audit.add(parts.actor, "base.reindex", self.id)
        return queued

    def delete(self, *, erase: bool = False) -> None:
        """The base and everything in it, for good; ``erase`` as for documents."""
        self._parts.authorize("base.delete")
        if erase:
            ids = [document.id for document in self._documents()]
            self._parts.catalog.runs.erase(ids, self._parts.actor)
        self._parts.catalog.bases.delete(self.id, self._parts.actor)
        pay(self._parts.context)

    def _documents(self) -> Sequence[DocumentRow]:
        return self._parts.catalog.documents.of_base(self.id)


class Bases:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def create(self, name: str, *, description: str | None = None, kind: BaseKind | None = None) -> Base:
        parts = self._parts
        parts.authorize("base.create")
        row = parts.catalog.bases.create(
            parts.project,
            parts.policy,
            name,
            description=description,
            kind=kind,
            embedding_account_id=parts.default_account(),
            actor=parts.actor,
        )
        return Base(parts, row)

    def get(self, name_or_id: str) -> Base:
        self._parts.authorize("base.read")
        return Base(self._parts, self._parts.catalog.bases.get(self._parts.project, name_or_id))

    def find(self, name_or_id: str) -> Base | None:
        self._parts.authorize("base.read")
        row = self._parts.catalog.bases.find(self._parts.project, name_or_id)
        return None if row is None else Base(self._parts, row)

    def list(self) -> Sequence[Base]:
        self._parts.authorize("base.read")
        return [Base(self._parts, row) for row in self._parts.catalog.bases.all(self._parts.project)]
