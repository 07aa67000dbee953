"""Reads a file in a child process that is kept warm from one document to the next."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Self

from refdesk.errors import Failed
from refdesk.policy.model import Kind, Policy
from refdesk.reading.answer import Answer
from refdesk.reading.assemble import assemble
from refdesk.reading.kinds import check_size, format_of
from refdesk.reading.limits import Limits
from refdesk.reading.model import Reading
from refdesk.reading.sandbox import Child

MEMORY_MB = 1024
_DOCUMENTS_A_CHILD = 100
_WARM = 2
_RETRY_SECONDS = 3


class Reader:
    """A pool of reading children: as many as threads read at once, at most two of them kept warm.

    A child is replaced after a document that misbehaved and after a hundred that did not. Thread safe; a
    process that was forked off starts children of its own.
    """

    def __init__(self, *, memory_mb: int = MEMORY_MB) -> None:
        self._memory_mb = memory_mb
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._open = True
        self._pdfs = 0
        # The kernel ends a child with the thread that started it, so one thread that stays starts them all.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="refdesk-reading")

    def read(self, file: Path, name: str, declared_type: str | None, policy: Policy) -> Reading:
        """What ``file``, called ``name`` by its person, says and shows; a ``Refusal`` says why not."""
        form = format_of(name, declared_type, policy)
        about = {"kind": form.kind, "extension": form.extension, "title": _title(name)}
        with self._place(form.kind, policy):
            answer = self._ask(about, _data(file, form.kind, policy), Limits.of(policy))
        return assemble(form.kind, answer, policy)

    def close(self) -> None:
        """Ends the idle children, and every other one when its document is done."""
        with self._lock:
            self._open = False
            idle, self._idle = self._idle, []
        for child in idle:
            child.kill()
        self._starter.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _place(self, kind: Kind, policy: Policy) -> Iterator[None]:
        """One of the places for PDFs, where the policy counts them (DOC8)."""
        limit = policy.documents.concurrent_pdf_reads
        if kind != "pdf" or limit is None:
            yield
            return
        with self._lock:
            if self._pdfs >= limit:
                raise Failed(
                    f"This server reads {self._pdfs} PDF already, and at most {limit} at a time: try again "
                    f"in {_RETRY_SECONDS} seconds.",
                    code="reader_busy",
                    limit=limit,
                    actual=self._pdfs,
                    retry_after=_RETRY_SECONDS,
                )
            self._pdfs += 1
        try:
            yield
        finally:
            with self._lock:
                self._pdfs -= 1

    def _ask(self, about: dict[str, str], data: bytes, limits: Limits) -> Answer:
        child = self._take()
        try:
            return child.read(about, data, limits)
        finally:
            self._give_back(child)

    def _take(self) -> Child:
        if self._process != os.getpid():
            self._begin()
        with self._lock:
            if not self._open:
                raise RuntimeError("the reader is closed")
            while self._idle:
                child = self._idle.pop()
                if child.lives():
                    return child
        return self._start()

    def _give_back(self, child: Child) -> None:
        """Keeps it warm, or starts another in its place, which loads its libraries while nobody waits."""
        if child.served >= _DOCUMENTS_A_CHILD:
            child.kill()
        with self._lock:
            if child.served and self._open and len(self._idle) < _WARM:
                self._idle.append(child if child.lives() else self._start())
                return
        child.kill()

    def _start(self) -> Child:
        return self._starter.submit(Child, self._memory_mb).result()


def read(
    file: Path, name: str, declared_type: str | None, policy: Policy, *, memory_mb: int = MEMORY_MB
) -> Reading:
    """As ``Reader.read``, by a reader that all callers share."""
    return _shared(memory_mb).read(file, name, declared_type, policy)


@cache
def _shared(memory_mb: int) -> Reader:
    reader = Reader(memory_mb=memory_mb)
    atexit.register(reader.close)
    return reader


def _title(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).stem


def _data(file: Path, kind: Kind, policy: Policy) -> bytes:
    """What is there when it is read, not what was there when somebody asked for its size."""
    with file.open("rb") as body:
        data = body.read(policy.documents.max_bytes[kind] + 1)
        size = len(data) if len(data) <= policy.documents.max_bytes[kind] else os.fstat(body.fileno()).st_size
    check_size(kind, max(size, len(data)), policy)
    return data
