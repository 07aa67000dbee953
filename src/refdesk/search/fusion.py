"""One ranking out of two: slots decide who is in, one score decides the order.

RETRIEVAL.md has the measurements. Each half brings its best; the first k always hold each half's own
best (W11), and everything stands in the order of one fused score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key")

MEANING_WEIGHT = 0.25
MEANING_WEIGHT_IDENTIFIER = 0.35
MEANING_WEIGHT_FOREIGN = 0.65


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """``identifier``: the question names one (a code, a figure); ``idf``: the sum of its words' idf;
    ``readable``: it is in a script that the embedding model was trained on; ``foreign``: it is in a language
    that no document has and the model knows, so that words meet by chance."""

    identifier: bool
    idf: float
    readable: bool = True
    foreign: bool = False


def fused_scores(
    keyword: Mapping[Key, float], meaning: Mapping[Key, float], question: QuestionShape
) -> dict[Key, float]:
    """``keyword`` maps to BM25, ``meaning`` to cosines; what one half did not find counts as its worst."""
    weight = MEANING_WEIGHT_IDENTIFIER if question.identifier else MEANING_WEIGHT
    if not question.readable:
        weight = 0.0  # meaning has its slots, and keyword the order
    elif question.foreign:
        weight = MEANING_WEIGHT_FOREIGN
    share = 1 - weight
    scores = _min_max(keyword, share) if question.identifier else _over_idf(keyword, question.idf, share)
    for key, score in _min_max(meaning, weight).items():
        scores[key] = scores.get(key, 0.0) + score
    return scores


def members(keyword: Sequence[Key], meaning: Sequence[Key], ranked: Sequence[Key], k: int) -> list[Key]:
    """The k that are in: each half's slots first (one each to k = 5, two to 7, alternating from 8),
    then by rank."""
    slots = 1 if k <= 5 else 2 if k <= 7 else k
    chosen: dict[Key, None] = {}
    for place in range(slots):
        for half in (keyword, meaning):
            if place < len(half) and len(chosen) < k:
                chosen[half[place]] = None
    for key in ranked:
        if len(chosen) >= k:
            break
        chosen[key] = None
    return list(chosen)


def fuse(
    keyword: Mapping[Key, float],
    meaning: Mapping[Key, float],
    question: QuestionShape,
    k: int,
    spare: int = 0,
) -> list[tuple[Key, float]]:
    """Both halves best first in; the k that are in with their fused score out, best first. Behind them as
    many as ``spare`` more, best first, to take the places of those that do not fit a budget."""
    scores = fused_scores(keyword, meaning, question)
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)  # equal ones as they came: keyword first
    inside = set(members(list(keyword), list(meaning), ranked, k))
    outside = [key for key in ranked if key not in inside][:spare] if spare else []
    return [(key, scores[key]) for key in (*(key for key in ranked if key in inside), *outside)]


def _over_idf(scores: Mapping[Key, float], idf: float, weight: float) -> dict[Key, float]:
    return {key: weight * (score / idf) if idf else 0.0 for key, score in scores.items()}


def _min_max(scores: Mapping[Key, float], weight: float) -> dict[Key, float]:
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    spread = high - low
    return {key: weight * ((score - low) / spread) if spread else weight for key, score in scores.items()}
