"""SQLite FTS5 with sqlite-vec, through apsw, one file a base.

FTS5 as its documentation shows it: an external content table kept up to date by triggers, the porter
tokenizer, ``ORDER BY rank``, ``optimize`` after the bulk load. A question is its words in quotes, joined by
OR, for all of them in one passage would find next to nothing. Vectors stand in a ``vec0`` table with the
cosine distance and are compared one by one: this release of sqlite-vec has no other index. Hybrid is the
reciprocal rank fusion that sqlite-vec's author gives. Deleted bytes leave by ``VACUUM``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import sqlite_vec

from speed.engines.model import Hit
from speed.given import Document, Given, Passage

if TYPE_CHECKING:
    from speed.engines.model import Vector

PACKAGES = ("apsw", "sqlite-vec")

_SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, document TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_by_document ON passages (document);
CREATE VIRTUAL TABLE words USING fts5(text, content = 'passages', content_rowid = 'id', tokenize = 'porter');
CREATE TRIGGER passage_in AFTER INSERT ON passages BEGIN
    INSERT INTO words (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER passage_out AFTER DELETE ON passages BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE VIRTUAL TABLE vectors USING vec0(
    id INTEGER PRIMARY KEY, vector FLOAT[{dimensions}] distance_metric=cosine
);
"""

_KEYWORD = """
SELECT key, passages.text FROM words JOIN passages ON passages.id = words.rowid
WHERE words MATCH :words ORDER BY rank LIMIT :k
"""

_MEANING = """
SELECT key, text FROM vectors JOIN passages USING (id)
WHERE vector MATCH :vector AND k = :k ORDER BY distance
"""

_HYBRID = """
WITH vec_matches AS (
    SELECT id, row_number() OVER (ORDER BY distance) AS rank_number
    FROM vectors WHERE vector MATCH :vector AND k = :k
),
fts_matches AS (
    SELECT rowid, row_number() OVER (ORDER BY rank) AS rank_number
    FROM words WHERE words MATCH :words LIMIT :k
)
SELECT passages.key, passages.text FROM fts_matches
FULL OUTER JOIN vec_matches ON vec_matches.id = fts_matches.rowid
JOIN passages ON passages.id = coalesce(fts_matches.rowid, vec_matches.id)
ORDER BY coalesce(1.0 / (60 + fts_matches.rank_number), 0.0) +
         coalesce(1.0 / (60 + vec_matches.rank_number), 0.0) DESC
LIMIT :k
"""


class Adapter:
    several = False

    def __init__(self, store: Path, given: Given) -> None:
        self._store = store
        self._given = given
        self.searches = {"keyword": self._keyword, "meaning": self._meaning, "hybrid": self._hybrid}
        self._databases: list[apsw.Connection] = []

    def build(self) -> None:
        self._store.mkdir()
        for base, passages, vectors in self._given.by_base():
            with closing(_connected(self._store / f"{base}.db")) as database:
                database.execute(_SCHEMA.format(dimensions=vectors.shape[1])).fetchall()
                with database:
                    _insert(database, passages, vectors)
                    database.execute("INSERT INTO words (words) VALUES ('optimize')")

    def open(self) -> None:
        files = sorted(self._store.glob("*.db"), key=lambda file: int(file.stem))
        self._databases = [_connected(file) for file in files]

    def _keyword(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        return _hits(self._databases[bases[0]], _KEYWORD, words=self._query(question, bases[0]), k=k)

    def _meaning(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        return _hits(self._databases[bases[0]], _MEANING, vector=vector.tobytes(), k=k)

    def _hybrid(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        words = self._query(question, bases[0])
        return _hits(self._databases[bases[0]], _HYBRID, words=words, vector=vector.tobytes(), k=k)

    def add(self, base: int, document: Document) -> None:
        with self._databases[base] as database:
            _insert(database, document.passages, document.vectors)

    def delete(self, base: int, document: Document) -> None:
        with self._databases[base] as database:
            of = (document.name,)
            database.execute(
                "DELETE FROM vectors WHERE id IN (SELECT id FROM passages WHERE document = ?)", of
            )
            database.execute("DELETE FROM passages WHERE document = ?", of)

    def clean(self) -> bool:
        for database in self._databases:
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return True

    def close(self) -> None:
        for database in self._databases:
            database.close()

    def chosen(self, words: Sequence[str], base: int) -> Sequence[str]:
        """The words of a question that are searched."""
        return words

    def _query(self, question: str, base: int) -> str:
        words = list(dict.fromkeys(re.findall(r"\w+", question.lower())))
        return " OR ".join(f'"{word}"' for word in self.chosen(words, base))


def _connected(file: Path) -> apsw.Connection:
    database = apsw.Connection(str(file))
    database.enable_load_extension(True)
    database.load_extension(sqlite_vec.loadable_path())
    database.enable_load_extension(False)
    return database


def _insert(database: apsw.Connection, passages: Sequence[Passage], vectors: Any) -> None:
    for passage, vector in zip(passages, vectors, strict=True):
        database.execute(
            "INSERT INTO passages (key, document, text) VALUES (?, ?, ?)",
            (passage.key, passage.document, passage.text),
        )
        database.execute(
            "INSERT INTO vectors (id, vector) VALUES (?, ?)", (database.last_insert_rowid(), vector.tobytes())
        )


def _hits(database: apsw.Connection, query: str, **values: Any) -> list[Hit]:
    return [Hit(*row) for row in database.execute(query, values)]
