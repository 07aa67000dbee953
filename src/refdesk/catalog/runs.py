"""Run records: the receipt of what a model was given. Rows are written once; only an erasure changes them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select, update

from refdesk.catalog.common import now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import run_references, runs


class Runs:
    def __init__(self, database: Database) -> None:
        self._database = database

    def insert(self, run: Mapping[str, Any], references: Sequence[Mapping[str, Any]]) -> None:
        """``run`` has the columns of ``runs``; each reference those of ``run_references`` but the hash."""
        with self._database.write() as connection:
            connection.execute(runs.insert().values(**run))
            for reference in references:
                digest = hashlib.sha256(reference["text"].encode()).hexdigest()
                connection.execute(
                    run_references.insert().values(run_id=run["id"], sha256=digest, **reference)
                )

    def find(self, project: str, run: str) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]] | None:
        with self._database.read() as connection:
            row = (
                connection.execute(select(runs).where(runs.c.id == run, runs.c.project_id == project))
                .mappings()
                .first()
            )
            if row is None:
                return None
            query = select(run_references).where(run_references.c.run_id == run)
            references = connection.execute(query.order_by(run_references.c.number)).mappings().all()
        return dict(row), [dict(reference) for reference in references]

    def newest(self, project: str, limit: int) -> Sequence[str]:
        query = select(runs.c.id).where(runs.c.project_id == project)
        query = query.order_by(runs.c.created_at.desc(), runs.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return list(connection.execute(query).scalars())

    def erase(self, documents: Sequence[str], person: str) -> None:
        """Blanks these documents' passages in every receipt, and the answers and messages of the runs
        that were given them: an answer may quote any of its references."""
        erased = f"text erased on {now()[:10]}"
        with self._database.write() as connection:
            for document in documents:
                given = select(run_references.c.run_id).where(run_references.c.document == document)
                connection.execute(
                    update(runs)
                    .where(runs.c.id.in_(given), runs.c.answer.is_not(None))
                    .values(answer=erased, warnings=[])
                )
                connection.execute(
                    update(run_references)
                    .where(run_references.c.document == document)
                    .values(text=erased, section=None)
                )
                record(connection, person, "document.erase", document)
