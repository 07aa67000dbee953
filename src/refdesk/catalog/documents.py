"""Documents and their versions. A document is visible in the instant its row says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    update,
)

from refdesk.catalog.common import Actor, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.document_rows import ROWS, Content, DocumentRow, row_of
from refdesk.catalog.listed import among, listed
from refdesk.catalog.removals import Announced, owe, strike
from refdesk.catalog.room import check_room
from refdesk.catalog.schema import bases, documents, projects, versions
from refdesk.catalog.titles import SHOWN
from refdesk.errors import Failed, NotFound
from refdesk.policy import Policy


class Superseded(NotFound):
    """The document is not what it was when it was looked up."""


# Made once, since making a statement costs several times what it costs to run.
_AS_THEY_CAME = ROWS.order_by(documents.c.created_at, documents.c.id)
_FOUND = ROWS.where(documents.c.id == bindparam("document"), bases.c.project_id == bindparam("project"))
_OF_BASE = _AS_THEY_CAME.where(documents.c.base_id == bindparam("of"))
_NAMED = _OF_BASE.where(documents.c.name == bindparam("called"))
_THOSE = _AS_THEY_CAME.where(among(documents.c.id, "ids"))
_UNFINISHED = (
    select(func.count())
    .select_from(documents)
    .where(documents.c.state.in_(("queued", "indexing")), among(documents.c.id, "ids"))
)
_ORGANIZATION = (
    select(projects.c.organization_id)
    .join(bases, bases.c.project_id == projects.c.id)
    .where(bases.c.id == bindparam("base"))
)
_OF_NAME = select(documents.c.id).where(
    documents.c.base_id == bindparam("base"), documents.c.name == bindparam("name")
)
_TITLE = select(SHOWN).where(documents.c.id == bindparam("document"))
_UNDER_OLD_TITLE = update(documents).where(
    documents.c.id == bindparam("document"),
    or_(
        documents.c.state == "indexing",
        and_(documents.c.state.in_(("ready", "failed")), documents.c.live_version.is_not(None)),
    ),
)
_INSERT, _INSERT_VERSION = documents.insert(), versions.insert()


class Documents:
    def __init__(self, database: Database) -> None:
        self._database = database

    def insert(
        self,
        policy: Policy,
        announced: Announced,
        facts: Mapping[str, Any],
        content: Content,
        *,
        actor: Actor,
        unless_named: bool = False,
    ) -> None:
        """A new document, queued. ``facts``: name, title, kind, source_url, metadata. ``unless_named`` raises
        ``Superseded`` where the base has a document of that name by now."""
        base, document = announced.base, announced.document
        with self._database.write() as connection:
            organization = _organization(connection, base)
            if unless_named:
                _check_unnamed(connection, base, facts["name"])
            check_room(connection, policy, base, content.chars or 0)
            at = now()
            row: dict[str, object] = {"id": document, "base_id": base, "organization_id": organization}
            row |= {"state": "queued", "version": 1, "created_at": at, "queued_at": at, "attempts": 0}
            connection.execute(_INSERT, {**row, **facts})
            _insert_version(connection, announced, 1, content)
            record(connection, actor, "document.add", document)

    def replace(
        self,
        policy: Policy,
        announced: Announced,
        document: DocumentRow,
        facts: Mapping[str, Any],
        content: Content,
        *,
        actor: Actor,
        keep_live: bool = True,
    ) -> None:
        """Version n+1 beside n, queued; n goes on answering until the switch, unless not ``keep_live``.
        Raises ``Superseded`` where the document changed or went in between."""
        version = document.version + 1
        queued = _queued(keep_live=keep_live)
        with self._database.write() as connection:
            check_room(
                connection, policy, document.base_id, (content.chars or 0) - (document.content.chars or 0), 0
            )
            changed = connection.execute(
                update(documents)
                .where(documents.c.id == document.id, documents.c.version == document.version)
                .values(version=version, **queued, **facts)
            )
            if changed.rowcount != 1:
                raise Superseded(f"Document {document.id} was changed by someone else: look again.")
            _insert_version(connection, announced, version, content)
            record(connection, actor, "document.replace", document.id)

    def find(self, document: str, project: str) -> DocumentRow | None:
        rows = self._rows(_FOUND, document=document, project=project)
        return rows[0] if rows else None

    def named(self, base: str, name: str) -> DocumentRow | None:
        """The newest document of that name in a base; names are compared as they stand."""
        rows = self._rows(_NAMED, of=base, called=name)
        return rows[-1] if rows else None

    def of_base(self, base: str) -> Sequence[DocumentRow]:
        return self._rows(_OF_BASE, of=base)

    def those(self, ids: Sequence[str]) -> Sequence[DocumentRow]:
        """Of these, the ones that are there."""
        return self._rows(_THOSE, ids=listed(ids))

    def page(
        self,
        base: str,
        after: str,
        limit: int,
        states: Collection[str] | None = None,
        *,
        names: Collection[str] | None = None,
        sha256: str | None = None,
    ) -> Sequence[DocumentRow]:
        """The ``limit`` documents of a base behind the id ``after``, by id, which is as they came (H1)."""
        where = [documents.c.base_id == base, documents.c.id > after]
        if states is not None:
            where.append(documents.c.state.in_(states))
        if names is not None:
            where.append(documents.c.name.in_(names))
        if sha256 is not None:
            where.append(versions.c.sha256 == sha256)
        return self._rows(ROWS.where(*where).order_by(documents.c.id).limit(limit))

    def edit(self, document: str, values: Mapping[str, Any], actor: Actor) -> None:
        """Sets columns of a document. Where its title changes, what is indexed under the old one is queued
        again, and answers meanwhile. Raises ``NotFound`` where it has gone."""
        one = {"document": document}
        with self._database.write() as connection:
            before = connection.execute(_TITLE.with_for_update(), one).scalar()
            if before is None:
                raise NotFound(f"There is no document {document!r} any more.")
            connection.execute(update(documents).where(documents.c.id == document).values(**values))
            if connection.execute(_TITLE, one).scalar() != before:
                connection.execute(_UNDER_OLD_TITLE.values(**_queued(keep_live=True)), one)
            record(connection, actor, "document.edit", document)

    def describe(self, document: str, source_url: str | None, metadata: Mapping[str, str] | None) -> None:
        """Sets what is not ``None``."""
        values: dict[str, Any] = {}
        if source_url is not None:
            values["source_url"] = source_url
        if metadata is not None:
            values["metadata"] = dict(metadata)
        if values:
            with self._database.write() as connection:
                connection.execute(update(documents).where(documents.c.id == document).values(**values))

    def unfinished(self, ids: Sequence[str]) -> int:
        """How many of these are queued or in work."""
        with self._database.read() as connection:
            return int(connection.execute(_UNFINISHED, {"ids": listed(ids)}).scalar_one())

    def waiting(self, base: str) -> int:
        """How many documents of a base are queued or in work."""
        waits = documents.c.state.in_(("queued", "indexing"))
        query = select(func.count()).select_from(documents).where(documents.c.base_id == base, waits)
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def requeue(self, ids: Sequence[str], *, keep_live: bool, also_in_work: bool = False) -> int:
        """Queues these documents again; ``keep_live`` leaves the live version answering meanwhile.
        ``also_in_work`` takes them from the worker that has them, too."""
        states = ("ready", "failed", "indexing") if also_in_work else ("ready", "failed")
        values = _queued(keep_live=keep_live)
        with self._database.write() as connection:
            return sum(
                connection.execute(
                    update(documents)
                    .where(documents.c.id == document, documents.c.state.in_(states))
                    .values(**values)
                ).rowcount
                for document in ids
            )

    def delete(self, rows: Sequence[DocumentRow], actor: Actor) -> None:
        with self._database.write() as connection:
            for row in rows:
                connection.execute(delete(documents).where(documents.c.id == row.id))
                owe(connection, row.base_id, row.id)
                record(connection, actor, "document.delete", row.id)

    def _rows(self, query: Select[Any], **values: str) -> list[DocumentRow]:
        with self._database.read() as connection:
            rows = connection.execute(query, values).mappings().all()
        return [row_of(row) for row in rows]


def _queued(*, keep_live: bool) -> dict[str, Any]:
    hidden: dict[str, Any] = {} if keep_live else {"live_version": None}
    return {
        **hidden,
        "state": "queued",
        "code": None,
        "error": None,
        "queued_at": now(),
        "attempts": 0,
        "slot": None,
    }


def _insert_version(connection: Connection, announced: Announced, version: int, content: Content) -> None:
    """The version exists from here on, so its announced upload is no longer to be removed. Raises ``Failed``
    where it has been."""
    values = {
        "document_id": announced.document,
        "version": version,
        "files": announced.files,
        "sha256": content.sha256,
        "bytes": content.bytes,
        "chars": content.chars,
        "passages": content.passages,
        "pages": content.pages,
        "notes": list(content.notes),
        "figures": list(content.figures),
        "declared_type": content.declared_type,
    }
    connection.execute(_INSERT_VERSION, values)
    if not strike(connection, announced.removal):
        raise Failed("The upload took so long that it was given up: add the document again.")


def _organization(connection: Connection, base: str) -> str:
    organization = connection.execute(_ORGANIZATION, {"base": base}).scalar()
    if organization is None:
        raise NotFound("The base was deleted meanwhile: make it again, then add the document.")
    return str(organization)


def _check_unnamed(connection: Connection, base: str, name: str) -> None:
    if connection.execute(_OF_NAME, {"base": base, "name": name}).first() is not None:
        raise Superseded(f"A document named {name!r} was added by someone else: look again.")
