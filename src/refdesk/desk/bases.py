"""Knowledge bases as their users see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdesk.catalog.bases import BaseRow, Counts
from refdesk.catalog.document_rows import DocumentRow
from refdesk.desk.documents import Document, document_of
from refdesk.desk.embedding import checked_account, index_by, reindex
from refdesk.desk.naming import as_stored, check_text
from refdesk.desk.parts import Parts
from refdesk.ids import is_id
from refdesk.ingest.context import Progress, silent
from refdesk.ingest.removals import pay
from refdesk.policy.model import BaseKind
from refdesk.results.added import Added
from refdesk.results.documents import BaseProgress
from refdesk.results.synced import Synced
from refdesk.screening.clean import clean_text
from refdesk.unset import UNSET, Unset

if TYPE_CHECKING:
    from refdesk.ingest.accept import Change


class Base:
    """A base as it was when it was looked up, and its counts when they were first asked for; its methods act
    on it as it is."""

    def __init__(self, parts: Parts, row: BaseRow, counts: Counts | None = None) -> None:
        self._parts = parts
        self._row = row
        self.id = row.id
        self.name = row.name
        self.slug = row.slug
        self.description = row.description
        self.kind = row.kind
        self.embedding_account_id = row.embedding_account_id
        self.created_at = row.created_at
        self._counted = counts

    def __repr__(self) -> str:
        return f"Base({self.name!r}, {self.id})"

    @property
    def documents(self) -> int:
        return self._counts().documents

    @property
    def ready_chars(self) -> int:
        """What it serves now (KB5)."""
        return self._counts().ready_chars

    @property
    def total_chars(self) -> int:
        return self._counts().total_chars

    def _counts(self) -> Counts:
        if self._counted is None:
            self._counted = self._parts.catalog.bases.counts(self.id)
        return self._counted

    def to_dict(self) -> dict[str, Any]:
        table = asdict(self._row) | asdict(self._counts())
        del table["project_id"], table["follows_policy"]
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

    def sync(
        self,
        folder: str | Path,
        *,
        dry_run: bool = False,
        wait: bool = False,
        delete_all: bool = False,
        progress: Progress = silent,
    ) -> Synced:
        """Makes the base equal a folder (D3): the same bytes under another name are a rename, and what the
        folder has no more is deleted. A refused file is told and leaves what the base has. ``dry_run``
        changes nothing, and cannot know what reading a file would refuse. Raises ``UsageError`` where there
        is no such folder, or where nothing of the base would be left and not ``delete_all``."""
        self._parts.authorize("base.sync")
        from refdesk.desk.syncing import sync

        return sync(
            self._parts,
            self._now(),
            self._now,
            folder,
            dry_run=dry_run,
            wait=wait,
            delete_all=delete_all,
            progress=progress,
        )

    def upload(
        self,
        path: Path,
        name: str,
        *,
        declared_type: str | None = None,
        source_url: str | None = None,
        metadata: Mapping[str, str] | None = None,
        replaces: str | None = None,
        id: str | None = None,  # noqa: A002
    ) -> Document:
        """One file in, called ``name``, as a document of its own also where another has that name (D2); or as
        the next version of the document with the id ``replaces``. ``id`` is that of a new one, where a door
        has promised it. Raises ``Refusal``, ``NotFound``, and ``Failed`` (``reader_busy``) with
        ``retry_after``."""
        self._parts.authorize("document.write")
        from refdesk.desk.uploading import upload
        from refdesk.ingest.accept import Upload

        target = replaces or "new"
        content = Upload(path, name, declared_type, source_url, metadata, target, id)
        return upload(self._parts, self._row, content)[0]

    def put(
        self,
        path: Path,
        name: str,
        *,
        declared_type: str | None = None,
        source_url: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> tuple[Document, Change]:
        """One file in as ``add`` takes it (D3): as the next version of the document of its name, where the
        base has one. Raises what ``upload`` raises."""
        self._parts.authorize("document.write")
        from refdesk.desk.uploading import upload
        from refdesk.ingest.accept import Upload

        return upload(self._parts, self._row, Upload(path, name, declared_type, source_url, metadata))

    def page(
        self,
        after: str = "",
        limit: int = 50,
        states: Sequence[str] | None = None,
        *,
        name: str | None = None,
        sha256: str | None = None,
    ) -> Sequence[Document]:
        """The next ``limit`` documents behind the id ``after``, in the order that they came (H1): those that
        a file called ``name`` would have the name of, and whose file has the digest ``sha256``."""
        parts = self._parts
        parts.authorize("document.read")
        names = None
        if name is not None:
            from refdesk.ingest.accept import stored_names  # a search needs nothing of ingestion

            names = stored_names(parts.policy, name)
        rows = parts.catalog.documents.page(self.id, after, limit, states, names=names, sha256=sha256)
        return [document_of(row) for row in rows]

    def list_documents(self) -> Sequence[Document]:
        """In the order that they came."""
        self._parts.authorize("document.read")
        return [document_of(row) for row in self._documents()]

    def progress(self) -> BaseProgress:
        """How far the work on its documents is, as the catalog knows it now."""
        self._parts.authorize("document.read")
        return BaseProgress(**self._parts.catalog.progress.of_base(self.id))

    def reindex(self) -> int:
        """Queues every document that is not fully indexed; all of them where the embedding model or the
        analyzer is another than they were indexed with. Returns how many."""
        parts = self._parts
        parts.authorize("base.update")
        queued = reindex(parts, self._now())
        parts.catalog.audit.add(parts.actor, "base.reindex", self.id)
        return queued

    def update(
        self,
        *,
        name: str | Unset = UNSET,
        description: str | Unset | None = UNSET,
        embedding_account_id: str | Unset | None = UNSET,
    ) -> Base:
        """Changes what is given. The same account again is as ``reindex``; another one, or ``None``, reads
        every document again. What is refused changes nothing: ``UsageError`` (``name_taken``,
        ``account_unverified``, ``account_fixed``), ``NotFound``."""
        parts = self._parts
        parts.authorize("base.update")
        account = UNSET if embedding_account_id is UNSET else checked_account(parts, embedding_account_id)
        values: dict[str, str | None] = {}
        if not isinstance(name, Unset):
            values["name"] = None if name is None else clean_text(name)
        if not isinstance(description, Unset):
            values["description"] = _described(description)
        if values:
            parts.catalog.bases.describe(self.id, values, parts.actor)
        if account is not UNSET:
            index_by(parts, self._now(), account, follows_policy=False)
            parts.catalog.audit.add(parts.actor, "base.account", self.id)
        return Base(parts, self._now())

    def delete(self, *, erase: bool = False) -> None:
        """The base and everything in it, for good; ``erase`` as for documents."""
        self._parts.authorize("base.delete")
        if erase:
            ids = [document.id for document in self._documents()]
            self._parts.catalog.runs.erase(ids, self._parts.actor)
        self._parts.catalog.bases.delete(self.id, self._parts.actor)
        if erase:
            self._parts.catalog.replies.erase(self._parts.project.id)
        pay(self._parts.context)

    def _now(self) -> BaseRow:
        return self._parts.catalog.bases.get(self._parts.project, self.id)

    def _documents(self) -> Sequence[DocumentRow]:
        return self._parts.catalog.documents.of_base(self.id)


class Bases:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def create(
        self,
        name: str,
        *,
        description: str | None = None,
        kind: BaseKind | None = None,
        embedding_account_id: str | Unset | None = UNSET,
        vectors_later: bool = False,
    ) -> Base:
        """The embedding account, by name or id, is the policy's unless one is given; ``None``: keyword alone.
        ``vectors_later``: it is searched by keyword until ``reindex`` gives it the policy's account. Raises
        ``UsageError`` (``name_taken``, ``account_unverified``, ``account_fixed``)."""
        self._parts.authorize("base.create")
        row = self._made(name, description, kind, embedding_account_id, vectors_later=vectors_later)
        return Base(self._parts, row)

    def _made(
        self,
        name: str,
        description: str | None = None,
        kind: BaseKind | None = None,
        embedding_account_id: str | Unset | None = UNSET,
        *,
        vectors_later: bool = False,
    ) -> BaseRow:
        parts = self._parts
        follows = isinstance(embedding_account_id, Unset)
        if not isinstance(embedding_account_id, Unset):
            account = checked_account(parts, embedding_account_id)
        else:
            account = None if vectors_later else parts.default_account()
        return parts.catalog.bases.create(
            parts.project,
            parts.policy,
            clean_text(name),
            description=_described(description),
            kind=kind,
            embedding_account_id=account,
            follows_policy=follows,
            actor=parts.actor,
        )

    def sync(
        self,
        name_or_id: str,
        folder: str | Path,
        *,
        dry_run: bool = False,
        wait: bool = False,
        delete_all: bool = False,
        progress: Progress = silent,
    ) -> Synced:
        """As ``Base.sync``; a base that does not exist yet is made, but not by a dry run."""
        parts = self._parts
        parts.authorize("base.sync")
        from refdesk.desk.syncing import sync

        find = parts.catalog.bases.get if is_id(name_or_id, "kb") else parts.catalog.bases.find
        return sync(
            parts,
            find(parts.project, as_stored(name_or_id)),
            partial(self._made, name_or_id),
            folder,
            dry_run=dry_run,
            wait=wait,
            delete_all=delete_all,
            progress=progress,
        )

    def get(self, name_or_id: str) -> Base:
        self._parts.authorize("base.read")
        return Base(self._parts, self._parts.catalog.bases.get(self._parts.project, as_stored(name_or_id)))

    def find(self, name_or_id: str) -> Base | None:
        self._parts.authorize("base.read")
        row = self._parts.catalog.bases.find(self._parts.project, as_stored(name_or_id))
        return None if row is None else Base(self._parts, row)

    def list(self) -> Sequence[Base]:
        self._parts.authorize("base.read")
        parts, bases = self._parts, self._parts.catalog.bases
        counts = bases.counts_of_all(parts.project)
        return [Base(parts, row, counts.get(row.id)) for row in bases.all(parts.project)]


def _described(text: str | None) -> str | None:
    if text is None:
        return None
    check_text(text, "description")
    return clean_text(text)
