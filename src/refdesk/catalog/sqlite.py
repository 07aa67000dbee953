"""The catalog in one SQLite file: WAL mode with foreign keys, secure_delete and a 10 s busy timeout.

A writing transaction begins IMMEDIATE, so that it never fails half-way for want of the lock.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, PoolProxiedConnection, create_engine, event
from sqlalchemy.dialects.sqlite import pysqlite

from refdesk.errors import Failed

TIDY_SECONDS = 30.0

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA busy_timeout=10000",
    "PRAGMA synchronous=NORMAL",
)


class SQLite:
    def __init__(self, path: Path) -> None:
        self.place = str(path)
        self.engine = _engine(path)
        self._watching: tuple[int, PoolProxiedConnection] | None = None
        self._lock = threading.Lock()

    def begin_reading(self, connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    def begin_writing(self, connection: Connection, alone: bool) -> None:
        """Every writer is alone here."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def begin_migrating(self, connection: Connection) -> None:
        """A changed table is made anew and the old one dropped, and what refers to it stays."""
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        self.begin_writing(connection, alone=True)

    def data_version(self) -> int:
        """Another one after any commit: a connection that never writes sees those of all others."""
        with self._lock:
            if self._watching is None or self._watching[0] != os.getpid():  # none crosses a fork
                self._watching = os.getpid(), self.engine.raw_connection()
            cursor = self._watching[1].cursor()
            return int(cursor.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        with self._lock:
            if self._watching is not None and self._watching[0] == os.getpid():
                self._watching[1].close()
            self._watching = None
        self.engine.dispose()

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


def _engine(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}",
        module=pysqlite.dialect.import_dbapi(),
        hide_parameters=True,  # an error's text may be logged, and no document's may (H5)
        connect_args={"timeout": 10, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        connection.create_function("epoch", 0, time.time)
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    return engine
