"""Rows that searches ask for again and again, remembered as long as nothing in the database has changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Generic, TypeVar

from refdesk.catalog.connect import Database

K = TypeVar("K")
V = TypeVar("V")

_MOST = 4_096


class Remembered(Generic[K, V]):
    """Each answer is as new as one that was read when it was asked for. A database that cannot tell at once
    whether it has changed is read every time."""

    def __init__(self, database: Database, read: Callable[[Collection[K]], Mapping[K, V]]) -> None:
        self._database = database
        self._read = read
        self._known: tuple[int, dict[K, V | None]] = -1, {}

    def __call__(self, wanted: Collection[K]) -> Mapping[K, V | None]:
        """At least those that were wanted; ``None`` for what is not there."""
        version = self._database.data_version()
        if version is None:
            return self._new(wanted)
        if version != self._known[0] or len(self._known[1]) > _MOST:
            self._known = version, {}
        known = self._known[1]
        unknown = [key for key in wanted if key not in known]
        if unknown:
            known |= self._new(unknown)  # of this version or a newer one, never of an older
        return known

    def _new(self, wanted: Collection[K]) -> dict[K, V | None]:
        found = self._read(wanted)
        return {key: found.get(key) for key in wanted}
