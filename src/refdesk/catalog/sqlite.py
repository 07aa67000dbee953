"""The catalog in one SQLite file: WAL mode with foreign keys, secure_delete and a 10 s busy timeout.

A writing transaction begins IMMEDIATE, so that it never fails half-way for want of the lock. What searches
ask goes to one connection that never writes; SQLAlchemy comes with the first transaction.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from refdesk.catalog.standing import Row
from refdesk.errors import Failed

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

TIDY_SECONDS = 30.0

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA busy_timeout=10000",
    "PRAGMA synchronous=NORMAL",
)


class SQLite:
    kind = "sqlite"
    driver: Any = sqlite3

    def __init__(self, path: Path) -> None:
        self.place = str(path)
        self._path = path
        self._engine: Engine | None = None
        self._asking: tuple[int, sqlite3.Connection] | None = None
        self._openings = 0
        self._lock = threading.Lock()
        _OPENED.add(self)

    @property
    def engine(self) -> Engine:
        with self._lock:
            if self._engine is None:
                self._engine = _engine(self._path)
            return self._engine

    def begin_reading(self, connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    def begin_writing(self, connection: Connection, alone: bool) -> None:
        """Every writer is alone here."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def begin_migrating(self, connection: Connection) -> None:
        """A changed table is made anew and the old one dropped, and what refers to it stays."""
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        self.begin_writing(connection, alone=True)

    def asked(self, text: str, values: Mapping[str, Any] | None = None) -> list[Row]:
        with self._lock:
            return self._asked(text, values or {})

    def _asked(self, text: str, values: Mapping[str, Any]) -> list[Row]:
        if self._asking is None or self._asking[0] != os.getpid():  # none crosses a fork
            self._asking = os.getpid(), _connected(self._path)
            self._asking[1].execute("PRAGMA cache_size = -128")  # KB; what is asked often is remembered
            self._openings += 1
        try:
            return self._asking[1].execute(text, values).fetchall()
        except BaseException:
            self._asking[1].close()
            self._asking = None
            raise

    def revision(self) -> str | None:
        known = self.asked("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'")
        return str(self.asked("SELECT version_num FROM alembic_version")[0][0]) if known else None

    def data_version(self) -> int:
        """Another one after any commit: a connection that never writes sees those of all others. Each begins
        to count anew, so its own number is a part of it."""
        with self._lock:
            version = int(self._asked("PRAGMA data_version", {})[0][0])
            return self._openings << 32 | version

    def close(self) -> None:
        with self._lock:
            if self._asking is not None and self._asking[0] == os.getpid():
                self._asking[1].close()
            self._asking = None
            if self._engine is not None:
                self._engine.dispose()

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


_OPENED: WeakSet[SQLite] = WeakSet()


def _close_before_fork() -> None:
    """A child that opens the file beside an inherited connection holds locks for SQLite that it has not: it
    would lose the log when its parent ends."""
    for opened in list(_OPENED):
        opened.close()


os.register_at_fork(before=_close_before_fork)


def _connected(path: Path) -> sqlite3.Connection:
    """Transactions begin where we say so."""
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False, isolation_level=None)
    connection.create_function("epoch", 0, time.time)
    for pragma in _PRAGMAS:
        connection.execute(pragma)
    return connection


def _engine(path: Path) -> Engine:
    from sqlalchemy import create_engine

    return create_engine(
        f"sqlite:///{path}",
        module=sqlite3,
        creator=lambda: _connected(path),
        hide_parameters=True,  # an error's text may be logged, and no document's may (H5)
    )
