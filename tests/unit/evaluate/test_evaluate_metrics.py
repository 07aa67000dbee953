"""Metrics against values worked out by hand, as trec_eval counts them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import log2
from pathlib import Path
from typing import Any

import pytest

from refdesk.evaluate.metrics import mean, ndcg, percentile, recall, reciprocal_rank

GRADES = {"a": 3, "b": 2, "c": 1, "never": 1, "judged": 0, "bad": -1}


def test_ndcg_has_linear_gains_and_the_log2_discount() -> None:
    ranking = ["b", "judged", "a", "stranger", "bad"]
    gained = 2 / log2(2) + 3 / log2(4)
    best = 3 / log2(2) + 2 / log2(3) + 1 / log2(4) + 1 / log2(5)
    assert ndcg(ranking, GRADES, 10) == pytest.approx(gained / best)


def test_ndcg_of_one_relevant_is_the_discount_of_its_rank() -> None:
    judged = {"x": 1}
    for rank in range(1, 11):
        ranking = [f"other {place}" for place in range(1, rank)] + ["x"]
        assert ndcg(ranking, judged, 10) == pytest.approx(1 / log2(rank + 1))
    assert ndcg([*"abcdefghij", "x"], judged, 10) == 0


def test_ndcg_can_be_1_with_more_relevant_than_places() -> None:
    judged = dict.fromkeys("abcdefghijkl", 1)
    assert ndcg([*"lkjihgfedc"], judged, 10) == pytest.approx(1)
    assert ndcg([*"ab"], judged, 2) == pytest.approx(1)
    assert ndcg([*"ba"], {"a": 2, "b": 1}, 2) == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))


def test_recall_is_of_all_relevant() -> None:
    assert recall(["a", "x", "b"], GRADES, 10) == pytest.approx(2 / 4)
    assert recall(["a", "x", "b"], GRADES, 2) == pytest.approx(1 / 4)
    assert recall(["judged", "bad"], GRADES, 10) == 0


def test_reciprocal_rank_is_of_the_first_relevant_within_the_cut() -> None:
    assert reciprocal_rank(["judged", "x", "c", "a"], GRADES, 10) == pytest.approx(1 / 3)
    assert reciprocal_rank(["judged", "x", "c", "a"], GRADES, 2) == 0


def test_none_takes_a_rank_and_gains_nothing() -> None:
    ranking = ["x", None, None, "a"]
    assert reciprocal_rank(ranking, {"a": 1}, 10) == pytest.approx(1 / 4)
    assert ndcg(ranking, {"a": 1}, 10) == pytest.approx(1 / log2(5))
    assert recall(ranking, {"a": 1}, 3) == 0


def test_nothing_found_and_nothing_relevant_are_0() -> None:
    for metric in (ndcg, recall, reciprocal_rank):
        assert metric([], {"a": 1}, 10) == 0
        assert metric(["a"], {"a": 0}, 10) == 0
    assert mean([]) == 0


def test_percentiles_are_measured_values() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [percentile(values, share) for share in (0.2, 0.21, 0.5, 0.95, 1.0)] == [1, 2, 3, 5, 5]
    assert percentile([float(number) for number in range(1, 101)], 0.95) == 95
    assert percentile([], 0.5) == 0


def _judged_by_trec_eval() -> list[dict[str, Any]]:
    """Rankings drawn at random with what trec_eval 9.0.8 (pytrec_eval-terrier 0.5.11) gives them;
    ``recip_rank`` is of the first 10 alone."""
    lines = Path(__file__).with_name("trec_eval.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("case", _judged_by_trec_eval())
def test_metrics_are_trec_eval_s(case: Mapping[str, Any]) -> None:
    ranking, judged = case["ranking"], case["judged"]
    assert ndcg(ranking, judged, 10) == pytest.approx(case["ndcg_cut_10"], abs=1e-6)
    assert recall(ranking, judged, 3) == pytest.approx(case["recall_3"], abs=1e-6)
    assert recall(ranking, judged, 10) == pytest.approx(case["recall_10"], abs=1e-6)
    assert reciprocal_rank(ranking, judged, 10) == pytest.approx(case["recip_rank"], abs=1e-6)
