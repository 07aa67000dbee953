"""What a search sees: the segments at one instant, less what was deleted. A view never changes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refdesk.embedding.model import Vector
from refdesk.index.bm25 import K1, B, rarity
from refdesk.index.local.hashes import term_hashes
from refdesk.index.local.segment import EMBEDDED, Mask, Segment
from refdesk.index.local.signs import enough, proposed
from refdesk.index.local.vectors import cosines
from refdesk.index.model import Candidate, Statistics, Weighted

Scores = NDArray[np.float64]

_POSTINGS_AT_ONCE = 1_000_000
_WORTH_CHOOSING = 4
"""Where bits would propose more than one row in so many, all are compared."""


@dataclass(frozen=True, slots=True)
class Part:
    """A segment and which of its rows are dead (``None``: none)."""

    segment: Segment
    dead: Mask | None = None

    @classmethod
    def of(cls, segment: Segment) -> Part:
        return cls(segment, segment.dead())

    @property
    def living(self) -> int:
        return len(self.segment) - (0 if self.dead is None else int(np.count_nonzero(self.dead)))

    @property
    def words(self) -> int:
        words = self.segment.words
        total = int(words.sum(dtype=np.int64))
        return total if self.dead is None else total - int(words[self.dead].sum(dtype=np.int64))

    def without(self, keys: NDArray[np.int64]) -> Part:
        """The part after these of its passages were deleted; keys of others are ignored."""
        if not len(self.segment):
            return self
        places = np.minimum(np.searchsorted(self.segment.keys, keys), len(self.segment) - 1)
        places = places[self.segment.keys[places] == keys]
        if not len(places):
            return self
        dead = np.zeros(len(self.segment), np.bool_) if self.dead is None else self.dead.copy()
        dead[places] = True
        return Part(self.segment, dead)

    def holding(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[int]:
        if self.dead is None:
            lengths: list[int] = (ends - starts).tolist()
            return lengths
        rows, counts, dead = self.segment.rows, self.segment.counts, self.dead
        return [
            int(np.count_nonzero(~dead[rows[start:end]] & (counts[start:end] > 0)))
            for start, end in zip(starts, ends, strict=True)
        ]


class View:
    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(part for part in parts if part.living)
        self.passages = sum(part.living for part in self.parts)
        self.words = sum(part.words for part in self.parts)

    def statistics(self, terms: Sequence[str]) -> Statistics:
        found = Statistics(self.passages, self.words)
        distinct = list(dict.fromkeys(terms))
        hashes = term_hashes(distinct, len(distinct))
        totals = [0] * len(distinct)
        for part in self.parts:
            holding = part.holding(*part.segment.find(hashes))
            totals = [a + b for a, b in zip(totals, holding, strict=True)]
        found.holding = dict(zip(distinct, totals, strict=True))
        return found

    def keyword(
        self,
        terms: Sequence[Weighted],
        statistics: Statistics,
        k: int,
        deadline: float | None,
        after: Candidate | None,
    ) -> list[Candidate]:
        rated = [
            (term.term, term.weight * rarity(statistics.passages, statistics.holding.get(term.term, 0)))
            for term in terms
        ]
        rated.sort(key=lambda item: -item[1])  # at the deadline, the rarest have been counted
        hashes = term_hashes((term for term, _ in rated), len(rated))
        weights = np.array([weight for _, weight in rated], np.float64)
        found = [
            _best(part, rows, scores[rows], k, after)
            for part in self.parts
            if (scores := _bm25(part, hashes, weights, statistics.mean_words, deadline)) is not None
            and len(rows := np.flatnonzero(scores > 0))
        ]
        return _merged(found, k)

    def nearest(
        self, vector: Vector, k: int, deadline: float | None, after: Candidate | None
    ) -> list[Candidate]:
        norm = float(np.linalg.norm(vector))
        unit = np.asarray(vector, np.float32) / np.float32(norm or 1.0)
        found = []
        for part in self.parts:
            if part.segment.vectors.shape[1] == len(unit):
                most = enough(k, len(part.segment), self.passages) if after is None else len(part.segment)
                rows, scores = _compared(part, unit, most, deadline)
                found.append(_best(part, rows, scores, k, after))
        return _merged(found, k)


def _compared(
    part: Part, unit: Vector, most: int, deadline: float | None
) -> tuple[NDArray[np.int64], Scores]:
    """Rows and their cosines, of about ``most`` where bits choose. A list that goes on is of everything: what
    bits propose is best at its head."""
    segment = part.segment
    eligible = (segment.flags & EMBEDDED) != 0
    if part.dead is not None:
        eligible &= ~part.dead
    if not len(segment.centre) or most * _WORTH_CHOOSING > len(segment):
        rows = np.flatnonzero(eligible)
        scores = cosines(segment.vectors, segment.lengths, unit, deadline)
        return rows, (scores if len(rows) == len(scores) else scores[rows]).astype(np.float64)
    rows = proposed(segment.signs, segment.centre, unit, eligible, most)
    scores = cosines(segment.vectors.take(rows, axis=0), segment.lengths[rows], unit, deadline)
    return rows, scores.astype(np.float64)


def _bm25(
    part: Part, hashes: NDArray[np.uint64], weights: Scores, mean_words: float, deadline: float | None
) -> Scores | None:
    """A score for each row, or ``None`` where no row has one."""
    segment = part.segment
    starts, ends = segment.find(hashes)
    total: Scores | None = None
    for group in _groups(ends - starts):
        if total is not None and deadline is not None and time.monotonic() >= deadline:
            break
        added = _score_group(segment, starts[group], ends[group], weights[group], mean_words)
        total = added if total is None else total + added
    if total is not None and part.dead is not None:
        total[part.dead] = 0.0
    return total


def _groups(lengths: NDArray[np.int64]) -> list[slice]:
    """Terms taken at once: with as many postings as are scored between two looks at the clock."""
    groups: list[slice] = []
    start, held = 0, 0
    for i, length in enumerate(lengths.tolist()):
        if held and held + length > _POSTINGS_AT_ONCE:
            groups.append(slice(start, i))
            start, held = i, 0
        held += length
    return [*groups, slice(start, len(lengths))] if held else groups


def _score_group(
    segment: Segment, starts: NDArray[np.int64], ends: NDArray[np.int64], weights: Scores, mean_words: float
) -> Scores:
    spans = [slice(a, b) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    rows = np.concatenate([segment.rows[span] for span in spans])
    counts = np.concatenate([segment.counts[span] for span in spans]).astype(np.float64)
    longer = K1 * (1.0 - B + B * segment.words[rows] / mean_words) if mean_words else K1
    added = np.repeat(weights, ends - starts) * counts / (counts + longer)
    return np.bincount(rows, weights=added, minlength=len(segment)).astype(np.float64, copy=False)


Found = tuple[Part, NDArray[np.int64], Scores]


def _best(part: Part, rows: NDArray[np.int64], values: Scores, k: int, after: Candidate | None) -> Found:
    """Of rows of a part those that may be among the best ``k`` of all, best first; equal scores by document
    (they are numbered by name), then position, then version."""
    segment = part.segment
    if after is not None:
        behind = _behind(segment, values, rows, after)
        rows, values = rows[behind], values[behind]
    if len(rows) > k > 0:
        least = np.partition(values, len(values) - k)[len(values) - k]
        good = np.flatnonzero(values >= least)  # with every one that ties with the last
        rows, values = rows[good], values[good]
    ties = segment.versions[rows], segment.positions[rows], segment.documents[rows]
    first = np.lexsort((*ties, -values))[:k]
    return part, rows[first], values[first]


def _behind(segment: Segment, values: Scores, rows: NDArray[np.int64], after: Candidate) -> Mask:
    place, known = segment.place_of(after.document)
    documents = segment.documents[rows]
    later = documents > place if known else documents >= place
    if known:
        positions, versions = segment.positions[rows], segment.versions[rows]
        further = (positions > after.position) | ((positions == after.position) & (versions > after.version))
        later |= (documents == place) & further
    behind: Mask = (values < after.score) | ((values == after.score) & later)
    return behind


def _merged(found: Sequence[Found], k: int) -> list[Candidate]:
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
    digests = segment.digests[rows].tobytes()
    width = segment.digests.shape[1]
    return map(
        Candidate,
        segment.keys[rows].tolist(),
        segment.names_of(segment.documents[rows]),
        segment.versions[rows].tolist(),
        segment.positions[rows].tolist(),
        [digests[i : i + width] for i in range(0, len(digests), width)],
        scores.tolist(),
    )
