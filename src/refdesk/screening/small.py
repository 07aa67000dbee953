"""Small letters, sign for sign, and words in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FOURS = 1 << 16


def small(text: str) -> str:
    """``text.lower()`` of the same length; İ is the one letter of Unicode that would become two."""
    return text.replace("İ", "i").lower()


def occurrences(text: str, words: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Every span in which one of ``words`` stands in ``text``."""
    for word in words:
        start = text.find(word)
        while start >= 0:
            yield start, start + len(word)
            start = text.find(word, start + len(word))


class Small:
    """A text in small letters, sign for sign, and where words stand in it. Of most words that are looked for
    the runs of four signs that it has say that they are not there, in far less time than to look."""

    def __init__(self, text: str) -> None:
        self.text = small(text)
        there = np.zeros(_FOURS, np.bool_)
        there[_fours(self.text)] = True
        self._there = there.tobytes()

    def occurrences(self, words: Iterable[str]) -> Iterator[tuple[int, int]]:
        return occurrences(self.text, filter(self._may_hold, words))

    def _may_hold(self, word: str) -> bool:
        return all(map(self._there.__getitem__, _fours_of(word)))


@lru_cache(maxsize=256)
def _fours_of(word: str) -> list[int]:
    found: list[int] = _fours(word).tolist()
    return found


def _fours(text: str) -> NDArray[Any]:
    """A number for each run of four signs, the same for few others."""
    signs = np.frombuffer(text.encode("ascii", "replace"), np.uint8).astype(np.uint16)
    pairs = signs[:-1] * np.uint16(37) + signs[1:]
    return (pairs[:-2] * np.uint16(1033) + pairs[2:]).astype(np.intp)
