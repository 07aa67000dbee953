"""``eval``: a small set whose measures are known."""

from __future__ import annotations

import json

import pytest

KEYS = {
    "queries", "ndcg_at_10", "recall_at_10", "recall_at_8", "mrr_at_10", "p50_ms", "p95_ms", "passages",
    "ingest_seconds",
}  # fmt: skip


@pytest.fixture
def judged(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    texts = {"a": "Refunds arrive within 14 days.", "b": "Lamps have a warranty.", "c": "The gate is closed."}
    queries = {"q1": "when do refunds arrive", "q2": "warranty of lamps", "q3": "what is closed"}
    (folder / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": key, "title": "", "text": text}) + "\n" for key, text in texts.items())
    )
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": key, "text": text}) + "\n" for key, text in queries.items())
    )
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\nq3\tb\t1\n")
    return folder


def test_eval_prints_the_contract_s_shape(run, judged, tmp_path):
    result = run("eval", judged, "--mode", "keyword", "--json")
    assert result.code == 0
    document = result.document
    assert set(document) == KEYS
    assert (document["queries"], document["passages"]) == (3, 3)
    assert document["recall_at_10"] == pytest.approx(
        2 / 3, abs=0.001
    )  # q3's document holds none of its words
    assert not (tmp_path / "home").exists()


def test_top_k_beyond_the_policy_is_a_further_cut(run, judged):
    assert "recall_at_20" in run("eval", judged, "--mode", "keyword", "--top-k", "20", "--json").document


def test_documents_take_the_corpus_s_place(run, judged, tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a").with_suffix(".md").write_text("# Refunds\n\nRefunds arrive within 14 days.\n")
    (judged / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta.md\t1\n")
    document = run("eval", judged, "--documents", tmp_path / "files", "--mode", "keyword", "--json").document
    assert (document["queries"], document["ndcg_at_10"]) == (1, 1.0)


def test_a_person_sees_a_table(run, judged):
    said = run("eval", judged, "--mode", "keyword").out
    assert "nDCG@10" in said
    assert "Not all that is relevant is among the first 8 of 1 query: q3." in said
    assert "3 queries by keyword over 3 passages" in said


def test_a_folder_that_is_no_set_is_said(run, tmp_path):
    result = run("eval", tmp_path, "--json")
    assert (result.code, result.error["code"]) == (4, "file_not_found")
    assert run("eval", tmp_path / "nosuch").code == 4


def test_types_have_rows_of_their_own(run, judged):
    queries = [json.loads(line) for line in (judged / "queries.jsonl").read_text().splitlines()]
    for query, kind in zip(queries, ("plain", "compound", "plain"), strict=True):
        query["type"] = kind
    (judged / "queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries))
    rows = [line.split() for line in run("eval", judged, "--mode", "keyword").out.splitlines()]
    assert ["plain", "2", "0.5000"] in [row[:3] for row in rows]
    assert ["compound", "1", "1.0000"] in [row[:3] for row in rows]
    assert set(run("eval", judged, "--mode", "keyword", "--json").document) == KEYS


def test_answering_spans_are_shown_by_passage(run, judged):
    query = {"_id": "q1", "corpus_id": "a", "text": "refunds", "references": [{"start": 8, "end": 30}]}
    (judged / "queries.jsonl").write_text(json.dumps(query) + "\n")
    rows = [
        line.split() for line in run("eval", judged, "--mode", "keyword", "--by", "passage").out.splitlines()
    ]
    assert ["first", "recall", "precision", "IoU"] in rows
    assert ["3", "1.0000", "0.7333", "0.7333"] in rows


def test_a_kept_run_is_compared(run, judged, tmp_path):
    kept = tmp_path / "before.json"
    assert run("eval", judged, "--mode", "keyword", "--save", kept).code == 0
    (judged / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\nq3\tc\t1\n")
    said = " ".join(run("eval", judged, "--mode", "keyword", "--compare", kept).out.split())
    assert "against the other run, over 3 common queries: +0.3333 (95 % confidence +0.0000 to" in said
    assert "it may be chance" in said
    document = run("eval", judged, "--mode", "keyword", "--compare", kept, "--json").document
    assert set(document) == KEYS | {"compared"}
    assert document["compared"]["queries"] == 3
    assert run("eval", judged, "--compare", judged / "qrels.tsv").code != 0


ANSWERS = {
    "model", "covered", "answered", "uncovered", "refusal_accuracy", "citations", "citation_validity",
    "citations_supported", "cited_passage_contains_answer", "cost", "p50_ms",
}  # fmt: skip


def test_answers_are_measured_beside_retrieval(run, judged):
    (judged / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\n")
    document = run("eval", judged, "--mode", "keyword", "--answers", "--json").document
    assert set(document) == {*KEYS, "answers"}
    assert set(document["answers"]) == ANSWERS
    assert (document["answers"]["covered"], document["answers"]["uncovered"]) == (2, 1)
    assert document["answers"]["citation_validity"] == 1.0
    said = run("eval", judged, "--mode", "keyword", "--answers").out
    assert "Answers by quoting, grounding required" in said
    assert "passage has answer" in said


def test_a_model_is_named_for_answers_alone(run, judged):
    assert run("eval", judged, "--model", "quoting").code == 2
