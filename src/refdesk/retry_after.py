"""The ``Retry-After`` of an answer over HTTP."""

from __future__ import annotations

import math
import time
from email.utils import parsedate_to_datetime


def seconds_of(after: str | None) -> float:
    """Of a number or a date; 0 where it is neither."""
    try:
        seconds = float(after or 0)
    except ValueError:
        pass
    else:
        return max(0.0, seconds) if math.isfinite(seconds) else 0.0
    try:
        return max(0.0, parsedate_to_datetime(after or "").timestamp() - time.time())
    except ValueError:
        return 0.0
