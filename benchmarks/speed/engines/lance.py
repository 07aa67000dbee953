"""LanceDB, one table a base, through its synchronous API.

As its documentation has it: a full-text index with the defaults (stems, no stop words), made after the load;
hybrid by ``query_type="hybrid"`` with ``RRFReranker``. Up to about 100,000 rows a vector index "is usually
unnecessary", so there vectors are compared one by one; above, ``IVF_HNSW_SQ``, the one with the "best
recall/latency trade-off", and the search settings that it chooses itself. New rows are found at once and
taken into the indexes by ``optimize``, which also removes deleted bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lancedb
import pyarrow as pa
from lancedb.rerankers import RRFReranker

from speed.engines.model import Hit
from speed.given import Document, Given, Passage

if TYPE_CHECKING:
    from speed.engines.model import Vector

PACKAGES = ("lancedb",)
_SHOWN = ["key", "text"]


class Adapter:
    several = False
    exact = 100_000
    """Rows to which the documentation advises against a vector index."""

    def __init__(self, store: Path, given: Given) -> None:
        self._store = store
        self._given = given
        self.searches = {"keyword": self._keyword, "meaning": self._meaning, "hybrid": self._hybrid}
        self._tables: list[Any] = []
        self._fusion = RRFReranker()

    def build(self) -> None:
        database = lancedb.connect(self._store)
        for base, passages, vectors in self._given.by_base():
            table = database.create_table(f"base_{base}", data=_rows(passages, vectors))
            table.create_fts_index("text")
            if len(passages) > self.exact:
                table.create_index(metric="cosine", vector_column_name="vector", index_type="IVF_HNSW_SQ")

    def open(self) -> None:
        database = lancedb.connect(self._store)
        self._tables = [database.open_table(f"base_{base}") for base in range(self._given.bases)]

    def _keyword(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        return _hits(self._tables[bases[0]].search(question, query_type="fts"), k)

    def _meaning(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        return _hits(self._by_vector(self._tables[bases[0]].search(vector)), k)

    def _hybrid(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        query = self._tables[bases[0]].search(query_type="hybrid").vector(vector).text(question)
        return _hits(self._by_vector(query).rerank(self._fusion), k)

    def _by_vector(self, query: Any) -> Any:
        return query.distance_type("cosine")

    def add(self, base: int, document: Document) -> None:
        self._tables[base].add(_rows(document.passages, document.vectors))

    def delete(self, base: int, document: Document) -> None:
        self._tables[base].delete(f"document = '{document.name}'")

    def clean(self) -> bool:
        for table in self._tables:
            table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)
        return True

    def close(self) -> None:
        pass


def _rows(passages: Sequence[Passage], vectors: Any) -> pa.Table:
    return pa.table(
        {
            "key": [passage.key for passage in passages],
            "document": [passage.document for passage in passages],
            "text": [passage.text for passage in passages],
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1]),
        }
    )


def _hits(query: Any, k: int) -> list[Hit]:
    return [Hit(row["key"], row["text"]) for row in query.select(_SHOWN).limit(k).to_list()]
