"""Answers held against what a set knows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.unit.evaluate.conftest import MakeSet

from refdesk.answer.model import ChatModel, Completion, Prompt
from refdesk.answer.models import QuotingModel
from refdesk.errors import UsageError
from refdesk.evaluate import evaluate
from refdesk.evaluate.answered import Answered, Answers
from refdesk.evaluate.sets import load_questions
from refdesk.policy import load_policy
from refdesk.settings import Settings

PACKS = load_policy("packs")
LEAVE = "Ask for leave two weeks ahead in the portal. Leave that is not taken lapses in March."
CORPUS = [
    {"_id": "refunds", "title": "Refunds", "text": "The money comes back within ten working days."},
    {"_id": "leave", "title": "Annual leave", "text": LEAVE},
    {"_id": "badge", "title": "Badges", "text": "A lost badge costs 15 euros. Report it at the gate."},
]
BADGE = {"_id": "q1", "text": "What does a lost badge cost?"}
TOWER = {"_id": "q2", "text": "How tall is the lighthouse of Alexandria?"}


class Saying:
    name = "saying"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    def complete(self, prompt: Prompt) -> Completion:
        return Completion(self.texts.pop(0), 10, 5, 0.25)


def asked(folder: Path, tmp_path: Path, model: ChatModel | None = None, policy: str = "packs") -> Answers:
    report = evaluate(
        folder,
        mode="keyword",
        model=model or QuotingModel(),
        policy=load_policy(policy),
        settings=Settings(cache=tmp_path / "cache"),
    )
    assert report.answers is not None
    assert report.to_dict()["answers"] == report.answers.to_dict()
    return report.answers


def test_queries_without_qrels_are_to_be_refused(make_set: MakeSet, tmp_path: Path) -> None:
    answers = asked(make_set(CORPUS, [BADGE, TOWER], [("q1", "badge", 1)]), tmp_path)
    table = answers.to_dict()
    assert table.pop("p50_ms", 0) > 0  # type: ignore[operator]
    assert table == {
        "model": "quoting",
        "covered": 1,
        "answered": 1.0,
        "uncovered": 1,
        "refusal_accuracy": 1.0,
        "citations": 1,
        "citation_validity": 1.0,
        "citations_supported": 1.0,
        "cited_passage_contains_answer": 1.0,
        "cost": 0.0,
    }


def test_a_number_that_was_not_issued_counts_against_validity(make_set: MakeSet, tmp_path: Path) -> None:
    folder = make_set(CORPUS, [BADGE], [("q1", "badge", 1)])
    shares = asked(folder, tmp_path, Saying("A lost badge costs 15 euros [1][7]. It does [8].")).shares
    assert (shares.citations, shares.valid) == (3, pytest.approx(1 / 3))


def test_an_answer_that_cites_nothing_twice_is_a_refusal(make_set: MakeSet, tmp_path: Path) -> None:
    folder = make_set(CORPUS, [BADGE], [("q1", "badge", 1)])
    shares = asked(folder, tmp_path, Saying("15 euros.", "15 euros, as I said.")).shares
    assert (shares.answered, shares.holds, shares.valid) == (0.0, None, None)


@pytest.mark.parametrize(
    ("known", "holds"),
    [
        ({"references": [{"corpus_id": "badge", "start": 0, "end": 28}]}, True),
        ({"references": [{"corpus_id": "leave", "start": 0, "end": 28}]}, False),
        ({"answers": ["fifteen euros", "15  EUROS"]}, True),
        ({"answers": ["20 euros"]}, False),
        ({}, True),
    ],
    ids=["span", "span elsewhere", "wording", "wording elsewhere", "document"],
)
def test_what_a_set_knows_of_its_answers_judges_the_cited_passage(
    make_set: MakeSet, tmp_path: Path, known: dict[str, object], holds: bool
) -> None:
    folder = make_set(CORPUS, [{**BADGE, **known}], [("q1", "badge", 1)])
    assert asked(folder, tmp_path, Saying("It costs 15 euros [1].")).shares.holds == holds


def test_a_question_that_the_policy_does_not_take_is_not_answered(make_set: MakeSet, tmp_path: Path) -> None:
    folder = make_set(CORPUS, [BADGE, {"_id": "q3", "text": "badge " * 100}], [("q1", "badge", 1)])
    shares = asked(folder, tmp_path, policy="voice").shares
    assert (shares.uncovered, shares.refused) == (1, 1.0)


def test_types_have_shares_of_their_own() -> None:
    def one(kind: str | None, answered: bool) -> Answered:
        return Answered(covered=True, answered=answered, took_ms=1.0, type=kind)

    each: Sequence[Answered] = [one("far", True), one("near", False), one("far", False), one(None, True)]
    by_type = Answers("quoting", each).by_type
    assert {name: shares.answered for name, shares in by_type.items()} == {"far": 0.5, "near": 0.0}


@pytest.mark.parametrize("answers", ["15 euros", [15], [""]])
def test_answers_are_strings(make_set: MakeSet, answers: object) -> None:
    folder = make_set(CORPUS, [{**BADGE, "answers": answers}], [("q1", "badge", 1)])
    with pytest.raises(UsageError, match="line 1: answers is no list of strings"):
        load_questions(folder)
