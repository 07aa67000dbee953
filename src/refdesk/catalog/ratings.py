"""Whether an answer helped: one rating a run, the last that was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, false, select

from refdesk.catalog.common import Actor, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import ratings, runs


class Ratings:
    def __init__(self, database: Database) -> None:
        self._database = database

    def rate(self, run: str, *, helpful: bool, reason: str | None, note: str | None, actor: Actor) -> None:
        """In place of the rating that the run had."""
        with self._database.write() as connection:
            connection.execute(delete(ratings).where(ratings.c.run_id == run))
            connection.execute(
                ratings.insert().values(
                    run_id=run, helpful=helpful, reason=reason, note=note, person=actor.name, at=now()
                )
            )
            record(connection, actor, "rating.write", run)

    def of(self, run: str) -> Mapping[str, Any] | None:
        query = select(
            ratings.c.helpful, ratings.c.reason, ratings.c.note, ratings.c.person, ratings.c.at
        ).where(ratings.c.run_id == run)
        with self._database.read() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else dict(row)

    def not_helpful(self, project: str, limit: int, *, before: str = "") -> Sequence[str]:
        """The runs that did not help, the newest first, those older than the run ``before``."""
        query = (
            select(runs.c.id)
            .join(ratings, ratings.c.run_id == runs.c.id)
            .where(runs.c.project_id == project, ratings.c.helpful == false())
        )
        if before:
            query = query.where(runs.c.id < before)
        with self._database.read() as connection:
            return list(connection.execute(query.order_by(runs.c.id.desc()).limit(limit)).scalars())
