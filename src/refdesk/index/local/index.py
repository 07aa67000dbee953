"""The local index: one folder per base, with the truth in SQLite and segments derived from it."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

from refdesk.embedding.model import Vector
from refdesk.errors import Failed
from refdesk.index.local import kept, texts, truth, votes
from refdesk.index.local.generation import (
    LOCK,
    Held,
    compact,
    forget_files,
    has_short_tail,
    is_worth_merging,
    merge,
    merge_tail,
    rebuild,
)
from refdesk.index.local.lock import writers_lock
from refdesk.index.local.part import Part
from refdesk.index.local.reader import Reader
from refdesk.index.local.view import View
from refdesk.index.model import Candidate, Check, Entry, Statistics, Stored, Weighted, unchecked
from refdesk.index.visibility import Live

log = logging.getLogger(__name__)

_TIDY_SECONDS = 30.0

_MakeFile = Callable[[Path, sqlite3.Connection, list[Held], list[Part]], None]


class LocalIndex:
    """Opening does nothing; the folder is made by the first ``put``, and until then nothing is found.

    One object may be used by several threads, and several processes may read while one writes. ``dimensions``
    is checked against the vectors that are put; without it the first one decides.
    """

    def __init__(self, folder: Path, dimensions: int | None = None) -> None:
        self._folder = folder
        self._path = folder / truth.FILE
        self._dimensions = dimensions
        self._reader = Reader(folder)
        self._writer: sqlite3.Connection | None = None
        self._opened: tuple[int, tuple[int, int] | None] = 0, None
        self._lock = RLock()

    # reading

    def statistics(self, terms: Sequence[str]) -> Statistics:
        return self._view().statistics(terms)

    def keyword(
        self,
        terms: Sequence[Weighted],
        statistics: Statistics,
        k: int,
        deadline: float | None = None,
        after: Candidate | None = None,
    ) -> list[Candidate]:
        return self._view().keyword(terms, statistics, k, deadline, after)

    def nearest(
        self, vector: Vector, k: int, deadline: float | None = None, after: Candidate | None = None
    ) -> list[Candidate]:
        return self._view().nearest(vector, k, deadline, after)

    def stored(self, keys: Sequence[int]) -> dict[int, Stored]:
        with self._reader.reading() as database:
            return texts.stored(database, keys) if database else {}

    def issued(self, wanted: Sequence[tuple[bytes, int | None]]) -> tuple[dict[int, Stored], list[Candidate]]:
        with self._reader.reading() as database:
            return texts.issued(database, wanted) if database else ({}, [])

    def document(self, document: str, version: int) -> list[Stored]:
        with self._reader.reading() as database:
            return texts.document(database, document, version) if database else []

    def vectors(self, digests: Sequence[bytes]) -> dict[bytes, Vector]:
        with self._reader.reading() as database:
            return truth.vectors_of(database, digests) if database else {}

    def settings(self) -> dict[str, str]:
        return self._reader.settings()

    # writing

    def put(
        self,
        document: str,
        version: int,
        entries: Sequence[Entry],
        fingerprint: str | None = None,
        *,
        languages: Sequence[str] = (),
        check: Check = unchecked,
    ) -> None:
        with self._writing() as database:
            check()
            with truth.transaction(database):
                if fingerprint is not None:
                    kept.agree(database, document, fingerprint)
                votes.cast(database, document, version, languages)
                truth.delete_version(database, document, version)
                self._agree_on_dimensions(database, entries)
                truth.insert(database, document, version, entries)
                truth.advance(database, "epoch")
            if has_short_tail(database):
                return  # whoever searches loads what was put; who only puts need not
            self._made_file(merge_tail, database)

    def merge(self, put: int) -> None:
        if not self._path.exists():
            return
        with self._writing() as database:
            if is_worth_merging(database, put):
                self._made_file(merge, database)

    def drop(self, document: str, below: int | None = None) -> None:
        if not self._path.exists():
            return
        with self._writing() as database, truth.transaction(database):
            kept.drop(database, document, below)
            votes.drop(database, document, below)
            if truth.delete_document(database, document, below):
                truth.advance(database, "epoch")

    def set_setting(self, name: str, value: str | None) -> None:
        with self._writing() as database, truth.transaction(database):
            truth.set_setting(database, name, value)

    def turn_to(self, fingerprint: str | None) -> None:
        with self._writing() as database:
            with truth.transaction(database):
                turned = kept.turn_to(database, fingerprint)
                if turned:  # however this ends, nobody reads the old vectors any more
                    truth.advance(database, "epoch")
                    forget_files(database)
            if turned:
                rebuild(self._folder, database)

    def keep(
        self, document: str, fingerprint: str, vectors: Mapping[bytes, Vector], *, check: Check = unchecked
    ) -> None:
        with self._writing() as database:
            check()
            with truth.transaction(database):
                kept.keep(database, document, fingerprint, vectors)

    def kept(self, fingerprint: str, digests: Sequence[bytes]) -> dict[bytes, Vector]:
        if not digests or not self._path.exists():
            return {}
        with self._writing() as database:
            return kept.of(database, fingerprint, digests)

    def tidy(self) -> None:
        if not self._path.exists():
            return
        with self._writing() as database:
            self._view()
            compact(self._folder, database, self._reader.held()[0])
            self._empty_log(database)

    def bake(self, folder: Path, documents: Sequence[Live] | None = None) -> None:
        from refdesk.index.local.bake import bake

        with self._writing() as database:
            bake(folder, database, self._view(), self.settings(), documents)

    def destroy(self) -> None:
        self.close()
        with suppress(FileNotFoundError), writers_lock(self._folder / LOCK):  # somebody else destroyed it
            shutil.rmtree(self._folder)

    def close(self) -> None:
        """Frees files and connections; the next use opens them again."""
        with self._lock:
            self._reader.close()
            self._close_writer()

    def _view(self) -> View:
        return self._reader.view()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The writer's connection while no other thread or process writes; makes the index if need be."""
        with self._lock, truth.understood(self._path):
            self._folder.mkdir(parents=True, exist_ok=True)
            with writers_lock(self._folder / LOCK):
                yield self._open_writer()

    def _made_file(self, make: _MakeFile, database: sqlite3.Connection) -> None:
        self._view()
        try:
            make(self._folder, database, *self._reader.held())
        except OSError as error:  # the passages are in the truth; the next put tries again
            log.warning("index segment not written: %s", error.strerror)

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None or self._opened != (os.getpid(), truth.identity(self._path)):
            self._close_writer()
            self._writer = truth.connect(self._path)
            truth.create(self._writer)
            kept.create(self._writer)
            votes.create(self._writer)
            self._opened = os.getpid(), truth.identity(self._path)
        return self._writer

    def _close_writer(self) -> None:
        if self._writer is not None and self._opened[0] == os.getpid():
            self._writer.close()
        self._writer = None

    def _agree_on_dimensions(self, database: sqlite3.Connection, entries: Sequence[Entry]) -> None:
        lengths = {len(entry.vector) for entry in entries if entry.vector is not None}
        if not lengths:
            return
        expected = truth.dimensions(database) or self._dimensions or min(lengths)
        for length in lengths - {expected}:
            raise Failed(
                f"A vector has {length} dimensions and those of the index have {expected};"
                " index the base again with one embedding model.",
                limit=expected,
                actual=length,
            )
        truth.set_dimensions(database, expected)

    def _empty_log(self, database: sqlite3.Connection) -> None:
        give_up = time.monotonic() + _TIDY_SECONDS
        while not truth.checkpoint(database):
            if time.monotonic() >= give_up:
                raise Failed(
                    f"Deleted text is still in the log of the index at {self._folder}: a reader held it for"
                    f" {_TIDY_SECONDS:.0f} seconds. Try again."
                )
