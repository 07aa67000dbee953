"""What the loops take."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refdesk.index.local.arrays import Mask, Places, Rows, Scores

FIRST = 4_096
"""Postings of the weightiest terms that are scored however late it is."""


class Postings(NamedTuple):
    """Of a segment: the row of each and how often it holds the term, and of each row its words and whether it
    is dead (``None``: none is)."""

    rows: Rows
    counts: NDArray[np.uint16]
    words: NDArray[np.uint32]
    dead: Mask | None


class Terms(NamedTuple):
    """Of a question, whose weights fall: where the postings of each begin and end. Each has one."""

    weights: Scores
    starts: Places
    ends: Places

    def upto(self, first: int, most: int) -> int:
        """Where those from ``first`` on stop that have so many postings together, or one that has more."""
        held = np.cumsum(self.ends[first:] - self.starts[first:])
        return first + max(1, int(np.searchsorted(held, most, "right")))

    def some(self, first: int, last: int) -> Terms:
        some = slice(first, last)
        return Terms(self.weights[some], self.starts[some], self.ends[some])


class Wanted(NamedTuple):
    """The best ``k``, or everything where it is 0, that score ``least`` or more. ``lengths`` is what BM25
    adds below the line for a row of so many words. Where it is ``late``, the weightiest terms will do."""

    k: int
    least: float
    lengths: Scores
    late: Callable[[], bool]
