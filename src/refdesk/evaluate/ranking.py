"""From the passages that a search gave to what a set judges: documents, or the passages themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from refdesk.evaluate.metrics import Ranking, ndcg, recall, reciprocal_rank
from refdesk.evaluate.sets import Query, Span
from refdesk.search.model import Hit

By = Literal["document", "passage"]
CUT = 10
SPAN_CUTS = (3, 5, 8)
"""Where a ranking of passages is held against the spans that answer, as published for such sets."""


class Overlap(NamedTuple):
    """Of passages with the reference spans, in characters, each 0-1: ``recall`` is shared / reference,
    ``precision`` shared / found (what is found twice is read twice), ``iou`` shared / (found + missed)."""

    recall: float
    precision: float
    iou: float


@dataclass(frozen=True, slots=True)
class Score:
    """Of one query; ``recall`` and ``overlap`` map a cut-off to the value there, ``overlap`` only where
    passages were held against the set's reference spans."""

    ndcg: float
    reciprocal_rank: float
    recall: Mapping[int, float]
    overlap: Mapping[int, Overlap] = field(default_factory=dict)


class Judge:
    """``spans`` has the spans of each document's passages, the first passage first.

    By document, its rank is that of its best passage. By passage, every passage takes a rank, as in what an
    agent is given: one of a document that was there already gains nothing. Where the set has the spans that
    answer a query, a passage is relevant that overlaps one, and recall counts their characters.
    """

    def __init__(self, by: By, spans: Mapping[str, Sequence[Span]], cuts: Sequence[int]) -> None:
        self._by = by
        self._spans = spans
        self._cuts = cuts

    def score(self, query: Query, judged: Mapping[str, int], hits: Sequence[Hit]) -> Score:
        if self._by == "passage" and query.references:
            return self._by_reference(query.references, hits)
        ranking = first_only(hits) if self._by == "passage" else by_document(hits)
        recalls = {cut: recall(ranking, judged, cut) for cut in self._cuts}
        return Score(ndcg(ranking, judged, CUT), reciprocal_rank(ranking, judged, CUT), recalls)

    def _by_reference(self, references: Sequence[Span], hits: Sequence[Hit]) -> Score:
        found = [self._spans[hit.document][hit.position - 1] for hit in hits]
        judged = {
            _key(span): 1
            for document in {reference.document for reference in references}
            for span in self._spans.get(document, ())
            if any(shared(span, reference) for reference in references)
        }
        ranking: Ranking = [_key(span) for span in found]
        return Score(
            ndcg(ranking, judged, CUT),
            reciprocal_rank(ranking, judged, CUT),
            {cut: overlap(found[:cut], references).recall for cut in self._cuts},
            {cut: overlap(found[:cut], references) for cut in SPAN_CUTS},
        )


def by_document(hits: Sequence[Hit]) -> list[str]:
    """Each document once, where its best passage stands; others that hold the same text come right behind."""
    return list(dict.fromkeys(name for hit in hits for name in (hit.document, *hit.also_in)))


def first_only(hits: Sequence[Hit]) -> list[str | None]:
    """Every hit's document; ``None`` where it stood before."""
    seen: set[str] = set()
    ranking: list[str | None] = []
    for hit in hits:
        ranking.append(None if hit.document in seen else hit.document)
        seen.add(hit.document)
    return ranking


def overlap(found: Sequence[Span], references: Sequence[Span]) -> Overlap:
    """How well ``found`` covers the references; references that overlap each other count once."""
    wanted = {(one.document, place) for one in references for place in range(one.start, one.end)}
    held = {
        (one.document, place) for one in found for reference in references for place in shared(one, reference)
    }
    length = sum(one.end - one.start for one in found)
    missed = len(wanted) - len(held)
    return Overlap(
        recall=len(held) / len(wanted) if wanted else 0.0,
        precision=len(held) / length if length else 0.0,
        iou=len(held) / (length + missed) if length + missed else 0.0,
    )


def shared(one: Span, other: Span) -> range:
    """The characters that both cover."""
    if one.document != other.document:
        return range(0)
    return range(max(one.start, other.start), min(one.end, other.end))


def _key(span: Span) -> str:
    return f"{span.document}\n{span.start}\n{span.end}"
