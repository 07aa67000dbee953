"""The demo's questions answered from the demo's documents, by keyword: no weights are needed for it."""

from __future__ import annotations

import gzip
import json
from importlib import resources
from pathlib import Path

import pytest

from refdesk.answer.models import QuotingModel
from refdesk.demo.catalog import packs
from refdesk.demo.make import write
from refdesk.evaluate import evaluate
from refdesk.evaluate.answered import Answers
from refdesk.policy import load_policy
from refdesk.settings import Settings

UNCOVERED = Path(__file__).parents[3] / "benchmarks" / "uncovered" / "demo.txt"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """With the questions that somebody wrote who knows that world, and what its documents lack."""
    place = tmp_path_factory.mktemp("demo")
    for pack in packs():
        (place / "documents" / pack.name).mkdir(parents=True)
        write(pack, place / "documents" / pack.name)
    questions = resources.files("refdesk.demo") / "questions"
    lines = (questions / "queries.jsonl").read_text("utf-8").splitlines()
    written = UNCOVERED.read_text("utf-8").splitlines()
    lines += [json.dumps({"_id": f"w{n}", "text": text}) for n, text in enumerate(written)]
    (place / "queries.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (place / "qrels.tsv").write_text((questions / "qrels.tsv").read_text("utf-8"))
    report = evaluate(
        place,
        mode="keyword",
        model=QuotingModel(),
        policy=load_policy("packs"),
        settings=Settings(cache=place / "cache"),
    )
    assert report.answers is not None
    return report.answers


@pytest.mark.req("A1", "A2", "DEMO1")
def test_every_citation_is_one_that_was_issued(answers: Answers) -> None:
    shares = answers.shares
    assert shares.citations >= shares.covered * 0.9
    assert shares.valid == 1.0
    assert shares.supported is not None
    assert shares.supported >= 0.98


@pytest.mark.req("A3", "RUN2")
def test_what_is_covered_is_answered_and_most_of_the_rest_is_refused(answers: Answers) -> None:
    """By words alone; docs/answers.md has what meaning adds."""
    shares = answers.shares
    assert shares.covered >= 100
    assert shares.uncovered >= 50
    assert shares.answered is not None
    assert shares.refused is not None
    assert shares.answered >= 0.88
    assert shares.refused >= 0.55
    assert shares.holds is not None
    assert shares.holds >= 0.45
