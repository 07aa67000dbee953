"""Work beside the caller that may be left behind: a slow embedder never holds up an answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class Beside(Generic[T]):
    """Runs ``work`` on a thread of its own. Left behind at its deadline, the thread ends by itself and
    takes no place from the next question's."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._future: Future[T] = Future()
        threading.Thread(target=self._run, args=(work,), name="refdesk-meaning", daemon=True).start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._future.set_result(work())
        except BaseException as error:
            self._future.set_exception(error)

    def wait(self, deadline: float | None) -> T:
        """The result; ``TimeoutError`` at the deadline (``time.monotonic()``), else what ``work`` raised."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        return self._future.result(left)
