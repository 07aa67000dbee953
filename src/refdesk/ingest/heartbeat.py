"""Keeps a claim while its document is worked on, and tells how far the work is.

A thread renews the lease, however long a step takes; a worker that stands still as a whole loses it.
"""

from __future__ import annotations

import logging
import threading
import time
from types import TracebackType
from typing import Self

from refdesk.catalog.claims import Claim
from refdesk.catalog.queue import Queue
from refdesk.errors import RefdeskError

BEAT = 1.0  # seconds between two looks at what there is to tell ...
RENEW = 5.0  # ... and at most so many without a renewal

log = logging.getLogger(__name__)


class LostClaim(Exception):
    """Another worker, or a newer version, has the document now, or it was cancelled."""


class Heartbeat:
    """A context manager around the work on one claim."""

    def __init__(self, queue: Queue, claim: Claim) -> None:
        self._queue = queue
        self._claim = claim
        self._stage = "claim"
        self._done = self._total = 0
        self._began = time.monotonic()
        self._told = True
        self._lost = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def stage(self, stage: str, total: int = 0) -> None:
        """A step begins, which is told at the next beat: raises ``LostClaim`` where the claim is not held any
        more."""
        self._stage, self._done, self._total, self._began = stage, 0, total, time.monotonic()
        self._told = False
        self.hold()

    def hold(self) -> None:
        """Asks whether the claim is still held; raises ``LostClaim``."""
        if not self._queue.holds(self._claim):
            raise LostClaim

    def exist(self) -> None:
        """Asks whether there is still such a version, whoever has it now; raises ``LostClaim``."""
        if not self._queue.names(self._claim):
            raise LostClaim

    def done(self, done: int) -> None:
        """So many of the step's total are done; raises ``LostClaim``."""
        self._done, self._told = done, False
        self.check()

    def check(self) -> None:
        """Raises ``LostClaim`` where a beat has found out."""
        if self._lost:
            raise LostClaim

    def _progress(self) -> dict[str, object]:
        """``done`` of ``total`` passages in this ``stage``; ``seconds``: how long it will take yet, as far as
        that can be known."""
        elapsed = time.monotonic() - self._began
        left = elapsed / self._done * (self._total - self._done) if self._done else None
        return {
            "stage": self._stage,
            "done": self._done,
            "total": self._total,
            "seconds": None if left is None else round(left, 1),
        }

    def _beat(self) -> None:
        renewed = time.monotonic()
        while not self._over.wait(BEAT):
            if self._told and time.monotonic() - renewed < RENEW:
                continue
            self._told = True
            try:
                held = self._queue.beat(self._claim, self._progress())
            except RefdeskError as error:  # the database is away for a moment; the lease outlives that
                log.warning("heartbeat document=%s cause=%s", self._claim.document, error.code)
                continue
            renewed = time.monotonic()
            if not held:
                self._lost = True
                return
