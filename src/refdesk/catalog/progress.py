"""How far the work on a base is, in numbers."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, and_, func, select

from refdesk.catalog.connect import Database
from refdesk.catalog.schema import documents, versions

PACE = 50  # documents, those done last, whose pace the rest is expected to keep

STATES = ("queued", "indexing", "ready", "failed")


class Progress:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of_base(self, base: str) -> dict[str, Any]:
        """``queued``, ``indexing``, ``ready``, ``failed`` documents, ``bytes_done``, ``bytes_waiting``,
        ``passages`` and the ``seconds`` that the rest will take, null where unknown."""
        with self._database.read() as connection:
            sums = _sums(connection, base)
            pace = _seconds_a_byte(connection, base)
        waiting = sums["queued"][1] + sums["indexing"][1]
        at_once = max(1, sums["indexing"][0])
        return {
            **{state: documents for state, (documents, _, _) in sums.items()},
            "bytes_done": sums["ready"][1] + sums["failed"][1],
            "bytes_waiting": waiting,
            "passages": sum(passages for _, _, passages in sums.values()),
            "seconds": None if pace is None else round(waiting * pace / at_once, 1),
        }


def _newest() -> Any:
    return and_(versions.c.document_id == documents.c.id, versions.c.version == documents.c.version)


def _sums(connection: Connection, base: str) -> dict[str, tuple[int, int, int]]:
    """Documents, bytes and passages by state."""
    query = (
        select(
            documents.c.state,
            func.count(),
            func.sum(versions.c.bytes),
            func.coalesce(func.sum(versions.c.passages), 0),
        )
        .join(versions, _newest())
        .where(documents.c.base_id == base)
        .group_by(documents.c.state)
    )
    found = {row[0]: (int(row[1]), int(row[2]), int(row[3])) for row in connection.execute(query)}
    return {state: found.get(state, (0, 0, 0)) for state in STATES}


def _seconds_a_byte(connection: Connection, base: str) -> float | None:
    last = (
        select(versions.c.seconds, versions.c.bytes)
        .join(documents, _newest())
        .where(documents.c.base_id == base, versions.c.seconds.is_not(None))
        .order_by(documents.c.queued_at.desc(), documents.c.id.desc())
        .limit(PACE)
        .subquery()
    )
    seconds, size = connection.execute(select(func.sum(last.c.seconds), func.sum(last.c.bytes))).one()
    return float(seconds) / float(size) if size else None
