"""Work beside the caller that may be left behind: a slow embedder never holds up an answer."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_KEPT = 8
"""Threads that wait for the next question: to start one costs more than to wake it."""
_idle: list[_Thread] = []
os.register_at_fork(after_in_child=_idle.clear)  # threads stay behind in the process that was forked


class Beside(Generic[T]):
    """Runs ``work`` on a thread of its own. Left behind at its deadline, the thread goes on by itself and
    takes no place from the next question's."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._future: Future[T] = Future()
        try:
            thread = _idle.pop()
        except IndexError:
            thread = _Thread()
        thread.given.put((self._future, work))

    def wait(self, deadline: float | None) -> T:
        """The result; ``TimeoutError`` at the deadline (``time.monotonic()``), else what ``work`` raised."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        return self._future.result(left)


class _Thread:
    def __init__(self) -> None:
        self.given: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        threading.Thread(target=self._run, name="refdesk-meaning", daemon=True).start()

    def _run(self) -> None:
        while True:
            self._do(*self.given.get())
            if len(_idle) >= _KEPT:
                return
            _idle.append(self)

    @staticmethod
    def _do(future: Future[Any], work: Callable[[], Any]) -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)
