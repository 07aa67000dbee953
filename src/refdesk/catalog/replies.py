"""What was answered to requests with an idempotency key, for a day (H2)."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, or_, select, update
from sqlalchemy.exc import IntegrityError

from refdesk.catalog.connect import Database
from refdesk.catalog.schema import replies

KEPT_SECONDS = 24 * 3600.0
_WITH_TEXT = ("/runs", "/rating", "/search", "/calls", "/retrieval", "/mcp")
"""How the routes end whose answers hold words of documents."""


@dataclass(frozen=True, slots=True)
class Reply:
    """``status`` is null while the request is in work; ``content`` is sealed."""

    fingerprint: str | None
    status: int | None
    content: str | None


class Replies:
    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, caller: str, route: str, key: str) -> Reply | None:
        """Announces a request; ``None`` where it is the first, else what is known of the one before."""
        there = _of(caller, route, key)
        try:
            with self._database.write() as connection:
                connection.execute(delete(replies).where(replies.c.at < time.time() - KEPT_SECONDS))
                row = connection.execute(select(replies).where(there)).mappings().first()
                if row is not None:
                    return Reply(row["fingerprint"], row["status"], row["content"])
                connection.execute(
                    replies.insert().values(caller=caller, route=route, key=key, at=time.time())
                )
        except IntegrityError:  # the same request came twice at once
            return Reply(None, None, None)
        return None

    def keep(self, caller: str, route: str, key: str, *, fingerprint: str, status: int, content: str) -> None:
        values = {"fingerprint": fingerprint, "status": status, "content": content}
        with self._database.write() as connection:
            connection.execute(update(replies).where(_of(caller, route, key)).values(**values))

    def forget(self, caller: str, route: str, key: str) -> None:
        with self._database.write() as connection:
            connection.execute(delete(replies).where(_of(caller, route, key)))

    def erase(self, project: str) -> None:
        """Of a project, all that may hold words of documents, also those in work: these are not kept then."""
        its = replies.c.caller.startswith(f"{project} ", autoescape=True)
        said = or_(*(replies.c.route.endswith(end, autoescape=True) for end in _WITH_TEXT))
        with self._database.write() as connection:
            connection.execute(delete(replies).where(its, said))


def _of(caller: str, route: str, key: str) -> ColumnElement[bool]:
    return and_(replies.c.caller == caller, replies.c.route == route, replies.c.key == key)
