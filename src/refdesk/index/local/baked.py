"""A baked base: it is only read, by any number of processes, also where nothing can be written."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from urllib.parse import quote

from refdesk.embedding.model import Vector
from refdesk.errors import Failed
from refdesk.index.local import files, texts, truth
from refdesk.index.local.bake import SEGMENT, TEXTS, Manifest, closed, damaged, read_manifest, sha256
from refdesk.index.local.part import Part
from refdesk.index.local.view import View
from refdesk.index.model import Candidate, Statistics, Stored, Weighted
from refdesk.index.visibility import Live


def open_baked(folder: Path, expected: Mapping[str, str] | None = None) -> BakedIndex:
    """``expected`` settings must be those it was baked with. Raises ``Failed``: ``bake_mismatch`` where they
    are not, ``index_damaged`` where a file is missing or is not as large as it was written."""
    before = _identity(folder)
    manifest = read_manifest(folder)
    for name, value in (expected or {}).items():
        held = manifest.settings.get(name)
        if held != value:
            raise Failed(
                f"The baked index at {folder} was made with {name} {held!r} and is asked for with {value!r}: "
                "bake it again.",
                code="bake_mismatch",
                limit=value,
                actual=held,
            )
    for name, (size, _) in manifest.files.items():
        path = folder / name
        held_size = path.stat().st_size if path.is_file() else None
        if held_size != size:
            what = "is missing" if held_size is None else f"has {held_size} bytes, not {size}"
            raise damaged(folder, f"{name} {what}")
    opened = BakedIndex(folder, manifest)
    if _identity(folder) != before:
        opened.close()
        raise Failed(f"{folder} was baked anew while it was opened: open it again.", code="index_damaged")
    return opened


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        return truth.identity(folder)
    except PermissionError:
        raise closed(folder) from None


class BakedIndex:
    """One object may be used by several threads. ``verify`` reads every byte; opening does not.

    Both files are open from the first: what is baked in their place later is another index."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._folder = folder
        self._manifest = manifest
        self._view = View(self._parts())
        self._lock = RLock()
        self._texts = truth.identity(folder / TEXTS)
        self._database: sqlite3.Connection | None = self._connected()
        self._owner = os.getpid()

    def _parts(self) -> list[Part]:
        if SEGMENT not in self._manifest.files:
            return []
        try:
            return [Part.of(files.read(self._folder / SEGMENT))]
        except files.Closed as error:
            raise closed(self._folder / SEGMENT) from error
        except files.Damaged as error:
            raise damaged(self._folder, str(error)) from error

    @property
    def documents(self) -> Sequence[Live]:
        """Those that may be seen."""
        return self._manifest.documents

    def verify(self) -> None:
        """Raises ``Failed`` (``index_damaged``) where a file is not, byte for byte, as it was baked."""
        for name, (_, digest) in self._manifest.files.items():
            if sha256(self._folder / name) != digest:
                raise damaged(self._folder, f"{name} is not as it was written")

    def statistics(self, terms: Sequence[str]) -> Statistics:
        return self._view.statistics(terms)

    def keyword(
        self,
        terms: Sequence[Weighted],
        statistics: Statistics,
        k: int,
        deadline: float | None = None,
        after: Candidate | None = None,
    ) -> list[Candidate]:
        return self._view.keyword(terms, statistics, k, deadline, after)

    def nearest(
        self, vector: Vector, k: int, deadline: float | None = None, after: Candidate | None = None
    ) -> list[Candidate]:
        return self._view.nearest(vector, k, deadline, after)

    def stored(self, keys: Sequence[int]) -> dict[int, Stored]:
        with self._reading() as database:
            return texts.stored(database, keys)

    def issued(self, wanted: Sequence[tuple[bytes, int | None]]) -> tuple[dict[int, Stored], list[Candidate]]:
        with self._reading() as database:
            return texts.issued(database, wanted)

    def document(self, document: str, version: int) -> list[Stored]:
        with self._reading() as database:
            return texts.document(database, document, version)

    def settings(self) -> Mapping[str, str]:
        return dict(self._manifest.settings)

    def close(self) -> None:
        with self._lock:
            if self._database is not None and self._owner == os.getpid():
                self._database.close()
            self._database = None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, truth.understood(self._folder / TEXTS):
            if self._database is None or self._owner != os.getpid():  # it must not cross a fork
                self._database = self._connected()
                self._owner = os.getpid()
            yield self._database

    def _connected(self) -> sqlite3.Connection:
        path = self._folder / TEXTS
        if path.exists() and not os.access(path, os.R_OK):
            raise closed(path)
        address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        database = None
        with suppress(sqlite3.OperationalError):  # the file is gone
            database = sqlite3.connect(address, uri=True, check_same_thread=False)
            database.execute(truth.KEEP_FEW_PAGES)
        if database is None or truth.identity(path) != self._texts:
            raise damaged(self._folder, f"{TEXTS} is not the file that was opened first")
        return database


class Manifests:
    """The visibility of baked bases: their manifests say what may be seen."""

    def __init__(self, bases: Mapping[str, BakedIndex]) -> None:
        self._live = {base: {one.id: one for one in index.documents} for base, index in bases.items()}

    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live]]:
        return {base: self._live.get(base, {}) for base in wanted}
