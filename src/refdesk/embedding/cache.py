"""Vectors kept between runs of ``refdesk eval``: embedding a set takes minutes, reading it back none."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from refdesk.embedding.model import Embedder, Fingerprint, Interrupted, Vector, Vectors
from refdesk.errors import Failed

CHECKPOINT = 64
"""Texts embedded between two commits: what an interrupted run loses at most."""

_LOOKUP = 500
_FIND = "SELECT content, vector FROM vectors WHERE fingerprint = ? AND content IN ({})"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    fingerprint TEXT NOT NULL,
    content BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (fingerprint, content)
)
"""


def cache_file(cache_folder: Path) -> Path:
    return cache_folder / "vectors.sqlite"


class CachedEmbedder:
    """Looks passages up in ``file`` before it has them embedded; questions, which are timed, are not kept.

    A vector is found by the embedder's fingerprint and the SHA-256 of the text, and is bit-equal to the one
    that was put. Several processes may use one file.
    """

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self._embedder = embedder
        self._file = file

    @property
    def fingerprint(self) -> Fingerprint:
        return self._embedder.fingerprint

    def question(self, text: str) -> Vector:
        return self._embedder.question(text)

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        told = progress or (lambda _: None)
        contents = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        missing = dict(zip(contents, texts, strict=True))
        with self._open() as connection:
            vectors = self._kept(connection, list(missing))
            for content in vectors:
                del missing[content]
            told(len(texts) - len(missing))
            for some in _batches(list(missing)):
                try:
                    made = self._embedder.passages([missing[content] for content in some], told)
                except Interrupted as error:
                    self._keep(connection, some[: len(error.made)], error.made)
                    raise Failed(error.message, code=error.code) from None
                self._keep(connection, some, made)
                vectors.update(zip(some, made, strict=True))
        rows = [vectors[content] for content in contents]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.fingerprint.dimensions)

    def _kept(self, connection: sqlite3.Connection, contents: Sequence[bytes]) -> dict[bytes, Vector]:
        vectors: dict[bytes, Vector] = {}
        for some in _batches(contents, _LOOKUP):
            rows = connection.execute(_FIND.format(", ".join("?" * len(some))), (self.fingerprint.key, *some))
            vectors.update((content, np.frombuffer(vector, dtype="<f4")) for content, vector in rows)
        return vectors

    def _keep(self, connection: sqlite3.Connection, contents: Sequence[bytes], vectors: Vectors) -> None:
        with connection:
            connection.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)",
                (
                    (self.fingerprint.key, content, vector.astype("<f4").tobytes())
                    for content, vector in zip(contents, vectors, strict=True)
                ),
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = None
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._file, timeout=60.0)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(_SCHEMA)
            yield connection
        except (sqlite3.Error, OSError) as error:
            raise Failed(
                f"The vector cache {self._file} cannot be used ({error}); it can be deleted without loss."
            ) from None
        finally:
            if connection is not None:
                connection.close()


def _batches(items: Sequence[bytes], size: int = CHECKPOINT) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
