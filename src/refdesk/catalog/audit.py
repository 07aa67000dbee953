"""The record of who did what. Lines are written with ``common.record``, and never changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from refdesk.catalog.common import Actor, record
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import audit


@dataclass(frozen=True, slots=True)
class AuditLine:
    """``person`` is the name of a principal; ``project`` is null for what no project contains."""

    id: int
    at: str
    person: str
    action: str
    resource: str
    project: str | None


class Audit:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, actor: Actor, action: str, resource: str) -> None:
        with self._database.write() as connection:
            record(connection, actor, action, resource)

    def newest(
        self, organization: str | None, *, limit: int, before: int | None = None
    ) -> Sequence[AuditLine]:
        """The newest first, of one organization or of all; ``before`` continues behind that line."""
        query = select(audit).order_by(audit.c.id.desc()).limit(limit)
        if organization is not None:
            query = query.where(audit.c.organization_id == organization)
        if before is not None:
            query = query.where(audit.c.id < before)
        with self._database.read() as connection:
            rows = connection.execute(query).mappings().all()
        return [
            AuditLine(row["id"], row["at"], row["person"], row["action"], row["resource"], row["project_id"])
            for row in rows
        ]
