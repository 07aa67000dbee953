"""A claim: one worker's hold on one version of a document, for as long as its slot is not taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, select, update

from refdesk.catalog.documents import Content
from refdesk.catalog.removals import owe_work
from refdesk.catalog.schema import bases, documents, projects, versions
from refdesk.ids import new_id
from refdesk.policy.model import Kind


@dataclass(frozen=True, slots=True)
class Claim:
    """``removal`` is the debt that it is until it ends; ``live`` the version that searches see."""

    slot: str
    removal: str
    organization: str
    document: str
    base: str
    version: int
    live: int | None
    name: str
    title: str
    kind: Kind
    files: str
    embedding_account_id: str | None
    policy: str
    overrides: dict[str, Any]
    content: Content


def claimed(connection: Connection, document: str, slot: str) -> Claim:
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
        slot=slot,
        removal=new_id("rem"),
        organization=row["organization_id"],
        document=row["id"],
        base=row["base_id"],
        version=row["version"],
        live=row["live_version"],
        name=row["name"],
        title=row["title"],
        kind=row["kind"],
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


def change(connection: Connection, claim: Claim, values: dict[str, Any]) -> bool:
    """Changes the document only while this claim holds this version of it."""
    done = update(documents).where(_holds(claim)).values(**values)
    return connection.execute(done).rowcount == 1


def holds(connection: Connection, claim: Claim) -> bool:
    return connection.execute(select(documents.c.id).where(_holds(claim))).first() is not None


def owe(connection: Connection, claim: Claim, not_before: float) -> None:
    owe_work(
        connection,
        claim.removal,
        claim.base,
        claim.document,
        version=claim.version,
        not_before=not_before,
    )


def _holds(claim: Claim) -> Any:
    return and_(
        documents.c.id == claim.document,
        documents.c.version == claim.version,
        documents.c.slot == claim.slot,
        documents.c.state == "indexing",
    )
