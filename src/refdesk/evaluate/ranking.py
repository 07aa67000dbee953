"""From the passages that a search gave to what a set judges: documents, or the passages themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from refdesk.evaluate.metrics import Ranking, ndcg, recall, reciprocal_rank
from refdesk.evaluate.sets import Query, Span
from refdesk.search.model import Hit

By = Literal["document", "passage"]
CUT = 10


@dataclass(frozen=True, slots=True)
class Score:
    """Of one query; ``recall`` maps a cut-off to the recall there."""

    ndcg: float
    reciprocal_rank: float
    recall: Mapping[int, float]


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
        return self._score(ranking, judged, {cut: recall(ranking, judged, cut) for cut in self._cuts})

    def _by_reference(self, references: Sequence[Span], hits: Sequence[Hit]) -> Score:
        found = [self._spans[hit.document][hit.position - 1] for hit in hits]
        judged = {
            _key(span): 1
            for document in {reference.document for reference in references}
            for span in self._spans.get(document, ())
            if any(shared(span, reference) for reference in references)
        }
        covered = {cut: coverage(found[:cut], references) for cut in self._cuts}
        return self._score([_key(span) for span in found], judged, covered)

    @staticmethod
    def _score(ranking: Ranking, judged: Mapping[str, int], recalls: Mapping[int, float]) -> Score:
        return Score(ndcg(ranking, judged, CUT), reciprocal_rank(ranking, judged, CUT), recalls)


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


def coverage(found: Sequence[Span], references: Sequence[Span]) -> float:
    """The share of the references' characters that stand in what was found."""
    wanted = {(one.document, place) for one in references for place in range(one.start, one.end)}
    held = {
        (one.document, place) for one in found for reference in references for place in shared(one, reference)
    }
    return len(held) / len(wanted) if wanted else 0.0


def shared(one: Span, other: Span) -> range:
    """The characters that both cover."""
    if one.document != other.document:
        return range(0)
    return range(max(one.start, other.start), min(one.end, other.end))


def _key(span: Span) -> str:
    return f"{span.document}\n{span.start}\n{span.end}"
