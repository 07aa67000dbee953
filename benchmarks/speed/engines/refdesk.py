"""Refdesk as its users have it: documents in through ingestion, questions through ``Desk``.

So beyond what is asked of the others a build reads and splits the documents, a search asks the catalog about
each hit, an added document is read in a child process, and a deleted one's bytes are gone from disk when the
call returns. Vectors are looked up, so that no work of the embedding model is in the figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from refdesk import Desk
from speed.engines.model import Hit, Mode
from speed.given import Document, Given, key
from speed.lookup import LookedUp

if TYPE_CHECKING:
    from refdesk.desk.bases import Base
    from speed.engines.model import Vector

PACKAGES = ("refdesk",)


def base_name(number: int) -> str:
    return f"Base {number}"


class Adapter:
    several = True

    def __init__(self, store: Path, given: Given) -> None:
        self._store = store
        self._given = given
        self._bases: dict[int, Base] = {}
        self._added: dict[str, str] = {}
        modes: Sequence[Mode] = ("keyword", "meaning", "hybrid")
        self.searches = {mode: partial(self._search, mode) for mode in modes}

    def build(self) -> None:
        with self._opened() as desk:
            for number in range(self._given.bases):
                desk.bases.create(base_name(number)).add(self._given.documents / str(number), wait=True)

    def open(self) -> None:
        self._desk = self._opened()

    def _opened(self) -> Desk:
        return Desk.open(self._store, embedders={"local": LookedUp(self._given)})

    def _search(self, mode: Mode, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        found = self._desk.search(question, list(map(base_name, bases)), mode=mode, top_k=k)
        return [Hit(key(hit.name, hit.position), hit.text) for hit in found.hits]

    def add(self, base: int, document: Document) -> None:
        if base not in self._bases:
            self._bases[base] = self._desk.bases.get(base_name(base))
        added = self._bases[base].add(self._given.more_files / document.name, wait=True)
        self._added[document.name] = added.documents[0].id

    def delete(self, base: int, document: Document) -> None:
        self._desk.documents.delete(self._added.pop(document.name))

    def clean(self) -> bool:
        return False

    def close(self) -> None:
        self._desk.close()
