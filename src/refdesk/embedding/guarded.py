"""A service as a search may use it: it can be slow or silent, and no question waits behind another for it.

At most ``AT_ONCE`` questions are asked at a time, so that a silent service holds so many threads and no more.
After a failure it is left alone for as long as that kept its question waiting: a refusal costs nothing and is
asked again at once, a silence is not asked for again by everybody. Vectors of questions are kept, so that
the same question is bought once, also where its answer came too late for the one who asked.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from refdesk.embedding.model import Embedder, Fingerprint, Vector, Vectors
from refdesk.errors import Failed

AT_ONCE = 32
KEPT = 512  # questions


class GuardedEmbedder:
    def __init__(self, embedder: Embedder, at_once: int = AT_ONCE) -> None:
        self._embedder = embedder
        self._places = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._questions: OrderedDict[str, Vector] = OrderedDict()
        self._trouble = ""
        self._rests_until = 0.0

    @property
    def fingerprint(self) -> Fingerprint:
        return self._embedder.fingerprint

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        return self._embedder.passages(texts, progress)

    def question(self, text: str) -> Vector:
        with self._lock:
            if text in self._questions:
                self._questions.move_to_end(text)
                return self._questions[text]
            if time.monotonic() < self._rests_until:
                raise _unavailable(self._trouble)
        if not self._places.acquire(blocking=False):
            raise _unavailable("The embedding service is still at work on other questions.")
        try:
            return self._asked(text)
        finally:
            self._places.release()

    def _asked(self, text: str) -> Vector:
        started = time.monotonic()
        try:
            vector = self._embedder.question(text)
        except Failed as error:
            with self._lock:
                now = time.monotonic()
                self._trouble, self._rests_until = error.message, now + (now - started)
            raise
        with self._lock:
            self._questions[text] = vector
            if len(self._questions) > KEPT:
                self._questions.popitem(last=False)
        return vector


def _unavailable(message: str) -> Failed:
    return Failed(message, code="embedding_unavailable")
