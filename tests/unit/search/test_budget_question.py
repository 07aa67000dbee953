from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.errors import Refusal, UsageError
from refdesk.policy import load_policy
from refdesk.search.budget import cut_at_sentence, within
from refdesk.search.question import checked_min_score, checked_question, checked_top_k

PACKS = load_policy("packs").search
VOICE = load_policy("voice").search


@pytest.mark.req("SRCH3", "D9")
def test_whole_passages_within_the_budget_best_first() -> None:
    texts = ["a" * 1_000, "b" * 1_500, "c" * 900, "d" * 500, "e" * 10]
    assert [(index, len(text), cut) for index, text, cut in within(texts, 4, 2_400)] == [
        (0, 1_000, False),
        (2, 900, False),
        (3, 500, False),
    ]


@pytest.mark.req("D9")
def test_a_first_passage_over_the_budget_is_cut_at_a_sentence() -> None:
    text = "One sentence stands here. " * 10
    assert list(within([text, "Fits.", "Does not fit."], 4, 60)) == [
        (0, "One sentence stands here. One sentence stands here.", True),
        (1, "Fits.", False),
    ]


@given(st.text(max_size=80), st.integers(1, 60))
def test_a_cut_is_a_beginning_and_fits(text: str, most: int) -> None:
    cut = cut_at_sentence(text, most)
    assert text.startswith(cut)
    assert len(cut) <= most


def test_without_a_budget_the_first_k() -> None:
    assert [index for index, _, _ in within(["x"] * 9, 3, None)] == [0, 1, 2]


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("question", "policy", "code"),
    [
        ("", PACKS, "empty_question"),
        (" \n ", PACKS, "empty_question"),
        ("?!… ---", PACKS, "empty_question"),
        ("\x00", PACKS, "empty_question"),
        ("a", VOICE, "question_too_short"),
        ("  a  ", VOICE, "question_too_short"),
        ("x" * 501, VOICE, "question_too_long"),
        ("x" * 2_001, PACKS, "question_too_long"),
    ],
)
def test_questions_that_are_refused(question: str, policy: object, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        checked_question(question, policy)  # type: ignore[arg-type]
    assert caught.value.code == code


@pytest.mark.req("W8")
def test_questions_that_are_accepted() -> None:
    assert checked_question("  x  ", PACKS) == "x"
    assert checked_question("料", PACKS) == "料"
    assert checked_question(" ab\x00c\ud800 ", VOICE) == "abc"
    assert len(checked_question(" " * 50 + "x" * 500 + " " * 50, VOICE)) == 500


@pytest.mark.req("SRCH3")
@pytest.mark.parametrize("top_k", [0, -1, 9, 1_000])
def test_top_k_outside_the_policy_is_refused_not_clamped(top_k: int) -> None:
    with pytest.raises(UsageError) as caught:
        checked_top_k(top_k, PACKS)
    assert (caught.value.code, caught.value.limit, caught.value.actual) == ("top_k_out_of_range", 8, top_k)


@pytest.mark.req("H6")
def test_min_score_needs_scores() -> None:
    assert checked_min_score(0.3, "hybrid", PACKS) == 0.3
    assert checked_min_score(None, "keyword", PACKS) is None
    with pytest.raises(UsageError) as caught:
        checked_min_score(0.3, "keyword", PACKS)
    assert (caught.value.code, caught.value.status) == ("min_score_with_keyword", 422)
    with pytest.raises(UsageError):
        checked_min_score(1.2, "meaning", PACKS)
