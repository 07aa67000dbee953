"""Chroma, one collection a base, as a persistent client in this process, its telemetry off.

Vectors in its HNSW index, defaults but for the cosine distance. Ranked keyword search and hybrid search
(``Schema``, ``Search``, ``Rrf``, sparse vectors) its documentation offers on Chroma Cloud and the distributed
server alone; here words are a filter, ``$contains``, that ranks nothing. So it is measured by meaning.
Deleted bytes leave by ``chroma vacuum``, a command of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chromadb
from chromadb.config import Settings

from speed.engines.model import Hit
from speed.given import Document, Given, Passage

if TYPE_CHECKING:
    from speed.engines.model import Vector

PACKAGES = ("chromadb",)


class Adapter:
    several = False

    def __init__(self, store: Path, given: Given) -> None:
        self._store = store
        self._given = given
        self._client: Any = None
        self._collections: list[Any] = []
        self.searches = {"meaning": self._meaning}

    def build(self) -> None:
        client = self._connected()
        for base, passages, vectors in self._given.by_base():
            collection = client.create_collection(
                f"base_{base}", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
            )
            most = client.get_max_batch_size()
            for start in range(0, len(passages), most):
                _add(collection, passages[start : start + most], vectors[start : start + most])

    def open(self) -> None:
        client = self._connected()
        self._collections = [
            client.get_collection(f"base_{base}", embedding_function=None)
            for base in range(self._given.bases)
        ]

    def _meaning(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        found = self._collections[bases[0]].query(query_embeddings=vector, n_results=k, include=["documents"])
        return [Hit(*pair) for pair in zip(found["ids"][0], found["documents"][0], strict=True)]

    def add(self, base: int, document: Document) -> None:
        _add(self._collections[base], document.passages, document.vectors)

    def delete(self, base: int, document: Document) -> None:
        self._collections[base].delete(where={"document": document.name})

    def clean(self) -> bool:
        return False

    def close(self) -> None:
        pass

    def _connected(self) -> Any:
        return chromadb.PersistentClient(self._store, settings=Settings(anonymized_telemetry=False))


def _add(collection: Any, passages: Sequence[Passage], vectors: Any) -> None:
    collection.add(
        ids=[passage.key for passage in passages],
        documents=[passage.text for passage in passages],
        metadatas=[{"document": passage.document} for passage in passages],
        embeddings=vectors,
    )
