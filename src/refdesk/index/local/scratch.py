"""Large arrays that are used again: the system gives new ones page by page, which takes longer than to fill
them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)

_KEPT = 4


class Scratch(Generic[T]):
    """Of one type; each search that runs has its own."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._free: list[NDArray[T]] = []

    @contextmanager
    def array(self, *shape: int) -> Iterator[NDArray[Any]]:
        """What it holds is left from before."""
        size = int(np.prod(shape))
        held = np.empty(0, self._kind)
        with suppress(IndexError):
            held = self._free.pop()
        if len(held) < size:
            held = np.empty(size, self._kind)
        try:
            yield held[:size].reshape(shape)
        finally:
            if len(self._free) < _KEPT:
                self._free.append(held)
