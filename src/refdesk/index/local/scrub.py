"""Deleted passages become zeros in a segment's file, without writing the rest of it anew.

Readers that have it mapped go on: they know already which rows are dead, and a posting of zeros adds
nothing to a score. Doing it twice is the same as once, so a crash in between is finished by the next tidy.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from refdesk.index.local import files
from refdesk.index.local.segment import DEAD, Mask, Segment


def scrub(path: Path, dead: Mask) -> None:
    """Nothing of the rows that are ``dead`` is in the file when this returns, but the keys."""
    with files.changed(path) as segment:
        postings = np.flatnonzero(dead[segment.rows])
        segment.rows[postings] = 0
        segment.counts[postings] = 0
        _scrub_terms(segment)
        _scrub_names(segment, dead)
        for section in (segment.words, segment.versions, segment.positions, segment.digests, segment.vectors):
            section[dead] = 0
        segment.lengths[dead] = 1
        segment.signs[:, dead] = 0
        segment.flags[dead] = DEAD


def _scrub_terms(segment: Segment) -> None:
    """A term that no living passage holds takes the hash before it: the order holds, and a search finds
    the first of equal ones."""
    if not len(segment.hashes):
        return
    held = np.add.reduceat(segment.counts > 0, segment.offsets[:-1], dtype=np.int64) > 0
    last_held = np.maximum.accumulate(np.where(held, np.arange(len(held)), -1))
    empty = ~held
    before = last_held[empty]
    segment.hashes[empty] = np.where(before < 0, 0, segment.hashes[before])


def _scrub_names(segment: Segment, dead: Mask) -> None:
    used = np.zeros(len(segment.name_ends), np.bool_)
    used[segment.documents[~dead]] = True
    starts = np.concatenate([[0], segment.name_ends[:-1]])
    for place in np.flatnonzero(~used):
        segment.names[starts[place] : segment.name_ends[place]] = 0
