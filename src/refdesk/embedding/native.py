"""The end of the process waits for native code.

A question that missed its deadline leaves its thread behind. Were that thread inside onnxruntime when Python
ends, its way back into Python would end the process with SIGABRT after the answer was printed.
"""

from __future__ import annotations

import atexit
import threading

from refdesk.errors import Failed


class Native:
    """``with`` it, a thread is in native code. After ``close`` nobody comes in any more."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._closed = False

    def __enter__(self) -> None:
        with self._changed:
            if self._closed:
                raise Failed("The process is ending.", code="embedding_unavailable")
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()

    def close(self) -> None:
        """Waits for whoever is inside: at most one load or one text."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: self._inside == 0)


NATIVE = Native()
atexit.register(NATIVE.close)
