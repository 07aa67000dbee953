"""CPU of all threads and of child processes, wall time, and memory of this process."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MB = 1 << 20


def cpu() -> float:
    """Seconds; children count while they live and when they have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(map(_used, _children()))


def _children() -> list[str]:
    found: list[str] = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):
            found += (task / "children").read_text().split()
    return found


def _used(process: str) -> float:
    total = 0
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of each call; ``mean`` is all CPU by call, with what threads did between the calls."""

    cpu: Sequence[float]
    wall: Sequence[float]
    mean: float


def timed(calls: Sequence[Callable[[], object]], clock: Callable[[], float] = time.process_time) -> Times:
    """``clock`` is ``cpu`` where child processes work: reading it costs a tenth of a millisecond."""
    used, wall = [], []
    began = clock()
    for call in calls:
        before, started = clock(), time.perf_counter()
        call()
        wall.append((time.perf_counter() - started) * 1000)
        used.append((clock() - before) * 1000)
    return Times(used, wall, (clock() - began) * 1000 / len(calls))


def memory() -> dict[str, float]:
    """MB: the most that was resident, and what is private now (without mapped files).

    Of ``/proc``, because ``ru_maxrss`` of a new process begins with its parent's.
    """
    lines = Path("/proc/self/status").read_text().splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.endswith(" kB")}
    return {"peak": sizes["VmHWM"], "private": sizes["RssAnon"]}


def disk(folder: Path) -> float:
    """MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / MB
