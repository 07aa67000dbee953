"""An embedder without weights, for tests: texts that share words have near vectors."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence

import numpy as np

from refdesk.embedding.model import Fingerprint, Vector, Vectors

_WORD = re.compile(r"\w+")


class WordEmbedder:
    """Hashes each word, in lower case, to a dimension and a sign. Deterministic everywhere, and instant."""

    def __init__(self, dimensions: int = 64) -> None:
        self.fingerprint = Fingerprint(
            provider="testing",
            model="words",
            sha256=hashlib.sha256(b"words").hexdigest(),
            dimensions=dimensions,
            pooling="sum",
            question_prefix="",
            passage_prefix="",
            max_tokens=1_000_000,
        )

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        vectors = np.zeros((len(texts), self.fingerprint.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.question(text)
            if progress is not None:
                progress(1)
        return vectors

    def question(self, text: str) -> Vector:
        vector = np.zeros(self.fingerprint.dimensions, dtype=np.float32)
        for word in _WORD.findall(text.lower()):
            digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
            place = int.from_bytes(digest, "big")
            vector[place // 2 % len(vector)] += 1 if place % 2 else -1
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            vector[0] = length = 1.0
        return vector / np.float32(length)
