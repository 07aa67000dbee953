"""Slots decide who is in, one score decides the order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.search.fusion import QuestionShape, fuse, members

PLAIN = QuestionShape(identifier=False, idf=10.0)
NAMED = QuestionShape(identifier=True, idf=10.0)

halves = st.dictionaries(st.integers(0, 40), st.floats(0.01, 10, allow_nan=False), max_size=30).map(
    lambda found: dict(sorted(found.items(), key=lambda item: -item[1]))
)


@pytest.mark.req("SRCH1", "W11")
@given(halves, halves, st.integers(1, 20), st.booleans())
def test_the_first_k_hold_each_halfs_best(
    keyword: dict[int, float], meaning: dict[int, float], k: int, named: bool
) -> None:
    found = fuse(keyword, meaning, NAMED if named else PLAIN, k)
    keys = [key for key, _ in found]
    assert len(keys) == len(set(keys)) == min(k, len({**keyword, **meaning}))
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    slots = 1 if k <= 5 else 2 if k <= 7 else k // 2
    if k > 1:
        assert set(list(keyword)[:slots]) <= set(keys)
        assert set(list(meaning)[:slots]) <= set(keys)


@pytest.mark.req("W11")
def test_from_eight_on_the_halves_alternate() -> None:
    keyword, meaning = list("abcdefgh"), list("stuvwxyz")
    assert members(keyword, meaning, keyword, 8) == list("asbtcudv")
    assert members(keyword, meaning, keyword, 6) == list("asbtcd")
    assert members(keyword, meaning, keyword, 5) == list("asbcd")


def test_one_half_alone_keeps_its_order() -> None:
    keyword = {"a": 3.0, "b": 2.0, "c": 1.0}
    assert [key for key, _ in fuse(keyword, {}, PLAIN, 3)] == ["a", "b", "c"]
    assert [key for key, _ in fuse({}, keyword, PLAIN, 3)] == ["a", "b", "c"]


def test_found_by_both_comes_before_found_by_one_alike() -> None:
    found = fuse({"both": 5.0, "words": 5.0, "low": 1.0}, {"both": 0.8, "low": 0.5}, PLAIN, 3)
    assert [key for key, _ in found] == ["both", "words", "low"]


def test_where_the_model_cannot_read_the_question_keyword_has_the_order_and_meaning_its_slot() -> None:
    keyword = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.9}
    unread = QuestionShape(identifier=False, idf=10.0, readable=False)
    assert [key for key, _ in fuse(keyword, {"m": 0.9, "d": 0.8}, unread, 4)] == ["a", "b", "c", "m"]


def test_words_that_meet_by_chance_in_a_foreign_language_do_not_lead() -> None:
    keyword, meaning = {"chance": 9.0, "right": 1.0}, {"right": 0.9, "other": 0.6, "chance": 0.5}
    foreign = QuestionShape(identifier=False, idf=10.0, foreign=True)
    assert next(key for key, _ in fuse(keyword, meaning, PLAIN, 3)) == "chance"
    assert next(key for key, _ in fuse(keyword, meaning, foreign, 3)) == "right"
