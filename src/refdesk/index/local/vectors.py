"""Unit vectors in a byte a dimension: what the truth and the segments keep. It costs no measured quality.

Their length is one, so the bytes need no scale beside them: the longest component is 127. The length of a
row of bytes is kept beside it, and is 1 where the row is zeros.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from refdesk.embedding.model import Vector, Vectors
from refdesk.index.local import kernels
from refdesk.index.local.arrays import Bytes, Lengths, Places

_ROWS_BETWEEN_LOOKS = 16_384
"""Rows between two looks at the clock."""


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


def cosines(
    rows: Bytes,
    lengths: Lengths,
    unit: Vector,
    places: Places | None = None,
    deadline: float | None = None,
) -> Lengths:
    """Of the rows at some places (``None``: of each) with a unit vector; equal rows have equal ones. Raises
    ``TimeoutError`` when the deadline passes."""
    found = np.empty(len(rows) if places is None else len(places), np.float32)
    for start in range(0, len(found), _ROWS_BETWEEN_LOOKS):
        if deadline is not None and time.monotonic() >= deadline:
            raise TimeoutError("the deadline passed while vectors were compared")
        some = slice(start, start + _ROWS_BETWEEN_LOOKS)
        found[some] = (
            kernels.cosines(rows[some], lengths[some], None, unit)
            if places is None
            else kernels.cosines(rows, lengths, places[some], unit)
        )
    return found
