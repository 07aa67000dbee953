"""Exact BM25 of the rows of a part."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from refdesk.index.local import kernels
from refdesk.index.local.arrays import Places, Scores
from refdesk.index.local.kernels.given import Postings, Terms, Wanted
from refdesk.index.local.part import Part, Spans


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
    starts, ends = spans
    held = np.flatnonzero(ends > starts)
    if not len(held):
        return held, np.empty(0)
    segment = part.segment
    return kernels.scored(
        Postings(segment.rows, segment.counts, segment.words, part.dead),
        Terms(asked.weights.take(held), starts.take(held), ends.take(held)),
        Wanted(asked.k or 0, least, part.lengths(asked.mean_words), asked.late),
    )
