"""Cosines of the rows of a part that may be among the nearest."""

from __future__ import annotations

import numpy as np

from refdesk.embedding.model import Vector
from refdesk.index.local.arrays import Places, Scores
from refdesk.index.local.part import Part
from refdesk.index.local.signs import proposed
from refdesk.index.local.vectors import cosines

_WORTH_CHOOSING = 4
"""Where bits would propose more than one row in so many, all are compared."""


def compared(part: Part, unit: Vector, most: int, deadline: float | None) -> tuple[Places, Scores]:
    """Rows and their cosines, of about ``most`` where bits choose. A list that goes on is of everything: what
    bits propose is best at its head."""
    segment, eligible = part.segment, part.comparable
    if len(segment.centre) and most * _WORTH_CHOOSING <= len(segment):
        rows = proposed(segment.signs, segment.centre, unit, eligible, most)
        found = cosines(segment.vectors, segment.lengths, unit, rows, deadline)
    else:
        found = cosines(segment.vectors, segment.lengths, unit, deadline=deadline)
        rows = np.arange(len(segment)) if eligible is None else np.flatnonzero(eligible)
        found = found if eligible is None else found[rows]
    return rows, found.astype(np.float64)
