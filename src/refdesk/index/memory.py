"""Answers remembered for words and terms: a few of them come again all the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import TypeVar

K = TypeVar("K", bound=str)
V = TypeVar("V")

LONGEST = 64
"""Characters of what is remembered: longer words hardly come again, and a few could fill the memory."""


class Memory(dict[K, V]):
    """``memory[key]`` is ``make(key)``, made once while it is remembered: the last ``most`` keys are, and of
    the ``most`` before them those that come again; none that is longer than ``LONGEST``. It takes less time
    than ``lru_cache``, which writes to three places of a large memory for each answer that it knows."""

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        super().__init__()
        self._make = make
        self._most = most
        self._old: dict[K, V] = {}

    def add(self, found: Mapping[K, V]) -> None:
        """Remembers these, as many as there is room for at most."""
        if len(self) + len(found) > self._most:
            self._old = dict(self)
            self.clear()
        self.update(islice(found.items(), self._most))

    def __missing__(self, key: K) -> V:
        if len(key) > LONGEST:
            return self._make(key)
        if len(self) >= self._most:
            self._old = dict(self)
            self.clear()
        old = self._old.get(key)
        found = self[key] = self._make(key) if old is None else old
        return found
