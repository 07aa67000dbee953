"""Exact BM25 of the rows of a part, without scoring those that cannot be among the best.

Terms are taken from the weightiest on, and each row's score is summed in their order. A term adds less than
its weight. So once the weights that are left cannot lift a row to the score of the best ``k`` so far, the
row's further postings are passed over; the scores of the others are the same to the last bit.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refdesk.index.local.hashes import Hashes
from refdesk.index.local.part import Part, Places, Scores
from refdesk.index.local.scratch import Scratch
from refdesk.index.local.segment import Mask, Rows

_FIRST = 4_096
"""Postings of the weightiest terms that are scored before the first look at which rows are out, ..."""
_AT_ONCE = 8_192
"""... between two looks at it and at the clock, ..."""
_PASSED_AT_ONCE = 65_536
"""... and once most are passed over."""
_SAFELY = 1 - 1e-9
"""A sum of a few numbers differs by less with their order."""
_TOTALS = Scratch(np.float64)


@dataclass(frozen=True, slots=True)
class Asked:
    """The terms of a question, whose weights fall. The best ``k`` are wanted, everything where it is
    ``None``."""

    hashes: Hashes
    weights: Scores
    mean_words: float
    k: int | None
    deadline: float | None

    def late(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline


def scored(part: Part, asked: Asked, least: float) -> tuple[Places, Scores]:
    """Living rows with their scores, among them those of the best that score ``least`` or more. When the
    deadline passes, the weightiest terms have been counted."""
    postings = _Postings(part, asked)
    if not postings.terms:
        return np.empty(0, np.int64), np.empty(0)
    with _TOTALS.array(len(part.segment)) as total:
        total.fill(0.0)
        done = postings.upto(0, _FIRST)
        sample = _distinct(_add(total, part, postings.scores(0, done, None)))
        if done == postings.terms:
            return _with_a_score(sample, total.take(sample))
        while done < postings.terms and not asked.late():
            chosen = _worth(total, _reached(total, sample, asked.k, least) * _SAFELY - postings.left[done])
            first, done = done, postings.upto(done, _AT_ONCE if chosen is None else _PASSED_AT_ONCE)
            _add(total, part, postings.scores(first, done, chosen))
        least = _reached(total, sample, asked.k, least)
        rows = np.flatnonzero(total >= least if least > 0 else total > 0)
        return rows, total.take(rows)


class _Postings:
    """Those of a question's terms, without the terms that the part does not have. ``left`` is more than what
    the terms from each on can add together."""

    def __init__(self, part: Part, asked: Asked) -> None:
        starts, ends = part.segment.find(asked.hashes)
        held = np.flatnonzero(ends > starts)
        self.terms = len(held)
        self._segment = part.segment
        self._lengths = part.lengths(asked.mean_words)
        self._spans = list(zip(starts[held].tolist(), ends[held].tolist(), strict=True))
        self._counts = (ends - starts)[held]
        self._weights = asked.weights[held]
        self.left = np.cumsum(self._weights[::-1])[::-1].tolist()

    def upto(self, first: int, most: int) -> int:
        """Where terms stop that have so many postings together, or one that has more."""
        held = np.cumsum(self._counts[first:])
        return first + max(1, int(np.searchsorted(held, most, "right")))

    def scores(self, first: int, last: int, chosen: Mask | None) -> tuple[Rows, Scores]:
        """What each posting of some terms adds to its row, term after term; of the chosen rows alone."""
        spans = self._spans[first:last]
        rows, counts = _joined(self._segment.rows, spans), _joined(self._segment.counts, spans)
        added = np.repeat(self._weights[first:last], self._counts[first:last])
        if chosen is not None:
            kept = np.flatnonzero(chosen.take(rows))
            rows, counts, added = rows.take(kept), counts.take(kept), added.take(kept)
        below = counts.astype(np.float64)
        added *= below
        below += self._lengths.take(rows)
        added /= below
        return rows, added


def _joined(array: NDArray[Any], spans: Sequence[tuple[int, int]]) -> NDArray[Any]:
    if len(spans) == 1:
        return array[slice(*spans[0])]
    return np.concatenate([array[start:end] for start, end in spans])


def _add(total: Scores, part: Part, scores: tuple[Rows, Scores]) -> Rows:
    """The rows that were added to."""
    rows, added = scores
    np.add.at(total, rows, added)
    if part.dead is not None:
        total[part.dead_rows] = 0.0
    return rows


def _reached(total: Scores, sample: Places, k: int | None, least: float) -> float:
    """A score that the best ``k`` reach: that of the last of the best ``k`` of a sample."""
    if k is None or len(sample) < k:
        return 0.0 if k is None else least
    scores = total.take(sample)
    return max(least, float(np.partition(scores, len(scores) - k)[len(scores) - k]))


def _worth(total: Scores, least: float) -> Mask | None:
    """The rows that can come among the best, ``None`` while others can."""
    return total >= least if least > 0 else None


def _with_a_score(rows: Places, scores: Scores) -> tuple[Places, Scores]:
    good = np.flatnonzero(scores > 0)
    return (rows, scores) if len(good) == len(rows) else (rows.take(good), scores.take(good))


def _distinct(rows: Rows) -> Places:
    """Sorted."""
    rows = np.sort(rows)
    first = np.empty(len(rows), np.bool_)
    first[:1] = True
    np.not_equal(rows[1:], rows[:-1], out=first[1:])
    return rows[first].astype(np.int64)
