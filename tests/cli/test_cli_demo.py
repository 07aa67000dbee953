"""``demo``: from nothing to cited answers whose cited passage holds the answer."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys

import pytest

from refdesk.demo.catalog import questions


@pytest.fixture(scope="module")
def shown():
    return [question for question in questions() if question.shown]


def test_every_cited_passage_holds_its_answer(run, shown):
    result = run("demo", "--no-serve", "--json")
    assert result.code == 0
    document = result.document
    assert set(document) == {"packs", "documents", "passages", "seconds", "answers"}
    assert document["packs"] == 3
    assert document["documents"] >= 8
    assert [answer["question"] for answer in document["answers"]] == [question.text for question in shown]
    for answer, question in zip(document["answers"], shown, strict=True):
        assert set(answer) == {"question", "answer", "citations"}
        assert question.answer in answer["answer"]
        assert question.document in [citation["name"] for citation in answer["citations"]]


def test_a_person_sees_it_and_is_told_how_to_go_on(run, shown):
    said = run("demo", "--no-serve")
    assert said.code == 0
    assert all(question.text in said.out and question.answer in said.out for question in shown)
    assert "search is by keyword" in said.out  # there are no weights here
    assert "server" not in said.out
    onwards = said.out.strip().splitlines()[-1].removeprefix("Go on: refdesk ")
    assert run(*shlex.split(onwards)).code == 0


def test_without_no_serve_it_goes_on_as_a_server(run):
    run("demo", "--no-serve")
    with subprocess.Popen(
        [sys.executable, "-m", "refdesk", "demo", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as demo:
        said = next((line for line in demo.stderr if "Refdesk serves http" in line), None)
        demo.send_signal(signal.SIGTERM)
        document = json.loads(demo.stdout.read())
    assert said is not None
    assert demo.returncode == 0
    items = run("bases", "--json").document["items"]
    assert sum(base["documents"] for base in items) == document["documents"]
