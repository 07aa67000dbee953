"""How many requests a caller may send in a minute, counted in this server."""

from __future__ import annotations

import math
import threading
import time

from refdesk.errors import Failed

_MINUTE = 60.0
_MOST_CALLERS = 10_000


class Rates:
    """A bucket a caller: full at ``limit``, filled again within a minute. ``None``: nobody is counted."""

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def count(self, caller: str) -> None:
        """Raises ``Failed`` (``rate_limited``) with the seconds until the next request may come."""
        if self._limit is None:
            return
        now = time.monotonic()
        with self._lock:
            left, at = self._left.pop(caller, (float(self._limit), now))
            left = min(self._limit, left + (now - at) * self._limit / _MINUTE)
            allowed = left >= 1
            self._left[caller] = (left - 1 if allowed else left, now)
            while len(self._left) > _MOST_CALLERS:
                del self._left[next(iter(self._left))]  # whoever has been silent longest has a full bucket
        if not allowed:
            wait = math.ceil((1 - left) * _MINUTE / self._limit)
            raise Failed(
                f"The caller may send {self._limit} requests a minute and has sent them: "
                f"wait {wait} {'second' if wait == 1 else 'seconds'}.",
                code="rate_limited",
                limit=self._limit,
                retry_after=wait,
            )
