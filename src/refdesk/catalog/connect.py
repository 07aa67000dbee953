"""Opens the catalog's database and brings it to the newest schema.

SQLite runs in WAL mode with foreign keys, secure_delete and a 10 s busy timeout; a writing transaction
begins IMMEDIATE, so that it never fails half-way for want of the lock. No file or network work belongs
inside a transaction.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Select, create_engine, event, text
from sqlalchemy.exc import DatabaseError

from refdesk.errors import Failed

HEAD = "0001"  # the newest migration; a test holds it to the scripts

TIDY_SECONDS = 30.0

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA busy_timeout=10000",
    "PRAGMA synchronous=NORMAL",
)


class Database:
    """``read()`` and ``write()`` are transactions; the sync core needs nothing else."""

    def __init__(self, path: Path) -> None:
        self.engine = _engine(path)
        try:
            self._upgrade()
        except DatabaseError as error:
            self.engine.dispose()
            raise Failed(f"The catalog at {path} cannot be opened: {error.orig}.") from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    def rows(self, query: Select[Any], values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """One query, which is a transaction of its own."""
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(query, values)]

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def tidy(self) -> None:
        """Moves the write-ahead log into the database, so that deleted bytes are gone from both. Raises
        ``Failed`` where a reader is in the way for as long as a writer waits."""
        give_up = time.monotonic() + TIDY_SECONDS
        while not self._truncate_log():
            if time.monotonic() >= give_up:
                raise Failed(
                    "Deleted text is still in the catalog's log, because a reader held it: it is removed "
                    "when the desk is opened next."
                )
            time.sleep(0.02)  # SQLite does not wait where another process is at the same work

    def _truncate_log(self) -> bool:
        with self.engine.connect() as connection:
            busy, _, _ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        return not busy

    def close(self) -> None:
        self.engine.dispose()

    def _upgrade(self) -> None:
        with self.engine.connect() as connection:
            known = connection.execute(
                text("SELECT name FROM sqlite_master WHERE name = 'alembic_version'")
            ).first()
            revision = known and connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if revision != HEAD:
            # Alembic costs half a second to import, and nearly every start is up to date.
            from refdesk.catalog.migrate import upgrade

            upgrade(self.engine)


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 10, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    return engine
