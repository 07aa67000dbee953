"""Processes that let whoever waits for an answer go ahead (ING3)."""

from __future__ import annotations

import contextlib
import os


def yielding(process: int, steps: int) -> None:
    """``steps`` of niceness behind this process."""
    with contextlib.suppress(ProcessLookupError):  # it is dead already: whoever watches it sees to that
        os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, 0) + steps)
