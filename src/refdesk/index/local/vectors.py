"""Unit vectors in a byte a dimension: what the truth keeps. It costs no measured quality.

Their length is one, so the bytes need no scale beside them: the longest component is 127.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refdesk.embedding.model import Vector, Vectors


def quantised(vector: Vector) -> bytes:
    largest = float(np.abs(vector).max(initial=0.0))
    values: NDArray[np.int8] = np.rint(vector * (127 / largest if largest else 0.0)).astype(np.int8)
    return values.tobytes()


def restored(rows: NDArray[np.int8]) -> Vectors:
    """Unit rows again, bit-equal however often they are quantised and restored."""
    vectors = rows.astype(np.float32)
    norms = np.sqrt(np.square(rows, dtype=np.int32).sum(axis=1, dtype=np.int64)).astype(np.float32)
    vectors /= np.where(norms > 0, norms, 1)[:, None]
    return vectors
