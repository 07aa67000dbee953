"""What every engine must do, held against the reference: BM25 and cosines computed one passage at a time.

An engine joins by its name in ``ENGINES``.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refdesk.errors import Failed
from refdesk.index.bm25 import bm25
from refdesk.index.local import LocalIndex, open_baked
from refdesk.index.model import (
    DIGEST,
    LANGUAGES,
    Candidate,
    Entry,
    Index,
    Searchable,
    Statistics,
    Weighted,
)


class BakedCopy:
    """Writes to a local index, and bakes it anew for each question."""

    def __init__(self, folder: Path) -> None:
        self._index = LocalIndex(folder)
        self._bakes = folder.with_name(f"{folder.name}-bakes")
        self._count = 0

    def __getattr__(self, name: str) -> Any:
        if not hasattr(Searchable, name) or name == "close":
            return getattr(self._index, name)
        self._count += 1
        folder = self._bakes / str(self._count)
        self._index.bake(folder)
        return getattr(open_baked(folder), name)


ENGINES: dict[str, Callable[[Path], Index]] = {"local": LocalIndex, "baked": BakedCopy}
DIMENSIONS = 16
EVERYTHING = 1_000
NEAR = 0.01
"""A byte a dimension may move a cosine by so much."""

Held = dict[tuple[str, int], list[Entry]]
Found = list[tuple[str, int, int]]


@pytest.fixture(params=ENGINES)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    engine = ENGINES[request.param](tmp_path / "base")
    yield engine
    engine.destroy()


def vector_of(text: str) -> np.ndarray:
    seed = int.from_bytes(sha256(text.encode()).digest()[:4], "little")
    vector = np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)
    return vector / np.linalg.norm(vector)


def entry(position: int, words: str, *, embedded: bool = True) -> Entry:
    return Entry(
        position=position,
        text=words,
        section="Part 1",
        page=position + 1,
        start=position * 10,
        end=position * 10 + len(words),
        digest=sha256(words.encode()).digest()[:16],
        terms=Counter(f"={word}" for word in words.split()),
        words=len(words.split()),
        vector=vector_of(words) if embedded else None,
    )


def entries(*texts: str) -> list[Entry]:
    return [entry(i, text) for i, text in enumerate(texts, 1)]


def asked(*words: str) -> list[Weighted]:
    return [Weighted(f"={word}", 1.0, "exact") for word in words]


def reference_statistics(held: Held, terms: Sequence[str]) -> Statistics:
    every = [one for version in held.values() for one in version]
    holding = {term: sum(term in one.terms for one in every) for term in terms}
    return Statistics(len(every), sum(one.words for one in every), holding)


def ranked(scores: dict[tuple[str, int, int], float]) -> list[tuple[tuple[str, int, int], float]]:
    """Best first; equal scores by document, then position, then version."""
    return sorted(scores.items(), key=lambda item: (-item[1], item[0][0], item[0][2], item[0][1]))


def reference_keyword(held: Held, terms: Sequence[Weighted], statistics: Statistics) -> Found:
    scores = {
        (document, version, one.position): bm25(terms, one.terms, one.words, statistics)
        for (document, version), every in held.items()
        for one in every
    }
    return [(*place, pytest.approx(score)) for place, score in ranked(scores) if score > 0]


def found(candidates: Sequence[Candidate]) -> list[tuple[str, int, int, float]]:
    return [(one.document, one.version, one.position, one.score) for one in candidates]


def fill(index: Index, held: Held) -> None:
    for (document, version), every in held.items():
        index.put(document, version, every)


WORDS = ("refund", "return", "policy", "parcel")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
HELD = st.dictionaries(
    st.tuples(st.sampled_from(["a", "b", "é"]), st.integers(1, 2)),
    st.lists(TEXTS, min_size=1, max_size=4).map(lambda texts: entries(*texts)),
    max_size=5,
)
ASKED = st.lists(
    st.builds(
        Weighted,
        st.sampled_from(["=refund", "=return", "=policy", "=nowhere"]),
        st.sampled_from([1.0, 0.5, 0.1]),
        st.just("exact"),
    ),
    max_size=4,
)


@pytest.mark.req("SRCH1")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=HELD, terms=ASKED)
def test_keyword_is_bm25_over_the_statistics(index: Index, held: Held, terms: list[Weighted]) -> None:
    index.destroy()
    fill(index, held)
    names = [term.term for term in terms]
    statistics = index.statistics(names)
    assert statistics == reference_statistics(held, names)
    expected = reference_keyword(held, terms, statistics)
    assert found(index.keyword(terms, statistics, EVERYTHING)) == expected
    assert found(index.keyword(terms, statistics, 2)) == expected[:2]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=HELD, asked_for=TEXTS)
def test_nearest_is_by_cosine(index: Index, held: Held, asked_for: str) -> None:
    index.destroy()
    fill(index, held)
    vector = vector_of(asked_for)
    cosines = {
        (document, version, one.position): float(one.vector @ vector)
        for (document, version), every in held.items()
        for one in every
    }
    near = index.nearest(vector, EVERYTHING)
    assert [one.score for one in near] == pytest.approx([score for _, score in ranked(cosines)], abs=NEAR)
    for one in near:
        assert one.score == pytest.approx(cosines[one.document, one.version, one.position], abs=NEAR)


@pytest.mark.parametrize("half", ["keyword", "nearest"])
def test_a_list_goes_on_behind_a_candidate(index: Index, half: str) -> None:
    texts = ["refund"] * 5 + ["refund policy", "policy"] * 3
    for document in "cab":
        index.put(document, 1, entries(*texts))
    terms = asked("refund", "policy")
    statistics = index.statistics([term.term for term in terms])

    def page(k: int, after: Candidate | None = None) -> list[Candidate]:
        if half == "keyword":
            return index.keyword(terms, statistics, k, after=after)
        return index.nearest(vector_of("refund"), k, after=after)

    paged = page(4)
    while more := page(4, paged[-1]):
        paged += more
    assert paged == page(EVERYTHING)
    assert len(paged) == 33


def test_equal_scores_are_in_order_of_document_and_position(index: Index) -> None:
    for document in ("b", "a", "c"):
        index.put(document, 1, entries("refund", "refund"))
    places = [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 1), ("c", 2)]
    terms = asked("refund")
    by_keyword = index.keyword(terms, index.statistics(["=refund"]), 4)
    assert [(one.document, one.position) for one in by_keyword] == places[:4]
    assert [(one.document, one.position) for one in index.nearest(vector_of("refund"), 4)] == places[:4]


def test_scores_compare_across_bases_by_summed_statistics(index: Index) -> None:
    held: Held = {("a", 1): entries("refund policy", "return")}
    fill(index, held)
    statistics = index.statistics(["=refund"])
    statistics.add(Statistics(100, 1000, {"=refund": 40}))
    assert statistics == Statistics(102, 1003, {"=refund": 41})
    expected = reference_keyword(held, asked("refund"), statistics)
    assert found(index.keyword(asked("refund"), statistics, 5)) == expected


@pytest.mark.req("ING4")
def test_a_version_stands_beside_the_old_one_until_that_is_dropped(index: Index) -> None:
    index.put("a", 1, entries("old refund"))
    index.put("a", 2, entries("new refund"))
    statistics = index.statistics(["=refund"])
    both = index.keyword(asked("refund"), statistics, 5)
    assert [one.version for one in both] == [1, 2]
    index.drop("a", below=2)
    left = index.keyword(asked("refund", "old"), index.statistics(["=refund", "=old"]), 5)
    assert [one.version for one in left] == [2]
    assert index.statistics(["=old"]) == Statistics(1, 2, {"=old": 0})
    assert index.document("a", 1) == []
    index.drop("a")
    index.drop("a")
    assert index.statistics(["=refund"]) == Statistics(0, 0, {"=refund": 0})
    assert index.nearest(vector_of("new refund"), 5) == []


def test_putting_a_version_again_replaces_it(index: Index) -> None:
    index.put("a", 1, entries("refund", "return", "policy"))
    index.put("a", 1, entries("parcel"))
    assert [one.text for one in index.document("a", 1)] == ["parcel"]
    assert index.statistics(["=refund", "=parcel"]) == Statistics(1, 1, {"=refund": 0, "=parcel": 1})


@pytest.mark.req("ING2")
def test_a_put_that_fails_leaves_the_old_version(index: Index) -> None:
    index.put("a", 1, entries("refund"))
    twice = [entry(1, "one"), entry(1, "two")]
    with pytest.raises(Failed):
        index.put("a", 1, twice)
    assert [one.text for one in index.document("a", 1)] == ["refund"]
    assert index.statistics(["=refund", "=one"]) == Statistics(1, 1, {"=refund": 1, "=one": 0})


def test_scores_after_a_delete_equal_a_fresh_index(index: Index, tmp_path: Path) -> None:
    index.put("a", 1, entries("refund policy", "return policy", "policy"))
    index.put("b", 1, entries("refund refund", "return"))
    index.drop("a")
    fresh = type(index)(tmp_path / "fresh")
    fresh.put("b", 1, entries("refund refund", "return"))
    terms = asked("refund", "policy", "return")
    names = [term.term for term in terms]
    assert index.statistics(names) == fresh.statistics(names)
    statistics = fresh.statistics(names)
    assert found(index.keyword(terms, statistics, 9)) == found(fresh.keyword(terms, statistics, 9))
    fresh.destroy()


def test_passages_are_kept_as_they_were_put(index: Index) -> None:
    put = [entry(1, "refund"), replace(entry(2, "return é 猫 \n x"), page=None, section="")]
    index.put("a", 3, put)
    kept = index.document("a", 3)
    assert [(one.position, one.text, one.section, one.page, one.start, one.end) for one in kept] == [
        (one.position, one.text, one.section, one.page, one.start, one.end) for one in put
    ]
    assert {(one.document, one.version) for one in kept} == {("a", 3)}
    candidates = index.nearest(vector_of("refund"), 2)
    assert [one.digest for one in candidates] == [put[0].digest, put[1].digest]
    assert index.stored([one.key for one in candidates]) == {
        one.key: kept[one.position - 1] for one in candidates
    }
    assert index.stored([]) == {}


@pytest.mark.req("W9")
def test_equal_texts_are_found_in_every_document(index: Index) -> None:
    index.put("b", 1, entries("refund", "policy"))
    index.put("a", 2, entries("return", "refund"))
    text = entry(1, "refund").digest[: DIGEST // 2]
    stored, same = index.issued([(text, None), (bytes(DIGEST // 2), None)])
    assert stored == {}
    assert [(one.document, one.version, one.position) for one in same] == [("a", 2, 2), ("b", 1, 1)]
    assert {one.digest[: DIGEST // 2] for one in same} == {text}
    first, last = (one.key for one in same)
    assert index.issued([(text, last)]) == (index.stored([last]), same)
    assert index.issued([(text, first + last)]) == ({}, same)
    assert index.issued([]) == ({}, [])


@pytest.mark.req("ING6")
def test_vectors_are_found_again_by_digest_and_put_back_unchanged(index: Index) -> None:
    one, two, three = entries("refund", "return", "policy")
    index.put("a", 1, [one, two, replace(three, vector=None)])
    known = index.vectors([one.digest, two.digest, three.digest, bytes(16)])
    assert set(known) == {one.digest, two.digest}
    assert float(known[one.digest] @ one.vector) == pytest.approx(1, abs=NEAR)
    assert float(np.linalg.norm(known[one.digest])) == pytest.approx(1)
    index.put("b", 1, [replace(one, vector=known[one.digest])])
    index.drop("a")
    assert np.array_equal(index.vectors([one.digest])[one.digest], known[one.digest])


def test_a_passage_without_a_vector_is_found_by_keyword_alone(index: Index) -> None:
    index.put("a", 1, [entry(1, "refund", embedded=False), entry(2, "return")])
    assert [one.position for one in index.nearest(vector_of("refund"), 5)] == [2]
    by_keyword = index.keyword(asked("refund"), index.statistics(["=refund"]), 5)
    assert [one.position for one in by_keyword] == [1]


@pytest.mark.req("ING7")
def test_vectors_of_another_length_are_refused_and_not_compared(index: Index) -> None:
    index.put("a", 1, entries("refund"))
    other = replace(entry(1, "return"), vector=np.ones(DIMENSIONS + 1, np.float32))
    with pytest.raises(Failed, match=f"{DIMENSIONS + 1} dimensions"):
        index.put("b", 1, [other])
    assert index.nearest(np.ones(DIMENSIONS + 1, np.float32), 5) == []
    index.turn_to("another")
    assert index.nearest(vector_of("refund"), 5) == []
    assert index.vectors([entry(1, "refund").digest]) == {}
    assert index.statistics(["=refund"]) == Statistics(1, 1, {"=refund": 1})
    index.put("b", 1, [other])
    assert [one.document for one in index.nearest(np.ones(DIMENSIONS + 1, np.float32), 5)] == ["b"]


@pytest.mark.req("ING6")
def test_vectors_of_a_model_that_the_base_turned_from_are_kept_and_come_back(index: Index) -> None:
    refund, policy = entry(1, "refund"), entry(2, "policy")
    index.put("a", 1, [refund, policy], "first")
    assert index.settings()["fingerprint"] == "first"
    index.turn_to("second")
    assert index.vectors([refund.digest]) == {}
    assert index.kept("second", [refund.digest]) == {}
    with pytest.raises(Failed) as caught:
        index.put("a", 1, [refund], "first")
    assert caught.value.code == "embedding_changed"
    index.put("a", 1, [refund, replace(policy, vector=vector_of("other"))], "second")
    index.turn_to(None)
    assert "fingerprint" not in index.settings()
    with pytest.raises(Failed):
        index.put("a", 1, [refund], "first")
    index.put("a", 1, entries("refund"))
    index.turn_to("first")
    back = index.kept("first", [refund.digest, policy.digest, entry(3, "return").digest])
    assert set(back) == {refund.digest, policy.digest}
    assert np.allclose(back[policy.digest], policy.vector, atol=NEAR)
    index.turn_to("first")
    assert set(index.kept("second", [refund.digest, policy.digest])) == set(back), "turning twice loses none"


@pytest.mark.req("DOC7", "ING6")
def test_kept_vectors_go_with_their_document_and_with_the_text_that_they_are_of(index: Index) -> None:
    refund, policy = entry(1, "refund"), entry(2, "policy")
    for document in ("a", "b"):
        index.keep(
            document, "model", {refund.digest: vector_of("refund"), policy.digest: vector_of("policy")}
        )
    index.put("a", 1, [refund])
    index.put("a", 2, [refund])
    index.drop("a", below=2)
    index.drop("b")
    assert set(index.kept("model", [refund.digest, policy.digest])) == {refund.digest}
    index.put("a", 2, [refund], "model")
    assert index.kept("model", [refund.digest]) == {}, "they stand with their passage now"
    index.keep("a", "model", {policy.digest: vector_of("policy")})
    index.drop("a")
    assert index.kept("model", [policy.digest]) == {}


@pytest.mark.req("DOC7")
def test_what_a_check_raises_leaves_nothing_and_nobody_drops_after_it_and_before_the_put(
    index: Index, tmp_path: Path
) -> None:
    def refuse() -> None:
        raise Failed("The document is another's.")

    one = entry(1, "refund")
    index.put("a", 1, entries("policy"))
    with pytest.raises(Failed):
        index.put("a", 1, [one], check=refuse)
    with pytest.raises(Failed):
        index.keep("a", "model", {one.digest: vector_of("refund")}, check=refuse)
    assert [stored.text for stored in index.document("a", 1)] == ["policy"]
    assert index.kept("model", [one.digest]) == {}

    dropping = Thread(target=type(index)(tmp_path / "base").drop, args=("a",))

    def check() -> None:
        dropping.start()
        dropping.join(0.2)

    index.put("a", 1, [one], check=check)
    dropping.join()
    assert index.document("a", 1) == []


@pytest.mark.req("W2", "DOC7")
def test_languages_are_counted_for_what_is_held(index: Index) -> None:
    def counted() -> dict[str, int]:
        return dict(json.loads(index.settings().get(LANGUAGES, "{}")))

    index.put("a", 1, entries("refund"), languages=["english", "german"])
    index.put("b", 1, entries("policy"), languages=["german"])
    assert counted() == {"english": 1, "german": 2}
    index.put("b", 1, entries("policy"), languages=["german"])
    assert counted() == {"english": 1, "german": 2}, "put again, it votes once"
    index.put("a", 2, entries("refund"), languages=["french"])
    assert counted() == {"english": 1, "german": 2, "french": 1}
    index.drop("a", below=2)
    assert counted() == {"german": 1, "french": 1}
    index.drop("b")
    index.drop("nobody")
    assert counted() == {"french": 1}
    index.put("a", 2, entries("refund"))
    assert counted() == {}


def test_of_two_that_put_at_once_no_vote_is_lost(index: Index) -> None:
    def put(number: int) -> None:
        for version in (1, 2, 3):
            index.put(f"document {number}", version, entries("refund"), languages=["english"])
            index.drop(f"document {number}", below=version)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(put, range(12)))
    assert json.loads(index.settings()[LANGUAGES]) == {"english": 12}


@pytest.mark.req("SRCH4")
def test_a_deadline_that_has_passed(index: Index) -> None:
    index.put("a", 1, entries("refund", "return"))
    past = time.monotonic() - 1
    with pytest.raises(TimeoutError):
        index.nearest(vector_of("refund"), 5, deadline=past)
    late = index.keyword(asked("refund"), index.statistics(["=refund"]), 5, deadline=past)
    assert [one.position for one in late] == [1]
    assert len(index.nearest(vector_of("refund"), 5, deadline=time.monotonic() + 60)) == 2


def test_settings_stay_beside_the_passages(index: Index) -> None:
    assert index.settings().get("analyzer") is None
    index.set_setting("analyzer", "1")
    index.put("a", 1, entries("refund"))
    index.set_setting("analyzer", "2")
    index.close()
    assert index.settings().get("analyzer") == "2"
    index.set_setting("analyzer", None)
    assert index.settings().get("analyzer") is None


def test_an_index_that_is_not_there_finds_nothing(index: Index) -> None:
    assert index.statistics(["=refund"]) == Statistics(0, 0, {"=refund": 0})
    assert index.keyword(asked("refund"), Statistics(), 5) == []
    assert index.nearest(vector_of("refund"), 5) == []
    assert index.stored([1]) == {}
    assert index.issued([(bytes(DIGEST // 2), 1)]) == ({}, [])
    assert index.document("a", 1) == []
    assert index.vectors([bytes(16)]) == {}
    index.drop("a")
    index.tidy()
    assert index.kept("model", [bytes(16)]) == {}
    index.turn_to("model")


def test_destroying_leaves_nothing_and_the_index_can_be_made_again(index: Index) -> None:
    index.put("a", 1, entries("refund"))
    index.destroy()
    index.destroy()
    assert index.statistics([]).passages == 0
    index.put("a", 1, entries("return"))
    assert index.statistics(["=refund"]) == Statistics(1, 1, {"=refund": 0})


def test_tidying_changes_nothing_that_is_found(index: Index) -> None:
    index.put("a", 1, entries("refund policy", "return"))
    index.put("b", 1, entries("refund", "parcel"))
    index.drop("a")
    terms = asked("refund", "parcel")
    statistics = index.statistics(["=refund", "=parcel"])
    before = index.keyword(terms, statistics, 5), index.nearest(vector_of("refund"), 5)
    index.tidy()
    assert index.statistics(["=refund", "=parcel"]) == statistics
    assert (index.keyword(terms, statistics, 5), index.nearest(vector_of("refund"), 5)) == before
