"""The languages of the documents: each version that the index holds has voted for its own.

The sum is a setting that changes in the same transaction, so that no vote is lost, counted twice, or left
by a document that went.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from refdesk.index.local import truth
from refdesk.index.model import LANGUAGES

_SCHEMA = """
CREATE TABLE IF NOT EXISTS votes (
    document TEXT NOT NULL, version INTEGER NOT NULL, language TEXT NOT NULL,
    PRIMARY KEY (document, version, language)
) WITHOUT ROWID
"""
_HIGHEST = 2**63 - 1


def create(database: sqlite3.Connection) -> None:
    database.execute(_SCHEMA)


def cast(database: sqlite3.Connection, document: str, version: int, languages: Sequence[str]) -> None:
    """In place of what the version had voted for before."""
    _withdraw(database, document, version, version)
    distinct = list(dict.fromkeys(languages))
    database.executemany(
        "INSERT INTO votes VALUES (?, ?, ?)", [(document, version, language) for language in distinct]
    )
    _count(database, distinct, 1)


def drop(database: sqlite3.Connection, document: str, below: int | None) -> None:
    _withdraw(database, document, 0, _HIGHEST if below is None else below - 1)


def _withdraw(database: sqlite3.Connection, document: str, first: int, last: int) -> None:
    gone = [
        language
        for (language,) in database.execute(
            "DELETE FROM votes WHERE document = ? AND version BETWEEN ? AND ? RETURNING language",
            (document, first, last),
        ).fetchall()
    ]
    _count(database, gone, -1)


def _count(database: sqlite3.Connection, languages: Iterable[str], by: int) -> None:
    changes = Counter({language: by * votes for language, votes in Counter(languages).items()})
    if changes:
        votes = Counter(json.loads(truth.settings(database).get(LANGUAGES, "{}")))
        votes.update(changes)
        truth.set_setting(database, LANGUAGES, json.dumps(+votes))
