"""The embedding model of the product while its own work is measured: vectors are looked up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from zlib import crc32

import numpy as np

from refdesk.embedding.model import Fingerprint, Vector, Vectors
from speed.given import Given


class LookedUp:
    """Knows the questions and passages of the data. A passage in which screening changed a word, as in
    a few documents of made-up text, has the vector of another."""

    def __init__(self, given: Given) -> None:
        self._given = given
        self.fingerprint = Fingerprint(**given.about()["fingerprint"])

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        known = self._passages
        vectors = [known[text] if text in known else self._another(text) for text in texts]
        if progress is not None:
            progress(len(texts))
        return np.array(vectors, np.float32).reshape(len(texts), self.fingerprint.dimensions)

    def question(self, text: str) -> Vector:
        return self._questions[text]

    def _another(self, text: str) -> Vector:
        vectors = self._given.vectors()
        return vectors[crc32(text.encode()) % len(vectors)]

    @cached_property
    def _questions(self) -> dict[str, Vector]:
        return dict(zip(self._given.questions(), self._given.question_vectors(), strict=True))

    @cached_property
    def _passages(self) -> dict[str, Vector]:
        known = {
            passage.indexed: vector
            for passage, vector in zip(self._given.passages(), self._given.vectors(), strict=True)
        }
        for document in self._given.more():
            known |= dict(zip((one.indexed for one in document.passages), document.vectors, strict=True))
        return known
