"""Vectors that stand with no passage: of a model that the base has turned from, or of a document not put yet.

They were paid for, so they are kept by model and document until the document goes. All SQL about them, and
about the model whose vectors the passages may have, stands here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

import numpy as np

from refdesk.embedding.model import Vector
from refdesk.errors import Failed
from refdesk.index.local import truth
from refdesk.index.local.vectors import quantised, restored
from refdesk.index.model import EXPECTED, FINGERPRINT

_SCHEMA = """
CREATE TABLE IF NOT EXISTS kept (
    fingerprint TEXT NOT NULL, digest BLOB NOT NULL, document TEXT NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (fingerprint, digest, document)
) WITHOUT ROWID
"""


def create(database: sqlite3.Connection) -> None:
    database.execute(_SCHEMA)


def keep(
    database: sqlite3.Connection, document: str, fingerprint: str, vectors: Mapping[bytes, Vector]
) -> None:
    database.executemany(
        "INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)",
        [(fingerprint, digest, document, quantised(vector)) for digest, vector in vectors.items()],
    )


def of(database: sqlite3.Connection, fingerprint: str, digests: Sequence[bytes]) -> dict[bytes, Vector]:
    found: dict[bytes, Vector] = {}
    if not database.execute("SELECT 1 FROM kept WHERE fingerprint = ? LIMIT 1", (fingerprint,)).fetchone():
        return found
    for digest in digests:
        row = database.execute(
            "SELECT vector FROM kept WHERE fingerprint = ? AND digest = ? LIMIT 1", (fingerprint, digest)
        ).fetchone()
        if row:
            found[digest] = restored(np.frombuffer(row[0], np.int8).reshape(1, -1))[0]
    return found


def agree(database: sqlite3.Connection, document: str, fingerprint: str) -> None:
    """The document's passages have their vectors by this model, or the index is of another and it fails."""
    settings = truth.settings(database)
    if (
        settings.get(EXPECTED, fingerprint) != fingerprint
        or settings.get(FINGERPRINT, fingerprint) != fingerprint
    ):
        raise Failed(
            "The base holds vectors of another embedding model, which cannot be compared: "
            "run `refdesk reindex`.",
            code="embedding_changed",
        )
    truth.set_setting(database, FINGERPRINT, fingerprint)
    database.execute("DELETE FROM kept WHERE document = ? AND fingerprint = ?", (document, fingerprint))


def turn_to(database: sqlite3.Connection, fingerprint: str | None) -> bool:
    """Whether vectors of another model were set aside."""
    truth.set_setting(database, EXPECTED, fingerprint or "")
    held = truth.settings(database).get(FINGERPRINT)
    if held is not None and held == fingerprint:
        return False
    if held is not None:
        database.execute(
            "INSERT OR IGNORE INTO kept SELECT ?, digest, document, vector FROM passages"
            " WHERE vector IS NOT NULL",
            (held,),
        )
    truth.set_setting(database, FINGERPRINT, None)
    return truth.forget_vectors(database) > 0


def drop(database: sqlite3.Connection, document: str, below: int | None) -> None:
    """With the document all of its vectors; with older versions those that no passage of it needs now."""
    needed = (
        ""
        if below is None
        else (" AND digest NOT IN (SELECT digest FROM passages WHERE document = kept.document)")
    )
    database.execute(f"DELETE FROM kept WHERE document = ?{needed}", (document,))  # noqa: S608
