"""The best rows of the parts of a view, as candidates in one order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from refdesk.index.local.arrays import Mask, Places, Scores
from refdesk.index.local.part import Part
from refdesk.index.local.segment import Segment
from refdesk.index.model import Candidate

Found = tuple[Part, Places, Scores]


def best(part: Part, rows: Places, values: Scores, k: int, after: Candidate | None) -> Found:
    """Of rows of a part those that may be among the best ``k`` of all, best first; equal scores by document
    (they are numbered by name), then position, then version."""
    segment = part.segment
    if after is not None:
        behind = _behind(segment, values, rows, after)
        rows, values = rows[behind], values[behind]
    if len(rows) > k > 0:
        least = np.partition(values, len(values) - k)[len(values) - k]
        good = np.flatnonzero(values >= least)  # with every one that ties with the last
        rows, values = rows.take(good), values.take(good)
    ties = segment.versions.take(rows), segment.positions.take(rows), segment.documents.take(rows)
    first = np.lexsort((*ties, -values))[:k]
    return part, rows.take(first), values.take(first)


def _behind(segment: Segment, values: Scores, rows: Places, after: Candidate) -> Mask:
    place, known = segment.place_of(after.document)
    documents = segment.documents[rows]
    later = documents > place if known else documents >= place
    if known:
        positions, versions = segment.positions[rows], segment.versions[rows]
        further = (positions > after.position) | ((positions == after.position) & (versions > after.version))
        later |= (documents == place) & further
    behind: Mask = (values < after.score) | ((values == after.score) & later)
    return behind


def merged(found: Sequence[Found], k: int) -> list[Candidate]:
    """The best ``k`` of all parts; equal scores by document, then position, then version."""
    if len(found) == 1:
        part, rows, scores = found[0]
        return list(_candidates(part.segment, rows, scores))
    values = np.concatenate([v for _, _, v in found]) if found else np.empty(0)
    least = np.partition(values, len(values) - k)[len(values) - k] if len(values) > k > 0 else -np.inf
    candidates: list[Candidate] = []
    for part, rows, scores in found:
        good = scores >= least
        candidates += _candidates(part.segment, rows[good], scores[good])
    candidates.sort(key=lambda c: (-c.score, c.document, c.position, c.version))
    return candidates[:k]


def _candidates(segment: Segment, rows: NDArray[np.int64], scores: Scores) -> Iterator[Candidate]:
    """Without those of documents that were scrubbed since the view was made."""
    digests = segment.digests.view(f"V{segment.digests.shape[1]}")
    made = map(
        Candidate,
        segment.keys.take(rows).tolist(),
        segment.names_of(segment.documents.take(rows)),
        segment.versions.take(rows).tolist(),
        segment.positions.take(rows).tolist(),
        digests.take(rows).tolist(),
        scores.tolist(),
    )
    return (one for one in made if one.document[:1] != "\0")
