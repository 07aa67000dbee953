"""The question set over the corpus, as ``refdesk eval`` reads it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from refdesk import demo
from refdesk.demo.catalog import packs, sources
from refdesk.evaluate import evaluate
from refdesk.evaluate.sets import Query, load_questions
from refdesk.policy import load_policy
from refdesk.settings import Settings

HERE = Path(demo.__file__).parent
TYPES = {"code", "paraphrase", "dates", "table", "two", "version", "uncovered"}
SET = load_questions(HERE / "questions")
QUESTIONS = SET.queries
TEXTS = {
    f"{pack.name}/{source.name}": " ".join(source.body.split())
    for pack in packs()
    for source in sources(pack)
}


@pytest.mark.req("DEMO1")
def test_there_are_enough_of_each_kind() -> None:
    kinds = Counter(question.type for question in QUESTIONS)
    assert kinds.keys() == TYPES
    assert kinds.total() >= 120
    assert kinds["uncovered"] >= 20
    assert min(kinds.values()) >= 14
    assert len({question.text.casefold() for question in QUESTIONS}) == len(QUESTIONS)
    asked = {document for judged in SET.qrels.values() for document in judged}
    assert len({document.split("/")[0] for document in asked}) == 4
    assert len(asked) >= 45  # of 55: not a few documents asked over and over


def test_the_page_counts_them_right() -> None:
    page = (Path(__file__).parents[3] / "docs" / "demo.md").read_text("utf-8")
    for kind, number in Counter(question.type for question in QUESTIONS).items():
        assert f"| `{kind}` | {number} |" in page
    assert f"holds {len(QUESTIONS)} questions" in page


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_each_document_holds_its_answer(question: Query) -> None:
    documents = list(SET.qrels.get(question.id, {}))
    assert bool(documents) == (question.type != "uncovered")
    assert (len(documents) == 2) == (question.type == "two")
    for document, answer in zip(documents, question.answers, strict=True):
        assert answer in TEXTS[document]
        assert not set("*`|") & set(answer)  # marks of Markdown, which an answer may leave out


@pytest.mark.req("DEMO1")
def test_eval_reads_the_set_and_finds_by_keyword_alone_what_is_asked(tmp_path: Path) -> None:
    report = evaluate(
        HERE / "questions",
        documents=HERE / "packs",
        mode="keyword",
        policy=load_policy("packs"),
        settings=Settings(cache=tmp_path),
    )
    assert report.notes == ()
    assert report.means.queries == len(SET.qrels)
    assert set(report.by_type) == TYPES - {"uncovered"}
    assert report.means.recall[8] >= 0.9
