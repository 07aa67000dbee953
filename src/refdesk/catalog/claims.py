"""A claim: one worker's hold on one version of a document, for as long as its slot is not taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Update, and_, bindparam, select, update

from refdesk.catalog.document_rows import Content
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
    own_title: str
    set_title: str | None
    kind: Kind
    files: str
    embedding_account_id: str | None
    policy: str
    overrides: dict[str, Any]
    content: Content

    @property
    def title(self) -> str:
        return self.set_title or self.own_title


# Made once, since making a statement costs several times what it costs to run.
_CLAIMED = (
    select(documents, versions, bases.c.embedding_account_id, projects.c.policy, projects.c.overrides)
    .join(bases, bases.c.id == documents.c.base_id)
    .join(projects, projects.c.id == bases.c.project_id)
    .join(versions, and_(versions.c.document_id == documents.c.id, versions.c.version == documents.c.version))
    .where(documents.c.id == bindparam("document"))
)
_HELD = and_(
    documents.c.id == bindparam("held"),
    documents.c.version == bindparam("held_version"),
    documents.c.slot == bindparam("held_slot"),
    documents.c.state == "indexing",
)
_HOLDS = select(documents.c.id).where(_HELD)
CHANGE = update(documents).where(_HELD)
GIVE_BACK = CHANGE.values(attempts=documents.c.attempts - 1)


def claimed(connection: Connection, document: str, slot: str) -> Claim:
    row = connection.execute(_CLAIMED, {"document": document}).mappings().one()
    return Claim(
        slot=slot,
        removal=new_id("rem"),
        organization=row["organization_id"],
        document=row["id"],
        base=row["base_id"],
        version=row["version"],
        live=row["live_version"],
        name=row["name"],
        own_title=row["title"],
        set_title=row["set_title"],
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


def change(connection: Connection, claim: Claim, values: dict[str, Any], statement: Update = CHANGE) -> bool:
    """Changes the document only while this claim holds this version of it."""
    return connection.execute(statement, {**_held(claim), **values}).rowcount == 1


def holds(connection: Connection, claim: Claim) -> bool:
    return connection.execute(_HOLDS, _held(claim)).first() is not None


def owe(connection: Connection, claim: Claim, not_before: float) -> None:
    owe_work(
        connection,
        claim.removal,
        claim.base,
        claim.document,
        version=claim.version,
        not_before=not_before,
    )


def _held(claim: Claim) -> dict[str, Any]:
    return {"held": claim.document, "held_version": claim.version, "held_slot": claim.slot}
