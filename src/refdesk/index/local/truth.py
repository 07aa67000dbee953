"""The truth: one SQLite file per base. All of its SQL stands here, but what searches read (``texts``).

``passages`` hold text, terms (hashes and counts) and vector; ``segments`` name the files derived from the
passages whose key is at most ``covered``; ``deleted`` has the keys taken away since these were made.
``epoch`` moves with every change of passages, ``generation`` when the segments are others.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from refdesk.embedding.model import Vector
from refdesk.errors import Failed
from refdesk.index.hashed import Hashed
from refdesk.index.local.arrays import Bytes
from refdesk.index.local.hashes import hashed
from refdesk.index.local.segment import Passages
from refdesk.index.local.vectors import quantised_each, restored
from refdesk.index.model import Entry

FILE = "index.db"
_VERSION = 1
_BUSY_SECONDS = 10.0
_HIGHEST = 2**63 - 1
KEEP_FEW_PAGES = "PRAGMA cache_size = -128"
"""For a connection that only reads, a few rows at a time: the system has the pages anyhow, and a copy of
them would grow to 2 MB for each base, where 128 KB take 9 µs more of a search."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE segments (name TEXT PRIMARY KEY, first_key INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE deleted (seq INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL);
CREATE TABLE passages (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    document TEXT NOT NULL, version INTEGER NOT NULL, position INTEGER NOT NULL,
    page INTEGER, "start" INTEGER NOT NULL, "end" INTEGER NOT NULL, words INTEGER NOT NULL,
    digest BLOB NOT NULL, section TEXT NOT NULL, text TEXT NOT NULL,
    vector BLOB, hashes BLOB NOT NULL, counts BLOB NOT NULL
);
CREATE UNIQUE INDEX passages_by_place ON passages (document, version, position);
CREATE INDEX passages_by_digest ON passages (digest);
INSERT INTO meta VALUES ('epoch', 0), ('generation', 0), ('covered', 0), ('dimensions', 0);
PRAGMA user_version = 1;
"""

_VECTORS = """
WITH wanted(asked) AS (VALUES {})
SELECT asked, (SELECT vector FROM passages WHERE digest = asked AND vector IS NOT NULL LIMIT 1) FROM wanted
"""
_ASKED_AT_ONCE = 500


@contextmanager
def understood(path: Path) -> Iterator[None]:
    """What SQLite says, as one of our errors."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise Failed(
                f"The index at {path.parent} was busy for {_BUSY_SECONDS:.0f} seconds. Try again."
            ) from error
        raise Failed(f"The index at {path.parent} cannot be used: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise Failed(
            f"The index at {path.parent} is damaged ({error}); reindex the base.", code="index_damaged"
        ) from error


def identity(path: Path) -> tuple[int, int] | None:
    """Another file has another one, also at the same place; ``None`` where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def connect(path: Path) -> sqlite3.Connection:
    """A connection that several threads may use one after the other; makes the file if it is missing."""
    database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA secure_delete = ON")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version > _VERSION:
        raise Failed(f"The index at {path.parent} was written by a newer Refdesk.", code="desk_newer")
    return database


def connect_to_read(path: Path) -> sqlite3.Connection:
    """As ``connect``, for one that never writes."""
    database = connect(path)
    database.execute(KEEP_FEW_PAGES)
    return database


def is_made(database: sqlite3.Connection) -> bool:
    return bool(database.execute("PRAGMA user_version").fetchone()[0])


def create(database: sqlite3.Connection) -> None:
    """The tables, where they are missing. The caller holds the writers' lock."""
    if is_made(database):
        return
    database.execute("PRAGMA journal_mode = WAL")
    database.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}COMMIT;")


@contextmanager
def transaction(database: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    database.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def data_version(database: sqlite3.Connection) -> int:
    """Another number once another connection has committed."""
    return int(database.execute("PRAGMA data_version").fetchone()[0])


def meta(database: sqlite3.Connection) -> dict[str, int]:
    return dict(database.execute("SELECT key, value FROM meta"))


def set_meta(database: sqlite3.Connection, key: str, value: int) -> None:
    database.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))


def advance(database: sqlite3.Connection, key: str) -> None:
    database.execute("UPDATE meta SET value = value + 1 WHERE key = ?", (key,))


def settings(database: sqlite3.Connection) -> dict[str, str]:
    return dict(database.execute("SELECT name, value FROM settings").fetchall())


def set_setting(database: sqlite3.Connection, name: str, value: str | None) -> None:
    if value is None:
        database.execute("DELETE FROM settings WHERE name = ?", (name,))
    else:
        database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))


def dimensions(database: sqlite3.Connection) -> int:
    """Of the vectors that are kept; 0 before there are any."""
    return meta(database)["dimensions"]


def set_dimensions(database: sqlite3.Connection, dimensions: int) -> None:
    set_meta(database, "dimensions", dimensions)


def forget_vectors(database: sqlite3.Connection) -> int:
    """How many there were."""
    forgotten = database.execute("UPDATE passages SET vector = NULL WHERE vector IS NOT NULL").rowcount
    set_dimensions(database, 0)
    return forgotten


