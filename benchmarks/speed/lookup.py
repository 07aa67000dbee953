"""The embedding model of the product while its own work is measured: vectors are looked up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from refdesk.embedding.model import Fingerprint, Vector, Vectors
from speed.given import Given


class LookedUp:
    """Knows the questions and passages of the data, and raises ``KeyError`` at any other text: then the data
    are older than the code that splits documents, and are to be made again."""

    def __init__(self, given: Given) -> None:
        self._given = given
        self.fingerprint = Fingerprint(**given.about()["fingerprint"])

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        vectors = [self._passages[text] for text in texts]
        if progress is not None:
            progress(len(texts))
        return np.array(vectors, np.float32).reshape(len(texts), self.fingerprint.dimensions)

    def question(self, text: str) -> Vector:
        return self._questions[text]

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
