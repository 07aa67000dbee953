"""Processes that let whoever waits for an answer go ahead (ING3)."""

from __future__ import annotations

import contextlib
import os


def yielding(process: int, steps: int) -> None:
    """``steps`` of niceness behind this process, and without the right to take a processor from it."""
    with contextlib.suppress(ProcessLookupError):  # it is dead already: whoever watches it sees to that
        os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, 0) + steps)
        if hasattr(os, "SCHED_BATCH"):
            os.sched_setscheduler(process, os.SCHED_BATCH, os.sched_param(0))
