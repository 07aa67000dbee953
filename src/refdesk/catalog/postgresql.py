"""The catalog in a PostgreSQL database, shared by any number of machines.

A reading transaction sees one instant (REPEATABLE READ). A writing one is READ COMMITTED and, unless it says
that its row locks are enough, alone by an advisory lock: what it has checked is still so when it writes, as
in SQLite.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from importlib.util import find_spec
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

from refdesk.catalog.standing import Row
from refdesk.errors import Failed

_WRITING = 0x5245_4644  # names the advisory lock; "REFD"

# What a crashed or hanging client leaves locked is free again after a while.
_SESSION = (
    "SET lock_timeout = '30s'",
    "SET idle_in_transaction_session_timeout = '60s'",
    "SET timezone = 'UTC'",
)

# Those that hold words of documents.
_WITH_TEXT = ("documents", "versions", "runs", "run_references", "ratings", "call_searches", "replies")


class PostgreSQL:
    kind = "postgresql"

    def __init__(self, url: URL) -> None:
        """Raises ``Failed`` where the driver is not installed."""
        if find_spec("psycopg") is None:
            raise Failed("A PostgreSQL catalog needs a driver: install `refdesk[cluster]`.")
        self.place = url.render_as_string(hide_password=True)
        self.engine = _engine(url.set(drivername="postgresql+psycopg"))
        self.driver: Any = self.engine.dialect.loaded_dbapi

    def begin_reading(self, connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    def begin_writing(self, connection: Connection, alone: bool) -> None:
        connection.exec_driver_sql("BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE")
        if alone:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITING})")

    def begin_migrating(self, connection: Connection) -> None:
        self.begin_writing(connection, alone=True)

    def asked(self, text: str, values: Mapping[str, Any] | None = None) -> list[Row]:
        with closing(self.engine.raw_connection()) as connection:
            try:
                with closing(connection.cursor()) as cursor:
                    cursor.execute(text, values)
                    return list(cursor.fetchall())
            except BaseException as error:
                connection.invalidate(error)
                raise

    def revision(self) -> str | None:
        known = self.asked("SELECT to_regclass('alembic_version') IS NOT NULL")[0][0]
        return str(self.asked("SELECT version_num FROM alembic_version")[0][0]) if known else None

    def data_version(self) -> None:
        """To ask would take as long as any other question."""

    def close(self) -> None:
        self.engine.dispose()

    def tidy(self) -> None:
        """Vacuums what holds text: deleted rows leave their tables, and their space is used again. Pages, the
        server's log, replicas and backups are its administrator's: docs/cluster.md."""
        with self.engine.connect() as connection:
            for table in _WITH_TEXT:
                connection.exec_driver_sql(f"VACUUM (SKIP_LOCKED) {table}")


def _engine(url: URL) -> Engine:
    engine = create_engine(
        url,
        isolation_level="AUTOCOMMIT",  # transactions begin where we say so
        hide_parameters=True,  # an error's text may be logged, and no document's may (H5)
        pool_pre_ping=True,
        pool_size=8,
        max_overflow=24,
        connect_args={"connect_timeout": 10, "application_name": "refdesk"},
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.autocommit = True
        for setting in _SESSION:
            connection.execute(setting)

    return engine