def insert(database: sqlite3.Connection, document: str, version: int, entries: Sequence[Entry]) -> None:
    vectors = quantised_each([entry.vector for entry in entries])
    database.executemany(
        "INSERT INTO passages (document, version, position, page, start, end, words, digest, section, text,"
        " vector, hashes, counts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_row(document, version, *each) for each in zip(entries, vectors, strict=True)),
    )


def _row(document: str, version: int, entry: Entry, vector: bytes | None) -> tuple[Any, ...]:
    terms = entry.terms if isinstance(entry.terms, Hashed) else hashed(entry.terms)
    return (
        document, version, entry.position, entry.page, entry.start, entry.end, entry.words, entry.digest,
        entry.section, entry.text, vector, terms.hashes, terms.counts,
    )  # fmt: skip


def delete_version(database: sqlite3.Connection, document: str, version: int) -> int:
    return _delete(database, document, version, version)


def delete_document(database: sqlite3.Connection, document: str, below: int | None) -> int:
    return _delete(database, document, 0, _HIGHEST if below is None else below - 1)


def _delete(database: sqlite3.Connection, document: str, first: int, last: int) -> int:
    of = (document, first, last)
    database.execute(
        "INSERT INTO deleted (key) SELECT key FROM passages WHERE document = ? AND version BETWEEN ? AND ?",
        of,
    )
    return database.execute(
        "DELETE FROM passages WHERE document = ? AND version BETWEEN ? AND ?", of
    ).rowcount


def deleted_after(database: sqlite3.Connection, seq: int) -> list[tuple[int, int]]:
    """``(seq, key)`` of what was deleted after one of them."""
    return database.execute("SELECT seq, key FROM deleted WHERE seq > ? ORDER BY seq", (seq,)).fetchall()


def forget_deleted(database: sqlite3.Connection, first: int, last: int) -> None:
    """The segments no longer hold any key from ``first`` to ``last`` that was deleted."""
    database.execute("DELETE FROM deleted WHERE key BETWEEN ? AND ?", (first, last))


def segments(database: sqlite3.Connection) -> list[tuple[str, int]]:
    """Name and first key of each, in the order of their keys."""
    return database.execute("SELECT name, first_key FROM segments ORDER BY first_key").fetchall()


def replace_segments(database: sqlite3.Connection, old: Iterable[str], new: tuple[str, int] | None) -> None:
    database.executemany("DELETE FROM segments WHERE name = ?", [(name,) for name in old])
    if new is not None:
        database.execute("INSERT INTO segments VALUES (?, ?)", new)


def last_key(database: sqlite3.Connection) -> int:
    found = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'").fetchone()
    return int(found[0]) if found else 0


def passages(database: sqlite3.Connection, after: int, most: int | None = None) -> Passages | None:
    """The passages with keys above one, in their order; ``None`` where there are none."""
    rows = database.execute(
        "SELECT key, document, version, position, words, digest, vector, hashes, counts"
        " FROM passages WHERE key > ? ORDER BY key LIMIT ?",
        (after, -1 if most is None else most),
    ).fetchall()
    if not rows:
        return None
    keys, documents, versions, positions, words, digests, vectors, hashes, counts = zip(*rows, strict=True)
    all_counts = np.frombuffer(b"".join(counts), np.uint16)
    return Passages(
        keys=np.array(keys, np.int64),
        documents=documents,
        versions=np.array(versions, np.int64),
        positions=np.array(positions, np.uint32),
        words=np.array(words, np.uint32),
        digests=np.frombuffer(b"".join(digests), np.uint8).reshape(len(rows), -1),
        embedded=np.fromiter((v is not None for v in vectors), np.bool_, len(rows)),
        vectors=_vectors(vectors),
        hashes=np.frombuffer(b"".join(hashes), np.uint64),
        counts=all_counts,
        terms=np.fromiter((len(h) // 8 for h in hashes), np.int64, len(rows)),
    )


def _vectors(vectors: Sequence[bytes | None]) -> Bytes:
    dimensions = max((len(v) for v in vectors if v is not None), default=0)
    rows = np.frombuffer(b"".join(v or bytes(dimensions) for v in vectors), np.int8)
    return rows.reshape(len(vectors), dimensions)


def vectors_of(database: sqlite3.Connection, digests: Sequence[bytes]) -> dict[bytes, Vector]:
    found: dict[bytes, Vector] = {}
    for start in range(0, len(digests), _ASKED_AT_ONCE):
        some = digests[start : start + _ASKED_AT_ONCE]
        for digest, vector in database.execute(_VECTORS.format(", ".join(["(?)"] * len(some))), some):
            if vector is not None:
                found[digest] = restored(np.frombuffer(vector, np.int8).reshape(1, -1))[0]
    return found


def checkpoint(database: sqlite3.Connection) -> bool:
    """The log is empty and the file holds everything; false while a reader is in the way."""
    return bool(database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
