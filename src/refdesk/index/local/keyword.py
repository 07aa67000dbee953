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

from refdesk.index.local.part import Part, Places, Scores, Spans
from refdesk.index.local.scratch import Scratch
from refdesk.index.local.segment import Mask, Rows

_FIRST = 4_096
"""Postings of the weightiest terms that are scored before the first look at which rows are out, ..."""
_AT_ONCE = 16_384
"""... between two looks at it and at the clock, ..."""
_PASSED_AT_ONCE = 131_072
"""... and once most are passed over."""
_SAFELY = 1 - 1e-9
"""A sum of a few numbers differs by less with their order."""
_TOTALS = Scratch(np.float64)


@dataclass(frozen=True, slots=True)
class Asked:
    """The terms of a question, whose weights fall. The best ``k`` are wanted, everything where it is
    ``None``."""

    weights: Scores
    mean_words: float
    k: int | None
    deadline: float | None

    def late(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline


def scored(part: Part, spans: Spans, asked: Asked, least: float) -> tuple[Places, Scores]:
    """Living rows with their scores, among them those of the best that score ``least`` or more; ``spans`` are
    the terms' postings. When the deadline passes, the weightiest terms have been counted."""
    postings = _Postings(part, spans, asked)
    if not postings.terms:
        return np.empty(0, np.int64), np.empty(0)
    with _TOTALS.array(len(part.segment)) as total:
        total.fill(0.0)
        done = postings.upto(0, _FIRST)
        sample = _distinct(_add(total, part, postings.scores(0, done, None)))
        if done == postings.terms:
            return _above(sample, total.take(sample), least)
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

    def __init__(self, part: Part, spans: Spans, asked: Asked) -> None:
        starts, ends = spans
        held = np.flatnonzero(ends > starts)
        self.terms = len(held)
        self._segment = part.segment
        self._lengths = part.lengths(asked.mean_words)
        self._starts, ends = starts.take(held), ends.take(held)
        self._spans = list(zip(self._starts.tolist(), ends.tolist(), strict=True))
        self._counts = ends - self._starts
        self._weights = asked.weights.take(held)
        self.left = np.cumsum(self._weights[::-1])[::-1].tolist()

    def upto(self, first: int, most: int) -> int:
        """Where terms stop that have so many postings together, or one that has more."""
        held = np.cumsum(self._counts[first:])
        return first + max(1, int(np.searchsorted(held, most, "right")))

    def scores(self, first: int, last: int, chosen: Mask | None) -> tuple[Rows, Scores]:
        """What each posting of some terms adds to its row, term after term; of the chosen rows alone."""
        spans, weights = self._spans[first:last], self._weights[first:last]
        rows = _joined(self._segment.rows, spans)
        if chosen is None:
            counts = _joined(self._segment.counts, spans)
            added = np.repeat(weights, self._counts[first:last])
        else:
            kept = np.flatnonzero(chosen.take(rows))
            rows = rows.take(kept)
            ends = np.cumsum(self._counts[first:last])
            term = np.searchsorted(ends, kept, "right")
            kept += (self._starts[first:last] - ends + self._counts[first:last]).take(term)
            counts, added = self._segment.counts.take(kept), weights.take(term)
        below = counts.astype(np.float64)
        added *= below
        below += self._lengths.take(rows)
        added /= below
        return rows, added


def _joined(array: NDArray[Any], spans: Sequence[tuple[int, int]]) -> NDArray[Any]:
    """A copy: what a scrub zeroes meanwhile is not read again."""
    return np.concatenate([array[start:end] for start, end in spans])


def _add(total: Scores, part: Part, scores: tuple[Rows, Scores]) -> Rows:
    """The rows that were added to."""
    rows, added = scores
    np.add.at(total, rows, added)
    if part.dead is not None:
        total[part.dead_rows] = 0.0
    return rows


def _reached(total: Scores, sample: Places, k: int | None, least: float) -> float:
    """A score that the best ``k`` reach: as is known, or that of the last of the best ``k`` of a sample."""
    if k is None or least > 0 or len(sample) < k:
        return least
    scores = total.take(sample)
    return float(np.partition(scores, len(scores) - k)[len(scores) - k])


def _worth(total: Scores, least: float) -> Mask | None:
    """The rows that can come among the best, ``None`` while others can."""
    return total >= least if least > 0 else None


def _above(rows: Places, scores: Scores, least: float) -> tuple[Places, Scores]:
    """The rows that score so much, or anything where it is 0."""
    good = np.flatnonzero(scores >= least if least > 0 else scores > 0)
    return (rows, scores) if len(good) == len(rows) else (rows.take(good), scores.take(good))


def _distinct(rows: Rows) -> Places:
    """Sorted."""
    rows = np.sort(rows)
    first = np.empty(len(rows), np.bool_)
    first[:1] = True
    np.not_equal(rows[1:], rows[:-1], out=first[1:])
    return rows.take(np.flatnonzero(first)).astype(np.int64)
