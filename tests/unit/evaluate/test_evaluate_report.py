"""Means over all queries and over those of each type."""

from __future__ import annotations

import pytest

from refdesk.evaluate.ranking import Overlap, Score
from refdesk.evaluate.report import Report

SCORES = {
    "q1": Score(1.0, 1.0, {3: 1.0, 10: 1.0}),
    "q2": Score(0.5, 0.25, {3: 0.0, 10: 1.0}),
    "q3": Score(0.0, 0.0, {3: 0.0, 10: 0.0}),
}


def report(scores: dict[str, Score], types: dict[str, str]) -> Report:
    return Report("keyword", scores, p50_ms=1, p95_ms=2, passages=3, ingest_seconds=4, types=types)


def test_means_are_over_the_queries_of_a_type() -> None:
    found = report(SCORES, {"q3": "code", "q1": "plain", "q2": "plain"})
    assert (found.means.queries, found.means.ndcg) == (3, 0.5)
    assert found.means.recall == {3: pytest.approx(1 / 3), 10: pytest.approx(2 / 3)}
    assert list(found.by_type) == ["plain", "code"]
    plain = found.by_type["plain"]
    assert (plain.queries, plain.ndcg, plain.mrr) == (2, 0.75, 0.625)
    assert plain.recall == {3: 0.5, 10: 1.0}
    assert found.by_type["code"].queries == 1


def test_queries_without_a_type_are_in_no_group() -> None:
    assert report(SCORES, {}).by_type == {}
    assert list(report(SCORES, {"q2": "plain"}).by_type) == ["plain"]


def test_overlaps_are_means_by_cut() -> None:
    spans = {
        "q1": Score(1, 1, {10: 1}, {3: Overlap(1.0, 0.5, 0.5)}),
        "q2": Score(1, 1, {10: 1}, {3: Overlap(0.0, 0.1, 0.0)}),
    }
    assert report(spans, {}).means.overlap == {3: pytest.approx((0.5, 0.3, 0.25))}
    assert "overlap" not in " ".join(report(spans, {}).to_dict())
