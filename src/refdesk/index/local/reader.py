"""Follows the truth: opens its segments, loads the tail put since, and notices changes cheaply."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

import numpy as np

from refdesk.errors import Failed
from refdesk.index.local import files, truth
from refdesk.index.local.generation import Held, rebuild_if_lost
from refdesk.index.local.part import Part
from refdesk.index.local.segment import Passages, build, combine
from refdesk.index.local.view import View

_TAIL_SEGMENTS = 4
_ATTEMPTS = 20
_NOTHING = View(())


@dataclass(slots=True)
class _State:
    """What of the truth has been loaded, up to which key and which deletion."""

    generation: int = -1
    covered: int = -1
    epoch: int = -1
    held: list[Held] = field(default_factory=list)
    tail: list[Part] = field(default_factory=list)
    last_key: int = 0
    last_deletion: int = 0

    def view(self) -> View:
        return View([*(held.part for held in self.held), *self.tail])

    def delete(self, deletions: Sequence[tuple[int, int]]) -> None:
        if not deletions:
            return
        keys = np.array([key for _, key in deletions], np.int64)
        self.held = [held.without(keys) for held in self.held]
        self.tail = [part.without(keys) for part in self.tail]
        self.last_deletion = deletions[-1][0]

    def add(self, passages: Passages | None) -> None:
        if passages is None:
            return
        self.tail.append(Part(build(passages)))
        self.last_key = int(passages.keys[-1])
        if len(self.tail) > _TAIL_SEGMENTS:
            dead = [part.dead for part in self.tail]
            self.tail = [Part(combine([part.segment for part in self.tail], dead))]


class Reader:
    """One connection that only reads, used by one thread at a time; views are used by any."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / truth.FILE
        self._lock = RLock()
        self._forget()

    def _forget(self) -> None:
        self._database: sqlite3.Connection | None = None
        self._owner = os.getpid()
        self._file: tuple[int, int] | None = None
        self._seen = -1
        self._state = _State()
        self._view = _NOTHING
        self._settings: tuple[int, Mapping[str, str]] = -1, {}

    def close(self) -> None:
        with self._lock:
            if self._database is not None and self._owner == os.getpid():
                self._database.close()
            self._forget()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """The connection, alone; ``None`` while there is no index."""
        with self._lock, truth.understood(self._path):
            yield self._open()

    def view(self) -> View:
        with self.reading() as database:
            if database is None:
                return _NOTHING
            seen = truth.data_version(database)
            if seen != self._seen:
                self._refresh(database)
                self._seen = seen
            return self._view

    def settings(self) -> dict[str, str]:
        with self.reading() as database:
            if database is None:
                return {}
            seen = truth.data_version(database)
            if seen != self._settings[0]:
                self._settings = seen, truth.settings(database)
            return dict(self._settings[1])

    def held(self) -> tuple[list[Held], list[Part]]:
        """What the files hold and what the tail, as of the last ``view``."""
        return list(self._state.held), list(self._state.tail)

    def _open(self) -> sqlite3.Connection | None:
        file = truth.identity(self._path)
        if self._owner != os.getpid():  # a connection must not cross a fork; the parent closes its own
            self._forget()
        elif file != self._file:  # another process destroyed the index, or made it anew
            self.close()
        if self._database is None and file is not None:
            database = truth.connect_to_read(self._path)
            if not truth.is_made(database):
                database.close()
                return None
            self._database, self._file = database, file
        return self._database

    def _refresh(self, database: sqlite3.Connection) -> None:
        for _ in range(_ATTEMPTS):
            try:
                self._load(database)
            except files.Damaged:
                # Either a writer has just replaced the file, or it is lost; only the first mends itself.
                rebuild_if_lost(self._folder)
            else:
                return
        raise Failed(f"The index at {self._folder} cannot be read; reindex the base.", code="index_damaged")

    def _load(self, database: sqlite3.Connection) -> None:
        with truth.transaction(database, "DEFERRED"):
            meta = truth.meta(database)
            state = self._state
            if (meta["generation"], meta["epoch"]) == (state.generation, state.epoch):
                return
            if meta["generation"] != state.generation:
                state = self._reopened(database, meta)
            state.add(truth.passages(database, state.last_key))
            state.delete(truth.deleted_after(database, state.last_deletion))
            state.epoch = meta["epoch"]
        self._state = state
        self._view = state.view()

    def _reopened(self, database: sqlite3.Connection, meta: dict[str, int]) -> _State:
        """With the files of another generation. The tail stays where no passage came or went since: what went
        may stand in no list any more."""
        old = self._state
        known = {held.name: held.part.segment for held in old.held}
        held = [
            Held(name, first, Part.of(known.get(name) or files.read(self._folder / name)))
            for name, first in truth.segments(database)
        ]
        state = _State(meta["generation"], meta["covered"], held=held, last_key=meta["covered"])
        if (meta["covered"], meta["epoch"]) == (old.covered, old.epoch):
            state.tail, state.last_key = [part for part in old.tail if part.living], old.last_key
        return state
