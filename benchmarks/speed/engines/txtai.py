"""txtai, one embeddings database a base, saved into a folder and loaded from it.

As its documentation has it: ``hybrid=True``, BM25 beside the vectors, both normalized, added at half the
weight each; ``content=True``, the texts in SQLite; vectors in Faiss with the defaults, from 5,000 rows on an
IVF index of which a search looks at a sixteenth. The vectors that are given come by ``method="external"``.
It documents keyword search and vector search for databases of their own (``keyword=True``, or a model
alone); in a hybrid one a weight of 0 asks both halves. So that neither pays for the other, each is asked of
the same open database without its other half.

``upsert`` and ``delete`` change the database in memory, ``save`` writes it: the SQLite files' changes, the
rest anew. Postings of deleted rows stay and are marked; what takes them out is ``reindex``, which builds all
of it anew. PyTorch and Transformers are not installed, as in what its documentation calls a minimal install:
nothing here needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from txtai import Embeddings

from speed.engines.model import Hit, Mode
from speed.given import Document, Given, Passage

if TYPE_CHECKING:
    from speed.engines.model import Vector

PACKAGES = ("txtai", "faiss-cpu")


class Adapter:
    several = False

    def __init__(self, store: Path, given: Given) -> None:
        self._store = store
        self._given = given
        self._vectors: Iterator[Any] = iter(())
        self._transform = lambda texts: list(islice(self._vectors, len(texts)))
        self._databases: list[Mapping[Mode, Embeddings]] = []
        modes: Sequence[Mode] = ("keyword", "meaning", "hybrid")
        self.searches = {mode: partial(self._search, mode) for mode in modes}

    def build(self) -> None:
        for base, passages, vectors in self._given.by_base():
            database = Embeddings(method="external", transform=self._transform, hybrid=True, content=True)
            self._vectors = iter(vectors)
            database.index(_rows(passages))
            database.save(self._folder(base))
            database.close()

    def open(self) -> None:
        for base in range(self._given.bases):
            whole = Embeddings().load(self._folder(base), config={"transform": self._transform})
            keyword, meaning = _without(whole, "ann"), _without(whole, "scoring")
            self._databases.append({"keyword": keyword, "meaning": meaning, "hybrid": whole})

    def _folder(self, base: int) -> str:
        return str(self._store / str(base))

    def _search(self, mode: Mode, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        self._vectors = iter([vector])
        return [Hit(row["id"], row["text"]) for row in self._databases[bases[0]][mode].search(question, k)]

    def add(self, base: int, document: Document) -> None:
        self._vectors = iter(document.vectors)
        database = self._databases[base]["hybrid"]
        database.upsert(_rows(document.passages))
        database.save(self._folder(base))

    def delete(self, base: int, document: Document) -> None:
        database = self._databases[base]["hybrid"]
        database.delete([passage.key for passage in document.passages])
        database.save(self._folder(base))

    def clean(self) -> bool:
        return False

    def close(self) -> None:
        for database in self._databases:
            database["hybrid"].close()


def _without(database: Embeddings, half: str) -> Embeddings:
    """A view of the same open files."""
    other = copy(database)
    setattr(other, half, None)
    return other


def _rows(passages: Sequence[Passage]) -> Iterable[tuple[str, str, None]]:
    return [(passage.key, passage.text, None) for passage in passages]
