"""What every model that runs in this process has in common: loaded once, one text at a time, in order."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import numpy as np

from refdesk.embedding.model import UNEMBEDDABLE, Fingerprint, Vector, Vectors
from refdesk.embedding.models import Model, wrong
from refdesk.embedding.native import NATIVE
from refdesk.errors import Failed


class Engine(Protocol):
    """Loaded weights. May be used by several threads at once."""

    def passage(self, text: str) -> Vector: ...

    def question(self, text: str) -> Vector: ...


class InProcessEmbedder(ABC):
    """Safe to use from several threads. The first text waits for the weights to load."""

    def __init__(self, model: Model, folder: Path, threads: int) -> None:
        self._of = model
        self._folder = folder
        self._threads = threads
        self._loading = threading.Lock()
        self._engine: Engine | None = None
        self.fingerprint = Fingerprint(
            provider="local",
            model=model.name,
            sha256=model.weights.sha256[0],
            dimensions=model.dimensions,
            pooling=model.pooling,
            question_prefix=model.question_prefix,
            passage_prefix=model.passage_prefix,
            max_tokens=model.max_tokens,
        )

    @abstractmethod
    def _load(self) -> Engine:
        """Raises ``ImportError`` without its library, and what that raises where the weights do not load."""

    def load(self) -> None:
        """Now, and not with the first text."""
        self._ready()

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        vectors = np.empty((len(texts), self.fingerprint.dimensions), dtype=np.float32)
        for row, vector in enumerate(self._in_order(texts)):
            vectors[row] = vector
            if progress is not None:
                progress(1)
        return vectors

    def question(self, text: str) -> Vector:
        engine = self._ready()
        with NATIVE:
            return engine.question(UNEMBEDDABLE.sub("", text))

    def _in_order(self, texts: Sequence[str]) -> Iterator[Vector]:
        if not texts:
            return
        engine = self._ready()

        def embed(text: str) -> Vector:
            with NATIVE:
                return engine.passage(UNEMBEDDABLE.sub("", text))

        workers = min(self._threads, len(texts))
        if workers == 1:
            yield from map(embed, texts)
            return
        with ThreadPoolExecutor(workers, thread_name_prefix="embedding") as pool:
            yield from pool.map(embed, texts)

    def _ready(self) -> Engine:
        with self._loading, NATIVE:
            if self._engine is None:
                self._engine = self._loaded()
            return self._engine

    def _loaded(self) -> Engine:
        for file in self._of.files:
            if reason := wrong(file, self._folder):
                raise unavailable(self._of, f"{reason}; run {self._of.remedy}")
        try:
            return self._load()
        except ImportError:
            raise unavailable(self._of, f"it needs `pip install 'refdesk[{self._of.extra}]'`") from None
        except Exception as error:
            # The libraries document no classes of their own for what they raise here.
            raise unavailable(self._of, f"it does not load ({type(error).__name__}: {error})") from error


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def unavailable(model: Model, why: str) -> Failed:
    return Failed(f"The embedding model {model.name} cannot be used: {why}.", code="embedding_unavailable")
