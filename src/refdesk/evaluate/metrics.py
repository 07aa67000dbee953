"""How good a ranking is, as trec_eval and BEIR count it: linear gains, the log2 discount, means over queries.

A ranking holds ids, best first; ``None`` takes a rank and gains nothing. ``judged`` maps an id to its grade,
and what is graded 0 or less is not relevant. Each value is 0-1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

Ranking = Sequence[str | None]


def ndcg(ranking: Ranking, judged: Mapping[str, int], k: int) -> float:
    """Discounted gain of the first k over that of the best possible first k."""
    ideal = sorted((grade for grade in judged.values() if grade > 0), reverse=True)
    gains = [max(0, judged.get(one, 0)) if one is not None else 0 for one in ranking[:k]]
    best = _discounted(ideal[:k])
    return _discounted(gains) / best if best else 0.0


def recall(ranking: Ranking, judged: Mapping[str, int], k: int) -> float:
    """The share of the relevant that stands in the first k."""
    wanted = {one for one, grade in judged.items() if grade > 0}
    return len(wanted.intersection(ranking[:k])) / len(wanted) if wanted else 0.0


def reciprocal_rank(ranking: Ranking, judged: Mapping[str, int], k: int) -> float:
    """One over the rank of the first relevant in the first k, 0 without one."""
    for rank, one in enumerate(ranking[:k], start=1):
        if one is not None and judged.get(one, 0) > 0:
            return 1 / rank
    return 0.0


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` (0-1) of all do not exceed (the nearest rank)."""
    if not values:
        return 0.0
    ranked = sorted(values)
    place = max(1, -int(-share * len(ranked) // 1))
    return ranked[place - 1]


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
