"""Deleted passages become zeros in a segment's file, without writing the rest of it anew.

Readers that have it mapped go on: a posting with a count of 0 adds nothing to a score, and a row with an
infinite length has a cosine of 0, whatever of the rest a reader saw before.

What is cut is done again in full, for it is found by what goes last. Postings are found by their rows, so
these go once all else is on disk; they are not looked for where a row has the flag ``DEAD``, so that comes
once the rows are. A process that is killed leaves what it stored in order, and would need no more than that;
a power failure leaves pages in any order, so each of the three steps is on disk before the next begins.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from refdesk.index.local import files, kernels
from refdesk.index.local.arrays import Mask, Places
from refdesk.index.local.segment import DEAD, Segment


def scrub(path: Path, dead: Mask) -> None:
    """Nothing of the rows that are ``dead`` is in the file when this returns, but the keys. Those that have
    the flag already are passed over."""
    with files.changed(path) as segment:
        new = dead & (segment.flags != DEAD)
        postings = kernels.postings_of(segment.rows, new)
        segment.counts[postings] = 0
        _scrub_terms(segment, postings, most_dead=int(np.count_nonzero(dead)))
        rows = np.flatnonzero(new)
        _scrub_names(segment, rows, dead)
        segment.lengths[rows] = np.inf
        for section in (segment.words, segment.versions, segment.positions, segment.digests, segment.vectors):
            section[rows] = 0
        segment.signs[:, rows] = 0
    with files.changed(path) as segment:
        segment.rows[postings] = 0
    with files.changed(path) as segment:
        segment.flags[rows] = DEAD


def _scrub_terms(segment: Segment, postings: Places, most_dead: int) -> None:
    """A term that no living passage holds takes the hash before it: the order holds, and a search finds
    the first of equal ones. The counts of ``postings`` are 0, which are in order; a term has one a row."""
    hashes, counts, offsets = segment.hashes, segment.counts, segment.offsets
    terms = np.unique(np.searchsorted(offsets, postings, "right") - 1)
    terms = terms[offsets[terms + 1] - offsets[terms] <= most_dead]
    held = (counts[offsets[terms]] > 0) | (counts[offsets[terms + 1] - 1] > 0)
    done = 0
    for term in terms[~held].tolist():
        before = hashes[term - 1] if term else np.uint64(0)
        last = max(term, done)
        while last < len(hashes) and not counts[offsets[last] : offsets[last + 1]].any():
            hashes[last] = before  # also of those behind it that have its hash since they were scrubbed
            last += 1
        done = last


def _scrub_names(segment: Segment, new: Places, dead: Mask) -> None:
    """Those of documents of ``new`` rows that no living row is of."""
    asked = np.zeros(len(segment.name_ends), np.bool_)
    asked[segment.documents[new]] = True
    rows = np.flatnonzero(asked[segment.documents])
    asked[segment.documents[rows[~dead[rows]]]] = False
    for place in np.flatnonzero(asked).tolist():
        start = segment.name_ends[place - 1] if place else 0
        segment.names[start : segment.name_ends[place]] = 0
