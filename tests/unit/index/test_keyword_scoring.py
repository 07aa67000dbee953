"""Keyword search passes rows over, and finds what plain scoring of every posting finds, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refdesk.index.bm25 import K1, B, rarity
from refdesk.index.local import kernels
from refdesk.index.local.arrays import Mask, Scores
from refdesk.index.local.hashes import term_hashes
from refdesk.index.local.kernels import by_words
from refdesk.index.local.kernels.given import Postings, Terms, Wanted
from refdesk.index.local.part import Part
from refdesk.index.local.segment import Passages, Segment, build
from refdesk.index.local.view import View
from refdesk.index.model import Candidate, Statistics, Weighted

Text = dict[str, int]
"""A passage: how often it has each term."""

TERMS = [f"={letter}" for letter in "abcdefghij"]


def segment_of(texts: Sequence[Text], first_key: int) -> Segment:
    count = len(texts)
    terms = [term for text in texts for term in text]
    return build(
        Passages(
            keys=np.arange(first_key, first_key + count),
            documents=[f"document-{key % 7}" for key in range(first_key, first_key + count)],
            versions=np.ones(count, np.int64),
            positions=np.arange(first_key, first_key + count, dtype=np.uint32),
            words=np.array([sum(text.values()) for text in texts], np.uint32),
            digests=np.zeros((count, 16), np.uint8),
            embedded=np.zeros(count, np.bool_),
            vectors=np.zeros((count, 0), np.int8),
            hashes=term_hashes(terms, len(terms)),
            counts=np.array([n for text in texts for n in text.values()], np.uint16),
            terms=np.array([len(text) for text in texts], np.int64),
        )
    )


def view_of(parts: Sequence[Sequence[Text]], dead: Sequence[int]) -> View:
    made, first = [], 1
    for texts in parts:
        made.append(Part.of(segment_of(texts, first)).without(np.array(dead, np.int64)))
        first += len(texts)
    return View(made)


def plainly(
    parts: Sequence[Sequence[Text]], dead: Sequence[int], terms: Sequence[Weighted], statistics: Statistics
) -> list[tuple[float, str, int]]:
    """Every living passage that has a term, best first: the terms' scores summed from the weightiest on."""
    rated = [
        (term.weight * rarity(statistics.passages, statistics.holding[term.term]), term.term)
        for term in terms
    ]
    rated.sort(key=lambda one: -one[0])
    found = []
    for key, text in enumerate((text for texts in parts for text in texts), start=1):
        length = K1 * (1.0 - B + B * sum(text.values()) / statistics.mean_words)
        score = 0.0
        for weight, term in rated:
            if count := text.get(term, 0):
                score += weight * count / (count + length)
        if score > 0 and key not in dead:
            found.append((score, f"document-{key % 7}", key))
    return sorted(found, key=lambda one: (-one[0], *one[1:]))


def found(candidates: Sequence[Candidate]) -> list[tuple[float, str, int]]:
    return [(one.score, one.document, one.position) for one in candidates]


@pytest.fixture(autouse=True)
def _looks_often(loops: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST", "_AT_ONCE", "_PASSED_AT_ONCE"):
        monkeypatch.setattr(f"refdesk.index.local.kernels.by_words.{name}", 5)


TEXTS = st.dictionaries(st.sampled_from(TERMS), st.integers(1, 4), min_size=1, max_size=6)
PARTS = st.lists(st.lists(TEXTS, min_size=1, max_size=20), min_size=1, max_size=3)
WEIGHTS = st.sampled_from([1.0, 0.5, 0.3, 0.1, 0.01])
ASKED = st.lists(st.tuples(st.sampled_from(TERMS), WEIGHTS), min_size=1, max_size=8)


@pytest.mark.req("SRCH1")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=PARTS, asked=ASKED, dead=st.sets(st.integers(1, 40), max_size=6), k=st.integers(1, 8))
def test_the_best_are_those_of_plain_scoring(
    parts: list[list[Text]], asked: list[tuple[str, float]], dead: set[int], k: int
) -> None:
    view = view_of(parts, sorted(dead))
    terms = [Weighted(term, weight, "exact") for term, weight in asked]
    statistics = view.statistics([term.term for term in terms])
    if not statistics.passages:
        return
    expected = plainly(parts, sorted(dead), terms, statistics)
    first = view.keyword(terms, statistics, k, None, None)
    assert found(first) == expected[:k]
    rest = view.keyword(terms, statistics, 100, None, first[-1]) if first else []
    assert found(rest) == expected[k:]


@pytest.mark.req("SRCH1")
def test_numpy_passes_over_postings_of_rows_that_are_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rare term decides here: what all hold is scored in the few rows that it stands in."""
    monkeypatch.setattr(kernels, "scored", by_words.scored)
    parts = [[{"=a": 1} | ({"=b": 1} if row % 100 == 0 else {}) for row in range(1_000)]]
    view = view_of(parts, [])
    terms = [Weighted("=a", 0.1, "exact"), Weighted("=b", 1.0, "exact")]
    statistics = view.statistics(["=a", "=b"])
    expected = plainly(parts, [], terms, statistics)[:5]
    chosen: list[int] = []
    add = by_words._add

    def counted(total: Scores, postings: Postings, terms: Terms, wanted: Wanted, rows: Mask | None) -> None:
        chosen.append(-1 if rows is None else int(rows.sum()))
        add(total, postings, terms, wanted, rows)

    monkeypatch.setattr(by_words, "_add", counted)
    assert found(view.keyword(terms, statistics, 5, None, None)) == expected
    assert chosen == [-1, 10]


def test_terms_that_were_not_counted_just_before_are_looked_up() -> None:
    parts = [[{"=a": 1, "=b": 2}, {"=b": 1}], [{"=c": 1}]]
    view = view_of(parts, [])
    statistics = view.statistics(["=a", "=b", "=c", "=nowhere"])
    for terms in (["=c"], ["=b", "=a"], ["=nowhere", "=c"]):
        asked = [Weighted(term, 1.0, "exact") for term in terms]
        view.statistics(terms[:1])
        expected = plainly(parts, [], asked, statistics)
        assert found(view.keyword(asked, statistics, 9, None, None)) == expected
        assert found(view_of(parts, []).keyword(asked, statistics, 9, None, None)) == expected
