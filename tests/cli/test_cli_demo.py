"""``demo``: from nothing to cited answers whose cited passage holds the answer."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys

import pytest

from refdesk.demo.catalog import SHOWN

ANSWERS = {
    "interface-specialist": ("check tree and format version", {"fds-fi-022-payment-files.md"}),
    "incident-analyst": (
        "takes the smaller one",
        {"inc0047951-lock-table-overflow-after-kernel.md"},
    ),
    "month-end-assistant": ("the close coordinator and the duty manager", {"month-end-close.pdf"}),
}


@pytest.mark.req("DEMO1", "DEMO2")
def test_the_answers_are_cited_and_a_second_run_finds_all_in_place(run):
    result = run("demo", "--no-serve", "--json")
    assert result.code == 0
    assert "62 documents found by keyword after" in result.err
    document = result.document
    assert set(document) == {"packs", "documents", "passages", "seconds", "answers"}
    assert (document["packs"], document["documents"]) == (11, 62)
    for answer, shown in zip(document["answers"], SHOWN, strict=True):
        wording, cited = ANSWERS[shown.agent]
        assert set(answer) == {"question", "answer", "citations"}
        assert answer["question"] == shown.question
        assert wording in answer["answer"]
        assert cited <= {citation["name"] for citation in answer["citations"]}
    again = run("demo", "--no-serve")
    assert again.code == 0
    assert all(f"{shown.agent}: {shown.question}" in again.out for shown in SHOWN)
    assert all(wording in again.out for wording, _ in ANSWERS.values())
    assert "search is by keyword" in again.out  # there are no weights here
    assert "Refdesk serves" not in again.err
    onwards = again.out.strip().splitlines()[-1].removeprefix("Ask on: refdesk ")
    assert run(*shlex.split(onwards)).code == 0


@pytest.mark.req("DEMO2")
def test_seed_loads_restores_and_resets(run):
    result = run("seed", "--json")
    assert result.code == 0
    assert set(result.document) == {"packs", "documents", "passages", "agents", "seconds"}
    assert (result.document["packs"], result.document["agents"]) == (11, 16)
    assert run("delete", "--base", "sap-operations-runbooks").code == 0
    run("agents", "update", "figure-describer", "--grounding", "required")
    said = run("seed")
    assert said.code == 0
    assert "11 packs, 62 documents" in said.out
    assert "16 agents" in said.out
    assert run("agents", "show", "figure-describer", "--json").document["grounding"] == "open"
    first = run("bases", "--json").document["items"]
    assert run("seed", "--reset").code == 0
    second = run("bases", "--json").document["items"]
    assert [base["name"] for base in first] != []
    assert {base["name"] for base in first} == {base["name"] for base in second}
    assert not {base["id"] for base in first} & {base["id"] for base in second}


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
