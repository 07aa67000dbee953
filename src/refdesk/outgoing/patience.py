"""How long a service is waited for, how often it is asked, and when again."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from refdesk.outgoing.trouble import Trouble

T = TypeVar("T")

_FIRST = 0.5  # seconds before the second try, doubled for each one after it ...
_LONGEST = 30.0  # ... up to this, unless the service says more


@dataclass(frozen=True, slots=True)
class Patience:
    """In seconds: one request, one batch of passages with every try, and one question with every try.
    ``tries`` at most, where it is not the time alone that ends them."""

    request: float = 60.0
    batch: float = 300.0
    question: float = 3.0
    tries: int | None = None


class Pace:
    """Spaces requests evenly, and keeps all threads away from a service that asked to be left alone."""

    def __init__(self, requests_per_minute: float | None = None) -> None:
        self._space = 60.0 / requests_per_minute if requests_per_minute else 0.0
        self._lock = threading.Lock()
        self._next = 0.0

    def hold(self, seconds: float) -> None:
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)

    def take(self, requests: int, until: float) -> float:
        """Waits for a turn and returns 0; at once the seconds to go where the turn is past ``until``."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            if turn > until:
                return turn - now
            self._next = turn + requests * self._space
        time.sleep(turn - now)
        return 0.0


def persist(ask: Callable[[float], T], requests: int, total: float, patience: Patience, pace: Pace) -> T:
    """Asks, and again while that may help: later each time by a random share, never past ``total`` seconds.

    ``ask`` is given the seconds that it may take. Raises the last ``Trouble``, but of a try that the end of
    ``total`` may have cut short the one before.
    """
    until = time.monotonic() + total
    trouble: Trouble | None = None
    for tries in count():
        if wait := pace.take(requests, until):
            raise trouble or Trouble(f"is asked as often as it may be: try again in {wait:.0f} s")
        try:
            return ask(min(patience.request, max(until - time.monotonic(), 0.001)))
        except Trouble as reason:
            if trouble is not None and time.monotonic() >= until:
                raise trouble from None
            if not reason.again or tries + 1 == patience.tries:
                raise
            trouble = reason
        backoff = min(_LONGEST, _FIRST * 2.0**tries)
        pace.hold(max(trouble.after, random.uniform(backoff / 2, backoff)))  # noqa: S311
    raise AssertionError  # count() never ends
