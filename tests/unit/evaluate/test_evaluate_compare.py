"""Two runs of the same queries: how sure a difference is."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tests.unit.evaluate.conftest import MakeSet

from refdesk.errors import NotFound, UsageError
from refdesk.evaluate import compare, evaluate, load_run, per_query, save_run
from refdesk.policy import load_policy
from refdesk.settings import Settings


def test_the_interval_is_the_normal_one_where_there_are_many_queries() -> None:
    draw = random.Random(3)
    other = {str(number): draw.random() for number in range(400)}
    mine = {query: value + draw.gauss(0.05, 0.2) for query, value in other.items()}
    gains = [mine[query] - other[query] for query in other]
    mean = sum(gains) / 400
    error = (sum((gain - mean) ** 2 for gain in gains) / 400) ** 0.5 / 20
    found = compare(mine, other)
    assert found.queries == 400
    assert found.mean == pytest.approx(mean)
    assert (found.low, found.high) == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.002)
    assert found.certain
    assert compare(mine, other) == found, "the same on every run"


def test_pairs_are_compared_and_not_means() -> None:
    """Values that differ widely among the queries, and between the runs by the same amount."""
    other = {str(number): number % 2 * 0.9 for number in range(50)}
    found = compare({query: value + 0.01 for query, value in other.items()}, other)
    assert (found.low, found.high) == pytest.approx((0.01, 0.01))


def test_one_query_s_luck_is_not_certain() -> None:
    other = {str(number): 0.5 for number in range(20)}
    found = compare({**other, "3": 1.0}, other)
    assert found.mean == pytest.approx(0.025)
    assert found.low == 0
    assert not found.certain


def test_only_common_queries_count() -> None:
    assert compare({"a": 1.0, "b": 0.0}, {"a": 0.5, "c": 1.0}).to_dict() == {
        "queries": 1,
        "ndcg_at_10_difference": 0.5,
        "low": 0.5,
        "high": 0.5,
    }
    with pytest.raises(UsageError, match="no query in common"):
        compare({"a": 1.0}, {"c": 1.0})


def test_a_saved_run_is_read_back(make_set: MakeSet, tmp_path: Path) -> None:
    corpus = [
        {"_id": name, "title": "", "text": f"All about {name}."} for name in ("lamps", "gates", "doors")
    ]
    queries = [{"_id": "q1", "text": "lamps", "type": "plain"}, {"_id": "q2", "text": "gates and nothing"}]
    folder = make_set(corpus, queries, [("q1", "lamps", 1), ("q2", "doors", 1)])
    report = evaluate(
        folder, mode="keyword", policy=load_policy("packs"), settings=Settings(cache=tmp_path / "cache")
    )
    save_run(report, tmp_path / "run.json")
    assert load_run(tmp_path / "run.json") == per_query(report) == {"q1": 1.0, "q2": 0.0}
    saved = json.loads((tmp_path / "run.json").read_text())
    assert {**report.to_dict(), "mode": "keyword"}.items() <= saved.items()


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        load_run(tmp_path / "gone.json")
    for content in (
        "no json",
        "[]",
        '{"per_query": {"ndcg_at_10": 3}}',
        '{"per_query": {"ndcg_at_10": {"q": []}}}',
    ):
        (tmp_path / "other.json").write_text(content)
        with pytest.raises(UsageError, match="is no run of `refdesk eval`"):
            load_run(tmp_path / "other.json")
    with pytest.raises(UsageError, match="cannot be read"):
        load_run(tmp_path)
