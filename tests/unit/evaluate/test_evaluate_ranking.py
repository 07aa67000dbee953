"""Hits become rankings: documents by their best passage, or passages as an agent gets them."""

from __future__ import annotations

from math import log2

import pytest

from refdesk.evaluate.ranking import Judge, by_document, first_only, overlap
from refdesk.evaluate.sets import Query, Span
from refdesk.search.model import Hit

SPANS = {
    "a": [Span("a", 0, 100), Span("a", 90, 200)],
    "b": [Span("b", 0, 50)],
    "c": [Span("c", 0, 10), Span("c", 10, 20), Span("c", 20, 30)],
}


def hit(document: str, position: int = 1, also_in: tuple[str, ...] = ()) -> Hit:
    return Hit(
        number=1,
        base="base",
        document=document,
        name=document,
        title=document,
        source_url=None,
        metadata={},
        section=None,
        page=None,
        position=position,
        text="",
        similarity=None,
        cosine=None,
        found_by=("keyword",),
        also_in=also_in,
        truncated=False,
        score=1.0,
        version=1,
    )


HITS = [hit("c", 2), hit("c", 3), hit("b", also_in=("b2",)), hit("a", 2), hit("a", 1)]


def test_a_document_stands_where_its_best_passage_stands() -> None:
    assert by_document(HITS) == ["c", "b", "b2", "a"]
    score = Judge("document", SPANS, (2, 10)).score(Query("q", "?"), {"a": 1}, HITS)
    assert score.ndcg == pytest.approx(1 / log2(5))
    assert score.reciprocal_rank == pytest.approx(1 / 4)
    assert score.recall == {2: 0, 10: 1}


def test_by_passage_every_passage_takes_a_rank() -> None:
    assert first_only(HITS) == ["c", None, "b", "a", None]
    score = Judge("passage", SPANS, (3, 4)).score(Query("q", "?"), {"c": 1, "a": 1}, HITS)
    assert score.ndcg == pytest.approx((1 + 1 / log2(5)) / (1 + 1 / log2(3)))
    assert score.recall == {3: 0.5, 4: 1}


def test_by_passage_references_are_counted_in_characters() -> None:
    query = Query("q", "?", references=(Span("a", 80, 120), Span("b", 40, 60)))
    judge = Judge("passage", SPANS, (3, 4, 5))
    score = judge.score(query, {"a": 1, "b": 1}, HITS)
    assert score.recall == {3: pytest.approx(10 / 60), 4: pytest.approx(40 / 60), 5: pytest.approx(50 / 60)}
    assert score.reciprocal_rank == pytest.approx(1 / 3)
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    assert score.ndcg == pytest.approx((1 / log2(4) + 1 / log2(5) + 1 / log2(6)) / ideal)


def test_by_document_ignores_references() -> None:
    query = Query("q", "?", references=(Span("a", 80, 120),))
    assert Judge("document", SPANS, (10,)).score(query, {"b": 1}, HITS).reciprocal_rank == pytest.approx(
        1 / 2
    )


def test_characters_found_twice_count_once() -> None:
    references = [Span("a", 85, 105), Span("a", 95, 110)]
    assert overlap([Span("a", 0, 100), Span("a", 90, 200)], references).recall == 1
    assert overlap([Span("a", 0, 100), Span("a", 0, 100)], references).recall == pytest.approx(15 / 25)
    assert overlap([Span("b", 0, 1000)], references).recall == 0
    assert overlap([], references).recall == 0


def test_precision_is_of_what_was_read_and_iou_of_both() -> None:
    references = [Span("a", 80, 120), Span("b", 40, 60)]
    found = overlap([Span("a", 0, 100), Span("a", 90, 200), Span("c", 0, 10)], references)
    assert found.recall == pytest.approx(40 / 60)
    assert found.precision == pytest.approx(40 / 220), "characters that stand in two passages are read twice"
    assert found.iou == pytest.approx(40 / (220 + 20))
    assert overlap([], references) == (0, 0, 0)


def test_the_overlap_is_told_where_spans_are_judged_alone() -> None:
    query = Query("q", "?", references=(Span("a", 80, 120),))
    by_span = Judge("passage", SPANS, (10,)).score(query, {"a": 1}, HITS).overlap
    assert {cut: value.recall for cut, value in by_span.items()} == {3: 0, 5: 1, 8: 1}
    assert not Judge("document", SPANS, (10,)).score(query, {"a": 1}, HITS).overlap
    assert not Judge("passage", SPANS, (10,)).score(Query("q", "?"), {"a": 1}, HITS).overlap
