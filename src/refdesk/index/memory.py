"""Answers remembered for words and terms: a few of them come again all the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

K = TypeVar("K", bound=str)
V = TypeVar("V")

LONGEST = 64
"""Characters of what is remembered: longer words hardly come again, and a few could fill the memory."""


class Remembered(dict[K, V]):
    """The last ``most`` keys, and of the ``most`` before them those that come again; no value is ``None``."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._old: dict[K, V] = {}

    def add(self, found: Mapping[K, V]) -> None:
        """Remembers these, as many as there is room for at most."""
        if len(self) + len(found) > self._most:
            self._old = dict(self)
            self.clear()
        self.update(found if len(found) <= self._most else islice(found.items(), self._most))

    def each(self, keys: Sequence[K], make: Callable[[Sequence[K]], Iterable[V]]) -> list[V]:
        """Of each key; ``make`` is asked for all at once that are not remembered, which takes less time."""
        found: list[Any] = list(map(self.get, keys))
        places = [place for place, value in enumerate(found) if value is None]
        new = dict.fromkeys([keys[place] for place in places])
        made = {key: value for key in new if (value := self._old.get(key)) is not None}
        unknown = [key for key in new if key not in made]
        made.update(zip(unknown, make(unknown), strict=True))
        self.add({key: made[key] for key in filter(self.worth, made)})
        for place in places:
            found[place] = made[keys[place]]
        return found

    @staticmethod
    def worth(key: str, /) -> bool:
        """Whether it may come again."""
        return len(key) <= LONGEST


class Memory(Remembered[K, V]):
    """``memory[key]`` is ``make(key)``, made once while it is remembered. It takes less time than
    ``lru_cache``, which writes to three places of a large memory for each answer that it knows."""

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        super().__init__(most)
        self._make = make

    def __missing__(self, key: K) -> V:
        if not self.worth(key):
            return self._make(key)
        if len(self) >= self._most:
            self._old = dict(self)
            self.clear()
        old = self._old.get(key)
        found = self[key] = self._make(key) if old is None else old
        return found
