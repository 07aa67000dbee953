"""What an embedding model is to the rest: unit vectors, and a fingerprint that must agree."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from refdesk.errors import Failed

Vector = NDArray[np.float32]
Vectors = NDArray[np.float32]

UNEMBEDDABLE = re.compile("[\x00\ud800-\udfff]")
"""Characters that end a text or are no text, for one model or another: they are taken out first."""


class Interrupted(Failed):
    """``made`` holds the vectors of the first texts: what was paid for before the failure is not lost."""

    def __init__(self, message: str, made: Vectors) -> None:
        super().__init__(message, code="embedding_unavailable")
        self.made = made


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Two vectors may be compared only where all of this is equal."""

    provider: str
    model: str
    sha256: str
    dimensions: int
    pooling: str
    question_prefix: str
    passage_prefix: str
    max_tokens: int

    @property
    def bought(self) -> bool:
        """Whether a service makes the vectors: they cost money, and may be long in coming."""
        return self.pooling == "service"

    @property
    def key(self) -> str:
        return _key(self)


@lru_cache(maxsize=256)
def _key(fingerprint: Fingerprint) -> str:
    """Every search compares it."""
    return hashlib.sha256(json.dumps(asdict(fingerprint), sort_keys=True).encode()).hexdigest()[:32]


class Embedder(Protocol):
    @property
    def fingerprint(self) -> Fingerprint: ...

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """Unit rows, shape ``(len(texts), dimensions)``; ``progress`` is told each number just done.

        Bit-equal on a rerun and in any order where the model runs here. Raises ``Failed``
        (``embedding_unavailable``), or ``Interrupted`` where some vectors were made before.
        """
        ...

    def question(self, text: str) -> Vector:
        """A unit vector, shape ``(dimensions,)``."""
        ...
