"""Deleted passages become zeros in a segment's file, without writing the rest of it anew.

Readers that have it mapped go on: they know already which rows are dead, and a posting of zeros adds
nothing to a score. Doing it twice is the same as once, so a crash in between is finished by the next tidy.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from refdesk.index.local import files
from refdesk.index.local.part import Places
from refdesk.index.local.segment import DEAD, Mask, Rows, Segment

_AT_ONCE = 65_536
"""Postings, as many as a core's cache holds."""


def scrub(path: Path, dead: Mask) -> None:
    """Nothing of the rows that are ``dead`` is in the file when this returns, but the keys. That they were
    scrubbed is written down last: what a crash cut is done again."""
    with files.changed(path) as segment:
        postings = _postings(segment.rows, dead & (segment.flags != DEAD))
        segment.rows[postings] = 0
        segment.counts[postings] = 0
        _scrub_terms(segment, postings, most_dead=int(np.count_nonzero(dead)))
        _scrub_names(segment, dead)
        for section in (segment.words, segment.versions, segment.positions, segment.digests, segment.vectors):
            section[dead] = 0
        segment.lengths[dead] = 1
        segment.signs[:, dead] = 0
    with files.changed(path) as segment:
        segment.flags[dead] = DEAD


def _postings(rows: Rows, dead: Mask) -> Places:
    """Those of dead rows, in order. First by where a row may be, which is a fifth of the work: a document's
    rows stand together."""
    places = np.flatnonzero(dead)
    if not len(places):
        return places
    first, span = np.uint32(places[0]), np.uint32(places[-1] - places[0])
    near = np.concatenate(
        [
            start + np.flatnonzero(rows[start : start + _AT_ONCE] - first <= span)  # below the first it wraps
            for start in range(0, len(rows), _AT_ONCE)
        ]
        or [places[:0]]
    )
    found: Places = near[dead[rows[near]]]
    return found


def _scrub_terms(segment: Segment, postings: Places, most_dead: int) -> None:
    """A term that no living passage holds takes the hash before it: the order holds, and a search finds
    the first of equal ones. ``postings`` have just been scrubbed, in order; a term has one a row."""
    hashes, counts = segment.hashes, segment.counts
    terms = np.unique(np.searchsorted(segment.offsets, postings, "right") - 1)
    starts, ends = segment.offsets[terms], segment.offsets[terms + 1]
    held = (ends - starts > most_dead) | (counts[starts] > 0) | (counts[ends - 1] > 0)
    doubtful = zip(*(places[~held].tolist() for places in (terms, starts, ends)), strict=True)
    for term, start, end in doubtful:
        if counts[start:end].any():
            continue
        gone, before = hashes[term], hashes[term - 1] if term else np.uint64(0)
        last = term
        while last < len(hashes) and hashes[last] == gone:  # with those that took its hash
            hashes[last] = before
            last += 1


def _scrub_names(segment: Segment, dead: Mask) -> None:
    used = np.zeros(len(segment.name_ends), np.bool_)
    used[segment.documents[~dead]] = True
    starts = np.concatenate([[0], segment.name_ends[:-1]])
    for place in np.flatnonzero(~used):
        segment.names[starts[place] : segment.name_ends[place]] = 0
