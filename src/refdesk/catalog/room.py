"""Whether a base and its project have room for more, as their policy says."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, and_, func, select

from refdesk.catalog.schema import bases, documents, versions
from refdesk.errors import Refusal
from refdesk.policy import Policy


def check_room(
    connection: Connection, policy: Policy, base: str, more_chars: int, more_documents: int = 1
) -> None:
    limit = policy.bases.max_documents
    if limit is not None:
        query = select(func.count()).select_from(documents).where(documents.c.base_id == base)
        count = connection.execute(query).scalar_one() + more_documents
        if count > limit:
            raise Refusal(
                f"The base would hold {count} documents and its policy accepts {limit}: "
                "delete some, or use another base.",
                code="too_many_documents",
                limit=limit,
                actual=count,
            )
    limit = policy.bases.max_project_characters
    if limit is not None:
        total = connection.execute(_project_characters(base)).scalar_one() + more_chars
        if total > limit:
            raise Refusal(
                f"The project's documents would hold {total} characters and its policy accepts {limit}: "
                "delete some documents first.",
                code="project_too_large",
                limit=limit,
                actual=total,
            )


def _project_characters(base: str) -> Any:
    project = select(bases.c.project_id).where(bases.c.id == base).scalar_subquery()
    return (
        select(func.coalesce(func.sum(versions.c.chars), 0))
        .select_from(
            versions.join(
                documents,
                and_(versions.c.document_id == documents.c.id, versions.c.version == documents.c.version),
            ).join(bases, bases.c.id == documents.c.base_id)
        )
        .where(bases.c.project_id == project)
    )
