"""Refdesk's local index alone: terms and vectors in, candidates and their texts out.

No reading, no catalog, no fusion: what of the product's figures is the index's.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdesk.index.analysis import analyze_question
from refdesk.index.local import LocalIndex
from refdesk.index.model import DIGEST, Candidate
from refdesk.ingest.steps import Prepared, entries
from refdesk.passages import Passage as Split
from refdesk.search.halves import Searched, ask
from speed.engines.model import Hit
from speed.given import Document, Given, Passage, key

if TYPE_CHECKING:
    from speed.engines.model import Vector

PACKAGES = ("refdesk",)

LANGUAGES = ("english",)


class Adapter:
    several = False

    def __init__(self, store: Path, given: Given) -> None:
        self._store = store
        self._given = given
        self._indexes: list[LocalIndex] = []
        self.searches = {"keyword": self._keyword, "meaning": self._meaning}

    def build(self) -> None:
        for base, passages, vectors in self._given.by_base():
            index, start = self._index(base), 0
            for name, group in groupby(passages, lambda passage: passage.document):
                document = list(group)
                _put(index, name, document, vectors[start : start + len(document)])
                start += len(document)
            index.close()

    def open(self) -> None:
        self._indexes = [self._index(base) for base in range(self._given.bases)]

    def _index(self, base: int) -> LocalIndex:
        return LocalIndex(self._store / str(base))

    def _keyword(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        index = self._indexes[bases[0]]
        searched = Searched(str(bases[0]), "", index, LANGUAGES, None)
        asked = ask(analyze_question(question, LANGUAGES), [searched])
        return _hits(index, index.keyword(asked.terms, asked.statistics, k))

    def _meaning(self, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        index = self._indexes[bases[0]]
        return _hits(index, index.nearest(vector, k))

    def add(self, base: int, document: Document) -> None:
        _put(self._indexes[base], document.name, document.passages, document.vectors)

    def delete(self, base: int, document: Document) -> None:
        self._indexes[base].drop(document.name)
        self._indexes[base].tidy()

    def clean(self) -> bool:
        return False

    def close(self) -> None:
        for index in self._indexes:
            index.close()


def _put(index: LocalIndex, name: str, passages: Sequence[Passage], vectors: Any) -> None:
    prepared = [_prepared(one) for one in passages]
    digests = [one.digest for one in prepared]
    index.put(name, 1, entries(prepared, LANGUAGES, dict(zip(digests, vectors, strict=True))))


def _prepared(passage: Passage) -> Prepared:
    split = Split(passage.position, passage.text, 0, len(passage.text))
    digest = blake2b(passage.indexed.encode(), digest_size=DIGEST).digest()
    return Prepared(split, passage.indexed, digest)


def _hits(index: LocalIndex, candidates: Sequence[Candidate]) -> list[Hit]:
    texts = index.stored([one.key for one in candidates])
    return [Hit(key(one.document, one.position), texts[one.key].text) for one in candidates]
