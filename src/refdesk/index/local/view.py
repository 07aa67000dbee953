"""What a search sees: the segments at one instant, less what was deleted. A view never changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refdesk.embedding.model import Vector
from refdesk.index.bm25 import rarity
from refdesk.index.local.best import Found, best, merged
from refdesk.index.local.hashes import term_hashes
from refdesk.index.local.keyword import Asked, scored
from refdesk.index.local.nearest import compared
from refdesk.index.local.part import Part
from refdesk.index.local.signs import enough
from refdesk.index.model import Candidate, Statistics, Weighted


class View:
    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(part for part in parts if part.living)
        self.passages = sum(part.living for part in self.parts)
        self.words = sum(part.words for part in self.parts)

    def statistics(self, terms: Sequence[str]) -> Statistics:
        if not terms:
            return Statistics(self.passages, self.words)
        distinct = list(dict.fromkeys(terms))
        hashes = term_hashes(distinct, len(distinct))
        totals = [0] * len(distinct)
        for part in self.parts:
            holding = part.holding(*part.segment.find(hashes))
            totals = [a + b for a, b in zip(totals, holding, strict=True)]
        return Statistics(self.passages, self.words, dict(zip(distinct, totals, strict=True)))

    def keyword(
        self,
        terms: Sequence[Weighted],
        statistics: Statistics,
        k: int,
        deadline: float | None,
        after: Candidate | None,
    ) -> list[Candidate]:
        passages, holding = statistics.passages, statistics.holding
        rated = [(term.weight * rarity(passages, holding.get(term.term, 0)), term.term) for term in terms]
        rated.sort(key=lambda item: -item[0])  # at the deadline, the rarest have been counted
        hashes = term_hashes((term for _, term in rated), len(rated))
        weights = np.array([weight for weight, _ in rated], np.float64)
        # a list that goes on is of everything
        asked = Asked(hashes, weights, statistics.mean_words, k if after is None else None, deadline)
        found: list[Found] = []
        least = 0.0
        for part in self.parts:
            rows, scores = scored(part, asked, least if after is None else 0.0)
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
