"""What this protocol knows and a desk does not: files that are in no store yet, and batches.

Both are kept in this server's memory and are gone with it. Nothing is stored before it was screened, and a
file is screened by the policy of the store that takes it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from refdesk.errors import NotFound, Refusal

MOST_BYTES = 134_217_728
SECONDS = 3_600.0
BATCH_SECONDS = 86_400.0
MOST_BATCHES = 1_000


@dataclass(frozen=True, slots=True)
class HeldFile:
    """``created_at`` in seconds since 1970. ``id`` is that of the document that it will be."""

    id: str
    name: str
    declared_type: str | None
    content: bytes
    purpose: str
    created_at: int

    def __len__(self) -> int:
        return len(self.content)


@dataclass(frozen=True, slots=True)
class Batch:
    """``files``: each with why it was refused, or ``None``."""

    id: str
    store: str
    created_at: int
    files: Mapping[str, Refusal | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return 1


T = TypeVar("T", HeldFile, Batch)


class Kept(Generic[T]):
    """Things of projects, by id, for ``seconds``; of one project at most ``most`` by their lengths."""

    def __init__(
        self, what: str, seconds: float, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what, self._seconds, self._most, self._clock = what, seconds, most, clock
        self._kept: dict[tuple[str | None, str], tuple[float, T]] = {}
        self._lock = threading.Lock()

    def put(self, project: str | None, thing: T) -> None:
        """Raises ``Refusal`` (``too_large``)."""
        with self._lock:
            self._forget()
            there = sum(len(one) for (of, _), (_, one) in self._kept.items() if of == project)
            if there + len(thing) > self._most:
                raise Refusal(
                    f"The server keeps at most {self._most:,} of {self._what} for a project, and this would "
                    f"make {there + len(thing):,}: {_AGAIN[self._what]}.",
                    code="too_large",
                    limit=self._most,
                    actual=there + len(thing),
                )
            self._kept[project, thing.id] = (self._clock() + self._seconds, thing)

    def all(self, project: str | None) -> list[T]:
        """The oldest first."""
        with self._lock:
            self._forget()
            return [one for (of, _), (_, one) in self._kept.items() if of == project]

    def find(self, project: str | None, id_: str) -> T | None:
        with self._lock:
            self._forget()
            there = self._kept.get((project, id_))
            return there[1] if there else None

    def take(self, project: str | None, id_: str) -> T | None:
        """So that nobody else has it."""
        with self._lock:
            self._forget()
            there = self._kept.pop((project, id_), None)
            return there[1] if there else None

    def get(self, project: str | None, id_: str) -> T:
        there = self.find(project, id_)
        if there is None:
            raise NotFound(f"There is nothing with the id {id_[:80]!r} among {self._what}, or no longer.")
        return there

    def _forget(self) -> None:
        now = self._clock()
        for key in [key for key, (until, _) in self._kept.items() if until < now]:
            del self._kept[key]


_FILES, _BATCHES = "bytes of files in no store", "batches"
_AGAIN = {_FILES: "attach or delete some first", _BATCHES: "wait until some are forgotten"}


class Held:
    def __init__(self) -> None:
        self.files = Kept[HeldFile](_FILES, SECONDS, MOST_BYTES)
        self.batches = Kept[Batch](_BATCHES, BATCH_SECONDS, MOST_BATCHES)
