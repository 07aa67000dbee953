"""The arrays of a segment, and of what is found in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.uint32]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]
Scores = NDArray[np.float64]
Bytes = NDArray[np.int8]
"""Vectors, a byte a dimension."""
Lengths = NDArray[np.float32]
"""Of vectors in bytes."""
Signs = NDArray[np.uint64]
"""A row for each 64 dimensions, a column for each vector: whole rows are compared at once."""
