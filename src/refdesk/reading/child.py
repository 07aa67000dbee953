"""The process that reads documents. ``sandbox`` starts it, and may kill it at any time.

Its limits stand before its libraries are loaded. It speaks frames over the socket that is its standard input,
opens no file of its own accord and can write to none.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from refdesk.reading import frames
from refdesk.reading.limits import Limits
from refdesk.reading.problem import Problem

_PIPE = 0
_MEGABYTE = 1024 * 1024
_OPEN_FILES = 32
_PR_SET_PDEATHSIG = 1
_SPARE_SECONDS = 2
_FIT_SHARE = 4
"""A child that holds a fourth of its memory after a document reads no other: the next would have less."""


def main(memory_mb: int, parent: int) -> None:
    _limit(memory_mb, parent)
    from refdesk.reading import documents  # within the limits, and while no document is waiting

    documents.load_libraries()
    gc.disable()  # documents are read 35 to 45 % faster; what is left over goes between two of them
    gc.freeze()
    _send(frames.READY)
    fit = True
    while fit:
        try:
            document = frames.unpack(_receive)
        except EOFError:
            return
        fit = _serve(documents, document)
        del document
        gc.collect()
        fit = fit and _fit(memory_mb)
        _send(frames.END, {"again": fit})


def _limit(memory_mb: int, parent: int) -> None:
    """``parent`` is the process that must still be there: without it nobody ends this one in time."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        with suppress(OSError):  # a session of its own gets a share of its own, which is not as nice as it is
            Path("/proc/self/autogroup").write_text(str(os.getpriority(os.PRIO_PROCESS, 0)))
        memory = memory_mb * _MEGABYTE
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold the document
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))  # root is exempt; the process group is killed anyway
    if os.getppid() != parent:
        raise SystemExit(1)


def _serve(documents: Any, document: frames.Frame) -> bool:
    """Whether the document left this process as it was."""
    limits = Limits(**document.fields["limits"])
    _limit_time(limits)
    try:
        documents.read_document(document.fields, document.body, limits, _send)
    except Problem as problem:
        _send(frames.PROBLEM, vars(problem))
    except Exception as error:  # whatever a damaged file makes a library say
        message = f"The file is damaged or too complex to read ({type(error).__name__}); export it again."
        _send(frames.PROBLEM, {"code": "damaged", "message": message, "limit": None, "actual": None})
        return False
    return True


def _limit_time(limits: Limits) -> None:
    """A second net below the parent's clock, in CPU seconds of this process' whole life."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime + limits.read_seconds + limits.prepare_seconds + _SPARE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), resource.RLIM_INFINITY))


def _fit(memory_mb: int) -> bool:
    """By what is taken now: the peak that the kernel remembers may be the parent's, before it started us."""
    if sys.platform != "linux":
        return True
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize() < memory_mb * _MEGABYTE / _FIT_SHARE


def _receive(count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        chunk = os.read(_PIPE, min(count - len(data), _MEGABYTE))
        if not chunk:
            raise EOFError
        data += chunk
    return bytes(data)


def _send(tag: bytes, fields: dict[str, Any] | None = None, body: bytes = b"") -> None:
    waiting = memoryview(frames.pack(tag, fields, body))
    while waiting:
        waiting = waiting[os.write(_PIPE, waiting) :]
