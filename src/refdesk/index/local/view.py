"""What a search sees: the segments at one instant, less what was deleted. A view never changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from refdesk.embedding.model import Vector
from refdesk.index.bm25 import rarity
from refdesk.index.local.best import Found, best, merged
from refdesk.index.local.hashes import term_hashes
from refdesk.index.local.keyword import Asked, scored
from refdesk.index.local.nearest import compared
from refdesk.index.local.part import Part, Spans
from refdesk.index.local.signs import enough
from refdesk.index.model import Candidate, Statistics, Weighted


class _LookedUp(NamedTuple):
    """Terms by their place, and where their postings begin and end in each part."""

    places: Mapping[str, int]
    spans: Sequence[Spans]


class View:
    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(part for part in parts if part.living)
        self.passages = sum(part.living for part in self.parts)
        self.words = sum(part.words for part in self.parts)
        self._last = _LookedUp({}, ())

    def statistics(self, terms: Sequence[str]) -> Statistics:
        if not terms:
            return Statistics(self.passages, self.words)
        looked_up = self._looked_up(terms)
        totals = [0] * len(looked_up.places)
        for part, spans in zip(self.parts, looked_up.spans, strict=True):
            totals = [a + b for a, b in zip(totals, part.holding(*spans), strict=True)]
        return Statistics(self.passages, self.words, dict(zip(looked_up.places, totals, strict=True)))

    def _looked_up(self, terms: Iterable[str]) -> _LookedUp:
        """Kept, because the terms that a search counts are those that it scores."""
        distinct = list(dict.fromkeys(terms))
        hashes = term_hashes(distinct, len(distinct))
        places = {term: place for place, term in enumerate(distinct)}
        found = self._last = _LookedUp(places, [part.segment.find(hashes) for part in self.parts])
        return found

    def _spans(self, terms: Sequence[str]) -> Iterator[Spans]:
        """Of each part, in the order of the terms."""
        known = self._last
        if not all(map(known.places.__contains__, terms)):
            known = self._looked_up(terms)
        places = np.array([known.places[term] for term in terms], np.int64)
        return ((starts.take(places), ends.take(places)) for starts, ends in known.spans)

    def keyword(
        self,
        terms: Sequence[Weighted],
        statistics: Statistics,
        k: int,
        deadline: float | None,
        after: Candidate | None,
    ) -> list[Candidate]:
        if not terms:
            return []
        passages, holding = statistics.passages, statistics.holding
        rated = [(term.weight * rarity(passages, holding.get(term.term, 0)), term.term) for term in terms]
        rated.sort(key=lambda item: -item[0])  # at the deadline, the rarest have been counted
        weights = np.array([weight for weight, _ in rated], np.float64)
        # a list that goes on is of everything
        asked = Asked(weights, statistics.mean_words, k if after is None else None, deadline)
        found: list[Found] = []
        least = 0.0
        for part, spans in zip(self.parts, self._spans([term for _, term in rated]), strict=True):
            rows, scores = scored(part, spans, asked, least if after is None else 0.0)
            if len(rows):
                found.append(best(part, rows, scores, k, after))
                its = found[-1][2]
                least = max(least, float(its[-1])) if 0 < k == len(its) else least
        return merged(found, k)

    def nearest(
        self, vector: Vector, k: int, deadline: float | None, after: Candidate | None
    ) -> list[Candidate]:
        norm = float(np.linalg.norm(vector))
        unit = np.asarray(vector, np.float32) / np.float32(norm or 1.0)
        found = []
        for part in self.parts:
            if part.segment.vectors.shape[1] == len(unit):
                most = enough(k, len(part.segment), self.passages) if after is None else len(part.segment)
                rows, scores = compared(part, unit, most, deadline)
                found.append(best(part, rows, scores, k, after))
        return merged(found, k)
