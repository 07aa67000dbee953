"""Exact BM25 of the rows of a segment, without scoring those that cannot be among the best.

Terms are taken from the weightiest on, and each row's score is summed in their order. A term adds less than
its weight. So once the weights that are left cannot lift a row to the score of the best ``k`` so far, the
row's further postings are passed over; the scores of the others are the same to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refdesk.index.local.arrays import Mask, Places, Rows, Scores
from refdesk.index.local.kernels.given import FIRST, Postings, Terms, Wanted
from refdesk.index.local.scratch import Scratch

_AT_ONCE = 16_384
"""Postings that are scored between two looks at which rows are out and at the clock, ..."""
_PASSED_AT_ONCE = 131_072
"""... and once most are passed over."""
_SAFELY = 1 - 1e-9
"""A sum of a few numbers differs by less with their order."""
_TOTALS = Scratch(np.float64)


def scored(postings: Postings, terms: Terms, wanted: Wanted) -> tuple[Places, Scores]:
    """Living rows with their scores, among them those that are wanted."""
    left = np.cumsum(terms.weights[::-1])[::-1]
    with _TOTALS.array(len(postings.words)) as total:
        total.fill(0.0)
        done = terms.upto(0, FIRST)
        sample = _distinct(_joined(postings.rows, terms.some(0, done)))
        _add(total, postings, terms.some(0, done), wanted, None)
        while done < len(left) and not wanted.late():
            least = _reached(total, sample, wanted) * _SAFELY - left[done]
            chosen = total >= least if least > 0 else None
            first, done = done, terms.upto(done, _AT_ONCE if chosen is None else _PASSED_AT_ONCE)
            _add(total, postings, terms.some(first, done), wanted, chosen)
        least = _reached(total, sample, wanted)
        rows = np.flatnonzero(total >= least if least > 0 else total > 0)
        return rows, total.take(rows)


def _add(total: Scores, postings: Postings, terms: Terms, wanted: Wanted, chosen: Mask | None) -> None:
    """What each posting of some terms adds to its row, term after term; to the chosen rows alone."""
    rows, many = _joined(postings.rows, terms), terms.ends - terms.starts
    if chosen is None:
        counts, added = _joined(postings.counts, terms), np.repeat(terms.weights, many)
    else:
        kept = np.flatnonzero(chosen.take(rows))
        rows = rows.take(kept)
        ends = np.cumsum(many)
        term = np.searchsorted(ends, kept, "right")
        kept += (terms.ends - ends).take(term)
        counts, added = postings.counts.take(kept), terms.weights.take(term)
    below = counts.astype(np.float64)
    added *= below
    below += wanted.lengths.take(postings.words.take(rows))
    added /= below
    np.add.at(total, rows, added)
    if postings.dead is not None:
        total[postings.dead] = 0.0


def _joined(array: NDArray[Any], terms: Terms) -> NDArray[Any]:
    """A copy: what a scrub zeroes meanwhile is not read again."""
    spans = zip(terms.starts.tolist(), terms.ends.tolist(), strict=True)
    return np.concatenate([array[start:end] for start, end in spans])


def _reached(total: Scores, sample: Places, wanted: Wanted) -> float:
    """A score that the best ``k`` reach: as is known, or that of the last of the best ``k`` of a sample."""
    if not wanted.k or wanted.least > 0 or len(sample) < wanted.k:
        return wanted.least
    scores = total.take(sample)
    return float(np.partition(scores, len(scores) - wanted.k)[len(scores) - wanted.k])


def _distinct(rows: Rows) -> Places:
    """Sorted."""
    rows = np.sort(rows)
    first = np.empty(len(rows), np.bool_)
    first[:1] = True
    np.not_equal(rows[1:], rows[:-1], out=first[1:])
    return rows.take(np.flatnonzero(first)).astype(np.int64)
