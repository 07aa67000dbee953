"""Unit vectors in a byte a dimension: what the truth and the segments keep. It costs no measured quality.

Their length is one, so the bytes need no scale beside them: the longest component is 127. The length of a
row of bytes is kept beside it, and is 1 where the row is zeros.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from refdesk.embedding.model import Vector, Vectors
from refdesk.index.local.scratch import Scratch

Bytes = NDArray[np.int8]
Lengths = NDArray[np.float32]

_ROWS_AT_ONCE = 256
"""As many as floats of 384 dimensions fit into a core's cache: comparing bytes this way is faster than
comparing floats that come from memory."""
_ROWS_BETWEEN_LOOKS = 16_384
"""Rows between two looks at the clock."""
_FLOATS = Scratch(np.float32)


def quantised(vector: Vector) -> bytes:
    largest = float(np.abs(vector).max(initial=0.0))
    values: Bytes = np.rint(vector * (127 / largest if largest else 0.0)).astype(np.int8)
    return values.tobytes()


def quantised_each(vectors: Sequence[Vector | None]) -> list[bytes | None]:
    """As ``quantised`` makes them, those of equal length all at once."""
    given = [vector for vector in vectors if vector is not None]
    if len({len(vector) for vector in given}) != 1:
        return [None if vector is None else quantised(vector) for vector in vectors]
    rows = np.stack(given).astype(np.float32, copy=False)
    largest = np.abs(rows).max(axis=1, initial=0.0).astype(np.float64)
    scales = np.divide(127, largest, out=np.zeros_like(largest), where=largest > 0).astype(np.float32)
    made = iter(np.rint(rows * scales[:, None]).astype(np.int8))
    return [None if vector is None else next(made).tobytes() for vector in vectors]


def restored(rows: Bytes) -> Vectors:
    """Unit rows again, bit-equal however often they are quantised and restored."""
    vectors = rows.astype(np.float32)
    vectors /= lengths(rows)[:, None]
    return vectors


def lengths(rows: Bytes) -> Lengths:
    found = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), _ROWS_BETWEEN_LOOKS):
        some = rows[start : start + _ROWS_BETWEEN_LOOKS]
        squares = np.square(some, dtype=np.int32).sum(axis=1, dtype=np.int64)
        found[start : start + len(some)] = np.sqrt(squares)
    found[found == 0] = 1
    return found


def cosines(rows: Bytes, lengths: Lengths, unit: Vector, deadline: float | None = None) -> Lengths:
    """Of each row with a unit vector. Row by row: equal rows get equal cosines wherever they stand, which a
    matrix product does not promise; and it starts no threads, which cost more than they bring beside another
    search. Raises ``TimeoutError`` when the deadline passes."""

    def some(start: int) -> Bytes:
        return rows[start : start + _ROWS_AT_ONCE]

    return _compared(some, lengths, unit, deadline)


def cosines_of(
    places: NDArray[np.int64], rows: Bytes, lengths: Lengths, unit: Vector, deadline: float | None = None
) -> Lengths:
    """As ``cosines``, of the rows at some places."""
    taken = np.empty((min(_ROWS_AT_ONCE, len(places)), rows.shape[1]), np.int8)

    def some(start: int) -> Bytes:
        at = places[start : start + _ROWS_AT_ONCE]
        return rows.take(at, axis=0, out=taken[: len(at)], mode="clip")  # which is written without a copy

    return _compared(some, lengths.take(places), unit, deadline)


def _compared(
    some: Callable[[int], Bytes], lengths: Lengths, unit: Vector, deadline: float | None
) -> Lengths:
    """``some`` gives the rows from one on, as many as are compared at once."""
    found = np.empty(len(lengths), np.float32)
    with _FLOATS.array(_ROWS_AT_ONCE, len(unit)) as floats:
        for start in range(0, len(lengths), _ROWS_AT_ONCE):
            if deadline is not None and start % _ROWS_BETWEEN_LOOKS == 0 and time.monotonic() >= deadline:
                raise TimeoutError("the deadline passed while vectors were compared")
            rows = some(start)
            np.copyto(floats[: len(rows)], rows)
            np.vecdot(floats[: len(rows)], unit, out=found[start : start + len(rows)])
    found /= lengths
    return found
