"""The queue: a document's version is the unit of work, claimed with a lease.

A worker that dies loses its lease, and the next one takes the work; a worker that lost its lease can
finish nothing, because every step asks for the claim. A claim is a debt as well, struck when it ends: what a
worker that died wrote of a version that went meanwhile is removed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select, update

from refdesk.catalog.connect import Database
from refdesk.catalog.documents import Content
from refdesk.catalog.removals import GRACE, owe, owe_work, strike
from refdesk.catalog.schema import bases, documents, projects, versions
from refdesk.ids import new_id
from refdesk.policy.model import Kind

LEASE = 120.0  # seconds; a worker renews it at every step and batch
ATTEMPTS = 3  # a document that killed its worker this often is `failed`


@dataclass(frozen=True, slots=True)
class Claim:
    """``removal`` is the debt that it is until it ends."""

    removal: str
    document: str
    base: str
    version: int
    name: str
    title: str
    kind: Kind
    worker: str
    files: str
    embedding_account_id: str | None
    policy: str
    overrides: dict[str, Any]
    content: Content


class Queue:
    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, worker: str, project: str | None, per_organization: int) -> Claim | None:
        """The oldest queued document of an organization that has a place free, or ``None``."""
        with self._database.write() as connection:
            self._give_up(connection)
            found = connection.execute(_claimable(project, per_organization)).scalar()
            if found is None:
                return None
            connection.execute(
                update(documents)
                .where(documents.c.id == found)
                .values(
                    state="indexing",
                    claimed_by=worker,
                    lease_until=time.time() + LEASE,
                    attempts=documents.c.attempts + 1,
                )
            )
            claim = _claimed(connection, found, worker)
            _owe(connection, claim, time.time() + GRACE)
            return claim

    def renew(self, claim: Claim) -> bool:
        with self._database.write() as connection:
            held = _held(connection, claim, {"lease_until": time.time() + LEASE})
            if held:
                _owe(connection, claim, time.time() + GRACE)
            return held

    def abandon(self, claim: Claim) -> None:
        """It was lost: what its worker wrote of a version that went meanwhile is to be removed now."""
        with self._database.write() as connection:
            _owe(connection, claim, 0.0)

    def read(self, claim: Claim, title: str, content: Content) -> bool:
        """What reading in the queue found (``accept = "queue"``)."""
        with self._database.write() as connection:
            held = _held(connection, claim, {"title": title})
            if held:
                connection.execute(
                    update(versions)
                    .where(versions.c.document_id == claim.document, versions.c.version == claim.version)
                    .values(
                        chars=content.chars,
                        pages=content.pages,
                        notes=list(content.notes),
                        figures=list(content.figures),
                    )
                )
            return held

    def switch(
        self, claim: Claim, passages: int, *, code: str | None = None, error: str | None = None
    ) -> bool:
        """The switch: this version is the live one from here on. With ``error`` (the vectors are missing,
        ING6) the document is found by keyword and reads ``failed``."""
        values = {
            "live_version": claim.version,
            "state": "failed" if error else "ready",
            "code": code,
            "error": error,
            "claimed_by": None,
            "lease_until": None,
        }
        with self._database.write() as connection:
            held = _held(connection, claim, values)
            if held:
                strike(connection, claim.removal)
                connection.execute(
                    update(versions)
                    .where(versions.c.document_id == claim.document, versions.c.version == claim.version)
                    .values(passages=passages)
                )
                older = versions.delete().where(
                    versions.c.document_id == claim.document, versions.c.version < claim.version
                )
                if connection.execute(older).rowcount:
                    owe(connection, claim.base, claim.document, below=claim.version)
            return held

    def fail(self, claim: Claim, code: str, error: str) -> bool:
        values = {"state": "failed", "code": code, "error": error, "claimed_by": None, "lease_until": None}
        return self._end(claim, values)

    def release(self, claim: Claim) -> bool:
        """Back into the queue, as if never claimed: the worker was asked to stop."""
        values = {
            "state": "queued",
            "claimed_by": None,
            "lease_until": None,
            "attempts": documents.c.attempts - 1,
        }
        return self._end(claim, values)

    def _end(self, claim: Claim, values: dict[str, Any]) -> bool:
        with self._database.write() as connection:
            held = _held(connection, claim, values)
            if held:
                strike(connection, claim.removal)
            return held

    @staticmethod
    def _give_up(connection: Connection) -> None:
        connection.execute(
            update(documents)
            .where(
                documents.c.state == "indexing",
                documents.c.lease_until < time.time(),
                documents.c.attempts >= ATTEMPTS,
            )
            .values(
                state="failed",
                code="failed",
                error=f"Processing broke off {ATTEMPTS} times: retry it, or split the document.",
                claimed_by=None,
                lease_until=None,
            )
        )


def _claimable(project: str | None, per_organization: int) -> Any:
    busy_projects = projects.alias("busy_projects")
    busy_bases, busy = bases.alias("busy_bases"), documents.alias("busy")
    in_work = (
        select(func.count())
        .select_from(
            busy.join(busy_bases, busy_bases.c.id == busy.c.base_id).join(
                busy_projects, busy_projects.c.id == busy_bases.c.project_id
            )
        )
        .where(
            busy_projects.c.organization_id == projects.c.organization_id,
            busy.c.state == "indexing",
            busy.c.lease_until >= time.time(),
        )
        .correlate(projects)
        .scalar_subquery()
    )
    orphaned = and_(documents.c.state == "indexing", documents.c.lease_until < time.time())
    query = (
        select(documents.c.id)
        .select_from(
            documents.join(bases, bases.c.id == documents.c.base_id).join(
                projects, projects.c.id == bases.c.project_id
            )
        )
        .where(or_(documents.c.state == "queued", orphaned), in_work < per_organization)
        .order_by(documents.c.queued_at, documents.c.id)
        .limit(1)
    )
    return query if project is None else query.where(projects.c.id == project)


def _claimed(connection: Connection, document: str, worker: str) -> Claim:
    query = (
        select(
            documents,
            versions,
            bases.c.embedding_account_id,
            projects.c.policy,
            projects.c.overrides,
        )
        .join(bases, bases.c.id == documents.c.base_id)
        .join(projects, projects.c.id == bases.c.project_id)
        .join(
            versions,
            and_(versions.c.document_id == documents.c.id, versions.c.version == documents.c.version),
        )
        .where(documents.c.id == document)
    )
    row = connection.execute(query).mappings().one()
    return Claim(
        removal=new_id("rem"),
        document=row["id"],
        base=row["base_id"],
        version=row["version"],
        name=row["name"],
        title=row["title"],
        kind=row["kind"],
        worker=worker,
        files=row["files"],
        embedding_account_id=row["embedding_account_id"],
        policy=row["policy"],
        overrides=row["overrides"],
        content=Content(
            row["sha256"],
            row["bytes"],
            row["chars"],
            row["passages"],
            row["pages"],
            row["notes"],
            declared_type=row["declared_type"],
        ),
    )


def _held(connection: Connection, claim: Claim, values: dict[str, Any]) -> bool:
    """Changes the document only while this worker holds this version of it."""
    done = connection.execute(
        update(documents)
        .where(
            documents.c.id == claim.document,
            documents.c.version == claim.version,
            documents.c.claimed_by == claim.worker,
            documents.c.state == "indexing",
        )
        .values(**values)
    )
    return done.rowcount == 1


def _owe(connection: Connection, claim: Claim, not_before: float) -> None:
    owe_work(
        connection,
        claim.removal,
        claim.base,
        claim.document,
        version=claim.version,
        not_before=not_before,
    )
