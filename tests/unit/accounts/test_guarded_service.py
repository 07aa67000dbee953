"""A service behind its guard: bounded, left alone after a failure, and no question bought twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from refdesk.embedding.guarded import KEPT, GuardedEmbedder
from refdesk.embedding.model import Vector, Vectors
from refdesk.errors import Failed
from refdesk.testing import WordEmbedder


class Slow:
    """Answers a question when it is let go."""

    def __init__(self) -> None:
        self.inner = WordEmbedder()
        self.fingerprint = self.inner.fingerprint
        self.asked: list[str] = []
        self.begun = threading.Semaphore(0)
        self.go = threading.Event()
        self.fails = False

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        return self.inner.passages(texts, progress)

    def question(self, text: str) -> Vector:
        self.asked.append(text)
        self.begun.release()
        self.go.wait(10)
        if self.fails:
            raise Failed("The embedding service is out.", code="embedding_unavailable")
        return self.inner.question(text)


@pytest.fixture
def slow() -> Slow:
    return Slow()


def ask(guarded: GuardedEmbedder, text: str) -> threading.Thread:
    thread = threading.Thread(target=lambda: guarded.question(text), daemon=True)
    thread.start()
    return thread


@pytest.mark.req("SRCH4")
def test_a_silent_service_holds_so_many_threads_and_the_next_question_goes_on(slow: Slow) -> None:
    guarded = GuardedEmbedder(slow, at_once=2)
    threads = [ask(guarded, f"question {number}") for number in range(2)]
    for _ in threads:
        assert slow.begun.acquire(timeout=10)
    with pytest.raises(Failed, match="at work on other questions") as caught:
        guarded.question("another question")
    assert caught.value.code == "embedding_unavailable"
    assert len(slow.asked) == 2
    slow.go.set()
    for thread in threads:
        thread.join(10)
    assert np.array_equal(guarded.question("another question"), slow.inner.question("another question"))


@pytest.mark.req("ING6")
def test_a_question_is_bought_once_also_when_its_answer_came_too_late(slow: Slow) -> None:
    guarded = GuardedEmbedder(slow)
    late = ask(guarded, "when is lunch")
    slow.go.set()
    late.join(10)
    assert np.array_equal(guarded.question("when is lunch"), slow.inner.question("when is lunch"))
    assert slow.asked == ["when is lunch"]
    for number in range(KEPT):
        guarded.question(f"question {number}")
    guarded.question("when is lunch")
    assert slow.asked.count("when is lunch") == 2, "it keeps no more than so many"


@pytest.mark.req("SRCH4")
def test_a_service_that_kept_a_question_waiting_is_left_alone_as_long(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr("refdesk.embedding.guarded.time.monotonic", lambda: clock[0])
    guarded = GuardedEmbedder(slow)
    slow.fails = True
    real_wait = slow.go.wait
    slow.go.set()

    def waits(timeout: float | None = None) -> bool:
        clock[0] += 9.0
        return real_wait(timeout)

    monkeypatch.setattr(slow.go, "wait", waits)
    for _ in range(3):
        with pytest.raises(Failed, match="is out"):
            guarded.question("when is lunch")
    assert len(slow.asked) == 1, "two of them were not asked, and heard the same sentence"
    clock[0] += 9.1
    slow.fails = False
    assert guarded.question("when is lunch").shape == (64,)
    assert guarded.fingerprint == slow.fingerprint
