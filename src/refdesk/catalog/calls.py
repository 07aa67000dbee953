"""Calls: what an agent knew when each began, and what was searched in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select, update

from refdesk.catalog.common import Actor, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import call_searches, calls
from refdesk.errors import Refusal
from refdesk.results.receipts import erased_on


class Calls:
    def __init__(self, database: Database) -> None:
        self._database = database

    def insert(self, call: Mapping[str, Any]) -> None:
        """``call`` has the columns of ``calls``."""
        with self._database.write() as connection:
            connection.execute(calls.insert().values(**call))

    def find(self, project: str, call: str) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]] | None:
        with self._database.read() as connection:
            wanted = select(calls).where(calls.c.id == call, calls.c.project_id == project)
            row = connection.execute(wanted).mappings().first()
            if row is None:
                return None
            query = select(call_searches).where(call_searches.c.call_id == call)
            searches = connection.execute(query.order_by(call_searches.c.number)).mappings().all()
        return dict(row), [dict(search) for search in searches]

    def begin_search(self, call: str, query: str, limit: int | None) -> int:
        """The number of the search, which counts from here on, whatever becomes of it. Raises ``Refusal``
        (``searches_used_up``) where the call has ``limit`` of them."""
        counted = select(func.count()).select_from(call_searches).where(call_searches.c.call_id == call)
        with self._database.write() as connection:
            begun = int(connection.execute(counted).scalar_one())
            if limit is not None and begun >= limit:
                raise Refusal(
                    f"The call has searched {begun} times and its policy allows {limit}: "
                    "answer from what was found.",
                    code="searches_used_up",
                    limit=limit,
                    actual=begun,
                )
            connection.execute(
                call_searches.insert().values(call_id=call, number=begun + 1, query=query, at=now())
            )
        return begun + 1

    def erase(self, call: str, actor: Actor) -> None:
        """Blanks what was asked in it."""
        with self._database.write() as connection:
            its = call_searches.c.call_id == call
            connection.execute(update(call_searches).where(its).values(query=erased_on(now()[:10])))
            record(connection, actor, "call.erase", call)

    def end_search(self, call: str, number: int, values: Mapping[str, Any]) -> None:
        """``values``: answered_by, took_ms, passages."""
        its = (call_searches.c.call_id == call) & (call_searches.c.number == number)
        with self._database.write() as connection:
            connection.execute(update(call_searches).where(its).values(**values))
